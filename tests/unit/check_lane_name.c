/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of lanes: one row for each rule. The profile has two inputs and three lanes; the lane of a
 * case is the second one, behind a lane of slices of thread 7 of process 1. */
#include "config.h"

#include "suite.h"

#include "model/profile.h"

#include <string.h>

static const struct name_case {
	int64_t pid, tid;
	const char *process, *thread, *title;
	enum lane_kind kind;
	uint32_t input;
	bool is_alone; /* the only lane of the only input */
	bool has_process;
	const char *expect;
} cases[] = {
	{ 1, 7, "shop", "worker", "", LANE_SLICES, 0, false, true, "shop: worker (pid 1)" },
	{ 1, 7, "shop", "worker", "", LANE_SLICES, 0, false, false, "worker" },
	{ 1, 0, "", "", "", LANE_SLICES, 0, false, true, "main thread (pid 1)" },
	{ 1, 9, "", "", "", LANE_SLICES, 0, false, true, "thread 9 (pid 1)" },
	{ LANE_NO_ID, LANE_NO_ID, "", "", "", LANE_SAMPLES, 0, true, true, "main thread" },
	/* nothing is known: the file, without its folder */
	{ LANE_NO_ID, LANE_NO_ID, "", "", "", LANE_SAMPLES, 0, false, true, "first.cpuprofile" },
	{ LANE_NO_ID, LANE_NO_ID, "", "", "", LANE_SAMPLES, 1, false, true, "folder/" },
	{ LANE_NO_ID, LANE_NO_ID, "", "", "", LANE_SAMPLES, 2, false, true, "samples" },
	/* a track has a title and no thread */
	{ 1, LANE_NO_ID, "shop", "", "heap", LANE_COUNTER, 0, false, true, "shop: heap (pid 1)" },
	{ 1, 7, "", "", "fetch", LANE_ASYNC, 0, false, true, "thread 7 \302\267 fetch (pid 1)" },
	{ 1, 0, "", "", "fetch", LANE_ASYNC, 0, false, true, "main thread \302\267 fetch (pid 1)" },
	/* of two files with one title each, the file tells which */
	{ LANE_NO_ID, LANE_NO_ID, "", "", "run", LANE_SAMPLES, 0, true, true, "run" },
	{ LANE_NO_ID, LANE_NO_ID, "", "", "run", LANE_SAMPLES, 0, false, true,
	  "first.cpuprofile \302\267 run" },
	/* numbers below zero are ids, too */
	{ -1, -7, "", "", "", LANE_SLICES, 0, false, true, "thread -7 (pid -1)" },
	/* several lanes of one thread */
	{ 1, 7, "", "", "", LANE_SAMPLES, 0, false, true, "thread 7 \302\267 CPU samples (pid 1)" },
	{ 1, 8, "", "", "", LANE_SAMPLES, 0, false, true, "thread 8 (pid 1)" },
	{ 2, 7, "", "", "", LANE_SAMPLES, 0, false, true, "thread 7 (pid 2)" },
	{ 1, 7, "", "", "", LANE_MARKS, 0, false, true, "thread 7 \302\267 marks (pid 1)" },
	/* controls are made visible */
	{ 1, 7, "\033[m", "a\nb", "", LANE_SLICES, 0, false, true, "^[[m: a^Jb (pid 1)" },
};

START_TEST(names)
{
	const struct name_case *c = &cases[_i];
	struct profile profile = { 0 };
	struct lane lanes[3] = { { .pid = 1, .tid = 7, .kind = LANE_SLICES }, { 0 }, { 0 } };
	struct lane *lane = c->is_alone ? &lanes[0] : &lanes[1];
	struct input inputs[2] = { 0 };
	struct buf out = { 0 };

	intern_init(&profile.strings);
	profile.lanes = lanes;
	profile.n_lanes = c->is_alone ? 1 : 3;
	inputs[0].path = intern_adds(&profile.strings, "some/first.cpuprofile");
	inputs[1].path = intern_adds(&profile.strings, "folder/");
	profile.inputs = inputs;
	profile.n_inputs = c->is_alone ? 1 : 2;
	lane->id = 5;
	lane->pid = c->pid;
	lane->tid = c->tid;
	lane->kind = c->kind;
	lane->input = c->input;
	lane->process_name = intern_adds(&profile.strings, c->process);
	lane->thread_name = intern_adds(&profile.strings, c->thread);
	lane->title = intern_adds(&profile.strings, c->title);
	lane_name_prepare(lanes, profile.n_lanes);
	lane_name(&profile, lane, c->has_process, &out);
	ck_assert_str_eq(buf_text(&out), c->expect);
	buf_done(&out);
	intern_done(&profile.strings);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "names", SUITE_SECONDS);

	tcase_add_loop_test(t, names, 0, N(cases));
}

int main(void)
{
	return suite_run("lane_name", add_tests);
}
