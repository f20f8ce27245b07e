/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source pane: the times of lines, where the cursor goes, what hostile texts look like. */
#include "config.h"

#include "analyse/line_times.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/source_view.h"
#include "load_text.h"
#include "stage.h"

/* work() has 40 ms of self time, 30 ms of it in the first half: 3 ticks in line 3, 1 in line 6. */
static const char document[] =
	"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)','scriptId':'0','url':'',"
	"'lineNumber':-1,'columnNumber':-1},'children':[2,4]},"
	"{'id':2,'callFrame':{'functionName':'work','scriptId':'5','url':'file:///app/a.js',"
	"'lineNumber':1,'columnNumber':9},'children':[3],"
	"'positionTicks':[{'line':3,'ticks':3},{'line':6,'ticks':1}]},"
	"{'id':3,'callFrame':{'functionName':'part','scriptId':'5','url':'file:///app/a.js',"
	"'lineNumber':7,'columnNumber':0},'positionTicks':[{'line':6,'ticks':1},"
	"{'line':9,'ticks':9}]},"
	"{'id':4,'callFrame':{'functionName':'other','scriptId':'6','url':'file:///app/b.js',"
	"'lineNumber':0,'columnNumber':0}}],"
	"'startTime':0,'endTime':80000,'samples':[2,3,2,4],'timeDeltas':[0,30000,20000,10000]}";

/* Line 3 is the hottest one of work(), line 9 that of part(). */
static const char content[] = "// one\nfunction work() {\n\tloop();\n}\n\nfunction both() {}\n"
			      "\nfunction part() {\n\tpart9();\n}\n";

/* A host whose text is there when it is told. */
static struct {
	struct source_text text;
	bool is_late;
	int n_asked, n_forgotten;
	char url[100];
} files;

static const struct source_text *read_text(void *ctx, const struct source_wanted *wanted)
{
	(void)ctx;
	files.n_asked++;
	snprintf(files.url, sizeof files.url, "%s", wanted->url);
	files.text.is_found = strcmp(wanted->url, "file:///app/a.js") == 0;
	return files.is_late ? NULL : &files.text;
}

static void forget(void *ctx)
{
	(void)ctx;
	files.n_forgotten++;
}

static void put_text(const char *bytes, size_t len)
{
	source_text_done(&files.text);
	buf_add(&files.text.bytes, bytes, len);
	buf_adds(&files.text.from, "/app/a.js");
	buf_adds(&files.text.said, "/app/b.js: no such file\n");
	source_text_index(&files.text, true);
}

static struct profile *load(const char *text)
{
	char *json = quoted(text);
	struct error err = ERROR_INIT;
	struct profile *p = load_text(json, strlen(json), SIZE_MAX, NULL, &err);

	ck_assert_msg(p, "%s", err.text);
	free(json);
	return p;
}

static void open_at(int rows, int cols)
{
	struct app_options options = { .sources = { read_text, forget, NULL } };

	stage_open(load(document), &options, rows, cols);
}

static void setup(void)
{
	memset(&files, 0, sizeof files);
	put_text(content, sizeof content - 1);
	open_at(40, 100);
}

static void teardown(void)
{
	stage_close();
	source_text_done(&files.text);
}

/* The text of the row of the picture that has the number of this line. */
static const char *row_of(int line)
{
	static char row[1000];
	char *text = picture(false), number[16];
	const char *at = text;

	snprintf(number, sizeof number, " %d ", line);
	row[0] = '\0';
	for (; *at; at = strchr(at, '\n') + 1) {
		const char *found = strstr(at, number);

		if (found && found - at < 30 && found < strchr(at, '\n'))
			snprintf(row, sizeof row, "%.*s", (int)(strchr(at, '\n') - at), at);
	}
	free(text);
	return row;
}

static bool has(int line, const char *text)
{
	return strstr(row_of(line), text) != NULL;
}

/* ---- times ---- */

START_TEST(lines_add_up_to_the_self_time)
{
	struct line_times times;
	int64_t sum = 0;

	times = (struct line_times){ 0 };
	line_times_add(&times, profile, &profile->lanes[0], 0, profile->t1, NULL);
	line_times_finish(&times, profile);
	for (size_t i = 0; i < times.n; i++)
		sum += times.list[i].is_whole ? 0 : times.list[i].ns;
	/* 30 + 10 ms of work(), 20 ms of part(). */
	ck_assert_int_eq(sum, 60 * NS_PER_MS);
	/* Two lines each, and other(), which has no ticks, as a whole. */
	ck_assert_uint_eq(times.n, 5);
	for (size_t i = 0; i < times.n; i++)
		if (times.list[i].is_whole) {
			ck_assert_int_eq(times.list[i].ns, 20 * NS_PER_MS);
			ck_assert_int_eq(times.list[i].line, 1);
		}
	sum = 0;
	for (uint32_t i = 0; i < profile->frames.n; i++)
		sum += times.rest[i];
	ck_assert_int_eq(sum, 20 * NS_PER_MS);
	line_times_done(&times);
}
END_TEST

/* What is left over of a division is not lost. */
START_TEST(odd_times_are_divided_without_a_rest)
{
	for (int64_t t1 = 1; t1 < 40 * NS_PER_MS; t1 += 1234567) {
		struct line_times times;
		int64_t sum = 0;

		times = (struct line_times){ 0 };
		line_times_add(&times, profile, &profile->lanes[0], 0, t1, NULL);
		line_times_finish(&times, profile);
		for (size_t i = 0; i < times.n; i++)
			sum += times.list[i].ns;
		ck_assert_int_eq(sum, t1);
		line_times_done(&times);
	}
}
END_TEST

START_TEST(times_are_those_of_the_window)
{
	play("S");
	ck_assert(has(3, "30.0 ms"));
	/* Of work() a quarter of 40 ms, of part() a tenth of 20 ms. */
	ck_assert(has(6, "12.0 ms"));
	ck_assert(has(9, "18.0 ms"));
	play(":0s,30ms<Enter>");
	ck_assert(has(3, "22.5 ms"));
	ck_assert(has(6, "7.50 ms"));
	ck_assert(!has(9, "ms"));
}
END_TEST

START_TEST(samples_that_are_left_out_have_no_time)
{
	play("5S");
	ck_assert(has(3, "30.0 ms"));
	/* Leave out the stacks with part(). */
	play("<Tab>/part<Enter><Esc>xh");
	draw();
	ck_assert(has(3, "30.0 ms"));
	ck_assert(has(6, "10.0 ms"));
	ck_assert(!has(9, "ms"));
}
END_TEST

/* ---- the cursor ---- */

/* The number of the line with the cursor. */
static int cursor(void)
{
	int line = 0;
	char *text = picture(false);
	const char *at = strstr(text, " of 10 |");

	ck_assert_ptr_nonnull(at);
	while (at > text && at[-1] != ' ')
		at--;
	line = atoi(at);
	free(text);
	return line;
}

START_TEST(cursor_is_on_the_hottest_line_of_the_function)
{
	play("S");
	ck_assert_int_eq(cursor(), 3);
	ck_assert(shows("/app/a.js  60.0 ms in 3 lines, from line ticks"));
	/* It follows the selection of the chart. */
	play("<Tab>j");
	ck_assert_int_eq(cursor(), 9);
	play("k");
	ck_assert_int_eq(cursor(), 3);
	/* The window moves the cursor no more than the user does. */
	play("<Tab>Gw");
	ck_assert_int_eq(cursor(), 10);
}
END_TEST

START_TEST(function_is_that_of_the_row)
{
	/* The last row of the functions by self time is part(). */
	play("7jj");
	draw();
	play("S");
	ck_assert_int_eq(cursor(), 9);
}
END_TEST

START_TEST(hot_lines_are_walked)
{
	play("Sg.");
	ck_assert_int_eq(cursor(), 3);
	play(".");
	ck_assert_int_eq(cursor(), 6);
	play(".");
	ck_assert_int_eq(cursor(), 9);
	play(".");
	ck_assert_int_eq(cursor(), 9);
	ck_assert(shows("no further hot line"));
	play(",");
	ck_assert_int_eq(cursor(), 6);
	play("G,");
	ck_assert_int_eq(cursor(), 9);
	/* In the chart the keys are about spans. */
	play("<Tab><Tab>j<Tab>.");
	ck_assert(shows("S Source"));
}
END_TEST

START_TEST(keys_scroll)
{
	play("Sj");
	ck_assert_int_eq(cursor(), 4);
	play("kkkkk");
	ck_assert_int_eq(cursor(), 1);
	play("G");
	ck_assert_int_eq(cursor(), 10);
	play("<PgUp><PgUp>");
	ck_assert_int_eq(cursor(), 1);
}
END_TEST

/* No further than that a part of each line can be seen. */
START_TEST(long_lines_are_scrolled_sideways)
{
	struct buf text = { 0 };

	play("Sl");
	ck_assert(shows("// one"));
	buf_adds(&text, "// one");
	for (int i = 0; i < 20; i++)
		buf_addf(&text, " word %d", i);
	put_text(text.data, text.len);
	buf_done(&text);
	play("l");
	ck_assert(!shows("// one") && shows("word 1 word 2"));
	play("llllllllllllllllllll");
	ck_assert(shows("word 19"));
	play("hhhhhhhhhhhhhhhhhhhhh");
	ck_assert(shows("// one"));
}
END_TEST

START_TEST(line_is_copied_with_its_place)
{
	size_t len;

	play("Syy");
	ck_assert_str_eq(app_copied(app, &len), "/app/a.js:3  loop();");
	play("jyl");
	ck_assert_str_eq(app_copied(app, &len), "/app/a.js:4");
}
END_TEST

/* ---- without a text ---- */

START_TEST(places_that_were_looked_at_are_shown)
{
	play("S<Tab>ll");
	draw();
	ck_assert_str_eq(files.url, "file:///app/b.js");
	ck_assert(shows("no text of this file was found"));
	ck_assert(shows("/app/b.js: no such file"));
	/* . leads to the hottest line of all. */
	ck_assert(shows("hottest line (. goes there): /app/a.js:3"));
	play("<Tab>.");
	ck_assert_int_eq(cursor(), 3);
}
END_TEST

START_TEST(pane_waits_for_the_text)
{
	files.is_late = true;
	play("S");
	ck_assert(shows("reading the file"));
	play(".");
	ck_assert(shows("there is no text of this file"));
	ck_assert_int_gt(app_wait_ms(app), 0);
	ck_assert_int_eq(app_timeout(app), 0);
	files.is_late = false;
	ck_assert_int_eq(app_timeout(app), APP_REDRAW);
	ck_assert_int_eq(cursor(), 3);
	ck_assert_int_lt(app_wait_ms(app), 0);
	ck_assert_int_eq(files.n_forgotten, 0);
	play("5");
	ck_assert_int_eq(files.n_forgotten, 1);
}
END_TEST

/* ---- texts ---- */

static const struct {
	const char *line, *shown;
	size_t len; /* 0: up to the NUL */
} hostile[] = {
	{ "a\033[31mb", "  a^[[31mb ", 0 },
	{ "a\x07\x7f"
	  "b",
	  "  a^G^?b ", 0 },
	{ "a\xC2\x9B"
	  "b",
	  "  a<9B>b ", 0 },
	{ "a\xFF\xC0"
	  "b",
	  "  a\357\277\275\357\277\275b ", 0 },
	{ "a\xE2\x80\xAE"
	  "b",
	  "  a<202E>b ", 0 },
	{ "\ta\tb", "      a   b ", 0 },
	{ "abc\td", "  abc d ", 0 },
	{ "abcd\te", "  abcd    e ", 0 },
	{ "\346\227\245\346\234\254\tb", "  \346\227\245\346\234\254    b ", 0 },
	{ "a\0b", "  a^@b ", 3 },
	{ "e\xCC\x81z", "  e\xCC\x81z ", 0 },
};

START_TEST(hostile_bytes_are_visible)
{
	struct buf text = { 0 };

	buf_adds(&text, "1\r\n2\r\n");
	buf_add(&text, hostile[_i].line,
		hostile[_i].len ? hostile[_i].len : strlen(hostile[_i].line));
	buf_adds(&text, "\r\n4\r\n");
	put_text(text.data, text.len);
	buf_done(&text);
	play("S");
	ck_assert_msg(has(3, hostile[_i].shown), "%s", row_of(3));
	ck_assert(!has(3, "\r") && has(4, "  4 "));
}
END_TEST

/* Each column of a line stays in its place while the page scrolls sideways. */
START_TEST(scrolled_lines_are_cut_between_characters)
{
	static const char line[] = "//\tab\346\227\245\346\227\245\xCC\x81"
				   "cdefgh\033xyz";
	const struct source_text *text = &files.text;
	struct buf all = { 0 };
	int from;

	put_text(line, sizeof line - 1);
	for (int cols = 40; cols < 140; cols += 33)
		for (int64_t left = 0; left < 30; left++) {
			struct source_view view = { .text = text,
						    .path = "a.js",
						    .left = left,
						    .mark_line = SIZE_MAX };
			struct grid g = { 0 };

			from = cols - source_view_text_cols(text, cols);
			grid_init(&g, 3, cols);
			source_view_draw(&g, (struct rect){ 0, 0, 3, cols }, &view);
			buf_clear(&all);
			for (int col = from; col < from + 4; col++) {
				const struct cell *c = grid_at(&g, 1, col);

				/* Half a wide character is never drawn. */
				ck_assert(c->ch || grid_at(&g, 1, col - 1)->ch > 0x1000);
				ck_assert(text_width(c->ch ? c->ch : 'a') < 2 ||
					  grid_at(&g, 1, col + 1)->ch == 0);
			}
			grid_done(&g);
		}
	buf_done(&all);
}
END_TEST

/* A minified file: the page begins near the place of the function. */
START_TEST(long_lines_are_shown_around_the_function)
{
	struct buf text = { 0 };

	buf_adds(&text, "\n");
	for (int i = 0; text.len < 200000; i++)
		buf_addf(&text, "var a%d='x%d';", i, i);
	put_text(text.data, text.len);
	buf_done(&text);
	stage_close();
	profile = load("{'nodes':[{'id':1,'callFrame':{'functionName':'(root)','scriptId':'0',"
		       "'url':'','lineNumber':-1,'columnNumber':-1},'children':[2]},{'id':2,"
		       "'callFrame':{'functionName':'work','scriptId':'5','url':"
		       "'file:///app/a.js','lineNumber':1,'columnNumber':150000},"
		       "'positionTicks':[{'line':2,'ticks':3}]}],"
		       "'startTime':0,'endTime':80000,'samples':[2],'timeDeltas':[0]}");
	stage_open(profile, &(struct app_options){ .sources = { read_text, forget, NULL } }, 40,
		   100);
	play("S");
	ck_assert(strstr(row_of(2), "='x") != NULL);
	ck_assert(strstr(row_of(2), "var a1=") == NULL);
	/* The line goes on at both ends. */
	ck_assert(has(2, "\342\200\271") && has(2, "\342\200\272"));
	{
		struct source_text *t = &files.text;
		struct str line = source_text_line(t, 1);
		size_t at = source_text_byte(line, 150000);
		char word[10];

		snprintf(word, sizeof word, "%.6s", line.p + at);
		ck_assert(has(2, word));
	}
}
END_TEST

/* What all lines of the page begin with is left out; signs only stand for text. */
START_TEST(page_has_no_indentation)
{
	static const char text[] = "\t\tone();\n\t\t\twork();\n\n\t\tlast();\n";

	put_text(text, sizeof text - 1);
	play("S");
	ck_assert_msg(has(1, " 1  one();"), "%s", row_of(1));
	ck_assert_msg(has(2, " 2      work();"), "%s", row_of(2));
	play("l");
	ck_assert_msg(has(1, " 1  one();"), "%s", row_of(1));
	ck_assert_msg(!has(1, "\342\200\271"), "%s", row_of(1));
	play("h");
	ck_assert_msg(has(1, " 1          one();"), "%s", row_of(1));
}
END_TEST

START_TEST(newer_file_has_a_warning)
{
	files.text.is_newer = true;
	files.text.recorded_s = 1700000000;
	play("S");
	ck_assert(shows("the file is newer than the profile (recorded 2023-11-14 22:13:20): lines "
			"may have moved"));
}
END_TEST

/* What is drawn stays in its rectangle. */
START_TEST(the_view_is_drawn_in_its_rectangle)
{
	const struct source_text *text = &files.text;

	put_text("first\nsecond\nthird\n", 19);
	for (int rows = 1; rows < 7; rows++)
		for (int cols = 30; cols < 60; cols += 7) {
			struct source_view view = { .text = text,
						    .path = "a.js",
						    .note = rows % 2 ? "a note" : NULL,
						    .mark_line = SIZE_MAX };
			struct rect r = { 2, 3, rows, cols };
			struct grid g = { 0 };

			grid_init(&g, 11, 70);
			for (int row = 0; row < g.rows; row++)
				for (int col = 0; col < g.cols; col++)
					grid_put(&g, row, col, 1, "#", 1, ROLE_PLAIN);
			source_view_draw(&g, r, &view);
			for (int row = 0; row < g.rows; row++)
				for (int col = 0; col < g.cols; col++)
					ck_assert_msg(grid_at(&g, row, col)->ch == '#' ||
							      (row >= 2 && row < 2 + rows &&
							       col >= 3 && col < 3 + cols),
						      "%dx%d: %d, %d", rows, cols, row, col);
			grid_done(&g);
		}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "pane", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, lines_add_up_to_the_self_time);
	tcase_add_test(t, odd_times_are_divided_without_a_rest);
	tcase_add_test(t, times_are_those_of_the_window);
	tcase_add_test(t, samples_that_are_left_out_have_no_time);
	tcase_add_test(t, cursor_is_on_the_hottest_line_of_the_function);
	tcase_add_test(t, function_is_that_of_the_row);
	tcase_add_test(t, hot_lines_are_walked);
	tcase_add_test(t, keys_scroll);
	tcase_add_test(t, long_lines_are_scrolled_sideways);
	tcase_add_test(t, line_is_copied_with_its_place);
	tcase_add_test(t, places_that_were_looked_at_are_shown);
	tcase_add_test(t, pane_waits_for_the_text);
	tcase_add_loop_test(t, hostile_bytes_are_visible, 0, N(hostile));
	tcase_add_test(t, scrolled_lines_are_cut_between_characters);
	tcase_add_test(t, long_lines_are_shown_around_the_function);
	tcase_add_test(t, page_has_no_indentation);
	tcase_add_test(t, newer_file_has_a_warning);
	tcase_add_test(t, the_view_is_drawn_in_its_rectangle);
}

int main(void)
{
	return suite_run("source_page", add_tests);
}
