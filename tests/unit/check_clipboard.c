/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control sequences that take a text to the terminal's clipboard, and tmux, which the helper
 * starts. */
#include "config.h"

#include "suite.h"

#include "term/clipboard.c"

#include "temp_folder.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>

#define HEAD "\033]52;c;"

/* RFC 4648, section 10, and bytes that are not ASCII. */
static const char *const texts[][2] = {
	{ "", "" },
	{ "f", "Zg==" },
	{ "fo", "Zm8=" },
	{ "foo", "Zm9v" },
	{ "foob", "Zm9vYg==" },
	{ "fooba", "Zm9vYmE=" },
	{ "foobar", "Zm9vYmFy" },
	{ "\303\277\377", "w7//" },
	{ "a\nb", "YQpi" },
};

START_TEST(text_is_encoded_as_base64)
{
	struct buf out = { 0 };
	char expected[64];

	clipboard_encode(texts[_i][0], strlen(texts[_i][0]), false, &out);
	snprintf(expected, sizeof expected, HEAD "%s\007", texts[_i][1]);
	ck_assert_str_eq(buf_text(&out), expected);
	buf_done(&out);
}
END_TEST

/* Base64 makes four bytes of three. */
START_TEST(terminal_gets_at_most_100000_bytes)
{
	ck_assert(fits(75000));
	ck_assert(!fits(75001) && !send_to_terminal("", 75001));
}
END_TEST

/* Put together, the pieces are what another terminal gets. */
START_TEST(screen_gets_pieces_of_at_most_768_bytes)
{
	static char text[5000];
	struct buf plain = { 0 }, pieces = { 0 }, joined = { 0 };
	const char *p, *end;
	int n = 0;

	memset(text, 'x', sizeof text);
	clipboard_encode(text, sizeof text, false, &plain);
	clipboard_encode(text, sizeof text, true, &pieces);
	for (p = buf_text(&pieces); *p; p = end + 2) {
		ck_assert(strncmp(p, "\033P", 2) == 0);
		end = strstr(p, "\033\\");
		ck_assert_ptr_nonnull(end);
		ck_assert_int_le(end + 2 - p, 768);
		buf_add(&joined, p + 2, (size_t)(end - p - 2));
		n++;
	}
	ck_assert_int_gt(n, 1);
	ck_assert_str_eq(buf_text(&joined), buf_text(&plain));
	buf_done(&plain);
	buf_done(&pieces);
	buf_done(&joined);
}
END_TEST

/* Put a script into PATH as tmux, and start the helper. */
static void start_with(const char *script)
{
	BUF_LOCAL path = { 0 };
	FILE *f;

	buf_addf(&path, "%s/tmux", temp_folder);
	f = fopen(buf_text(&path), "w");
	ck_assert(f && fprintf(f, "#!/bin/sh\n%s\n", script) > 0 && fclose(f) == 0);
	ck_assert_int_eq(chmod(buf_text(&path), 0700), 0);
	buf_clear(&path);
	buf_addf(&path, "%s:%s", temp_folder, getenv("PATH"));
	setenv("PATH", buf_text(&path), 1);
	helper_start(NULL);
}

static void ignore(int number)
{
	(void)number;
}

/* Signals, as for each new size of the terminal, do not make the program wait for it. */
START_TEST(tmux_that_hangs_is_ended)
{
	const struct itimerval often = { { 0, 20000 }, { 0, 20000 } };
	int64_t begin = clock_ns();

	start_with("exec sleep 10");
	signal(SIGALRM, ignore);
	setitimer(ITIMER_REAL, &often, NULL);
	ck_assert(!send_to_tmux("text", 4, true));
	ck_assert_int_ge(clock_ns() - begin, TMUX_MS * NS_PER_MS);
	ck_assert_int_lt(clock_ns() - begin, 5 * TMUX_MS * NS_PER_MS);
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	helper_stop();
}
END_TEST

/* Who ignores it before starting this program does not hide how tmux ends. */
START_TEST(tmux_tells_its_end_although_children_are_ignored)
{
	signal(SIGCHLD, SIG_IGN);
	start_with("cat >/dev/null");
	ck_assert(send_to_tmux("text", 4, true));
	helper_stop();
}
END_TEST

static char **words_of_true(const struct editor_place *place)
{
	static char name[] = "true";
	static char *words[] = { name, NULL };

	(void)place;
	return words;
}

/* A reader that was taken over would type commands into the editor by a pipe. */
START_TEST(editor_gets_nothing_but_a_terminal)
{
	const struct editor_place place = { "file", 1, 1, "true" };
	struct error err = ERROR_INIT;
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), terminal, ends[2], status = -1;

	ck_assert(grantpt(master) == 0 && unlockpt(master) == 0);
	terminal = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	ck_assert(terminal >= 0 && pipe(ends) == 0);
	helper_start(words_of_true);
	ck_assert_msg(helper_edit(&place, terminal, terminal, &status, &err), "%s", err.text);
	ck_assert_int_eq(status, 0);
	ck_assert(!helper_edit(&place, ends[0], terminal, &status, &err));
	err = (struct error)ERROR_INIT;
	ck_assert(!helper_edit(&place, terminal, ends[1], &status, &err));
	helper_stop();
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "encode", SUITE_SECONDS);

	tcase_add_loop_test(t, text_is_encoded_as_base64, 0, ARRAY_LEN(texts));
	tcase_add_test(t, terminal_gets_at_most_100000_bytes);
	tcase_add_test(t, screen_gets_pieces_of_at_most_768_bytes);

	t = suite_case(suite, "tmux", SUITE_SECONDS);
	tcase_add_checked_fixture(t, temp_folder_make, temp_folder_remove);
	tcase_add_test(t, tmux_that_hangs_is_ended);
	tcase_add_test(t, tmux_tells_its_end_although_children_are_ignored);
	tcase_add_test(t, editor_gets_nothing_but_a_terminal);
}

int main(void)
{
	return suite_run("clipboard", add_tests);
}
