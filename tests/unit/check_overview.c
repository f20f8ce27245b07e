/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The overview compared with a loop over all samples, and what it draws. */
#include "config.h"

#include "base/alloc.h"
#include "draw/overview.h"
#include "picture.h"
#include "random_profile.h"
#include "suite.h"

#define COLS 40
#define MAX_LANES 3
#define MANY_LANES 300

static struct profile *profile;
static struct chart_lane lanes[MAX_LANES];
static struct viewport view;
static struct chart chart;
static struct overview overview;

static void begin(int seed, int n_lanes)
{
	profile = random_profile(seed, 30, 200, n_lanes);
	ck_assert_ptr_nonnull(profile);
	memset(lanes, 0, sizeof lanes);
	for (int i = 0; i < n_lanes; i++)
		lanes[i].lane = &profile->lanes[i];
	viewport_init(&view, 0, profile->t1);
	chart = (struct chart){ .profile = profile,
				.lanes = lanes,
				.n_lanes = n_lanes,
				.lane = -1,
				.view = &view };
	overview_begin(&overview, &chart, COLS);
}

static void end(void)
{
	overview_done(&overview);
	profile_free(profile);
}

/* Time of one lane in [t0, t1): everything except idle time. */
static int64_t busy_time(const struct lane *lane, int64_t t0, int64_t t1)
{
	const struct samples *s = &lane->samples;
	int64_t busy = 0;

	for (size_t i = 0; i < s->n; i++) {
		int64_t a = samples_time(s, i) > t0 ? samples_time(s, i) : t0;
		int64_t b = samples_time(s, i + 1) < t1 ? samples_time(s, i + 1) : t1;
		enum category category;

		if (a >= b || s->leaf[i] == NODE_ROOT)
			continue;
		category = profile_node_frame(profile, lane, s->leaf[i])->category;
		busy += category != CATEGORY_IDLE ? b - a : 0;
	}
	return busy;
}

/* What column c must show: the share of the busiest of the lanes of samples, at least 1 where any
 * of them ran. */
static void check_column(int c)
{
	int64_t t0 = viewport_time(&view, c, COLS), t1 = viewport_time(&view, c + 1, COLS);
	int best = 0;

	for (int i = 0; i < chart.n_lanes; i++) {
		int64_t busy = busy_time(lanes[i].lane, t0, t1);
		int height = (int)((double)busy / (double)(t1 - t0) * 255 + 0.5);

		if (busy > 0 && height < 1)
			height = 1;
		if (lanes[i].lane->kind == LANE_SAMPLES && height > best)
			best = height;
	}
	ck_assert_int_eq(overview.busy[c], best);
}

START_TEST(height_is_the_share_of_the_busiest_lane)
{
	begin(_i, 1 + _i % MAX_LANES);
	ck_assert(overview_make(&overview, &chart, BUDGET_UNLIMITED));
	for (int c = 0; c < COLS; c++)
		check_column(c);
	end();
}
END_TEST

/* Slices may only wait: they count only if there are no lanes of samples. */
START_TEST(slices_do_not_count_beside_samples)
{
	struct lane slices;

	begin(1, 2);
	ck_assert_int_eq(overview.kind, LANE_SAMPLES);
	slices = *lanes[0].lane;
	slices.kind = LANE_SLICES;
	lanes[0].lane = &slices;
	overview_begin(&overview, &chart, COLS);
	ck_assert_int_eq(overview.kind, LANE_SAMPLES);
	ck_assert(overview_make(&overview, &chart, BUDGET_UNLIMITED));
	for (int c = 0; c < COLS; c++)
		check_column(c);
	chart.n_lanes = 1;
	overview_begin(&overview, &chart, COLS);
	ck_assert_int_eq(overview.kind, LANE_SLICES);
	end();
}
END_TEST

START_TEST(without_columns_there_is_nothing_to_compute)
{
	begin(1, 1);
	for (int cols = -1; cols < 1; cols++) {
		overview_begin(&overview, &chart, cols);
		ck_assert_int_eq(overview.cols, 0);
		ck_assert(overview_make(&overview, &chart, BUDGET_UNLIMITED));
		overview_begin_marks(&overview);
		ck_assert(overview_mark(&overview, &chart, NULL, BUDGET_UNLIMITED));
	}
	end();
}
END_TEST

/* The bar of `busy` in one row of characters, and in ASCII. */
static const struct {
	uint8_t busy;
	uint32_t block;
	char ascii;
} bars[] = {
	{ 0, ' ', ' ' },      { 1, 0x2581, '.' },   { 255 / 8, 0x2581, '.' },
	{ 128, 0x2584, '=' }, { 223, 0x2587, '*' }, { 255, 0x2588, '#' },
};

START_TEST(bar_rises_with_the_share)
{
	const struct rect r = { .row = 0, .col = 0, .rows = 1, .cols = COLS };
	struct grid grid = { 0 };

	begin(2, 1);
	ck_assert(overview_make(&overview, &chart, BUDGET_UNLIMITED));
	overview.busy[3] = bars[_i].busy;
	chart.overview = &overview;
	grid_init(&grid, 1, COLS);
	overview_draw(&grid, r, &chart);
	ck_assert_uint_eq(grid_at(&grid, 0, 3)->ch, bars[_i].block);
	ck_assert_int_eq(grid_at(&grid, 0, 3)->ink, bars[_i].busy ? ROLE_BUSY : ROLE_PLAIN);
	chart.is_ascii = true;
	overview_draw(&grid, r, &chart);
	ck_assert_uint_eq(grid_at(&grid, 0, 3)->ch, (unsigned char)bars[_i].ascii);
	grid_done(&grid);
	end();
}
END_TEST

/* The brackets stand outside the window, and the columns outside are dim. */
START_TEST(brackets_stand_outside_the_window)
{
	const struct rect r = { .row = 0, .col = 0, .rows = 1, .cols = COLS };
	struct viewport all;
	struct grid grid = { 0 };

	begin(3, 1);
	ck_assert(overview_make(&overview, &chart, BUDGET_UNLIMITED));
	chart.overview = &overview;
	viewport_init(&all, 0, profile->t1);
	view.t0 = viewport_time(&all, 10, COLS);
	view.t1 = viewport_time(&all, 20, COLS);
	grid_init(&grid, 1, COLS);
	overview_draw(&grid, r, &chart);
	for (int c = 0; c < COLS; c++) {
		bool is_bracket = c == 9 || c == 20;

		ck_assert_int_eq((grid_at(&grid, 0, c)->flags & CELL_FAR) != 0,
				 !is_bracket && (c < 10 || c >= 20) &&
					 grid_at(&grid, 0, c)->ch != ' ');
		ck_assert_int_eq(grid_at(&grid, 0, c)->ch == (c == 9 ? '[' : ']'), is_bracket);
	}
	grid_done(&grid);
	end();
}
END_TEST

static void draw(struct grid *g, struct rect r)
{
	overview_draw(g, r, &chart);
}

/* The lane with the cursor has its parts; with two rows and several lanes, all lanes are below. */
START_TEST(lane_with_the_cursor_has_parts)
{
	struct grid grid = { 0 };
	int n_roles[ROLE_COUNT] = { 0 };

	begin(7, 3);
	chart.lane = 0;
	chart.overview = &overview;
	ck_assert(overview_make(&overview, &chart, BUDGET_UNLIMITED));
	ck_assert_ptr_eq(overview.lane, lanes[0].lane);
	grid_init(&grid, 2, COLS);
	overview_draw(&grid, (struct rect){ 0, 0, 2, COLS }, &chart);
	for (int c = 0; c < COLS; c++) {
		n_roles[grid_at(&grid, 0, c)->ink]++;
		if (grid_at(&grid, 1, c)->ch != ' ')
			ck_assert_int_eq(grid_at(&grid, 1, c)->ink, ROLE_BUSY);
		ck_assert_uint_le(grid_at(&grid, 1, c)->ch, 0x2584);
	}
	ck_assert_int_gt(n_roles[ROLE_FRAME], 0);
	ck_assert_int_gt(n_roles[ROLE_DEPENDENCY], 0);
	ck_assert_int_gt(n_roles[ROLE_GC], 0);
	/* Another lane: only its parts are computed again. */
	chart.lane = 1;
	ck_assert(!overview_make(&overview, &chart, a_step()));
	ck_assert_ptr_eq(overview.lane, lanes[1].lane);
	ck_assert_int_lt(overview.n_of_lane, COLS);
	ck_assert_int_eq(overview.n_made, COLS);
	grid_done(&grid);
	end();
}
END_TEST

/* In one row or two, complete or not, with any window. */
START_TEST(picture_depends_on_its_rectangle_only)
{
	begin(4 + _i, 2);
	chart.overview = &overview;
	chart.is_ascii = _i & 1;
	overview_make(&overview, &chart, _i & 2 ? BUDGET_UNLIMITED : a_step());
	view.t0 = profile->t1 / 7 * (_i % 4);
	view.t1 = view.t0 + profile->t1 / 3;
	for (int rows = 0; rows < 4; rows++)
		picture(draw, rows, COLS);
	picture_done();
	end();
}
END_TEST

/* The first column that is not known is drawn as such, in the last row. */
START_TEST(columns_that_are_not_known_have_dots)
{
	begin(5, 1);
	chart.overview = &overview;
	ck_assert(overview_make(&overview, &chart, BUDGET_UNLIMITED));
	for (overview.n_made = 0; overview.n_made <= COLS; overview.n_made++)
		for (int is_ascii = 0; is_ascii < 2; is_ascii++) {
			chart.is_ascii = is_ascii;
			picture(draw, 2, COLS);
			for (int c = 0; c < COLS; c++) {
				const struct cell *above = grid_at(&picture_grid, 0, c),
						  *cell = grid_at(&picture_grid, 1, c);

				ck_assert_int_eq(cell->ink == ROLE_DIM, c >= overview.n_made);
				if (c < overview.n_made)
					continue;
				ck_assert_uint_eq(cell->ch, is_ascii ? '.' : 0xB7);
				ck_assert_uint_eq(above->ch, ' ');
			}
		}
	picture_done();
	end();
}
END_TEST

/* Another width: nothing is drawn. */
START_TEST(overview_of_another_width_is_not_drawn)
{
	begin(6, 1);
	chart.overview = &overview;
	ck_assert(overview_make(&overview, &chart, BUDGET_UNLIMITED));
	for (int cols = COLS - 1; cols <= COLS + 1; cols += 2) {
		picture(draw, 1, cols);
		ck_assert_str_eq(picture_row(0), "");
	}
	picture_done();
	end();
}
END_TEST

START_TEST(columns_of_many_lanes_are_made_in_steps)
{
	struct profile *p = random_profile(2, 40, 500, MANY_LANES);
	struct chart_lane *many = xcalloc(MANY_LANES, sizeof *many);
	struct overview whole = { 0 }, parts = { 0 };
	struct chart all = { .profile = p,
			     .lanes = many,
			     .n_lanes = MANY_LANES,
			     .view = &view,
			     .lane = 0 };
	struct budget budget;
	unsigned n = 0;

	for (int i = 0; i < MANY_LANES; i++)
		many[i].lane = &p->lanes[i];
	viewport_init(&view, 0, p->t1);
	overview_begin(&whole, &all, COLS);
	ck_assert(overview_make(&whole, &all, BUDGET_UNLIMITED));
	overview_begin(&parts, &all, COLS);
	do {
		budget = budget_steps(1, BUDGET_STEP);
		n++;
	} while (!overview_make(&parts, &all, &budget));
	/* At most 20 lanes at a time. */
	ck_assert_uint_gt(n, COLS * MANY_LANES / 20);
	ck_assert_mem_eq(whole.busy, parts.busy, COLS);
	overview_done(&whole);
	overview_done(&parts);
	free(many);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "overview", SUITE_SECONDS);

	tcase_add_loop_test(t, height_is_the_share_of_the_busiest_lane, 0, 30);
	tcase_add_test(t, slices_do_not_count_beside_samples);
	tcase_add_test(t, without_columns_there_is_nothing_to_compute);
	tcase_add_loop_test(t, bar_rises_with_the_share, 0, N(bars));
	tcase_add_loop_test(t, picture_depends_on_its_rectangle_only, 0, 16);
	tcase_add_test(t, columns_that_are_not_known_have_dots);
	tcase_add_test(t, overview_of_another_width_is_not_drawn);
	tcase_add_test(t, lane_with_the_cursor_has_parts);
	tcase_add_test(t, columns_of_many_lanes_are_made_in_steps);
	tcase_add_test(t, brackets_stand_outside_the_window);
}

int main(void)
{
	return suite_run("overview", add_tests);
}
