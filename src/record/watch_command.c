/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The main thread waits for news of the processes, each of which a thread records. A signal cancels
 * all recordings; their last slices are still taken. A second signal ends the program at once: the
 * guard closes the inspectors. */
#include "config.h"

#include "record/watch_command.h"

#include "record/attach_names.h"
#include "record/watch_find.h"
#include "record/watch_process.h"
#include "record/watch_settings.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/units.h"
#include "base/wake.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLICE_MS 1000
#define INTERVAL_COSTLY_US 250
#define LOOK_MS 500
#define FIND_NS NS_PER_S             /* between two looks for processes, if none is watched, */
#define FIND_MORE_NS (10 * NS_PER_S) /* and if one is */
#define AGAIN_NS (60 * NS_PER_S)     /* until a process that cannot be watched is tried again */

struct watch {
	struct run *run;
	struct watch_settings settings;
	struct watch_process_options options;
	struct watch_files files;
	struct watch_limit limit;
	struct watch_find find;
	struct guard guard;
	struct wake news;
	struct watch_process **processes;
	uint32_t n;
	int64_t looked_ns; /* for processes; 0: never */
	bool is_broken;    /* standard output is closed */
	bool is_repeating; /* errors are about a process that was tried before */
};

/* ---- signals ---- */

static struct wake cancel;
static volatile sig_atomic_t caught;

static void on_signal(int number)
{
	int saved = errno;

	caught = number;
	wake_up(&cancel);
	errno = saved;
}

static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	/* A second signal has its default action. */
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND }, old;

	/* When the reader of the lines is gone, the program ends as after a signal. */
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		sigaction(signals[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

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
		wake_up(&cancel);
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
	bool is_ending = caught != 0 || w->is_broken;

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

		if (caught == 0 && !w->is_broken)
			look_for_processes(w);
		if (w->n == 0 && (caught != 0 || w->is_broken || !w->find.pattern))
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
		.record = { .target = { "/proc", wake_fd(&cancel), &w->guard },
			    .interval_us = s->interval_us,
			    .slice_ms = SLICE_MS,
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
	if (s->interval_us < INTERVAL_COSTLY_US)
		run_warn("sampling every %lld us takes a third of the time of a busy process",
			 (long long)s->interval_us);
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
	return run->options.n_files == 0 || attach_names_find(run, who, n);
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
	struct watch w = { .run = run };
	struct record_process *who = NULL;
	uint32_t n = 0;

	if (prepare(&w, &who, &n)) {
		if (!guard_start(&w.guard))
			run_warn("no process can be started that closes the inspectors if this one "
				 "is killed");
		if (wake_open(&cancel) && wake_open(&w.news)) {
			set_options(&w);
			catch_signals();
			begin(&w, who, n);
			watch(&w);
			wake_close(&w.news);
		} else {
			run_complain(run, "no file descriptors are left");
		}
		guard_stop(&w.guard);
	}
	free(who);
	free(w.processes);
	pattern_free(w.find.pattern);
	watch_find_done(&w.find);
	if (caught == SIGTERM || caught == SIGHUP)
		raise(caught);
}
