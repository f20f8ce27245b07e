/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules about functions with all that they call. Totals of functions count recursion once: only
 * nodes without an ancestor of the same function. */
#include "config.h"

#include "findings/finding_rule.h"

#include "base/sort.h"
#include "findings/finding_name.h"

#include <stdlib.h>

/* ---- functions of a program that is a package ----
 *
 * That a compiler spends its time in the compiler is no finding. Its functions with half of the
 * time or more only pass it on: each stack is counted for the first function from outside that has
 * less, so that the shares add up. Where that function hands nearly all to a function of another
 * package, it is named for that one: `traverse`, not `transformFile`. */

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
			d->is_in_package;

		if (!(is_caller || d->f.kind == FINDING_PACKAGE) ||
		    !charge_times_has(d->f.ns, w->times.busy,
				      w->charge->is_tool ? TOOL_PERCENT : OWN_PERCENT))
			continue;
		d->f.is_program = true;
		d->f.score /= 4;
	}
}

/* Runs after the rule about packages, before that about halves. */
static void find_spent(struct finding_window *w)
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

static void tell_spent(struct finding_window *w, const struct finding_draft *d,
		       struct finding_texts *out)
{
	finding_name_short(w, d->f.function, &out->name);
	finding_name_label(w, d->f.function, &out->label);
	buf_adds(&out->text, buf_text(&out->label));
	finding_tell_share(w, d, &out->text);
	buf_adds(&out->text, " with all it calls");
}

const struct finding_rule finding_spent = { .name = "spent",
					    .find = find_spent,
					    .tell = tell_spent,
					    .leads = finding_rule_always,
					    .is_cause = true };

/* ---- the innermost own function with half of the time ---- */

#define HALF_ALL 90 /* percent: it calls the whole program, which says little */
#define INSIDE_PERCENT 60
#define INSIDE_FUNCTIONS 2
#define INSIDE_FUNCTION_SHARE 50000 /* millionths */
#define INSIDE_PACKAGES 3
#define INSIDE_PACKAGE_SHARE 80000

/* A function with half of the time below it. */
struct candidate {
	frame_id frame;
	int64_t total;
	unsigned rows;   /* of its deepest node */
	frame_id callee; /* an own function that it calls; FRAME_NONE: none was found */
	bool has_more;   /* it calls another one, too */
};

SORT_BEFORE(is_smaller, struct candidate,
	    x->total != y->total ? x->total < y->total : x->rows > y->rows)

/* The caller frees the list. */
static size_t find_candidates(struct finding_window *w, struct candidate **list)
{
	const struct charge *c = w->charge;
	const struct calltree *tree = &c->lane->tree;
	struct finding_tally *t = &w->tally;
	size_t n = 0, cap = 0;

	for (node_id i = 1; i < tree->n; i++) {
		charge_prefetch(c, i);
		if (tree->is_outer[i] && charge_function(c, i)->is_own)
			finding_tally_add(t, tree->frame[i], finding_window_total(w, i));
	}
	*list = NULL;
	for (size_t i = 0; i < t->n; i++) {
		frame_id f = t->used[i];
		int64_t charged = w->groups[c->functions[f].group].ns;

		if (charge_times_has(t->ns[f], w->times.busy, 50) &&
		    !charge_times_has(charged, t->ns[f], 50) &&
		    !(c->functions[f].frame.flags & CHARGE_TOP))
			*ARRAY_ADD(*list, n,
				   cap) = (struct candidate){ .frame = f,
							      .total = t->ns[f],
							      .rows = c->functions[f].rows };
	}
	finding_tally_clear(t);
	return n;
}

#define IS_OWN 0x80000000u /* own code: apart from what else is known of functions, it is small */

/* Calls of own functions by candidates, through packages or not. Callees of recursive calls count
 * only where they are not below themselves. */
struct calls {
	struct finding_window *w;
	uint32_t *of;    /* by frame: index of the candidate + 1; 0: it is none; with IS_OWN */
	uint32_t *above; /* by row: the owner of the nodes above the next one, in the same way */
	node_id node;    /* the callee, */
	uint32_t by;     /* and the candidate that calls it */
};

/* Find the next call that has time. Returns false at the end. */
static bool next_call(struct calls *k)
{
	const struct calltree *tree = &k->w->charge->lane->tree;

	while (++k->node < tree->n) {
		uint32_t *above = &k->above[tree->rows[k->node]];
		uint32_t own = k->of[tree->frame[k->node]];

		k->by = above[-1];
		*above = own ? own & ~IS_OWN : k->by;
		if (k->by && own && tree->is_outer[k->node] && (own & ~IS_OWN) != k->by &&
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

	for (size_t i = 0; i < w->charge->n_used; i++) {
		frame_id f = w->charge->used[i];

		k.of[f] = w->charge->functions[f].is_own ? IS_OWN : 0;
	}
	for (size_t i = 0; i < n; i++)
		k.of[list[i].frame] |= (uint32_t)i + 1;
	return k;
}

static void end_calls(struct calls *k)
{
	free(k->of);
	free(k->above);
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
static void find_half(struct finding_window *w)
{
	ALLOC_LOCAL struct candidate *list = NULL;
	size_t n;

	/* These functions are reported instead. */
	for (size_t i = 0; w->charge->is_tool && i < w->n_drafts; i++)
		if (w->drafts[i].f.kind == FINDING_SPENT)
			return;
	n = find_candidates(w, &list);
	if (n)
		sort_stable(list, n, sizeof *list, is_smaller, NULL);
	if (n) {
		/* Note up to two functions that each candidate calls. */
		struct calls k = begin_calls(w, list, n);

		while (next_call(&k)) {
			frame_id f = w->charge->lane->tree.frame[k.node];
			struct candidate *by = &list[k.by - 1];

			by->has_more |= by->callee != FRAME_NONE && by->callee != f;
			by->callee = f;
		}
		end_calls(&k);
	}
	for (size_t i = 0; i < n; i++) {
		if (!list[i].has_more ||
		    !finding_window_is_enough(w, list[i].total, w->times.n_busy))
			continue;
		tally_callees(w, list, n, &list[i]);
		add_half(w, &list[i]);
		return;
	}
}

static void tell_half(struct finding_window *w, const struct finding_draft *d,
		      struct finding_texts *out)
{
	finding_name_short(w, d->f.function, &out->name);
	finding_name_label(w, d->f.function, &out->label);
	buf_adds(&out->text, buf_text(&out->label));
	finding_tell_share(w, d, &out->text);
	buf_adds(&out->text, " with all it calls: ");
	finding_name_short(w, d->other, &out->text);
	buf_addc(&out->text, ' ');
	finding_name_share(w, d->other_ns, &out->text);
	buf_adds(&out->text, ", ");
	finding_name_short(w, d->third, &out->text);
	buf_addc(&out->text, ' ');
	finding_name_share(w, d->third_ns, &out->text);
}

static bool half_leads(const struct findings_result *r, const struct finding *f)
{
	(void)f;
	return r->is_tool;
}

const struct finding_rule finding_half = {
	.name = "half", .find = find_half, .tell = tell_half, .leads = half_leads, .is_cause = true
};

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
		if (best != except && finding_window_is_enough(w, t->ns[best], w->times.n_busy)) {
			struct finding_draft *d = finding_window_add(
				w, FINDING_INSIDE, w->tally.ns[best], is_package ? 550000 : 600000);

			d->keys.list = arena_alloc(&w->arena, keys->n * sizeof *d->keys.list);
			for (size_t i = 0; i < keys->n; i++)
				if (index_of(w->charge, keys->list[i], is_package) == best)
					d->keys.list[d->keys.n++] = keys->list[i];
			d->keys_ns = d->f.ns;
			if (is_package)
				d->group = best;
			else
				d->f.function = best;
		}
		t->ns[best] = 0;
	}
	finding_tally_clear(t);
}

/* Functions and packages inside the package that has most of the time. */
static void find_inside(struct finding_window *w)
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

static void tell_inside(struct finding_window *w, const struct finding_draft *d,
			struct finding_texts *out)
{
	if (d->group) {
		str_id package = w->charge->groups[d->group].id;

		finding_name_text(w->charge->profile, package, &out->name);
		finding_name_text(w->charge->profile, package, &out->label);
		buf_addf(&out->text, "inside: package %s", buf_text(&out->label));
	} else {
		finding_name_short(w, d->f.function, &out->name);
		finding_name_label(w, d->f.function, &out->label);
		buf_addf(&out->text, "inside: %s", buf_text(&out->label));
	}
	finding_tell_share(w, d, &out->text);
}

static bool inside_leads(const struct findings_result *r, const struct finding *f)
{
	(void)f;
	return !finding_rule_has_spent(r);
}

const struct finding_rule finding_inside = { .name = "inside",
					     .find = find_inside,
					     .tell = tell_inside,
					     .leads = inside_leads,
					     .is_cause = true };
