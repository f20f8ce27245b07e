/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of a node goes to the innermost frame with a url on its stack, and from there to its url
 * or origin. */
#include "config.h"

#include "analyse/origins.h"

#include "base/alloc.h"

#include <stdlib.h>

static void add_lane(const struct profile *p, const struct lane *lane, int64_t t0, int64_t t1,
		     int64_t *by_frame)
{
	int64_t *self = lane_self_times(lane, t0, t1, NULL);
	frame_id *of = xcalloc((size_t)lane->tree.n + 1, sizeof *of);

	for (node_id i = 1; i < lane->tree.n; i++) {
		frame_id f = lane->tree.frame[i];

		of[i] = p->frames.frames[f].url ? f : of[lane->tree.parent[i]];
		by_frame[of[i]] += self[i];
	}
	free(of);
	free(self);
}

static bool has_samples(const struct profile *p, const struct lane *of)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].kind == LANE_SAMPLES && lane_is_of_thread(&p->lanes[i], of))
			return true;
	return false;
}

/* Whether a lane is of one of these threads, and has what counts there. */
static bool counts(const struct profile *p, const struct lane *lane,
		   const struct lane *const *lanes, uint32_t n)
{
	uint32_t i = 0;

	while (i < n &&
	       (!lane_is_of_thread(lanes[i], lane) ||
		(lanes[i]->kind != LANE_SLICES && lanes[i]->kind != LANE_SAMPLES)))
		i++;
	return i < n &&
		(lane->kind == LANE_SLICES ? !has_samples(p, lane)
					   : lane->kind == LANE_SAMPLES && lane_has_times(lane));
}

static int heaviest_first(const void *a, const void *b)
{
	const struct origin_share *x = a, *y = b;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return x->url != y->url ? (x->url < y->url ? -1 : 1) : x->origin < y->origin ? -1 : 1;
}

size_t origins_find(const struct profile *p, const struct lane *const *lanes, uint32_t n_lanes,
		    int64_t t0, int64_t t1, bool is_by_url, struct origin_share **out)
{
	int64_t *by_frame = xcalloc((size_t)p->frames.n + 1, sizeof *by_frame);
	uint32_t *at = xcalloc(p->strings.n + 1, sizeof *at); /* by url or origin: in list, + 1 */
	struct origin_share *list = NULL;
	str_id page = site_page(p);
	size_t n = 0, cap = 0;

	for (uint32_t i = 0; i < p->n_lanes && p->has_origins; i++)
		if (counts(p, &p->lanes[i], lanes, n_lanes))
			add_lane(p, &p->lanes[i], t0, t1, by_frame);
	for (frame_id f = 1; f < p->frames.n; f++) {
		str_id origin = p->frames.frames[f].origin;
		uint32_t *of = &at[is_by_url ? p->frames.frames[f].url : origin];

		if (!by_frame[f] || !origin)
			continue;
		if (!*of) {
			list = xgrow(list, &cap, n + 1, sizeof *list);
			list[n++] = (struct origin_share){
				.url = is_by_url ? p->frames.frames[f].url : 0,
				.origin = origin,
				.party = !page                           ? ""
					: site_is_other(p, page, origin) ? "third"
									 : "first",
			};
			*of = (uint32_t)n;
		}
		list[*of - 1].self += by_frame[f];
	}
	if (n)
		qsort(list, n, sizeof *list, heaviest_first);
	free(by_frame);
	free(at);
	*out = list;
	return n;
}
