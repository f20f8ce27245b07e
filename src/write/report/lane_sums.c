/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each lane has a view and totals of its own; the sums by frame add them up. The arrays by frame
 * serve all lanes, one after the other: only the sums of the frames in the list are cleared. */
#include "config.h"

#include "write/report/lane_sums.h"

#include "analyse/frame_set.h"
#include "analyse/functions.h"
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

/* The sum of a frame of the lane's view, which is listed from now on. */
static struct row_sum *get_sum(struct lane_sums *o, frame_id frame)
{
	frame_id id = view_frame_id(&o->view, frame);
	struct row_sum *sum = &o->sums[id];

	if (!sum->is_listed) {
		sum->is_listed = true;
		o->frames[o->n_frames++] = id;
	}
	return sum;
}

/* The lengths of spans, which need a pass over all spans. */
static void add_lengths(struct lane_sums *o)
{
	struct functions functions;

	functions_init(&functions, &o->view, o->options->scope.t0, o->options->scope.t1);
	for (frame_id f = 1; f < functions.n; f++) {
		const struct function *fn = &functions.list[f];
		struct row_sum *sum;

		if (!fn->n_spans)
			continue;
		sum = get_sum(o, f);
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
	for (frame_id f = 1; f < totals->n_frames; f++) {
		struct row_sum *sum;

		/* A frame that is not in use has no time, no spans and no samples. */
		if (!totals->frame_total[f] && !counts.is_used[f])
			continue;
		sum = get_sum(o, f);
		sum->self += totals->frame_self[f];
		sum->total += totals->frame_total[f];
		sum->spans += counts.spans[f];
		sum->self_samples += counts.self_samples[f];
		sum->is_used = true;
	}
	totals_counts_done(&counts);
	add_lengths(o);
}

static void sort_functions(struct lane_sums *o)
{
	const struct profile *p = o->profile;
	struct sort_key *keys = xmalloc((size_t)o->n_frames * sizeof *keys);

	o->n = 0;
	for (uint32_t i = 0; i < o->n_frames; i++) {
		frame_id f = o->frames[i];
		const struct row_sum *sum = &o->sums[f];

		if (sum->is_used && (!o->is_row || o->is_row[f]))
			keys[o->n++] = (struct sort_key){ sum->self, sum->total,
							  profile_text(p, p->frames.frames[f].name),
							  f };
	}
	qsort(keys, o->n, sizeof *keys, heaviest_first);
	for (uint32_t i = 0; i < o->n; i++) {
		o->order[i] = keys[i].frame;
		o->index[keys[i].frame] = i;
	}
	free(keys);
}

static void release(struct lane_sums *o)
{
	totals_done(&o->totals);
	view_done(&o->view);
	o->held = NULL;
}

const struct totals *lane_sums_totals(struct lane_sums *o, uint32_t i)
{
	const struct scope *scope = &o->options->scope;

	if (o->held != o->lane + i) {
		release(o);
		o->held = o->lane + i;
		view_init_lane(&o->view, o->profile, o->held);
		totals_init(&o->totals, &o->view);
		totals_compute(&o->totals, scope->t0, scope->t1);
	}
	return &o->totals;
}

void lane_sums_compute(struct lane_sums *o, const struct lane *lane)
{
	for (uint32_t i = 0; i < o->n_frames; i++)
		o->sums[o->frames[i]] = (struct row_sum){ 0 };
	for (uint32_t i = 0; i < o->n; i++)
		o->index[o->order[i]] = 0;
	o->n_frames = 0;
	o->lane = lane;
	o->n_lanes = lane_count_joined(lane, o->profile->lanes + o->profile->n_lanes);
	o->sampled_ns = 0;
	for (uint32_t i = 0; i < o->n_lanes; i++) {
		const struct totals *totals = lane_sums_totals(o, i);

		add_sums(o, totals);
		o->sampled_ns += totals->sampled_ns;
	}
	sort_functions(o);
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

void lane_sums_init(struct lane_sums *o, const struct scoped *scoped,
		    const struct report_options *options)
{
	size_t n = scoped->profile->frames.n;

	*o = (struct lane_sums){ .profile = scoped->profile, .scoped = scoped, .options = options };
	o->is_row = find_rows(o);
	o->sums = xcalloc(n, sizeof *o->sums);
	o->frames = xmalloc(n * sizeof *o->frames);
	o->index = xcalloc(n, sizeof *o->index);
	o->order = xmalloc(n * sizeof *o->order);
}

void lane_sums_done(struct lane_sums *o)
{
	release(o);
	free(o->is_row);
	free(o->sums);
	free(o->frames);
	free(o->index);
	free(o->order);
}
