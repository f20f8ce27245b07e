/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stable sort: order, stability, and what it costs when the items are in order. */
#include "config.h"

#include "suite.h"

#include "base/hash.h"
#include "base/sort.h"

#include <stdlib.h>

struct item {
	char key;
	uint32_t at; /* where it stood */
	char tail[3];
};

struct rule {
	bool is_downwards;
	size_t *n_calls;
};

static bool before(const void *a, const void *b, const void *ctx)
{
	const struct item *x = a, *y = b;
	const struct rule *rule = ctx;

	++*rule->n_calls;
	return rule->is_downwards ? x->key > y->key : x->key < y->key;
}

START_TEST(equal_items_keep_their_order)
{
	static struct item items[300];
	uint64_t random = 7;

	for (size_t n = 0; n < 300; n++) {
		size_t n_calls = 0;
		struct rule rule = { n % 2 == 0, &n_calls };

		for (size_t i = 0; i < n; i++) {
			random = hash_u64(random + i);
			items[i] = (struct item){ (char)(random % 9), (uint32_t)i, "ab" };
		}
		sort_stable(items, n, sizeof *items, before, &rule);
		for (size_t i = 1; i < n; i++) {
			ck_assert(!before(&items[i], &items[i - 1], &rule));
			ck_assert(items[i].key != items[i - 1].key ||
				  items[i].at > items[i - 1].at);
			ck_assert_str_eq(items[i].tail, "ab");
		}
	}
}
END_TEST

START_TEST(ordered_items_cost_one_comparison_each)
{
	static struct item items[1000];
	size_t n_calls = 0;
	struct rule rule = { false, &n_calls };

	for (size_t i = 0; i < 1000; i++)
		items[i] = (struct item){ (char)(i / 100), (uint32_t)i, "" };
	sort_stable(items, 1000, sizeof *items, before, &rule);
	ck_assert_uint_eq(n_calls, 999);
	for (size_t i = 0; i < 1000; i++)
		ck_assert_uint_eq(items[i].at, i);
}
END_TEST

/* Numbers of some bits in some place, and all that is left out of them. */
static const uint64_t masks[] = { 0,          0xff,       0x1ff,         0xff00ff,
				  UINT64_MAX, 1ull << 63, 0xffull << 56, 0xfffffull << 30 };

START_TEST(numbers_are_sorted_in_steps)
{
	enum { N = 1000 };
	uint64_t items[N], expected[N], random = 11;
	struct budget budget = budget_steps(1, 64);

	for (size_t n = 0; n <= N; n += n < 4 ? 1 : 249) {
		struct number_sorting *sorting;
		size_t calls = 1;

		for (size_t i = 0; i < n; i++) {
			random = hash_u64(random + i);
			expected[i] = items[i] = random & masks[_i];
		}
		/* By inserting. */
		for (size_t i = 1; i < n; i++)
			for (size_t k = i; k > 0 && expected[k] < expected[k - 1]; k--) {
				uint64_t swap = expected[k];

				expected[k] = expected[k - 1];
				expected[k - 1] = swap;
			}
		sorting = sort_numbers_begin(items, n);
		while (!sort_numbers_step(sorting, &budget)) {
			calls++;
			budget = budget_steps(1, 64);
		}
		sort_numbers_end(sorting);
		for (size_t i = 0; i < n; i++)
			ck_assert_uint_eq(items[i], expected[i]);
		ck_assert(n < N || calls >= N / 64);
	}
	/* It may end before it is complete. */
	sort_numbers_end(sort_numbers_begin(items, N));
	sort_numbers_end(NULL);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "sort", SUITE_SECONDS);

	tcase_add_test(t, equal_items_keep_their_order);
	tcase_add_test(t, ordered_items_cost_one_comparison_each);
	tcase_add_loop_test(t, numbers_are_sorted_in_steps, 0, N(masks));
}

int main(void)
{
	return suite_run("sort", add_tests);
}
