/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stack is a node: its frames are those on the way to the root. Only the heaviest stacks are
 * kept, in order: the others take no memory.
 *
 * A line has the difference of two rounded sums, that of all lines up to it and that of those
 * before it. So the lines add up to the rounded sum, and each is at most one microsecond off. */
#include "config.h"

#include "ui/copy_folded.h"

#include "analyse/folded.h"
#include "base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- collecting ---- */

static void add(struct copy_folded *f, node_id node, int64_t value)
{
	size_t kept = f->n < COPY_FOLDED_LINES_MOST ? f->n : COPY_FOLDED_LINES_MOST, at = kept;

	if (value <= 0)
		return;
	f->n++;
	f->value += value;
	while (at > 0 && f->heaviest[at - 1].value < value)
		at--;
	if (at == COPY_FOLDED_LINES_MOST)
		return;
	kept -= kept == COPY_FOLDED_LINES_MOST;
	memmove(f->heaviest + at + 1, f->heaviest + at, (kept - at) * sizeof *f->heaviest);
	f->heaviest[at] = (struct copy_folded_stack){ node, value };
}

static bool is_called_by(const struct calltree *tree, node_id node, const frame_id *path,
			 uint32_t n_path)
{
	for (uint32_t i = 0; i < n_path; i++, node = tree->parent[node])
		if (node == NODE_ROOT || tree->frame[node] != path[i])
			return false;
	return true;
}

void copy_folded_function(struct copy_folded *f, const struct totals *totals, const frame_id *path,
			  uint32_t n_path)
{
	const struct calltree *tree = f->tree;

	for (node_id node = 1; node < tree->n; node++) {
		if (tree->frame[node] != path[0] || !tree->is_outer[node])
			continue;
		if (f->is_flipped)
			for (node_id i = node; i < tree->end[node]; i++)
				add(f, i, totals->self[i]);
		else if (is_called_by(tree, node, path, n_path))
			add(f, node, totals->total[node]);
		node = tree->end[node] - 1;
	}
}

void copy_folded_span(struct copy_folded *f, const struct samples *samples, const struct span *span)
{
	size_t next;

	for (size_t i = span->first; i < span->end; i = next) {
		for (next = i + 1; next < span->end && samples->leaf[next] == samples->leaf[i];)
			next++;
		add(f, samples->leaf[i], samples_time(samples, next) - samples_time(samples, i));
	}
}

/* ---- writing ---- */

static int64_t rounded(const struct copy_folded *f, int64_t value)
{
	return f->is_hits ? value : (value + 500) / 1000;
}

static void add_frames(const struct copy_folded *f, const frame_id *stack, uint32_t n,
		       struct buf *out)
{
	for (uint32_t i = n; i-- > 0;) {
		folded_add_frame(out, f->profile, &f->frames[stack[i]]);
		buf_addc(out, i ? ';' : ' ');
	}
}

void copy_folded_stack(const struct copy_folded *f, const frame_id *stack, uint32_t n,
		       int64_t value, struct buf *out)
{
	add_frames(f, stack, n, out);
	buf_addf(out, "%" PRId64, rounded(f, value));
}

static void add_node(const struct copy_folded *f, node_id node, struct buf *out)
{
	uint32_t n = f->tree->rows[node];
	frame_id *stack = xcalloc(n + 1, sizeof *stack);

	for (uint32_t i = 0; i < n; i++, node = f->tree->parent[node])
		stack[f->is_flipped ? n - 1 - i : i] = f->tree->frame[node];
	add_frames(f, stack, n, out);
	free(stack);
}

void copy_folded_write(const struct copy_folded *f, struct buf *out)
{
	size_t kept = f->n <= COPY_FOLDED_LINES_MOST ? f->n : COPY_FOLDED_LINES_MOST - 1;
	size_t start = out->len;
	int64_t sum = 0;

	for (size_t i = 0; i < kept; i++) {
		const struct copy_folded_stack *s = &f->heaviest[i];
		int64_t us = rounded(f, sum + s->value) - rounded(f, sum);

		sum += s->value;
		if (us <= 0 && i > 0)
			continue;
		if (out->len > start)
			buf_addc(out, '\n');
		add_node(f, s->node, out);
		buf_addf(out, "%" PRId64, us);
	}
	if (f->n > kept)
		buf_addf(out, "\n(%zu more stacks) %" PRId64, f->n - kept,
			 rounded(f, f->value) - rounded(f, sum));
}
