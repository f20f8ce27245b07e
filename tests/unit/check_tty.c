/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminal is reset before a signal ends the program, also if it takes no output. The terminal
 * is a pseudo-terminal: a process takes it, the test has the other end. */
#include "config.h"

#include "term/tty.h"

#include "base/clock.h"
#include "base/units.h"

#include "pty.h"
#include "suite.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#define PATIENCE_NS (20 * NS_PER_S)

static struct termios before;

static void set_up(void)
{
	pty_open();
	ck_assert_int_eq(tcgetattr(pty_inner, &before), 0);
}

/* Leave no free file descriptor. */
static void use_up_files(void)
{
	struct rlimit few = { 0 };

	getrlimit(RLIMIT_NOFILE, &few);
	few.rlim_cur = (rlim_t)dup(STDERR_FILENO) + 1;
	setrlimit(RLIMIT_NOFILE, &few);
}

enum { IS_BLOCKED = 1, HAS_NO_FILES = 2 };

/* Take the terminal as term.c does. Returns false if there is no description of its type. */
static bool take(unsigned how)
{
	struct error err = ERROR_INIT;
	struct termios raw = before;
	FILE *in, *out;
	int found;

	if (!pty_take() || setupterm("xterm", STDOUT_FILENO, &found) != OK)
		return false;
	if (how & HAS_NO_FILES)
		use_up_files();
	if (!tty_open(&in, &out, &err) || !tty_keep_settings())
		return false;
	tty_install_signals();
	cfmakeraw(&raw);
	tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	tty_prepare_reset("", 24);
	tty_set_taken(true);
	return true;
}

/* Write until the terminal has taken nothing for a while. */
static void flood(void)
{
	static const char noise[1000] = { 0 };
	int n_refused = 0;

	fcntl(STDOUT_FILENO, F_SETFL, O_RDWR | O_NONBLOCK);
	while (n_refused < 5) {
		n_refused = write(STDOUT_FILENO, noise, sizeof noise) < 0 ? n_refused + 1 : 0;
		if (n_refused)
			usleep(20000);
	}
	fcntl(STDOUT_FILENO, F_SETFL, O_RDWR);
}

/* Start a process that takes the terminal, and wait until it has. Returns 0 if it cannot. */
static pid_t start(unsigned how, int number)
{
	int ends[2];
	pid_t pid;
	char ok;

	ck_assert_int_eq(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		struct rlimit none = { 0, 0 };

		setrlimit(RLIMIT_CORE, &none);
		signal(number, SIG_DFL);
		if (!take(how))
			_exit(77);
		if (how & IS_BLOCKED)
			flood();
		(void)!write(ends[1], "y", 1);
		/* As when a picture is being sent: this waits in write(). */
		if (how & IS_BLOCKED)
			(void)!write(STDOUT_FILENO, "noise", 5);
		for (;;)
			pause();
	}
	close(ends[1]);
	if (read(ends[0], &ok, 1) != 1) {
		waitpid(pid, NULL, 0);
		return 0;
	}
	close(ends[0]);
	return pid;
}

/* Wait for the end of the process; returns its status, -1: it has not ended. */
static int end_of(pid_t pid)
{
	int64_t end = clock_ns() + PATIENCE_NS;
	int status;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (clock_ns() > end) {
			kill(pid, SIGKILL);
			waitpid(pid, &status, 0);
			return -1;
		}
		usleep(2000);
	}
	return status;
}

/* Read what the terminal got; returns whether it contains the sequence that ends full-screen
 * mode. */
static bool was_reset(void)
{
	static char text[1 << 20];
	size_t len = 0;
	ssize_t n;
	int found;

	ck_assert_int_eq(fcntl(pty_outer, F_SETFL, O_NONBLOCK), 0);
	while (len < sizeof text && (n = read(pty_outer, text + len, sizeof text - len)) > 0)
		len += (size_t)n;
	ck_assert_int_eq(setupterm("xterm", pty_inner, &found), OK);
	return memmem(text, len, tigetstr("rmcup"), strlen(tigetstr("rmcup"))) != NULL;
}

static void check_restored(void)
{
	struct termios after;

	ck_assert_int_eq(tcgetattr(pty_inner, &after), 0);
	ck_assert_uint_eq(after.c_lflag, before.c_lflag);
	ck_assert_uint_eq(after.c_iflag, before.c_iflag);
	ck_assert_uint_eq(after.c_oflag, before.c_oflag);
	/* The description is shared: this is the one that the process had. */
	ck_assert_int_eq(fcntl(pty_inner, F_GETFL) & O_NONBLOCK, 0);
	ck_assert(was_reset());
}

static void check_end(unsigned how, int number)
{
	pid_t pid = start(how, number);
	int64_t sent = clock_ns();
	int status;

	if (!pid)
		return;
	kill(pid, number);
	status = end_of(pid);
	ck_assert_msg(status != -1 && WIFSIGNALED(status) && WTERMSIG(status) == number,
		      "signal %d: status %x", number, status);
	ck_assert_int_lt(clock_ns() - sent, 3 * NS_PER_S);
	check_restored();
}

static const int numbers[] = {
	SIGTERM, SIGHUP,  SIGINT,    SIGQUIT, SIGUSR1, SIGSEGV,   SIGABRT,
	SIGXCPU, SIGXFSZ, SIGPROF,   SIGALRM, SIGPIPE, SIGVTALRM,
#ifdef __linux__
	SIGIO,   SIGPWR,  SIGSTKFLT,
#endif
};

START_TEST(every_signal_restores_the_terminal)
{
	check_end(0, numbers[_i]);
}
END_TEST

START_TEST(real_time_signal_restores_the_terminal)
{
	check_end(0, SIGRTMIN + 3);
}
END_TEST

START_TEST(signal_ends_the_program_when_the_terminal_takes_no_output)
{
	check_end(IS_BLOCKED, SIGTERM);
}
END_TEST

START_TEST(reset_through_a_shared_description_leaves_it_blocking)
{
	check_end(IS_BLOCKED | HAS_NO_FILES, SIGTERM);
}
END_TEST

/* Another program may have set O_NONBLOCK for all that share the terminal. */
START_TEST(terminal_that_does_not_block_is_opened_again)
{
	struct error err = ERROR_INIT;
	FILE *in, *out;
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		bool ok = pty_take() && fcntl(pty_inner, F_SETFL, O_RDWR | O_NONBLOCK) == 0 &&
			tty_open(&in, &out, &err) && !(fcntl(tty_out_fd(), F_GETFL) & O_NONBLOCK) &&
			(fcntl(pty_inner, F_GETFL) & O_NONBLOCK) && isatty(tty_out_fd()) &&
			tty_out_fd() == fileno(out) && tty_in_fd() == STDIN_FILENO;

		tty_close();
		_exit(!ok);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}
END_TEST

/* Rows and columns beyond what is used: the size is not that of the terminal. */
START_TEST(size_has_a_limit)
{
	static const struct {
		unsigned short rows, cols;
	} sizes[] = { { TTY_ROWS_MAX, TTY_COLS_MAX }, { TTY_ROWS_MAX + 1, TTY_COLS_MAX + 1 } };
	struct error err = ERROR_INIT;
	FILE *in, *out;
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		bool ok = pty_take() && tty_open(&in, &out, &err);

		for (int i = 0; i < 2; i++) {
			struct winsize size = { .ws_row = sizes[i].rows, .ws_col = sizes[i].cols };
			int rows, cols;

			ok = ok && ioctl(pty_inner, TIOCSWINSZ, &size) == 0 &&
				tty_size(&rows, &cols) == (i == 0) && rows == TTY_ROWS_MAX &&
				cols == TTY_COLS_MAX;
		}
		tty_close();
		_exit(!ok);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "tty", SUITE_SECONDS);

	tcase_add_checked_fixture(t, set_up, pty_close);
	tcase_add_loop_test(t, every_signal_restores_the_terminal, 0, N(numbers));
	tcase_add_test(t, real_time_signal_restores_the_terminal);
	tcase_add_test(t, signal_ends_the_program_when_the_terminal_takes_no_output);
	tcase_add_test(t, reset_through_a_shared_description_leaves_it_blocking);
	tcase_add_test(t, terminal_that_does_not_block_is_opened_again);
	tcase_add_test(t, size_has_a_limit);
}

int main(void)
{
	return suite_run("tty", add_tests);
}
