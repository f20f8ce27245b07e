/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A node of the merged lane has one sample at most (merged.h): the part of that sample that is
 * in a range is the part of the node's self time that counts, on both sides. */
#include "config.h"

#include "analyse/compare/sides.h"

#include "analyse/compare/compare_run.h"
#include "analyse/search.h"
#include "analyse/totals.h"
#include "analyse/view/merged.h"
#include "base/alloc.h"
#include "base/budget.h"
#include "base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== call count ====
 *
 * How often the functions that match a pattern are called in each run, counted in steps. As in
 * struct totals_counts, a call is a span with time in the range. */

struct call_count {
	const struct profile *profile;
	const struct compare_run *runs;
	uint32_t n_runs, run; /* the one that is counted */
	struct search search;
	bool is_matched, is_counting;
	struct search_count counting;
	uint64_t *n; /* by run */
};

/* Begin, call call_count_work() until it returns true, then the numbers are known. profile, pattern
 * and runs must outlive the result. NULL: the pattern is none. */
static struct call_count *call_count_begin(const struct profile *profile, const char *pattern,
					   const struct compare_run *runs, uint32_t n_runs)
{
	struct call_count *c = xcalloc(1, sizeof *c);

	if (!search_init(&c->search, profile, pattern, strlen(pattern), false,
			 &(struct error)ERROR_INIT)) {
		free(c);
		return NULL;
	}
	c->profile = profile;
	c->runs = runs;
	c->n_runs = n_runs;
	c->n = xcalloc(n_runs, sizeof *c->n);
	return c;
}

static void begin_run(struct call_count *c)
{
	const struct compare_run *run = &c->runs[c->run];
	uint32_t n = 0;
	ALLOC_LOCAL uint32_t *lanes = xcalloc((size_t)c->profile->n_lanes + 1, sizeof *lanes);

	for (uint32_t i = 0; i < c->profile->n_lanes; i++)
		if (run->is_lane[i])
			lanes[n++] = i;
	search_count_init(&c->counting, lanes, n, run->t0, run->t1);
	c->counting.has_sums = true;
	c->is_counting = true;
}

static bool call_count_work(struct call_count *c, struct budget *budget)
{
	c->is_matched = c->is_matched || search_match(&c->search, budget);
	if (!c->is_matched)
		return false;
	for (; c->run < c->n_runs; c->run++) {
		if (!c->is_counting)
			begin_run(c);
		if (!search_count_step(&c->counting, &c->search, budget))
			return false;
		c->n[c->run] = c->counting.n_spans - c->counting.n_marks;
		search_count_done(&c->counting);
		c->is_counting = false;
	}
	return true;
}

/* NULL is allowed. */
static void call_count_end(struct call_count *c)
{
	if (!c)
		return;
	if (c->is_counting)
		search_count_done(&c->counting);
	search_done(&c->search);
	free(c->n);
	free(c);
}

bool call_count(const struct profile *profile, const char *pattern, const struct compare_run *runs,
		uint32_t n_runs, uint64_t *n)
{
	struct call_count *c = call_count_begin(profile, pattern, runs, n_runs);

	if (!c)
		return false;
	call_count_work(c, BUDGET_UNLIMITED);
	memcpy(n, c->n, n_runs * sizeof *n);
	call_count_end(c);
	return true;
}

/* ==== sides merge ====
 *
 * One view of the lanes of both sides gives one tree. The totals of each run in it are added up
 * for its side. Then each node gets a width, and the tree with these widths is merged as any other:
 * calls of which the widths leave nothing stay in it, without width, so that tables have them.
 *
 * The width of a node is the sum of the widths of its self times and of its children, so that
 * boxes contain their children. With SIDES_MEAN, both sides count one half, so that the lane is as
 * wide as one of them: shares add up to 100 %. With SIDES_LARGER the self time of a node is as wide
 * as the larger one of the two; the lane is then wider than either side. */

#define NODE_BYTES 220 /* for each node, at most */

struct sides_merge {
	const struct profile *profile;
	struct compare_run *runs;
	uint32_t n_runs;
	enum sides_per per;
	enum sides_width width;
	bool has_idle;
	frame_id *match; /* of the view; NULL: none */
	struct view view;
	struct view_work *making; /* NULL: the view is complete */
	struct totals totals;     /* of the run that is being counted; then the widths */
	bool has_totals, is_counting, has_run;
	uint32_t run;
	uint32_t source;                     /* whose samples are counted for the run */
	size_t next;                         /* its next sample */
	int64_t *self[SIDES], *total[SIDES]; /* by node of the view; ns, then scaled ns */
	struct sides sides;                  /* without the arrays */
	uint8_t *stays;
	struct call_count *calls; /* SIDES_PER_COUNT; else NULL */
	struct merged *merged;    /* NULL: the runs are not all counted */
	struct phases phases;
};

struct sides_merge *sides_merge_begin(const struct profile *profile, const struct sides_plan *plan)
{
	static const struct transform no_idle = { .kind = TRANSFORM_DROP,
						  .by = BY_CATEGORY,
						  .id = CATEGORY_IDLE };
	const struct view_plan view = { .transforms = &no_idle,
					.n_transforms = plan->has_idle ? 0 : 1,
					.group = GROUP_FUNCTION,
					.match = plan->match };
	struct sides_merge *m;
	size_t n_nodes = 0;

	for (uint32_t i = 0; i < plan->n_lanes; i++)
		n_nodes += plan->lanes[i]->tree.n;
	if (!reserve_has_room(view_bytes(plan->lanes, plan->n_lanes, &view) +
			      n_nodes * NODE_BYTES)) {
		free(plan->match);
		return NULL;
	}
	m = xcalloc(1, sizeof *m);
	m->making = view_begin(&m->view, profile, plan->lanes, plan->n_lanes, &view);
	if (!m->making) {
		free(plan->match);
		free(m);
		return NULL;
	}
	m->profile = profile;
	m->match = plan->match;
	m->per = plan->per;
	m->width = plan->width;
	m->has_idle = plan->has_idle;
	m->sides.has_samples = true;
	m->n_runs = plan->n_runs;
	m->runs = xcalloc(plan->n_runs, sizeof *m->runs);
	for (uint32_t i = 0; i < plan->n_runs; i++) {
		m->runs[i] = plan->runs[i];
		m->runs[i].is_lane = memcpy(xmalloc(profile->n_lanes), plan->runs[i].is_lane,
					    profile->n_lanes);
	}
	if (plan->per == SIDES_PER_COUNT) {
		m->calls = call_count_begin(plan->all, plan->count, m->runs, m->n_runs);
		if (!m->calls) {
			profile_free(sides_merge_end(m, &(struct sides){ 0 }));
			return NULL;
		}
	}
	return m;
}

/* ---- counting ---- */

static enum side side_of(const struct compare_run *run)
{
	return run->is_after ? SIDE_AFTER : SIDE_BEFORE;
}

/* Add the totals of a run to its side. */
static void add_run(struct sides_merge *m, const struct compare_run *run)
{
	for (uint32_t i = 1; i < m->view.tree->n; i++) {
		m->self[side_of(run)][i] += m->totals.self[i] > 0 ? m->totals.self[i] : 0;
		m->total[side_of(run)][i] += m->totals.total[i] > 0 ? m->totals.total[i] : 0;
	}
	m->sides.busy_ns[side_of(run)] += m->totals.self_ns;
	m->sides.length_ns[side_of(run)] += run->t1 - run->t0;
	m->sides.n_runs[side_of(run)]++;
}

/* Count the samples of a run that have its time. */
static bool count_samples(struct sides_merge *m, const struct compare_run *run,
			  struct budget *budget)
{
	for (; m->source < m->view.n_sources; m->source++, m->next = 0) {
		const struct lane *lane = m->view.sources[m->source].lane;
		const struct samples *s = &lane->samples;

		if (!run->is_lane[lane - m->profile->lanes] || !s->n)
			continue;
		m->sides.has_samples &= lane->kind == LANE_SAMPLES &&
			(lane->has_timeline || !lane->value.type || lane->counts);
		m->next = m->next ? m->next : samples_find(s, run->t0);
		while (m->next < s->n && samples_time(s, m->next) < run->t1) {
			size_t i = m->next++;
			node_id node = view_sample_node(&m->view, m->source, i);

			if (node != VIEW_DROPPED && node != NODE_ROOT &&
			    samples_time(s, i + 1) > samples_time(s, i))
				m->sides.n_samples[side_of(run)] += totals_sample_count(lane, i);
			if (budget_use(budget, 1))
				return false;
		}
	}
	m->source = 0;
	return true;
}

static bool count_runs(void *ctx, struct budget *budget)
{
	struct sides_merge *m = ctx;

	for (; m->run < m->n_runs; m->run++) {
		const struct compare_run *run = &m->runs[m->run];

		if (!m->is_counting && !m->has_run) {
			m->totals.is_lane = run->is_lane;
			totals_begin(&m->totals, run->t0, run->t1);
		}
		m->is_counting = !m->has_run && !totals_step(&m->totals, budget);
		if (m->is_counting)
			return false;
		if (!m->has_run)
			add_run(m, run);
		m->has_run = !count_samples(m, run, budget);
		if (m->has_run)
			return false;
	}
	m->totals.is_lane = NULL;
	return true;
}

/* ---- scaling ---- */

static int64_t divisor(const struct sides *s, enum sides_per per, enum side side)
{
	return per == SIDES_PER_TOTAL    ? s->busy_ns[side]
		: per == SIDES_PER_TIME  ? s->length_ns[side]
		: per == SIDES_PER_COUNT ? (int64_t)s->n_calls[side]
					 : 1;
}

/* Times that are no shares are measured by the busy time of the larger side. */
static int64_t find_whole(const struct sides *s, enum sides_per per, double factor, int64_t after)
{
	double before = (double)s->busy_ns[SIDE_BEFORE] * factor;

	if (per == SIDES_PER_NONE || per == SIDES_PER_COUNT)
		return before > (double)s->busy_ns[SIDE_AFTER] ? (int64_t)before
							       : s->busy_ns[SIDE_AFTER];
	return after > 0 ? after : s->busy_ns[SIDE_BEFORE];
}

/* Scale the times of `before` to `after`. A side without time scales nothing. */
static void scale_merge(struct sides_merge *m)
{
	struct sides *s = &m->sides;
	int64_t before = divisor(s, m->per, SIDE_BEFORE), after = divisor(s, m->per, SIDE_AFTER);
	double factor = before > 0 && after > 0 ? (double)after / (double)before : 1;

	s->unit.per = m->per;
	s->unit.amount = m->view.profile->unit;
	s->unit.whole = find_whole(s, m->per, factor, after);
	s->unit.n_calls = s->n_calls[SIDE_AFTER];
	if (s->unit.whole < 1)
		s->unit.whole = 1;
	for (int k = 0; k < SIDES; k++)
		s->sample_ns[k] = s->n_samples[k] ? (double)s->busy_ns[k] *
				(k == SIDE_BEFORE ? factor : 1) / (double)s->n_samples[k]
						  : 0;
	for (uint32_t i = 1; factor != 1 && i < m->view.tree->n; i++) {
		/* Time that there is does not become none. */
		bool has_self = m->self[SIDE_BEFORE][i] > 0, has = m->total[SIDE_BEFORE][i] > 0;
		int64_t self = (int64_t)((double)m->self[SIDE_BEFORE][i] * factor + .5),
			total = (int64_t)((double)m->total[SIDE_BEFORE][i] * factor + .5);

		m->self[SIDE_BEFORE][i] = self || !has_self ? self : 1;
		m->total[SIDE_BEFORE][i] = total || !has ? total : 1;
	}
}

/* Whether both sides call what times are divided by. */
static bool take_calls(struct sides_merge *m)
{
	struct sides *s = &m->sides;

	for (uint32_t i = 0; m->calls && i < m->n_runs; i++)
		s->n_calls[side_of(&m->runs[i])] += m->calls->n[i];
	return !m->calls || (s->n_calls[SIDE_BEFORE] && s->n_calls[SIDE_AFTER]);
}

static int64_t width_of(const struct sides_merge *m, uint32_t i)
{
	int64_t before = m->self[SIDE_BEFORE][i], after = m->self[SIDE_AFTER][i];

	if (m->width == SIDES_MEAN)
		return before / 2 + after / 2 + ((before & 1) | (after & 1));
	if (m->width == SIDES_BEFORE)
		return before;
	return m->width == SIDES_AFTER || after > before ? after : before;
}

/* ---- the whole ---- */

static bool make_view(void *ctx, struct budget *budget)
{
	struct sides_merge *m = ctx;
	size_t n;

	if (!view_work(m->making, budget))
		return false;
	n = m->view.tree->n;
	view_end(m->making);
	m->making = NULL;
	totals_init(&m->totals, &m->view);
	m->has_totals = true;
	for (int k = 0; k < SIDES; k++) {
		m->self[k] = xcalloc(n, sizeof *m->self[k]);
		m->total[k] = xcalloc(n, sizeof *m->total[k]);
	}
	return true;
}

static bool count_calls(void *ctx, struct budget *budget)
{
	struct sides_merge *m = ctx;

	return !m->calls || call_count_work(m->calls, budget);
}

static bool merge(void *ctx, struct budget *budget)
{
	struct sides_merge *m = ctx;

	if (!m->merged && !take_calls(m))
		return true;
	if (!m->merged) {
		uint32_t n = m->view.tree->n;

		scale_merge(m);
		totals_begin(&m->totals, 0, 0);
		m->stays = xcalloc(n, 1);
		for (uint32_t i = 1; i < n; i++) {
			m->totals.self[i] = width_of(m, i);
			m->stays[i] = m->total[SIDE_BEFORE][i] > 0 || m->total[SIDE_AFTER][i] > 0;
		}
		totals_of_selves(&m->totals);
		m->merged = merged_begin(&m->totals, MERGED_LEFT_HEAVY, FRAME_NONE, m->stays);
	}
	return merged_work(m->merged, budget);
}

static const struct phase phases[] = {
	{ NULL, NULL, make_view }, { NULL, NULL, count_runs }, { NULL, NULL, count_calls },
	{ NULL, NULL, merge },     { NULL, NULL, NULL },
};

bool sides_merge_work(struct sides_merge *m, struct budget *budget)
{
	return phases_work(&m->phases, phases, m, budget);
}

/* ---- the end ---- */

/* Give the nodes of the lane the times of their nodes in the view. */
static void fill(const struct sides_merge *m, const node_id *origins, const struct profile *p,
		 struct sides *sides)
{
	const struct calltree *tree = &p->lanes[0].tree;

	for (int k = 0; k < SIDES; k++) {
		sides->self[k] = xmalloc((size_t)sides->n * sizeof *sides->self[k]);
		sides->total[k] = xmalloc((size_t)sides->n * sizeof *sides->total[k]);
		sides->frame_self[k] = xcalloc((size_t)p->frames.n + 1,
					       sizeof *sides->frame_self[k]);
		for (uint32_t i = 0; i < sides->n; i++) {
			sides->self[k][i] = m->self[k][origins[i]];
			sides->total[k][i] = m->total[k][origins[i]];
			if (i)
				sides->frame_self[k][tree->frame[i]] += sides->self[k][i];
		}
	}
}

struct profile *sides_merge_end(struct sides_merge *m, struct sides *sides)
{
	struct profile *p = NULL;
	ALLOC_LOCAL node_id *origins = NULL;

	*sides = m->sides;
	if (m->merged)
		p = merged_end(m->merged, NULL, &origins);
	if (p && origins) {
		sides->n = p->lanes[0].tree.n;
		fill(m, origins, p, sides);
	}
	if (m->making)
		view_end(m->making);
	if (m->has_totals)
		totals_done(&m->totals);
	call_count_end(m->calls);
	view_done(&m->view);
	free(m->match);
	for (int k = 0; k < SIDES; k++) {
		free(m->self[k]);
		free(m->total[k]);
	}
	for (uint32_t i = 0; i < m->n_runs; i++)
		free(m->runs[i].is_lane);
	free(m->runs);
	free(m->stays);
	free(m);
	return p;
}

/* ==== sides ==== */

#define SIDES_LARGE_PERCENT 1

const char *sides_per_word(unsigned i)
{
	static const char *const words[] = { "total", "time", "none", "count:" };

	return i < SIDES_PERS ? words[i] : NULL;
}

const char *sides_word(const struct sides_unit *unit, enum side side)
{
	static const char *const words[2][SIDES] = { { "before", "after" }, { "rest", "window" } };

	return words[unit->is_rest][side];
}

const char *sides_title(const struct sides_unit *unit, enum side side)
{
	static const char *const titles[2][SIDES] = { { "Before", "After" }, { "Rest", "Window" } };

	return titles[unit->is_rest][side];
}

const char *sides_per_name(enum sides_per per)
{
	static const char *const names[] = { "share of busy time", "time per second", "time",
					     "time per call" };

	return names[per];
}

/* ---- figures ---- */

/* A value in the unit: percent, or ms per second. */
static double figure(const struct sides_unit *unit, int64_t ns)
{
	double scale = unit->per == SIDES_PER_TOTAL ? 100 : 1000;

	return unit->whole > 0 ? (double)ns * scale / (double)unit->whole : 0;
}

/* Nanoseconds per call. */
static int64_t per_call(const struct sides_unit *unit, int64_t ns)
{
	return unit->n_calls ? (int64_t)((double)ns / (double)unit->n_calls) : 0;
}

/* Whether a change is shown as 0. */
static bool is_nothing(const struct sides_unit *unit, int64_t change)
{
	double x = figure(unit, change);

	if (unit->per == SIDES_PER_NONE)
		return change == 0;
	/* Less than 0.05 % of the whole may be rounding of what was scaled. */
	if (unit->per == SIDES_PER_COUNT)
		return change < unit->whole / 2000 + 1 && -change < unit->whole / 2000 + 1;
	return x < 0.05 && x > -0.05;
}

enum sides_kind sides_kind_of(const struct sides_unit *unit, int64_t before, int64_t after)
{
	if (before == 0 && after > 0)
		return SIDES_NEW;
	if (before > 0 && after == 0)
		return SIDES_GONE;
	if (is_nothing(unit, after - before))
		return SIDES_SAME;
	return after > before ? SIDES_MORE : SIDES_LESS;
}

int sides_level(const struct sides_unit *unit, int64_t change)
{
	double size = (double)(change < 0 ? -change : change);

	if (is_nothing(unit, change))
		return 0;
	return size * 100 >= (double)unit->whole * SIDES_LARGE_PERCENT ? 2 : 1;
}

const char *sides_format(const struct sides_unit *unit, int64_t ns, char out[UNITS_MAX])
{
	if (unit->per == SIDES_PER_NONE)
		amount_text(&unit->amount, ns, out);
	else if (unit->per == SIDES_PER_COUNT)
		amount_text(&unit->amount, per_call(unit, ns), out);
	else if (unit->per == SIDES_PER_TOTAL)
		snprintf(out, UNITS_MAX, "%.1f %%", figure(unit, ns));
	else
		snprintf(out, UNITS_MAX, "%.1f ms/s", figure(unit, ns));
	return out;
}

const char *sides_format_change(const struct sides_unit *unit, int64_t change, char out[UNITS_MAX])
{
	if (is_nothing(unit, change)) {
		snprintf(out, UNITS_MAX, "\302\2610");
	} else if (unit->per == SIDES_PER_NONE || unit->per == SIDES_PER_COUNT) {
		change = unit->per == SIDES_PER_COUNT ? per_call(unit, change) : change;
		snprintf(out, UNITS_MAX, "%c%.40s", change < 0 ? '-' : '+',
			 amount_text(&unit->amount, change < 0 ? -change : change, UNITS_ROOM));
	} else {
		snprintf(out, UNITS_MAX, "%+.1f %s", figure(unit, change),
			 unit->per == SIDES_PER_TOTAL ? "pt" : "ms/s");
	}
	return out;
}

/* ---- the error of sampling ---- */

#define NO_SAMPLES 4 /* as many leave shares of ±50 % or more */

/* Whether the samples of both sides can explain the change: it is within two standard errors. */
static bool is_within_error(const struct sides *s, const int64_t ns[SIDES])
{
	double change = (double)(ns[SIDE_AFTER] - ns[SIDE_BEFORE]), square = 0;

	for (int k = 0; k < SIDES; k++) {
		double share = s->unit.per == SIDES_PER_TOTAL
			? (double)ns[k] / (double)s->unit.whole
			: 0;
		double error = units_sampling_error(ns[k], s->sample_ns[k], share < 1 ? share : 1);

		square += error * error;
	}
	return change * change <= square;
}

bool sides_add_error(const struct sides *s, const int64_t ns[SIDES], struct buf *out)
{
	enum side least = s->n_samples[SIDE_BEFORE] < s->n_samples[SIDE_AFTER] ? SIDE_BEFORE
									       : SIDE_AFTER;
	const char *what = s->unit.per == SIDES_PER_TOTAL ? "shares" : "times",
		   *word = sides_word(&s->unit, least);
	uint64_t n = s->n_samples[least];
	char count[UNITS_MAX];

	if (!s->has_samples)
		return false;
	units_count(n, count);
	if (n <= NO_SAMPLES) {
		buf_addf(out, "%s has %s sample%s: its %s say nothing", word, n ? count : "no",
			 n == 1 ? "" : "s", what);
		return true;
	}
	if (sides_level(&s->unit, ns[SIDE_AFTER] - ns[SIDE_BEFORE]) && is_within_error(s, ns)) {
		buf_addf(out, "within the error of %s samples", count);
		return true;
	}
	if (n < UNITS_FEW_SAMPLES)
		buf_addf(out, "few samples: %s of %s \302\261%u %%", what, word,
			 units_sampling_percent(n));
	return false;
}

/* ---- a range ---- */

/* The part of a sample of [from, to) that is in [t0, t1). One without length is at its start, or
 * before t1 if that is the end of the axis. */
static double part_of(int64_t from, int64_t to, int64_t t0, int64_t t1, bool is_end)
{
	int64_t a = from > t0 ? from : t0, b = to < t1 ? to : t1;

	if (from == to)
		return from >= t0 && (from < t1 || (is_end && from == t1)) ? 1 : 0;
	return b > a ? (double)(b - a) / (double)(to - from) : 0;
}

bool sides_count_begin(struct sides_count *c, const struct sides *sides, int64_t t0, int64_t t1,
		       struct totals *const of[SIDES], struct totals *larger)
{
	const struct view *view = larger->view;

	if (!view->tree || view->tree->n == 0 || view->n_sources != 1)
		return false;
	*c = (struct sides_count){ .sides = sides, .t0 = t0, .t1 = t1, .larger = larger };
	for (int k = 0; k < SIDES; k++) {
		c->of[k] = of[k];
		totals_begin(of[k], t0, t1);
	}
	totals_begin(larger, t0, t1);
	return true;
}

static void count_sample(const struct sides_count *c, const struct samples *s, size_t i)
{
	const struct sides *sides = c->sides;
	double part = part_of(samples_time(s, i), samples_time(s, i + 1), c->t0, c->t1,
			      c->t1 >= samples_time(s, s->n));
	node_id node = view_node(c->larger->view, 0, s->leaf[i]);
	int64_t ns[SIDES];

	if (part <= 0 || node == VIEW_DROPPED || s->leaf[i] >= sides->n)
		return;
	for (int k = 0; k < SIDES; k++) {
		ns[k] = (int64_t)((double)sides->self[k][s->leaf[i]] * part + .5);
		c->of[k]->self[node] += ns[k];
	}
	c->larger->self[node] += ns[0] > ns[1] ? ns[0] : ns[1];
}

bool sides_count_step(struct sides_count *c, struct budget *budget)
{
	const struct samples *s = &c->larger->view->sources[0].lane->samples;
	uint32_t n = c->larger->view->tree->n;

	while (c->next < s->n && samples_time(s, c->next) <= c->t1) {
		count_sample(c, s, c->next++);
		if (budget_use(budget, 1))
			return false;
	}
	while (c->n_summed < SIDES + 1) {
		totals_of_selves(c->n_summed < SIDES ? c->of[c->n_summed] : c->larger);
		c->n_summed++;
		if (budget_use(budget, n) && c->n_summed < SIDES + 1)
			return false;
	}
	return true;
}
