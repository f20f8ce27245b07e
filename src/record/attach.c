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

#include "base/alloc.h"
#include "base/clock.h"
#include "base/sink.h"
#include "base/text.h"
#include "base/thread.h"
#include "base/units.h"
#include "cli/run.h"
#include "record/remote/locate.h"
#include "record/remote/record.h"
#include "record/remote/versions.h"

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

static void record(struct run *run, struct attach *attach, struct record_process *processes,
		   uint32_t n, struct record_options *o);

/* ==== attach names ====
 *
 * All processes are read once; then arguments are compared with them. */

#define PROC "/proc"
#define MEASURE_MS 250 /* of processor time */

struct processes {
	struct process *list;
	size_t n;
};

static void read_all(struct processes *all)
{
	pid_t *pids;
	size_t n = process_list(PROC, &pids);

	*all = (struct processes){ .list = xcalloc(n, sizeof *all->list) };
	for (size_t i = 0; i < n; i++) {
		struct error err = ERROR_INIT;
		struct process *p = &all->list[all->n];

		if (pids[i] != getpid() && process_read(PROC, pids[i], p, &err) && !p->is_zombie)
			all->n++;
		else if (pids[i] != getpid())
			process_done(p);
	}
	free(pids);
}

static void free_all(struct processes *all)
{
	for (size_t i = 0; i < all->n; i++)
		process_done(&all->list[i]);
	free(all->list);
}

static struct process *find_pid(const struct processes *all, pid_t pid)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->list[i].pid == pid)
			return &all->list[i];
	return NULL;
}

/* ---- arguments ---- */

struct found {
	struct record_process *list;
	uint32_t n;
};

static void add_pid(struct found *found, pid_t pid)
{
	for (uint32_t i = 0; i < found->n; i++)
		if (found->list[i].pid == pid)
			return;
	found->list = xrealloc(found->list, (size_t)found->n + 1, sizeof *found->list);
	found->list[found->n++] = (struct record_process){ .pid = pid, .err = ERROR_INIT };
}

/* `127.0.0.1:9222`, `localhost:9222`, `[::1]:9222` */
static bool add_address(struct found *found, const char *word)
{
	const char *colon = strrchr(word, ':');
	struct record_process p = { .err = ERROR_INIT };
	size_t len = colon ? (size_t)(colon - word) : 0;
	char *end;
	long port = colon ? strtol(colon + 1, &end, 10) : 0;

	if (!colon || len == 0 || *end != '\0' || port < 1 || port > 65535 || len >= sizeof p.host)
		return false;
	if (word[0] == '[' && word[len - 1] == ']') {
		word++;
		len -= 2;
	}
	memcpy(p.host, word, len);
	if (strcmp(p.host, "localhost") != 0 && strncmp(p.host, "127.", 4) != 0 &&
	    strcmp(p.host, "::1") != 0)
		return false;
	p.port = (int)port;
	found->list = xrealloc(found->list, (size_t)found->n + 1, sizeof *found->list);
	found->list[found->n++] = p;
	return true;
}

/* Whether a word of the command line is `name`, or a path that ends with it. */
static bool has_word(const struct process *p, const char *name)
{
	const char *text = buf_text(&p->command), *at = text;
	size_t len = strlen(name);

	while ((at = strstr(at, name))) {
		bool begins = at == text || at[-1] == ' ' || at[-1] == '/';
		bool ends = at[len] == '\0' || at[len] == ' ';

		if (begins && ends)
			return true;
		at++;
	}
	return false;
}

static bool is_javascript(const struct process *p)
{
	return p->runtime != RUNTIME_NONE && p->runtime != RUNTIME_CHROMIUM;
}

static bool add_name(struct run *run, const struct processes *all, const char *name,
		     struct found *found)
{
	struct buf list = { 0 };
	const struct process *match = NULL;
	int n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct process *p = &all->list[i];

		if (!is_javascript(p) || !has_word(p, name))
			continue;
		match = p;
		buf_addf(&list, "%s%d", n++ > 0 ? ", " : "", (int)p->pid);
	}
	if (n == 1) {
		add_pid(found, match->pid);
	} else {
		struct buf text = { 0 };

		text_visible(&text, name, strlen(name));
		if (n > 1)
			buf_addf(&text, " means %d processes: %s", n, buf_text(&list));
		else
			buf_adds(&text,
				 ": no JavaScript process has this word in its command "
				 "line (flametty attach lists them)");
		run_complain(run, buf_text(&text));
		buf_done(&text);
	}
	buf_done(&list);
	return n == 1;
}

static bool is_among(const pid_t *list, size_t n, pid_t pid)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == pid)
			return true;
	return false;
}

/* The process and all that it has started that run JavaScript. The processes were not read at one
 * time: a number that was used again meanwhile may make its process its own ancestor. */
static void add_tree(const struct processes *all, pid_t pid, struct found *found)
{
	pid_t *tree = xmalloc((all->n + 1) * sizeof *tree);
	size_t n = 0;

	tree[n++] = pid;
	for (size_t at = 0; at < n; at++) {
		const struct process *own = find_pid(all, tree[at]);

		if (own && is_javascript(own))
			add_pid(found, own->pid);
		for (size_t i = 0; i < all->n; i++)
			if (all->list[i].parent == tree[at] && !is_among(tree, n, all->list[i].pid))
				tree[n++] = all->list[i].pid;
	}
	free(tree);
}

static bool add_argument(struct run *run, const struct processes *all, const char *word,
			 struct found *found)
{
	char *end;
	long pid = strtol(word, &end, 10);

	if (end == word || *end != '\0')
		return add_address(found, word) || add_name(run, all, word, found);
	if (pid < 1 || pid > INT32_MAX || !find_pid(all, (pid_t)pid)) {
		struct buf text = { 0 };

		buf_addf(&text, "there is no process %ld", pid);
		run_complain(run, buf_text(&text));
		buf_done(&text);
		return false;
	}
	if (run->options.is_tree)
		add_tree(all, (pid_t)pid, found);
	else
		add_pid(found, (pid_t)pid);
	return true;
}

bool attach_names_find(struct run *run, struct record_process **processes, uint32_t *n)
{
	struct found found = { 0 };
	struct processes all;
	bool is_good = true;

	read_all(&all);
	for (int i = 0; i < run->options.n_files && is_good; i++)
		is_good = add_argument(run, &all, run->options.files[i], &found);
	free_all(&all);
	if (is_good && found.n == 0) {
		run_complain(run, "none of these processes runs JavaScript");
		is_good = false;
	}
	*processes = found.list;
	*n = found.n;
	return is_good;
}

/* ---- the list ---- */

struct listing {
	struct processes before, after; /* MEASURE_MS apart */
	struct versions versions;
	struct buf out;
	pid_t holder; /* of the port that SIGUSR1 opens; 0: it is free */
};

/* Whether the inspector is open already: *port is where. */
static bool is_open(const struct process *p, int *port)
{
	struct locate_place place = locate_begin(PROC, p);
	struct locate_search search = { .proc = PROC, .process = p, .cancel_fd = -1 };
	struct error err = ERROR_INIT;
	struct buf title = { 0 };
	bool is = locate_process(&search, &place, &title, &err);

	*port = place.port;
	buf_done(&title);
	return is;
}

static const char *refusal(const struct process *p)
{
	int ports[PORTS_MAX];

	if (p->uid != geteuid() && geteuid() != 0)
		return "it belongs to another user";
	if (ports_of(PROC, p, ports) < 0)
		return "its descriptors may not be read";
	if (p->is_other_netns && geteuid() != 0)
		return "it is in another network namespace, which only root may enter";
	return process_refusal(PROC, p);
}

/* The processor time of a process between the two readings, of the time that passed. */
static double share(const struct listing *l, const struct process *p)
{
	const struct process *old = find_pid(&l->before, p->pid);

	if (!old || p->age_seconds <= old->age_seconds)
		return 0;
	return (p->cpu_seconds - old->cpu_seconds) / (p->age_seconds - old->age_seconds);
}

static void add_row(struct listing *l, const struct process *p)
{
	const char *why = refusal(p), *version = versions_find(&l->versions, PROC, p);
	struct buf command = { 0 };
	char runtime[48];
	int port = 0;

	snprintf(runtime, sizeof runtime, "%s%s%s", process_runtime_word(p->runtime),
		 *version ? " " : "", version);
	text_visible(&command, buf_text(&p->command), p->command.len);
	if ((!why || why == process_refusal(PROC, p)) && is_open(p, &port))
		why = NULL;
	buf_addf(&l->out, "%8d  %-16s  %5.1f %%  %-6s  %s\n", (int)p->pid, runtime,
		 share(l, p) * 100, why ? "no" : "yes",
		 p->command.len > 0 ? buf_text(&command) : p->name);
	if (why)
		buf_addf(&l->out, "%8s  no: %s\n", "", why);
	else if (port != 0)
		buf_addf(&l->out, "%8s  its inspector is open at port %d\n", "", port);
	if (!l->holder && !p->is_other_netns)
		l->holder = ports_holder(PROC, p, PROCESS_PORT);
	buf_done(&command);
}

static void add_holder(struct listing *l)
{
	char name[48] = "a process of another user";

	if (l->holder == 0)
		return;
	if (l->holder != PORTS_UNKNOWN)
		snprintf(name, sizeof name, "process %d", (int)l->holder);
	buf_addf(&l->out,
		 "Port %d is held by %s: others open theirs when it is free, or at another one if "
		 "they were started with --inspect-port.\n",
		 PROCESS_PORT, name);
}

void attach_names_list(struct run *run)
{
	struct listing l = { .holder = 0 };
	size_t n = 0;

	read_all(&l.before);
	poll(NULL, 0, MEASURE_MS);
	read_all(&l.after);
	for (size_t i = 0; i < l.after.n; i++) {
		if (!is_javascript(&l.after.list[i]))
			continue;
		if (n++ == 0)
			buf_addf(&l.out, "%8s  %-16s  %7s  %-6s  %s\n", "pid", "runtime", "CPU",
				 "attach", "command line or title");
		add_row(&l, &l.after.list[i]);
	}
	if (n == 0)
		buf_adds(&l.out, "No process runs JavaScript here (node, deno, bun, electron).\n");
	add_holder(&l);
	run_print(run, &l.out);
	buf_done(&l.out);
	versions_done(&l.versions);
	free_all(&l.before);
	free_all(&l.after);
}

/* ==== attach ==== */

#define CHUNK_MS 1000
#define DURATION_NS (10 * NS_PER_S)
#define INTERVAL_COSTLY_US 250
#define HEAP_BYTES 32768
#define HEAP_MIN 1000
#define HEAP_MAX 1000000000
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
	o->chunk_ms = INT_MAX;
	if (!given ||
	    (amount_parse(&bytes, given, 0, &o->heap_bytes) && o->heap_bytes >= HEAP_MIN &&
	     o->heap_bytes <= HEAP_MAX))
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
	o->chunk_ms = CHUNK_MS;
	o->has_workers = given->has_workers;
	if (given->is_heap)
		return find_heap_bytes(run, o);
	if (given->interval &&
	    (!units_parse_time(given->interval, 0, &interval_ns) ||
	     interval_ns < OPTIONS_INTERVAL_MIN_US * NS_PER_US || interval_ns > NS_PER_S)) {
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
