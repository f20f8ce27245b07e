/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kinds of work: whose time slices have, in a window and where they overlap. */
#include "config.h"

#include "model/slice_work.c"

#include "trace_story.h"

START_TEST(names_are_sorted)
{
	for (size_t i = 1; i < ARRAY_LEN(by_name); i++)
		ck_assert_msg(strcmp(by_name[i - 1].name, by_name[i].name) < 0, "%s",
			      by_name[i].name);
}
END_TEST

/* A task with a script, in it a name that DevTools hides, a layout and garbage collection. */
#define TASK                                                                                       \
	X("RunTask", 0, 100)                                                                       \
	"," X("FunctionCall", 10, 60) "," X("v8.callFunction", 12, 50) "," X(                      \
		"Layout", 20, 10) "," X("PropertyTreeBuilder::BuildPropertyTrees", 22,             \
					3) "," X("MinorGC", 40, 5) "," X("V8.GC_SCAVENGER", 41, 3)

/* `scripting 40, ...` in microseconds, of all lanes of slices in [t0, t1) microseconds. */
static void ck_times(const char *text, int64_t t0, int64_t t1, const char *times)
{
	struct profile *p = load(text);
	struct buf out = { 0 };

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		int64_t ns[WORK_COUNT];

		if (p->lanes[i].kind != LANE_SLICES || p->lanes[i].is_joined)
			continue;
		work_times(p, &p->lanes[i], t0 * 1000, t1 * 1000, ns);
		for (int k = 0; k < WORK_COUNT; k++)
			if (ns[k])
				buf_addf(&out, "%s%s %lld", out.len ? ", " : "",
					 slice_work_name((enum work)k), (long long)ns[k] / 1000);
	}
	ck_assert_str_eq(buf_text(&out), times);
	buf_done(&out);
	profile_free(p);
}

START_TEST(hidden_names_count_for_the_slice_around)
{
	ck_times("[" TASK "]", 0, 100, "scripting 45, rendering 10, GC 5, system 40");
	/* Outside of all others they are system. */
	ck_times("[" X("v8.run", 0, 10) "," X("Layout", 20, 5) "]", 0, 25,
		 "rendering 5, system 10, idle 10");
}
END_TEST

START_TEST(only_the_window_counts)
{
	ck_times("[" TASK "," X("Paint", 150, 50) "]", 0, 200,
		 "scripting 45, rendering 10, painting 50, GC 5, system 40, idle 50");
	ck_times("[" TASK "," X("Paint", 150, 50) "]", 25, 160,
		 "scripting 35, rendering 5, painting 10, GC 5, system 30, idle 50");
	ck_times("[" TASK "]", 100, 100, "");
}
END_TEST

START_TEST(kinds_of_other_names)
{
	/* DevTools has a kind of its own for messages. */
	ck_times("[" X("FunctionCall", 0, 10) "," X("SchedulePostMessage", 2, 3) "]", 0, 10,
		 "scripting 7, system 3");
	ck_times("[" X("v8.compile", 0, 10) "," X("CppGC.AtomicMark", 2, 3) "]", 0, 10,
		 "scripting 10");
	ck_times("[" X("v8.run", 0, 10) "," X("V8.GCScavenger", 2, 3) "," X("MinorGC", 20, 3) "]",
		 0, 30, "GC 6, system 7, idle 17");
	ck_assert_int_eq(slice_work("SchedulePostMessage"), WORK_SCRIPTING);
	ck_assert_int_eq(slice_work("v8.run"), WORK_SCRIPTING);
	ck_assert_int_eq(slice_work("RunTask"), WORK_SYSTEM);
}
END_TEST

START_TEST(overlapping_slices_leave_idle_time)
{
	/* The second begins inside of the first and outlasts it: it is a layer of its own. */
	ck_times("[" X("Layout", 0, 10) "," X("FunctionCall", 5, 10) "]", 0, 20,
		 "scripting 10, rendering 10, idle 5");
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, names_are_sorted);
	tcase_add_test(tc, hidden_names_count_for_the_slice_around);
	tcase_add_test(tc, only_the_window_counts);
	tcase_add_test(tc, kinds_of_other_names);
	tcase_add_test(tc, overlapping_slices_leave_idle_time);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("slice_work", add_tests);
}
