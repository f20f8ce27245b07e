/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text that resets the terminal is made in advance, because terminfo functions must not be
 * called in a signal handler.
 *
 * A terminal may take no output: a terminal multiplexer that is stopped, a network that is gone.
 * The reset must not wait for it, so it is written to a file description of its own that does not
 * block: that of standard output is shared with other programs, for which O_NONBLOCK would be set,
 * too. */
#include "config.h"

#include "term/tty.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/signals.h"
#include "base/units.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#define USUAL_ROWS 24
#define USUAL_COLS 80
#define RESET_NS (NS_PER_S / 2) /* the longest time that a reset waits for the terminal */

static struct {
	FILE *own_file; /* the terminal, if it was opened here */
	int in_fd, out_fd;
	int reset_fd; /* the terminal of out_fd, for the reset; -1: cannot be opened again */
	struct termios settings;
	uint64_t n_written; /* bytes, since tty_take_written() */
} tty;

static const int own_signals[] = { SIGWINCH, SIGTSTP, SIGCONT };
static volatile sig_atomic_t has_come[NSIG], is_taken;
static char reset_text[256];
static size_t reset_len;

static struct sigaction old_actions[ARRAY_LEN(own_signals)];

/* ---- the device ---- */

static bool is_same_device(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) == 0 && fstat(b, &y) == 0 && S_ISCHR(x.st_mode) && S_ISCHR(y.st_mode) &&
		x.st_rdev == y.st_rdev;
}

static int open_same(const char *name, int flags, int of_fd)
{
	int fd = open(name, flags | O_NOCTTY | O_CLOEXEC);

	if (fd >= 0 && !is_same_device(fd, of_fd)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Open the terminal again: the new file descriptor has flags of its own. Returns -1 if that is not
 * possible: the name of the terminal may belong to another one, or to none, if the program is in a
 * container and the terminal is not. */
static int open_again(int of_fd, int flags)
{
	char name[256];
	int fd;

	snprintf(name, sizeof name, "/proc/self/fd/%d", of_fd);
	fd = open_same(name, flags, of_fd);
	if (fd < 0 && ttyname_r(of_fd, name, sizeof name) == 0)
		fd = open_same(name, flags, of_fd);
	return fd;
}

/* The controlling terminal. */
static bool open_own(FILE **in, FILE **out, struct error *err)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return error_errno(err, errno, "there is no terminal: /dev/tty");
	tty.own_file = fdopen(fd, "r+");
	if (!tty.own_file) {
		close(fd);
		return error_errno(err, errno, "/dev/tty");
	}
	*in = *out = tty.own_file;
	return true;
}

/* Curses does not wait for a terminal that does not block, it tries all the time. */
static void make_blocking(FILE **out)
{
	int fd;

	if (!(fcntl(fileno(*out), F_GETFL) & O_NONBLOCK))
		return;
	fd = open_again(fileno(*out), O_RDWR);
	if (fd < 0)
		return;
	tty.own_file = fdopen(fd, "r+");
	if (tty.own_file)
		*out = tty.own_file;
	else
		close(fd);
}

bool tty_open(FILE **in, FILE **out, struct error *err)
{
	*in = stdin;
	*out = stdout;
	tty.own_file = NULL;
	tty.n_written = 0;
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		make_blocking(out);
	else if (!open_own(in, out, err))
		return false;
	tty.in_fd = fileno(*in);
	tty.out_fd = fileno(*out);
	tty.reset_fd = open_again(tty.out_fd, O_WRONLY | O_NONBLOCK);
	return true;
}

void tty_close(void)
{
	if (tty.own_file)
		fclose(tty.own_file);
	tty.own_file = NULL;
	if (tty.reset_fd >= 0)
		close(tty.reset_fd);
	tty.reset_fd = -1;
}

int tty_in_fd(void)
{
	return tty.in_fd;
}

int tty_out_fd(void)
{
	return tty.out_fd;
}

/* A number of rows or columns of the environment, or else the usual one. */
static int size_by(const char *name, int usual)
{
	const char *text = getenv(name);
	char *end;
	long n = text ? strtol(text, &end, 10) : 0;

	return n > 0 && *end == '\0' ? (int)(n < INT_MAX ? n : INT_MAX) : usual;
}

bool tty_size(int *rows, int *cols)
{
	/* Of some pseudo-terminals, and of serial lines, no program has set it: it is 0. */
	struct winsize size = { 0 };

	if (ioctl(tty.out_fd, TIOCGWINSZ, &size) < 0)
		size = (struct winsize){ 0 };
	*rows = size.ws_row ? size.ws_row : size_by("LINES", USUAL_ROWS);
	*cols = size.ws_col ? size.ws_col : size_by("COLUMNS", USUAL_COLS);
	*rows = *rows < TTY_ROWS_MAX ? *rows : TTY_ROWS_MAX;
	*cols = *cols < TTY_COLS_MAX ? *cols : TTY_COLS_MAX;
	return *rows == size.ws_row && *cols == size.ws_col;
}

/* Write as much as the terminal takes. If it does not block, wait for it until clock_ns() is end_ns
 * (below 0: no limit). Returns false when that time is over. */
static bool write_until(int fd, const char *text, size_t len, int64_t end_ns)
{
	while (len) {
		ssize_t n = write(fd, text, len);
		int64_t left = end_ns - clock_ns();

		if (n > 0) {
			text += n;
			len -= (size_t)n;
		} else if (n == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) {
			return true; /* the terminal is gone */
		} else if (errno != EINTR) {
			if (end_ns >= 0 && left <= 0)
				return false;
			poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1,
			     end_ns < 0 ? -1 : (int)(left / NS_PER_MS) + 1);
		}
	}
	return true;
}

void tty_write(const char *text, size_t len)
{
	write_until(tty.out_fd, text, len, -1);
	tty.n_written += len;
}

uint64_t tty_take_written(void)
{
	uint64_t n = tty.n_written;

	tty.n_written = 0;
	return n;
}

bool tty_keep_settings(void)
{
	return tcgetattr(tty.in_fd, &tty.settings) == 0;
}

void tty_restore_settings(void)
{
	tcsetattr(tty.in_fd, TCSADRAIN, &tty.settings);
}

bool tty_wait(int64_t wait_ms, int other_fd)
{
	struct timespec time = { .tv_sec = (time_t)(wait_ms / 1000),
				 .tv_nsec = (long)(wait_ms % 1000) * 1000000 };
	bool is_other = false, has_signal = false;
	sigset_t block, old;
	fd_set set;

	sigemptyset(&block);
	for (size_t i = 0; i < ARRAY_LEN(own_signals); i++)
		sigaddset(&block, own_signals[i]);
	sigprocmask(SIG_BLOCK, &block, &old);
	for (size_t i = 0; i < ARRAY_LEN(own_signals); i++)
		has_signal |= has_come[own_signals[i]];
	if (!has_signal) {
		FD_ZERO(&set);
		FD_SET(tty.in_fd, &set);
		if (other_fd >= 0)
			FD_SET(other_fd, &set);
		is_other = pselect((other_fd > tty.in_fd ? other_fd : tty.in_fd) + 1, &set, NULL,
				   NULL, wait_ms < 0 ? NULL : &time, &old) > 0 &&
			other_fd >= 0 && FD_ISSET(other_fd, &set);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	return is_other;
}

bool tty_wait_bytes(int64_t wait_ms)
{
	struct timeval time = { .tv_sec = (time_t)(wait_ms / 1000),
				.tv_usec = (suseconds_t)(wait_ms % 1000 * 1000) };
	fd_set set;

	FD_ZERO(&set);
	FD_SET(tty.in_fd, &set);
	return select(tty.in_fd + 1, &set, NULL, NULL, &time) > 0;
}

int tty_read(unsigned char *byte)
{
	ssize_t n;

	if (!tty_wait_bytes(0))
		return 0;
	n = read(tty.in_fd, byte, 1);
	return n > 0 || (n < 0 && errno == EINTR) ? n > 0 : -1;
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

/* If the terminal takes nothing, drop the output that waits in its queue, so that there is room for
 * the reset: the terminal gets it when it goes on. */
static void write_reset(int fd)
{
	if (write_until(fd, reset_text, reset_len, clock_ns() + RESET_NS))
		return;
	tcflush(fd, TCOFLUSH);
	write_until(fd, reset_text, reset_len, 0);
}

/* Does not use curses, which may be in the middle of an update. Drops pending input: it may be
 * answers. Does not wait for output, as TCSAFLUSH does. */
void tty_give_back(void)
{
	int flags;

	if (is_taken && is_in_foreground()) {
		if (tty.reset_fd >= 0) {
			write_reset(tty.reset_fd);
		} else if ((flags = fcntl(tty.out_fd, F_GETFL)) >= 0) {
			fcntl(tty.out_fd, F_SETFL, flags | O_NONBLOCK);
			write_reset(tty.out_fd);
			fcntl(tty.out_fd, F_SETFL, flags);
		}
		tcflush(tty.in_fd, TCIFLUSH);
		tcsetattr(tty.in_fd, TCSANOW, &tty.settings);
	}
	is_taken = 0;
}

static void on_signal(int number)
{
	has_come[number] = 1;
}

bool tty_take_signal(int number)
{
	if (!has_come[number])
		return false;
	has_come[number] = 0;
	return true;
}

void tty_install_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_LEN(own_signals); i++) {
		has_come[own_signals[i]] = 0;
		sigaction(own_signals[i], NULL, &old_actions[i]);
		if (old_actions[i].sa_handler != SIG_IGN)
			sigaction(own_signals[i], &action, NULL);
	}
	signals_add(tty_give_back);
}

void tty_remove_signals(void)
{
	signals_remove(tty_give_back);
	for (size_t i = 0; i < ARRAY_LEN(own_signals); i++)
		sigaction(own_signals[i], &old_actions[i], NULL);
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
