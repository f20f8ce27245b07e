/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bytes of source maps, and where scripts say that theirs is. Only regular files of this
 * machine are read; nothing is fetched from a network. */
#ifndef FLAMETTY_SOURCEMAP_MAP_TEXT_H
#define FLAMETTY_SOURCEMAP_MAP_TEXT_H

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* The largest file that is read. */
#define MAP_TEXT_MAX ((int64_t)1 << 30)

struct map_text {
	char *bytes; /* malloc'ed, with CURSOR_PAD bytes behind them; NULL: none */
	size_t len;
	int64_t changed_s; /* of a file: time of its last change, seconds since 1970 */
};

void map_text_done(struct map_text *text);

/* Read a file. Returns false without an error when there is no such file; with one when it cannot
 * be read, is no regular file, or is longer than MAP_TEXT_MAX. */
bool map_text_read(struct map_text *text, const char *path, struct error *err);

/* The same for what a comment of a script is looked for in: the end of the file, which is where
 * tools put it. All of the file if the end is in the middle of a long line, as a `data:` url is. */
bool map_text_read_end(struct map_text *text, const char *path, struct error *err);

/* Decode a `data:` url with base64 or percent-encoding. */
bool map_text_decode(struct map_text *text, struct str url, struct error *err);

/* The url that the last `//# sourceMappingURL=` comment of a script states, also in the older form
 * `//@` and in a block comment; of len 0: there is none. Points into the script. Source: ECMA-426,
 * "Linking generated code to source maps", without parsing. */
struct str map_text_url(struct str script);

#endif
