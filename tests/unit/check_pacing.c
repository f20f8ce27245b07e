/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures over simulated lines with a simulated clock: the output under way when a key is released
 * does not grow with the time that the key was held. */
#include "config.h"

#include "suite.h"

#include "base/clock.h"
#include "base/units.h"
#include "term/term.c"

#include <check.h>
#include <stdlib.h>

#define PICTURE 64000 /* bytes */
#define MAX_ANSWERS 64

static int64_t now_ns = NS_PER_S;

/* These replace the clock of base, which the linker then leaves out. */
int64_t clock_ns(void)
{
	return now_ns;
}

int64_t clock_used_ns(void)
{
	return now_ns;
}

static const struct line {
	double rate;      /* bytes a ns */
	int64_t delay_ns; /* each way */
	bool has_answers, is_remote;
} line_cases[] = {
	{ 32e-6, 100 * NS_PER_MS, true, true },  { 32e-6, 100 * NS_PER_MS, true, false },
	{ 8e-6, 300 * NS_PER_MS, true, true },   { 32e-6, 100 * NS_PER_MS, false, true },
	{ 2e-3, 100 * NS_PER_MS, true, true },   { 2e-3, 300 * NS_PER_MS, true, true },
	{ 100e-3, NS_PER_MS / 10, true, false },
};

/* Bytes on the line, and bytes that arrived. */
static struct {
	const struct line *line;
	int64_t free_ns; /* the line has nothing more to send */
	int64_t answers[MAX_ANSWERS];
	int n_answers;
	size_t left; /* bytes of the picture */
	bool is_cut;
	int n_updates;
	int64_t last_ns, longest_ns; /* an update was sent; the longest time between two */
} at;

static void send_part(void)
{
	size_t part = pacing_part_bytes(), n = at.left < part ? at.left : part;
	bool is_part = at.is_cut || n < at.left;

	at.left -= n;
	at.is_cut = at.left > 0;
	at.free_ns = (at.free_ns > now_ns ? at.free_ns : now_ns) +
		(int64_t)((double)n / at.line->rate);
	at.longest_ns = at.n_updates && now_ns - at.last_ns > at.longest_ns ? now_ns - at.last_ns
									    : at.longest_ns;
	at.last_ns = now_ns;
	at.n_updates++;
	pacing_sent(n);
	if (!pacing_asks(is_part) || !at.line->has_answers)
		return;
	ck_assert_int_lt(at.n_answers, MAX_ANSWERS);
	at.answers[at.n_answers++] = at.free_ns + 2 * at.line->delay_ns;
}

static void read_answers(void)
{
	int n = 0;

	pacing_looked();
	while (n < at.n_answers && at.answers[n] <= now_ns)
		n++;
	pacing_take(n);
	at.n_answers -= n;
	for (int i = 0; i < at.n_answers; i++)
		at.answers[i] = at.answers[i + n];
}

/* Hold a key whose pictures differ in all cells. Returns the time from the release of the key to
 * the arrival of the last byte. */
static int64_t hold(const struct line *line, int64_t hold_ns)
{
	int64_t start = now_ns, next_key = now_ns;
	bool has_key = false;

	at.n_updates = 0;
	at.longest_ns = 0;
	while (now_ns - start < hold_ns || has_key || at.left) {
		if (now_ns - start < hold_ns && now_ns >= next_key) {
			has_key = true;
			next_key += 33 * NS_PER_MS;
		}
		read_answers();
		if (pacing_wait_ns() == 0 && (has_key || at.left)) {
			if (has_key) {
				at.left = PICTURE;
				at.is_cut = has_key = false;
			}
			send_part();
		}
		now_ns += NS_PER_MS;
		ck_assert_int_lt(now_ns - start, hold_ns + 100 * NS_PER_S);
	}
	return at.free_ns + line->delay_ns - start - hold_ns;
}

static void rest(int64_t ns)
{
	for (int64_t end = now_ns + ns; now_ns < end; now_ns += NS_PER_MS)
		read_answers();
}

START_TEST(held_key)
{
	static const int64_t holds[] = { 1, 5, 20, 2 };
	const struct line *line = &line_cases[_i];
	int64_t picture_ns = (int64_t)(PICTURE / line->rate);

	at.line = line;
	at.n_answers = 0;
	at.left = 0;
	memset(&pacing, 0, sizeof pacing);
	pacing.is_remote = line->is_remote;
	pacing_begin();
	/* The first picture, before anything is known. */
	hold(line, NS_PER_MS);
	rest(10 * NS_PER_S + 2 * picture_ns);
	for (size_t i = 0; i < sizeof holds / sizeof holds[0]; i++) {
		int64_t backlog = hold(line, holds[i] * NS_PER_S);

		/* Two parts, the picture, and the delay of the line. */
		ck_assert_msg(backlog < picture_ns * 5 / 4 + NS_PER_S + 3 * line->delay_ns,
			      "line %d, held %d s: %.2f s behind", _i, (int)holds[i],
			      (double)backlog / NS_PER_S);
		if (picture_ns > NS_PER_S)
			ck_assert_msg(at.longest_ns < 3 * NS_PER_S / 2 + 2 * line->delay_ns,
				      "line %d: nothing for %.2f s", _i,
				      (double)at.longest_ns / NS_PER_S);
		else
			ck_assert_msg(at.n_updates >= holds[i], "line %d, held %d s: %d pictures",
				      _i, (int)holds[i], at.n_updates);
		rest(3 * NS_PER_S);
	}
}
END_TEST

/* A terminal that does not answer is never waited for. */
START_TEST(silent_and_near)
{
	memset(&pacing, 0, sizeof pacing);
	pacing_begin();
	for (int i = 0; i < 100; i++) {
		ck_assert_uint_eq(pacing_part_bytes(), SIZE_MAX);
		ck_assert_int_eq(pacing_wait_ns(), 0);
		pacing_sent(PICTURE);
		ck_assert_int_eq(pacing_asks(false), i == 0);
		now_ns += 10 * NS_PER_MS;
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tcase = suite_case(suite, "pacing", SUITE_SECONDS);

	tcase_add_loop_test(tcase, held_key, 0, N(line_cases));
	tcase_add_test(tcase, silent_and_near);
}

int main(void)
{
	return suite_run("pacing", add_tests);
}
