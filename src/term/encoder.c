/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Most bytes of a picture are colours, so they are sent as seldom as possible. Terms: a cell is
 * plain if it is a blank without underline and reverse, so that only its background is seen. A
 * piece is a stretch of cells of a row that can be written with one look, that is without a change
 * of colours or attributes; plain cells take any ink. A group is all pieces of the same look.
 *
 * The cells that differ become pieces; a few equal cells between them are written again, because
 * to skip them takes as many bytes. Group by group is written, always the one that takes the fewest
 * bytes to change to, for its look and for the move to its nearest piece; pieces of plain cells go
 * with the first group that has their background. stroke.c joins the pieces of a group and finds
 * their order.
 *
 * 1. Cells are in the normal form: plain cells have no ink, attributes or mark, so equal cells are
 *    found by comparing their members.
 * 2. A piece has whole wide characters. The other half of a wide character that a piece overwrites
 *    differs as well, so it is in a piece of the same update.
 * 3. After the last column, and after characters whose width a terminal may see differently, the
 *    column of the cursor counts as unknown: the next move is absolute. */
#include "config.h"

#include "term/encoder.h"

#include "base/alloc.h"
#include "term/scroll.h"

#include <stdlib.h>
#include <string.h>

#define FULL_BLOCK 0x2588
#define GAP_BYTES 4       /* equal cells that are written again; to move over them takes 3 or 4 */
#define ROWS_NEAR 4       /* above and below the cursor: a piece there may be near */
#define MOVE_MOST 8       /* bytes of a move to others */
#define NOT_POSSIBLE 1000 /* bytes: more than any sequence */

struct piece {
	int row, from, end;
	uint32_t next; /* piece of the same group + 1; 0: none */
};

struct group {
	struct paint look;
	uint32_t first, last; /* pieces + 1; first 0: has been written */
	uint32_t plain;       /* group + 1 of plain pieces with the same background; 0: none */
	uint32_t n_users;     /* of a group of plain pieces: unwritten groups that could take it */
	struct pen_cost cost;
};

static const struct paint default_paint = { PAINT_DEFAULT, PAINT_DEFAULT, 0 };
static const struct painted blank = { .ch = ' ', .paint = { PAINT_DEFAULT, PAINT_DEFAULT, 0 } };

static bool is_same_paint(const struct paint *a, const struct paint *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->attrs == b->attrs;
}

/* ---- setting up ---- */

void encoder_open(struct encoder *e, const struct caps *caps)
{
	e->pen.caps = *caps;
	e->pen.row = e->pen.col = -1;
}

void encoder_close(struct encoder *e)
{
	free(e->pieces);
	free(e->groups);
	stroke_done(&e->strokes);
	hash_table_done(&e->by_look);
	memset(e, 0, sizeof *e);
}

void encoder_resize(struct encoder *e, int rows, int cols, bool is_whole)
{
	e->pen.rows = rows;
	e->pen.cols = cols;
	e->pen.is_whole = is_whole;
	e->pen.row = e->pen.col = -1;
	e->shift = e->tail_shift = 0;
}

void encoder_normalize(const struct encoder *e, struct painted *cells, int n)
{
	for (int i = 0; i < n; i++) {
		struct painted *p = &cells[i];
		struct paint *paint = &p->paint;

		if (p->ch == 0) {
			*paint = i > 0 ? p[-1].paint : default_paint;
			p->mark = 0;
			continue;
		}
		paint->attrs &= e->pen.caps.attrs;
		/* Ink that fills the cell is a background. Bold and dim may change its colour. */
		if (paint->fg >= 0 &&
		    ((p->ch == FULL_BLOCK && !paint->attrs) ||
		     (p->ch == ' ' && paint->attrs == PAINT_REVERSE))) {
			p->ch = ' ';
			paint->bg = paint->fg;
			paint->attrs = 0;
		}
		if (p->ch == ' ')
			p->mark = 0;
		if (pen_is_plain(p)) {
			paint->fg = PAINT_DEFAULT;
			paint->attrs = 0;
		}
	}
}

/* ---- pieces ---- */

static int cell_bytes(const struct painted *p)
{
	if (p->ch == 0)
		return 0;
	return (p->ch < 0x80 ? 1 : p->ch < 0x800 ? 2 : p->ch < 0x10000 ? 3 : 4) + (p->mark ? 3 : 0);
}

/* The first column from which on a row is plain and has one background, if that can be erased. */
static int find_tail(const struct encoder *e, const struct painted *row)
{
	int tail = e->pen.cols;
	int32_t bg = row[tail - 1].paint.bg;

	if (!e->pen.caps.el || !e->pen.is_whole || !pen_can_erase(&e->pen, bg))
		return tail;
	while (tail > 0 && pen_is_plain(&row[tail - 1]) && row[tail - 1].paint.bg == bg)
		tail--;
	return tail;
}

/* Whether a cell can be written with a look, which gets the ink of the cell if it had none. */
static bool joins(struct paint *look, const struct painted *p, bool is_first)
{
	const unsigned seen = PAINT_UNDERLINE | PAINT_REVERSE; /* in blanks, too */

	if (p->paint.bg != look->bg)
		return false;
	if (pen_is_plain(p))
		return !(look->attrs & seen);
	if (look->fg != PEN_NO_INK)
		return is_same_paint(look, &p->paint);
	if (!is_first && p->paint.attrs & seen)
		return false;
	*look = p->paint;
	return true;
}

static uint32_t hash_look(const struct paint *look)
{
	uint32_t h = (uint32_t)look->fg * 0x9e3779b1u;

	h = ((h ^ (h >> 15)) + (uint32_t)look->bg) * 0x85ebca6bu;
	h = ((h ^ (h >> 13)) + look->attrs) * 0xc2b2ae35u;
	return h ^ (h >> 16);
}

/* Returns a group + 1; 0: there is none. */
static uint32_t find_group(const struct encoder *e, struct hash_probe *probe,
			   const struct paint *look)
{
	while (hash_table_next(&e->by_look, probe))
		if (is_same_paint(&e->groups[probe->index].look, look))
			return probe->index + 1;
	return 0;
}

static void add_piece(struct encoder *e, const struct paint *look, const struct piece *piece)
{
	struct hash_probe probe = hash_probe(hash_look(look));
	uint32_t at = find_group(e, &probe, look), number = (uint32_t)e->n_pieces + 1;
	struct group *g;

	if (!at) {
		if (e->n_groups >= e->groups_cap)
			e->groups = xgrow(e->groups, &e->groups_cap, e->n_groups + 1,
					  sizeof *e->groups);
		hash_table_add_missing(&e->by_look, &probe, (uint32_t)e->n_groups);
		at = (uint32_t)++e->n_groups;
		e->groups[at - 1] = (struct group){
			.look = *look,
			.cost = pen_cost(&e->pen, look),
		};
	}
	g = &e->groups[at - 1];
	if (e->n_pieces >= e->pieces_cap)
		e->pieces = xgrow(e->pieces, &e->pieces_cap, e->n_pieces + 1, sizeof *e->pieces);
	e->pieces[e->n_pieces++] = *piece;
	if (g->first)
		e->pieces[g->last - 1].next = number;
	else
		g->first = number;
	g->last = number;
}

/* Find the piece that begins at a cell that differs. Returns its end. */
static int find_piece(struct encoder *e, const struct painted *shown, const struct painted *next,
		      int row, int from, int tail)
{
	struct paint look = { PEN_NO_INK, next[from].paint.bg, 0 }, last_look = look;
	int end = from, gap = 0;

	for (int i = from; i < e->pen.cols; i++) {
		const struct painted *p = &next[i];

		if (p->ch && !joins(&look, p, i == from))
			break;
		if (!shift_is_same(&shown[i], p)) {
			/* The rest of the row can be erased at once. */
			end = i >= tail ? e->pen.cols : i + 1;
			last_look = look;
			gap = 0;
			if (end == e->pen.cols)
				break;
		} else {
			gap += cell_bytes(p);
			/* Ink that needs not be written must not choose the look. */
			if (gap > GAP_BYTES || look.fg != last_look.fg)
				break;
		}
	}
	while (end < e->pen.cols && next[end].ch == 0)
		end++;
	add_piece(e, &last_look, &(struct piece){ row, from, end, 0 });
	return end;
}

static void find_pieces(struct encoder *e, const struct painted *shown, const struct painted *next,
			int row)
{
	int tail = find_tail(e, next);

	for (int i = 0; i < e->pen.cols;) {
		if (shift_is_same(&shown[i], &next[i])) {
			i++;
			continue;
		}
		/* Not a right half: it is equal where the left one is. */
		i = find_piece(e, shown, next, row, i, tail);
	}
}

/* ---- groups ---- */

static bool takes_plain(const struct group *g)
{
	return g->look.fg != PEN_NO_INK && !(g->look.attrs & (PAINT_UNDERLINE | PAINT_REVERSE));
}

/* Find for each group the plain pieces that it could take. */
static void link_groups(struct encoder *e)
{
	for (size_t i = 0; i < e->n_groups; i++) {
		struct group *g = &e->groups[i];
		struct paint look = { PEN_NO_INK, g->look.bg, 0 };
		struct hash_probe probe = hash_probe(hash_look(&look));

		if (!takes_plain(g))
			continue;
		g->plain = find_group(e, &probe, &look);
		if (g->plain)
			e->groups[g->plain - 1].n_users++;
	}
}

/* The bytes of the move to the nearest of some pieces, if that is less than `most`. */
static int approach_bytes(const struct encoder *e, uint32_t first, int most)
{
	for (uint32_t at = first; at && most; at = e->pieces[at - 1].next) {
		const struct piece *piece = &e->pieces[at - 1];
		int bytes = most;

		if (abs(piece->row - e->pen.row) <= ROWS_NEAR)
			bytes = pen_go_bytes(&e->pen, piece->row, piece->from);
		most = bytes < most ? bytes : most;
	}
	return most;
}

/* The group to write next. The bytes of its look count twice: most of those of a move are only put
 * off, to the end of the group. */
static struct group *find_cheapest(struct encoder *e)
{
	struct group *best = NULL;
	int least = NOT_POSSIBLE;

	for (size_t i = 0; i < e->n_groups && least; i++) {
		struct group *g = &e->groups[i];
		int bytes, move;

		if (!g->first || g->n_users)
			continue;
		bytes = 2 * pen_look_bytes(&e->pen, &g->look, g->cost);
		if (bytes >= least)
			continue;
		move = approach_bytes(e, g->first, MOVE_MOST);
		if (g->plain)
			move = approach_bytes(e, e->groups[g->plain - 1].first, move);
		if (bytes + move < least) {
			least = bytes + move;
			best = g;
		}
	}
	return best;
}

/* Whether piece a stands before piece b; both are numbers + 1, 0 is the end. */
static bool is_before(const struct encoder *e, uint32_t a, uint32_t b)
{
	const struct piece *x = &e->pieces[a - 1], *y = &e->pieces[b - 1];

	return x->row != y->row ? x->row < y->row : x->from < y->from;
}

static void write_group(struct encoder *e, struct group *g, const struct stroke_cells *cells,
			struct buf *out)
{
	struct group *plain = g->plain ? &e->groups[g->plain - 1] : NULL;
	uint32_t a = g->first, b = plain ? plain->first : 0;

	pen_look(&e->pen, &g->look, out);
	while (a || b) {
		uint32_t *now = !b || (a && is_before(e, a, b)) ? &a : &b;
		const struct piece *piece = &e->pieces[*now - 1];

		stroke_add(&e->strokes, &e->pen, cells, &g->look,
			   &(struct stroke){ piece->row, piece->from, piece->end, 0, 0 });
		*now = piece->next;
	}
	stroke_write(&e->strokes, &e->pen, cells, &g->look, out);
	g->first = 0;
	if (plain) {
		plain->first = 0;
		plain->n_users--;
	}
}

/* ---- pictures ---- */

void encoder_clear(struct encoder *e, struct painted *shown, struct buf *out)
{
	size_t n = (size_t)e->pen.rows * (size_t)e->pen.cols;

	pen_clear(&e->pen, out);
	for (size_t i = 0; i < n; i++)
		shown[i] = blank;
	e->shift = e->tail_shift = 0;
}

static void move_rows(struct encoder *e, const struct scroll *scroll, struct buf *out)
{
	int n = abs(scroll->by);
	int gone = scroll->by > 0 ? scroll->first : scroll->end - n;
	int added = scroll->by > 0 ? scroll->end - n : scroll->first;

	pen_page(&e->pen, out);
	/* Rows that leave the screen at the bottom need not be deleted, nor blank ones added. */
	if (gone + n < e->pen.rows || !e->pen.is_whole) {
		pen_go(&e->pen, gone, 0, out);
		pen_csi(n, 'M', out);
	}
	if (added + n < e->pen.rows || !e->pen.is_whole) {
		pen_go(&e->pen, added, 0, out);
		pen_csi(n, 'L', out);
	}
}

void encoder_begin(struct encoder *e, struct painted *shown, const struct painted *next,
		   struct buf *out)
{
	bool can_shift = e->pen.caps.ich && e->pen.caps.dch && e->pen.is_whole;
	int rows = e->pen.rows, cols = e->pen.cols, gain = 0;
	struct scroll scroll;

	e->shift = e->tail_shift = 0;
	if (e->pen.caps.il && e->pen.caps.dl)
		gain = scroll_find(shown, next, rows, cols, &scroll);
	if (can_shift)
		e->shift = shift_find(shown, next, rows, cols);
	if (gain && (!e->shift || shift_gain(shown, next, rows, cols, e->shift) < gain)) {
		e->shift = 0;
		move_rows(e, &scroll, out);
		scroll_apply(shown, cols, &scroll);
	}
	if (can_shift)
		e->tail_shift = shift_find_tail(shown, next, rows, cols, e->shift);
}

static void shift_cells(struct encoder *e, struct painted *shown, const struct painted *next,
			int row, struct buf *out)
{
	size_t at = (size_t)row * (size_t)e->pen.cols;
	int from = 0, cols = e->pen.cols, by = e->tail_shift, gain = 0;

	if (by)
		gain = shift_tail_gain(shown + at, next + at, cols, by, &from);
	if (gain && (!e->shift || gain > shift_gain(shown + at, next + at, 1, cols, e->shift))) {
		shift_tail(shown + at, from, cols, by);
	} else {
		by = e->shift;
		from = 0;
		if (!by || !shift_row(shown + at, next + at, cols, by))
			return;
	}
	pen_page(&e->pen, out);
	pen_go(&e->pen, row, from, out);
	pen_csi(abs(by), by > 0 ? 'P' : '@', out);
}

void encoder_rows(struct encoder *e, struct painted *shown, const struct painted *next, int first,
		  int end, struct buf *out)
{
	const struct stroke_cells cells = { shown, next };
	struct group *g;

	e->n_pieces = e->n_groups = 0;
	hash_table_done(&e->by_look);
	for (int row = first; row < end; row++) {
		size_t at = (size_t)row * (size_t)e->pen.cols;

		shift_cells(e, shown, next, row, out);
		find_pieces(e, shown + at, next + at, row);
	}
	link_groups(e);
	while ((g = find_cheapest(e)))
		write_group(e, g, &cells, out);
}

void encoder_move(struct encoder *e, int row, int col, struct buf *out)
{
	pen_go(&e->pen, row, col, out);
}
