/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call frames of CPU profiles: an index table finds the builder's frame by the bytes of a call
 * frame. A new call frame is decoded: here, when it has only the five known members, texts without
 * escapes and whole numbers; as a tree, when it has anything else. */
#include "config.h"

#include "read/cpu/cpu_reader.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define CACHE_LINE 64u
#define PREFETCH_MOST (4 * CACHE_LINE) /* bytes of a text; the processor itself reads on */

void cpu_frames_reset(struct cpu_reader *r)
{
	cpu_frames_done(r);
}

/* The members of a call frame. A missing text is empty, a missing number is -1. */
struct frame_parts {
	struct str text[3]; /* functionName, url, scriptId */
	int64_t number[2];  /* lineNumber, columnNumber */
};

static uint32_t add_parts(struct cpu_reader *r, const struct frame_parts *f, int64_t line_base)
{
	int64_t line = f->number[0] >= line_base ? f->number[0] - line_base : -1;
	int64_t column = f->number[1] >= line_base ? f->number[1] - line_base : -1;

	return cpu_builder_frame(r->b,
				 &(struct cpu_frame){ f->text[0].p, f->text[0].len, f->text[1].p,
						      f->text[1].len, f->text[2].p, f->text[2].len,
						      line, column });
}

/* ---- the plain form ---- */

static const char *pass_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
		p++;
	return p;
}

/* Each of these functions passes blanks and then one token at p, and returns its end. NULL: the
 * token has another form. */
static const char *plain_text(const char *p, const char *end, struct str *out)
{
	p = pass_blanks(p, end);
	if (p == end || *p++ != '"')
		return NULL;
	out->p = p;
	for (; p < end && *p != '"'; p++)
		if (*p == '\\' || (unsigned char)*p < 0x20)
			return NULL;
	out->len = (size_t)(p - out->p);
	return p < end ? p + 1 : NULL;
}

static const char *plain_integer(const char *p, const char *end, int64_t *out)
{
	bool is_negative;
	int64_t v = 0;
	int n = 0;

	p = pass_blanks(p, end);
	is_negative = p < end && *p == '-';
	for (p += is_negative; p < end && *p >= '0' && *p <= '9' && n < 16; p++, n++)
		v = v * 10 + (*p - '0');
	*out = is_negative ? -v : v;
	/* No leading zero, and no minus before a zero. The caller checks what follows. */
	return n == 0 || (p[-n] == '0' && (n > 1 || is_negative)) ? NULL : p;
}

static const char *plain_sign(const char *p, const char *end, char sign)
{
	p = pass_blanks(p, end);
	return p < end && *p == sign ? p + 1 : NULL;
}

static const char *plain_member(const char *p, const char *end, struct frame_parts *f)
{
	static const char *const name[] = { "functionName", "url", "scriptId", "lineNumber",
					    "columnNumber" };
	struct str key;
	size_t which = 0;

	p = plain_text(p, end, &key);
	while (p && which < ARRAY_LEN(name) && !str_is(key, name[which]))
		which++;
	/* Of two members with one name the last counts, as in a tree. */
	if (!p || which == ARRAY_LEN(name))
		return NULL;
	p = plain_sign(p, end, ':');
	if (!p)
		return NULL;
	return which < 3 ? plain_text(p, end, &f->text[which])
			 : plain_integer(p, end, &f->number[which - 3]);
}

static bool plain_frame(struct str raw, struct frame_parts *f)
{
	const char *p = raw.p + 1, *end = raw.p + raw.len, *next;

	*f = (struct frame_parts){ { { "", 0 }, { "", 0 }, { "", 0 } }, { -1, -1 } };
	for (;;) {
		p = plain_member(p, end, f);
		if (!p)
			return false;
		next = plain_sign(p, end, ',');
		if (!next)
			return plain_sign(p, end, '}') == end;
		p = next;
	}
}

/* ---- any form ---- */

uint32_t cpu_frames_add(struct cpu_reader *r, const struct json_value *o, int64_t line_base)
{
	struct frame_parts f = { .number = { -1, -1 } };

	json_tree_text(o, "functionName", &f.text[0].p, &f.text[0].len);
	json_tree_text(o, "url", &f.text[1].p, &f.text[1].len);
	json_tree_text(o, "scriptId", &f.text[2].p, &f.text[2].len);
	json_tree_integer(o, "lineNumber", &f.number[0]);
	json_tree_integer(o, "columnNumber", &f.number[1]);
	return add_parts(r, &f, line_base);
}

static bool decode(struct cpu_reader *r, struct str raw, int64_t offset, uint32_t *frame)
{
	struct frame_parts f;
	const struct json_value *o;
	const char *why;
	size_t bad_at;

	if (plain_frame(raw, &f)) {
		*frame = add_parts(r, &f, 0);
		return true;
	}
	o = json_tree_parse(r->tree, raw, &bad_at, &why);
	if (!o)
		return error_set(r->err, ERR_SYNTAX, offset + (int64_t)bad_at, "bad call frame: %s",
				 why);
	*frame = cpu_frames_add(r, o, 0);
	return true;
}

void cpu_frames_prefetch(const struct cpu_reader *r, uint64_t hash, enum cpu_frames_step step)
{
	struct hash_probe probe = hash_probe(hash);
	const struct frame_text *t;

	if (step == CPU_FRAMES_SLOT) {
		hash_table_prefetch(&r->frame_index, hash);
		return;
	}
	if (!hash_table_next(&r->frame_index, &probe))
		return;
	t = &r->frame_texts[probe.index];
	if (step == CPU_FRAMES_ENTRY) {
		__builtin_prefetch(t);
		return;
	}
	for (uint32_t at = 0; at < t->len && at < PREFETCH_MOST; at += CACHE_LINE)
		__builtin_prefetch(t->text + at);
}

bool cpu_frames_of_text(struct cpu_reader *r, struct str raw, int64_t offset, uint32_t *frame)
{
	return cpu_frames_of_hashed(r, raw, hash_bytes(raw.p, raw.len), offset, frame);
}

bool cpu_frames_of_hashed(struct cpu_reader *r, struct str raw, uint64_t hash, int64_t offset,
			  uint32_t *frame)
{
	struct hash_probe probe = hash_probe(hash);
	size_t n = r->n_frame_texts;

	while (hash_table_next(&r->frame_index, &probe)) {
		const struct frame_text *t = &r->frame_texts[probe.index];

		if (t->len == raw.len && memcmp(t->text, raw.p, raw.len) == 0) {
			*frame = t->frame;
			return true;
		}
	}
	if (!decode(r, raw, offset, frame))
		return false;
	r->frame_texts = xgrow(r->frame_texts, &r->cap_frame_texts, n + 1, sizeof *r->frame_texts);
	r->frame_texts[n] = (struct frame_text){ arena_copy(&r->texts, raw.p, raw.len),
						 (uint32_t)raw.len, *frame };
	hash_table_add(&r->frame_index, hash, (uint32_t)n);
	r->n_frame_texts++;
	return true;
}

void cpu_frames_done(struct cpu_reader *r)
{
	arena_done(&r->texts);
	free(r->frame_texts);
	hash_table_done(&r->frame_index);
	r->frame_texts = NULL;
	r->n_frame_texts = r->cap_frame_texts = 0;
}
