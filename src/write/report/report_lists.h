/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of reports: each finds its rows and writes them to a page, as CSV or as JSON. Those
 * that would be empty are left out of pages. */
#ifndef FLAMETTY_WRITE_REPORT_REPORT_LISTS_H
#define FLAMETTY_WRITE_REPORT_REPORT_LISTS_H

#include "model/function_id.h"
#include "write/report/report.h"
#include "write/report/report_table.h"

/* In the order of the words of --table. */
enum report_list {
	REPORT_LIST_FUNCTIONS, /* CSV: all; on a page: the first ones in the order of the output;
				  JSON: those of its lane */
	REPORT_LIST_BOTTOMUP,  /* CSV only: calls */
	REPORT_LIST_TOPDOWN,
	REPORT_LIST_PACKAGES, /* self time */
	REPORT_LIST_FILES,
	REPORT_LIST_CATEGORIES, /* on a page: by category and by package */
	REPORT_LIST_LANES,      /* CSV: all lanes; on a page: those of calls, busiest first */
	REPORT_LIST_GAPS,       /* CSV, JSON: pauses, and busy stretches */
	REPORT_LIST_BUSY,
	REPORT_LIST_STACK,      /* calls of the heaviest stack (analyse/summary.h) */
	REPORT_LIST_LINES,      /* the hottest lines by V8's ticks, with their texts */
	REPORT_LIST_INPUTS,     /* the files, to compare recordings by, whatever the scope */
	REPORT_LIST_EVENT_CATS, /* self time by event category */
	REPORT_LIST_STACKS,     /* CSV only: all lanes and stacks */
	REPORT_LIST_LABELS,     /* CSV, JSON: the values of labels, by key */
	REPORT_LIST_KINDS,      /* of browsers: time by kind of work */
	REPORT_LIST_REQUESTS,   /* of the network */
	REPORT_LIST_ORIGINS,    /* of the web: CSV, JSON: time by url; on a page: by origin */
	REPORT_LIST_ROUTES,     /* of requests that processes serve */
	REPORT_LIST_WAITS,      /* what these wait for */
	REPORT_LIST_STALLS,     /* that were recorded */
	/* About the functions that --filter keeps, without words of --table: */
	REPORT_LIST_CALLERS,
	REPORT_LIST_CALLEES,
	REPORT_LIST_SPANS
};

void report_lists_write(struct report_out *out, enum report_list list);

/* Whether the user asked for a table that stands on pages in the place of all others. */
static inline bool report_lists_is_alone(const struct report_options *options)
{
	return options->table == REPORT_LIST_LINES || options->table >= REPORT_LIST_KINDS;
}

/* Whether a table is about requests. */
static inline bool report_lists_is_served(unsigned table)
{
	return table == REPORT_LIST_REQUESTS || table == REPORT_LIST_ROUTES ||
		table == REPORT_LIST_WAITS;
}

/* REPORT_LIST_KINDS and REPORT_LIST_ORIGINS, which report_work.c writes. */
void report_work_kinds(struct report_out *out);
void report_work_origins(struct report_out *out);

/* REPORT_LIST_REQUESTS, which report_work.c writes. */
void report_requests(struct report_out *out);

/* REPORT_LIST_ROUTES, REPORT_LIST_WAITS, and REPORT_LIST_REQUESTS of what processes serve, which
 * report_served.c writes; and REPORT_LIST_STALLS. */
void report_served_routes(struct report_out *out);
void report_served_waits(struct report_out *out);
void report_served_requests(struct report_out *out);
void report_served_stalls(struct report_out *out);

/* What a comparison says of routes: requests that begin in its runs. Nothing where there are none,
 * or only one side. */
struct compare;
void report_served_changes(struct report_out *out, const struct compare *c);

/* REPORT_LIST_CALLERS, REPORT_LIST_CALLEES and REPORT_LIST_SPANS, which report_function.c writes.
 */
void report_function_callers(struct report_out *out);
void report_function_callees(struct report_out *out);
void report_function_spans(struct report_out *out);

/* Write the id of a function of the profile; "" of groups and folded calls. */
void report_lists_code(const struct report_out *out, frame_id id, char code[FUNCTION_ID_ROOM]);

/* REPORT_LIST_STACKS, which report_csv.c writes. */
void report_csv_stacks(struct report_out *out);

struct input_sums {
	uint32_t n_lanes;    /* without joined lanes */
	int64_t interval_ns; /* average distance of its samples; 0: unknown */
	int64_t duration_ns; /* from the first start of its lanes to the last end */
	uint64_t n_nodes, n_samples;
	int64_t t0, t1;
};

/* JSON: the members of a file that its lanes tell. */
void report_lists_input(struct report_out *out, const struct input *input,
			const struct input_sums *sums);

/* The sums of all inputs, by input. The caller frees them. */
struct input_sums *input_sums_new(const struct profile *profile);

#endif
