/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lane is charged once. For a window, the steps are: add the samples, sum groups, run all
 * rules, order their drafts, find places, write texts. Only passes over samples are split by the
 * budget: all else is linear in the number of nodes.
 *
 * A result is made aside, and replaces the old one when it is complete. */
#include "config.h"

#include "analysis/findings.h"

#include "analysis/finding/finding_mechanism.h"
#include "analysis/finding/finding_name.h"
#include "analysis/finding/finding_order.h"
#include "analysis/finding/finding_rule.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum step { STEP_CHARGE, STEP_TIMES, STEP_TELL };

struct finding_work {
	int64_t t0, t1;
	enum step step;
	struct finding_window window;
	struct findings_result result;
};

bool findings_is_for(const struct lane *lane)
{
	return lane->kind == LANE_SAMPLES && lane->tree.n > 1;
}

const char *findings_kind_name(enum finding_kind kind)
{
	return finding_rules[kind].name;
}

void findings_share(int64_t ns, int64_t whole, char out[FINDINGS_SHARE_MAX])
{
	double share = whole > 0 ? (double)ns * 100 / (double)whole : 0;
	struct buf text = { 0 };

	if (share < 1 && share > 0)
		buf_adds(&text, "<1 %");
	else
		buf_addf(&text, "%d %%", (int)(share + 0.5));
	memcpy(out, text.data, text.len + 1);
	buf_done(&text);
}

void findings_init(struct findings *f, const struct profile *profile, const struct lane *lane)
{
	*f = (struct findings){ 0 };
	charge_init(&f->charge, profile, lane);
}

static void work_done(struct findings *f)
{
	if (!f->work)
		return;
	finding_window_done(&f->work->window);
	arena_done(&f->work->result.arena);
	free(f->work);
	f->work = NULL;
}

void findings_done(struct findings *f)
{
	work_done(f);
	arena_done(&f->result.arena);
	charge_done(&f->charge);
	*f = (struct findings){ 0 };
}

void findings_begin(struct findings *f, int64_t t0, int64_t t1)
{
	work_done(f);
	f->is_ready = false;
	f->work = xcalloc(1, sizeof *f->work);
	f->work->t0 = t0;
	f->work->t1 = t1;
}

/* ---- the result ---- */

static const char *keep(struct findings_result *r, const struct buf *text)
{
	return arena_copy(&r->arena, buf_text(text), text->len);
}

/* What at least half of an owner's time is spent in, in a word. */
static const char *mechanism_of(const struct finding_window *w, const struct finding_draft *d)
{
	struct finding_mechanism m = finding_mechanism_at(w->charge, d->mechanism);
	const struct profile *p = w->charge->profile;
	struct buf text = { 0 };
	const char *out;

	if (d->mechanism_ns * 2 < d->f.ns)
		return NULL;
	switch (m.kind) {
	case MECHANISM_SELF:
	case MECHANISM_NATIVE:
	case MECHANISM_NODE:
		return NULL;
	case MECHANISM_GC:
		return "GC";
	case MECHANISM_LOAD:
		return "module loading";
	case MECHANISM_REGEXP:
		return "a RegExp";
	case MECHANISM_SYNC:
		finding_name_text(p, p->frames.frames[m.id].name, &text);
		break;
	case MECHANISM_PACKAGE:
		finding_name_text(p, w->charge->groups[m.id].id, &text);
		break;
	}
	out = keep(w->result, &text);
	buf_done(&text);
	return out;
}

static void tell(struct finding_window *w, struct finding_draft *d)
{
	struct buf name = { 0 }, label = { 0 }, text = { 0 };

	finding_rules[d->f.kind].tell(w, d, &name, &label, &text);
	d->f.name = keep(w->result, &name);
	d->f.label = keep(w->result, &label);
	d->f.text = keep(w->result, &text);
	d->f.mechanism = mechanism_of(w, d);
	buf_done(&name);
	buf_done(&label);
	buf_done(&text);
}

/* Collect the texts of what was merged into a draft. */
static void add_notes(struct finding_window *w, size_t of)
{
	struct finding *f = &w->drafts[of].f;
	uint32_t n = 0;

	for (size_t i = of + 1; i < w->n_drafts; i++)
		n += w->drafts[i].merged_into == of + 1;
	f->notes = arena_alloc(&w->result->arena, ((size_t)n + 2) * sizeof *f->notes);
	for (size_t i = of + 1; i < w->n_drafts; i++) {
		if (w->drafts[i].merged_into != of + 1)
			continue;
		tell(w, &w->drafts[i]);
		f->notes[f->n_notes++] = w->drafts[i].f.text;
	}
}

static void add_figures(struct finding_window *w, struct findings_result *r)
{
	const struct charge_times *t = &w->times;

	r->t0 = t->t0;
	r->t1 = t->t1;
	r->length = t->t1 - t->t0;
	r->busy = t->busy;
	r->idle = t->idle;
	r->gc = t->gc;
	r->program = t->program;
	r->n_busy = t->n_busy;
	for (size_t i = 0; i < w->keys.n; i++)
		if (CHARGE_KEY_IS_GC(w->keys.list[i]))
			r->n_gc += t->count[w->keys.list[i]];
	r->is_tool = w->charge->is_tool;
}

static void make_result(struct finding_window *w, struct findings_result *r)
{
	w->result = r;
	add_figures(w, r);
	for (size_t i = 0; i < FINDING_COUNT; i++)
		if (finding_rules[i].find)
			finding_rules[i].find(w);
	finding_order(w);
	for (size_t i = 0; i < w->n_drafts && r->n < FINDINGS_MOST; i++) {
		if (w->drafts[i].is_dropped || w->drafts[i].merged_into)
			continue;
		tell(w, &w->drafts[i]);
		add_notes(w, i);
		r->list[r->n++] = w->drafts[i].f;
	}
}

bool findings_work(struct findings *f, struct budget *budget)
{
	struct finding_work *work = f->work;

	if (!work)
		return f->is_ready;
	if (work->step == STEP_CHARGE) {
		if (!charge_work(&f->charge, budget))
			return false;
		finding_window_init(&work->window, &f->charge, work->t0, work->t1);
		work->step = STEP_TIMES;
	}
	if (work->step == STEP_TIMES) {
		if (!charge_times_step(&work->window.times, budget))
			return false;
		finding_window_sum(&work->window);
		work->step = STEP_TELL;
	}
	make_result(&work->window, &work->result);
	arena_done(&f->result.arena);
	f->result = work->result;
	work->result = (struct findings_result){ 0 };
	work_done(f);
	f->is_ready = true;
	return true;
}
