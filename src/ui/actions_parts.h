/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What commands do that live in files of their own: panes (actions_pane.c), and views, scope and
 * transforms (actions_view.c). The table of them all is in actions.c. */
#ifndef FLAMETTY_UI_ACTIONS_PARTS_H
#define FLAMETTY_UI_ACTIONS_PARTS_H

#include "ui/actions.h"

action do_bottom_up, do_top_down, do_summary, do_functions, do_callers, do_details, do_events,
	do_event_length, do_tab_next, do_tab_previous, do_focus, do_maximise, do_row_of_span,
	do_row_down, do_row_up, do_row_first, do_row_last, do_row_page_down, do_row_page_up,
	do_row_half_down, do_row_half_up, do_row_toggle, do_row_open, do_row_close, do_row_hot,
	do_row_show, do_sort_reverse, do_sort_left, do_sort_right;

action do_view_time, do_view_merged, do_view_sandwich, do_pin, do_pin_span, do_all_lanes,
	do_focus_function, do_focus_subtree, do_keep_function, do_keep_matches, do_merge_function,
	do_merge_file, do_merge_package, do_drop_function, do_collapse_function,
	do_collapse_package, do_collapse_recursion, do_fold_packages, do_fold_node, do_drop_idle,
	do_drop_program, do_drop_gc, do_group, do_undo, do_redo;

#endif
