/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each finding is a sentence; its notes stand below it. */
#include "config.h"

#include "write/report/page_findings.h"

#include "base/units.h"
#include "draw/standout.h"
#include "model/lane_name.h"

#include <string.h>

static void add_finding(struct page *page, const struct findings_joined *joined)
{
	const struct finding *f = joined->f;
	struct buf text = { 0 };

	if (joined->n_lanes > 1)
		buf_addf(&text, "%u lanes, as ", (unsigned)joined->n_lanes);
	if (page->g->n_originals > 1) {
		lane_name_brief(page->g->profile, f->lane, &text);
		buf_adds(&text, ": ");
	}
	buf_adds(&text, f->text);
	page_item(page, 1, buf_text(&text), text.len);
	for (uint32_t i = 0; i < f->n_notes; i++)
		page_item(page, 2, f->notes[i], strlen(f->notes[i]));
	buf_done(&text);
}

/* Say how many findings --top leaves out. */
static void add_rest(struct page *page, uint32_t n)
{
	struct buf text = { 0 };

	buf_addf(&text, "\342\200\246 %u more (--top=N)", (unsigned)n);
	page_item(page, 1, buf_text(&text), text.len);
	buf_done(&text);
}

/* Say how many lanes were not looked at. */
static void add_left(struct page *page, const struct findings_all *all)
{
	char looked[UNITS_MAX], left[UNITS_MAX];
	struct buf text = { 0 };

	units_count(all->n_results, looked);
	units_count(all->n_left, left);
	buf_addf(&text, "these are of the %s busiest lanes; %s less busy ones were not looked at",
		 looked, left);
	page_item(page, 1, buf_text(&text), text.len);
	buf_done(&text);
}

bool page_findings(struct page *page)
{
	const struct gathered *g = page->g;
	const struct findings_all *all = &g->findings;
	uint32_t top = (uint32_t)g->options->top, n = all->n_joined < top ? all->n_joined : top;
	bool is_enough = false;

	if (all->n && !amount_is_time(&page->unit))
		page_section(page,
			     g->n_originals > 1 ? "findings, in percent of the time of the lane"
						: "findings, in percent of the time",
			     NULL);
	else if (all->n)
		page_section(page,
			     g->n_originals > 1 ? "findings, in percent of busy time of the lane"
						: "findings, in percent of busy time",
			     NULL);
	for (uint32_t i = 0; i < n; i++)
		add_finding(page, &all->joined[i]);
	if (n < all->n_joined)
		add_rest(page, all->n_joined - n);
	if (all->n && all->n_left)
		add_left(page, all);
	for (uint32_t i = 0; i < all->n; i++)
		is_enough |= all->list[i]->kind != FINDING_FEW;
	return is_enough;
}

void page_findings_standouts(struct page *page)
{
	const struct gathered *g = page->g;
	struct standout list[STANDOUT_COUNT];
	size_t n = gather_standouts(g, list);

	if (n)
		page_section(page, "what stands out", NULL);
	for (size_t i = 0; i < n; i++) {
		struct buf text = { 0 };

		standout_format(g->profile, &list[i], g->n_originals > 1, page->form->cells - 2,
				&(struct place_clock){ 0 }, &text);
		page_item(page, 1, buf_text(&text), text.len);
		buf_done(&text);
	}
}
