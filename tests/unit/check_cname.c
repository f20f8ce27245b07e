/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Colours that the events of a trace ask for (cname): each slice has its own, whatever its name. */
#include "config.h"

#include "story.h"
#include "suite.h"

#include "draw/chart.h"
#include "draw/frame_roles.h"

#include <stdlib.h>

#define COLS 100
#define LANES_MAX 4

static struct profile *p;
static struct frame_roles roles;
static struct chart_lane chart_lanes[LANES_MAX];
static struct viewport view;
static struct chart chart;
static struct grid grid;

static void show(const char *text, bool ignores_cnames)
{
	struct frame_scheme scheme = { 0 };

	p = story_load(text);
	ck_assert_uint_le(p->n_lanes, LANES_MAX);
	scheme.ignores_cnames = ignores_cnames;
	frame_roles_make(&roles, p, p, &scheme, CHART_COLOR_OWNERSHIP);
	viewport_init(&view, 0, p->t1);
	chart = (struct chart){ .profile = p,
				.lanes = chart_lanes,
				.n_lanes = (int)p->n_lanes,
				.view = &view,
				.roles = &roles,
				.lane = -1 };
	for (uint32_t i = 0; i < p->n_lanes; i++)
		chart_lanes[i] = (struct chart_lane){ .lane = &p->lanes[i],
						      .cover = cover_new(&p->lanes[i]),
						      .is_open = true };
}

static void draw(void)
{
	const struct rect r = { 0, 0, 8, COLS };

	grid_init(&grid, 8, COLS);
	ck_assert(chart_prepare(&chart, r, BUDGET_UNLIMITED));
	chart_draw_lanes(&grid, r, &chart);
}

static void hide(void)
{
	for (int i = 0; i < chart.n_lanes; i++)
		cover_free(chart_lanes[i].cover);
	grid_done(&grid);
	frame_roles_done(&roles);
	profile_free(p);
}

static unsigned fill_at(int row, int col)
{
	return grid_at(&grid, row, col)->fill;
}

/* All slices have one name, and 10 us each; then two without a colour. */
static void show_all(bool ignores_cnames)
{
	struct buf text = { 0 };
	unsigned i;

	buf_adds(&text, "[");
	for (i = 1; i < FRAME_COLORS; i++)
		buf_addf(&text,
			 "{'ph':'X','name':'a','pid':1,'tid':1,'ts':%u,'dur':10,'cname':'%s'},",
			 (i - 1) * 10, frame_color_name(i));
	buf_addf(&text,
		 "{'ph':'X','name':'a','pid':1,'tid':1,'ts':%u,'dur':10},"
		 "{'ph':'X','name':'a','pid':1,'tid':1,'ts':%u,'dur':10,'cname':'no such colour'}]",
		 (i - 1) * 10, i * 10);
	show(buf_text(&text), ignores_cnames);
	buf_done(&text);
}

START_TEST(slices_of_one_name_have_the_colours_that_they_ask_for)
{
	show_all(false);
	/* Ten slices at a time. */
	for (unsigned from = 0; from + 10 <= FRAME_COLORS + 1; from++) {
		viewport_set(&view, from * 10000, (from + 10) * 10000);
		draw();
		for (unsigned i = from; i < from + 10; i++) {
			unsigned fill = fill_at(1, (int)(i - from) * 10 + 5);

			if (i < ROLE_CNAMES)
				ck_assert_uint_eq(fill, ROLE_CNAME + i);
			else
				ck_assert_uint_lt(fill, ROLE_CNAME);
		}
	}
	hide();
}
END_TEST

START_TEST(theme_may_switch_them_off)
{
	unsigned first;

	show_all(true);
	draw();
	first = fill_at(1, 1);
	ck_assert_uint_lt(first, ROLE_CNAME);
	for (int col = 0; col < COLS; col++)
		ck_assert_uint_eq(fill_at(1, col), first);
	hide();
}
END_TEST

/* However the events are written; also the sign of a mark. */
static const char *const events[] = {
	"[{'ph':'X','name':'a','pid':1,'tid':1,'ts':0,'dur':10,'cname':'good'}]",
	"[{'ph':'B','name':'a','pid':1,'tid':1,'ts':0,'cname':'good'},"
	"{'ph':'E','name':'a','pid':1,'tid':1,'ts':10,'cname':'bad'}]",
	"[{'ph':'b','name':'a','cat':'c','id':1,'pid':1,'tid':1,'ts':0,'cname':'good'},"
	"{'ph':'e','name':'a','cat':'c','id':1,'pid':1,'tid':1,'ts':10}]",
	"[{'ph':'i','name':'a','pid':1,'tid':1,'ts':0,'cname':'good'}]",
};

START_TEST(every_kind_of_event_may_have_one)
{
	const struct cell *cell;

	show(events[_i], false);
	draw();
	cell = grid_at(&grid, 1, 0);
	ck_assert_uint_eq(cell->fill == ROLE_PLAIN ? cell->ink : cell->fill, ROLE_CNAME);
	hide();
}
END_TEST

START_TEST(slices_without_a_colour_take_no_memory_for_it)
{
	show("[{'ph':'X','name':'a','pid':1,'tid':1,'ts':0,'dur':1},"
	     "{'ph':'X','name':'a','pid':1,'tid':2,'ts':0,'dur':1},"
	     "{'ph':'X','name':'a','pid':1,'tid':2,'ts':5,'dur':1,'cname':'good'},"
	     "{'ph':'X','name':'a','pid':1,'tid':2,'ts':7,'dur':1}]",
	     false);
	ck_assert_ptr_null(p->lanes[0].slices.color);
	ck_assert_uint_eq(p->lanes[1].slices.n_colors, 2);
	ck_assert_uint_eq(slice_color(&p->lanes[1].slices, 0), 0);
	ck_assert_uint_eq(slice_color(&p->lanes[1].slices, 1), 1);
	ck_assert_uint_eq(slice_color(&p->lanes[1].slices, 2), 0);
	hide();
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "cname", SUITE_SECONDS);

	tcase_add_test(t, slices_of_one_name_have_the_colours_that_they_ask_for);
	tcase_add_test(t, theme_may_switch_them_off);
	tcase_add_loop_test(t, every_kind_of_event_may_have_one, 0, N(events));
	tcase_add_test(t, slices_without_a_colour_take_no_memory_for_it);
}

int main(void)
{
	return suite_run("cname", add_tests);
}
