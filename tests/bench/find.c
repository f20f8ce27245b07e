/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A search, from the pattern to the last span in all lanes. */
#include "config.h"

#include "subjects.h"

#include "analyse/search.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct finding {
	const struct profile *profile;
	struct search search;
	struct search_count count;
	struct search_at at;
	uint8_t *is_shown;
	uint32_t *lanes;
	uint32_t n_lanes;
	bool has_first;
};

static void forget(void *ctx, int run)
{
	struct finding *f = ctx;

	(void)run;
	search_count_done(&f->count);
	search_done(&f->search);
}

static void match(void *ctx, int run)
{
	struct finding *f = ctx;
	struct error err = ERROR_INIT;

	(void)run;
	if (!search_init(&f->search, f->profile, BENCH_PATTERN, strlen(BENCH_PATTERN), false, &err))
		die("pattern: %s", err.text);
	search_match(&f->search, BUDGET_UNLIMITED);
}

/* Starts at a tenth of the recording, and later in each run. */
static void first(void *ctx, int run)
{
	struct finding *f = ctx;

	match(f, run);
	f->has_first = search_from(&f->search, f->is_shown, f->profile->t1 / 100 * (10 + run),
				   &f->at);
}

static void before_count(void *ctx, int run)
{
	forget(ctx, run);
	match(ctx, run);
}

static void count(void *ctx, int run)
{
	struct finding *f = ctx;

	(void)run;
	search_count_init(&f->count, f->lanes, f->n_lanes, 0, f->profile->t1);
	search_count_step(&f->count, &f->search, BUDGET_UNLIMITED);
}

/* Time with a match on the stack. */
static int64_t matched_ns(const struct lane *lane, const uint8_t *matches)
{
	const struct samples *s = &lane->samples;
	uint8_t *has = xcalloc((size_t)lane->tree.n + 1, 1);
	int64_t sum = 0;

	for (node_id i = 1; i < lane->tree.n; i++)
		has[i] = has[lane->tree.parent[i]] | matches[lane->tree.frame[i]];
	for (size_t i = 0; i < s->n; i++)
		sum += has[s->leaf[i]] ? samples_time(s, i + 1) - samples_time(s, i) : 0;
	free(has);
	return sum;
}

static bool is_right(const struct finding *f)
{
	int64_t ns = 0;

	for (uint32_t i = 0; i < f->n_lanes; i++)
		ns += matched_ns(&f->profile->lanes[f->lanes[i]], f->search.matches);
	return ns == f->count.ns && f->count.is_complete && f->count.n_spans > 0;
}

void measure_search(const struct subject *subject)
{
	static const struct measure matching = { FIGURE_SEARCH_MATCH, forget, match };
	static const struct measure finding = { FIGURE_SEARCH_FIRST, forget, first };
	static const struct measure counting = { FIGURE_SEARCH_COUNT, before_count, count };
	struct finding f = { .profile = subject->profile };
	size_t n = f.profile->n_lanes;

	f.is_shown = xmalloc(n);
	memset(f.is_shown, 1, n);
	f.lanes = xcalloc(n, sizeof *f.lanes);
	for (uint32_t i = 0; i < n; i++)
		if (f.profile->lanes[i].has_timeline && f.profile->lanes[i].tree.n)
			f.lanes[f.n_lanes++] = i;
	sheet_measure(subject->sheet, &matching, &f);
	sheet_measure(subject->sheet, &finding, &f);
	sheet_check(subject->sheet, f.has_first, "a first match");
	sheet_measure(subject->sheet, &counting, &f);
	sheet_check(subject->sheet, is_right(&f), "time that matches");
	forget(&f, 0);
	free(f.is_shown);
	free(f.lanes);
}
