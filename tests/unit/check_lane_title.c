/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Titles of folded lanes, titles that stay at the top, and marks of a selection off the screen. */
#include "config.h"

#include "stage.h"
#include "story.h"

#include "ui/chart/lanes.h"
#include "ui/state.h"

/* Two threads of 1000 us: on each, a > b > ... > p for the first half and idle for the other. */
static void open_threads(void)
{
	struct buf text = { 0 };

	buf_adds(&text, "[");
	for (int tid = 1; tid < 3; tid++) {
		buf_addf(&text,
			 "%s{'ph':'P','name':'Profile','id':'%d','pid':1,'tid':%d,'ts':1,"
			 "'args':{'data':{'startTime':0}}},"
			 "{'ph':'P','name':'ProfileChunk','id':'%d','pid':1,'tid':%d,'ts':1,"
			 "'args':{'data':{'endTime':1000,'cpuProfile':{'nodes':["
			 "{'id':1,'callFrame':{'functionName':'(root)'}},"
			 "{'id':2,'parent':1,'callFrame':{'functionName':'(idle)'}}",
			 tid > 1 ? "," : "", tid, tid, tid, tid);
		for (int i = 0; i < 16; i++)
			buf_addf(&text,
				 ",{'id':%d,'parent':%d,'callFrame':{'functionName':'%c',"
				 "'url':'file:///app.js'}}",
				 i + 3, i ? i + 2 : 1, 'a' + i);
		buf_adds(&text, "],'samples':[18,2]},'timeDeltas':[0,500]}}}");
	}
	buf_adds(&text, "]");
	stage_open(story_load(buf_text(&text)), &(struct app_options){ 0 }, 16, 80);
	buf_done(&text);
	draw();
}

START_TEST(folded_lane_shows_its_share_and_its_activity)
{
	open_threads();
	ck_assert(!app->s.lanes[1].is_open);
	ck_assert(shows("50.0 % \342\226\210\342\226\210"));
	/* Of the window: in its first half the thread is busy throughout. */
	viewport_set(&app->s.view, 0, 400000);
	ck_assert(shows("100.0 % \342\226\210"));
	lanes_open(&app->s, 1, true);
	ck_assert(!shows("100.0 % \342\226\210"));
	stage_close();
}
END_TEST

/* Whatever row the cursor is in. */
START_TEST(whole_profile_begins_with_the_title)
{
	open_threads();
	app->s.lanes[0].is_whole = true;
	play("jjjjjjjjjjjjjjjw");
	draw();
	ck_assert_int_gt(app->s.view.scroll, 0);
	play("0");
	draw();
	ck_assert_int_eq(app->s.view.scroll, 0);
	ck_assert_int_eq(app->s.chart.selected.depth, 15);
	stage_close();
}
END_TEST

START_TEST(title_stays_at_the_top_with_the_path)
{
	open_threads();
	app->s.lanes[0].is_whole = true;
	play("jjjjjjjjjjjjjjj");
	ck_assert(shows("thread 1"));
	ck_assert(shows("e \342\200\272 f \342\200\272 g \342\200\272 "));
	ck_assert_int_eq(chart_sticky(&app->s.chart, 10), 0);
	stage_close();
}
END_TEST

START_TEST(title_at_the_top_is_a_title_for_the_mouse)
{
	struct screen_layout layout;
	struct chart_place at;

	open_threads();
	app->s.lanes[0].is_whole = true;
	play("jjjjjjjjjjjjjjj");
	draw();
	state_layout(app, &layout);
	ck_assert(chart_hit(&app->s.chart, layout.lanes, layout.lanes.row, 3, &at));
	ck_assert_int_eq(at.lane, 0);
	ck_assert_int_eq(at.depth, -1);
	ck_assert(chart_hit(&app->s.chart, layout.lanes, layout.lanes.row + 1, 3, &at));
	ck_assert_int_ge(at.depth, 0);
	stage_close();
}
END_TEST

START_TEST(selection_off_the_screen_has_a_mark_at_its_edge)
{
	open_threads();
	play("jjj");
	viewport_set(&app->s.view, 600000, 900000);
	ck_assert(shows("\342\227\202 100 \302\265s"));
	viewport_set(&app->s.view, 0, 1000000);
	app->s.lanes[0].is_whole = true;
	play("jjjjjjjjjjjj");
	draw();
	play("g");
	ck_assert(shows("\342\226\276 p "));
	play("kkkkkkkkkkkkkkkk");
	play("G");
	ck_assert(shows("\342\226\264 a "));
	stage_close();
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "titles", SUITE_SECONDS);

	tcase_add_test(t, folded_lane_shows_its_share_and_its_activity);
	tcase_add_test(t, whole_profile_begins_with_the_title);
	tcase_add_test(t, title_stays_at_the_top_with_the_path);
	tcase_add_test(t, title_at_the_top_is_a_title_for_the_mouse);
	tcase_add_test(t, selection_off_the_screen_has_a_mark_at_its_edge);
}

int main(void)
{
	return suite_run("lane_title", add_tests);
}
