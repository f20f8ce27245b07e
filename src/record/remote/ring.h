/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last minutes of one thread: its chunks as they come, and the texts that tell of its requests.
 * The oldest are dropped.
 *
 * A ring belongs to one thread of this program at a time; it has no lock. All times are
 * microseconds of CLOCK_MONOTONIC, as the target's own. */
#ifndef FLAMETTY_RECORD_REMOTE_RING_H
#define FLAMETTY_RECORD_REMOTE_RING_H

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RING_US ((int64_t)300 * 1000000)
#define RING_BYTES ((size_t)64 << 20)

/* Chunks are dropped while there is more than one and there is more than this. */
struct ring_limits {
	int64_t us;   /* from the first sample to the last one; 0: RING_US */
	size_t bytes; /* that the ring uses; 0: RING_BYTES */
};

struct ring;

/* The caller frees it. */
struct ring *ring_new(struct ring_limits limits);
void ring_free(struct ring *r);

/* Add the next chunk: the text of a profile, CURSOR_PAD bytes after which can be read. What the
 * chunk before has from the time of the first sample of this one on is cut off (join.h). Returns
 * false and err if it is no CPU profile; then the ring is as before. */
bool ring_add(struct ring *r, struct str profile, struct error *err) MUST_USE;

/* Add a text of requests.cjs, or of socket_watch.h. It is kept for as long as the chunk that was
 * added before it: the clock of the target may be another one than ours. */
void ring_add_requests(struct ring *r, struct str text);

/* Append these texts, a newline after each, from one on: they are numbered as they came, also those
 * that are not kept any more. Returns the number of the next one to come. */
uint64_t ring_requests(const struct ring *r, uint64_t from, struct buf *out);

/* Number of samples, and the times of the first and the last one; 0 without samples. */
uint64_t ring_samples(const struct ring *r);
int64_t ring_first_us(const struct ring *r);
int64_t ring_last_us(const struct ring *r);

/* As join_begin_with(). */
void ring_begin_with(struct ring *r, const char *member);

/* Append the stretch [t0, t1) as one profile in V8's format; it is cut to what the ring has.
 * Returns false if there is no sample: then nothing is appended. */
bool ring_write(const struct ring *r, int64_t t0, int64_t t1, struct buf *out);

/* The same; the profile has the whole stretch, also before and after what the ring has: nothing is
 * sampled there. */
bool ring_write_whole(const struct ring *r, int64_t t0, int64_t t1, struct buf *out);

/* The wall clock at a time of the ring, by what both clocks show now: ns since 1970. */
int64_t ring_wall_ns(int64_t us);

#endif
