/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything except stretches and lines is computed from existing totals, in a pass over frames or
 * nodes. */
#include "config.h"

#include "analyse/summary.h"

#include "analyse/fold.h"
#include "analyse/line_times.h"
#include "analyse/totals.h"
#include "base/alloc.h"
#include "base/sort.h"
#include "model/profile.h"

#include <stdlib.h>
#include <string.h>

#define BUSY_MIN (50 * INT64_C(1000000)) /* the limit of what browsers call a long task */
#define RECURSION_MIN 50
#define TENTH 10
#define RANK_OWN 2 /* of own code; 1: dependencies */

/* ---- shares ---- */

static struct share share_of(const struct totals *t, frame_id id, enum summary_by by)
{
	const struct frame *f = &t->view->frames[id];
	str_id name = by == SUMMARY_PACKAGE ? f->package : by == SUMMARY_FILE ? f->url : 0;

	return (struct share){ name ? name : t->profile->category_names[f->category], f->category,
			       name != 0, t->frame_self[id], 1 };
}

SORT_ORDER(heaviest_share, struct share,
	   SORT_BY_3(y->self, x->self, y->is_named, x->is_named, x->name, y->name))

size_t summary_shares(const struct totals *t, enum summary_by by, struct share **out)
{
	/* By whether it is named, and by name: index + 1. */
	uint32_t *of[2] = { xcalloc(t->profile->strings.n + 1, sizeof *of[0]),
			    xcalloc(t->profile->strings.n + 1, sizeof *of[1]) };
	size_t n = 0, cap = 0;
	struct share *list = xgrow(NULL, &cap, 1, sizeof *list);

	for (uint32_t i = 0; i < t->n_used; i++) {
		struct share share = share_of(t, t->used[i], by);
		uint32_t *at = &of[share.is_named][share.name];

		if (*at) {
			list[*at - 1].self += share.self;
			list[*at - 1].n_frames++;
			continue;
		}
		*ARRAY_ADD(list, n, cap) = share;
		*at = (uint32_t)n;
	}
	free(of[0]);
	free(of[1]);
	if (n)
		qsort(list, n, sizeof *list, heaviest_share);
	*out = list;
	return n;
}

bool summary_is_package(const struct share *list, size_t n, size_t i)
{
	bool has_package = false;

	for (size_t k = 0; k < n && !has_package; k++)
		has_package = list[k].is_named && list[k].self > 0;
	return has_package && list[i].self > 0 &&
		(list[i].is_named || list[i].category == CATEGORY_APP);
}

int64_t summary_program(const struct totals *t)
{
	int64_t ns = 0;

	for (uint32_t i = 0; i < t->n_used; i++)
		if (t->view->frames[t->used[i]].category == CATEGORY_PROGRAM)
			ns += t->frame_self[t->used[i]];
	return ns;
}

/* Joined lanes have no time of their own: the first lane of their thread has it. */
int64_t summary_gc(const struct totals *t)
{
	int64_t ns = 0;

	for (uint32_t i = 0; i < t->n_used; i++)
		if (summary_is_gc(t->profile, &t->view->frames[t->used[i]]))
			ns += t->frame_self[t->used[i]];
	return ns;
}

/* ---- the heaviest stack ---- */

/* Of two equal totals, the name decides: the order in the tree depends on what was loaded. */
static bool is_heavier(const struct totals *t, int64_t total_a, frame_id a, int64_t total_b,
		       frame_id b)
{
	int c;

	if (total_a != total_b)
		return total_a > total_b;
	c = strcmp(profile_text(t->profile, t->view->frames[a].name),
		   profile_text(t->profile, t->view->frames[b].name));
	return c ? c < 0 : a < b;
}

static node_id heaviest_child(const struct totals *t, node_id above)
{
	const struct calltree *tree = t->view->tree;
	node_id best = NODE_ROOT;

	for (node_id k = above + 1; k < tree->end[above]; k = tree->end[k])
		if (t->total[k] > 0 && t->view->frames[tree->frame[k]].category != CATEGORY_IDLE &&
		    (best == NODE_ROOT ||
		     is_heavier(t, t->total[k], tree->frame[k], t->total[best], tree->frame[best])))
			best = k;
	return best;
}

size_t summary_stack(const struct totals *t, node_id **out)
{
	const struct calltree *tree = t->view->tree;
	node_id *list = NULL, node;
	size_t n = 0, cap = 0;

	for (node_id above = NODE_ROOT; tree && tree->n; above = node) {
		node = heaviest_child(t, above);
		if (node == NODE_ROOT ||
		    (above != NODE_ROOT && t->total[node] < t->total[above] - t->total[node]))
			break;
		*ARRAY_ADD(list, n, cap) = node;
	}
	*out = list;
	return n;
}

/* ---- deep recursion ---- */

uint32_t summary_recursion(const struct totals *t, frame_id *frame)
{
	const struct calltree *tree = t->view->tree;
	uint32_t most = 0;
	ALLOC_LOCAL uint32_t *count = xcalloc(t->n_frames, sizeof *count);
	ALLOC_LOCAL node_id *path = xcalloc(tree ? (size_t)tree->max_rows + 1 : 1, sizeof *path);
	size_t n = 0;

	*frame = FRAME_NONE;
	for (node_id i = 1; tree && i < tree->n; i++) {
		frame_id f = tree->frame[i];

		while (n && i >= tree->end[path[n - 1]])
			count[tree->frame[path[--n]]]--;
		path[n++] = i;
		count[f]++;
		if (t->total[i] > 0 &&
		    (count[f] > most ||
		     (count[f] == most &&
		      is_heavier(t, t->frame_total[f], f, t->frame_total[*frame], *frame)))) {
			most = count[f];
			*frame = f;
		}
	}
	return most;
}

/* ---- stretches ---- */

/* How much a function tells: own code more than dependencies, these more than the runtime. */
static int rank_of(const struct profile *p, frame_id id)
{
	const struct frame *f = profile_frame(p, id);

	return trunk_is_module(p, f)          ? 0
		: f->category == CATEGORY_APP ? RANK_OWN
					      : f->category == CATEGORY_DEPENDENCY;
}

/* The function of at least this rank that most time is charged to, as the verdict does it: the time
 * of each node to itself or to the nearest such function above it. */
static void find_charged(const struct profile *p, const struct totals *t, int rank,
			 struct stretch *s)
{
	const struct calltree *tree = t->view->tree;
	/* By row: of the nodes above the next one. */
	frame_id best = FRAME_NONE;
	ALLOC_LOCAL frame_id *owner = xcalloc((size_t)tree->max_rows + 1, sizeof *owner);
	ALLOC_LOCAL int64_t *ns = xcalloc(t->n_frames, sizeof *ns);

	for (node_id i = 1; i < tree->n; i = t->total[i] ? i + 1 : tree->end[i]) {
		frame_id f = tree->frame[i], *of = &owner[tree->rows[i]];

		*of = rank_of(p, view_frame_id(t->view, f)) >= rank ? f : of[-1];
		ns[*of] += t->self[i];
	}
	ns[FRAME_NONE] = 0;
	for (uint32_t i = 0; i < t->n_used; i++)
		if (ns[t->used[i]] >= (s->t1 - s->t0) / TENTH &&
		    is_heavier(t, ns[t->used[i]], t->used[i], ns[best], best))
			best = t->used[i];
	s->most = view_frame_id(t->view, best);
	s->most_ns = ns[best];
}

static void find_most(const struct profile *p, const struct totals *t, struct stretch *s)
{
	int64_t gc = summary_gc(t);

	s->most = FRAME_NONE;
	for (uint32_t i = 0; i < t->n_used && gc > (s->t1 - s->t0) / 2; i++) {
		frame_id id = view_frame_id(t->view, t->used[i]);

		if (!summary_is_gc(p, profile_frame(p, id)))
			continue;
		s->most = id;
		s->most_ns = gc;
		return;
	}
	for (int rank = RANK_OWN; rank >= 0 && t->view->tree && s->most == FRAME_NONE; rank--)
		find_charged(p, t, rank, s);
}

/* Find the functions that a stretch is described by, from its totals. */
static void find_owner(const struct profile *p, const struct totals *t, struct stretch *s)
{
	const struct view *view = t->view;
	frame_id leaf = FRAME_NONE;
	node_id outer = view->tree ? heaviest_child(t, NODE_ROOT) : NODE_ROOT;

	s->outer = outer == NODE_ROOT ? FRAME_NONE : view_frame_id(view, view->tree->frame[outer]);
	for (uint32_t i = 0; i < t->n_used; i++)
		if (leaf == FRAME_NONE || t->frame_self[t->used[i]] > t->frame_self[leaf])
			leaf = t->used[i];
	s->leaf = view_frame_id(view, leaf);
	find_most(p, t, s);
}

/* The same of all stretches, lane by lane: one view and its totals serve all of a lane. */
static void find_owners(const struct profile *p, const struct stretches *busy)
{
	ALLOC_LOCAL uint8_t *is_done = xcalloc(busy->n ? busy->n : 1, 1);

	for (size_t i = 0; i < busy->n; i++) {
		struct view view;
		struct totals totals;
		struct totals_few few = { .totals = &totals };

		if (is_done[i])
			continue;
		view_init_lane(&view, p, busy->list[i].lane);
		totals_init(&totals, &view);
		for (size_t k = i; k < busy->n; k++) {
			struct stretch *s = &busy->list[k];

			if (s->lane != busy->list[i].lane)
				continue;
			is_done[k] = 1;
			totals_few_compute(&few, s->t0, s->t1);
			find_owner(p, &totals, s);
		}
		totals_few_done(&few);
		totals_done(&totals);
		view_done(&view);
	}
}

void summary_stretches(const struct summary_range *range, struct stretches found[2])
{
	for (uint32_t i = 0; i < range->n_lanes; i++) {
		const struct lane *lane = range->lanes[i];
		int64_t from = range->t0, to = range->t1;

		if (lane->has_timeline && lane_clip(lane, &from, &to))
			stretches_add(found, range->profile, lane, from, to);
	}
	stretches_settle(&found[0]);
	stretches_settle(&found[1]);
	find_owners(range->profile, &found[1]);
}

/* ---- hot lines ---- */

SORT_ORDER(hottest_first, struct hot_line,
	   SORT_BY_4(y->about_ns, x->about_ns, y->ticks, x->ticks, x->frame, y->frame, x->line,
		     y->line))

/* Put a line into the list of the n hottest ones, of `most` at most; returns n. */
static size_t take_line(struct hot_line *list, size_t n, size_t most, const struct hot_line *line)
{
	size_t at;

	if (n == most && (!n || hottest_first(line, &list[n - 1]) > 0))
		return n;
	n += n < most;
	for (at = n - 1; at > 0 && hottest_first(line, &list[at - 1]) < 0; at--)
		list[at] = list[at - 1];
	list[at] = *line;
	return n;
}

#define LINES_FEW 100 /* more are sorted */

size_t summary_lines(const struct summary_range *range, size_t most, struct hot_line **out,
		     size_t *all)
{
	struct line_times times = { 0 };
	struct hot_line *list;
	size_t n = 0;

	for (uint32_t i = 0; i < range->n_lanes; i++) {
		const struct lane *lane = range->lanes[i];
		int64_t from = range->t0, to = range->t1;

		lane_clip(lane, &from, &to);
		/* Of files without times of samples there are only ticks. */
		times.keeps_empty = range->t0 <= lane->t0 && range->t1 >= lane->t1;
		line_times_add(&times, range->profile, lane, from, to, NULL);
	}
	if (range->n_lanes > 1)
		line_times_finish(&times, range->profile);
	*all = 0;
	list = xcalloc((most <= LINES_FEW ? most : times.n) + 1, sizeof *list);
	for (size_t i = 0; i < times.n; i++) {
		const struct line_time *t = &times.list[i];
		const struct hot_line line = { t->frame, t->line, t->ticks, t->ns };

		if (t->is_whole)
			continue;
		++*all;
		if (most <= LINES_FEW)
			n = take_line(list, n, most, &line);
		else
			list[n++] = line;
	}
	if (n && most > LINES_FEW)
		qsort(list, n, sizeof *list, hottest_first);
	line_times_done(&times);
	*out = list;
	return n < most ? n : most;
}

/* ---- what stands out ---- */

/* The function with most self time; frames with a category of their own do not count. */
static frame_id heaviest_function(const struct totals *t)
{
	frame_id best = FRAME_NONE;

	for (uint32_t i = 0; i < t->n_used; i++) {
		frame_id f = t->used[i];
		const struct frame *frame = &t->view->frames[f];

		if (frame->category != CATEGORY_IDLE && !summary_is_gc(t->profile, frame) &&
		    (best == FRAME_NONE || t->frame_self[f] > t->frame_self[best]))
			best = f;
	}
	return best;
}

static size_t add_stretches(const struct totals *t, const struct stretches found[2],
			    struct standout *out)
{
	size_t n = 0;

	for (int is_busy = 1; is_busy >= 0; is_busy--) {
		const struct stretch *s = found[is_busy].list;
		int64_t ns = found[is_busy].n ? s->t1 - s->t0 : 0;

		if (ns >= BUSY_MIN && (is_busy || ns >= (t->t1 - t->t0) / 10))
			out[n++] = (struct standout){ .kind = is_busy ? STANDOUT_BUSY
								      : STANDOUT_PAUSE,
						      .stretch = *s };
	}
	return n;
}

/* Ticks have no times: they describe a range only if it is the whole. */
static void find_line(const struct totals *t, const struct lane *const *lanes, uint32_t n_lanes,
		      struct standout *f)
{
	const struct summary_range range = { t->profile, lanes, n_lanes, t->t0, t->t1 };
	ALLOC_LOCAL struct hot_line *list = NULL;
	size_t n, all, i = 0;

	for (uint32_t k = 0; k < n_lanes; k++)
		if (t->t0 > lanes[k]->t0 || t->t1 < lanes[k]->t1)
			return;
	n = summary_lines(&range, SIZE_MAX, &list, &all);
	while (i < n && list[i].frame != f->frame)
		i++;
	if (i < n) {
		f->line = list[i].line;
		f->line_ns = list[i].about_ns;
	}
}

size_t summary_standouts(const struct totals *t, const struct lane *const *lanes, uint32_t n_lanes,
			 int64_t whole, const struct stretches found[2],
			 struct standout out[STANDOUT_COUNT])
{
	int64_t gc = summary_gc(t);
	frame_id best = heaviest_function(t), deep;
	uint32_t depth = summary_recursion(t, &deep);
	size_t n = 0;

	if (best != FRAME_NONE && t->frame_self[best] > whole / 10 * 3) {
		out[n] = (struct standout){ .kind = STANDOUT_FUNCTION,
					    .frame = best,
					    .part = t->frame_self[best],
					    .whole = whole };
		find_line(t, lanes, n_lanes, &out[n++]);
	}
	if (gc > whole / 10)
		out[n++] = (struct standout){ .kind = STANDOUT_GC, .part = gc, .whole = whole };
	n += add_stretches(t, found, &out[n]);
	if (depth >= RECURSION_MIN)
		out[n++] = (struct standout){ .kind = STANDOUT_RECURSION,
					      .frame = deep,
					      .count = depth };
	return n;
}
