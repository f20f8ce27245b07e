/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process that runs: the window shows its last seconds, and each second there is another profile,
 * with another app. The user makes the window shorter or longer, or freezes it; frozen, everything
 * is as with files. A key that needs another window freezes it, too. */
#ifndef FLAMETTY_UI_CHART_LIVE_H
#define FLAMETTY_UI_CHART_LIVE_H

#include "base/buf.h"
#include "ui/command.h"

#include <stdbool.h>
#include <stdint.h>

struct app;

#define LIVE_NS (5 * NS_PER_S) /* length of the window at first */

/* Where the window of the last picture was. */
struct live_window {
	int64_t t0, t1;
};

/* Whether the window of the app moves. */
bool live_is_moving(const struct app *app);

/* Prepare a new app that has no state of another one yet. Nothing happens if it is not live. */
void live_start(struct app *app);

/* Put the window at the end of what is there, in whole columns of the screen. */
void live_place(struct app *app);

/* Run a command that means something else while the window moves. Returns whether it was one. */
bool live_take(struct app *app, enum command_id id, int count);

/* The picture is complete, and the user has done nothing: if calls are too many for the columns,
 * show them merged, from now on. Returns whether that is so. */
bool live_merge(struct app *app);

/* The picture is complete: give the pane what the chart has not needed since the last key. No row
 * moves because a call of one second is gone in the next. Returns whether rows have moved. */
bool live_give_room(struct app *app);

/* The rows of the pane while the window moves; 0: the usual ones. */
int live_pane_rows(const struct app *app);

/* The range that the verdict is about: the last 10 s, or what is there of it. False: the window
 * does not move, and the verdict is about that. */
bool live_verdict_range(const struct app *app, int64_t *t0, int64_t *t1);

/* Whether the list of processes has the screen: nothing is below it. */
bool live_shows_list(const struct app *app);

/* Esc: leave the process for the list, or the filter of the list. False: there is nothing. */
bool live_leave(struct app *app);

/* After a key: freeze if the window is another one now. */
void live_settle(struct app *app);

/* Append what the header says: `live 13:46:25`. */
void live_format(const struct app *app, struct buf *out);

#endif
