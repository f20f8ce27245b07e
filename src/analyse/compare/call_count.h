/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often the functions that match a pattern are called in each run, counted in steps. As in
 * struct totals_counts, a call is a span with time in the range. */
#ifndef FLAMETTY_ANALYSIS_COMPARE_CALL_COUNT_H
#define FLAMETTY_ANALYSIS_COMPARE_CALL_COUNT_H

#include "analyse/compare/compare_run.h"
#include "base/budget.h"

struct call_count;

/* Begin, call call_count_work() until it returns true, then ask for the runs. profile, pattern and
 * runs must outlive the result. NULL: err says what is wrong with the pattern. */
struct call_count *call_count_begin(const struct profile *profile, const char *pattern,
				    const struct compare_run *runs, uint32_t n_runs,
				    struct error *err);
bool call_count_work(struct call_count *count, struct budget *budget);
uint64_t call_count_of(const struct call_count *count, uint32_t run);

/* NULL is allowed. */
void call_count_end(struct call_count *count);

#endif
