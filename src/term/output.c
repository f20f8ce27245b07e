/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A picture is one grid on the screen; an update is what is sent at once, a picture or a part of
 * one. The encoder makes the bytes of an update, or curses does, if the terminal is not one that
 * the encoder can draw on (description.h). With the encoder, curses has a blank screen, which it
 * draws only when the terminal is taken; it still hides and shows the cursor.
 *
 * An update is wrapped in the synchronized-update mode if the terminal is of a family that ignores
 * private modes it does not know. When pictures follow each other quickly, a status request goes
 * after each, and its answer tells that the terminal has shown it (pacing.c). */
#include "config.h"

#include "term/output.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/text.h"
#include "draw/grid.h"
#include "term/caps.h"
#include "term/description.h"
#include "term/encoder.h"
#include "term/pacing.h"
#include "term/palette.h"
#include "term/shift.h"
#include "term/style.h"
#include "term/tty.h"

#include <curses.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* ==== canvas ====
 *
 * `shown` has the cells that the encoder or curses was given last. Rows that differ from the next
 * picture are given to it; it sends the cells that differ. Rows can be given a few at a time, from
 * above; a new picture starts again at the first row.
 *
 * The encoder needs cells in a normal form, curses in one that is close to it. */

/* How to draw. */
struct canvas_options {
	const struct caps *caps; /* by the encoder, which may use these; NULL: through curses */
	bool has_own_utf8; /* by the encoder: widths are those of base/text.h, for the C library
			      knows none */
	/* Through curses: */
	bool has_default_colors;
	bool can_shift; /* the terminal can delete and insert characters in a row, and new cells get
			 * the default colours */
};

/* Bytes that curses sends to change colours, and to move the cursor. */
#define COLOR_BYTES 18
#define MOVE_BYTES 6

/* Rows that the encoder gets at once on a slow line; on others it gets all. */
#define BAND_ROWS 8

static struct {
	struct palette *palette;
	bool has_default_colors;
	bool can_shift;
	bool has_encoder;
	struct encoder encoder;
	int rows, cols;
	struct painted *shown;
	struct painted *next; /* the next picture */
	int n_rows, n_cols;   /* of the next picture */
	int n_given;          /* rows of it that were given */
	int shift;            /* columns by which its rows have moved against `shown` */
	struct buf moves;     /* to be sent, before the update of curses */
	cchar_t *row_chars;
	bool has_own_utf8;
	bool is_stale; /* `shown` is not what is on the screen */
	int n_pairs;
} screen;

/* The palette must outlive the canvas; its mode says which colours the encoder sends, also when it
 * changes. */
static void canvas_open(struct palette *palette, const struct canvas_options *options)
{
	memset(&screen, 0, sizeof screen);
	screen.palette = palette;
	screen.has_default_colors = options->has_default_colors;
	screen.can_shift = options->can_shift;
	screen.has_encoder = options->caps != NULL;
	screen.has_own_utf8 = options->has_own_utf8;
	if (screen.has_encoder)
		encoder_open(&screen.encoder, options->caps);
}

static void canvas_close(void)
{
	encoder_close(&screen.encoder);
	free(screen.shown);
	free(screen.next);
	free(screen.row_chars);
	buf_done(&screen.moves);
	memset(&screen, 0, sizeof screen);
}

/* The size of the screen. is_blank: it is empty; otherwise its contents are unknown. */
static void canvas_resize(int rows, int cols, bool is_blank)
{
	size_t n = (size_t)rows * (size_t)cols;

	screen.rows = rows;
	screen.cols = cols;
	free(screen.shown);
	free(screen.next);
	/* Without memory the program ends, and canvas_close() is called on the way. */
	screen.shown = screen.next = NULL;
	screen.shown = xcalloc(n, sizeof *screen.shown);
	screen.next = xcalloc(n, sizeof *screen.next);
	screen.row_chars = xrealloc(screen.row_chars, (size_t)cols, sizeof *screen.row_chars);
	screen.is_stale = !is_blank || screen.has_encoder;
	screen.n_rows = screen.n_given = 0;
	encoder_resize(&screen.encoder, rows, cols, rows < TTY_ROWS_MAX && cols < TTY_COLS_MAX);
}

/* The contents of the screen are unknown from now on. */
static void canvas_forget(void)
{
	screen.is_stale = true;
	if (!screen.has_encoder)
		return;
	/* No cell is equal to one of the picture, so all of it is there to be given. */
	memset(screen.shown, 0, (size_t)screen.rows * (size_t)screen.cols * sizeof *screen.shown);
	screen.n_given = 0;
}

static struct buf *canvas_moves(void)
{
	return &screen.moves;
}

/* ---- cells ---- */

static int pair_of(int fg, int bg)
{
	int pair;

	if (!screen.has_default_colors) {
		fg = fg < 0 ? COLOR_WHITE : fg;
		bg = bg < 0 ? COLOR_BLACK : bg;
	}
	if (fg < 0 && bg < 0)
		return 0;
	pair = find_pair(fg, bg);
	if (pair > 0)
		return pair;
	/* If all pairs are used, alloc_pair() would redefine one that is on the screen. */
	if (screen.n_pairs + 1 < COLOR_PAIRS) {
		pair = alloc_pair(fg, bg);
		if (pair > 0) {
			screen.n_pairs++;
			return pair;
		}
	}
	pair = find_pair(COLOR_BLACK, bg);
	return pair > 0 ? pair : 0;
}

static attr_t attrs_of(const struct paint *paint)
{
	attr_t attrs = A_NORMAL;

	if (paint->attrs & PAINT_BOLD)
		attrs |= A_BOLD;
	if (paint->attrs & PAINT_UNDERLINE)
		attrs |= A_UNDERLINE;
	if (paint->attrs & PAINT_DIM)
		attrs |= A_DIM;
	if (paint->attrs & PAINT_REVERSE)
		attrs |= A_REVERSE;
	return attrs;
}

/* The cells of a character, for the terminal. */
static int width_of(uint32_t c)
{
	return screen.has_own_utf8 ? text_width(c) : wcwidth((wchar_t)c);
}

/* Joiners, variation selectors and direction marks change the characters beside them. */
static bool is_safe_mark(uint32_t mark)
{
	return mark && width_of(mark) == 0 && !(mark >= 0x2000 && mark < 0x20d0) &&
		!(mark >= 0xfe00 && mark < 0xfe10) && mark < 0xe0000;
}

/* Paint a row of cells. A character that has another width for the C library than for the layout is
 * replaced, or the rest of the row would be shifted. */
static void paint_row(const struct cell *cells, struct painted *row, int n)
{
	struct paint paint = { 0 };
	const struct cell *last = NULL;
	const uint32_t replacement = width_of(0xfffd) == 1 ? 0xfffd : '?';
	bool is_few = screen.palette->mode < PALETTE_256;

	for (int i = 0; i < n; i++) {
		struct cell edge; /* what is painted instead */
		const struct cell *c = &cells[i];
		struct painted *out = &row[i];
		int width = i + 1 < n && cells[i + 1].ch == 0 ? 2 : 1;

		if ((is_few || c->flags & CELL_THIN) &&
		    style_replace(screen.palette, i > 0 ? c - 1 : NULL, c, &edge) &&
		    width_of(edge.ch) == 1)
			c = &edge;
		if (!last || last->ink != c->ink || last->fill != c->fill ||
		    last->flags != c->flags)
			paint = palette_lookup(screen.palette, c->ink, c->fill, c->flags);
		last = c == &edge ? NULL : c;
		out->paint = paint;
		out->ch = c->ch;
		out->mark = is_safe_mark(c->mark) ? c->mark : 0;
		if (c->ch == 0 && i > 0 && out[-1].ch && width_of(out[-1].ch) == 2) {
			out->paint = out[-1].paint;
			continue;
		}
		if (c->ch == 0 || paint.attrs & PAINT_BLANK)
			out->ch = ' ';
		else if (c->ch < ' ' || (c->ch > 0x7e && width_of(c->ch) != width))
			out->ch = replacement;
		if (out->ch == ' ') {
			out->mark = 0;
			if (!(paint.attrs & (PAINT_UNDERLINE | PAINT_REVERSE))) {
				out->paint.fg = PAINT_DEFAULT;
				out->paint.attrs = 0;
			}
		}
	}
}

static bool takes_ink_of(const struct painted *blank, const struct painted *other)
{
	return other->paint.bg == blank->paint.bg &&
		!(other->paint.attrs & (PAINT_UNDERLINE | PAINT_REVERSE));
}

/* A blank looks the same in any ink: give it its neighbour's, to save a colour change. Not at the
 * end of a row, which curses clears. */
static void ink_blanks(struct painted *row, int n)
{
	while (n > 0 && row[n - 1].ch == ' ')
		n--;
	for (int i = 0; i < n; i++) {
		struct painted *p = &row[i], *right = p;

		if (p->ch != ' ' || p->paint.attrs)
			continue;
		while (right->ch == ' ' && right->paint.bg == p->paint.bg)
			right++;
		if (i > 0 && takes_ink_of(p, p - 1))
			p->paint = p[-1].paint;
		else if (takes_ink_of(p, right))
			p->paint = right->paint;
	}
}

static void put_row(WINDOW *window, int row, const struct painted *cells, int n)
{
	int n_chars = 0;

	for (int i = 0; i < n; i++) {
		const struct painted *p = &cells[i];
		wchar_t text[3] = { (wchar_t)p->ch, (wchar_t)p->mark, 0 };
		int pair = pair_of(p->paint.fg, p->paint.bg);

		if (p->ch)
			setcchar(&screen.row_chars[n_chars++], text, attrs_of(&p->paint),
				 (short)pair, &pair);
	}
	mvwadd_wchnstr(window, row, 0, screen.row_chars, n_chars);
}

/* curses cannot shift a row: the terminal gets the sequence directly, and `curscr`, the contents of
 * the screen as curses knows them, is changed to match. */
static void move_row(int row, struct painted *shown, const struct painted *next, int n, int shift)
{
	if (!shift_row(shown, next, n, shift))
		return;
	put_row(curscr, row, shown, n);
	buf_addf(&screen.moves, shift > 0 ? "\033[%d;1H\033[%dP" : "\033[%d;1H\033[%d@", row + 1,
		 shift > 0 ? shift : -shift);
}

/* About how many bytes turn `shown` into `next`. */
static size_t count_bytes(const struct painted *shown, const struct painted *next, int n)
{
	const struct painted *last = NULL;
	size_t bytes = 0;

	for (int i = 0; i < n; i++) {
		if (shift_is_same(&shown[i], &next[i]))
			continue;
		bytes += next[i].ch < 0x80 ? 1 : 3;
		if (!last || last->paint.bg != next[i].paint.bg ||
		    last->paint.fg != next[i].paint.fg)
			bytes += COLOR_BYTES;
		if (!last || last + 1 != &next[i])
			bytes += MOVE_BYTES;
		last = &next[i];
	}
	return bytes;
}

/* Give curses a row if it differs. Returns about how many bytes that takes. */
static size_t give_row(int row)
{
	size_t at = (size_t)row * (size_t)screen.cols, n = (size_t)screen.n_cols, bytes;
	struct painted *shown = screen.shown + at, *next = screen.next + at;

	bytes = count_bytes(shown, next, screen.n_cols);
	if (!bytes)
		return 0;
	if (screen.shift) {
		move_row(row, shown, next, screen.n_cols, screen.shift);
		bytes = count_bytes(shown, next, screen.n_cols) + MOVE_BYTES;
	}
	put_row(stdscr, row, next, screen.n_cols);
	memcpy(shown, next, n * sizeof *shown);
	return bytes;
}

/* ---- through curses ---- */

static void prepare_for_curses(void)
{
	/* A row of a terminal that is wider would move cells out of the part that is used. */
	bool is_whole_row = screen.n_cols == screen.cols && screen.cols < TTY_COLS_MAX &&
		screen.can_shift && !screen.is_stale;

	for (int row = 0; row < screen.n_rows; row++)
		ink_blanks(screen.next + (size_t)row * (size_t)screen.cols, screen.n_cols);
	screen.shift = is_whole_row
		? shift_find(screen.shown, screen.next, screen.n_rows, screen.n_cols)
		: 0;
}

static size_t give_curses(size_t most)
{
	size_t bytes = 0;

	if (screen.is_stale) {
		erase();
		memset(screen.shown, 0,
		       (size_t)screen.rows * (size_t)screen.cols * sizeof *screen.shown);
		clearok(curscr, TRUE);
		screen.is_stale = false;
		screen.n_given = screen.shift = 0;
		bytes = 1;
	}
	while (screen.n_given < screen.n_rows && bytes < most)
		bytes += give_row(screen.n_given++);
	return bytes;
}

/* ---- by the encoder ---- */

/* What is on the screen has other colours than the numbers of its cells mean now. */
static void follow_colors(void)
{
	if (screen.encoder.pen.caps.colors == screen.palette->mode)
		return;
	screen.encoder.pen.caps.colors = screen.palette->mode;
	canvas_forget();
}

/* The picture may be smaller than the screen; the rest is blank. */
static void prepare_for_encoder(void)
{
	static const struct painted blank = { ' ', 0, { PAINT_DEFAULT, PAINT_DEFAULT, 0 } };

	follow_colors();
	for (int row = 0; row < screen.rows; row++) {
		struct painted *next = screen.next + (size_t)row * (size_t)screen.cols;
		int n = row < screen.n_rows ? screen.n_cols : 0;

		encoder_normalize(&screen.encoder, next, n);
		for (int col = n; col < screen.cols; col++)
			next[col] = blank;
	}
	screen.n_rows = screen.rows;
	screen.n_cols = screen.cols;
	if (!screen.is_stale)
		encoder_begin(&screen.encoder, screen.shown, screen.next, &screen.moves);
}

static size_t give_encoder(size_t most)
{
	int band = most == SIZE_MAX ? screen.rows : BAND_ROWS;

	if (screen.is_stale) {
		encoder_clear(&screen.encoder, screen.shown, &screen.moves);
		screen.is_stale = false;
		screen.n_given = 0;
	}
	while (screen.n_given < screen.n_rows && screen.moves.len < most) {
		int end = screen.n_given + band < screen.n_rows ? screen.n_given + band
								: screen.n_rows;

		encoder_rows(&screen.encoder, screen.shown, screen.next, screen.n_given, end,
			     &screen.moves);
		screen.n_given = end;
	}
	return screen.moves.len;
}

/* Without curses: append to canvas_moves() what moves the cursor. */
static void canvas_move_cursor(int row, int col)
{
	encoder_move(&screen.encoder, row, col, &screen.moves);
}

/* ---- pictures ---- */

/* Set the next picture. Rows of the picture before that were not given are dropped. */
static void canvas_put(const struct grid *grid)
{
	screen.n_rows = grid->rows < screen.rows ? grid->rows : screen.rows;
	screen.n_cols = grid->cols < screen.cols ? grid->cols : screen.cols;
	screen.n_given = 0;
	for (int row = 0; row < screen.n_rows; row++)
		paint_row(grid->cells + (size_t)row * (size_t)grid->cols,
			  screen.next + (size_t)row * (size_t)screen.cols, screen.n_cols);
	if (screen.has_encoder)
		prepare_for_encoder();
	else
		prepare_for_curses();
}

/* Give the rows that differ, from above, up to about `most` bytes, to the encoder or to curses.
 * Returns about how many bytes the update takes; 0: nothing differs. What the encoder made, or the
 * shifts of rows, which curses cannot do, are in canvas_moves(): the caller sends them, before the
 * update of curses, and empties the buffer. canvas_has_more(): rows that differ were not given yet.
 */
static size_t canvas_give(size_t most)
{
	return screen.has_encoder ? give_encoder(most) : give_curses(most);
}

static bool canvas_has_more(void)
{
	for (int row = screen.n_given; row < screen.n_rows; row++) {
		size_t at = (size_t)row * (size_t)screen.cols;

		if (count_bytes(screen.shown + at, screen.next + at, screen.n_cols))
			return true;
	}
	return false;
}

/* ==== output ==== */

#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END OUTPUT_SYNC_END

static struct {
	const struct description *type;
	bool has_encoder;
	struct buf update; /* of the encoder */
	int rows, cols;
	int cursor_row, cursor_col;
	bool can_hide;          /* the cursor */
	int next_row, next_col; /* cursor of the picture that is being sent; -1: hidden */
	bool is_cut;            /* that picture is sent in parts */
} output;

void output_open(struct palette *palette, const struct output_options *options)
{
	const struct description *type = options->type;
	/* The terminal and curses must both give the default colours to the cells that a shift
	 * brings in. */
	struct canvas_options canvas = {
		.has_default_colors = options->has_default_colors,
		.has_own_utf8 = options->has_own_utf8,
		.can_shift = type->knows_modes && options->has_default_colors &&
			tty_has_capability("dch") && tty_has_capability("ich"),
	};

	memset(&output, 0, sizeof output);
	output.type = type;
	output.cursor_row = -1;
	output.has_encoder = type->can_encode;
	output.can_hide = tty_has_capability("civis");
	if (output.has_encoder)
		canvas.caps = &type->caps;
	canvas_open(palette, &canvas);
}

void output_close(void)
{
	canvas_close();
	buf_done(&output.update);
	memset(&output, 0, sizeof output);
}

void output_resize(int rows, int cols, bool is_blank)
{
	output.rows = rows;
	output.cols = cols;
	output.is_cut = false;
	canvas_resize(rows, cols, is_blank);
}

void output_reset_look(void)
{
	if (output.has_encoder)
		tty_write("\033[m", strlen("\033[m"));
}

void output_cleared(void)
{
	if (!output.has_encoder)
		return;
	canvas_forget();
	output.is_cut = canvas_has_more();
}

void output_forget(void)
{
	canvas_forget();
}

static bool place_cursor(void)
{
	bool is_shown = output.next_row >= 0;
	bool is_other = output.next_row != output.cursor_row ||
		output.next_col != output.cursor_col;

	if (is_other)
		curs_set(is_shown);
	leaveok(stdscr, !is_shown);
	if (is_shown && output.has_encoder)
		canvas_move_cursor(output.next_row, output.next_col);
	else if (is_shown)
		move(output.next_row, output.next_col);
	else if (!output.can_hide && !output.has_encoder) {
		/* It stays visible: in a corner that is blank, not where the last cell was sent. */
		leaveok(stdscr, FALSE);
		move(output.rows - 1, 0);
	}
	output.cursor_row = output.next_row;
	output.cursor_col = output.next_col;
	return is_other;
}

static void send_by_curses(struct buf *moves)
{
	if (moves->len) {
		buf_adds(moves, "\0338");
		tty_write(SYNC_BEGIN "\0337\033[m", strlen(SYNC_BEGIN "\0337\033[m"));
		tty_write(moves->data, moves->len);
	} else if (output.type->knows_modes) {
		tty_write(SYNC_BEGIN, strlen(SYNC_BEGIN));
	}
	wnoutrefresh(stdscr);
	doupdate();
	if (output.type->knows_modes)
		tty_write(SYNC_END, strlen(SYNC_END));
}

/* In one write, so that the terminal has no reason to show a part of it. */
static void send_encoded(const struct buf *moves)
{
	if (!moves->len)
		return;
	buf_clear(&output.update);
	buf_adds(&output.update, SYNC_BEGIN);
	buf_add(&output.update, moves->data, moves->len);
	buf_adds(&output.update, SYNC_END);
	tty_write(output.update.data, output.update.len);
}

static void send_update(void)
{
	struct buf *moves = canvas_moves();

	if (output.has_encoder)
		send_encoded(moves);
	else
		send_by_curses(moves);
	buf_clear(moves);
}

/* Send the cells that differ, or as many as may be sent at once. */
void output_part(void)
{
	size_t bytes = canvas_give(pacing_part_bytes());
	bool has_more = canvas_has_more(), is_part = output.is_cut || has_more;

	output.is_cut = has_more;
	if (!place_cursor() && !bytes)
		return;
	send_update();
	pacing_sent(bytes);
	if (output.type->can_ask && pacing_asks(is_part))
		tty_write(PACING_REQUEST, strlen(PACING_REQUEST));
}

bool output_has_more(void)
{
	return output.is_cut;
}

void output_show(const struct grid *grid)
{
	bool has_cursor = grid->cursor_row >= 0 && grid->cursor_row < output.rows &&
		grid->cursor_col >= 0 && grid->cursor_col < output.cols;

	output.next_row = has_cursor ? grid->cursor_row : -1;
	output.next_col = has_cursor ? grid->cursor_col : 0;
	output.is_cut = false;
	canvas_put(grid);
	output_part();
}
