/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many rows open lanes have, and that nothing jumps while the user zooms and pans: on random
 * profiles and on the recordings in data/. */
#include "config.h"

#include "random_profile.h"
#include "stage.h"
#include "story.h"

#include "read/load/load.h"
#include "ui/chart/fit.h"
#include "ui/chart/lanes.h"
#include "ui/chart/select.h"
#include "ui/state.h"

#define SESSIONS 60
#define CAMERA_STEPS 25

static const struct {
	int rows, cols;
} sizes[] = { { 24, 80 }, { 40, 120 }, { 16, 60 }, { 48, 160 } };

static struct profile *load_recordings(const char *const *names, int n)
{
	const char *top = getenv("srcdir");
	char path[4][1024], *files[4];
	struct load_options options = { .files = files, .n_files = n };
	struct load_result result;

	for (int i = 0; i < n; i++) {
		snprintf(path[i], sizeof path[i], "%s/data/%s", top ? top : ".", names[i]);
		files[i] = path[i];
	}
	load_all(&options, &result);
	buf_done(&result.messages);
	return result.profile;
}

static struct profile *some_profile(int i)
{
	static const char *const set[] = {
		"worker-threads/CPU.20261121.114554.5023.0.001.cpuprofile",
		"worker-threads/CPU.20261121.114554.5023.1.004.cpuprofile",
		"worker-threads/CPU.20261121.114554.5023.2.002.cpuprofile",
		"worker-threads/CPU.20261121.114554.5023.3.003.cpuprofile",
	};
	static const char *const trace[] = { "trace/board.json.gz" };

	switch (i % 6) {
	case 0:
		return random_profile(i, 60, 400, 1);
	case 1:
		return load_recordings(set, 4);
	case 2:
		return load_recordings(trace, 1);
	case 3:
		return random_profile(i, 200, 300, 12);
	default:
		return random_profile(i, 60, 400, 2 + i % 7);
	}
}

static void open_some(int i)
{
	int size = i / 6 % (int)N(sizes);

	stage_open(some_profile(i), &(struct app_options){ 0 }, sizes[size].rows, sizes[size].cols);
	random_seed(i);
	draw();
}

/* Random keys that fold, scroll and select. */
static void play_some(void)
{
	static const char *const keys[] = { "j",        "jj",     "]",  "[",    "k",
					    "<C-d>",    "<C-u>",  "G",  "g",    "<Space>",
					    "]<Space>", "5<Tab>", "wj", "jjjj", "of" };

	for (int n = (int)random_below(5); n > 0; n--)
		play(keys[random_below(N(keys))]);
}

static void move_window(void)
{
	static const enum command_id commands[] = { CMD_ZOOM_IN,       CMD_ZOOM_OUT,
						    CMD_PAN_LEFT,      CMD_PAN_RIGHT,
						    CMD_PAN_HALF_LEFT, CMD_PAN_HALF_RIGHT };

	app_command(app, commands[random_below(N(commands))], 1 + (int)random_below(3));
	draw();
}

/* The depths with time in the window, by the columns of a picture. */
static int depths_of_columns(struct app *of, int lane)
{
	struct cover *cover = cover_new(of->s.lanes[lane].lane);
	int deepest = 0;

	for (int c = 0; c < 100; c++) {
		int64_t t0 = viewport_time(&of->s.view, c, 100),
			t1 = viewport_time(&of->s.view, c + 1, 100);
		int n;

		cover_column(cover, t0, t1 > t0 ? t1 : t0 + 1, &n);
		deepest = n > deepest ? n : deepest;
	}
	cover_free(cover);
	return deepest;
}

START_TEST(rows_are_the_depths_that_occur_in_the_window)
{
	open_some(_i);
	for (int n = 0; n < 5; n++) {
		int64_t t0, t1;

		random_range(profile, &t0, &t1);
		viewport_set(&app->s.view, t0, t1);
		app->s.is_moving = false;
		draw();
		for (int i = 0; i < app->s.chart.n_lanes; i++) {
			const struct chart_lane *cl = &app->s.lanes[i];

			if (!cl->is_fitted)
				continue;
			/* A call of no length between two columns is in none of them. */
			ck_assert_int_ge(cl->depths->n, depths_of_columns(app, i));
			if (cl->end_depth + cl->n_rest != cl->depths->n)
				ck_abort_msg("lane %d: %d and %d of %d", i, cl->end_depth,
					     cl->n_rest, cl->depths->n);
		}
	}
	stage_close();
}
END_TEST

/* The screen down to the end of the lanes. To be freed. */
static char *screen_of_chart(void)
{
	struct screen_layout layout;
	struct buf out = { 0 };

	draw();
	state_layout(app, &layout);
	for (int row = layout.lanes.row + layout.lanes.rows; row < grid.rows; row++)
		for (int col = 0; col < grid.cols; col++)
			*grid_at(&grid, row, col) = (struct cell){ .ch = ' ' };
	grid_format(&grid, true, &out);
	return out.data;
}

START_TEST(going_back_to_a_window_gives_the_same_screen)
{
	for (int session = 0; session < 4; session++) {
		char *before, *after;
		struct viewport view;

		open_some(4 * _i + session);
		play_some();
		app_command(app, CMD_REDRAW, 1);
		before = screen_of_chart();
		view = app->s.view;
		for (int n = 0; n < CAMERA_STEPS; n++)
			move_window();
		viewport_set(&app->s.view, view.t0, view.t1);
		app_command(app, CMD_REDRAW, 1);
		after = screen_of_chart();
		if (strcmp(before, after) != 0)
			fprintf(stderr, "%s\n%s\n", before, after);
		ck_assert(strcmp(before, after) == 0);
		free(before);
		free(after);
		stage_close();
	}
}
END_TEST

/* What a step of the window may do: add rows, and move titles down by the rows that were added
 * above. */
static void check_step(const int *tops, const int *rows, int scroll)
{
	int added = 0, height = 0;

	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		int top = chart_lane_top(&app->s.chart, i), moved;

		ck_assert_int_ge(chart_lane_rows(&app->s.lanes[i]), rows[i]);
		moved = (top - app->s.view.scroll) - (tops[i] - scroll);
		/* Rows that are added above the screen scroll away. */
		if (tops[i] >= scroll)
			ck_assert_msg(moved >= 0 && moved <= added, "lane %d: %d of %d", i, moved,
				      added);
		added += chart_lane_rows(&app->s.lanes[i]) - rows[i];
		height = top;
	}
	ck_assert_int_ge(height, 0);
}

START_TEST(titles_only_make_room_for_rows_above_them)
{
	open_some(_i);
	play_some();
	draw();
	for (int n = 0; n < CAMERA_STEPS; n++) {
		int count = app->s.chart.n_lanes, scroll = app->s.view.scroll;
		int *tops = xcalloc((size_t)count, sizeof *tops),
		    *rows = xcalloc((size_t)count, sizeof *rows);

		for (int i = 0; i < count; i++) {
			tops[i] = chart_lane_top(&app->s.chart, i);
			rows[i] = chart_lane_rows(&app->s.lanes[i]);
		}
		move_window();
		check_step(tops, rows, scroll);
		free(tops);
		free(rows);
	}
	stage_close();
}
END_TEST

/* Neither time nor drawing moves a row. */
START_TEST(same_state_gives_the_same_picture)
{
	open_some(_i);
	play_some();
	for (int n = 0; n < 5; n++) {
		char *first, *second;

		move_window();
		first = screen_of_chart();
		app_timeout(app);
		second = screen_of_chart();
		ck_assert(strcmp(first, second) == 0);
		free(first);
		free(second);
	}
	stage_close();
}
END_TEST

/* Two threads, one with three calls for 99 % of its time and ten more in the rest. */
static void open_deep(int rows)
{
	struct builder *b = builder_new(&(struct builder_options){ 0 });
	struct error err = ERROR_INIT;

	builder_input(b, "deep");
	for (int tid = 0; tid < 2; tid++) {
		static const int slots[] = { 4, 14, 4 }, lengths[] = { 6000, 100, 3900 };

		cpu_builder_begin(b);
		for (uint32_t i = 0; i < 14; i++) {
			char name[8];
			int len = snprintf(name, sizeof name, i ? "f%u" : "(root)", i);
			uint32_t frame = cpu_builder_frame(
				b, &(struct cpu_frame){ name, (size_t)len, "", 0, "0", 1, -1, -1 });
			uint32_t node = cpu_builder_node(b, cpu_builder_slot(b, i + 1), frame, -1);

			if (i)
				cpu_builder_parent(b, node, cpu_builder_slot(b, i));
		}
		cpu_builder_start_time(b, 0);
		for (int i = 0; i < 3; i++) {
			uint32_t slot = cpu_builder_slot(b, slots[i]);
			int64_t delta = i ? lengths[i - 1] : 0;

			cpu_builder_samples(b, &slot, 1);
			cpu_builder_deltas(b, &delta, 1);
		}
		cpu_builder_end_time(b, 10000);
		ck_assert_msg(cpu_builder_end(b, 1, tid, &err), "%s", err.text);
	}
	stage_open(builder_finish(b, &err), &(struct app_options){ 0 }, rows, 80);
	draw();
}

START_TEST(lanes_that_fit_have_all_their_rows)
{
	open_deep(40);
	app->is_pane_open = false;
	lanes_open(&app->s, 1, true);
	draw();
	ck_assert_int_eq(chart_lane_rows(&app->s.lanes[0]), 13);
	ck_assert_int_eq(chart_lane_rows(&app->s.lanes[1]), 13);
	stage_close();
}
END_TEST

START_TEST(lanes_that_do_not_fit_have_the_rows_with_98_percent)
{
	open_deep(16);
	lanes_open(&app->s, 1, true);
	draw();
	ck_assert(shows("+9 rows, "));
	ck_assert_int_lt(chart_height(&app->s.chart), 26);
	stage_close();
}
END_TEST

/* Zooming takes no row away, but says what is left in it. */
START_TEST(row_of_the_rest_tells_of_the_window)
{
	open_deep(16);
	ck_assert(shows("rows, "));
	viewport_set(&app->s.view, 0, 3000);
	app->s.is_moving = true;
	ck_assert(!shows("rows, "));
	ck_assert_int_gt(app->s.lanes[0].n_rest, 0);
	app->s.is_moving = false;
	ck_assert(!shows("rows, "));
	ck_assert_int_eq(app->s.lanes[0].n_rest, 0);
	stage_close();
}
END_TEST

START_TEST(space_above_the_rest_opens_and_closes_it)
{
	open_deep(16);
	ck_assert_int_gt(app->s.lanes[0].n_rest, 0);
	while (!fit_is_at_rest(app))
		play("j");
	play("<Space>");
	draw();
	ck_assert_int_eq(app->s.lanes[0].n_rest, 0);
	ck_assert_int_eq(chart_lane_rows(&app->s.lanes[0]), 13);
	play("<Space>");
	draw();
	ck_assert_int_gt(app->s.lanes[0].n_rest, 0);
	stage_close();
}
END_TEST

START_TEST(selection_in_the_rest_has_a_row)
{
	open_deep(16);
	play("jjjjjjjjjjjj");
	draw();
	ck_assert(select_is_shown(app));
	ck_assert_int_gt(app->s.lanes[0].end_depth, app->s.chart.selected.depth);
	stage_close();
}
END_TEST

START_TEST(callers_and_callees_are_both_in_view)
{
	struct screen_layout layout;
	int callers, row;

	open_some(_i);
	for (int n = (int)random_below(12); n > 0; n--)
		play("j");
	play("3");
	while (app_wait_ms(app) >= 0 && app->mode != VIEW_SANDWICH)
		app_timeout(app);
	draw();
	if (app->mode == VIEW_SANDWICH) {
		state_layout(app, &layout);
		callers = chart_lane_rows(&app->s.lanes[0]);
		row = chart_lane_top(&app->s.chart, 1) - 1;
		ck_assert_int_eq(app->s.view.scroll, 0);
		ck_assert_int_le(row, layout.lanes.rows * 2 / 3);
		ck_assert_int_ge(row, layout.lanes.rows / 3);
		ck_assert_int_gt(callers, 0);
		/* The callees begin below their title. */
		ck_assert_int_lt(row + 2, layout.lanes.rows);
		ck_assert_int_le(chart_height(&app->s.chart), layout.lanes.rows);
	}
	stage_close();
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *rows = suite_case(suite, "rows", SUITE_SECONDS);
	TCase *window = suite_case(suite, "window", SUITE_SECONDS);

	tcase_add_loop_test(rows, rows_are_the_depths_that_occur_in_the_window, 0, 24);
	tcase_add_loop_test(rows, callers_and_callees_are_both_in_view, 0, 24);
	tcase_add_test(rows, lanes_that_fit_have_all_their_rows);
	tcase_add_test(rows, lanes_that_do_not_fit_have_the_rows_with_98_percent);
	tcase_add_test(rows, row_of_the_rest_tells_of_the_window);
	tcase_add_test(rows, space_above_the_rest_opens_and_closes_it);
	tcase_add_test(rows, selection_in_the_rest_has_a_row);
	tcase_add_loop_test(window, going_back_to_a_window_gives_the_same_screen, 0, SESSIONS);
	tcase_add_loop_test(window, titles_only_make_room_for_rows_above_them, 0, SESSIONS);
	tcase_add_loop_test(window, same_state_gives_the_same_picture, 0, SESSIONS);
}

int main(void)
{
	return suite_run("fit", add_tests);
}
