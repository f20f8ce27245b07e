/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A search: which functions match, where their spans are, and how much time they took. Long work is
 * done in steps within a budget. */
#ifndef FLAMETTY_ANALYSIS_SEARCH_H
#define FLAMETTY_ANALYSIS_SEARCH_H

#include "analysis/pattern.h"
#include "base/budget.h"
#include "model/profile.h"

/* Matches in the tree of one lane, by node. */
struct search_lane {
	const struct lane *lane;
	/* The nearest match at or above the node; NODE_ROOT: none; NULL: the lane has no match. */
	node_id *near;
	uint16_t *deep; /* rows of that match */
	uint16_t *n;    /* number of matches at or above the node */
	node_id next;   /* the next node, while this is computed */
	bool is_made;
};

struct search {
	const struct profile *profile;
	struct pattern *pattern; /* NULL: a search for one function, or no search */
	uint8_t *matches;        /* by frame id: 1 if it matches; NULL: no search */
	uint32_t n_functions;    /* number of matches so far */
	bool is_complete;        /* all functions were matched */
	bool is_costly;          /* given up, as the pattern takes too long; matches so far count */
	frame_id next;           /* the next function to match */
	uint8_t *known;          /* by str_id, until the search is complete */
	struct search_lane *lanes;
	uint32_t n_lanes;
};

/* Search by a pattern, or for one function; a zeroed struct is no search. The profile must outlive
 * the search, but not search_done(). Returns false if the pattern is invalid, with err set: then
 * there is no search. */
bool search_init(struct search *search, const struct profile *profile, const char *text, size_t len,
		 bool is_plain, struct error *err);
void search_init_frame(struct search *search, const struct profile *profile, frame_id frame);
void search_done(struct search *search);

/* Match more functions: their names, urls and packages. Returns true when all are done. */
bool search_match(struct search *search, struct budget *budget);

/* Give up: take the matches so far for all. */
void search_give_up(struct search *search);

/* The following functions need a complete search. The matches in lane `lane`, an index. Borrowed.
 */
const struct search_lane *search_lane(struct search *search, uint32_t lane);

/* Compute these within the budget: returns true when done. */
bool search_prepare(struct search *search, uint32_t lane, struct budget *budget);

/* A matched span. Spans are ordered by start, lane, and depth. */
struct search_at {
	uint32_t lane;
	struct span span;
};

/* The next match after `at`, or the last before it, on lanes i with is_shown[i]. NULL: the first,
 * or the last, of all. Spans of samples without time are skipped. `out` may be `at`. */
bool search_next(struct search *search, const uint8_t *is_shown, const struct search_at *at,
		 struct search_at *out);
bool search_before(struct search *search, const uint8_t *is_shown, const struct search_at *at,
		   struct search_at *out);

/* The first match that opens at t or later. */
bool search_from(struct search *search, const uint8_t *is_shown, int64_t t, struct search_at *out);

/* Sums over [t0, t1) of some lanes. */
struct search_count {
	int64_t t0, t1;
	int64_t ns;                  /* time with a match on the stack */
	int64_t matched_idle_ns;     /* idle time of it */
	int64_t sampled_ns, idle_ns; /* of everything that was sampled */
	uint32_t n_functions;        /* matching functions with time in the range */
	/* Matched spans with time in the range, including nested ones; complete if is_complete. */
	uint64_t n_spans;
	bool is_complete;
	/* State of the walk over samples. */
	uint32_t *lanes;
	uint32_t n_lanes, lane;
	size_t next;
	unsigned kept;
	bool has_begun;
};

/* lanes: copied. Everything except n_spans is computed at once. */
void search_count_init(struct search_count *count, struct search *search, const uint32_t *lanes,
		       uint32_t n_lanes, int64_t t0, int64_t t1);
void search_count_done(struct search_count *count);

/* Count more spans. Returns true when all are counted. */
bool search_count_step(struct search_count *count, struct search *search, struct budget *budget);

#endif
