/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each second the last minute of the processes is written to files, which are loaded as any others,
 * and shown by an app that takes over the state of the one before. Frozen, all minutes that are
 * kept are loaded once, with source maps, which would take too long every second.
 *
 * A profile begins at a whole second of the wall clock: the names of its files tell it exactly. */
#include "config.h"

#include "session/session_live.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/thread.h"
#include "base/units.h"
#include "cli/run.h"
#include "read/load/load.h"
#include "record/recording.h"
#include "record/remote/process.h"
#include "record/remote/ring.h"
#include "session/live_feed.h"
#include "session/session.h"
#include "session/session_host.h"
#include "term/loop.h"
#include "ui/app.h"
#include "ui/chart/live.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MINUTE_US ((int64_t)60 * 1000000)
#define SECOND_US 1000000
/* Between two pictures; chunks of several threads come apart. */
#define MIN_NS (700 * NS_PER_MS)
#define TICK_MS 250 /* between two looks at whether the process answers */
#define LOOK_MS 100
/* For each of these processes, pictures of the list are a second farther apart. */
#define LIST_STEP 16
#define RENDER_NS (5 * NS_PER_S)
#define FIRST_NS NS_PER_S /* in which the first chunk comes, though the time is over */

struct live {
	struct session_host host; /* the first member: callbacks get it */
	struct run *run;
	struct live_feed feed;
	struct wake news; /* chunks, the end, and loads that have ended */
	struct app_live state;
	struct session_shown *shown; /* NULL: nothing yet */
	/* Several processes: what the user has set in the list, while one process is shown. */
	struct app_state list;
	bool is_changing; /* `shown` is of the list, and what comes is not, or the other way round
			   */
	struct event_source events;
	struct jobs *sources;

	/* Files are written by a thread, which has the members until is_written. */
	bool is_writing;
	bool has_writer; /* it is a thread of its own */
	pthread_t writer;
	atomic_bool is_written;
	struct error write_error;

	struct load_options options; /* of `load` */
	struct load *load;           /* NULL: nothing is being loaded */
	struct profile *ready;       /* was loaded, and waits to be shown */
	bool is_stale;               /* `load` is of what is not shown any more */
	bool is_whole;               /* what is written, `load` or `ready` has all that is kept, */
	bool shows_whole;            /* and so has what is shown */
	int64_t now_ns;              /* of `load` or `ready`: for state.now_ns */
	uint64_t n_chunks;           /* when it was begun, */
	int64_t last_us;             /* and the latest sample */
	int64_t begun_ns;
};

/* ---- loading ---- */

static void load_ended(void *ctx)
{
	wake_up(ctx);
}

/* The last whole second of the wall clock before a time. */
static int64_t whole_second(int64_t us)
{
	int64_t past_ns = ring_wall_ns(us) % NS_PER_S;

	return us - past_ns / NS_PER_US;
}

/* Write the last minute, or all that is kept. */
static void *write_files(void *ctx)
{
	struct live *l = ctx;
	int64_t t0, t1;

	if (l->is_whole) {
		t0 = whole_second(live_feed_first_us(&l->feed));
		t1 = l->last_us + 1;
	} else {
		t0 = whole_second(l->last_us - MINUTE_US);
		t1 = t0 + MINUTE_US + SECOND_US;
	}
	l->now_ns = (l->last_us - t0) * NS_PER_US;
	live_feed_write(&l->feed, l->is_whole, t0, t1, &l->write_error);
	atomic_store(&l->is_written, true);
	wake_up(&l->news);
	return NULL;
}

/* Write files on a thread, as the screen must not wait for that; then load_written(). */
static void begin(struct live *l, bool is_whole)
{
	l->n_chunks = live_feed_chunks(&l->feed, &l->last_us);
	l->begun_ns = clock_ns();
	l->state.wants_rest = false;
	l->is_whole = is_whole;
	l->is_writing = true;
	atomic_store(&l->is_written, false);
	l->write_error = (struct error)ERROR_INIT;
	l->has_writer = thread_start_writer(&l->writer, write_files, l);
	if (!l->has_writer)
		write_files(l);
}

/* Wait until the files are written. */
static void end_writing(struct live *l)
{
	if (l->is_writing && l->has_writer)
		pthread_join(l->writer, NULL);
	l->is_writing = false;
	live_feed_take_files(&l->feed);
}

/* Load what was written. */
static void load_written(struct live *l)
{
	const struct error *err = &l->write_error;

	end_writing(l);
	l->run->options.files = l->feed.files;
	l->run->options.n_files = l->feed.n_files;
	if (err->kind != ERR_NONE || l->feed.n_files == 0) {
		if (err->kind != ERR_NONE && l->shown)
			app_say(l->shown->app, true, err->text, strlen(err->text));
		else if (err->kind != ERR_NONE)
			run_complain(l->run, err->text);
		live_feed_remove_files(&l->feed);
		return;
	}
	if (!run_load_options(l->run, &l->options))
		return;
	l->options.has_previews = false;
	/* The minute begins long before the first seconds of a recording: that is no stray time. */
	l->options.keeps_strays = true;
	l->options.maps.is_off |= !l->is_whole;
	l->options.ended = load_ended;
	l->options.ended_ctx = &l->news;
	l->load = load_begin(&l->options);
}

/* Loading has ended. What could not be read is told by the next one. */
static void finish(struct live *l)
{
	struct load_result result;

	load_take(l->load, &result);
	load_free(l->load);
	l->load = NULL;
	live_feed_remove_files(&l->feed);
	if (l->is_stale) {
		profile_free(result.profile);
		result.profile = l->ready;
	} else {
		profile_free(l->ready);
	}
	l->ready = result.profile;
	if (!result.profile && l->shown && !l->is_stale)
		app_say(l->shown->app, true, buf_text(&result.messages), result.messages.len);
	l->is_stale = false;
	buf_done(&result.messages);
}

/* ---- showing ---- */

static const char frozen[] =
	"frozen: everything works as with a file; p goes on, :save FILE keeps it";

static const char ended[] = "the process has ended; its last minutes stay here";

/* What was said stays until the next key, though there is another app. */
static void keep_message(const struct app *before, struct app *next)
{
	bool is_warning, ignored;
	const char *text = app_message(before, &is_warning);

	if (*text && !*app_message(next, &ignored))
		app_say(next, is_warning, text, strlen(text));
}

/* Say what the recording had to say meanwhile. */
static void tell_note(struct live *l, struct app *app)
{
	pthread_mutex_lock(&l->feed.lock);
	if (l->feed.note.len)
		app_say(app, true, l->feed.note.data, l->feed.note.len);
	buf_clear(&l->feed.note);
	pthread_mutex_unlock(&l->feed.lock);
}

/* How the header calls what is shown. */
static void find_title(struct live *l)
{
	const struct live_feed *f = &l->feed;
	uint32_t i = f->is_many ? f->shown : 0;
	BUF_LOCAL title = { 0 };

	if (i == LIVE_ALL)
		buf_adds(&title, "live: processes");
	else
		text_visible(&title, f->lives[i].name, strlen(f->lives[i].name));
	snprintf(l->state.title, sizeof l->state.title, "%s", buf_text(&title));
}

/* The list gives way to a process, or the other way round: *state is of the one, and becomes that
 * of the other. */
static void change(struct live *l, struct app_state *state)
{
	struct app_state before = *state;
	int rows = state->rows, cols = state->cols;

	l->state = (struct app_live){ .is_moving = true,
				      .length_ns = LIVE_NS,
				      .sort = 1,
				      .now_ns = l->state.now_ns,
				      .is_list = l->feed.shown == LIVE_ALL,
				      .has_list = l->feed.shown != LIVE_ALL };
	find_title(l);
	if (l->state.is_list) {
		*state = l->list;
		app_state_done(&before);
		l->list = (struct app_state){ 0 };
	} else {
		*state = (struct app_state){ 0 };
		app_state_done(&l->list);
		l->list = before;
	}
	/* The screen is the same one. */
	state->rows = rows;
	state->cols = cols;
}

/* What the user has asked for: a process of the list, or the list. */
static void follow(struct live *l)
{
	uint32_t to = l->state.enters ? live_feed_find(&l->feed, l->state.enters) : LIVE_ALL;

	if (!l->feed.is_many || l->is_writing || !(l->state.enters || l->state.leaves))
		return;
	if (l->state.leaves || to != LIVE_ALL) {
		live_feed_show(&l->feed, to);
		l->is_changing = (to == LIVE_ALL) != l->state.is_list;
		l->n_chunks = 0;
		if (l->load)
			load_stop(l->load);
		l->is_stale = l->load != NULL;
	}
	profile_free(l->ready);
	l->ready = NULL;
	l->state.enters = 0;
	l->state.leaves = false;
}

/* Show the profile that is ready, with the state of the app before. */
static void show(struct live *l)
{
	struct session_shown *before = l->shown, *next;
	struct app_state state = { 0 };
	struct error why = ERROR_INIT;
	int64_t now_before = l->state.now_ns;
	bool is_change = l->is_changing;

	if (before)
		app_state_get(before->app, &state);
	/* The counters of all begin with the first of them. */
	l->state.now_ns = l->feed.shown == LIVE_ALL && l->feed.is_many ? l->ready->t1 : l->now_ns;
	if (is_change)
		change(l, &state);
	next = session_shown_new(&l->host, l->ready, &l->events, before ? &state : NULL, &why);
	app_state_done(&state);
	l->is_changing = false;
	l->ready = NULL;
	if (!next->app && before) {
		app_say(before->app, true, why.text, strlen(why.text));
		l->state.now_ns = now_before;
		l->run->profile = before->profile;
		session_shown_free(next);
		return;
	}
	if (!next->app)
		run_complain_usage(l->run, "", why.text, "");
	if (before && !is_change)
		keep_message(before->app, next->app);
	if (l->is_whole && !l->shows_whole && next->app) {
		const char *text = l->state.has_ended ? ended : frozen;

		app_say(next->app, l->state.has_ended, text, strlen(text));
	}
	if (next->app)
		tell_note(l, next->app);
	l->shows_whole = l->is_whole;
	l->shown = next;
	session_shown_free(before);
}

/* Between two pictures of the list: the more processes, the longer. */
static int64_t list_ns(const struct live *l)
{
	return (1 + l->feed.n_processes / LIST_STEP) * NS_PER_S;
}

/* What is to be loaded now. */
static bool wants_load(struct live *l, bool *is_whole)
{
	int64_t last_us;

	*is_whole = !l->state.is_moving;
	if (l->is_writing || l->load || l->ready)
		return false;
	/* Nothing of what is to be shown is there yet. */
	if (l->is_changing && live_feed_chunks(&l->feed, &last_us) == 0)
		return false;
	*is_whole &= !l->is_changing;
	if (*is_whole)
		return !l->shows_whole || l->state.wants_rest;
	/* After it was frozen at once; otherwise when there is more. */
	return l->shows_whole ||
		(live_feed_chunks(&l->feed, &last_us) > l->n_chunks &&
		 clock_ns() - l->begun_ns >= (l->state.is_list ? list_ns(l) : MIN_NS));
}

static void tell_silence(struct live *l, char out[sizeof l->state.silence])
{
	/* Rows of the list tell it of theirs. */
	int64_t silence = l->feed.is_many ? 0 : record_silence(l->feed.record);

	out[0] = '\0';
	if (silence > RECORDING_SILENT_NS)
		snprintf(out, sizeof l->state.silence, "no answer since %.1f s",
			 (double)silence / (double)NS_PER_S);
}

static bool is_settled(const struct live *l)
{
	return app_is_settled(l->shown->app);
}

/* Whether step() has something to do. */
static bool has_next(void *ctx)
{
	struct live *l = ctx;
	char silence[sizeof l->state.silence];
	bool is_whole;

	if (!l->shown || !l->shown->app)
		return false;
	tell_silence(l, silence);
	return strcmp(silence, l->state.silence) != 0 || (l->load && load_wait(l->load, 0)) ||
		(l->is_writing && atomic_load(&l->is_written)) || wants_load(l, &is_whole) ||
		(is_settled(l) &&
		 (l->ready || session_host_is_changed(&l->host) || l->state.enters ||
		  l->state.leaves || (!l->state.has_ended && live_feed_is_over(&l->feed)))) ||
		wake_has_news(&l->news);
}

static struct app *step(void *ctx, struct app *now, bool *is_loading)
{
	struct live *l = ctx;
	bool is_whole;

	(void)now;
	*is_loading = false;
	wake_forget(&l->news);
	tell_silence(l, l->state.silence);
	if (is_settled(l) && session_host_is_changed(&l->host))
		l->shown = session_shown_again(&l->host, l->shown, &l->events);
	if (l->is_writing && atomic_load(&l->is_written))
		load_written(l);
	if (l->load && load_wait(l->load, 0))
		finish(l);
	if (!l->is_writing)
		live_feed_look(&l->feed);
	follow(l);
	/* What the user has frozen meanwhile stays. */
	if (l->ready && l->is_whole == l->state.is_moving && !l->is_changing) {
		profile_free(l->ready);
		l->ready = NULL;
	}
	if (l->ready && is_settled(l))
		show(l);
	if (!l->state.has_ended && is_settled(l) && !l->is_changing &&
	    live_feed_is_over(&l->feed)) {
		/* The processes have ended: what is kept of them stays. */
		if (l->state.is_moving)
			app_command(l->shown->app, CMD_FREEZE, 1);
		l->state.has_ended = true;
		app_say(l->shown->app, true, ended, strlen(ended));
	}
	if (wants_load(l, &is_whole))
		begin(l, is_whole);
	return l->shown->app;
}

/* ---- the whole ---- */

/* Load the last minute or all that is kept, and show it. */
static void load_now(struct live *l, bool is_whole)
{
	begin(l, is_whole);
	load_written(l);
	if (!l->load)
		return;
	while (!load_wait(l->load, LOOK_MS))
		;
	finish(l);
	if (l->ready)
		show(l);
}

/* Wait for the first profile. duration_ns: of a picture that is printed; 0: the user stops it. When
 * it is over without a profile, the recording is ended, which gives what there is. False: there
 * will be none, and the user was told why. */
static bool wait_for_first(struct live *l, int64_t duration_ns)
{
	bool is_tty = isatty(STDERR_FILENO), has_ended = false, is_stopped = false;
	int64_t last_us, until = clock_ns() + duration_ns;

	while (!has_ended && (live_feed_chunks(&l->feed, &last_us) == 0 || clock_ns() < until)) {
		int64_t began = record_began(l->feed.record);

		if (duration_ns > 0 && began > 0 && !is_stopped &&
		    clock_ns() >= began + duration_ns + FIRST_NS) {
			wake_up(&l->feed.recording.cancel);
			is_stopped = true;
		}
		if (is_tty)
			fprintf(stderr, "\r\033[Kflametty: %s",
				began == 0 ? "opening the inspector"
					   : "waiting for the first second");
		poll(&(struct pollfd){ .fd = wake_fd(&l->news), .events = POLLIN }, 1, LOOK_MS);
		wake_forget(&l->news);
		has_ended = record_is_done(l->feed.record);
	}
	if (is_tty)
		fprintf(stderr, "\r\033[K");
	if (live_feed_chunks(&l->feed, &last_us) == 0)
		return false;
	if (duration_ns > 0 && !l->feed.is_many) {
		/* What is printed and what is saved after it are about the same time. */
		pthread_mutex_lock(&l->feed.rings_lock);
		l->feed.is_over = true;
		pthread_mutex_unlock(&l->feed.rings_lock);
	}
	load_now(l, false);
	return l->shown && l->shown->app;
}

static bool save(void *ctx, const char *path, bool is_forced, struct buf *said)
{
	struct live *l = ctx;

	return live_feed_save(&l->feed, path, is_forced, said);
}

/* After a key: what it asks for is loaded before the next one. What was recorded meanwhile is not,
 * so that the picture stands still. */
static struct app *play_on(void *ctx, struct app *now)
{
	struct live *l = ctx;

	(void)now;
	follow(l);
	if (l->is_changing) {
		int64_t last_us;

		while (live_feed_chunks(&l->feed, &last_us) == 0 && !live_feed_is_over(&l->feed))
			poll(NULL, 0, LOOK_MS);
		load_now(l, false);
	}
	if (session_host_is_changed(&l->host))
		l->shown = session_shown_again(&l->host, l->shown, &l->events);
	if (l->shown->app && (l->state.wants_rest || l->shows_whole == l->state.is_moving))
		load_now(l, !l->state.is_moving);
	return l->shown->app;
}

static void no_progress(void *ctx, struct progress *progress, const char **name)
{
	(void)ctx;
	(void)progress;
	*name = "";
}

static void no_stop(void *ctx)
{
	(void)ctx;
}

static void interact(struct live *l)
{
	bool is_ascii = l->run->options.is_ascii || l->run->charset == CHARSET_ASCII;
	struct error err = ERROR_INIT;

	if (!term_open(&l->run->term, &err)) {
		run_complain(l->run, err.text);
		return;
	}
	term_wake_on(wake_fd(&l->news));
	loop_run(&(struct loop_feed){ .next = step,
				      .has_next = has_next,
				      .progress = no_progress,
				      .stop = no_stop,
				      .ctx = l,
				      .is_ascii = is_ascii,
				      .tick_ms = TICK_MS });
	term_close();
	session_host_print_copied();
}

static void end_loading(struct live *l)
{
	if (l->is_writing)
		end_writing(l);
	if (!l->load)
		return;
	load_stop(l->load);
	while (!load_wait(l->load, LOOK_MS))
		;
	finish(l);
}

static void run_live(struct run *run)
{
	bool is_rendered = run->options.render_cols > 0;
	struct live l = { .run = run,
			  .news = { -1, -1 },
			  .state = { .is_moving = true, .length_ns = LIVE_NS, .sort = 1 } };
	int64_t duration_ns = 0;

	if (!wake_open(&l.news)) {
		run_complain(run, "no file descriptors are left");
		return;
	}
	if (live_feed_start(&l.feed, run, &l.news)) {
		if (is_rendered)
			duration_ns = l.feed.duration_ns > 0 ? l.feed.duration_ns : RENDER_NS;
		find_title(&l);
		l.state.is_list = l.feed.is_many;
		session_host_init(&l.host, run);
		session_host_start(&l.host);
		l.host.host.save = save;
		l.host.live = &l.state;
		l.sources = run_source_reader(run, false);
		l.host.sources = source_reader_host(l.sources);
		if (wait_for_first(&l, duration_ns)) {
			if (is_rendered) {
				const struct options *o = &l.run->options;

				app_resize(l.shown->app, o->render_rows, o->render_cols);
				if (session_shown_play(l.shown, l.run,
						       &(struct script_feed){ play_on, &l }) &&
				    l.shown->app)
					session_shown_print(l.shown, l.run);
			} else {
				interact(&l);
			}
		} else if (run->status == EXIT_OK) {
			run_complain(run, "nothing was recorded");
		}
		end_loading(&l);
	}
	live_feed_stop(&l.feed);
	/* As in session_interact(): a thread that reads may never end. */
	if (l.sources && jobs_are_busy(l.sources)) {
		fflush(NULL);
		_exit(run->status);
	}
	profile_free(l.ready);
	app_state_done(&l.list);
	session_shown_free(l.shown);
	if (l.sources)
		session_host_done(&l.host);
	jobs_free(l.sources);
	wake_close(&l.news);
	run->options.files = NULL;
	run->options.n_files = 0;
	run->profile = NULL;
}

void session_live(struct run *run)
{
	if (run->options.n_files == 0 && !run->options.is_all_node)
		recording_processes_list(run);
	else if (!run->is_interactive && !run->options.render_cols)
		run_complain_usage(run, "live needs a terminal; flametty attach records without",
				   "", "");
	else
		run_live(run);
}
