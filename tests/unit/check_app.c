/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface without a terminal. The profile has two threads of made-up calls, and
 * one that has hit counts only; names in it try to steer the terminal. */
#include "config.h"

#include "stage.h"

#include "ui/keymap.h"
#include "ui/state.h"

#include "base/alloc.h"
#include "base/text.h"
#include "model/build/builder.h"
#include "model/build/cpu_builder.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_NODES 200
#define N_SAMPLES 3000
#define N_KEYS SUITE_CASES(20000)
#define N_SEEDS SUITE_CASES(8)

static bool draw_within(struct app *drawn, struct budget *budget)
{
	bool is_complete = app_update(drawn, budget);

	app_draw(drawn, &grid);
	return is_complete;
}

static void draw_app(struct app *drawn)
{
	draw_within(drawn, BUDGET_UNLIMITED);
}

/* xorshift: the same numbers on every machine. */
static uint32_t seed;

static uint32_t next_random(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % below;
}

static void add_nodes(struct builder *b, bool has_hits)
{
	static const char *const names[] = {
		"(idle)",
		"(program)",
		"(garbage collector)",
		"work",
		"\033[2J\033]0;x\007",
		"\346\274\242\345\255\227",
		"",
		"\xff\xfe",
		"aVeryLongNameThatNoColumnOfAnyTableCouldEverShowInFullWhateverItsWidth",
		"e\xcc\x81",
		"render",
		"parse",
	};

	for (uint32_t i = 0; i < N_NODES; i++) {
		const char *name = i == 0 ? "(root)"
			: i <= 3          ? names[i - 1]
					  : names[3 + next_random(ARRAY_LEN(names) - 3)];
		const char *url = i <= 3 ? "" : "file:///srv/\033app/lib/some/where/deep/module.js";
		int64_t line = (int64_t)next_random(4);
		uint32_t frame = cpu_builder_frame(b,
						   &(struct cpu_frame){ name, strlen(name), url,
									strlen(url), "7", 1, line,
									3 });
		uint32_t node = cpu_builder_node(b, cpu_builder_slot(b, i + 1), frame, -1);

		if (has_hits)
			cpu_builder_hits(b, node, (int64_t)next_random(50));
		/* Mostly chains, so that stacks get deep. */
		if (i > 0)
			cpu_builder_parent(b, node,
					   cpu_builder_slot(b,
							    i <= 4 ? 1
								    : i < 100
								    ? i
								    : 5 + next_random(i - 5)));
	}
}

static void add_samples(struct builder *b)
{
	uint32_t slots[N_SAMPLES];
	int64_t deltas[N_SAMPLES];

	for (size_t i = 0; i < N_SAMPLES; i++) {
		slots[i] = cpu_builder_slot(b,
					    1 + (int64_t)next_random(next_random(3) ? N_NODES : 4));
		deltas[i] = (int64_t)next_random(5) * 300000;
	}
	cpu_builder_samples(b, slots, N_SAMPLES);
	cpu_builder_deltas(b, deltas, N_SAMPLES);
}

static void setup(void)
{
	static const struct builder_options raw = { false };
	struct builder *b = builder_new(&raw);
	struct app_options options = { 0 };
	struct error err = ERROR_INIT;

	seed = 2463534242u;
	builder_input(b, "/tmp/\033[31mCPU.20261121.114550.4990.0.001.cpuprofile");
	builder_this_input(b)->format = "cpuprofile";
	builder_this_input(b)->bytes = 1000;
	for (int lane = 0; lane < 3; lane++) {
		cpu_builder_begin(b);
		add_nodes(b, lane == 2);
		if (lane < 2)
			add_samples(b);
		ck_assert_msg(cpu_builder_end(b, 4990, lane, &err), "%s", err.text);
	}
	stage_open(builder_finish(b, &err), &options, 24, 80);
}

/* Invariants after any key. */
static void check_invariants(void)
{
	const struct viewport *view = &app->s.view;
	const struct chart *chart = &app->s.chart;

	ck_assert(view->t_min <= view->t0 && view->t0 < view->t1 && view->t1 <= view->t_max);
	ck_assert_int_ge(view->scroll, 0);
	ck_assert(chart->lane >= 0 && chart->lane < chart->n_lanes);
	if (chart->has_selection) {
		const struct lane *lane = chart->lanes[chart->lane].lane;
		struct span same;

		ck_assert(chart->selected.first < chart->selected.end &&
			  chart->selected.end <= lane->samples.n);
		ck_assert(chart->selected.t0 >= 0 && chart->selected.t1 <= view->t_max);
		ck_assert(span_of_sample(&lane->samples, &lane->tree, chart->selected.first,
					 chart->selected.depth, &same));
		ck_assert(same.node == chart->selected.node && same.t0 == chart->selected.t0 &&
			  same.t1 == chart->selected.t1);
	}
}

static void check_grid(int rows, int cols)
{
	ck_assert_int_eq(grid.rows, rows);
	ck_assert_int_eq(grid.cols, cols);
	for (int i = 0; i < rows * cols; i++)
		ck_assert(!text_is_control(grid.cells[i].ch) || grid.cells[i].ch == 0);
}

static key_code random_key(void)
{
	size_t n = 0;
	struct {
		key_code key[2];
	} bound;
	const char *name;
	char first[16];
	const char *blank;

	while (keymap_row(NULL, n))
		n++;
	if (next_random(20) == 0)
		return next_random(2) ? '1' + next_random(9) : ' ' + next_random(95);
	name = keymap_row(NULL, next_random((uint32_t)n))->keys;
	blank = strchr(name, ' ');
	if (!blank)
		return key_from_name(name);
	snprintf(first, sizeof first, "%.*s", (int)(blank - name), name);
	bound.key[0] = key_from_name(first);
	bound.key[1] = key_from_name(blank + 1);
	return bound.key[next_random(2)];
}

START_TEST(survives_random_keys)
{
	static const struct {
		int rows, cols;
	} sizes[] = {
		{ 24, 80 }, { 1, 1 },   { 10, 40 }, { 50, 200 }, { 15, 41 },
		{ 9, 300 }, { 30, 79 }, { 3, 5 },   { 120, 60 }, { 40, 130 },
	};
	size_t size = 0;

	for (int i = 0; i < N_KEYS; i++) {
		if (i % 200 == 0) {
			size = (size_t)i / 200 % ARRAY_LEN(sizes);
			app_resize(app, sizes[size].rows, sizes[size].cols);
			check_invariants();
		}
		if (next_random(30) == 0) {
			struct app_mouse mouse = { (int)next_random((uint32_t)sizes[size].rows),
						   (int)next_random((uint32_t)sizes[size].cols),
						   APP_MOUSE_CLICK, next_random(2) };

			mouse.what += next_random(5);
			app_mouse(app, &mouse);
		} else {
			app_key(app, random_key());
		}
		check_invariants();
		if (next_random(8) == 0) {
			draw_app(app);
			check_grid(sizes[size].rows, sizes[size].cols);
		}
	}
}
END_TEST

/* Complete the picture with as many pictures as possible. Returns how many were not complete. */
static int draw_hastily(struct buf *out)
{
	int n = 0, n_steps = (int)next_random(20);
	struct budget budget = budget_ns(0);
	bool is_complete = draw_within(app, &budget);

	for (; !is_complete && n < n_steps; n++) {
		budget = budget_steps(1, 1u << next_random(9));
		is_complete = draw_within(app, &budget);
	}
	for (; app_wait_ms(app) >= 0; n++) {
		app_timeout(app);
		budget = budget_ns(0);
		draw_within(app, &budget);
	}
	buf_clear(out);
	grid_format(&grid, true, out);
	return n;
}

/* Unfinished pictures end in the same picture as one complete update. */
START_TEST(haste_makes_the_same)
{
	struct app *patient;
	struct buf is = { 0 }, expected = { 0 };
	int n_unfinished = 0;
	char name[32];

	seed += (uint32_t)_i * 7919;
	snprintf(name, sizeof name, "seed %u", seed);
	patient = app_new(profile, &(struct app_options){ 0 });
	app_resize(patient, 40, 120);
	app_resize(app, 40, 120);
	for (int i = 0; i < 250; i++) {
		key_code key = random_key();

		app_key(app, key);
		app_key(patient, key);
		n_unfinished += draw_hastily(&is);
		draw_app(patient);
		while (app_wait_ms(patient) >= 0) {
			app_timeout(patient);
			draw_app(patient);
		}
		buf_clear(&expected);
		grid_format(&grid, true, &expected);
		check_same_picture(buf_text(&is), buf_text(&expected), name, i);
	}
	ck_assert_int_gt(n_unfinished, 20);
	app_free(patient);
	buf_done(&is);
	buf_done(&expected);
}
END_TEST

START_TEST(commands_all_work)
{
	for (int round = 0; round < 3; round++)
		for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++) {
			app_command(app, id, round * 100);
			check_invariants();
			draw_app(app);
		}
}
END_TEST

START_TEST(back_restores_window)
{
	static const char *const zooms[] = { "w",  "jjj<Enter>", "wl<Enter>", "wwAw",
					     "w$", "wwwddddd",   "ww0" };

	for (size_t i = 0; i < ARRAY_LEN(zooms); i++) {
		struct viewport before = app->s.view;

		play(zooms[i]);
		ck_assert(before.t0 != app->s.view.t0 || before.t1 != app->s.view.t1 || i == 6);
		app_command(app, CMD_BACK, 99);
		ck_assert_int_eq(before.t0, app->s.view.t0);
		ck_assert_int_eq(before.t1, app->s.view.t1);
	}
	play("<Backspace>");
	ck_assert(shows("first window"));
}
END_TEST

START_TEST(pans_go_back_as_one)
{
	struct viewport before;

	play("wwww");
	before = app->s.view;
	play("ddddaad");
	play("<Backspace>");
	ck_assert_int_eq(before.t0, app->s.view.t0);
	ck_assert_int_eq(before.t1, app->s.view.t1);
}
END_TEST

START_TEST(resize_keeps_selection)
{
	struct viewport view;
	struct span span;

	play("jjjww");
	view = app->s.view;
	span = app->s.chart.selected;
	app_resize(app, 3, 3);
	draw_app(app);
	app_resize(app, 60, 200);
	draw_app(app);
	app_resize(app, 24, 80);
	ck_assert_int_eq(view.t0, app->s.view.t0);
	ck_assert_int_eq(view.t1, app->s.view.t1);
	ck_assert_uint_eq(span.node, app->s.chart.selected.node);
	ck_assert_int_eq(span.t0, app->s.chart.selected.t0);
}
END_TEST

START_TEST(down_and_up_again)
{
	struct span before;

	play("jjjj");
	before = app->s.chart.selected;
	play("kkk");
	ck_assert_int_eq(app->s.chart.selected.depth, before.depth - 3);
	play("jjj");
	ck_assert_uint_eq(before.node, app->s.chart.selected.node);
	ck_assert_int_eq(before.t0, app->s.chart.selected.t0);
}
END_TEST

START_TEST(sideways_and_back)
{
	struct span before;

	play("jl");
	before = app->s.chart.selected;
	play("lllhhh");
	ck_assert_int_eq(before.t0, app->s.chart.selected.t0);
	play("..,,");
	check_invariants();
}
END_TEST

START_TEST(same_function_stays_so)
{
	const struct chart *chart = &app->s.chart;
	const struct lane *lane = chart->lanes[chart->lane].lane;
	frame_id frame;
	int64_t t0;

	play("jjj");
	frame = lane->tree.frame[chart->selected.node];
	for (int i = 0; i < 50; i++) {
		t0 = chart->selected.t0;
		play(".");
		ck_assert_uint_eq(lane->tree.frame[chart->selected.node], frame);
		ck_assert(chart->selected.t0 >= t0);
	}
}
END_TEST

START_TEST(counts_repeat)
{
	struct viewport five;

	play("wwww^");
	app_command(app, CMD_PAN_RIGHT, 5);
	five = app->s.view;
	play("^ddddd");
	ck_assert_int_eq(five.t0, app->s.view.t0);
	ck_assert_int_eq(five.t1, app->s.view.t1);
	play("0");
	ck_assert_int_eq(app->s.view.t1, app->s.view.t_max);
}
END_TEST

/* A digit is a key like others: it waits for no other key, and is no count of the next one. */
START_TEST(digits_act_at_once)
{
	struct viewport before;

	ck_assert(!shows("Bottom-up"));
	app_key(app, '5');
	ck_assert(shows("5 Bottom-up"));
	app_key(app, '6');
	ck_assert(shows("Total\342\226\276"));
	app_key(app, '2');
	ck_assert(shows("merged: "));
	app_key(app, '1');
	app_key(app, 'w');
	before = app->s.view;
	play("wd");
	app_command(app, CMD_BACK, 2);
	play("5d");
	app_command(app, CMD_BACK, 1);
	ck_assert_int_eq(before.t0, app->s.view.t0);
	ck_assert_int_eq(before.t1, app->s.view.t1);
}
END_TEST

START_TEST(prefix_shows_what_follows)
{
	app_key(app, 'o');
	ck_assert(shows("c colour by"));
	app_key(app, KEYC_ESC);
	ck_assert(!shows("c colour by"));
	play("oc");
	ck_assert(shows("coloured by file"));
	play("oz");
	ck_assert(shows("no key o z; ? for help"));
	ck_assert_uint_eq(app_key(app, 'Z') & APP_QUIT, 0);
	ck_assert_uint_eq(app_key(app, 'Z'), APP_QUIT);
}
END_TEST

START_TEST(pane_opens_with_screen)
{
	ck_assert(!shows("Bottom-up"));
	app_resize(app, 30, 80);
	ck_assert(shows("Bottom-up"));
	play("<Tab>");
	ck_assert_uint_eq(app_key(app, 'q') & APP_QUIT, 0);
	ck_assert(!shows("Bottom-up"));
	ck_assert_uint_eq(app_key(app, 'q'), APP_QUIT);
}
END_TEST

START_TEST(help_opens_and_closes)
{
	play("?");
	ck_assert(shows("In the chart"));
	app_command(app, CMD_HELP_DOWN, 999);
	ck_assert(shows("close this help"));
	ck_assert_uint_eq(app_key(app, 'q') & APP_QUIT, 0);
	ck_assert(!shows("close this help"));
}
END_TEST

/* The first row of the pane that holds a role; -1: none. */
static int row_of(enum role role)
{
	draw_app(app);
	for (int row = 0; row < grid.rows; row++)
		if (grid_at(&grid, row, 0)->fill == role)
			return row;
	return -1;
}

/* Wheel and clicks move the cursor of the pane that is shown. */
START_TEST(mouse_moves_what_is_shown)
{
	static const char *const kinds[] = { "5", "7", "9" };

	app_resize(app, 40, 100);
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		int first;

		play(kinds[i]);
		play("g");
		first = row_of(ROLE_ROW);
		ck_assert_int_ge(first, 0);
		app_mouse(app,
			  &(struct app_mouse){ .row = first + 1,
					       .col = 5,
					       .what = APP_MOUSE_WHEEL_DOWN });
		ck_assert_int_eq(row_of(ROLE_ROW), first + 3);
		app_mouse(
			app,
			&(struct app_mouse){ .row = first + 2, .col = 5, .what = APP_MOUSE_CLICK });
		ck_assert_msg(row_of(ROLE_ROW) == first + 2, "pane %s: row %d after a click on %d",
			      kinds[i], row_of(ROLE_ROW), first + 2);
		play("q");
	}
}
END_TEST

START_TEST(cursor_of_events_stays_in_view)
{
	app_resize(app, 60, 100);
	play("9z");
	app_command(app, CMD_ROW_DOWN, 30);
	ck_assert_int_gt(row_of(ROLE_ROW), 25);
	app_resize(app, 24, 100);
	ck_assert_int_ge(row_of(ROLE_ROW), 0);
	play("z");
	ck_assert_int_ge(row_of(ROLE_ROW), 0);
}
END_TEST

/* Whether the terminal's cursor is on the first cell that is selected. */
static bool is_on_selection(void)
{
	const struct cell *c;

	draw();
	ck_assert_int_ge(grid.cursor_row, 0);
	c = grid_at(&grid, grid.cursor_row, grid.cursor_col);
	return c->flags & CELL_SELECTED || c->fill == ROLE_ROW || c->ink == ROLE_ROW_MARK;
}

START_TEST(cursor_of_the_terminal_follows_the_selection)
{
	static const char *const keys[] = { "",  "j",     "l", "5",       "j",
					    "G", "<Tab>", "w", "S<Tab>q", "?" };
	int row = -1, moves = 0;

	draw();
	ck_assert_int_eq(grid.cursor_row, -1);
	play(":set cursor on<CR>");
	for (size_t i = 0; i < N(keys); i++) {
		play(keys[i]);
		ck_assert_msg(is_on_selection() == (*keys[i] != '?'), "after %s", keys[i]);
		moves += grid.cursor_row != row;
		row = grid.cursor_row;
	}
	ck_assert_int_ge(moves, 6);
	/* What is typed has it. */
	play("q/ab");
	draw();
	ck_assert_int_eq(grid.cursor_row, grid.rows - 1);
	play("<Esc>:set cursor off<CR>");
	draw();
	ck_assert_int_eq(grid.cursor_row, -1);
}
END_TEST

START_TEST(script_says_what_is_no_key)
{
	struct error err = ERROR_INIT;

	ck_assert(!script_play(&app, "ww<Nonsense>", NULL, &err));
	ck_assert_int_eq(err.offset, 2);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tcase = suite_case(suite, "app", 120);

	tcase_add_checked_fixture(tcase, setup, stage_close);
	tcase_add_test(tcase, survives_random_keys);
	tcase_add_loop_test(tcase, haste_makes_the_same, 0, N_SEEDS);
	tcase_add_test(tcase, commands_all_work);
	tcase_add_test(tcase, back_restores_window);
	tcase_add_test(tcase, pans_go_back_as_one);
	tcase_add_test(tcase, resize_keeps_selection);
	tcase_add_test(tcase, down_and_up_again);
	tcase_add_test(tcase, sideways_and_back);
	tcase_add_test(tcase, same_function_stays_so);
	tcase_add_test(tcase, counts_repeat);
	tcase_add_test(tcase, digits_act_at_once);
	tcase_add_test(tcase, prefix_shows_what_follows);
	tcase_add_test(tcase, pane_opens_with_screen);
	tcase_add_test(tcase, help_opens_and_closes);
	tcase_add_test(tcase, mouse_moves_what_is_shown);
	tcase_add_test(tcase, cursor_of_events_stays_in_view);
	tcase_add_test(tcase, cursor_of_the_terminal_follows_the_selection);
	tcase_add_test(tcase, script_says_what_is_no_key);
}

int main(void)
{
	return suite_run("app", add_tests);
}
