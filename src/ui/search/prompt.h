/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line that is typed into: the text, the cursor, and what was typed before. What becomes
 * of the text is for others (finder.h). */
#ifndef FLAMETTY_UI_SEARCH_PROMPT_H
#define FLAMETTY_UI_SEARCH_PROMPT_H

#include "base/buf.h"
#include "ui/key.h"

#include <stdbool.h>
#include <stddef.h>

enum prompt_kind { PROMPT_NONE, PROMPT_SEARCH, PROMPT_FILTER };

#define PROMPT_HISTORY 100
#define PROMPT_MOST 1000 /* bytes of a text */

struct prompt {
	enum prompt_kind kind; /* PROMPT_NONE: closed */
	struct buf text;
	size_t cursor;                 /* a byte of the text */
	bool is_plain;                 /* no regular expression; kept from one prompt to the next */
	char *history[PROMPT_HISTORY]; /* the oldest first */
	int n_history;
	int at;           /* the one that is shown; n_history: the one being typed */
	struct buf typed; /* that one, while another is shown */
};

void prompt_done(struct prompt *prompt);

/* Copy what a closed prompt keeps: its history, and whether text is plain. */
void prompt_copy(struct prompt *to, const struct prompt *from);

/* Open with an empty text, or with `text`. */
void prompt_open(struct prompt *prompt, enum prompt_kind kind, const char *text);

/* Close; what was typed is kept for prompt_older() if `is_kept`. The text stays readable. */
void prompt_close(struct prompt *prompt, bool is_kept);

/* What keys do. All return whether the text is another one now. */
bool prompt_insert(struct prompt *prompt, key_code key);
bool prompt_erase(struct prompt *prompt);
bool prompt_delete(struct prompt *prompt);
bool prompt_erase_word(struct prompt *prompt);
bool prompt_erase_line(struct prompt *prompt); /* up to the cursor */
bool prompt_older(struct prompt *prompt);
bool prompt_newer(struct prompt *prompt);
void prompt_left(struct prompt *prompt);
void prompt_right(struct prompt *prompt);
void prompt_start(struct prompt *prompt);
void prompt_end(struct prompt *prompt);

/* The last text that was kept; NULL: none. Borrowed. */
const char *prompt_last(const struct prompt *prompt);

#endif
