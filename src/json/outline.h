/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The beginning of a document, and its outline where it is JSON: what readers recognise
 * their format by. */
#ifndef FLAMETTY_JSON_OUTLINE_H
#define FLAMETTY_JSON_OUTLINE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

#define OUTLINE_KEYS 96

struct outline_key {
	char name[32]; /* cut; "head.selfSize" for a member of an object named head */
	char value;    /* first byte of the value: { [ " 0 t f n */
	char element;  /* of an array: first byte of its first element; 0: empty or no array */
};

struct outline {
	const char *text; /* the beginning that was looked at; good while readers are asked */
	size_t len;
	bool is_all;      /* there is no more behind it */
	char top;         /* first byte of the document; 0: empty */
	char element;     /* of a top array: first byte of its first element */
	struct error err; /* what stopped the look; not the end of the text */
	bool is_whole;    /* the beginning that was looked at is all, or as good as all */
	struct outline_key keys[OUTLINE_KEYS]; /* of the top object, or of the first object of a top
						  array; wrappers looked into */
	size_t n_keys;
};

/* Look at `len` bytes from the start of a document; is_all: that is all of it. */
void outline_look(struct outline *outline, const char *text, size_t len, bool is_all);

/* Whether a member of this name may hold the interesting object, as in a protocol's reply. */
bool outline_is_wrapper(const char *name, size_t len);

/* Whether there is a key whose value begins with `value` (0: with anything). */
bool outline_has(const struct outline *outline, const char *name, char value);

/* Whether there is an array of that name, empty or with a first element that begins with one
 * of the bytes `elements`. */
bool outline_has_list(const struct outline *outline, const char *name, const char *elements);

#endif
