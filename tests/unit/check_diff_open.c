/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `:diff FILE`: what the interface asks the program for, and the progress of reading. */
#include "config.h"

#include "random_profile.h"
#include "recursion.h"
#include "stage.h"
#include "ui/chart/chart_diff.h"
#include "ui/line/command_line.h"
#include "ui/state.h"

#include <stdio.h>

/* A program that reads for ever, or not at all. */
struct told {
	char files[256];
	int n_asked, n_stopped, n_ended;
	bool is_reading, refuses;
};

static struct told told;

static bool compare(void *ctx, const char *files, struct buf *said)
{
	struct told *t = ctx;

	t->n_asked++;
	snprintf(t->files, sizeof t->files, "%s", files ? files : "(again)");
	t->is_reading = !t->refuses;
	if (t->refuses)
		buf_adds(said, "no such file");
	return t->is_reading;
}

static bool comparing(void *ctx, struct progress *progress, const char **name)
{
	const struct told *t = ctx;

	*progress = (struct progress){ .doing = "Loading", .done = 45, .total = 100 };
	*name = "after";
	return t->is_reading;
}

static void stop_comparing(void *ctx)
{
	struct told *t = ctx;

	t->n_stopped++;
	t->is_reading = false;
}

static void end_comparing(void *ctx)
{
	((struct told *)ctx)->n_ended++;
}

static const struct app_host host = { .compare = compare,
				      .comparing = comparing,
				      .stop_comparing = stop_comparing,
				      .end_comparing = end_comparing,
				      .ctx = &told };

static void setup(void)
{
	told = (struct told){ .n_asked = 0 };
	stage_open(random_profile(4, 60, 400, 2), &(struct app_options){ .host = &host }, 40, 160);
}

static const struct {
	const char *line, *files;
} lines[] = {
	{ "b.json", "b.json" }, { "b c.json", "b c.json" },
	{ "./off", "./off" },   { "./1s,2s", "./1s,2s" },
	{ "1s 2s", "1s 2s" },   { "a,b", "a,b" },
	{ "1s,2s 3s,4s", "" },  { "10%,20% 30%,40%", "" },
	{ "1s,2s", "" },        { "10%,20% 30%,40% x", "" },
	{ "off", "" },          { "", "" },
};

START_TEST(what_is_neither_windows_nor_off_are_files)
{
	char keys[64];

	snprintf(keys, sizeof keys, ":diff %s<Enter>", lines[_i].line);
	play(keys);
	ck_assert_str_eq(told.files, lines[_i].files);
	ck_assert_int_eq(told.n_asked, *lines[_i].files != '\0');
}
END_TEST

START_TEST(line_with_nothing_says_what_there_is)
{
	play(":diff rest<Enter>");
	ck_assert(shows("the window is the whole: zoom in (w), or name one: diff 1s,2s"));
	play(":diff 1s,2s 3s<Enter>");
	ck_assert(shows("diff wants a window or two (diff 1s,2s 3s,4s), rest, files"));
}
END_TEST

START_TEST(files_that_cannot_be_read_change_nothing)
{
	told.refuses = true;
	play(":diff nosuch<Enter>");
	ck_assert(shows("no such file"));
	ck_assert(!shows("Esc stops it"));
	ck_assert_int_eq(app->mode, VIEW_TIME);
	told.refuses = false;
	play("<Esc>");
	ck_assert_int_eq(told.n_stopped, 0);
}
END_TEST

static const char *const stops[] = { "<Esc>", "<C-c>" };

START_TEST(progress_is_shown_until_a_key_stops_it)
{
	play(":diff b<Enter>");
	ck_assert(shows("reading 45"));
	ck_assert(shows("\342\226\210\342\226\221") && shows("Esc stops it"));
	/* Other keys work meanwhile, and their messages have the line. */
	play("w");
	ck_assert(app->s.view.t1 < profile->t1);
	ck_assert_int_ge(app_wait_ms(app), 0);
	ck_assert_int_le(app_wait_ms(app), 100);
	play(stops[_i]);
	ck_assert_int_eq(told.n_stopped, 1);
	ck_assert(shows("stopped") && !shows("reading 45"));
	play(stops[_i]);
	ck_assert_int_eq(told.n_stopped, 1);
}
END_TEST

START_TEST(end_of_reading_ends_the_progress)
{
	play(":diff b<Enter>");
	told.is_reading = false;
	draw();
	while (app_wait_ms(app) >= 0)
		app_timeout(app);
	ck_assert(!shows("reading 45"));
}
END_TEST

/* Two runs of one profile, as files that were opened. */
static void open_comparison(bool is_opened)
{
	static char a[] = "a", b[] = "b";
	static char *const files[] = { a, b };
	struct chart_diff_what what = { .is_on = true,
					.has_files = true,
					.n_before = 1,
					.n_files = 2,
					.is_one_before = true,
					.is_opened = is_opened,
					.files = files };

	app_free(app);
	app = app_new(profile, &(struct app_options){ .host = &host, .diff = &what });
	app_resize(app, 40, 160);
}

START_TEST(off_goes_back_to_the_profile_before)
{
	open_comparison(true);
	play(":diff off<Enter>");
	ck_assert_int_eq(told.n_ended, 1);
	open_comparison(false);
	play(":diff off<Enter>");
	ck_assert_int_eq(told.n_ended, 1);
	ck_assert(shows("the comparison has ended"));
}
END_TEST

START_TEST(windows_give_way_to_the_files_again)
{
	open_comparison(true);
	play(":diff 10%,20% 30%,40%<Enter>");
	ck_assert(app->diff.what.is_on && !app->diff.what.has_files);
	play(":diff off<Enter>");
	ck_assert(app->diff.what.is_on && app->diff.what.has_files);
	ck_assert(shows("the files are compared again") || app->is_warning);
	ck_assert_int_eq(told.n_ended, 0);
	play(":diff off<Enter>");
	ck_assert_int_eq(told.n_ended, 1);
}
END_TEST

START_TEST(comparison_begins_with_the_function_that_changed_most)
{
	const struct calltree *tree;

	play(":diff 0%,50% 50%,100%<Enter>");
	ck_assert_int_eq(app->mode, VIEW_MERGED);
	tree = &app->s.profile->lanes[0].tree;
	ck_assert_uint_ne(app->diff.largest, FRAME_NONE);
	ck_assert_uint_eq(tree->frame[app->s.chart.selected.node], app->diff.largest);
}
END_TEST

START_TEST(comparison_is_read_again)
{
	open_comparison(true);
	play("R");
	ck_assert_str_eq(told.files, "(again)");
}
END_TEST

START_TEST(without_a_program_files_are_refused)
{
	app_free(app);
	app = app_new(profile, &(struct app_options){ 0 });
	app_resize(app, 40, 160);
	play(":diff b<Enter>");
	ck_assert(shows("files cannot be opened here"));
}
END_TEST

/* ---- names ---- */

static const struct {
	const char *text;
	const char *names[4];
} words[] = {
	{ "", { NULL } },
	{ "  ", { NULL } },
	{ "a", { "a" } },
	{ " a  b ", { "a", "b" } },
	{ "a\\ b c", { "a b", "c" } },
	{ "a\\\\b \\x \\", { "a\\b", "\\x", "\\" } },
};

START_TEST(names_have_blanks_between_them)
{
	struct str rest = { words[_i].text, strlen(words[_i].text) };
	struct buf name = { 0 };

	for (size_t i = 0; words[_i].names[i]; i++) {
		buf_clear(&name);
		ck_assert(file_words_next(&rest, &name));
		ck_assert_str_eq(buf_text(&name), words[_i].names[i]);
	}
	ck_assert(!file_words_next(&rest, &name));
	buf_done(&name);
}
END_TEST

static const char *const names[] = { "a", "a b", " ", "\\", "\\ ", "a\\", "a\\\\ b", "\303\251 x" };

/* A folder with one of them. */
static void find_files(void *ctx, const char *begin, void (*found)(void *to, const char *path),
		       void *to)
{
	(void)begin;
	found(to, *(const char *const *)ctx);
}

/* Completion writes it as the word behind `x`. */
START_TEST(name_that_was_written_is_read_again)
{
	const char *at = names[_i];
	struct app_host folder = { .find_files = find_files, .ctx = &at };
	struct buf name = { 0 };
	struct str rest;

	app_free(app);
	app = app_new(profile, &(struct app_options){ .host = &folder });
	app_resize(app, 40, 160);
	play(":diff x <Tab>");
	rest = (struct str){ buf_text(&app->prompt.text), app->prompt.text.len };
	ck_assert_int_eq(strncmp(rest.p, "diff x ", 7), 0);
	rest.p += 7;
	rest.len -= 7;
	ck_assert(file_words_next(&rest, &name));
	ck_assert_str_eq(buf_text(&name), names[_i]);
	ck_assert_uint_eq(rest.len, 0);
	buf_done(&name);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, stage_close);
	tcase_add_loop_test(t, what_is_neither_windows_nor_off_are_files, 0, N(lines));
	tcase_add_test(t, line_with_nothing_says_what_there_is);
	tcase_add_test(t, files_that_cannot_be_read_change_nothing);
	tcase_add_loop_test(t, progress_is_shown_until_a_key_stops_it, 0, N(stops));
	tcase_add_test(t, end_of_reading_ends_the_progress);
	tcase_add_test(t, off_goes_back_to_the_profile_before);
	tcase_add_test(t, windows_give_way_to_the_files_again);
	tcase_add_test(t, comparison_begins_with_the_function_that_changed_most);
	tcase_add_test(t, comparison_is_read_again);
	tcase_add_test(t, without_a_program_files_are_refused);
	t = suite_case(suite, "names", SUITE_SECONDS);
	tcase_add_checked_fixture(t, setup, stage_close);
	tcase_add_loop_test(t, names_have_blanks_between_them, 0, N(words));
	tcase_add_loop_test(t, name_that_was_written_is_read_again, 0, N(names));
}

int main(void)
{
	return suite_run("diff_open", add_tests);
}
