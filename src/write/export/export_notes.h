/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes of users in a trace: metadata.modifications, as DevTools has it. It names entries by
 * numbers of events, which are known once the events are written. */
#ifndef FLAMETTY_WRITE_EXPORT_EXPORT_NOTES_H
#define FLAMETTY_WRITE_EXPORT_EXPORT_NOTES_H

#include "base/json/json_writer.h"
#include "write/export/export_cpuprofile.h"

struct export_notes {
	const struct profile *profile;
	const struct notes *notes;
	uint32_t *lanes;    /* by note: its call */
	struct span *found; /* the same */
	char **keys;        /* of the file that is written; NULL: none so far */
	bool is_changed;    /* the notes are not those of the file that is copied */
};

/* Borrows both. */
void export_notes_init(struct export_notes *n, const struct profile *profile,
		       const struct notes *notes);
void export_notes_done(struct export_notes *n);

/* An input was copied; its first event has the number `first`. */
void export_notes_copied(struct export_notes *n, uint32_t input, uint64_t first);

/* A span of a lane, perhaps cut, is event `number`, an entry of DevTools. */
void export_notes_event(struct export_notes *n, uint32_t lane, const struct span *span,
			uint64_t number);

/* A lane of samples is written as a profile of this thread. */
void export_notes_samples(struct export_notes *n, uint32_t lane, const struct samples_out *samples,
			  int64_t pid, int64_t tid);

/* Whether a lane has nothing but the labelled ranges of users. */
bool export_notes_is_ranges(const struct profile *profile, const struct lane *lane);

/* Append the member, without a comma; nothing, if there is nothing to keep. base: ns that the
 * times of the file are more than those of the profile. */
void export_notes_write(const struct export_notes *n, const struct scope *scope, int64_t base,
			struct buf *out);

#endif
