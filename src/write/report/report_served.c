/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of what processes serve: routes, requests, and what they wait for; and of stalls. */
#include "config.h"

#include "analyse/compare/compare.h"
#include "base/alloc.h"
#include "base/sort.h"
#include "findings/served_time.h"
#include "write/report/gather.h"
#include "write/report/report_lists.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CELL(X, kind, where, key, heading, width, cells, cols, ...)                                \
	X(kind, REPORT_##where, key, heading, (width) || REPORT_##where != REPORT_PAGE ? 0 : 2,    \
	  width, __VA_ARGS__)
#define ROUTES(X) SERVED_ROUTE_COLUMNS(CELL, CELL, X)
#define REQUESTS(X) SERVED_REQUEST_COLUMNS(CELL, CELL, X)
#define WAITS(X) SERVED_WAIT_COLUMNS(CELL, CELL, X)

/* Texts stand behind numbers. */
#define STALL_VALUE 0
#define STALL_NAME 2
#define STALL(X, kind, where, key, heading, width, cells, cols, ...)                               \
	X(kind, REPORT_##where, key, heading, STALL_##kind, width, __VA_ARGS__)
#define STALLS(X) STALL_COLUMNS(STALL, STALL, X)

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

/* ---- stalls ---- */

REPORT_TABLE_WITH(stalls_table, STALLS, struct stall_entry, const struct stall_entry *e = row,
		  .title = "stalls, longest first", .lead = "", .one = "stall", .many = "stalls",
		  .member = "stalls", .line = 2, .row_line = 3)

/* The longest first; of equal ones, the first. */
SORT_BEFORE(stall_is_longer, struct stall_entry, x->t1 - x->t0 > y->t1 - y->t0)

void report_served_stalls(struct report_out *out)
{
	const struct scope *scope = &out->g->options->scope;
	const struct profile *p = out->g->scoped->original;
	const struct stall_list *list = &p->stalls;
	struct error err = ERROR_INIT;
	ALLOC_LOCAL uint8_t *is = scope->filter
		? frame_set_find(p, p->frames.frames, p->frames.n, scope->filter, &err)
		: NULL;
	ALLOC_LOCAL struct stall_entry *rows = xmalloc((list->n + 1) * sizeof *rows);
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		if (list->all[i].t0 >= scope->t0 && list->all[i].t0 <= scope->t1 &&
		    (!is || is[list->all[i].frame]))
			rows[n++] = list->all[i];
	sort_stable(rows, n, sizeof *rows, stall_is_longer, NULL);
	report_table_write(out, &stalls_table, rows, n, sizeof *rows);
}

/* ---- changes ---- */

enum { COUNT, P50, P99, OWN, CHANGES };

struct change_row {
	str_id name;
	const struct served_route *side[2]; /* before, after; NULL: it has none */
	char percent[CHANGES][16];
};

/* REPORT_NONE: not known. */
static int64_t value_of(const struct change_row *row, int side, int what)
{
	const struct served_route *r = row->side[side];

	return what == COUNT  ? (r ? (int64_t)r->n : 0)
		: !r          ? REPORT_NONE
		: what == P50 ? r->p50
		: what == P99 ? r->p99
			      : served_route_mean(r, r->part[SERVED_OWN]);
}

static int64_t difference(const struct change_row *row, int what)
{
	int64_t before = value_of(row, 0, what), after = value_of(row, 1, what);

	return before == REPORT_NONE || after == REPORT_NONE ? REPORT_NONE : after - before;
}

static double percent(const struct change_row *row, int what)
{
	int64_t before = value_of(row, 0, what), change = difference(row, what);

	return before <= 0 || change == REPORT_NONE ? NAN : 100 * (double)change / (double)before;
}

/* change: the column of the difference. */
#define CHANGE(X, kind, key, heading, width, i, change)                                            \
	X(kind, REPORT_DATA, key "_before", "", 0, 0, .n = value_of(row, 0, i))                    \
	X(kind, REPORT_ALL, key "_after", heading, 1, width, .n = value_of(row, 1, i))             \
	change X(NUMBER, REPORT_DATA, key "_change_percent", "", 0, 0, .number = percent(row, i))  \
		X(SHORT, REPORT_PAGE, "", "change", 1, 7, .text = row->percent[i],                 \
		  .len = strlen(row->percent[i]))
#define TIME_CHANGE(X, key, heading, i)                                                            \
	CHANGE(X, KNOWN, key, heading, 8, i,                                                       \
	       X(KNOWN, REPORT_DATA, key "_change", "", 0, 0, .n = difference(row, i)))

#define ROUTE_CHANGES(X)                                                                           \
	X(NAME, REPORT_DATA, "route", "", 0, 0, .string = row->name)                               \
	CHANGE(X, COUNT, "count", "Count", 6, COUNT,                                               \
	       X(NUMBER, REPORT_DATA, "count_change", "", 0, 0,                                    \
		 .number = (double)difference(row, COUNT)))                                        \
	TIME_CHANGE(X, "p50", "p50", P50)                                                          \
	TIME_CHANGE(X, "p99", "p99", P99)                                                          \
	TIME_CHANGE(X, "own", "Own CPU", OWN)                                                      \
	X(NAME, REPORT_PAGE, "", "Route", 2, 0, .string = row->name)

REPORT_TABLE(changes_table, ROUTE_CHANGES, struct change_row,
	     .title = "routes after, and their change; own CPU is the mean of a request",
	     .lead = "", .one = "route", .many = "routes", .member = "routes", .line = 2,
	     .row_line = 4)

struct change_side {
	const struct compare *c;
	bool is_after;
};

static bool is_of_side(const void *ctx, const struct served *s)
{
	const struct change_side *side = ctx;
	const struct compare_plan *plan = &side->c->plan;
	uint32_t i = side->c->profile->inputs[s->input].argument;

	/* Some may begin before the first sample, or behind the last one. */
	return i < plan->n_runs && plan->runs[i].is_after == side->is_after &&
		(!plan->runs[i].is_part || (s->t0 >= plan->runs[i].t0 && s->t0 < plan->runs[i].t1));
}

/* New and gone routes have a sign, as functions have. */
static void set_percent(struct change_row *row)
{
	for (int i = 0; i < CHANGES; i++) {
		double change = percent(row, i);

		if (!row->side[0] || !row->side[1])
			snprintf(row->percent[i], sizeof *row->percent, "%s",
				 row->side[0] ? "\342\200\240" : "*");
		else if (!isnan(change))
			snprintf(row->percent[i], sizeof *row->percent, "%+.0f %%", change);
	}
}

/* New and gone ones: all of it. */
static int64_t moved(const struct change_row *row)
{
	int64_t before = value_of(row, 0, P99), after = value_of(row, 1, P99);

	return llabs((after > 0 ? after : 0) - (before > 0 ? before : 0));
}

/* The rows with the largest change of the p99 first. */
SORT_BEFORE(changes_more, struct change_row, moved(x) > moved(y))

void report_served_changes(struct report_out *out, const struct compare *c)
{
	struct served_time *st = c->n_after ? served_time_new(c->profile) : NULL;
	struct served_route *routes[2];
	struct change_row *rows;
	ALLOC_LOCAL uint32_t *number = NULL; /* by name: + 1 */
	size_t n[2], n_rows = 0;

	if (!st)
		return;
	for (int i = 0; i < 2; i++)
		routes[i] = served_time_routes_if(st, is_of_side, &(struct change_side){ c, i },
						  &n[i]);
	rows = xcalloc(n[0] + n[1] + 1, sizeof *rows);
	number = xcalloc(c->profile->strings.n, sizeof *number);
	for (int i = 0; i < 2; i++)
		for (size_t k = 0; k < n[i]; k++) {
			uint32_t *row = &number[routes[i][k].name];

			*row = *row ? *row : (uint32_t)++n_rows;
			rows[*row - 1].name = routes[i][k].name;
			rows[*row - 1].side[i] = &routes[i][k];
		}
	for (size_t i = 0; i < n_rows; i++)
		set_percent(&rows[i]);
	sort_stable(rows, n_rows, sizeof *rows, changes_more, NULL);
	report_table_write(out, &changes_table, rows, n_rows, sizeof *rows);
	free(rows);
	free(routes[0]);
	free(routes[1]);
	served_time_free(st);
}
