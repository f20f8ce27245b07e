/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of the CPU profile reader, which its files share. A section of them calls those below it;
 * only cpu_reader_done() calls one above, which frees its frames.
 *
 *   cpuprofile, heapprofile   the document
 *   heap order    allocations of a heap profile in their order
 *   cpu head      nested trees: of CPU profiles until 2017, and of heap profiles
 *   cpu numbers   samples and times
 *   cpu plain     lists of nodes
 *   cpu nodes     one node of any form, and node ids
 *   cpu frames    call frames
 *   cpu reader    the state itself
 *
 * read/trace/trace_cpu.c has a cpu_reader for each profile that a trace holds in chunks. */
#ifndef FLAMETTY_READ_CPU_CPUPROFILE_H
#define FLAMETTY_READ_CPU_CPUPROFILE_H

#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/json/json_read.h"
#include "model/build/cpu_builder.h"
#include "read/reader.h"

#include <string.h>

#define CPU_VALUE_MAX ((size_t)256 << 20)

struct cpu_reader {
	struct scan *s;
	struct builder *b;
	struct error *err;
	const struct file_hints *hints; /* used by cpuprofile.c only */
	/* For what has an unusual form; the profiles of a trace share one. */
	struct json_tree *tree;

	struct cpu_texts texts; /* of call frames, */
	bool keeps_texts;       /* unless those of the builder are used, which keeps them */

	uint32_t *children; /* slots of the children of the node(s) being read */
	size_t n_children, cap_children;
	struct {
		int64_t line, ticks;
	} * ticks;
	size_t n_ticks, cap_ticks;

	/* Of a chunk in a trace: its samples, and the position of each one. */
	bool has_lines; /* whether they are collected */
	uint32_t *line_slots;
	size_t n_line_slots, cap_line_slots;
	struct {
		int64_t *all;
		size_t n, cap;
	} lines, columns;

	struct buf deopt, bare;

	int64_t sample_offset;

	/* Of a heap profile: the size of each node, in the order in which nodes end. */
	bool is_heap;
	struct heap_size {
		uint32_t slot, node;
		int64_t size; /* bytes */
	} * sizes;
	size_t n_sizes, cap_sizes;

	bool has_nodes, is_complete, is_head;
	bool is_message;               /* the document is a message of the DevTools protocol */
	bool is_list;                  /* the file is a list of documents */
	uint64_t n_profiles, n_traces; /* of the file; messages with events of a trace */
	bool has_call_frame;           /* some node has one, or a name of its own */
	/* startTime and endTime as in the file: in seconds if is_head, else in us. "": absent. */
	char start[64], end[64];
};

/* Read the profile that is the value at the scanner, into a lane. False: `err` says why not. */
bool cpuprofile_read_value(struct scan *s, struct builder *b, const struct file_hints *hints,
			   struct error *err) MUST_USE;

/* Initialise a reader whose s, b and err are set, or free what it owns. */
static inline void cpu_reader_init(struct cpu_reader *r)
{
	r->tree = xcalloc(1, sizeof *r->tree);
}

void cpu_reader_done(struct cpu_reader *r);

/* Read the value of "flametty", which flametty run writes: names of the process and the thread, and
 * the number of the process that started it. Of any other value nothing is taken. ctx: the
 * reader. */
bool cpu_reader_identity(void *ctx);

/* Read an array of nodes into the builder's profile. */
bool cpu_plain_read(struct cpu_reader *r);

/* Read an array of node ids, or of times in us, and add them to the profile. Other values are
 * skipped. */
bool cpu_numbers_samples(struct cpu_reader *r);
bool cpu_numbers_times(struct cpu_reader *r, bool is_stamps);

/* Read an array of lines or columns, one for each sample of a chunk. _pass_lines() counts the
 * samples that have both a node and a line, and forgets them. */
bool cpu_numbers_lines(struct cpu_reader *r, bool is_columns);
void cpu_numbers_pass_lines(struct cpu_reader *r);

/* Read one node id. *slot: SLOT_NONE for a value that is not an id. False on failure. */
bool cpu_nodes_id(struct cpu_reader *r, uint32_t *slot);

/* Pass a node to the builder, with r->children from first_child on, r->ticks and r->deopt, which
 * are then emptied. Returns the builder's number of the node. */
uint32_t cpu_nodes_emit(struct cpu_reader *r, uint32_t slot, uint32_t frame, int64_t hits,
			size_t first_child, int64_t offset, uint32_t parent);

/* Call frames. _add() makes a frame of a decoded call frame (line_base: the number of its first
 * line and column, 0 or 1). _read() reads one; a value that is no object changes nothing. _done()
 * forgets their texts, but not those kept from the profiles before; _trim() does if they are
 * many. */
uint32_t cpu_frames_add(struct cpu_reader *r, const struct json_value *o, int64_t line_base);
bool cpu_frames_read(struct cpu_reader *r, bool *has_frame, uint32_t *frame);
void cpu_frames_done(struct cpu_reader *r);
void cpu_frames_trim(struct cpu_reader *r);

/* Read the nested tree, with the scanner before its '{'. */
bool cpu_head_read(struct cpu_reader *r);

/* Add a child of the node being read. */
static inline void cpu_reader_push(struct cpu_reader *r, uint32_t slot)
{
	if (r->n_children >= r->cap_children)
		r->children = xgrow(r->children, &r->cap_children, r->n_children + 1,
				    sizeof *r->children);
	r->children[r->n_children++] = slot;
}

#endif
