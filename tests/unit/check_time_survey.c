/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Surveys of times: chunks compared with a loop over all samples, and the estimated counts. */
#include "config.h"

#include "model/build/subset.c"

#include "random_mix.h"
#include "suite.h"

/* Chunks of 16 samples at first; more than 8192 of them are joined. */
#define SAMPLES_MAX 400000

static int64_t *times;
static bool *anchors;

/* Each chunk has the least and the most of its samples, and an anchor if one of them has. */
static void check_chunks(const struct time_survey *s, size_t n)
{
	ck_assert_uint_eq(s->n_chunks, (n + s->per_chunk - 1) / s->per_chunk);
	for (size_t k = 0; k < s->n_chunks; k++) {
		int64_t least = INT64_MAX, most = INT64_MIN;
		bool has_anchor = false;

		for (size_t i = k * s->per_chunk; i < n && i < (k + 1) * s->per_chunk; i++) {
			least = times[i] < least ? times[i] : least;
			most = times[i] > most ? times[i] : most;
			has_anchor |= anchors[i];
		}
		ck_assert_int_eq(s->chunks[k].least, least);
		ck_assert_int_eq(s->chunks[k].most, most);
		ck_assert(s->chunks[k].has_anchor == has_anchor);
	}
}

static struct time_survey *survey_of(size_t n)
{
	struct time_survey *s = time_survey_new();

	times = xmalloc((n + 1) * sizeof(*times));
	anchors = xmalloc(n + 1);
	for (size_t i = 0; i < n; i++) {
		times[i] = (int64_t)(i * 100 + below(1000)) - 5000;
		anchors[i] = below(200) == 0;
		time_survey_add(s, i, times[i]);
		time_survey_chunk(s, i)->has_anchor |= anchors[i];
	}
	return s;
}

static void done(struct time_survey *s)
{
	time_survey_free(s);
	free(times);
	free(anchors);
}

START_TEST(chunks_cover_their_samples)
{
	/* An odd number of chunks is joined when a distant sample comes at once. */
	static const size_t counts[] = { 0, 1, 16, 17, 5000, 131072, 131073, SAMPLES_MAX };
	size_t n = counts[_i];
	struct time_survey *s;

	set_seed(_i);
	s = survey_of(n);
	check_chunks(s, n);
	time_survey_shift(s, 77);
	for (size_t i = 0; i < n; i++)
		times[i] += 77;
	check_chunks(s, n);
	for (size_t k = 0; k < s->n_chunks; k++)
		s->chunks[k].has_anchor = false;
	memset(anchors, 0, n);
	check_chunks(s, n);
	time_survey_clear_times(s);
	for (size_t k = 0; k < s->n_chunks; k++)
		ck_assert_int_gt(s->chunks[k].least, s->chunks[k].most);
	time_survey_shift(s, 5);
	for (size_t k = 0; k < s->n_chunks; k++)
		ck_assert_int_eq(s->chunks[k].least, INT64_MAX);
	done(s);
}
END_TEST

/* A distant sample joins chunks whose number is odd; the last of them has no neighbour. */
START_TEST(an_odd_number_of_chunks_is_joined)
{
	struct time_survey *s = survey_of(16 * 3);

	times = xrealloc(times, 200001, sizeof(*times));
	anchors = xrealloc(anchors, 200001, sizeof(*anchors));
	time_survey_add(s, 200000, 12345);
	ck_assert_uint_eq(s->per_chunk, 32);
	for (size_t k = 0; k < 2; k++) {
		int64_t least = INT64_MAX;

		for (size_t i = k * 32; i < 48 && i < (k + 1) * 32; i++)
			least = times[i] < least ? times[i] : least;
		ck_assert_int_eq(s->chunks[k].least, least);
	}
	ck_assert_int_eq(s->chunks[200000 / 32].least, 12345);
	done(s);
}
END_TEST

/* Samples are taken to be spread evenly over the time of their chunk. */
START_TEST(counts_are_estimated_by_chunk)
{
	struct time_survey *s = time_survey_new();

	/* 16 samples in [0, 1500], 16 at 2000, 8 in [3000, 3700] */
	for (size_t i = 0; i < 16; i++)
		time_survey_add(s, i, (int64_t)i * 100);
	for (size_t i = 16; i < 32; i++)
		time_survey_add(s, i, 2000);
	for (size_t i = 32; i < 40; i++)
		time_survey_add(s, i, 3000 + (int64_t)(i - 32) * 100);
	ck_assert_uint_eq(time_survey_count(s, 40, INT64_MIN / 4, INT64_MAX / 4), 40);
	ck_assert_uint_eq(time_survey_count(s, 40, 0, 750), 8);
	ck_assert_uint_eq(time_survey_count(s, 40, 750, 2000), 8);
	ck_assert_uint_eq(time_survey_count(s, 40, 2000, 2001), 16);
	ck_assert_uint_eq(time_survey_count(s, 40, 1999, 2000), 0);
	ck_assert_uint_eq(time_survey_count(s, 40, 2001, 3000), 0);
	ck_assert_uint_eq(time_survey_count(s, 40, 3350, 9000), 4);
	time_survey_free(s);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "survey", SUITE_SECONDS);

	tcase_add_loop_test(t, chunks_cover_their_samples, 0, 8);
	tcase_add_test(t, an_odd_number_of_chunks_is_joined);
	tcase_add_test(t, counts_are_estimated_by_chunk);
}

int main(void)
{
	return suite_run("time_survey", add_tests);
}
