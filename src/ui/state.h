/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of ui/ share: the state of the interface. */
#ifndef FLAMETTY_UI_STATE_H
#define FLAMETTY_UI_STATE_H

#include "base/budget.h"
#include "base/error.h"
#include "layout/overview.h"
#include "layout/screen.h"
#include "analysis/scoped.h"
#include "ui/app.h"
#include "ui/pane/event_list.h"
#include "ui/pane/details_page.h"
#include "ui/search/filter.h"
#include "ui/search/finder.h"
#include "ui/pane/function_list.h"
#include "ui/chart/history.h"
#include "ui/keymap.h"
#include "ui/pane/pane_kind.h"
#include "ui/search/prompt.h"
#include "ui/chart/scene.h"
#include "ui/pane/summary_page.h"
#include "ui/chart/transforms.h"

enum app_view { VIEW_TIME, VIEW_MERGED, VIEW_SANDWICH };

struct app {
	const struct profile *base; /* as loaded */
	struct scoped scoped;       /* as the transforms leave it */
	struct profile *merged;     /* of a merged view */
	int rows, cols;

	struct scene s;    /* what is on the screen */
	struct scene time; /* the time line, while a merged view is on */
	enum app_view mode;
	struct buf mode_text; /* what the merged view is about */
	struct transforms transforms;
	bool has_range; /* panes are about this part of the time line, not the window */
	int64_t range_t0, range_t1;
	bool has_all_lanes;                 /* panes are about all lanes of samples */
	struct event_source events;         /* what the file says of a slice */
	struct details_page details;        /* lines of the details pane */
	struct event_list events_list;      /* lines of the events pane */
	struct function_list function_list; /* of the functions pane */
	struct summary_page summary;
	const struct pane_kind *shown; /* what the pane holds */
	struct prompt prompt;
	struct finder finder;
	struct filter filter;

	struct pane pane;
	bool is_pane_open;
	bool is_pane_chosen; /* opened or closed by a key: the size does not matter any more */
	bool is_pane_max;
	enum keymap_context focus; /* KEYMAP_CHART or KEYMAP_PANE */

	bool is_touched; /* the user has done something: the next preview keeps what is on the
			    screen */
	bool is_help;
	int help_scroll;

	key_code prefix;        /* first key of a sequence, or KEYC_NONE */
	int count;              /* number before a key; 0: none */
	key_code digit;         /* this number is one digit, which is a key too; or KEYC_NONE */
	bool is_unfinished;     /* the last update did not compute all that the picture needs */
	bool is_pane_stale;     /* the pane's numbers are those of another range */
	struct budget patience; /* spent: an unfinished picture is worth to be drawn again */
	void (*show)(void *ctx, struct app *app); /* draws at once; NULL: nobody looks */
	void *show_ctx;
	struct buf loading; /* how far the file is read; empty: it is all there */
	struct buf message; /* for the status line, until the next key */
	bool is_warning;
};

/* Say something in the status line. */
void state_say(struct app *app, bool is_warning, const char *format, ...) ERROR_PRINTF(3, 4);

/* How the screen is split now. */
void state_layout(const struct app *app, struct screen_layout *layout);

enum keymap_context state_context(const struct app *app);

/* The lane with the cursor; NULL: there is none. */
const struct lane *state_lane(const struct app *app);

/* The function that a command is about: of the pane's row if the pane has the focus, or of the
 * selected span. False, with a message: there is none. */
bool state_target(struct app *app, frame_id *frame);

/* Keep the lanes' scroll within what there is. */
void state_clamp_scroll(struct app *app);

/* Show or hide the pane because somebody asked for it. */
void state_show_pane(struct app *app, bool is_open);

/* Bring the rows of the pane up to date, however long it takes; false when it is not on the screen.
 */
bool state_update_pane(struct app *app);

/* The same in two parts. Count within the budget: true when nothing is left to count. Rows of what
 * was counted last; false: there are none. */
bool state_count_pane(struct app *app, struct budget *budget);
bool state_show_rows(struct app *app);

/* Whether the pane has rows, or a page, of totals. */
bool state_has_rows(const struct app *app);

#endif
