/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums of the segments of requests: by part and name, by request, by route; and all waits by
 * name. */
#include "config.h"

#include "findings/served_time.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "base/units.h"

#include <stdlib.h>

/* ==== served time ==== */

/* ---- sums ---- */

SORT_ORDER(by_number, int64_t, SORT_BY_1(*x, *y))

SORT_ORDER(sum_by_time, struct served_sum, SORT_BY_2(y->ns, x->ns, x->first.t0, y->first.t0))

/* Add a time. Those of a damaged file may be longer than all that fits. */
static void add_time(int64_t *sum, int64_t ns)
{
	*sum = units_sum(*sum, ns);
}

/* The sum of a part and name, which is added with this segment as its first one. */
static struct served_sum *sum_of(struct served_sums *sums, const struct served_segment *x,
				 enum served_part part)
{
	uint64_t hash = hash_u64((uint64_t)x->name * SERVED_PARTS + part);
	struct hash_probe probe = hash_probe(hash);
	struct served_sum *sum;

	while (hash_table_next(&sums->index, &probe)) {
		sum = &sums->all[probe.index];
		if (sum->first.part == part && sum->first.name == x->name)
			return sum;
	}
	hash_table_add(&sums->index, hash, (uint32_t)sums->n);
	sum = ARRAY_ADD(sums->all, sums->n, sums->cap);
	*sum = (struct served_sum){ .first = *x };
	sum->first.part = part;
	return sum;
}

/* Add time of a part and name; x: the first segment that it is of. has_free: waits for a free
 * connection stay a part of their own. */
static void add_sum(struct served_sums *sums, const struct served_segment *x, int64_t ns,
		    bool has_free)
{
	enum served_part part = x->part == SERVED_FREE && !has_free ? SERVED_WAITS : x->part;
	struct served_sum *sum = sum_of(sums, x, part);

	if (x->t0 < sum->first.t0) {
		sum->first = *x;
		sum->first.part = part;
	}
	add_time(&sum->ns, ns);
}

/* Put them in order; nothing can be added any more. */
static void sort_sums(struct served_sums *sums)
{
	hash_table_done(&sums->index);
	if (sums->n)
		qsort(sums->all, sums->n, sizeof *sums->all, sum_by_time);
}

void served_time_sum(const struct served_segments *segments, struct served_sums *out)
{
	out->n = 0;
	for (size_t i = 0; i < segments->n; i++) {
		const struct served_segment *x = &segments->all[i];

		add_sum(out, x, x->t1 - x->t0, true);
	}
	sort_sums(out);
}

/* The largest sum of a part; zeroed: there is none. */
static struct served_sum largest_of(const struct served_sums *sums, enum served_part part)
{
	for (size_t i = 0; i < sums->n; i++)
		if (sums->all[i].first.part == part)
			return sums->all[i];
	return (struct served_sum){ .ns = 0 };
}

/* ---- routes ---- */

struct route_times {
	struct served_route route;
	int64_t *length; /* of its requests */
	size_t n, cap;
	struct served_sums sums;
};

static void add_to_route(void *ctx, const struct served_segment *x, int64_t ns)
{
	struct route_times *r = ctx;

	add_time(&r->route.part[x->part], ns);
	add_sum(&r->sums, x, ns, false);
}

static void add_request(struct served_time *st, struct route_times *r, uint32_t served)
{
	const struct served *s = &served_time_profile(st)->served.requests[served];
	struct served_route *route = &r->route;

	route->n++;
	route->n_errors += s->status >= 500 || s->is_aborted;
	route->is_guessed |= s->is_guessed;
	route->is_sampled |= s->is_sampled;
	route->has_owners |= served_time_has_owners(st, served);
	if (s->was_open || s->is_open) {
		route->n_partial++;
		return;
	}
	*ARRAY_ADD(r->length, r->n, r->cap) = s->t1 - s->t0;
	add_time(&route->total, s->t1 - s->t0);
	if (route->slowest == SERVED_NONE || s->t1 - s->t0 > route->longest) {
		route->slowest = served;
		route->longest = s->t1 - s->t0;
	}
	served_time_each(st, served, add_to_route, r);
}

/* The rank that ceil(q n) requests do not exceed. */
static int64_t percentile(const struct route_times *r, size_t percent)
{
	return r->n ? r->length[(r->n * percent + 99) / 100 - 1] : SERVED_NO_TIME;
}

static void finish_route(struct route_times *r)
{
	struct served_sum waits, behind;

	if (r->n)
		qsort(r->length, r->n, sizeof *r->length, by_number);
	r->route.p50 = percentile(r, 50);
	r->route.p99 = percentile(r, 99);
	sort_sums(&r->sums);
	waits = largest_of(&r->sums, SERVED_WAITS);
	behind = largest_of(&r->sums, SERVED_BEHIND);
	r->route.waits_for = waits.first.name;
	r->route.waits_ns = waits.ns;
	r->route.is_behind = behind.first.name;
	r->route.behind_ns = behind.ns;
	free(r->sums.all);
	free(r->length);
}

SORT_BEFORE(route_is_before, struct served_route, x->total > y->total)

struct served_route *served_time_routes_if(struct served_time *st,
					   bool (*is_wanted)(const void *ctx,
							     const struct served *s),
					   const void *ctx, size_t *n)
{
	const struct profile *p = served_time_profile(st);
	const struct served_all *all = &p->served;
	uint32_t *number = xcalloc(p->strings.n, sizeof *number); /* by name: + 1 */
	struct route_times *times = NULL;
	struct served_route *routes;
	size_t cap = 0;

	*n = 0;
	for (size_t i = 0; i < all->n; i++) {
		const struct served *s = &all->requests[i];

		if (!is_wanted(ctx, s))
			continue;
		if (!number[s->name]) {
			*ARRAY_ADD(times, *n, cap) =
				(struct route_times){ .route = { .name = s->name,
								 .slowest = SERVED_NONE,
								 .longest = SERVED_NO_TIME } };
			number[s->name] = (uint32_t)*n;
		}
		add_request(st, &times[number[s->name] - 1], (uint32_t)i);
	}
	routes = xmalloc((*n + 1) * sizeof *routes);
	for (size_t i = 0; i < *n; i++) {
		finish_route(&times[i]);
		routes[i] = times[i].route;
	}
	sort_stable(routes, *n, sizeof *routes, route_is_before, NULL);
	free(times);
	free(number);
	return routes;
}

struct range {
	int64_t t0, t1;
};

static bool begins_in(const void *ctx, const struct served *s)
{
	const struct range *range = ctx;

	return s->t0 >= range->t0 && s->t0 < range->t1;
}

struct served_route *served_time_routes(struct served_time *st, int64_t t0, int64_t t1, size_t *n)
{
	return served_time_routes_if(st, begins_in, &(struct range){ t0, t1 }, n);
}

/* ---- requests ---- */

static bool parts_is_before(const void *a, const void *b, const void *ctx)
{
	const struct served *all = ctx, *x = &all[((const struct served_parts *)a)->served],
			    *y = &all[((const struct served_parts *)b)->served];

	return x->t1 - x->t0 > y->t1 - y->t0;
}

/* The parts of a request, and the sums of these by name. */
struct request_parts {
	struct served_parts *parts;
	struct served_sums sums;
};

static void add_to_request(void *ctx, const struct served_segment *x, int64_t ns)
{
	struct request_parts *r = ctx;

	r->parts->part[x->part] += ns;
	add_sum(&r->sums, x, ns, false);
}

struct served_parts *served_time_requests(struct served_time *st, int64_t t0, int64_t t1, size_t *n)
{
	const struct served_all *all = &served_time_profile(st)->served;
	struct served_parts *parts = xcalloc(all->n + 1, sizeof *parts);
	struct request_parts r = { 0 };

	*n = 0;
	for (uint32_t i = 0; i < all->n; i++) {
		struct served_parts *x = &parts[*n];

		if (all->requests[i].t0 < t0 || all->requests[i].t0 >= t1)
			continue;
		x->served = i;
		x->has_owners = served_time_has_owners(st, i);
		r.parts = x;
		r.sums.n = 0;
		served_time_each(st, i, add_to_request, &r);
		sort_sums(&r.sums);
		x->waits_for = largest_of(&r.sums, SERVED_WAITS).first.name;
		x->is_behind = largest_of(&r.sums, SERVED_BEHIND).first.name;
		++*n;
	}
	sort_stable(parts, *n, sizeof *parts, parts_is_before, all->requests);
	free(r.sums.all);
	return parts;
}

/* ---- waits ---- */

const char *served_time_wait_kind(enum served_wait_kind kind)
{
	static const char *const names[SERVED_WAIT_KINDS] = { "call", "socket", "dns", "connect",
							      "thread pool" };

	return names[kind];
}

SORT_BEFORE(waits_is_before, struct served_waits, x->total > y->total)

struct served_waits *served_time_waits(const struct profile *profile, int64_t t0, int64_t t1,
				       size_t *n)
{
	const struct served_all *all = &profile->served;
	uint32_t *number = xcalloc(profile->strings.n * SERVED_WAIT_KINDS + 1, sizeof *number);
	struct served_waits *sums = NULL;
	size_t cap = 0;

	*n = 0;
	for (size_t i = 0; i < all->n_waits; i++) {
		const struct served_wait *w = &all->waits[i];
		uint32_t *at = &number[w->name * SERVED_WAIT_KINDS + w->kind];
		struct served_waits *x;
		int64_t ns;

		if (w->t0 < t0 || w->t0 >= t1)
			continue;
		if (!*at) {
			sums = xgrow(sums, &cap, *n + 1, sizeof *sums);
			sums[*n] = (struct served_waits){ .name = w->name, .kind = w->kind };
			*at = (uint32_t)++ * n;
		}
		x = &sums[*at - 1];
		x->n++;
		x->n_errors += w->error != 0 || w->status >= 500;
		x->n_owned += w->served != SERVED_NONE;
		ns = served_wait_end(w) - w->t0;
		add_time(&x->total, ns);
		x->longest = ns > x->longest ? ns : x->longest;
	}
	sort_stable(sums, *n, sizeof *sums, waits_is_before, NULL);
	free(number);
	return sums;
}

/* ---- words ---- */

void served_time_tell(struct served_time *st, uint32_t served, struct buf *out)
{
	static const char *const words[SERVED_PARTS] = {
		"own CPU",      "waits for", "behind", "waits for a free connection to",
		"not read yet", "unknown"
	};
	const struct profile *p = served_time_profile(st);
	struct served_segments segments = { 0 };
	struct served_sums sums = { 0 };

	served_time_cut(st, served, &segments);
	served_time_sum(&segments, &sums);
	buf_adds(out, p->served.requests[served].is_sampled ? "at least: " : "");
	for (size_t k = 0; k < sums.n; k++) {
		const struct served_segment *x = &sums.all[k].first;
		char text[UNITS_MAX];

		units_time(sums.all[k].ns, text);
		buf_addf(out, "%s%s %s%s%s", k ? ", " : "", words[x->part],
			 x->name                            ? profile_text(p, x->name)
				 : x->part == SERVED_BEHIND ? "other work"
							    : "",
			 x->name || x->part == SERVED_BEHIND ? " " : "", text);
	}
	free(segments.all);
	free(sums.all);
}
