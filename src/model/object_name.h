/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of an object of a trace. Its lane is named by its type, `Objects: Cart`, and by the
 * scope of its id if it has one, `Objects in shop: Cart`. Its lifetime is `Cart 0x1`, and its marks
 * are `Cart created`, `Cart snapshot` and `Cart deleted`. Only these texts are kept; an export
 * takes them apart again. */
#ifndef FLAMETTY_MODEL_OBJECT_NAME_H
#define FLAMETTY_MODEL_OBJECT_NAME_H

#include "base/buf.h"
#include "base/str.h"

#define OBJECT_NAME_CREATED " created"
#define OBJECT_NAME_SNAPSHOT " snapshot"
#define OBJECT_NAME_DELETED " deleted"

/* Append the title of a lane. scope: empty: none; type: empty: objects of several types. */
void object_name_title(struct str scope, struct str type, struct buf *out);

/* The parts of the name of a lifetime, which all point into the two texts. */
struct object_name {
	struct str scope; /* empty: none */
	struct str type;
	struct str id; /* empty: the name has none */
};

struct object_name object_name_of(struct str title, struct str name);

/* The scope and the type of a lane; type: empty: objects of several types. */
struct object_name object_name_of_lane(struct str title);

/* The phase of the event that a mark stands for, N, O or D, and in *type its name without the tail;
 * '\0': it is another mark. */
char object_name_phase(struct str mark, struct str *type);

#endif
