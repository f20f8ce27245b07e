/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks, stretches and periods were collected in the pass over the samples; the place of their
 * findings is known. */
#include "config.h"

#include "findings/finding_rule_time.h"

#define IDLE_LEAST 5 /* percent of the window, for periods */

static void set_place(struct finding_draft *d, const struct finding_task *task)
{
	d->f.t0 = task->t0;
	d->f.t1 = task->t1;
	d->has_place = true;
}

/* The score is by the owner with most time in all long tasks, if it has half of it. */
void finding_rule_time_block(struct finding_window *w)
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

void finding_rule_time_stretch(struct finding_window *w)
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

void finding_rule_time_every(struct finding_window *w)
{
	int64_t interval, length = w->times.t1 - w->times.t0;
	const struct finding_runs *r = finding_period_find(&w->periods, &interval);
	struct finding_draft *d;

	if (!r || !charge_times_has(w->times.idle, length, IDLE_LEAST) ||
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
void finding_rule_time_layout(struct finding_window *w)
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
