/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bars begin beside the name that they are for and grow to the left, so that a short one is not far
 * from it. They are text in the colour of the frame: blocks that leave an eighth of the row free,
 * as bars in neighbouring rows would otherwise melt, and a part of one for self time; low blocks
 * for the rest of the total time, from the next cell on, which with many colours are as high, but
 * pale (style.c). From the right there are a half and an eighth of a block only.
 *
 * Name and location share the room: each has what the other one does not need. If both are too
 * long, the location first loses its column, then its beginning, down to 3 of 10 cells; then the
 * name is cut in its middle. Where there is little room, the name alone counts. */
#include "config.h"

#include "draw/table/table_cell.h"

#include "base/text.h"
#include "base/units.h"
#include "draw/flame/label.h"
#include "draw/highlight.h"

#include <stdio.h>
#include <string.h>

#define BAR_CELLS 20
#define BAR_COLS 96 /* from this width on a table has long bars */
#define FULL "▇"
#define BAR_LEAST 4    /* cells of a bar */
#define GAP 2          /* blanks before a location */
#define PLACE_LEAST 10 /* cells of a location that is cut; fewer say nothing */
#define NAME_ROOM 40   /* in fewer cells no name is cut for a location */

void table_cell_number(struct grid *g, int row, int col, int width, const char *text, size_t len,
		       enum role ink)
{
	struct buf fit = { 0 };
	int cells = text_cells(text, len);

	if (cells > width)
		cells = width;
	if (cells > 0) {
		text_fit(&fit, text, len, cells);
		grid_put(g, row, col + width - cells, cells, buf_text(&fit), fit.len, ink);
	}
	buf_done(&fit);
}

/* ---- bars ---- */

int table_cell_bar_width(int cols)
{
	int cells = cols < BAR_COLS ? BAR_CELLS - (BAR_COLS - cols) * 3 / 4 : BAR_CELLS;

	return cells < BAR_LEAST ? BAR_LEAST : cells;
}

int64_t table_cell_bar_full(int64_t most, int64_t whole)
{
	int64_t full = whole;

	for (int i = 0; i < 3 && full > 8 && most <= full / 2; i++)
		full /= 2;
	return full > 0 ? full : 0;
}

/* In eighths of a cell. Any time has at least one. */
static int eighths(int64_t value, int64_t full, int cells)
{
	double part;

	if (full <= 0 || value <= 0)
		return 0;
	part = (double)value / (double)full * cells * 8;
	return part > cells * 8 ? cells * 8 : part < 1 ? 1 : (int)(part + 0.5);
}

/* Draw the cell `at` of a bar, counted from its base. It keeps its fill in the row with the cursor:
 * so that row costs few bytes. */
static void put_part(struct grid *g, int row, int base, int at, const char *part, enum role ink)
{
	if (row < 0 || row >= g->rows || base - at < 0 || base - at >= g->cols)
		return;
	grid_at(g, row, base - at)->fill = ROLE_PLAIN;
	grid_puts(g, row, base - at, 1, part, ink);
}

void table_cell_bar(struct grid *g, int row, int col, int width, const struct table_bar *bar)
{
	int base = col + width - 1, self = eighths(bar->self, bar->full, width), at = 0,
	    end = (eighths(bar->total, bar->full, width) + 4) / 8;
	/* Some frames have the colour of the page, with few colours. */
	enum role ink = bar->role == ROLE_IDLE || bar->role == ROLE_PROGRAM ||
			bar->role == ROLE_HEAT_0
		? ROLE_DIM
		: bar->role;

	for (; at < (self + 4) / 8; at++)
		put_part(g, row, base, at, bar->is_ascii ? "#" : FULL, ink);
	if (self > 0 && !at && !bar->is_ascii)
		put_part(g, row, base, at++, "▕", ink);
	for (; at < end; at++) {
		put_part(g, row, base, at, bar->is_ascii ? "." : "▂", ink);
		if (!bar->is_ascii)
			grid_flag(g, row, base - at, 1, CELL_THIN);
	}
}

void table_cell_bar_head(struct grid *g, int row, int col, int width, int64_t full, int64_t whole)
{
	/* Twice the percentage: 12.5 is one of them. */
	int64_t twice = full > 0 && full < whole ? (units_part(full, 400, whole) + 1) / 2 : 0;
	char text[32];

	snprintf(text, sizeof text, twice % 2 ? "%d.5 %%" : "%d %%", (int)(twice / 2));
	if (!twice || (int)strlen(text) > width)
		return;
	grid_puts(g, row, col, width, text, ROLE_DIM);
	if ((int)strlen(text) + 2 <= width)
		grid_puts(g, row, col + width - 1, 1, "0", ROLE_DIM);
}

/* ---- names ---- */

/* Leave the column of a location out: the line distinguishes functions. */
static void drop_column(const struct frame *frame, struct buf *place)
{
	const char *colon = place->len && frame->url && frame->line > 0 && frame->column > 0
		? strrchr(place->data, ':')
		: NULL;

	if (colon) {
		place->len = (size_t)(colon - place->data);
		place->data[place->len] = '\0';
	}
}

/* Leave the file out: `:12`. */
static void drop_file(struct buf *place)
{
	const char *colon = place->len ? strrchr(place->data, ':') : NULL;
	size_t len = colon ? strlen(colon) : place->len;

	if (!colon)
		return;
	memmove(place->data, colon, len + 1);
	place->len = len;
}

/* The cells of the location; 0: it is not shown. */
static int place_cells(int room, int name, int place)
{
	int least = room < NAME_ROOM ? 0 : room * 3 / 10, rest = room - name - GAP,
	    cells = rest > least ? rest : least;

	if (cells >= place)
		return place;
	return cells < PLACE_LEAST ? 0 : cells;
}

bool table_cell_name(struct grid *g, int row, int col, int width, const struct table_name *name)
{
	struct buf text = { 0 }, place = { 0 }, fit = { 0 };
	int cells, full, room;
	size_t len;
	const char *whole;
	bool is_name;

	if (width <= 0)
		return false;
	whole = label_name(name->profile, name->frame, &len);
	text_add_ends(&text, whole, len);
	label_place(name->profile, name->frame, false, &place);
	cells = text_cells(buf_text(&text), text.len);
	if (name->is_short || cells + GAP + text_cells(buf_text(&place), place.len) > width)
		drop_column(name->frame, &place);
	if (name->has_file)
		drop_file(&place);
	full = text_cells(buf_text(&place), place.len);
	room = place_cells(width, cells, full);
	text_fit(&fit, buf_text(&text), text.len, room ? width - room - GAP : width);
	cells = grid_put(g, row, col, width, buf_text(&fit), fit.len, name->ink);
	is_name = highlight_name(g, row, col, cells, name->search, name->id);
	if (room) {
		buf_clear(&fit);
		text_fit_end(&fit, buf_text(&place), place.len, room);
		col += cells + GAP;
		cells = grid_put(g, row, col, room, buf_text(&fit), fit.len, name->place_ink);
		if (!is_name && highlight_is_match(name->search, name->id))
			grid_flag(g, row, col, cells, CELL_MATCH);
	}
	buf_done(&text);
	buf_done(&place);
	buf_done(&fit);
	return room > 0 && room == full;
}
