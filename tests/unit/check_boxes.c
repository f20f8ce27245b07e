/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The boxes of a picture have the time that samples have, whatever is drawn together; compared with
 * sums over samples, for random profiles and ranges. */
#include "config.h"

#include "random_profile.h"
#include "story.h"
#include "suite.h"

#include "export/boxes.h"

#define ROWS_MOST 1000

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
	int64_t *ns = xcalloc(ROWS_MOST, sizeof *ns), *right = xcalloc(ROWS_MOST, sizeof *right);

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
	for (uint32_t row = 0; row < ROWS_MOST; row++)
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

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "random", SUITE_SECONDS);

	tcase_add_test(tc, boxes_have_the_time_of_the_samples);
	tcase_add_test(tc, merged_boxes_have_the_time_of_the_samples);
}

int main(void)
{
	return suite_run("boxes", add_tests);
}
