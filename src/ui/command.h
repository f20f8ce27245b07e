/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a user can do, as one table: the help screen, `flametty keys` and the
 * manual are made from it and from keymap.h. */
#ifndef FLAMETTY_UI_COMMAND_H
#define FLAMETTY_UI_COMMAND_H

#include <stdbool.h>

enum command_id {
	CMD_NONE,
	/* selection */
	CMD_PREVIOUS, CMD_NEXT, CMD_CALLER, CMD_CALLEE, CMD_PREVIOUS_SAME, CMD_NEXT_SAME, CMD_PREVIOUS_LANE, CMD_NEXT_LANE,
	CMD_FOLD_LANE, CMD_FOLD_PROCESS, CMD_HIDE_LANE, CMD_SHOW_LANES, CMD_KINDS, CMD_FLOW_BACK, CMD_FLOW_NEXT,
	/* camera */
	CMD_ZOOM_SPAN, CMD_ZOOM_IN, CMD_ZOOM_OUT, CMD_PAN_LEFT, CMD_PAN_RIGHT, CMD_PAN_HALF_LEFT, CMD_PAN_HALF_RIGHT,
	CMD_WHOLE, CMD_TIME_START, CMD_TIME_END, CMD_BACK,
	CMD_HALF_PAGE_DOWN, CMD_HALF_PAGE_UP, CMD_PAGE_DOWN, CMD_PAGE_UP, CMD_TOP, CMD_BOTTOM,
	/* rows of a pane */
	CMD_ROW_DOWN, CMD_ROW_UP, CMD_ROW_FIRST, CMD_ROW_LAST, CMD_ROW_PAGE_DOWN, CMD_ROW_PAGE_UP, CMD_ROW_HALF_DOWN,
	CMD_ROW_HALF_UP, CMD_ROW_TOGGLE, CMD_ROW_OPEN, CMD_ROW_CLOSE, CMD_ROW_HOT, CMD_ROW_SHOW, CMD_SORT_LEFT, CMD_SORT_RIGHT,
	CMD_TAB_PREVIOUS, CMD_TAB_NEXT,
	/* panes */
	CMD_VIEW_TIME, CMD_VIEW_MERGED, CMD_VIEW_SANDWICH, CMD_PIN, CMD_PIN_SPAN, CMD_ALL_LANES,
	/* transforms */
	CMD_FOCUS_FUNCTION, CMD_FOCUS_SUBTREE, CMD_KEEP_FUNCTION, CMD_MERGE_FUNCTION, CMD_MERGE_FILE, CMD_MERGE_PACKAGE,
	CMD_DROP_FUNCTION, CMD_COLLAPSE_FUNCTION, CMD_COLLAPSE_PACKAGE, CMD_COLLAPSE_RECURSION, CMD_FOLD_PACKAGES, CMD_FOLD_NODE,
	CMD_DROP_IDLE, CMD_DROP_PROGRAM, CMD_DROP_GC, CMD_GROUP, CMD_UNDO, CMD_REDO,
	CMD_FOCUS, CMD_BOTTOM_UP, CMD_TOP_DOWN, CMD_CALLERS, CMD_DETAILS, CMD_EVENTS, CMD_MAXIMISE,
	/* options */
	CMD_ABSOLUTE, CMD_COLOR, CMD_IDLE,
	/* the program */
	CMD_HELP, CMD_CLOSE, CMD_QUIT, CMD_SUSPEND, CMD_REDRAW,
	/* the help screen */
	CMD_HELP_DOWN, CMD_HELP_UP, CMD_HELP_PAGE_DOWN, CMD_HELP_PAGE_UP, CMD_HELP_FIRST, CMD_HELP_LAST, CMD_HELP_CLOSE,
	COMMAND_COUNT
};

struct command {
	enum command_id id;
	const char *name;    /* for `:name` and the manual: small letters and `-` */
	const char *help;    /* what it does, no full stop */
	const char *hint;    /* one or two words for the status line; NULL: not hinted */
	bool takes_count;    /* `5d` does it five times */
};

/* The row of a command. id: below COMMAND_COUNT, not CMD_NONE. */
const struct command *command_get(enum command_id id);

#endif
