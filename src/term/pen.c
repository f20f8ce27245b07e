/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sequences are those of ECMA-48; parameters of a change of look are joined in one. A terminal with
 * others for moves and looks (caps.text) gets these two from terminfo, a look always from the
 * default one.
 *
 * After the last column the column of the cursor counts as unknown, because terminals differ in
 * when they wrap: the next move is absolute. */
#include "config.h"

#include "term/pen.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define SGR_MAX 80 /* bytes of the longest change of look */
#define WEIGHT (PAINT_BOLD | PAINT_DIM)

static const struct paint default_paint = { PAINT_DEFAULT, PAINT_DEFAULT, 0 };

void pen_reset(struct pen *pen, struct buf *out)
{
	if (pen->caps.text) {
		pen->caps.text("sgr0", 0, 0, out);
		pen->caps.text("op", 0, 0, out);
	} else {
		buf_adds(out, "\033[m");
	}
	pen->now = default_paint;
}

/* ---- numbers ---- */

static int digits(int n)
{
	return n < 10 ? 1 : n < 100 ? 2 : n < 1000 ? 3 : 4;
}

static char *put_number(char *p, int n)
{
	char text[12];
	int len = 0;

	do
		text[len++] = (char)('0' + n % 10);
	while (n /= 10);
	while (len)
		*p++ = text[--len];
	return p;
}

void pen_csi(int n, char final, struct buf *out)
{
	char text[16] = "\033[", *p = text + 2;

	if (n != 1)
		p = put_number(p, n);
	*p++ = final;
	buf_add(out, text, (size_t)(p - text));
}

static int csi_bytes(int n)
{
	return n == 1 ? 3 : 3 + digits(n);
}

/* ---- look ---- */

/* The parameters for a colour, each with a separator after it. base: 30 for ink, 40 for
 * background. */
static char *put_color(const struct pen *pen, char *p, int32_t color, int base)
{
	if (color < 0) {
		p = put_number(p, base + 9);
	} else if (pen->caps.colors == PALETTE_DIRECT) {
		p = put_number(p, base + 8);
		*p++ = ';';
		*p++ = '2';
		for (int shift = 16; shift >= 0; shift -= 8) {
			*p++ = ';';
			p = put_number(p, color >> shift & 255);
		}
	} else if (color < 8) {
		p = put_number(p, base + color);
	} else if (color < 16) {
		p = put_number(p, base + 60 + color - 8);
	} else {
		p = put_number(p, base + 8);
		*p++ = ';';
		*p++ = '5';
		*p++ = ';';
		p = put_number(p, color);
	}
	*p++ = ';';
	return p;
}

static const struct {
	unsigned bit;
	char on;
	const char *name; /* of terminfo */
} ons[] = { { PAINT_BOLD, '1', "bold" },
	    { PAINT_DIM, '2', "dim" },
	    { PAINT_UNDERLINE, '4', "smul" },
	    { PAINT_REVERSE, '7', "rev" } };

/* The attributes that are on only from now on, after those that must go have been switched off. */
static char *put_attrs(char *p, unsigned was, unsigned is)
{
	static const struct {
		unsigned bits;
		int off;
	} offs[] = { { PAINT_BOLD | PAINT_DIM, 22 },
		     { PAINT_UNDERLINE, 24 },
		     { PAINT_REVERSE, 27 } };

	for (size_t i = 0; i < ARRAY_LEN(offs); i++) {
		if (was & ~is & offs[i].bits) {
			p = put_number(p, offs[i].off);
			*p++ = ';';
			was &= ~offs[i].bits;
		}
	}
	for (size_t i = 0; i < ARRAY_LEN(ons); i++) {
		if (is & ~was & ons[i].bit) {
			*p++ = ons[i].on;
			*p++ = ';';
		}
	}
	return p;
}

/* What changes only the parts of the pen that differ. Returns the end; its last byte is a
 * separator, or nothing was added. */
static char *put_changes(const struct pen *pen, char *p, const struct paint *from,
			 const struct paint *to)
{
	p = put_attrs(p, from->attrs, to->attrs);
	if (from->fg != to->fg)
		p = put_color(pen, p, to->fg, 30);
	if (from->bg != to->bg)
		p = put_color(pen, p, to->bg, 40);
	return p;
}

void pen_look(struct pen *pen, const struct paint *look, struct buf *out)
{
	char text[SGR_MAX] = "\033[", anew[SGR_MAX] = "\033[0;";
	/* What the terminal writes with afterwards. */
	struct paint to = look->fg != PEN_NO_INK
		? *look
		: (struct paint){ pen->now.fg, look->bg, pen->now.attrs & WEIGHT };
	size_t len = (size_t)(put_changes(pen, text + 2, &pen->now, &to) - text), anew_len;

	if (len == 2)
		return;
	if (pen->caps.text) {
		bool has_default;

		pen->caps.text("sgr0", 0, 0, out);
		has_default = pen->caps.colors == PALETTE_MONO || pen->caps.text("op", 0, 0, out);
		for (size_t i = 0; i < ARRAY_LEN(ons); i++)
			if (to.attrs & ons[i].bit)
				pen->caps.text(ons[i].name, 0, 0, out);
		/* Without default colours, the page is black. */
		if (to.fg >= 0 || !has_default)
			pen->caps.text("setaf", to.fg < 0 ? 7 : to.fg, 0, out);
		if (to.bg >= 0 || !has_default)
			pen->caps.text("setab", to.bg < 0 ? 0 : to.bg, 0, out);
		pen->now = to;
		return;
	}
	/* It may be shorter to start from the default look. */
	anew_len = (size_t)(put_changes(pen, anew + 4, &default_paint, &to) - anew);
	/* The 0 can be left out if nothing follows. */
	if (anew_len == 4)
		anew_len = 3;
	if (anew_len < len || (pen->caps.no_off && pen->now.attrs & ~to.attrs)) {
		memcpy(text, anew, anew_len);
		len = anew_len;
	}
	text[len - 1] = 'm';
	buf_add(out, text, len);
	pen->now = to;
}

struct pen_cost pen_cost(const struct pen *pen, const struct paint *look)
{
	char text[SGR_MAX];

	return (struct pen_cost){
		.fg = (uint8_t)(put_color(pen, text, look->fg, 30) - text),
		.bg = (uint8_t)(put_color(pen, text, look->bg, 40) - text),
	};
}

int pen_look_bytes(const struct pen *pen, const struct paint *look, struct pen_cost cost)
{
	unsigned was = pen->now.attrs, change = was ^ look->attrs;
	int bytes = pen->now.bg != look->bg ? cost.bg : 0;

	if (look->fg == PEN_NO_INK)
		change &= PEN_ON_BLANKS;
	else if (pen->now.fg != look->fg)
		bytes += cost.fg;
	if (change)
		bytes += 3 * __builtin_popcount(change & was) +
			2 * __builtin_popcount(change & look->attrs);
	return bytes ? bytes + 2 : 0;
}

/* ---- moves ---- */

enum way_how { STAY, BACK_TO_FIRST, STEPS, BY_NUMBER, TO_NUMBER };

struct way {
	int bytes;
	enum way_how how;
};

static void take_shorter(struct way *best, int bytes, enum way_how how)
{
	if (bytes < best->bytes)
		*best = (struct way){ bytes, how };
}

static struct way across(const struct pen *pen, int col)
{
	struct way best = { PEN_NOT_POSSIBLE, TO_NUMBER };
	int distance = abs(col - pen->col);

	if (col == pen->col)
		return (struct way){ 0, STAY };
	if (col == 0 && !pen->caps.no_steps)
		take_shorter(&best, 1, BACK_TO_FIRST);
	if (pen->col >= 0 && col < pen->col && !pen->caps.no_steps)
		take_shorter(&best, distance, STEPS);
	if (pen->col >= 0 && (col > pen->col ? pen->caps.cuf : pen->caps.cub))
		take_shorter(&best, csi_bytes(distance), BY_NUMBER);
	if (pen->caps.hpa)
		take_shorter(&best, csi_bytes(col + 1), TO_NUMBER);
	return best;
}

static struct way down(const struct pen *pen, int row)
{
	struct way best = { PEN_NOT_POSSIBLE, TO_NUMBER };

	if (row == pen->row)
		return (struct way){ 0, STAY };
	if (row > pen->row && !pen->caps.no_steps)
		take_shorter(&best, row - pen->row, STEPS);
	if (pen->caps.vpa)
		take_shorter(&best, csi_bytes(row + 1), TO_NUMBER);
	if (row < pen->row && pen->caps.ri)
		take_shorter(&best, 2 * (pen->row - row), STEPS);
	if (row > pen->row ? pen->caps.cud : pen->caps.cuu)
		take_shorter(&best, csi_bytes(abs(row - pen->row)), BY_NUMBER);
	return best;
}

static void go_across(struct pen *pen, const struct way *way, int col, struct buf *out)
{
	if (way->how == BACK_TO_FIRST)
		buf_addc(out, '\r');
	else if (way->how == TO_NUMBER)
		pen_csi(col + 1, 'G', out);
	else if (way->how == BY_NUMBER)
		pen_csi(abs(col - pen->col), col > pen->col ? 'C' : 'D', out);
	else if (way->how == STEPS)
		for (int i = col; i < pen->col; i++)
			buf_addc(out, '\b');
}

static void go_down(struct pen *pen, const struct way *way, int row, struct buf *out)
{
	if (way->how == TO_NUMBER)
		pen_csi(row + 1, 'd', out);
	else if (way->how == BY_NUMBER)
		pen_csi(abs(row - pen->row), row > pen->row ? 'B' : 'A', out);
	else if (way->how == STEPS && row > pen->row)
		for (int i = pen->row; i < row; i++)
			buf_addc(out, '\n');
	else if (way->how == STEPS)
		for (int i = row; i < pen->row; i++)
			buf_adds(out, "\033M");
}

int pen_go_bytes(const struct pen *pen, int row, int col)
{
	int best = col > 0 ? 4 + digits(row + 1) + digits(col + 1)
		: row > 0  ? 3 + digits(row + 1)
			   : 3;

	if (pen->row >= 0) {
		int bytes = across(pen, col).bytes + down(pen, row).bytes;

		best = bytes < best ? bytes : best;
	}
	return best;
}

/* The move by terminfo, unless steps are shorter. */
static void go_by_terminfo(struct pen *pen, int row, int col, struct buf *out)
{
	struct paint look = pen->now;
	BUF_LOCAL move = { 0 };
	struct way x = across(pen, col), y = down(pen, row);

	if (pen->row == row && pen->col == col)
		return;
	if (pen->caps.no_msgr)
		pen_look(pen, &default_paint, out);
	pen->caps.text("cup", row, col, &move);
	if (pen->row >= 0 && (size_t)x.bytes + (size_t)y.bytes < move.len) {
		go_across(pen, &x, col, out);
		go_down(pen, &y, row, out);
	} else {
		buf_add(out, buf_text(&move), move.len);
	}
	if (pen->caps.no_msgr)
		pen_look(pen, &look, out);
	pen->row = row;
	pen->col = col;
}

void pen_go(struct pen *pen, int row, int col, struct buf *out)
{
	char text[24] = "\033[", *p = put_number(text + 2, row + 1);

	if (pen->caps.text) {
		go_by_terminfo(pen, row, col, out);
		return;
	}
	if (col > 0) {
		*p++ = ';';
		p = put_number(p, col + 1);
	} else if (row == 0) {
		p = text + 2;
	}
	*p++ = 'H';
	if (pen->row >= 0) {
		struct way x = across(pen, col), y = down(pen, row);

		if (x.bytes + y.bytes < p - text) {
			/* Sideways first: after the last column, the row is not certain before. */
			go_across(pen, &x, col, out);
			go_down(pen, &y, row, out);
			p = text;
		}
	}
	buf_add(out, text, (size_t)(p - text));
	pen->row = row;
	pen->col = col;
}

/* ---- runs ---- */

static void add_repeated(const struct pen *pen, struct buf *out, uint32_t ch, int n)
{
	char text[MB_LEN_MAX];
	mbstate_t state = { 0 };
	size_t len = pen->caps.by_locale && ch > 0x7e ? wcrtomb(text, (wchar_t)ch, &state)
						      : buf_encode_utf8(ch, text);

	if (len == (size_t)-1)
		text[0] = '?', len = 1;

	for (int i = 0; i < n; i++)
		buf_add(out, text, len);
}

/* Text was written up to column `end`, excluded. */
static void advance(struct pen *pen, int end)
{
	pen->col = end < pen->cols ? end : -1;
	if (pen->col < 0 && pen->caps.wraps)
		pen->row = -1;
}

enum blanks { BY_TEXT, BY_REPEATING, BY_ERASING, BY_ERASING_REST };

static int skip_bytes(const struct pen *pen, int n)
{
	return pen->caps.cuf && n > 0 && csi_bytes(n) < n ? csi_bytes(n) : n;
}

/* on: as in pen_blanks(). */
static enum blanks shortest_blanks(const struct pen *pen, int n, int on)
{
	bool is_rest = !on && pen->is_whole && pen->col + n == pen->cols;
	int rest = on ? skip_bytes(pen, on - n) : 0, least = n + rest;
	enum blanks how = BY_TEXT;

	if (pen->caps.rep && n > 1 && 1 + csi_bytes(n - 1) + rest < least) {
		least = 1 + csi_bytes(n - 1) + rest;
		how = BY_REPEATING;
	}
	if (!pen_can_erase(pen, pen->now.bg))
		return how;
	if (pen->caps.ech && (!on || pen->caps.cuf) &&
	    csi_bytes(n) + (on ? csi_bytes(on) : 0) < least) {
		least = csi_bytes(n) + (on ? csi_bytes(on) : 0);
		how = BY_ERASING;
	}
	return is_rest && pen->caps.el && 3 < least ? BY_ERASING_REST : how;
}

/* Move n columns to the right, over cells that may become blank. */
static void pen_skip(struct pen *pen, int n, struct buf *out)
{
	if (n <= 0)
		return;
	if (skip_bytes(pen, n) < n)
		pen_csi(n, 'C', out);
	else
		add_repeated(pen, out, ' ', n);
	advance(pen, pen->col + n);
}

/* Write n plain cells at the cursor, with the current background. `on`: then the cursor must be so
 * many columns to the right of where it was, and the cells between may become blank; 0: it may be
 * anywhere. */
static void pen_blanks(struct pen *pen, int n, int on, struct buf *out)
{
	if (n <= 0) {
		pen_skip(pen, on, out);
		return;
	}
	switch (shortest_blanks(pen, n, on)) {
	case BY_TEXT:
		add_repeated(pen, out, ' ', n);
		break;
	case BY_REPEATING:
		buf_addc(out, ' ');
		pen_csi(n - 1, 'b', out);
		break;
	case BY_ERASING:
		pen_csi(n, 'X', out);
		if (on) {
			pen_csi(on, 'C', out);
			advance(pen, pen->col + on);
		}
		return;
	case BY_ERASING_REST:
		buf_adds(out, "\033[K");
		return;
	}
	advance(pen, pen->col + n);
	pen_skip(pen, on - n, out);
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

#define GAP_MAX 3      /* cells that take fewer bytes to write than to move over */
#define ERASED_MAX 64  /* open cells between two parts that are erased at once */
#define ROWS_NEAR 3    /* above and below the cursor */
#define NO_CHOICE 1000 /* bytes: more than any move */

enum cell_state { KEPT, OWN, OPEN };

static bool is_own(const struct painted *p, const struct paint *look)
{
	if (p->paint.bg != look->bg)
		return false;
	if (pen_is_plain(p))
		return !(look->attrs & PEN_ON_BLANKS);
	return p->paint.fg == look->fg && p->paint.attrs == look->attrs;
}

static enum cell_state state_of(const struct stroke_cells *cells, size_t at,
				const struct paint *look)
{
	const struct painted *p = &cells->next[at];

	if (is_own(p, look))
		return OWN;
	return pen_is_same(&cells->shown[at], p) ? KEPT : OPEN;
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

void stroke_add(struct strokes *s, const struct pen *pen, const struct stroke_cells *cells,
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
	*ARRAY_ADD(s->list, s->n, s->cap) = *part;
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
		/* Write the character of a cell n times at the cursor. is_wide: it takes two
		 * columns; then n is 1. */
		/* Some terminals inside of others repeat only ASCII. */
		if (p->ch < 0x80 && pen->caps.rep && csi_bytes(n - 1) < n - 1) {
			buf_addc(out, (char)p->ch);
			pen_csi(n - 1, 'b', out);
		} else {
			add_repeated(pen, out, p->ch, n);
		}
		if (p->mark)
			add_repeated(pen, out, p->mark, 1);
		advance(pen, pen->col + (is_wide ? 2 : n));
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
	size_t low = 0;

	SORT_BISECT(low, s->n, middle,
		    s->list[middle].row < row ||
			    (s->list[middle].row == row && s->list[middle].from < col));
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
