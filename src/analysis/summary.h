/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a page says first: shares, the heaviest stack, pauses and stretches without one, hot lines,
 * and what stands out of it all. */
#ifndef FLAMETTY_ANALYSIS_SUMMARY_H
#define FLAMETTY_ANALYSIS_SUMMARY_H

#include "analysis/totals.h"

enum summary_by { SUMMARY_CATEGORY, SUMMARY_PACKAGE, SUMMARY_FILE };

struct share {
	str_id name;            /* the package or file; category_names[] for what has none */
	enum category category; /* of the first frame of it */
	bool is_named;          /* it is a package or a file */
	int64_t self;           /* ns */
	uint32_t n_frames;      /* with time in the range */
};

/* Self time by category, package or file, heaviest first; idle time is one of them. Together they
 * are all that was sampled. *out is to be freed. */
size_t summary_shares(const struct totals *totals, enum summary_by by, struct share **out);

/* Self time of a category. */
int64_t summary_category(const struct totals *totals, enum category category);

/* The heaviest stack: from the outermost call with most time, idle aside, to the callee with most,
 * as long as that has half of its caller's time or more. Nodes of the view, outermost first; *out
 * is to be freed. */
size_t summary_stack(const struct totals *totals, node_id **out);

/* A stretch of time of a lane. */
struct stretch {
	const struct lane *lane;
	int64_t t0, t1;
	bool is_sampled;      /* pauses: idle, at least in part; else nothing is known of it */
	frame_id outer, leaf; /* busy ones: the outermost function and the one on top with most time
				 in it */
};

/* The `most` longest pauses (is_busy: stretches without one) of the lanes in [t0, t1), longest
 * first. A pause is idle time, or time without a stack. *out is to be freed; *all: how many there
 * are. */
size_t summary_stretches(const struct profile *profile, const struct lane *const *lanes,
			 uint32_t n_lanes, int64_t t0, int64_t t1, bool is_busy, size_t most,
			 struct stretch **out, size_t *all);

/* How often a function stands on one stack that has time, where that is most, and the frame; 0:
 * nothing has time. */
uint32_t summary_recursion(const struct totals *totals, frame_id *frame);

/* A line of a function, by V8's ticks: they have no times, so it is about the whole recording,
 * whatever the range. */
struct hot_line {
	frame_id frame;
	int32_t line;
	uint64_t ticks;
	int64_t about_ns; /* ticks x average interval */
};

/* Hottest first. *out is to be freed. */
size_t summary_lines(const struct lane *const *lanes, uint32_t n_lanes, struct hot_line **out);

/* ---- what stands out ---- */

enum finding_kind {
	FINDING_GC,       /* garbage collection has more than a tenth: part of whole */
	FINDING_FUNCTION, /* one function has more than 30 % self time: frame, part of whole */
	FINDING_BUSY,     /* the longest stretch without a pause is 50 ms or more: stretch */
	FINDING_PAUSE, /* a pause of a tenth of its range or more, and of 50 ms or more: stretch */
	FINDING_RECURSION, /* a function stands 50 times or more on one stack: frame, count */
	FINDING_COUNT
};

struct finding {
	enum finding_kind kind;
	frame_id frame;
	int64_t part, whole;
	uint32_t count;
	int32_t line;    /* FINDING_FUNCTION of a whole recording: its hottest line; 0: not known */
	int64_t line_ns; /* about so much time */
	struct stretch stretch;
};

/* Of totals, and the lanes as they are in the file. whole: 100 %. Returns how many, at most
 * FINDING_COUNT. */
size_t summary_findings(const struct totals *totals, const struct lane *const *lanes,
			uint32_t n_lanes, int64_t whole, struct finding out[FINDING_COUNT]);

#endif
