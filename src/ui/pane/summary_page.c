/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page is made again when its numbers, its findings or its width change; without the stretches
 * at first if there are many samples. */
#include "config.h"

#include "ui/pane/summary_page.h"

#include "ui/chart/lanes.h"
#include "ui/chart/select.h"
#include "ui/pane/pane_kind.h"
#include "ui/pane/pane_picture.h"
#include "ui/pane/pane_scope.h"
#include "ui/pane/summary_text.h"
#include "ui/state.h"

#include <stdlib.h>

#define MARGIN 10       /* a tenth of a stretch on both sides of it */
#define SILENCE_MS 250  /* without keys before a pass over all samples */
#define AT_ONCE 300000u /* up to this many samples, everything is computed at once */

static size_t samples_in_range(const struct app *app)
{
	int64_t t0, t1;
	size_t n = 0;

	pane_scope_range(app, &t0, &t1);
	for (uint32_t i = 0; i < app->pane.n_lanes; i++) {
		const struct samples *s = &app->pane.lanes[i]->samples;

		if (s->n)
			n += samples_find(s, t1) - samples_find(s, t0) + 1;
	}
	return n;
}

void summary_page_done(struct summary_page *page)
{
	lines_done(&page->lines);
	lines_done(&page->right);
	free(page->links);
	*page = (struct summary_page){ 0 };
}

static void bring_up_to_date(struct app *app, int cols)
{
	struct summary_page *s = &app->summary;

	if (s->has_lines && s->generation == app->pane.generation && s->cols == cols &&
	    s->n_findings == app->walk.n_changes)
		return;
	if (!s->has_lines || s->cols != cols)
		s->lines.top = 0;
	s->has_lines = true;
	s->generation = app->pane.generation;
	s->cols = cols;
	summary_text_make(app, samples_in_range(app) <= AT_ONCE);
}

/* ---- the pane ---- */

static void update(struct app *app, const struct rect *area, bool is_current)
{
	(void)is_current;
	bring_up_to_date(app, area->cols);
}

static void draw(const struct app *app, struct pane_picture *picture)
{
	pane_picture_totals(app, picture, false);
	picture->screen->lines = &app->summary.lines;
	picture->screen->right = app->summary.has_columns ? &app->summary.right : NULL;
	picture->screen->left_cols = app->summary.left_cols;
}

static int wait_ms(const struct app *app)
{
	const struct summary_page *s = &app->summary;

	/* Findings come after the pane in a picture. */
	if (s->has_lines && s->n_findings != app->walk.n_changes)
		return 0;
	return s->has_lines && !s->has_stretches && s->generation == app->pane.generation
		? SILENCE_MS
		: -1;
}

static bool work(struct app *app, struct budget *budget)
{
	struct lines *lines = &app->summary.lines;
	size_t left = lines->n - lines->top;
	bool was_below = lines->top > 0 && !app->summary.has_columns;

	(void)budget;
	summary_text_make(app, true);
	/* If the page was scrolled, keep the distance to its end, where the new parts are not. */
	if (was_below)
		lines->top = lines->n > left ? lines->n - left : 0;
	return true;
}

static void move(struct app *app, int64_t rows, const struct rect *area)
{
	/* Lines that no picture showed yet can be scrolled, too. */
	bring_up_to_date(app, area->cols);
	lines_move(&app->summary.lines, rows, area->rows);
}

/* Show a stretch with some time around it, and select the longest span of its function there. */
static void go_to_stretch(struct app *app, const struct summary_link *link)
{
	int64_t margin = (link->t1 - link->t0) / MARGIN;
	int lane = 0;

	while (lane < app->s.chart.n_lanes && app->s.lanes[lane].lane != link->lane)
		lane++;
	if (lane == app->s.chart.n_lanes)
		return;
	app->focus = KEYMAP_CHART;
	app->is_pane_max = false;
	app->s.lanes[lane].is_hidden = false;
	lanes_open(app, lane, true);
	select_lane(app, lane);
	viewport_set(&app->s.view, link->t0, link->t1);
	/* The place counts, also if it has no such call. */
	if (link->function != FRAME_NONE && !select_frame(app, link->function))
		buf_clear(&app->message);
	viewport_set(&app->s.view, link->t0 - margin, link->t1 + margin);
}

void summary_page_go(struct app *app, int link)
{
	const struct summary_page *s = &app->summary;
	const struct summary_link *to;

	if (link < 0 || (size_t)link >= s->n_links)
		return;
	to = &s->links[link];
	if (to->finding >= 0)
		findings_walk_show(app, to->finding);
	else if (to->lane)
		go_to_stretch(app, to);
	else
		select_frame(app, to->function);
}

int summary_page_hit(const struct app *app, const struct rect *area, int row, int col)
{
	const struct summary_page *s = &app->summary;

	return s->has_columns && col >= area->col + s->left_cols
		? -1
		: lines_hit(&s->lines, row - area->row);
}

static void show(struct app *app)
{
	summary_page_go(app, app->summary.lines.link);
}

static void click(struct app *app, const struct rect *area, int row, int col)
{
	int link = summary_page_hit(app, area, row, col);

	if (link < 0)
		return;
	app->summary.lines.link = link;
	summary_page_go(app, link);
}

const struct pane_kind summary_page_pane = { .title = "4 Summary",
					     .command = CMD_SUMMARY,
					     .table = PANE_TABS,
					     .head_rows = 1,
					     .has_totals = true,
					     .update = update,
					     .draw = draw,
					     .wait_ms = wait_ms,
					     .work = work,
					     .move = move,
					     .show = show,
					     .click = click };
