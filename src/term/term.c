/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The curses back end.
 *
 * Output (canvas.c). An update is wrapped in the synchronized-update mode where the terminal is of a
 * family that ignores private modes it does not know. Behind pictures that follow each other quickly the
 * terminal is asked whether it has come so far (flow.c).
 *
 * Background (background.c). Where nothing says whether the page is light, the terminal is asked at the
 * start. A short time is waited for its answer; one that comes later is taken between keys.
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
#include "term/canvas.h"
#include "term/flow.h"
#include "term/input.h"
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

/* Mouse reports, and marks around what is pasted. */
#define MODES_ON "\033[?1000h\033[?1002h\033[?1006h\033[?2004h"
#define MODES_OFF "\033[?2004l\033[?1006l\033[?1002l\033[?1000l"
#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END "\033[?2026l"

static struct {
	SCREEN *screen;
	WINDOW *pad;            /* for input.c: reading from a pad refreshes nothing */
	FILE *own_file;         /* the controlling terminal, where we had to open it */
	int in_fd, out_fd;
	bool knows_modes;       /* ignores private modes that it does not know */
	bool can_ask;           /* places its cursor by CSI, so other sequences of that kind print nothing */
	bool has_default_colors;
	struct palette palette;
	int rows, cols;

	int cursor_row, cursor_col;
	int next_row, next_col; /* of the cursor in the picture that is sent; -1: hidden */
	bool is_cut;            /* that picture has parts */
	struct term_mouse mouse;
	bool is_pasted;         /* the last key */
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

/* Without curses, which may be in the middle of something; and without answers that have come. */
static void give_back_at_once(void)
{
	if (is_taken && is_in_foreground()) {
		write_all(reset_text, reset_len);
		tcsetattr(term.in_fd, TCSAFLUSH, &line_settings);
	}
	is_taken = 0;
}

static void on_deadly_signal(int number)
{
	int saved_errno = errno;

	give_back_at_once();
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
		for (const char *s = "\030" SYNC_END MODES_OFF; *s; s++)
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
	flow_looked();
}

/* The same without a look at signals, which wait until the terminal was given back. */
static void wait_for_bytes(int64_t wait_ms)
{
	struct timeval time = { .tv_sec = (time_t)(wait_ms / 1000), .tv_usec = (suseconds_t)(wait_ms % 1000 * 1000) };
	fd_set set;

	FD_ZERO(&set);
	FD_SET(term.in_fd, &set);
	select(term.in_fd + 1, &set, NULL, NULL, &time);
	flow_looked();
}

/* Or they would come as if typed to whoever has the terminal next. */
static void await_answers(void)
{
	int64_t left;

	while ((left = flow_patience_ns()) > 0) {
		struct input_event event = { .key = KEYC_NONE };

		wait_for_bytes(left / NS_PER_MS + 1);
		while (input_take(&event) && event.key != KEYC_HANGUP)
			;
		if (event.key == KEYC_HANGUP)
			return;
		flow_take(input_take_answers());
	}
}

bool term_is_behind(void)
{
	if (!term.screen)
		return false;
	for (;;) {
		bool has_key = term_pending();
		int64_t left = flow_wait_ns();

		if (left == 0)
			return false;
		if (has_key)
			return true;
		wait_for_input(left / NS_PER_MS + 1);
	}
}

int64_t term_trip_ns(void)
{
	return flow_trip_ns();
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

static void enter(void)
{
	flow_begin();
	is_taken = 1;
	clearok(curscr, TRUE);
	wnoutrefresh(stdscr);
	doupdate();
	/* Else only the first read would switch it on. */
	keypad(term.pad, TRUE);
	if (term.knows_modes)
		write_all(MODES_ON, strlen(MODES_ON));
}

static void leave(void)
{
	/* Answers that come later would be typed into the shell. */
	background_await(BACKGROUND_END_MS);
	await_answers();
	if (term.knows_modes)
		write_all(MODES_OFF, strlen(MODES_OFF));
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
	term.can_ask = can_move && !strncmp(tigetstr("cup"), "\033[", 2);
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
	background_await(BACKGROUND_START_MS);
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

static void before_death(bool is_own)
{
	if (is_own)
		term_close();
	else
		give_back_at_once();
}

bool term_open(const struct term_options *options, struct error *err)
{
	static bool is_registered;
	bool can_shift;
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
	can_shift = term.knows_modes && term.has_default_colors && has_capability("dch") && has_capability("ich");
	getmaxyx(stdscr, term.rows, term.cols);
	input_open(term.pad, term.in_fd);
	input_size(term.rows, term.cols);
	term.cursor_row = -1;
	canvas_open(&term.palette, term.has_default_colors, can_shift);
	canvas_resize(term.rows, term.cols, true);      /* enter() leaves an empty screen */
	prepare_reset();
	die_set_hook(before_death);
	if (!is_registered)
		is_registered = atexit(term_close) == 0;
	flow_open(getenv("SSH_CONNECTION") != NULL);
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
	canvas_close();
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

static bool place_cursor(void)
{
	bool is_shown = term.next_row >= 0;
	bool is_other = term.next_row != term.cursor_row || term.next_col != term.cursor_col;

	if (is_other)
		curs_set(is_shown);
	leaveok(stdscr, !is_shown);
	if (is_shown)
		move(term.next_row, term.next_col);
	term.cursor_row = term.next_row;
	term.cursor_col = term.next_col;
	return is_other;
}

static void send_update(void)
{
	struct buf *moves = canvas_moves();

	if (moves->len) {
		buf_adds(moves, "\0338");
		write_all(SYNC_BEGIN "\0337\033[m", strlen(SYNC_BEGIN "\0337\033[m"));
		write_all(moves->data, moves->len);
		buf_clear(moves);
	} else if (term.knows_modes) {
		write_all(SYNC_BEGIN, strlen(SYNC_BEGIN));
	}
	wnoutrefresh(stdscr);
	doupdate();
	if (term.knows_modes)
		write_all(SYNC_END, strlen(SYNC_END));
}

/* Send what differs, or as much of it as may be under way at once. */
static void send_part(void)
{
	size_t bytes = canvas_give(flow_part_bytes());
	bool has_more = canvas_has_more(), is_part = term.is_cut || has_more;

	term.is_cut = has_more;
	if (!place_cursor() && !bytes)
		return;
	send_update();
	flow_sent(bytes);
	if (term.can_ask && flow_asks(is_part))
		write_all(FLOW_REQUEST, strlen(FLOW_REQUEST));
}

void term_show(const struct grid *grid)
{
	bool has_cursor = grid->cursor_row >= 0 && grid->cursor_row < term.rows && grid->cursor_col >= 0 && grid->cursor_col < term.cols;

	if (!term.screen || grid->cols <= 0)
		return;
	term.next_row = has_cursor ? grid->cursor_row : -1;
	term.next_col = has_cursor ? grid->cursor_col : 0;
	term.is_cut = false;
	canvas_put(grid);
	send_part();
}

void term_redraw(void)
{
	canvas_forget();
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
	canvas_resize(rows, cols, false);
	term.is_cut = false;
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
		int64_t left, part;

		handle_signals();
		if (input_take(&event)) {
			if (event.key == KEYC_MOUSE)
				term.mouse = event.mouse;
			term.is_pasted = event.is_pasted;
			return event.key;
		}
		/* Whoever draws knows no other event that asks for a picture. */
		if (background_take(&term.palette.is_light))
			return KEYC_RESIZE;
		flow_take(input_take_answers());
		part = term.is_cut ? flow_wait_ns() : -1;
		if (part == 0) {
			send_part();
			continue;
		}
		left = end < 0 ? -1 : end - clock_ns() / NS_PER_MS;
		if (end >= 0 && left <= 0)
			return KEYC_NONE;
		wait_for_input(part > 0 && (left < 0 || part / NS_PER_MS < left) ? part / NS_PER_MS + 1 : left);
	}
}

bool term_pending(void)
{
	bool is_there;

	if (!term.screen)
		return false;
	handle_signals();
	is_there = input_pending();
	flow_take(input_take_answers());
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
