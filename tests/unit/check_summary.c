/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Summaries of random profiles, compared with counts over each nanosecond, node and tick; and the
 * findings of profiles made for each of them. Failures print the seed. */
#include "config.h"

#include "suite.h"

#include "analyse/scope.h"
#include "analyse/summary.h"

#include "random_profile.h"
#include "story.h"

#include <inttypes.h>

#define SEEDS 60

static int seed;

static struct profile *profile;
static const struct lane *lanes[4];
static uint32_t n_lanes;
static struct view view;
static struct totals totals;

static void open_view(void)
{
	n_lanes = profile->n_lanes;
	for (uint32_t i = 0; i < n_lanes; i++)
		lanes[i] = &profile->lanes[i];
	view_init(&view, profile, lanes, n_lanes);
	totals_init(&totals, &view);
}

static void close_view(void)
{
	totals_done(&totals);
	view_done(&view);
	profile_free(profile);
}

/* ---- shares ---- */

static int64_t self_of(enum summary_by by, const struct share *s)
{
	int64_t ns = 0;

	for (frame_id f = 1; f < view.n_frames; f++) {
		const struct frame *fr = &view.frames[f];
		str_id name = by == SUMMARY_PACKAGE ? fr->package
			: by == SUMMARY_FILE        ? fr->url
						    : 0;

		if (s->is_named ? name == s->name : !name && fr->category == s->category)
			ns += totals.frame_self[f];
	}
	return ns;
}

/* Packages and own code beside them are rows; without packages, there is no table. */
static void check_rows(const struct share *list, size_t n)
{
	bool has_package = false;

	for (size_t i = 0; i < n; i++)
		has_package |= list[i].is_named && list[i].self > 0;
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(summary_is_package(list, n, i),
				 has_package && list[i].self > 0 &&
					 (list[i].is_named || list[i].category == CATEGORY_APP));
}

static void check_shares(enum summary_by by)
{
	struct share *list;
	size_t n = summary_shares(&totals, by, &list);
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		ck_assert_msg(list[i].self == self_of(by, &list[i]), "seed %d, share %zu", seed, i);
		ck_assert(i == 0 || list[i].self <= list[i - 1].self);
		sum += list[i].self;
	}
	if (by == SUMMARY_PACKAGE)
		check_rows(list, n);
	ck_assert_msg(sum == totals.sampled_ns, "seed %d: %" PRId64 " of %" PRId64, seed, sum,
		      totals.sampled_ns);
	free(list);
}

/* ---- stretches ---- */

enum { NOTHING, PAUSE, BUSY };

/* The state of each nanosecond of a lane. */
static uint8_t *by_hand(const struct lane *lane)
{
	uint8_t *is = xcalloc((size_t)profile->t1, 1);

	for (size_t i = 0; i < lane->samples.n; i++) {
		node_id leaf = lane->samples.leaf[i];
		bool idle = leaf == NODE_ROOT ||
			profile_node_frame(profile, lane, leaf)->category == CATEGORY_IDLE;

		memset(is + samples_time(&lane->samples, i),
		       leaf == NODE_ROOT ? NOTHING
			       : idle    ? PAUSE
					 : BUSY,
		       (size_t)(samples_time(&lane->samples, i + 1) -
				samples_time(&lane->samples, i)));
	}
	return is;
}

/* Idle time between busy times is one of these, if it is short. */
static void bridge(uint8_t *is, int64_t start, int64_t end, int64_t most)
{
	for (int64_t t = start, from; t < end; t++) {
		bool has_idle = false;

		for (from = t; t < end && is[t] != BUSY; t++)
			has_idle |= is[t] == PAUSE;
		if (from > start && t < end && has_idle && t - from <= most)
			memset(is + from, BUSY, (size_t)(t - from));
	}
}

/* The list holds the longest stretches, each in full, and their number is right. */
static void check_stretches(int64_t t0, int64_t t1, bool is_busy)
{
	const struct summary_range range = { profile, lanes, n_lanes, t0, t1 };
	struct stretches some[2] = { { .most = 3 }, { .most = 3 } },
			 whole[2] = { { .most = 100000 }, { .most = 100000 } };
	const struct stretch *few, *every;
	size_t all, n, n_every, count = 0;

	summary_stretches(&range, some);
	summary_stretches(&range, whole);
	few = some[is_busy].list;
	every = whole[is_busy].list;
	all = some[is_busy].all;
	n = some[is_busy].n;
	n_every = whole[is_busy].n;
	for (uint32_t k = 0; k < n_lanes; k++) {
		uint8_t *is = by_hand(lanes[k]);
		int64_t end = t1 < lanes[k]->t1 ? t1 : lanes[k]->t1,
			start = t0 > lanes[k]->t0 ? t0 : lanes[k]->t0;

		bridge(is, start, end, lane_bridge_ns(lanes[k]));
		for (int64_t t = start, from; t < end;) {
			bool found = false;

			from = t++;
			while (t < end && (is[t] == BUSY) == (is[from] == BUSY))
				t++;
			if ((is[from] == BUSY) != is_busy)
				continue;
			count++;
			for (size_t i = 0; i < n_every; i++)
				found |= every[i].lane == lanes[k] && every[i].t0 == from &&
					every[i].t1 == t;
			ck_assert_msg(found, "seed %d: no stretch %" PRId64 "..%" PRId64, seed,
				      from, t);
		}
		free(is);
	}
	ck_assert_msg(count == all && all == whole[is_busy].all && n_every == all,
		      "seed %d: %zu stretches, not %zu", seed, all, count);
	ck_assert_uint_eq(n, all < 3 ? all : 3);
	for (size_t i = 0; i < n; i++) {
		ck_assert(few[i].lane == every[i].lane && few[i].t0 == every[i].t0);
		ck_assert_int_eq(few[i].t1 - few[i].t0, every[i].t1 - every[i].t0);
	}
	for (size_t i = 1; i < n_every; i++)
		ck_assert_int_le(every[i].t1 - every[i].t0, every[i - 1].t1 - every[i - 1].t0);
	summary_stretches_done(some);
	summary_stretches_done(whole);
}

/* ---- stack and recursion ---- */

static void check_stack(void)
{
	node_id *stack, above = NODE_ROOT;
	size_t n = summary_stack(&totals, &stack);

	for (size_t i = 0; i < n; i++) {
		ck_assert_uint_eq(view.tree->parent[stack[i]], above);
		for (node_id k = 1; k < view.tree->n; k++)
			ck_assert(view.tree->parent[k] != above ||
				  view.frames[view.tree->frame[k]].category == CATEGORY_IDLE ||
				  totals.total[k] <= totals.total[stack[i]]);
		ck_assert(i == 0 || 2 * totals.total[stack[i]] >= totals.total[above]);
		above = stack[i];
	}
	for (node_id k = 1; k < view.tree->n; k++)
		ck_assert(view.tree->parent[k] != above ||
			  view.frames[view.tree->frame[k]].category == CATEGORY_IDLE ||
			  totals.total[k] == 0 || 2 * totals.total[k] < totals.total[above]);
	free(stack);
}

static void check_recursion(void)
{
	uint32_t most = 0, found;
	frame_id frame;

	for (node_id k = 1; k < view.tree->n; k++) {
		uint32_t n = 0;

		for (node_id at = k; at != NODE_ROOT; at = view.tree->parent[at])
			n += view.tree->frame[at] == view.tree->frame[k];
		if (totals.total[k] > 0 && n > most)
			most = n;
	}
	found = summary_recursion(&totals, &frame);
	ck_assert_msg(found == most, "seed %d: %u times, not %u", seed, found, most);
	ck_assert((frame == FRAME_NONE) == (most == 0));
}

/* ---- lines ---- */

static void check_lines(void)
{
	const struct summary_range range = { profile, lanes, n_lanes, INT64_MIN, INT64_MAX };
	struct hot_line *list, *few;
	size_t n_all, n = summary_lines(&range, SIZE_MAX, &list, &n_all),
		      n_few = summary_lines(&range, 3, &few, &n_all);
	uint64_t sum = 0, all = 0;

	ck_assert_uint_eq(n_all, n);
	ck_assert_uint_eq(n_few, n < 3 ? n : 3);
	for (size_t i = 0; i < n_few; i++)
		ck_assert(few[i].frame == list[i].frame && few[i].line == list[i].line);
	free(few);

	for (uint32_t k = 0; k < n_lanes; k++)
		for (size_t i = 0; i < lanes[k]->n_ticks; i++)
			all += lanes[k]->ticks[i].ticks;
	for (size_t i = 0; i < n; i++) {
		uint64_t ticks = 0;

		for (uint32_t k = 0; k < n_lanes; k++)
			for (size_t j = 0; j < lanes[k]->n_ticks; j++)
				if (lanes[k]->tree.frame[lanes[k]->ticks[j].node] ==
					    list[i].frame &&
				    lanes[k]->ticks[j].line == list[i].line)
					ticks += lanes[k]->ticks[j].ticks;
		ck_assert_uint_eq(ticks, list[i].ticks);
		ck_assert(i == 0 || list[i].about_ns <= list[i - 1].about_ns);
		sum += ticks;
	}
	ck_assert_uint_eq(sum, all);
	free(list);
}

/* ---- short ranges ---- */

/* One range after the other has the totals that it has alone. */
static void check_few(const struct lane *lane)
{
	struct view of_lane;
	struct totals sums, alone;
	struct totals_few few = { .totals = &sums };

	view_init_lane(&of_lane, profile, lane);
	totals_init(&sums, &of_lane);
	totals_init(&alone, &of_lane);
	for (int k = 0; k < 5; k++) {
		size_t n = of_lane.tree->n;
		int64_t t0, t1;

		random_range(profile, &t0, &t1);
		totals_few_compute(&few, t0, t1);
		totals_compute(&alone, t0, t1);
		ck_assert_mem_eq(sums.self, alone.self, n * sizeof *alone.self);
		ck_assert_mem_eq(sums.total, alone.total, n * sizeof *alone.total);
		n = alone.n_frames;
		ck_assert_mem_eq(sums.frame_self, alone.frame_self, n * sizeof *alone.frame_self);
		ck_assert_mem_eq(sums.frame_total, alone.frame_total,
				 n * sizeof *alone.frame_total);
		ck_assert_mem_eq(sums.is_called, alone.is_called, n);
		ck_assert_uint_eq(sums.n_used, alone.n_used);
		ck_assert_mem_eq(sums.used, alone.used, alone.n_used * sizeof *alone.used);
		ck_assert_int_eq(sums.sampled_ns, alone.sampled_ns);
		ck_assert_int_eq(sums.idle_ns, alone.idle_ns);
	}
	totals_few_done(&few);
	totals_done(&alone);
	totals_done(&sums);
	view_done(&of_lane);
}

START_TEST(by_counting)
{
	seed = _i;
	profile = random_profile(seed, 40, 60, 1 + seed % 3);
	open_view();
	for (int k = 0; k < 10; k++) {
		int64_t t0, t1;

		random_range(profile, &t0, &t1);
		totals_compute(&totals, t0, t1);
		check_shares(SUMMARY_CATEGORY);
		check_shares(SUMMARY_PACKAGE);
		check_shares(SUMMARY_FILE);
		check_stretches(t0, t1, true);
		check_stretches(t0, t1, false);
		check_stack();
		check_recursion();
	}
	for (uint32_t i = 0; i < n_lanes; i++)
		check_few(lanes[i]);
	check_lines();
	close_view();
}
END_TEST

/* ---- what stands out ---- */

/* The number of what stands out in the totals. */
static size_t find_standouts(int64_t whole, struct standout list[STANDOUT_COUNT])
{
	const struct summary_range range = { profile, lanes, n_lanes, totals.t0, totals.t1 };
	struct stretches found[2] = { { .most = 1 }, { .most = 1 } };
	size_t n;

	summary_stretches(&range, found);
	n = summary_standouts(&totals, lanes, n_lanes, whole, found, list);
	summary_stretches_done(found);
	return n;
}

static void stands_out(const char *text, const char *expect)
{
	static const char *const name[] = { "gc", "function", "busy", "pause", "recursion" };
	struct standout list[STANDOUT_COUNT];
	struct buf out = { 0 };
	size_t n;

	profile = story_load(text);
	open_view();
	totals_compute(&totals, 0, profile->t1);
	n = find_standouts(totals.sampled_ns - totals.idle_ns, list);
	for (size_t i = 0; i < n; i++)
		buf_addf(&out, "%s%s", i ? " " : "", name[list[i].kind]);
	ck_assert_msg(strcmp(buf_text(&out), expect) == 0, "%s, not %s", buf_text(&out), expect);
	buf_done(&out);
	close_view();
}

#define NODES                                                                                                            \
	"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2,3,4,5,6,7]},"                             \
	"{'id':2,'callFrame':{'functionName':'a','url':'x.js'}},{'id':3,'callFrame':{'functionName':'b','url':'x.js'}}," \
	"{'id':4,'callFrame':{'functionName':'c','url':'x.js'}},{'id':5,'callFrame':{'functionName':'d','url':'x.js'}}," \
	"{'id':6,'callFrame':{'functionName':'(garbage collector)'}},{'id':7,'callFrame':{'functionName':'(idle)'}}],'startTime':0,"

START_TEST(findings)
{
	stands_out(NODES "'endTime':40000,'samples':[2,3,4,5],'timeDeltas':[0,10000,10000,10000]}",
		   "");
	stands_out(NODES "'endTime':41000,'samples':[2,3,4,2],'timeDeltas':[0,10000,10000,10000]}",
		   "function");
	stands_out(
		NODES
		"'endTime':45000,'samples':[2,3,4,5,6],'timeDeltas':[0,10000,10000,10000,10000]}",
		"gc");
	stands_out(NODES "'endTime':60000,'samples':[2,3,4,5],'timeDeltas':[0,15000,15000,15000]}",
		   "busy");
	stands_out(
		NODES
		"'endTime':90000,'samples':[2,3,4,5,7],'timeDeltas':[0,10000,10000,10000,10000]}",
		"pause");
	stands_out(
		NODES
		"'endTime':89000,'samples':[2,3,4,5,7],'timeDeltas':[0,10000,10000,10000,10000]}",
		"");
}
END_TEST

/* The hottest line of the function on top, if the range is the whole. */
START_TEST(line)
{
	struct standout list[STANDOUT_COUNT];

	profile = story_load(
		"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2]},"
		"{'id':2,'callFrame':{'functionName':'a','url':'x.js'},'positionTicks':[{'line':7,'ticks':1},{'line':9,'ticks':2}]}],"
		"'startTime':0,'endTime':40,'samples':[2,2,2,2],'timeDeltas':[0,10,10,10]}");
	open_view();
	totals_compute(&totals, 0, profile->t1);
	ck_assert_uint_eq(find_standouts(totals.sampled_ns, list), 1);
	ck_assert_int_eq(list[0].line, 9);
	ck_assert_int_eq(list[0].line_ns, 26667);
	totals_compute(&totals, 0, profile->t1 - 1);
	ck_assert_uint_eq(find_standouts(totals.sampled_ns, list), 1);
	ck_assert_int_eq(list[0].line, 0);
	close_view();
}
END_TEST

/* run() of Node.js calls the user's serve(), which calls a package; numbers are ms of the package,
 * the collector and the package again. */
static void stretch_is_mostly(int package, int gc, const char *expect)
{
	struct summary_range range = { .n_lanes = 1 };
	struct stretches found[2] = { { .most = 0 }, { .most = 1 } };
	char text[1024];

	snprintf(
		text, sizeof text,
		"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2,5]},"
		"{'id':2,'callFrame':{'functionName':'run','url':'node:internal/x'},'children':[3]},"
		"{'id':3,'callFrame':{'functionName':'serve','url':'file:///srv/app.js','lineNumber':5},"
		"'children':[4]},{'id':4,'callFrame':{'functionName':'parse',"
		"'url':'file:///srv/node_modules/p/p.js','lineNumber':5}},"
		"{'id':5,'callFrame':{'functionName':'(garbage collector)'}}],'startTime':0,"
		"'endTime':%d,'samples':[4,5,4],'timeDeltas':[0,%d,%d]}",
		2 * package + gc, package, gc);
	profile = story_load(text);
	open_view();
	range.profile = profile;
	range.lanes = lanes;
	range.t1 = profile->t1;
	summary_stretches(&range, found);
	ck_assert_uint_eq(found[1].n, 1);
	ck_assert_str_eq(profile_text(profile, profile_frame(profile, found[1].list[0].most)->name),
			 expect);
	summary_stretches_done(found);
	close_view();
}

START_TEST(stretch_is_mostly_own_code_unless_half_is_collected)
{
	stretch_is_mostly(40, 20, "serve");
	stretch_is_mostly(10, 15, "serve");
	stretch_is_mostly(10, 60, "(garbage collector)");
}
END_TEST

/* The time of the samples decides, however short the range is. */
START_TEST(one_nanosecond_has_a_stack)
{
	node_id *stack;

	profile = story_load("a;b 1");
	open_view();
	totals_compute(&totals, 0, 1);
	ck_assert_uint_eq(summary_stack(&totals, &stack), 2);
	free(stack);
	close_view();
}
END_TEST

/* The root of the tree is no call. */
START_TEST(time_of_the_root_is_no_recursion)
{
	frame_id frame = 1;

	profile = story_load("{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'}}],"
			     "'startTime':0,'endTime':40,'samples':[1],'timeDeltas':[0]}");
	open_view();
	totals_compute(&totals, 0, profile->t1);
	ck_assert_uint_eq(summary_recursion(&totals, &frame), 0);
	ck_assert_uint_eq(frame, FRAME_NONE);
	close_view();
}
END_TEST

START_TEST(deep)
{
	struct buf text = { 0 };

	buf_adds(&text, "{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2]}");
	for (int i = 2; i < 52; i++) {
		buf_addf(&text, ",{'id':%d,'callFrame':{'functionName':'a','url':'x.js'}", i);
		buf_addf(&text, i < 51 ? ",'children':[%d]}" : "}", i + 1);
	}
	buf_adds(&text, "],'startTime':0,'endTime':9,'samples':[51],'timeDeltas':[0]}");
	stands_out(buf_text(&text), "function recursion");
	buf_done(&text);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *counts = suite_case(suite, "counts", SUITE_SECONDS);
	TCase *words = suite_case(suite, "findings", SUITE_SECONDS);

	tcase_add_loop_test(counts, by_counting, 0, SEEDS);
	tcase_add_test(words, findings);
	tcase_add_test(words, line);
	tcase_add_test(words, deep);
	tcase_add_test(words, stretch_is_mostly_own_code_unless_half_is_collected);
	tcase_add_test(words, one_nanosecond_has_a_stack);
	tcase_add_test(words, time_of_the_root_is_no_recursion);
}

int main(void)
{
	return suite_run("summary", add_tests);
}
