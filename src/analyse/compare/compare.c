/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One view has the functions of all runs; the totals are computed for one run after the other, and
 * their sums by frame (or by node) become a table of values with a column for each run. */
#include "config.h"

#include "analyse/compare/compare.h"

#include "analyse/compare/compare_run.h"
#include "analyse/compare/match.h"
#include "analyse/compare/ranksum.h"
#include "analyse/scope.h"
#include "analyse/totals.h"
#include "base/alloc.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most runs of which all halves are compared: compare_stats_splits(). */
#define COMPARE_SPLITS_MAX 18

/* ==== compare stats ====
 *
 * The order of rows is complete, so that it depends on nothing but the input. */

/* Move n values so that the one at a place is as if they were sorted, with none that is larger
 * before it. */
static void put_in_place(double *values, uint32_t n, int64_t place)
{
	int64_t from = 0, to = (int64_t)n - 1;

	while (from < to) {
		double pivot = values[from + (to - from) / 2];
		int64_t i = from, j = to;

		while (i <= j) {
			while (values[i] < pivot)
				i++;
			while (values[j] > pivot)
				j--;
			if (i <= j) {
				double value = values[i];

				values[i++] = values[j];
				values[j--] = value;
			}
		}
		if (place > j)
			from = i;
		if (place < i)
			to = j;
	}
}

double compare_stats_median(const double *values, uint32_t n)
{
	ALLOC_LOCAL double *moved = NULL;
	double below;

	if (n == 0)
		return 0;
	moved = xmalloc(n * sizeof *moved);
	memcpy(moved, values, n * sizeof *moved);
	put_in_place(moved, n, n / 2);
	if (n % 2)
		return moved[n / 2];
	below = moved[0];
	for (uint32_t i = 1; i < n / 2; i++)
		below = moved[i] > below ? moved[i] : below;
	return (below + moved[n / 2]) / 2;
}

/* Half of the range of n values. */
static double compare_stats_spread(const double *values, uint32_t n)
{
	double least = n ? values[0] : 0, most = least;

	for (uint32_t i = 1; i < n; i++) {
		least = fmin(least, values[i]);
		most = fmax(most, values[i]);
	}
	return (most - least) / 2;
}

/* ---- room ---- */

/* 1: the share grew; -1: it shrank; 0: it is not shown to differ. */
static int direction(const struct compare_row *row)
{
	const struct compare_value *v = &row->value[COMPARE_SELF];

	return !v->differs ? 0 : v->after > v->before ? 1 : -1;
}

/* Whether a row is shown to differ as a part of what is left. */
static bool differs_in_rest(const struct compare *c, const struct compare_row *row,
			    const double *rest)
{
	const double *values = compare_values(c, row, COMPARE_SELF);
	double p;
	ALLOC_LOCAL double *part = xcalloc(c->plan.n_runs, sizeof *part);

	for (uint32_t r = 0; r < c->plan.n_runs; r++)
		part[r] = rest[r] > 0 ? values[r] / rest[r] : 0;
	p = ranksum_p(part, c->n_before, part + c->n_before, c->n_after);
	return p < COMPARE_LEVEL;
}

/* Find the rows that only make or take room (struct compare_value), once it is known what differs.
 */
static void compare_stats_find_room(struct compare *c)
{
	size_t n_grew = 0, n_shrank = 0;
	ALLOC_LOCAL double *rest = NULL;
	int which;

	if (c->plan.per != COMPARE_PER_TOTAL)
		return;
	for (size_t i = 0; i < c->n_rows; i++) {
		n_grew += direction(&c->rows[i]) > 0;
		n_shrank += direction(&c->rows[i]) < 0;
	}
	if (!n_grew || !n_shrank)
		return;
	which = n_grew <= n_shrank ? 1 : -1;
	rest = xcalloc(c->plan.n_runs, sizeof *rest);
	/* By run, what is left of 100 % without the rows that changed in a direction. */
	for (uint32_t r = 0; r < c->plan.n_runs; r++)
		rest[r] = 100;
	for (size_t i = 0; i < c->n_rows; i++) {
		const double *values = compare_values(c, &c->rows[i], COMPARE_SELF);

		for (uint32_t r = 0; direction(&c->rows[i]) == which && r < c->plan.n_runs; r++)
			rest[r] -= values[r];
	}
	for (size_t i = 0; i < c->n_rows; i++) {
		struct compare_row *row = &c->rows[i];

		if (direction(row) != -which || row->is_new || row->is_gone ||
		    differs_in_rest(c, row, rest))
			continue;
		row->value[COMPARE_SELF].differs = false;
		row->value[COMPARE_SELF].is_room = true;
		c->n_room++;
	}
	c->room_for = c->n_room ? which : 0;
}

/* ---- the order ---- */

static int rank(const struct compare_value *v)
{
	return v->differs ? v->after <= v->before : v->is_tested ? 2 : 3;
}

static double weight(const struct compare *c, const struct compare_value *v)
{
	return c->n_after == 0 ? v->spread_before : fabs(v->after - v->before);
}

/* Rows that grew, then others that differ, then those that were tested, then the rest; each by
 * their change, the largest first. With one side only, by spread. */
static bool row_before(const void *x, const void *y, const void *ctx)
{
	const struct compare_row *a = x, *b = y;
	const struct compare *c = ctx;
	const struct compare_value *u = &a->value[c->plan.sort], *v = &b->value[c->plan.sort];
	const struct frame *f = &c->view.frames[a->frame], *g = &c->view.frames[b->frame];
	int by_name;

	if (rank(u) != rank(v))
		return rank(u) < rank(v);
	if (weight(c, u) > weight(c, v) || weight(c, u) < weight(c, v))
		return weight(c, u) > weight(c, v);
	if (u->before > v->before || u->before < v->before)
		return u->before > v->before;
	by_name = strcmp(profile_text(c->profile, f->name), profile_text(c->profile, g->name));
	if (by_name == 0)
		by_name = strcmp(profile_text(c->profile, f->url),
				 profile_text(c->profile, g->url));
	if (by_name)
		return by_name < 0;
	return SORT_BY_3(f->line, g->line, a->node, b->node, a->frame, b->frame) < 0;
}

/* ---- what can be shown ---- */

size_t compare_stats_needed(const struct compare *c, enum compare_measure m)
{
	double least = ranksum_least_p(c->n_before, c->n_after);
	size_t n = c->n_tested[m], needed = 1;

	/* The least p of k of n becomes p n / k. */
	while (needed <= n && least * (double)n / (double)needed >= COMPARE_LEVEL)
		needed++;
	return needed <= n ? needed : 0;
}

/* Whether any tested row differs between the runs with a bit and those without. */
static bool any_differs(const struct compare *c, enum compare_measure m, uint32_t bits, double *p)
{
	uint32_t n_runs = c->plan.n_runs;
	size_t n = 0;

	for (size_t i = 0; i < c->n_rows; i++) {
		const double *values = compare_values(c, &c->rows[i], m);
		double side[2][COMPARE_SPLITS_MAX];
		size_t n_side[2] = { 0, 0 };

		if (!c->rows[i].value[m].is_tested)
			continue;
		for (uint32_t r = 0; r < n_runs; r++) {
			unsigned s = bits >> r & 1;

			side[s][n_side[s]++] = values[r];
		}
		p[n++] = fmax(ranksum_least_p(n_side[0], n_side[1]),
			      ranksum_p(side[0], n_side[0], side[1], n_side[1]));
	}
	ranksum_bh(p, n);
	for (size_t i = 0; i < n; i++)
		if (p[i] < COMPARE_LEVEL)
			return true;
	return false;
}

uint64_t compare_stats_splits(const struct compare *c, enum compare_measure m, uint64_t *n_differ)
{
	uint32_t n = c->plan.n_runs;
	ALLOC_LOCAL double *p = xcalloc(c->n_rows, sizeof *p);
	uint64_t n_splits = 0;

	*n_differ = 0;
	for (uint32_t bits = 0; n >= 4 && n <= COMPARE_SPLITS_MAX && bits < 1u << n; bits++) {
		/* Of two halves of the same size, the one with the first run. */
		if ((uint32_t)__builtin_popcount(bits) != n / 2 || (n % 2 == 0 && !(bits & 1)))
			continue;
		n_splits++;
		*n_differ += any_differs(c, m, bits, p);
	}
	return n_splits;
}

/* ==== compare ==== */

/* ---- words ---- */

const char *compare_per_word(unsigned i)
{
	static const char *const word[] = { "total", "time", "none", "count" };

	return i < ARRAY_LEN(word) ? word[i] : NULL;
}

const char *compare_unit(const struct compare *c)
{
	static const char *const units[][4] = {
		[AMOUNT_TIME] = { "%", "ms/s", "ms", "ms/call" },
		[AMOUNT_BYTES] = { "%", "MB/s", "MB", "MB/call" },
		[AMOUNT_COUNT] = { "%", "/s", "count", "count/call" },
	};

	return units[c->profile->unit.kind][c->plan.per];
}

/* ---- the view ---- */

/* The scope of the plan, with all lanes of all runs. */
static void find_scope(struct compare *c)
{
	const struct scope *from = c->plan.scope;
	uint32_t n = c->profile->frames.n;

	c->scope = *from;
	c->scope.match = c->match;
	c->scope.files = c->files;
	c->scope.is_lane = xcalloc(c->profile->n_lanes, 1);
	for (uint32_t r = 0; r < c->plan.n_runs; r++)
		for (uint32_t i = 0; i < c->profile->n_lanes; i++)
			c->scope.is_lane[i] |= c->plan.runs[r].is_lane[i];
	c->scope.transforms = xcalloc(from->n_transforms, sizeof *c->scope.transforms);
	for (size_t i = 0; i < from->n_transforms; i++) {
		struct transform *t = &c->scope.transforms[i];

		*t = from->transforms[i];
		if (t->by == BY_SET) {
			t->set = match_set_copy(&t->set, n, c->profile);
			/* A pattern that matches a frame of a class matches the class. */
			for (frame_id f = 0; f < c->profile->frames.n; f++)
				t->set.frames[c->match[f]] |= t->set.frames[f];
			for (frame_id f = 0; f < c->profile->frames.n; f++)
				t->set.frames[f] = t->set.frames[c->match[f]];
		}
	}
}

static bool make_view(const struct profile *profile, const struct scope *scope, struct view *view,
		      struct totals *totals, struct error *err)
{
	struct view_work *work = scope_view_begin(scope, profile, view);

	if (!work)
		return view_too_large(err);
	view_work(work, BUDGET_UNLIMITED);
	view_end(work);
	totals_init(totals, view);
	return true;
}

/* ---- runs ---- */

/* What a stored value is of compare_unit(): ns to ms, bytes to MB. */
static double scale_of_unit(const struct compare *c)
{
	return c->profile->unit.kind == AMOUNT_COUNT ? 1 / (double)c->profile->unit.ns : 1e-6;
}

double compare_scale(const struct compare *c, uint32_t run)
{
	const struct compare_figures *f = &c->figures[run];

	switch (c->plan.per) {
	case COMPARE_PER_TOTAL:
		return f->whole_ns > 0 ? 100 / (double)f->whole_ns : 0;
	case COMPARE_PER_TIME:
		return f->length_ns > 0 ? 1e3 / (double)f->length_ns : 0;
	case COMPARE_PER_COUNT:
		return f->n_calls > 0 ? scale_of_unit(c) / (double)f->n_calls : 0;
	case COMPARE_PER_NONE:
		break;
	}
	return scale_of_unit(c);
}

/* Count the calls of each run. They are of functions, also where the rows are files or packages;
 * and all of the run: of a scope, the time per request is wanted, not per request in scope. */
static bool count_calls(struct compare *c, struct error *err)
{
	struct scope scope = c->scope;
	struct view view;
	struct totals totals;
	ALLOC_LOCAL uint8_t *is_counted = NULL;
	bool ok;

	scope.group = GROUP_FUNCTION;
	scope.n_transforms = 0;
	if (!make_view(c->profile, &scope, &view, &totals, err))
		return false;
	is_counted = frame_set_find(c->profile, view.frames, view.n_frames, c->plan.count, err);
	ok = is_counted != NULL;
	for (uint32_t run = 0; ok && run < c->plan.n_runs; run++) {
		const struct compare_run *r = &c->plan.runs[run];
		struct totals_counts counts;

		totals.is_lane = r->is_lane;
		totals_compute(&totals, r->t0, r->t1);
		totals_counts(&totals, &counts);
		for (frame_id i = 0; i < view.n_frames; i++)
			if (is_counted[i])
				c->figures[run].n_calls += counts.spans[i];
		totals_counts_done(&counts);
	}
	totals_done(&totals);
	view_done(&view);
	return ok;
}

/* What the totals and counts of a run say of it. */
static bool find_figures(struct compare *c, uint32_t run, struct error *err)
{
	const struct compare_run *r = &c->plan.runs[run];
	struct compare_figures *f = &c->figures[run];
	const struct totals *t = &c->totals;
	struct totals_counts counts;

	f->busy_ns = t->sampled_ns - t->idle_ns;
	f->whole_ns = t->self_ns - (c->scope.has_idle ? 0 : t->idle_ns);
	f->length_ns = r->t1 - r->t0;
	totals_leaves(t, &counts);
	for (frame_id i = 0; i < t->n_frames; i++)
		if (i != FRAME_NONE && c->view.frames[i].category != CATEGORY_IDLE)
			f->n_samples += counts.self_samples[i];
	totals_counts_done(&counts);
	if (f->whole_ns <= 0)
		return error_set(err, ERR_FORMAT, -1, "%.300s: no samples in scope", r->name);
	if (c->plan.per == COMPARE_PER_COUNT && f->n_calls == 0)
		return error_set(err, ERR_FORMAT, -1, "%.300s: no call of /%.100s/", r->name,
				 c->plan.count);
	return true;
}

/* The values of all functions, or of all calls: by place, measure and run. */
static size_t n_places(const struct compare *c)
{
	if (c->plan.match == MATCH_STACK)
		return c->view.tree ? c->view.tree->n : 0;
	return c->view.n_frames;
}

static double *value_at(const struct compare *c, size_t place, enum compare_measure measure)
{
	return c->values + (place * COMPARE_MEASURES + measure) * c->plan.n_runs;
}

static bool find_values(struct compare *c, struct error *err)
{
	bool ok = c->plan.per != COMPARE_PER_COUNT || count_calls(c, err);

	c->values = xcalloc(n_places(c) * COMPARE_MEASURES * c->plan.n_runs, sizeof *c->values);
	for (uint32_t run = 0; ok && run < c->plan.n_runs; run++) {
		compare_totals(c, run);
		ok = find_figures(c, run, err);
		if (ok) {
			bool is_stack = c->plan.match == MATCH_STACK;
			const int64_t *self = is_stack ? c->totals.self : c->totals.frame_self,
				      *total = is_stack ? c->totals.total : c->totals.frame_total;
			double scale = compare_scale(c, run);

			for (size_t i = 0; i < n_places(c); i++) {
				value_at(c, i, COMPARE_SELF)[run] = (double)self[i] * scale;
				value_at(c, i, COMPARE_TOTAL)[run] = (double)total[i] * scale;
			}
		}
	}
	return ok;
}

/* ---- odd runs ---- */

static bool is_off(double value, double median)
{
	return value > 2 * median || 2 * value < median;
}

/* A side with few runs has no median that one of them could be off from; then all runs have. */
static void find_odd(struct compare *c)
{
	uint32_t n = c->plan.n_runs;
	ALLOC_LOCAL double *busy = xcalloc(n, sizeof *busy), *samples = xcalloc(n, sizeof *samples);

	for (uint32_t i = 0; i < n; i++) {
		busy[i] = (double)c->figures[i].busy_ns;
		samples[i] = (double)c->figures[i].n_samples;
	}
	for (uint32_t i = 0; i < n; i++) {
		bool is_after = c->plan.runs[i].is_after;
		uint32_t from = is_after ? c->n_before : 0,
			 n_side = is_after ? c->n_after : c->n_before;

		if (n_side < 3) {
			from = 0;
			n_side = n;
		}
		c->figures[i].is_odd = is_off(busy[i], compare_stats_median(busy + from, n_side)) ||
			is_off(samples[i], compare_stats_median(samples + from, n_side));
	}
}

/* ---- rows ---- */

static bool is_zero(const double *values, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (values[i] > 0)
			return false;
	return true;
}

static void add_row(struct compare *c, frame_id frame, node_id node)
{
	const double *total = value_at(c, node ? node : frame, COMPARE_TOTAL);
	struct compare_row *row = &c->rows[c->n_rows];
	bool is_before = !is_zero(total, c->n_before),
	     is_after = !is_zero(total + c->n_before, c->n_after);

	if (!is_before && !is_after)
		return;
	*row = (struct compare_row){ .frame = frame,
				     .node = node,
				     .is_new = c->n_after && !is_before,
				     .is_gone = c->n_after && !is_after };
	for (int m = 0; m < COMPARE_MEASURES; m++) {
		const double *before = value_at(c, node ? node : frame, (enum compare_measure)m),
			     *after = before + c->n_before;
		struct compare_value *v = &row->value[m];

		v->before = compare_stats_median(before, c->n_before);
		v->after = compare_stats_median(after, c->n_after);
		v->spread_before = compare_stats_spread(before, c->n_before);
		v->spread_after = compare_stats_spread(after, c->n_after);
	}
	c->n_rows++;
}

static bool find_rows(struct compare *c, struct error *err)
{
	const char *filter = c->scope.filter;
	ALLOC_LOCAL uint8_t *is_row = filter
		? frame_set_find(c->profile, c->view.frames, c->view.n_frames, filter, err)
		: NULL;
	bool is_stack = c->plan.match == MATCH_STACK;

	if (filter && !is_row)
		return false;
	c->rows = xcalloc(n_places(c), sizeof *c->rows);
	for (size_t i = 1; i < n_places(c); i++) {
		frame_id f = is_stack ? c->view.tree->frame[i] : (frame_id)i;

		if (f == FRAME_NONE || (is_row && !is_row[f]) ||
		    (!c->scope.has_idle && c->view.frames[f].category == CATEGORY_IDLE))
			continue;
		add_row(c, f, is_stack ? (node_id)i : NODE_ROOT);
	}
	return true;
}

/* ---- tests ---- */

/* The share of a row, on average over all runs. */
static double mean_share(const struct compare *c, const struct compare_row *row,
			 enum compare_measure measure)
{
	const double *values = compare_values(c, row, measure);
	double sum = 0;

	for (uint32_t i = 0; i < c->plan.n_runs; i++)
		sum += values[i] / (compare_scale(c, i) * (double)c->figures[i].whole_ns);
	return sum / c->plan.n_runs;
}

/* Correct the p values of the tested rows, and see what differs. */
static void judge(struct compare *c, enum compare_measure m)
{
	ALLOC_LOCAL double *p = xcalloc(c->n_rows, sizeof *p);
	size_t n = 0;

	for (size_t i = 0; i < c->n_rows; i++)
		if (c->rows[i].value[m].is_tested)
			p[n++] = c->rows[i].value[m].p;
	c->n_tested[m] = n;
	ranksum_bh(p, n);
	n = 0;
	for (size_t i = 0; i < c->n_rows; i++) {
		struct compare_value *v = &c->rows[i].value[m];

		if (v->is_tested)
			v->corrected = p[n++];
		v->differs = v->is_tested && v->corrected < COMPARE_LEVEL;
	}
}

/* With ties, a p value can be below the least one that the numbers of runs allow without; it is not
 * better evidence than that. */
static void test_rows(struct compare *c)
{
	double least = ranksum_least_p(c->n_before, c->n_after);

	for (int k = 0; k < COMPARE_MEASURES; k++) {
		enum compare_measure m = (enum compare_measure)k;

		for (size_t i = 0; i < c->n_rows; i++) {
			struct compare_value *v = &c->rows[i].value[m];
			const double *values = compare_values(c, &c->rows[i], m);

			v->p = v->corrected = 1;
			v->is_tested = mean_share(c, &c->rows[i], m) >= c->plan.floor;
			if (v->is_tested)
				v->p = fmax(least,
					    ranksum_p(values, c->n_before, values + c->n_before,
						      c->n_after));
		}
		judge(c, m);
	}
}

/* ---- the whole ---- */

bool compare_init(struct compare *c, const struct profile *profile, const struct compare_plan *plan,
		  struct error *err)
{
	*c = (struct compare){ .profile = profile, .plan = *plan };
	c->match = xmalloc((size_t)profile->frames.n * sizeof *c->match);
	c->figures = xcalloc(plan->n_runs, sizeof *c->figures);
	for (uint32_t i = 0; i < plan->n_runs; i++)
		*(plan->runs[i].is_after ? &c->n_after : &c->n_before) += 1;
	c->files = xmalloc(profile->strings.n * sizeof *c->files);
	match_frames(profile, plan->runs, plan->n_runs, plan->match, c->match, c->files);
	find_scope(c);
	if (!make_view(profile, &c->scope, &c->view, &c->totals, err) || !find_values(c, err) ||
	    !find_rows(c, err))
		return false;
	find_odd(c);
	test_rows(c);
	compare_stats_find_room(c);
	sort_stable(c->rows, c->n_rows, sizeof *c->rows, row_before, c);
	return true;
}

void compare_done(struct compare *c)
{
	for (size_t i = 0; i < c->scope.n_transforms; i++)
		if (c->scope.transforms[i].by == BY_SET)
			match_set_done(&c->scope.transforms[i].set);
	free(c->scope.transforms);
	free(c->scope.is_lane);
	totals_done(&c->totals);
	view_done(&c->view);
	free(c->match);
	free(c->files);
	free(c->figures);
	free(c->rows);
	free(c->values);
	*c = (struct compare){ 0 };
}
