/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Terminal descriptions inside the program, for terminals that the terminfo of a server does not
 * know: new ones over ssh, and all of them where there is no terminfo at all. For description.c.
 *
 * The table has the names of terminals and which description fits each. curses gets a description
 * by the variable TERMINFO, as a compiled entry in hexadecimal (term(5), *Storage format*), which
 * ncurses 6.2 and later read. */
#ifndef FLAMETTY_TERM_BUILTIN_H
#define FLAMETTY_TERM_BUILTIN_H

#include "base/buf.h"

/* The description that fits a terminal, as `xterm-256color`; NULL: none. Static. */
const char *builtin_kind(const char *name);

/* Append the value of TERMINFO that gives the terminal `name` a description that builtin_kind() has
 * returned. */
void builtin_terminfo(const char *kind, const char *name, struct buf *out);

/* Append the names of the descriptions, with `, ` between them. */
void builtin_list(struct buf *out);

#endif
