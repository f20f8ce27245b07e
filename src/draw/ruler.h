/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ruler above the lanes. */
#ifndef FLAMETTY_DRAW_RULER_H
#define FLAMETTY_DRAW_RULER_H

#include "analyse/compare/sides.h"
#include "base/units.h"
#include "draw/chart.h"
#include "model/profile.h"

/* A time that the ruler shows by a letter. */
struct ruler_mark {
	char letter;
	int64_t t; /* ns since the start of the profile */
};

/* Draw one row of time marks for the window of the chart, at round times, and the marks of the
 * chart. */
void ruler_draw(struct grid *g, struct rect r, const struct chart *chart);

struct time_label {
	const struct profile *profile;
	enum chart_times times;
	int64_t origin; /* what times of the profile count from, on that clock */
	int64_t step;   /* times that are this far apart differ in their digits; 0: three figures */
	/* Of two sides: their unit, in which a ruler counts. SIDES_PER_NONE: in time. */
	struct sides_unit unit;
};

/* For the lane with the cursor, whose clock counts where lanes have different ones. Of a merged
 * view, and where no file name tells the wall clock, times are since the start. The step is a
 * hundredth of the window. */
struct time_label time_label_of(const struct chart *chart);

/* The same clock, for places in sentences. */
void time_label_clock(const struct chart *chart, struct place_clock *clock);

/* Format a place that a sentence names: as the profile's values are, or by that clock. */
static inline const char *time_label_place(const struct profile *p, const struct place_clock *clock,
					   int64_t t, char out[UNITS_MAX])
{
	if (clock->is_wall || (clock->is_file && amount_is_time(&p->unit)))
		wall_clock_place(clock, t, out);
	else
		profile_value(p, t + clock->origin, out);
	return out;
}

/* Format a time of the profile exactly: as profile_exact() does, or as `13:46:25.123456`. Since the
 * start: exactly if is_exact, else with three figures, and more if the step needs them. */
const char *time_label_format(const struct time_label *label, int64_t t, bool is_exact,
			      char out[UNITS_MAX]);

#endif
