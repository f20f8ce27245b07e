/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line of name, location and parts in less and less room: the part with the highest rank goes
 * first, a part is never truncated, and the name keeps DETAILS_LINE_NAME cells. */
#include "config.h"

#include "draw/details.c"
#include "suite.h"

#include <string.h>

static struct grid grid;
static struct buf text;

static void setup(void)
{
	grid = (struct grid){ 0 };
	text = (struct buf){ 0 };
}

static void teardown(void)
{
	grid_done(&grid);
	buf_done(&text);
}

static const char *drawn(int cols, const char *name, const char *location)
{
	struct details_line line = { 0 };

	buf_adds(&line.name, name);
	buf_adds(&line.location, location);
	details_line_add(&line, 2, ROLE_DIM, "busy 50.0 %");
	details_line_add(&line, 0, ROLE_DIM, "12.4 s");
	details_line_add(&line, 3, ROLE_DIM, "lane 1/2 main");
	details_line_brief(&line, 1, "lane 1/2");
	details_line_add(&line, 0, ROLE_DIM, "");
	grid_init(&grid, 1, cols);
	details_line_draw(&grid, (struct rect){ 0, 0, 1, cols }, &line, ROLE_HEADER);
	details_line_done(&line);
	buf_clear(&text);
	grid_format(&grid, false, &text);
	while (text.len && strchr(" |\n", text.data[text.len - 1]))
		text.data[--text.len] = '\0';
	return buf_text(&text);
}

static const struct {
	int cols;
	const char *name, *location, *expect;
} cases[] = {
	{ 80, "parse", "lib/parse/app.js:3",
	  " parse  lib/parse/app.js:3  busy 50.0 %  12.4 s  lane 1/2 main" },
	{ 59, "parse", "lib/parse/app.js:3",
	  " parse  \342\200\246arse/app.js:3  busy 50.0 %  12.4 s  lane 1/2 main" },
	{ 58, "parse", "lib/parse/app.js:3",
	  " parse  lib/parse/app.js:3  busy 50.0 %  12.4 s  lane 1/2" },
	{ 53, "parse", "lib/parse/app.js:3", " parse  lib/parse/app.js:3  12.4 s  lane 1/2" },
	{ 40, "parse", "lib/parse/app.js:3", " parse  lib/parse/app.js:3  12.4 s" },
	/* The name of the file stays. */
	{ 36, "parse", "lib/parse-things.js:3", " parse  \342\200\246/parse-things.js:3  12.4 s" },
	{ 24, "aVeryLongNameOfAFunction", "", " aVeryLo\342\200\246nction  12.4 s" },
};

START_TEST(parts_go_by_rank)
{
	ck_assert_str_eq(drawn(cases[_i].cols, cases[_i].name, cases[_i].location),
			 cases[_i].expect);
}
END_TEST

static bool is_whole(const char *part)
{
	const char *at = strstr(buf_text(&text), part);

	return at && (at[strlen(part)] == '\0' || at[strlen(part)] == ' ');
}

/* Whatever the width, a number is there in full or not at all. */
START_TEST(no_part_is_truncated)
{
	for (int cols = 16; cols < 100; cols++) {
		drawn(cols, "aVeryLongNameOfAFunction", "lib/a/very/long/path/app.js:3");
		ck_assert_msg(!strstr(buf_text(&text), "busy") || is_whole("busy 50.0 %"), "%d: %s",
			      cols, buf_text(&text));
		ck_assert_msg(!strstr(buf_text(&text), "lane") || is_whole("lane 1/2 main") ||
				      is_whole("lane 1/2"),
			      "%d: %s", cols, buf_text(&text));
		ck_assert_msg(cols < 40 || is_whole("12.4 s"), "%d: %s", cols, buf_text(&text));
	}
}
END_TEST

START_TEST(more_parts_than_fit_the_struct_are_ignored)
{
	struct details_line line = { 0 };

	for (int i = 0; i < 2 * DETAILS_LINE_PARTS; i++)
		details_line_add(&line, 0, ROLE_DIM, "x");
	ck_assert_int_eq(line.n_parts, DETAILS_LINE_PARTS);
	details_line_done(&line);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "details_line", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, parts_go_by_rank, 0, N(cases));
	tcase_add_test(t, no_part_is_truncated);
	tcase_add_test(t, more_parts_than_fit_the_struct_are_ignored);
}

int main(void)
{
	return suite_run("details_line", add_tests);
}
