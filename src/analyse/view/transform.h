/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Transforms: what they are, and how headers describe them. view_transform.c applies them.
 *
 * A transform changes stacks: the list of frames of each sample, outermost first. A stack that is
 * empty stays empty, and its time does not count as dropped; a stack that a transform makes empty
 * is dropped. */
#ifndef FLAMETTY_ANALYSIS_TRANSFORM_H
#define FLAMETTY_ANALYSIS_TRANSFORM_H

#include "analyse/match_set.h"
#include "base/buf.h"
#include "base/error.h"
#include "model/profile.h"

enum transform_kind {
	TRANSFORM_FOCUS,    /* only calls below a match, which becomes outermost */
	TRANSFORM_KEEP,     /* only whole stacks with a match */
	TRANSFORM_DROP,     /* only stacks without a match */
	TRANSFORM_MERGE,    /* remove matches; their time goes to their callers */
	TRANSFORM_COLLAPSE, /* the time of calls below a match counts as self time of the match */
	TRANSFORM_FOLD, /* matches in a row become one frame: their package, or Node.js internals */
	TRANSFORM_RECURSION, /* a function inside itself is the outer one: the frames between the
				two are removed */
	TRANSFORM_COUNT,     /* of those that change call trees */
	TRANSFORM_INVERT = TRANSFORM_COUNT /* stacks begin with what ran: only the left heavy view
					      and its tables can show that (view/merged.h) */
};

/* What a transform matches. */
enum transform_by {
	BY_FUNCTION,
	BY_FILE,
	BY_PACKAGE,
	BY_CATEGORY,
	BY_ANY_PACKAGE, /* all frames of packages */
	BY_OTHERS,      /* code that is not the user's own: packages, Node.js, native, ... */
	BY_SET,         /* a set of frames, as a search finds it */
	BY_PATH,        /* one node: a chain of frames, the outermost first, of the view so far;
			   TRANSFORM_FOCUS only */
	BY_ALL
};

struct transform {
	enum transform_kind kind;
	enum transform_by by;
	uint32_t id;          /* frame_id, or str_id of an url or a package, or enum category */
	struct match_set set; /* BY_SET: of the profile; must outlive the view */
	const frame_id *path; /* BY_PATH */
	uint32_t n_path;
	const char *text; /* BY_SET: the pattern, for descriptions */
};

/* Append what a transform does, for headers: `focus parse`, `drop (idle)`. */
void transform_describe(const struct profile *profile, const struct transform *transform,
			struct buf *out);

/* Whether a transform of a pattern is possible: labels keep or drop whole stacks. */
bool transform_is_possible(const struct transform *transform, struct error *err);

#endif
