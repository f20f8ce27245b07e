/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The curses back end.
 *
 * Output. `shown` remembers how every cell was painted last; rows that differ are
 * given to curses, which sends the cells that differ. A picture without a
 * difference sends nothing. An update is wrapped in the synchronized-update mode
 * where the terminal is of a family that ignores private modes it does not know.
 *
 * Background. Where nothing says whether the page is light, the terminal is asked at the
 * start. A short time is waited for its answer; one that comes later is taken between keys.
 *
 * Flow. A network takes much more than the terminal has shown: seconds of it, on a slow
 * line. So when pictures follow each other quickly, the terminal is asked behind each for its
 * status; the answer says that it has come so far. Before the first answer nothing waits.
 *
 * Signals, in two kinds:
 * 1. Those that end the program: the handler writes `reset_text`, made in advance,
 *    restores the line settings, and lets the signal do what it would have done. It
 *    touches nothing when the terminal is not ours at that moment.
 * 2. SIGWINCH, SIGTSTP, SIGCONT: the handler sets a flag, which is looked at before
 *    each wait; they are blocked from the look to the wait, so none is missed. */
#include "config.h"

#include "term/term.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/units.h"
#include "term/background.h"
#include "term/input.h"
#include "term/palette.h"
#include "term/shift.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <term.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#define MOUSE_ON "\033[?1000h\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l\033[?1000l"
#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END "\033[?2026l"
#define ASK "\033[5n"

#define QUICK_NS (300 * NS_PER_MS)      /* from picture to picture: a key is held */
#define NEAR_NS (400 * NS_PER_MS)       /* to an answer: a second picture may be under way */
#define ANSWER_NS (3 * NS_PER_S)        /* no answer will come after that */
#define FIRST_ANSWER_NS NS_PER_S        /* if there has never been one */

static struct {
	SCREEN *screen;
	WINDOW *pad;            /* for input.c: reading from a pad refreshes nothing */
	FILE *own_file;         /* the controlling terminal, where we had to open it */
	int in_fd, out_fd;
	bool knows_modes;       /* ignores private modes that it does not know */
	bool has_default_colors;
	bool can_shift;         /* moves the rest of a row to either side */
	struct palette palette;
	int rows, cols;

	struct painted *shown;
	struct painted *next;   /* what is to be seen */
	struct buf moves;       /* for the terminal, ahead of what curses sends */
	cchar_t *row_chars;
	int cursor_row, cursor_col;
	bool has_asked, has_answered;
	int n_unanswered;
	int64_t asked_ns[2];    /* when; the oldest first */
	int64_t trip_ns;        /* how long the last answer took, at least */
	int64_t looked_ns;      /* when no more than what was read had come */
	int64_t busy_ns;        /* the last picture or answer */

	bool is_stale;          /* `shown` is not what is on the screen */
	int n_pairs;

	struct term_mouse mouse;
} term;

static volatile sig_atomic_t got_winch, got_tstp, got_cont, is_taken;
static struct termios line_settings;
static char reset_text[256];
static size_t reset_len;
static char signal_stack[32768];

/* ---- signals ---- */

static const struct { int number; bool is_deadly; bool is_fault; } signals[] = {
	{ SIGTERM, true, false }, { SIGHUP, true, false }, { SIGINT, true, false }, { SIGQUIT, true, false },
	{ SIGSEGV, true, true }, { SIGABRT, true, true }, { SIGBUS, true, true }, { SIGFPE, true, true },
	{ SIGILL, true, true }, { SIGUSR1, true, false }, { SIGUSR2, true, false }, { SIGALRM, true, false },
	{ SIGPIPE, true, false }, { SIGXCPU, true, false }, { SIGSYS, true, true }, { SIGTRAP, true, true },
	{ SIGWINCH, false, false }, { SIGTSTP, false, false }, { SIGCONT, false, false },
};
static struct sigaction old_actions[ARRAY_LEN(signals)];

static void write_all(const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(term.out_fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		text += n;
		len -= (size_t)n;
	}
}

static bool is_in_foreground(void)
{
	pid_t group = tcgetpgrp(term.in_fd);

	return group < 0 || group == getpgrp();
}

static void on_deadly_signal(int number)
{
	int saved_errno = errno;

	if (is_taken && is_in_foreground()) {
		write_all(reset_text, reset_len);
		tcsetattr(term.in_fd, TCSANOW, &line_settings);
	}
	is_taken = 0;
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		if (signals[i].number == number)
			sigaction(number, &old_actions[i], NULL);
	raise(number);          /* blocked until this handler returns */
	errno = saved_errno;
}

static void on_signal(int number)
{
	if (number == SIGWINCH)
		got_winch = 1;
	else if (number == SIGTSTP)
		got_tstp = 1;
	else
		got_cont = 1;
}

/* Before newterm(), which would set handlers of its own where there are none. */
static void signals_install(void)
{
	stack_t stack = { .ss_sp = signal_stack, .ss_size = sizeof(signal_stack) };
	struct sigaction action = { 0 };

	sigaltstack(&stack, NULL);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		int number = signals[i].number;

		sigaction(number, NULL, &old_actions[i]);
		if (old_actions[i].sa_handler == SIG_IGN)
			continue;
		action.sa_handler = signals[i].is_deadly ? on_deadly_signal : on_signal;
		/* A fault wants the alternate stack: deep recursion is one cause. */
		action.sa_flags = signals[i].is_fault ? SA_ONSTACK : SA_RESTART;
		if (signals[i].is_deadly)
			sigfillset(&action.sa_mask);
		else
			sigemptyset(&action.sa_mask);
		sigaction(number, &action, NULL);
	}
}

static void signals_remove(void)
{
	stack_t stack = { .ss_flags = SS_DISABLE, .ss_size = sizeof(signal_stack) };

	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sigaction(signals[i].number, &old_actions[i], NULL);
	sigaltstack(&stack, NULL);
}

static bool has_capability(const char *name)
{
	const char *text = tigetstr(name);

	return text && text != (const char *)-1;
}

static int reset_putc(int c)
{
	if (reset_len < sizeof(reset_text))
		reset_text[reset_len++] = (char)c;
	return c;
}

static void reset_add(const char *capability)
{
	if (has_capability(capability))
		tputs(tigetstr(capability), 1, reset_putc);
}

/* What a handler has to write; may be called again after a change of size. */
static void prepare_reset(void)
{
	const char *move = tigetstr("cup");

	is_taken = 0;
	reset_len = 0;
	/* CAN ends the escape sequence that the signal may have cut. */
	if (term.knows_modes)
		for (const char *s = "\030" SYNC_END MOUSE_OFF; *s; s++)
			reset_putc(*s);
	reset_add("sgr0");
	reset_add("op");
	tputs(tparm(move, (long)(term.rows - 1), 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L), 1, reset_putc);
	reset_add("rmkx");
	reset_add("cnorm");
	reset_add("rmcup");
	reset_putc('\r');
	is_taken = 1;
}

/* ---- what is under way ---- */

/* Wait for bytes, a signal or the end of the time. */
static void wait_for_input(int64_t wait_ms)
{
	struct timespec time = { .tv_sec = (time_t)(wait_ms / 1000), .tv_nsec = (long)(wait_ms % 1000) * 1000000 };
	sigset_t block, old;
	fd_set set;

	sigemptyset(&block);
	sigaddset(&block, SIGWINCH);
	sigaddset(&block, SIGTSTP);
	sigaddset(&block, SIGCONT);
	sigprocmask(SIG_BLOCK, &block, &old);
	if (!got_winch && !got_tstp && !got_cont) {
		FD_ZERO(&set);
		FD_SET(term.in_fd, &set);
		pselect(term.in_fd + 1, &set, NULL, NULL, wait_ms < 0 ? NULL : &time, &old);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	term.looked_ns = clock_ns();
}

/* An answer that was not waited for may have been there since the last look: the time until
 * it is read is mostly our own, and no reason to think that the terminal is far away. */
static void take_answers(void)
{
	int n = input_take_answers();

	if (n == 0)
		term.looked_ns = clock_ns();
	for (; n > 0 && term.n_unanswered > 0; n--) {
		term.busy_ns = clock_ns();
		term.trip_ns = term.looked_ns > term.asked_ns[0] ? term.looked_ns - term.asked_ns[0] : 0;
		term.asked_ns[0] = term.asked_ns[1];
		term.n_unanswered--;
		term.has_answered = true;
	}
}

static void ask(bool is_quick)
{
	term.busy_ns = clock_ns();
	if (!term.knows_modes || term.n_unanswered == (int)ARRAY_LEN(term.asked_ns))
		return;
	if (term.has_asked && !(term.has_answered && is_quick))
		return;
	write_all(ASK, strlen(ASK));
	term.asked_ns[term.n_unanswered++] = term.busy_ns;
	term.has_asked = true;
}

/* How long an answer is to be waited for; 0: none is. */
static int64_t patience_ns(void)
{
	int64_t left = term.n_unanswered ? term.asked_ns[term.n_unanswered - 1] - clock_ns() : 0;

	left += term.has_answered ? ANSWER_NS : FIRST_ANSWER_NS;
	if (term.n_unanswered && left <= 0)
		term.n_unanswered = 0;
	return term.n_unanswered ? left : 0;
}

/* Or they would come as if typed to whoever has the terminal next. */
static void await_answers(void)
{
	int64_t left;

	while ((left = patience_ns()) > 0) {
		struct input_event event = { .key = KEYC_NONE };

		wait_for_input(left / NS_PER_MS + 1);
		while (input_take(&event) && event.key != KEYC_HANGUP)
			;
		if (event.key == KEYC_HANGUP)
			return;
		take_answers();
	}
}

bool term_is_behind(void)
{
	int64_t left;

	if (!term.screen)
		return false;
	for (;;) {
		bool has_key = term_pending();

		if (!term.has_answered || (left = patience_ns()) == 0)
			return false;
		if (term.n_unanswered < (term.trip_ns < NEAR_NS ? 2 : 1))
			return false;
		if (has_key)
			return true;
		wait_for_input(left / NS_PER_MS + 1);
	}
}

int64_t term_trip_ns(void)
{
	return term.trip_ns;
}

/* ---- taking and giving back ---- */

static bool knows_modes(const char *name)
{
	static const char *const families[] = {
		"xterm", "tmux", "screen", "foot", "alacritty", "kitty", "wezterm", "rxvt", "konsole", "gnome", "vte",
		"iterm", "contour", "ghostty", "mintty", "st-", "putty", "mlterm"
	};

	for (size_t i = 0; i < ARRAY_LEN(families); i++)
		if (name && !strncmp(name, families[i], strlen(families[i])))
			return true;
	return false;
}

static bool read_size(int *rows, int *cols)
{
	struct winsize size;

	if (ioctl(term.out_fd, TIOCGWINSZ, &size) < 0 || !size.ws_row || !size.ws_col)
		return false;
	*rows = size.ws_row;
	*cols = size.ws_col;
	return true;
}

static void make_cells(void)
{
	size_t cols = (size_t)term.cols;

	free(term.shown);
	term.shown = xcalloc((size_t)term.rows * cols, sizeof(*term.shown));
	free(term.next);
	term.next = xcalloc((size_t)term.rows * cols, sizeof(*term.next));
	term.row_chars = xrealloc(term.row_chars, cols, sizeof(*term.row_chars));
	term.is_stale = true;
}

static void enter(void)
{
	term.n_unanswered = 0;
	term.has_asked = term.has_answered;
	is_taken = 1;
	clearok(curscr, TRUE);
	wnoutrefresh(stdscr);
	doupdate();
	/* Else only the first read would switch it on. */
	keypad(term.pad, TRUE);
	if (term.knows_modes)
		write_all(MOUSE_ON, strlen(MOUSE_ON));
}

static void leave(void)
{
	/* Answers that come later would be typed into the shell. */
	background_await();
	await_answers();
	if (term.knows_modes)
		write_all(MOUSE_OFF, strlen(MOUSE_OFF));
	endwin();
	is_taken = 0;
}

static bool find_terminal(FILE **in, FILE **out, struct error *err)
{
	int fd;

	*in = stdin;
	*out = stdout;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
		if (fd < 0)
			return error_errno(err, errno, "there is no terminal: /dev/tty");
		term.own_file = fdopen(fd, "r+");
		if (!term.own_file) {
			close(fd);
			return error_errno(err, errno, "/dev/tty");
		}
		*in = *out = term.own_file;
	}
	term.in_fd = fileno(*in);
	term.out_fd = fileno(*out);
	return true;
}

static bool check_description(struct error *err)
{
	const char *name = getenv("TERM");
	int found;
	bool can_move;

	if (!name || !*name)
		return error_set(err, ERR_IO, -1, "the type of the terminal is not known: TERM is not set");
	if (setupterm(NULL, term.out_fd, &found) == ERR)
		return error_set(err, ERR_IO, -1, "there is no description of the terminal \"%s\" (TERM)", name);
	can_move = has_capability("cup");
	del_curterm(cur_term);
	if (!can_move)
		return error_set(err, ERR_IO, -1, "the terminal \"%s\" (TERM) cannot place its cursor", name);
	term.knows_modes = knows_modes(name);
	return true;
}

static void start_colors(const struct term_options *options)
{
	int n_colors = 0;

	if (has_colors() && start_color() == OK) {
		term.has_default_colors = use_default_colors() == OK;
		n_colors = COLORS;
	}
	term.palette.mode = palette_mode_find(n_colors, options->color, getenv("NO_COLOR"));
	term.palette.is_light = palette_is_light(options->theme, getenv("COLORFGBG"));
}

/* Only where nothing else says what the background is, and of terminals that know such questions or pass over them. */
static void ask_background(const struct term_options *options)
{
	if (!term.knows_modes || term.palette.mode == PALETTE_MONO || palette_is_told(options->theme, getenv("COLORFGBG")))
		return;
	write_all(BACKGROUND_REQUEST, strlen(BACKGROUND_REQUEST));
	background_begin(term.in_fd);
	background_await();
	background_take(&term.palette.is_light);
}

static void set_modes(void)
{
	if (!getenv("ESCDELAY"))
		set_escdelay(INPUT_SEQUENCE_MS);
	raw();
	noecho();
	nonl();
	curs_set(0);
	leaveok(stdscr, TRUE);
	scrollok(stdscr, FALSE);
	/* Or curses would stop in the middle of an update when a key comes. */
	typeahead(-1);
	term.pad = newpad(1, 1);
	if (!term.pad)
		die("out of memory: no input window");
	keypad(term.pad, TRUE);
	/* Mouse reports are read by after_escape(). */
	define_key(NULL, KEY_MOUSE);
}

bool term_open(const struct term_options *options, struct error *err)
{
	static bool is_registered;
	FILE *in, *out;

	memset(&term, 0, sizeof(term));
	if (!find_terminal(&in, &out, err))
		return false;
	if (!check_description(err))
		goto fail;
	if (tcgetattr(term.in_fd, &line_settings) < 0) {
		error_errno(err, errno, "settings of the terminal");
		goto fail;
	}
	got_winch = got_tstp = got_cont = 0;
	signals_install();
	use_tioctl(TRUE);
	term.screen = newterm(NULL, out, in);
	if (!term.screen) {
		signals_remove();
		error_set(err, ERR_IO, -1, "the terminal cannot be used");
		goto fail;
	}
	set_modes();
	start_colors(options);
	/* Cells that come in have the default colours, to the terminal and to curses. */
	term.can_shift = term.knows_modes && term.has_default_colors && has_capability("dch") && has_capability("ich");
	getmaxyx(stdscr, term.rows, term.cols);
	input_open(term.pad, term.in_fd);
	input_size(term.rows, term.cols);
	term.cursor_row = -1;
	make_cells();
	term.is_stale = false;  /* enter() leaves an empty screen */
	prepare_reset();
	die_set_hook(term_close);
	if (!is_registered)
		is_registered = atexit(term_close) == 0;
	ask_background(options);
	enter();
	return true;
fail:
	if (term.own_file)
		fclose(term.own_file);
	memset(&term, 0, sizeof(term));
	return false;
}

void term_close(void)
{
	if (!term.screen)
		return;
	leave();
	signals_remove();
	die_set_hook(NULL);
	delwin(term.pad);
	delscreen(term.screen);
	if (term.own_file)
		fclose(term.own_file);
	free(term.shown);
	free(term.next);
	buf_done(&term.moves);
	free(term.row_chars);
	memset(&term, 0, sizeof(term));
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

static int pair_of(int fg, int bg)
{
	int pair;

	if (!term.has_default_colors) {
		fg = fg < 0 ? COLOR_WHITE : fg;
		bg = bg < 0 ? COLOR_BLACK : bg;
	}
	if (fg < 0 && bg < 0)
		return 0;
	pair = find_pair(fg, bg);
	if (pair > 0)
		return pair;
	/* When all are used, alloc_pair() would take one that is on the screen. */
	if (term.n_pairs + 1 < COLOR_PAIRS) {
		pair = alloc_pair(fg, bg);
		if (pair > 0) {
			term.n_pairs++;
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

/* Joiners, variation selectors and direction marks change what stands beside them. */
static bool is_safe_mark(uint32_t mark)
{
	return mark && wcwidth((wchar_t)mark) == 0 && !(mark >= 0x2000 && mark < 0x20d0) &&
	       !(mark >= 0xfe00 && mark < 0xfe10) && mark < 0xe0000;
}

static bool is_box(const struct cell *c)
{
	return c->fill >= ROLE_GC && c->fill <= ROLE_FRAME_LAST && !(c->flags & (CELL_SHARED | CELL_SELECTED));
}

/* Where two boxes meet at the edge of a cell their colours tell them apart; without colours a thin line has to. */
static bool needs_edge(const struct cell *before, const struct cell *c)
{
	return term.palette.mode == PALETTE_MONO && c->ch == ' ' && is_box(before) && is_box(c) && before->fill != c->fill &&
	       wcwidth(0x258f) == 1;
}

/* A row of cells as they will look. What this C library takes to have another
 * width than the layout did is replaced, or all that follows would be shifted. */
static void paint_row(const struct cell *cells, struct painted *row, int n)
{
	struct paint paint = { 0 };
	const struct cell *last = NULL;
	const uint32_t replacement = wcwidth(0xfffd) == 1 ? 0xfffd : '?';

	for (int i = 0; i < n; i++) {
		struct cell edge;
		const struct cell *c = &cells[i];
		struct painted *out = &row[i];
		int width = i + 1 < n && cells[i + 1].ch == 0 ? 2 : 1;

		if (i > 0 && needs_edge(&cells[i - 1], c)) {
			edge = *c;
			edge.ch = 0x258f;
			edge.ink = ROLE_PAGE;
			c = &edge;
		}
		if (!last || last->ink != c->ink || last->fill != c->fill || last->flags != c->flags)
			paint = palette_lookup(&term.palette, c->ink, c->fill, c->flags);
		last = c == &edge ? NULL : c;
		out->paint = paint;
		out->ch = c->ch;
		out->mark = is_safe_mark(c->mark) ? c->mark : 0;
		if (c->ch == 0 && i > 0 && out[-1].ch && wcwidth((wchar_t)out[-1].ch) == 2) {
			out->paint = out[-1].paint;
			continue;
		}
		if (c->ch == 0 || paint.attrs & PAINT_BLANK)
			out->ch = ' ';
		else if (c->ch < ' ' || (c->ch > 0x7e && wcwidth((wchar_t)c->ch) != width))
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
	return other->paint.bg == blank->paint.bg && !(other->paint.attrs & (PAINT_UNDERLINE | PAINT_REVERSE));
}

/* A blank looks the same in any ink: that of its neighbour need not be switched. Not at the
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
			setcchar(&term.row_chars[n_chars++], text, attrs_of(&p->paint), (short)pair, &pair);
	}
	mvwadd_wchnstr(window, row, 0, term.row_chars, n_chars);
}

/* curses knows no such move: the terminal is told directly, curses by way of `curscr`,
 * which is what it takes to be on the screen. */
static void move_row(int row, struct painted *shown, const struct painted *next, int n, int shift)
{
	if (!shift_row(shown, next, n, shift))
		return;
	put_row(curscr, row, shown, n);
	buf_addf(&term.moves, shift > 0 ? "\033[%d;1H\033[%dP" : "\033[%d;1H\033[%d@", row + 1, shift > 0 ? shift : -shift);
}

static bool place_cursor(const struct grid *grid)
{
	bool is_shown = grid->cursor_row >= 0 && grid->cursor_row < term.rows && grid->cursor_col >= 0 &&
			grid->cursor_col < term.cols;
	int row = is_shown ? grid->cursor_row : -1, col = is_shown ? grid->cursor_col : 0;
	bool is_other = row != term.cursor_row || col != term.cursor_col;

	if (is_other)
		curs_set(is_shown);
	leaveok(stdscr, !is_shown);
	if (is_shown)
		move(row, col);
	term.cursor_row = row;
	term.cursor_col = col;
	return is_other;
}

/* Give curses the rows that differ; whether there was one. */
static bool put_rows(int rows, int cols)
{
	bool is_whole_row = cols == term.cols && term.can_shift && !term.is_stale, is_other = false;
	int shift = is_whole_row ? shift_find(term.shown, term.next, rows, cols) : 0;

	for (int row = 0; row < rows; row++) {
		size_t at = (size_t)row * (size_t)term.cols;
		struct painted *shown = term.shown + at, *next = term.next + at;
		bool is_same = true;

		for (int i = 0; i < cols && is_same; i++)
			is_same = painted_is_alike(&shown[i], &next[i]);
		if (is_same)
			continue;
		if (shift)
			move_row(row, shown, next, cols, shift);
		put_row(stdscr, row, next, cols);
		memcpy(shown, next, (size_t)cols * sizeof(*shown));
		is_other = true;
	}
	return is_other;
}

static void send_picture(void)
{
	bool is_quick = clock_ns() - term.busy_ns < QUICK_NS;

	if (term.moves.len) {
		buf_adds(&term.moves, "\0338");
		write_all(SYNC_BEGIN "\0337\033[m", strlen(SYNC_BEGIN "\0337\033[m"));
		write_all(term.moves.data, term.moves.len);
		buf_clear(&term.moves);
	} else if (term.knows_modes) {
		write_all(SYNC_BEGIN, strlen(SYNC_BEGIN));
	}
	wnoutrefresh(stdscr);
	doupdate();
	if (term.knows_modes)
		write_all(SYNC_END, strlen(SYNC_END));
	ask(is_quick);
}

void term_show(const struct grid *grid)
{
	int rows = grid->rows < term.rows ? grid->rows : term.rows;
	int cols = grid->cols < term.cols ? grid->cols : term.cols;
	bool is_other = term.is_stale;

	if (!term.screen || cols <= 0)
		return;
	if (term.is_stale) {
		erase();
		memset(term.shown, 0, (size_t)term.rows * (size_t)term.cols * sizeof(*term.shown));
		clearok(curscr, TRUE);
	}
	for (int row = 0; row < rows; row++) {
		struct painted *next = term.next + (size_t)row * (size_t)term.cols;

		paint_row(grid->cells + (size_t)row * (size_t)grid->cols, next, cols);
		ink_blanks(next, cols);
	}
	is_other |= put_rows(rows, cols);
	term.is_stale = false;
	if (place_cursor(grid) || is_other)
		send_picture();
}

void term_redraw(void)
{
	term.is_stale = true;
}

/* ---- resizing and stopping ---- */

static void follow_size(void)
{
	int rows, cols;

	got_winch = 0;
	if (!read_size(&rows, &cols) || (rows == term.rows && cols == term.cols))
		return;
	/* Not resizeterm(), which would put a key of its own into the input. */
	resize_term(rows, cols);
	term.rows = rows;
	term.cols = cols;
	make_cells();
	prepare_reset();
	input_size(rows, cols);
	input_push(KEYC_RESIZE);
}

/* After the process went on: whoever had the terminal meanwhile may have left
 * anything on it. In the background the first call stops us until it is ours. */
static void resume(bool was_given_back)
{
	got_cont = 0;
	if (was_given_back && tcgetattr(term.in_fd, &line_settings) == 0)
		def_shell_mode();
	tcsetattr(term.in_fd, TCSADRAIN, &line_settings);
	if (!was_given_back)
		endwin();
	follow_size();
	enter();
	got_cont = 0;
}

static void stop(bool whole_group)
{
	struct sigaction ours, standard = { .sa_handler = SIG_DFL };

	got_tstp = 0;
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

static void handle_signals(void)
{
	if (got_tstp)
		stop(false);
	if (got_cont)
		resume(false);
	if (got_winch)
		follow_size();
}

key_code term_key(int timeout_ms)
{
	int64_t end = timeout_ms < 0 ? -1 : clock_ns() / NS_PER_MS + timeout_ms;

	if (!term.screen)
		return KEYC_HANGUP;
	for (;;) {
		struct input_event event;
		int64_t left;

		handle_signals();
		if (input_take(&event)) {
			if (event.key == KEYC_MOUSE)
				term.mouse = event.mouse;
			return event.key;
		}
		/* Whoever draws knows no other event that asks for a picture. */
		if (background_take(&term.palette.is_light))
			return KEYC_RESIZE;
		take_answers();
		left = end < 0 ? -1 : end - clock_ns() / NS_PER_MS;
		if (end >= 0 && left <= 0)
			return KEYC_NONE;
		wait_for_input(left);
	}
}

bool term_pending(void)
{
	bool is_there;

	if (!term.screen)
		return false;
	handle_signals();
	is_there = input_pending();
	take_answers();
	return is_there;
}

struct term_mouse term_mouse(void)
{
	return term.mouse;
}
