/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The builder as a whole: how it is made, how it finishes, and everything that is specific to
 * neither CPU profiles nor traces. */
#include "config.h"

#include "model/build/builder.h"

#include "base/alloc.h"
#include "model/build/align.h"
#include "model/build/builder_state.h"
#include "model/build/builder_stray.h"
#include "model/build/builder_unit.h"
#include "model/build/cpu_builder.h"
#include "model/build/flow_bind.h"
#include "model/build/lane_order.h"
#include "model/build/namesakes.h"
#include "model/build/partial/left_out.h"
#include "model/build/partial/subset.h"
#include "model/build/partial/time_survey.h"
#include "model/build/partial/track_filter.h"
#include "model/build/slice_lane.h"
#include "model/build/stray_drop.h"
#include "model/build/track_lanes.h"
#include "model/build/track_named.h"

#include <stdio.h>
#include <stdlib.h>

struct builder *builder_new(const struct builder_options *options)
{
	struct builder *b = xcalloc(1, sizeof *b);
	struct profile *p = xcalloc(1, sizeof *p);

	stray_init(&b->times);
	b->options = *options;
	b->profile = p;
	p->is_raw = options->is_raw;
	intern_init(&p->strings);
	p->strings.most = builder_most(b, p->strings.most);
	frame_table_init(&p->frames);
	p->frames.frames[FRAME_NONE].name = intern_adds(&p->strings, "(root)");
	p->no_event_cat = intern_adds(&p->strings, "(no event category)");
	for (int c = 0; c < CATEGORY_COUNT; c++)
		p->category_names[c] = intern_adds(&p->strings, category_name((enum category)c));
	return b;
}

void builder_free(struct builder *b)
{
	if (!b)
		return;
	cpu_builder_drop(b);
	for (uint32_t i = 0; i < b->tracks.n; i++)
		track_filter_done(&b->tracks.tracks[i]);
	track_raw_done(&b->tracks);
	for (uint32_t i = 0; b->sources && i < b->profile->n_lanes; i++)
		time_survey_free(b->sources[i].survey);
	free(b->sources);
	profile_free(b->profile);
	free(b);
}

size_t builder_most(const struct builder *b, size_t most)
{
	return b->options.most && b->options.most < most ? b->options.most : most;
}

bool builder_is_partial(const struct builder *b)
{
	return b->options.is_survey || b->options.subset;
}

struct progress *builder_progress(const struct builder *b)
{
	return b->options.progress;
}

bool builder_has_idle_gaps(const struct builder *b)
{
	return b->options.has_idle_gaps;
}

const char *builder_sample_type(const struct builder *b)
{
	return b->options.sample_type;
}

int builder_side(const struct builder *b)
{
	return !b->options.is_two_sided ? -1 : b->argument > 0;
}

void builder_no_subset(struct builder *b)
{
	b->is_whole_only = true;
}

void builder_accept_empty(struct builder *b)
{
	b->is_empty_valid = true;
}

/* The window that a file asks for; one outside of the profile is ignored. */
static void set_window(const struct builder *b)
{
	struct profile *p = b->profile;
	int64_t t0 = b->tracks.window_t0 - p->origin_ns, t1 = b->tracks.window_t1 - p->origin_ns;

	if (!b->tracks.has_window || p->has_own_zero || t0 < 0 || t1 > p->t1 || t0 >= t1)
		return;
	p->window_t0 = t0;
	p->window_t1 = t1;
}

/* Whether the types can count what there is. */
static bool is_countable(const struct builder *b, struct error *err)
{
	size_t most_slices = builder_most(b, SLICE_LANE_MOST),
	       most_flows = builder_most(b, FLOW_BIND_MOST);

	for (uint32_t i = 0; i < b->tracks.n; i++)
		if (b->tracks.tracks[i].n > most_slices)
			return error_set(err, ERR_LIMIT, -1, "more than %zu slices on one thread",
					 most_slices);
	if (b->tracks.n_flows > most_flows)
		return error_set(err, ERR_LIMIT, -1, "more than %zu points of flows", most_flows);
	return true;
}

/* Whether the types can count the time of all lanes together, which tables and findings add up:
 * idle time, too, but not what was not sampled, as nothing adds that up but the rows without a name
 * and the length of all lanes. */
static bool is_summable(const struct builder *b, struct error *err)
{
	const struct profile *p = b->profile;
	int64_t left = INT64_MAX / 2;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];
		int64_t ns = lane_worked_ns(lane) + lane->idle_ns;

		if (ns > left && b->options.is_too_long)
			*b->options.is_too_long = true;
		if (ns > left)
			return error_set(err, ERR_LIMIT, -1,
					 "the samples and slices of all lanes together are longer "
					 "than 146 years: their sums cannot be counted%s",
					 b->options.is_survey || b->options.subset
						 ? ""
						 : "; --lane=RE loads some of them");
		left -= ns;
	}
	return true;
}

/* Complete the profile. */
static bool finish(struct builder *b, struct error *err)
{
	stray_drop(b);
	if (!is_countable(b, err) || !builder_unit_take_tracks(b, err))
		return false;
	track_lanes_build(b);
	if (b->profile->n_lanes == 0 && !b->is_empty_valid) {
		error_set(err, ERR_FORMAT, -1, "no profile to show");
		return false;
	}
	align_lanes(b);
	lane_order(b);
	track_named_build(b);
	flow_bind(b);
	namesakes_resolve(b->profile);
	if (b->options.subset)
		left_out_warn(b);
	set_window(b);
	return is_summable(b, err) && intern_fits(&b->profile->strings, err);
}

struct profile *builder_finish(struct builder *b, struct error *err)
{
	struct profile *p = NULL;

	if (finish(b, err)) {
		p = b->profile;
		for (uint32_t i = 0; i < p->n_lanes; i++)
			time_survey_free(b->sources[i].survey);
		free(b->sources);
		b->sources = NULL;
		b->profile = NULL;
	}
	builder_free(b);
	return p;
}

struct subset *builder_finish_survey(struct builder *b, struct error *err)
{
	struct subset *subset = NULL;

	builder_stray_end(b);
	if (b->is_whole_only || b->has_stray_samples) {
		error_set(err, ERR_LIMIT, -1, "only the whole file can be loaded");
	} else if (finish(b, err)) {
		subset = subset_new(b->profile, b->sources);
		b->profile = NULL;
		b->sources = NULL;
	}
	builder_free(b);
	return subset;
}
