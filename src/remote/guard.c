/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The guard reads places from a pipe, each with a letter: `+` it is open, `-` it is closed. The end
 * of the pipe is the end of the program: what is still open then is closed.
 *
 * A record is shorter than PIPE_BUF, so it is written and read in one piece. The guard is in a
 * session of its own, and ignores the signals that a terminal sends. Descriptors other than its
 * pipe are closed: they may be the last writing end of a pipe that others read. */
#include "config.h"

#include "remote/guard.h"

#include "remote/evaluate.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLACES 64
#define TRIES 30
#define TRY_MS 2000
#define SETTLE_MS 300

struct record {
	char sign;
	struct locate_place place;
};

_Static_assert(sizeof(struct record) <= 512, "shorter than any PIPE_BUF");

/* ---- the guard's side ---- */

/* Find the inspector of a place that was told before it opened. */
static bool find(struct locate_place *place)
{
	struct error err = ERROR_INIT;
	struct process process;
	struct buf title = { 0 };
	struct locate_search search = { .proc = "/proc", .process = &process, .cancel_fd = -1 };
	bool is_found = process_read("/proc", place->pid, &process, &err) &&
		locate_process(&search, place, &title, &err);

	process_done(&process);
	buf_done(&title);
	return is_found;
}

/* Whether nothing is left to do. */
static bool close_one(struct locate_place *place)
{
	struct inspector inspector = { 0 };
	struct error err = ERROR_INIT;
	int64_t deadline = connection_deadline(TRY_MS);
	bool is_asked;

	if (place->port == 0 && !find(place)) {
		poll(NULL, 0, TRY_MS / 10);
		return false; /* it may open yet */
	}
	if (!websocket_open(&inspector.socket, place->host, place->port, place->path,
			    place->netns[0] ? place->netns : NULL, -1, deadline, &err))
		return true; /* nothing is there any more, or not what was opened */
	inspector_watch_end(&inspector, deadline, &err);
	evaluate_close(&inspector, deadline, &is_asked);
	inspector_close(&inspector);
	return is_asked;
}

static void close_all(struct locate_place *places, int n)
{
	/* The program may have asked the target to close it in its last moment, and Node.js 20 does
	 * not survive a second call while it closes. */
	if (n > 0)
		poll(NULL, 0, SETTLE_MS);
	for (int try = 0; try < TRIES && n > 0; try++)
		for (int i = n - 1; i >= 0; i--)
			if (close_one(&places[i]))
				places[i] = places[--n];
}

static bool is_same(const struct locate_place *a, const struct locate_place *b)
{
	return a->pid != 0 ? a->pid == b->pid : a->port == b->port && a->pid == b->pid;
}

static void guard_run(int fd)
{
	struct locate_place places[PLACES];
	struct record record;
	int n = 0;

	while (read(fd, &record, sizeof record) == (ssize_t)sizeof record) {
		for (int i = n - 1; i >= 0; i--)
			if (is_same(&places[i], &record.place))
				places[i] = places[--n];
		if (record.sign == '+' && n < PLACES)
			places[n++] = record.place;
	}
	close_all(places, n);
}

static void become_guard(int fd)
{
	static const int signals[] = { SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGTSTP,
				       SIGTTIN, SIGTTOU, SIGUSR1, SIGPIPE };
	long most = sysconf(_SC_OPEN_MAX);

	setsid();
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		signal(signals[i], SIG_IGN);
	for (int i = 0; i < (most > 0 && most < 4096 ? most : 4096); i++)
		if (i != fd)
			close(i);
	guard_run(fd);
	_exit(0);
}

/* ---- the program's side ---- */

bool guard_start(struct guard *guard)
{
	int ends[2];

	*guard = (struct guard){ .fd = -1 };
	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	guard->pid = fork();
	if (guard->pid == 0)
		become_guard(ends[0]);
	close(ends[0]);
	if (guard->pid < 0) {
		close(ends[1]);
		return false;
	}
	guard->fd = ends[1];
	return true;
}

static void tell(const struct guard *guard, char sign, const struct locate_place *place)
{
	struct record record;

	if (!guard || guard->fd < 0)
		return;
	memset(&record, 0, sizeof record);
	record.sign = sign;
	record.place = *place;
	/* Without the guard nothing else can be done. */
	if (write(guard->fd, &record, sizeof record) < 0)
		return;
}

void guard_add(const struct guard *guard, const struct locate_place *place)
{
	tell(guard, '+', place);
}

void guard_remove(const struct guard *guard, const struct locate_place *place)
{
	tell(guard, '-', place);
}

void guard_stop(struct guard *guard)
{
	if (guard->fd < 0)
		return;
	close(guard->fd);
	guard->fd = -1;
	/* It ends at once if it has nothing to do; init takes it over otherwise. */
	waitpid(guard->pid, NULL, WNOHANG);
}
