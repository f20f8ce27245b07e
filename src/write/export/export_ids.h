/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who the events of a trace are about: the processes and threads of lanes, and requests. */
#ifndef FLAMETTY_WRITE_EXPORT_EXPORT_IDS_H
#define FLAMETTY_WRITE_EXPORT_EXPORT_IDS_H

#include "base/json/json_writer.h"
#include "model/profile.h"

#include <stdint.h>
#include <stdlib.h>

struct lane_ids {
	int64_t pid, tid;
	bool is_new; /* an invented number that no lane before it has */
};

static inline bool export_ids_has_spans(const struct lane *lane)
{
	return lane->kind == LANE_SAMPLES || lane->kind == LANE_SLICES;
}

/* The places of all lanes; the caller frees them. is_split: samples get a thread of their own if
 * their thread has slices. */
struct lane_ids *export_ids_of(const struct profile *p, bool is_split);

/* ---- requests ---- */

/* An event of the file, and what of the model it became. */
struct export_ids_event {
	uint32_t input;
	int64_t offset;
	unsigned category; /* of served_category() */
	size_t at;         /* index of a request, a wait or a run */
};

struct export_ids_served {
	const struct profile *profile;
	struct export_ids_event *events; /* by input and offset */
	size_t n;
};

/* Borrows the profile. */
void export_ids_served(struct export_ids_served *s, const struct profile *profile);

static inline void export_ids_served_done(struct export_ids_served *s)
{
	free(s->events);
}

/* The event that a span of a lane was; NULL: it is about no request. O(log n). */
const struct export_ids_event *export_ids_served_of(const struct export_ids_served *s,
						    const struct lane *lane,
						    const struct span *span);

/* The name of a request or a wait: a slice of a log of Node.js has another one. */
static inline str_id export_ids_name(const struct export_ids_served *s,
				     const struct export_ids_event *e)
{
	const struct served_all *all = &s->profile->served;

	return e->category == 0 ? all->requests[e->at].name : all->waits[e->at].name;
}

/* Write the id of a request or a wait. In each part of a recording it is the same. */
void export_ids_put_id(const struct export_ids_served *s, const char *key,
		       const struct export_ids_event *e, struct json_writer *w);

/* Write the member `args`. span: what is written of it. */
void export_ids_put_args(const struct export_ids_served *s, const struct export_ids_event *e,
			 const struct span *span, struct json_writer *w);

#endif
