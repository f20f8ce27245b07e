/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pseudo-terminal for each test: a process takes the inner end, the test is the terminal at the
 * outer end. pty_open() and pty_close() are a checked fixture. */
#ifndef FLAMETTY_TESTS_PTY_H
#define FLAMETTY_TESTS_PTY_H

#include <check.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static int pty_outer, pty_inner;

static inline void pty_open(void)
{
	pty_outer = posix_openpt(O_RDWR | O_NOCTTY);
	ck_assert_int_ge(pty_outer, 0);
	ck_assert_int_eq(grantpt(pty_outer), 0);
	ck_assert_int_eq(unlockpt(pty_outer), 0);
	pty_inner = open(ptsname(pty_outer), O_RDWR | O_NOCTTY);
	ck_assert_int_ge(pty_inner, 0);
}

static inline void pty_close(void)
{
	close(pty_inner);
	close(pty_outer);
}

/* Make the terminal that of the calling process, and its standard input and output. */
static inline bool pty_take(void)
{
	return setsid() >= 0 && ioctl(pty_inner, TIOCSCTTY, 0) == 0 &&
		dup2(pty_inner, STDIN_FILENO) >= 0 && dup2(pty_inner, STDOUT_FILENO) >= 0;
}

static inline void pty_resize(int rows, int cols)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };

	ck_assert_int_eq(ioctl(pty_outer, TIOCSWINSZ, &size), 0);
}

#endif
