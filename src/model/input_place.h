/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of an input. Most inputs are one file; one that was written as several has them one
 * after another, and its offsets count through all of them. Results borrow from the input. */
#ifndef FLAMETTY_MODEL_INPUT_PLACE_H
#define FLAMETTY_MODEL_INPUT_PLACE_H

#include "base/buf.h"
#include "model/profile.h"

#include <stddef.h>
#include <stdint.h>

/* A byte of the uncompressed text of a file. */
struct input_place {
	str_id path;
	const struct fingerprint *print; /* of the file when it was loaded */
	int64_t offset;
};

/* The number of files of an input, and the first byte of one of them. */
size_t input_place_files(const struct input *in);
struct input_place input_place_file(const struct input *in, size_t i);

/* Where a byte of an input is. offset: -1 stays -1. */
struct input_place input_place_at(const struct input *in, int64_t offset);

/* Append `, first at byte 17`, with the name of the file if the input has several. Appends nothing
 * if the offset is -1. */
void input_place_add_first(const struct profile *profile, const struct input *in, int64_t offset,
			   struct buf *out);

#endif
