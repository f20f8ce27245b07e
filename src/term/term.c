/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The curses back end.
 *
 * Output. `shown` remembers how every cell was painted last; rows that differ are
 * given to curses, which sends the cells that differ. A picture without a
 * difference sends nothing. An update is wrapped in the synchronized-update mode
 * where the terminal is of a family that ignores private modes it does not know.
 *
 * Input. curses turns bytes into keys; what it does not know comes as Esc and
 * single characters, and after_escape() puts those together again: cursor keys in
 * the other keypad mode, modifiers, mouse reports (SGR, so that wide screens and
 * terminal descriptions without them work too), and silence for all others.
 * Decoded keys wait in `queue`; so asking whether one is there loses none.
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
#include "term/palette.h"

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

#define QUEUE_SIZE 16
#define SEQUENCE_MS 25
#define DOUBLE_CLICK_MS 400

#define MOUSE_ON "\033[?1000h\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l\033[?1000l"
#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END "\033[?2026l"

struct painted {
	uint32_t ch;
	uint32_t mark;
	struct paint paint;
};

struct event {
	key_code key;
	struct term_mouse mouse;
};

static struct {
	SCREEN *screen;
	WINDOW *input;          /* a pad: reading from it refreshes nothing */
	FILE *own_file;         /* the controlling terminal, where we had to open it */
	int in_fd, out_fd;
	bool knows_modes;       /* ignores private modes that it does not know */
	bool has_default_colors;
	struct palette palette;
	int rows, cols;

	struct painted *shown;
	struct painted *row;
	cchar_t *row_chars;
	int cursor_row, cursor_col;
	bool is_stale;          /* `shown` is not what is on the screen */
	int n_pairs;

	struct event queue[QUEUE_SIZE];
	int queue_first, n_queue;
	bool may_hold_bytes;    /* curses may have read more than it gave */
	struct term_mouse mouse;
	int press_row, press_col;
	int64_t press_ms;
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
	{ SIGILL, true, true }, { SIGWINCH, false, false }, { SIGTSTP, false, false }, { SIGCONT, false, false },
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

static int reset_putc(int c)
{
	if (reset_len < sizeof(reset_text))
		reset_text[reset_len++] = (char)c;
	return c;
}

static void reset_add(const char *capability)
{
	const char *text = tigetstr(capability);

	if (text && text != (const char *)-1)
		tputs(text, 1, reset_putc);
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
	term.row = xrealloc(term.row, cols, sizeof(*term.row));
	term.row_chars = xrealloc(term.row_chars, cols, sizeof(*term.row_chars));
	term.is_stale = true;
}

static void enter(void)
{
	is_taken = 1;
	clearok(curscr, TRUE);
	wnoutrefresh(stdscr);
	doupdate();
	/* Else only the first read would switch it on. */
	keypad(term.input, TRUE);
	if (term.knows_modes)
		write_all(MOUSE_ON, strlen(MOUSE_ON));
}

static void leave(void)
{
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
	can_move = tigetstr("cup") != NULL && tigetstr("cup") != (char *)-1;
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

static void set_modes(void)
{
	if (!getenv("ESCDELAY"))
		set_escdelay(SEQUENCE_MS);
	raw();
	noecho();
	nonl();
	curs_set(0);
	leaveok(stdscr, TRUE);
	scrollok(stdscr, FALSE);
	/* Or curses would stop in the middle of an update when a key comes. */
	typeahead(-1);
	term.input = newpad(1, 1);
	if (!term.input)
		die("out of memory: no input window");
	keypad(term.input, TRUE);
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
	getmaxyx(stdscr, term.rows, term.cols);
	term.cursor_row = -1;
	make_cells();
	term.is_stale = false;  /* enter() leaves an empty screen */
	prepare_reset();
	die_set_hook(term_close);
	if (!is_registered)
		is_registered = atexit(term_close) == 0;
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
	delwin(term.input);
	delscreen(term.screen);
	if (term.own_file)
		fclose(term.own_file);
	free(term.shown);
	free(term.row);
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

/* A row of cells as they will look. What this C library takes to have another
 * width than the layout did is replaced, or all that follows would be shifted. */
static void paint_row(const struct cell *cells, int n)
{
	struct paint paint = { 0 };
	const struct cell *last = NULL;
	const uint32_t replacement = wcwidth(0xfffd) == 1 ? 0xfffd : '?';

	for (int i = 0; i < n; i++) {
		const struct cell *c = &cells[i];
		struct painted *out = &term.row[i];
		int width = i + 1 < n && cells[i + 1].ch == 0 ? 2 : 1;

		if (!last || last->ink != c->ink || last->fill != c->fill || last->flags != c->flags)
			paint = palette_lookup(&term.palette, c->ink, c->fill, c->flags);
		last = c;
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

static void send_row(int row, int n)
{
	int n_chars = 0;

	for (int i = 0; i < n; i++) {
		const struct painted *p = &term.row[i];
		wchar_t text[3] = { (wchar_t)p->ch, (wchar_t)p->mark, 0 };
		int pair = pair_of(p->paint.fg, p->paint.bg);

		if (p->ch)
			setcchar(&term.row_chars[n_chars++], text, attrs_of(&p->paint), (short)pair, &pair);
	}
	mvadd_wchnstr(row, 0, term.row_chars, n_chars);
}

static bool is_painted_alike(const struct painted *a, const struct painted *b)
{
	return a->ch == b->ch && a->mark == b->mark && a->paint.fg == b->paint.fg && a->paint.bg == b->paint.bg &&
	       a->paint.attrs == b->paint.attrs;
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
		struct painted *shown = term.shown + (size_t)row * (size_t)term.cols;
		bool is_same = true;

		paint_row(grid->cells + (size_t)row * (size_t)grid->cols, cols);
		for (int i = 0; i < cols && is_same; i++)
			is_same = is_painted_alike(&shown[i], &term.row[i]);
		if (is_same)
			continue;
		send_row(row, cols);
		memcpy(shown, term.row, (size_t)cols * sizeof(*shown));
		is_other = true;
	}
	term.is_stale = false;
	if (place_cursor(grid) || is_other) {
		if (term.knows_modes)
			write_all(SYNC_BEGIN, strlen(SYNC_BEGIN));
		wnoutrefresh(stdscr);
		doupdate();
		if (term.knows_modes)
			write_all(SYNC_END, strlen(SYNC_END));
	}
}

void term_redraw(void)
{
	term.is_stale = true;
}

/* ---- keys ---- */

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void push_event(key_code key, struct term_mouse mouse)
{
	if (key == KEYC_NONE || term.n_queue == QUEUE_SIZE)
		return;
	term.queue[(term.queue_first + term.n_queue++) % QUEUE_SIZE] = (struct event){ key, mouse };
}

static void push_key(key_code key)
{
	push_event(key, (struct term_mouse){ 0 });
}

static void push_char(wint_t c)
{
	if (c == 0)
		push_key(KEYC_CTRL | ' ');
	else if (c == 8 || c == 127)
		push_key(KEYC_BACKSPACE);
	else if (c == '\t')
		push_key(KEYC_TAB);
	else if (c == '\n' || c == '\r')
		push_key(KEYC_ENTER);
	else if (c == 27)
		push_key(KEYC_ESC);
	else if (c < 27)
		push_key(KEYC_CTRL | (key_code)(c + 'a' - 1));
	else if (c < 32)
		push_key(KEYC_CTRL | (key_code)(c + '@'));
	else if ((c < 0x80 || c >= 0xa0) && (c < 0xd800 || c >= 0xe000) && c < KEYC_SPECIAL)
		push_key((key_code)c);
}

/* Modifiers as xterm counts them: 1 + 1 shift + 2 alt + 4 control. */
static key_code modifiers_of(int number)
{
	if (number < 2 || number > 16)
		return 0;
	return ((number - 1) & 1 ? KEYC_SHIFT : 0) | ((number - 1) & 4 ? KEYC_CTRL : 0);
}

/* Keys of the extended descriptions, by name: kLFT5 is C-Left. */
static void push_extended(int code)
{
	static const struct { char name[5]; key_code key; } keys[] = {
		{ "kUP", KEYC_UP }, { "kDN", KEYC_DOWN }, { "kLFT", KEYC_LEFT }, { "kRIT", KEYC_RIGHT },
		{ "kHOM", KEYC_HOME }, { "kEND", KEYC_END }, { "kPRV", KEYC_PGUP }, { "kNXT", KEYC_PGDN },
		{ "kDC", KEYC_DELETE }, { "kIC", KEYC_INSERT },
	};
	const char *name = keyname(code);

	for (size_t i = 0; name && i < ARRAY_LEN(keys); i++) {
		size_t len = strlen(keys[i].name);

		if (!strncmp(name, keys[i].name, len) && (!name[len] || (name[len] >= '2' && name[len] <= '9' && !name[len + 1]))) {
			push_key(keys[i].key | modifiers_of(name[len] ? name[len] - '0' : 2));
			return;
		}
	}
}

static void push_curses_key(int code)
{
	static const struct { int code; key_code key; } keys[] = {
		{ KEY_UP, KEYC_UP }, { KEY_DOWN, KEYC_DOWN }, { KEY_LEFT, KEYC_LEFT }, { KEY_RIGHT, KEYC_RIGHT },
		{ KEY_HOME, KEYC_HOME }, { KEY_END, KEYC_END }, { KEY_PPAGE, KEYC_PGUP }, { KEY_NPAGE, KEYC_PGDN },
		{ KEY_A1, KEYC_HOME }, { KEY_C1, KEYC_END }, { KEY_A3, KEYC_PGUP }, { KEY_C3, KEYC_PGDN },
		{ KEY_FIND, KEYC_HOME }, { KEY_SELECT, KEYC_END }, { KEY_LL, KEYC_END },
		{ KEY_IC, KEYC_INSERT }, { KEY_DC, KEYC_DELETE }, { KEY_BACKSPACE, KEYC_BACKSPACE },
		{ KEY_BTAB, KEYC_BACKTAB }, { KEY_ENTER, KEYC_ENTER },
		{ KEY_SR, KEYC_SHIFT | KEYC_UP }, { KEY_SF, KEYC_SHIFT | KEYC_DOWN },
		{ KEY_SLEFT, KEYC_SHIFT | KEYC_LEFT }, { KEY_SRIGHT, KEYC_SHIFT | KEYC_RIGHT },
		{ KEY_SHOME, KEYC_SHIFT | KEYC_HOME }, { KEY_SEND, KEYC_SHIFT | KEYC_END },
		{ KEY_SPREVIOUS, KEYC_SHIFT | KEYC_PGUP }, { KEY_SNEXT, KEYC_SHIFT | KEYC_PGDN },
		{ KEY_SDC, KEYC_SHIFT | KEYC_DELETE }, { KEY_SIC, KEYC_SHIFT | KEYC_INSERT },
	};

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		if (keys[i].code == code) {
			push_key(keys[i].key);
			return;
		}
	}
	if (code >= KEY_F(1) && code <= KEY_F(12))
		push_key((key_code)(KEYC_F1 + (code - KEY_F(1))));
	else if (code >= KEY_F(13) && code <= KEY_F(24))
		push_key((key_code)(KEYC_SHIFT | (KEYC_F1 + (code - KEY_F(13)))));
	else if (code > KEY_MAX)
		push_extended(code);
}

/* A mouse report: buttons as xterm codes them, row and column from 1. */
static void push_mouse(int button, int col, int row, bool is_release)
{
	struct term_mouse mouse = { .row = row - 1, .col = col - 1, .has_shift = button & 4, .has_ctrl = button & 16 };
	int64_t now = now_ms();

	if (row < 1 || col < 1 || row > term.rows || col > term.cols)
		return;
	if ((button & 67) == 64 || (button & 67) == 65) {
		mouse.what = button & 1 ? MOUSE_WHEEL_DOWN : MOUSE_WHEEL_UP;
	} else if (button & 64 || ((button & 3) != 0 && !is_release)) {
		return;
	} else if (is_release) {
		mouse.what = MOUSE_RELEASE;
	} else if (button & 32) {
		mouse.what = MOUSE_DRAG;
	} else {
		bool is_second = now - term.press_ms <= DOUBLE_CLICK_MS && row == term.press_row && col == term.press_col;

		mouse.what = is_second ? MOUSE_DOUBLE : MOUSE_CLICK;
		/* A third press begins anew. */
		term.press_ms = is_second ? now - DOUBLE_CLICK_MS - 1 : now;
		term.press_row = row;
		term.press_col = col;
	}
	push_event(KEYC_MOUSE, mouse);
}

/* The key of a control sequence by its last byte; numbers only matter for `~`. */
static key_code sequence_key(char last, int number)
{
	static const char letters[] = "ABCDHFPQRSZM";
	static const key_code of_letter[] = {
		KEYC_UP, KEYC_DOWN, KEYC_RIGHT, KEYC_LEFT, KEYC_HOME, KEYC_END, KEYC_F1, KEYC_F1 + 1, KEYC_F1 + 2,
		KEYC_F1 + 3, KEYC_BACKTAB, KEYC_ENTER
	};
	static const key_code of_number[] = {
		0, KEYC_HOME, KEYC_INSERT, KEYC_DELETE, KEYC_END, KEYC_PGUP, KEYC_PGDN, KEYC_HOME, KEYC_END, 0, 0,
		KEYC_F1, KEYC_F1 + 1, KEYC_F1 + 2, KEYC_F1 + 3, KEYC_F1 + 4, 0, KEYC_F1 + 5, KEYC_F1 + 6, KEYC_F1 + 7,
		KEYC_F1 + 8, KEYC_F1 + 9, 0, KEYC_F1 + 10, KEYC_F12
	};
	const char *at = strchr(letters, last);

	if (last == '~')
		return number >= 0 && (size_t)number < ARRAY_LEN(of_number) ? of_number[number] : KEYC_NONE;
	return at && last ? of_letter[at - letters] : KEYC_NONE;
}

/* One character of a sequence. What is a key of its own goes to the queue and ends it. */
static bool next_char(int wait_ms, wint_t *c)
{
	int result;

	wtimeout(term.input, wait_ms);
	result = wget_wch(term.input, c);
	if (result == KEY_CODE_YES)
		push_curses_key((int)*c);
	return result == OK;
}

static void old_mouse_report(void)
{
	wint_t c[3];

	if (!next_char(SEQUENCE_MS, &c[0]) || !next_char(SEQUENCE_MS, &c[1]) || !next_char(SEQUENCE_MS, &c[2]))
		return;
	push_mouse((int)c[0] - 32, (int)c[1] - 32, (int)c[2] - 32, ((c[0] - 32) & 67) == 3);
}

/* The rest of a sequence after ESC [ (or ESC O), of which `c` is the first character. */
static void control_sequence(wint_t c, bool is_keypad)
{
	int numbers[3] = { -1, -1, -1 }, n = 0;
	char mark = 0;
	key_code key;

	if (c == 'M' && !is_keypad) {
		old_mouse_report();
		return;
	}
	if (c == '[') {         /* function keys of the Linux console */
		next_char(SEQUENCE_MS, &c);
		return;
	}
	while (c < 0x40) {
		if (c >= '0' && c <= '9' && n < 3)
			numbers[n] = (numbers[n] < 0 ? 0 : numbers[n]) % 10000 * 10 + (int)(c - '0');
		else if (c == ';')
			n++;
		else if (c >= '<' && c <= '?')
			mark = (char)c;
		else if (c < 0x20)
			return;
		if (!next_char(SEQUENCE_MS, &c))
			return;
	}
	if (c > 0x7e)
		return;
	if (mark == '<' && (c == 'M' || c == 'm')) {
		push_mouse(numbers[0], numbers[1], numbers[2], c == 'm');
		return;
	}
	key = mark || (c == 'M' && !is_keypad) ? KEYC_NONE : sequence_key((char)c, numbers[0]);
	if (key != KEYC_NONE)
		push_key(key | (key == KEYC_BACKTAB ? 0 : modifiers_of(numbers[1])));
}

/* ESC was read and is no key that curses knows. */
static void after_escape(void)
{
	wint_t first, second;
	int result;

	wtimeout(term.input, 0);
	result = wget_wch(term.input, &first);
	if (result == OK && (first == '[' || first == 'O')) {
		int n_before = term.n_queue;

		if (next_char(SEQUENCE_MS, &second)) {
			control_sequence(second, first == 'O');
		} else if (term.n_queue == n_before) {
			push_key(KEYC_ESC);
			push_char(first);
		}
		return;
	}
	push_key(KEYC_ESC);
	if (result == OK && first == 27)
		after_escape();
	else if (result == OK)
		push_char(first);
	else if (result == KEY_CODE_YES)
		push_curses_key((int)first);
}

static bool is_readable(void)
{
	struct timeval none = { 0, 0 };
	fd_set set;

	FD_ZERO(&set);
	FD_SET(term.in_fd, &set);
	return select(term.in_fd + 1, &set, NULL, NULL, &none) > 0;
}

/* Decode what has come until there is an event, without waiting for more. */
static void fetch(void)
{
	while (term.n_queue == 0) {
		bool has_bytes = is_readable();
		int n_bytes = 0, result;
		wint_t c;

		if (!has_bytes && !term.may_hold_bytes)
			return;
		if (has_bytes && !term.may_hold_bytes && (ioctl(term.in_fd, FIONREAD, &n_bytes) < 0 || n_bytes == 0)) {
			push_key(KEYC_HANGUP);
			return;
		}
		wtimeout(term.input, has_bytes ? SEQUENCE_MS : 0);
		result = wget_wch(term.input, &c);
		term.may_hold_bytes = result != ERR;
		if (result == KEY_CODE_YES)
			push_curses_key((int)c);
		else if (result == OK && c == 27)
			after_escape();
		else if (result == OK)
			push_char(c);
	}
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
	push_key(KEYC_RESIZE);
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
}

key_code term_key(int timeout_ms)
{
	int64_t end = timeout_ms < 0 ? -1 : now_ms() + timeout_ms;

	if (!term.screen)
		return KEYC_HANGUP;
	for (;;) {
		int64_t left;

		handle_signals();
		if (term.n_queue == 0)
			fetch();
		if (term.n_queue > 0) {
			struct event event = term.queue[term.queue_first];

			term.queue_first = (term.queue_first + 1) % QUEUE_SIZE;
			term.n_queue--;
			if (event.key == KEYC_MOUSE)
				term.mouse = event.mouse;
			return event.key;
		}
		left = end < 0 ? -1 : end - now_ms();
		if (end >= 0 && left <= 0)
			return KEYC_NONE;
		wait_for_input(left);
	}
}

bool term_pending(void)
{
	if (!term.screen)
		return false;
	handle_signals();
	if (term.n_queue == 0)
		fetch();
	return term.n_queue > 0;
}

struct term_mouse term_mouse(void)
{
	return term.mouse;
}
