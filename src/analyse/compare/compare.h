/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs of a program before and after a change, function by function: medians, spreads, and whether
 * they are shown to differ.
 *
 * A value is the self or total time of a function in a run, divided by what the runs are compared
 * per. Functions whose share of the runs, on average over all runs of both sides, is at least the
 * floor are tested: so they are chosen without a look at the sides. Their p values are corrected by
 * Benjamini and Hochberg; a function differs if the corrected p is below COMPARE_LEVEL.
 *
 * Shares of the whole add up to 100 %: where one grows, the others shrink. Of self times, those
 * that grew are taken out of the whole, or those that shrank if they are fewer, and the others are
 * tested again as parts of what is left. */
#ifndef FLAMETTY_ANALYSE_COMPARE_COMPARE_H
#define FLAMETTY_ANALYSE_COMPARE_COMPARE_H

#include "analyse/compare/compare_run.h"
#include "analyse/compare/match.h"
#include "analyse/scope.h"
#include "analyse/totals.h"

#define COMPARE_LEVEL 0.05

enum compare_per {
	COMPARE_PER_TOTAL, /* percent of the time of the run that counts */
	COMPARE_PER_TIME,  /* ms per second from the start to the end of the run */
	COMPARE_PER_NONE,  /* ms */
	COMPARE_PER_COUNT  /* ms per call of a function */
};

enum compare_measure { COMPARE_SELF, COMPARE_TOTAL, COMPARE_MEASURES };

/* What is compared, and how. Everything is borrowed. */
struct compare_plan {
	const struct compare_run *runs; /* those before, then those after; at least one */
	uint32_t n_runs;
	enum match_kind match;
	enum compare_per per;
	const char *count;         /* COMPARE_PER_COUNT: the pattern of the functions */
	double floor;              /* of the whole: 0.01 is 1 % */
	enum compare_measure sort; /* what orders the rows */
	const struct scope *scope; /* transforms, grouping, idle time, filter */
};

/* A run: what its values are divided by. */
struct compare_figures {
	int64_t whole_ns;   /* the time that counts: 100 % */
	int64_t busy_ns;    /* sampled and not idle, in scope */
	int64_t length_ns;  /* from the start to the end of the run */
	uint64_t n_samples; /* samples or slices' stretches with a stack, in scope */
	uint64_t n_calls;   /* COMPARE_PER_COUNT */
	bool is_odd;        /* busy time or samples are off by more than 2 from the median */
};

/* One measure of a row. */
struct compare_value {
	double before, after;               /* medians; 0: the side has no runs */
	double spread_before, spread_after; /* half of the range between the runs */
	double p, corrected;                /* 1 unless is_tested */
	bool is_tested, differs;
	/* A share that only makes room for what changed the other way, or takes its room: as a part
	 * of the rest it is not shown to differ. `differs` is false then. */
	bool is_room;
};

struct compare_row {
	frame_id frame; /* of the view */
	node_id node;   /* MATCH_STACK: of the view; otherwise NODE_ROOT */
	struct compare_value value[COMPARE_MEASURES];
	bool is_new, is_gone; /* no run before, or no run after, has it */
};

struct compare {
	const struct profile *profile;
	struct compare_plan plan;
	uint32_t n_before, n_after;
	frame_id *match; /* by frame of the profile: see match_frames() */
	str_id *files;   /* by string: the same */
	struct scope scope;
	struct view view; /* of all runs */
	struct totals totals;
	struct compare_figures *figures; /* by run */
	struct compare_row *rows;        /* in their order */
	size_t n_rows;
	double *values; /* see compare_values() */
	size_t n_tested[COMPARE_MEASURES];
	/* Of self times: the rows with is_room, which shrank because others grew (1), or grew
	 * because others shrank (-1); 0: there are none. */
	size_t n_room;
	int room_for;
};

/* Compare. `c` is only good for compare_done() when that is false, with err set. */
bool compare_init(struct compare *c, const struct profile *profile, const struct compare_plan *plan,
		  struct error *err) MUST_USE;
void compare_done(struct compare *c);

/* The values of a row, by run. */
static inline const double *compare_values(const struct compare *c, const struct compare_row *row,
					   enum compare_measure measure)
{
	size_t place = c->plan.match == MATCH_STACK ? row->node : row->frame;

	return c->values + (place * COMPARE_MEASURES + (size_t)measure) * c->plan.n_runs;
}

/* Compute c->totals for one run: of the nodes and frames of c->view. */
static inline void compare_totals(struct compare *c, uint32_t run)
{
	const struct compare_run *r = &c->plan.runs[run];

	c->totals.is_lane = r->is_lane;
	totals_compute(&c->totals, r->t0, r->t1);
}

/* By what a time in ns of a run is multiplied to become a value; 0: the run has nothing. */
double compare_scale(const struct compare *c, uint32_t run);

/* What is compared per, as one word; NULL: i is past the last one. The unit of values and of their
 * changes. */
const char *compare_per_word(unsigned i);
const char *compare_unit(const struct compare *c);
static inline const char *compare_change_unit(const struct compare *c)
{
	return c->plan.per == COMPARE_PER_TOTAL ? "pt" : compare_unit(c);
}

/* The median of n values; of an even number, the mean of the two in the middle; of none, 0. */
double compare_stats_median(const double *values, uint32_t n);

/* The change in percent of the value before; 0: there is none before. */
static inline double compare_stats_percent(const struct compare_value *v)
{
	return v->before > 0 ? (v->after - v->before) / v->before * 100 : 0;
}

/* How many of the functions must have the least p that the numbers of runs allow, for them to be
 * shown to differ; 0: all functions together would not be enough. */
size_t compare_stats_needed(const struct compare *c, enum compare_measure measure);

/* Of runs of one program, all on one side: divide them into halves in all ways, and count the ways
 * in which any function differs. Returns the number of ways; 0: there are too many runs, or less
 * than 4. */
uint64_t compare_stats_splits(const struct compare *c, enum compare_measure measure,
			      uint64_t *n_differ);

#endif
