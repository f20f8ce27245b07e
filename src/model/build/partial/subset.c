/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/build/partial/subset.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/units.h"
#include "model/build/builder.h"
#include "model/build/builder_state.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* ==== left out ====
 *
 * Tells the user what partial loading left out. */

/* Slices and samples of one input that were not kept. */
struct left_out {
	uint64_t n_slices, of_slices, n_samples, of_samples;
};

static void add_left(const struct builder *b, struct left_out *by_input)
{
	const struct profile *p = b->profile;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];
		struct left_out *left = &by_input[lane->input];

		if (lane->kind == LANE_SAMPLES && lane->has_timeline) {
			left->of_samples += lane->n_samples;
			left->n_samples += lane->n_left;
		} else if (lane->kind == LANE_SLICES || lane->kind == LANE_MARKS) {
			left->of_slices += lane->n_spans;
			left->n_slices += lane->n_left;
		}
	}
}

static void warn(struct builder *b, uint32_t input, const struct left_out *left)
{
	char n[4][UNITS_MAX];
	struct buf text = { 0 };

	units_count(left->n_samples, n[0]);
	units_count(left->of_samples, n[1]);
	units_count(left->n_slices, n[2]);
	units_count(left->of_slices, n[3]);
	buf_adds(&text,
		 b->options.is_for_sums ? "because all lanes together are longer than 146 years, "
					: "because of --max-memory, ");
	if (left->n_samples)
		buf_addf(&text, "%s of %s samples", n[0], n[1]);
	if (left->n_slices)
		buf_addf(&text, "%s%s of %s slices", left->n_samples ? " and " : "", n[2], n[3]);
	buf_adds(&text,
		 " outside of --from, --to and --lane were not loaded; depths and counts of other "
		 "warnings are those of the loaded part");
	builder_warn_input(b, input,
			   &(struct warning){ .kind = WARN_SUBSET, .offset = -1, .count = 1 },
			   buf_text(&text));
	buf_done(&text);
}

void left_out_warn(struct builder *b)
{
	const struct profile *p = b->profile;
	struct left_out *by_input = xcalloc(p->n_inputs, sizeof *by_input);

	add_left(b, by_input);
	for (uint32_t i = 0; i < p->n_inputs; i++)
		if (by_input[i].n_samples || by_input[i].n_slices)
			warn(b, i, &by_input[i]);
	free(by_input);
}

/* ==== time survey ====
 *
 * When the samples of a CPU profile, or the slices of a track, are: the range of times of each
 * chunk of them. A chunk is a fixed number of samples that follow each other in the file. When
 * there are too many chunks, neighbouring chunks are joined in pairs. */

#define CHUNK_MIN 16u    /* samples of a chunk at first */
#define CHUNKS_MAX 8192u /* from here on chunks are joined */

static const struct time_chunk no_chunk = { INT64_MAX, INT64_MIN, false };

struct time_survey *time_survey_new(void)
{
	struct time_survey *s = xcalloc(1, sizeof *s);

	s->per_chunk = CHUNK_MIN;
	return s;
}

void time_survey_free(struct time_survey *s)
{
	if (s)
		free(s->chunks);
	free(s);
}

static void join_two(struct time_chunk *to, const struct time_chunk *a, const struct time_chunk *b)
{
	*to = (struct time_chunk){ a->least < b->least ? a->least : b->least,
				   a->most > b->most ? a->most : b->most,
				   a->has_anchor || b->has_anchor };
}

struct time_chunk *time_survey_chunk(struct time_survey *s, size_t sample)
{
	size_t i;

	while (sample / s->per_chunk >= CHUNKS_MAX) {
		for (i = 0; i < s->n_chunks; i += 2)
			join_two(&s->chunks[i / 2], &s->chunks[i],
				 i + 1 < s->n_chunks ? &s->chunks[i + 1] : &no_chunk);
		s->n_chunks = (s->n_chunks + 1) / 2;
		s->per_chunk *= 2;
	}
	i = sample / s->per_chunk;
	while (i >= s->n_chunks) {
		s->chunks = xgrow(s->chunks, &s->cap, s->n_chunks + 1, sizeof *s->chunks);
		s->chunks[s->n_chunks++] = no_chunk;
	}
	return &s->chunks[i];
}

void time_survey_add(struct time_survey *s, size_t sample, int64_t t)
{
	struct time_chunk *chunk = time_survey_chunk(s, sample);

	chunk->least = t < chunk->least ? t : chunk->least;
	chunk->most = t > chunk->most ? t : chunk->most;
}

void time_survey_shift(struct time_survey *s, int64_t by)
{
	/* A chunk has no time if its samples belonged to a list that a second one replaced. */
	for (size_t i = 0; i < s->n_chunks; i++) {
		if (s->chunks[i].least > s->chunks[i].most)
			continue;
		s->chunks[i].least += by;
		s->chunks[i].most += by;
	}
}

void time_survey_clear_times(struct time_survey *s)
{
	for (size_t i = 0; i < s->n_chunks; i++) {
		s->chunks[i].least = no_chunk.least;
		s->chunks[i].most = no_chunk.most;
	}
}

void time_survey_clear_anchors(struct time_survey *s)
{
	for (size_t i = 0; i < s->n_chunks; i++)
		s->chunks[i].has_anchor = false;
}

size_t time_survey_count(const struct time_survey *s, size_t n, int64_t t0, int64_t t1)
{
	double sum = 0;

	for (size_t i = 0; i < s->n_chunks; i++) {
		const struct time_chunk *c = &s->chunks[i];
		size_t here = n - i * s->per_chunk < s->per_chunk ? n - i * s->per_chunk
								  : s->per_chunk;
		int64_t from = c->least > t0 ? c->least : t0, to = c->most < t1 ? c->most : t1;

		if (from < to)
			sum += (double)here * ((double)(to - from) / (double)(c->most - c->least));
		else if (c->least >= t0 && c->least < t1)
			sum += (double)here;
	}
	return (size_t)sum;
}

/* ==== subset ==== */

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
