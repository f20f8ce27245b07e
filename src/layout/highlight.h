/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names in tables, with what a search found in them marked. */
#ifndef FLAMETTY_LAYOUT_HIGHLIGHT_H
#define FLAMETTY_LAYOUT_HIGHLIGHT_H

#include "analysis/search.h"
#include "layout/grid.h"

/* Mark the part of a name that matches, where the name stands at row, col in `cells` cells; all of
 * it if the part is not to be told: the name was cut, or another text of the function matches.
 * search: NULL, or one of the profile that `frame` is of. Returns whether the name itself matches.
 */
bool highlight_name(struct grid *g, int row, int col, int cells, const struct search *search,
		    frame_id frame);

/* Whether a function is one that the search found. */
bool highlight_is_match(const struct search *search, frame_id frame);

#endif
