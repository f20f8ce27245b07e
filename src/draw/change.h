/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the change of a call between two sides looks (analyse/compare/sides.h): the colour of its
 * box, the label, and the texts about it. The sign of a change is part of each label, so that no
 * colour is needed: `+` more, `-` less, `*` new, U+2020 (dagger) gone. */
#ifndef FLAMETTY_DRAW_CHANGE_H
#define FLAMETTY_DRAW_CHANGE_H

#include "analyse/compare/sides.h"
#include "draw/role.h"
#include "model/profile.h"

/* Whether a lane of the profile is the merged lane of the sides. NULL: there are none. */
static inline bool change_is_of(const struct sides *sides, const struct profile *profile,
				const struct lane *lane)
{
	return sides && lane == profile->lanes;
}

/* The colour of a node, by the change of its self time. */
enum role change_role(const struct sides *sides, node_id node);

/* The colour of a change. */
enum role change_role_of(const struct sides_unit *unit, const int64_t ns[SIDES]);

/* What the signs of labels mean, for the title of the lane. */
extern const char change_legend[];

/* The same, or the name alone if the lane is not that of the sides. */
void change_box(const struct profile *profile, const struct lane *lane, const struct sides *sides,
		node_id node, int room, struct buf *out);

/* Append `48.9 % -> 65.1 %  +16.2 pt`, with a real arrow. */
void change_text(const struct sides_unit *unit, const int64_t ns[SIDES], struct buf *out);

/* The sign before a name: `*`, a dagger, or an empty text. */
const char *change_sign(enum sides_kind kind);

/* Append the header of both sides in about `room` cells. */
void change_header(const struct sides *sides, int room, struct buf *out);

#endif
