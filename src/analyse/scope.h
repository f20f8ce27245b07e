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

/* Append a transform. With a pattern, it is about the frames that match; without one:
 * TRANSFORM_RECURSION about all frames, TRANSFORM_FOLD about packages, TRANSFORM_DROP about idle
 * time. The pattern is borrowed. */
bool scope_add(struct scope *scope, const struct profile *profile, enum transform_kind kind,
	       const char *pattern, struct error *err) MUST_USE;

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

/* Append `focus /parse/, drop idle, by package`; nothing if the scope is plain. Lanes and range are
 * not included. */
void scope_describe(const struct scope *scope, const struct profile *profile, struct buf *out);

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
