/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of readers. The story of a document is a text with the time and the stack of each
 * sample, "0 a|10 a>b|20 -|30", in microseconds since the start of the profile; "-" is an empty
 * stack. Documents are written with ' for ". */
#ifndef FLAMETTY_TESTS_STORY_H
#define FLAMETTY_TESTS_STORY_H

#include "load_text.h"

#include "base/buf.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Returns the profile, or NULL with err set. `format`: NULL to detect it. */
static inline struct profile *story_try(const char *text, size_t len, const char *format,
					size_t fail_at, struct error *err)
{
	char *copy = quoted_bytes(text, len);
	struct profile *p = load_text(copy, len, fail_at, format ? reader_find(format) : NULL, err);

	free(copy);
	return p;
}

static inline struct profile *story_load(const char *text)
{
	struct error err = ERROR_INIT;
	struct profile *p = story_try(text, strlen(text), NULL, SIZE_MAX, &err);

	ck_assert_msg(p != NULL, "not loaded: %s in %.500s", err.text, text);
	return p;
}

static inline void story_us(struct buf *out, int64_t ns)
{
	buf_addf(out, "%lld", (long long)(ns / 1000));
	if (ns % 1000)
		buf_addf(out, ".%03d", abs((int)(ns % 1000)));
}

static inline void story_stack(struct buf *out, const struct profile *p, const struct lane *l,
			       node_id node)
{
	if (l->tree.parent[node] != NODE_ROOT) {
		story_stack(out, p, l, l->tree.parent[node]);
		buf_addc(out, '>');
	}
	buf_adds(out, profile_text(p, profile_node_frame(p, l, node)->name));
}

static inline void story_of(const struct profile *p, uint32_t lane, const char *expect)
{
	const struct lane *l = &p->lanes[lane];
	struct buf out = { 0 };

	for (size_t i = 0; i < l->samples.n; i++) {
		story_us(&out, samples_time(&l->samples, i));
		buf_addc(&out, ' ');
		if (samples_leaf(&l->samples, i) == NODE_ROOT)
			buf_addc(&out, '-');
		else
			story_stack(&out, p, l, samples_leaf(&l->samples, i));
		buf_addc(&out, '|');
	}
	story_us(&out, samples_time(&l->samples, l->samples.n));
	ck_assert_str_eq(buf_text(&out), expect);
	buf_done(&out);
}

static inline uint64_t story_warned(const struct profile *p, const char *kind)
{
	for (size_t i = 0; i < p->inputs[0].n_warnings; i++)
		if (strcmp(warning_name(p->inputs[0].warnings[i].kind), kind) == 0)
			return p->inputs[0].warnings[i].count;
	return 0;
}

/* The document has one lane with that story, and `count` warnings of a kind (NULL: no warnings). */
static inline void story_check(const char *text, const char *expect, const char *kind,
			       uint64_t count)
{
	struct profile *p = story_load(text);

	ck_assert_uint_eq(p->n_lanes, 1);
	story_of(p, 0, expect);
	if (kind)
		ck_assert_msg(story_warned(p, kind) == count, "%s: %llu times", kind,
			      (unsigned long long)story_warned(p, kind));
	else
		ck_assert_msg(p->inputs[0].n_warnings == 0, "warning %s",
			      p->inputs[0].n_warnings ? warning_name(p->inputs[0].warnings[0].kind)
						      : "");
	profile_free(p);
}

static inline void story_fails(const char *text, const char *part)
{
	struct error err = ERROR_INIT;

	ck_assert_msg(story_try(text, strlen(text), NULL, SIZE_MAX, &err) == NULL, "loaded: %.500s",
		      text);
	ck_assert_msg(strstr(err.text, part) != NULL, "\"%s\" lacks \"%s\"", err.text, part);
}

static inline void story_sound(const struct profile *p)
{
	for (uint32_t k = 0; k < p->n_lanes; k++) {
		const struct lane *l = &p->lanes[k];

		for (node_id i = 1; i < l->tree.n; i++) {
			ck_assert_uint_lt(l->tree.parent[i], i);
			ck_assert_uint_lt(l->tree.frame[i], p->frames.n);
		}
		for (size_t i = 0; i < l->samples.n; i++) {
			ck_assert_uint_lt(samples_leaf(&l->samples, i), l->tree.n);
			ck_assert_int_le(samples_time(&l->samples, i),
					 samples_time(&l->samples, i + 1));
		}
		ck_assert_int_le(l->t1, p->t1);
		ck_assert_int_ge(l->t0, 0);
	}
}

/* A profile that is sound, or an error with a text and a place within the document. */
static inline void story_either(const char *text, size_t len, const char *format)
{
	struct error err = ERROR_INIT;
	struct profile *p = story_try(text, len, format, SIZE_MAX, &err);

	if (p) {
		story_sound(p);
		profile_free(p);
		return;
	}
	ck_assert_int_ne(err.kind, ERR_NONE);
	ck_assert_int_ne(err.text[0], '\0');
	ck_assert_int_le(err.offset, (int64_t)len);
}

/* Cut at every byte, failing to be read at every byte, and every byte changed. */
static inline void story_broken(const char *text, const char *format)
{
	static const char other[] = { '\0', '\'', '\\', '{', '}',  '[',    ']',    ',', ':',
				      '-',  '9',  'e',  ' ', '\n', '\x80', '\xFF', ';', '#' };
	size_t len = strlen(text);
	char *copy = xstrdup(text);

	for (size_t at = 0; at < len; at++) {
		struct error err = ERROR_INIT;

		story_either(text, at, NULL);
		story_either(text, at, format);
		ck_assert_msg(!story_try(text, len, format, at, &err) && err.kind == ERR_IO,
			      "failing at %zu", at);
		for (size_t k = at % 3; k < sizeof other; k += 3) {
			copy[at] = other[k];
			story_either(copy, len, NULL);
			story_either(copy, len, format);
		}
		copy[at] = text[at];
	}
	free(copy);
}

#endif
