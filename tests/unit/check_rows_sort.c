/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of rows: keys in their order, few and many, against the rule in rows_sort.h. */
#include "config.h"

#include "random_mix.h"
#include "suite.h"

#include "analyse/rows/rows_sort.c"

/* From 1000 keys on, and from 1000 keys with the same first number on, digits of 8 bits are sorted
 * instead. */
static const struct {
	size_t n;
	uint64_t n_firsts, n_seconds;
	int shift; /* of the numbers, to the left */
} cases[] = {
	{ 1, 5, 5, 0 },
	{ 999, 40, 40, 0 },
	{ 1000, 40, 40, 0 },
	/* One run, and several runs above and below the limit. */
	{ 1000, 1, 300, 0 },
	{ 3000, 2, 300, 0 },
	{ 3000, 5, 70000, 0 },
	{ 5000, 100000, 3, 0 },
	/* Digits without their lowest bit, and with the highest bit of a number. */
	{ 2000, 100, 100, 1 },
	{ 2000, 1, 100, 1 },
	{ 2000, 30, 30, 7 },
	{ 2000, 30, 30, 8 },
	{ 2000, 1000, 1000, 53 },
};

static bool is_in_order(const struct rows_key *a, const struct rows_key *b)
{
	if (a->first != b->first)
		return a->first > b->first;
	if (a->second != b->second)
		return a->second > b->second;
	return a->frame < b->frame;
}

START_TEST(the_larger_numbers_come_first)
{
	size_t n = cases[_i].n;
	struct rows_key *keys = xcalloc(n, sizeof *keys), *all = xcalloc(n, sizeof *all),
			*spare = xcalloc(n, sizeof *spare);
	uint8_t *is_seen = xcalloc(n, 1);

	set_seed(_i);
	for (size_t i = 0; i < n; i++)
		all[i] = keys[i] = (struct rows_key){
			.first = (int64_t)((1 + below(cases[_i].n_firsts)) << cases[_i].shift),
			.second = (int64_t)(below(cases[_i].n_seconds) << cases[_i].shift),
			.at = (uint32_t)i,
			.frame = (frame_id)i + 1,
		};
	rows_sort_keys(NULL, keys, spare, n);
	for (size_t i = 0; i < n; i++) {
		ck_assert(i == 0 || is_in_order(&keys[i - 1], &keys[i]));
		ck_assert(keys[i].at < n && !is_seen[keys[i].at]);
		is_seen[keys[i].at] = 1;
		ck_assert_mem_eq(&keys[i], &all[keys[i].at], sizeof *keys);
	}
	free(keys);
	free(all);
	free(spare);
	free(is_seen);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rows_sort", SUITE_SECONDS);

	tcase_add_loop_test(t, the_larger_numbers_come_first, 0, N(cases));
}

int main(void)
{
	return suite_run("rows_sort", add_tests);
}
