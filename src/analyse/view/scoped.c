/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A view of all lanes gives the frames; "scoped lane" below makes the lanes that change. The other
 * lanes are copies that borrow from the original.
 *
 * Transforms by time (TRANSFORM_DURING) are none of the view's: they cut the samples of a lane. */
#include "config.h"

#include "analyse/view/scoped.h"

#include "analyse/scope.h"
#include "base/alloc.h"
#include "base/sort.h"
#include "model/blocks.h"
#include "model/profile.h"

#include <stdlib.h>
#include <string.h>

/* The nodes of the view that the samples of a lane need, as a set and as a list, with their
 * callers. One set serves all lanes, one after the other: between them it is empty, so that many
 * small lanes do not cost a pass over the whole view each. */
struct needed {
	const struct view *v;
	uint8_t *is_in;  /* by node of the view */
	node_id *number; /* by node of the view, for those in the set: their place in the list */
	node_id *list;
	uint32_t n;
};

/* The lane that is being made. */
struct scoped_lane {
	struct needed set; /* empty between two lanes */
	uint32_t source;   /* of the view */
	struct lane *lane;
	struct phases phases;
	/* Where samples are cut: the stretches that stay, sorted and apart, and each sample that is
	 * made, with its time and that of the end, and the sample of the original that it is of, or
	 * NO_SAMPLE. */
	struct slice_stretches stays;
	bool is_cut;
	size_t at; /* the first stretch that may reach the next sample */
	int64_t *t;
	size_t *from;
	size_t n, cap_t, cap_from;
	node_id *order; /* by node of the list: that of the lane */
	node_id *parent;
	frame_id *frame;
	struct calltree_work *tree;
	struct lane_link *link;
	size_t cap_breaks; /* of the lane */
	struct blocks_work *blocks;
	int64_t root_ns;
};

/* ==== scoped lane ====
 *
 * The lane gets the part of the view's tree that its samples need.
 * 1. Samples keep their number and times, so that a range means the same in both profiles; those
 *    that are cut keep their times.
 * 2. The leaf of a dropped sample is the root. */

#define NO_SAMPLE SIZE_MAX

/* With more nodes than these, a pass over all nodes of the view is as fast as sorting them. */
#define NEEDED_SORTED 65536u

static void needed_add(struct needed *set, node_id node)
{
	for (; !set->is_in[node]; node = set->v->tree->parent[node]) {
		set->is_in[node] = 1;
		set->list[set->n++] = node;
	}
}

SORT_ORDER(by_node, node_id, SORT_BY_1(*x, *y))

static const struct view_source *source_of(const struct scoped_lane *w)
{
	return &w->set.v->sources[w->source];
}

/* ---- cut samples ---- */

/* The parts of stretches of one list that are in those of another one. Both are sorted; those of
 * `in` are apart. */
static void meet(const struct slice_stretches *list, const struct slice_stretches *in,
		 struct slice_stretches *out)
{
	for (size_t i = 0; i < list->n; i++) {
		struct slice_stretch x = list->list[i];
		size_t k = 0;

		SORT_BISECT(k, in->n, mid, in->list[mid].t1 <= x.t0);
		for (; k < in->n && in->list[k].t0 < x.t1; k++) {
			const struct slice_stretch *y = &in->list[k];
			struct slice_stretch part = x;

			part.t0 = x.t0 > y->t0 ? x.t0 : y->t0;
			part.t1 = x.t1 < y->t1 ? x.t1 : y->t1;
			part.self_t0 = x.self_t0 > part.t0 ? x.self_t0 : part.t0;
			part.self_t0 = part.self_t0 < part.t1 ? part.self_t0 : part.t1;
			if (part.t0 < part.t1)
				slice_time_add(out, &part);
		}
	}
}

/* Add a sample that begins at t. Time of no sample is one, however often it is cut. */
static void add_sample(struct scoped_lane *w, int64_t t, size_t from)
{
	if (from == NO_SAMPLE && w->n && w->from[w->n - 1] == NO_SAMPLE)
		return;
	w->t = xgrow(w->t, &w->cap_t, w->n + 2, sizeof *w->t);
	w->from = xgrow(w->from, &w->cap_from, w->n + 1, sizeof *w->from);
	w->t[w->n] = t;
	w->from[w->n++] = from;
}

static size_t begin_cut(void *ctx)
{
	struct scoped_lane *w = ctx;

	return w->is_cut ? source_of(w)->lane->samples.n : 0;
}

static void cut_samples(void *ctx, size_t from, size_t end)
{
	struct scoped_lane *w = ctx;
	const struct slice_stretches *stays = &w->stays;
	const struct samples *s = &source_of(w)->lane->samples;

	for (size_t i = from; i < end; i++) {
		int64_t t = samples_time(s, i), t1 = samples_time(s, i + 1);

		do {
			const struct slice_stretch *x;
			bool is_in;

			while (w->at < stays->n && stays->list[w->at].t1 <= t)
				w->at++;
			x = w->at < stays->n ? &stays->list[w->at] : NULL;
			is_in = x && x->t0 <= t;
			add_sample(w, t, is_in ? i : NO_SAMPLE);
			t = !x                         ? t1
				: is_in && x->t1 < t1  ? x->t1
				: !is_in && x->t0 < t1 ? x->t0
						       : t1;
		} while (t < t1);
	}
	w->t[w->n] = samples_time(s, s->n);
}

/* Of an array by sample, one by sample that was made. */
static uint32_t *cut_array(const struct scoped_lane *w, const uint32_t *of)
{
	uint32_t *made = of ? xmalloc(w->n * sizeof *made) : NULL;

	for (size_t i = 0; made && i < w->n; i++)
		made[i] = w->from[i] == NO_SAMPLE ? 0 : of[w->from[i]];
	return made;
}

static bool take_cut(void *ctx, struct budget *budget)
{
	struct scoped_lane *w = ctx;
	struct lane *lane = w->lane;

	(void)budget;
	if (!w->n)
		return true;
	lane->labels = cut_array(w, source_of(w)->lane->labels);
	lane->counts = cut_array(w, source_of(w)->lane->counts);
	lane->samples = (struct samples){ .n = w->n };
	times_pack_copy(&lane->samples.times, w->t, w->n + 1, 0);
	return true;
}

/* The node of the view for a sample of the lane. */
static node_id sample_node(const struct scoped_lane *w, size_t i)
{
	size_t from = w->n ? w->from[i] : i;

	return from == NO_SAMPLE ? VIEW_DROPPED : view_sample_node(w->set.v, w->source, from);
}

/* As view_shared(). There is time between two parts of one sample. */
static unsigned shared_in_view(const struct scoped_lane *w, size_t i)
{
	if (w->n && (w->from[i] == NO_SAMPLE || w->from[i + 1] == NO_SAMPLE))
		return 0;
	return view_shared(w->set.v, w->source, w->n ? w->from[i] : i);
}

/* ---- the tree of a lane ---- */

static size_t begin_leaves(void *ctx)
{
	struct scoped_lane *w = ctx;
	struct samples *s = &w->lane->samples;
	const struct slice_time *time = source_of(w)->lane->slice_time;

	s->leaf = xmalloc(s->n * sizeof *s->leaf);
	needed_add(&w->set, NODE_ROOT);
	/* A slice may have no sample left, and time behind them. */
	for (size_t i = 0; time && i < time->over.n; i++) {
		node_id node = view_node(w->set.v, w->source, time->over.list[i].node);

		if (node != VIEW_DROPPED)
			needed_add(&w->set, node);
	}
	return s->n;
}

static void find_leaves(void *ctx, size_t from, size_t end)
{
	struct scoped_lane *w = ctx;
	node_id *to = w->lane->samples.leaf;

	for (size_t i = from; i < end; i++) {
		node_id leaf = sample_node(w, i);

		to[i] = leaf == VIEW_DROPPED ? NODE_ROOT : leaf;
		needed_add(&w->set, to[i]);
	}
}

/* Put the list into the order of the view, with callers before their callees. */
static void sort_needed(struct needed *set)
{
	uint32_t all = set->v->tree->n;

	if (set->n < all / 16 && set->n < NEEDED_SORTED) {
		qsort(set->list, set->n, sizeof *set->list, by_node);
		return;
	}
	set->n = 0;
	for (node_id i = 0; i < all; i++)
		if (set->is_in[i])
			set->list[set->n++] = i;
}

static void begin_tree(struct scoped_lane *w)
{
	struct needed *set = &w->set;
	const struct calltree *all = set->v->tree;

	sort_needed(set);
	w->parent = xmalloc(set->n * sizeof *w->parent);
	w->frame = xmalloc(set->n * sizeof *w->frame);
	w->order = xmalloc(set->n * sizeof *w->order);
	for (uint32_t i = 0; i < set->n; i++) {
		node_id node = set->list[i];

		set->number[node] = i;
		w->parent[i] = set->number[all->parent[node]];
		w->frame[i] = all->frame[node];
	}
	w->tree = calltree_begin(&w->lane->tree, set->n, w->parent, w->frame, w->order);
}

static bool build_tree(void *ctx, struct budget *budget)
{
	struct scoped_lane *w = ctx;

	if (!w->tree)
		begin_tree(w);
	return calltree_work(w->tree, budget);
}

static size_t begin_places(void *ctx)
{
	return ((struct scoped_lane *)ctx)->lane->samples.n;
}

/* Leaves become nodes of the lane's tree. */
static void place_leaves(void *ctx, size_t from, size_t end)
{
	struct scoped_lane *w = ctx;
	node_id *leaf = w->lane->samples.leaf;

	for (size_t i = from; i < end; i++)
		leaf[i] = w->order[w->set.number[leaf[i]]];
}

/* Those that stay. */
static void copy_stretches(const struct scoped_lane *w, const struct slice_stretches *from,
			   struct slice_stretches *to)
{
	if (w->is_cut)
		meet(from, &w->stays, to);
	for (size_t i = 0; !w->is_cut && i < from->n; i++)
		slice_time_add(to, &from->list[i]);
}

/* is_of_view: their nodes are of the view. */
static void place_stretches(const struct scoped_lane *w, const struct slice_stretches *from,
			    bool is_of_view, struct slice_stretches *to)
{
	struct slice_stretches all = { 0 };

	copy_stretches(w, from, &all);
	for (size_t i = 0; i < all.n; i++) {
		struct slice_stretch stretch = all.list[i];
		node_id node = is_of_view ? stretch.node
					  : view_node(w->set.v, w->source, stretch.node);

		if (node == VIEW_DROPPED || node == NODE_ROOT || !w->set.is_in[node])
			continue;
		stretch.node = w->order[w->set.number[node]];
		slice_time_add(to, &stretch);
	}
	slice_time_sort(to);
	free(all.list);
}

/* What the samples do not say about slices. */
static void place_times(struct scoped_lane *w)
{
	const struct view_source *source = source_of(w);
	const struct slice_time *time = source->lane->slice_time, *united;
	struct slice_time *to;

	if (!time)
		return;
	to = w->lane->slice_time = xcalloc(1, sizeof *to);
	united = view_slice_time(source);
	place_stretches(w, &time->over, false, &to->over);
	place_stretches(w, &time->covered, false, &to->covered);
	place_stretches(w, view_inner(source), source->inner != NULL, &to->inner);
	copy_stretches(w, &united->more, &to->more);
	copy_stretches(w, &united->less, &to->less);
}

/* ---- what follows from the tree of a lane ---- */

/* The set is not needed any more. */
static size_t begin_breaks(void *ctx)
{
	struct scoped_lane *w = ctx;
	const struct lane *lane = w->lane;

	place_times(w);
	for (uint32_t i = 0; i < w->set.n; i++)
		w->set.is_in[w->set.list[i]] = 0;
	w->set.n = 0;
	return lane->kind == LANE_SAMPLES && lane->has_siblings && lane->samples.n > 0
		? lane->samples.n - 1
		: 0;
}

static void find_breaks(void *ctx, size_t from, size_t end)
{
	struct scoped_lane *w = ctx;
	struct lane *lane = w->lane;
	const node_id *leaf = lane->samples.leaf;

	for (size_t i = from; i < end; i++) {
		unsigned rows = shared_in_view(w, i);

		if (rows >= lane->tree.rows[calltree_common(&lane->tree, leaf[i], leaf[i + 1])])
			continue;
		*ARRAY_ADD(lane->breaks, lane->n_breaks,
			   w->cap_breaks) = (struct sample_break){ i, (uint16_t)rows };
	}
}

/* Samples nest by their stacks and the breaks; a dropped sample is the root, which shares nothing.
 */
static bool link_samples(void *ctx, struct budget *budget)
{
	struct scoped_lane *w = ctx;

	if (w->lane->kind != LANE_SAMPLES)
		return true;
	if (!w->link)
		w->link = lane_link_begin(w->lane, w->set.v->frames);
	return lane_link_work(w->link, budget);
}

/* Slices with the same name may touch; very deep nodes may have been merged. */
static uint16_t shared_rows(const struct scoped_lane *w, size_t i)
{
	const struct lane *lane = w->lane;
	const struct samples *s = &lane->samples;
	unsigned shared, most;

	if (i + 1 == s->n)
		return 0;
	shared = shared_in_view(w, i);
	most = lane->tree.rows[calltree_common(&lane->tree, s->leaf[i], s->leaf[i + 1])];
	return (uint16_t)(shared < most ? shared : most);
}

static size_t begin_shared(void *ctx)
{
	struct scoped_lane *w = ctx;
	struct samples *s = &w->lane->samples;

	if (w->lane->kind == LANE_SAMPLES)
		return 0;
	s->shared = xmalloc(s->n * sizeof *s->shared);
	w->lane->n_spans = 0;
	w->root_ns = 0;
	return s->n;
}

/* Slices of a trace count even without time. */
static void count_slices(void *ctx, size_t from, size_t end)
{
	struct scoped_lane *w = ctx;
	struct lane *lane = w->lane;
	struct samples *s = &lane->samples;

	for (size_t i = from; i < end; i++) {
		unsigned rows = lane->tree.rows[s->leaf[i]];

		s->shared[i] = shared_rows(w, i);
		if (rows > (unsigned)lane->max_depth)
			lane->max_depth = (int)rows;
		lane->n_spans += rows - (i ? samples_shared(s, i - 1) : 0u);
		if (s->leaf[i] == NODE_ROOT)
			w->root_ns += samples_time(s, i + 1) - samples_time(s, i);
	}
}

static bool finish_slices(void *ctx, struct budget *budget)
{
	struct scoped_lane *w = ctx;
	struct lane *lane = w->lane;
	struct samples *s = &lane->samples;

	if (lane->kind == LANE_SAMPLES)
		return true;
	if (!w->blocks)
		w->blocks = blocks_work_begin(s, lane->tree.n);
	if (!blocks_work(w->blocks, budget))
		return false;
	s->blocks = blocks_work_end(w->blocks);
	w->blocks = NULL;
	lane->busy_ns = (s->n ? samples_time(s, s->n) - samples_time(s, 0) - w->root_ns : 0) +
		slice_time_lacking(lane->slice_time, INT64_MIN, INT64_MAX);
	lane->unsampled_ns = lane->t1 - lane->t0 - lane->busy_ns;
	samples_index(s, &lane->tree, NULL);
	return true;
}

/* ---- the whole ---- */

static const struct phase lane_phases[] = {
	{ begin_cut, cut_samples, NULL },     { NULL, NULL, take_cut },
	{ begin_leaves, find_leaves, NULL },  { NULL, NULL, build_tree },
	{ begin_places, place_leaves, NULL }, { begin_breaks, find_breaks, NULL },
	{ NULL, NULL, link_samples },         { begin_shared, count_slices, NULL },
	{ NULL, NULL, finish_slices },        { NULL, NULL, NULL },
};

static void end_lane(struct scoped_lane *w)
{
	calltree_end(w->tree);
	lane_link_end(w->link);
	blocks_free(blocks_work_end(w->blocks));
	free(w->parent);
	free(w->frame);
	free(w->order);
	free(w->stays.list);
	free(w->t);
	free(w->from);
	*w = (struct scoped_lane){ .set = w->set };
}

/* ==== scoped ==== */

/* For each node and sample, about: of all arrays together, also those of the view; and of those
 * that a phase of the work begins with. */
#define NODE_BYTES ((size_t)160)
#define SAMPLE_BYTES ((size_t)16)
#define NODE_PHASE_BYTES ((size_t)24)
#define SAMPLE_PHASE_BYTES ((size_t)8)

#define IS_CUT 2        /* in scoped.is_own */
#define FREE_WORK 2048u /* units of work to free the arrays of a lane */

static bool has_calls(const struct lane *lane)
{
	return lane->kind == LANE_SAMPLES || lane->kind == LANE_SLICES;
}

/* ---- the work ---- */

struct scoped_work {
	struct scoped *scoped;
	struct scope scope;
	struct view_work *view;    /* NULL: not begun, or complete */
	size_t n_nodes, n_samples; /* of the lanes in scope */
	uint32_t next;             /* lane of the original */
	uint32_t source;           /* of the view: that of the lane */
	struct scoped_lane lane;
	bool has_lane; /* a lane is being made */
	struct phases flows;
	/* By lane and by flow point of the original: its number here; UINT32_MAX: it is not here,
	 * or changed. */
	uint32_t *lane_here, *point_here;
	size_t n_by_lane; /* points whose place by lane is known */
	bool is_complete;
};

static bool make_view(struct scoped_work *w, struct budget *budget)
{
	struct scoped *sc = w->scoped;
	const struct view *v = &sc->view;
	struct needed *set = &w->lane.set;
	size_t n;

	if (!w->view)
		return true;
	if (!view_work(w->view, budget))
		return false;
	view_end(w->view);
	w->view = NULL;
	sc->own.other = NULL;
	sc->own.frames.frames = (struct frame *)v->frames;
	sc->own.frames.n = v->n_frames;
	n = v->tree->n;
	*set = (struct needed){ .v = v,
				.is_in = xcalloc(n, 1),
				.number = xmalloc(n * sizeof *set->number),
				.list = xmalloc(n * sizeof *set->list) };
	return true;
}

/* Find the stretches that transforms by time leave of a lane. */
static void find_stays(const struct scope *scope, const struct lane *lane, struct scoped_lane *w)
{
	const struct slice_stretch all = { .t0 = -PROFILE_TIME_MAX, .t1 = PROFILE_TIME_MAX };
	const struct slice_stretches none = { 0 };

	for (size_t i = 0; i < scope->n_transforms; i++) {
		const struct during *during = scope->transforms[i].set.during;
		struct slice_stretches before = w->stays;

		if (!during)
			continue;
		if (!w->is_cut)
			slice_time_add(&before, &all);
		w->is_cut = true;
		w->stays = (struct slice_stretches){ 0 };
		/* Samples without times are at no time of a request or slice. */
		meet(&before, lane->has_timeline ? during_times(during, lane) : &none, &w->stays);
		free(before.list);
	}
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
		lane_forget_nodes(lane);
		if (lane->samples.n)
			find_stays(&w->scope, lane, &w->lane);
		sc->is_own[sc->own.n_lanes] = w->lane.is_cut ? IS_CUT : 1;
		if (w->lane.is_cut) {
			lane->samples = (struct samples){ 0 };
			lane->labels = NULL;
			lane->counts = NULL;
		}
		w->lane.source = w->source++;
		w->lane.lane = lane;
		w->has_lane = true;
	}
	sc->own.n_lanes++;
}

/* Take the flow points of lanes that are in scope and unchanged, then their order by lane. There
 * may be two for each slice. */
static size_t begin_points(void *ctx)
{
	struct scoped_work *w = ctx;
	struct scoped *sc = w->scoped;
	const struct profile *p = sc->original;

	lane_name_prepare(sc->own.lanes, sc->own.n_lanes);
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
	struct profile *own = &w->scoped->own;

	own->flows_by_lane = xmalloc(own->n_flows * sizeof *own->flows_by_lane);
	return w->scoped->original->n_flows;
}

static void take_by_lane(void *ctx, size_t from, size_t end)
{
	struct scoped_work *w = ctx;
	const struct profile *p = w->scoped->original;

	for (size_t i = from; i < end; i++) {
		uint32_t here = w->point_here[p->flows_by_lane[i]];

		if (here != UINT32_MAX)
			w->scoped->own.flows_by_lane[w->n_by_lane++] = here;
	}
}

static const struct phase flow_phases[] = {
	{ begin_points, take_points, NULL },
	{ begin_by_lane, take_by_lane, NULL },
	{ NULL, NULL, NULL },
};

static bool take_lanes(struct scoped_work *w, struct budget *budget)
{
	struct scoped *sc = w->scoped;

	for (; w->next < sc->original->n_lanes; w->next++) {
		if (!w->has_lane)
			take_lane(w);
		if (w->has_lane && !phases_work(&w->lane.phases, lane_phases, &w->lane, budget))
			return false;
		if (w->has_lane)
			end_lane(&w->lane);
		w->has_lane = false;
		if (budget_use(budget, 1)) {
			w->next++;
			return false;
		}
	}
	return phases_work(&w->flows, flow_phases, w, budget);
}

/* ---- the profile ---- */

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
		for (uint32_t i = 0; i < original->n_lanes; i++)
			if (has_calls(&original->lanes[i]) &&
			    (!w->scope.is_lane || w->scope.is_lane[i])) {
				w->n_nodes += original->lanes[i].tree.n;
				w->n_samples += original->lanes[i].samples.n;
			}
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
	sc->own.is_transformed = !scope_is_untouched(scope);
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
	w->is_complete = w->is_complete || (make_view(w, budget) && take_lanes(w, budget));
	return w->is_complete;
}

void scoped_end(struct scoped_work *w)
{
	if (w->view)
		view_end(w->view);
	end_lane(&w->lane);
	free(w->lane.set.is_in);
	free(w->lane.set.number);
	free(w->lane.set.list);
	free(w->lane_here);
	free(w->point_here);
	free(w);
}

/* is_own: that of the lane; not 0. */
static void free_own(struct lane *lane, uint8_t is_own)
{
	if (is_own != IS_CUT) {
		lane->samples.times = (struct times){ 0 };
		lane->labels = NULL;
		lane->counts = NULL;
	}
	lane->series = NULL;
	lane->n_series = 0;
	lane_done(lane);
}

bool scoped_free_work(struct scoped *sc, struct budget *budget)
{
	while (sc->from && sc->own.n_lanes) {
		uint32_t i = --sc->own.n_lanes;

		if (sc->is_own[i])
			free_own(&sc->own.lanes[i], sc->is_own[i]);
		if (budget_use(budget, sc->is_own[i] ? FREE_WORK : 1))
			return false;
	}
	if (sc->from && !view_free_work(&sc->view, budget))
		return false;
	if (sc->from) {
		free(sc->own.lanes);
		free(sc->own.flows);
		free(sc->own.flows_by_lane);
	}
	free(sc->from);
	free(sc->is_own);
	*sc = (struct scoped){ 0 };
	return true;
}

void scoped_done(struct scoped *sc)
{
	scoped_free_work(sc, BUDGET_UNLIMITED);
}

/* ---- what was dropped ---- */

static void add_root(void *ctx, node_id leaf, int64_t ns)
{
	*(int64_t *)ctx += leaf == NODE_ROOT ? ns : 0;
}

BLOCKS_MANY(add_roots, add_root)

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
