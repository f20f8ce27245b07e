/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All processes are read once; then arguments are compared with them. */
#include "config.h"

#include "record/attach_names.h"

#include "base/alloc.h"
#include "base/text.h"
#include "record/remote/locate.h"
#include "record/remote/versions.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
	int ports[PORTS_MOST];

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
