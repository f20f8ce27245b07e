/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each lane has a view and totals of its own; the sums by frame add them up. */
#include "config.h"

#include "report/lane_sums.h"

#include "analysis/frame_set.h"
#include "analysis/functions.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct sort_key {
	int64_t self, total;
	const char *name;
	frame_id frame;
};

static int heaviest_first(const void *a, const void *b)
{
	const struct sort_key *x = a, *y = b;
	int c;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	c = strcmp(x->name, y->name);
	return c ? c : x->frame < y->frame ? -1 : x->frame > y->frame;
}

/* The lengths of spans, which need a pass over all spans. */
static void add_lengths(struct lane_sums *o, const struct view *view)
{
	struct functions functions;

	functions_init(&functions, view, o->options->scope.t0, o->options->scope.t1);
	for (frame_id f = 1; f < o->profile->frames.n; f++) {
		const struct function *fn = &functions.list[f];
		struct row_sum *sum = &o->sums[f];

		if (!fn->n_spans)
			continue;
		if (fn->longest > sum->longest)
			sum->longest = fn->longest;
		if (!sum->n_measured || fn->shortest < sum->shortest)
			sum->shortest = fn->shortest;
		sum->spans_ns += fn->spans_ns;
		sum->n_measured += fn->n_spans;
	}
	functions_done(&functions);
}

static void add_sums(struct lane_sums *o, const struct totals *totals)
{
	struct totals_counts counts;

	totals_counts(totals, &counts);
	for (frame_id f = 1; f < o->profile->frames.n; f++) {
		struct row_sum *sum = &o->sums[f];

		sum->self += totals->frame_self[f];
		sum->total += totals->frame_total[f];
		sum->spans += counts.spans[f];
		sum->self_samples += counts.self_samples[f];
		sum->is_used |= totals->frame_total[f] || counts.is_used[f];
	}
	totals_counts_done(&counts);
	add_lengths(o, totals->view);
}

static uint32_t joined(const struct profile *p, const struct lane *lane)
{
	const struct lane *end = p->lanes + p->n_lanes, *next = lane + 1;

	while (next < end && next->is_joined && next->kind == lane->kind)
		next++;
	return (uint32_t)(next - lane);
}

/* --filter removes no rows if parts of --with refer to them. */
static uint8_t *find_rows(const struct lane_sums *o)
{
	struct error err = ERROR_INIT;

	if (!o->options->scope.filter || o->options->with)
		return NULL;
	return frame_set_find(o->profile, o->profile->frames.frames, o->profile->frames.n,
			      o->options->scope.filter, &err);
}

static void sort_functions(struct lane_sums *o)
{
	const struct profile *p = o->profile;
	struct sort_key *keys = xmalloc((size_t)p->frames.n * sizeof *keys);
	uint8_t *is_row = find_rows(o);

	o->index = xcalloc(p->frames.n, sizeof *o->index);
	o->order = xmalloc((size_t)p->frames.n * sizeof *o->order);
	for (frame_id f = 1; f < p->frames.n; f++)
		if (o->sums[f].is_used && (!is_row || is_row[f]))
			keys[o->n++] = (struct sort_key){ o->sums[f].self, o->sums[f].total,
							  profile_text(p, p->frames.frames[f].name),
							  f };
	qsort(keys, o->n, sizeof *keys, heaviest_first);
	for (uint32_t i = 0; i < o->n; i++) {
		o->order[i] = keys[i].frame;
		o->index[keys[i].frame] = i;
	}
	free(keys);
	free(is_row);
}

void lane_sums_init(struct lane_sums *o, const struct scoped *scoped, const struct lane *lane,
		    const struct report_options *options)
{
	const struct profile *p = scoped->profile;

	*o = (struct lane_sums){ .profile = p,
				 .scoped = scoped,
				 .options = options,
				 .lane = lane,
				 .n_lanes = joined(p, lane) };
	o->totals = xcalloc(o->n_lanes, sizeof *o->totals);
	o->views = xcalloc(o->n_lanes, sizeof *o->views);
	o->sums = xcalloc(p->frames.n, sizeof *o->sums);
	for (uint32_t i = 0; i < o->n_lanes; i++) {
		view_init(&o->views[i], p, &(const struct lane *){ lane + i }, 1, NULL, 0,
			  GROUP_FUNCTION);
		totals_init(&o->totals[i], &o->views[i]);
		totals_compute(&o->totals[i], options->scope.t0, options->scope.t1);
		add_sums(o, &o->totals[i]);
	}
	sort_functions(o);
}

void lane_sums_done(struct lane_sums *o)
{
	for (uint32_t i = 0; i < o->n_lanes; i++) {
		totals_done(&o->totals[i]);
		view_done(&o->views[i]);
	}
	free(o->totals);
	free(o->views);
	free(o->sums);
	free(o->index);
	free(o->order);
}
