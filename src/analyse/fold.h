/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile as the chart draws it: consecutive calls of code that is not the user's own are one
 * row, a run. Only call trees change: samples, times and the total time of each call of own code
 * stay. Tables and numbers are about the profile itself.
 *
 * Words: an element of a run is a package, a module of Node.js with its internals (`node:http`), or
 * a native function. The elements of a run, without repetitions beside each other, are a path. Two
 * runs below one caller are one row if their paths begin with the same element. */
#ifndef FLAMETTY_ANALYSE_FOLD_H
#define FLAMETTY_ANALYSE_FOLD_H

#include "base/budget.h"
#include "model/profile.h"

/* What folds. Own code, code of WebAssembly and eval, GC, (idle) and (program) never do. */
enum fold_mode {
	FOLD_NONE,
	FOLD_RUNTIME,  /* Node.js and other runtimes, bundlers, and modules of dependencies as a
			  whole, which run when they are loaded */
	FOLD_PACKAGES, /* these, all code of dependencies, native and regular expressions; but of a
			  lane in which own functions have less than 15 % of the busy time, only
			  what FOLD_RUNTIME has */
};

/* `none`, `runtime`, `packages`: static text; NULL: there are no more. */
const char *fold_mode_word(unsigned mode);

/* Whether a function folds. */
bool fold_hides(const struct profile *profile, const struct frame *frame, enum fold_mode mode);

/* Append the name of a run: n calls, the outermost first, as indices into `frames`. Their elements,
 * at most four; of one function, its name. */
void fold_add_name(const struct profile *profile, const struct frame *frames, const frame_id *calls,
		   uint32_t n, struct buf *out);

/* Whether functions of a category fold in some mode. */
bool fold_can(enum category category);

/* What stands out of its run. */
struct fold_wish {
	enum fold_mode mode;
	str_id package;    /* a package that has rows of its own; 0: none */
	frame_id function; /* a function that does not fold; FRAME_NONE: none */
	/* By frame: 1: it does not fold, as a search has found it; NULL: none. The number tells one
	 * search from another; 0: none. */
	uint8_t *found;
	unsigned search;
	bool is_merged; /* of a merged view: rows of one caller are merged, heaviest first */
};

/* A lane, and how it folds. */
struct fold_lane {
	bool is_made;    /* fold_make() is done with it */
	node_id *to;     /* by node of the lane as it is: the node that stands for it; NULL: nothing
			    folds, or that is not known so far */
	uint8_t *is_run; /* by node of the folded lane */
	struct samples_folded samples; /* unless they are merged, those of the folded lane */
	bool has_packages;             /* not only what FOLD_RUNTIME has */
	/* Of a merged view, whose folded samples are others: by node of the folded lane, its first
	 * sample, and the outermost node that it stands for. NULL: samples are those of the lane.
	 */
	size_t *first;
	node_id *from;
};

struct fold {
	const struct profile *of; /* borrowed */
	/* The lanes that fold have trees and leaves of their own. Frames from of->frames.n on stand
	 * for runs: their names are paths such as `express > compression`, with U+203A for the
	 * arrow. All ids of `of` are valid here, too. Everything else is borrowed from `of`. */
	struct profile profile;
	struct fold_lane *lanes; /* by lane */
	struct intern names;     /* of runs */
	struct fold_work *work;  /* the lane that is being folded; private */
};

/* Begin with lanes as they are; fold_make() folds those that are asked for. The profile must
 * outlive the result, which the caller frees; wish->found is copied. NULL: nothing may fold, or
 * there is no memory. */
struct fold *fold_new(const struct profile *profile, const struct fold_wish *wish);
void fold_free(struct fold *fold);

/* Fold a lane, by its index, within the budget. true: it is done, and fold_has() tells whether
 * something folds; frames and texts of runs may have been added. false: call it again for this
 * lane; a call for another lane drops what was done of this one. */
bool fold_make(struct fold *fold, int lane, struct budget *budget);

/* Whether a lane, by its index, is folded. fold: may be NULL. */
static inline bool fold_has(const struct fold *fold, int lane)
{
	return fold && fold->lanes[lane].is_made && fold->lanes[lane].to;
}

/* Whether a node of a folded lane stands for a run. */
static inline bool fold_is_run(const struct fold *fold, int lane, node_id node)
{
	return fold->lanes[lane].is_run[node];
}

/* The span of a folded lane that stands for a span of the lane as it is. */
void fold_close_span(const struct fold *fold, int lane, const struct span *span, struct span *out);

/* The outermost call of the lane as it is that a span of the folded lane stands for where it
 * begins. */
void fold_open_span(const struct fold *fold, int lane, const struct span *span, struct span *out);

/* The number of rows of the trunk in [t0, t1), from depth 0 on: each is one span over at least 95 %
 * of that range, of code of Node.js or another runtime, of the engine, of a bundler, or of a module
 * as a whole. 0: there are fewer than two such rows. The innermost call is never part of it. For
 * lanes of samples with a time line; 0 for all others. */
int trunk_rows(const struct profile *profile, const struct lane *lane, int64_t t0, int64_t t1);

/* The span of the trunk at a depth below trunk_rows(). */
void trunk_span(const struct lane *lane, int64_t t0, int64_t t1, int depth, struct span *out);

/* Whether a frame is the code of a module outside of all functions, which runs when the module is
 * loaded: it has no name and is at the start of its file. */
static inline bool trunk_is_module(const struct profile *p, const struct frame *frame)
{
	return frame->url && frame->line == 1 && frame->column <= 1 &&
		profile_is_anonymous(p, frame);
}

#endif
