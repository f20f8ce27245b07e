/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The panes of what recorded processes serve: routes, requests, and what these wait for, of the
 * range of the panes (findings/served_time.h); and the list of stalls that were recorded
 * (model/stall_list.h). */
#ifndef FLAMETTY_UI_PANE_SERVED_LIST_H
#define FLAMETTY_UI_PANE_SERVED_LIST_H

#include "findings/served_time.h"

struct app;

enum served_view { SERVED_ROUTES, SERVED_REQUESTS, SERVED_WAITED, SERVED_STALLED, SERVED_VIEWS };

/* What the user has set of each list; it stays when other files are shown. */
struct served_kept {
	size_t cursor[SERVED_VIEWS], top[SERVED_VIEWS];
	size_t sort[SERVED_VIEWS]; /* column; 0 is that of names, and at first most time decides */
	bool is_sorted[SERVED_VIEWS], is_reversed[SERVED_VIEWS];
};

/* A zeroed struct is empty. */
struct served_list {
	struct served_time *time; /* of `of`; NULL: not made yet */
	const struct profile *of;
	int64_t t0, t1; /* of the lists */
	struct served_route *routes;
	struct served_parts *requests;
	struct served_waits *waits;
	uint32_t *stalls;        /* indices of profile.stalls: the newest first */
	unsigned filter_changes; /* of the pane, when they were found */
	uint32_t *order;         /* of the rows of `view`: in this order */
	enum served_view view;
	bool has_lists, has_order; /* has_lists: also if they are empty */
	size_t n[SERVED_VIEWS];
	struct served_kept kept;
	/* Of CMD_SLOWEST: in which window the next one is looked for, as long as the window is the
	 * one that shows the last one. */
	struct {
		int64_t t0, t1, shown_t0, shown_t1;
		uint64_t route; /* hash of the argument */
		size_t next;
	} slowest;
};

/* Before a picture: have the times of requests for the chart, too. */
void served_list_prepare(struct app *app);

/* The request that the selected row is about, itself or the slowest of a route, while keys are for
 * these panes; SERVED_NONE: none. */
uint32_t served_list_request(struct app *app);

/* Begin with the list of stalls, if the profile is one. */
void served_list_start(struct app *app);

/* Whether there is something to show. */
bool served_list_exists(const struct app *app);

#endif
