/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers, texts, names and spans, as all formats write them. */
#include "config.h"

#include "export/common.h"

#include "base/alloc.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

void export_integer(struct buf *out, int64_t value)
{
	char digits[24];
	size_t at = sizeof digits;
	uint64_t rest = value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value;

	do
		digits[--at] = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (value < 0)
		digits[--at] = '-';
	buf_add(out, digits + at, sizeof digits - at);
}

void export_us(struct buf *out, int64_t ns)
{
	int64_t rest = ns % 1000;

	if (rest < 0) {
		buf_addc(out, '-');
		ns = -ns;
		rest = -rest;
	}
	export_integer(out, ns / 1000);
	if (rest) {
		char fraction[4] = { '.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
				     (char)('0' + rest % 10) };

		buf_add(out, fraction, sizeof fraction);
	}
}

void export_text(struct buf *out, const char *text, size_t len)
{
	buf_addc(out, '"');
	text_json(out, text, len);
	buf_addc(out, '"');
}

void export_string(struct buf *out, const struct profile *profile, str_id id)
{
	export_text(out, profile_text(profile, id), intern_len(&profile->strings, id));
}

void export_lane_name(const struct profile *profile, const struct lane *lane, struct buf *out)
{
	const char *path = profile_text(profile, profile->inputs[lane->input].path),
		   *slash = strrchr(path, '/');

	if (lane->title)
		buf_adds(out, profile_text(profile, lane->title));
	else if (lane->thread_name)
		buf_adds(out, profile_text(profile, lane->thread_name));
	else if (lane->tid == 0 && lane->pid >= 0)
		buf_adds(out, "main thread");
	else if (lane->tid > 0)
		buf_addf(out, "thread %" PRId64, lane->tid);
	else
		buf_adds(out, slash && slash[1] ? slash + 1 : path);
}

bool export_each_span(const struct lane *lane, int64_t t0, int64_t t1, bool has_empty,
		      bool (*visit)(void *ctx, const struct span *span), void *ctx)
{
	const struct samples *s = &lane->samples;
	size_t first = s->n ? samples_find(s, t0) : 0;

	/* Of samples at one time, all. */
	while (first > 0 && s->t[first] >= t0)
		first--;
	for (size_t i = first; i < s->n && s->t[i] < t1; i++) {
		int depth = i > first ? s->shared[i - 1] : 0, rows = lane->tree.rows[s->leaf[i]];

		for (; depth < rows; depth++) {
			struct span span;

			if (!span_of_sample(s, &lane->tree, i, depth, &span))
				break;
			if (span.t1 < t0 ||
			    (span.t0 == span.t1 ? !has_empty || span.t0 < t0 : span.t1 == t0))
				continue;
			span.t0 = span.t0 < t0 ? t0 : span.t0;
			span.t1 = span.t1 > t1 ? t1 : span.t1;
			if (!visit(ctx, &span))
				return false;
		}
	}
	return true;
}

uint8_t *export_used_nodes(const struct profile *p, const struct lane *lane,
			   const struct scope *scope)
{
	const struct samples *s = &lane->samples;
	uint8_t *is = xcalloc(lane->tree.n, 1);

	if (scope->t0 <= 0 && scope->t1 >= p->t1) {
		memset(is, 1, lane->tree.n);
		return is;
	}
	for (size_t i = 0; i < s->n && s->t[i] < scope->t1; i++)
		if (s->t[i + 1] > scope->t0 || s->t[i] >= scope->t0)
			is[s->leaf[i]] = 1;
	for (node_id i = lane->tree.n; i-- > 1;)
		is[lane->tree.parent[i]] |= is[i];
	return is;
}
