/* SPDX-License-Identifier: GPL-2.0-or-later */
/* After the signal the user cannot cancel before the inspector is there: it would stay open. The
 * guard knows of it before the signal is sent. */
#include "config.h"

#include "remote/target.h"

#include "base/clock.h"
#include "remote/evaluate.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONNECT_MS 2000
#define ANSWER_MS 10000 /* a long call of native code does not answer */
#define SIGNAL_MS 2000  /* until the inspector must be there */
#define YOUNG_S 2.0     /* a process of this age may still install its handler */
#define LOOK_MS 10      /* between two looks at the ports */
#define CLOSE_MS 1000

/* ---- the signal ---- */

/* Sleep, unless the user cancels. */
static bool rest(const struct target *t, int ms, struct error *err)
{
	struct pollfd fd = { .fd = t->options->cancel_fd, .events = POLLIN };

	return poll(&fd, 1, ms) <= 0 || error_set(err, ERR_CANCELLED, -1, "cancelled");
}

/* An inspector whose port is taken does not open later: there is nothing to close. */
static bool port_is_taken(struct target *t, pid_t holder, struct error *err)
{
	char name[48];

	t->is_opened = false;
	guard_remove(t->options->guard, &t->place);
	if (holder == PORTS_UNKNOWN)
		snprintf(name, sizeof name, "a process of another user");
	else
		snprintf(name, sizeof name, "process %d", (int)holder);
	return error_set(err, ERR_IO, -1,
			 "port %d is held by %s: when its inspector closes, this one can open (or "
			 "start it with --inspect-port=0)",
			 LOCATE_PORT, name);
}

static bool no_port(struct target *t, struct error *err)
{
	pid_t holder = ports_holder(t->options->proc, &t->process, LOCATE_PORT);

	if (holder != 0 && holder != t->process.pid)
		return port_is_taken(t, holder, err);
	return error_set(err, ERR_IO, -1,
			 "no inspector opened within %d s: the program may handle SIGUSR1 itself",
			 SIGNAL_MS / 1000);
}

/* Wait until a young process has installed its handler; Node.js blocks the signal until then. */
static bool may_signal(struct target *t, struct error *err)
{
	const char *why;

	while ((why = process_refusal(&t->process)) &&
	       (t->process.runtime == RUNTIME_NODE || t->process.runtime == RUNTIME_DENO) &&
	       t->process.age_seconds < YOUNG_S) {
		process_done(&t->process);
		if (!rest(t, LOOK_MS, err) ||
		    !process_read(t->options->proc, t->process.pid, &t->process, err))
			return false;
	}
	return !why || error_set(err, ERR_IO, -1, "%s", why);
}

static bool find(struct target *t, int cancel_fd, struct error *err)
{
	struct locate_search search = { .proc = t->options->proc,
					.process = &t->process,
					.known = t->known,
					.n_known = t->n_known,
					.cancel_fd = cancel_fd };

	return locate_process(&search, &t->place, &t->title, err);
}

static bool open_inspector(struct target *t, struct error *err)
{
	int64_t deadline;

	if (!may_signal(t, err))
		return false;
	if (!process_is_same(t->options->proc, &t->process))
		return error_set(err, ERR_IO, -1, "it has ended");
	/* They were asked: the inspector is not among them. A port that does not answer would take
	 * the time of the wait. */
	t->n_known = ports_of(t->options->proc, &t->process, t->known);
	guard_add(t->options->guard, &t->place);
	if (kill(t->process.pid, SIGUSR1) != 0) {
		guard_remove(t->options->guard, &t->place);
		return error_errno(err, errno, "sending SIGUSR1");
	}
	t->is_opened = true;
	for (deadline = connection_deadline(SIGNAL_MS); clock_ns() < deadline;) {
		if (find(t, -1, err)) {
			guard_add(t->options->guard, &t->place);
			return true;
		}
		if (err->kind != ERR_NONE)
			return false;
		poll(NULL, 0, LOOK_MS);
	}
	return no_port(t, err);
}

/* ---- opening and closing ---- */

static bool is_the_process(struct target *t, struct error *err)
{
	int64_t pid;

	if (!evaluate_number(&t->inspector, EVALUATE_PID, connection_deadline(ANSWER_MS), &pid,
			     err))
		return false;
	if (pid == t->process.inner_pid)
		return true;
	/* It is not ours to close. */
	t->is_opened = false;
	guard_remove(t->options->guard, &t->place);
	return error_set(err, ERR_IO, -1,
			 "port %d belongs to process %lld, not to this one; nothing was recorded",
			 t->place.port, (long long)pid);
}

static bool connect_inspector(struct target *t, struct error *err)
{
	int64_t deadline = connection_deadline(CONNECT_MS);

	return websocket_open(&t->inspector.socket, t->place.host, t->place.port, t->place.path,
			      t->place.netns[0] ? t->place.netns : NULL, t->options->cancel_fd,
			      deadline, err) &&
		inspector_watch_end(&t->inspector, deadline, err);
}

static void begin(struct target *t, const struct target_options *options)
{
	*t = (struct target){ .options = options };
	t->inspector.socket.connection = (struct connection)CONNECTION_INIT;
}

bool target_open(struct target *t, pid_t pid, const struct target_options *options,
		 struct error *err)
{
	begin(t, options);
	if (process_read(options->proc, pid, &t->process, err)) {
		t->place = locate_begin(options->proc, &t->process);
		if ((find(t, options->cancel_fd, err) ||
		     (err->kind == ERR_NONE && open_inspector(t, err))) &&
		    connect_inspector(t, err) && is_the_process(t, err))
			return true;
	}
	target_close(t);
	return false;
}

bool target_open_at(struct target *t, const char *host, int port,
		    const struct target_options *options, struct error *err)
{
	begin(t, options);
	snprintf(t->place.host, sizeof t->place.host, "%s",
		 strcmp(host, "localhost") == 0 ? "127.0.0.1" : host);
	t->place.port = port;
	if (locate_at(&t->place, options->cancel_fd, &t->title, err) && connect_inspector(t, err))
		return true;
	target_close(t);
	return false;
}

/* The connection failed or was never made. */
static bool reconnect(struct target *t, struct error *err)
{
	t->place.path[0] = '\0';
	return find(t, -1, err) && connect_inspector(t, err);
}

/* Whether the process or its inspector has ended. */
static bool is_over(const struct target *t)
{
	int ports[PORTS_MOST], n;

	if (!target_is_alive(t))
		return true;
	n = ports_of(t->options->proc, &t->process, ports);
	for (int i = 0; i < n; i++)
		if (ports[i] == t->place.port)
			return false;
	return n >= 0 && t->place.port != 0;
}

/* A process that was killed closes the connection a little before it has ended. */
static bool wait_for_end(const struct target *t, int64_t deadline)
{
	while (!is_over(t) && clock_ns() < deadline)
		poll(NULL, 0, LOOK_MS);
	return is_over(t);
}

/* Close the inspector that was opened here. */
static bool close_inspector(struct target *t)
{
	bool is_closed, is_asked = false, has_connection = t->inspector.socket.connection.fd >= 0;
	int64_t deadline = connection_deadline(CLOSE_MS);
	struct error err = ERROR_INIT;

	/* The user may have cancelled: that must not cancel this. */
	t->inspector.socket.connection.cancel_fd = -1;
	is_closed = t->inspector.is_leaving ||
		((has_connection || reconnect(t, &err)) &&
		 evaluate_close(&t->inspector, deadline, &is_asked));
	if (!is_closed && !is_asked) {
		/* Then the process can go on. */
		websocket_close(&t->inspector.socket);
		is_closed = wait_for_end(t, deadline);
	}
	if (is_closed || is_asked)
		guard_remove(t->options->guard, &t->place);
	return is_closed || !target_is_alive(t);
}

bool target_close(struct target *t)
{
	bool is_closed = !t->is_opened || close_inspector(t);

	inspector_close(&t->inspector);
	process_done(&t->process);
	buf_done(&t->title);
	t->is_opened = false;
	return is_closed;
}

bool target_is_alive(const struct target *t)
{
	return t->process.pid == 0 || process_is_same(t->options->proc, &t->process);
}
