/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the commands of searching and typing do, and what is seen of them. */
#ifndef FLAMETTY_UI_SEARCH_SEARCH_KEYS_H
#define FLAMETTY_UI_SEARCH_SEARCH_KEYS_H

#include "layout/prompt_line.h"
#include "ui/actions.h"

action search_open, search_filter, search_to_next, search_to_previous, search_function;
action search_accept, search_cancel, search_plain, search_older, search_newer, search_left,
	search_right, search_start, search_end, search_erase, search_delete, search_erase_word,
	search_erase_line;

/* Whether a command is one of the prompt: these keep no history of windows. */
bool search_is_prompt(enum command_id id);

/* Take a key while the prompt is open. Returns app_wish bits. */
unsigned search_keys(struct app *app, key_code key);

/* What the status line says of the search, in `room` cells. */
void search_status(const struct app *app, int room, struct buf *out);

/* The open prompt as a line to be drawn, which borrows from `texts`; NULL: none is open. */
struct search_texts {
	struct prompt_line line;
	struct buf answers[3];
};
const struct prompt_line *search_line(const struct app *app, struct search_texts *texts);
void search_texts_done(struct search_texts *texts);

#endif
