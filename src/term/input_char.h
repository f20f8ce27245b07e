/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Characters from the terminal. For input.c, which puts sequences together. */
#ifndef FLAMETTY_TERM_INPUT_CHAR_H
#define FLAMETTY_TERM_INPUT_CHAR_H

#include <curses.h>
#include <stdbool.h>
#include <wchar.h>

/* Read a character or a key, as wget_wch() does, for as long as wait_ms, a time as wtimeout() has
 * it. has_own_utf8: bytes are UTF-8, but the C library cannot decode it; those that are no
 * character give U+FFFD. */
int input_char(WINDOW *pad, int wait_ms, bool has_own_utf8, wint_t *c);

#endif
