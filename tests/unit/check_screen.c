/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The screen around its parts: the rule with tabs, position and scope, the last lines, the menu,
 * and a terminal that is too small. */
#include "config.h"

#include "draw/screen.h"
#include "picture.h"
#include "suite.h"

#include "base/text.h"

#include <stdio.h>

#define ROWS 20
#define PANE_TOP 12 /* the row of the rule: 20 - 2 for the foot - 6 for the pane */

static struct profile profile;
static struct viewport view;
static struct chart chart;
static struct lines lines;
static struct screen screen;

static const struct screen_tab tabs[] = { { "5 Bottom-up", true },
					  { "6 Top-down", true },
					  { "7 Functions", true } };

static void setup(void)
{
	profile = (struct profile){ 0 };
	intern_init(&profile.strings);
	frame_table_init(&profile.frames);
	viewport_init(&view, 0, 1000);
	chart = (struct chart){ .profile = &profile, .view = &view, .lane = -1 };
	lines = (struct lines){ 0 };
	screen = (struct screen){ .chart = &chart,
				  .pane = SCREEN_PANE_BELOW,
				  .lines = &lines,
				  .tabs = tabs,
				  .n_tabs = ARRAY_LEN(tabs),
				  .tab = 1 };
	screen.details.chart = &chart;
}

static void teardown(void)
{
	lines_done(&lines);
	frame_table_done(&profile.frames);
	intern_done(&profile.strings);
	picture_done();
}

static const char *row_of(int rows, int cols, int row)
{
	grid_init(&picture_grid, rows, cols);
	screen_draw(&picture_grid, &screen);
	buf_clear(&picture_buf);
	grid_format(&picture_grid, false, &picture_buf);
	return picture_row(row);
}

/* ---- the rule ---- */

/* The rule in `cols` cells: tabs from the left, the scope behind them, the position at the right.
 */
static void expect_rule(int cols, const char *left, const char *scope, const char *position,
			struct buf *out)
{
	int used = text_cells(left, strlen(left)), end = cols;

	buf_clear(out);
	buf_adds(out, left);
	if (*position)
		end -= (int)strlen(position) + 2;
	if (*scope) {
		buf_addf(out, "─ %s ", scope);
		used += (int)strlen(scope) + 3;
	}
	for (; used < end; used++)
		buf_adds(out, "─");
	if (*position)
		buf_addf(out, " %s", position);
	while (out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0';
}

static const struct {
	int cols;
	const char *scope[3], *position;
	const char *left, *shown_scope, *shown_position;
} rules[] = {
	/* All tabs from 60 columns on, and as many names, from the left, as leave 44 columns. */
	{ 59, { 0 }, "", " 6 Top-down ", "", "" },
	{ 60, { 0 }, "", " 5  6 Top-down  7 ", "", "" },
	{ 71, { 0 }, "", " 5  6 Top-down  7 ", "", "" },
	{ 72, { 0 }, "", " 5 Bottom-up  6 Top-down  7 ", "", "" },
	{ 81, { 0 }, "", " 5 Bottom-up  6 Top-down  7 ", "", "" },
	{ 82, { 0 }, "", " 5 Bottom-up  6 Top-down  7 Functions ", "", "" },
	/* The longest scope that fits. */
	{ 60, { "of the window", "window" }, "", " 5  6 Top-down  7 ", "of the window", "" },
	{ 60,
	  { "as long as the room there is, 39 cells.", "w" },
	  "",
	  " 5  6 Top-down  7 ",
	  "as long as the room there is, 39 cells.",
	  "" },
	{ 60,
	  { "longer than the room there is, 40 cells.", NULL, "w" },
	  "",
	  " 5  6 Top-down  7 ",
	  "w",
	  "" },
	{ 60, { "longer than the room there is, 40 cells." }, "", " 5  6 Top-down  7 ", "", "" },
	/* The position comes first. */
	{ 60,
	  { "as long as the room, 30 cells.", "w" },
	  "3 of 99",
	  " 5  6 Top-down  7 ",
	  "as long as the room, 30 cells.",
	  "3 of 99" },
	{ 60,
	  { "longer than the room, 31 cells.", "w" },
	  "3 of 99",
	  " 5  6 Top-down  7 ",
	  "w",
	  "3 of 99" },
	{ 42, { 0 }, "12 345 678 901 of 23 456 789", " 6 Top-down ", "", "" },
	{ 43,
	  { 0 },
	  "12 345 678 901 of 23 456 789",
	  " 6 Top-down ",
	  "",
	  "12 345 678 901 of 23 456 789" },
};

START_TEST(the_rule_has_tabs_scope_and_position)
{
	struct buf expect = { 0 };

	for (int i = 0; i < 3; i++)
		screen.scopes[i] = rules[_i].scope[i];
	screen.position = rules[_i].position;
	expect_rule(rules[_i].cols, rules[_i].left, rules[_i].shown_scope, rules[_i].shown_position,
		    &expect);
	ck_assert_str_eq(row_of(ROWS, rules[_i].cols, PANE_TOP), buf_text(&expect));
	buf_done(&expect);
}
END_TEST

/* A pane without a scope leaves more room. */
START_TEST(tabs_have_the_room_of_a_scope)
{
	struct screen_tab alone[ARRAY_LEN(tabs)];

	memcpy(alone, tabs, sizeof alone);
	alone[1].has_scope = false;
	screen.tabs = alone;
	ck_assert_ptr_nonnull(
		strstr(row_of(ROWS, 60, PANE_TOP), " 5 Bottom-up  6 Top-down  7 Functions "));
	ck_assert_int_eq(screen_tab_at(alone, N(tabs), 1, (struct rect){ PANE_TOP, 0, 1, 60 }, 30),
			 2);
}
END_TEST

START_TEST(the_rule_is_heavy_while_the_pane_has_the_focus)
{
	ck_assert_ptr_nonnull(strstr(row_of(ROWS, 80, PANE_TOP), "─"));
	screen.has_focus = true;
	ck_assert_ptr_null(strstr(row_of(ROWS, 80, PANE_TOP), "─"));
	ck_assert_ptr_nonnull(strstr(row_of(ROWS, 80, PANE_TOP), "═"));
}
END_TEST

/* The tab of the pane, with a blank at each side, has its role; the others have theirs. */
START_TEST(the_tab_of_the_pane_stands_out)
{
	screen.scopes[0] = "scope";
	row_of(ROWS, 67, PANE_TOP);
	for (int col = 0; col < 26; col++) {
		const struct cell *cell = grid_at(&picture_grid, PANE_TOP, col);
		bool is_active = col >= 3 && col < 15;

		ck_assert_int_eq(cell->fill, is_active ? ROLE_TAB_ACTIVE : ROLE_PLAIN);
		if (cell->ch != ' ')
			ck_assert_int_eq(cell->ink,
					 is_active          ? ROLE_TAB_ACTIVE
						 : col < 20 ? ROLE_TAB
							    : ROLE_PLAIN);
	}
}
END_TEST

/* ---- the last lines ---- */

START_TEST(hints_that_fit_are_whole)
{
	static const struct screen_hint hints[] = { { "?", "help" },
						    { "Enter", "a longer hint" },
						    { "q", "quit" } };

	for (size_t i = 0; i < ARRAY_LEN(hints); i++)
		screen.hints[i] = hints[i];
	screen.n_hints = ARRAY_LEN(hints);
	ck_assert_str_eq(row_of(ROWS, 80, ROWS - 1), " ? help  Enter a longer hint  q quit");
	ck_assert_int_eq(grid_at(&picture_grid, ROWS - 1, 1)->ink, ROLE_KEY);
	ck_assert_int_eq(grid_at(&picture_grid, ROWS - 1, 3)->ink, ROLE_DIM);
	/* A hint that does not fit leaves its room to the next one. */
	for (int i = 0; i < 2; i++) {
		/* 1 + 19 + 2 + 19 + 2 + 6 cells, and a blank behind them. */
		screen.hints[0].text = "seventeen letters";
		ck_assert_str_eq(row_of(ROWS, 49 + i, ROWS - 1),
				 i ? " ? seventeen letters  Enter a longer hint  q quit"
				   : " ? seventeen letters  Enter a longer hint");
	}
	screen.hints[1].text = "a much, much longer hint";
	ck_assert_str_eq(row_of(ROWS, 44, ROWS - 1), " ? seventeen letters  q quit");
	/* A low screen has no line for them. */
	ck_assert_ptr_null(strstr(row_of(15, 80, 14), "quit"));
	ck_assert_ptr_nonnull(strstr(row_of(16, 80, 15), "quit"));
}
END_TEST

/* A message takes the place of hints and, on a low screen, of the selection. */
START_TEST(a_message_is_truncated_to_the_line)
{
	screen.n_hints = 1;
	screen.hints[0] = (struct screen_hint){ "?", "help" };
	screen.message = "0123456789012345678901234567890123456789";
	ck_assert_str_eq(row_of(ROWS, 42, ROWS - 1), " 0123456789012345678901234567890123456789");
	ck_assert_str_eq(row_of(ROWS, 41, ROWS - 1),
			 " 0123456789012345678\342\200\2461234567890123456789");
	ck_assert_int_eq(grid_at(&picture_grid, ROWS - 1, 1)->ink, ROLE_PROMPT);
	screen.is_warning = true;
	ck_assert_str_eq(row_of(15, 42, 14), " 0123456789012345678901234567890123456789");
	ck_assert_int_eq(grid_at(&picture_grid, 14, 1)->ink, ROLE_WARN);
	ck_assert_int_eq(strncmp(row_of(ROWS, 42, ROWS - 2), " nothing selected", 17), 0);
	screen.message = "";
	ck_assert_int_eq(strncmp(row_of(15, 42, 14), " nothing selected", 17), 0);
	ck_assert_str_eq(row_of(ROWS, 42, ROWS - 1), " ? help");
}
END_TEST

START_TEST(a_prompt_takes_the_place_of_all_others)
{
	struct prompt_line prompt = { .label = "/", .text = "abc", .cursor = 3, .error_at = -1 };

	screen.n_hints = 1;
	screen.hints[0] = (struct screen_hint){ "?", "help" };
	screen.message = "a message";
	screen.prompt = &prompt;
	ck_assert_str_eq(row_of(ROWS, 60, ROWS - 1), " /abc");
	ck_assert_int_eq(strncmp(row_of(ROWS, 60, ROWS - 2), " nothing selected", 17), 0);
	screen.message = NULL;
	ck_assert_str_eq(row_of(15, 60, 14), " /abc");
	ck_assert_int_eq(picture_grid.cursor_row, 14);
}
END_TEST

/* ---- the menu ---- */

/* Entries go down each column of 24 cells, above the last lines, below a rule. */
START_TEST(a_menu_has_its_entries_in_columns)
{
	struct screen_hint menu[11];
	char keys[11][16], text[11][40];

	for (int i = 0; i < 11; i++) {
		snprintf(keys[i], sizeof keys[i], "z%c", 'a' + i);
		snprintf(text[i], sizeof text[i], "entry number %d", i);
		menu[i] = (struct screen_hint){ keys[i], text[i] };
	}
	screen.menu = menu;
	for (int cols = 40; cols < 100; cols++)
		for (int n = 1; n <= 11; n++) {
			int columns = cols / 24, rows = (n + columns - 1) / columns,
			    top = ROWS - 2 - rows;

			screen.n_menu = n;
			row_of(ROWS, cols, 0);
			for (int row = 0; row < rows; row++) {
				struct buf expect = { 0 };

				for (int c = 0; c * rows + row < n; c++) {
					while ((int)expect.len < 24 * c)
						buf_addc(&expect, ' ');
					buf_addf(&expect, " %s %s", keys[c * rows + row],
						 text[c * rows + row]);
				}
				ck_assert_str_eq(picture_row(top + row), buf_text(&expect));
				ck_assert_int_eq(grid_at(&picture_grid, top + row, 1)->ink,
						 ROLE_KEY);
				ck_assert_int_eq(grid_at(&picture_grid, top + row, 5)->ink,
						 ROLE_PLAIN);
				buf_done(&expect);
			}
			for (int col = 0; col < cols; col++)
				ck_assert_uint_eq(grid_at(&picture_grid, top - 1, col)->ch, 0x2500);
		}
}
END_TEST

/* Of an entry, the cells of its column; of a menu, the rows of the screen. */
START_TEST(a_menu_ends_at_the_edges)
{
	struct screen_hint menu[30];

	for (int i = 0; i < 30; i++)
		menu[i] = (struct screen_hint){ "k", "a text that is longer than its column" };
	screen.menu = menu;
	screen.n_menu = 2;
	ck_assert_str_eq(row_of(ROWS, 48, ROWS - 3),
			 " k a text that is longer k a text that is longer");
	screen.n_menu = 30;
	row_of(10, 40, 0);
	for (int row = 0; row < 9; row++)
		ck_assert_str_eq(picture_row(row), " k a text that is longer");
}
END_TEST

/* ---- sizes ---- */

START_TEST(a_small_terminal_is_told_the_least_size)
{
	for (int rows = 0; rows < SCREEN_MIN_ROWS + 2; rows++)
		for (int cols = 0; cols < SCREEN_MIN_COLS + 40; cols++) {
			bool is_small = rows < SCREEN_MIN_ROWS || cols < SCREEN_MIN_COLS;
			struct buf all = { 0 };

			if (rows == 0 || cols == 0) {
				grid_init(&picture_grid, rows, cols);
				screen_draw(&picture_grid, &screen);
				continue;
			}
			row_of(rows, cols, 0);
			for (int row = 0; row < rows; row++)
				buf_adds(&all, picture_row(row));
			if (cols >= 20 && rows >= 3)
				ck_assert_int_eq(strstr(buf_text(&all), "terminal too small:") !=
							 NULL,
						 is_small);
			if (cols >= 20 && rows >= 3 && is_small) {
				char size[32];

				snprintf(size, sizeof size, "this is %dx%d", cols, rows);
				ck_assert_ptr_nonnull(strstr(buf_text(&all), size));
				ck_assert_ptr_nonnull(strstr(buf_text(&all), "40x10 at least,"));
			}
			buf_done(&all);
		}
}
END_TEST

/* In the middle of the screen, in one row where that has room. */
START_TEST(the_text_of_a_small_terminal_is_in_the_middle)
{
	ck_assert_str_eq(row_of(9, 51, 4), " terminal too small: 40x10 at least, this is 51x9");
	ck_assert_str_eq(row_of(9, 48, 4), "terminal too small: 40x10 at least, this is 48x9");
	ck_assert_str_eq(row_of(9, 47, 3), "              terminal too small:");
	ck_assert_str_eq(picture_row(4), "                40x10 at least,");
	ck_assert_str_eq(picture_row(5), "                 this is 47x9");
	ck_assert_str_eq(row_of(3, 30, 0), "     terminal too small:");
	ck_assert_str_eq(row_of(3, 30, 2), "         this is 30x3");
	ck_assert_str_eq(row_of(2, 30, 0), "     terminal too small:");
	ck_assert_str_eq(row_of(4, 10, 0), "terminal t");
	ck_assert_int_eq(grid_at(&picture_grid, 0, 0)->ink, ROLE_WARN);
}
END_TEST

/* From 16 rows on the selection has a line of its own, from 40 on the overview has two; from 30 on
 * requests have one more. */
START_TEST(high_screens_have_more_lines)
{
	struct screen_layout l;

	for (int rows = SCREEN_MIN_ROWS; rows < 60; rows++)
		for (int pane = SCREEN_PANE_NONE; pane <= SCREEN_PANE_ALL; pane++) {
			const struct rect *parts[] = { &l.header, &l.verdict, &l.overview,
						       &l.ruler,  &l.lanes,   &l.rule,
						       &l.pane,   &l.detail,  &l.status };
			int row = 0;

			screen_split(&l, rows, 80, (enum screen_pane)pane, 0, rows % 3);
			ck_assert_int_eq(l.header.rows, 1);
			ck_assert_int_eq(l.status.rows, 1);
			ck_assert_int_eq(l.detail.rows, rows >= 16);
			ck_assert_int_eq(l.verdict.rows, (rows >= 12) + (rows >= 40));
			ck_assert_int_eq(l.overview.rows,
					 pane == SCREEN_PANE_ALL
						 ? 0
						 : 1 + (rows >= 40) + (rows >= 30 && rows % 3));
			ck_assert_int_eq(l.ruler.rows, pane != SCREEN_PANE_ALL);
			ck_assert_int_eq(l.rule.rows, pane != SCREEN_PANE_NONE);
			if (pane == SCREEN_PANE_BELOW)
				ck_assert_int_eq(l.rule.rows + l.pane.rows, rows / 3);
			for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
				if (!parts[i]->rows)
					continue;
				ck_assert_int_eq(parts[i]->row, row);
				ck_assert_int_eq(parts[i]->col, 0);
				ck_assert_int_eq(parts[i]->cols, 80);
				row += parts[i]->rows;
			}
			ck_assert_int_eq(row, rows);
		}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "screen", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, the_rule_has_tabs_scope_and_position, 0, N(rules));
	tcase_add_test(t, tabs_have_the_room_of_a_scope);
	tcase_add_test(t, the_rule_is_heavy_while_the_pane_has_the_focus);
	tcase_add_test(t, the_tab_of_the_pane_stands_out);
	tcase_add_test(t, hints_that_fit_are_whole);
	tcase_add_test(t, a_message_is_truncated_to_the_line);
	tcase_add_test(t, a_prompt_takes_the_place_of_all_others);
	tcase_add_test(t, a_menu_has_its_entries_in_columns);
	tcase_add_test(t, a_menu_ends_at_the_edges);
	tcase_add_test(t, a_small_terminal_is_told_the_least_size);
	tcase_add_test(t, the_text_of_a_small_terminal_is_in_the_middle);
	tcase_add_test(t, high_screens_have_more_lines);
}

int main(void)
{
	return suite_run("screen", add_tests);
}
