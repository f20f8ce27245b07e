/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the text of a source: in the source map of its script, in a `data:` url, or in a file of
 * this machine. Nothing is fetched from a network. Only regular files are read, so no file can make
 * the program wait, except on a file system that does not answer. */
#ifndef FLAMETTY_SOURCEMAP_SOURCE_FIND_H
#define FLAMETTY_SOURCEMAP_SOURCE_FIND_H

#include "model/source_text.h"
#include "source/maps.h"

/* Fill `text`, which must be zeroed, with its index. Without a text, text->said has the reasons.
 * Safe on any thread. */
void source_find(const struct source_wanted *wanted, const struct maps_options *options,
		 struct source_text *text);

#endif
