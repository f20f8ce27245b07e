/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lanes by label: each sample is on the lane of its value, with its stack, and on no other. */
#include "config.h"

#include "random_labels.h"
#include "suite.h"

#include "read/load/split_lanes.h"

static void split(struct profile *p, const char *how)
{
	struct error err = ERROR_INIT;

	ck_assert_msg(split_lanes(p, how, &err), "%s", err.text);
	ck_assert(!split_lanes_differs(p, how));
}

static void is_same_stack(const struct profile *p, const struct lane *a, node_id x,
			  const struct lane *b, node_id y)
{
	ck_assert_uint_eq(a->tree.rows[x], b->tree.rows[y]);
	for (; x; x = a->tree.parent[x], y = b->tree.parent[y])
		ck_assert_ptr_eq(profile_node_frame(p, a, x), profile_node_frame(p, b, y));
}

/* Compare a part with the samples of the lane whose value it has. Returns its time. */
static int64_t check_part(const struct profile *p, const struct lane *whole, const char *key,
			  const struct lane *part)
{
	const char *title = profile_text(p, part->title);
	bool is_none = !strcmp(title, "(no span)"), is_rest = strstr(title, "other values");
	uint64_t n_samples = 0;
	int64_t ns = 0;

	for (size_t i = 0; i < whole->samples.n; i++) {
		int64_t t = samples_time(&whole->samples, i);
		size_t k = samples_find(&part->samples, t);
		const char *value = value_of(p, whole, i, key);
		bool is_in = t >= samples_time(&part->samples, 0) &&
			t < samples_time(&part->samples, part->samples.n);
		node_id leaf = is_in ? part->samples.leaf[k] : NODE_ROOT;

		if (whole->samples.leaf[i] == NODE_ROOT ||
		    (!is_rest && strcmp(value, is_none ? "" : title) != 0)) {
			ck_assert(is_rest || leaf == NODE_ROOT);
			continue;
		}
		if (is_rest && leaf == NODE_ROOT)
			continue;
		is_same_stack(p, whole, whole->samples.leaf[i], part, leaf);
		ck_assert_int_eq(samples_time(&part->samples, k), t);
		ck_assert_uint_eq(part->labels[k], whole->labels[i]);
		ns += samples_time(&whole->samples, i + 1) - t;
		n_samples++;
	}
	ck_assert_uint_eq(part->n_samples, n_samples);
	ck_assert_int_eq(part->busy_ns + part->idle_ns + part->program_ns + part->gc_ns, ns);
	ck_assert_int_eq(part->unsampled_ns, part->t1 - part->t0 - ns);
	return ns;
}

static void check_parts(uint64_t n_spans, size_t n_lanes)
{
	struct profile *p = random_labels(7, n_spans);
	const struct lane *whole = p->lanes;
	int64_t ns = 0, before = INT64_MAX;

	split(p, "label:span");
	ck_assert_uint_eq(p->n_lanes, n_lanes);
	ck_assert_uint_eq(p->label_lanes.key, profile_split(p) - 1);
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		int64_t part = check_part(p, whole, "span", &p->lanes[i]);

		/* Most time first, then all others, then those without. */
		ck_assert(i + 2 >= p->n_lanes || part <= before);
		before = part;
		ns += part;
		ck_assert_uint_eq(p->lanes[i].id, i + 1);
	}
	ck_assert_int_eq(ns, whole->busy_ns + whole->idle_ns + whole->program_ns + whole->gc_ns);
	split(p, "none");
	ck_assert_ptr_eq(p->lanes, whole);
	ck_assert_uint_eq(p->n_lanes, 1);
	ck_assert_uint_eq(p->label_lanes.key, 0);
	split(p, "label:span");
	split(p, "label:endpoint");
	ck_assert_uint_eq(p->n_lanes, 3);
	ck_assert_str_eq(profile_text(p, p->lanes[2].title), "(no endpoint)");
	profile_free(p);
}

START_TEST(samples_are_on_the_lane_of_their_value)
{
	check_parts(4, 5);
}
END_TEST

START_TEST(values_beyond_a_limit_share_a_lane)
{
	struct profile *p = random_labels(7, 1000);

	split(p, "label:span");
	ck_assert_uint_eq(p->label_lanes.n_own, LABEL_LANES_MAX);
	ck_assert_uint_gt(p->label_lanes.n_all, LABEL_LANES_MAX);
	ck_assert_ptr_nonnull(
		strstr(profile_text(p, p->lanes[LABEL_LANES_MAX].title), " other values of span)"));
	profile_free(p);
	check_parts(1000, LABEL_LANES_MAX + 2);
}
END_TEST

START_TEST(what_is_no_label_is_refused)
{
	struct profile *p = random_labels(1, 4);
	struct error err = ERROR_INIT;

	ck_assert(!split_lanes(p, "label:x", &err));
	ck_assert_str_eq(err.text, "no sample has a label 'x'; there are endpoint, span");
	ck_assert_uint_eq(p->n_lanes, 1);
	err = (struct error)ERROR_INIT;
	ck_assert(!split_lanes(p, "cat", &err));
	ck_assert(!split_lanes_is_word("label:") && !split_lanes_is_word("x"));
	ck_assert(split_lanes_is_word("label:a b") && split_lanes_is_word("none"));
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "lanes", SUITE_SECONDS);

	tcase_add_test(t, samples_are_on_the_lane_of_their_value);
	tcase_add_test(t, values_beyond_a_limit_share_a_lane);
	tcase_add_test(t, what_is_no_label_is_refused);
}

int main(void)
{
	return suite_run("label_lanes", add_tests);
}
