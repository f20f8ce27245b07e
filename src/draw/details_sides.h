/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of the header about transforms. Header and selection while two sides are compared
 * (analyse/compare/sides.h). Only details.c uses this. */
#ifndef FLAMETTY_LAYOUT_DETAILS_SIDES_H
#define FLAMETTY_LAYOUT_DETAILS_SIDES_H

#include "analyse/rows/rows.h"
#include "draw/details_line.h"

/* Fill the header of `cols` cells: both sides, and what the figures are. */
void details_sides_header(struct details_line *line, const struct chart *chart, int cols);

/* Add self and total time on both sides, of a node of the merged lane; of a row. */
void details_sides_of_node(struct details_line *line, const struct sides *sides, node_id node);
void details_sides_of_row(struct details_line *line, const struct rows_change *of,
			  const struct row *row);

/* Add the list of transforms to a header of `cols` cells. */
void details_sides_about(struct details_line *line, const char *about, int cols);

#endif
