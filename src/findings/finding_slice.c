/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of slices are those of Chromium, which DevTools knows, too. A slice of a task is in the
 * first row. Layout is forced if it is below a slice that runs JavaScript: the page would have done
 * it once, after the script.
 *
 * Both lanes are walked in the order of time: `next` never goes back. */
#include "config.h"

#include "findings/finding_slice.h"

#include "base/alloc.h"
#include "model/whole_lanes.h"

#include <stdlib.h>
#include <string.h>

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
