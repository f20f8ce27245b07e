/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a new range costs the panes, compared with a loop that has no index; each run has another
 * half of the recording. */
#include "config.h"

#include "subjects.h"

#include "analyse/functions.h"
#include "analyse/rows/rows.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define SCREEN 40 /* rows of a table on the screen */

struct ranging {
	const struct lane *lane;
	struct view view;
	struct totals totals;
	struct rows rows;
	struct functions functions;
	struct naive naive;
	int64_t t0, t1;
	uint64_t seen; /* number of rows; computing it builds them */
};

static void choose(struct ranging *r, int run)
{
	int64_t len = r->lane->t1 - r->lane->t0;

	r->t0 = r->lane->t0 + len / 100 * (10 + run % 40) + run;
	r->t1 = r->t0 + len / 2;
}

static void before_range(void *ctx, int run)
{
	struct ranging *r = ctx;

	rows_done(&r->rows);
	choose(r, run);
}

static void range(void *ctx, int run)
{
	struct ranging *r = ctx;

	(void)run;
	totals_compute(&r->totals, r->t0, r->t1);
	rows_init(&r->rows, &r->totals, ROWS_BOTTOMUP, ROWS_BY_SELF, FRAME_NONE);
	for (size_t i = 0; i < r->rows.n && i < SCREEN; i++)
		r->seen += r->rows.rows[i].frame;
}

/* ---- the plain loop ---- */

void naive_init(struct naive *naive, const struct view *view)
{
	size_t n = view->tree->n;

	naive->self = xcalloc(n, sizeof *naive->self);
	naive->total = xcalloc(n, sizeof *naive->total);
	naive->frame_self = xcalloc(view->n_frames, sizeof *naive->frame_self);
	naive->frame_total = xcalloc(view->n_frames, sizeof *naive->frame_total);
}

void naive_done(struct naive *naive)
{
	free(naive->self);
	free(naive->total);
	free(naive->frame_self);
	free(naive->frame_total);
}

static void add_sample(struct naive *naive, const struct calltree *tree, node_id leaf, int64_t ns)
{
	naive->self[leaf] += ns;
	for (node_id node = leaf; node != NODE_ROOT; node = tree->parent[node])
		naive->total[node] += ns;
	naive->total[NODE_ROOT] += ns;
}

void naive_compute(struct naive *naive, const struct view *view, int64_t t0, int64_t t1)
{
	const struct calltree *tree = view->tree;

	memset(naive->self, 0, tree->n * sizeof *naive->self);
	memset(naive->total, 0, tree->n * sizeof *naive->total);
	memset(naive->frame_self, 0, view->n_frames * sizeof *naive->frame_self);
	memset(naive->frame_total, 0, view->n_frames * sizeof *naive->frame_total);
	for (uint32_t source = 0; source < view->n_sources; source++) {
		const struct samples *s = &view->sources[source].lane->samples;

		for (size_t i = 0; i < s->n && samples_time(s, i) < t1; i++) {
			int64_t from = samples_time(s, i) > t0 ? samples_time(s, i) : t0,
				end = samples_time(s, i + 1) < t1 ? samples_time(s, i + 1) : t1;
			node_id leaf = view_node(view, source, s->leaf[i]);

			if (end > from && leaf != VIEW_DROPPED)
				add_sample(naive, tree, leaf, end - from);
		}
	}
	for (node_id node = 1; node < tree->n; node++) {
		naive->frame_self[tree->frame[node]] += naive->self[node];
		naive->frame_total[tree->frame[node]] += tree->is_outer[node] ? naive->total[node]
									      : 0;
	}
}

static void before_naive(void *ctx, int run)
{
	choose(ctx, run);
}

static void range_naive(void *ctx, int run)
{
	struct ranging *r = ctx;

	(void)run;
	naive_compute(&r->naive, &r->view, r->t0, r->t1);
}

static bool is_equal(const struct ranging *r)
{
	const struct totals *t = &r->totals;
	size_t n = r->view.tree->n * sizeof *t->self,
	       n_frames = r->view.n_frames * sizeof *t->frame_self;

	return memcmp(t->self, r->naive.self, n) == 0 && memcmp(t->total, r->naive.total, n) == 0 &&
		memcmp(t->frame_self, r->naive.frame_self, n_frames) == 0 &&
		memcmp(t->frame_total, r->naive.frame_total, n_frames) == 0;
}

/* ---- span by span ---- */

static void before_functions(void *ctx, int run)
{
	struct ranging *r = ctx;

	functions_done(&r->functions);
	choose(r, run);
}

static void functions(void *ctx, int run)
{
	struct ranging *r = ctx;

	(void)run;
	functions_init(&r->functions, &r->view, r->t0, r->t1);
}

static bool has_equal_functions(struct ranging *r)
{
	totals_compute(&r->totals, r->t0, r->t1);
	for (uint32_t i = 1; i < r->functions.n; i++)
		if (r->functions.list[i].self != r->totals.frame_self[i] ||
		    r->functions.list[i].total != r->totals.frame_total[i])
			return false;
	return true;
}

void measure_range(const struct subject *subject)
{
	static const struct measure fast = { FIGURE_RANGE, before_range, range };
	static const struct measure slow = { FIGURE_RANGE_NAIVE, before_naive, range_naive };
	static const struct measure spans = { FIGURE_FUNCTIONS, before_functions, functions };
	struct ranging r = { .lane = subject->lane };

	view_init(&r.view, subject->profile, &subject->lane, 1);
	totals_init(&r.totals, &r.view);
	naive_init(&r.naive, &r.view);
	sheet_measure(subject->sheet, &fast, &r);
	sheet_measure(subject->sheet, &slow, &r);
	totals_compute(&r.totals, r.t0, r.t1);
	sheet_check(subject->sheet, is_equal(&r), "totals of a range");
	sheet_measure(subject->sheet, &spans, &r);
	sheet_check(subject->sheet, has_equal_functions(&r), "functions of a range");
	functions_done(&r.functions);
	rows_done(&r.rows);
	naive_done(&r.naive);
	totals_done(&r.totals);
	view_done(&r.view);
}
