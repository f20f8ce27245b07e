/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first level of a bottom-up tree: all functions with time. Only rows.c uses this. */
#ifndef FLAMETTY_ANALYSIS_ROWS_FIRST_H
#define FLAMETTY_ANALYSIS_ROWS_FIRST_H

#include "analyse/rows/rows.h"

/* Make the rows within the budget. Returns true when they are there, or memory for them is refused;
 * until then there are none. */
bool rows_first_functions(struct rows *rows, struct budget *budget);

/* Whether there is memory of `bytes` for the first rows (base/reserve.h); if not, rows->is_lacking
 * is set. */
bool rows_first_has_room(struct rows *rows, size_t bytes);

#endif
