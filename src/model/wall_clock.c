/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name of each file gives a lower limit of the wall clock at time 0: its date minus the start
 * of its lane. The highest of these limits is the nearest to the truth. */
#include "config.h"

#include "model/wall_clock.h"

#include "base/date.h"
#include "base/text.h"
#include "base/units.h"

#include <stdio.h>
#include <string.h>

/* Later dates have no room as nanoseconds, together with a time of the profile. */
#define LATEST_S (INT64_MAX / 2 / NS_PER_S)

bool wall_clock_find(const struct profile *p, const struct lane *lane, int64_t *at_zero)
{
	bool is_known = false;

	for (uint32_t i = 0; lane && i < p->n_lanes; i++) {
		const struct lane *l = &p->lanes[i];
		const struct input *in = &p->inputs[l->input];
		int64_t at;

		if (!in->has_date || in->date_s < 0 || in->date_s > LATEST_S ||
		    (p->has_own_zero && l->zero_ns != lane->zero_ns))
			continue;
		at = in->date_s * NS_PER_S - l->t0;
		*at_zero = !is_known || at > *at_zero ? at : *at_zero;
		is_known = true;
	}
	return is_known;
}

void wall_clock_format(const struct profile *p, const struct lane *lane, int64_t t, struct buf *out)
{
	char date[DATE_MAX], clock[DATE_MAX];
	int64_t at_zero;

	if (!wall_clock_find(p, lane, &at_zero))
		return;
	date_format((t + at_zero) / NS_PER_S, ' ', date);
	date_clock(t + at_zero, 6, clock);
	buf_addf(out, "%.*s %s", (int)strcspn(date, " "), date, clock);
}

void wall_clock_recorded(const struct profile *p, const struct input *in, struct buf *out)
{
	char date[DATE_MAX];

	if (in->has_date) {
		date_format(in->date_s, ' ', date);
		buf_addf(out, "%s%s", date, in->is_utc ? " UTC" : "");
	} else if (in->date_text) {
		text_visible(out, profile_text(p, in->date_text),
			     intern_len(&p->strings, in->date_text));
	}
}

void wall_clock_place(const struct place_clock *clock, int64_t t, char out[UNITS_MAX])
{
	if (clock->is_wall)
		date_clock(t + clock->origin, 2, out);
	else
		snprintf(out, UNITS_MAX, "%.2f s",
			 (double)(t + (clock->is_file ? clock->origin : 0)) / (double)NS_PER_S);
}

bool wall_clock_is_same(const struct place_clock *a, const struct place_clock *b)
{
	return a->origin == b->origin && a->is_wall == b->is_wall && a->is_file == b->is_file;
}
