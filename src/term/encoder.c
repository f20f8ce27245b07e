/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Most bytes of a picture are colours, so they are sent as seldom as possible. Terms: a cell is
 * plain if it is a blank without underline and reverse, so that only its background is seen. A
 * piece is a stretch of cells of a row that can be written with one look, that is without a change
 * of colours or attributes; plain cells take any ink. A group is all pieces of the same look.
 *
 * The cells that differ become pieces; a few equal cells between them are written again, because
 * to skip them takes as many bytes. Group by group is written, always the one that takes the fewest
 * bytes to change to, for its look and for the move to its nearest piece; pieces of plain cells go
 * with the first group that has their background. "stroke" below joins the pieces of a group and
 * finds their order.
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
#include "base/buf.h"
#include "base/hash.h"
#include "term/caps.h"
#include "term/pen.h"
#include "term/shift.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== scroll ====
 *
 * Rows are compared by their hashes under each possible distance. A row gains its differing cells
 * if it is right after the move and was wrong before it, and loses its written cells if it is the
 * other way round. The best stretch of rows for a distance is the one with the largest sum. The
 * rows that become blank lose what they had in common with the new picture.
 *
 * A wrong result costs bytes, never a wrong picture: what differs after the move is sent. */

#define MIN_GAIN 48 /* cells; a scroll takes about 25 bytes, a cell 1 to 24 */
#define MIN_ROWS 3  /* that differ */

static const struct painted blank = { .ch = ' ',
				      .paint = { .fg = PAINT_DEFAULT, .bg = PAINT_DEFAULT } };

struct row_state {
	uint32_t before, after; /* hashes */
	int n_different;        /* cells */
	int n_written;          /* cells of `after` that are not blank */
};

static uint32_t hash_row(const struct painted *row, int cols)
{
	uint32_t h = 0;

	for (int i = 0; i < cols; i++) {
		h = (h ^ row[i].ch) * 0x9e3779b1u + row[i].mark;
		h = (h ^ (uint32_t)row[i].paint.fg) * 0x85ebca6bu + row[i].paint.attrs;
		h = (h ^ (uint32_t)row[i].paint.bg) * 0xc2b2ae35u;
		h ^= h >> 15;
	}
	return h;
}

/* Returns how many rows differ. */
static int compare(const struct painted *before, const struct painted *after, int rows, int cols,
		   struct row_state *state)
{
	int n = 0;

	for (int row = 0; row < rows; row++) {
		size_t at = (size_t)row * (size_t)cols;

		for (int i = 0; i < cols; i++)
			state[row].n_different += !shift_is_same(before + at + i, after + at + i);
		n += state[row].n_different > 0;
	}
	if (n < MIN_ROWS)
		return n;
	for (int row = 0; row < rows; row++) {
		size_t at = (size_t)row * (size_t)cols;

		for (int i = 0; i < cols; i++)
			state[row].n_written += !shift_is_same(&blank, after + at + i);
		state[row].before = hash_row(before + at, cols);
		state[row].after = state[row].n_different ? hash_row(after + at, cols)
							  : state[row].before;
	}
	return n;
}

static int gain_of(const struct row_state *state, int row, int by)
{
	bool is_right = state[row + by].before == state[row].after;
	bool was_right = state[row].n_different == 0;

	return is_right == was_right ? 0
		: is_right           ? state[row].n_different
				     : -state[row].n_written;
}

/* The best scroll by `by` rows. Returns the cells that it gains. */
static int best_for(const struct row_state *state, int rows, int by, struct scroll *scroll)
{
	int first = by < 0 ? -by : 0, end = by > 0 ? rows - by : rows;
	int sum = 0, from = first, most = 0;

	for (int row = first; row < end; row++) {
		if (sum <= 0) {
			sum = 0;
			from = row;
		}
		sum += gain_of(state, row, by);
		if (sum > most) {
			most = sum;
			*scroll = (struct scroll){ from, row + 1, by };
		}
	}
	if (!most)
		return 0;
	/* The rows that the moved ones come from belong to it; some of them become blank. */
	for (int i = 0; i < abs(by); i++) {
		int row = by > 0 ? scroll->end++ : --scroll->first;

		most -= state[row].n_written - state[row].n_different;
	}
	return most;
}

/* Find the scroll that leaves the fewest cells different. Returns how many cells it makes right; 0:
 * none saves enough. `before` and `after` have rows * cols cells. */
static int scroll_find(const struct painted *before, const struct painted *after, int rows,
		       int cols, struct scroll *scroll)
{
	struct row_state *state = xcalloc((size_t)rows, sizeof *state);
	int most = MIN_GAIN;

	if (compare(before, after, rows, cols, state) >= MIN_ROWS) {
		for (int by = 1 - rows; by < rows; by++) {
			struct scroll found;
			int gain = by ? best_for(state, rows, by, &found) : 0;

			if (gain > most) {
				most = gain;
				*scroll = found;
			}
		}
	}
	free(state);
	return most > MIN_GAIN ? most : 0;
}

/* Move the rows of a picture. */
static void scroll_apply(struct painted *cells, int cols, const struct scroll *scroll)
{
	size_t width = (size_t)cols, n = (size_t)abs(scroll->by) * width;
	struct painted *first = cells + (size_t)scroll->first * width;
	struct painted *end = cells + (size_t)scroll->end * width;
	size_t n_kept = (size_t)(end - first) - n;
	struct painted *empty = scroll->by > 0 ? end - n : first;

	if (scroll->by > 0)
		memmove(first, first + n, n_kept * sizeof *first);
	else
		memmove(first + n, first, n_kept * sizeof *first);
	for (size_t i = 0; i < n; i++)
		empty[i] = blank;
}

/* ==== stroke ====
 *
 * Terms: a cell is plain if only its background is seen (pen_is_plain()). It is own if it looks
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

/* The rows that are on the screen and those that shall be, of pen->cols cells each. A cell that
 * differs has to be written. */
struct stroke_cells {
	struct painted *shown;
	const struct painted *next;
};

#define GAP_MAX 3      /* cells that take fewer bytes to write than to move over */
#define ERASED_MAX 64  /* open cells between two parts that are erased at once */
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
		if (n_texts > GAP_MAX || n_blanks > most)
			return false;
	}
	return true;
}

/* Add the cells [from, end) of a row, which can all be written with `look`. They come after those
 * that were added before, on the screen. */
static void stroke_add(struct strokes *s, const struct pen *pen, const struct stroke_cells *cells,
		       const struct paint *look, const struct stroke *part)
{
	struct stroke *last = s->n ? &s->list[s->n - 1] : NULL;
	size_t at = (size_t)part->row * (size_t)pen->cols;

	if (last && last->row == part->row) {
		bool is_erased = pen->caps.ech && pen_can_erase(pen, look->bg) &&
			pen_is_plain(&cells->next[at + (size_t)part->from]);

		if (can_bridge(cells, at + (size_t)last->end, at + (size_t)part->from, look,
			       is_erased ? ERASED_MAX : GAP_MAX)) {
			last->end = part->end;
			return;
		}
	}
	s->list = xgrow(s->list, &s->cap, s->n + 1, sizeof *s->list);
	s->list[s->n++] = *part;
}

/* ---- writing one ---- */

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
	if (gap.first <= GAP_MAX || gap.last - gap.first > GAP_MAX)
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
		int n = 1;

		if (gap.end) {
			write_gap(pen, gap, i + gap.end == stroke->end, out);
			i += gap.end;
			continue;
		}
		while (!p->mark && i + n < stroke->end && p[n].ch == p->ch && !p[n].mark)
			n++;
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

/* Append what writes all strokes with the look, which the pen has, copy their cells to `shown`, and
 * empty the list. */
static void stroke_write(struct strokes *s, struct pen *pen, const struct stroke_cells *cells,
			 const struct paint *look, struct buf *out)
{
	size_t i;

	while ((i = find_nearest(s, pen)) < s->n) {
		write_one(&s->list[i], pen, cells, look, out);
		s->list[i].to_left = s->list[i].to_right = 1;
	}
	s->n = 0;
}

/* ==== encoder ==== */

#define FULL_BLOCK 0x2588
#define GAP_BYTES 4         /* equal cells that are written again; to move over them takes 3 or 4 */
#define ENCODER_ROWS_NEAR 4 /* above and below the cursor: a piece there may be near */
#define MOVE_MAX 8          /* bytes of a move to others */
#define NOT_POSSIBLE 1000   /* bytes: more than any sequence */

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
	free(e->strokes.list);
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
		/* Attributes that cannot be seen with colours. Colours can be swapped without
		 * reverse. */
		if (paint->attrs & e->pen.caps.uncolored && (paint->fg >= 0 || paint->bg >= 0)) {
			if (paint->attrs & e->pen.caps.uncolored & PAINT_REVERSE)
				*paint = (struct paint){ paint->bg, paint->fg, paint->attrs };
			paint->attrs &= (uint8_t)~e->pen.caps.uncolored;
		}
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
	if (p->paint.bg != look->bg)
		return false;
	if (pen_is_plain(p))
		return !(look->attrs & ON_BLANKS);
	if (look->fg != PEN_NO_INK)
		return is_same_paint(look, &p->paint);
	if (!is_first && p->paint.attrs & ON_BLANKS)
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

/* Find for each group the plain pieces that it could take. */
static void link_groups(struct encoder *e)
{
	for (size_t i = 0; i < e->n_groups; i++) {
		struct group *g = &e->groups[i];
		struct paint look = { PEN_NO_INK, g->look.bg, 0 };
		struct hash_probe probe = hash_probe(hash_look(&look));

		if (g->look.fg == PEN_NO_INK || g->look.attrs & ON_BLANKS)
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

		if (abs(piece->row - e->pen.row) <= ENCODER_ROWS_NEAR)
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
		move = approach_bytes(e, g->first, MOVE_MAX);
		if (g->plain)
			move = approach_bytes(e, e->groups[g->plain - 1].first, move);
		if (bytes + move < least) {
			least = bytes + move;
			best = g;
		}
	}
	return best;
}

static void write_group(struct encoder *e, struct group *g, const struct stroke_cells *cells,
			struct buf *out)
{
	struct group *plain = g->plain ? &e->groups[g->plain - 1] : NULL;
	const struct piece *a = &e->pieces[g->first - 1],
			   *b = plain && plain->first ? &e->pieces[plain->first - 1] : NULL;

	pen_look(&e->pen, &g->look, out);
	/* In the order of the screen. */
	while (a || b) {
		bool is_a = !b || (a && (a->row != b->row ? a->row < b->row : a->from < b->from));
		const struct piece **now = is_a ? &a : &b, *piece = *now;

		stroke_add(&e->strokes, &e->pen, cells, &g->look,
			   &(struct stroke){ piece->row, piece->from, piece->end, 0, 0 });
		*now = piece->next ? &e->pieces[piece->next - 1] : NULL;
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
