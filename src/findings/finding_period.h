/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Periods: functions that timers call again and again. The periods of the busy signal as a whole
 * say little, as other work hides them, and timers drift; so the runs of each function are taken.
 * Only functions below timers: the requests of a steady load are no polling. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_PERIOD_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_PERIOD_H

#include "findings/charge.h"

/* The runs of one function. */
struct finding_runs {
	frame_id function;
	int64_t *starts;
	size_t n, cap;
	int64_t last; /* end of its last sample */
	int64_t ns;   /* all of its time */
};

struct finding_periods {
	const struct charge *charge;
	uint32_t *of; /* by function: index + 1 into list; NULL: no timers */
	struct finding_runs *list;
	size_t n, cap;
};

void finding_period_init(struct finding_periods *periods, const struct charge *charge);
void finding_period_done(struct finding_periods *periods);

/* Add the next sample. */
void finding_period_add(struct finding_periods *periods, const struct charge_sample *sample);

/* The function with most time that is called at regular intervals, NULL: none. *ns: the interval.
 */
const struct finding_runs *finding_period_find(struct finding_periods *periods, int64_t *ns);

#endif
