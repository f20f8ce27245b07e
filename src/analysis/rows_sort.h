/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of rows: by two numbers, or by name. Only rows.c uses this. */
#ifndef FLAMETTY_ANALYSIS_ROWS_SORT_H
#define FLAMETTY_ANALYSIS_ROWS_SORT_H

#include "analysis/view.h"

#include <stddef.h>

/* Sort keys apart from the rows: a third of the bytes to move. */
struct rows_key {
	int64_t first, second;
	uint32_t at; /* in the rows */
	frame_id frame;
};

/* Sort n keys: the larger `first` comes first, then the larger `second`, then the smaller frame. If
 * both numbers are 0 the name of the frame decides. The numbers must not be negative. The keys must
 * be in the order of their frames. spare: room for n keys. */
void rows_sort_keys(const struct view *view, struct rows_key *keys, struct rows_key *spare,
		    size_t n);

#endif
