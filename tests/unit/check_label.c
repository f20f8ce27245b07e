/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Labels of boxes and lanes: which text, how it is truncated, and that nothing from a file reaches
 * the terminal as it is. */
#include "config.h"

#include "base/text.h"
#include "draw/flame/label.h"
#include "draw/grid.h"
#include "draw/lane_title.c"
#include "draw/table/table.h"
#include "suite.h"

#include <string.h>

static struct profile profile;
static struct buf text;

static void setup(void)
{
	memset(&profile, 0, sizeof profile);
	text = (struct buf){ 0 };
	intern_init(&profile.strings);
	frame_table_init(&profile.frames);
}

static void teardown(void)
{
	frame_table_done(&profile.frames);
	intern_done(&profile.strings);
	buf_done(&text);
}

static frame_id add_frame(const char *name, const char *url, int line, int column)
{
	struct frame frame = { .category = CATEGORY_APP,
			       .name = intern_adds(&profile.strings, name),
			       .url = *url ? intern_adds(&profile.strings, url) : 0,
			       .line = line,
			       .column = column };

	return frame_table_add(&profile.frames, &frame);
}

static const struct {
	const char *name, *url;
	int line, room;
	const char *expect;
} cases[] = {
	{ "parse", "file:///x/app.js", 3, 20, "parse" },
	{ "(anonymous)", "file:///x/app.js", 12, 40, "app.js:12" },
	{ "(anonymous)", "file:///x/app.js", 12, 8, "app.\342\200\246:12" },
	{ "(anonymous)", "", 0, 40, "(anonymous)" },
	{ "(anonymous)", "node:internal/main/run_main_module", 1, 40, "run_main_module:1" },
	/* Up to six cells the beginning, without a mark. */
	{ "formatPrice", "", 0, 7, "for\342\200\246ice" },
	{ "formatPrice", "", 0, 6, "format" },
	{ "formatPrice", "", 0, 3, "for" },
	/* Two letters are a name only if they are all of it. */
	{ "formatPrice", "", 0, 2, "" },
	{ "ui", "", 0, 2, "ui" },
	{ "\346\274\242\345\255\227\346\274\242", "", 0, 5, "\346\274\242\345\255\227" },
	{ "aVeryLongNameOfAFunction", "", 0, 9, "aVer\342\200\246tion" },
	{ "red\033[31m", "", 0, 20, "red^[[31m" },
	{ "file:///srv/app/lib/parse.js", "", 0, 20, "parse.js" },
	{ "file:///srv/app/lib/index.js", "", 0, 20, "lib/index.js" },
	{ "https://example.com", "", 0, 20, "example.com" },
	{ "https://example.com/", "", 0, 20, "https://example.com/" },
};

START_TEST(label_of_a_box)
{
	frame_id f = add_frame(cases[_i].name, cases[_i].url, cases[_i].line, 5);

	label_box(&profile, f, cases[_i].room, &text);
	ck_assert_str_eq(buf_text(&text), cases[_i].expect);
}
END_TEST

START_TEST(label_never_exceeds_its_room)
{
	frame_id f = add_frame("a\346\274\242\345\255\227bcdefgh\033", "file:///x/app.js", 1, 1);

	for (int room = 1; room < 20; room++) {
		buf_clear(&text);
		label_frame(&profile, f, room, &text);
		ck_assert_int_le(text_cells(buf_text(&text), text.len), room);
		buf_clear(&text);
		label_box(&profile, f, room, &text);
		ck_assert_int_le(text_cells(buf_text(&text), text.len), room);
	}
}
END_TEST

/* `n` letters and then `end`; to be freed. */
static char *long_text(const char *start, size_t n, const char *end)
{
	struct buf out = { 0 };

	buf_adds(&out, start);
	while (n--)
		buf_adds(&out, n % 3 ? "%41" : "b");
	buf_adds(&out, end);
	return out.data;
}

START_TEST(place_of_a_long_url_has_its_ends)
{
	static const char *const starts[] = { "file:///x/", "data:", "node:" };
	char *url = long_text(starts[_i], 300000, "/end.js?x/");
	frame_id f = add_frame("f", url, 12, 5);
	const struct frame *frame = profile_frame(&profile, f);

	for (int is_full = 0; is_full <= 1; is_full++) {
		struct buf whole = { 0 }, a = { 0 }, b = { 0 };

		profile_location(&profile, frame, is_full, &whole);
		buf_clear(&text);
		label_place(&profile, frame, is_full, &text);
		ck_assert_uint_lt(text.len, 140000);
		text_fit(&a, buf_text(&whole), whole.len, 1000);
		text_fit(&b, buf_text(&text), text.len, 1000);
		text_fit_end(&a, buf_text(&whole), whole.len, 1000);
		text_fit_end(&b, buf_text(&text), text.len, 1000);
		ck_assert_str_eq(buf_text(&a), buf_text(&b));
		buf_done(&whole);
		buf_done(&a);
		buf_done(&b);
	}
	free(url);
}
END_TEST

/* In a name that is too long to be searched, the match is where it is not in the url. */
START_TEST(match_in_a_long_name_is_marked)
{
	char *name = long_text("", 100000, "needle"), *other = long_text("", 100000, "");
	frame_id in_name = add_frame(name, "a.js", 1, 1),
		 in_url = add_frame(other, "needle.js", 1, 1);
	struct error err = ERROR_INIT;
	struct search search;
	struct grid grid = { 0 };

	grid_init(&grid, 2, 80);
	ck_assert(search_init(&search, &profile, "needle", 6, false, &err));
	ck_assert(search_match(&search, BUDGET_UNLIMITED));
	for (int row = 0; row < 2; row++) {
		frame_id id = row ? in_url : in_name;

		/* Where the match is in the url, the location is marked, too. */
		table_cell_name(&grid, row, 0, 80,
				&(struct table_name){ .profile = &profile,
						      .frame = profile_frame(&profile, id),
						      .id = id,
						      .search = &search });
		ck_assert(grid_at(&grid, row, 0)->flags & CELL_MATCH);
		ck_assert_int_eq(!(grid_at(&grid, row, 79)->flags & CELL_MATCH), !row);
	}
	search_done(&search);
	grid_done(&grid);
	free(name);
	free(other);
}
END_TEST

/* The place stands for the name of a function that has none, in lines and tables as in boxes. */
START_TEST(place_stands_for_no_name)
{
	frame_id f = add_frame("(anonymous)", "file:///x/app.js", 12, 5);
	frame_id node = add_frame("(anonymous)", "node:internal/main/run_main_module", 1, 1);
	frame_id native = add_frame("(anonymous)", "", 0, 0);

	label_frame(&profile, f, 40, &text);
	ck_assert_str_eq(buf_text(&text), "app.js:12");
	buf_clear(&text);
	label_frame(&profile, f, 8, &text);
	ck_assert_str_eq(buf_text(&text), "app.\342\200\246:12");
	buf_clear(&text);
	label_frame(&profile, node, 40, &text);
	ck_assert_str_eq(buf_text(&text), "node:internal/main/run_main_module:1");
	buf_clear(&text);
	label_frame(&profile, node, 20, &text);
	ck_assert_str_eq(buf_text(&text), "run_main_module:1");
	buf_clear(&text);
	label_text(&profile, profile_frame(&profile, f), &text);
	ck_assert_str_eq(buf_text(&text), "app.js:12");
	buf_clear(&text);
	label_text(&profile, profile_frame(&profile, native), &text);
	ck_assert_str_eq(buf_text(&text), "(anonymous)");
}
END_TEST

START_TEST(name_of_a_process)
{
	struct lane lane = { .pid = 7 };

	lane_title_process(&profile, &lane, &text);
	ck_assert_str_eq(buf_text(&text), "process 7");
	buf_clear(&text);
	lane.process_name = intern_adds(&profile.strings, "Renderer");
	lane_title_process(&profile, &lane, &text);
	ck_assert_str_eq(buf_text(&text), "Renderer (pid 7)");
	buf_clear(&text);
	lane = (struct lane){ .pid = 0 };
	lane_title_process(&profile, &lane, &text);
	ck_assert_str_eq(buf_text(&text), "process 0");
	buf_clear(&text);
	lane = (struct lane){ .pid = LANE_NO_ID };
	lane_title_process(&profile, &lane, &text);
	ck_assert_str_eq(buf_text(&text), "no process");
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "label", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, label_of_a_box, 0, N(cases));
	tcase_add_test(t, label_never_exceeds_its_room);
	tcase_add_loop_test(t, place_of_a_long_url_has_its_ends, 0, 3);
	tcase_add_test(t, match_in_a_long_name_is_marked);
	tcase_add_test(t, place_stands_for_no_name);
	tcase_add_test(t, name_of_a_process);
}

int main(void)
{
	return suite_run("label", add_tests);
}
