/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process that is shown live, without a process: profiles as they follow each other. */
#include "config.h"

#include "stage.h"
#include "story.h"

#include "ui/app_state.h"
#include "ui/chart/live.h"
#include "ui/state.h"

#define ROWS 40
#define COLS 100
#define ZERO_US INT64_C(1700000000000)

/* Functions take turns by the clock: `a` runs for 100 ms, `b` for 150 ms, then nothing for 250. */
static struct profile *load(int64_t start_us, int64_t length_us)
{
	struct buf out = { 0 };
	struct profile *p;
	int n = (int)(length_us / 10000);

	buf_adds(&out,
		 "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\","
		 "\"scriptId\":\"0\",\"url\":\"\",\"lineNumber\":-1,\"columnNumber\":-1},"
		 "\"children\":[2,3,4]}");
	for (int i = 0; i < 3; i++)
		buf_addf(&out,
			 ",{\"id\":%d,\"callFrame\":{\"functionName\":\"%s\",\"scriptId\":\"%d\","
			 "\"url\":\"%s\",\"lineNumber\":%d,\"columnNumber\":1}}",
			 i + 2,
			 i == 2      ? "(idle)"
				 : i ? "bbb"
				     : "aaa",
			 i, i == 2 ? "" : "file:///srv/x.js", i);
	buf_addf(&out, "],\"startTime\":%lld,\"endTime\":%lld,\"samples\":[", (long long)start_us,
		 (long long)(start_us + length_us + 1000000));
	for (int i = 0; i < n; i++) {
		int64_t at = (start_us / 10000 + i) % 50;

		buf_addf(&out, "%s%d", i ? "," : "", at < 10 ? 2 : at < 25 ? 3 : 4);
	}
	buf_adds(&out, "],\"timeDeltas\":[0");
	for (int i = 1; i < n; i++)
		buf_adds(&out, ",10000");
	buf_adds(&out, "]}");
	p = story_load(buf_text(&out));
	buf_done(&out);
	return p;
}

static struct app_live live;

static void setup(void)
{
	live = (struct app_live){ .is_moving = true,
				  .length_ns = LIVE_NS,
				  .sort = 1,
				  .now_ns = 60 * NS_PER_S,
				  .title = "node x.js" };
	stage_open(load(ZERO_US, 60000000), &(struct app_options){ .live = &live }, ROWS, COLS);
}

/* The profile of `us` later, or (below 0) with that time before it, and its app, as the program
 * makes them. */
static void go_on(int64_t us)
{
	struct profile *next = load(ZERO_US + us, 60000000 + (us < 0 ? -us : 0));
	struct app_state state;
	struct app *before = app;

	app_state_get(app, &state);
	app = app_new(next, &(struct app_options){ .live = &live, .state = &state });
	app_resize(app, ROWS, COLS);
	app_state_done(&state);
	app_free(before);
	profile_free(profile);
	profile = next;
}

static int64_t length(void)
{
	return app->s.view.t1 - app->s.view.t0;
}

static int pane_rows(void)
{
	struct screen_layout layout;

	draw();
	state_layout(app, &layout);
	return app->is_pane_open ? layout.pane.rows : 0;
}

/* The chart has a title and a row: the list has all others, in each second the same, and on a low
 * screen, too, until the user closes it. */
START_TEST(rows_that_the_chart_does_not_need_are_those_of_the_list)
{
	struct screen_layout layout;
	int rows = pane_rows(), height = chart_height(&app->s.chart);

	state_layout(app, &layout);
	ck_assert_int_eq(height, 2);
	ck_assert_int_eq(layout.lanes.rows, ROWS / 5);
	go_on(1000000);
	ck_assert_int_eq(pane_rows(), rows);
	/* As many as were needed since the last key. */
	live.chart_rows = 12;
	go_on(1000000);
	ck_assert_int_eq(pane_rows(), rows - (12 - ROWS / 5));
	go_on(1000000);
	ck_assert_int_eq(pane_rows(), rows - (12 - ROWS / 5));
	play("j");
	ck_assert_int_eq(pane_rows(), rows);
	app_resize(app, 24, COLS);
	rows = pane_rows();
	ck_assert_int_ge(rows, CULPRIT_PANE_MIN);
	go_on(1000000);
	app_resize(app, 24, COLS);
	ck_assert_int_eq(pane_rows(), rows);
	live.chart_rows = 19;
	ck_assert_int_eq(pane_rows(), 0);
	play("j");
	ck_assert_int_eq(pane_rows(), rows);
	play("7q");
	ck_assert_int_eq(pane_rows(), 0);
	play("j");
	ck_assert_int_eq(pane_rows(), 0);
}
END_TEST

START_TEST(the_window_is_the_last_seconds)
{
	draw();
	ck_assert_int_eq(length(), LIVE_NS);
	ck_assert_int_le(app->s.view.t1, live.now_ns);
	ck_assert_int_gt(app->s.view.t1, live.now_ns - LIVE_NS / COLS);
	go_on(1000000);
	ck_assert_int_eq(length(), LIVE_NS);
	ck_assert_int_gt(app->s.view.t1, live.now_ns - LIVE_NS / COLS);
	/* Of a process that has only begun, too. */
	live.now_ns = 2 * NS_PER_S;
	app_resize(app, ROWS, COLS);
	ck_assert_int_eq(length(), LIVE_NS);
	ck_assert_int_eq(app->s.view.t0, 0);
}
END_TEST

/* The first row below the title of the lane. */
static void row_of_calls(struct cell out[COLS])
{
	int row = 0;

	draw();
	while (row < grid.rows &&
	       !(grid_at(&grid, row, 2)->ch == 'm' && grid_at(&grid, row, 3)->ch == 'a'))
		row++;
	ck_assert_int_lt(row, grid.rows - 1);
	for (int c = 0; c < COLS; c++)
		out[c] = *grid_at(&grid, row + 1, c);
}

START_TEST(a_second_later_the_chart_is_the_same_moved_by_whole_columns)
{
	struct cell before[COLS], now[COLS];
	int by = COLS / 5;

	play("s");
	play("w");
	row_of_calls(before);
	go_on(1003000);
	row_of_calls(now);
	/* Without the first calls, whose beginning has left. */
	for (int c = by + 12; c < COLS - by; c++)
		ck_assert_int_eq(now[c - by].ch, before[c].ch);
}
END_TEST

START_TEST(w_makes_it_shorter_and_s_longer_within_limits)
{
	static const int longer[] = { 10, 20, 30, 60, 60 }, shorter[] = { 30, 20, 10, 5, 2, 1, 1 };

	for (size_t i = 0; i < ARRAY_LEN(longer); i++) {
		play("s");
		ck_assert_int_eq(length(), longer[i] * NS_PER_S);
	}
	ck_assert(shows("as long as it can be"));
	for (size_t i = 0; i < ARRAY_LEN(shorter); i++) {
		play("w");
		ck_assert_int_eq(length(), shorter[i] * NS_PER_S);
	}
	ck_assert(shows("as short as it can be"));
	ck_assert(live.is_moving);
	go_on(1000000);
	ck_assert_int_eq(length(), NS_PER_S);
}
END_TEST

START_TEST(p_freezes_and_goes_on)
{
	int64_t t0 = app->s.view.t0;

	ck_assert(shows("7 Live"));
	ck_assert(shows(" live"));
	ck_assert(shows("p freeze"));
	play("p");
	ck_assert(!live.is_moving);
	ck_assert(shows("7 Functions"));
	ck_assert(shows("frozen"));
	/* All that is kept: the same window, by the clock. */
	go_on(-30000000);
	ck_assert_int_eq(app->s.view.t0, t0 + 30 * NS_PER_S);
	play("p");
	ck_assert(live.is_moving);
	ck_assert(shows("7 Live"));
	go_on(2000000);
	ck_assert(live.is_moving);
	ck_assert_int_gt(app->s.view.t1, live.now_ns - LIVE_NS / COLS);
}
END_TEST

START_TEST(space_freezes_only_while_it_moves)
{
	play("<Space>");
	ck_assert(!live.is_moving);
	play("<Space>");
	ck_assert(!live.is_moving);
	play("p");
	ck_assert(live.is_moving);
	play("7");
	play("<Space>");
	ck_assert(!live.is_moving);
}
END_TEST

START_TEST(a_key_that_needs_another_window_freezes)
{
	static const char *const keys[] = { "a", "A", "0", "<Enter>", "^", ":1s<Enter>" };

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		live.is_moving = true;
		go_on(1000000 * (int64_t)i);
		ck_assert(live.is_moving);
		play(keys[i]);
		ck_assert_msg(!live.is_moving, "%s", keys[i]);
	}
}
END_TEST

START_TEST(other_keys_do_not)
{
	static const char *const keys[] = { "j",  "l", "4", "5", "7", "8",           "<Tab>", "T",
					    "oi", "z", "z", "?", "q", "/aaa<Enter>", "]" };

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		play(keys[i]);
		draw();
		ck_assert_msg(live.is_moving, "%s", keys[i]);
		go_on(1000000 * (int64_t)i);
	}
}
END_TEST

START_TEST(the_list_has_the_shares_of_the_last_seconds)
{
	ck_assert(shows("  20.0 %  20.0 %  20.0 %"));
	ck_assert(shows("  30.0 %  30.0 %  30.0 %"));
	ck_assert(shows("busy 50.0 %"));
	ck_assert(shows("10 s\342\226\276"));
	play("7>");
	ck_assert(shows("60 s\342\226\276"));
	go_on(1000000);
	ck_assert(shows("60 s\342\226\276"));
	ck_assert_uint_eq(live.cursor, 0);
	play("j");
	go_on(2000000);
	ck_assert(shows("2 of 2"));
	play("jjjkk");
	ck_assert(shows("1 of 2"));
	play("I");
	go_on(3000000);
	ck_assert(shows("60 s\342\226\264"));
}
END_TEST

START_TEST(of_the_two_panes_of_functions_one_is_there)
{
	for (int i = 0; i < 20; i++) {
		play("7]");
		ck_assert(!shows("7 Functions"));
		play("[[");
		ck_assert(!shows("7 Functions"));
	}
	play("7p");
	for (int i = 0; i < 20; i++) {
		play("]");
		ck_assert(!shows("7 Live"));
	}
}
END_TEST

START_TEST(the_header_tells_of_silence_and_of_the_end)
{
	snprintf(live.silence, sizeof live.silence, "no answer since 2.2 s");
	ck_assert(shows("no answer since 2.2 s"));
	live.silence[0] = '\0';
	ck_assert(!shows("no answer"));
	ck_assert(shows("node x.js"));
	play("p");
	live.has_ended = true;
	ck_assert(shows("ended"));
	ck_assert(!shows("p go on"));
	play("p");
	ck_assert(!live.is_moving);
	ck_assert(live.wants_rest);
	ck_assert(shows("the process has ended"));
}
END_TEST

START_TEST(files_are_not_frozen)
{
	struct app *other = app_new(profile, &(struct app_options){ 0 });
	struct app *is = app;

	app_resize(other, ROWS, COLS);
	app = other;
	play("p");
	ck_assert(shows("nothing moves"));
	ck_assert(!shows("p freeze"));
	play(":save x<Enter>");
	ck_assert(shows("save is for flametty live"));
	app = is;
	app_free(other);
}
END_TEST

static bool saved;

static bool save(void *ctx, const char *path, bool is_forced, struct buf *said)
{
	(void)ctx;
	ck_assert_str_eq(path, "/tmp/a b");
	ck_assert(is_forced);
	buf_adds(said, "wrote it");
	saved = true;
	return true;
}

START_TEST(save_asks_the_program)
{
	const struct app_host host = { .save = save };

	app_free(app);
	app = app_new(profile, &(struct app_options){ .live = &live, .host = &host });
	app_resize(app, ROWS, COLS);
	play(":save<Enter>");
	ck_assert(shows("save wants the name of a file"));
	play(":save! /tmp/a b<Enter>");
	ck_assert(shows("wrote it"));
	ck_assert(saved);
	ck_assert(live.is_moving);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(tc, setup, stage_close);
	tcase_add_test(tc, rows_that_the_chart_does_not_need_are_those_of_the_list);
	tcase_add_test(tc, the_window_is_the_last_seconds);
	tcase_add_test(tc, a_second_later_the_chart_is_the_same_moved_by_whole_columns);
	tcase_add_test(tc, w_makes_it_shorter_and_s_longer_within_limits);
	tcase_add_test(tc, p_freezes_and_goes_on);
	tcase_add_test(tc, space_freezes_only_while_it_moves);
	tcase_add_test(tc, a_key_that_needs_another_window_freezes);
	tcase_add_test(tc, other_keys_do_not);
	tcase_add_test(tc, the_list_has_the_shares_of_the_last_seconds);
	tcase_add_test(tc, of_the_two_panes_of_functions_one_is_there);
	tcase_add_test(tc, the_header_tells_of_silence_and_of_the_end);
	tcase_add_test(tc, files_are_not_frozen);
	tcase_add_test(tc, save_asks_the_program);
}

int main(void)
{
	return suite_run("live", add_tests);
}
