/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A search: the functions that match, their spans, and their time. Work that may take long is done
 * in steps within a budget. */
#ifndef FLAMETTY_ANALYSE_SEARCH_H
#define FLAMETTY_ANALYSE_SEARCH_H

#include "analyse/match_set.h"
#include "base/budget.h"
#include "base/pattern.h"
#include "model/blocks.h"
#include "model/profile.h"

/* The matches in the tree of one lane, by node. */
struct search_lane {
	const struct lane *lane;
	const struct samples *samples; /* those of the lane; of a search for labels `own` */
	node_id *near;  /* the nearest match at or above it; NODE_ROOT: none; NULL: nothing in the
			   lane matches */
	uint16_t *deep; /* its rows */
	uint16_t *n;    /* number of matches at or above it */
	bool is_made;
	/* Of a search for events, if a slice matches: `lane` is a copy in whose tree slices that
	 * match have nodes of their own. */
	struct search_split *split;
	const node_id *nodes;  /* by node of it: that of the lane, */
	const uint8_t *is_hit; /* and whether it is of such slices */
	/* Of a search for labels ("search samples" in search_slices.c): */
	bool is_whole; /* all calls of a sample that matches do */
	bool has_any;
	struct samples own;
	size_t n_own; /* those that are made */
	struct blocks_work *blocks;
};

/* The nearest call that matches, at or above a node of a sample that matches. */
static inline node_id search_lane_at(const struct search_lane *lane, node_id node)
{
	return lane->is_whole ? node : lane->near[node];
}

struct search {
	const struct profile *profile;
	struct pattern *pattern; /* NULL: a search for one function, or no search */
	uint8_t *matches;        /* as match_set.frames; of labels: functions on the stacks of
				    samples that match; of events, 2: only slices do;
				    NULL: no search */
	struct event_hits hits;  /* of events: search_slices_take() */
	bool wants_hits;
	bool is_blind; /* of events: lanes of views and transforms have no slices of the file */
	uint32_t n_functions; /* number of matches so far */
	enum pattern_subject subject;
	uint8_t *cats;    /* as match_set.cats */
	uint8_t *labels;  /* as match_set.labels */
	uint32_t label;   /* the key */
	size_t next_set;  /* the next set of labels to compare */
	uint8_t *is_name; /* by str_id, of match_set_names(); NULL: not begun, or complete */
	uint32_t next_lane;
	bool is_complete; /* all functions were compared */
	bool is_lacking;  /* memory was refused (base/alloc.h): some lanes seem to have no match */
	bool is_costly;   /* given up, as the pattern takes too long; the matches so far count */
	frame_id next;    /* the next function to compare */
	uint8_t *known;   /* by str_id: results so far; NULL: the search is complete */
	struct search_lane *lanes;
	uint32_t n_lanes;
};

/* Search by a pattern, or for one function. Behind `cat:`, it finds slices by their event
 * categories (pattern_subject()), each by its own; behind `label:`, samples. A zeroed struct is no
 * search. The profile must outlive the search, but not the call of search_done(). False: err says
 * what is wrong with the pattern, and there is no search. */
bool search_init(struct search *search, const struct profile *profile, const char *text, size_t len,
		 bool is_plain, struct error *err);
void search_init_frame(struct search *search, const struct profile *profile, frame_id frame);
void search_done(struct search *search);

/* Search for what another search has found, which is complete, in the same profile as it is drawn
 * (fold.h): its first frames are those of the other profile, and the further ones do not match. */
void search_init_drawn(struct search *search, const struct search *found,
		       const struct profile *drawn);

/* Compare more functions by what the pattern is about, within the budget. True: the search is
 * complete.
 */
bool search_match(struct search *search, struct budget *budget);

/* What matches, borrowed from the search. */
static inline struct match_set search_set(struct search *search)
{
	return (struct match_set){ .frames = search->matches,
				   .cats = search->cats,
				   .labels = search->labels,
				   .slices = pattern_is_of_events(search->subject) ? search
										   : NULL };
}

/* Compute the matches in lane `lane`, an index, within the budget: true when they are complete, and
 * known to be. This function and those below need a complete search. */
bool search_prepare(struct search *search, uint32_t lane, struct budget *budget);

/* These matches. Borrowed. */
static inline const struct search_lane *search_lane(struct search *search, uint32_t lane)
{
	search_prepare(search, lane, BUDGET_UNLIMITED);
	return &search->lanes[lane];
}

/* The time in [t0, t1) with a match on the stack, in ns. */
int64_t search_lane_ns(const struct search_lane *l, int64_t t0, int64_t t1);

/* A matched span; of a search for labels, a stretch of samples that match, at depth 0. Matches are
 * ordered by start, lane and depth. */
struct search_at {
	uint32_t lane;
	struct span span;
};

/* The next match after `at`, or (is_back) the last one before it, on lanes i with is_shown[i]. at
 * NULL: the first, or the last, of all. Sampled spans without time are skipped. out may be at.
 * False: there is none. */
bool search_next(struct search *search, const uint8_t *is_shown, const struct search_at *at,
		 bool is_back, struct search_at *out);

/* The first match that opens at t or later. */
static inline bool search_from(struct search *search, const uint8_t *is_shown, int64_t t,
			       struct search_at *out)
{
	/* A position before all lanes, 1 ns earlier. */
	const struct search_at before = { UINT32_MAX, { .t0 = t - 1 } };

	return search_next(search, is_shown, &before, false, out);
}

struct search_count {
	int64_t t0, t1;
	size_t end; /* samples from here on are not counted, if spans of one lane are */
	int64_t ns; /* time with a match on the stack */
	int64_t matched_idle_ns;     /* idle time of that */
	int64_t sampled_ns, idle_ns; /* of all samples, whether they match or not */
	uint32_t n_functions;        /* number of matching functions with time in the range */
	bool has_sums;    /* the members above are complete; a caller who needs none of them sets it
			     before the first step */
	uint64_t n_spans; /* matched spans with time in the range, nested ones too; complete if
			     is_complete */
	uint64_t n_marks; /* those of them that are marks */
	bool is_complete;
	/* State of the passes. */
	uint32_t *lanes;
	uint32_t n_lanes, lane;
	bool has_begun; /* the lane; */
	bool has_whole; /* of a search for labels: all its samples are summed, */
	struct blocks_walk walk;
	uint8_t *used; /* by node: 1 for a match on the stack of a sample with time; NULL: no
			  match */
	uint8_t *seen; /* by frame: 1 if already counted */
	size_t next;   /* sample, in the count of spans */
	unsigned kept;
};

/* Begin to count in [t0, t1). lanes: copied. */
void search_count_init(struct search_count *count, const uint32_t *lanes, uint32_t n_lanes,
		       int64_t t0, int64_t t1);

void search_count_done(struct search_count *count);

/* Count more within the budget: first the sums, then the spans. The search must be complete, and
 * the same in all steps. True: the count is complete. */
bool search_count_step(struct search_count *count, struct search *search, struct budget *budget);

#endif
