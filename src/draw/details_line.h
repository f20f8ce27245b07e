/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line of a name, a location and parts, which leaves out parts on a narrow screen. Only
 * details.c uses this. */
#ifndef FLAMETTY_LAYOUT_DETAILS_LINE_H
#define FLAMETTY_LAYOUT_DETAILS_LINE_H

#include "base/buf.h"
#include "draw/chart.h"

#define DETAILS_LINE_PARTS 16
#define DETAILS_LINE_NAME 14 /* cells that a name keeps */

struct details_part {
	char text[512];
	char brief[64]; /* a short form with its own rank, if the part does not fit; "": none */
	int brief_rank;
	int rank; /* -1: left out */
	enum role ink;
};

struct details_line {
	struct buf name;
	size_t stem;         /* bytes of the name that are enough if not all of it fits; 0: none */
	bool differs_at_end; /* the name is truncated at its start */
	struct buf location;
	struct details_part parts[DETAILS_LINE_PARTS];
	int n_parts;
};

/* A zeroed struct is an empty line. */
void details_line_done(struct details_line *line);

/* Append a part. rank: 0 stays longest; among equal ranks the last one is removed first. An empty
 * text is ignored, as are parts beyond DETAILS_LINE_PARTS. */
void details_line_add(struct details_line *line, int rank, enum role ink, const char *text);

/* Give the last part a short form. */
void details_line_brief(struct details_line *line, int rank, const char *text);

/* Draw the line into row r.row, the name in `ink`. Parts that do not fit are removed from it. */
void details_line_draw(struct grid *g, struct rect r, struct details_line *line, enum role ink);

#endif
