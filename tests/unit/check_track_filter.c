/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slices and marks of a part are those of the whole that the rules of subset.h name, in the same
 * places: random tracks, compared with a loop over all slices. */
#include "config.h"

#include "whole_and_part.h"

#include "base/units.h"
#include "model/build/track_builder.h"

#define CLOCK INT64_C(5000000000)

/* ---- the input ---- */

static int input_seed;

static void add_slice(struct builder *b, uint32_t track, int64_t t0, int64_t length, int64_t number)
{
	char name[2] = { (char)('a' + number % 7), '\0' };

	track_builder_slice(b, track,
			    &(struct track_slice){
				    .t0 = CLOCK + t0,
				    .t1 = CLOCK + t0 + length,
				    .frame = track_builder_frame(b, name, 1),
				    .offset = number * 10,
				    .end_offset = number % 3 ? -1 : number * 10 + 5,
				    .flags = number % 5 ? 0 : SLICE_UNFINISHED,
			    });
}

/* Lengths around the rounding error up to which an overlap is cut, and much longer ones. */
static int64_t random_length(void)
{
	static const int64_t lengths[] = { 0, 500, 1000, 1500, 2000, 2500, 6000, 9000, 40000 };

	return lengths[below(below(3) ? 6 : ARRAY_LEN(lengths))];
}

static void pass_tracks(struct builder *b)
{
	uint32_t thread, other, marks;

	set_seed(input_seed);
	builder_input(b, "test");
	thread = track_builder_add(b, LANE_SLICES, 1, 2, "", 0);
	other = track_builder_add(b, LANE_SLICES, 1, 3, "", 0);
	marks = track_builder_add(b, LANE_MARKS, 1, 2, "", 0);
	track_builder_add(b, LANE_MARKS, 1, 4, "", 0);
	for (int64_t i = 0; i < 120; i++) {
		/* Nearly in order of time. */
		int64_t t = i * 1500 + (int64_t)below(8) * 500;
		uint64_t kind = below(10);

		if (kind < 7)
			add_slice(b, thread, t, random_length(), i);
		else if (kind < 9)
			add_slice(b, other, t, random_length() / 2, i);
		else
			add_slice(b, marks, t, 0, i);
	}
}

/* Two rows that do not overlap, many, and at the end a slice that should have come first. */
static void pass_late(struct builder *b)
{
	uint32_t thread;

	builder_input(b, "test");
	thread = track_builder_add(b, LANE_SLICES, 1, 2, "", 0);
	for (int64_t i = 0; i < 10000; i++) {
		add_slice(b, thread, 5000 + i * 100, 90, i * 2);
		add_slice(b, thread, 5000 + i * 100 + 20, 30, i * 2 + 1);
	}
	add_slice(b, thread, 0, 4000, 20001);
}

/* ---- what must be equal ---- */

struct slice_fact {
	int64_t t0, t1, offset, end_offset;
	int depth;
	unsigned flags;
	const char *name;
};

struct slice_facts {
	struct slice_fact *list;
	size_t n, cap;
};

/* The slices of a lane that touch [t0, t1], both ends included, by row and time. */
static struct slice_facts touching(const struct profile *p, const struct lane *lane, int64_t t0,
				   int64_t t1)
{
	struct slice_facts out = { 0 };
	struct span span;

	for (int depth = 0; depth < lane->max_depth; depth++)
		for (size_t from = 0; from < lane->samples.n &&
		     span_next(&lane->samples, &lane->tree, depth, from, &span);
		     from = span.end) {
			size_t k = slice_of_span(lane, &span);

			if (span.t1 < t0 || span.t0 > t1)
				continue;
			ck_assert_uint_ne(k, SIZE_MAX);
			out.list = xgrow(out.list, &out.cap, out.n + 1, sizeof *out.list);
			out.list[out.n++] = (struct slice_fact){
				span.t0,
				span.t1,
				slice_offset(&lane->slices, k),
				slice_end_offset(&lane->slices, k),
				depth,
				slice_flags(&lane->slices, k),
				profile_text(p, profile_node_frame(p, lane, span.node)->name),
			};
		}
	return out;
}

static void check_touching(const struct slice_facts *a, const struct slice_facts *b)
{
	ck_assert_uint_eq(a->n, b->n);
	for (size_t i = 0; i < a->n; i++) {
		const struct slice_fact *x = &a->list[i], *y = &b->list[i];

		ck_assert_int_eq(x->t0, y->t0);
		ck_assert_int_eq(x->t1, y->t1);
		ck_assert_int_eq(x->offset, y->offset);
		ck_assert_int_eq(x->end_offset, y->end_offset);
		ck_assert_int_eq(x->depth, y->depth);
		ck_assert_uint_eq(x->flags, y->flags);
		ck_assert_str_eq(x->name, y->name);
	}
}

/* Whether a slice of the lane begins after t; whether a slice begins before t. */
static bool begins_after(const struct profile *p, const struct lane *lane, int64_t t)
{
	struct slice_facts all = touching(p, lane, t + 1, INT64_MAX);
	bool found = false;

	for (size_t i = 0; i < all.n; i++)
		found |= all.list[i].t0 > t;
	free(all.list);
	return found;
}

static bool begins_before(const struct profile *p, const struct lane *lane, int64_t t)
{
	struct slice_facts all = touching(p, lane, INT64_MIN, t - 1);
	bool found = all.n > 0;

	free(all.list);
	return found;
}

/* The lanes of one track, from lane `first` on; returns their end. Marks are joined to the lanes of
 * slices, but are a track. */
static uint32_t check_track(const struct profile *whole, const struct profile *part,
			    const struct subset *subset, uint32_t first)
{
	bool is_chosen = !subset->is_lane || subset->is_lane[first], has_next = false;
	uint64_t n_all = 0, n_left = 0, n_kept = 0, n_over = 0;
	uint32_t i = first;

	do {
		const struct lane *a = &whole->lanes[i], *b = &part->lanes[i];
		struct slice_facts x = touching(whole, a, subset->t0, subset->t1),
				   y = touching(part, b, subset->t0, subset->t1);

		check_lane(whole, part, i);
		ck_assert_uint_eq(a->n_spans, b->n_spans);
		ck_assert_int_eq(a->n_rows, b->n_rows);
		if (a->kind == LANE_SLICES)
			ck_assert_int_eq(a->max_depth, b->max_depth);
		if (is_chosen)
			check_touching(&x, &y);
		n_all += a->n_spans;
		n_left += b->n_left;
		n_kept += is_chosen ? x.n : 0;
		n_over += a->slice_time ? a->slice_time->over.n : 0;
		has_next |= is_chosen && begins_after(whole, a, subset->t1);
		if (is_chosen && a->kind == LANE_MARKS)
			n_kept += begins_before(whole, a, subset->t0);
		free(x.list);
		free(y.list);
	} while (++i < whole->n_lanes && whole->lanes[i].is_joined &&
		 whole->lanes[i].kind == whole->lanes[first].kind);
	/* What touches the range only behind the slice around it is kept, too, with that one. */
	ck_assert_uint_le(n_left, n_all - n_kept - has_next);
	ck_assert_uint_ge(n_left + (is_chosen ? 2 * n_over : 0), n_all - n_kept - has_next);
	return i;
}

static void check_part(const struct profile *whole, const struct subset *subset, pass_input pass)
{
	struct profile *part = load_subset(pass, subset);
	uint64_t n_left = 0, n_overlaps[2] = { 0 };

	ck_assert_uint_eq(whole->n_lanes, part->n_lanes);
	ck_assert_int_eq(whole->t1, part->t1);
	for (uint32_t i = 0; i < whole->n_lanes;)
		i = check_track(whole, part, subset, i);
	for (uint32_t i = 0; i < part->n_lanes; i++)
		n_left += part->lanes[i].n_left;
	ck_assert(profile_warns(part, WARN_SUBSET) == (n_left > 0));
	for (int k = 0; k < 2; k++) {
		const struct input *in = k ? part->inputs : whole->inputs;

		for (size_t i = 0; i < in->n_warnings; i++)
			if (in->warnings[i].kind == WARN_OVERLAP)
				n_overlaps[k] = in->warnings[i].count;
	}
	ck_assert_uint_eq(n_overlaps[0], n_overlaps[1]);
	profile_free(part);
}

START_TEST(what_touches_the_range_is_kept_in_its_place)
{
	for (int i = 0; i < 20; i++) {
		struct profile *whole;
		struct subset *subset;

		input_seed = _i * 20 + i;
		whole = load_whole(pass_tracks);
		subset = load_survey(pass_tracks);
		ck_assert_ptr_nonnull(subset);
		ck_assert_uint_eq(subset->survey->n_lanes, whole->n_lanes);
		for (int k = 0; k < 10; k++) {
			int64_t at = (int64_t)below(400) * 500;

			subset->t0 = at;
			subset->t1 = at + (int64_t)below(30) * 500;
			free(subset->is_lane);
			subset->is_lane = NULL;
			if (below(3) == 0) {
				subset->is_lane = xcalloc(whole->n_lanes, 1);
				for (uint32_t l = 0; l < whole->n_lanes; l++)
					subset->is_lane[l] = below(2) != 0;
			}
			check_part(whole, subset, pass_tracks);
		}
		subset_free(subset);
		profile_free(whole);
	}
}
END_TEST

/* The order of slices is then not known before all have passed: the kept ones make the lanes. */
START_TEST(a_slice_too_late_leaves_rows_unknown)
{
	struct profile *whole = load_whole(pass_late), *part;
	struct subset *subset = load_survey(pass_late);
	struct slice_facts x, y;

	ck_assert_ptr_nonnull(subset);
	ck_assert_int_eq(whole->lanes[0].n_rows, 2);
	ck_assert_int_eq(subset->survey->lanes[0].n_rows, 0);
	for (int64_t t = 0; t < 1200000; t += 400000) {
		subset->t0 = t;
		subset->t1 = t + 333;
		part = load_subset(pass_late, subset);
		ck_assert_uint_eq(part->n_lanes, 1);
		check_lane(whole, part, 0);
		ck_assert_int_eq(part->lanes[0].n_rows, 0);
		ck_assert_uint_eq(part->lanes[0].n_spans, 20001);
		x = touching(whole, whole->lanes, subset->t0, subset->t1);
		y = touching(part, part->lanes, subset->t0, subset->t1);
		check_touching(&x, &y);
		/* The first slice after the range is kept, too. */
		ck_assert_uint_eq(part->lanes[0].n_left, 20001 - x.n - 1);
		free(x.list);
		free(y.list);
		profile_free(part);
	}
	subset_free(subset);
	profile_free(whole);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "track_filter", SUITE_SECONDS);

	tcase_add_loop_test(t, what_touches_the_range_is_kept_in_its_place, 0, 5);
	tcase_add_test(t, a_slice_too_late_leaves_rows_unknown);
}

int main(void)
{
	return suite_run("track_filter", add_tests);
}
