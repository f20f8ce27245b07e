/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface on a profile: on the terminal while files load and after, or one screen as text. */
#ifndef FLAMETTY_SESSION_SESSION_H
#define FLAMETTY_SESSION_SESSION_H

#include "analyse/scope.h"
#include "analyse/view/scoped.h"
#include "base/thread.h"
#include "cli/run.h"
#include "read/load/load.h"
#include "ui/app.h"
#include "ui/app_state.h"

#include <stdbool.h>

struct watcher;
struct session_host;

/* ---- session follow ----
 *
 * Reads the files of a session again: when the user asks for it, or when they have changed
 * (--follow). What is shown stays usable meanwhile; the files are watched and read on other
 * threads, which wake the interface when there are news. */

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

/* Whether files can be read a second time. */
bool session_follow_can_read(char *const *files, int n_files, struct error *err) MUST_USE;

/* Whether the files of a profile are what they were. */
bool session_follow_is_same(const struct profile *profile);

/* Let the files go unread for a while: no step reads them, or returns a profile. What changes
 * meanwhile is read afterwards. */
static inline void session_follow_hold(struct session_follow *f, bool is_held)
{
	f->is_held = is_held;
}

/* Watch the files or stop that. The files are taken as they are now; if they are not those of
 * `profile` (NULL: none), they are read again. False: they cannot be watched. */
bool session_follow_watch(struct session_follow *f, bool is_on, const struct profile *profile,
			  struct error *err) MUST_USE;

/* Read the files again. False: that is not possible. */
bool session_follow_ask(struct session_follow *f, struct error *err) MUST_USE;

/* Free a profile on another thread. */
void session_follow_free(struct session_follow *f, struct profile *profile);

/* ---- session ---- */

/* Load the files and show them on the terminal until the user quits. Does not return if the user
 * quits while files are being loaded: the process ends with run->status. */
void session_interact(struct run *run);

/* Start what runs the editor and tmux for the interface, before any thread and the sandbox; and end
 * it. */
void session_start_helper(const struct run *run);
void session_stop_helper(void);

/* Print the screen of --render, after the keys of --keys. Takes the profile of `run`. */
void session_render(struct run *run);

/* An app and what it borrows from. */
struct session_shown {
	struct profile *profile; /* owned */
	struct scope scope;
	struct scoped scoped;
	struct app *app; /* NULL: the options do not fit the profile */
};

/* Show `profile`, which is taken. events: where the app gets the texts of events. state: what the
 * user has set in the app before; NULL: there was none. why: filled if the options do not fit the
 * profile. */
struct session_shown *session_shown_new(struct session_host *host, struct profile *profile,
					const struct event_source *events,
					const struct app_state *state, struct error *why) MUST_USE;

/* Show the same profile with the clock or the names that were set meanwhile. Takes `before`. */
struct session_shown *session_shown_again(struct session_host *host, struct session_shown *before,
					  const struct event_source *events);

/* Press the keys of --keys, if there are some, on the first picture. The feed may replace what is
 * shown. Of a key that does not exist a message is printed, and the result is false. */
bool session_shown_play(const struct session_shown *shown, struct run *run,
			const struct script_feed *feed);

/* Print the screen of --render. The app has its size. */
void session_shown_print(const struct session_shown *shown, struct run *run);

/* NULL is allowed. */
void session_shown_free(struct session_shown *s);

#endif
