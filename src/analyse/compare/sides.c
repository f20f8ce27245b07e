/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A node of the merged lane has one sample at most (merged_lane.h): the part of that sample that is
 * in a range is the part of the node's self time that counts, on both sides. */
#include "config.h"

#include "analyse/compare/sides.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sides_done(struct sides *s)
{
	for (int i = 0; i < SIDES; i++) {
		free(s->self[i]);
		free(s->total[i]);
		free(s->frame_self[i]);
		free(s->name[i]);
	}
	*s = (struct sides){ 0 };
}

const char *sides_per_word(unsigned i)
{
	static const char *const words[] = { "total", "time", "none", "count:" };

	return i < SIDES_PERS ? words[i] : NULL;
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

const char *sides_sign(enum sides_kind kind)
{
	return kind == SIDES_NEW ? "*" : kind == SIDES_GONE ? "\342\200\240" : " ";
}

int sides_level(const struct sides_unit *unit, int64_t change)
{
	double size = (double)(change < 0 ? -change : change);

	if (is_nothing(unit, change))
		return 0;
	return size * 100 >= (double)unit->whole * SIDES_LARGE_PERCENT ? 2 : 1;
}

void sides_format(const struct sides_unit *unit, int64_t ns, char out[UNITS_MAX])
{
	if (unit->per == SIDES_PER_NONE)
		amount_text(&unit->amount, ns, out);
	else if (unit->per == SIDES_PER_COUNT)
		amount_text(&unit->amount, per_call(unit, ns), out);
	else if (unit->per == SIDES_PER_TOTAL)
		snprintf(out, UNITS_MAX, "%.1f %%", figure(unit, ns));
	else
		snprintf(out, UNITS_MAX, "%.1f ms/s", figure(unit, ns));
}

void sides_format_change(const struct sides_unit *unit, int64_t change, char out[UNITS_MAX])
{
	char time[UNITS_MAX];

	if (is_nothing(unit, change)) {
		snprintf(out, UNITS_MAX, "\302\2610");
	} else if (unit->per == SIDES_PER_NONE || unit->per == SIDES_PER_COUNT) {
		change = unit->per == SIDES_PER_COUNT ? per_call(unit, change) : change;
		amount_text(&unit->amount, change < 0 ? -change : change, time);
		snprintf(out, UNITS_MAX, "%c%.40s", change < 0 ? '-' : '+', time);
	} else {
		snprintf(out, UNITS_MAX, "%+.1f %s", figure(unit, change),
			 unit->per == SIDES_PER_TOTAL ? "pt" : "ms/s");
	}
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

static void begin(struct totals *totals, int64_t t0, int64_t t1)
{
	totals_begin(totals, t0, t1);
	memset(totals->self, 0, (size_t)totals->view->tree->n * sizeof *totals->self);
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
		begin(of[k], t0, t1);
	}
	begin(larger, t0, t1);
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

void sides_totals(const struct sides *sides, int64_t t0, int64_t t1, struct totals *before,
		  struct totals *after, struct totals *larger)
{
	struct totals *const of[SIDES] = { before, after };
	struct sides_count count;

	if (sides_count_begin(&count, sides, t0, t1, of, larger))
		sides_count_step(&count, BUDGET_UNLIMITED);
}
