/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Only the folder build/ changes profiles; this is its door for the program. */
#include "config.h"

#include "load/split_lanes.h"

#include "build/cat_lanes.h"
#include "model/whole_lanes.h"

bool split_lanes_is_possible(const struct profile *p, bool is_split, struct error *err)
{
	return !is_split || p->whole || cat_lanes_are_possible(p, err);
}

bool split_lanes(struct profile *p, bool is_split, struct error *err)
{
	if (!split_lanes_is_possible(p, is_split, err))
		return false;
	if (!is_split)
		whole_lanes_restore(p);
	else if (!p->whole)
		cat_lanes_make(p);
	return true;
}
