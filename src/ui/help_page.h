/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of the help screen: what to know first, then all keys, those of what is in focus before
 * the others. */
#ifndef FLAMETTY_UI_HELP_PAGE_H
#define FLAMETTY_UI_HELP_PAGE_H

#include "layout/help.h"
#include "ui/app.h"

#include <stddef.h>

/* Zeroed before its first use. */
struct help_page {
	struct help_line *lines;
	char **keys; /* by line: owned texts, NULL for none */
	size_t n;
};

/* `help` borrows from the page. */
void help_page_make(const struct app *app, struct help_page *page, struct help *help);
void help_page_done(struct help_page *page);

/* Most that it makes sense to scroll. */
int help_page_scroll(const struct app *app);

#endif
