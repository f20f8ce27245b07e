/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watches the files of a command line on a thread of its own: a file system may be slow, or never
 * answer. With inotify the thread sleeps until something happens; where there is none, or the files
 * are on a file system of another machine, it looks every second. */
#ifndef FLAMETTY_LOAD_WATCHER_H
#define FLAMETTY_LOAD_WATCHER_H

#include "base/wake.h"
#include "read/load/watch.h"

struct watcher;

/* Begin to watch. options: copied; the files must outlive the watcher. wake: woken when there are
 * news; borrowed. has_no_notice: look every second. NULL: no thread can be started. */
struct watcher *watcher_start(const struct watch_options *options, const struct wake *wake,
			      bool has_no_notice);

/* The news since the last call: WATCH_READY, once for each change; WATCH_GONE, with `path` set to
 * what is missing, once until it is back; otherwise WATCH_SAME. */
enum watch_news watcher_take(struct watcher *w, struct buf *path);

/* End the thread and wait for it, unless it looks at files this very moment: then it ends by
 * itself, and frees what it has. */
void watcher_stop(struct watcher *w);

#endif
