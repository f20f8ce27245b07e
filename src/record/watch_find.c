/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process is known by its number and the time of its start: numbers are used again. */
#include "config.h"

#include "record/watch_find.h"

#include "base/alloc.h"
#include "record/remote/process.h"

#include <stdlib.h>
#include <unistd.h>

#define PROC "/proc"

struct watch_find_seen {
	pid_t pid;
	uint64_t start_ticks;
	int64_t again_ns; /* INT64_MAX: never */
};

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

pid_t watch_find_next(struct watch_find *f, int64_t now_ns, bool *is_new)
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

void watch_find_know(struct watch_find *f, pid_t pid)
{
	struct error err = ERROR_INIT;
	struct process p = { 0 };

	if (process_read(PROC, pid, &p, &err))
		remember(f, &p);
	process_done(&p);
}

void watch_find_again(struct watch_find *f, pid_t pid, int64_t at_ns)
{
	struct watch_find_seen *seen = find_seen(f, pid);

	if (seen)
		seen->again_ns = at_ns;
}

void watch_find_done(struct watch_find *f)
{
	free(f->seen);
	*f = (struct watch_find){ 0 };
}
