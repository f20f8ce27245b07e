/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of exports: the text of an export, and the profile that is read back from it. */
#ifndef FLAMETTY_TESTS_EXPORTED_H
#define FLAMETTY_TESTS_EXPORTED_H

#include "story.h"

#include "write/export/export.h"

/* The text that a profile is exported as; is_slices: its samples, too; t1 0: all of it. */
static inline char *exported(const struct profile *p, const char *format, bool is_slices,
			     int64_t t0, int64_t t1)
{
	struct export_options options = { .is_slices = is_slices };
	struct sink *sink = sink_open_memory();
	struct error err = ERROR_INIT;
	char *text;

	scope_all(&options.scope, p);
	if (t1) {
		options.scope.t0 = t0;
		options.scope.t1 = t1;
	}
	export_find(format)->write(p, &options, sink);
	text = xstrdup(buf_text(sink_buf(sink)));
	ck_assert(sink_close(sink, &err));
	return text;
}

static inline struct profile *load_plain(const char *text)
{
	struct error err = ERROR_INIT;
	struct profile *p = load_text(text, strlen(text), SIZE_MAX, NULL, &err);

	ck_assert_msg(p != NULL, "%s at %lld in %s", err.text, (long long)err.offset, text);
	return p;
}

static inline const struct lane *lane_of(const struct profile *p, enum lane_kind kind)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].kind == kind)
			return &p->lanes[i];
	ck_abort_msg("no lane of kind %d", kind);
	return NULL;
}

#endif
