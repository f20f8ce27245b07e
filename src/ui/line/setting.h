/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user wants of the interface whatever file is shown, and what can be set by name, as a
 * table: `:set color package`. */
#ifndef FLAMETTY_UI_LINE_SETTING_H
#define FLAMETTY_UI_LINE_SETTING_H

#include "base/error.h"
#include "base/str.h"
#include "ui/keymap.h"
#include "ui/line/prompt.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- preferences ----
 *
 * Keys, settings that were made by name, and the command lines that were typed. One struct serves
 * all apps of a program, one after the other, and belongs to what makes them. */

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

/* Whether it is the setting of this name, or the command of these keys, in any spelling. */
bool preferences_is_about(const struct preference *p, bool is_bind, const char *name);

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

/* ---- setting ---- */

struct app;

struct setting {
	const char *name;
	const char *help; /* what it is, no full stop */
	/* Its values, NULL after the last, as a list or as a function; neither: the program knows
	 * them (app_host). */
	const char *const *words;
	const char *(*word)(unsigned i);
	/* The number of its value, and how it is changed; NULL: the program does that. */
	unsigned (*get)(const struct app *app);
	void (*set)(struct app *app, unsigned i);
	bool is_list;   /* several of its words, with commas between them; nothing is called */
	bool needs_all; /* barred while the file is loading */
	/* The command that goes to the next value, and by value what it says; CMD_NONE: none, or it
	 * has a function of its own. */
	enum command_id command;
	const char *const *says;
};

/* Row i of the table, in alphabetical order; NULL after the last one. */
const struct setting *setting_row(size_t i);

/* The setting of that name, also in American or British spelling. NULL, with err: there is none. */
const struct setting *setting_find(struct str name, struct error *err) MUST_USE;

/* The i-th value; NULL: i is past the last one, or it takes other texts. */
const char *setting_word(const struct app *app, const struct setting *setting, unsigned i);

/* The value of now. Borrowed. */
const char *setting_value(const struct app *app, const struct setting *setting);

/* Set it to a value. False, with err: it has no such value, or cannot be changed now. */
bool setting_set(struct app *app, const struct setting *setting, const char *value,
		 struct error *err) MUST_USE;

/* Whether the value is one of the setting's words, or it takes any text. */
bool setting_check(const struct setting *setting, const char *value, struct error *err) MUST_USE;

/* Apply to a new app what the preferences say. */
void setting_apply(struct app *app);

/* Say the first of the warnings about the user's files, unless the user has done something already.
 */
void setting_say_warnings(struct app *app);

#endif
