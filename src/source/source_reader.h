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

#include "model/source_text.h"
#include "source/maps.h"

struct source_reader;

/* options: copied; what they point to must stay as long as the program. waits: read without
 * threads, however long that takes. */
struct source_reader *source_reader_new(const struct maps_options *options, bool waits);

/* Abandon what is being read, and free what no thread uses. NULL is allowed. */
void source_reader_free(struct source_reader *r);

/* The functions of a struct source_host; ctx is a struct source_reader. */
const struct source_text *source_reader_read(void *ctx, const struct source_wanted *wanted);
void source_reader_forget(void *ctx);

struct source_host source_reader_host(struct source_reader *r);

/* Whether a thread is reading, also one that was abandoned. */
bool source_reader_is_busy(const struct source_reader *r);

#endif
