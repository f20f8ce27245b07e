/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What can be set by name, as a table: `:set color package`. */
#ifndef FLAMETTY_UI_LINE_SETTING_H
#define FLAMETTY_UI_LINE_SETTING_H

#include "base/str.h"
#include "ui/state.h"

struct setting {
	const char *name;
	const char *help; /* what it is, no full stop */
	/* Its values, NULL after the last; NULL as function: the program knows (app_host). */
	const char *(*word)(unsigned i);
	/* The number of its value, and how it is changed; NULL: the program does that. */
	unsigned (*get)(const struct app *app);
	void (*set)(struct app *app, unsigned i);
	bool needs_all; /* barred while the file is loading */
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
