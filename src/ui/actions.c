/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs commands; has those of the program as a whole. The rules that hold for all of them are here,
 * so that no command has to keep them:
 * 1. a command that edits a line does nothing while no line is open;
 * 2. a command whose effect cannot be carried over to the next preview is barred until all is
 *    loaded;
 * 3. a command that is not passive marks the app as touched by the user;
 * 4. a range that is being selected follows the selection;
 * 5. a change of the window is a step of the history; steps of equal width count as pans;
 * 6. the place where a jump began is noted;
 * 7. while the window follows a process, zooming changes its length, and nothing is noted;
 * 8. a second CMD_ROW_SHOW is one only if no other command came between. */
#include "config.h"

#include "ui/actions.h"

#include "draw/flame/label.h"
#include "ui/chart/fit.h"
#include "ui/chart/select.h"
#include "ui/copy.h"
#include "ui/line/setting.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

#include <assert.h>
#include <string.h>

/* ==== command ==== */

static const struct command commands[COMMAND_COUNT] = {
#define COMMAND(id, function, argument, flags, name, hint, help) [id] = { name, help, hint, flags },
#include "ui/command_list.h"
};

const struct command *command_get(enum command_id id)
{
	assert(id > CMD_NONE && id < COMMAND_COUNT);
	return &commands[id];
}

/* ==== leave ====
 *
 * States are compared after each act: nothing that enters or leaves one has to say so. */

static bool shows(const struct app *app, const struct pane_kind *kind)
{
	return app->is_pane_open && app->shown == kind;
}

/* A row for each state: LEAVE_id, whether it is entered, and how it is left. */
/* clang-format off */
#define LEAVES(X) \
	X(SEARCH, finder_is_on(app), finder_clear(app)) \
	X(FILTER, app->filter.target.name.len > 0, filter_set(app, "", false)) \
	X(MAXIMUM, app->is_pane_max && !live_shows_list(app) && !fleet_pane_is_alone(app), \
	  app->is_pane_max = false; state_clamp_scroll(app)) \
	X(FOCUS, app->focus == KEYMAP_PANE && !live_shows_list(app) && !fleet_pane_is_alone(app), \
	  leave_focus(app)) \
	X(CALLERS, shows(app, &call_pane_callers) || shows(app, &call_pane_callees), \
	  leave_pane(app)) \
	X(SOURCE, shows(app, &source_page_pane), leave_pane(app)) \
	X(HEAT, shows(app, &heat_pane), leave_pane(app)) \
	X(FROM_HEAT, heat_pane_is_away(app), heat_pane_open(app)) \
	X(COMPARISON, \
	  app->diff.what.is_opened || (app->diff.what.is_on && !app->diff.what.has_files), \
	  chart_diff_off(app)) \
	X(SANDWICH, views_wanted(app) == VIEW_SANDWICH, leave_sandwich(app)) \
	X(PIN, app->range.is_pinned, app->range.is_pinned = false) \
	X(DURING, transforms_has_during(&app->transforms), transforms_drop_during(app)) \
	X(OPENED, app->is_of_list, app->host->end_comparing(app->host->ctx))
/* clang-format on */

#define LEAVE_IS_IN(id, is_in, action)                                                             \
	case LEAVE_##id:                                                                           \
		return is_in;
#define LEAVE_ACTION(id, is_in, action)                                                            \
	case LEAVE_##id:                                                                           \
		action;                                                                            \
		break;

static bool is_in_state(const struct app *app, enum leave_state state)
{
	switch (state) {
		LEAVES(LEAVE_IS_IN)
	default:
		return false;
	}
}

void leave_note(struct app *app)
{
	struct leave *l = &app->leave;

	l->acts++;
	for (int i = 0; i < LEAVE_STATES; i++) {
		bool is_in = is_in_state(app, (enum leave_state)i);

		if (is_in != (l->since[i] > 0))
			l->since[i] = is_in ? l->acts : 0;
	}
	if (!l->since[LEAVE_CALLERS] && !l->since[LEAVE_SOURCE] && !l->since[LEAVE_HEAT])
		l->pane = app->is_pane_open ? app->shown : NULL;
	l->is_leaving = l->is_leaving && views_is_busy(app) && views_wanted(app) == l->view;
	if (!l->since[LEAVE_SANDWICH])
		l->view = views_wanted(app);
}

void leave_pane(struct app *app)
{
	enum keymap_context focus = app->focus;

	if (app->leave.pane) {
		panes_show(app, app->leave.pane);
		app->focus = focus;
	} else {
		panes_close(app);
		app->shown = &call_pane_bottom_up;
		app->pane.tab = call_pane_bottom_up.table;
	}
}

static void leave_focus(struct app *app)
{
	app->focus = KEYMAP_CHART;
	app->is_pane_max = false;
	select_reveal_row(app);
}

static void leave_sandwich(struct app *app)
{
	views_show(app, app->leave.view, FRAME_NONE);
	app->leave.is_leaving = true;
}

static void leave(struct app *app, enum leave_state state)
{
	switch (state) {
		/* NOLINTNEXTLINE(bugprone-branch-clone): two panes are left in the same way. */
		LEAVES(LEAVE_ACTION)
	default:
		break;
	}
}

/* Leave what was entered last, with all that the same act entered. False: there is nothing. */
static bool leave_last(struct app *app)
{
	unsigned last = 0;

	for (int i = 0; i < LEAVE_STATES; i++)
		if (app->leave.since[i] > last)
			last = app->leave.since[i];
	for (int i = 0; last && i < LEAVE_STATES; i++)
		if (app->leave.since[i] == last && is_in_state(app, (enum leave_state)i))
			leave(app, (enum leave_state)i);
	return last > 0;
}

/* ==== leave keys ==== */

/* The key has closed already what is in front of the chart, such as a prompt, and the message. What
 * is left goes one by one, what was entered last first. The window stays. */
unsigned leave_keys_escape(struct app *app)
{
	if (!leave_last(app) && !live_leave(app))
		state_say(app, false, "nothing to leave: %s window, %s undo, %s quit",
			  state_key(app, CMD_BACK), state_key(app, CMD_UNDO),
			  state_key(app, CMD_CLOSE));
	return APP_REDRAW;
}

unsigned leave_keys_close(struct app *app)
{
	if (live_shows_list(app) || fleet_pane_is_alone(app))
		return APP_QUIT;
	if (app->is_pane_max) {
		app->is_pane_max = false;
	} else if (app->focus == KEYMAP_PANE) {
		panes_close(app);
	} else if (is_in_state(app, LEAVE_COMPARISON)) {
		chart_diff_off(app);
	} else if (app->is_of_list) {
		app->host->end_comparing(app->host->ctx);
	} else if (!live_leave(app)) {
		return APP_QUIT;
	}
	state_clamp_scroll(app);
	return APP_REDRAW;
}

/* ==== edit keys ====
 *
 * The user's editor on the code of a function. The program finds the file and starts the editor:
 * app_host.edit. */

#define NAME_CELLS 40

/* The frame of a row or span, which may be one that a view has made. */
static const struct frame *frame_of(const struct app *app, frame_id id)
{
	const struct frame_table *frames = &app->s.profile->frames;

	if (id < frames->n)
		return &frames->frames[id];
	return app->pane.has_view && id < app->pane.view.n_frames ? &app->pane.view.frames[id]
								  : NULL;
}

static void add_code(const struct app *app, const struct frame *frame, bool is_source,
		     struct app_edit *edit)
{
	if (frame && frame->url)
		edit->code[edit->n_code++] =
			(struct app_code){ .url = profile_text(app->base, frame->url),
					   .line = frame->line,
					   .column = frame->column,
					   .is_source = is_source };
}

/* Find where the function is, and where it is by its other name. */
static bool find_code(const struct app *app, frame_id id, struct app_edit *edit)
{
	const struct frame *frame = frame_of(app, id), *other;
	const struct lane *lane = state_lane(app);
	bool is_source;

	*edit = (struct app_edit){ .input = lane ? &app->base->inputs[lane->input] : NULL };
	other = id < app->base->frames.n ? other_names_of(app->base, id) : NULL;
	is_source = other && !app->base->other->is_source;
	add_code(app, frame, is_source, edit);
	if (edit->n_code)
		add_code(app, other, other && !is_source, edit);
	/* The source pane has a cursor of its own. */
	if (source_page_line(app)) {
		edit->n_code = edit->n_code ? 1 : 0;
		edit->code[0].line = source_page_line(app);
		edit->code[0].column = 0;
	}
	return edit->n_code > 0;
}

unsigned edit_keys_open(struct app *app)
{
	struct app_edit edit;
	BUF_LOCAL said = { 0 }, name = { 0 };
	frame_id id;
	bool ok;

	if (!pane_rows_target(app, &id))
		return APP_REDRAW;
	if (!find_code(app, id, &edit))
		return state_say(app, false, "the function has no location");
	if (!app->host || !app->host->edit)
		return state_say(app, true, "there is no editor here");
	ok = app->host->edit(app->host->ctx, &edit, &said);
	if (!ok)
		label_frame(app->s.profile, id, NAME_CELLS, &name);
	state_say(app, !ok, "%s%s%s", buf_text(&name), ok ? "" : ": ", buf_text(&said));
	return APP_REDRAW | APP_RESET;
}

/* ==== program keys ==== */

unsigned program_keys_absolute(struct app *app)
{
	static const char *const says[] = { "since the start of the profile", "the file's clock",
					    "the wall clock" };
	struct chart *chart = &app->s.chart;
	int64_t wall;
	bool has_wall = wall_clock_find(app->base, state_lane(app), &wall);

	chart->times = chart->times == CHART_TIMES_PROFILE     ? CHART_TIMES_FILE
		: chart->times == CHART_TIMES_FILE && has_wall ? CHART_TIMES_WALL
							       : CHART_TIMES_PROFILE;
	return state_say(app, false, "times: %s", says[chart->times]);
}

unsigned program_keys_color(struct app *app)
{
	unsigned color = (app->s.chart.color + 1) % CHART_COLOR_COUNT;

	if (color == CHART_COLOR_EVENT_CAT && !app->base->n_event_cats)
		color = (color + 1) % CHART_COLOR_COUNT;
	if (color == CHART_COLOR_REQUEST && !app->base->served.n)
		color = (color + 1) % CHART_COLOR_COUNT;
	app->s.chart.color = (enum chart_color)color;
	app->has_legend = true;
	return state_say(app, false, "coloured by %s%s", frame_roles_color_name(color),
			 color == CHART_COLOR_REQUEST && !app->base->served.n_runs
				 ? ": whose CPU it is was not recorded"
				 : "");
}

unsigned program_keys_fold(struct app *app)
{
	static const char *const texts[] = { "nothing is folded", "folded: Node.js and loading",
					     "folded: packages, Node.js and native code" };

	folds_set(app, app->folds.mode == FOLD_NONE ? FOLD_PACKAGES : app->folds.mode - 1);
	return state_say(app, false, "%s", texts[app->folds.mode]);
}

/* The app that is made with the setting says what has changed. */
static unsigned set(struct app *app, struct str name, const char *value)
{
	struct error err = ERROR_INIT;

	if (!setting_set(app, setting_find(name, &err), value, &err))
		state_say(app, false, "%s", err.text);
	return APP_REDRAW;
}

unsigned program_keys_names(struct app *app)
{
	return set(app, (struct str){ "names", 5 },
		   other_names_shows_source(app->base) ? "script" : "source");
}

unsigned program_keys_split(struct app *app)
{
	return set(app, (struct str){ "split", 5 }, profile_split(app->base) ? "none" : "cat");
}

/* Leave it to the caller of app_key(). effect: app_effect bits. */
unsigned program_keys_effect(struct app *app, int effect)
{
	(void)app;
	return (unsigned)effect;
}

unsigned program_keys_reload(struct app *app)
{
	BUF_LOCAL said = { 0 };

	/* A comparison reads all its files again. */
	if (app->diff.what.is_opened)
		chart_diff_open_begin(app, NULL);
	else if (!app->host || !app->host->reload)
		state_say(app, true, "files are not read again here");
	else if (!app->host->reload(app->host->ctx, &said))
		state_say(app, true, "%s", buf_text(&said));
	return APP_REDRAW;
}

/* ==== actions ==== */

static const struct {
	action *run;
	int argument;
	plain_action *plain; /* instead */
} actions[COMMAND_COUNT] = {
#define COMMAND(id, function, argument, ...) [id] = { function, argument, NULL },
#define COMMAND_PLAIN(id, function, ...) [id] = { NULL, 0, function },
#include "ui/command_list.h"
};

unsigned actions_run(struct app *app, enum command_id id, int count)
{
	const struct viewport before = app->s.view, *now = &app->s.view;
	unsigned flags = command_get(id)->flags, scene = app->s.serial, wish;
	bool is_counted = flags & (COMMAND_REPEATS | COMMAND_KEY_COUNT);
	struct mark place;

	if (flags & COMMAND_EDITS && app->prompt.kind == PROMPT_NONE)
		return 0;
	if (flags & COMMAND_NEEDS_ALL && app->loading.len)
		return state_say(
			app, false,
			"not available while loading; C-c stops loading and keeps what was read");
	if (id != CMD_ROW_SHOW && !(flags & COMMAND_PASSIVE))
		app->has_shown = false;
	if (flags & COMMAND_JUMPS)
		marks_take(state_time_line(app), &place);
	app->s.is_moving = false;
	wish = live_take(app, id, count) ? APP_REDRAW
		: actions[id].plain
		? actions[id].plain(app)
		: actions[id].run(app, actions[id].argument * (is_counted ? count : 1));
	if (!(flags & COMMAND_PASSIVE))
		app->is_touched = true;
	range_follow(app);
	/* The window of another view is not a step of this one. Its lanes may be freed, so they do
	 * not identify it. */
	if (!(flags & (COMMAND_NO_STEP | COMMAND_EDITS)) && scene == app->s.serial &&
	    !live_is_moving(app))
		history_add(&app->s.history, &before, now,
			    !(flags & COMMAND_JUMPS) && now->t1 - now->t0 == before.t1 - before.t0
				    ? HISTORY_PAN
				    : HISTORY_JUMP);
	if (flags & COMMAND_JUMPS && app->mode == VIEW_TIME)
		marks_jumped(app, &place);
	fit_lanes(app);
	return wish;
}

enum command_id actions_find(enum command_id like, int argument)
{
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++)
		if (actions[id].run == actions[like].run && actions[id].argument == argument)
			return id;
	return CMD_NONE;
}
