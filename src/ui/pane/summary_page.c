/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page is plain text without a cursor, made from top to bottom in make(). */
#include "config.h"

#include "ui/pane/summary_page.h"

#include "analysis/summary.h"
#include "base/text.h"
#include "base/units.h"
#include "layout/standout.h"
#include "layout/label.h"
#include "model/lane_name.h"
#include "ui/pane/pane_kind.h"
#include "ui/pane/pane_picture.h"
#include "ui/pane/pane_scope.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

#define SHARES_MOST 8
#define STACK_MOST 12
#define STRETCHES_MOST 4
#define LINES_MOST 6
#define NAME_CELLS 1000 /* of a name or location, which are wrapped */
#define SILENCE_MS 250  /* without keys before a pass over all samples */
#define AT_ONCE 300000u /* up to this many samples, everything is computed at once */

struct page {
	struct app *app;
	struct lines *lines;
	const struct totals *totals;
	int64_t whole;
	int cols;
};

static void head(struct page *p, const char *text)
{
	if (p->lines->n)
		lines_add(p->lines, "", 0, p->cols, 0, false);
	lines_add(p->lines, text, strlen(text), p->cols, 0, true);
}

static void add_right(struct buf *out, const char *text, int width)
{
	for (int cells = text_cells(text, strlen(text)); cells < width; cells++)
		buf_addc(out, ' ');
	buf_adds(out, text);
}

/* `  511 ms  35.1 %  formatPrice  catalogue.js:28:21` */
static void row(struct page *p, int64_t ns, bool has_share, const char *name, size_t len,
		const char *place)
{
	struct buf line = { 0 };
	char text[UNITS_MAX];

	units_time(ns, text);
	add_right(&line, text, 10);
	units_percent(ns, has_share ? p->whole : 0, text);
	add_right(&line, text, 8);
	buf_adds(&line, "  ");
	text_fit(&line, name, len, NAME_CELLS);
	if (*place) {
		buf_adds(&line, "  ");
		text_fit_end(&line, place, strlen(place), NAME_CELLS);
	}
	lines_add(p->lines, buf_text(&line), line.len, p->cols, 20, false);
	buf_done(&line);
}

static void frame_row(struct page *p, int64_t ns, frame_id id, int indent)
{
	const struct profile *profile = p->totals->profile;
	const struct frame *f = &p->totals->view->frames[id];
	struct buf place = { 0 }, name = { 0 };

	for (int i = 0; i < indent; i++)
		buf_addc(&name, ' ');
	text_add_ends(&name, profile_text(profile, f->name),
		      intern_len(&profile->strings, f->name));
	profile_location_ends(profile, f, false, &place);
	row(p, ns, true, buf_text(&name), name.len, buf_text(&place));
	buf_done(&place);
	buf_done(&name);
}

static void more(struct page *p, size_t n, const char *what)
{
	struct buf line = { 0 };

	buf_addf(&line, "  \342\200\246 %zu more%s%s", n, n > 1 ? " " : "", n > 1 ? what : "");
	lines_add(p->lines, buf_text(&line), line.len, p->cols, 2, false);
	buf_done(&line);
}

static void add_shares(struct page *p, enum summary_by by, const char *title, const char *what)
{
	const struct profile *profile = p->totals->profile;
	struct share *list;
	size_t n = summary_shares(p->totals, by, &list), shown = 0, left = 0;

	head(p, title);
	for (size_t i = 0; i < n; i++) {
		bool is_idle = list[i].category == CATEGORY_IDLE && !list[i].is_named;

		/* Frames without a package or file are in the table of categories. */
		if ((by != SUMMARY_CATEGORY && !list[i].is_named) || list[i].self == 0)
			continue;
		if (shown == SHARES_MOST) {
			left++;
			continue;
		}
		row(p, list[i].self, p->app->pane.has_idle || !is_idle,
		    profile_text(profile, list[i].name),
		    intern_len(&profile->strings, list[i].name), "");
		shown++;
	}
	if (left)
		more(p, left, what);
	if (shown == 0)
		lines_add(p->lines, "  none", 6, p->cols, 2, false);
	free(list);
}

/* Add the time that the shares leave out, so that the rows add up to the whole range. */
static void add_rest(struct page *p, const struct lane *const *lanes, uint32_t n_lanes)
{
	static const char not_sampled[] = "not sampled", left_out[] = "left out by transforms";
	const struct totals *t = p->totals;
	int64_t t0, t1, rest = -t->sampled_ns - t->dropped_ns, dropped = t->dropped_ns;

	/* The axis of a merged view consists of samples: nothing is left out. */
	if (p->app->mode != VIEW_TIME)
		return;
	pane_scope_range(p->app, &t0, &t1);
	for (uint32_t i = 0; i < n_lanes; i++) {
		int64_t from = lanes[i]->t0 > t0 ? lanes[i]->t0 : t0,
			end = lanes[i]->t1 < t1 ? lanes[i]->t1 : t1;
		int64_t out = lanes[i]->kind == LANE_SAMPLES && p->app->scoped
			? scoped_dropped(p->app->scoped, lanes[i], t0, t1)
			: 0;

		if (lanes[i]->kind != LANE_SAMPLES || !lanes[i]->has_timeline)
			return;
		rest += end > from ? end - from : 0;
		dropped += out;
		rest -= out;
	}
	if (dropped > 0)
		row(p, dropped, false, left_out, sizeof left_out - 1, "");
	if (rest > 0)
		row(p, rest, false, not_sampled, sizeof not_sampled - 1, "");
}

static void add_stack(struct page *p)
{
	node_id *nodes;
	size_t n = summary_stack(p->totals, &nodes);

	head(p, "Heaviest stack, by total time, outermost first");
	for (size_t i = 0; i < n; i++) {
		/* Show both ends of a long stack. */
		if (n > STACK_MOST && i == STACK_MOST / 2) {
			more(p, n - STACK_MOST, "calls between (6 Top-down, E)");
			i = n - STACK_MOST / 2;
		}
		frame_row(p, p->totals->total[nodes[i]], p->totals->view->tree->frame[nodes[i]], 0);
	}
	free(nodes);
}

static void add_lines(struct page *p, const struct lane *const *lanes, uint32_t n_lanes)
{
	struct hot_line *list;
	size_t n = summary_lines(lanes, n_lanes, &list);

	if (n)
		head(p, "Hottest lines of the whole recording: about, from V8's ticks");
	for (size_t i = 0; i < n && i < LINES_MOST; i++) {
		const struct profile *profile = p->totals->profile;
		const struct frame *f = profile_frame(profile, list[i].frame);
		struct buf place = { 0 };

		profile_location(profile, f, false, &place);
		buf_addf(&place, " line %d", (int)list[i].line);
		row(p, list[i].about_ns, false, profile_text(profile, f->name),
		    intern_len(&profile->strings, f->name), buf_text(&place));
		buf_done(&place);
	}
	if (n > LINES_MOST)
		more(p, n - LINES_MOST, "lines (report --table=lines)");
	free(list);
}

static void add_stretches(struct page *p, const struct lane *const *lanes, uint32_t n_lanes,
			  bool is_busy)
{
	struct summary_range range = { p->totals->profile, lanes, n_lanes, 0, 0 };
	struct stretch *list;
	size_t all, n;

	pane_scope_range(p->app, &range.t0, &range.t1);
	n = summary_stretches(&range, is_busy, STRETCHES_MOST, &list, &all);
	head(p, is_busy ? "Longest busy stretches" : "Longest pauses");
	for (size_t i = 0; i < n; i++) {
		const struct profile *profile = p->totals->profile;
		struct buf text = { 0 };
		char when[UNITS_MAX];

		units_time(list[i].t0, when);
		buf_addf(&text, "from %s on", when);
		if (is_busy)
			buf_addf(&text, ": %s, mostly %s",
				 profile_text(profile, profile_frame(profile, list[i].outer)->name),
				 profile_text(profile, profile_frame(profile, list[i].leaf)->name));
		else
			buf_adds(&text, list[i].is_sampled ? ": idle" : ": not sampled");
		if (n_lanes > 1) {
			buf_adds(&text, ", on ");
			lane_name(profile, list[i].lane, true, &text);
		}
		row(p, list[i].t1 - list[i].t0, false, buf_text(&text), text.len, "");
		buf_done(&text);
	}
	if (all > n)
		more(p, all - n, "shorter ones");
	if (n == 0)
		lines_add(p->lines, "  none", 6, p->cols, 2, false);
	free(list);
}

#define STANDOUT_CELLS 1000 /* lines are wrapped, so nothing needs to be shortened */

static void add_standouts(struct page *p, const struct lane *const *lanes, uint32_t n_lanes)
{
	struct standout list[STANDOUT_COUNT];
	size_t n = summary_standouts(p->totals, lanes, n_lanes, p->whole, list);

	head(p, "What stands out");
	for (size_t i = 0; i < n; i++) {
		struct buf text = { 0 };

		buf_adds(&text, "  ");
		standout_format(p->totals->profile, &list[i], n_lanes > 1, STANDOUT_CELLS, &text);
		lines_add(p->lines, buf_text(&text), text.len, p->cols, 4, false);
		buf_done(&text);
	}
	if (n == 0)
		lines_add(p->lines, "  nothing", 9, p->cols, 2, false);
}

/* The findings of the lane with the cursor, as links to their places. */
static void add_findings(struct page *p)
{
	bool is_complete;
	const char *text;

	head(p, "Findings, heaviest first: Enter or ! shows the place");
	for (int i = 0; (text = findings_walk_sentence(p->app, i, &is_complete)) != NULL; i++) {
		struct buf line = { 0 };

		buf_addf(&line, "  %s", text);
		lines_add_link(p->lines, buf_text(&line), line.len, p->cols, 4);
		buf_done(&line);
	}
	if (p->lines->link >= p->lines->n_links)
		p->lines->link = p->lines->n_links ? p->lines->n_links - 1 : 0;
	if (!p->lines->n_links)
		lines_add(p->lines, is_complete ? "  none" : "  being computed",
			  is_complete ? 6 : 16, p->cols, 2, false);
}

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

static void make(struct app *app, bool has_stretches)
{
	struct summary_page *s = &app->summary;
	const struct lane *const *lanes = (const struct lane *const *)app->pane.lanes;
	struct page page = { app, &s->lines, &app->pane.totals, pane_whole(&app->pane),
			     s->cols > 4 ? s->cols - 2 : 2 };

	lines_clear(&s->lines);
	s->n_findings = app->walk.n_changes;
	if (app->walk.lane)
		add_findings(&page);
	if (has_stretches)
		add_standouts(&page, lanes, app->pane.n_lanes);
	add_shares(&page, SUMMARY_CATEGORY, "Self time by category", "categories");
	add_rest(&page, lanes, app->pane.n_lanes);
	add_shares(&page, SUMMARY_PACKAGE, "Self time by package", "packages");
	add_shares(&page, SUMMARY_FILE, "Self time by file", "files");
	add_stack(&page);
	if (has_stretches) {
		add_stretches(&page, lanes, app->pane.n_lanes, true);
		add_stretches(&page, lanes, app->pane.n_lanes, false);
	} else {
		head(&page, "Pauses, and what stands out: being computed");
	}
	add_lines(&page, lanes, app->pane.n_lanes);
	s->has_stretches = has_stretches;
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
	make(app, samples_in_range(app) <= AT_ONCE);
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
	bool was_below = lines->top > 0;

	(void)budget;
	make(app, true);
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

static void show(struct app *app)
{
	if (app->summary.lines.n_links)
		findings_walk_show(app, app->summary.lines.link);
}

static void click(struct app *app, const struct rect *area, int row)
{
	int link = lines_hit(&app->summary.lines, row - area->row);

	if (link < 0)
		return;
	app->summary.lines.link = link;
	show(app);
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
