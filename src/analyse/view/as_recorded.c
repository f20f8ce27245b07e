/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All nodes as recorded are in the tree of the lane, which stays: only the leaves of some samples
 * change, and what follows from the leaves. */
#include "config.h"

#include "analyse/view/as_recorded.h"

#include "base/alloc.h"
#include "base/budget.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLE_BYTES ((size_t)12) /* of a lane that changes */

struct as_recorded_lane {
	const struct as_recorded *of;
	const struct lane *from;
	struct lane *to;
	struct phases phases;
	node_id *as; /* by node */
	struct lane_link *link;
};

static bool is_changed(const struct lane *lane, unsigned what)
{
	return lane->recorded &&
		(((what & AS_RECORDED_GC) && lane->recorded->n_gc) ||
		 ((what & AS_RECORDED_PROGRAM) && lane->recorded->n_joined));
}

bool as_recorded_exists(const struct profile *p, unsigned what)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (is_changed(&p->lanes[i], what))
			return true;
	return false;
}

/* How much memory the result takes, about. */
static size_t bytes_of(const struct profile *p, unsigned what)
{
	size_t bytes = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (is_changed(&p->lanes[i], what))
			bytes += p->lanes[i].samples.n * SAMPLE_BYTES +
				p->lanes[i].tree.n * sizeof(node_id);
	return bytes;
}

/* ---- a lane ---- */

/* Passes over nodes are short beside those over samples: they are one step. */
static size_t begin_leaves(void *ctx)
{
	struct as_recorded_lane *w = ctx;
	const struct recorded_node *gc = w->from->recorded->gc;
	struct samples *s = &w->to->samples;
	uint32_t n = w->from->tree.n;

	w->as = xmalloc(n * sizeof *w->as);
	for (uint32_t i = 0; i < n; i++)
		w->as[i] = i;
	for (size_t i = 0; w->of->what & AS_RECORDED_GC && i < w->from->recorded->n_gc; i++)
		w->as[gc[i].node] = gc[i].as;
	s->leaf = xmalloc(s->n * sizeof *s->leaf);
	return s->n;
}

static void place_leaves(void *ctx, size_t from, size_t end)
{
	struct as_recorded_lane *w = ctx;

	for (size_t i = from; i < end; i++)
		w->to->samples.leaf[i] = w->as[w->from->samples.leaf[i]];
}

static size_t begin_joined(void *ctx)
{
	struct as_recorded_lane *w = ctx;

	return w->of->what & AS_RECORDED_PROGRAM ? w->from->recorded->n_joined : 0;
}

static void part_joined(void *ctx, size_t from, size_t end)
{
	struct as_recorded_lane *w = ctx;
	const struct recorded_sample *joined = w->from->recorded->joined;

	for (size_t i = from; i < end; i++)
		w->to->samples.leaf[joined[i].sample] = joined[i].node;
}

static bool link_samples(void *ctx, struct budget *budget)
{
	struct as_recorded_lane *w = ctx;

	if (!w->link)
		w->link = lane_link_begin(w->to, w->of->original->frames.frames);
	return lane_link_work(w->link, budget);
}

static const struct phase phases[] = {
	{ begin_leaves, place_leaves, NULL },
	{ begin_joined, part_joined, NULL },
	{ NULL, NULL, link_samples },
	{ NULL, NULL, NULL },
};

static void end_lane(struct as_recorded *r)
{
	if (!r->lane)
		return;
	lane_link_end(r->lane->link);
	free(r->lane->as);
	free(r->lane);
	r->lane = NULL;
}

/* ---- the profile ---- */

bool as_recorded_begin(struct as_recorded *r, const struct profile *original, unsigned what)
{
	size_t n = original->n_lanes;

	if (!reserve_has_room(bytes_of(original, what)))
		return false;
	*r = (struct as_recorded){ .original = original, .what = what, .own = *original };
	r->own.lanes = xcalloc(n, sizeof *r->own.lanes);
	memcpy(r->own.lanes, original->lanes, n * sizeof *r->own.lanes);
	r->is_own = xcalloc(n, 1);
	return true;
}

bool as_recorded_work(struct as_recorded *r, struct budget *budget)
{
	for (; r->next < r->own.n_lanes; r->next++) {
		if (!r->lane && is_changed(&r->original->lanes[r->next], r->what)) {
			const struct lane *from = &r->original->lanes[r->next];
			struct lane *to = &r->own.lanes[r->next];
			struct as_recorded_lane *w = xcalloc(1, sizeof *w);

			to->samples = (struct samples){ .n = from->samples.n,
							.times = from->samples.times };
			r->is_own[r->next] = 1;
			w->of = r;
			w->from = from;
			w->to = to;
			r->lane = w;
		}
		if (r->lane && !phases_work(&r->lane->phases, phases, r->lane, budget))
			return false;
		end_lane(r);
	}
	return true;
}

void as_recorded_done(struct as_recorded *r)
{
	end_lane(r);
	for (uint32_t i = 0; r->is_own && i < r->own.n_lanes; i++) {
		struct samples *s = &r->own.lanes[i].samples;

		if (!r->is_own[i])
			continue;
		/* The rest is borrowed. */
		s->times = (struct times){ 0 };
		samples_done(s);
	}
	free(r->own.lanes);
	free(r->is_own);
	*r = (struct as_recorded){ .original = NULL };
}
