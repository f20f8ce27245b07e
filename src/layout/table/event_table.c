/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Start, duration, and the name indented by its depth. Time columns are as wide as the longest
 * visible value. */
#include "config.h"

#include "layout/table/event_table.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "layout/table/table_cell.h"

#include <string.h>

#define TIME_CELLS 11
#define DEEPEST_INDENT 24

static void put_right(struct grid *g, int row, int col, int width, const char *text, enum role role)
{
	table_cell_number(g, row, col, width, text, strlen(text), role);
}

static void draw_row(struct grid *g, struct rect r, const struct event_table *table,
		     const struct span *span, int time_cells, bool is_cursor)
{
	const struct frame *frame = profile_node_frame(table->profile, table->lane, span->node);
	enum role text = is_cursor ? ROLE_ROW : span->t0 >= table->t1 ? ROLE_DIM : ROLE_PLAIN;
	int indent = span->depth < DEEPEST_INDENT ? span->depth : DEEPEST_INDENT,
	    col = r.col + 2 * time_cells + 2 + indent;
	const struct table_name name = { .profile = table->profile,
					 .frame = frame,
					 .id = table->lane->tree.frame[span->node],
					 .search = table->search,
					 .ink = text,
					 .place_ink = is_cursor ? ROLE_ROW : ROLE_DIM };
	char time[UNITS_MAX];

	if (is_cursor)
		highlight_row(g, r.row, r.col, r.cols, table->is_ascii);
	time_label_format(&table->times, span->t0, false, time);
	put_right(g, r.row, r.col, time_cells, time, text);
	if (table->lane->kind != LANE_MARKS) {
		units_time(span->t1 - span->t0, time);
		put_right(g, r.row, r.col + time_cells, time_cells, time, text);
	}
	grid_fill(g, r.row, col, 1, frame_roles_get(table->roles, table->profile, name.id));
	table_cell_name(g, r.row, col + 2, r.col + r.cols - col - 2, &name);
}

/* The width of the longest visible time, and a blank before it. */
static int measure(const struct event_table *table, int rows)
{
	struct event_at at = table->top;
	bool has_more = table->has_any;
	int most = TIME_CELLS;

	for (; rows > 0 && has_more; rows--) {
		struct span span;

		if (events_span(table->lane, &at, &span)) {
			char time[2][UNITS_MAX];

			time_label_format(&table->times, span.t0, false, time[0]);
			units_time(span.t1 - span.t0, time[1]);
			for (size_t i = 0; i < ARRAY_LEN(time); i++) {
				int cells = text_cells(time[i], strlen(time[i])) + 1;

				most = cells > most ? cells : most;
			}
		}
		has_more = events_next(table->lane, &table->filter, &at);
	}
	return most;
}

void event_table_draw(struct grid *g, struct rect r, const struct event_table *table)
{
	int time_cells = measure(table, r.rows - 1);
	struct event_at at = table->top;
	bool has_more = table->has_any;

	for (int row = 0; row < r.rows; row++)
		grid_fill(g, r.row + row, r.col, r.cols, ROLE_PLAIN);
	if (r.rows < 2)
		return;
	grid_fill(g, r.row, r.col, r.cols, ROLE_HEAD);
	put_right(g, r.row, r.col, time_cells, "Start", ROLE_HEAD);
	put_right(g, r.row, r.col + time_cells, time_cells, "Duration", ROLE_HEAD);
	grid_puts(g, r.row, r.col + 2 * time_cells + 4, r.cols, "Name, indented by depth",
		  ROLE_HEAD);
	if (!has_more)
		grid_puts(g, r.row + 1, r.col + 2, r.cols - 2, table->empty, ROLE_DIM);
	for (int row = 1; row < r.rows && has_more; row++) {
		struct rect line = { r.row + row, r.col, 1, r.cols };
		struct span span;

		if (events_span(table->lane, &at, &span))
			draw_row(g, line, table, &span, time_cells,
				 table->has_focus && row - 1 == table->cursor);
		has_more = events_next(table->lane, &table->filter, &at);
	}
}
