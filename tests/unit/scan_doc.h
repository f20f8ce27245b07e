/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A document in memory with a scanner on it. */
#ifndef FLAMETTY_TESTS_SCAN_DOC_H
#define FLAMETTY_TESTS_SCAN_DOC_H

#include "base/json/scan.h"

struct doc {
	struct stream *stream;
	struct scan s;
	struct error err;
};

static inline void doc_open(struct doc *d, const char *text, size_t len)
{
	d->err = (struct error)ERROR_INIT;
	d->stream = stream_open_memory(text, len, SIZE_MAX);
	scan_init(&d->s, d->stream, &d->err);
}

static inline void doc_close(struct doc *d)
{
	scan_done(&d->s);
	stream_close(d->stream);
}

#endif
