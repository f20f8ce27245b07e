/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The boxes of a picture have the time that samples have, whatever is drawn together; compared with
 * sums over samples, for random profiles and ranges. */
#include "config.h"

#include "random_profile.h"
#include "base/sink.h"
#include "story.h"
#include "suite.h"

#include "write/export/boxes.h"

#define ROWS_MAX 1000

static void collect(struct boxes *b, const struct profile *p, const struct boxes_plan *plan)
{
	struct sink *sink = sink_open_memory();
	struct error err = ERROR_INIT;

	ck_assert_msg(boxes_init(b, p, plan, sink, &err), "%s", err.text);
	ck_assert(sink_close(sink, &err));
}

static bool is_shown(const struct profile *p, const struct lane *lane, size_t i, bool has_idle)
{
	node_id leaf = lane->samples.leaf[i];

	return has_idle || leaf == NODE_ROOT ||
		profile_node_frame(p, lane, leaf)->category != CATEGORY_IDLE;
}

/* Add the time of the samples of a lane, by the depth of their stacks. */
static void add_times(const struct profile *p, const struct lane *lane,
		      const struct boxes_plan *plan, int64_t *ns)
{
	const struct samples *s = &lane->samples;

	for (size_t i = 0; i < s->n; i++) {
		int64_t t0 = samples_time(s, i) > plan->t0 ? samples_time(s, i) : plan->t0,
			t1 = samples_time(s, i + 1) < plan->t1 ? samples_time(s, i + 1) : plan->t1;

		if (t1 > t0 && is_shown(p, lane, i, plan->has_idle))
			for (unsigned row = 0; row < lane->tree.rows[s->leaf[i]]; row++)
				ns[row] += t1 - t0;
	}
}

/* A box of one call has the frame of the samples there. */
static void ck_frame(const struct box *box, const struct lane *lane, uint32_t depth, int64_t t0)
{
	const struct samples *s = &lane->samples;
	node_id leaf = s->leaf[samples_find(s, t0 + box->t0 + (box->t1 - box->t0) / 2)];

	if (lane->tree.rows[leaf] <= depth ||
	    lane->tree.frame[calltree_ancestor(&lane->tree, leaf, depth + 1)] != box->frame)
		ck_abort_msg("a box with another function");
}

static void ck_boxes(const struct boxes *b, const struct profile *p, const struct boxes_plan *plan)
{
	int64_t *ns = xcalloc(ROWS_MAX, sizeof *ns), *right = xcalloc(ROWS_MAX, sizeof *right);

	ck_assert_uint_le(b->n, plan->most);
	for (size_t g = 0; g < b->n_groups; g++) {
		const struct box_group *group = &b->groups[g];

		if (group->lane)
			add_times(p, group->lane, plan, ns + group->row);
		for (uint32_t i = 0; !group->lane && i < p->n_lanes; i++)
			if (p->lanes[i].samples.n)
				add_times(p, &p->lanes[i], plan, ns);
		ck_assert_int_eq(group->ns, ns[group->row]);
		for (size_t i = 0; i < b->n; i++) {
			const struct box *box = &b->list[i];

			if (box->row < group->row || box->row >= group->row + group->n_rows)
				continue;
			ns[box->row] -= box->ns;
			if (box->t0 < (group->lane ? right[box->row] : 0) ||
			    box->t1 > b->t1 - b->t0 || box->t1 - box->t0 < box->ns)
				ck_abort_msg("box %zu from %lld to %lld has %lld ns", i,
					     (long long)box->t0, (long long)box->t1,
					     (long long)box->ns);
			right[box->row] = box->t1;
			if (group->lane && box->n == 1 && box->ns)
				ck_frame(box, group->lane, box->row - group->row, plan->t0);
		}
	}
	for (uint32_t row = 0; row < ROWS_MAX; row++)
		if (ns[row])
			ck_abort_msg("row %u: %lld ns missing", row, (long long)ns[row]);
	free(ns);
	free(right);
}

static void try_random(int seed)
{
	struct profile *p;
	struct boxes b;
	struct boxes_plan plan = { 0 };

	p = random_profile(seed, 1 + (uint32_t)seed % 40, 1 + (size_t)seed * 7 % 300, 1 + seed % 3);
	for (int i = 0; i < 8; i++) {
		plan.t0 = i ? (int64_t)random_below((uint64_t)p->t1 + 1) : 0;
		plan.t1 = i ? plan.t0 + (int64_t)random_below((uint64_t)(p->t1 - plan.t0) + 1)
			    : p->t1;
		plan.min_ns = 1 + (int64_t)random_below(i % 2 ? 10 : 100000);
		plan.most = 1 + random_below(i % 3 ? 100000 : 200);
		plan.has_idle = random_below(2);
		if (plan.t1 <= plan.t0)
			continue;
		/* There is a box for each row at least. */
		plan.most += 100 * p->n_lanes;
		collect(&b, p, &plan);
		ck_boxes(&b, p, &plan);
		boxes_done(&b);
	}
	profile_free(p);
}

START_TEST(boxes_have_the_time_of_the_samples)
{
	for (int i = 0; i < SUITE_CASES(100); i++)
		try_random(i);
}
END_TEST

/* Short calls merged are counted in their caller's row only. */
START_TEST(merged_boxes_have_the_time_of_the_samples)
{
	struct boxes_plan plan = { .is_merged = true, .has_idle = true, .min_ns = 1 };

	for (int i = 0; i < SUITE_CASES(100); i++) {
		struct profile *p;
		struct boxes b;

		p = random_profile(i, 1 + (uint32_t)i % 40, 1 + (size_t)i * 7 % 300, 1 + i % 3);
		plan.t0 = (int64_t)random_below((uint64_t)p->t1 / 2 + 1);
		plan.t1 = p->t1;
		plan.most = 100000;
		collect(&b, p, &plan);
		ck_boxes(&b, p, &plan);
		boxes_done(&b);
		profile_free(p);
	}
}
END_TEST

/* Folded stacks: `n` lines of one stack each, of `deep` and of 2 rows in turn. */
static struct profile *load_stacks(unsigned n, unsigned deep)
{
	struct error err = ERROR_INIT;
	struct buf text = { 0 };
	struct profile *p;

	for (unsigned i = 0; i < n; i++) {
		for (unsigned row = 1; row < (i % 2 ? 2 : deep); row++)
			buf_adds(&text, "f;");
		buf_addf(&text, "g%u 1\n", i);
	}
	p = load_text(buf_text(&text), text.len, SIZE_MAX, NULL, &err);
	ck_assert_msg(p != NULL, "%s", err.text);
	buf_done(&text);
	return p;
}

static size_t count_much(const struct boxes *b)
{
	return b->n * 1000;
}

/* Limits that rows alone exceed: the passes end, after few of them, and what is left out is told.
 */
static const struct limits {
	size_t most, bytes_most;
	uint32_t rows_most;
	int64_t calls_most;
	bool is_merged;
	uint32_t depth; /* of the picture; 0: all */
	uint64_t n_left;
} limits[] = {
	{ 20, SIZE_MAX, 0, 0, false, 0, 0 },
	{ 1, SIZE_MAX, 0, 0, false, 0, 0 },
	{ 0, SIZE_MAX, 0, 0, false, 0, 0 },
	{ 50000, 10, 0, 0, false, 0, 0 },
	{ 50000, SIZE_MAX, 100, 0, false, 100, 800 },
	{ 20, SIZE_MAX, 100, 0, false, 100, 800 },
	{ 20, SIZE_MAX, 900, 0, false, 0, 0 },
	{ 50000, SIZE_MAX, 0, 3000, false, 599, 301 },
	{ 50000, SIZE_MAX, 0, 1, false, 500, 400 },
	{ 20, SIZE_MAX, 0, 0, true, 0, 0 },
	{ 0, SIZE_MAX, 0, 0, true, 0, 0 },
	{ 50000, 10, 0, 0, true, 0, 0 },
	{ 50000, SIZE_MAX, 100, 0, true, 100, 800 },
};

START_TEST(passes_end)
{
	const struct limits *l = &limits[_i];
	struct profile *p = load_stacks(10, 900);
	struct boxes_plan plan = { .t1 = p->t1,
				   .min_ns = 1,
				   .most = l->most,
				   .bytes_most = l->bytes_most,
				   .bytes_of = count_much,
				   .rows_most = l->rows_most,
				   .calls_most = l->calls_most,
				   .is_merged = l->is_merged };
	struct boxes b;

	collect(&b, p, &plan);
	ck_assert_uint_le(b.n_passes, 70);
	ck_assert_uint_le(b.n_rows, l->depth ? l->depth : 900);
	ck_assert_uint_le(b.n, l->most > 900 ? l->most : 900);
	ck_assert_uint_eq(b.cut.depth, l->depth);
	ck_assert_uint_eq(b.cut.n_rows, l->n_left);
	ck_assert_int_eq(boxes_is_cut(&b.cut), l->n_left > 0);
	boxes_done(&b);
	profile_free(p);
}
END_TEST

/* Lanes beyond the last row are left out, and counted. */
START_TEST(lanes_are_cut)
{
	char said[BOXES_CUT_MAX];
	struct buf text = { 0 };
	struct error err = ERROR_INIT;
	struct profile *p;
	struct boxes b;
	struct boxes_plan plan = { .min_ns = 1, .most = 1000, .rows_most = 20 };

	buf_adds(&text, "[");
	for (int i = 0; i < 30; i++)
		buf_addf(&text,
			 "%s{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":1,\"dur\":9,\"name\":"
			 "\"n\"}",
			 i ? "," : "", i + 1);
	buf_adds(&text, "]");
	p = load_text(buf_text(&text), text.len, SIZE_MAX, NULL, &err);
	ck_assert_msg(p != NULL, "%s", err.text);
	plan.t1 = p->t1;
	collect(&b, p, &plan);
	ck_assert_uint_eq(b.n_groups, 20);
	ck_assert_uint_eq(b.cut.n_lanes, 10);
	boxes_tell_cut(&b.cut, said);
	ck_assert_str_eq(said, "10 lanes are left out");
	boxes_done(&b);
	profile_free(p);
	buf_done(&text);
}
END_TEST

/* Short calls of one length: the lengths show which passes are not needed. */
START_TEST(passes_are_few)
{
	struct profile *p = load_stacks(4000, 300);
	struct boxes_plan plan = { .t1 = p->t1, .min_ns = 1, .most = 1000 };
	struct boxes b;

	collect(&b, p, &plan);
	ck_assert_uint_le(b.n_passes, 6);
	boxes_done(&b);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "random", SUITE_SECONDS);

	tcase_add_test(tc, boxes_have_the_time_of_the_samples);
	tcase_add_test(tc, merged_boxes_have_the_time_of_the_samples);
	tc = suite_case(suite, "limits", SUITE_SECONDS);
	tcase_add_loop_test(tc, passes_end, 0, ARRAY_LEN(limits));
	tcase_add_test(tc, lanes_are_cut);
	tcase_add_test(tc, passes_are_few);
}

int main(void)
{
	return suite_run("boxes", add_tests);
}
