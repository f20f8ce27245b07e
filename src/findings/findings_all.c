/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One lane after the other is charged, and its charge is freed: only results stay.
 *
 * Charging a lane takes time and memory for each function of the profile, and looks at each lane.
 * So that the work does not grow with the square of a profile, only the busiest lanes are charged.
 */
#include "config.h"

#include "findings/findings_all.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* A finding with its score among those of all lanes. */
struct ranked {
	const struct finding *finding;
	double score;
};

static bool is_before(const void *a, const void *b, const void *ctx)
{
	const struct ranked *x = a, *y = b;

	(void)ctx;
	return x->score > y->score;
}

/* Whether the first finding of a lane says that the thread hardly worked: idle, or asleep. */
static bool is_idle(const struct findings_result *r)
{
	return r->n > 0 &&
		(r->list[0].kind == FINDING_IDLE ||
		 (r->list[0].kind == FINDING_WAITING && r->waiting > r->busy / 2));
}

/* Add the next finding of the ranking to what users read. */
static void join(struct findings_all *all, const struct finding *f)
{
	for (uint32_t i = 0; i < all->n_joined; i++)
		if (all->joined[i].f->kind == f->kind &&
		    strcmp(all->joined[i].f->text, f->text) == 0) {
			all->joined[i].n_lanes += all->joined[i].f->lane != f->lane;
			return;
		}
	if (all->n_joined < FINDINGS_MOST)
		all->joined[all->n_joined++] = (struct findings_joined){ f, 1 };
}

/* That a thread hardly works is no finding about several threads, unless none of them does. */
static void rank(struct findings_all *all)
{
	struct ranked *list = xcalloc((size_t)all->n_results * FINDINGS_MOST, sizeof *list);
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
				list[n++] = (struct ranked){ &r->list[k], r->list[k].score * part };
	}
	if (n)
		sort_stable(list, n, sizeof *list, is_before, NULL);
	for (size_t i = 0; i < n && i < FINDINGS_MOST; i++)
		all->list[all->n++] = list[i].finding;
	for (size_t i = 0; i < n; i++)
		join(all, list[i].finding);
	free(list);
}

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

static int64_t busy_ns(const struct findings_wanted *wanted, const struct lane *lane)
{
	const struct samples *s = &lane->samples;
	int64_t sum = 0;

	for (size_t i = s->n ? samples_find(s, wanted->t0) : 0;
	     i < s->n && samples_time(s, i) < wanted->t1; i++) {
		node_id leaf = s->leaf[i];

		if (leaf != NODE_ROOT &&
		    profile_node_frame(wanted->profile, lane, leaf)->category != CATEGORY_IDLE)
			sum += samples_time(s, i + 1) - samples_time(s, i);
	}
	return sum;
}

/* By lane: whether it is to be charged. Counts the lanes that are not. The caller frees it. */
static bool *choose_lanes(const struct findings_wanted *wanted, uint32_t *n_left)
{
	bool *is_chosen = xcalloc(wanted->n_lanes, sizeof *is_chosen);
	struct busy_lane *list = xcalloc(wanted->n_lanes, sizeof *list);
	uint32_t n = 0, most = wanted->lanes_most ? wanted->lanes_most : FINDINGS_LANES_MOST;

	for (uint32_t i = 0; i < wanted->n_lanes; i++)
		if (findings_is_for(wanted->lanes[i]))
			list[n++].index = i;
	*n_left = n > most ? n - most : 0;
	for (uint32_t i = 0; i < n && *n_left; i++)
		list[i].ns = busy_ns(wanted, wanted->lanes[list[i].index]);
	if (*n_left)
		sort_stable(list, n, sizeof *list, is_busier, NULL);
	for (uint32_t i = 0; i < n && i < most; i++)
		is_chosen[list[i].index] = true;
	free(list);
	return is_chosen;
}

void findings_all_init(struct findings_all *all, const struct findings_wanted *wanted)
{
	bool *is_chosen;

	*all = (struct findings_all){ .results = xcalloc(wanted->n_lanes, sizeof *all->results) };
	is_chosen = choose_lanes(wanted, &all->n_left);
	for (uint32_t i = 0; i < wanted->n_lanes; i++) {
		struct findings f;

		if (!is_chosen[i])
			continue;
		findings_init(&f, wanted->profile, wanted->lanes[i]);
		findings_read_sources(&f, wanted->sources);
		findings_judge_by(&f, wanted->t0, wanted->t1);
		findings_begin(&f, wanted->t0, wanted->t1);
		while (!findings_work(&f, BUDGET_UNLIMITED))
			;
		all->results[all->n_results++] = f.result;
		f.result = (struct findings_result){ 0 };
		findings_done(&f);
	}
	free(is_chosen);
	rank(all);
}

void findings_all_done(struct findings_all *all)
{
	for (uint32_t i = 0; i < all->n_results; i++)
		arena_done(&all->results[i].arena);
	free(all->results);
	*all = (struct findings_all){ 0 };
}
