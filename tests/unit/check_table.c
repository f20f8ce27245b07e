/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables as text: the rows that are shown, the line about the others, and that no number is
 * truncated. */
#include "config.h"

#include "suite.h"

#include "draw/screen.h"
#include "draw/table/table.h"

#include "base/alloc.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct profile profile;
static struct rows rows;
static struct table table;
static struct grid grid;
static struct buf text;

static void setup(void)
{
	struct frame frame = { .category = CATEGORY_APP };

	intern_init(&profile.strings);
	frame_table_init(&profile.frames);
	frame.name = intern_adds(&profile.strings, "parse\033[2J");
	frame.url = intern_adds(&profile.strings, "file:///srv/app/lib/parse.js");
	frame.line = 12;
	frame.column = 5;
	frame_table_add(&profile.frames, &frame);
	frame = (struct frame){ .category = CATEGORY_IDLE,
				.name = intern_adds(&profile.strings, "(idle)") };
	frame_table_add(&profile.frames, &frame);
	rows = (struct rows){ .kind = ROWS_BOTTOMUP, .sort = ROWS_BY_SELF, .n = 20 };
	rows.rows = xcalloc(rows.n, sizeof *rows.rows);
	for (size_t i = 0; i < rows.n; i++)
		rows.rows[i] = (struct row){ .frame = 1,
					     .self = 1000000,
					     .total = 2000000,
					     .can_open = true };
	table = (struct table){ .rows = &rows,
				.unit = { .profile = &profile, .whole = 4000000, .full = 4000000 },
				.empty = "nothing here" };
}

static void teardown(void)
{
	free(rows.rows);
	frame_table_done(&profile.frames);
	intern_done(&profile.strings);
	memset(&profile, 0, sizeof profile);
	grid_done(&grid);
	grid = (struct grid){ 0 };
	buf_done(&text);
}

static const char *drawn(int n_rows, int cols)
{
	grid_init(&grid, n_rows, cols);
	table_draw(&grid, (struct rect){ 0, 0, n_rows, cols }, &table);
	buf_clear(&text);
	grid_format(&grid, false, &text);
	return buf_text(&text);
}

START_TEST(visible_rows)
{
	static const struct {
		int rows;
		size_t n, top;
		int visible;
	} cases[] = {
		{ 8, 20, 0, 6 }, { 8, 20, 13, 7 }, { 8, 7, 0, 7 }, { 8, 8, 0, 6 },
		{ 8, 0, 0, 0 },  { 1, 5, 0, 0 },   { 0, 5, 0, 0 }, { 2, 5, 0, 1 },
		{ 3, 5, 0, 2 },  { 4, 5, 0, 2 },   { 4, 3, 0, 3 }, { 4, 3, 9, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		ck_assert_int_eq(table_visible(cases[i].rows, cases[i].n, cases[i].top),
				 cases[i].visible);
}
END_TEST

START_TEST(cursor_is_in_view)
{
	for (int n_rows = 2; n_rows < 12; n_rows++)
		for (size_t n = 1; n < 30; n++)
			for (size_t cursor = 0; cursor < n; cursor++)
				for (size_t top = 0; top < n; top++) {
					size_t to = table_scroll(n_rows, n, top, cursor);

					ck_assert(cursor >= to);
					ck_assert(cursor <
						  to + (size_t)table_visible(n_rows, n, to));
				}
}
END_TEST

/* A pane without a row for data stays near the cursor, too. */
START_TEST(a_page_without_rows_follows_the_cursor)
{
	for (int n_rows = 0; n_rows < 2; n_rows++)
		for (size_t cursor = 0; cursor < 5; cursor++)
			for (size_t top = 0; top < 8; top++)
				ck_assert_uint_eq(table_scroll(n_rows, 5, top, cursor), cursor);
}
END_TEST

START_TEST(says_what_is_cut)
{
	const char *out = drawn(8, 80);

	ck_assert(strstr(out, "Self\342\226\276"));
	ck_assert(strstr(out, " 1.00 ms  25.0  2.00 ms   50.0"));
	ck_assert(strstr(out, "parse^[[2J"));
	ck_assert(strstr(out, "parse^[[2J  parse.js:12:5  "));
	ck_assert(strstr(out, "14 more"));
	table.top = 13;
	ck_assert(!strstr(drawn(8, 80), "more"));
}
END_TEST

START_TEST(numbers_are_whole)
{
	rows.rows[2].self = INT64_C(86399) * 1000000000;
	rows.rows[2].total = INT64_C(359999) * 1000000000;
	for (int cols = 40; cols < 200; cols++)
		ck_assert(strstr(drawn(8, cols), "23 h 59 min"));
	ck_assert(strstr(drawn(8, 80), "99 h 59 min"));
}
END_TEST

START_TEST(idle_has_no_share)
{
	rows.rows[0].frame = 2;
	ck_assert(strstr(drawn(8, 80), " 1.00 ms     -  2.00 ms      - "));
	table.unit.has_idle = true;
	ck_assert(strstr(drawn(8, 80), " 1.00 ms  25.0  2.00 ms   50.0"));
}
END_TEST

/* Recursion counts in the outermost call: what the inner ones do not have is no number. */
START_TEST(recursive_rows_have_a_sign)
{
	rows.rows[0].total = 0;
	rows.rows[1].total = 500000;
	ck_assert(strstr(drawn(8, 80), " 1.00 ms  25.0        \302\267      \302\267 "));
	ck_assert(strstr(buf_text(&text), " 1.00 ms  25.0   500 \302\265s      \302\267 "));
}
END_TEST

/* Of 8 cells, self time has two and the total time four, whatever rows are sorted by. */
START_TEST(bars_have_self_time_and_a_tail)
{
	table.unit.has_idle = true;
	ck_assert(strstr(drawn(8, 80),
			 "50.0     \342\226\202\342\226\202\342\226\207\342\226\207  "));
	rows.sort = ROWS_BY_TOTAL;
	ck_assert(strstr(drawn(8, 80),
			 "50.0     \342\226\202\342\226\202\342\226\207\342\226\207  "));
	table.is_ascii = true;
	ck_assert(strstr(drawn(8, 80), "50.0     ..##  "));
	table.unit.full = 2000000;
	ck_assert(strstr(drawn(8, 80), "50.0 ....####  "));
	ck_assert(strstr(buf_text(&text), "%total 50 %   0 "));
}
END_TEST

START_TEST(row_of_the_cursor_is_bold_but_for_its_bar)
{
	int n_bars = 0;

	drawn(8, 80);
	for (int col = 0; col < 80; col++) {
		const struct cell *cell = grid_at(&grid, 1, col);
		bool is_bar = cell->ch == 0x2587 || cell->ch == 0x2582;

		n_bars += is_bar;
		if (is_bar || cell->ch != ' ')
			ck_assert_int_eq((cell->flags & CELL_BOLD) != 0, !is_bar);
		ck_assert_uint_eq(grid_at(&grid, 2, col)->flags & CELL_BOLD, 0);
	}
	ck_assert_int_eq(n_bars, 4);
}
END_TEST

/* Idle time is no part of what a bar of all cells stands for. */
START_TEST(idle_has_no_bar)
{
	rows.rows[0].frame = 2;
	ck_assert(strstr(drawn(8, 80), " -            "));
}
END_TEST

/* As the other one is; but it has no thin lines. */
START_TEST(ascii_bar_is_rounded)
{
	table.unit.has_idle = true;
	rows.n = 1;
	for (int64_t self = 0; self <= 4000000; self += 12500) {
		int eighths = 0, cells = 0;
		const char *at;

		rows.rows[0].self = self;
		rows.rows[0].total = 4000000;
		table.is_ascii = false;
		at = drawn(4, 80);
		for (const char *full = at; (full = strstr(full, "▇")); full += strlen("▇"))
			eighths += 8;
		eighths += strstr(at, "▕") ? 1 : 0;
		table.is_ascii = true;
		for (at = drawn(4, 80); *at; at++)
			cells += *at == '#';
		ck_assert_msg(cells == (eighths + 4) / 8, "%d eighths, %d cells", eighths, cells);
	}
}
END_TEST

/* Blanks that all rows in view have in front of them are left out. */
START_TEST(deep_rows_share_their_indent)
{
	for (size_t i = 0; i < rows.n; i++)
		rows.rows[i].depth = 40 + (int)i;
	ck_assert(strstr(drawn(8, 80), "Function, 40 deep"));
	ck_assert(strstr(buf_text(&text), "\342\226\270 parse^[[2J"));
}
END_TEST

START_TEST(depth_pushes_no_name_out)
{
	for (size_t i = 0; i < rows.n; i++)
		rows.rows[i].depth = (int)i * 100;
	table.top = 3;
	ck_assert(strstr(drawn(8, 80), "300"));
	ck_assert(strstr(buf_text(&text), "parse"));
}
END_TEST

START_TEST(any_size_is_drawn)
{
	table.cursor = 3;
	table.has_focus = true;
	for (int n_rows = 1; n_rows < 12; n_rows++)
		for (int cols = 1; cols < 100; cols++)
			drawn(n_rows, cols);
	table.rows = NULL;
	ck_assert(strstr(drawn(5, 40), "nothing here"));
}
END_TEST

START_TEST(hit_is_what_was_drawn)
{
	struct rect r = { 10, 0, 8, 80 };
	size_t at;

	table.top = 4;
	ck_assert(!table_hit(r, 10, table.rows->n, table.top, &at));
	ck_assert(table_hit(r, 11, table.rows->n, table.top, &at));
	ck_assert_uint_eq(at, 4);
	ck_assert(table_hit(r, 16, table.rows->n, table.top, &at));
	ck_assert_uint_eq(at, 9);
	ck_assert(!table_hit(r, 17, table.rows->n, table.top, &at));
}
END_TEST

/* Every row of the screen belongs to one part, at any size. */
START_TEST(screen_is_split_whole)
{
	for (int n_rows = SCREEN_MIN_ROWS; n_rows < 100; n_rows++)
		for (int pane = SCREEN_PANE_NONE; pane <= SCREEN_PANE_ALL; pane++) {
			struct screen_layout l;

			screen_split(&l, n_rows, 80, (enum screen_pane)pane, 0, false);
			ck_assert(!l.is_too_small);
			ck_assert_int_eq(l.header.rows + l.verdict.rows + l.overview.rows +
						 l.ruler.rows + l.lanes.rows + l.rule.rows +
						 l.pane.rows + l.detail.rows + l.status.rows,
					 n_rows);
			ck_assert_int_eq(l.status.row, n_rows - 1);
			ck_assert(pane == SCREEN_PANE_ALL || l.lanes.rows >= 3);
			ck_assert(pane == SCREEN_PANE_NONE || l.pane.rows >= 2);
		}
}
END_TEST

static const struct {
	const char *title;
	int bottomup, topdown; /* least widths; 0: it is always there */
} least_widths[] = {
	{ "Self", 0, 52 },  { "%self", 0, 60 },   { "Total", 52, 0 },  { "%total", 60, 0 },
	{ "GC", 48, 48 },   { "Before", 48, 48 }, { "After", 48, 48 }, { "vs all", 56, 56 },
	{ "25 %", 76, 76 }, { "Function", 0, 0 },
};

START_TEST(column_is_shown_from_its_least_width_on)
{
	const char *title = least_widths[_i].title;
	static const struct totals after;

	table.unit.has_change = table.unit.has_gc = true;
	table.unit.full = table.unit.whole / 4;
	if (!strcmp(title, "Before") || !strcmp(title, "After"))
		table.unit.change.after = &after;
	for (int kind = 0; kind < 2; kind++) {
		int least = kind ? least_widths[_i].topdown : least_widths[_i].bottomup;

		rows.kind = kind ? ROWS_TOPDOWN : ROWS_BOTTOMUP;
		/* One row has the heading. */
		ck_assert_ptr_nonnull(strstr(drawn(1, least ? least : 47), title));
		if (least)
			ck_assert_ptr_null(strstr(drawn(1, least - 1), title));
	}
}
END_TEST

/* ---- the screen around a table ---- */

#define SCREEN_COLS 160 /* with room for the names of all tabs */

static void draw_screen(struct screen *screen)
{
	static struct viewport view;
	static struct chart chart;

	viewport_init(&view, 0, 100);
	chart = (struct chart){ .profile = &profile, .view = &view, .lane = -1 };
	screen->chart = &chart;
	screen->details.chart = &chart;
	screen->pane = SCREEN_PANE_ALL;
	screen->table = &table;
	grid_init(&grid, 12, SCREEN_COLS);
	screen_draw(&grid, screen);
	buf_clear(&text);
	grid_format(&grid, false, &text);
}

START_TEST(stale_pane_is_dimmed)
{
	struct screen_layout layout;

	screen_split(&layout, 12, SCREEN_COLS, SCREEN_PANE_ALL, 0, false);
	for (int is_stale = 0; is_stale < 2; is_stale++) {
		int n_inks = 0;

		draw_screen(&(struct screen){ .is_stale = is_stale });
		for (int row = layout.pane.row; row < layout.pane.row + layout.pane.rows; row++)
			for (int col = 0; col < SCREEN_COLS; col++) {
				const struct cell *cell = grid_at(&grid, row, col);

				n_inks += cell->fill == ROLE_PLAIN && cell->ink != ROLE_DIM;
			}
		ck_assert_int_eq(n_inks > 0, !is_stale);
	}
}
END_TEST

/* Of neighbours with the same key the active one is shown, or else the first. */
START_TEST(tabs_with_the_same_key_share_a_place)
{
	static const struct screen_tab tabs[] = { { "1 One", true },
						  { "1 Two", true },
						  { "2 Three", true },
						  { "2 Four", true } };
	static const char *const expect[] = { " 1 One  2 Three ", " 1 Two  2 Three ",
					      " 1 One  2 Three ", " 1 One  2 Four " };

	for (int i = 0; i < 4; i++) {
		draw_screen(&(struct screen){ .tabs = tabs, .n_tabs = 4, .tab = i });
		ck_assert_msg(strstr(buf_text(&text), expect[i]), "tab %d: %s", i, buf_text(&text));
		for (int k = 0; k < 4; k++)
			ck_assert(!strstr(expect[i], tabs[k].title) ==
				  !strstr(buf_text(&text), tabs[k].title));
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tcase = suite_case(suite, "table", SUITE_SECONDS);

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, visible_rows);
	tcase_add_test(tcase, cursor_is_in_view);
	tcase_add_test(tcase, a_page_without_rows_follows_the_cursor);
	tcase_add_test(tcase, says_what_is_cut);
	tcase_add_test(tcase, numbers_are_whole);
	tcase_add_test(tcase, idle_has_no_share);
	tcase_add_test(tcase, recursive_rows_have_a_sign);
	tcase_add_test(tcase, bars_have_self_time_and_a_tail);
	tcase_add_test(tcase, row_of_the_cursor_is_bold_but_for_its_bar);
	tcase_add_test(tcase, idle_has_no_bar);
	tcase_add_test(tcase, ascii_bar_is_rounded);
	tcase_add_loop_test(tcase, column_is_shown_from_its_least_width_on, 0, N(least_widths));
	tcase_add_test(tcase, stale_pane_is_dimmed);
	tcase_add_test(tcase, tabs_with_the_same_key_share_a_place);
	tcase_add_test(tcase, deep_rows_share_their_indent);
	tcase_add_test(tcase, depth_pushes_no_name_out);
	tcase_add_test(tcase, any_size_is_drawn);
	tcase_add_test(tcase, hit_is_what_was_drawn);
	tcase_add_test(tcase, screen_is_split_whole);
}

int main(void)
{
	return suite_run("table", add_tests);
}
