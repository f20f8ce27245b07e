/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of panes: each is complete, and its key shows it. */
#include "config.h"

#include "random_profile.h"
#include "recursion.h"
#include "stage.h"
#include "ui/keymap.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

/* A lane of 1 s: b has 500 ms in all, and all of the last 250 ms; a has the rest. */
static struct profile *halves(void)
{
	return story_load(
		"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2,3]},"
		"{'id':2,'callFrame':{'functionName':'aaa','url':'a.js'}},"
		"{'id':3,'callFrame':{'functionName':'bbb','url':'b.js'}}],"
		"'startTime':0,'endTime':1000000,'samples':[2,3,2,3],"
		"'timeDeltas':[0,250000,250000,250000]}");
}

static void setup(void)
{
	stage_open(random_profile(4, 60, 400, 2), &(struct app_options){ 0 }, 40, 160);
}

/* The title of the tab that is marked as the one shown, with a blank on both sides. */
static void active_title(char *out, size_t size)
{
	size_t n = 0;

	draw();
	for (int row = 0; row < grid.rows; row++)
		for (int col = 0; col < grid.cols; col++) {
			const struct cell *cell = grid_at(&grid, row, col);

			if (cell->fill == ROLE_TAB_ACTIVE && n + 1 < size)
				out[n++] = (char)cell->ch;
		}
	out[n] = '\0';
}

START_TEST(rows_are_complete)
{
	const struct pane_kind *kind = panes[_i];

	ck_assert(kind->title && strlen(kind->title) > 2);
	ck_assert(kind->command > CMD_NONE && kind->command < COMMAND_COUNT);
	ck_assert(kind->update && kind->draw && kind->move);
	ck_assert(!kind->wait_ms == !kind->work);
	ck_assert_int_ge(kind->head_rows, 1);
	/* What has a row to go to has functions to tell of, and an order. */
	ck_assert(!kind->go == !kind->frame && !kind->sort == !kind->reverse);
	ck_assert(!kind->count || kind->is_filterable);
	for (int i = 0; i < _i; i++) {
		ck_assert_ptr_ne(kind, panes[i]);
		ck_assert_str_ne(kind->title, panes[i]->title);
	}
}
END_TEST

/* Titles begin with a key of the command that shows the pane. That of a running process is shown by
 * check_live, those of stalls and fleets by golden cases; that of the heat map has two keys. */
START_TEST(key_in_the_title_shows_the_pane)
{
	const struct pane_kind *kind = panes[_i];
	char shown[64], expected[64], key[2] = { kind->title[0], '\0' };
	bool is_prefix;

	if (kind == &live_list_pane || kind == &stalls_pane || kind == &heat_pane ||
	    kind == &fleet_pane)
		return;

	ck_assert_int_eq(kind->title[1], ' ');
	ck_assert_int_eq(keymap_find(NULL, KEYMAP_CHART, KEYC_NONE, key_from_name(key), &is_prefix),
			 kind->command);
	play(key);
	/* Another pane of the same key. */
	for (int i = _i;
	     i > 0 && panes[i - 1]->command == kind->command && panes[i - 1] != &stalls_pane; i--)
		play(key);
	active_title(shown, sizeof shown);
	snprintf(expected, sizeof expected, " %s ", kind->title);
	ck_assert_str_eq(shown, expected);
}
END_TEST

/* Of a file without requests that are served and processes that were measured, those have no tabs.
 */
START_TEST(brackets_go_through_all)
{
	char shown[64], expected[64];

	play("4");
	for (int i = 0; i < 2 * PANES_PROCESSES; i++) {
		if (panes[i % PANES_PROCESSES] == &live_list_pane)
			continue;
		active_title(shown, sizeof shown);
		snprintf(expected, sizeof expected, " %s ", panes[i % PANES_PROCESSES]->title);
		ck_assert_str_eq(shown, expected);
		play("]");
	}
	play("[");
	active_title(shown, sizeof shown);
	ck_assert(strstr(shown, panes[PANES_PROCESSES - 1]->title));
	play("[[");
	active_title(shown, sizeof shown);
	ck_assert(strstr(shown, panes[PANES_PROCESSES - 3]->title));
}
END_TEST

/* What a pane does not have is refused with a message, and never done to another pane. */
START_TEST(missing_abilities_are_refused)
{
	const struct pane_kind *kind = panes[_i];

	if (kind == &live_list_pane)
		return;
	panes_show(app, kind);
	play("<lt>");
	ck_assert_int_eq(shows("no columns to sort by"), !kind->sort);
	play("I");
	ck_assert_int_eq(shows("no columns to sort by"), !kind->reverse);
	play("&");
	ck_assert_int_eq(shows("can be filtered"), !kind->is_filterable);
	if (kind->is_filterable)
		play("<Esc>");
	play("gGjk<Space>lhE<Enter>");
}
END_TEST

/* ---- rows of a deep recursion ---- */

#define LEVELS 20000      /* to open all takes several times as long as a key may, */
#define MANY_LEVELS 60000 /* and forty times as long */
#define REMEMBERED 4096   /* rows that stay open when the range changes */

static void open_recursion(int n_levels)
{
	stage_close();
	profile = recursion_load(n_levels);
	app = app_new(profile, &(struct app_options){ 0 });
	app_resize(app, 40, 160);
	play("<Tab>");
}

/* Esc does nothing else then. */
START_TEST(esc_stops_the_hot_path)
{
	const struct rows *rows;
	size_t n;

	open_recursion(MANY_LEVELS);
	rows = &app->pane.tabs[PANE_BOTTOMUP].rows;
	app_key(app, 'E');
	ck_assert(app_is_opening(app) && !app_is_settled(app));
	ck_assert_int_eq(app_wait_ms(app), 0);
	ck_assert(shows("Esc stops it"));
	app_key(app, KEYC_ESC);
	ck_assert(!app_is_opening(app) && app_is_settled(app));
	ck_assert(shows("stopped; E goes on"));
	n = rows->n;
	ck_assert_uint_gt(n, 1);
	ck_assert_uint_lt(n, MANY_LEVELS);
	while (app_wait_ms(app) == 0)
		app_timeout(app);
	ck_assert_uint_eq(rows->n, n);
	ck_assert_uint_eq(app->pane.tabs[PANE_BOTTOMUP].cursor, n - 1);
}
END_TEST

/* Keys that are typed meanwhile act on the rows that are there then. */
START_TEST(keys_wait_for_the_rows_below_a_row)
{
	struct budget spent = budget_steps(1, 1);
	struct pane_tab *tab;

	open_recursion(40);
	app_update(app, BUDGET_UNLIMITED);
	tab = &app->pane.tabs[PANE_BOTTOMUP];
	ck_assert(rows_open_begin(&tab->rows, 0) && !pane_open_step(&app->pane, &spent));
	ck_assert(app_is_waiting(app) && !app_is_settled(app));
	ck_assert_int_eq(app_wait_ms(app), 0);
	app_key(app, 'j');
	app_key(app, ' ');
	ck_assert_uint_eq(tab->cursor, 0);
	ck_assert_uint_eq(tab->rows.n, 1);
	while (app_wait_ms(app) == 0)
		app_timeout(app);
	ck_assert(!app_is_waiting(app));
	ck_assert_uint_eq(tab->cursor, 1);
	ck_assert_uint_eq(tab->rows.n, 3);
}
END_TEST

START_TEST(esc_stops_a_row_that_is_opened)
{
	struct budget spent = budget_steps(1, 1);
	struct pane_tab *tab;

	open_recursion(40);
	app_update(app, BUDGET_UNLIMITED);
	tab = &app->pane.tabs[PANE_BOTTOMUP];
	ck_assert(rows_open_begin(&tab->rows, 0) && !pane_open_step(&app->pane, &spent));
	app_key(app, 'j');
	app_key(app, KEYC_ESC);
	ck_assert(!app_is_waiting(app));
	ck_assert(shows("stopped"));
	ck_assert_uint_eq(tab->rows.n, 1);
	ck_assert(!tab->rows.rows[0].is_open);
	play("<Space>j");
	ck_assert_uint_eq(tab->rows.n, 2);
	ck_assert_uint_eq(tab->cursor, 1);
}
END_TEST

START_TEST(the_hot_path_goes_on_without_keys)
{
	const struct pane_tab *tab;

	open_recursion(LEVELS);
	tab = &app->pane.tabs[PANE_BOTTOMUP];
	app->key_ns = 0;
	app_key(app, 'E');
	ck_assert(app_is_opening(app));
	while (app_is_opening(app))
		app_timeout(app);
	ck_assert_uint_eq(tab->rows.n, LEVELS);
	ck_assert_uint_eq(tab->cursor, LEVELS - 1);
	ck_assert(!shows("Esc stops it"));
}
END_TEST

START_TEST(another_key_stops_the_hot_path_and_acts)
{
	const struct pane_tab *tab;

	open_recursion(MANY_LEVELS);
	tab = &app->pane.tabs[PANE_BOTTOMUP];
	app_key(app, 'E');
	ck_assert_uint_gt(tab->cursor, 0);
	app_key(app, 'g');
	ck_assert(!app_is_opening(app));
	ck_assert_uint_eq(tab->cursor, 0);
}
END_TEST

/* Rows open again in steps; a change of the range in between loses none. */
START_TEST(open_rows_come_back_in_steps)
{
	const struct pane_tab *tab;
	struct budget step;

	open_recursion(LEVELS);
	tab = &app->pane.tabs[PANE_BOTTOMUP];
	play("E<Tab>");
	ck_assert_uint_eq(tab->rows.n, LEVELS);
	for (int i = 0; i < 4; i++) {
		app_key(app, i % 2 ? 's' : 'w');
		while (tab->rows.n == LEVELS || !tab->is_restoring) {
			step = budget_steps(1, 1000);
			ck_assert(!app_update(app, &step));
		}
		ck_assert_uint_lt(tab->rows.n, REMEMBERED);
	}
	app_update(app, BUDGET_UNLIMITED);
	ck_assert_uint_eq(tab->rows.n, REMEMBERED + 1);
}
END_TEST

/* ---- comparison with the whole time ---- */

static void open_halves(int64_t t0_ms, int64_t t1_ms)
{
	stage_close();
	stage_open(halves(),
		   &(struct app_options){ .t0 = t0_ms * NS_PER_MS, .t1 = t1_ms * NS_PER_MS }, 40,
		   120);
}

/* From 700 ms on, a has 50 of 300 ms, and half of all: 0.333; b has 250 of 300 ms: 1.667. */
START_TEST(a_part_is_compared_with_the_whole)
{
	static const char *const tables[] = { "5", "6", "7" };

	open_halves(700, 1000);
	for (size_t i = 0; i < N(tables); i++) {
		play(tables[i]);
		draw();
		play("");
		ck_assert(shows("vs all ") && shows("x1.7") && shows("x0.3"));
	}
	play("cc");
	ck_assert(!shows("vs all"));
	open_halves(0, 1000);
	for (size_t i = 0; i < N(tables); i++) {
		play(tables[i]);
		ck_assert(!shows("vs all"));
	}
}
END_TEST

/* From 300 to 700 ms, b has 200 of 400 ms, as in all, and a, too; they differ from 300 to 800. */
START_TEST(tables_are_sorted_by_change)
{
	static const char *const tables[] = { "5>>", "6>", "7>>" };

	open_halves(700, 1000);
	for (size_t i = 0; i < N(tables); i++) {
		play(tables[i]);
		ck_assert(shows("vs all\342\226\276"));
		play("0");
		/* Of the whole there is no such order. */
		ck_assert(!shows("vs all") &&
			  shows(i == 1 ? "Total\342\226\276" : "Self\342\226\276"));
		play("<lt>");
		stage_close();
		stage_open(halves(), &(struct app_options){ .t0 = 700 * NS_PER_MS, .t1 = NS_PER_S },
			   40, 120);
	}
}
END_TEST

/* The totals of the whole are computed once, or kept if the pane had them. */
START_TEST(the_whole_is_computed_once)
{
	const struct pane_change *change;

	open_halves(700, 1000);
	change = &app->pane.change;
	play("5");
	draw();
	ck_assert(pane_change_is_missing(&app->pane));
	ck_assert_int_eq(app_wait_ms(app), 0);
	app_timeout(app);
	ck_assert(change->has_all);
	play("<Tab>s");
	draw();
	ck_assert(change->has_all && app->pane.t0 < 700 * NS_PER_MS);
	open_halves(0, 1000);
	change = &app->pane.change;
	play("5");
	draw();
	ck_assert(!change->has_all);
	play("<Tab>w");
	draw();
	ck_assert(change->has_all && shows("vs all"));
}
END_TEST

/* ---- the heaviest stack through the row ---- */

#define STACK_OF "heaviest stack through "

/* What comes without keys. */
static void rest(void)
{
	for (draw(); app_wait_ms(app) >= 0; draw())
		app_timeout(app);
}

START_TEST(wide_panes_have_a_stack_beside_tables)
{
	static const struct {
		const char *keys;
		int cols;
		bool has_stack;
	} cases[] = { { "5", 140, true },  { "5", 139, false }, { "6", 140, true },
		      { "7", 200, true },  { "c", 140, true },  { "cc", 140, true },
		      { "4", 140, false }, { "8", 140, false }, { "9", 140, false } };

	for (size_t i = 0; i < N(cases); i++) {
		open_halves(0, 1000);
		app_resize(app, 40, cases[i].cols);
		play(cases[i].keys);
		rest();
		ck_assert_int_eq(shows(STACK_OF "aaa"), cases[i].has_stack);
	}
}
END_TEST

/* The stack of the row before stays until no key has come for a while. */
START_TEST(a_stack_waits_for_a_rest)
{
	open_halves(0, 1000);
	app_resize(app, 40, 160);
	play("5");
	rest();
	ck_assert(shows(STACK_OF "aaa") && app_wait_ms(app) == -1);
	app_key(app, 'j');
	ck_assert(shows(STACK_OF "aaa"));
	ck_assert_int_eq(app_wait_ms(app), ROW_STACK_MS);
	app_timeout(app);
	ck_assert(shows(STACK_OF "bbb") && app_wait_ms(app) == -1);
}
END_TEST

/* Numbers of another range are no longer those of the stack: its head says so, and its lines stay,
 * as most of them will be the same. */
START_TEST(a_stack_of_another_range_is_the_previous_one)
{
	open_halves(0, 1000);
	app_resize(app, 40, 160);
	play("5j");
	rest();
	ck_assert(shows(STACK_OF "bbb") && !shows("previous stack"));
	app_key(app, KEYC_TAB);
	app_key(app, 'w');
	draw();
	ck_assert(shows("previous stack through bbb") && !shows(STACK_OF));
	rest();
	ck_assert(shows(STACK_OF "bbb") && !shows("previous stack"));
	/* Not one of another table, or of another size. */
	app_key(app, '6');
	draw();
	ck_assert(!shows("previous stack") && !shows(STACK_OF));
	rest();
	ck_assert(shows(STACK_OF));
	app_key(app, 's');
	draw();
	ck_assert(shows("previous stack"));
	app_resize(app, 40, 180);
	draw();
	ck_assert(!shows("previous stack"));
}
END_TEST

/* Away and back, nothing is computed. */
START_TEST(a_stack_is_kept_for_its_row)
{
	const node_id *nodes;

	open_halves(0, 1000);
	app_resize(app, 40, 160);
	play("5");
	rest();
	nodes = app->row_stack.shown.nodes;
	app_key(app, 'j');
	app_key(app, 'k');
	draw();
	ck_assert_int_eq(app_wait_ms(app), ROW_STACK_MS);
	app_timeout(app);
	ck_assert(!app->row_stack.is_making && app->row_stack.shown.nodes == nodes);
	ck_assert_int_eq(app_wait_ms(app), -1);
}
END_TEST

/* No key has come that may be followed by others: the stack need not wait for them. */
START_TEST(a_stack_is_in_the_first_picture)
{
	open_halves(0, 1000);
	app_resize(app, 40, 160);
	draw();
	ck_assert(shows(STACK_OF));
	ck_assert_int_eq(row_stack_wait_ms(app), -1);
	app_key(app, KEYC_TAB);
	app_key(app, 'j');
	draw();
	ck_assert_int_eq(row_stack_wait_ms(app), ROW_STACK_MS);
}
END_TEST

/* A stack of many nodes takes several steps; the next key ends them. */
START_TEST(a_stack_is_made_in_steps)
{
	struct budget step = budget_steps(1, 1000);

	open_recursion(LEVELS);
	draw();
	ck_assert(!row_stack_work(app, &step));
	ck_assert_int_eq(row_stack_wait_ms(app), 0);
	app_key(app, 'j');
	ck_assert_int_eq(row_stack_wait_ms(app), ROW_STACK_MS);
	rest();
	ck_assert(shows(STACK_OF "a"));
	ck_assert(shows("more"));
}
END_TEST

/* ---- links of the summary ---- */

/* Of 1 s: aaa to 200 ms, idle to 500 ms, bbb to 900 ms, idle. */
static struct profile *pauses(void)
{
	return story_load(
		"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2,3,4]},"
		"{'id':2,'callFrame':{'functionName':'aaa','url':'a.js'}},"
		"{'id':3,'callFrame':{'functionName':'bbb','url':'b.js'}},"
		"{'id':4,'callFrame':{'functionName':'(idle)'}}],"
		"'startTime':0,'endTime':1000000,'samples':[2,2,4,4,4,3,3,3,3,4],"
		"'timeDeltas':[0,100000,100000,100000,100000,100000,100000,100000,100000,"
		"100000]}");
}

/* The row of the screen with this text. */
static int row_with(const char *text)
{
	struct buf line = { 0 };
	int row = 0;

	draw();
	for (; row < grid.rows; row++) {
		buf_clear(&line);
		for (int col = 0; col < grid.cols; col++)
			buf_addc(&line, (char)grid_at(&grid, row, col)->ch);
		if (strstr(line.data, text))
			break;
	}
	buf_done(&line);
	ck_assert_msg(row < grid.rows, "no row with %s", text);
	return row;
}

static void check_window(int64_t t0_ms, int64_t t1_ms)
{
	ck_assert_int_eq(app->s.view.t0, t0_ms * NS_PER_MS);
	ck_assert_int_eq(app->s.view.t1, t1_ms * NS_PER_MS);
	ck_assert_int_eq(app->focus, KEYMAP_CHART);
	/* As from a finding, Backspace goes back. */
	play("<BS>");
	ck_assert_int_eq(app->s.view.t1, NS_PER_S);
}

static void open_summary(int cols)
{
	stage_close();
	stage_open(pauses(), &(struct app_options){ 0 }, 60, cols);
	play("4z");
	rest();
}

/* A stretch is shown with a tenth of its length on both sides. */
START_TEST(stretches_are_links)
{
	static const int widths[] = { 80, 120, 160 };

	for (size_t i = 0; i < N(widths); i++) {
		open_summary(widths[i]);
		app_mouse(app,
			  &(struct app_mouse){ row_with("400 ms  at 500 ms (bbb 100 %)"), 8,
					       APP_MOUSE_CLICK, false });
		ck_assert(app->s.chart.has_selection &&
			  app->s.chart.selected.t0 == 500 * NS_PER_MS);
		check_window(460, 940);
		open_summary(widths[i]);
		app_mouse(app,
			  &(struct app_mouse){ row_with("300 ms  at 200 ms (idle)"), 8,
					       APP_MOUSE_CLICK, false });
		check_window(170, 530);
	}
}
END_TEST

/* All links can be reached with keys; Enter goes there. */
START_TEST(links_are_reached_by_keys)
{
	int n;

	open_summary(120);
	n = app->summary.lines.n_links;
	ck_assert_uint_eq(app->summary.n_links, (size_t)n);
	for (int i = 0; i < n; i++) {
		ck_assert_int_eq(app->summary.lines.link, i);
		app_key(app, 'j');
	}
	play("g");
	while (app->summary.links[app->summary.lines.link].function == FRAME_NONE ||
	       app->summary.links[app->summary.lines.link].lane ||
	       app->summary.links[app->summary.lines.link].finding >= 0)
		app_key(app, 'j');
	/* The first of the hottest functions. */
	app_key(app, KEYC_ENTER);
	ck_assert(app->s.chart.has_selection && app->s.chart.selected.t0 == 500 * NS_PER_MS);
}
END_TEST

/* Enter on a line whose findings were computed anew goes to the place that the line names, not to
 * the finding that has its number now. */
START_TEST(links_lead_where_the_screen_says)
{
	int64_t t0, t1;

	open_summary(120);
	ck_assert_int_eq(app->summary.links[0].finding, 0);
	t0 = app->summary.links[0].t0;
	t1 = app->summary.links[0].t1;
	ck_assert(t1 - t0 < NS_PER_S / 2);
	/* A key pans, and the findings are complete before the next picture of the pane. */
	viewport_set(&app->s.view, 0, 300 * NS_PER_MS);
	ck_assert(findings_walk_update(app, BUDGET_UNLIMITED));
	ck_assert_uint_ne(app->summary.n_findings, app->walk.n_changes);
	app->summary.lines.link = 0;
	summary_page_pane.show(app);
	ck_assert_int_le(app->s.view.t0, t0);
	ck_assert_int_ge(app->s.view.t1, t1);
	ck_assert_int_le(app->s.view.t1 - app->s.view.t0, (t1 - t0) * 13 / 10);
}
END_TEST

/* Also where the screen is too low for the line of the verdict. */
START_TEST(findings_of_the_summary_are_computed_on_any_screen)
{
	for (int rows = 40; rows >= SCREEN_MIN_ROWS; rows--) {
		open_summary(80);
		app_resize(app, rows, 80);
		play("w");
		rest();
		draw();
		ck_assert(app->walk.lane != NULL);
		ck_assert_msg(app->walk.t1 == app->s.view.t1, "%d rows", rows);
		ck_assert_msg(!shows("being computed"), "%d rows", rows);
	}
}
END_TEST

/* ---- shares ---- */

/* Of 1 s, 600 ms are busy; the window is the second half, of which 400 ms are busy. */
START_TEST(shares_are_of_what_the_key_says)
{
	static const struct {
		const char *keys;
		int64_t whole_ms;
		const char *says;
	} steps[] = {
		{ "", 400, "% of 400 ms busy, idle not counted" },
		{ "o%", 500, "% of 500 ms sampled, idle counted" },
		{ "o%", 1000, "% of 1.00 s in the whole, idle counted" },
		{ "oi", 600, "% of 600 ms in the whole, idle not counted" },
		{ "o%", 400, "% of 400 ms busy, idle not counted" },
	};

	stage_close();
	stage_open(pauses(), &(struct app_options){ 0 }, 40, 170);
	play("5");
	viewport_set(&app->s.view, NS_PER_S / 2, NS_PER_S);
	for (size_t i = 0; i < N(steps); i++) {
		play(steps[i].keys);
		draw();
		ck_assert_msg(shows(steps[i].says), "step %zu", i);
		ck_assert_int_eq(pane_whole(&app->pane), steps[i].whole_ms * NS_PER_MS);
	}
	/* While calls are merged, the whole is still that of the time line. */
	play("2");
	rest();
	play("o%o%");
	draw();
	ck_assert_int_eq(pane_whole(&app->pane), NS_PER_S);
}
END_TEST

/* Space pages where the row has none below it, as it does on a page of text. */
START_TEST(space_pages_at_a_row_that_cannot_open)
{
	const struct pane_tab *tab;

	stage_close();
	stage_open(halves(), &(struct app_options){ 0 }, 40, 120);
	play("5");
	rest();
	draw();
	tab = &app->pane.tabs[app->pane.tab];
	ck_assert_int_eq(app->focus, KEYMAP_PANE);
	ck_assert_uint_eq(tab->rows.n, 2);
	play("g");
	ck_assert(!tab->rows.rows[0].can_open && !tab->rows.rows[0].is_open);
	play("<Space>");
	ck_assert_uint_eq(tab->cursor, 1);
}
END_TEST

/* Whether a click there leads anywhere. */
static bool is_link(int row, int col)
{
	struct rect area = { 0, 0, 40, 120 };

	open_summary(120);
	app->summary.lines.link = -1;
	summary_page_pane.click(app, &area, row, col);
	return app->summary.lines.link >= 0;
}

/* In two columns, only the left one has links; both scroll. */
START_TEST(a_wide_summary_has_two_columns)
{
	open_summary(119);
	ck_assert_int_ne(row_with("Hottest functions"), row_with("Self time by category"));
	ck_assert(is_link(1, 0) && is_link(1, 71) && !is_link(1, 72) && !is_link(0, 0));
	open_summary(120);
	ck_assert_uint_eq(app->summary.lines.n, app->summary.right.n);
	app_mouse(app,
		  &(struct app_mouse){ row_with("400 ms  at 500 ms (bbb 100 %)"), 90,
				       APP_MOUSE_CLICK, false });
	ck_assert_int_eq(app->focus, KEYMAP_PANE);
	app_resize(app, 14, 120);
	play("g");
	ck_assert(shows("Self time by category"));
	play("G");
	ck_assert(!shows("Self time by category"));
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "panes", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, stage_close);
	tcase_add_loop_test(t, rows_are_complete, 0, PANES_COUNT);
	tcase_add_loop_test(t, key_in_the_title_shows_the_pane, 0, PANES_COUNT);
	tcase_add_test(t, brackets_go_through_all);
	tcase_add_loop_test(t, missing_abilities_are_refused, 0, PANES_COUNT);
	tcase_add_test(t, esc_stops_the_hot_path);
	tcase_add_test(t, keys_wait_for_the_rows_below_a_row);
	tcase_add_test(t, esc_stops_a_row_that_is_opened);
	tcase_add_test(t, the_hot_path_goes_on_without_keys);
	tcase_add_test(t, another_key_stops_the_hot_path_and_acts);
	tcase_add_test(t, open_rows_come_back_in_steps);
	tcase_add_test(t, a_part_is_compared_with_the_whole);
	tcase_add_test(t, tables_are_sorted_by_change);
	tcase_add_test(t, the_whole_is_computed_once);
	tcase_add_test(t, wide_panes_have_a_stack_beside_tables);
	tcase_add_test(t, a_stack_waits_for_a_rest);
	tcase_add_test(t, a_stack_of_another_range_is_the_previous_one);
	tcase_add_test(t, a_stack_is_kept_for_its_row);
	tcase_add_test(t, a_stack_is_in_the_first_picture);
	tcase_add_test(t, a_stack_is_made_in_steps);
	tcase_add_test(t, stretches_are_links);
	tcase_add_test(t, shares_are_of_what_the_key_says);
	tcase_add_test(t, space_pages_at_a_row_that_cannot_open);
	tcase_add_test(t, links_are_reached_by_keys);
	tcase_add_test(t, links_lead_where_the_screen_says);
	tcase_add_test(t, findings_of_the_summary_are_computed_on_any_screen);
	tcase_add_test(t, a_wide_summary_has_two_columns);
}

int main(void)
{
	return suite_run("panes", add_tests);
}
