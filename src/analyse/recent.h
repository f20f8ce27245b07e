/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of a running process: the self time of each in the last 1, 10 and 60 seconds, and
 * how it went over the last minute. */
#ifndef FLAMETTY_ANALYSE_RECENT_H
#define FLAMETTY_ANALYSE_RECENT_H

#include "model/profile.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define RECENT_SPANS 3
#define RECENT_CELLS 30 /* of RECENT_CELL_NS: the last 60 s */
#define RECENT_CELL_NS (2 * NS_PER_S)

/* The lengths of the spans in ns, the shortest first. */
extern const int64_t recent_spans[RECENT_SPANS];

struct recent_row {
	frame_id frame;
	int64_t ns[RECENT_SPANS];  /* self time in each span */
	uint32_t us[RECENT_CELLS]; /* the same in each cell, the oldest first */
};

struct recent {
	struct recent_row *rows; /* functions with time in the last 60 s, without idle time */
	size_t n;
	int64_t end;                      /* of all spans */
	int64_t sampled_ns[RECENT_SPANS]; /* what shares are of: time that was sampled, of all lanes
					   */
	int64_t busy_ns[RECENT_SPANS];
	int64_t gc_ns[RECENT_SPANS];
};

/* Sum up n lanes of samples before `end`, in the order of the self time in one span; equal ones are
 * in the order of the longest span, then of names. The caller frees it. */
void recent_init(struct recent *r, const struct profile *profile, const struct lane *const *lanes,
		 uint32_t n, int64_t end, unsigned span);

static inline void recent_done(struct recent *r)
{
	free(r->rows);
	*r = (struct recent){ 0 };
}

/* The frame of a row that sorting left elsewhere; the number of rows: it has none. */
static inline size_t recent_find(const struct recent *r, frame_id frame)
{
	size_t i = 0;

	while (i < r->n && r->rows[i].frame != frame)
		i++;
	return i;
}

#endif
