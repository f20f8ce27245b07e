/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The whole back end on a pseudo-terminal. */
#include "config.h"

#include "term/term.h"

#include "pty.h"
#include "suite.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define MEMORY_KB (400L << 10) /* the most that a picture may take, also with sanitizers */

/* ---- in the process that has the terminal ---- */

enum outcome { FINE, NO_TERMINAL, WRONG_SIZE, NO_RESIZE, TOO_MUCH_MEMORY };

static bool is_size(int rows, int cols)
{
	int now_rows, now_cols;

	term_size(&now_rows, &now_cols);
	return now_rows == rows && now_cols == cols;
}

static void show(struct grid *grid)
{
	int rows, cols;

	term_size(&rows, &cols);
	grid_init(grid, rows, cols);
	for (int row = 0; row < rows; row++)
		grid_puts(grid, row, row % cols, 1, "x", ROLE_PLAIN);
	term_show(grid);
}

static enum outcome follow_size(void)
{
	struct term_options options = { 0 };
	struct error err = ERROR_INIT;
	struct grid grid = { 0 };
	struct rusage usage;

	setenv("TERM", "xterm", 1);
	if (!pty_take() || !term_open(&options, &err))
		return NO_TERMINAL;
	if (!is_size(500, 1000))
		return WRONG_SIZE;
	show(&grid);
	pty_resize(30, 90);
	raise(SIGWINCH);
	if (term_key(0) != KEYC_RESIZE || !is_size(30, 90))
		return NO_RESIZE;
	show(&grid);
	pty_resize(9999, 80);
	raise(SIGWINCH);
	if (term_key(0) != KEYC_RESIZE || !is_size(500, 80))
		return NO_RESIZE;
	show(&grid);
	term_close();
	grid_done(&grid);
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss > MEMORY_KB ? TOO_MUCH_MEMORY : FINE;
}

/* ---- the tests ---- */

/* Run a function in a process that has the terminal. Returns its exit status, -1: a signal. */
static int run(enum outcome (*in_terminal)(void))
{
	static char text[65536];
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit((int)in_terminal());
	close(pty_inner);
	while (read(pty_outer, text, sizeof text) > 0)
		;
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

START_TEST(only_a_part_of_a_huge_terminal_is_used)
{
	pty_resize(9999, 9999);
	ck_assert_int_eq(run(follow_size), FINE);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "term", SUITE_SECONDS);

	tcase_add_checked_fixture(t, pty_open, pty_close);
	tcase_add_test(t, only_a_part_of_a_huge_terminal_is_used);
}

int main(void)
{
	return suite_run("term", add_tests);
}
