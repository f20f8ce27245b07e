/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verdict below the header, and the keys that go from finding to finding. */
#include "config.h"

#include "stage.h"
#include "story.h"

#include "ui/chart/select.h"
#include "ui/state.h"

#define MS INT64_C(1000000)

/* 1,000 samples of 1 ms: n_idle idle, then slow() up to 700, then slower(). */
static void open_idle(int n_idle)
{
	struct buf text = { 0 };

	buf_adds(&text,
		 "{'nodes':[{'id':1,'callFrame':{'functionName':'(root)','scriptId':'0',"
		 "'url':''},'children':[2,5]},"
		 "{'id':2,'callFrame':{'functionName':'main','scriptId':'1','url':"
		 "'file:///srv/app.js','lineNumber':1,'columnNumber':1},'children':[3,4]},"
		 "{'id':3,'callFrame':{'functionName':'slow','scriptId':'1','url':"
		 "'file:///srv/app.js','lineNumber':9,'columnNumber':1}},"
		 "{'id':4,'callFrame':{'functionName':'slower','scriptId':'1','url':"
		 "'file:///srv/other.js','lineNumber':19,'columnNumber':1}},"
		 "{'id':5,'callFrame':{'functionName':'(idle)','scriptId':'0','url':''}}],"
		 "'startTime':0,'endTime':1000000,'samples':[");
	for (int i = 0; i < 1000; i++)
		buf_addf(&text, "%s%d", i ? "," : "", i < n_idle ? 5 : i < 700 ? 3 : 4);
	buf_adds(&text, "],'timeDeltas':[0");
	for (int i = 1; i < 1000; i++)
		buf_adds(&text, ",1000");
	buf_adds(&text, "]}");
	stage_open(story_load(buf_text(&text)), &(struct app_options){ 0 }, 24, 100);
	buf_done(&text);
	draw();
}

static void setup(void)
{
	open_idle(200);
}

static const char *selected(void)
{
	const struct chart *chart = &app->s.chart;
	const struct lane *lane = chart->lanes[chart->lane].lane;

	ck_assert(chart->has_selection);
	return profile_text(chart->profile,
			    profile_node_frame(chart->profile, lane, chart->selected.node)->name);
}

/* The row below the header, without blanks at its end. */
static const char *bar(void)
{
	static char text[512];
	size_t n = 0;

	draw();
	for (int col = 0; col < grid.cols && n + 4 < sizeof text; col++)
		n += buf_encode_utf8(grid_at(&grid, 1, col)->ch, text + n);
	while (n && text[n - 1] == ' ')
		n--;
	text[n] = '\0';
	return text;
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

START_TEST(verdict_is_on_the_first_screen)
{
	ck_assert_msg(begins(bar(), " slow app.js:10 63 %    slower other.js:20 38 %"), "%s",
		      bar());
	ck_assert(strstr(bar(), "! next"));
}
END_TEST

START_TEST(key_goes_to_the_finding_with_a_tenth_of_margin)
{
	const struct findings_stop *stop;

	play("!");
	ck_assert_msg(begins(bar(), " 1 of "), "%s", bar());
	ck_assert(strstr(bar(), "slow app.js:10"));
	ck_assert_str_eq(selected(), "slow");
	stop = &app->walk.stops[0];
	ck_assert_int_eq(stop->t0 - app->s.view.t0, (stop->t1 - stop->t0) / 10);
	ck_assert_int_eq(app->s.view.t1 - stop->t1, (stop->t1 - stop->t0) / 10);
	play("!");
	ck_assert_str_eq(selected(), "slower");
}
END_TEST

START_TEST(walk_has_no_ends)
{
	int n;

	play("!");
	n = app->walk.n_stops;
	ck_assert_int_ge(n, 2);
	play("@");
	ck_assert_int_eq(app->walk.at, n - 1);
	play("!");
	ck_assert_int_eq(app->walk.at, 0);
	for (int i = 0; i < n; i++)
		play("!");
	ck_assert_int_eq(app->walk.at, 0);
	ck_assert_int_eq(app->walk.n_stops, n);
	play("1k"); /* the walk ends */
	play("@");
	ck_assert_int_eq(app->walk.at, app->walk.n_stops - 1);
}
END_TEST

/* That the lane is idle is a statement about all of it: there is nothing to go to. */
START_TEST(first_key_passes_over_statements)
{
	stage_close();
	open_idle(920);
	ck_assert_msg(begins(bar(), " idle 92 %"), "%s", bar());
	play("!");
	ck_assert_msg(begins(bar(), " 2 of "), "%s", bar());
	ck_assert_str_eq(selected(), "slower");
	play("@");
	ck_assert_msg(begins(bar(), " 1 of "), "%s", bar());
}
END_TEST

START_TEST(back_returns_to_the_window_before)
{
	int64_t t0 = app->s.view.t0, t1 = app->s.view.t1;

	play("!<Backspace>");
	ck_assert_int_eq(app->s.view.t0, t0);
	ck_assert_int_eq(app->s.view.t1, t1);
	ck_assert(begins(bar(), " slow app.js:10"));
}
END_TEST

START_TEST(moving_the_cursor_ends_the_walk)
{
	play("!k");
	ck_assert_msg(!begins(bar(), " 1 of "), "%s", bar());
}
END_TEST

/* Another window: the old line is dim until its own findings are there. */
START_TEST(old_verdict_is_dim_until_the_new_one_is_there)
{
	struct budget one = budget_steps(1, 1);

	ck_assert_int_ne(grid_at(&grid, 1, 1)->ink, ROLE_DIM);
	app_key(app, 'w');
	app_update(app, &one);
	app_draw(app, &grid);
	ck_assert_int_eq(grid_at(&grid, 1, 1)->ch, 's');
	ck_assert_int_eq(grid_at(&grid, 1, 1)->ink, ROLE_DIM);
	draw();
	ck_assert_int_ne(grid_at(&grid, 1, 1)->ink, ROLE_DIM);
}
END_TEST

/* `n` lanes of 30 samples of heavy() and rest(), from 12 of heavy() on; lane 17 has 30 of odd()
 * besides. */
static void open_lanes(int n)
{
	struct buf text = { 0 };

	buf_adds(&text,
		 "{'$schema':'https://www.speedscope.app/file-format-schema.json','shared':{"
		 "'frames':[{'name':'main','file':'file:///srv/app.js','line':1},"
		 "{'name':'heavy','file':'file:///srv/heavy.js','line':2},"
		 "{'name':'rest','file':'file:///srv/rest.js','line':7},"
		 "{'name':'odd','file':'file:///srv/odd.js','line':3}]},'profiles':[");
	for (int i = 0; i < n; i++) {
		int n_samples = i == 17 ? 60 : 30;

		buf_addf(&text,
			 "%s{'type':'sampled','name':'worker %d','unit':'milliseconds',"
			 "'startValue':0,'endValue':%d,'samples':[",
			 i ? "," : "", i, n_samples * 10);
		for (int k = 0; k < n_samples; k++)
			buf_addf(&text, "%s[0,%d]", k ? "," : "",
				 k < 12 + i % 9   ? 1
					 : k < 30 ? 2
						  : 3);
		buf_adds(&text, "],'weights':[");
		for (int k = 0; k < n_samples; k++)
			buf_adds(&text, k ? ",10" : "10");
		buf_adds(&text, "]}");
	}
	buf_adds(&text, "]}");
	stage_close();
	stage_open(story_load(buf_text(&text)), &(struct app_options){ .start = APP_START_CULPRIT },
		   24, 100);
	buf_done(&text);
	draw();
}

/* Without its number. */
static const char *lane_here(void)
{
	static struct buf name;

	buf_clear(&name);
	lane_name_brief(app->base, app->s.chart.lanes[app->s.chart.lane].lane, &name);
	return buf_text(&name);
}

START_TEST(few_lanes_are_told_one_by_one)
{
	open_lanes(FINDINGS_MANY - 1);
	ck_assert_msg(!strstr(bar(), "lanes"), "%s", bar());
	ck_assert_ptr_nonnull(app->walk.lane);
}
END_TEST

START_TEST(many_lanes_are_told_together)
{
	const struct findings_result *r;

	open_lanes(FINDINGS_MANY);
	ck_assert_msg(begins(bar(), " heavy 52 % in 50 of 50 lanes"), "%s", bar());
	r = findings_walk_result(app);
	ck_assert_ptr_nonnull(r);
	ck_assert_int_eq(r->busy, (FINDINGS_MANY + 1) * 300 * MS);
	ck_assert_int_eq(r->task_t1 - r->task_t0, 600 * MS);
	/* What main() calls is in it: all of its sentence's lanes say so. */
	for (uint32_t i = 0; i < r->n; i++)
		if (r->list[i].kind == FINDING_HALF)
			for (uint32_t k = 0; k < r->n; k++)
				ck_assert_int_eq(r->list[i].parts >> k & 1, k != i);
	/* The first picture is of the lane with the most. */
	ck_assert_str_eq(lane_here(), "worker 8");
	ck_assert_str_eq(selected(), "heavy");
}
END_TEST

START_TEST(walk_goes_to_lanes)
{
	size_t len;

	open_lanes(FINDINGS_MANY);
	play("!");
	ck_assert_msg(
		begins(bar(), " 1 of 4  heavy heavy.js:2 52 % (33 to 67 %) in 50 of 50 lanes"),
		"%s", bar());
	ck_assert_str_eq(lane_here(), "worker 8");
	play("!");
	ck_assert(begins(bar(), " 2 of 4  rest rest.js:7 46 %"));
	ck_assert_str_eq(lane_here(), "worker 0");
	ck_assert_str_eq(selected(), "rest");
	play("!yy");
	ck_assert_str_eq(lane_here(), "worker 17");
	ck_assert_str_eq(selected(), "odd");
	ck_assert_msg(begins(app_copied(app, &len),
			     "test: odd odd.js:3 50 % in 1 of 50 lanes, worker 17\n300 ms of "),
		      "%s", app_copied(app, &len));
	/* Another lane: the walk has ended, and the line is that of all lanes. */
	play("[");
	ck_assert_str_ne(lane_here(), "worker 17");
	ck_assert(!findings_walk_is_on(app));
	play("0");
	ck_assert_msg(begins(bar(), " heavy 52 % in 50 of 50 lanes"), "%s", bar());
}
END_TEST

/* The work ends with the scene, and goes on in steps with each window. */
START_TEST(findings_of_many_lanes_come_in_steps)
{
	struct budget one = budget_steps(1, 1);
	int n = 0;

	open_lanes(FINDINGS_MANY);
	app_key(app, 'w');
	app_update(app, &one);
	ck_assert(!findings_walk_result(app));
	app_draw(app, &grid);
	ck_assert_int_eq(grid_at(&grid, 1, 1)->ink, ROLE_DIM);
	for (; !findings_walk_result(app) && n < 10000; n++) {
		one = budget_steps(1, 1);
		app_update(app, &one);
	}
	ck_assert_int_gt(n, FINDINGS_MANY);
	ck_assert_msg(begins(bar(), " rest "), "%s", bar());
	/* Without heavy(). */
	play("0");
	app_key(app, 'w');
	one = budget_steps(1, 1);
	app_update(app, &one);
	play("0xh");
	ck_assert_msg(begins(bar(), " rest ") && !strstr(bar(), "heavy"), "%s", bar());
}
END_TEST

#define SLOW                                                                                       \
	"test: slow app.js:10 63 %\n500 ms of 800 ms busy; blocked at most 800 ms at 0.20 s: "     \
	"1 task of 50 ms or more, 100 % of the busy time; 63 % of that in slow app.js:10; "        \
	"look at 200 ms to 250 ms"

static const struct {
	const char *keys, *text;
} copies[] = {
	{ "yy", SLOW },
	{ "!yy", SLOW },
	{ "!!yy",
	  "test: slower other.js:20 38 %\n300 ms of 800 ms busy; look at 700 ms to 750 ms" },
	/* The cursor has been moved. */
	{ "jyy",
	  "test: slow /srv/app.js:10 - 500 ms self, 62.5 % of 800 ms busy\n"
	  "by main app.js:2; 500 ms at 200 ms" },
	{ "jlyy",
	  "test: slower /srv/other.js:20 - 300 ms self, 37.5 % of 800 ms busy\n"
	  "by main app.js:2; 300 ms at 700 ms" },
};

START_TEST(finding_is_copied_until_the_cursor_is_moved)
{
	size_t len;

	play(copies[_i].keys);
	ck_assert_str_eq(app_copied(app, &len), copies[_i].text);
}
END_TEST

/* What needs more than a key's time goes on between keys, and ends with the next key. */
START_TEST(waiting_ends_with_the_next_key)
{
	app->walk.steps = 1;
	ck_assert(app_is_opening(app));
	app_key(app, KEYC_ESC);
	ck_assert(!app_is_opening(app));
	app->walk.steps = 1;
	for (int i = 0; i < 1000 && app_is_opening(app); i++)
		app_timeout(app);
	ck_assert_str_eq(selected(), "slow");
	ck_assert(begins(bar(), " 1 of "));
	play("<Backspace>");
	ck_assert(begins(bar(), " slow app.js:10"));
}
END_TEST

/* The finding takes back the words about waiting; no key is needed. */
START_TEST(words_about_waiting_end_with_it)
{
	app->walk.steps = 1;
	state_say(app, false, "looking for findings; Esc stops it");
	for (int i = 0; i < 1000 && app_is_opening(app); i++)
		app_timeout(app);
	ck_assert_str_eq(selected(), "slow");
	ck_assert(!shows("looking for findings"));
	/* Other words stay. */
	play("k");
	app->walk.steps = 1;
	state_say(app, false, "another file");
	for (int i = 0; i < 1000 && app_is_opening(app); i++)
		app_timeout(app);
	ck_assert(shows("another file"));
}
END_TEST

START_TEST(waiting_ends_on_a_screen_that_is_too_small)
{
	app_resize(app, 2, 10);
	app->walk.steps = 1;
	for (int i = 0; i < 1000 && app_is_opening(app); i++)
		app_timeout(app);
	ck_assert(!app_is_opening(app));
	ck_assert_str_eq(selected(), "slow");
}
END_TEST

/* The row of the pane that has a text. */
static int row_of(const char *text)
{
	struct screen_layout layout;
	struct buf line = { 0 };
	int found = -1;

	draw();
	state_layout(app, &layout);
	for (int row = layout.pane.row; found < 0 && row < layout.pane.row + layout.pane.rows;
	     row++) {
		buf_clear(&line);
		for (int col = 0; col < grid.cols; col++)
			buf_add_utf8(&line, grid_at(&grid, row, col)->ch);
		if (strstr(buf_text(&line), text))
			found = row;
	}
	buf_done(&line);
	ck_assert_int_ge(found, 0);
	return found;
}

START_TEST(rows_of_panes_are_copied_also_during_the_walk)
{
	size_t len;

	play("!5<Home>yy");
	ck_assert_ptr_nonnull(strstr(bar(), "1 of "));
	ck_assert_str_eq(app_copied(app, &len),
			 "test: slow /srv/app.js:10 - 55.0 ms self, 100.0 % of 55.0 ms busy "
			 "from 195.0 ms to 255.0 ms\n"
			 "by main app.js:2");
	play("<Tab>yy");
	ck_assert_str_eq(app_copied(app, &len), SLOW);
}
END_TEST

START_TEST(place_of_a_finding_is_seen)
{
	play("7z!");
	ck_assert(!app->is_pane_max);
	ck_assert(select_is_shown(app));
	play("<Space>!");
	ck_assert(select_is_shown(app));
	ck_assert_str_eq(selected(), "slower");
}
END_TEST

START_TEST(walk_passes_a_place_where_nothing_can_be_selected)
{
	play("!");
	app->s.chart.has_selection = false;
	app->walk.has_selected = false;
	play("!");
	ck_assert_int_eq(app->walk.at, 1);
	ck_assert_str_eq(selected(), "slower");
}
END_TEST

START_TEST(lines_of_the_summary_are_links)
{
	app_resize(app, 60, 100);
	app_command(app, CMD_SUMMARY, 1);
	ck_assert_int_eq(grid_at(&grid, row_of("slow app.js:10"), 4)->fill, ROLE_ROW);
	app_command(app, CMD_ROW_DOWN, 1);
	ck_assert_int_eq(grid_at(&grid, row_of("slower other.js:20"), 4)->fill, ROLE_ROW);
	app_command(app, CMD_ROW_SHOW, 1);
	ck_assert_str_eq(selected(), "slower");
	ck_assert_msg(begins(bar(), " 2 of "), "%s", bar());
	app_mouse(app, &(struct app_mouse){ row_of("slow app.js:10"), 8, APP_MOUSE_CLICK, false });
	ck_assert_str_eq(selected(), "slow");
	ck_assert(begins(bar(), " 1 of "));
}
END_TEST

/* A program that is never done with the picture takes all of a processor. */
START_TEST(summary_without_findings_is_complete)
{
	int n = 0;

	stage_close();
	stage_open(
		story_load("{'traceEvents':[{'ph':'X','ts':0,'dur':10,'name':'a','pid':1,'tid':1,"
			   "'cat':'c'}]}"),
		&(struct app_options){ 0 }, 24, 100);
	app_command(app, CMD_SUMMARY, 1);
	for (draw(); n < 100 && app_wait_ms(app) >= 0; n++) {
		app_timeout(app);
		draw();
	}
	ck_assert_int_lt(n, 100);
	ck_assert(strstr(bar(), "slices without CPU samples"));
}
END_TEST

/* Below the last link the page scrolls, and back. */
START_TEST(cursor_scrolls_below_the_last_link)
{
	app_command(app, CMD_SUMMARY, 1);
	draw();
	app_command(app, CMD_ROW_DOWN, 10);
	ck_assert_int_eq(app->summary.lines.link, app->summary.lines.n_links - 1);
	ck_assert_uint_gt(app->summary.lines.top, 0);
	app_command(app, CMD_ROW_UP, 100);
	ck_assert_int_eq(app->summary.lines.link, 0);
	ck_assert_uint_eq(app->summary.lines.top, 0);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "walk", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, stage_close);
	tcase_add_test(t, verdict_is_on_the_first_screen);
	tcase_add_test(t, key_goes_to_the_finding_with_a_tenth_of_margin);
	tcase_add_test(t, walk_has_no_ends);
	tcase_add_test(t, first_key_passes_over_statements);
	tcase_add_test(t, back_returns_to_the_window_before);
	tcase_add_test(t, moving_the_cursor_ends_the_walk);
	tcase_add_test(t, old_verdict_is_dim_until_the_new_one_is_there);
	tcase_add_test(t, few_lanes_are_told_one_by_one);
	tcase_add_test(t, many_lanes_are_told_together);
	tcase_add_test(t, walk_goes_to_lanes);
	tcase_add_test(t, findings_of_many_lanes_come_in_steps);
	tcase_add_loop_test(t, finding_is_copied_until_the_cursor_is_moved, 0, N(copies));
	tcase_add_test(t, rows_of_panes_are_copied_also_during_the_walk);
	tcase_add_test(t, place_of_a_finding_is_seen);
	tcase_add_test(t, walk_passes_a_place_where_nothing_can_be_selected);
	tcase_add_test(t, lines_of_the_summary_are_links);
	tcase_add_test(t, summary_without_findings_is_complete);
	tcase_add_test(t, cursor_scrolls_below_the_last_link);
	tcase_add_test(t, waiting_ends_with_the_next_key);
	tcase_add_test(t, words_about_waiting_end_with_it);
	tcase_add_test(t, waiting_ends_on_a_screen_that_is_too_small);
}

int main(void)
{
	return suite_run("findings_walk", add_tests);
}
