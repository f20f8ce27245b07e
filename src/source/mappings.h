/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The `mappings` text of a source map: which position of a generated script came from which
 * position of which source.
 *
 * Source: ECMA-426 (source map format, version 3), "Mappings structure". The text holds lines of
 * the generated script, separated by `;`, and in a line segments, separated by `,`. A segment is 1,
 * 4 or 5 numbers in Base64 VLQ, each the difference to the same number of an earlier segment:
 * generated column, source, original line, original column, name.
 *
 * The text is not unpacked: it is passed once, and a mark is kept for each 256 bytes. A search
 * reads the text from a mark on. So a map costs an eighth of its text.
 *
 * All lines, columns, sources and names count from 0 here, as in the format. */
#ifndef FLAMETTY_SOURCEMAP_MAPPINGS_H
#define FLAMETTY_SOURCEMAP_MAPPINGS_H

#include "base/str.h"

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

/* Longest text. */
#define MAPPINGS_TEXT_MAX ((size_t)1 << 31)

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

#endif
