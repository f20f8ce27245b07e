/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Graphs of counters, in blocks of an eighth of a row. A single series has two rows, several series
 * have one each; name and highest value are at the left, over the graph. */
#include "config.h"

#include "draw/flame/counter.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

#define NAME_CELLS 32

static int series_rows(const struct lane *lane)
{
	return lane->n_series == 1 ? 2 : 1;
}

int counter_rows(const struct lane *lane)
{
	return (int)lane->n_series * series_rows(lane);
}

/* Three significant digits; a value that rounds to 1000 of a unit is shown as 1 of the next unit.
 */
void counter_format(double value, struct buf *out)
{
	static const struct {
		double from;
		const char *name;
	} units[] = {
		{ 1e15, "" }, { 1e12, " T" }, { 1e9, " G" }, { 1e6, " M" }, { 1e3, " k" },
	};

	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
		if (fabs(value) >= units[i].from * 0.9995) {
			buf_addf(out, "%.3g%s", i == 0 ? value : value / units[i].from,
				 units[i].name);
			return;
		}
	}
	buf_addf(out, "%.3g", value);
}

static void draw_label(struct grid *g, const struct chart *chart, const struct series *s,
		       struct rect r)
{
	const char *name = profile_text(chart->profile, s->name);
	struct buf text = { 0 };

	text_fit(&text, name, strlen(name), NAME_CELLS);
	buf_adds(&text, chart->is_ascii ? " <= " : " \342\211\244 ");
	counter_format(s->most, &text);
	if (r.cols >= 2 * NAME_CELLS)
		grid_put(g, r.row, r.col, NAME_CELLS + 12, buf_text(&text), text.len, ROLE_PLAIN);
	buf_done(&text);
}

/* The part of a column in this row, 0 to 8 eighths; `below` eighths are in the rows below. */
static void draw_part(struct grid *g, const struct chart *chart, int row, int col, int level,
		      int below, enum role role)
{
	static const char shades[] = " .:-=+*#@";
	int part = level - below < 0 ? 0 : level - below > 8 ? 8 : level - below;
	struct cell *cell;

	if (part == 0 || row < 0 || row >= g->rows || col < 0 || col >= g->cols)
		return;
	cell = grid_at(g, row, col);
	cell->ch = chart->is_ascii ? (unsigned char)shades[part] : 0x2580u + (unsigned)part;
	cell->ink = (uint8_t)role;
}

/* The height of a value in steps, 0 to most. Halves, because the difference of the largest numbers
 * is infinite. */
static int level_of(const struct series *s, double value, int most)
{
	double range = s->most / 2 - s->least / 2, share = (value / 2 - s->least / 2) / range;
	int level = range > 0 && share > 0 ? (int)(share * most + 0.5) : 0;

	/* A value above the minimum must be visible. */
	return level == 0 && value > s->least ? 1 : level;
}

static void draw_series(struct grid *g, const struct chart *chart, const struct series *s, int rows,
			int from, struct rect r, enum role role)
{
	for (int c = 0; c < r.cols; c++) {
		int64_t t0 = viewport_time(chart->view, c, r.cols),
			t1 = viewport_time(chart->view, c + 1, r.cols);
		double most;
		int level;

		if (!series_most(s, t0, t1 > t0 ? t1 : t0 + 1, &most))
			continue;
		level = level_of(s, most, 8 * rows);
		for (int i = 0; i < r.rows; i++)
			draw_part(g, chart, r.row + i, r.col + c, level, 8 * (rows - 1 - from - i),
				  role);
	}
}

void counter_draw(struct grid *g, const struct chart *chart, int index, int row, struct rect r)
{
	const struct lane *lane = chart->lanes[index].lane;
	int each = series_rows(lane);

	for (uint32_t i = 0; i < lane->n_series; i++) {
		int top = (int)i * each, from = top > row ? top : row,
		    end = top + each < row + r.rows ? top + each : row + r.rows;
		struct rect part = { r.row + from - row, r.col, end - from, r.cols };

		if (from >= end)
			continue;
		draw_series(g, chart, &lane->series[i], each, from - top, part,
			    lane->n_series == 1 ? ROLE_BUSY
						: (enum role)(ROLE_FRAME + i % ROLE_HUES));
		if (from == top)
			draw_label(g, chart, &lane->series[i], part);
	}
}
