/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the slices of a trace tell beside the samples of their thread, or instead of them: kinds of
 * work, and what the longest task is spent in. */
#include "config.h"

#include "findings/finding_name.h"
#include "model/profile.h"
#include "model/slice_work.h"

#include <string.h>

#define KIND_PERCENT 5   /* of the time that is explained, and */
#define KIND_SHARE_MIN 1 /* of the busy time, to be named */
#define EXPLAINED_PERCENT 40
#define CAUSE_PERCENT 25 /* of a task */

static const char *kind_name(unsigned kind)
{
	return kind == FINDING_WORK_TIMERS        ? "timers"
		: kind == FINDING_WORK_IMMEDIATES ? "immediates"
						  : slice_work_name((enum work)kind);
}

/* The largest kind. What tasks do by themselves says little: it comes last, and never if `skips`.
 */
static unsigned largest(const int64_t ns[FINDING_WORK_COUNT], bool skips)
{
	unsigned best = WORK_SCRIPTING;

	for (unsigned i = 0; i < FINDING_WORK_COUNT; i++)
		if (i != WORK_IDLE && i != WORK_SYSTEM && ns[i] > ns[best])
			best = i;
	return ns[best] > 0 || skips ? best : WORK_SYSTEM;
}

bool finding_work_explains(const struct finding_window *w, int64_t whole)
{
	int64_t ns = 0;

	for (unsigned i = 0; i < FINDING_WORK_COUNT; i++)
		ns += i == WORK_IDLE || i == WORK_SYSTEM ? 0 : w->slices.work_ns[i];
	return charge_times_has(ns, whole, EXPLAINED_PERCENT);
}

void finding_work_tell(const struct finding_window *w, int64_t whole, bool is_short,
		       struct buf *text)
{
	int64_t ns[FINDING_WORK_COUNT];
	unsigned kind;

	memcpy(ns, w->slices.work_ns, sizeof ns);
	/* It is a finding of its own. */
	ns[WORK_GC] = is_short ? 0 : ns[WORK_GC];
	while (kind = largest(ns, is_short), ns[kind] > 0) {
		int64_t time = ns[kind];

		ns[kind] = 0;
		if (!charge_times_has(time, whole, KIND_PERCENT) ||
		    !charge_times_has(time, w->times.busy, KIND_SHARE_MIN))
			continue;
		buf_addf(text, "%s%s ",
			 text->len                                                  ? ", "
				 : is_short && w->charge->lane->kind != LANE_SLICES ? "native: "
										    : "",
			 kind_name(kind));
		if (!is_short && w->charge->lane->kind == LANE_SLICES)
			buf_addf(text, "%s ", units_time(time, UNITS_ROOM));
		finding_name_share(w, time, text);
	}
}

/* ---- what the longest task is spent in ---- */

/* What a stretch counts for: the innermost slice that has the place of what it runs, or else the
 * innermost one. */
static frame_id cause_of(const struct finding_window *w, node_id leaf)
{
	const struct calltree *tree = &w->slices.lane->tree;

	for (node_id i = leaf; i != NODE_ROOT; i = tree->parent[i])
		if (w->charge->profile->frames.frames[tree->frame[i]].url)
			return tree->frame[i];
	return tree->frame[leaf];
}

/* Add the slices in [t0, t1) to the kinds of work, and to the tally by cause. */
static void add_task(struct finding_window *w, int64_t t0, int64_t t1,
		     int64_t ns[FINDING_WORK_COUNT])
{
	const struct lane *lane = w->slices.lane;
	const struct samples *s = &lane->samples;

	for (size_t i = samples_find(s, t0); i < s->n && samples_time(s, i) < t1; i++) {
		int64_t from = samples_time(s, i) > t0 ? samples_time(s, i) : t0,
			end = samples_time(s, i + 1) < t1 ? samples_time(s, i + 1) : t1;
		node_id leaf = s->leaf[i];
		unsigned kind = w->slices.kinds[leaf];

		if (kind == WORK_IDLE || kind == WORK_SYSTEM || end <= from)
			continue;
		ns[kind] += end - from;
		finding_tally_add(&w->tally, cause_of(w, leaf), end - from);
	}
}

/* Whether a slice runs the function. */
static bool is_same(const struct finding_window *w, frame_id slice, frame_id function)
{
	const struct frame *a = &w->charge->profile->frames.frames[slice],
			   *b = &w->charge->profile->frames.frames[function];

	return a->name == b->name && a->url == b->url && a->line == b->line;
}

void finding_work_tell_task(struct finding_window *w, const struct finding_draft *d,
			    const char *begin, struct finding_texts *out)
{
	int64_t ns[FINDING_WORK_COUNT] = { 0 }, length = d->f.t1 - d->f.t0, cause_ns = 0;
	uint32_t cause = FRAME_NONE;
	unsigned kind;

	add_task(w, d->f.t0, d->f.t1, ns);
	if (finding_tally_largest(&w->tally, &cause))
		cause_ns = w->tally.ns[cause];
	finding_tally_clear(&w->tally);
	kind = largest(ns, true);
	if (!charge_times_has(ns[kind], length, CAUSE_PERCENT))
		return;
	buf_addf(&out->text, "%s%s %s", begin, kind_name(kind),
		 units_share(ns[kind], length, UNITS_ROOM));
	buf_adds(&out->mechanism, kind_name(kind));
	if (kind >= WORK_COUNT || is_same(w, cause, d->f.function) ||
	    !charge_times_has(cause_ns, length, CAUSE_PERCENT))
		return;
	buf_adds(&out->text, w->charge->profile->frames.frames[cause].url ? ", below " : ", ");
	finding_name_label(w, cause, &out->text);
	buf_addf(&out->text, " %s", units_share(cause_ns, length, UNITS_ROOM));
}

/* ---- work: a thread without samples ---- */

static void find_work(struct finding_window *w)
{
	int64_t ns[FINDING_WORK_COUNT];
	unsigned kind;

	memcpy(ns, w->slices.work_ns, sizeof ns);
	ns[WORK_GC] = 0;
	kind = largest(ns, true);
	if (w->charge->lane->kind == LANE_SLICES &&
	    charge_times_has(ns[kind], w->times.busy, KIND_PERCENT))
		finding_window_add(w, FINDING_WORK, ns[kind], 200000)->other = kind;
}

static void tell_work(struct finding_window *w, const struct finding_draft *d,
		      struct finding_texts *out)
{
	finding_work_tell(w, w->times.busy, true, &out->label);
	buf_adds(&out->name, kind_name(d->other));
	finding_work_tell(w, w->times.busy, false, &out->text);
}

const struct finding_rule finding_work = {
	.name = "work", .find = find_work, .tell = tell_work, .is_of_slices = true
};
