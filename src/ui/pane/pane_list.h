/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All panes, in the order of their tabs: PANE(index, object), a constant of enum pane_index and a
 * `struct pane_kind`. A file that includes this one defines PANE first; it is undefined at the
 * end. */
/* clang-format off */
PANE(PANES_SUMMARY, summary_page_pane)
PANE(PANES_BOTTOM_UP, call_pane_bottom_up)
PANE(PANES_TOP_DOWN, call_pane_top_down)
PANE(PANES_CALLERS, call_pane_callers)
PANE(PANES_CALLEES, call_pane_callees)
PANE(PANES_FUNCTIONS, function_list_pane)
PANE(PANES_LIVE, live_list_pane)
PANE(PANES_DETAILS, details_page_pane)
PANE(PANES_EVENTS, event_list_pane)
PANE(PANES_SOURCE, source_page_pane)
PANE(PANES_PROCESSES, process_list_pane)
PANE(PANES_STALLS, stalls_pane)
PANE(PANES_ROUTES, served_routes_pane)
PANE(PANES_REQUESTS, served_requests_pane)
PANE(PANES_WAITS, served_waits_pane)
PANE(PANES_HEAT, heat_pane)
PANE(PANES_FLEET, fleet_pane)

#undef PANE
/* clang-format on */
