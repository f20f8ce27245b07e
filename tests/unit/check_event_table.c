/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of the events pane (draw/table/event_table). */
#include "config.h"

#include "story.h"
#include "suite.h"

#include "draw/table/event_table.h"

#define X(name, ts, dur) "{'ph':'X','pid':1,'tid':1,'name':'" name "','ts':" #ts ",'dur':" #dur "}"
#define COLS 46
#define ROWS 8

static struct profile *profile;
static struct grid grid;
static struct event_table table;
static struct buf text;

static struct event_order order;

/* List the events of the profile's first lane. */
static void list(enum event_sort sort)
{
	table.profile = profile;
	table.lane = &profile->lanes[0];
	event_order_begin(&order,
			  &(struct event_query){ .profile = profile,
						 .lane = table.lane,
						 .t1 = INT64_MAX,
						 .sort = sort });
	ck_assert(event_order_work(&order, BUDGET_UNLIMITED));
	table.n = order.n;
}

static void setup(void)
{
	profile = story_load("[" X("outer", 0, 13000) "," X("first", 100, 200) "," X(
		"inner", 150, 100) "," X("second", 400, 12345) "," X("last", 20000, 0) "]");
	table = (struct event_table){
		.profile = profile,
		.order = &order,
		.times = { .profile = profile },
		.empty = "nothing here",
	};
	list(EVENT_BY_START);
	grid_init(&grid, ROWS, COLS);
}

static void teardown(void)
{
	event_order_done(&order);
	grid_done(&grid);
	buf_done(&text);
	profile_free(profile);
}

/* What the rows of the grid show, drawn into `rows` rows from row 1 on. */
static const char *drawn(int rows, bool with_roles)
{
	struct rect r = { 1, 0, rows, COLS };

	for (int row = 0; row < ROWS; row++)
		grid_puts(&grid, row, 0, COLS, "##############################################",
			  ROLE_PLAIN);
	event_table_draw(&grid, r, &table);
	buf_clear(&text);
	grid_format(&grid, with_roles, &text);
	return buf_text(&text);
}

#define HASHES "##############################################|\n"

/* All times have the room of the longest one that is shown; inner spans are set in. */
START_TEST(columns_are_as_wide_as_their_times)
{
	ck_assert_str_eq(drawn(6, false),
			 HASHES "     Start▾   Duration    Name, indented by de|\n"
				"          0    13.0 ms    outer               |\n"
				"     100 µs     200 µs     first              |\n"
				"     150 µs     100 µs      inner             |\n"
				"     400 µs    12.3 ms     second             |\n"
				"    20.0 ms          0    last                |\n" HASHES);
}
END_TEST

/* The last row counts, and the next one does not. */
START_TEST(only_times_in_view_widen_the_columns)
{
	profile_free(profile);
	profile = story_load(
		"[" X("a", 0, 100) "," X("b", 200, 100) "," X("c", 400, 86399000000) "]");
	table.profile = table.times.profile = profile;
	list(EVENT_BY_START);
	ck_assert_ptr_nonnull(strstr(drawn(3, false), "     Start▾   Duration    Name"));
	ck_assert_ptr_nonnull(strstr(drawn(4, false), "      Start▾    Duration    Name"));
	ck_assert_ptr_nonnull(strstr(drawn(4, false), " 23 h 59 min    c"));
}
END_TEST

START_TEST(a_long_name_keeps_both_ends)
{
	profile_free(profile);
	profile = story_load("[" X("abcdefghijklmnopqrstuvwxyz", 0, 100) "]");
	table.profile = table.times.profile = profile;
	list(EVENT_BY_START);
	ck_assert_ptr_nonnull(strstr(drawn(3, false), "     100 µs    abcdefghij…rstuvwxyz|"));
}
END_TEST

/* Nothing is drawn below the rectangle, however many spans there are. */
START_TEST(rows_end_with_the_rectangle)
{
	for (int rows = 0; rows < 6; rows++) {
		const char *at = drawn(rows, false);

		for (int row = 0; row < ROWS; row++) {
			bool is_kept = row < 1 || row > rows;

			ck_assert_msg((strncmp(at, HASHES, strlen(HASHES)) == 0) == is_kept,
				      "row %d of %d rows", row, rows);
			at = strchr(at, '\n') + 1;
		}
	}
}
END_TEST

START_TEST(no_events_are_named)
{
	table.n = 0;
	ck_assert_ptr_nonnull(strstr(drawn(4, false), "  nothing here"));
	ck_assert_ptr_null(strstr(drawn(4, false), "outer"));
}
END_TEST

/* The mark stands at the column of the order; the last row counts what is below. */
START_TEST(orders_have_their_marks)
{
	list(EVENT_BY_DURATION);
	ck_assert_str_eq(drawn(5, false),
			 HASHES "      Start  Duration▾    Name, indented by de|\n"
				"          0    13.0 ms    outer               |\n"
				"     400 µs    12.3 ms     second             |\n"
				"     100 µs     200 µs     first              |\n"
				"… 2 more                                      |\n" HASHES HASHES);
	list(EVENT_BY_SELF);
	table.is_reversed = true;
	ck_assert_ptr_nonnull(strstr(drawn(6, false), "20.0 ms          0    last"));
	list(EVENT_BY_NAME);
	ck_assert_ptr_nonnull(strstr(drawn(6, false), "Name, indented by de|"));
}
END_TEST

/* From 90 cells on there are self times. */
START_TEST(wide_tables_have_self_times)
{
	static const struct rect r = { 0, 0, 4, 90 };

	grid_done(&grid);
	grid_init(&grid, ROWS, 90);
	event_table_draw(&grid, r, &table);
	buf_clear(&text);
	grid_format(&grid, false, &text);
	ck_assert_ptr_nonnull(strstr(buf_text(&text), "     Start▾   Duration       Self    Name"));
	ck_assert_ptr_nonnull(strstr(buf_text(&text), "   0    13.0 ms     455 µs    outer"));
	ck_assert_int_eq(event_table_sort_at(&table, r, 0), EVENT_BY_START);
	ck_assert_int_eq(event_table_sort_at(&table, r, 25), EVENT_BY_SELF);
	ck_assert_int_eq(event_table_sort_at(&table, r, 40), EVENT_BY_NAME);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "table", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, columns_are_as_wide_as_their_times);
	tcase_add_test(t, only_times_in_view_widen_the_columns);
	tcase_add_test(t, a_long_name_keeps_both_ends);
	tcase_add_test(t, rows_end_with_the_rectangle);
	tcase_add_test(t, no_events_are_named);
	tcase_add_test(t, orders_have_their_marks);
	tcase_add_test(t, wide_tables_have_self_times);
}

int main(void)
{
	return suite_run("event_table", add_tests);
}
