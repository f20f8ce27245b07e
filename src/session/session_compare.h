/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `:diff FILE`: reads the files of the session and more files into one profile, on another thread,
 * and shows their comparison; or a recording that a list names. What was shown before is kept as it
 * is, and comes back when the comparison ends, or the recording is left. */
#ifndef FLAMETTY_SESSION_SESSION_COMPARE_H
#define FLAMETTY_SESSION_SESSION_COMPARE_H

#include "read/load/load.h"
#include "session/session.h"
#include "session/session_host.h"
#include "ui/chart/chart_diff.h"

#include <stdbool.h>

/* Files before, then files after. */
struct session_compare_files {
	char **paths; /* owned */
	int n, n_before;
};

struct session_compare {
	struct session_host *host; /* borrowed */
	struct load_options options;
	struct session_compare_files files; /* of the comparison that is shown */
	struct session_compare_files next;  /* of the one that is being read */
	struct load *load;                  /* NULL: nothing is being read */
	bool is_dropped;                    /* and what is being read is not wanted any more */
	bool is_lost;                       /* a thread that read has got no memory */
	bool has_ended;                     /* the comparison is to end */
	bool is_opening, is_opened;         /* what is read, or is shown, is no comparison */
	bool is_anew;                       /* files before have changed since they were opened */
	struct buf where, search;           /* of the group of a fleet that is read */
	const char *wheres[OPTION_STEPS_MAX + 1]; /* of the options, with that one */
	struct chart_diff_what what;              /* of the comparison that is shown */
	struct session_shown *before; /* what was shown before it; NULL: there is none */
};

/* Let the interface of a host compare files. load: how its files were loaded; copied, without the
 * choice of lanes and range. Nothing moves or is freed before session_compare_done(). */
void session_compare_init(struct session_compare *c, struct session_host *host,
			  const struct load_options *load);

/* Whether session_compare_step() has something to do. may_take: another app may be shown. */
static inline bool session_compare_has_news(struct session_compare *c, bool may_take)
{
	return (c->load && (c->is_dropped || may_take) && load_wait(c->load, 0)) ||
		(c->has_ended && may_take);
}

/* Go on when there are news. Takes `shown`, and returns what is to be shown now: that or another
 * one. */
struct session_shown *session_compare_step(struct session_compare *c, struct session_shown *shown,
					   const struct event_source *events);

/* Wait for what is being read. */
static inline void session_compare_wait(struct session_compare *c)
{
	while (c->load && !load_wait(c->load, 1000))
		;
}

/* Whether a thread reads: then session_compare_done() waits for it, or must not be called. */
static inline bool session_compare_is_reading(const struct session_compare *c)
{
	return c->is_lost || (c->load && load_is_reading(c->load));
}

/* Free all, after the app on the screen. */
void session_compare_done(struct session_compare *c);

#endif
