/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the export formats share. */
#ifndef FLAMETTY_EXPORT_COMMON_H
#define FLAMETTY_EXPORT_COMMON_H

#include "base/buf.h"
#include "export/export.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

/* A whole number; quicker than printf(). */
void export_integer(struct buf *out, int64_t value);

/* Nanoseconds as microseconds, with a fraction of three digits where there is one. */
void export_us(struct buf *out, int64_t ns);

/* A JSON string with its quotes. */
void export_text(struct buf *out, const char *text, size_t len);
void export_string(struct buf *out, const struct profile *profile, str_id id);

/* What a lane is called: its title, its thread's name, or the file it came from. Never empty. */
void export_lane_name(const struct profile *profile, const struct lane *lane, struct buf *out);

/* Visit the spans of a lane that lie in [t0, t1), cut to it, in the order in which they open, outer
 * first; has_empty: those of no length, too. Stops when `visit` says so. */
bool export_each_span(const struct lane *lane, int64_t t0, int64_t t1, bool has_empty,
		      bool (*visit)(void *ctx, const struct span *span), void *ctx);

/* By node of the lane: 1 if it is on a stack within the range of the scope. Where that is the whole
 * profile, all are. To be freed. */
uint8_t *export_used_nodes(const struct profile *profile, const struct lane *lane,
			   const struct scope *scope);

#endif
