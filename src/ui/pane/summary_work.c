/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lanes as they are in the file count, whatever transforms. */
#include "config.h"

#include "ui/pane/summary_work.h"

#include "analyse/origins.h"
#include "base/alloc.h"
#include "base/text.h"
#include "draw/frame_roles.h"
#include "draw/standout.h"
#include "ui/pane/pane.h"

#include <stdlib.h>
#include <string.h>

#define NAME_COL 20 /* of a row */
#define BAR_COL 31
#define ORIGINS_MAX 8
#define EIGHTHS 8

/* The lane in the file. */
static const struct lane *original(const struct app *app, const struct lane *lane)
{
	return app->scoped ? scoped_original(app->scoped, lane) : lane;
}

/* The lane of the page, if the pane is about several threads. */
static const struct lane *find_lane(const struct app *app, const struct profile *profile)
{
	const struct pane *pane = &app->pane;
	const struct lane *lane, *found = NULL;

	for (uint32_t i = 0; i < pane->n_lanes && !(found && found->is_page_main); i++) {
		if (i && pane->lanes[i]->is_joined)
			continue;
		lane = original(app, pane->lanes[i]);
		lane = !found || lane->is_page_main ? work_times_lane(profile, lane) : NULL;
		found = lane ? lane : found;
	}
	return found;
}

void summary_work_find(const struct app *app, struct summary_work *work)
{
	const struct lane *lane;
	int64_t t0, t1, sum = 0;

	*work = (struct summary_work){ .profile = app->scoped ? app->scoped->original
							      : app->s.profile };
	lane = app->mode == VIEW_TIME ? find_lane(app, work->profile) : NULL;
	pane_scope_range(app, &t0, &t1);
	if (!lane || t1 <= t0)
		return;
	work_times(work->profile, lane, t0, t1, work->ns);
	for (int kind = 0; kind < WORK_GC; kind++)
		sum += work->ns[kind];
	work->whole = lane->is_page_main || sum ? t1 - t0 : 0;
}

/* The kinds with time, the largest first; returns their number. */
static int order(const struct summary_work *work, int kinds[WORK_COUNT])
{
	int n = 0;

	for (int kind = 0; kind < WORK_COUNT; kind++) {
		int at = n;

		if (!work->ns[kind])
			continue;
		for (; at > 0 && work->ns[kinds[at - 1]] < work->ns[kind]; at--)
			kinds[at] = kinds[at - 1];
		kinds[at] = kind;
		n++;
	}
	return n;
}

/* The line with those kinds that has[] says, 2: with their times. Bars stand before the names. */
static int format(const struct summary_work *work, const int has[WORK_COUNT], struct buf *out,
		  struct line_bar bars[WORK_COUNT])
{
	char text[UNITS_MAX];
	int n = 0;

	buf_clear(out);
	for (int kind = 0; kind < WORK_COUNT; kind++) {
		if (!has[kind])
			continue;
		buf_adds(out, n ? "  " : " ");
		bars[n++] = (struct line_bar){ text_cells(buf_text(out), out->len) - 1, EIGHTHS,
					       frame_roles_of_work((enum work)kind) };
		buf_adds(out, slice_work_name((enum work)kind));
		if (has[kind] > 1) {
			profile_value(work->profile, work->ns[kind], text);
			buf_addf(out, " %s", text);
		}
		units_share(work->ns[kind], work->whole, text);
		buf_addf(out, " %s", text);
	}
	return n;
}

void summary_work_line(const struct app *app, const struct summary_work *work, int cols,
		       struct lines *lines)
{
	int kinds[WORK_COUNT], has[WORK_COUNT] = { 0 }, n = order(work, kinds), n_bars, at = n;
	struct line_bar bars[WORK_COUNT];
	struct buf line = { 0 };

	for (int i = 0; i < n; i++)
		has[kinds[i]] = 2;
	n_bars = format(work, has, &line, bars);
	while (text_cells(buf_text(&line), line.len) > cols && (at > 0 || n > 1)) {
		if (at > 0)
			has[kinds[--at]] = 1;
		else
			has[kinds[--n]] = 0;
		n_bars = format(work, has, &line, bars);
	}
	lines_add(lines, buf_text(&line), line.len, cols, 0, false);
	for (int i = 0; i < n_bars; i++)
		lines_add_bar(lines, &bars[i], app->s.chart.is_ascii);
	buf_done(&line);
}

static void add_head(struct lines *lines, const char *text, int cols)
{
	if (lines->n)
		lines_add(lines, "", 0, cols, 0, false);
	lines_add(lines, text, strlen(text), cols, 0, true);
}

/* `    1.41 s  50.7 %  scripting`. */
static void add_row(const struct profile *p, int64_t ns, int64_t whole, const char *name, int cols,
		    struct lines *lines)
{
	char time[UNITS_MAX], share[UNITS_MAX];
	struct buf line = { 0 };

	profile_value(p, ns, time);
	units_percent(ns, whole, share);
	for (int cells = text_cells(time, strlen(time)); cells < 10; cells++)
		buf_addc(&line, ' ');
	buf_addf(&line, "%s%8s  ", time, share);
	text_fit(&line, name, strlen(name), cols > NAME_COL ? cols - NAME_COL : 1);
	lines_add(lines, buf_text(&line), line.len, cols, NAME_COL, false);
	buf_done(&line);
}

void summary_work_table(const struct app *app, const struct summary_work *work, int cols,
			struct lines *lines)
{
	int64_t most = 1, room = cols > BAR_COL ? (int64_t)(cols - BAR_COL) * EIGHTHS : 0;

	if (work->whole)
		add_head(lines, "Time by kind of work", cols);
	for (int kind = 0; kind < WORK_COUNT; kind++)
		most = work->ns[kind] > most ? work->ns[kind] : most;
	for (int kind = 0; work->whole && kind < WORK_COUNT; kind++) {
		const struct line_bar bar = {
			BAR_COL, (int)((double)work->ns[kind] / (double)most * (double)room),
			frame_roles_of_work((enum work)kind)
		};

		if (!work->ns[kind])
			continue;
		add_row(work->profile, work->ns[kind], work->whole,
			slice_work_name((enum work)kind), cols, lines);
		lines_add_bar(lines, &bar, app->s.chart.is_ascii);
	}
}

void summary_work_origins(const struct app *app, int64_t whole, int cols, struct lines *lines)
{
	const struct profile *p = app->scoped ? app->scoped->original : app->s.profile;
	const struct lane **lanes = xcalloc((size_t)app->pane.n_lanes + 1, sizeof *lanes);
	struct origin_share *list = NULL;
	int64_t t0, t1;
	size_t n = 0;

	for (uint32_t i = 0; i < app->pane.n_lanes; i++)
		lanes[i] = original(app, app->pane.lanes[i]);
	pane_scope_range(app, &t0, &t1);
	if (app->mode == VIEW_TIME)
		n = origins_find(p, lanes, app->pane.n_lanes, t0, t1, false, &list);
	if (n > 1)
		add_head(lines, "Time by origin", cols);
	for (size_t i = 0; n > 1 && i < n && i < ORIGINS_MAX; i++) {
		struct buf name = { 0 };

		text_visible(&name, profile_text(p, list[i].origin),
			     intern_len(&p->strings, list[i].origin));
		buf_adds(&name, *list[i].party == 't' ? " (third party)" : "");
		add_row(p, list[i].self, whole, buf_text(&name), cols, lines);
		buf_done(&name);
	}
	free(list);
	free(lanes);
}

void summary_work_vitals(const struct app *app, bool is_brief, int cols, struct lines *lines)
{
	struct place_clock clock = findings_walk_clock(app);
	struct buf text = { 0 };

	standout_pages(app->base, &clock, is_brief, &text);
	if (text.len && !is_brief) {
		lines_add(lines, "", 0, cols, 0, false);
		lines_add(lines, "Vitals of the page", 18, cols, 0, true);
	}
	for (const char *at = buf_text(&text), *end; *at; at = end + 1) {
		end = strchr(at, '\n');
		lines_add(lines, at, (size_t)(end - at), cols, 4, false);
	}
	buf_done(&text);
}
