/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a file states about the slices of a lane: where their events are, and their oddities. As
 * there may be hundreds of millions, they are packed: 5 bytes each, 9 more if the end is an event
 * of its own, 1 more if the lane has slices with a colour, and 4 more if it has times of the
 * processor. Owned by the lane. */
#ifndef FLAMETTY_MODEL_SLICES_H
#define FLAMETTY_MODEL_SLICES_H

#include "model/calltree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Oddities of a slice. */
enum {
	SLICE_UNFINISHED = 1, /* still open where the recording or its parent ended */
	SLICE_CUT = 2,        /* closed by the end of a slice that encloses it */
	SLICE_OVERLAPS = 4,   /* begins inside a slice that it outlasts */
	/* On LANE_OBJECTS, where nothing overlaps: the file does not say when it was created. */
	SLICE_NOT_CREATED = 4
};

/* The offset of an event, and SLICE_* flags, in 64 bits. */
#define SLICE_FLAG_BITS 3
#define SLICE_FLAGS ((1 << SLICE_FLAG_BITS) - 1)
#define SLICE_WHERE(offset, flags)                                                                 \
	((int64_t)((uint64_t)(offset) << SLICE_FLAG_BITS | ((flags)&SLICE_FLAGS)))

/* An array of such values in 40 bits each, with the sign of the offset. */
struct places {
	uint32_t *low;
	int8_t *high;
	size_t cap;
};

/* Larger offsets, from 64 GiB on, are not stored. */
#define SLICE_OFFSET_END (INT64_C(1) << 36)

/* Slices in the order in which they open, outer first. Slices that open with the same sample of the
 * lane are adjacent, each one row deeper. Their number is known from the samples: it is the number
 * of rows that the sample does not share with the previous one. slice_of_span() counts them. */
struct slices {
	size_t n;
	struct places where;
	uint32_t *before;   /* before[j]: number of slices that open before sample j * SLICES_FAN */
	uint32_t *ended;    /* slices whose end is an event of its own, ascending */
	struct places ends; /* the offsets of these ends */
	size_t n_ends, cap_ended;
	uint32_t *cpu; /* by slice: time of the processor in us, of traces that state it, and 1; 0,
			  and from n_cpu on: not known */
	uint32_t n_cpu, cap_cpu;
	uint8_t *color; /* by slice: its reserved colour (frame.h); from n_colors on: none */
	size_t n_colors, cap_colors;
};

/* Make room for n slices in an empty list. */
void slices_reserve(struct slices *s, size_t n);

/* Add a slice. where: SLICE_WHERE(); offset -1: none. end_offset: -1: the end is not an event of
 * its own. step: the arrays grow by at most this many slices at a time. */
void slices_add(struct slices *s, int64_t where, int64_t end_offset, size_t step);

/* Free the room that is not used; no slices follow. */
void slices_trim(struct slices *s);
void slices_done(struct slices *s);

/* What the file states of slice k, as SLICE_WHERE(). */
int64_t slice_where(const struct slices *s, size_t k);

/* Byte in the uncompressed file where the event of slice k begins; byte where the event of its end
 * begins; -1: none. */
static inline int64_t slice_offset(const struct slices *s, size_t k)
{
	return slice_where(s, k) >> SLICE_FLAG_BITS;
}
int64_t slice_end_offset(const struct slices *s, size_t k);

/* The SLICE_* flags of slice k. */
static inline unsigned slice_flags(const struct slices *s, size_t k)
{
	return (unsigned)(slice_where(s, k) & SLICE_FLAGS);
}

/* As the group of a slice while it is loaded. Writers that do not measure it state 0. */
#define SLICE_GROUP_OF_CPU(ns)                                                                     \
	((ns) > 0 && (ns) / 1000 < INT32_MAX ? (uint32_t)((ns) / 1000) + 1 : 0)

/* The time of the processor of slice k, in ns; -1: not known. */
static inline int64_t slice_cpu(const struct slices *s, size_t k)
{
	return k < s->n_cpu && s->cpu[k] ? (int64_t)(s->cpu[k] - 1) * 1000 : -1;
}

/* The reserved colour of slice k; 0: none. */
static inline unsigned slice_color(const struct slices *s, size_t k)
{
	return k < s->n_colors ? s->color[k] : 0;
}

/* The new capacity of a full array: larger by half, but at most by about `most`. */
static inline size_t slices_larger(size_t cap, size_t most)
{
	return cap + (cap / 2 < most ? cap / 2 : most) + 16;
}

/* What a search for events by their text finds, which is in the file: at[i] is an input and an
 * offset there, EVENT_AT(); ascending. */
struct event_hits {
	uint64_t *at;
	size_t n, cap;
	bool is_cut; /* there are more than these EVENT_HITS_MAX */
	char *why;   /* what could not be read; NULL: nothing */
};

#define EVENT_HITS_MAX ((size_t)4000000)
#define EVENT_AT(input, offset) ((uint64_t)(input)*SLICE_OFFSET_END + (uint64_t)(offset))

/* Whether slice k of a lane of an input, or its end, is one of them. */
bool slice_is_hit(const struct slices *s, size_t k, uint32_t input, const struct event_hits *hits);

struct lane;
struct span;

/* Columns this many times as long as the longest rounding error, or longer, do not show any. */
#define SLICE_TIME_COLUMN 64

/* Times as those of the lane's samples. */
struct slice_stretch {
	int64_t t0, t1;
	int64_t self_t0; /* over: a slice inside it goes on until here, so self time begins here */
	node_id node;    /* of the slice; more, less: NODE_ROOT */
};

/* In the order of t0, once they are sorted. */
struct slice_stretches {
	struct slice_stretch *list;
	size_t n, cap;
	int64_t longest;
};

/* The outermost slice of a lane from t0 to t1 is inside of a slice at the node `around` of a lane
 * of the thread. */
struct slice_link {
	int64_t t0, t1;
	uint32_t lane; /* number of the lane among those of the thread, from 0 */
	node_id around;
	uint32_t link; /* that of the outermost slice around `around`, + 1; 0: it has none */
};

struct slice_time {
	struct slice_stretches over, covered, more, less, inner;
	struct slice_link *links; /* in the order of t0 */
	size_t n_links, cap_links;
};

void slice_time_add(struct slice_stretches *to, const struct slice_stretch *stretch);
void slice_time_sort(struct slice_stretches *list);

static inline void slice_time_done(struct slice_time *time)
{
	free(time->over.list);
	free(time->covered.list);
	free(time->more.list);
	free(time->less.list);
	free(time->inner.list);
	free(time->links);
	*time = (struct slice_time){ 0 };
}

/* Done with one that was allocated. */
static inline void slice_time_free(struct slice_time *time)
{
	if (time)
		slice_time_done(time);
	free(time);
}

/* Move all times by this. */
void slice_time_shift(struct slice_time *time, int64_t by);

/* Call `visit` for each stretch with time in [t0, t1), in their order, with the part in there;
 * self_ns: how much self time it adds to the node, perhaps negative; total_ns: to its total. Of
 * what is over and covered. */
void slice_time_each(const struct slice_time *time, int64_t t0, int64_t t1,
		     void (*visit)(void *ctx, node_id node, int64_t self_ns, int64_t total_ns),
		     void *ctx);

/* The first stretch of a sorted list that begins at or after t. */
size_t slice_time_from(const struct slice_stretches *list, int64_t t);

/* The first stretch of a sorted list that may touch a range from t on. */
static inline size_t slice_time_reaching(const struct slice_stretches *list, int64_t t)
{
	return slice_time_from(list, t < INT64_MIN + list->longest ? INT64_MIN : t - list->longest);
}

/* What the samples' time in [t0, t1) lacks of the time of the thread, perhaps negative. */
int64_t slice_time_lacking(const struct slice_time *time, int64_t t0, int64_t t1);

/* The length behind t of the slice at `node` whose span ends at t, and its self time there. */
int64_t slice_time_over(const struct slice_time *time, node_id node, int64_t t);
int64_t slice_time_self_over(const struct slice_time *time, node_id node, int64_t t);

/* The length of a span of the lane, as the file states it. */
int64_t slice_time_of_span(const struct lane *lane, const struct span *span);

/* Whether pictures whose columns have `ns` show what outlasts by a rounding error. */
static inline bool slice_time_is_seen(const struct slice_time *time, int64_t ns)
{
	return time && time->over.n && ns / SLICE_TIME_COLUMN < time->over.longest;
}

/* Find the span that ends by its samples by time t, as the file states later, with the end that the
 * file states. */
bool slice_time_span_at(const struct lane *lane, int depth, int64_t t, struct span *out);

#endif
