/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "draw/time_label.h"

#include "base/date.h"
#include "model/wall_clock.h"

#include <stdio.h>

#define WINDOW_STEPS 100 /* of the window: about a column each */

struct time_label time_label_of(const struct chart *chart)
{
	const struct profile *p = chart->profile;
	const struct lane *lane = chart->lane >= 0 ? chart->lanes[chart->lane].lane : NULL;
	struct time_label label = {
		.profile = p,
		.unit = { .per = SIDES_PER_NONE, .whole = 1, .amount = p->unit }
	};

	if (chart->sides)
		label.unit = chart->sides->unit;

	if (chart->is_merged)
		return label;
	label.step = (chart->view->t1 - chart->view->t0) / WINDOW_STEPS;
	if (chart->times == CHART_TIMES_WALL && wall_clock_find(p, lane, &label.origin)) {
		label.times = CHART_TIMES_WALL;
	} else if (chart->times == CHART_TIMES_FILE) {
		label.times = CHART_TIMES_FILE;
		label.origin = lane && p->has_own_zero ? lane->zero_ns : p->origin_ns;
	}
	return label;
}

void time_label_clock(const struct chart *chart, struct place_clock *clock)
{
	struct time_label label = time_label_of(chart);

	*clock = (struct place_clock){ .origin = label.origin,
				       .is_wall = label.times == CHART_TIMES_WALL,
				       .is_file = label.times == CHART_TIMES_FILE };
}

void time_label_place(const struct profile *profile, const struct place_clock *clock, int64_t t,
		      char out[UNITS_MAX])
{
	if (clock->is_wall || (clock->is_file && amount_is_time(&profile->unit)))
		wall_clock_place(clock, t, out);
	else
		profile_value(profile, t + clock->origin, out);
}

void time_label_format(const struct time_label *label, int64_t t, bool is_exact,
		       char out[UNITS_MAX])
{
	if (label->times == CHART_TIMES_WALL)
		date_clock(t + label->origin, 6, out);
	else if (label->times == CHART_TIMES_FILE || is_exact)
		profile_exact(label->profile, t + label->origin, out);
	else
		profile_value_near(label->profile, t, label->step, out);
}

/* Ruler ns for each ns. */
static double scale_of(const struct time_label *label)
{
	if (label->unit.per == SIDES_PER_NONE)
		return 1;
	if (label->unit.per == SIDES_PER_COUNT)
		return 1 / (double)label->unit.n_calls;
	return (double)(label->unit.per == SIDES_PER_TOTAL ? 100 * NS_PER_S : NS_PER_S) /
		(double)label->unit.whole;
}

int64_t time_label_on_ruler(const struct time_label *label, int64_t t)
{
	return label->unit.per == SIDES_PER_NONE ? t : (int64_t)((double)t * scale_of(label));
}

int64_t time_label_from_ruler(const struct time_label *label, int64_t t)
{
	return label->unit.per == SIDES_PER_NONE ? t : (int64_t)((double)t / scale_of(label) + .5);
}

void time_label_mark(const struct time_label *label, int64_t t, int64_t step, char out[UNITS_MAX])
{
	int decimals = 0;

	if (label->unit.per == SIDES_PER_TOTAL) {
		for (int64_t unit = NS_PER_S; unit > 1 && step < unit; unit /= 10)
			decimals++;
		snprintf(out, UNITS_MAX, "%.*f %%", decimals, (double)t / (double)NS_PER_S);
		return;
	}
	if (label->times == CHART_TIMES_WALL) {
		for (int64_t unit = NS_PER_S; unit > 1 && step < unit; unit /= 10)
			decimals++;
		date_clock(t, decimals, out);
		return;
	}
	amount_mark(&label->profile->unit, t, step, out);
}
