/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface on a profile: on the terminal while files load and after, or one screen as text. */
#ifndef FLAMETTY_SESSION_H
#define FLAMETTY_SESSION_H

#include "analyse/scope.h"
#include "analyse/view/scoped.h"
#include "cli/run.h"
#include "session/session_host.h"
#include "ui/app.h"
#include "ui/app_state.h"
#include "ui/script.h"

/* Load the files and show them on the terminal until the user quits. Does not return if the user
 * quits while files are being loaded: the process ends with run->status. */
void session_interact(struct run *run);

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
