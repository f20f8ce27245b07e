/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signal handlers only write, restore the settings and raise: the text that they write is made in
 * advance, because terminfo functions must not be called in a handler. */
#include "config.h"

#include "term/tty.h"

#include "base/alloc.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

static struct {
	FILE *own_file; /* the controlling terminal, if it was opened */
	int in_fd, out_fd;
	struct termios settings;
} tty;

static volatile sig_atomic_t got_winch, got_tstp, got_cont, is_taken;
static char reset_text[256];
static size_t reset_len;
static char signal_stack[32768];

static const struct {
	int number;
	bool is_deadly;
	bool is_fault;
} signals[] = {
	{ SIGTERM, true, false },  { SIGHUP, true, false },    { SIGINT, true, false },
	{ SIGQUIT, true, false },  { SIGSEGV, true, true },    { SIGABRT, true, true },
	{ SIGBUS, true, true },    { SIGFPE, true, true },     { SIGILL, true, true },
	{ SIGUSR1, true, false },  { SIGUSR2, true, false },   { SIGALRM, true, false },
	{ SIGPIPE, true, false },  { SIGXCPU, true, false },   { SIGSYS, true, true },
	{ SIGTRAP, true, true },   { SIGWINCH, false, false }, { SIGTSTP, false, false },
	{ SIGCONT, false, false },
};
static struct sigaction old_actions[ARRAY_LEN(signals)];

/* ---- the device ---- */

bool tty_open(FILE **in, FILE **out, struct error *err)
{
	int fd;

	*in = stdin;
	*out = stdout;
	tty.own_file = NULL;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
		if (fd < 0)
			return error_errno(err, errno, "there is no terminal: /dev/tty");
		tty.own_file = fdopen(fd, "r+");
		if (!tty.own_file) {
			close(fd);
			return error_errno(err, errno, "/dev/tty");
		}
		*in = *out = tty.own_file;
	}
	tty.in_fd = fileno(*in);
	tty.out_fd = fileno(*out);
	return true;
}

void tty_close(void)
{
	if (tty.own_file)
		fclose(tty.own_file);
	tty.own_file = NULL;
}

int tty_in_fd(void)
{
	return tty.in_fd;
}

int tty_out_fd(void)
{
	return tty.out_fd;
}

bool tty_size(int *rows, int *cols)
{
	struct winsize size;

	if (ioctl(tty.out_fd, TIOCGWINSZ, &size) < 0 || !size.ws_row || !size.ws_col)
		return false;
	*rows = size.ws_row;
	*cols = size.ws_col;
	return true;
}

void tty_write(const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(tty.out_fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		text += n;
		len -= (size_t)n;
	}
}

bool tty_keep_settings(void)
{
	return tcgetattr(tty.in_fd, &tty.settings) == 0;
}

void tty_restore_settings(void)
{
	tcsetattr(tty.in_fd, TCSADRAIN, &tty.settings);
}

void tty_wait(int64_t wait_ms)
{
	struct timespec time = { .tv_sec = (time_t)(wait_ms / 1000),
				 .tv_nsec = (long)(wait_ms % 1000) * 1000000 };
	sigset_t block, old;
	fd_set set;

	sigemptyset(&block);
	sigaddset(&block, SIGWINCH);
	sigaddset(&block, SIGTSTP);
	sigaddset(&block, SIGCONT);
	sigprocmask(SIG_BLOCK, &block, &old);
	if (!got_winch && !got_tstp && !got_cont) {
		FD_ZERO(&set);
		FD_SET(tty.in_fd, &set);
		pselect(tty.in_fd + 1, &set, NULL, NULL, wait_ms < 0 ? NULL : &time, &old);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
}

void tty_wait_bytes(int64_t wait_ms)
{
	struct timeval time = { .tv_sec = (time_t)(wait_ms / 1000),
				.tv_usec = (suseconds_t)(wait_ms % 1000 * 1000) };
	fd_set set;

	FD_ZERO(&set);
	FD_SET(tty.in_fd, &set);
	select(tty.in_fd + 1, &set, NULL, NULL, &time);
}

/* ---- signals ---- */

static bool is_in_foreground(void)
{
	pid_t group = tcgetpgrp(tty.in_fd);

	return group < 0 || group == getpgrp();
}

void tty_set_taken(bool is_ours)
{
	is_taken = is_ours;
}

/* Does not use curses, which may be in the middle of an update. Drops pending input: it may be
 * answers. */
void tty_give_back(void)
{
	if (is_taken && is_in_foreground()) {
		tty_write(reset_text, reset_len);
		tcsetattr(tty.in_fd, TCSAFLUSH, &tty.settings);
	}
	is_taken = 0;
}

static void on_deadly_signal(int number)
{
	int saved_errno = errno;

	tty_give_back();
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		if (signals[i].number == number)
			sigaction(number, &old_actions[i], NULL);
	raise(number); /* blocked until this handler returns */
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

bool tty_has_signal(int number)
{
	return number == SIGWINCH ? got_winch : number == SIGTSTP ? got_tstp : got_cont;
}

void tty_forget_signal(int number)
{
	if (number == SIGWINCH)
		got_winch = 0;
	else if (number == SIGTSTP)
		got_tstp = 0;
	else
		got_cont = 0;
}

void tty_install_signals(void)
{
	stack_t stack = { .ss_sp = signal_stack, .ss_size = sizeof(signal_stack) };
	struct sigaction action = { 0 };

	got_winch = got_tstp = got_cont = 0;
	sigaltstack(&stack, NULL);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		int number = signals[i].number;

		sigaction(number, NULL, &old_actions[i]);
		if (old_actions[i].sa_handler == SIG_IGN)
			continue;
		action.sa_handler = signals[i].is_deadly ? on_deadly_signal : on_signal;
		/* Faults need the alternate stack: the cause may be a stack overflow. */
		action.sa_flags = signals[i].is_fault ? SA_ONSTACK : SA_RESTART;
		if (signals[i].is_deadly)
			sigfillset(&action.sa_mask);
		else
			sigemptyset(&action.sa_mask);
		sigaction(number, &action, NULL);
	}
}

void tty_remove_signals(void)
{
	stack_t stack = { .ss_flags = SS_DISABLE, .ss_size = sizeof(signal_stack) };

	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sigaction(signals[i].number, &old_actions[i], NULL);
	sigaltstack(&stack, NULL);
}

/* ---- the reset text ---- */

bool tty_has_capability(const char *name)
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
	if (tty_has_capability(capability))
		tputs(tigetstr(capability), 1, reset_putc);
}

/* The text ends on the last row, so it is made again after each change of size. */
void tty_prepare_reset(const char *first, int rows)
{
	const char *move = tigetstr("cup");

	is_taken = 0;
	reset_len = 0;
	for (; *first; first++)
		reset_putc(*first);
	reset_add("sgr0");
	reset_add("op");
	tputs(tparm(move, (long)(rows - 1), 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L), 1, reset_putc);
	reset_add("rmkx");
	reset_add("cnorm");
	reset_add("rmcup");
	reset_putc('\r');
	is_taken = 1;
}
