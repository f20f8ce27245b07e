/* SPDX-License-Identifier: GPL-2.0-or-later */
/* String table: text -> str_id; equal text has the equal id. Id 0 is "". */
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

/* The id of `len` bytes of text, which may hold NULs. */
str_id intern_add(struct intern *in, const char *text, size_t len);
str_id intern_adds(struct intern *in, const char *text);

/* The text of an id, NUL-terminated. Borrowed from the table. */
const char *intern_text(const struct intern *in, str_id id);
size_t intern_len(const struct intern *in, str_id id);

#endif
