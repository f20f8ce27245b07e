/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random slices that nest, overlap and overshoot, against the rule (formats(5), SLICES, 4.4)
 * written down as it stands, by brute force: the row of each slice, its length, self and total
 * time by name, and the time of the thread, whole and in ranges, plain and with slices dropped. */
#include "config.h"

#include "random_slices.h"
#include "view_of.h"

#include "analyse/functions.h"
#include "analyse/scope.h"
#include "analyse/totals.h"
#include "analyse/view/scoped.h"
#include "draw/overview.h"

#define CASES 3000
#define CASES_OF_COLUMNS 300
#define COLS 16
#define NAMES MOST

/* ---- the rule ---- */

static bool is_inside(const struct slice *s, int64_t t)
{
	return s->t0 <= t && t < s->t1;
}

/* Whether time t is self time of slice i: it is open, and none of its children is. */
static bool is_self(const struct thread *t, int i, int64_t at)
{
	if (!is_inside(&t->list[i], at))
		return false;
	for (int k = 0; k < t->n; k++)
		if (t->list[k].parent == i && is_inside(&t->list[k], at))
			return false;
	return true;
}

/* Whether slice i is of the name, or called by one. */
static bool is_dropped(const struct thread *t, int i, int dropped)
{
	bool is = false;

	for (int k = i; k >= 0; k = t->list[k].caller)
		is |= t->list[k].name == dropped;
	return is;
}

/* Whether slice i counts at a time, at which nothing that it calls is dropped. */
static bool is_left(const struct thread *t, int i, int64_t at, int dropped)
{
	for (int k = 0; k < t->n; k++) {
		int caller = k;

		if (!is_inside(&t->list[k], at) || at >= t->list[k].cut ||
		    !is_dropped(t, k, dropped))
			continue;
		while (caller >= 0 && caller != i)
			caller = t->list[caller].caller;
		if (caller == i)
			return false;
	}
	return !is_dropped(t, i, dropped);
}

/* Whether slice i is not inside another one of its name that counts. */
static bool is_outer(const struct thread *t, int i, int64_t at, int dropped)
{
	for (int k = t->list[i].parent; k >= 0; k = t->list[k].parent)
		if (t->list[k].name == t->list[i].name && is_left(t, k, at, dropped))
			return false;
	return true;
}

struct sums {
	int64_t busy, self[NAMES], total[NAMES], longest[NAMES];
	uint64_t spans[NAMES];
};

/* In [t0, t1); without the slices of name `dropped` and those that these call. */
static void sum(const struct thread *t, int64_t t0, int64_t t1, int dropped, struct sums *to)
{
	*to = (struct sums){ 0 };
	for (int64_t at = t0; at < t1; at += STEP_NS) {
		bool is_busy = false;

		for (int i = 0; i < t->n; i++) {
			if (!is_inside(&t->list[i], at) || is_dropped(t, i, dropped))
				continue;
			if (is_self(t, i, at)) {
				is_busy = true;
				to->self[t->list[i].name] += STEP_NS;
			}
			if (is_left(t, i, at, dropped) && is_outer(t, i, at, dropped))
				to->total[t->list[i].name] += STEP_NS;
		}
		to->busy += is_busy ? STEP_NS : 0;
	}
	for (int i = 0; i < t->n; i++) {
		const struct slice *s = &t->list[i];
		int64_t from = s->t0 > t0 ? s->t0 : t0, end = s->t1 < t1 ? s->t1 : t1;

		if (s->t1 <= t0 || s->t0 >= t1)
			continue;
		to->spans[s->name]++;
		if (end - from > to->longest[s->name])
			to->longest[s->name] = end - from;
	}
}

/* ---- the program ---- */

/* Find the slice among the spans of the lanes, and take it. */
static bool take(struct thread *t, int name, int row, int64_t t0, int64_t ns)
{
	for (int i = 0; i < t->n; i++) {
		struct slice *s = &t->list[i];

		if (!s->is_placed && s->name == name && s->row == row && s->t0 == t0 &&
		    s->t1 - s->t0 == ns)
			return s->is_placed = true;
	}
	return false;
}

static void check_rows(struct thread *t, const struct profile *p, unsigned seed)
{
	int n = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];
		struct span span;

		for (int depth = 0; depth < lane->max_depth; depth++)
			for (size_t from = 0;
			     span_next(&lane->samples, &lane->tree, depth, from, &span);
			     from = span.end, n++)
				if (!take(t,
					  profile_text(
						  p,
						  profile_node_frame(p, lane, span.node)->name)[0] -
						  'a',
					  lane->first_row + depth, span.t0,
					  slice_time_of_span(lane, &span)))
					ck_abort_msg("seed %u: lane %u has a slice at %lld on row "
						     "%d",
						     seed, i, (long long)span.t0,
						     lane->first_row + depth);
	}
	ck_assert_int_eq(n, t->n);
}

static void check_sums(const struct sums *want, const struct profile *p, const struct totals *t,
		       const char *what)
{
	struct functions functions;
	struct totals_counts counts;

	functions_init(&functions, t->view, t->t0, t->t1);
	totals_counts(t, &counts);
	if (t->sampled_ns != want->busy)
		ck_abort_msg("%s: busy %lld, by the rule %lld", what, (long long)t->sampled_ns,
			     (long long)want->busy);
	for (frame_id f = 1; f < t->n_frames; f++) {
		int k = profile_text(p, t->view->frames[f].name)[0] - 'a';

		if (t->frame_self[f] != want->self[k] || functions.list[f].self != want->self[k])
			ck_abort_msg("%s: self of %c is %lld and %lld, by the rule %lld", what,
				     'a' + k, (long long)t->frame_self[f],
				     (long long)functions.list[f].self, (long long)want->self[k]);
		if (t->frame_total[f] != want->total[k])
			ck_abort_msg("%s: total of %c is %lld, by the rule %lld", what, 'a' + k,
				     (long long)t->frame_total[f], (long long)want->total[k]);
		if (functions.list[f].n_spans != want->spans[k] ||
		    functions.list[f].longest != want->longest[k])
			ck_abort_msg("%s: longest of %c is %lld of %u, by the rule %lld of %u",
				     what, 'a' + k, (long long)functions.list[f].longest,
				     (unsigned)functions.list[f].n_spans,
				     (long long)want->longest[k], (unsigned)want->spans[k]);
		ck_assert_uint_eq(counts.spans[f], want->spans[k]);
	}
	totals_counts_done(&counts);
	functions_done(&functions);
}

/* The sums of all lanes of a profile in a range, after a transform that matches nothing if n is 1.
 */
static void check_range(const struct thread *t, const struct profile *p, int64_t t0, int64_t t1,
			size_t n, const char *what)
{
	const struct transform none = { .kind = TRANSFORM_MERGE, .by = BY_CATEGORY };
	const struct lane *lanes[MOST];
	struct totals totals;
	struct view view;
	struct sums want;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		lanes[i] = &p->lanes[i];
	ck_assert(view_of(&view, p, lanes, p->n_lanes, &none, n, GROUP_FUNCTION));
	totals_init(&totals, &view);
	totals_compute(&totals, t0, t1);
	sum(t, t0, t1, -1, &want);
	check_sums(&want, p, &totals, what);
	totals_done(&totals);
	view_done(&view);
}

/* Times and the time of the thread without the slices of a name. */
static void check_drop(struct thread *t, const struct profile *p, unsigned seed)
{
	int dropped = t->list[below(t, (unsigned)t->n)].name;
	char pattern[8];
	struct scope scope;
	struct scoped scoped;
	struct error err = ERROR_INIT;
	struct sums all, want, have = { 0 };

	snprintf(pattern, sizeof pattern, "^%c$", 'a' + dropped);
	sum(t, 0, p->t1, -1, &all);
	sum(t, 0, p->t1, dropped, &want);
	scope_all(&scope, p);
	ck_assert(scope_add(&scope, p, TRANSFORM_DROP, pattern, &err));
	ck_assert(scoped_init(&scoped, p, &scope, &err));
	for (uint32_t i = 0; i < scoped.profile->n_lanes; i++) {
		const struct lane *lane = &scoped.profile->lanes[i];
		struct view view;
		struct totals totals;

		view_init_lane(&view, scoped.profile, lane);
		totals_init(&totals, &view);
		totals_compute(&totals, 0, p->t1);
		have.busy += totals.sampled_ns;
		for (frame_id f = 1; f < totals.n_frames; f++) {
			int name = profile_text(p, view.frames[f].name)[0] - 'a';

			have.self[name] += totals.frame_self[f];
			have.total[name] += totals.frame_total[f];
		}
		if (i == 0)
			ck_assert_int_eq(scoped_dropped(&scoped, lane, 0, p->t1),
					 all.busy - want.busy);
		totals_done(&totals);
		view_done(&view);
	}
	for (int k = 0; k < NAMES; k++)
		if (have.self[k] != want.self[k] || have.total[k] != want.total[k])
			ck_abort_msg("seed %u without %s: self, total of %c are %lld, %lld, by the "
				     "rule %lld, %lld",
				     seed, pattern, 'a' + k, (long long)have.self[k],
				     (long long)have.total[k], (long long)want.self[k],
				     (long long)want.total[k]);
	if (have.busy != want.busy)
		ck_abort_msg("seed %u without %s: busy %lld, by the rule %lld", seed, pattern,
			     (long long)have.busy, (long long)want.busy);
	ck_assert_int_eq(scoped.profile->lanes[0].busy_ns, want.busy);
	scoped_done(&scoped);
	scope_done(&scope);
}

static void check_case(unsigned seed, bool has_recursion)
{
	struct thread t;
	struct profile *p;
	char what[64];

	make(&t, seed, has_recursion);
	p = load_thread(&t);
	ck_assert_uint_le(p->n_lanes, MOST);
	check_rows(&t, p, seed);
	snprintf(what, sizeof what, "seed %u", seed);
	check_range(&t, p, 0, p->t1, 0, what);
	check_range(&t, p, 0, p->t1, 1, what);
	for (int i = 0; i < 4; i++) {
		int64_t t0 = below(&t, 60) * STEP_NS, t1 = t0 + (1 + below(&t, 30)) * STEP_NS;

		snprintf(what, sizeof what, "seed %u, from %lld to %lld", seed, (long long)t0,
			 (long long)t1);
		check_range(&t, p, t0, t1 < p->t1 ? t1 : p->t1, (size_t)i % 2, what);
	}
	check_drop(&t, p, seed);
	profile_free(p);
}

START_TEST(rows_and_times_are_those_of_the_rule)
{
	for (unsigned seed = 1; seed <= SUITE_CASES(CASES); seed++)
		check_case(seed, false);
}
END_TEST

/* Slices of one name lie inside each other, on one layer and on several. */
START_TEST(recursion_counts_once_on_several_layers)
{
	for (unsigned seed = 1; seed <= SUITE_CASES(CASES); seed++)
		check_case(seed, true);
}
END_TEST

/* Each column of the overview, with the cursor on the thread and without it, and what the strip of
 * the folded thread has there. */
static void check_columns(unsigned seed)
{
	struct chart_lane lanes[MOST] = { 0 };
	struct viewport view;
	struct chart chart = { .lanes = lanes, .lane = -1, .view = &view };
	struct overview o = { 0 };
	struct thread t;

	make(&t, seed, true);
	chart.profile = load_thread(&t);
	for (chart.n_lanes = 0; chart.n_lanes < (int)chart.profile->n_lanes; chart.n_lanes++)
		lanes[chart.n_lanes].lane = &chart.profile->lanes[chart.n_lanes];
	chart_lay_over(lanes, chart.n_lanes);
	viewport_init(&view, 0, (int64_t)COLS * 8 * STEP_NS);
	overview_begin(&o, &chart, COLS);
	ck_assert_int_eq(o.n_lanes, 1);
	ck_assert(overview_make(&o, &chart, BUDGET_UNLIMITED));
	chart.lane = (int)below(&t, (unsigned)chart.n_lanes);
	ck_assert(overview_make(&o, &chart, BUDGET_UNLIMITED));
	for (int c = 0; c < COLS; c++) {
		struct sums want;
		int share;

		sum(&t, c * 8 * STEP_NS, (c + 1) * 8 * STEP_NS, -1, &want);
		share = (int)((double)want.busy / (8 * STEP_NS) * ACTIVITY_MAX + 0.5);
		share = want.busy <= 0         ? 0
			: share < 1            ? 1
			: share > ACTIVITY_MAX ? ACTIVITY_MAX
					       : share;
		if (o.busy[c] != share || o.of_lane[c].busy != share)
			ck_abort_msg("seed %u: column %d is %d and %d, by the rule %d", seed, c,
				     o.busy[c], o.of_lane[c].busy, share);
	}
	overview_done(&o);
	profile_free((struct profile *)chart.profile);
}

START_TEST(columns_are_those_of_all_layers)
{
	for (unsigned seed = 1; seed <= SUITE_CASES(CASES_OF_COLUMNS); seed++)
		check_columns(seed);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "random", SUITE_SECONDS);

	tcase_add_test(t, columns_are_those_of_all_layers);
	tcase_add_test(t, rows_and_times_are_those_of_the_rule);
	tcase_add_test(t, recursion_counts_once_on_several_layers);
}

int main(void)
{
	return suite_run("slice_overlaps", add_tests);
}
