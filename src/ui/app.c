/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys run commands, commands change the state, picture.c draws the state. A command never draws
 * and never computes what only a picture needs.
 *
 * Every key acts at once: it runs its command, or begins a sequence, whose prefix is pending until
 * the next key. Nothing waits for a key by time.
 *
 * A screen of any size gives a picture: what does not fit is left out. */
#include "config.h"

#include "ui/app.h"

#include "base/alloc.h"
#include "base/units.h"
#include "ui/actions.h"
#include "ui/app_state.h"
#include "ui/chart/lanes.h"
#include "ui/chart/transforms.h"
#include "ui/chart/views.h"
#include "ui/copy_view.h"
#include "ui/line/command_line.h"
#include "ui/line/setting.h"
#include "ui/pane/panes.h"
#include "ui/picture.h"
#include "ui/state.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== state ==== */

unsigned state_say(struct app *app, bool is_warning, const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	buf_clear(&app->message);
	buf_adds(&app->message, text);
	app->is_warning = is_warning;
	return APP_REDRAW;
}

void state_layout(const struct app *app, struct screen_layout *layout)
{
	enum screen_pane pane = SCREEN_PANE_NONE;

	if (app->is_pane_open)
		pane = app->is_pane_max ? SCREEN_PANE_ALL : SCREEN_PANE_BELOW;
	screen_split(layout, app->rows, app->cols, pane, culprit_pane_rows(app),
		     app->s.chart.served != NULL);
}

enum keymap_context state_context(const struct app *app)
{
	if (app->help.is_open && app->prompt.kind != PROMPT_HELP)
		return KEYMAP_HELP;
	if (app->prompt.kind != PROMPT_NONE)
		return KEYMAP_PROMPT;
	return app->range.is_on && app->focus == KEYMAP_CHART ? KEYMAP_RANGE : state_focus(app);
}

const struct lane *state_lane(const struct app *app)
{
	return app->s.chart.lane >= 0 ? &app->s.profile->lanes[app->s.chart.lane] : NULL;
}

void state_clamp_scroll(struct app *app)
{
	struct viewport *view = &app->s.view;
	/* Where there are fewer rows below it, the place at the top is still the one that the user
	 * has scrolled to. */
	bool is_top = view->scroll == view->top_scroll;
	struct screen_layout layout;
	int most;

	state_layout(app, &layout);
	most = chart_height(&app->s.chart) - layout.lanes.rows;
	if (view->scroll > most)
		view->scroll = most;
	if (view->scroll < 0)
		view->scroll = 0;
	if (is_top)
		view->top_scroll = view->scroll;
}

/* ==== relief ====
 *
 * What the interface does when memory is short: it says so, and goes on. Allocations that failed
 * were served from the reserve (base/alloc.h): what can be computed again is freed. Arrays that
 * did not fit were not made: what lacks one is dropped.
 *
 * All is freed that the next picture would otherwise ask for again: a pane that did not fit would
 * not fit then, either. So the pane is closed, not only emptied.
 *
 * If an array was refused (reserve_has_room()), nothing is missing: only what lacks the array is
 * dropped, since what it shows would be wrong.
 *
 * Until there is a reserve again, the next allocation that fails ends the program. What may
 * allocate comes after what only frees. */

#define MAX_DROPPED 7 /* change, next view, pane, search, filter, view, transforms */

struct dropped {
	const char *what[MAX_DROPPED];
	int n;
};

static void note(struct dropped *dropped, const char *what)
{
	dropped->what[dropped->n++] = what;
}

static void drop_searches(struct app *app, struct dropped *dropped)
{
	bool has_search = app->prompt.kind == PROMPT_SEARCH,
	     has_filter = app->prompt.kind == PROMPT_FILTER;

	if (has_search)
		finder_prompt.cancel(app);
	if (has_filter)
		filter_prompt.cancel(app);
	if (finder_clear(app) || has_search)
		note(dropped, "the search");
	if (app->filter.target.search.matches || has_filter)
		note(dropped, "the filter");
	filter_done(app);
}

/* What belongs to the picture of the moment. */
static void drop_results(struct app *app, struct dropped *dropped)
{
	if (transforms_stop(app))
		note(dropped, "the last transform");
	if (views_stop(app))
		note(dropped, "the next view");
	transforms_free_old(&app->change, BUDGET_UNLIMITED);
	findings_walk_bar_all(app);
	scene_free_pictures(&app->s);
	if (app->mode != VIEW_TIME)
		scene_free_pictures(&app->time);
	drop_searches(app, dropped);
	folds_give_up(app);
	if (app->is_pane_open) {
		panes_close(app);
		note(dropped, "the pane");
	}
	scene_forget_panes(app);
}

static void drop_lacking(struct app *app, struct dropped *dropped)
{
	if (app->finder.target.search.is_lacking) {
		if (app->prompt.kind == PROMPT_SEARCH)
			finder_prompt.cancel(app);
		else
			finder_clear(app);
		note(dropped, "the search");
	}
	if (app->pane.is_lacking && app->is_pane_open) {
		panes_close(app);
		note(dropped, "the pane");
	}
	app->pane.is_lacking = false;
	if (app->change.is_lacking)
		note(dropped, "the last transform");
	app->change.is_lacking = false;
}

static void say(struct app *app, size_t wanted, const struct dropped *dropped, bool has_reserve)
{
	char text[160] = "";
	int len = 0;

	for (int i = 0; i < dropped->n; i++)
		len += snprintf(text + len, sizeof text - (size_t)len, "%s%s",
				i == 0                        ? ""
					: i == dropped->n - 1 ? " and "
							      : ", ",
				dropped->what[i]);
	state_say(app, true, "not enough memory (%s more were needed): dropped %s%s",
		  units_bytes((int64_t)wanted, UNITS_ROOM), dropped->n ? text : "pictures",
		  has_reserve ? "" : "; hardly any is left");
}

/* An array was refused. */
static void refuse(struct app *app, size_t wanted)
{
	struct dropped dropped = { 0 };

	drop_lacking(app, &dropped);
	if (dropped.n) {
		say(app, wanted, &dropped, reserve_renew());
		return;
	}
	state_say(app, true, "not enough memory: %s more would be needed",
		  units_bytes((int64_t)wanted, UNITS_ROOM));
	reserve_renew();
}

/* If the reserve was used since the last call, close the pane, end the search and the filter, and
 * free the cells of the chart; if the reserve cannot be had again even so, leave the merged view
 * and undo the transforms, too. If an array was refused, close the pane or end the search that it
 * was for; anything else that was to be computed is left as it was before. Nothing of the app may
 * be in use: call it between keys and pictures. Returns whether the picture has changed. */
static bool relief_give(struct app *app)
{
	size_t wanted = reserve_wanted();
	struct dropped dropped = { 0 };
	bool has_reserve;

	if (app->is_acting || (!wanted && !reserve_refused()))
		return false;
	if (!wanted) {
		refuse(app, reserve_refused());
		return true;
	}
	app->pane.is_lacking = app->change.is_lacking = false;
	drop_results(app, &dropped);
	memory_give_back();
	has_reserve = reserve_renew();
	if (!has_reserve) {
		/* What the user would have to ask for again: a profile of its own each. */
		if (app->mode != VIEW_TIME) {
			views_leave(app);
			note(&dropped, "the merged view");
		}
		if (app->transforms.n || app->transforms.group != GROUP_FUNCTION) {
			transforms_drop(app);
			transforms_free_old(&app->change, BUDGET_UNLIMITED);
			note(&dropped, "the transforms");
		}
		memory_give_back();
		has_reserve = reserve_renew();
	}
	app->n_reliefs++;
	say(app, wanted, &dropped, has_reserve);
	return true;
}

/* ==== idle work ====
 *
 * What a key asked for comes first, then what the picture lacks, then what needs a pause in typing.
 */

#define MAX_RELIEFS 3 /* between two keys */

/* Whether a key opens rows of the pane, and the next keys wait for that. */
static bool is_opening_row(const struct app *app)
{
	return app->is_pane_open && pane_opening(&app->pane) == PANE_OPENS_ROW;
}

/* The time in ms without keys after which the pane's work() is called; -1: it has nothing to do. */
static int pane_wait_ms(const struct app *app)
{
	return app->is_pane_open && app->shown->wait_ms ? app->shown->wait_ms(app) : -1;
}

/* The same without the files that are being read. */
static int work_wait_ms(const struct app *app)
{
	/* A chart for which there is too little memory stays unfinished until the next key. */
	if (((app->is_unfinished || app->walk.steps) && app->n_reliefs < MAX_RELIEFS) ||
	    finder_is_busy(app) || transforms_is_busy(app) || views_is_busy(app) ||
	    folds_are_busy(&app->s) || is_opening_row(app) || transforms_has_old(&app->change))
		return 0;
	if (app->finder.is_unlit)
		return FINDER_LIGHT_MS;
	if (pane_wait_ms(app) >= 0)
		return pane_wait_ms(app);
	if (row_stack_wait_ms(app) >= 0)
		return row_stack_wait_ms(app);
	if (findings_walk_wait_ms(app) >= 0)
		return findings_walk_wait_ms(app);
	return app->has_legend ? APP_LEGEND_MS : -1;
}

/* Work that needs a pause in typing. */
static unsigned work_in_pause(struct app *app, struct budget *step)
{
	if (app->finder.is_unlit) {
		app->finder.is_unlit = false;
		return APP_REDRAW;
	}
	if (pane_wait_ms(app) >= 0)
		return app->shown->work(app, step) ? APP_REDRAW : 0;
	if (row_stack_wait_ms(app) >= 0)
		return row_stack_work(app, step) ? APP_REDRAW : 0;
	if (findings_walk_read_again(app))
		return APP_REDRAW;
	/* While files are read, the pauses are too short. */
	if (!app->has_legend || app->diff.is_reading)
		return 0;
	app->has_legend = false;
	return APP_REDRAW;
}

/* Do some of the work. Returns app_effect bits. */
static unsigned do_idle_work(struct app *app)
{
	struct budget step = budget_ns(FINDER_STEP_NS);
	unsigned wish = 0;

	if (transforms_is_busy(app) || views_is_busy(app)) {
		/* Go on with a change of the transforms, or with the next view, which is made of
		 * what they give. What is shown meanwhile gets half of the time until it is
		 * complete. */
		struct budget half = budget_half(&step);
		bool has_picture = (app->is_unfinished || app->walk.steps) &&
			(picture_update(app, &half) || budget_spent(&app->patience));

		if (transforms_is_busy(app) ? transforms_work(app, &step) : views_work(app, &step))
			return APP_REDRAW;
		return has_picture ? APP_REDRAW : 0;
	}
	if (folds_are_busy(&app->s))
		return folds_step(app, &step) ? APP_REDRAW : 0;
	if (is_opening_row(app)) {
		if (!pane_open_step(&app->pane, &step))
			return 0;
		buf_clear(&app->message);
		return APP_REDRAW;
	}
	if (app_is_waiting(app))
		return finder_work(app, &step) ? APP_REDRAW : 0;
	if (app->is_unfinished || app->walk.steps)
		return picture_update(app, &step) || budget_spent(&app->patience) ? APP_REDRAW : 0;
	if (finder_is_busy(app))
		return finder_work(app, &step) ? APP_REDRAW : 0;
	if (transforms_has_old(&app->change)) {
		transforms_free_old(&app->change, &step);
		return 0;
	}
	if (app->diff.is_reading) {
		chart_diff_open_look(app);
		wish = APP_REDRAW;
	}
	if (finder_is_reading(app)) {
		finder_work(app, &step);
		wish = APP_REDRAW;
	}
	return wish | work_in_pause(app, &step);
}

int app_wait_ms(const struct app *app)
{
	int wait = work_wait_ms(app);

	return (app->diff.is_reading || finder_is_reading(app)) && (wait < 0 || wait > DIFF_OPEN_MS)
		? DIFF_OPEN_MS
		: wait;
}

/* ==== app ==== */

#define MAX_COUNT 9999
#define UNFINISHED_NS (50 * NS_PER_MS) /* from an unfinished picture to the next one */
#define KEY_NS (10 * NS_PER_MS)        /* what takes longer goes on between keys */
#define PANE_MIN_ROWS 30               /* a screen of this height starts with an open pane */

/* A lane without a time line shows nothing in the chart, unless its calls are merged or will be:
 * open the pane. */
static void set_pane_by_size(struct app *app)
{
	const struct lane *lane = state_lane(app);
	bool is_empty = lane && !lane->has_timeline && views_wanted(app) == VIEW_TIME;

	if (!app->is_pane_chosen)
		app->is_pane_open = app->rows >= PANE_MIN_ROWS || is_empty;
}

struct app *app_new(const struct profile *profile, const struct app_options *options)
{
	struct app *app = xcalloc(1, sizeof(*app));

	app->original = app->base = profile;
	app->preferences = options->preferences ? options->preferences : &app->own_preferences;
	app->preferences->lines.most = PREFERENCES_LINES;
	app->prompt.commands = &app->preferences->lines;
	app->host = options->host;
	app->is_of_list = options->is_of_list;
	app->rows = 24;
	app->cols = 80;
	app->focus = KEYMAP_CHART;
	app->key_ns = KEY_NS;
	app->shown = &call_pane_bottom_up;
	app->folds.mode = options->fold;
	app->start_with = options->diff ? APP_START_LONGEST : options->start;
	pane_init(&app->pane, profile, options->has_idle);
	app->s.chart = (struct chart){ .color = options->color,
				       .is_ascii = options->is_ascii,
				       .times = options->times };
	scene_begin(app, profile);
	if (options->t1 > options->t0)
		viewport_set(&app->s.view, options->t0, options->t1);
	note_keys_windows(app);
	note_keys_init(app, options->state ? &options->state->notes : NULL);
	app->events = options->events;
	app->sources = options->sources;
	app->live = options->live;
	live_start(app);
	lanes_init(&app->s);
	transforms_start(app, options);
	select_start_first(app);
	findings_walk_start(app);
	set_pane_by_size(app);
	served_list_start(app);
	fleet_pane_start(app, options->fleet);
	setting_apply(app);
	copy_view_begin(app);
	if (options->state) {
		app_resize(app, options->state->rows, options->state->cols);
		app_state_apply(app, options->state);
	}
	views_start(app, options);
	if (options->search) {
		app->has_all_lanes = app->base->n_lanes > 1;
		views_show(app, VIEW_MERGED, FRAME_NONE);
		if (finder_set(app, options->search, false))
			finder_walk(app, 1);
	}
	setting_say_warnings(app);
	return app;
}

void app_free(struct app *app)
{
	if (!app)
		return;
	copy_view_done(app);
	filter_done(app);
	lane_picker_done(app);
	finder_done(app);
	views_leave(app);
	findings_walk_forget(app);
	scene_end(app);
	transforms_free(app);
	panes_done(app);
	buf_done(&app->message);
	buf_done(&app->copied);
	buf_done(&app->loading);
	buf_done(&app->cut);
	buf_done(&app->diff.reading);
	buf_done(&app->views.text);
	buf_done(&app->views.title);
	buf_done(&app->help.word);
	buf_done(&app->lost);
	command_line_done(&app->line);
	note_keys_done(&app->notes);
	export_request_done(&app->export);
	preferences_done(&app->own_preferences);
	free(app);
}

void app_resize(struct app *app, int rows, int cols)
{
	app->s.is_moving = false;
	app->rows = rows < 1 ? 1 : rows;
	app->cols = cols < 1 ? 1 : cols;
	app->culprit.is_room_on = false;
	set_pane_by_size(app);
	live_place(app);
	state_clamp_scroll(app);
	select_start_resized(app);
}

void app_take_utf8(struct app *app)
{
	app->s.chart.is_ascii = false;
}

bool app_update(struct app *app, struct budget *budget)
{
	bool is_complete;

	relief_give(app);
	is_complete = picture_update(app, budget);
	if (relief_give(app))
		is_complete = picture_update(app, budget);
	app->patience = budget_ns(UNFINISHED_NS);
	return is_complete;
}

bool app_is_settled(const struct app *app)
{
	return app->prompt.kind == PROMPT_NONE && app->prefix == KEYC_NONE && !app->range.is_on &&
		!app_is_opening(app) && !app_is_waiting(app) && !transforms_is_busy(app) &&
		!views_is_busy(app) && !(app->help.is_open && app->help.word.len);
}

bool app_is_waiting(const struct app *app)
{
	return app->finder.is_waiting || app->filter.is_waiting || is_opening_row(app);
}

bool app_is_opening(const struct app *app)
{
	return app->walk.steps != 0 ||
		(app->is_pane_open && pane_opening(&app->pane) == PANE_OPENS_HOT_PATH);
}

void app_set_loading(struct app *app, const char *text)
{
	buf_clear(&app->loading);
	buf_adds(&app->loading, text ? text : "");
}

const char *app_copied(const struct app *app, size_t *len)
{
	*len = app->copied.len;
	return buf_text(&app->copied);
}

void app_copied_to(struct app *app, const char *place)
{
	buf_addf(&app->message, ": %s", place);
}

void app_set_cut(struct app *app, const char *text)
{
	buf_clear(&app->cut);
	buf_adds(&app->cut, text);
}

void app_say(struct app *app, bool is_warning, const char *text, size_t len)
{
	state_say(app, is_warning, "%.*s", len < INT_MAX ? (int)len : INT_MAX, text);
}

const char *app_warning(const struct app *app)
{
	return app->is_warning ? buf_text(&app->message) : "";
}

const char *app_message(const struct app *app, bool *is_warning)
{
	*is_warning = app->is_warning;
	return buf_text(&app->message);
}

bool app_takes_pasted(const struct app *app, key_code key)
{
	return app->prompt.kind != PROMPT_NONE &&
		!(app->prompt.kind == PROMPT_COMMAND && key == KEYC_ENTER);
}

/* ---- keys ---- */

unsigned app_command(struct app *app, enum command_id id, int count)
{
	if (id <= CMD_NONE || id >= COMMAND_COUNT)
		return 0;
	app->row_stack.is_old = true;
	return actions_run(app, id, count < 1 ? 1 : count > MAX_COUNT ? MAX_COUNT : count);
}

/* The end of what a key, the mouse or a timeout did: the only time, besides that before and after
 * the work for a picture, when nothing of the app is in use. */
static unsigned end_act(struct app *app, unsigned wish)
{
	/* A search selects when its answer is there. */
	range_follow(app);
	live_settle(app);
	leave_note(app);
	app->is_acting = false;
	return wish | (relief_give(app) ? APP_REDRAW : 0);
}

/* A key of the other half of the screen says where it works. */
static unsigned say_unknown(struct app *app, key_code prefix, key_code key)
{
	bool is_chart = app->focus == KEYMAP_CHART, is_prefix;
	enum keymap_context other = is_chart ? KEYMAP_PANE : KEYMAP_CHART;
	enum command_id id = keymap_find(&app->preferences->keymap, other, prefix, key, &is_prefix);
	char first[16] = "", second[16];

	if (prefix != KEYC_NONE)
		key_format(prefix, first);
	key_format(key, second);
	if (!app->help.is_open && id != CMD_NONE)
		state_say(app, false, "%s works in the %s (%s); Tab goes there", second,
			  is_chart ? "pane" : "chart", command_get(id)->help);
	else
		state_say(app, false, "no key %s%s%s; ? for help", first, *first ? " " : "",
			  second);
	return APP_REDRAW;
}

/* Process a key while the prompt is open. */
static unsigned type_key(struct app *app, key_code key)
{
	bool is_prefix;
	enum command_id id = keymap_find(&app->preferences->keymap, KEYMAP_PROMPT, KEYC_NONE, key,
					 &is_prefix);

	return id != CMD_NONE ? app_command(app, id, 1) : search_keys_insert(app, key);
}

/* Run the command of a command line that was accepted. */
static unsigned run_line(struct app *app)
{
	enum command_id id = app->line.next;
	unsigned wish = app_command(app, id, app->line.count);

	app->line.next = CMD_NONE;
	app->line.is_forced = false;
	buf_clear(&app->line.args);
	return wish;
}

/* The user goes on: rows that are still being opened stay closed. Returns whether there were any.
 */
static bool stop_opening(struct app *app)
{
	bool is_opening = app_is_opening(app);

	if (is_opening)
		pane_stop(&app->pane);
	app->walk.steps = 0;
	return is_opening;
}

/* What Esc and C-c close before they are keys like others: rows that are being opened, a pending
 * prefix, a transform or a view that is being computed, files that are being read. Returns whether
 * there was any. */
static bool close_pending(struct app *app, key_code key)
{
	bool is_esc = key == KEYC_ESC, has_prefix = app->prefix != KEYC_NONE;
	bool is_walk = app->walk.steps != 0, has_stopped = false;

	if (stop_opening(app) && is_esc) {
		state_say(app, false, "stopped; %s goes on", is_walk ? "!" : "E");
		transforms_stop(app);
		views_stop(app);
		return true;
	}
	if (app->prompt.kind != PROMPT_NONE || !(is_esc || key == ('c' | KEYC_CTRL)))
		return false;
	app->prefix = KEYC_NONE;
	/* The help screen has its own use for Esc. */
	if (has_prefix || app->help.is_open)
		return has_prefix;
	if (!app->change.is_leaving && transforms_stop(app)) {
		state_say(app, false, "stopped; the call trees stay as they are");
		has_stopped = true;
	}
	if (!app->leave.is_leaving && views_stop(app)) {
		state_say(app, false, "stopped; the view stays as it is");
		has_stopped = true;
	}
	return has_stopped || chart_diff_open_cancel(app);
}

static unsigned take_key(struct app *app, key_code key)
{
	const char *layouts;
	key_code prefix;
	enum command_id id;
	bool is_prefix;

	if (key == KEYC_NONE || (key >= KEYC_RESIZE && key <= KEYC_LETTER))
		return 0;
	if (app_is_waiting(app)) {
		/* Keys act on the match or the rows that are waited for: later. */
		if (key != KEYC_ESC && key != ('c' | KEYC_CTRL)) {
			if (app->n_kept < STATE_KEPT_KEYS)
				app->kept[app->n_kept++] = key;
			return 0;
		}
		app->n_kept = 0;
		if (app->finder.is_waiting || app->filter.is_waiting)
			finder_stop(app);
		else
			pane_stop(&app->pane);
		return state_say(app, false, "stopped");
	}
	buf_clear(&app->message);
	app->has_legend = false;
	if (close_pending(app, key))
		return APP_REDRAW;
	app->finder.is_told = false;
	if (state_context(app) == KEYMAP_PROMPT)
		return type_key(app, key) | run_line(app);
	if (app->prefix == KEYC_NONE && source_page_answer(app, key))
		return APP_REDRAW;
	prefix = app->prefix;
	app->prefix = KEYC_NONE;
	id = keymap_find(&app->preferences->keymap, state_context(app), prefix, key, &is_prefix);
	layouts = preferences_get(app->preferences, "layout");
	if (id == CMD_NONE && !is_prefix && layouts) {
		key = key_by_place(key, layouts);
		id = keymap_find(&app->preferences->keymap, state_context(app), prefix, key,
				 &is_prefix);
	}
	app->letter = key;
	if (is_prefix) {
		app->prefix = key;
		return APP_REDRAW;
	}
	return id == CMD_NONE ? say_unknown(app, prefix, key) : app_command(app, id, 1);
}

unsigned app_key(struct app *app, key_code key)
{
	app->is_acting = true;
	app->n_reliefs = 0;
	app->row_stack.is_old = true;
	/* A key may change what a drag began with: the window, the order, the layout. */
	app->drag.what = MOUSE_DRAG_NOTHING;
	return end_act(app, take_key(app, key));
}

/* Run the keys that were kept, until one of them waits again. */
static unsigned take_kept(struct app *app)
{
	unsigned wish = 0;

	while (app->n_kept > 0 && !app_is_waiting(app) && !(wish & APP_QUIT)) {
		key_code key = app->kept[0];

		app->n_kept--;
		memmove(app->kept, app->kept + 1, (size_t)app->n_kept * sizeof *app->kept);
		wish |= take_key(app, key);
	}
	return wish;
}

unsigned app_timeout(struct app *app)
{
	unsigned wish;

	app->is_acting = true;
	wish = do_idle_work(app);
	return end_act(app, wish | take_kept(app));
}

void app_export(struct app *app, bool (*look)(void *ctx), void *ctx)
{
	app->is_acting = true;
	export_request_run(app, look, ctx);
	end_act(app, 0);
}

unsigned app_mouse(struct app *app, const struct app_mouse *mouse)
{
	app->n_reliefs = 0;
	app->row_stack.is_old = true;
	if (app_is_waiting(app))
		return 0;
	app->is_acting = true;
	stop_opening(app);
	return end_act(app, mouse_take(app, mouse));
}

/* ==== script ====
 *
 * A script has no clock: rows that a key opens are open before the next key, and a transform or a
 * view is complete. */

static void finish(struct app *app)
{
	while (app_is_opening(app) || app_is_waiting(app) || transforms_is_busy(app) ||
	       views_is_busy(app) || folds_are_busy(&app->s))
		app_timeout(app);
}

/* Take the key that *p begins with. */
static bool take(const char **p, const char *keys, key_code *key, struct error *err)
{
	size_t n = key_parse(*p, key);

	if (n == 0)
		return error_set(err, ERR_SYNTAX, *p - keys, "no such key: %.40s", *p);
	*p += n;
	return true;
}

bool script_check(const char *keys, struct error *err)
{
	const char *p = keys;
	key_code key;

	while (*p)
		if (!take(&p, keys, &key, err))
			return false;
	return true;
}

bool script_play(struct app **app, const char *keys, const struct script_feed *feed,
		 struct error *err)
{
	const char *p = keys;
	struct app *now = *app;

	while (*p) {
		unsigned wish;
		key_code key;

		if (!take(&p, keys, &key, err))
			return false;
		wish = app_key(now, key);
		if (wish & APP_QUIT)
			return true;
		if (wish & APP_EXPORT)
			app_export(now, NULL, NULL);
		finish(now);
		if (feed && app_is_settled(now)) {
			*app = now = feed->next(feed->ctx, now);
			if (!now)
				return true;
			finish(now);
		}
	}
	if (app_wait_ms(now) != APP_LEGEND_MS)
		app_timeout(now);
	while (app_wait_ms(now) == 0)
		app_timeout(now);
	return true;
}
