/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which labels samples have: the time of each value of each key. Which event categories slices
 * have, and from where code is. */
#ifndef FLAMETTY_ANALYSE_LABEL_SHARE_H
#define FLAMETTY_ANALYSE_LABEL_SHARE_H

#include "analyse/scope.h"
#include "analyse/view/view.h"
#include "model/profile.h"

struct label_part {
	str_id value; /* 0: none */
	int64_t ns;
	uint64_t n; /* samples with time; not of sums, which have none */
};

struct label_share {
	uint32_t key;
	struct label_part *parts; /* most time first; those without a value, too */
	size_t n;
	int64_t all_ns; /* of all samples */
};

/* Find the shares of samples [first, end) of a lane, of the keys that some of them have. Returns
 * how many there are; *shares: by key, to be freed by label_share_free(). */
size_t label_share_find(const struct profile *profile, const struct lane *lane, size_t first,
			size_t end, struct label_share **shares);

/* The same of the samples of lanes with a stack, and of their parts, in [t0, t1). has_idle: those
 * of idle time, too. */
size_t label_share_of(const struct profile *profile, const struct lane *const *lanes, uint32_t n,
		      int64_t t0, int64_t t1, bool has_idle, struct label_share **shares);

static inline void label_share_free(struct label_share *shares, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(shares[i].parts);
	free(shares);
}

/* Of the samples that end at a node and have one set of labels. */
struct label_parts_row {
	node_id node; /* of the view */
	uint32_t set;
	int64_t ns;
	uint64_t n; /* samples, as leaf_counts() has them; of sums 0 */
};

/* Find the rows of a view of one lane, in the range of the scope, by node and set. The caller frees
 * *rows; NULL: the samples of the lane have no labels. Returns their number. */
size_t label_parts(const struct view *view, const struct scope *scope,
		   struct label_parts_row **rows);

/* ---- event categories ---- */

/* Self time of slices by event category: the first of the comma-separated ones of an event. */
struct event_cat_share {
	str_id name;  /* 0: events without a category */
	int64_t self; /* ns */
};

/* The shares of the lanes of slices among these lanes in [t0, t1), heaviest first. Returns their
 * number; 0: no slice there has a category. The caller frees *out. */
size_t event_cats_shares(const struct profile *profile, const struct lane *const *lanes,
			 uint32_t n_lanes, int64_t t0, int64_t t1, struct event_cat_share **out);

/* ---- origins ----
 *
 * Where the code on a page comes from. */

struct origin_share {
	str_id url;    /* 0: all urls of the origin */
	str_id origin; /* of the script */
	uint8_t party; /* as of a frame */
	int64_t self;  /* ns */
};

/* Whether the functions of a profile have two origins or more: only then can origins_find() find so
 * many. Cheap: no time is added up. */
bool origins_are_several(const struct profile *profile);

/* Find the shares in [t0, t1) of the threads of these lanes, heaviest first, by url or by origin:
 * of code of the web only. The time of a sample is of the innermost function with a url, that of a
 * slice of the innermost one that runs a script; of a thread that has samples, these count alone.
 * The caller frees *out. Returns their number. */
size_t origins_find(const struct profile *profile, const struct lane *const *lanes,
		    uint32_t n_lanes, int64_t t0, int64_t t1, bool is_by_url,
		    struct origin_share **out);

#endif
