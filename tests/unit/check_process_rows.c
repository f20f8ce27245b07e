/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of processes: rows, their order, and the cursor, which stays on its process. */
#include "config.h"

#include "suite.h"

#include "analyse/process_rows.h"
#include "base/units.h"
#include "stage.h"
#include "story.h"
#include "ui/app_state.h"
#include "ui/state.h"

#define ROWS 20
#define COLS 120

/* One process: values that hold for a second each, from second 0 on; busy below 0: none. */
struct planted {
	int pid;
	const char *name, *role, *state;
	double busy[4], rss;
};

static const struct planted first[] = {
	{ 30, "node a.js", "primary", "", { 10, 20, 30, 40 }, 50 },
	{ 10, "node b.js", "worker", "", { 90, 80, 5, 5 }, 70 },
	{ 20, "node a.js", "worker", "", { 10, 10, 10, 10 }, 60 },
	{ 40, "node gone.js", "", "ended", { 99, 99, 99, -1 }, 80 },
};
/* A second later: another order, one is gone, one is new. */
static const struct planted later[] = {
	{ 30, "node a.js", "primary", "", { 1, 1, 1, 1 }, 50 },
	{ 10, "node b.js", "worker", "", { 90, 80, 5, 95 }, 70 },
	{ 20, "node a.js", "worker", "", { 10, 10, 10, 50 }, 60 },
	{ 50, "node new.js", "", "", { 70, 70, 70, 70 }, 10 },
};

static void add_mark(struct buf *out, const struct planted *p, const char *text)
{
	if (*text)
		buf_addf(out, ",{'ph':'i','s':'p','pid':%d,'tid':%d,'ts':0,'name':'%s'}", p->pid,
			 p->pid, text);
}

static struct profile *load(const struct planted *list, size_t n)
{
	BUF_LOCAL out = { 0 };

	buf_adds(&out, "{'traceEvents':[{'ph':'M','name':'process_name','pid':1,'args':{}}");
	for (size_t i = 0; i < n; i++) {
		const struct planted *p = &list[i];

		buf_addf(&out, ",{'ph':'M','name':'process_name','pid':%d,'args':{'name':'%s'}}",
			 p->pid, p->name);
		add_mark(&out, p, p->role);
		add_mark(&out, p, p->state);
		for (int t = 0; t < 4 && p->busy[t] >= 0; t++)
			buf_addf(&out,
				 ",{'ph':'C','pid':%d,'ts':%d,'name':'busy %%','args':{'busy':%g}}"
				 ",{'ph':'C','pid':%d,'ts':%d,'name':'memory MB','args':"
				 "{'rss':%g,'heap used':1,'external':0}}"
				 ",{'ph':'C','pid':%d,'ts':%d,'name':'own functions %%','args':"
				 "{'f%d  x.js:1':%d}}",
				 p->pid, t * 1000000, p->busy[t], p->pid, t * 1000000, p->rss + t,
				 p->pid, t * 1000000, t, t + 1);
	}
	buf_adds(&out, "]}");
	for (size_t i = 0; i < out.len; i++)
		out.data[i] = out.data[i] == '\'' ? '"' : out.data[i];
	return story_load(buf_text(&out));
}

/* Make the rows, and compare their ids. */
static void has_order(const struct profile *p, unsigned order, bool is_reversed, const char *filter,
		      const char *expected)
{
	struct error err = ERROR_INIT;
	struct pattern *pattern = filter ? pattern_new(filter, strlen(filter), false, &err) : NULL;
	BUF_LOCAL out = { 0 };
	struct process_rows rows;

	process_rows_make(&rows, p, 0, p->t1, true, pattern);
	process_rows_sort(&rows, order, is_reversed);
	for (size_t i = 0; i < rows.n; i++)
		buf_addf(&out, "%lld ", (long long)rows.rows[i].pid);
	ck_assert_str_eq(buf_text(&out), expected);
	ck_assert_uint_eq(rows.n_all, 4);
	process_rows_done(&rows);
	pattern_free(pattern);
}

START_TEST(rows_have_an_order)
{
	struct profile *p = load(first, 4);

	has_order(p, METRIC_BUSY, false, NULL, "30 20 10 40 ");
	has_order(p, METRIC_BUSY, true, NULL, "10 20 30 40 ");
	has_order(p, METRIC_RSS, false, NULL, "10 20 30 40 ");
	has_order(p, PROCESS_BY_PID, false, NULL, "10 20 30 40 ");
	has_order(p, PROCESS_BY_PID, true, NULL, "30 20 10 40 ");
	/* Equal names are by pid. */
	has_order(p, PROCESS_BY_NAME, false, NULL, "20 30 10 40 ");
	has_order(p, PROCESS_BY_FUNCTION, false, NULL, "10 20 30 40 ");
	has_order(p, METRIC_P99, false, NULL, "10 20 30 40 ");
	has_order(p, METRIC_BUSY, false, "worker", "20 10 ");
	has_order(p, METRIC_BUSY, false, "gone|30", "30 40 ");
	has_order(p, METRIC_BUSY, false, "nothing", "");
	profile_free(p);
}
END_TEST

START_TEST(values_are_those_at_the_end_or_of_the_range)
{
	struct profile *p = load(first, 4);
	struct process_rows rows;
	size_t at;

	ck_assert(process_rows_exist(p));
	process_rows_make(&rows, p, 0, p->t1, true, NULL);
	at = process_rows_find(&rows, 30);
	ck_assert_str_eq(rows.rows[at].name, "node a.js");
	ck_assert_str_eq(rows.rows[at].role, "primary");
	ck_assert_str_eq(rows.rows[at].state, "");
	ck_assert_str_eq(rows.rows[at].function, "f3  x.js:1");
	ck_assert_double_eq(rows.rows[at].share, 4);
	ck_assert_double_eq(rows.rows[at].value[METRIC_BUSY], 40);
	ck_assert_double_lt(rows.rows[at].value[METRIC_GC], 0);
	ck_assert_int_eq(rows.rows[at].last, 3 * NS_PER_S);
	at = process_rows_find(&rows, 40);
	ck_assert_str_eq(rows.rows[at].state, "ended");
	ck_assert_int_eq(rows.rows[at].last, 2 * NS_PER_S);
	ck_assert_uint_eq(process_rows_find(&rows, 41), rows.n);
	process_rows_done(&rows);
	/* The mean of load, the most of memory. */
	process_rows_make(&rows, p, 0, p->t1, false, NULL);
	at = process_rows_find(&rows, 30);
	ck_assert_double_eq_tol(rows.rows[at].value[METRIC_BUSY], 20, 1e-6);
	ck_assert_double_eq(rows.rows[at].value[METRIC_RSS], 53);
	process_rows_done(&rows);
	profile_free(p);
}
END_TEST

START_TEST(other_traces_have_no_rows)
{
	struct profile *p = story_load(
		"{\"traceEvents\":[{\"ph\":\"C\",\"pid\":1,\"ts\":0,\"name\":\"busy\",\"args\":{\"busy\":1}}"
		",{\"ph\":\"i\",\"s\":\"p\",\"pid\":1,\"tid\":1,\"ts\":5,\"name\":\"worker\"}]}");
	struct process_rows rows;

	ck_assert(!process_rows_exist(p));
	process_rows_make(&rows, p, 0, p->t1, true, NULL);
	ck_assert_uint_eq(rows.n, 0);
	process_rows_done(&rows);
	profile_free(p);
}
END_TEST

/* ---- the list on the screen ---- */

static struct app_live live;

static void begin(void)
{
	live = (struct app_live){ .is_moving = true,
				  .length_ns = 5 * NS_PER_S,
				  .now_ns = 3 * NS_PER_S,
				  .is_list = true,
				  .title = "live: processes" };
	stage_open(load(first, 4), &(struct app_options){ .live = &live }, ROWS, COLS);
}

static void go_on(const struct planted *list, size_t n)
{
	struct profile *next = load(list, n);
	struct app_state state;
	struct app *before = app;

	app_state_get(app, &state);
	app = app_new(next, &(struct app_options){ .live = &live, .state = &state });
	app_resize(app, ROWS, COLS);
	app_state_done(&state);
	app_free(before);
	profile_free(profile);
	profile = next;
	draw();
}

/* The process with the cursor, and its row. */
static void at(int64_t pid, size_t row)
{
	const struct process_list *l = &app->process_list;

	draw();
	ck_assert_uint_eq(l->order.cursor, row);
	ck_assert_int_eq(l->rows.rows[row].pid, pid);
}

START_TEST(the_cursor_stays_on_its_process)
{
	at(30, 0);
	play("j");
	at(20, 1);
	/* 95, 70, 50, 1 per cent. */
	go_on(later, 4);
	at(20, 2);
	play("I");
	at(20, 1);
	go_on(first, 4);
	at(20, 1);
	/* Sorted by number, and with a filter, which the next picture has, too. */
	play("I");
	app_command(app, CMD_SORT_LEFT, 1);
	ck_assert_uint_eq(app->process_list.order.sort, 1);
	at(20, 1);
	play("/worker<Enter>");
	ck_assert(shows("2 of 2"));
	at(20, 1);
	go_on(later, 4);
	at(20, 1);
	/* Esc shows all again, and leaves nothing else. */
	play("<Esc>");
	ck_assert(shows("of 4"));
	ck_assert(app->is_pane_max);
	/* The one with the cursor goes: it stays near. */
	play("G");
	at(50, 3);
	go_on(first, 3);
	at(30, 2);
}
END_TEST

START_TEST(enter_asks_for_the_process)
{
	play("j<Enter>");
	ck_assert_int_eq(live.enters, 20);
	live.enters = 0;
	play("G<Enter>");
	/* It has ended. */
	ck_assert_int_eq(live.enters, 0);
	ck_assert(shows("process 40: ended"));
	ck_assert_uint_eq(app_key(app, 'q'), APP_QUIT);
}
END_TEST

START_TEST(esc_and_q_leave_the_process)
{
	live.is_list = false;
	live.has_list = true;
	go_on(first, 4);
	play("7");
	/* First the pane, which the key entered. */
	play("<Esc>");
	ck_assert(!live.leaves);
	play("<Esc>");
	ck_assert(live.leaves);
	live.leaves = false;
	ck_assert_uint_eq(app_key(app, 'q') & APP_QUIT, 0);
	ck_assert(live.leaves);
	/* C-c ends the program, as everywhere. */
	ck_assert_uint_eq(app_key(app, 'c' | KEYC_CTRL) & APP_QUIT, APP_QUIT);
}
END_TEST

static void add(Suite *suite)
{
	TCase *rows = tcase_create("rows"), *list = tcase_create("list");

	tcase_add_test(rows, rows_have_an_order);
	tcase_add_test(rows, values_are_those_at_the_end_or_of_the_range);
	tcase_add_test(rows, other_traces_have_no_rows);
	suite_add_tcase(suite, rows);
	tcase_add_checked_fixture(list, begin, stage_close);
	tcase_add_test(list, the_cursor_stays_on_its_process);
	tcase_add_test(list, enter_asks_for_the_process);
	tcase_add_test(list, esc_and_q_leave_the_process);
	suite_add_tcase(suite, list);
}

int main(void)
{
	return suite_run("process rows", add);
}
