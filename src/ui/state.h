/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the interface, shared by the files of ui/. Functions of ui/ that take a struct app
 * may change any of it; the members are described here once.
 *
 * Panes are about their scope: a range of time (the window, or the pinned range) and lanes (the one
 * with the cursor, or all lanes of samples); see pane/pane.h. */
#ifndef FLAMETTY_UI_STATE_H
#define FLAMETTY_UI_STATE_H

#include "analyse/view/scoped.h"
#include "base/budget.h"
#include "base/error.h"
#include "draw/overview.h"
#include "draw/screen.h"
#include "ui/actions.h"
#include "ui/app.h"
#include "ui/chart/chart_diff.h"
#include "ui/chart/culprit.h"
#include "ui/chart/finder.h"
#include "ui/chart/findings_walk.h"
#include "ui/chart/lane_picker.h"
#include "ui/chart/live.h"
#include "ui/chart/note_keys.h"
#include "ui/chart/range.h"
#include "ui/chart/scene.h"
#include "ui/chart/transforms.h"
#include "ui/chart/views.h"
#include "ui/help_page.h"
#include "ui/keymap.h"
#include "ui/line/command_line.h"
#include "ui/line/line_keys.h"
#include "ui/line/prompt.h"
#include "ui/line/setting.h"
#include "ui/mouse.h"
#include "ui/pane/details_page.h"
#include "ui/pane/event_list.h"
#include "ui/pane/fleet_pane.h"
#include "ui/pane/function_list.h"
#include "ui/pane/heat_pane.h"
#include "ui/pane/live_list.h"
#include "ui/pane/panes.h"
#include "ui/pane/process_list.h"
#include "ui/pane/served_list.h"
#include "ui/pane/source_page.h"
#include "ui/pane/summary_page.h"

#define STATE_KEPT_KEYS 64

struct app {
	const struct profile *original; /* as loaded; borrowed */
	const struct profile *base;     /* the same, with the samples as the user wants them */
	struct as_recorded *recorded;   /* owns `base`; NULL: that is the original */
	struct scoped *scoped;          /* with the transforms applied; NULL: there was none */
	int rows, cols;

	struct frame_scheme scheme; /* of `base`, once the first picture needed it */
	struct scene s;             /* what is on the screen */
	unsigned n_scenes;          /* that were begun */
	struct scene time;          /* the time line, while a merged view is on */
	enum app_view mode;
	struct merged_view views;
	struct chart_diff diff; /* what the merged view compares */
	struct transforms transforms;
	struct transforms_change change; /* of the transforms, while it is computed */
	int64_t key_ns; /* time that a command computes before the next key is read; 0: none */
	struct findings_walk walk;
	struct marks marks;
	struct note_keys notes;
	struct pinned_range range;          /* of the panes */
	bool has_all_lanes;                 /* the panes are about all lanes of one kind */
	bool has_cursor;                    /* the terminal's cursor is on what is selected */
	struct event_source events;         /* texts of events, for the details pane */
	struct details_page details;        /* of the details pane */
	struct event_list events_list;      /* of the events pane */
	struct function_list function_list; /* of the functions pane */
	struct served_list served_list;     /* of the panes of requests */
	struct row_stack row_stack;         /* beside the tables of calls and functions */
	struct summary_page summary;
	struct heat_pane heat;
	struct fleet_pane fleet;
	struct source_page source;  /* of the source pane */
	struct source_host sources; /* texts for it */
	/* The pane that is shown, or would be if the pane were open. */
	const struct pane_kind *shown;
	struct prompt prompt;
	struct command_line line;
	struct copy_start start;
	struct export_request export;
	struct preferences *preferences; /* borrowed, or: */
	struct preferences own_preferences;
	const struct app_host *host; /* borrowed; NULL: none */
	bool is_of_list;             /* a list is behind it, to go back to */
	struct app_live *live;       /* borrowed; NULL: no process is shown live */
	struct live_window live_window;
	struct live_list live_list; /* of the live pane */
	struct process_list process_list;
	struct finder finder;
	struct filter filter;
	struct lane_picker lane_picker; /* while its prompt is open */

	struct pane pane;
	bool is_pane_open;
	bool is_pane_chosen; /* opened or closed by a key, so a resize does not do it */
	bool is_pane_max;
	int pane_rows; /* that the user wants, with the rule; 0: a third of the screen */
	enum keymap_context focus; /* KEYMAP_CHART or KEYMAP_PANE */
	struct leave leave;
	bool has_shown; /* the last command selected what a row is about; again, it zooms */

	/* What is folded, and what has rows of its own all the same: see culprit_note(). Rows that
	 * only start or schedule the program are one, unless nothing is folded. */
	struct fold_wish folds;
	struct culprit culprit;
	enum app_start start_with;
	bool is_touched;      /* the user has done something: the next preview keeps what is on the
				 screen */
	struct legend legend; /* shown instead of the ruler until the next key, or for a while */
	bool has_legend;
	struct mouse_drag drag;
	struct help_state help;

	/* Keys that came while a search or a filter was waited for. */
	key_code kept[STATE_KEPT_KEYS];
	int n_kept;
	key_code prefix;        /* the first key of a sequence, or KEYC_NONE */
	key_code letter;        /* the mark that commands are about: the last key */
	bool is_unfinished;     /* the last update did not compute all that the picture needs */
	bool is_pane_stale;     /* the pane's numbers are those of another range */
	struct budget patience; /* spent: draw the unfinished picture again */
	struct buf loading;     /* how much of the file is loaded; empty: all of it, or ... */
	struct buf cut;         /* ... only this, because loading failed; empty: it did not */
	struct buf lost;        /* what the app before had and this one cannot have, with commas */
	struct buf message;     /* for the status line, until the next key */
	struct buf copied;      /* the text that was copied last */
	bool is_warning;
	bool is_acting; /* a key, the mouse or a timeout is being processed */
	int n_reliefs;  /* how often memory was short since the last key (app.c) */
};

/* The scene of the time line, whatever view is on. */
static inline const struct scene *state_time_line(const struct app *of)
{
	return of->mode == VIEW_TIME ? &of->s : &of->time;
}

/* The context of the half with the focus: KEYMAP_CHART, KEYMAP_PANE or that of the pane. */
static inline enum keymap_context state_focus(const struct app *of)
{
	if (of->focus != KEYMAP_PANE)
		return of->focus;
	return of->shown == &heat_pane                         ? KEYMAP_HEAT
		: of->shown == &fleet_pane && of->is_pane_open ? KEYMAP_FLEET
							       : KEYMAP_PANE;
}

/* The first keys of a command where the focus is; "": it has none. Borrowed. */
static inline const char *state_key(const struct app *of, enum command_id id)
{
	return keymap_first(&of->preferences->keymap, state_focus(of), id);
}

/* Set the message in the status line, which stays until the next key. Returns APP_REDRAW, for
 * commands that do no more; state_refuse() returns false. */
#define state_refuse(...) (state_say(__VA_ARGS__), false)
unsigned state_say(struct app *app, bool is_warning, const char *format, ...) ERROR_PRINTF(3, 4);

/* Get the areas of the screen. */
void state_layout(const struct app *app, struct screen_layout *layout);

enum keymap_context state_context(const struct app *app);

/* The lane with the cursor, as it is; NULL: there is none. */
const struct lane *state_lane(const struct app *app);

/* Clamp the scroll position of the lanes. */
void state_clamp_scroll(struct app *app);

#endif
