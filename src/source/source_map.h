/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A source map: says of each position of a generated script from which source it came.
 *
 * Source: ECMA-426 (source map format, version 3), with index maps (`sections`), `ignoreList`, and
 * the older name `x_google_ignoreList`. `sections` are joined as ECMA-426 says, one in another down
 * to a depth of 8; a section that names a file (`url`, which the standard dropped) is left out.
 *
 * The map keeps its text and reads names, contents and mappings from it when they are asked for. A
 * broken map gives what can be used of it, and says in `problems` what is wrong.
 *
 * Sources and names are numbered from 0 through all sections. */
#ifndef FLAMETTY_SOURCE_SOURCE_MAP_H
#define FLAMETTY_SOURCE_SOURCE_MAP_H

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAPPING_NONE UINT32_MAX

struct source_map_source {
	char *path;         /* sourceRoot and source, as they are written; NULL: the map has null */
	struct str content; /* the JSON string with its quotes, in the text; p is NULL: none */
	bool is_ignored;    /* the map calls it code of others */
};

struct source_map_part; /* the mappings of a section, or of a map without sections */

struct source_map {
	struct source_map_part *parts; /* by line, then column */
	size_t n_parts, cap_parts;
	struct source_map_source *sources;
	size_t n_sources, cap_sources;
	struct str *names; /* JSON strings with their quotes, in the text */
	size_t n_names, cap_names;
	struct buf problems; /* sentences without a dot, separated by "; " */
};

/* What a position of the generated script was in its source. */
struct source_place {
	uint32_t source;       /* index into sources */
	uint32_t line, column; /* from 0 */
	uint32_t name;         /* index into names; MAPPING_NONE: none */
};

/* Read a map. text: borrowed as long as the map is used; CURSOR_PAD bytes after it must be
 * readable. Returns NULL when it is no source map at all: then err says why, with the offset in the
 * text. The caller frees the map with source_map_free(). */
struct source_map *source_map_read(struct str text, struct error *err) MUST_USE;
void source_map_free(struct source_map *map);

/* Where the position of the generated script came from: line and column from 0, the column in
 * UTF-16 code units. Returns false when the map does not say. */
bool source_map_find(struct source_map *map, uint32_t line, uint32_t column,
		     struct source_place *place);

/* Where a whole line of the generated script came from: the source line of its segments, if they
 * have only one. column and name of the place are of the first. */
bool source_map_find_line(struct source_map *map, uint32_t line, struct source_place *place);

/* Append the name of the innermost function around a place of a source, where the map says which
 * functions are where (function_map.h). False: it does not; then nothing is appended. */
bool source_map_function(struct source_map *map, const struct source_place *place, struct buf *out);

/* Append a name or the content of a source to `out`. Returns false, and appends nothing, when there
 * is none, or when it has an escape that JSON does not know. */
bool source_map_name(const struct source_map *map, uint32_t name, struct buf *out);
bool source_map_content(const struct source_map *map, uint32_t source, struct buf *out);

#endif
