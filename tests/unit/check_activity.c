/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Activity compared with a loop over all samples, and the area that its bars give each part. */
#include "config.h"

#include "draw/overview.c"
#include "random_profile.h"
#include "suite.h"
#include "trace_story.h"

#include <stdlib.h>

static enum activity_part part_of_category(enum category category)
{
	switch (category) {
	case CATEGORY_GC:
		return ACTIVITY_GC;
	case CATEGORY_DEPENDENCY:
	case CATEGORY_EXTENSION:
		return ACTIVITY_DEPENDENCY;
	case CATEGORY_NATIVE:
	case CATEGORY_REGEXP:
		return ACTIVITY_NATIVE;
	case CATEGORY_NODE:
	case CATEGORY_RUNTIME:
	case CATEGORY_BUNDLER:
	case CATEGORY_PROGRAM:
	case CATEGORY_UNKNOWN:
		return ACTIVITY_NODE;
	case CATEGORY_RENDERING:
		return ACTIVITY_RENDERING;
	default:
		return ACTIVITY_OWN;
	}
}

/* The part of a role where colours do not stand for owners. */
static int part_of_role(enum role role)
{
	switch (role) {
	case ROLE_GC:
		return ACTIVITY_GC;
	case ROLE_NATIVE:
		return ACTIVITY_NATIVE;
	case ROLE_TASK:
		return ACTIVITY_TASK;
	case ROLE_NODE:
	case ROLE_PROGRAM:
		return ACTIVITY_NODE;
	case ROLE_RENDERING:
		return ACTIVITY_RENDERING;
	default:
		return role >= ROLE_FRAME ? ACTIVITY_OWN + (int)(role - ROLE_FRAME)
					  : ACTIVITY_OWN + (int)(ROLE_HEAT_5 - role);
	}
}

/* The parts have the colours that the frames have in the chart. */
static void check_parts_of(const struct chart *chart, int64_t t0, int64_t t1,
			   const struct activity *a)
{
	const struct lane *lane = chart->lanes[0].lane;
	const struct samples *s = &lane->samples;
	int64_t ns[ACTIVITY_PARTS] = { 0 };

	for (size_t i = 0; i < s->n; i++) {
		int64_t from = samples_time(s, i) > t0 ? samples_time(s, i) : t0;
		int64_t to = samples_time(s, i + 1) < t1 ? samples_time(s, i + 1) : t1;
		frame_id frame = lane->tree.frame[s->leaf[i]];

		if (from < to && s->leaf[i] != NODE_ROOT &&
		    profile_frame(chart->profile, frame)->category != CATEGORY_IDLE)
			ns[part_of_role(frame_roles_get(chart->roles, chart->profile, frame))] +=
				to - from;
	}
	for (int i = 0; i < ACTIVITY_PARTS; i++) {
		double exact = (double)ns[i] / (double)(t1 - t0) * ACTIVITY_MAX;

		ck_assert_msg(a->part[i] > exact - 2 && a->part[i] < exact + 2,
			      "color %d: part %d is %d, not %.2f", (int)chart->roles->color, i,
			      a->part[i], exact);
	}
}

static void check_colors(const struct chart *plain, int64_t t0, int64_t t1,
			 const struct activity *expected)
{
	struct frame_scheme scheme = { .is_made = true, .has_own = true };
	struct frame_roles roles = { 0 };
	struct chart chart = *plain;
	struct activity a;

	chart.roles = &roles;
	for (unsigned color = 0; color < CHART_COLOR_COUNT; color++) {
		frame_roles_make(&roles, plain->profile, plain->profile, &scheme,
				 (enum chart_color)color);
		activity_measure(&a, &chart, 0, t0, t1);
		ck_assert_int_eq(a.busy, expected->busy);
		if (color == CHART_COLOR_OWNERSHIP)
			ck_assert_mem_eq(&a, expected, sizeof a);
		else
			check_parts_of(&chart, t0, t1, &a);
	}
	frame_roles_done(&roles);
}

static void check_range(const struct profile *p, const struct lane *lane, int64_t t0, int64_t t1)
{
	const struct samples *s = &lane->samples;
	int64_t ns[ACTIVITY_PARTS] = { 0 }, busy = 0;
	struct chart_lane cl = { .lane = lane };
	struct chart chart = { .profile = p, .lanes = &cl, .n_lanes = 1 };
	struct activity a;
	int sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		int64_t from = samples_time(s, i) > t0 ? samples_time(s, i) : t0;
		int64_t to = samples_time(s, i + 1) < t1 ? samples_time(s, i + 1) : t1;
		enum category category;

		if (from >= to || s->leaf[i] == NODE_ROOT)
			continue;
		category = profile_node_frame(p, lane, s->leaf[i])->category;
		if (category == CATEGORY_IDLE)
			continue;
		ns[part_of_category(category)] += to - from;
		busy += to - from;
	}
	ck_assert_int_eq(activity_busy_ns(p, lane, t0, t1), busy);
	activity_measure(&a, &chart, 0, t0, t1);
	for (int i = 0; i < ACTIVITY_PARTS; i++) {
		double exact = (double)ns[i] / (double)(t1 - t0) * ACTIVITY_MAX;

		ck_assert_msg(a.part[i] > exact - 2 && a.part[i] < exact + 2,
			      "part %d is %d, not %.2f", i, a.part[i], exact);
		ck_assert(ns[i] > 0 || a.part[i] == 0);
		sum += a.part[i];
	}
	ck_assert_int_eq(sum, a.busy);
	ck_assert_int_eq(a.busy > 0, busy > 0);
	check_colors(&chart, t0, t1, &a);
}

static void check_ranges(const struct profile *p)
{
	for (int i = 0; i < 30; i++) {
		int64_t t0 = p->t1 * i / 31;

		check_range(p, &p->lanes[0], t0, t0 + p->t1 / (i + 1) + 1);
	}
	check_range(p, &p->lanes[0], p->t1 + 10, p->t1 + 20);
}

START_TEST(parts_are_the_times_of_the_samples)
{
	struct profile *p = random_profile(_i, 40, 300, 1);

	check_ranges(p);
	profile_free(p);
}
END_TEST

/* Slices in two rows with gaps between them, and no idle time: 3 to 12 us each. */
static struct profile *random_slices(int seed)
{
	struct buf text = { 0 };
	struct profile *p;
	unsigned ts = 0;

	random_seed(seed);
	buf_adds(&text, "[");
	for (int i = 0; i < 200; i++) {
		unsigned dur = 3 + (unsigned)random_below(10);

		buf_addf(&text, "%s{'ph':'X','name':'f%u','pid':1,'tid':1,'ts':%u,'dur':%u}",
			 i ? "," : "", (unsigned)random_below(5), ts, dur);
		if (random_below(2))
			buf_addf(&text, ",{'ph':'X','name':'g','pid':1,'tid':1,'ts':%u,'dur':%u}",
				 ts + 1, dur - 2);
		ts += dur + (unsigned)random_below(4);
	}
	buf_adds(&text, "]");
	p = load(buf_text(&text));
	buf_done(&text);
	return p;
}

START_TEST(busy_time_of_slices_is_all_but_gaps)
{
	struct profile *p = random_slices(_i);
	const struct lane *lane = &p->lanes[0];

	ck_assert_int_eq(lane->idle_ns, 0);
	for (int64_t t0 = 0; t0 < p->t1; t0 += p->t1 / 37) {
		int64_t t1 = t0 + p->t1 / (1 + t0 % 11) + 1, busy = 0;

		for (size_t i = 0; i < lane->samples.n; i++) {
			int64_t from = samples_time(&lane->samples, i),
				to = samples_time(&lane->samples, i + 1);

			from = from > t0 ? from : t0;
			to = to < t1 ? to : t1;
			if (lane->samples.leaf[i] != NODE_ROOT && from < to)
				busy += to - from;
		}
		ck_assert_int_eq(activity_busy_ns(p, lane, t0, t1), busy);
	}
	profile_free(p);
}
END_TEST

/* Windows that are moved by whole columns of the strip, by parts of one, farther than the window is
 * long, and to another length. */
START_TEST(strip_of_a_moved_window_is_that_of_a_new_one)
{
	enum { COLS = 80 };
	static const int steps[] = { 8, -8, 3, 5, -40, 79, -80, 200, -1, 1 };
	struct profile *p = _i & 1 ? random_slices(_i) : random_profile(_i, 40, 300, 1);
	struct chart_lane cl = { .lane = &p->lanes[0] };
	struct viewport view;
	struct chart chart = { .profile = p, .lanes = &cl, .n_lanes = 1, .view = &view };
	struct lane_strip strip = { 0 };

	viewport_init(&view, 0, p->t1);
	for (int i = 0; i < 60; i++) {
		struct lane_strip fresh = { 0 };
		int64_t length = p->t1 / (i < 30 ? 3 : 5) / COLS * COLS;

		view.t0 = i ? view.t0 + length / COLS * steps[i % 10] + i % 7 / 6 : p->t1 / 3;
		if (view.t0 < 0 || view.t0 + length > p->t1)
			view.t0 = p->t1 / 4;
		view.t1 = view.t0 + length;
		ck_assert(lane_strip_make(&strip, &chart, 0, COLS, BUDGET_UNLIMITED));
		ck_assert(lane_strip_make(&fresh, &chart, 0, COLS, BUDGET_UNLIMITED));
		ck_assert_mem_eq(strip.cells, fresh.cells, COLS * sizeof *strip.cells);
		ck_assert_int_eq(strip.busy_ns, fresh.busy_ns);
		lane_strip_done(&fresh);
	}
	lane_strip_done(&strip);
	profile_free(p);
}
END_TEST

/* The window stays, and the colours change. */
START_TEST(strip_of_other_colors_is_that_of_a_new_one)
{
	enum { COLS = 80 };
	struct profile *p = random_profile(_i, 40, 300, 1);
	struct chart_lane cl = { .lane = &p->lanes[0] };
	struct frame_scheme scheme = { .is_made = true, .has_own = true };
	struct frame_roles roles = { 0 };
	struct lane_strip strip = { 0 };
	struct viewport view;
	struct chart chart = { .profile = p,
			       .lanes = &cl,
			       .n_lanes = 1,
			       .view = &view,
			       .roles = &roles };
	int n_changes = 0;

	viewport_init(&view, 0, p->t1);
	for (unsigned color = 0; color < CHART_COLOR_COUNT; color++) {
		struct lane_strip fresh = { 0 };
		struct activity before[COLS];

		frame_roles_make(&roles, p, p, &scheme, (enum chart_color)color);
		if (color)
			memcpy(before, strip.cells, sizeof before);
		ck_assert(lane_strip_make(&strip, &chart, 0, COLS, BUDGET_UNLIMITED));
		ck_assert(lane_strip_make(&fresh, &chart, 0, COLS, BUDGET_UNLIMITED));
		ck_assert_mem_eq(strip.cells, fresh.cells, COLS * sizeof *strip.cells);
		n_changes += color && memcmp(before, strip.cells, sizeof before) != 0;
		lane_strip_done(&fresh);
	}
	ck_assert_int_gt(n_changes, 0);
	lane_strip_done(&strip);
	frame_roles_done(&roles);
	profile_free(p);
}
END_TEST

static void check_parts(const struct chart *chart, int64_t t0_us, int64_t t1_us, int scripting,
			int painting, int loading)
{
	struct activity a;

	activity_measure(&a, chart, 0, t0_us * NS_PER_US, t1_us * NS_PER_US);
	ck_assert_int_eq(a.part[ACTIVITY_SCRIPTING], scripting);
	ck_assert_int_eq(a.part[ACTIVITY_PAINTING], painting);
	ck_assert_int_eq(a.part[ACTIVITY_LOADING], loading);
	ck_assert_int_eq(a.busy, scripting + painting + loading);
}

/* FunctionCall 0-30, Paint 20-50 on another layer and in it, behind the end of the first one,
 * ParseHTML 35-40; nothing until 60. */
START_TEST(slices_that_overlap_share_a_bar)
{
	struct profile *p = load(
		"[{'ph':'X','name':'FunctionCall','pid':1,'tid':1,'ts':0,'dur':30},"
		"{'ph':'X','name':'Paint','pid':1,'tid':1,'ts':20,'dur':30},"
		"{'ph':'X','name':'ParseHTML','pid':1,'tid':1,'ts':35,'dur':5}]");
	struct chart_lane lanes[2] = { 0 };
	struct frame_roles roles = { .scheme = { .has_own = true, .has_browser = true } };
	struct chart chart = { .profile = p, .lanes = lanes, .n_lanes = 2, .roles = &roles };

	ck_assert_int_eq(p->n_lanes, 2);
	lanes[0].lane = &p->lanes[0];
	lanes[1].lane = &p->lanes[1];
	chart_lay_over(lanes, 2);
	check_parts(&chart, 0, 20, ACTIVITY_MAX, 0, 0);
	check_parts(&chart, 20, 30, 128, 127, 0);
	check_parts(&chart, 30, 35, 0, ACTIVITY_MAX, 0);
	check_parts(&chart, 30, 40, 0, 128, 127);
	check_parts(&chart, 40, 60, 0, 128, 0);
	check_parts(&chart, 50, 60, 0, 0, 0);
	profile_free(p);
}
END_TEST

/* An activity of `gc`, `own` and `node` in percent. */
static struct activity mix(int gc, int own, int node)
{
	struct activity a = { 0 };

	a.part[ACTIVITY_GC] = (uint8_t)(gc * ACTIVITY_MAX / 100);
	a.part[ACTIVITY_OWN] = (uint8_t)(own * ACTIVITY_MAX / 100);
	a.part[ACTIVITY_NODE] = (uint8_t)(node * ACTIVITY_MAX / 100);
	a.busy = (uint8_t)(a.part[ACTIVITY_GC] + a.part[ACTIVITY_OWN] + a.part[ACTIVITY_NODE]);
	return a;
}

/* The eighths of a cell that have a colour. */
static int area_of(const struct cell *c, enum role role)
{
	int below = c->ch == ' ' ? 0 : (int)(c->ch - 0x2580);

	return (c->ink == role ? below : 0) + (c->fill == role ? 8 - below : 0);
}

#define COLS 60

/* gc-heavy profiles had 41 % garbage collection and 22 % red columns. */
START_TEST(area_of_a_part_is_its_share)
{
	static const int shares[][3] = { { 41, 50, 0 }, { 41, 59, 0 }, { 10, 40, 0 },
					 { 3, 60, 30 }, { 5, 90, 5 },  { 20, 10, 30 } };
	struct activity a = mix(shares[_i][0], shares[_i][1], shares[_i][2]);

	for (int rows = 1; rows <= 2; rows++) {
		struct activity_carry carry = { { 0 } };
		struct grid g = { 0 };
		int gc = 0, own = 0, node = 0;
		int all = COLS * rows * 8;

		grid_init(&g, rows, COLS);
		for (int c = 0; c < COLS; c++)
			activity_draw(&g, 0, c, rows, &a, &carry, false, 0);
		for (int row = 0; row < rows; row++)
			for (int c = 0; c < COLS; c++) {
				gc += area_of(grid_at(&g, row, c), ROLE_GC);
				own += area_of(grid_at(&g, row, c), ROLE_FRAME);
				node += area_of(grid_at(&g, row, c), ROLE_NODE);
			}
		/* A bar is rounded to an eighth of a cell; the rest is at most some cells. */
		ck_assert_int_le(abs(gc * 100 - shares[_i][0] * all), all * 8 / rows);
		ck_assert_int_le(abs(own * 100 - shares[_i][1] * all), all * 8 / rows);
		ck_assert_int_le(abs(node * 100 - shares[_i][2] * all), all * 8 / rows);
		grid_done(&g);
	}
}
END_TEST

/* Wherever a bar is drawn, only cells of the grid are written. */
START_TEST(bars_are_clipped)
{
	struct activity a = mix(30, 60, 10);
	struct activity_carry carry = { { 0 } };
	struct grid g = { 0 };

	grid_init(&g, 2, 3);
	for (int row = -3; row < 4; row++)
		for (int col = -2; col < 6; col++)
			activity_draw(&g, row, col, 2, &a, &carry, _i, 0);
	grid_done(&g);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "activity", SUITE_SECONDS);

	tcase_add_loop_test(t, parts_are_the_times_of_the_samples, 0, 10);
	tcase_add_loop_test(t, busy_time_of_slices_is_all_but_gaps, 0, 10);
	tcase_add_loop_test(t, strip_of_a_moved_window_is_that_of_a_new_one, 0, 10);
	tcase_add_loop_test(t, strip_of_other_colors_is_that_of_a_new_one, 0, 4);
	tcase_add_test(t, slices_that_overlap_share_a_bar);
	tcase_add_loop_test(t, area_of_a_part_is_its_share, 0, 6);
	tcase_add_loop_test(t, bars_are_clipped, 0, 2);
}

int main(void)
{
	return suite_run("activity", add_tests);
}
