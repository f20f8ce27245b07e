/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/build/partial/time_survey.h"

#include "base/alloc.h"

#include <stdlib.h>

#define CHUNK_LEAST 16u   /* samples of a chunk at first */
#define CHUNKS_MOST 8192u /* from here on chunks are joined */

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
