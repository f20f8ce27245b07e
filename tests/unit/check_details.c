/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header in less and less room: which parts it loses, in which order. The line about a
 * counter. */
#include "config.h"

#include "suite.h"

#include "base/units.h"
#include "draw/details.h"

#include <string.h>

static struct profile profile;
static struct lane lanes[3];
static struct chart_lane chart_lanes[3];
static struct chart chart;
static struct input inputs[2];
static struct grid grid;
static struct buf text, lost;

/* Three lanes, two of them hidden, the last one joined. Half of the first one is busy. */
static void setup(void)
{
	memset(&profile, 0, sizeof profile);
	memset(&grid, 0, sizeof grid);
	text = lost = (struct buf){ 0 };
	intern_init(&profile.strings);
	inputs[0] = (struct input){ .path = intern_adds(&profile.strings, "some/app.cpuprofile") };
	inputs[1] = (struct input){ .path = intern_adds(&profile.strings, "some/other.json") };
	profile.inputs = inputs;
	profile.n_inputs = 1;
	profile.lanes = lanes;
	profile.n_lanes = 3;
	lanes[0] = (struct lane){ .kind = LANE_SAMPLES,
				  .pid = 5,
				  .tid = 6,
				  .has_timeline = true,
				  .t1 = 1000 * NS_PER_MS,
				  .busy_ns = 500 * NS_PER_MS,
				  .idle_ns = 300 * NS_PER_MS,
				  .program_ns = 200 * NS_PER_MS,
				  .n_samples = 1000,
				  .interval_ns = NS_PER_MS };
	lanes[1] = (struct lane){ .kind = LANE_SLICES, .pid = 5, .tid = 7 };
	lanes[2] = (struct lane){ .kind = LANE_MARKS, .pid = 5, .tid = 7, .is_joined = true };
	for (int i = 0; i < 3; i++)
		chart_lanes[i] = (struct chart_lane){ .lane = &lanes[i], .is_hidden = i > 0 };
	chart = (struct chart){ .profile = &profile, .lanes = chart_lanes, .n_lanes = 3 };
}

static void teardown(void)
{
	intern_done(&profile.strings);
	grid_done(&grid);
	buf_done(&text);
	buf_done(&lost);
}

static const char *header(int cols)
{
	grid_init(&grid, 1, cols);
	details_draw_header(&grid, (struct rect){ 0, 0, 1, cols }, &chart);
	buf_clear(&text);
	grid_format(&grid, false, &text);
	return buf_text(&text);
}

/* The parts in the order in which they are lost, as the header gets narrower. A part is given by
 * its first word or words; all are there at first. */
static const char *lost_of(const char *const *parts, size_t n)
{
	bool is_lost[16] = { false };

	for (size_t i = 0; i < n; i++)
		ck_assert_msg(strstr(header(250), parts[i]) != NULL, "%s not in %s", parts[i],
			      buf_text(&text));
	for (int cols = 250; cols >= 14; cols--) {
		header(cols);
		for (size_t i = 0; i < n; i++) {
			if (is_lost[i] || strstr(buf_text(&text), parts[i]))
				continue;
			is_lost[i] = true;
			buf_addf(&lost, "%s%s", lost.len ? " | " : "", parts[i]);
		}
	}
	return buf_text(&lost);
}

START_TEST(several_lanes_have_names)
{
	ck_assert(strstr(header(250), "  thread 6  ") != NULL);
	lanes[1].pid = 8;
	ck_assert(strstr(header(250), "  thread 6 (pid 5)  ") != NULL);
	lanes[0].thread_title = intern_adds(&profile.strings, "Main \342\200\224 a.example");
	ck_assert(strstr(header(250), "  Main \342\200\224 a.example (pid 5)  ") != NULL);
	lanes[0].page = lanes[0].thread_title;
	ck_assert(strstr(header(250), "  Main \342\200\224 a.example  ") != NULL);
}
END_TEST

/* The name of the lane, its duration and the hidden lanes stay longest. */
START_TEST(the_header_of_a_lane_loses_parts_by_rank)
{
	static const char *const parts[] = { "thread 6",      "(pid 5)", "1.00 s",
					     "1 000 samples", "busy",    "not sampled",
					     " 1 hidden",     "pinned",  "100 ms to" };

	lanes[1].pid = 8;
	lanes[0].unsampled_ns = 100 * NS_PER_MS;
	chart.has_range = true;
	chart.range_t0 = 100 * NS_PER_MS;
	chart.range_t1 = 200 * NS_PER_MS;
	ck_assert_str_eq(
		lost_of(parts, ARRAY_LEN(parts)),
		"1 000 samples | (pid 5) | not sampled | 100 ms to | busy |  1 hidden | 1.00 s | thread 6 | pinned");
}
END_TEST

/* Of a lone sample without an end, the length is made up. */
START_TEST(a_length_that_was_not_measured_is_not_busy)
{
	ck_assert_ptr_nonnull(strstr(header(250), "busy"));
	lanes[0].is_unmeasured = true;
	ck_assert_ptr_null(strstr(header(250), "busy"));
	ck_assert_ptr_nonnull(strstr(buf_text(&text), "length not measured"));
}
END_TEST

/* The list of transforms is kept as long as any part. */
START_TEST(the_header_of_several_files_loses_parts_by_rank)
{
	static const char *const parts[] = { "(of 2 files)",  "pid 5 tid 6", "1.00 s",
					     "clocks differ", "raw samples", "focus parse" };

	profile.n_inputs = 2;
	profile.has_own_zero = profile.is_raw = true;
	chart.about = "focus parse";
	chart.n_lanes = 1;
	ck_assert_str_eq(
		lost_of(parts, ARRAY_LEN(parts)),
		"pid 5 tid 6 | raw samples | clocks differ | 1.00 s | (of 2 files) | focus parse");
}
END_TEST

/* Shares of what was not loaded are not known. */
START_TEST(a_lane_that_is_not_all_loaded_has_no_shares)
{
	lanes[0].n_left = 7;
	ck_assert_ptr_nonnull(strstr(header(250), "not all loaded"));
	ck_assert_ptr_null(strstr(buf_text(&text), "busy"));
}
END_TEST

/* Time that was not sampled is said from one percent on, idle time if there is any. Garbage
 * collection is busy time, and so is (program). */
START_TEST(busy_is_what_is_not_idle)
{
	lanes[0].gc_ns = 50 * NS_PER_MS;
	ck_assert_ptr_nonnull(strstr(header(250), "busy 750 ms  idle 300 ms "));
	ck_assert_ptr_null(strstr(buf_text(&text), "program"));
	ck_assert_ptr_null(strstr(buf_text(&text), "gc"));
	lanes[0].unsampled_ns = 10 * NS_PER_MS;
	ck_assert_ptr_nonnull(strstr(header(250), "not sampled 1.0 %"));
	lanes[0].unsampled_ns--;
	ck_assert_ptr_null(strstr(header(250), "not sampled"));
	lanes[0].idle_ns = 0;
	ck_assert_ptr_null(strstr(header(250), "idle"));
}
END_TEST

/* Of a row of a table: rounded times on a narrow screen, exact ones on a wide screen. */
START_TEST(the_line_of_a_row_has_its_times_and_shares)
{
	struct frame frame = { .name = intern_adds(&profile.strings, "parse") };
	struct row row = { .self = 1234567, .total = 5000000 };
	struct details details = { .chart = &chart,
				   .row = &row,
				   .unit = { .profile = &profile, .whole = 10000000 } };
	static const struct {
		int cols;
		const char *expect;
	} widths[] = {
		{ 129, "self 1.23 ms = 12.3 %  total 5.00 ms = 50.0 %" },
		{ 130, "self 1 234.567 µs = 12.3 %  total 5 000 µs = 50.0 %" },
	};

	frame_table_init(&profile.frames);
	row.frame = frame_table_add(&profile.frames, &frame);
	for (int is_recursive = 0; is_recursive < 2; is_recursive++) {
		for (size_t i = 0; i < ARRAY_LEN(widths); i++) {
			grid_init(&grid, 1, widths[i].cols);
			details_draw(&grid, (struct rect){ 0, 0, 1, widths[i].cols }, &details);
			buf_clear(&text);
			grid_format(&grid, false, &text);
			ck_assert(is_recursive || strstr(buf_text(&text), widths[i].expect));
			ck_assert_int_eq(strstr(buf_text(&text), "recursive") != NULL,
					 is_recursive);
		}
		row.total = 1234566;
	}
	frame_table_done(&profile.frames);
}
END_TEST

START_TEST(the_line_of_a_counter_has_its_values_at_the_cursor_and_in_the_window)
{
	int64_t times[] = { 0, 400 * NS_PER_MS, 600 * NS_PER_MS };
	double values[] = { 1, 25, 3 };
	struct series series[2] = { { .n = 3, .t = times, .value = values },
				    { .n = 1, .t = times + 2, .value = values } };
	struct viewport view;
	struct details details = { .chart = &chart };

	series[0].name = intern_adds(&profile.strings, "used");
	series[1].name = intern_adds(&profile.strings, "free");
	lanes[0] = (struct lane){ .kind = LANE_COUNTER,
				  .pid = 5,
				  .tid = LANE_NO_ID,
				  .has_timeline = true,
				  .title = intern_adds(&profile.strings, "heap"),
				  .series = series,
				  .n_series = 2 };
	viewport_init(&view, 0, 1000 * NS_PER_MS);
	chart.view = &view;
	chart.counter_t = -1;
	grid_init(&grid, 1, 120);
	details_draw(&grid, (struct rect){ 0, 0, 1, 120 }, &details);
	grid_format(&grid, false, &text);
	ck_assert_ptr_nonnull(strstr(buf_text(&text), "heap"));
	ck_assert_ptr_nonnull(
		strstr(buf_text(&text),
		       "500 ms  used 25  min 1  mean 6.6  max 25  1 \342\206\222 3  free not yet"));
	/* At the cursor, and in the range. */
	chart.counter_t = 100 * NS_PER_MS;
	chart.has_range = true;
	chart.range_t0 = 300 * NS_PER_MS;
	chart.range_t1 = 500 * NS_PER_MS;
	details_draw(&grid, (struct rect){ 0, 0, 1, 120 }, &details);
	buf_clear(&text);
	grid_format(&grid, false, &text);
	ck_assert_ptr_nonnull(strstr(buf_text(&text),
				     "100 ms  used 1  min 1  mean 13  max 25  1 \342\206\222 25"));
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "details", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, several_lanes_have_names);
	tcase_add_test(t, the_header_of_a_lane_loses_parts_by_rank);
	tcase_add_test(t, a_length_that_was_not_measured_is_not_busy);
	tcase_add_test(t, the_header_of_several_files_loses_parts_by_rank);
	tcase_add_test(t, a_lane_that_is_not_all_loaded_has_no_shares);
	tcase_add_test(t, busy_is_what_is_not_idle);
	tcase_add_test(t, the_line_of_a_row_has_its_times_and_shares);
	tcase_add_test(t, the_line_of_a_counter_has_its_values_at_the_cursor_and_in_the_window);
}

int main(void)
{
	return suite_run("details", add_tests);
}
