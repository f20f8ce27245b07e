/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What inotify tells is only a reason to look; watch.c finds out what has changed. The directories
 * are watched, not the files: a file that is replaced is another one.
 *
 * After an event the thread waits a moment before it looks, so that a file that is being written
 * costs a few looks, not one for each block. Directories below a directory (-r) may come and go, so
 * those are looked at every second, too.
 *
 * A thread that gets no memory is lost (alloc.h): the files are not watched any more.
 *
 * The mutex guards `news`, `missing`, `is_stopped` and `is_left`; all other state belongs to the
 * thread. */
#include "config.h"

#include "read/load/watcher.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/thread.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef HAVE_SYS_INOTIFY_H
#include <sys/inotify.h>
#include <sys/vfs.h>
#endif

#define LOOK_MS 1000 /* without events */
#define CALM_MS 50   /* from an event to the look */

struct watcher {
	const struct wake *wake;
	struct watch *watch;
	struct wake stop; /* wakes the thread */
	int notice;       /* of inotify; -1: none */
	bool is_recursive;
	pthread_t thread;

	pthread_mutex_t mutex;
	enum watch_news news;
	struct buf missing;
	bool is_stopped, is_looking;
	bool is_left; /* the thread frees the watcher */
};

/* ---- inotify ---- */

#ifdef HAVE_SYS_INOTIFY_H

#define EVENTS                                                                                     \
	(IN_CREATE | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO |        \
	 IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF)

/* Whether changes on another machine, or by a program behind FUSE, may be missed. */
static bool is_remote(const char *folder)
{
	static const unsigned long kinds[] = {
		0x6969 /* NFS */,      0x517B /* SMB */,    0xFF534D42 /* CIFS */,
		0xFE534D42 /* SMB2 */, 0x01021997 /* 9P */, 0x65735546 /* FUSE */,
	};
	struct statfs fs;

	if (statfs(folder, &fs) != 0)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (((unsigned long)fs.f_type & 0xFFFFFFFF) == kinds[i])
			return true;
	return false;
}

static int open_notice(void)
{
	return inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}

/* Watch the directories as they are now; those that are watched already stay so. False: some cannot
 * be watched. */
static bool watch_all(const struct watcher *w)
{
	size_t n;
	const char *const *folders = watch_folders(w->watch, &n);
	bool is_all = w->notice >= 0;

	for (size_t i = 0; i < n && is_all; i++)
		is_all = inotify_add_watch(w->notice, folders[i], EVENTS) >= 0 &&
			!is_remote(folders[i]);
	return is_all;
}

#else

static int open_notice(void)
{
	return -1;
}

static bool watch_all(const struct watcher *w)
{
	(void)w;
	return false;
}

#endif

static void forget_events(int notice)
{
	char bytes[4096];

	while (read(notice, bytes, sizeof bytes) > 0)
		;
}

/* ---- the thread ---- */

static bool is_stopped(struct watcher *w)
{
	bool is;

	pthread_mutex_lock(&w->mutex);
	is = w->is_stopped;
	pthread_mutex_unlock(&w->mutex);
	return is;
}

/* Wait up to `ms` (below 0: no limit) for an event, or until the watcher is stopped. */
static void wait_for(struct watcher *w, int ms)
{
	struct pollfd fds[] = { { .fd = wake_fd(&w->stop), .events = POLLIN },
				{ .fd = w->notice, .events = POLLIN } };

	poll(fds, 2, ms);
	if (!(fds[1].revents & POLLIN))
		return;
	poll(fds, 1, CALM_MS);
	forget_events(w->notice);
}

static void tell(struct watcher *w, enum watch_news news)
{
	struct buf missing = { 0 };

	if (news == WATCH_GONE)
		watch_missing(w->watch, &missing);
	pthread_mutex_lock(&w->mutex);
	w->news = news;
	buf_done(&w->missing);
	w->missing = missing;
	/* Whom to wake may be gone after that. */
	if (!w->is_stopped)
		wake_up(w->wake);
	pthread_mutex_unlock(&w->mutex);
}

static enum watch_news look(struct watcher *w)
{
	enum watch_news news = WATCH_SAME;
	bool is_on;

	pthread_mutex_lock(&w->mutex);
	is_on = w->is_looking = !w->is_stopped;
	pthread_mutex_unlock(&w->mutex);
	if (is_on)
		news = watch_look(w->watch, clock_ns());
	pthread_mutex_lock(&w->mutex);
	w->is_looking = false;
	pthread_mutex_unlock(&w->mutex);
	return news;
}

static void release(struct watcher *w)
{
	watch_free(w->watch);
	if (w->notice >= 0)
		close(w->notice);
	wake_close(&w->stop);
	buf_done(&w->missing);
	pthread_mutex_destroy(&w->mutex);
	free(w);
}

/* It is as if the look never ended. */
static bool lose(void *ctx, const char *text)
{
	(void)ctx;
	(void)text;
	return true;
}

static void *run(void *ctx)
{
	struct watcher *w = ctx;
	bool is_gone = false, is_left;

	die_set_rescue(&(struct die_rescue){ lose, w });
	while (!is_stopped(w)) {
		bool has_notice = watch_all(w) && !w->is_recursive;
		/* After the directories are watched, or a change between would be missed. */
		enum watch_news news = look(w);

		if (news == WATCH_READY) {
			watch_take(w->watch);
			tell(w, news);
		} else if (news == WATCH_GONE && !is_gone) {
			tell(w, news);
		}
		is_gone = news == WATCH_GONE;
		wait_for(w,
			 news == WATCH_WAIT               ? (int)(WATCH_QUIET_NS / NS_PER_MS) / 2
				 : has_notice && !is_gone ? -1
							  : LOOK_MS);
	}
	pthread_mutex_lock(&w->mutex);
	is_left = w->is_left;
	pthread_mutex_unlock(&w->mutex);
	if (is_left)
		release(w);
	return NULL;
}

/* ---- for the others ---- */

struct watcher *watcher_start(const struct watch_options *options, const struct wake *wake,
			      bool has_no_notice)
{
	struct watcher *w = xcalloc(1, sizeof *w);

	*w = (struct watcher){ .wake = wake, .is_recursive = options->is_recursive, .notice = -1 };
	pthread_mutex_init(&w->mutex, NULL);
	w->watch = watch_new(options);
	if (!has_no_notice)
		w->notice = open_notice();
	if (wake_open(&w->stop) && thread_start(&w->thread, run, w))
		return w;
	release(w);
	return NULL;
}

enum watch_news watcher_take(struct watcher *w, struct buf *path)
{
	enum watch_news news;

	pthread_mutex_lock(&w->mutex);
	news = w->news;
	w->news = WATCH_SAME;
	buf_add(path, w->missing.data, w->missing.len);
	buf_clear(&w->missing);
	pthread_mutex_unlock(&w->mutex);
	return news;
}

void watcher_stop(struct watcher *w)
{
	pthread_t thread;
	bool is_left;

	if (!w)
		return;
	thread = w->thread;
	pthread_mutex_lock(&w->mutex);
	w->is_stopped = true;
	is_left = w->is_left = w->is_looking;
	wake_up(&w->stop);
	pthread_mutex_unlock(&w->mutex);
	if (is_left)
		pthread_detach(thread);
	else
		pthread_join(thread, NULL);
	if (!is_left)
		release(w);
}
