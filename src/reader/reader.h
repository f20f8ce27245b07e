/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The seam between formats and the model: one struct per format, recognised by what a
 * file holds, never by its name. */
#ifndef FLAMETTY_READER_READER_H
#define FLAMETTY_READER_READER_H

#include "base/error.h"
#include "base/progress.h"
#include "base/stream.h"
#include "build/builder.h"
#include "json/scan.h"
#include "json/outline.h"

#include <stdbool.h>
#include <stdint.h>

/* What a file's name says of what is in it; -1: nothing. */
struct file_hints {
	int64_t pid;
	int64_t tid;
	int64_t seq; /* of the file within its process */
	bool has_date;
	int64_t date_s; /* wall clock at the start, seconds since 1970 in a zone that nobody knows
			 */
};

struct reader {
	const char *name; /* "cpuprofile" */
	const char *help; /* one line for `flametty formats` */
	/* How sure it is that a document of this outline is its own: 0 (no) to 100. */
	int (*sniff)(const struct outline *outline);
	/* Read the document at the scanner into lanes of the builder. */
	bool (*read)(struct scan *s, struct builder *b, const struct file_hints *hints,
		     struct error *err);
};

extern const struct reader reader_cpuprofile;
extern const struct reader reader_trace;
extern const struct reader reader_self_profile;
extern const struct reader reader_speedscope;
extern const struct reader reader_folded;

/* All readers, ended by NULL. */
extern const struct reader *const readers[];

/* The reader of that name, or NULL. */
const struct reader *reader_find(const char *name);

#endif
