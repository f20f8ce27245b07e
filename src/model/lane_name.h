/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name of a lane for users. */
#ifndef FLAMETTY_MODEL_LANE_NAME_H
#define FLAMETTY_MODEL_LANE_NAME_H

#include "base/buf.h"
#include "base/str.h"
#include "model/profile.h"

/* Find out which lanes stand below slices of the same thread. Must be called for the lanes of a
 * profile, which are in order, before they are named. */
void lane_name_prepare(struct lane *lanes, uint32_t n);

/* `main thread`, `thread 3 (pid 123)`, `build: Compositor (pid 7)`; not truncated. Where lanes
 * would have the same name, it has the thread's id, `(pid 7, tid 12)`, or the file. has_process:
 * false leaves out name and id of the process. */
void lane_name(const struct profile *profile, const struct lane *lane, bool has_process,
	       struct buf *out);

/* `samples`, `slices`, `async`, `counter` or `marks`; static text. */
const char *lane_name_kind(enum lane_kind kind);

/* lane_name() with the process, in at most `room` cells. If it is too long, the name of the process
 * is truncated first, or left out. */
void lane_name_fit(const struct profile *profile, const struct lane *lane, int room,
		   struct buf *out);

/* Append what tells the lane from the others: without the process if all lanes are of one. */
void lane_name_brief(const struct profile *profile, const struct lane *lane, struct buf *out);

/* The same as lane_name() for a thread or process without a lane: `build: Compositor (pid 7)`. */
void lane_name_of_named(const struct profile *profile, const struct profile_named *named,
			struct buf *out);

/* Append `hit counts`, or what the sums are: `cpu`, `alloc_space`. */
void lane_value_text(const struct profile *profile, const struct lane *lane, struct buf *out);

/* What the length of one hit is, if all lanes of samples have hit counts and one such length;
 * else 0. */
int64_t lane_value_hit_ns(const struct profile *profile);

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
