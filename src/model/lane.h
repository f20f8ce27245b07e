/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lane: the samples of a thread, its slices, an async track, the objects of one type, a counter,
 * or marks. All lanes with spans store them as a call tree and samples, so that everything about
 * samples (span.h, blocks.h) also holds for slices: a slice is a span, and a "sample" is a stretch
 * between two ends of slices. Lanes belong to the profile. */
#ifndef FLAMETTY_MODEL_LANE_H
#define FLAMETTY_MODEL_LANE_H

#include "base/budget.h"
#include "base/intern.h"
#include "base/sort.h"
#include "model/calltree.h"
#include "model/slices.h"
#include "model/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* value[i] holds from t[i] to t[i + 1]. */
struct series {
	str_id name;
	size_t n;
	int64_t *t;         /* ns since the start of the profile, not descending */
	double *value;      /* finite */
	double least, most; /* of all; 0 is always between them */
	double **high;      /* high[k][j]: most of the 64^(k+1) values from j * 64^(k+1) on */
	int n_high;
	bool is_bytes; /* the values are */
};

/* Fill least, most and high from t and value. */
void series_index(struct series *series);

/* Index of the value that holds at time t; SIZE_MAX: before the first. O(log n). */
size_t series_find(const struct series *series, int64_t t);

/* The highest value that holds anywhere in [t0, t1); false: none yet. O(log n). */
bool series_most(const struct series *series, int64_t t0, int64_t t1, double *most);

/* What a series is in [t0, t1); the mean is weighted by time. False: there is no value yet. */
struct series_part {
	double least, most, mean, first, last;
};
bool series_measure(const struct series *series, int64_t t0, int64_t t1, struct series_part *out);

struct progress;

typedef uint32_t lane_id; /* counts from 1 */

/* The builder clamps times of the file's clock to this on both sides of zero, 73 years. A profile
 * is then shorter than 2^62 ns, and the sum of two of its times fits into an int64_t. */
#define PROFILE_TIME_MAX ((INT64_C(1) << 61) - 1)

enum lane_kind {
	LANE_SAMPLES,
	LANE_SLICES,
	LANE_ASYNC,
	LANE_COUNTER,
	LANE_MARKS,
	LANE_OBJECTS, /* lifetimes in the outer row, and below each its marks */
};

/* Whether the slices of such a lane are in groups, which stand beside each other. */
static inline bool lane_kind_has_groups(enum lane_kind kind)
{
	return kind == LANE_ASYNC || kind == LANE_OBJECTS;
}

/* Ticks on one line of a function: those that V8 counted (positionTicks), or the samples that found
 * the position executing. */
struct line_ticks {
	node_id node;
	int32_t line;   /* counted from 1 */
	int32_t column; /* counted from 1; 0: unknown, as positionTicks have none */
	uint32_t ticks;
};

/* Sample i and the next one share fewer rows than the nodes of their stacks do: the file has
 * several nodes of one function below one caller, which are one node of the tree, but spans of
 * their own. */
struct sample_break {
	size_t sample;
	uint16_t rows;
};

/* What the builder changed of the samples of a CPU profile, by which they can be shown as recorded:
 * lone (program) samples that it joined with the call around them, and the nodes that it made for
 * garbage collection on top of the stacks that this interrupted. */
struct recorded {
	struct recorded_sample {
		size_t sample;
		node_id node; /* as recorded */
	} * joined;           /* by sample */
	size_t n_joined, cap_joined;
	struct recorded_node {
		node_id node, as; /* as: below the root */
	} * gc;
	size_t n_gc, cap_gc;
};

/* What the values of a lane are that has sums instead of samples: "cpu" in "nanoseconds". */
struct lane_value {
	str_id type; /* 0: the lane has no such values */
	str_id unit;
	int64_t unit_ns; /* the length that one unit is drawn with; 0: the value is a time */
};

/* How near a process is to the page that the trace of a browser is about. */
enum page_order {
	PAGE_ITSELF,
	PAGE_OTHER,   /* another page of the web */
	PAGE_FRAME,   /* has frames of pages only */
	PAGE_NONE,    /* of the browser; or its page is not known */
	PAGE_BROWSER, /* a page of the browser's own, or an extension */
};

/* Instead of the pid or tid of what has none. A file may state any other number, also a negative
 * one. */
#define LANE_NO_ID INT64_MIN

/* Of what a process serves (model/served.h): requests, or what these wait for. */
enum lane_served { LANE_SERVES_NOTHING, LANE_SERVED, LANE_WAITS };

struct lane {
	lane_id id;
	enum lane_kind kind;
	uint32_t input;   /* index of the input that it came from */
	int64_t pid, tid; /* any number; LANE_NO_ID: unknown, */
	bool is_worker;   /* but the calls are those of a worker */
	bool has_parent;  /* the file states the process that started its own */
	str_id waits;     /* what the process waits for at the end of the recording; 0: not told */
	int64_t parent_pid;    /* the process of has_parent; 0: none that is recorded */
	uint32_t group;        /* lanes of one number are of one machine, as far as is known */
	bool is_twin;          /* another group has a process of this id */
	int64_t zero_ns;       /* the clock of the lane at time 0 of the profile */
	int64_t group_zero_ns; /* the same where each group of lanes begins at 0
				  (model/build/align.h) */
	str_id process_name;   /* 0: none */
	str_id thread_name;
	str_id thread_title; /* stands for the name of the thread in titles; 0: the name */
	str_id page;         /* url or title of the page that the thread runs; 0: none */
	bool is_page_main;   /* of the main thread of the page that the trace of a browser is about;
				one thread of an input at most */
	uint8_t page_order;  /* enum page_order: of the process; without such a page all have the
				first one */
	uint8_t served;      /* enum lane_served: of LANE_ASYNC; such lanes stand above threads, and
				those that are joined have rows by route or by host: */
	str_id row_name;     /* which one; 0: not known */
	str_id name;    /* lane_name(), with the process where there are several, as text of this
			   profile: set when it is finished */
	str_id title;   /* of an async track, a counter, or one profile of several; 0: the thread's
			   name is all */
	bool is_joined; /* more rows of the lane before (slices that overlap, marks): has no title
			   of its own */
	bool is_placed; /* the reader chose the rows: a slice may be inside of one of a lane that it
			   is joined to, but not by their times */
	bool is_folded; /* folded at first */
	bool is_part;   /* of one event category or value of a label, as its title says: see
			   profile.h */
	bool is_across; /* LANE_MARKS: they are about all lanes of the process or, if there is none,
			   of the profile; the chart draws them as lines */
	bool has_requests; /* LANE_ASYNC: its slices are requests (model/request.h) */
	bool has_work; /* LANE_SLICES: tasks, or garbage collection; of a thread without samples */
	bool is_below_slices;       /* of the same thread: see lane_name_prepare() */
	bool is_beside_events;      /* of a trace, whose events lack these samples */
	bool shows_tid, shows_file; /* in lane_name(): another lane has the same name otherwise */
	bool has_timeline; /* false: there are no samples, and `self` comes from hit counts, */
	int64_t hit_ns;    /* of hit counts: what the length of one hit is; else 0 */
	struct lane_value value; /* or, if value.type is set, from sums of this */
	bool is_unmeasured;      /* all samples are at one time and nothing ends them: each counts
				    1 ms */
	struct sample_break *breaks; /* LANE_SAMPLES: in order; for lane_link(). Kept with
					 `recorded` only, else NULL */
	size_t n_breaks;
	bool has_siblings; /* there were breaks: samples.shared has them */
	int64_t t0, t1;    /* ns since the start of the profile: recorded time, from startTime to
			      endTime */
	struct calltree tree;
	struct samples samples;
	uint32_t *labels;         /* by sample: a set of the profile's labels; NULL: none has any */
	uint32_t *counts;         /* by sample, of sums: how many samples of the file it stands
				     for; NULL: 1 each or, of sums, not known */
	uint32_t *hits;           /* by node: hitCount of the file; NULL: the file has none */
	str_id *deopt;            /* by node: deoptReason, 0 for none; NULL: no node has one */
	event_cat *cats;          /* by node; NULL: each node has that of its frame */
	struct line_ticks *ticks; /* of a node: in ascending order of line and column */
	size_t n_ticks;
	struct recorded *recorded;     /* NULL: samples are as recorded, or were loaded in part */
	struct slices slices;          /* all kinds but LANE_SAMPLES and LANE_COUNTER */
	struct slice_time *slice_time; /* LANE_SLICES; NULL: there is nothing to say */
	struct series *series;         /* LANE_COUNTER, which has no tree and no samples */
	uint32_t n_series;
	size_t n_file_nodes; /* as the file has them */
	size_t n_samples; /* LANE_SAMPLES: as the file has them, even if only a part was loaded; in
			     a survey, slices, too */
	/* Samples or slices of the file that were not loaded. If not 0, the members below describe
	 * the loaded part, except interval_ns and, of slices, n_spans and (if n_rows is known)
	 * max_depth. */
	uint64_t n_left;
	uint64_t n_spans;
	uint64_t n_marks; /* of these spans: those of marks */
	int max_depth;    /* number of rows */
	int n_rows;    /* LANE_SLICES: rows of the whole thread: what overlaps goes to the next free
			  row (formats(5), SLICES); 0: not known */
	int first_row; /* LANE_SLICES, and of requests that are served: the row of the thread that
			  depth 0 is on; not 0 for layers of what overlaps */
	int64_t sampled_t0, sampled_t1; /* first sample, end of the last */
	/* Self time by kind; busy: everything that is not one of the others. What users read as
	 * busy has all but idle time: lane_worked_ns(). */
	int64_t busy_ns, idle_ns, program_ns, gc_ns;
	/* Recorded, but not covered by a sample, or covered by an empty stack. */
	int64_t unsampled_ns;
	/* Average distance of samples; of sums, what a tick of a line is worth; 0: unknown. */
	int64_t interval_ns;
};

/* Cut [*t0, *t1) to the time of a lane. Returns false, with *t1 as *t0, if nothing is left. */
static inline bool lane_clip(const struct lane *lane, int64_t *t0, int64_t *t1)
{
	*t0 = *t0 > lane->t0 ? *t0 : lane->t0;
	*t1 = *t1 < lane->t1 ? *t1 : lane->t1;
	if (*t0 < *t1)
		return true;
	*t1 = *t0;
	return false;
}

/* The time that is neither idle nor unsampled: of scripts, native code, garbage collection and
 * `(program)`. */
static inline int64_t lane_worked_ns(const struct lane *lane)
{
	return lane->busy_ns + lane->program_ns + lane->gc_ns;
}

/* Whether it is a lane of samples, all of whose time is in [t0, t1): then its times by kind are
 * those of the range. */
static inline bool lane_is_sampled_in(const struct lane *lane, int64_t t0, int64_t t1)
{
	const struct samples *s = &lane->samples;

	return lane->kind == LANE_SAMPLES && s->n && samples_time(s, 0) >= t0 &&
		samples_time(s, s->n) <= t1;
}

/* Idle time up to this length may be one sample that hit a moment between two callbacks: it ends no
 * busy stretch. */
static inline int64_t lane_bridge_ns(const struct lane *lane)
{
	return lane->kind == LANE_SAMPLES ? lane->interval_ns + lane->interval_ns / 2 : 0;
}

/* Whether there are samples or slices with times: not those of sums, nor of values that are in the
 * order of allocations. */
static inline bool lane_has_times(const struct lane *lane)
{
	return lane->has_timeline && lane->value.unit_ns == 0;
}

void lane_done(struct lane *lane);

/* Of a copy of a lane, which is to get a tree and leaves of its own: forget those that it borrows,
 * what is by node, and what follows from them, except times and the number of spans. */
void lane_forget_nodes(struct lane *lane);

/* Whether they are marks of the whole trace. In the trace of a page these are folded, below its
 * lanes. */
static inline bool lane_is_across_all(const struct lane *lane)
{
	return lane->is_across && lane->pid == LANE_NO_ID;
}

/* The order of lanes in tables: the page first, other pages, then others; of these the busiest. */
static inline int lane_page_compare(const struct lane *a, int64_t a_ns, const struct lane *b,
				    int64_t b_ns)
{
	return SORT_BY_4(b->is_page_main, a->is_page_main, a->page_order, b->page_order, b_ns, a_ns,
			 a->id, b->id);
}

/* The first of the lanes from `first` on that are one lane to the user with `lane`. */
static inline const struct lane *lane_head(const struct lane *lane, const struct lane *first)
{
	while (lane > first && lane->is_joined && lane[-1].kind == lane->kind)
		lane--;
	return lane;
}

/* The number of lanes that are one lane to the user: `lane` and those of its kind after it, before
 * `end`, that are joined to it. */
static inline uint32_t lane_count_joined(const struct lane *lane, const struct lane *end)
{
	const struct lane *next = lane + 1;

	while (next < end && next->is_joined && next->kind == lane->kind)
		next++;
	return (uint32_t)(next - lane);
}

/* The rows of n such lanes; of slices those of the thread. */
static inline int lane_rows_joined(const struct lane *lane, uint32_t n)
{
	int rows = lane->n_rows;

	for (uint32_t i = 0; i < n && !lane->n_rows; i++) {
		int first = lane->kind == LANE_SLICES ? lane[i].first_row : rows;

		rows = first + lane[i].max_depth > rows ? first + lane[i].max_depth : rows;
	}
	return rows;
}

/* Whether two lanes are of one process, as far as is known. */
static inline bool lane_is_of_process(const struct lane *a, const struct lane *b)
{
	return a->pid == b->pid && a->group == b->group;
}

/* Whether two lanes are of one thread of one input. */
static inline bool lane_is_of_thread(const struct lane *a, const struct lane *b)
{
	return a->pid == b->pid && a->tid == b->tid && a->input == b->input;
}

/* For a lane of samples with tree, leaf, t, t0 and t1: compute everything that follows from these,
 * from shared rows and blocks to times by kind. frames: the frames that tree.frame refers to.
 * progress: may be NULL. */
void lane_link(struct lane *lane, const struct frame *frames, struct progress *progress);

/* Whether that follows ancestors in the tree; otherwise it needs what calltree_number() sets. */
bool lane_link_follows(const struct lane *lane);

/* The same in steps: begin, call lane_link_work() until it returns true, then end, which accepts
 * NULL. Ended earlier, the lane is only good for lane_done(). */
struct lane_link *lane_link_begin(struct lane *lane, const struct frame *frames);

bool lane_link_work(struct lane_link *link, struct budget *budget);
void lane_link_end(struct lane_link *link);

/* The slice of a span of this lane (from span_at() or a similar function); SIZE_MAX: none. */
size_t slice_of_span(const struct lane *lane, const struct span *span);

/* The offset of the event that states the slice of a span; -1: there is none, or it is not known.
 */
int64_t slice_event(const struct lane *lane, const struct span *span);

/* Find the slice of a lane that begins at t0 and whose event is at `offset`. */
bool slice_find(const struct lane *lane, int64_t offset, int64_t t0, struct span *out);

/* The number of slices, or calls, that open with a sample (an index). */
unsigned lane_opens(const struct lane *lane, size_t sample);

/* By node: the self time in [t0, t1), without that of the root. covered: NULL, or set to the time
 * that calls of the lane, and of those joined to it, cover. The caller frees the result. */
int64_t *lane_self_times(const struct lane *lane, int64_t t0, int64_t t1, int64_t *covered);

/* Prepare slice_of_span(). Requires the lane's tree, samples.leaf and samples.shared. */
void lane_count_slices(struct lane *lane);

#endif
