/* SPDX-License-Identifier: GPL-2.0-or-later */
/* String table: maps text to str_id. Equal texts have the same id. Id 0 is the empty text. */
#ifndef FLAMETTY_BASE_INTERN_H
#define FLAMETTY_BASE_INTERN_H

#include "base/arena.h"
#include "base/hash_table.h"

#include <stdint.h>

typedef uint32_t str_id;

struct intern_entry;

struct intern {
	struct arena arena;
	struct intern_entry *entries; /* by id */
	size_t n;
	size_t cap;
	struct hash_table index; /* of ids */
};

void intern_init(struct intern *in);
void intern_done(struct intern *in);

/* Find the id of `len` bytes of text, which may contain NULs; add the text when it is new.
 * text: may be NULL if len is 0. */
str_id intern_add(struct intern *in, const char *text, size_t len);
str_id intern_adds(struct intern *in, const char *text);

/* The text of an id, NUL-terminated, and its length. Borrowed from the table. */
const char *intern_text(const struct intern *in, str_id id);
size_t intern_len(const struct intern *in, str_id id);

#endif
