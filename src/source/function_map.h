/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the functions of the sources are, as some source maps say it besides `mappings`:
 *
 *   scopes          ECMA-426, proposal "Scopes": trees of scopes, one for each source; functions
 *                   are those that are stack frames
 *   originalScopes  the same in the older draft: a text for each source; functions have the kind
 *                   "function"
 *   x_com_bloomberg_sourcesFunctionMappings
 *                   a text for each source: name, start and end of each function
 *   x_facebook_sources
 *                   for each source, names and the places from which they count (Metro, Hermes)
 *
 * Of several, the first in this order counts. The texts are read when a function of a source is
 * asked for; what is broken ends there. Lines and columns count from 0. */
#ifndef FLAMETTY_SOURCE_FUNCTION_MAP_H
#define FLAMETTY_SOURCE_FUNCTION_MAP_H

#include "base/buf.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

struct function_list;

struct function_map {
	/* Values of the members, in the text of the map; p is NULL: absent. */
	struct str scopes, original, ranges, points;
	struct function_list *lists; /* by source; NULL: nothing was asked for */
	uint32_t n_lists;
};

/* The names of the map: JSON strings with their quotes. */
struct function_names {
	const struct str *list;
	uint32_t n;
};

/* Append the name of the innermost function around a place of a source. n_sources: of the map.
 * "(anonymous)" stands for functions without a name. False: the map does not say, or the place is
 * in no function. */
bool function_map_find(struct function_map *map, uint32_t n_sources,
		       const struct function_names *names, uint32_t source, uint32_t line,
		       uint32_t column, struct buf *out);
void function_map_done(struct function_map *map);

#endif
