/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the screen shows of a search: the open prompt, and the status line with what was found. */
#ifndef FLAMETTY_UI_SEARCH_SEARCH_LINE_H
#define FLAMETTY_UI_SEARCH_SEARCH_LINE_H

#include "base/buf.h"
#include "draw/prompt_line.h"

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
