/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which rows the chart folds into the row of the trunk, and how the user unfolds them. */
#include "config.h"

#include "stage.h"
#include "story.h"

#include "ui/state.h"

#define FOLDED "\342\213\257 3 frames  "

/* Ten samples of 100 us: nodes 2 > 3 > 4 > 5 in all of them but the last `idle` ones, and 6 below 5
 * in half of them. */
static void open_stage(const char *third_url, const char *third_line, int idle)
{
	struct buf text = { 0 };

	buf_addf(&text,
		 "{'nodes':[{'id':1,'callFrame':{'functionName':'(root)','scriptId':'0','url':''},"
		 "'children':[2,7]},"
		 "{'id':2,'callFrame':{'functionName':'','scriptId':'1','url':"
		 "'node:internal/main/run_main_module','lineNumber':0,'columnNumber':0},"
		 "'children':[3]},"
		 "{'id':3,'callFrame':{'functionName':'require','scriptId':'2','url':"
		 "'node:internal/modules/helpers','lineNumber':99,'columnNumber':9},"
		 "'children':[4]},"
		 "{'id':4,'callFrame':{'functionName':'','scriptId':'3','url':'%s',"
		 "'lineNumber':%s,'columnNumber':0},'children':[5]},"
		 "{'id':5,'callFrame':{'functionName':'main','scriptId':'3','url':"
		 "'file:///srv/app.js','lineNumber':9,'columnNumber':0},'children':[6]},"
		 "{'id':6,'callFrame':{'functionName':'work','scriptId':'3','url':"
		 "'file:///srv/app.js','lineNumber':19,'columnNumber':0}},"
		 "{'id':7,'callFrame':{'functionName':'(idle)','scriptId':'0',"
		 "'url':''}}],'startTime':0,'endTime':10000,'samples':[",
		 third_url, third_line);
	for (int i = 0; i < 100; i++)
		buf_addf(&text, "%s%d", i ? "," : "", i >= 100 - idle ? 7 : i % 2 ? 5 : 6);
	buf_adds(&text, "],'timeDeltas':[0");
	for (int i = 1; i < 100; i++)
		buf_adds(&text, ",100");
	buf_adds(&text, "]}");
	stage_open(story_load(buf_text(&text)), &(struct app_options){ .fold = FOLD_RUNTIME }, 24,
		   80);
	/* Its calls have rows of their own. */
	app->s.lanes[0].is_unfolded = true;
	buf_done(&text);
	draw();
}

static const struct {
	const char *url, *line;
	int idle, rows;
} cases[] = {
	{ "file:///srv/app.js", "0", 0, 3 }, /* a module as a whole */
	{ "file:///srv/app.js", "1", 0, 2 }, /* a function of the program */
	{ "node:internal/x", "7", 0, 3 },    /* the runtime */
	{ "", "-1", 0, 3 },                  /* no place */
	{ "file:///srv/app.js", "0", 5, 3 }, /* 95 % of the window */
	{ "file:///srv/app.js", "0", 6, 0 }, /* less */
};

START_TEST(rows_with_nearly_all_time_that_only_start_are_folded)
{
	open_stage(cases[_i].url, cases[_i].line, cases[_i].idle);
	ck_assert_int_eq(chart_depth_of_row(&app->s.lanes[0], 0),
			 cases[_i].rows ? cases[_i].rows - 1 : 0);
	ck_assert_int_eq(chart_lane_rows(&app->s.lanes[0]),
			 5 - (cases[_i].rows ? cases[_i].rows - 1 : 0));
	ck_assert(shows(FOLDED) == (cases[_i].rows == 3));
	ck_assert(shows("main"));
	stage_close();
}
END_TEST

START_TEST(depths_and_rows_match)
{
	struct chart_lane *cl;

	open_stage("file:///srv/app.js", "0", 0);
	cl = &app->s.lanes[0];
	ck_assert_int_eq(chart_row_of_depth(cl, 0), 0);
	ck_assert_int_eq(chart_row_of_depth(cl, 2), 0);
	ck_assert_int_eq(chart_row_of_depth(cl, 3), 1);
	ck_assert_int_eq(chart_depth_of_row(cl, 0), 2);
	for (int row = 0; row < chart_lane_rows(cl); row++)
		ck_assert_int_eq(chart_row_of_depth(cl, chart_depth_of_row(cl, row)), row);
	stage_close();
}
END_TEST

#define RUN "\342\213\257 node:modules"

/* Calls of Node.js are one row, which the trunk begins with. */
static void open_folded(void)
{
	open_stage("file:///srv/app.js", "0", 0);
	app->s.lanes[0].is_unfolded = false;
	draw();
	ck_assert(shows(RUN));
}

START_TEST(space_on_the_trunk_unfolds_it_and_folds_it_again)
{
	open_folded();
	play("<Space>");
	draw();
	ck_assert(!shows(RUN) && shows("require"));
	play("<Space>");
	draw();
	ck_assert(shows(RUN));
	/* F folds the lane. */
	play("jjF");
	ck_assert_int_eq(chart_lane_rows(&app->s.lanes[0]), 0);
	stage_close();
}
END_TEST

START_TEST(option_shows_all_rows)
{
	open_folded();
	play("of");
	draw();
	ck_assert(!shows(RUN) && shows("require"));
	play("of");
	draw();
	ck_assert(shows(RUN));
	stage_close();
}
END_TEST

START_TEST(merged_calls_have_a_trunk)
{
	open_folded();
	play("2");
	draw();
	ck_assert(shows(RUN));
	play("<Space>");
	draw();
	ck_assert(!shows(RUN) && shows("require"));
	play("<Space>3");
	draw();
	ck_assert(!shows(RUN));
	stage_close();
}
END_TEST

/* The innermost row is what the window shows. */
START_TEST(last_row_is_never_folded)
{
	open_stage("file:///srv/app.js", "0", 0);
	play("jjjxs");
	ck_assert(!shows(FOLDED));
	stage_close();
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "trunk", SUITE_SECONDS);

	tcase_add_loop_test(t, rows_with_nearly_all_time_that_only_start_are_folded, 0, N(cases));
	tcase_add_test(t, depths_and_rows_match);
	tcase_add_test(t, space_on_the_trunk_unfolds_it_and_folds_it_again);
	tcase_add_test(t, option_shows_all_rows);
	tcase_add_test(t, merged_calls_have_a_trunk);
	tcase_add_test(t, last_row_is_never_folded);
}

int main(void)
{
	return suite_run("trunk", add_tests);
}
