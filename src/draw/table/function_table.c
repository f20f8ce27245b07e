/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns from left to right; a narrow table leaves some out. Number columns are as wide as their
 * title and the widest visible value: a number is never truncated. */
#include "config.h"

#include "draw/table/function_table.h"

#include "base/text.h"
#include "base/units.h"
#include "draw/flame/label.h"

#include <stdio.h>
#include <string.h>

#define CELLS 9

/* A column of shares follows some columns; its cells are counted with a blank. */
#define FUNCTION_FIGURE(X, id, kind, where, key, heading, share, width, cols, value)               \
	[FUNCTION_##id] = { heading, cols, FIGURE_IS_##kind, (share) ? "%" key : NULL },

enum {
	FIGURE_IS_VALUE,
	FIGURE_IS_KNOWN,
	FIGURE_IS_COUNT,
	FIGURE_IS_LENGTH,
	FIGURE_IS_CPU,
	FIGURE_IS_BYTES
};

/* clang-format off */
static const struct {
	const char *title;
	int min_cols, kind;
	const char *share_title;
} columns[FUNCTION_COLUMNS] = {
	FIGURES_OF_TIME(FUNCTION_FIGURE, FUNCTION_NO_ID, )
	[FUNCTION_BEFORE] = { .title = "Before", .min_cols = 48 },
	[FUNCTION_AFTER] = { .title = "After", .min_cols = 48 },
	[FUNCTION_CHANGE] = { .title = "vs all", .min_cols = 56 },
	[FUNCTION_TOTAL_CHANGE] = { .title = "Total", .min_cols = 70 },
	FIGURES_OF_SPANS(FUNCTION_FIGURE, FUNCTION_NO_ID, )
	[FUNCTION_NAME] = { .title = "Function" },
};
/* clang-format on */

#define NAME_MIN 16  /* least cells of the name before another column is added */
#define NAME_ROOM 34 /* and before there are bars: for the location, too */

/* A value of two sides. */
static void format_sides(const struct function_table *t, enum function_column c, frame_id f,
			 char out[UNITS_MAX])
{
	const struct rows_change *change = &t->unit.change;
	int64_t ns[SIDES];

	*out = '\0';
	if (!change->after)
		return;
	rows_change_sides_of_function(change, f, c == FUNCTION_TOTAL_CHANGE, ns);
	if (c == FUNCTION_TOTAL_CHANGE)
		sides_format_change(&change->unit, ns[SIDE_AFTER] - ns[SIDE_BEFORE], out);
	else
		sides_format(&change->unit, ns[c == FUNCTION_AFTER ? SIDE_AFTER : SIDE_BEFORE],
			     out);
}

static int64_t value_of(const struct function_table *t, enum function_column c, frame_id f)
{
	struct function_figures figures = figures_of(t->functions ? &t->functions[f] : NULL, 0,
						     t->self[f], t->total[f], t->hit_ns);

	figures.gc = t->unit.gc ? t->unit.gc->frame[f] : FIGURE_NONE;
	return function_table_value(&figures, c);
}

static void format(const struct function_table *t, enum function_column c, frame_id f,
		   char out[UNITS_MAX])
{
	int64_t value;

	*out = '\0';
	if (c == FUNCTION_CHANGE) {
		BUF_LOCAL text = { 0 };
		int64_t here = t->self[f], all;

		if (t->unit.change.all && rows_change_of_function(&t->unit.change, f, &here, &all))
			rows_change_format(&t->unit.change, here, all, &text);
		snprintf(out, UNITS_MAX, "%s", buf_text(&text));
	} else if (c >= FUNCTION_BEFORE && c <= FUNCTION_TOTAL_CHANGE) {
		format_sides(t, c, f, out);
	} else if (c < FUNCTION_NAME) {
		value = value_of(t, c, f);
		if (columns[c].kind == FIGURE_IS_COUNT)
			units_count((uint64_t)value, out);
		else if (columns[c].kind == FIGURE_IS_BYTES)
			units_bytes(value, out);
		else if (value != FIGURE_NONE)
			profile_value(t->unit.profile, value, out);
	}
}

/* Idle time has a share only if it is part of the whole. */
static bool has_share(const struct function_table *t, frame_id f)
{
	return t->unit.has_idle || t->frames[f].category != CATEGORY_IDLE;
}

/* The heading has the percent sign. */
static void format_share(const struct function_table *t, enum function_column c, frame_id f,
			 char out[UNITS_MAX])
{
	units_percent(value_of(t, c, f), has_share(t, f) ? t->unit.whole : 0, out);
	out[strcspn(out, " ")] = '\0';
}

static const char *title_of(const struct function_table *t, enum function_column c)
{
	const struct rows_change *change = &t->unit.change;

	if (c == FUNCTION_BEFORE || c == FUNCTION_AFTER)
		return sides_title(&change->unit, c == FUNCTION_BEFORE ? SIDE_BEFORE : SIDE_AFTER);
	if (c == FUNCTION_NAME && t->unit.names)
		return t->unit.names;
	return c == FUNCTION_CHANGE && change->after ? "Change" : columns[c].title;
}

static void format_title(const struct function_table *t, enum function_column c, char out[32])
{
	const char *mark = t->is_ascii ? (t->is_reversed ? "^" : "v")
		: t->is_reversed       ? "\342\226\264"
				       : "\342\226\276";

	snprintf(out, 32, "%s%s%s", title_of(t, c),
		 function_table_is_of_spans(c) && t->is_counting ? "\342\200\246" : "",
		 c == t->sort ? mark : "");
}

/* The cells of a column that has room for its title and its visible values, with a blank before
 * the longest of them. */
static int needed(const struct function_table *t, enum function_column c, int shown)
{
	int most = CELLS;

	for (int i = -1; i < shown; i++) {
		char text[UNITS_MAX];
		int cells;

		if (i < 0)
			format_title(t, c, text);
		else
			format(t, c, t->order[t->top + (size_t)i], text);
		cells = text_cells(text, strlen(text)) + 1;
		most = cells > most ? cells : most;
	}
	return most;
}

/* The same of the shares behind a column, if it has any. */
static int needed_by_shares(const struct function_table *t, enum function_column c, int shown)
{
	int most = columns[c].share_title ? (int)strlen(columns[c].share_title) + 1 : 0;

	for (int i = 0; most && i < shown; i++) {
		char text[UNITS_MAX];

		format_share(t, c, t->order[t->top + (size_t)i], text);
		most = (int)strlen(text) >= most ? (int)strlen(text) + 1 : most;
	}
	return most;
}

struct widths {
	int of[FUNCTION_COLUMNS]; /* 0: not shown */
	int share[FUNCTION_COLUMNS];
	int bar; /* 0: no bars */
};

/* Whether a table of this kind has the column. */
static bool is_of_kind(const struct function_table *t, enum function_column c)
{
	return (c != FUNCTION_GC || t->unit.has_gc) && (c != FUNCTION_CPU || t->has_cpu) &&
		function_table_has_spans(c, t->has_ranks, t->has_requests) &&
		function_table_has(c, t->unit.has_change, t->unit.change.after != NULL);
}

static struct widths measure(const struct function_table *t, struct rect r, int shown)
{
	struct widths w = { .bar = table_cell_bar_width(r.cols) };
	int rest = r.cols;

	for (enum function_column c = FUNCTION_SELF; c < FUNCTION_NAME; c++) {
		int share = w.share[c] = needed_by_shares(t, c, shown);

		w.of[c] = r.cols < columns[c].min_cols || !is_of_kind(t, c) ? 0
									    : needed(t, c, shown);
		if (c > FUNCTION_SELF && w.of[c] + share > rest - NAME_MIN)
			w.of[c] = 0;
		rest -= w.of[c] ? w.of[c] + share : 0;
	}
	if (w.bar + 1 > rest - NAME_ROOM || t->unit.change.after)
		w.bar = 0;
	w.of[FUNCTION_NAME] = rest - (w.bar ? w.bar + 1 : 0);
	return w;
}

/* The colour of a function: as in the chart, that of its change if two sides are compared. */
static enum role role_of(const struct function_table *t, frame_id f)
{
	int64_t ns[SIDES];

	if (!t->unit.change.after)
		return frame_roles_get(t->roles, t->unit.profile, f);
	rows_change_sides_of_function(&t->unit.change, f, false, ns);
	return change_role_of(&t->unit.change.unit, ns);
}

/* Draw bar, swatch, name and location from `col` to the end of the row. */
static void draw_name(struct grid *g, int row, int col, const struct function_table *t, frame_id f,
		      const struct widths *w, bool is_cursor)
{
	enum role role = role_of(t, f);
	const struct table_bar bar = { .self = t->self[f],
				       .total = t->total[f],
				       .full = has_share(t, f) ? t->unit.full : 0,
				       .role = role,
				       .is_ascii = t->is_ascii };
	const struct table_name name = { .profile = t->unit.profile,
					 .frame = &t->frames[f],
					 .id = f,
					 .search = t->search,
					 .ink = is_cursor ? ROLE_ROW : ROLE_PLAIN,
					 .place_ink = is_cursor ? ROLE_ROW : ROLE_DIM };

	if (w->bar) {
		table_cell_bar(g, row, col, w->bar, &bar);
		col += w->bar + 1;
	}
	grid_fill(g, row, col, 1, role);
	table_cell_name(g, row, col + 2, w->of[FUNCTION_NAME] - 3, &name);
}

static void draw_row(struct grid *g, struct rect r, int row, const struct function_table *t,
		     const struct widths *w, size_t at)
{
	frame_id f = t->order[at];
	bool is_cursor = t->has_focus && at == t->cursor;
	enum role role = is_cursor ? ROLE_ROW : ROLE_PLAIN;
	int col = r.col;

	if (is_cursor)
		highlight_row(g, row, r.col, r.cols, t->is_ascii);
	for (enum function_column c = FUNCTION_SELF; c < FUNCTION_NAME; c++) {
		char text[UNITS_MAX];

		if (w->of[c] == 0)
			continue;
		format(t, c, f, text);
		table_cell_number(g, row, col, w->of[c], text,
				  function_table_is_of_spans(c) && t->is_counting && !is_cursor
					  ? ROLE_DIM
					  : role);
		col += w->of[c];
		if (columns[c].share_title) {
			format_share(t, c, f, text);
			table_cell_number(g, row, col, w->share[c], text, role);
		}
		col += w->share[c];
	}
	draw_name(g, row, col + 1, t, f, w, is_cursor);
}

static void draw_heads(struct grid *g, struct rect r, const struct function_table *t,
		       const struct widths *w)
{
	char title[32];
	int col = r.col;

	grid_fill(g, r.row, r.col, r.cols, ROLE_HEAD);
	for (enum function_column c = FUNCTION_SELF; c < FUNCTION_NAME; c++) {
		if (w->of[c] == 0)
			continue;
		format_title(t, c, title);
		table_cell_number(g, r.row, col, w->of[c], title, ROLE_HEAD);
		col += w->of[c];
		if (columns[c].share_title)
			table_cell_number(g, r.row, col, w->share[c], columns[c].share_title,
					  ROLE_HEAD);
		col += w->share[c];
	}
	if (w->bar)
		table_cell_bar_head(g, r.row, col + 1, w->bar, t->unit.full, t->unit.whole);
	format_title(t, FUNCTION_NAME, title);
	grid_puts(g, r.row, col + (w->bar ? w->bar + 1 : 0) + 3, r.cols, title, ROLE_HEAD);
}

void function_table_draw(struct grid *g, struct rect r, const struct function_table *t)
{
	struct widths w;
	int shown;

	for (int row = 0; row < r.rows; row++)
		grid_fill(g, r.row + row, r.col, r.cols, ROLE_PLAIN);
	if (r.rows < 2)
		return;
	shown = table_visible(r.rows, t->n, t->top);
	w = measure(t, r, shown);
	draw_heads(g, r, t, &w);
	if (t->n == 0) {
		grid_puts(g, r.row + 1, r.col + 2, r.cols - 2, t->empty, ROLE_DIM);
		return;
	}
	for (int i = 0; i < shown; i++)
		draw_row(g, r, r.row + 1 + i, t, &w, t->top + (size_t)i);
	table_draw_more(g, r, t->n, t->top);
}

enum function_column function_table_column_at(const struct function_table *t, struct rect r,
					      int col)
{
	struct widths w;
	int end = r.col;

	if (col < r.col || col >= r.col + r.cols || r.rows < 2)
		return FUNCTION_COLUMNS;
	w = measure(t, r, table_visible(r.rows, t->n, t->top));
	for (enum function_column c = FUNCTION_SELF; c < FUNCTION_NAME; c++) {
		end += w.of[c] ? w.of[c] + w.share[c] : 0;
		if (col < end)
			return c;
	}
	return w.bar && col <= end + w.bar ? FUNCTION_COLUMNS : FUNCTION_NAME;
}
