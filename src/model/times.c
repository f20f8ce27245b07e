/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps are stored over the times that they are made from: a group is copied before its steps,
 * which need half of the room, are written. */
#include "config.h"

#include "model/times.h"

#include "base/alloc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define STEP 8 /* times that are read at once */

/* What is still to be packed. */
struct packing {
	struct times *times;
	size_t n_high, cap_high;
};

/* Store the upper 32 bits of the steps of a group. */
static void add_high(struct packing *p, struct times_group *g, const int64_t *t, size_t n)
{
	struct times *times = p->times;

	times->high = xgrow(times->high, &p->cap_high, p->n_high + n, sizeof *times->high);
	g->high = p->n_high + 1;
	for (size_t i = 0; i < n; i++)
		times->high[p->n_high++] = (uint32_t)((uint64_t)(t[i] - t[0]) >> 32);
}

static void begin_packing(struct packing *p, struct times *times, size_t n)
{
	*p = (struct packing){ .times = times };
	*times = (struct times){ 0 };
	times->groups = xmalloc((n - 1) / TIMES_GROUP * sizeof *times->groups +
				sizeof *times->groups);
}

/* Pack group `number` of m times. Its steps are written to `out`. */
static void pack_group(struct packing *p, size_t number, const int64_t *t, size_t m, void *out)
{
	struct times_group *g = &p->times->groups[number];
	uint32_t step[TIMES_GROUP] = { 0 };
	uint64_t all = 0;

	*g = (struct times_group){ .base = t[0] };
	for (size_t i = 0; i < m; i++) {
		all |= (uint64_t)(t[i] - t[0]);
		step[i] = (uint32_t)(uint64_t)(t[i] - t[0]);
	}
	if (all > UINT32_MAX)
		add_high(p, g, t, m);
	memcpy(out, step, m * sizeof *step);
}

static void end_packing(struct packing *p, void *steps, size_t n)
{
	struct times *times = p->times;

	times->step = xrealloc(steps, n, sizeof *times->step);
	if (times->high)
		times->high = xrealloc(times->high, p->n_high, sizeof *times->high);
}

/* Pack n times, from the first one on. The steps may be written over them. */
static void pack(struct times *times, const char *from_t, char *steps, size_t n, int64_t by)
{
	struct packing p;

	begin_packing(&p, times, n);
	for (size_t from = 0; from < n; from += TIMES_GROUP) {
		size_t m = n - from < TIMES_GROUP ? n - from : TIMES_GROUP;
		int64_t t[TIMES_GROUP] = { 0 };

		memcpy(t, from_t + from * sizeof *t, m * sizeof *t);
		for (size_t i = 0; i < m; i++)
			t[i] -= by;
		pack_group(&p, from / TIMES_GROUP, t, m, steps + from * sizeof(uint32_t));
	}
	end_packing(&p, steps, n);
}

void times_pack(struct times *times, int64_t *take_t, size_t n, int64_t by)
{
	pack(times, (const char *)take_t, (char *)take_t, n, by);
}

void times_pack_copy(struct times *times, const int64_t *t, size_t n, int64_t by)
{
	pack(times, (const char *)t, xmalloc(n * sizeof(uint32_t)), n, by);
}

/* The sum of n steps. */
static uint64_t sum(const uint32_t *steps, size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += steps[i];
	return all;
}

/* Add up steps 1 to m - 1, in place; step 0 becomes 0. */
static void add_up(uint32_t *steps, size_t m)
{
	uint32_t since = 0;

	steps[0] = 0;
	for (size_t i = 1; i < m; i++)
		steps[i] = since += steps[i];
}

/* Pack a group of m times: `base`, and those after it by steps 1 to m - 1. has_end: and `end`. */
static void pack_added(struct packing *p, size_t number, int64_t base, uint32_t *steps, size_t m,
		       bool has_end, int64_t end)
{
	int64_t t[TIMES_GROUP] = { base };

	for (size_t i = 1; i < m; i++)
		t[i] = t[i - 1] + steps[i];
	if (has_end)
		t[m] = end;
	pack_group(p, number, t, m + has_end, steps);
}

void times_pack_steps(struct times *times, uint32_t *take_steps, size_t n, int64_t t0, int64_t t1)
{
	uint32_t *steps = xrealloc(take_steps, n + 1, sizeof *steps);
	size_t n_whole = n / TIMES_GROUP; /* groups without the end */
	struct packing p;
	int64_t t = t0;

	steps[0] = 0;
	begin_packing(&p, times, n + 1);
	for (size_t k = 0; k < n_whole; k++) {
		uint32_t *of = steps + k * TIMES_GROUP;
		uint64_t length = sum(of + 1, TIMES_GROUP - 1);

		t += of[0];
		p.times->groups[k] = (struct times_group){ .base = t };
		if (length > UINT32_MAX)
			pack_added(&p, k, t, of, TIMES_GROUP, false, 0);
		else
			add_up(of, TIMES_GROUP);
		t += (int64_t)length;
	}
	if (n % TIMES_GROUP)
		pack_added(&p, n_whole, t + steps[n_whole * TIMES_GROUP],
			   steps + n_whole * TIMES_GROUP, n % TIMES_GROUP, true, t1);
	else
		pack_group(&p, n_whole, &t1, 1, steps + n);
	end_packing(&p, steps, n + 1);
}

void times_set(struct times *times, int64_t t0, int64_t t1)
{
	int64_t *t = xmalloc(2 * sizeof *t);

	t[0] = t0;
	t[1] = t1;
	times_pack(times, t, 2, 0);
}

/* Add up n times of a group without upper bits. */
static void read_group(int64_t base, const uint32_t *restrict step, size_t n, int64_t *restrict out)
{
	size_t i = 0;

	for (; n - i >= STEP; i += STEP)
		for (size_t k = i; k < i + STEP; k++)
			out[k] = base + step[k];
	for (; i < n; i++)
		out[i] = base + step[i];
}

void times_read(const struct times *times, size_t from, size_t n, int64_t *out)
{
	for (size_t end = from + n; from < end;) {
		const struct times_group *g = &times->groups[from / TIMES_GROUP];
		size_t stop = (from / TIMES_GROUP + 1) * TIMES_GROUP;
		size_t m = (stop < end ? stop : end) - from;

		if (g->high)
			for (size_t i = 0; i < m; i++)
				out[i] = times_at(times, from + i);
		else
			read_group(g->base, times->step + from, m, out);
		out += m;
		from += m;
	}
}

void times_shift(struct times *times, size_t n, int64_t by)
{
	for (size_t i = 0; i < n; i += TIMES_GROUP)
		times->groups[i / TIMES_GROUP].base += by;
}

size_t times_until(const struct times *times, size_t n, int64_t t)
{
	size_t lo = 0, hi = n ? (n - 1) / TIMES_GROUP + 1 : 0, end;

	/* The number of groups that begin at t or earlier. */
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (times->groups[mid].base <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0)
		return 0;
	end = lo * TIMES_GROUP < n ? lo * TIMES_GROUP : n;
	/* The rest is in the last of these groups. */
	for (lo = (lo - 1) * TIMES_GROUP, hi = end; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;

		if (times_at(times, mid) <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

void times_done(struct times *times)
{
	free(times->groups);
	free(times->step);
	free(times->high);
	*times = (struct times){ 0 };
}
