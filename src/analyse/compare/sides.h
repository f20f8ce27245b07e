/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two sides, before and after, in one merged call tree: what each call took on each side.
 *
 * Times of the two sides compare only when they are normalised: those of `before` are scaled to the
 * busy time or the length of `after`. All times here are scaled ns; those of `after` are as they
 * were measured. */
#ifndef FLAMETTY_ANALYSE_COMPARE_SIDES_H
#define FLAMETTY_ANALYSE_COMPARE_SIDES_H

#include "analyse/compare/compare_run.h"
#include "analyse/totals.h"
#include "base/budget.h"
#include "base/units.h"

enum side { SIDE_BEFORE, SIDE_AFTER, SIDES };

/* What times are divided by. */
enum sides_per {
	SIDES_PER_TOTAL, /* the busy time of the side: figures are shares */
	SIDES_PER_TIME,  /* its length: figures are ms per second */
	SIDES_PER_NONE,  /* nothing: figures are times */
	SIDES_PER_COUNT, /* the calls of some functions: figures are times per call */
	SIDES_PERS
};

struct sides_unit {
	enum sides_per per;
	int64_t whole; /* scaled ns that are 100 % or one second per second; SIDES_PER_NONE and
			  SIDES_PER_COUNT: the busy time of the larger side. Above 0 */
	struct amount_unit amount; /* of the profile; of figures that are no shares */
	uint64_t n_calls;          /* SIDES_PER_COUNT: by what scaled ns are divided. Above 0 */
	bool is_rest;              /* the sides are called rest and window, not before and after */
};

/* What a call did. */
enum sides_kind { SIDES_SAME, SIDES_MORE, SIDES_LESS, SIDES_NEW, SIDES_GONE };

struct sides {
	struct sides_unit unit;
	uint32_t n; /* nodes of the tree of the merged lane */
	/* By node. */
	int64_t *self[SIDES], *total[SIDES];
	int64_t *frame_self[SIDES];               /* by frame of the merged profile */
	char *name[SIDES];                        /* empty: sides_word() says it */
	int64_t busy_ns[SIDES], length_ns[SIDES]; /* as measured */
	uint32_t n_runs[SIDES];
	/* The samples that have the busy time. Without has_samples times are exact, or it is not
	 * known how many samples they are from. */
	bool has_samples;
	uint64_t n_samples[SIDES];
	double sample_ns[SIDES]; /* scaled ns of each sample; 0: there is none */
	uint64_t n_calls[SIDES]; /* SIDES_PER_COUNT; 0: the sides cannot be compared */
};

/* A zeroed struct is allowed. */
static inline void sides_done(struct sides *s)
{
	for (int i = 0; i < SIDES; i++) {
		free(s->self[i]);
		free(s->total[i]);
		free(s->frame_self[i]);
		free(s->name[i]);
	}
	*s = (struct sides){ 0 };
}

/* `total`, `time`, `none`, `count:`, which a pattern follows; NULL: i is past the last. */
const char *sides_per_word(unsigned i);

/* `before` and `after`; of a window and the rest of its profile, `rest` and `window`. And as titles
 * of columns. */
const char *sides_word(const struct sides_unit *unit, enum side side);
const char *sides_title(const struct sides_unit *unit, enum side side);

/* The name of a share or time of this unit: `share of busy time`. */
const char *sides_per_name(enum sides_per per);

/* What happened to a call with these times. A change that is shown as 0 is none; a call is new or
 * gone if the other side has no time at all in it. */
enum sides_kind sides_kind_of(const struct sides_unit *unit, int64_t before, int64_t after);

/* `*` of what is new, a dagger of what is gone, else a blank. */
static inline const char *sides_sign(enum sides_kind kind)
{
	return kind == SIDES_NEW ? "*" : kind == SIDES_GONE ? "\342\200\240" : " ";
}

/* 0: no change; 1: a small one; 2: at least 1 % of the whole. */
int sides_level(const struct sides_unit *unit, int64_t change);

/* Format a value: `48.9 %`, `489 ms/s`, `1.45 s`. */
const char *sides_format(const struct sides_unit *unit, int64_t ns, char out[UNITS_MAX]);

/* Format a change, with a sign: `+16.2 pt`, `-7.6 pt`, `+1.20 ms/s`, `±0`. */
const char *sides_format_change(const struct sides_unit *unit, int64_t change, char out[UNITS_MAX]);

/* Append how sure a change is; ns: scaled ns of both sides. `after has 1 sample: its shares say
 * nothing` or `within the error of 85 samples`: returns true, as the change may be none. `few
 * samples: shares of after ±14 %`, or nothing: the change is more than the error of sampling. */
bool sides_add_error(const struct sides *s, const int64_t ns[SIDES], struct buf *out);

/* Fills two totals of a view of the merged lane with what each side has in [t0, t1) of its axis,
 * and `larger` with the larger self time of each call. All three are totals of the view; calls
 * without a width are where they stand. Begin, then call sides_count_step() until it returns true.
 * Before that, no member of the totals is valid. False: the view is not one of the merged lane. */
struct sides_count {
	const struct sides *sides;
	int64_t t0, t1;
	struct totals *of[SIDES], *larger;
	size_t next;  /* sample */
	int n_summed; /* totals that are complete */
};

bool sides_count_begin(struct sides_count *count, const struct sides *sides, int64_t t0, int64_t t1,
		       struct totals *const of[SIDES], struct totals *larger);
bool sides_count_step(struct sides_count *count, struct budget *budget);

/* Set n[], by run, to how often the functions that match are called in it. False: the pattern is
 * none. */
bool call_count(const struct profile *profile, const char *pattern, const struct compare_run *runs,
		uint32_t n_runs, uint64_t *n) MUST_USE;

/* The width of a call. With the mean, all calls together are as wide as one side. */
enum sides_width { SIDES_MEAN, SIDES_LARGER, SIDES_BEFORE, SIDES_AFTER, SIDES_WIDTHS };

struct sides_plan {
	const struct lane *const *lanes; /* of all runs, each once */
	uint32_t n_lanes;
	const struct compare_run *runs; /* those of a side are added up */
	uint32_t n_runs;
	frame_id *match; /* as in struct view_plan; taken; NULL: each frame stands for itself */
	enum sides_per per;
	enum sides_width width;
	bool has_idle; /* idle time counts */
	/* SIDES_PER_COUNT: the pattern of the functions whose calls are counted, and the profile
	 * with all calls, whose lanes have the same numbers. */
	const char *count;
	const struct profile *all;
};

/* Begin, call sides_merge_work() until it returns true, then end. Ended earlier, the result is
 * NULL. The plan is copied with its runs and their lanes; the rest must outlive the result. NULL:
 * memory was refused (base/alloc.h), or the pattern is none. */
struct sides_merge;

struct sides_merge *sides_merge_begin(const struct profile *profile, const struct sides_plan *plan);
bool sides_merge_work(struct sides_merge *merge, struct budget *budget);

/* The merged profile; the caller frees it with profile_free(). NULL: no side has any time. sides:
 * filled, without names; the caller ends it with sides_done(). */
struct profile *sides_merge_end(struct sides_merge *merge, struct sides *sides);

#endif
