/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A walk through the rows (rows_walk.h) keeps only those that are still to come beside the current
 * one and the rows above it. The tree ends at rows of less than SHARE_LEAST of the whole, at
 * DEPTH_MOST (browsers nest elements up to 512 deep), and after BYTES_MOST. */
#include "config.h"

#include "write/report/html_tree.h"

#include "analyse/rows/rows_walk.h"
#include "base/alloc.h"
#include "base/units.h"
#include "write/report/page_html.h"

#include <inttypes.h>
#include <stdlib.h>

#define SHARE_LEAST 200 /* 1/200: 0.5 % */
#define DEPTH_MOST 200
#define DEPTH_OPEN 12
#define BYTES_MOST 1000000

struct tree {
	struct page *page;
	enum rows_kind kind;
	int64_t least;
	size_t start; /* length of the output before the tree */
	bool is_full;
	int level; /* depth of the rows that are written: that many elements are open */
	struct {
		uint64_t n;
		int64_t time;
	} * left; /* by depth, to DEPTH_MOST: rows that were left out below the open row */
};

/* What a row is measured by: bottom-up, below the first level too, the part of the self time. */
static int64_t weight(const struct tree *t, const struct row *row)
{
	return t->kind == ROWS_BOTTOMUP ? row->self : row->total;
}

static void add_row(struct tree *t, const struct row *row)
{
	const struct gathered *g = t->page->g;
	const struct frame *f = &g->view.frames[row->frame];
	char share[UNITS_MAX], time[UNITS_MAX], self[UNITS_MAX];
	struct buf place = { 0 };

	units_percent(weight(t, row), g->whole_ns, share);
	profile_value(g->profile, weight(t, row), time);
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
	if (t->kind == ROWS_TOPDOWN && row->self > 0) {
		profile_value(g->profile, row->self, self);
		buf_addf(t->page->out, " <em>self %s</em>", self);
	}
	buf_done(&place);
}

/* End the levels below `depth`, each with what was left out of it. */
static void end_levels(struct tree *t, int depth)
{
	for (; t->level > depth; t->level--) {
		int at = t->level;

		if (t->left[at].time > 0) {
			char time[UNITS_MAX];

			profile_value(t->page->g->profile, t->left[at].time, time);
			buf_addf(t->page->out,
				 "<p class=\"more\">\342\200\246 %" PRIu64 " more, %s</p>\n",
				 t->left[at].n, time);
		}
		t->left[at].n = 0;
		t->left[at].time = 0;
		if (at > 0)
			buf_adds(t->page->out, "</details>\n");
	}
}

/* Count a row as left out if it has little time or there is no room. */
static bool leave_out(struct tree *t, const struct row *row)
{
	t->is_full |= t->page->out->len - t->start > BYTES_MOST;
	if (!t->is_full && weight(t, row) >= t->least)
		return false;
	t->left[row->depth].n += weight(t, row) > 0;
	t->left[row->depth].time += weight(t, row);
	return true;
}

/* Write a row, and begin the level below it. Returns whether there is one. */
static bool begin_row(struct tree *t, const struct row *row)
{
	bool is_heavy;

	if (!row->can_open || row->depth >= DEPTH_MOST) {
		buf_adds(t->page->out, "<p class=\"leaf\">");
		add_row(t, row);
		buf_adds(t->page->out, "</p>\n");
		return false;
	}
	is_heavy = row->depth < DEPTH_OPEN && t->kind == ROWS_TOPDOWN &&
		weight(t, row) >= t->page->g->whole_ns / 5;
	buf_addf(t->page->out, "<details%s><summary>", is_heavy ? " open" : "");
	add_row(t, row);
	buf_adds(t->page->out, "</summary>\n");
	t->level = row->depth + 1;
	return true;
}

/* Write a row of the first level and the rows below it. */
static void add_branch(struct tree *t, struct rows_walk *walk, struct rows *rows, size_t at)
{
	const struct row *row;

	if (leave_out(t, &rows->rows[at]))
		return;
	for (rows_walk_begin(walk, rows, at); (row = rows_walk_next(walk));) {
		end_levels(t, row->depth);
		if ((row->depth > 0 && leave_out(t, row)) || !begin_row(t, row))
			rows_walk_pass(walk);
	}
	end_levels(t, 0);
}

void html_tree(struct page *page, enum rows_kind kind)
{
	const struct gathered *g = page->g;
	struct tree t = { .page = page, .kind = kind, .least = g->whole_ns / SHARE_LEAST };
	struct rows_walk walk = { 0 };
	struct rows rows;
	char note[AMOUNT_WORDS_MAX];
	const char *words;

	if (g->whole_ns <= 0)
		return;
	t.least += !t.least;
	t.left = xcalloc(DEPTH_MOST + 1, sizeof *t.left);
	words = amount_words(&g->profile->unit,
			     kind == ROWS_TOPDOWN
				     ? "total time, heaviest call first"
				     : "self time of functions, and the part of each caller",
			     note);
	page_section(page, kind == ROWS_TOPDOWN ? "call tree" : "callers", words);
	t.start = page->out->len;
	rows_init(&rows, &g->totals, kind, kind == ROWS_TOPDOWN ? ROWS_BY_TOTAL : ROWS_BY_SELF);
	buf_adds(page->out, "<div class=\"tree wide\">\n");
	for (size_t i = 0; i < rows.n; i++)
		if (gather_lists(g, rows.rows[i].frame))
			add_branch(&t, &walk, &rows, i);
	end_levels(&t, -1);
	buf_adds(page->out, "</div>\n");
	free(t.left);
	rows_walk_done(&walk);
	rows_done(&rows);
}
