/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row is opened, its rows below are written, and it is closed again: so only the rows on the way
 * to the current one are in memory. The tree ends at rows of less than SHARE_LEAST of the whole, at
 * DEPTH_MOST (browsers nest elements up to 512 deep), and after BYTES_MOST. */
#include "config.h"

#include "report/html_tree.h"

#include "base/units.h"
#include "report/page_html.h"

#include <inttypes.h>

#define SHARE_LEAST 200 /* 1/200: 0.5 % */
#define DEPTH_MOST 200
#define DEPTH_OPEN 12
#define BYTES_MOST 1000000

struct tree {
	struct page *page;
	struct rows rows;
	int64_t least;
	size_t start; /* length of the output before the tree */
	bool is_full;
};

/* What a row is measured by: bottom-up, below the first level too, the part of the self time. */
static int64_t weight(const struct tree *t, size_t at)
{
	const struct row *row = &t->rows.rows[at];

	return t->rows.kind == ROWS_BOTTOMUP ? row->self : row->total;
}

static void add_row(struct tree *t, size_t at)
{
	const struct gathered *g = t->page->g;
	const struct row *row = &t->rows.rows[at];
	const struct frame *f = &g->view.frames[row->frame];
	char share[UNITS_MAX], time[UNITS_MAX], self[UNITS_MAX];
	struct buf place = { 0 };

	units_percent(weight(t, at), g->whole_ns, share);
	profile_value(g->profile, weight(t, at), time);
	buf_addf(t->page->out, "<b>%s</b> <span>%s</span> <code>", share, time);
	page_html_text(t->page->out, profile_text(g->profile, f->name),
		       intern_len(&g->profile->strings, f->name), false);
	buf_adds(t->page->out, "</code>");
	profile_location(g->profile, f, false, &place);
	if (place.len) {
		buf_adds(t->page->out, " <i>");
		page_html_text(t->page->out, buf_text(&place), place.len, true);
		buf_adds(t->page->out, "</i>");
	}
	if (t->rows.kind == ROWS_TOPDOWN && row->self > 0) {
		profile_value(g->profile, row->self, self);
		buf_addf(t->page->out, " <em>self %s</em>", self);
	}
	buf_done(&place);
}

static void add_branch(struct tree *t, size_t at);

/* Write the rows of one level from `at` on. */
static void add_level(struct tree *t, size_t at, int depth)
{
	const struct gathered *g = t->page->g;
	uint64_t n_left = 0;
	int64_t left = 0;

	for (; at < t->rows.n && t->rows.rows[at].depth >= depth; at++) {
		if (depth == 0 && !gather_lists(g, t->rows.rows[at].frame))
			continue;
		t->is_full |= t->page->out->len - t->start > BYTES_MOST;
		if (!t->is_full && weight(t, at) >= t->least) {
			add_branch(t, at);
		} else {
			n_left += weight(t, at) > 0;
			left += weight(t, at);
		}
	}
	if (left > 0) {
		char time[UNITS_MAX];

		profile_value(g->profile, left, time);
		buf_addf(t->page->out, "<p class=\"more\">\342\200\246 %" PRIu64 " more, %s</p>\n",
			 n_left, time);
	}
}

static void add_branch(struct tree *t, size_t at)
{
	int depth = t->rows.rows[at].depth;
	bool opens = t->rows.rows[at].can_open && depth < DEPTH_MOST, is_heavy;

	if (opens)
		rows_open(&t->rows, at);
	opens = opens && at + 1 < t->rows.n && t->rows.rows[at + 1].depth > depth;
	if (!opens) {
		buf_adds(t->page->out, "<p class=\"leaf\">");
		add_row(t, at);
		buf_adds(t->page->out, "</p>\n");
		return;
	}
	is_heavy = depth < DEPTH_OPEN && t->rows.kind == ROWS_TOPDOWN &&
		weight(t, at) >= t->page->g->whole_ns / 5;
	buf_addf(t->page->out, "<details%s><summary>", is_heavy ? " open" : "");
	add_row(t, at);
	buf_adds(t->page->out, "</summary>\n");
	add_level(t, at + 1, depth + 1);
	buf_adds(t->page->out, "</details>\n");
	rows_close(&t->rows, at);
}

void html_tree(struct page *page, enum rows_kind kind)
{
	const struct gathered *g = page->g;
	struct tree t = { .page = page, .least = g->whole_ns / SHARE_LEAST };
	char note[AMOUNT_WORDS_MAX];
	const char *words;

	if (g->whole_ns <= 0)
		return;
	t.least += !t.least;
	words = amount_words(&g->profile->unit,
			     kind == ROWS_TOPDOWN
				     ? "total time, heaviest call first"
				     : "self time of functions, and the part of each caller",
			     note);
	page_section(page, kind == ROWS_TOPDOWN ? "call tree" : "callers", words);
	t.start = page->out->len;
	rows_init(&t.rows, &g->totals, kind, kind == ROWS_TOPDOWN ? ROWS_BY_TOTAL : ROWS_BY_SELF);
	buf_adds(page->out, "<div class=\"tree wide\">\n");
	add_level(&t, 0, 0);
	buf_adds(page->out, "</div>\n");
	rows_done(&t.rows);
}
