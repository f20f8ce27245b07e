/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session shows one profile at a time: previews while the files load on another thread, then the
 * whole. Each profile has an app of its own, which takes over the state that the user has set from
 * the app before it.
 *
 * Ownership: `struct shown` owns the profile that its app shows. A replaced preview goes back to
 * the loader, whose thread frees it. */
#include "config.h"

#include "session.h"
#include "session_host.h"

#include "analysis/view/as_recorded.h"
#include "analysis/view/scoped.h"
#include "base/alloc.h"
#include "base/reserve.h"
#include "load/realign.h"
#include "model/other_names.h"
#include "reader/trace/event.h"
#include "reader/trace/event_reader.h"
#include "term/clipboard.h"
#include "term/loop.h"
#include "ui/app.h"
#include "ui/app_state.h"
#include "ui/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Loading that ends within this time shows no progress bar. */
#define PATIENCE_MS 100

/* Memory that the interface keeps aside for a shortage: a part of what the program may use. */
#define RESERVE_MOST ((int64_t)32 << 20)
#define RESERVE_PART 16

/* An app and what it borrows from. */
struct shown {
	struct profile *profile;
	struct scope scope;
	struct scoped scoped;
	struct app *app; /* NULL: the options do not fit the profile */
};

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

/* Show `profile`. events: where the app gets the texts of events. state: what the user has set in
 * the app before; NULL: there was none. */
static struct shown *shown_new(struct session_host *host, struct profile *profile,
			       const struct event_source *events, const struct app_state *state)
{
	struct run *run = host->run;
	const struct options *o = &run->options;
	/* A rendered screen is the same in every locale: only --ascii changes it. */
	bool is_ascii = o->is_ascii || (run->is_interactive && !run->is_utf8);
	struct app_options ao = { .is_ascii = is_ascii,
				  .has_idle = o->has_idle,
				  .events = *events,
				  .sources = host->sources,
				  .state = state,
				  .preferences = &run->preferences,
				  .host = &host->host };
	struct shown *s = xcalloc(1, sizeof *s);
	struct error err = ERROR_INIT; /* only a view can be too large, and this is none */

	set_clock(run, profile);
	set_names(run, profile);
	s->profile = run->profile = profile;
	if (!run_find_scope(run, &s->scope))
		return s;
	ao.transforms = s->scope.transforms;
	ao.n_transforms = s->scope.n_transforms;
	ao.group = s->scope.group;
	ao.raw = o->is_raw ? AS_RECORDED_GC | AS_RECORDED_PROGRAM : 0;
	ao.t0 = s->scope.t0;
	ao.t1 = s->scope.t1;
	/* A trace may say which window to show first. */
	if (!o->from && !o->to && profile->window_t1 > profile->window_t0) {
		ao.t0 = profile->window_t0;
		ao.t1 = profile->window_t1;
	}
	/* The app starts with the transforms of the options but applies them itself, so that the
	 * user can undo them: `scoped` has only the lanes and the range. */
	scoped_init(&s->scoped, profile,
		    &(struct scope){ .t0 = s->scope.t0,
				     .t1 = s->scope.t1,
				     .is_lane = s->scope.is_lane },
		    &err);
	s->app = app_new(s->scoped.profile, &ao);
	return s;
}

static void shown_free(struct shown *s)
{
	if (!s)
		return;
	app_free(s->app);
	scoped_done(&s->scoped);
	scope_done(&s->scope);
	profile_free(s->profile);
	free(s);
}

/* Show the same profile with the clock or the names that were set meanwhile. Takes `before`. NULL:
 * it cannot be shown. */
static struct shown *shown_again(struct session_host *host, struct shown *before,
				 const struct event_source *events)
{
	struct app_state state = { 0 };
	struct profile *profile = before->profile;
	struct shown *s;

	app_state_get(before->app, &state);
	before->profile = NULL;
	/* Nothing may refer to the names that are exchanged. */
	shown_free(before);
	host->has_new_clock = host->has_new_names = false;
	s = shown_new(host, profile, events, &state);
	app_state_done(&state);
	return s;
}

/* What keys are played into. */
struct played {
	struct session_host *host;
	const struct event_source *events;
	struct shown *shown;
};

static struct app *play_on(void *ctx, struct app *now)
{
	struct played *p = ctx;

	(void)now;
	if (session_host_is_changed(p->host))
		p->shown = shown_again(p->host, p->shown, p->events);
	return p->shown->app;
}

/* Press the keys of --keys. shown: its app may be replaced. */
static bool play_keys(struct session_host *host, const struct event_source *events,
		      struct shown **shown)
{
	struct error err = ERROR_INIT;
	struct played played = { host, events, *shown };
	struct app *app = (*shown)->app;
	bool is_ok = !host->run->options.keys ||
		script_play(&app, host->run->options.keys,
			    &(struct script_feed){ play_on, &played }, &err);

	*shown = played.shown;
	if (!is_ok)
		run_complain_usage(host->run, "--keys: ", err.text, "");
	return is_ok;
}

/* ---- one screen ---- */

/* Whether app_timeout() does more than take a legend away. */
static bool has_work(const struct app *app)
{
	int wait = app_wait_ms(app);

	return wait >= 0 && wait != APP_LEGEND_MS;
}

static void render(struct run *run, struct app *app)
{
	struct grid grid = { 0 };
	struct buf out = { 0 };

	grid_init(&grid, run->options.render_rows, run->options.render_cols);
	/* Draw until nothing is unfinished, or the result would depend on the machine's speed. */
	do
		app_update(app, BUDGET_UNLIMITED);
	while (has_work(app) && (app_timeout(app), true));
	app_draw(app, &grid);
	grid_format(&grid, run->options.has_roles, &out);
	run_print(run, &out);
	grid_done(&grid);
	buf_done(&out);
}

void session_render(struct run *run)
{
	/* Waiting for the file makes the picture complete. */
	struct event_source events = { event_read, NULL, NULL };
	struct session_host host;
	struct source_reader *sources;
	struct shown *shown;
	bool is_ok = false;

	session_host_init(&host, run);
	sources = run_source_reader(run, true);
	host.sources = source_reader_host(sources);
	shown = shown_new(&host, run->profile, &events, NULL);
	if (shown->app) {
		app_resize(shown->app, run->options.render_rows, run->options.render_cols);
		is_ok = play_keys(&host, &events, &shown);
	}
	if (is_ok && shown->app)
		render(run, shown->app);
	shown_free(shown);
	source_reader_free(sources);
	session_host_done(&host);
	run->profile = NULL;
}

/* ---- on the terminal ---- */

struct session {
	struct run *run;
	struct session_host host;
	struct load *load;
	bool is_loading;
	struct shown *shown; /* NULL: nothing yet */
	struct event_reader *events;
	struct source_reader *sources;
	/* Why there is no more than a preview. Printed when the terminal is closed. */
	struct buf messages;
};

/* Show `profile` instead of the profile before. */
static void replace(struct session *s, struct profile *profile)
{
	struct shown *before = s->shown;
	bool has_state = before && before->app;
	struct app_state state = { 0 };
	struct event_source events = { event_reader_read, event_reader_forget, s->events };

	if (has_state)
		app_state_get(before->app, &state);
	s->shown = shown_new(&s->host, profile, &events, has_state ? &state : NULL);
	app_state_done(&state);
	if (!before && s->shown->app && !play_keys(&s->host, &events, &s->shown))
		s->run->status = EXIT_USAGE;
	/* Freeing a large profile takes long: the loader's thread does it. */
	if (before) {
		struct profile *old = before->profile;

		before->profile = NULL;
		shown_free(before);
		load_give_back(s->load, old);
	}
}

/* Loading has failed, for want of memory or because of the file: the user keeps what is on the
 * screen. Takes the messages. */
static void keep_preview(struct session *s, const struct buf *messages)
{
	static const char prefix[] = "flametty: ";
	const char *text = buf_text(messages);

	s->run->status = EXIT_FAILED;
	s->messages = *messages;
	if (strncmp(text, prefix, strlen(prefix)) == 0)
		text += strlen(prefix);
	app_set_cut(s->shown->app, "only the beginning");
	app_warn(s->shown->app, text, strcspn(text, "\n"));
}

/* Loading has ended: show the whole profile, or the last preview if there is none. */
static void finish(struct session *s)
{
	struct load_result result;
	struct error err = ERROR_INIT;

	load_take(s->load, &result);
	s->is_loading = false;
	if (!result.profile && s->shown && s->shown->app) {
		keep_preview(s, &result.messages);
		return;
	}
	if (!run_take_result(s->run, &result)) {
		shown_free(s->shown);
		s->shown = NULL;
		return;
	}
	replace(s, result.profile);
	if (s->run->status == EXIT_USAGE || (!term_is_open() && !term_open(&s->run->term, &err))) {
		if (s->run->status != EXIT_USAGE)
			run_complain(s->run, err.text);
		shown_free(s->shown);
		s->shown = NULL;
	}
}

static bool has_next(void *ctx)
{
	const struct session *s = ctx;

	return !s->is_loading && session_host_is_changed(&s->host) && s->shown && s->shown->app &&
		app_is_settled(s->shown->app);
}

static struct app *next_app(void *ctx, struct app *now, bool *is_loading)
{
	struct session *s = ctx;
	struct profile *preview;

	if (has_next(s)) {
		struct event_source events = { event_reader_read, event_reader_forget, s->events };

		s->shown = shown_again(&s->host, s->shown, &events);
	}
	if (s->is_loading && !(now && !app_is_settled(now))) {
		if (load_wait(s->load, 0))
			finish(s);
		else if ((preview = load_preview(s->load)) != NULL)
			replace(s, preview);
	}
	*is_loading = s->is_loading;
	return s->shown ? s->shown->app : NULL;
}

static void tell_progress(void *ctx, struct progress *progress, const char **name)
{
	struct session *s = ctx;

	*name = "";
	if (s->is_loading)
		load_progress(s->load, progress, name);
}

static void stop_loading(void *ctx)
{
	struct session *s = ctx;

	if (s->is_loading)
		load_stop(s->load);
}

/* The text that was copied last, unless it is certain that it reached a clipboard. */
static void print_copied(void)
{
	struct buf text = { 0 };

	clipboard_take_unsure(&text);
	if (text.len)
		printf("%s\n", buf_text(&text));
	buf_done(&text);
}

/* max_memory: bytes; 0: no limit. */
static void keep_reserve(int64_t max_memory)
{
	int64_t bytes = max_memory > 0 ? max_memory / RESERVE_PART : RESERVE_MOST;

	bytes = bytes > RESERVE_MOST ? RESERVE_MOST : bytes;
	reserve_keep(bytes < (int64_t)RESERVE_LEAST ? RESERVE_LEAST : (size_t)bytes);
}

void session_interact(struct run *run)
{
	struct session s = { .run = run };
	struct load_options lo;
	struct error err = ERROR_INIT;
	bool is_ascii = run->options.is_ascii || !run->is_utf8;

	if (!run_load_options(run, &lo))
		return;
	keep_reserve(lo.max_memory);
	session_host_init(&s.host, run);
	session_host_start(&s.host);
	s.events = event_reader_new();
	s.sources = run_source_reader(run, false);
	s.host.sources = source_reader_host(s.sources);
	s.load = load_begin(&lo);
	s.is_loading = true;
	if (load_wait(s.load, PATIENCE_MS))
		finish(&s);
	else if (!term_open(&run->term, &err))
		run_complain(run, err.text);
	if (term_is_open())
		loop_run(&(struct loop_feed){ next_app, has_next, tell_progress, stop_loading, &s,
					      is_ascii });
	term_close();
	print_copied();
	fputs(buf_text(&s.messages), stderr);
	buf_done(&s.messages);
	/* Do not join a thread that reads on quit: the loader may be in the middle of a long step,
	 * and a file system need not answer. */
	if (s.is_loading || load_is_reading(s.load) || event_reader_is_busy(s.events) ||
	    source_reader_is_busy(s.sources)) {
		fflush(NULL);
		_exit(run->status);
	}
	shown_free(s.shown);
	session_host_done(&s.host);
	event_reader_free(s.events);
	source_reader_free(s.sources);
	load_free(s.load);
	reserve_keep(0);
	run->profile = NULL;
}
