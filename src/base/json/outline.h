/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The beginning of a document, and its outline if it is JSON: from these the readers recognise
 * their format. */
#ifndef FLAMETTY_BASE_JSON_OUTLINE_H
#define FLAMETTY_BASE_JSON_OUTLINE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

#define OUTLINE_KEYS 96

struct outline_key {
	char name[32]; /* truncated; "head.selfSize" for a member of an object named head */
	char value;    /* first byte of the value: { [ " 0 t f n */
	char element;  /* of an array: first byte of its first element; 0: empty, or no array */
	/* Of an object: its first member, if that is an array and its name fits; else empty. */
	char inner[12];
};

struct outline {
	const char *text; /* the beginning that was examined; borrowed from the caller of
			     outline_look() */
	size_t len;
	bool is_all;      /* that is the whole document */
	char top;         /* first byte of the document; 0: empty */
	char element;     /* of a top-level array: first byte of its first element */
	struct error err; /* why the examination stopped, unless the text ended */
	bool is_whole;    /* the examination was not stopped by the end of the text */
	/* Of the top-level object, or of the first object of a top-level array; members of wrappers
	 * are included. */
	struct outline_key keys[OUTLINE_KEYS];
	size_t n_keys;
};

/* Examine `len` bytes from the beginning of a document. is_all: that is the whole document. */
void outline_look(struct outline *outline, const char *text, size_t len, bool is_all);

/* Whether a member of this name may hold the profile, as in a reply of a protocol. */
bool outline_is_wrapper(const char *name, size_t len);

/* Whether there is a member `name` whose value begins with `value` (0: with anything). */
bool outline_has(const struct outline *outline, const char *name, char value);

/* Whether there is one of the members `names`, which have blanks between them. */
bool outline_has_any(const struct outline *outline, const char *names);

/* Whether there is an array `name` that is empty or whose first element begins with one of the
 * bytes `elements`. */
bool outline_has_list(const struct outline *outline, const char *name, const char *elements);

/* Where an array `name`, in any object of the beginning, has an object with a member as its first
 * element: the number of that member's name among the n keys, or n for another name. Arrays that
 * are empty are passed. -1: there is no such array. */
int outline_first_key(const struct outline *outline, const char *name, const char *const *keys,
		      int n);

#endif
