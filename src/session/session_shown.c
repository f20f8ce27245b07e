/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each profile has an app of its own, which takes over the state that the user has set from the app
 * before it. */
#include "config.h"

#include "session/session_shown.h"

#include "analyse/view/as_recorded.h"
#include "base/alloc.h"
#include "base/text.h"
#include "cli/diff_command.h"
#include "cli/scope_options.h"
#include "model/other_names.h"
#include "read/load/realign.h"
#include "read/load/split_lanes.h"

#include <stdlib.h>
#include <string.h>

/* Let the lanes share a clock or not, as the user has set, if they can. */
static void set_clock(const struct run *run, struct profile *profile)
{
	const char *clock = preferences_get(&run->preferences, "clock");
	bool is_own = clock && strcmp(clock, "own") == 0;
	struct error err = ERROR_INIT;

	if (clock)
		realign(profile, is_own, &err);
}

/* Show the names of the sources or of the scripts, as the user has set, if there are both. */
static void set_names(const struct run *run, struct profile *profile)
{
	const char *names = preferences_get(&run->preferences, "names");

	if (names && profile->other &&
	    other_names_shows_source(profile) != (strcmp(names, "source") == 0))
		other_names_swap(profile);
}

/* Split lanes as the user has set, if that is possible. False: it is what the options ask for, and
 * not possible. */
static bool set_split(const struct run *run, struct profile *profile, struct error *err)
{
	const char *split = preferences_get(&run->preferences, "split");
	const char *wanted = run->options.lanes;

	return !split || run->options.lane || split_lanes(profile, split, err) || !wanted ||
		strcmp(split, wanted) != 0;
}

/* A comparison that the options ask for. */
static void warn_of_same(struct app *app, const struct options *o)
{
	int same = o->is_two_sided ? -1 : diff_command_same(o->files, o->n_files);
	struct buf text = { 0 };

	if (same < 0)
		return;
	text_visible(&text, o->files[same], strlen(o->files[same]));
	buf_adds(&text, " " DIFF_COMMAND_SAME);
	app_say(app, true, buf_text(&text), text.len);
	buf_done(&text);
}

static void say_no_lanes(struct app *app, const struct error *err)
{
	struct buf text = { 0 };

	buf_addf(&text, "--lanes: %s", err->text);
	app_say(app, true, buf_text(&text), text.len);
	buf_done(&text);
}

static void set_scope(const struct options *o, const struct profile *profile,
		      const struct scope *scope, struct app_options *ao)
{
	ao->transforms = scope->transforms;
	ao->n_transforms = scope->n_transforms;
	ao->group = scope->group;
	ao->raw = o->is_raw ? AS_RECORDED_GC | AS_RECORDED_PROGRAM : 0;
	ao->t0 = scope->t0;
	ao->t1 = scope->t1;
	/* A trace may say which window to show first. */
	if (!o->from && !o->to && profile->window_t1 > profile->window_t0) {
		ao->t0 = profile->window_t0;
		ao->t1 = profile->window_t1;
	}
}

struct session_shown *session_shown_new(struct session_host *host, struct profile *profile,
					const struct event_source *events,
					const struct app_state *state, struct error *why)
{
	struct run *run = host->run;
	const struct options *o = &run->options;
	/* A rendered screen is the same in every locale: only --ascii changes it. */
	bool is_ascii = o->is_ascii || (run->is_interactive && run->charset == CHARSET_ASCII);
	struct app_options ao = { .is_ascii = is_ascii,
				  .has_idle = o->has_idle,
				  .events = *events,
				  .sources = host->sources,
				  .state = state,
				  .preferences = &run->preferences,
				  .host = &host->host,
				  .live = host->live,
				  .fold = o->fold < 0 ? FOLD_PACKAGES : (enum fold_mode)o->fold,
				  .start = o->lane || o->from || o->to ? APP_START_CULPRIT
								       : APP_START_WINDOW };
	struct session_shown *s = xcalloc(1, sizeof *s);
	/* The scope of a comparison is that of each run. */
	struct options of_all = *o;
	struct diff_what diff;
	struct error err = ERROR_INIT; /* only a view can be too large, and this is none */
	struct error lanes_err = ERROR_INIT;
	bool has_lanes;

	set_clock(run, profile);
	set_names(run, profile);
	has_lanes = set_split(run, profile, &lanes_err);
	s->profile = run->profile = profile;
	if (host->compared || o->command == COMMAND_DIFF) {
		of_all.from = of_all.to = of_all.lane = NULL;
		ao.diff = &diff;
		if (host->compared)
			diff = *host->compared;
		else if (!diff_command_begin(run, &diff))
			return s;
		if (!diff_command_check(profile, &diff, why))
			return s;
	}
	if (!scope_options_find(&of_all, profile, &s->scope, why))
		return s;
	set_scope(o, profile, &s->scope, &ao);
	/* The app starts with the transforms of the options but applies them itself, so that the
	 * user can undo them: `scoped` has only the lanes and the range. */
	scoped_init(&s->scoped, profile,
		    &(struct scope){ .t0 = s->scope.t0,
				     .t1 = s->scope.t1,
				     .is_lane = s->scope.is_lane },
		    &err);
	s->app = app_new(s->scoped.profile, &ao);
	if (ao.diff && !host->compared && !state)
		warn_of_same(s->app, o);
	if (!has_lanes && !state)
		say_no_lanes(s->app, &lanes_err);
	return s;
}

void session_shown_free(struct session_shown *s)
{
	if (!s)
		return;
	app_free(s->app);
	scoped_done(&s->scoped);
	scope_done(&s->scope);
	profile_free(s->profile);
	free(s);
}

struct session_shown *session_shown_or_complain(struct session_host *host, struct profile *profile,
						const struct event_source *events,
						const struct app_state *state)
{
	struct error why = ERROR_INIT;
	struct session_shown *s = session_shown_new(host, profile, events, state, &why);

	if (!s->app &&
	    !(host->run->options.command == COMMAND_DIFF && diff_command_lacks(host->run)))
		run_complain_usage(host->run, "", why.text, "");
	return s;
}

struct session_shown *session_shown_again(struct session_host *host, struct session_shown *before,
					  const struct event_source *events)
{
	struct app_state state = { 0 };
	struct profile *profile = before->profile;
	struct error err = ERROR_INIT;
	struct session_shown *s;

	app_state_get(before->app, &state);
	before->profile = NULL;
	/* Nothing may refer to the names that are exchanged. */
	session_shown_free(before);
	host->has_new_clock = host->has_new_names = host->has_new_lanes = false;
	/* The clock is that of the lanes as they were loaded. */
	split_lanes(profile, "none", &err);
	s = session_shown_or_complain(host, profile, events, &state);
	app_state_done(&state);
	return s;
}

/* ---- without a terminal ---- */

static bool complain_keys(struct run *run, const struct error *err)
{
	run_complain_usage(run, "--keys: ", err->text, "");
	return false;
}

bool session_shown_keys_are_valid(struct run *run)
{
	struct error err = ERROR_INIT;

	return !run->options.keys || script_check(run->options.keys, &err) ||
		complain_keys(run, &err);
}

bool session_shown_play(const struct session_shown *shown, struct run *run,
			const struct script_feed *feed)
{
	struct error err = ERROR_INIT;
	struct app *app = shown->app;

	if (!run->options.keys)
		return true;
	/* A user presses keys when the first picture is there, which selects the culprit. */
	app_update(app, BUDGET_UNLIMITED);
	return script_play(&app, run->options.keys, feed, &err) || complain_keys(run, &err);
}

/* Whether app_timeout() does more than take a legend away. */
static bool has_work(const struct app *app)
{
	int wait = app_wait_ms(app);

	return wait >= 0 && wait != APP_LEGEND_MS;
}

void session_shown_print(const struct session_shown *shown, struct run *run)
{
	struct grid grid = { 0 };
	struct buf out = { 0 };

	grid_init(&grid, run->options.render_rows, run->options.render_cols);
	/* Draw until nothing is unfinished, or the result would depend on the machine's speed. */
	do
		app_update(shown->app, BUDGET_UNLIMITED);
	while (has_work(shown->app) && (app_timeout(shown->app), true));
	app_draw(shown->app, &grid);
	grid_format(&grid, run->options.has_roles, &out);
	run_print(run, &out);
	grid_done(&grid);
	buf_done(&out);
}
