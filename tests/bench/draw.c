/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a picture costs: the columns of one lane alone, and whole frames with overview and pane.
 * Runs move to other windows where cached columns would be used again. */
#include "config.h"

#include "subjects.h"

#include "analyse/cover.h"
#include "ui/app.h"
#include "ui/chart/findings_walk.h"

#define COLS BENCH_COLS
#define PAN_COLS 10
#define STEP_NS 6000000 /* limit for a picture, as on a terminal */
#define STEP_RUNS 9
#define BOTH_RUNS 25

/* ---- columns ---- */

struct covering {
	const struct lane *lane;
	struct cover *cover;
	int64_t column_ns;
	int64_t top_ns; /* of the outermost row, summed over the columns */
};

static void start_cover(struct covering *c, int64_t window_ns)
{
	cover_free(c->cover);
	c->cover = cover_new(c->lane);
	c->column_ns = window_ns / COLS + (window_ns % COLS != 0);
}

static void draw_columns(struct covering *c, int64_t t0)
{
	c->top_ns = 0;
	for (int i = 0; i < COLS; i++, t0 += c->column_ns) {
		int n_rows;
		const struct cover_cell *cells = cover_column(c->cover, t0, t0 + c->column_ns,
							      &n_rows);

		c->top_ns += n_rows ? cells[0].all_ns : 0;
	}
}

static void before_whole(void *ctx, int run)
{
	struct covering *c = ctx;

	(void)run;
	start_cover(c, c->lane->t1 - c->lane->t0);
}

static void cover_whole(void *ctx, int run)
{
	struct covering *c = ctx;

	(void)run;
	draw_columns(c, c->lane->t0);
}

static int64_t sampled_ns(const struct lane *lane)
{
	const struct samples *s = &lane->samples;
	int64_t sum = 0;

	for (size_t i = 0; i < s->n; i++)
		sum += s->leaf[i] == NODE_ROOT ? 0 : samples_time(s, i + 1) - samples_time(s, i);
	return sum;
}

/* The columns as a picture asks for them. What counts is the time until they are there. */
static int64_t cover_both(struct covering *c)
{
	struct cover_range list[COLS];
	int64_t before, took;

	before_whole(c, 0);
	for (int i = 0; i < COLS; i++)
		list[i] = (struct cover_range){ c->lane->t0 + c->column_ns * i,
						c->lane->t0 + c->column_ns * (i + 1) };
	before = sheet_wall_ns();
	cover_make_all(c->cover, list, COLS, BUDGET_UNLIMITED);
	took = sheet_wall_ns() - before;
	draw_columns(c, c->lane->t0);
	return took;
}

static void measure_both(struct sheet *sheet, struct covering *c)
{
	struct figure runs[BOTH_RUNS];

	if (sheet->is_counting)
		return;
	for (int i = 0; i < BOTH_RUNS; i++) {
		runs[i] = (struct figure){ .runs = 1, .best_ns = cover_both(c) };
		runs[i].wall_ns = runs[i].best_ns;
	}
	sheet_set(sheet, FIGURE_COVER_BOTH, runs, BOTH_RUNS);
	sheet_check(sheet, c->top_ns == sampled_ns(c->lane), "time in the columns of two threads");
}

static int64_t part_start(const struct lane *lane, int run)
{
	return lane->t0 + (lane->t1 - lane->t0) / 100 * (20 + run);
}

static void before_part(void *ctx, int run)
{
	struct covering *c = ctx;

	(void)run;
	start_cover(c, (c->lane->t1 - c->lane->t0) / 100);
}

static void cover_part(void *ctx, int run)
{
	struct covering *c = ctx;

	draw_columns(c, part_start(c->lane, run));
}

static void cover_pan(void *ctx, int run)
{
	struct covering *c = ctx;

	draw_columns(c, c->lane->t0 + c->column_ns * PAN_COLS * (run + 1));
}

static void measure_cover(const struct subject *subject)
{
	static const struct measure whole = { FIGURE_COVER_WHOLE, before_whole, cover_whole };
	static const struct measure part = { FIGURE_COVER_PART, before_part, cover_part };
	static const struct measure pan = { FIGURE_COVER_PAN, NULL, cover_pan };
	struct covering c = { .lane = subject->lane };

	sheet_measure(subject->sheet, &whole, &c);
	sheet_check(subject->sheet, c.top_ns == sampled_ns(c.lane), "time in the columns");
	measure_both(subject->sheet, &c);
	sheet_measure(subject->sheet, &part, &c);
	start_cover(&c, (c.lane->t1 - c.lane->t0) / 10);
	draw_columns(&c, c.lane->t0);
	sheet_measure(subject->sheet, &pan, &c);
	cover_free(c.cover);
}

/* ---- frames ---- */

/* The findings come after the picture and wait for keys, so they have figures of their own
 * (judge.c). Only the longest step has them here. */
struct framing {
	const struct profile *profile;
	bool has_findings;
	struct app *app;
	struct grid grid;
};

static void open_app(struct framing *f, int64_t t0, int64_t t1)
{
	app_free(f->app);
	f->app = app_new(f->profile, &(struct app_options){ .t0 = t0, .t1 = t1 });
	app_resize(f->app, BENCH_ROWS, BENCH_COLS);
	if (!f->has_findings)
		findings_walk_bar_all(f->app);
}

static void close_app(void *ctx, int run)
{
	struct framing *f = ctx;

	(void)run;
	app_free(f->app);
	f->app = NULL;
}

static void draw(struct framing *f)
{
	app_update(f->app, BUDGET_UNLIMITED);
	app_draw(f->app, &f->grid);
}

static void frame_first(void *ctx, int run)
{
	struct framing *f = ctx;

	(void)run;
	open_app(f, 0, 0);
	draw(f);
}

/* The first picture, drawn in steps between which keys are handled: the longest time that a key
 * waits. */
static int64_t longest_step(struct framing *f)
{
	int64_t longest = 0, before, took;
	bool is_drawn = false;

	close_app(f, 0);
	open_app(f, 0, 0);
	do {
		before = sheet_own_ns();
		if (!is_drawn || app_timeout(f->app) & APP_REDRAW) {
			struct budget budget = budget_ns(STEP_NS);

			app_update(f->app, &budget);
			app_draw(f->app, &f->grid);
		}
		is_drawn = true;
		took = sheet_own_ns() - before;
		longest = took > longest ? took : longest;
	} while (app_wait_ms(f->app) == 0);
	return longest;
}

static void measure_steps(struct sheet *sheet, struct framing *f)
{
	struct figure runs[STEP_RUNS];

	f->has_findings = true;
	for (int i = 0; i < STEP_RUNS; i++) {
		runs[i] = (struct figure){ .runs = 1, .best_ns = longest_step(f) };
		runs[i].wall_ns = runs[i].best_ns;
	}
	f->has_findings = false;
	sheet_set(sheet, FIGURE_FRAME_STEP, runs, STEP_RUNS);
}

/* A window of which nothing is cached. */
static void move_on(void *ctx, int run)
{
	struct framing *f = ctx;

	(void)run;
	app_command(f->app, CMD_PAN_HALF_RIGHT, 2);
}

static void frame_part(void *ctx, int run)
{
	struct framing *f = ctx;

	(void)run;
	draw(f);
}

static void frame_pan(void *ctx, int run)
{
	struct framing *f = ctx;

	(void)run;
	app_command(f->app, CMD_PAN_RIGHT, 1);
	draw(f);
}

static void measure_frames(const struct subject *subject)
{
	static const struct measure first = { FIGURE_FRAME_FIRST, close_app, frame_first };
	static const struct measure part = { FIGURE_FRAME_PART, move_on, frame_part };
	static const struct measure pan = { FIGURE_FRAME_PAN, NULL, frame_pan };
	struct framing f = { .profile = subject->profile };
	int64_t t1 = subject->profile->t1;

	sheet_measure(subject->sheet, &first, &f);
	measure_steps(subject->sheet, &f);
	open_app(&f, t1 / 5, t1 / 5 + t1 / 100);
	draw(&f);
	sheet_measure(subject->sheet, &part, &f);
	open_app(&f, t1 / 5, t1 / 5 + t1 / 10);
	draw(&f);
	sheet_measure(subject->sheet, &pan, &f);
	app_free(f.app);
	grid_done(&f.grid);
}

void measure_draw(const struct subject *subject)
{
	measure_cover(subject);
	measure_frames(subject);
}
