/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples with random deltas are compared with a plain sort of their times. Deltas that fit into 32
 * bits are sorted in another way than those that do not, and than samples that come late. */
#include "config.h"

#include "load_text.h"
#include "suite.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define START_US 5000000
#define FUNCTIONS 5
#define MOST 3000

static uint64_t seed;

static int64_t below(int64_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (int64_t)((seed >> 24) % (uint64_t)n);
}

enum kind {
	KIND_SWAPS,  /* now and then a sample comes after the next one */
	KIND_EARLY,  /* some are earlier than all before them */
	KIND_CHAOS,  /* too many for moving them one by one */
	KIND_LIMIT,  /* at the limits of 32 bits, in ns */
	KIND_BEYOND, /* some are beyond them */
	KIND_EQUAL,  /* many at one time */
	KIND_COUNT
};

static int64_t delta_us(enum kind kind)
{
	switch (kind) {
	case KIND_SWAPS:
		return below(20) ? below(300) : -below(400);
	case KIND_EARLY:
		return below(50) ? below(300) : -below(20000);
	case KIND_CHAOS:
		return below(2000) - 1000;
	case KIND_LIMIT:
		return below(2) ? 2147483 - below(3) : 2 - 2147483 + below(3);
	case KIND_BEYOND:
		return below(900) ? below(2147483) : 2147484 + below(9000000);
	default:
		return below(4) ? 0 : below(3) - 1;
	}
}

struct sample {
	int64_t t; /* us since the start time */
	int function;
	size_t at; /* in the file */
};

static int by_time(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	if (x->t != y->t)
		return x->t < y->t ? -1 : 1;
	return x->at < y->at ? -1 : 1;
}

/* Make n samples, their times in the order of the file. */
static void make(struct sample *samples, int64_t *deltas, size_t n, enum kind kind)
{
	int64_t t = 0;

	for (size_t i = 0; i < n; i++) {
		deltas[i] = delta_us(kind);
		t += deltas[i];
		samples[i] = (struct sample){ t, (int)below(FUNCTIONS), i };
	}
}

static void add_nodes(struct buf *out)
{
	buf_adds(out, "{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[");
	for (int i = 0; i < FUNCTIONS; i++)
		buf_addf(out, "%s%d", i ? "," : "", 2 + i);
	buf_adds(out, "]}");
	for (int i = 0; i < FUNCTIONS; i++)
		buf_addf(out,
			 ",{'id':%d,'callFrame':{'functionName':'f%d','scriptId':'9',"
			 "'url':'file:///a.js','lineNumber':%d,'columnNumber':0}}",
			 2 + i, i, i);
	buf_addf(out, "],'startTime':%d,'endTime':%d", START_US, START_US + 1);
}

static void add_samples(struct buf *out, const struct sample *samples, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_addf(out, "%s%d", i ? "," : ",'samples':[", 2 + samples[i].function);
	buf_adds(out, "]");
}

static void add_deltas(struct buf *out, const int64_t *deltas, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_addf(out, "%s%lld", i ? "," : ",'timeDeltas':[", (long long)deltas[i]);
	buf_adds(out, "]");
}

static struct profile *load(struct buf *text)
{
	struct error err = ERROR_INIT;
	struct builder *b = builder_new(&(struct builder_options){ 0 });
	char *copy = quoted(buf_text(text));
	struct profile *p = load_text_with(b, copy, strlen(copy), SIZE_MAX, NULL, &err);

	if (!p)
		ck_abort_msg("not loaded: %s", err.text);
	free(copy);
	buf_done(text);
	return p;
}

/* Compare the lane with the samples, sorted. surplus_us: the end counted from the sample that the
 * file has last; -1: it has none. */
static void check_samples(const struct profile *p, struct sample *samples, size_t n,
			  int64_t surplus_us)
{
	const struct lane *lane = &p->lanes[0];
	int64_t written_last = samples[n - 1].t, zero;

	qsort(samples, n, sizeof *samples, by_time);
	ck_assert_uint_eq(lane->samples.n, n);
	zero = samples[0].t * 1000 - samples_time(&lane->samples, 0);
	for (size_t i = 0; i < n; i++) {
		char name[8];
		node_id leaf = lane->samples.leaf[i];

		snprintf(name, sizeof name, "f%d", samples[i].function);
		ck_assert_int_eq(samples_time(&lane->samples, i) + zero, samples[i].t * 1000);
		ck_assert_str_eq(profile_text(p, profile_node_frame(p, lane, leaf)->name), name);
	}
	if (surplus_us >= 0 && written_last + surplus_us >= samples[n - 1].t)
		ck_assert_int_eq(samples_time(&lane->samples, n) + zero,
				 (written_last + surplus_us) * 1000);
}

START_TEST(samples_are_sorted_as_their_times)
{
	struct sample samples[MOST];
	int64_t deltas[MOST + 1];

	for (int k = 0; k < 24; k++) {
		struct buf text = { 0 };
		size_t n;
		bool is_late = k % 4 == 1, has_surplus = k % 3 == 0;
		struct profile *p;

		seed = (uint64_t)(k * KIND_COUNT + _i);
		n = (size_t)(k < 6 ? 2 + below(20) : 2 + below(MOST - 1));
		make(samples, deltas, n, (enum kind)_i);
		/* Without it, all could be at one time. */
		deltas[0]++;
		for (size_t i = 0; i < n; i++)
			samples[i].t++;
		deltas[1] += 7;
		for (size_t i = 1; i < n; i++)
			samples[i].t += 7;
		deltas[n] = has_surplus ? below(90000) : -1;
		add_nodes(&text);
		if (!is_late)
			add_samples(&text, samples, n);
		add_deltas(&text, deltas, n + has_surplus);
		if (is_late)
			add_samples(&text, samples, n);
		buf_adds(&text, "}");
		p = load(&text);
		check_samples(p, samples, n, deltas[n]);
		profile_free(p);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "cpu_deltas", SUITE_SECONDS);

	tcase_add_loop_test(t, samples_are_sorted_as_their_times, 0, KIND_COUNT);
}

int main(void)
{
	return suite_run("cpu_deltas", add_tests);
}
