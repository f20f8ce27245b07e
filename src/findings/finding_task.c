/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One pass over the samples, in time order. A task ends with idle time, (program), an empty stack,
 * another function in row 0, or a function that sleeps. It is start-up if Node.js itself or a
 * loader is in row 0, or if half of it is loading before the event loop first called back: modules
 * load in promise jobs, too. */
#include "config.h"

#include "findings/finding_task.h"

#include "base/alloc.h"
#include "findings/charge.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== finding tally ====
 *
 * A list of the indices in use goes with the array of sums. */

void finding_tally_init(struct finding_tally *t, size_t n_indices)
{
	t->ns = xcalloc(n_indices, sizeof *t->ns);
	t->used = xcalloc(n_indices, sizeof *t->used);
	t->n = 0;
}

void finding_tally_done(struct finding_tally *t)
{
	free(t->ns);
	free(t->used);
	*t = (struct finding_tally){ 0 };
}

void finding_tally_add(struct finding_tally *t, uint32_t index, int64_t ns)
{
	if (ns <= 0)
		return;
	if (!t->ns[index])
		t->used[t->n++] = index;
	t->ns[index] += ns;
}

bool finding_tally_largest(const struct finding_tally *t, uint32_t *index)
{
	if (!t->n)
		return false;
	*index = t->used[0];
	for (size_t i = 1; i < t->n; i++)
		if (t->ns[t->used[i]] > t->ns[*index] ||
		    (t->ns[t->used[i]] == t->ns[*index] && t->used[i] < *index))
			*index = t->used[i];
	return true;
}

void finding_tally_clear(struct finding_tally *t)
{
	for (size_t i = 0; i < t->n; i++)
		t->ns[t->used[i]] = 0;
	t->n = 0;
}

/* ==== finding slice ====
 *
 * Names of slices are those of Chromium, which DevTools knows, too. A slice of a task is in the
 * first row. Layout is forced if it is below a slice that runs JavaScript: the page would have done
 * it once, after the script.
 *
 * Both lanes are walked in the order of time: `next` never goes back. */

#define IS_TASK 1u   /* a task */
#define IN_TASK 2u   /* in a task, or one */
#define IN_CALL 4u   /* at or below a slice that runs JavaScript */
#define IS_FORCED 8u /* layout in such a slice, or below */

static bool is_any(const char *name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(name, list[i]) == 0)
			return true;
	return false;
}

static unsigned flags_of(const char *name, bool is_row_0, unsigned above)
{
	static const char *const tasks[] = { "RunTask", "ThreadControllerImpl::RunTask" };
	static const char *const calls[] = {
		"FunctionCall", "EvaluateScript",  "RunMicrotasks",
		"v8.run",       "v8.callFunction", "v8.evaluateModule"
	};
	static const char *const layout[] = { "Layout", "UpdateLayoutTree", "RecalculateStyles" };
	unsigned flags = above & (IN_TASK | IN_CALL | IS_FORCED);

	if (is_row_0 && is_any(name, tasks, ARRAY_LEN(tasks)))
		flags |= IS_TASK | IN_TASK;
	if (is_any(name, layout, ARRAY_LEN(layout)) && flags & IN_CALL)
		flags |= IS_FORCED;
	if (is_any(name, calls, ARRAY_LEN(calls)))
		flags |= IN_CALL;
	return flags;
}

static const struct lane *find_companion(const struct profile *p, const struct lane *lane)
{
	/* Tasks and what is in them may be of several event categories. */
	bool is_split = p->whole && !p->is_borrower;
	const struct lane *lanes = is_split ? p->whole->lanes : p->lanes;
	uint32_t n = is_split ? p->whole->n_lanes : p->n_lanes;

	for (uint32_t i = 0; i < n && lane_has_times(lane); i++) {
		const struct lane *other = &lanes[i];

		if (other->kind == LANE_SLICES && !other->is_joined && other->tree.n > 1 &&
		    other->samples.n && other->input == lane->input && other->pid == lane->pid &&
		    other->tid == lane->tid && lane->tid != LANE_NO_ID)
			return other;
	}
	return NULL;
}

void finding_slice_init(struct finding_slices *s, const struct charge *charge)
{
	const struct profile *p = charge->profile;
	const struct calltree *tree;

	*s = (struct finding_slices){ .charge = charge,
				      .lane = find_companion(p, charge->lane),
				      .next = SIZE_MAX };
	if (!s->lane)
		return;
	tree = &s->lane->tree;
	s->flags = xcalloc(tree->n, 1);
	for (node_id i = 1; i < tree->n; i++) {
		const char *name = profile_text(p, p->frames.frames[tree->frame[i]].name);

		s->flags[i] = (uint8_t)flags_of(name, tree->parent[i] == NODE_ROOT,
						s->flags[tree->parent[i]]);
		s->has_tasks |= (s->flags[i] & IS_TASK) != 0;
	}
	finding_tally_init(&s->program, p->frames.n);
	finding_tally_init(&s->forced, p->frames.n);
}

void finding_slice_done(struct finding_slices *s)
{
	free(s->flags);
	finding_tally_done(&s->program);
	finding_tally_done(&s->forced);
	*s = (struct finding_slices){ 0 };
}

/* Go to the stretch at time t, or to the one before it. Returns whether t is in a stretch; *end:
 * until when that holds. */
static bool go_to(struct finding_slices *s, int64_t t, int64_t *end)
{
	const struct samples *at = &s->lane->samples;

	if (s->next == SIZE_MAX)
		s->next = samples_find(at, t);
	while (s->next + 1 < at->n && samples_time(at, s->next + 1) <= t)
		s->next++;
	*end = t < samples_time(at, s->next) ? samples_time(at, s->next)
					     : samples_time(at, s->next + 1);
	if (t >= samples_time(at, s->next + 1))
		*end = INT64_MAX;
	return t >= samples_time(at, s->next) && t < samples_time(at, s->next + 1);
}

static void add(struct finding_slices *s, const struct charge_sample *sample, node_id leaf,
		int64_t ns)
{
	frame_id owner = charge_owner(s->charge, sample->key);

	if (sample->kind == CHARGE_PROGRAM && leaf != NODE_ROOT && !(s->flags[leaf] & IS_TASK))
		finding_tally_add(&s->program, s->lane->tree.frame[leaf], ns);
	if (!(s->flags[leaf] & IS_FORCED) || !charge_times_is_busy(sample->kind))
		return;
	s->forced_ns += ns;
	if (owner != FRAME_NONE)
		finding_tally_add(&s->forced, owner, ns);
}

bool finding_slice_next(struct finding_slices *s, const struct charge_sample *sample, int64_t from,
			struct finding_piece *piece)
{
	int64_t end;
	node_id leaf;

	if (from >= sample->t1)
		return false;
	*piece = (struct finding_piece){ .t0 = from, .t1 = sample->t1 };
	if (!go_to(s, from, &end)) {
		piece->t1 = end < sample->t1 ? end : sample->t1;
		return true;
	}
	piece->t1 = end < sample->t1 ? end : sample->t1;
	leaf = s->lane->samples.leaf[s->next];
	add(s, sample, leaf, piece->t1 - from);
	if (!(s->flags[leaf] & IN_TASK))
		return true;
	/* The task stays for many stretches. */
	if (s->next < s->task.first || s->next >= s->task.end)
		span_of_sample(&s->lane->samples, &s->lane->tree, s->next, 0, &s->task);
	piece->is_in_task = true;
	piece->task_t0 = s->task.t0;
	piece->task_t1 = s->task.t1;
	return true;
}

/* ==== finding task ==== */

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
