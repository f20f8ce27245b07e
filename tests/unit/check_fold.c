/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folded lanes against stacks that are folded here call by call; names of rows; the interface with
 * folds: Space, search, marks, the command; and what the first picture selects. */
#include "config.h"

#include "random_profile.h"
#include "stage.h"
#include "story.h"

#include "analyse/fold.h"
#include "analyse/search_slices.h"
#include "ui/actions.h"
#include "ui/chart/lanes.h"
#include "ui/state.h"

#define DEEP 300

/* ---- random profiles ---- */

/* A row of a stack: a function, or a run. */
struct expected {
	frame_id id;
	bool is_run;
};

/* The frames of a stack, outermost first. */
static int stack_of(const struct lane *lane, node_id leaf, frame_id out[DEEP], node_id nodes[DEEP])
{
	int n = lane->tree.rows[leaf];

	ck_assert_int_le(n, DEEP);
	for (int i = n; i-- > 0; leaf = lane->tree.parent[leaf]) {
		out[i] = lane->tree.frame[leaf];
		nodes[i] = leaf;
	}
	return n;
}

static bool is_of(const struct profile *p, frame_id id, str_id package)
{
	return package && profile_frame(p, id)->package == package;
}

static int fold_stack(const struct profile *p, const struct fold_wish *wish, bool has_packages,
		      const frame_id *stack, int n, struct expected out[DEEP])
{
	enum fold_mode mode = has_packages ? FOLD_PACKAGES : FOLD_RUNTIME;
	int rows = 0;

	for (int i = 0; i < n; i++) {
		bool hides = stack[i] != wish->function &&
			!(wish->found && wish->found[stack[i]]) &&
			fold_hides(p, profile_frame(p, stack[i]), mode);
		bool is_same_side = i > 0 &&
			is_of(p, stack[i], wish->package) == is_of(p, stack[i - 1], wish->package);

		if (!hides || !rows || !out[rows - 1].is_run || !is_same_side)
			out[rows++] = (struct expected){ stack[i], hides };
	}
	return rows;
}

static void check_lane(const struct fold *fold, const struct fold_wish *wish, int at)
{
	const struct profile *p = fold->of;
	const struct lane *lane = &p->lanes[at], *folded = &fold->profile.lanes[at];

	ck_assert_uint_eq(folded->samples.n, lane->samples.n);
	ck_assert_int_eq(folded->busy_ns, lane->busy_ns);
	ck_assert_int_eq(folded->idle_ns, lane->idle_ns);
	ck_assert_int_eq(folded->gc_ns, lane->gc_ns);
	ck_assert_int_eq(folded->unsampled_ns, lane->unsampled_ns);
	for (size_t i = 0; i < lane->samples.n; i++) {
		node_id leaf = lane->samples.leaf[i], to = samples_leaf(&folded->samples, i);
		frame_id stack[DEEP], drawn[DEEP];
		node_id nodes[DEEP], drawn_nodes[DEEP];
		struct expected expected[DEEP];
		int n = stack_of(lane, leaf, stack, nodes),
		    rows = stack_of(folded, to, drawn, drawn_nodes);

		ck_assert_int_eq(
			rows,
			fold_stack(p, wish, fold->lanes[at].has_packages, stack, n, expected));
		for (int k = 0; k < rows; k++) {
			ck_assert_int_eq(fold_is_run(fold, at, drawn_nodes[k]), expected[k].is_run);
			if (!expected[k].is_run)
				ck_assert_uint_eq(drawn[k], expected[k].id);
			ck_assert_uint_lt(drawn[k], fold->profile.frames.n);
		}
		for (int k = 0; k < n; k++) {
			struct span span, closed, open;

			ck_assert(span_of_sample(&lane->samples, &lane->tree, i, k, &span));
			fold_close_span(fold, at, &span, &closed);
			ck_assert_uint_eq(closed.node, fold->lanes[at].to[span.node]);
			ck_assert(closed.first <= span.first && closed.end >= span.first);
			fold_open_span(fold, at, &closed, &open);
			ck_assert_uint_eq(fold->lanes[at].to[open.node], closed.node);
			ck_assert_uint_eq(
				open.depth == 0
					? 0
					: fold->lanes[at].to[lane->tree.parent[open.node]] !=
						closed.node,
				open.depth != 0);
		}
	}
}

/* Fold all lanes, in steps or each at once; lanes in an order of their own. NULL: nothing folds. */
static struct fold *make_fold(const struct profile *p, const struct fold_wish *wish, int step)
{
	struct fold *fold = fold_new(p, wish);
	bool is_any = false;

	for (int i = 0, n = (int)p->n_lanes; fold && i < n; i++) {
		int lane = step % 3 ? i : n - 1 - i;
		struct budget budget;

		do
			budget = budget_steps(1, 1 + (uint32_t)step * 10);
		while (!fold_make(fold, lane, step % 2 ? &budget : BUDGET_UNLIMITED));
		is_any |= fold_has(fold, lane);
	}
	if (is_any)
		return fold;
	fold_free(fold);
	return NULL;
}

START_TEST(rows_are_those_of_stacks_folded_call_by_call)
{
	struct profile *p = random_profile(_i, 4 + (uint32_t)_i * 3, 150, 1 + _i % 3);
	struct fold_wish wish = { .mode = _i % 4 ? FOLD_PACKAGES : FOLD_RUNTIME };
	uint8_t *found = xcalloc(p->frames.n, 1);
	struct fold *fold;
	int n = 0;

	for (frame_id f = 0; _i % 5 < 2 && f < p->frames.n; f++)
		found[f] = random_below(4) == 0;
	wish.found = _i % 5 < 3 ? found : NULL;
	if (_i % 3 == 0)
		wish.function = (frame_id)random_below(p->frames.n);
	if (_i % 3 == 1)
		wish.package = profile_frame(p, (frame_id)random_below(p->frames.n))->package;
	fold = make_fold(p, &wish, _i);
	for (int i = 0; fold && i < (int)p->n_lanes; i++)
		if (fold_has(fold, i)) {
			check_lane(fold, &wish, i);
			n++;
		}
	ck_assert(!fold || n > 0);
	fold_free(fold);
	free(found);
	profile_free(p);
}
END_TEST

/* ---- names ---- */

#define NODE(id, name, url, children)                                                              \
	"{'id':" id ",'callFrame':{'functionName':'" name "','scriptId':'" id "','url':'" url      \
	"','lineNumber':4,'columnNumber':4},'children':[" children "]},"
#define LAST                                                                                       \
	"{'id':99,'callFrame':{'functionName':'(idle)','scriptId':'0','url':'','lineNumber':-1,"   \
	"'columnNumber':-1}}],'startTime':0,"
#define ROOT(children)                                                                             \
	"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)','scriptId':'0','url':'',"          \
	"'lineNumber':-1,'columnNumber':-1},'children':[" children "]},"

/* A server: two packages above own code, and a native function below it. */
#define SERVER                                                                                     \
	ROOT("2,99")                                                                               \
	NODE("2", "parserOnIncoming", "node:_http_server", "3")                                    \
	NODE("3", "emit", "node:events", "4")                                                      \
	NODE("4", "handle", "file:///srv/node_modules/express/lib/router.js", "5")                 \
	NODE("5", "next", "file:///srv/node_modules/express/lib/route.js", "6")                    \
	NODE("6", "compression", "file:///srv/node_modules/compression/index.js", "7")             \
	NODE("7", "serve", "file:///srv/app.js", "8,9,10")                                         \
	NODE("8", "query", "file:///srv/node_modules/pg/lib/client.js", "11")                      \
	NODE("9", "stat", "", "")                                                                  \
	NODE("10", "work", "file:///srv/app.js", "")                                               \
	NODE("11", "parse", "file:///srv/node_modules/pg-protocol/parser.js", "")                  \
	LAST

/* The compiler is a package; the only own function starts it. */
#define COMPILER                                                                                   \
	ROOT("2,99")                                                                               \
	NODE("2", "", "node:internal/main/run_main_module", "3")                                   \
	NODE("3", "compile", "file:///srv/node_modules/typescript/lib/tsc.js", "4")                \
	NODE("4", "check", "file:///srv/node_modules/typescript/lib/tsc.js", "5")                  \
	NODE("5", "RegExp: x", "", "")                                                             \
	LAST

static const struct {
	const char *text, *story;
	enum fold_mode mode;
	const char *package, *function;
} stories[] = {
	{ SERVER "'endTime':50,'samples':[11,9,10,99],'timeDeltas':[0,10,20,10]}",
	  "0 node:http \342\200\272 express \342\200\272 compression>serve>pg \342\200\272 "
	  "pg-protocol|10 node:http \342\200\272 express \342\200\272 "
	  "compression>serve>stat|30 node:http \342\200\272 express \342\200\272 "
	  "compression>serve>work|40 (idle)|50",
	  FOLD_PACKAGES, NULL, NULL },
	/* An accused package, and an accused function, have rows of their own. */
	{ SERVER "'endTime':20,'samples':[10],'timeDeltas':[0]}",
	  "0 node:http>express>compression>serve>work|20", FOLD_PACKAGES, "express", NULL },
	{ SERVER "'endTime':20,'samples':[10],'timeDeltas':[0]}",
	  "0 node:http>handle>express \342\200\272 compression>serve>work|20", FOLD_PACKAGES, NULL,
	  "handle" },
	{ SERVER "'endTime':20,'samples':[10],'timeDeltas':[0]}",
	  "0 node:http>handle>next>compression>serve>work|20", FOLD_RUNTIME, NULL, NULL },
	/* Most of the run's time does not go to the second package: it is not in the name. */
	{ SERVER "'endTime':70,'samples':[4,11],'timeDeltas':[0,40]}",
	  "0 node:http \342\200\272 express|40 node:http \342\200\272 express>serve>pg "
	  "\342\200\272 pg-protocol|70",
	  FOLD_PACKAGES, NULL, NULL },
	/* Own functions have no time: packages are the program. */
	{ COMPILER "'endTime':40,'samples':[5,4,99],'timeDeltas':[0,10,20]}",
	  "0 (anonymous)>compile>check>RegExp: x|10 (anonymous)>compile>check|30 (idle)|40",
	  FOLD_PACKAGES, NULL, NULL },
};

static frame_id find_frame(const struct profile *p, const char *name)
{
	for (frame_id id = 1; id < p->frames.n; id++)
		if (strcmp(profile_text(p, profile_frame(p, id)->name), name) == 0)
			return id;
	ck_abort_msg("no function %s", name);
}

static str_id find_package(const struct profile *p, const char *name)
{
	for (frame_id id = 1; id < p->frames.n; id++)
		if (strcmp(profile_text(p, profile_frame(p, id)->package), name) == 0)
			return profile_frame(p, id)->package;
	ck_abort_msg("no package %s", name);
}

START_TEST(names_are_paths_that_half_of_the_time_takes)
{
	struct profile *p = story_load(stories[_i].text);
	struct fold_wish wish = { .mode = stories[_i].mode };
	struct fold *fold;

	if (stories[_i].package)
		wish.package = find_package(p, stories[_i].package);
	if (stories[_i].function)
		wish.function = find_frame(p, stories[_i].function);
	fold = make_fold(p, &wish, _i);
	ck_assert_ptr_nonnull(fold);
	story_of(&fold->profile, 0, stories[_i].story);
	fold_free(fold);
	profile_free(p);
}
END_TEST

/* ---- the interface ---- */

static const char busy_server[] = SERVER "'endTime':400000,'samples':[11,10,99,9,11,99],"
					 "'timeDeltas':[0,100000,100000,50000,50000,50000]}";

static void open_server(enum app_start start, int rows)
{
	stage_open(story_load(busy_server),
		   &(struct app_options){ .fold = FOLD_PACKAGES, .start = start }, rows, 100);
	draw();
}

static const char *selected_name(void)
{
	return profile_text(app->s.profile,
			    profile_frame(app->s.profile, folds_selected(&app->s))->name);
}

/* The picture that was drawn last, to be freed. */
static char *grid_text(void)
{
	struct buf out = { 0 };

	grid_format(&grid, false, &out);
	return out.data;
}

/* Select the row of pg in the lane. */
static void select_pg(void)
{
	open_server(APP_START_LONGEST, 24);
	play("g^jj");
	draw();
	ck_assert(shows("pg \342\200\272 pg-protocol"));
	ck_assert_int_eq(app->s.chart.selected.depth, 2);
	ck_assert_str_eq(selected_name(), "parse");
}

START_TEST(space_selects_the_outermost_call_and_goes_back)
{
	struct span before;

	select_pg();
	before = app->s.chart.selected;
	play("<Space>");
	draw();
	ck_assert(!shows("pg-protocol"));
	ck_assert_str_eq(selected_name(), "query");
	play("<Space>");
	draw();
	ck_assert(shows("pg \342\200\272 pg-protocol"));
	ck_assert_int_eq(app->s.chart.selected.t0, before.t0);
	ck_assert_int_eq(app->s.chart.selected.depth, before.depth);
	stage_close();
}
END_TEST

/* On own code, Space is about the same folds; F folds the lane. */
START_TEST(space_on_own_code_folds_calls_and_not_the_lane)
{
	open_server(APP_START_LONGEST, 24);
	play("g^j");
	draw();
	ck_assert_str_eq(selected_name(), "serve");
	play("<Space>");
	draw();
	ck_assert(shows("query") && !shows("pg-protocol"));
	ck_assert_str_eq(selected_name(), "serve");
	play("<Space>");
	draw();
	ck_assert(shows("pg \342\200\272 pg-protocol"));
	play("F");
	draw();
	ck_assert(!app->s.lanes[0].is_open);
	play("F");
	draw();
	ck_assert(shows("pg \342\200\272 pg-protocol"));
	stage_close();
}
END_TEST

/* A match inside a run has a row of its own, and everything else stays folded; without the search,
 * the run is as before. */
START_TEST(search_shows_the_calls_that_match)
{
	select_pg();
	play("/^parse$<Enter>");
	draw();
	ck_assert(shows("node:http \342\200\272 express") && shows("query") && shows("parse"));
	ck_assert(!shows("pg \342\200\272 pg-protocol"));
	ck_assert_int_eq(app->s.chart.selected.depth, 3);
	ck_assert_str_eq(selected_name(), "parse");
	play("<Esc>");
	draw();
	ck_assert(shows("pg \342\200\272 pg-protocol"));
	ck_assert_int_eq(app->s.chart.selected.depth, 2);
	/* A search that is given up selects what was selected. */
	play("/work<Esc>");
	draw();
	ck_assert_int_eq(app->s.chart.selected.depth, 2);
	ck_assert_str_eq(selected_name(), "parse");
	/* Keys that follow at once are about the match, too. */
	play("/^next$<Enter>");
	ck_assert_str_eq(selected_name(), "next");
	/* Own code never folds: nothing changes. */
	play("/work<Enter>");
	draw();
	ck_assert(shows("pg \342\200\272 pg-protocol"));
	ck_assert_uint_eq(app->finder.shown, 0);
	stage_close();
}
END_TEST

/* The number of the selected match, which must be known. */
static uint64_t match_number(void)
{
	const struct finder_counts *c = &app->finder.counts;

	ck_assert(finder_counts_are_complete(app) && c->before.is_complete);
	return c->before.n_spans + c->n_around + 1;
}

/* A drawn row may stand for several matches: each of them has its number, and the walk goes to all.
 */
START_TEST(walk_goes_to_each_match_of_folded_lanes)
{
	struct profile *p = random_profile(_i, 60, 300, 1);
	frame_id function = (frame_id)(1 + random_below(p->frames.n - 1));
	uint64_t n, number, n_spans;

	stage_open(p, &(struct app_options){ .fold = FOLD_PACKAGES }, 24, 100);
	draw();
	play("0");
	finder_function(app, function);
	finder_walk(app, -1); /* the last one, or the one before the selected one */
	for (n = 0; n < 400; n++) {
		struct search *search = &app->finder.target.search;

		draw();
		finder_work(app, BUDGET_UNLIMITED);
		n_spans = app->finder.counts.range.n_spans;
		if (app->finder.has_none || n == n_spans)
			break;
		number = match_number();
		ck_assert(finder_move_at(app));
		ck_assert(search_slices_has(search, (uint32_t)app->s.chart.lane,
					    &finder_move_at(app)->span));
		ck_assert(chart_is_match(&app->s.chart, app->s.lanes[0].lane,
					 app->s.chart.selected.node));
		finder_walk(app, 1);
		draw();
		finder_work(app, BUDGET_UNLIMITED);
		ck_assert_uint_eq(match_number(), number % n_spans + 1);
	}
	ck_assert_uint_lt(n, 400);
	stage_close();
}
END_TEST

START_TEST(marks_keep_their_call_whatever_folds)
{
	select_pg();
	play("ma<Space>'a");
	draw();
	ck_assert_str_eq(selected_name(), "query");
	play("of'a");
	draw();
	ck_assert_str_eq(selected_name(), "query");
	stage_close();
}
END_TEST

START_TEST(command_goes_through_the_modes)
{
	open_server(APP_START_LONGEST, 24);
	ck_assert(shows("packages, Node.js folded"));
	play("of");
	draw();
	ck_assert(shows("Node.js folded") && !shows("packages, Node.js folded"));
	play("of");
	draw();
	ck_assert(!shows("folded \302\267") && shows("emit"));
	play("of");
	draw();
	ck_assert(shows("packages, Node.js folded"));
	play(":set fold none<Enter>");
	draw();
	ck_assert(shows("emit"));
	stage_close();
}
END_TEST

/* Tables are about the calls, however the chart is drawn. */
START_TEST(tables_are_the_same_with_and_without_folds)
{
	char *with, *without;

	open_server(APP_START_LONGEST, 24);
	play("6z");
	with = picture(false);
	play("ofof");
	without = picture(false);
	/* The message and the hints of the last rows are others. */
	ck_assert(strncmp(with + 101 * 1, without + 101 * 1, 101 * 20) == 0);
	free(with);
	free(without);
	stage_close();
}
END_TEST

/* Two calls of a package with own code between them by weight: merged, they are one row, first. */
/* The merged view begins where the cursor was, and the time line stays where it is. */
START_TEST(merged_view_selects_the_same_call)
{
	struct span before;

	select_pg();
	before = app->s.chart.selected;
	play("2");
	draw();
	ck_assert_int_eq(app->mode, VIEW_MERGED);
	ck_assert_int_eq(app->s.chart.selected.depth, 2);
	ck_assert_str_eq(selected_name(), "query"); /* the outermost call of the run */
	play("k1");
	draw();
	ck_assert_str_eq(selected_name(), "parse");
	ck_assert_int_eq(app->s.chart.selected.t0, before.t0);
	stage_close();
}
END_TEST

START_TEST(rows_of_merged_calls_are_merged)
{
	static const char text[] = ROOT("2,99") NODE("2", "main", "file:///srv/app.js", "3,4,5")
		NODE("3", "f1", "file:///srv/node_modules/p/a.js", "")
			NODE("4", "own", "file:///srv/app.js", "")
				NODE("5", "f2", "file:///srv/node_modules/p/b.js", "") LAST
		"'endTime':120000,'samples':[3,4,5],'timeDeltas':[0,50000,40000]}";
	struct span *selected;

	stage_open(story_load(text), &(struct app_options){ .fold = FOLD_PACKAGES }, 24, 100);
	draw();
	selected = &app->s.chart.selected;
	play("2jg^jj");
	draw();
	ck_assert_int_eq(selected->depth, 1);
	ck_assert_int_eq(selected->t0, 0);
	ck_assert_int_eq(selected->t1, 80 * NS_PER_MS);
	ck_assert(fold_is_run(app->s.fold, 0, selected->node));
	play("<Space>");
	draw();
	ck_assert_str_eq(selected_name(), "f1");
	play("<Space>");
	draw();
	ck_assert_int_eq(selected->t1 - selected->t0, 80 * NS_PER_MS);
	stage_close();
}
END_TEST

/* Each row of a merged view has one span, with all its time; heavier siblings come first. */
START_TEST(rows_of_random_merged_calls_stand_once)
{
	const struct lane *lane;

	stage_open(random_profile(_i, 60, 300, 1), &(struct app_options){ .fold = FOLD_PACKAGES },
		   24, 100);
	draw();
	play("2");
	draw();
	ck_assert(app->mode == VIEW_MERGED);
	lane = app->s.lanes[0].lane;
	for (int depth = 0; depth < lane->max_depth; depth++) {
		uint8_t *is_seen = xcalloc(lane->tree.n, 1);
		struct span before = { .node = NODE_ROOT }, span;

		for (size_t at = 0; span_next(&lane->samples, &lane->tree, depth, at, &span);
		     at = span.end) {
			ck_assert(!is_seen[span.node]);
			is_seen[span.node] = 1;
			if (before.node != NODE_ROOT &&
			    lane->tree.parent[before.node] == lane->tree.parent[span.node])
				ck_assert_int_ge(before.t1 - before.t0, span.t1 - span.t0);
			before = span;
		}
		free(is_seen);
	}
	stage_close();
}
END_TEST

/* The table is about what is hot in another window, not about the culprit of the first one. */
START_TEST(cursor_is_at_the_top_in_other_windows)
{
	select_pg();
	stage_close();
	open_server(APP_START_WINDOW, 40);
	play("5");
	draw();
	play("ww");
	draw();
	ck_assert_uint_eq(app->pane.tabs[app->pane.tab].cursor, 0);
	ck_assert_uint_eq(app->pane.tabs[app->pane.tab].top, 0);
	stage_close();
}
END_TEST

/* ---- many lanes, and large ones ---- */

#define LANES 300
#define SHOWN_MAX 12 /* lanes that a screen of 24 rows has had */

static int count_made(void)
{
	int n = 0;

	for (int i = 0; i < app->s.chart.n_lanes; i++)
		n += app->s.fold && app->s.fold->lanes[i].is_made;
	return n;
}

START_TEST(lanes_are_folded_when_they_are_shown)
{
	static const char *const keys[] = { "of", "of",    "of", "!",     "/pg<Enter>", "n",
					    "n",  "<Esc>", "!",  "/work", "<Esc>" };
	struct buf text = { 0 };
	int lane;

	buf_addc(&text, '[');
	for (int i = 0; i < LANES; i++)
		buf_addf(&text, "%s%s", i ? "," : "", busy_server);
	buf_addc(&text, ']');
	stage_open(story_load(buf_text(&text)), &(struct app_options){ .fold = FOLD_PACKAGES }, 24,
		   100);
	buf_done(&text);
	draw();
	ck_assert_int_eq(app->s.chart.n_lanes, LANES);
	ck_assert_int_gt(count_made(), 0);
	for (size_t i = 0; i < N(keys); i++) {
		play(keys[i]);
		draw();
		ck_assert_int_le(count_made(), SHOWN_MAX);
		lane = app->s.chart.lane;
		ck_assert(app->folds.mode == FOLD_NONE || app->s.fold->lanes[lane].is_made);
	}
	/* A lane that is opened is folded before it is drawn. */
	for (lane = 0; app->s.fold->lanes[lane].is_made;)
		lane++;
	lanes_open(&app->s, lane, true);
	draw();
	ck_assert(fold_has(app->s.fold, lane) && chart_is_folded(&app->s.chart, lane));
	stage_close();
}
END_TEST

/* Until other folds are complete, those before are drawn, and the screen says so. */
START_TEST(folds_of_a_large_lane_are_made_in_steps)
{
	char *before, *now, *at_once;

	stage_open(random_profile(3, 40000, 60000, 1),
		   &(struct app_options){ .fold = FOLD_PACKAGES, .start = APP_START_LONGEST }, 24,
		   100);
	before = picture(false);
	app->key_ns = 0;
	app_key(app, 'o');
	app_key(app, 'f');
	ck_assert(folds_are_busy(&app->s));
	app_draw(app, &grid);
	now = grid_text();
	ck_assert(strstr(now, "folding calls"));
	/* All rows but the one of messages. */
	ck_assert(strncmp(now, before, 101 * 20) == 0);
	while (app_wait_ms(app) == 0)
		app_timeout(app);
	ck_assert(!folds_are_busy(&app->s) && !shows("folding calls"));
	free(now);
	now = picture(false);
	app_free(app);
	app = app_new(profile,
		      &(struct app_options){ .fold = FOLD_RUNTIME, .start = APP_START_LONGEST });
	app_resize(app, 24, 100);
	at_once = picture(false);
	ck_assert(strncmp(now, before, 101 * 20) != 0);
	ck_assert(strncmp(now, at_once, 101 * 20) == 0);
	free(before);
	free(now);
	free(at_once);
	stage_close();
}
END_TEST

/* ---- the first picture ---- */

/* 100 short calls of work(), and one of slow(). */
static void open_long(enum app_start start, int rows)
{
	struct buf text = { 0 };

	buf_adds(&text,
		 ROOT("2,3,99") NODE("2", "work", "file:///srv/app.js", "")
			 NODE("3", "slow", "file:///srv/app.js", "") LAST
		 "'endTime':4000000,'samples':[99");
	for (int i = 0; i < 200; i++)
		buf_addf(&text, ",%d", i == 120 ? 3 : i % 2 ? 2 : 99);
	buf_adds(&text, "],'timeDeltas':[0");
	for (int i = 0; i < 200; i++)
		buf_addf(&text, ",%d", i == 121 ? 60000 : i % 2 ? 15000 : 100);
	buf_adds(&text, "]}");
	stage_open(story_load(buf_text(&text)),
		   &(struct app_options){ .fold = FOLD_PACKAGES, .start = start }, rows, 100);
	buf_done(&text);
	draw();
}

START_TEST(culprit_is_selected_where_it_can_be_read)
{
	const struct viewport *v;

	open_long(APP_START_WINDOW, 40);
	v = &app->s.view;
	ck_assert_str_eq(selected_name(), "work");
	ck_assert(v->t1 - v->t0 < v->t_max / 2);
	ck_assert(shows("0 whole") && shows("window "));
	/* The tables are about all, */
	ck_assert_int_eq(app->pane.t0, 0);
	ck_assert_int_eq(app->pane.t1, v->t_max);
	ck_assert_uint_eq(
		app->pane.tabs[app->pane.tab].rows.rows[app->pane.tabs[app->pane.tab].cursor].frame,
		folds_selected(&app->s));
	/* until the window changes. */
	play("l");
	draw();
	play("w");
	draw();
	ck_assert_int_eq(app->pane.t1 - app->pane.t0, v->t1 - v->t0);
	play("<BS>");
	draw();
	play("<BS>");
	draw();
	ck_assert_int_eq(v->t0, v->t_min);
	ck_assert_int_eq(v->t1, v->t_max);
	stage_close();
}
END_TEST

/* The name of the other function on the verdict line, too: its box has six cells. */
START_TEST(second_name_stands_in_its_longest_box)
{
	struct buf text = { 0 };
	struct chart chart;
	char *p, *name;

	buf_adds(&text,
		 ROOT("2,99") NODE("2", "serve", "file:///srv/app.js", "3,4")
			 NODE("3", "renderCatalogue", "file:///srv/app.js", "")
				 NODE("4", "formatEveryPrice", "file:///srv/app.js", "") LAST
		 "'endTime':1000000,'samples':[99");
	for (int i = 0; i < 100; i++)
		buf_addf(&text, ",%d", i < 46 ? 3 : i % 6 < 2 ? 3 : 4);
	buf_adds(&text, "],'timeDeltas':[0");
	for (int i = 0; i < 100; i++)
		buf_adds(&text, ",10000");
	buf_adds(&text, "]}");
	stage_open(story_load(buf_text(&text)),
		   &(struct app_options){ .fold = FOLD_PACKAGES, .start = APP_START_WINDOW }, 24,
		   100);
	buf_done(&text);
	draw();
	ck_assert(app->culprit.has_second);
	ck_assert(!app->culprit.has_window);
	ck_assert_str_eq(selected_name(), "renderCatalogue");
	p = picture(false);
	name = strstr(p, "serve "); /* the first row of the chart */
	ck_assert(name && strstr(name, "formatEveryPrice") < strstr(name, " 4 Summary"));
	free(p);
	culprit_name_second(app, &chart);
	ck_assert(chart.has_second);
	play("ob"); /* the calls are those of files */
	draw();
	culprit_name_second(app, &chart);
	ck_assert(!chart.has_second);
	stage_close();
}
END_TEST

START_TEST(key_0_shows_the_whole)
{
	open_long(APP_START_WINDOW, 40);
	play("0");
	draw();
	ck_assert_int_eq(app->s.view.t1, app->s.view.t_max);
	ck_assert(!shows("0 whole") || !shows("window "));
	stage_close();
}
END_TEST

START_TEST(culprit_is_selected_in_the_window_that_was_asked_for)
{
	open_long(APP_START_CULPRIT, 40);
	ck_assert_str_eq(selected_name(), "work");
	ck_assert_int_eq(app->s.view.t0, 0);
	ck_assert_int_eq(app->s.view.t1, app->s.view.t_max);
	stage_close();
}
END_TEST

/* A key that came before the picture: nothing moves behind the user's back. */
START_TEST(nothing_is_selected_after_a_key)
{
	struct span before;

	open_long(APP_START_LONGEST, 40);
	before = app->s.chart.selected;
	app->start_with = APP_START_WINDOW;
	play("l");
	draw();
	ck_assert_int_eq(app->s.view.t1, app->s.view.t_max);
	ck_assert_int_ne(app->s.chart.selected.t0, before.t0);
	stage_close();
}
END_TEST

/* With the rows that are free, the pane is open on a low screen, and closed by the first zoom. */
START_TEST(free_rows_go_to_the_pane)
{
	struct screen_layout layout;
	int rows;

	open_long(APP_START_WINDOW, 24);
	ck_assert(app->is_pane_open);
	state_layout(app, &layout);
	ck_assert_int_ge(layout.pane.rows, 8);
	play("w");
	draw();
	ck_assert(!app->is_pane_open);
	stage_close();
	open_long(APP_START_WINDOW, 40);
	state_layout(app, &layout);
	rows = layout.pane.rows;
	play("w");
	draw();
	state_layout(app, &layout);
	ck_assert(app->is_pane_open);
	ck_assert_int_lt(layout.pane.rows, rows);
	stage_close();
}
END_TEST

/* Another size, before any key: the window is chosen again. */
START_TEST(start_is_chosen_again_for_another_size)
{
	int64_t length;

	open_long(APP_START_WINDOW, 40);
	length = app->s.view.t1 - app->s.view.t0;
	app_resize(app, 40, 50);
	draw();
	ck_assert_str_eq(selected_name(), "work");
	ck_assert_int_lt(app->s.view.t1 - app->s.view.t0, length);
	play("<BS>");
	ck_assert_int_eq(app->s.view.t1, app->s.view.t_max);
	stage_close();
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "fold", SUITE_SECONDS);

	tcase_add_loop_test(t, rows_are_those_of_stacks_folded_call_by_call, 0, SUITE_CASES(60));
	tcase_add_loop_test(t, names_are_paths_that_half_of_the_time_takes, 0, N(stories));
	t = suite_case(suite, "interface", SUITE_SECONDS);
	tcase_add_test(t, space_selects_the_outermost_call_and_goes_back);
	tcase_add_test(t, space_on_own_code_folds_calls_and_not_the_lane);
	tcase_add_test(t, search_shows_the_calls_that_match);
	tcase_add_loop_test(t, walk_goes_to_each_match_of_folded_lanes, 0, 100);
	tcase_add_test(t, marks_keep_their_call_whatever_folds);
	tcase_add_test(t, command_goes_through_the_modes);
	tcase_add_test(t, tables_are_the_same_with_and_without_folds);
	tcase_add_test(t, merged_view_selects_the_same_call);
	tcase_add_test(t, rows_of_merged_calls_are_merged);
	tcase_add_loop_test(t, rows_of_random_merged_calls_stand_once, 0, SUITE_CASES(20));
	tcase_add_test(t, cursor_is_at_the_top_in_other_windows);
	tcase_add_test(t, lanes_are_folded_when_they_are_shown);
	tcase_add_test(t, folds_of_a_large_lane_are_made_in_steps);
	t = suite_case(suite, "start", SUITE_SECONDS);
	tcase_add_test(t, culprit_is_selected_where_it_can_be_read);
	tcase_add_test(t, second_name_stands_in_its_longest_box);
	tcase_add_test(t, key_0_shows_the_whole);
	tcase_add_test(t, culprit_is_selected_in_the_window_that_was_asked_for);
	tcase_add_test(t, nothing_is_selected_after_a_key);
	tcase_add_test(t, free_rows_go_to_the_pane);
	tcase_add_test(t, start_is_chosen_again_for_another_size);
}

int main(void)
{
	return suite_run("fold", add_tests);
}
