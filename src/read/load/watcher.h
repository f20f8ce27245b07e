/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watches the files of a command line on a thread of its own: a file system may be slow, or never
 * answer. With inotify the thread sleeps until something happens; where there is none, or the files
 * are on a file system of another machine, it looks every second. */
#ifndef FLAMETTY_READ_LOAD_WATCHER_H
#define FLAMETTY_READ_LOAD_WATCHER_H

#include "base/buf.h"
#include "base/thread.h"
#include "base/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Files that have not changed for this time are complete, as far as one can tell. */
#define FILE_WATCH_QUIET_NS (300 * NS_PER_MS)

struct file_watch_options {
	char **files; /* borrowed */
	int n_files;
	bool is_recursive; /* directories stand for those below them, too */
	bool has_format;   /* the format is given: all files in directories are profiles */
};

enum file_watch_news {
	FILE_WATCH_SAME,  /* the files are those that were taken */
	FILE_WATCH_WAIT,  /* they change: look again after FILE_WATCH_QUIET_NS at most */
	FILE_WATCH_READY, /* they have changed, and are complete as far as one can tell */
	FILE_WATCH_GONE   /* a named file or directory is not there */
};

struct file_watch;

/* Takes the files as they are now. options: copied; the files must outlive the watch. */
struct file_watch *file_watch_new(const struct file_watch_options *options);
void file_watch_free(struct file_watch *w);

/* Look at the files. now_ns: of a clock that never goes back. */
enum file_watch_news file_watch_look(struct file_watch *w, int64_t now_ns);

/* Take the files as they were at the last look: they are about to be read. */
void file_watch_take(struct file_watch *w);

/* After FILE_WATCH_GONE: append the path of the first file that is not there. */
void file_watch_missing(const struct file_watch *w, struct buf *path);

/* The directories that hold the files, and the named directories; each once. Borrowed until the
 * next look. */
const char *const *file_watch_folders(const struct file_watch *w, size_t *n);

struct watcher;

/* Begin to watch. options: copied; the files must outlive the watcher. wake: woken when there are
 * news; borrowed. has_no_notice: look every second. NULL: no thread can be started. */
struct watcher *watcher_start(const struct file_watch_options *options, const struct wake *wake,
			      bool has_no_notice);

/* The news since the last call: FILE_WATCH_READY, once for each change; FILE_WATCH_GONE, with
 * `path` set to what is missing, once until it is back; otherwise FILE_WATCH_SAME. */
enum file_watch_news watcher_take(struct watcher *w, struct buf *path);

/* End the thread and wait for it, unless it looks at files this very moment: then it ends by
 * itself, and frees what it has. */
void watcher_stop(struct watcher *w);

#endif
