/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes are recorded for some time, a thread of this program for each; then the files are
 * written into a temporary folder or where the user wants them, and are opened as any others. */
#include "config.h"

#include "record/attach.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/sink.h"
#include "base/units.h"
#include "cli/run.h"
#include "model/metrics.h"
#include "record/metric_log.h"
#include "record/recording.h"
#include "record/remote/join.h"
#include "record/remote/record.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOOK_MS 100

/* ---- files ---- */

/* Find the folder of the files; empty: there is one file, that of --output. */
static bool find_folder(struct run *run, struct attach *attach, struct buf *folder)
{
	const char *output = run->options.output;

	if (output && *output) {
		if (!recording_is_folder(output))
			return true;
		if (mkdir(output, 0777) != 0 && errno != EEXIST) {
			run_complain_output(run, output, &(struct error){ .kind = ERR_IO });
			return false;
		}
		buf_adds(folder, output);
		return true;
	}
	if (!recording_make_folder(NULL, folder))
		return recording_complain(run, folder->data, errno, "a folder for the recording");
	attach->folder = xstrdup(folder->data);
	return true;
}

static void add_file(struct attach *attach, const char *path)
{
	attach->files = xrealloc(attach->files, (size_t)attach->n_files + 1, sizeof *attach->files);
	attach->files[attach->n_files++] = xstrdup(path);
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
	if (err.kind != ERR_NONE)
		return run_complain_output(run, path, &err);
	add_file(attach, path);
	return true;
}

/* Write the requests of all threads to one file. */
static bool write_requests(struct run *run, struct attach *attach,
			   const struct record_process *processes, uint32_t n, const char *folder)
{
	ALLOC_LOCAL struct request_source *sources = NULL;
	size_t n_sources = 0, cap = 0;
	BUF_LOCAL path = { 0 };
	bool is_good;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < processes[i].n_threads; k++) {
			const struct record_thread *t = &processes[i].threads[k];

			if (!t->requests.len)
				continue;
			sources = xgrow(sources, &cap, n_sources + 1, sizeof *sources);
			sources[n_sources++] =
				(struct request_source){ record_number(&processes[i]),
							 t->tid,
							 "",
							 chunk_thread_name(t->title),
							 { t->requests.data, t->requests.len },
							 NULL };
		}
	buf_adds(&path, folder);
	recording_add_slash(&path);
	buf_adds(&path, RECORDING_REQUESTS);
	is_good = !n_sources || request_trace_save(run, sources, n_sources, path.data);
	if (n_sources && is_good)
		add_file(attach, path.data);
	return is_good;
}

/* ---- metrics ---- */

static void take_chunk(void *ctx, uint32_t process, const struct recorder_chunk *chunk)
{
	struct metric_log **logs = ctx;

	if (chunk->thread == 0 && chunk->requests.len)
		metric_log_requests(logs[process], chunk->requests);
	else if (chunk->thread == 0)
		metric_log_chunk(logs[process], chunk->profile);
}

static void take_metrics(void *ctx, uint32_t process, struct str text)
{
	struct metric_log **logs = ctx;

	metric_log_pull(logs[process], text);
}

/* Write what was measured to a file of the folder, if there is something. */
static bool write_metrics(struct run *run, struct attach *attach,
			  const struct record_process *processes, uint32_t n,
			  struct metric_log **logs, const char *folder)
{
	ALLOC_LOCAL struct metric_process *all = xcalloc(n, sizeof *all);
	struct error err = ERROR_INIT;
	BUF_LOCAL path = { 0 };
	struct sink *sink;
	int64_t t0;

	for (uint32_t i = 0; i < n; i++)
		all[i] = (struct metric_process){ .log = logs[i],
						  .pid = record_number(&processes[i]),
						  .role = "",
						  .state = "" };
	t0 = metric_log_first(all, n);
	if (t0 == 0)
		return true;
	buf_adds(&path, folder);
	recording_add_slash(&path);
	buf_adds(&path, METRICS_FILE);
	sink = sink_open(path.data, run->options.is_forced, &err);
	if (sink)
		metric_log_write(all, n, t0, INT64_MAX, sink_buf(sink));
	if (!sink || !sink_close(sink, &err))
		return run_complain_output(run, path.data, &err);
	add_file(attach, path.data);
	return true;
}

/* A line for each process. */
static void tell_metrics(const struct record_process *processes, uint32_t n,
			 struct metric_log **logs)
{
	for (uint32_t i = 0; i < n; i++) {
		BUF_LOCAL line = { 0 };

		metric_log_sum(logs[i], &line);
		if (line.len)
			fprintf(stderr, "flametty: process %d: %s\n", record_number(&processes[i]),
				line.data);
	}
}

static bool write_files(struct run *run, struct attach *attach, struct record_process *processes,
			uint32_t n, struct metric_log **logs)
{
	BUF_LOCAL folder = { 0 }, path = { 0 };
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
				recording_file_name(t->heap.len > 0, time(NULL),
						    record_number(&processes[i]), t->tid, number++,
						    &path);
			is_good = write_thread(run, attach, &processes[i], t, path.data);
		}
	}
	if (is_good && folder.len > 0)
		is_good = write_requests(run, attach, processes, n, folder.data) &&
			(attach->n_files == 0 || (run->options.is_report && attach->folder) ||
			 write_metrics(run, attach, processes, n, logs, folder.data));
	return is_good;
}

/* ---- the whole ---- */

static void record(struct run *run, struct attach *attach, struct record_process *processes,
		   uint32_t n, struct record_options *o)
{
	struct recording recording;
	struct record *r;

	if (recording_begin(&recording, run)) {
		bool is_tty;

		o->target = recording_target(&recording, n);
		recording_catch_signals(&recording);
		r = record_start(processes, n, o);
		is_tty = isatty(STDERR_FILENO);
		while (!record_is_done(r)) {
			int64_t began = record_began(r), silence = record_silence(r);

			if (is_tty) {
				if (began == 0)
					fprintf(stderr, "\r\033[Kflametty: opening the inspector%s",
						n > 1 ? "s" : "");
				else if (silence > RECORDING_SILENT_NS)
					fprintf(stderr,
						"\r\033[Kflametty: recording; no answer since %.1f s (C-c ends it)",
						(double)silence / (double)NS_PER_S);
				else
					fprintf(stderr,
						"\r\033[Kflametty: recording   %.1f s of %.1f s (C-c ends it and opens what came)",
						(double)(clock_ns() - began) / (double)NS_PER_S,
						(double)o->duration_ns / (double)NS_PER_S);
			}
			poll(NULL, 0, LOOK_MS);
		}
		if (is_tty)
			fprintf(stderr, "\r\033[K");
		record_free(r);
		attach->signal = recording_fatal_signal();
	}
	recording_end(&recording);
}

bool attach_record(struct run *run, struct attach *attach)
{
	struct record_options o = { 0 };
	struct record_process *processes = NULL;
	struct metric_log **logs = NULL;
	uint32_t n = 0;
	bool is_good;

	*attach = (struct attach){ 0 };
	if (run->options.n_files == 0 && !run->options.is_all_node) {
		recording_processes_list(run);
		return false;
	}
	is_good = recording_find_options(run, &o) && recording_processes_find(run, &processes, &n);
	if (is_good && run->options.output && (n > 1 || o.has_workers || o.requests) &&
	    !recording_is_folder(run->options.output)) {
		run_complain_usage(run,
				   o.requests ? "--requests needs a folder: --output "
					      : "several threads need a folder: --output ",
				   run->options.output, "/");
		is_good = false;
	}
	if (is_good && run->options.output && !recording_is_folder(run->options.output) &&
	    !run->options.is_forced && access(run->options.output, F_OK) == 0)
		is_good = recording_complain(run, run->options.output, EEXIST, "cannot write");
	if (is_good) {
		logs = xcalloc(n, sizeof(struct metric_log *));
		for (uint32_t i = 0; i < n; i++)
			logs[i] = metric_log_new(0);
		if (!run->options.is_heap) {
			o.on_chunk = take_chunk;
			o.on_metrics = take_metrics;
			o.joins = true;
			o.ctx = logs;
		}
		record(run, attach, processes, n, &o);
		for (uint32_t i = 0; i < n; i++)
			recording_tell(run, &processes[i]);
		is_good = write_files(run, attach, processes, n, logs);
		if (is_good && !run->options.is_report)
			tell_metrics(processes, n, logs);
		if (is_good && attach->n_files == 0 && run->status == EXIT_OK)
			run_complain(run, "nothing was recorded");
	}
	for (uint32_t i = 0; i < n; i++) {
		record_process_done(&processes[i]);
		metric_log_free(logs ? logs[i] : NULL);
	}
	free(logs);
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
