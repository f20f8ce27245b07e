/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups of lanes that have one row while they are folded: the threads of a pool, the objects of
 * one scope, and the processes that the first picture does not show. */
#ifndef FLAMETTY_UI_CHART_GROUPS_H
#define FLAMETTY_UI_CHART_GROUPS_H

#include "ui/state.h"

/* Find the pools of a new app. is_folded: fold them. */
void groups_find_pools(struct app *app, bool is_folded);

/* Fold or open the pool of a lane. No effect if it is in none. */
void groups_fold_pool(struct app *app, int lane, bool is_folded);

/* Put all processes that are folded, if there are several, onto one row. */
void groups_fold_others(struct app *app);

/* Give each process on that row a row of its own. */
void groups_open_others(struct app *app);

/* After the flags of single lanes have been set: a pool, or a process, is folded if all of its
 * lanes are. */
void groups_settle(struct app *app);

/* After chart_lane.is_away has changed: find the lane with the row of other processes. It is below
 * the processes that have rows of their own, if a lane is there. */
void groups_place_others(struct app *app);

#endif
