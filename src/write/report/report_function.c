/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables about one function, which --filter chooses: its callers, its callees and its spans. Of
 * several functions that match, one after the other. */
#include "config.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "model/function_id.h"
#include "model/span_find.h"
#include "write/report/gather.h"
#include "write/report/report_lists.h"

#include <stdlib.h>

/* ---- callers and callees ---- */

struct near_row {
	const struct row *row;
	const struct frame *frame;
	char code[FUNCTION_ID_ROOM];
};

#define NEAR(X)                                                                                    \
	X(COUNT, REPORT_DATA, "depth", "", 0, 0, .n = row->row->depth)                             \
	X(VALUE, REPORT_ALL, "self", "Self", 0, 10, .n = row->row->self)                           \
	X(SHARE, REPORT_PAGE, "", "Self%", 0, 8, .n = row->row->self, .whole = out->g->whole_ns)   \
	X(VALUE, REPORT_ALL, "total", "Total", 0, 10, .n = row->row->total)                        \
	X(SHARE, REPORT_PAGE, "", "Total%", 0, 8, .n = row->row->total, .whole = out->g->whole_ns) \
	X(CODE, REPORT_ALL, "id", "Id", 2, FUNCTION_ID_ROOM,                                       \
	  .text = *row->code ? row->code : NULL)                                                   \
	X(FRAME, REPORT_ALL, "", "Function", 2, 34, .frame = row->frame)

REPORT_TABLE(callers, NEAR, struct near_row, .lead = "", .one = "row", .many = "rows",
	     .title = "a function, then its callers with their part of its time",
	     .member = "callers", .line = 2, .row_line = 3)
REPORT_TABLE(callees, NEAR, struct near_row, .lead = "", .one = "row", .many = "rows",
	     .title = "a function, then what it calls, within its time", .member = "callees",
	     .line = 2, .row_line = 3)

static void list_near(struct report_out *out, enum rows_kind kind)
{
	const struct gathered *g = out->g;
	const struct report_table *table = kind == ROWS_BOTTOMUP ? &callers : &callees;

	report_table_begin(out, table);
	for (frame_id f = 1; g->is_row && g->view.tree && f < g->view.n_frames; f++) {
		struct rows rows;

		if (!g->is_row[f] || g->totals.frame_total[f] == 0)
			continue;
		rows_init(&rows, &g->totals, kind, ROWS_BY_TOTAL, f);
		for (size_t i = 0; i < rows.n; i++) {
			struct near_row row = { &rows.rows[i], &g->view.frames[rows.rows[i].frame],
						"" };

			report_lists_code(out, rows.rows[i].frame, row.code);
			report_table_row(out, &row);
		}
		rows_done(&rows);
	}
	report_table_end(out);
}

void report_function_callers(struct report_out *out)
{
	list_near(out, ROWS_BOTTOMUP);
}

void report_function_callees(struct report_out *out)
{
	list_near(out, ROWS_TOPDOWN);
}

/* ---- spans ---- */

struct span_row {
	const struct lane *lane;
	const struct frame *frame;
	int64_t t0, length; /* of the part in the range */
};

#define SPANS(X)                                                                                   \
	X(ID, REPORT_DATA, "lane", "", 0, 0, .n = row->lane->id)                                   \
	X(VALUE, REPORT_ALL, "start", "Start", 0, 10, .n = row->t0)                                \
	X(VALUE, REPORT_ALL, "duration", "Duration", 0, 10, .n = row->length)                      \
	X(FRAME, REPORT_ALL, "", "Function", 2, 34, .frame = row->frame)

REPORT_TABLE(spans, SPANS, struct span_row, .lead = "", .one = "span", .many = "spans",
	     .title = "outermost spans of the function, longest first", .member = "spans",
	     .line = 2, .row_line = 3)

SORT_ORDER(is_longer, struct span_row,
	   SORT_BY_3(y->length, x->length, x->t0, y->t0, x->lane->id, y->lane->id))

void report_function_spans(struct report_out *out)
{
	const struct gathered *g = out->g;
	ALLOC_LOCAL struct span_row *list = NULL;
	size_t n = 0, cap = 0;

	for (uint32_t i = 0; i < g->n_lanes; i++) {
		int64_t t0, t1;

		if (!g->is_row || !gather_range(g->options, g->lanes[i], &t0, &t1))
			continue;
		for (frame_id f = 1; f < g->profile->frames.n; f++) {
			struct span_find seek;
			struct span span;

			if (!g->is_row[f] || g->totals.frame_total[f] == 0)
				continue;
			span_find_init_frame(&seek, g->lanes[i], f);
			for (size_t from = 0; span_find_next(&seek, from, &span) && span.t0 < t1;
			     from = span.end) {
				int64_t begin = span.t0 < t0 ? t0 : span.t0,
					end = span.t1 > t1 ? t1 : span.t1;

				if (end < begin)
					continue;
				list = xgrow(list, &cap, n + 1, sizeof *list);
				list[n++] = (struct span_row){ g->lanes[i],
							       profile_frame(g->profile, f), begin,
							       end - begin };
			}
			span_find_done(&seek);
		}
	}
	if (n)
		qsort(list, n, sizeof *list, is_longer);
	report_table_begin(out, &spans);
	for (size_t i = 0; i < n && report_table_row(out, &list[i]); i++) {
	}
	report_table_end(out);
}
