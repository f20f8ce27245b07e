/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables about the work of browsers: of the lanes as they are in the file, whatever transforms
 * and groups. */
#include "config.h"

#include "analyse/label_share.h"
#include "base/alloc.h"
#include "base/sort.h"
#include "model/request.h"
#include "model/slice_work.h"
#include "write/report/gather.h"
#include "write/report/report_lists.h"

#include <stdlib.h>

/* ---- kinds ---- */

struct kind_row {
	const struct lane *lane; /* of the original */
	enum work kind;
	int64_t ns, range;
};

#define KINDS(X)                                                                                   \
	X(ID, REPORT_DATA, "lane", "", 0, 0, .n = row->lane->id)                                   \
	X(LANE, REPORT_CSV, "thread", "", 0, 0, .lane = row->lane)                                 \
	X(WORDS, REPORT_DATA, "kind", "", 0, 0, .text = slice_work_name(row->kind))                \
	X(VALUE, REPORT_ALL, "self", "Self", 0, 10, .n = row->ns)                                  \
	X(SHARE, REPORT_PAGE, "", "Self%", 0, 8, .n = row->ns, .whole = row->range)                \
	X(WORDS, REPORT_PAGE, "", "Kind", 2, 0, .text = slice_work_name(row->kind))

REPORT_TABLE(kinds, KINDS, struct kind_row, .title = "time of the page by kind of work",
	     .note = "(% of the range)", .member = "kinds", .line = 2)

/* A page has the first lane, which is that of the page; data have all. --top is about long tables.
 */
void report_work_kinds(struct report_out *out)
{
	const struct gathered *g = out->g;
	int64_t t0 = g->options->scope.t0, t1 = g->options->scope.t1, ns[WORK_COUNT];
	size_t n = 0, cap = 0, most = out->rows_max;
	ALLOC_LOCAL struct kind_row *rows = NULL;

	for (uint32_t i = 0; i < g->profile->n_lanes && !(out->page && n); i++) {
		const struct lane *lane = scoped_original(g->scoped, &g->profile->lanes[i]);

		if (lane->kind != LANE_SLICES || lane->is_joined ||
		    !work_times(g->scoped->original, lane, t0, t1, ns))
			continue;
		rows = xgrow(rows, &cap, n + WORK_COUNT, sizeof *rows);
		for (int kind = 0; kind < WORK_COUNT; kind++)
			if (ns[kind] || !out->page)
				rows[n++] = (struct kind_row){ lane, (enum work)kind, ns[kind],
							       t1 - t0 };
	}
	out->rows_max = out->page ? SIZE_MAX : most;
	if (n || out->csv)
		report_table_write(out, &kinds, rows, n, sizeof *rows);
	out->rows_max = most;
}

/* ---- origins ---- */

static const char *const parties[] = {
	[PARTY_UNKNOWN] = "", [PARTY_FIRST] = "first", [PARTY_THIRD] = "third"
};

#define ORIGINS(X)                                                                                 \
	X(NAME, REPORT_DATA, "origin", "", 0, 0, .string = row->origin)                            \
	X(WORDS, REPORT_DATA, "party", "", 0, 0, .text = parties[row->party])                      \
	X(NAME, REPORT_DATA, "url", "", 0, 0, .string = row->url)                                  \
	X(VALUE, REPORT_ALL, "self", "Self", 0, 10, .n = row->self)                                \
	X(SHARE, REPORT_PAGE, "", "Self%", 0, 8, .n = row->self, .whole = out->g->whole_ns)        \
	X(WORDS, REPORT_PAGE, "", "Party", 2, 5, .text = parties[row->party])                      \
	X(NAME, REPORT_PAGE, "", "Origin", 2, 0, .string = row->origin)

REPORT_TABLE(origins, ORIGINS, struct origin_share, .title = "time by origin of the code",
	     .one = "origin", .many = "origins", .member = "origins", .line = 2)

/* A page has origins, if there are several or they are asked for; data have urls. */
void report_work_origins(struct report_out *out)
{
	const struct gathered *g = out->g;
	ALLOC_LOCAL struct origin_share *list = NULL;
	bool wants_several = out->page && !report_lists_is_alone(g->options);
	size_t n = 0;

	if (!wants_several || origins_are_several(g->scoped->original))
		n = origins_find(g->scoped->original, g->originals, g->n_originals,
				 g->options->scope.t0, g->options->scope.t1, !out->page, &list);
	if (wants_several ? n > 1 : n || out->csv)
		report_table_write(out, &origins, list, n, sizeof *list);
}

/* ==== report requests ====
 *
 * The table of network requests: those of all lanes that begin in the range. */

struct request_row {
	const struct request *r;
	int64_t t0;
};

#define CELL(X, kind, where, key, ...) X(kind, where, key, "", 0, 0, __VA_ARGS__)

#define REQUESTS(X)                                                                                \
	CELL(X, NAME, REPORT_DATA, "name", .string = r->name)                                      \
	CELL(X, NAME, REPORT_DATA, "method", .string = r->method)                                  \
	X(COUNT, REPORT_ALL, "status", "Status", 0, 6, .n = r->status ? r->status : -1)            \
	CELL(X, NAME, REPORT_DATA, "type", .string = r->type)                                      \
	X(VALUE, REPORT_ALL, "start", "Start", 0, 10, .n = row->t0)                                \
	X(VALUE, REPORT_ALL, "waited", "Waited", 0, 10, .n = r->first_byte_ns)                     \
	X(VALUE, REPORT_ALL, "received", "Received", 0, 10, .n = r->total_ns - r->first_byte_ns)   \
	X(KNOWN, REPORT_ALL, "total", "Total", 0, 10,                                              \
	  .n = r->is_finished ? r->total_ns : REPORT_NONE)                                         \
	X(BYTES, REPORT_ALL, "bytes", "Bytes", 0, 11, .n = r->bytes)                               \
	CELL(X, BYTES, REPORT_DATA, "decoded", .n = r->decoded)                                    \
	X(BRIEF, REPORT_ALL, "priority", "Priority", 2, 9, .string = r->priority)                  \
	CELL(X, NAME, REPORT_DATA, "blocking", .string = r->blocking)                              \
	CELL(X, NAME, REPORT_DATA, "initiator", .string = r->initiator)                            \
	CELL(X, PATH, REPORT_DATA, "initiator_url", .string = r->initiator_url)                    \
	CELL(X, COUNT, REPORT_DATA, "initiator_line",                                              \
	     .n = r->initiator_line ? r->initiator_line : -1)                                      \
	CELL(X, PATH, REPORT_DATA, "url", .string = r->url)                                        \
	X(NAME, REPORT_PAGE, "", "Request", 2, 0, .string = r->name)

REPORT_TABLE_WITH(table, REQUESTS, struct request_row, const struct request *r = row->r,
		  .title = "network requests", .lead = "", .one = "request", .many = "requests",
		  .member = "requests", .line = 2, .row_line = 3)

/* By start; as the user asks: by name, or the longest first. */
static bool is_before(const void *a, const void *b, const void *ctx)
{
	const struct request_row *x = a, *y = b;
	const struct report_out *out = ctx;
	const struct report_options *o = out->g->options;

	if (o->is_sorted && o->sort == ROWS_BY_NAME)
		return strcmp(profile_text(out->profile, x->r->name),
			      profile_text(out->profile, y->r->name)) < 0;
	return o->is_sorted ? x->r->total_ns > y->r->total_ns : x->t0 < y->t0;
}

void report_requests(struct report_out *out)
{
	const struct scope *scope = &out->g->options->scope;
	const struct profile *p = out->g->scoped->original;
	ALLOC_LOCAL struct request_row *rows = xcalloc(p->n_requests, sizeof *rows);
	struct error err = ERROR_INIT;
	ALLOC_LOCAL uint8_t *is_row = scope->filter
		? frame_set_find(p, p->frames.frames, p->frames.n, scope->filter, &err)
		: NULL;
	size_t n = 0;

	if (p->served.n && !p->n_requests) {
		report_served_requests(out);
		return;
	}
	for (size_t i = 0; i < p->n_requests; i++) {
		const struct request *r = &p->requests[i];
		int64_t t0 = r->t0 - p->inputs[r->input].zero_ns;
		struct span span;
		uint32_t lane;

		if (t0 < scope->t0 || t0 >= scope->t1 ||
		    (is_row &&
		     !(request_span(p, r, &lane, &span) &&
		       is_row[p->lanes[lane].tree.frame[span.node]])))
			continue;
		rows[n++] = (struct request_row){ r, t0 };
	}
	sort_stable(rows, n, sizeof *rows, is_before, out);
	report_table_write(out, &table, rows, n, sizeof *rows);
}
