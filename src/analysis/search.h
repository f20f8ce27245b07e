/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A search: which functions match, where their spans are, and how much time they took. What
 * may take long is done in steps within a budget. */
#ifndef FLAMETTY_ANALYSIS_SEARCH_H
#define FLAMETTY_ANALYSIS_SEARCH_H

#include "analysis/pattern.h"
#include "base/budget.h"
#include "model/profile.h"

/* Matches in the tree of one lane, by node. */
struct search_lane {
	const struct lane *lane;
	node_id *near;  /* the nearest match at or above; NODE_ROOT: none; NULL: nothing matches in
			   this lane */
	uint16_t *deep; /* rows of that */
	uint16_t *n;    /* how many there are at or above */
	node_id next;   /* while they are found */
	bool is_made;
};

struct search {
	const struct profile *profile;
	struct pattern *pattern; /* NULL: one function, or no search at all */
	uint8_t *matches;        /* by frame id: 1 where it matches; NULL: no search */
	uint32_t n_functions;    /* that match so far */
	bool is_complete;        /* all functions were looked at */
	bool is_costly;          /* given up: the pattern takes too long; what was found counts */
	frame_id next;           /* to look at */
	uint8_t *known;          /* by str_id, while it is not complete */
	struct search_lane *lanes;
	uint32_t n_lanes;
};

/* Search by a pattern, or for one function; a zeroed struct is no search. The profile must
 * outlive it, but need not be there for search_done(). False: err says what is wrong with the
 * pattern, and there is no search. */
bool search_init(struct search *search, const struct profile *profile, const char *text, size_t len,
		 bool is_plain, struct error *err);
void search_init_frame(struct search *search, const struct profile *profile, frame_id frame);
void search_done(struct search *search);

/* Look at more functions: their names, urls and packages. True: that is all of them. */
bool search_match(struct search *search, struct budget *budget);

/* Take what was found so far for all. */
void search_give_up(struct search *search);

/* What follows is for complete searches.
 * The matches in lane `lane`, an index. Borrowed. */
const struct search_lane *search_lane(struct search *search, uint32_t lane);

/* Find them within the budget: true when that is done. */
bool search_prepare(struct search *search, uint32_t lane, struct budget *budget);

/* A matched span, in the order of start, lane, and depth. */
struct search_at {
	uint32_t lane;
	struct span span;
};

/* The next match after `at`, or the last before it, on lanes i with is_shown[i]. NULL: the
 * first, or the last, of all. Spans of samples without any time are passed over. out may be at. */
bool search_next(struct search *search, const uint8_t *is_shown, const struct search_at *at,
		 struct search_at *out);
bool search_before(struct search *search, const uint8_t *is_shown, const struct search_at *at,
		   struct search_at *out);

/* The first that opens at t or later. */
bool search_from(struct search *search, const uint8_t *is_shown, int64_t t, struct search_at *out);

/* Sums over [t0, t1) of some lanes. */
struct search_count {
	int64_t t0, t1;
	int64_t ns;                  /* in which anything that matches was on the stack */
	int64_t matched_idle_ns;     /* of that, idle time */
	int64_t sampled_ns, idle_ns; /* of all that was sampled */
	uint32_t n_functions;        /* that match and have time in the range */
	uint64_t n_spans; /* matched spans with time in the range, nested ones too; complete if
			     is_complete */
	bool is_complete;
	/* The pass over samples. */
	uint32_t *lanes;
	uint32_t n_lanes, lane;
	size_t next;
	unsigned kept;
	bool has_begun;
};

/* lanes: copied. All but n_spans is there at once. */
void search_count_init(struct search_count *count, struct search *search, const uint32_t *lanes,
		       uint32_t n_lanes, int64_t t0, int64_t t1);
void search_count_done(struct search_count *count);

/* Count more spans. True: that is all of them. */
bool search_count_step(struct search_count *count, struct search *search, struct budget *budget);

#endif
