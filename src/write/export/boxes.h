/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The boxes of a picture of a profile: calls in time order, or calls of one path merged. Boxes that
 * are too narrow to be seen are drawn together, and counted. */
#ifndef FLAMETTY_WRITE_EXPORT_BOXES_H
#define FLAMETTY_WRITE_EXPORT_BOXES_H

#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

struct error;
struct sink;

/* Limit of the boxes of a picture. */
#define BOXES_MAX 50000u

/* Limit of the rows of a picture: every row has a box at least, whatever is drawn together. */
#define BOXES_ROWS_MAX 8000u

struct box {
	int64_t t0, t1; /* ns since the left edge of the picture */
	int64_t ns;     /* time of the calls: of one call, t1 - t0 */
	int64_t self;   /* merged calls: time of the call itself; otherwise -1 */
	uint32_t n;     /* number of calls; more than 1: drawn together */
	uint32_t row;   /* from the top of the picture */
	/* Of the profile. If there are several calls: the function that has more than half of their
	 * time; FRAME_NONE: there is none, or it was not found. */
	frame_id frame;
};

/* A group of rows with a title: a lane, or all of them merged. */
struct box_group {
	const struct lane *lane; /* NULL: all lanes merged */
	uint32_t row, n_rows;
	int64_t ns; /* time of the calls of its first row */
};

/* What a picture leaves out so that it has no more rows than permitted. */
struct boxes_cut {
	uint32_t depth;   /* rows of a lane that are drawn; 0: all */
	uint64_t n_rows;  /* deeper ones, of all lanes, that are not */
	uint32_t n_lanes; /* last lanes, not drawn at all */
};

struct boxes {
	const struct profile *profile;
	int64_t t0, t1; /* the range of the profile; merged: 0 and the time of all calls */
	int64_t min_ns; /* boxes shorter than this are drawn together */
	bool is_merged;
	struct box *list;
	size_t n, cap;
	struct box_group *groups; /* by row */
	size_t n_groups, cap_groups;
	uint32_t n_rows;
	uint64_t n_joined; /* calls in boxes of several */
	size_t n_joints;   /* those boxes */
	uint32_t n_passes; /* over all calls that were needed, for tests */
	struct boxes_cut cut;
};

/* Collect the boxes of a range. min_ns: the time of the narrowest box; it grows until there are at
 * most `most` boxes, and `bytes_of` them is at most bytes_most, but not beyond the time of the
 * longest call: then each row is one box. The profile must outlive the boxes. Returns false when
 * the sink has failed, or when the profile is too large to be merged; then `err` is set. The caller
 * calls boxes_done() in any case. */
struct boxes_plan {
	int64_t t0, t1, min_ns;
	size_t most, bytes_most;
	size_t (*bytes_of)(const struct boxes *boxes); /* NULL: no limit of bytes */
	uint32_t rows_most;                            /* 0: BOXES_ROWS_MAX */
	int64_t calls_most; /* of rows beyond the outermost 500; 0: 10 million */
	bool is_merged, has_idle;
};

bool boxes_init(struct boxes *boxes, const struct profile *profile, const struct boxes_plan *plan,
		struct sink *sink, struct error *err) MUST_USE;

static inline void boxes_done(struct boxes *b)
{
	free(b->list);
	free(b->groups);
}

static inline bool boxes_is_cut(const struct boxes_cut *cut)
{
	return cut->n_rows || cut->n_lanes;
}

#define BOXES_CUT_MAX 160

/* Write what a picture leaves out, as `142 000 rows deeper than 8 000 are left out`. */
void boxes_tell_cut(const struct boxes_cut *cut, char out[BOXES_CUT_MAX]);

#endif
