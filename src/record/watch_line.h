/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `flametty watch` prints: a line for each event, as text or as a JSON object. */
#ifndef FLAMETTY_RECORD_WATCH_LINE_H
#define FLAMETTY_RECORD_WATCH_LINE_H

#include "base/buf.h"
#include "findings/stalls.h"

enum watch_line_kind {
	WATCH_BEGIN,   /* a process is watched; text: its command line */
	WATCH_STALL,   /* a task that has ended */
	WATCH_STARVED, /* one in which the process hardly ran */
	WATCH_SERIES,  /* one that is many short calls */
	WATCH_OPEN,    /* a task that goes on */
	WATCH_GC,      /* a period of much garbage collection has begun */
	WATCH_GC_END,  /* and has ended */
	WATCH_BUSY,    /* the same of busy time */
	WATCH_BUSY_END,
	WATCH_GROW,     /* the memory has grown; text: what grows in it */
	WATCH_SILENT,   /* the process owes an answer */
	WATCH_LEFT_OUT, /* stalls without a line */
	WATCH_FILE,     /* a profile was written */
	WATCH_END       /* the process is not watched any more; text: why */
};

/* A function whose objects have become more. Texts are not yet visible. */
struct watch_site {
	const char *name, *url;
	int32_t line, column; /* from 1; 0: unknown */
	int64_t bytes;
	double share; /* of what has grown, from 0 to 1 */
};

struct watch_line {
	enum watch_line_kind kind;
	int64_t wall_ns;   /* when it began: ns since 1970 */
	int64_t length_ns; /* how long it was or is; of WATCH_LEFT_OUT, that of the longest */
	int64_t pid;       /* 0: the process is known by the address of its inspector */
	const char *address;
	int tid;                   /* number of the worker; 0: the main thread */
	int64_t ns;                /* WATCH_GC, WATCH_BUSY: time of that kind; WATCH_STARVED: in
				      which it ran; WATCH_SERIES: of the longest call;
				      WATCH_GROW: bytes */
	uint64_t n;                /* WATCH_LEFT_OUT: how many; of WATCH_FILE, events in it */
	const struct blame *blame; /* NULL: none */
	const char *text;          /* NULL: none. Not yet visible */
	const char *file;          /* path of the profile; NULL: none */
	const struct watch_site *sites; /* of WATCH_GROW: the text in parts */
	size_t n_sites;
};

/* Append the line with its line feed. */
void watch_line_text(const struct watch_line *line, struct buf *out);
void watch_line_json(const struct watch_line *line, struct buf *out);

/* The words of --format; NULL after the last one. */
const char *watch_line_word(unsigned i);

#endif
