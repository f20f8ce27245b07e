/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stack beside a table: which calls are shown, and how. */
#include "config.h"

#include "draw/table/stack_list.c"
#include "picture.h"
#include "recursion.h"
#include "suite.h"

#include "base/alloc.h"

static struct profile *profile;
static struct view view;
static struct totals totals;
static struct heavy_stack stack;
static struct stack_list list;

static void open_text(const char *text)
{
	const struct lane *lane;

	profile = story_load(text);
	lane = &profile->lanes[0];
	view_init(&view, profile, &lane, 1);
	totals_init(&totals, &view);
	totals_compute(&totals, lane->t0, lane->t1);
	list = (struct stack_list){ .stack = &stack };
}

static void setup(void)
{
	open_text("a;b;c;d;e 5\na;b;c;d;e;f 2\na;b 1\nx 1\n");
}

static void teardown(void)
{
	heavy_stack_done(&stack);
	totals_done(&totals);
	view_done(&view);
	profile_free(profile);
	picture_done();
}

/* Make the stack through the function with this name of one letter. */
static void make(char name)
{
	frame_id *path = xmalloc(sizeof *path);

	for (*path = 1; *profile_text(profile, profile_frame(profile, *path)->name) != name;)
		++*path;
	heavy_stack_done(&stack);
	heavy_stack_begin(&stack, &totals, HEAVY_CALLERS, path, 1);
	ck_assert(heavy_stack_step(&stack, BUDGET_UNLIMITED));
}

static void draw(struct grid *g, struct rect r)
{
	for (int row = 0; row < r.rows; row++)
		grid_fill(g, r.row + row, r.col, r.cols, ROLE_PLAIN);
	stack_list_draw(g, r, &list);
}

/* At any size, the marked call is among those shown, no line is left blank, and those that tell
 * how many are missing have room. */
START_TEST(the_marked_call_is_always_shown)
{
	for (uint32_t n = 1; n < 30; n++)
		for (uint32_t at = 0; at < n; at++)
			for (int lines = 1; lines < 35; lines++) {
				uint32_t first, end;
				int used;

				stack_list_cut(n, at, lines, &first, &end);
				ck_assert(first <= at && at < end && end <= n);
				used = (int)(end - first);
				if (lines >= 3)
					used += (first > 0) + (end < n);
				ck_assert_int_eq(used, (int)n < lines ? (int)n : lines);
			}
}
END_TEST

/* Times that do not change are said once; the call of the row is marked. */
START_TEST(a_stack_is_indented)
{
	make('c');
	picture(draw, 8, 60);
	ck_assert_str_eq(picture_row(0), " heaviest stack through c");
	ck_assert_str_eq(picture_row(1), "  8.00 \302\265s  a");
	ck_assert_str_eq(picture_row(2), "             b");
	ck_assert_str_eq(picture_row(3), "\342\226\214 7.00 \302\265s      c");
	ck_assert_str_eq(picture_row(4), "                 d");
	ck_assert_str_eq(picture_row(5), "                   e");
	ck_assert_str_eq(picture_row(6), "");
	ck_assert(grid_at(&picture_grid, 3, 15)->flags & CELL_BOLD);
	list.is_ascii = true;
	picture(draw, 8, 60);
	ck_assert_str_eq(picture_row(3), "> 7.00 \302\265s      c");
}
END_TEST

/* Hours take more cells than other times. */
START_TEST(long_times_are_whole)
{
	teardown();
	open_text("a;b;c 9000000000\na;b 8025000000\na 34000000\n");
	make('b');
	picture(draw, 6, 60);
	ck_assert_str_eq(picture_row(1), "  4 h 44 min  a");
	ck_assert_str_eq(picture_row(2), "\342\226\214 4 h 43 min    b");
	ck_assert_str_eq(picture_row(3), "  2 h 30 min      c");
}
END_TEST

#define NODE(id, name, url, line, children)                                                        \
	"{\"id\":" #id ",\"callFrame\":{\"functionName\":\"" name "\",\"url\":\"" url              \
	"\",\"lineNumber\":" #line ",\"columnNumber\":4},\"children\":[" children "]}"

/* The file of a location is not said again, unless the line above does not tell it. */
START_TEST(files_are_told_once)
{
	static const char text[] = "{\"nodes\":[" NODE(1, "(root)", "", -1, "2") "," NODE(
		2, "a", "file:///x.js", 0,
		"3") "," NODE(3, "b", "file:///x.js", 6,
			      "4") "," NODE(4, "c", "file:///y.js", 7,
					    "5") "," NODE(5, "e", "", -1,
							  "6") "," NODE(6, "d", "file:///y.js", 8,
									"") "],\"startTime\":0,\"endTime\":9,\"samples\":[6],\"timeDeltas\":[1]}";

	teardown();
	stack = (struct heavy_stack){ 0 };
	open_text(text);
	make('d');
	picture(draw, 8, 60);
	ck_assert_ptr_nonnull(strstr(picture_row(1), "  a  x.js:1"));
	ck_assert_ptr_nonnull(strstr(picture_row(2), "  b  :7"));
	ck_assert_ptr_nonnull(strstr(picture_row(3), "  c  y.js:8"));
	ck_assert_ptr_nonnull(strstr(picture_row(5), "  d  y.js:9"));
	/* The first line that is shown tells it. */
	picture(draw, 5, 60);
	ck_assert_ptr_nonnull(strstr(picture_row(2), "  c  y.js:8"));
}
END_TEST

START_TEST(a_long_stack_is_cut)
{
	make('d');
	picture(draw, 4, 60);
	ck_assert_str_eq(picture_row(1), "           \342\200\246 3 more");
	ck_assert_str_eq(picture_row(2), "\342\226\214 7.00 \302\265s  d");
	ck_assert_str_eq(picture_row(3), "             e");
	make('a');
	picture(draw, 4, 60);
	ck_assert_str_eq(picture_row(1), "\342\226\214 8.00 \302\265s  a");
	ck_assert_str_eq(picture_row(3), "           \342\200\246 3 more");
}
END_TEST

/* Lines go with those of a table that was scrolled; the head stays. */
START_TEST(lines_scroll_with_the_table)
{
	make('c');
	list.shift = 2;
	picture(draw, 8, 60);
	ck_assert_str_eq(picture_row(0), " heaviest stack through c");
	ck_assert_str_eq(picture_row(1), "\342\226\214 7.00 \302\265s      c");
	list.shift = -6;
	picture(draw, 8, 60);
	ck_assert_str_eq(picture_row(6), "");
	ck_assert_str_eq(picture_row(7), "  8.00 \302\265s  a");
	list.shift = 10000;
	picture(draw, 8, 60);
	for (int row = 1; row < 8; row++)
		ck_assert_str_eq(picture_row(row), "");
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "stack_list", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, the_marked_call_is_always_shown);
	tcase_add_test(t, a_stack_is_indented);
	tcase_add_test(t, long_times_are_whole);
	tcase_add_test(t, files_are_told_once);
	tcase_add_test(t, a_long_stack_is_cut);
	tcase_add_test(t, lines_scroll_with_the_table);
}

int main(void)
{
	return suite_run("stack_list", add_tests);
}
