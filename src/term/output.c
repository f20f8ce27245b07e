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

#include "base/buf.h"
#include "term/canvas.h"
#include "term/pacing.h"
#include "term/tty.h"

#include <curses.h>
#include <string.h>

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
