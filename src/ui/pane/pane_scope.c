/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "ui/pane/pane_scope.h"

#include "base/alloc.h"
#include "base/reserve.h"
#include "ui/chart/lanes.h"

#include <stdlib.h>

/* Whether lane i is among "all lanes": visible, of samples, with a time line. */
static bool is_of_all(const struct scene *s, int i)
{
	const struct lane *lane = s->lanes[i].lane;

	return lane->kind == LANE_SAMPLES && !s->lanes[i].is_hidden && lane->has_timeline;
}

bool pane_scope_is_hits(const struct app *app)
{
	const struct scene *s = &app->s;

	if (s->chart.lane < 0 || s->lanes[s->chart.lane].lane->has_timeline)
		return false;
	for (int i = 0; app->has_all_lanes && app->mode == VIEW_TIME && i < s->chart.n_lanes; i++)
		if (is_of_all(s, i))
			return false;
	return true;
}

void pane_scope_range(const struct app *app, int64_t *t0, int64_t *t1)
{
	/* A merged view has an axis of its own, on which the pinned range has no place. */
	bool is_pinned = app->has_range && app->mode == VIEW_TIME;

	if (pane_scope_is_hits(app)) {
		*t0 = app->s.lanes[app->s.chart.lane].lane->t0;
		*t1 = app->s.lanes[app->s.chart.lane].lane->t1;
		return;
	}
	*t0 = is_pinned ? app->range_t0 : app->s.view.t0;
	*t1 = is_pinned ? app->range_t1 : app->s.view.t1;
}

uint32_t pane_scope_lanes(const struct app *app, const struct lane ***lanes)
{
	const struct scene *s = &app->s;
	uint32_t n = 0;
	int at;

	*lanes = xcalloc((size_t)s->chart.n_lanes + 1, sizeof **lanes);
	if (s->chart.lane < 0)
		return 0;
	if (app->has_all_lanes && app->mode == VIEW_TIME) {
		for (int i = 0; i < s->chart.n_lanes; i++)
			if (is_of_all(s, i))
				(*lanes)[n++] = s->lanes[i].lane;
		if (n)
			return n;
	}
	at = lanes_head(app, s->chart.lane);
	do {
		/* Joined lanes of another kind, such as marks below slices, do not count in times.
		 */
		if (s->lanes[at].lane->kind == s->lanes[s->chart.lane].lane->kind)
			(*lanes)[n++] = s->lanes[at].lane;
	} while (++at < s->chart.n_lanes && s->lanes[at].lane->is_joined);
	return n;
}

bool pane_scope_init(const struct app *app, bool has_idle, struct pane_scope *range)
{
	static const struct transform no_idle = { .kind = TRANSFORM_DROP,
						  .by = BY_CATEGORY,
						  .id = CATEGORY_IDLE };
	const struct view_plan plan = { &no_idle, has_idle ? 0 : 1, GROUP_FUNCTION };
	const struct lane **lanes;
	uint32_t n = pane_scope_lanes(app, &lanes);
	int64_t t0, t1;

	/* What is made from the totals takes some memory for each function, too. */
	if (n &&
	    !reserve_has_room(view_bytes(lanes, n, &plan) +
			      totals_bytes(lanes, n, 3 * app->s.profile->frames.n)))
		n = 0;
	if (n) {
		pane_scope_range(app, &t0, &t1);
		view_init(&range->view, app->s.profile, lanes, n, plan.transforms,
			  plan.n_transforms, plan.group);
		totals_init(&range->totals, &range->view);
		totals_compute(&range->totals, t0, t1);
	}
	free(lanes);
	return n > 0;
}

void pane_scope_done(struct pane_scope *range)
{
	totals_done(&range->totals);
	view_done(&range->view);
}
