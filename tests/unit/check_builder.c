/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the builder says of the whole, and its limits: small inputs, passed without a file. */
#include "config.h"

#include "suite.h"

#include "base/units.h"
#include "model/build/builder.h"
#include "model/build/builder_state.h"
#include "model/build/cpu_builder.h"
#include "model/build/cpu_raw.h"
#include "model/build/subset.h"
#include "model/build/track_builder.h"

#include <check.h>
#include <string.h>

static struct builder *new_builder(void)
{
	struct builder *b = builder_new(&(struct builder_options){ 0 });

	builder_input(b, "first");
	return b;
}

static struct profile *finished(struct builder *b)
{
	struct error err = ERROR_INIT;
	struct profile *p = builder_finish(b, &err);

	ck_assert_msg(p != NULL, "%s", err.text);
	return p;
}

static void add_slice(struct builder *b, int64_t pid, int64_t tid, int64_t t0, int64_t t1)
{
	track_builder_slice(b, track_builder_add(b, LANE_SLICES, pid, tid, "", 0),
			    &(struct track_slice){ .t0 = t0,
						   .t1 = t1,
						   .frame = track_builder_frame(b, "s", 1),
						   .offset = 77,
						   .end_offset = -1 });
}

static uint32_t add_node(struct builder *b, int64_t id, const char *name, int64_t line)
{
	uint32_t frame = cpu_builder_frame(
		b, &(struct cpu_frame){ .name = name, .name_len = strlen(name), .line = line });

	return cpu_builder_node(b, cpu_builder_slot(b, id), frame, -1);
}

/* A profile of a root (id 1) and a function (id 2) with `n` samples of the function. */
static void begin_cpu(struct builder *b, size_t n)
{
	uint32_t slot;

	cpu_builder_begin(b);
	slot = cpu_builder_slot(b, 2);
	add_node(b, 1, "(root)", -1);
	cpu_builder_parent(b, add_node(b, 2, "f", 3), cpu_builder_slot(b, 1));
	while (n-- > 0)
		cpu_builder_samples(b, &slot, 1);
}

static void end_cpu(struct builder *b, int64_t pid, int64_t tid)
{
	struct error err = ERROR_INIT;

	ck_assert_msg(cpu_builder_end(b, pid, tid, &err), "%s", err.text);
}

static void add_cpu(struct builder *b, int64_t pid, int64_t tid)
{
	static const int64_t deltas[] = { 0, 100, 100 };

	begin_cpu(b, 3);
	cpu_builder_deltas(b, deltas, 3);
	cpu_builder_start_time(b, 0);
	end_cpu(b, pid, tid);
}

static const struct warning *warning_of(const struct profile *p, enum warning_kind kind)
{
	for (size_t i = 0; i < p->inputs[0].n_warnings; i++)
		if (p->inputs[0].warnings[i].kind == kind)
			return &p->inputs[0].warnings[i];
	return NULL;
}

/* ---- the whole ---- */

START_TEST(the_profile_knows_whether_it_is_raw)
{
	struct builder *b = builder_new(&(struct builder_options){ .is_raw = _i });
	struct profile *p;

	builder_input(b, "first");
	add_cpu(b, 1, 2);
	p = finished(b);
	ck_assert_int_eq(p->is_raw, _i);
	profile_free(p);
}
END_TEST

START_TEST(a_survey_and_a_subset_are_partial)
{
	struct error err = ERROR_INIT;
	struct builder *b = new_builder();
	struct subset *subset;

	ck_assert(!builder_is_partial(b));
	builder_free(b);
	b = builder_new(&(struct builder_options){ .is_survey = true });
	ck_assert(builder_is_partial(b));
	builder_input(b, "first");
	add_slice(b, 1, 2, 0, 10);
	subset = builder_finish_survey(b, &err);
	ck_assert_ptr_nonnull(subset);
	b = builder_new(&(struct builder_options){ .subset = subset });
	ck_assert(builder_is_partial(b));
	builder_free(b);
	subset_free(subset);
}
END_TEST

START_TEST(a_reader_may_refuse_to_load_in_part)
{
	struct error err = ERROR_INIT;
	struct builder *b = builder_new(&(struct builder_options){ .is_survey = true });

	builder_input(b, "first");
	add_slice(b, 1, 2, 0, 10);
	builder_no_subset(b);
	ck_assert_ptr_null(builder_finish_survey(b, &err));
	ck_assert_int_eq(err.kind, ERR_LIMIT);
}
END_TEST

START_TEST(lanes_name_their_process_if_there_are_several)
{
	struct builder *b = new_builder();
	struct profile *p;

	add_slice(b, 1, 2, 0, 10);
	add_slice(b, 1, 3, 0, 10);
	if (_i)
		add_slice(b, 4, 5, 0, 10);
	p = finished(b);
	ck_assert_str_eq(profile_text(p, p->lanes[0].name), _i ? "thread 2 (pid 1)" : "thread 2");
	profile_free(p);
}
END_TEST

START_TEST(the_first_sample_slice_or_hit_is_noted)
{
	atomic_bool has_begun = false;
	struct builder *b = builder_new(&(struct builder_options){ .has_begun = &has_begun });

	builder_input(b, "first");
	if (_i == 0) {
		add_slice(b, 1, 2, 0, 10);
	} else {
		begin_cpu(b, _i == 1);
		ck_assert(has_begun == (_i == 1));
		cpu_builder_hits(b, 1, 0);
		ck_assert(has_begun == (_i == 1));
		cpu_builder_hits(b, 1, 5);
	}
	ck_assert(has_begun);
	builder_free(b);
}
END_TEST

/* ---- the order of lanes ---- */

static void check_lane_at(const struct profile *p, uint32_t i, uint32_t input, int64_t pid,
			  int64_t tid)
{
	ck_assert_uint_eq(p->lanes[i].input, input);
	ck_assert_int_eq(p->lanes[i].pid, pid);
	ck_assert_int_eq(p->lanes[i].tid, tid);
}

START_TEST(lanes_of_a_file_without_processes_stay_together)
{
	struct builder *b = new_builder();
	struct profile *p;

	add_cpu(b, LANE_NO_ID, 2);
	add_cpu(b, LANE_NO_ID, 4);
	builder_input(b, "second");
	add_cpu(b, LANE_NO_ID, 1);
	add_cpu(b, LANE_NO_ID, 3);
	p = finished(b);
	check_lane_at(p, 0, 0, LANE_NO_ID, 2);
	check_lane_at(p, 1, 0, LANE_NO_ID, 4);
	check_lane_at(p, 2, 1, LANE_NO_ID, 1);
	check_lane_at(p, 3, 1, LANE_NO_ID, 3);
	profile_free(p);
}
END_TEST

START_TEST(lanes_of_a_process_stay_together_by_its_first_start)
{
	struct builder *b = new_builder();
	struct profile *p;

	add_slice(b, _i, 1, 1000, 2000);
	add_slice(b, 3, 3, 700, 2000);
	builder_input(b, "second");
	add_slice(b, _i, 2, 500, 2000);
	p = finished(b);
	check_lane_at(p, 0, 0, _i, 1);
	check_lane_at(p, 1, 1, _i, 2);
	check_lane_at(p, 2, 0, 3, 3);
	profile_free(p);
}
END_TEST

START_TEST(a_counter_is_known_by_process_name_and_input)
{
	struct builder *b = new_builder();

	ck_assert_uint_eq(track_builder_counter(b, 1, "heap", 4), 0);
	ck_assert_uint_eq(track_builder_counter(b, 1, "heap", 4), 0);
	ck_assert_uint_eq(track_builder_counter(b, 2, "heap", 4), 1);
	ck_assert_uint_eq(track_builder_counter(b, 1, "rss", 3), 2);
	ck_assert_uint_eq(track_builder_counter(b, 2, "heap", 4), 1);
	builder_input(b, "second");
	ck_assert_uint_eq(track_builder_counter(b, 1, "heap", 4), 3);
	builder_free(b);
}
END_TEST

/* ---- limits ---- */

START_TEST(times_of_slices_are_clamped_beyond_the_limit)
{
	static const struct {
		int64_t t0, t1;
		bool is_clamped;
	} cases[] = {
		{ -PROFILE_TIME_MAX, PROFILE_TIME_MAX, false },
		{ PROFILE_TIME_MAX, PROFILE_TIME_MAX, false },
		{ -PROFILE_TIME_MAX - 1, 0, true },
		{ 0, PROFILE_TIME_MAX + 1, true },
		{ PROFILE_TIME_MAX + 1, PROFILE_TIME_MAX + 2, true },
		{ 100, 50, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct builder *b = new_builder();
		const struct warning *warning;
		struct profile *p;

		add_slice(b, 1, 2, cases[i].t0, cases[i].t1);
		p = finished(b);
		warning = warning_of(p, WARN_TIME_RANGE);
		ck_assert((warning != NULL) == cases[i].is_clamped);
		ck_assert(!warning || (warning->count == 1 && warning->offset == 77));
		ck_assert_int_le(p->t1, 2 * PROFILE_TIME_MAX);
		ck_assert_int_ge(p->lanes[0].t1, p->lanes[0].t0);
		profile_free(p);
	}
}
END_TEST

START_TEST(a_start_time_beyond_the_limit_is_ignored)
{
	static const int64_t deltas[] = { 0, 100, 100 };
	struct builder *b = new_builder();
	const struct warning *warning;
	struct profile *p;

	begin_cpu(b, 3);
	cpu_builder_deltas(b, deltas, 3);
	cpu_builder_start_time(b, PROFILE_TIME_MAX + 1);
	end_cpu(b, 1, 2);
	p = finished(b);
	warning = warning_of(p, WARN_TIME_RANGE);
	ck_assert(warning && warning->count == 1 && warning->offset == -1);
	ck_assert(!profile_warns(p, WARN_START_TIME));
	profile_free(p);
}
END_TEST

START_TEST(lines_beyond_the_limit_are_unknown)
{
	static const int64_t lines[][2] = { { -1, 0 },
					    { 0, 1 },
					    { INT32_MAX - 1, INT32_MAX },
					    { INT32_MAX, 0 },
					    { INT64_MAX, 0 } };
	static const int64_t deltas[] = { 0, 100 };

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		struct builder *b = new_builder();
		struct profile *p;

		begin_cpu(b, 2);
		add_node(b, 2, "g", lines[i][0]);
		cpu_builder_deltas(b, deltas, 2);
		cpu_builder_start_time(b, 0);
		end_cpu(b, 1, 2);
		p = finished(b);
		ck_assert_int_eq(profile_node_frame(p, &p->lanes[0], 1)->line, lines[i][1]);
		profile_free(p);
	}
}
END_TEST

START_TEST(calls_that_are_too_deep_are_counted)
{
	static const int64_t deltas[] = { 0, 100 };
	struct builder *b = new_builder();
	const struct warning *warning;
	struct profile *p;

	begin_cpu(b, 2);
	for (int64_t id = 3; id <= CALLTREE_MAX_ROWS + 4; id++)
		cpu_builder_parent(b, add_node(b, id, "f", 3), cpu_builder_slot(b, id - 1));
	cpu_builder_deltas(b, deltas, 2);
	cpu_builder_start_time(b, 0);
	end_cpu(b, 1, 2);
	p = finished(b);
	warning = warning_of(p, WARN_TOO_DEEP);
	ck_assert(warning && warning->count == 3 && warning->offset == -1);
	profile_free(p);
}
END_TEST

static void add_sample(struct builder *b, int64_t id)
{
	uint32_t slot = cpu_builder_slot(b, id);

	cpu_builder_samples(b, &slot, 1);
}

/* A stack that V8 cut begins with a function that has callers elsewhere. */
START_TEST(stacks_that_v8_cut_are_counted)
{
	static const struct {
		const char *first; /* the outermost call of the deep stack */
		int deep, expect;
	} cases[] = { { "f", 256, 2 }, { "f", 249, 0 }, { "main", 256, 0 } };
	static const int64_t deltas[] = { 0, 100, 100, 100 };

	for (size_t i = 0; i < N(cases); i++) {
		struct builder *b = new_builder();
		const struct warning *warning;
		struct profile *p;
		int64_t last = 4 + cases[i].deep;

		cpu_builder_begin(b);
		add_node(b, 1, "(root)", -1);
		cpu_builder_parent(b, add_node(b, 2, "main", 1), cpu_builder_slot(b, 1));
		cpu_builder_parent(b, add_node(b, 3, "f", 3), cpu_builder_slot(b, 2));
		cpu_builder_parent(b,
				   add_node(b, 4, cases[i].first, *cases[i].first == 'f' ? 3 : 1),
				   cpu_builder_slot(b, 1));
		for (int64_t id = 5; id < last; id++)
			cpu_builder_parent(b, add_node(b, id, "f", 3), cpu_builder_slot(b, id - 1));
		add_sample(b, 3);
		add_sample(b, last - 1);
		add_sample(b, last - 1);
		add_sample(b, 3);
		cpu_builder_deltas(b, deltas, 4);
		cpu_builder_start_time(b, 0);
		end_cpu(b, 1, 2);
		p = finished(b);
		warning = warning_of(p, WARN_CUT_STACK);
		ck_assert_int_eq(warning ? (int)warning->count : 0, cases[i].expect);
		profile_free(p);
	}
}
END_TEST

/* Ids are looked up as numbers or as texts; those below 2^24 take a shorter way. */
START_TEST(a_node_id_is_the_same_as_a_number_and_as_text)
{
	static const struct {
		int64_t id;
		const char *text;
	} ids[] = { { 0, "0" },
		    { 1, "1" },
		    { 16777215, "16777215" },
		    { 16777216, "16777216" },
		    { -1, "-1" },
		    { INT64_MIN, "-9223372036854775808" } };
	struct builder *b = new_builder();
	uint32_t frame;

	cpu_builder_begin(b);
	frame = cpu_builder_frame(b, &(struct cpu_frame){ .name = "f", .name_len = 1 });
	for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
		uint32_t slot = cpu_builder_slot(b, ids[i].id);

		ck_assert_uint_eq(slot, cpu_builder_slot_text(b, ids[i].text, strlen(ids[i].text)));
		if (ids[i].id >= 0 && ids[i].id < SLOT_DENSE)
			ck_assert_uint_eq(slot, (uint32_t)ids[i].id);
		else
			ck_assert(slot & SLOT_SPARSE);
		ck_assert_uint_eq(cpu_builder_node(b, slot, frame, -1), i);
		for (size_t k = 0; k < i; k++)
			ck_assert_uint_ne(slot, cpu_builder_slot(b, ids[k].id));
	}
	builder_free(b);
}
END_TEST

/* ---- flows ---- */

/* Slices that begin together, the outer one first; of one slice in the order of the flows. */
START_TEST(points_of_a_lane_are_in_the_order_of_their_slices)
{
	static const size_t expected[] = { 0, 2, 1, 3 };
	struct builder *b = new_builder();
	uint32_t track = track_builder_add(b, LANE_SLICES, 1, 2, "", 0);
	struct profile *p;

	for (int64_t end = 100; end > 0; end -= 50)
		track_builder_slice(b, track,
				    &(struct track_slice){ .t1 = end,
							   .frame = track_builder_frame(b, "s", 1),
							   .offset = -1,
							   .end_offset = -1 });
	/* Flows 1 and 3 are in the outer slice, 2 and 4 in the inner one. */
	for (uint64_t flow = 1; flow <= 4; flow++)
		track_builder_flow(b,
				   &(struct track_flow){ .flow = flow,
							 .pid = 1,
							 .tid = 2,
							 .t = flow % 2 ? 70 : 20,
							 .kind = FLOW_START });
	p = finished(b);
	ck_assert_uint_eq(p->n_flows, ARRAY_LEN(expected));
	for (size_t i = 0; i < p->n_flows; i++) {
		ck_assert_uint_eq(p->flows_by_lane[i], expected[i]);
		ck_assert_int_eq(p->flows[p->flows_by_lane[i]].span.depth, i < 2 ? 0 : 1);
	}
	profile_free(p);
}
END_TEST

START_TEST(a_flow_may_lead_to_the_first_slice)
{
	struct builder *b = new_builder();
	struct profile *p;

	add_slice(b, 1, 2, 500, 600);
	track_builder_flow(b,
			   &(struct track_flow){ .flow = 1,
						 .pid = 1,
						 .tid = 2,
						 .t = 500,
						 .kind = FLOW_END,
						 .is_next = true });
	p = finished(b);
	ck_assert_uint_eq(p->n_flows, 1);
	ck_assert_int_eq(p->flows[0].span.t0, 0);
	profile_free(p);
}
END_TEST

/* ---- sizes ---- */

static void fails_with(struct builder *b, const char *text)
{
	struct error err = ERROR_INIT;

	ck_assert_ptr_null(builder_finish(b, &err));
	ck_assert_int_eq(err.kind, ERR_LIMIT);
	ck_assert_str_eq(err.text, text);
}

/* Not by the end of the program: the caller may still show another profile. */
START_TEST(sizes_that_cannot_be_counted_are_errors)
{
	static const struct {
		size_t most;
		int n_slices, n_flows;
		const char *text;
	} cases[] = {
		{ 1000, 1001, 0, "more than 1000 slices on one thread" },
		{ 1000, 1000, 1001, "more than 1000 points of flows" },
		{ 5, 1, 1, "more than 4 different texts" },
	};
	struct builder *b = builder_new(&(struct builder_options){ .most = cases[_i].most });

	uint32_t track;

	builder_input(b, "first");
	track = track_builder_add(b, LANE_SLICES, 1, 2, "", 0);
	for (int i = 0; i < cases[_i].n_slices; i++)
		track_builder_slice(
			b, track,
			&(struct track_slice){ .t0 = 10 * i, .t1 = 10 * i + 5, .end_offset = -1 });
	for (int i = 0; i < cases[_i].n_flows; i++)
		track_builder_flow(b,
				   &(struct track_flow){ .pid = 1,
							 .tid = 2,
							 .flow = 1,
							 .t = 10 * i + 1,
							 .kind = i ? FLOW_STEP : FLOW_START });
	fails_with(b, cases[_i].text);
}
END_TEST

START_TEST(node_ids_that_cannot_be_counted_are_an_error)
{
	struct builder *b = new_builder();
	struct error err = ERROR_INIT;

	begin_cpu(b, 2);
	cpu_builder_slot_text(b, "a", 1);
	ck_assert_uint_eq(b->raw.slots.sparse_ids.most, SLOT_SPARSE_MAX);
	b->raw.slots.sparse_ids.most = 2;
	cpu_builder_slot_text(b, "b", 1);
	ck_assert(!cpu_builder_end(b, 1, 2, &err));
	ck_assert_int_eq(err.kind, ERR_LIMIT);
	builder_free(b);
}
END_TEST

/* ---- times ---- */

/* The two stamps run back, so they tell no distance of samples. */
START_TEST(missing_stamps_are_a_millisecond_apart_if_stamps_run_back)
{
	static const int64_t stamps[] = { 100, 50 },
			     expected[] = { 0, 50, NS_PER_MS, 2 * NS_PER_MS };
	struct builder *b = new_builder();
	struct profile *p;

	begin_cpu(b, 4);
	cpu_builder_timestamps(b, stamps, 2);
	end_cpu(b, 1, 2);
	p = finished(b);
	ck_assert_uint_eq(p->lanes[0].samples.n, 4);
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(samples_time(&p->lanes[0].samples, i), expected[i]);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "builder", SUITE_SECONDS);

	tcase_add_loop_test(t, the_profile_knows_whether_it_is_raw, 0, 2);
	tcase_add_test(t, a_survey_and_a_subset_are_partial);
	tcase_add_test(t, a_reader_may_refuse_to_load_in_part);
	tcase_add_loop_test(t, lanes_name_their_process_if_there_are_several, 0, 2);
	tcase_add_loop_test(t, the_first_sample_slice_or_hit_is_noted, 0, 3);
	tcase_add_test(t, lanes_of_a_file_without_processes_stay_together);
	tcase_add_loop_test(t, lanes_of_a_process_stay_together_by_its_first_start, 0, 2);
	tcase_add_test(t, a_counter_is_known_by_process_name_and_input);
	tcase_add_test(t, times_of_slices_are_clamped_beyond_the_limit);
	tcase_add_test(t, a_start_time_beyond_the_limit_is_ignored);
	tcase_add_test(t, lines_beyond_the_limit_are_unknown);
	tcase_add_test(t, calls_that_are_too_deep_are_counted);
	tcase_add_test(t, stacks_that_v8_cut_are_counted);
	tcase_add_test(t, a_node_id_is_the_same_as_a_number_and_as_text);
	tcase_add_test(t, points_of_a_lane_are_in_the_order_of_their_slices);
	tcase_add_test(t, a_flow_may_lead_to_the_first_slice);
	tcase_add_loop_test(t, sizes_that_cannot_be_counted_are_errors, 0, 3);
	tcase_add_test(t, node_ids_that_cannot_be_counted_are_an_error);
	tcase_add_test(t, missing_stamps_are_a_millisecond_apart_if_stamps_run_back);
}

int main(void)
{
	return suite_run("builder", add_tests);
}
