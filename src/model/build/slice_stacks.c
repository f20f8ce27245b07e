/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layers are made when an overlap first needs them, and found by their row. */
#include "config.h"

#include "model/build/slice_stacks.h"

#include <stdlib.h>
#include <string.h>

void slice_stacks_done(struct slice_stacks *s)
{
	free(s->open);
	free(s->layers);
	free(s->at_row);
	*s = (struct slice_stacks){ 0 };
}

static size_t add_layer(struct slice_stacks *s, int row)
{
	s->layers = xgrow(s->layers, &s->cap_layers, s->n_layers + 1, sizeof *s->layers);
	s->layers[s->n_layers] = (struct slice_layer){ .first_row = row, .until = INT64_MIN };
	return s->n_layers++;
}

size_t slice_stacks_layer(struct slice_stacks *s, int row, int64_t t,
			  const struct slice_open *around)
{
	size_t at = (size_t)row;

	if (at >= s->n_at_row) {
		size_t n = s->n_at_row;

		s->at_row = xgrow(s->at_row, &s->n_at_row, at + 1, sizeof *s->at_row);
		memset(s->at_row + n, 0, (s->n_at_row - n) * sizeof *s->at_row);
	}
	/* It is free unless it had to take slices of other rows. */
	if (s->at_row[at] && s->layers[s->at_row[at] - 1].until <= t)
		return s->at_row[at] - 1;
	if (!s->at_row[at] && s->n_layers < SLICE_STACKS_MOST) {
		s->at_row[at] = (uint32_t)add_layer(s, row) + 1;
		return s->at_row[at] - 1;
	}
	for (size_t i = s->n_layers; i-- > 0;)
		if (s->layers[i].until <= t)
			return i;
	assert(around);
	return around->layer;
}
