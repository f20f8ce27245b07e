/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inputs of the benchmarks, the same on every machine: the random numbers come from an own
 * generator (xorshift), seeded by the shape. */
#ifndef FLAMETTY_TESTS_BENCH_GENERATE_H
#define FLAMETTY_TESTS_BENCH_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

/* A CPU profile: a random walk through a call tree, as a program does it. */
struct profile_shape {
	uint64_t samples;
	uint32_t nodes;     /* at least 16 */
	uint32_t depth;     /* rows of the deepest stack */
	uint32_t functions; /* distinct call frames */
};

/* Write it as .cpuprofile. False: the file cannot be written. */
bool generate_profile(const char *path, const struct profile_shape *shape);

/* Write a Chrome trace of about that many bytes: nested slices (X, and B with E) of some threads of
 * two processes, marks, counters. False: the file cannot be written. */
bool generate_trace(const char *path, uint64_t bytes);

#endif
