/* SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef FLAMETTY_PPROF_TABLES_H
#define FLAMETTY_PPROF_TABLES_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a value is written. Groups (3 and 4) are out of use and not read. */
enum wire_type { WIRE_NUMBER = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

/* A position in a message. */
struct wire {
	const unsigned char *start, *p, *end;
	int64_t base;      /* offset of `start` in the document */
	const char *wrong; /* why reading stopped before the end; static text; NULL: it did not */
	bool is_short;     /* that is only because the memory ends within a member, */
	uint64_t need;     /* which needs this many bytes after `start` or more */
};

struct wire_field {
	uint32_t number;
	enum wire_type type;
	uint64_t value;   /* of WIRE_NUMBER and the fixed types */
	struct str bytes; /* of WIRE_BYTES; borrowed */
};

/* Begin at memory that is at `base` of the document, and is borrowed. */
void wire_init(struct wire *w, struct str memory, int64_t base);

/* Begin with the bytes of a member of the message `outer`. */
void wire_inner(struct wire *w, const struct wire *outer, const struct wire_field *field);

/* Pass the next member. Returns false at the end, and where the message is damaged: then w->wrong
 * is set. */
bool wire_next(struct wire *w, struct wire_field *field);

/* The offset in the document of the next member, or of the damage. */
int64_t wire_offset(const struct wire *w);

/* Pass a number that stands alone, as the elements of a packed list do. As wire_next(). */
bool wire_number(struct wire *w, uint64_t *value);

#endif
