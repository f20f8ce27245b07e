/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of rows on the screen: headings, rows, and the number of rows that are not shown. */
#ifndef FLAMETTY_DRAW_TABLE_TABLE_H
#define FLAMETTY_DRAW_TABLE_TABLE_H

#include "analyse/gc_part.h"
#include "analyse/rows/rows.h"
#include "analyse/search.h"
#include "base/buf.h"
#include "draw/frame_roles.h"
#include "draw/grid.h"

#include <stdbool.h>
#include <stdint.h>

struct profile;

/* The columns of tables of calls, in the order on the screen. A column is a row here, and nowhere
 * else:
 *
 *     id        COLUMN_id
 *     kind      what the value is: value, of the profile, as a time; share; side, one of two; or
 *               change, bar and name, whose value is not used
 *     title
 *     width     least width in cells; 0: computed from the others
 *     sort      the order that a mark in the title shows; COLUMN_UNSORTED: none
 *     cols      narrower tables leave the column out: bottom-up,
 *     topdown   and top-down, where total time is the last to go
 *     value     of `row`, with `unit`; FIGURE_NONE: not known */
/* clang-format off */
#define TABLE_COLUMNS(X)                                                                           \
	X(SELF,        value,  "Self",     8, ROWS_BY_SELF,    0,  52, row->self)                   \
	X(SELF_SHARE,  share,  "%self",    5, COLUMN_UNSORTED, 0,  60, row->self)                   \
	X(TOTAL,       value,  "Total",    8, ROWS_BY_TOTAL,   52, 0,  row->total)                  \
	X(TOTAL_SHARE, share,  "%total",   6, COLUMN_UNSORTED, 60, 0,  row->total)                  \
	X(GC,          value,  "GC",       8, COLUMN_UNSORTED, 48, 48, gc_of(unit, row))            \
	/* Of two sides; instead of those above and the bar. */                                    \
	X(BEFORE,      side,   "Before",   8, ROWS_BY_TOTAL,   48, 48, SIDE_BEFORE)                 \
	X(AFTER,       side,   "After",    8, ROWS_BY_SELF,    48, 48, SIDE_AFTER)                  \
	X(CHANGE,      change, "vs all",   7, ROWS_BY_CHANGE,  56, 56, 0)                           \
	X(BAR,         bar,    "",         4, COLUMN_UNSORTED, 76, 76, 0)                           \
	X(NAME,        name,   "Function", 0, ROWS_BY_NAME,    0,  0,  0)
/* clang-format on */

#define COLUMN_UNSORTED (-1)

enum column_id {
#define COLUMN_ID(id, ...) COLUMN_##id,
	TABLE_COLUMNS(COLUMN_ID) COLUMN_COUNT
};

/* What the numbers of a table mean. */
struct column_unit {
	const struct profile *profile;
	const char *names; /* their heading; NULL: Function */
	int64_t whole;     /* 100 %; 0: unknown */
	int64_t full;      /* ns of a bar that has all its cells; 0: no bars */
	bool has_idle;     /* idle time is part of `whole`; else rows of idle time have no share */
	/* The shares are those of a part, compared with those of all of it; its `all` is NULL while
	 * that is not known. Or two sides are compared, with `after` set. */
	bool has_change;
	struct rows_change change;
	bool marks_cut;           /* rows may lack their callers: see struct frame */
	bool has_gc;              /* how much of total times is garbage collection is wanted: */
	const struct gc_part *gc; /* NULL: not known */
	enum rows_kind gc_kind;   /* of the rows */
};

/* Append the text of a cell; nothing for COLUMN_BAR. Names are as in the profile: the caller
 * truncates them and makes control characters visible. */
void column_format(enum column_id id, const struct column_unit *unit, const struct row *row,
		   struct buf *out);

struct table {
	const struct rows *rows; /* NULL: show only `empty` */
	struct column_unit unit;
	size_t top; /* the first row shown */
	size_t cursor;
	bool has_focus;
	bool is_ascii;
	const struct frame_roles *roles; /* colours of the swatch before a name; see struct chart */
	const struct search *search;     /* the active search; NULL: none */
	const char *empty;               /* text if there are no rows */
};

/* The number of data rows that fit into `rows` lines if `top` is the first of n. One line has the
 * headings; the last one tells of more rows. */
int table_visible(int rows, size_t n, size_t top);

/* The first row to show so that `cursor` is visible: the one nearest to `top`. */
size_t table_scroll(int rows, size_t n, size_t top, size_t cursor);
void table_draw(struct grid *g, struct rect r, const struct table *table);

/* The order that a click on the heads at grid column `col` asks for: shares belong to the time at
 * their left. False: none. */
bool table_order_at(const struct table *table, struct rect r, int col, enum rows_sort *sort);

/* The data row at a grid row, of n rows from `top` on. False, and *at stays: there is none. */
bool table_hit(struct rect r, int row, size_t n, size_t top, size_t *at);

/* Tell how many of n rows follow those that are visible, if there are some and a line is left. */
void table_draw_more(struct grid *g, struct rect r, size_t n, size_t top);

/* Fill the row of a table that has the cursor, and mark its beginning; text may cover the mark. */
static inline void highlight_row(struct grid *g, int row, int col, int cells, bool is_ascii)
{
	grid_fill(g, row, col, cells, ROLE_ROW);
	grid_puts(g, row, col, cells, is_ascii ? ">" : "\342\226\214", ROLE_ROW_MARK);
}

/* Draw a text aligned to the right; its end is cut if it needs more than `width` cells. */
void table_cell_number(struct grid *g, int row, int col, int width, const char *text,
		       enum role ink);

/* A bar, from the right to the left: the part of the self time is full, the rest up to the total
 * time is low or pale. */
struct table_bar {
	int64_t self, total,
		full;   /* ns; the bar has all its cells for `full`, and none if it is 0 */
	enum role role; /* of the frame */
	bool is_ascii;
};

/* A cell of a strip, filled from below by 0 to 8 eighths. */
const char *table_bar(size_t eighths, bool is_ascii);

/* The cells of a bar in a table of `cols` cells: 20, fewer in a narrow table. */
int table_cell_bar_width(int cols);
void table_cell_bar(struct grid *g, int row, int col, int width, const struct table_bar *bar);

/* The scale above bars, from what a bar of all cells stands for to 0, `25 %     0`; nothing if that
 * is the whole. */
void table_cell_bar_head(struct grid *g, int row, int col, int width, int64_t full, int64_t whole);

/* The least of 100 %, 50 %, 25 % and 12.5 % of `whole` that is not below `most`; 0 if there is no
 * whole. */
int64_t table_cell_bar_full(int64_t most, int64_t whole);

/* A name and, two blanks behind it, the location of the function. */
struct table_name {
	const struct profile *profile;
	const struct frame *frame;
	frame_id id;                 /* of `frame` */
	const struct search *search; /* marks matches; NULL: none */
	enum role ink, place_ink;
	bool is_short; /* the location has no column */
	bool has_file; /* nor a file: that of the row above is the same */
};

/* Returns whether all of the location is there. */
bool table_cell_name(struct grid *g, int row, int col, int width, const struct table_name *name);

#endif
