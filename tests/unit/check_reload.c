/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stays when a file is read again that has another recording by then. */
#include "config.h"

#include "load_text.h"
#include "suite.h"
#include "ui/app.h"
#include "ui/app_state.c"
#include "ui/pane/panes.h"
#include "ui/state.h"

/* A recording that begins at START us: main calls LINE:parse, and OTHER, for 2 ms each, twice. */
#define RECORDING(start, end, line, other)                                                         \
	"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)','scriptId':'0','url':'',"          \
	"'lineNumber':-1,'columnNumber':-1},'children':[2]},"                                      \
	"{'id':2,'callFrame':{'functionName':'main','scriptId':'1','url':'file:///a.js',"          \
	"'lineNumber':0,'columnNumber':0},'children':[3,4]},"                                      \
	"{'id':3,'callFrame':{'functionName':'parse','scriptId':'1','url':'file:///a.js',"         \
	"'lineNumber':" line ",'columnNumber':0}},"                                                \
	"{'id':4,'callFrame':{'functionName':'" other "','scriptId':'1','url':'file:///b.js',"     \
	"'lineNumber':3,'columnNumber':0}}],"                                                      \
	"'startTime':" start ",'endTime':" end ",'samples':[3,3,4,4,3,3,4,4],"                     \
	"'timeDeltas':[0,1000,1000,1000,1000,1000,1000,1000]}"

static const char first[] = RECORDING("1000000", "1008000", "10", "draw");

static struct profile *load(const char *text)
{
	struct error err = ERROR_INIT;
	char *copy = quoted(text);
	struct profile *p = load_text_with(builder_new(&(struct builder_options){ 0 }), copy,
					   strlen(copy), SIZE_MAX, NULL, &err);

	ck_assert_msg(p != NULL, "%s", err.text);
	free(copy);
	return p;
}

static void play(struct app *app, const char *keys)
{
	struct error err = ERROR_INIT;

	ck_assert_msg(script_play(&app, keys, NULL, &err), "%s", err.text);
}

/* The app on another profile, with the state of `app` after some keys. Frees `app`. */
static struct app *go_on(struct app *app, const char *keys, const struct profile *next)
{
	struct app_state state;
	struct app *copy;

	play(app, keys);
	app_state_get(app, &state);
	copy = app_new(next, &(struct app_options){ .state = &state });
	app_state_done(&state);
	app_free(app);
	return copy;
}

static struct app *begin(const struct profile *profile)
{
	struct app *app = app_new(profile, &(struct app_options){ 0 });

	app_resize(app, 30, 100);
	return app;
}

static const char *selected_name(const struct app *app)
{
	const struct lane *lane = state_lane(app);

	if (!app->s.chart.has_selection)
		return "";
	return profile_text(
		app->base,
		profile_frame(app->s.profile, lane->tree.frame[app->s.chart.selected.node])->name);
}

/* keys: from the outermost call on. t0: of the selected span, in us since the start. */
static const struct {
	const char *text, *keys, *name;
	int64_t t0;
} selections[] = {
	{ RECORDING("1000000", "1008000", "10", "draw"), "gj", "parse", 0 },
	{ RECORDING("1000000", "1008000", "10", "draw"), "gjl", "draw", 2000 },
	/* the clock of another recording: times from its start */
	{ RECORDING("9000000", "9008000", "10", "draw"), "gjll", "parse", 4000 },
	{ RECORDING("0", "8000", "10", "draw"), "gjlll", "draw", 6000 },
	/* the function has moved */
	{ RECORDING("9000000", "9008000", "77", "draw"), "gjll", "parse", 4000 },
	/* it is not there any more: its caller */
	{ RECORDING("9000000", "9008000", "10", "paint"), "gjl", "main", 0 },
};

START_TEST(help_stays_open_though_nothing_else_was_done)
{
	struct profile *p = load(first), *next = load(first);
	struct app *app = go_on(begin(p), "?", next);

	ck_assert(app->help.is_open && !app->is_touched);
	app = go_on(app, "<Esc>", p);
	ck_assert(!app->help.is_open);
	app_free(app);
	profile_free(p);
	profile_free(next);
}
END_TEST

START_TEST(selection_is_the_same_call)
{
	struct profile *a = load(first), *b = load(selections[_i].text);
	struct app *app = go_on(begin(a), selections[_i].keys, b);

	ck_assert_str_eq(selected_name(app), selections[_i].name);
	ck_assert_int_eq(app->s.chart.selected.t0, selections[_i].t0 * NS_PER_US);
	app_free(app);
	profile_free(a);
	profile_free(b);
}
END_TEST

/* The other times of a call are nearer to its time than a call that is there instead. */
START_TEST(selection_moves_to_the_nearest_call_of_its_stack)
{
	/* draw and parse have changed places */
	static const char swapped[] =
		"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)','scriptId':'0','url':'',"
		"'lineNumber':-1,'columnNumber':-1},'children':[2]},"
		"{'id':2,'callFrame':{'functionName':'main','scriptId':'1','url':'file:///a.js',"
		"'lineNumber':0,'columnNumber':0},'children':[3,4]},"
		"{'id':3,'callFrame':{'functionName':'parse','scriptId':'1','url':'file:///a.js',"
		"'lineNumber':10,'columnNumber':0}},"
		"{'id':4,'callFrame':{'functionName':'draw','scriptId':'1','url':'file:///b.js',"
		"'lineNumber':3,'columnNumber':0}}],"
		"'startTime':1000000,'endTime':1008000,'samples':[4,4,3,3,4,4,4,4],"
		"'timeDeltas':[0,1000,1000,1000,1000,1000,1000,1000]}";
	struct profile *a = load(first), *b = load(swapped);
	struct app *app = go_on(begin(a), "gjll", b);

	ck_assert_str_eq(selected_name(app), "parse");
	ck_assert_int_eq(app->s.chart.selected.t0, 2000 * NS_PER_US);
	app_free(app);
	profile_free(a);
	profile_free(b);
}
END_TEST

START_TEST(window_stays_by_time_and_the_whole_stays_whole)
{
	struct profile *a = load(first), *b = load(RECORDING("9000000", "9008000", "10", "draw")),
		       *c = load(RECORDING("20000000", "20012000", "10", "draw"));
	struct app *app = go_on(begin(a), "gjl<Enter>", b);

	ck_assert_int_eq(app->s.view.t0, 2000 * NS_PER_US);
	ck_assert_int_eq(app->s.view.t1, 4000 * NS_PER_US);
	app = go_on(app, "0", c);
	ck_assert_int_eq(app->s.view.t0, 0);
	ck_assert_int_eq(app->s.view.t1, c->t1);
	ck_assert_int_gt(c->t1, b->t1);
	app_free(app);
	profile_free(a);
	profile_free(b);
	profile_free(c);
}
END_TEST

START_TEST(rest_grows_with_the_recording)
{
	struct profile *a = load(first), *b = load(RECORDING("1000000", "1012000", "10", "draw"));
	struct app *app = begin(a);
	const struct sides *sides = &app->diff.sides;

	play(app, "gjl<Enter>:diff rest<Enter>");
	ck_assert_int_eq(sides->length_ns[SIDE_BEFORE] + sides->length_ns[SIDE_AFTER],
			 8 * NS_PER_MS);
	app = go_on(app, "", b);
	play(app, "");
	sides = &app->diff.sides;
	ck_assert_int_eq(sides->length_ns[SIDE_BEFORE] + sides->length_ns[SIDE_AFTER],
			 12 * NS_PER_MS);
	app_free(app);
	app = go_on(begin(b), "gjllll<Enter>:diff rest<Enter>", a);
	app_free(app);
	profile_free(a);
	profile_free(b);
}
END_TEST

START_TEST(transforms_and_search_stay)
{
	struct profile *a = load(first), *b = load(RECORDING("9000000", "9008000", "10", "draw"));
	struct app *app = go_on(begin(a), "gjxh/draw<Enter>", b);

	ck_assert_uint_eq(app->transforms.n, 1);
	ck_assert_int_eq(app->transforms.list[0].kind, TRANSFORM_DROP);
	ck_assert_str_eq(selected_name(app), "draw");
	app_free(app);
	profile_free(a);
	profile_free(b);
}
END_TEST

/* The names of the rows of the table, with * for the cursor. */
static void list_rows(struct app *app, struct buf *out)
{
	const struct pane_tab *tab = &app->pane.tabs[app->pane.tab];

	ck_assert(pane_rows_update(app));
	for (size_t i = 0; i < tab->rows.n; i++)
		buf_addf(
			out, "%s%*s%s\n", i == tab->cursor ? "*" : "", tab->rows.rows[i].depth, "",
			profile_text(app->base,
				     profile_frame(app->s.profile, tab->rows.rows[i].frame)->name));
}

/* Functions have other numbers in the second recording. */
START_TEST(open_rows_and_the_cursor_of_a_table_stay)
{
	static const char renumbered[] =
		"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)','scriptId':'0','url':'',"
		"'lineNumber':-1,'columnNumber':-1},'children':[5,2]},"
		"{'id':5,'callFrame':{'functionName':'new','scriptId':'1','url':'file:///a.js',"
		"'lineNumber':50,'columnNumber':0}},"
		"{'id':2,'callFrame':{'functionName':'main','scriptId':'1','url':'file:///a.js',"
		"'lineNumber':0,'columnNumber':0},'children':[4,3]},"
		"{'id':4,'callFrame':{'functionName':'draw','scriptId':'1','url':'file:///b.js',"
		"'lineNumber':3,'columnNumber':0}},"
		"{'id':3,'callFrame':{'functionName':'parse','scriptId':'1','url':'file:///a.js',"
		"'lineNumber':10,'columnNumber':0}}],"
		"'startTime':9000000,'endTime':9008000,'samples':[5,5,5,3,3,3,4,4],"
		"'timeDeltas':[0,1000,1000,1000,1000,1000,1000,1000]}";
	struct profile *a = load(first), *b = load(renumbered), *c = load(first);
	struct app *app = begin(a);
	struct buf rows = { 0 };

	play(app, "5jlj");
	list_rows(app, &rows);
	ck_assert_str_eq(buf_text(&rows), "parse\ndraw\n* main\nmain\n");
	app = go_on(app, "", b);
	buf_clear(&rows);
	list_rows(app, &rows);
	ck_assert_str_eq(buf_text(&rows), "new\nparse\ndraw\n* main\nmain\n");
	/* Also when the table was not shown meanwhile. */
	app = go_on(go_on(app, "", a), "", c);
	buf_clear(&rows);
	list_rows(app, &rows);
	ck_assert_str_eq(buf_text(&rows), "parse\ndraw\n* main\nmain\n");
	buf_done(&rows);
	app_free(app);
	profile_free(a);
	profile_free(b);
	profile_free(c);
}
END_TEST

/* id and name of each lane as letters: the same letter, the same value. */
static const struct {
	const char *before, *now, *found;
} lanes[] = {
	{ "AaBb", "AaBb", "01" },
	{ "AaBb", "BbAa", "10" },
	{ "AaBb", "AaCcBb", "0-1" },
	/* other ids: by name and order */
	{ "AaBa", "CaDa", "01" },
	{ "AaBbCa", "DaEbFa", "012" },
	/* whose id is there is not taken by another of its name */
	{ "AaBa", "CaAa", "10" },
	{ "Aa", "CaAaDa", "-0-" },
	{ "", "Aa", "-" },
	{ "Aa", "", "" },
};

START_TEST(lanes_are_the_same_by_id_or_by_name)
{
	struct same_lane before[4] = { 0 }, now[4] = { 0 };
	int n_before = (int)strlen(lanes[_i].before) / 2, n = (int)strlen(lanes[_i].now) / 2;
	int found[4];

	for (int i = 0; i < n_before; i++)
		before[i] = (struct same_lane){ (uint64_t)lanes[_i].before[2 * i],
						(uint64_t)lanes[_i].before[2 * i + 1] };
	for (int i = 0; i < n; i++)
		now[i] = (struct same_lane){ (uint64_t)lanes[_i].now[2 * i],
					     (uint64_t)lanes[_i].now[2 * i + 1] };
	same_lanes_find(before, n_before, now, n, found);
	for (int i = 0; i < n; i++)
		ck_assert_msg((found[i] < 0 ? '-' : '0' + found[i]) == lanes[_i].found[i],
			      "%s, %s: lane %d is %d", lanes[_i].before, lanes[_i].now, i,
			      found[i]);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "state", SUITE_SECONDS);

	tcase_add_test(t, help_stays_open_though_nothing_else_was_done);
	tcase_add_loop_test(t, selection_is_the_same_call, 0, N(selections));
	tcase_add_test(t, selection_moves_to_the_nearest_call_of_its_stack);
	tcase_add_test(t, window_stays_by_time_and_the_whole_stays_whole);
	tcase_add_test(t, rest_grows_with_the_recording);
	tcase_add_test(t, transforms_and_search_stay);
	tcase_add_test(t, open_rows_and_the_cursor_of_a_table_stay);
	tcase_add_loop_test(t, lanes_are_the_same_by_id_or_by_name, 0, N(lanes));
}

int main(void)
{
	return suite_run("reload", add_tests);
}
