/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each rule is about the groups of one kind: owners, packages, files and so on. */
#include "config.h"

#include "findings/finding_rule_group.h"

#include "findings/finding_mechanism.h"
#include "findings/finding_name.h"

#include "base/units.h"

#define IO_PERCENT 70 /* of the time in machinery of input and output that does not count */
/* An owner that blocks an event loop is worse than its share says. */
#define BLOCK_LEAST (25 * NS_PER_MS)
#define BLOCK_MOST (250 * NS_PER_MS)
#define BLOCK_BONUS 250000 /* millionths, for BLOCK_MOST or more */
#define TIMER_PERCENT 80   /* of the time of an owner that timers call */
#define MECHANISM_LEAST 30 /* percent of the owner's time */

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
	if (best != MECHANISM_SELF && charge_times_has(t->ns[best], d->f.ns, MECHANISM_LEAST)) {
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

void finding_rule_group_owners(struct finding_window *w, uint32_t group)
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
	if (block >= BLOCK_LEAST)
		d->f.score += block >= BLOCK_MOST ? BLOCK_BONUS
						  : (int32_t)(block * BLOCK_BONUS / BLOCK_MOST);
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

void finding_rule_group_packages(struct finding_window *w, uint32_t group)
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

void finding_rule_group_sync(struct finding_window *w, uint32_t group)
{
	struct finding_draft *d = add_group(w, FINDING_SYNC, group, 1000000);
	int64_t ns;

	if (!d)
		return;
	d->f.function = most_of(w, &d->keys, sync_of, &ns);
	d->f.under = most_of(w, &d->keys, charge_owner, &d->other_ns);
}

void finding_rule_group_load(struct finding_window *w, uint32_t group)
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
	if (charge_times_has(t->ns[package], d->f.ns, MECHANISM_LEAST))
		d->other = package;
	finding_tally_clear(t);
}

void finding_rule_group_regexp(struct finding_window *w, uint32_t group)
{
	struct finding_draft *d = add_group(w, FINDING_REGEXP, group, 950000);

	if (!d)
		return;
	d->f.function = w->charge->groups[group].id;
	d->f.under = most_of(w, &d->keys, charge_owner, &d->other_ns);
}

void finding_rule_group_gc(struct finding_window *w, uint32_t group)
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

void finding_rule_group_files(struct finding_window *w, uint32_t group)
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

void finding_rule_group_program(struct finding_window *w, uint32_t group)
{
	struct finding_draft *d = add_group(w, FINDING_PROGRAM, group, 250000);

	if (d && d->keys.n)
		d->f.function = charge_key_frame(w->charge, d->keys.list[0]);
}

void finding_rule_group_modules(struct finding_window *w, uint32_t group)
{
	add_group(w, FINDING_NODE, group, 350000);
}

/* ---- all groups ---- */

void finding_rule_group_each(struct finding_window *w, enum charge_group_kind kind,
			     void (*rule)(struct finding_window *w, uint32_t group))
{
	for (uint32_t g = 1; g < w->charge->n_groups; g++)
		if (w->charge->groups[g].kind == kind)
			rule(w, g);
}
