/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The key of a file: what its URL has in common in two builds of one program. */
#ifndef FLAMETTY_MODEL_FILE_KEY_H
#define FLAMETTY_MODEL_FILE_KEY_H

#include "base/buf.h"

/* Append a URL without what differs between two builds of one file: the query, the host, versions
 * of directories and packages (`/srv/app-1.4.0/`, `/node_modules/.pnpm/x@1.2.3/`), hashes in the
 * name of the file (`index-4f3a2b.js`). */
void file_key_add(const char *url, struct buf *out);

#endif
