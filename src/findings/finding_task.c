/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One pass over the samples, in time order. A task ends with idle time, (program), an empty stack,
 * another function in row 0, or a function that sleeps. It is start-up if Node.js itself or a
 * loader is in row 0, or if half of it is loading before the event loop first called back: modules
 * load in promise jobs, too. */
#include "config.h"

#include "findings/finding_task.h"

#include "base/alloc.h"

#include <stdlib.h>

void finding_task_init(struct finding_tasks *t, const struct charge *charge, int64_t t0, int64_t t1,
		       bool is_exact)
{
	uint32_t n = charge->profile->frames.n;

	*t = (struct finding_tasks){ .charge = charge,
				     .is_on = charge->has_loop || is_exact,
				     .is_exact = is_exact,
				     .t0 = t0,
				     .t1 = t1 };
	if (!t->is_on)
		return;
	t->most = xcalloc(n, sizeof *t->most);
	finding_tally_init(&t->owners, n);
	finding_tally_init(&t->in_task, n);
	finding_tally_init(&t->in_stretch, n);
}

void finding_task_done(struct finding_tasks *t)
{
	free(t->most);
	finding_tally_done(&t->owners);
	finding_tally_done(&t->in_task);
	finding_tally_done(&t->in_stretch);
	*t = (struct finding_tasks){ 0 };
}

int64_t finding_task_of(const struct finding_tasks *t, frame_id owner)
{
	return t->most ? t->most[owner] : 0;
}

static bool is_startup(const struct charge *c, const struct finding_task *task)
{
	unsigned flags = c->functions[task->entry].frame.flags;

	if (c->is_page || task->entry == FRAME_NONE)
		return false;
	return flags & (CHARGE_BOOT | CHARGE_LOADER | CHARGE_MAIN) ||
		(charge_times_has(task->start_ns, task->t1 - task->t0, 50) &&
		 task->t0 <= c->t_loop);
}

static void set_owner(struct finding_task *task, const struct finding_tally *tally)
{
	uint32_t best = FRAME_NONE;

	finding_tally_largest(tally, &best);
	task->owner = best;
	task->owner_ns = tally->ns[best];
}

static int64_t length(const struct finding_task *task)
{
	return task->t1 - task->t0;
}

static void end_task(struct finding_tasks *t)
{
	struct finding_task *task = &t->task;
	struct finding_tally *in = &t->in_task;

	if (!t->is_in_task)
		return;
	t->is_in_task = false;
	if (t->counts_startup || !is_startup(t->charge, task)) {
		set_owner(task, in);
		if (t->visit)
			t->visit(t->visit_ctx, task);
		for (size_t i = 0; i < in->n; i++) {
			frame_id f = in->used[i];

			if (in->ns[f] > t->most[f])
				t->most[f] = in->ns[f];
			if (length(task) >= FINDING_TASK_LONG)
				finding_tally_add(&t->owners, f, in->ns[f]);
		}
		if (length(task) >= FINDING_TASK_LONG) {
			t->n_long++;
			t->long_ns += t->is_exact ? task->busy_ns : length(task);
		}
		if (length(task) > length(&t->worst))
			t->worst = *task;
		if (length(task) > t->stretch_task)
			t->stretch_task = length(task);
	}
	finding_tally_clear(in);
}

static void end_stretch(struct finding_tasks *t)
{
	if (!t->is_in_stretch)
		return;
	t->is_in_stretch = false;
	/* A slice of a task goes on. */
	if (t->is_exact && t->is_in_task && length(&t->task) > t->stretch_task)
		t->stretch_task = length(&t->task);
	if (length(&t->stretch) > length(&t->busiest)) {
		set_owner(&t->stretch, &t->in_stretch);
		t->busiest = t->stretch;
		t->busiest_task = t->stretch_task;
	}
	finding_tally_clear(&t->in_stretch);
}

/* Add to the stretch without idle time. Returns false, and ends it, if the sample is idle. */
static bool add_to_stretch(struct finding_tasks *t, enum charge_kind kind, frame_id owner,
			   int64_t t0, int64_t t1)
{
	if (kind == CHARGE_IDLE || kind == CHARGE_EMPTY || kind == CHARGE_WAITING) {
		end_stretch(t);
		return false;
	}
	if (!t->is_in_stretch) {
		t->stretch = (struct finding_task){ .t0 = t0 };
		t->stretch_task = 0;
		t->is_in_stretch = true;
	}
	t->stretch.t1 = t1;
	if (owner != FRAME_NONE)
		finding_tally_add(&t->in_stretch, owner, t1 - t0);
	return true;
}

void finding_task_add(struct finding_tasks *t, const struct charge_sample *s)
{
	const struct charge *c = t->charge;
	const struct charge_node *n = charge_of(c, s->key);
	enum charge_kind kind = charge_key_kind(c, s->key);
	frame_id owner = charge_owner(c, s->key);
	int64_t ns = s->t1 - s->t0;

	if (!t->is_on)
		return;
	if (kind == CHARGE_WAITING && t->counts_waiting)
		kind = CHARGE_STACK;
	if (t->is_in_task && (kind != CHARGE_STACK || n->entry != t->task.entry))
		end_task(t);
	if (!add_to_stretch(t, kind, owner, s->t0, s->t1) || kind != CHARGE_STACK)
		return;
	if (!t->is_in_task) {
		t->task = (struct finding_task){ .t0 = s->t0, .entry = n->entry };
		t->is_in_task = true;
	}
	t->task.t1 = s->t1;
	t->task.start_ns += n->flags & (CHARGE_IN_LOAD | CHARGE_IN_BOOT) ? ns : 0;
	if (owner != FRAME_NONE)
		finding_tally_add(&t->in_task, owner, ns);
}

/* A task is the slice that the piece is in, within the window. */
void finding_task_add_piece(struct finding_tasks *t, const struct charge_sample *s,
			    const struct finding_piece *piece)
{
	frame_id owner = charge_owner(t->charge, s->key);
	int64_t t0 = piece->task_t0 > t->t0 ? piece->task_t0 : t->t0,
		t1 = piece->task_t1 < t->t1 ? piece->task_t1 : t->t1;

	if (t->is_in_task && (!piece->is_in_task || t0 != t->task.t0))
		end_task(t);
	add_to_stretch(t, charge_key_kind(t->charge, s->key), owner, piece->t0, piece->t1);
	if (!piece->is_in_task)
		return;
	if (!t->is_in_task)
		t->task = (struct finding_task){ .t0 = t0, .t1 = t1 };
	t->is_in_task = true;
	if (!charge_times_is_busy(s->kind) || s->kind == CHARGE_WAITING)
		return;
	t->task.busy_ns += piece->t1 - piece->t0;
	if (owner != FRAME_NONE)
		finding_tally_add(&t->in_task, owner, piece->t1 - piece->t0);
}

void finding_task_finish(struct finding_tasks *t)
{
	end_task(t);
	end_stretch(t);
}
