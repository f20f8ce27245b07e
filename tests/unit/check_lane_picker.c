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

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "lane picker", SUITE_SECONDS);

	tcase_add_test(t, lists_lanes_the_busiest_first);
	tcase_add_test(t, typing_finds_parts_of_names);
	tcase_add_test(t, enter_opens_the_lane_and_scrolls_to_it);
	tcase_add_test(t, escape_changes_nothing);
	tcase_add_test(t, only_lanes_in_view_are_measured);
}

int main(void)
{
	return suite_run("lane_picker", add_tests);
}
