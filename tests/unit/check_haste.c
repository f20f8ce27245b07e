/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures that are not finished leave no trace: where cursors and pages are at the end does not
 * depend on how many pictures were drawn until everything was computed. check_app has the same with
 * random keys. */
#include "config.h"

#include "random_profile.h"
#include "stage.h"
#include "story.h"

#include "ui/key.h"
#include "ui/state.h"

#define MS INT64_C(1000000)
#define MAX_PICTURES 60
#define N_MANY 140000 /* samples: more than are counted at once */

static void setup(void)
{
	random_seed(5);
	stage_open(random_profile(4, 60, 800, 2), &(struct app_options){ 0 }, 40, 120);
}

static void draw_within(struct app *drawn, struct budget *budget)
{
	app_update(drawn, budget);
	app_draw(drawn, &grid);
}

/* Compute everything. patient: with few pictures; else one for each unit of work at first. */
static void rest(struct app *drawn, bool is_patient)
{
	for (int i = 0; !is_patient && i < MAX_PICTURES; i++) {
		struct budget budget = budget_steps(1, 1);

		draw_within(drawn, &budget);
		if (!drawn->is_unfinished)
			break;
	}
	for (draw_within(drawn, BUDGET_UNLIMITED); app_wait_ms(drawn) >= 0;
	     draw_within(drawn, BUDGET_UNLIMITED))
		app_timeout(drawn);
}

/* Open the profile with these 1000 functions that were sampled, `a` to `c`, each for 1 ms. */
static void open_letters(const char *letters, size_t n)
{
	struct buf text = { 0 };

	buf_adds(&text,
		 "{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},"
		 "'children':[2,3,4]}");
	for (char c = 'a'; c <= 'c'; c++)
		buf_addf(&text, ",{'id':%d,'callFrame':{'functionName':'%c%c%c','url':'%c.js'}}",
			 c - 'a' + 2, c, c, c, c);
	buf_addf(&text, "],'startTime':0,'endTime':%zu000,'samples':[", n);
	for (size_t i = 0; i < n; i++)
		buf_addf(&text, "%s%d", i ? "," : "", letters[i] - 'a' + 2);
	buf_adds(&text, "],'timeDeltas':[0");
	for (size_t i = 1; i < n; i++)
		buf_adds(&text, ",1000");
	buf_adds(&text, "]}");
	stage_close();
	stage_open(story_load(buf_text(&text)), &(struct app_options){ 0 }, 24, 120);
	buf_done(&text);
	rest(app, true);
}

/* Play keys into two apps, and complete the picture after each. */
static void play_both(const char *keys)
{
	struct app *patient = app_new(profile, &(struct app_options){ 0 });
	struct buf is = { 0 }, expected = { 0 };
	key_code key;

	app_resize(patient, 40, 120);
	for (size_t at = 0, n; keys[at]; at += n) {
		n = key_parse(keys + at, &key);
		ck_assert_uint_gt(n, 0);
		app_key(patient, key);
		rest(patient, true);
		buf_clear(&expected);
		grid_format(&grid, true, &expected);
		app_key(app, key);
		rest(app, false);
		buf_clear(&is);
		grid_format(&grid, true, &is);
		check_same_picture(buf_text(&is), buf_text(&expected), keys, (int)at);
	}
	app_free(patient);
	buf_done(&is);
	buf_done(&expected);
}

static const char *const keys[] = {
	"4Gw=",       "4Gw<PgUp>-", "wz4<PgDn>-", "4Gkkww-",     "4jjjjjwd", "H24G3",
	"4G<lt>w",    "78V5",       "6v7],V5",    "7Gkkkw5Gkkw", "5EGkkkw-", "6EGkwww0",
	"7>>>Gkkww0", "7<lt>Gw6Gw", "cGkw5w",     "6Gx4Gxx",
};

START_TEST(unfinished_pictures_leave_no_trace)
{
	play_both(keys[_i]);
}
END_TEST

/* While the findings are computed, the page has fewer links than before. */
START_TEST(cursor_of_the_summary_is_on_its_link)
{
	const struct summary_page *page = &app->summary;
	struct summary_link link;
	struct budget budget = budget_steps(1, 1);

	play("4");
	rest(app, true);
	play("G");
	rest(app, true);
	while (page->links[page->lines.link].section != SUMMARY_HOTTEST)
		app_key(app, 'k');
	link = page->links[page->lines.link];
	ck_assert_uint_ne(page->links[0].function, link.function);
	app->s.view.t1 -= 1;
	draw_within(app, &budget);
	rest(app, false);
	ck_assert_int_eq(page->links[page->lines.link].section, SUMMARY_HOTTEST);
	ck_assert_uint_eq(page->links[page->lines.link].function, link.function);
}
END_TEST

/* Parts that are added later do not move the page. */
START_TEST(summary_stays_at_its_section)
{
	const struct summary_page *page = &app->summary;
	size_t line;

	app_resize(app, 24, 80);
	play("4");
	rest(app, true);
	play("G<PgUp><PgUp>");
	line = page->lines.top - page->heads[page->spot.top];
	ck_assert_int_eq(page->spot.top, SUMMARY_REST);
	app->s.view.t1 -= 1;
	rest(app, false);
	ck_assert_uint_eq(page->lines.top - page->heads[SUMMARY_REST], line);
}
END_TEST

/* Of the whole, aaa comes first; of the second half, bbb. */
START_TEST(rows_of_the_range_before_do_not_move_the_cursor)
{
	const struct pane_tab *tab;
	char letters[1000];

	memset(letters, 'a', sizeof letters);
	memset(letters + 500, 'b', 300);
	open_letters(letters, sizeof letters);
	app_key(app, '7');
	rest(app, true);
	app_key(app, '8');
	rest(app, true);
	viewport_set(&app->s.view, 500 * MS, 1000 * MS);
	app_key(app, '5');
	rest(app, false);
	tab = &app->pane.tabs[app->pane.tab];
	ck_assert_uint_eq(tab->cursor, 0);
	ck_assert_str_eq(
		profile_text(profile, profile_frame(profile, tab->rows.rows[0].frame)->name),
		"bbb");
}
END_TEST

static size_t cursor_of(bool is_list)
{
	return is_list ? app->function_list.cursor : app->pane.tabs[app->pane.tab].cursor;
}

/* Of the whole, aaa comes first and bbb second; of a part, bbb comes first, although aaa is there.
 * A cursor that was never moved stays at the top, one that was moved stays on its function. */
START_TEST(cursor_that_was_not_moved_stays_at_the_top)
{
	const bool is_moved = _i % 2, is_list = _i / 2 % 2, is_patient = _i / 4;
	char letters[1000];

	memset(letters, 'a', sizeof letters);
	memset(letters + 300, 'c', 100);
	memset(letters + 500, 'b', 300);
	open_letters(letters, sizeof letters);
	app_key(app, is_list ? '7' : '5');
	rest(app, true);
	if (is_moved)
		play("j");
	rest(app, true);
	ck_assert_uint_eq(cursor_of(is_list), is_moved);
	for (int i = 0; i < 2; i++) {
		viewport_set(&app->s.view, 450 * MS, 900 * MS);
		rest(app, is_patient);
		ck_assert_uint_eq(cursor_of(is_list), 0);
		viewport_set(&app->s.view, 0, 1000 * MS);
		rest(app, is_patient);
		ck_assert_uint_eq(cursor_of(is_list), is_moved);
	}
}
END_TEST

/* At first aaa has the most spans of those that are counted, at the end bbb. */
START_TEST(cursor_is_at_the_top_when_all_spans_are_counted)
{
	static char letters[N_MANY];
	struct function_list *list = &app->function_list;

	for (int i = 0; i < N_MANY; i++)
		letters[i] = i < N_MANY / 2 ? "ac"[i % 2] : "bc"[i % 2];
	memset(letters + N_MANY / 2 - 100, 'c', 100);
	open_letters(letters, N_MANY);
	list = &app->function_list;
	play("7");
	rest(app, true);
	list->sort = FUNCTION_SPANS;
	list->is_reversed = true;
	list->goes_to_top = true;
	viewport_set(&app->s.view, 0, N_MANY * MS - MS);
	rest(app, true);
	ck_assert_uint_eq(list->cursor, 0);
	ck_assert_ptr_null(list->walk);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "haste", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, stage_close);
	tcase_add_loop_test(t, unfinished_pictures_leave_no_trace, 0, N(keys));
	tcase_add_test(t, cursor_of_the_summary_is_on_its_link);
	tcase_add_test(t, summary_stays_at_its_section);
	tcase_add_test(t, rows_of_the_range_before_do_not_move_the_cursor);
	tcase_add_loop_test(t, cursor_that_was_not_moved_stays_at_the_top, 0, 8);
	tcase_add_test(t, cursor_is_at_the_top_when_all_spans_are_counted);
}

int main(void)
{
	return suite_run("haste", add_tests);
}
