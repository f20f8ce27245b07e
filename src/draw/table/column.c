/* SPDX-License-Identifier: GPL-2.0-or-later */
/* To add a column: an id in column.h and a row here, with the function that formats its value. The
 * order of the ids is the order on the screen, from left to right. */
#include "config.h"

#include "draw/table/column.h"

#include "base/text.h"
#include "base/units.h"

#include <stddef.h>

static void add_time(const struct column_unit *unit, int64_t value, struct buf *out)
{
	char text[UNITS_MAX];

	profile_value(unit->profile, value, text);
	buf_adds(out, text);
}

bool column_has_share(const struct column_unit *unit, const struct row *row)
{
	return unit->has_idle ||
		profile_frame(unit->profile, row->frame)->category != CATEGORY_IDLE;
}

static void add_share(int64_t value, const struct column_unit *unit, const struct row *row,
		      struct buf *out)
{
	char text[UNITS_MAX];

	units_percent(value, column_has_share(unit, row) ? unit->whole : 0, text);
	buf_adds(out, text);
}

static void format_self(const struct column_unit *unit, const struct row *row, struct buf *out)
{
	add_time(unit, row->self, out);
}

static void format_self_share(const struct column_unit *unit, const struct row *row,
			      struct buf *out)
{
	add_share(row->self, unit, row, out);
}

static void format_total(const struct column_unit *unit, const struct row *row, struct buf *out)
{
	add_time(unit, row->total, out);
}

static void format_total_share(const struct column_unit *unit, const struct row *row,
			       struct buf *out)
{
	add_share(row->total, unit, row, out);
}

static void format_name(const struct column_unit *unit, const struct row *row, struct buf *out)
{
	const struct frame *frame = profile_frame(unit->profile, row->frame);

	text_add_ends(out, intern_text(&unit->profile->strings, frame->name),
		      intern_len(&unit->profile->strings, frame->name));
}

static void format_gc(const struct column_unit *unit, const struct row *row, struct buf *out)
{
	int64_t ns = unit->gc ? gc_part_of_row(unit->gc, unit->gc_kind, row) : -1;

	if (ns >= 0)
		add_time(unit, ns, out);
}

static void format_change(const struct column_unit *unit, const struct row *row, struct buf *out)
{
	int64_t here, all;

	if (unit->change.all && rows_change_of_row(&unit->change, row, &here, &all))
		rows_change_format(&unit->change, here, all, out);
}

static void format_side(const struct column_unit *unit, const struct row *row, enum side side,
			struct buf *out)
{
	int64_t ns[SIDES];
	char text[UNITS_MAX];

	rows_change_sides_of_row(&unit->change, row, ns);
	sides_format(&unit->change.unit, ns[side], text);
	buf_adds(out, text);
}

static void format_before(const struct column_unit *unit, const struct row *row, struct buf *out)
{
	format_side(unit, row, SIDE_BEFORE, out);
}

static void format_after(const struct column_unit *unit, const struct row *row, struct buf *out)
{
	format_side(unit, row, SIDE_AFTER, out);
}

static const struct column columns[COLUMN_COUNT] = {
	[COLUMN_SELF] = { .title = "Self",
			  .width = 8,
			  .has_right_title = true,
			  .is_sortable = true,
			  .sort = ROWS_BY_SELF,
			  .topdown_min_cols = 52,
			  .format = format_self },
	[COLUMN_SELF_SHARE] = { .title = "%self",
				.width = 5,
				.has_right_title = true,
				.topdown_min_cols = 60,
				.format = format_self_share },
	[COLUMN_TOTAL] = { .title = "Total",
			   .width = 8,
			   .has_right_title = true,
			   .min_cols = 52,
			   .is_sortable = true,
			   .sort = ROWS_BY_TOTAL,
			   .format = format_total },
	[COLUMN_TOTAL_SHARE] = { .title = "%total",
				 .width = 6,
				 .has_right_title = true,
				 .min_cols = 60,
				 .format = format_total_share },
	[COLUMN_GC] = { .title = "GC",
			.width = 8,
			.has_right_title = true,
			.min_cols = 48,
			.topdown_min_cols = 48,
			.format = format_gc },
	[COLUMN_BEFORE] = { .title = "Before",
			    .width = 8,
			    .has_right_title = true,
			    .is_sortable = true,
			    .sort = ROWS_BY_TOTAL,
			    .min_cols = 48,
			    .topdown_min_cols = 48,
			    .format = format_before },
	[COLUMN_AFTER] = { .title = "After",
			   .width = 8,
			   .has_right_title = true,
			   .is_sortable = true,
			   .sort = ROWS_BY_SELF,
			   .min_cols = 48,
			   .topdown_min_cols = 48,
			   .format = format_after },
	[COLUMN_CHANGE] = { .title = "vs all",
			    .width = 7,
			    .has_right_title = true,
			    .is_sortable = true,
			    .sort = ROWS_BY_CHANGE,
			    .min_cols = 56,
			    .topdown_min_cols = 56,
			    .format = format_change },
	[COLUMN_BAR] = { .title = "", .width = 4, .min_cols = 76, .topdown_min_cols = 76 },
	[COLUMN_NAME] = { .title = "Function",
			  .is_sortable = true,
			  .sort = ROWS_BY_NAME,
			  .format = format_name },
};

const struct column *column_get(enum column_id id)
{
	return &columns[id];
}

static bool is_of_sides(enum column_id id)
{
	return id == COLUMN_BEFORE || id == COLUMN_AFTER;
}

bool column_is_shown(enum column_id id, const struct column_unit *unit, int cols,
		     enum rows_kind kind)
{
	if (unit->change.after && id == COLUMN_CHANGE)
		return true;
	if (id != COLUMN_NAME && is_of_sides(id) != (unit->change.after != NULL))
		return false;
	if ((id == COLUMN_CHANGE && !unit->has_change) || (id == COLUMN_GC && !unit->has_gc))
		return false;
	return cols >= (kind == ROWS_TOPDOWN ? columns[id].topdown_min_cols : columns[id].min_cols);
}

const char *column_title(enum column_id id, const struct column_unit *unit)
{
	return id == COLUMN_CHANGE && unit->change.after ? "Change" : columns[id].title;
}

void column_format(enum column_id id, const struct column_unit *unit, const struct row *row,
		   struct buf *out)
{
	if (columns[id].format)
		columns[id].format(unit, row, out);
}
