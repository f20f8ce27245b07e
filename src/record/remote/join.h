/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chunks of one thread, joined to one CPU profile in V8's format, as if it had been recorded in one
 * piece.
 *
 * Chunks overlap: a sample of the overlap is in both, with the same time. Of the earlier chunk,
 * samples count up to the first sample of the later one. Nodes with the same call frame under the
 * same parent are one node. Ticks of lines are added up, those of the overlap twice: V8 does not
 * say when a tick was.
 *
 * All times are microseconds of CLOCK_MONOTONIC. */
#ifndef FLAMETTY_RECORD_REMOTE_JOIN_H
#define FLAMETTY_RECORD_REMOTE_JOIN_H

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHUNK_NO_NODE UINT32_MAX

struct join;

/* The caller frees it. */
struct join *join_new(void);
void join_free(struct join *j);

/* Add the next chunk: the text of a profile, CURSOR_PAD bytes after which can be read. Returns
 * false and err if it is no CPU profile; then nothing of it is added. */
bool join_add(struct join *j, struct str profile, struct error *err);

/* Number of samples, and the times of the first and the last one; 0 without samples. */
uint64_t join_samples(const struct join *j);
int64_t join_first_us(const struct join *j);
int64_t join_last_us(const struct join *j);

/* Leave out what a program did for its recorder: samples below a call frame whose text contains `a`
 * or `b`. Those at the beginning and at the end are dropped, and the profile is as much shorter;
 * those between become samples of the frame (flametty) below the root. */
void join_cut(struct join *j, const char *a, const char *b);

/* Have the written profiles begin with a member: `"name":value,`. It is copied. */
void join_begin_with(struct join *j, const char *member);

/* Append the joined profile as JSON. */
void join_write(const struct join *j, struct buf *out);

/* The same for the stretch [t0, t1). It begins with the stack that was there at t0, and has only
 * the nodes of its samples. Ticks are those of all chunks that touch it. is_whole: it begins and
 * ends as it was asked for, also where there are no samples. Without any sample in the stretch
 * nothing is appended. */
void join_write_range(const struct join *j, int64_t t0, int64_t t1, bool is_whole, struct buf *out);

/* ---- for a ring ---- */

/* Number of chunks that are kept, and the time of the first sample of one; chunks without samples
 * are not kept. */
size_t join_chunks(const struct join *j);
int64_t join_chunk_us(const struct join *j, size_t chunk);

/* Drop everything before the first sample of a chunk. */
void join_drop(struct join *j, size_t n_chunks);

/* Bytes in use, about; and the bytes that nodes and texts have which no sample needs any more are
 * freed by join_tidy(), in time that grows with everything that is kept. */
size_t join_bytes(const struct join *j);
void join_tidy(struct join *j);

/* Whether join_tidy() pays: half of the nodes may be needed no more. */
bool join_is_untidy(const struct join *j);

#endif
