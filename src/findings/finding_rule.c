/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of rules. */
#include "config.h"

#include "findings/finding_rule.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "base/units.h"
#include "findings/finding_rule_whole.h"
#include "findings/finding_tell.h"
#include "findings/finding_window.h"

#include <stdlib.h>
#include <string.h>

/* ==== finding rule group ====
 *
 * Each rule is about the groups of one kind: owners, packages, files and so on. */

#define IO_PERCENT 70 /* of the time in machinery of input and output that does not count */

/* An owner that blocks an event loop is worse than its share says. */
#define BLOCK_MIN (25 * NS_PER_MS)
#define BLOCK_MAX (250 * NS_PER_MS)
#define BLOCK_BONUS 250000 /* millionths, for BLOCK_MAX or more */
#define TIMER_PERCENT 80   /* of the time of an owner that timers call */
#define MECHANISM_MIN 30   /* percent of the owner's time */

static struct finding_draft *add_group(struct finding_window *w, enum finding_kind kind,
				       uint32_t group, int32_t weight)
{
	const struct finding_group *g = &w->groups[group];

	struct finding_draft *d;

	if (!g->keys.list)
		return NULL;
	d = finding_window_add(w, kind, g->ns, weight);
	d->group = group;
	d->keys = g->keys;
	d->keys_ns = g->ns;
	return d;
}

/* ---- owners ---- */

static void find_mechanism(struct finding_window *w, struct finding_draft *d)
{
	struct finding_tally *t = &w->tally;
	uint32_t best = MECHANISM_SELF;

	for (size_t i = 0; i < d->keys.n; i++)
		finding_tally_add(t, finding_mechanism_of(w->charge, d->keys.list[i]),
				  w->times.ns[d->keys.list[i]]);
	for (size_t i = 0; i < t->n; i++) {
		uint32_t m = t->used[i];

		if (finding_mechanism_is_io(w->charge, m))
			d->io_ns += t->ns[m];
		if (m != MECHANISM_SELF &&
		    (t->ns[m] > t->ns[best] || best == MECHANISM_SELF ||
		     (m < best && t->ns[m] == t->ns[best])))
			best = m;
	}
	if (best != MECHANISM_SELF && charge_times_has(t->ns[best], d->f.ns, MECHANISM_MIN)) {
		d->mechanism = best;
		d->mechanism_ns = t->ns[best];
	}
	finding_tally_clear(t);
}

/* Whether timers call an owner, which does more than input and output. */
static bool is_by_timer(const struct finding_window *w, const struct finding_draft *d)
{
	int64_t ns = 0;

	for (size_t i = 0; i < d->keys.n; i++)
		if (charge_of(w->charge, d->keys.list[i])->timer != FRAME_NONE)
			ns += w->times.ns[d->keys.list[i]];
	return charge_times_has(ns, d->f.ns, TIMER_PERCENT) && !d->f.is_io;
}

static void finding_rule_group_owners(struct finding_window *w, uint32_t group)
{
	struct finding_draft *d = add_group(w, FINDING_OWNER, group, 1000000);
	int64_t block;

	if (!d)
		return;
	d->f.function = w->charge->groups[group].id;
	find_mechanism(w, d);
	d->f.is_io = charge_times_has(d->io_ns, d->f.ns, 50);
	if (is_by_timer(w, d))
		d->f.score += FINDING_TIMER_BONUS;
	d->f.score -= (int32_t)((int64_t)finding_window_share(w, d->io_ns) * IO_PERCENT / 100);
	block = finding_task_of(&w->tasks, d->f.function);
	if (block >= BLOCK_MIN)
		d->f.score += block >= BLOCK_MAX ? BLOCK_BONUS
						 : (int32_t)(block * BLOCK_BONUS / BLOCK_MAX);
}

/* ---- packages ---- */

static void tally_frames(struct finding_window *w, const struct finding_keys *keys,
			 frame_id (*frame_of)(const struct charge *c, charge_key key))
{
	for (size_t i = 0; i < keys->n; i++) {
		frame_id f = frame_of(w->charge, keys->list[i]);

		if (f != FRAME_NONE)
			finding_tally_add(&w->tally, f, w->times.ns[keys->list[i]]);
	}
}

/* The frame with most time of the keys; FRAME_NONE: none of them has one. */
static frame_id most_of(struct finding_window *w, const struct finding_keys *keys,
			frame_id (*frame_of)(const struct charge *c, charge_key key), int64_t *ns)
{
	uint32_t best = FRAME_NONE;

	tally_frames(w, keys, frame_of);
	finding_tally_largest(&w->tally, &best);
	*ns = w->tally.ns[best];
	finding_tally_clear(&w->tally);
	return best;
}

static frame_id inner_of(const struct charge *c, charge_key key)
{
	return charge_of(c, key)->inner;
}

static frame_id sync_of(const struct charge *c, charge_key key)
{
	return charge_of(c, key)->sync;
}

static void finding_rule_group_packages(struct finding_window *w, uint32_t group)
{
	struct finding_draft *d = add_group(w, FINDING_PACKAGE, group,
					    w->charge->is_tool ? 550000 : 950000);
	int64_t ns;

	if (!d)
		return;
	d->f.function = most_of(w, &d->keys, inner_of, &ns);
	if (!w->charge->is_tool)
		d->f.under = finding_window_under(w, &d->keys, &d->other_ns);
}

/* ---- mechanisms ---- */

static void finding_rule_group_sync(struct finding_window *w, uint32_t group)
{
	struct finding_draft *d = add_group(w, FINDING_SYNC, group, 1000000);
	int64_t ns;

	if (!d)
		return;
	d->f.function = most_of(w, &d->keys, sync_of, &ns);
	d->f.under = most_of(w, &d->keys, charge_owner, &d->other_ns);
}

static void finding_rule_group_load(struct finding_window *w, uint32_t group)
{
	struct finding_draft *d = add_group(w, FINDING_LOAD, group, 900000);
	struct finding_tally *t = &w->tally;
	uint32_t package = 0;

	if (!d)
		return;
	d->f.under = most_of(w, &d->keys, charge_owner, &d->other_ns);
	for (size_t i = 0; i < d->keys.n; i++) {
		uint32_t g = charge_of(w->charge, d->keys.list[i])->package;

		if (g)
			finding_tally_add(t, g, w->times.ns[d->keys.list[i]]);
	}
	finding_tally_largest(t, &package);
	if (charge_times_has(t->ns[package], d->f.ns, MECHANISM_MIN))
		d->other = package;
	finding_tally_clear(t);
}

static void finding_rule_group_regexp(struct finding_window *w, uint32_t group)
{
	struct finding_draft *d = add_group(w, FINDING_REGEXP, group, 950000);

	if (!d)
		return;
	d->f.function = w->charge->groups[group].id;
	d->f.under = most_of(w, &d->keys, charge_owner, &d->other_ns);
}

static void finding_rule_group_gc(struct finding_window *w, uint32_t group)
{
	struct finding_draft *d = add_group(w, FINDING_GC, group, 900000);
	const struct charge *c = w->charge;

	if (!d)
		return;
	for (node_id i = 1; i < c->lane->tree.n && d->f.function == FRAME_NONE; i++)
		if (c->stacks.kind[i] == CHARGE_GC)
			d->f.function = c->lane->tree.frame[i];
	if (!c->is_tool)
		d->f.under = finding_window_under(w, &d->keys, &d->other_ns);
}

/* ---- files ---- */

static void finding_rule_group_files(struct finding_window *w, uint32_t group)
{
	const struct charge *c = w->charge;
	int64_t owned = 0, io = 0;
	struct finding_draft *d;
	unsigned files = 0;

	if (!w->groups[group].keys.list)
		return;
	for (uint32_t g = 1; g < c->n_groups; g++) {
		owned += c->groups[g].kind == CHARGE_BY_OWNER ? w->groups[g].ns : 0;
		files += c->groups[g].kind == CHARGE_BY_FILE && w->groups[g].ns;
	}
	if (charge_times_has(w->groups[group].ns, owned, 95) || (c->is_tool && files < 2))
		return;
	d = add_group(w, FINDING_FILE, group, 400000);
	for (size_t i = 0; i < d->keys.n; i++)
		if (finding_mechanism_is_io(c, finding_mechanism_of(c, d->keys.list[i])))
			io += w->times.ns[d->keys.list[i]];
	d->f.function = most_of(w, &d->keys, charge_owner, &d->other_ns);
	d->f.score -= (int32_t)((int64_t)finding_window_share(w, io) * IO_PERCENT * 4 / 1000);
}

/* ---- what no own code calls ---- */

static void finding_rule_group_program(struct finding_window *w, uint32_t group)
{
	struct finding_draft *d = add_group(w, FINDING_PROGRAM, group, 250000);

	if (d && d->keys.n)
		d->f.function = charge_key_frame(w->charge, d->keys.list[0]);
}

static void finding_rule_group_modules(struct finding_window *w, uint32_t group)
{
	add_group(w, FINDING_NODE, group, 350000);
}

/* ---- all groups ---- */

/* Call a rule for each group of a kind. */
static void finding_rule_group_each(struct finding_window *w, enum charge_group_kind kind,
				    void (*rule)(struct finding_window *w, uint32_t group))
{
	for (uint32_t g = 1; g < w->charge->n_groups; g++)
		if (w->charge->groups[g].kind == kind)
			rule(w, g);
}

/* ==== finding rule spent ====
 *
 * That a compiler spends its time in the compiler is no news. Its functions with half of the time
 * or more only pass it on: each stack is counted for the first function from outside that has less,
 * so that the shares add up. Where that function hands nearly all to a function of another package,
 * it is named for that one: `traverse`, not `transformFile`. */

#define TOOL_PERCENT 60 /* of a package that is the program, where no own code runs, */
#define OWN_PERCENT 90  /* and where own code calls it */
#define BIG_PERCENT 50
#define PASS_PERCENT 90
#define FIRST_PERCENT 10 /* that the first function must have */
#define MIN_PERCENT 5
#define SPENT_MAX 3

struct spent {
	struct finding_window *w;
	uint8_t *is_big;  /* by frame */
	node_id *above;   /* by row: the first node from outside that is not big */
	node_id *entered; /* by row: the first node below that one which is of another package */
};

static bool has_package(const struct finding_window *w)
{
	int least = w->charge->is_tool ? TOOL_PERCENT : OWN_PERCENT;

	for (size_t i = 0; i < w->n_drafts; i++)
		if (w->drafts[i].f.kind == FINDING_PACKAGE &&
		    charge_times_has(w->drafts[i].f.ns, w->times.busy, least))
			return true;
	return false;
}

/* Whether a function counts: own code that only calls the program does not. */
static bool counts(const struct charge *c, const struct charge_function *fn)
{
	if (fn->frame.flags & (CHARGE_TOP | CHARGE_SLEEPS | CHARGE_BASE))
		return false;
	return fn->frame.flags & CHARGE_DEPENDENCY || (c->is_tool && fn->is_own);
}

/* Returns whether a function is big. */
static bool find_big(struct spent *s)
{
	const struct charge *c = s->w->charge;
	const struct calltree *tree = &c->lane->tree;
	struct finding_tally *t = &s->w->tally;
	bool has_big = false;

	for (node_id i = 1; i < tree->n; i++)
		if (tree->is_outer[i] && counts(c, charge_function(c, i)))
			finding_tally_add(t, tree->frame[i], finding_window_total(s->w, i));
	for (size_t i = 0; i < t->n; i++) {
		s->is_big[t->used[i]] = charge_times_has(t->ns[t->used[i]], s->w->times.busy,
							 BIG_PERCENT);
		has_big |= s->is_big[t->used[i]];
	}
	finding_tally_clear(t);
	return has_big;
}

/* Take the next node of the tree. */
static void take_node(struct spent *s, node_id node)
{
	const struct charge *c = s->w->charge;
	const struct calltree *tree = &c->lane->tree;
	const struct charge_function *fn = charge_function(c, node);
	node_id *above = &s->above[tree->rows[node]], *entered = &s->entered[tree->rows[node]];

	*above = above[-1];
	*entered = entered[-1];
	if (!counts(c, fn))
		return;
	if (*above == NODE_ROOT && !s->is_big[tree->frame[node]])
		*above = node;
	else if (*above != NODE_ROOT && *entered == NODE_ROOT &&
		 fn->package != charge_function(c, *above)->package)
		*entered = node;
}

/* The node that a key is counted for: the first one, or, of the keys of `first`, the one of the
 * other package; NODE_ROOT: none. Loading modules is no work of the program. *node: the next one to
 * take; keys are in the order of nodes. */
static node_id counted_for(struct spent *s, charge_key key, frame_id first, node_id *node)
{
	const struct charge *c = s->w->charge;
	const struct calltree *tree = &c->lane->tree;
	node_id at = charge_key_node(c, key), above;

	for (; *node <= at; ++*node)
		take_node(s, *node);
	if (charge_of(c, key)->flags & CHARGE_IN_LOAD || charge_key_kind(c, key) == CHARGE_WAITING)
		return NODE_ROOT;
	above = s->above[tree->rows[at]];
	if (first == FRAME_NONE)
		return above;
	return tree->frame[above] == first ? s->entered[tree->rows[at]] : NODE_ROOT;
}

/* Add the time of each key to the function that it is counted for. */
static void tally_keys(struct spent *s, frame_id first)
{
	const struct finding_keys *keys = &s->w->keys;
	node_id node = 1;

	for (size_t i = 0; i < keys->n; i++) {
		node_id at = counted_for(s, keys->list[i], first, &node);

		if (at != NODE_ROOT)
			finding_tally_add(&s->w->tally, s->w->charge->lane->tree.frame[at],
					  s->w->times.ns[keys->list[i]]);
	}
}

/* The functions with most time that all keys are counted for. */
static size_t find_first(struct spent *s, frame_id *out)
{
	struct finding_tally *t = &s->w->tally;
	size_t n = 0;

	tally_keys(s, FRAME_NONE);
	while (n < SPENT_MAX && finding_tally_largest(t, &out[n]) &&
	       charge_times_has(t->ns[out[n]], s->w->times.busy, n ? MIN_PERCENT : FIRST_PERCENT))
		t->ns[out[n++]] = 0;
	finding_tally_clear(t);
	return n;
}

/* Take the keys that are counted for a function. `first` as in counted_for(). */
static void take_keys(struct spent *s, frame_id first, frame_id function, struct finding_draft *d)
{
	const struct finding_window *w = s->w;
	node_id node = 1;

	d->f.function = function;
	d->keys.n = 0;
	d->keys_ns = 0;
	for (size_t i = 0; i < w->keys.n; i++) {
		node_id at = counted_for(s, w->keys.list[i], first, &node);

		if (at == NODE_ROOT || w->charge->lane->tree.frame[at] != function)
			continue;
		d->keys.list[d->keys.n++] = w->keys.list[i];
		d->keys_ns += w->times.ns[w->keys.list[i]];
	}
}

/* Add a draft for a function, or for the one that it hands nearly all of its time to. */
static void add_draft(struct spent *s, frame_id first)
{
	struct finding_window *w = s->w;
	struct finding_draft *d = finding_window_add(w, FINDING_SPENT, 0, 0);
	frame_id entered = FRAME_NONE;
	int64_t passed = 0;

	d->keys.list = arena_alloc(&w->arena, w->keys.n * sizeof *d->keys.list);
	take_keys(s, FRAME_NONE, first, d);
	tally_keys(s, first);
	if (finding_tally_largest(&w->tally, &entered))
		passed = w->tally.ns[entered];
	finding_tally_clear(&w->tally);
	if (charge_times_has(passed, d->keys_ns, PASS_PERCENT))
		take_keys(s, first, entered, d);
	d->f.ns = d->keys_ns;
	d->f.score = finding_window_share(w, d->f.ns);
}

/* The program, and a top level of own code that only calls it, do not lead. */
static void mark_program(struct finding_window *w)
{
	for (size_t i = 0; i < w->n_drafts; i++) {
		struct finding_draft *d = &w->drafts[i];
		bool is_caller = d->f.kind == FINDING_OWNER && !w->charge->is_tool &&
			w->charge->functions[d->f.function].frame.flags & CHARGE_TOP &&
			finding_mechanism_at(w->charge, d->mechanism).kind == MECHANISM_PACKAGE;

		if (!(is_caller || d->f.kind == FINDING_PACKAGE) ||
		    !charge_times_has(d->f.ns, w->times.busy,
				      w->charge->is_tool ? TOOL_PERCENT : OWN_PERCENT))
			continue;
		d->f.is_program = true;
		d->f.score /= 4;
	}
}

/* Runs after the rule about packages, before that about halves. */
static void finding_rule_spent(struct finding_window *w)
{
	size_t n = 0, rows = (size_t)w->charge->lane->tree.max_rows + 1;
	bool has_program = has_package(w);
	frame_id first[SPENT_MAX + 1];
	struct spent s = { .w = w };

	if (!has_program && !w->charge->is_tool)
		return;
	s.is_big = xcalloc(w->charge->profile->frames.n, sizeof *s.is_big);
	s.above = xcalloc(rows, sizeof *s.above);
	s.entered = xcalloc(rows, sizeof *s.entered);
	if (find_big(&s) || has_program)
		n = find_first(&s, first);
	if (n)
		mark_program(w);
	for (size_t i = 0; i < n; i++)
		add_draft(&s, first[i]);
	free(s.is_big);
	free(s.above);
	free(s.entered);
}

/* ==== finding rule time ====
 *
 * Tasks, stretches and periods were collected in the pass over the samples; the place of their
 * findings is known. */

#define IDLE_MIN 5 /* percent of the window, for periods */

static void set_place(struct finding_draft *d, const struct finding_task *task)
{
	d->f.t0 = task->t0;
	d->f.t1 = task->t1;
	d->has_place = true;
}

/* The score is by the owner with most time in all long tasks, if it has half of it. */
static void finding_rule_time_block(struct finding_window *w)
{
	const struct finding_tasks *t = &w->tasks;
	uint32_t owner = FRAME_NONE;
	struct finding_draft *d;
	int64_t owner_ns = 0;

	if (!t->n_long || w->times.busy <= 0)
		return;
	if (finding_tally_largest(&t->owners, &owner))
		owner_ns = t->owners.ns[owner];
	if (!charge_times_has(owner_ns, t->long_ns, 25))
		owner = FRAME_NONE;
	d = finding_window_add(w, FINDING_BLOCK, t->long_ns, 300000);
	if (charge_times_has(owner_ns, t->long_ns, 50))
		d->f.score = (int32_t)((int64_t)finding_window_share(w, owner_ns) * 9 / 10);
	d->f.function = owner;
	d->other = t->worst.entry;
	d->other_ns = owner_ns;
	d->count = t->n_long;
	set_place(d, &t->worst);
}

static void finding_rule_time_stretch(struct finding_window *w)
{
	const struct finding_tasks *t = &w->tasks;
	int64_t length = t->busiest.t1 - t->busiest.t0;
	struct finding_draft *d;

	/* A stretch that is one long task is not worth a finding of its own. */
	if (length < FINDING_TASK_LONG ||
	    (t->busiest_task >= FINDING_TASK_LONG && charge_times_has(t->busiest_task, length, 80)))
		return;
	d = finding_window_add(w, FINDING_STRETCH, length, 0);
	d->f.function = t->busiest.owner;
	d->other_ns = t->busiest.owner_ns;
	d->interval = t->busiest_task;
	set_place(d, &t->busiest);
}

/* Nodes that a timer's function calls. */
static void add_keys(struct finding_window *w, struct finding_draft *d, frame_id function)
{
	d->keys.list = arena_alloc(&w->arena, w->keys.n * sizeof *d->keys.list);
	for (size_t i = 0; i < w->keys.n; i++) {
		charge_key key = w->keys.list[i];

		if (charge_of(w->charge, key)->timer == function)
			d->keys.list[d->keys.n++] = key;
	}
}

/* Whether one owner has half of the time of a draft. */
static bool has_owner(struct finding_window *w, const struct finding_draft *d)
{
	uint32_t best = FRAME_NONE;
	bool has_half;

	for (size_t i = 0; i < d->keys.n; i++)
		finding_tally_add(&w->tally, charge_owner(w->charge, d->keys.list[i]),
				  w->times.ns[d->keys.list[i]]);
	finding_tally_largest(&w->tally, &best);
	has_half = charge_times_has(w->tally.ns[best], d->f.ns, 50);
	finding_tally_clear(&w->tally);
	return has_half;
}

static void finding_rule_time_every(struct finding_window *w)
{
	int64_t interval, length = w->times.t1 - w->times.t0;
	const struct finding_runs *r = finding_period_find(&w->periods, &interval);
	struct finding_draft *d;

	if (!r || !charge_times_has(w->times.idle, length, IDLE_MIN) ||
	    !finding_window_is_enough(w, r->ns, w->times.n_busy))
		return;
	d = finding_window_add(w, FINDING_EVERY, r->ns, 500000);
	d->f.function = r->function;
	d->count = (uint32_t)r->n;
	d->interval = interval;
	add_keys(w, d, r->function);
	/* Many short calls, none of which is much: the timer is the culprit. */
	d->f.is_culprit = !has_owner(w, d);
	if (d->f.is_culprit)
		d->f.score = finding_window_share(w, r->ns) + FINDING_TIMER_BONUS;
}

/* The slices of a trace tell it; the samples tell for which function. */
static void finding_rule_time_layout(struct finding_window *w)
{
	const struct finding_slices *s = &w->slices;
	uint32_t owner = FRAME_NONE;
	struct finding_draft *d;

	if (!s->lane || !finding_window_is_enough(w, s->forced_ns, w->times.n_busy))
		return;
	finding_tally_largest(&s->forced, &owner);
	d = finding_window_add(w, FINDING_LAYOUT, s->forced_ns, 900000);
	d->f.function = owner;
	d->f.under = owner;
	d->other_ns = s->forced.ns[owner];
	for (size_t i = 0; i < w->n_drafts; i++)
		if (w->drafts[i].f.kind == FINDING_OWNER && w->drafts[i].f.function == owner)
			d->keys = w->drafts[i].keys;
}

/* ==== finding rule tree ====
 *
 * Totals of functions count recursion once: only nodes without an ancestor of the same function. */

#define HALF_ALL 90 /* percent: it calls the whole program, which says little */
#define INSIDE_PERCENT 60
#define INSIDE_FUNCTIONS 2
#define INSIDE_FUNCTION_SHARE 50000 /* millionths */
#define INSIDE_PACKAGES 3
#define INSIDE_PACKAGE_SHARE 80000

/* ---- half ---- */

/* A function with half of the time below it. */
struct candidate {
	frame_id frame;
	int64_t total;
	unsigned rows;   /* of its deepest node */
	frame_id callee; /* an own function that it calls; FRAME_NONE: none was found */
	bool has_more;   /* it calls another one, too */
};

static bool is_smaller(const void *a, const void *b, const void *ctx)
{
	const struct candidate *x = a, *y = b;

	(void)ctx;
	return x->total != y->total ? x->total < y->total : x->rows > y->rows;
}

static size_t find_candidates(struct finding_window *w, struct candidate **list)
{
	const struct charge *c = w->charge;
	const struct calltree *tree = &c->lane->tree;
	struct finding_tally *t = &w->tally;
	size_t n = 0;

	for (node_id i = 1; i < tree->n; i++) {
		charge_prefetch(c, i);
		if (tree->is_outer[i] && charge_function(c, i)->is_own)
			finding_tally_add(t, tree->frame[i], finding_window_total(w, i));
	}
	*list = arena_alloc(&w->arena, t->n * sizeof **list);
	for (size_t i = 0; i < t->n; i++) {
		frame_id f = t->used[i];
		int64_t charged = w->groups[c->functions[f].group].ns;

		if (charge_times_has(t->ns[f], w->times.busy, 50) &&
		    !charge_times_has(charged, t->ns[f], 50) &&
		    !(c->functions[f].frame.flags & CHARGE_TOP))
			(*list)[n++] = (struct candidate){ .frame = f,
							   .total = t->ns[f],
							   .rows = c->functions[f].rows };
	}
	finding_tally_clear(t);
	return n;
}

/* Calls of own functions by candidates, through packages or not. Callees of recursive calls count
 * only where they are not below themselves. */
struct calls {
	struct finding_window *w;
	uint32_t *of;    /* by frame: index of the candidate + 1; 0: it is none */
	uint32_t *above; /* by row: the owner of the nodes above the next one, in the same way */
	node_id node;    /* the callee, */
	uint32_t by;     /* and the candidate that calls it */
};

/* Find the next call that has time. Returns false at the end. */
static bool next_call(struct calls *k)
{
	const struct charge *c = k->w->charge;
	const struct calltree *tree = &c->lane->tree;

	while (++k->node < tree->n) {
		frame_id f = tree->frame[k->node];
		uint32_t *above = &k->above[tree->rows[k->node]];
		bool is_own = c->functions[f].is_own;

		charge_prefetch(c, k->node);
		k->by = above[-1];
		*above = is_own ? k->of[f] : k->by;
		if (k->by && is_own && tree->is_outer[k->node] && k->of[f] != k->by &&
		    finding_window_total(k->w, k->node) > 0)
			return true;
	}
	return false;
}

static struct calls begin_calls(struct finding_window *w, const struct candidate *list, size_t n)
{
	struct calls k = {
		.w = w,
		.of = xcalloc(w->charge->profile->frames.n, sizeof *k.of),
		.above = xcalloc((size_t)w->charge->lane->tree.max_rows + 1, sizeof *k.above),
	};

	for (size_t i = 0; i < n; i++)
		k.of[list[i].frame] = (uint32_t)i + 1;
	return k;
}

static void end_calls(struct calls *k)
{
	free(k->of);
	free(k->above);
}

/* Note up to two functions that each candidate calls. */
static void note_callees(struct finding_window *w, struct candidate *list, size_t n)
{
	struct calls k = begin_calls(w, list, n);

	while (next_call(&k)) {
		frame_id f = w->charge->lane->tree.frame[k.node];
		struct candidate *by = &list[k.by - 1];

		by->has_more |= by->callee != FRAME_NONE && by->callee != f;
		by->callee = f;
	}
	end_calls(&k);
}

/* Add the time of each function that a candidate calls to the tally. */
static void tally_callees(struct finding_window *w, const struct candidate *list, size_t n,
			  const struct candidate *by)
{
	struct calls k = begin_calls(w, list, n);

	while (next_call(&k)) {
		if (&list[k.by - 1] == by)
			finding_tally_add(&w->tally, w->charge->lane->tree.frame[k.node],
					  finding_window_total(w, k.node));
	}
	end_calls(&k);
}

/* All keys in the subtrees of a function. */
static void add_keys_tree(struct finding_window *w, struct finding_draft *d, frame_id frame)
{
	const struct calltree *tree = &w->charge->lane->tree;
	node_id end = NODE_ROOT, node = 1;

	d->keys.list = arena_alloc(&w->arena, w->keys.n * sizeof *d->keys.list);
	for (size_t i = 0; i < w->keys.n; i++) {
		node_id at = charge_key_node(w->charge, w->keys.list[i]);

		for (; node <= at; node++)
			if (tree->frame[node] == frame && node >= end)
				end = tree->end[node];
		if (at >= end)
			continue;
		d->keys.list[d->keys.n++] = w->keys.list[i];
		d->keys_ns += w->times.ns[w->keys.list[i]];
	}
}

static void add_half(struct finding_window *w, const struct candidate *candidate)
{
	struct finding_draft *d = finding_window_add(w, FINDING_HALF, candidate->total,
						     w->charge->is_tool ? 500000 : 250000);
	struct finding_tally *t = &w->tally;

	if (!w->charge->is_tool && charge_times_has(candidate->total, w->times.busy, HALF_ALL))
		d->f.score /= 10;
	d->f.function = candidate->frame;
	finding_tally_largest(t, &d->other);
	d->other_ns = t->ns[d->other];
	t->ns[d->other] = 0;
	finding_tally_largest(t, &d->third);
	d->third_ns = t->ns[d->third];
	finding_tally_clear(t);
	add_keys_tree(w, d, candidate->frame);
}

/* The innermost own function with half of the time, if it calls several others. */
static void finding_rule_tree_half(struct finding_window *w)
{
	struct candidate *list;
	size_t n;

	/* These functions are told instead. */
	for (size_t i = 0; w->charge->is_tool && i < w->n_drafts; i++)
		if (w->drafts[i].f.kind == FINDING_SPENT)
			return;
	n = find_candidates(w, &list);
	if (n)
		sort_stable(list, n, sizeof *list, is_smaller, NULL);
	if (n)
		note_callees(w, list, n);
	for (size_t i = 0; i < n; i++) {
		if (!list[i].has_more ||
		    !finding_window_is_enough(w, list[i].total, w->times.n_busy))
			continue;
		tally_callees(w, list, n, &list[i]);
		add_half(w, &list[i]);
		return;
	}
}

/* ---- inside a package ---- */

/* The draft of the package with most of the time. */
static const struct finding_draft *find_package(const struct finding_window *w)
{
	for (size_t i = 0; i < w->n_drafts; i++)
		if (w->drafts[i].f.kind == FINDING_PACKAGE &&
		    charge_times_has(w->drafts[i].f.ns, w->times.busy, INSIDE_PERCENT))
			return &w->drafts[i];
	return NULL;
}

/* The package that the innermost function of a key is of, as a group. */
static uint32_t inner_package(const struct charge *c, charge_key key)
{
	frame_id inner = charge_of(c, key)->inner;

	return inner == FRAME_NONE ? 0 : c->functions[inner].package;
}

/* Loading modules is no work of the package. */
static uint32_t index_of(const struct charge *c, charge_key key, bool is_package)
{
	const struct charge_node *n = charge_of(c, key);

	if (n->flags & CHARGE_IN_LOAD)
		return 0;
	return is_package ? inner_package(c, key) : n->inner;
}

static void add_inside(struct finding_window *w, const struct finding_keys *keys, uint32_t index,
		       bool is_package)
{
	struct finding_draft *d = finding_window_add(w, FINDING_INSIDE, w->tally.ns[index],
						     is_package ? 550000 : 600000);

	d->keys.list = arena_alloc(&w->arena, keys->n * sizeof *d->keys.list);
	for (size_t i = 0; i < keys->n; i++)
		if (index_of(w->charge, keys->list[i], is_package) == index)
			d->keys.list[d->keys.n++] = keys->list[i];
	d->keys_ns = d->f.ns;
	if (is_package)
		d->group = index;
	else
		d->f.function = index;
}

static void add_hottest(struct finding_window *w, const struct finding_keys *keys, uint32_t except,
			bool is_package)
{
	struct finding_tally *t = &w->tally;
	int least = is_package ? INSIDE_PACKAGE_SHARE : INSIDE_FUNCTION_SHARE;

	for (size_t i = 0; i < keys->n; i++) {
		uint32_t index = index_of(w->charge, keys->list[i], is_package);

		if (index)
			finding_tally_add(t, index, w->times.ns[keys->list[i]]);
	}
	for (int k = is_package ? INSIDE_PACKAGES : INSIDE_FUNCTIONS; k > 0; k--) {
		uint32_t best;

		if (!finding_tally_largest(t, &best) ||
		    finding_window_share(w, t->ns[best]) < least)
			break;
		if (best != except && finding_window_is_enough(w, t->ns[best], w->times.n_busy))
			add_inside(w, keys, best, is_package);
		t->ns[best] = 0;
	}
	finding_tally_clear(t);
}

/* Functions and packages inside the package that has most of the time. */
static void finding_rule_tree_inside(struct finding_window *w)
{
	const struct finding_draft *d = w->charge->is_tool ? NULL : find_package(w);
	struct finding_keys keys;
	uint32_t group;

	if (!d)
		return;
	keys = d->keys;
	group = d->group;
	add_hottest(w, &keys, FRAME_NONE, false);
	add_hottest(w, &keys, group, true);
}

/* ==== finding rule ==== */

/* A rule about all groups of a kind. */
#define EACH(name, kind, rule)                                                                     \
	static void name(struct finding_window *w)                                                 \
	{                                                                                          \
		finding_rule_group_each(w, kind, rule);                                            \
	}

EACH(owners, CHARGE_BY_OWNER, finding_rule_group_owners)
EACH(packages, CHARGE_BY_PACKAGE, finding_rule_group_packages)
EACH(sync_calls, CHARGE_BY_SYNC, finding_rule_group_sync)
EACH(load, CHARGE_BY_LOAD, finding_rule_group_load)
EACH(gc, CHARGE_BY_GC, finding_rule_group_gc)
EACH(regexps, CHARGE_BY_REGEXP, finding_rule_group_regexp)
EACH(files, CHARGE_BY_FILE, finding_rule_group_files)
EACH(program, CHARGE_BY_PROGRAM, finding_rule_group_program)
EACH(waiting, CHARGE_BY_WAITING, finding_rule_whole_waiting)

static void modules(struct finding_window *w)
{
	finding_rule_group_each(w, CHARGE_BY_MODULE, finding_rule_group_modules);
	finding_rule_group_each(w, CHARGE_BY_BOOT, finding_rule_group_modules);
}

const struct finding_rule finding_rules[FINDING_COUNT] = {
	[FINDING_OWNER] = { "owner", owners, finding_tell_owner },
	[FINDING_PACKAGE] = { "pkg", packages, finding_tell_package },
	[FINDING_SYNC] = { "sync", sync_calls, finding_tell_sync },
	[FINDING_LOAD] = { "load", load, finding_tell_load },
	[FINDING_GC] = { "gc", gc, finding_tell_gc },
	[FINDING_REGEXP] = { "regexp", regexps, finding_tell_regexp },
	[FINDING_FILE] = { "file", files, finding_tell_file },
	[FINDING_SPENT] = { "spent", finding_rule_spent, finding_tell_spent },
	[FINDING_HALF] = { "half", finding_rule_tree_half, finding_tell_half },
	[FINDING_INSIDE] = { "inside", finding_rule_tree_inside, finding_tell_inside },
	[FINDING_BLOCK] = { "block", finding_rule_time_block, finding_tell_block },
	[FINDING_STRETCH] = { "stretch", finding_rule_time_stretch, finding_tell_stretch },
	[FINDING_EVERY] = { "every", finding_rule_time_every, finding_tell_every },
	[FINDING_LAYOUT] = { "layout", finding_rule_time_layout, finding_tell_layout },
	[FINDING_PROGRAM] = { "program", program, finding_tell_program },
	[FINDING_NODE] = { "node", modules, finding_tell_node },
	[FINDING_WAITING] = { "wait", waiting, finding_rule_whole_tell_waiting },
	[FINDING_FEW] = { "few", finding_rule_whole_few, finding_rule_whole_tell_few },
	[FINDING_EVEN] = { "even", finding_rule_whole_even, finding_rule_whole_tell_even },
	[FINDING_IDLE] = { "idle", finding_rule_whole_idle, finding_rule_whole_tell_idle },
};
