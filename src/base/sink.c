/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Destinations that are no regular files (a terminal, a pipe, a device) are written in place, and
 * so is the file that standard output is, as /dev/stdout may be. All others are drafts. */
#include "config.h"

#include "base/sink.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/signals.h"
#include "base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== draft ====
 *
 * A file has no name while it is written (O_TMPFILE); it gets one by linkat() from /proc. On file
 * systems without such files, and without /proc, it has a temporary name next to its destination:
 * NAME.XXXXXX. Signals that end the program, and die(), remove files with a temporary name.
 *
 * To replace a file, the new one is renamed, as linkat() does not replace: it has a temporary name
 * then, too, if only for a moment. Other hard links of the old file keep its contents.
 *
 * Invariants:
 * 1. A draft with a temporary name is in the list `named`, which a signal handler walks. It is
 *    valid at any time.
 * 2. Signals, except faults, are blocked while a temporary name is made, given up or removed. */

#define LINKS_MAX 40 /* symbolic links that lead from one to the next */
#define TRIES_MAX 100
/* Bytes of NAME, so that NAME.XXXXXX is not too long for a file system. */
#define NAME_BYTES_MAX 200

struct draft {
	int fd; /* -1: could not be opened */
	bool is_forced;
	char *path;
	char *name; /* the temporary name; NULL: has none */
	struct draft *next;
};

/* Threads take the lock to change it, with signals blocked. */
static struct draft *volatile named;
static pthread_mutex_t named_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- drafts with a temporary name ---- */

static void unblock_signals(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* Called by signal handlers and at exit. */
static void remove_all(void)
{
	for (const struct draft *d = named; d; d = d->next)
		unlink(d->name);
}

/* Enter the draft into the list; its file is there, or will be in a moment. */
static void enter_name(struct draft *d, char *take_name)
{
	static bool is_registered;

	pthread_mutex_lock(&named_lock);
	d->name = take_name;
	d->next = named;
	if (!named)
		signals_add(remove_all);
	named = d;
	if (!is_registered)
		is_registered = atexit(remove_all) == 0;
	pthread_mutex_unlock(&named_lock);
}

static void forget_name(struct draft *d)
{
	struct draft *volatile *at = &named;

	pthread_mutex_lock(&named_lock);
	while (*at != d)
		at = &(*at)->next;
	*at = d->next;
	if (!named)
		signals_remove(remove_all);
	pthread_mutex_unlock(&named_lock);
	free(d->name);
	d->name = NULL;
}

/* A name that probably no file has. */
static char *make_name(const char *path, int nth_try)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	uint64_t mix = ((uint64_t)clock_ns() + (uint64_t)getpid() * 1000003 + (uint64_t)nth_try) *
		UINT64_C(0x9e3779b97f4a7c15);
	size_t size = strlen(path) + sizeof "flametty.XXXXXX";
	char *name = xmalloc(size);

	snprintf(name, size, "%.*s%s.%06x", (int)(base - path), path,
		 strlen(base) > NAME_BYTES_MAX ? "flametty" : base, (unsigned)(mix >> 40));
	return name;
}

static bool open_named(struct draft *d, mode_t mode, struct error *err)
{
	sigset_t before;
	int errnum = EEXIST;

	for (int i = 0; i < TRIES_MAX && d->fd < 0 && errnum == EEXIST; i++) {
		char *name = make_name(d->path, i);

		signals_block(&before);
		d->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		errnum = errno;
		if (d->fd >= 0)
			enter_name(d, name);
		else
			free(name);
		unblock_signals(&before);
	}
	return d->fd >= 0 || error_errno(err, errnum, "cannot write");
}

/* ---- drafts without a name ---- */

/* The directory of a path, to be freed. A slash at its end does not count. */
static char *folder_of(const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	while (len > 0 && path[len - 1] != '/')
		len--;
	while (len > 1 && path[len - 1] == '/')
		len--;
	return len ? xstrndup(path, len) : xstrdup(".");
}

static void format_source(const struct draft *d, char text[32])
{
	snprintf(text, 32, "/proc/self/fd/%d", d->fd);
}

/* Leaves fd at -1 if that is not possible here. */
static void open_unnamed(struct draft *d, mode_t mode)
{
#ifdef O_TMPFILE
	char *folder = folder_of(d->path), source[32];
	struct stat file, linked;

	d->fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
	free(folder);
	if (d->fd < 0)
		return;
	format_source(d, source);
	if (fstat(d->fd, &file) != 0 || stat(source, &linked) != 0 ||
	    file.st_dev != linked.st_dev || file.st_ino != linked.st_ino) {
		close(d->fd);
		d->fd = -1;
	}
#else
	(void)d;
	(void)mode;
#endif
}

static int link_as(const struct draft *d, const char *name)
{
	char source[32];

	if (d->name)
		return link(d->name, name);
	format_source(d, source);
	return linkat(AT_FDCWD, source, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* ---- opening ---- */

/* The file that a path means after all symbolic links, also if there is no such file yet. To be
 * freed. Returns NULL and fills err if the links do not end. */
static char *follow_links(const char *path, struct error *err)
{
	char *now = xstrdup(path), to[4096];

	for (int i = 0; i < LINKS_MAX; i++) {
		ssize_t n = readlink(now, to, sizeof to - 1);
		const char *slash = strrchr(now, '/');
		size_t folder = slash && n > 0 && to[0] != '/' ? (size_t)(slash + 1 - now) : 0;
		char *next;

		if (n <= 0 || n == (ssize_t)sizeof to - 1)
			return now;
		to[n] = '\0';
		next = xmalloc(folder + (size_t)n + 1);
		memcpy(next, now, folder);
		memcpy(next + folder, to, (size_t)n + 1);
		free(now);
		now = next;
	}
	free(now);
	error_errno(err, ELOOP, "cannot write");
	return NULL;
}

/* Set owner and mode as `old` has them. If the group is another one, it may not do more than all
 * others may. A file system without owners or modes is no reason to fail. */
static void keep_mode(int fd, const struct stat *old)
{
	mode_t mode = old->st_mode & 0777;
	struct stat now;

	if (fchown(fd, old->st_uid, old->st_gid) != 0 && fchown(fd, (uid_t)-1, old->st_gid) != 0)
		errno = 0;
	if (fstat(fd, &now) != 0 || now.st_gid != old->st_gid)
		mode &= 0707 | (mode & 07) << 3;
	if (fchmod(fd, mode) != 0)
		errno = 0;
}

/* Free the draft; unless it was published, its file is removed. */
static void draft_drop(struct draft *d)
{
	sigset_t before;

	if (!d)
		return;
	signals_block(&before);
	if (d->name) {
		unlink(d->name);
		forget_name(d);
	}
	unblock_signals(&before);
	if (d->fd >= 0)
		close(d->fd);
	free(d->path);
	free(d);
}

/* Begin a file that shall be called `path`. is_forced: if there is a file of that name, or if the
 * name is a symbolic link to one, that file is replaced. Otherwise publishing fails if there is
 * one. Returns NULL and fills err on failure. */
static struct draft *draft_open(const char *path, bool is_forced, struct error *err)
{
	struct draft *d = xcalloc(1, sizeof *d);
	struct stat old = { 0 };
	bool is_there;
	mode_t mode;

	d->fd = -1;
	d->is_forced = is_forced;
	d->path = is_forced ? follow_links(path, err) : xstrdup(path);
	if (!d->path)
		goto fail;
	is_there = lstat(d->path, &old) == 0;
	/* A name that cannot be given is an error now, not after all the work. */
	if (!is_there && (errno != ENOENT || !*d->path)) {
		error_errno(err, errno, "cannot write");
		goto fail;
	}
	/* Only the user may read it before it has the mode of the old file. */
	mode = is_there ? 0600 : 0666;
	open_unnamed(d, mode);
	if (d->fd < 0 && !open_named(d, mode, err))
		goto fail;
	if (is_there)
		keep_mode(d->fd, &old);
	return d;
fail:
	draft_drop(d);
	return NULL;
}

/* ---- publishing ---- */

/* Rename the draft, which gets a temporary name for that if it has none. */
static bool replace(struct draft *d, struct error *err)
{
	int errnum = EEXIST;

	for (int i = 0; i < TRIES_MAX && !d->name && errnum == EEXIST; i++) {
		char *name = make_name(d->path, i);

		errnum = 0;
		if (link_as(d, name) == 0) {
			enter_name(d, name);
		} else {
			errnum = errno;
			free(name);
		}
	}
	if (!d->name)
		return error_errno(err, errnum, "cannot write");
	if (rename(d->name, d->path) != 0)
		return error_errno(err, errno, "cannot write");
	forget_name(d);
	return true;
}

static bool publish(struct draft *d, struct error *err)
{
	if (d->is_forced)
		return replace(d, err);
	if (link_as(d, d->path) == 0) {
		if (d->name && unlink(d->name) != 0)
			return error_errno(err, errno, "cannot remove %s", d->name);
		if (d->name)
			forget_name(d);
		return true;
	}
	if (d->name && errno != EEXIST) {
		int fd = open(d->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

		/* On file systems without hard links, an empty file keeps the name until the draft
		 * replaces it. */
		if (fd < 0 && errno == EEXIST)
			return error_set(err, ERR_IO, -1, "exists already; --force replaces it");
		if (fd < 0)
			return error_errno(err, errno, "cannot write");
		close(fd);
		if (replace(d, err))
			return true;
		unlink(d->path);
		return false;
	}
	return errno == EEXIST ? error_set(err, ERR_IO, -1, "exists already; --force replaces it")
			       : error_errno(err, errno, "cannot write");
}

/* Give the complete file its name. To be called once. Returns false and fills err on failure: then
 * the file is lost. */
static bool draft_publish(struct draft *d, struct error *err)
{
	sigset_t before;
	int copy = dup(d->fd);
	bool ok;

	/* Some file systems report errors of write() only when a descriptor is closed. */
	if (copy < 0 || close(copy) != 0)
		return error_errno(err, errno, "cannot write");
	signals_block(&before);
	ok = publish(d, err);
	unblock_signals(&before);
	return ok;
}

/* ==== sink ==== */

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

static struct sink *sink_new(void)
{
	struct sink *s = xcalloc(1, sizeof *s);

	s->fd = -1;
	s->err = (struct error)ERROR_INIT;
	return s;
}

struct sink *sink_open_memory(void)
{
	return sink_new();
}

char *sink_folder(const char *path)
{
	struct error err = ERROR_INIT;
	ALLOC_LOCAL char *file = follow_links(path, &err);

	return folder_of(file ? file : path);
}

struct sink *sink_open(const char *path, bool is_forced, struct error *err)
{
	struct sink *s = sink_new();
	struct stat st, own;
	bool is_there = path && stat(path, &st) == 0;
	bool is_own = is_there && fstat(STDOUT_FILENO, &own) == 0 && own.st_dev == st.st_dev &&
		own.st_ino == st.st_ino;

	if (!path || strcmp(path, "-") == 0 || is_own) {
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
			s->fd = s->draft->fd;
	}
	if (s->fd >= 0)
		return s;
	sink_drop(s);
	return NULL;
}

void sink_hide(struct sink *s)
{
	/* Some file systems have no modes. */
	if (s->draft && fchmod(s->draft->fd, 0600) != 0)
		errno = 0;
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
	/* The watch is called every WATCH_BYTES of output, and every WATCH_STEPS steps of few
	 * bytes. */
	if (s->watch && (++s->n_steps >= WATCH_STEPS || s->buf.len >= s->watch_len)) {
		s->n_steps = 0;
		s->watch_len = s->buf.len + WATCH_BYTES;
		if (!s->watch(s->watch_ctx, s->written + (int64_t)s->buf.len) &&
		    s->err.kind == ERR_NONE)
			error_set(&s->err, ERR_CANCELLED, -1, "cancelled");
	}
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
