/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is measured of a process: texts and chunks go in, counters come out. */
#include "config.h"

#include "suite.h"

#include "analyse/process_rows.h"
#include "base/json/cursor.h"
#include "base/units.h"
#include "record/metric_log.h"
#include "story.h"

#define SECOND INT64_C(1000000)

static struct metric_log *metrics;

static const char *function; /* that a row has to have */

static void begin(void)
{
	metrics = metric_log_new(0);
	function = "work  x.js:5";
}

static void end(void)
{
	metric_log_free(metrics);
}

static void pull(const char *text)
{
	metric_log_pull(metrics, (struct str){ text, strlen(text) });
}

/* A second from `us` on: 500 ms of a function, 200 ms of collection in it, and idle. */
static void chunk_of(int64_t us, const char *name, const char *url)
{
	struct buf out = { 0 };
	size_t len;

	buf_addf(
		&out,
		"{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},\"children\":[2,3]},"
		"{\"id\":2,\"callFrame\":{\"functionName\":\"(idle)\"}},"
		"{\"id\":3,\"callFrame\":{\"functionName\":\"onread\",\"url\":\"node:net\"},"
		"\"children\":[4]},"
		"{\"id\":4,\"callFrame\":{\"functionName\":\"%s\",\"url\":\"%s\","
		"\"lineNumber\":4},\"children\":[5]},"
		"{\"id\":5,\"callFrame\":{\"functionName\":\"(garbage collector)\"}}],"
		"\"startTime\":%lld,\"endTime\":%lld,\"samples\":[2,4,5,4,2],"
		"\"timeDeltas\":[0,200000,300000,200000,200000]}",
		name, url, (long long)us, (long long)(us + SECOND));
	len = out.len;
	for (int i = 0; i < CURSOR_PAD; i++)
		buf_addc(&out, '\0');
	metric_log_chunk(metrics, (struct str){ out.data, len });
	buf_done(&out);
}

static void chunk(int64_t us)
{
	chunk_of(us, "work", "file:///a/x.js");
}

/* The row that the trace of all gives. */
static struct process_row written(int64_t t0, int64_t t1)
{
	struct buf out = { 0 };
	struct process_rows rows;
	struct process_row row;
	struct profile *p;

	metric_log_write(&(struct metric_process){ .log = metrics,
						   .pid = 7,
						   .name = "a \"b\"",
						   .role = "worker",
						   .state = "" },
			 1, t0, t1, &out);
	p = story_load(buf_text(&out));
	process_rows_make(&rows, p, 0, p->t1, true, NULL);
	ck_assert_uint_eq(rows.n, 1);
	ck_assert_str_eq(rows.rows[0].name, "a \"b\"");
	ck_assert_str_eq(rows.rows[0].role, "worker");
	ck_assert(rows.rows[0].share == 0 || strcmp(rows.rows[0].function, function) == 0);
	row = rows.rows[0];
	process_rows_done(&rows);
	profile_free(p);
	buf_done(&out);
	return row;
}

START_TEST(texts_become_counters)
{
	struct process_row row;

	pull("v1,1000000,-1,50000000,7000000,1000000,3");
	pull("v1,2000000,1500,60000000,8000000,1000000,4");
	ck_assert_int_eq(metric_log_first(&(struct metric_process){ .log = metrics }, 1), SECOND);
	ck_assert_int_eq(metric_log_last(metrics), 2 * SECOND);
	row = written(SECOND, 3 * SECOND);
	ck_assert_double_eq_tol(row.value[METRIC_DELAY], 1.5, 1e-9);
	ck_assert_double_eq_tol(row.value[METRIC_RSS], 60, 1e-9);
	ck_assert_double_eq_tol(row.value[METRIC_HEAP], 8, 1e-9);
	ck_assert_double_eq_tol(row.value[METRIC_HANDLES], 4, 1e-9);
	ck_assert_double_lt(row.value[METRIC_BUSY], 0);
	/* What was known before the range. */
	row = written(5 * SECOND, 6 * SECOND);
	ck_assert_double_eq_tol(row.value[METRIC_RSS], 60, 1e-9);
}
END_TEST

START_TEST(damaged_texts_are_passed)
{
	static const char *const texts[] = { "",
					     "v1",
					     "v1,",
					     "v1,1,2,3",
					     "v1,x,y,z",
					     "v1,1e99,1,1,1,1,1",
					     "v1,-5,1,1,1,1,1",
					     "v1,nan,1,1,1,1,1" };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		pull(texts[i]);
	metric_log_chunk(metrics,
			 (struct str){ "{}"
				       "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
				       2 });
	ck_assert_int_eq(metric_log_last(metrics), 0);
}
END_TEST

START_TEST(chunks_become_counters)
{
	struct process_row row;

	pull("v1,1000000,-1,50000000,7000000,1000000,3");
	chunk(SECOND);
	row = written(SECOND, 4 * SECOND);
	ck_assert_double_eq_tol(row.value[METRIC_BUSY], 70, 1);
	ck_assert_double_eq_tol(row.value[METRIC_GC], 20, 1);
	ck_assert_double_eq_tol(row.value[METRIC_TASK], 700, 10);
	ck_assert_double_eq_tol(row.share, 70, 25);
}
END_TEST

/* V8 may have moved the functions of the user into it. */
START_TEST(a_function_of_node_is_told_where_there_is_no_own_one)
{
	function = "listOnTimeout  timers:5";
	pull("v1,1000000,-1,50000000,7000000,1000000,3");
	chunk_of(SECOND, "listOnTimeout", "node:internal/timers");
	ck_assert_double_eq_tol(written(SECOND, 4 * SECOND).share, 50, 15);
}
END_TEST

/* A loop that idles would have called it: setImmediate() is another function in this program. */
START_TEST(a_callback_that_is_never_called_is_no_delay)
{
	pull("v1,1000000,100,50000000,7000000,1000000,3");
	chunk(SECOND);
	pull("v1,9000000,8000000,50000000,7000000,1000000,3");
	ck_assert_double_eq_tol(written(SECOND, 10 * SECOND).value[METRIC_DELAY], 0.1, 1e-9);
}
END_TEST

static void add(Suite *suite)
{
	TCase *c = tcase_create("all");

	tcase_add_checked_fixture(c, begin, end);
	tcase_add_test(c, texts_become_counters);
	tcase_add_test(c, damaged_texts_are_passed);
	tcase_add_test(c, chunks_become_counters);
	tcase_add_test(c, a_function_of_node_is_told_where_there_is_no_own_one);
	tcase_add_test(c, a_callback_that_is_never_called_is_no_delay);
	suite_add_tcase(suite, c);
}

int main(void)
{
	return suite_run("metric log", add);
}
