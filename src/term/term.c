/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The curses back end: takes the terminal, gives it back, sends pictures no faster than it shows
 * them, and waits for keys.
 *
 * Colours (colors.c): the terminal is asked for the colour of the page at the start. The program
 * does not wait for the answer, which is handled between keys and changes the colours.
 *
 * Files, settings and signals: tty.c. */
#include "config.h"

#include "term/term.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "term/clipboard.h"
#include "term/colors.h"
#include "term/debug_log.h"
#include "term/description.h"
#include "term/encoder.h"
#include "term/input.h"
#include "term/pen.h"
#include "term/tty.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

/* ==== pacing ====
 *
 * Limits the output that the terminal has not shown yet. A network buffers much more, on a slow
 * line seconds of output. When pictures follow each other quickly, a status request is sent after
 * each; its answer tells that the terminal has shown what came before. A picture that takes long is
 * sent in parts, with a request after each, so that a key need not wait for the rest of a picture
 * that is out of date.
 *
 * Before the first answer nothing waits, except if the terminal is remote: then output is limited
 * to the rate of a slow line.
 *
 * At most one picture is on its way, two on a quick line. Of a picture that takes long, at most a
 * part is on its way, and as much more as the line carries until the answer is back. A trip is the
 * time from a request to its answer.
 *
 * The rate of the line: if a picture is sent while another one is on its way, the time between
 * their answers is what the line needs for it. If it is sent alone, its trip includes the
 * round-trip time, so the shortest trip is subtracted. Answers that came while the program did not
 * read tell nothing. */

#define PACING_REQUEST "\033[5n"
#define QUICK_NS (300 * NS_PER_MS) /* pictures follow each other quickly: a key is held */
#define NEAR_NS (400 * NS_PER_MS)  /* trip on a quick line: a second picture may be on its way */
#define ANSWER_NS (3 * NS_PER_S)   /* no answer comes after this time */
#define FIRST_ANSWER_NS (NS_PER_S / 2) /* the same before the first answer */
#define UNANSWERED_MAX 4
#define NEAR_MAX 2
#define PART_MIN 2048            /* bytes of a part; fewer do not tell the rate */
#define LATE_NS (20 * NS_PER_MS) /* since the last read: an answer came at an unknown time */
#define SILENT_RATE 32e-6 /* bytes a ns to a remote terminal that never answered: 256 kbit/s */

/* The time that a part takes on the line; without answers, as much is sent ahead. */
#define PART_NS (250 * NS_PER_MS)

struct question {
	int64_t asked_ns;
	size_t bytes; /* sent since the question before */
};

static struct {
	bool is_remote;
	bool has_asked, has_answered;
	int n_unanswered;
	struct question list[UNANSWERED_MAX]; /* the oldest first */
	size_t n_sent;                        /* bytes since the last question */
	int64_t trip_ns;                      /* of the last answer, at least */
	int64_t least_trip_ns; /* the shortest of a question that was alone; 0: not known */
	int64_t answered_ns;   /* the last answer came */
	double rate;           /* bytes a ns; 0: not known */
	int64_t looked_ns;     /* all input had been read */
	int64_t busy_ns;       /* the last picture or answer */
	int64_t free_ns;       /* all output has arrived, at SILENT_RATE */
} pacing;

/* The terminal was taken, for the first time or again: no output is on its way. */
static void pacing_begin(void)
{
	pacing.n_unanswered = 0;
	pacing.n_sent = 0;
	pacing.free_ns = 0;
	pacing.has_asked = pacing.has_answered;
}

/* All input that had come was read. */
static void pacing_looked(void)
{
	pacing.looked_ns = clock_ns();
}

static void learn_rate(double bytes, int64_t took_ns)
{
	double rate = bytes / (double)(took_ns > NS_PER_MS ? took_ns : NS_PER_MS);

	pacing.rate = pacing.rate > 0 ? (pacing.rate + rate) / 2 : rate;
}

/* n answers were among the input. They may have been there since the last read: a trip counts up to
 * then only, because the rest of the time was the program's own and does not make the terminal
 * slow. */
static void pacing_take(int n)
{
	int64_t now = clock_ns();
	bool is_late = n > 1 || now - pacing.looked_ns > LATE_NS;

	if (n == 0)
		pacing_looked();
	for (; n > 0 && pacing.n_unanswered > 0; n--) {
		struct question q = pacing.list[0];

		if (!is_late) {
			bool is_alone = pacing.answered_ns < q.asked_ns;
			int64_t trip = now - q.asked_ns;

			/* The answer to the oldest question came now. is_alone: no other question
			 * was open when it was sent. */
			if (is_alone && q.bytes >= PART_MIN && pacing.least_trip_ns &&
			    trip > pacing.least_trip_ns * 3 / 2)
				learn_rate((double)q.bytes, trip - pacing.least_trip_ns);
			else if (is_alone && pacing.rate == 0)
				learn_rate((double)(q.bytes > PART_MIN ? q.bytes : PART_MIN), trip);
			else if (!is_alone && q.bytes >= PART_MIN)
				learn_rate((double)q.bytes, now - pacing.answered_ns);
			if (is_alone && (!pacing.least_trip_ns || trip < pacing.least_trip_ns))
				pacing.least_trip_ns = trip;
		}
		pacing.busy_ns = pacing.answered_ns = now;
		pacing.trip_ns = pacing.looked_ns > q.asked_ns ? pacing.looked_ns - q.asked_ns : 0;
		pacing.n_unanswered--;
		memmove(&pacing.list[0], &pacing.list[1],
			(size_t)pacing.n_unanswered * sizeof pacing.list[0]);
		pacing.has_answered = true;
	}
}

/* About `bytes` bytes of a picture were sent. */
static void pacing_sent(size_t bytes)
{
	int64_t now = clock_ns();

	pacing.n_sent += bytes;
	pacing.free_ns = (pacing.free_ns > now ? pacing.free_ns : now) +
		(int64_t)((double)bytes / SILENT_RATE);
}

/* Whether to send a request now, which counts as sent. is_part: a part of a picture was sent. */
static bool pacing_asks(bool is_part)
{
	int64_t now = clock_ns();
	bool is_quick = is_part || now - pacing.busy_ns < QUICK_NS;

	pacing.busy_ns = now;
	if (pacing.n_unanswered == UNANSWERED_MAX)
		return false;
	if (pacing.has_asked && !(pacing.has_answered && is_quick)) {
		pacing.n_sent = 0;
		return false;
	}
	pacing.list[pacing.n_unanswered++] = (struct question){ now, pacing.n_sent };
	pacing.n_sent = 0;
	pacing.has_asked = true;
	return true;
}

static bool is_silent(void)
{
	return pacing.is_remote && !pacing.has_answered;
}

/* The number of bytes to send at once; SIZE_MAX: a whole picture. */
static size_t pacing_part_bytes(void)
{
	double bytes = (is_silent() ? SILENT_RATE : pacing.rate) * (double)PART_NS;

	if (bytes <= 0 || bytes > (double)(SIZE_MAX / 2))
		return SIZE_MAX;
	return bytes > PART_MIN ? (size_t)bytes : PART_MIN;
}

/* The time in ns to wait for answers that are still to come; 0: no wait. */
static int64_t pacing_patience_ns(void)
{
	int64_t left = pacing.n_unanswered
		? pacing.list[pacing.n_unanswered - 1].asked_ns - clock_ns()
		: 0;

	left += pacing.has_answered ? ANSWER_NS : FIRST_ANSWER_NS;
	if (pacing.n_unanswered && left <= 0)
		pacing.n_unanswered = 0;
	return pacing.n_unanswered ? left : 0;
}

/* Whether more may be sent before the next answer. */
static bool has_room(void)
{
	double bytes = 0;

	if (pacing.n_unanswered == 0 || pacing.n_unanswered == UNANSWERED_MAX)
		return pacing.n_unanswered == 0;
	if (pacing.trip_ns < NEAR_NS && pacing.n_unanswered < NEAR_MAX)
		return true;
	for (int i = 0; i < pacing.n_unanswered; i++)
		bytes += (double)pacing.list[i].bytes;
	return bytes < pacing.rate * (double)(PART_NS + pacing.least_trip_ns);
}

/* The time in ns before more may be sent. */
static int64_t pacing_wait_ns(void)
{
	int64_t left = pacing.has_answered ? pacing_patience_ns() : 0;

	if (is_silent()) {
		left = pacing.free_ns - PART_NS - clock_ns();
		return left > 0 ? left : 0;
	}
	return has_room() ? 0 : left;
}

static void ask_status(void)
{
	tty_write(PACING_REQUEST, strlen(PACING_REQUEST));
	input_asked(INPUT_STATUS);
}

/* ==== output ====
 *
 * Sends pictures to the terminal: as few bytes as possible, and no more than it can show in time.
 * A picture is one grid on the screen; an update is what is sent at once, a picture or a part of
 * one. The encoder makes the bytes of an update. Curses has a blank screen, which it draws only
 * when the terminal is taken; it still hides and shows the cursor.
 *
 * `shown` has the cells that the encoder was given last, `next` those of the next picture. Rows can
 * be given a few at a time, from above; a new picture starts again at the first row.
 *
 * An update is wrapped in the synchronized-update mode if the terminal is of a family that ignores
 * private modes it does not know. */

#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END "\033[?2026l" /* the terminal shows the update as a whole */

/* Rows that the encoder gets at once on a slow line; on others it gets all. */
#define BAND_ROWS 8

static const struct painted blank = { ' ', 0, { PAINT_DEFAULT, PAINT_DEFAULT, 0 } };

static struct {
	struct palette *palette;
	const struct description *type;
	bool has_own_utf8; /* widths are those of base/text.h: the C library knows none */
	bool is_ascii;     /* nothing else is sent */
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

/* Start after curses. The palette and the type must outlive the output. */
static void output_open(struct palette *palette, const struct description *type, bool has_own_utf8)
{
	memset(&output, 0, sizeof output);
	output.palette = palette;
	output.type = type;
	output.has_own_utf8 = has_own_utf8;
	output.cursor_row = -1;
	output.can_hide = tty_has_capability("civis");
	encoder_open(&output.encoder, &type->caps);
}

static void output_close(void)
{
	encoder_close(&output.encoder);
	free(output.shown);
	free(output.next);
	buf_done(&output.moves);
	buf_done(&output.update);
	memset(&output, 0, sizeof output);
}

/* The size of the screen; its contents are unknown. */
static void output_resize(int rows, int cols)
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
static void output_forget(void)
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
		if (!pen_is_same(&output.shown[i], &output.next[i]))
			return true;
	return false;
}

/* Reset colours and attributes, before curses or another program writes. */
static void output_reset_look(void)
{
	/* The buffer has room, also where the program ends for want of memory. */
	buf_clear(&output.moves);
	pen_reset(&output.encoder.pen, &output.moves);
	tty_write(output.moves.data, output.moves.len);
	buf_clear(&output.moves);
}

/* ---- cells ---- */

/* The cells of a character, for the terminal. */
static int width_of(uint32_t c)
{
	if (output.is_ascii && c > 0x7e)
		return -1;
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

static bool place_cursor(void)
{
	bool is_shown = output.next_row >= 0;
	bool is_other = output.next_row != output.cursor_row ||
		output.next_col != output.cursor_col;

	if (is_other)
		curs_set(is_shown);
	if (is_shown)
		pen_go(&output.encoder.pen, output.next_row, output.next_col, &output.moves);
	else if (!output.can_hide)
		/* It stays visible: in a corner that is blank, not where the last cell was sent. */
		pen_go(&output.encoder.pen, output.rows - 1, 0, &output.moves);
	output.cursor_row = output.next_row;
	output.cursor_col = output.next_col;
	return is_other;
}

/* Send the cells that differ, or as many as may be sent at once: the next part of a picture. */
static void output_part(void)
{
	bool was_cut = output.is_cut, is_synced = output.type->knows_modes;
	size_t bytes;
	size_t most = pacing_part_bytes();
	int band = most == SIZE_MAX ? output.rows : BAND_ROWS;

	/* Give the encoder the rows that differ, from above, up to about `most` bytes. What it made
	 * is in `moves`. */
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
	bytes = output.moves.len;
	output.is_cut = has_more();
	if (!place_cursor() && !bytes)
		return;
	/* In one write, so that the terminal has no reason to show a part of it. */
	if (output.moves.len) {
		buf_clear(&output.update);
		buf_adds(&output.update, is_synced ? SYNC_BEGIN : "");
		buf_add(&output.update, output.moves.data, output.moves.len);
		buf_adds(&output.update, is_synced ? SYNC_END : "");
		tty_write(output.update.data, output.update.len);
	}
	buf_clear(&output.moves);
	pacing_sent(bytes);
	if (output.type->can_ask && pacing_asks(was_cut || output.is_cut))
		ask_status();
}

/* ==== term ==== */

/* Mouse reports, and marks around pasted text. */
#define MOUSE_ON "\033[?1000h\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l\033[?1000l"
#define PASTE_ON "\033[?2004h"
#define MODES_OFF "\033[?2004l" MOUSE_OFF

#define SETTLE_MS 25 /* after the last answer */

static struct {
	SCREEN *screen;
	struct description type;
	bool has_no_mouse; /* the user's wish */
	int rows, cols;

	struct term_mouse mouse;
	bool is_pasted; /* the last key was */
	struct buf note;
} term;

static int wake_fd = -1; /* of term_wake_on() */

/* Prepare what a signal handler writes. */
static void prepare_reset(void)
{
	/* CAN ends the escape sequence that the signal may have interrupted. */
	tty_prepare_reset(term.type.knows_modes ? "\030" SYNC_END MODES_OFF : "", term.rows);
}

/* ---- waiting for the terminal ---- */

static int64_t sooner(int64_t a_ms, int64_t b_ms)
{
	return a_ms < 0 || (b_ms >= 0 && b_ms < a_ms) ? b_ms : a_ms;
}

/* Wait for wait_ms at most (below 0: no limit), or until there is something to do. Returns whether
 * other_fd can be read (-1: none). */
static bool wait_for_input(int64_t wait_ms, int other_fd)
{
	bool is_other;

	wait_ms = sooner(wait_ms, input_wait_ms());
	if (utf8_is_asked())
		wait_ms = sooner(wait_ms, (input_due_ns() - clock_ns()) / NS_PER_MS + 1);
	is_other = tty_wait(wait_ms, other_fd);
	pacing_looked();
	return is_other;
}

/* Pass on the status reports that have come. */
static void take_reports(void)
{
	struct input_answers *answers = input_answers();

	pacing_take(answers->n_reports);
	answers->n_reports = 0;
}

/* Read the answers that are due, and keys that come meanwhile; otherwise the shell would read them
 * as typed text. C-c ends the wait. Some terminals answer twice, hence the second wait. */
static void await_answers(void)
{
	bool has_waited = false;
	int64_t due;

	while ((due = input_due_ns()) != 0 || (has_waited && tty_wait_bytes(SETTLE_MS))) {
		struct input_event event = { .key = KEYC_NONE };

		/* Signals are handled after the terminal is given back. */
		if (due)
			tty_wait_bytes((due - clock_ns()) / NS_PER_MS + 1);
		has_waited = true;
		while (input_take(&event))
			if (event.key == KEYC_HANGUP || event.key == ('c' | KEYC_CTRL))
				return;
	}
}

bool term_is_behind(void)
{
	if (!term.screen)
		return false;
	for (;;) {
		bool has_key = term_pending();
		int64_t left = pacing_wait_ns();

		if (left == 0)
			return false;
		if (has_key)
			return true;
		wait_for_input(left / NS_PER_MS + 1, -1);
	}
}

int64_t term_trip_ns(void)
{
	return pacing.trip_ns;
}

/* ---- opening and closing ---- */

static void enter(void)
{
	pacing_begin();
	tty_set_taken(true);
	output_reset_look();
	clearok(curscr, TRUE);
	wnoutrefresh(stdscr);
	doupdate();
	keypad(stdscr, TRUE);
	if (term.type.knows_modes)
		tty_write(PASTE_ON, strlen(PASTE_ON));
	if (term.type.knows_modes && !term.has_no_mouse)
		tty_write(MOUSE_ON, strlen(MOUSE_ON));
	/* Curses has cleared the screen: the picture, if there is one, is to be sent again. */
	output_forget();
	output.is_cut = has_more();
}

static void leave(void)
{
	if (term.type.knows_modes)
		tty_write(MODES_OFF, strlen(MODES_OFF));
	output_reset_look();
	/* Give back the screen, but not yet the settings: the echo would show late answers. */
	def_shell_mode();
	endwin();
	await_answers();
	tty_restore_settings();
	tty_set_taken(false);
}

static void set_modes(void)
{
	raw();
	noecho();
	nonl();
	curs_set(0);
	leaveok(stdscr, TRUE);
	scrollok(stdscr, FALSE);
	/* Without this, curses would stop in the middle of an update when a key comes. */
	typeahead(-1);
}

static void before_death(bool is_own)
{
	if (is_own)
		term_close();
	else
		tty_give_back();
}

/* Curses allocates memory for all cells that it finds, and obeys a size of 0: a terminal that is
 * too large, or that does not tell its size, gets the size in its description before it gets the
 * one that is used. */
static bool open_screen(FILE *out, FILE *in)
{
	int rows, cols;
	bool can_find = tty_size(&rows, &cols);

	use_env(can_find);
	use_tioctl(can_find);
	description_lend(&term.type, getenv("TERM"));
	term.screen = newterm(NULL, out, in);
	description_take_back(&term.type);
	if (term.screen && !can_find)
		resize_term(rows, cols);
	return term.screen != NULL;
}

const char *term_library(void)
{
	return curses_version();
}

bool term_can_decode(void)
{
	struct description d;
	struct error err = ERROR_INIT;

	return description_find(getenv("TERM"), STDOUT_FILENO, true, &d, &err) && d.is_usual;
}

bool term_has_utf8(void)
{
	return utf8_is_shown();
}

const char *term_note(void)
{
	return term.note.len > 0 ? buf_text(&term.note) : NULL;
}

/* The terminal is not taken yet, but curses may have changed it. It ends the program itself where
 * it has no memory. */
static bool is_opening;

static void end_at_exit(void)
{
	if (is_opening) {
		tty_restore_settings();
		tty_give_back();
	} else {
		term_close();
	}
}

bool term_open(const struct term_options *options, struct error *err)
{
	static bool is_registered;
	struct palette *palette;
	FILE *in, *out;
	bool is_utf8;

	memset(&term, 0, sizeof(term));
	if (!debug_log_open(err))
		return false;
	if (!tty_open(&in, &out, err)) {
		debug_log_close();
		return false;
	}
	is_utf8 = options->has_own_utf8 || !strcmp(nl_langinfo(CODESET), "UTF-8");
	if (!description_find(getenv("TERM"), tty_out_fd(), is_utf8, &term.type, err))
		goto fail;
	if (!tty_keep_settings()) {
		error_errno(err, errno, "settings of the terminal");
		goto fail;
	}
	tty_install_signals();
	if (!is_registered)
		is_registered = atexit(end_at_exit) == 0;
	is_opening = true;
	if (!open_screen(out, in)) {
		tty_remove_signals();
		error_set(err, ERR_IO, -1, "the terminal cannot be used");
		goto fail;
	}
	getmaxyx(stdscr, term.rows, term.cols);
	prepare_reset();
	die_set_hook(before_death);
	set_modes();
	term.has_no_mouse = options->has_no_mouse;
	input_open(is_utf8);
	input_size(term.rows, term.cols);
	palette = colors_open(options, &term.type);
	output_open(palette, &term.type, options->has_own_utf8);
	output_resize(term.rows, term.cols);
	description_note(&term.type, getenv("TERM"), &term.note);
	memset(&pacing, 0, sizeof pacing);
	pacing.is_remote = getenv("SSH_CONNECTION") != NULL;
	is_opening = false;
	enter();
	output.is_ascii = options->asks_utf8;
	if (options->asks_utf8)
		utf8_ask(&term.type);
	return true;
fail:
	is_opening = false;
	tty_close();
	debug_log_close();
	memset(&term, 0, sizeof(term));
	return false;
}

void term_close(void)
{
	if (!term.screen)
		return;
	leave();
	tty_remove_signals();
	die_set_hook(NULL);
	delscreen(term.screen);
	tty_close();
	output_close();
	buf_done(&term.note);
	memset(&term, 0, sizeof(term));
	debug_log_close();
}

bool term_is_open(void)
{
	return term.screen != NULL;
}

void term_size(int *rows, int *cols)
{
	*rows = term.rows;
	*cols = term.cols;
}

/* ---- output ---- */

void term_show(const struct grid *grid)
{
	if (term.screen && grid->cols > 0) {
		bool has_cursor = grid->cursor_row >= 0 && grid->cursor_row < output.rows &&
			grid->cursor_col >= 0 && grid->cursor_col < output.cols;

		output.next_row = has_cursor ? grid->cursor_row : -1;
		output.next_col = has_cursor ? grid->cursor_col : 0;
		output.is_cut = false;
		put(grid);
		output_part();
	}
}

void term_redraw(void)
{
	output_forget();
}

void term_set_theme(enum palette_theme theme, const struct theme *user_theme)
{
	if (term.screen)
		colors_set_theme(theme, user_theme);
}

void term_set_mouse(bool is_on)
{
	const char *modes = is_on ? MOUSE_ON : MOUSE_OFF;

	term.has_no_mouse = !is_on;
	if (term.screen && term.type.knows_modes)
		tty_write(modes, strlen(modes));
}

const char *term_copy(const char *text, size_t len)
{
	if (!term.screen)
		return "nowhere";
	return clipboard_put(text, len, input_answers()->has_clipboard);
}

/* ---- resizing and stopping ---- */

static void follow_size(void)
{
	int rows, cols;

	tty_take_signal(SIGWINCH);
	tty_size(&rows, &cols);
	if (rows == term.rows && cols == term.cols)
		return;
	/* resizeterm() would put a key of its own into the input. */
	resize_term(rows, cols);
	term.rows = rows;
	term.cols = cols;
	output_resize(rows, cols);
	prepare_reset();
	input_size(rows, cols);
	input_push(KEYC_RESIZE);
}

/* The process was continued: other programs may have changed the screen and the settings. If it is
 * in the background, the first call that touches the terminal stops it until it is in the
 * foreground. */
static void resume(bool was_given_back)
{
	tty_take_signal(SIGCONT);
	if (was_given_back && tty_keep_settings())
		def_shell_mode();
	tty_restore_settings();
	if (!was_given_back)
		endwin();
	follow_size();
	enter();
	tty_take_signal(SIGCONT);
}

static void stop(bool whole_group)
{
	struct sigaction ours, standard = { .sa_handler = SIG_DFL };

	tty_take_signal(SIGTSTP);
	sigaction(SIGTSTP, NULL, &ours);
	if (ours.sa_handler == SIG_IGN)
		return;
	leave();
	sigaction(SIGTSTP, &standard, NULL);
	if (whole_group)
		kill(0, SIGTSTP);
	else
		raise(SIGTSTP);
	sigaction(SIGTSTP, &ours, NULL);
	resume(true);
}

void term_suspend(void)
{
	if (term.screen)
		stop(true);
}

/* The settings are those that were found by term_open(), whatever the program has left behind. */
bool term_edit(const struct editor_place *place, int *status, struct error *err)
{
	bool ok;

	if (!term.screen)
		return error_set(err, ERR_IO, -1, "there is no terminal");
	leave();
	ok = helper_edit(place, tty_in_fd(), tty_out_fd(), status, err);
	tty_restore_settings();
	follow_size();
	enter();
	return ok;
}

static void handle_signals(void)
{
	if (tty_take_signal(SIGTSTP))
		stop(false);
	if (tty_take_signal(SIGCONT))
		resume(false);
	if (tty_take_signal(SIGWINCH))
		follow_size();
}

key_code term_key(int timeout_ms)
{
	int64_t end = timeout_ms < 0 ? -1 : clock_ns() / NS_PER_MS + timeout_ms;

	if (!term.screen)
		return KEYC_HANGUP;
	for (;;) {
		struct input_event event;
		int64_t left, part;

		handle_signals();
		if (input_take(&event)) {
			if (event.key == KEYC_MOUSE)
				term.mouse = event.mouse;
			term.is_pasted = event.is_pasted;
			return event.key;
		}
		/* A resize is the event that makes the caller draw everything again. */
		if (colors_take())
			return KEYC_RESIZE;
		if (utf8_take()) {
			output.is_ascii = !utf8_is_shown();
			return KEYC_RESIZE;
		}
		take_reports();
		part = output.is_cut ? pacing_wait_ns() : -1;
		if (part == 0) {
			output_part();
			continue;
		}
		left = end < 0 ? -1 : end - clock_ns() / NS_PER_MS;
		if (end >= 0 && left <= 0)
			return KEYC_NONE;
		if (wait_for_input(part > 0 && (left < 0 || part / NS_PER_MS < left)
					   ? part / NS_PER_MS + 1
					   : left,
				   wake_fd))
			return KEYC_NONE;
	}
}

void term_wake_on(int fd)
{
	wake_fd = fd < FD_SETSIZE ? fd : -1;
}

bool term_pending(void)
{
	bool is_there;

	if (!term.screen)
		return false;
	handle_signals();
	is_there = input_pending();
	take_reports();
	return is_there;
}

bool term_is_pasted(void)
{
	return term.is_pasted;
}

struct term_mouse term_mouse(void)
{
	return term.mouse;
}
