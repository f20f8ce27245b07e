/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A view of all lanes gives the frames; scoped_lane.c makes the lanes that change. The other lanes
 * are copies that borrow from the original. */
#include "config.h"

#include "analyse/view/scoped.h"

#include "analyse/view/scoped_lane.h"
#include "base/alloc.h"
#include "base/phases.h"
#include "base/reserve.h"
#include "model/blocks.h"
#include "model/lane_name.h"

#include <stdlib.h>
#include <string.h>

/* For each node and sample, about: of all arrays together, also those of the view; and of those
 * that a phase of the work begins with. */
#define NODE_BYTES ((size_t)160)
#define SAMPLE_BYTES ((size_t)16)
#define NODE_PHASE_BYTES ((size_t)24)
#define SAMPLE_PHASE_BYTES ((size_t)8)

static bool has_calls(const struct lane *lane)
{
	return lane->kind == LANE_SAMPLES || lane->kind == LANE_SLICES;
}

/* ---- the work ---- */

struct scoped_work {
	struct scoped *scoped;
	struct scope scope;
	struct view_work *view; /* NULL: not begun, or complete */
	struct phases phases;
	size_t n_nodes, n_samples; /* of the lanes in scope */
	uint32_t next;             /* lane of the original */
	uint32_t source;           /* of the view: that of the lane */
	struct scoped_lane *lanes;
	bool has_lane; /* a lane is being made */
	/* The flows: */
	uint32_t *lane_here;  /* by lane of the original; UINT32_MAX: not here, or changed */
	uint32_t *point_here; /* by point of the original; UINT32_MAX: not here */
	size_t n_by_lane;
	bool is_complete;
};

static bool make_view(void *ctx, struct budget *budget)
{
	struct scoped_work *w = ctx;
	struct scoped *sc = w->scoped;

	if (w->view) {
		if (!view_work(w->view, budget))
			return false;
		view_end(w->view);
		w->view = NULL;
		sc->own.other = NULL;
		sc->own.frames.frames = (struct frame *)sc->view.frames;
		sc->own.frames.n = sc->view.n_frames;
	}
	w->lanes = scoped_lane_new(&sc->view);
	return true;
}

/* Take the next lane, or begin to make it. */
static void take_lane(struct scoped_work *w)
{
	struct scoped *sc = w->scoped;
	struct lane *lane = &sc->own.lanes[sc->own.n_lanes];

	if (w->scope.is_lane && !w->scope.is_lane[w->next])
		return;
	*lane = sc->original->lanes[w->next];
	sc->from[sc->own.n_lanes] = w->next;
	if (sc->view.tree && has_calls(lane) && lane->tree.n) {
		sc->is_own[sc->own.n_lanes] = 1;
		scoped_lane_begin(w->lanes, w->source++, lane);
		w->has_lane = true;
	}
	sc->own.n_lanes++;
}

static bool take_lanes(void *ctx, struct budget *budget)
{
	struct scoped_work *w = ctx;
	struct scoped *sc = w->scoped;

	for (; w->next < sc->original->n_lanes; w->next++) {
		if (!w->has_lane)
			take_lane(w);
		if (w->has_lane && !scoped_lane_work(w->lanes, budget))
			return false;
		w->has_lane = false;
		if (budget_use(budget, 1)) {
			w->next++;
			return false;
		}
	}
	lane_name_prepare(sc->own.lanes, sc->own.n_lanes);
	return true;
}

/* ---- flows ---- */

/* Take the flow points of lanes that are in scope and unchanged. */
static size_t begin_points(void *ctx)
{
	struct scoped_work *w = ctx;
	struct scoped *sc = w->scoped;
	const struct profile *p = sc->original;

	w->lane_here = xmalloc(p->n_lanes * sizeof *w->lane_here);
	w->point_here = xmalloc(p->n_flows * sizeof *w->point_here);
	memset(w->lane_here, 0xFF, p->n_lanes * sizeof *w->lane_here);
	for (uint32_t i = 0; i < sc->own.n_lanes; i++)
		if (!sc->is_own[i])
			w->lane_here[sc->from[i]] = i;
	sc->own.flows = xmalloc(p->n_flows * sizeof *sc->own.flows);
	sc->own.n_flows = 0;
	return p->n_flows;
}

static void take_points(void *ctx, size_t from, size_t end)
{
	struct scoped_work *w = ctx;
	struct profile *own = &w->scoped->own;
	const struct profile *p = w->scoped->original;

	for (size_t i = from; i < end; i++) {
		uint32_t here = w->lane_here[p->flows[i].lane];

		w->point_here[i] = here == UINT32_MAX ? UINT32_MAX : (uint32_t)own->n_flows;
		if (here == UINT32_MAX)
			continue;
		own->flows[own->n_flows] = p->flows[i];
		own->flows[own->n_flows++].lane = here;
	}
}

static size_t begin_by_lane(void *ctx)
{
	struct scoped_work *w = ctx;
	struct scoped *sc = w->scoped;

	sc->own.flows_by_lane = xmalloc(sc->own.n_flows * sizeof *sc->own.flows_by_lane);
	w->n_by_lane = 0;
	return sc->original->n_flows;
}

static void take_by_lane(void *ctx, size_t from, size_t end)
{
	struct scoped_work *w = ctx;
	const struct profile *p = w->scoped->original;

	for (size_t i = from; i < end; i++)
		if (w->point_here[p->flows_by_lane[i]] != UINT32_MAX)
			w->scoped->own.flows_by_lane[w->n_by_lane++] =
				w->point_here[p->flows_by_lane[i]];
}

/* ---- the profile ---- */

static const struct phase scoped_phases[] = {
	{ NULL, NULL, make_view },
	{ NULL, NULL, take_lanes },
	{ begin_points, take_points, NULL },
	{ begin_by_lane, take_by_lane, NULL },
	{ NULL, NULL, NULL },
};

static void count_nodes(struct scoped_work *w, const struct profile *p)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (has_calls(&p->lanes[i]) && (!w->scope.is_lane || w->scope.is_lane[i])) {
			w->n_nodes += p->lanes[i].tree.n;
			w->n_samples += p->lanes[i].samples.n;
		}
}

bool scoped_has_room(const struct scoped_work *w)
{
	return w->is_complete ||
		reserve_has_room(w->n_nodes * NODE_PHASE_BYTES + w->n_samples * SAMPLE_PHASE_BYTES);
}

struct scoped_work *scoped_begin(struct scoped *sc, const struct profile *original,
				 const struct scope *scope, struct error *err)
{
	struct scoped_work *w = xcalloc(1, sizeof *w);

	*sc = (struct scoped){ .profile = original, .original = original };
	w->scoped = sc;
	w->scope = *scope;
	w->is_complete = scope_is_plain(scope);
	if (w->is_complete)
		return w;
	if (!scope_is_untouched(scope)) {
		count_nodes(w, original);
		if (!reserve_has_room(w->n_nodes * NODE_BYTES + w->n_samples * SAMPLE_BYTES)) {
			free(w);
			error_set(err, ERR_LIMIT, -1, "not enough memory");
			return NULL;
		}
		w->view = scope_view_begin(scope, original, &sc->view);
		if (!w->view) {
			free(w);
			view_too_large(err);
			return NULL;
		}
	}
	sc->own = *original;
	sc->profile = &sc->own;
	sc->own.n_lanes = 0;
	sc->own.flows = NULL;
	sc->own.flows_by_lane = NULL;
	sc->own.lanes = xcalloc(original->n_lanes, sizeof *sc->own.lanes);
	sc->from = xcalloc(original->n_lanes, sizeof *sc->from);
	sc->is_own = xcalloc(original->n_lanes, 1);
	return w;
}

bool scoped_work(struct scoped_work *w, struct budget *budget)
{
	w->is_complete = w->is_complete || phases_work(&w->phases, scoped_phases, w, budget);
	return w->is_complete;
}

void scoped_end(struct scoped_work *w)
{
	if (w->view)
		view_end(w->view);
	scoped_lane_free(w->lanes);
	free(w->lane_here);
	free(w->point_here);
	free(w);
}

bool scoped_init(struct scoped *sc, const struct profile *original, const struct scope *scope,
		 struct error *err)
{
	struct scoped_work *w = scoped_begin(sc, original, scope, err);

	if (!w)
		return false;
	while (!scoped_work(w, BUDGET_UNLIMITED))
		;
	scoped_end(w);
	return true;
}

void scoped_done(struct scoped *sc)
{
	for (uint32_t i = 0; sc->from && i < sc->own.n_lanes; i++) {
		struct lane *lane = &sc->own.lanes[i];

		if (!sc->is_own[i])
			continue;
		lane->samples.times = (struct times){ 0 };
		lane->labels = NULL;
		lane->counts = NULL;
		lane->series = NULL;
		lane->n_series = 0;
		lane_done(lane);
	}
	if (sc->from) {
		free(sc->own.lanes);
		free(sc->own.flows);
		free(sc->own.flows_by_lane);
		view_done(&sc->view);
	}
	free(sc->from);
	free(sc->is_own);
	*sc = (struct scoped){ 0 };
}

const struct lane *scoped_original(const struct scoped *sc, const struct lane *lane)
{
	size_t at = (size_t)(lane - sc->profile->lanes);

	return sc->from ? &sc->original->lanes[sc->from[at]] : lane;
}

/* ---- what was dropped ---- */

static void add_root(void *ctx, node_id leaf, int64_t ns)
{
	*(int64_t *)ctx += leaf == NODE_ROOT ? ns : 0;
}

static void add_roots(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_root(ctx, leaf[i], ns[i]);
}

static int64_t root_time(const struct lane *lane, int64_t t0, int64_t t1)
{
	int64_t ns = 0;

	blocks_each(&lane->samples, t0, t1,
		    &(struct blocks_visitor){ &ns, add_roots, add_root, NULL });
	return ns;
}

int64_t scoped_dropped(const struct scoped *sc, const struct lane *lane, int64_t t0, int64_t t1)
{
	const struct lane *original;

	if (!sc->from || !sc->is_own[lane - sc->profile->lanes])
		return 0;
	original = scoped_original(sc, lane);
	return root_time(lane, t0, t1) - root_time(original, t0, t1) +
		slice_time_lacking(original->slice_time, t0, t1) -
		slice_time_lacking(lane->slice_time, t0, t1);
}
