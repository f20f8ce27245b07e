/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface between formats and the model: one struct reader for each format. A format is
 * recognised by the content of a file, never by its name. */
#ifndef FLAMETTY_READ_READER_H
#define FLAMETTY_READ_READER_H

#include "base/error.h"
#include "base/json/outline.h"
#include "base/json/scan.h"
#include "model/build/builder.h"

#include <stdbool.h>
#include <stdint.h>

/* What the name of a file tells about its content. pid, tid: LANE_NO_ID, seq: -1: unknown. */
struct file_hints {
	int64_t pid;
	int64_t tid;
	int64_t seq; /* of the file within its process */
	bool has_date;
	int64_t date_s; /* wall clock at the start: seconds since 1970, in an unknown time zone */
	bool is_utc;    /* which is UTC */
	char date_text[24]; /* a date that does not exist, as the name has it; "": none */
};

/* The files of one recording, which its writer rotated. */
struct reader_files {
	/* End the file before, and give the scanner at the beginning of the next one. Its offsets
	 * count on from those of the file before. An error of the reader is about that file: it is
	 * reported and cleared if the other files can be read nevertheless. NULL: there is no other
	 * file, or the error says why reading ends. */
	struct scan *(*next)(void *ctx);
	void *ctx;
};

struct reader {
	const char *name; /* "cpuprofile" */
	const char *help; /* one line for `flametty formats` */
	/* The score of a document with this outline: 0 (another format) to 100 (certainly this
	 * one). */
	int (*sniff)(const struct outline *outline);
	/* Read the document at the scanner into lanes of the builder. False: failed, with the
	 * error set. */
	bool (*read)(struct scan *s, struct builder *b, const struct file_hints *hints,
		     struct error *err);
	/* Read several files as one document. NULL: the format has no such files. */
	bool (*read_files)(const struct reader_files *files, struct builder *b, struct error *err);
	/* Whether the beginning of a document says that it holds two sides of a comparison
	 * (struct builder_options). NULL: it never does. */
	bool (*has_sides)(const struct outline *outline);
	/* Which documents sniff() is asked about: those that are not JSON; or JSON with one of
	 * these members and none of those of other formats. Names with blanks between them; NULL:
	 * no such condition. */
	bool is_not_json;
	const char *members, *foreign;
};

extern const struct reader reader_cpuprofile;
extern const struct reader reader_heapprofile;
extern const struct reader reader_trace;
extern const struct reader reader_self_profile;
extern const struct reader reader_sentry;
extern const struct reader reader_speedscope;
extern const struct reader reader_folded;
extern const struct reader reader_pprof;
extern const struct reader reader_perf_script;
extern const struct reader reader_linked_spans;
extern const struct reader reader_stalls;

/* The name of the list of stalls beside the recordings of `flametty watch`. */
#define READER_STALLS_LIST "stalls.jsonl"

/* The table of all readers, ended by NULL. */
extern const struct reader *const readers[];

/* The reader with this name, or NULL. */
const struct reader *reader_find(const char *name);

#endif
