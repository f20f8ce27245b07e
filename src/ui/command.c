/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adding a command: 1. an id in command.h; 2. a row here, in the order in which
 * the help screen lists it; 3. a key in keymap.c; 4. what it does, in the table
 * of actions in actions.c. check_keymap.c complains when one is missing. */
#include "config.h"

#include "ui/command.h"

#include "base/alloc.h"

#include <assert.h>
#include <stddef.h>

static const struct command commands[] = {
	{ CMD_PREVIOUS, "previous", "previous span on this row", NULL, true },
	{ CMD_NEXT, "next", "next span on this row", NULL, true },
	{ CMD_CALLER, "caller", "caller of the selected span", NULL, true },
	{ CMD_CALLEE, "callee", "callee: the longest one in view", NULL, true },
	{ CMD_PREVIOUS_SAME, "previous-same", "previous span of the same function", NULL, true },
	{ CMD_NEXT_SAME, "next-same", "next span of the same function", NULL, true },
	{ CMD_PREVIOUS_LANE, "previous-lane", "previous lane", NULL, true },
	{ CMD_NEXT_LANE, "next-lane", "next lane", NULL, true },
	{ CMD_FOLD_LANE, "fold-lane", "fold or open the lane", NULL, false },
	{ CMD_FOLD_PROCESS, "fold-process", "fold or open the process of the lane", NULL, false },
	{ CMD_HIDE_LANE, "hide-lane", "hide the lane", NULL, false },
	{ CMD_SHOW_LANES, "show-lanes", "show the lanes that were hidden", "hidden lanes", false },
	{ CMD_KINDS, "kinds", "of a thread: slices, CPU samples, or both", "slices/samples", false },
	{ CMD_FLOW_BACK, "flow-back", "to where the flow comes from", NULL, true },
	{ CMD_FLOW_NEXT, "flow-next", "to where the flow goes", NULL, true },
	{ CMD_ZOOM_SPAN, "zoom-span", "zoom to the selected span", "zoom to span", false },
	{ CMD_ZOOM_IN, "zoom-in", "zoom in at the selection", "zoom in", true },
	{ CMD_ZOOM_OUT, "zoom-out", "zoom out at the selection", "out", true },
	{ CMD_PAN_LEFT, "pan-left", "move back by a tenth of the window", NULL, true },
	{ CMD_PAN_RIGHT, "pan-right", "move on by a tenth of the window", NULL, true },
	{ CMD_PAN_HALF_LEFT, "pan-half-left", "move back by half a window", NULL, true },
	{ CMD_PAN_HALF_RIGHT, "pan-half-right", "move on by half a window", NULL, true },
	{ CMD_WHOLE, "whole", "show the whole profile", "whole", false },
	{ CMD_TIME_START, "time-start", "start of the time line", NULL, false },
	{ CMD_TIME_END, "time-end", "end of the time line", NULL, false },
	{ CMD_BACK, "back", "one step back: the window before", "back", true },
	{ CMD_HALF_PAGE_DOWN, "half-page-down", "scroll the lanes down by half a page", NULL, true },
	{ CMD_HALF_PAGE_UP, "half-page-up", "scroll the lanes up by half a page", NULL, true },
	{ CMD_PAGE_DOWN, "page-down", "scroll the lanes down by a page", NULL, true },
	{ CMD_PAGE_UP, "page-up", "scroll the lanes up by a page", NULL, true },
	{ CMD_TOP, "top", "first row of the lanes", NULL, false },
	{ CMD_BOTTOM, "bottom", "last row of the lanes", NULL, false },
	{ CMD_ROW_DOWN, "row-down", "next row", NULL, true },
	{ CMD_ROW_UP, "row-up", "previous row", NULL, true },
	{ CMD_ROW_FIRST, "row-first", "first row", NULL, false },
	{ CMD_ROW_LAST, "row-last", "last row", NULL, false },
	{ CMD_ROW_PAGE_DOWN, "row-page-down", "a page down", NULL, true },
	{ CMD_ROW_PAGE_UP, "row-page-up", "a page up", NULL, true },
	{ CMD_ROW_HALF_DOWN, "row-half-page-down", "half a page down", NULL, true },
	{ CMD_ROW_HALF_UP, "row-half-page-up", "half a page up", NULL, true },
	{ CMD_ROW_TOGGLE, "row-toggle", "open or close the row", "open", false },
	{ CMD_ROW_OPEN, "row-open", "open the row", NULL, false },
	{ CMD_ROW_CLOSE, "row-close", "close the row, or go to the one above it", NULL, false },
	{ CMD_ROW_HOT, "row-hot", "open the hot path below the row", "hot path", false },
	{ CMD_ROW_SHOW, "row-show", "select the row's longest span in the chart", "show", false },
	{ CMD_SORT_LEFT, "sort-left", "sort by the column to the left", NULL, true },
	{ CMD_SORT_RIGHT, "sort-right", "sort by the column to the right", "sort", true },
	{ CMD_TAB_PREVIOUS, "tab-previous", "previous tab of the pane", NULL, true },
	{ CMD_TAB_NEXT, "tab-next", "next tab of the pane", NULL, true },
	{ CMD_VIEW_TIME, "view-time", "view: in the order of time", "time", false },
	{ CMD_VIEW_MERGED, "view-left-heavy", "view: same calls merged, heaviest first", "left heavy", false },
	{ CMD_VIEW_SANDWICH, "view-callers", "view: callers and callees of the function", "callers", false },
	{ CMD_PIN, "pin", "pin the panes to this window, or let them follow", NULL, false },
	{ CMD_PIN_SPAN, "pin-span", "pin the panes to the selected span", NULL, false },
	{ CMD_ALL_LANES, "all-lanes", "panes about all lanes of samples, or this one", "all lanes", false },
	{ CMD_FOCUS_FUNCTION, "focus-function", "only what runs below the function", "focus", false },
	{ CMD_FOCUS_SUBTREE, "focus-subtree", "only what runs below this very call", "subtree", false },
	{ CMD_KEEP_FUNCTION, "keep-function", "only stacks with the function, whole", "keep", false },
	{ CMD_MERGE_FUNCTION, "merge-function", "the function's time goes to its callers", "merge", false },
	{ CMD_MERGE_FILE, "merge-file", "time of its file goes to the callers", "merge file", false },
	{ CMD_MERGE_PACKAGE, "merge-package", "time of its package goes to the callers", "merge package", false },
	{ CMD_DROP_FUNCTION, "drop-function", "leave out stacks with the function", "hide", false },
	{ CMD_COLLAPSE_FUNCTION, "collapse-function", "what it calls counts as its own", "collapse", false },
	{ CMD_COLLAPSE_PACKAGE, "collapse-package", "its package becomes one frame", "package", false },
	{ CMD_COLLAPSE_RECURSION, "collapse-recursion", "recursive calls become one", "recursion", false },
	{ CMD_FOLD_PACKAGES, "fold-packages", "each package becomes one frame", "all packages", false },
	{ CMD_FOLD_NODE, "fold-node", "Node's internals become one frame", "node", false },
	{ CMD_DROP_IDLE, "drop-idle", "leave out idle time", "idle", false },
	{ CMD_DROP_PROGRAM, "drop-program", "leave out (program)", "program", false },
	{ CMD_DROP_GC, "drop-gc", "leave out garbage collection", "gc", false },
	{ CMD_GROUP, "group", "frames: functions, files, packages, categories", "frames by", false },
	{ CMD_UNDO, "undo", "take the last transform back", NULL, true },
	{ CMD_REDO, "redo", "bring it back", NULL, true },
	{ CMD_FOCUS, "focus", "go to the pane, or back to the chart", "pane", false },
	{ CMD_BOTTOM_UP, "bottom-up", "pane: functions by self time", "bottom-up", false },
	{ CMD_TOP_DOWN, "top-down", "pane: the call tree by total time", "top-down", false },
	{ CMD_CALLERS, "callers", "pane: callers of the function, or its callees", "callers", false },
	{ CMD_DETAILS, "details", "pane: all about the span and the file", "details", false },
	{ CMD_EVENTS, "events", "pane: spans and events as they open", "events", false },
	{ CMD_MAXIMISE, "maximise", "the pane on the whole screen, or not", NULL, false },
	{ CMD_ABSOLUTE, "absolute", "times of the file's clock or of the profile", "times", false },
	{ CMD_COLOR, "color", "colour by file, package, category, name", "colour by", false },
	{ CMD_IDLE, "idle", "count idle time in shares, or leave it out", "idle in shares", false },
	{ CMD_HELP, "help", "this help", "help", false },
	{ CMD_CLOSE, "close", "close what is in front, or quit", "quit", false },
	{ CMD_QUIT, "quit", "quit at once", "quit at once", false },
	{ CMD_SUSPEND, "suspend", "suspend; fg brings it back", NULL, false },
	{ CMD_REDRAW, "redraw", "draw the screen anew", NULL, false },
	{ CMD_HELP_DOWN, "help-down", "a line down", NULL, true },
	{ CMD_HELP_UP, "help-up", "a line up", NULL, true },
	{ CMD_HELP_PAGE_DOWN, "help-page-down", "a page down", NULL, true },
	{ CMD_HELP_PAGE_UP, "help-page-up", "a page up", NULL, true },
	{ CMD_HELP_FIRST, "help-first", "first line", NULL, false },
	{ CMD_HELP_LAST, "help-last", "last line", NULL, false },
	{ CMD_HELP_CLOSE, "help-close", "close this help", NULL, false },
};

_Static_assert(ARRAY_LEN(commands) + 1 == COMMAND_COUNT, "each command has a row");

/* Invariant: row i is that of the command i + 1. */
const struct command *command_get(enum command_id id)
{
	const struct command *command = &commands[(size_t)id - 1];

	assert(id > CMD_NONE && id < COMMAND_COUNT && command->id == id);
	return command;
}
