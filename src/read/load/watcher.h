/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watches the files of a command line on a thread of its own: a file system may be slow, or never
 * answer. With inotify the thread sleeps until something happens; where there is none, or the files
 * are on a file system of another machine, it looks every second. */
#ifndef FLAMETTY_READ_LOAD_WATCHER_H
#define FLAMETTY_READ_LOAD_WATCHER_H

#include "base/buf.h"
#include "base/thread.h"

#include <stdbool.h>

struct file_watch_options {
	char **files; /* borrowed */
	int n_files;
	bool is_recursive; /* directories stand for those below them, too */
	bool has_format;   /* the format is given: all files in directories are profiles */
};

enum file_watch_news {
	FILE_WATCH_SAME,  /* the files are those that were taken */
	FILE_WATCH_WAIT,  /* they change: to look again soon */
	FILE_WATCH_READY, /* they have changed, and are complete as far as one can tell */
	FILE_WATCH_GONE   /* a named file or directory is not there */
};

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
