/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Start, duration, self time, and the name indented by its depth. Time columns are as wide as the
 * longest visible value; a narrow table leaves the self time out. */
#include "config.h"

#include "draw/table/event_table.h"

#include "base/text.h"
#include "base/units.h"
#include "draw/chart.h"
#include "draw/table/table.h"
#include "model/span_find.h"

#include <stdio.h>
#include <string.h>

/* ==== recent table ====
 *
 * Columns from left to right: shares, graph, name. All have fixed widths, so that only what has
 * changed is drawn anew every second. */

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
	const char *mark = t->is_reversed ? "\342\226\264" : "\342\226\276";
	char text[32];

	grid_fill(g, r.row, r.col, r.cols, ROLE_HEAD);
	for (unsigned i = 0; i < RECENT_SPANS; i++, col += SHARE_CELLS) {
		snprintf(text, sizeof text, "%s%s", heads[i], i != t->sort ? "" : mark);
		table_cell_number(g, r.row, col, SHARE_CELLS, text, ROLE_HEAD);
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
	uint64_t us[RECENT_CELLS] = { 0 }, most = 1;

	for (int i = 0; i < RECENT_CELLS; i++)
		us[i * cells / RECENT_CELLS] += data->us[i];
	for (int i = 0; i < cells; i++)
		most = us[i] > most ? us[i] : most;
	for (int i = 0; i < cells; i++) {
		/* Anything is more than nothing. */
		size_t eighths = (size_t)((us[i] * 8 + most - 1) / most);

		grid_puts(g, row, col + i, 1, table_bar(eighths, is_ascii), role);
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
		if (data->ns[i] == 0)
			continue;
		table_cell_number(g, row, col, SHARE_CELLS,
				  units_percent(data->ns[i], t->recent->sampled_ns[i], UNITS_ROOM),
				  ink);
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
	table_draw_more(g, r, t->recent->n, t->top);
}

unsigned recent_table_span_at(struct rect r, int col)
{
	return col < r.col || col >= r.col + RECENT_SPANS * SHARE_CELLS
		? RECENT_SPANS
		: (unsigned)(col - r.col) / SHARE_CELLS;
}

/* ==== event table ==== */

#define TIME_CELLS 11
#define DEEPEST_INDENT 24
#define SELF_COLS 90 /* tables of this width have self times */

/* The columns of times, in the order of enum event_sort. */
enum { TIME_START, TIME_DURATION, TIME_SELF, TIMES };

struct columns {
	int n;     /* of times */
	int cells; /* of each */
};

static void format_time(const struct event_table *table, const struct span *span, int column,
			char out[UNITS_MAX])
{
	const struct series *s = table->lane->series;
	BUF_LOCAL value = { 0 };

	*out = '\0';
	if (column == TIME_START)
		time_label_format(&table->times, span->t0, false, out);
	else if (s && column == TIME_SELF)
		counter_format(&s[span->depth], s[span->depth].value[span->first], &value);
	else if (s)
		profile_value(table->profile, span->t1 - span->t0, out);
	else if (profile_is_mark(table->profile, table->lane, span->node))
		return;
	else
		profile_value(table->profile,
			      column == TIME_SELF ? span_find_self_ns(table->lane, span)
						  : slice_time_of_span(table->lane, span),
			      out);
	if (value.len)
		snprintf(out, UNITS_MAX, "%s", buf_text(&value));
}

static void draw_row_table(struct grid *g, struct rect r, const struct event_table *table,
			   const struct columns *columns, const struct span *span, bool is_cursor)
{
	const struct series *s = table->lane->series;
	const struct frame value = { .name = s ? s[span->depth].name : 0 };
	enum role text = is_cursor ? ROLE_ROW : ROLE_PLAIN;
	int indent = s                         ? 0
		: span->depth < DEEPEST_INDENT ? span->depth
					       : DEEPEST_INDENT,
	    col = r.col + columns->n * columns->cells + 2 + indent;
	const struct table_name name = {
		.profile = table->profile,
		.frame = s ? &value : profile_node_frame(table->profile, table->lane, span->node),
		.id = s ? 0 : table->lane->tree.frame[span->node],
		.search = table->search,
		.ink = text,
		.place_ink = is_cursor ? ROLE_ROW : ROLE_DIM
	};
	char time[UNITS_MAX];

	if (is_cursor)
		highlight_row(g, r.row, r.col, r.cols, table->is_ascii);
	for (int i = 0; i < columns->n; i++) {
		format_time(table, span, i, time);
		table_cell_number(g, r.row, r.col + i * columns->cells, columns->cells, time, text);
	}
	if (!s)
		grid_fill(g, r.row, col, 1,
			  frame_roles_of_span(table->roles, table->profile, table->lane, span));
	table_cell_name(g, r.row, col + 2, r.col + r.cols - col - 2, &name);
}

/* A column is as wide as the longest visible time, with a blank before it. */
static struct columns measure(const struct event_table *table, struct rect r)
{
	int shown = table_visible(r.rows, table->n, table->top);
	bool has_self = r.cols >= SELF_COLS || (table->lane && table->lane->series);
	struct columns columns = { has_self ? TIMES : TIME_SELF, TIME_CELLS };
	struct event_table one = *table;

	for (int i = 0; i < shown; i++) {
		struct span span;

		one.lane = event_order_span(table->order, table->top + (size_t)i,
					    table->is_reversed, &span);
		for (int k = 0; k < columns.n; k++) {
			char time[UNITS_MAX];
			int cells;

			format_time(&one, &span, k, time);
			cells = text_cells(time, strlen(time)) + 1;
			columns.cells = cells > columns.cells ? cells : columns.cells;
		}
	}
	return columns;
}

static void draw_heads_table(struct grid *g, struct rect r, const struct event_table *table,
			     const struct columns *columns)
{
	static const char *const titles[2][EVENT_SORT_COUNT] = {
		{ "Start", "Duration", "Self", "Name, indented by depth" },
		{ "Start", "Duration", "Value", "Series" },
	};
	/* Down: the order in which one begins to read such a column. */
	const char *mark = table->is_reversed ? "\342\226\264" : "\342\226\276";
	char title[48];

	grid_fill(g, r.row, r.col, r.cols, ROLE_HEAD);
	for (int i = 0; i < EVENT_SORT_COUNT; i++) {
		int col = r.col + (i < columns->n ? i : columns->n) * columns->cells;

		snprintf(title, sizeof title, "%s%s", titles[table->lane && table->lane->series][i],
			 i == (int)table->order->query.sort ? mark : "");
		if (i < columns->n)
			table_cell_number(g, r.row, col, columns->cells, title, ROLE_HEAD);
		else if (i == EVENT_BY_NAME)
			grid_puts(g, r.row, col + 4, r.cols, title, ROLE_HEAD);
	}
}

void event_table_draw(struct grid *g, struct rect r, const struct event_table *table)
{
	struct event_table one = *table;
	struct columns columns;
	int shown;

	for (int row = 0; row < r.rows; row++)
		grid_fill(g, r.row + row, r.col, r.cols, ROLE_PLAIN);
	if (r.rows < 2)
		return;
	shown = table_visible(r.rows, table->n, table->top);
	columns = measure(table, r);
	draw_heads_table(g, r, table, &columns);
	if (table->n == 0)
		grid_puts(g, r.row + 1, r.col + 2, r.cols - 2, table->empty, ROLE_DIM);
	for (int i = 0; i < shown; i++) {
		size_t at = table->top + (size_t)i;
		struct rect line = { r.row + 1 + i, r.col, 1, r.cols };
		struct span span;

		one.lane = event_order_span(table->order, at, table->is_reversed, &span);
		draw_row_table(g, line, &one, &columns, &span,
			       table->has_focus && at == table->cursor);
	}
	table_draw_more(g, r, table->n, table->top);
}

enum event_sort event_table_sort_at(const struct event_table *table, struct rect r, int col)
{
	struct columns columns = measure(table, r);
	int at = (col - r.col) / columns.cells;

	return at < columns.n ? (enum event_sort)at : EVENT_BY_NAME;
}
