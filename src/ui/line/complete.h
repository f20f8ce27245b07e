/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words that can stand at the cursor of a command line: names of commands, of settings, their
 * values, formats and files of exports. */
#ifndef FLAMETTY_UI_LINE_COMPLETE_H
#define FLAMETTY_UI_LINE_COMPLETE_H

#include "ui/state.h"

/* Fill `list` with the words for the text before the byte `cursor`: those that begin like the word
 * there, sorted. Returns the byte where that word begins. The list must be empty;
 * complete_done() frees it. has_files: also names of files, which takes looking at a directory. */
size_t complete_find(const struct app *app, const char *line, size_t cursor, bool has_files,
		     struct complete_list *list);
void complete_done(struct complete_list *list);

/* The number of bytes that all words of a list that is not empty begin with. */
size_t complete_common(const struct complete_list *list);

#endif
