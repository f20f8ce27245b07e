/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of the help screen: what a new user needs first, then all keys, those of the context
 * with the focus before the others. */
#ifndef FLAMETTY_UI_HELP_PAGE_H
#define FLAMETTY_UI_HELP_PAGE_H

#include "layout/help.h"
#include "ui/app.h"

#include <stddef.h>

/* Zero it before its first use. */
struct help_page {
	struct help_line *lines;
	char **keys; /* by line: owned texts; NULL: the line has no keys */
	size_t n;
};

/* Fill `page`, and `help`, which borrows from it. Undo with help_page_done(). */
void help_page_make(const struct app *app, struct help_page *page, struct help *help);
void help_page_done(struct help_page *page);

/* The largest useful value of app->help_scroll. */
int help_page_scroll(const struct app *app);

#endif
