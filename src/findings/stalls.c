/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks of a part are found as those of findings are. The task that reaches the end of a part is
 * kept; the first task of the next part is the same if it begins where that part begins, and enters
 * the same function. Profiles have nothing in common, so functions are compared by their texts.
 *
 * Own code that is on the stack of each sample of a stretch may be one call, so a stretch is the
 * longest that a call can be. */
#include "config.h"

#include "findings/stalls.h"

#include "base/text.h"
#include "findings/finding_rule.h"

#include <string.h>

/* ==== blame ====
 *
 * Findings about tasks and stretches say how long they are, which the caller knows: they are passed
 * over, as are those that name no function, while there is another one. */

static const struct finding *choose(const struct findings_result *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (finding_rules[r->list[i].kind]->is_cause)
			return &r->list[i];
	return r->n > 0 ? &r->list[0] : NULL;
}

static void add_visible(const struct profile *p, str_id text, struct buf *out)
{
	text_visible(out, profile_text(p, text), intern_len(&p->strings, text));
}

void blame_find(const struct profile *profile, const struct lane *lane, int64_t t0, int64_t t1,
		const struct source_host *sources, struct blame *blame)
{
	const struct finding *finding;
	struct findings findings;

	*blame = (struct blame){ 0 };
	findings_init(&findings, profile, lane);
	findings.sources = sources;
	findings_begin(&findings, t0 - lane->zero_ns, t1 - lane->zero_ns);
	while (!findings_work(&findings, BUDGET_UNLIMITED))
		;
	finding = choose(&findings.result);
	if (finding) {
		buf_adds(&blame->text, finding->text);
		blame->share = finding->whole > 0 ? (double)finding->ns / (double)finding->whole
						  : 0;
	}
	if (finding && finding->function != FRAME_NONE) {
		const struct frame *f = &profile->frames.frames[finding->function];

		add_visible(profile, f->name, &blame->name);
		add_visible(profile, f->url, &blame->url);
		blame->line = f->line > 0 ? f->line : 0;
		blame->column = f->column > 0 ? f->column : 0;
	}
	findings_done(&findings);
}

/* ==== stalls ==== */

/* Parts with less time between them follow each other: the recording lacks a moment. */
#define STALLS_GAP (INT64_C(250) * 1000000)

struct stall_scan {
	struct stalls *stalls;
	const struct charge *charge;
	int64_t t0, zero;  /* where its samples begin; the clock at time 0 of the profile */
	struct stall task; /* of the task in progress: the sums */
	int64_t call_ns;   /* its stretch of own code in progress; 0: none */
	int64_t first_ns;  /* the stretch at its beginning */
	bool is_in_first;
	bool is_at_end; /* the task that ends now is cut off */
};

static void emit(struct stalls *s, const struct stall *stall)
{
	if (stall->t1 - stall->t0 >= s->least_ns)
		s->visit(s->ctx, stall);
}

/* The task in progress has ended. */
static void close_task(struct stalls *s)
{
	if (s->is_open)
		emit(s, &s->open);
	s->is_open = false;
}

/* The functions of Node.js that call all that is due, one after another. */
static bool is_queue(const struct charge *c, frame_id entry)
{
	static const char *const names[] = { "processTicksAndRejections", "processTimers",
					     "listOnTimeout", "processImmediate", "runNextTicks" };
	const struct frame *f = &c->profile->frames.frames[entry];

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(profile_text(c->profile, f->name), names[i]) == 0)
			return true;
	return false;
}

static void add_task(void *ctx, const struct finding_task *task)
{
	struct stall_scan *p = ctx;
	struct stalls *s = p->stalls;
	struct stall stall = p->task;
	struct buf entry = { 0 };
	const struct frame *f = &p->charge->profile->frames.frames[task->entry];

	stall.t0 = task->t0 + p->zero;
	stall.t1 = task->t1 + p->zero;
	stall.is_queue = is_queue(p->charge, task->entry);
	buf_addf(&entry, "%s\n%s\n%d:%d", profile_text(p->charge->profile, f->name),
		 profile_text(p->charge->profile, f->url), (int)f->line, (int)f->column);
	if (s->is_open && s->is_first && task->t0 <= p->t0 && stall.t0 - s->open.t1 <= STALLS_GAP &&
	    strcmp(buf_text(&entry), buf_text(&s->entry)) == 0) {
		stall.t0 = s->open.t0;
		/* Add the earlier half of a task. call_ns: of the stretch that is in both. */
		stall.ran_ns += s->open.ran_ns;
		stall.own_ns += s->open.own_ns;
		if (s->open.call_ns > stall.call_ns)
			stall.call_ns = s->open.call_ns;
		if (s->call_ns + p->first_ns > stall.call_ns)
			stall.call_ns = s->call_ns + p->first_ns;
		/* It is one stretch so far. */
		if (p->is_in_first)
			p->call_ns += s->call_ns;
		s->is_open = false;
	}
	close_task(s);
	s->is_first = false;
	if (p->is_at_end) {
		s->is_open = true;
		s->open = stall;
		buf_done(&s->entry);
		s->entry = entry;
		return;
	}
	emit(s, &stall);
	buf_done(&entry);
}

/* The time of the task in progress has one sample more. */
static void add_ran(struct stall_scan *p, const struct finding_tasks *tasks,
		    const struct charge_sample *sample)
{
	int64_t ns = sample->t1 - sample->t0, most = p->stalls->sample_most_ns;

	if (tasks->is_in_task && tasks->task.t0 == sample->t0) {
		p->task = (struct stall){ 0 };
		p->call_ns = p->first_ns = 0;
		p->is_in_first = true;
	}
	p->task.ran_ns += most > 0 && ns > most ? most : ns;
	/* Of the collector: what it interrupts goes on. */
	if (sample->kind == CHARGE_GC && p->call_ns == 0)
		return;
	if (sample->kind != CHARGE_GC && charge_owner(p->charge, sample->key) == FRAME_NONE) {
		p->call_ns = 0;
		p->is_in_first = false;
		return;
	}
	p->call_ns += ns;
	p->task.own_ns += ns;
	if (p->is_in_first)
		p->first_ns = p->call_ns;
	if (p->call_ns > p->task.call_ns)
		p->task.call_ns = p->call_ns;
}

static void add_samples(struct stalls *s, struct stall_scan *p, struct charge_times *times)
{
	struct finding_tasks tasks;
	struct charge_sample sample;

	finding_task_init(&tasks, p->charge, times->t0, times->t1, false);
	tasks.counts_startup = s->is_started;
	tasks.counts_waiting = s->counts_waiting;
	tasks.joins_rounds = true;
	tasks.visit = add_task;
	tasks.visit_ctx = p;
	p->t0 = times->t0;
	s->is_first = true;
	while (charge_times_next(times, &sample)) {
		finding_task_add(&tasks, &sample);
		add_ran(p, &tasks, &sample);
		if (sample.kind != CHARGE_GC && sample.kind != CHARGE_PROGRAM)
			s->known_t0 = sample.t0 + p->zero;
		if (s->sample)
			s->sample(s->ctx, sample.t0 + p->zero, sample.t1 + p->zero, sample.kind);
	}
	p->is_at_end = true;
	finding_task_finish(&tasks);
	s->call_ns = s->is_open ? p->call_ns : 0;
	finding_task_done(&tasks);
}

void stalls_add(struct stalls *s, const struct profile *profile, const struct lane *lane,
		int64_t t0, int64_t t1)
{
	struct stall_scan part = { .stalls = s, .zero = lane->zero_ns };
	struct charge_times times;
	struct charge charge;

	charge_init(&charge, profile, lane);
	while (!charge_work(&charge, BUDGET_UNLIMITED))
		;
	/* A part may be too short to show that the program has an event loop. */
	charge.has_loop = true;
	part.charge = &charge;
	charge_times_init(&times, &charge.stacks, t0 - lane->zero_ns, t1 - lane->zero_ns);
	add_samples(s, &part, &times);
	/* Nothing went on. */
	if (s->is_first && times.t1 > times.t0)
		close_task(s);
	s->is_started |= charge.t_loop != INT64_MAX;
	if (times.t1 > times.t0)
		s->t1 = times.t1 + lane->zero_ns;
	charge_times_done(&times);
	charge_done(&charge);
}

bool stalls_is_series(const struct stalls *s, const struct stall *stall)
{
	return !stall->is_queue && stall->call_ns < s->least_ns &&
		stall->own_ns * 2 >= stall->t1 - stall->t0;
}

void stalls_end(struct stalls *s)
{
	close_task(s);
	buf_done(&s->entry);
}
