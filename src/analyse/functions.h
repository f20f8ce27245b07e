/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The flat table: for each frame of a view, its time in a range, and the number and lengths of its
 * spans. All spans count, also those inside another span of the same frame. A span that lies partly
 * in the range counts with that part. */
#ifndef FLAMETTY_ANALYSE_FUNCTIONS_H
#define FLAMETTY_ANALYSE_FUNCTIONS_H

#include "analyse/view/view.h"
#include "base/budget.h"

#include <stdlib.h>

struct function {
	int64_t self, total; /* ns; total counts recursion once */
	uint64_t n_spans;
	int64_t spans_ns;          /* of all spans together */
	int64_t longest, shortest; /* ns; 0 where there are no spans */
	int64_t longest_t0;        /* start of the first of the longest spans, in the range */
	uint32_t longest_source;   /* its source in the view */
	bool has_ranks;            /* of slices: the shortest length that 50, 95 and 99 % of them */
	int64_t ranks[3];          /* do not exceed */
	int64_t cpu;               /* of slices: time of the processor in `total` */
	/* Of network requests: the first start in the range, and sums. */
	int64_t request_t0, waited, received, bytes;
};

struct functions {
	struct function *list; /* by frame of the view */
	uint32_t n;
	bool has_ranks, has_cpu; /* some have; known at the end */
	bool has_requests;       /* the lanes are of requests */
	int64_t dropped_ns;      /* time in the range that the view's transforms dropped */
};

/* Compute all for [t0, t1) in one pass over the samples, in steps: begin, step until the result is
 * true, end. The walk may end at any time; the counts so far stay. The view must outlive the steps,
 * but not the call of functions_end(). Until the walk is complete, the numbers are those of the
 * samples so far. */
struct functions_walk;
struct functions_walk *functions_begin(struct functions *functions, const struct view *view,
				       int64_t t0, int64_t t1);
bool functions_step(struct functions_walk *walk, struct budget *budget);
void functions_end(struct functions_walk *walk);

/* How much memory the steps and their result take. */
size_t functions_bytes(const struct view *view);

/* The same at once; of many samples, on two processors. */
void functions_init(struct functions *functions, const struct view *view, int64_t t0, int64_t t1);

static inline void functions_done(struct functions *functions)
{
	free(functions->list);
	*functions = (struct functions){ 0 };
}

/* Add the spans of a function on another lane; `to` begins with zeros. */
void functions_add(struct function *to, const struct function *more);

#define FUNCTIONS_NONE INT64_MIN /* a value that is not known */

static inline int64_t functions_rank(const struct function *f, int i)
{
	return f->has_ranks ? f->ranks[i] : FUNCTIONS_NONE;
}

/* Mean length of the function's spans; 0: it has none. */
static inline int64_t functions_mean(const struct function *f)
{
	return f->n_spans ? f->spans_ns / (int64_t)f->n_spans : 0;
}

#endif
