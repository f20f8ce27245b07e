/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lowest file of the builder: every other one may warn. An input has few kinds of warnings, so
 * they are searched one by one, and their array grows by one. */
#include "config.h"

#include "model/build/builder_warn.h"

#include "base/alloc.h"
#include "model/build/builder_state.h"

#include <stdio.h>

/* w->count: how often. */
static void add(struct builder *b, uint32_t input, const struct warning *w, const char *detail)
{
	struct profile *p = b->profile;
	struct input *in = &p->inputs[input];
	char text[600];

	for (size_t i = 0; i < in->n_warnings; i++) {
		if (in->warnings[i].kind == w->kind) {
			in->warnings[i].count += w->count;
			return;
		}
	}
	snprintf(text, sizeof text, "%s%s%s", warning_text(w->kind), detail ? ": " : "",
		 detail ? detail : "");
	in->warnings = xrealloc(in->warnings, in->n_warnings + 1, sizeof *in->warnings);
	in->warnings[in->n_warnings] = *w;
	in->warnings[in->n_warnings].text = intern_adds(&p->strings, text);
	in->warnings[in->n_warnings].is_note = warning_is_note(w->kind);
	in->n_warnings++;
}

void builder_warn_input(struct builder *b, uint32_t input, const struct warning *warning,
			const char *detail)
{
	add(b, input, warning, detail);
}

static void warn(struct builder *b, enum warning_kind kind, int64_t offset, uint64_t n,
		 const char *detail)
{
	/* Warnings stand in the order in which they came up: those of pending work come first. */
	if (b->before_warning)
		b->before_warning(b);
	add(b, b->profile->n_inputs - 1,
	    &(struct warning){ .kind = kind, .offset = offset, .count = n }, detail);
}

void builder_warn_text(struct builder *b, enum warning_kind kind, int64_t offset,
		       const char *detail)
{
	warn(b, kind, offset, 1, detail);
}

void builder_warn(struct builder *b, enum warning_kind kind, int64_t offset)
{
	builder_warn_text(b, kind, offset, NULL);
}

void builder_warn_times(struct builder *b, enum warning_kind kind, int64_t offset, uint64_t n)
{
	warn(b, kind, offset, n, NULL);
}

void builder_warn_stopped(struct builder *b)
{
	struct input *in = builder_this_input(b);
	size_t kept = 0;

	for (size_t i = 0; i < in->n_warnings; i++)
		if (in->warnings[i].kind != WARN_CUT_OFF)
			in->warnings[kept++] = in->warnings[i];
	in->n_warnings = kept;
	builder_warn(b, WARN_STOPPED, -1);
}
