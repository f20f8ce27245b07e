/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The details pane: everything about the selected span, its lane and its file, as lines of text. */
#ifndef FLAMETTY_UI_PANE_DETAILS_PAGE_H
#define FLAMETTY_UI_PANE_DETAILS_PAGE_H

#include "base/buf.h"
#include "draw/lines.h"

#include <stddef.h>

struct details_page {
	struct lines lines;
	/* What the lines describe; they are made again when it changes. */
	int lane, cols;
	size_t first;
	int depth;
	bool has_lines;
	bool is_waiting; /* for the text of an event */
};

#endif
