/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The row of a lane of marks: a sign at each mark, with its name as far as there is room. */
#ifndef FLAMETTY_LAYOUT_MARK_ROW_H
#define FLAMETTY_LAYOUT_MARK_ROW_H

#include "layout/flame/flame.h"

#define MARK_ROW_SIGN 0x25C6u
#define MARK_ROW_SIGN_ASCII '*'

/* Find the first mark of a lane of marks in [t0, end). Returns the number of marks there. */
size_t mark_row_find(const struct lane *lane, int64_t t0, int64_t end, struct span *first);

/* Whether there is one. */
bool mark_row_has(const struct lane *lane, int64_t t0, int64_t end);

/* Draw lane `lane` at row, col, f->cols cells wide. The cells must be blank. */
void mark_row_draw(const struct flame *f, struct grid *g, int lane, int row, int col);

#endif
