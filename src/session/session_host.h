/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the program does for the interface: files, and settings of the terminal. */
#ifndef FLAMETTY_SESSION_SESSION_HOST_H
#define FLAMETTY_SESSION_SESSION_HOST_H

#include "cli/run.h"
#include "cli/user_file.h"
#include "session/session.h"
#include "ui/app.h"

#include <stddef.h>

struct chart_diff_what;
struct session_compare;

struct session_host {
	struct run *run; /* borrowed */
	struct app_host host;
	struct source_host sources; /* set by the session */
	struct line_history history;
	/* The folders below which the user lets all sources be read, now and at the next start. */
	struct line_history folders;
	struct prompt_history folder_list;
	struct theme theme;             /* that a file describes */
	const struct theme *user_theme; /* that is shown; NULL: a built-in one */
	/* The profile is to be shown with the clock, the names or the lanes that were set. */
	bool has_new_clock, has_new_names, has_new_lanes;
	struct session_follow *follow; /* borrowed; NULL: the files are not read again */
	/* Borrowed; NULL: files are not compared with others. */
	struct session_compare *compare;
	/* The comparison that the profile is for, borrowed; NULL: that of the options, if any. */
	const struct chart_diff_what *compared;
	bool is_of_list;       /* the profile is what a list names, or a group of a fleet */
	const char *search;    /* what to search for in that; borrowed; NULL: nothing */
	struct app_live *live; /* borrowed; NULL: files are shown */
};

/* Fill a host, which must stay in its place until session_host_done(). */
void session_host_init(struct session_host *host, struct run *run);

static inline void session_host_done(struct session_host *h)
{
	line_history_done(&h->history);
	line_history_done(&h->folders);
	prompt_history_done(&h->folder_list);
}

/* Whether the profile is to be shown anew, as was set. */
static inline bool session_host_is_changed(const struct session_host *h)
{
	return h->has_new_clock || h->has_new_names || h->has_new_lanes;
}

/* Append the first line of the messages of a load, without the name of the program. */
void session_host_add_first(const struct buf *messages, struct buf *said);

/* Whether FLAMETTY_SECURE forbids something. Says so: no `what`. */
bool session_host_forbids(const char *what, struct buf *said);

/* After the terminal was closed: print the text that was copied last, unless it is certain that it
 * reached a clipboard. */
void session_host_print_copied(void);

/* Before the terminal is opened: obey the settings that are about it, and read the history of
 * command lines, to which new ones are added. */
void session_host_start(struct session_host *host);

/* Words for execvp(): the first is the program, and NULL follows the last. */
struct editor_words {
	char **list;
	size_t n, cap;
};

#endif
