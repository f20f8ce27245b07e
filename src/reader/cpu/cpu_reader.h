/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of the CPU profile reader, shared by its files: cpuprofile.c for the form that
 * V8 writes now, cpu_head.c for the nested tree that it wrote until 2017, cpu_plain.c for lists of
 * nodes, cpu_nodes.c for a node of any form, cpu_numbers.c for samples and times, cpu_frames.c for
 * call frames, cpu_ticks.c for ticks by line. trace_cpu.c has one for each profile that comes in
 * pieces. */
#ifndef FLAMETTY_READER_CPU_CPU_READER_H
#define FLAMETTY_READER_CPU_CPU_READER_H

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/hash_table.h"
#include "build/cpu_builder.h"
#include "json/json_text.h"
#include "reader/reader.h"

#include <string.h>

#define CPU_VALUE_MOST ((size_t)256 << 20)

/* A distinct call frame. */
struct frame_text {
	const char *text; /* its bytes as in the file */
	uint32_t len;
	uint32_t frame; /* of cpu_builder_frame() */
};

struct cpu_reader {
	struct scan *s;
	struct builder *b;
	struct error *err;
	const struct file_hints *hints; /* of cpuprofile.c */
	struct json_tokener *tok;

	struct arena texts;
	struct frame_text *frame_texts;
	size_t n_frame_texts, cap_frame_texts;
	struct hash_table frame_index; /* of frame_texts, by their bytes */

	uint32_t *children; /* slots of the children of the node(s) being read */
	size_t n_children, cap_children;
	struct {
		int64_t line, ticks;
	} * ticks;
	size_t n_ticks, cap_ticks;
	struct buf deopt, bare;

	int64_t sample_offset;

	bool has_nodes, is_complete, is_head;
	/* As they stand in the file: seconds or microseconds, `head` tells. "" if absent. */
	char start[64], end[64];
};

/* A reader whose s, b and err are set; done with it. */
void cpu_reader_init(struct cpu_reader *r);
void cpu_reader_done(struct cpu_reader *r);

/* Read an array of nodes into the profile that was begun; one node, standing before its '{'. */
bool cpu_plain_read(struct cpu_reader *r);
bool cpu_nodes_read(struct cpu_reader *r);

/* Read an array of node ids, or of times in us, and add them; another value is passed over. */
bool cpu_numbers_samples(struct cpu_reader *r);
bool cpu_numbers_times(struct cpu_reader *r, bool is_stamps);

/* Read one node id; *slot is SLOT_NONE when it is none. False on failure. */
bool cpu_nodes_id(struct cpu_reader *r, uint32_t *slot);

/* Call frames: forget those of the last profile; make a frame of a call frame's object
 * (line_base: 1 where its lines and columns count from 1); the frame of a call
 * frame's text, which stands at `offset`; free the table (until the next reset). */
void cpu_frames_reset(struct cpu_reader *r);
uint32_t cpu_frames_add(struct cpu_reader *r, struct json_object *o, int64_t line_base);
bool cpu_frames_of_text(struct cpu_reader *r, struct str raw, int64_t offset, uint32_t *frame);
void cpu_frames_done(struct cpu_reader *r);

/* Read positionTicks into r->ticks; add one entry. */
bool cpu_ticks_read(struct cpu_reader *r);
void cpu_ticks_add(struct cpu_reader *r, int64_t line, int64_t ticks);

/* Pass a node with r->children from first_child on, r->ticks and r->deopt to the
 * builder, and forget them. */
void cpu_nodes_emit(struct cpu_reader *r, uint32_t slot, uint32_t frame, int64_t hits,
		    size_t first_child, int64_t offset, uint32_t parent);

/* Read the nested tree, standing before its '{'. */
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
