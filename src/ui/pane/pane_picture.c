/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers of draw(). */
#include "config.h"

#include "ui/pane/pane_picture.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "model/lane_name.h"
#include "ui/pane/pane_scope.h"
#include "ui/state.h"

#include <stdio.h>
#include <string.h>

/* ==== scope line ====
 *
 * Each form is complete in itself; the rule shows the first that fits. */

#define LANE_CELLS 12
#define LANE_BYTES 96 /* of LANE_CELLS cells, and a comma */

/* `worker 1, `: the lane with the cursor, if there are several; of a long name, its number. */
static void say_lane(const struct app *app, char *lanes, size_t size)
{
	struct buf name = { 0 };

	*lanes = '\0';
	if (app->s.chart.n_lanes < 2 || app->s.chart.lane < 0)
		return;
	lane_name(app->s.profile, app->s.lanes[app->s.chart.lane].lane, false, &name);
	if (app->mode == VIEW_SANDWICH)
		snprintf(lanes, size, app->s.chart.lane ? "callees, " : "callers, ");
	else if (text_cells(buf_text(&name), name.len) <= LANE_CELLS)
		snprintf(lanes, size, "%s, ", buf_text(&name));
	else
		snprintf(lanes, size, "lane %d, ", app->s.chart.lane + 1);
	buf_done(&name);
}

/* Write the lanes and the range; `lanes` is empty if there is only one lane. */
static void say_where(const struct app *app, char *lanes, size_t size, char *range,
		      size_t range_size)
{
	const struct viewport *view = &app->s.view;
	char part[UNITS_MAX], all[UNITS_MAX], from[UNITS_MAX];
	enum lane_kind kind;
	uint32_t n = app->has_all_lanes && app->mode == VIEW_TIME ? pane_scope_count(app, &kind)
								  : 0;
	int64_t t0, t1;

	if (n > 1)
		snprintf(lanes, size, "%lu lanes together, ", (unsigned long)n);
	else
		say_lane(app, lanes, size);
	pane_scope_range(app, &t0, &t1);
	profile_value_near(app->base, t0, (t1 - t0) / 100, from);
	profile_value(app->base, t1 - t0, part);
	profile_value(app->base, view->t_max - view->t_min, all);
	if (t1 - t0 == view->t_max - view->t_min)
		snprintf(range, range_size, "all %s%s", all,
			 view->t0 > t0 || view->t1 < t1 ? ", not the window" : "");
	else if (app->range.is_pinned && app->mode == VIEW_TIME)
		snprintf(range, range_size, "pinned %s at %s", part, from);
	else
		snprintf(range, range_size, "window %s of %s", part, all);
}

/* `% of 1.45 s busy, idle not counted`: 100 % is only what was sampled or covered; where slices
 * overlap, the self time of all of them. */
static void say_totals(const struct app *app, struct scope_line *l)
{
	const struct lane *lane = app->pane.n_lanes ? app->pane.lanes[0] : state_lane(app);
	bool has_idle = app->pane.has_idle, is_hits = pane_scope_is_hits(app);
	const struct totals *totals = &app->pane.totals;
	const char *what = lane && lane->kind != LANE_SAMPLES
		? totals->self_ns == totals->sampled_ns ? "covered" : "of slices"
		: is_hits               ? "of hits"
		: app->pane.is_of_whole ? "in the whole"
		: has_idle              ? "sampled"
					: "busy",
		   *idle = has_idle ? "idle counted" : "idle not counted";
	char whole[UNITS_MAX], lanes[LANE_BYTES], range[3 * UNITS_MAX], few[LANE_BYTES + 32];

	profile_value(app->base, pane_whole(&app->pane), whole);
	say_where(app, lanes, sizeof(lanes), range, sizeof(range));
	if (is_hits)
		snprintf(range, sizeof range, "all hits of the file");
	else if (pane_scope_is_timeless(app))
		snprintf(range, sizeof range, "all of the lane");
	snprintf(few, sizeof(few), "%s%s", app->has_all_lanes ? lanes : "",
		 strncmp(range, "pinned ", 7) == 0           ? "pinned, "
			 : strncmp(range, "window ", 7) == 0 ? "window, "
			 : strstr(range, ", not ")           ? "all, not the window: "
							     : "");
	if (!amount_is_time(&app->base->unit)) {
		snprintf(l->forms[0], sizeof(l->forms[0]), "%s%s - %% of %s", lanes, range, whole);
		for (size_t i = 1; i < ARRAY_LEN(l->forms); i++)
			snprintf(l->forms[i], sizeof(l->forms[i]), "%s%% of %s",
				 i < ARRAY_LEN(l->forms) - 1 ? few : "", whole);
		return;
	}
	snprintf(l->forms[0], sizeof(l->forms[0]), "%s%s - %% of %s %s, %s", lanes, range, whole,
		 what, idle);
	snprintf(l->forms[1], sizeof(l->forms[1]), "%s%s - %% of %s %s", lanes, range, whole, what);
	snprintf(l->forms[2], sizeof(l->forms[2]), "%s%% of %s %s, %s", few, whole, what, idle);
	snprintf(l->forms[3], sizeof(l->forms[3]), "%s%% of %s %s", few, whole, what);
	if (strstr(range, ", not "))
		snprintf(l->forms[4], sizeof(l->forms[4]), "all: %% of %s %s", whole, what);
	else
		snprintf(l->forms[4], sizeof(l->forms[4]), "%% of %s", whole);
}

/* Names the compared statistic. */
static void say_sides(const struct app *app, struct scope_line *l)
{
	const char *of = app->pane.t0 > app->s.view.t_min || app->pane.t1 < app->s.view.t_max
		? "window, "
		: "",
		   *what = sides_per_name(app->pane.sides.of->unit.per);

	snprintf(l->forms[0], sizeof l->forms[0], "%s%s of each side, %s", of, what,
		 app->pane.has_idle ? "idle counted" : "idle not counted");
	snprintf(l->forms[1], sizeof l->forms[1], "%s%s of each side", of, what);
	snprintf(l->forms[2], sizeof l->forms[2], "%s%s", of, what);
}

/* The filter comes first in every form, as it is the last thing to be left out. */
static void add_filter(const struct app *app, struct scope_line *l)
{
	static const struct {
		int cells, with;
		bool has_rows;
	} forms[SCREEN_SCOPES] = {
		{ 24, 0, true },  { 24, 3, true },   { 24, 4, true },
		{ 24, -1, true }, { 12, -1, false }, { 5, -1, false },
	};
	struct scope_line plain = *l;

	for (int i = 0; i < SCREEN_SCOPES; i++) {
		const char *with = forms[i].with < 0 ? "" : plain.forms[forms[i].with];
		struct buf text = { 0 };

		filter_describe(app, forms[i].cells, forms[i].has_rows, &text);
		if (text.len == 0)
			return;
		snprintf(l->forms[i], sizeof(l->forms[i]), "%s%s%s", buf_text(&text),
			 *with ? "; " : "", with);
		buf_done(&text);
	}
}

/* Make the line for panes of totals, with the filter if has_filter. */
static void scope_line_totals(const struct app *app, bool has_filter, struct scope_line *line)
{
	*line = (struct scope_line){ 0 };
	if (pane_sides_exist(&app->pane))
		say_sides(app, line);
	else
		say_totals(app, line);
	if (has_filter)
		add_filter(app, line);
}

/* The name for events of a lane. */
static const char *event_name(const struct lane *lane)
{
	static const char *const names[] = {
		[LANE_SAMPLES] = "spans",  [LANE_SLICES] = "slices", [LANE_ASYNC] = "slices",
		[LANE_COUNTER] = "slices", [LANE_MARKS] = "marks",   [LANE_OBJECTS] = "spans"
	};

	return names[lane->kind];
}

void scope_line_events(const struct app *app, struct scope_line *line)
{
	const struct event_list *list = &app->events_list;
	const struct lane *lane = state_lane(app);
	char lanes[LANE_BYTES], range[3 * UNITS_MAX], length[UNITS_MAX] = "any length";

	*line = (struct scope_line){ 0 };
	if (!lane)
		return;
	/* The list is of one lane, whatever the other panes are about. */
	say_where(app, lanes, sizeof lanes, range, sizeof range);
	say_lane(app, lanes, sizeof lanes);
	if (list->min_ns)
		snprintf(length, sizeof(length), "%d ms and more", (int)(list->min_ns / NS_PER_MS));
	snprintf(line->forms[0], sizeof(line->forms[0]), "%s%s - %s of %s", lanes, range,
		 event_name(lane), length);
	snprintf(line->forms[1], sizeof(line->forms[1]), "%s - %s of %s", range, event_name(lane),
		 length);
	snprintf(line->forms[2], sizeof(line->forms[2]), "%s of %s", event_name(lane), length);
	snprintf(line->forms[3], sizeof(line->forms[3]), "%s", length);
	add_filter(app, line);
}

/* ==== pane picture ==== */

const char pane_picture_no_match[] = "no row matches the filter; & C-u Enter shows all";

void pane_picture_place(struct pane_picture *picture, size_t cursor, size_t n)
{
	char a[UNITS_MAX], b[UNITS_MAX];

	if (n == 0)
		return;
	units_count(cursor + 1, a);
	units_count(n, b);
	snprintf(picture->position, sizeof picture->position, "%s of %s", a, b);
	picture->screen->position = picture->position;
}

void pane_picture_totals(const struct app *app, struct pane_picture *picture, bool has_filter)
{
	struct scope_line *scope = &picture->scope;

	scope_line_totals(app, has_filter, scope);
	/* The numbers are those of another range. */
	for (int i = 0; picture->screen->is_stale && i < SCREEN_SCOPES; i++)
		snprintf(scope->forms[i], sizeof scope->forms[i], "counting\342\200\246");
}
