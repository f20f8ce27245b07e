/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the texts of sources, each as a job (base/thread.h), and keeps the last ones: reading takes
 * long in a large file or source map. */
#ifndef FLAMETTY_SOURCE_SOURCE_READER_H
#define FLAMETTY_SOURCE_SOURCE_READER_H

#include "base/buf.h"
#include "base/thread.h"
#include "model/source_text.h"
#include "source/maps.h"

#include <stdbool.h>

/* options: copied; what they point to must stay as long as the program. waits: read without
 * threads, however long that takes. */
struct jobs *source_reader_new(const struct maps_options *options, bool waits);
struct source_host source_reader_host(struct jobs *jobs);

/* Append the path of the regular file that a url names: below --source-root if there is one (its
 * whole path, or as much of its end as is there), as --map moves it, or the file itself. False:
 * there is none; `looked` gets the paths without one, separated by a comma and a blank. */
bool code_file_find(const struct maps_options *options, const char *url, struct buf *path,
		    struct buf *looked);

#endif
