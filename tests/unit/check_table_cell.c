/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bars, and names with their locations. */
#include "config.h"

#include "draw/table/table.h"
#include "picture.h"
#include "suite.h"

#include "base/alloc.h"

#define ROOM 60

static struct profile profile;
static struct frame frame;
static struct table_bar bar;
static int width;

static void draw_name(struct grid *g, struct rect r)
{
	const struct table_name name = { .profile = &profile,
					 .frame = &frame,
					 .ink = ROLE_PLAIN,
					 .place_ink = ROLE_DIM };

	table_cell_name(g, r.row, r.col, width < r.cols ? width : r.cols, &name);
}

static void draw_bar(struct grid *g, struct rect r)
{
	table_cell_bar(g, r.row, r.col, r.cols, &bar);
}

/* Cells of the name, and of the location: lengths without and with what the room leaves. The
 * location of a whole length ends in `:1:7`. */
static const struct {
	int room, name, place, name_cells, place_cells;
} rooms[] = {
	{ 60, 3, 12, 3, 12 },   { 60, 3, 55, 3, 55 },
	{ 60, 3, 57, 3, 55 },                           /* without its column */
	{ 60, 3, 62, 3, 55 },                           /* without its beginning, too */
	{ 60, 39, 30, 39, 19 }, { 60, 45, 30, 40, 18 }, /* 3 in 10 of 60 cells */
	{ 60, 45, 12, 45, 12 }, { 60, 50, 12, 48, 10 },
	{ 60, 70, 8, 52, 6 },   { 30, 16, 30, 16, 12 }, /* too little room to cut a name */
	{ 30, 19, 30, 19, 0 },  { 30, 19, 11, 19, 9 },
	{ 30, 40, 11, 30, 0 },  { 12, 3, 11, 3, 0 }, /* 7 cells of a location say nothing */
	{ 1, 3, 11, 1, 0 },
};

START_TEST(names_and_locations_share_the_room)
{
	static char text[128];
	int name = 0, place = 0;

	intern_init(&profile.strings);
	memset(text, 'n', sizeof text);
	frame = (struct frame){ .category = CATEGORY_APP, .line = 1, .column = 7 };
	frame.name = intern_add(&profile.strings, text, (size_t)rooms[_i].name);
	memset(text, 'u', sizeof text);
	frame.url = intern_add(&profile.strings, text, (size_t)rooms[_i].place - 4);
	width = rooms[_i].room;
	picture(draw_name, 1, ROOM);
	for (int col = 0; col < ROOM; col++) {
		const struct cell *cell = grid_at(&picture_grid, 0, col);

		if (cell->ch == ' ')
			continue;
		name += cell->ink == ROLE_PLAIN;
		place += cell->ink == ROLE_DIM;
		/* Two blanks between them. */
		ck_assert_int_eq(cell->ink == ROLE_DIM, col >= rooms[_i].name_cells + 2);
	}
	ck_assert_int_eq(name, rooms[_i].name_cells);
	ck_assert_int_eq(place, rooms[_i].place_cells);
	intern_done(&profile.strings);
}
END_TEST

/* Of 20 cells for 160 ns, from the right: what is full, and what is thin. */
static const struct {
	int64_t self, total;
	const char *utf8, *ascii;
} bars[] = {
	{ 0, 0, "", "" },
	{ 1, 1, "▕", "" },
	{ 4, 4, "▇", "#" },
	{ 11, 11, "▇", "#" },
	{ 12, 12, "▇▇", "##" },
	{ 12, 24, "▂▇▇", ".##" },
	{ 0, 24, "▂▂▂", "..." },
	{ 3, 32, "▂▂▂▕", "...." },
	{ 8, 32, "▂▂▂▇", "...#" },
	{ 32, 8, "▇▇▇▇", "####" }, /* recursion */
	{ 160, 160, "▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇", "####################" },
	{ 500, 900, "▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇", "####################" },
};

/* What is drawn of a row, which ends in the last column if there is anything. */
static const char *drawn(void)
{
	const char *row = picture_row(0);

	return row + strspn(row, " ");
}

/* The base is beside the name. */
START_TEST(bars_grow_to_the_left)
{
	bar = (struct table_bar){ .self = bars[_i].self,
				  .total = bars[_i].total,
				  .full = 160,
				  .role = ROLE_FRAME };
	picture(draw_bar, 1, 20);
	ck_assert_str_eq(drawn(), bars[_i].utf8);
	ck_assert(!*bars[_i].utf8 || grid_at(&picture_grid, 0, 19)->ink == ROLE_FRAME);
	for (int col = 0; col < 20; col++) {
		const struct cell *cell = grid_at(&picture_grid, 0, col);

		ck_assert_uint_eq(cell->flags, cell->ch == 0x2582 ? CELL_THIN : 0);
	}
	bar.is_ascii = true;
	picture(draw_bar, 1, 20);
	ck_assert_str_eq(drawn(), bars[_i].ascii);
	bar.full = 0;
	picture(draw_bar, 1, 20);
	ck_assert_str_eq(drawn(), "");
}
END_TEST

START_TEST(a_bar_has_20_cells_or_fewer_in_narrow_tables)
{
	int before = 0;

	for (int cols = 0; cols < 300; cols++) {
		int cells = table_cell_bar_width(cols);

		ck_assert_int_ge(cells, before);
		ck_assert_int_le(cells, 20);
		ck_assert_int_eq(cells == 20, cols >= 95);
		before = cells;
	}
	ck_assert_int_eq(table_cell_bar_width(80), 8);
}
END_TEST

START_TEST(a_full_bar_is_the_whole_or_a_part_of_it)
{
	static const struct {
		int64_t most, full;
	} cases[] = { { 1600, 1600 }, { 801, 1600 }, { 800, 800 }, { 401, 800 },
		      { 400, 400 },   { 200, 200 },  { 100, 200 }, { 0, 200 } };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		ck_assert_int_eq(table_cell_bar_full(cases[i].most, 1600), cases[i].full);
	ck_assert_int_eq(table_cell_bar_full(5, 0), 0);
	ck_assert_int_eq(table_cell_bar_full(0, -5), 0);
}
END_TEST

static void draw_bar_at_cursor(struct grid *g, struct rect r)
{
	grid_fill(g, r.row, r.col, r.cols, ROLE_ROW);
	draw_bar(g, r);
}

/* Its cells are the same in the row with the cursor, whose fill has nearly the colour of Node.js.
 */
START_TEST(a_bar_keeps_the_page_at_the_cursor)
{
	bar = (struct table_bar){ .self = 8, .total = 16, .full = 160, .role = ROLE_NODE };
	picture(draw_bar_at_cursor, 1, 20);
	for (int col = 0; col < 20; col++)
		ck_assert_int_eq(grid_at(&picture_grid, 0, col)->fill,
				 col < 18 ? ROLE_ROW : ROLE_PLAIN);
}
END_TEST

/* The colour of idle time and of (program) may be that of the page. */
START_TEST(a_bar_is_visible)
{
	static const enum role roles[] = { ROLE_IDLE, ROLE_PROGRAM, ROLE_HEAT_0 };

	for (size_t i = 0; i < ARRAY_LEN(roles); i++) {
		bar = (struct table_bar){ .self = 8, .total = 8, .full = 160, .role = roles[i] };
		picture(draw_bar, 1, 20);
		ck_assert_int_eq(grid_at(&picture_grid, 0, 19)->ink, ROLE_DIM);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "table_cell", SUITE_SECONDS);

	tcase_add_unchecked_fixture(t, NULL, picture_done);
	tcase_add_loop_test(t, names_and_locations_share_the_room, 0, N(rooms));
	tcase_add_loop_test(t, bars_grow_to_the_left, 0, N(bars));
	tcase_add_test(t, a_bar_has_20_cells_or_fewer_in_narrow_tables);
	tcase_add_test(t, a_full_bar_is_the_whole_or_a_part_of_it);
	tcase_add_test(t, a_bar_is_visible);
	tcase_add_test(t, a_bar_keeps_the_page_at_the_cursor);
}

int main(void)
{
	return suite_run("table_cell", add_tests);
}
