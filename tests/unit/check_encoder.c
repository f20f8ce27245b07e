/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the encoder sends, on a terminal with any abilities: after each update the terminal shows
 * the picture. And that it is short: exact sequences, and bytes that each ability saves. */
#include "config.h"

#define SUITE_OF_MANY

#include "term/encoder.h"

#include "emulator.h"
#include "suite.h"

#include <check.h>
#include <locale.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define ALL_ATTRS (PAINT_BOLD | PAINT_DIM | PAINT_UNDERLINE | PAINT_REVERSE)

static const struct caps all_caps = {
	.colors = PALETTE_256,
	.attrs = ALL_ATTRS,
	.bce = true,
	.rep = true,
	.ech = true,
	.el = true,
	.cuf = true,
	.cub = true,
	.hpa = true,
	.vpa = true,
	.cuu = true,
	.cud = true,
	.ri = true,
	.ich = true,
	.dch = true,
	.il = true,
	.dl = true,
};

static const struct paint plain = { PAINT_DEFAULT, PAINT_DEFAULT, 0 };
static const struct painted blank = { ' ', 0, { PAINT_DEFAULT, PAINT_DEFAULT, 0 } };

static uint64_t rng;

static int below(int n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (int)((rng >> 11) % (uint64_t)n);
}

static void set_seed(int seed)
{
	rng = UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(seed + 1);
	for (int i = 0; i < 8; i++)
		below(2);
}

/* ---- what a user sees ---- */

#define TEXT_COLOR (-1) /* the terminal's own colours */
#define PAGE_COLOR (-2)

struct seen {
	uint32_t ch, mark;
	int32_t ink, fill;
	unsigned attrs;
};

/* The look of a cell, without what cannot be seen of it. */
static struct seen see(uint32_t ch, uint32_t mark, int32_t fg, int32_t bg, unsigned attrs)
{
	struct seen s = { ch, mark, fg < 0 ? TEXT_COLOR : fg, bg < 0 ? PAGE_COLOR : bg,
			  attrs & ALL_ATTRS };

	if (attrs & PAINT_REVERSE) {
		int32_t ink = s.ink;

		s.ink = s.fill;
		s.fill = ink;
		s.attrs &= ~(unsigned)PAINT_REVERSE;
		/* Bold may change what is the background now. */
		if (attrs & (PAINT_BOLD | PAINT_DIM))
			s.attrs |= PAINT_REVERSE;
	}
	if (ch == 0x2588 && s.attrs == 0) {
		s.ch = ' ';
		s.fill = s.ink;
	}
	if (s.ch == ' ') {
		s.mark = 0;
		if (!(s.attrs & (PAINT_UNDERLINE | PAINT_REVERSE)))
			s.attrs = 0;
		if (!s.attrs)
			s.ink = 0;
	}
	return s;
}

static bool is_same_look(struct seen a, struct seen b)
{
	return a.ch == b.ch && a.mark == b.mark && a.ink == b.ink && a.fill == b.fill &&
		a.attrs == b.attrs;
}

/* ---- a terminal and what is sent to it ---- */

struct stage {
	struct caps caps;
	struct encoder encoder;
	struct emulator terminal;
	int rows, cols; /* of the pictures */
	struct painted *picture, *shown, *next;
	struct buf out;
	int number; /* of the picture */
};

static void stage_open(struct stage *s, const struct caps *caps, bool has_bce, int rows, int cols,
		       bool is_whole)
{
	size_t n = (size_t)(rows * cols);

	*s = (struct stage){ .caps = *caps, .rows = rows, .cols = cols };
	encoder_open(&s->encoder, &s->caps);
	encoder_resize(&s->encoder, rows, cols, is_whole);
	/* A larger terminal. */
	emulator_open(&s->terminal, &s->caps, has_bce, rows + !is_whole, cols + 3 * !is_whole);
	s->picture = xcalloc(n, sizeof *s->picture);
	s->shown = xcalloc(n, sizeof *s->shown);
	s->next = xcalloc(n, sizeof *s->next);
	for (size_t i = 0; i < n; i++)
		s->picture[i] = blank;
}

static void stage_close(struct stage *s)
{
	encoder_close(&s->encoder);
	emulator_close(&s->terminal);
	free(s->picture);
	free(s->shown);
	free(s->next);
	buf_done(&s->out);
}

/* Send what was appended. Returns the number of bytes. */
static size_t send(struct stage *s)
{
	size_t len = s->out.len;

	emulator_take(&s->terminal, buf_text(&s->out), len);
	buf_clear(&s->out);
	return len;
}

/* The paint as a terminal can show it. */
static struct paint shown_paint(const struct stage *s, struct paint paint)
{
	unsigned lost = s->caps.uncolored;

	paint.attrs &= s->caps.attrs;
	if (paint.fg < 0 && paint.bg < 0)
		return paint;
	if (paint.attrs & lost & PAINT_REVERSE)
		paint = (struct paint){ paint.bg, paint.fg, paint.attrs };
	paint.attrs &= (uint8_t)~lost;
	return paint;
}

static int32_t color_on(const struct stage *s, int32_t color)
{
	return s->caps.colors == PALETTE_DIRECT && color >= 0 ? EMULATOR_DIRECT | color : color;
}

/* A terminal that is larger than the pictures is blank outside of them. */
static void compare_outside(const struct stage *s)
{
	const struct emulator *t = &s->terminal;

	for (int i = 0; i < t->rows * t->cols; i++)
		if (i / t->cols >= s->rows || i % t->cols >= s->cols)
			emulator_need(t->cells[i].ch == ' ' && t->cells[i].bg == PAINT_DEFAULT,
				      "picture %d: cell %d %d is outside", s->number, i / t->cols,
				      i % t->cols);
}

/* The terminal shows these cells. */
static void compare(const struct stage *s, const struct painted *cells)
{
	compare_outside(s);
	for (int row = 0; row < s->rows; row++) {
		for (int col = 0; col < s->cols; col++) {
			const struct painted *p = &cells[row * s->cols + col];
			const struct emulator_cell *c =
				&s->terminal.cells[row * s->terminal.cols + col];
			struct paint paint = shown_paint(s, p->paint);

			if (p->ch == 0) {
				emulator_need(c->ch == 0, "picture %d: cell %d %d is no half",
					      s->number, row, col);
				continue;
			}
			emulator_need(
				is_same_look(see(c->ch, c->mark, c->fg, c->bg, c->attrs),
					     see(p->ch, p->mark, color_on(s, paint.fg),
						 color_on(s, paint.bg), paint.attrs)),
				"picture %d: cell %d %d is %x %x %x %x %x, not %x %x %x %x %x",
				s->number, row, col, (unsigned)c->ch, (unsigned)c->mark,
				(unsigned)c->fg, (unsigned)c->bg, c->attrs, (unsigned)p->ch,
				(unsigned)p->mark, (unsigned)p->paint.fg, (unsigned)p->paint.bg,
				p->paint.attrs);
		}
	}
}

/* Make the picture the next one. */
static void prepare(struct stage *s)
{
	size_t n = (size_t)(s->rows * s->cols);

	s->number++;
	/* As term.c does. */
	if (s->caps.wraps) {
		if (s->picture[n - 1].ch == 0)
			s->picture[n - 2] = blank;
		s->picture[n - 1] = blank;
	}
	memcpy(s->next, s->picture, n * sizeof *s->next);
	for (int row = 0; row < s->rows; row++)
		encoder_normalize(&s->encoder, s->next + row * s->cols, s->cols);
	encoder_begin(&s->encoder, s->shown, s->next, &s->out);
}

/* Send the picture as a whole. Returns the number of bytes. */
static size_t show(struct stage *s)
{
	size_t len;

	prepare(s);
	encoder_rows(&s->encoder, s->shown, s->next, 0, s->rows, &s->out);
	len = send(s);
	compare(s, s->picture);
	return len;
}

static void clear(struct stage *s)
{
	encoder_clear(&s->encoder, s->shown, &s->out);
	send(s);
	compare(s, s->shown);
}

/* ---- random pictures ---- */

static const uint32_t narrow[] = { 'a', 'b', 'c',  'a',    'a',    ' ',    ' ',
				   ' ', '-', 0xe4, 0x2588, 0x2591, 0x2026, 0x1d400 };
static const uint32_t wide[] = { 0x6f22, 0x5b57, 0xff21, 0x1f600 };

static int32_t random_color(const struct stage *s)
{
	static const int counts[] = { [PALETTE_MONO] = 0,
				      [PALETTE_8] = 8,
				      [PALETTE_16] = 16,
				      [PALETTE_256] = 256 };

	if (s->caps.colors == PALETTE_MONO || below(4) == 0)
		return PAINT_DEFAULT;
	if (s->caps.colors == PALETTE_DIRECT)
		return below(3) ? 0x5f8700 + below(4) : below(1 << 24);
	return below(3) ? below(4) : below(counts[s->caps.colors]);
}

static struct paint random_paint(const struct stage *s)
{
	struct paint paint = { random_color(s), random_color(s), 0 };

	if (below(3) == 0)
		paint.attrs = (uint8_t)(below(32) & ALL_ATTRS);
	return paint;
}

/* Put a character; a wide one whose half is overwritten becomes a blank. */
static void put(struct stage *s, int row, int col, uint32_t ch, uint32_t mark, struct paint paint)
{
	struct painted *cells = s->picture + row * s->cols;
	int width = 1;

	for (size_t i = 0; i < ARRAY_LEN(wide); i++)
		width += ch == wide[i];
	if (col + width > s->cols)
		return;
	if (cells[col].ch == 0)
		cells[col - 1].ch = ' ';
	if (col + width < s->cols && cells[col + width].ch == 0)
		cells[col + width] = blank;
	cells[col] = (struct painted){ ch, mark, paint };
	/* What is in the right half does not count. */
	if (width == 2)
		cells[col + 1] = (struct painted){ 0, mark, { 1, 2, PAINT_BOLD } };
}

static uint32_t random_char(void)
{
	return below(8) ? narrow[below((int)ARRAY_LEN(narrow))] : wide[below((int)ARRAY_LEN(wide))];
}

/* Text in boxes, as a chart has: a label, then the same character up to the end. */
static void put_boxes(struct stage *s, int row, int from, int end)
{
	for (int col = from; col < end;) {
		struct paint paint = random_paint(s);
		int width = 1 + below(below(3) ? 6 : s->cols), label = below(width + 1);
		uint32_t filler = below(2) ? ' ' : random_char();

		for (int i = 0; i < width && col < end; i++) {
			put(s, row, col, i < label ? random_char() : filler, below(12) ? 0 : 0x301,
			    paint);
			col++;
			if (col < s->cols && s->picture[row * s->cols + col].ch == 0)
				col++;
		}
	}
}

/* Other characters in the same looks. */
static void change_text(struct stage *s, int row)
{
	struct painted *cells = s->picture + row * s->cols;

	for (int col = 0; col < s->cols; col++)
		if (cells[col].ch && below(2))
			put(s, row, col,
			    col + 1 < s->cols && cells[col + 1].ch == 0 ? wide[below(4)] : 'z', 0,
			    cells[col].paint);
}

static void move_sideways(struct stage *s, int by)
{
	for (int row = below(s->rows); row < s->rows; row++) {
		struct painted *cells = s->picture + row * s->cols,
			       *was = xcalloc((size_t)s->cols, sizeof *was);

		memcpy(was, cells, (size_t)s->cols * sizeof *was);
		put_boxes(s, row, 0, s->cols);
		for (int col = 0; col + 1 < s->cols; col++) {
			int from = col + by;

			if (from >= 0 && from + 1 < s->cols && was[from].ch && was[from + 1].ch)
				put(s, row, col, was[from].ch, was[from].mark, was[from].paint);
		}
		free(was);
	}
}

/* From a column on, some rows move. */
static void move_tails(struct stage *s, int by)
{
	int from = below(s->cols);

	for (int row = below(s->rows); row < s->rows; row++) {
		struct painted *cells = s->picture + row * s->cols,
			       *was = xcalloc((size_t)s->cols, sizeof *was);

		memcpy(was, cells, (size_t)s->cols * sizeof *was);
		for (int col = from; col + 1 < s->cols; col++) {
			int old = col + by;

			if (old >= from && old + 1 < s->cols && was[old].ch && was[old + 1].ch)
				put(s, row, col, was[old].ch, was[old].mark, was[old].paint);
			else
				put(s, row, col, random_char(), 0, random_paint(s));
		}
		free(was);
	}
}

static void move_up_or_down(struct stage *s)
{
	int from = below(s->rows), n = 1 + below(s->rows - from), by = 1 + below(n);
	size_t row_size = (size_t)s->cols * sizeof *s->picture;
	struct painted *top = s->picture + from * s->cols, *moved = top + by * s->cols;

	if (below(2))
		memmove(moved, top, (size_t)(n - by) * row_size);
	else
		memmove(top, moved, (size_t)(n - by) * row_size);
}

static void change(struct stage *s)
{
	int n = 1 + below(6);

	switch (below(10)) {
	case 0:
		for (int row = 0; row < s->rows; row++)
			put_boxes(s, row, 0, s->cols);
		break;
	case 1:
	case 2:
		move_up_or_down(s);
		break;
	case 3:
		move_sideways(s, below(9) - 4);
		break;
	case 9:
		move_tails(s, below(17) - 8);
		break;
	case 4:
		for (int row = below(s->rows); row < s->rows; row++)
			for (int col = below(s->cols); col < s->cols; col++)
				put(s, row, col, ' ', 0, random_paint(s));
		break;
	case 5:
		change_text(s, below(s->rows));
		break;
	default:
		for (int i = 0; i < n; i++) {
			int row = below(s->rows), col = below(s->cols);

			put_boxes(s, row, col, col + below(s->cols - col + 1));
		}
	}
}

/* A picture in parts, of which the last ones may never come. */
static void show_in_parts(struct stage *s)
{
	prepare(s);
	for (int row = 0; row < s->rows && below(4);) {
		int end = row + 1 + below(s->rows - row);

		encoder_rows(&s->encoder, s->shown, s->next, row, end, &s->out);
		row = end;
	}
	send(s);
	compare(s, s->shown);
}

static void move_cursor(struct stage *s)
{
	int row = below(s->rows), col = below(s->cols);

	pen_go(&s->encoder.pen, row, col, &s->out);
	send(s);
	ck_assert_int_eq(s->terminal.row, row);
	ck_assert_int_eq(s->terminal.col, col);
	ck_assert(!s->terminal.is_past);
}

static struct caps random_caps(int loop)
{
	struct caps caps = all_caps;
	bool *const flags[] = { &caps.el,  &caps.cuf, &caps.cub, &caps.hpa, &caps.vpa, &caps.cuu,
				&caps.cud, &caps.ri,  &caps.ich, &caps.dch, &caps.il,  &caps.dl };

	caps.colors = (enum palette_mode)(loop % 5);
	caps.bce = loop / 5 & 1;
	caps.rep = loop / 10 & 1;
	caps.ech = loop / 20 & 1;
	if (below(2))
		for (size_t i = 0; i < ARRAY_LEN(flags); i++)
			*flags[i] = below(3) > 0;
	if (below(4) == 0)
		caps.attrs = (uint8_t)(below(32) & ALL_ATTRS);
	return caps;
}

/* A terminal with sequences of its own. */
static bool own_text(const char *capability, int a, int b, struct buf *out)
{
	static const struct {
		const char *name, *text;
	} texts[] = {
		{ "sgr0", "\033[0m" }, { "op", "\033[39;49m" }, { "clear", "\033[1;1f\033[J" },
		{ "bold", "\033[1m" }, { "dim", "\033[2m" },    { "smul", "\033[4m" },
		{ "rev", "\033[7m" }
	};

	if (!strcmp(capability, "cup"))
		buf_addf(out, "\033[%d;%df", a + 1, b + 1);
	else if (!strcmp(capability, "setaf") || !strcmp(capability, "setab"))
		buf_addf(out, "\033[%d8;5;%dm", capability[4] == 'f' ? 3 : 4, a);
	else
		for (size_t i = 0; i < ARRAY_LEN(texts); i++)
			if (!strcmp(capability, texts[i].name))
				buf_adds(out, texts[i].text);
	return true;
}

static void add_oddities(struct caps *caps)
{
	caps->wraps = below(2);
	caps->no_steps = below(2);
	caps->no_off = below(2);
	caps->by_locale = setlocale(LC_ALL, "C.UTF-8") && below(2);
	caps->uncolored = (uint8_t)(below(2) ? below(32) & ALL_ATTRS : 0);
	if (below(2) || (caps->colors != PALETTE_MONO && caps->colors != PALETTE_256))
		return;
	caps->text = own_text;
	caps->no_msgr = below(2);
	caps->cuf &= !caps->no_msgr;
}

#define ABILITIES 40 /* five colour modes; with and without bce, rep, ech */
#define PICTURES 250 /* for each: 10,000 */

static void show_pictures(int loop, bool has_oddities)
{
	set_seed(loop);
	for (int n = 0; n < PICTURES;) {
		struct caps caps = random_caps(loop);
		struct stage s;

		if (has_oddities)
			add_oddities(&caps);
		stage_open(&s, &caps, caps.bce || below(4) == 0, 1 + below(below(8) ? 12 : 40),
			   2 + below(below(8) ? 40 : 160), below(8) > 0);
		clear(&s);
		for (int i = 0; i < 10; i++, n++) {
			change(&s);
			if (below(3) == 0)
				show_in_parts(&s);
			show(&s);
			if (below(4) == 0)
				move_cursor(&s);
			if (below(16) == 0)
				clear(&s);
			show(&s);
			ck_assert_uint_eq(show(&s), 0);
		}
		stage_close(&s);
	}
}

START_TEST(the_terminal_shows_each_picture)
{
	show_pictures(_i, false);
}
END_TEST

START_TEST(odd_terminal_shows_each_picture)
{
	show_pictures(_i, true);
}
END_TEST

/* ---- exact sequences ---- */

#define ROWS 16
#define COLS 120

/* A cleared terminal, whose sequences are not compared. */
static void stage_begin(struct stage *s, const struct caps *caps)
{
	stage_open(s, caps, caps->bce, ROWS, COLS, true);
	clear(s);
}

/* Put text of one look at a place of the picture. */
static void draw(struct stage *s, int row, int col, const char *text, struct paint paint)
{
	for (; *text; text++, col++)
		put(s, row, col, (unsigned char)*text, 0, paint);
}

static void expect(struct stage *s, const char *text)
{
	prepare(s);
	encoder_rows(&s->encoder, s->shown, s->next, 0, s->rows, &s->out);
	ck_assert_str_eq(buf_text(&s->out), text);
	send(s);
	compare(s, s->picture);
}

static const struct move_case {
	int from_row, from_col, row, col;
	const char *text;
} move_cases[] = {
	{ 3, 5, 3, 5, "" },           { 3, 5, 3, 0, "\r" },           { 3, 5, 3, 6, "\033[C" },
	{ 3, 5, 3, 8, "\033[3C" },    { 3, 5, 3, 2, "\b\b\b" },       { 3, 95, 3, 8, "\033[9G" },
	{ 3, 95, 3, 85, "\033[10D" }, { 3, 5, 5, 5, "\n\n" },         { 3, 5, 4, 4, "\b\n" },
	{ 3, 5, 9, 5, "\033[6B" },    { 9, 5, 11, 5, "\n\n" },        { 14, 5, 11, 5, "\033[3A" },
	{ 3, 5, 5, 0, "\r\n\n" },     { 3, 5, 7, 0, "\033[8H" },      { 3, 5, 4, 15, "\033[10C\n" },
	{ 3, 5, 2, 5, "\033M" },      { 3, 5, 2, 4, "\b\033M" },      { 1, 5, 0, 5, "\033M" },
	{ 3, 5, 1, 5, "\033[2d" },    { 3, 95, 1, 40, "\033[2;41H" }, { 3, 95, 0, 0, "\033[H" },
	{ 11, 95, 2, 0, "\033[3H" },
};

START_TEST(moves_are_the_shortest)
{
	const struct move_case *c = &move_cases[_i];
	struct stage s;

	stage_begin(&s, &all_caps);
	pen_go(&s.encoder.pen, c->from_row, c->from_col, &s.out);
	send(&s);
	pen_go(&s.encoder.pen, c->row, c->col, &s.out);
	ck_assert_str_eq(buf_text(&s.out), c->text);
	send(&s);
	ck_assert_int_eq(s.terminal.row, c->row);
	ck_assert_int_eq(s.terminal.col, c->col);
	stage_close(&s);
}
END_TEST

static const struct look_case {
	enum palette_mode colors;
	struct paint first, second;
	const char *text; /* between them */
} look_cases[] = {
	{ PALETTE_256, { 20, 30, 0 }, { 20, 30, 0 }, "" },
	{ PALETTE_256, { 20, 30, 0 }, { 21, 30, 0 }, "\033[38;5;21m" },
	{ PALETTE_256, { 20, 30, 0 }, { 20, 31, 0 }, "\033[48;5;31m" },
	{ PALETTE_256, { 20, 30, 0 }, { 21, 31, 0 }, "\033[38;5;21;48;5;31m" },
	{ PALETTE_256, { 20, 30, 0 }, { 1, 10, 0 }, "\033[31;102m" },
	{ PALETTE_256, { 20, 30, 0 }, { -1, 30, PAINT_BOLD }, "\033[1;39m" },
	{ PALETTE_256, { 20, 30, PAINT_BOLD }, { 20, 30, PAINT_DIM }, "\033[22;2m" },
	{ PALETTE_256, { 20, 30, PAINT_BOLD | PAINT_DIM }, { 20, 30, PAINT_DIM }, "\033[22;2m" },
	{ PALETTE_256, { 20, 30, PAINT_UNDERLINE }, { 20, 30, PAINT_REVERSE }, "\033[24;7m" },
	{ PALETTE_256, { 20, 30, PAINT_REVERSE }, { 20, 30, 0 }, "\033[27m" },
	{ PALETTE_256, { 20, 30, PAINT_BOLD }, { -1, -1, 0 }, "\033[m" },
	{ PALETTE_256, { 20, 30, ALL_ATTRS }, { 5, -1, 0 }, "\033[0;35m" },
	{ PALETTE_16, { 1, 2, 0 }, { 9, 15, 0 }, "\033[91;107m" },
	{ PALETTE_8, { 1, 2, 0 }, { 7, 2, 0 }, "\033[37m" },
	{ PALETTE_DIRECT, { 1, 2, 0 }, { 0x102030, 2, 0 }, "\033[38;2;16;32;48m" },
	{ PALETTE_DIRECT, { 1, 2, 0 }, { 1, 0xff0007, 0 }, "\033[48;2;255;0;7m" },
	{ PALETTE_MONO, { -1, -1, PAINT_REVERSE }, { -1, -1, PAINT_BOLD }, "\033[0;1m" },
};

START_TEST(only_the_part_of_a_look_that_differs_is_sent)
{
	const struct look_case *c = &look_cases[_i];
	struct caps caps = all_caps;
	struct buf text = { 0 };
	struct stage s;

	caps.colors = c->colors;
	stage_begin(&s, &caps);
	draw(&s, 0, 0, "a", c->first);
	show(&s);
	draw(&s, 0, 1, "b", c->second);
	buf_addf(&text, "%sb", c->text);
	expect(&s, buf_text(&text));
	buf_done(&text);
	stage_close(&s);
}
END_TEST

/* How many bytes a change of colours is said to take, and takes. A change that is shorter from the
 * default look on takes less. */
START_TEST(the_cost_of_a_look_is_what_it_takes)
{
	static const enum palette_mode modes[] = { PALETTE_8, PALETTE_256, PALETTE_DIRECT };
	int n_exact = 0;

	set_seed(7);
	for (int i = 0; i < 600; i++) {
		struct caps caps = all_caps;
		bool is_direct = i % 3 == 2;
		int most = is_direct ? 1 << 24 : i % 3 ? 256 : 8;
		struct paint was = { below(most), below(most), 0 },
			     is = { below(4) ? below(most) : was.fg,
				    below(4) ? below(most) : was.bg, 0 };
		struct buf out = { 0 };
		struct stage s;
		int bytes;

		caps.colors = modes[i % 3];
		stage_begin(&s, &caps);
		pen_look(&s.encoder.pen, &was, &s.out);
		send(&s);
		bytes = pen_look_bytes(&s.encoder.pen, &is, pen_cost(&s.encoder.pen, &is));
		pen_look(&s.encoder.pen, &is, &out);
		ck_assert_msg(bytes == (int)out.len, "%d,%d to %d,%d: %d, not %zu", was.fg, was.bg,
			      is.fg, is.bg, bytes, out.len);
		n_exact += bytes > 0;
		buf_done(&out);
		stage_close(&s);
	}
	ck_assert_int_gt(n_exact, 300);
}
END_TEST

START_TEST(plain_cells_take_any_ink)
{
	static const struct paint ink = { 3, 4, PAINT_BOLD }, other = { 5, 4, 0 };
	struct stage s;

	stage_begin(&s, &all_caps);
	draw(&s, 0, 0, "a", ink);
	draw(&s, 0, 1, "  ", other);
	draw(&s, 0, 3, "b", ink);
	/* Other pieces with that background go with the first ink, in their order. */
	draw(&s, 1, 1, "  ", other);
	draw(&s, 2, 4, "c", ink);
	draw(&s, 2, 5, "d", other);
	expect(&s, "\033[1;33;44ma  b\n\nc\033[2;2H  \033[22;35m\033[2C\nd");
	/* A change of ink that is not seen. */
	draw(&s, 0, 1, "  ", ink);
	expect(&s, "");
	put(&s, 0, 1, ' ', 0x301, ink);
	expect(&s, "");
	/* Neither ink nor weight changes for plain cells. */
	draw(&s, 3, 0, "x", ink);
	show(&s);
	draw(&s, 3, 1, " ", (struct paint){ 0, 7, 0 });
	expect(&s, "\033[47m ");
	stage_close(&s);
}
END_TEST

START_TEST(ink_of_equal_cells_does_not_choose_the_look)
{
	static const struct paint ink = { 3, 4, 0 }, other = { 5, 4, 0 };
	struct stage s;

	stage_begin(&s, &all_caps);
	draw(&s, 0, 0, "xbcx", ink);
	show(&s);
	draw(&s, 1, 0, "q", other);
	show(&s);
	draw(&s, 0, 0, " bc ", ink);
	expect(&s, "\033[H \033[2C ");
	stage_close(&s);
}
END_TEST

START_TEST(right_half_has_no_look_of_its_own)
{
	struct stage s;

	stage_begin(&s, &all_caps);
	put(&s, 0, 0, wide[0], 0, plain);
	show(&s);
	s.picture[1].paint.bg = 3;
	expect(&s, "");
	stage_close(&s);
}
END_TEST

START_TEST(row_of_a_larger_terminal_is_not_erased)
{
	struct stage s;

	stage_open(&s, &all_caps, true, 2, 20, false);
	clear(&s);
	draw(&s, 0, 10, "x", plain);
	show(&s);
	draw(&s, 0, 10, " ", plain);
	expect(&s, "\b ");
	stage_close(&s);
}
END_TEST

START_TEST(next_move_after_a_character_of_doubtful_width_is_absolute)
{
	struct stage s;

	stage_begin(&s, &all_caps);
	put(&s, 0, 0, wide[0], 0, plain);
	put(&s, 0, 10, 'e', 0x301, plain);
	put(&s, 0, 20, 'x', 0, plain);
	put(&s, 1, 21, 'y', 0, plain);
	expect(&s, "\xe6\xbc\xa2\033[11Ge\xcc\x81\033[21Gx\ny");
	stage_close(&s);
}
END_TEST

enum ability { REP = 1, ECH = 2, EL = 4, BCE = 8, CUF = 16 };

/* A row of dots becomes `after`; `#` is a blank with another background. */
static const struct run_case {
	unsigned abilities;
	const char *after, *text;
} run_cases[] = {
	/* A few equal cells are written again, more are not. */
	{ CUF, "ab....cd............", "ab....cd" },
	{ CUF, "ab.....cd...........", "ab\033[5Ccd" },
	{ 0, "ab..........cd......", "ab\033[13Gcd" },
	/* Characters that repeat. */
	{ 0, "xxxxxxxx............", "xxxxxxxx" },
	{ REP, "xxxxxxxx............", "x\033[7b" },
	{ REP, "xxxxx...............", "xxxxx" },
	{ REP, "oxxxxxxxxxxxxo......", "ox\033[11bo" },
	/* Blanks in the middle, at the end of what differs, and at the end of the row. */
	{ ECH | CUF, "a      b............", "a      b" },
	{ ECH | CUF, "a           b.......", "a\033[11X\033[11Cb" },
	{ ECH | REP | CUF, "a           b.......", "a \033[10bb" },
	{ ECH, "a        ...........", "a\033[8X" },
	{ 0, "a        ...........", "a        " },
	{ EL | ECH, "a                   ", "a\033[K" },
	{ ECH, "a                   ", "a\033[19X" },
	{ REP, "a                   ", "a \033[18b" },
	{ EL, "a..               b ", "a..               b " },
	{ EL, ".................   ", "\033[18G   " },
	{ EL, "................    ", "\033[17G\033[K" },
	/* With a background of their own: only with bce. */
	{ EL | ECH | BCE, "############........", "\033[44m\033[12X" },
	{ EL | ECH, "############........", "\033[44m            " },
	{ EL | ECH | REP, "############........", "\033[44m \033[11b" },
	{ EL | ECH | BCE, "####################", "\033[44m\033[K" },
	{ EL | ECH, "####################", "\033[44m                    " },
};

START_TEST(runs_take_what_the_terminal_has)
{
	const struct run_case *c = &run_cases[_i];
	struct caps caps = { .colors = PALETTE_8, .attrs = ALL_ATTRS, .hpa = true };
	struct stage s;

	caps.rep = c->abilities & REP;
	caps.ech = c->abilities & ECH;
	caps.el = c->abilities & EL;
	caps.bce = c->abilities & BCE;
	caps.cuf = c->abilities & CUF;
	stage_open(&s, &caps, caps.bce, 1, (int)strlen(c->after), true);
	clear(&s);
	draw(&s, 0, 0, "....................", plain);
	show(&s);
	pen_go(&s.encoder.pen, 0, 0, &s.out);
	send(&s);
	for (int i = 0; c->after[i]; i++) {
		bool is_box = c->after[i] == '#';

		put(&s, 0, i, is_box ? ' ' : (unsigned char)c->after[i], 0,
		    is_box ? (struct paint){ 7, 4, 0 } : plain);
	}
	expect(&s, c->text);
	stage_close(&s);
}
END_TEST

START_TEST(each_look_is_sent_once)
{
	static const struct paint red = { 1, PAINT_DEFAULT, 0 }, green = { 2, PAINT_DEFAULT, 0 };
	struct stage s;

	stage_begin(&s, &all_caps);
	for (int row = 0; row < 2; row++) {
		draw(&s, row, 0, "ab", red);
		draw(&s, row, 2, "cd", green);
		draw(&s, row, 4, "ef", red);
	}
	/* Across two cells that come later, blanks are shorter than a move. */
	expect(&s, "\033[31mab  ef\r\nab  ef\033[32m\b\b\b\bcd\b\b\033Mcd");
	stage_close(&s);
}
END_TEST

START_TEST(blanks_are_erased_across_cells_that_are_written_later)
{
	static const struct paint on_red = { 7, 1, 0 }, on_green = { 0, 2, 0 };
	struct caps caps = all_caps;
	struct stage s;

	caps.rep = false;
	stage_begin(&s, &caps);
	draw(&s, 0, 0, "a         ", on_red);
	draw(&s, 0, 10, "b", on_green);
	draw(&s, 0, 11, "          ", on_red);
	draw(&s, 0, 21, "c", on_green);
	draw(&s, 0, 22, "   d", on_red);
	expect(&s, "\033[37;41ma\033[24X\033[24Cd\033[30;42m\033[5Dc\033[12Db");
	/* Not across a cell that stays as it is. */
	draw(&s, 2, 0, "..........b..........", on_green);
	draw(&s, 2, 10, "b", on_red);
	show(&s);
	draw(&s, 2, 0, "          ", on_green);
	draw(&s, 2, 11, "          ", on_green);
	pen_go(&s.encoder.pen, 2, 0, &s.out);
	send(&s);
	expect(&s, "\033[42m\033[10X\033[11C\033[10X");
	stage_close(&s);
}
END_TEST

/* Two bytes a move; along the rows it would be more. */
START_TEST(columns_of_cells_are_written_from_cell_to_cell)
{
	static const struct paint red = { 1, PAINT_DEFAULT, 0 };
	struct stage s;

	stage_begin(&s, &all_caps);
	for (int row = 2; row < 5; row++) {
		draw(&s, row, 10, "x", red);
		draw(&s, row, 60, "y", red);
	}
	expect(&s, "\033[31m\033[3;11Hx\b\nx\b\nx\033[49Cy\b\033My\b\033My");
	stage_close(&s);
}
END_TEST

START_TEST(ink_that_fills_a_cell_is_a_background)
{
	struct stage s;

	stage_begin(&s, &all_caps);
	put(&s, 0, 0, 0x2588, 0, (struct paint){ 3, 5, 0 });
	draw(&s, 0, 1, " ", (struct paint){ 3, 6, PAINT_REVERSE });
	draw(&s, 0, 2, " ", (struct paint){ 9, 3, PAINT_BOLD });
	expect(&s, "\033[43m   ");
	stage_close(&s);
}
END_TEST

START_TEST(rows_that_move_are_not_sent)
{
	struct stage s;
	char text[] = "row 0 ......................................................";

	stage_begin(&s, &all_caps);
	for (int row = 0; row < ROWS; row++, text[4]++)
		draw(&s, row, 0, text, plain);
	show(&s);
	/* Rows 2 to 8 go up by one, the rest stays. */
	memmove(s.picture + 2 * COLS, s.picture + 3 * COLS, 6 * COLS * sizeof *s.picture);
	draw(&s, 8, 0, "new", plain);
	for (int col = 3; col < COLS; col++)
		put(&s, 8, col, ' ', 0, plain);
	pen_go(&s.encoder.pen, 0, 0, &s.out);
	send(&s);
	expect(&s, "\n\n\033[M\033[9H\033[Lnew");
	/* And down again, at the bottom of the screen. */
	memmove(s.picture + 4 * COLS, s.picture + 2 * COLS, (ROWS - 4) * COLS * sizeof *s.picture);
	for (int i = 2 * COLS; i < 4 * COLS; i++)
		s.picture[i].ch = ' ';
	expect(&s, "\033[3H\033[2L");
	stage_close(&s);
}
END_TEST

START_TEST(columns_that_move_are_not_sent)
{
	struct stage s;
	char text[COLS + 1] = "";

	stage_begin(&s, &all_caps);
	for (int row = 0; row < 3; row++) {
		for (int col = 0; col < COLS; col++)
			text[col] = (char)('a' + (col * 7 + col / 5 + row) % 26);
		draw(&s, row, 0, text, plain);
	}
	show(&s);
	pen_go(&s.encoder.pen, 0, 0, &s.out);
	send(&s);
	for (int row = 0; row < 3; row++) {
		memmove(s.picture + row * COLS, s.picture + row * COLS + 2,
			(COLS - 2) * sizeof *s.picture);
		draw(&s, row, COLS - 2, "<>", plain);
	}
	expect(&s, "\033[2P\n\033[2P\n\033[2P\033[118C<>\033[1;119H<>\033[119G\n<>");
	stage_close(&s);
}
END_TEST

/* A title that stays, and a strip beside it that moves. */
START_TEST(tails_that_move_are_not_sent)
{
	struct stage s;
	char text[COLS + 1] = "";

	stage_begin(&s, &all_caps);
	for (int row = 0; row < 3; row++) {
		for (int col = 0; col < COLS; col++)
			text[col] = (char)('a' + (col * 7 + col / 5 + row) % 26);
		draw(&s, row, 0, text, plain);
	}
	show(&s);
	pen_go(&s.encoder.pen, 0, 0, &s.out);
	send(&s);
	for (int row = 0; row < 3; row++) {
		memmove(s.picture + row * COLS + 40, s.picture + row * COLS + 44,
			(COLS - 44) * sizeof *s.picture);
		draw(&s, row, COLS - 4, "<-->", plain);
	}
	expect(&s, "\033[40C\033[4P\n\033[4P\n\033[4P\033[76C<-->\033[1;117H<-->\033[117G\n<-->");
	/* And back. */
	pen_go(&s.encoder.pen, 0, 40, &s.out);
	send(&s);
	for (int row = 0; row < 3; row++) {
		memmove(s.picture + row * COLS + 44, s.picture + row * COLS + 40,
			(COLS - 44) * sizeof *s.picture);
		draw(&s, row, 40, "<-->", plain);
	}
	expect(&s, "\033[4@\n\033[4@\n\033[4@<-->\b\b\b\b\033M<-->\b\b\b\b\033M<-->");
	stage_close(&s);
}
END_TEST

/* Bytes of some random pictures. */
static size_t count_bytes(const struct caps *caps)
{
	size_t bytes = 0;

	set_seed(77);
	for (int n = 0; n < 10; n++) {
		struct stage s;

		stage_open(&s, caps, caps->bce, 20, 60, true);
		clear(&s);
		for (int i = 0; i < 30; i++) {
			change(&s);
			bytes += show(&s);
		}
		stage_close(&s);
	}
	return bytes;
}

START_TEST(each_ability_saves_bytes)
{
	static const size_t offsets[] = {
		offsetof(struct caps, bce), offsetof(struct caps, rep), offsetof(struct caps, ech),
		offsetof(struct caps, el),  offsetof(struct caps, cuf), offsetof(struct caps, hpa),
		offsetof(struct caps, vpa), offsetof(struct caps, dch), offsetof(struct caps, dl),
		offsetof(struct caps, ri),  offsetof(struct caps, cuu), offsetof(struct caps, cud),
	};
	struct caps caps = all_caps;
	size_t with = count_bytes(&caps), without;

	*((bool *)((char *)&caps + offsets[_i])) = false;
	without = count_bytes(&caps);
	ck_assert_uint_lt(with, without);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "pictures", SUITE_SECONDS);

	tcase_add_loop_test(t, the_terminal_shows_each_picture, 0, ABILITIES);
	tcase_add_loop_test(t, odd_terminal_shows_each_picture, 0, ABILITIES);
	t = suite_case(suite, "bytes", SUITE_SECONDS);
	tcase_add_loop_test(t, moves_are_the_shortest, 0, N(move_cases));
	tcase_add_loop_test(t, only_the_part_of_a_look_that_differs_is_sent, 0, N(look_cases));
	tcase_add_test(t, the_cost_of_a_look_is_what_it_takes);
	tcase_add_test(t, plain_cells_take_any_ink);
	tcase_add_test(t, ink_of_equal_cells_does_not_choose_the_look);
	tcase_add_test(t, right_half_has_no_look_of_its_own);
	tcase_add_test(t, row_of_a_larger_terminal_is_not_erased);
	tcase_add_test(t, next_move_after_a_character_of_doubtful_width_is_absolute);
	tcase_add_loop_test(t, runs_take_what_the_terminal_has, 0, N(run_cases));
	tcase_add_test(t, each_look_is_sent_once);
	tcase_add_test(t, blanks_are_erased_across_cells_that_are_written_later);
	tcase_add_test(t, columns_of_cells_are_written_from_cell_to_cell);
	tcase_add_test(t, ink_that_fills_a_cell_is_a_background);
	tcase_add_test(t, rows_that_move_are_not_sent);
	tcase_add_test(t, columns_that_move_are_not_sent);
	tcase_add_test(t, tails_that_move_are_not_sent);
	tcase_add_loop_test(t, each_ability_saves_bytes, 0, 10);
}

int main(void)
{
	return suite_run("encoder", add_tests);
}
