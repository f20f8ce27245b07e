/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The children of a process are listed for each of its threads, and nearly always started by the
 * first one; the others are looked at less often. Looking takes at most a hundredth of a processor.
 *
 * A process may become another program at any time, so the path of its program is read each time,
 * until it is one that runs JavaScript. A copy of Node.js, as a shell is before it is a shell, is
 * none yet. */
#include "config.h"

#include "record/child_watch.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/sort.h"
#include "base/units.h"
#include "record/remote/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOK_NS (20 * NS_PER_MS)
#define SHARE 100 /* of the time, one part is for looking */
#define THREADS_NS (500 * NS_PER_MS)
#define START_S 1.0
#define IDLE_NS (300 * NS_PER_MS) /* of a process that stays */
#define OLD_MS 10000              /* it has written a chunk by then */
#define VARIABLES_MAX ((size_t)1 << 20)

struct run_seen {
	pid_t pid, parent;
	bool is_there;   /* in the tree, at this look */
	bool is_settled; /* it runs JavaScript and was looked at */
};

/* ---- variables ---- */

/* The variables of a process; NULL: they cannot be read. The caller frees them. */
static char *read_variables(pid_t pid, size_t *len)
{
	char path[64], *text = NULL;
	size_t cap = 0;
	ssize_t n;
	int fd;

	*len = 0;
	snprintf(path, sizeof path, PROCESS_PROC "/%d/environ", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	do {
		text = xgrow(text, &cap, *len + 4097, 1);
		n = read(fd, text + *len, 4096);
		*len += n > 0 ? (size_t)n : 0;
	} while (n > 0 && *len < VARIABLES_MAX);
	close(fd);
	text[*len] = '\0';
	return text;
}

static const char *find_variable(const char *text, size_t len, const char *name)
{
	size_t n = strlen(name);

	for (size_t at = 0; at < len; at += strlen(text + at) + 1)
		if (strncmp(text + at, name, n) == 0 && text[at + n] == '=')
			return text + at + n + 1;
	return "";
}

/* A process in a container has files of its own below its root. */
static bool sees_folder(const struct child_watch *watch, pid_t pid)
{
	BUF_LOCAL path = { 0 };
	struct stat own, other;
	bool is_there;

	buf_addf(&path, PROCESS_PROC "/%d/root%s", (int)pid, watch->folder);
	is_there = stat(path.data, &other) == 0;
	if (is_there)
		is_there = stat(watch->folder, &own) != 0 ||
			(own.st_dev == other.st_dev && own.st_ino == other.st_ino);
	else
		is_there = errno != ENOENT;
	return is_there;
}

static enum run_omission find_omission(const struct child_watch *watch, const struct process *p)
{
	enum run_omission found = RUN_OMISSION_NONE;
	size_t len;
	char *text;

	if (p->uid != geteuid())
		return RUN_OMISSION_USER;
	text = read_variables(p->pid, &len);
	if (text && watch->preload &&
	    !strstr(find_variable(text, len, "NODE_OPTIONS"), watch->preload))
		found = RUN_OMISSION_OPTIONS;
	else if (text && strcmp(find_variable(text, len, "FLAMETTY_RUN"), watch->folder) != 0)
		found = RUN_OMISSION_FOLDER;
	else if (!sees_folder(watch, p->pid))
		found = RUN_OMISSION_ROOT;
	free(text);
	return found;
}

/* ---- one process ---- */

/* The next process of JavaScript above, from `pid` on; shells and the like are between. 0: none. */
static pid_t find_parent(const struct child_watch *watch, pid_t pid)
{
	for (size_t steps = watch->n; pid != 0 && steps > 0; steps--) {
		size_t i = 0;

		while (i < watch->n && watch->seen[i].pid != pid)
			i++;
		if (i == watch->n)
			return 0;
		if (watch->seen[i].is_settled)
			return pid;
		pid = watch->seen[i].parent;
	}
	return 0;
}

static void look_at(struct child_watch *watch, struct run_seen *seen)
{
	struct error err = ERROR_INIT;
	struct process p;

	if (seen->is_settled)
		return;
	if (process_read(PROCESS_PROC, seen->pid, &p, &err) && !p.is_zombie && !p.is_fork &&
	    (p.runtime == RUNTIME_NODE || p.runtime == RUNTIME_DENO || p.runtime == RUNTIME_BUN)) {
		struct run_process *known = run_tally_process(watch->tally, p.pid);

		known->runtime = p.runtime;
		known->own_pid = p.inner_pid;
		known->space = process_space(PROCESS_PROC, p.pid);
		known->start_ticks = p.start_ticks;
		known->parent = find_parent(watch, seen->parent);
		known->omission = find_omission(watch, &p);
		if (!known->command)
			known->command = xstrdup(buf_text(&p.command));
		seen->is_settled = true;
	}
	process_done(&p);
}

/* ---- the tree ---- */

static struct run_seen *find_seen(struct child_watch *watch, pid_t pid)
{
	size_t low = 0;

	SORT_BISECT(low, watch->n, mid, watch->seen[mid].pid < pid);
	if (low < watch->n && watch->seen[low].pid == pid)
		return &watch->seen[low];
	watch->seen = xgrow(watch->seen, &watch->cap, watch->n + 1, sizeof *watch->seen);
	memmove(watch->seen + low + 1, watch->seen + low, (watch->n - low) * sizeof *watch->seen);
	watch->seen[low] = (struct run_seen){ .pid = pid };
	watch->n++;
	return &watch->seen[low];
}

struct pids {
	pid_t *list;
	size_t n, cap;
};

static void add_pid(struct child_watch *watch, struct pids *tree, pid_t pid, pid_t parent)
{
	struct run_seen *seen = find_seen(watch, pid);

	seen->parent = seen->parent ? seen->parent : parent;
	/* A number may be used again while the tree is read. */
	if (seen->is_there)
		return;
	seen->is_there = true;
	*ARRAY_ADD(tree->list, tree->n, tree->cap) = pid;
}

/* The children that a thread has started. */
static void add_children(struct child_watch *watch, struct pids *tree, pid_t pid, const char *tid)
{
	char path[128], text[4096];
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, PROCESS_PROC "/%d/task/%.20s/children", (int)pid, tid);
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
		add_pid(watch, tree, (pid_t)child, pid);
	}
}

static void look_at_tree(struct child_watch *watch, bool has_threads)
{
	struct pids tree = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < watch->n; i++)
		watch->seen[i].is_there = false;
	add_pid(watch, &tree, watch->child, 0);
	for (size_t i = 0; i < tree.n; i++) {
		char tid[24];

		snprintf(tid, sizeof tid, "%d", (int)tree.list[i]);
		if (has_threads) {
			pid_t pid = tree.list[i];
			char path[64];
			struct dirent *entry;
			DIR *tasks;

			snprintf(path, sizeof path, PROCESS_PROC "/%d/task", (int)pid);
			tasks = opendir(path);
			while (tasks && (entry = readdir(tasks)))
				if (entry->d_name[0] != '.')
					add_children(watch, &tree, pid, entry->d_name);
			if (tasks)
				closedir(tasks);
		} else {
			add_children(watch, &tree, tree.list[i], tid);
		}
	}
	for (size_t i = 0; i < watch->n; i++) {
		/* Below a process that ended, or started by another thread. */
		char path[64];
		struct stat st;

		snprintf(path, sizeof path, PROCESS_PROC "/%d", (int)watch->seen[i].pid);
		if (!watch->seen[i].is_there && stat(path, &st) != 0)
			continue;
		look_at(watch, &watch->seen[i]);
		watch->seen[n++] = watch->seen[i];
	}
	watch->n = n;
	free(tree.list);
}

int64_t child_watch_look(struct child_watch *watch)
{
	int64_t begun = clock_ns(), used, cost;
	bool has_threads = begun >= watch->threads_ns;

	if (watch->tally->is_blind)
		return THREADS_NS;
	if (begun < watch->next_ns)
		return watch->next_ns - begun;
	used = clock_used_ns();
	look_at_tree(watch, has_threads);
	cost = clock_used_ns() - used;
	if (has_threads)
		watch->threads_ns = clock_ns() + THREADS_NS;
	watch->next_ns = begun + (cost * SHARE > LOOK_NS ? cost * SHARE : LOOK_NS);
	return watch->next_ns - clock_ns();
}

/* ---- those that are left ---- */

static bool is_living(const struct run_tally *tally, const struct run_process *p)
{
	return p->n_threads > 0 && kill(p->pid, 0) == 0 &&
		run_tally_is_alive(tally, p, PROCESS_PROC);
}

/* Whether it has started just now, and will record itself. */
static bool is_starting(const struct run_process *p)
{
	struct error err = ERROR_INIT;
	struct process now = { 0 };
	bool is = p->n_threads == 0 && p->runtime == RUNTIME_NODE &&
		p->omission == RUN_OMISSION_NONE &&
		process_read(PROCESS_PROC, p->pid, &now, &err) && !now.is_zombie &&
		now.age_seconds < START_S && now.start_ticks == p->start_ticks;

	process_done(&now);
	return is;
}

bool child_watch_has_living(const struct child_watch *watch)
{
	for (size_t i = 0; i < watch->tally->n; i++)
		if (is_starting(&watch->tally->list[i]) ||
		    is_living(watch->tally, &watch->tally->list[i]))
			return true;
	return false;
}

/* Whether its first chunk is there; those of a long run may be dropped. */
static bool has_chunk(const struct child_watch *watch, const struct run_process *p)
{
	bool has = false;

	for (size_t i = 0; i < p->n_threads && !has; i++) {
		const struct run_thread *t = &p->threads[i];
		BUF_LOCAL path = { 0 };

		buf_addf(&path, "%s/chunks/%d.%ld.%" PRId64 ".0", watch->folder, (int)p->own_pid,
			 t->tid, t->begun_ms);
		has = t->tid == 0 &&
			(access(path.data, F_OK) == 0 ||
			 clock_wall_ns() / NS_PER_MS - t->begun_ms > OLD_MS);
	}
	return has;
}

bool child_watch_is_settled(struct child_watch *watch)
{
	int64_t now = clock_ns();
	bool is_settled = true;

	for (size_t i = 0; i < watch->tally->n; i++) {
		struct run_process *p = &watch->tally->list[i];
		struct process as_seen = { .pid = p->pid, .start_ticks = p->start_ticks };

		is_settled &= !is_starting(p);
		if (p->start_ticks == 0 || !is_living(watch->tally, p))
			continue;
		if (process_doing(PROCESS_PROC, &as_seen) != PROCESS_POLLS)
			p->idle_ns = 0;
		else if (p->idle_ns == 0)
			p->idle_ns = now;
		is_settled &= p->idle_ns > 0 && now - p->idle_ns > IDLE_NS && has_chunk(watch, p);
	}
	return is_settled;
}
