/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session shows one profile at a time: previews while the files load on another thread, then the
 * whole. Each profile has an app of its own, which takes over the state that the user has set from
 * the app before it.
 *
 * Ownership: `struct session_shown` owns the profile that its app shows. A replaced preview goes
 * back to the loader, whose thread frees it. */
#include "config.h"

#include "session/session.h"

#include "analyse/scope.h"
#include "analyse/view/as_recorded.h"
#include "analyse/view/scoped.h"
#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"
#include "base/thread.h"
#include "cli/diff_command.h"
#include "cli/run.h"
#include "model/profile.h"
#include "read/load/split_lanes.h"
#include "read/load/watcher.h"
#include "read/trace/event_reader.h"
#include "session/session_compare.h"
#include "session/session_host.h"
#include "term/loop.h"
#include "ui/app.h"
#include "ui/app_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct session {
	struct run *run;
	struct session_host host;
	struct load *load;
	bool is_loading;
	struct session_shown *shown; /* NULL: nothing yet */
	struct jobs *events, *finder;
	struct jobs *sources;
	struct session_follow follow;
	struct session_compare compare;
	/* Why there is no more than a preview. Printed when the terminal is closed. */
	struct buf messages;
	bool is_terminal_told;
};

static void follow(struct session *s);

/* ==== session follow ====
 *
 * Files change while they are read, and are read while they are written:
 *
 * 1. What the watcher tells last counts. A change during a load leads to another load after it.
 * 2. A profile that is cut off was read too early, unless that on the screen is, too: it is not
 *    shown. The file is read again when it changes; a user who asks a second time gets it as it is.
 * 3. Whatever goes wrong, the profile on the screen stays, and a message says why.
 *
 * All state belongs to the main thread, except what load.h and watcher.h say. */

/* Called on the thread that reads. */
static void wake(void *ctx)
{
	wake_up(ctx);
}

/* options: of the load whose profile is shown first; copied. */
static void session_follow_init(struct session_follow *f, struct run *run,
				const struct load_options *options)
{
	*f = (struct session_follow){ .run = run, .options = *options, .wake = { -1, -1 } };
	f->options.has_previews = false;
	f->options.ended = wake;
	f->options.ended_ctx = &f->wake;
}

bool session_follow_can_read(char *const *files, int n_files, struct error *err)
{
	for (int i = 0; i < n_files; i++) {
		const char *file = files[i];
		struct stat st;

		if (strcmp(file, "-") == 0)
			return error_set(err, ERR_IO, -1,
					 "standard input cannot be read a second time");
		if (stat(file, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
			return error_set(err, ERR_IO, -1, "%s cannot be read a second time", file);
	}
	return true;
}

static bool can_read(struct session_follow *f, struct error *err)
{
	if (!session_follow_can_read(f->options.files, f->options.n_files, err))
		return false;
	if (f->is_lost)
		return error_set(err, ERR_LIMIT, -1, "there is not enough memory");
	return f->wake.in >= 0 || wake_open(&f->wake) ||
		error_set(err, ERR_LIMIT, -1, "there are too many open files");
}

bool session_follow_is_same(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->n_inputs; i++) {
		const struct input *in = &profile->inputs[i];
		struct stat st;

		for (size_t k = 0; k < input_place_files(in); k++) {
			struct input_place place = input_place_file(in, k);

			if (stat(profile_text(profile, place.path), &st) != 0 ||
			    !fingerprint_is_of(place.print, &st))
				return false;
		}
	}
	return true;
}

bool session_follow_watch(struct session_follow *f, bool is_on, const struct profile *profile,
			  struct error *err)
{
	struct file_watch_options wo = { .files = f->options.files,
					 .n_files = f->options.n_files,
					 .is_recursive = f->options.is_recursive,
					 .has_format = f->options.format_in != NULL };

	if (!is_on) {
		watcher_stop(f->watcher);
		f->watcher = NULL;
		return true;
	}
	if (f->watcher)
		return true;
	if (!can_read(f, err))
		return false;
	f->watcher = watcher_start(&wo, &f->wake, false);
	if (profile && !session_follow_is_same(profile))
		f->is_wanted = true;
	return f->watcher ||
		error_set(err, ERR_LIMIT, -1, "no thread can be started to watch the files");
}

bool session_follow_ask(struct session_follow *f, struct error *err)
{
	if (!can_read(f, err))
		return false;
	f->is_wanted = f->is_asked = true;
	return true;
}

/* ---- freeing ---- */

static void *free_there(void *profile)
{
	profile_free(profile);
	memory_give_back();
	return NULL;
}

static void await_cleaner(struct session_follow *f)
{
	if (f->has_cleaner)
		pthread_join(f->cleaner, NULL);
	f->has_cleaner = false;
}

void session_follow_free(struct session_follow *f, struct profile *profile)
{
	await_cleaner(f);
	f->has_cleaner = thread_start_small(&f->cleaner, free_there, profile);
	if (!f->has_cleaner)
		free_there(profile);
}

/* ---- reading ---- */

/* Whether what was read is only the beginning of what is being written. */
static bool is_cut(const struct profile *profile)
{
	return profile_warns(profile, WARN_CUT_OFF) || profile_warns(profile, WARN_COMPRESSION);
}

/* Reading has ended. */
static void end(struct session_follow *f, const struct profile *shown, struct buf *said,
		bool *is_warning)
{
	struct load_result result;
	struct load *load = f->load;

	load_take(load, &result);
	f->load = NULL;
	if (load_is_reading(load))
		f->is_lost = true;
	else
		load_free(load);
	buf_clear(said);
	*is_warning = result.messages.len > 0;
	session_host_add_first(&result.messages, said);
	f->has_failed = *is_warning;
	f->was_cut = result.profile && is_cut(result.profile) && !f->takes_cut &&
		!(shown && is_cut(shown));
	/* Of a file with too little to make a profile of, the readers' message says it. */
	if (f->was_cut ||
	    (!result.profile && strstr(buf_text(&result.messages), "the file ends "))) {
		*is_warning = true;
		buf_clear(said);
		buf_adds(said, "the file is cut off, or still being written");
		if (!f->watcher && f->was_cut)
			buf_adds(said, "; R shows what is there");
	} else if (!result.profile) {
		buf_adds(said, "; what is shown was read before");
	}
	buf_done(&result.messages);
	if (f->was_cut)
		session_follow_free(f, result.profile);
	else
		f->ready = result.profile;
}

static void take_news(struct session_follow *f, struct buf *said, bool *is_warning)
{
	BUF_LOCAL path = { 0 };

	wake_forget(&f->wake);
	if (f->watcher) {
		switch (watcher_take(f->watcher, &path)) {
		case FILE_WATCH_READY:
			f->is_wanted = true;
			break;
		case FILE_WATCH_GONE:
			*is_warning = true;
			text_visible(said, buf_text(&path), path.len);
			buf_adds(said, " is not there any more; what is shown was read before");
			break;
		default:
			break;
		}
	}
}

/* Take the news, and begin to read if that is wanted. `shown`: the profile on the screen. Returns
 * the profile that was read, which the caller owns then, if may_take; else it is kept for a later
 * call. NULL: none. Appends to `said` what the user should know; *is_warning: of what went wrong.
 */
static struct profile *session_follow_step(struct session_follow *f, const struct profile *shown,
					   bool may_take, struct buf *said, bool *is_warning)
{
	struct profile *profile = NULL;

	*is_warning = false;
	if (f->wake.in < 0)
		return NULL;
	take_news(f, said, is_warning);
	if (f->load && load_wait(f->load, 0))
		end(f, shown, said, is_warning);
	if (f->is_wanted && !f->load && !f->is_lost && !f->is_held) {
		/* A profile that was not shown is not needed any more. */
		if (f->ready)
			session_follow_free(f, f->ready);
		f->ready = NULL;
		f->takes_cut = f->is_asked && f->was_cut;
		if (f->is_asked)
			buf_adds(said, "reading the files again ...");
		f->is_wanted = f->is_asked = false;
		f->load = load_begin(&f->options);
	}
	if (f->ready && may_take && !f->is_held) {
		profile = f->ready;
		f->ready = NULL;
		if (!f->has_failed)
			buf_adds(said, "read again");
	}
	return profile;
}

/* Whether session_follow_step() has something to do. */
static bool session_follow_has_news(const struct session_follow *f, bool may_take)
{
	return f->wake.in >= 0 &&
		((f->ready && may_take && !f->is_held) ||
		 (f->is_wanted && !f->load && !f->is_lost && !f->is_held) ||
		 wake_has_news(&f->wake));
}

/* Call this before the process ends. False: a thread still reads, and uses `f`, which stays. */
static bool session_follow_done(struct session_follow *f)
{
	bool is_reading = f->is_lost || (f->load && load_is_reading(f->load));

	watcher_stop(f->watcher);
	f->watcher = NULL;
	if (is_reading)
		return false;
	await_cleaner(f);
	load_free(f->load);
	profile_free(f->ready);
	wake_close(&f->wake);
	return true;
}

/* ==== session shown ====
 *
 * Each profile has an app of its own, which takes over the state that the user has set from the app
 * before it. */

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
	BUF_LOCAL text = { 0 };

	if (same < 0)
		return;
	text_visible(&text, o->files[same], strlen(o->files[same]));
	buf_adds(&text, " " DIFF_COMMAND_SAME);
	app_say(app, true, buf_text(&text), text.len);
}

static void warn_of_lanes(struct app *app, const struct error *err)
{
	BUF_LOCAL text = { 0 };

	buf_addf(&text, "--lanes: %s", err->text);
	app_say(app, true, buf_text(&text), text.len);
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
	bool is_ascii = o->is_ascii ||
		(run->is_interactive && run->charset == CHARSET_ASCII && !term_has_utf8());
	struct app_options ao = { .is_ascii = is_ascii,
				  .has_idle = o->has_idle,
				  .events = *events,
				  .sources = host->sources,
				  .state = state,
				  .preferences = &run->preferences,
				  .host = &host->host,
				  .live = host->live,
				  .is_of_list = host->is_of_list,
				  .search = state ? NULL : host->search,
				  .fleet = host->is_of_list || host->compared ? NULL : run->fleet,
				  .fold = o->fold < 0 ? FOLD_PACKAGES : (enum fold_mode)o->fold,
				  .start = o->lane || o->from || o->to ? APP_START_CULPRIT
								       : APP_START_WINDOW };
	struct session_shown *s = xcalloc(1, sizeof *s);
	/* The scope of a comparison is that of each run. */
	struct options of_all = *o;
	struct chart_diff_what diff;
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
	if (!scoped_init(&s->scoped, profile,
			 &(struct scope){ .t0 = s->scope.t0,
					  .t1 = s->scope.t1,
					  .is_lane = s->scope.is_lane },
			 why))
		return s;
	s->app = app_new(s->scoped.profile, &ao);
	if (ao.diff && !host->compared && !state)
		warn_of_same(s->app, o);
	if (!has_lanes && !state)
		warn_of_lanes(s->app, &lanes_err);
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

/* The same; what is wrong is printed. */
static struct session_shown *session_shown_or_complain(struct session_host *host,
						       struct profile *profile,
						       const struct event_source *events,
						       const struct app_state *state)
{
	struct error why = ERROR_INIT;
	struct session_shown *s = session_shown_new(host, profile, events, state, &why);

	if (!s->app &&
	    !(host->run->options.command == COMMAND_DIFF && diff_command_lacks(host->run)))
		run_complain_scope(host->run, &why);
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
	return run_complain_usage(run, "--keys: ", err->text, "");
}

/* Print a message if --keys has a key that does not exist. */
static bool session_shown_keys_are_valid(struct run *run)
{
	struct error err = ERROR_INIT;

	return !run->options.keys || script_check(run->options.keys, &err) ||
		complain_keys(run, &err);
}

/* Whether app_timeout() does more than take a legend away. */
static bool has_work(const struct app *app)
{
	int wait = app_wait_ms(app);

	return wait >= 0 && wait != APP_LEGEND_MS;
}

/* Until nothing is unfinished, or the result would depend on the machine's speed. */
static void complete(struct app *app)
{
	do
		app_update(app, BUDGET_UNLIMITED);
	while (has_work(app) && (app_timeout(app), true));
}

bool session_shown_play(const struct session_shown *shown, struct run *run,
			const struct script_feed *feed)
{
	struct error err = ERROR_INIT;
	struct app *app = shown->app;

	if (!run->options.keys)
		return true;
	/* A user presses keys when the first picture is there, which selects the culprit. */
	complete(app);
	return script_play(&app, run->options.keys, feed, &err) || complain_keys(run, &err);
}

void session_shown_print(const struct session_shown *shown, struct run *run)
{
	struct grid grid = { 0 };
	BUF_LOCAL out = { 0 };

	grid_init(&grid, run->options.render_rows, run->options.render_cols);
	complete(shown->app);
	app_draw(shown->app, &grid);
	grid_format(&grid, run->options.has_roles, &out);
	run_print(run, &out);
	grid_done(&grid);
}

/* ==== session ==== */

/* Loading that ends within this time shows no progress bar. */
#define PATIENCE_MS 100

/* Memory that the interface keeps aside for a shortage: a part of what the program may use. */
#define RESERVE_MAX ((int64_t)32 << 20)
#define RESERVE_PART 16

/* What keys are played into. */
struct played {
	struct session_host *host;
	const struct event_source *events;
	struct session_shown *shown;
};

static struct app *play_on(void *ctx, struct app *now)
{
	struct played *p = ctx;

	(void)now;
	if (session_host_is_changed(p->host))
		p->shown = session_shown_again(p->host, p->shown, p->events);
	session_compare_wait(p->host->compare);
	if (session_compare_has_news(p->host->compare, true))
		p->shown = session_compare_step(p->host->compare, p->shown, p->events);
	return p->shown->app;
}

/* Press the keys of --keys. shown: its app may be replaced. */
static bool play_keys(struct session_host *host, const struct event_source *events,
		      struct session_shown **shown)
{
	struct played played = { host, events, *shown };
	bool is_ok = session_shown_play(*shown, host->run,
					&(struct script_feed){ play_on, &played });

	*shown = played.shown;
	return is_ok;
}

/* ---- one screen ---- */

void session_render(struct run *run)
{
	/* Waiting for the file makes the picture complete. */
	struct jobs *finder = event_search_new(true);
	struct event_source events = { event_read, NULL, NULL, event_search, jobs_forget, finder };
	struct session_host host;
	struct session_compare compare;
	struct load_options lo;
	struct jobs *sources;
	struct session_shown *shown;
	bool is_ok = false;

	if (!run_load_options(run, &lo))
		return;
	session_host_init(&host, run);
	session_compare_init(&compare, &host, &lo);
	sources = run_source_reader(run, true);
	host.sources = source_reader_host(sources);
	shown = session_shown_or_complain(&host, run->profile, &events, NULL);
	if (shown->app) {
		app_resize(shown->app, run->options.render_rows, run->options.render_cols);
		is_ok = play_keys(&host, &events, &shown);
	}
	if (is_ok && shown->app)
		session_shown_print(shown, run);
	session_shown_free(shown);
	session_compare_done(&compare);
	jobs_free(sources);
	jobs_free(finder);
	session_host_done(&host);
	run->profile = NULL;
}

/* ---- on the terminal ---- */

static struct event_source event_source_of(const struct session *s)
{
	return (struct event_source){ event_reader_read, jobs_forget, s->events,
				      event_search,      jobs_forget, s->finder };
}

/* Show `profile` instead of the profile before. */
static void replace(struct session *s, struct profile *profile)
{
	struct session_shown *before = s->shown;
	bool has_state = before && before->app;
	struct app_state state = { 0 };
	struct event_source events = event_source_of(s);

	if (has_state)
		app_state_get(before->app, &state);
	s->shown = session_shown_or_complain(&s->host, profile, &events, has_state ? &state : NULL);
	app_state_done(&state);
	/* Freeing a large profile takes long: the loader's thread does it. */
	if (before) {
		struct profile *old = before->profile;

		before->profile = NULL;
		session_shown_free(before);
		load_give_back(s->load, old);
	}
}

/* Loading has ended, and the terminal is open: press the keys of --keys, as on a picture of this
 * size. */
static void play_on_terminal(struct session *s)
{
	struct event_source events = event_source_of(s);
	int rows, cols;

	if (!s->run->options.keys)
		return;
	term_size(&rows, &cols);
	app_resize(s->shown->app, rows, cols);
	app_set_loading(s->shown->app, NULL);
	play_keys(&s->host, &events, &s->shown);
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
	play_on_terminal(s);
	if (s->shown->app)
		app_say(s->shown->app, true, text, strcspn(text, "\n"));
}

/* Say what is unusual about the terminal: on the screen, or when it is closed if something else is
 * said there. */
static void tell_terminal(struct session *s)
{
	const char *note = term_note();

	if (!note || s->is_terminal_told || !s->shown || !s->shown->app)
		return;
	s->is_terminal_told = true;
	if (*app_warning(s->shown->app))
		buf_addf(&s->messages, "flametty: warning: %s\n", note);
	else
		app_say(s->shown->app, true, note, strlen(note));
}

/* Show a profile that is complete on the terminal. */
static void show_whole(struct session *s, struct profile *profile)
{
	struct error err = ERROR_INIT;

	replace(s, profile);
	if (!s->shown->app || (!term_is_open() && !term_open(&s->run->term, &err))) {
		if (s->shown->app)
			run_complain(s->run, err.text);
		session_shown_free(s->shown);
		s->shown = NULL;
		return;
	}
	play_on_terminal(s);
}

/* Loading has ended: show the whole profile, or the last preview if there is none. */
static void finish(struct session *s)
{
	struct load_result result;

	load_take(s->load, &result);
	s->is_loading = false;
	term_wake_on(wake_fd(&s->follow.wake));
	if (!result.profile && s->shown && s->shown->app) {
		keep_preview(s, &result.messages);
		return;
	}
	if (!run_take_result(s->run, &result)) {
		session_shown_free(s->shown);
		s->shown = NULL;
		return;
	}
	show_whole(s, result.profile);
}

/* Show a profile that was read again, with the state of the app before. */
static void show_again(struct session *s, struct profile *profile, struct buf *said,
		       bool *is_warning)
{
	struct event_source events = event_source_of(s);
	struct session_shown *before = s->shown, *next;
	struct jobs *sources = s->sources;
	struct profile *old = before->profile;
	struct app_state state = { 0 };
	struct error why = ERROR_INIT;

	app_state_get(before->app, &state);
	/* Sources may have changed, too. */
	s->sources = run_source_reader(s->run, false);
	s->host.sources = source_reader_host(s->sources);
	next = session_shown_new(&s->host, profile, &events, &state, &why);
	app_state_done(&state);
	if (!next->app) {
		/* The range of the options, for instance, is not in it. */
		buf_clear(said);
		buf_addf(said, "%s; what is shown was read before", why.text);
		*is_warning = true;
		s->run->profile = old;
		session_shown_free(next);
		jobs_free(s->sources);
		s->sources = sources;
		s->host.sources = source_reader_host(sources);
		return;
	}
	/* What could not be kept of the state. */
	if (*app_warning(next->app))
		buf_addf(said, "%s%s", said->len ? "; " : "", app_warning(next->app));
	*is_warning |= *app_warning(next->app) != '\0';
	s->shown = next;
	before->profile = NULL;
	session_shown_free(before);
	jobs_free(sources);
	session_follow_free(&s->follow, old);
}

/* Go on with files that are read again. */
static void follow(struct session *s)
{
	BUF_LOCAL said = { 0 };
	bool is_warning;
	struct profile *profile = session_follow_step(
		&s->follow, s->shown->profile, app_is_settled(s->shown->app), &said, &is_warning);

	if (profile)
		show_again(s, profile, &said, &is_warning);
	if (said.len)
		app_say(s->shown->app, is_warning, buf_text(&said), said.len);
}

static bool has_new_view(const struct session *s)
{
	return session_host_is_changed(&s->host) && app_is_settled(s->shown->app);
}

static bool has_comparison(struct session *s)
{
	return session_compare_has_news(&s->compare, app_is_settled(s->shown->app));
}

static bool has_next(void *ctx)
{
	struct session *s = ctx;

	return !s->is_loading && s->shown && s->shown->app &&
		(has_new_view(s) || has_comparison(s) ||
		 session_follow_has_news(&s->follow, app_is_settled(s->shown->app)));
}

static struct app *next_app(void *ctx, struct app *now, bool *is_loading)
{
	struct session *s = ctx;
	struct event_source events = event_source_of(s);
	struct profile *preview;

	if (has_next(s) && has_new_view(s))
		s->shown = session_shown_again(&s->host, s->shown, &events);
	if (has_next(s) && has_comparison(s))
		s->shown = session_compare_step(&s->compare, s->shown, &events);
	if (has_next(s))
		follow(s);
	if (s->is_loading && !(now && !app_is_settled(now))) {
		if (load_wait(s->load, 0))
			finish(s);
		else if ((preview = load_preview(s->load)) != NULL)
			replace(s, preview);
	}
	*is_loading = s->is_loading;
	if (!s->is_loading)
		tell_terminal(s);
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

/* max_memory: bytes; 0: no limit. */
static void keep_reserve(int64_t max_memory)
{
	int64_t bytes = max_memory > 0 ? max_memory / RESERVE_PART : RESERVE_MAX;

	bytes = bytes > RESERVE_MAX ? RESERVE_MAX : bytes;
	reserve_keep(bytes < (int64_t)RESERVE_MIN ? RESERVE_MIN : (size_t)bytes);
}

/* Watch the files if the user wants that. False: they cannot be watched, although an option says
 * so. */
static bool start_following(struct session *s)
{
	struct run *run = s->run;
	const char *set = preferences_get(&run->preferences, "follow");
	bool is_option = run->options.is_following;
	struct error err = ERROR_INIT;
	bool ok = true;

	if (is_option || (set && strcmp(set, "on") == 0))
		ok = session_follow_watch(&s->follow, true, NULL, &err);
	preferences_set(&run->preferences, "follow", s->follow.watcher ? "on" : "off", false);
	if (!ok && is_option) {
		run_complain_usage(run, "--follow: ", err.text, "");
		run->status = err.kind == ERR_LIMIT ? EXIT_FAILED : EXIT_USAGE;
	}
	return ok || !is_option;
}

/* The loader may have taken all memory already, and curses ends the program where it has none: let
 * it have that of the reserve. */
static void open_terminal(struct session *s, int64_t max_memory)
{
	struct error err = ERROR_INIT;

	reserve_keep(0);
	if (!term_open(&s->run->term, &err))
		run_complain(s->run, err.text);
	keep_reserve(max_memory);
}

/* Show the profile, or load and show it, until the user leaves. */
static void interact(struct session *s, const struct load_options *lo)
{
	struct run *run = s->run;

	if (run->fleet) {
		show_whole(s, run->profile);
	} else {
		s->load = load_begin(lo);
		s->is_loading = true;
		if (load_wait(s->load, PATIENCE_MS))
			finish(s);
		else
			open_terminal(s, lo->max_memory);
	}
	if (term_is_open())
		loop_run(&(struct loop_feed){
			.next = next_app,
			.has_next = has_next,
			.progress = tell_progress,
			.stop = stop_loading,
			.ctx = s,
			.is_ascii = run->options.is_ascii || run->charset == CHARSET_ASCII,
			.layouts = preferences_get(&run->preferences, "layout"),
		});
	term_close();
	session_host_print_copied();
	message_lines(s->messages.data, s->messages.len);
	buf_done(&s->messages);
}

void session_interact(struct run *run)
{
	struct session s = { .run = run };
	struct load_options lo;

	if (!run_load_options(run, &lo) || !session_shown_keys_are_valid(run))
		return;
	keep_reserve(lo.max_memory);
	session_host_init(&s.host, run);
	session_host_start(&s.host);
	s.events = event_reader_new();
	s.finder = event_search_new(false);
	s.sources = run_source_reader(run, false);
	s.host.sources = source_reader_host(s.sources);
	/* A fleet is not read again. */
	s.host.follow = run->fleet ? NULL : &s.follow;
	session_follow_init(&s.follow, run, &lo);
	session_compare_init(&s.compare, &s.host, &lo);
	if (!run->fleet && !start_following(&s)) {
		session_host_done(&s.host);
		jobs_free(s.events);
		jobs_free(s.finder);
		jobs_free(s.sources);
		reserve_keep(0);
		return;
	}
	interact(&s, &lo);
	/* Do not join a thread that reads on quit: the loader may be in the middle of a long step,
	 * and a file system need not answer. */
	if (!session_follow_done(&s.follow) || s.is_loading ||
	    (s.load && load_is_reading(s.load)) || session_compare_is_reading(&s.compare) ||
	    jobs_are_busy(s.events) || jobs_are_busy(s.finder) || jobs_are_busy(s.sources)) {
		fflush(NULL);
		_exit(run->status);
	}
	session_shown_free(s.shown);
	session_compare_done(&s.compare);
	session_host_done(&s.host);
	jobs_free(s.events);
	jobs_free(s.finder);
	jobs_free(s.sources);
	load_free(s.load);
	reserve_keep(0);
	run->profile = NULL;
}
