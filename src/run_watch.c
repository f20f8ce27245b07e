/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process whose loop does not turn does not run the script's handler of a signal that would end
 * it without the script. So after STUCK_NS it is made to write its profile by its inspector, and
 * gets the signal again, which ends it then. If it does not answer either, as in a long native
 * call, it is killed.
 *
 * Not so a process that has a handle of its own for the signal: it would not have ended at once
 * without the script either. */
#include "config.h"

#include "run_watch.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/units.h"
#include "remote/rescue.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROC "/proc"
#define STUCK_NS (2 * NS_PER_S)
#define NEW_S 1.0 /* a younger process may still load the script */

void run_watch_begin(struct run_watch *watch, pid_t child, const char *notes,
		     struct run_tally *tally)
{
	*watch = (struct run_watch){ .child = child, .notes = notes, .tally = tally };
}

void run_watch_done(struct run_watch *watch)
{
	if (watch->has_guard)
		guard_stop(&watch->guard);
	free(watch->list);
}

/* ---- the tree of processes ---- */

struct pids {
	pid_t *list;
	size_t n, cap;
};

static bool is_among(const struct pids *pids, pid_t pid)
{
	for (size_t i = 0; i < pids->n; i++)
		if (pids->list[i] == pid)
			return true;
	return false;
}

/* Append the children that a thread has started. */
static void add_children(pid_t pid, const char *tid, struct pids *pids)
{
	char path[128], text[4096];
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, PROC "/%d/task/%.20s/children", (int)pid, tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	n = read(fd, text, sizeof text - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	for (char *at = text, *end;; at = end) {
		long child = strtol(at, &end, 10);

		if (end == at)
			break;
		/* A number may be used again while the tree is read. */
		if (is_among(pids, (pid_t)child))
			continue;
		pids->list = xgrow(pids->list, &pids->cap, pids->n + 1, sizeof *pids->list);
		pids->list[pids->n++] = (pid_t)child;
	}
}

/* The process and all that it has started. The caller frees the list. */
static struct pids find_tree(pid_t pid)
{
	struct pids tree = { 0 };

	tree.list = xgrow(tree.list, &tree.cap, 1, sizeof *tree.list);
	tree.list[tree.n++] = pid;
	for (size_t i = 0; i < tree.n; i++) {
		char path[64];
		struct dirent *entry;
		DIR *tasks;

		snprintf(path, sizeof path, PROC "/%d/task", (int)tree.list[i]);
		tasks = opendir(path);
		while (tasks && (entry = readdir(tasks)))
			if (entry->d_name[0] != '.')
				add_children(tree.list[i], entry->d_name, &tree);
		if (tasks)
			closedir(tasks);
	}
	return tree;
}

static bool is_javascript(const struct process *p)
{
	return p->runtime == RUNTIME_NODE || p->runtime == RUNTIME_DENO ||
		p->runtime == RUNTIME_BUN;
}

static void look_at_tree(struct run_watch *watch)
{
	struct pids tree = find_tree(watch->child);

	for (size_t i = 0; i < tree.n; i++) {
		struct error err = ERROR_INIT;
		struct run_process *known;
		struct process p;

		if (process_read(PROC, tree.list[i], &p, &err) && !p.is_zombie &&
		    is_javascript(&p) && p.age_seconds > NEW_S) {
			known = run_tally_process(watch->tally, p.pid);
			known->runtime = p.runtime;
			if (!known->command)
				known->command = xstrdup(buf_text(&p.command));
		}
		process_done(&p);
	}
	free(tree.list);
}

void run_watch_kill(const struct run_watch *watch)
{
	struct pids tree = find_tree(watch->child);

	for (size_t i = 0; i < tree.n; i++)
		kill(tree.list[i], SIGKILL);
	free(tree.list);
}

/* ---- signals that are not handled ---- */

static struct run_unhandled *find(struct run_watch *watch, pid_t pid)
{
	for (size_t i = 0; i < watch->n; i++)
		if (watch->list[i].pid == pid)
			return &watch->list[i];
	watch->list = xgrow(watch->list, &watch->cap, watch->n + 1, sizeof *watch->list);
	watch->list[watch->n] = (struct run_unhandled){ .pid = pid };
	return &watch->list[watch->n++];
}

static void end_stuck(struct run_watch *watch, struct run_process *p, int signal)
{
	struct target_options options = { PROC, -1, &watch->guard };
	struct error err = ERROR_INIT;

	if (!watch->has_guard)
		watch->has_guard = guard_start(&watch->guard);
	if (!watch->has_guard)
		options.guard = NULL;
	if (rescue_end(p->pid, signal, &options, &err) || err.kind == ERR_UNKNOWN)
		return;
	p->is_lost = true;
	kill(p->pid, SIGKILL);
}

static void look_at_signal(struct run_watch *watch, struct run_process *p)
{
	struct run_unhandled *u = find(watch, p->pid);
	struct pending now;
	int64_t time = clock_ns();

	if (!pending_read(PROC, p->pid, &now)) {
		u->since_ns = 0;
		return;
	}
	u->is_left |= now.is_shared;
	if (u->since_ns == 0 || now.signal != u->pending.signal ||
	    now.handle != u->pending.handle) {
		*u = (struct run_unhandled){ p->pid, now, time, now.is_shared };
	} else if (!u->is_left && time - u->since_ns >= STUCK_NS) {
		u->is_left = true;
		end_stuck(watch, p, now.signal);
	}
}

static bool is_alive(pid_t pid)
{
	return kill(pid, 0) == 0;
}

void run_watch_look(struct run_watch *watch)
{
	run_tally_read(watch->tally, watch->notes);
	look_at_tree(watch);
	for (size_t i = 0; i < watch->tally->n; i++)
		if (watch->tally->list[i].has_note && is_alive(watch->tally->list[i].pid))
			look_at_signal(watch, &watch->tally->list[i]);
}

/* Whether it records itself and is still there. */
static bool is_living(const struct run_process *p)
{
	struct error err = ERROR_INIT;
	struct process now;
	bool is_there;

	if (!p->has_note || !is_alive(p->pid))
		return false;
	is_there = process_read(PROC, p->pid, &now, &err) && !now.is_zombie;
	process_done(&now);
	return is_there;
}

bool run_watch_has_living(const struct run_watch *watch)
{
	for (size_t i = 0; i < watch->tally->n; i++)
		if (is_living(&watch->tally->list[i]))
			return true;
	return false;
}

void run_watch_signal(const struct run_watch *watch, int signal)
{
	for (size_t i = 0; i < watch->tally->n; i++)
		if (is_living(&watch->tally->list[i]))
			kill(watch->tally->list[i].pid, signal);
}
