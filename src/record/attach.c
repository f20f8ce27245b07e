/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files are called as Node.js calls them (CPU.DATE.TIME.PID.TID.SEQ.cpuprofile, or with Heap and
 * heapprofile), so that they show which process and thread they are of when they are opened, today
 * or later.
 *
 * SIGINT ends the recording early, and what came is opened. SIGTERM and SIGHUP end it, too; then
 * the program ends by that signal, as soon as the inspectors are closed. A second signal ends the
 * program at once: the guard closes them. */
#include "config.h"

#include "record/attach.h"

#include "record/attach_names.h"

#include "base/alloc.h"
#include "base/amount.h"
#include "base/clock.h"
#include "base/sink.h"
#include "base/text.h"
#include "base/units.h"
#include "base/wake.h"
#include "record/remote/record.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SLICE_MS 1000
#define DURATION_NS (10 * NS_PER_S)
#define INTERVAL_COSTLY_US 250
#define HEAP_BYTES 32768
#define HEAP_LEAST 1000
#define HEAP_MOST 1000000000
#define LOOK_MS 100
#define SILENT_NS (2 * NS_PER_S)

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

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

static void catch_signals(struct sigaction old[ARRAY_LEN(signals)])
{
	/* A second signal has its default action. */
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };

	caught = 0;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		sigaction(signals[i], NULL, &old[i]);
		if (old[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

static void restore_signals(const struct sigaction old[ARRAY_LEN(signals)])
{
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sigaction(signals[i], &old[i], NULL);
}

/* ---- options ---- */

/* --heap: --interval is a number of bytes. */
static bool find_heap_bytes(struct run *run, struct record_options *o)
{
	static const struct amount_unit bytes = { AMOUNT_BYTES, 1 };
	const char *given = run->options.interval;

	o->heap_bytes = HEAP_BYTES;
	o->slice_ms = INT_MAX;
	if (!given ||
	    (amount_parse(&bytes, given, 0, &o->heap_bytes) && o->heap_bytes >= HEAP_LEAST &&
	     o->heap_bytes <= HEAP_MOST))
		return true;
	run_complain_usage(run, "--interval wants a size from 1kB to 1GB with --heap, not '", given,
			   "'");
	return false;
}

bool attach_find_options(struct run *run, struct record_options *o)
{
	const struct options *given = &run->options;
	int64_t interval_ns = OPTIONS_INTERVAL_US * NS_PER_US;

	o->duration_ns = DURATION_NS;
	if (given->duration &&
	    (!units_parse_time(given->duration, 0, &o->duration_ns) || o->duration_ns <= 0)) {
		run_complain_usage(run, "--duration wants a time like 10s, not '", given->duration,
				   "'");
		return false;
	}
	o->slice_ms = SLICE_MS;
	o->has_workers = given->has_workers;
	if (given->is_heap)
		return find_heap_bytes(run, o);
	if (given->interval &&
	    (!units_parse_time(given->interval, 0, &interval_ns) ||
	     interval_ns < OPTIONS_INTERVAL_LEAST_US * NS_PER_US || interval_ns > NS_PER_S)) {
		run_complain_usage(run, "--interval wants a time from 10us to 1s, not '",
				   given->interval, "'");
		return false;
	}
	o->interval_us = interval_ns / NS_PER_US;
	if (o->interval_us < INTERVAL_COSTLY_US)
		run_warn("sampling every %lld us takes a third of the time of a busy process",
			 (long long)o->interval_us);
	return true;
}

/* ---- progress ---- */

static void show_progress(struct record *r, const struct record_options *o, bool is_tty)
{
	int64_t began = record_began(r), silence = record_silence(r);

	if (!is_tty)
		return;
	if (began == 0)
		fprintf(stderr, "\r\033[Kflametty: opening the inspector");
	else if (silence > SILENT_NS)
		fprintf(stderr, "\r\033[Kflametty: recording; no answer since %.1f s (C-c ends it)",
			(double)silence / (double)NS_PER_S);
	else
		fprintf(stderr,
			"\r\033[Kflametty: recording   %.1f s of %.1f s (C-c ends it and opens what came)",
			(double)(clock_ns() - began) / (double)NS_PER_S,
			(double)o->duration_ns / (double)NS_PER_S);
}

static void wait_for_record(struct record *r, const struct record_options *o)
{
	bool is_tty = isatty(STDERR_FILENO);

	while (!record_is_done(r)) {
		show_progress(r, o, is_tty);
		poll(NULL, 0, LOOK_MS);
	}
	if (is_tty)
		fprintf(stderr, "\r\033[K");
}

/* ---- files ---- */

static bool is_folder(const char *path)
{
	struct stat st;

	return path[strlen(path) - 1] == '/' || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

/* Where files go, with a slash; NULL: one file, that of --output. */
static bool find_folder(struct run *run, struct attach *attach, struct buf *folder)
{
	const char *output = run->options.output;
	const char *base = getenv("TMPDIR");

	if (output && *output && !is_folder(output))
		return true;
	if (output && *output) {
		if (mkdir(output, 0777) != 0 && errno != EEXIST) {
			run_complain_output(run, output, &(struct error){ .kind = ERR_IO });
			return false;
		}
		buf_adds(folder, output);
	} else {
		buf_addf(folder, "%s/flametty-XXXXXX", base && *base ? base : "/tmp");
		if (!mkdtemp(folder->data)) {
			struct error err = ERROR_INIT;

			error_errno(&err, errno, "a folder for the recording");
			run_complain_output(run, folder->data, &err);
			return false;
		}
		attach->folder = xstrdup(folder->data);
	}
	if (folder->data[folder->len - 1] != '/')
		buf_addc(folder, '/');
	return true;
}

static void add_file_name(const struct record_process *p, int tid, time_t at, uint32_t number,
			  bool is_heap, struct buf *path)
{
	struct tm local = { 0 };
	char date[32] = "";

	localtime_r(&at, &local);
	strftime(date, sizeof date, "%Y%m%d.%H%M%S", &local);
	buf_addf(path, "%s.%s.%d.%d.%03u.%s", is_heap ? "Heap" : "CPU", date, record_number(p), tid,
		 (unsigned)number, is_heap ? "heapprofile" : "cpuprofile");
}

void attach_file_name(const struct record_process *p, int tid, time_t at, uint32_t number,
		      struct buf *path)
{
	add_file_name(p, tid, at, number, false, path);
}

static bool write_thread(struct run *run, struct attach *attach, const struct record_process *p,
			 const struct record_thread *t, const char *path)
{
	struct error err = ERROR_INIT;
	struct buf name = { 0 };
	struct sink *sink = sink_open(path, run->options.is_forced, &err);

	if (sink) {
		record_name(p, t->title, &name);
		if (t->heap.len) {
			buf_addf(sink_buf(sink), "{%s", buf_text(&name));
			buf_add(sink_buf(sink), t->heap.data + 1, t->heap.len - 1);
		} else {
			join_begin_with(t->join, buf_text(&name));
			join_write(t->join, sink_buf(sink));
		}
		sink_close(sink, &err);
		buf_done(&name);
	}
	if (err.kind != ERR_NONE) {
		run_complain_output(run, path, &err);
		return false;
	}
	attach->files = xrealloc(attach->files, (size_t)attach->n_files + 1, sizeof *attach->files);
	attach->files[attach->n_files++] = xstrdup(path);
	return true;
}

static bool write_files(struct run *run, struct attach *attach, struct record_process *processes,
			uint32_t n)
{
	struct buf folder = { 0 }, path = { 0 };
	bool is_good = find_folder(run, attach, &folder);
	uint32_t number;

	for (uint32_t i = 0; i < n && is_good; i++) {
		number = 1;
		for (uint32_t k = 0; k < processes[i].n_threads && is_good; k++) {
			struct record_thread *t = &processes[i].threads[k];

			if (join_samples(t->join) == 0 && t->heap.len == 0)
				continue;
			buf_clear(&path);
			buf_adds(&path, folder.len > 0 ? folder.data : run->options.output);
			if (folder.len > 0)
				add_file_name(&processes[i], t->tid, time(NULL), number++,
					      t->heap.len > 0, &path);
			is_good = write_thread(run, attach, &processes[i], t, path.data);
		}
	}
	buf_done(&folder);
	buf_done(&path);
	return is_good;
}

/* ---- what happened ---- */

static void name_process(const struct record_process *p, char *out, size_t size)
{
	if (p->pid)
		snprintf(out, size, "process %d", (int)p->pid);
	else
		snprintf(out, size, "%s:%d", p->host, p->port);
}

void attach_tell(struct run *run, const struct record_process *p)
{
	struct buf text = { 0 };
	char name[96];

	name_process(p, name, sizeof name);
	if (p->err.kind != ERR_NONE && p->err.kind != ERR_CANCELLED) {
		buf_addf(&text, "%s: ", name);
		text_visible(&text, p->err.text, strlen(p->err.text));
		run_complain(run, buf_text(&text));
	}
	for (const char *line = buf_text(&p->notes), *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		run_warn("%s: %.*s", name, (int)(end - line), line);
	}
	if (p->is_left_open)
		run_warn("%s: its inspector stays open until the program returns to its loop",
			 name);
	buf_done(&text);
}

/* ---- the whole ---- */

static void record(struct run *run, struct attach *attach, struct record_process *processes,
		   uint32_t n, struct record_options *o)
{
	struct sigaction old[ARRAY_LEN(signals)];
	struct guard guard;
	struct record *r;

	if (!guard_start(&guard))
		run_warn(
			"no process can be started that closes the inspector if this one is killed");
	if (!wake_open(&cancel)) {
		run_complain(run, "no file descriptors are left");
		guard_stop(&guard);
		return;
	}
	o->target = (struct target_options){ "/proc", wake_fd(&cancel), &guard };
	catch_signals(old);
	r = record_start(processes, n, o);
	wait_for_record(r, o);
	record_free(r);
	guard_stop(&guard);
	restore_signals(old);
	wake_close(&cancel);
	if (caught == SIGTERM || caught == SIGHUP)
		attach->signal = caught;
}

bool attach_record(struct run *run, struct attach *attach)
{
	struct record_options o = { 0 };
	struct record_process *processes = NULL;
	uint32_t n = 0;
	bool is_good;

	*attach = (struct attach){ 0 };
	if (run->options.n_files == 0) {
		attach_names_list(run);
		return false;
	}
	is_good = attach_find_options(run, &o) && attach_names_find(run, &processes, &n);
	if (is_good && run->options.output && (n > 1 || o.has_workers) &&
	    !is_folder(run->options.output)) {
		run_complain_usage(run, "several threads need a folder: --output ",
				   run->options.output, "/");
		is_good = false;
	}
	if (is_good && run->options.output && !is_folder(run->options.output) &&
	    !run->options.is_forced && access(run->options.output, F_OK) == 0) {
		struct error err = ERROR_INIT;

		error_errno(&err, EEXIST, "cannot write");
		run_complain_output(run, run->options.output, &err);
		is_good = false;
	}
	if (is_good) {
		record(run, attach, processes, n, &o);
		for (uint32_t i = 0; i < n; i++)
			attach_tell(run, &processes[i]);
		is_good = write_files(run, attach, processes, n);
		if (is_good && attach->n_files == 0 && run->status == EXIT_OK)
			run_complain(run, "nothing was recorded");
	}
	for (uint32_t i = 0; i < n; i++)
		record_process_done(&processes[i]);
	free(processes);
	run->options.files = attach->files;
	run->options.n_files = attach->n_files;
	return is_good && attach->n_files > 0 && attach->signal == 0;
}

void attach_done(struct attach *attach)
{
	for (int i = 0; i < attach->n_files; i++) {
		if (attach->folder)
			unlink(attach->files[i]);
		free(attach->files[i]);
	}
	free(attach->files);
	if (attach->folder)
		rmdir(attach->folder);
	free(attach->folder);
	if (attach->signal)
		raise(attach->signal);
}
