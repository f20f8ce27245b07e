/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Themes that users write: lines `role = colour`. Pure.
 *
 *	# A line that begins like this is a comment.
 *	base = dark
 *	page = #101010
 *	own = #5fafd7 #afd787 #d7af5f
 *	dependency = 109 144
 *	gc = #d75f5f #ffffff
 *	good = #5faf5f
 *	cname = off
 *
 * A colour is #rrggbb, #rgb, or a number from 16 to 255 of the 256-colour palette. A second one is
 * that of text on the first. Reserved colours of traces have their names; `cname = off` makes the
 * program ignore them. `base` is the built-in theme that has all other colours. */
#ifndef FLAMETTY_TERM_THEME_FILE_H
#define FLAMETTY_TERM_THEME_FILE_H

#include "base/error.h"
#include "term/theme.h"

#include <stddef.h>

/* Parse a theme of `len` bytes. False: err says what is wrong, with the number of the line first,
 * as in "3: no role 'x'". */
bool theme_file_parse(const char *text, size_t len, struct theme *theme,
		      struct error *err) MUST_USE;

#endif
