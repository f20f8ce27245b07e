/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of the text that `perf script` prints, taken apart. Texts point into the line. */
#ifndef FLAMETTY_READ_PERF_PERF_LINE_H
#define FLAMETTY_READ_PERF_PERF_LINE_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* The first line of a sample, or of a record (PERF_RECORD_MMAP2 and others). */
struct perf_head {
	struct str comm; /* name of the thread */
	/* Without the colon at its end; empty: not stated; of a record: its kind. */
	struct str event;
	int64_t pid;     /* LANE_NO_ID: not stated */
	int64_t tid;     /* 0: the idle task */
	int64_t cpu;     /* LANE_NO_ID: not stated */
	int64_t t;       /* ns */
	int64_t period;  /* in units of the event; 0: not stated */
	struct str rest; /* of the line, after the event */
	bool is_record;
};

/* Whether the line begins a sample or a record. */
bool perf_line_head(struct str line, struct perf_head *head);

/* A frame: `ffffffff8158e80c filemap_add_folio+0xdc ([kernel.kallsyms])`. */
struct perf_symbol {
	uint64_t address;
	struct str name;   /* without its offset; empty: not stated */
	struct str module; /* without parentheses and ` (deleted)`; empty: not stated */
};

/* Whether the line is a frame, with blanks before it or not. */
bool perf_line_symbol(struct str line, struct perf_symbol *symbol);

/* The number of entries of the branch stack in a line of them; 0: it is another line. */
size_t perf_line_branches(struct str line);

/* Whether the line is the place in the source that `perf script -F +srcline` prints below a
 * frame. */
bool perf_line_is_source(struct str line);

/* Read a whole number. False: it is none, or above 2^60. */
bool perf_line_number(struct str text, int64_t *value);

#endif
