/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cells of planted recordings compared with a loop over all samples, what comes back in them,
 * and what is drawn. */
#include "config.h"

#include "draw/heat_map.h"
#include "picture.h"
#include "story.h"
#include "suite.h"

#include <stdlib.h>

enum name { IDLE, GC, RENDER, TICK, TIMER };

/* What is planted: a burst of `burst_us` of one name every `period_us`, and other work at random.
 */
struct plan {
	int64_t us, step_us, period_us, burst_us;
	enum name name;
	int load;         /* percent */
	bool is_mixed;    /* most of a burst is of the other work */
	int64_t timer_us; /* a timer runs for 20 ms so often, too; 0: none does */
};

static const struct plan plans[] = {
	{ 21000000, 5000, 700000, 40000, TICK, 10, false, 0 },
	{ 21000000, 5000, 700000, 40000, GC, 10, false, 0 },
	{ 120000000, 20000, 5000000, 200000, TICK, 10, false, 0 },
	{ 120000000, 20000, 5000000, 60000, TIMER, 30, false, 0 },
	{ 42000000, 5000, 700000, 100000, TICK, 60, true, 0 },
	{ 42000000, 5000, 700000, 60000, GC, 10, false, 3000000 },
};

static struct profile *profile;
static struct chart_lane lanes[1];
static struct viewport view;
static struct chart chart;
static struct heat_map map;

static int name_at(const struct plan *plan, int64_t us, uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	if (plan->timer_us && us % plan->timer_us < 20000)
		return TIMER;
	if (plan->is_mixed && us / plan->step_us % 3 &&
	    us % plan->period_us >= plan->period_us - plan->burst_us)
		return RENDER;
	if (plan->period_us && us % plan->period_us >= plan->period_us - plan->burst_us)
		return (int)plan->name;
	return (int)(*state >> 16) % 100 < plan->load ? RENDER : IDLE;
}

static void begin(const struct plan *plan)
{
	static const char *const functions[] = { "(idle)", "(garbage collector)", "render", "tick",
						 "flush" };
	struct buf out = { 0 };
	uint32_t state = 1;

	buf_adds(&out,
		 "{'nodes':[{'id':1,'callFrame':{'functionName':'(root)','scriptId':'0',"
		 "'url':'','lineNumber':-1,'columnNumber':-1},'children':[2,3,4,5,9]}");
	for (int i = 0; i < 5; i++)
		buf_addf(&out,
			 ",{'id':%d,'callFrame':{'functionName':'%s','scriptId':'%d','url':'%s',"
			 "'lineNumber':%d,'columnNumber':1}}",
			 i + 2, functions[i], i < RENDER ? 0 : 1,
			 i < RENDER ? "" : "file:///srv/x.js", i < RENDER ? -1 : 10 * i);
	buf_adds(&out,
		 ",{'id':9,'callFrame':{'functionName':'listOnTimeout','scriptId':'2','url':"
		 "'node:internal/timers','lineNumber':1,'columnNumber':1},'children':[6]}]");
	buf_addf(&out, ",'startTime':0,'endTime':%lld,'samples':[", (long long)plan->us);
	for (int64_t t = 0; t < plan->us; t += plan->step_us)
		buf_addf(&out, "%s%d", t ? "," : "", 2 + name_at(plan, t, &state));
	buf_adds(&out, "],'timeDeltas':[");
	for (int64_t t = 0; t < plan->us; t += plan->step_us)
		buf_addf(&out, "%s%lld", t ? "," : "", t ? (long long)plan->step_us : 0LL);
	buf_adds(&out, "]}");
	profile = story_load(buf_text(&out));
	buf_done(&out);
	lanes[0] = (struct chart_lane){ .lane = &profile->lanes[0] };
	viewport_init(&view, 0, profile->t1);
	chart = (struct chart){ .profile = profile, .lanes = lanes, .n_lanes = 1, .view = &view };
}

static void end(void)
{
	heat_map_forget(&map);
	profile_free(profile);
}

static struct heat_grid grid_of(int64_t period, int most)
{
	return (struct heat_grid){ .period = period,
				   .rows = heat_grid_rows(period, most),
				   .cols = (int)((view.t_max + period - 1) / period) };
}

/* The time of a category in [t0, t1); CATEGORY_COUNT: all that is not idle. */
static int64_t time_of(enum category category, int64_t t0, int64_t t1)
{
	const struct lane *l = &profile->lanes[0];
	int64_t ns = 0;

	for (size_t i = 0; i < l->samples.n; i++) {
		int64_t from = samples_time(&l->samples, i), to = samples_time(&l->samples, i + 1);
		enum category is = profile_node_frame(profile, l, l->samples.leaf[i])->category;

		from = from > t0 ? from : t0;
		to = to < t1 ? to : t1;
		if (from < to &&
		    (category == CATEGORY_COUNT ? is != CATEGORY_IDLE : is == category))
			ns += to - from;
	}
	return ns;
}

static void check_share(uint8_t share, int64_t ns, int64_t t0, int64_t t1)
{
	double exact = (double)ns / (double)(t1 - t0) * ACTIVITY_MAX;

	ck_assert_msg(share > exact - 1 && share < exact + 1 && (share > 0) == (ns > 0),
		      "%d, not %g, from %lld on", share, exact, (long long)t0);
}

/* Steps of the work do not matter. */
START_TEST(cells_are_sums_of_the_parts_of_samples)
{
	struct heat_grid grid;

	begin(&plans[_i]);
	grid = grid_of(plans[_i].period_us * 1000, 32);
	for (struct budget step = budget_steps(1, 1);
	     !heat_map_make(&map, &grid, &chart, NULL, &step);)
		step = budget_steps(1, 1);
	for (int i = 0; i < grid.cols * grid.rows; i++) {
		int64_t t0 = heat_grid_time(&grid, i / grid.rows, i % grid.rows),
			t1 = heat_grid_time(&grid, i / grid.rows, i % grid.rows + 1);

		t1 = t1 < view.t_max ? t1 : view.t_max;
		if (t0 >= t1)
			continue;
		check_share(map.cells[i].busy, time_of(CATEGORY_COUNT, t0, t1), t0, t1);
		check_share(map.cells[i].gc, time_of(CATEGORY_GC, t0, t1), t0, t1);
	}
	end();
}
END_TEST

/* What was planted is a line: its cells are busy in each column, and no other row is. */
START_TEST(planted_period_is_a_line)
{
	const struct plan *plan = &plans[_i];
	struct heat_grid grid;
	int n_lines = 0;

	begin(plan);
	grid = grid_of(plan->period_us * 1000, 32);
	ck_assert(heat_map_make(&map, &grid, &chart, NULL, BUDGET_UNLIMITED));
	for (int row = 0; row < grid.rows; row++) {
		int n = 0;

		for (int col = 0; col + 1 < grid.cols; col++) {
			const struct heat_cell *c = &map.cells[col * grid.rows + row];

			n += plan->name == GC ? c->gc > ACTIVITY_MAX / 2 : c->busy == ACTIVITY_MAX;
		}
		n_lines += n == grid.cols - 1;
	}
	ck_assert_int_ge(n_lines, 1);
	ck_assert_int_le(n_lines, 2);
	end();
}
END_TEST

START_TEST(planted_period_is_named)
{
	static const char *const expect[] = { ": tick, ",  ": GC, ",   ": tick, ",
					      ": flush, ", ": tick, ", ": GC, " };
	const struct plan *plan = &plans[_i];
	struct heat_grid grid;

	begin(plan);
	grid = grid_of(NS_PER_S, 32);
	ck_assert(heat_map_make(&map, &grid, &chart, NULL, BUDGET_UNLIMITED));
	ck_assert_msg(llabs(map.found_ns - plan->period_us * 1000) < plan->period_us * 10, "%lld",
		      (long long)map.found_ns);
	ck_assert_msg(strncmp(buf_text(&map.found), "every ", 6) == 0 &&
			      strstr(buf_text(&map.found), expect[_i]),
		      "%s", buf_text(&map.found));
	end();
}
END_TEST

START_TEST(no_period_is_named)
{
	struct plan plan = { 30000000, 5000, 0, 0, TICK, 5 + 10 * _i, false, 0 };
	struct heat_grid grid;

	begin(&plan);
	grid = grid_of(NS_PER_S, 32);
	ck_assert(heat_map_make(&map, &grid, &chart, NULL, BUDGET_UNLIMITED));
	ck_assert_msg(map.found_ns == 0 && map.found.len == 0, "%s", buf_text(&map.found));
	end();
}
END_TEST

/* Each time is in the cell that it is looked for in. */
START_TEST(times_are_in_their_cells)
{
	static const int64_t periods[] = { 10 * NS_PER_MS, 701234567, NS_PER_S, 60 * NS_PER_MIN };

	for (size_t i = 0; i < ARRAY_LEN(periods); i++)
		for (int most = 1; most < 120; most += 7) {
			struct heat_grid grid = { .t0 = -5, .period = periods[i] };

			grid.rows = heat_grid_rows(grid.period, most);
			ck_assert_int_le(grid.rows, most);
			for (int row = 0; row < grid.rows; row++) {
				int64_t t0 = heat_grid_time(&grid, 3, row),
					t1 = heat_grid_time(&grid, 3, row + 1);
				int first, last;

				ck_assert_int_eq(heat_grid_find(&grid, t0, &first), 3);
				ck_assert_int_eq(heat_grid_find(&grid, t1 - 1, &last), 3);
				ck_assert_int_eq(first, row);
				ck_assert_int_eq(last, row);
			}
		}
	ck_assert_int_eq(heat_grid_rows(NS_PER_S, 32), 25);
	ck_assert_int_eq(heat_grid_rows(5 * NS_PER_S, 44), 40);
	ck_assert_int_eq(heat_grid_rows(NS_PER_MIN, 32), 30);
}
END_TEST

/* With a search, cells are about its matches. */
START_TEST(cells_of_a_search)
{
	struct search search = { 0 };
	struct error err = ERROR_INIT;
	struct heat_grid grid;
	int64_t render = 0;

	begin(&plans[0]);
	ck_assert(search_init(&search, profile, "render", 6, true, &err));
	ck_assert(search_match(&search, BUDGET_UNLIMITED));
	grid = grid_of(NS_PER_S, 25);
	grid.has_search = true;
	ck_assert(heat_map_make(&map, &grid, &chart, &search, BUDGET_UNLIMITED));
	for (int i = 0; i < grid.cols * grid.rows; i++) {
		ck_assert_uint_le(map.cells[i].match, map.cells[i].busy);
		render += map.cells[i].match;
	}
	/* About the planted load. */
	ck_assert_int_gt(render * 100, (int64_t)ACTIVITY_MAX * 21 * 25 * 7);
	ck_assert_int_lt(render * 100, (int64_t)ACTIVITY_MAX * 21 * 25 * 13);
	search_done(&search);
	end();
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_loop_test(tc, cells_are_sums_of_the_parts_of_samples, 0, 4);
	tcase_add_loop_test(tc, planted_period_is_a_line, 0, 3);
	tcase_add_loop_test(tc, planted_period_is_named, 0, 6);
	tcase_add_loop_test(tc, no_period_is_named, 0, 5);
	tcase_add_test(tc, times_are_in_their_cells);
	tcase_add_test(tc, cells_of_a_search);
}

int main(void)
{
	return suite_run("heat_map", add_tests);
}
