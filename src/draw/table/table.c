/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns of fixed width are at the left, one blank apart; the name, with its location, has the
 * rest. A name is indented by the depth of its row, up to half of its room, minus a large common
 * depth of all visible rows. Deeper rows show their depth as a number instead, so that no name is
 * pushed out. Number columns are as wide as the widest visible value: a number is never truncated.
 */
#include "config.h"

#include "draw/table/table.h"

#include "analyse/figures.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/flame/label.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ==== column ==== */

static const struct {
	const char *title;
	int width, sort, cols, topdown_cols;
} columns[COLUMN_COUNT] = {
#define COLUMN_ROW(id, kind, title, width, sort, cols, topdown, value)                             \
	[COLUMN_##id] = { title, width, (int)(sort), cols, topdown },
	TABLE_COLUMNS(COLUMN_ROW)
};

/* How much of a row's total time is garbage collection. */
static int64_t gc_of(const struct column_unit *unit, const struct row *row)
{
	int64_t ns = unit->gc ? gc_part_of_row(unit->gc, unit->gc_kind, row) : -1;

	return ns < 0 ? FIGURE_NONE : ns;
}

/* Whether the row has a share: idle time has none unless it is part of the whole. */
static bool column_has_share(const struct column_unit *unit, const struct row *row)
{
	return unit->has_idle ||
		profile_frame(unit->profile, row->frame)->category != CATEGORY_IDLE;
}

/* ---- kinds of values ---- */

static void format_value(const struct column_unit *unit, const struct row *row, int64_t value,
			 struct buf *out)
{
	(void)row;
	if (value == FIGURE_NONE)
		return;
	buf_adds(out, profile_value(unit->profile, value, UNITS_ROOM));
}

static void format_share(const struct column_unit *unit, const struct row *row, int64_t value,
			 struct buf *out)
{
	buf_adds(out,
		 units_percent(value, column_has_share(unit, row) ? unit->whole : 0, UNITS_ROOM));
}

static void format_side(const struct column_unit *unit, const struct row *row, int64_t side,
			struct buf *out)
{
	int64_t ns[SIDES];

	rows_change_sides_of_row(&unit->change, row, ns);
	buf_adds(out, sides_format(&unit->change.unit, ns[side], UNITS_ROOM));
}

static void format_change(const struct column_unit *unit, const struct row *row, int64_t value,
			  struct buf *out)
{
	int64_t here, all;

	(void)value;
	if (unit->change.all && rows_change_of_row(&unit->change, row, &here, &all))
		rows_change_format(&unit->change, here, all, out);
}

#define format_bar(unit, row, value, out) ((void)0)

static void format_name(const struct column_unit *unit, const struct row *row, int64_t value,
			struct buf *out)
{
	const struct frame *frame = profile_frame(unit->profile, row->frame);

	(void)value;
	text_add_ends(out, intern_text(&unit->profile->strings, frame->name),
		      intern_len(&unit->profile->strings, frame->name));
}

void column_format(enum column_id id, const struct column_unit *unit, const struct row *row,
		   struct buf *out)
{
#define COLUMN_FORMAT(id, kind, title, width, sort, cols, topdown, value)                          \
	case COLUMN_##id:                                                                          \
		format_##kind(unit, row, value, out);                                              \
		break;
	switch (id) {
		TABLE_COLUMNS(COLUMN_FORMAT)
	case COLUMN_COUNT:
		break;
	}
}

/* Whether a table of `cols` cells has the column, by what its numbers mean and its room. */
static bool is_shown(enum column_id id, const struct column_unit *unit, int cols,
		     enum rows_kind kind)
{
	bool is_of_sides = id == COLUMN_BEFORE || id == COLUMN_AFTER;

	if (unit->change.after && id == COLUMN_CHANGE)
		return true;
	if (id != COLUMN_NAME && is_of_sides != (unit->change.after != NULL))
		return false;
	if ((id == COLUMN_CHANGE && !unit->has_change) || (id == COLUMN_GC && !unit->has_gc))
		return false;
	return cols >= (kind == ROWS_TOPDOWN ? columns[id].topdown_cols : columns[id].cols);
}

/* ==== highlight ====
 *
 * Highlights search matches in the names of tables, and the row with the cursor. */

#define MATCH_NAME_MAX 65536 /* bytes of a text in which the match is looked for */

/* Whether the search found the function. */
static bool highlight_is_match(const struct search *search, frame_id frame)
{
	return search && search->matches && frame < search->profile->frames.n &&
		search->matches[frame];
}

static bool matches(const struct search *search, str_id text)
{
	const struct intern *strings = &search->profile->strings;

	return intern_len(strings, text) <= MATCH_NAME_MAX &&
		pattern_find(search->pattern, intern_text(strings, text), intern_len(strings, text),
			     NULL, NULL);
}

/* Highlight the matching part of a name at row, col in `cells` cells. If that part is not known,
 * because the name was truncated or another text of the function matches, highlight all of it.
 * search: NULL, or a search of the profile that `frame` belongs to. Returns whether the name itself
 * matches. */
static bool highlight_name(struct grid *g, int row, int col, int cells, const struct search *search,
			   frame_id frame)
{
	const struct intern *strings;
	size_t from = 0, end = 0, len;
	const char *name;
	bool is_name;
	const struct frame *of;

	if (!highlight_is_match(search, frame))
		return false;
	strings = &search->profile->strings;
	of = profile_frame(search->profile, frame);
	name = intern_text(strings, of->name);
	len = intern_len(strings, of->name);
	if (!search->pattern || search->subject == PATTERN_CAT || search->labels)
		is_name = true;
	else if (search->subject != PATTERN_ANY)
		is_name = false;
	else if (len > MATCH_NAME_MAX)
		/* Too long to be searched for each picture: it is there unless it is elsewhere. */
		is_name = !matches(search, of->url) && !matches(search, of->package);
	else
		is_name = pattern_find(search->pattern, name, len, &from, &end);
	if (end > from && text_cells(name, len) == cells) {
		col += text_cells(name, from);
		cells = text_cells(name + from, end - from);
	}
	grid_flag(g, row, col, cells, CELL_MATCH);
	return is_name;
}

/* ==== table cell ====
 *
 * Bars begin beside the name that they are for and grow to the left, so that a short one is not far
 * from it. They are text in the colour of the frame: blocks that leave an eighth of the row free,
 * as bars in neighbouring rows would otherwise melt, and a part of one for self time; low blocks
 * for the rest of the total time, from the next cell on, which with many colours are as high, but
 * pale (term/palette.c). From the right there are a half and an eighth of a block only.
 *
 * Name and location share the room: each has what the other one does not need. If both are too
 * long, the location first loses its column, then its beginning, down to 3 of 10 cells; then the
 * name is cut in its middle. Where there is little room, the name alone counts. */

#define BAR_CELLS 20
#define BAR_COLS 96 /* from this width on a table has long bars */
#define FULL "▇"
#define BAR_MIN 4    /* cells of a bar */
#define GAP 2        /* blanks before a location */
#define PLACE_MIN 10 /* cells of a location that is cut; fewer say nothing */
#define NAME_ROOM 40 /* in fewer cells no name is cut for a location */

void table_cell_number(struct grid *g, int row, int col, int width, const char *text, enum role ink)
{
	int cells = text_cells(text, strlen(text));

	if (cells > width)
		cells = width;
	grid_put_fit(g, row, col + width - cells, cells, text, SIZE_MAX, ink);
}

/* ---- bars ---- */

const char *table_bar(size_t eighths, bool is_ascii)
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

	return (is_ascii ? ascii : bars)[eighths < 8 ? eighths : 8];
}

int table_cell_bar_width(int cols)
{
	int cells = cols < BAR_COLS ? BAR_CELLS - (BAR_COLS - cols) * 3 / 4 : BAR_CELLS;

	return cells < BAR_MIN ? BAR_MIN : cells;
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
	return cells < PLACE_MIN ? 0 : cells;
}

/* The event of a slice that is called by what it runs, where there is room behind `used` cells. */
static void put_event(struct grid *g, int row, int col, int width, int used,
		      const struct table_name *name)
{
	str_id event = name->frame->event;
	const char *text = profile_text(name->profile, event);
	int cells = text_cells(text, strlen(text));

	if (event && event != name->frame->name && used + GAP + cells <= width)
		grid_put_fit(g, row, col + used + GAP, cells, text, strlen(text), name->place_ink);
}

/* The place alone, of a function without a name. Returns whether it is whole. */
static bool put_place(struct grid *g, int row, int col, int width, const struct table_name *name)
{
	BUF_LOCAL place = { 0 }, fit = { 0 };
	int cells;

	label_place(name->profile, name->frame, false, &place);
	if (name->is_short || text_cells(buf_text(&place), place.len) > width)
		drop_column(name->frame, &place);
	text_fit_end(&fit, buf_text(&place), place.len, width);
	cells = grid_put(g, row, col, width, buf_text(&fit), fit.len, name->ink);
	if (!highlight_name(g, row, col, cells, name->search, name->id) &&
	    highlight_is_match(name->search, name->id))
		grid_flag(g, row, col, cells, CELL_MATCH);
	put_event(g, row, col, width, cells, name);
	cells = text_cells(buf_text(&place), place.len);
	return cells <= width;
}

bool table_cell_name(struct grid *g, int row, int col, int width, const struct table_name *name)
{
	BUF_LOCAL text = { 0 }, place = { 0 }, fit = { 0 };
	int cells, full, room, used;
	bool is_name;

	if (width <= 0)
		return false;
	if (profile_is_placed(name->profile, name->frame))
		return put_place(g, row, col, width, name);
	label_text(name->profile, name->frame, &text);
	label_place(name->profile, name->frame, false, &place);
	cells = text_cells(buf_text(&text), text.len);
	if (name->is_short || cells + GAP + text_cells(buf_text(&place), place.len) > width)
		drop_column(name->frame, &place);
	if (name->has_file)
		drop_file(&place);
	full = text_cells(buf_text(&place), place.len);
	room = place_cells(width, cells, full);
	cells = grid_put_fit(g, row, col, room ? width - room - GAP : width, buf_text(&text),
			     text.len, name->ink);
	is_name = highlight_name(g, row, col, cells, name->search, name->id);
	used = cells;
	if (room) {
		text_fit_end(&fit, buf_text(&place), place.len, room);
		used += GAP;
		cells = grid_put(g, row, col + used, room, buf_text(&fit), fit.len,
				 name->place_ink);
		if (!is_name && highlight_is_match(name->search, name->id))
			grid_flag(g, row, col + used, cells, CELL_MATCH);
		used += cells;
	}
	put_event(g, row, col, width, used, name);
	return room > 0 && room == full;
}

/* ==== table ==== */

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
	BUF_LOCAL text = { 0 };

	for (int i = 0; i < n; i++) {
		int cells;

		format_cell(table, id, &table->rows->rows[table->top + (size_t)i], &text);
		cells = text_cells(buf_text(&text), text.len);
		most = cells > most ? cells : most;
	}
	return most;
}

/* Compute the widths of all columns; 0: not shown. Columns of numbers get what their values need;
 * the name has the rest. */
static void measure(const struct table *table, struct rect r, int width[COLUMN_COUNT])
{
	int rest = r.cols, need;

	for (enum column_id id = 0; id < COLUMN_COUNT; id++) {
		width[id] = 0;
		if (columns[id].width == 0 ||
		    !is_shown(id, &table->unit, r.cols, table->rows->kind))
			continue;
		need = longest(table, id, r.rows);
		width[id] = need > columns[id].width ? need : columns[id].width;
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

static const char *title_of(const struct table *table, enum column_id id)
{
	const struct rows_change *change = &table->unit.change;

	if (id == COLUMN_BEFORE || id == COLUMN_AFTER)
		return sides_title(&change->unit, id == COLUMN_BEFORE ? SIDE_BEFORE : SIDE_AFTER);
	if (id == COLUMN_NAME && table->unit.names)
		return table->unit.names;
	return id == COLUMN_CHANGE && change->after ? "Change" : columns[id].title;
}

static void draw_heading(struct grid *g, struct rect r, const struct table *table,
			 const int width[COLUMN_COUNT], int depth)
{
	enum rows_sort sort = table->rows->sort;
	BUF_LOCAL title = { 0 };
	int col = r.col;

	for (enum column_id id = 0; id < COLUMN_COUNT; id++) {
		if (width[id] <= 0)
			continue;
		if (id == COLUMN_BAR)
			table_cell_bar_head(g, r.row, col, width[id], table->unit.full,
					    table->unit.whole);
		buf_clear(&title);
		buf_adds(&title, id == COLUMN_NAME ? "    " : "");
		buf_adds(&title, title_of(table, id));
		if (id == COLUMN_NAME && depth > 0)
			buf_addf(&title, ", %d deep", depth);
		if (columns[id].sort == (int)sort)
			buf_adds(&title,
				 (sort == ROWS_BY_NAME) != table->rows->is_reversed ? "▴" : "▾");
		if (id != COLUMN_NAME)
			table_cell_number(g, r.row, col, width[id], buf_text(&title), ROLE_HEAD);
		else
			grid_puts(g, r.row, col, width[id], buf_text(&title), ROLE_HEAD);
		col += width[id] + 1;
	}
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
	if (table->unit.marks_cut && data->depth == 0 && name.frame->is_cut) {
		grid_puts(g, row, col + used, width - used, table->is_ascii ? "~" : "\342\200\246",
			  ROLE_WARN);
		used += 2;
	}
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
	BUF_LOCAL text = { 0 };
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
			table_cell_number(g, row, col, width[id], buf_text(&text), ROLE_PLAIN);
		}
		col += width[id] + 1;
	}
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

void table_draw_more(struct grid *g, struct rect r, size_t n, size_t top)
{
	int shown = table_visible(r.rows, n, top);
	char text[UNITS_MAX + 16];

	if (top + (size_t)shown >= n || shown + 1 >= r.rows)
		return;
	snprintf(text, sizeof text, "… %s more", units_count(n - top - (size_t)shown, UNITS_ROOM));
	grid_puts(g, r.row + 1 + shown, r.col, r.cols, text, ROLE_DIM);
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
	table_draw_more(g, r, n, table->top);
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
		if (columns[id].sort != COLUMN_UNSORTED)
			*sort = (enum rows_sort)columns[id].sort;
	}
	return has_order;
}

bool table_hit(struct rect r, int row, size_t n, size_t top, size_t *at)
{
	int line = row - r.row - 1;

	if (line < 0 || line >= table_visible(r.rows, n, top))
		return false;
	*at = top + (size_t)line;
	return true;
}
