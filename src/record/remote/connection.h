/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A TCP connection to a process of this machine. Every wait ends: with data, at a deadline, or when
 * the user cancels. */
#ifndef FLAMETTY_RECORD_REMOTE_CONNECTION_H
#define FLAMETTY_RECORD_REMOTE_CONNECTION_H

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

#include <stddef.h>

struct connection {
	int fd;        /* -1: not open */
	int cancel_fd; /* readable once the user has cancelled; -1: the user cannot; borrowed */
};

#define CONNECTION_INIT                                                                            \
	{                                                                                          \
		.fd = -1, .cancel_fd = -1                                                          \
	}

/* The moment that is `ms` milliseconds from now, for the functions below. */
int64_t connection_deadline(int ms);

/* Connect to a numeric address.
 * netns: the network namespace of the process (/proc/PID/ns/net); NULL: that of the caller. To
 * enter another one needs CAP_SYS_ADMIN.
 * deadline: as connection_deadline() gives it. On failure nothing is open. */
bool connection_open(struct connection *c, const char *host, int port, const char *netns,
		     int64_t deadline, struct error *err) MUST_USE;
void connection_close(struct connection *c);

/* Write all bytes. */
bool connection_write(struct connection *c, const char *bytes, size_t len, int64_t deadline,
		      struct error *err) MUST_USE;

/* Read what is there, at most `size` bytes. Returns their number; 0 at the end of the stream; -1
 * and err on failure, or when the user cancels; CONNECTION_LATE at the deadline if nothing is
 * there, which is no failure: the connection stays as it is. */
#define CONNECTION_LATE (-2)

ptrdiff_t connection_read(struct connection *c, void *out, size_t size, int64_t deadline,
			  struct error *err) MUST_USE;

struct http_answer {
	int status;       /* as 200 */
	struct buf bytes; /* head and what came after it */
	size_t head_len;  /* with the empty line */
};

/* Send `GET path` with a Host header and the lines of `headers`, each with its CR LF, and read the
 * head of the answer, with what came along. No Origin is sent: inspectors refuse it. path and
 * headers must not contain what a server or a user gave, except after http_is_path(). */
bool http_get(struct connection *c, const char *host, int port, const char *path,
	      const char *headers, int64_t deadline, struct http_answer *answer,
	      struct error *err) MUST_USE;

/* Read the body that Content-Length announces. body: borrowed from the answer. */
bool http_body(struct connection *c, struct http_answer *answer, int64_t deadline, struct str *body,
	       struct error *err) MUST_USE;

/* The value of a header without blanks around it; name: in lower case. Empty: there is none. */
struct str http_header(const struct http_answer *answer, const char *name);

/* Whether a path consists of letters, digits and -._~/ only, and begins with a slash. */
bool http_is_path(struct str path);

static inline void http_done(struct http_answer *answer)
{
	buf_done(&answer->bytes);
}

#endif
