/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns from left to right; a narrow table leaves some out. Number columns are as wide as their
 * title and the widest visible value: a number is never truncated. */
#include "config.h"

#include "layout/function_table.h"

#include "base/text.h"
#include "base/units.h"
#include "layout/label.h"
#include "layout/table.h"

#include <stdio.h>
#include <string.h>

#define CELLS 9
#define SHARE_CELLS 6
#define LOCATION_MOST 30
#define LOCATION_COLS 110

static const struct {
	const char *title;
	int min_cols;
	bool is_span;
} columns[FUNCTION_COLUMNS] = {
	[FUNCTION_SELF] = { "Self", 0, false },     [FUNCTION_TOTAL] = { "Total", 50, false },
	[FUNCTION_SPANS] = { "Spans", 60, true },   [FUNCTION_LONGEST] = { "Longest", 70, true },
	[FUNCTION_MEAN] = { "Mean", 90, true },     [FUNCTION_SHORTEST] = { "Shortest", 100, true },
	[FUNCTION_NAME] = { "Function", 0, false },
};

#define NAME_LEAST 16 /* least cells of the name before another column is added */

static void put_right(struct grid *g, int row, int col, int width, const char *text, enum role role)
{
	int cells = text_cells(text, strlen(text));

	grid_puts(g, row, col + width - cells, cells, text, role);
}

static void format(const struct function_table *t, enum function_column c, frame_id f,
		   char out[UNITS_MAX])
{
	const struct function *fn = &t->functions[f];

	switch (c) {
	case FUNCTION_SELF:
		units_time(t->self[f], out);
		break;
	case FUNCTION_TOTAL:
		units_time(t->total[f], out);
		break;
	case FUNCTION_SPANS:
		units_count(fn->n_spans, out);
		break;
	case FUNCTION_LONGEST:
		units_time(fn->longest, out);
		break;
	case FUNCTION_MEAN:
		units_time(functions_mean(fn), out);
		break;
	case FUNCTION_SHORTEST:
		units_time(fn->shortest, out);
		break;
	case FUNCTION_NAME:
	case FUNCTION_COLUMNS:
		*out = '\0';
		break;
	}
}

/* The share of the whole; idle time has one only if it is part of the whole. */
static void put_share(struct grid *g, int row, int col, const struct function_table *t, frame_id f,
		      int64_t value, enum role role)
{
	char text[UNITS_MAX];
	bool has_share = t->unit.has_idle || t->frames[f].category != CATEGORY_IDLE;

	units_percent(value, has_share ? t->unit.whole : 0, text);
	/* The heading has the percent sign. */
	text[strcspn(text, " ")] = '\0';
	put_right(g, row, col, SHARE_CELLS, text, role);
}

static void format_title(const struct function_table *t, enum function_column c, char out[32])
{
	const char *mark = t->is_ascii ? (t->is_reversed ? "^" : "v")
		: t->is_reversed       ? "\342\226\264"
				       : "\342\226\276";

	snprintf(out, 32, "%s%s%s", columns[c].title,
		 columns[c].is_span && t->is_counting ? "\342\200\246" : "",
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

/* The widths of all columns; 0: not shown. */
static void measure(const struct function_table *t, struct rect r, int shown,
		    int width[FUNCTION_COLUMNS])
{
	int rest = r.cols;

	for (enum function_column c = FUNCTION_SELF; c < FUNCTION_NAME; c++) {
		int share = c <= FUNCTION_TOTAL ? SHARE_CELLS : 0;

		width[c] = r.cols < columns[c].min_cols ? 0 : needed(t, c, shown);
		if (c > FUNCTION_SELF && width[c] + share > rest - NAME_LEAST)
			width[c] = 0;
		rest -= width[c] ? width[c] + share : 0;
	}
	width[FUNCTION_NAME] = rest;
}

/* The width of the location: what visible names do not need, at most somewhat less than half. */
static int location_cells(const struct function_table *t, struct rect r, int shown, int room)
{
	int name = 0, most = 0, left;

	if (r.cols < LOCATION_COLS)
		return 0;
	for (int i = 0; i < shown; i++) {
		const struct frame *frame = &t->frames[t->order[t->top + (size_t)i]];
		struct buf place = { 0 };
		size_t len;
		const char *text = label_name(t->unit.profile, frame, &len);
		int cells = text_cells(text, len);

		name = cells > name ? cells : name;
		label_place(t->unit.profile, frame, false, &place);
		cells = text_cells(buf_text(&place), place.len);
		most = cells > most ? cells : most;
		buf_done(&place);
	}
	left = room - name - 5 > room * 9 / 20 ? room - name - 5 : room * 9 / 20;
	left = left < LOCATION_MOST ? left : LOCATION_MOST;
	return most < left ? most : left;
}

static void draw_name(struct grid *g, struct rect r, int row, int col,
		      const struct function_table *t, frame_id f, int location, bool is_cursor)
{
	enum role role = is_cursor ? ROLE_ROW : ROLE_PLAIN;
	const struct profile *p = t->unit.profile;
	const struct frame *frame = &t->frames[f];
	struct buf fit = { 0 }, place = { 0 };
	int end = r.col + r.cols;

	label_place(p, frame, false, &place);
	if (location > 0)
		end -= location + 2;
	if (place.len && location > 0) {
		int cells;

		text_fit_end(&fit, place.data, place.len, location);
		cells = text_cells(fit.data, fit.len);
		grid_put(g, row, end + 2 + location - cells, cells, fit.data, fit.len,
			 is_cursor ? role : ROLE_DIM);
		buf_clear(&fit);
	}
	grid_fill(g, row, col, 1, frame_roles_get(t->roles, p, f));
	if (end - col - 2 > 0) {
		size_t len;
		const char *text = label_name(p, frame, &len);

		text_fit(&fit, text, len, end - col - 2);
		grid_put(g, row, col + 2, end - col - 2, buf_text(&fit), fit.len, role);
		highlight_name(g, row, col + 2, text_cells(fit.data, fit.len), t->search, f);
	}
	buf_done(&fit);
	buf_done(&place);
}

static void draw_row(struct grid *g, struct rect r, int row, const struct function_table *t,
		     const int width[FUNCTION_COLUMNS], int location, size_t at)
{
	frame_id f = t->order[at];
	bool is_cursor = t->has_focus && at == t->cursor;
	enum role role = is_cursor ? ROLE_ROW : ROLE_PLAIN;
	int col = r.col;

	if (is_cursor)
		highlight_row(g, row, r.col, r.cols, t->is_ascii);
	for (enum function_column c = FUNCTION_SELF; c < FUNCTION_NAME; c++) {
		char text[UNITS_MAX];

		if (width[c] == 0)
			continue;
		format(t, c, f, text);
		put_right(g, row, col, width[c], text,
			  columns[c].is_span && t->is_counting && !is_cursor ? ROLE_DIM : role);
		col += width[c];
		if (c <= FUNCTION_TOTAL) {
			put_share(g, row, col, t, f, c == FUNCTION_SELF ? t->self[f] : t->total[f],
				  role);
			col += SHARE_CELLS;
		}
	}
	draw_name(g, r, row, col + 1, t, f, location, is_cursor);
}

static void draw_heads(struct grid *g, struct rect r, const struct function_table *t,
		       const int width[FUNCTION_COLUMNS])
{
	int col = r.col;

	grid_fill(g, r.row, r.col, r.cols, ROLE_HEAD);
	for (enum function_column c = FUNCTION_SELF; c < FUNCTION_COLUMNS; c++) {
		char title[32];

		if (c != FUNCTION_NAME && width[c] == 0)
			continue;
		format_title(t, c, title);
		if (c == FUNCTION_NAME) {
			grid_puts(g, r.row, col + 3, r.cols, title, ROLE_HEAD);
			break;
		}
		put_right(g, r.row, col, width[c], title, ROLE_HEAD);
		col += width[c];
		if (c <= FUNCTION_TOTAL) {
			put_right(g, r.row, col, SHARE_CELLS, "%", ROLE_HEAD);
			col += SHARE_CELLS;
		}
	}
}

void function_table_draw(struct grid *g, struct rect r, const struct function_table *t)
{
	int shown, location, width[FUNCTION_COLUMNS];
	char count[UNITS_MAX], more[UNITS_MAX + 16];

	for (int row = 0; row < r.rows; row++)
		grid_fill(g, r.row + row, r.col, r.cols, ROLE_PLAIN);
	if (r.rows < 2)
		return;
	shown = table_visible(r.rows, t->n, t->top);
	measure(t, r, shown, width);
	location = location_cells(t, r, shown, width[FUNCTION_NAME]);
	draw_heads(g, r, t, width);
	if (t->n == 0) {
		grid_puts(g, r.row + 1, r.col + 2, r.cols - 2, t->empty, ROLE_DIM);
		return;
	}
	for (int i = 0; i < shown; i++)
		draw_row(g, r, r.row + 1 + i, t, width, location, t->top + (size_t)i);
	if (t->top + (size_t)shown < t->n && shown + 1 < r.rows) {
		units_count(t->n - t->top - (size_t)shown, count);
		snprintf(more, sizeof more, "\342\200\246 %s more", count);
		grid_puts(g, r.row + 1 + shown, r.col, r.cols, more, ROLE_DIM);
	}
}
