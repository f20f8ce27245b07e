/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of settings: lines of options (`theme = light`), `set NAME VALUE`, `bind KEYS COMMAND` and
 * comments (`#`). What is wrong in a line is a warning in preferences.warnings and stops nothing.
 *
 * The command line is stronger than a file. */
#ifndef FLAMETTY_CLI_USER_CONFIG_H
#define FLAMETTY_CLI_USER_CONFIG_H

#include "base/error.h"
#include "cli/options.h"
#include "term/palette.h"
#include "ui/line/setting.h"

/* Zeroed: no file. */
struct user_config {
	struct buf path; /* of the file, also if there is none yet; empty: none may be used */
	struct buf text; /* options borrow from it */
};

/* Read the file that the options name or, if is_own, the user's one. False, with err: the options
 * name a file that cannot be read. */
bool user_config_read(struct user_config *config, bool is_own, struct options *options,
		      const struct option_words *words, struct preferences *preferences,
		      struct error *err) MUST_USE;

static inline void user_config_done(struct user_config *c)
{
	buf_done(&c->path);
	buf_done(&c->text);
}

/* Write that into the file. Appends a message for the user, also on failure. */
bool user_config_write(const struct user_config *config, const struct preferences *preferences,
		       struct buf *said);

/* Find the theme called `name`: a word of palette_theme_word(), else a file of that path or, for a
 * name without a slash, in the user's folder of themes. has_file: set if `theme` was read from a
 * file. False: there is none, or the file is not a theme. */
bool theme_option_find(const char *name, enum palette_theme *word, struct theme *theme,
		       bool *has_file, struct error *err) MUST_USE;

#endif
