/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "findings/finding_rule_whole.h"

#include "base/units.h"
#include "findings/finding_tell.h"
#include "findings/finding_window.h"
#include "model/lane_name.h"

#include <string.h>

/* ==== finding other ====
 *
 * Only lanes that can have enough busy time in the window are summed sample by sample. */

#define BUSY_PERCENT 50 /* of the window */

/* The time of [t0, t1) in which a lane was sampled and not idle. */
static int64_t busy_of(const struct profile *profile, const struct lane *lane, int64_t t0,
		       int64_t t1)
{
	const struct samples *s = &lane->samples;
	int64_t ns = 0;

	for (size_t i = samples_find(s, t0); i < s->n && samples_time(s, i) < t1; i++) {
		int64_t from = samples_time(s, i) > t0 ? samples_time(s, i) : t0,
			end = samples_time(s, i + 1) < t1 ? samples_time(s, i + 1) : t1;
		node_id leaf = s->leaf[i];

		if (leaf != NODE_ROOT && end > from &&
		    profile_node_frame(profile, lane, leaf)->category != CATEGORY_IDLE)
			ns += end - from;
	}
	return ns;
}

/* The lane of samples, other than that of the window, with most busy time in the window; *ns: that
 * time. NULL if none is busy for half of the window, or if the lanes have no common clock. */
static const struct lane *finding_other_busy(const struct finding_window *w, int64_t *ns)
{
	const struct profile *profile = w->charge->profile;
	const struct lane *best = NULL;
	int64_t t0 = w->times.t0, t1 = w->times.t1, least = units_part(t1 - t0, BUSY_PERCENT, 100);

	*ns = 0;
	if (profile->has_own_zero)
		return NULL;
	for (uint32_t i = 0; i < profile->n_lanes; i++) {
		const struct lane *lane = &profile->lanes[i];
		int64_t busy;

		if (lane == w->charge->lane || lane->kind != LANE_SAMPLES ||
		    !lane_has_times(lane) || !lane->samples.n || lane_worked_ns(lane) <= least)
			continue;
		busy = busy_of(profile, lane, t0, t1);
		if (busy >= least && busy > *ns) {
			*ns = busy;
			best = lane;
		}
	}
	return best;
}

/* ==== finding rule whole ==== */

#define IDLE_PERCENT 90    /* of the window */
#define WAITING_PERCENT 50 /* of the busy time: the sentence comes first */
#define FEW_SAMPLES 200
#define FEW_PERCENT                                                                                \
	40 /* of the busy time that a function of few samples must have for its name               \
	    */

static bool is_idle(const struct finding_window *w)
{
	int64_t length = w->times.t1 - w->times.t0;

	return length > 0 && charge_times_has(w->times.idle, length, IDLE_PERCENT);
}

/* ---- waiting ---- */

void finding_rule_whole_waiting(struct finding_window *w, uint32_t group)
{
	const struct finding_group *g = &w->groups[group];
	uint32_t best = FRAME_NONE;
	struct finding_draft *d;

	if (!g->keys.list)
		return;
	d = finding_window_add(w, FINDING_WAITING, g->ns, 500000);
	d->group = group;
	d->keys = g->keys;
	d->keys_ns = g->ns;
	for (size_t i = 0; i < d->keys.n; i++)
		finding_tally_add(&w->tally, charge_key_frame(w->charge, d->keys.list[i]),
				  w->times.ns[d->keys.list[i]]);
	finding_tally_largest(&w->tally, &best);
	finding_tally_clear(&w->tally);
	d->f.function = best;
	if (charge_times_has(g->ns, w->times.busy, WAITING_PERCENT))
		d->f.score = 1000000;
}

void finding_rule_whole_tell_waiting(struct finding_window *w, const struct finding_draft *d,
				     struct finding_texts *out)
{
	buf_adds(&out->name, "waits");
	buf_adds(&out->label, "waits in Atomics.wait");
	buf_addf(&out->text, "%s ", buf_text(&out->label));
	finding_name_share(w, d->f.ns, &out->text);
	buf_adds(&out->text, ": no work, in ");
	finding_name_label(w, d->f.function, &out->text);
}

/* ---- few samples ---- */

/* The key's function: its owner, else the function itself; FRAME_NONE: none. */
static frame_id function_of(const struct charge *c, charge_key key)
{
	frame_id frame = charge_key_frame(c, key);

	if (charge_key_kind(c, key) != CHARGE_STACK ||
	    c->functions[frame].frame.flags & CHARGE_BASE)
		return FRAME_NONE;
	return charge_of(c, key)->owner != NODE_ROOT ? charge_owner(c, key) : frame;
}

void finding_rule_whole_few(struct finding_window *w)
{
	struct finding_tally *t = &w->tally;
	uint32_t best = FRAME_NONE;
	struct finding_draft *d;
	int64_t ns;

	if (!w->times.n_busy || w->times.n_busy >= FEW_SAMPLES || is_idle(w))
		return;
	for (size_t i = 0; i < w->n_drafts; i++)
		if (w->drafts[i].f.kind <= FINDING_INSIDE)
			return;
	for (size_t i = 0; i < w->keys.n; i++) {
		frame_id f = function_of(w->charge, w->keys.list[i]);

		if (f != FRAME_NONE)
			finding_tally_add(t, f, w->times.ns[w->keys.list[i]]);
	}
	finding_tally_largest(t, &best);
	ns = t->ns[best];
	finding_tally_clear(t);
	if (best == FRAME_NONE)
		return;
	d = finding_window_add(w, FINDING_FEW, ns, 0);
	d->f.function = charge_times_has(ns, w->times.busy, FEW_PERCENT) ? best : FRAME_NONE;
}

/* The share stands behind the name. */
void finding_rule_whole_tell_few(struct finding_window *w, const struct finding_draft *d,
				 struct finding_texts *out)
{
	unsigned n = (unsigned)w->times.n_busy;

	buf_addf(&out->name, "%u %s%s: ", n, w->times.lane->hit_ns ? "hit" : "sample",
		 n == 1 ? "" : "s");
	buf_addf(&out->label, "only %s", buf_text(&out->name));
	if (d->f.function != FRAME_NONE) {
		finding_name_short(w, d->f.function, &out->name);
		finding_name_label(w, d->f.function, &out->label);
	} else {
		buf_adds(&out->name, "no function above");
		buf_adds(&out->label, "no function above");
	}
	buf_addf(&out->text, "%s ", buf_text(&out->label));
	finding_name_share(w, d->f.ns, &out->text);
}

/* ---- no culprit ---- */

#define EVEN_MAX 15 /* percent that the first function may have, */
#define EVEN_MIN 5  /* and how many functions have at least half as much */

/* The finding that would lead: files and functions with all that they call are sums of others. */
static const struct finding_draft *find_lead(const struct finding_window *w)
{
	const struct finding_draft *best = NULL;

	for (size_t i = 0; i < w->n_drafts; i++) {
		const struct finding_draft *d = &w->drafts[i];

		if (d->f.kind <= FINDING_INSIDE && d->f.kind != FINDING_FILE &&
		    d->f.kind != FINDING_HALF && (!best || d->f.score > best->f.score))
			best = d;
	}
	return best;
}

void finding_rule_whole_even(struct finding_window *w)
{
	const struct finding_draft *lead = find_lead(w);
	int64_t most = 0, least = INT64_MAX, sum = 0;
	struct finding_draft *d;
	uint32_t n = 0;

	if (!lead || lead->f.kind != FINDING_OWNER ||
	    charge_times_has(lead->f.ns, w->times.busy, EVEN_MAX))
		return;
	for (size_t i = 0; i < w->n_drafts; i++) {
		const struct finding *f = &w->drafts[i].f;

		if (f->kind != FINDING_OWNER || !charge_times_has(f->ns, lead->f.ns, 50))
			continue;
		n++;
		sum += f->ns;
		most = f->ns > most ? f->ns : most;
		least = f->ns < least ? f->ns : least;
	}
	if (n < EVEN_MIN)
		return;
	d = finding_window_add(w, FINDING_EVEN, sum, 1000000);
	d->count = n;
	d->other_ns = least;
	d->third_ns = most;
}

void finding_rule_whole_tell_even(struct finding_window *w, const struct finding_draft *d,
				  struct finding_texts *out)
{
	char least[UNITS_MAX], most[UNITS_MAX];

	units_share(d->other_ns, w->times.busy, least);
	units_share(d->third_ns, w->times.busy, most);
	buf_addf(&out->name, "no function above %s", most);
	/* `5 to 9 %`: the first number without its unit. */
	least[strcspn(least, " ")] = '\0';
	buf_addf(&out->label, "no function stands out: %u have %s to %s", (unsigned)d->count, least,
		 most);
	buf_adds(&out->text, buf_text(&out->label));
}

/* ---- idle time ---- */

void finding_rule_whole_idle(struct finding_window *w)
{
	struct finding_draft *d;

	if (!is_idle(w))
		return;
	d = finding_window_add(w, FINDING_IDLE, w->times.idle, 0);
	d->f.whole = w->times.t1 - w->times.t0;
	d->f.score = 1000000;
}

void finding_rule_whole_tell_idle(struct finding_window *w, const struct finding_draft *d,
				  struct finding_texts *out)
{
	const struct lane *lane = w->charge->lane, *other;
	char share[UNITS_MAX], length[UNITS_MAX];
	int64_t busy;

	units_share(d->f.ns, d->f.whole, share);
	units_time(d->f.whole, length);
	buf_adds(&out->name, "idle");
	buf_adds(&out->label, "idle");
	buf_addf(&out->text, "idle %s of %s: ", share, length);
	other = finding_other_busy(w, &busy);
	w->result->has_other_busy = other != NULL;
	if (!other) {
		buf_adds(&out->text, "the processor is not the bottleneck");
		return;
	}
	units_share(busy, d->f.whole, share);
	buf_adds(&out->text, "waits; ");
	lane_name(w->charge->profile, other, other->pid != lane->pid, &out->text);
	buf_addf(&out->text, " is busy %s", share);
}
