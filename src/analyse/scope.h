/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scope of a question: lanes, a range of time, transforms, and whether idle time counts. */
#ifndef FLAMETTY_ANALYSE_SCOPE_H
#define FLAMETTY_ANALYSE_SCOPE_H

#include "analyse/match_set.h"
#include "analyse/view/view.h"
#include "base/error.h"
#include "model/profile.h"

struct scope {
	int64_t t0, t1;   /* ns since the start of the profile, half-open */
	bool has_idle;    /* idle time counts in shares */
	uint8_t *is_lane; /* by lane of the profile: 1 if it is in scope; NULL: all */
	struct transform *transforms;
	size_t n_transforms;
	enum view_group group;
	const frame_id *match; /* as in struct view_plan; borrowed */
	const str_id *files;   /* the same */
	const char *filter;    /* pattern for the rows of tables; borrowed; NULL: all rows */
};

/* Set the scope to the whole of a profile. */
static inline void scope_all(struct scope *scope, const struct profile *p)
{
	*scope = (struct scope){ .t0 = 0, .t1 = p->t1, .group = GROUP_FUNCTION };
}

static inline void scope_done(struct scope *scope)
{
	for (size_t i = 0; i < scope->n_transforms; i++)
		match_set_done(&scope->transforms[i].set);
	free(scope->transforms);
	free(scope->is_lane);
	*scope = (struct scope){ 0 };
}

/* Restrict the scope to the lanes that a selector names: `all`, or comma-separated words, each the
 * number of a lane, `main` for main threads, PID:TID, or a pattern (frame_set_lanes()). Returns
 * false with err set if a word matches no lane. */
bool scope_select(struct scope *scope, const struct profile *profile, const char *selector,
		  struct error *err) MUST_USE;

/* Append a transform. With a pattern, it is about what matches (scope_match()); without one:
 * TRANSFORM_RECURSION about all frames, TRANSFORM_FOLD about packages, TRANSFORM_DROP about idle
 * time. The pattern is borrowed. */
bool scope_add(struct scope *scope, const struct profile *profile, enum transform_kind kind,
	       const char *pattern, struct error *err) MUST_USE;

/* What a pattern is about for a kind of transform: frames, or slices and requests
 * (TRANSFORM_DURING). The profile must outlive the set, which the caller frees by
 * match_set_done(). Fails with ERR_NOTHING if there are no such slices or requests. */
bool scope_match(const struct profile *profile, enum transform_kind kind, const char *pattern,
		 struct match_set *out, struct error *err) MUST_USE;

/* Whether the calls are as in the files; lanes and range may be restricted. */
static inline bool scope_is_untouched(const struct scope *scope)
{
	return scope->n_transforms == 0 && scope->group == GROUP_FUNCTION && !scope->match;
}

/* Whether the scope differs from the whole profile by its range at most. */
static inline bool scope_is_plain(const struct scope *scope)
{
	return !scope->is_lane && scope_is_untouched(scope);
}

/* The view of all lanes of the scope that have calls, to make it in steps: see view_begin(). The
 * transforms of the scope must stay until view_end(). */
struct view_work *scope_view_begin(const struct scope *scope, const struct profile *profile,
				   struct view *view);

/* Append what its transform i does, with counts of its range. */
void scope_describe_transform(const struct scope *scope, const struct profile *profile, size_t i,
			      struct buf *out);

/* Append `focus /parse/, drop idle, by package`; nothing if the scope is plain. Lanes and range are
 * not included. */
void scope_describe(const struct scope *scope, const struct profile *profile, struct buf *out);

/* ---- during ----
 *
 * The time of the slices or requests that match a pattern, each moment once. Of requests it is that
 * in which their thread runs for them, if the recording states that, and else all of it. Slices are
 * about all threads, requests about their own. Without a word before the pattern (`route:`,
 * `request:`, `slice:`), the first kind counts of which there is one: routes, requests by method
 * and path, slices by name. */

enum during_kind { DURING_ROUTE, DURING_REQUEST, DURING_SLICE, DURING_KINDS };

/* `route:`, `request:`, `slice:`: static text. The length of such a word that a pattern begins
 * with. */
const char *during_word(enum during_kind kind);
size_t during_skip(const char *pattern);

/* The stretches of a lane of samples or slices, which may be a copy: sorted, apart. Borrowed. */
const struct slice_stretches *during_times(const struct during *during, const struct lane *lane);

/* Append `during route: GET /report: 12 requests, 2.4 s`, of those with time in [t0, t1): with the
 * name of all that match, or else the pattern. */
void during_describe(const struct during *during, const char *pattern, int64_t t0, int64_t t1,
		     struct buf *out);

/* Another owner of the same, which is returned; NULL: none. */
struct during *during_share(struct during *during);
void during_free(struct during *during);

/* ---- frame set ---- */

/* The set of frames[0 .. n) that match, 1 each; the caller frees it. The frames may be others than
 * those of the profile, but their texts must be texts of the profile. Returns NULL with err set if
 * the pattern is invalid or takes too long. */
uint8_t *frame_set_find(const struct profile *profile, const struct frame *frames, uint32_t n,
			const char *pattern, struct error *err) MUST_USE;

/* The same for the frames of a profile, with the event categories that match. The caller frees
 * *out by match_set_done(). */
bool frame_set_match(const struct profile *profile, const char *pattern, struct match_set *out,
		     struct error *err) MUST_USE;

/* The same for the lanes of a profile: name of the thread, title, name of the process, path of the
 * file. */
uint8_t *frame_set_lanes(const struct profile *profile, const char *pattern,
			 struct error *err) MUST_USE;

/* Whether the pattern is valid; if not, err tells why. */
bool frame_set_check(const char *pattern, struct error *err) MUST_USE;

#endif
