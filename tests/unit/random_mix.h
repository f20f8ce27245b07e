/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random profiles of one or several lanes: samples, slices, hits. A seed determines all of it. */
#ifndef FLAMETTY_TESTS_RANDOM_MIX_H
#define FLAMETTY_TESTS_RANDOM_MIX_H

#include "base/alloc.h"
#include "model/build/builder.h"
#include "model/build/cpu_builder.h"
#include "model/build/track_builder.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t rng;
static int seed;

static inline uint64_t below(uint64_t n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (rng >> 11) % n;
}

static inline void set_seed(int to)
{
	seed = to;
	rng = UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(to + 1);
	for (int i = 0; i < 8; i++)
		below(2);
}

static const char *const names[] = {
	"a",      "b",      "c", "",  "parse",     "(idle)",    "(program)", "(garbage collector)",
	"(root)", "render", "f", "g", "RegExp: x", "(unknown)",
};

static const char *const urls[] = {
	"",
	"",
	"file:///app/main.js",
	"file:///app/util.js",
	"node:fs",
	"node:internal/timers",
	"file:///app/node_modules/left/index.js",
	"file:///app/node_modules/left/lib/pad.js",
	"file:///app/node_modules/@scope/right/index.js",
	"internal/old.js",
	"native array.js",
	"file:///app/node_modules/.pnpm/left@1.0.0/node_modules/left/index.js",
	"evalmachine.<anonymous>",
	"ext:core/x.js",
};

static inline uint32_t random_frame(struct builder *b)
{
	const char *name = names[below(ARRAY_LEN(names))],
		   *url = name[0] == '(' ? "" : urls[below(ARRAY_LEN(urls))];
	const char *script = below(2) ? "1" : "0";

	return cpu_builder_frame(b,
				 &(struct cpu_frame){ name, strlen(name), url, strlen(url), script,
						      1, (int64_t)below(3) - 1, 1 });
}

static inline void add_samples(struct builder *b, uint32_t n_nodes, size_t n)
{
	int64_t most = 1 + (int64_t)below(below(4) ? 20 : 1000000);
	bool has_zero = below(4) == 0;
	uint32_t stay = (uint32_t)below(8), last = 1;

	for (size_t i = 0; i < n; i++) {
		int64_t delta = has_zero && below(3) == 0 ? 0 : 1 + (int64_t)below((uint64_t)most);
		uint32_t slot;

		if (i == 0 || below(8) >= stay)
			last = 1 + (uint32_t)below(n_nodes);
		slot = cpu_builder_slot(b, last);
		cpu_builder_samples(b, &slot, 1);
		cpu_builder_deltas(b, &delta, 1);
	}
}

/* A lane of samples; of hits if n_samples is 0. It has few functions, so that some are recursive
 * and some occur in several places. */
static inline void add_cpu_lane(struct builder *b, int64_t tid, size_t n_samples)
{
	uint32_t n_nodes = 1 + (uint32_t)below(40), n_frames = 1 + (uint32_t)below(12), frames[12],
		 chain = (uint32_t)below(8);
	struct error err = ERROR_INIT;

	cpu_builder_begin(b);
	if (below(2))
		cpu_builder_form(b, CPU_AS_RECORDED);
	for (uint32_t i = 0; i < n_frames; i++)
		frames[i] = random_frame(b);
	for (uint32_t i = 0; i < n_nodes; i++) {
		uint32_t node = cpu_builder_node(b, cpu_builder_slot(b, i + 1),
						 frames[below(n_frames)], -1);

		if (i)
			cpu_builder_parent(
				b, node,
				cpu_builder_slot(b, below(8) < chain ? i : 1 + (int64_t)below(i)));
		if (n_samples == 0)
			cpu_builder_hits(b, node, (int64_t)below(5));
	}
	cpu_builder_start_time(b, 0);
	if (n_samples)
		add_samples(b, n_nodes, n_samples);
	else
		cpu_builder_end_time(b, 1000);
	if (!cpu_builder_end(b, 1, tid, &err))
		cpu_builder_drop(b);
}

/* Slices inside of [t0, t1), many of which touch and have the same name; at most `rows` on each
 * other. */
static inline void add_slices(struct builder *b, uint32_t track, uint32_t group, int64_t t0,
			      int64_t t1, unsigned rows)
{
	int64_t t = t0;

	while (t <= t1 && below(6)) {
		int64_t end = t + (int64_t)below((uint64_t)(t1 - t) + 1),
			gap = below(3) ? 0 : (int64_t)below(4);
		const char *name = names[below(3)];

		if (t >= t1 && below(2))
			return;
		track_builder_slice(
			b, track,
			&(struct track_slice){ .t0 = t,
					       .t1 = end,
					       .frame = track_builder_frame(b, name, strlen(name)),
					       .group = group,
					       .offset = -1,
					       .end_offset = -1 });
		if (rows > 1)
			add_slices(b, track, group, t, end, rows - 1);
		t = end + gap;
	}
}

static inline void add_slice_lane(struct builder *b, int64_t tid)
{
	static const enum lane_kind kinds[] = { LANE_SLICES, LANE_SLICES, LANE_SLICES, LANE_ASYNC,
						LANE_MARKS };
	enum lane_kind kind = kinds[below(ARRAY_LEN(kinds))];
	uint32_t track = track_builder_add(b, kind, 1, tid, kind == LANE_SLICES ? "" : "title",
					   kind == LANE_SLICES ? 0 : 5);

	for (uint32_t group = 0; group < (kind == LANE_ASYNC ? 1 + below(3) : 1); group++)
		add_slices(b, track, group, (int64_t)below(20), 20 + (int64_t)below(60),
			   kind == LANE_MARKS ? 1 : 5);
}

static inline struct profile *random_mix(void)
{
	struct builder_options options = { .is_raw = below(2) };
	struct builder *b = builder_new(&options);
	struct error err = ERROR_INIT;
	uint64_t n = 1 + below(3), kind = below(3);

	builder_input(b, "random");
	builder_accept_empty(b);
	for (uint64_t i = 0; i < n; i++) {
		if (kind == 0 || (kind == 1 && below(2)))
			add_slice_lane(b, (int64_t)i);
		else
			add_cpu_lane(b, (int64_t)i, below(10) ? 1 + below(60) : 0);
	}
	if (below(4) == 0)
		track_builder_counter_value(b, track_builder_counter(b, 1, "heap", 4), "used", 4, 5,
					    1);
	return builder_finish(b, &err);
}

/* Two lanes; the first has enough samples for blocks. */
static inline struct profile *random_long_mix(void)
{
	struct builder *b = builder_new(&(struct builder_options){ .is_raw = true });
	struct error err = ERROR_INIT;

	builder_input(b, "random");
	add_cpu_lane(b, 1, 16384 + below(4000));
	add_cpu_lane(b, 2, 50);
	return builder_finish(b, &err);
}

/* The two drivers, for loop tests: `check` gets a profile, which it frees. A loop of a loop test is
 * a process of its own, and takes many seeds. Both set the seed, so that a failure names it. */

#define RANDOM_SEEDS_A_LOOP 100
#define RANDOM_LONG_LOOPS 3

static inline void random_mix_loop(int loop, void (*check)(struct profile *))
{
	for (int i = 0; i < RANDOM_SEEDS_A_LOOP; i++) {
		set_seed(loop * RANDOM_SEEDS_A_LOOP + i);
		check(random_mix());
	}
}

static inline void random_long_mix_loop(int loop, void (*check)(struct profile *))
{
	set_seed(1000000 + loop);
	check(random_long_mix());
}

/* Take from a lane what it knows of slices that overlap those of other lanes, so that it stands
 * alone. */
static inline void forget_slice_time(struct lane *lane)
{
	int64_t ns = slice_time_lacking(lane->slice_time, INT64_MIN, INT64_MAX);

	lane->busy_ns -= ns;
	lane->unsampled_ns += ns;
	slice_time_free(lane->slice_time);
	lane->slice_time = NULL;
}

#endif
