/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The densest stretches of random sets, against a walk over all samples. Failures print the seed.
 */
#include "config.h"

#include "suite.h"

#include "findings/charge.h"

#include "random_profile.h"

#include "findings/finding_window.c"

#define SEEDS 60
#define SETS 4u

/* The time of a set in the stretch that ends with sample `last`. */
static int64_t walked(const struct charge_sample *list, const uint8_t *is_in, size_t last,
		      int64_t length, int64_t *t0)
{
	int64_t from = list[last].t1 - length, ns = 0;

	for (size_t i = last + 1; i-- > 0 && list[i].t1 > from;) {
		if (!is_in[i])
			continue;
		*t0 = list[i].t0 > from ? list[i].t0 : from;
		ns += list[i].t1 - *t0;
	}
	return ns;
}

static void check_set(const struct charge_sample *list, const uint8_t *is_in, size_t n,
		      int64_t length, const struct finding_stretch *found, bool has_runs, int seed)
{
	int64_t best = 0, best_t0 = 0, run = 0, longest = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t t0 = 0, ns = is_in[i] ? walked(list, is_in, i, length, &t0) : 0;
		bool goes_on = i && is_in[i - 1] && list[i - 1].t1 == list[i].t0;

		if (ns > best) {
			best = ns;
			best_t0 = t0;
		}
		run = !is_in[i] ? 0 : (goes_on ? run : 0) + list[i].t1 - list[i].t0;
		longest = run > longest ? run : longest;
	}
	ck_assert_msg(found->ns == best, "seed %d: %lld instead of %lld", seed,
		      (long long)found->ns, (long long)best);
	if (best)
		ck_assert_msg(found->t0 == best_t0, "seed %d: at %lld instead of %lld", seed,
			      (long long)found->t0, (long long)best_t0);
	if (has_runs)
		ck_assert_int_eq(found->run_ns, longest);
}

/* All samples of the window, with the sets of each. */
static size_t list_samples(struct charge_times *times, const uint16_t *mask,
			   struct charge_sample *list, uint8_t *is_in[SETS])
{
	struct charge_sample s;
	size_t n = 0;

	charge_times_rewind(times);
	while (charge_times_next(times, &s)) {
		for (unsigned k = 0; k < SETS; k++)
			is_in[k][n] = charge_times_is_busy(s.kind) && mask[s.key] >> k & 1;
		list[n++] = s;
	}
	return n;
}

/* Sets of few keys and of many, stretches that reach over several blocks and over a part of one,
 * with blocks and without, in one call and in steps. */
START_TEST(stretches_of_random_sets)
{
	size_t n_samples = _i % 3 ? 9000 : 300, n;
	struct profile *p = random_profile(_i, 40, n_samples, 1);
	const struct samples *samples = &p->lanes[0].samples;
	struct charge_sample *list = xcalloc(samples->n, sizeof *list);
	uint8_t *is_in[SETS];
	struct charge charge;
	struct charge_times times;
	struct finding_dense *dense;
	int64_t t0, t1, length;
	unsigned runs = (unsigned)random_below(1u << SETS);
	uint16_t *mask;

	charge_init(&charge, p, &p->lanes[0]);
	charge_work(&charge, BUDGET_UNLIMITED);
	random_range(p, &t0, &t1);
	charge_times_init(&times, &charge.stacks, t0, t1);
	charge_times_step(&times, BUDGET_UNLIMITED);
	mask = xcalloc(2 * (size_t)charge.stacks.n, sizeof *mask);
	for (charge_key key = 0; key < 2 * charge.stacks.n; key++)
		for (unsigned k = 0; times.ns[key] && k < SETS; k++)
			mask[key] |= (uint16_t)((random_below(20) < 1 + 4 * k * k / 2) << k);
	for (unsigned k = 0; k < SETS; k++)
		is_in[k] = xcalloc(samples->n, 1);
	length = 1 + (int64_t)random_below(_i % 2 ? 400000 : 40000000);
	dense = finding_dense_begin(&times, mask, SETS, runs, length);
	while (!finding_dense_work(dense, a_step()))
		;
	n = list_samples(&times, mask, list, is_in);
	for (unsigned k = 0; k < SETS; k++)
		check_set(list, is_in[k], n, length, &dense->sets[k].found, runs >> k & 1, _i);
	for (unsigned k = 0; k < SETS; k++)
		free(is_in[k]);
	finding_dense_end(dense);
	free(list);
	charge_times_done(&times);
	charge_done(&charge);
	profile_free(p);
}
END_TEST

/* Of many blocks, in steps, and from any of them on at once, on threads. Short stretches are full
 * in many places: the first of them counts. */
START_TEST(the_rest_at_once)
{
	struct profile *p = random_profile(_i / 2, 40, (MANY_BLOCKS + 9) * 1024, 1);
	int64_t length = _i % 2 ? 1 : p->t1 / 7;
	struct finding_stretch found[SETS] = { 0 };
	struct charge charge;
	struct charge_times times;
	bool is_complete = false;

	charge_init(&charge, p, &p->lanes[0]);
	charge_work(&charge, BUDGET_UNLIMITED);
	charge_times_init(&times, &charge.stacks, 0, p->t1);
	charge_times_step(&times, BUDGET_UNLIMITED);
	for (uint64_t n = 0; !is_complete; n = n ? 2 * n : 1) {
		uint16_t *mask = xcalloc(2 * (size_t)charge.stacks.n, sizeof *mask);
		struct budget some = budget_steps(n, 1000);
		struct finding_dense *dense;

		for (charge_key key = 0; key < 2 * charge.stacks.n; key++)
			mask[key] = (uint16_t)(times.ns[key] ? 1u << key / 2 % SETS : 0);
		dense = finding_dense_begin(&times, mask, SETS, 0, length);
		is_complete = n && finding_dense_work(dense, &some);
		ck_assert(finding_dense_work(dense, BUDGET_UNLIMITED));
		ck_assert_uint_ge(dense->n_blocks, MANY_BLOCKS);
		ck_assert_int_gt(dense->sets[0].found.ns, 0);
		for (unsigned k = 0; k < SETS; k++) {
			if (!n)
				found[k] = dense->sets[k].found;
			ck_assert_int_eq(dense->sets[k].found.ns, found[k].ns);
			ck_assert_int_eq(dense->sets[k].found.t0, found[k].t0);
		}
		finding_dense_end(dense);
	}
	charge_times_done(&times);
	charge_done(&charge);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *dense = suite_case(suite, "dense", SUITE_SECONDS);

	tcase_add_loop_test(dense, stretches_of_random_sets, 0, SEEDS);
	tcase_add_loop_test(dense, the_rest_at_once, 0, 6);
}

int main(void)
{
	return suite_run("finding_dense", add_tests);
}
