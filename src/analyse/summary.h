/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The summary of a range: shares, the heaviest stack, pauses and busy stretches, hot lines, and
 * what stands out. */
#ifndef FLAMETTY_ANALYSE_SUMMARY_H
#define FLAMETTY_ANALYSE_SUMMARY_H

#include "analyse/stretches.h"
#include "analyse/totals.h"
#include "model/profile.h"

enum summary_by { SUMMARY_CATEGORY, SUMMARY_PACKAGE, SUMMARY_FILE };

struct share {
	/* The package or file; an entry of category_names[] if there is none. */
	str_id name;
	enum category category; /* of its first frame */
	bool is_named;          /* `name` is a package or a file */
	int64_t self;           /* ns */
	uint32_t n_frames;      /* number of frames with time in the range */
};

/* Self time by category, package or file, heaviest first; includes idle time. The shares add up to
 * everything that was sampled. The caller frees *out. */
size_t summary_shares(const struct totals *totals, enum summary_by by, struct share **out);

/* Whether the i-th of n shares by package is a row of a table for people: a package with time, or
 * own code, which is in none, beside packages. Other categories have a table of theirs. */
bool summary_is_package(const struct share *list, size_t n, size_t i);

/* Garbage collection: samples of it, and slices that are it by their names. What users read as gc
 * is this, in each output. totals: of functions. */
int64_t summary_gc(const struct totals *totals);
static inline bool summary_is_gc(const struct profile *p, const struct frame *f)
{
	return f->category == CATEGORY_GC ||
		(f->category == CATEGORY_SLICE &&
		 category_is_gc_slice(profile_text(p, frame_event(f))));
}

/* Self time of (program). */
int64_t summary_program(const struct totals *totals);

/* The heaviest stack: it starts with the outermost call with most time, except idle time, and goes
 * on to the callee with most time, while that has at least half of its caller's time. Nodes of the
 * view, outermost first; the caller frees *out. */
size_t summary_stack(const struct totals *totals, node_id **out);

/* Where to look for stretches and lines: [t0, t1) of lanes of the profile. */
struct summary_range {
	const struct profile *profile;
	const struct lane *const *lanes;
	uint32_t n_lanes;
	int64_t t0, t1;
};

/* Find the longest pauses of the range, found[0], and busy stretches, found[1]: as many of each as
 * its `most`, which is all that the caller has set. The caller frees the lists. */
void summary_stretches(const struct summary_range *range, struct stretches found[2]);

static inline void summary_stretches_done(struct stretches found[2])
{
	free(found[0].list);
	free(found[1].list);
}

/* The largest number of times that one function is on one stack that has time, and the frame; 0: no
 * stack has time. */
uint32_t summary_recursion(const struct totals *totals, frame_id *frame);

/* A line of a function, by V8's ticks. */
struct hot_line {
	frame_id frame;
	int32_t line;
	uint64_t ticks;   /* of its nodes in the whole recording: ticks have no times */
	int64_t about_ns; /* self time of its nodes in the range, divided by their ticks
			     (line_times.h) */
};

/* The `most` hottest lines of the range, hottest first; *all is the number of all. The lanes are
 * those of the profile. The caller frees *out. */
size_t summary_lines(const struct summary_range *range, size_t most, struct hot_line **out,
		     size_t *all);

/* ---- what stands out ---- */

enum standout_kind {
	STANDOUT_GC,       /* garbage collection has more than a tenth; sets part of whole */
	STANDOUT_FUNCTION, /* one function has more than 30 % self time; sets frame, part of whole
			    */
	STANDOUT_BUSY,     /* the longest busy stretch has 50 ms or more; sets stretch */
	/* A pause has at least a tenth of its range, and at least 50 ms; sets stretch. */
	STANDOUT_PAUSE,
	STANDOUT_RECURSION, /* a function is on one stack at least 50 times; sets frame, count */
	STANDOUT_COUNT
};

struct standout {
	enum standout_kind kind;
	frame_id frame;
	int64_t part, whole;
	uint32_t count;
	int32_t line;    /* STANDOUT_FUNCTION of a whole recording: its hottest line; 0: unknown */
	int64_t line_ns; /* approximate time of that line */
	struct stretch stretch;
};

/* What stands out in totals, and of the lanes as they are in the file. whole: 100 %. found: what
 * summary_stretches() finds in these lanes and the range of the totals, at least the longest ones.
 * Returns their number, at most STANDOUT_COUNT. */
size_t summary_standouts(const struct totals *totals, const struct lane *const *lanes,
			 uint32_t n_lanes, int64_t whole, const struct stretches found[2],
			 struct standout out[STANDOUT_COUNT]);

#endif
