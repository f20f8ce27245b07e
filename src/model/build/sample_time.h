/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The times of samples: formats(5), WHEN A SAMPLE IS. */
#ifndef FLAMETTY_MODEL_BUILD_SAMPLE_TIME_H
#define FLAMETTY_MODEL_BUILD_SAMPLE_TIME_H

#include "base/units.h"
#include "model/build/cpu_raw.h"
#include "model/warning.h"

struct builder;

/* What is known of the times of all samples, kept or not, in ns of the file's clock. */
struct sample_bounds {
	size_t n;
	int64_t first, last;
	int64_t written_last; /* the time of the last sample in the file's order */
	bool has_surplus;     /* the file has one time more than samples: */
	int64_t surplus;
	bool runs_back; /* some sample is before the one that precedes it in the file */
};

/* Deltas above this are odd. */
#define SAMPLE_TIME_LONG (3600 * NS_PER_S)

/* A delta of -n us that was written without a sign, in 32 bits, is 2^32 us - n. What was written in
 * 64 bits, the reader counts back from SAMPLE_TIME_UNSIGNED_64. */
#define SAMPLE_TIME_UNSIGNED_32 ((INT64_C(1) << 32) * NS_PER_US)
#define SAMPLE_TIME_UNSIGNED_64 (INT64_MAX - 1)

/* Which number below 0 a delta may stand for; the delta itself if it is none of these. */
static inline int64_t sample_time_signed(int64_t ns)
{
	if (ns > SAMPLE_TIME_LONG && ns < SAMPLE_TIME_UNSIGNED_32 && ns % NS_PER_US == 0)
		return ns - SAMPLE_TIME_UNSIGNED_32;
	if (ns > SAMPLE_TIME_UNSIGNED_64 - SAMPLE_TIME_LONG && ns <= SAMPLE_TIME_UNSIGNED_64)
		return ns - SAMPLE_TIME_UNSIGNED_64;
	return ns;
}

/* Rule 1 of sample_time.c, applied to one sample after the other. The caller sets the first three
 * members and zeroes the rest. Results are within `limit` on both sides of 0. */
struct sample_clock {
	bool is_stamps; /* times are time stamps, else deltas */
	int64_t limit;
	int64_t t;         /* of the last sample; before the first one: the start */
	size_t n;          /* samples */
	bool has_unsigned; /* a delta may be a negative one without its sign */

	/* Counts of odd values, and the order in which their kinds came up. */
	size_t n_negative, n_odd, n_clamped;
	enum warning_kind order[3];
	int n_kinds;
};

static inline void sample_time_note(struct sample_clock *c, size_t *count, enum warning_kind kind)
{
	if ((*count)++ == 0)
		c->order[c->n_kinds++] = kind;
}

/* The time of the next sample, from its delta or stamp. */
static inline int64_t sample_time_next(struct sample_clock *c, int64_t ns)
{
	if (c->n++ > 0 && ns < (c->is_stamps ? c->t : 0))
		sample_time_note(c, &c->n_negative, WARN_NEGATIVE_DELTA);
	if (c->is_stamps)
		return c->t = ns;
	if (ns > SAMPLE_TIME_LONG || ns < -NS_PER_S) {
		sample_time_note(c, &c->n_odd, WARN_ODD_DELTA);
		c->has_unsigned |= sample_time_signed(ns) != ns;
	}
	if (ns > c->limit || ns < -c->limit || c->t + ns > c->limit || c->t + ns < -c->limit) {
		sample_time_note(c, &c->n_clamped, WARN_TIME_RANGE);
		return c->t = ns > 0 ? c->limit : -c->limit;
	}
	return c->t += ns;
}

/* Add n deltas or time stamps (ns) to those of a profile. */
void sample_time_add(struct cpu_raw *raw, const int64_t *ns, size_t n);

/* Give the deltas that are in order to `times`, less by `by`. first: the time of the first sample;
 * end: where the last one ends. */
void sample_time_pack(struct cpu_raw *raw, int64_t first, int64_t end, int64_t by,
		      struct times *times);

/* Warn of what was odd. */
void sample_time_warn(struct builder *b, const struct sample_clock *clock);

/* Warn if the current profile has no start time. */
void sample_time_check_start(struct builder *b);

/* The most samples that are moved one by one to sort n samples. */
#define SAMPLE_TIME_MOVES(n) (4 * (n) + 1000)

/* Sort samples by time, those of one time in the order of the file. */
void sample_time_sort(struct cpu_raw *raw);

/* Whether each sample lasts to the next one because the file says so, and not because nothing else
 * is known. */
static inline bool sample_time_is_stretches(const struct cpu_raw *raw,
					    const struct sample_bounds *of)
{
	return of->has_surplus && (raw->is_as_recorded || raw->n_taken);
}

/* The bounds without the samples that are stray among them (stray.h), and as if a pause that is as
 * long were not there, by which averages are made.
 * raw.times, if it is there, is sorted. */
struct sample_bounds sample_time_others(const struct cpu_raw *raw, const struct sample_bounds *of);

/* Where the last sample ends: rule 4. */
int64_t sample_time_end(struct builder *b, const struct sample_bounds *of);

/* Turn samples and deltas of the current profile into raw.times: n_samples + 1 absolute times, not
 * descending, within PROFILE_TIME_MAX on both sides of zero; or into raw.deltas, which are the same
 * with the bounds and the end: see sample_time_pack(). Samples are put in the order of time with
 * them. bounds: of all samples. *end: where the last of them ends. */
void sample_time_resolve(struct builder *b, struct sample_bounds *bounds, int64_t *end);

#endif
