/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums are arrays by index, not hash tables: groups and functions are counted when a lane is
 * charged. */
#include "config.h"

#include "findings/finding_window.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/units.h"
#include "findings/charge.h"
#include "findings/finding_task.h"
#include "findings/finding_tell.h"
#include "findings/findings.h"
#include "model/source_text.h"

#include <stdlib.h>

/* ==== finding period ====
 *
 * A run begins when a function has been absent for some time. The interval is the median distance
 * of two beginnings; a beat that no sample has hit makes a distance of two or more intervals. */

#define ABSENT (5 * NS_PER_MS)
#define RUNS_MIN 8
#define REGULAR_PERCENT 70 /* of the distances */
#define BEATS_MAX 4        /* intervals that may lie between two runs */
#define INTERVAL_MAX NS_PER_S

static void finding_period_init(struct finding_periods *p, const struct charge *charge)
{
	bool has_timer = false;

	*p = (struct finding_periods){ .charge = charge };
	for (uint32_t i = 1; lane_has_times(charge->lane) && i < charge->stacks.n && !has_timer;
	     i++)
		has_timer = charge->nodes[i].timer != FRAME_NONE;
	if (has_timer)
		p->of = xcalloc(charge->profile->frames.n, sizeof *p->of);
}

static void finding_period_done(struct finding_periods *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->list[i].starts);
	free(p->list);
	free(p->of);
	*p = (struct finding_periods){ 0 };
}

void finding_period_add(struct finding_periods *p, const struct charge_sample *s)
{
	frame_id f = charge_of(p->charge, s->key)->timer;
	struct finding_runs *r;

	if (!p->of || f == FRAME_NONE || s->kind == CHARGE_IDLE)
		return;
	if (!p->of[f]) {
		p->list = xgrow(p->list, &p->cap, p->n + 1, sizeof *p->list);
		p->list[p->n++] = (struct finding_runs){ .function = f, .last = INT64_MIN / 2 };
		p->of[f] = (uint32_t)p->n;
	}
	r = &p->list[p->of[f] - 1];
	if (s->t0 - r->last > ABSENT) {
		r->starts = xgrow(r->starts, &r->cap, r->n + 1, sizeof *r->starts);
		r->starts[r->n++] = s->t0;
	}
	r->last = s->t1;
	r->ns += s->t1 - s->t0;
}

static int by_length(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* Whether a distance is about 1 to BEATS_MAX intervals. */
static bool is_regular(int64_t distance, int64_t interval)
{
	for (int64_t k = 1; k <= BEATS_MAX; k++) {
		int64_t off = distance - k * interval;

		if ((off < 0 ? -off : off) < interval / 5)
			return true;
	}
	return false;
}

/* The interval of the runs, 0: they are not regular. */
static int64_t interval_of(const struct finding_runs *r)
{
	int64_t *distances, interval;
	size_t n = r->n - 1, regular = 0;

	if (r->n < RUNS_MIN)
		return 0;
	distances = xcalloc(n, sizeof *distances);
	for (size_t i = 0; i < n; i++)
		distances[i] = r->starts[i + 1] - r->starts[i];
	qsort(distances, n, sizeof *distances, by_length);
	interval = distances[n / 2];
	for (size_t i = 0; i < n && interval <= INTERVAL_MAX; i++)
		regular += is_regular(distances[i], interval);
	free(distances);
	return regular * 100 >= n * REGULAR_PERCENT ? interval : 0;
}

const struct finding_runs *finding_period_find(struct finding_periods *p, int64_t *ns)
{
	const struct finding_runs *best = NULL;

	*ns = 0;
	for (size_t i = 0; i < p->n; i++) {
		int64_t interval = interval_of(&p->list[i]);

		if (p->list[i].n < RUNS_MIN || (*ns && !interval) ||
		    (best && !*ns == !interval && p->list[i].ns <= best->ns))
			continue;
		best = &p->list[i];
		*ns = interval;
	}
	return best;
}

/* ==== finding window ==== */

#define UNDER_PERCENT 60

void finding_window_init(struct finding_window *w, struct charge *charge, int64_t t0, int64_t t1)
{
	*w = (struct finding_window){ .charge = charge };
	w->has_times = charge_take_times(charge, t0, t1, &w->times);
	if (!w->has_times)
		charge_times_init(&w->times, &charge->stacks, t0, t1);
	finding_slice_init(&w->slices, charge);
	finding_task_init(&w->tasks, charge, w->times.t0, w->times.t1, w->slices.has_tasks);
	finding_period_init(&w->periods, charge);
}

void finding_window_done(struct finding_window *w)
{
	charge_times_done(&w->times);
	finding_slice_done(&w->slices);
	finding_task_done(&w->tasks);
	finding_period_done(&w->periods);
	free(w->keys.list);
	free(w->groups);
	free(w->stamp);
	free(w->until);
	finding_tally_done(&w->tally);
	free(w->drafts);
	arena_done(&w->arena);
	*w = (struct finding_window){ 0 };
}

static int64_t key_ns(const struct finding_window *w, charge_key key)
{
	return w->times.ns[key];
}

/* ---- sums, in phases ---- */

static size_t begin_counts(void *ctx)
{
	struct finding_window *w = ctx;
	const struct charge *c = w->charge;
	/* The tally counts by frame, by group, and by mechanism, which is the most. */
	size_t n_tally = FINDING_MECHANISM_KINDS + (size_t)c->profile->frames.n + c->n_groups +
		c->modules.n;

	w->groups = xcalloc((size_t)c->n_groups + 1, sizeof *w->groups);
	w->stamp = xcalloc(c->profile->frames.n, sizeof *w->stamp);
	finding_tally_init(&w->tally, n_tally);
	return 2 * (size_t)c->stacks.n;
}

/* Count the keys that have time. */
static void count_keys(void *ctx, size_t from, size_t end)
{
	struct finding_window *w = ctx;

	for (size_t i = from; i < end; i++)
		w->n_keys += w->times.ns[i] > 0;
}

static size_t begin_groups(void *ctx)
{
	struct finding_window *w = ctx;

	w->keys.list = xcalloc(w->n_keys, sizeof *w->keys.list);
	return 2 * (size_t)w->charge->stacks.n;
}

/* Add these keys to the sums of their groups. */
static void sum_groups(void *ctx, size_t from, size_t end)
{
	struct finding_window *w = ctx;

	for (size_t i = from; i < end; i++) {
		uint32_t groups[CHARGE_GROUPS], count = CHARGE_SAMPLES_MIN;
		unsigned k;

		if (w->times.ns[i] <= 0)
			continue;
		if (w->times.count && w->times.count[i] < count)
			count = w->times.count[i];
		w->keys.list[w->keys.n++] = (charge_key)i;
		k = charge_groups_of(w->charge, (charge_key)i, groups);
		while (k-- > 0) {
			struct finding_group *g = &w->groups[groups[k]];

			g->ns += w->times.ns[i];
			if (g->keys.samples < CHARGE_SAMPLES_MIN)
				g->keys.samples += count;
			g->keys.n++;
		}
	}
}

static size_t begin_sets(void *ctx)
{
	const struct finding_window *w = ctx;

	return w->charge->n_groups;
}

/* Get memory for the sets of keys of all groups that have time enough. */
static void make_sets(void *ctx, size_t from, size_t end)
{
	struct finding_window *w = ctx;

	for (size_t i = from; i < end; i++) {
		struct finding_group *g = &w->groups[i];

		if (i > 0 && finding_window_is_enough(w, g->ns, g->keys.samples))
			g->keys.list = arena_alloc(&w->arena, g->keys.n * sizeof *g->keys.list);
		g->keys.n = 0;
	}
}

static size_t begin_collect(void *ctx)
{
	const struct finding_window *w = ctx;

	return w->keys.n;
}

static void collect_keys(void *ctx, size_t from, size_t end)
{
	struct finding_window *w = ctx;

	for (size_t i = from; i < end; i++) {
		uint32_t groups[CHARGE_GROUPS];
		unsigned k = charge_groups_of(w->charge, w->keys.list[i], groups);

		while (k-- > 0) {
			struct finding_keys *keys = &w->groups[groups[k]].keys;

			if (keys->list)
				keys->list[keys->n++] = w->keys.list[i];
		}
	}
}

static size_t begin_totals(void *ctx)
{
	struct finding_window *w = ctx;
	uint32_t n = w->charge->stacks.n;

	w->until = xmalloc(((size_t)n + 1) * sizeof *w->until);
	w->until[0] = 0;
	return n;
}

static void sum_totals(void *ctx, size_t from, size_t end)
{
	struct finding_window *w = ctx;

	for (size_t i = from; i < end; i++)
		w->until[i + 1] = w->until[i] + charge_stack_ns(w->charge, &w->times, (uint32_t)i);
}

bool finding_window_sum(struct finding_window *w, struct budget *budget)
{
	static const struct phase phases[] = {
		{ .begin = begin_counts, .items = count_keys },
		{ .begin = begin_groups, .items = sum_groups },
		{ .begin = begin_sets, .items = make_sets },
		{ .begin = begin_collect, .items = collect_keys },
		{ .begin = begin_totals, .items = sum_totals },
		{ 0 },
	};

	return phases_work(&w->phases, phases, w, budget);
}

/* ---- queries ---- */

int32_t finding_window_share(const struct finding_window *w, int64_t ns)
{
	return w->times.busy > 0 ? (int32_t)((double)ns * 1e6 / (double)w->times.busy) : 0;
}

bool finding_window_is_enough(const struct finding_window *w, int64_t ns, uint64_t count)
{
	return count >= CHARGE_SAMPLES_MIN && finding_window_share(w, ns) >= CHARGE_SHARE_MIN;
}

struct finding_draft *finding_window_add(struct finding_window *w, enum finding_kind kind,
					 int64_t ns, int32_t weight)
{
	struct finding_draft *d;

	w->drafts = xgrow(w->drafts, &w->drafts_cap, w->n_drafts + 1, sizeof *w->drafts);
	d = &w->drafts[w->n_drafts++];
	*d = (struct finding_draft){
		.f = {
			.kind = kind,
			.lane = w->charge->lane,
			.t0 = w->times.t0,
			.t1 = w->times.t1,
			.ns = ns,
			.whole = w->times.busy,
			.score = (int32_t)((int64_t)finding_window_share(w, ns) * weight / 1000000),
		},
	};
	return d;
}

/* Add time of an owner to the own functions from it outwards, up to a package. */
static void add_callers(struct finding_window *w, node_id owner, int64_t ns)
{
	const struct charge *c = w->charge;
	const struct calltree *tree = &c->lane->tree;

	w->stamps++;
	for (node_id i = owner; i != NODE_ROOT; i = tree->parent[i]) {
		const struct charge_function *fn = charge_function(c, i);

		if (fn->is_own && w->stamp[tree->frame[i]] != w->stamps &&
		    !(fn->frame.flags & CHARGE_TOP)) {
			w->stamp[tree->frame[i]] = w->stamps;
			finding_tally_add(&w->tally, tree->frame[i], ns);
		}
		if (!fn->is_own && fn->frame.flags & CHARGE_DEPENDENCY)
			return;
	}
}

/* Keys that follow each other often have one owner. */
static int64_t add_owners(struct finding_window *w, const struct finding_keys *keys)
{
	const struct charge *c = w->charge;
	int64_t all = 0;

	for (size_t i = 0; i < keys->n;) {
		node_id owner = charge_of(c, keys->list[i])->owner;
		int64_t ns = 0;

		for (; i < keys->n && charge_of(c, keys->list[i])->owner == owner; i++)
			ns += key_ns(w, keys->list[i]);
		add_callers(w, owner, ns);
		all += ns;
	}
	return all;
}

int64_t finding_window_below(const struct finding_window *w, const struct finding_keys *keys,
			     uint32_t package)
{
	const struct calltree *tree = &w->charge->lane->tree;
	node_id end = NODE_ROOT, node = 1; /* `end`: of the outermost call of the package */
	int64_t ns = 0;

	for (size_t i = 0; i < keys->n; i++) {
		node_id at = charge_key_node(w->charge, keys->list[i]);

		for (; node <= at; node++) {
			const struct charge_function *fn = charge_function(w->charge, node);

			if (node >= end && fn->package == package &&
			    fn->frame.flags & CHARGE_DEPENDENCY)
				end = tree->end[node];
		}
		ns += at < end ? w->times.ns[keys->list[i]] : 0;
	}
	return ns;
}

frame_id finding_window_under(struct finding_window *w, const struct finding_keys *keys,
			      int64_t *ns)
{
	const struct charge_function *functions = w->charge->functions;
	struct finding_tally *t = &w->tally;
	frame_id best = FRAME_NONE;
	int64_t all = add_owners(w, keys);

	for (size_t i = 0; i < t->n; i++) {
		frame_id f = t->used[i];

		if (!charge_times_has(t->ns[f], all, UNDER_PERCENT))
			continue;
		if (best == FRAME_NONE || t->ns[f] < t->ns[best] ||
		    (t->ns[f] == t->ns[best] && functions[f].rows > functions[best].rows))
			best = f;
	}
	*ns = best == FRAME_NONE ? 0 : t->ns[best];
	finding_tally_clear(t);
	return best;
}
