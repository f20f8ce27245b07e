/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lane is charged once. For a window, the steps are: add the samples, sum groups, run all
 * rules, order their drafts, find places, write texts. The budget splits passes over samples and
 * sums anywhere, and the rest between rules and between drafts, each of which is linear in the
 * number of nodes.
 *
 * A result is made aside, and replaces the old one when it is complete. */
#include "config.h"

#include "findings/findings.h"

#include "base/sort.h"
#include "base/text.h"
#include "findings/finding_name.h"
#include "findings/served_time.h"

#include <stdlib.h>
#include <string.h>

/* ==== finding order ====
 *
 * Drafts are sorted by score. Each one is then compared with those before it that stand: if they
 * are about the same time, it becomes a note of the earlier one. Overlaps are merges of two sorted
 * sets of keys, only for the drafts with the highest scores. Requests go first, then idle time,
 * then what says that there is no culprit. */

/* Drafts behind this place are dropped without a comparison. */
#define COMPARED_MAX 30

SORT_BEFORE(is_before, struct finding_draft,
	    x->f.kind != y->f.kind && (x->f.kind >= FINDING_EVEN || y->f.kind >= FINDING_EVEN)
		    ? x->f.kind > y->f.kind
		    : x->f.score > y->f.score)

/* The common time of two sets of keys. */
static int64_t finding_order_overlap(const struct finding_window *w, const struct finding_keys *a,
				     const struct finding_keys *b)
{
	int64_t ns = 0;

	for (size_t i = 0, k = 0; i < a->n && k < b->n;) {
		if (a->list[i] == b->list[k]) {
			ns += w->times.ns[a->list[i]];
			i++;
			k++;
		} else if (a->list[i] < b->list[k]) {
			i++;
		} else {
			k++;
		}
	}
	return ns;
}

enum relation { IS_OTHER, IS_SAME, IS_COVERED };

/* What a draft is to an earlier one. */
static enum relation relate(const struct finding_window *w, const struct finding_draft *d,
			    const struct finding_draft *earlier)
{
	enum finding_kind kind = d->f.kind, of = earlier->f.kind;
	int64_t both;

	if ((kind == FINDING_BLOCK || kind == FINDING_EVERY) &&
	    (of == FINDING_OWNER || of == FINDING_HALF))
		return d->f.function == earlier->f.function && d->f.function ? IS_SAME : IS_OTHER;
	if (kind == FINDING_LAYOUT) {
		if (of != FINDING_OWNER || d->f.function != earlier->f.function ||
		    !charge_times_has(d->other_ns, d->f.ns, 80))
			return IS_OTHER;
		/* Then the sentence of the function says it. */
		return charge_times_has(d->other_ns, earlier->f.ns, FINDING_FORCED_PERCENT)
			? IS_COVERED
			: IS_SAME;
	}
	if (of == FINDING_LAYOUT)
		return IS_OTHER;
	if (kind == FINDING_HALF && of == FINDING_HALF)
		return IS_COVERED;
	if (!d->keys.n || !earlier->keys.n)
		return IS_OTHER;
	both = finding_order_overlap(w, &d->keys, &earlier->keys);
	/* The top level of a module that only loads others. */
	if (kind == FINDING_OWNER && of == FINDING_LOAD && charge_times_has(both, d->keys_ns, 80))
		return IS_SAME;
	if ((kind == FINDING_FILE || kind == FINDING_PARTY) && of == FINDING_OWNER &&
	    charge_times_has(both, d->keys_ns, kind == FINDING_FILE ? 70 : FINDING_PARTY_PERCENT))
		return IS_COVERED;
	if (kind != FINDING_GC && kind != FINDING_HALF && of != FINDING_HALF &&
	    charge_times_has(both, d->keys_ns, 80) && charge_times_has(both, earlier->keys_ns, 80))
		return IS_SAME;
	if ((kind == FINDING_SYNC || kind == FINDING_REGEXP || kind == FINDING_LOAD ||
	     kind == FINDING_PACKAGE) &&
	    charge_times_has(both, d->keys_ns, 80) && charge_times_has(both, earlier->keys_ns, 50))
		return IS_SAME;
	if (kind == FINDING_HALF && !w->charge->is_tool && charge_times_has(both, d->keys_ns, 70) &&
	    charge_times_has(both, earlier->keys_ns, 80))
		return IS_SAME;
	return IS_OTHER;
}

/* Make a draft a note of an earlier one. The longest task that a function fills is the place of
 * both; of a trace, the slices show it. */
static void merge(struct finding_window *w, struct finding_draft *d, size_t into)
{
	struct finding_draft *earlier = &w->drafts[into];
	const struct finding_task *worst = &w->tasks.worst;

	d->merged_into = (uint32_t)into + 1;
	if (d->f.kind != FINDING_BLOCK || earlier->f.kind != FINDING_OWNER || w->tasks.is_exact ||
	    worst->owner != d->f.function ||
	    !charge_times_has(worst->owner_ns, worst->t1 - worst->t0, 80))
		return;
	earlier->f.t0 = d->f.t0;
	earlier->f.t1 = d->f.t1;
	earlier->has_place = true;
}

/* Sort the drafts of the window, and mark those that are merged or dropped. */
static void finding_order(struct finding_window *w)
{
	size_t n = 0, most = FINDINGS_MAX;

	if (w->n_drafts)
		sort_stable(w->drafts, w->n_drafts, sizeof *w->drafts, is_before, NULL);
	for (size_t i = 0; i < w->n_drafts; i++) {
		struct finding_draft *d = &w->drafts[i];

		d->is_dropped = i >= COMPARED_MAX && d->f.kind != FINDING_STRETCH;
		for (size_t k = 0; k < i && !d->is_dropped && !d->merged_into; k++) {
			const struct finding_draft *earlier = &w->drafts[k];
			enum relation r;

			/* A note covers a file, too, but has no notes of its own. */
			if (earlier->is_dropped)
				continue;
			r = relate(w, d, earlier);
			d->is_dropped = r == IS_COVERED;
			if (r == IS_SAME && !earlier->merged_into)
				merge(w, d, k);
		}
	}
	/* Drop what is too much from the end, but not the stretch, which always comes last. */
	for (size_t i = 0; i < w->n_drafts; i++)
		most -= w->drafts[i].f.kind == FINDING_STRETCH;
	for (size_t i = 0; i < w->n_drafts; i++) {
		struct finding_draft *d = &w->drafts[i];

		if (d->is_dropped || d->merged_into || d->f.kind == FINDING_STRETCH)
			continue;
		d->is_dropped = n >= most;
		n++;
	}
}

/* ==== findings ==== */

const struct finding_rule *const finding_rules[FINDING_COUNT] = {
	[FINDING_OWNER] = &finding_owner,     [FINDING_PACKAGE] = &finding_package,
	[FINDING_SYNC] = &finding_sync,       [FINDING_LOAD] = &finding_load,
	[FINDING_GC] = &finding_gc,           [FINDING_REGEXP] = &finding_regexp,
	[FINDING_FILE] = &finding_file,       [FINDING_SPENT] = &finding_spent,
	[FINDING_HALF] = &finding_half,       [FINDING_INSIDE] = &finding_inside,
	[FINDING_BLOCK] = &finding_block,     [FINDING_STRETCH] = &finding_stretch,
	[FINDING_EVERY] = &finding_every,     [FINDING_LAYOUT] = &finding_layout,
	[FINDING_INPUT] = &finding_input,     [FINDING_PARTY] = &finding_party,
	[FINDING_PROGRAM] = &finding_program, [FINDING_NODE] = &finding_node,
	[FINDING_WORK] = &finding_work,       [FINDING_WAITING] = &finding_waiting,
	[FINDING_FEW] = &finding_few,         [FINDING_EVEN] = &finding_even,
	[FINDING_IDLE] = &finding_idle,       [FINDING_REQUEST] = &finding_request,
};

#define PART_PERCENT 80 /* of a finding, to be a part of another one */

struct finding_work {
	int64_t t0, t1;
	struct phases phases;
	size_t next; /* of the rules, of the drafts */
	struct finding_window window;
	struct findings_result result;
};

const char *findings_kind_name(enum finding_kind kind)
{
	return finding_rules[kind]->name;
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
	served_time_free(f->served);
	charge_done(&f->charge);
	findings_many_done(f->many);
	*f = (struct findings){ 0 };
}

void findings_begin(struct findings *f, int64_t t0, int64_t t1)
{
	work_done(f);
	f->is_ready = false;
	f->work = xcalloc(1, sizeof *f->work);
	f->work->t0 = t0;
	f->work->t1 = t1;
	f->work->result.clock = f->clock;
}

/* ---- the result ---- */

/* Whatever a rule took from the file, a finding can be pasted. */
static const char *keep(struct findings_result *r, const struct buf *text)
{
	BUF_LOCAL visible = { 0 };

	text_visible(&visible, buf_text(text), text->len);
	return arena_copy(&r->arena, buf_text(&visible), visible.len);
}

static void tell(struct finding_window *w, struct finding_draft *d)
{
	struct finding_texts texts = { 0 };

	finding_rules[d->f.kind]->tell(w, d, &texts);
	d->f.name = keep(w->result, &texts.name);
	d->f.label = keep(w->result, &texts.label);
	d->f.text = keep(w->result, &texts.text);
	if (texts.mechanism.len)
		d->f.mechanism = keep(w->result, &texts.mechanism);
	buf_done(&texts.name);
	buf_done(&texts.label);
	buf_done(&texts.text);
	buf_done(&texts.mechanism);
}

/* ---- recursion ----
 *
 * V8 records the innermost 255 or so frames of a stack: from 250 on a recursion may be deeper than
 * what the profile has. */

#define DEEP_MIN 10
#define DEEP_SHARE 5 /* percent of the busy time from the tenth call on */
#define DEEP_CUT 250

/* Append `recursion, 44 deep` if the function is often on one stack, and much time is there. */
static void note_recursion(struct finding_window *w, frame_id function, struct buf *out)
{
	const struct calltree *tree = &w->charge->lane->tree;
	ALLOC_LOCAL node_id *path = xcalloc((size_t)tree->max_rows + 1, sizeof *path);
	size_t n = 0, most = 0;
	int64_t ns = 0;

	for (node_id i = 1; i < tree->n; i++) {
		int64_t total;

		if (tree->frame[i] != function)
			continue;
		total = finding_window_total(w, i);
		if (total <= 0)
			continue;
		while (n && i >= tree->end[path[n - 1]])
			n--;
		path[n++] = i;
		most = n > most ? n : most;
		ns += n == DEEP_MIN ? total : 0;
	}
	if (most < DEEP_MIN || !charge_times_has(ns, w->times.busy, DEEP_SHARE))
		return;
	buf_addf(out, "recursion, %zu deep%s", most, most >= DEEP_CUT ? " or more" : "");
}

/* ---- notes ---- */

/* Collect the notes of a draft: what was merged into it, and what is known about its function. */
static void add_notes(struct finding_window *w, size_t of)
{
	struct finding *f = &w->drafts[of].f;
	BUF_LOCAL recursion = { 0 };
	uint32_t n = 0;

	for (size_t i = of + 1; i < w->n_drafts; i++)
		n += w->drafts[i].merged_into == of + 1;
	f->notes = arena_alloc(&w->result->arena, ((size_t)n + 1) * sizeof *f->notes);
	for (size_t i = of + 1; i < w->n_drafts; i++) {
		if (w->drafts[i].merged_into != of + 1)
			continue;
		tell(w, &w->drafts[i]);
		f->notes[f->n_notes++] = w->drafts[i].f.text;
	}
	if (f->kind == FINDING_OWNER || f->kind == FINDING_HALF)
		note_recursion(w, f->function, &recursion);
	if (recursion.len)
		f->notes[f->n_notes++] = keep(w->result, &recursion);
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
	r->waiting = t->waiting;
	r->n_busy = t->n_busy;
	r->n_gc = t->kind_count[CHARGE_GC];
	r->is_tool = w->charge->is_tool;
	r->is_of_slices = w->charge->lane->kind == LANE_SLICES;
	r->task_t0 = w->tasks.worst.t0;
	r->task_t1 = w->tasks.worst.t1;
	r->is_task_exact = w->tasks.is_exact;
}

/* The work of looking at each node once. */
static uint32_t nodes_of(const struct finding_window *w)
{
	return w->charge->lane->tree.n;
}

/* Run one rule after the other, and order the drafts. */
static bool run_rules(void *ctx, struct budget *budget)
{
	struct finding_work *work = ((struct findings *)ctx)->work;
	struct finding_window *w = &work->window;

	while (work->next < FINDING_COUNT) {
		const struct finding_rule *rule = finding_rules[work->next++];

		if (w->charge->lane->kind == LANE_SLICES && !rule->is_of_slices)
			continue;
		for (uint32_t g = 1; rule->groups && g < w->charge->n_groups; g++)
			if (rule->groups & FINDING_GROUPS(w->charge->groups[g].kind))
				rule->find_group(w, g);
		if (rule->find)
			rule->find(w);
		if (budget_use(budget, nodes_of(w)))
			return false;
	}
	work->next = 0;
	finding_order(w);
	return true;
}

/* What the next finding of the list has in common with those before it. */
static void add_relations(const struct finding_window *w, size_t of, struct findings_result *r)
{
	struct finding_draft *d = &w->drafts[of];
	uint32_t k = 0;

	for (size_t i = 0; i < d->keys.n; i++)
		if (CHARGE_KEY_IS_GC(d->keys.list[i]))
			d->f.gc += w->times.ns[d->keys.list[i]];
	for (size_t i = 0; i < of; i++) {
		const struct finding_draft *earlier = &w->drafts[i];
		int64_t both;

		if (!finding_draft_stands(earlier))
			continue;
		both = finding_order_overlap(w, &d->keys, &earlier->keys);
		if (charge_times_has(both, earlier->keys_ns, PART_PERCENT))
			d->f.parts |= (uint16_t)(1u << k);
		if (charge_times_has(both, d->keys_ns, PART_PERCENT))
			r->list[k].parts |= (uint16_t)(1u << r->n);
		k++;
	}
}

/* Write the texts of one draft after the other. */
static bool write_result(void *ctx, struct budget *budget)
{
	struct finding_work *work = ((struct findings *)ctx)->work;
	struct finding_window *w = &work->window;
	struct findings_result *r = &work->result;

	while (work->next < w->n_drafts) {
		struct finding_draft *d = &w->drafts[work->next++];

		if (!finding_draft_stands(d))
			continue;
		tell(w, d);
		add_notes(w, work->next - 1);
		finding_place_span(w, d);
		d->f.has_place = d->f.kind != FINDING_IDLE && d->f.kind != FINDING_EVEN &&
			d->f.kind != FINDING_WORK;
		add_relations(w, work->next - 1, r);
		r->list[r->n++] = d->f;
		if (budget_use(budget, nodes_of(w)))
			return false;
	}
	return true;
}

/* ---- the steps ---- */

static bool charge_lane(void *ctx, struct budget *budget)
{
	struct findings *f = ctx;
	struct finding_work *work = f->work;

	if (!charge_work(&f->charge, budget))
		return false;
	finding_window_init(&work->window, &f->charge, work->t0, work->t1);
	work->window.result = &work->result;
	work->window.sources = f->sources;
	work->window.texts = f->texts;
	work->window.served = &f->served;
	return true;
}

/* The times of the window, unless charging has added the same range. */
static bool add_times(void *ctx, struct budget *budget)
{
	struct finding_window *w = &((struct findings *)ctx)->work->window;

	w->has_times = w->has_times || charge_times_step(&w->times, budget);
	return w->has_times;
}

static bool look_at_samples(void *ctx, struct budget *budget)
{
	return finding_time_work(&((struct findings *)ctx)->work->window, budget);
}

static bool sum(void *ctx, struct budget *budget)
{
	struct finding_work *work = ((struct findings *)ctx)->work;

	if (!finding_window_sum(&work->window, budget))
		return false;
	add_figures(&work->window, &work->result);
	return true;
}

static bool find_places(void *ctx, struct budget *budget)
{
	return finding_place_work(&((struct findings *)ctx)->work->window, budget);
}

bool findings_work(struct findings *f, struct budget *budget)
{
	static const struct phase phases[] = {
		{ .work = charge_lane },     { .work = add_times },
		{ .work = look_at_samples }, { .work = sum },
		{ .work = run_rules },       { .work = find_places },
		{ .work = write_result },    { 0 },
	};
	struct finding_work *work = f->work;

	if (f->many)
		return findings_many_work(f, budget);
	if (!work)
		return f->is_ready;
	if (!phases_work(&work->phases, phases, f, budget))
		return false;
	work->result.is_reading = work->window.is_reading;
	arena_done(&f->result.arena);
	f->result = work->result;
	work->result = (struct findings_result){ 0 };
	work_done(f);
	f->is_ready = true;
	return true;
}
