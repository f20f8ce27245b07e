/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inputs are few and their notes are few, so the arrays of notes grow by one. */
#include "config.h"

#include "model/build/builder_input.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/build/builder_state.h"
#include "model/build/builder_stray.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAPS_MOST 100000u

void builder_input_argument(struct builder *b, uint32_t argument)
{
	b->argument = argument;
}

void builder_input(struct builder *b, const char *path)
{
	struct profile *p = b->profile;

	builder_stray_end(b);
	p->inputs = xgrow(p->inputs, &b->cap_inputs, (size_t)p->n_inputs + 1, sizeof *p->inputs);
	b->clock = 0;
	p->inputs[p->n_inputs++] = (struct input){ .path = intern_adds(&p->strings, path),
						   .argument = b->argument,
						   .bytes = -1,
						   .seq = -1 };
	builder_stray_begin(b);
}

void builder_input_format(struct builder *b, const char *format, const char *compression,
			  int64_t bytes)
{
	struct input *in = builder_this_input(b);

	in->format = format;
	in->compression = compression;
	in->bytes = bytes;
}

void builder_input_date(struct builder *b, int64_t seconds, bool is_utc)
{
	struct input *in = builder_this_input(b);

	in->has_date = true;
	in->is_utc = is_utc;
	in->date_s = seconds;
}

void builder_input_date_text(struct builder *b, const char *text)
{
	builder_this_input(b)->date_text = builder_input_text(b, text, strlen(text));
}

void builder_input_host(struct builder *b, enum input_host of, const char *text, size_t len)
{
	builder_this_input(b)->host[of] = len ? builder_input_text(b, text, len) : 0;
}

void builder_input_seq(struct builder *b, int64_t seq)
{
	builder_this_input(b)->seq = seq;
}

void builder_input_part(struct builder *b, const char *path, int64_t from)
{
	struct input *in = builder_this_input(b);

	in->parts = xrealloc(in->parts, in->n_parts + 1, sizeof *in->parts);
	in->parts[in->n_parts++] =
		(struct input_part){ .path = intern_adds(&b->profile->strings, path),
				     .from = from };
}

void builder_input_fingerprint(struct builder *b, const struct fingerprint *print)
{
	struct input *in = builder_this_input(b);

	fingerprint_copy(in->n_parts ? &in->parts[in->n_parts - 1].print : &in->print, print);
}

void builder_input_drop(struct builder *b)
{
	struct input *in = builder_this_input(b);

	fingerprint_done(&in->print);
	for (size_t i = 0; i < in->n_parts; i++)
		fingerprint_done(&in->parts[i].print);
	free(in->parts);
	free(in->warnings);
	free(in->notes);
	free(in->maps);
	b->profile->n_inputs--;
	stray_init(&b->times);
}

void builder_input_note(struct builder *b, bool is_loss, const char *format, ...)
{
	struct input *in = builder_this_input(b);
	char text[600];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	in->notes = xrealloc(in->notes, in->n_notes + 1, sizeof *in->notes);
	in->notes[in->n_notes++] = (struct input_note){ builder_input_text(b, text, strlen(text)),
							is_loss };
}

void builder_input_map(struct builder *b, const char *url, size_t len, int64_t offset)
{
	struct input *in = builder_this_input(b);

	if (in->n_maps >= MAPS_MOST)
		return;
	in->maps = xgrow(in->maps, &in->cap_maps, in->n_maps + 1, sizeof *in->maps);
	in->maps[in->n_maps++] = (struct input_map){ builder_input_text(b, url, len), offset };
}

str_id builder_input_text(struct builder *b, const char *text, size_t len)
{
	return builder_input_text_hashed(b, text, len, hash_bytes(text, len));
}

str_id builder_input_text_hashed(struct builder *b, const char *text, size_t len, uint64_t hash)
{
	struct buf clean = { 0 };
	str_id id;

	if (!text_repair(&clean, text, len)) {
		id = intern_add_hashed(&b->profile->strings, text, len, hash);
	} else {
		id = intern_add(&b->profile->strings, clean.data, clean.len);
		builder_warn(b, WARN_TEXT, -1);
	}
	buf_done(&clean);
	return id;
}
