/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adding a column: an id in columns.h, a row here, its text in column_format(). In
 * narrow tables the column that the rows are sorted for stays longest: self time
 * bottom-up, total time top-down. */
#include "config.h"

#include "layout/column.h"

#include "base/units.h"

#include <stddef.h>

static const struct column columns[COLUMN_COUNT] = {
	[COLUMN_SELF] = { COLUMN_SELF, "Self", 8, true, 0, true, ROWS_BY_SELF },
	[COLUMN_SELF_SHARE] = { COLUMN_SELF_SHARE, "%", 5, true, 0, false, ROWS_BY_SELF },
	[COLUMN_TOTAL] = { COLUMN_TOTAL, "Total", 8, true, 52, true, ROWS_BY_TOTAL },
	[COLUMN_TOTAL_SHARE] = { COLUMN_TOTAL_SHARE, "%", 5, true, 60, false, ROWS_BY_TOTAL },
	[COLUMN_BAR] = { COLUMN_BAR, "", 8, false, 76, false, ROWS_BY_SELF },
	[COLUMN_NAME] = { COLUMN_NAME, "Function", 0, false, 0, true, ROWS_BY_NAME },
	[COLUMN_LOCATION] = { COLUMN_LOCATION, "Location", 0, true, 66, false, ROWS_BY_NAME },
};

const struct column *column_get(enum column_id id)
{
	return &columns[id];
}

bool column_is_shown(enum column_id id, int cols, enum rows_kind kind)
{
	static const enum column_id twin[] = {
		[COLUMN_SELF] = COLUMN_TOTAL,
		[COLUMN_SELF_SHARE] = COLUMN_TOTAL_SHARE,
		[COLUMN_TOTAL] = COLUMN_SELF,
		[COLUMN_TOTAL_SHARE] = COLUMN_SELF_SHARE,
	};

	if (kind == ROWS_TOPDOWN && id <= COLUMN_TOTAL_SHARE)
		id = twin[id];
	return cols >= columns[id].min_cols;
}

static void add_time(int64_t value, struct buf *out)
{
	char text[UNITS_MAX];

	units_time(value, text);
	buf_adds(out, text);
}

static bool has_share(const struct column_unit *unit, const struct row *row)
{
	return unit->has_idle ||
		profile_frame(unit->profile, row->frame)->category != CATEGORY_IDLE;
}

static void add_share(int64_t value, const struct column_unit *unit, const struct row *row,
		      struct buf *out)
{
	char text[UNITS_MAX];

	units_percent(value, has_share(unit, row) ? unit->whole : 0, text);
	buf_adds(out, text);
}

void column_format(enum column_id id, const struct column_unit *unit, const struct row *row,
		   struct buf *out)
{
	const struct frame *frame = profile_frame(unit->profile, row->frame);

	switch (id) {
	case COLUMN_SELF:
		add_time(row->self, out);
		break;
	case COLUMN_SELF_SHARE:
		add_share(row->self, unit, row, out);
		break;
	case COLUMN_TOTAL:
		add_time(row->total, out);
		break;
	case COLUMN_TOTAL_SHARE:
		add_share(row->total, unit, row, out);
		break;
	case COLUMN_NAME:
		buf_add(out, intern_text(&unit->profile->strings, frame->name),
			intern_len(&unit->profile->strings, frame->name));
		break;
	case COLUMN_LOCATION:
		profile_location(unit->profile, frame, false, out);
		break;
	case COLUMN_BAR:
	case COLUMN_COUNT:
		break;
	}
}

int column_bar(const struct column_unit *unit, const struct row *row, bool is_total, int cells)
{
	int64_t value = is_total ? row->total : row->self;
	double part;

	if (unit->whole <= 0 || value <= 0 || !has_share(unit, row))
		return 0;
	part = (double)value / (double)unit->whole * cells * 8;
	return part > cells * 8 ? cells * 8 : part < 1 ? 1 : (int)(part + 0.5);
}
