/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names and places of functions in their sources, by source maps.
 *
 * A function is where its position in the script came from. Its name is that of the innermost
 * function there, if the map has functions (function_map.h); otherwise it is read from the text of
 * the source (function_name.h): the text in the map, or a file of this machine. Without a text it
 * is the name that the map gives the word in front of the position, if that word is the function's
 * name in the script; otherwise the script's name stays. */
#ifndef FLAMETTY_SOURCEMAP_SOURCE_NAMES_H
#define FLAMETTY_SOURCEMAP_SOURCE_NAMES_H

#include "model/other_names.h"
#include "source/maps.h"

/* Make the names of the sources of a profile, whose strings get what is new. NULL: no function of
 * it has another name or place. */
struct other_names *source_names_make(struct profile *profile, struct maps *maps,
				      struct buf *messages);

#endif
