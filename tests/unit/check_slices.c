/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slices as lanes: the rules of formats(5), SLICES, each on its own, and random slices
 * compared with a plain list of what was passed. */
#include "config.h"

#include "suite.h"

#include "analyse/totals.h"
#include "base/alloc.h"
#include "model/build/builder.h"
#include "model/build/track_builder.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct builder *b;
static uint32_t track;

static void begin(enum lane_kind kind)
{
	b = builder_new(&(struct builder_options){ .is_raw = false });
	builder_input(b, "test");
	track = track_builder_add(b, kind, 1, 2, kind == LANE_ASYNC ? "async" : "",
				  kind == LANE_ASYNC ? 5 : 0);
}

static void slice(const char *name, int64_t t0, int64_t t1, uint32_t group, int64_t offset)
{
	track_builder_slice(
		b, track,
		&(struct track_slice){ .t0 = t0,
				       .t1 = t1,
				       .frame = track_builder_frame(b, name, strlen(name)),
				       .group = group,
				       .offset = offset,
				       .end_offset = -1 });
}

static struct profile *end(void)
{
	struct error err = ERROR_INIT;
	struct profile *p = builder_finish(b, &err);

	ck_assert_ptr_nonnull(p);
	return p;
}

static const char *name_of(const struct profile *p, uint32_t lane, const struct span *span)
{
	return profile_text(p, profile_node_frame(p, &p->lanes[lane], span->node)->name);
}

/* There is a span of that name there, and it is the slice that came with `offset`. */
static void check_span(const struct profile *p, uint32_t lane, int depth, const char *name,
		       int64_t t0, int64_t t1, int64_t offset)
{
	const struct lane *l = &p->lanes[lane];
	struct span span;
	size_t k;

	for (size_t i = 0; i < l->samples.n; i++) {
		if (!span_of_sample(&l->samples, &l->tree, i, depth, &span) ||
		    strcmp(name_of(p, lane, &span), name) != 0 || span.t0 != t0 || span.t1 != t1)
			continue;
		k = slice_of_span(l, &span);
		ck_assert_uint_ne(k, SIZE_MAX);
		if (slice_offset(&l->slices, k) == offset)
			return;
	}
	ck_abort_msg("no %s [%lld, %lld) at depth %d of lane %u", name, (long long)t0,
		     (long long)t1, depth, lane);
}

START_TEST(longer_of_one_start_is_outer)
{
	struct profile *p;

	begin(LANE_SLICES);
	slice("short", 0, 5, 0, 1);
	slice("long", 0, 10, 0, 2);
	p = end();
	ck_assert_uint_eq(p->n_lanes, 1);
	check_span(p, 0, 0, "long", 0, 10, 2);
	check_span(p, 0, 1, "short", 0, 5, 1);
	profile_free(p);
}
END_TEST

START_TEST(identical_slices_nest_as_written)
{
	struct profile *p;

	begin(LANE_SLICES);
	slice("first", 0, 5, 0, 1);
	slice("second", 0, 5, 0, 2);
	p = end();
	check_span(p, 0, 0, "first", 0, 5, 1);
	check_span(p, 0, 1, "second", 0, 5, 2);
	profile_free(p);
}
END_TEST

START_TEST(touching_slices_are_siblings)
{
	struct profile *p;

	begin(LANE_SLICES);
	slice("a", 0, 5, 0, 1);
	slice("a", 5, 9, 0, 2);
	p = end();
	check_span(p, 0, 0, "a", 0, 5, 1);
	check_span(p, 0, 0, "a", 5, 9, 2);
	ck_assert_uint_eq(p->lanes[0].n_spans, 2);
	profile_free(p);
}
END_TEST

START_TEST(zero_length_at_an_end_is_no_child)
{
	struct profile *p;

	begin(LANE_SLICES);
	slice("a", 0, 5, 0, 1);
	slice("tick", 5, 5, 0, 2);
	slice("tick", 5, 5, 0, 3);
	p = end();
	check_span(p, 0, 0, "tick", 5, 5, 2);
	check_span(p, 0, 0, "tick", 5, 5, 3);
	ck_assert_uint_eq(p->lanes[0].n_spans, 3);
	profile_free(p);
}
END_TEST

START_TEST(overlap_keeps_its_length_on_rows_below)
{
	struct profile *p;

	begin(LANE_SLICES);
	slice("first", 0, 10000, 0, 1);
	slice("second", 5000, 15000, 0, 2);
	slice("inside second", 11000, 13000, 0, 3);
	slice("later", 20000, 21000, 0, 4);
	p = end();
	ck_assert_uint_eq(p->n_lanes, 2);
	ck_assert(!p->lanes[0].is_joined && p->lanes[1].is_joined);
	check_span(p, 0, 0, "first", 0, 10000, 1);
	check_span(p, 1, 0, "second", 5000, 15000, 2);
	check_span(p, 1, 1, "inside second", 11000, 13000, 3);
	check_span(p, 0, 0, "later", 20000, 21000, 4);
	ck_assert_uint_eq(p->inputs[0].n_warnings, 1);
	profile_free(p);
}
END_TEST

START_TEST(overshoot_of_a_microsecond_is_contained)
{
	struct profile *p;

	begin(LANE_SLICES);
	slice("outer", 0, 10000, 0, 1);
	slice("inner", 5000, 11000, 0, 2);
	p = end();
	ck_assert_uint_eq(p->n_lanes, 1);
	check_span(p, 0, 1, "inner", 5000, 10000, 2);
	ck_assert_uint_eq(p->inputs[0].n_warnings, 0);
	profile_free(p);
}
END_TEST

START_TEST(groups_take_the_first_free_row)
{
	struct profile *p;

	begin(LANE_ASYNC);
	slice("req", 0, 10, 1, 1);
	slice("dns", 2, 5, 1, 2);
	slice("req", 5, 20, 2, 3);
	slice("req", 10, 12, 3, 4);
	p = end();
	ck_assert_uint_eq(p->n_lanes, 2);
	check_span(p, 0, 0, "req", 0, 10, 1);
	check_span(p, 0, 1, "dns", 2, 5, 2);
	check_span(p, 1, 0, "req", 5, 20, 3);
	check_span(p, 0, 0, "req", 10, 12, 4);
	profile_free(p);
}
END_TEST

START_TEST(marks_stand_side_by_side)
{
	struct profile *p;

	begin(LANE_MARKS);
	slice("a", 7, 7, 0, 1);
	slice("b", 7, 7, 0, 2);
	slice("c", 9, 9, 0, 3);
	p = end();
	ck_assert_int_eq(p->lanes[0].max_depth, 1);
	check_span(p, 0, 0, "a", 0, 0, 1);
	check_span(p, 0, 0, "b", 0, 0, 2);
	check_span(p, 0, 0, "c", 2, 2, 3);
	profile_free(p);
}
END_TEST

START_TEST(counters_answer_their_highest_value)
{
	struct profile *p;
	uint32_t counter;
	double most;
	const struct series *s;

	begin(LANE_SLICES);
	counter = track_builder_counter(b, 1, "heap", 4);
	for (int i = 0; i < 10000; i++)
		track_builder_counter_value(b, counter, "used", 4, i * 10, i == 4711 ? 99 : i % 7);
	p = end();
	s = &p->lanes[0].series[0];
	ck_assert_uint_eq(s->n, 10000);
	ck_assert(series_most(s, 0, 100000, &most) && most == 99);
	ck_assert(series_most(s, 47110, 47111, &most) && most == 99);
	ck_assert(series_most(s, 47120, 90000, &most) && most == 6);
	ck_assert(series_most(s, 15, 19, &most) && most == 1);
	for (int64_t t0 = 0; t0 < 2000; t0 += 37) {
		for (int64_t t1 = t0 + 1; t1 < 2000; t1 += 91) {
			double expect = 0;

			for (int64_t i = t0 / 10; i * 10 < t1; i++)
				expect = (double)(i % 7) > expect ? (double)(i % 7) : expect;
			ck_assert(series_most(s, t0, t1, &most) && most == expect);
		}
	}
	profile_free(p);
}
END_TEST

START_TEST(counters_are_measured_by_time)
{
	struct series_part part;
	struct profile *p;
	const struct series *s;
	uint32_t counter;

	begin(LANE_SLICES);
	counter = track_builder_counter(b, 1, "heap", 4);
	track_builder_counter_bytes(b, counter);
	track_builder_counter_value(b, counter, "used", 4, 0, 10);
	track_builder_counter_value(b, counter, "used", 4, 100, 50);
	track_builder_counter_value(b, counter, "used", 4, 120, 20);
	p = end();
	s = &p->lanes[0].series[0];
	ck_assert(s->is_bytes);
	ck_assert(series_measure(s, 0, 200, &part));
	ck_assert(part.least == 10 && part.most == 50 && part.first == 10 && part.last == 20);
	ck_assert_double_eq_tol(part.mean, (10 * 100 + 50 * 20 + 20 * 80) / 200., 1e-9);
	/* Before the first value there is none to count. */
	ck_assert(series_measure(s, -100, 100, &part) && part.mean == 10);
	ck_assert(!series_measure(s, -100, 0, &part));
	ck_assert(series_measure(s, 110, 110, &part) && part.mean == 50 && part.first == 50);
	profile_free(p);
}
END_TEST

START_TEST(of_values_at_one_time_the_last_one_holds)
{
	static const double values[] = { 1, 2, 3, 4 };
	struct profile *p;
	uint32_t counter;

	begin(LANE_SLICES);
	counter = track_builder_counter(b, 1, "c", 1);
	for (int i = 0; i < 4; i++)
		track_builder_counter_value(b, counter, "s", 1, 20, values[i]);
	track_builder_counter_value(b, counter, "s", 1, 10, 9);
	p = end();
	ck_assert_uint_eq(p->lanes[0].series[0].n, 5);
	ck_assert_double_eq(p->lanes[0].series[0].value[0], 9);
	for (int i = 0; i < 4; i++)
		ck_assert_double_eq(p->lanes[0].series[0].value[1 + i], values[i]);
	ck_assert_uint_eq(series_find(&p->lanes[0].series[0], 10), 4);
	profile_free(p);
}
END_TEST

START_TEST(a_lane_is_busy_while_a_slice_is_open)
{
	struct profile *p;

	begin(LANE_SLICES);
	slice("a", 10, 40, 0, 1);
	slice("b", 20, 30, 0, 2);
	slice("c", 100, 130, 0, 3);
	p = end();
	ck_assert_int_eq(p->lanes[0].busy_ns, 60);
	ck_assert_int_eq(p->lanes[0].unsampled_ns, 60);
	profile_free(p);
}
END_TEST

START_TEST(flows_belong_to_the_innermost_slice)
{
	struct profile *p;
	size_t first;

	begin(LANE_SLICES);
	slice("outer", 0, 100, 0, 1);
	slice("inner", 10, 20, 0, 2);
	slice("later", 200, 300, 0, 3);
	track_builder_flow(b,
			   &(struct track_flow){ .flow = 77,
						 .pid = 1,
						 .tid = 2,
						 .t = 15,
						 .kind = FLOW_START });
	track_builder_flow(b,
			   &(struct track_flow){ .flow = 77,
						 .pid = 1,
						 .tid = 2,
						 .t = 150,
						 .kind = FLOW_END,
						 .is_next = true });
	track_builder_flow(b,
			   &(struct track_flow){ .flow = 78,
						 .pid = 1,
						 .tid = 9,
						 .t = 15,
						 .kind = FLOW_START });
	p = end();
	ck_assert_uint_eq(p->n_flows, 2);
	ck_assert_str_eq(name_of(p, 0, &p->flows[0].span), "inner");
	ck_assert_str_eq(name_of(p, 0, &p->flows[1].span), "later");
	ck_assert_uint_eq(profile_flows_of(p, 0, &p->flows[1].span, &first), 1);
	ck_assert_uint_eq(p->flows_by_lane[first], 1);
	ck_assert_uint_eq(p->inputs[0].n_notes, 1);
	profile_free(p);
}
END_TEST

START_TEST(lanes_stand_by_process_thread_and_kind)
{
	static const char *const expect[] = { "", "main", "main", "worker", "io" };
	struct profile *p;
	uint32_t t;

	b = builder_new(&(struct builder_options){ .is_raw = false });
	builder_input(b, "test");
	track_builder_sort(b, 5, LANE_NO_ID, 2, 0);
	for (int i = 0; i < 4; i++) {
		t = track_builder_add(b, i == 3 ? LANE_MARKS : LANE_SLICES, i == 0 ? 5 : 7,
				      i == 3 ? 11 : 10 + i, "", 0);
		track_builder_slice(b, t,
				    &(struct track_slice){ .t0 = 10 * i,
							   .t1 = 10 * i + 5,
							   .frame = track_builder_frame(b, "x", 1),
							   .offset = -1,
							   .end_offset = -1 });
	}
	t = track_builder_add(b, LANE_MARKS, -1, -1, "marks", 5);
	track_builder_slice(b, t,
			    &(struct track_slice){ .t0 = 3,
						   .t1 = 3,
						   .frame = track_builder_frame(b, "x", 1),
						   .offset = -1,
						   .end_offset = -1 });
	track_builder_name(b, 5, 10, "io", 2);
	track_builder_name(b, 7, 12, "worker", 6);
	track_builder_name(b, 7, 11, "main", 4);
	track_builder_sort(b, 7, 11, 0, 0);
	p = end();
	ck_assert_uint_eq(p->n_lanes, 5);
	for (uint32_t i = 0; i < 5; i++)
		ck_assert_str_eq(profile_text(p, p->lanes[i].thread_name), expect[i]);
	ck_assert_int_eq(p->lanes[2].kind, LANE_MARKS);
	ck_assert(p->lanes[2].is_joined);
	profile_free(p);
}
END_TEST

/* ---- at random ---- */

static uint64_t rng;

static uint64_t below(uint64_t n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (rng >> 11) % n;
}

struct made {
	int64_t t0, t1;
	char name[8];
};

/* Nested slices, passed in any order. */
static size_t make_nested(struct made *list, size_t n, int64_t t0, int64_t t1, size_t most)
{
	while (n < most && t0 < t1 && below(5)) {
		int64_t a = t0 + (int64_t)below((uint64_t)(t1 - t0)),
			z = a + (int64_t)below((uint64_t)(t1 - a) + 1);

		list[n] = (struct made){ a, z, { 0 } };
		snprintf(list[n].name, sizeof list[n].name, "n%d", (int)below(6));
		n = make_nested(list, n + 1, a, z, most);
		t0 = z;
	}
	return n;
}

START_TEST(random_slices_come_back_whole)
{
	struct made list[200];

	for (uint64_t seed = 1; seed <= 400; seed++) {
		struct profile *p;
		size_t n;
		uint64_t n_spans = 0;

		rng = seed * 7919;
		n = make_nested(list, 0, 0, 50 + (int64_t)below(500), 200);
		if (n == 0)
			continue;
		begin(LANE_SLICES);
		for (size_t i = 0; i < n; i++) {
			size_t k = i + below(n - i);
			struct made swap = list[i];

			list[i] = list[k];
			list[k] = swap;
			slice(list[i].name, list[i].t0, list[i].t1, 0, (int64_t)i);
		}
		p = end();
		ck_assert_msg(p->n_lanes == 1, "seed %llu: %u lanes", (unsigned long long)seed,
			      p->n_lanes);
		for (uint32_t i = 0; i < p->n_lanes; i++)
			n_spans += p->lanes[i].n_spans;
		ck_assert_msg(n_spans == n, "seed %llu: %llu spans of %zu",
			      (unsigned long long)seed, (unsigned long long)n_spans, n);
		for (size_t i = 0; i < n; i++) {
			const struct lane *l = &p->lanes[0];
			bool has_found = false;

			for (size_t from = 0, k = 0; from < l->samples.n && !has_found; from++) {
				int above = from ? samples_shared(&l->samples, from - 1) : 0,
				    opens = (int)lane_opens(l, from);
				struct span span;

				for (int depth = above; depth < above + opens && !has_found;
				     depth++, k++) {
					ck_assert(span_of_sample(&l->samples, &l->tree, from, depth,
								 &span));
					ck_assert_uint_eq(slice_of_span(l, &span), k);
					has_found = slice_offset(&l->slices, k) == (int64_t)i;
				}
				if (!has_found)
					continue;
				ck_assert_str_eq(name_of(p, 0, &span), list[i].name);
				ck_assert_int_eq(span.t1 - span.t0, list[i].t1 - list[i].t0);
				ck_assert_int_eq(span.t0 + p->origin_ns, list[i].t0);
			}
			ck_assert_msg(has_found, "seed %llu: slice %zu is gone",
				      (unsigned long long)seed, i);
		}
		profile_free(p);
	}
}
END_TEST

/* More slices than the buffer that sorts them holds. */
START_TEST(any_order_is_put_right)
{
	enum { N = 20000 };
	static int64_t list[N];

	for (int kind = 0; kind < 4; kind++) {
		struct profile *p;

		rng = 4711;
		for (int i = 0; i < N; i++)
			list[i] = kind == 1 ? N - 1 - i : kind == 2 ? (i + N / 2) % N : i;
		for (int i = 0; kind == 3 && i < N; i++) {
			int k = i + (int)below((uint64_t)(N - i));
			int64_t swap = list[i];

			list[i] = list[k];
			list[k] = swap;
		}
		begin(LANE_SLICES);
		for (int i = 0; i < N; i++)
			slice("x", 10 * list[i], 10 * list[i] + 5, 0, list[i]);
		p = end();
		ck_assert_uint_eq(p->n_lanes, 1);
		ck_assert_uint_eq(p->lanes[0].slices.n, N);
		for (size_t k = 0; k < N; k++)
			ck_assert_int_eq(slice_offset(&p->lanes[0].slices, k), (int64_t)k);
		profile_free(p);
	}
}
END_TEST

/* Slices beyond the last possible row are dropped, and do not count for later ones. */
START_TEST(slices_beyond_the_last_row_are_left_out)
{
	int n = CALLTREE_MAX_ROWS + 10;
	struct profile *p;

	begin(LANE_SLICES);
	for (int i = 0; i < n; i++)
		slice("deep", i, 3 * n - i, 0, i);
	slice("after", 4 * n, 4 * n + 1, 0, n);
	p = end();
	ck_assert_uint_eq(p->lanes[0].slices.n, CALLTREE_MAX_ROWS + 1);
	check_span(p, 0, 0, "deep", 0, 3 * n, 0);
	check_span(p, 0, 0, "after", 4 * n, 4 * n + 1, n);
	profile_free(p);
}
END_TEST

START_TEST(places_keep_offset_and_flags)
{
	static const struct {
		int64_t offset, kept;
	} cases[] = {
		{ -1, -1 },
		{ 0, 0 },
		{ (INT64_C(1) << 29) - 1, (INT64_C(1) << 29) - 1 },
		{ INT64_C(1) << 29, INT64_C(1) << 29 },
		{ SLICE_OFFSET_END - 1, SLICE_OFFSET_END - 1 },
		{ SLICE_OFFSET_END, -1 },
		{ INT64_C(1) << 50, -1 },
	};
	struct slices s = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		slices_add(&s, SLICE_WHERE(cases[i].offset, SLICE_CUT | SLICE_OVERLAPS),
			   i % 2 ? cases[i].offset : -1, 100);
	slices_trim(&s);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		ck_assert_int_eq(slice_offset(&s, i), cases[i].kept);
		ck_assert_int_eq(slice_end_offset(&s, i), i % 2 ? cases[i].kept : -1);
		ck_assert_uint_eq(slice_flags(&s, i), SLICE_CUT | SLICE_OVERLAPS);
	}
	slices_done(&s);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "slices", SUITE_SECONDS);

	tcase_add_test(t, longer_of_one_start_is_outer);
	tcase_add_test(t, identical_slices_nest_as_written);
	tcase_add_test(t, touching_slices_are_siblings);
	tcase_add_test(t, zero_length_at_an_end_is_no_child);
	tcase_add_test(t, overlap_keeps_its_length_on_rows_below);
	tcase_add_test(t, overshoot_of_a_microsecond_is_contained);
	tcase_add_test(t, groups_take_the_first_free_row);
	tcase_add_test(t, marks_stand_side_by_side);
	tcase_add_test(t, counters_answer_their_highest_value);
	tcase_add_test(t, counters_are_measured_by_time);
	tcase_add_test(t, of_values_at_one_time_the_last_one_holds);
	tcase_add_test(t, a_lane_is_busy_while_a_slice_is_open);
	tcase_add_test(t, flows_belong_to_the_innermost_slice);
	tcase_add_test(t, lanes_stand_by_process_thread_and_kind);
	tcase_add_test(t, random_slices_come_back_whole);
	tcase_add_test(t, any_order_is_put_right);
	tcase_add_test(t, slices_beyond_the_last_row_are_left_out);
	tcase_add_test(t, places_keep_offset_and_flags);
}

int main(void)
{
	return suite_run("slices", add_tests);
}
