/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/build/partial/subset.h"

#include "base/alloc.h"
#include "model/build/partial/time_survey.h"

#include <stdlib.h>

/* Index the lanes of the survey by the number of their track or CPU profile; the first lane of each
 * counts. */
static void index_sources(struct subset *s)
{
	const struct profile *p = s->survey;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		uint32_t *n = p->lanes[i].kind == LANE_SAMPLES ? &s->n_cpus : &s->n_tracks;

		if (p->lanes[i].kind != LANE_COUNTER && s->sources[i].number >= *n)
			*n = s->sources[i].number + 1;
	}
	s->lane_of_track = xcalloc(s->n_tracks, sizeof *s->lane_of_track);
	s->lane_of_cpu = xcalloc(s->n_cpus, sizeof *s->lane_of_cpu);
	for (uint32_t i = p->n_lanes; i-- > 0;) {
		uint32_t *lanes = p->lanes[i].kind == LANE_SAMPLES ? s->lane_of_cpu
								   : s->lane_of_track;

		if (p->lanes[i].kind != LANE_COUNTER)
			lanes[s->sources[i].number] = i + 1;
	}
}

struct subset *subset_new(struct profile *survey, struct lane_source *sources)
{
	struct subset *s = xmalloc(sizeof *s);

	*s = (struct subset){ .survey = survey, .sources = sources, .t1 = survey->t1 };
	index_sources(s);
	return s;
}

void subset_free(struct subset *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->survey->n_lanes; i++)
		time_survey_free(s->sources[i].survey);
	profile_free(s->survey);
	free(s->sources);
	free(s->is_lane);
	free(s->lane_of_track);
	free(s->lane_of_cpu);
	free(s);
}

bool subset_has_strays(const struct subset *s)
{
	for (uint32_t i = 0; i < s->survey->n_inputs; i++)
		if (s->survey->inputs[i].has_kept)
			return true;
	return false;
}

static bool find(const struct subset *s, uint32_t lane_and_one, struct subset_lane *out)
{
	const struct lane *lane;

	if (!lane_and_one)
		return false;
	lane = &s->survey->lanes[lane_and_one - 1];
	*out = (struct subset_lane){ .lane = lane,
				     .survey = s->sources[lane_and_one - 1].survey,
				     .is_chosen = !s->is_lane || s->is_lane[lane_and_one - 1],
				     .t0 = s->t0 + lane->zero_ns,
				     .t1 = s->t1 + lane->zero_ns };
	return true;
}

bool subset_of_track(const struct subset *s, uint32_t track, struct subset_lane *out)
{
	return track < s->n_tracks && find(s, s->lane_of_track[track], out);
}

bool subset_of_cpu(const struct subset *s, uint32_t cpu, struct subset_lane *out)
{
	return cpu < s->n_cpus && find(s, s->lane_of_cpu[cpu], out);
}

/* Find the chunks [*first, *end) that hold all samples of the range, the last sample before it in
 * time, and the first sample after it. */
static void find_chunks(const struct time_survey *s, int64_t t0, int64_t t1, size_t *first,
			size_t *end)
{
	size_t before = SIZE_MAX, after = SIZE_MAX;

	*first = s->n_chunks;
	*end = 0;
	for (size_t i = 0; i < s->n_chunks; i++) {
		const struct time_chunk *c = &s->chunks[i];

		if (c->most < t0 && (before == SIZE_MAX || c->most >= s->chunks[before].most))
			before = i;
		if (c->least >= t1 && (after == SIZE_MAX || c->least < s->chunks[after].least))
			after = i;
		if (c->most < t0 || c->least >= t1)
			continue;
		*first = i < *first ? i : *first;
		*end = i + 1;
	}
	if (before != SIZE_MAX) {
		*first = before < *first ? before : *first;
		*end = before >= *end ? before + 1 : *end;
	}
	if (after != SIZE_MAX) {
		*first = after < *first ? after : *first;
		*end = after >= *end ? after + 1 : *end;
	}
}

void subset_samples(const struct subset_lane *of, size_t *first, size_t *end)
{
	const struct time_survey *s = of->survey;
	int64_t zero = of->lane->zero_ns;
	size_t c0, c1;

	*first = *end = 0;
	if (!of->is_chosen || !s || of->t0 >= of->lane->sampled_t1 + zero ||
	    of->t1 <= of->lane->sampled_t0 + zero)
		return;
	find_chunks(s, of->t0, of->t1, &c0, &c1);
	/* Add one more chunk on both sides, and chunks up to an anchor: rule 4 of subset.h. */
	c1 += c1 < s->n_chunks;
	c0 -= c0 > 0;
	while (c0 > 0 && !s->chunks[c0].has_anchor)
		c0--;
	*first = c0 * s->per_chunk;
	*end = c1 < s->n_chunks ? c1 * s->per_chunk : of->lane->n_samples;
}
