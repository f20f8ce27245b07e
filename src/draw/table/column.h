/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of the tables of rows: title, width, and the value of a row. Reports have columns of
 * their own. */
#ifndef FLAMETTY_LAYOUT_COLUMN_H
#define FLAMETTY_LAYOUT_COLUMN_H

#include "analyse/gc_part.h"
#include "analyse/rows/rows.h"
#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

/* In the order on the screen. */
enum column_id {
	COLUMN_SELF,
	COLUMN_SELF_SHARE,
	COLUMN_TOTAL,
	COLUMN_TOTAL_SHARE,
	COLUMN_GC,
	COLUMN_BEFORE, /* of two sides; instead of those above and the bar */
	COLUMN_AFTER,
	COLUMN_CHANGE,
	COLUMN_BAR,
	COLUMN_NAME,
	COLUMN_COUNT
};

/* What the numbers of a table mean. */
struct column_unit {
	const struct profile *profile;
	int64_t whole; /* 100 %; 0: unknown */
	int64_t full;  /* ns of a bar that has all its cells; 0: no bars */
	bool has_idle; /* idle time is part of `whole`; else rows of idle time have no share */
	/* The shares are those of a part, compared with those of all of it; its `all` is NULL while
	 * that is not known. Or two sides are compared, with `after` set. */
	bool has_change;
	struct rows_change change;
	bool has_gc;              /* how much of total times is garbage collection is wanted: */
	const struct gc_part *gc; /* NULL: not known */
	enum rows_kind gc_kind;   /* of the rows */
};

struct column {
	const char *title;
	int width;            /* least width in cells; 0: computed from the others */
	bool has_right_title; /* the title is aligned to the right, as all values but names are */
	bool is_sortable;     /* `sort` is valid */
	enum rows_sort sort;  /* the order that a mark in the title shows */
	int min_cols;         /* narrower tables leave the column out: bottom-up, */
	int topdown_min_cols; /* and top-down, where total time is the last to go */
	/* Append the value of a row; NULL: the column has no text. */
	void (*format)(const struct column_unit *unit, const struct row *row, struct buf *out);
};

const struct column *column_get(enum column_id id);

/* Whether a table of `cols` cells has the column, by what its numbers mean and its room. */
bool column_is_shown(enum column_id id, const struct column_unit *unit, int cols,
		     enum rows_kind kind);

/* The title above the values. */
const char *column_title(enum column_id id, const struct column_unit *unit);

/* Append the text of a cell; nothing for COLUMN_BAR. Names are as in the profile: the caller
 * truncates them and makes control characters visible. */
void column_format(enum column_id id, const struct column_unit *unit, const struct row *row,
		   struct buf *out);

/* Whether the row has a share: idle time has none unless it is part of the whole. */
bool column_has_share(const struct column_unit *unit, const struct row *row);

#endif
