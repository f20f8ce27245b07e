/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the events of a trace again, as text: for an export that loses nothing. */
#ifndef FLAMETTY_READ_TRACE_TRACE_COPY_H
#define FLAMETTY_READ_TRACE_TRACE_COPY_H

#include "base/error.h"
#include "base/intern.h"
#include "base/progress.h"
#include "base/str.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether an input is a trace that was read from a pipe: its events cannot be copied. */
bool trace_copy_is_lost(const struct input *input);

/* Whether an input has stackFrames and another one before it, too. Ids of frames are those of one
 * file, and the copy has those of the first one: this input is not copied. */
bool trace_copy_has_other_frames(const struct profile *profile, uint32_t input);

/* Open the files of an input again and call `pass` with the text of each event, in the order of the
 * files. In a trace with `metadata`, which may name events by their numbers, an event of no meaning
 * stands for each one that loading left out. The time of the event is moved by shift_ns, except
 * that time 0 is not moved back. If `pass` returns false, the copy stops. A trace that is cut off
 * ends with its last whole event. This is the `copy` of struct export_options.
 *
 * Lanes that are beside the events are not among them.
 *
 * False with ERR_UNKNOWN: the input is no trace, or no regular file, has no list of events, or
 * trace_copy_has_other_frames(); no event was passed. False with another error: the file cannot be
 * read, or has changed since it was loaded; what was passed may be wrong. */
bool trace_copy(const struct profile *profile, uint32_t input, int64_t shift_ns,
		bool (*pass)(void *ctx, const char *event, size_t len), void *ctx,
		struct error *err) MUST_USE;

/* Open a file of a trace again and call `visit` with each event as it is written, and with its
 * offset in the file, until it returns false. progress: may cancel. Fails as trace_copy() does. */
bool trace_copy_visit(const char *path, const struct fingerprint *print, struct progress *progress,
		      bool (*visit)(void *ctx, int64_t offset, struct str event), void *ctx,
		      struct error *err) MUST_USE;

/* Pass the members of the documents beside the events, for example `,"metadata":{"source":"x"}`,
 * from an input that trace_copy() has just copied, or, without is_copied, from one whose events are
 * made anew: then without stacks and what a user modified. `notes`, unless it is empty, is a member
 * that takes the place of these in `metadata`. Samples that are lanes are left out. A member whose
 * key is in `seen` is left out, and the keys that are passed are added. Times of users' ranges in
 * `metadata` are moved as those of events. At most one list element or small value is in memory at
 * a time. This is `copy_members` of struct export_options. */
bool trace_copy_members(const struct profile *profile, uint32_t input, bool is_copied,
			const char *notes, int64_t shift_ns, struct intern *seen,
			bool (*pass)(void *ctx, const char *text, size_t len), void *ctx,
			struct error *err) MUST_USE;

/* Read the events of a trace once more, to complete the notes about it: those with a key of which
 * the event is not known, and those with an event and no key. One that has neither in the file
 * stays as it is. Not for an input of several files. */
void trace_copy_find_notes(const struct input *in, uint32_t input, const char *path,
			   struct notes *notes);

#endif
