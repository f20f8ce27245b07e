/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state that the files of this folder share: what a profile of pprof says, as far as it was
 * read. The members of the message come in any order, and texts usually last, so everything refers
 * to others by number until the end:
 *
 *	sample    a stack of locations, innermost first, a value for each sample type, and labels
 *	location  an address, with a line for each function there: inlined ones, innermost first
 *	line      a function, and the line of its file that was executing
 *	label     a key with a text or a number; those of threads and processes make lanes
 *
 * Ids of locations, functions and mappings are any numbers. They become small numbers (struct
 * pprof_ids) when they are first mentioned, which may be before the thing itself comes. */
#ifndef FLAMETTY_READ_PPROF_PPROF_H
#define FLAMETTY_READ_PPROF_PPROF_H

#include "base/hash.h"
#include "base/intern.h"
#include "base/str.h"
#include "model/calltree.h"
#include "model/profile.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a value is written. Groups (3 and 4) are out of use and not read. */
enum wire_type { WIRE_NUMBER = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

/* A position in a message. */
struct wire {
	const unsigned char *start, *p, *end;
	int64_t base;      /* offset of `start` in the document */
	const char *wrong; /* why reading stopped before the end; static text; NULL: it did not */
	bool is_short;     /* that is only because the memory ends within a member, */
	uint64_t need;     /* which needs this many bytes after `start` or more */
};

struct wire_field {
	uint32_t number;
	enum wire_type type;
	uint64_t value;   /* of WIRE_NUMBER and the fixed types */
	struct str bytes; /* of WIRE_BYTES; borrowed */
};

/* Begin at memory that is at `base` of the document, and is borrowed. */
static inline void wire_init(struct wire *w, struct str memory, int64_t base)
{
	const unsigned char *start = (const unsigned char *)(memory.p ? memory.p : "");

	*w = (struct wire){ .start = start, .p = start, .end = start + memory.len, .base = base };
}

/* Pass the next member. Returns false at the end, and where the message is damaged: then w->wrong
 * is set. */
bool wire_next(struct wire *w, struct wire_field *field);

#define PPROF_NONE UINT32_MAX

/* Small numbers for ids. */
struct pprof_ids {
	uint32_t *small; /* by id, for small ids: number + 1; 0: not mentioned; NULL: none was */
	struct hash_table index;
	uint64_t *id; /* by number */
	uint32_t n;
	size_t cap;
};

/* Texts are numbers in the string table of the file, not yet checked. */
struct pprof_type {
	uint64_t type, unit;
};

struct pprof_function {
	uint64_t name, system_name, file;
	int64_t line;   /* where it begins, counted from 1; 0: unknown */
	int64_t column; /* likewise */
	bool is_defined;
	bool has_lines; /* a line other than `line` was executing somewhere */
};

struct pprof_mapping {
	uint64_t file;
	bool is_defined;
};

struct pprof_line {
	uint32_t function; /* PPROF_NONE: none */
	int64_t line, column;
};

struct pprof_location {
	uint32_t mapping; /* PPROF_NONE: none */
	uint32_t n_lines;
	uint64_t address;
	size_t first_line; /* in pprof_tables.lines */
	bool is_defined;
};

/* What samples refer to. */
struct pprof_tables {
	struct pprof_ids location_ids, function_ids, mapping_ids;
	struct pprof_location *locations;
	struct pprof_function *functions;
	struct pprof_mapping *mappings;
	size_t cap_locations, cap_functions, cap_mappings;
	struct pprof_line *lines;
	size_t n_lines, cap_lines;
	struct buf text;    /* all strings, one after another */
	size_t *string_end; /* by string: its end in `text` */
	size_t n_strings, cap_strings;
};

/* A sample as it was read. */
struct pprof_sample {
	uint32_t node;   /* of pprof.stacks */
	uint32_t labels; /* of pprof.labels */
	size_t first;    /* of its values; they end where those of the next sample begin */
};

struct pprof {
	struct scan *s;
	struct builder *b;
	struct error *err;
	const struct file_hints *hints;

	struct pprof_type *types;
	size_t n_types, cap_types;
	struct pprof_tables tables;
	struct node_map stacks; /* its frames: numbers of locations */
	struct intern labels;   /* lists of labels: each with its length, as 4 bytes, before it */
	struct pprof_sample *samples;
	size_t n_samples, cap_samples;
	int64_t *values;
	size_t n_values, cap_values;
	uint64_t *scratch; /* locations of a stack */
	size_t cap_scratch;
	struct buf label_scratch;

	struct pprof_type period_type;
	int64_t period, time_ns, duration_ns;
	uint64_t default_type, drop_frames, keep_frames;
	uint64_t *comments;
	size_t n_comments, cap_comments;
};

/* ---- pprof tables ---- */

/* A string of the table. One that does not exist is empty, with WARN_ODD_INDEX. */
struct str pprof_tables_text(struct pprof *r, uint64_t index);

/* ---- pprof type ---- */

/* What is shown of the samples. */
struct pprof_chosen {
	size_t type;  /* index of the sample type whose values are shown */
	size_t count; /* of the one that counts samples; SIZE_MAX: there is none */
	int64_t ns;   /* of one unit of the value */
	bool is_time; /* the value is a time; otherwise `ns` was made up */
};

/* Add notes about it and about the file. has_times: samples have times. */
void pprof_type_notes(struct pprof *r, const struct pprof_chosen *chosen, bool has_times);

/* ---- pprof_request.c ---- */

/* What labels say of the request that a sample is of. 0: nothing. */
struct pprof_span {
	uint64_t root, own; /* hashes of its ids */
	uint64_t endpoint;  /* a string of the file */
};

struct pprof_request {
	uint64_t id, endpoint;
	int64_t t0, t1; /* of its first and last sample */
	int64_t pid, tid;
	uint32_t track;
};

/* Embedded; zeroed at first. */
struct pprof_requests {
	struct pprof_request *list;
	size_t n, cap;
	size_t n_placed; /* those whose thread is known */
	struct hash_table index;
	struct served_run *runs; /* `served` is an index of the list */
	size_t n_runs, cap_runs;
};

/* Take what a label says. text: the string of its value; 0: it is a number. */
void pprof_request_label(struct pprof_span *span, struct str key, struct str value, uint64_t text);

/* Add a sample [t0, t1), in the order of time within a thread; `thread` is a number of it. */
void pprof_request_sample(struct pprof_requests *all, const struct pprof_span *span,
			  uint32_t thread, int64_t t0, int64_t t1);

/* The requests since the last call are of this thread. */
void pprof_request_thread(struct pprof_requests *all, int64_t pid, int64_t tid);

/* Pass all on to the model, with a lane for each process, and free them. spans: those of the file,
 * of which samples without times made no requests. */
void pprof_request_end(struct pprof *r, struct pprof_requests *all, const struct pprof_span *spans,
		       size_t n_spans);

/* ---- pprof_lane.c ---- */

/* Make the lanes of all samples. Fails when there is nothing to show. */
bool pprof_lane_all(struct pprof *r, const struct pprof_chosen *chosen);

#endif
