/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user has set, as a value: the window and the windows before, the selection, open and
 * hidden lanes, transforms, the view, panes and their order, the search and the filter. Each
 * profile that is shown has an app of its own, and a new app is made with the state of the one
 * before (app_options.state).
 *
 * A state refers to nothing of the profile that it was made from: lanes are recognised by their
 * names, functions by their names and places, times are those of the files' clock. Window
 * and selection of a merged view are not in it. While a file is loading, transforms, merged views
 * and filters are barred (COMMAND_NEEDS_ALL): they would be computed anew for each preview. */
#ifndef FLAMETTY_UI_APP_STATE_H
#define FLAMETTY_UI_APP_STATE_H

#include "draw/chart.h"
#include "draw/table/function_table.h"
#include "model/profile.h"
#include "ui/chart/chart_diff.h"
#include "ui/chart/finder.h"
#include "ui/chart/range.h"
#include "ui/chart/scene.h"
#include "ui/chart/transforms.h"
#include "ui/keymap.h"
#include "ui/line/prompt.h"
#include "ui/pane/pane.h"
#include "ui/pane/process_list.h"
#include "ui/pane/served_list.h"
#include "ui/same_frames.h"

/* What a lane is known by. */
struct same_lane {
	uint64_t id;   /* hash of kind, process, thread and title */
	uint64_t name; /* the same without the ids of process and thread */
};

struct app;

/* The plain values, one row each: FIELD(type, name, member of struct app). To keep another value,
 * add a row here. */
#define APP_STATE_FIELDS(FIELD)                                                                    \
	FIELD(bool, is_help, help.is_open)                                                         \
	FIELD(int, help_scroll, help.scroll)                                                       \
	FIELD(enum chart_color, color, s.chart.color)                                              \
	FIELD(enum chart_times, times, s.chart.times)                                              \
	FIELD(bool, is_pane_open, is_pane_open)                                                    \
	FIELD(bool, is_pane_chosen, is_pane_chosen)                                                \
	FIELD(bool, is_pane_max, is_pane_max)                                                      \
	FIELD(int, pane_rows, pane_rows)                                                           \
	FIELD(enum keymap_context, focus, focus)                                                   \
	FIELD(const struct pane_kind *, shown, shown)                                              \
	FIELD(enum pane_table, tab, pane.tab)                                                      \
	FIELD(bool, has_idle, pane.has_idle)                                                       \
	FIELD(bool, has_gc_column, pane.gc.is_on)                                                  \
	FIELD(bool, is_of_whole, pane.is_of_whole)                                                 \
	FIELD(bool, has_all_lanes, has_all_lanes)                                                  \
	FIELD(enum function_column, function_sort, function_list.sort)                             \
	FIELD(bool, is_function_order_reversed, function_list.is_reversed)                         \
	FIELD(int64_t, event_min_ns, events_list.min_ns)                                           \
	FIELD(enum event_sort, event_sort, events_list.sort)                                       \
	FIELD(bool, is_event_order_reversed, events_list.is_reversed)                              \
	FIELD(struct served_kept, served_kept, served_list.kept)                                   \
	FIELD(enum fold_mode, fold, folds.mode)                                                    \
	FIELD(int, kinds, s.kinds)                                                                 \
	FIELD(struct process_list_order, process_order, process_list.order)                        \
	FIELD(bool, is_moving, s.is_moving)                                                        \
	FIELD(int64_t, heat_period, heat.period_ns)                                                \
	FIELD(bool, heat_is_last, heat.is_last)                                                    \
	FIELD(bool, heat_has_anchor, heat.has_anchor)                                              \
	FIELD(struct chart_diff_what, diff, diff.what)

/* A time that another profile of the same files finds again: by the clock, or, where the times of a
 * profile are made up, by the sample. */
struct app_time {
	int64_t ns;    /* since the start of the profile that it was taken from */
	size_t sample; /* of the lane with the cursor; SIZE_MAX: the clock counts */
};

/* A window of the history (ui/chart/scene.h). */
struct app_window {
	struct app_time t0, t1;
	bool is_whole; /* all of the profile */
	int scroll;
};

struct app_lane {
	struct same_lane same;
	int64_t zero_ns; /* of the lane */
	bool is_open, is_hidden, is_shut, has_group, is_away, in_pool, is_pooled, is_whole;
	/* Its rows, which stay while the user zooms and pans (ui/chart/fit.h). */
	bool is_fitted;
	int end_depth, n_rest, trunk;
	bool is_unfolded;
};

/* A mark (ui/chart/range.h). */
struct app_mark {
	bool is_set, has_selection;
	struct app_time t0, t1, span_t0;
	int lane; /* of app_state.lanes; -1: none */
	int depth, scroll;
};

/* A search without its results. */
struct app_query {
	char *text; /* pattern, or name of the function; owned; NULL: there is no search */
	bool is_plain, is_function, is_told;
	struct same_frames same; /* the function */
};

struct kept_transform {
	enum transform_kind kind;
	enum transform_by by;
	uint32_t category;       /* BY_CATEGORY */
	struct same_frames same; /* the functions that it is about, or the path; of those that name
				    functions, files or packages */
	char **cats; /* owned, of a set of event categories: those that match, as traces write
			them, sorted; NULL: it is of functions */
	uint32_t n_cats;
	char *text;      /* owned: url, package, pattern, or name of the function */
	char *said;      /* owned: its description */
	bool is_lost;    /* it is about frames that another transform made */
	bool is_pattern; /* `text` is a pattern for labels, or for slices and requests */
};

struct kept_transforms {
	struct kept_transform *list;
	size_t n, n_all; /* as in struct transforms */
	enum view_group group;
	char *label; /* owned, of GROUP_LABEL: its key; NULL: the frames stand for something else */
	unsigned raw;
};

struct app_state {
	int rows, cols;
	bool is_touched; /* false: only the size and the prompt's history count */
#define FIELD(type, name, member) type name;
	APP_STATE_FIELDS(FIELD)
#undef FIELD
	struct {
		enum rows_sort sort;
		bool is_reversed;
		struct pane_kept kept;
	} order[PANE_TABS];
	struct prompt prompt; /* a copy */
	struct app_query query;
	char *filter; /* the pattern; NULL: none */
	bool is_filter_plain;
	bool is_source; /* functions had the names of sources */
	unsigned split; /* how lanes were split: profile_split() */
	struct kept_transforms transforms;
	enum app_view view;
	struct same_frames view_function; /* of VIEW_SANDWICH */

	bool has_own_zero; /* times compare with no other profile's */
	int64_t origin_ns; /* of the files' clock */
	int64_t end_ns;    /* of the profile, since its start */
	bool has_window;   /* false: the whole profile was shown */
	bool has_range;    /* panes are pinned */
	struct app_time t0, t1, range_t0, range_t1, heat_t, heat_anchor;

	struct app_mark marks[MARKS_MAX], last_mark;
	struct notes notes; /* of the user; a copy */
	struct app_window *windows;
	int n_windows, window_at; /* as in struct history */
	enum history_kind last_window;
	struct app_lane *lanes;
	int n_lanes;
	int lane;          /* with the cursor; -1: none */
	bool has_timeline; /* of that lane */
	bool has_selection;
	int depth;               /* of the selected span */
	int64_t slice, pid, tid; /* its event if it is a slice, else -1; its thread */
	struct app_time span_t0; /* the same */
	struct same_stack stack; /* the same */
	int scroll;              /* rows from that lane's title to the first row on the screen */
};

/* Fill `state` from an app. The caller frees it with app_state_done(), which accepts a zeroed
 * state. */
void app_state_get(const struct app *app, struct app_state *state);
void app_state_done(struct app_state *state);

/* For an app of another profile: forget what is only of use in this one, which are lanes, windows,
 * marks and the selection. */
void app_state_forget_places(struct app_state *state);

/* Make the transforms of a profile, without those whose functions it does not have: they are
 * appended to `lost`, separated by commas. What is undone is left out silently. The caller frees
 * what the list owns, and the list. */
void kept_transforms_make(const struct kept_transforms *kept, const struct profile *profile,
			  struct transforms *transforms, struct buf *lost);

/* Apply the state to a new app that has the size of the state and has processed no key. Its
 * transforms are those of the state already, see app_new(). Lanes, spans and functions that its
 * profile does not have are left out. */
void app_state_apply(struct app *app, const struct app_state *state);

#endif
