/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Self and total time of the nodes and frames of a view in a time range. Spans partly in the range
 * count with that part. Recursion counts once in totals. */
#ifndef FLAMETTY_ANALYSE_TOTALS_H
#define FLAMETTY_ANALYSE_TOTALS_H

#include "analyse/view/view.h"
#include "base/bitset.h"
#include "base/budget.h"
#include "model/blocks.h"

#include <stdlib.h>

struct totals {
	const struct profile *profile;
	const struct view *view;
	/* By lane of the profile: 1 if it counts; NULL: all. Borrowed; callers set it before they
	 * compute. */
	const uint8_t *is_lane;
	int64_t t0, t1;
	int64_t *self;       /* ns by node */
	int64_t *total;      /* ns by node */
	int64_t *frame_self; /* ns by frame of the view */
	int64_t *frame_total;
	int64_t *inner; /* by node: the part of `total` inside of a slice of the frame on another
			   lane of the thread; NULL: there is none */
	uint8_t *is_called; /* by frame of the view; 1: some of its self or total time came through
			       a caller */
	uint32_t n_frames;
	frame_id *used; /* frames that have a node with time */
	uint32_t n_used;
	int64_t self_ns;    /* sum of `self`, without the root */
	int64_t sampled_ns; /* the same, with each moment of a thread once: less where slices
			       overlap */
	int64_t idle_ns;    /* time of the category idle */
	int64_t dropped_ns; /* sampled time that the view's transforms dropped */
	uint32_t source;    /* state of the computation: the source that is being added, */
	bool has_walk;      /* whether its walk has begun, */
	size_t next;        /* or, by labels, its next sample */
	struct blocks_walk walk;
};

/* What a node adds to the total of its frame: nothing inside of another call of it. */
static inline int64_t totals_outer(const struct totals *totals, node_id node)
{
	return !totals->view->tree->is_outer[node]
		? 0
		: totals->total[node] - (totals->inner ? totals->inner[node] : 0);
}

/* The view must outlive the totals. */
void totals_init(struct totals *totals, const struct view *view);
void totals_done(struct totals *totals);

/* How much memory totals of a view of n lanes take, at most. n_frames: of the view. */
size_t totals_bytes(const struct lane *const *lanes, uint32_t n, uint32_t n_frames);

/* Compute for [t0, t1) over all lanes of the view, or those of is_lane. For a lane without a time
 * line, times are hit counts. Begin, then call totals_step() until it returns true. Before that, no
 * member of the result is valid. */
void totals_begin(struct totals *totals, int64_t t0, int64_t t1);
bool totals_step(struct totals *totals, struct budget *budget);

/* The same at once. */
static inline void totals_compute(struct totals *totals, int64_t t0, int64_t t1)
{
	totals_begin(totals, t0, t1);
	totals_step(totals, BUDGET_UNLIMITED);
}

/* Totals of one short range after another: what each costs follows the nodes that have time in it,
 * not those of the tree. Zeroed at first but for `totals`, which were never computed. */
struct totals_few {
	struct totals *totals;
	struct bitset set, frame_set; /* that have time, while they are found */
	node_id *nodes;               /* those of the last range, in ascending order */
	size_t n;
	bool has_begun;
};

void totals_few_compute(struct totals_few *few, int64_t t0, int64_t t1);
void totals_few_done(struct totals_few *few);

/* Compute everything else from `self`, which the caller has filled, not negative, since
 * totals_begin(), which clears it. What slices lack is not added. */
void totals_of_selves(struct totals *totals);

/* Counts by frame of the view. */
struct totals_counts {
	uint64_t *spans; /* spans with time in the range, including those open at its start */
	uint64_t *self_samples; /* samples, or hits, with the function as the leaf */
	uint8_t *is_used;       /* 1: on the stack of any sample, even of zero length */
};

/* How many samples of the program sample i of a lane of samples is: one that was made from hit
 * counts stands for all hits of its node. Of sums without counts of samples it is not known: 0. */
uint64_t totals_sample_count(const struct lane *lane, size_t i);

/* Count for the range of the last computation, in a pass over its samples. Spans of one frame that
 * a transform brought together count once where they touch. Touching slices of one name stay two. A
 * dropped sample separates the spans before it from those after it. */
void totals_counts(const struct totals *totals, struct totals_counts *counts);

/* The same without spans, which take most of the time. */
void totals_leaves(const struct totals *totals, struct totals_counts *counts);

static inline void totals_counts_done(struct totals_counts *counts)
{
	free(counts->spans);
	free(counts->self_samples);
	free(counts->is_used);
	*counts = (struct totals_counts){ 0 };
}

#endif
