/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Destinations that are no regular files (a terminal, a pipe, a device) are written in place, and
 * so is the file that standard output is, as /dev/stdout may be. All others are drafts. */
#include "config.h"

#include "base/sink.h"

#include "base/alloc.h"
#include "base/draft.h"
#include "base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STEP_BYTES ((size_t)1 << 20)
#define WATCH_BYTES ((size_t)1 << 16)
#define WATCH_STEPS 256u

struct sink {
	struct buf buf;
	int fd;              /* -1: memory */
	struct draft *draft; /* owns fd; NULL: written in place */
	bool (*watch)(void *ctx, int64_t bytes);
	void *watch_ctx;
	int64_t written;  /* bytes before those in buf */
	size_t n_steps;   /* since the last call of watch */
	size_t watch_len; /* of buf, when it must be called again */
	int64_t limit;    /* of bytes; 0: none */
	int64_t worked;   /* bytes that are not in the output */
	struct error err;
};

static struct sink *sink_new(int fd)
{
	struct sink *s = xcalloc(1, sizeof *s);

	s->fd = fd;
	s->err = (struct error)ERROR_INIT;
	return s;
}

struct sink *sink_open_memory(void)
{
	return sink_new(-1);
}

static bool is_same_file(const struct stat *a, int fd)
{
	struct stat b;

	return fstat(fd, &b) == 0 && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

struct sink *sink_open(const char *path, bool is_forced, struct error *err)
{
	struct sink *s = sink_new(-1);
	struct stat st;
	bool is_there = path && stat(path, &st) == 0;

	if (!path || strcmp(path, "-") == 0 || (is_there && is_same_file(&st, STDOUT_FILENO))) {
		s->fd = STDOUT_FILENO;
	} else if (!is_forced &&
		   (is_there ? S_ISREG(st.st_mode) || S_ISBLK(st.st_mode)
			     : lstat(path, &st) == 0)) {
		error_set(err, ERR_IO, -1, "exists already; --force replaces it");
	} else if (is_there && !S_ISREG(st.st_mode)) {
		s->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
		if (s->fd < 0)
			error_errno(err, errno, "cannot write");
	} else {
		s->draft = draft_open(path, is_forced, err);
		if (s->draft)
			s->fd = draft_fd(s->draft);
	}
	if (s->fd >= 0)
		return s;
	sink_drop(s);
	return NULL;
}

struct buf *sink_buf(struct sink *s)
{
	return &s->buf;
}

void sink_fail(struct sink *s, const struct error *err)
{
	if (s->err.kind == ERR_NONE)
		s->err = *err;
}

/* Another program may have made the output non-blocking, which it then is for all programs that
 * share it: a full pipe is an error for write(), but only a reason to wait. */
static bool write_all(int fd, const struct buf *text, struct error *err)
{
	size_t at = 0;

	while (at < text->len) {
		ssize_t n = write(fd, text->data + at, text->len - at);

		if (n >= 0)
			at += (size_t)n;
		else if (errno == EAGAIN || errno == EWOULDBLOCK)
			poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, -1);
		else if (errno != EINTR)
			return error_errno(err, errno, "cannot write");
	}
	return true;
}

static bool write_buf(struct sink *s)
{
	if (s->err.kind == ERR_NONE)
		write_all(s->fd, &s->buf, &s->err);
	s->written += (int64_t)s->buf.len;
	s->watch_len = 0;
	buf_clear(&s->buf);
	return s->err.kind == ERR_NONE;
}

bool sink_print(int fd, const struct buf *text, struct error *err)
{
	return write_all(fd, text, err);
}

void sink_watch(struct sink *s, bool (*watch)(void *ctx, int64_t bytes), void *ctx)
{
	s->watch = watch;
	s->watch_ctx = ctx;
}

/* Call the watch every WATCH_BYTES of output, and every WATCH_STEPS steps of few bytes. */
static void look(struct sink *s)
{
	if (++s->n_steps < WATCH_STEPS && s->buf.len < s->watch_len)
		return;
	s->n_steps = 0;
	s->watch_len = s->buf.len + WATCH_BYTES;
	if (!s->watch(s->watch_ctx, s->written + (int64_t)s->buf.len) && s->err.kind == ERR_NONE)
		error_set(&s->err, ERR_CANCELLED, -1, "cancelled");
}

void sink_limit(struct sink *s, int64_t bytes)
{
	s->limit = bytes;
}

void sink_work(struct sink *s, size_t bytes)
{
	s->worked += (int64_t)bytes;
}

/* Fail when there is too much. */
static void check_limit(struct sink *s)
{
	char limit[UNITS_MAX];

	if (s->written + (int64_t)s->buf.len + s->worked <= s->limit || s->err.kind != ERR_NONE)
		return;
	units_bytes(s->limit, limit);
	error_set(&s->err, ERR_LIMIT, -1,
		  "longer than %s, because the stacks have many rows; --max-output=SIZE allows "
		  "more, 0 any size",
		  limit);
}

bool sink_step(struct sink *s)
{
	if (s->watch)
		look(s);
	if (s->limit)
		check_limit(s);
	if (s->buf.len < STEP_BYTES || s->fd < 0)
		return s->err.kind == ERR_NONE;
	return write_buf(s);
}

bool sink_close(struct sink *s, struct error *err)
{
	bool ok = s->err.kind == ERR_NONE && (s->fd < 0 || write_buf(s)) &&
		(!s->draft || draft_publish(s->draft, &s->err));

	if (!ok)
		*err = s->err;
	sink_drop(s);
	return ok;
}

void sink_drop(struct sink *s)
{
	if (!s)
		return;
	if (s->fd >= 0 && s->fd != STDOUT_FILENO && !s->draft)
		close(s->fd);
	draft_drop(s->draft);
	buf_done(&s->buf);
	free(s);
}
