/* SPDX-License-Identifier: GPL-2.0-or-later */
/* That a compiler spends its time in the compiler is no news. Its functions with half of the time
 * or more only pass it on: each stack is counted for the first function from outside that has less,
 * so that the shares add up. Where that function hands nearly all to a function of another package,
 * it is named for that one: `traverse`, not `transformFile`. */
#include "config.h"

#include "findings/finding_rule_spent.h"

#include "base/alloc.h"
#include "findings/finding_mechanism.h"

#include <stdlib.h>

#define TOOL_PERCENT 60 /* of a package that is the program, where no own code runs, */
#define OWN_PERCENT 90  /* and where own code calls it */
#define BIG_PERCENT 50
#define PASS_PERCENT 90
#define FIRST_PERCENT 10 /* that the first function must have */
#define LEAST_PERCENT 5
#define SPENT_MOST 3

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
	while (n < SPENT_MOST && finding_tally_largest(t, &out[n]) &&
	       charge_times_has(t->ns[out[n]], s->w->times.busy, n ? LEAST_PERCENT : FIRST_PERCENT))
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

void finding_rule_spent(struct finding_window *w)
{
	size_t n = 0, rows = (size_t)w->charge->lane->tree.max_rows + 1;
	bool has_program = has_package(w);
	frame_id first[SPENT_MOST + 1];
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
