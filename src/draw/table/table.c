/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns of fixed width are at the left, one blank apart; the name, with its location, has the
 * rest. A name is indented by the depth of its row, up to half of its room, minus a large common
 * depth of all visible rows. Deeper rows show their depth as a number instead, so that no name is
 * pushed out. Number columns are as wide as the widest visible value: a number is never truncated.
 */
#include "config.h"

#include "draw/table/table.h"

#include "base/text.h"
#include "base/units.h"
#include "draw/change.h"
#include "draw/table/table_cell.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define INDENT 2

int table_visible(int rows, size_t n, size_t top)
{
	int lines = rows - 1;
	size_t left = top < n ? n - top : 0;

	if (lines <= 0)
		return 0;
	if (left <= (size_t)lines)
		return (int)left;
	return lines >= 3 ? lines - 1 : lines;
}

size_t table_scroll(int rows, size_t n, size_t top, size_t cursor)
{
	size_t lines = rows > 1 ? (size_t)rows - 1 : 1;

	if (n <= lines)
		return 0;
	if (top > n - lines)
		top = n - lines;
	if (cursor < top)
		return cursor;
	while (cursor >= top + (size_t)table_visible((int)lines + 1, n, top)) {
		size_t step = cursor - top - (size_t)table_visible((int)lines + 1, n, top) + 1;

		top += step;
	}
	/* Without the line about more rows below, one more row fits. */
	return top > n - lines ? n - lines : top;
}

/* The text of a cell. The heading has the percent sign. */
static void format_cell(const struct table *table, enum column_id id, const struct row *data,
			struct buf *out)
{
	buf_clear(out);
	/* A total below the self time comes from recursive calls, whose time counts for the
	 * outermost call. As a number it would look like an error. */
	if (data->self > data->total &&
	    (id == COLUMN_TOTAL_SHARE || (id == COLUMN_TOTAL && data->total == 0))) {
		buf_adds(out, "\302\267");
		return;
	}
	column_format(id, &table->unit, data, out);
	if ((id == COLUMN_SELF_SHARE || id == COLUMN_TOTAL_SHARE) && out->len > 2 &&
	    !strcmp(out->data + out->len - 2, " %")) {
		out->len -= 2;
		out->data[out->len] = '\0';
	}
}

/* The width of the longest cell of a column among the visible rows. */
static int longest(const struct table *table, enum column_id id, int rows)
{
	int n = table_visible(rows, table->rows->n, table->top), most = 0;
	struct buf text = { 0 };

	for (int i = 0; i < n; i++) {
		int cells;

		format_cell(table, id, &table->rows->rows[table->top + (size_t)i], &text);
		cells = text_cells(buf_text(&text), text.len);
		most = cells > most ? cells : most;
	}
	buf_done(&text);
	return most;
}

/* Compute the widths of all columns; 0: not shown. Columns of numbers get what their values need;
 * the name has the rest. */
static void measure(const struct table *table, struct rect r, int width[COLUMN_COUNT])
{
	int rest = r.cols, need;

	for (enum column_id id = 0; id < COLUMN_COUNT; id++) {
		width[id] = 0;
		if (column_get(id)->width == 0 ||
		    !column_is_shown(id, &table->unit, r.cols, table->rows->kind))
			continue;
		need = longest(table, id, r.rows);
		width[id] = need > column_get(id)->width ? need : column_get(id)->width;
		if (id == COLUMN_BAR)
			width[id] = table_cell_bar_width(r.cols - (table->unit.has_change ? 7 : 0) -
							 (table->unit.has_gc ? 9 : 0));
		rest -= width[id] + 1;
	}
	width[COLUMN_NAME] = rest > 0 ? rest : 0;
}

/* Common depth of all visible rows that is not indented: if all rows are deep, their names would be
 * truncated for nothing. */
static int common_depth(const struct table *table, int rows, int width)
{
	int n = table_visible(rows, table->rows->n, table->top), least = INT_MAX, most = 0;

	for (int i = 0; i < n; i++) {
		int depth = table->rows->rows[table->top + (size_t)i].depth;

		least = depth < least ? depth : least;
		most = depth > most ? depth : most;
	}
	return n > 0 && most * INDENT > width / 4 ? least : 0;
}

static void draw_heading(struct grid *g, struct rect r, const struct table *table,
			 const int width[COLUMN_COUNT], int depth)
{
	enum rows_sort sort = table->rows->sort;
	struct buf title = { 0 };
	int col = r.col;

	for (enum column_id id = 0; id < COLUMN_COUNT; id++) {
		const struct column *column = column_get(id);

		if (width[id] <= 0)
			continue;
		if (id == COLUMN_BAR)
			table_cell_bar_head(g, r.row, col, width[id], table->unit.full,
					    table->unit.whole);
		buf_clear(&title);
		buf_adds(&title, id == COLUMN_NAME ? "    " : "");
		buf_adds(&title, column_title(id, &table->unit));
		if (id == COLUMN_NAME && depth > 0)
			buf_addf(&title, ", %d deep", depth);
		if (column->is_sortable && column->sort == sort)
			buf_adds(&title,
				 (sort == ROWS_BY_NAME) != table->rows->is_reversed ? "▴" : "▾");
		if (column->has_right_title)
			table_cell_number(g, r.row, col, width[id], buf_text(&title), title.len,
					  ROLE_HEAD);
		else
			grid_puts(g, r.row, col, width[id], buf_text(&title), ROLE_HEAD);
		col += width[id] + 1;
	}
	buf_done(&title);
}

/* The colour of a row: as in the chart, that of its change if two sides are compared. */
static enum role role_of(const struct table *table, const struct row *row)
{
	int64_t ns[SIDES];

	if (!table->unit.change.after)
		return frame_roles_get(table->roles, table->unit.profile, row->frame);
	rows_change_sides_of_row(&table->unit.change, row, ns);
	return change_role_of(&table->unit.change.unit, ns);
}

/* Draw swatch, indentation, mark, name and location in `width` cells. */
static void draw_name(struct grid *g, int row, int col, int width, const struct row *data,
		      const struct table *table, int common)
{
	const struct profile *profile = table->unit.profile;
	const struct table_name name = { .profile = profile,
					 .frame = profile_frame(profile, data->frame),
					 .id = data->frame,
					 .search = table->search,
					 .ink = ROLE_PLAIN,
					 .place_ink = ROLE_DIM };
	const char *mark = data->can_open ? data->is_open ? "▾" : "▸" : " ";
	int most = width / 2 / INDENT * INDENT, own = (data->depth - common) * INDENT, indent,
	    used = 0;
	char depth[16];

	if (table->is_ascii)
		mark = data->can_open ? data->is_open ? "-" : "+" : " ";
	if (width >= 8) {
		grid_fill(g, row, col, 1, role_of(table, data));
		used = 2;
	}
	most = most > used ? most - used : 0;
	indent = own > most ? most : own;
	if (indent < own && most >= 4) {
		snprintf(depth, sizeof(depth), "%d", data->depth);
		grid_puts(g, row, col + used, most - 1, depth, ROLE_DIM);
	}
	used += indent;
	grid_puts(g, row, col + used, width - used, mark, ROLE_KEY);
	used += 2;
	table_cell_name(g, row, col + used, width - used, &name);
}

static void draw_row(struct grid *g, struct rect r, int row, const struct row *data,
		     const struct table *table, const int width[COLUMN_COUNT], int common)
{
	const struct table_bar bar = { .self = data->self,
				       .total = data->total,
				       .full = column_has_share(&table->unit, data)
					       ? table->unit.full
					       : 0,
				       .role = role_of(table, data),
				       .is_ascii = table->is_ascii };
	struct buf text = { 0 };
	int col = r.col;

	for (enum column_id id = 0; id < COLUMN_COUNT; id++) {
		if (width[id] <= 0)
			continue;
		if (id == COLUMN_BAR) {
			table_cell_bar(g, row, col, width[id], &bar);
		} else if (id == COLUMN_NAME) {
			draw_name(g, row, col, width[id], data, table, common);
		} else {
			format_cell(table, id, data, &text);
			table_cell_number(g, row, col, width[id], buf_text(&text), text.len,
					  ROLE_PLAIN);
		}
		col += width[id] + 1;
	}
	buf_done(&text);
}

/* The text of the row with the cursor is bold. A bar is not: bold blocks have another colour on
 * some terminals, and seams between them. */
static void flag_cursor(struct grid *g, struct rect r, int row, const int width[COLUMN_COUNT])
{
	int col = r.col;

	for (enum column_id id = 0; id < COLUMN_BAR; id++)
		col += width[id] > 0 ? width[id] + 1 : 0;
	grid_flag(g, row, r.col, col - r.col, CELL_BOLD);
	if (width[COLUMN_BAR] > 0)
		col += width[COLUMN_BAR];
	grid_flag(g, row, col, r.col + r.cols - col, CELL_BOLD);
}

static void draw_more(struct grid *g, struct rect r, int row, size_t n_more)
{
	char count[UNITS_MAX], text[UNITS_MAX + 16];

	units_count(n_more, count);
	snprintf(text, sizeof(text), "… %s more", count);
	grid_puts(g, row, r.col, r.cols, text, ROLE_DIM);
}

void table_draw(struct grid *g, struct rect r, const struct table *table)
{
	size_t n = table->rows ? table->rows->n : 0;
	int n_visible, common, width[COLUMN_COUNT];

	if (r.rows <= 0 || r.cols <= 0)
		return;
	if (n == 0) {
		grid_puts(g, r.row, r.col + 2, r.cols - 2, table->empty, ROLE_DIM);
		return;
	}
	measure(table, r, width);
	common = common_depth(table, r.rows, width[COLUMN_NAME]);
	draw_heading(g, r, table, width, common);
	n_visible = table_visible(r.rows, n, table->top);
	for (int i = 0; i < n_visible; i++) {
		size_t at = table->top + (size_t)i;
		int row = r.row + 1 + i;
		bool is_cursor = at == table->cursor;

		if (is_cursor && table->has_focus)
			highlight_row(g, row, r.col, r.cols, table->is_ascii);
		draw_row(g, r, row, &table->rows->rows[at], table, width, common);
		if (is_cursor)
			flag_cursor(g, r, row, width);
	}
	if (table->top + (size_t)n_visible < n && n_visible + 1 < r.rows)
		draw_more(g, r, r.row + 1 + n_visible, n - table->top - (size_t)n_visible);
}

bool table_order_at(const struct table *table, struct rect r, int col, enum rows_sort *sort)
{
	int width[COLUMN_COUNT], end = r.col;
	bool has_order = false;

	if (!table->rows || col < r.col || col >= r.col + r.cols)
		return false;
	measure(table, r, width);
	for (enum column_id id = 0; id < COLUMN_COUNT && col >= end; id++) {
		if (width[id] <= 0)
			continue;
		end += width[id] + 1;
		has_order = id != COLUMN_BAR;
		if (column_get(id)->is_sortable)
			*sort = column_get(id)->sort;
	}
	return has_order;
}

bool table_hit(const struct table *table, struct rect r, int row, size_t *at)
{
	size_t n = table->rows ? table->rows->n : 0;
	int line = row - r.row - 1;

	if (line < 0 || line >= table_visible(r.rows, n, table->top))
		return false;
	*at = table->top + (size_t)line;
	return true;
}
