/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tables say of a function: the columns of numbers in panes, on pages, in CSV and in JSON. A
 * column is a row here, and nowhere else.
 *
 * A row, PANE() if the pane of functions has it, else ELSE():
 *
 *     id        FUNCTION_id is the column of the pane
 *     kind      VALUE: a value of the profile, as a time; KNOWN: a value that may be FIGURE_NONE;
 *               COUNT; HITS: a count that only profiles of hits have; LENGTH: KNOWN, of slices only
 *               CPU: of slices with times of the processor
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
#ifndef FLAMETTY_ANALYSE_FIGURES_H
#define FLAMETTY_ANALYSE_FIGURES_H

#include "analyse/functions.h"

enum { FIGURE_CSV = 1, FIGURE_JSON = 2, FIGURE_PAGE = 4, FIGURE_CALLS = 8 };

struct function_figures {
	int64_t self, total;
	int64_t gc; /* of the total time; FIGURE_NONE: not known, as everywhere but in the pane */
	uint64_t hits;
	uint64_t self_samples;  /* not known in the pane: 0 */
	struct function counts; /* of the flat table */
};

#define FIGURE_NONE FUNCTIONS_NONE

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
#define FIGURE_LENGTHS (FIGURE_CSV_JSON | FIGURE_PAGE)
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
	PANE(X, BEGUN,     VALUE, 0,               "",         "Start",    0, 0, 0,                \
	     f->counts.request_t0)                                                                 \
	PANE(X, WAITED,    VALUE, 0,               "",         "Waited",   0, 0, 60,               \
	     f->counts.waited)                                                                     \
	PANE(X, RECEIVED,  VALUE, 0,               "",         "Received", 0, 0, 60,               \
	     f->counts.received)                                                                   \
	PANE(X, BYTES,     BYTES, 0,               "",         "Bytes",    0, 0, 50,               \
	     f->counts.bytes)                                                                      \
	PANE(X, CPU,       CPU,    FIGURE_LENGTHS, "cpu",      "CPU",      0, 9, 64,               \
	     f->counts.cpu)                                                                        \
	PANE(X, SPANS,     COUNT, FIGURE_CSV_JSON, "spans",    "Spans",    0, 0, 60,               \
	     (int64_t)f->counts.n_spans)                                                           \
	PANE(X, LONGEST,   VALUE, FIGURE_CSV_JSON, "longest",  "Longest",  0, 0, 70,               \
	     f->counts.longest)                                                                    \
	PANE(X, MEAN,      VALUE, 0,               "",         "Mean",     0, 0, 90,               \
	     functions_mean(&f->counts))                                                           \
	PANE(X, SHORTEST,  VALUE, FIGURE_CSV_JSON, "shortest", "Shortest", 0, 0, 100,              \
	     f->counts.shortest)                                                                   \
	PANE(X, P50,       LENGTH, FIGURE_LENGTHS, "p50",      "p50",      0, 9, 132,              \
	     functions_rank(&f->counts, 0))                                                        \
	PANE(X, P95,       LENGTH, FIGURE_LENGTHS, "p95",      "p95",      0, 9, 112,              \
	     functions_rank(&f->counts, 1))                                                        \
	PANE(X, P99,       LENGTH, FIGURE_LENGTHS, "p99",      "p99",      0, 9, 132,              \
	     functions_rank(&f->counts, 2))                                                        \
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
