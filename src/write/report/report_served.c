/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of what processes serve: routes, requests, and what they wait for. */
#include "config.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "findings/served_time.h"
#include "write/report/gather.h"
#include "write/report/report_lists.h"

#include <stdlib.h>

/* A time of a route, of which -1 is unknown. */
static int64_t known(int64_t ns)
{
	return ns < 0 ? REPORT_NONE : ns;
}

static int64_t mean(const struct served_route *r, int64_t sum)
{
	return known(served_route_mean(r, sum));
}

#define CELL(X, kind, where, key, ...) X(kind, where, key, "", 0, 0, __VA_ARGS__)

#define ROUTES(X)                                                                                  \
	CELL(X, NAME, REPORT_DATA, "route", .string = r->name)                                     \
	CELL(X, BOOL, REPORT_DATA, "is_guessed", .n = r->is_guessed)                               \
	X(COUNT, REPORT_ALL, "count", "Count", 0, 7, .n = (int64_t)r->n)                           \
	X(COUNT, REPORT_ALL, "errors", "Errors", 0, 7, .n = (int64_t)r->n_errors)                  \
	CELL(X, COUNT, REPORT_DATA, "partial", .n = (int64_t)r->n_partial)                         \
	X(KNOWN, REPORT_ALL, "p50", "p50", 0, 9, .n = known(r->p50))                               \
	X(KNOWN, REPORT_ALL, "p99", "p99", 0, 9, .n = known(r->p99))                               \
	X(KNOWN, REPORT_ALL, "max", "Max", 0, 9, .n = known(r->longest))                           \
	X(KNOWN, REPORT_ALL, "own", "Own CPU", 0, 9, .n = mean(r, r->part[SERVED_OWN]))            \
	X(KNOWN, REPORT_ALL, "waits", "Waits", 0, 9, .n = mean(r, served_part_waits(r->part)))     \
	X(KNOWN, REPORT_ALL, "behind", "Behind", 0, 9, .n = mean(r, r->part[SERVED_BEHIND]))       \
	X(KNOWN, REPORT_ALL, "unknown", "Other", 0, 9, .n = mean(r, served_part_other(r->part)))   \
	CELL(X, KNOWN, REPORT_DATA, "unread", .n = mean(r, r->part[SERVED_UNREAD]))                \
	CELL(X, NAME, REPORT_DATA, "waits_for", .string = r->waits_for)                            \
	CELL(X, KNOWN, REPORT_DATA, "waits_for_mean", .n = mean(r, r->waits_ns))                   \
	CELL(X, NAME, REPORT_DATA, "behind_route", .string = r->is_behind)                         \
	CELL(X, KNOWN, REPORT_DATA, "behind_route_mean", .n = mean(r, r->behind_ns))               \
	X(NAME, REPORT_PAGE, "", "Route", 2, 0, .string = r->name)

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

#define REQUESTS(X)                                                                                \
	CELL(X, NAME, REPORT_DATA, "route", .string = s->name)                                     \
	CELL(X, NAME, REPORT_DATA, "path", .string = s->path)                                      \
	X(COUNT, REPORT_ALL, "status", "Status", 0, 6, .n = s->status ? s->status : -1)            \
	CELL(X, BOOL, REPORT_DATA, "is_aborted", .n = s->is_aborted)                               \
	CELL(X, BOOL, REPORT_DATA, "was_open", .n = s->was_open)                                   \
	CELL(X, BOOL, REPORT_DATA, "is_open", .n = s->is_open)                                     \
	CELL(X, ID, REPORT_DATA, "pid", .n = s->pid)                                               \
	X(VALUE, REPORT_ALL, "start", "Start", 0, 9, .n = s->t0)                                   \
	X(VALUE, REPORT_ALL, "total", "Total", 0, 9, .n = s->t1 - s->t0)                           \
	X(VALUE, REPORT_ALL, "own", "Own CPU", 0, 9, .n = part[SERVED_OWN])                        \
	X(VALUE, REPORT_ALL, "waits", "Waits", 0, 9, .n = served_part_waits(part))                 \
	X(VALUE, REPORT_ALL, "behind", "Behind", 0, 9, .n = part[SERVED_BEHIND])                   \
	X(VALUE, REPORT_ALL, "unknown", "Other", 0, 9, .n = served_part_other(part))               \
	CELL(X, VALUE, REPORT_DATA, "unread", .n = part[SERVED_UNREAD])                            \
	CELL(X, NAME, REPORT_DATA, "waits_for", .string = row->parts->waits_for)                   \
	CELL(X, NAME, REPORT_DATA, "behind_route", .string = row->parts->is_behind)                \
	X(NAME, REPORT_PAGE, "", "Request", 2, 0, .string = s->name)

REPORT_TABLE_WITH(requests_table, REQUESTS, struct served_row, const struct served *s = row->s;
		  const int64_t *part = row->parts->part, .title = "requests, slowest first",
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

#define WAITS(X)                                                                                   \
	CELL(X, NAME, REPORT_DATA, "name", .string = row->name)                                    \
	X(WORDS, REPORT_ALL, "kind", "Kind", 0, 11, .text = served_time_wait_kind(row->kind),      \
	  .len = strlen(served_time_wait_kind(row->kind)))                                         \
	X(COUNT, REPORT_ALL, "count", "Count", 0, 7, .n = (int64_t)row->n)                         \
	X(COUNT, REPORT_ALL, "errors", "Errors", 0, 7, .n = (int64_t)row->n_errors)                \
	X(COUNT, REPORT_ALL, "of_requests", "Of requests", 0, 12, .n = (int64_t)row->n_owned)      \
	X(VALUE, REPORT_ALL, "total", "Total", 0, 9, .n = row->total)                              \
	X(VALUE, REPORT_ALL, "mean", "Mean", 0, 9, .n = row->total / (int64_t)row->n)              \
	X(VALUE, REPORT_ALL, "max", "Max", 0, 9, .n = row->longest)                                \
	X(NAME, REPORT_PAGE, "", "Waits for", 2, 0, .string = row->name)

REPORT_TABLE(waits_table, WAITS, struct served_waits, .title = "waits", .lead = "", .one = "name",
	     .many = "names", .member = "waits", .line = 2, .row_line = 3)

void report_served_waits(struct report_out *out)
{
	const struct scope *scope = &out->g->options->scope;
	size_t n = 0;
	struct served_waits *rows = served_time_waits(out->g->scoped->original, scope->t0,
						      scope->t1, &n);

	report_table_write(out, &waits_table, rows, n, sizeof *rows);
	free(rows);
}
