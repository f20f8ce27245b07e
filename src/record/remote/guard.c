/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The guard reads places from a socket, each with a letter: `+` it is open, `-` it is closed, `!`
 * close it, `=` hold the connection that comes with it. The end of the socket is the end of the
 * program: what is still open then is to be closed.
 *
 * SIGUSR1 opens an inspector when the process gets it and its loop turns: a process that is
 * stopped, or busy in one long call, does that later. The guard waits for the end of the process
 * (pidfd), and looks at its ports now and then. If its main thread had nothing to do for some time,
 * and there is no inspector, there will be none: the program handles the signal itself.
 *
 * The socket keeps records apart, so each is written and read in one piece. The guard is in a
 * session of its own, and ignores the signals that a terminal sends. Descriptors other than its
 * socket are closed: they may be the last writing end of a pipe that others read. */
#include "config.h"

#include "record/remote/guard.h"

#include "base/clock.h"
#include "base/units.h"
#include "record/remote/inspector.h"
#include "record/remote/locate.h"
#include "record/remote/process.h"
#include "record/remote/websocket.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* The last call over a connection, by its id. No other call has it: their ids are small. */
#define LAST_CALL "\"id\":1999999999"
#define TAIL_MAX (sizeof LAST_CALL - 2)

/* How far a connection is on its way to its end. */
struct goodbye {
	int64_t asked_ns;    /* when the last call was sent; 0: it was not */
	int64_t sent_ns;     /* when the close frame was sent; 0: it was not */
	bool is_answered;    /* the process has answered the last call */
	bool is_closed;      /* the process has sent a close frame */
	char tail[TAIL_MAX]; /* the last bytes that were read, which an answer may continue */
	unsigned n_tail;
};

struct watched {
	struct guard_place at;
	struct process process; /* as it was when it came */
	int pidfd;              /* -1: the kernel has none */
	int64_t due_ns;         /* when the guard was asked to close it; 0: it was not */
	int64_t next_ns;        /* of the next look */
	int64_t idle_ns;        /* since when the process has nothing to do; 0: it has */
	bool is_claimed;        /* another flametty used it at the last look */
	int fd;                 /* the connection that it holds; -1: none */
	struct goodbye goodbye; /* of that connection */
	bool is_not_ours;       /* the inspector is to stay open */
	bool is_leaving;        /* only its connection is left, and records are not for it */
};

static bool claim(struct watched *w, struct claim *c);

/* ==== claim ====
 *
 * A claim is a socket with a name that is no file (unix(7), abstract): there can be one only, and
 * nothing is left when its process ends. The kernel tells whose it is to those that connect. The
 * holder never accepts, so there is room for a limited number of them. */

#define WAITING_MAX 128

static socklen_t make_address(const char *name, struct sockaddr_un *address)
{
	int n;

	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	n = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "flametty/%s", name);
	if (n > (int)sizeof address->sun_path - 2)
		n = (int)sizeof address->sun_path - 2;
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

/* Whether a name that is taken is a claim, and no other user's. */
static bool is_claim(const struct sockaddr_un *address, socklen_t len, uid_t uid, pid_t *holder)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct ucred peer = { 0 };
	socklen_t size = sizeof peer;
	bool is;

	if (fd >= 0 && connect(fd, (const struct sockaddr *)address, len) == 0) {
		is = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
			(peer.uid == 0 || peer.uid == uid || peer.uid == geteuid());
		/* The kernel gives 0 for a process of another PID namespace. */
		*holder = is ? peer.pid : 0;
	} else {
		/* The queue of the holder is full. */
		is = fd >= 0 && errno == EAGAIN;
	}
	if (fd >= 0)
		close(fd);
	return is;
}

bool claim_again(struct claim *c, const char *name)
{
	struct sockaddr_un address;
	socklen_t len = make_address(name, &address);

	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->fd < 0)
		return true;
	if (bind(c->fd, (const struct sockaddr *)&address, len) == 0 &&
	    listen(c->fd, WAITING_MAX) == 0)
		return true;
	claim_end(c);
	return errno != EADDRINUSE;
}

bool claim_take(struct claim *c, const char *name, uid_t uid, pid_t *holder)
{
	struct sockaddr_un address;
	socklen_t len = make_address(name, &address);

	*holder = 0;
	if (claim_again(c, name))
		return true;
	return !is_claim(&address, len, uid, holder);
}

static void name_process(char out[96], const struct claim_process *p)
{
	snprintf(out, 96, "process/%" PRIu64 "/%d/%" PRIu64, p->space, (int)p->pid, p->start_ticks);
}

bool claim_process(struct claim *c, const struct claim_process *process, uid_t uid, pid_t *holder)
{
	char name[96];

	name_process(name, process);
	return claim_take(c, name, uid, holder);
}

static bool claim_process_again(struct claim *c, const struct claim_process *process)
{
	char name[96];

	name_process(name, process);
	return claim_again(c, name);
}

void claim_end(struct claim *c)
{
	int saved = errno;

	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
	errno = saved;
}

/* ==== guard ==== */

#define PLACES 256
#define TRY_MS 2000
#define SETTLE_MS 300
#define GOODBYE_NS (2 * NS_PER_S)  /* for each step to the end of a connection */
#define IDLE_END_NS (NS_PER_S)     /* of a process that does not answer the last call */
#define BUSY_NS (60 * NS_PER_S)    /* for the answer of one that is not idle */
#define READ_MAX ((size_t)1 << 20) /* bytes of a connection at once */

/* Between two looks at a process: within the first seconds, within a minute, and after that. */
#define SOON_MS 50
#define LATER_MS 250
#define SLOW_MS 1000
#define IDLE_NS (5 * NS_PER_S) /* of a process that does not open an inspector */

struct record {
	char sign;
	struct guard_place at;
};

/* ---- the guard's side ---- */

struct watch_list {
	struct watched list[PLACES];
	int n;
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void forget(struct watch_list *l, int i)
{
	process_done(&l->list[i].process);
	close_fd(&l->list[i].pidfd);
	close_fd(&l->list[i].fd);
	l->list[i] = l->list[--l->n];
}

static void make_due(struct watched *w, int64_t now)
{
	if (w->due_ns == 0)
		w->due_ns = w->next_ns = now;
}

/* A new entry for the process of a place. NULL: there is no room. */
static struct watched *add_watched(struct watch_list *l, const struct guard_place *at)
{
	struct error err = ERROR_INIT;
	struct watched *w;

	if (l->n == PLACES)
		return NULL;
	w = &l->list[l->n++];
	*w = (struct watched){ .at = *at, .fd = -1 };
	process_read(PROCESS_PROC, w->at.place.pid, &w->process, &err);
	w->pidfd = (int)syscall(SYS_pidfd_open, w->at.place.pid, 0);
	return w;
}

/* Only the end of the connection is left to do. */
static void leave(struct watched *w)
{
	w->is_leaving = true;
	make_due(w, clock_ns());
}

/* Hold a connection in the place of the one before, which a connection that failed was. */
static void hold(struct watch_list *l, int i, int fd)
{
	int before = l->list[i].fd;
	struct watched *w = before >= 0 ? add_watched(l, &l->list[i].at) : NULL;

	if (w) {
		w->fd = before;
		w->goodbye = l->list[i].goodbye;
		leave(w);
	} else {
		close_fd(&before);
	}
	l->list[i].fd = fd;
	l->list[i].goodbye = (struct goodbye){ 0 };
}

/* fd: the connection of a `=`, which the list then has; -1: none came. */
static void take_record(struct watch_list *l, const struct record *record, int fd)
{
	int held = -1, i = l->n - 1;
	struct watched *w;

	while (i >= 0 && (l->list[i].is_leaving || l->list[i].at.place.pid != record->at.place.pid))
		i--;
	if (i >= 0 && record->sign == '=') {
		hold(l, i, fd);
		return;
	}
	if (i >= 0 && record->sign == '-' && l->list[i].fd >= 0) {
		leave(&l->list[i]);
		return;
	}
	if (i >= 0) {
		held = l->list[i].fd;
		l->list[i].fd = -1;
		forget(l, i);
	}
	w = record->sign == '-' ? NULL : add_watched(l, &record->at);
	if (!w) {
		close_fd(&held);
		close_fd(&fd);
		return;
	}
	w->fd = record->sign == '=' ? fd : held;
	w->is_not_ours = record->sign == '=';
	if (record->sign == '!')
		make_due(w, clock_ns());
}

/* Whether the other side has ended a connection, or the connection has failed. */
static bool has_ended(int fd)
{
	struct pollfd end = { .fd = fd, .events = POLLRDHUP };

	return poll(&end, 1, 0) > 0 && (end.revents & (POLLRDHUP | POLLHUP | POLLERR));
}

/* Send frames at once, or not at all. */
static bool send_frames(int fd, const struct buf *frames)
{
	return send(fd, frames->data, frames->len, MSG_DONTWAIT | MSG_NOSIGNAL) ==
		(ssize_t)frames->len;
}

/* Send the last call. What the process is asked before it is answered before it; after that,
 * nothing is left that it would send by itself. */
static bool ask_last(int fd)
{
	static const char workers[] = "{\"id\":1999999997,\"method\":\"NodeWorker.disable\"}",
			  last[] = "{" LAST_CALL ",\"method\":\"Profiler.disable\"}";
	static const unsigned char no_mask[4];
	BUF_LOCAL frames = { 0 };

	frames_add(&frames, FRAMES_TEXT, workers, sizeof workers - 1, no_mask);
	frames_add(&frames, FRAMES_TEXT, last, sizeof last - 1, no_mask);
	return send_frames(fd, &frames);
}

static bool send_close(int fd)
{
	static const char normal[] = { 0x03, (char)0xe8 }; /* status 1000 */
	static const unsigned char no_mask[4];
	BUF_LOCAL frame = { 0 };

	frames_add(&frame, FRAMES_CLOSE, normal, sizeof normal, no_mask);
	return send_frames(fd, &frame);
}

/* Look for the answer of the last call, or a close frame at the end. The tail comes first. */
static void look_at(struct goodbye *g, const char *bytes, size_t n)
{
	static const char close_frame[] = { (char)(0x80 | FRAMES_CLOSE), 0 }; /* of Node.js */

	if (memmem(bytes, n, LAST_CALL, sizeof LAST_CALL - 1))
		g->is_answered = true;
	if (n >= sizeof close_frame &&
	    memcmp(bytes + n - sizeof close_frame, close_frame, sizeof close_frame) == 0)
		g->is_closed = true;
	g->n_tail = n < TAIL_MAX ? (unsigned)n : TAIL_MAX;
	memcpy(g->tail, bytes + n - g->n_tail, g->n_tail);
}

/* Read what has come, and close the descriptor at the end of the connection. A connection that is
 * closed with bytes to read is reset, and the process may send just then: what cannot be read is
 * left open until the process ends it, too. */
static void read_on(struct watched *w)
{
	static char bytes[TAIL_MAX + (1 << 16)];
	struct goodbye *g = &w->goodbye;
	size_t n_read = 0;

	while (w->fd >= 0 && n_read < READ_MAX) {
		ssize_t n = recv(w->fd, bytes + g->n_tail, sizeof bytes - TAIL_MAX, MSG_DONTWAIT);

		if (n == 0 || (n < 0 && errno != EAGAIN && has_ended(w->fd)))
			close_fd(&w->fd);
		if (n <= 0)
			return;
		memcpy(bytes, g->tail, g->n_tail);
		look_at(g, bytes, g->n_tail + (size_t)n);
		n_read += (size_t)n;
	}
}

/* Bring a connection to its end. Returns false: the process has not ended it yet. A process that
 * closes its inspector is not told at the same time: its close frame comes first. */
static bool let_go(struct watched *w, int64_t now)
{
	struct goodbye *g = &w->goodbye;
	bool is_late, is_idle = w->idle_ns > 0 && now - w->idle_ns > IDLE_END_NS;

	if (w->fd >= 0)
		read_on(w);
	if (w->fd >= 0 && g->asked_ns == 0 && (ask_last(w->fd) || now - w->due_ns > GOODBYE_NS))
		g->asked_ns = now;
	/* One that does not answer has nothing more to send, if its loop has turned since. */
	is_late = now - g->asked_ns > (is_idle ? GOODBYE_NS : BUSY_NS);
	if (w->fd >= 0 && g->asked_ns && g->sent_ns == 0 &&
	    (g->is_closed || (g->is_answered && !w->at.is_closing) || is_late) &&
	    (send_close(w->fd) || is_late))
		g->sent_ns = now;
	if (w->fd >= 0 && g->sent_ns && now - g->sent_ns > GOODBYE_NS)
		close_fd(&w->fd);
	return w->fd < 0;
}

/* Find the inspector of a place that was told before it opened. Other servers are asked once. */
static bool find(struct watched *w)
{
	struct error err = ERROR_INIT;
	BUF_LOCAL title = { 0 };
	struct locate_search search = { .proc = PROCESS_PROC,
					.process = &w->process,
					.known = w->at.known,
					.n_known = w->at.n_known,
					.cancel_fd = -1 };
	bool is_found = locate_process(&search, &w->at.place, &title, &err);

	if (!is_found) {
		int ports[PORTS_MAX], n = ports_of(PROCESS_PROC, &w->process, ports);
		struct process_inspector own;

		process_inspector_find(PROCESS_PROC, &w->process, &own);
		w->at.n_known = 0;
		for (int i = 0; i < n; i++)
			if (ports[i] != own.port)
				w->at.known[w->at.n_known++] = ports[i];
	}
	return is_found;
}

static bool is_listening(const struct watched *w)
{
	int ports[PORTS_MAX], n = ports_of(PROCESS_PROC, &w->process, ports);

	for (int i = 0; i < n; i++)
		if (ports[i] == w->at.place.port)
			return true;
	return n < 0;
}

/* Claim the process, unless another flametty uses it by now. */
static bool claim(struct watched *w, struct claim *c)
{
	const struct process *p = &w->process;
	const struct claim_process name = { process_space(PROCESS_PROC, p->pid), p->inner_pid,
					    p->start_ticks };
	pid_t holder;

	w->is_claimed = w->is_claimed ? !claim_process_again(c, &name)
				      : !claim_process(c, &name, p->uid, &holder);
	return !w->is_claimed;
}

/* Ask the process to close it. */
static void ask(struct watched *w)
{
	const struct locate_place *place = &w->at.place;
	struct claim c = CLAIM_INIT;
	struct inspector inspector = INSPECTOR_INIT;
	struct error err = ERROR_INIT;
	int64_t deadline = connection_deadline(TRY_MS);
	bool is_asked = false;

	if (!claim(w, &c))
		return;
	if (websocket_open(&inspector.socket, place->host, place->port, place->path,
			   place->netns[0] ? place->netns : NULL, -1, deadline, &err)) {
		if (inspector_watch_end(&inspector, deadline, &err))
			evaluate_close(&inspector, deadline, &is_asked);
		/* It ends as that of the program does. */
		if (w->fd < 0 && inspector.socket.connection.fd >= 0) {
			w->fd = fcntl(inspector.socket.connection.fd, F_DUPFD_CLOEXEC, 0);
			w->goodbye = (struct goodbye){ 0 };
			w->at.is_closing = true;
			inspector.is_held = w->fd >= 0;
		}
		inspector_close(&inspector);
		w->at.is_asked = is_asked;
	}
	claim_end(&c);
}

/* Whether nothing is left to do for this one. */
static bool work(struct watched *w)
{
	struct pollfd end = { .fd = w->pidfd, .events = POLLIN };
	enum process_doing doing = poll(&end, 1, 0) > 0 ? PROCESS_ENDED
							: process_doing(PROCESS_PROC, &w->process);
	int64_t now = clock_ns(), age = now - w->due_ns;

	w->next_ns = now +
		(age < 2 * NS_PER_S            ? SOON_MS
			 : age < 60 * NS_PER_S ? LATER_MS
					       : SLOW_MS) *
			NS_PER_MS;
	if (doing == PROCESS_ENDED)
		return true;
	if (doing != PROCESS_POLLS || process_has_children(PROCESS_PROC, &w->process) ||
	    process_has_signal(PROCESS_PROC, &w->process))
		w->idle_ns = 0;
	else if (w->idle_ns == 0)
		w->idle_ns = now;
	/* While it is stopped, it reads no close frame. */
	if (doing == PROCESS_STOPPED && w->goodbye.sent_ns)
		w->goodbye.sent_ns = now;
	if (doing == PROCESS_STOPPED || !let_go(w, now))
		return false;
	if (w->is_not_ours || w->is_leaving)
		return true;
	if (w->at.place.port == 0 && !find(w))
		return w->idle_ns > 0 && now - w->idle_ns > IDLE_NS;
	if (!is_listening(w)) {
		bool is_over = !w->at.is_moving;

		w->at.is_moving = false;
		w->at.place.port = 0;
		return is_over;
	}
	/* One call is enough: it waits for the loop. */
	if (!w->at.is_asked || (w->idle_ns > 0 && now - w->idle_ns > NS_PER_S)) {
		ask(w);
		w->idle_ns = 0;
	}
	return false;
}

/* A record and the descriptor that belongs to it. */
union passed {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(sizeof(int))];
};

/* Take what came over the socket. Returns false at its end. */
static bool take_records(struct watch_list *l, int socket)
{
	for (;;) {
		struct record record;
		struct iovec part = { &record, sizeof record };
		union passed passed;
		struct msghdr message = { .msg_iov = &part,
					  .msg_iovlen = 1,
					  .msg_control = passed.bytes,
					  .msg_controllen = sizeof passed.bytes };
		ssize_t n = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
		const struct cmsghdr *head = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
		int fd = -1;

		if (head && head->cmsg_type == SCM_RIGHTS)
			memcpy(&fd, CMSG_DATA(head), sizeof fd);
		if (n != (ssize_t)sizeof record) {
			close_fd(&fd);
			return n < 0 && (errno == EAGAIN || errno == EINTR);
		}
		if (record.sign != '=' || fd >= 0)
			take_record(l, &record, fd);
	}
}

static void guard_run(int fd)
{
	struct watch_list l = { .n = 0 };

	while (fd >= 0 || l.n > 0) {
		struct pollfd fds[2 * PLACES + 1] = { { .fd = fd, .events = POLLIN } };
		int64_t next = INT64_MAX, now = clock_ns();

		/* Sleep until there is something to do. */
		for (int i = 0; i < l.n; i++) {
			struct pollfd *ends = &fds[2 * i + 1];

			ends[0] = ends[1] = (struct pollfd){ .fd = -1, .events = POLLIN };
			if (l.list[i].due_ns == 0)
				continue;
			ends[0].fd = l.list[i].pidfd;
			ends[1].fd = l.list[i].fd;
			if (l.list[i].next_ns < next)
				next = l.list[i].next_ns;
		}
		poll(fds, 2 * (nfds_t)l.n + 1,
		     next == INT64_MAX    ? -1
			     : next > now ? (int)((next - now) / NS_PER_MS) + 1
					  : 0);
		for (int i = 0; i < l.n; i++)
			if (fds[2 * i + 1].revents || fds[2 * i + 2].revents)
				l.list[i].next_ns = 0;
		if (fd >= 0 && !take_records(&l, fd)) {
			fd = -1;
			/* The program may have asked targets to close them in its last moment. */
			poll(NULL, 0, l.n > 0 ? SETTLE_MS : 0);
			for (int i = 0; i < l.n; i++)
				make_due(&l.list[i], clock_ns());
		}
		for (int i = l.n - 1; i >= 0; i--)
			if (l.list[i].due_ns != 0 && l.list[i].next_ns <= clock_ns() &&
			    work(&l.list[i]))
				forget(&l, i);
	}
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
	if (chdir("/") != 0)
		_exit(1);
	guard_run(fd);
	_exit(0);
}

/* ---- the program's side ---- */

bool guard_start(struct guard *guard)
{
	int ends[2];

	*guard = (struct guard){ .fd = -1 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
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

/* fd: a connection that goes with it; -1: none. Returns false if the guard does not get it. */
static bool tell(const struct guard *guard, char sign, const struct guard_place *at, int fd)
{
	struct record record;
	struct iovec part = { &record, sizeof record };
	union passed passed = { 0 };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	if (!guard || guard->fd < 0)
		return false;
	memset(&record, 0, sizeof record);
	record.sign = sign;
	record.at = *at;
	if (fd >= 0) {
		passed.head = (struct cmsghdr){ .cmsg_level = SOL_SOCKET,
						.cmsg_type = SCM_RIGHTS,
						.cmsg_len = CMSG_LEN(sizeof fd) };
		memcpy(CMSG_DATA(&passed.head), &fd, sizeof fd);
		message.msg_control = passed.bytes;
		message.msg_controllen = sizeof passed.bytes;
	}
	/* Without the guard nothing else can be done. */
	return sendmsg(guard->fd, &message, MSG_NOSIGNAL) >= 0;
}

bool guard_hold(const struct guard *guard, const struct locate_place *place, int fd)
{
	return tell(guard, '=', &(struct guard_place){ .place = *place }, fd);
}

void guard_add(const struct guard *guard, const struct guard_place *place)
{
	tell(guard, '+', place, -1);
}

void guard_leave(const struct guard *guard, const struct guard_place *place)
{
	tell(guard, '!', place, -1);
}

void guard_remove(const struct guard *guard, const struct locate_place *place)
{
	tell(guard, '-', &(struct guard_place){ .place = *place }, -1);
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
