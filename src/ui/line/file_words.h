/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of files in a command line, with blanks between them. A backslash before a blank or another
 * backslash makes that a part of the name, as in a shell. */
#ifndef FLAMETTY_UI_LINE_FILE_WORDS_H
#define FLAMETTY_UI_LINE_FILE_WORDS_H

#include "base/buf.h"
#include "base/str.h"

/* Append the next name of `text`, which moves past it and the blanks before it. False: there is
 * none. */
bool file_words_next(struct str *text, struct buf *name);

/* Append a name as it is written in a command line. */
void file_words_add(const char *name, struct buf *out);

/* The byte of `text` where its last word begins, which may be unfinished or empty. */
size_t file_words_last(struct str text);

#endif
