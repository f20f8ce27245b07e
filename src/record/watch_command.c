/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The main thread waits for news of the processes, each of which a thread records. A signal cancels
 * all recordings; their last chunks are still taken. A second signal ends the program at once: the
 * guard closes the inspectors. */
#include "config.h"

#include "record/watch_command.h"

#include "analyse/pattern.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/thread.h"
#include "base/units.h"
#include "cli/options.h"
#include "cli/run.h"
#include "record/recording.h"
#include "record/remote/process.h"
#include "record/watch_process.h"
#include "record/watch_thread.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

struct watch_find {
	struct pattern *pattern; /* borrowed */
	struct watch_find_seen *seen;
	size_t n, cap;
};

struct watch_find_seen {
	pid_t pid;
	uint64_t start_ticks;
	int64_t again_ns; /* INT64_MAX: never */
};

struct watch {
	struct run *run;
	struct watch_settings settings;
	struct watch_process_options options;
	struct watch_files files;
	struct watch_limit limit;
	struct watch_find find;
	struct recording recording;
	struct wake news;
	struct watch_process **processes;
	uint32_t n;
	int64_t looked_ns; /* for processes; 0: never */
	bool is_broken;    /* standard output is closed */
	bool is_repeating; /* errors are about a process that was tried before */
};

static void watch(struct watch *w);

/* ==== watch find ====
 *
 * A process is known by its number and the time of its start: numbers are used again. */

#define PROC "/proc"

static struct watch_find_seen *find_seen(const struct watch_find *f, pid_t pid)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->seen[i].pid == pid)
			return &f->seen[i];
	return NULL;
}

static void remember(struct watch_find *f, const struct process *p)
{
	struct watch_find_seen *seen = find_seen(f, p->pid);

	if (!seen) {
		f->seen = xgrow(f->seen, &f->cap, f->n + 1, sizeof *f->seen);
		seen = &f->seen[f->n++];
	}
	*seen = (struct watch_find_seen){ p->pid, p->start_ticks, INT64_MAX };
}

/* Whether a process is to be returned. */
static bool is_wanted(struct watch_find *f, const struct process *p, int64_t now_ns, bool *is_new)
{
	const struct watch_find_seen *seen = find_seen(f, p->pid);

	if (p->is_zombie || p->runtime == RUNTIME_NONE || p->runtime == RUNTIME_CHROMIUM)
		return false;
	*is_new = !seen || seen->start_ticks != p->start_ticks;
	return (*is_new || now_ns >= seen->again_ns) &&
		pattern_find(f->pattern, buf_text(&p->command), p->command.len, NULL, NULL);
}

/* Forget processes that are no more. pids: ascending. */
static void forget(struct watch_find *f, const pid_t *pids, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->n; i++) {
		size_t k = 0;

		while (k < n && pids[k] != f->seen[i].pid)
			k++;
		if (k < n)
			f->seen[kept++] = f->seen[i];
	}
	f->n = kept;
}

/* Look for the next JavaScript process that matches, and that was not returned before, or is to be
 * tried again; 0: there is none. now_ns: of clock_ns(). is_new: it was not returned before. */
static pid_t watch_find_next(struct watch_find *f, int64_t now_ns, bool *is_new)
{
	pid_t *pids, found = 0;
	size_t n = process_list(PROC, &pids);

	forget(f, pids, n);
	for (size_t i = 0; i < n && found == 0; i++) {
		struct error err = ERROR_INIT;
		struct process p = { 0 };

		if (pids[i] != getpid() && process_read(PROC, pids[i], &p, &err) &&
		    is_wanted(f, &p, now_ns, is_new)) {
			found = p.pid;
			remember(f, &p);
		}
		process_done(&p);
	}
	free(pids);
	return found;
}

/* A process is watched already, and not to be returned. */
static void watch_find_know(struct watch_find *f, pid_t pid)
{
	struct error err = ERROR_INIT;
	struct process p = { 0 };

	if (process_read(PROC, pid, &p, &err))
		remember(f, &p);
	process_done(&p);
}

/* Return a process again at this time, if it is still there. */
static void watch_find_again(struct watch_find *f, pid_t pid, int64_t at_ns)
{
	struct watch_find_seen *seen = find_seen(f, pid);

	if (seen)
		seen->again_ns = at_ns;
}

static void watch_find_done(struct watch_find *f)
{
	free(f->seen);
	*f = (struct watch_find){ 0 };
}

/* ==== watch settings ====
 *
 * What the options of `flametty watch` ask for. */

#define STALL_NS (200 * NS_PER_MS)
#define STALL_MIN_NS (5 * NS_PER_MS)
#define KEEP_NS (30 * NS_PER_S)
#define KEEP_MIN_NS NS_PER_S
#define KEEP_MAX_NS (300 * NS_PER_S)
#define WINDOW_NS (10 * NS_PER_S)
#define WINDOW_MIN_NS NS_PER_S
#define WINDOW_MAX_NS (3600 * NS_PER_S)
#define FILES 20
#define FILES_MAX 1000000

/* A time in [least, most]; a percentage is none. */
static bool parse_time(const char *text, int64_t least, int64_t most, int64_t *ns)
{
	return !strchr(text, '%') && units_parse_time(text, 0, ns) && *ns >= least && *ns <= most;
}

static bool find_stall(struct watch_settings *s, const char *text, struct error *err)
{
	s->stall_ns = STALL_NS;
	if (!text)
		return true;
	if (strcmp(text, "0") == 0) {
		s->stall_ns = INT64_MAX;
		return true;
	}
	return parse_time(text, STALL_MIN_NS, WINDOW_MAX_NS, &s->stall_ns) ||
		error_set(err, ERR_FORMAT, -1,
			  "--stall wants a time from 5ms to 1 hour, or 0 for none, not '%s'", text);
}

/* `40%`, `40%/10s` */
static bool parse_share(const char *text, struct watch_share *share)
{
	char *end;
	double percent = strtod(text, &end);

	if (end == text || *end != '%' || !(percent > 0 && percent <= 100))
		return false;
	share->limit = percent / 100;
	if (end[1] == '\0')
		return true;
	return end[1] == '/' &&
		parse_time(end + 2, WINDOW_MIN_NS, WINDOW_MAX_NS, &share->window_ns);
}

static bool find_share(struct watch_share *share, const char *option, const char *text,
		       struct error *err)
{
	*share = (struct watch_share){ HUGE_VAL, WINDOW_NS };
	return !text || parse_share(text, share) ||
		error_set(
			err, ERR_FORMAT, -1,
			"--%s wants a percentage, as 40%%, or one of a time from 1s to 1 hour, as "
			"40%%/10s, not '%s'",
			option, text);
}

static bool find_most(struct watch_settings *s, const char *text, struct error *err)
{
	char *end;
	long n;

	s->most = FILES;
	if (!text)
		return true;
	n = strtol(text, &end, 10);
	if (end == text || *end != '\0' || n < 0 || n > FILES_MAX)
		return error_set(err, ERR_FORMAT, -1,
				 "--max wants a number of files up to 1000000, not '%s'", text);
	s->most = (uint32_t)n;
	return true;
}

bool watch_settings_find(struct watch_settings *s, const struct options *o, struct error *err)
{
	*s = (struct watch_settings){ .keep_ns = KEEP_NS };
	if (o->keep && !parse_time(o->keep, KEEP_MIN_NS, KEEP_MAX_NS, &s->keep_ns))
		return error_set(err, ERR_FORMAT, -1,
				 "--keep wants a time from 1s to 5min, not '%s'", o->keep);
	if (!recording_find_interval(o, &s->interval_us, NULL, err))
		return false;
	s->is_json = o->format && strcmp(o->format, watch_line_word(1)) == 0;
	return find_stall(s, o->stall, err) && find_share(&s->gc, "gc", o->gc, err) &&
		find_share(&s->busy, "busy", o->busy, err) && find_most(s, o->max_files, err);
}

/* ==== watch command ==== */

#define LOOK_MS 500
#define FIND_NS NS_PER_S             /* between two looks for processes, if none is watched, */
#define FIND_MORE_NS (10 * NS_PER_S) /* and if one is */
#define AGAIN_NS (60 * NS_PER_S)     /* until a process that cannot be watched is tried again */

/* ---- what is printed ---- */

static void on_line(void *ctx, const struct watch_line *line)
{
	struct watch *w = ctx;
	struct buf out = { 0 };

	if (w->settings.is_json)
		watch_line_json(line, &out);
	else
		watch_line_text(line, &out);
	if (!w->is_broken && !run_print(w->run, &out)) {
		w->is_broken = true;
		wake_up(&w->recording.cancel);
	}
	buf_done(&out);
}

static void on_error(void *ctx, const char *text)
{
	struct watch *w = ctx;

	if (!w->is_repeating)
		run_warn("%s", text);
}

/* ---- processes ---- */

static void add_process(struct watch *w, const struct record_process *who)
{
	w->processes = xrealloc(w->processes, (size_t)w->n + 1, sizeof(struct watch_process *));
	w->processes[w->n++] = watch_process_new(&w->options, who);
}

/* Watch processes that have come. */
static void look_for_processes(struct watch *w)
{
	int64_t now = clock_ns();
	bool is_new;
	pid_t pid;

	if (!w->find.pattern ||
	    (w->looked_ns != 0 && now - w->looked_ns < (w->n > 0 ? FIND_MORE_NS : FIND_NS)))
		return;
	while ((pid = watch_find_next(&w->find, now, &is_new)) != 0)
		add_process(w, &(struct record_process){ .pid = pid, .err = ERROR_INIT });
	w->looked_ns = now;
}

static void work(struct watch *w)
{
	bool is_ending = recording_is_cancelled() || w->is_broken;

	for (uint32_t i = 0; i < w->n; i++) {
		struct watch_process *p = w->processes[i];
		enum watch_process_state state = watch_process_work(p, is_ending);

		if (state == WATCH_PROCESS_RUNS)
			continue;
		if (state == WATCH_PROCESS_FAILED) {
			w->run->status = w->find.pattern ? w->run->status : EXIT_FAILED;
			watch_find_again(&w->find, watch_process_pid(p), clock_ns() + AGAIN_NS);
		}
		watch_process_free(p);
		w->processes[i--] = w->processes[--w->n];
		/* The next one may be starting already. */
		w->looked_ns = 0;
	}
}

static void watch(struct watch *w)
{
	for (;;) {
		struct pollfd fd = { .fd = wake_fd(&w->news), .events = POLLIN };

		if (!recording_is_cancelled() && !w->is_broken)
			look_for_processes(w);
		if (w->n == 0 && (recording_is_cancelled() || w->is_broken || !w->find.pattern))
			return;
		poll(&fd, 1, LOOK_MS);
		wake_forget(&w->news);
		work(w);
	}
}

/* ---- the whole ---- */

static void set_options(struct watch *w)
{
	const struct watch_settings *s = &w->settings;

	w->options = (struct watch_process_options){
		.record = { .target = recording_target(&w->recording),
			    .interval_us = s->interval_us,
			    .chunk_ms = RECORDING_CHUNK_MS,
			    .has_workers = w->run->options.has_workers },
		.news = &w->news,
		.thread = { .stall_ns = s->stall_ns,
			    .interval_us = s->interval_us,
			    .keep_ns = s->keep_ns,
			    .gc = s->gc,
			    .busy = s->busy,
			    .maps = run_maps_options(w->run),
			    .files = &w->files,
			    .limit = &w->limit },
		.on_line = on_line,
		.on_error = on_error,
		.ctx = w,
	};
	recording_warn_of_interval(s->interval_us);
}

/* Check the options, and find the processes that are there. */
static bool prepare(struct watch *w, struct record_process **who, uint32_t *n)
{
	struct run *run = w->run;
	const char *folder = run->options.output, *pattern = run->options.command_line;
	struct error err = ERROR_INIT;

	if (!watch_settings_find(&w->settings, &run->options, &err)) {
		run_complain_usage(run, "", err.text, "");
		return false;
	}
	if (run->options.n_files == 0 && !pattern) {
		run_complain_usage(run, "watch needs a process or --command-line", "", "");
		return false;
	}
	if (pattern && !(w->find.pattern = pattern_new(pattern, strlen(pattern), false, &err))) {
		run_complain_usage(run, "--command-line: ", err.text, "");
		return false;
	}
	if (folder && *folder && !watch_files_open(&w->files, folder, w->settings.most, &err)) {
		run_complain_output(run, folder, &err);
		return false;
	}
	return run->options.n_files == 0 || recording_processes_find(run, who, n);
}

static void begin(struct watch *w, const struct record_process *who, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (who[i].pid)
			watch_find_know(&w->find, who[i].pid);
		add_process(w, &who[i]);
	}
}

void watch_command(struct run *run)
{
	struct watch w = { .run = run, .recording = RECORDING_NONE };
	struct record_process *who = NULL;
	uint32_t n = 0;

	if (prepare(&w, &who, &n) && recording_begin(&w.recording, run)) {
		if (wake_open(&w.news)) {
			set_options(&w);
			/* When the reader of the lines is gone, the program ends as after a signal.
			 */
			signal(SIGPIPE, SIG_IGN);
			recording_catch_signals(&w.recording);
			begin(&w, who, n);
			watch(&w);
			wake_close(&w.news);
		} else {
			run_complain(run, "no file descriptors are left");
		}
	}
	recording_end(&w.recording);
	free(who);
	free(w.processes);
	pattern_free(w.find.pattern);
	watch_find_done(&w.find);
	if (recording_fatal_signal())
		raise(recording_fatal_signal());
}
