/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call frames of CPU profiles: a table from the bytes of a call frame to the builder's
 * frame. json-c decodes what is new; everything else costs a hash and a comparison. */
#include "config.h"

#include "reader/cpu_reader.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

void cpu_frames_reset(struct cpu_reader *r)
{
	free(r->frame_slots);
	r->n_frame_slots = 1024;
	r->frame_slots = xcalloc(r->n_frame_slots, sizeof *r->frame_slots);
	r->n_frame_texts = 0;
	arena_done(&r->texts);
}

static void frames_widen(struct cpu_reader *r)
{
	free(r->frame_slots);
	r->n_frame_slots *= 4;
	r->frame_slots = xcalloc(r->n_frame_slots, sizeof *r->frame_slots);
	for (uint32_t i = 0; i < r->n_frame_texts; i++) {
		size_t at = r->frame_texts[i].hash & (r->n_frame_slots - 1);

		while (r->frame_slots[at])
			at = (at + 1) & (r->n_frame_slots - 1);
		r->frame_slots[at] = i + 1;
	}
}

uint32_t cpu_frames_add(struct cpu_reader *r, struct json_object *o, int64_t line_base)
{
	const char *name, *url, *script;
	size_t name_len, url_len, script_len;
	int64_t line = -1, column = -1;

	json_text_member(o, "functionName", &name, &name_len);
	json_text_member(o, "url", &url, &url_len);
	json_text_member(o, "scriptId", &script, &script_len);
	if (json_text_integer(o, "lineNumber", &line))
		line = line >= line_base ? line - line_base : -1;
	if (json_text_integer(o, "columnNumber", &column))
		column = column >= line_base ? column - line_base : -1;
	return builder_cpu_frame(r->b, name, name_len, url, url_len, script, script_len, line, column);
}

bool cpu_frames_of_text(struct cpu_reader *r, struct slice raw, int64_t offset, uint32_t *frame)
{
	uint64_t hash = hash_bytes(raw.p, raw.len);
	size_t at = hash & (r->n_frame_slots - 1), bad_at;
	struct json_object *o;
	const char *why;

	for (; r->frame_slots[at]; at = (at + 1) & (r->n_frame_slots - 1)) {
		const struct frame_text *t = &r->frame_texts[r->frame_slots[at] - 1];

		if (t->hash == hash && t->len == raw.len && memcmp(t->text, raw.p, raw.len) == 0) {
			*frame = t->frame;
			return true;
		}
	}
	o = json_text_parse(r->tok, raw.p, raw.len, &bad_at, &why);
	if (why)
		return error_set(r->err, ERR_SYNTAX, offset + (int64_t)bad_at, "bad call frame: %s", why);
	*frame = cpu_frames_add(r, o, 0);
	json_object_put(o);
	r->frame_texts = xgrow(r->frame_texts, &r->cap_frame_texts, (size_t)r->n_frame_texts + 1, sizeof *r->frame_texts);
	r->frame_texts[r->n_frame_texts] = (struct frame_text){ arena_copy(&r->texts, raw.p, raw.len), raw.len, hash, *frame };
	r->frame_slots[at] = ++r->n_frame_texts;
	if ((size_t)r->n_frame_texts * 2 > r->n_frame_slots)
		frames_widen(r);
	return true;
}

void cpu_frames_done(struct cpu_reader *r)
{
	arena_done(&r->texts);
	free(r->frame_slots);
	free(r->frame_texts);
}
