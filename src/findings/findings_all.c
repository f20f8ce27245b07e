/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings of many lanes. One lane after the other is charged, and its charge is freed: only
 * results stay.
 *
 * Charging a lane takes time and memory for each function of the profile, and looks at each lane.
 * So that the work does not grow with the square of a profile, only the busiest lanes are charged.
 */
#include "config.h"

#include "base/sort.h"
#include "base/text.h"
#include "findings/finding_time.h"
#include "findings/findings.h"
#include "findings/served_time.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Limit of the lanes that are looked at. */
#define FINDINGS_LANES_MAX 200u

/* A finding with its score among those of all lanes. What is of a page goes first, and its main
 * thread counts more than its other threads. */
struct ranked {
	const struct finding *finding;
	double score;
	uint32_t of; /* index of the result */
};

#define PAGE_WEIGHT 4
#define PER_SHARE 1000000 /* a share as a whole number */

static bool is_of_page(const struct finding *f)
{
	return f->lane->page_order < PAGE_NONE;
}

static bool is_before_all(const void *a, const void *b, const void *ctx)
{
	const struct ranked *x = a, *y = b;

	(void)ctx;
	if (is_of_page(x->finding) != is_of_page(y->finding))
		return is_of_page(x->finding);
	return x->score > y->score;
}

static struct ranked rank_of(const struct finding *f, double part, uint32_t of)
{
	return (struct ranked){ f, f->score * part * (f->lane->is_page_main ? PAGE_WEIGHT : 1),
				of };
}

/* Whether the first finding of a lane says that the thread hardly worked: idle, or asleep. */
static bool is_idle(const struct findings_result *r)
{
	return r->n > 0 &&
		(r->list[0].kind == FINDING_IDLE ||
		 (r->list[0].kind == FINDING_WAITING && r->waiting > r->busy / 2));
}

static double share_of(const struct finding *f)
{
	return f->whole > 0 ? (double)f->ns / (double)f->whole : 0;
}

/* What users read, while findings are joined to it. */
struct joining {
	struct findings_joined *list;
	uint32_t n, most;
	bool is_many;
	uint8_t *is_in; /* by result: which of the list have a finding of it */
};

#define CANDIDATES 64 /* of many lanes; those with most time over all lanes stay */

/* Whether findings of two lanes say the same, or of many lanes are about the same. */
static bool is_same(const struct finding *a, const struct finding *b, bool is_many)
{
	return a->kind == b->kind &&
		(strcmp(a->text, b->text) == 0 ||
		 (is_many && a->label && b->label && strcmp(a->label, b->label) == 0));
}

/* Add the next finding of the ranking. */
static void join(struct joining *j, const struct ranked *next)
{
	const struct finding *f = next->finding;
	uint8_t *is_in = j->is_in + (size_t)next->of * j->most;
	double share = share_of(f);

	for (uint32_t i = 0; i < j->n; i++) {
		struct findings_joined *to = &j->list[i];

		if (!is_same(to->f, f, j->is_many))
			continue;
		/* Further ones of a lane are about the same time. */
		if (is_in[i])
			return;
		is_in[i] = 1;
		to->n_lanes++;
		to->ns += (double)f->ns;
		to->whole += (double)f->whole;
		to->least = share < to->least ? share : to->least;
		to->most = share > to->most ? share : to->most;
		to->score += next->score;
		if (share > share_of(to->f) && strcmp(f->text, to->f->text) != 0)
			to->f = f;
		return;
	}
	if (j->n == j->most)
		return;
	is_in[j->n] = 1;
	j->list[j->n++] = (struct findings_joined){
		.f = f,
		.n_lanes = 1,
		.ns = (double)f->ns,
		.whole = (double)f->whole,
		.least = share,
		.most = share,
		.score = next->score,
	};
}

SORT_BEFORE(is_heavier, struct findings_joined,
	    is_of_page(x->f) != is_of_page(y->f) ? is_of_page(x->f) : x->score > y->score)

/* That a thread hardly works is no finding about several threads, unless none of them does. */
static void rank(struct findings_all *all)
{
	bool is_many = all->n_results >= FINDINGS_MANY;
	uint32_t most = is_many ? CANDIDATES : FINDINGS_MAX;
	ALLOC_LOCAL struct ranked *list = xcalloc((size_t)all->n_results * FINDINGS_MAX,
						  sizeof *list);
	ALLOC_LOCAL struct findings_joined *joined = xcalloc(most, sizeof *joined);
	ALLOC_LOCAL uint8_t *is_in = xcalloc(all->n_results, most);
	struct joining j = { .list = joined, .most = most, .is_many = is_many, .is_in = is_in };
	bool are_idle = true;
	int64_t busy = 0;
	size_t n = 0;

	for (uint32_t i = 0; i < all->n_results; i++) {
		const struct findings_result *r = &all->results[i];

		busy += r->busy;
		are_idle &= is_idle(r);
	}
	for (uint32_t i = 0; i < all->n_results; i++) {
		const struct findings_result *r = &all->results[i];
		double part = busy > 0 ? (double)r->busy / (double)busy : 0;

		for (uint32_t k = 0; k < r->n; k++)
			if (k > 0 || !is_idle(r) || are_idle)
				list[n++] = rank_of(&r->list[k], part, i);
	}
	if (n)
		sort_stable(list, n, sizeof *list, is_before_all, NULL);
	for (size_t i = 0; i < n; i++)
		join(&j, &list[i]);
	/* One lane with much of something does not go before what all lanes have. */
	if (j.is_many && j.n)
		sort_stable(j.list, j.n, sizeof *j.list, is_heavier, NULL);
	all->n_joined = j.n < FINDINGS_MAX ? j.n : FINDINGS_MAX;
	for (uint32_t i = 0; i < all->n_joined; i++)
		all->joined[i] = j.list[i];
}

/* ---- sentences about many lanes ---- */

/* What the sentence of a finding is about, in bytes from its beginning on: all before its share, as
 * `formatPrice catalogue.js:28`. 0: it does not begin so. */
static size_t subject(const struct finding *f)
{
	char share[UNITS_MAX];
	size_t n = 0, len = strlen(units_share(f->ns, f->whole, share));

	/* The share stands before what follows about it. */
	for (; f->text[n] && !(strchr(":;,", f->text[n]) && f->text[n + 1] == ' '); n++)
		if (f->text[n] == ' ' && strncmp(f->text + n + 1, share, len) == 0)
			return f->whole > 0 ? n : 0;
	return 0;
}

/* `(24 to 38 %) in 28 of 60 lanes`, without a range if it is none; or `of the 200 busiest lanes`.
 */
static void add_range(const struct findings_all *all, const struct findings_joined *j,
		      struct buf *out)
{
	char least[UNITS_MAX], most[UNITS_MAX];

	units_share((int64_t)(j->least * PER_SHARE), PER_SHARE, least);
	units_share((int64_t)(j->most * PER_SHARE), PER_SHARE, most);
	if (strcmp(least, most) != 0)
		buf_addf(out, "(%.*s to %s) ", (int)strcspn(least, " "), least, most);
	buf_addf(out, all->n_left ? "in %u of the %u busiest lanes" : "in %u of %u lanes",
		 (unsigned)j->n_lanes, (unsigned)all->n_results);
}

/* The bytes of the sentence that are its subject, if many lanes are joined. */
static size_t joined_subject(const struct findings_all *all, const struct finding *f)
{
	return all->n_results >= FINDINGS_MANY ? subject(f) : 0;
}

/* The subject, the share of all lanes that have it, and which these are. */
static void add_joined(const struct findings_all *all, const struct findings_joined *j, size_t n,
		       struct buf *out)
{
	buf_addf(out, "%.*s %s ", (int)n, j->f->text,
		 units_share((int64_t)(j->ns / j->whole * PER_SHARE), PER_SHARE, UNITS_ROOM));
	add_range(all, j, out);
}

bool findings_add_joined(const struct findings_all *all, const struct findings_joined *j,
			 struct buf *out)
{
	size_t n = j->n_lanes > 1 ? joined_subject(all, j->f) : 0;

	if (n)
		add_joined(all, j, n, out);
	return n > 0;
}

void findings_tell_joined(const struct findings_all *all, const struct findings_joined *j,
			  const struct profile *profile, struct buf *out)
{
	const char *sentence = j->f->text;
	size_t n = joined_subject(all, j->f);

	if (n) {
		add_joined(all, j, n, out);
		buf_adds(out,
			 j->least < j->most       ? ", most in "
				 : j->n_lanes > 1 ? ", as in "
						  : ", ");
		sentence += n + 1;
		if (j->n_lanes == 1)
			sentence += strlen(units_share(j->f->ns, j->f->whole, UNITS_ROOM));
	} else if (j->n_lanes > 1) {
		buf_addf(out, "%u lanes, as ", (unsigned)j->n_lanes);
	}
	if (profile) {
		lane_name_brief(profile, j->f->lane, out);
		buf_adds(out, n && j->n_lanes == 1 ? "" : ": ");
	}
	buf_adds(out, sentence);
}

/* ---- the steps of many lanes ---- */

/* A lane with the time of its samples that are not idle. */
struct busy_lane {
	uint32_t index;
	int64_t ns;
};

static bool is_busier(const void *a, const void *b, const void *ctx)
{
	const struct busy_lane *x = a, *y = b;

	(void)ctx;
	return x->ns > y->ns;
}

/* Lanes are taken one after the other: in steps, or by one thread or several. */
struct findings_all_work {
	struct findings_wanted wanted;
	struct busy_lane *list; /* lanes that have findings */
	uint32_t n, n_busy;     /* n_busy: of how many it is known how busy they are */
	uint32_t *chosen;       /* by result: index of the lane */
	atomic_uint next;       /* result */
	/* The times of requests, which lanes hand on to the next one, belong to one thread. */
	bool is_for_one;
	atomic_flag is_taken;
	pthread_mutex_t texts;
};

static void begin(struct findings_all *all, const struct findings_wanted *wanted)
{
	struct findings_all_work *w = xcalloc(1, sizeof *w);
	uint32_t most = wanted->lanes_most ? wanted->lanes_most : FINDINGS_LANES_MAX;

	*all = (struct findings_all){ .work = w };
	w->wanted = *wanted;
	w->is_for_one = wanted->profile->served.n > 0;
	atomic_flag_clear(&w->is_taken);
	pthread_mutex_init(&w->texts, NULL);
	w->list = xcalloc(wanted->n_lanes, sizeof *w->list);
	for (uint32_t i = 0; i < wanted->n_lanes; i++)
		if (findings_is_for(wanted->lanes[i]))
			w->list[w->n++].index = i;
	all->n_left = w->n > most ? w->n - most : 0;
}

/* Choose the lanes that are to be charged: the busiest ones, in the order of the lanes. */
static bool choose_lanes(struct findings_all *all, struct budget *budget)
{
	struct findings_all_work *w = all->work;
	ALLOC_LOCAL bool *is_chosen = NULL;

	while (all->n_left && w->n_busy < w->n) {
		struct busy_lane *busy = &w->list[w->n_busy++];
		const struct lane *lane = w->wanted.lanes[busy->index];

		busy->ns = finding_time_busy(w->wanted.profile, lane, w->wanted.t0, w->wanted.t1);
		if (budget_use(budget, 1 + (uint32_t)(lane->samples.n + lane->tree.n)))
			return false;
	}
	if (all->n_left)
		sort_stable(w->list, w->n, sizeof *w->list, is_busier, NULL);
	is_chosen = xcalloc(w->wanted.n_lanes, sizeof *is_chosen);
	for (uint32_t i = 0; i < w->n - all->n_left; i++)
		is_chosen[w->list[i].index] = true;
	w->chosen = xcalloc(w->wanted.n_lanes, sizeof *w->chosen);
	for (uint32_t i = 0; i < w->wanted.n_lanes; i++)
		if (is_chosen[i])
			w->chosen[all->n_results++] = i;
	all->results = xcalloc(all->n_results, sizeof *all->results);
	return true;
}

/* The lane that a thread charges. */
struct charging {
	bool has_lane;
	uint32_t at; /* its result */
	struct findings lane;
	struct served_time *served;
};

static void begin_lane(struct findings_all_work *w, struct charging *c)
{
	const struct findings_wanted *wanted = &w->wanted;

	findings_init(&c->lane, wanted->profile, wanted->lanes[w->chosen[c->at]]);
	c->lane.sources = wanted->sources;
	c->lane.texts = &w->texts;
	c->lane.clock = wanted->clock;
	c->lane.served = c->served;
	c->served = NULL;
	c->lane.charge.t0 = wanted->t0;
	c->lane.charge.t1 = wanted->t1;
	findings_begin(&c->lane, wanted->t0, wanted->t1);
	c->has_lane = true;
}

/* Keep the result of the lane. */
static void end_lane(struct findings_all *all, struct charging *c)
{
	all->results[c->at] = c->lane.result;
	c->lane.result = (struct findings_result){ 0 };
	c->served = c->lane.served;
	c->lane.served = NULL;
	findings_done(&c->lane);
	c->has_lane = false;
}

static void charging_done(struct charging *c)
{
	if (c->has_lane)
		findings_done(&c->lane);
	served_time_free(c->served);
	*c = (struct charging){ 0 };
}

static bool charge_lanes(struct findings_all *all, struct charging *c, struct budget *budget)
{
	for (;;) {
		if (!c->has_lane) {
			c->at = atomic_fetch_add(&all->work->next, 1);
			if (c->at >= all->n_results)
				return true;
			begin_lane(all->work, c);
		}
		if (!findings_work(&c->lane, budget))
			return false;
		end_lane(all, c);
		if (budget_use(budget, 1))
			return false;
	}
}

void findings_all_begin(struct findings_all *all, const struct findings_wanted *wanted)
{
	begin(all, wanted);
	choose_lanes(all, BUDGET_UNLIMITED);
}

void findings_all_work(struct findings_all *all)
{
	struct charging c = { 0 };

	if (all->work->is_for_one && atomic_flag_test_and_set(&all->work->is_taken))
		return;
	while (!charge_lanes(all, &c, BUDGET_UNLIMITED))
		;
	charging_done(&c);
}

static void end(struct findings_all *all)
{
	if (!all->work)
		return;
	pthread_mutex_destroy(&all->work->texts);
	free(all->work->list);
	free(all->work->chosen);
	free(all->work);
	all->work = NULL;
}

void findings_all_end(struct findings_all *all)
{
	rank(all);
	end(all);
}

void findings_all_done(struct findings_all *all)
{
	end(all);
	for (uint32_t i = 0; i < all->n_results; i++)
		arena_done(&all->results[i].arena);
	free(all->results);
	*all = (struct findings_all){ 0 };
}

void findings_all_init(struct findings_all *all, const struct findings_wanted *wanted)
{
	findings_all_begin(all, wanted);
	findings_all_work(all);
	findings_all_end(all);
}

/* ---- as one result ---- */

struct findings_many {
	struct findings_all all, next; /* of the result, and of the work */
	struct charging charging;
	struct findings_wanted wanted;
	const struct lane **lanes;
};

/* The result of the lane that a finding is of. */
static const struct findings_result *result_of(const struct findings_all *all,
					       const struct finding *f)
{
	const struct findings_result *r = all->results;

	while (f < r->list || f >= r->list + r->n)
		r++;
	return r;
}

/* Whether a finding has 80 % of another one in it, as it is in its own lane. */
static bool has_part(const struct findings_all *all, const struct finding *f,
		     const struct finding *other)
{
	const struct findings_result *r = result_of(all, f);

	for (uint32_t i = 0; i < r->n; i++)
		if (f->parts >> i & 1u && is_same(&r->list[i], other, true))
			return true;
	return false;
}

static void add_lane(struct findings_result *sum, const struct findings_result *r)
{
	sum->length += r->length;
	sum->busy += r->busy;
	sum->idle += r->idle;
	sum->gc += r->gc;
	sum->program += r->program;
	sum->waiting += r->waiting;
	sum->n_busy += r->n_busy;
	sum->n_gc += r->n_gc;
	sum->is_tool &= r->is_tool;
	sum->is_of_slices &= r->is_of_slices;
	if (r->task_t1 - r->task_t0 <= sum->task_t1 - sum->task_t0)
		return;
	sum->task_t0 = r->task_t0;
	sum->task_t1 = r->task_t1;
	sum->is_task_exact = r->is_task_exact;
}

static struct finding finding_of(const struct findings_many *m, const struct findings_joined *j,
				 struct arena *arena)
{
	BUF_LOCAL text = { 0 }, range = { 0 };
	struct finding f = *j->f;

	findings_tell_joined(&m->all, j, m->wanted.profile, &text);
	add_range(&m->all, j, &range);
	f.ns = (int64_t)j->ns;
	f.whole = (int64_t)j->whole;
	f.text = arena_copy(arena, buf_text(&text), text.len);
	f.range = arena_copy(arena, buf_text(&range), range.len);
	f.mechanism = j->n_lanes > 1 ? NULL : f.mechanism;
	f.parts = 0;
	return f;
}

/* Sums of all lanes, and their joined findings. That some lanes have no culprit is none. */
static void make_result(struct findings_many *m, struct findings_result *out)
{
	const struct findings_all *all = &m->all;
	const struct finding *of[FINDINGS_MAX];
	uint32_t n = 0;

	*out = (struct findings_result){ .t0 = m->wanted.t0,
					 .t1 = m->wanted.t1,
					 .clock = m->wanted.clock,
					 .is_tool = true,
					 .is_of_slices = true };
	for (uint32_t i = 0; i < all->n_results; i++)
		add_lane(out, &all->results[i]);
	for (uint32_t i = 0; i < all->n_joined; i++) {
		const struct findings_joined *j = &all->joined[i];

		if (n && j->f->kind == FINDING_EVEN)
			continue;
		of[n] = j->f;
		out->list[n++] = finding_of(m, j, &out->arena);
		out->is_reading |= result_of(all, j->f)->is_reading;
	}
	out->n = n;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < n; k++)
			if (k != i && has_part(all, of[i], of[k]))
				out->list[i].parts |= (uint16_t)(1u << k);
}

static void drop_work(struct findings_many *m)
{
	charging_done(&m->charging);
	findings_all_done(&m->next);
	free(m->lanes);
	m->lanes = NULL;
}

void findings_many_done(struct findings_many *m)
{
	if (!m)
		return;
	drop_work(m);
	findings_all_done(&m->all);
	free(m);
}

void findings_begin_many(struct findings *f, const struct findings_wanted *wanted)
{
	struct findings_many *m = f->many;
	size_t bytes = wanted->n_lanes * sizeof *m->lanes;

	if (!m)
		m = f->many = xcalloc(1, sizeof *m);
	drop_work(m);
	m->lanes = xmalloc(bytes);
	memcpy(m->lanes, wanted->lanes, bytes);
	m->wanted = *wanted;
	m->wanted.lanes = m->lanes;
	begin(&m->next, &m->wanted);
	f->is_ready = false;
}

bool findings_many_work(struct findings *f, struct budget *budget)
{
	struct findings_many *m = f->many;

	if (f->is_ready)
		return true;
	if ((!m->next.work->chosen && !choose_lanes(&m->next, budget)) ||
	    !charge_lanes(&m->next, &m->charging, budget))
		return false;
	charging_done(&m->charging);
	findings_all_end(&m->next);
	findings_all_done(&m->all);
	arena_done(&f->result.arena);
	m->all = m->next;
	m->next = (struct findings_all){ 0 };
	make_result(m, &f->result);
	f->is_ready = true;
	return true;
}
