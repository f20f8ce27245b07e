/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The samples of a lane of slices say which slices are open, and they can only nest. What the file
 * states beyond that about the time of slices is here, as stretches of time:
 *
 * over     a slice outlasts the one around it by a rounding error: the part behind that end. It is
 *          time of the slice itself, not of those around it
 * covered  a slice has no slice inside it on its own layer, but one on another layer: no self time
 *
 * And about the time of the thread, which it has once whatever overlaps. Its first lane speaks for
 * the thread; lanes joined to that one have none of it (slice_union.h):
 *
 * more     time of the thread that the samples of its first lane do not have
 * less     time of the samples that is not the thread's, or that is the first lane's to tell
 *
 * And about recursion, which counts once in the total of a function:
 *
 * links    for each outermost slice of the lane that is inside of a slice of another layer: which
 * one inner    time of slices that are inside of one of their name on another layer
 *
 * Most lanes have none, and then no struct. Owned by the lane. */
#ifndef FLAMETTY_MODEL_SLICE_TIME_H
#define FLAMETTY_MODEL_SLICE_TIME_H

#include "model/calltree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lane;
struct span;

/* Columns this many times as long as the longest rounding error, or longer, do not show any. */
#define SLICE_TIME_COLUMN 64

/* Times as those of the lane's samples. */
struct slice_stretch {
	int64_t t0, t1;
	int64_t self_t0; /* over: a slice inside it goes on until here, so self time begins here */
	node_id node;    /* of the slice; more, less: NODE_ROOT */
};

/* In the order of t0, once they are sorted. */
struct slice_stretches {
	struct slice_stretch *list;
	size_t n, cap;
	int64_t longest;
};

/* The outermost slice of a lane from t0 to t1 is inside of a slice at the node `around` of a lane
 * of the thread. */
struct slice_link {
	int64_t t0, t1;
	uint32_t lane; /* number of the lane among those of the thread, from 0 */
	node_id around;
	uint32_t link; /* that of the outermost slice around `around`, + 1; 0: it has none */
};

struct slice_time {
	struct slice_stretches over, covered, more, less, inner;
	struct slice_link *links; /* in the order of t0 */
	size_t n_links, cap_links;
};

void slice_time_add(struct slice_stretches *to, const struct slice_stretch *stretch);
/* Add a link; returns its number, from 1. */
uint32_t slice_time_link(struct slice_time *time, const struct slice_link *link);

void slice_time_sort(struct slice_stretches *list);
void slice_time_done(struct slice_time *time);

/* Done with one that was allocated. */
void slice_time_free(struct slice_time *time);

/* In all of these, NULL is one without stretches. */

/* Move all times by this. */
void slice_time_shift(struct slice_time *time, int64_t by);

/* Call `visit` for each stretch with time in [t0, t1), in their order, with the part in there;
 * self_ns: how much self time it adds to the node, perhaps negative; total_ns: to its total. Of
 * what is over and covered. */
void slice_time_each(const struct slice_time *time, int64_t t0, int64_t t1,
		     void (*visit)(void *ctx, node_id node, int64_t self_ns, int64_t total_ns),
		     void *ctx);

/* The first stretch of a sorted list that begins at or after t. */
size_t slice_time_from(const struct slice_stretches *list, int64_t t);

/* The first stretch of a sorted list that may touch a range from t on. */
size_t slice_time_reaching(const struct slice_stretches *list, int64_t t);

/* What the samples' time in [t0, t1) lacks of the self time of the slices of the lane, perhaps
 * negative. */
int64_t slice_time_self_lacking(const struct slice_time *time, int64_t t0, int64_t t1);

/* What the samples' time in [t0, t1) lacks of the time of the thread, perhaps negative. */
int64_t slice_time_lacking(const struct slice_time *time, int64_t t0, int64_t t1);

/* The length behind t of the slice at `node` whose span ends at t, and its self time there. */
int64_t slice_time_over(const struct slice_time *time, node_id node, int64_t t);
int64_t slice_time_self_over(const struct slice_time *time, node_id node, int64_t t);

/* The length of a span of the lane, as the file states it. */
int64_t slice_time_of_span(const struct lane *lane, const struct span *span);

/* Whether pictures whose columns have `ns` show what outlasts by a rounding error. */
static inline bool slice_time_is_seen(const struct slice_time *time, int64_t ns)
{
	return time && time->over.n && ns / SLICE_TIME_COLUMN < time->over.longest;
}

/* Find the span that ends by its samples by time t, as the file states later, with the end that the
 * file states. */
bool slice_time_span_at(const struct lane *lane, int depth, int64_t t, struct span *out);

#endif
