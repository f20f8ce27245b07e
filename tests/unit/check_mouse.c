/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Clicks and drags on each part of the screen. */
#include "config.h"

#include "stage.h"
#include "story.h"

#include "ui/mouse.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

#define MS INT64_C(1000000)
#define ROWS 30
#define COLS 100

/* 1,000 ms in 100 columns: main() calls a(), then b(). */
static void setup(void)
{
	stage_open(story_load("{'nodes':[{'id':1,'callFrame':{'functionName':'(root)','scriptId':"
			      "'0','url':''},'children':[2]},"
			      "{'id':2,'callFrame':{'functionName':'main','scriptId':'1','url':"
			      "'file:///srv/app.js','lineNumber':1,'columnNumber':1},"
			      "'children':[3,4]},"
			      "{'id':3,'callFrame':{'functionName':'a','scriptId':'1','url':"
			      "'file:///srv/app.js','lineNumber':9,'columnNumber':1}},"
			      "{'id':4,'callFrame':{'functionName':'b','scriptId':'1','url':"
			      "'file:///srv/app.js','lineNumber':19,'columnNumber':1}}],"
			      "'startTime':0,'endTime':1000000,'samples':[3,4],"
			      "'timeDeltas':[0,500000]}"),
		   &(struct app_options){ 0 }, ROWS, COLS);
	play("5<Tab>");
	draw();
}

static void teardown(void)
{
	stage_close();
}

static struct screen_layout areas(void)
{
	struct screen_layout layout;

	state_layout(app, &layout);
	return layout;
}

static void press(int row, int col)
{
	app_mouse(app, &(struct app_mouse){ .row = row, .col = col, .what = APP_MOUSE_CLICK });
	draw();
}

static void drag_to(int row, int col)
{
	app_mouse(app, &(struct app_mouse){ .row = row, .col = col, .what = APP_MOUSE_DRAG });
	draw();
}

static void expect_window(int64_t t0, int64_t t1)
{
	ck_assert_int_eq(app->s.view.t0, t0 * MS);
	ck_assert_int_eq(app->s.view.t1, t1 * MS);
}

START_TEST(drag_on_the_overview_selects_a_window)
{
	int row = areas().overview.row;

	press(row, 20);
	expect_window(0, 1000);
	drag_to(row, 39);
	expect_window(200, 400);
	/* The other way, and off the row. */
	drag_to(row + 9, 10);
	expect_window(100, 210);
	drag_to(row, 500);
	expect_window(200, 1000);
	play("<Backspace>");
	expect_window(0, 1000);
}
END_TEST

START_TEST(drag_inside_moves_the_window)
{
	int row = areas().overview.row;

	viewport_set(&app->s.view, 200 * MS, 400 * MS);
	press(row, 30);
	expect_window(200, 400);
	drag_to(row, 40);
	expect_window(300, 500);
	drag_to(row, 0);
	expect_window(0, 200);
	drag_to(row, 99);
	expect_window(800, 1000);
	drag_to(row, 30);
	expect_window(200, 400);
	drag_to(row, 31);
	play("<Backspace>");
	expect_window(200, 400);
}
END_TEST

START_TEST(brackets_are_the_edges)
{
	int row = areas().overview.row;

	viewport_set(&app->s.view, 200 * MS, 400 * MS);
	press(row, 19);
	drag_to(row, 10);
	expect_window(100, 400);
	drag_to(row, 49);
	expect_window(400, 500);
	viewport_set(&app->s.view, 200 * MS, 400 * MS);
	press(row, 40);
	drag_to(row, 59);
	expect_window(200, 600);
}
END_TEST

START_TEST(press_outside_centres_the_window)
{
	int row = areas().overview.row;

	viewport_set(&app->s.view, 200 * MS, 400 * MS);
	press(row, 70);
	expect_window(600, 800);
	drag_to(row, 79);
	expect_window(700, 800);
	play("<Backspace>");
	expect_window(200, 400);
}
END_TEST

/* All panes follow the range, and Esc drops it. */
START_TEST(drag_on_the_ruler_selects_a_range)
{
	int row = areas().ruler.row;

	press(row, 25);
	ck_assert(!app->range.is_pinned);
	drag_to(row, 74);
	ck_assert(app->range.is_pinned);
	ck_assert_int_eq(app->range.t0, 250 * MS);
	ck_assert_int_eq(app->range.t1, 750 * MS);
	ck_assert(shows("250 ms   50.0"));
	ck_assert(shows(" 500 ms "));
	drag_to(row + 3, 10);
	ck_assert_int_eq(app->range.t0, 100 * MS);
	ck_assert_int_eq(app->range.t1, 260 * MS);
	expect_window(0, 1000);
	play("<Esc>");
	ck_assert(!app->range.is_pinned);
}
END_TEST

START_TEST(tabs_show_their_panes)
{
	struct rect rule = areas().rule;
	int n_shown = 0;

	for (int col = 0; col < 40; col++) {
		const struct pane_kind *before = app->shown;

		press(rule.row, col);
		n_shown += app->shown != before;
		ck_assert_int_eq(grid_at(&grid, rule.row, col)->fill == ROLE_TAB_ACTIVE ||
					 app->shown == before,
				 1);
	}
	/* Those that have room there by their names. */
	ck_assert_int_ge(n_shown, 4);
}
END_TEST

START_TEST(the_rule_divides_lanes_and_pane)
{
	struct rect rule = areas().rule;
	int bottom = rule.row + 1 + areas().pane.rows;

	press(rule.row, COLS - 3);
	drag_to(rule.row - 5, 50);
	ck_assert_int_eq(areas().rule.row, rule.row - 5);
	ck_assert_int_eq(areas().pane.row + areas().pane.rows, bottom);
	drag_to(0, 50);
	ck_assert_int_eq(areas().lanes.rows, SCREEN_MIN_PART);
	drag_to(ROWS - 1, 50);
	ck_assert_int_eq(areas().pane.rows + 1, SCREEN_MIN_PART);
}
END_TEST

/* The column of the screen at which a head begins; -1: it is not shown. */
static int head_col(const char *title)
{
	int row = areas().pane.row;
	char text[COLS + 1];
	const char *at;

	for (int col = 0; col < COLS; col++)
		text[col] = (char)grid_at(&grid, row, col)->ch;
	text[COLS] = '\0';
	at = strstr(text, title);
	return at ? (int)(at - text) : -1;
}

/* Each row: keys that show the pane, a head, and what is sorted by then. */
static const struct {
	const char *keys, *head;
	int sort;
} heads[] = {
	{ "5", "Total", ROWS_BY_TOTAL },    { "5", "%total", ROWS_BY_TOTAL },
	{ "5", "Function", ROWS_BY_NAME },  { "6", "Self", ROWS_BY_SELF },
	{ "6", "%self", ROWS_BY_SELF },     { "7", "Total", FUNCTION_TOTAL },
	{ "7", "%total", FUNCTION_TOTAL },  { "7", "Longest", FUNCTION_LONGEST },
	{ "7", "Function", FUNCTION_NAME },
};

START_TEST(a_click_on_a_head_sorts_and_then_reverses)
{
	bool is_list = heads[_i].keys[0] == '7', was_reversed;
	int col;

	play(heads[_i].keys);
	draw();
	col = head_col(heads[_i].head);
	ck_assert_int_ge(col, 0);
	press(areas().pane.row, col);
	if (is_list)
		ck_assert_int_eq(app->function_list.sort, heads[_i].sort);
	else
		ck_assert_int_eq(app->pane.tabs[app->pane.tab].sort, heads[_i].sort);
	was_reversed = is_list ? app->function_list.is_reversed
			       : app->pane.tabs[app->pane.tab].is_reversed;
	press(areas().pane.row, head_col(heads[_i].head));
	ck_assert_int_ne(was_reversed,
			 is_list ? app->function_list.is_reversed
				 : app->pane.tabs[app->pane.tab].is_reversed);
}
END_TEST

#define EVENT(ph, cat, name, id, ts, args)                                                         \
	"{'ph':'" ph "','cat':'" cat "','name':'" name "','id':'" id "','pid':1,'tid':1,'ts':" #ts \
	",'args':{" args "}}"
#define PAIR(cat, name, id, t0, t1, args)                                                          \
	EVENT("b", cat, name, id, t0, args) "," EVENT("e", cat, name, id, t1, "")

/* Columns of text, too, are sorted by what they show. */
START_TEST(a_click_on_a_head_of_waits)
{
	static const char *const names[] = { "GET b/", "a", "GET c/" };
	int row;

	stage_close();
	stage_open(story_load("[" PAIR("http.server", "GET /", "r1", 0, 900, "") "," PAIR(
			   "http.client", "GET b/", "c1", 0, 500,
			   "'request':'r1'") "," PAIR("dns", "a", "d1", 0, 100,
						      "'request':'r1'") "," PAIR("http.client",
										 "GET c/", "c2", 0,
										 200, "") "]"),
		   &(struct app_options){ 0 }, ROWS, COLS);
	play("WWW");
	draw();
	press(areas().pane.row, head_col("Kind"));
	ck_assert(shows("sorted by Kind"));
	for (int i = 0; i < 3; i++) {
		static const int order[] = { 0, 2, 1 };
		char text[COLS + 1];

		row = areas().pane.row + 1 + i;
		for (int col = 0; col < COLS; col++)
			text[col] = (char)grid_at(&grid, row, col)->ch;
		text[COLS] = '\0';
		ck_assert_msg(strstr(text, names[order[i]]), "%s", text);
	}
}
END_TEST

START_TEST(a_click_on_the_verdict_goes_to_the_next_finding)
{
	press(areas().verdict.row, 10);
	ck_assert(shows(" 1 of "));
}
END_TEST

/* A drag that began elsewhere, such as in a lane, moves nothing. */
/* It may change the window, or what its columns stand for. */
/* A column of the heat map is 20 ms, and a cell 500 us; two of them have a character. */
START_TEST(a_click_on_a_cell_of_the_heat_map)
{
	struct rect pane;

	play("o2");
	draw();
	pane = areas().pane;
	press(pane.row + HEAT_MAP_HEAD + 3, pane.col + HEAT_MAP_LEFT + 10);
	ck_assert_int_eq(app->heat.grid.period, 20 * MS);
	ck_assert_int_eq(app->heat.t, 200 * MS + 6 * 20 * MS / app->heat.grid.rows);
	/* Neither left of the cells nor below them is a cell. */
	press(pane.row + HEAT_MAP_HEAD + 3, pane.col + 2);
	press(pane.row + pane.rows - 1, pane.col + HEAT_MAP_LEFT + 20);
	ck_assert_int_eq(app->heat.t, 200 * MS + 6 * 20 * MS / app->heat.grid.rows);
	/* The wheel goes from cell to cell. */
	app_mouse(app,
		  &(struct app_mouse){ .row = pane.row + 4,
				       .col = 30,
				       .what = APP_MOUSE_WHEEL_DOWN });
	ck_assert_int_eq(app->heat.t, 200 * MS + 9 * 20 * MS / app->heat.grid.rows);
}
END_TEST

START_TEST(a_key_ends_a_drag)
{
	int row = areas().overview.row;

	press(row, 20);
	drag_to(row, 39);
	expect_window(200, 400);
	/* Merged, the columns are the time of the window. */
	play("2");
	expect_window(0, 200);
	drag_to(row, 60);
	expect_window(0, 200);
}
END_TEST

START_TEST(other_drags_do_nothing)
{
	press(areas().lanes.row + 2, 20);
	drag_to(areas().overview.row, 60);
	drag_to(areas().ruler.row, 60);
	expect_window(0, 1000);
	ck_assert(!app->range.is_pinned);
	press(areas().status.row, 20);
	drag_to(areas().overview.row, 60);
	expect_window(0, 1000);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "mouse", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, drag_on_the_overview_selects_a_window);
	tcase_add_test(t, drag_inside_moves_the_window);
	tcase_add_test(t, brackets_are_the_edges);
	tcase_add_test(t, press_outside_centres_the_window);
	tcase_add_test(t, drag_on_the_ruler_selects_a_range);
	tcase_add_test(t, tabs_show_their_panes);
	tcase_add_test(t, the_rule_divides_lanes_and_pane);
	tcase_add_loop_test(t, a_click_on_a_head_sorts_and_then_reverses, 0, N(heads));
	tcase_add_test(t, a_click_on_a_head_of_waits);
	tcase_add_test(t, a_click_on_the_verdict_goes_to_the_next_finding);
	tcase_add_test(t, a_click_on_a_cell_of_the_heat_map);
	tcase_add_test(t, a_key_ends_a_drag);
	tcase_add_test(t, other_drags_do_nothing);
}

int main(void)
{
	return suite_run("mouse", add_tests);
}
