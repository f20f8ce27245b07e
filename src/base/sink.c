/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file is written next to its destination, as NAME.XXXXXX, and moved there at the end. Without
 * is_forced it is linked instead of renamed: link() fails when a file with that name has appeared
 * in the meantime. Destinations that are no regular files (a terminal, a pipe) are written in
 * place. */
#include "config.h"

#include "base/sink.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STEP_BYTES ((size_t)1 << 20)

struct sink {
	struct buf buf;
	int fd;      /* -1: memory */
	char *path;  /* NULL: written in place */
	char *draft; /* the temporary name */
	bool is_forced;
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

static bool open_draft(struct sink *s, struct error *err)
{
	size_t size = strlen(s->path) + sizeof ".XXXXXX";
	mode_t mask = umask(0);

	umask(mask);
	s->draft = xmalloc(size);
	snprintf(s->draft, size, "%s.XXXXXX", s->path);
	s->fd = mkstemp(s->draft);
	if (s->fd < 0) {
		free(s->draft);
		s->draft = NULL;
		return error_errno(err, errno, "cannot write");
	}
	/* mkstemp() makes the file private. A file system without modes is no reason to fail. */
	if (fchmod(s->fd, 0666 & ~mask) != 0)
		errno = 0;
	return true;
}

struct sink *sink_open(const char *path, bool is_forced, struct error *err)
{
	struct sink *s;
	struct stat st;

	if (!path || strcmp(path, "-") == 0)
		return sink_new(STDOUT_FILENO);
	s = sink_new(-1);
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		s->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
		if (s->fd >= 0)
			return s;
		error_errno(err, errno, "cannot write");
	} else if (lstat(path, &st) == 0 && !is_forced) {
		error_set(err, ERR_IO, -1, "exists already; --force replaces it");
	} else {
		s->path = xstrdup(path);
		s->is_forced = is_forced;
		if (open_draft(s, err))
			return s;
	}
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
	buf_clear(&s->buf);
	return s->err.kind == ERR_NONE;
}

bool sink_print(int fd, const struct buf *text, struct error *err)
{
	return write_all(fd, text, err);
}

bool sink_step(struct sink *s)
{
	if (s->buf.len < STEP_BYTES || s->fd < 0)
		return s->err.kind == ERR_NONE;
	return write_buf(s);
}

/* Give the temporary file its final name. */
static bool publish(struct sink *s)
{
	if (!s->is_forced) {
		if (link(s->draft, s->path) == 0)
			return unlink(s->draft) == 0 ||
				error_errno(&s->err, errno, "cannot remove %s", s->draft);
		if (errno == EEXIST)
			return error_set(&s->err, ERR_IO, -1,
					 "exists already; --force replaces it");
		/* This file system has no hard links. */
	}
	return rename(s->draft, s->path) == 0 || error_errno(&s->err, errno, "cannot write");
}

bool sink_close(struct sink *s, struct error *err)
{
	bool ok = s->fd < 0 || write_buf(s);

	if (s->draft) {
		if (close(s->fd) != 0)
			ok = error_errno(&s->err, errno, "cannot write");
		s->fd = -1;
		if (ok && publish(s)) {
			free(s->draft);
			s->draft = NULL;
		}
	}
	ok = s->err.kind == ERR_NONE;
	if (!ok)
		*err = s->err;
	sink_drop(s);
	return ok;
}

void sink_drop(struct sink *s)
{
	if (!s)
		return;
	if (s->fd >= 0 && s->fd != STDOUT_FILENO)
		close(s->fd);
	if (s->draft)
		unlink(s->draft);
	buf_done(&s->buf);
	free(s->path);
	free(s->draft);
	free(s);
}
