/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each command does: one small function a row of the table at the end. They
 * change the state and say what is wanted; none of them draws. */
#include "config.h"

#include "ui/actions.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "ui/actions_parts.h"
#include "ui/app_transfer.h"
#include "ui/help_page.h"
#include "ui/chart/lanes.h"
#include "ui/search/search_keys.h"
#include "ui/chart/select.h"
#include "ui/chart/views.h"

/* ---- selection ---- */

static unsigned do_previous(struct app *app, int count)
{
	while (count-- > 0 && select_sideways(app, false))
		;
	return APP_REDRAW;
}

static unsigned do_next(struct app *app, int count)
{
	while (count-- > 0 && select_sideways(app, true))
		;
	return APP_REDRAW;
}

static unsigned do_caller(struct app *app, int count)
{
	while (count-- > 0 && select_caller(app))
		;
	return APP_REDRAW;
}

static unsigned do_callee(struct app *app, int count)
{
	while (count-- > 0 && select_callee(app))
		;
	return APP_REDRAW;
}

static unsigned do_previous_same(struct app *app, int count)
{
	while (count-- > 0 && select_same(app, false))
		;
	return APP_REDRAW;
}

static unsigned do_next_same(struct app *app, int count)
{
	while (count-- > 0 && select_same(app, true))
		;
	return APP_REDRAW;
}

static unsigned do_previous_lane(struct app *app, int count)
{
	while (count-- > 0 && select_lane(app, lanes_next(app, app->s.chart.lane, -1)))
		;
	return APP_REDRAW;
}

static unsigned do_next_lane(struct app *app, int count)
{
	while (count-- > 0 && select_lane(app, lanes_next(app, app->s.chart.lane, 1)))
		;
	return APP_REDRAW;
}

static unsigned do_fold_lane(struct app *app, int count)
{
	(void)count;
	if (app->s.chart.lane < 0)
		return APP_REDRAW;
	if (app->s.lanes[app->s.chart.lane].is_shut)
		lanes_shut(app, app->s.chart.lane, false);
	else
		lanes_open(app, app->s.chart.lane, !app->s.lanes[app->s.chart.lane].is_open);
	state_clamp_scroll(app);
	return APP_REDRAW;
}

static unsigned do_fold_process(struct app *app, int count)
{
	int first = app->s.chart.lane < 0 ? -1 : lanes_group(app, app->s.chart.lane);

	(void)count;
	if (first < 0 || !app->s.lanes[first].has_group) {
		state_say(app, false, "the lanes are not grouped by process");
		return APP_REDRAW;
	}
	lanes_shut(app, first, !app->s.lanes[first].is_shut);
	if (app->s.lanes[first].is_shut) {
		app->s.chart.lane = first;
		app->s.chart.has_selection = false;
	}
	select_reveal_row(app);
	return APP_REDRAW;
}

static unsigned do_hide_lane(struct app *app, int count)
{
	(void)count;
	state_say(app, false,
		  lanes_hide(app) ? "hidden; oh shows it again" : "this is the only lane");
	return APP_REDRAW;
}

static unsigned do_show_lanes(struct app *app, int count)
{
	int n = lanes_unhide(app);

	(void)count;
	state_say(app, false, n ? "%d hidden lane%s shown" : "no lane is hidden", n,
		  n == 1 ? "" : "s");
	return APP_REDRAW;
}

static unsigned do_kinds(struct app *app, int count)
{
	static const char *const names[LANES_KINDS] = { "slices and CPU samples", "slices only",
							"CPU samples only" };

	(void)count;
	app->s.kinds = (app->s.kinds + 1) % LANES_KINDS;
	lanes_show_kinds(app, (enum lanes_kinds)app->s.kinds);
	state_say(app, false, "threads with both show %s", names[app->s.kinds]);
	return APP_REDRAW;
}

static unsigned do_flow_back(struct app *app, int count)
{
	while (count-- > 0 && select_flow(app, false))
		;
	return APP_REDRAW;
}

static unsigned do_flow_next(struct app *app, int count)
{
	while (count-- > 0 && select_flow(app, true))
		;
	return APP_REDRAW;
}

/* ---- camera ---- */

static unsigned do_zoom_span(struct app *app, int count)
{
	(void)count;
	if (app->s.chart.has_selection)
		viewport_set(&app->s.view, app->s.chart.selected.t0, app->s.chart.selected.t1);
	else
		state_say(app, false, "nothing is selected");
	return APP_REDRAW;
}

static unsigned zoom(struct app *app, int count, int num, int den)
{
	int64_t at = select_anchor(app);
	struct viewport before;

	do {
		before = app->s.view;
		viewport_zoom(&app->s.view, at, num, den);
	} while (--count > 0 && (before.t0 != app->s.view.t0 || before.t1 != app->s.view.t1));
	return APP_REDRAW;
}

static unsigned do_zoom_in(struct app *app, int count)
{
	return zoom(app, count, 1, 2);
}

static unsigned do_zoom_out(struct app *app, int count)
{
	return zoom(app, count, 2, 1);
}

/* Pan by `count` times 1/part of the window. */
static unsigned pan(struct app *app, int count, int part, int sign)
{
	const struct viewport *v = &app->s.view;
	int64_t step = (v->t1 - v->t0) / part, all = v->t_max - v->t_min;

	if (step < 1)
		step = 1;
	viewport_pan(&app->s.view, sign * (step > all / count ? all : step * count));
	return APP_REDRAW;
}

static unsigned do_pan_left(struct app *app, int count)
{
	return pan(app, count, 10, -1);
}

static unsigned do_pan_right(struct app *app, int count)
{
	return pan(app, count, 10, 1);
}

static unsigned do_pan_half_left(struct app *app, int count)
{
	return pan(app, count, 2, -1);
}

static unsigned do_pan_half_right(struct app *app, int count)
{
	return pan(app, count, 2, 1);
}

static unsigned do_whole(struct app *app, int count)
{
	(void)count;
	viewport_set(&app->s.view, app->s.view.t_min, app->s.view.t_max);
	return APP_REDRAW;
}

static unsigned do_time_start(struct app *app, int count)
{
	(void)count;
	viewport_pan(&app->s.view, app->s.view.t_min - app->s.view.t0);
	return APP_REDRAW;
}

static unsigned do_time_end(struct app *app, int count)
{
	(void)count;
	viewport_pan(&app->s.view, app->s.view.t_max - app->s.view.t1);
	return APP_REDRAW;
}

static unsigned do_back(struct app *app, int count)
{
	bool has_gone = false;

	if (finder_clear(app)) {
		state_say(app, false, "the search is off");
		return APP_REDRAW;
	}
	while (count-- > 0 && history_back(&app->s.history, &app->s.view))
		has_gone = true;
	if (!has_gone)
		state_say(app, false, "this is the first window");
	state_clamp_scroll(app);
	return APP_REDRAW;
}

static unsigned scroll(struct app *app, int count, int part, int sign)
{
	struct screen_layout layout;
	int page;

	state_layout(app, &layout);
	page = layout.lanes.rows / part;
	app->s.view.scroll += sign * count * (page > 0 ? page : 1);
	state_clamp_scroll(app);
	return APP_REDRAW;
}

static unsigned do_half_page_down(struct app *app, int count)
{
	return scroll(app, count, 2, 1);
}

static unsigned do_half_page_up(struct app *app, int count)
{
	return scroll(app, count, 2, -1);
}

static unsigned do_page_down(struct app *app, int count)
{
	return scroll(app, count, 1, 1);
}

static unsigned do_page_up(struct app *app, int count)
{
	return scroll(app, count, 1, -1);
}

static unsigned do_top(struct app *app, int count)
{
	(void)count;
	app->s.view.scroll = 0;
	return APP_REDRAW;
}

static unsigned do_bottom(struct app *app, int count)
{
	(void)count;
	app->s.view.scroll = chart_height(&app->s.chart);
	state_clamp_scroll(app);
	return APP_REDRAW;
}

/* ---- options and the program ---- */

static unsigned do_absolute(struct app *app, int count)
{
	(void)count;
	app->s.chart.is_absolute = !app->s.chart.is_absolute;
	state_say(app, false, "times: %s",
		  app->s.chart.is_absolute ? "of the file's clock"
					   : "since the start of the profile");
	return APP_REDRAW;
}

static unsigned do_color(struct app *app, int count)
{
	static const char *const names[] = { "file", "package", "category", "name" };

	(void)count;
	app->s.chart.color = (enum chart_color)((app->s.chart.color + 1) % (int)ARRAY_LEN(names));
	state_say(app, false, "coloured by %s", names[app->s.chart.color]);
	return APP_REDRAW;
}

static unsigned do_idle(struct app *app, int count)
{
	(void)count;
	app->pane.has_idle = !app->pane.has_idle;
	state_say(app, false, "shares: idle time %s",
		  app->pane.has_idle ? "counts" : "is left out");
	return APP_REDRAW;
}

static unsigned do_help(struct app *app, int count)
{
	(void)count;
	app->is_help = true;
	app->help_scroll = 0;
	return APP_REDRAW;
}

static unsigned do_close(struct app *app, int count)
{
	(void)count;
	if (app->focus == KEYMAP_PANE && app->is_pane_max) {
		app->is_pane_max = false;
	} else if (app->focus == KEYMAP_PANE) {
		state_show_pane(app, false);
	} else {
		return APP_QUIT;
	}
	state_clamp_scroll(app);
	return APP_REDRAW;
}

static unsigned do_quit(struct app *app, int count)
{
	(void)app;
	(void)count;
	return APP_QUIT;
}

static unsigned do_suspend(struct app *app, int count)
{
	(void)app;
	(void)count;
	return APP_SUSPEND;
}

static unsigned do_redraw(struct app *app, int count)
{
	(void)app;
	(void)count;
	return APP_REDRAW | APP_RESET;
}

/* ---- help ---- */

static unsigned scroll_help(struct app *app, int64_t lines)
{
	int64_t to = app->help_scroll + lines;
	int most = help_page_scroll(app);

	app->help_scroll = to < 0 ? 0 : to > most ? most : (int)to;
	return APP_REDRAW;
}

static unsigned do_help_down(struct app *app, int count)
{
	return scroll_help(app, count);
}

static unsigned do_help_up(struct app *app, int count)
{
	return scroll_help(app, -count);
}

static unsigned do_help_page_down(struct app *app, int count)
{
	return scroll_help(app, (int64_t)count * (app->rows > 4 ? app->rows - 3 : 1));
}

static unsigned do_help_page_up(struct app *app, int count)
{
	return scroll_help(app, -(int64_t)count * (app->rows > 4 ? app->rows - 3 : 1));
}

static unsigned do_help_first(struct app *app, int count)
{
	(void)count;
	return scroll_help(app, -INT32_MAX);
}

static unsigned do_help_last(struct app *app, int count)
{
	(void)count;
	return scroll_help(app, INT32_MAX);
}

static unsigned do_help_close(struct app *app, int count)
{
	(void)count;
	app->is_help = false;
	return APP_REDRAW;
}

static action *const actions[COMMAND_COUNT] = {
	[CMD_VIEW_TIME] = do_view_time,
	[CMD_VIEW_MERGED] = do_view_merged,
	[CMD_VIEW_SANDWICH] = do_view_sandwich,
	[CMD_PIN] = do_pin,
	[CMD_PIN_SPAN] = do_pin_span,
	[CMD_ALL_LANES] = do_all_lanes,
	[CMD_FOCUS_FUNCTION] = do_focus_function,
	[CMD_FOCUS_SUBTREE] = do_focus_subtree,
	[CMD_KEEP_FUNCTION] = do_keep_function,
	[CMD_KEEP_MATCHES] = do_keep_matches,
	[CMD_MERGE_FUNCTION] = do_merge_function,
	[CMD_MERGE_FILE] = do_merge_file,
	[CMD_MERGE_PACKAGE] = do_merge_package,
	[CMD_DROP_FUNCTION] = do_drop_function,
	[CMD_COLLAPSE_FUNCTION] = do_collapse_function,
	[CMD_COLLAPSE_PACKAGE] = do_collapse_package,
	[CMD_COLLAPSE_RECURSION] = do_collapse_recursion,
	[CMD_FOLD_PACKAGES] = do_fold_packages,
	[CMD_FOLD_NODE] = do_fold_node,
	[CMD_DROP_IDLE] = do_drop_idle,
	[CMD_DROP_PROGRAM] = do_drop_program,
	[CMD_DROP_GC] = do_drop_gc,
	[CMD_GROUP] = do_group,
	[CMD_UNDO] = do_undo,
	[CMD_REDO] = do_redo,
	[CMD_PREVIOUS] = do_previous,
	[CMD_NEXT] = do_next,
	[CMD_CALLER] = do_caller,
	[CMD_CALLEE] = do_callee,
	[CMD_PREVIOUS_SAME] = do_previous_same,
	[CMD_NEXT_SAME] = do_next_same,
	[CMD_PREVIOUS_LANE] = do_previous_lane,
	[CMD_NEXT_LANE] = do_next_lane,
	[CMD_FOLD_LANE] = do_fold_lane,
	[CMD_FOLD_PROCESS] = do_fold_process,
	[CMD_HIDE_LANE] = do_hide_lane,
	[CMD_SHOW_LANES] = do_show_lanes,
	[CMD_KINDS] = do_kinds,
	[CMD_FLOW_BACK] = do_flow_back,
	[CMD_FLOW_NEXT] = do_flow_next,
	[CMD_ZOOM_SPAN] = do_zoom_span,
	[CMD_ZOOM_IN] = do_zoom_in,
	[CMD_ZOOM_OUT] = do_zoom_out,
	[CMD_PAN_LEFT] = do_pan_left,
	[CMD_PAN_RIGHT] = do_pan_right,
	[CMD_PAN_HALF_LEFT] = do_pan_half_left,
	[CMD_PAN_HALF_RIGHT] = do_pan_half_right,
	[CMD_WHOLE] = do_whole,
	[CMD_TIME_START] = do_time_start,
	[CMD_TIME_END] = do_time_end,
	[CMD_BACK] = do_back,
	[CMD_HALF_PAGE_DOWN] = do_half_page_down,
	[CMD_HALF_PAGE_UP] = do_half_page_up,
	[CMD_PAGE_DOWN] = do_page_down,
	[CMD_PAGE_UP] = do_page_up,
	[CMD_TOP] = do_top,
	[CMD_BOTTOM] = do_bottom,
	[CMD_ROW_DOWN] = do_row_down,
	[CMD_ROW_UP] = do_row_up,
	[CMD_ROW_FIRST] = do_row_first,
	[CMD_ROW_LAST] = do_row_last,
	[CMD_ROW_PAGE_DOWN] = do_row_page_down,
	[CMD_ROW_PAGE_UP] = do_row_page_up,
	[CMD_ROW_HALF_DOWN] = do_row_half_down,
	[CMD_ROW_HALF_UP] = do_row_half_up,
	[CMD_ROW_TOGGLE] = do_row_toggle,
	[CMD_ROW_OPEN] = do_row_open,
	[CMD_ROW_CLOSE] = do_row_close,
	[CMD_ROW_HOT] = do_row_hot,
	[CMD_ROW_SHOW] = do_row_show,
	[CMD_ROW_OF_SPAN] = do_row_of_span,
	[CMD_SORT_LEFT] = do_sort_left,
	[CMD_SORT_RIGHT] = do_sort_right,
	[CMD_TAB_PREVIOUS] = do_tab_previous,
	[CMD_TAB_NEXT] = do_tab_next,
	[CMD_FOCUS] = do_focus,
	[CMD_BOTTOM_UP] = do_bottom_up,
	[CMD_TOP_DOWN] = do_top_down,
	[CMD_SUMMARY] = do_summary,
	[CMD_FUNCTIONS] = do_functions,
	[CMD_SORT_REVERSE] = do_sort_reverse,
	[CMD_CALLERS] = do_callers,
	[CMD_DETAILS] = do_details,
	[CMD_EVENTS] = do_events,
	[CMD_EVENT_LENGTH] = do_event_length,
	[CMD_MAXIMISE] = do_maximise,
	[CMD_ABSOLUTE] = do_absolute,
	[CMD_COLOR] = do_color,
	[CMD_IDLE] = do_idle,
	[CMD_HELP] = do_help,
	[CMD_CLOSE] = do_close,
	[CMD_QUIT] = do_quit,
	[CMD_SUSPEND] = do_suspend,
	[CMD_REDRAW] = do_redraw,
	[CMD_HELP_DOWN] = do_help_down,
	[CMD_HELP_UP] = do_help_up,
	[CMD_HELP_PAGE_DOWN] = do_help_page_down,
	[CMD_HELP_PAGE_UP] = do_help_page_up,
	[CMD_HELP_FIRST] = do_help_first,
	[CMD_HELP_LAST] = do_help_last,
	[CMD_HELP_CLOSE] = do_help_close,
	[CMD_SEARCH] = search_open,
	[CMD_SEARCH_NEXT] = search_to_next,
	[CMD_SEARCH_PREVIOUS] = search_to_previous,
	[CMD_SEARCH_FUNCTION] = search_function,
	[CMD_FILTER] = search_filter,
	[CMD_PROMPT_ACCEPT] = search_accept,
	[CMD_PROMPT_CANCEL] = search_cancel,
	[CMD_PROMPT_PLAIN] = search_plain,
	[CMD_PROMPT_OLDER] = search_older,
	[CMD_PROMPT_NEWER] = search_newer,
	[CMD_PROMPT_LEFT] = search_left,
	[CMD_PROMPT_RIGHT] = search_right,
	[CMD_PROMPT_START] = search_start,
	[CMD_PROMPT_END] = search_end,
	[CMD_PROMPT_ERASE] = search_erase,
	[CMD_PROMPT_DELETE] = search_delete,
	[CMD_PROMPT_ERASE_WORD] = search_erase_word,
	[CMD_PROMPT_ERASE_LINE] = search_erase_line,
};

/* What somebody sees, as a number: another one when a command changed anything of it. */
static uint64_t look_of(const struct app *app)
{
	const struct scene *s = &app->s;
	const int64_t parts[] = {
		s->view.t0,
		s->view.t1,
		s->view.scroll,
		s->chart.lane,
		s->chart.has_selection,
		s->chart.selected.t0,
		s->chart.selected.depth,
		s->chart.color,
		s->chart.is_absolute,
		app->mode,
		app->has_range,
		app->range_t0,
		app->range_t1,
		app->has_all_lanes,
		app->shown,
		app->pane.tab,
		app->pane.has_idle,
		app->is_pane_open,
		app->is_pane_max,
		app->focus,
		(int64_t)app->transforms.n,
		app->transforms.group,
		app->function_list.sort,
	};
	uint64_t look = hash_bytes(parts, sizeof parts);

	for (int i = 0; i < PANE_TABS; i++)
		look = hash_u64(look + (uint64_t)app->pane.tabs[i].sort * 2 +
				app->pane.tabs[i].is_reversed);
	for (int i = 0; i < s->chart.n_lanes; i++)
		look = hash_u64(look +
				(uint64_t)(s->lanes[i].is_open | s->lanes[i].is_hidden << 1 |
					   s->lanes[i].is_shut << 2));
	return look;
}

unsigned actions_run(struct app *app, enum command_id id, int count)
{
	struct viewport before = app->s.view;
	const struct chart_lane *lanes = app->s.lanes;
	const struct viewport *now = &app->s.view;
	bool is_prompt = search_is_prompt(id);
	uint64_t look = app->is_begun ? 0 : look_of(app);
	unsigned wish;

	/* There is nothing to type into. */
	if (is_prompt && app->prompt.kind == PROMPT_NONE)
		return 0;
	if (app->loading.len && app_transfer_is_barred(id)) {
		state_say(app, false,
			  "not before all is loaded; C-c stops loading and keeps what is there");
		return APP_REDRAW;
	}
	wish = actions[id](app, count);
	/* Help that was looked at, or a search that was given up, is nothing to go on with. */
	app->is_begun = app->is_begun || id == CMD_PROMPT_ACCEPT ||
		(!is_prompt && look_of(app) != look);
	/* The window of another view is no step of this one. */
	if (id != CMD_BACK && !is_prompt && lanes == app->s.lanes &&
	    (before.t0 != now->t0 || before.t1 != now->t1)) {
		bool is_pan = now->t1 - now->t0 == before.t1 - before.t0 && id != CMD_TIME_START &&
			id != CMD_TIME_END;

		history_add(&app->s.history, &before, is_pan ? HISTORY_PAN : HISTORY_JUMP);
	}
	return wish;
}
