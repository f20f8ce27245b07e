/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random trees and samples: blocks, columns, totals and spans of any range are compared with a
 * count over each sample and each frame of its stack; the order of rows and of a bitset with a
 * sorted list. A failure prints the seed, which is the number of the loop. */
#include "config.h"

#define SUITE_OF_MANY

#include "suite.h"

#include "analyse/cover.h"
#include "analyse/rows/rows.h"
#include "analyse/totals.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "model/blocks.h"
#include "model/build/builder.h"
#include "model/build/cpu_builder.h"

#include <check.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALL_SEEDS 120
#define LARGE_SEEDS 6

static uint64_t rng;
static int seed;

static uint64_t random_next(void)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return rng;
}

/* 0 <= r < n */
static uint64_t below(uint64_t n)
{
	return (random_next() >> 11) % n;
}

/* How a profile is made. */
struct outline {
	uint32_t n_nodes, n_frames;
	size_t n_samples;
	int64_t most_delta; /* deltas are 1..most, or 0..most */
	bool has_zero;
	int chain; /* in 8: how often a node hangs below the one before */
	int stay;  /* in 8: how often a sample repeats the one before */
};

/* What the file says, not the tree that is made of it: nodes by number, and the node of each
 * sample. Several nodes below one parent may have one frame. */
static struct {
	uint32_t *parent, *sample;
	uint16_t *rows;
} file;

static void file_free(void)
{
	free(file.parent);
	free(file.sample);
	free(file.rows);
}

static void file_init(const struct outline *outline)
{
	file_free();
	file.parent = xcalloc(outline->n_nodes, sizeof *file.parent);
	file.rows = xcalloc(outline->n_nodes, sizeof *file.rows);
	file.sample = xcalloc(outline->n_samples, sizeof *file.sample);
}

static struct profile *make(const struct outline *outline)
{
	struct builder_options options = { .is_raw = true };
	struct builder *b = builder_new(&options);
	struct error err = ERROR_INIT;
	uint32_t *frames = xmalloc(outline->n_frames * sizeof *frames), root, last = 1;

	file_init(outline);
	builder_input(b, "random");
	cpu_builder_begin(b);
	for (uint32_t i = 0; i < outline->n_frames; i++) {
		char name[16];
		int len = snprintf(name, sizeof name, "f%u", i);

		frames[i] = cpu_builder_frame(
			b, &(struct cpu_frame){ name, (size_t)len, "x.js", 4, "1", 1, 1, 1 });
	}
	root = cpu_builder_frame(b, &(struct cpu_frame){ "(root)", 6, "", 0, "0", 1, -1, -1 });
	for (uint32_t i = 0; i < outline->n_nodes; i++) {
		uint32_t node = cpu_builder_node(b, cpu_builder_slot(b, i + 1),
						 i ? frames[below(outline->n_frames)] : root, -1);

		if (i) {
			file.parent[i] = (int)below(8) < outline->chain ? i - 1
									: (uint32_t)below(i);
			file.rows[i] = (uint16_t)(file.rows[file.parent[i]] + 1);
			cpu_builder_parent(b, node, cpu_builder_slot(b, 1 + file.parent[i]));
		}
	}
	cpu_builder_start_time(b, 0);
	for (size_t i = 0; i < outline->n_samples; i++) {
		int64_t delta = (int64_t)below((uint64_t)outline->most_delta) + !outline->has_zero;
		uint32_t slot;

		if (outline->has_zero && below(3) == 0)
			delta = 0;
		if (i == 0 || (int)below(8) >= outline->stay)
			last = 1 + (uint32_t)below(outline->n_nodes);
		file.sample[i] = last - 1;
		slot = cpu_builder_slot(b, last);
		cpu_builder_samples(b, &slot, 1);
		cpu_builder_deltas(b, &delta, 1);
	}
	free(frames);
	ck_assert(cpu_builder_end(b, 1, 0, &err));
	return builder_finish(b, &err);
}

/* ---- by counting ---- */

struct truth {
	int64_t *self, *total;             /* by node */
	int64_t *frame_self, *frame_total; /* by frame */
	uint64_t *spans, *self_samples;    /* by frame */
	uint32_t *seen;                    /* by frame: number of the sample that counted it last */
};

static void truth_init(struct truth *t, const struct profile *p)
{
	size_t n = p->lanes[0].tree.n, f = p->frames.n;

	t->self = xcalloc(n, sizeof *t->self);
	t->total = xcalloc(n, sizeof *t->total);
	t->frame_self = xcalloc(f, sizeof *t->frame_self);
	t->frame_total = xcalloc(f, sizeof *t->frame_total);
	t->spans = xcalloc(f, sizeof *t->spans);
	t->self_samples = xcalloc(f, sizeof *t->self_samples);
	t->seen = xcalloc(f, sizeof *t->seen);
}

static void truth_done(struct truth *t)
{
	free(t->self);
	free(t->total);
	free(t->frame_self);
	free(t->frame_total);
	free(t->spans);
	free(t->self_samples);
	free(t->seen);
}

/* The node of a sample at a depth; NODE_ROOT: its stack is not that deep. */
static node_id node_at(const struct lane *l, size_t sample, int depth)
{
	node_id k = l->samples.leaf[sample];

	if (l->tree.rows[k] <= depth)
		return NODE_ROOT;
	while (l->tree.rows[k] > depth + 1)
		k = l->tree.parent[k];
	return k;
}

/* The same for the node of the file. Siblings with one frame are one node of the tree, but each has
 * spans of its own. */
static uint32_t file_node_at(size_t sample, int depth)
{
	uint32_t k = file.sample[sample];

	if (file.rows[k] <= depth)
		return 0;
	while (file.rows[k] > depth + 1)
		k = file.parent[k];
	return k;
}

/* The end of the span that begins with a sample: the next one that has another node there. */
static size_t span_end(const struct samples *s, size_t first, int depth)
{
	uint32_t node = file_node_at(first, depth);
	size_t end = first + 1;

	while (end < s->n && file_node_at(end, depth) == node)
		end++;
	return end;
}

/* Spans with time in the range. */
static void truth_spans(struct truth *t, const struct lane *l, int64_t t0, int64_t t1)
{
	const struct samples *s = &l->samples;

	for (int depth = 0; depth < l->tree.max_rows; depth++) {
		for (size_t i = 0, end; i < s->n; i = end) {
			node_id node = node_at(l, i, depth);

			end = span_end(s, i, depth);
			if (node != NODE_ROOT && samples_time(s, i) < samples_time(s, end) &&
			    samples_time(s, i) < t1 && samples_time(s, end) > t0)
				t->spans[l->tree.frame[node]]++;
		}
	}
}

static void truth_count(struct truth *t, const struct lane *l, int64_t t0, int64_t t1)
{
	const struct samples *s = &l->samples;

	for (size_t i = 0; i < s->n; i++) {
		int64_t from = samples_time(s, i) > t0 ? samples_time(s, i) : t0,
			to = samples_time(s, i + 1) < t1 ? samples_time(s, i + 1) : t1;
		int64_t ns = to > from ? to - from : 0;

		if (samples_time(s, i) >= t1 ||
		    (samples_time(s, i) < t0 && samples_time(s, i + 1) <= t0))
			continue;
		t->self[s->leaf[i]] += ns;
		t->self_samples[l->tree.frame[s->leaf[i]]]++;
		for (node_id k = s->leaf[i];; k = l->tree.parent[k]) {
			frame_id f = l->tree.frame[k];

			t->total[k] += ns;
			if (k == NODE_ROOT)
				break;
			if (t->seen[f] != i + 1)
				t->frame_total[f] += ns;
			t->seen[f] = (uint32_t)i + 1;
			if (k == s->leaf[i])
				t->frame_self[f] += ns;
		}
	}
}

/* ---- comparing ---- */

static void add_visit(void *ctx, node_id leaf, int64_t ns)
{
	int64_t *self = ctx;

	self[leaf] += ns;
}

static void add_visits(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_visit(ctx, leaf[i], ns[i]);
}

static void check_blocks(const struct lane *l, const struct truth *t, int64_t t0, int64_t t1)
{
	int64_t *self = xcalloc(l->tree.n, sizeof *self);
	const struct blocks_visitor visitor = { self, add_visits, add_visit, NULL };

	if (below(2)) {
		struct blocks_walk walk;
		struct budget step;

		blocks_begin(&walk, &l->samples, t0, t1, &visitor);
		do
			step = budget_steps(1, 1 + (uint32_t)below(3000));
		while (!blocks_walk_work(&walk, &visitor, &step));
	} else {
		blocks_each(&l->samples, t0, t1, &visitor);
	}
	for (node_id i = 0; i < l->tree.n; i++)
		ck_assert_msg(self[i] == t->self[i],
			      "seed %d [%" PRId64 ", %" PRId64 "): node %u has %" PRId64
			      ", blocks say %" PRId64,
			      seed, t0, t1, i, t->self[i], self[i]);
	free(self);
}

static void check_totals(struct totals *totals, const struct profile *p, const struct truth *t,
			 int64_t t0, int64_t t1)
{
	const struct lane *l = &p->lanes[0];
	struct totals_counts counts;
	uint32_t used = 0;

	totals_compute(totals, t0, t1);
	for (node_id i = 1; i < l->tree.n; i++)
		ck_assert_msg(totals->self[i] == t->self[i] && totals->total[i] == t->total[i],
			      "seed %d [%" PRId64 ", %" PRId64 "): node %u", seed, t0, t1, i);
	totals_counts(totals, &counts);
	for (frame_id f = 1; f < p->frames.n; f++) {
		ck_assert_msg(totals->frame_self[f] == t->frame_self[f] &&
				      totals->frame_total[f] == t->frame_total[f],
			      "seed %d [%" PRId64 ", %" PRId64 "): function %u", seed, t0, t1, f);
		ck_assert_msg(counts.spans[f] == t->spans[f] &&
				      counts.self_samples[f] == t->self_samples[f] &&
				      counts.is_used[f] == (t->seen[f] > 0),
			      "seed %d [%" PRId64 ", %" PRId64 "): function %u has %" PRIu64
			      " spans and %" PRIu64 " samples, counted %" PRIu64 " and %" PRIu64,
			      seed, t0, t1, f, t->spans[f], t->self_samples[f], counts.spans[f],
			      counts.self_samples[f]);
		used += t->frame_total[f] > 0;
	}
	ck_assert_uint_eq(totals->n_used, used);
	ck_assert_int_eq(totals->sampled_ns, t->total[NODE_ROOT] - t->self[NODE_ROOT]);
	totals_counts_done(&counts);
}

static void check_column(struct cover *c, const struct lane *l, const struct truth *t, int64_t t0,
			 int64_t t1, bool has_zero)
{
	const struct cover_cell *cells;
	int n_rows;

	/* In one call or in steps, perhaps after a column that is left unfinished. */
	if (below(2)) {
		cover_make(c, t0, t1 + 1 + (int64_t)below(1000), a_step());
		cover_make(c, t0 - 3, t1, a_step());
		while (!cover_make(c, t0, t1, a_step()))
			;
	}
	cells = cover_column(c, t0, t1, &n_rows);
	for (int row = 1; row <= l->tree.max_rows; row++) {
		struct cover_cell cell = { .node = NODE_ROOT }, expect = { .node = NODE_ROOT };

		if (row <= n_rows)
			cell = cells[row - 1];
		for (node_id i = 1; i < l->tree.n; i++) {
			if (l->tree.rows[i] != row || t->total[i] == 0)
				continue;
			expect.all_ns += t->total[i];
			if (expect.parts < 3)
				expect.parts++;
			if (t->total[i] > expect.node_ns) {
				expect.node_ns = t->total[i];
				expect.node = i;
			}
		}
		ck_assert_msg(cell.all_ns == expect.all_ns && cell.node_ns == expect.node_ns,
			      "seed %d [%" PRId64 ", %" PRId64 ") row %d: %" PRId64 " of %" PRId64
			      " ns, expected %" PRId64 " of %" PRId64,
			      seed, t0, t1, row, cell.node_ns, cell.all_ns, expect.node_ns,
			      expect.all_ns);
		/* A span of zero length may show where nothing else is. */
		if (expect.all_ns || !has_zero)
			ck_assert_msg(cell.node == expect.node,
				      "seed %d [%" PRId64 ", %" PRId64
				      ") row %d: node %u, expected %u",
				      seed, t0, t1, row, cell.node, expect.node);
		if (has_zero)
			ck_assert_uint_ge(cell.parts, expect.parts);
		else
			ck_assert_uint_eq(cell.parts, expect.parts);
	}
}

static void check_span(const struct lane *l, const char *what, bool found, const struct span *span,
		       bool expected, const struct span *expect)
{
	ck_assert_msg(found == expected, "seed %d: %s %s", seed, what,
		      found ? "found a span where there is none" : "found nothing");
	if (!found)
		return;
	ck_assert_msg(span->node == expect->node && span->depth == expect->depth &&
			      span->first == expect->first && span->end == expect->end,
		      "seed %d: %s: node %u depth %d samples %zu to %zu, expected %u %d %zu %zu",
		      seed, what, span->node, span->depth, span->first, span->end, expect->node,
		      expect->depth, expect->first, expect->end);
	ck_assert_int_eq(span->t0, samples_time(&l->samples, expect->first));
	ck_assert_int_eq(span->t1, samples_time(&l->samples, expect->end));
}

/* All functions of span.h for one depth, one sample and one time, compared with one walk. */
static void check_spans(const struct lane *l, int depth, size_t sample, int64_t time)
{
	const struct samples *s = &l->samples;
	struct span next = { 0 }, before = { 0 }, at = { 0 }, of = { 0 }, is = { 0 };
	bool has_next = false, has_before = false, has_at = false, has_of = false;

	for (size_t i = 0, end; i < s->n; i = end) {
		node_id node = node_at(l, i, depth);
		struct span span = { .node = node, .depth = depth, .first = i };

		end = span_end(s, i, depth);
		span.end = end;
		if (node == NODE_ROOT)
			continue;
		if (!has_next && i >= sample)
			next = span, has_next = true;
		if (end <= sample)
			before = span, has_before = true;
		if (i <= sample && sample < end)
			of = span, has_of = true;
		if (samples_time(s, i) <= time && time < samples_time(s, end))
			at = span, has_at = true;
	}
	check_span(l, "span_next", span_next(s, &l->tree, depth, sample, &is), &is, has_next,
		   &next);
	check_span(l, "span_before", span_before(s, &l->tree, depth, sample, &is), &is, has_before,
		   &before);
	check_span(l, "span_of_sample", span_of_sample(s, &l->tree, sample, depth, &is), &is,
		   has_of, &of);
	check_span(l, "span_at", span_at(s, &l->tree, depth, time, &is), &is, has_at, &at);
}

static void pick_range(const struct lane *l, int i, int64_t *t0, int64_t *t1)
{
	const struct samples *s = &l->samples;
	int64_t len = samples_time(s, s->n) + 20;

	*t0 = (int64_t)below((uint64_t)len) - 10;
	switch (i % 5) {
	case 0: /* all */
		*t0 = -5;
		*t1 = len;
		break;
	case 1: /* from sample to sample */
		*t0 = samples_time(s, below(s->n));
		*t1 = samples_time(s, below(s->n + 1));
		break;
	case 2: /* a narrow one */
		*t1 = *t0 + 1 + (int64_t)below(1 + (uint64_t)len / s->n * 3);
		break;
	case 3: /* one ns */
		*t1 = *t0 + 1;
		break;
	default:
		*t1 = *t0 + 1 + (int64_t)below((uint64_t)len);
	}
	if (*t1 < *t0) {
		int64_t t = *t0;

		*t0 = *t1;
		*t1 = t;
	}
}

static void check_profile(const struct outline *outline, int n_ranges)
{
	struct profile *p = make(outline);
	const struct lane *l = &p->lanes[0];
	struct cover *cover = cover_new(l);
	struct totals totals;
	struct view view;
	uint64_t opens = 0;

	view_init(&view, p, &(const struct lane *){ l }, 1);
	totals_init(&totals, &view);
	for (int i = 0; i < n_ranges; i++) {
		struct truth truth;
		int64_t t0, t1;

		pick_range(l, i, &t0, &t1);
		truth_init(&truth, p);
		truth_count(&truth, l, t0, t1);
		truth_spans(&truth, l, t0, t1);
		check_blocks(l, &truth, t0, t1);
		if (t0 < t1)
			check_totals(&totals, p, &truth, t0, t1);
		/* Twice: the second comes from the table of columns. */
		check_column(cover, l, &truth, t0, t1, outline->has_zero);
		check_column(cover, l, &truth, t0, t1, outline->has_zero);
		check_spans(l, (int)below(l->tree.max_rows + 1u), below(l->samples.n), t0);
		if (i == 0) {
			for (frame_id f = 1; f < p->frames.n; f++)
				opens += truth.spans[f];
			ck_assert_msg(l->n_spans == opens,
				      "seed %d: %" PRIu64 " spans, counted %" PRIu64, seed,
				      l->n_spans, opens);
		}
		truth_done(&truth);
	}
	totals_done(&totals);
	view_done(&view);
	cover_free(cover);
	profile_free(p);
}

static void set_seed(int to)
{
	seed = to;
	rng = UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(to + 1);
	for (int i = 0; i < 8; i++)
		random_next();
}

START_TEST(small_profiles)
{
	struct outline outline;

	set_seed(_i);
	outline = (struct outline){ .n_nodes = 1 + (uint32_t)below(60),
				    .n_frames = 1 + (uint32_t)below(20),
				    .n_samples = 1 + below(400),
				    .most_delta = 1 + (int64_t)below(50),
				    .has_zero = _i % 3 == 2,
				    .chain = (int)below(8),
				    .stay = (int)below(8) };
	if (_i % 10 == 9)
		outline.most_delta = INT64_C(1) << 40;
	/* Not all deltas may be zero: such samples are spread evenly. */
	if (outline.has_zero && (outline.n_samples < 10 || outline.most_delta < 4)) {
		outline.n_samples += 10;
		outline.most_delta += 4;
	}
	check_profile(&outline, 20);
}
END_TEST

/* Enough samples for blocks of one level or more. */
START_TEST(profiles_with_blocks)
{
	static const size_t n_samples[LARGE_SEEDS] = { 16384, 16385, 20000, 33333, 65536, 140000 };
	struct outline outline = { .n_nodes = 30,
				   .n_frames = 9,
				   .n_samples = n_samples[_i],
				   .most_delta = 9,
				   .chain = 3,
				   .stay = 4 };
	struct profile *p;

	set_seed(1000 + _i);
	if (_i % 2)
		outline.most_delta = INT64_C(1) << 34; /* sums that need more than 32 bits */
	outline.has_zero = _i == 2;
	p = make(&outline);
	ck_assert_msg(p->lanes[0].samples.blocks != NULL, "seed %d: no blocks", seed);
	profile_free(p);
	set_seed(1000 + _i);
	check_profile(&outline, 8);
}
END_TEST

/* As many leaves as samples: no blocks are built. */
START_TEST(profile_without_blocks)
{
	struct outline outline = { .n_nodes = 30000,
				   .n_frames = 50,
				   .n_samples = 17000,
				   .most_delta = 9,
				   .chain = 0,
				   .stay = 0 };
	struct profile *p;

	set_seed(2000);
	p = make(&outline);
	ck_assert_ptr_null(p->lanes[0].samples.blocks);
	profile_free(p);
	check_profile(&outline, 8);
}
END_TEST

static void count_visit(void *ctx, node_id leaf, int64_t ns)
{
	(void)leaf;
	(void)ns;
	++*(size_t *)ctx;
}

static void count_visits(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	(void)leaf;
	(void)ns;
	*(size_t *)ctx += n;
}

/* The purpose of blocks: the sum of the whole needs no visit of each sample. */
START_TEST(blocks_save_visits)
{
	struct outline outline = { .n_nodes = 20,
				   .n_frames = 9,
				   .n_samples = 140000,
				   .most_delta = 9,
				   .chain = 3,
				   .stay = 0 };
	struct profile *p;
	size_t visits = 0;
	const struct blocks_visitor visitor = { &visits, count_visits, count_visit, NULL };

	set_seed(3000);
	p = make(&outline);
	blocks_each(&p->lanes[0].samples, 0, p->t1, &visitor);
	ck_assert_uint_lt(visits, 20000);
	profile_free(p);
}
END_TEST

/* More columns than are kept. */
START_TEST(columns_are_thrown_out)
{
	struct outline outline = { .n_nodes = 20,
				   .n_frames = 9,
				   .n_samples = 500,
				   .most_delta = 9,
				   .chain = 4,
				   .stay = 4 };
	struct profile *p;
	struct cover *cover;

	set_seed(4000);
	p = make(&outline);
	cover = cover_new(&p->lanes[0]);
	for (int i = 0; i < 3000; i++) {
		int64_t t0 = (int64_t)below(2000);
		struct truth truth;

		truth_init(&truth, p);
		truth_count(&truth, &p->lanes[0], t0, t0 + 2);
		check_column(cover, &p->lanes[0], &truth, t0, t0 + 2, false);
		truth_done(&truth);
	}
	cover_free(cover);
	profile_free(p);
}
END_TEST

#define LIST_COLS 150

/* A window of columns; beyond the samples on both sides, too. */
static void pick_columns(const struct lane *l, struct cover_range *list)
{
	int64_t len = l->t1 - l->t0, width = len / LIST_COLS + 1,
		t0 = l->t0 + (int64_t)below((uint64_t)len / 4) - len / 8;

	for (int64_t i = 0; i < LIST_COLS; i++)
		list[i] = (struct cover_range){ t0 + i * width, t0 + (i + 1) * width };
}

static void check_same_columns(const struct cover *c, struct cover *one,
			       const struct cover_range *list)
{
	for (int i = 0; i < LIST_COLS; i++) {
		int n, n_one;
		const struct cover_cell *cells = cover_known(c, list[i].t0, list[i].t1, 0, INT_MAX,
							     &n),
					*expect = cover_column(one, list[i].t0, list[i].t1, &n_one);

		ck_assert_ptr_nonnull(cells);
		ck_assert_int_eq(n, n_one);
		for (int row = 0; row < n; row++)
			ck_assert_msg(cells[row].node == expect[row].node &&
					      cells[row].parts == expect[row].parts &&
					      cells[row].node_ns == expect[row].node_ns &&
					      cells[row].all_ns == expect[row].all_ns,
				      "seed %d, column %d, row %d: node %u, one thread says %u",
				      seed, i, row, cells[row].node, expect[row].node);
	}
}

/* Columns of two threads, in one call or in several with what others have left, are those of one.
 */
START_TEST(two_threads_make_the_same_columns)
{
	struct outline outline = { .n_nodes = _i % 2 ? 500 : 20000,
				   .n_frames = 200,
				   .n_samples = 300000,
				   .most_delta = 9 + _i,
				   .has_zero = _i % 3 == 0,
				   .chain = 5,
				   .stay = _i % 5 };
	struct cover_range list[LIST_COLS], rest[LIST_COLS];
	struct cover *c, *one;
	struct profile *p;

	set_seed(5000 + _i);
	p = make(&outline);
	c = cover_new(&p->lanes[0]);
	one = cover_new(&p->lanes[0]);
	ck_assert_uint_gt(2 * outline.n_samples, COVER_MUCH_WORK);
	for (int k = 0; k < 6; k++) {
		struct budget step = budget_ns((int64_t)below(300000));

		pick_columns(&p->lanes[0], list);
		memcpy(rest, list, sizeof rest);
		cover_make_all(c, rest, LIST_COLS, &step);
		if (k % 2) /* Leave these. */
			pick_columns(&p->lanes[0], list);
		do {
			memcpy(rest, list, sizeof rest);
			step = k < 4 ? budget_ns((int64_t)below(300000)) : *BUDGET_UNLIMITED;
		} while (!cover_make_all(c, rest, LIST_COLS, &step));
		check_same_columns(c, one, list);
	}
	cover_free(c);
	cover_free(one);
	profile_free(p);
}
END_TEST

#define FLAT_SAMPLES 600000
#define FLAT_NODES 300000

/* A lane without blocks, whose calls are all in one row: its columns take many steps. */
static void make_flat_lane(struct lane *l)
{
	int64_t *t = xcalloc(FLAT_SAMPLES + 1, sizeof *t);

	*l = (struct lane){ .kind = LANE_SAMPLES, .t1 = FLAT_SAMPLES, .sampled_t1 = FLAT_SAMPLES };
	l->tree.n = FLAT_NODES;
	l->tree.max_rows = 1;
	l->tree.parent = xcalloc(FLAT_NODES, sizeof *l->tree.parent);
	l->tree.frame = xcalloc(FLAT_NODES, sizeof *l->tree.frame);
	l->tree.rows = xcalloc(FLAT_NODES, sizeof *l->tree.rows);
	for (node_id i = 1; i < FLAT_NODES; i++)
		l->tree.rows[i] = 1;
	l->samples.n = FLAT_SAMPLES;
	l->samples.leaf = xcalloc(FLAT_SAMPLES, sizeof *l->samples.leaf);
	for (size_t i = 0; i < FLAT_SAMPLES; i++)
		l->samples.leaf[i] = 1 + (node_id)below(FLAT_NODES - 1);
	for (int64_t i = 0; i <= FLAT_SAMPLES; i++)
		t[i] = i;
	times_pack_copy(&l->samples.times, t, FLAT_SAMPLES + 1, 0);
	free(t);
}

static void flat_lane_done(struct lane *l)
{
	calltree_done(&l->tree);
	samples_done(&l->samples);
}

static void make_shortly(struct cover *c, struct cover_range a, struct cover_range b, size_t n)
{
	struct cover_range list[] = { a, b };
	struct budget none = budget_ns(0);

	cover_make_all(c, list, n, &none);
}

/* A column that both threads have begun, as pictures were interrupted, is made once: else the cells
 * of one of them are lost, which the sanitizer of leaks says. */
START_TEST(a_column_that_both_have_begun_is_made_once)
{
	const struct cover_range first = { 0, FLAT_SAMPLES / 2 },
				 second = { FLAT_SAMPLES / 2, FLAT_SAMPLES },
				 whole = { 0, FLAT_SAMPLES };
	struct cover_range list[] = { second, whole };
	struct cover *c;
	struct lane lane;

	set_seed(5100);
	ck_assert_uint_gt(2 * FLAT_NODES, COVER_MUCH_WORK);
	make_flat_lane(&lane);
	c = cover_new(&lane);
	/* Each thread begins one of two. The first is completed alone; so the second is the only
	 * one that is missing, and is begun alone, too. */
	make_shortly(c, first, second, 2);
	while (!cover_has(c, first.t0, first.t1))
		make_shortly(c, first, second, 1);
	make_shortly(c, first, second, 2);
	ck_assert(!cover_has(c, second.t0, second.t1));
	ck_assert(cover_make_all(c, list, 2, BUDGET_UNLIMITED));
	for (int k = 0; k < 2; k++) {
		const struct cover_cell *cells;
		int n;

		cells = cover_known(c, k ? 0 : second.t0, FLAT_SAMPLES, 0, INT_MAX, &n);
		ck_assert_ptr_nonnull(cells);
		ck_assert_int_eq(n, 1);
		ck_assert_int_eq(cells[0].all_ns, k ? FLAT_SAMPLES : FLAT_SAMPLES / 2);
	}
	cover_free(c);
	flat_lane_done(&lane);
}
END_TEST

static void check_order(const struct totals *totals, enum rows_sort sort)
{
	const struct calltree *tree = totals->view->tree;
	uint8_t *has_caller = xcalloc(totals->n_frames, 1);
	struct rows rows;

	for (node_id i = 1; i < tree->n; i++)
		has_caller[tree->frame[i]] |= tree->parent[i] != NODE_ROOT &&
			(totals->self[i] || (totals->total[i] && tree->is_outer[i]));
	rows_init(&rows, totals, ROWS_BOTTOMUP, sort, FRAME_NONE);
	ck_assert_uint_eq(rows.n, totals->n_used);
	for (size_t i = 0; i < rows.n; i++) {
		const struct row *a = &rows.rows[i], *b = a + 1;
		bool is_self = sort == ROWS_BY_SELF;

		ck_assert(a->self == totals->frame_self[a->frame] &&
			  a->total == totals->frame_total[a->frame]);
		ck_assert(a->can_open == has_caller[a->frame]);
		if (i + 1 == rows.n)
			break;
		if (a->self == b->self && a->total == b->total)
			ck_assert_msg(a->frame < b->frame, "seed %d row %zu: functions %u and %u",
				      seed, i, a->frame, b->frame);
		else if (is_self ? a->self != b->self : a->total == b->total)
			ck_assert_msg(a->self > b->self,
				      "seed %d row %zu: self %" PRId64 " before %" PRId64, seed, i,
				      a->self, b->self);
		else
			ck_assert_msg(a->total > b->total,
				      "seed %d row %zu: total %" PRId64 " before %" PRId64, seed, i,
				      a->total, b->total);
	}
	rows_done(&rows);
	free(has_caller);
}

/* Functions enough for the radix sort; short times, for many that weigh the same, and times that
 * need more than 32 bits. */
START_TEST(rows_in_order)
{
	static const int64_t most_delta[] = { 3, 100000, INT64_C(1) << 38 };
	struct outline outline = { .n_nodes = 6000,
				   .n_frames = 3000,
				   .n_samples = 20000,
				   .most_delta = most_delta[_i],
				   .chain = 2,
				   .stay = 1 };
	struct profile *p;
	struct totals totals;
	struct view view;

	set_seed(5000 + _i);
	p = make(&outline);
	view_init(&view, p, &(const struct lane *){ &p->lanes[0] }, 1);
	totals_init(&totals, &view);
	for (int i = 1; i <= 3; i++) {
		totals_compute(&totals, p->t1 / (3 * i), p->t1 / i);
		ck_assert_uint_gt(totals.n_used, i == 1 ? 1000 : 0);
		check_order(&totals, ROWS_BY_SELF);
		check_order(&totals, ROWS_BY_TOTAL);
	}
	totals_done(&totals);
	view_done(&view);
	profile_free(p);
}
END_TEST

START_TEST(bitset_in_order)
{
	const uint32_t sizes[] = { 1, 63, 64, 65, 512, 513, 5000 }, n = sizes[_i];
	uint8_t *is_in = xcalloc(n, 1);
	uint32_t *list = xmalloc((n + 1) * sizeof *list);
	struct bitset set;

	set_seed(6000 + _i);
	bitset_init(&set, n);
	for (uint32_t adds = 0; adds <= 4 * n; adds = adds * 3 + 1) {
		size_t count, k = 0;

		memset(is_in, 0, n);
		for (uint32_t i = 0; i < adds; i++) {
			uint32_t x = (uint32_t)below(n);

			is_in[x] = 1;
			bitset_add(&set, x);
		}
		/* All of them, in the last round. */
		for (uint32_t i = 0; adds * 3 + 1 > 4 * n && i < n; i++) {
			is_in[i] = 1;
			bitset_add(&set, i);
		}
		count = bitset_drain(&set, list);
		for (uint32_t i = 0; i < n; i++)
			if (is_in[i])
				ck_assert_msg(k < count && list[k++] == i,
					      "seed %d: %u is not there", seed, i);
		ck_assert_uint_eq(k, count);
	}
	bitset_done(&set);
	free(list);
	free(is_in);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "random", 300);

	tcase_add_loop_test(t, small_profiles, 0, SMALL_SEEDS);
	tcase_add_loop_test(t, profiles_with_blocks, 0, LARGE_SEEDS);
	tcase_add_test(t, profile_without_blocks);
	tcase_add_test(t, blocks_save_visits);
	tcase_add_test(t, columns_are_thrown_out);
	tcase_add_loop_test(t, two_threads_make_the_same_columns, 0, 6);
	tcase_add_test(t, a_column_that_both_have_begun_is_made_once);
	tcase_add_loop_test(t, rows_in_order, 0, 3);
	tcase_add_loop_test(t, bitset_in_order, 0, 7);
}

int main(void)
{
	return suite_run("blocks_cover", add_tests);
}
