/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random profiles for tests that count by hand: functions of the application, of packages, of
 * Node.js, native ones, idle, program and garbage collection; samples of any length, also of none.
 */
#ifndef FLAMETTY_TESTS_RANDOM_PROFILE_H
#define FLAMETTY_TESTS_RANDOM_PROFILE_H

#include "base/alloc.h"
#include "model/build/builder.h"
#include "model/build/cpu_builder.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state = 1;

static inline uint64_t random_below(uint64_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 11) % n;
}

static inline void random_seed(int seed)
{
	random_state = 0x9E3779B97F4A7C15u * (uint64_t)(seed + 1);
	random_below(2);
}

static inline uint32_t random_frame(struct builder *b, uint64_t kind)
{
	static const char *const pseudo[] = { "(idle)", "(program)", "(garbage collector)",
					      "stat" };
	static const char *const url[] = {
		"file:///srv/app/main.js",
		"file:///srv/app/lib/parse.js",
		"file:///srv/app/node_modules/left-pad/index.js",
		"file:///srv/app/node_modules/@scope/deep/lib.js",
		"node:fs",
	};
	char name[16];
	int len = snprintf(name, sizeof name, "f%d", (int)(kind % 7));
	const char *at = url[kind % 5];

	if (kind < 4)
		return cpu_builder_frame(b,
					 &(struct cpu_frame){ pseudo[kind], strlen(pseudo[kind]),
							      "", 0, "0", 1, -1, -1 });
	return cpu_builder_frame(b,
				 &(struct cpu_frame){ name, (size_t)len, at, strlen(at), "1", 1,
						      (int64_t)(kind % 3), 1 });
}

/* One more lane of samples. */
static inline void random_lane(struct builder *b, int64_t tid, uint32_t n_nodes, size_t n_samples)
{
	struct error err = ERROR_INIT;
	int chain = (int)random_below(9);

	cpu_builder_begin(b);
	for (uint32_t i = 0; i < n_nodes; i++) {
		uint32_t frame = i
			? random_frame(b, random_below(25))
			: cpu_builder_frame(
				  b, &(struct cpu_frame){ "(root)", 6, "", 0, "0", 1, -1, -1 });
		uint32_t node = cpu_builder_node(b, cpu_builder_slot(b, i + 1), frame, -1);

		if (i)
			cpu_builder_parent(
				b, node,
				cpu_builder_slot(b,
						 (int)random_below(8) < chain
							 ? i
							 : 1 + (int64_t)random_below(i)));
		if (i && random_below(4) == 0)
			cpu_builder_ticks(b, node, 1 + (int64_t)random_below(3),
					  1 + (int64_t)random_below(9));
	}
	cpu_builder_start_time(b, 0);
	for (size_t i = 0; i < n_samples; i++) {
		int64_t delta = random_below(5) == 0 ? 0 : (int64_t)random_below(40);
		uint32_t slot = cpu_builder_slot(b, 1 + (int64_t)random_below(n_nodes));

		cpu_builder_samples(b, &slot, 1);
		cpu_builder_deltas(b, &delta, 1);
	}
	cpu_builder_end_time(b, (int64_t)n_samples * 25);
	ck_assert_msg(cpu_builder_end(b, 1, tid, &err), "%s", err.text);
}

static inline struct profile *random_profile(int seed, uint32_t n_nodes, size_t n_samples,
					     int n_lanes)
{
	struct builder_options options = { .is_raw = seed % 2 };
	struct builder *b = builder_new(&options);
	struct error err = ERROR_INIT;

	random_seed(seed);
	builder_input(b, "random");
	for (int i = 0; i < n_lanes; i++)
		random_lane(b, i, n_nodes, n_samples);
	return builder_finish(b, &err);
}

/* A random range of the profile; sometimes the whole. */
static inline void random_range(const struct profile *p, int64_t *t0, int64_t *t1)
{
	*t0 = 0;
	*t1 = p->t1;
	if (random_below(3) == 0 || p->t1 < 2)
		return;
	*t0 = (int64_t)random_below((uint64_t)p->t1);
	*t1 = *t0 + 1 + (int64_t)random_below((uint64_t)(p->t1 - *t0));
}

#endif
