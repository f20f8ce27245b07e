/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slices of one thread, joined to one CPU profile in V8's format, as if it had been recorded in one
 * piece.
 *
 * Slices overlap: a sample of the overlap is in both, with the same time. Of the earlier slice,
 * samples count up to the first sample of the later one. Nodes with the same call frame under the
 * same parent are one node. Ticks of lines are added up, those of the overlap twice: V8 does not
 * say when a tick was. */
#ifndef FLAMETTY_REMOTE_JOIN_H
#define FLAMETTY_REMOTE_JOIN_H

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

struct join;

/* The caller frees it. */
struct join *join_new(void);
void join_free(struct join *j);

/* Add the next slice: the text of a profile, CURSOR_PAD bytes after which can be read. Returns
 * false and err if it is no CPU profile; what came before the fault is kept. */
bool join_add(struct join *j, struct str profile, struct error *err);

/* Number of samples so far, and the times of the first and the last one in microseconds of
 * CLOCK_MONOTONIC; 0 without samples. */
uint64_t join_samples(const struct join *j);
int64_t join_first_us(const struct join *j);
int64_t join_last_us(const struct join *j);

/* Append the joined profile as JSON. */
void join_write(const struct join *j, struct buf *out);

#endif
