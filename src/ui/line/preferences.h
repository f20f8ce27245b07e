/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user wants of the interface whatever file is shown: keys, settings that were made by
 * name, and the command lines that were typed. One struct serves all apps of a program, one after
 * the other, and belongs to what makes them. */
#ifndef FLAMETTY_UI_LINE_PREFERENCES_H
#define FLAMETTY_UI_LINE_PREFERENCES_H

#include "base/error.h"
#include "ui/keymap.h"
#include "ui/line/prompt.h"

#include <stdbool.h>

#define PREFERENCES_LINES 1000 /* command lines that are kept */

/* A setting and its value, or keys and their command, as they were typed. */
struct preference {
	char *name, *value;
	bool is_bind;
	bool is_new; /* made since the start: `write-config` writes it */
};

#define SETTINGS_MAX 32

/* What a new app has by its options and the preferences, without a state (ui/copy_view.h). */
struct copy_start {
	char **transforms; /* their descriptions; owned */
	size_t n_transforms;
	unsigned settings[SETTINGS_MAX]; /* by row of the table of settings */
	const struct pane_kind *shown;
};

/* Zeroed: none. */
struct preferences {
	struct preference *set;
	size_t n_set;
	struct keymap keymap;
	struct buf warnings;         /* about the user's files, a line each */
	struct prompt_history lines; /* command lines */
	bool has_no_history;         /* command lines are not kept */
};

void preferences_done(struct preferences *preferences);

/* Remember a value of a setting, instead of the one before. */
void preferences_set(struct preferences *preferences, const char *name, const char *value,
		     bool is_new);

/* Let keys run a command (keymap_bind()), and remember that. False, with err: they cannot. */
bool preferences_bind(struct preferences *preferences, const char *keys, const char *command,
		      bool is_new, struct error *err) MUST_USE;

/* The value of a setting as it was typed last; NULL: it was not set. Borrowed. */
const char *preferences_get(const struct preferences *preferences, const char *name);

#endif
