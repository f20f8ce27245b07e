/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What users wrote to calls: labels, links from call to call, and which calls they hid. A note
 * belongs to no lane: it is found in each profile of the same files by its event or, of a call of
 * samples, by thread, time and function. A list owns its texts. */
#ifndef FLAMETTY_MODEL_NOTES_H
#define FLAMETTY_MODEL_NOTES_H

#include "base/buf.h"
#include "model/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lane;
struct profile;

enum note_kind {
	NOTE_LABEL,
	NOTE_HIDDEN,     /* the call is hidden in DevTools; it is shown all the same */
	NOTE_EXPANDABLE, /* calls below it are */
	NOTE_LINK,       /* from here to the note after it, */
	NOTE_LINK_END    /* which is this */
};

struct user_note {
	enum note_kind kind;
	bool is_own; /* the user made it here; its label may be empty: there is none any more */
	uint32_t input;
	int64_t pid, tid;
	int64_t t;      /* start, by the file's clock, in ns */
	int64_t offset; /* of the event of a slice; -1: none */
	int depth;      /* without an event: of the call, */
	char *name;     /* and its function */
	char *text;     /* of a label */
	char *key;      /* that the file names the call by; NULL: none */
};

struct notes {
	struct user_note *list;
	size_t n, cap;
};

void notes_done(struct notes *notes);

/* Append a copy of a note; its texts may be NULL. */
void notes_add(struct notes *notes, const struct user_note *note);
void notes_add_all(struct notes *to, const struct notes *from);

/* The number of the event that its key names, as `r-12`; UINT64_MAX: the key is none of these. */
uint64_t notes_number(const struct user_note *note);

/* A label of a call of a lane. `text` is borrowed, as the name; the caller frees nothing. */
struct user_note notes_label(const struct profile *profile, const struct lane *lane,
			     const struct span *span, const char *text);

/* Replace the label of the same call, or append the note. */
void notes_set(struct notes *notes, const struct user_note *note);

/* The call that a note is about: *lane is an index. False: the profile does not have it. */
bool notes_find(const struct profile *profile, const struct user_note *note, uint32_t *lane,
		struct span *out);

/* The calls of all notes of a list in a profile, both borrowed, as notes_find() does. */
struct notes_found {
	const struct profile *profile;
	const struct notes *notes;
	uint32_t *lanes;    /* by note; UINT32_MAX: not found */
	struct span *spans; /* likewise */
};

void notes_find_all(struct notes_found *out, const struct profile *profile,
		    const struct notes *notes);
void notes_found_done(struct notes_found *found);

/* Append a line for each label: `note of Layout at 1.40 ms: why so slow?`. */
void notes_lines(const struct profile *profile, struct buf *out);

/* How many calls below that of note `at`, which was found, are hidden, and why, as static text. */
size_t notes_count_hidden(const struct notes_found *found, size_t at, const char **why);

#endif
