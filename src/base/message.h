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

/* A message while it is put together. Begun by message_begin(), printed by message_end(). */
struct message {
	char bytes[4096];
	size_t n;
};

/* Begin with "flametty: ". */
void message_begin(struct message *m);
void message_add(struct message *m, const char *text);
void message_vaddf(struct message *m, const char *format, va_list ap) ERROR_PRINTF(2, 0);
/* Text of several lines: each begins as the first one does. What comes from a file must be visible
 * already, or it could begin a line. */
void message_add_lines(struct message *m, const char *text, size_t len);
void message_end(struct message *m);

/* Print a message of one line: "flametty: ", and the text. */
void message_print(const char *format, ...) ERROR_PRINTF(1, 2);

/* Print whole lines as they are, which begin with "flametty: " already; controls are made visible.
 */
void message_lines(const char *text, size_t len);

#endif
