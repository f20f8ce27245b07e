/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "analyse/compare/call_count.h"

#include "analyse/search_count.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct call_count {
	const struct profile *profile;
	const struct compare_run *runs;
	uint32_t n_runs, run; /* the one that is counted */
	struct search search;
	bool is_matched, is_counting;
	struct search_count counting;
	uint64_t *n; /* by run */
};

struct call_count *call_count_begin(const struct profile *profile, const char *pattern,
				    const struct compare_run *runs, uint32_t n_runs,
				    struct error *err)
{
	struct call_count *c = xcalloc(1, sizeof *c);

	if (!search_init(&c->search, profile, pattern, strlen(pattern), false, err)) {
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
	uint32_t *lanes = xcalloc((size_t)c->profile->n_lanes + 1, sizeof *lanes), n = 0;

	for (uint32_t i = 0; i < c->profile->n_lanes; i++)
		if (run->is_lane[i])
			lanes[n++] = i;
	search_count_init(&c->counting, lanes, n, run->t0, run->t1);
	c->counting.has_sums = true;
	c->is_counting = true;
	free(lanes);
}

bool call_count_work(struct call_count *c, struct budget *budget)
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

uint64_t call_count_of(const struct call_count *c, uint32_t run)
{
	return c->n[run];
}

void call_count_end(struct call_count *c)
{
	if (!c)
		return;
	if (c->is_counting)
		search_count_done(&c->counting);
	search_done(&c->search);
	free(c->n);
	free(c);
}
