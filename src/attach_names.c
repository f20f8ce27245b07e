/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All processes are read once; then arguments are compared with them. */
#include "config.h"

#include "attach_names.h"

#include "base/alloc.h"
#include "base/text.h"

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

/* The process and all that it has started that run JavaScript. */
static void add_tree(const struct processes *all, pid_t pid, struct found *found)
{
	const struct process *own = find_pid(all, pid);

	if (own && is_javascript(own))
		add_pid(found, pid);
	for (size_t i = 0; i < all->n; i++)
		if (all->list[i].parent == pid)
			add_tree(all, all->list[i].pid, found);
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

static void add_row(const struct process *p, double share, struct buf *out)
{
	const char *why = process_refusal(p);
	int ports[PROCESS_PORTS];
	struct buf command = { 0 };

	if (!why && p->uid != geteuid() && geteuid() != 0)
		why = "it belongs to another user";
	if (!why && process_ports(PROC, p, ports) < 0)
		why = "its descriptors may not be read";
	text_visible(&command, buf_text(&p->command), p->command.len);
	buf_addf(out, "%8d  %-8s  %5.1f %%  %s\n", (int)p->pid, process_runtime_word(p->runtime),
		 share * 100, p->command.len > 0 ? buf_text(&command) : p->name);
	if (why)
		buf_addf(out, "%8s  not possible: %s\n", "", why);
	buf_done(&command);
}

void attach_names_list(struct run *run)
{
	struct processes before, after;
	struct buf out = { 0 };
	size_t n = 0;

	read_all(&before);
	poll(NULL, 0, MEASURE_MS);
	read_all(&after);
	for (size_t i = 0; i < after.n; i++) {
		const struct process *p = &after.list[i], *old = find_pid(&before, p->pid);

		if (!is_javascript(p))
			continue;
		if (n++ == 0)
			buf_addf(&out, "%8s  %-8s  %7s  %s\n", "pid", "runtime", "CPU", "command");
		add_row(p,
			old && p->age_seconds > old->age_seconds
				? (p->cpu_seconds - old->cpu_seconds) /
					(p->age_seconds - old->age_seconds)
				: 0,
			&out);
	}
	if (n == 0)
		buf_adds(&out, "No process runs JavaScript here (node, deno, bun, electron).\n");
	run_print(run, &out);
	buf_done(&out);
	free_all(&before);
	free_all(&after);
}
