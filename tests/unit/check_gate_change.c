/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gates about changes: the limit, the floor, and what the number of runs can decide. */
#include "config.h"

#define SUITE_OF_MANY
#include "suite.h"

#include <math.h>
#include <string.h>

#include "analyse/gate/gate.c"

#define RUNS_MAX 8

/* Shares in percent. Values end with 0. */
static const struct {
	const char *gate;
	double before[RUNS_MAX], after[RUNS_MAX];
	int n_gates; /* how many there are of it */
	bool has_failed, is_above_floor;
	double change, p;
	enum gate_doubt doubt;
} cases[] = {
	/* One run on each side: medians decide. */
	{ "gc > +5%", { 10 }, { 12 }, 1, true, true, 20, 1, GATE_DOUBT_RUNS },
	{ "gc > +25%", { 10 }, { 12 }, 1, false, true, 20, 1, GATE_DOUBT_RUNS },
	{ "gc > +1pt", { 10 }, { 12 }, 1, true, true, 2, 1, GATE_DOUBT_RUNS },
	{ "gc > +3pt", { 10 }, { 12 }, 1, false, true, 2, 1, GATE_DOUBT_RUNS },
	{ "gc < -5%", { 10 }, { 8 }, 1, true, true, -20, 1, GATE_DOUBT_RUNS },
	{ "gc < -5%", { 10 }, { 12 }, 1, false, true, 20, 1, GATE_DOUBT_RUNS },
	/* Below the floor of 1 % of all. */
	{ "gc > +5%", { 1 }, { 1.9 }, 1, false, false, 90, 1, GATE_DOUBT_RUNS },
	{ "gc > +5%", { 1 }, { 2.5 }, 1, true, true, 150, 1, GATE_DOUBT_RUNS },
	/* A function that is new. */
	{ "gc > +5%", { 0.0 }, { 5 }, 1, true, true, INFINITY, 1, GATE_DOUBT_RUNS },
	/* 4 + 4 runs can decide one gate: 2/70, and 4/70 is above 0.05. */
	{ "gc > +5%",
	  { 10, 11, 12, 13 },
	  { 14, 15, 16, 17 },
	  1,
	  true,
	  true,
	  34.7826086956522,
	  2.0 / 70,
	  GATE_SURE },
	{ "gc > +5%",
	  { 10, 11, 12, 13 },
	  { 14, 15, 16, 17 },
	  2,
	  false,
	  true,
	  34.7826086956522,
	  4.0 / 70,
	  GATE_DOUBT_GATES },
	/* Beyond the limit, and not shown to differ. */
	{ "gc > +5%",
	  { 10, 11, 12, 16.5 },
	  { 14, 15, 16, 17 },
	  1,
	  false,
	  true,
	  34.7826086956522,
	  14.0 / 70,
	  GATE_SURE },
	/* One run that went wrong does not move the median. */
	{ "gc > +5%",
	  { 10, 11, 12, 13, 10.5 },
	  { 14, 15, 16, 17, 90 },
	  1,
	  true,
	  true,
	  45.4545454545455,
	  2.0 / 252,
	  GATE_SURE },
	/* 5 + 5 runs can decide six, 6 + 6 twenty-three. */
	{ "gc > +5%",
	  { 10, 11, 12, 13, 14 },
	  { 20, 21, 22, 23, 24 },
	  6,
	  true,
	  true,
	  83.3333333333333,
	  12.0 / 252,
	  GATE_SURE },
	{ "gc > +5%",
	  { 10, 11, 12, 13, 14 },
	  { 20, 21, 22, 23, 24 },
	  7,
	  false,
	  true,
	  83.3333333333333,
	  14.0 / 252,
	  GATE_DOUBT_GATES },
	{ "gc > +5%",
	  { 10, 11, 12, 13, 14, 15 },
	  { 20, 21, 22, 23, 24, 25 },
	  23,
	  true,
	  true,
	  80,
	  46.0 / 924,
	  GATE_SURE },
	{ "gc > +5%",
	  { 10, 11, 12, 13, 14, 15 },
	  { 20, 21, 22, 23, 24, 25 },
	  24,
	  false,
	  true,
	  80,
	  48.0 / 924,
	  GATE_DOUBT_GATES },
	/* A block has no floor. */
	{ "blocked > +20%", { 0.1 }, { 0.2 }, 1, true, true, 100, 1, GATE_DOUBT_RUNS },
};

static size_t add_runs(struct gate_run *runs, size_t n, const double *values, bool is_after)
{
	for (size_t i = 0; i < RUNS_MAX && (i == 0 || values[i] > 0); i++)
		runs[n++] = (struct gate_run){ is_after, values[i], 100 };
	return n;
}

START_TEST(limit_floor_and_runs)
{
	struct gate_change changes[24];
	struct gate_run runs[2 * RUNS_MAX];
	struct error err = ERROR_INIT;
	struct gate gate;
	size_t n;

	ck_assert_msg(gate_parse(&gate, cases[_i].gate, true, &err), "%s", err.text);
	/* The order of the runs does not matter. */
	n = add_runs(runs, 0, _i % 2 ? cases[_i].after : cases[_i].before, _i % 2);
	n = add_runs(runs, n, _i % 2 ? cases[_i].before : cases[_i].after, _i % 2 == 0);
	for (int i = 0; i < cases[_i].n_gates; i++)
		changes[i] = (struct gate_change){ .gate = &gate, .runs = runs, .n_runs = n };
	gate_change_decide(changes, (size_t)cases[_i].n_gates, 0.01);
	for (int i = 0; i < cases[_i].n_gates; i++) {
		const struct gate_change *c = &changes[i];

		ck_assert_msg(c->has_failed == cases[_i].has_failed &&
				      c->is_above_floor == cases[_i].is_above_floor &&
				      c->doubt == cases[_i].doubt,
			      "failed %d, above floor %d, doubt %d, p %g", c->has_failed,
			      c->is_above_floor, (int)c->doubt, c->p);
		ck_assert_msg(c->change == cases[_i].change ||
				      fabs(c->change - cases[_i].change) < 1e-9,
			      "change %.15g", c->change);
		ck_assert_msg(fabs(c->p - cases[_i].p) < 1e-12, "p %g", c->p);
	}
	gate_done(&gate);
}
END_TEST

/* Something else that no run has is no failure of a gate that wants less. */
START_TEST(lack)
{
	struct gate_run runs[] = { { false, 0, 100 }, { true, 0, 100 } };
	struct gate_change change = { .runs = runs, .n_runs = 2, .lack = GATE_LACKS_MATCH };
	struct error err = ERROR_INIT;
	struct gate gate;

	ck_assert(gate_parse(&gate, "total(none) > +0%", true, &err));
	change.gate = &gate;
	gate_change_decide(&change, 1, 0);
	ck_assert(!change.has_failed);
	ck_assert_int_eq(change.doubt, GATE_DOUBT_LACK);
	gate_done(&gate);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *rules = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_loop_test(rules, limit_floor_and_runs, 0, N(cases));
	tcase_add_test(rules, lack);
}

int main(void)
{
	return suite_run("gate_change", add_tests);
}
