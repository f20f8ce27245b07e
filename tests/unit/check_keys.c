/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What keys do to a small trace: after the keys of a case, the selected slice, the lane with the
 * cursor, and a text that the screen shows or does not show. */
#include "config.h"

#include "stage.h"
#include "trace_story.h"

#include "ui/chart/lanes.h"
#include "ui/state.h"

#include <stdio.h>

/* A slice of another thread of the same process. */
#define ON_THREAD(tid, name, ts, dur)                                                              \
	"{'ph':'X','name':'" name "','pid':1,'tid':" #tid ",'ts':" #ts ",'dur':" #dur "}"
#define FLOW_AT(ph, tid, ts)                                                                       \
	"{'ph':'" ph "','name':'flow','cat':'c','id':7,'pid':1,'tid':" #tid ",'ts':" #ts           \
	",'bp':'e'}"

/* Two calls of `leaf` below `mid`, a longer `big` beside it, and two more threads. */
#define TREE                                                                                       \
	X("root", 0, 10000)                                                                        \
	"," X("mid", 1000, 2000) "," X("leaf", 1100, 300) "," X("leaf", 2000, 500) "," X(          \
		"big", 4000, 5000) "," X("deep", 4100, 4000)
#define THREADS ON_THREAD(2, "second", 0, 4000) "," ON_THREAD(3, "third", 0, 3000)

static const char trace[] = "[" TREE "," THREADS
			    "," FLOW_AT("s", 1, 1200) "," FLOW_AT("f", 2, 1500) "]";

static void setup(void)
{
	stage_open(load(trace), &(struct app_options){ 0 }, 40, 120);
}

static const char *selected(void)
{
	const struct lane *lane;

	if (!app->s.chart.has_selection)
		return "";
	lane = app->s.chart.lanes[app->s.chart.lane].lane;
	return profile_text(
		app->s.profile,
		profile_node_frame(app->s.profile, lane, app->s.chart.selected.node)->name);
}

/* From the outermost slice of the first thread, at its start. */
static const struct {
	const char *rule, *keys, *selected;
	int lane;
	const char *shows, *hides;
} cases[] = {
	{ "the outermost slice", "", "root", 0, NULL, NULL },
	{ "the longest callee", "j", "big", 0, NULL, NULL },
	{ "a callee of a callee", "jj", "deep", 0, NULL, NULL },
	{ "and back", "jjkk", "root", 0, NULL, NULL },
	{ "no caller", "k", "root", 0, "this is the outermost call", NULL },
	{ "no callee", "jjj", "deep", 0, "nothing is nested in it", NULL },
	{ "the span before", "jh", "mid", 0, NULL, NULL },
	{ "back to where it came from", "jhjhkj", "leaf", 0, "self 300 µs", NULL },
	{ "back over two levels", "jhjhkkjj", "leaf", 0, "self 300 µs", NULL },
	{ "another function after that", "jhjh.,k.", "mid", 0, NULL, NULL },
	{ "the same function", "jhj.", "leaf", 0, NULL, NULL },
	{ "lanes below", "]", "second", 1, NULL, NULL },
	{ "the last lane", "]]", "third", 2, NULL, NULL },
	{ "lanes above", "]][", "second", 1, NULL, NULL },
	/* Lanes. */
	{ "a hidden lane", "H", "second", 1, "1 hidden", "root" },
	{ "the last lane is hidden", "]]H", "second", 1, "1 hidden", "third" },
	{ "the only lane is not hidden", "HHH", "third", 2, "2 hidden", NULL },
	{ "all are shown again", "HHoh", "third", 2, "root", NULL },
	{ "a folded lane", "<Tab>q<Spc>", "root", 0, "second", "deep" },
	{ "a lane opens again", "<Tab>q<Spc><Spc>", "root", 0, "deep", NULL },
	/* Flows. */
	{ "a flow to its end", "jhjh}", "second", 1, "followed the flow", NULL },
	{ "a flow back", "jhjh}{", "leaf", 0, "followed the flow", NULL },
	{ "a flow into a hidden lane", "]H[jhjh}", "second", 1, "second", "hidden" },
	{ "no flow", "jj}", "deep", 0, "no flow begins or ends in this slice", NULL },
	{ "a flow that ends here", "]}", "second", 1, "no flow starts at or passes this slice",
	  NULL },
	{ "a flow that begins here", "jhjh{", "leaf", 0, "no flow leads to this slice", NULL },
	/* Search. */
	{ "a match", "/big<Enter>", "big", 0, NULL, NULL },
	{ "the next match", "/leaf<Enter>n", "leaf", 0, "self 500 µs", NULL },
	{ "the match before", "/leaf<Enter>nN", "leaf", 0, "self 300 µs", NULL },
	{ "the text is edited", "/lef<Left>a<Enter>", "leaf", 0, NULL, NULL },
	{ "to the right", "/bg<Left><Right><Left>i<Enter>", "big", 0, NULL, NULL },
	{ "a plain text again as a pattern", "/<C-t>(<Enter>/<C-t><Enter>", "root", 0,
	  "parenthesis", NULL },
	{ "a prompt is left", "/leaf<Esc>", "root", 0, NULL, "/leaf" },
	{ "the selected function", "jhj*n", "leaf", 0, "self 300 µs", NULL },
	/* Views. */
	{ "equal calls merged", "2", "root", 0, "merged", NULL },
	{ "lanes of a view are open", "<Tab>q<Spc>2", "root", 0, "deep", NULL },
	{ "callers and callees", "<Tab>qjhjh3", "leaf", 1, "mid", NULL },
	{ "time again", "21", "root", 0, NULL, "merged: " },
	/* Panes. */
	{ "maximised without a pane", "<Tab>qz", "root", 0, "5 Bottom-up", "1/1" },
	{ "restored", "zz", "root", 0, "second", NULL },
	{ "closed, it is not maximised any more", "zq5", "root", 0, "second", NULL },
	{ "callers of the row", "<Tab>Gc", "root", 0, "self 800 µs = 8.0 %", NULL },
	{ "details", "8", "root", 0, "10.0 ms", NULL },
	{ "flows of a slice", "jhjh8", "leaf", 0, "goes to", NULL },
	{ "sorted by total", "<Tab>>", "root", 0, "Total▾", NULL },
	{ "reversed", "<Tab>I", "root", 0, "Self▴", NULL },
	{ "sorted again", "<Tab>><lt>", "root", 0, "Self▾", "Total▾" },
	{ "the longest span of a row", "<Tab>G<Enter><Tab>", "leaf", 0, "self 500 µs", NULL },
	{ "of a row in the window", "<Tab>gj<Enter>", "root", 0, NULL, NULL },
	{ "the row of the span", "jhr", "mid", 0, "self 1.20 ms = 12.0 %", NULL },
	{ "a second Enter zooms to the span", "<Tab>G<Enter><Enter><Tab>", "leaf", 0,
	  "100.0 % of window", NULL },
	{ "not after another key", "<Tab>G<Enter><Tab><Tab><Enter><Tab>", "leaf", 0, NULL,
	  "100.0 % of window" },
	{ "nor if there was nothing to select", "jh<Enter><Tab>gggj<Enter><Enter>", NULL, 0, NULL,
	  NULL },
	{ "a page where nothing can be opened", "4z  ", NULL, 0, "Heaviest stack", NULL },
	{ "a key of the pane", "E", "root", 0, "E works in the pane", NULL },
	{ "a key of the chart", "<Tab>H", NULL, 0, "H works in the chart", NULL },
	{ "a key of neither", "~", "root", 0, "no key ~; ? for help", NULL },
	{ "a sequence that is none", "xq", "root", 0, "no key x q", NULL },
	{ "a sequence says what it is for", "x", "root", 0, "x transform: pick a key, Esc cancels",
	  NULL },
	{ "marks are listed", "jmajmb'", "deep", 0, "b 4.10 ms", NULL },
	{ "the span before", "jhj.#", "leaf", 0, "self 300 µs", NULL },
	{ "a thread by its name", "/thread 3<Enter>", "third", 2, "1 of 1 lanes with this name",
	  NULL },
	{ "threads by their names", "/thread<Enter>n", "third", 2, "3 of 3 lanes", NULL },
	{ "a function before a thread", "/third<Enter>", "third", 2, "1 span of 1 name", NULL },
	{ "Esc gives the lane back", "/thread 3<Esc>", "root", 0, NULL, "with this name" },
	{ "a transform is a switch", "xrxr", "root", 0, NULL, "recursion" },
	{ "but not below another one", "xrxpxr", NULL, 0, "this transform is on already", NULL },
	{ "the other end of a range after a transform", "jjvkxmo", NULL, 0, NULL, NULL },
	{ "the row stays where it was", "<Tab>Goi", NULL, 0, "self 800 µs", NULL },
	{ "also in other rows", "jh<Enter><Tab>Gv", NULL, 0, "leaf", NULL },
	{ "the row stays at its function", "<Tab>jj<Tab>ww", "root", 0, NULL, NULL },
};

START_TEST(keys_do_what_they_say)
{
	play(cases[_i].keys);
	draw();
	if (cases[_i].selected) {
		ck_assert_msg(strcmp(selected(), cases[_i].selected) == 0, "%s: %s is selected",
			      cases[_i].rule, selected());
		ck_assert_msg(app->s.chart.lane == cases[_i].lane, "%s: lane %d", cases[_i].rule,
			      app->s.chart.lane);
	}
	if (cases[_i].shows)
		ck_assert_msg(shows(cases[_i].shows), "%s: shows no %s", cases[_i].rule,
			      cases[_i].shows);
	if (cases[_i].hides)
		ck_assert_msg(!shows(cases[_i].hides), "%s: shows %s", cases[_i].rule,
			      cases[_i].hides);
}
END_TEST

/* A page of lines goes down and up again. */
START_TEST(pages_scroll)
{
	static const char *const pages[] = { "4", "8" };

	for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
		char *before, *down, *up;

		app_resize(app, 20, 80);
		play(pages[i]);
		before = picture(false);
		play("jjj");
		down = picture(false);
		play("kkk");
		up = picture(false);
		ck_assert_msg(strcmp(before, down) != 0, "page %zu stays", i);
		ck_assert_msg(strcmp(before, up) == 0, "page %zu does not come back", i);
		free(before);
		free(down);
		free(up);
	}
}
END_TEST

/* ---- the window ---- */

/* Each change of the window is one step back; pans that follow each other are one. */
START_TEST(back_gives_the_window_before)
{
	static const char *const changes[] = {
		"w", "ww", "jh<Enter>", "wd", "wA", "w0", "w^", "w$"
	};

	for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
		struct viewport before = app->s.view;

		play(changes[i]);
		ck_assert(app->s.view.t0 != before.t0 || app->s.view.t1 != before.t1 ||
			  strcmp(changes[i], "w0") == 0);
		for (int k = 0; k < 4; k++)
			play("<Backspace>");
		ck_assert_int_eq(app->s.view.t0, before.t0);
		ck_assert_int_eq(app->s.view.t1, before.t1);
	}
}
END_TEST

static const struct {
	const char *rule, *keys, *same; /* both lead to one window and selection */
} places[] = {
	{ "a step back and forward", "ww()", "ww" },
	{ "all steps back", "ww0((((", "" },
	{ "forward at the end", "w(w))", "w" },
	{ "C-o is a step back", "wd<C-o>", "w" },
	{ "steps back and forward", "wwdw(())", "wwdw" },
	{ "a new step drops those forward", "ww(d)", "wd" },
	{ "Backspace goes back, ) forward", "wwd<Backspace>)", "wwd" },
	{ "( keeps the search", "/leaf<Enter>ww((n", "/leaf<Enter>n" },
	{ "a mark", "jjma0k'a", "jj" },
	{ "its window", "jwwmajk0]'a", "jww" },
	{ "its lane", "]ma[jj'a", "]" },
	{ "a mark of a hidden lane", "]maHw'a", "]" },
	{ "two marks", "jmajmBkk'a'B", "jj" },
	{ "a mark again", "majma0'a", "j" },
	{ "a mark that is not set", "jw'q", "jw" },
	{ "before the jump", "jww'a''", "jww" },
	{ "before the jump to a mark", "majww'a''", "jww" },
	{ "and to the mark again", "jmakww'a''''", "j" },
	{ "before a zoom to the span", "jw<Enter>''", "jw" },
	{ "zooming is no jump", "jw<Enter>ww''", "jw" },
	{ "before a match", "jww/leaf<Enter>''", "jww" },
	{ "before the next match", "/leaf<Enter>wn''", "/leaf<Enter>w" },
	{ "no jump yet", "jw''", "jw" },
	{ "a mark from another view", "jwma2'a", "jw" },
	{ "no mark in another view", "2ma1'a", "21" },
	{ "a mark under a transform", "jjmaxr0k'a", "jj" },
	{ "Esc leaves the window", "jww<Esc><Esc>", "jww" },
	{ "Esc ends a sequence", "jm<Esc>w", "jw" },
	{ "Esc ends another one", "jx<Esc>w", "jw" },
};

START_TEST(places_are_found_again)
{
	struct viewport view;
	struct span span;
	int lane;

	play(places[_i].keys);
	view = app->s.view;
	span = app->s.chart.selected;
	lane = app->s.chart.lane;
	stage_close();
	setup();
	play(places[_i].same);
	ck_assert_msg(view.t0 == app->s.view.t0 && view.t1 == app->s.view.t1, "%s: %lld to %lld",
		      places[_i].rule, (long long)view.t0, (long long)view.t1);
	ck_assert_msg(lane == app->s.chart.lane, "%s: lane %d", places[_i].rule, lane);
	ck_assert_msg(span.t0 == app->s.chart.selected.t0 &&
			      span.depth == app->s.chart.selected.depth,
		      "%s: depth %d at %lld", places[_i].rule, span.depth, (long long)span.t0);
}
END_TEST

/* A mark is seen on the ruler while its place is in the window, and labels stay whole. */
START_TEST(marks_stand_on_the_ruler)
{
	play("jma");
	ck_assert(shows(" a\342\224\2024 ms "));
	play("'q");
	ck_assert(shows("mark q is not set; mq sets it"));
	play("2");
	ck_assert(!shows(" a\342"));
	play("1ww^");
	ck_assert(!shows(" a\342"));
}
END_TEST

/* The last HISTORY_MAX windows are kept, in their order. */
START_TEST(the_oldest_windows_are_forgotten)
{
	struct history history = { 0 };
	struct viewport v;

	for (int i = 0; i < HISTORY_MAX + 5; i++) {
		viewport_init(&v, 0, 1000 + i);
		history_add(&history, &v, &(struct viewport){ 0 }, HISTORY_NONE);
	}
	for (int i = HISTORY_MAX + 4; i >= 5; i--) {
		ck_assert(history_go(&history, -1, &v));
		ck_assert_int_eq(v.t_max, 1000 + i);
	}
	ck_assert(!history_go(&history, -1, &v));
	for (int i = 6; i < HISTORY_MAX + 5; i++) {
		ck_assert(history_go(&history, 1, &v));
		ck_assert_int_eq(v.t_max, 1000 + i);
	}
}
END_TEST

/* ---- processes ---- */

static void open_processes(int n_processes, int n_threads)
{
	struct buf text = { 0 };

	buf_addc(&text, '[');
	for (int p = 1; p <= n_processes; p++)
		for (int t = 1; t <= n_threads; t++)
			buf_addf(&text,
				 "%s{'ph':'X','name':'f%d','pid':%d,'tid':%d,'ts':0,'dur':%d}",
				 text.len > 1 ? "," : "", 10 * p + t, p, 10 * p + t, 1000 * p + t);
	buf_addc(&text, ']');
	stage_close();
	stage_open(load(buf_text(&text)), &(struct app_options){ 0 }, 40, 120);
	buf_done(&text);
}

/* The row of other processes gives each its own row; a lane that is gone to opens only its own. */
START_TEST(other_processes_have_one_row)
{
	int n_away = 0;

	open_processes(4, 3);
	for (int i = 0; i < app->s.chart.n_lanes; i++)
		n_away += app->s.lanes[i].is_away;
	ck_assert_int_eq(n_away, 9);
	draw();
	ck_assert(shows("9 lanes of other processes"));
	lanes_open(&app->s, 0, true);
	draw();
	ck_assert(shows("6 lanes of other processes"));
	ck_assert(shows("process 1  "));
	ck_assert(!shows("process 2  "));
	for (int i = 0; i < app->s.chart.n_lanes; i++)
		if (app->s.lanes[i].has_others)
			app->s.chart.lane = i;
	play("F");
	draw();
	ck_assert(!shows("other processes"));
	ck_assert(shows("process 2  "));
	ck_assert(shows("process 3  "));
}
END_TEST

/* Flags of single lanes, as a preview with fewer lanes leaves them. */
START_TEST(group_is_folded_if_all_its_lanes_are)
{
	open_processes(4, 3);
	app->s.lanes[0].is_away = false;
	groups_settle(&app->s);
	draw();
	ck_assert(shows("process 1  "));
	ck_assert(shows("6 lanes of other processes"));
	for (int i = 0; i < 3; i++)
		app->s.lanes[i].is_away = true;
	groups_settle(&app->s);
	draw();
	ck_assert(!shows("process 1  "));
	ck_assert(shows("9 lanes of other processes"));
}
END_TEST

/* More than 8 lanes of more than one process have rows of processes, all folded but that of the
 * selection. */
START_TEST(many_lanes_of_several_processes_are_grouped)
{
	for (int p = 1; p < 5; p++)
		for (int t = 1; t < 11; t += 3) {
			bool has_groups = p > 1 && p * t > 8;

			open_processes(p, t);
			ck_assert_int_eq(app->s.chart.has_groups, has_groups);
			for (int i = 0; i < app->s.chart.n_lanes; i++)
				ck_assert_int_eq(app->s.lanes[i].has_group,
						 has_groups && i % t == 0);
			draw();
			/* Several folded ones have one row together. */
			ck_assert_int_eq(shows("process 1  "), has_groups && p == 2);
			ck_assert_int_eq(shows("lanes of other processes"), has_groups && p > 2);
		}
}
END_TEST

/* The row of a process opens and folds all its lanes. */
START_TEST(a_process_is_folded_and_opened)
{
	int lane;

	open_processes(3, 4);
	lane = app->s.chart.lane;
	ck_assert(!app->s.lanes[lane].is_shut);
	play("F");
	ck_assert(app->s.lanes[lane].is_shut);
	play(" ");
	ck_assert(!app->s.lanes[lane].is_shut);
	play("FF");
	ck_assert(!app->s.lanes[lane].is_shut);
}
END_TEST

/* Each of these lanes has a title and one row. */
START_TEST(lanes_that_fit_are_open_at_first)
{
	struct screen_layout layout;

	for (int t = 7; t < 20; t++) {
		int n_open = 0, room;

		open_processes(1, t);
		state_layout(app, &layout);
		room = layout.lanes.rows - t;
		for (int i = 0; i < app->s.chart.n_lanes; i++)
			n_open += app->s.lanes[i].is_open;
		ck_assert_int_eq(n_open, room < 1 ? 1 : room < t ? room : t);
		ck_assert(app->s.lanes[app->s.chart.lane].is_open);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "keys", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, stage_close);
	tcase_add_loop_test(t, keys_do_what_they_say, 0, N(cases));
	tcase_add_test(t, pages_scroll);
	tcase_add_test(t, back_gives_the_window_before);
	tcase_add_loop_test(t, places_are_found_again, 0, N(places));
	tcase_add_test(t, marks_stand_on_the_ruler);
	tcase_add_test(t, the_oldest_windows_are_forgotten);
	tcase_add_test(t, many_lanes_of_several_processes_are_grouped);
	tcase_add_test(t, other_processes_have_one_row);
	tcase_add_test(t, group_is_folded_if_all_its_lanes_are);
	tcase_add_test(t, a_process_is_folded_and_opened);
	tcase_add_test(t, lanes_that_fit_are_open_at_first);
}

int main(void)
{
	return suite_run("keys", add_tests);
}
