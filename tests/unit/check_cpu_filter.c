/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples of a part are those of the whole, at the same times and with the same stacks: random
 * profiles of many chunks. Rules that need all samples make a part impossible. */
#include "config.h"

#define SUITE_OF_MANY

#include "whole_and_part.h"

#include "base/units.h"
#include "model/span.h"

#include <string.h>

/* ---- the input ---- */

#define NODES 30u

static struct cpu_input {
	int seed;
	size_t n;           /* samples */
	int64_t step;       /* between samples, ns */
	int64_t start, end; /* end 0: none */
	int surplus;        /* more times than samples */
	bool is_stamps, is_times_first, is_replaced, runs_back;
} in;

static void add_nodes(struct builder *b)
{
	static const char *const system[] = { "(root)", "(program)", "(idle)",
					      "(garbage collector)" };

	for (uint32_t i = 0; i < NODES; i++) {
		char name[8] = { 'f', (char)('a' + i % 9), '\0' };
		const char *is = i < ARRAY_LEN(system) ? system[i] : name;
		uint32_t frame = cpu_builder_frame(b,
						   &(struct cpu_frame){ .name = is,
									.name_len = strlen(is),
									.line = (int64_t)i,
									.column = 1 }),
			 node = cpu_builder_node(b, cpu_builder_slot(b, i + 1), frame, -1);

		if (i)
			cpu_builder_parent(
				b, node,
				cpu_builder_slot(b, i < 6 ? 1 : 5 + (int64_t)below(i - 4)));
	}
}

static void add_slots(struct builder *b)
{
	for (size_t i = 0; i < in.n; i++) {
		/* Long stretches of GC and (program), which stand on the stacks before them. */
		uint64_t kind = i % 500 < 100 ? 1 : below(30);
		uint32_t slot = cpu_builder_slot(b,
						 kind == 0 ? 2
							 : kind == 1
							 ? 4
							 : 5 + (int64_t)below(NODES - 4));

		cpu_builder_samples(b, &slot, 1);
	}
}

static void add_times(struct builder *b)
{
	int64_t t = in.start;

	for (size_t i = 0; i < in.n + (size_t)in.surplus; i++) {
		int64_t delta = i == 0 ? 700 : in.step ? in.step + (int64_t)below(300) : 0;

		if (in.runs_back && below(20) == 0)
			delta = -in.step / 2;
		t += delta;
		if (in.is_stamps)
			cpu_builder_timestamps(b, &t, 1);
		else
			cpu_builder_deltas(b, &delta, 1);
	}
}

/* The same members again: what came before counts no more. */
static void add_replaced(struct builder *b)
{
	uint32_t slot = cpu_builder_slot(b, 7);
	int64_t ns = 123456789;

	for (int i = 0; i < 400; i++) {
		cpu_builder_samples(b, &slot, 1);
		if (in.is_stamps)
			cpu_builder_timestamps(b, &ns, 1);
		else
			cpu_builder_deltas(b, &ns, 1);
	}
	cpu_builder_clear(b, CPU_SAMPLES);
	cpu_builder_clear(b, in.is_stamps ? CPU_TIMESTAMPS : CPU_DELTAS);
}

static void pass_cpu(struct builder *b)
{
	struct error err = ERROR_INIT;

	set_seed(in.seed);
	builder_input(b, "test");
	cpu_builder_begin(b);
	add_nodes(b);
	if (in.is_replaced)
		add_replaced(b);
	if (in.is_times_first)
		add_times(b);
	add_slots(b);
	if (!in.is_times_first)
		add_times(b);
	cpu_builder_start_time(b, in.start);
	if (in.end)
		cpu_builder_end_time(b, in.end);
	ck_assert_msg(cpu_builder_end(b, 1, 2, &err), "%s", err.text);
}

/* ---- what must be equal ---- */

static void check_stack(const struct profile *whole, const struct profile *part, int64_t t)
{
	const struct lane *a = &whole->lanes[0], *b = &part->lanes[0];
	struct span x, y;

	for (int depth = 0;; depth++) {
		bool has = span_at(&a->samples, &a->tree, depth, t, &x);

		ck_assert(span_at(&b->samples, &b->tree, depth, t, &y) == has);
		if (!has)
			return;
		ck_assert_str_eq(profile_text(whole, profile_node_frame(whole, a, x.node)->name),
				 profile_text(part, profile_node_frame(part, b, y.node)->name));
		ck_assert_int_eq(profile_node_frame(whole, a, x.node)->line,
				 profile_node_frame(part, b, y.node)->line);
	}
}

/* All samples in the range have their times and stacks. */
static void check_range(const struct profile *whole, const struct profile *part, int64_t t0,
			int64_t t1)
{
	const struct samples *a = &whole->lanes[0].samples, *b = &part->lanes[0].samples;

	for (size_t i = 0; i < a->n; i++) {
		if (samples_time(a, i) < t0 || samples_time(a, i) >= t1)
			continue;
		ck_assert_int_eq(samples_time(b, samples_find(b, samples_time(a, i))),
				 samples_time(a, i));
		check_stack(whole, part, samples_time(a, i));
	}
	check_stack(whole, part, t0);
}

static struct warning warning_of(const struct profile *p, enum warning_kind kind)
{
	for (size_t i = 0; i < p->inputs[0].n_warnings; i++)
		if (p->inputs[0].warnings[i].kind == kind)
			return p->inputs[0].warnings[i];
	return (struct warning){ 0 };
}

static void check_warning(const struct profile *whole, const struct profile *part,
			  enum warning_kind kind)
{
	struct warning a = warning_of(whole, kind), b = warning_of(part, kind);

	ck_assert_int_eq((int64_t)a.count, (int64_t)b.count);
	ck_assert_int_eq(a.offset, b.offset);
}

static void check_part(const struct profile *whole, struct subset *subset)
{
	static const enum warning_kind kinds[] = { WARN_NEGATIVE_DELTA, WARN_ODD_DELTA,
						   WARN_ZERO_DURATION, WARN_TIME_RANGE };
	struct profile *part = load_subset(pass_cpu, subset);

	ck_assert_uint_eq(part->n_lanes, 1);
	check_lane(whole, part, 0);
	ck_assert_int_eq(whole->t1, part->t1);
	if (!subset->is_lane)
		check_range(whole, part, subset->t0, subset->t1);
	else
		ck_assert_uint_eq(part->lanes[0].n_left, in.n);
	ck_assert_uint_le(part->lanes[0].n_left, in.n);
	if (in.n > 1000 && subset->t1 - subset->t0 < whole->t1 / 20)
		ck_assert_uint_gt(part->lanes[0].n_left, in.n / 2);
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		check_warning(whole, part, kinds[i]);
	profile_free(part);
}

/* Ranges all over the profile, and one with the lane not chosen. */
static void check_parts(void)
{
	struct profile *whole = load_whole(pass_cpu);
	struct subset *subset = load_survey(pass_cpu);

	ck_assert_ptr_nonnull(subset);
	ck_assert_uint_eq(subset->survey->n_lanes, 1);
	ck_assert_int_eq(subset->t1, whole->t1);
	for (int64_t i = 0; i <= 12; i++) {
		subset->t0 = i == 12 ? 0 : whole->t1 * i / 12;
		subset->t1 = i == 12 ? whole->t1 : subset->t0 + whole->t1 / 100;
		check_part(whole, subset);
	}
	subset->is_lane = xcalloc(1, 1);
	check_part(whole, subset);
	subset_free(subset);
	profile_free(whole);
}

START_TEST(samples_of_the_range_have_their_times_and_stacks)
{
	in = (struct cpu_input){ .seed = _i,
				 .n = 3000,
				 .step = 1000,
				 .start = 90000,
				 .end = _i & 1 ? 90000 + 5000000 : 0,
				 .surplus = _i >> 1 & 1,
				 .is_stamps = _i >> 2 & 1,
				 .is_times_first = _i >> 3 & 1,
				 .is_replaced = _i % 3 == 0,
				 .runs_back = _i % 5 < 2 };
	check_parts();
}
END_TEST

/* One sample without a length lasts to the end of the profile, or 1 ms. */
START_TEST(one_sample_has_a_length)
{
	static const int64_t ends[] = { 0, 90000, 90700, 90701, 95000, 90000 + 3 * NS_PER_MS };

	in = (struct cpu_input){ .seed = 1, .n = 1, .start = 90000, .end = ends[_i] };
	check_parts();
	in.surplus = 1;
	in.step = 5000;
	check_parts();
}
END_TEST

static const struct {
	struct cpu_input input;
	bool is_possible;
} whole_cases[] = {
	{ { .n = 100, .step = 1000 }, true },
	/* Two samples, all at one time: 1 ms is spread over them. */
	{ { .n = 2 }, false },
	/* One time too few. */
	{ { .n = 100, .step = 1000, .surplus = -1 }, false },
	/* Two times too many: a second surplus has no rule. */
	{ { .n = 100, .step = 1000, .surplus = 2 }, false },
	/* Times that are clamped, and starts to which a sum of times cannot be added. */
	{ { .n = 100, .step = PROFILE_TIME_MAX / 80 }, false },
	{ { .n = 100, .step = 1000, .start = PROFILE_TIME_MAX / 2 }, true },
	{ { .n = 100, .step = 1000, .start = PROFILE_TIME_MAX / 2 + 1 }, false },
	{ { .n = 100, .step = 1000, .start = -PROFILE_TIME_MAX / 2 }, true },
	{ { .n = 100, .step = 1000, .start = -PROFILE_TIME_MAX / 2 - 1 }, false },
};

START_TEST(some_profiles_are_only_loaded_whole)
{
	struct subset *subset;

	in = whole_cases[_i].input;
	subset = load_survey(pass_cpu);
	ck_assert((subset != NULL) == whole_cases[_i].is_possible);
	subset_free(subset);
	if (subset)
		check_parts();
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "cpu_filter", SUITE_SECONDS);

	tcase_add_loop_test(t, samples_of_the_range_have_their_times_and_stacks, 0, 16);
	tcase_add_loop_test(t, one_sample_has_a_length, 0, 6);
	tcase_add_loop_test(t, some_profiles_are_only_loaded_whole, 0, N(whole_cases));
}

int main(void)
{
	return suite_run("cpu_filter", add_tests);
}
