/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What inotify tells is only a reason to look; the section "file watch" finds out what has changed.
 * The directories are watched, not the files: a file that is replaced is another one.
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
#include "base/buf.h"
#include "base/clock.h"
#include "base/fingerprint.h"
#include "base/thread.h"
#include "base/units.h"
#include "read/load/file_set.h"
#include "read/load/load_file.h"

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_SYS_INOTIFY_H
#include <sys/inotify.h>
#include <sys/vfs.h>
#endif

/* Files that have not changed for this time are complete, as far as one can tell. */
#define FILE_WATCH_QUIET_NS (300 * NS_PER_MS)
/* One that was just made, or is about to be written again, is empty: it gets more time. */
#define FILE_WATCH_EMPTY_NS (2 * NS_PER_S)

struct entry {
	char *path;
	struct fingerprint print; /* the identity; empty: not there, or no regular file */
	bool is_profile;
	bool is_named;
};

struct list {
	struct entry *entries;
	size_t n, cap;
};

/* options->files must outlive it. */
struct file_watch {
	struct file_watch_options options;
	struct list taken, now;
	int64_t changed_ns; /* time of the look at which `now` was different */
	char **folders;     /* that hold the files, and named ones; each once */
	size_t n_folders, cap_folders;
};

/* ==== file watch ====
 *
 * Two lists of files are compared: those that were taken, and those of the last look. Both have the
 * order in which the loader reads.
 *
 * In a directory, a file that is no profile, such as a log, may change all the time: only profiles
 * are in the lists. To know them, a file is opened when it has changed since the last look. */

static void list_done(struct list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		fingerprint_done(&list->entries[i].print);
		free(list->entries[i].path);
	}
	free(list->entries);
	*list = (struct list){ 0 };
}

static bool is_same_file(const struct entry *a, const struct entry *b)
{
	return a->print.is_known == b->print.is_known && a->print.device == b->print.device &&
		a->print.inode == b->print.inode && a->print.size == b->print.size &&
		a->print.changed_s == b->print.changed_s &&
		a->print.changed_ns == b->print.changed_ns && strcmp(a->path, b->path) == 0;
}

/* The next entry from *at on that is a profile; NULL: there is none. */
static const struct entry *next_profile(const struct list *list, size_t *at)
{
	while (*at < list->n && !list->entries[*at].is_profile)
		++*at;
	return *at < list->n ? &list->entries[(*at)++] : NULL;
}

static bool is_same_list(const struct list *a, const struct list *b)
{
	const struct entry *x, *y;
	size_t i = 0, k = 0;

	do {
		x = next_profile(a, &i);
		y = next_profile(b, &k);
		if ((x == NULL) != (y == NULL) || (x && !is_same_file(x, y)))
			return false;
	} while (x);
	return true;
}

/* ---- folders ---- */

static void add_folder(struct file_watch *w, const char *path, size_t len)
{
	char *folder = len ? xstrndup(path, len) : xstrdup(*path == '/' ? "/" : ".");

	for (size_t i = 0; i < w->n_folders; i++)
		if (strcmp(w->folders[i], folder) == 0) {
			free(folder);
			return;
		}
	*ARRAY_ADD(w->folders, w->n_folders, w->cap_folders) = folder;
}

static void add_folder_of(struct file_watch *w, const char *path)
{
	const char *slash = strrchr(path, '/');

	add_folder(w, path, slash ? (size_t)(slash - path) : 0);
}

static void forget_folders(struct file_watch *w)
{
	for (size_t i = 0; i < w->n_folders; i++)
		free(w->folders[i]);
	w->n_folders = 0;
}

/* ---- looking ---- */

/* Whether a file of a directory is a profile; what was found at the last look counts as long as the
 * file is the same. *near: where that look probably has it. */
static bool is_profile(const struct file_watch *w, const struct entry *e, size_t *near)
{
	const struct reader *reader;

	if (w->options.has_format)
		return true;
	for (size_t i = 0; i < w->now.n; i++) {
		size_t at = (*near + i) % w->now.n;

		if (!is_same_file(e, &w->now.entries[at]))
			continue;
		*near = at + 1;
		return w->now.entries[at].is_profile;
	}
	return !sniff_file(e->path, &reader) || reader;
}

static void add_entry(const struct file_watch *w, struct list *list, const char *path,
		      bool is_named, size_t *near)
{
	struct entry *e;
	struct stat st;

	e = ARRAY_ADD(list->entries, list->n, list->cap);
	*e = (struct entry){ .path = xstrdup(path), .is_named = is_named };
	if (stat(path, &st) == 0)
		fingerprint_begin(&e->print, &st);
	e->is_profile = is_named || is_profile(w, e, near);
}

static void look(struct file_watch *w, struct list *list)
{
	struct file_set set = { .is_recursive = w->options.is_recursive };
	size_t near = 0;

	forget_folders(w);
	for (int i = 0; i < w->options.n_files; i++) {
		struct error err = ERROR_INIT;
		const char *path;
		char *real;
		struct stat st;

		/* A directory that cannot be read is like one that is not there. */
		if (!file_set_add(&set, w->options.files[i], NULL, &err))
			add_entry(w, list, w->options.files[i], true, &near);
		/* The directory of a named file, and that of the file to which it is a link. */
		path = w->options.files[i];
		real = realpath(path, NULL);
		if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
			add_folder(w, path, strlen(path));
		} else {
			add_folder_of(w, path);
			if (real)
				add_folder_of(w, real);
		}
		free(real);
	}
	for (size_t i = 0; i < set.n; i++) {
		add_entry(w, list, set.files[i].path, set.files[i].folder == 0, &near);
		if (set.files[i].folder)
			add_folder_of(w, set.files[i].path);
	}
	file_set_done(&set);
}

/* The first named file that is not there; NULL: all are. */
static const struct entry *find_missing(const struct file_watch *w)
{
	for (size_t i = 0; i < w->now.n; i++)
		if (w->now.entries[i].is_named && !w->now.entries[i].print.is_known)
			return &w->now.entries[i];
	return NULL;
}

/* Whether a profile is empty that was not when the files were taken. */
static bool has_new_empty(const struct file_watch *w)
{
	for (size_t i = 0; i < w->now.n; i++) {
		const struct entry *e = &w->now.entries[i];
		size_t k = 0;

		if (!e->is_profile || e->print.size != 0)
			continue;
		while (k < w->taken.n && !is_same_file(e, &w->taken.entries[k]))
			k++;
		if (k == w->taken.n)
			return true;
	}
	return false;
}

/* Look at the files. now_ns: of a clock that never goes back. */
static enum file_watch_news file_watch_look(struct file_watch *w, int64_t now_ns)
{
	struct list next = { 0 };
	bool is_changed;

	look(w, &next);
	is_changed = !is_same_list(&w->now, &next);
	list_done(&w->now);
	w->now = next;
	if (is_changed)
		w->changed_ns = now_ns;
	if (find_missing(w))
		return FILE_WATCH_GONE;
	if (is_same_list(&w->taken, &w->now))
		return FILE_WATCH_SAME;
	return now_ns - w->changed_ns <
			(has_new_empty(w) ? FILE_WATCH_EMPTY_NS : FILE_WATCH_QUIET_NS)
		? FILE_WATCH_WAIT
		: FILE_WATCH_READY;
}

/* Take the files as they were at the last look: they are about to be read. */
static void file_watch_take(struct file_watch *w)
{
	list_done(&w->taken);
	for (size_t i = 0; i < w->now.n; i++) {
		const struct entry *from = &w->now.entries[i];
		struct entry *to;

		to = ARRAY_ADD(w->taken.entries, w->taken.n, w->taken.cap);
		*to = (struct entry){ .path = xstrdup(from->path),
				      .print = fingerprint_identity(&from->print),
				      .is_profile = from->is_profile,
				      .is_named = from->is_named };
	}
}

/* Takes the files as they are now. */
static struct file_watch *file_watch_new(const struct file_watch_options *options)
{
	struct file_watch *w = xcalloc(1, sizeof *w);
	struct list first = { 0 };

	w->options = *options;
	look(w, &first);
	w->now = first;
	file_watch_take(w);
	return w;
}

static void file_watch_free(struct file_watch *w)
{
	list_done(&w->taken);
	list_done(&w->now);
	forget_folders(w);
	free(w->folders);
	free(w);
}

/* ==== watcher ==== */

#define LOOK_MS 1000 /* without events */
#define CALM_MS 50   /* from an event to the look */

struct watcher {
	const struct wake *wake;
	struct file_watch *watch;
	struct wake stop; /* wakes the thread */
	int notice;       /* of inotify; -1: none */
	bool is_recursive;
	pthread_t thread;

	pthread_mutex_t mutex;
	enum file_watch_news news;
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
static bool file_watch_all(const struct watcher *w)
{
	char *const *folders = w->watch->folders;
	bool is_all = w->notice >= 0;

	for (size_t i = 0; i < w->watch->n_folders && is_all; i++)
		is_all = inotify_add_watch(w->notice, folders[i], EVENTS) >= 0 &&
			!is_remote(folders[i]);
	return is_all;
}

#else

static int open_notice(void)
{
	return -1;
}

static bool file_watch_all(const struct watcher *w)
{
	(void)w;
	return false;
}

#endif

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
	char events[4096];

	poll(fds, 2, ms);
	if (!(fds[1].revents & POLLIN))
		return;
	poll(fds, 1, CALM_MS);
	while (read(w->notice, events, sizeof events) > 0)
		;
}

static void tell(struct watcher *w, enum file_watch_news news)
{
	struct buf missing = { 0 };

	if (news == FILE_WATCH_GONE)
		buf_adds(&missing, find_missing(w->watch)->path);
	pthread_mutex_lock(&w->mutex);
	w->news = news;
	buf_done(&w->missing);
	w->missing = missing;
	/* Whom to wake may be gone after that. */
	if (!w->is_stopped)
		wake_up(w->wake);
	pthread_mutex_unlock(&w->mutex);
}

static enum file_watch_news look_watcher(struct watcher *w)
{
	enum file_watch_news news = FILE_WATCH_SAME;
	bool is_on;

	pthread_mutex_lock(&w->mutex);
	is_on = w->is_looking = !w->is_stopped;
	pthread_mutex_unlock(&w->mutex);
	if (is_on)
		news = file_watch_look(w->watch, clock_ns());
	pthread_mutex_lock(&w->mutex);
	w->is_looking = false;
	pthread_mutex_unlock(&w->mutex);
	return news;
}

static void release(struct watcher *w)
{
	file_watch_free(w->watch);
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
		bool has_notice = file_watch_all(w) && !w->is_recursive;
		/* After the directories are watched, or a change between would be missed. */
		enum file_watch_news news = look_watcher(w);

		if (news == FILE_WATCH_READY) {
			file_watch_take(w->watch);
			tell(w, news);
		} else if (news == FILE_WATCH_GONE && !is_gone) {
			tell(w, news);
		}
		is_gone = news == FILE_WATCH_GONE;
		wait_for(w,
			 news == FILE_WATCH_WAIT ? (int)(FILE_WATCH_QUIET_NS / NS_PER_MS) / 2
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

struct watcher *watcher_start(const struct file_watch_options *options, const struct wake *wake,
			      bool has_no_notice)
{
	struct watcher *w = xcalloc(1, sizeof *w);

	*w = (struct watcher){ .wake = wake, .is_recursive = options->is_recursive, .notice = -1 };
	pthread_mutex_init(&w->mutex, NULL);
	w->watch = file_watch_new(options);
	if (!has_no_notice)
		w->notice = open_notice();
	if (wake_open(&w->stop) && thread_start(&w->thread, run, w))
		return w;
	release(w);
	return NULL;
}

enum file_watch_news watcher_take(struct watcher *w, struct buf *path)
{
	enum file_watch_news news;

	pthread_mutex_lock(&w->mutex);
	news = w->news;
	w->news = FILE_WATCH_SAME;
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
