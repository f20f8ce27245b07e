/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranges of time that are selected with keys: what they cover, and what follows them. Windows that
 * are asked for by their time: what is selected in them. */
#include "config.h"

#include "stage.h"
#include "story.h"

#include "base/alloc.h"
#include "ui/chart/range.h"
#include "ui/state.h"

#define MS INT64_C(1000000)

/* main() calls a, b, a, c for 100 ms each; it is idle before and after that. */
static void setup(void)
{
	stage_open(story_load("{'nodes':[{'id':1,'callFrame':{'functionName':'(root)','scriptId':"
			      "'0','url':''},'children':[2,6]},"
			      "{'id':2,'callFrame':{'functionName':'main','scriptId':'1','url':"
			      "'file:///srv/app.js','lineNumber':1,'columnNumber':1},"
			      "'children':[3,4,5]},"
			      "{'id':3,'callFrame':{'functionName':'a','scriptId':'1','url':"
			      "'file:///srv/app.js','lineNumber':9,'columnNumber':1}},"
			      "{'id':4,'callFrame':{'functionName':'b','scriptId':'1','url':"
			      "'file:///srv/app.js','lineNumber':19,'columnNumber':1}},"
			      "{'id':5,'callFrame':{'functionName':'c','scriptId':'1','url':"
			      "'file:///srv/app.js','lineNumber':29,'columnNumber':1}},"
			      "{'id':6,'callFrame':{'functionName':'(idle)','scriptId':'0','url':"
			      "''}}],'startTime':0,'endTime':600000,'samples':[6,3,4,3,5,6],"
			      "'timeDeltas':[0,100000,100000,100000,100000,100000]}"),
		   &(struct app_options){ 0 }, 24, 100);
	draw();
	/* The first call of a(). */
	play("g^llhj");
	draw();
}

static void teardown(void)
{
	stage_close();
}

static void expect_range(int64_t t0, int64_t t1)
{
	ck_assert(app->range.is_pinned);
	ck_assert_int_eq(app->range.t0, t0 * MS);
	ck_assert_int_eq(app->range.t1, t1 * MS);
}

/* Each row: the keys, and the range in ms. */
static const struct {
	const char *keys;
	int64_t t0, t1;
} cases[] = {
	{ "v", 100, 200 },     { "vl", 100, 300 },      { "vlll", 100, 500 },
	{ "vlh", 100, 200 },   { "v.", 100, 400 },      { "llvh", 200, 400 },
	{ "llvhh", 100, 400 }, { "llvhhol", 100, 500 }, { "lvolo", 200, 400 },
	{ "vk", 100, 500 },    { "V", 100, 200 },       { "vlv", 100, 300 },
	{ "vlww", 100, 300 },  { "vlvlll", 100, 300 },  { "vlv2!1", 100, 300 },
};

START_TEST(range_goes_from_span_to_span)
{
	play(cases[_i].keys);
	expect_range(cases[_i].t0, cases[_i].t1);
}
END_TEST

/* The length is on the ruler, and the tables have the times of the range. */
START_TEST(all_panes_are_about_the_range)
{
	play("5vl");
	ck_assert(shows("200 ms"));
	ck_assert(shows("pinned"));
	ck_assert(shows("100 ms  50.0"));
	play("l");
	ck_assert(shows("200 ms  66.7"));
	play("<Esc>");
	ck_assert(!app->range.is_pinned);
	ck_assert(!shows("pinned"));
	ck_assert(shows("200 ms  50.0"));
}
END_TEST

START_TEST(enter_zooms_and_lets_the_panes_follow)
{
	play("vl<Enter>");
	ck_assert(!app->range.is_pinned);
	ck_assert(!app->range.is_on);
	ck_assert_int_eq(app->s.view.t0, 100 * MS);
	ck_assert_int_eq(app->s.view.t1, 300 * MS);
	play("<Backspace>");
	ck_assert_int_eq(app->s.view.t0, app->s.view.t_min);
	ck_assert_int_eq(app->s.view.t1, app->s.view.t_max);
}
END_TEST

/* Keys that are not of the range do what they do elsewhere. */
START_TEST(other_keys_work_meanwhile)
{
	play("vw");
	ck_assert(app->range.is_on);
	ck_assert_int_lt(app->s.view.t1 - app->s.view.t0, app->s.view.t_max - app->s.view.t_min);
	expect_range(100, 200);
	play("2");
	ck_assert(!app->range.is_on);
	play("1v<Tab>");
	ck_assert_int_eq(state_context(app), KEYMAP_PANE);
	play("<Tab>");
	ck_assert_int_eq(state_context(app), KEYMAP_RANGE);
}
END_TEST

/* Ways to ask for a window, from the first call of a() on, and the window in ms. */
static const struct {
	const char *keys;
	int64_t t0, t1;
} windows[] = {
	{ ":300ms,400ms<Enter>", 300, 400 },
	{ ":320ms,380ms<Enter>", 320, 380 },
	{ ":520ms,580ms<Enter>", 520, 580 },
	{ ":310ms,390ms<Enter>ma0g^'a", 310, 390 },
	{ ":300ms,400ms<Enter>:120ms,180ms<Enter><Backspace>", 300, 400 },
};

/* The keys that select begin at what is on the screen: none of them leaves the window. */
START_TEST(selection_is_inside_the_window_that_was_asked_for)
{
	const struct span *span = &app->s.chart.selected;
	static const char *const next[] = { "j", "k", "jk" };

	for (size_t i = 0; i < ARRAY_LEN(next); i++) {
		play("0g^llhj");
		play(windows[_i].keys);
		ck_assert_int_eq(app->s.view.t0, windows[_i].t0 * MS);
		ck_assert_int_eq(app->s.view.t1, windows[_i].t1 * MS);
		ck_assert(app->s.chart.has_selection);
		ck_assert(span->t0 < app->s.view.t1 && span->t1 > app->s.view.t0);
		play(next[i]);
		ck_assert_int_eq(app->s.view.t0, windows[_i].t0 * MS);
		ck_assert_int_eq(app->s.view.t1, windows[_i].t1 * MS);
	}
}
END_TEST

/* A call that sticks out of the window would lead out of it again. */
START_TEST(selection_in_a_window_is_the_first_call_that_fits)
{
	play(":250ms,550ms<Enter>");
	ck_assert_int_eq(app->s.chart.selected.t0, 400 * MS);
	ck_assert_int_eq(app->s.chart.selected.depth, 1);
	play("<Enter>");
	ck_assert_int_eq(app->s.view.t0, 400 * MS);
	ck_assert_int_eq(app->s.view.t1, 500 * MS);
}
END_TEST

START_TEST(copy_is_about_the_window_that_was_asked_for)
{
	play("5:210ms,290ms<Enter>yy");
	ck_assert_ptr_nonnull(strstr(buf_text(&app->copied), "from 210.0 ms to 290.0 ms"));
}
END_TEST

START_TEST(merged_views_have_no_ranges)
{
	play("2v");
	ck_assert(!app->range.is_on);
	ck_assert(shows("ranges are on the time line; 1 shows it"));
}
END_TEST

/* The part of a span outside of the window does not count. */
START_TEST(ends_are_clipped_to_the_window)
{
	play("k");
	viewport_set(&app->s.view, 250 * MS, 450 * MS);
	play("v");
	expect_range(250, 450);
}
END_TEST

/* A preview takes the place of the one before when the range is complete. */
START_TEST(selecting_is_not_settled)
{
	ck_assert(app_is_settled(app));
	play("v");
	ck_assert(!app_is_settled(app));
	play("v");
	ck_assert(app_is_settled(app));
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "range", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, range_goes_from_span_to_span, 0, N(cases));
	tcase_add_test(t, all_panes_are_about_the_range);
	tcase_add_test(t, enter_zooms_and_lets_the_panes_follow);
	tcase_add_test(t, other_keys_work_meanwhile);
	tcase_add_loop_test(t, selection_is_inside_the_window_that_was_asked_for, 0, N(windows));
	tcase_add_test(t, selection_in_a_window_is_the_first_call_that_fits);
	tcase_add_test(t, copy_is_about_the_window_that_was_asked_for);
	tcase_add_test(t, merged_views_have_no_ranges);
	tcase_add_test(t, ends_are_clipped_to_the_window);
	tcase_add_test(t, selecting_is_not_settled);
}

int main(void)
{
	return suite_run("range", add_tests);
}
