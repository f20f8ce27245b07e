/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks so deep that work or memory in proportion to the square of the file would show. */
#include "config.h"

#include "analyse/functions.h"
#include "merged_now.h"
#include "recursion.h"
#include "suite.h"

#include "analyse/cover.c"

static struct profile *profile;
static struct view view;
static struct totals totals;

static void load(struct profile *p)
{
	const struct lane *lane;

	profile = p;
	lane = &profile->lanes[0];
	view_init(&view, profile, &lane, 1);
	totals_init(&totals, &view);
	totals_compute(&totals, lane->t0, lane->t1);
}

static void done(void)
{
	totals_done(&totals);
	view_done(&view);
	profile_free(profile);
}

static struct profile *callers_of_f(uint32_t *n_levels)
{
	frame_id f = 1;

	while (strcmp(profile_text(profile, profile_frame(profile, f)->name), "f") != 0)
		f++;
	return merged_now(&totals, MERGED_SANDWICH, f, n_levels);
}

/* The time of the lane is that of f; below f, all callers of the levels that are there. */
START_TEST(callers_end_at_a_level)
{
	uint32_t n_levels, n_nodes = 1;
	struct profile *p;
	const struct lane *lane;

	load(recursion_load_shared(2000));
	p = callers_of_f(&n_levels);
	lane = &p->lanes[0];
	ck_assert_uint_gt(n_levels, 100);
	ck_assert_uint_lt(n_levels, 1000);
	ck_assert_int_eq(lane->t1, totals.sampled_ns);
	ck_assert_uint_eq(lane->tree.max_rows, n_levels + 1);
	/* Level k has a caller for each call that has k or more of them. */
	for (uint32_t k = 1; k <= n_levels; k++)
		n_nodes += 2000 - k;
	ck_assert_uint_eq(lane->tree.n, n_nodes + 1);
	ck_assert_uint_le(n_nodes, 1000000 + 2000);
	profile_free(p);
	done();
}
END_TEST

START_TEST(few_callers_are_complete)
{
	uint32_t n_levels;
	struct profile *p;

	load(recursion_load_shared(1000));
	p = callers_of_f(&n_levels);
	ck_assert_uint_eq(n_levels, 0);
	ck_assert_uint_eq(p->lanes[0].tree.n, 1 + 1 + 1000 * 999 / 2);
	ck_assert_uint_eq(p->lanes[0].tree.max_rows, 1000);
	profile_free(p);
	done();
}
END_TEST

/* 1000 spans close at each sample; 16 of them cost as much as a sample. So two samples are a step
 * of 64 units. */
START_TEST(a_step_of_functions_ends_where_many_spans_close)
{
	struct functions all, functions;
	struct functions_walk *walk;
	int n_steps = 1;

	load(recursion_load_by_turns(1000, 4000));
	functions_init(&all, &view, totals.t0, totals.t1);
	walk = functions_begin(&functions, &view, totals.t0, totals.t1);
	while (!functions_step(walk, a_step()))
		n_steps++;
	functions_end(walk);
	ck_assert_int_ge(n_steps, 4000 / 2);
	for (frame_id f = 1; f < all.n; f++) {
		ck_assert_uint_eq(functions.list[f].n_spans, all.list[f].n_spans);
		ck_assert_int_eq(functions.list[f].spans_ns, all.list[f].spans_ns);
		ck_assert_int_eq(functions.list[f].total, totals.frame_total[f]);
	}
	functions_done(&functions);
	functions_done(&all);
	done();
}
END_TEST

/* The spans of a lane, one after the other. */
static struct function *count_spans(const struct lane *lane, uint32_t n)
{
	struct function *list = xcalloc(n, sizeof *list);
	const struct samples *s = &lane->samples;

	for (size_t i = 0; i < s->n; i++)
		for (int row = i ? samples_shared(s, i - 1) : 0; row < lane->tree.rows[s->leaf[i]];
		     row++) {
			struct span span;
			struct function *fn;
			int64_t ns;

			ck_assert(span_of_sample(s, &lane->tree, i, row, &span));
			fn = &list[lane->tree.frame[span.node]];
			ns = span.t1 - span.t0;
			fn->shortest = !fn->n_spans || ns < fn->shortest ? ns : fn->shortest;
			fn->longest = ns > fn->longest ? ns : fn->longest;
			fn->spans_ns += ns;
			fn->n_spans++;
		}
	return list;
}

/* Beyond 1000 rows, spans that open and close together cost as much as one of them. */
START_TEST(spans_of_deeper_stacks_are_added_up_together)
{
	struct functions functions;
	struct functions_walk *walk;
	struct function *spans;
	int n_steps = 1;

	load(recursion_load_by_turns(1500, 4000));
	walk = functions_begin(&functions, &view, totals.t0, totals.t1);
	while (!functions_step(walk, a_step()))
		n_steps++;
	functions_end(walk);
	ck_assert_int_lt(n_steps, 4000 / 4);
	spans = count_spans(&profile->lanes[0], functions.n);
	for (frame_id f = 1; f < functions.n; f++) {
		const struct function *fn = &functions.list[f];

		ck_assert_uint_eq(fn->n_spans, spans[f].n_spans);
		ck_assert_int_eq(fn->spans_ns, spans[f].spans_ns);
		ck_assert_int_eq(fn->longest, spans[f].longest);
		ck_assert_int_eq(fn->shortest, spans[f].shortest);
		ck_assert_int_eq(fn->total, totals.frame_total[f]);
	}
	free(spans);
	functions_done(&functions);
	done();
}
END_TEST

static void check_cells(const struct cover_cell *cells, const struct cover_cell *expect, int from,
			int end)
{
	for (int row = from; row < end; row++)
		ck_assert_msg(cells[row].node == expect[row].node &&
				      cells[row].parts == expect[row].parts &&
				      cells[row].node_ns == expect[row].node_ns &&
				      cells[row].all_ns == expect[row].all_ns,
			      "row %d: node %u instead of %u", row, cells[row].node,
			      expect[row].node);
}

/* All rows, and some of them, are those that the maker of columns finds. */
static void check_column(struct cover *cover, struct column_maker *maker, int64_t t0, int64_t t1)
{
	struct cover_cell *expect;
	int n, n_known;

	ck_assert(column_maker_work(maker, t0, t1, BUDGET_UNLIMITED));
	n = maker->deepest;
	expect = xcalloc((size_t)n + 1, sizeof *expect);
	memcpy(expect, maker->cells + 1, (size_t)n * sizeof *expect);
	clear_cells(maker);
	maker->what = MAKE_NOTHING;
	check_cells(cover_column(cover, t0, t1, &n_known), expect, 0, n);
	ck_assert_int_eq(n_known, n);
	for (int from = 0; from < n + 100; from += 333) {
		int end = from + 50 < n ? from + 50 : n;

		check_cells(cover_known(cover, t0, t1, from, 50, &n_known), expect, from, end);
		ck_assert_int_eq(n_known, n);
	}
	free(expect);
}

/* Columns of one stack, of two by turns, of one that grows, and of one with another call beside
 * each frame. */
START_TEST(deep_columns_have_all_rows)
{
	struct profile *p = _i == 0 ? recursion_load(3000)
		: _i == 1           ? recursion_load_by_turns(2000, 900)
				    : recursion_load_shared(2000);
	const struct lane *lane = &p->lanes[0];
	struct column_maker *maker = column_maker_new(lane);
	struct cover *cover = cover_new(lane);

	for (int64_t width = 1000; width <= lane->t1; width *= 7)
		for (int64_t i = 0; i < 9; i++)
			check_column(cover, maker, i * (lane->t1 - width) / 9,
				     i * (lane->t1 - width) / 9 + width);
	cover_free(cover);
	column_maker_free(maker);
	profile_free(p);
}
END_TEST

/* All cells of these columns would take 230 MB. */
START_TEST(picture_of_a_deep_stack_takes_8_mb)
{
	struct cover_range list[160];
	struct profile *p = recursion_load_by_turns(60000, 1000);
	struct cover *cover = cover_new(&p->lanes[0]);
	int64_t before = alloc_bytes();

	for (size_t i = 0; i < ARRAY_LEN(list); i++)
		list[i] = (struct cover_range){ (int64_t)i * 6000, (int64_t)(i + 1) * 6000 };
	ck_assert(cover_make_all(cover, list, ARRAY_LEN(list), BUDGET_UNLIMITED));
	if (before >= 0)
		ck_assert_int_lt(alloc_bytes() - before, 8 << 20);
	cover_free(cover);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "deep stacks", SUITE_SECONDS);

	tcase_add_test(t, callers_end_at_a_level);
	tcase_add_test(t, few_callers_are_complete);
	tcase_add_test(t, a_step_of_functions_ends_where_many_spans_close);
	tcase_add_test(t, spans_of_deeper_stacks_are_added_up_together);
	tcase_add_loop_test(t, deep_columns_have_all_rows, 0, 3);
	tcase_add_test(t, picture_of_a_deep_stack_takes_8_mb);
}

int main(void)
{
	return suite_run("deep_stacks", add_tests);
}
