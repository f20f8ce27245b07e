/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of what processes serve: routes, requests, and what they wait for. */
#include "config.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "findings/served_time.h"
#include "write/report/gather.h"
#include "write/report/report_lists.h"

#include <stdlib.h>

#define CELL(X, kind, where, key, heading, width, cells, cols, ...)                                \
	X(kind, REPORT_##where, key, heading, (width) || REPORT_##where != REPORT_PAGE ? 0 : 2,    \
	  width, __VA_ARGS__)
#define ROUTES(X) SERVED_ROUTE_COLUMNS(CELL, CELL, X)
#define REQUESTS(X) SERVED_REQUEST_COLUMNS(CELL, CELL, X)
#define WAITS(X) SERVED_WAIT_COLUMNS(CELL, CELL, X)

REPORT_TABLE_WITH(routes_table, ROUTES, struct served_route, const struct served_route *r = row,
		  .title = "routes; own CPU and the columns after it are means of a request",
		  .lead = "", .one = "route", .many = "routes", .member = "routes", .line = 2,
		  .row_line = 3)

/* As the user asks: by name; otherwise those with most time first. */
static bool route_is_before(const void *a, const void *b, const void *ctx)
{
	const struct served_route *x = a, *y = b;
	const struct report_out *out = ctx;

	return strcmp(profile_text(out->profile, x->name), profile_text(out->profile, y->name)) < 0;
}

void report_served_routes(struct report_out *out)
{
	const struct report_options *o = out->g->options;
	const struct profile *p = out->g->scoped->original;
	struct served_time *st = served_time_new(p);
	size_t n = 0;
	struct served_route *routes = st ? served_time_routes(st, o->scope.t0, o->scope.t1, &n)
					 : NULL;

	if (o->is_sorted && o->sort == ROWS_BY_NAME)
		sort_stable(routes, n, sizeof *routes, route_is_before, out);
	report_table_write(out, &routes_table, routes, n, sizeof *routes);
	free(routes);
	served_time_free(st);
}

/* ---- requests ---- */

struct served_row {
	const struct served *s;
	const struct served_parts *parts;
};

REPORT_TABLE_WITH(requests_table, REQUESTS, struct served_row, const struct served *s = row->s;
		  const struct served_parts *x = row->parts, .title = "requests, slowest first",
		  .lead = "", .one = "request", .many = "requests", .member = "requests", .line = 2,
		  .row_line = 3)

void report_served_requests(struct report_out *out)
{
	const struct scope *scope = &out->g->options->scope;
	const struct profile *p = out->g->scoped->original;
	struct served_time *st = served_time_new(p);
	size_t n = 0;
	struct served_parts *parts = served_time_requests(st, scope->t0, scope->t1, &n);
	struct served_row *rows = xcalloc(n + 1, sizeof *rows);

	for (size_t i = 0; i < n; i++)
		rows[i] = (struct served_row){ &p->served.requests[parts[i].served], &parts[i] };
	report_table_write(out, &requests_table, rows, n, sizeof *rows);
	free(rows);
	free(parts);
	served_time_free(st);
}

/* ---- waits ---- */

REPORT_TABLE_WITH(waits_table, WAITS, struct served_waits, const struct served_waits *w = row,
		  .title = "waits", .lead = "", .one = "name", .many = "names", .member = "waits",
		  .line = 2, .row_line = 3)

void report_served_waits(struct report_out *out)
{
	const struct scope *scope = &out->g->options->scope;
	size_t n = 0;
	struct served_waits *rows = served_time_waits(out->g->scoped->original, scope->t0,
						      scope->t1, &n);

	report_table_write(out, &waits_table, rows, n, sizeof *rows);
	free(rows);
}
