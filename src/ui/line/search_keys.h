/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Typing into the prompt. The commands of searching stand in search_keys.c, too; actions.h declares
 * them. */
#ifndef FLAMETTY_UI_LINE_SEARCH_KEYS_H
#define FLAMETTY_UI_LINE_SEARCH_KEYS_H

#include "base/buf.h"
#include "draw/lines.h"
#include "ui/key.h"

struct app;

/* Insert the character of a key that is not a command into the open prompt. Returns app_effect
 * bits.
 */
unsigned search_keys_insert(struct app *app, key_code key);

struct app;

/* Zeroed before its first use. */
struct search_line {
	struct prompt_line line;
	struct buf answers[3];
};

/* The open prompt as a line to be drawn, which borrows from `texts`; NULL: none is open. */
const struct prompt_line *search_line_make(const struct app *app, struct search_line *texts);
void search_line_done(struct search_line *line);

/* Append the text of the status line about the search, in `room` cells. */
void search_line_status(const struct app *app, int room, struct buf *out);

#endif
