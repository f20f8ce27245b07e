/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The socket does not block: poll() waits for it and for the user.
 *
 * A thread has a network namespace of its own, and a socket keeps the one that it was made in. So a
 * thread of its own enters the namespace, makes the socket and ends.
 *
 * Node.js writes an event and an answer as two small packets. The second one waits until the first
 * is acknowledged, which Linux delays by 40 ms. TCP_QUICKACK acknowledges at once, but only until
 * the kernel changes its mind: it is set again after each read. */
#include "config.h"

#include "record/remote/connection.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/str.h"
#include "base/thread.h"
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ==== http ====
 *
 * The head is kept as it came; headers are searched in it. */

/* The most bytes of a head and of a body. An application's own server may answer, too. */
#define HTTP_HEAD_MAX (16 << 10)
#define HTTP_BODY_MAX (64 << 10)
#define PIECE 4096

/* Read more. False: failure, or the stream ended, or the deadline passed. */
static bool read_more(struct connection *c, struct http_answer *a, int64_t deadline,
		      struct error *err)
{
	char piece[PIECE];
	ptrdiff_t n = connection_read(c, piece, sizeof piece, deadline, err);

	if (n == CONNECTION_LATE)
		return error_set(err, ERR_IO, -1, "no answer");
	if (n == 0)
		return error_set(err, ERR_IO, -1, "the answer ends too early");
	if (n > 0)
		buf_add(&a->bytes, piece, (size_t)n);
	return n > 0;
}

/* Whether the head is complete; then its length is set. */
static bool has_head(struct http_answer *a)
{
	const char *text = buf_text(&a->bytes), *end = strstr(text, "\r\n\r\n");

	if (end)
		a->head_len = (size_t)(end - text) + 4;
	return end != NULL;
}

bool http_get(struct connection *c, const char *host, int port, const char *path,
	      const char *headers, int64_t deadline, struct http_answer *answer, struct error *err)
{
	struct buf request = { 0 };
	bool is_sent, is_v6 = strchr(host, ':') != NULL;
	const char *text;

	*answer = (struct http_answer){ 0 };
	buf_addf(&request, "GET %s HTTP/1.1\r\nHost: %s%s%s:%d\r\n%s\r\n", path, is_v6 ? "[" : "",
		 host, is_v6 ? "]" : "", port, headers);
	is_sent = connection_write(c, request.data, request.len, deadline, err);
	buf_done(&request);
	if (!is_sent)
		return false;
	while (!has_head(answer)) {
		if (answer->bytes.len > HTTP_HEAD_MAX)
			return error_set(err, ERR_LIMIT, -1, "the answer is too long");
		/* A NUL would hide what follows. */
		if (memchr(buf_text(&answer->bytes), 0, answer->bytes.len))
			return error_set(err, ERR_FORMAT, -1, "the answer is not HTTP");
		if (!read_more(c, answer, deadline, err))
			return false;
	}
	/* `HTTP/1.1 101 Switching Protocols` */
	text = buf_text(&answer->bytes);
	if (strncmp(text, "HTTP/1.", 7) != 0 || strlen(text) < 12 || text[8] != ' ')
		return error_set(err, ERR_FORMAT, -1, "the answer is not HTTP");
	answer->status = (int)strtol(text + 9, NULL, 10);
	return true;
}

bool http_body(struct connection *c, struct http_answer *answer, int64_t deadline, struct str *body,
	       struct error *err)
{
	struct str length = http_header(answer, "content-length");
	char digits[8] = "";
	size_t len;

	if (length.len == 0 || length.len >= sizeof digits)
		return error_set(err, ERR_FORMAT, -1, "the answer does not tell its length");
	memcpy(digits, length.p, length.len);
	len = strspn(digits, "0123456789") == length.len ? (size_t)strtoul(digits, NULL, 10)
							 : SIZE_MAX;
	if (len > HTTP_BODY_MAX)
		return error_set(err, ERR_LIMIT, -1, "the answer is too long");
	while (answer->bytes.len < answer->head_len + len)
		if (!read_more(c, answer, deadline, err))
			return false;
	*body = (struct str){ answer->bytes.data + answer->head_len, len };
	return true;
}

/* Whether `line` begins with the name, in any case, and a colon. */
static bool is_named(const char *line, const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (tolower((unsigned char)line[i]) != name[i])
			return false;
	return line[len] == ':';
}

struct str http_header(const struct http_answer *answer, const char *name)
{
	const char *line = buf_text(&answer->bytes), *end = line + answer->head_len;
	size_t len = strlen(name);

	while ((line = strstr(line, "\r\n")) && line + 2 < end) {
		line += 2;
		if (is_named(line, name, len)) {
			const char *from = line + len + 1, *to = strstr(from, "\r\n");

			while (from < to && (*from == ' ' || *from == '\t'))
				from++;
			while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
				to--;
			return (struct str){ from, (size_t)(to - from) };
		}
	}
	return (struct str){ "", 0 };
}

bool http_is_path(struct str path)
{
	if (path.len == 0 || path.p[0] != '/')
		return false;
	for (size_t i = 0; i < path.len; i++)
		if (!isalnum((unsigned char)path.p[i]) && !memchr("-._~/", path.p[i], 5))
			return false;
	return true;
}

/* ==== connection ==== */

int64_t connection_deadline(int ms)
{
	return clock_ns() + (int64_t)ms * NS_PER_MS;
}

/* late: the error at the deadline; NULL: none is set then. */
static bool wait_for(const struct connection *c, short events, int64_t deadline, const char *late,
		     struct error *err)
{
	for (;;) {
		struct pollfd fds[2] = { { .fd = c->fd, .events = events },
					 { .fd = c->cancel_fd, .events = POLLIN } };
		int64_t left = deadline - clock_ns();
		int n = poll(fds, 2, left > 0 ? (int)((left + NS_PER_MS - 1) / NS_PER_MS) : 0);

		if (n < 0 && errno != EINTR)
			return error_errno(err, errno, "waiting for the process");
		if (n > 0 && fds[1].revents)
			return error_set(err, ERR_CANCELLED, -1, "cancelled");
		if (n > 0 && fds[0].revents)
			return true;
		if (n == 0 && left <= 0)
			return late && error_set(err, ERR_IO, -1, "%s", late);
	}
}

/* ---- opening ---- */

struct making {
	int family, fd;
	int errnum; /* why there is no socket */
	const char *netns;
	bool is_refused; /* the namespace cannot be entered */
};

static void make(struct making *m)
{
	m->fd = socket(m->family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	m->errnum = m->fd < 0 ? errno : 0;
}

static void *make_inside(void *ctx)
{
	struct making *m = ctx;
	int ns = open(m->netns, O_RDONLY | O_CLOEXEC);

	if (ns < 0 || setns(ns, CLONE_NEWNET) != 0) {
		m->errnum = errno;
		m->is_refused = true;
	} else {
		make(m);
	}
	if (ns >= 0)
		close(ns);
	return NULL;
}

static bool make_socket(struct making *m, struct error *err)
{
	pthread_t thread;

	if (!m->netns) {
		make(m);
	} else {
		if (!thread_start(&thread, make_inside, m))
			return error_set(err, ERR_LIMIT, -1, "no thread can be started");
		pthread_join(thread, NULL);
	}
	if (m->fd >= 0)
		return true;
	if (m->is_refused)
		return error_errno(err, m->errnum,
				   "the process is in another network namespace (%s); to enter it "
				   "needs CAP_SYS_ADMIN",
				   m->netns);
	return error_errno(err, m->errnum, "a socket");
}

static bool connect_to(struct connection *c, const struct addrinfo *address, int64_t deadline,
		       struct error *err)
{
	int one = 1, errnum = 0;
	socklen_t len = sizeof errnum;

	setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	if (connect(c->fd, address->ai_addr, address->ai_addrlen) == 0)
		return true;
	if (errno != EINPROGRESS)
		return error_errno(err, errno, "connecting");
	if (!wait_for(c, POLLOUT, deadline, "connecting took too long", err))
		return false;
	if (getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &errnum, &len) != 0)
		errnum = errno;
	return errnum == 0 || error_errno(err, errnum, "connecting");
}

bool connection_open(struct connection *c, const char *host, int port, const char *netns,
		     int64_t deadline, struct error *err)
{
	/* A name would be looked up at a name server, which takes its own time. */
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
				  .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV };
	struct addrinfo *list;
	struct making m = { .fd = -1, .netns = netns };
	char service[16];

	c->fd = -1;
	snprintf(service, sizeof service, "%d", port);
	if (getaddrinfo(host, service, &hints, &list) != 0)
		return error_set(err, ERR_IO, -1, "'%s' is not a numeric address", host);
	m.family = list->ai_family;
	if (make_socket(&m, err)) {
		c->fd = m.fd;
		if (!connect_to(c, list, deadline, err))
			connection_close(c);
	}
	freeaddrinfo(list);
	return c->fd >= 0;
}

void connection_close(struct connection *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

/* ---- bytes ---- */

/* A process that sends without end gives no reason to wait: so each read looks at this. */
static bool is_cancelled(const struct connection *c, struct error *err)
{
	struct pollfd fd = { .fd = c->cancel_fd, .events = POLLIN };

	if (c->cancel_fd < 0 || poll(&fd, 1, 0) <= 0)
		return false;
	error_set(err, ERR_CANCELLED, -1, "cancelled");
	return true;
}

bool connection_write(struct connection *c, const char *bytes, size_t len, int64_t deadline,
		      struct error *err)
{
	while (len > 0) {
		ssize_t n = send(c->fd, bytes, len, MSG_NOSIGNAL);

		if (n > 0) {
			bytes += n;
			len -= (size_t)n;
			continue;
		}
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return error_errno(err, errno, "writing to the process");
		if (!wait_for(c, POLLOUT, deadline, "the process does not take what is sent", err))
			return false;
	}
	return true;
}

ptrdiff_t connection_read(struct connection *c, void *out, size_t size, int64_t deadline,
			  struct error *err)
{
	if (is_cancelled(c, err))
		return -1;
	for (;;) {
		ssize_t n = recv(c->fd, out, size, 0);
		int one = 1;

		if (n >= 0) {
			setsockopt(c->fd, IPPROTO_TCP, TCP_QUICKACK, &one, sizeof one);
			return n;
		}
		if (errno != EAGAIN && errno != EINTR) {
			error_errno(err, errno, "reading from the process");
			return -1;
		}
		if (!wait_for(c, POLLIN, deadline, NULL, err))
			return err->kind == ERR_NONE ? CONNECTION_LATE : -1;
	}
}
