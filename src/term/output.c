/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A picture is one grid on the screen; an update is what is sent at once, a picture or a part of
 * one. The encoder makes the bytes of an update. Curses has a blank screen, which it draws only
 * when the terminal is taken; it still hides and shows the cursor.
 *
 * `shown` has the cells that the encoder was given last, `next` those of the next picture. Rows can
 * be given a few at a time, from above; a new picture starts again at the first row.
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

#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END OUTPUT_SYNC_END

/* Rows that the encoder gets at once on a slow line; on others it gets all. */
#define BAND_ROWS 8

static const struct painted blank = { ' ', 0, { PAINT_DEFAULT, PAINT_DEFAULT, 0 } };

static struct {
	struct palette *palette;
	const struct description *type;
	bool has_own_utf8;
	struct encoder encoder;
	int rows, cols;
	struct painted *shown;
	struct painted *next; /* the next picture */
	int n_given;          /* rows of it that were given */
	bool is_stale;        /* `shown` is not what is on the screen */
	struct buf moves;     /* what the encoder made, to be sent */
	struct buf update;    /* the same, as a whole update */
	int cursor_row, cursor_col;
	bool can_hide;          /* the cursor */
	int next_row, next_col; /* cursor of the picture that is being sent; -1: hidden */
	bool is_cut;            /* that picture is sent in parts */
} output;

void output_open(struct palette *palette, const struct output_options *options)
{
	memset(&output, 0, sizeof output);
	output.palette = palette;
	output.type = options->type;
	output.has_own_utf8 = options->has_own_utf8;
	output.cursor_row = -1;
	output.can_hide = tty_has_capability("civis");
	encoder_open(&output.encoder, &output.type->caps);
}

void output_close(void)
{
	encoder_close(&output.encoder);
	free(output.shown);
	free(output.next);
	buf_done(&output.moves);
	buf_done(&output.update);
	memset(&output, 0, sizeof output);
}

void output_resize(int rows, int cols)
{
	size_t n = (size_t)rows * (size_t)cols;

	output.rows = rows;
	output.cols = cols;
	output.is_cut = false;
	free(output.shown);
	free(output.next);
	/* Without memory the program ends, and output_close() is called on the way. */
	output.shown = output.next = NULL;
	output.shown = xcalloc(n, sizeof *output.shown);
	output.next = xcalloc(n, sizeof *output.next);
	output.is_stale = true;
	output.n_given = 0;
	encoder_resize(&output.encoder, rows, cols, rows < TTY_ROWS_MAX && cols < TTY_COLS_MAX);
}

/* No cell is equal to one of the picture, so all of it is there to be given. */
void output_forget(void)
{
	output.is_stale = true;
	if (output.shown)
		memset(output.shown, 0,
		       (size_t)output.rows * (size_t)output.cols * sizeof *output.shown);
	output.n_given = 0;
}

/* Rows that differ were not given yet. */
static bool has_more(void)
{
	size_t n = (size_t)output.rows * (size_t)output.cols;

	for (size_t i = (size_t)output.n_given * (size_t)output.cols; i < n; i++)
		if (!shift_is_same(&output.shown[i], &output.next[i]))
			return true;
	return false;
}

void output_cleared(void)
{
	output_forget();
	output.is_cut = has_more();
}

void output_reset_look(void)
{
	/* The buffer has room, also where the program ends for want of memory. */
	buf_clear(&output.moves);
	encoder_reset_look(&output.encoder, &output.moves);
	tty_write(output.moves.data, output.moves.len);
	buf_clear(&output.moves);
}

/* ---- cells ---- */

/* The cells of a character, for the terminal. */
static int width_of(uint32_t c)
{
	return output.has_own_utf8 ? text_width(c) : wcwidth((wchar_t)c);
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
	bool is_few = output.palette->mode < PALETTE_256;

	for (int i = 0; i < n; i++) {
		struct cell edge; /* what is painted instead */
		const struct cell *c = &cells[i];
		struct painted *out = &row[i];
		int width = i + 1 < n && cells[i + 1].ch == 0 ? 2 : 1;

		if ((is_few || c->flags & CELL_THIN) &&
		    style_replace(output.palette, i > 0 ? c - 1 : NULL, c, &edge) &&
		    width_of(edge.ch) == 1)
			c = &edge;
		if (!last || last->ink != c->ink || last->fill != c->fill ||
		    last->flags != c->flags)
			paint = palette_lookup(output.palette, c->ink, c->fill, c->flags);
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

/* ---- pictures ---- */

/* Set the next picture. Rows of the picture before that were not given are dropped. The picture may
 * be smaller than the screen; the rest is blank. */
static void put(const struct grid *grid)
{
	int n_rows = grid->rows < output.rows ? grid->rows : output.rows;
	int n_cols = grid->cols < output.cols ? grid->cols : output.cols;

	/* What is on the screen has other colours than the numbers of its cells mean now. */
	if (output.encoder.pen.caps.colors != output.palette->mode)
		output_forget();
	output.encoder.pen.caps.colors = output.palette->mode;
	for (int row = 0; row < output.rows; row++) {
		struct painted *next = output.next + (size_t)row * (size_t)output.cols;
		int n = row < n_rows ? n_cols : 0;

		if (n)
			paint_row(grid->cells + (size_t)row * (size_t)grid->cols, next, n);
		encoder_normalize(&output.encoder, next, n);
		for (int col = n; col < output.cols; col++)
			next[col] = blank;
	}
	/* A character in the last cell would move the picture up. */
	if (output.type->caps.wraps) {
		struct painted *last = output.next + (size_t)output.rows * (size_t)output.cols - 1;

		if (last->ch == 0)
			last[-1] = blank;
		*last = blank;
	}
	output.n_given = 0;
	if (!output.is_stale)
		encoder_begin(&output.encoder, output.shown, output.next, &output.moves);
}

/* Give the encoder the rows that differ, from above, up to about `most` bytes. What it made is in
 * `moves`. */
static void give(size_t most)
{
	int band = most == SIZE_MAX ? output.rows : BAND_ROWS;

	if (output.is_stale) {
		encoder_clear(&output.encoder, output.shown, &output.moves);
		output.is_stale = false;
		output.n_given = 0;
	}
	while (output.n_given < output.rows && output.moves.len < most) {
		int end = output.n_given + band < output.rows ? output.n_given + band : output.rows;

		encoder_rows(&output.encoder, output.shown, output.next, output.n_given, end,
			     &output.moves);
		output.n_given = end;
	}
}

static bool place_cursor(void)
{
	bool is_shown = output.next_row >= 0;
	bool is_other = output.next_row != output.cursor_row ||
		output.next_col != output.cursor_col;

	if (is_other)
		curs_set(is_shown);
	if (is_shown)
		encoder_move(&output.encoder, output.next_row, output.next_col, &output.moves);
	else if (!output.can_hide)
		/* It stays visible: in a corner that is blank, not where the last cell was sent. */
		encoder_move(&output.encoder, output.rows - 1, 0, &output.moves);
	output.cursor_row = output.next_row;
	output.cursor_col = output.next_col;
	return is_other;
}

/* In one write, so that the terminal has no reason to show a part of it. */
static void send_update(void)
{
	bool is_synced = output.type->knows_modes;

	if (output.moves.len) {
		buf_clear(&output.update);
		buf_adds(&output.update, is_synced ? SYNC_BEGIN : "");
		buf_add(&output.update, output.moves.data, output.moves.len);
		buf_adds(&output.update, is_synced ? SYNC_END : "");
		tty_write(output.update.data, output.update.len);
	}
	buf_clear(&output.moves);
}

/* Send the cells that differ, or as many as may be sent at once. */
void output_part(void)
{
	bool was_cut = output.is_cut;
	size_t bytes;

	give(pacing_part_bytes());
	bytes = output.moves.len;
	output.is_cut = has_more();
	if (!place_cursor() && !bytes)
		return;
	send_update();
	pacing_sent(bytes);
	if (output.type->can_ask && pacing_asks(was_cut || output.is_cut))
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
	put(grid);
	output_part();
}
