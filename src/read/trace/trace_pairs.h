/* SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef FLAMETTY_READ_TRACE_TRACE_PAIRS_H
#define FLAMETTY_READ_TRACE_TRACE_PAIRS_H

#include "model/warning.h"
#include "read/trace/trace.h"

struct begin_end {
	int64_t when;  /* ts * 2, + 1: an end */
	uint64_t what; /* name, then offset */
};

/* The last chunk may be smaller than PAIR_CHUNK_EVENTS. */
struct pair_chunk {
	struct begin_end *events;
	size_t cap;
	uint32_t *partner; /* NULL until events are paired */
};

/* What pairing found: the two kinds, in the order in which they came up. */
struct pair_warnings {
	struct {
		enum warning_kind kind;
		int64_t offset; /* of the first */
		uint64_t n;
	} all[2];
	unsigned n;
};

struct progress_shared;
struct trace;
struct trace_thread;

#endif
