/* SPDX-License-Identifier: GPL-2.0-or-later */
/* If no span matches, lanes do whose name matches the pattern: threads, tracks, counters. */
#include "config.h"

#include "ui/chart/finder.h"

#include "ui/chart/lanes.h"
#include "ui/chart/select.h"
#include "ui/state.h"

static bool is_match(const struct app *app, int lane)
{
	const struct profile *p = app->s.profile;
	str_id name = app->s.lanes[lane].lane->name;
	size_t from, end;

	return !app->s.lanes[lane].is_hidden && lanes_head(&app->s, lane) == lane &&
		pattern_find(app->finder.target.search.pattern, profile_text(p, name),
			     intern_len(&p->strings, name), &from, &end);
}

void finder_lanes_walk(struct app *app, bool is_next)
{
	struct finder *f = &app->finder;
	int n = app->s.chart.n_lanes, step = is_next ? 1 : n - 1, at = app->s.chart.lane,
	    first = at;

	f->n_lanes = f->lane_number = 0;
	if (!f->target.search.pattern || f->target.search.labels || app->mode != VIEW_TIME ||
	    at < 0)
		return;
	do
		at = (at + step) % n;
	while (at != first && !is_match(app, at));
	for (int i = 0; i < n; i++) {
		f->n_lanes += is_match(app, i);
		if (i == at)
			f->lane_number = f->n_lanes;
	}
	if (!f->n_lanes)
		return;
	lanes_shut(app, at, false);
	if (at != app->s.chart.lane)
		select_lane(app, at);
	select_reveal_row(app);
}
