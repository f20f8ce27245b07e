/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Partial loading, rule by rule: which samples are kept, how many are expected, what is counted as
 * left out. */
#include "config.h"

#include "model/build/subset.c"

#include "random_mix.h"
#include "suite.h"

#include "base/units.h"
#include "model/build/track_builder.h"

#include <check.h>
#include <string.h>

#define CHUNK 16u

/* Ten chunks: samples 16k to 16k + 15 are at times 100k to 100k + 90. */
static struct time_survey *ten_chunks(void)
{
	struct time_survey *s = time_survey_new();

	for (size_t i = 0; i < 10 * CHUNK; i++)
		time_survey_add(s, i, (int64_t)(i / CHUNK * 100 + i % CHUNK * 6));
	return s;
}

static void check_samples(const struct time_survey *s, int64_t t0, int64_t t1, size_t first,
			  size_t end)
{
	struct lane lane = { .kind = LANE_SAMPLES, .n_samples = 10 * CHUNK, .sampled_t1 = 1000 };
	struct subset_lane of = { .lane = &lane,
				  .survey = s,
				  .is_chosen = true,
				  .t0 = t0,
				  .t1 = t1 };
	size_t got_first, got_end;

	subset_samples(&of, &got_first, &got_end);
	ck_assert_uint_eq(got_first, first * CHUNK);
	ck_assert_uint_eq(got_end, end * CHUNK);
	of.is_chosen = false;
	subset_samples(&of, &got_first, &got_end);
	ck_assert_uint_eq(got_end, 0);
}

START_TEST(two_chunks_more_are_kept_on_each_side)
{
	struct time_survey *s = ten_chunks();

	for (size_t i = 0; i < 10; i++)
		time_survey_chunk(s, i * CHUNK)->has_anchor = true;
	check_samples(s, 430, 460, 2, 7);
	check_samples(s, 430, 560, 2, 8);
	check_samples(s, 0, 50, 0, 3);
	check_samples(s, 930, 960, 7, 10);
	check_samples(s, 2000, 3000, 0, 0);
	time_survey_free(s);
}
END_TEST

START_TEST(samples_are_kept_from_an_anchor_on)
{
	struct time_survey *s = ten_chunks();

	time_survey_chunk(s, 3 * CHUNK)->has_anchor = true;
	check_samples(s, 730, 760, 3, 10);
	check_samples(s, 430, 460, 0, 7);
	for (size_t k = 0; k < s->n_chunks; k++)
		s->chunks[k].has_anchor = false;
	check_samples(s, 730, 760, 0, 10);
	time_survey_free(s);
}
END_TEST

/* Ten chunks, all with an anchor, which hold these times; subset_samples() for [300, 400). */
static const struct {
	int64_t times[10][2]; /* least and most of a chunk */
	size_t first, end;    /* chunks that are kept */
} bound_cases[] = {
	/* Chunk 0 has a sample at the start of the range. */
	{ { { 250, 300 },
	    { 0, 10 },
	    { 0, 10 },
	    { 0, 10 },
	    { 0, 10 },
	    { 320, 330 },
	    { 500, 510 },
	    { 900, 910 },
	    { 900, 910 },
	    { 900, 910 } },
	  0,
	  8 },
	/* Chunks 2 and 5 begin at the end of the range: the first of them is the next one. */
	{ { { 250, 260 },
	    { 320, 330 },
	    { 400, 410 },
	    { 600, 610 },
	    { 600, 610 },
	    { 400, 410 },
	    { 600, 610 },
	    { 600, 610 },
	    { 600, 610 },
	    { 600, 610 } },
	  0,
	  4 },
	/* Chunks 1 to 3 end at the same time before the range: the last of them is the nearest. */
	{ { { 0, 10 },
	    { 280, 290 },
	    { 280, 290 },
	    { 280, 290 },
	    { 0, 10 },
	    { 320, 330 },
	    { 500, 510 },
	    { 900, 910 },
	    { 900, 910 },
	    { 900, 910 } },
	  2,
	  8 },
	/* Chunk 4 ends at the start of the range, so it is not the one before it: that is 1. */
	{ { { 0, 10 },
	    { 280, 299 },
	    { 0, 10 },
	    { 0, 10 },
	    { 290, 300 },
	    { 500, 510 },
	    { 900, 910 },
	    { 900, 910 },
	    { 900, 910 },
	    { 900, 910 } },
	  0,
	  7 },
};

START_TEST(chunks_at_the_bounds_of_the_range)
{
	struct time_survey *s = time_survey_new();

	for (size_t i = 0; i < 10; i++) {
		time_survey_add(s, i * CHUNK, bound_cases[_i].times[i][0]);
		time_survey_add(s, i * CHUNK + 1, bound_cases[_i].times[i][1]);
		time_survey_chunk(s, i * CHUNK)->has_anchor = true;
	}
	check_samples(s, 300, 400, bound_cases[_i].first, bound_cases[_i].end);
	time_survey_free(s);
}
END_TEST

START_TEST(samples_of_a_chunk_count_as_spread_evenly)
{
	struct time_survey *s = ten_chunks();

	ck_assert_uint_eq(time_survey_count(s, 10 * CHUNK, 0, 1000), 10 * CHUNK);
	ck_assert_uint_eq(time_survey_count(s, 10 * CHUNK, 100, 200), CHUNK);
	ck_assert_uint_eq(time_survey_count(s, 10 * CHUNK, 100, 145), CHUNK / 2);
	ck_assert_uint_eq(time_survey_count(s, 10 * CHUNK, 145, 300), CHUNK / 2 + CHUNK);
	ck_assert_uint_eq(time_survey_count(s, 10 * CHUNK, 95, 100), 0);
	/* The last chunk is not full. */
	ck_assert_uint_eq(time_survey_count(s, 9 * CHUNK + 4, 900, 1000), 4);
	time_survey_clear_times(s);
	ck_assert_uint_eq(time_survey_count(s, 10 * CHUNK, 0, 1000), 0);
	/* All samples of a chunk at one time. */
	time_survey_add(s, 0, 7);
	ck_assert_uint_eq(time_survey_count(s, CHUNK, 7, 8), CHUNK);
	ck_assert_uint_eq(time_survey_count(s, CHUNK, 8, 9), 0);
	time_survey_free(s);
}
END_TEST

START_TEST(too_many_chunks_are_joined)
{
	struct time_survey *s = time_survey_new();
	size_t n = 8192 * CHUNK + 1;

	for (size_t i = 0; i < n; i++)
		time_survey_add(s, i, (int64_t)i);
	time_survey_chunk(s, n - 1)->has_anchor = true;
	ck_assert_uint_eq(s->per_chunk, 2 * CHUNK);
	ck_assert_uint_eq(s->n_chunks, 4097);
	ck_assert_int_eq(s->chunks[5].least, 10 * CHUNK);
	ck_assert_int_eq(s->chunks[5].most, 12 * CHUNK - 1);
	ck_assert(s->chunks[4096].has_anchor && !s->chunks[4095].has_anchor);
	time_survey_shift(s, 3);
	ck_assert_int_eq(s->chunks[5].least, 10 * CHUNK + 3);
	time_survey_free(s);
}
END_TEST

/* Rule 4 of subset.h, chunk by chunk. */
static void expected_chunks(const struct time_survey *s, int64_t t0, int64_t t1, size_t *first,
			    size_t *end)
{
	const struct time_chunk *c = s->chunks, *before = NULL, *after = NULL;

	*first = s->n_chunks;
	*end = 0;
	for (size_t i = 0; i < s->n_chunks; i++) {
		if (c[i].most < t0 && (!before || c[i].most > before->most))
			before = &c[i];
		if (c[i].least >= t1 && (!after || c[i].least < after->least))
			after = &c[i];
	}
	for (size_t i = 0; i < s->n_chunks; i++)
		if ((c[i].most >= t0 && c[i].least < t1) || &c[i] == before || &c[i] == after) {
			*first = i < *first ? i : *first;
			*end = i + 1;
		}
	*first -= *first > 0;
	*end += *end < s->n_chunks;
	while (*first > 0 && !c[*first].has_anchor)
		--*first;
}

/* Times that run back, so that chunks overlap and are in no order. The last chunk is not full. */
START_TEST(chunks_out_of_order_are_kept_by_their_times)
{
	for (int k = 0; k < 300; k++) {
		struct time_survey *s = time_survey_new();
		size_t n = CHUNK * (1 + below(12)) - below(CHUNK), first, end;
		int64_t t0 = (int64_t)below(1400) - 200, t1 = t0 + 1 + (int64_t)below(200);
		struct lane lane = { .n_samples = n, .sampled_t1 = 1000 };
		struct subset_lane of = { &lane, s, true, t0, t1 };
		size_t got_first, got_end;

		for (size_t i = 0; i < n; i++)
			time_survey_add(s, i, (int64_t)(i / CHUNK * 37 % 13 * 76 + below(120)));
		for (size_t i = 0; i < s->n_chunks; i++)
			s->chunks[i].has_anchor = below(3) == 0;
		expected_chunks(s, t0, t1, &first, &end);
		subset_samples(&of, &got_first, &got_end);
		if (t0 < 1000 && t1 > 0) {
			ck_assert_uint_eq(got_first, first * CHUNK);
			ck_assert_uint_eq(got_end, end * CHUNK < n ? end * CHUNK : n);
		} else {
			ck_assert_uint_eq(got_end, 0);
		}
		time_survey_free(s);
	}
}
END_TEST

/* Ten marks, at 0 to 9 ms. */
static struct builder *pass_marks(const struct builder_options *options)
{
	struct builder *b = builder_new(options);
	uint32_t track;

	builder_input(b, "test");
	track = track_builder_add(b, LANE_MARKS, 1, 2, "", 0);
	for (int64_t i = 0; i < 10; i++)
		track_builder_slice(b, track,
				    &(struct track_slice){ .t0 = i * NS_PER_MS,
							   .t1 = i * NS_PER_MS,
							   .frame = track_builder_frame(b, "m", 1),
							   .offset = -1,
							   .end_offset = -1 });
	return b;
}

START_TEST(marks_beside_the_range_are_counted_as_left_out)
{
	struct error err = ERROR_INIT;
	struct subset *subset = builder_finish_survey(
		pass_marks(&(struct builder_options){ .is_survey = true }), &err);
	struct profile *p;

	ck_assert_ptr_nonnull(subset);
	subset->t0 = 2 * NS_PER_MS;
	subset->t1 = 5 * NS_PER_MS;
	p = builder_finish(pass_marks(&(struct builder_options){ .subset = subset }), &err);
	ck_assert_ptr_nonnull(p);
	/* 1 to 6 are kept: the range, and a neighbour on each side. */
	ck_assert_uint_eq(p->lanes[0].n_left, 4);
	ck_assert_uint_eq(p->lanes[0].n_spans, 10);
	ck_assert(profile_warns(p, WARN_SUBSET));
	profile_free(p);
	subset_free(subset);
}
END_TEST

/* Two inputs: 100 samples and 10 slices in the first, slices alone in the second. */
static void pass_two_inputs(struct builder *b)
{
	struct error err = ERROR_INIT;

	for (int k = 0; k < 2; k++) {
		uint32_t track, slot;
		int64_t delta = NS_PER_MS;

		builder_input(b, k ? "second" : "first");
		track = track_builder_add(b, LANE_SLICES, 1, 2 + k, "", 0);
		for (int64_t i = 0; i < 10; i++)
			track_builder_slice(
				b, track,
				&(struct track_slice){ .t0 = i * NS_PER_MS,
						       .t1 = i * NS_PER_MS + 10,
						       .frame = track_builder_frame(b, "s", 1),
						       .offset = i,
						       .end_offset = -1 });
		if (k)
			continue;
		cpu_builder_begin(b);
		slot = cpu_builder_slot(b, 1);
		cpu_builder_node(
			b, slot,
			cpu_builder_frame(b, &(struct cpu_frame){ .name = "f", .name_len = 1 }),
			-1);
		for (int i = 0; i < 100; i++) {
			cpu_builder_samples(b, &slot, 1);
			cpu_builder_deltas(b, &delta, 1);
		}
		cpu_builder_start_time(b, 0);
		ck_assert(cpu_builder_end(b, 1, 9, &err));
	}
}

static void check_subset_text(const struct profile *p, uint32_t input, const char *expected)
{
	const struct input *in = &p->inputs[input];
	const char *text = "";

	for (size_t i = 0; i < in->n_warnings; i++)
		if (in->warnings[i].kind == WARN_SUBSET)
			text = profile_text(p, in->warnings[i].text);
	ck_assert_msg(strstr(text, expected) != NULL, "input %u: %s", input, text);
}

START_TEST(the_warning_counts_samples_and_slices_of_its_input)
{
	struct error err = ERROR_INIT;
	struct builder *b = builder_new(&(struct builder_options){ .is_survey = true });
	struct subset *subset;
	struct subset_lane lane;
	struct profile *p;

	pass_two_inputs(b);
	subset = builder_finish_survey(b, &err);
	ck_assert_ptr_nonnull(subset);
	ck_assert(find(subset, subset->lane_of_track, subset->n_tracks, 1, &lane));
	ck_assert(find(subset, subset->lane_of_cpu, subset->n_cpus, 0, &lane));
	ck_assert(!find(subset, subset->lane_of_track, subset->n_tracks, 2, &lane));
	ck_assert(!find(subset, subset->lane_of_cpu, subset->n_cpus, 1, &lane));
	subset->t0 = 0;
	subset->t1 = 5 * NS_PER_MS / 2;
	b = builder_new(&(struct builder_options){ .subset = subset });
	pass_two_inputs(b);
	p = builder_finish(b, &err);
	ck_assert_ptr_nonnull(p);
	/* Slices 0 to 2 and the next one; samples of three chunks. */
	check_subset_text(p, 0, "--max-memory, 52 of 100 samples and 6 of 10 slices outside ");
	check_subset_text(p, 1, "--max-memory, 6 of 10 slices outside ");
	profile_free(p);
	subset_free(subset);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "subset", SUITE_SECONDS);

	tcase_add_test(t, two_chunks_more_are_kept_on_each_side);
	tcase_add_test(t, samples_are_kept_from_an_anchor_on);
	tcase_add_loop_test(t, chunks_at_the_bounds_of_the_range, 0, N(bound_cases));
	tcase_add_test(t, samples_of_a_chunk_count_as_spread_evenly);
	tcase_add_test(t, too_many_chunks_are_joined);
	tcase_add_test(t, chunks_out_of_order_are_kept_by_their_times);
	tcase_add_test(t, the_warning_counts_samples_and_slices_of_its_input);
	tcase_add_test(t, marks_beside_the_range_are_counted_as_left_out);
}

int main(void)
{
	return suite_run("subset", add_tests);
}
