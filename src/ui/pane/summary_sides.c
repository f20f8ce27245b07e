/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "ui/pane/summary_sides.h"

#include "base/alloc.h"
#include "base/text.h"
#include "draw/change.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

#define FUNCTIONS_MOST 20
#define NAME_CELLS 60

struct page {
	struct lines *lines;
	const struct profile *profile;
	struct rows_change change;
	int cols;
};

struct changed {
	frame_id frame;
	int64_t ns[SIDES];
};

static int64_t size_of(const struct changed *c)
{
	return llabs(c->ns[SIDE_AFTER] - c->ns[SIDE_BEFORE]);
}

/* The largest change first; equal ones by the numbers of the functions. */
static int compare(const void *a, const void *b)
{
	const struct changed *x = a, *y = b;

	if (size_of(x) != size_of(y))
		return size_of(x) < size_of(y) ? 1 : -1;
	return x->frame < y->frame ? -1 : x->frame > y->frame;
}

static void add(struct page *p, struct buf *line, bool is_head)
{
	lines_add(p->lines, buf_text(line), line->len, p->cols, is_head ? 0 : 4, is_head);
	buf_clear(line);
}

/* `  before  a.cpuprofile: 1.45 s busy of 3.70 s`. */
static void add_side(struct page *p, const struct sides *s, enum side side, struct buf *line)
{
	char busy[UNITS_MAX], length[UNITS_MAX];

	amount_text(&s->unit.amount, s->busy_ns[side], busy);
	amount_text(&s->unit.amount, s->length_ns[side], length);
	buf_adds(line, side == SIDE_AFTER ? "  after   " : "  before  ");
	text_visible(line, s->name[side], strlen(s->name[side]));
	buf_addf(line, ": %s busy of %s", busy, length);
	add(p, line, false);
}

static void add_functions(struct page *p, const struct totals *totals, struct buf *line)
{
	struct changed *list = xcalloc((size_t)totals->n_used + 1, sizeof *list);
	uint32_t n = 0;

	for (uint32_t i = 0; i < totals->n_used; i++) {
		struct changed *c = &list[n];

		c->frame = totals->used[i];
		rows_change_sides_of_function(&p->change, c->frame, false, c->ns);
		n += sides_level(&p->change.unit, c->ns[SIDE_AFTER] - c->ns[SIDE_BEFORE]) > 0;
	}
	qsort(list, n, sizeof *list, compare);
	buf_adds(line, "Largest changes of self time");
	add(p, line, true);
	for (uint32_t i = 0; i < n && i < FUNCTIONS_MOST; i++) {
		const struct frame *f = profile_frame(p->profile, list[i].frame);
		const char *name = profile_text(p->profile, f->name);
		enum sides_kind kind = sides_kind_of(&p->change.unit, list[i].ns[SIDE_BEFORE],
						     list[i].ns[SIDE_AFTER]);

		buf_adds(line, "  ");
		change_text(&p->change.unit, list[i].ns, line);
		buf_addf(line, "  %s", change_sign(kind));
		text_fit(line, name, strlen(name), NAME_CELLS);
		buf_addc(line, ' ');
		profile_location_ends(p->profile, f, false, line);
		add(p, line, false);
	}
	if (n == 0) {
		buf_adds(line, "  none");
		add(p, line, false);
	}
	free(list);
}

void summary_sides_make(struct app *app)
{
	const struct sides *s = app->pane.sides.of;
	struct summary_page *page = &app->summary;
	int cols = page->cols > 4 ? page->cols - 2 : 2;
	struct page p = { .lines = &page->lines,
			  .profile = app->s.profile,
			  .change = pane_sides_change(&app->pane, false, false),
			  .cols = cols };
	struct buf line = { 0 };

	/* Changes need more room than what the sides are. */
	page->left_cols = page->has_columns ? page->cols * 2 / 5 : page->cols;
	if (page->has_columns)
		p.cols = page->left_cols - 2;
	buf_adds(&line, "Two sides");
	add(&p, &line, true);
	add_side(&p, s, SIDE_BEFORE, &line);
	add_side(&p, s, SIDE_AFTER, &line);
	buf_addf(&line, "  figures: %s of each side", sides_per_name(s->unit.per));
	add(&p, &line, false);
	if (app->diff.note.len) {
		buf_addf(&line, "  %s", buf_text(&app->diff.note));
		add(&p, &line, false);
	}
	if (page->has_columns) {
		p.lines = &page->right;
		p.cols = page->cols - page->left_cols - 2;
	}
	add_functions(&p, &app->pane.totals, &line);
	buf_done(&line);
}
