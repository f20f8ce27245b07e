/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Transforms: what they are, and how headers describe them. view_transform.c applies them.
 *
 * A transform changes stacks: the list of frames of each sample, outermost first. A stack that is
 * empty stays empty, and its time does not count as dropped; a stack that a transform makes empty
 * is dropped. */
#ifndef FLAMETTY_ANALYSIS_TRANSFORM_H
#define FLAMETTY_ANALYSIS_TRANSFORM_H

#include "base/buf.h"
#include "model/profile.h"

enum transform_kind {
	TRANSFORM_FOCUS,    /* only calls below a match, which becomes outermost */
	TRANSFORM_KEEP,     /* only stacks with a match, complete */
	TRANSFORM_DROP,     /* no stacks with a match */
	TRANSFORM_MERGE,    /* matches disappear, their time goes to their callers */
	TRANSFORM_COLLAPSE, /* calls below a match count as its own time */
	TRANSFORM_FOLD, /* adjacent matches become one frame: their package, or node internals */
	/* Recursive calls become the outer call, without the calls between them. */
	TRANSFORM_RECURSION,
	TRANSFORM_COUNT
};

/* What a transform matches. */
enum transform_by {
	BY_FUNCTION,
	BY_FILE,
	BY_PACKAGE,
	BY_CATEGORY,
	BY_ANY_PACKAGE, /* all frames of a package */
	BY_SET,         /* a set of frames, as a search finds them */
	/* One node, by its path of frames from the outermost on, in the view so far;
	 * TRANSFORM_FOCUS only. */
	BY_PATH,
	BY_ALL
};

struct transform {
	enum transform_kind kind;
	enum transform_by by;
	uint32_t id; /* frame_id, or str_id of an url or a package, or enum category */
	/* BY_SET: by frame id of the profile, 1: matches; must outlive the view. */
	const uint8_t *set;
	const frame_id *path; /* BY_PATH */
	uint32_t n_path;
	const char *text; /* BY_SET: the pattern, for users */
};

/* Append what a transform does, for headers: `focus parse`, `drop (idle)`. */
void transform_describe(const struct profile *profile, const struct transform *transform,
			struct buf *out);

#endif
