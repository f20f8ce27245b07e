/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "build/partial/part.h"

#include "base/alloc.h"

#include <stdlib.h>

#define CHUNK_LEAST 16u
#define CHUNKS_MOST 8192u

static const struct time_chunk no_chunk = { INT64_MAX, INT64_MIN, false };

struct time_survey *time_survey_new(void)
{
	struct time_survey *s = xcalloc(1, sizeof *s);

	s->per_chunk = CHUNK_LEAST;
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

	while (sample / s->per_chunk >= CHUNKS_MOST) {
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

static void count_sources(struct part *part)
{
	const struct profile *p = part->survey;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		uint32_t *n = p->lanes[i].kind == LANE_SAMPLES ? &part->n_cpus : &part->n_tracks;

		if (p->lanes[i].kind != LANE_COUNTER && p->lanes[i].source >= *n)
			*n = p->lanes[i].source + 1;
	}
}

struct part *part_new(struct profile *survey)
{
	struct part *part = xmalloc(sizeof *part);

	*part = (struct part){ .survey = survey, .t1 = survey->t1 };
	count_sources(part);
	part->lane_of_track = xcalloc(part->n_tracks, sizeof *part->lane_of_track);
	part->lane_of_cpu = xcalloc(part->n_cpus, sizeof *part->lane_of_cpu);
	for (uint32_t i = survey->n_lanes; i-- > 0;) {
		const struct lane *lane = &survey->lanes[i];

		if (lane->kind != LANE_COUNTER)
			(lane->kind == LANE_SAMPLES ? part->lane_of_cpu
						    : part->lane_of_track)[lane->source] = i + 1;
	}
	return part;
}

void part_free(struct part *part)
{
	if (!part)
		return;
	profile_free(part->survey);
	free(part->is_lane);
	free(part->lane_of_track);
	free(part->lane_of_cpu);
	free(part);
}

static bool find(const struct part *part, uint32_t lane_and_one, struct wanted *out)
{
	const struct lane *lane;

	if (!lane_and_one)
		return false;
	lane = &part->survey->lanes[lane_and_one - 1];
	*out = (struct wanted){ .lane = lane,
				.is_wanted = !part->is_lane || part->is_lane[lane_and_one - 1],
				.t0 = part->t0 + lane->zero_ns,
				.t1 = part->t1 + lane->zero_ns };
	return true;
}

bool part_of_track(const struct part *part, uint32_t track, struct wanted *out)
{
	return track < part->n_tracks && find(part, part->lane_of_track[track], out);
}

bool part_of_cpu(const struct part *part, uint32_t cpu, struct wanted *out)
{
	return cpu < part->n_cpus && find(part, part->lane_of_cpu[cpu], out);
}

/* Chunks [*first, *end) that hold all samples within the range, the one before them in time, and
 * the one after. */
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

void part_samples(const struct wanted *w, size_t *first, size_t *end)
{
	const struct time_survey *s = w->lane->survey;
	int64_t zero = w->lane->zero_ns;
	size_t c0, c1;

	*first = *end = 0;
	if (!w->is_wanted || !s || w->t0 >= w->lane->sampled_t1 + zero ||
	    w->t1 <= w->lane->sampled_t0 + zero)
		return;
	find_chunks(s, w->t0, w->t1, &c0, &c1);
	/* What is done to a sample depends on its neighbours, and on the last one before it that is
	 * no collection. */
	c1 += c1 < s->n_chunks;
	c0 -= c0 > 0;
	while (c0 > 0 && !s->chunks[c0].has_anchor)
		c0--;
	*first = c0 * s->per_chunk;
	*end = c1 < s->n_chunks ? c1 * s->per_chunk : w->lane->n_samples;
}
