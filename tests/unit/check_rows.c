/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Totals of a view and the rows made from them, for a tree of a few calls that can be added up by
 * hand. check_view.c compares both with an oracle for random trees. */
#include "config.h"

#include "analyse/rows/rows.h"
#include "analyse/rows/rows_walk.h"
#include "base/alloc.h"
#include "recursion.h"
#include "suite.h"

/* Microseconds: a calls itself through b. */
static const char calls[] = "a;b;a 4\na;c 3\na 1\nb;c 2\n(idle) 5\n";

#define US 1000
#define MANY 1500

static struct profile *profile;
static struct view view;
static struct totals totals;
static struct rows rows;
static struct buf text;

static void load(struct profile *p)
{
	const struct lane *lane;

	profile = p;
	lane = &profile->lanes[0];
	view_init(&view, profile, &lane, 1);
	totals_init(&totals, &view);
	totals_compute(&totals, lane->t0, lane->t1);
	rows = (struct rows){ 0 };
	text = (struct buf){ 0 };
}

static void setup(void)
{
	load(story_load(calls));
}

static void teardown(void)
{
	rows_done(&rows);
	totals_done(&totals);
	view_done(&view);
	profile_free(profile);
	buf_done(&text);
}

static frame_id frame_named(const char *name)
{
	for (frame_id f = 1; f < profile->frames.n; f++)
		if (strcmp(profile_text(profile, profile_frame(profile, f)->name), name) == 0)
			return f;
	ck_abort_msg("no function %s", name);
}

/* Each row as `name self/total`, with a dot for each level above it. */
static const char *listing(void)
{
	buf_clear(&text);
	for (size_t i = 0; i < rows.n; i++) {
		const struct row *row = &rows.rows[i];

		buf_adds(&text, i ? " " : "");
		for (int depth = 0; depth < row->depth; depth++)
			buf_addc(&text, '.');
		buf_addf(&text, "%s %d/%d",
			 profile_text(profile, profile_frame(profile, row->frame)->name),
			 (int)(row->self / US), (int)(row->total / US));
	}
	return buf_text(&text);
}

static size_t open_hot(size_t at)
{
	ck_assert(rows_open_hot(&rows, &at, false, BUDGET_UNLIMITED));
	return at;
}

START_TEST(recursion_counts_once_in_the_total)
{
	frame_id a = frame_named("a"), b = frame_named("b"), c = frame_named("c");

	ck_assert_int_eq(totals.frame_self[a], 5 * US);
	ck_assert_int_eq(totals.frame_total[a], 8 * US);
	ck_assert_int_eq(totals.frame_self[b], 0 * US);
	ck_assert_int_eq(totals.frame_total[b], 6 * US);
	ck_assert_int_eq(totals.frame_self[c], 5 * US);
	ck_assert_int_eq(totals.frame_total[c], 5 * US);
	ck_assert_int_eq(totals.sampled_ns, 15 * US);
	ck_assert_int_eq(totals.idle_ns, 5 * US);
	ck_assert_int_eq(totals.dropped_ns, 0 * US);
}
END_TEST

START_TEST(a_function_is_called_if_time_came_through_a_caller)
{
	/* By itself, through b. */
	ck_assert(totals.is_called[frame_named("a")] == 1);
	ck_assert(totals.is_called[frame_named("b")] == 1);
	ck_assert(totals.is_called[frame_named("c")] == 1);
	ck_assert(totals.is_called[frame_named("(idle)")] == 0);
}
END_TEST

/* Functions by self time; without self time last; then the callers of each. */
START_TEST(bottom_up)
{
	rows_init(&rows, &totals, ROWS_BOTTOMUP, ROWS_BY_SELF, FRAME_NONE);
	ck_assert_str_eq(listing(), "a 5/8 c 5/5 (idle) 5/5 b 0/6");
	rows_open(&rows, 1);
	ck_assert_str_eq(listing(), "a 5/8 c 5/5 .a 3/3 .b 2/2 (idle) 5/5 b 0/6");
	ck_assert_uint_eq(rows_parent(&rows, 3), 1);
	ck_assert_uint_eq(rows_parent(&rows, 1), 1);
	rows_close(&rows, 1);
	ck_assert_str_eq(listing(), "a 5/8 c 5/5 (idle) 5/5 b 0/6");
}
END_TEST

START_TEST(top_down)
{
	rows_init(&rows, &totals, ROWS_TOPDOWN, ROWS_BY_TOTAL, FRAME_NONE);
	ck_assert_str_eq(listing(), "a 1/8 (idle) 5/5 b 0/2");
	rows_open(&rows, 0);
	ck_assert_str_eq(listing(), "a 1/8 .b 0/4 .c 3/3 (idle) 5/5 b 0/2");
	rows_open(&rows, 3);
	ck_assert_str_eq(listing(), "a 1/8 .b 0/4 .c 3/3 (idle) 5/5 b 0/2");
	rows_close(&rows, 0);
	ck_assert_str_eq(listing(), "a 1/8 (idle) 5/5 b 0/2");
}
END_TEST

START_TEST(the_heaviest_children_open)
{
	rows_init(&rows, &totals, ROWS_TOPDOWN, ROWS_BY_TOTAL, FRAME_NONE);
	ck_assert_uint_eq(open_hot(0), 2);
	ck_assert_str_eq(listing(), "a 1/8 .b 0/4 ..a 4/4 .c 3/3 (idle) 5/5 b 0/2");
}
END_TEST

/* An open row after it may have heavier children. */
START_TEST(the_heaviest_child_is_one_of_the_row)
{
	rows_init(&rows, &totals, ROWS_TOPDOWN, ROWS_BY_TOTAL | ROWS_REVERSED, FRAME_NONE);
	rows_open(&rows, 2);
	ck_assert_str_eq(listing(), "b 0/2 (idle) 5/5 a 1/8 .c 3/3 .b 0/4");
	ck_assert_uint_eq(open_hot(0), 1);
	ck_assert_str_eq(listing(), "b 0/2 .c 2/2 (idle) 5/5 a 1/8 .c 3/3 .b 0/4");
}
END_TEST

START_TEST(the_heaviest_child_need_not_be_the_first)
{
	rows_init(&rows, &totals, ROWS_TOPDOWN, ROWS_BY_TOTAL | ROWS_REVERSED, FRAME_NONE);
	ck_assert_uint_eq(open_hot(2), 5);
	ck_assert_str_eq(listing(), "b 0/2 (idle) 5/5 a 1/8 .c 3/3 .b 0/4 ..a 4/4");
}
END_TEST

/* The path may end where most time is spent. */
START_TEST(the_path_ends_at_self_time)
{
	size_t at = 0;

	teardown();
	load(story_load("a;b;c;d 1\na;b;c 5\na;b;e 5\na;b 6\na 1\n"));
	rows_init(&rows, &totals, ROWS_TOPDOWN, ROWS_BY_TOTAL, FRAME_NONE);
	ck_assert(rows_open_hot(&rows, &at, true, BUDGET_UNLIMITED));
	ck_assert_uint_eq(at, 1);
	ck_assert_str_eq(listing(), "a 1/18 .b 6/17 ..c 5/6 ..e 5/5");
	ck_assert(rows_open_hot(&rows, &at, false, BUDGET_UNLIMITED));
	ck_assert_uint_eq(at, 3);
}
END_TEST

START_TEST(reversed_and_by_name)
{
	rows_init(&rows, &totals, ROWS_BOTTOMUP, ROWS_BY_TOTAL | ROWS_REVERSED, FRAME_NONE);
	ck_assert_str_eq(listing(), "(idle) 5/5 c 5/5 b 0/6 a 5/8");
	rows_done(&rows);
	rows_init(&rows, &totals, ROWS_BOTTOMUP, ROWS_BY_NAME, FRAME_NONE);
	ck_assert_str_eq(listing(), "(idle) 5/5 a 5/8 b 0/6 c 5/5");
}
END_TEST

/* From 1000 rows on, numbers are sorted by their digits. */
START_TEST(many_rows_are_in_order)
{
	struct buf folded = { 0 };

	teardown();
	for (int i = 0; i < MANY; i++)
		buf_addf(&folded, "a;f%d %d\n", i, 1 + i * 7 % MANY);
	load(story_load(buf_text(&folded)));
	buf_done(&folded);
	rows_init(&rows, &totals, ROWS_BOTTOMUP, ROWS_BY_SELF, FRAME_NONE);
	/* a is last, without self time */
	ck_assert_uint_eq(rows.n, MANY + 1);
	for (size_t i = 0; i < rows.n; i++)
		ck_assert_int_eq(rows.rows[i].self, (int64_t)(MANY - i) * US);
}
END_TEST

START_TEST(one_function_with_callers_and_callees)
{
	rows_init(&rows, &totals, ROWS_BOTTOMUP, ROWS_BY_TOTAL, frame_named("b"));
	ck_assert_str_eq(listing(), "b 0/6 .a 0/4");
	rows_done(&rows);
	rows_init(&rows, &totals, ROWS_TOPDOWN, ROWS_BY_TOTAL, frame_named("b"));
	ck_assert_str_eq(listing(), "b 0/6 .a 4/4 .c 2/2");
}
END_TEST

/* Rows that match, the rows on the way to them, and what is below them. */
START_TEST(filter)
{
	uint8_t *is_match = xcalloc(profile->frames.n, 1);

	is_match[frame_named("b")] = 1;
	rows_init(&rows, &totals, ROWS_TOPDOWN, ROWS_BY_TOTAL, FRAME_NONE);
	rows_filter(&rows, is_match);
	ck_assert_str_eq(listing(), "a 1/8 b 0/2");
	rows_open(&rows, 0);
	ck_assert_str_eq(listing(), "a 1/8 .b 0/4 b 0/2");
	rows_open(&rows, 1);
	ck_assert_str_eq(listing(), "a 1/8 .b 0/4 ..a 4/4 b 0/2");
	free(is_match);
}
END_TEST

/* ---- deep recursion ---- */

#define LEVELS 3000 /* if each level had its own items, they would take more than 100 MB */
#define ROOM ((int64_t)24 << 20)
#define MUTUAL_LEVELS 700

static void load_recursion(void)
{
	teardown();
	load(recursion_load(LEVELS));
}

static void check_level(const struct row *row, int depth)
{
	ck_assert_int_eq(row->depth, depth);
	ck_assert_int_eq(row->self, (LEVELS - depth) * US);
}

START_TEST(rows_of_a_recursion_share_their_items)
{
	int64_t before;
	const struct row_item *items;

	load_recursion();
	before = memory_used();
	rows_init(&rows, &totals, ROWS_BOTTOMUP, ROWS_BY_SELF, FRAME_NONE);
	ck_assert_uint_eq(open_hot(0), LEVELS - 1);
	ck_assert_int_lt(memory_used() - before, ROOM);
	items = rows.rows[0].items;
	for (int i = 0; i < LEVELS; i++) {
		check_level(&rows.rows[i], i);
		ck_assert(rows.rows[i].items >= items && rows.rows[i].items < items + LEVELS);
		ck_assert(i == 0 || !rows.rows[i].owned);
	}
}
END_TEST

/* In steps, after each of which the rows are complete. */
START_TEST(the_heaviest_children_open_in_steps)
{
	struct budget step = budget_steps(1, 100000);
	size_t at = 0, n_steps = 0;

	load_recursion();
	rows_init(&rows, &totals, ROWS_BOTTOMUP, ROWS_BY_SELF, FRAME_NONE);
	for (; !rows_open_hot(&rows, &at, false, &step); n_steps++) {
		ck_assert_uint_eq(rows.n, at + 1);
		check_level(&rows.rows[at], (int)at);
		step = budget_steps(1, 100000);
	}
	ck_assert_uint_eq(at, LEVELS - 1);
	ck_assert_uint_ge(n_steps, (size_t)LEVELS * LEVELS / 2 / 100000 / 2);
}
END_TEST

START_TEST(a_walk_through_a_recursion_keeps_one_row)
{
	int64_t before;
	struct rows_walk walk = { 0 };

	load_recursion();
	before = memory_used();
	rows_init(&rows, &totals, ROWS_BOTTOMUP, ROWS_BY_SELF, FRAME_NONE);
	rows_walk_begin(&walk, &rows, 0);
	for (int i = 0; i < LEVELS; i++) {
		check_level(rows_walk_next(&walk), i);
		ck_assert_uint_le(walk.n, 1);
	}
	ck_assert_ptr_null(rows_walk_next(&walk));
	ck_assert_int_lt(memory_used() - before, ROOM);
	rows_walk_done(&walk);
}
END_TEST

/* The rows of the walk are parts of one array, and no item moves on to its callers. */
START_TEST(a_walk_through_a_recursion_does_not_visit_the_items_of_each_row)
{
	struct rows_walk walk = { 0 };
	const struct row *row;
	size_t n = 0;

	load_recursion();
	rows_init(&rows, &totals, ROWS_BOTTOMUP, ROWS_BY_SELF, FRAME_NONE);
	rows_walk_begin(&walk, &rows, 0);
	ck_assert_ptr_nonnull(rows.order);
	while ((row = rows_walk_next(&walk))) {
		ck_assert_uint_eq(row->n_items, LEVELS - n);
		ck_assert_ptr_eq(row->items, rows.order->items + n);
		for (size_t i = 0; i < row->n_items; i += LEVELS / 10)
			ck_assert_uint_eq(row->items[i].now, row->items[i].first);
		n++;
	}
	ck_assert_uint_eq(n, LEVELS);
	ck_assert_ptr_null(rows.below->found);
	ck_assert_ptr_null(walk.items);
	rows_walk_done(&walk);
}
END_TEST

/* a calls b, b calls a, and so on; each third level calls a leaf, too. */
static void load_mutual_recursion(void)
{
	struct buf folded = { 0 }, stack = { 0 };

	for (int i = 0; i < MUTUAL_LEVELS; i++) {
		buf_addf(&stack, "%s%s", i ? ";" : "", i & 1 ? "b" : "a");
		buf_addf(&folded, "%s%s %d\n", buf_text(&stack), i % 3 ? "" : ";leaf", 1 + i % 7);
	}
	teardown();
	load(story_load(buf_text(&folded)));
	buf_done(&folded);
	buf_done(&stack);
}

START_TEST(a_walk_in_order_finds_the_same_rows)
{
	struct rows_walk walk = { 0 }, in_order = { 0 };
	struct rows slow;
	size_t n = 0;

	load_mutual_recursion();
	rows_init(&rows, &totals, ROWS_BOTTOMUP, ROWS_BY_SELF, FRAME_NONE);
	rows_init(&slow, &totals, ROWS_BOTTOMUP, ROWS_BY_SELF, FRAME_NONE);
	slow.is_weighed = true;
	for (size_t i = 0; i < rows.n; i++) {
		const struct row *row, *same;

		rows_walk_begin(&in_order, &rows, i);
		rows_walk_begin(&walk, &slow, i);
		ck_assert(rows.order && !slow.order);
		while ((row = rows_walk_next(&in_order))) {
			same = rows_walk_next(&walk);
			ck_assert_ptr_nonnull(same);
			ck_assert(row->frame == same->frame && row->depth == same->depth);
			ck_assert(row->self == same->self && row->total == same->total);
			n++;
		}
		ck_assert_ptr_null(rows_walk_next(&walk));
	}
	ck_assert_uint_gt(n, 3 * MUTUAL_LEVELS / 2);
	rows_walk_done(&walk);
	rows_walk_done(&in_order);
	rows_done(&slow);
}
END_TEST

/* Rows that are closed give their memory back. */
START_TEST(closed_rows_own_nothing)
{
	for (int kind = ROWS_TOPDOWN; kind <= ROWS_BOTTOMUP; kind++) {
		rows_init(&rows, &totals, (enum rows_kind)kind, ROWS_BY_TOTAL, FRAME_NONE);
		for (size_t i = 0; i < rows.n; i++) {
			open_hot(i);
			rows_close(&rows, i);
			ck_assert_ptr_null(rows.rows[i].owned);
		}
		rows_done(&rows);
	}
}
END_TEST

/* So its row is not lost with what it owns. */
START_TEST(a_function_without_callers_owns_nothing)
{
	uint8_t *is_match = xcalloc(profile->frames.n, 1);

	rows_init(&rows, &totals, ROWS_BOTTOMUP, ROWS_BY_TOTAL, frame_named("(idle)"));
	ck_assert_uint_eq(rows.n, 1);
	ck_assert_ptr_null(rows.rows[0].owned);
	rows_filter(&rows, is_match);
	ck_assert_uint_eq(rows.n, 0);
	free(is_match);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rows", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, recursion_counts_once_in_the_total);
	tcase_add_test(t, a_function_is_called_if_time_came_through_a_caller);
	tcase_add_test(t, bottom_up);
	tcase_add_test(t, top_down);
	tcase_add_test(t, the_heaviest_children_open);
	tcase_add_test(t, the_heaviest_child_is_one_of_the_row);
	tcase_add_test(t, the_heaviest_child_need_not_be_the_first);
	tcase_add_test(t, the_path_ends_at_self_time);
	tcase_add_test(t, reversed_and_by_name);
	tcase_add_test(t, many_rows_are_in_order);
	tcase_add_test(t, one_function_with_callers_and_callees);
	tcase_add_test(t, filter);
	tcase_add_test(t, rows_of_a_recursion_share_their_items);
	tcase_add_test(t, the_heaviest_children_open_in_steps);
	tcase_add_test(t, a_walk_through_a_recursion_keeps_one_row);
	tcase_add_test(t, a_walk_through_a_recursion_does_not_visit_the_items_of_each_row);
	tcase_add_test(t, a_walk_in_order_finds_the_same_rows);
	tcase_add_test(t, closed_rows_own_nothing);
	tcase_add_test(t, a_function_without_callers_owns_nothing);
}

int main(void)
{
	return suite_run("rows", add_tests);
}
