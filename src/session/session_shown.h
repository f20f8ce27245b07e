/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile that is shown, with the app that shows it. */
#ifndef FLAMETTY_SESSION_SHOWN_H
#define FLAMETTY_SESSION_SHOWN_H

#include "session/session_host.h"

#include "analyse/scope.h"
#include "analyse/view/scoped.h"
#include "ui/app.h"
#include "ui/app_state.h"
#include "ui/script.h"

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
					const struct app_state *state, struct error *why);

/* The same; what is wrong is printed. */
struct session_shown *session_shown_or_complain(struct session_host *host, struct profile *profile,
						const struct event_source *events,
						const struct app_state *state);

/* Show the same profile with the clock or the names that were set meanwhile. Takes `before`. */
struct session_shown *session_shown_again(struct session_host *host, struct session_shown *before,
					  const struct event_source *events);

/* Print a message if --keys has a key that does not exist. */
bool session_shown_keys_are_valid(struct run *run);

/* Press the keys of --keys, if there are some, on the first picture. The feed may replace what is
 * shown. Of a key that does not exist a message is printed, and the result is false. */
bool session_shown_play(const struct session_shown *shown, struct run *run,
			const struct script_feed *feed);

/* Print the screen of --render. The app has its size. */
void session_shown_print(const struct session_shown *shown, struct run *run);

/* NULL is allowed. */
void session_shown_free(struct session_shown *s);

#endif
