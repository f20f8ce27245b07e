/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One lane after the other is charged, and its charge is freed: only results stay. */
#include "config.h"

#include "analysis/findings_all.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>

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
	free(list);
}

void findings_all_init(struct findings_all *all, const struct findings_wanted *wanted)
{
	*all = (struct findings_all){ .results = xcalloc(wanted->n_lanes, sizeof *all->results) };
	for (uint32_t i = 0; i < wanted->n_lanes; i++) {
		struct findings f;

		if (!findings_is_for(wanted->lanes[i]))
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
	rank(all);
}

void findings_all_done(struct findings_all *all)
{
	for (uint32_t i = 0; i < all->n_results; i++)
		arena_done(&all->results[i].arena);
	free(all->results);
	*all = (struct findings_all){ 0 };
}
