/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a question is about: which lanes and time range, what is done to the calls before they are
 * counted, and whether idle time counts. */
#ifndef FLAMETTY_ANALYSIS_SCOPE_H
#define FLAMETTY_ANALYSIS_SCOPE_H

#include "analysis/view.h"
#include "base/error.h"

struct scope {
	int64_t t0, t1;   /* ns since the start of the profile, half-open */
	bool has_idle;    /* idle time counts in shares */
	uint8_t *is_lane; /* by lane of the profile: 1 belongs to it; NULL: all */
	struct transform *transforms;
	size_t n_transforms;
	enum view_group group;
	const char *filter; /* pattern for the rows of tables; borrowed; NULL: all rows */
};

/* The whole of a profile. */
void scope_all(struct scope *scope, const struct profile *profile);
void scope_done(struct scope *scope);

/* Only the lanes that a selector names: `all`, or words parted by commas, each the number of a
 * lane, `main` for main threads, PID:TID, or a pattern (frame_set_lanes()). False and err where a
 * word names none. */
bool scope_select(struct scope *scope, const struct profile *profile, const char *selector,
		  struct error *err);

/* One more transform, after those there are. With a pattern: of the frames that match, else of all
 * that it makes sense for: TRANSFORM_RECURSION of all frames, TRANSFORM_FOLD of packages,
 * TRANSFORM_DROP of idle time. The pattern is borrowed. */
bool scope_add(struct scope *scope, const struct profile *profile, enum transform_kind kind,
	       const char *pattern, struct error *err);

/* Whether anything but the range differs from the profile as it is. */
bool scope_is_plain(const struct scope *scope);

/* Whether the calls are as they are in the files, whatever lanes and range. */
bool scope_is_untouched(const struct scope *scope);

/* The view of all lanes of the scope that have calls in them. Needs view_done(). */
void scope_view(const struct scope *scope, const struct profile *profile, struct view *view);

/* `focus /parse/, drop idle, by package`; nothing where it is plain. Lanes and range are not told.
 */
void scope_describe(const struct scope *scope, const struct profile *profile, struct buf *out);

#endif
