/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SIGINT ends a recording early, and what came is kept. SIGTERM and SIGHUP end it, too; then the
 * program ends by that signal, as soon as the inspectors are closed. A second signal ends the
 * program at once: the guard closes them. */
#include "config.h"

#include "record/recording.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "record/remote/locate.h"
#include "record/remote/process.h"
#include "record/remote/versions.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ==== recording processes ====
 *
 * Which processes are meant: all are read once; then arguments are compared with them. */

#define MEASURE_MS 250 /* of processor time */
#define LOOKS 4        /* after a process has begun */

struct processes {
	struct process *list;
	size_t n;
};

static void read_all(struct processes *all)
{
	pid_t *pids;
	size_t n = process_list(PROCESS_PROC, &pids);

	*all = (struct processes){ .list = xcalloc(n, sizeof *all->list) };
	for (size_t i = 0; i < n; i++) {
		struct error err = ERROR_INIT;
		struct process *p = &all->list[all->n];

		if (pids[i] != getpid() && process_read(PROCESS_PROC, pids[i], p, &err) &&
		    !p->is_zombie)
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

/* Whether a word of the command line, or the last part of a path in it, matches a pattern as the
 * shell has them for names of files. */
static bool matches(const struct process *p, const char *pattern)
{
	ALLOC_LOCAL char *words = xstrdup(buf_text(&p->command));
	char *rest = words, *word;

	while ((word = strsep(&rest, " "))) {
		const char *slash = strrchr(word, '/');

		if (*word &&
		    (fnmatch(pattern, word, 0) == 0 ||
		     (slash && fnmatch(pattern, slash + 1, 0) == 0)))
			return true;
	}
	return false;
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

/* Whether the user may record it. */
static bool is_own(const struct process *p)
{
	return p->uid == geteuid() || geteuid() == 0;
}

static bool is_javascript(const struct process *p)
{
	return p->runtime != RUNTIME_NONE && p->runtime != RUNTIME_CHROMIUM;
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
	ALLOC_LOCAL pid_t *tree = xmalloc((all->n + 1) * sizeof *tree);
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
}

static void add_process(const struct run *run, const struct processes *all, pid_t pid,
			struct found *found)
{
	if (run->options.is_tree)
		add_tree(all, pid, found);
	else
		add_pid(found, pid);
}

static bool add_name(struct run *run, const struct processes *all, const char *name,
		     struct found *found)
{
	BUF_LOCAL list = { 0 };
	const struct process *match = NULL;
	bool is_pattern = strpbrk(name, "*?[");
	int n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct process *p = &all->list[i];

		if (!is_javascript(p) || !(is_pattern ? matches(p, name) : has_word(p, name)))
			continue;
		match = p;
		buf_addf(&list, "%s%d", n++ > 0 ? ", " : "", (int)p->pid);
		if (is_pattern)
			add_process(run, all, p->pid, found);
	}
	if (n == 1) {
		add_process(run, all, match->pid, found);
	} else if (n == 0 || !is_pattern) {
		BUF_LOCAL text = { 0 };

		text_visible(&text, name, strlen(name));
		if (n > 1)
			buf_addf(&text, " means %d processes: %s", n, buf_text(&list));
		else
			buf_adds(&text,
				 ": no JavaScript process has this word in its command "
				 "line (flametty attach lists them)");
		run_complain(run, buf_text(&text));
	}
	return n == 1 || (n > 1 && is_pattern);
}

static bool add_argument(struct run *run, const struct processes *all, const char *word,
			 struct found *found)
{
	char *end;
	long pid = strtol(word, &end, 10);

	if (end == word || *end != '\0')
		return add_address(found, word) || add_name(run, all, word, found);
	if (pid < 1 || pid > INT32_MAX || !find_pid(all, (pid_t)pid)) {
		BUF_LOCAL text = { 0 };

		buf_addf(&text, "there is no process %ld", pid);
		return run_complain(run, buf_text(&text));
	}
	add_process(run, all, (pid_t)pid, found);
	return true;
}

/* Whether the files that the processes name are those that the user's own programs read: all are on
 * this machine, and of the user. watch and live of root may meet others later. */
static bool is_of_user(const struct run *run, const struct processes *all,
		       const struct found *found)
{
	enum program_command command = run->options.command;

	if (geteuid() == 0 && (command == COMMAND_WATCH || command == COMMAND_LIVE))
		return false;
	for (uint32_t i = 0; i < found->n; i++) {
		const struct process *p = find_pid(all, found->list[i].pid);

		if (!p || p->uid != geteuid())
			return false;
	}
	return true;
}

/* The files of processes in another mount namespace, as those of a container, are below
 * /proc/PID/root. What --map says comes first. Nothing is moved if not all have one namespace. Of
 * the user's processes in the namespace of this one, all files may be read. */
static void find_files(struct run *run, const struct processes *all, const struct found *found)
{
	static char moves[] = "/=" PROCESS_PROC "/4294967295/root/";
	struct option_list *list = &run->options.map_moves;
	BUF_LOCAL own = { 0 };
	BUF_LOCAL first = { 0 };

	if (!proc_file_link(PROCESS_PROC, getpid(), "ns/mnt", &own))
		return;
	for (uint32_t i = 0; i < found->n; i++) {
		BUF_LOCAL other = { 0 };

		if (!proc_file_link(PROCESS_PROC, found->list[i].pid, "ns/mnt",
				    i ? &other : &first))
			return;
		if (i && strcmp(buf_text(&other), buf_text(&first)) != 0)
			return;
	}
	if (run->rules && strcmp(buf_text(&own), buf_text(&first)) == 0)
		run->rules->is_own = is_of_user(run, all, found);
	if (strcmp(buf_text(&own), buf_text(&first)) == 0 || list->n == OPTION_STEPS_MAX)
		return;
	snprintf(moves, sizeof moves, "/=" PROCESS_PROC "/%d/root/", (int)found->list[0].pid);
	list->items[list->n++] = moves;
}

bool recording_processes_find(struct run *run, struct record_process **processes, uint32_t *n)
{
	struct found found = { 0 };
	struct processes all;
	bool is_good = true;

	read_all(&all);
	for (size_t i = 0; i < all.n && run->options.is_all_node; i++)
		if (is_javascript(&all.list[i]) && is_own(&all.list[i]))
			add_pid(&found, all.list[i].pid);
	for (int i = 0; i < run->options.n_files && is_good; i++)
		is_good = add_argument(run, &all, run->options.files[i], &found);
	if (is_good && found.n == 0) {
		run_complain(run, "none of these processes runs JavaScript");
		is_good = false;
	}
	if (is_good)
		find_files(run, &all, &found);
	free_all(&all);
	*processes = found.list;
	*n = found.n;
	return is_good;
}

/* Whether there is a process that the look before has not seen. */
static bool has_new(struct recording_seen *seen)
{
	pid_t *pids;
	size_t n = process_list(PROCESS_PROC, &pids), at = 0;
	bool is = false;

	for (size_t i = 0; i < n; i++) {
		while (at < seen->n && seen->pids[at] < pids[i])
			at++;
		is |= at == seen->n || seen->pids[at] != pids[i];
	}
	free(seen->pids);
	seen->pids = pids;
	seen->n = n;
	return is;
}

void recording_processes_more(struct run *run, struct recording_seen *seen,
			      struct record_process **processes, uint32_t *n)
{
	const struct options *o = &run->options;
	struct found found = { 0 };
	struct processes all;

	*processes = NULL;
	*n = 0;
	seen->looks = has_new(seen) ? LOOKS : seen->looks - (seen->looks > 0);
	if (seen->looks == 0)
		return;
	read_all(&all);
	for (size_t i = 0; i < all.n; i++) {
		const struct process *p = &all.list[i];
		bool is_meant = o->is_all_node && is_own(p);

		for (int k = 0; k < seen->n_words && !is_meant; k++)
			is_meant = strpbrk(seen->words[k], "*?[") && matches(p, seen->words[k]);
		if (is_meant && is_javascript(p))
			add_process(run, &all, p->pid, &found);
	}
	for (int k = 0; k < seen->n_words && o->is_tree; k++)
		if (seen->words[k][strspn(seen->words[k], "0123456789")] == '\0')
			add_tree(&all, (pid_t)strtol(seen->words[k], NULL, 10), &found);
	free_all(&all);
	*processes = found.list;
	*n = found.n;
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
	struct locate_place place = locate_begin(PROCESS_PROC, p);
	struct locate_search search = { .proc = PROCESS_PROC, .process = p, .cancel_fd = -1 };
	struct error err = ERROR_INIT;
	BUF_LOCAL title = { 0 };
	bool is = locate_process(&search, &place, &title, &err);

	*port = place.port;
	return is;
}

static const char *refusal(const struct process *p)
{
	int ports[PORTS_MAX];

	if (!is_own(p))
		return "it belongs to another user";
	if (ports_of(PROCESS_PROC, p, ports) < 0)
		return "its descriptors may not be read";
	if (p->is_other_netns && geteuid() != 0)
		return "it is in another network namespace, which only root may enter";
	return process_refusal(PROCESS_PROC, p);
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
	const char *why = refusal(p), *version = versions_find(&l->versions, PROCESS_PROC, p);
	BUF_LOCAL command = { 0 };
	char runtime[48];
	int port = 0;

	snprintf(runtime, sizeof runtime, "%s%s%s", process_runtime_word(p->runtime),
		 *version ? " " : "", version);
	text_visible(&command, buf_text(&p->command), p->command.len);
	if ((!why || why == process_refusal(PROCESS_PROC, p)) && is_open(p, &port))
		why = NULL;
	buf_addf(&l->out, "%8d  %-16s  %5.1f %%  %-6s  %s\n", (int)p->pid, runtime,
		 share(l, p) * 100, why ? "no" : "yes",
		 p->command.len > 0 ? buf_text(&command) : p->name);
	if (why)
		buf_addf(&l->out, "%8s  no: %s\n", "", why);
	else if (port != 0)
		buf_addf(&l->out, "%8s  its inspector is open at port %d\n", "", port);
	if (!l->holder && !p->is_other_netns)
		l->holder = ports_holder(PROCESS_PROC, p, PROCESS_PORT);
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

void recording_processes_list(struct run *run)
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

/* ==== recording ==== */

#define DURATION_NS (10 * NS_PER_S)
#define INTERVAL_COSTLY_US 250
#define HEAP_BYTES 32768
#define HEAP_MIN 1000
#define HEAP_MAX 1000000000

/* ---- options ---- */

bool recording_find_interval(const struct options *o, int64_t *interval_us, int64_t *heap_bytes,
			     struct error *err)
{
	static const struct amount_unit unit = { AMOUNT_BYTES, 1 };
	const char *text = o->interval;
	int64_t ns = OPTIONS_INTERVAL_US * NS_PER_US;

	if (heap_bytes && o->is_heap) {
		*heap_bytes = HEAP_BYTES;
		return !text ||
			(amount_parse(&unit, text, 0, heap_bytes) && *heap_bytes >= HEAP_MIN &&
			 *heap_bytes <= HEAP_MAX) ||
			error_set(err, ERR_FORMAT, -1,
				  "--interval wants a size from 1kB to 1GB with --heap, not '%s'",
				  text);
	}
	if (text &&
	    (!units_parse_time(text, 0, &ns) || ns < OPTIONS_INTERVAL_MIN_US * NS_PER_US ||
	     ns > NS_PER_S))
		return error_set(err, ERR_FORMAT, -1,
				 "--interval wants a time from 10us to 1s, not '%s'", text);
	*interval_us = ns / NS_PER_US;
	return true;
}

void recording_warn_of_interval(int64_t interval_us)
{
	if (interval_us < INTERVAL_COSTLY_US)
		run_warn("sampling every %lld us takes a third of the time of a busy process",
			 (long long)interval_us);
}

const char *recording_requests(const struct options *options)
{
	static const char *const settings[] = {
		"{cpu:1",
		"{cpu:1,sockets:1",
		"{cpu:1,files:1",
		"{cpu:1,sockets:1,files:1",
		"{cpu:1,query:1",
		"{cpu:1,query:1,sockets:1",
		"{cpu:1,query:1,files:1",
		"{cpu:1,query:1,sockets:1,files:1",
	};

	return options->has_requests || options->has_sockets || options->has_jobs
		? settings[options->has_sockets + 2 * options->has_jobs + 4 * options->has_query]
		: NULL;
}

bool recording_find_options(struct run *run, struct record_options *o)
{
	const struct options *given = &run->options;
	struct error err = ERROR_INIT;

	o->duration_ns = DURATION_NS;
	if (given->duration &&
	    (!units_parse_time(given->duration, 0, &o->duration_ns) || o->duration_ns <= 0))
		return run_complain_usage(run, "--duration wants a time like 10s, not '",
					  given->duration, "'");
	o->chunk_ms = given->is_heap ? INT_MAX : RECORDING_CHUNK_MS;
	o->has_workers = given->has_workers;
	o->requests = recording_requests(given);
	if (given->is_heap && o->requests)
		return run_complain_usage(run, "--requests goes with CPU profiles, not with --heap",
					  "", "");
	if (!recording_find_interval(given, &o->interval_us, &o->heap_bytes, &err))
		return run_complain_usage(run, "", err.text, "");
	o->has_waits = !given->is_heap && !o->requests;
	if (!given->is_heap)
		recording_warn_of_interval(o->interval_us);
	return true;
}

/* ---- from the beginning to the end ---- */

/* For the handler of signals. */
static const struct wake *cancel;

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
	int saved = errno;

	caught = number;
	wake_up(cancel);
	errno = saved;
}

static const int signals[RECORDING_SIGNALS] = { SIGINT, SIGTERM, SIGHUP };

void recording_catch_signals(struct recording *r)
{
	/* A second signal has its default action. */
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };

	cancel = &r->cancel;
	caught = 0;
	r->catches_signals = true;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		sigaction(signals[i], NULL, &r->before[i]);
		if (r->before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

bool recording_is_cancelled(void)
{
	return caught != 0;
}

int recording_fatal_signal(void)
{
	return caught == SIGTERM || caught == SIGHUP ? caught : 0;
}

bool recording_begin(struct recording *r, struct run *run)
{
	*r = RECORDING_NONE;
	/* Before there are threads: the guard is a copy of this process. */
	if (!guard_start(&r->guard))
		run_warn("no process can be started that closes the inspectors if this one is "
			 "killed");
	run_limit_recording(run, true);
	if (wake_open(&r->cancel))
		return true;
	r->cancel.in = -1;
	return run_complain(run, "no file descriptors are left");
}

void recording_end(struct recording *r)
{
	guard_stop(&r->guard);
	for (size_t i = 0; i < ARRAY_LEN(signals) && r->catches_signals; i++)
		sigaction(signals[i], &r->before[i], NULL);
	if (r->cancel.in >= 0)
		wake_close(&r->cancel);
	*r = RECORDING_NONE;
}

/* ---- files ---- */

bool recording_is_folder(const char *path)
{
	struct stat st;

	return (*path && path[strlen(path) - 1] == '/') ||
		(stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

bool recording_make_folder(const char *place, struct buf *path)
{
	const char *base = place ? place : getenv("TMPDIR");

	buf_addf(path, "%s/flametty-XXXXXX", base && *base ? base : "/tmp");
	return mkdtemp(path->data) != NULL;
}

void recording_add_slash(struct buf *folder)
{
	if (folder->len > 0 && folder->data[folder->len - 1] != '/')
		buf_addc(folder, '/');
}

void recording_file_name(bool is_heap, time_t at, int pid, long tid, long number, struct buf *path)
{
	struct tm local = { 0 };
	char date[32] = "";

	recording_add_slash(path);
	if (localtime_r(&at, &local))
		strftime(date, sizeof date, "%Y%m%d.%H%M%S", &local);
	buf_addf(path, "%s.%s.%d.%ld.%03ld.%s", is_heap ? "Heap" : "CPU", date, pid, tid, number,
		 is_heap ? "heapprofile" : "cpuprofile");
}

/* ---- what happened ---- */

void recording_tell(struct run *run, const struct record_process *p)
{
	BUF_LOCAL text = { 0 };
	char name[96];

	if (p->pid)
		snprintf(name, sizeof name, "process %d", (int)p->pid);
	else
		snprintf(name, sizeof name, "%s:%d", p->host, p->port);
	if (p->err.kind != ERR_NONE && p->err.kind != ERR_CANCELLED) {
		buf_addf(&text, "%s: ", name);
		text_visible(&text, p->err.text, strlen(p->err.text));
		run_complain(run, buf_text(&text));
		buf_clear(&text);
	}
	buf_addf(&text, "%s: ", name);
	run_warn_lines(buf_text(&text), &p->notes);
	if (p->is_left_open)
		run_warn("%s: " RECORDING_LEFT_OPEN, name);
}
