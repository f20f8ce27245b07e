/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes and threads of lanes in a trace. */
#ifndef FLAMETTY_WRITE_EXPORT_EXPORT_PLACES_H
#define FLAMETTY_WRITE_EXPORT_EXPORT_PLACES_H

#include "model/profile.h"

struct lane_ids {
	int64_t pid, tid;
	bool is_new; /* an invented number that no lane before it has */
};

static inline bool export_places_has_spans(const struct lane *lane)
{
	return lane->kind == LANE_SAMPLES || lane->kind == LANE_SLICES;
}

/* The places of all lanes; the caller frees them. is_split: samples get a thread of their own if
 * their thread has slices. */
struct lane_ids *export_places_of(const struct profile *p, bool is_split);

#endif
