/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths and urls of scripts, source maps and sources. Nothing here reads files. */
#ifndef FLAMETTY_SOURCEMAP_MAP_PATH_H
#define FLAMETTY_SOURCEMAP_MAP_PATH_H

#include "base/buf.h"

#include <stdbool.h>

/* Length of the scheme of a url with its colon, `webpack:`; 0: the text is a path. One letter is
 * the drive of a Windows path. */
size_t map_path_scheme(const char *url);

/* Append `path` as it is seen from the file or url `base`: ".." and "." are resolved, what follows
 * the last slash of the base is left out. Absolute paths and urls stay as they are, resolved. */
void map_path_resolve(const char *base, const char *path, struct buf *out);

/* Append `path` as a path below a folder: without scheme and host, without ".." at its beginning.
 */
void map_path_below(const char *folder, const char *path, struct buf *out);

/* Append the path of a file on this machine: of `file:` urls, percent-decoded, and of paths without
 * a scheme. Returns false, and appends nothing, for other urls. */
bool map_path_local(const char *url, struct buf *out);

/* What follows the last slash, without query and fragment. The result points into `url`; *len is
 * its length. */
const char *map_path_name(const char *url, size_t *len);

#endif
