/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the files of a session again: when the user asks for it, or when they have changed
 * (--follow). What is shown stays usable meanwhile; the files are watched and read on other
 * threads, which wake the interface when there are news. */
#ifndef FLAMETTY_SESSION_FOLLOW_H
#define FLAMETTY_SESSION_FOLLOW_H

#include "base/thread.h"
#include "cli/run.h"
#include "read/load/load.h"
#include "read/load/watcher.h"

#include <stdbool.h>

struct session_follow {
	struct run *run; /* borrowed */
	struct load_options options;
	struct wake wake;        /* the interface waits for it */
	struct watcher *watcher; /* NULL: the files are not watched */
	struct load *load;       /* NULL: nothing is being read */
	struct profile *ready;   /* was read, and waits to be shown */
	bool has_failed;         /* files of `ready` could not be read: `said` names the first */
	bool is_wanted;          /* the files are to be read as soon as that is possible */
	bool is_asked;           /* by the user, */
	bool was_cut;            /* after what was read last was cut off */
	bool takes_cut;          /* what is being read is taken, also if it is cut off */
	bool is_held;            /* nothing is read now */
	bool is_lost;            /* a thread that read has got no memory: there can be no other */
	pthread_t cleaner;       /* frees a profile that was shown */
	bool has_cleaner;
};

/* options: of the load whose profile is shown first; copied. */
void session_follow_init(struct session_follow *f, struct run *run,
			 const struct load_options *options);

/* Call this before the process ends. False: a thread still reads, and uses `f`, which stays. */
bool session_follow_done(struct session_follow *f);

/* Whether files can be read a second time. */
bool session_follow_can_read(char *const *files, int n_files, struct error *err) MUST_USE;

/* Whether the files of a profile are what they were. */
bool session_follow_is_same(const struct profile *profile);

/* Let the files go unread for a while: no step reads them, or returns a profile. What changes
 * meanwhile is read afterwards. */
void session_follow_hold(struct session_follow *f, bool is_held);

/* Watch the files or stop that. The files are taken as they are now; if they are not those of
 * `profile` (NULL: none), they are read again. False: they cannot be watched. */
bool session_follow_watch(struct session_follow *f, bool is_on, const struct profile *profile,
			  struct error *err) MUST_USE;

/* Read the files again. False: that is not possible. */
bool session_follow_ask(struct session_follow *f, struct error *err) MUST_USE;

/* Take the news, and begin to read if that is wanted. `shown`: the profile on the screen. Returns
 * the profile that was read, which the caller owns then, if may_take; else it is kept for a later
 * call. NULL: none. Appends to `said` what the user should know; *is_warning: of what went wrong.
 */
struct profile *session_follow_step(struct session_follow *f, const struct profile *shown,
				    bool may_take, struct buf *said, bool *is_warning);

/* Whether session_follow_step() has something to do. */
bool session_follow_has_news(const struct session_follow *f, bool may_take);

/* Free a profile on another thread. */
void session_follow_free(struct session_follow *f, struct profile *profile);

#endif
