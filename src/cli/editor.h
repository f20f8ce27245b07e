/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of the user's editor, for a place in a file. No shell takes part.
 *
 * $VISUAL, or else $EDITOR, is split into words by these rules:
 *   1. blanks separate words
 *   2. 'text' is taken as it is
 *   3. in "text", a backslash before " or \ is left out, and the character after it counts as it is
 *   4. outside of quotes, a backslash is left out, and the character after it counts as it is
 *   5. nothing else has a meaning: no variables, no ~, no patterns, no ; or | */
#ifndef FLAMETTY_EDITOR_H
#define FLAMETTY_EDITOR_H

#include "base/error.h"

#include <stddef.h>

struct editor_place {
	const char *path;
	int line, column; /* from 1 on; 0: unknown */
};

/* Words for execvp(): the first is the program, and NULL follows the last. */
struct editor_words {
	char **list;
	size_t n, cap;
};

/* What the user wants: `visual` if it has a word, else `editor`, else "vi". Both may be NULL. */
const char *editor_choose(const char *visual, const char *editor);

/* Split a command, and append the words that take its program to the place: which, its name tells.
 * A path that begins with - or + gets ./ before it. False: a quote has no end, or there is no word.
 * The caller ends the words with editor_words_done(), also after false. */
bool editor_words_make(const char *command, const struct editor_place *place,
		       struct editor_words *words, struct error *err);
void editor_words_done(struct editor_words *words);

/* The name of a program without its folders; points into `program`. */
const char *editor_name(const char *program);

#endif
