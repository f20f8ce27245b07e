/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of lanes to pick from. */
#include "config.h"

#include "stage.h"
#include "story.h"

#include "ui/chart/select.h"
#include "ui/state.h"

/* `n` threads `pool-1`, `pool-2` ...; thread i is busy for i microseconds, in calls of at most 3.
 */
static void open_pool(int n)
{
	struct buf text = { 0 };

	buf_adds(&text, "[");
	for (int i = 1; i <= n; i++) {
		buf_addf(&text,
			 "%s{'ph':'M','name':'thread_name','pid':1,'tid':%d,"
			 "'args':{'name':'pool-%d'}}",
			 i > 1 ? "," : "", i, i);
		for (int t = 0; t < i; t += 3)
			buf_addf(&text, ",{'ph':'X','name':'a','pid':1,'tid':%d,'ts':%d,'dur':%d}",
				 i, t * 2, i - t < 3 ? i - t : 3);
	}
	buf_adds(&text, "]");
	stage_open(story_load(buf_text(&text)), &(struct app_options){ 0 }, 20, 80);
	buf_done(&text);
	draw();
}

START_TEST(lists_lanes_the_busiest_first)
{
	open_pool(12);
	play("L");
	ck_assert_int_eq(app->lane_picker.n_found, 12);
	ck_assert(shows("12 of 12 lanes"));
	for (int i = 0; i < 12; i++)
		ck_assert_int_eq(app->s.lanes[app->lane_picker.found[i]].lane->busy_ns,
				 (12 - i) * 1000);
	/* All are slices, which the list does not say; bars are on one scale. */
	ck_assert(shows("12.0 \302\265s ▇▇▇▇         -        3.00 \302\265s ▇ "));
	ck_assert(shows("6.00 \302\265s ▇▇  "));
	ck_assert(!shows("Kind"));
	stage_close();
}
END_TEST

START_TEST(typing_finds_parts_of_names)
{
	open_pool(12);
	play("tOL-1");
	ck_assert_int_eq(app->lane_picker.n_found, 4);
	ck_assert(shows("pool-10") && shows("pool-1 "));
	play("1");
	ck_assert_int_eq(app->lane_picker.n_found, 1);
	play("x");
	ck_assert(shows("0 of 12 lanes"));
	play("<Enter>");
	ck_assert_int_eq(app->prompt.kind, PROMPT_NONE);
	stage_close();
}
END_TEST

START_TEST(enter_opens_the_lane_and_scrolls_to_it)
{
	int lane;

	open_pool(40);
	play("Lpool-5");
	lane = app->lane_picker.found[0];
	app->s.lanes[lane].is_hidden = true;
	play("<Enter>");
	ck_assert_int_eq(app->s.chart.lane, lane);
	ck_assert_int_eq(app->s.lanes[lane].lane->busy_ns, 5000);
	ck_assert(app->s.lanes[lane].is_open && !app->s.lanes[lane].is_hidden);
	draw();
	ck_assert(app->s.chart.has_selection && select_is_shown(app));
	/* The second of the list. */
	play("L<Down><Enter>");
	ck_assert_int_eq(state_lane(app)->busy_ns, 39000);
	ck_assert(shows("pool-39"));
	stage_close();
}
END_TEST

START_TEST(escape_changes_nothing)
{
	char *before, *after;

	open_pool(12);
	before = picture(true);
	play("Lpool<Down><Down><Esc>");
	after = picture(true);
	ck_assert_str_eq(before, after);
	ck_assert_int_eq(app->prompt.kind, PROMPT_NONE);
	free(before);
	free(after);
	stage_close();
}
END_TEST

/* A picture costs by the rows that are shown. */
START_TEST(only_lanes_in_view_are_measured)
{
	int n_known = 0;

	open_pool(300);
	play("L");
	draw();
	ck_assert_int_le((int)app->lane_picker.lines.n, 20);
	for (int i = 0; i < app->s.chart.n_lanes; i++)
		n_known += app->lane_picker.longest[i] >= 0;
	ck_assert_int_gt(n_known, 0);
	ck_assert_int_le(n_known, 20);
	for (int i = 0; i < 30; i++)
		play("<Down>");
	draw();
	ck_assert_int_eq(app->lane_picker.cursor, 30);
	ck_assert(shows("pool-270"));
	stage_close();
}
END_TEST

/* `n` threads in each of `processes`; the busiest process is the last one. */
static void open_processes(int processes, int n)
{
	struct buf text = { 0 };

	for (int i = 0; i < processes * n; i++)
		buf_addf(&text,
			 "%s{'ph':'X','name':'a','pid':%d,'tid':%d,'ts':0,'dur':%d},"
			 "{'ph':'M','name':'thread_name','pid':%d,'tid':%d,"
			 "'args':{'name':'thread-%d'}}",
			 i > 0 ? "," : "[", 10 + i / n, 10 + i, 1 + i / n + i % n, 10 + i / n,
			 10 + i, i);
	buf_adds(&text, "]");
	stage_open(story_load(buf_text(&text)), &(struct app_options){ 0 }, 24, 100);
	buf_done(&text);
	draw();
}

START_TEST(many_lanes_are_in_groups)
{
	open_processes(3, 20);
	play("L");
	draw();
	ck_assert_int_eq(app->lane_picker.n_found, 3);
	ck_assert(shows("3 groups, 60 lanes"));
	/* 3 to 22 us; then 1 to 20, of which the bar is as much shorter. */
	ck_assert(shows("250 \302\265s ▇▇▇▇▇▇▇▇"));
	ck_assert(shows("210 \302\265s ▇▇▇▇▇▇▊"));
	ck_assert(shows("▸ process 12, 20 lanes"));
	ck_assert_int_eq(app->lane_picker.groups[2].busy_ns, 210000);
	stage_close();
}
END_TEST

START_TEST(enter_opens_a_group)
{
	open_processes(3, 20);
	play("L<Down><Enter>");
	draw();
	ck_assert_int_eq(app->prompt.kind, PROMPT_LANES);
	ck_assert_int_eq(app->lane_picker.cursor, 1);
	ck_assert_int_eq(app->lane_picker.n_found, 23);
	ck_assert(shows("▾ process 11, 20 lanes"));
	/* Its busiest lane is the first one, and is gone to. */
	play("<Down><Enter>");
	ck_assert_int_eq(app->prompt.kind, PROMPT_NONE);
	ck_assert_int_eq(state_lane(app)->pid, 11);
	ck_assert_int_eq(state_lane(app)->busy_ns, 21000);
	/* Enter again folds it; all are folded when the list is opened. */
	play("L<Down><Enter><Enter>");
	ck_assert_int_eq(app->lane_picker.n_found, 3);
	play("<Esc>");
	stage_close();
}
END_TEST

START_TEST(typing_finds_lanes_of_folded_groups)
{
	open_processes(3, 20);
	play("Lthread-27");
	draw();
	ck_assert_int_eq(app->lane_picker.n_found, 1);
	ck_assert(shows("1 of 60 lanes"));
	play("<Enter>");
	ck_assert_int_eq(state_lane(app)->tid, 37);
	stage_close();
}
END_TEST

/* Without colours, a bar on the page would be as bright as the row with the cursor around it. */
START_TEST(bars_are_on_the_row_with_the_cursor)
{
	int n_bars = 0;

	open_pool(12);
	play("L");
	draw();
	for (int row = 0; row < grid.rows; row++) {
		for (int col = 0; col < grid.cols; col++) {
			const struct cell *c = grid_at(&grid, row, col);

			if (grid_at(&grid, row, grid.cols - 1)->fill != ROLE_ROW ||
			    c->ink != ROLE_BUSY)
				continue;
			ck_assert_int_eq(c->fill, ROLE_ROW);
			n_bars++;
		}
	}
	ck_assert_int_eq(n_bars, 4);
	stage_close();
}
END_TEST

START_TEST(few_lanes_and_small_groups_are_not_grouped)
{
	open_processes(3, 16);
	play("L");
	ck_assert_int_eq(app->lane_picker.n_found, 48);
	stage_close();
	open_processes(60, 1);
	play("L");
	ck_assert_int_eq(app->lane_picker.n_found, 60);
	stage_close();
	open_processes(1, 60);
	play("L");
	ck_assert_int_eq(app->lane_picker.n_found, 60);
	stage_close();
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "lane picker", SUITE_SECONDS);

	tcase_add_test(t, lists_lanes_the_busiest_first);
	tcase_add_test(t, typing_finds_parts_of_names);
	tcase_add_test(t, enter_opens_the_lane_and_scrolls_to_it);
	tcase_add_test(t, escape_changes_nothing);
	tcase_add_test(t, only_lanes_in_view_are_measured);
	tcase_add_test(t, many_lanes_are_in_groups);
	tcase_add_test(t, enter_opens_a_group);
	tcase_add_test(t, typing_finds_lanes_of_folded_groups);
	tcase_add_test(t, bars_are_on_the_row_with_the_cursor);
	tcase_add_test(t, few_lanes_and_small_groups_are_not_grouped);
}

int main(void)
{
	return suite_run("lane_picker", add_tests);
}
