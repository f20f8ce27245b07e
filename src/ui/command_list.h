/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All commands, one row each, in the order in which the help screen lists them:
 *
 *	COMMAND(id, function, argument, flags, name, hint, help)
 *	COMMAND_PLAIN(id, function, flags, name, hint, help)
 *
 * id        CMD_ and the name; becomes a constant of enum command_id
 * function  an `action`, which actions.h declares, of the file or section that its name begins with
 * argument  what the function does here: 1 or -1 for a direction, or a constant that its file
 *           takes; a plain command has none
 * flags     enum command_flags, or 0
 * name      for lists and the manual: small letters and `-`
 * hint      one or two words for the status line; NULL: the command is not hinted
 * help      what it does, in a few words, no full stop
 *
 * A new command is a row here, its function, or an argument for one that there is, and its keys in
 * keymap.c; one with COMMAND_ARGUMENTS needs no key. A file that includes this one defines COMMAND
 * first, and COMMAND_PLAIN where that differs; both are undefined at the end. */
#ifndef COMMAND_PLAIN
#define COMMAND_PLAIN(id, function, ...) COMMAND(id, function, 0, __VA_ARGS__)
#endif
/* clang-format off */
/* the selection */
COMMAND(CMD_PREVIOUS, select_keys_sideways, -1, COMMAND_REPEATS,
	"previous", NULL, "previous span on this row")
COMMAND(CMD_NEXT, select_keys_sideways, 1, COMMAND_REPEATS,
	"next", NULL, "next span on this row")
COMMAND(CMD_CALLER, select_keys_depth, -1, COMMAND_REPEATS,
	"caller", NULL, "caller of the selected span")
COMMAND(CMD_CALLEE, select_keys_depth, 1, COMMAND_REPEATS,
	"callee", NULL, "longest callee in the window")
COMMAND(CMD_PREVIOUS_SAME, select_keys_same, -1, COMMAND_REPEATS,
	"previous-same", NULL, "previous span of the same function")
COMMAND(CMD_NEXT_SAME, select_keys_same, 1, COMMAND_REPEATS,
	"next-same", NULL, "next span of the same function")

/* findings */
COMMAND(CMD_NEXT_FINDING, findings_walk_go, 1, COMMAND_REPEATS | COMMAND_JUMPS,
	"next-finding", "next finding", "go to the next finding")
COMMAND(CMD_PREVIOUS_FINDING, findings_walk_go, -1, COMMAND_REPEATS | COMMAND_JUMPS,
	"previous-finding", NULL, "go to the previous finding")

/* lanes */
COMMAND(CMD_PREVIOUS_LANE, select_keys_lane, -1, COMMAND_REPEATS,
	"previous-lane", NULL, "previous lane")
COMMAND(CMD_NEXT_LANE, select_keys_lane, 1, COMMAND_REPEATS,
	"next-lane", NULL, "next lane")
COMMAND_PLAIN(CMD_FOLD_LANE, lane_keys_fold, 0,
	"fold-lane", NULL, "show all calls, or fold them; open the lane")
COMMAND_PLAIN(CMD_FOLD_PROCESS, lane_keys_fold_process, 0,
	"fold-process", NULL, "fold or open the process, or the lane")
COMMAND_PLAIN(CMD_HIDE_LANE, lane_keys_hide, 0,
	"hide-lane", NULL, "hide the lane")
COMMAND_PLAIN(CMD_PICK_LANE, lane_picker_open, 0,
	"pick-lane", "lanes", "pick a lane from a list: type a part of its name")
COMMAND_PLAIN(CMD_SHOW_LANES, lane_keys_show, 0,
	"show-lanes", "hidden lanes", "show all hidden lanes")
COMMAND_PLAIN(CMD_KINDS, lane_keys_kinds, 0,
	"kinds", "slices/samples", "show slices, CPU samples or both of a thread")

/* flows */
COMMAND(CMD_FLOW_BACK, select_keys_flow, -1, COMMAND_REPEATS | COMMAND_JUMPS,
	"flow-back", NULL, "follow the flow back")
COMMAND(CMD_FLOW_NEXT, select_keys_flow, 1, COMMAND_REPEATS | COMMAND_JUMPS,
	"flow-next", NULL, "follow the flow on")

/* the window */
COMMAND_PLAIN(CMD_ZOOM_SPAN, window_keys_zoom_span, COMMAND_JUMPS,
	"zoom-span", "zoom", "zoom to the selected span; again: to a request's initiator")
COMMAND(CMD_ZOOM_IN, window_keys_zoom, 1, COMMAND_REPEATS,
	"zoom-in", "zoom in", "zoom in at the selection")
COMMAND(CMD_ZOOM_OUT, window_keys_zoom, -1, COMMAND_REPEATS,
	"zoom-out", "out", "zoom out at the selection")
COMMAND(CMD_PAN_LEFT, window_keys_pan, -1, COMMAND_REPEATS,
	"pan-left", NULL, "move left by a tenth of the window")
COMMAND(CMD_PAN_RIGHT, window_keys_pan, 1, COMMAND_REPEATS,
	"pan-right", NULL, "move right by a tenth of the window")
COMMAND(CMD_PAN_HALF_LEFT, window_keys_pan_half, -1, COMMAND_REPEATS,
	"pan-half-left", NULL, "move left by half a window")
COMMAND(CMD_PAN_HALF_RIGHT, window_keys_pan_half, 1, COMMAND_REPEATS,
	"pan-half-right", NULL, "move right by half a window")
COMMAND_PLAIN(CMD_WHOLE, window_keys_whole, COMMAND_JUMPS,
	"whole", "whole", "show the whole profile")
COMMAND(CMD_TIME_START, window_keys_time, -1, COMMAND_JUMPS,
	"time-start", NULL, "go to the start of the time line")
COMMAND(CMD_TIME_END, window_keys_time, 1, COMMAND_JUMPS,
	"time-end", NULL, "go to the end of the time line")
COMMAND(CMD_BACK, window_keys_back, -1, COMMAND_REPEATS | COMMAND_NO_STEP,
	"back", "back", "go back to the previous window")
COMMAND(CMD_OLDER, window_keys_walk, -1, COMMAND_REPEATS | COMMAND_NO_STEP,
	"older-window", NULL, "history of windows: one step back")
COMMAND(CMD_NEWER, window_keys_walk, 1, COMMAND_REPEATS | COMMAND_NO_STEP,
	"newer-window", NULL, "history of windows: one step forward")
COMMAND_PLAIN(CMD_MARK, mark_keys_set, 0,
	"mark", "set", "set a mark: the window and the selection")
COMMAND_PLAIN(CMD_GO_TO_MARK, mark_keys_go, COMMAND_JUMPS,
	"go-to-mark", "go there", "go to a mark")
COMMAND_PLAIN(CMD_JUMP_BACK, mark_keys_back, COMMAND_JUMPS,
	"jump-back", "before the jump", "go to where the last jump began")
COMMAND(CMD_HALF_PAGE_DOWN, window_keys_half_page, 1, COMMAND_REPEATS,
	"half-page-down", NULL, "scroll the lanes down by half a page")
COMMAND(CMD_HALF_PAGE_UP, window_keys_half_page, -1, COMMAND_REPEATS,
	"half-page-up", NULL, "scroll the lanes up by half a page")
COMMAND(CMD_PAGE_DOWN, window_keys_page, 1, COMMAND_REPEATS,
	"page-down", NULL, "scroll the lanes down by a page")
COMMAND(CMD_PAGE_UP, window_keys_page, -1, COMMAND_REPEATS,
	"page-up", NULL, "scroll the lanes up by a page")
COMMAND(CMD_SCROLL_DOWN, window_keys_scroll, 1, COMMAND_REPEATS,
	"scroll-down", NULL, "scroll the lanes down by a row")
COMMAND(CMD_SCROLL_UP, window_keys_scroll, -1, COMMAND_REPEATS,
	"scroll-up", NULL, "scroll the lanes up by a row")
COMMAND(CMD_TOP, window_keys_end, -1, 0,
	"top", NULL, "go to the first row of the lanes")
COMMAND(CMD_BOTTOM, window_keys_end, 1, 0,
	"bottom", NULL, "go to the last row of the lanes")

/* rows of a pane */
COMMAND(CMD_ROW_DOWN, pane_keys_row, 1, COMMAND_REPEATS,
	"row-down", NULL, "next row")
COMMAND(CMD_ROW_UP, pane_keys_row, -1, COMMAND_REPEATS,
	"row-up", NULL, "previous row")
COMMAND(CMD_ROW_FIRST, pane_keys_row, -INT_MAX, 0,
	"row-first", NULL, "first row")
COMMAND(CMD_ROW_LAST, pane_keys_row, INT_MAX, 0,
	"row-last", NULL, "last row")
COMMAND(CMD_ROW_PAGE_DOWN, pane_keys_row_page, 1, COMMAND_REPEATS,
	"row-page-down", NULL, "a page down")
COMMAND(CMD_ROW_PAGE_UP, pane_keys_row_page, -1, COMMAND_REPEATS,
	"row-page-up", NULL, "a page up")
COMMAND(CMD_ROW_HALF_DOWN, pane_keys_row_half, 1, COMMAND_REPEATS,
	"row-half-page-down", NULL, "half a page down")
COMMAND(CMD_ROW_HALF_UP, pane_keys_row_half, -1, COMMAND_REPEATS,
	"row-half-page-up", NULL, "half a page up")
COMMAND(CMD_ROW_TOGGLE, pane_keys_row_toggle, 1, COMMAND_KEY_COUNT,
	"row-toggle", "open", "open or close the row; where none opens, page")
COMMAND(CMD_ROW_OPEN, pane_keys_row_open, 1, COMMAND_KEY_COUNT,
	"row-open", NULL, "open the row; source: to the right; summary: section")
COMMAND(CMD_ROW_CLOSE, pane_keys_row_open, -1, COMMAND_KEY_COUNT,
	"row-close", NULL, "close the row, or go to its parent; source: to the left")
COMMAND_PLAIN(CMD_ROW_HOT, pane_keys_row_hot, 0,
	"row-hot", "hot path", "open the hot path below the row")
COMMAND_PLAIN(CMD_ROW_SHOW, pane_keys_row_show, COMMAND_JUMPS,
	"row-show", "show", "select its longest span, then zoom; open a stall")
COMMAND_PLAIN(CMD_ROW_OF_SPAN, pane_keys_row_of_span, 0,
	"row-of-span", NULL, "go to the selected span's row in the table")
COMMAND(CMD_SORT_LEFT, pane_keys_sort, -1, COMMAND_REPEATS,
	"sort-left", NULL, "sort by the column to the left")
COMMAND(CMD_SORT_RIGHT, pane_keys_sort, 1, COMMAND_REPEATS,
	"sort-right", "sort", "sort by the column to the right")
COMMAND(CMD_SORT_REVERSE, pane_keys_sort, 0, 0,
	"sort-reverse", NULL, "reverse the sort order")
COMMAND(CMD_PREVIOUS_HOT, pane_keys_hot_line, -1, COMMAND_REPEATS,
	"previous-hot-line", NULL, "source: previous hot line; else as in the chart")
COMMAND(CMD_NEXT_HOT, pane_keys_hot_line, 1, COMMAND_REPEATS,
	"next-hot-line", "hot line", "source: next hot line; else as in the chart")
COMMAND(CMD_TAB_PREVIOUS, pane_keys_tab, -1, COMMAND_REPEATS,
	"tab-previous", NULL, "previous tab of the pane")
COMMAND(CMD_TAB_NEXT, pane_keys_tab, 1, COMMAND_REPEATS,
	"tab-next", NULL, "next tab of the pane")

/* views, and what panes are about */
COMMAND(CMD_VIEW_TIME, view_keys_show, VIEW_TIME, 0,
	"view-time", "time", "view: calls in time order")
COMMAND(CMD_VIEW_MERGED, view_keys_show, VIEW_MERGED, COMMAND_NEEDS_ALL,
	"view-left-heavy", "merged", "view: equal calls merged, heaviest first")
COMMAND_PLAIN(CMD_COMPARE, line_keys_compare, COMMAND_NEEDS_ALL,
	"compare", "diff rest", "compare the window with the rest, or the second half with the first")
COMMAND_PLAIN(CMD_WIDTH, view_keys_width, 0,
	"width", "widths", "widths of a comparison: mean, larger, before, after")
COMMAND(CMD_VIEW_SANDWICH, view_keys_show, VIEW_SANDWICH, COMMAND_NEEDS_ALL,
	"view-callers", "callers", "view: callers and callees of the function")
COMMAND_PLAIN(CMD_ALL_LANES, view_keys_all_lanes, 0,
	"all-lanes", "all lanes", "panes show all lanes of samples or slices, or this one")

/* ranges of time */
COMMAND_PLAIN(CMD_SELECT_RANGE, range_keys_select, 0,
	"select-range", "range", "select a range of time from the selected span on")
COMMAND_PLAIN(CMD_SELECT_SPAN, range_keys_span, 0,
	"select-span", NULL, "pin the panes to the range of the selected span")
COMMAND_PLAIN(CMD_RANGE_SWAP, range_keys_swap, 0,
	"range-swap", "other end", "go to the other end of the range")
COMMAND_PLAIN(CMD_RANGE_ZOOM, range_keys_zoom, 0,
	"range-zoom", "zoom", "zoom to the range")
COMMAND_PLAIN(CMD_RANGE_KEEP, range_keys_keep, 0,
	"range-keep", "keep", "keep the range: pin the panes to it")
COMMAND_PLAIN(CMD_RANGE_DROP, range_keys_drop, 0,
	"range-drop", "drop", "drop the range")

/* transforms */
COMMAND(CMD_FOCUS_FUNCTION, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_FOCUS, BY_FUNCTION, 0), COMMAND_NEEDS_ALL | COMMAND_PATTERN,
	"focus-function", "focus", "show only what runs below the function")
COMMAND(CMD_FOCUS_SUBTREE, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_FOCUS, BY_PATH, 0), COMMAND_NEEDS_ALL,
	"focus-subtree", "subtree", "show only what runs below this call")
COMMAND(CMD_KEEP_FUNCTION, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_KEEP, BY_FUNCTION, 0), COMMAND_NEEDS_ALL | COMMAND_PATTERN,
	"keep-function", "keep", "show only stacks with the function")
COMMAND(CMD_KEEP_MATCHES, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_KEEP, BY_SET, 0), COMMAND_NEEDS_ALL,
	"keep-matches", NULL, "show only stacks with a search match")
COMMAND(CMD_MERGE_FUNCTION, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_MERGE, BY_FUNCTION, 0), COMMAND_NEEDS_ALL | COMMAND_PATTERN,
	"merge-function", "merge", "merge the function into its callers")
COMMAND(CMD_MERGE_FILE, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_MERGE, BY_FILE, 0), COMMAND_NEEDS_ALL,
	"merge-file", "merge file", "merge its whole file into the callers")
COMMAND(CMD_MERGE_PACKAGE, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_MERGE, BY_PACKAGE, 0), COMMAND_NEEDS_ALL,
	"merge-package", "merge package", "merge its whole package into the callers")
COMMAND(CMD_MERGE_OTHERS, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_MERGE, BY_OTHERS, 0), COMMAND_NEEDS_ALL,
	"own-code", "only own code", "merge what is not own code into the callers")
COMMAND(CMD_DROP_FUNCTION, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_DROP, BY_FUNCTION, 0), COMMAND_NEEDS_ALL | COMMAND_PATTERN,
	"drop-function", "leave out", "leave out stacks with the function")
COMMAND(CMD_DURING, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_DURING, BY_FUNCTION, 0), COMMAND_NEEDS_ALL | COMMAND_PATTERN,
	"during", "during", "only the time of a route, request or slice; again: all")
COMMAND(CMD_COLLAPSE_FUNCTION, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_COLLAPSE, BY_FUNCTION, 0), COMMAND_NEEDS_ALL | COMMAND_PATTERN,
	"collapse-function", "collapse", "count what it calls as its self time")
COMMAND(CMD_COLLAPSE_PACKAGE, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_FOLD, BY_PACKAGE, 0), COMMAND_NEEDS_ALL,
	"collapse-package", "package", "show its package as one frame")
COMMAND(CMD_COLLAPSE_RECURSION, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_RECURSION, BY_ALL, 0), COMMAND_NEEDS_ALL,
	"collapse-recursion", "recursion", "show recursive calls as one call")
COMMAND(CMD_INVERT, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_INVERT, BY_ALL, 0), COMMAND_NEEDS_ALL,
	"invert", "invert", "merged view: stacks begin with what ran, or not")
COMMAND(CMD_FOLD_PACKAGES, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_FOLD, BY_ANY_PACKAGE, 0), COMMAND_NEEDS_ALL,
	"fold-packages", "all packages", "show each package as one frame")
COMMAND(CMD_FOLD_NODE, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_FOLD, BY_CATEGORY, CATEGORY_NODE), COMMAND_NEEDS_ALL,
	"fold-node", "node", "show Node.js internals as one frame")
COMMAND(CMD_DROP_IDLE, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_DROP, BY_CATEGORY, CATEGORY_IDLE), COMMAND_NEEDS_ALL,
	"drop-idle", "leave out idle", "leave out idle time")
COMMAND(CMD_DROP_PROGRAM, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_DROP, BY_CATEGORY, CATEGORY_PROGRAM), COMMAND_NEEDS_ALL,
	"drop-program", "leave out program", "leave out (program)")
COMMAND(CMD_DROP_GC, transform_keys_apply,
	TRANSFORMS_COMMAND(TRANSFORM_DROP, BY_CATEGORY, CATEGORY_GC), COMMAND_NEEDS_ALL,
	"drop-gc", "leave out gc", "leave out garbage collection")
COMMAND(CMD_RAW_GC, transform_keys_raw, AS_RECORDED_GC, COMMAND_NEEDS_ALL,
	"raw-gc", "GC's place", "garbage collection as recorded, or on the stack below it")
COMMAND(CMD_RAW_PROGRAM, transform_keys_raw, AS_RECORDED_PROGRAM, COMMAND_NEEDS_ALL,
	"raw-program", "lone (program)", "lone (program) samples as recorded, or joined")
COMMAND_PLAIN(CMD_GROUP, transform_keys_group, COMMAND_NEEDS_ALL,
	"group", "frames by", "frames by function, file, package, category, lane, cat, name, origin")
COMMAND(CMD_UNDO, transform_keys_undo, -1, COMMAND_REPEATS | COMMAND_NEEDS_ALL,
	"undo", NULL, "undo the last transform")
COMMAND(CMD_REDO, transform_keys_undo, 1, COMMAND_REPEATS | COMMAND_NEEDS_ALL,
	"redo", NULL, "redo the last undone transform")

/* the heat map */
COMMAND_PLAIN(CMD_HEAT, heat_keys_open, 0,
	"heat-map", "heat map", "heat map of time: what comes back again and again")
COMMAND(CMD_HEAT_LEFT, heat_keys_column, -1, COMMAND_REPEATS,
	"heat-left", NULL, "a column to the left")
COMMAND(CMD_HEAT_RIGHT, heat_keys_column, 1, COMMAND_REPEATS,
	"heat-right", NULL, "a column to the right")
COMMAND(CMD_HEAT_PAGE_LEFT, heat_keys_page, -1, COMMAND_REPEATS,
	"heat-page-left", NULL, "a screen of columns to the left")
COMMAND(CMD_HEAT_PAGE_RIGHT, heat_keys_page, 1, COMMAND_REPEATS,
	"heat-page-right", NULL, "a screen of columns to the right")
COMMAND_PLAIN(CMD_HEAT_SHOW, heat_keys_show, COMMAND_JUMPS,
	"heat-show", "chart", "show the time of the cell, or the range, in the chart; Esc comes back")
COMMAND(CMD_HEAT_LONGER, heat_keys_period, 1, 0,
	"heat-longer", "longer", "longer columns")
COMMAND(CMD_HEAT_SHORTER, heat_keys_period, -1, 0,
	"heat-shorter", "shorter", "shorter columns")
COMMAND_PLAIN(CMD_HEAT_FOUND, heat_keys_found, 0,
	"heat-found", "period", "columns as long as the period that was found")
COMMAND_PLAIN(CMD_HEAT_RANGE, heat_keys_range, 0,
	"heat-range", "range", "select a range of time from the cell on; again: keep it")

/* the grid of a fleet */
COMMAND(CMD_FLEET_LEFT, pane_keys_row_open, -1, COMMAND_KEY_COUNT,
	"fleet-left", NULL, "a column to the left")
COMMAND(CMD_FLEET_RIGHT, pane_keys_row_open, 1, COMMAND_KEY_COUNT,
	"fleet-right", NULL, "a column to the right")
COMMAND(CMD_FLEET_PREVIOUS, pane_keys_hot_line, -1, COMMAND_REPEATS,
	"fleet-previous", NULL, "the cell before that stands out")
COMMAND(CMD_FLEET_NEXT, pane_keys_hot_line, 1, COMMAND_REPEATS,
	"fleet-next", "what stands out", "the next cell that stands out")
COMMAND_PLAIN(CMD_FLEET_OPEN, pane_keys_row_show, COMMAND_JUMPS,
	"fleet-open", "open", "open the recordings of the column, merged; Esc comes back")
COMMAND_PLAIN(CMD_FLEET_AXIS, fleet_keys_axis, 0,
	"fleet-axis", "columns", "columns by host, by version, or by time")
COMMAND_PLAIN(CMD_FLEET_TOTAL, fleet_keys_total, 0,
	"fleet-total", "own/total", "shares of own times, or of total times")
COMMAND(CMD_FLEET_WIDER, fleet_keys_width, 1, COMMAND_REPEATS,
	"fleet-wider", NULL, "wider columns, with numbers")
COMMAND(CMD_FLEET_NARROWER, fleet_keys_width, -1, COMMAND_REPEATS,
	"fleet-narrower", NULL, "narrower columns, so that more are shown")

/* which pane is shown */
COMMAND_PLAIN(CMD_FOCUS, pane_keys_focus, 0,
	"focus", "pane", "go to the pane, or back to the chart")
COMMAND(CMD_SUMMARY, pane_keys_show, PANES_SUMMARY, 0,
	"summary", "summary", "pane: what stands out, shares, pauses")
COMMAND(CMD_BOTTOM_UP, pane_keys_show, PANES_BOTTOM_UP, 0,
	"bottom-up", "bottom-up", "pane: functions by self time")
COMMAND(CMD_TOP_DOWN, pane_keys_show, PANES_TOP_DOWN, 0,
	"top-down", "top-down", "pane: call tree by total time")
COMMAND(CMD_CALLERS, pane_keys_show, PANES_CALLERS, 0,
	"callers", "callers", "pane: callers of the function, or its callees")
COMMAND(CMD_FUNCTIONS, pane_keys_show, PANES_FUNCTIONS, 0,
	"functions", "functions", "pane: functions and their spans")
COMMAND(CMD_DETAILS, pane_keys_show, PANES_DETAILS, 0,
	"details", "details", "pane: details of the span, lane and file")
COMMAND(CMD_EVENTS, pane_keys_show, PANES_EVENTS, 0,
	"events", "events", "pane: spans and events in order of start")
COMMAND(CMD_SOURCE, pane_keys_show, PANES_SOURCE, 0,
	"source", "source", "pane: the function's file, with the time of each line")
COMMAND(CMD_ROUTES, pane_keys_show, PANES_ROUTES, 0,
	"routes", "routes", "pane: routes that are served, requests, waits; or stalls")
COMMAND(CMD_PROCESSES, pane_keys_show, PANES_PROCESSES, 0,
	"processes", "processes", "pane: processes, with load, delay and memory over time")
COMMAND_PLAIN(CMD_MAXIMISE, pane_keys_maximise, 0,
	"maximise", NULL, "maximise the pane, or restore it")

/* search */
COMMAND_PLAIN(CMD_SEARCH, finder_open, COMMAND_PASSIVE,
	"search", "search", "search functions by name, file, package")
COMMAND(CMD_SEARCH_NEXT, finder_walk, 1, COMMAND_REPEATS | COMMAND_JUMPS,
	"search-next", "next", "next search match")
COMMAND(CMD_SEARCH_PREVIOUS, finder_walk, -1, COMMAND_REPEATS | COMMAND_JUMPS,
	"search-previous", "previous", "previous search match")
COMMAND(CMD_SEARCH_FUNCTION, search_keys_function, 0, 0,
	"search-function", NULL, "search for the selected function")
COMMAND(CMD_SEARCH_FUNCTION_BACK, search_keys_function, -1, COMMAND_REPEATS | COMMAND_JUMPS,
	"search-back", NULL, "search for the function; go to its span before")
COMMAND_PLAIN(CMD_FILTER, filter_open, COMMAND_NEEDS_ALL,
	"filter", "filter", "show only rows that match a pattern")

/* copying */
COMMAND(CMD_COPY, copy_keys_text, COPY_ANSWER, COMMAND_PASSIVE,
	"copy", "two lines", "copy two lines: who, where, how much, called by whom")
COMMAND(CMD_COPY_NAME, copy_keys_text, COPY_NAME, COMMAND_PASSIVE,
	"copy-name", "name", "copy the name of the function")
COMMAND(CMD_COPY_LOCATION, copy_keys_text, COPY_LOCATION, COMMAND_PASSIVE,
	"copy-location", "location", "copy path:line:column of the function")
COMMAND(CMD_COPY_STACK, copy_keys_text, COPY_STACK, COMMAND_PASSIVE,
	"copy-stack", "stack", "copy the stack, a line for each call")
COMMAND(CMD_COPY_FOLDED, copy_keys_text, COPY_FOLDED, COMMAND_PASSIVE,
	"copy-folded", "folded stack", "copy the stack as a folded line")
COMMAND(CMD_COPY_TABLE, copy_keys_text, COPY_TABLE, COMMAND_PASSIVE,
	"copy-table", "table", "copy the pane as it is on the screen")
COMMAND_PLAIN(CMD_COPY_VIEW, copy_view, COMMAND_PASSIVE,
	"copy-view", "view", "copy the command line that shows this again")

/* the editor */
COMMAND_PLAIN(CMD_EDIT, edit_keys_open, COMMAND_PASSIVE,
	"edit", "editor", "open the code of the function in $VISUAL or $EDITOR")

/* the command line */
COMMAND_PLAIN(CMD_COMMAND_LINE, command_line_open, COMMAND_PASSIVE,
	"command-line", "command", "type a command by its name, a time, a window")
COMMAND_PLAIN(CMD_GOTO, line_keys_goto, COMMAND_ARGUMENTS | COMMAND_JUMPS,
	"goto", NULL, "go to a time: 1.5s, 350ms, 40%")
COMMAND_PLAIN(CMD_RANGE, line_keys_range, COMMAND_ARGUMENTS | COMMAND_JUMPS,
	"range", NULL, "show a window: 2s 3s")
COMMAND_PLAIN(CMD_SLOWEST, served_list_slowest, COMMAND_ARGUMENTS | COMMAND_JUMPS,
	"slowest", NULL, "go to the slowest request; again: the next one; slowest GET /a")
COMMAND_PLAIN(CMD_NOTE, note_keys_set, COMMAND_ARGUMENTS,
	"note", NULL, "write a note to the selected call, as in note why so slow?; no text: remove it")
COMMAND_PLAIN(CMD_SELECT_CALL, line_keys_select_call, COMMAND_ARGUMENTS | COMMAND_JUMPS,
	"select-call", NULL, "select in lane 2 the call at 1.5 s in row 7: 2 1.5s 7")
COMMAND_PLAIN(CMD_LANES, line_keys_lanes, COMMAND_ARGUMENTS,
	"lanes", NULL, "hide lanes, show all calls of others: hidden 2 3 unfolded 1")
COMMAND_PLAIN(CMD_SET, line_keys_set, COMMAND_ARGUMENTS,
	"set", NULL, "set color package; set color shows it; set lists all")
COMMAND_PLAIN(CMD_BIND, line_keys_bind, COMMAND_ARGUMENTS | COMMAND_PASSIVE,
	"bind", NULL, "let keys run a command: F2 summary")
COMMAND_PLAIN(CMD_WRITE_CONFIG, line_keys_write_config, COMMAND_PASSIVE,
	"write-config", NULL, "keep what was set and bound for the next start")
COMMAND_PLAIN(CMD_DIFF, line_keys_diff, COMMAND_ARGUMENTS | COMMAND_NEEDS_ALL,
	"diff", NULL, "what differs: diff (as %), 1s,2s (and rest), 1s,2s 3s,4s, FILE; off ends it")
COMMAND_PLAIN(CMD_EXPORT, line_keys_export, COMMAND_ARGUMENTS | COMMAND_NEEDS_ALL,
	"export", NULL, "write what is in scope: FORMAT FILE; export! replaces the file")

COMMAND_PLAIN(CMD_SAVE, live_keys_save, COMMAND_ARGUMENTS | COMMAND_PASSIVE,
	"save", NULL, "live: write what was recorded: FILE; save! replaces the file")

/* display options */
COMMAND_PLAIN(CMD_ABSOLUTE, program_keys_absolute, 0,
	"absolute", "times", "times: of the profile, of the file's clock, of the wall clock")
COMMAND_PLAIN(CMD_COLOR, program_keys_color, 0,
	"color", "colour by", "colour by ownership, file, package, category, function, self time, cat, request")
COMMAND_PLAIN(CMD_FOLD, program_keys_fold, 0,
	"fold", "folds", "fold packages and Node.js into rows, only Node.js, or nothing")
COMMAND(CMD_IDLE, setting_next, CMD_IDLE, 0,
	"idle", "idle in shares", "count idle time in shares, or leave it out")
COMMAND(CMD_SHARE, setting_next, CMD_SHARE, 0,
	"share", "share of", "shares of the busy time, of the range, or of the whole")
COMMAND(CMD_GC_COLUMN, setting_next, CMD_GC_COLUMN, 0,
	"gc-column", "column GC", "tables: a column of garbage collection in total times")
COMMAND_PLAIN(CMD_NAMES, program_keys_names, COMMAND_NEEDS_ALL,
	"names", "names", "names of the sources, by source maps, or of the scripts")
COMMAND_PLAIN(CMD_SPLIT, program_keys_split, COMMAND_NEEDS_ALL,
	"split", "lanes by cat", "slices of a thread: one lane for each event category, or one for all")
COMMAND(CMD_EVENT_LENGTH, setting_next, CMD_EVENT_LENGTH, 0,
	"event-length", "events from", "events: shortest listed is 0, 1 or 15 ms")

/* the program */
COMMAND_PLAIN(CMD_HELP, help_keys_open, COMMAND_PASSIVE | COMMAND_ARGUMENTS,
	"help", "help", "show this help")
COMMAND_PLAIN(CMD_ESCAPE, leave_keys_escape, COMMAND_PASSIVE | COMMAND_NO_STEP,
	"escape", "back", "leave what was entered last")
COMMAND_PLAIN(CMD_CLOSE, leave_keys_close, 0,
	"close", "quit", "close a maximised pane, the focused pane, a comparison; else quit")
COMMAND_PLAIN(CMD_RELOAD, program_keys_reload, COMMAND_NEEDS_ALL,
	"reload", "read again", "read the files again")
COMMAND(CMD_QUIT, program_keys_effect, APP_QUIT, COMMAND_PASSIVE,
	"quit", "quit at once", "quit at once")
COMMAND_PLAIN(CMD_FREEZE, live_keys_freeze, 0,
	"freeze", "freeze", "live: freeze what is shown, or go on; Space freezes, too")
COMMAND(CMD_SUSPEND, program_keys_effect, APP_SUSPEND, COMMAND_PASSIVE,
	"suspend", NULL, "suspend; the shell's fg resumes it")
COMMAND(CMD_REDRAW, program_keys_effect, APP_REDRAW | APP_RESET, COMMAND_PASSIVE,
	"redraw", NULL, "redraw the screen")

/* the help screen */
COMMAND(CMD_HELP_DOWN, help_keys_scroll, 1, COMMAND_REPEATS | COMMAND_PASSIVE,
	"help-down", NULL, "a line down")
COMMAND(CMD_HELP_UP, help_keys_scroll, -1, COMMAND_REPEATS | COMMAND_PASSIVE,
	"help-up", NULL, "a line up")
COMMAND(CMD_HELP_PAGE_DOWN, help_keys_page, 1, COMMAND_REPEATS | COMMAND_PASSIVE,
	"help-page-down", NULL, "a page down")
COMMAND(CMD_HELP_PAGE_UP, help_keys_page, -1, COMMAND_REPEATS | COMMAND_PASSIVE,
	"help-page-up", NULL, "a page up")
COMMAND(CMD_HELP_FIRST, help_keys_scroll, -INT_MAX, COMMAND_PASSIVE,
	"help-first", NULL, "first line")
COMMAND(CMD_HELP_LAST, help_keys_scroll, INT_MAX, COMMAND_PASSIVE,
	"help-last", NULL, "last line")
COMMAND_PLAIN(CMD_HELP_CLOSE, help_keys_close, COMMAND_PASSIVE,
	"help-close", NULL, "close this help")
COMMAND_PLAIN(CMD_HELP_BACK, help_keys_back, COMMAND_PASSIVE,
	"help-back", NULL, "show all lines again, or close this help")
COMMAND_PLAIN(CMD_HELP_FILTER, help_keys_filter, COMMAND_PASSIVE,
	"help-filter", NULL, "show only lines with a word")

/* a line of input */
COMMAND_PLAIN(CMD_PROMPT_ACCEPT, search_keys_accept, COMMAND_EDITS,
	"prompt-accept", NULL, "accept; without text, repeat the last one")
COMMAND_PLAIN(CMD_PROMPT_CANCEL, search_keys_cancel, COMMAND_EDITS | COMMAND_PASSIVE,
	"prompt-cancel", NULL, "cancel and go back")
COMMAND_PLAIN(CMD_PROMPT_PLAIN, search_keys_plain, COMMAND_EDITS | COMMAND_PASSIVE,
	"prompt-plain", NULL, "switch plain text / regular expression")
COMMAND(CMD_PROMPT_OLDER, search_keys_history, -1, COMMAND_EDITS | COMMAND_PASSIVE,
	"prompt-older", NULL, "previous text of the history")
COMMAND(CMD_PROMPT_NEWER, search_keys_history, 1, COMMAND_EDITS | COMMAND_PASSIVE,
	"prompt-newer", NULL, "next text of the history")
COMMAND(CMD_PROMPT_COMPLETE, search_keys_complete, 1, COMMAND_EDITS | COMMAND_PASSIVE,
	"prompt-complete", NULL, "complete the word; again: the next one that fits")
COMMAND(CMD_PROMPT_COMPLETE_BACK, search_keys_complete, -1, COMMAND_EDITS | COMMAND_PASSIVE,
	"prompt-cycle-back", NULL, "complete by the word before")
COMMAND(CMD_PROMPT_LEFT, search_keys_move, PROMPT_LEFT, COMMAND_EDITS | COMMAND_PASSIVE,
	"prompt-left", NULL, "one character to the left")
COMMAND(CMD_PROMPT_RIGHT, search_keys_move, PROMPT_RIGHT, COMMAND_EDITS | COMMAND_PASSIVE,
	"prompt-right", NULL, "one character to the right")
COMMAND(CMD_PROMPT_START, search_keys_move, PROMPT_START, COMMAND_EDITS | COMMAND_PASSIVE,
	"prompt-start", NULL, "start of the line")
COMMAND(CMD_PROMPT_END, search_keys_move, PROMPT_END, COMMAND_EDITS | COMMAND_PASSIVE,
	"prompt-end", NULL, "end of the line")
COMMAND(CMD_PROMPT_ERASE, search_keys_erase, PROMPT_LEFT, COMMAND_EDITS | COMMAND_PASSIVE,
	"prompt-erase", NULL, "erase the character before the cursor")
COMMAND(CMD_PROMPT_DELETE, search_keys_erase, PROMPT_RIGHT, COMMAND_EDITS | COMMAND_PASSIVE,
	"prompt-delete", NULL, "erase the character under the cursor")
COMMAND(CMD_PROMPT_ERASE_WORD, search_keys_erase, PROMPT_WORD,
	COMMAND_EDITS | COMMAND_PASSIVE,
	"prompt-erase-word", NULL, "erase the word before the cursor")
COMMAND(CMD_PROMPT_ERASE_LINE, search_keys_erase, PROMPT_START,
	COMMAND_EDITS | COMMAND_PASSIVE,
	"prompt-erase-line", NULL, "erase all text before the cursor")

#undef COMMAND
#undef COMMAND_PLAIN
/* clang-format on */
