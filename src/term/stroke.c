/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Terms: a cell is plain if only its background is seen (pen_is_plain()). It is own if it looks
 * right when it is written with the look of the strokes. It is open if it is not own and differs
 * from the screen: another look writes it later, and it may have any contents until then.
 *
 * Two parts of a row with only own and open cells between them become one stroke where that saves a
 * move: a few blanks go over the open cells, or blanks on both sides are erased at once.
 *
 * The next stroke is the one that takes the fewest bytes to move to, of those near the cursor: the
 * nearest to its left and right on its row and on some rows above and below, and the first one of
 * all. Down a column of cells a move takes two bytes, along a row four or five. A better order
 * saves about 3 % of the moves, but takes much longer to find.
 *
 * 1. An open cell is in a stroke of a look that comes later in the same update.
 * 2. A stroke has whole wide characters.
 * 3. A stroke that is written has its distance to another one on each side, at or before the
 *    nearest that is not written; distances grow as they are followed. */
#include "config.h"

#include "term/stroke.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define GAP_MOST 3     /* cells that take fewer bytes to write than to move over */
#define ERASED_MOST 64 /* open cells between two parts that are erased at once */
#define ROWS_NEAR 3    /* above and below the cursor */
#define NO_CHOICE 1000 /* bytes: more than any move */
#define ON_BLANKS (PAINT_UNDERLINE | PAINT_REVERSE) /* attributes that are seen on blanks */

enum cell_state { KEPT, OWN, OPEN };

static bool is_own(const struct painted *p, const struct paint *look)
{
	if (p->paint.bg != look->bg)
		return false;
	if (pen_is_plain(p))
		return !(look->attrs & ON_BLANKS);
	return p->paint.fg == look->fg && p->paint.attrs == look->attrs;
}

static enum cell_state state_of(const struct stroke_cells *cells, size_t at,
				const struct paint *look)
{
	const struct painted *p = &cells->next[at];

	if (is_own(p, look))
		return OWN;
	return shift_is_same(&cells->shown[at], p) ? KEPT : OPEN;
}

/* ---- making strokes ---- */

/* Whether one stroke can go over the cells between two parts of a row. most: as many may be blank
 * or open. */
static bool can_bridge(const struct stroke_cells *cells, size_t from, size_t end,
		       const struct paint *look, int most)
{
	int n_texts = 0, n_blanks = 0;

	for (size_t i = from; i < end; i++) {
		const struct painted *p = &cells->next[i];
		enum cell_state state = state_of(cells, i, look);

		/* Whole characters only. */
		if (state == KEPT || p->ch == 0 || cells->next[i + 1].ch == 0)
			return false;
		if (state == OPEN || pen_is_plain(p)) {
			n_blanks++;
		} else {
			if (p->mark || p->ch > 0x7e)
				return false;
			n_texts++;
		}
		if (n_texts > GAP_MOST || n_blanks > most)
			return false;
	}
	return true;
}

void stroke_add(struct strokes *s, const struct pen *pen, const struct stroke_cells *cells,
		const struct paint *look, const struct stroke *part)
{
	struct stroke *last = s->n ? &s->list[s->n - 1] : NULL;
	size_t at = (size_t)part->row * (size_t)pen->cols;

	if (last && last->row == part->row) {
		bool is_erased = pen->caps.ech && pen_can_erase(pen, look->bg) &&
			pen_is_plain(&cells->next[at + (size_t)part->from]);

		if (can_bridge(cells, at + (size_t)last->end, at + (size_t)part->from, look,
			       is_erased ? ERASED_MOST : GAP_MOST)) {
			last->end = part->end;
			return;
		}
	}
	s->list = xgrow(s->list, &s->cap, s->n + 1, sizeof *s->list);
	s->list[s->n++] = *part;
}

/* ---- writing one ---- */

static int count_run(const struct painted *cells, int n)
{
	int run = 1;

	while (run < n && cells[run].ch == cells->ch && !cells[run].mark)
		run++;
	return run;
}

/* Cells of a row that are plain or open; all columns count from the first one. */
struct gap {
	int first, last; /* own cells are in [first, last); equal: there are none */
	int end;
};

static struct gap find_gap(const struct stroke_cells *cells, size_t at, int most,
			   const struct paint *look)
{
	struct gap gap = { 0 };

	for (int i = 0; i < most; i++) {
		enum cell_state state = state_of(cells, at + (size_t)i, look);

		if (state != OPEN && !pen_is_plain(&cells->next[at + (size_t)i]))
			break;
		gap.end = i + 1;
		if (state != OWN)
			continue;
		if (gap.first == gap.last)
			gap.first = i;
		gap.last = i + 1;
	}
	return gap;
}

/* is_last: no text follows. */
static void write_gap(struct pen *pen, struct gap gap, bool is_last, struct buf *out)
{
	/* Open cells before the own ones are blank as well, where that is no longer than a move. */
	if (gap.first <= GAP_MOST || gap.last - gap.first > GAP_MOST)
		gap.first = 0;
	pen_skip(pen, gap.first, out);
	pen_blanks(pen, gap.last - gap.first, is_last ? 0 : gap.end - gap.first, out);
}

static void write_one(const struct stroke *stroke, struct pen *pen,
		      const struct stroke_cells *cells, const struct paint *look, struct buf *out)
{
	size_t at = (size_t)stroke->row * (size_t)pen->cols;
	const struct painted *next = cells->next + at;
	struct painted *shown = cells->shown + at;
	bool is_doubtful = false;

	pen_go(pen, stroke->row, stroke->from, out);
	for (int i = stroke->from; i < stroke->end;) {
		const struct painted *p = &next[i];
		bool is_wide = i + 1 < stroke->end && next[i + 1].ch == 0;
		struct gap gap = find_gap(cells, at + (size_t)i, stroke->end - i, look);
		int n;

		if (gap.end) {
			write_gap(pen, gap, i + gap.end == stroke->end, out);
			i += gap.end;
			continue;
		}
		n = p->mark ? 1 : count_run(p, stroke->end - i);
		pen_write(pen, p, n, is_wide, out);
		is_doubtful |= is_wide || p->mark;
		i += is_wide ? 2 : n;
	}
	if (is_doubtful)
		pen->col = -1;
	for (int i = stroke->from; i < stroke->end; i++)
		if (is_own(&next[i], look))
			shown[i] = next[i];
}

/* ---- their order ---- */

/* The first stroke from i on that is not written; n: there is none. */
static size_t find_right(struct strokes *s, size_t i)
{
	while (i < s->n && s->list[i].to_right) {
		struct stroke *at = &s->list[i];
		size_t next = i + at->to_right;

		if (next < s->n)
			at->to_right += s->list[next].to_right;
		i = next;
	}
	return i;
}

/* The last one before i; n: there is none. */
static size_t find_left(struct strokes *s, size_t i)
{
	while (i > 0 && s->list[i - 1].to_left) {
		struct stroke *at = &s->list[i - 1];
		size_t next = i - at->to_left;

		if (next > 0)
			at->to_left += s->list[next - 1].to_left;
		i = next;
	}
	return i > 0 ? i - 1 : s->n;
}

/* The first stroke at this cell or after it. */
static size_t find_cell(const struct strokes *s, int row, int col)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct stroke *at = &s->list[middle];

		if (at->row < row || (at->row == row && at->from < col))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct choice {
	size_t index;
	int bytes;
};

static void consider(const struct strokes *s, const struct pen *pen, size_t i, struct choice *best)
{
	int bytes;

	if (i >= s->n)
		return;
	bytes = pen_go_bytes(pen, s->list[i].row, s->list[i].from);
	if (bytes < best->bytes)
		*best = (struct choice){ i, bytes };
}

/* The stroke to write next; n: all are written. */
static size_t find_nearest(struct strokes *s, const struct pen *pen)
{
	struct choice best = { find_right(s, 0), NO_CHOICE };
	int col = pen->col < 0 ? 0 : pen->col;

	if (best.index == s->n)
		return s->n;
	consider(s, pen, best.index, &best);
	for (int i = 0; i <= 2 * ROWS_NEAR && pen->row >= 0 && best.bytes > i / 2; i++) {
		int row = pen->row + (i & 1 ? (i + 1) / 2 : -i / 2);
		size_t at = find_cell(s, row, col);

		consider(s, pen, find_right(s, at), &best);
		consider(s, pen, find_left(s, at), &best);
	}
	return best.index;
}

void stroke_write(struct strokes *s, struct pen *pen, const struct stroke_cells *cells,
		  const struct paint *look, struct buf *out)
{
	size_t i;

	while ((i = find_nearest(s, pen)) < s->n) {
		write_one(&s->list[i], pen, cells, look, out);
		s->list[i].to_left = s->list[i].to_right = 1;
	}
	s->n = 0;
}

void stroke_done(struct strokes *s)
{
	free(s->list);
	memset(s, 0, sizeof *s);
}
