/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of reports: each finds its rows and writes them to a page, as CSV or as JSON. Those
 * that would be empty are left out of pages. */
#ifndef FLAMETTY_WRITE_REPORT_REPORT_LISTS_H
#define FLAMETTY_WRITE_REPORT_REPORT_LISTS_H

#include "write/report/report_table.h"

/* All functions, as CSV; the first ones in an order (enum rows_sort), on a page. Those of one lane,
 * as JSON. */
void report_lists_functions(struct report_out *out, unsigned sort);

struct lane_sums;
void report_lists_lane(struct report_out *out, const struct lane_sums *sums);

/* Calls: of the heaviest stack (analyse/summary.h); of a tree (enum rows_kind), as CSV. */
void report_lists_stack(struct report_out *out);
void report_lists_tree(struct report_out *out, unsigned kind);

/* Self time by category, package or file (enum summary_by), and by event category. On a page: by
 * category and by package; text has them side by side. */
void report_lists_shares(struct report_out *out, unsigned by);
void report_lists_event_cats(struct report_out *out);
void report_lists_page_shares(struct page *page);

/* The hottest lines by V8's ticks, with their texts. report_lists_has_lines(): whether the user
 * asked for them. */
void report_lists_lines(struct report_out *out);
bool report_lists_has_lines(const struct report_options *options);

/* Pauses, or busy stretches. */
void report_lists_stretches(struct report_out *out, unsigned is_busy);

/* The values of labels, by key. */
void report_lists_labels(struct report_out *out);

/* All lanes, with how their time was spent, as CSV; those of calls, busiest first, on a page. */
void report_lists_lanes(struct report_out *out);
void report_lists_page_lanes(struct report_out *out);

/* The files, to compare recordings by, whatever the scope. report_lists_input(): JSON: the members
 * of one of them that its lanes tell. */
void report_lists_inputs(struct report_out *out);

struct input_sums {
	uint32_t n_lanes;    /* without joined lanes */
	int64_t interval_ns; /* average distance of its samples; 0: unknown */
	int64_t duration_ns; /* from the first start of its lanes to the last end */
	uint64_t n_nodes, n_samples;
	int64_t t0, t1;
};

void report_lists_input(struct report_out *out, const struct input *input,
			const struct input_sums *sums);

/* The sums of all inputs, by input. The caller frees them. */
struct input_sums *input_sums_new(const struct profile *profile);

#endif
