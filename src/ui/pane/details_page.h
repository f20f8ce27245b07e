/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The details pane: everything about the selected span, its lane and its file, as lines of text. */
#ifndef FLAMETTY_UI_PANE_DETAILS_PAGE_H
#define FLAMETTY_UI_PANE_DETAILS_PAGE_H

#include "layout/lines.h"

#include <stddef.h>
#include <stdint.h>

struct app;

struct details_page {
	struct lines lines;
	/* What the lines are about; they are made anew when it changes. */
	int lane, cols;
	size_t first;
	int depth;
	bool has_lines;
};

/* Bring the lines up to date for a pane of `cols` columns. */
void details_page_update(struct app *app, int cols);
void details_page_done(struct details_page *page);

#endif
