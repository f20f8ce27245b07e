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
#include "source/function_map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAPPING_NONE UINT32_MAX

/* A segment with its numbers as they are. */
struct mapping {
	uint32_t line, column; /* in the generated script; columns in UTF-16 code units */
	uint32_t source;       /* MAPPING_NONE: this stretch of the script has no source; then the
				  next three are MAPPING_NONE, too */
	uint32_t source_line, source_column;
	uint32_t name; /* MAPPING_NONE: none */
};

/* The state of the reader: the offset, and what was read before. */
struct mappings_state {
	uint32_t at; /* offset in the text */
	uint32_t line;
	/* The numbers to which the differences of the segment are added. */
	int32_t column, source, source_line, source_column, name;
};

struct mappings_mark {
	struct mappings_state state;
	uint32_t column; /* of the segment behind it; 0 at the beginning of a line */
};

struct mappings {
	struct str text; /* borrowed */
	uint32_t n_sources, n_names;
	struct mappings_mark *marks; /* by line, then column, except on unordered
					lines */
	size_t n_marks, cap_marks;
	uint64_t n;       /* segments */
	uint64_t n_bad;   /* segments that count as if they had no source: 2, 3 or more than 5
			     numbers, or a source, line, column or name that does not exist */
	uint32_t n_lines; /* of the generated script, as far as the text goes */
	/* Where reading stopped because the text is broken; NULL: it did not. The segments in front
	 * of it count. */
	const char *why; /* static text */
	size_t bad_at;   /* offset in the text */
	/* Lines whose segments are not ordered by column, ascending. The one that was asked for
	 * last is kept in order. */
	uint32_t *unordered;
	size_t n_unordered, cap_unordered;
	struct mapping *ordered;
	size_t n_ordered, cap_ordered;
	uint32_t ordered_line; /* MAPPING_NONE: none is kept */
};

/* Pass through a text. It must stay as long as `m` is used. n_sources, n_names: how many there are
 * in the map. m needs mappings_done(). */
void mappings_init(struct mappings *m, struct str text, uint32_t n_sources, uint32_t n_names);
void mappings_done(struct mappings *m);

/* Find the segment to which a position of the generated script belongs: the last one of its line at
 * or before the column; of several at that very column, the first, unless is_last. Returns false
 * when there is none; a segment without a source is found like any other.
 *
 * Fast for searches in any order, except on unordered lines, which are sorted when the line
 * changes. */
bool mappings_find(struct mappings *m, uint32_t line, uint32_t column, bool is_last,
		   struct mapping *found);

/* The first segment of a line. False: the line has none. */
bool mappings_first(struct mappings *m, uint32_t line, struct mapping *found);

struct source_map_source {
	char *path;         /* sourceRoot and source, as they are written; NULL: the map has null */
	struct str content; /* the JSON string with its quotes, in the text; p is NULL: none */
	bool is_ignored;    /* the map calls it code of others */
};

/* The mappings of a section, or of a map without sections. */
struct source_map_part {
	uint32_t line, column; /* of the generated script where the part begins, from 0 */
	struct mappings mappings;
	struct function_map functions;
	uint32_t first_source, first_name;
};

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
