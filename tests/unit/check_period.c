/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Periods that were planted in signals, and signals without any. */
#include "config.h"

#include "analyse/period.h"
#include "base/alloc.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VALUES 4000

static float signal[VALUES];

/* From 0 to 1, the same on each machine. */
static double chance(void)
{
	static uint32_t state = 7;

	state = state * 1664525u + 1013904223u;
	return (state >> 8) / (double)(1 << 24);
}

/* Bursts of work at random times, of `load` of the time, `steps` long on average. */
static void add_work(double load, double steps)
{
	int left = 0;

	for (int i = 0; i < VALUES; i++) {
		if (!left && chance() < load / steps / (1 - load))
			left = (int)(-log(chance() + 1e-6) * steps) + 1;
		signal[i] = left ? 1 : 0;
		left -= left > 0;
	}
}

static void add_bursts(double length, double steps)
{
	for (double at = length * 0.6; at + steps < VALUES - 1; at += length)
		for (int i = (int)at; i < at + steps; i++) {
			double from = i > at ? i : at, to = i + 1 < at + steps ? i + 1 : at + steps;

			signal[i] += (float)(to - from) * (1 - signal[i]);
		}
}

static const struct {
	double length, steps, load;
} planted[] = {
	{ 140, 8, 0 },   { 140, 8, 0.2 },    { 57.3, 6, 0.3 },
	{ 9.5, 2, 0.1 }, { 333.3, 40, 0.1 }, { 400, 120, 0.05 },
};

START_TEST(planted_period_is_found)
{
	struct period p;
	double part;

	add_work(planted[_i].load, 4);
	add_bursts(planted[_i].length, planted[_i].steps);
	ck_assert(period_find(signal, VALUES, &p));
	ck_assert_msg(fabs(p.length - planted[_i].length) < planted[_i].length / 100, "%g, not %g",
		      p.length, planted[_i].length);
	/* The burst is where it was put. */
	part = (p.begin + p.end) / 2 - 0.6 - planted[_i].steps / 2 / planted[_i].length;
	ck_assert_msg(fabs(part - floor(part + 0.5)) < 0.1, "the burst is %g too late", part);
	ck_assert_msg(p.more > planted[_i].steps * (0.7 - planted[_i].load) &&
			      p.more < planted[_i].steps * 1.3,
		      "the burst has %g, not %g", p.more, planted[_i].steps);
}
END_TEST

START_TEST(nothing_comes_back)
{
	struct period p;

	if (_i < 20) {
		add_work(0.05 + 0.04 * _i, 1 + _i);
	} else if (_i == 20) {
		memset(signal, 0, sizeof signal);
	} else {
		/* Load that grows. */
		for (int i = 0; i < VALUES; i++)
			signal[i] = (float)i / VALUES;
	}
	ck_assert_msg(!period_find(signal, VALUES, &p), "%g", p.length);
}
END_TEST

/* Seven times are not enough. */
START_TEST(few_times_are_none)
{
	struct period p;

	memset(signal, 0, sizeof signal);
	add_bursts(VALUES / 7.2, 20);
	ck_assert(!period_find(signal, VALUES, &p) || p.length < VALUES / 8.);
	ck_assert(!period_find(signal, 10, &p));
	ck_assert(!period_find(signal, 0, &p));
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_loop_test(tc, planted_period_is_found, 0, (int)ARRAY_LEN(planted));
	tcase_add_loop_test(tc, nothing_comes_back, 0, 22);
	tcase_add_test(tc, few_times_are_none);
}

int main(void)
{
	return suite_run("period", add_tests);
}
