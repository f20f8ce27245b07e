/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of ui/ share: the state of the interface. */
#ifndef FLAMETTY_UI_STATE_H
#define FLAMETTY_UI_STATE_H

#include "base/error.h"
#include "layout/overview.h"
#include "layout/screen.h"
#include "ui/app.h"
#include "ui/event_list.h"
#include "ui/facts.h"
#include "ui/finder.h"
#include "ui/history.h"
#include "ui/keymap.h"
#include "ui/pane.h"
#include "ui/prompt.h"
#include "ui/seek.h"

struct app {
	const struct profile *profile;
	int rows, cols;

	struct chart_lane *lanes;     /* chart.n_lanes */
	struct viewport view;
	struct chart chart;           /* holds the selection and the options of drawing */
	struct overview overview;
	int64_t self_ns;              /* of the selected span */
	int kinds;                    /* enum lanes_kinds: what is shown of threads that have slices and samples */
	struct event_source events;   /* what the file says of a slice */
	struct facts facts;           /* lines of the details pane */
	struct event_list events_list;/* lines of the events pane */
	enum { PANE_ROWS, PANE_FACTS, PANE_EVENTS } shown;  /* what the pane holds */
	bool has_goal;                /* the way back down from a caller: */
	int64_t goal_t;               /* the callee at this time */
	struct seek same;             /* of same_frame in same.lane */
	frame_id same_frame;
	struct history history;
	struct prompt prompt;
	struct finder finder;

	struct pane pane;
	bool is_pane_open;
	bool is_pane_chosen;          /* opened or closed by a key: the size does not matter any more */
	bool is_pane_max;
	enum keymap_context focus;    /* KEYMAP_CHART or KEYMAP_PANE */

	bool is_help;
	int help_scroll;

	key_code prefix;              /* first key of a sequence, or KEYC_NONE */
	int count;                    /* number before a key; 0: none */
	key_code digit;               /* this number is one digit, which is a key too; or KEYC_NONE */
	struct buf message;           /* for the status line, until the next key */
	bool is_warning;
};

/* Say something in the status line. */
void state_say(struct app *app, bool is_warning, const char *format, ...) ERROR_PRINTF(3, 4);

/* How the screen is split now. */
void state_layout(const struct app *app, struct screen_layout *layout);

enum keymap_context state_context(const struct app *app);

/* The lane with the cursor; NULL: there is none. */
const struct lane *state_lane(const struct app *app);

/* Keep the lanes' scroll within what there is. */
void state_clamp_scroll(struct app *app);

/* Show or hide the pane because somebody asked for it. */
void state_show_pane(struct app *app, bool is_open);

/* Bring the rows of the pane up to date; false when it is not on the screen. */
bool state_update_pane(struct app *app);

#endif
