/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads documents that are in memory. Tests write them with ' for ". */
#ifndef FLAMETTY_TESTS_LOAD_TEXT_H
#define FLAMETTY_TESTS_LOAD_TEXT_H

#include "base/alloc.h"
#include "model/build/builder.h"
#include "read/load/load_file.h"
#include "read/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The byte from which on a document is read ahead, and lists are built, on threads of their own. */
static size_t load_text_ahead = SIZE_MAX;

/* The setup of a fixture: from the first byte on. */
static inline void load_text_on_threads(void)
{
	load_text_ahead = 0;
}

/* A copy with " for each ', and no byte more: a sanitizer finds a read beyond it. The caller frees
 * it. */
static inline char *quoted_bytes(const char *text, size_t len)
{
	char *copy = xmalloc(len ? len : 1);

	for (size_t i = 0; i < len; i++)
		copy[i] = text[i] == '\'' ? '"' : text[i];
	return copy;
}

/* The same with the end of the string. */
static inline char *quoted(const char *text)
{
	return quoted_bytes(text, strlen(text) + 1);
}

/* Pass a document to a builder, as an input called "test". `fail_at`: the byte at which reading
 * fails, or SIZE_MAX. `reader`: NULL to detect it. */
static inline bool pass_text(struct builder *b, const char *text, size_t len, size_t fail_at,
			     const struct reader *reader, struct error *err)
{
	struct file_hints hints = { .pid = LANE_NO_ID, .tid = LANE_NO_ID };
	struct stream *stream = stream_open_memory(text, len, fail_at);
	bool ok;

	builder_input(b, "test");
	stream_set_ahead(stream, load_text_ahead);
	ok = load_file_stream(stream, &hints, reader, b, err);
	stream_close(stream);
	/* A reader fails if, and only if, it says why. */
	if (ok != (err->kind == ERR_NONE)) {
		fprintf(stderr, "read: %d, error: \"%s\"\n%.*s\n", ok, err->text, (int)len, text);
		abort();
	}
	return ok;
}

/* Load a document that is passed in the same way. Takes the builder. Returns NULL with err set, or
 * the profile. */
static inline struct profile *load_text_with(struct builder *b, const char *text, size_t len,
					     size_t fail_at, const struct reader *reader,
					     struct error *err)
{
	if (pass_text(b, text, len, fail_at, reader, err))
		return builder_finish(b, err);
	builder_free(b);
	return NULL;
}

static inline struct profile *load_text(const char *text, size_t len, size_t fail_at,
					const struct reader *reader, struct error *err)
{
	struct builder_options options = { .is_raw = false };

	return load_text_with(builder_new(&options), text, len, fail_at, reader, err);
}

#endif
