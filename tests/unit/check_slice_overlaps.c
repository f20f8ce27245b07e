/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random slices that nest, overlap and overshoot, against the rule (formats(5), SLICES, 4.4)
 * written down as it stands, by brute force: the row of each slice, its length, self and total
 * time by name, and the time of the thread, whole and in ranges, plain and with slices dropped. */
#include "config.h"

#include "random_slices.h"

#include "analysis/functions.h"
#include "analysis/scope.h"
#include "analysis/totals.h"
#include "analysis/view/scoped.h"

#define CASES 3000
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

/* Whether slice i is not inside another one of its name. */
static bool is_outer(const struct thread *t, int i)
{
	for (int k = t->list[i].parent; k >= 0; k = t->list[k].parent)
		if (t->list[k].name == t->list[i].name)
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
			bool is_gone = false;

			for (int k = i; k >= 0; k = t->list[k].caller)
				is_gone |= t->list[k].name == dropped;
			if (is_gone || !is_inside(&t->list[i], at))
				continue;
			if (is_self(t, i, at)) {
				is_busy = true;
				to->self[t->list[i].name] += STEP_NS;
			}
			if (is_outer(t, i))
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

/* The sums of all lanes of a profile in a range. */
static void check_range(const struct thread *t, const struct profile *p, int64_t t0, int64_t t1,
			const char *what)
{
	const struct lane *lanes[MOST];
	struct totals totals;
	struct view view;
	struct sums want;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		lanes[i] = &p->lanes[i];
	ck_assert(view_init(&view, p, lanes, p->n_lanes, NULL, 0, GROUP_FUNCTION));
	totals_init(&totals, &view);
	totals_compute(&totals, t0, t1);
	sum(t, t0, t1, -1, &want);
	check_sums(&want, p, &totals, what);
	totals_done(&totals);
	view_done(&view);
}

/* Self times and the time of the thread without the slices of a name. */
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
		for (frame_id f = 1; f < totals.n_frames; f++)
			have.self[profile_text(p, view.frames[f].name)[0] - 'a'] +=
				totals.frame_self[f];
		if (i == 0)
			ck_assert_int_eq(scoped_dropped(&scoped, lane, 0, p->t1),
					 all.busy - want.busy);
		totals_done(&totals);
		view_done(&view);
	}
	for (int k = 0; k < NAMES; k++)
		if (have.self[k] != want.self[k])
			ck_abort_msg("seed %u without %s: self of %c is %lld, by the rule %lld",
				     seed, pattern, 'a' + k, (long long)have.self[k],
				     (long long)want.self[k]);
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
	check_range(&t, p, 0, p->t1, what);
	for (int i = 0; i < 4; i++) {
		int64_t t0 = below(&t, 60) * STEP_NS, t1 = t0 + (1 + below(&t, 30)) * STEP_NS;

		snprintf(what, sizeof what, "seed %u, from %lld to %lld", seed, (long long)t0,
			 (long long)t1);
		check_range(&t, p, t0, t1 < p->t1 ? t1 : p->t1, what);
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

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "random", SUITE_SECONDS);

	tcase_add_test(t, rows_and_times_are_those_of_the_rule);
}

int main(void)
{
	return suite_run("slice_overlaps", add_tests);
}
