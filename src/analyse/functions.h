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
};

struct functions {
	struct function *list; /* by frame of the view */
	uint32_t n;
	int64_t dropped_ns; /* time in the range that the view's transforms dropped */
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

/* The same at once. */
static inline void functions_init(struct functions *functions, const struct view *view, int64_t t0,
				  int64_t t1)
{
	struct functions_walk *walk = functions_begin(functions, view, t0, t1);

	functions_step(walk, BUDGET_UNLIMITED);
	functions_end(walk);
}

static inline void functions_done(struct functions *functions)
{
	free(functions->list);
	*functions = (struct functions){ 0 };
}

/* Add the spans of a function on another lane; `to` begins with zeros. */
void functions_add(struct function *to, const struct function *more);

/* Mean length of the function's spans; 0: it has none. */
static inline int64_t functions_mean(const struct function *f)
{
	return f->n_spans ? f->spans_ns / (int64_t)f->n_spans : 0;
}

/* ---- figures ----
 *
 * What tables say of a function: the columns of numbers in panes, on pages, in CSV and in JSON. A
 * column is a row here, and nowhere else.
 *
 * A row, PANE() if the pane of functions has it, else ELSE():
 *
 *     id        FUNCTION_id is the column of the pane
 *     kind      VALUE: a value of the profile, as a time; KNOWN: a value that may be FIGURE_NONE;
 *               COUNT; HITS: a count that only profiles of hits have
 *     where     CSV, JSON, PAGE; of tables of calls, too: CALLS
 *     key       in CSV and JSON; a value gets its unit: self_us
 *     heading   in panes and on pages
 *     share     1: a column of shares follows, with `%`
 *     width     text: its cells, with those in front of it
 *     cols      the narrowest pane that has it
 *     value     of `f`, a struct function_figures
 *
 * Without a key or a heading: "". CSV has some of them in another order than JSON or the pane; then
 * the row is there twice, for different places.
 *
 * FIGURES_OF_TIME are known of calls, too. FIGURES_OF_SPANS take a pass over all samples, which
 * pages make only if one of these rows is for them. */
enum { FIGURE_CSV = 1, FIGURE_JSON = 2, FIGURE_PAGE = 4, FIGURE_CALLS = 8 };

struct function_figures {
	int64_t self, total;
	int64_t gc; /* of the total time; FIGURE_NONE: not known, as everywhere but in the pane */
	uint64_t hits;
	uint64_t self_samples;  /* not known in the pane: 0 */
	struct function counts; /* of the flat table */
};

#define FIGURE_NONE INT64_MIN /* a value that is not known */

/* The figures of a function, or of a call.
 * counts: NULL: not known, or not yet. self, total: ns. hit_ns: lane_value_hit_ns(). */
static inline struct function_figures figures_of(const struct function *counts,
						 uint64_t self_samples, int64_t self, int64_t total,
						 int64_t hit_ns)
{
	return (struct function_figures){ .self = self,
					  .total = total,
					  .gc = FIGURE_NONE,
					  .hits = hit_ns ? (uint64_t)(self / hit_ns) : 0,
					  .self_samples = self_samples,
					  .counts = counts ? *counts : (struct function){ 0 } };
}

#define FIGURE_CSV_JSON (FIGURE_CSV | FIGURE_JSON)
#define FIGURE_ALL (FIGURE_CSV | FIGURE_JSON | FIGURE_PAGE | FIGURE_CALLS)

/* clang-format off */
#define FIGURES_OF_TIME(PANE, ELSE, X)                                                             \
	PANE(X, SELF,  VALUE, FIGURE_ALL,  "self",  "Self",  1, 10, 0,  f->self)                   \
	PANE(X, TOTAL, VALUE, FIGURE_ALL,  "total", "Total", 1, 11, 50, f->total)                  \
	PANE(X, GC,    KNOWN, 0,           "",      "GC",    0, 0,  48, f->gc)                     \
	ELSE(X, HITS,  HITS,  FIGURE_PAGE, "",      "Hits",  0, 9,  0,  (int64_t)f->hits)

#define FIGURES_OF_SPANS(PANE, ELSE, X)                                                            \
	ELSE(X, JSON_LEAVES, COUNT, FIGURE_JSON,  "self_samples",  "",      0, 0, 0,               \
	     (int64_t)f->self_samples)                                                             \
	PANE(X, SPANS,     COUNT, FIGURE_CSV_JSON, "spans",    "Spans",    0, 0, 60,               \
	     (int64_t)f->counts.n_spans)                                                           \
	PANE(X, LONGEST,   VALUE, FIGURE_CSV_JSON, "longest",  "Longest",  0, 0, 70,               \
	     f->counts.longest)                                                                    \
	PANE(X, MEAN,      VALUE, 0,               "",         "Mean",     0, 0, 90,               \
	     functions_mean(&f->counts))                                                           \
	PANE(X, SHORTEST,  VALUE, FIGURE_CSV_JSON, "shortest", "Shortest", 0, 0, 100,              \
	     f->counts.shortest)                                                                   \
	ELSE(X, MEAN_LAST, VALUE, FIGURE_CSV_JSON, "mean",     "",         0, 0, 0,                \
	     functions_mean(&f->counts))                                                           \
	ELSE(X, LONGEST_START, VALUE, FIGURE_CSV,  "longest_start", "",    0, 0, 0,                \
	     f->counts.longest_t0)                                                                 \
	ELSE(X, CSV_LEAVES, COUNT, FIGURE_CSV,     "self_samples", "",     0, 0, 0,                \
	     (int64_t)f->self_samples)
/* clang-format on */

/* Where any of the FIGURES_OF_SPANS is. */
#define FIGURE_WHERE(X, id, kind, where, ...) | (where)
enum { FIGURES_OF_SPANS_WHERE = 0 FIGURES_OF_SPANS(FIGURE_WHERE, FIGURE_WHERE, ) };

#endif
