/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All panes, in the order of their tabs: PANE(object), a `struct pane_kind`. A file that includes
 * this one defines PANE first; it is undefined at the end. */
/* clang-format off */
PANE(summary_page_pane)
PANE(call_pane_bottom_up)
PANE(call_pane_top_down)
PANE(call_pane_callers)
PANE(call_pane_callees)
PANE(function_list_pane)
PANE(live_list_pane)
PANE(details_page_pane)
PANE(event_list_pane)
PANE(source_page_pane)

#undef PANE
/* clang-format on */
