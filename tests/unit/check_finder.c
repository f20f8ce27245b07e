/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searching by keys: what is typed, which match it selects, and what Esc restores. */
#include "config.h"

#include "ui/chart/finder.h"
#include "ui/chart/finder_counts.h"
#include "ui/chart/select.h"
#include "ui/state.h"

#include "stage.h"
#include "story.h"

#include <stdio.h>

/* main > parse > parse > read, main > draw, idle, main > parse again. */
static const char document[] =
	"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)','scriptId':'0','url':'','lineNumber':-1,'columnNumber':-1},'children':[2,7]},"
	"{'id':2,'callFrame':{'functionName':'main','scriptId':'1','url':'file:///app/main.js','lineNumber':0,'columnNumber':0},'children':[3,6]},"
	"{'id':3,'callFrame':{'functionName':'parse','scriptId':'2','url':'file:///app/node_modules/json5/parse.js','lineNumber':1,'columnNumber':0},'children':[4]},"
	"{'id':4,'callFrame':{'functionName':'parse','scriptId':'2','url':'file:///app/node_modules/json5/parse.js','lineNumber':1,'columnNumber':0},'children':[5]},"
	"{'id':5,'callFrame':{'functionName':'Read.all','scriptId':'3','url':'file:///app/read.js','lineNumber':1,'columnNumber':0}},"
	"{'id':6,'callFrame':{'functionName':'draw','scriptId':'1','url':'file:///app/main.js','lineNumber':9,'columnNumber':0}},"
	"{'id':7,'callFrame':{'functionName':'(idle)','scriptId':'0','url':'','lineNumber':-1,'columnNumber':-1}}],"
	"'startTime':0,'endTime':90000,'samples':[5,4,6,7,3,5,6,2,7],'timeDeltas':[0,10000,10000,10000,10000,10000,10000,10000,10000]}";

static void setup(void)
{
	stage_open(story_load(document), &(struct app_options){ 0 }, 24, 120);
}

static void finds(const char *keys, const char *text)
{
	char *p;

	play(keys);
	p = picture(true);
	if (!strstr(p, text))
		fprintf(stderr, "%s", p);
	ck_assert_msg(strstr(p, text) != NULL, "%s: no \"%s\"", keys, text);
	free(p);
}

static const char *selected(void)
{
	const struct chart *chart = &app->s.chart;

	if (!chart->has_selection)
		return "";
	return profile_text(
		profile,
		profile_node_frame(profile, chart->lanes[chart->lane].lane, chart->selected.node)
			->name);
}

START_TEST(counts_are_told)
{
	/* parse: 0-20 with itself inside, 40-60, and inside of that 50-60; 40 of 70 ms that are not
	 * idle. */
	finds("/parse",
	      "4 spans of 1 function, 40.0 ms in all (57.1 % of the range, idle left out)");
	finds("<C-u>/", "10 spans of 4 functions, 70.0 ms");
	finds("<C-u>Read", "2 spans of 1 function, 20.0 ms in all (28.6 %");
	finds("<C-u>idle", "2 spans of 1 function, 20.0 ms in all |");
	finds("<C-u>json5", "4 spans of 1 function");
	finds("<C-u>READ", "no function matches");
	finds("<C-u>(", "missing");
	finds("<C-t>", "2 spans of 1 function, 20.0 ms");
	finds("<C-t><C-u>d.a", "4 spans of 2 functions, 40.0 ms in all (57.1 %");
}
END_TEST

START_TEST(typing_leads_to_the_first_match)
{
	play("hh/draw");
	ck_assert_str_eq(selected(), "draw");
	ck_assert_int_eq(app->s.chart.selected.t0, 20000000);
	play("<BS><BS><BS><BS>Read<Enter>");
	ck_assert_str_eq(selected(), "Read.all");
	ck_assert_int_eq(app->s.chart.selected.t0, 0);
	play("n");
	ck_assert_int_eq(app->s.chart.selected.t0, 50000000);
	finds("n", "wrapped to the first");
	ck_assert_int_eq(app->s.chart.selected.t0, 0);
	finds("N", "wrapped to the last");
	ck_assert_int_eq(app->s.chart.selected.t0, 50000000);
	finds("<Esc>", "! next finding");
	play("n");
	ck_assert_int_eq(app->s.chart.selected.t0, 0);
}
END_TEST

/* The same keys select the same match, with or without time between them. */
/* Spans around one that begin with it come before it, and those of the range alone count. */
START_TEST(the_selected_match_has_a_number)
{
	finds("hh/parse<Enter>", "1 of 4 spans");
	finds("n", "2 of 4 spans");
	finds("n", "3 of 4 spans");
	finds("n", "4 of 4 spans");
	finds("n", "wrapped to the first: 1 of 4 spans");
	finds("NN", "3 of 4 spans");
	finds("n", "4 of 4 spans");
}
END_TEST

#define STEP(tid, ts) "{'name':'step','ph':'X','pid':1,'tid':" #tid ",'ts':" #ts ",'dur':10}"

/* The cursor goes to another lane: only that one is counted again, in a step. */
START_TEST(all_lanes_are_counted_once)
{
	struct budget step = budget_steps(1, BUDGET_STEP);

	stage_close();
	stage_open(story_load("{'traceEvents':[" STEP(1, 0) "," STEP(1, 100) "," STEP(
			   2, 50) "," STEP(3, 60) "," STEP(3, 70) "," STEP(3, 150) "]}"),
		   &(struct app_options){ 0 }, 24, 120);
	finds("0/step<Enter>", "of 3 spans");
	finds("", "; 3 on other lanes");
	select_lane(app, 0);
	ck_assert(!finder_counts_are_complete(app));
	finder_counts_step(app, &step);
	ck_assert(finder_counts_are_complete(app));
	finds("", "2 spans of 1 name");
	finds("", "; 4 on other lanes");
	/* A lane that is not shown does not count. */
	app->s.lanes[2].is_hidden = true;
	select_lane(app, 1);
	finds("", "; 2 on other lanes");
}
END_TEST

static void come_to_rest(void)
{
	while (app_wait_ms(app) == 0)
		app_timeout(app);
}

static void take_key(key_code key)
{
	app_key(app, key);
	come_to_rest();
	app_update(app, BUDGET_UNLIMITED);
}

/* A picture for each letter would be many bytes: matches are highlighted when no letter has come
 * for a while, or on Enter. */
START_TEST(matches_are_highlighted_when_typing_rests)
{
	take_key('/');
	take_key('d');
	ck_assert_ptr_null(app->s.chart.matches.frames);
	ck_assert_int_eq(app_wait_ms(app), FINDER_LIGHT_MS);
	ck_assert(app_timeout(app) & APP_REDRAW);
	app_update(app, BUDGET_UNLIMITED);
	ck_assert_ptr_nonnull(app->s.chart.matches.frames);
	/* The next letter changes nothing at first. */
	take_key('x');
	ck_assert_ptr_nonnull(app->s.chart.matches.frames);
	ck_assert_int_eq(app_wait_ms(app), FINDER_LIGHT_MS);
	take_key(KEYC_BACKSPACE);
	take_key(KEYC_ENTER);
	ck_assert_ptr_nonnull(app->s.chart.matches.frames);
	ck_assert_int_ne(app_wait_ms(app), FINDER_LIGHT_MS);
	take_key(KEYC_ESC);
	ck_assert_ptr_null(app->s.chart.matches.frames);
}
END_TEST

START_TEST(columns_of_the_overview_are_marked_for_a_search_that_is_there)
{
	struct overview *o = &app->s.overview;

	take_key('/');
	take_key('d');
	ck_assert(app_timeout(app) & APP_REDRAW);
	app_update(app, BUDGET_UNLIMITED);
	ck_assert(o->has_matches && o->cols > 0);
	/* The next letter comes before all columns are marked, and there is no such pattern. */
	overview_begin_marks(o);
	take_key('(');
	app_update(app, BUDGET_UNLIMITED);
	take_key(KEYC_BACKSPACE);
	ck_assert(app_timeout(app) & APP_REDRAW);
	app_update(app, BUDGET_UNLIMITED);
	ck_assert(o->has_matches && o->n_marked == o->cols);
	ck_assert_ptr_nonnull(memchr(o->is_match, 1, (size_t)o->cols));
}
END_TEST

START_TEST(speed_does_not_matter)
{
	static const char keys[] = "wwd/parse|draw<BS><BS>";

	for (const char *p = keys; *p;) {
		key_code key;

		p += key_parse(p, &key);
		app_key(app, key);
	}
	app_key(app, KEYC_ENTER);
	come_to_rest();
	ck_assert_str_ne(selected(), "");
	{
		struct span fast = app->s.chart.selected;
		struct viewport view = app->s.view;

		stage_close();
		setup();
		for (const char *p = keys; *p;) {
			key_code key;

			p += key_parse(p, &key);
			app_key(app, key);
			come_to_rest();
		}
		app_key(app, KEYC_ENTER);
		come_to_rest();
		ck_assert_int_eq(fast.t0, app->s.chart.selected.t0);
		ck_assert_int_eq(fast.depth, app->s.chart.selected.depth);
		ck_assert_int_eq(view.t0, app->s.view.t0);
	}
}
END_TEST

START_TEST(escape_gives_all_back)
{
	static const char *const before[] = { "",  "w", "wwdd", "jjl", "/main<Enter>",
					      "*", "Z", "5",    "5j",  "kkk" };
	static const char *const typed[] = {
		"/parse", "/draw<BS><BS>", "/zzz",      "/(",
		"/",      "/parse<C-t>",   "/<Up><Up>", "/Read<C-u>x"
	};

	for (size_t i = 0; i < ARRAY_LEN(before); i++)
		for (size_t k = 0; k < ARRAY_LEN(typed); k++) {
			struct buf keys = { 0 };
			char *a, *b;

			stage_close();
			setup();
			play(before[i]);
			/* The message is cleared by the next key. */
			app_key(app, KEYC_RIGHT);
			app_key(app, 'Z');
			app_key(app, KEYC_ESC);
			a = picture(true);
			buf_addf(&keys, "%s<Esc>", typed[k]);
			play(buf_text(&keys));
			b = picture(true);
			if (strcmp(a, b) != 0)
				fprintf(stderr, "%s%s", a, b);
			ck_assert_msg(strcmp(a, b) == 0, "%s %s", before[i], typed[k]);
			free(a);
			free(b);
			buf_done(&keys);
		}
}
END_TEST

START_TEST(lines_are_edited)
{
	static const struct {
		const char *keys, *line;
	} cases[] = {
		{ "abc", "/abc " },
		{ "abc<Left><Left>x", "/axbc " },
		{ "abc<Home>x<End>y", "/xabcy " },
		{ "abc<C-a><Del>", "/bc " },
		{ "ab cd<C-w>", "/ab " },
		{ "ab  <C-w>", "/ " },
		{ "abc<Left><C-u>", "/c " },
		{ "\303\244\346\274\242x<Left><BS>", "/\303\244x " },
		{ "a<BS>", "/ " },
		{ "one<Enter>/two<Enter>/thr<Up><Up>", "/one " },
		{ "one<Enter>/two<Enter>/thr<Up><Up><Down><Down>", "/thr " },
		{ "one<Enter>/one<Enter>/<Up><Up>", "/one " },
		{ "5n*", "/5n* " },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf keys = { 0 };

		stage_close();
		setup();
		buf_addf(&keys, "/%s", cases[i].keys);
		finds(buf_text(&keys), cases[i].line);
		buf_done(&keys);
	}
}
END_TEST

START_TEST(backspace_leaves_an_empty_line)
{
	finds("/<BS>", "? help");
	finds("/a<BS><BS>", "? help");
}
END_TEST

/* The search goes on in another view or profile. */
START_TEST(a_search_outlives_transforms_and_views)
{
	finds("/parse<Enter>xrn", "/parse/");
	finds("nn", "spans of");
	finds("2n", "/parse/");
	finds("1n", "/parse/");
	finds("u*", " spans of 1 function");
	finds("2nn1n", " spans of 1 function");
	finds("/dra", "1 function");
	finds("<Esc><Esc>", "! next finding");
}
END_TEST

START_TEST(rows_are_filtered)
{
	finds("5&parse", "1 of 5 rows");
	finds("<Enter>", "filter /parse/, 1 of 5 rows");
	finds("&<C-u>Read<Enter>6", "filter /Read/, 1 of 2 rows");
	finds("5&<C-u>zzz<Enter>", "no row matches the filter");
	finds("&<C-u>([", "missing");
	finds("<Esc>", "no row matches the filter");
	finds("&<C-u><Enter>", "of 5 ");
	finds("7&parse<Enter>", "filter /parse/, 1 of 5 rows");
	finds("&<C-u>draw<Enter>", "draw");
	finds("9", "filter /draw/");
	finds("jjjkkk&<C-u>nothing<Enter>", "no row matches the filter");
	finds("xr2&<C-u>main<Enter>1", "main");
}
END_TEST

/* ---- an answer that takes many steps ---- */

#define MANY_FUNCTIONS 2000

/* f0 to f1999, each called once for a microsecond; a key computes as little as possible. */
static void open_many(void)
{
	struct buf folded = { 0 };

	for (int i = 0; i < MANY_FUNCTIONS; i++)
		buf_addf(&folded, "main;f%d 1\n", i);
	stage_close();
	stage_open(story_load(buf_text(&folded)), &(struct app_options){ 0 }, 24, 120);
	buf_done(&folded);
	play("5");
	app->key_ns = 0;
}

/* Type keys as fast as possible. */
static void type(const char *keys)
{
	while (*keys) {
		key_code key;

		keys += key_parse(keys, &key);
		app_key(app, key);
	}
}

static bool has_text(const char *text)
{
	char *p = picture(true);
	bool has = strstr(p, text) != NULL;

	free(p);
	return has;
}

/* Enter and n return before all functions are compared. Keys after them act when the match is
 * there, as if they had come later. */
START_TEST(keys_wait_for_the_match)
{
	struct span slow;

	open_many();
	play("/f19..<Enter>nnN");
	ck_assert_str_ne(selected(), "");
	slow = app->s.chart.selected;
	open_many();
	type("/f19..<Enter>");
	ck_assert(app_is_waiting(app) && !app_is_settled(app) && !app_takes_pasted(app, 'x'));
	type("nnN");
	ck_assert_int_eq(app->n_kept, 3);
	ck_assert(has_text("searching\342\200\246; Esc stops it"));
	come_to_rest();
	ck_assert(!app_is_waiting(app) && app->n_kept == 0);
	ck_assert_int_eq(app->s.chart.selected.t0, slow.t0);
	ck_assert(has_text("/f19../"));
	ck_assert(!has_text("searching"));
}
END_TEST

/* The work between two looks at the keys is bounded. */
START_TEST(a_match_is_found_in_many_steps)
{
	int n = 0;

	open_many();
	type("/f19..<Enter>");
	for (struct budget step = budget_steps(1, BUDGET_STEP); app_is_waiting(app); n++) {
		step = budget_steps(1, BUDGET_STEP);
		finder_work(app, &step);
	}
	ck_assert_int_ge(n, MANY_FUNCTIONS / 100);
}
END_TEST

START_TEST(escape_stops_the_wait_for_a_match)
{
	struct viewport view;
	struct span span;

	open_many();
	play("ww/main<Enter>");
	view = app->s.view;
	span = app->s.chart.selected;
	type("/f1999<Enter>nn");
	ck_assert(app_is_waiting(app));
	app_key(app, KEYC_ESC);
	ck_assert(!app_is_waiting(app) && app->n_kept == 0);
	ck_assert(has_text("stopped"));
	come_to_rest();
	ck_assert_str_eq(buf_text(&app->finder.target.name), "main");
	ck_assert_int_eq(app->s.view.t0, view.t0);
	ck_assert_int_eq(app->s.chart.selected.t0, span.t0);
	/* n without a search repeats the last pattern. */
	play("<Esc>");
	type("n");
	ck_assert(app_is_waiting(app));
	app_key(app, 'c' | KEYC_CTRL);
	ck_assert(!app_is_waiting(app));
	come_to_rest();
	ck_assert(has_text("stopped"));
}
END_TEST

START_TEST(keys_wait_for_filtered_rows)
{
	open_many();
	type("5&f19..<Enter>");
	ck_assert(app_is_waiting(app));
	type("j");
	ck_assert(has_text("filtering\342\200\246; Esc stops it"));
	come_to_rest();
	ck_assert(!app_is_waiting(app));
	ck_assert(has_text("filter /f19../, 100 of 2 001 rows"));
	type("&<C-u>f1<Enter>");
	ck_assert(app_is_waiting(app));
	app_key(app, KEYC_ESC);
	come_to_rest();
	ck_assert(has_text("filter /f19../, 100 of 2 001 rows"));
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "keys", SUITE_SECONDS);

	tcase_add_checked_fixture(tc, setup, stage_close);
	tcase_add_test(tc, counts_are_told);
	tcase_add_test(tc, typing_leads_to_the_first_match);
	tcase_add_test(tc, the_selected_match_has_a_number);
	tcase_add_test(tc, all_lanes_are_counted_once);
	tcase_add_test(tc, matches_are_highlighted_when_typing_rests);
	tcase_add_test(tc, columns_of_the_overview_are_marked_for_a_search_that_is_there);
	tcase_add_test(tc, speed_does_not_matter);
	tcase_add_test(tc, escape_gives_all_back);
	tcase_add_test(tc, lines_are_edited);
	tcase_add_test(tc, backspace_leaves_an_empty_line);
	tcase_add_test(tc, a_search_outlives_transforms_and_views);
	tcase_add_test(tc, rows_are_filtered);
	tcase_add_test(tc, keys_wait_for_the_match);
	tcase_add_test(tc, a_match_is_found_in_many_steps);
	tcase_add_test(tc, escape_stops_the_wait_for_a_match);
	tcase_add_test(tc, keys_wait_for_filtered_rows);
}

int main(void)
{
	return suite_run("finder", add_tests);
}
