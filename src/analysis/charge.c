/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes are in preorder, so one pass over them hands all attributes from a parent to its children;
 * an own frame resets what belongs to a path. The pass is made with own code, and again in tool
 * mode if that is needed: the times of the whole lane decide.
 *
 * Pass-through: a router calls other packages, with no own frame on the stack. For the nodes
 * without an owner, the chain of distinct packages is followed from the outermost one inwards, as
 * long as the next one has most of the time; the last one gets the time. Not below an owner: there,
 * the outermost package is the one that the user's code chose. */
#include "config.h"

#include "analysis/charge.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define PASS_PERCENT 70 /* of the time of a package that the next one must have */
#define LOOP_LEAST 5    /* callbacks */
#define OWN_LEAST 10    /* percent of busy time: less is tool mode, if packages have as much */

void charge_init(struct charge *c, const struct profile *profile, const struct lane *lane)
{
	*c = (struct charge){ .profile = profile, .lane = lane };
	c->t0 = INT64_MIN;
	c->t1 = INT64_MAX;
}

void charge_done(struct charge *c)
{
	charge_times_done(&c->whole);
	free(c->functions);
	free(c->nodes);
	free(c->kinds);
	free(c->groups);
	free(c->modules.name);
	hash_table_done(&c->groups_index);
	arena_done(&c->arena);
	*c = (struct charge){ 0 };
}

/* ---- groups ---- */

static uint32_t find_group(struct charge *c, enum charge_group_kind kind, uint32_t id)
{
	uint64_t hash = hash_u64((uint64_t)kind << 32 | id);
	struct hash_probe probe = hash_probe(hash);

	while (hash_table_next(&c->groups_index, &probe))
		if (c->groups[probe.index].kind == kind && c->groups[probe.index].id == id)
			return probe.index;
	if (!c->n_groups)
		c->n_groups = 1;
	c->groups = xgrow(c->groups, &c->groups_cap, (size_t)c->n_groups + 1, sizeof *c->groups);
	c->groups[0] = (struct charge_group){ 0 };
	c->groups[c->n_groups] = (struct charge_group){ .kind = kind, .id = id };
	hash_table_add(&c->groups_index, hash, c->n_groups);
	return c->n_groups++;
}

/* The groups with a fixed number come first: kind and id give their place. */
#define GROUP_GC 1u
#define GROUP_PROGRAM 2u
#define GROUP_WAITING 3u
#define GROUP_LOAD 4u
#define GROUP_BOOT 5u
#define GROUP_SYNC 5u /* + enum charge_sync, which is 1 or more */
#define GROUP_MODULE ((uint32_t)(GROUP_SYNC + SYNC_COUNT - 1)) /* + module, which is 1 or more */

static void add_fixed_groups(struct charge *c)
{
	find_group(c, CHARGE_BY_GC, 0);
	find_group(c, CHARGE_BY_PROGRAM, 0);
	find_group(c, CHARGE_BY_WAITING, 0);
	find_group(c, CHARGE_BY_LOAD, 0);
	find_group(c, CHARGE_BY_BOOT, 0);
	for (uint32_t i = 1; i < SYNC_COUNT; i++)
		find_group(c, CHARGE_BY_SYNC, i);
	for (uint32_t i = 1; i < c->modules.n; i++)
		find_group(c, CHARGE_BY_MODULE, i);
}

unsigned charge_groups_of(const struct charge *c, charge_key key, uint32_t out[CHARGE_GROUPS])
{
	node_id node = CHARGE_KEY_NODE(key);
	const struct charge_node *n = &c->nodes[node];
	const struct charge_function *owner = charge_function(c, n->owner);
	bool is_stack = c->kinds[node] == CHARGE_STACK;
	unsigned k = 0;

	if (CHARGE_KEY_IS_GC(key)) {
		out[k++] = GROUP_GC;
	} else if (c->kinds[node] == CHARGE_WAITING) {
		out[0] = GROUP_WAITING;
		return 1;
	} else if (c->kinds[node] == CHARGE_PROGRAM) {
		out[k++] = GROUP_PROGRAM;
	}
	if (n->owner != NODE_ROOT) {
		out[k++] = owner->group;
		if (owner->file)
			out[k++] = owner->file;
	}
	if (n->package)
		out[k++] = n->package;
	else if (n->owner == NODE_ROOT && is_stack && n->module &&
		 !(n->flags & (CHARGE_IN_LOAD | CHARGE_IN_BOOT)))
		out[k++] = GROUP_MODULE + n->module;
	if (n->sync)
		out[k++] = GROUP_SYNC + c->functions[n->sync].frame.sync;
	if (n->flags & CHARGE_IN_LOAD)
		out[k++] = GROUP_LOAD;
	else if (n->flags & CHARGE_IN_BOOT && n->owner == NODE_ROOT)
		out[k++] = GROUP_BOOT;
	if (n->regexp)
		out[k++] = c->functions[n->regexp].group;
	return k;
}

/* ---- attributes ---- */

static enum charge_kind kind_of(const struct frame *f, unsigned flags)
{
	switch (f->category) {
	case CATEGORY_GC:
		return CHARGE_GC;
	case CATEGORY_IDLE:
		return CHARGE_IDLE;
	case CATEGORY_PROGRAM:
		return CHARGE_PROGRAM;
	default:
		return flags & CHARGE_SLEEPS ? CHARGE_WAITING : CHARGE_STACK;
	}
}

/* Classify all frames of the lane, and the kinds of its nodes. */
static void classify(struct charge *c)
{
	const struct calltree *tree = &c->lane->tree;
	uint8_t *is_done = xcalloc(c->profile->frames.n, 1);
	uint8_t *is_long = charge_frame_long_urls(c->profile);
	bool has_url = false, has_code = false;

	c->is_page = true;
	c->t_loop = INT64_MAX;
	c->functions = xcalloc(c->profile->frames.n, sizeof *c->functions);
	c->kinds = xcalloc(tree->n, 1);
	c->kinds[NODE_ROOT] = CHARGE_EMPTY;
	for (node_id i = 1; i < tree->n; i++) {
		frame_id id = tree->frame[i];
		const struct frame *f = &c->profile->frames.frames[id];
		unsigned flags;

		if (!is_done[id]) {
			c->functions[id].frame = charge_frame_of(c->profile, f, &c->modules,
								 &c->arena);
			c->functions[id].frame.flags |= is_long[f->url] ? CHARGE_MINIFIED : 0;
		}
		is_done[id] = 1;
		flags = c->functions[id].frame.flags;
		c->kinds[i] = (uint8_t)kind_of(f, flags);
		c->is_page &= !(flags & CHARGE_NODE);
		c->has_entry |= (flags & CHARGE_ENTRY) != 0;
		has_code |= (flags & (CHARGE_OWN | CHARGE_DEPENDENCY)) != 0;
		has_url |= f->url != 0;
	}
	add_fixed_groups(c);
	c->is_names = !has_url;
	c->is_evals = !has_code;
	for (node_id i = 1; i < tree->n; i++) {
		struct charge_function *fn = &c->functions[tree->frame[i]];
		const struct frame *f = &c->profile->frames.frames[tree->frame[i]];

		if (!fn->group && f->category == CATEGORY_REGEXP)
			fn->group = find_group(c, CHARGE_BY_REGEXP, tree->frame[i]);
		if (!fn->package && f->package && f->category == CATEGORY_DEPENDENCY)
			fn->package = find_group(c, CHARGE_BY_PACKAGE, f->package);
	}
	free(is_long);
	free(is_done);
}

/* Decide which functions count as own, and give them groups. */
static void set_own(struct charge *c, unsigned flags)
{
	const struct calltree *tree = &c->lane->tree;

	for (node_id i = 1; i < tree->n; i++) {
		struct charge_function *fn = &c->functions[tree->frame[i]];
		const struct frame *f = &c->profile->frames.frames[tree->frame[i]];

		fn->is_own = !(fn->frame.flags & (CHARGE_SLEEPS | CHARGE_BASE)) &&
			((fn->frame.flags & flags) ||
			 (c->is_names && f->category == CATEGORY_NATIVE) ||
			 (c->is_evals && f->category == CATEGORY_EVAL));
		if (!fn->is_own || fn->group)
			continue;
		fn->group = find_group(c, CHARGE_BY_OWNER, tree->frame[i]);
		fn->file = f->url ? find_group(c, CHARGE_BY_FILE, f->url) : 0;
	}
}

/* What a frame that is not own adds to the path. */
static void add_to_path(const struct charge *c, frame_id id, struct charge_node *n)
{
	const struct charge_function *fn = &c->functions[id];
	unsigned flags = fn->frame.flags;

	if (flags & CHARGE_DEPENDENCY) {
		n->inner = id;
		if (!n->package)
			n->package = fn->package;
	}
	if (c->profile->frames.frames[id].category == CATEGORY_REGEXP)
		n->regexp = id;
	if (flags & CHARGE_LOADER)
		n->flags |= CHARGE_IN_LOAD;
	if (flags & CHARGE_BOOT)
		n->flags |= CHARGE_IN_BOOT;
	if (flags & CHARGE_TIMER)
		n->flags |= CHARGE_IN_TIMER;
	if (fn->frame.sync && !n->sync && !(n->flags & CHARGE_IN_LOAD))
		n->sync = id;
	if (flags & CHARGE_NODE && !(n->flags & CHARGE_IN_MODULE)) {
		n->module = fn->frame.module;
		n->flags |= CHARGE_IN_MODULE;
	} else if (!(n->flags & CHARGE_IN_MODULE) && fn->frame.module) {
		n->module = fn->frame.module;
	}
}

/* Node `i` is an owner: what its parent handed on ends, except what is about the whole stack. */
static void start_path(const struct charge *c, node_id i, struct charge_node *n)
{
	frame_id id = c->lane->tree.frame[i];

	*n = (struct charge_node){
		.owner = i,
		.inner = id,
		.entry = n->entry,
		.timer = n->timer || !(n->flags & CHARGE_IN_TIMER) ? n->timer : id,
		.flags = n->flags & CHARGE_IN_TIMER,
		.package = c->is_tool ? c->functions[id].package : 0,
	};
}

static void add_attributes(struct charge *c)
{
	const struct calltree *tree = &c->lane->tree;

	if (!c->nodes)
		c->nodes = xmalloc(tree->n * sizeof *c->nodes);
	c->nodes[NODE_ROOT] = (struct charge_node){ 0 };
	for (node_id i = 1; i < tree->n; i++) {
		const struct charge_node *above = &c->nodes[tree->parent[i]];
		const struct charge_function *fn = charge_function(c, i);

		c->nodes[i] = *above;
		if (tree->parent[i] == NODE_ROOT ||
		    charge_function(c, tree->parent[i])->frame.flags & CHARGE_BASE)
			c->nodes[i].entry = tree->frame[i];
		if (fn->is_own)
			start_path(c, i, &c->nodes[i]);
		else if (c->kinds[i] == CHARGE_STACK || c->kinds[i] == CHARGE_WAITING)
			add_to_path(c, tree->frame[i], &c->nodes[i]);
	}
}

/* ---- tool mode ---- */

/* The time of a node in the range that decides, without time that it sleeps. */
static int64_t work_of(const struct charge *c, node_id node)
{
	return c->whole.ns[CHARGE_KEY(node, 1)] +
		(c->kinds[node] == CHARGE_WAITING ? 0 : c->whole.ns[CHARGE_KEY(node, 0)]);
}

static int64_t owned(const struct charge *c)
{
	int64_t ns = 0;

	for (node_id i = 1; i < c->lane->tree.n; i++)
		if (c->nodes[i].owner != NODE_ROOT)
			ns += work_of(c, i);
	return ns;
}

static void decide_mode(struct charge *c)
{
	int64_t own, both, work = c->whole.busy - c->whole.waiting;

	set_own(c, CHARGE_OWN);
	add_attributes(c);
	own = owned(c);
	if (charge_times_has(own, work, OWN_LEAST))
		return;
	c->is_tool = true;
	set_own(c, CHARGE_OWN | CHARGE_DEPENDENCY);
	add_attributes(c);
	both = owned(c);
	if (charge_times_has(both, work, OWN_LEAST) && both / 2 >= own)
		return;
	c->is_tool = false;
	set_own(c, CHARGE_OWN);
	add_attributes(c);
}

/* ---- pass-through ---- */

/* A chain of distinct packages: the last one, and the chain before it. Chain 0 is empty. */
struct link {
	uint32_t above;
	uint32_t package; /* group */
	int64_t ns;       /* of this chain and of all that continue it */
	uint32_t best;    /* the one of these with most time; 0: none */
};

struct chains {
	struct link *list;
	size_t n, cap;
	struct hash_table index;
};

static bool has_package(const struct chains *ch, uint32_t chain, uint32_t package)
{
	for (; chain; chain = ch->list[chain].above)
		if (ch->list[chain].package == package)
			return true;
	return false;
}

static uint32_t find_chain(struct chains *ch, uint32_t above, uint32_t package)
{
	uint64_t hash = hash_u64((uint64_t)above << 32 | package);
	struct hash_probe probe = hash_probe(hash);

	if (has_package(ch, above, package))
		return above;
	while (hash_table_next(&ch->index, &probe))
		if (ch->list[probe.index].above == above &&
		    ch->list[probe.index].package == package)
			return probe.index;
	ch->list = xgrow(ch->list, &ch->cap, ch->n + 1, sizeof *ch->list);
	ch->list[ch->n] = (struct link){ .above = above, .package = package };
	hash_table_add(&ch->index, hash, (uint32_t)ch->n);
	return (uint32_t)ch->n++;
}

static void make_chains(const struct charge *c, struct chains *ch)
{
	const struct calltree *tree = &c->lane->tree;
	uint32_t *of = xcalloc(tree->n, sizeof *of);

	ch->list = xgrow(ch->list, &ch->cap, 1, sizeof *ch->list);
	ch->list[ch->n++] = (struct link){ 0 };
	for (node_id i = 1; i < tree->n; i++) {
		const struct charge_function *fn = charge_function(c, i);

		if (c->nodes[i].owner != NODE_ROOT)
			continue;
		of[i] = of[tree->parent[i]];
		if (fn->frame.flags & CHARGE_DEPENDENCY && fn->package)
			of[i] = find_chain(ch, of[i], fn->package);
		ch->list[of[i]].ns += work_of(c, i);
	}
	/* A chain comes after the one that it continues. */
	for (uint32_t i = (uint32_t)ch->n - 1; i > 0; i--) {
		struct link *above = &ch->list[ch->list[i].above];

		above->ns += ch->list[i].ns;
		if (!above->best || ch->list[i].ns >= ch->list[above->best].ns)
			above->best = i;
	}
	free(of);
}

/* The chain that a chain of one package passes its time on to. */
static uint32_t pass_on(const struct chains *ch, uint32_t chain)
{
	for (;;) {
		uint32_t best = ch->list[chain].best;

		if (!best || ch->list[best].ns == 0 ||
		    !charge_times_has(ch->list[best].ns, ch->list[chain].ns, PASS_PERCENT))
			return chain;
		chain = best;
	}
}

static void pass_through(struct charge *c)
{
	uint32_t *last = xcalloc(c->n_groups, sizeof *last);
	struct chains ch = { 0 };

	make_chains(c, &ch);
	for (uint32_t i = 1; i < ch.n; i++) {
		uint32_t chain;

		if (ch.list[i].above)
			continue;
		chain = pass_on(&ch, i);
		last[ch.list[i].package] = ch.list[chain].package;
		for (; ch.list[chain].above; chain = ch.list[chain].above)
			c->groups[ch.list[chain].package].through =
				ch.list[ch.list[chain].above].package;
	}
	for (node_id i = 1; i < c->lane->tree.n; i++)
		if (c->nodes[i].owner == NODE_ROOT && last[c->nodes[i].package])
			c->nodes[i].package = last[c->nodes[i].package];
	free(last);
	free(ch.list);
	hash_table_done(&ch.index);
}

/* ---- the event loop ---- */

/* Add a sample to the count of callbacks. */
static void add_entry(struct charge *c, const struct charge_sample *s)
{
	node_id node = CHARGE_KEY_NODE(s->key);
	frame_id entry = c->kinds[node] == CHARGE_STACK ? c->nodes[node].entry : FRAME_NONE;

	if (entry != c->last_entry && c->functions[entry].frame.flags & CHARGE_ENTRY) {
		c->n_entries++;
		if (c->t_loop == INT64_MAX)
			c->t_loop = s->t0;
	}
	c->last_entry = entry;
}

static bool find_loop(struct charge *c, struct budget *budget)
{
	struct charge_sample s;

	while (!c->is_page && c->has_entry && c->n_entries < LOOP_LEAST &&
	       charge_times_next(&c->whole, &s)) {
		add_entry(c, &s);
		if (budget_use(budget, 1))
			return false;
	}
	c->has_loop = c->lane->has_timeline && (c->is_page || c->n_entries >= LOOP_LEAST);
	return true;
}

/* ---- all ---- */

bool charge_work(struct charge *c, struct budget *budget)
{
	if (c->step == CHARGE_TO_CLASSIFY) {
		classify(c);
		charge_times_init(&c->whole, c->lane, c->kinds, c->t0, c->t1);
		c->step = CHARGE_TO_ADD;
	}
	if (c->step == CHARGE_TO_ADD) {
		if (!charge_times_step(&c->whole, budget))
			return false;
		decide_mode(c);
		if (!c->is_tool)
			pass_through(c);
		charge_times_rewind(&c->whole);
		c->step = CHARGE_TO_FIND_LOOP;
	}
	if (c->step == CHARGE_TO_FIND_LOOP) {
		if (!find_loop(c, budget))
			return false;
		charge_times_rewind(&c->whole);
		c->step = CHARGE_DONE;
	}
	return true;
}

bool charge_take_times(struct charge *c, int64_t t0, int64_t t1, struct charge_times *out)
{
	bool is_same = c->whole.ns && charge_times_is_window(&c->whole, t0, t1);

	if (is_same) {
		*out = c->whole;
		c->whole = (struct charge_times){ 0 };
	}
	charge_times_done(&c->whole);
	return is_same;
}
