/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of the program as a whole: display options, closing and quitting, the help screen. */
#include "config.h"

#include "base/alloc.h"
#include "base/text.h"
#include "draw/flame/label.h"
#include "ui/actions.h"
#include "ui/line/setting.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

#include <string.h>

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

static unsigned edit_keys_open(struct app *app, int count)
{
	struct app_edit edit;
	struct buf said = { 0 }, name = { 0 };
	frame_id id;
	bool ok;

	(void)count;
	if (!pane_rows_target(app, &id))
		return APP_REDRAW;
	if (!find_code(app, id, &edit)) {
		state_say(app, false, "the function has no location");
		return APP_REDRAW;
	}
	if (!app->host || !app->host->edit) {
		state_say(app, true, "there is no editor here");
		return APP_REDRAW;
	}
	ok = app->host->edit(app->host->ctx, &edit, &said);
	if (!ok)
		label_frame(app->s.profile, id, NAME_CELLS, &name);
	state_say(app, !ok, "%s%s%s", buf_text(&name), ok ? "" : ": ", buf_text(&said));
	buf_done(&name);
	buf_done(&said);
	return APP_REDRAW | APP_RESET;
}

/* ==== program keys ==== */

/* ---- options and the program ---- */

static unsigned program_keys_absolute(struct app *app, int count)
{
	static const char *const says[] = { "since the start of the profile", "the file's clock",
					    "the wall clock" };
	struct chart *chart = &app->s.chart;
	int64_t wall;
	bool has_wall = wall_clock_find(app->base, state_lane(app), &wall);

	(void)count;
	chart->times = chart->times == CHART_TIMES_PROFILE     ? CHART_TIMES_FILE
		: chart->times == CHART_TIMES_FILE && has_wall ? CHART_TIMES_WALL
							       : CHART_TIMES_PROFILE;
	state_say(app, false, "times: %s", says[chart->times]);
	return APP_REDRAW;
}

static unsigned program_keys_color(struct app *app, int count)
{
	(void)count;
	unsigned color = (app->s.chart.color + 1) % CHART_COLOR_COUNT;

	if (color == CHART_COLOR_EVENT_CAT && !app->base->n_event_cats)
		color = (color + 1) % CHART_COLOR_COUNT;
	app->s.chart.color = (enum chart_color)color;
	app->has_legend = true;
	state_say(app, false, "coloured by %s", frame_roles_color_name(app->s.chart.color));
	return APP_REDRAW;
}

static unsigned program_keys_fold(struct app *app, int count)
{
	static const char *const texts[] = { "nothing is folded", "folded: Node.js and loading",
					     "folded: packages, Node.js and native code" };

	(void)count;
	folds_set(app, app->folds.mode == FOLD_NONE ? FOLD_PACKAGES : app->folds.mode - 1);
	state_say(app, false, "%s", texts[app->folds.mode]);
	return APP_REDRAW;
}

static unsigned program_keys_idle(struct app *app, int count)
{
	(void)count;
	app->pane.has_idle = !app->pane.has_idle;
	state_say(app, false, "shares: idle time %s",
		  app->pane.has_idle ? "counts" : "is left out");
	return APP_REDRAW;
}

static unsigned program_keys_share(struct app *app, int count)
{
	static const char *const of[PANE_SHARE_COUNT] = { "the busy time of the range",
							  "the range, with idle time",
							  "the whole profile, with idle time" };
	enum pane_share share = (pane_share_get(&app->pane) + 1) % PANE_SHARE_COUNT;

	(void)count;
	pane_share_set(&app->pane, share);
	state_say(app, false, "shares are of %s", of[share]);
	return APP_REDRAW;
}

static unsigned program_keys_gc_column(struct app *app, int count)
{
	(void)count;
	app->pane.gc.is_on = !app->pane.gc.is_on;
	state_say(app, false, "tables: %s",
		  app->pane.gc.is_on ? "column GC, the garbage collection in total times"
				     : "no column of garbage collection");
	return APP_REDRAW;
}

/* The app that is made with the setting says what has changed. */
static unsigned set(struct app *app, struct str name, const char *value)
{
	struct error err = ERROR_INIT;

	if (!setting_set(app, setting_find(name, &err), value, &err))
		state_say(app, false, "%s", err.text);
	return APP_REDRAW;
}

static unsigned program_keys_names(struct app *app, int count)
{
	(void)count;
	return set(app, (struct str){ "names", 5 },
		   other_names_shows_source(app->base) ? "script" : "source");
}

static unsigned program_keys_split(struct app *app, int count)
{
	(void)count;
	return set(app, (struct str){ "split", 5 }, profile_split(app->base) ? "none" : "cat");
}

/* Leave it to the caller of app_key(). effect: app_effect bits. */
static unsigned program_keys_effect(struct app *app, int effect)
{
	(void)app;
	return (unsigned)effect;
}

static unsigned program_keys_reload(struct app *app, int count)
{
	struct buf said = { 0 };

	(void)count;
	/* A comparison reads all its files again. */
	if (app->diff.what.is_opened)
		chart_diff_open_begin(app, NULL);
	else if (!app->host || !app->host->reload)
		state_say(app, true, "files are not read again here");
	else if (!app->host->reload(app->host->ctx, &said))
		state_say(app, true, "%s", buf_text(&said));
	buf_done(&said);
	return APP_REDRAW;
}

action *const program_commands[COMMAND_COUNT] = {
#undef COMMAND_OF_program
#define COMMAND_OF_program(id, function) [id] = function,
#define COMMAND(file, id, function, ...) COMMAND_OF_##file(id, function)
#include "ui/command_list.h"
};
