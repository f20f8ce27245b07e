/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The flat table of functions: which columns a width has, and what is in them. */
#include "config.h"

#include "draw/table/function_table.h"
#include "picture.h"
#include "suite.h"

#include "base/text.h"
#include "base/units.h"

#include <stdio.h>

#define N_FRAMES 6 /* and frame 0, which is none */
#define NAME_MIN 16

static struct profile profile;
static struct function functions[N_FRAMES + 1];
static int64_t self[N_FRAMES + 1], total[N_FRAMES + 1];
static frame_id order[N_FRAMES] = { 3, 1, 2, 4, 6, 5 };
static struct function_table table;

static void setup(void)
{
	profile = (struct profile){ 0 };
	intern_init(&profile.strings);
	frame_table_init(&profile.frames);
	for (int i = 1; i <= N_FRAMES; i++) {
		char name[32], url[64];
		struct frame frame = { .category = CATEGORY_APP, .line = i, .column = 7 };

		snprintf(name, sizeof name, "fn%d", i);
		snprintf(url, sizeof url, "file:///srv/app/file%d.js", i);
		frame.name = intern_adds(&profile.strings, name);
		frame.url = intern_adds(&profile.strings, url);
		ck_assert_int_eq((int)frame_table_add(&profile.frames, &frame), i);
		self[i] = i * 10 * NS_PER_MS;
		total[i] = i * 20 * NS_PER_MS;
		functions[i] = (struct function){ .n_spans = (uint64_t)i * 1000,
						  .spans_ns = i * 1000 * i * NS_PER_MS,
						  .longest = i * 30 * NS_PER_MS,
						  .shortest = i * NS_PER_US };
	}
	table = (struct function_table){
		.frames = profile.frames.frames,
		.functions = functions,
		.self = self,
		.total = total,
		.order = order,
		.n = N_FRAMES,
		.empty = "nothing here",
		.unit = { .profile = &profile, .whole = NS_PER_S },
		.sort = FUNCTION_SELF,
	};
}

static void teardown(void)
{
	frame_table_done(&profile.frames);
	intern_done(&profile.strings);
	picture_done();
}

static void draw(struct grid *g, struct rect r)
{
	function_table_draw(g, r, &table);
}

/* ---- the same by hand ---- */

static const int least_cols[] = { 0, 50, 60, 70, 90, 100 };
static const char *const titles[] = { "Self", "Total", "Spans", "Longest", "Mean", "Shortest" };
#define N_NUMBERS 6

/* The columns of garbage collection and of changes are not in these tables. */
static enum function_column column_of(int number)
{
	return number < 2 ? (enum function_column)number
			  : (enum function_column)(FUNCTION_SPANS + number - 2);
}

static const char *title(int column, const char *mark)
{
	static char out[48];

	snprintf(out, sizeof out, "%s%s%s", titles[column],
		 table.is_counting && column > 1 ? "\342\200\246" : "",
		 column_of(column) == table.sort ? mark : "");
	return out;
}

static int cells_of(const char *text)
{
	return text_cells(text, strlen(text));
}

static void number(int column, frame_id f, char out[UNITS_MAX])
{
	const int64_t times[] = { self[f],
				  total[f],
				  0,
				  functions[f].longest,
				  functions_mean(&functions[f]),
				  functions[f].shortest };

	if (column == 2)
		units_count(functions[f].n_spans, out);
	else
		units_time(times[column], out);
}

/* The cells of a column: 9, or one more than its title or its longest number; 0: not shown. */
static void widths(int cols, int shown, int width[N_NUMBERS], int *name)
{
	int rest = cols;

	for (int c = 0; c < N_NUMBERS; c++) {
		int share = c == 0 ? 6 : c == 1 ? 7 : 0;

		width[c] = cells_of(title(c, "v")) < 9 ? 9 : cells_of(title(c, "v")) + 1;
		for (int i = 0; i < shown; i++) {
			char text[UNITS_MAX];

			number(c, order[table.top + (size_t)i], text);
			width[c] = cells_of(text) < width[c] ? width[c] : cells_of(text) + 1;
		}
		if (cols < least_cols[c] || (c > 0 && rest - width[c] - share < NAME_MIN))
			width[c] = 0;
		else
			rest -= width[c] + share;
	}
	*name = rest;
}

static void add_right(struct buf *out, int width, const char *text)
{
	for (int i = cells_of(text); i < width; i++)
		buf_addc(out, ' ');
	buf_adds(out, text);
}

static void expect_row(struct buf *out, const int width[N_NUMBERS], frame_id f)
{
	for (int c = 0; c < N_NUMBERS; c++) {
		char text[UNITS_MAX];

		if (!width[c])
			continue;
		number(c, f, text);
		add_right(out, width[c], text);
		if (c > 1)
			continue;
		snprintf(text, sizeof text, "%d.0", (int)f * (c + 1));
		add_right(out, 6 + c, table.unit.whole ? text : "-");
	}
	buf_addf(out, "   fn%d", (int)f);
}

static void expect_heads(struct buf *out, const int width[N_NUMBERS], const char *mark)
{
	for (int c = 0; c < N_NUMBERS; c++) {
		if (!width[c])
			continue;
		add_right(out, width[c], title(c, mark));
		if (c < 2)
			add_right(out, 6 + c, c ? "%total" : "%self");
	}
	buf_addf(out, "   Function%s", table.sort == FUNCTION_NAME ? mark : "");
}

/* Two blanks behind the name; without its column or not at all if there is no room. */
static void expect_location(struct buf *out, int cols, frame_id f)
{
	char place[48];

	snprintf(place, sizeof place, "  file%d.js:%d:7", (int)f, (int)f);
	if (cells_of(buf_text(out)) + cells_of(place) > cols)
		*strrchr(place, ':') = '\0';
	if (cells_of(buf_text(out)) + cells_of(place) <= cols)
		buf_adds(out, place);
}

/* ---- rules ---- */

static void check_table(int rows, int cols, int shown, const char *mark)
{
	struct buf expect = { 0 };
	char more[32] = "";
	int width[N_NUMBERS], name, left = N_FRAMES - (int)table.top - shown;

	widths(cols, shown, width, &name);
	picture(draw, rows, cols);
	expect_heads(&expect, width, mark);
	ck_assert_str_eq(picture_row(0), buf_text(&expect));
	for (int i = 0; i < shown; i++) {
		buf_clear(&expect);
		expect_row(&expect, width, order[table.top + (size_t)i]);
		expect_location(&expect, cols, order[table.top + (size_t)i]);
		ck_assert_str_eq(picture_row(1 + i), buf_text(&expect));
	}
	if (left > 0)
		snprintf(more, sizeof more, "\342\200\246 %d more", left);
	if (rows > shown + 1)
		ck_assert_str_eq(picture_row(1 + shown), more);
	buf_done(&expect);
}

/* Columns from left to right while there is room; below 110 columns there are no bars. */
START_TEST(a_width_has_its_columns)
{
	for (int cols = 35; cols < 110; cols++)
		check_table(6, cols, 4, "\342\226\276");
}
END_TEST

/* A number widens its column, and may take the room of another one, but not that of the name. */
START_TEST(numbers_are_never_truncated)
{
	table.unit.whole = 0;
	for (int i = 0; i < 5; i++) {
		self[4] = i == 0 ? INT64_C(359999) * NS_PER_S : 40 * NS_PER_MS;
		total[3] = i == 1 ? INT64_C(359999) * NS_PER_S : 40 * NS_PER_MS;
		functions[2].n_spans = i == 2 ? INT64_C(12345678901) : 1;
		functions[1].longest = i == 3 ? INT64_C(359999) * NS_PER_S : 40 * NS_PER_MS;
		functions[2].shortest = i == 4 ? INT64_C(359999) * NS_PER_S : 40 * NS_PER_MS;
		for (int cols = 40; cols < 110; cols++)
			check_table(6, cols, 4, "\342\226\276");
	}
}
END_TEST

/* Only numbers in view count. */
START_TEST(a_number_out_of_view_widens_no_column)
{
	self[5] = self[3] = INT64_C(359999) * NS_PER_S;
	table.unit.whole = 0;
	table.top = 1;
	check_table(5, 60, 3, "\342\226\276");
	ck_assert_ptr_null(strstr(buf_text(&picture_buf), "min"));
	table.top = 0;
	check_table(6, 60, 4, "\342\226\276");
	ck_assert_ptr_nonnull(strstr(buf_text(&picture_buf), "99 h 59 min"));
}
END_TEST

/* A comparison has a column if there is one. */
START_TEST(a_part_has_a_column_for_what_is_different)
{
	int64_t all_self[N_FRAMES + 1] = { 0, 0, 40 * NS_PER_MS, 30 * NS_PER_MS, 400 * NS_PER_MS };
	struct view view = { .frames = profile.frames.frames, .n_frames = profile.frames.n };
	struct totals all = { .view = &view, .frame_self = all_self };

	table.unit.has_change = true;
	picture(draw, 6, 80);
	ck_assert_ptr_nonnull(strstr(picture_row(0), " %total   vs all    Spans"));
	ck_assert_ptr_nonnull(strstr(picture_row(1), "    6.0             3"));
	table.unit.change =
		(struct rows_change){ .all = &all, .whole = NS_PER_S, .all_whole = 4 * NS_PER_S };
	table.sort = FUNCTION_CHANGE;
	picture(draw, 6, 80);
	ck_assert_ptr_nonnull(strstr(picture_row(0), " %total  vs all\342\226\276    Spans"));
	/* fn3 has 30 ms of 30; fn1 10 of 0; fn2 20 of 40: 2 % against 1 %; fn4 40 of 400. */
	ck_assert_ptr_nonnull(strstr(picture_row(1), "    6.0     only    3"));
	ck_assert_ptr_nonnull(strstr(picture_row(2), "    2.0        -    1"));
	ck_assert_ptr_nonnull(strstr(picture_row(3), "    4.0     x2.0    2"));
	ck_assert_ptr_nonnull(strstr(picture_row(4), "    8.0     x0.4    4"));
}
END_TEST

START_TEST(the_heading_marks_the_order)
{
	static const char *const marks[2][2] = { { "\342\226\276", "\342\226\264" }, { "v", "^" } };

	for (table.sort = FUNCTION_SELF; table.sort <= FUNCTION_NAME;
	     table.sort = table.sort == FUNCTION_TOTAL ? FUNCTION_SPANS : table.sort + 1)
		for (int i = 0; i < 8; i++) {
			table.is_ascii = i & 1;
			table.is_reversed = i & 2;
			table.is_counting = i & 4;
			check_table(6, 105, 4, marks[i & 1][(i & 2) != 0]);
		}
}
END_TEST

/* The rest of a page tells how many rows do not fit. */
START_TEST(a_page_has_its_rows)
{
	check_table(2, 60, 1, "\342\226\276");
	check_table(7, 60, 6, "\342\226\276");
	table.top = 2;
	check_table(5, 60, 4, "\342\226\276");
	check_table(4, 60, 2, "\342\226\276");
	check_table(8, 60, 4, "\342\226\276");
	picture(draw, 1, 60);
	ck_assert_str_eq(picture_row(0), "");
	table.n = 0;
	picture(draw, 3, 60);
	ck_assert_str_eq(picture_row(1), "  nothing here");
	ck_assert_int_eq(grid_at(&picture_grid, 1, 2)->ink, ROLE_DIM);
}
END_TEST

/* What is still counted is dim, except at the cursor. */
START_TEST(the_cursor_has_its_row)
{
	table.cursor = 2;
	table.top = 1;
	for (int i = 0; i < 4; i++) {
		table.has_focus = i & 1;
		table.is_counting = i & 2;
		picture(draw, 6, 105);
		for (int row = 1; row < 5; row++) {
			bool is_cursor = table.has_focus && row == 2;

			for (int col = 0; col < 105; col++) {
				const struct cell *cell = grid_at(&picture_grid, row, col);
				bool is_span = col >= 31 && col < 68;

				if (cell->ch == ' ')
					continue;
				ck_assert_int_eq(
					cell->ink,
					is_cursor ? (cell->ch == 0x258C ? ROLE_ROW_MARK : ROLE_ROW)
						: (table.is_counting && is_span) || col >= 74
						? ROLE_DIM
						: ROLE_PLAIN);
				ck_assert_int_eq(cell->fill, is_cursor ? ROLE_ROW : ROLE_PLAIN);
			}
		}
	}
}
END_TEST

/* Idle time has a share only where it is part of the whole. */
START_TEST(idle_has_a_share_of_a_whole_with_idle_time)
{
	profile.frames.frames[3].category = CATEGORY_IDLE;
	picture(draw, 6, 40);
	ck_assert_str_eq(picture_row(1), "  30.0 ms     -   fn3  file3.js:3:7");
	ck_assert_str_eq(picture_row(2), "  10.0 ms   1.0   fn1  file1.js:1:7");
	table.unit.has_idle = true;
	picture(draw, 6, 40);
	ck_assert_str_eq(picture_row(1), "  30.0 ms   3.0   fn3  file3.js:3:7");
}
END_TEST

/* The swatch before a name has its colour, also at the cursor. */
START_TEST(a_name_has_a_swatch)
{
	table.has_focus = true;
	picture(draw, 6, 40);
	for (int row = 1; row < 5; row++)
		ck_assert_int_eq(grid_at(&picture_grid, row, 16)->fill,
				 frame_roles_find(NULL, &profile, order[row - 1]));
}
END_TEST

/* What the search found is marked in the name; in the whole name and the location if another text
 * matches. */
START_TEST(matches_are_marked_in_names)
{
	uint8_t matches[N_FRAMES + 1] = { 0 };
	struct search search = { .profile = &profile, .matches = matches };
	struct error err = ERROR_INIT;

	matches[1] = matches[3] = 1;
	search.pattern = pattern_new("n3", 2, true, &err);
	ck_assert_ptr_nonnull(search.pattern);
	table.search = &search;
	picture(draw, 6, 40);
	for (int row = 1; row < 5; row++)
		for (int col = 0; col < 40; col++)
			ck_assert_int_eq((grid_at(&picture_grid, row, col)->flags & CELL_MATCH) !=
						 0,
					 (row == 1 && col >= 19 && col < 21) ||
						 (row == 2 && col >= 18 && col < 35 && col != 21 &&
						  col != 22));
	pattern_free(search.pattern);
}
END_TEST

/* From 34 cells for name and location on, a table has bars: here from 122 columns on. */
START_TEST(wide_tables_have_bars)
{
	table.unit.full = table.unit.whole / 4;
	for (int cols = 100; cols < 170; cols++) {
		int name, width[N_NUMBERS], from;

		widths(cols, 4, width, &name);
		from = cols - name + 20;
		picture(draw, 6, cols);
		ck_assert_int_eq(name >= 55, grid_at(&picture_grid, 1, from)->ch == 0x2587);
		ck_assert_int_eq(name >= 55, strstr(picture_row(0), "25 %") != NULL);
		if (name < 55)
			continue;
		/* fn3: 30 ms and 60 ms of 250 ms on 20 cells: 2.4 and 4.8 cells; the first is
		 * rounded, since the rest follows. */
		ck_assert_ptr_nonnull(strstr(picture_row(1),
					     " \342\226\202\342\226\202\342\226\202"
					     "\342\226\207\342\226\207   fn3  file3"));
		ck_assert_int_eq(grid_at(&picture_grid, 1, from)->ink,
				 frame_roles_find(NULL, &profile, order[0]));
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "function_table", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_width_has_its_columns);
	tcase_add_test(t, numbers_are_never_truncated);
	tcase_add_test(t, a_number_out_of_view_widens_no_column);
	tcase_add_test(t, a_part_has_a_column_for_what_is_different);
	tcase_add_test(t, the_heading_marks_the_order);
	tcase_add_test(t, a_page_has_its_rows);
	tcase_add_test(t, the_cursor_has_its_row);
	tcase_add_test(t, idle_has_a_share_of_a_whole_with_idle_time);
	tcase_add_test(t, a_name_has_a_swatch);
	tcase_add_test(t, matches_are_marked_in_names);
	tcase_add_test(t, wide_tables_have_bars);
}

int main(void)
{
	return suite_run("function_table", add_tests);
}
