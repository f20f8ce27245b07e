/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is in a directory, and below it. */
#ifndef FLAMETTY_LOAD_FOLDER_H
#define FLAMETTY_LOAD_FOLDER_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The names in a directory without those that begin with a dot, sorted. The caller frees each and
 * the array. False: it cannot be read, and there are none. */
bool folder_names(const char *path, char ***names, size_t *n, struct error *err);

/* Append the directories below `path` that have a profile: the first few, and the number of the
 * others. False: there is none, as far as the search goes. */
bool folder_below(const char *path, struct buf *out);

#endif
