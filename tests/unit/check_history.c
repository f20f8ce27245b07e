/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of command lines, and the files of the user in general: what is no regular file is never
 * waited for. */
#include "config.h"

#include "cli/user_file.c"

#include "suite.h"
#include "temp_folder.h"

#include <sys/stat.h>

#define MOST 5

static struct line_history history;
static struct prompt_history lines;
static char path[300];

static void setup(void)
{
	temp_folder_make();
	temp_folder_path(path, sizeof path, "state/flametty/history");
	history = (struct line_history){ 0 };
	lines = (struct prompt_history){ .most = MOST };
}

static void teardown(void)
{
	line_history_done(&history);
	prompt_history_done(&lines);
	temp_folder_remove();
}

static void keep(const char *line)
{
	struct error err = ERROR_INIT;

	prompt_history_add(&lines, line);
	ck_assert_msg(line_history_keep(&history, &lines, line, &err), "%s", err.text);
}

static void open_again(void)
{
	struct error err = ERROR_INIT;

	line_history_done(&history);
	prompt_history_done(&lines);
	ck_assert_msg(line_history_open(&history, path, &lines, &err), "%s", err.text);
}

/* Write the file. */
static void put(const char *text, size_t len)
{
	struct buf buf = { 0 };
	struct error err = ERROR_INIT;

	buf_add(&buf, text, len);
	ck_assert_msg(user_file_replace(path, &buf, &err), "%s", err.text);
	buf_done(&buf);
}

static unsigned mode_of(const char *name)
{
	struct stat info;

	ck_assert_int_eq(stat(name, &info), 0);
	return info.st_mode & 07777;
}

static void check_file(const char *expected)
{
	struct buf text = { 0 };
	struct error err = ERROR_INIT;

	ck_assert_int_eq(user_file_read(path, 100000, false, &text, &err), USER_FILE_READ);
	ck_assert_str_eq(buf_text(&text), expected);
	buf_done(&text);
}

START_TEST(lines_come_back)
{
	open_again();
	ck_assert_int_eq(lines.n, 0);
	keep("one");
	keep("zw\303\266lf");
	check_file("one\nzw\303\266lf\n");
	open_again();
	ck_assert_int_eq(lines.n, 2);
	ck_assert_str_eq(lines.texts[1], "zw\303\266lf");
}
END_TEST

START_TEST(only_the_user_may_read)
{
	open_again();
	keep("one");
	ck_assert_uint_eq(mode_of(path), 0600);
	ck_assert_int_eq(chmod(path, 0644), 0);
	keep("two");
	ck_assert_uint_eq(mode_of(path), 0600);
}
END_TEST

/* Equal lines are in the file twice until it is full. */
START_TEST(file_is_never_longer_than_the_list)
{
	open_again();
	for (int i = 0; i < 4; i++)
		keep(i % 2 ? "b" : "a");
	check_file("a\nb\na\nb\n");
	keep("c");
	keep("d");
	check_file("a\nb\nc\nd\n");
	keep("e");
	keep("f");
	check_file("b\nc\nd\ne\nf\n");
	open_again();
	keep("g");
	check_file("c\nd\ne\nf\ng\n");
}
END_TEST

START_TEST(only_the_last_lines_are_read)
{
	put("1\n2\n3\n4\n5\n6\n7\n", 14);
	open_again();
	ck_assert_int_eq(lines.n, MOST);
	ck_assert_str_eq(lines.texts[0], "3");
	keep("8");
	check_file("4\n5\n6\n7\n8\n");
}
END_TEST

START_TEST(damaged_lines_are_left_out)
{
	static const char text[] = "a\n\n\033[2Jb\nc\0d\n\xff\ne";

	put(text, sizeof text - 1);
	lines.most = 100;
	open_again();
	ck_assert_int_eq(lines.n, 2);
	ck_assert_str_eq(lines.texts[0], "a");
	ck_assert_str_eq(lines.texts[1], "e");
}
END_TEST

START_TEST(long_line_is_left_out)
{
	size_t n = (size_t)3 << 20;
	char *text = xmalloc(n);

	memset(text, 'x', n);
	memcpy(text + n - 3, "\na\n", 3);
	put(text, n);
	free(text);
	open_again();
	ck_assert_int_eq(lines.n, 1);
	ck_assert_str_eq(lines.texts[0], "a");
}
END_TEST

/* What is no regular file is neither read nor written, and nothing waits for it. */
START_TEST(other_files_are_refused)
{
	struct error err = ERROR_INIT;
	struct buf text = { 0 };

	put("a\n", 2);
	ck_assert_int_eq(unlink(path), 0);
	if (_i == 0)
		ck_assert_int_eq(mkfifo(path, 0600), 0);
	else if (_i == 1)
		ck_assert_int_eq(mkdir(path, 0700), 0);
	else
		ck_assert_int_eq(symlink("/dev/zero", path), 0);
	ck_assert(!line_history_open(&history, path, &lines, &err));
	ck_assert_uint_eq(history.path.len, 0);
	ck_assert(line_history_keep(&history, &lines, "a", &err));
	buf_adds(&text, "x");
	err = (struct error)ERROR_INIT;
	ck_assert(!user_file_append(path, &text, &err));
	ck_assert(!user_file_replace(path, &text, &err));
	ck_assert_int_eq(user_file_read(path, 10, false, &text, &err), USER_FILE_FAILED);
	buf_done(&text);
}
END_TEST

START_TEST(target_of_a_link_is_replaced)
{
	char target[300];
	struct stat info;

	put("a\n", 2);
	temp_folder_path(target, sizeof target, "target");
	ck_assert_int_eq(rename(path, target), 0);
	ck_assert_int_eq(symlink(target, path), 0);
	put("b\n", 2);
	ck_assert_int_eq(lstat(path, &info), 0);
	ck_assert(S_ISLNK(info.st_mode));
	ck_assert_int_eq(lstat(target, &info), 0);
	ck_assert_int_eq(info.st_size, 2);
	check_file("b\n");
}
END_TEST

START_TEST(folder_is_that_of_the_environment)
{
	struct buf buf = { 0 };

	setenv("HOME", "/home/me", 1);
	setenv("XDG_STATE_HOME", "/var/me", 1);
	ck_assert(user_file_state("history", &buf));
	ck_assert_str_eq(buf_text(&buf), "/var/me/flametty/history");
	buf_clear(&buf);
	setenv("XDG_STATE_HOME", "relative", 1);
	ck_assert(user_file_state("history", &buf));
	ck_assert_str_eq(buf_text(&buf), "/home/me/.local/state/flametty/history");
	buf_clear(&buf);
	unsetenv("XDG_CONFIG_HOME");
	ck_assert(user_file_config("config", &buf));
	ck_assert_str_eq(buf_text(&buf), "/home/me/.config/flametty/config");
	unsetenv("HOME");
	ck_assert(!user_file_config("config", &buf));
	buf_done(&buf);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, lines_come_back);
	tcase_add_test(t, only_the_user_may_read);
	tcase_add_test(t, file_is_never_longer_than_the_list);
	tcase_add_test(t, only_the_last_lines_are_read);
	tcase_add_test(t, damaged_lines_are_left_out);
	tcase_add_test(t, long_line_is_left_out);
	tcase_add_loop_test(t, other_files_are_refused, 0, 3);
	tcase_add_test(t, target_of_a_link_is_replaced);
	tcase_add_test(t, folder_is_that_of_the_environment);
}

int main(void)
{
	return suite_run("history", add_tests);
}
