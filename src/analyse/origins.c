/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums by leaf over blocks of samples; the url of a node is found when it is met. */
#include "config.h"

#include "analyse/origins.h"

#include "base/alloc.h"
#include "model/blocks.h"
#include "model/site.h"

#include <stdlib.h>

struct sum {
	const struct profile *profile;
	const struct lane *lane;
	frame_id *of;  /* by node: the frame whose url has its time, + 1; 0: not known yet */
	int64_t *self; /* by url */
};

static str_id url_of(struct sum *sum, node_id node)
{
	node_id at = node;

	if (sum->of[node])
		return profile_frame(sum->profile, sum->of[node] - 1)->url;
	while (at != NODE_ROOT && !profile_node_frame(sum->profile, sum->lane, at)->url)
		at = sum->lane->tree.parent[at];
	sum->of[node] = 1 + (at == NODE_ROOT ? FRAME_NONE : sum->lane->tree.frame[at]);
	return profile_frame(sum->profile, sum->of[node] - 1)->url;
}

static void add_leaf(void *ctx, node_id leaf, int64_t ns)
{
	struct sum *sum = ctx;

	if (leaf != NODE_ROOT)
		sum->self[url_of(sum, leaf)] += ns;
}

static void add_leaves(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_leaf(ctx, leaf[i], ns[i]);
}

static void add_slice_time(void *ctx, node_id node, int64_t self_ns, int64_t total_ns)
{
	(void)total_ns;
	add_leaf(ctx, node, self_ns);
}

static void add_lane(struct sum *sum, const struct lane *lane, int64_t t0, int64_t t1)
{
	const struct blocks_visitor visitor = { sum, add_leaves, add_leaf, NULL };

	if (!lane->samples.n || !lane_has_times(lane))
		return;
	sum->lane = lane;
	sum->of = xcalloc(lane->tree.n, sizeof *sum->of);
	blocks_each(&lane->samples, t0, t1, &visitor);
	slice_time_each(lane->slice_time, t0, t1, add_slice_time, sum);
	free(sum->of);
}

/* The lanes of this thread that count: of samples or, without any, of slices. */
static void add_thread(struct sum *sum, const struct lane *of, uint8_t *is_done, int64_t t0,
		       int64_t t1)
{
	const struct profile *p = sum->profile;
	enum lane_kind kind = LANE_SLICES;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (lane_is_of_thread(&p->lanes[i], of) && p->lanes[i].kind == LANE_SAMPLES)
			kind = LANE_SAMPLES;
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (lane_is_of_thread(&p->lanes[i], of)) {
			is_done[i] = 1;
			if (p->lanes[i].kind == kind)
				add_lane(sum, &p->lanes[i], t0, t1);
		}
}

static int heaviest_first(const void *a, const void *b)
{
	const struct origin_share *x = a, *y = b;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	if (x->origin != y->origin)
		return x->origin < y->origin ? -1 : 1;
	return x->url < y->url ? -1 : x->url > y->url;
}

static const char *party_of(const struct profile *p, str_id page, str_id origin)
{
	return !page || !origin ? "" : site_is_other(p, page, origin) ? "third" : "first";
}

/* The sums as shares. */
static size_t take(struct sum *sum, bool is_by_url, struct origin_share **out)
{
	const struct profile *p = sum->profile;
	struct origin_share *list = NULL;
	int64_t *of_origin = xcalloc(p->strings.n, sizeof *of_origin);
	str_id page = site_page(p);
	size_t n = 0, cap = 0;

	sum->self[0] = 0;
	for (frame_id f = 1; f < p->frames.n; f++) {
		const struct frame *frame = &p->frames.frames[f];
		int64_t ns = sum->self[frame->url];

		sum->self[frame->url] = 0;
		if (!ns || (!is_by_url && !frame->origin))
			continue;
		if (is_by_url || !of_origin[frame->origin]) {
			list = xgrow(list, &cap, n + 1, sizeof *list);
			list[n++] = (struct origin_share){ is_by_url ? frame->url : 0,
							   frame->origin,
							   party_of(p, page, frame->origin), ns };
		}
		of_origin[frame->origin] += ns;
	}
	for (size_t i = 0; i < n && !is_by_url; i++)
		list[i].self = of_origin[list[i].origin];
	free(of_origin);
	if (n)
		qsort(list, n, sizeof *list, heaviest_first);
	*out = list;
	return n;
}

static bool has_web(const struct profile *p)
{
	for (frame_id f = 1; f < p->frames.n; f++)
		if (p->frames.frames[f].origin)
			return true;
	return false;
}

size_t origins_find(const struct profile *profile, const struct lane *const *lanes,
		    uint32_t n_lanes, int64_t t0, int64_t t1, bool is_by_url,
		    struct origin_share **out)
{
	struct sum sum = { .profile = profile };
	uint8_t *is_done;
	size_t n;

	*out = NULL;
	if (!has_web(profile))
		return 0;
	sum.self = xcalloc(profile->strings.n + 1, sizeof *sum.self);
	is_done = xcalloc((size_t)profile->n_lanes + 1, 1);
	for (uint32_t i = 0; i < n_lanes; i++)
		if ((lanes[i]->kind == LANE_SAMPLES || lanes[i]->kind == LANE_SLICES) &&
		    !is_done[lanes[i] - profile->lanes])
			add_thread(&sum, lanes[i], is_done, t0, t1);
	n = take(&sum, is_by_url, out);
	free(sum.self);
	free(is_done);
	return n;
}
