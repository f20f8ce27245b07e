/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The self time of lines in a range. Files state how often a line was seen (struct line_ticks), and
 * not when: the self time that a node has in the range is divided among its lines by their ticks.
 * So the lines of a function add up to its self time, except for nodes without ticks. */
#ifndef FLAMETTY_ANALYSE_LINE_TIMES_H
#define FLAMETTY_ANALYSE_LINE_TIMES_H

#include "model/profile.h"

#include <stdlib.h>

/* A line of a function. The same line may be one of other functions, too. */
struct line_time {
	frame_id frame;
	str_id url;
	int32_t line;   /* counted from 1 */
	int32_t column; /* counted from 1, of the place with most ticks; 0: not known */
	bool is_whole; /* the line where the function begins, with its self time that no line has */
	uint64_t ticks; /* of its nodes, also those before and after the range */
	int64_t ns;
	int64_t most_ns; /* of one node, to which `column` belongs */
};

/* Zeroed at first. */
struct line_times {
	struct line_time *list; /* by url, line, then frame */
	size_t n, cap;
	bool has_ticks;   /* a lane has ticks, whatever the range */
	bool keeps_empty; /* set by the caller: lines stay that have ticks, and no time in the range
			   */
	/* Self time of nodes without ticks, by frame of the profile. */
	int64_t *rest;
};

/* The ticks of a lane by node, then line. The caller frees them. */
struct line_ticks *line_times_ticks(const struct lane *lane);

/* Divide `value` among n ticks of one node, in steps: the value of the ticks before `sum` ticks of
 * `all` ones. The ticks that come next get the difference; so the parts add up to the value. sum <=
 * all, above 0. */
uint64_t line_times_share(uint64_t value, uint64_t sum, uint64_t all);

/* Add the lines of a lane of a profile in [t0, t1); it must have the ticks as the files have them.
 * is_left: by node; 1: the node is left out. NULL: none is. */
void line_times_add(struct line_times *times, const struct profile *profile,
		    const struct lane *lane, int64_t t0, int64_t t1, const uint8_t *is_left);

/* After the last lane, unless that is the only one and neither their order nor whole functions
 * matter: each line has one entry already. Add the functions with self time of nodes without ticks,
 * as whole ones, and put the lines in order, one entry for each. */
void line_times_finish(struct line_times *times, const struct profile *profile);

static inline void line_times_done(struct line_times *times)
{
	free(times->list);
	free(times->rest);
	*times = (struct line_times){ 0 };
}

/* The entries of a file. Returns how many; *first is set to the index of the first. */
size_t line_times_of(const struct line_times *times, str_id url, size_t *first);

#endif
