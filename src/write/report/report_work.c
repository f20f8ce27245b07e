/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables about the work of browsers: of the lanes as they are in the file, whatever transforms
 * and groups. */
#include "config.h"

#include "analyse/label_share.h"
#include "base/alloc.h"
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
	X(WORDS, REPORT_DATA, "kind", "", 0, 0, .text = slice_work_name(row->kind),                \
	  .len = strlen(slice_work_name(row->kind)))                                               \
	X(VALUE, REPORT_ALL, "self", "Self", 0, 10, .n = row->ns)                                  \
	X(SHARE, REPORT_PAGE, "", "Self%", 0, 8, .n = row->ns, .whole = row->range)                \
	X(WORDS, REPORT_PAGE, "", "Kind", 2, 0, .text = slice_work_name(row->kind),                \
	  .len = strlen(slice_work_name(row->kind)))

REPORT_TABLE(kinds, KINDS, struct kind_row, .title = "time of the page by kind of work",
	     .note = "(% of the range)", .member = "kinds", .line = 2)

/* A page has the first lane, which is that of the page; data have all. --top is about long tables.
 */
void report_work_kinds(struct report_out *out)
{
	const struct gathered *g = out->g;
	int64_t t0 = g->options->scope.t0, t1 = g->options->scope.t1, ns[WORK_COUNT];
	size_t n = 0, cap = 0, most = out->rows_max;
	struct kind_row *rows = NULL;

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
	free(rows);
}

/* ---- origins ---- */

static const char *const parties[] = {
	[PARTY_UNKNOWN] = "", [PARTY_FIRST] = "first", [PARTY_THIRD] = "third"
};

#define ORIGINS(X)                                                                                 \
	X(NAME, REPORT_DATA, "origin", "", 0, 0, .string = row->origin)                            \
	X(WORDS, REPORT_DATA, "party", "", 0, 0, .text = parties[row->party],                      \
	  .len = strlen(parties[row->party]))                                                      \
	X(NAME, REPORT_DATA, "url", "", 0, 0, .string = row->url)                                  \
	X(VALUE, REPORT_ALL, "self", "Self", 0, 10, .n = row->self)                                \
	X(SHARE, REPORT_PAGE, "", "Self%", 0, 8, .n = row->self, .whole = out->g->whole_ns)        \
	X(WORDS, REPORT_PAGE, "", "Party", 2, 5, .text = parties[row->party],                      \
	  .len = strlen(parties[row->party]))                                                      \
	X(NAME, REPORT_PAGE, "", "Origin", 2, 0, .string = row->origin)

REPORT_TABLE(origins, ORIGINS, struct origin_share, .title = "time by origin of the code",
	     .one = "origin", .many = "origins", .member = "origins", .line = 2)

/* A page has origins, if there are several or they are asked for; data have urls. */
void report_work_origins(struct report_out *out)
{
	const struct gathered *g = out->g;
	struct origin_share *list;
	size_t n = origins_find(g->scoped->original, g->originals, g->n_originals,
				g->options->scope.t0, g->options->scope.t1, !out->page, &list);

	if (out->page ? n > 1 || (n && report_lists_is_alone(g->options)) : n || out->csv)
		report_table_write(out, &origins, list, n, sizeof *list);
	free(list);
}
