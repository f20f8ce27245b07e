/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page is made again when its numbers, its findings or its width change; without the stretches
 * at first if there are many samples. What the user has done is kept as a spot, from which cursor
 * and first line are found anew in each page: pages that were only shown meanwhile leave no trace.
 */
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

/* ---- the spot of the user ---- */

/* A finding is that of its function, whatever number it has in this range. */
static bool is_same_place(const struct summary_link *a, const struct summary_link *b)
{
	if (a->section != b->section || a->function != b->function)
		return false;
	return a->section == SUMMARY_FINDINGS ? a->function != FRAME_NONE
		: a->section == SUMMARY_HOTTEST
		? true
		: a->lane == b->lane && a->t0 == b->t0 && a->t1 == b->t1;
}

/* Keep where the user has put cursor and page. */
static void take_spot(struct summary_page *s, int page)
{
	const struct lines *lines = &s->lines;
	struct summary_spot *spot = &s->spot;

	*spot = (struct summary_spot){ .is_visible = lines_is_link_visible(lines, page) };
	spot->has_link = spot->has_place = (size_t)lines->link < s->n_links;
	if (spot->has_link) {
		spot->link = s->links[lines->link];
		for (int i = 0; i < lines->link; i++) {
			spot->rank += s->links[i].section == spot->link.section;
			spot->n_same += is_same_place(&s->links[i], &spot->link);
		}
	}
	/* The first lines stay the first ones, whatever section they are of. */
	for (int i = 0; i < SUMMARY_SECTIONS && lines->top > 0; i++)
		if (s->heads[i] != SIZE_MAX && s->heads[i] <= lines->top) {
			spot->top = (enum summary_section)i;
			spot->offset = lines->top - s->heads[i];
		}
}

/* Put the cursor on its link; if that is gone, on the one that has its place in the section, or on
 * the last one before. */
static void place_link(struct summary_page *s)
{
	const struct summary_spot *spot = &s->spot;
	int rank = 0, n_same = 0;

	s->lines.link = 0;
	if (!spot->has_link)
		return;
	for (size_t i = 0; i < s->n_links; i++) {
		const struct summary_link *link = &s->links[i];

		if (link->section > spot->link.section)
			break;
		if (link->section < spot->link.section || rank++ <= spot->rank)
			s->lines.link = (int)i;
	}
	for (size_t i = 0; i < s->n_links && spot->has_place; i++)
		if (is_same_place(&s->links[i], &spot->link)) {
			s->lines.link = (int)i;
			if (n_same++ == spot->n_same)
				break;
		}
}

/* The line that the page begins with. */
static size_t find_top(const struct summary_page *s)
{
	const struct summary_spot *spot = &s->spot;
	size_t head = s->heads[spot->top], next = s->lines.n;

	for (int i = SUMMARY_SECTIONS - 1; i > (int)spot->top; i--)
		next = s->heads[i] < next ? s->heads[i] : next;
	if (head == SIZE_MAX)
		return spot->top == 0 ? 0 : next;
	return spot->offset < next - head ? head + spot->offset : next;
}

/* Put cursor and page where the user has put them. The lines alone decide where that is, not those
 * that were there before. */
/* Whether places are by another clock than when the text was made. */
static bool has_new_clock(const struct app *app)
{
	struct place_clock clock = findings_walk_clock(app);

	return !wall_clock_is_same(&app->summary.clock, &clock);
}

static void place(struct summary_page *s, int page)
{
	place_link(s);
	s->lines.top = find_top(s);
	lines_scroll(&s->lines, 0, page);
	if (s->spot.is_visible && !lines_is_link_visible(&s->lines, page))
		lines_reveal(&s->lines, page);
}

static void bring_up_to_date(struct app *app, const struct rect *area)
{
	struct summary_page *s = &app->summary;

	if (!s->has_lines || s->generation != app->pane.generation || s->cols != area->cols ||
	    s->n_findings != app->walk.n_changes || has_new_clock(app)) {
		if (!s->has_lines || s->cols != area->cols) {
			s->spot.top = 0;
			s->spot.offset = 0;
		}
		/* The functions and lanes of another scene are others. */
		s->spot.has_place = s->spot.has_place && s->has_lines;
		s->has_lines = true;
		s->generation = app->pane.generation;
		s->cols = area->cols;
		summary_text_make(app, samples_in_range(app) <= AT_ONCE);
	}
	place(s, area->rows);
}

/* ---- the pane ---- */

static void update(struct app *app, const struct rect *area, bool is_current)
{
	(void)is_current;
	bring_up_to_date(app, area);
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
	(void)budget;
	summary_text_make(app, true);
	place_link(&app->summary);
	return true;
}

static void move(struct app *app, int64_t rows, const struct rect *area)
{
	/* Lines that no picture showed yet can be scrolled, too. */
	bring_up_to_date(app, area);
	lines_move(&app->summary.lines, rows, area->rows);
	take_spot(&app->summary, area->rows);
}

bool summary_page_aside(struct app *app, int sections)
{
	struct summary_page *s = &app->summary;
	struct screen_layout layout;
	size_t at;

	if (app->shown != &summary_page_pane)
		return false;
	state_layout(app, &layout);
	bring_up_to_date(app, &layout.pane);
	at = s->n_links ? (size_t)s->lines.link : 0;
	for (; sections > 0 && at < s->n_links; sections--) {
		while (at < s->n_links && s->links[at].section == s->links[s->lines.link].section)
			at++;
		s->lines.link = at < s->n_links ? (int)at : s->lines.link;
	}
	/* Back to the first one of the section, then of those before. */
	for (; sections < 0 && at > 0; sections++) {
		at--;
		while (at > 0 && s->links[at - 1].section == s->links[at].section)
			at--;
		s->lines.link = (int)at;
	}
	lines_reveal(&s->lines, layout.pane.rows);
	take_spot(s, layout.pane.rows);
	return true;
}

/* Show a stretch with some time around it, and select the longest span of its function there. */
static void go_to_stretch(struct app *app, const struct summary_link *link)
{
	int64_t margin = (link->t1 - link->t0) / MARGIN;
	int lane = 0;

	while (lane < app->s.chart.n_lanes && &app->s.profile->lanes[lane] != link->lane)
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
	select_inside(app);
}

void summary_page_go(struct app *app, int link)
{
	const struct summary_page *s = &app->summary;
	const struct summary_link *to;

	if (link < 0 || (size_t)link >= s->n_links)
		return;
	to = &s->links[link];
	/* The findings may have changed since the lines were made: then the place that the line is
	 * about counts. */
	if (to->finding >= 0 && s->n_findings == app->walk.n_changes)
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
	take_spot(&app->summary, area->rows);
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
