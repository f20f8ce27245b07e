/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The chart, as text. Lanes are made by hand: a list of times and stacks, the letters of a
 * stack being functions, the outermost first. Unless a case says otherwise the window is
 * ten columns of 80 ns, so that 10 ns are an eighth of a cell. In the second block of a
 * picture the letter of a hue is replaced by the function (a to f) that has it. */
#include "config.h"

#define SUITE_OF_MANY

#include "suite.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "draw/chart.h"
#include "draw/overview.h"
#include "draw/ruler.h"
#include "draw/screen.c"
#include "model/blocks.h"

#include <check.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define COLS 10
#define N_FRAMES 256

struct sample {
	int64_t t;
	const char *stack;
};

#define SAMPLES_MAX 96

static struct profile profile;
static struct lane lanes[4];
static struct chart_lane chart_lanes[4];
static struct viewport view;
static struct chart chart;
static struct grid grid;
static struct buf text;
static uint8_t matches[N_FRAMES];

/* ---- making a lane ---- */

static frame_id frame_of(char c)
{
	static const struct {
		char c;
		const char *name;
		enum category category;
	} fixed[] = { { 'G', "(garbage collector)", CATEGORY_GC },
		      { 'I', "(idle)", CATEGORY_IDLE },
		      { 'P', "(program)", CATEGORY_PROGRAM },
		      { 'A', "(anonymous)", CATEGORY_APP },
		      { 'L', "aVeryLongNameOfAFunction", CATEGORY_APP },
		      { 'W', "\346\274\242\345\255\227\346\274\242", CATEGORY_APP } };
	char name[2] = { c, 0 };
	struct frame frame = { .category = CATEGORY_APP };

	frame.name = intern_adds(&profile.strings, name);
	for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
		if (fixed[i].c != c)
			continue;
		frame.name = intern_adds(&profile.strings, fixed[i].name);
		frame.category = fixed[i].category;
	}
	if (c == 'A') {
		frame.url = intern_adds(&profile.strings, "file:///x/app.js");
		frame.line = 12;
		frame.column = 5;
	}
	return frame_table_add(&profile.frames, &frame);
}

/* The tree of all stacks; leaf[i] is the node of sample i. */
static void make_tree(struct calltree *tree, const struct sample *list, size_t n, node_id *leaf)
{
	static node_id parent[1024], order[1024];
	static frame_id frame[1024];
	uint32_t used = 1;

	parent[0] = frame[0] = 0;
	for (size_t i = 0; i < n; i++) {
		node_id at = 0;

		for (const char *c = list[i].stack; *c; c++) {
			frame_id want = frame_of(*c);
			node_id child = 1;

			while (child < used && (parent[child] != at || frame[child] != want))
				child++;
			if (child == used) {
				parent[used] = at;
				frame[used++] = want;
			}
			at = child;
		}
		leaf[i] = at;
	}
	calltree_build(tree, used, parent, frame, order);
	for (size_t i = 0; i < n; i++)
		leaf[i] = order[leaf[i]];
}

/* `list` ends with a NULL stack, whose time is the end of the last sample. */
static void make_lane(struct lane *lane, const struct sample *list)
{
	struct samples *s = &lane->samples;
	size_t n = 0;
	int64_t *t;

	while (list[n].stack)
		n++;
	s->n = n;
	t = calloc(n + 1, sizeof *t);
	s->leaf = calloc(n + 1, sizeof *s->leaf);
	s->shared = calloc(n + 1, sizeof *s->shared);
	make_tree(&lane->tree, list, n, s->leaf);
	for (size_t i = 0; i <= n; i++)
		t[i] = list[i].t;
	times_pack(&s->times, t, n + 1, 0);
	for (size_t i = 0; i + 1 < n; i++)
		s->shared[i] =
			lane->tree.rows[calltree_common(&lane->tree, s->leaf[i], s->leaf[i + 1])];
	samples_index(s, &lane->tree, NULL);
	s->blocks = blocks_build(s, lane->tree.n);
	lane->id = (lane_id)(lane - lanes) + 1;
	lane->kind = LANE_SAMPLES;
	lane->has_timeline = true;
	lane->pid = lane->tid = LANE_NO_ID;
	lane->t0 = lane->sampled_t0 = samples_time(s, 0);
	lane->t1 = lane->sampled_t1 = samples_time(s, n);
	lane->max_depth = lane->tree.max_rows;
}

static void add_lane(const struct sample *list)
{
	int i = chart.n_lanes++;

	make_lane(&lanes[i], list);
	profile.n_lanes++;
	chart_lanes[i] = (struct chart_lane){ .lane = &lanes[i],
					      .cover = cover_new(&lanes[i]),
					      .is_open = true };
}

static void setup(void)
{
	memset(&profile, 0, sizeof profile);
	memset(lanes, 0, sizeof lanes);
	memset(chart_lanes, 0, sizeof chart_lanes);
	memset(&chart, 0, sizeof chart);
	memset(&grid, 0, sizeof grid);
	memset(&text, 0, sizeof text);
	memset(matches, 0, sizeof matches);
	intern_init(&profile.strings);
	frame_table_init(&profile.frames);
	profile.lanes = lanes;
	viewport_init(&view, 0, 800);
	chart = (struct chart){ .profile = &profile,
				.lanes = chart_lanes,
				.view = &view,
				.lane = -1 };
}

static void teardown(void)
{
	for (int i = 0; i < chart.n_lanes; i++) {
		cover_free(chart_lanes[i].cover);
		calltree_done(&lanes[i].tree);
		samples_done(&lanes[i].samples);
	}
	frame_table_done(&profile.frames);
	intern_done(&profile.strings);
	grid_done(&grid);
	buf_done(&text);
}

/* ---- looking at it ---- */

static void draw_lanes(struct grid *g, struct rect r)
{
	ck_assert(chart_prepare(&chart, r, BUDGET_UNLIMITED));
	chart_draw_lanes(g, r, &chart);
}

/* The lanes without the title of the first one; roles with hues as the letter of the
 * function, so that cases can be read. */
static const char *lanes_text(int rows, int cols)
{
	struct rect r = { 0, 0, rows, cols };

	grid_init(&grid, rows, cols);
	draw_lanes(&grid, r);
	buf_clear(&text);
	grid_format(&grid, true, &text);
	for (int row = 0; row < rows; row++) {
		for (int col = 0; col < cols; col++) {
			struct cell cell = *grid_at(&grid, row, col);
			char *letter = text.data + text.len -
				(size_t)((rows - row) * (cols + 1) - col);

			/* The hue of `a` to `f`, which all differ; `g` has that of `d`. */
			for (const char *c = "abcdef"; *letter >= 'a' && *letter <= 'l' && *c; c++)
				if (frame_roles_find(NULL, &profile, frame_of(*c)) ==
				    (enum role)(cell.fill != ROLE_PLAIN ? cell.fill : cell.ink)) {
					*letter = *c;
					break;
				}
		}
	}
	return buf_text(&text);
}

#define B1 "\342\226\217"
#define B2 "\342\226\216"
#define B3 "\342\226\215"
#define B4 "\342\226\214"
#define B5 "\342\226\213"
#define B6 "\342\226\212"
#define B7 "\342\226\211"
#define SHADE "\342\226\221"
#define DOTS "\342\200\246"

struct picture {
	const char *what;
	struct sample samples[16];
	const char *blocks; /* below the title: text and roles */
	const char *ascii;
};

static const struct picture pictures[] = {
	{ "whole cells",
	  { { 0, "a" }, { 400, "" }, { 800, NULL } },
	  "a         |\n"
	  "aaaaa.....\n",
	  "|a        |\n"
	  "aaaaa.....\n" },
	{ "ends in cells of which it has more than half",
	  { { 0, "" }, { 110, "a" }, { 450, "" }, { 800, NULL } },
	  " a        |\n"
	  ".aaaaa....\n",
	  " |a       |\n"
	  ".aaaaa....\n" },
	{ "an edge inside a cell",
	  { { 0, "a" }, { 430, "b" }, { 800, NULL } },
	  "a    " B1 "b   |\n"
	  "aaaaabbbbb\n",
	  "|a   |b   |\n"
	  "aaaaabbbbb\n" },
	{ "an edge between cells",
	  { { 0, "a" }, { 400, "b" }, { 800, NULL } },
	  "a    " B1 "b   |\n"
	  "aaaaabbbbb\n",
	  "|a   |b   |\n"
	  "aaaaabbbbb\n" },
	{ "an edge within an eighth of the left border of a cell",
	  { { 0, "a" }, { 410, "b" }, { 800, NULL } },
	  "a    " B1 "b   |\n"
	  "aaaaabbbbb\n",
	  "|a   |b   |\n"
	  "aaaaabbbbb\n" },
	{ "an edge within an eighth of the right border",
	  { { 0, "a" }, { 470, "b" }, { 800, NULL } },
	  "a     " B1 "b  |\n"
	  "aaaaaabbbb\n",
	  "|a    |b  |\n"
	  "aaaaaabbbb\n" },
	{ "a box of two cells, one of which is its seam",
	  { { 0, "a" }, { 470, "b" }, { 650, "" }, { 800, NULL } },
	  "a     " B1 "   |\n"
	  "aaaaaabb..\n",
	  "|a    |   |\n"
	  "aaaaaabb..\n" },
	{ "the last eighth of a span that is seen in the shared cell before",
	  { { 0, "" }, { 330, "c" }, { 360, "d" }, { 380, "a" }, { 410, "b" }, { 800, NULL } },
	  "    " SHADE "b    |\n"
	  "....cbbbbb\n",
	  "    :|b   |\n"
	  "....cbbbbb\n" },
	{ "the same before the page",
	  { { 0, "" }, { 330, "c" }, { 360, "d" }, { 380, "a" }, { 410, "" }, { 800, NULL } },
	  "    " SHADE "     |\n"
	  "....c.....\n",
	  "    :     |\n"
	  "....c.....\n" },
	{ "a narrow span of which the cells are those of wide ones",
	  { { 0, "a" }, { 470, "b" }, { 520, "c" }, { 800, NULL } },
	  "a     " B1 "c  |\n"
	  "aaaaaacccc\n",
	  "|a    ||c |\n"
	  "aaaaaabccc\n" },
	{ "a narrow span with more than half of a cell",
	  { { 0, "a" }, { 470, "b" }, { 530, "c" }, { 800, NULL } },
	  "a     " SHADE "c  |\n"
	  "aaaaaabccc\n",
	  "|a    ||c |\n"
	  "aaaaaabccc\n" },
	{ "both ends within an eighth of the border",
	  { { 0, "" }, { 90, "a" }, { 470, "" }, { 800, NULL } },
	  " a        |\n"
	  ".aaaaa....\n",
	  " |a       |\n"
	  ".aaaaa....\n" },
	{ "a gap of an eighth on both sides of a border is a seam",
	  { { 0, "a" }, { 390, "" }, { 410, "b" }, { 800, NULL } },
	  "a    " B1 "b   |\n"
	  "aaaaabbbbb\n",
	  "|a   |b   |\n"
	  "aaaaabbbbb\n" },
	{ "an edge between cells, blank at left",
	  { { 0, "" }, { 400, "b" }, { 800, NULL } },
	  "     b    |\n"
	  ".....bbbbb\n",
	  "     |b   |\n"
	  ".....bbbbb\n" },
	{ "two of one hue, near the left",
	  { { 0, "d" }, { 420, "g" }, { 800, NULL } },
	  "d    " B1 "g   |\n"
	  "dddddddddd\n",
	  "|d   |g   |\n"
	  "dddddddddd\n" },
	{ "two of one hue, near the right",
	  { { 0, "d" }, { 470, "g" }, { 800, NULL } },
	  "d     " B1 "g  |\n"
	  "dddddddddd\n",
	  "|d    |g  |\n"
	  "dddddddddd\n" },
	{ "three in a cell, of which one has half",
	  { { 0, "a" }, { 410, "b" }, { 440, "c" }, { 800, NULL } },
	  "a    " B1 "c   |\n"
	  "aaaaaccccc\n",
	  "|a   :|c  |\n"
	  "aaaaaccccc\n" },
	{ "three in a cell, of which none has half",
	  { { 0, "a" }, { 410, "b" }, { 450, "c" }, { 800, NULL } },
	  "a    " SHADE "c   |\n"
	  "aaaaabcccc\n",
	  "|a   :|c  |\n"
	  "aaaaabcccc\n" },
	{ "a shared cell between two boxes of its colour is a seam",
	  { { 0, "d" }, { 420, "g" }, { 430, "d" }, { 450, "g" }, { 800, NULL } },
	  "d    " B1 "g   |\n"
	  "dddddddddd\n",
	  "|d   :|g  |\n"
	  "dddddddddd\n" },
	{ "a shared cell of another colour between two of one",
	  { { 0, "d" }, { 430, "a" }, { 455, "g" }, { 800, NULL } },
	  "d    " B1 "g   |\n"
	  "dddddddddd\n",
	  "|d   :|g  |\n"
	  "dddddddddd\n" },
	{ "a gap in a cell",
	  { { 0, "a" }, { 410, "" }, { 440, "c" }, { 800, NULL } },
	  "a    " B1 "c   |\n"
	  "aaaaaccccc\n",
	  "|a   |c   |\n"
	  "aaaaaccccc\n" },
	{ "the same call again",
	  { { 0, "a" }, { 450, "" }, { 470, "a" }, { 800, NULL } },
	  "a     " B1 "a  |\n"
	  "aaaaaaaaaa\n",
	  "|a    |a  |\n"
	  "aaaaaaaaaa\n" },
	{ "slivers",
	  { { 0, "" },
	    { 1, "a" },
	    { 2, "" },
	    { 120, "b" },
	    { 121, "" },
	    { 239, "c" },
	    { 240, "" },
	    { 240, "" },
	    { 330, "a" },
	    { 350, "" },
	    { 450, "b" },
	    { 480, "" },
	    { 800, NULL } },
	  B1 "\342\224\202" B7 " " B3 B5 "    |\n"
	     "abc.ab....\n",
	  "||| ||    |\n"
	  "abc.ab....\n" },
	{ "a sliver over the edge",
	  { { 0, "" }, { 239, "a" }, { 241, "" }, { 800, NULL } },
	  "  " B7 B1 "      |\n"
	  "..aa......\n",
	  "   |      |\n"
	  "...a......\n" },
	{ "a narrow one between two",
	  { { 0, "a" }, { 395, "b" }, { 405, "c" }, { 800, NULL } },
	  "a    " B1 "c   |\n"
	  "aaaaaccccc\n",
	  "|a   ||c  |\n"
	  "aaaaabcccc\n" },
	{ "one and a half cells",
	  { { 0, "" }, { 110, "a" }, { 220, "" }, { 800, NULL } },
	  " a        |\n"
	  ".aa.......\n",
	  " |        |\n"
	  ".aa.......\n" },
	{ "sparse",
	  { { 0, "" },
	    { 80, "a" },
	    { 85, "" },
	    { 90, "b" },
	    { 92, "" },
	    { 170, "a" },
	    { 190, "" },
	    { 200, "b" },
	    { 210, "" },
	    { 240, "a" },
	    { 270, "b" },
	    { 280, "" },
	    { 290, "a" },
	    { 320, "" },
	    { 800, NULL } },
	  " " B1 SHADE SHADE "      |\n"
	  ".aaa......\n",
	  " |::      |\n"
	  ".aaa......\n" },
	{ "fixed roles",
	  { { 0, "I" }, { 240, "P" }, { 480, "G" }, { 800, NULL } },
	  "   " B1 "  " B1 "GC |\n"
	  "IIIPPPGGGG\n",
	  "|  |  |GC |\n"
	  "IIIPPPGGGG\n" },
	{ "no name",
	  { { 0, "A" }, { 800, NULL } },
	  "app.js:12 |\n"
	  "bbbbbbbbbb\n",
	  "|app.js:12|\n"
	  "bbbbbbbbbb\n" },
	{ "long and wide names",
	  { { 0, "L" }, { 400, "W" }, { 800, NULL } },
	  "aVery" B1 "\346\274\242\345\255\227|\n"
	  "hhhhhaaaaa\n",
	  "|aVer|\346\274\242\345\255\227|\n"
	  "hhhhhaaaaa\n" },
	{ "begins left of the window",
	  { { -500, "L" }, { 480, "a" }, { 1900, NULL } },
	  "aVeryL" B1 "a  |\n"
	  "hhhhhhaaaa\n",
	  "aVeryL|a  |\n"
	  "hhhhhhaaaa\n" },
	{ "depths",
	  { { 0, "abc" }, { 240, "ab" }, { 400, "a" }, { 560, "ae" }, { 800, NULL } },
	  "a         |\n"
	  "b      e  |\n"
	  "c         |\n"
	  "aaaaaaaaaa\n"
	  "bbbbb..eee\n"
	  "ccc.......\n",
	  "|a        |\n"
	  "|b     |e |\n"
	  "|c        |\n"
	  "aaaaaaaaaa\n"
	  "bbbbb..eee\n"
	  "ccc.......\n" },
	{ "no time at all",
	  { { 0, "" }, { 200, "a" }, { 200, "" }, { 800, NULL } },
	  "  " B1 "       |\n"
	  "..a.......\n",
	  "  |       |\n"
	  "..a.......\n" },
};

/* ---- tests ---- */

START_TEST(picture)
{
	const struct picture *p = &pictures[_i];

	add_lane(p->samples);
	view.scroll = 1;
	ck_assert_msg(strcmp(lanes_text(lanes[0].max_depth, COLS), p->blocks) == 0,
		      "%s:\n%s\nexpected\n%s", p->what, buf_text(&text), p->blocks);
	chart.is_ascii = true;
	ck_assert_msg(strcmp(lanes_text(lanes[0].max_depth, COLS), p->ascii) == 0,
		      "%s:\n%s\nexpected\n%s", p->what, buf_text(&text), p->ascii);
}
END_TEST

static const struct sample three_calls[] = { { 0, "ab" },   { 240, "a" },   { 320, "ac" },
					     { 560, "ab" }, { 640, "abc" }, { 800, NULL } };

static void select_at(int lane, int depth, int64_t t)
{
	chart.lane = lane;
	chart.has_selection = span_at(&lanes[lane].samples, &lanes[lane].tree, depth, t,
				      &chart.selected);
	ck_assert(chart.has_selection);
}

/* Rows of one colour would melt. It belongs to the depth: a row that scrolls keeps its colours. */
START_TEST(every_other_row_has_another_tone)
{
	add_lane(three_calls);
	for (int scroll = 1; scroll < 3; scroll++) {
		view.scroll = scroll;
		lanes_text(lanes[0].max_depth, COLS);
		for (int row = 0; row < 2; row++)
			for (int col = 0; col < COLS; col++)
				ck_assert_int_eq((grid_at(&grid, row, col)->flags & CELL_ODD) != 0,
						 (row + scroll - 1) % 2);
	}
}
END_TEST

START_TEST(selection_and_matches)
{
	add_lane(three_calls);
	view.scroll = 1;
	select_at(0, 1, 100);
	matches[frame_of('c')] = 1;
	chart.matches.frames = matches;
	ck_assert_str_eq(lanes_text(3, COLS),
			 "a         |\nb   c  " B1 "b |\n        c |\n"
			 "aaaaaaaaaa\nSbS.MMMbbb\n........MM\n");
	/* The same function at another depth, and in another lane. */
	select_at(0, 2, 700);
	ck_assert_str_eq(lanes_text(3, COLS),
			 "a         |\nb   c  " B1 "b |\n        c |\n"
			 "aaaaaaaaaa\nbbb.MMMbbb\n........SS\n");
	chart.matches.frames = NULL;
	add_lane(three_calls);
	select_at(1, 1, 350);
	ck_assert_str_eq(lanes_text(3, COLS),
			 "a         |\nb   c  " B1 "b |\n      \342\226\276 c |\n"
			 "aaaaaaaaaa\nbbb.cccbbb\n......K.K.\n");
}
END_TEST

/* A cell where one ends and another begins belongs to the one that has half of it. */
static const struct {
	int64_t t;
	const char *expect;
} edge_cases[] = {
	{ 100, "a    " B1 "b   |\nSaaaSbbbbb\n" },
	{ 500, "a    " B1 "b   |\naaaaaSSbbS\n" },
};

START_TEST(selection_at_edge)
{
	static const struct sample samples[] = { { 0, "a" }, { 430, "b" }, { 800, NULL } };

	add_lane(samples);
	view.scroll = 1;
	select_at(0, 0, edge_cases[_i].t);
	ck_assert_str_eq(lanes_text(1, COLS), edge_cases[_i].expect);
}
END_TEST

/* Two spans share the first or the last cell of the window, and the selected one has no other cell
 * there: that cell is selected, whichever of the two has more of it. Columns are 80 ns. */
static const struct {
	const char *rule;
	struct sample samples[5];
	int64_t from, selected;
	int col;
	bool is_of_blocks; /* rounded to whole cells it is not in the window */
} window_edges[] = {
	{ "the left of two that touch",
	  { { 0, "a" }, { 140, "b" }, { 1600, NULL } },
	  100,
	  0,
	  0,
	  false },
	{ "the left of two with a gap, the smaller part",
	  { { 0, "a" }, { 110, "" }, { 150, "b" }, { 1600, NULL } },
	  100,
	  0,
	  0,
	  false },
	{ "the right of two with a gap, the smaller part",
	  { { 0, "a" }, { 850, "" }, { 880, "b" }, { 1600, NULL } },
	  100,
	  900,
	  9,
	  true },
};

START_TEST(selection_at_window_edge)
{
	add_lane(window_edges[_i].samples);
	view.scroll = 1;
	viewport_init(&view, 0, 1600);
	viewport_set(&view, window_edges[_i].from, window_edges[_i].from + 800);
	view.scroll = 1;
	select_at(0, 0, window_edges[_i].selected);
	for (int is_ascii = 0; is_ascii < 2 - window_edges[_i].is_of_blocks; is_ascii++) {
		chart.is_ascii = is_ascii;
		lanes_text(1, COLS);
		for (int col = 0; col < COLS; col++)
			ck_assert_msg(!(grid_at(&grid, 0, col)->flags & CELL_SELECTED) ==
					      (col != window_edges[_i].col),
				      "%s: column %d:\n%s", window_edges[_i].rule, col,
				      buf_text(&text));
	}
}
END_TEST

/* The selected span is visible at any length and place. */
START_TEST(selection_is_seen)
{
	int64_t t0 = 80 + _i % 82, t1 = t0 + 1 + _i / 82 * 40;
	struct sample samples[] = { { 0, "a" },  { 78, "c" },     { t0, "b" },
				    { t1, "d" }, { t1 + 3, "a" }, { 800, NULL } };

	add_lane(samples);
	view.scroll = 1;
	select_at(0, 0, t0);
	ck_assert_msg(strchr(lanes_text(1, COLS), 'S') != NULL, "%d-%d: %s", (int)t0, (int)t1,
		      buf_text(&text));
	/* Two cells or more have a box; what has less has a sign. */
	ck_assert_int_eq(strstr(buf_text(&text), "\342\227\206") != NULL, t1 - t0 < 160);
	chart.is_ascii = true;
	ck_assert_msg(strchr(lanes_text(1, COLS), 'S') != NULL, "%d-%d: %s", (int)t0, (int)t1,
		      buf_text(&text));
}
END_TEST

/* The span of the first row that begins or goes on in the column [from, end) of the window; the
 * list ends with NULL. */
static struct span find_span(const struct sample *samples, int64_t from, int64_t end)
{
	const struct sample *first = samples, *last;

	while (!*first->stack || first[1].t <= from)
		first++;
	ck_assert_int_lt(first->t, end);
	last = first;
	while (first > samples && first[-1].stack[0] == first->stack[0])
		first--;
	while (last[1].stack && last[1].stack[0] == last->stack[0])
		last++;
	return (struct span){ .t0 = first->t, .t1 = last[1].t };
}

/* Whether the first span of a column has a cell or more. */
static bool is_wide(const struct sample *samples, int c)
{
	struct span s = find_span(samples, c * 80, c * 80 + 80);

	return s.t1 - s.t0 >= 80;
}

/* Whether what a span has of a column, an eighth at most, may be left out: it has a cell or more,
 * or is seen in the column beside. */
static bool may_be_left_out(const struct sample *samples, int c)
{
	int64_t from = c * 80, end = from + 80;
	struct span s = find_span(samples, from, end);

	return s.t1 - s.t0 >= 80 || (c + 1 < COLS && s.t1 - end >= 20) ||
		(c > 0 &&
		 (from - s.t0 >= 20 ||
		  (from > s.t0 && grid_at(&grid, 0, c - 1)->flags & CELL_SHARED)));
}

/* No cell with spans is blank, and empty cells stay empty. But up to half of a cell at the ends of
 * a wide span may be left out, and an eighth of one that is seen beside. */
START_TEST(nothing_is_lost)
{
	static const char *const stacks[] = { "", "a", "b", "", "c", "ab" };
	struct sample samples[SAMPLES_MAX];
	uint64_t seed = 12345u + (uint64_t)_i * 7919u;
	int n = 8 + _i % 40;
	int64_t t = 0;

	for (int i = 0; i < n; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
		samples[i] = (struct sample){ t, stacks[(seed >> 33) % 6] };
		t += (int64_t)(seed >> 50) % (n < 20 ? 90 : 30);
	}
	samples[n] = (struct sample){ t > 800 ? t : 801, NULL };
	add_lane(samples);
	view.scroll = 1;
	for (int is_ascii = 0; is_ascii < 2; is_ascii++) {
		chart.is_ascii = is_ascii;
		lanes_text(1, COLS);
		for (int c = 0; c < COLS; c++) {
			const struct cell *cell = grid_at(&grid, 0, c);
			int n_rows;
			const struct cover_cell *cover = cover_column(chart_lanes[0].cover, c * 80,
								      c * 80 + 80, &n_rows);
			bool is_drawn = cell->fill != ROLE_PLAIN || cell->ch != ' ';

			if (n_rows == 0 || cover->node == NODE_ROOT)
				ck_assert(!is_drawn);
			else if (!is_ascii &&
				 (cover->parts > 1 || cover->all_ns > 40 ||
				  (cover->all_ns > 15 && !is_wide(samples, c)) ||
				  (cover->all_ns >= 5 && !may_be_left_out(samples, c))))
				ck_assert(is_drawn);
			if (cell->flags & CELL_SHARED && cover->parts == 1)
				ck_assert_int_lt(cover->all_ns, 80);
		}
	}
}
END_TEST

static bool is_equal(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->mark == b->mark && a->ink == b->ink && a->fill == b->fill &&
		a->flags == b->flags;
}

/* The name of a selected call that is too narrow stands beside its sign. */
START_TEST(name_of_a_narrow_selection_stands_beside_its_sign)
{
	static const struct sample list[] = { { 0, "a" },
					      { 320, "b" },
					      { 330, "c" },
					      { 800, NULL } };

	add_lane(list);
	select_at(0, 0, 320);
	lanes_text(2, COLS);
	ck_assert_uint_eq(grid_at(&grid, 1, 4)->ch, 0x25C6);
	ck_assert_uint_eq(grid_at(&grid, 1, 5)->ch, 'b');
	ck_assert(grid_at(&grid, 1, 5)->flags & CELL_BOLD);
	ck_assert_uint_eq(grid_at(&grid, 1, 6)->ch, ' ');
}
END_TEST

/* A span without length, at the edge where a box begins after a gap. */
START_TEST(label_leaves_the_sign_of_an_instant)
{
	static const struct sample list[] = { { 0, "a" },
					      { 240, "" },
					      { 320, "b" },
					      { 320, "c" },
					      { 800, NULL } };

	add_lane(list);
	chart.lane = 0;
	chart.has_selection = span_of_sample(&lanes[0].samples, &lanes[0].tree, 2, 0,
					     &chart.selected);
	ck_assert(chart.has_selection);
	ck_assert_int_eq(chart.selected.t1, 320);
	lanes_text(2, COLS);
	ck_assert_uint_eq(grid_at(&grid, 1, 4)->ch, 0x25C6);
	ck_assert_uint_eq(grid_at(&grid, 1, 5)->ch, 'c');
}
END_TEST

/* A scrolled picture is a part of the whole picture. */
START_TEST(scrolled)
{
	struct rect whole = { 0, 0, 10, COLS }, part = { 1, 2, 3, COLS };
	struct grid all = { 0 };

	add_lane(three_calls);
	add_lane(three_calls);
	add_lane(three_calls);
	chart_lanes[1].is_open = false;
	ck_assert_int_eq(chart_height(&chart), 9);
	ck_assert_int_eq(chart_lane_top(&chart, 2), 5);
	grid_init(&all, 10, COLS);
	draw_lanes(&all, whole);
	grid_init(&grid, 5, COLS + 4);
	view.scroll = _i;
	draw_lanes(&grid, part);
	for (int row = 0; row < 3; row++)
		for (int col = 0; col < COLS && _i + row < 10; col++)
			ck_assert_msg(is_equal(grid_at(&grid, row + 1, col + 2),
					       grid_at(&all, _i + row, col)),
				      "row %d col %d", row, col);
	for (int col = 0; col < COLS + 4; col++)
		ck_assert(grid_at(&grid, 0, col)->ch == ' ' && grid_at(&grid, 4, col)->ch == ' ');
	grid_done(&all);
}
END_TEST

static const struct {
	int row, col;
	bool is_hit;
	int lane, depth;
	int64_t t;
} hit_cases[] = {
	{ 2, 3, true, 0, -1, 40 },  { 3, 3, true, 0, 0, 40 },   { 5, 12, true, 0, 2, 760 },
	{ 6, 4, true, 1, -1, 120 }, { 7, 4, true, 2, -1, 120 }, { 8, 4, true, 2, 0, 120 },
	{ 1, 4, false, 0, 0, 0 },   { 11, 4, false, 0, 0, 0 },  { 20, 4, false, 0, 0, 0 },
	{ 4, 2, false, 0, 0, 0 },   { 4, 13, false, 0, 0, 0 },
};

START_TEST(hit)
{
	struct rect r = { 2, 3, 12, COLS };
	struct chart_place at = { -5, -5, -5 };

	add_lane(three_calls);
	add_lane(three_calls);
	add_lane(three_calls);
	chart_lanes[1].is_open = false;
	ck_assert_int_eq(chart_hit(&chart, r, hit_cases[_i].row, hit_cases[_i].col, &at),
			 hit_cases[_i].is_hit);
	if (!hit_cases[_i].is_hit)
		return;
	ck_assert_int_eq(at.lane, hit_cases[_i].lane);
	ck_assert_int_eq(at.depth, hit_cases[_i].depth);
	ck_assert_int_eq(at.t, hit_cases[_i].t);
}
END_TEST

/* A lane that grows upwards has its outermost row at the bottom. */
START_TEST(hit_in_flipped_lane)
{
	struct rect r = { 2, 3, 12, COLS };

	add_lane(three_calls);
	chart_lanes[0].is_flipped = true;
	for (int row = 0; row < 3; row++) {
		struct chart_place at;

		ck_assert(chart_hit(&chart, r, r.row + 1 + row, 4, &at));
		ck_assert_int_eq(at.lane, 0);
		ck_assert_int_eq(at.depth, 2 - row);
	}
}
END_TEST

/* The row of a process is bold while it is collapsed and has the lane with the cursor. */
START_TEST(the_row_of_a_process_is_hit_and_marked)
{
	struct rect r = { 2, 3, 12, COLS };
	struct chart_place at;

	add_lane(three_calls);
	add_lane(three_calls);
	add_lane(three_calls);
	chart.has_groups = true;
	chart_lanes[0].has_group = chart_lanes[2].has_group = true;
	ck_assert(chart_hit(&chart, r, r.row, 4, &at));
	ck_assert_int_eq(at.lane, 0);
	ck_assert_int_eq(at.depth, -2);
	ck_assert(chart_hit(&chart, r, r.row + 1, 4, &at));
	ck_assert_int_eq(at.lane, 0);
	ck_assert_int_eq(at.depth, -1);
	for (int lane = 0; lane < 3; lane++) {
		for (int is_shut = 0; is_shut < 2; is_shut++) {
			chart.lane = lane;
			chart_lanes[0].is_shut = chart_lanes[1].is_shut = is_shut;
			grid_init(&grid, 20, COLS);
			draw_lanes(&grid, (struct rect){ 0, 0, 20, COLS });
			ck_assert_int_eq((grid_at(&grid, 0, 0)->flags & CELL_BOLD) != 0,
					 is_shut && lane < 2);
		}
	}
}
END_TEST

/* Columns shorter than a nanosecond show the span of their nanosecond. */
START_TEST(more_columns_than_nanoseconds)
{
	static const struct sample list[] = { { 0, "a" }, { 3, "b" }, { 5, NULL } };

	add_lane(list);
	viewport_init(&view, 0, 5);
	chart.is_ascii = true;
	view.scroll = 1;
	ck_assert_str_eq(lanes_text(1, COLS), "|a    |b  |\naaaaaabbbb\n");
}
END_TEST

/* Labels of idle and (program) are dim, and need five cells. */
START_TEST(labels_of_quiet_functions_are_dim)
{
	static const struct sample list[] = { { 0, "a" },
					      { 240, "I" },
					      { 480, "P" },
					      { 800, NULL } };
	static const enum role inks[] = { ROLE_LABEL, ROLE_DIM, ROLE_DIM };

	add_lane(list);
	lanes_text(2, 24);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(grid_at(&grid, 1, 8 * i + 1)->ink, inks[i]);
	lanes_text(2, COLS);
	ck_assert_msg(!strchr(buf_text(&text), '('), "%s", buf_text(&text));
}
END_TEST

/* So is one of a flipped lane. */
START_TEST(scrolled_in_a_flipped_lane)
{
	struct rect part = { 0, 0, 1 + _i % 3, COLS };
	struct grid all = { 0 };
	int n_rows;

	add_lane(three_calls);
	chart_lanes[0].is_flipped = true;
	n_rows = chart_height(&chart);
	grid_init(&all, n_rows + 3, COLS);
	draw_lanes(&all, (struct rect){ 0, 0, n_rows + 3, COLS });
	grid_init(&grid, 3, COLS);
	view.scroll = _i / 3;
	draw_lanes(&grid, part);
	for (int row = 0; row < part.rows && row + _i / 3 < n_rows; row++)
		for (int col = 0; col < COLS; col++)
			ck_assert_msg(is_equal(grid_at(&grid, row, col),
					       grid_at(&all, _i / 3 + row, col)),
				      "row %d col %d", row, col);
	grid_done(&all);
}
END_TEST

/* No part draws outside of its rectangle, and nothing into one without rows or columns. */
START_TEST(only_the_rectangle_is_drawn)
{
	struct rect r = { 2, 3, _i / 3, (const int[]){ 0, 1, COLS }[_i % 3] };
	struct overview o = { 0 };

	add_lane(three_calls);
	chart.overview = &o;
	overview_begin(&o, &chart, r.cols);
	for (int part = 0; part < 4; part++) {
		grid_init(&grid, 8, COLS + 6);
		for (int row = 0; row < 8; row++)
			grid_fill(&grid, row, 0, COLS + 6, ROLE_ROW);
		if (part == 0)
			chart_draw_lanes(&grid, r, &chart);
		else if (part == 1)
			ruler_draw(&grid, (struct rect){ r.row, r.col, r.rows > 0, r.cols },
				   &chart);
		else
			overview_draw(&grid, r, &chart);
		if (part == 2)
			overview_make(&o, &chart, BUDGET_UNLIMITED);
		for (int row = 0; row < 8; row++)
			for (int col = 0; col < COLS + 6; col++) {
				const struct cell *cell = grid_at(&grid, row, col);

				if (row < r.row || row >= r.row + r.rows || col < r.col ||
				    col >= r.col + r.cols)
					ck_assert_msg(cell->ch == ' ' && cell->fill == ROLE_ROW,
						      "part %d, row %d col %d", part, row, col);
			}
	}
	overview_done(&o);
}
END_TEST

static const struct {
	int64_t pid, tid;
	const char *process, *thread;
	bool is_open, is_ascii;
	const char *expect;
} title_cases[] = {
	{ LANE_NO_ID, LANE_NO_ID, "", "", true, false,
	  "\342\226\276 main thread  busy 50.0 % of 800 ns \302\267 5 samples        |\n" },
	{ 123, 0, "", "", true, false,
	  "\342\226\276 main thre" DOTS "(pid 123)  busy 50.0 % of 800 ns \302\267 5 samples|\n" },
	{ 123, 3, "", "", true, true,
	  "v thread 3 (pid 123)  busy 50.0 % of 800 ns - 5 samples |\n" },
	{ 7, 3, "build", "Com\033positor", true, true,
	  "v build: Co~r (pid 7)  busy 50.0 % of 800 ns - 5 samples|\n" },
};

START_TEST(title)
{
	add_lane(three_calls);
	lanes[0].pid = title_cases[_i].pid;
	lanes[0].tid = title_cases[_i].tid;
	lanes[0].process_name = intern_adds(&profile.strings, title_cases[_i].process);
	lanes[0].thread_name = intern_adds(&profile.strings, title_cases[_i].thread);
	lanes[0].busy_ns = 400;
	lanes[0].n_samples = lanes[0].samples.n;
	chart_lanes[0].is_open = title_cases[_i].is_open;
	chart.is_ascii = title_cases[_i].is_ascii;
	chart.lane = _i % 2 ? 0 : -1;
	grid_init(&grid, 1, 56);
	draw_lanes(&grid, (struct rect){ 0, 0, 1, 56 });
	if (chart.is_ascii)
		ascii_convert(&grid);
	grid_format(&grid, false, &text);
	ck_assert_str_eq(buf_text(&text), title_cases[_i].expect);
	for (int col = 0; col < 56; col++) {
		ck_assert_uint_eq(grid_at(&grid, 0, col)->fill, ROLE_TITLE);
		ck_assert_uint_eq(grid_at(&grid, 0, col)->flags, _i % 2 ? CELL_BOLD : 0);
	}
}
END_TEST

/* A title that has no room for the figures still ends in the rectangle. */
START_TEST(narrow_title)
{
	add_lane(three_calls);
	lanes[0].tid = 3;
	lanes[0].thread_name = intern_adds(&profile.strings, "a long name of a thread");
	grid_init(&grid, 1, 40);
	draw_lanes(&grid, (struct rect){ 0, 2, 1, 16 });
	grid_format(&grid, false, &text);
	ck_assert_str_eq(buf_text(&text),
			 "  \342\226\276 a long \342\200\246thread                      |\n");
}
END_TEST

/* Columns shorter than a nanosecond, one column, no column. */
START_TEST(odd_sizes)
{
	static const int cols[] = { 0, 1, 2, 130, 250 };

	add_lane(three_calls);
	viewport_set(&view, 200, 300);
	grid_init(&grid, 4, 250);
	draw_lanes(&grid, (struct rect){ 0, 0, 4, cols[_i] });
	ruler_draw(&grid, (struct rect){ 0, 0, 1, cols[_i] }, &chart);
	draw_lanes(&grid, (struct rect){ 3, 240, 4, cols[_i] });
	grid_format(&grid, true, &text);
	if (cols[_i] == 250) {
		/* b ends at 240: four tenths of the window. */
		ck_assert_uint_ne(grid_at(&grid, 2, 99)->fill, ROLE_PLAIN);
		ck_assert_uint_eq(grid_at(&grid, 2, 100)->fill, ROLE_PLAIN);
	}
}
END_TEST

static const struct {
	int64_t t0, t1, origin;
	int cols;
	bool is_ascii;
	const char *expect;
} ruler_cases[] = {
	{ 0, 800000000, 0, 40, false,
	  "\342\224\2020        \342\224\202200 ms   \342\224\202400 ms   \342\224\202600 ms   |\n" },
	{ 50000000, 850000000, 0, 40, true, "       |200 ms   |400 ms   |600 ms   |  |\n" },
	{ 0, 500000, 3000000000, 40, true, "|3.0000 s       |3.0002 s       |       |\n" },
	{ 0, 500, 0, 3, true, "|0 |\n" },
};

START_TEST(pinned_range_is_marked)
{
	viewport_init(&view, 0, INT64_C(1000000000));
	chart.n_lanes = 1; /* without lanes there is no ruler */
	chart.has_range = true;
	chart.range_t0 = INT64_C(300000000);
	chart.range_t1 = INT64_C(500000000);
	grid_init(&grid, 1, 40);
	ruler_draw(&grid, (struct rect){ 0, 0, 1, 40 }, &chart);
	ck_assert_int_eq(grid_at(&grid, 0, 12)->ch, '[');
	ck_assert_int_eq(grid_at(&grid, 0, 19)->ch, ']');
	for (int c = 0; c < 40; c++)
		ck_assert_int_eq(grid_at(&grid, 0, c)->fill,
				 c >= 12 && c < 20 ? ROLE_WINDOW : ROLE_TITLE);
	/* Of a picture that is wider than the grid, nothing goes into the next row. */
	grid_init(&grid, 2, 20);
	ruler_draw(&grid, (struct rect){ 0, 2, 1, 40 }, &chart);
	for (int c = 0; c < 20; c++) {
		ck_assert_int_eq(grid_at(&grid, 0, c)->fill,
				 c >= 14          ? ROLE_WINDOW
					 : c >= 2 ? ROLE_TITLE
						  : ROLE_PLAIN);
		ck_assert_int_eq(grid_at(&grid, 1, c)->fill, ROLE_PLAIN);
	}
	grid_init(&grid, 1, 40);
	/* Both ends outside of the window. */
	viewport_set(&view, INT64_C(350000000), INT64_C(450000000));
	ruler_draw(&grid, (struct rect){ 0, 0, 1, 40 }, &chart);
	for (int c = 0; c < 40; c++) {
		ck_assert_int_eq(grid_at(&grid, 0, c)->fill, ROLE_WINDOW);
		ck_assert(grid_at(&grid, 0, c)->ch != '[' && grid_at(&grid, 0, c)->ch != ']');
	}
}
END_TEST

START_TEST(ruler)
{
	int cols = ruler_cases[_i].cols;

	viewport_init(&view, 0, INT64_C(1000000000));
	chart.n_lanes = 1;
	viewport_set(&view, ruler_cases[_i].t0, ruler_cases[_i].t1);
	profile.origin_ns = ruler_cases[_i].origin;
	chart.times = CHART_TIMES_FILE;
	chart.is_ascii = ruler_cases[_i].is_ascii;
	grid_init(&grid, 1, cols);
	ruler_draw(&grid, (struct rect){ 0, 0, 1, cols }, &chart);
	if (chart.is_ascii)
		ascii_convert(&grid);
	grid_format(&grid, false, &text);
	ck_assert_str_eq(buf_text(&text), ruler_cases[_i].expect);
}
END_TEST

static const struct {
	int64_t t0, t1;
	int rows;
	bool is_ascii;
	const char *expect;
} overview_cases[] = {
	{ 0, 800, 1, false,
	  "\342\226\210\342\226\204\342\226\204\342\226\201  \342\226\210\342\226\210\342\226\210 |\nBBBB..BBB.\n" },
	{ 80, 240, 1, false,
	  "[\342\226\204\342\226\204]  \342\226\210\342\226\210\342\226\210 |\nWBBW..BBB.\n" },
	{ 0, 240, 1, true, "[==]  ### |\nWBBW..BBB.\n" },
	{ 560, 800, 1, true, "#==.  [##]|\nBBBB..WBBW\n" },
	{ 0, 800, 2, false,
	  "\342\226\210     \342\226\210\342\226\210\342\226\210 |\n"
	  "\342\226\210\342\226\210\342\226\210\342\226\201  \342\226\210\342\226\210\342\226\210 |\nB.....BBB.\nBBBB..BBB.\n" },
};

#define UNMADE "\302\267"
#define UNMADE_ROW UNMADE UNMADE UNMADE UNMADE UNMADE UNMADE UNMADE UNMADE UNMADE UNMADE
#define UNMADE_ROWS "\n" UNMADE_ROW "|\n          |\n"

/* Columns that were not computed are marked in the first row, and blank below; the others are
 * complete. */
START_TEST(unfinished)
{
	static const struct sample list[] = { { 0, "a" },
					      { 120, "ab" },
					      { 480, "b" },
					      { 800, NULL } };
	struct rect r = { 0, 0, 3, COLS };
	struct overview o = { 0 };
	char *whole;
	int n_rows;

	add_lane(list);
	whole = xstrdup(lanes_text(3, COLS));
	cover_free(chart_lanes[0].cover);
	chart_lanes[0].cover = cover_new(&lanes[0]);
	grid_init(&grid, 3, COLS);
	chart_draw_lanes(&grid, r, &chart);
	buf_clear(&text);
	grid_format(&grid, false, &text);
	ck_assert_ptr_nonnull(strstr(buf_text(&text), UNMADE_ROWS));
	cover_column(chart_lanes[0].cover, 0, 800 / COLS, &n_rows);
	chart_draw_lanes(&grid, r, &chart);
	ck_assert_uint_eq(grid_at(&grid, 1, 0)->ch, ' ');
	ck_assert_uint_eq(grid_at(&grid, 1, 1)->ch, 0xB7);
	ck_assert(chart_prepare(&chart, r, BUDGET_UNLIMITED));
	ck_assert(chart_prepare(&chart, r, a_step()));
	ck_assert_str_eq(lanes_text(3, COLS), whole);
	overview_begin(&o, &chart, COLS);
	chart.overview = &o;
	overview_draw(&grid, r, &chart);
	ck_assert_uint_eq(grid_at(&grid, 1, COLS - 1)->ch, 0xB7);
	ck_assert(overview_make(&o, &chart, BUDGET_UNLIMITED));
	overview_draw(&grid, r, &chart);
	ck_assert_uint_ne(grid_at(&grid, 1, COLS - 1)->ch, 0xB7);
	overview_done(&o);
	free(whole);
}
END_TEST

/* Drawing computes nothing: drawn twice without an update, a picture stays unfinished. */
START_TEST(drawing_computes_nothing)
{
	static const struct sample list[] = { { 0, "a" },
					      { 120, "ab" },
					      { 480, "b" },
					      { 800, NULL } };
	struct rect r = { 0, 0, 3, COLS };
	int n_rows = -1;

	add_lane(list);
	for (int i = 0; i < 2; i++) {
		grid_init(&grid, 3, COLS);
		chart_draw_lanes(&grid, r, &chart);
		buf_clear(&text);
		grid_format(&grid, false, &text);
		ck_assert_ptr_nonnull(strstr(buf_text(&text), UNMADE_ROWS));
	}
	ck_assert_ptr_null(cover_known(chart_lanes[0].cover, 0, 800 / COLS, 0, INT_MAX, &n_rows));
	ck_assert_int_eq(n_rows, -1);
	ck_assert(!cover_has(chart_lanes[0].cover, 0, 800 / COLS));
}
END_TEST

/* Only what is in view is computed. */
START_TEST(a_closed_lane_is_not_computed)
{
	struct rect r = { 0, 0, 12, COLS };

	add_lane(three_calls);
	add_lane(three_calls);
	add_lane(three_calls);
	chart_lanes[1].is_open = false;
	view.scroll = 4;
	ck_assert(chart_prepare(&chart, r, BUDGET_UNLIMITED));
	ck_assert(!cover_has(chart_lanes[0].cover, 0, 800 / COLS));
	ck_assert(!cover_has(chart_lanes[1].cover, 0, 800 / COLS));
	ck_assert(cover_has(chart_lanes[2].cover, 0, 800 / COLS));
	/* One row of the first lane comes into view. */
	view.scroll = 3;
	ck_assert(chart_prepare(&chart, r, BUDGET_UNLIMITED));
	ck_assert(cover_has(chart_lanes[0].cover, 0, 800 / COLS));
}
END_TEST

static uint64_t below(uint64_t n)
{
	static uint64_t calls;

	return hash_u64(++calls) % n;
}

/* No column of a picture replaces another one, also after many other pictures. */
START_TEST(picture_stays_known)
{
	static const struct sample list[] = { { 0, "a" },
					      { 120, "ab" },
					      { 480, "b" },
					      { 800, NULL } };
	int cols = _i % 2 ? 1000 - (int)below(100) : 1 + (int)below(250);
	struct rect r = { 0, 0, 3, cols };
	int64_t whole = _i % 3 == 0 ? 800 : 1 + (int64_t)below(INT64_C(1) << (10 + _i));

	add_lane(list);
	viewport_init(&view, 0, whole);
	for (int i = 0; i < 60; i++) {
		int64_t t0 = (int64_t)below((uint64_t)whole), room = whole - t0;

		viewport_set(&view, t0, t0 + 1 + (int64_t)below((uint64_t)room));
		ck_assert(chart_prepare(&chart, r, BUDGET_UNLIMITED));
		for (int c = 0; c < cols; c++) {
			int64_t c0 = viewport_time(&view, c, cols),
				c1 = viewport_time(&view, c + 1, cols);
			int n_rows;

			/* The last column has the end of the time line. */
			c1 = c + 1 == cols ? viewport_end(&view) : c1;
			ck_assert_msg(cover_known(chart_lanes[0].cover, c0, c1 > c0 ? c1 : c0 + 1,
						  0, INT_MAX, &n_rows),
				      "column %d of %d: [%" PRId64 ", %" PRId64 ")", c, cols, c0,
				      c1);
		}
	}
}
END_TEST

START_TEST(overview)
{
	static const struct sample first[] = { { 0, "a" },    { 120, "I" }, { 200, "ab" },
					       { 240, "" },   { 312, "a" }, { 313, "I" },
					       { 480, "aG" }, { 480, "a" }, { 555, "aG" },
					       { 640, "I" },  { 800, NULL } };
	static const struct sample second[] = { { 240, "I" }, { 640, "P" }, { 720, NULL } };
	struct overview o = { 0 };
	int rows = overview_cases[_i].rows;

	add_lane(first);
	add_lane(second);
	chart.lane = -1;
	overview_begin(&o, &chart, COLS);
	ck_assert(!overview_make(&o, &chart, a_step()));
	ck_assert(overview_make(&o, &chart, BUDGET_UNLIMITED));
	viewport_set(&view, overview_cases[_i].t0, overview_cases[_i].t1);
	chart.is_ascii = overview_cases[_i].is_ascii;
	chart.overview = &o;
	grid_init(&grid, rows, COLS);
	overview_draw(&grid, (struct rect){ 0, 0, rows, COLS }, &chart);
	grid_format(&grid, true, &text);
	overview_done(&o);
	ck_assert_str_eq(buf_text(&text), overview_cases[_i].expect);
}
END_TEST

static const struct {
	const char *text, *expect;
} ascii_cases[] = {
	{ "plain ~ text", "plain ~ text|\n" },
	{ "pars\342\200\246sult \302\265s", "pars~sult us|\n" },
	{ "\342\224\200\342\224\202\342\224\274 \302\267 \342\226\276\342\226\270",
	  "-|+ - v>    |\n" },
	{ B1 B2 B3 B4 B5 B6 B7 SHADE "\342\226\210", "|||####:#   |\n" },
	{ "\346\274\242x\303\251e\314\201", "??x?e       |\n" },
};

START_TEST(to_ascii)
{
	grid_init(&grid, 1, 12);
	grid_puts(&grid, 0, 0, 12, ascii_cases[_i].text, ROLE_PLAIN);
	ascii_convert(&grid);
	grid_format(&grid, false, &text);
	ck_assert_str_eq(buf_text(&text), ascii_cases[_i].expect);
}
END_TEST

static const struct {
	double value;
	const char *text;
} counter_cases[] = {
	{ 0, "0" },           { 12.34, "12.3" },     { 999.4, "999" },    { 999.9, "1 k" },
	{ -999.9, "-1 k" },   { 1234, "1.23 k" },    { 999600, "1 M" },   { 999400, "999 k" },
	{ 5e14, "500 T" },    { 9.999e14, "1e+15" }, { 1e308, "1e+308" }, { -1e308, "-1e+308" },
	{ 1e-300, "1e-300" },
};

/* The same picture at the edge of the grid and inside of it. */
START_TEST(counter_at_the_edge_of_the_grid)
{
	int64_t times[] = { 0, 200, 400, 600 };
	double values[] = { 1, 4, 2, 8 };
	struct series series = { .n = 4, .t = times, .value = values };
	struct grid inside = { 0 };

	series_index(&series);
	lanes[0] = (struct lane){ .kind = LANE_COUNTER,
				  .has_timeline = true,
				  .series = &series,
				  .n_series = 1 };
	chart_lanes[0].lane = &lanes[0];
	chart_lanes[0].is_open = true;
	chart.lanes = chart_lanes;
	chart.n_lanes = 1;
	/* Without its title. */
	view.scroll = 1;
	grid_init(&grid, 2, COLS);
	draw_lanes(&grid, (struct rect){ 0, 0, 2, COLS });
	grid_init(&inside, 5, COLS + 6);
	draw_lanes(&inside, (struct rect){ 1, 3, 2, COLS });
	for (int row = 0; row < 2; row++)
		for (int col = 0; col < COLS; col++)
			ck_assert(is_equal(grid_at(&grid, row, col),
					   grid_at(&inside, row + 1, col + 3)));
	grid_format(&grid, false, &text);
	ck_assert_str_eq(buf_text(&text), "│      ███|\n▂▂███▄▄███|\n");
	/* Two columns of each nanosecond, from the first value on. */
	values[0] = 16;
	series_index(&series);
	viewport_init(&view, 0, 5);
	view.scroll = 1;
	buf_clear(&text);
	grid_init(&grid, 2, COLS);
	draw_lanes(&grid, (struct rect){ 0, 0, 2, COLS });
	grid_format(&grid, false, &text);
	ck_assert_str_eq(buf_text(&text), "██████████|\n██████████|\n");
	grid_done(&inside);
}
END_TEST

START_TEST(counter_value)
{
	const struct series count = { .n = 0 }, bytes = { .is_bytes = true };
	struct buf out = { 0 };

	counter_format(&count, counter_cases[_i].value, &out);
	ck_assert_str_eq(buf_text(&out), counter_cases[_i].text);
	buf_clear(&out);
	counter_format(&bytes, 999499, &out);
	counter_format(&bytes, 12, &out);
	ck_assert_str_eq(buf_text(&out), "999 kB12 B");
	buf_done(&out);
}
END_TEST

/* 16 columns of four calls each, all of one colour; every fourth column is the second one. */
static const char *stretch_text(const char *const columns[2])
{
	static struct sample list[SAMPLES_MAX];
	static const char *const names[] = { "a", "b", "c", "d" };
	struct frame_roles roles = { 0 };
	const char *row;
	int n = 0;

	for (int c = 0; c < 16; c++)
		for (int i = 0; i < 4; i++, n++)
			list[n] = (struct sample){ n * 20, names[columns[c % 4 == 3][i] - 'a'] };
	list[n] = (struct sample){ n * 20, NULL };
	add_lane(list);
	viewport_init(&view, 0, 1280);
	view.scroll = 1;
	frame_roles_make(&roles, &profile, &profile, &(struct frame_scheme){ .is_made = true },
			 CHART_COLOR_CATEGORY);
	chart.roles = &roles;
	row = lanes_text(1, 16);
	chart.roles = NULL;
	frame_roles_done(&roles);
	return row;
}

START_TEST(function_with_most_time_names_a_stretch_of_shared_cells)
{
	static const char *const less[] = { "acad", "bcbd" };
	const char *row = stretch_text(less);

	/* Three eighths of all time. */
	ck_assert_msg(strstr(row, " ~ a 38 % "), "%s", row);
}
END_TEST

START_TEST(function_with_half_of_the_time_needs_no_share)
{
	static const char *const most[] = { "acaa", "bdab" };
	const char *row = stretch_text(most);

	ck_assert_msg(!strstr(row, "%") && strstr(row, " \342\211\210 a "), "%s", row);
}
END_TEST

/* With few colours, thin cells are drawn as a pattern on the page. */
START_TEST(name_has_one_ground_over_thin_cells)
{
	static struct sample list[SAMPLES_MAX];
	struct cell *name;
	int n = 0;

	/* 15 columns with three calls each; in every second one they have less than half of it. */
	for (int c = 0; c < 15; c++)
		for (int i = 0; i < 3; i++) {
			list[n++] = (struct sample){ c * 60 + i * 20, "a" };
			list[n++] = (struct sample){ c * 60 + i * 20 + (c % 2 ? 15 : 5), "" };
		}
	list[n] = (struct sample){ 900, NULL };
	add_lane(list);
	viewport_init(&view, 0, 900);
	view.scroll = 1;
	lanes_text(1, 15);
	name = grid_at(&grid, 0, 1);
	ck_assert_uint_eq(name[-1].flags, CELL_SHARED | CELL_THIN);
	ck_assert_uint_eq(name->flags, CELL_NAMED);
	ck_assert_uint_eq(name[1].flags, CELL_NAMED);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tcase = suite_case(suite, "chart", SUITE_SECONDS);

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, picture, 0, N(pictures));
	tcase_add_test(tcase, function_with_most_time_names_a_stretch_of_shared_cells);
	tcase_add_test(tcase, function_with_half_of_the_time_needs_no_share);
	tcase_add_test(tcase, name_has_one_ground_over_thin_cells);
	tcase_add_test(tcase, every_other_row_has_another_tone);
	tcase_add_test(tcase, selection_and_matches);
	tcase_add_loop_test(tcase, selection_at_edge, 0, N(edge_cases));
	tcase_add_loop_test(tcase, selection_at_window_edge, 0, N(window_edges));
	tcase_add_loop_test(tcase, selection_is_seen, 0, 82 * 5);
	tcase_add_loop_test(tcase, nothing_is_lost, 0, 200);
	tcase_add_test(tcase, name_of_a_narrow_selection_stands_beside_its_sign);
	tcase_add_test(tcase, label_leaves_the_sign_of_an_instant);
	tcase_add_loop_test(tcase, scrolled, 0, 11);
	tcase_add_loop_test(tcase, scrolled_in_a_flipped_lane, 0, 9);
	tcase_add_loop_test(tcase, only_the_rectangle_is_drawn, 0, 9);
	tcase_add_loop_test(tcase, hit, 0, N(hit_cases));
	tcase_add_test(tcase, hit_in_flipped_lane);
	tcase_add_test(tcase, the_row_of_a_process_is_hit_and_marked);
	tcase_add_test(tcase, more_columns_than_nanoseconds);
	tcase_add_test(tcase, labels_of_quiet_functions_are_dim);
	tcase_add_loop_test(tcase, title, 0, N(title_cases));
	tcase_add_test(tcase, narrow_title);
	tcase_add_loop_test(tcase, odd_sizes, 0, 5);
	tcase_add_test(tcase, pinned_range_is_marked);
	tcase_add_loop_test(tcase, ruler, 0, N(ruler_cases));
	tcase_add_test(tcase, unfinished);
	tcase_add_test(tcase, drawing_computes_nothing);
	tcase_add_test(tcase, a_closed_lane_is_not_computed);
	tcase_add_loop_test(tcase, picture_stays_known, 0, 30);
	tcase_add_loop_test(tcase, overview, 0, N(overview_cases));
	tcase_add_loop_test(tcase, to_ascii, 0, N(ascii_cases));
	tcase_add_test(tcase, counter_at_the_edge_of_the_grid);
	tcase_add_loop_test(tcase, counter_value, 0, N(counter_cases));
}

int main(void)
{
	return suite_run("chart", add_tests);
}
