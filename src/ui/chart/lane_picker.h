/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of lanes to go to one. It lies over the chart while its line of input is open
 * (PROMPT_LANES): what is typed is looked for in their names. */
#ifndef FLAMETTY_UI_CHART_LANE_PICKER_H
#define FLAMETTY_UI_CHART_LANE_PICKER_H

#include "draw/lines.h"
#include "model/lane.h"
#include "ui/line/prompt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app;

/* The lanes of one host, by the label of their files, or of one process. */
struct lane_group {
	int first;      /* a lane of it */
	str_id host;    /* 0: it is a process */
	size_t from, n; /* its lanes: where they are in `members` */
	int64_t busy_ns, gc_ns;
	bool is_open;
};

struct lane_picker {
	int *tree, *depth; /* lanes of processes that started each other: their order, and how deep
			      each is; NULL: nothing is known about that */
	/* Many lanes are in groups, the busiest first, each with its busiest lanes first; NULL: the
	 * list has none. */
	struct lane_group *groups;
	int *members;
	int n_groups;
	/* Lanes whose name has the text, pages first, then the busiest; then, from the number of
	 * lanes on, the names without a lane (profile.named) that have it. Below 0: a group, -1 is
	 * the first one. */
	int *found;
	int n_found, n_lanes; /* n_lanes: of them, lanes */
	int n_all;            /* lanes */
	int top, cursor;      /* in `found` */
	int64_t *longest;     /* by lane: its longest call; -1: not known */
	/* The lane whose longest call is being looked for, and how far; -1: none. */
	int walk_lane;
	size_t walk_at;
	int64_t walk_longest;
	int64_t full_ns;    /* the end of the scale of bars */
	bool has_kinds;     /* lanes are of several kinds */
	struct lines lines; /* the rows in view */
};

void lane_picker_done(struct app *app);

extern const struct prompt_user lane_picker_prompt; /* to accept is to go to the lane */

/* Open a lane, select it, and scroll to it. */
void lane_picker_go(struct app *app, int lane);

/* Move the cursor by `rows`. */
void lane_picker_move(struct app *app, int rows);

/* Before a picture: make the lines for `cols` cells and `rows` rows. False: some longest calls are
 * not known yet; call it again. */
bool lane_picker_update(struct app *app, int rows, int cols);

/* Append `3 of 128 lanes`, and the number of names without a lane. */
void lane_picker_answer(const struct app *app, struct buf *out);

#endif
