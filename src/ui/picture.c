/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the state to the picture, in two steps. app_update() computes what the picture needs: the
 * columns of the chart and the overview, the totals and rows of the pane. It is the only place
 * that does, so keys that come faster than pictures cost almost nothing. app_draw() gathers the
 * results into a struct screen, which draw/screen.c draws.
 *
 * 1. app_draw() changes no state and computes nothing. What it draws of the chart comes from the
 *    covers' columns; a column that is missing is drawn as unfinished.
 * 2. Chart and pane share the budget: the chart gets half of the time, the pane what is left, and
 *    the chart what the pane leaves. Neither waits for the other to be complete. Findings come
 *    last: until they are those of the window, the verdict is that of the one before, dim. */
#include "config.h"

#include "ui/picture.h"

#include "base/alloc.h"
#include "base/units.h"
#include "ui/app.h"
#include "ui/chart/chart_diff.h"
#include "ui/chart/culprit.h"
#include "ui/chart/fit.h"
#include "ui/chart/lanes.h"
#include "ui/chart/live.h"
#include "ui/chart/select.h"
#include "ui/chart/views.h"
#include "ui/help_page.h"
#include "ui/line/command_line.h"
#include "ui/pane/panes.h"

#include <string.h>

#define MENU_MAX (MARKS_MAX + MARKS_PAGE + 48)

/* What the screen borrows. */
struct texts {
	struct pane_picture pane;
	struct buf status;
	struct search_line search;
	struct screen_hint menu[MENU_MAX];
	struct buf about, crowd;
	struct buf verdict, row; /* of the list of processes */
	struct help_page help;
	struct ruler_mark marks[MARKS_MAX];
	struct {
		char letter[2], time[UNITS_MAX];
	} mark_menu[MARKS_MAX];
};

/* The keys that a new user needs, the most needed first; what does not fit is left out. */
static const enum command_id chart_hints[] = {
	CMD_HELP,        CMD_FREEZE,       CMD_COPY,      CMD_SEARCH_NEXT, CMD_SEARCH_PREVIOUS,
	CMD_SEARCH,      CMD_NEXT_FINDING, CMD_VIEW_TIME, CMD_BACK,        CMD_COMPARE,
	CMD_VIEW_MERGED, CMD_ZOOM_SPAN,    CMD_BOTTOM_UP, CMD_ZOOM_IN,     CMD_ZOOM_OUT,
	CMD_WHOLE,       CMD_FOCUS,        CMD_CLOSE,
};
static const enum command_id pane_hints[] = {
	CMD_HELP,   CMD_CLOSE,      CMD_FREEZE, CMD_ROW_SHOW,  CMD_ROW_TOGGLE, CMD_ROW_HOT,
	CMD_SEARCH, CMD_SORT_RIGHT, CMD_FILTER, CMD_BOTTOM_UP, CMD_TOP_DOWN,   CMD_IDLE,
};
static const enum command_id text_hints[] = {
	CMD_HELP,   CMD_CLOSE,     CMD_FREEZE,   CMD_NEXT_HOT, CMD_ROW_SHOW,
	CMD_SEARCH, CMD_BOTTOM_UP, CMD_TOP_DOWN, CMD_DETAILS,  CMD_EVENTS,
};

static const enum command_id fleet_hints[] = {
	CMD_HELP,       CMD_CLOSE,      CMD_FLEET_OPEN,  CMD_FLEET_NEXT,
	CMD_FLEET_AXIS, CMD_SORT_RIGHT, CMD_FLEET_TOTAL, CMD_SEARCH,
};
static const enum command_id heat_hints[] = {
	CMD_HELP,         CMD_ESCAPE,     CMD_FREEZE,     CMD_HEAT_SHOW, CMD_HEAT_LONGER,
	CMD_HEAT_SHORTER, CMD_HEAT_FOUND, CMD_HEAT_RANGE, CMD_SEARCH,
};

/* ---- status ---- */

/* The keys that can follow a prefix; for a mark, the letters that have one, and their times. */
static int make_menu(const struct app *app, struct texts *texts)
{
	int n_marks = marks_list(app, texts->marks), n = 0;

	for (size_t i = 0; n < MENU_MAX - MARKS_MAX - MARKS_PAGE &&
	     keymap_continuation(&app->preferences->keymap, state_context(app), app->prefix, i,
				 &texts->menu[n].keys, &texts->menu[n].text);
	     i++)
		n++;
	for (int i = 0; app->prefix == '\'' && i < n_marks; i++, n++) {
		texts->mark_menu[i].letter[0] = texts->marks[i].letter;
		profile_value(app->base, texts->marks[i].t, texts->mark_menu[i].time);
		texts->menu[n] = (struct screen_hint){ texts->mark_menu[i].letter,
						       texts->mark_menu[i].time };
	}
	for (int i = 0; app->prefix == '\'' && app->base->n_loads && i < MARKS_PAGE; i++, n++)
		texts->menu[n] = (struct screen_hint){ marks_page[i].letter, marks_page[i].name };
	return n;
}

static void make_status(const struct app *app, struct screen *screen, struct texts *texts)
{
	char name[16];

	if (app->prefix != KEYC_NONE) {
		key_format(app->prefix, name);
		buf_addf(&texts->status, "%s%s%s: pick a key, Esc cancels", name,
			 *keymap_prefix_title(app->prefix) ? " " : "",
			 keymap_prefix_title(app->prefix));
		screen->n_menu = make_menu(app, texts);
		screen->menu = texts->menu;
	} else if (folds_are_busy(&app->s) && app->s.folding_wish.mode != app->s.fold_wish.mode) {
		buf_adds(&texts->status, "folding calls\342\200\246");
	} else if (transforms_is_busy(app) && app->message.len == 0) {
		buf_adds(&texts->status, "rebuilding call trees; Esc stops it");
	} else if (views_is_busy(app) && app->message.len == 0) {
		buf_adds(&texts->status, "merging calls; Esc stops it");
	} else if (app->diff.is_reading && app->message.len == 0) {
		buf_adds(&texts->status, buf_text(&app->diff.reading));
	} else if (app->finder.is_told && app->message.len == 0) {
		search_line_status(app, app->cols - 2, &texts->status);
	} else if (state_context(app) == KEYMAP_RANGE && app->message.len == 0) {
		buf_adds(
			&texts->status,
			"range: h l , . move this end, o the other; Enter zooms, v keeps it, Esc drops it");
	} else {
		buf_adds(&texts->status, buf_text(&app->message));
		screen->is_warning = app->is_warning;
	}
	screen->message = buf_text(&texts->status);
}

/* Whether the state leaves the command something to do that is worth a hint. */
static bool is_hinted(const struct app *app, enum command_id id)
{
	switch (id) {
	case CMD_SEARCH_NEXT:
	case CMD_SEARCH_PREVIOUS:
		return app->s.chart.matches.frames != NULL;
	case CMD_NEXT_FINDING:
		return app->walk.profile && !chart_diff_shown(app);
	/* Where the line of the verdict has no room for this hint. */
	case CMD_COPY:
		return findings_walk_is_on(app) && app->cols < VERDICT_BOTH_COLS;
	case CMD_VIEW_TIME:
		return app->mode != VIEW_TIME;
	case CMD_VIEW_MERGED:
		return app->mode != VIEW_MERGED;
	case CMD_ZOOM_SPAN:
		return app->s.chart.has_selection;
	case CMD_BACK:
		/* At the start, the line of the verdict has `0 whole`. */
		return app->s.history.at > 0 && !culprit_has_window(app);
	case CMD_COMPARE:
		return app->mode == VIEW_TIME && !app->live &&
			(app->range.is_pinned || app->s.view.t0 != app->s.view.t_min ||
			 app->s.view.t1 != app->s.view.t_max);
	case CMD_WHOLE:
	case CMD_ZOOM_OUT:
		return app->s.view.t0 != app->s.view.t_min || app->s.view.t1 != app->s.view.t_max;
	case CMD_ROW_SHOW:
		return app->shown->show != NULL &&
			(app->shown != &details_page_pane || select_has_initiator(app));
	case CMD_ROW_TOGGLE:
	case CMD_ROW_HOT:
		return app->shown->step != NULL;
	case CMD_FREEZE:
		return app->live && !app->live->has_ended;
	case CMD_HEAT_FOUND:
		return app->heat.map.found_ns != 0;
	case CMD_NEXT_HOT:
		return app->shown == &source_page_pane;
	case CMD_FILTER:
		return app->shown->is_filterable;
	default:
		return !app->is_pane_open || id != app->shown->command;
	}
}

static void make_hints(const struct app *app, struct screen *screen)
{
	const enum command_id *list = app->focus == KEYMAP_PANE ? pane_hints : chart_hints;
	size_t n = app->focus == KEYMAP_PANE ? ARRAY_LEN(pane_hints) : ARRAY_LEN(chart_hints);

	if (app->focus == KEYMAP_PANE && !app->shown->step) {
		list = text_hints;
		n = ARRAY_LEN(text_hints);
	}
	if (state_focus(app) == KEYMAP_HEAT) {
		list = heat_hints;
		n = ARRAY_LEN(heat_hints);
	}
	if (state_focus(app) == KEYMAP_FLEET) {
		list = fleet_hints;
		n = ARRAY_LEN(fleet_hints);
	}
	screen->i_leave = (int)n;
	for (size_t i = 0; i < n; i++) {
		enum command_id id = list[i];

		if (!is_hinted(app, id))
			continue;
		/* The user may have given its keys to other commands. */
		if (!*state_key(app, id))
			continue;
		if (id == CMD_CLOSE)
			screen->i_leave = screen->n_hints;
		screen->hints[screen->n_hints].keys = state_key(app, id);
		screen->hints[screen->n_hints++].text = id == CMD_CLOSE &&
				app->focus == KEYMAP_PANE && !fleet_pane_is_alone(app)
			? "close"
			: id == CMD_COPY                           ? "copy"
			: id == CMD_FREEZE && !live_is_moving(app) ? "go on"
								   : command_get(id)->hint;
	}
}

/* What helps where samples are many more than columns. */
static void make_crowd(const struct app *app, struct texts *texts, struct screen *screen)
{
	const struct lane *lane = state_lane(app);
	char n[UNITS_MAX];

	if (app->mode != VIEW_TIME || app->focus != KEYMAP_CHART || !lane ||
	    lane->kind != LANE_SAMPLES || !lane->samples.n)
		return;
	units_count(samples_find(&lane->samples, app->s.view.t1) -
			    samples_find(&lane->samples, app->s.view.t0) + 1,
		    n);
	buf_addf(&texts->crowd, "%s samples in %d columns: 2 merges them, w zooms", n, app->cols);
	screen->crowd = buf_text(&texts->crowd);
}

/* ---- update ---- */

/* Returns whether all columns of the lanes and the overview are known. */
static bool update_chart(struct app *app, const struct screen_layout *layout, struct budget *budget)
{
	struct overview *o = &app->s.overview;

	if (layout->overview.rows && o->cols != app->cols)
		overview_begin(o, &app->s.chart, app->cols);
	app->s.chart.overview = o;
	fit_lanes(app);
	lanes_make_covers(app);
	lanes_make_strips(app);
	finder_highlight(app);
	return !layout->lanes.rows ||
		(chart_prepare(&app->s.chart, layout->lanes, budget) &&
		 overview_make(o, &app->s.chart, budget) &&
		 overview_mark(o, &app->s.chart, &app->finder.target.search, budget));
}

/* A low screen has no room for the line of the verdict, but the summary tells of findings, too. */
static bool shows_findings(const struct app *app, const struct screen_layout *layout)
{
	return layout->verdict.rows || (app->is_pane_open && app->shown == &summary_page_pane);
}

/* Fold the lanes. If the findings are soon there, what they accuse has rows of its own at once.
 * Returns whether that is done. */
static bool fold(struct app *app, struct budget *budget)
{
	struct screen_layout layout;
	struct budget half = budget_half(budget);
	bool is_done;

	finder_settle(app);
	is_done = folds_step(app, budget);
	if (is_done && folds_are_due(app)) {
		state_layout(app, &layout);
		if (app->start_with != APP_START_LONGEST && app->mode == VIEW_TIME &&
		    shows_findings(app, &layout) && findings_walk_update(app, &half))
			culprit_note(app);
		folds_make(app);
		if (!app->is_touched) {
			select_start_show(app);
			findings_walk_start(app);
		}
	}
	folds_follow(app);
	return is_done;
}

bool picture_update(struct app *app, struct budget *budget)
{
	struct screen_layout layout;
	struct budget half = budget_half(budget);
	bool has_folds, has_chart, has_pane, has_findings, has_list;

	/* Steps to a finding wait for nothing that is drawn, and may change the layout. */
	app->is_unfinished = !findings_walk_continue(app, budget);
	if (app->is_unfinished)
		return false;
	has_folds = fold(app, budget);
	culprit_follow(app);
	note_keys_update(app);
	served_list_prepare(app);
	state_layout(app, &layout);
	if (app->help.is_open || layout.is_too_small)
		return true;
	heat_pane_follow(app, &layout.pane);
	scene_make_roles(app);
	if (live_is_moving(app))
		live_list_update(app);
	if (app->has_legend)
		legend_make(&app->legend, &app->s.roles);
	has_chart = update_chart(app, &layout, &half);
	/* Findings may ask for texts; that of the source pane must be the last one (source_host).
	 */
	has_findings = !shows_findings(app, &layout) || findings_walk_update(app, budget);
	has_pane = panes_update(app, &layout.pane, budget);
	has_chart = has_chart || update_chart(app, &layout, budget);
	has_list = app->prompt.kind != PROMPT_LANES ||
		lane_picker_update(app, layout.list.rows, layout.list.cols);
	app->is_unfinished = !has_folds || !has_chart || !has_pane || !has_findings || !has_list;
	/* Once, at the start. */
	if (!app->is_unfinished && (culprit_start(app) || live_merge(app) || live_give_room(app)))
		return picture_update(app, budget);
	return !app->is_unfinished;
}

/* ==== app draw ==== */

/* The list of processes has the screen: verdict and details are about its rows. */
static void tell_list(const struct app *app, struct texts *texts, struct verdict_bar *bar,
		      struct screen *screen, struct chart *chart)
{
	process_list_tell(app, &texts->verdict, &texts->row);
	*bar = (struct verdict_bar){ .text = buf_text(&texts->verdict) };
	screen->details.text = buf_text(&texts->row);
	chart->lane = -1;
}

/* The same of the grid of a fleet. */
static void tell_grid(const struct app *app, struct verdict_bar *bar, struct screen *screen,
		      struct chart *chart)
{
	const struct fleet_pane *p = &app->fleet;

	*bar = (struct verdict_bar){ .text = buf_text(&p->verdict),
				     .second = p->heaviest.len ? buf_text(&p->heaviest) : NULL };
	screen->details.text = buf_text(&p->words);
	chart->live_name = buf_text(&p->title);
	chart->about = NULL;
	chart->lane = -1;
}

/* What the header says of the profile, beside its name. */
static void tell_about(const struct app *app, struct buf *about)
{
	buf_adds(about, buf_text(app->loading.len ? &app->loading : &app->cut));
	if (app->live) {
		buf_adds(about, about->len ? " \302\267 " : "");
		live_format(app, about);
	}
	transforms_format(app, about);
	if (app->mode != VIEW_TIME && app->views.text.len) {
		buf_adds(about, about->len ? " \302\267 " : "");
		buf_adds(about, buf_text(&app->views.text));
	}
}

/* On the first cell of the row or the span that is selected, in the half of the screen that has the
 * focus; of a page without rows, on the selected span. */
static void put_cursor(const struct app *app, struct grid *g)
{
	bool is_pane = app->focus == KEYMAP_PANE && !app->help.is_open, has_row = false;
	size_t n = (size_t)g->rows * (size_t)g->cols;

	g->cursor_row = g->cursor_col = 0;
	for (size_t i = n; i-- > 0;) {
		const struct cell *c = &g->cells[i];
		bool is_row = is_pane &&
			(c->fill == ROLE_ROW || c->ink == ROLE_ROW || c->ink == ROLE_ROW_MARK);

		if (!is_row && (has_row || !(c->flags & CELL_SELECTED)))
			continue;
		has_row = is_row;
		g->cursor_row = (int)(i / (size_t)g->cols);
		g->cursor_col = (int)(i % (size_t)g->cols);
	}
}

void app_draw(const struct app *app, struct grid *grid)
{
	struct chart chart = app->s.chart;
	struct screen_layout layout;
	struct screen screen = { .chart = &chart, .is_ascii = chart.is_ascii };
	struct texts texts = { 0 };
	struct verdict_bar bar;
	struct help help;

	grid_init(grid, app->rows, app->cols);
	state_layout(app, &layout);
	screen.pane_rows = culprit_pane_rows(app);
	if (app->is_pane_open)
		screen.pane = app->is_pane_max ? SCREEN_PANE_ALL : SCREEN_PANE_BELOW;
	screen.details = (struct details){ .chart = &chart, .self_ns = app->s.self_ns };
	if (app->help.is_open) {
		help_page_make(app, &texts.help, &help);
		if (app->prompt.kind == PROMPT_HELP)
			help.prompt = search_line_make(app, &texts.search);
		screen.help = &help;
	} else if (!layout.is_too_small) {
		tell_about(app, &texts.about);
		chart.about = buf_text(&texts.about);
		chart.live_name = live_is_moving(app) ? app->live->title : NULL;
		chart.base = app->mode == VIEW_TIME ? app->base : NULL;
		chart.has_focus = app->focus == KEYMAP_CHART && app->is_pane_open;
		chart.legend = app->has_legend ? &app->legend : NULL;
		chart.has_range = app->range.is_pinned && app->mode == VIEW_TIME;
		chart.range_t0 = app->range.t0;
		chart.range_t1 = app->range.t1;
		chart.marks = texts.marks;
		culprit_name_second(app, &chart);
		chart.n_marks = app->mode == VIEW_TIME ? marks_list(app, texts.marks) : 0;
		findings_walk_bar(app, &bar);
		chart_diff_bar(app, &bar);
		screen.verdict = &bar;
		if (app->is_pane_open)
			panes_draw(app, &screen, &texts.pane);
		if (process_list_is_alone(app))
			tell_list(app, &texts, &bar, &screen, &chart);
		if (fleet_pane_is_alone(app))
			tell_grid(app, &bar, &screen, &chart);
		/* After the pane, as it states the number of rows. */
		screen.prompt = search_line_make(app, &texts.search);
		if (app->prompt.kind == PROMPT_LANES)
			screen.list = &app->lane_picker.lines;
		make_status(app, &screen, &texts);
		make_hints(app, &screen);
		make_crowd(app, &texts, &screen);
	}
	screen_draw(grid, &screen);
	if (app->has_cursor && grid->cursor_row < 0)
		put_cursor(app, grid);
	help_page_done(&texts.help);
	buf_done(&texts.status);
	search_line_done(&texts.search);
	buf_done(&texts.about);
	buf_done(&texts.crowd);
	buf_done(&texts.verdict);
	buf_done(&texts.row);
}
