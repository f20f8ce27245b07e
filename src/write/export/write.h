/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers, JSON strings and lane names, as all export formats write them. */
#ifndef FLAMETTY_EXPORT_WRITE_H
#define FLAMETTY_EXPORT_WRITE_H

#include "base/buf.h"
#include "model/profile.h"

#include <stddef.h>
#include <stdint.h>

/* A whole number. */
void write_integer(struct buf *out, int64_t value);

/* Nanoseconds as microseconds, with a fraction of three digits unless it is 0. */
void write_us(struct buf *out, int64_t ns);

/* A value of the profile: a time as microseconds, bytes and counts as they are. */
void write_value(struct buf *out, const struct profile *profile, int64_t ns);

/* A JSON string with its quotes. */
void write_text(struct buf *out, const char *text, size_t len);
void write_string(struct buf *out, const struct profile *profile, str_id id);

/* The name of a lane that no other lane has: lane_name(), or its file if nothing else is known. */
void write_full_name(const struct profile *profile, const struct lane *lane, struct buf *out);

/* The name of a lane: its title, the name of its thread, or its file. Never empty. */
void write_lane_name(const struct profile *profile, const struct lane *lane, struct buf *out);

#endif
