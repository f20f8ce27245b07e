/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognises the format of a document by its beginning. */
#ifndef FLAMETTY_LOAD_SNIFF_H
#define FLAMETTY_LOAD_SNIFF_H

#include "base/json/outline.h"
#include "base/str.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>

/* How much of a document to look at: SNIFF_FIRST bytes at first, SNIFF_MAX at last. */
#define SNIFF_FIRST ((size_t)64 << 10)
#define SNIFF_MAX ((size_t)64 << 20)

/* Find the reader of a document that begins with `head`. outline: for the work; keeps what was
 * found. is_all: that is the whole document; is_last: there will be no further call. Returns NULL
 * without an error when more bytes may tell, with ERR_UNKNOWN when there is no reader. */
const struct reader *sniff_reader(struct outline *outline, struct str head, bool is_all,
				  bool is_last, struct error *err) MUST_USE;

/* Find the reader of a regular file by its first bytes; NULL: there is none. Quick, for directories
 * of many other files. Returns false when these bytes are not enough, or are compressed, or cannot
 * be read. */
bool sniff_file(const char *path, const struct reader **reader);

#endif
