/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inputs of a profile, and the notes about them. All that is passed to a builder belongs to
 * the input that was begun last. */
#ifndef FLAMETTY_BUILD_BUILDER_INPUT_H
#define FLAMETTY_BUILD_BUILDER_INPUT_H

#include "base/error.h"
#include "base/fingerprint.h"
#include "base/intern.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct builder;

/* The inputs that are begun from here on are of this file or directory of those that were asked
 * for, counted from 0. */
void builder_input_argument(struct builder *b, uint32_t argument);

/* Begin an input. */
void builder_input(struct builder *b, const char *path);

/* format, compression (NULL: none): static text. bytes: size of the file, -1 unknown. */
void builder_input_format(struct builder *b, const char *format, const char *compression,
			  int64_t bytes);

/* The wall clock at the start of the recording, as the file's name gives it: seconds since 1970, in
 * an unknown time zone, or UTC. align.c compares clocks by it. */
void builder_input_date(struct builder *b, int64_t seconds, bool is_utc);

/* A date that does not exist, as the name has it. */
void builder_input_date_text(struct builder *b, const char *text);

/* What the file says of the machine that it was recorded on. */
void builder_input_host(struct builder *b, enum input_host of, const char *text, size_t len);

/* The number of the file within its process, not negative. */
void builder_input_seq(struct builder *b, int64_t seq);

/* Begin a file of the current input, which has several (model/input_place.h). from: the offset in
 * the input of its first byte. */
void builder_input_part(struct builder *b, const char *path, int64_t from);

/* The fingerprint of the file that was begun last, which is copied. */
void builder_input_fingerprint(struct builder *b, const struct fingerprint *print);

/* Remove the current input. No lane may have come from it. */
void builder_input_drop(struct builder *b);

/* Add a note to the current input, for the details page. is_loss: it names something that is not
 * shown. */
void builder_input_note(struct builder *b, bool is_loss, const char *format, ...)
	ERROR_PRINTF(3, 4);

/* Note where a source map for the script `url` is: the offset of its object in the text of the
 * input. Those after the first 100,000 are left out. */
void builder_input_map(struct builder *b, const char *url, size_t len, int64_t offset);

/* Intern text of the current input. Bytes that are not UTF-8 become U+FFFD, with WARN_TEXT. */
str_id builder_input_text(struct builder *b, const char *text, size_t len);

/* The same; hash: of the text, by intern_prefetch(). */
str_id builder_input_text_hashed(struct builder *b, const char *text, size_t len, uint64_t hash);

#endif
