/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "build/slice_stacks.h"

#include <stdlib.h>

void slice_stacks_done(struct slice_stacks *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->layers[i].open);
	free(s->layers);
	*s = (struct slice_stacks){ 0 };
}

void slice_stacks_add_layer(struct slice_stacks *s)
{
	s->layers = xgrow(s->layers, &s->cap, s->n + 1, sizeof *s->layers);
	s->layers[s->n++] = (struct slice_stack){ 0 };
}
