/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slowest requests of a thread that serves some, and what they waited for. */
#include "config.h"

#include "findings/finding_name.h"
#include "findings/served_time.h"

#include "base/alloc.h"
#include "base/units.h"

#include <stdlib.h>

#define SLOW_NS (50 * NS_PER_MS)
#define ROUTES_MAX 3
#define PART_SHARE 20 /* percent of a request, to be said */
#define SAID_MAX 2
#define GC_SHARE 25  /* percent of the time of a function, to be said */
#define FAILED_MIN 3 /* waits of a request */

/* Made once, when it is wanted first; NULL: there are no requests. */
static struct served_time *times_of(struct finding_window *w)
{
	if (!*w->served)
		*w->served = served_time_new(w->charge->profile);
	return *w->served;
}

/* The time that requests of a route lost to others, or else needed themselves. */
static int64_t lost_ns(const struct served_route *r)
{
	int64_t lost = r->part[SERVED_WAITS] + r->part[SERVED_BEHIND] + r->part[SERVED_FREE];

	return lost > r->part[SERVED_OWN] / 2 ? lost : r->part[SERVED_OWN] / 2;
}

static bool is_of_lane(const struct finding_window *w, const struct served_time *st,
		       uint32_t served)
{
	const struct lane *lane = w->charge->lane, *of = served_time_lane(st, served);

	return lane->kind == LANE_SAMPLES && (!of || of->input == lane->input) &&
		served_is_of(&w->charge->profile->served.requests[served], lane->pid, lane->tid);
}

static void add_route(struct finding_window *w, const struct served_route *r, int32_t score)
{
	const struct served *s = &w->charge->profile->served.requests[r->slowest];
	struct finding_draft *d = finding_window_add(w, FINDING_REQUEST, r->longest, 0);

	d->served = r->slowest;
	d->f.whole = w->times.t1 - w->times.t0;
	d->f.score = score;
	d->f.t0 = s->t0 > w->times.t0 ? s->t0 : w->times.t0;
	d->f.t1 = s->t1 < w->times.t1 ? s->t1 : w->times.t1;
	d->has_place = true;
}

/* Transforms take stacks away that requests need for their own CPU, and for what they are behind.
 */
static void find_request(struct finding_window *w)
{
	struct served_time *st = w->charge->profile->is_transformed ? NULL : times_of(w);
	struct served_route *routes;
	size_t n = 0;

	routes = st ? served_time_routes(st, w->times.t0, w->times.t1, &n) : NULL;
	for (int32_t k = 0; k < ROUTES_MAX; k++) {
		struct served_route *best = NULL;

		for (size_t i = 0; i < n; i++)
			if (routes[i].slowest != SERVED_NONE && routes[i].longest >= SLOW_NS &&
			    is_of_lane(w, st, routes[i].slowest) &&
			    (!best || lost_ns(&routes[i]) > lost_ns(best)))
				best = &routes[i];
		if (!best)
			break;
		add_route(w, best, 2000000 - k);
		best->slowest = SERVED_NONE;
	}
	free(routes);
}

/* ---- the sentence ---- */

/* The innermost call of the program's own code, or else the innermost one. */
static frame_id own_frame(const struct profile *p, const struct lane *lane, node_id leaf)
{
	for (node_id n = leaf; n != NODE_ROOT; n = lane->tree.parent[n])
		if (profile_node_frame(p, lane, n)->category == CATEGORY_APP)
			return lane->tree.frame[n];
	return lane->tree.frame[leaf];
}

/* The function in which the thread was most of the time in the segments of the part and name of
 * `of`: of the program's own code, if there is any. FRAME_NONE: the thread has no profile. *whole:
 * how long it was not idle, and of that in the garbage collector. */
static frame_id function_of(const struct profile *p, const struct lane *lane,
			    const struct served_segments *segments, const struct served_segment *of,
			    int64_t *whole, int64_t *gc)
{
	int64_t *ns;
	frame_id best = FRAME_NONE;

	if (!lane)
		return FRAME_NONE;
	ns = xcalloc(p->frames.n, sizeof *ns);
	for (size_t i = 0; i < segments->n; i++) {
		const struct served_segment *x = &segments->all[i];

		if (x->part != of->part || x->name != of->name)
			continue;
		for (size_t k = samples_find(&lane->samples, x->t0);
		     k < lane->samples.n && samples_time(&lane->samples, k) < x->t1; k++) {
			int64_t from = samples_time(&lane->samples, k),
				to = samples_time(&lane->samples, k + 1);
			node_id leaf = lane->samples.leaf[k];
			frame_id frame;

			if (leaf == NODE_ROOT)
				continue;
			to = (to < x->t1 ? to : x->t1) - (from > x->t0 ? from : x->t0);
			frame = own_frame(p, lane, leaf);
			ns[frame] += to;
			*whole += to;
			if (profile_node_frame(p, lane, leaf)->category == CATEGORY_GC)
				*gc += to;
			if (best == FRAME_NONE || ns[frame] > ns[best])
				best = frame;
		}
	}
	free(ns);
	return best;
}

static void add_function(struct finding_window *w, struct served_time *st,
			 const struct finding_draft *d, const struct served_segments *segments,
			 const struct served_segment *x, struct buf *text)
{
	char share[UNITS_MAX];
	int64_t whole = 0, gc = 0;
	frame_id function = function_of(w->charge->profile, served_time_lane(st, d->served),
					segments, x, &whole, &gc);

	if (function == FRAME_NONE)
		return;
	buf_adds(text, " (");
	finding_name_label(w, function, text);
	if (charge_times_has(gc, whole, GC_SHARE))
		buf_addf(text, ", GC %s", units_share(gc, whole, share));
	buf_adds(text, ")");
}

static void tell_said(struct finding_window *w, struct served_time *st,
		      const struct finding_draft *d, const struct served_segments *segments,
		      const struct served_sum *said, struct buf *text)
{
	const struct profile *p = w->charge->profile;
	const struct served_segment *x = &said->first;

	if (x->part == SERVED_WAITS || x->part == SERVED_FREE)
		buf_adds(text, "waited ");
	finding_tell_length(said->ns, text);
	switch (x->part) {
	case SERVED_OWN:
		buf_adds(text, " of own CPU");
		add_function(w, st, d, segments, x, text);
		break;
	case SERVED_BEHIND:
		buf_adds(text, " of it behind ");
		if (x->name)
			finding_name_text(p, x->name, text);
		else
			buf_adds(text, "work of no request");
		add_function(w, st, d, segments, x, text);
		break;
	case SERVED_WAITS:
	case SERVED_FREE:
		buf_adds(text,
			 x->part == SERVED_FREE          ? " for a free connection to "
				 : x->kind == SERVED_DNS ? " for DNS: "
							 : " for ");
		finding_name_text(p, x->name, text);
		if (x->n_all)
			buf_addf(text, ": all %u %swere busy", x->n_all,
				 x->part == SERVED_FREE ? "" : "threads of the pool ");
		if (x->n_all && x->other != SERVED_NONE) {
			buf_adds(text, " with ");
			finding_name_text(p, p->served.requests[x->other].name, text);
		}
		break;
	case SERVED_UNREAD:
		buf_adds(text, " before it was read");
		break;
	default:
		buf_adds(text,
			 served_time_has_owners(st, d->served)
				 ? " in a timer, or for what was not recorded"
				 : " in work or waits that were not recorded");
		break;
	}
}

/* Append `20 calls failed (GET 10.0.0.7:8080/stock ECONNREFUSED)` of a request that tries again and
 * again. Returns whether it does. */
static bool tell_failed(const struct profile *p, const struct served_time *st, uint32_t served,
			struct buf *text)
{
	const struct served_wait *last[2] = { NULL, NULL }; /* calls, other waits */
	size_t n[2] = { 0, 0 }, n_waits;
	const uint32_t *waits = served_time_waits_of(st, served, &n_waits);
	char count[UNITS_MAX];
	int i;

	for (size_t k = 0; k < n_waits; k++) {
		const struct served_wait *x = &p->served.waits[waits[k]];

		if (x->error) {
			n[x->kind != SERVED_CALL]++;
			last[x->kind != SERVED_CALL] = x;
		}
	}
	i = n[0] < FAILED_MIN;
	if (n[i] < FAILED_MIN)
		return false;
	units_count(n[i], count);
	buf_addf(text, ": %s %s failed (", count, i ? "connections" : "calls");
	finding_name_text(p, last[i]->name, text);
	buf_addc(text, ' ');
	finding_name_text(p, last[i]->error, text);
	buf_addc(text, ')');
	return true;
}

static void tell_request(struct finding_window *w, const struct finding_draft *d,
			 struct finding_texts *out)
{
	const struct profile *p = w->charge->profile;
	const struct served *s = &p->served.requests[d->served];
	struct served_time *st = times_of(w);
	struct served_segments segments = { 0 };
	struct served_sums sums = { 0 };
	struct buf parts = { 0 };
	bool has_failed;

	finding_name_text(p, s->name, &out->name);
	buf_adds(&out->name, s->is_sampled ? " at least " : " ");
	finding_tell_length(s->t1 - s->t0, &out->name);
	served_time_cut(st, d->served, &segments);
	served_time_sum(&segments, &sums);
	has_failed = tell_failed(p, st, d->served, &parts);
	for (size_t i = 0; i < SAID_MAX && i < sums.n; i++) {
		if (!charge_times_has(sums.all[i].ns, s->t1 - s->t0, PART_SHARE))
			break;
		buf_adds(&parts, i || has_failed ? ", " : ": ");
		tell_said(w, st, d, &segments, &sums.all[i], &parts);
	}
	buf_addf(&out->label, "%s%s", buf_text(&out->name), buf_text(&parts));
	buf_adds(&out->text, buf_text(&out->name));
	finding_tell_at(w, s->t0, &out->text);
	buf_adds(&out->text, buf_text(&parts));
	buf_done(&parts);
	free(segments.all);
	free(sums.all);
}

const struct finding_rule finding_request = { .name = "request",
					      .find = find_request,
					      .tell = tell_request };
