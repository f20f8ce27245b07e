/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one cell of the chart holds, told from what covers it and from the spans at
 * its two edges. */
#ifndef FLAMETTY_LAYOUT_PIECE_H
#define FLAMETTY_LAYOUT_PIECE_H

#include "analysis/cover.h"

#include <stdbool.h>

enum piece_kind {
	PIECE_BLANK,   /* nothing */
	PIECE_FULL,    /* `left` from edge to edge */
	PIECE_END,     /* `left` ends, then nothing */
	PIECE_START,   /* nothing, then `right` begins */
	PIECE_EDGE,    /* `left` ends where `right` begins */
	PIECE_GAP,     /* `left` ends, nothing, `right` begins */
	PIECE_INSIDE,  /* `left` alone, with nothing on either side */
	PIECE_SHARED   /* anything else: several spans */
};

struct piece {
	enum piece_kind kind;
	struct span left, right;
};

/* A cell: `cover` is what cover_column() says of [t0, t1), `first` and `last` are the
 * samples at t0 and at t1 - 1. */
struct piece_cell {
	const struct cover_cell *cover;
	int64_t t0, t1;
	size_t first, last;
};

/* `before`: a span of this row that may reach into the cell, to save a search; or NULL. */
void piece_find(const struct lane *lane, int depth, const struct piece_cell *cell, const struct span *before,
		struct piece *out);

#endif
