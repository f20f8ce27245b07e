/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option --theme: a built-in theme, or a file. */
#ifndef FLAMETTY_THEME_OPTION_H
#define FLAMETTY_THEME_OPTION_H

#include "base/error.h"
#include "term/palette.h"

/* Find the theme called `name`: a word of palette_theme_word(), else a file of that path or, for a
 * name without a slash, in the user's folder of themes. has_file: set if `theme` was read from a
 * file. False: there is none, or the file is not a theme. */
bool theme_option_find(const char *name, enum palette_theme *word, struct theme *theme,
		       bool *has_file, struct error *err);

#endif
