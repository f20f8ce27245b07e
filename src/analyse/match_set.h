/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which calls a pattern is about. Functions match by frame. Of slices, those of one name may have
 * several event categories: if the pattern is about those, each slice matches by its own. If it is
 * about labels, samples match, not functions; only transforms that keep or drop whole stacks know
 * that. search.c makes the sets. */
#ifndef FLAMETTY_ANALYSE_MATCH_SET_H
#define FLAMETTY_ANALYSE_MATCH_SET_H

#include "model/profile.h"

struct during;
struct search;

/* Owned or borrowed, as its holder says. Zeroed: there is no set. */
struct match_set {
	uint8_t *frames; /* by frame: 1: it matches, or some slice with this name does */
	uint8_t *cats;   /* by event_cat: 1: it matches; NULL: the pattern is not about them */
	uint8_t *labels; /* by set of labels: 1: its samples match; NULL: the same */
	struct search *slices; /* borrowed: it knows which slices match (search_slices_has()); NULL:
				  the pattern is not about events */
	struct during *during; /* of TRANSFORM_DURING, instead of all that is above; shared by
				  copies (scope.h) */
};

/* Whether a node of a lane of the profile matches; there is a set. */
static inline bool match_set_has(const struct match_set *set, const struct profile *profile,
				 const struct lane *lane, node_id node)
{
	return set->cats ? set->cats[profile_node_cat(profile, lane, node)]
			 : set->frames[lane->tree.frame[node]];
}

/* Whether only rows of matches tell where they are (match_rows_has()), not nodes. */
static inline bool match_set_is_of_spans(const struct match_set *set)
{
	return set->labels || set->slices;
}

/* A copy of a set for n_frames frames of a profile, which the caller frees. */
struct match_set match_set_copy(const struct match_set *set, uint32_t n_frames,
				const struct profile *profile);
void match_set_done(struct match_set *set);

/* The set of all slices with these event categories of a profile. Takes `cats`, by event_cat. */
struct match_set match_set_of_cats(const struct profile *profile, uint8_t *cats);

#endif
