/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classifies a chart cell from its coverage and the spans at its edges. */
#ifndef FLAMETTY_LAYOUT_CELL_KIND_H
#define FLAMETTY_LAYOUT_CELL_KIND_H

#include "analyse/cover.h"

#include <stdbool.h>

enum cell_kind {
	CELL_KIND_BLANK,  /* no span */
	CELL_KIND_FULL,   /* `left` from edge to edge */
	CELL_KIND_END,    /* `left` ends, no other span */
	CELL_KIND_START,  /* `right` begins, no other span */
	CELL_KIND_EDGE,   /* `left` ends where `right` begins */
	CELL_KIND_GAP,    /* `left` ends; after a gap, `right` begins */
	CELL_KIND_INSIDE, /* `left` begins and ends inside, no other span */
	CELL_KIND_SHARED  /* anything else: several spans */
};

struct piece {
	enum cell_kind kind;
	struct span left, right;
};

/* A cell of [t0, t1), with spans of no length in [t0, end); end is t1, or t1 + 1 at the end of the
 * time line. `cover` is the result of cover_column() for [t0, end); `first` and `last` are the
 * samples at t0 and at end - 1. */
struct cell_kind_cell {
	const struct cover_cell *cover;
	int64_t t0, t1, end;
	size_t first, last;
};

/* `before`: a span of this row that may reach into the cell, which saves a search; may be NULL. */
void cell_kind_find(const struct lane *lane, int depth, const struct cell_kind_cell *cell,
		    const struct span *before, struct piece *out);

#endif
