/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The whole back end on a pseudo-terminal. */
#include "config.h"

#include "term/term.h"

#include "pty.h"
#include "suite.h"

#include "base/text.h"
#include "term/clipboard.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define MEMORY_KB (400L << 10) /* the most that a picture may take, also with sanitizers */

/* ---- in the process that has the terminal ---- */

enum outcome {
	FINE,
	HAS_CLIPBOARD,
	NO_LOCALE,
	NO_TERMINAL,
	WRONG_SIZE,
	NO_RESIZE,
	NO_ANSWER,
	WRONG_KEY,
	TOO_MUCH_MEMORY
};

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

/* Show a frame in the colours that are chosen when the answers of the terminal and a key after them
 * have come, and copy a text. */
static enum outcome follow_answers(void)
{
	static const char *const unwanted[] = { "COLORTERM", "COLORFGBG", "NO_COLOR", "TMUX",
						"SSH_TTY" };
	struct term_options options = { 0 };
	struct error err = ERROR_INIT;
	struct grid grid = { 0 };
	struct buf unsure;
	bool is_unsure;
	key_code key;

	for (size_t i = 0; i < N(unwanted); i++)
		unsetenv(unwanted[i]);
	setenv("TERM", "xterm-256color", 1);
	pty_resize(20, 60);
	/* Only in UTF-8 the program draws by itself. */
	if (!setlocale(LC_ALL, "C.UTF-8") && !setlocale(LC_ALL, "en_US.UTF-8"))
		return NO_LOCALE;
	if (!pty_take() || !term_open(&options, &err))
		return NO_TERMINAL;
	do
		key = term_key(-1);
	while (key != 'q' && key != KEYC_HANGUP);
	if (key != 'q')
		return NO_ANSWER;
	while (term_key(0) != KEYC_NONE)
		;
	grid_init(&grid, 20, 60);
	grid_fill(&grid, 3, 4, 10, ROLE_FRAME);
	term_show(&grid);
	term_copy("copied", 6);
	term_close();
	grid_done(&grid);
	clipboard_take_unsure(&unsure);
	is_unsure = unsure.len > 0;
	buf_done(&unsure);
	return is_unsure ? FINE : HAS_CLIPBOARD;
}

/* Draw and read characters of up to four bytes in a locale that has none of them. */
static enum outcome decode_without_a_locale(void)
{
	static const key_code keys[] = { 0xe9, 0x65e5,  0x1f600,          TEXT_REPLACEMENT,
					 'x',  KEYC_UP, TEXT_REPLACEMENT, 'q' };
	struct term_options options = { .has_own_utf8 = true };
	struct error err = ERROR_INIT;
	struct grid grid = { 0 };

	setenv("TERM", "xterm-256color", 1);
	setlocale(LC_ALL, "C");
	pty_resize(20, 60);
	if (!pty_take() || !term_can_decode() || !term_open(&options, &err))
		return NO_TERMINAL;
	grid_init(&grid, 20, 60);
	grid_puts(&grid, 3, 4, 20, "\303\251\346\227\245\342\226\210", ROLE_PLAIN);
	term_show(&grid);
	for (size_t i = 0; i < N(keys); i++) {
		key_code key;

		/* Signs that the terminal is asked for come between. */
		while ((key = term_key(-1)) == KEYC_NONE)
			;
		if (key != keys[i])
			return WRONG_KEY;
	}
	term_close();
	grid_done(&grid);
	return FINE;
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

/* A terminal: what it says that it is, and what it answers to the question for direct colours (0:
 * it must not be asked) and to that for its clipboard (0: as it has told already, or as above). */
static const struct terminal_case {
	const char *attributes, *answer, *clipboard;
	bool is_direct, has_clipboard;
	bool is_remote; /* 256 colours take fewer bytes */
	bool is_late;   /* the answer comes after everything else, and a key */
} terminals[] = {
	{ "\033[?62;22c", "\033P1+r524742=382F382F38\033\\", "\033P0+r4d73\033\\", true, false,
	  false, false },
	{ "\033[?61c", "\033P1+r524742\033\\", "", true, false, false, false },
	{ "\033[?62;22c", "\033P0+r524742\033\\", "\033P1+r4d73=5C455D35323B\033\\", false, true,
	  false, false },
	{ "\033[?64c", "\033P1+r524742\033\\", "\033P1+r4D73=5C\033\\", true, true, false, false },
	{ "\033[?65c", "", "", false, false, false, false },
	{ "\033[?62;22c", NULL, "\033P1+r4d73=5C\033\\", false, true, true, false },
	/* The attribute 52 is the clipboard. */
	{ "\033[?62;52;22c", "", NULL, false, true, false, false },
	{ "\033[?62;52c", "\033P1+r524742\033\\", NULL, true, true, false, false },
	/* A VT100 and a VT102 would print the question. */
	{ "\033[?1;2c", NULL, NULL, false, false, false, false },
	{ "\033[?6c", NULL, NULL, false, false, false, false },
	/* A late answer counts. */
	{ "\033[?62;22c", "\033P1+r524742=38\033\\", "", true, false, false, true },
	{ "\033[?62;22c", "\033P0+r524742\033\\", "", false, false, false, true },
	/* What is no answer, or that to another question. */
	{ "\033[?62;22c", "\033P1+r5247424d=38\033\\", "\033P1+r4d7353=5C\033\\", false, false,
	  false, false },
	{ "\033[?62;22c", "\033P1+r5247\033\\", "\033P1+r4d\033\\", false, false, false, false },
	{ "\033[?62;22c", "\033P1+r524742", "", false, false, false, false },
	{ "\033[?62;22c", "\033P1+r524742\1\033\\", "\033P\177;\033\\", false, false, false,
	  false },
	{ "\033[?62;22c", "1+r524742", "\033P\033\\", false, false, false, false },
};

/* RGB and Ms, in hexadecimal. */
#define QUESTION "\033P+q524742\033\\"
#define CLIPBOARD_QUESTION "\033P+q4d73\033\\"

static void answer(const char *text)
{
	ck_assert_int_eq(write(pty_outer, text, strlen(text)), (ssize_t)strlen(text));
}

/* A key, and an answer right after it. */
static void answer_last(const char *text)
{
	char both[128] = "q";

	ck_assert_uint_lt(strlen(text), sizeof both - 1);
	answer(strcat(both, text));
}

/* Be the terminal until it is closed. Returns all that was written to it. */
static const char *serve(const struct terminal_case *c)
{
	static char text[65536];
	size_t len = 0, seen = 0, seen_status = 0;
	ssize_t n;

	while ((n = read(pty_outer, text + len, sizeof text - 1 - len)) > 0) {
		const char *request;

		len += (size_t)n;
		text[len] = '\0';
		/* The program waits for these before it leaves the terminal. */
		while ((request = strstr(text + seen_status, "\033[5n"))) {
			seen_status = (size_t)(request - text) + 4;
			answer("\033[0n");
		}
		/* The request for the attributes ends each question. */
		while ((request = strstr(text + seen, "\033[c"))) {
			bool is_direct = strstr(text, QUESTION) != NULL;
			bool has_asked = strstr(text, CLIPBOARD_QUESTION) != NULL;

			seen = (size_t)(request - text) + 3;
			if (is_direct && c->answer && !c->is_late)
				answer(c->answer);
			if (has_asked && c->clipboard)
				answer(c->clipboard);
			answer(c->attributes);
			if (is_direct || has_asked || (!c->answer && !c->clipboard))
				answer_last(c->is_late ? c->answer : "");
		}
	}
	return text;
}

START_TEST(a_terminal_that_knows_the_question_is_asked_for_capabilities)
{
	const struct terminal_case *c = &terminals[_i];
	const char *text;
	int status;
	pid_t pid;

	unsetenv("SSH_CONNECTION");
	if (c->is_remote)
		setenv("SSH_CONNECTION", "10.0.0.1 1 10.0.0.2 22", 1);
	pid = fork();
	if (pid == 0)
		_exit((int)follow_answers());
	close(pty_inner);
	text = serve(c);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(WIFEXITED(status) ? WEXITSTATUS(status) : -1,
			 c->has_clipboard ? HAS_CLIPBOARD : FINE);
	ck_assert_int_eq(strstr(text, CLIPBOARD_QUESTION) != NULL, c->clipboard != NULL);
	ck_assert_int_eq(strstr(text, QUESTION) != NULL, c->answer != NULL);
	ck_assert_int_eq(strstr(text, "48;2;") != NULL, c->is_direct);
	ck_assert_int_eq(strstr(text, "48;5;") != NULL, !c->is_direct);
}
END_TEST

START_TEST(utf_8_is_drawn_and_read_without_a_locale_that_has_it)
{
	const struct terminal_case c = { .attributes = "\033[?1;2c" };
	const char *text;
	int status;
	pid_t pid;

	pid = fork();
	if (pid == 0)
		_exit((int)decode_without_a_locale());
	close(pty_inner);
	/* Whole characters, a lead byte without its rest, a cursor key, a byte that leads nothing.
	 */
	answer("\303\251\346\227\245\360\237\230\200\346\227x\033[A\377");
	text = serve(&c);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(WIFEXITED(status) ? WEXITSTATUS(status) : -1, FINE);
	ck_assert_ptr_nonnull(strstr(text, "\303\251\346\227\245\342\226\210"));
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "term", SUITE_SECONDS);

	tcase_add_checked_fixture(t, pty_open, pty_close);
	tcase_add_loop_test(t, a_terminal_that_knows_the_question_is_asked_for_capabilities, 0,
			    N(terminals));
	tcase_add_test(t, utf_8_is_drawn_and_read_without_a_locale_that_has_it);
	tcase_add_test(t, only_a_part_of_a_huge_terminal_is_used);
}

int main(void)
{
	return suite_run("term", add_tests);
}
