/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pane of a fleet (analyse/fleet.h), which has the whole screen at first; the profile is the
 * sums of its groups. */
#ifndef FLAMETTY_UI_PANE_FLEET_PANE_H
#define FLAMETTY_UI_PANE_FLEET_PANE_H

#include "base/pattern.h"
#include "draw/fleet_grid.h"
#include "ui/line/prompt.h"

struct app;

enum fleet_order { FLEET_ORDER_MEDIAN, FLEET_ORDER_COLUMN, FLEET_ORDER_SPREAD, FLEET_ORDER_NAME };

/* A zeroed struct is of no fleet. */
struct fleet_pane {
	struct fleet_grid grid;   /* its answers: NULL: there is no fleet */
	struct fleet_table other; /* that is shown, unless it is the one by host */
	uint32_t *order;          /* of the grid; */
	double *median, *key;     /* by row of the table: the second is what rows are sorted by */
	enum fleet_order sort;
	bool is_reversed;
	struct pattern *pattern; /* of the search; NULL: none */
	struct buf title;        /* of the header */
	struct buf verdict, heaviest, words, function;
};

/* Begin with the pane, if the app is of a fleet. Its cursor is on what is different, or else on the
 * heaviest function. */
void fleet_pane_start(struct app *app, const struct fleet_answers *answers);

/* Whether it has the whole screen. */
bool fleet_pane_is_alone(const struct app *app);

/* Show it again. */
void fleet_pane_open(struct app *app);

/* The search for functions and columns: `/`, and the n-th match from the cursor on. */
extern const struct prompt_user fleet_prompt;
unsigned fleet_pane_search(struct app *app);
unsigned fleet_pane_walk(struct app *app, int n);

#endif
