/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Begins and ends of one thread, as trace_pairs.c collects and trace_matcher.c pairs them. */
#ifndef FLAMETTY_READER_TRACE_PAIR_H
#define FLAMETTY_READER_TRACE_PAIR_H

#include "model/warning.h"
#include "read/trace/trace.h"

#define PAIR_CHUNK_EVENTS 65536u
#define PAIR_OFFSET_BITS 36 /* slices do not keep larger offsets, either */
#define PAIR_OFFSET_END (INT64_C(1) << PAIR_OFFSET_BITS)
#define PAIR_OFFSET_MASK ((UINT64_C(1) << PAIR_OFFSET_BITS) - 1)
#define PAIR_NAME_MOST ((UINT32_C(1) << (64 - PAIR_OFFSET_BITS)) - 1)

/* A flag in `partner`, which is the number of the event that closes a begin, + 1; 0: none does. */
#define PAIR_IS_CUT (TRACE_PAIRS_MOST + 1) /* closed by the end of a slice around it */

/* Cap on ends of one instant that wait for begins. Beyond it the file is damaged, and matching
 * would be quadratic. */
#define PAIR_WAITING_MOST 1024

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

static inline struct begin_end *pair_event(const struct trace_thread *thread, size_t i)
{
	return &thread->pairs[i / PAIR_CHUNK_EVENTS].events[i % PAIR_CHUNK_EVENTS];
}

static inline uint32_t *pair_partner(const struct trace_thread *thread, size_t i)
{
	return &thread->pairs[i / PAIR_CHUNK_EVENTS].partner[i % PAIR_CHUNK_EVENTS];
}

static inline int64_t pair_time(const struct begin_end *e)
{
	return e->when >> 1;
}

static inline bool pair_is_end(const struct begin_end *e)
{
	return e->when & 1;
}

/* The name with the event category of a begin: see trace_frame_name(). */
static inline text_id pair_stored_name(const struct begin_end *e)
{
	return (text_id)(e->what >> PAIR_OFFSET_BITS);
}

static inline text_id pair_name(const struct trace *t, const struct begin_end *e)
{
	return trace_text_plain(&t->texts, pair_stored_name(e));
}

/* -1: too large to be kept. */
static inline int64_t pair_offset(const struct begin_end *e)
{
	int64_t offset = (int64_t)(e->what & PAIR_OFFSET_MASK);

	return offset < PAIR_OFFSET_END - 1 ? offset : -1;
}

#endif
