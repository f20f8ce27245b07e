/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything is computed at once: each report needs most of it. Findings come first, as their
 * computation and the totals both need much memory; of many lanes, one thread makes the findings of
 * one lane after the other, and the caller's joins it when it has the totals. */
#include "config.h"

#include "write/report/gather.h"

#include "base/alloc.h"
#include "base/thread.h"
#include "model/profile.h"

#include <stdlib.h>

bool gather_range(const struct report_options *options, const struct lane *lane, int64_t *t0,
		  int64_t *t1)
{
	*t0 = options->scope.t0;
	*t1 = options->scope.t1;
	return lane_clip(lane, t0, t1);
}

int64_t gather_covered(const struct lane *lane, int64_t t0, int64_t t1)
{
	int64_t ns;

	free(lane_self_times(lane, t0, t1, &ns));
	return ns;
}

static void find_lanes(struct gathered *g, enum lane_kind kind)
{
	for (uint32_t i = 0; i < g->profile->n_lanes; i++) {
		const struct lane *lane = &g->profile->lanes[i];

		if (lane->kind != kind)
			continue;
		g->lanes[g->n_lanes++] = lane;
		if (!lane->is_joined)
			g->originals[g->n_originals++] = scoped_original(g->scoped, lane);
	}
}

/* Shares by file and package need functions, also if --group makes rows of something else. */
static void find_functions(struct gathered *g)
{
	const struct scope *scope = &g->options->scope;
	struct scope by_function = *scope;
	struct error err = ERROR_INIT;
	ALLOC_LOCAL const struct lane **lanes = NULL;

	g->functions = &g->totals;
	if (scope->group == GROUP_FUNCTION)
		return;
	by_function.group = GROUP_FUNCTION;
	/* It has the same lanes. */
	if (!scoped_init(&g->plain, g->scoped->original, &by_function, &err))
		return;
	lanes = xcalloc(g->n_lanes, sizeof *lanes);
	for (uint32_t i = 0; i < g->n_lanes; i++)
		lanes[i] = &g->plain.profile->lanes[g->lanes[i] - g->scoped->profile->lanes];
	view_init(&g->plain_view, g->plain.profile, lanes, g->n_lanes);
	totals_init(&g->plain_totals, &g->plain_view);
	totals_compute(&g->plain_totals, scope->t0, scope->t1);
	g->functions = &g->plain_totals;
}

static void add_totals(struct gathered *g)
{
	const struct report_options *options = g->options;
	const struct profile *p = g->profile;
	struct error err = ERROR_INIT;

	view_init(&g->view, p, g->lanes, g->n_lanes);
	totals_init(&g->totals, &g->view);
	totals_compute(&g->totals, options->scope.t0, options->scope.t1);
	find_functions(g);
	for (uint32_t i = 0; i < g->n_lanes; i++) {
		int64_t t0, t1;

		if (g->lanes[i]->is_joined || !gather_range(g->options, g->lanes[i], &t0, &t1))
			continue;
		g->range_ns = t1 - t0 > INT64_MAX - g->range_ns ? INT64_MAX
								: g->range_ns + (t1 - t0);
		g->dropped_ns += scoped_dropped(g->scoped, g->lanes[i], t0, t1);
	}
	g->unsampled_ns = g->range_ns - g->totals.sampled_ns - g->dropped_ns;
	g->whole_ns = g->totals.self_ns - (options->scope.has_idle ? 0 : g->totals.idle_ns);
	if (options->scope.filter)
		g->is_row = frame_set_find(p, g->view.frames, g->view.n_frames,
					   options->scope.filter, &err);
}

/* From MANY_LANES on, or up to FEW_NODES in all lanes, the findings of two lanes at a time need
 * little memory beside the totals of all. */
#define MANY_LANES 8
#define FEW_NODES 200000u

static bool has_room(const struct gathered *g, uint32_t n_lanes)
{
	size_t n = 0;

	for (uint32_t i = 0; i < n_lanes; i++)
		n += g->lanes[i]->tree.n;
	return n_lanes >= MANY_LANES || (n_lanes > 1 && n <= FEW_NODES);
}

static void findings(void *ctx)
{
	findings_all_work(&((struct gathered *)ctx)->findings);
}

static void totals_and_findings(void *ctx)
{
	add_totals(ctx);
	findings(ctx);
}

static void lists(void *ctx)
{
	struct gathered *g = ctx;

	gather_stretches(g, GATHER_STRETCHES);
	g->n_lines = summary_lines(&g->of_originals, GATHER_LINES, &g->lines, &g->n_all_lines);
}

#define SAMPLES_MANY 200000u /* of all lanes: then another thread finds the lists */

static bool has_many_samples(const struct gathered *g)
{
	size_t n = 0;

	for (uint32_t i = 0; i < g->n_originals; i++)
		n += g->originals[i]->samples.n;
	return n >= SAMPLES_MANY;
}

void gather_init(struct gathered *g, const struct scoped *scoped,
		 const struct report_options *options, enum gather_parts parts)
{
	const struct scope *scope = &options->scope;
	const struct profile *p = scoped->profile;
	uint32_t n;

	*g = (struct gathered){ .profile = p,
				.scoped = scoped,
				.options = options,
				.hit_ns = lane_value_hit_ns(p) };
	g->lanes = xcalloc(p->n_lanes, sizeof *g->lanes);
	g->originals = xcalloc(p->n_lanes, sizeof *g->originals);
	find_lanes(g, LANE_SAMPLES);
	if (g->n_lanes == 0)
		find_lanes(g, LANE_SLICES);
	g->of_originals = (struct summary_range){ scoped->original, g->originals, g->n_originals,
						  scope->t0, scope->t1 };
	n = g->n_lanes;
	for (uint32_t i = 0; i < p->n_lanes && n && g->lanes[0]->kind == LANE_SAMPLES; i++)
		if (p->lanes[i].is_page_main && p->lanes[i].has_work)
			g->lanes[n++] = &p->lanes[i]; /* it has slices only; findings say it */
	if (parts == GATHER_TOTALS || scope->group != GROUP_FUNCTION) {
		add_totals(g);
		return;
	}
	findings_all_begin(&g->findings,
			   &(struct findings_wanted){ .profile = p,
						      .lanes = g->lanes,
						      .n_lanes = n,
						      .t0 = scope->t0,
						      .t1 = scope->t1,
						      .sources = options->sources });
	if (has_room(g, n)) {
		parallel_pair(totals_and_findings, findings, g);
	} else if (parts == GATHER_ALL && has_many_samples(g)) {
		parallel_pair(findings, lists, g);
		add_totals(g);
	} else {
		findings(g);
		add_totals(g);
	}
	findings_all_end(&g->findings);
}

void gather_done(struct gathered *g)
{
	findings_all_done(&g->findings);
	totals_done(&g->totals);
	totals_done(&g->plain_totals);
	view_done(&g->plain_view);
	scoped_done(&g->plain);
	view_done(&g->view);
	free(g->lanes);
	free(g->originals);
	free(g->lines);
	free(g->is_row);
	summary_stretches_done(g->stretches);
	*g = (struct gathered){ 0 };
}

void gather_stretches(struct gathered *g, size_t most)
{
	if (most && g->stretches[0].most == most)
		return;
	for (int i = 0; i < 2; i++)
		g->stretches[i] = (struct stretches){ .most = most };
	summary_stretches(&g->of_originals, g->stretches);
}

size_t gather_standouts(const struct gathered *g, struct standout out[STANDOUT_COUNT])
{
	const struct totals *t = &g->totals;
	const struct summary_range range = { g->profile, g->originals, g->n_originals, t->t0,
					     t->t1 };
	struct stretches found[2] = { { .most = 1 }, { .most = 1 } };
	bool is_known = g->stretches[0].most && g->profile == g->scoped->original;
	size_t n;

	if (!is_known)
		summary_stretches(&range, found);
	n = summary_standouts(t, g->originals, g->n_originals, g->whole_ns,
			      is_known ? g->stretches : found, out);
	summary_stretches_done(found);
	/* Line ticks do not follow transforms. */
	for (size_t i = 0; i < n && g->options->scope.n_transforms; i++)
		out[i].line = 0;
	return n;
}
