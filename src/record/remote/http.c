/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The head is kept as it came; headers are searched in it. */
#include "config.h"

#include "record/remote/http.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

/* `HTTP/1.1 101 Switching Protocols` */
static bool parse_status(struct http_answer *a, struct error *err)
{
	const char *text = buf_text(&a->bytes);

	if (strncmp(text, "HTTP/1.", 7) != 0 || strlen(text) < 12 || text[8] != ' ')
		return error_set(err, ERR_FORMAT, -1, "the answer is not HTTP");
	a->status = (int)strtol(text + 9, NULL, 10);
	return true;
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

	*answer = (struct http_answer){ 0 };
	buf_addf(&request, "GET %s HTTP/1.1\r\nHost: %s%s%s:%d\r\n%s\r\n", path, is_v6 ? "[" : "",
		 host, is_v6 ? "]" : "", port, headers);
	is_sent = connection_write(c, request.data, request.len, deadline, err);
	buf_done(&request);
	if (!is_sent)
		return false;
	while (!has_head(answer)) {
		if (answer->bytes.len > HTTP_HEAD_MOST)
			return error_set(err, ERR_LIMIT, -1, "the answer is too long");
		/* A NUL would hide what follows. */
		if (memchr(buf_text(&answer->bytes), 0, answer->bytes.len))
			return error_set(err, ERR_FORMAT, -1, "the answer is not HTTP");
		if (!read_more(c, answer, deadline, err))
			return false;
	}
	return parse_status(answer, err);
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
	if (len > HTTP_BODY_MOST)
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

void http_done(struct http_answer *answer)
{
	buf_done(&answer->bytes);
}
