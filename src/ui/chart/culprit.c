/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The window at the start is the whole if the culprit has room for the beginning of its name there.
 * Otherwise it is the place of the finding, narrowed until the name has room. */
#include "config.h"

#include "ui/chart/culprit.h"

#include "base/alloc.h"
#include "base/text.h"
#include "draw/flame/label.h"
#include "model/span_find.h"
#include "ui/chart/fit.h"
#include "ui/chart/select.h"
#include "ui/pane/pane.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

#define LINE_ROOM 200      /* cells: all items of a verdict */
#define WINDOW_NAME_MAX 40 /* cells of the name that the window is for */
#define NAME_MIN 4         /* that can be read */
#define BOX_MIN 8          /* cells of the call in the window */
#define MARGIN 10          /* a tenth of the place on both sides of it */
#define WINDOW_PART 0.8    /* a window that is more of the whole is not worth it */
#define SHORTEST 1000000   /* the window is at least this part of the whole */

/* ---- who it is ---- */

static bool accuses(const struct finding *f)
{
	switch (f->kind) {
	case FINDING_IDLE:
	case FINDING_EVEN:
	case FINDING_GC:
	case FINDING_PROGRAM:
	case FINDING_WORK:
	case FINDING_WAITING:
		return false;
	default:
		return f->function != FRAME_NONE;
	}
}

/* The first item of the verdict that accuses something, or the next one, of another function; NULL:
 * there is none. */
static const struct finding *find_accused(const struct findings_result *r,
					  const struct finding *first)
{
	struct verdict verdict;

	if (!r->n)
		return NULL;
	verdict_compose(r, LINE_ROOM, &verdict);
	for (int i = 0; i < verdict.n; i++) {
		const struct finding *f = verdict.items[i].finding >= 0
			? &r->list[verdict.items[i].finding]
			: NULL;

		if (f && accuses(f) && !(first && f->function == first->function))
			return f;
	}
	return NULL;
}

str_id culprit_package(const struct app *app, const struct finding *f)
{
	str_id package = f->function == FRAME_NONE
		? 0
		: profile_frame(app->s.profile, f->function)->package;

	return package && f->name && strcmp(profile_text(app->s.profile, package), f->name) == 0
		? package
		: 0;
}

/* The longest span in the place of the finding, or of the calls that it is about. */
static bool find_longest(const struct app *app, const struct finding *f, str_id package,
			 struct span *out)
{
	const struct calltree *tree = &f->lane->tree;
	ALLOC_LOCAL node_id *nodes = xmalloc(tree->n * sizeof *nodes);
	uint32_t n = 0;
	struct span_find seek;
	bool has;

	for (node_id i = 1; i < tree->n; i++)
		if (package ? profile_frame(app->s.profile, tree->frame[i])->package == package
			    : tree->frame[i] == f->function)
			nodes[n++] = i;
	span_find_init_nodes(&seek, f->lane, nodes, n);
	has = n && span_find_longest(&seek, f->t0, f->t1, out);
	span_find_done(&seek);
	return has;
}

static bool find_span(const struct app *app, const struct finding *f, str_id package,
		      struct span *out)
{
	if (package && find_longest(app, f, package, out))
		return true;
	*out = f->span;
	return f->has_span || find_longest(app, f, 0, out);
}

/* ---- the window ---- */

/* Whether nothing else says which window is to be shown. */
static bool may_choose(const struct app *app)
{
	const struct viewport *v = &app->s.view;

	return app->start_with == APP_START_WINDOW && !app->live && !app->transforms.n &&
		app->transforms.group == GROUP_FUNCTION && v->t0 == v->t_min && v->t1 == v->t_max;
}

static int name_cells(const struct app *app, int lane, node_id node)
{
	BUF_LOCAL name = { 0 };

	label_box(app->s.chart.profile, app->s.lanes[lane].lane->tree.frame[node], WINDOW_NAME_MAX,
		  &name);
	return text_cells(buf_text(&name), name.len);
}

/* Find the window for a span that is drawn. False: the whole is as good. */
static bool find_window(const struct app *app, const struct finding *f, int lane,
			const struct span *span, int64_t *t0, int64_t *t1)
{
	const struct viewport *v = &app->s.view;
	int64_t all = v->t1 - v->t0, margin = (f->t1 - f->t0) / MARGIN, length, middle;
	int cells = name_cells(app, lane, span->node) + 2;

	if ((double)(span->t1 - span->t0) * app->cols >= (double)NAME_MIN * (double)all)
		return false;
	*t0 = f->has_place ? f->t0 - margin : v->t_min;
	*t1 = f->has_place ? f->t1 + margin : v->t_max;
	length = (int64_t)((double)(span->t1 - span->t0) * app->cols /
			   (cells > BOX_MIN ? cells : BOX_MIN));
	length = length > all / SHORTEST ? length : all / SHORTEST;
	if (length < *t1 - *t0) {
		middle = span->t0 + (span->t1 - span->t0) / 2;
		if (middle - length / 2 > *t0)
			*t0 = middle - length / 2;
		if (*t0 + length < *t1)
			*t1 = *t0 + length;
		else
			*t0 = *t1 - length;
	}
	return (double)(*t1 - *t0) < (double)all * WINDOW_PART;
}

/* ---- room for the pane ---- */

static int count_open(const struct app *app)
{
	int n = 0;

	for (int i = 0; i < app->s.chart.n_lanes; i++)
		n += app->s.lanes[i].is_open && !app->s.lanes[i].is_shut;
	return n;
}

static void give_room(struct app *app)
{
	struct culprit *c = &app->culprit;
	struct screen_layout layout;
	int spare, least = app->rows / 5;

	if (app->pane_rows || app->is_pane_max || app->is_pane_chosen || live_is_moving(app))
		return;
	fit_lanes(app);
	state_layout(app, &layout);
	spare = layout.lanes.rows - chart_height(&app->s.chart);
	if (spare > layout.lanes.rows - least)
		spare = layout.lanes.rows - least;
	if (spare <= 0 || (!app->is_pane_open && spare <= CULPRIT_PANE_MIN))
		return;
	c->has_opened = !app->is_pane_open;
	c->pane_rows = spare + (app->is_pane_open ? layout.pane.rows + 1 : 0);
	c->room_view = app->mode;
	c->room_t0 = app->s.view.t0;
	c->room_t1 = app->s.view.t1;
	c->room_rows = app->rows;
	c->room_cols = app->cols;
	c->room_lanes = count_open(app);
	c->is_room_on = true;
	app->is_pane_open = true;
}

int culprit_pane_rows(const struct app *app)
{
	if (app->pane_rows || live_is_moving(app))
		return app->pane_rows ? app->pane_rows : live_pane_rows(app);
	return app->mode == app->culprit.room_view && app->culprit.is_room_on
		? app->culprit.pane_rows
		: 0;
}

/* Whether the window, the lanes and the size are those that the room was given for. */
static bool has_room(const struct app *app)
{
	const struct culprit *c = &app->culprit;

	if (!c->pane_rows || app->rows != c->room_rows || app->cols != c->room_cols)
		return false;
	if (app->mode != c->room_view)
		return c->is_room_on;
	if (app->s.view.t0 != c->room_t0 || app->s.view.t1 != c->room_t1 || app->pane_rows ||
	    count_open(app) != c->room_lanes || app->s.fold_wish.search)
		return false;
	for (int i = 0; i < app->s.chart.n_lanes; i++)
		if (fold_has(app->s.fold, i) && !chart_is_folded(&app->s.chart, i))
			return false;
	return true;
}

/* ---- the start ---- */

/* The lane of a finding; -1: it is not shown. */
static int lane_of(const struct app *app, const struct finding *f)
{
	const struct profile *p = app->s.profile;

	return f->lane >= p->lanes && f->lane < p->lanes + p->n_lanes ? (int)(f->lane - p->lanes)
								      : -1;
}

/* The function of a call that folds into the row of others; FRAME_NONE: it does not. */
static frame_id folded_function(const struct app *app, const struct lane *lane,
				const struct span *span)
{
	frame_id function = lane->tree.frame[span->node];

	return fold_can(profile_frame(app->s.profile, function)->category) ? function : FRAME_NONE;
}

/* What is to have a row of its own. */
static void note_apart(struct app *app, const struct finding *f, const struct span *span,
		       str_id package)
{
	app->folds.package = package;
	app->folds.function = package ? FRAME_NONE : folded_function(app, f->lane, span);
}

void culprit_set_apart(struct app *app, int lane, const struct span *span, str_id package)
{
	frame_id function = package ? FRAME_NONE
				    : folded_function(app, &app->s.profile->lanes[lane], span);

	if (!package && function == FRAME_NONE)
		return;
	app->folds.package = package;
	app->folds.function = function;
	folds_renew(app);
}

void culprit_note(struct app *app)
{
	const struct findings_result *r = findings_walk_result(app);
	const struct finding *f = r ? find_accused(r, NULL) : NULL;
	str_id package = f ? culprit_package(app, f) : 0;
	struct span span;

	if (f && find_span(app, f, package, &span))
		note_apart(app, f, &span, package);
}

static bool show_culprit(struct app *app, const struct finding *f, int lane)
{
	struct viewport view = app->s.view;
	str_id package = culprit_package(app, f);
	int64_t t0, t1;
	struct span span, drawn;

	if (!find_span(app, f, package, &span))
		return false;
	app->culprit.function = app->s.profile->lanes[lane].tree.frame[span.node];
	app->culprit.package = package;
	note_apart(app, f, &span, package);
	folds_renew(app);
	folds_lane(app, lane);
	folds_close(&app->s, lane, &span, &drawn);
	select_span(app, lane, &drawn);
	view.scroll = app->s.view.scroll;
	app->s.view = view;
	if (may_choose(app) && find_window(app, f, lane, &drawn, &t0, &t1)) {
		struct viewport before = app->s.view;

		viewport_set(&app->s.view, t0, t1);
		app->culprit.has_window = app->culprit.was_window = true;
		app->culprit.t0 = app->s.view.t0;
		app->culprit.t1 = app->s.view.t1;
		history_add(&app->s.history, &before, &app->s.view, HISTORY_JUMP);
	}
	app->s.wants_callees = true;
	pane_scope_range(app, &t0, &t1);
	pane_set_culprit(&app->pane, app->culprit.function, package, t0, t1);
	findings_walk_start(app);
	return true;
}

/* The longest call in the window. */
static void note_second(struct app *app, const struct finding *first)
{
	struct culprit *c = &app->culprit;
	const struct finding *f = find_accused(&app->walk.findings.result, first);
	const struct viewport *v = &app->s.view;
	struct finding here;

	if (!f || lane_of(app, f) < 0)
		return;
	here = *f;
	here.t0 = v->t0;
	here.t1 = v->t1;
	here.has_span &= f->span.t0 < v->t1 && f->span.t1 > v->t0;
	c->has_second = find_span(app, &here, culprit_package(app, f), &c->second);
	c->second_lane = lane_of(app, f);
	c->second_group = transforms_shown(app)->group;
	c->second_raw = transforms_shown(app)->raw;
}

void culprit_name_second(const struct app *app, struct chart *chart)
{
	const struct culprit *c = &app->culprit;
	const struct transforms *t = transforms_shown(app);

	/* It is a call of the profile that it was found in. */
	chart->has_second = c->has_second && app->mode == VIEW_TIME && !t->n &&
		t->group == c->second_group && t->raw == c->second_raw;
	if (!chart->has_second)
		return;
	chart->second_lane = c->second_lane;
	folds_close(&app->s, c->second_lane, &c->second, &chart->second);
}

bool culprit_start(struct app *app)
{
	struct culprit *c = &app->culprit;
	const struct findings_result *r = findings_walk_result(app);
	const struct finding *f;
	int lane;

	if (c->is_done || app->is_touched || app->loading.len)
		return false;
	/* Merged calls, of a comparison for instance, have no window to choose. */
	if (app->mode == VIEW_MERGED) {
		c->is_done = true;
		give_room(app);
		return true;
	}
	if (app->start_with == APP_START_LONGEST || app->mode != VIEW_TIME || !r)
		return false;
	c->is_done = true;
	f = find_accused(r, NULL);
	lane = f ? lane_of(app, f) : -1;
	if (lane >= 0 && show_culprit(app, f, lane))
		note_second(app, f);
	if (f || !r->is_of_slices)
		give_room(app);
	return true;
}

void culprit_follow(struct app *app)
{
	struct culprit *c = &app->culprit;
	bool is_on = has_room(app), is_same_size = app->rows == c->room_rows;

	if (is_on == c->is_room_on)
		return;
	c->is_room_on = is_on;
	if (c->has_opened && !app->is_pane_chosen && app->focus != KEYMAP_PANE && is_same_size)
		app->is_pane_open = is_on;
}

void culprit_again(struct app *app)
{
	struct culprit *c = &app->culprit;

	if (c->has_window) {
		viewport_set(&app->s.view, app->s.view.t_min, app->s.view.t_max);
		app->s.history = (struct history){ .last = HISTORY_NONE };
	}
	*c = (struct culprit){ .function = FRAME_NONE };
}

bool culprit_has_window(const struct app *app)
{
	const struct culprit *c = &app->culprit;
	const struct viewport *v = &state_time_line(app)->view;

	return c->has_window && v->t0 == c->t0 && v->t1 == c->t1;
}
