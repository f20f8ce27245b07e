/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part lies in the whole, so what has time here has time in all. Both totals are of one view:
 * functions and nodes have the same numbers in both, as they have on two sides. */
#include "config.h"

#include "analyse/rows/rows_change.h"

#include "analyse/rows/rows.h"

#define PERCENT_MIN 1                /* of the part: a row with less comes after those with more */
#define KEY_NEW (INT64_C(1) << 50)   /* keys of ratios are below it */
#define KEY_LARGE (INT64_C(1) << 52) /* added for rows that are large enough */
#define RATIO_UNIT 1000000           /* a key counts millionths */

static bool has_share(const struct rows_change *change, frame_id frame)
{
	return change->has_idle || change->all->view->frames[frame].category != CATEGORY_IDLE;
}

void rows_change_sides_of_function(const struct rows_change *change, frame_id frame,
				   bool is_of_total, int64_t ns[SIDES])
{
	const struct totals *const of[SIDES] = { change->all, change->after };

	for (int k = 0; k < SIDES; k++)
		ns[k] = is_of_total ? of[k]->frame_total[frame] : of[k]->frame_self[frame];
}

void rows_change_sides_of_row(const struct rows_change *change, const struct row *row,
			      int64_t ns[SIDES])
{
	const struct totals *const of[SIDES] = { change->all, change->after };

	if (!change->is_of_calls && row->depth == 0) {
		rows_change_sides_of_function(change, row->frame, change->is_of_total, ns);
		return;
	}
	ns[SIDE_BEFORE] = ns[SIDE_AFTER] = 0;
	for (uint32_t i = 0; i < row->n_items; i++)
		for (int k = 0; k < SIDES; k++) {
			node_id first = row->items[i].first;

			if (change->is_of_calls)
				ns[k] += of[k]->total[row->items[i].now];
			else if (!change->is_of_total)
				ns[k] += of[k]->self[first];
			else if (of[k]->view->tree->is_outer[first])
				ns[k] += of[k]->total[first];
		}
}

bool rows_change_of_function(const struct rows_change *change, frame_id frame, int64_t *here,
			     int64_t *all)
{
	int64_t ns[SIDES];

	if (change->after) {
		rows_change_sides_of_function(change, frame, change->is_of_total, ns);
		*here = ns[SIDE_AFTER];
		*all = ns[SIDE_BEFORE];
		return true;
	}
	*all = change->all->frame_self[frame];
	return *here >= 0 && has_share(change, frame);
}

bool rows_change_of_row(const struct rows_change *change, const struct row *row, int64_t *here,
			int64_t *all)
{
	*here = change->is_of_calls ? row->total : row->self;
	*all = 0;
	if (change->after) {
		int64_t ns[SIDES];

		rows_change_sides_of_row(change, row, ns);
		*here = ns[SIDE_AFTER];
		*all = ns[SIDE_BEFORE];
		return true;
	}
	if (!change->is_of_calls)
		return row->depth == 0 && rows_change_of_function(change, row->frame, here, all);
	for (uint32_t i = 0; i < row->n_items; i++)
		*all += change->all->total[row->items[i].now];
	return row->items && has_share(change, row->frame);
}

static double ratio(const struct rows_change *change, int64_t here, int64_t all)
{
	if (all <= 0 || change->whole <= 0)
		return 0;
	return (double)here / (double)change->whole * ((double)change->all_whole / (double)all);
}

void rows_change_format(const struct rows_change *change, int64_t here, int64_t all,
			struct buf *out)
{
	double x;
	char text[UNITS_MAX];

	if (change->after) {
		sides_format_change(&change->unit, here - all, text);
		buf_addf(out, "%s%s", text, sides_sign(sides_kind_of(&change->unit, all, here)));
		return;
	}
	x = ratio(change, here, all);
	if (all <= 0 || here <= 0 || change->whole <= 0)
		buf_adds(out, "-");
	else if (here >= all)
		buf_adds(out, "only");
	else
		buf_addf(out, "x%.*f", x >= 9.95 ? 0 : x >= 0.095 ? 1 : 2, x);
}

int64_t rows_change_key(const struct rows_change *change, int64_t here, int64_t all)
{
	double x;
	int64_t key;

	if (change->after)
		return here > all ? here - all : all - here;
	x = ratio(change, here, all) * RATIO_UNIT;
	if (all <= 0 || change->whole <= 0)
		return 0;
	key = here >= all ? KEY_NEW : x >= (double)KEY_NEW ? KEY_NEW - 1 : 1 + (int64_t)x;
	if ((double)here * 100 >= (double)change->whole * PERCENT_MIN)
		key += KEY_LARGE;
	return key;
}
