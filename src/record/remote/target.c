/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A signal that does not open an inspector has side effects: Node.js complains on the standard
 * error of the program when the port is taken, and opens it much later when the program was stopped
 * or busy. So all that can be known is looked at first. What happens after the signal is left to
 * the guard, which knows of it before it is sent.
 *
 * While Node.js ends, after its loop, SIGUSR1 aborts it (an assertion in StartIoThreadMain() of all
 * versions). A process whose main thread waits for events is not there. One that is always busy
 * gets the signal after QUIET_MS, when it is not smaller than it was, and not before it is
 * BUSY_AGE_S old: what has run for a short time is often over after a short time. Nothing is
 * between the last look and the signal, and a look that the scheduler has interrupted does not
 * count. But a thread of Node.js acts on the signal, and the loop must not end before that thread
 * gets a processor: so one should be free. On a machine that has none for ROOM_MS, nothing that is
 * done here helps. */
#include "config.h"

#include "record/remote/target.h"

#include "base/clock.h"
#include "base/units.h"
#include "record/remote/inspector.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CONNECT_MS 2000
#define ANSWER_MS 10000 /* a long call of native code does not answer */
#define SIGNAL_MS 2000  /* until the inspector must be there */
#define YOUNG_S 2.0     /* a process of this age may still install its handler */
#define LOOK_MS 10      /* between two looks at the ports */
#define QUIET_MS 1000   /* the longest wait for a moment in which the process waits, */
#define BUSY_AGE_S 3.0  /* unless it is younger than that */
#define QUIET_LOOK_MS 1
#define AT_ONCE_NS (NS_PER_MS / 4) /* the longest look after which the signal is sent */
#define AT_ONCE_MS 2000            /* the longest wait for such a look, */
#define ROOM_MS 1000               /* in which a processor must be free so long */
#define HELD_LOOKS 20              /* at a main thread that waits for another, or blocks signals */
#define SHRINK_MS 20
#define SHRINKS_MAX 20
#define IDLE_MS 1000  /* a process that has nothing to do for that long has seen the signal */
#define BUSY_MS 10000 /* the longest wait for one that is busy */
#define CLOSE_MS 1000

/* ---- the signal ---- */

/* Sleep, unless the user cancels. */
static bool rest(const struct target *t, int ms, struct error *err)
{
	struct pollfd fd = { .fd = t->options->cancel_fd, .events = POLLIN };

	return poll(&fd, 1, ms) <= 0 || error_set(err, ERR_CANCELLED, -1, "cancelled");
}

/* Where the guard finds its connection again, also if the inspector was named by its address. */
static struct locate_place held(const struct target *t)
{
	struct locate_place place = t->place;

	place.pid = t->process.pid;
	return place;
}

static struct guard_place guarded(const struct target *t, bool is_asked)
{
	struct guard_place at = { .place = t->place,
				  .is_asked = is_asked,
				  .is_closing = t->is_closing };

	for (at.n_known = 0; at.n_known < t->n_known; at.n_known++)
		at.known[at.n_known] = t->known[at.n_known];
	return at;
}

/* Leave it to the guard to close the inspector, which may not even have opened yet. */
static void leave(struct target *t, bool is_asked)
{
	struct guard_place at = guarded(t, is_asked);

	guard_leave(t->options->guard, &at);
	t->is_opened = false;
}

/* Whether another process listens where the inspector would be. */
static bool is_taken(const struct target *t, int port, struct error *err)
{
	pid_t holder = port != 0 ? ports_holder(t->options->proc, &t->process, port) : 0;
	char name[48];

	if (holder == 0 || holder == t->process.pid)
		return false;
	if (holder == PORTS_UNKNOWN)
		snprintf(name, sizeof name, "a process of another user");
	else
		snprintf(name, sizeof name, "process %d", (int)holder);
	error_set(
		err, ERR_IO, -1,
		"port %d is held by %s: when its inspector closes, this one can open (or start it "
		"with --inspect-port=0; a process.debugPort of its own cannot be seen)",
		port, name);
	return true;
}

/* Wait until a young process has installed its handler; Node.js blocks the signal until then. One
 * that has it may block the signal for a moment. */
static bool may_signal(struct target *t, struct error *err)
{
	const char *why;
	int n_held = 0;

	while ((why = process_refusal(t->options->proc, &t->process)) &&
	       (t->process.runtime == RUNTIME_NODE || t->process.runtime == RUNTIME_DENO) &&
	       (t->process.age_seconds < YOUNG_S ||
		(t->process.takes_signal && t->process.is_blocked && n_held++ < HELD_LOOKS))) {
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

static bool has_shrunk(struct process_size before, struct process_size now)
{
	return now.bytes < before.bytes || now.n_threads < before.n_threads;
}

/* Wait while a busy process gives memory or threads back, which it does while it ends. SHRINK_MS
 * are longer than the part of the end in which it gives nothing. Sets the size at the last look. */
static bool await_size(const struct target *t, struct process_size *size, struct error *err)
{
	for (int i = 0; i < SHRINKS_MAX; i++) {
		struct process_size before = process_size(t->options->proc, &t->process);

		if (!rest(t, SHRINK_MS, err))
			return false;
		*size = process_size(t->options->proc, &t->process);
		if (!has_shrunk(before, *size))
			break;
	}
	return true;
}

/* The longest wait for a moment in which the main thread has nothing to do. */
static int quiet_ms(const struct target *t)
{
	int until_aged = (int)((BUSY_AGE_S - t->process.age_seconds) * 1000);

	return until_aged > QUIET_MS ? until_aged : QUIET_MS;
}

/* Wait until the main thread has nothing to do, in two looks without less memory or threads between
 * them, or quiet_ms(). A thread that ends waits for events for moments, too. Sets the size at the
 * last look. */
static bool await_quiet(const struct target *t, bool *is_quiet, struct process_size *size,
			struct error *err)
{
	int64_t end = connection_deadline(quiet_ms(t));
	bool has_polled = false;

	while (clock_ns() < end) {
		struct process_size now = process_size(t->options->proc, &t->process);
		enum process_doing doing = process_doing(t->options->proc, &t->process);

		*is_quiet = doing == PROCESS_POLLS && has_polled && !has_shrunk(*size, now);
		*size = now;
		if (*is_quiet)
			return true;
		has_polled = doing == PROCESS_POLLS;
		if (doing == PROCESS_ENDED)
			return error_set(err, ERR_IO, -1, "it has ended");
		if (doing == PROCESS_STOPPED)
			return error_set(
				err, ERR_IO, -1,
				"it is stopped: nothing was sent to it (kill -CONT %d lets "
				"it go on)",
				(int)t->process.pid);
		if (!rest(t, QUIET_LOOK_MS, err))
			return false;
	}
	return await_size(t, size, err);
}

/* Why there is no inspector. It may open yet: is_idle: no longer. */
static bool no_inspector(struct target *t, enum process_doing doing, bool is_idle,
			 struct error *err)
{
	if (doing == PROCESS_ENDED) {
		guard_remove(t->options->guard, &t->place);
		t->is_opened = false;
		return error_set(err, ERR_IO, -1, "it has ended");
	}
	leave(t, false);
	if (doing == PROCESS_STOPPED)
		return error_set(
			err, ERR_IO, -1,
			"it was stopped: its inspector opens when it goes on, and is closed "
			"at once");
	if (!is_idle)
		return error_set(err, ERR_IO, -1,
				 "it is not answering for %d s, as in one long call: its inspector "
				 "opens after that, and is closed at once",
				 BUSY_MS / 1000);
	return error_set(
		err, ERR_IO, -1,
		"no inspector opened within %d s: the program may handle SIGUSR1 itself, have set "
		"a process.debugPort that is taken, or have opened its inspector elsewhere, which "
		"is reached by HOST:PORT",
		SIGNAL_MS / 1000);
}

/* Wait for the inspector after the signal. */
static bool await_inspector(struct target *t, struct error *err)
{
	int64_t sent = clock_ns(), busy = sent;

	for (;;) {
		enum process_doing doing = process_doing(t->options->proc, &t->process);
		int64_t now = clock_ns();
		bool is_late = now - sent > SIGNAL_MS * NS_PER_MS;

		if (doing != PROCESS_POLLS || process_has_children(t->options->proc, &t->process))
			busy = now;
		if (find(t, t->options->cancel_fd, err)) {
			struct guard_place at = guarded(t, false);

			guard_add(t->options->guard, &at);
			return true;
		}
		if (err->kind != ERR_NONE || !rest(t, LOOK_MS, err)) {
			leave(t, false);
			return false;
		}
		if (doing == PROCESS_ENDED || (doing == PROCESS_STOPPED && is_late) ||
		    (is_late && now - busy > IDLE_MS * NS_PER_MS) ||
		    now - sent > BUSY_MS * NS_PER_MS)
			return no_inspector(t, doing, now - busy > IDLE_MS * NS_PER_MS, err);
	}
}

/* The inspector will open at none of the ports on which the process listens now. While sockets of
 * other processes come and go, the table may lack one, so those that were seen before stay. */
static void know_ports(struct target *t)
{
	int ports[PORTS_MAX], n = ports_of(t->options->proc, &t->process, ports);

	for (int i = 0; i < n; i++) {
		bool is_known = false;

		for (int k = 0; k < t->n_known; k++)
			is_known |= t->known[k] == ports[i];
		if (!is_known && t->n_known < PORTS_MAX)
			t->known[t->n_known++] = ports[i];
	}
}

/* Send the signal right after a look that finds the main thread as it was, the process not smaller
 * than `size` and with its handler, and was not interrupted. pidfd: -1: the kernel has none. */
static bool send_at_once(const struct target *t, int pidfd, bool is_quiet, struct process_size size,
			 struct error *err)
{
	int64_t end = connection_deadline(AT_ONCE_MS), room_end = connection_deadline(ROOM_MS);

	for (;;) {
		int64_t began = clock_ns();
		enum process_doing doing = process_doing(t->options->proc, &t->process);
		struct process_size now = process_size(t->options->proc, &t->process);
		bool is_less = has_shrunk(size, now), is_blocked = false;
		const char *why = doing == PROCESS_ENDED
			? "it has ended"
			: process_change(t->options->proc, &t->process, &is_blocked);

		if (!why && is_blocked && began >= end)
			why = "it blocks SIGUSR1: nothing was sent";
		if (why)
			return error_set(err, ERR_IO, -1, "%s", why);
		if (began >= end ||
		    ((doing == PROCESS_POLLS || !is_quiet) && !is_less && !is_blocked &&
		     (began > room_end || process_has_room(t->options->proc)) &&
		     clock_ns() - began < AT_ONCE_NS))
			break;
		size = now;
		if (!rest(t, is_less && !is_quiet ? SHRINK_MS : QUIET_LOOK_MS, err))
			return false;
	}
	return (pidfd >= 0 ? (int)syscall(SYS_pidfd_send_signal, pidfd, SIGUSR1, NULL, 0)
			   : kill(t->process.pid, SIGUSR1)) == 0 ||
		error_errno(err, errno, "sending SIGUSR1");
}

static bool send_signal(struct target *t, struct error *err)
{
	int pidfd = (int)syscall(SYS_pidfd_open, t->process.pid, 0);
	struct guard_place at;
	struct process_size size = { 0 };
	bool is_sent, is_quiet = false;

	know_ports(t);
	at = guarded(t, false);
	guard_add(t->options->guard, &at);
	is_sent = (process_is_same(t->options->proc, &t->process) ||
		   error_set(err, ERR_IO, -1, "it has ended")) &&
		await_quiet(t, &is_quiet, &size, err) &&
		send_at_once(t, pidfd, is_quiet, size, err);
	if (pidfd >= 0)
		close(pidfd);
	if (!is_sent)
		guard_remove(t->options->guard, &t->place);
	t->is_opened = is_sent;
	return is_sent;
}

/* Wait until no other flametty, and no other thread of this one, opens an inspector at this port.
 */
static bool claim_port(const struct target *t, int port, struct claim *c, struct error *err)
{
	int n = t->options->n_processes > 1 ? (int)t->options->n_processes : 1;
	int64_t end = connection_deadline(BUSY_MS * n);
	char name[80];
	pid_t holder;

	snprintf(name, sizeof name, "port/%d/%s", port,
		 t->process.is_other_netns ? buf_text(&t->process.netns) : "");
	if (claim_take(c, name, t->process.uid, &holder))
		return true;
	while (clock_ns() < end && rest(t, LOOK_MS, err))
		if (claim_again(c, name))
			return true;
	return err->kind == ERR_NONE;
}

static bool is_the_process(struct target *t, struct error *err)
{
	int64_t pid;

	if (!evaluate_number(&t->inspector, EVALUATE_PID, connection_deadline(ANSWER_MS), &pid,
			     err))
		return false;
	if (pid == t->process.inner_pid)
		return true;
	error_set(err, ERR_IO, -1,
		  "port %d belongs to process %lld, not to this one; nothing was recorded",
		  t->place.port, (long long)pid);
	/* This one is not ours to close. The guard looks for that of the process. */
	if (t->is_opened) {
		t->place.port = 0;
		t->place.path[0] = '\0';
		leave(t, false);
	}
	return false;
}

static bool connect_inspector(struct target *t, struct error *err)
{
	int64_t deadline = connection_deadline(CONNECT_MS);
	struct locate_place place = held(t);

	if (!websocket_open(&t->inspector.socket, t->place.host, t->place.port, t->place.path,
			    t->place.netns[0] ? t->place.netns : NULL, t->options->cancel_fd,
			    deadline, err))
		return false;
	t->inspector.is_held = place.pid &&
		guard_hold(t->options->guard, &place, t->inspector.socket.connection.fd);
	return inspector_watch_end(&t->inspector, deadline, err);
}

/* Wait for the inspector at a port of its own. */
static bool find_moved(struct target *t, struct error *err)
{
	int64_t end = connection_deadline(SIGNAL_MS);

	while (!find(t, t->options->cancel_fd, err)) {
		if (err->kind != ERR_NONE || !rest(t, LOOK_MS, err))
			return false;
		if (!target_is_alive(t))
			return error_set(err, ERR_IO, -1, "it has ended");
		if (clock_ns() >= end)
			return error_set(err, ERR_IO, -1,
					 "its inspector did not open again at a port of its own");
	}
	return true;
}

/* Have an inspector that was opened here leave the port that others need, too. One that cannot
 * stays. */
static bool move(struct target *t, struct error *err)
{
	struct guard_place at = guarded(t, false);
	bool is_asked;

	at.is_moving = at.is_closing = true;
	guard_add(t->options->guard, &at);
	know_ports(t);
	if (!evaluate_move(&t->inspector, connection_deadline(ANSWER_MS), &is_asked))
		return !is_asked || error_set(err, ERR_IO, -1, "it does not answer");
	inspector_close(&t->inspector);
	t->inspector = (struct inspector)INSPECTOR_INIT;
	if (!find_moved(t, err))
		return false;
	at = guarded(t, false);
	guard_add(t->options->guard, &at);
	return connect_inspector(t, err) && is_the_process(t, err);
}

static bool open_inspector(struct target *t, struct error *err)
{
	struct claim c = CLAIM_INIT; /* of the port */
	struct process_inspector place;
	bool is_open;

	if (!may_signal(t, err))
		return false;
	process_inspector_find(t->options->proc, &t->process, &place);
	if (!process_inspector_is_local(&place))
		return error_set(err, ERR_IO, -1,
				 "its inspector is for other machines, too, at %s (--inspect-port "
				 "or the like): it is not opened",
				 place.host);
	if (t->options->may_open && !t->options->may_open(t->options->ctx, &t->process, err))
		return false;
	if (place.port != 0 && !claim_port(t, place.port, &c, err))
		return false;
	is_open = !is_taken(t, place.port, err) && send_signal(t, err) && await_inspector(t, err) &&
		connect_inspector(t, err) && is_the_process(t, err) &&
		(t->options->n_processes < 2 || place.port == 0 || move(t, err));
	claim_end(&c);
	return is_open;
}

/* ---- opening and closing ---- */

/* A process that waits for its debugger runs nothing that could be recorded, and says so on its
 * standard error when anything connects. A main thread that waits for another one only for moments
 * is past that; one that is young is not there yet. */
static bool has_begun(const struct target *t, struct error *err)
{
	double young_s = YOUNG_S - t->process.age_seconds;
	int n_young = young_s > 0 ? (int)(young_s * 1000) / LOOK_MS : 0;
	struct process_inspector place;

	process_inspector_find(t->options->proc, &t->process, &place);
	if (!place.waits)
		return true;
	for (int i = 0; i < n_young + HELD_LOOKS; i++) {
		if (i >= n_young && process_doing(t->options->proc, &t->process) != PROCESS_LOCKED)
			return true;
		if (!rest(t, LOOK_MS, err))
			return false;
	}
	return error_set(err, ERR_IO, -1,
			 "it waits for a debugger, before its program begins or where that has "
			 "stopped it (--inspect-brk): nothing was done");
}

static void begin(struct target *t, const struct target_options *options)
{
	*t = (struct target){ .options = options,
			      .claim = CLAIM_INIT,
			      .inspector = INSPECTOR_INIT };
}

/* Two recordings of one process would disturb each other, and the first that ends would end both.
 */
static bool claim(struct target *t, struct error *err)
{
	const struct process *p = &t->process;
	const struct claim_process name = { process_space(t->options->proc, p->pid), p->inner_pid,
					    p->start_ticks };
	pid_t holder;

	if (claim_process(&t->claim, &name, p->uid, &holder))
		return true;
	if (holder == 0)
		return error_set(err, ERR_IO, -1, "it is recorded already, by another flametty");
	return error_set(err, ERR_IO, -1, "it is recorded already, by flametty (process %d)",
			 (int)holder);
}

bool target_open(struct target *t, pid_t pid, const struct target_options *options,
		 struct error *err)
{
	begin(t, options);
	/* Otherwise the number names one process there, and another one for signals. */
	if ((process_is_own_proc(t->options->proc) ||
	     error_set(err, ERR_IO, -1,
		       "%s is that of another PID namespace: flametty needs its own (unshare "
		       "--mount-proc)",
		       t->options->proc)) &&
	    process_read(options->proc, pid, &t->process, err) && claim(t, err)) {
		int n = ports_of_program(options->proc, &t->process, t->known);

		t->n_known = n > 0 ? n : 0;
		t->place = locate_begin(options->proc, &t->process);
		if (has_begun(t, err) &&
		    (find(t, options->cancel_fd, err)
			     ? connect_inspector(t, err) && is_the_process(t, err)
			     : err->kind == ERR_NONE && open_inspector(t, err)))
			return true;
	}
	target_close(t);
	return false;
}

/* The process that listens at the address. Returns false, and none, if it runs no JavaScript of its
 * own. */
static bool find_holder(struct target *t)
{
	struct process own = { .pid = getpid() };
	struct error err = ERROR_INIT;
	bool is_found = false;
	pid_t pid = 0;

	if (strcmp(t->place.host, "127.0.0.1") == 0 && process_is_own_proc(t->options->proc))
		pid = ports_holder(t->options->proc, &own, t->place.port);
	if (pid > 0)
		is_found = process_read(t->options->proc, pid, &t->process, &err) &&
			(t->process.runtime == RUNTIME_NODE || t->process.runtime == RUNTIME_DENO ||
			 t->process.runtime == RUNTIME_ELECTRON);
	if (!is_found) {
		process_done(&t->process);
		t->process = (struct process){ 0 };
	}
	return is_found;
}

/* Forget the process unless the inspector is its own. */
static void check_holder(struct target *t)
{
	struct error err = ERROR_INIT;
	int64_t pid = 0;

	if (t->process.pid == 0 ||
	    (evaluate_number(&t->inspector, EVALUATE_PID, connection_deadline(ANSWER_MS), &pid,
			     &err) &&
	     pid == t->process.inner_pid))
		return;
	claim_end(&t->claim);
	process_done(&t->process);
	t->process = (struct process){ 0 };
}

bool target_open_at(struct target *t, const char *host, int port,
		    const struct target_options *options, struct error *err)
{
	begin(t, options);
	snprintf(t->place.host, sizeof t->place.host, "%s",
		 strcmp(host, "localhost") == 0 ? "127.0.0.1" : host);
	t->place.port = port;
	if ((!find_holder(t) || (claim(t, err) && has_begun(t, err))) &&
	    locate_at(&t->place, options->cancel_fd, &t->title, err) && connect_inspector(t, err)) {
		check_holder(t);
		return true;
	}
	target_close(t);
	return false;
}

/* The connection failed or was never made. */
static bool reconnect(struct target *t, struct error *err)
{
	t->place.path[0] = '\0';
	return (t->place.port ? locate_at(&t->place, -1, &t->title, err) : find(t, -1, err)) &&
		connect_inspector(t, err);
}

/* Whether the process or its inspector has ended. */
static bool is_over(const struct target *t)
{
	int ports[PORTS_MAX], n;

	if (!target_is_alive(t))
		return true;
	n = ports_of(t->options->proc, &t->process, ports);
	for (int i = 0; i < n; i++)
		if (ports[i] == t->place.port)
			return false;
	return n >= 0 && t->place.port != 0;
}

/* Have the inspector closed. The guard must know before it is asked. */
static bool ask_to_close(struct target *t, int64_t deadline, bool *is_asked)
{
	struct guard_place at;
	bool is_closed;

	t->is_closing = true;
	at = guarded(t, false);
	guard_add(t->options->guard, &at);
	is_closed = evaluate_close(&t->inspector, deadline, is_asked);
	t->is_closing = t->inspector.is_closing;
	return is_closed;
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
		((has_connection || reconnect(t, &err)) && ask_to_close(t, deadline, &is_asked));
	if (!is_closed && !is_asked) {
		/* Then the process can go on. */
		inspector_close(&t->inspector);
		t->inspector = (struct inspector)INSPECTOR_INIT;
		leave(t, false);
		/* A process that was killed closes the connection a little before it has ended. */
		while (!is_over(t) && clock_ns() < deadline)
			poll(NULL, 0, LOOK_MS);
		t->is_opened = false;
		return is_over(t);
	}
	if (!is_closed && target_is_alive(t)) {
		leave(t, is_asked);
		return false;
	}
	guard_remove(t->options->guard, &t->place);
	return true;
}

bool target_close(struct target *t)
{
	bool was_opened = t->is_opened, is_closed = !was_opened || close_inspector(t),
	     is_held = !was_opened && t->inspector.socket.connection.fd >= 0;
	struct locate_place place = held(t);

	inspector_close(&t->inspector);
	if (is_held && place.pid)
		guard_remove(t->options->guard, &place);
	claim_end(&t->claim);
	process_done(&t->process);
	buf_done(&t->title);
	t->is_opened = false;
	return is_closed;
}
