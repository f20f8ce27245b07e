/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a search or a filter is about. */
#ifndef FLAMETTY_UI_SEARCH_FINDER_TARGET_H
#define FLAMETTY_UI_SEARCH_FINDER_TARGET_H

#include "analyse/search.h"
#include "base/buf.h"

#define FINDER_STEP_NS INT64_C(4000000) /* of work before the next look at the keys */

/* A pattern or a function, and the search for it. */
struct finder_target {
	struct search search; /* matches NULL: none */
	struct buf name;      /* the pattern, or the name of the function */
	bool is_plain;
	bool is_function; /* a function, not a pattern */
	frame_id frame;   /* the function */
};

/* Free what it owns and make it empty. */
void finder_target_done(struct finder_target *target);

/* A step of work after a letter, when a key may compute for key_ns. */
struct budget finder_target_step(int64_t key_ns);

#endif
