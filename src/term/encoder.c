/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Most bytes of a picture are colours, so they are sent as seldom as possible. Terms: a cell is
 * plain if it is a blank without underline and reverse, so that only its background is seen. A
 * piece is a stretch of cells of a row that can be written with one look, that is without a change
 * of colours or attributes; plain cells take any ink. A group is all pieces of the same look.
 *
 * The cells that differ become pieces; a few equal cells between them are written again, because
 * to skip them takes as many bytes. Group by group is written, always the one that takes the fewest
 * bytes to change to, for its look and for the move to its nearest piece; pieces of plain cells go
 * with the first group that has their background. Strokes (pen.h) join the pieces of a group and
 * find their order.
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

/* Rows [first, end) move up by `by` rows, down if it is negative. Rows that nothing moves to become
 * blank. */
struct scroll {
	int first, end;
	int by;
};

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
			state[row].n_different += !pen_is_same(before + at + i, after + at + i);
		n += state[row].n_different > 0;
	}
	if (n < MIN_ROWS)
		return n;
	for (int row = 0; row < rows; row++) {
		size_t at = (size_t)row * (size_t)cols;

		for (int i = 0; i < cols; i++)
			state[row].n_written += !pen_is_same(&blank, after + at + i);
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
	ALLOC_LOCAL struct row_state *state = xcalloc((size_t)rows, sizeof *state);
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

/* ==== shift ====
 *
 * Finds pictures that have moved sideways. A terminal can shift a row with a few bytes; then only
 * the new columns have to be sent. It can also shift only the tail of a row, from a column on: the
 * title of a folded lane stays, and the strip beside it moves.
 *
 * A few rows that differ are compared under each possible shift. A shift scores the cells that are
 * right with it and wrong without it, so that rows of one colour do not count.
 *
 * The best tail of a row for a shift is the one with the largest sum, from the last column on, of
 * cells that the shift makes right, less those that it makes wrong. */

#define MAX_SAMPLES 6
#define TAIL_SAMPLES 3
#define SHIFT_MIN 8 /* cells of a row; a shift takes 10 bytes, a cell 1 to 24 */

/* The columns [*first, *end) that a shift fills with cells of the row; the others are new. */
static void kept_columns(int cols, int shift, int *first, int *end)
{
	*first = shift < 0 ? -shift : 0;
	*end = shift > 0 ? cols - shift : cols;
}

static int count_different(const struct painted *before, const struct painted *after, int cols)
{
	int n = 0;

	for (int i = 0; i < cols; i++)
		n += !pen_is_same(&before[i], &after[i]);
	return n;
}

static uint32_t hash(const struct painted *p)
{
	uint32_t h = p->ch * 0x9e3779b1u + p->mark;

	h = h * 31 + (uint32_t)p->paint.fg;
	h = h * 31 + (uint32_t)p->paint.bg;
	return h * 31 + p->paint.attrs;
}

/* The cells that must stay when a row or tail is shifted. tmux 3.3 does not blank all cells that it
 * inserts if fewer stay than are inserted. */
static int least_kept(int shift)
{
	return shift < 0 ? -shift : 0;
}

/* ---- one row ---- */

/* The cells of a row that a shift makes right; 0: it is not worth it, or would cut a wide
 * character.
 */
static int row_gain(const struct painted *row, const struct painted *after, int cols, int shift)
{
	int first, end, gain;

	kept_columns(cols, shift, &first, &end);
	if (cols - abs(shift) < least_kept(shift) || row[first + shift].ch == 0 ||
	    (end + shift < cols && row[end + shift].ch == 0))
		return 0;
	gain = count_different(row, after, cols);
	for (int i = 0; i < cols; i++)
		gain -= !pen_is_same(i >= first && i < end ? &row[i + shift] : &blank, &after[i]);
	return gain < SHIFT_MIN ? 0 : gain;
}

/* ---- the shift ---- */

struct samples {
	int n, cols;
	int most;                 /* rows that there is room for */
	uint32_t *before, *after; /* n * cols */
	int n_different;
};

static void open_samples(struct samples *s, int most, int cols)
{
	size_t size = (size_t)most * (size_t)cols;

	*s = (struct samples){ .cols = cols, .most = most };
	s->before = xcalloc(size, sizeof *s->before);
	s->after = xcalloc(size, sizeof *s->after);
}

static void close_samples(struct samples *s)
{
	free(s->before);
	free(s->after);
}

/* Take some rows that differ in more than 1/part of their cells, less those that `shift` makes
 * right, evenly spread. */
static void take_samples(struct samples *s, const struct painted *before,
			 const struct painted *after, int rows, int part, int shift)
{
	ALLOC_LOCAL int *candidates = xcalloc((size_t)rows, sizeof *candidates);
	int n = 0;

	for (int row = 0; row < rows; row++) {
		size_t at = (size_t)row * (size_t)s->cols;
		int wrong = count_different(before + at, after + at, s->cols);

		if (wrong > s->cols / part && shift)
			wrong -= row_gain(before + at, after + at, s->cols, shift);
		if (wrong > s->cols / part)
			candidates[n++] = row;
	}
	s->n = n < s->most ? n : s->most;
	for (int i = 0; i < s->n; i++) {
		size_t from = (size_t)candidates[i * n / s->n] * (size_t)s->cols,
		       to = (size_t)i * (size_t)s->cols;

		for (size_t c = 0; c < (size_t)s->cols; c++) {
			s->before[to + c] = hash(&before[from + c]);
			s->after[to + c] = hash(&after[from + c]);
			s->n_different += s->before[to + c] != s->after[to + c];
		}
	}
}

static int count_gained(const struct samples *s, int shift)
{
	int first, end, n = 0;

	kept_columns(s->cols, shift, &first, &end);
	for (int row = 0; row < s->n; row++) {
		const uint32_t *before = s->before + (size_t)row * (size_t)s->cols;
		const uint32_t *after = s->after + (size_t)row * (size_t)s->cols;

		for (int i = first; i < end; i++)
			n += (after[i] == before[i + shift]) & (after[i] != before[i]);
	}
	return n;
}

/* The distance for which most cells are right with it and wrong without it; *most: how many. */
static int find_distance(const struct samples *s, int *most)
{
	int best = 0;

	*most = 0;
	for (int distance = 1; s->n && distance < s->cols; distance++) {
		for (int sign = -1; sign <= 1; sign += 2) {
			int n = count_gained(s, sign * distance);

			if (n > *most) {
				*most = n;
				best = sign * distance;
			}
		}
	}
	return best;
}

/* The number of columns by which most differing cells have moved: to the left, if negative to the
 * right; 0: they have not. `before` and `after` have rows * cols cells. */
static int shift_find(const struct painted *before, const struct painted *after, int rows, int cols)
{
	struct samples s;
	int best, most;

	open_samples(&s, MAX_SAMPLES, cols);
	take_samples(&s, before, after, rows, 4, 0);
	best = find_distance(&s, &most);
	close_samples(&s);
	return most > s.n_different / 4 ? best : 0;
}

/* ---- rows ---- */

/* The number of cells that a shift of the rows that are worth it makes right. */
static int shift_gain(const struct painted *before, const struct painted *after, int rows, int cols,
		      int shift)
{
	int gain = 0;

	for (int row = 0; row < rows; row++) {
		size_t at = (size_t)row * (size_t)cols;

		gain += row_gain(before + at, after + at, cols, shift);
	}
	return gain;
}

/* Shift a row and fill it up with blanks. False: the row is unchanged, because a shift would save
 * too little on the way to `after`, or would cut a wide character. */
static bool shift_row(struct painted *row, const struct painted *after, int cols, int shift)
{
	int first, end;

	if (!row_gain(row, after, cols, shift))
		return false;
	kept_columns(cols, shift, &first, &end);
	memmove(row + first, row + first + shift, (size_t)(end - first) * sizeof *row);
	for (int i = 0; i < cols; i++)
		if (i < first || i >= end)
			row[i] = blank;
	return true;
}

/* ---- tails ---- */

/* The cells that a shift of a tail makes right, less those that it makes wrong, and where the best
 * tail begins. All are hashes. */
static int best_tail(const uint32_t *before, const uint32_t *after, int cols, int shift, int *from)
{
	const uint32_t none = hash(&blank);
	int n = abs(shift), kept = 0, blanks = 0, most = 0;

	/* Where cells go to the left, the last ones become blank, whatever the tail is. */
	for (int i = cols - n; shift > 0 && i < cols; i++)
		kept += (after[i] == none) - (after[i] == before[i]);
	/* Where they go to the right, the first n of the tail become blank: [at, at + n). */
	for (int i = cols - n; shift < 0 && i < cols; i++)
		blanks += (after[i] == none) - (after[i] == before[i]);
	for (int at = cols - n - 1; at > 0; at--) {
		int to = shift > 0 ? at : at + n; /* the cell that joins the kept ones */

		kept += (after[to] == before[to + shift]) - (after[to] == before[to]);
		if (shift < 0)
			blanks += (after[at] == none) - (after[at] == before[at]) -
				(after[to] == none) + (after[to] == before[to]);
		if (kept + blanks > most && cols - at - n >= least_kept(shift)) {
			most = kept + blanks;
			*from = at;
		}
	}
	return most;
}

/* The number of columns by which tails of rows have moved, where `shift`, of whole rows, leaves
 * much to be sent; 0: they have not. */
static int shift_find_tail(const struct painted *before, const struct painted *after, int rows,
			   int cols, int shift)
{
	struct samples s;
	int best, most, gain = 0, from;

	open_samples(&s, TAIL_SAMPLES, cols);
	take_samples(&s, before, after, rows, 8, shift);
	best = find_distance(&s, &most);
	for (int row = 0; row < s.n && most >= SHIFT_MIN; row++) {
		size_t at = (size_t)row * (size_t)cols;
		int tail = best_tail(s.before + at, s.after + at, cols, best, &from);

		gain += tail < SHIFT_MIN ? 0 : tail;
	}
	close_samples(&s);
	return gain > 2 * SHIFT_MIN ? best : 0;
}

/* The number of cells that a shift of the best tail of a row makes right; 0: none is worth it.
 * *from: its first column. */
static int shift_tail_gain(const struct painted *before, const struct painted *after, int cols,
			   int shift, int *from)
{
	size_t n = (size_t)cols;
	ALLOC_LOCAL uint32_t *hashes = NULL;
	bool cuts_wide;
	int gain;

	*from = 0;
	if (!shift || abs(shift) >= cols)
		return 0;
	hashes = xcalloc(2 * n, sizeof *hashes);
	for (size_t i = 0; i < n; i++) {
		hashes[i] = hash(&before[i]);
		hashes[n + i] = hash(&after[i]);
	}
	gain = best_tail(hashes, hashes + n, cols, shift, from);
	cuts_wide = before[*from].ch == 0 || before[(shift > 0 ? *from : cols) + shift].ch == 0;
	return gain < SHIFT_MIN || cuts_wide ? 0 : gain;
}

/* Shift the tail of a row and fill it up with blanks. */
static void shift_tail(struct painted *row, int from, int cols, int shift)
{
	int n = abs(shift), n_kept = cols - from - n;
	int first = shift > 0 ? from : from + n;

	memmove(row + first, row + first + shift, (size_t)n_kept * sizeof *row);
	for (int i = shift > 0 ? cols - n : from; n > 0; n--, i++)
		row[i] = blank;
}

/* ==== encoder ==== */

#define FULL_BLOCK 0x2588
#define GAP_BYTES 4 /* equal cells that are written again; to move over them takes 3 or 4 */
#define ROWS_NEAR 4 /* above and below the cursor: a piece there may be near */
#define MOVE_MAX 8  /* bytes of a move to others */

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
		return !(look->attrs & PEN_ON_BLANKS);
	if (look->fg != PEN_NO_INK)
		return is_same_paint(look, &p->paint);
	if (!is_first && p->paint.attrs & PEN_ON_BLANKS)
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
		if (!pen_is_same(&shown[i], p)) {
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
		if (pen_is_same(&shown[i], &next[i])) {
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

		if (g->look.fg == PEN_NO_INK || g->look.attrs & PEN_ON_BLANKS)
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
	int least = PEN_NOT_POSSIBLE;

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
