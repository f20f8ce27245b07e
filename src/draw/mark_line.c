/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line goes behind everything: boxes keep their colour and their label, and a line fills only
 * blank cells. Where marks are dense, lines would hide the chart: of a lane of marks with one in
 * more than an eighth of the columns only the selected mark has a line. */
#include "config.h"

#include "draw/mark_line.h"

#include "base/alloc.h"
#include "draw/flame/mark_row.h"

#include <stdlib.h>

#define DENSE 8 /* columns for each line, at least */
#define LINE 0x2502u
#define LINE_ASCII '!'

/* Whether marks of lane `a` are about lane `b`. */
static bool is_about(const struct lane *a, const struct lane *b)
{
	return a != b && (a->pid == LANE_NO_ID || (a->pid == b->pid && a->input == b->input));
}

/* Returns the number of columns with a line. */
static int find_columns(const struct flame *f, int lane, uint8_t *has)
{
	const struct chart *chart = f->chart;
	const struct lane *of = chart->lanes[lane].lane;
	int64_t selected = chart->has_selection && chart->lane == lane ? chart->selected.t0
								       : INT64_MIN;
	int n = 0, at = -1;

	for (int c = 0; c < f->cols; c++) {
		int64_t t0 = f->t0[c], end = flame_end(f, c);

		if ((c > 0 && f->t0[c - 1] == t0) || !mark_row_has(of, t0, end))
			continue;
		has[c] = 1;
		if (selected >= t0 && selected < end)
			at = c;
		n++;
	}
	if (n > f->cols / DENSE) {
		n = 0;
		for (int c = 0; c < f->cols; c++)
			has[c] = 0;
	}
	if (at >= 0)
		has[at] = 2;
	return n + (at >= 0);
}

void mark_line_find(struct mark_lines *m, const struct flame *flame)
{
	const struct chart *chart = flame->chart;

	*m = (struct mark_lines){ .chart = chart, .cols = flame->cols };
	for (int i = 0; i < chart->n_lanes && !chart->is_merged; i++) {
		const struct lane *lane = chart->lanes[i].lane;
		uint8_t *has;

		if (!lane->is_across || chart->lanes[i].is_hidden || lane->samples.n == 0)
			continue;
		has = xcalloc((size_t)flame->cols, 1);
		if (!find_columns(flame, i, has)) {
			free(has);
			continue;
		}
		m->lines = xgrow(m->lines, &m->cap, (size_t)m->n + 1, sizeof *m->lines);
		m->lines[m->n++] = (struct mark_line){ i, has };
	}
}

void mark_line_done(struct mark_lines *m)
{
	for (int i = 0; i < m->n; i++)
		free(m->lines[i].has);
	free(m->lines);
	*m = (struct mark_lines){ 0 };
}

static void draw_column(struct grid *g, struct rect r, int col, bool is_ascii, bool is_selected)
{
	for (int row = r.row < 0 ? 0 : r.row; row < r.row + r.rows && row < g->rows; row++) {
		struct cell *cell = grid_at(g, row, col);

		if (cell->ch != ' ' || grid_is_beside_text(g, row, col))
			continue;
		cell->ch = is_ascii ? LINE_ASCII : LINE;
		cell->ink = is_selected ? ROLE_KEY : ROLE_DIM;
		/* Not brighter on the band of a title than on the rows below it. */
		if (!is_selected && cell->fill == ROLE_TITLE)
			cell->flags |= CELL_DIM_INK;
	}
}

void mark_line_draw(const struct mark_lines *m, struct grid *g, struct rect r, int lane)
{
	const struct chart *chart = m->chart;

	for (int i = 0; i < m->n; i++) {
		const struct mark_line *line = &m->lines[i];

		if (!is_about(chart->lanes[line->lane].lane, chart->lanes[lane].lane))
			continue;
		for (int c = 0; c < m->cols; c++)
			if (line->has[c] && r.col + c >= 0 && r.col + c < g->cols)
				draw_column(g, r, r.col + c, chart->is_ascii, line->has[c] == 2);
	}
}
