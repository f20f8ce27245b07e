/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The heaviest stack through a row, for a tree of a few calls, and against all stacks of random
 * trees. */
#include "config.h"

#include "analyse/heavy_stack.h"
#include "random_profile.h"
#include "recursion.h"
#include "suite.h"

#include "base/alloc.h"

/* Microseconds. */
static const char calls[] = "main;f;g 4\nmain;f;g;h 5\nmain;f;g;i 2\nmain;k;g 7\nmain;k;g;h 3\n"
			    "main;f;f;g 1\nother;g 6\n(idle) 9\n";

static struct profile *profile;
static struct view view;
static struct totals totals;
static struct heavy_stack stack;
static struct buf text;

static void load(struct profile *p)
{
	const struct lane *lane;

	profile = p;
	lane = &profile->lanes[0];
	view_init(&view, profile, &lane, 1);
	totals_init(&totals, &view);
	totals_compute(&totals, lane->t0, lane->t1);
}

static void setup(void)
{
	load(story_load(calls));
}

static void teardown(void)
{
	heavy_stack_done(&stack);
	totals_done(&totals);
	view_done(&view);
	profile_free(profile);
	buf_done(&text);
}

static frame_id frame_named(const char *name, size_t len)
{
	for (frame_id f = 1; f < profile->frames.n; f++) {
		const char *is = profile_text(profile, profile_frame(profile, f)->name);

		if (strlen(is) == len && memcmp(is, name, len) == 0)
			return f;
	}
	ck_abort_msg("no function %s", name);
}

/* The stack of a path such as "g<f" (a call of g by f) or "main>f", as `main f *g h`. */
static const char *found(enum heavy_from from, const char *path, struct budget *budget)
{
	frame_id *frames = xmalloc(16 * sizeof *frames);
	uint32_t n = 0;

	for (const char *p = path; *p;) {
		size_t len = strcspn(p, "<>");

		frames[n++] = frame_named(p, len);
		p += len + (p[len] != '\0');
	}
	heavy_stack_done(&stack);
	heavy_stack_begin(&stack, &totals, from, frames, n);
	while (!heavy_stack_step(&stack, budget))
		*budget = budget_steps(1, 1);
	buf_clear(&text);
	for (uint32_t i = 0; i < stack.n; i++)
		buf_addf(&text, "%s%s%s", i ? " " : "", i == stack.at ? "*" : "",
			 profile_text(
				 profile,
				 profile_frame(profile, view.tree->frame[stack.nodes[i]])->name));
	return buf_text(&text);
}

static const struct {
	enum heavy_from from;
	const char *path, *stack;
} cases[] = {
	/* g has 11 below main;f, of which h has 5 and g itself 4; 10 below main;k; 6 below other.
	 */
	{ HEAVY_CALLERS, "g", "main f *g h" },
	{ HEAVY_CALLERS, "g<k", "main *k g" }, /* g itself has more than h */
	{ HEAVY_CALLERS, "g<other", "*other g" },
	{ HEAVY_CALLERS, "g<f<main", "*main f g h" },
	{ HEAVY_CALLERS, "g<f<f", "main *f f g" },
	{ HEAVY_CALLERS, "main", "*main f g h" },
	{ HEAVY_CALLERS, "f", "main *f g h" }, /* the outermost one */
	{ HEAVY_CALLERS, "f<f", "main *f f g" },
	{ HEAVY_CALLERS, "k<f", "" },
	{ HEAVY_CALLERS, "h", "main f g *h" },
	{ HEAVY_CALLERS, "(idle)", "*(idle)" },
	{ HEAVY_ROOT, "main", "*main f g h" },
	{ HEAVY_ROOT, "main>k>g", "main k *g" },
	{ HEAVY_ROOT, "main>f>g>i", "main f g *i" },
	{ HEAVY_ROOT, "g", "" },
	{ HEAVY_OUTER, "g", "main f *g h" },
	{ HEAVY_OUTER, "g>h", "main f g *h" },
	{ HEAVY_OUTER, "f>f", "main f *f g" },
	{ HEAVY_OUTER, "f>f>g", "main f f *g" },
	{ HEAVY_OUTER, "f>k", "" },
};

START_TEST(the_heaviest_call_of_a_row_is_found)
{
	struct budget step = budget_steps(1, 1);

	ck_assert_str_eq(found(cases[_i].from, cases[_i].path, BUDGET_UNLIMITED), cases[_i].stack);
	/* In many steps, too. */
	ck_assert_str_eq(found(cases[_i].from, cases[_i].path, &step), cases[_i].stack);
}
END_TEST

/* Only calls with time in the range of the totals count. */
START_TEST(other_ranges_have_other_stacks)
{
	totals_compute(&totals, 11000, 22000);
	ck_assert_str_eq(found(HEAVY_CALLERS, "g", BUDGET_UNLIMITED), "main k *g");
	ck_assert_str_eq(found(HEAVY_CALLERS, "h", BUDGET_UNLIMITED), "main k g *h");
	ck_assert_str_eq(found(HEAVY_CALLERS, "i", BUDGET_UNLIMITED), "");
}
END_TEST

/* The largest total of all nodes of each function, by another way. */
START_TEST(no_call_of_a_function_is_heavier)
{
	teardown();
	load(random_profile(_i + 1, 60, 400, 1));
	for (uint32_t u = 0; u < totals.n_used; u++) {
		frame_id f = totals.used[u], *path = xmalloc(sizeof *path);
		int64_t most = 0;

		*path = f;
		heavy_stack_done(&stack);
		heavy_stack_begin(&stack, &totals, HEAVY_CALLERS, path, 1);
		ck_assert(heavy_stack_step(&stack, BUDGET_UNLIMITED));
		for (node_id i = 1; i < view.tree->n; i++)
			if (view.tree->frame[i] == f && totals.total[i] > most)
				most = totals.total[i];
		ck_assert_int_eq(stack.n > 0, most > 0);
		for (uint32_t i = 0; i < stack.n; i++) {
			node_id node = stack.nodes[i];

			ck_assert_uint_eq(view.tree->parent[node], i ? stack.nodes[i - 1] : 0);
			/* Below the call, each callee is the heaviest of its siblings. */
			for (node_id k = 1; i > stack.at && k < view.tree->n; k++)
				ck_assert(view.tree->parent[k] != view.tree->parent[node] ||
					  totals.total[k] <= totals.total[node]);
		}
		if (stack.n) {
			ck_assert_int_eq(totals.total[stack.nodes[stack.at]], most);
			ck_assert_uint_eq(view.tree->frame[stack.nodes[stack.at]], f);
		}
	}
}
END_TEST

#define LEVELS 20000
#define STEPS_MAX 20 /* for each level */

/* A path of all callers of a deep recursion is not compared for each of its calls. */
START_TEST(a_deep_recursion_takes_few_steps)
{
	frame_id *path;
	int n = 0;
	struct budget step;

	teardown();
	load(recursion_load(LEVELS));
	path = xmalloc(LEVELS / 2 * sizeof *path);
	for (int i = 0; i < LEVELS / 2; i++)
		path[i] = frame_named("a", 1);
	heavy_stack_begin(&stack, &totals, HEAVY_CALLERS, path, LEVELS / 2);
	do {
		step = budget_steps(1, 1000);
		n++;
	} while (!heavy_stack_step(&stack, &step));
	ck_assert_int_lt(n, STEPS_MAX * LEVELS / 1000);
	ck_assert_uint_eq(stack.n, LEVELS - 1); /* the innermost has no more than its caller */
	ck_assert_uint_eq(stack.at, 0);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "heavy_stack", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, the_heaviest_call_of_a_row_is_found, 0, N(cases));
	tcase_add_test(t, other_ranges_have_other_stacks);
	tcase_add_loop_test(t, no_call_of_a_function_is_heavier, 0, 20);
	tcase_add_test(t, a_deep_recursion_takes_few_steps);
}

int main(void)
{
	return suite_run("heavy_stack", add_tests);
}
