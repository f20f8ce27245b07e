/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line of input: the text, the cursor, and a history of texts. Other files use the text
 * (finder.h, command_line.h). */
#ifndef FLAMETTY_UI_LINE_PROMPT_H
#define FLAMETTY_UI_LINE_PROMPT_H

#include "base/buf.h"
#include "ui/key.h"

#include <stdbool.h>
#include <stddef.h>

enum prompt_kind {
	PROMPT_NONE,
	PROMPT_SEARCH,
	PROMPT_FILTER,
	PROMPT_COMMAND,
	PROMPT_HELP,
	PROMPT_LANES,
	PROMPT_FLEET
};

struct app;

/* What uses the open prompt, by its kind. */
struct prompt_user {
	void (*changed)(struct app *app); /* the text */
	void (*accept)(struct app *app);
	void (*cancel)(struct app *app); /* close it, and undo what the text did */
};

#define PROMPT_HISTORY 100
#define PROMPT_MAX 1000 /* bytes of a text */

/* Texts that were typed, the oldest first, each of them once. Zeroed: empty. */
struct prompt_history {
	char **texts;
	int n;
	int most; /* 0: PROMPT_HISTORY */
};

static inline void prompt_history_done(struct prompt_history *h)
{
	for (int i = 0; i < h->n; i++)
		free(h->texts[i]);
	free(h->texts);
	*h = (struct prompt_history){ .most = h->most };
}

/* Append a text; an equal older one is removed, and the oldest one if there are too many. */
void prompt_history_add(struct prompt_history *history, const char *text);

struct prompt {
	enum prompt_kind kind; /* PROMPT_NONE: closed */
	struct buf text;
	size_t cursor; /* a byte of the text */
	bool is_plain; /* plain text, not a regular expression; kept from one prompt to the next */
	struct prompt_history patterns;  /* of searches and filters */
	struct prompt_history *commands; /* of command lines; borrowed; NULL: none are kept */
	int at;           /* index of the text that is shown; the number of texts: the one typed */
	struct buf typed; /* the text being typed, while one of the history is shown */
};

static inline void prompt_done(struct prompt *p)
{
	prompt_history_done(&p->patterns);
	buf_done(&p->text);
	buf_done(&p->typed);
	*p = (struct prompt){ 0 };
}

/* Copy what a closed prompt keeps: its patterns, and whether text is plain. */
void prompt_copy(struct prompt *to, const struct prompt *from);

/* Open with an empty text, or with `text`. */
void prompt_open(struct prompt *prompt, enum prompt_kind kind, const char *text);

/* Close; the text goes into the history if `is_kept`. It stays readable until the next
 * prompt_open(). */
void prompt_close(struct prompt *prompt, bool is_kept);

/* A place as seen from the cursor. */
enum prompt_place {
	PROMPT_LEFT,
	PROMPT_RIGHT,
	PROMPT_WORD, /* the start of the word before */
	PROMPT_START,
	PROMPT_END
};

/* Edit the text. All return whether it changed. */
bool prompt_insert(struct prompt *prompt, key_code key);
bool prompt_erase(struct prompt *prompt, enum prompt_place to); /* from the cursor on, or back */
bool prompt_older(struct prompt *prompt);
bool prompt_newer(struct prompt *prompt);

void prompt_move(struct prompt *prompt, enum prompt_place to);

/* Replace the bytes [from, cursor) by `text`, after which the cursor stands. False: it is too long,
 * and nothing was changed. */
bool prompt_replace(struct prompt *prompt, size_t from, const char *text);

/* The newest pattern; NULL: there is none. Borrowed. */
static inline const char *prompt_last(const struct prompt *p)
{
	return p->patterns.n ? p->patterns.texts[p->patterns.n - 1] : NULL;
}

#endif
