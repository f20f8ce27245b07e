/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inputs that are read apart: by a builder of a thread, which then gives them to the builder of the
 * profile, in the order of the files. The profile is the same as if its builder had read them.
 *
 * The builder of a thread keeps its texts and functions from input to input. Those that are new
 * with an input go with it, and a map knows their ids in the profile. So the inputs of one thread
 * must be given in the order in which they were read; when one is not, none after it. */
#ifndef FLAMETTY_MODEL_BUILD_APART_H
#define FLAMETTY_MODEL_BUILD_APART_H

#include "model/build/builder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The builder of a thread, and how many of its texts and functions were given. */
struct apart {
	struct builder *builder; /* owned */
	size_t n_texts;
	uint32_t n_frames;
};

/* What the texts and functions of such a builder are in the profile. A zeroed struct is empty. */
struct apart_map {
	str_id *texts;
	frame_id *frames;
	size_t n_texts, n_frames, cap_texts, cap_frames;
};

/* An input that was read, with its lanes. */
struct apart_input;

/* Whether inputs of a builder can be read apart. */
bool apart_is_possible(const struct builder *b);

/* Make a builder like `of`, whose options are not changed meanwhile. Any thread may call this. */
void apart_begin(struct apart *a, const struct builder *of);
void apart_end(struct apart *a);
void apart_map_done(struct apart_map *map);

/* Take the only input of the builder of a thread, which can then begin the next one. NULL: it
 * cannot be given, and the builder must not be used any more. The caller frees it. */
struct apart_input *apart_take(struct apart *a);
void apart_input_free(struct apart_input *input);

/* Make it the current input of `b`, which has just begun. False: the profile would be another one
 * than if its builder read the input; the lanes are not there. */
bool apart_give(struct builder *b, struct apart_map *map, struct apart_input *input);

#endif
