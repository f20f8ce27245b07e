/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums are arrays by index, not hash tables: groups and functions are counted when a lane is
 * charged. */
#include "config.h"

#include "findings/finding_window.h"

#include "base/thread.h"
#include "model/span_find.h"

#include <stdlib.h>
#include <string.h>

/* ==== finding dense ====
 *
 * The stretch moves over the samples. For each set a ring has the runs of its samples inside the
 * stretch that ends with the last sample; the oldest run is cut where the stretch begins.
 * Invariant: `ns` is the length of all runs of the ring.
 *
 * Where the lane has blocks, the samples of most of them are left out. The blocks that a stretch
 * can reach limit its time. The block with the highest limit is searched first; then, in the order
 * of time, only those whose limit is not below what was found there. */

#define SETS_MAX 15u
#define MANY_BLOCKS 200u /* below that a second thread costs more than it saves */
#define IS_GC 0x8000u    /* instead of the sets of a leaf: garbage collection below no stack */

struct run {
	int64_t t0, t1;
};

struct finding_stretch {
	int64_t ns;     /* time of the keys in it, */
	int64_t t0;     /* and where that begins, unless ns is 0: the first such stretch */
	int64_t run_ns; /* the longest time of the keys without another sample between */
};

struct set {
	struct run *runs; /* a queue: [first, n) */
	size_t first, n, cap;
	int64_t ns;
	int64_t run_t0; /* when the last run began, before it was cut */
	struct finding_stretch found;
	int64_t *until; /* by block: its time, then that of all blocks up to it */
	int64_t least;  /* what it has at least */
	char apart[64]; /* from the next one, which another thread may search */
};

/* The search of one set after the other, or in several threads, each of a part of a set. */
struct seek {
	struct finding_dense *dense;
	struct charge_times *times; /* borrowed; reads samples */
	struct set *part;           /* what is searched of a set; NULL: all of it */
	unsigned at;                /* the set */
	bool has_set;               /* it has begun */
	bool has_ring;              /* its ring is that of the next sample */
	bool has_least;             /* its `least` is known */
	size_t block;               /* the next one */
	size_t stop;                /* the samples before this one are searched */
};

struct finding_dense {
	struct charge_times *times;
	uint16_t *mask;
	uint16_t *of_leaf; /* by node: the same bits, of samples with it as the leaf */
	unsigned n;
	unsigned whole; /* bits of the sets that need all samples */
	unsigned gc;    /* bits of the sets that have time of garbage collection */
	int64_t length;
	struct set sets[SETS_MAX];
	struct phases phases;
	/* The blocks that have samples of the window: their size, the first one, their number, and
	 * for each the first sample that a stretch that ends in it can have. */
	size_t size, first, n_blocks;
	size_t from; /* the first sample of the window */
	size_t *reach;
	size_t block; /* the next one */
	struct seek seek;
};

static void set_leaves(struct finding_dense *d)
{
	const struct charge_stacks *stacks = d->times->stacks;

	d->of_leaf = xcalloc(stacks->lane->tree.n, sizeof *d->of_leaf);
	for (uint32_t i = 0; i < stacks->n; i++) {
		node_id leaf = stacks->node[i], node = leaf;
		uint32_t stack = i;
		bool is_gc = stacks->kind[leaf] == CHARGE_GC;

		if (is_gc)
			node = charge_stacks_below_gc(stacks, leaf);
		if (is_gc)
			stack = charge_stacks_before(stacks, node);
		d->of_leaf[leaf] = is_gc && node == NODE_ROOT ? IS_GC
							      : d->mask[CHARGE_KEY(stack, is_gc)];
		d->gc |= d->mask[CHARGE_KEY(i, 1)];
	}
}

/* Begin a search in the window of `times`, which are complete; it goes through the samples of them.
 * mask: by key; bit i is set if set i has it; taken. n: number of sets, 15 at most. runs: the bits
 * of those whose run_ns is wanted. times: borrowed. */
static struct finding_dense *finding_dense_begin(struct charge_times *times, uint16_t *mask,
						 unsigned n, unsigned runs, int64_t length)
{
	struct finding_dense *d = xcalloc(1, sizeof *d);
	unsigned all = (1u << n) - 1;

	*d = (struct finding_dense){ .times = times, .mask = mask, .n = n, .length = length };
	d->seek = (struct seek){ .dense = d, .times = times };
	charge_times_rewind(times);
	d->size = blocks_size(times->lane->samples.blocks);
	d->whole = d->size && times->next < times->end ? runs & all : all;
	set_leaves(d);
	return d;
}

/* Free everything, also before the search is complete. NULL is allowed. */
static void finding_dense_end(struct finding_dense *d)
{
	if (!d)
		return;
	for (unsigned i = 0; i < d->n; i++) {
		free(d->sets[i].runs);
		free(d->sets[i].until);
	}
	free(d->of_leaf);
	free(d->reach);
	free(d->mask);
	free(d);
}

/* ---- the ring ---- */

static void push(struct set *set, int64_t t0, int64_t t1)
{
	if (set->n > set->first && set->runs[set->n - 1].t1 == t0) {
		set->runs[set->n - 1].t1 = t1;
	} else {
		if (set->n == set->cap && set->first > set->n / 2) {
			memmove(set->runs, set->runs + set->first,
				(set->n - set->first) * sizeof *set->runs);
			set->n -= set->first;
			set->first = 0;
		}
		*ARRAY_ADD(set->runs, set->n, set->cap) = (struct run){ t0, t1 };
		set->run_t0 = t0;
	}
	set->ns += t1 - t0;
	if (t1 - set->run_t0 > set->found.run_ns)
		set->found.run_ns = t1 - set->run_t0;
}

static void cut(struct set *set, int64_t from)
{
	while (set->first < set->n && set->runs[set->first].t0 < from) {
		struct run *r = &set->runs[set->first];

		if (r->t1 > from) {
			set->ns -= from - r->t0;
			r->t0 = from;
			return;
		}
		set->ns -= r->t1 - r->t0;
		set->first++;
	}
}

static void add(struct set *set, int64_t t0, int64_t t1, int64_t length)
{
	push(set, t0, t1);
	cut(set, t1 - length);
	if (set->ns > set->found.ns) {
		set->found.ns = set->ns;
		set->found.t0 = set->runs[set->first].t0;
	}
}

/* Add the samples before `stop` to the sets of these bits. */
static bool add_samples(struct seek *k, size_t stop, unsigned bits, struct budget *budget)
{
	struct finding_dense *d = k->dense;
	struct charge_times *times = k->times;
	const node_id *leaf = times->lane->samples.leaf;
	int64_t t0, t1;

	while (times->next < stop) {
		size_t i = times->next++;
		unsigned mask = d->of_leaf[leaf[i]];

		if (mask == IS_GC) {
			/* The sets that have a sample of garbage collection. */
			const struct charge_stacks *stacks = times->stacks;
			node_id node = charge_times_stack(times, i);

			mask = d->mask[CHARGE_KEY(charge_stacks_before(stacks, node), 1)];
		}
		mask &= bits;
		if (mask && charge_times_clip(times, i, &t0, &t1))
			for (; mask; mask &= mask - 1)
				add(k->part ? k->part : &d->sets[__builtin_ctz(mask)], t0, t1,
				    d->length);
		if (budget_use(budget, 1))
			return false;
	}
	return true;
}

static bool add_all(void *ctx, struct budget *budget)
{
	struct finding_dense *d = ctx;

	return !d->whole || add_samples(&d->seek, d->times->end, d->whole, budget);
}

/* ---- limits ---- */

/* A block, and the entries of it that were visited. */
struct visit {
	struct finding_dense *dense;
	size_t block, n;
};

static void add_leaf(void *ctx, node_id leaf, int64_t ns)
{
	struct visit *v = ctx;
	struct finding_dense *d = v->dense;
	unsigned mask = d->of_leaf[leaf] == IS_GC ? d->gc : d->of_leaf[leaf];

	for (mask &= ~d->whole; mask; mask &= mask - 1)
		d->sets[__builtin_ctz(mask)].until[v->block] += ns;
	v->n++;
}

BLOCKS_MANY(add_leaves, add_leaf)

/* Whether work that has not begun is to be done at once, on threads. */
static bool is_for_threads(const struct finding_dense *d, bool has_begun,
			   const struct budget *budget)
{
	return !has_begun && d->n_blocks >= MANY_BLOCKS && budget_is_unlimited(budget);
}

static size_t add_block(struct finding_dense *d, size_t block)
{
	struct visit visit = { d, block, 1 };
	const struct blocks_visitor visitor = { &visit, add_leaves, add_leaf, NULL };
	const struct samples *s = &d->times->lane->samples;
	size_t begin = (d->first + block) * d->size, i = begin > d->from ? begin : d->from,
	       reach = samples_find(s, samples_time(s, i) - d->length);

	blocks_one(s->blocks, d->first + block, &visitor);
	d->reach[block] = reach > d->from ? reach : d->from;
	return visit.n;
}

static void add_some_blocks(void *ctx, size_t from, size_t end)
{
	for (size_t block = from; block < end; block++)
		add_block(ctx, block);
}

static bool add_blocks(void *ctx, struct budget *budget)
{
	struct finding_dense *d = ctx;

	if (d->whole == (1u << d->n) - 1)
		return true;
	if (!d->reach) {
		charge_times_rewind(d->times);
		d->from = d->times->next;
		d->first = d->from / d->size;
		d->n_blocks = (d->times->end - 1) / d->size + 1 - d->first;
		d->reach = xmalloc(d->n_blocks * sizeof *d->reach);
		for (unsigned i = 0; i < d->n; i++)
			if (!(d->whole >> i & 1))
				d->sets[i].until = xcalloc(d->n_blocks, sizeof *d->sets[i].until);
	}
	if (is_for_threads(d, d->block > 0, budget)) {
		parallel_parts(d->n_blocks, add_some_blocks, d);
		return true;
	}
	while (d->block < d->n_blocks)
		if (budget_use(budget, (uint32_t)add_block(d, d->block++)))
			return false;
	return true;
}

/* The most time that a stretch can have that ends in a block. */
static int64_t limit_of(const struct finding_dense *d, unsigned set, size_t block)
{
	const int64_t *until = d->sets[set].until;
	size_t first = d->reach[block] / d->size - d->first;

	return until[block] - (first ? until[first - 1] : 0);
}

/* ---- the search ---- */

static void begin_set(struct seek *k)
{
	const struct finding_dense *d = k->dense;
	int64_t *until = d->sets[k->at].until;
	size_t best = 0;

	for (size_t i = 1; i < d->n_blocks; i++)
		until[i] += until[i - 1];
	for (size_t i = 1; i < d->n_blocks; i++)
		if (limit_of(d, k->at, i) > limit_of(d, k->at, best))
			best = i;
	k->block = best;
	k->stop = 0;
	k->has_ring = k->has_least = false;
}

static struct set *set_of(const struct seek *k)
{
	return k->part ? k->part : &k->dense->sets[k->at];
}

/* Search the stretches that end in k->block. What lies between them and the last ones is searched,
 * too, unless it is further away than the beginning of a stretch. */
static bool search_block(struct seek *k, struct budget *budget)
{
	struct finding_dense *d = k->dense;
	struct set *set = set_of(k);

	if (k->stop == 0) {
		if (!k->has_ring || k->times->next < d->reach[k->block]) {
			set->first = set->n = 0;
			set->ns = 0;
			charge_times_go_to(k->times, d->reach[k->block]);
		}
		k->has_ring = true;
		k->stop = (d->first + k->block + 1) * d->size;
		if (k->stop > k->times->end)
			k->stop = k->times->end;
	}
	if (!add_samples(k, k->stop, 1u << k->at, budget))
		return false;
	k->stop = 0;
	return true;
}

/* Find what the set has at least: in the block with the highest limit. */
static bool find_least(struct seek *k, struct budget *budget)
{
	struct set *set = set_of(k);

	if (!search_block(k, budget))
		return false;
	set->least = set->found.ns;
	set->found = (struct finding_stretch){ 0 };
	k->has_least = true;
	k->has_ring = false;
	k->block = 0;
	return true;
}

/* Search the blocks before `end`. A stretch that is full is the best one, and the first. */
static bool search_blocks(struct seek *k, size_t end, struct budget *budget)
{
	const struct finding_dense *d = k->dense;
	const struct set *set = set_of(k);

	for (; k->block < end && set->found.ns < d->length; k->block++) {
		int64_t limit = limit_of(d, k->at, k->block);

		if (k->stop == 0 && (limit < d->sets[k->at].least || limit <= set->found.ns))
			continue;
		if (!search_block(k, budget))
			return false;
	}
	return true;
}

static void end_set(struct set *set)
{
	free(set->until);
	set->until = NULL;
}

/* Search the set `at`, unless it needed all samples. */
static bool search_one(struct seek *k, struct budget *budget)
{
	const struct finding_dense *d = k->dense;

	if (d->whole >> k->at & 1)
		return true;
	if (!k->has_set)
		begin_set(k);
	k->has_set = true;
	if ((!k->has_least && !find_least(k, budget)) || !search_blocks(k, d->n_blocks, budget))
		return false;
	k->has_set = false;
	end_set(&k->dense->sets[k->at]);
	return true;
}

/* ---- the search in several threads ----
 *
 * Each has a reader of its own. The blocks of a set are several parts: mostly one set is much more
 * work than the others. */

#define PARTS 8u

struct parts {
	struct finding_dense *dense;
	struct set list[SETS_MAX * PARTS];
};

static void find_some_least(void *ctx, size_t from, size_t end)
{
	struct finding_dense *d = ((struct parts *)ctx)->dense;
	struct charge_times times = *d->times;
	struct seek k = { .dense = d, .times = &times };

	for (k.at = (unsigned)from; k.at < end; k.at++) {
		if (d->whole >> k.at & 1)
			continue;
		begin_set(&k);
		find_least(&k, BUDGET_UNLIMITED);
	}
}

static void search_some(void *ctx, size_t from, size_t end)
{
	struct parts *parts = ctx;
	struct finding_dense *d = parts->dense;
	struct charge_times times = *d->times;

	for (size_t i = from; i < end; i++) {
		struct seek k = { .dense = d,
				  .times = &times,
				  .part = &parts->list[i],
				  .at = (unsigned)(i / PARTS),
				  .block = i % PARTS * d->n_blocks / PARTS };

		if (!(d->whole >> k.at & 1))
			search_blocks(&k, (i % PARTS + 1) * d->n_blocks / PARTS, BUDGET_UNLIMITED);
	}
}

static void search_parts(struct finding_dense *d)
{
	struct parts *parts = xcalloc(1, sizeof *parts);

	parts->dense = d;
	parallel_parts(d->n, find_some_least, parts);
	parallel_parts((size_t)d->n * PARTS, search_some, parts);
	for (size_t i = 0; i < (size_t)d->n * PARTS; i++) {
		struct set *set = &d->sets[i / PARTS];

		if (parts->list[i].found.ns > set->found.ns)
			set->found = parts->list[i].found;
		free(parts->list[i].runs);
		if (i % PARTS == PARTS - 1)
			end_set(set);
	}
	free(parts);
}

static bool search(void *ctx, struct budget *budget)
{
	struct finding_dense *d = ctx;

	if (is_for_threads(d, d->seek.at > 0 || d->seek.has_set, budget)) {
		search_parts(d);
		return true;
	}
	for (; d->seek.at < d->n; d->seek.at++)
		if (!search_one(&d->seek, budget))
			return false;
	return true;
}

/* Go on; call it until it returns true. */
static bool finding_dense_work(struct finding_dense *d, struct budget *budget)
{
	static const struct phase phases[] = {
		{ .work = add_all },
		{ .work = add_blocks },
		{ .work = search },
		{ 0 },
	};

	return phases_work(&d->phases, phases, d, budget);
}

/* ==== finding window ==== */

void finding_window_init(struct finding_window *w, struct charge *charge, int64_t t0, int64_t t1)
{
	*w = (struct finding_window){ .charge = charge };
	w->has_times = charge_times_take(&charge->whole, t0, t1, &w->times);
	if (!w->has_times)
		charge_times_init(&w->times, &charge->stacks, t0, t1);
	finding_time_init(w);
}

void finding_window_done(struct finding_window *w)
{
	finding_dense_end(w->dense);
	charge_times_done(&w->times);
	finding_time_done(w);
	free(w->keys.list);
	free(w->groups);
	free(w->stamp);
	free(w->until);
	finding_tally_done(&w->tally);
	free(w->drafts);
	arena_done(&w->arena);
	*w = (struct finding_window){ 0 };
}

/* ---- sums, in phases ---- */

static size_t begin_groups(void *ctx)
{
	struct finding_window *w = ctx;
	const struct charge *c = w->charge;

	w->groups = xcalloc((size_t)c->n_groups + 1, sizeof *w->groups);
	w->stamp = xcalloc(c->profile->frames.n, sizeof *w->stamp);
	w->keys.list = xmalloc(2 * (size_t)c->stacks.n * sizeof *w->keys.list);
	/* The tally counts by frame, by group, and by mechanism, which is the most. */
	finding_tally_init(&w->tally,
			   FINDING_MECHANISM_KINDS + (size_t)c->profile->frames.n + c->n_groups +
				   c->modules.n);
	return 2 * (size_t)c->stacks.n;
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
		if (w->times.count && w->times.count[i] < count &&
		    w->charge->lane->kind != LANE_SLICES)
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

/* Get memory for the sets of keys of all groups that have time enough. */
static size_t begin_collect(void *ctx)
{
	struct finding_window *w = ctx;

	for (uint32_t i = 0; i < w->charge->n_groups; i++) {
		struct finding_group *g = &w->groups[i];

		if (i > 0 && finding_window_is_enough(w, g->ns, g->keys.samples))
			g->keys.list = arena_alloc(&w->arena, g->keys.n * sizeof *g->keys.list);
		g->keys.n = 0;
	}
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
		{ .begin = begin_groups, .items = sum_groups },
		{ .begin = begin_collect, .items = collect_keys },
		{ .begin = begin_totals, .items = sum_totals },
		{ 0 },
	};

	return phases_work(&w->phases, phases, w, budget);
}

/* ---- queries ---- */

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

uint32_t finding_window_most(struct finding_window *w, const struct finding_keys *keys,
			     uint32_t (*of)(const struct charge *c, charge_key key), int64_t *ns)
{
	uint32_t best = 0;

	for (size_t i = 0; i < keys->n; i++) {
		uint32_t index = of(w->charge, keys->list[i]);

		if (index)
			finding_tally_add(&w->tally, index, w->times.ns[keys->list[i]]);
	}
	finding_tally_largest(&w->tally, &best);
	*ns = w->tally.ns[best];
	finding_tally_clear(&w->tally);
	return best;
}

/* ==== finding place ==== */

#define LENGTH_MIN (50 * NS_PER_MS)
#define LENGTH_MAX NS_PER_S
#define LENGTH_PART 20 /* of the window */
#define OUTSIDE_PERCENT 50

/* Modules are loaded once. What a program does with them is a better place, if it is most of the
 * time. */
static bool is_outside_loading(const struct finding_window *w, const struct finding_draft *d,
			       const bool *is_load)
{
	int64_t ns = 0;

	switch (d->f.kind) {
	case FINDING_OWNER:
	case FINDING_PACKAGE:
	case FINDING_FILE:
	case FINDING_SPENT:
	case FINDING_HALF:
	case FINDING_INSIDE:
		break;
	default:
		return false;
	}
	for (size_t i = 0; i < d->keys.n; i++)
		if (!is_load[d->keys.list[i]])
			ns += w->times.ns[d->keys.list[i]];
	return charge_times_has(ns, d->keys_ns, OUTSIDE_PERCENT);
}

static bool wants_place(const struct finding_window *w, const struct finding_draft *d)
{
	return finding_draft_stands(d) && !d->has_place && d->keys.n &&
		lane_has_times(w->charge->lane);
}

/* The search for all drafts that have no place. Bit i is that of the i-th of them. */
static struct finding_dense *begin_places(struct finding_window *w)
{
	int64_t length = (w->times.t1 - w->times.t0) / LENGTH_PART;
	size_t n_keys = 2 * (size_t)w->charge->stacks.n;
	uint16_t *mask = xcalloc(n_keys, sizeof *mask);
	ALLOC_LOCAL bool *is_load = xcalloc(n_keys, sizeof *is_load);
	unsigned n = 0, runs = 0;
	const struct charge *c = w->charge;

	length = length < LENGTH_MIN ? LENGTH_MIN : length > LENGTH_MAX ? LENGTH_MAX : length;
	/* Mark the keys with which modules are being loaded. */
	for (uint32_t g = 1; g < c->n_groups; g++) {
		const struct finding_keys *keys = &w->groups[g].keys;

		for (size_t i = 0; c->groups[g].kind == CHARGE_BY_LOAD && keys->list && i < keys->n;
		     i++)
			is_load[keys->list[i]] = true;
	}
	for (size_t k = 0; k < w->n_drafts; k++) {
		const struct finding_draft *d = &w->drafts[k];
		bool is_outside;

		if (!wants_place(w, d))
			continue;
		is_outside = is_outside_loading(w, d, is_load);
		for (size_t i = 0; i < d->keys.n; i++)
			if (!is_outside || !is_load[d->keys.list[i]])
				mask[d->keys.list[i]] |= (uint16_t)(1u << n);
		/* Sentences about regular expressions need the length of runs; others do not. */
		runs |= (d->f.kind == FINDING_REGEXP ? 1u : 0u) << n++;
	}
	return finding_dense_begin(&w->times, mask, n, runs, length);
}

static void set_places(struct finding_window *w)
{
	int64_t length = w->dense->length;
	unsigned n = 0;

	for (size_t k = 0; k < w->n_drafts; k++) {
		struct finding_draft *d = &w->drafts[k];
		const struct finding_stretch *found;

		if (!wants_place(w, d))
			continue;
		found = &w->dense->sets[n++].found;
		d->dense_ns = found->ns;
		d->run_ns = found->run_ns;
		if (!found->ns || length >= d->f.t1 - d->f.t0)
			continue;
		d->f.t0 = found->t0;
		if (d->f.t0 > w->times.t1 - length)
			d->f.t0 = w->times.t1 - length;
		d->f.t1 = d->f.t0 + length;
	}
}

bool finding_place_work(struct finding_window *w, struct budget *budget)
{
	if (!w->dense)
		w->dense = begin_places(w);
	if (!finding_dense_work(w->dense, budget))
		return false;
	set_places(w);
	finding_dense_end(w->dense);
	w->dense = NULL;
	return true;
}

/* By node: whether a sample with it as the leaf is about the draft. The caller frees it; NULL: the
 * draft has no keys. */
static uint8_t *leaves_of(const struct finding_window *w, const struct finding_draft *d)
{
	const struct charge_stacks *s = w->times.stacks;
	uint8_t *is_leaf;
	ALLOC_LOCAL uint8_t *is_gc = NULL;

	if (!d->keys.n)
		return NULL;
	is_gc = xcalloc(s->n, 1);
	is_leaf = xcalloc(s->lane->tree.n, 1);
	for (size_t i = 0; i < d->keys.n; i++) {
		uint32_t stack = CHARGE_KEY_STACK(d->keys.list[i]);

		if (CHARGE_KEY_IS_GC(d->keys.list[i]))
			is_gc[stack] = 1;
		else
			is_leaf[s->node[stack]] = 1;
	}
	for (uint32_t i = 1; i < s->n; i++)
		if (s->kind[s->node[i]] == CHARGE_GC)
			is_leaf[s->node[i]] = is_gc[charge_stacks_before(
				s, charge_stacks_below_gc(s, s->node[i]))];
	return is_leaf;
}

/* Whether the stacks of a stretch have less rows than the lane has nodes, about. */
static bool is_short(const struct lane *lane, int64_t t0, int64_t t1)
{
	size_t first, end;

	samples_range(&lane->samples, t0, t1, &first, &end);
	return (end - first) * lane->tree.max_rows < 4 * (size_t)lane->tree.n;
}

/* Find the span of the function. */
static bool find_function(const struct finding_window *w, struct finding *f, const uint8_t *is_leaf)
{
	const struct lane *lane = w->charge->lane;
	struct span_find seek;

	if (f->function == FRAME_NONE)
		return false;
	if (is_short(lane, f->t0, f->t1))
		span_find_init_stacks(&seek, lane, f->function, NULL);
	else
		span_find_init_frame(&seek, lane, f->function);
	f->has_span = span_find_heaviest(&seek, is_leaf, f->t0, f->t1, &f->span);
	span_find_done(&seek);
	return f->has_span;
}

/* Whether a function is what a group is about. */
static bool is_of_group(const struct charge *c, uint32_t group, node_id node)
{
	const struct charge_function *f = charge_function(c, node);
	const struct charge_group *g = &c->groups[group];

	switch (g->kind) {
	case CHARGE_BY_LOAD:
		return f->frame.flags & CHARGE_LOADER;
	case CHARGE_BY_BOOT:
		return f->frame.flags & CHARGE_BOOT;
	case CHARGE_BY_MODULE:
		return f->frame.module == g->id;
	case CHARGE_BY_SYNC:
		return f->frame.sync == g->id;
	case CHARGE_BY_FILE:
		return f->file == group;
	case CHARGE_BY_PACKAGE:
		return f->package == group;
	default:
		return false;
	}
}

/* The outermost call of the path of a key, with its owner, that is of the group; otherwise the
 * leaf.
 */
static node_id find_outermost(const struct charge *c, uint32_t group, charge_key key)
{
	node_id leaf = charge_key_node(c, key), owner = charge_of(c, key)->owner, found = leaf;

	for (node_id node = leaf; node != NODE_ROOT; node = c->lane->tree.parent[node]) {
		if (is_of_group(c, group, node))
			found = node;
		if (node == owner)
			break;
	}
	return found;
}

/* By node: what a draft is about that has no function, or none in its place: the calls of its
 * group, or idle time. The caller frees it. */
static uint8_t *find_wanted(const struct finding_window *w, const struct finding_draft *d)
{
	const struct charge *c = w->charge;
	uint8_t *is_wanted = xcalloc(c->lane->tree.n, 1);

	for (size_t i = 0; d->group && i < d->keys.n; i++)
		is_wanted[find_outermost(c, d->group, d->keys.list[i])] = 1;
	for (node_id i = 1; d->f.kind == FINDING_IDLE && i < c->lane->tree.n; i++)
		is_wanted[i] = c->stacks.kind[i] == CHARGE_IDLE;
	return is_wanted;
}

/* Find a span of what the draft is about. */
static void find_other(const struct finding_window *w, struct finding_draft *d,
		       const uint8_t *is_leaf)
{
	const struct lane *lane = w->charge->lane;
	ALLOC_LOCAL uint8_t *is_wanted = find_wanted(w, d);
	struct span_find seek;

	if (is_short(lane, d->f.t0, d->f.t1))
		span_find_init_stacks(&seek, lane, FRAME_NONE, is_wanted);
	else
		span_find_init_set(&seek, lane, is_wanted);
	d->f.has_span = span_find_heaviest(&seek, is_leaf, d->f.t0, d->f.t1, &d->f.span);
	span_find_done(&seek);
}

void finding_place_span(const struct finding_window *w, struct finding_draft *draft)
{
	bool has_other = draft->group || draft->f.kind == FINDING_IDLE;
	ALLOC_LOCAL uint8_t *is_leaf = NULL;

	if (!lane_has_times(w->charge->lane))
		return;
	is_leaf = leaves_of(w, draft);
	/* The function may be one of another package, which that of the finding calls. */
	if (has_other && draft->f.kind == FINDING_PACKAGE && draft->f.function != FRAME_NONE &&
	    w->charge->functions[draft->f.function].package != draft->group)
		find_other(w, draft, is_leaf);
	if (!draft->f.has_span && !find_function(w, &draft->f, is_leaf) && has_other)
		find_other(w, draft, is_leaf);
}
