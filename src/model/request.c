/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests are sorted by input and offset. */
#include "config.h"

#include "model/request.h"

#include "base/sort.h"
#include "model/profile.h"

const struct request *request_of(const struct profile *profile, const struct lane *lane,
				 const struct span *span)
{
	size_t lo = 0, n = lane->has_requests ? profile->n_requests : 0;
	int64_t offset = n ? slice_event(lane, span) : -1;
	const struct request *r = profile->requests;

	SORT_BISECT(lo, n, mid,
		    r[mid].input < lane->input ||
			    (r[mid].input == lane->input && r[mid].offset < offset));
	return lo < n && r[lo].input == lane->input && r[lo].offset == offset ? &r[lo] : NULL;
}

bool request_span(const struct profile *profile, const struct request *r, uint32_t *lane,
		  struct span *span)
{
	int64_t t0 = r->t0 - profile->inputs[r->input].zero_ns;

	for (*lane = 0; *lane < profile->n_lanes; ++*lane) {
		const struct lane *l = &profile->lanes[*lane];

		if (l->kind == LANE_ASYNC && l->pid == r->pid && l->tid == r->tid &&
		    l->input == r->input && slice_find(l, r->offset, t0, span))
			return true;
	}
	return false;
}
