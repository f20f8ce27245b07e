/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ids of functions: `f:` and 8 base-32 digits, a hash of the name and the key of the file
 * (file_key.h), so that a function has the same id in other recordings, hosts and versions. Of an
 * anonymous function, the name of the function that begins before it in its file counts, too. Where
 * several functions of a recording would have one id, those after the first, by line, count on. */
#ifndef FLAMETTY_MODEL_FUNCTION_ID_H
#define FLAMETTY_MODEL_FUNCTION_ID_H

#include "base/error.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUNCTION_ID_DIGITS 8
#define FUNCTION_ID_ROOM (2 + FUNCTION_ID_DIGITS + 1)

/* The ids of all frames of a profile, by frame; the caller frees them. */
uint64_t *function_id_all(const struct profile *profile);

/* Write an id as text. */
void function_id_format(uint64_t id, char text[FUNCTION_ID_ROOM]);

/* Whether the text is an id, or the beginning of one: `f:` and a digit at least. */
bool function_id_is(const char *text);

/* The function whose id begins with the text. FRAME_NONE with err set: there is none, or several,
 * which err lists. */
frame_id function_id_find(const struct profile *profile, const char *text, struct error *err);

#endif
