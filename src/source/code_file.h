/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of this machine that hold code of a profile: scripts, and the sources from which they
 * were made. */
#ifndef FLAMETTY_LOAD_CODE_FILE_H
#define FLAMETTY_LOAD_CODE_FILE_H

#include "base/buf.h"
#include "source/maps.h"

#include <stdbool.h>

/* Append the path of the regular file that a url names: below --source-root if there is one (its
 * whole path, or as much of its end as is there), as --map moves it, or the file itself. False:
 * there is none; `looked` gets the paths without one, separated by a comma and a blank. */
bool code_file_find(const struct maps_options *options, const char *url, struct buf *path,
		    struct buf *looked);

#endif
