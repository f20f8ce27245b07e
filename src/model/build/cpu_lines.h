/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the samples of a CPU profile by node and position executing. Traces state the position of
 * each sample; the counts become what positionTicks are elsewhere (struct line_ticks). */
#ifndef FLAMETTY_BUILD_CPU_LINES_H
#define FLAMETTY_BUILD_CPU_LINES_H

#include "base/hash_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cpu_raw;

/* A position in the function of a node. line and column count from 1; column 0: unknown. */
struct cpu_line {
	uint32_t slot; /* of the node's id */
	int32_t line, column;
	uint32_t ticks;
};

/* A zeroed struct is empty. */
struct cpu_lines {
	struct cpu_line *all;
	size_t n, cap;
	struct hash_table index; /* of all, by slot, line and column */
	size_t last;             /* the position of the sample before */
	bool is_sorted;          /* by slot, line and column; nothing can be added */
};

/* lines: allocated; may be NULL. */
void cpu_lines_free(struct cpu_lines *lines);

/* Count a sample. Positions that an int32_t cannot hold are unknown; a sample without a line is
 * not counted. */
void cpu_lines_add(struct cpu_lines *lines, uint32_t slot, int64_t line, int64_t column);

/* Sort the positions. A second call does nothing. */
void cpu_lines_sort(struct cpu_lines *lines);

/* Turn the counts into raw->ticks, by node, as long as raw has its slots. If nodes have
 * positionTicks, these win. raw->lines is then NULL. */
void cpu_lines_resolve(struct cpu_raw *raw);

#endif
