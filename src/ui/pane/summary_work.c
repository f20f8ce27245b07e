/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lanes as they are in the file count, whatever transforms. */
#include "config.h"

#include "ui/pane/summary_page.h"

#include "analyse/label_share.h"
#include "base/alloc.h"
#include "base/text.h"
#include "draw/frame_roles.h"
#include "draw/standout.h"
#include "ui/pane/pane.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

#define BAR_COL 31
#define EIGHTHS 8
#define ORIGINS_MAX 8
#define OF_RANGE "  of the range"

static const struct profile *in_file(const struct app *app)
{
	return app->scoped ? app->scoped->original : app->s.profile;
}

void summary_work_find(struct page_text *page)
{
	const struct pane *pane = &page->app->pane;
	const struct profile *p = in_file(page->app);
	const struct lane *of = pane->n_lanes ? pane->lanes[0] : NULL, *end = p->lanes + p->n_lanes;
	int64_t t0, t1;

	if (!of || page->app->mode != VIEW_TIME)
		return;
	pane_scope_range(page->app, &t0, &t1);
	for (uint32_t i = 0; i < pane->n_lanes && !of->is_page_main; i++)
		of = pane->lanes[i]->is_page_main ? pane->lanes[i] : of;
	for (const struct lane *lane = p->lanes; lane < end; lane++)
		if (lane->kind == LANE_SLICES && !lane->is_joined && lane_is_of_thread(lane, of)) {
			page->work_ns = work_times(p, lane, t0, t1, page->work) ? t1 - t0 : 0;
			return;
		}
}

/* The line with the kinds that have at least this time. Bars stand before the names. */
static int format(const struct page_text *page, bool has_times, int64_t least, struct buf *out,
		  struct line_bar bars[WORK_COUNT])
{
	char time[UNITS_MAX], share[UNITS_MAX];
	int n = 0;

	buf_clear(out);
	for (int kind = 0; kind < WORK_COUNT; kind++) {
		if (page->work[kind] < least)
			continue;
		profile_value(page->app->base, page->work[kind], time);
		units_share(page->work[kind], page->work_ns, share);
		buf_adds(out, n ? "  " : " ");
		bars[n++] = (struct line_bar){ text_cells(buf_text(out), out->len) - 1, EIGHTHS,
					       frame_roles_of_work((enum work)kind) };
		buf_addf(out, "%s %s%s%s", slice_work_name((enum work)kind), has_times ? time : "",
			 has_times ? " " : "", share);
	}
	return n;
}

void summary_work_line(struct page_text *page)
{
	struct line_bar bars[WORK_COUNT];
	BUF_LOCAL line = { 0 };
	int n = format(page, true, 1, &line, bars);

	for (int64_t least = 1;
	     n > 1 && text_cells(buf_text(&line), line.len) > page->cols - (int)strlen(OF_RANGE);
	     least += (least + 1) / 2)
		n = format(page, false, least, &line, bars);
	buf_adds(&line, OF_RANGE);
	lines_add(page->lines, buf_text(&line), line.len, page->cols, 0, false);
	for (int i = 0; i < n; i++)
		lines_add_bar(page->lines, &bars[i], page->app->s.chart.is_ascii);
}

void summary_work_table(struct page_text *page)
{
	int room = page->cols > BAR_COL ? (page->cols - BAR_COL) * EIGHTHS : 0;
	int64_t most = 1, whole = page->whole;

	summary_text_head(page, SUMMARY_REST, "Time by kind of work, % of the range");
	/* Against idle time, the others are small. */
	for (int kind = 0; kind < WORK_IDLE; kind++)
		most = page->work[kind] > most ? page->work[kind] : most;
	page->whole = page->work_ns;
	for (int kind = 0; kind < WORK_COUNT; kind++) {
		const char *name = slice_work_name((enum work)kind);
		double part = (double)page->work[kind] / (double)most;
		const struct line_bar bar = { BAR_COL, (int)(part * room),
					      frame_roles_of_work((enum work)kind) };

		if (!page->work[kind])
			continue;
		summary_text_row(page, page->work[kind], true, name, strlen(name), "");
		if (kind != WORK_IDLE)
			lines_add_bar(page->lines, &bar, page->app->s.chart.is_ascii);
	}
	page->whole = whole;
}

void summary_work_origins(struct page_text *page)
{
	const struct app *app = page->app;
	const struct profile *p = in_file(app);
	ALLOC_LOCAL struct origin_share *list = NULL;
	int64_t t0, t1;
	size_t n = 0;

	pane_scope_range(app, &t0, &t1);
	if (app->mode == VIEW_TIME && origins_are_several(p))
		n = origins_find(p, (const struct lane *const *)app->pane.lanes, app->pane.n_lanes,
				 t0, t1, false, &list);
	if (n > 1)
		summary_text_head(page, SUMMARY_REST, "Time by origin");
	for (size_t i = 0; n > 1 && i < n && i < ORIGINS_MAX; i++)
		summary_text_row(page, list[i].self, true, profile_text(p, list[i].origin),
				 intern_len(&p->strings, list[i].origin),
				 list[i].party == PARTY_THIRD ? "(third party)" : "");
}

void summary_work_vitals(struct page_text *page, bool is_brief)
{
	BUF_LOCAL text = { 0 };
	const char *at;

	standout_pages(page->app->base, &page->clock, is_brief, &text);
	at = buf_text(&text);
	if (text.len && !is_brief)
		summary_text_head(page, SUMMARY_REST, "Vitals of the page");
	/* The first line stands above, too. */
	if (!is_brief && page->app->base->n_loads == 1)
		at += strcspn(at, "\n") + 1;
	for (const char *end; *at; at = end + 1) {
		end = strchr(at, '\n');
		lines_add(page->lines, at, (size_t)(end - at), page->cols, 4, false);
	}
}
