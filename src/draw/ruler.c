/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time marks at multiples of a round step (1, 2 or 5 times a power of ten ns, or what people take
 * for round from half a minute on), chosen so that the longest label fits between two marks. A
 * label is shown whole or, at the right edge, not at all. The row has the ground of the titles
 * below it: its times are those of the lanes, not of the overview above. */
#include "config.h"

#include "draw/ruler.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== time label ====
 *
 * Times of the chart as the user wants them: since the start of the profile, of the file's clock,
 * or of the wall clock. */

#define WINDOW_STEPS 100 /* of the window: about a column each */

struct time_label time_label_of(const struct chart *chart)
{
	const struct profile *p = chart->profile;
	const struct lane *lane = chart->lane >= 0 ? chart->lanes[chart->lane].lane : NULL;
	struct time_label label = {
		.profile = p,
		.unit = { .per = SIDES_PER_NONE, .whole = 1, .amount = p->unit }
	};

	if (chart->sides)
		label.unit = chart->sides->unit;

	if (chart->is_merged)
		return label;
	label.step = (chart->view->t1 - chart->view->t0) / WINDOW_STEPS;
	if (chart->times == CHART_TIMES_WALL && wall_clock_find(p, lane, &label.origin)) {
		label.times = CHART_TIMES_WALL;
	} else if (chart->times == CHART_TIMES_FILE) {
		label.times = CHART_TIMES_FILE;
		label.origin = lane && p->has_own_zero ? lane->zero_ns : p->origin_ns;
	}
	return label;
}

void time_label_clock(const struct chart *chart, struct place_clock *clock)
{
	struct time_label label = time_label_of(chart);

	*clock = (struct place_clock){ .origin = label.origin,
				       .is_wall = label.times == CHART_TIMES_WALL,
				       .is_file = label.times == CHART_TIMES_FILE };
}

const char *time_label_format(const struct time_label *label, int64_t t, bool is_exact,
			      char out[UNITS_MAX])
{
	if (label->times == CHART_TIMES_WALL)
		date_clock(t + label->origin, 6, out);
	else if (label->times == CHART_TIMES_FILE || is_exact)
		profile_exact(label->profile, t + label->origin, out);
	else
		profile_value_near(label->profile, t, label->step, out);
	return out;
}

/* Ruler ns for each ns. */
static double scale_of(const struct time_label *label)
{
	if (label->unit.per == SIDES_PER_NONE)
		return 1;
	if (label->unit.per == SIDES_PER_COUNT)
		return 1 / (double)label->unit.n_calls;
	return (double)(label->unit.per == SIDES_PER_TOTAL ? 100 * NS_PER_S : NS_PER_S) /
		(double)label->unit.whole;
}

/* What a ruler counts for a time that counts from the origin, and back: the same time, or of two
 * sides, ns of which a second is a percent, or which stand for ms per second. */
static int64_t time_label_on_ruler(const struct time_label *label, int64_t t)
{
	return label->unit.per == SIDES_PER_NONE ? t : (int64_t)((double)t * scale_of(label));
}

static int64_t time_label_from_ruler(const struct time_label *label, int64_t t)
{
	return label->unit.per == SIDES_PER_NONE ? t : (int64_t)((double)t / scale_of(label) + .5);
}

/* Format `t`, as a ruler counts it, as the mark of a ruler whose marks are `step` apart. */
static void time_label_mark(const struct time_label *label, int64_t t, int64_t step,
			    char out[UNITS_MAX])
{
	int decimals = 0;

	if (label->unit.per == SIDES_PER_TOTAL) {
		for (int64_t unit = NS_PER_S; unit > 1 && step < unit; unit /= 10)
			decimals++;
		snprintf(out, UNITS_MAX, "%.*f %%", decimals, (double)t / (double)NS_PER_S);
		return;
	}
	if (label->times == CHART_TIMES_WALL) {
		for (int64_t unit = NS_PER_S; unit > 1 && step < unit; unit /= 10)
			decimals++;
		date_clock(t, decimals, out);
		return;
	}
	amount_mark(&label->profile->unit, t, step, out);
}

/* ==== ruler ==== */

/* Steps grow by a factor of 2 or 2.5: marks are this far apart, or up to 22 columns. */
#define MARK_COLS_MIN 9
#define MARK_FAR 8 /* columns from the time of a letter to its cell, at most */

static int label_cells(const struct time_label *times, int64_t t, int64_t step)
{
	char label[UNITS_MAX];

	time_label_mark(times, t, step, label);
	return text_cells(label, strlen(label));
}

/* Whether marks `step` apart have room for the labels of t0 and t1. */
static bool has_room(const struct time_label *times, int64_t step, int64_t t0, int64_t t1, int cols)
{
	int need = label_cells(times, t1 - step, step), other = label_cells(times, t0 + step, step);

	/* `2 h` comes after `1 h 40 min`. */
	if (amount_is_time(&times->profile->unit) && step >= NS_PER_MIN &&
	    label_cells(times, t1 - 2 * step, step) > need)
		need = label_cells(times, t1 - 2 * step, step);
	if (other > need)
		need = other;
	/* The tick, and a blank after the label. */
	need += 2;
	return (double)step * cols / (double)(t1 - t0) >=
		(need > MARK_COLS_MIN ? need : MARK_COLS_MIN);
}

/* The round step after `step`: 1, 2, 5, 10 ... ns up to 20 s, then these, then 1, 2, 5 ... days.
 * Values that are no times have no such exception. */
static int64_t next_step(const struct time_label *times, int64_t step)
{
	static const int seconds[] = { 30,   60,   120,   300,   600,   1200, 1800,
				       3600, 7200, 10800, 21600, 43200, 86400 };
	bool is_time = amount_is_time(&times->profile->unit);
	int64_t last = seconds[ARRAY_LEN(seconds) - 1] * NS_PER_S;
	int64_t unit = !is_time || step < last ? 1 : last;

	for (size_t i = 0; is_time && step >= 20 * NS_PER_S && i < ARRAY_LEN(seconds); i++)
		if (seconds[i] * NS_PER_S > step)
			return seconds[i] * NS_PER_S;
	while (step / unit >= 10)
		unit *= 10;
	return step / unit == 1 ? 2 * unit : step / unit == 2 ? 5 * unit : 10 * unit;
}

/* The character in column c; 0: outside. */
static uint32_t character_at(const struct grid *g, struct rect r, int c)
{
	if (c < 0 || c >= r.cols || r.row >= g->rows || r.col + c >= g->cols)
		return 0;
	return grid_at(g, r.row, r.col + c)->ch;
}

/* Only over a blank or a tick, at column c or next to it: labels stay whole. */
static void put_bracket(struct grid *g, struct rect r, int c, int step, const char *bracket)
{
	for (int i = 0; i < 2; i++, c += step) {
		uint32_t ch = character_at(g, r, c);

		if (ch == ' ' || ch == '|' || ch == 0x2502) {
			grid_puts(g, r.row, r.col + c, 1, bracket, ROLE_WINDOW);
			return;
		}
	}
}

/* The columns of the range in the window, and where its length is written: inside if it fits,
 * otherwise after it or before it. */
struct marked {
	bool is_shown;
	int first, last;
	char length[UNITS_MAX + 2];
	int col, cells; /* of the length; cells 0: it fits nowhere */
};

static void find_range(const struct chart *chart, int cols, struct marked *m)
{
	const struct viewport *v = chart->view;

	*m = (struct marked){ 0 };
	if (!chart->has_range || chart->range_t1 <= v->t0 || chart->range_t0 >= v->t1)
		return;
	m->is_shown = true;
	m->first = chart->range_t0 > v->t0 ? viewport_col(v, chart->range_t0, cols) : 0;
	m->last = chart->range_t1 < v->t1 ? viewport_col(v, chart->range_t1 - 1, cols) : cols - 1;
	snprintf(m->length, sizeof m->length, " %s ",
		 profile_value(chart->profile, chart->range_t1 - chart->range_t0, UNITS_ROOM));
	m->cells = text_cells(m->length, strlen(m->length));
	if (m->last - m->first + 1 >= m->cells)
		m->col = m->first + (m->last - m->first + 1 - m->cells) / 2;
	else if (m->last + 2 + m->cells <= cols)
		m->col = m->last + 2;
	else if (m->first - 1 - m->cells >= 0)
		m->col = m->first - 1 - m->cells;
	else
		m->cells = 0;
}

static bool contains(int col, int cells, int at)
{
	return at >= col && at < col + cells;
}

/* Whether a mark of `cells` cells would be cut by the length or a bracket. */
static bool meets_range(const struct marked *m, int col, int cells)
{
	return m->is_shown &&
		((m->cells && col < m->col + m->cells + 1 && col + cells + 1 > m->col) ||
		 contains(col + 1, cells - 1, m->first - 1) ||
		 contains(col + 1, cells - 1, m->last + 1));
}

/* The range has brackets and a fill. */
static void draw_range(struct grid *g, struct rect r, const struct chart *chart,
		       const struct marked *m)
{
	const struct viewport *v = chart->view;

	if (!m->is_shown)
		return;
	for (int c = m->first; c <= m->last; c++) {
		struct cell *cell = r.row < g->rows && r.col + c < g->cols
			? grid_at(g, r.row, r.col + c)
			: NULL;

		if (cell)
			cell->fill = ROLE_WINDOW;
	}
	if (m->cells)
		grid_puts(g, r.row, r.col + m->col, m->cells, m->length, ROLE_WINDOW);
	if (chart->range_t0 >= v->t0)
		put_bracket(g, r, m->first, -1, "[");
	if (chart->range_t1 <= v->t1)
		put_bracket(g, r, m->last, 1, "]");
}

/* The letter stands at its time or in the next blank on either side, as labels and their ticks stay
 * whole. */
static void draw_mark(struct grid *g, struct rect r, const struct viewport *v,
		      const struct ruler_mark *mark)
{
	const char letter[] = { mark->letter, '\0' };
	int at = viewport_col(v, mark->t, r.cols);

	if (mark->t < v->t0 || mark->t >= v->t1)
		return;
	for (int i = 0; i < 2 * MARK_FAR; i++) {
		int c = i % 2 ? at - i / 2 - 1 : at + i / 2;

		if (character_at(g, r, c) == ' ') {
			grid_puts(g, r.row, r.col + c, 1, letter, ROLE_KEY);
			return;
		}
	}
}

/* ---- names of milestones ----
 *
 * A name begins at the column of its line, or ends there. Before those of the browser labels of
 * times that are in the way go, as long as LABELS_MIN of them are left. */

#define LABELS_MIN 3
#define NAME_CELLS 16
#define STAYS (-1)

/* What stands in each column: 0: nothing; the number of the label of a time, from 1; STAYS. */
struct columns {
	int *what;
	int cols, n_left; /* labels that are left */
};

/* How many labels are in the way of a name; the first and last one. INT_MAX: there is no way. */
static int find_way(const struct columns *x, int col, int cells, int label[2])
{
	label[0] = label[1] = 0;
	if (col < 0 || col + cells > x->cols)
		return INT_MAX;
	for (int c = col ? col - 1 : 0; c <= col + cells && c < x->cols; c++) {
		if (x->what[c] == STAYS)
			return INT_MAX;
		label[0] = label[0] ? label[0] : x->what[c];
		label[1] = x->what[c] ? x->what[c] : label[1];
	}
	return label[0] ? label[1] - label[0] + 1 : 0;
}

static void draw_name(struct grid *g, struct rect r, struct columns *x, int at,
		      const struct buf *name, bool is_browsers)
{
	int cells = text_cells(buf_text(name), name->len), col = at, label[2], other[2];
	int n = find_way(x, at, cells, label), n_other = find_way(x, at - cells + 1, cells, other);

	if (n_other < n) {
		n = n_other;
		col = at - cells + 1;
		memcpy(label, other, sizeof label);
	}
	if (n && (!is_browsers || n > x->n_left - LABELS_MIN))
		return;
	for (int c = 0; c < x->cols && n; c++)
		if (x->what[c] >= label[0] && x->what[c] <= label[1]) {
			grid_puts(g, r.row, r.col + c, 1, " ", ROLE_TITLE);
			x->what[c] = 0;
		}
	x->n_left -= n;
	grid_put(g, r.row, r.col + col, cells, name->data, name->len, ROLE_TITLE);
	for (int c = col; c < col + cells; c++)
		x->what[c] = STAYS;
}

static void draw_milestones(struct grid *g, struct rect r, const struct chart *chart,
			    struct columns *x)
{
	const struct profile *p = chart->profile;
	const struct viewport *v = chart->view;
	BUF_LOCAL name = { 0 };

	for (int c = 0; c < x->cols; c++) {
		uint32_t ch = character_at(g, r, c);

		if (ch == '[' || ch == ']' || (ch != ' ' && !x->what[c]))
			x->what[c] = STAYS;
	}
	for (enum milestone_kind kind = 0; kind < MILESTONE_KINDS && !chart->is_merged; kind++)
		for (size_t i = 0; i < p->n_milestones; i++) {
			const struct milestone *m = &p->milestones[i];

			if (m->kind != kind || m->t < v->t0 || m->t >= v->t1)
				continue;
			buf_clear(&name);
			buf_adds(&name, milestone_name(kind));
			if (kind == MILESTONE_TIMING)
				text_fit(&name, profile_text(p, m->name),
					 intern_len(&p->strings, m->name), NAME_CELLS);
			draw_name(g, r, x, viewport_col(v, m->t, r.cols), &name,
				  kind < MILESTONE_SHIFT);
		}
}

void ruler_draw(struct grid *g, struct rect r, const struct chart *chart)
{
	const struct viewport *v = chart->view;
	struct time_label times = time_label_of(chart);
	int64_t origin = times.origin;
	int64_t t0 = time_label_on_ruler(&times, v->t0 + origin),
		t1 = time_label_on_ruler(&times, v->t1 + origin), step, t;
	struct marked marked;
	struct columns columns = { .cols = r.cols };
	int n = 0;

	if (r.rows <= 0 || r.cols <= 0)
		return;
	grid_fill(g, r.row, r.col, r.cols, ROLE_TITLE);
	if (!chart->n_lanes)
		return;
	find_range(chart, r.cols, &marked);
	columns.what = xcalloc((size_t)r.cols, sizeof *columns.what);
	/* The smallest round step with room for its labels; if there is none, a step larger than
	 * the window. */
	step = times.profile->unit.ns > 1 ? times.profile->unit.ns : 1;
	while (step <= t1 - t0 && !has_room(&times, step, t0, t1, r.cols))
		step = next_step(&times, step);
	/* The first multiple of the step at t0 or later, also for t0 < 0. */
	t = t0 / step * step;
	if (t < t0)
		t += step;
	for (; t < t1; t += step) {
		int col = viewport_col(v, time_label_from_ruler(&times, t) - origin, r.cols),
		    room = r.cols - col - 1;
		char label[UNITS_MAX];
		int cells;

		time_label_mark(&times, t, step, label);
		cells = text_cells(label, strlen(label));
		columns.what[col] = ++n;
		if (!meets_range(&marked, col, 1))
			grid_puts(g, r.row, r.col + col, 1, chart->is_ascii ? "|" : "\342\224\202",
				  chart->has_focus ? ROLE_RULE : ROLE_RULER);
		if (cells > room || meets_range(&marked, col, cells + 1))
			continue;
		grid_puts(g, r.row, r.col + col + 1, room, label, ROLE_RULER);
		for (int c = 0; c < cells; c++)
			columns.what[col + 1 + c] = n;
		columns.n_left++;
	}
	draw_range(g, r, chart, &marked);
	for (int i = 0; i < chart->n_marks; i++)
		draw_mark(g, r, v, &chart->marks[i]);
	draw_milestones(g, r, chart, &columns);
	free(columns.what);
}
