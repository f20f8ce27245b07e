/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of all tables: title, width, and what a row has in them. Panes draw
 * them, the report prints them. */
#ifndef FLAMETTY_LAYOUT_COLUMN_H
#define FLAMETTY_LAYOUT_COLUMN_H

#include "analysis/rows.h"
#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

enum column_id {
	COLUMN_SELF,
	COLUMN_SELF_SHARE,
	COLUMN_TOTAL,
	COLUMN_TOTAL_SHARE,
	COLUMN_BAR,
	COLUMN_NAME,
	COLUMN_LOCATION,
	COLUMN_COUNT
};

struct column {
	enum column_id id;
	const char *title;
	int width;     /* cells, or more where a value is longer; 0: takes what is left */
	bool is_right; /* numbers */
	int min_cols;  /* left out of tables narrower than this */
	bool is_sortable;
	enum rows_sort sort; /* what `<` and `>` sort by here */
};

/* What the numbers of a table mean. */
struct column_unit {
	const struct profile *profile;
	int64_t whole; /* 100 %; 0: unknown */
	bool has_idle; /* idle time is part of `whole`; else rows of idle time have no share */
};

const struct column *column_get(enum column_id id);

/* Whether a table of `cols` cells has room for the column. */
bool column_is_shown(enum column_id id, int cols, enum rows_kind kind);

/* Append the text of a cell; nothing for COLUMN_BAR. Names and locations are as the
 * profile has them: whoever shows them cuts them and makes controls visible. */
void column_format(enum column_id id, const struct column_unit *unit, const struct row *row,
		   struct buf *out);

/* The eighths of `cells` cells that the bar of a row takes: of its total time, or of its own. */
int column_bar(const struct column_unit *unit, const struct row *row, bool is_total, int cells);

#endif
