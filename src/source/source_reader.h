/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the texts of sources (source/source_find.h), and keeps the last ones.
 *
 * For an interface that must not wait for a file, each text is read on a thread of its own, which
 * uses copies only: reading takes long in a large file or source map, and does not end on a file
 * system that does not answer.
 *
 * Threads: all functions are for one thread, the one that asks. None waits for the others, except
 * source_reader_read() for a few milliseconds. A thread that is abandoned ends by itself; one that
 * is blocked keeps what it uses. */
#ifndef FLAMETTY_LOAD_SOURCE_READER_H
#define FLAMETTY_LOAD_SOURCE_READER_H

#include "base/buf.h"
#include "model/source_text.h"
#include "source/maps.h"

#include <stdbool.h>

struct source_reader;

/* options: copied; what they point to must stay as long as the program. waits: read without
 * threads, however long that takes. */
struct source_reader *source_reader_new(const struct maps_options *options, bool waits);

/* Abandon what is being read, and free what no thread uses. NULL is allowed. */
void source_reader_free(struct source_reader *r);
struct source_host source_reader_host(struct source_reader *r);

/* Whether a thread is reading, also one that was abandoned. */
bool source_reader_is_busy(const struct source_reader *r);

/* Fill `text`, which must be zeroed, with its index. Without a text, text->said has the reasons.
 * Safe on any thread. */
void source_find(const struct source_wanted *wanted, const struct maps_options *options,
		 struct source_text *text);

/* Append the path of the regular file that a url names: below --source-root if there is one (its
 * whole path, or as much of its end as is there), as --map moves it, or the file itself. False:
 * there is none; `looked` gets the paths without one, separated by a comma and a blank. */
bool code_file_find(const struct maps_options *options, const char *url, struct buf *path,
		    struct buf *looked);

#endif
