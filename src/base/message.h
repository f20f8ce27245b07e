/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages on standard error. They have names of files, values of options and texts of profiles in
 * them: everything that could control a terminal is printed in its visible form (text.h), here and
 * nowhere before. No memory is allocated, so that a message can also be the last thing that a
 * command does when there is none. */
#ifndef FLAMETTY_BASE_MESSAGE_H
#define FLAMETTY_BASE_MESSAGE_H

#include "base/error.h"

#include <stdarg.h>
#include <stddef.h>

/* Print a message of one line: "flametty: ", and the text, which begins with `before`. */
void message_print(const char *format, ...) ERROR_PRINTF(1, 2);
void message_vprint(const char *before, const char *format, va_list ap) ERROR_PRINTF(2, 0);

/* Print "flametty: ", before, what and after, which may have several lines: each begins as the
 * first one does. What comes from a file must be visible in `after` already, or it could begin a
 * line. */
void message_parts(const char *before, const char *what, const char *after);

/* Print whole lines as they are, which begin with "flametty: " already; controls are made visible.
 */
void message_lines(const char *text, size_t len);

#endif
