/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A slice as the target sends it, V8's CPU profile as JSON, read into arrays. */
#ifndef FLAMETTY_REMOTE_SLICE_H
#define FLAMETTY_REMOTE_SLICE_H

#include "base/hash_table.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLICE_NO_NODE UINT32_MAX

struct slice_node {
	int64_t id;
	struct str frame;    /* the call frame as JSON */
	struct str reason;   /* deoptReason as JSON; empty: none */
	struct str children; /* for slice.c, as is what follows */
	struct str ticks;
	int64_t parent_id; /* where the profile says so; 0: it does not */
	uint32_t parent;   /* index, smaller than its own; SLICE_NO_NODE: the root */
};

struct slice_sample {
	uint32_t node;   /* index */
	int64_t time_us; /* of CLOCK_MONOTONIC */
};

/* Samples of a node that were in one line. */
struct slice_tick {
	uint32_t node; /* index */
	uint32_t line; /* from 1 */
	uint32_t n;
};

struct slice {
	struct slice_node *nodes; /* parents before their children */
	size_t n_nodes, cap_nodes;
	struct hash_table ids;
	struct slice_sample *samples; /* sorted by time; of equal times as V8 sent them */
	size_t n_samples, cap_samples;
	struct slice_tick *ticks;
	size_t n_ticks, cap_ticks;
	int64_t start_us, end_us; /* all times are within +-2^61 us; no sample is before start_us */
};

/* Read the text of a profile, CURSOR_PAD bytes after which can be read; its texts are borrowed.
 * Returns false if it is no CPU profile. slice_done() in both cases. s: zeroed. */
bool slice_read(struct slice *s, struct str profile);
void slice_done(struct slice *s);

#endif
