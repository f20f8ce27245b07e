/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of the help screen: the keys of what is in focus, then all others; what signs and
 * colours mean, and what the mouse does. */
#ifndef FLAMETTY_UI_HELP_PAGE_H
#define FLAMETTY_UI_HELP_PAGE_H

#include "base/intern.h"
#include "draw/screen.h"
#include "ui/line/prompt.h"

#include <stddef.h>

struct buf;
struct app;

extern const struct prompt_user help_page_prompt; /* of the filter */

#define HELP_SETTINGS "\n" /* no word that a user can type */

struct help_state {
	bool is_open;
	int scroll;
	struct buf word; /* only commands that contain it are listed; empty: all; HELP_SETTINGS:
			    the settings */
};

/* Zero it before its first use. */
struct help_page {
	struct help_line *lines;
	size_t n, cap;
	struct arena texts; /* of the lines */
	struct buf text;    /* of the line that is made */
	const struct keymap *keymap;
	const char *word;       /* lines without it are left out; "": none is */
	const char *title;      /* of the section, until it has a line */
	size_t first_of_column; /* index of the first line of the second column; 0: none */
};

/* Fill `page`, and `help`, which borrows from it. Undo with help_page_done(). */
void help_page_make(const struct app *app, struct help_page *page, struct help *help);

static inline void help_page_done(struct help_page *page)
{
	arena_done(&page->texts);
	buf_done(&page->text);
	free(page->lines);
	*page = (struct help_page){ 0 };
}

#endif
