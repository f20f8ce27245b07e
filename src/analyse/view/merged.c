/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A merged view is a tree with times for each of its lanes; merged_lane.c makes the lanes. The tree
 * of the left heavy view is that of the totals; merged_around.c makes those of callers and callees.
 */
#include "config.h"

#include "analyse/view/merged.h"

#include "analyse/view/merged_around.h"
#include "analyse/view/merged_lane.h"
#include "base/alloc.h"
#include "base/phases.h"

#include <stdlib.h>
#include <string.h>

struct merged {
	const struct totals *totals;
	struct merged_around *around; /* NULL: left heavy */
	uint32_t n_trees;             /* that become lanes */
	struct phases phases;
	struct profile *profile; /* NULL: not begun, or there is no time */
	uint32_t n_lanes;        /* that are complete; the next one is being made: */
	struct phases lane_phases;
	int64_t *total; /* by node of its tree; NULL: left heavy */
	struct merged_lane *lane;
	const uint8_t *stays; /* nodes that stay without time; NULL: none */
	node_id *origins;     /* with `stays`: of the nodes of the lane */
};

/* The tree of the lane that is being made. */
static const struct merged_nodes *nodes_of(const struct merged *m)
{
	return m->n_lanes == 0 ? merged_around_callers(m->around)
			       : merged_around_callees(m->around);
}

static bool find_around(void *ctx, struct budget *budget)
{
	struct merged *m = ctx;

	return !m->around || merged_around_work(m->around, budget);
}

/* ---- the profile ---- */

/* A profile of n lanes that borrows from the view's profile. It has no frames yet. */
static struct profile *new_profile(const struct view *view, uint32_t n)
{
	struct profile *p = xcalloc(1, sizeof *p);

	*p = *view->profile;
	p->is_borrower = true;
	p->other = NULL;
	p->flows = NULL;
	p->flows_by_lane = NULL;
	p->n_flows = 0;
	p->stack_frames = NULL;
	p->n_stack_frames = 0;
	p->frames = (struct frame_table){ .n = view->n_frames };
	p->frames.frames = xmalloc((size_t)view->n_frames * sizeof *p->frames.frames);
	p->lanes = xcalloc(n, sizeof *p->lanes);
	p->n_lanes = n;
	p->origin_ns = 0;
	p->t1 = 0;
	for (uint32_t i = 0; i < n; i++)
		p->lanes[i] = (struct lane){ .id = i + 1,
					     .kind = LANE_SAMPLES,
					     .pid = LANE_NO_ID,
					     .tid = LANE_NO_ID,
					     .has_timeline = true,
					     .input = view->n_sources ? view->sources[0].lane->input
								      : 0 };
	return p;
}

static size_t begin_frames(void *ctx)
{
	struct merged *m = ctx;

	if (m->around ? merged_around_callers(m->around)->map.n == 0 : m->totals->sampled_ns <= 0)
		return 0;
	m->profile = new_profile(m->totals->view, m->n_trees);
	return m->profile->frames.n;
}

static void copy_frames(void *ctx, size_t from, size_t end)
{
	struct merged *m = ctx;

	memcpy(m->profile->frames.frames + from, m->totals->view->frames + from,
	       (end - from) * sizeof *m->profile->frames.frames);
}

/* ---- a lane ---- */

static size_t begin_totals(void *ctx)
{
	struct merged *m = ctx;

	if (!m->around)
		return 0;
	m->total = xmalloc((size_t)nodes_of(m)->map.n * sizeof *m->total);
	return nodes_of(m)->map.n;
}

static void copy_selves(void *ctx, size_t from, size_t end)
{
	struct merged *m = ctx;

	memcpy(m->total + from, nodes_of(m)->self + from, (end - from) * sizeof *m->total);
}

static size_t begin_sums(void *ctx)
{
	struct merged *m = ctx;

	return m->around ? nodes_of(m)->map.n - 1 : 0;
}

/* From the last node to the first, without the root. */
static void add_totals(void *ctx, size_t from, size_t end)
{
	struct merged *m = ctx;
	const struct node_map *map = &nodes_of(m)->map;

	for (size_t i = map->n - from; i-- > map->n - end;)
		m->total[map->parent[i]] += m->total[i];
}

static struct merged_lane *begin_lane(const struct merged *m)
{
	const struct totals *totals = m->totals;
	struct merged_tree tree = { .n = totals->view->tree->n,
				    .parent = totals->view->tree->parent,
				    .frame = totals->view->tree->frame,
				    .self = totals->self,
				    .total = totals->total,
				    .stays = m->stays };

	if (m->around) {
		const struct merged_nodes *nodes = nodes_of(m);

		tree = (struct merged_tree){ .n = nodes->map.n,
					     .parent = nodes->map.parent,
					     .frame = nodes->map.frame,
					     .self = nodes->self,
					     .total = m->total };
	}
	return merged_lane_begin(&tree, &m->profile->lanes[m->n_lanes], m->profile->frames.frames);
}

static void end_lane(struct merged *m)
{
	merged_lane_free(m->lane);
	free(m->total);
	m->lane = NULL;
	m->total = NULL;
}

static bool build_lane(void *ctx, struct budget *budget)
{
	struct merged *m = ctx;

	if (!m->lane)
		m->lane = begin_lane(m);
	if (!merged_lane_work(m->lane, budget))
		return false;
	if (m->stays)
		m->origins = merged_lane_origins(m->lane);
	end_lane(m);
	return true;
}

static const struct phase lane_phases[] = {
	{ begin_totals, copy_selves, NULL },
	{ begin_sums, add_totals, NULL },
	{ NULL, NULL, build_lane },
	{ NULL, NULL, NULL },
};

static bool make_lanes(void *ctx, struct budget *budget)
{
	struct merged *m = ctx;
	struct profile *p = m->profile;

	for (; p && m->n_lanes < p->n_lanes; m->n_lanes++) {
		if (!phases_work(&m->lane_phases, lane_phases, m, budget))
			return false;
		m->lane_phases = (struct phases){ 0 };
		if (p->lanes[m->n_lanes].t1 > p->t1)
			p->t1 = p->lanes[m->n_lanes].t1;
	}
	return true;
}

/* ---- the whole ---- */

static const struct phase merged_phases[] = {
	{ NULL, NULL, find_around },
	{ begin_frames, copy_frames, NULL },
	{ NULL, NULL, make_lanes },
	{ NULL, NULL, NULL },
};

struct merged *merged_begin_left_heavy(const struct totals *totals)
{
	struct merged *m = xcalloc(1, sizeof *m);

	m->totals = totals;
	m->n_trees = 1;
	return m;
}

struct merged *merged_begin_with(const struct totals *totals, const uint8_t *stays)
{
	struct merged *m = merged_begin_left_heavy(totals);

	m->stays = stays;
	return m;
}

node_id *merged_take_origins(struct merged *m)
{
	node_id *origins = m->origins;

	m->origins = NULL;
	return origins;
}

struct merged *merged_begin_inverted(const struct totals *totals)
{
	struct merged *m = merged_begin_left_heavy(totals);

	m->around = merged_around_begin_all(totals);
	return m;
}

struct merged *merged_begin_sandwich(const struct totals *totals, frame_id frame)
{
	struct merged *m = merged_begin_left_heavy(totals);

	m->around = merged_around_begin(totals, frame);
	m->n_trees = 2;
	return m;
}

bool merged_work(struct merged *m, struct budget *budget)
{
	const struct calltree *tree = m->totals->view->tree;

	return !tree || tree->n == 0 || phases_work(&m->phases, merged_phases, m, budget);
}

struct profile *merged_end(struct merged *m, uint32_t *n_levels)
{
	struct profile *p = m->profile;

	*n_levels = m->around ? merged_around_levels(m->around) : 0;
	end_lane(m);
	free(m->origins);
	merged_around_free(m->around);
	if (p && m->n_lanes < p->n_lanes) {
		profile_free(p);
		p = NULL;
	}
	free(m);
	return p;
}

struct profile *merged_left_heavy(const struct totals *totals)
{
	struct merged *m = merged_begin_left_heavy(totals);

	merged_work(m, BUDGET_UNLIMITED);
	return merged_end(m, &(uint32_t){ 0 });
}

struct profile *merged_inverted(const struct totals *totals, uint32_t *n_levels)
{
	struct merged *m = merged_begin_inverted(totals);

	merged_work(m, BUDGET_UNLIMITED);
	return merged_end(m, n_levels);
}

struct profile *merged_sandwich(const struct totals *totals, frame_id frame, uint32_t *n_levels)
{
	struct merged *m = merged_begin_sandwich(totals, frame);

	merged_work(m, BUDGET_UNLIMITED);
	return merged_end(m, n_levels);
}
