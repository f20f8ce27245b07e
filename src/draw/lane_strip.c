/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The strip has its own columns: all of the window in what the title leaves of the row. So it does
 * not stand below the ruler, but nothing of the window is hidden behind the title. */
#include "config.h"

#include "draw/lane_strip.h"

#include "base/alloc.h"
#include "base/units.h"
#include "draw/flame/counter.h"
#include "draw/flame/mark_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TITLE_COLS 40
#define LEAST_COLS 16
#define MARK_SIGN 0x25C6u

int lane_strip_cols(const struct chart *chart, int lane, int cols)
{
	const struct chart_lane *cl = &chart->lanes[lane];
	int title = cols * 2 / 5 < TITLE_COLS ? cols * 2 / 5 : TITLE_COLS;

	if (cl->is_open || cl->lane->is_joined || !cl->lane->has_timeline || chart->is_merged ||
	    cols - title < LEAST_COLS)
		return 0;
	return cols - title;
}

static uint8_t counter_height(const struct series *s, int64_t t0, int64_t t1)
{
	double most, range = s->most / 2 - s->least / 2, share;

	if (!series_most(s, t0, t1, &most) || range <= 0 || most <= s->least)
		return 0;
	share = (most / 2 - s->least / 2) / range;
	return share * ACTIVITY_MAX < 1 ? 1 : (uint8_t)(share * ACTIVITY_MAX);
}

static void make_cell(struct activity *out, const struct chart *chart, int index, int64_t t0,
		      int64_t t1)
{
	const struct lane *lane = chart->lanes[index].lane;

	if (t1 <= t0)
		t1 = t0 + 1;
	if (lane->kind == LANE_COUNTER)
		*out = (struct activity){ .busy = counter_height(&lane->series[0], t0, t1) };
	else if (mark_row_depth(lane) >= 0)
		*out = (struct activity){ .busy = mark_row_has(lane, t0, t1) };
	else
		activity_measure(out, chart, index, t0, t1);
}

/* Go on to the window of the chart. If the window before was as long and is near, its cells move
 * along by whole columns. */
static void begin_window(struct lane_strip *strip, const struct viewport *view, int cols)
{
	double length = (double)(view->t1 - view->t0),
	       shift = (double)(view->t0 - strip->t0) / length * cols;
	bool is_near = strip->cols == cols && strip->n_made == cols &&
		strip->t1 - strip->t0 == view->t1 - view->t0 && shift > -cols && shift < cols;

	strip->before = (struct viewport){ .t0 = strip->t0, .t1 = strip->t1 };
	strip->shift = is_near ? (int)lround(shift) : cols;
	if (strip->shift > 0 && strip->shift < cols)
		memmove(strip->cells, strip->cells + strip->shift,
			(size_t)(cols - strip->shift) * sizeof *strip->cells);
	else if (strip->shift < 0)
		memmove(strip->cells - strip->shift, strip->cells,
			(size_t)(cols + strip->shift) * sizeof *strip->cells);
	else if (strip->shift > 0)
		strip->cells = xrealloc(strip->cells, (size_t)cols, sizeof *strip->cells);
	strip->t0 = view->t0;
	strip->t1 = view->t1;
	strip->cols = cols;
	strip->n_made = 0;
	strip->has_busy = false;
}

/* Whether column `c` is of [t0, t1) already, to the nanosecond. The last one of the window before
 * may have marks at its end. */
static bool is_kept(const struct lane_strip *strip, int c, int64_t t0, int64_t t1)
{
	int before = c + strip->shift;

	return before >= 0 && before + 1 < strip->cols &&
		viewport_time(&strip->before, before, strip->cols) == t0 &&
		viewport_time(&strip->before, before + 1, strip->cols) == t1;
}

bool lane_strip_make(struct lane_strip *strip, const struct chart *chart, int lane, int cols,
		     struct budget *budget)
{
	const struct viewport *view = chart->view;
	const struct lane *of = chart->lanes[lane].lane;
	int64_t end = mark_row_depth(of) >= 0 ? viewport_end(view) : view->t1;
	unsigned color = activity_color(chart);

	if (strip->color != color)
		strip->cols = 0;
	strip->color = color;
	if (strip->t0 != view->t0 || strip->t1 != view->t1 || strip->cols != cols)
		begin_window(strip, view, cols);
	if (!strip->has_busy && of->samples.n)
		strip->busy_ns = activity_busy_ns(chart->profile, of, view->t0, view->t1);
	strip->has_busy = true;
	while (strip->n_made < cols) {
		int c = strip->n_made;
		int64_t t0 = viewport_time(view, c, cols),
			t1 = c + 1 < cols ? viewport_time(view, c + 1, cols) : end;

		if (!is_kept(strip, c, t0, t1))
			make_cell(&strip->cells[c], chart, lane, t0, t1);
		if (++strip->n_made < cols && budget_spent(budget))
			return false;
	}
	return true;
}

void lane_strip_done(struct lane_strip *strip)
{
	free(strip->cells);
	*strip = (struct lane_strip){ 0 };
}

void lane_strip_format(const struct chart *chart, int lane, struct buf *out)
{
	const struct lane_strip *strip = chart->lanes[lane].strip;
	const struct lane *of = chart->lanes[lane].lane;
	char number[UNITS_MAX];

	if (of->kind == LANE_COUNTER) {
		buf_adds(out, chart->is_ascii ? "<= " : "\342\211\244 ");
		counter_format(of->series[0].most, out);
	} else if (of->kind == LANE_MARKS) {
		units_count(of->n_spans, number);
		buf_addf(out, "%s mark%s", number, of->n_spans == 1 ? "" : "s");
	} else if (of->kind == LANE_OBJECTS) {
		units_count(of->n_spans - of->n_marks, number);
		buf_addf(out, "%s object%s", number, of->n_spans - of->n_marks == 1 ? "" : "s");
	} else if (of->n_left) {
		buf_adds(out, "not all loaded");
	} else if (of->is_unmeasured) {
		buf_adds(out, "not measured");
	} else if (strip && strip->has_busy && strip->t1 > strip->t0) {
		units_percent(strip->busy_ns, strip->t1 - strip->t0, number);
		buf_adds(out, number);
	}
}

static void draw_mark(struct grid *g, struct rect r, int c, bool is_ascii)
{
	struct cell *cell;

	if (r.row < 0 || r.row >= g->rows || r.col + c < 0 || r.col + c >= g->cols)
		return;
	cell = grid_at(g, r.row, r.col + c);
	cell->ch = is_ascii ? '*' : MARK_SIGN;
	cell->ink = ROLE_TASK;
}

void lane_strip_draw(struct grid *g, struct rect r, const struct chart *chart, int lane)
{
	const struct chart_lane *cl = &chart->lanes[lane];
	const struct lane_strip *strip = cl->strip;
	bool is_of_window = strip && strip->cols == r.cols && strip->t0 == chart->view->t0 &&
		strip->t1 == chart->view->t1;
	struct activity_carry carry = { { 0 } };

	for (int c = 0; c < r.cols; c++) {
		if (!is_of_window || c >= strip->n_made) {
			grid_puts(g, r.row, r.col + c, 1, chart->is_ascii ? "." : CHART_UNFINISHED,
				  ROLE_DIM);
		} else if (mark_row_depth(cl->lane) >= 0) {
			if (strip->cells[c].busy)
				draw_mark(g, r, c, chart->is_ascii);
		} else if (cl->lane->kind == LANE_COUNTER) {
			struct activity bar = { .busy = strip->cells[c].busy };

			bar.part[ACTIVITY_TASK] = bar.busy;
			activity_draw(g, r.row, r.col + c, 1, &bar, &carry, chart->is_ascii, 0);
		} else {
			activity_draw(g, r.row, r.col + c, 1, &strip->cells[c], &carry,
				      chart->is_ascii, 0);
		}
	}
}
