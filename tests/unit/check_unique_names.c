/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that differ: of files with one name in several directories, of threads with one name in a
 * process, of several recordings of one thread. */
#include "config.h"

#include "suite.h"

#include "model/build/lane_order.h"
#include "model/profile.h"

#include "runs.h"

#include <string.h>

static const struct input_case {
	const char *paths[3], *expect;
} input_cases[] = {
	{ { "a/x.json", "b/y.json" }, "x.json y.json" },
	{ { "a/x.json", "b/x.json" }, "a/x.json b/x.json" },
	{ { "a/x.json", "a/y.json", "b/x.json" }, "a/x.json y.json b/x.json" },
	/* equal parts in between */
	{ { "a/run/x.json", "b/run/x.json" }, "a/run/x.json b/run/x.json" },
	/* one name ends like another one */
	{ { "x.json", "y/x.json", "ax.json" }, "x.json y/x.json ax.json" },
	/* the same file twice */
	{ { "a/x.json", "a/x.json" }, "x.json x.json" },
	{ { "a/x/", "-" }, "x/ -" },
};

START_TEST(names_of_inputs)
{
	const struct input_case *c = &input_cases[_i];
	struct profile p = { 0 };
	struct input inputs[3] = { 0 };
	struct buf out = { 0 };

	intern_init(&p.strings);
	p.inputs = inputs;
	for (; p.n_inputs < 3 && c->paths[p.n_inputs]; p.n_inputs++)
		inputs[p.n_inputs].path = intern_adds(&p.strings, c->paths[p.n_inputs]);
	unique_names_resolve(&p);
	for (uint32_t i = 0; i < p.n_inputs; i++)
		buf_addf(&out, "%s%s", i ? " " : "", profile_input_name(&p, i));
	ck_assert_str_eq(buf_text(&out), c->expect);
	buf_done(&out);
	intern_done(&p.strings);
}
END_TEST

static const struct lane_case {
	struct {
		int64_t pid, tid;
		const char *thread, *title;
		enum lane_kind kind;
		uint32_t input;
	} lanes[2];
	const char *expect;
} lane_cases[] = {
	{ { { 1, 7, "Pool", "", LANE_SLICES, 0 }, { 1, 8, "Main", "", LANE_SLICES, 0 } },
	  "Pool (pid 1)|Main (pid 1)" },
	{ { { 1, 7, "Pool", "", LANE_SLICES, 0 }, { 1, 8, "Pool", "", LANE_SLICES, 0 } },
	  "Pool (pid 1, tid 7)|Pool (pid 1, tid 8)" },
	{ { { 1, 7, "Pool", "", LANE_SLICES, 0 }, { 2, 7, "Pool", "", LANE_SLICES, 0 } },
	  "Pool (pid 1)|Pool (pid 2)" },
	{ { { 1, 7, "Pool", "", LANE_SLICES, 0 }, { 1, 7, "Pool", "", LANE_SAMPLES, 0 } },
	  "Pool (pid 1)|Pool \302\267 CPU samples (pid 1)" },
	{ { { 1, 0, "", "", LANE_SAMPLES, 0 }, { 1, 0, "", "", LANE_SAMPLES, 1 } },
	  "main thread \302\267 a.json (pid 1)|main thread \302\267 b.json (pid 1)" },
	{ { { LANE_NO_ID, LANE_NO_ID, "", "run", LANE_SAMPLES, 0 },
	    { LANE_NO_ID, LANE_NO_ID, "", "run", LANE_SAMPLES, 1 } },
	  "a.json \302\267 run|b.json \302\267 run" },
	/* marks of a thread are called so */
	{ { { 1, 7, "Pool", "", LANE_SLICES, 0 }, { 1, 7, "Pool", "", LANE_MARKS, 0 } },
	  "Pool (pid 1)|Pool \302\267 marks (pid 1)" },
};

START_TEST(names_of_lanes)
{
	const struct lane_case *c = &lane_cases[_i];
	struct profile p = { 0 };
	struct lane list[2] = { 0 };
	struct input inputs[2] = { 0 };
	struct buf out = { 0 };

	intern_init(&p.strings);
	inputs[0].path = intern_adds(&p.strings, "a.json");
	inputs[1].path = intern_adds(&p.strings, "b.json");
	p.inputs = inputs;
	p.n_inputs = 2;
	p.lanes = list;
	p.n_lanes = 2;
	for (int i = 0; i < 2; i++) {
		list[i].id = (lane_id)i + 1;
		list[i].pid = c->lanes[i].pid;
		list[i].tid = c->lanes[i].tid;
		list[i].thread_name = intern_adds(&p.strings, c->lanes[i].thread);
		list[i].title = intern_adds(&p.strings, c->lanes[i].title);
		list[i].kind = c->lanes[i].kind;
		list[i].input = c->lanes[i].input;
	}
	unique_names_resolve(&p);
	for (int i = 0; i < 2; i++) {
		buf_adds(&out, i ? "|" : "");
		lane_name(&p, &list[i], true, &out);
	}
	ck_assert_str_eq(buf_text(&out), c->expect);
	buf_done(&out);
	intern_done(&p.strings);
}
END_TEST

/* Where the name of the file has no thread, the frames tell that it is a worker. */
static const struct worker_case {
	const char *runs, *expect;
} worker_cases[] = {
	{ "9 f@/app/a.js:3", "main thread" },
	{ "9 (idle)|1 -@node:internal/main/worker_thread:1>f@/app/a.js:3", "worker thread" },
	{ "1 -@internal/main/worker_thread.js:1|9 f@/app/a.js:3", "worker thread" },
	/* only where threads begin */
	{ "1 f@/app/a.js:3>-@node:internal/main/worker_thread:1", "main thread" },
};

START_TEST(workers_are_no_main_threads)
{
	const struct worker_case *c = &worker_cases[_i];
	struct profile *p = runs_load(c->runs);
	struct buf out = { 0 };

	lane_name(p, &p->lanes[0], true, &out);
	ck_assert_str_eq(buf_text(&out), c->expect);
	buf_done(&out);
	profile_free(p);
}
END_TEST

static const struct fit_case {
	int room;
	const char *expect;
} fit_cases[] = {
	{ 60, "Renderer of a page: Compositor (pid 12)" },
	{ 39, "Renderer of a page: Compositor (pid 12)" },
	{ 30, "Rend\342\200\246page: Compositor (pid 12)" },
	{ 25, "Compositor (pid 12)" },
	{ 15, "Composi\342\200\246pid 12)" },
};

/* The process is cut first: it has an id, too. */
START_TEST(name_that_must_fit)
{
	struct profile p = { .n_inputs = 0 };
	struct lane lane = { .pid = 12, .tid = 3 };
	struct buf out = { 0 };

	intern_init(&p.strings);
	lane.process_name = intern_adds(&p.strings, "Renderer of a page");
	lane.thread_name = intern_adds(&p.strings, "Compositor");
	lane_name_fit(&p, &lane, fit_cases[_i].room, &out);
	ck_assert_str_eq(buf_text(&out), fit_cases[_i].expect);
	buf_done(&out);
	intern_done(&p.strings);
}
END_TEST

/* What distinguishes two lanes stays: the end of the thread's name, the kind of lane, the ids. */
START_TEST(end_of_a_name_stays)
{
	struct profile p = { .n_inputs = 0 };
	struct lane lane = { .pid = 12, .tid = 3, .is_below_slices = true };
	struct buf out = { 0 };

	intern_init(&p.strings);
	lane.thread_name = intern_adds(&p.strings, "Worker of shop.example/hash-worker.js");
	lane_name_fit(&p, &lane, 50, &out);
	ck_assert_str_eq(buf_text(&out),
			 "Worker of sho\342\200\246ash-worker.js \302\267 CPU samples (pid 12)");
	buf_done(&out);
	intern_done(&p.strings);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "namesakes", SUITE_SECONDS);

	tcase_add_loop_test(t, names_of_inputs, 0, N(input_cases));
	tcase_add_loop_test(t, names_of_lanes, 0, N(lane_cases));
	tcase_add_loop_test(t, workers_are_no_main_threads, 0, N(worker_cases));
	tcase_add_loop_test(t, name_that_must_fit, 0, N(fit_cases));
	tcase_add_test(t, end_of_a_name_stays);
}

int main(void)
{
	return suite_run("unique_names", add_tests);
}
