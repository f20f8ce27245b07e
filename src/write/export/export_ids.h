/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the events of a trace are about: threads of lanes, requests, and what users noted. */
#ifndef FLAMETTY_WRITE_EXPORT_EXPORT_IDS_H
#define FLAMETTY_WRITE_EXPORT_EXPORT_IDS_H

#include "base/json/json_writer.h"
#include "model/profile.h"
#include "write/export/export_cpuprofile.h"

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

/* ---- notes ----
 *
 * Notes of users: metadata.modifications, as DevTools has it. */

struct export_ids_notes {
	struct notes_found found;
	char **keys;     /* of the file that is written; NULL: none so far */
	bool is_changed; /* the notes are not those of the file that is copied */
};

/* Borrows both. */
void export_ids_note_init(struct export_ids_notes *n, const struct profile *profile,
			  const struct notes *notes);
void export_ids_note_done(struct export_ids_notes *n);

/* An input was copied; its first event has the number `first`. */
void export_ids_note_copied(struct export_ids_notes *n, uint32_t input, uint64_t first);

/* A span of a lane, perhaps cut, is event `number`, an entry of DevTools. */
void export_ids_note_event(struct export_ids_notes *n, uint32_t lane, const struct span *span,
			   uint64_t number);

/* A lane of samples is written as a profile of this thread. */
void export_ids_note_samples(struct export_ids_notes *n, uint32_t lane,
			     const struct samples_out *samples, int64_t pid, int64_t tid);

/* Whether a lane has nothing but the labelled ranges of users. */
bool export_ids_note_is_ranges(const struct profile *profile, const struct lane *lane);

/* Append the member, without a comma; nothing, if there is nothing to keep. base: ns that the
 * times of the file are more than those of the profile. */
void export_ids_note_write(const struct export_ids_notes *n, const struct scope *scope,
			   int64_t base, struct buf *out);

#endif
