/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One GET request over HTTP/1.1 (RFC 9112), as the inspector of a JavaScript runtime answers it: a
 * head, and a short body whose length the head tells. */
#ifndef FLAMETTY_REMOTE_HTTP_H
#define FLAMETTY_REMOTE_HTTP_H

#include "base/buf.h"
#include "base/str.h"
#include "record/remote/connection.h"

/* The most bytes of a head and of a body. An application's own server may answer, too. */
#define HTTP_HEAD_MOST (16 << 10)
#define HTTP_BODY_MOST (64 << 10)

struct http_answer {
	int status;       /* as 200 */
	struct buf bytes; /* head and what came after it */
	size_t head_len;  /* with the empty line */
};

/* Send `GET path` with a Host header and the lines of `headers`, each with its CR LF, and read the
 * head of the answer, with what came along. No Origin is sent: inspectors refuse it. path and
 * headers must not contain what a server or a user gave, except after http_is_path(). */
bool http_get(struct connection *c, const char *host, int port, const char *path,
	      const char *headers, int64_t deadline, struct http_answer *answer, struct error *err);

/* Read the body that Content-Length announces. body: borrowed from the answer. */
bool http_body(struct connection *c, struct http_answer *answer, int64_t deadline, struct str *body,
	       struct error *err);

/* The value of a header without blanks around it; name: in lower case. Empty: there is none. */
struct str http_header(const struct http_answer *answer, const char *name);

/* Whether a path consists of letters, digits and -._~/ only, and begins with a slash. */
bool http_is_path(struct str path);

void http_done(struct http_answer *answer);

#endif
