/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lane of samples as V8 describes it: nodes with ids, samples as ids, times. Traces and
 * .cpuprofile files write it in two forms. Only what lies in the range of a scope is included.
 *
 * The reader moves garbage collection from the root onto the stack before it. Here it is below the
 * root again, as V8 has it. */
#ifndef FLAMETTY_WRITE_EXPORT_EXPORT_CPUPROFILE_H
#define FLAMETTY_WRITE_EXPORT_EXPORT_CPUPROFILE_H

#include "analyse/scope.h"
#include "base/json/json_writer.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

struct samples_out {
	const struct profile *profile;
	const struct lane *lane;
	const struct scope *scope;
	uint32_t *id;      /* by node, from 1, because some programs take 0 for no node; 0: out of
			      scope. After the last node of the lane: of garbage collection below
			      the root, if the lane has no such node */
	uint32_t n_ids;    /* of nodes of the lane */
	uint32_t gc;       /* the id of garbage collection below the root; 0: none */
	frame_id gc_frame; /* if gc is more than n_ids: the frame of this node, which the lane does
			      not have */
	size_t first, end; /* samples in the scope; of hit counts: none */
	bool is_whole;     /* covers the whole lane */
	int64_t t0;        /* ns: when the recording begins */
	int64_t end_of_last;      /* ns: when the last sample ends */
	int64_t t1;               /* ns: when the recording ends; -1: the file did not say */
	struct line_ticks *ticks; /* of a whole lane: sorted by node and line; owned */
	size_t n_ticks, next_tick;
};

/* Prepare a lane of samples with a time line or hit counts. Everything is borrowed. Returns false
 * if none of it lies in the scope; then there is nothing to free. */
bool samples_out_init(struct samples_out *s, const struct profile *profile, const struct lane *lane,
		      const struct scope *scope);

static inline void samples_out_done(struct samples_out *s)
{
	free(s->ticks);
	free(s->id);
}

/* Whether there is something to prepare, at less cost. */
bool samples_out_is_there(const struct lane *lane, const struct scope *scope);

/* How a format writes numbers of scripts, and the position of a frame that has none. */
struct samples_out_form {
	bool has_parent;        /* a node names its parent; otherwise, its children */
	bool is_script_text;    /* numbers of scripts are text */
	bool has_all_positions; /* url, line and column are there even if they are unknown */
};

/* Write a node that has an id as an object. Call this for nodes in ascending order; the last one is
 * that after the nodes of the lane. */
void samples_out_node(struct samples_out *s, node_id i, const struct samples_out_form *form,
		      struct json_writer *w);

/* The id of sample i in [first, end), and its time, which is that of the scope if it began before.
 */
uint32_t samples_out_id(const struct samples_out *s, size_t i);

static inline int64_t samples_out_time(const struct samples_out *s, size_t i)
{
	int64_t t = samples_time(&s->lane->samples, i);

	return t < s->scope->t0 ? s->scope->t0 : t;
}

#endif
