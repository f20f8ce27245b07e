/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Highlights search matches in the names of tables, and the row with the cursor. */
#ifndef FLAMETTY_LAYOUT_HIGHLIGHT_H
#define FLAMETTY_LAYOUT_HIGHLIGHT_H

#include "analyse/search.h"
#include "draw/grid.h"

/* Highlight the matching part of a name at row, col in `cells` cells. If that part is not known,
 * because the name was truncated or another text of the function matches, highlight all of it.
 * search: NULL, or a search of the profile that `frame` belongs to. Returns whether the name itself
 * matches. */
bool highlight_name(struct grid *g, int row, int col, int cells, const struct search *search,
		    frame_id frame);

/* Fill the row of a table that has the cursor, and mark its beginning; text may cover the mark. */
void highlight_row(struct grid *g, int row, int col, int cells, bool is_ascii);

/* Whether the search found the function. */
bool highlight_is_match(const struct search *search, frame_id frame);

#endif
