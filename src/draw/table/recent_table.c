/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns from left to right: shares, graph, name. All have fixed widths, so that only what has
 * changed is drawn anew every second. */
#include "config.h"

#include "draw/table/recent_table.h"

#include "base/units.h"
#include "draw/table/table.h"
#include "draw/table/table_cell.h"

#include <stdio.h>
#include <string.h>

#define SHARE_CELLS 8
#define GRAPH_COLS 70      /* from this width on each cell of the graph has a column */
#define HALF_GRAPH_COLS 48 /* from this width on two have one */

static const char *const heads[RECENT_SPANS] = { "1 s", "10 s", "60 s" };

/* Columns of the graph; 0: it is not shown. */
static int graph_cells(int cols)
{
	return cols >= GRAPH_COLS ? RECENT_CELLS : cols >= HALF_GRAPH_COLS ? RECENT_CELLS / 2 : 0;
}

static void draw_heads(struct grid *g, struct rect r, const struct recent_table *t)
{
	int cells = graph_cells(r.cols), col = r.col;
	const char *mark = t->is_ascii ? (t->is_reversed ? "^" : "v")
		: t->is_reversed       ? "\342\226\264"
				       : "\342\226\276";
	char text[32];

	grid_fill(g, r.row, r.col, r.cols, ROLE_HEAD);
	for (unsigned i = 0; i < RECENT_SPANS; i++, col += SHARE_CELLS) {
		snprintf(text, sizeof text, "%s%s", heads[i], i != t->sort ? "" : mark);
		table_cell_number(g, r.row, col, SHARE_CELLS, text, strlen(text), ROLE_HEAD);
	}
	if (cells > 0)
		grid_puts(g, r.row, col + 1, cells,
			  cells == RECENT_CELLS ? "the last 60 s" : "last 60 s", ROLE_HEAD);
	grid_puts(g, r.row, col + (cells > 0 ? cells + 1 : 0) + 3, r.cols, "Function (self time)",
		  ROLE_HEAD);
}

/* A column of the graph is as high as its part of the largest one. */
static void draw_graph(struct grid *g, int row, int col, int cells, const struct recent_row *data,
		       bool is_ascii, enum role role)
{
	static const char *const bars[] = { " ",
					    "\342\226\201",
					    "\342\226\202",
					    "\342\226\203",
					    "\342\226\204",
					    "\342\226\205",
					    "\342\226\206",
					    "\342\226\207",
					    "\342\226\210" };
	static const char *const ascii[] = { " ", ".", ".", ":", ":", "|", "|", "#", "#" };
	uint64_t us[RECENT_CELLS] = { 0 }, most = 1;

	for (int i = 0; i < RECENT_CELLS; i++)
		us[i * cells / RECENT_CELLS] += data->us[i];
	for (int i = 0; i < cells; i++)
		most = us[i] > most ? us[i] : most;
	for (int i = 0; i < cells; i++) {
		/* Anything is more than nothing. */
		size_t eighths = (size_t)((us[i] * 8 + most - 1) / most);

		grid_puts(g, row, col + i, 1, (is_ascii ? ascii : bars)[eighths], role);
	}
}

static void draw_row(struct grid *g, struct rect r, int row, const struct recent_table *t,
		     size_t at)
{
	const struct recent_row *data = &t->recent->rows[at];
	bool is_cursor = t->has_focus && at == t->cursor;
	enum role ink = is_cursor ? ROLE_ROW : ROLE_PLAIN;
	int cells = graph_cells(r.cols), col = r.col;
	const struct table_name name = { .profile = t->profile,
					 .frame = profile_frame(t->profile, data->frame),
					 .id = data->frame,
					 .search = t->search,
					 .ink = ink,
					 .place_ink = is_cursor ? ROLE_ROW : ROLE_DIM };

	if (is_cursor)
		highlight_row(g, row, r.col, r.cols, t->is_ascii);
	for (unsigned i = 0; i < RECENT_SPANS; i++, col += SHARE_CELLS) {
		char text[UNITS_MAX];

		if (data->ns[i] == 0)
			continue;
		units_percent(data->ns[i], t->recent->sampled_ns[i], text);
		table_cell_number(g, row, col, SHARE_CELLS, text, strlen(text), ink);
	}
	if (cells > 0) {
		draw_graph(g, row, col + 1, cells, data, t->is_ascii,
			   is_cursor ? ROLE_ROW : ROLE_TITLE);
		col += cells + 1;
	}
	grid_fill(g, row, col + 1, 1, frame_roles_get(t->roles, t->profile, data->frame));
	table_cell_name(g, row, col + 3, r.col + r.cols - col - 4, &name);
}

void recent_table_draw(struct grid *g, struct rect r, const struct recent_table *t)
{
	int shown = table_visible(r.rows, t->recent->n, t->top);
	char count[UNITS_MAX], more[UNITS_MAX + 16];

	for (int row = 0; row < r.rows; row++)
		grid_fill(g, r.row + row, r.col, r.cols, ROLE_PLAIN);
	if (r.rows < 2)
		return;
	draw_heads(g, r, t);
	if (t->recent->n == 0)
		grid_puts(g, r.row + 1, r.col + 2, r.cols - 2, "nothing has run in the last minute",
			  ROLE_DIM);
	for (int i = 0; i < shown; i++)
		draw_row(g, r, r.row + 1 + i, t, t->top + (size_t)i);
	if (t->top + (size_t)shown < t->recent->n && shown + 1 < r.rows) {
		units_count(t->recent->n - t->top - (size_t)shown, count);
		snprintf(more, sizeof more, "\342\200\246 %s more", count);
		grid_puts(g, r.row + 1 + shown, r.col, r.cols, more, ROLE_DIM);
	}
}

unsigned recent_table_span_at(struct rect r, int col)
{
	return col < r.col || col >= r.col + RECENT_SPANS * SHARE_CELLS
		? RECENT_SPANS
		: (unsigned)(col - r.col) / SHARE_CELLS;
}
