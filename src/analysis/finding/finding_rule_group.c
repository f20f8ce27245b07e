/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules that take one group of nodes: an owner, a package, garbage collection. */
#include "config.h"

#include "analysis/finding/finding_rule_group.h"

#include "analysis/finding/finding_mechanism.h"
#include "analysis/finding/finding_name.h"

#include "base/units.h"

#define IO_PERCENT 70      /* of the time in machinery of input and output that does not count */
#define MECHANISM_LEAST 30 /* percent of the owner's time */

static struct finding_draft *add_group(struct finding_window *w, enum finding_kind kind,
				       uint32_t group, int32_t weight)
{
	struct finding_draft *d;

	if (!finding_window_is_enough(w, w->group_ns[group], w->group_count[group]))
		return NULL;
	d = finding_window_add(w, kind, w->group_ns[group], weight);
	d->group = group;
	d->keys_ns = finding_window_keys(w, group, &d->keys);
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
		     (t->ns[m] == t->ns[best] && m < best)))
			best = m;
	}
	if (best != MECHANISM_SELF && t->ns[best] * 100 >= d->f.ns * MECHANISM_LEAST) {
		d->mechanism = best;
		d->mechanism_ns = t->ns[best];
	}
	finding_tally_clear(t);
}

void finding_rule_group_owners(struct finding_window *w)
{
	const struct charge *c = w->charge;

	for (uint32_t g = 1; g < c->n_groups; g++) {
		struct finding_draft *d;

		if (c->groups[g].kind != CHARGE_BY_OWNER)
			continue;
		d = add_group(w, FINDING_OWNER, g, 1000000);
		if (!d)
			continue;
		d->f.function = c->groups[g].id;
		find_mechanism(w, d);
		d->f.score -= (int32_t)((int64_t)finding_window_share(w, d->io_ns) * IO_PERCENT /
					100);
	}
}

/* ---- packages ---- */

void finding_rule_group_packages(struct finding_window *w)
{
	const struct charge *c = w->charge;

	for (uint32_t g = 1; g < c->n_groups; g++) {
		struct finding_draft *d;

		if (c->groups[g].kind != CHARGE_BY_PACKAGE)
			continue;
		d = add_group(w, FINDING_PACKAGE, g, c->is_tool ? 550000 : 950000);
		if (d && !c->is_tool)
			d->f.under = finding_window_under(w, &d->keys, &d->other_ns);
	}
}

/* ---- garbage collection ---- */

void finding_rule_group_gc(struct finding_window *w)
{
	const struct charge *c = w->charge;

	for (uint32_t g = 1; g < c->n_groups; g++) {
		struct finding_draft *d;

		if (c->groups[g].kind != CHARGE_BY_GC)
			continue;
		d = add_group(w, FINDING_GC, g, 900000);
		if (d && !c->is_tool)
			d->f.under = finding_window_under(w, &d->keys, &d->other_ns);
	}
}

/* ---- idle time ---- */

#define IDLE_PERCENT 90

void finding_rule_group_idle(struct finding_window *w)
{
	int64_t length = w->times.t1 - w->times.t0;
	struct finding_draft *d;

	if (length <= 0 || w->times.idle / IDLE_PERCENT < length / 100)
		return;
	d = finding_window_add(w, FINDING_IDLE, w->times.idle, 0);
	d->f.whole = length;
	d->f.score = 1000000;
}
