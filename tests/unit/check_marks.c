/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks and other slices of no length on the chart: each is seen in every window that contains it,
 * at the ends of its lane and of the time line, too. */
#include "config.h"

#include "story.h"
#include "suite.h"

#include "draw/chart.h"
#include "draw/flame/flame.h"

#include <stdlib.h>

#define COLS 60
#define ROWS 40
#define LANES_MAX 16

static struct chart_lane chart_lanes[LANES_MAX];
static struct viewport view;
static struct chart chart;
static struct grid grid;

static void show(const struct profile *p)
{
	ck_assert_uint_le(p->n_lanes, LANES_MAX);
	viewport_init(&view, 0, p->t1);
	chart = (struct chart){ .profile = p,
				.lanes = chart_lanes,
				.n_lanes = (int)p->n_lanes,
				.view = &view,
				.lane = -1 };
	for (uint32_t i = 0; i < p->n_lanes; i++)
		chart_lanes[i] = (struct chart_lane){ .lane = &p->lanes[i],
						      .cover = cover_new(&p->lanes[i]),
						      .is_open = true };
}

static void hide(void)
{
	for (int i = 0; i < chart.n_lanes; i++)
		cover_free(chart_lanes[i].cover);
	grid_done(&grid);
}

static void draw(void)
{
	const struct rect r = { 0, 0, ROWS, COLS };

	grid_init(&grid, ROWS, COLS);
	ck_assert(chart_prepare(&chart, r, BUDGET_UNLIMITED));
	chart_draw_lanes(&grid, r, &chart);
}

/* ---- every instant is seen ---- */

/* Random slices, every second one of no length, marks, steps and objects, on a few threads. Times
 * are few, so that many events are at one instant, and at both ends of their lane. */
static struct profile *random_trace(void)
{
	struct buf text = { 0 };
	struct profile *p;
	int n = 1 + rand() % 12, most = 1 + rand() % 60;

	buf_adds(&text, "[");
	for (int i = 0; i < n; i++) {
		int ts = rand() % most;

		buf_addf(&text, "%s{'pid':1,'tid':%d,'ts':%d,'name':'%c',", i ? "," : "",
			 1 + rand() % 3, ts, 'a' + rand() % 3);
		if (rand() % 3 == 0)
			buf_addf(&text, "'ph':'%c','cat':'c','id':%d}", "bneNOD"[rand() % 6],
				 rand() % 3);
		else if (rand() % 2)
			buf_addf(&text, "'ph':'i','s':'%c'}", "tpg"[rand() % 3]);
		else
			buf_addf(&text, "'ph':'X','dur':%d}", rand() % 2 ? 0 : rand() % most);
	}
	buf_adds(&text, "]");
	p = story_load(buf_text(&text));
	buf_done(&text);
	return p;
}

static bool is_seen(const struct lane *lane, const struct cell *cell)
{
	if (lane->kind == LANE_MARKS)
		return cell->ch == MARK_ROW_SIGN || cell->ch == 0x258F ||
			(chart.is_ascii && (cell->ch == MARK_ROW_SIGN_ASCII || cell->ch == '|'));
	/* Not only the fill of a box that goes through the cell. */
	return cell->flags & (CELL_SHARED | CELL_NAMED) ||
		(cell->fill == ROLE_PLAIN && cell->ch != ' ');
}

/* Check the slices of no length of a lane that are in the window. */
static void check_lane(int i)
{
	const struct lane *lane = chart_lanes[i].lane;
	struct span span;

	for (int depth = 0; depth < lane->max_depth; depth++) {
		int row = chart_lane_top(&chart, i) + chart_title_rows(&chart_lanes[i]) +
			chart_row_of_depth(&chart_lanes[i], depth);

		for (size_t at = 0; span_next(&lane->samples, &lane->tree, depth, at, &span);
		     at = span.end) {
			int col = viewport_col(&view, span.t0, COLS);

			if (span.t1 > span.t0 || span.t0 < view.t0 || span.t0 > view.t1 ||
			    (span.t0 == view.t1 && view.t1 < chart.profile->t1))
				continue;
			/* Columns shorter than a nanosecond show the same time. */
			while (col > 0 &&
			       viewport_time(&view, col - 1, COLS) ==
				       viewport_time(&view, col, COLS))
				col--;
			ck_assert_msg(is_seen(lane, grid_at(&grid, row, col)),
				      "lane %d, depth %d, at %lld in [%lld, %lld): column %d", i,
				      depth, (long long)span.t0, (long long)view.t0,
				      (long long)view.t1, col);
		}
	}
}

START_TEST(every_instant_is_seen)
{
	srand((unsigned)_i);
	for (int n = 0; n < 40; n++) {
		struct profile *p = random_trace();

		show(p);
		for (int zoom = 0; zoom < 12; zoom++) {
			int64_t a = rand() % (p->t1 + 1), b = rand() % (p->t1 + 1);

			chart.is_ascii = rand() % 2;
			if (zoom)
				viewport_set(&view, a, b);
			if (zoom % 4 == 1)
				viewport_set(&view, 0, b);
			if (zoom % 4 == 2)
				viewport_set(&view, a, p->t1);
			draw();
			for (int i = 0; i < chart.n_lanes; i++)
				check_lane(i);
		}
		hide();
		profile_free(p);
	}
}
END_TEST

/* ---- names ---- */

static void ck_row(int row, const char *expect)
{
	struct buf out = { 0 };

	for (int c = 0; c < COLS; c++)
		buf_addc(&out,
			 grid_at(&grid, row, c)->ch < 0x80 ? (char)grid_at(&grid, row, c)->ch
							   : '#');
	while (out.len && out.data[out.len - 1] == ' ')
		out.data[--out.len] = '\0';
	ck_assert_str_eq(buf_text(&out), expect);
	buf_done(&out);
}

/* A column is 1 us. */
static void show_text(struct profile *p)
{
	show(p);
	chart.is_ascii = true;
	viewport_set(&view, 0, COLS * 1000);
	draw();
}

START_TEST(mark_of_an_object_loses_its_type_before_letters)
{
	struct profile *p = story_load("[{'ph':'N','name':'Cart','id':1,'pid':1,'tid':1,'ts':0},"
				       "{'ph':'O','name':'Cart','id':1,'pid':1,'tid':1,'ts':20},"
				       "{'ph':'O','name':'Cart','id':1,'pid':1,'tid':1,'ts':32},"
				       "{'ph':'D','name':'Cart','id':1,'pid':1,'tid':1,'ts':59},"
				       "{'ph':'X','name':'x','pid':1,'tid':1,'ts':0,'dur':60}]");

	show_text(p);
	ck_row(4, "* Cart created      * snapshot  * Cart snapshot    deleted *");
	hide();
	profile_free(p);
}
END_TEST

START_TEST(name_of_a_step_leaves_boxes_alone)
{
	struct profile *p = story_load(
		"[{'ph':'b','name':'r','cat':'c','id':1,'pid':1,'tid':1,'ts':0},"
		"{'ph':'n','name':'a long name','cat':'c','id':1,'pid':1,'tid':1,'ts':10},"
		"{'ph':'b','name':'part','cat':'c','id':1,'pid':1,'tid':1,'ts':20},"
		"{'ph':'e','name':'part','cat':'c','id':1,'pid':1,'tid':1,'ts':30},"
		"{'ph':'n','name':'next','cat':'c','id':1,'pid':1,'tid':1,'ts':40},"
		"{'ph':'e','name':'r','cat':'c','id':1,'pid':1,'tid':1,'ts':60}]");

	show_text(p);
	ck_row(2, "a lo#name *         |part               * next");
	hide();
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "marks", SUITE_SECONDS);

	tcase_add_loop_test(t, every_instant_is_seen, 0, 8);
	tcase_add_test(t, mark_of_an_object_loses_its_type_before_letters);
	tcase_add_test(t, name_of_a_step_leaves_boxes_alone);
}

int main(void)
{
	return suite_run("marks", add_tests);
}
