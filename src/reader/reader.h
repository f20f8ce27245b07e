/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The seam between formats and the model: one struct per format, recognised by what a
 * file holds, never by its name. */
#ifndef FLAMETTY_READER_READER_H
#define FLAMETTY_READER_READER_H

#include "base/error.h"
#include "base/progress.h"
#include "base/stream.h"
#include "build/builder.h"
#include "json/json_scan.h"
#include "json/outline.h"

#include <stdbool.h>
#include <stdint.h>

/* What a file's name says of what is in it; -1: nothing. */
struct file_facts {
	int64_t pid;
	int64_t tid;
	int64_t seq; /* of the file within its process */
	bool has_date;
	int64_t date_s; /* wall clock at the start, seconds since 1970 in a zone that nobody knows
			 */
};

struct reader {
	const char *name; /* "cpuprofile" */
	const char *help; /* one line for `flametty formats` */
	/* How sure it is that a document of this outline is its own: 0 (no) to 100. */
	int (*sniff)(const struct outline *outline);
	/* Read the document at the scanner into lanes of the builder. */
	bool (*read)(struct scan *s, struct builder *b, const struct file_facts *facts,
		     struct error *err);
};

extern const struct reader reader_cpuprofile;
extern const struct reader reader_trace;
extern const struct reader reader_self_profile;
extern const struct reader reader_speedscope;
extern const struct reader reader_folded;

/* All readers, ended by NULL. */
extern const struct reader *const readers[];

/* The reader of that name, or NULL. */
const struct reader *reader_find(const char *name);

/* Load one file ("-": standard input) into `b`. forced: a reader, or NULL to look. */
bool reader_load(const char *path, const struct reader *forced, struct builder *b,
		 struct progress *progress, struct error *err);

/* reader_load() of a stream that is open: for tests. builder_input() was called. */
bool reader_load_stream(struct stream *stream, const struct file_facts *facts,
			const struct reader *forced, struct builder *b, struct error *err);

/* For readers: what stands behind the document is counted as WARN_TRAILING and passed. */
bool reader_pass_rest(struct scan *s, struct builder *b);

/* Print `path:line: byte offset: text` as all messages are, the path in visible form. The line is
 * found by reading the file again. */
void reader_format_error(const char *path, const struct error *err, struct buf *out);

/* The same as a line for standard error: `flametty: path: ...`. */
void reader_complain(const char *path, const struct error *err, struct buf *out);

/* What the name of a file says: PREFIX.YYYYMMDD.HHMMSS.PID.TID.SEQ[.EXT] of Node.js, or Deno's
 * CPU.MILLISECONDS.PID[.ANY].cpuprofile. */
void file_facts_parse(const char *path, struct file_facts *facts);

#endif
