/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lanes that are laid over each other: each slice is drawn, and can be selected, in its row. */
#include "config.h"

#include "random_slices.h"
#include "stage.h"

#include "ui/chart/select.h"
#include "ui/state.h"

#define CASES 300
#define CELLS 5 /* a step is 500 ns: five cells of 100 ns */

/* The slice of the rule that covers time t in a row; NULL: none. */
static const struct slice *find(const struct thread *t, int row, int64_t at)
{
	for (int i = 0; i < t->n; i++)
		if (t->list[i].row == row && t->list[i].t0 <= at && at < t->list[i].t1)
			return &t->list[i];
	return NULL;
}

static int rows_of(const struct thread *t)
{
	int rows = 0;

	for (int i = 0; i < t->n; i++)
		rows = t->list[i].row >= rows ? t->list[i].row + 1 : rows;
	return rows;
}

static void open_case(struct thread *t, unsigned seed)
{
	struct profile *p;
	int cols;

	make(t, seed, false);
	p = load_thread(t);
	cols = (int)(p->t1 / STEP_NS) * CELLS;
	stage_open(p, &(struct app_options){ 0 }, 40, cols);
	draw();
	ck_assert_int_eq(app->s.view.t0, 0);
	ck_assert_int_eq(app->s.view.t1, p->t1);
}

/* Whether slice s is selected. */
static bool is_selected(const struct slice *s)
{
	const struct chart *chart = &app->s.chart;
	const struct lane *lane = app->s.lanes[chart->lane].lane;
	const struct frame *frame = profile_node_frame(profile, lane, chart->selected.node);

	return s && profile_text(profile, frame->name)[0] - 'a' == s->name &&
		chart->selected.t0 == s->t0;
}

/* A cell has colour where a slice is, and the click takes that slice. */
static void check_cells(const struct thread *t, unsigned seed)
{
	struct screen_layout layout;
	int rows = rows_of(t), first;

	state_layout(app, &layout);
	first = layout.lanes.row + chart_row_of(&app->s.chart, 0, 0);
	ck_assert_int_eq(chart_lane_rows(&app->s.lanes[0]), rows);
	for (int row = 0; row < rows; row++)
		for (int c = 0; c < layout.lanes.cols; c++) {
			int64_t at = (int64_t)c * STEP_NS / CELLS;
			const struct slice *s = find(t, row, at);
			const struct cell *cell = grid_at(&grid, first + row, layout.lanes.col + c);
			bool has;

			if ((cell->fill != ROLE_PLAIN || cell->ch != ' ') != (s != NULL))
				ck_abort_msg("seed %u: row %d at %lld: drawn is %d", seed, row,
					     (long long)at, cell->fill);
			has = select_drawn(app, 0, row, at, at + STEP_NS / CELLS);
			ck_assert_msg(has == (s != NULL) && (!has || is_selected(s)),
				      "seed %u: row %d at %lld", seed, row, (long long)at);
		}
}

START_TEST(each_slice_is_drawn_in_its_row)
{
	for (unsigned seed = 1; seed <= SUITE_CASES(CASES); seed++) {
		struct thread t;

		open_case(&t, seed);
		check_cells(&t, seed);
		stage_close();
	}
}
END_TEST

/* The next slice of a row by the rule. */
static const struct slice *find_next(const struct thread *t, const struct slice *from, bool is_next)
{
	const struct slice *best = NULL;

	for (int i = 0; i < t->n; i++) {
		const struct slice *s = &t->list[i];

		if (s->row == from->row && (is_next ? s->t0 > from->t0 : s->t0 < from->t0) &&
		    (!best || (is_next ? s->t0 < best->t0 : s->t0 > best->t0)))
			best = s;
	}
	return best;
}

/* Select slice s, and run a command. Returns whether another slice is selected then. */
static bool step(const struct slice *s, enum command_id id)
{
	struct span from;
	int lane;

	ck_assert(select_drawn(app, 0, s->row, s->t0, s->t0 + 1));
	ck_assert(is_selected(s));
	lane = app->s.chart.lane;
	from = app->s.chart.selected;
	ck_assert_int_eq(chart_first_row(&app->s.lanes[lane]) + from.depth, s->row);
	app_command(app, id, 1);
	return app->s.chart.lane != lane || app->s.chart.selected.first != from.first ||
		app->s.chart.selected.depth != from.depth;
}

/* The slice above slice s: where overshooting ones leave a row free, it is further up. */
static const struct slice *find_above(const struct thread *t, const struct slice *s)
{
	const struct slice *above = NULL;

	for (int row = s->row - 1; row >= 0 && !above; row--)
		above = find(t, row, s->t0);
	return above;
}

/* The length of the longest slice below slice s, as far as that goes; 0: there is none. */
static int64_t longest_below(const struct thread *t, const struct slice *s)
{
	int64_t longest = 0;

	for (int i = 0; i < t->n; i++) {
		const struct slice *o = &t->list[i];
		int64_t end = o->t1 < s->t1 ? o->t1 : s->t1;

		if (o->row == s->row + 1 && o->t0 >= s->t0 && end - o->t0 > longest)
			longest = end - o->t0;
	}
	return longest;
}

static void check_steps(const struct thread *t, const struct slice *s)
{
	static const enum command_id ids[] = { CMD_PREVIOUS, CMD_NEXT, CMD_CALLER };
	const struct span *to = &app->s.chart.selected;
	const struct slice *want;

	for (int what = 0; what < 3; what++) {
		want = what < 2 ? find_next(t, s, what) : find_above(t, s);
		ck_assert_int_eq(step(s, ids[what]), want != NULL);
		ck_assert(!want || is_selected(want));
	}
	ck_assert_int_eq(step(s, CMD_CALLEE), longest_below(t, s) > 0);
	if (longest_below(t, s) > 0) {
		want = find(t, s->row + 1, to->t0);
		ck_assert(is_selected(want));
		ck_assert(want->t0 >= s->t0 && want->t0 < s->t1);
		/* Lengths are compared without what overshoots. */
		ck_assert_int_le(longest_below(t, s), to->t1 - to->t0 + NS_PER_US);
	}
}

START_TEST(the_selection_moves_in_rows_of_the_thread)
{
	for (unsigned seed = 1; seed <= SUITE_CASES(CASES); seed++) {
		struct thread t;

		open_case(&t, seed);
		for (int i = 0; i < t.n; i++)
			check_steps(&t, &t.list[i]);
		stage_close();
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "thread_row", SUITE_SECONDS);

	tcase_add_test(t, each_slice_is_drawn_in_its_row);
	tcase_add_test(t, the_selection_moves_in_rows_of_the_thread);
}

int main(void)
{
	return suite_run("thread_row", add_tests);
}
