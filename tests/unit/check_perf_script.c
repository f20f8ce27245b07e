/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of `perf script`: one test for each rule of formats(5), PERF SCRIPT. */
#include "config.h"

#include "story.h"
#include "suite.h"

#include "model/profile.h"

#define HEAD(t) "node 7 1." t ":  2000000 cpu-clock:ppp: \n"
#define A "\t 1a a+0x4 (/bin/x)\n"
#define B "\t 1b b+0x4 (/bin/x)\n"
#define K "\tffffffff8158e80c fault+0xdc ([kernel.kallsyms])\n"

static const struct good {
	const char *text, *story, *kind;
	uint64_t count;
} goods[] = {
	/* innermost first; a sample lasts until the next one */
	{ HEAD("000000") A B "\n" HEAD("003000") B "\n", "0 b>a|3000 b|5000", NULL, 0 },
	/* offsets are no part of the name */
	{ HEAD("000000") A "\n" HEAD("002000") "\t 2a a+0x99 (/bin/x)\n\n", "0 a|2000 a|4000", NULL,
	  0 },
	/* a gap of more than two intervals is not sampled */
	{ HEAD("000000") A "\n" HEAD("004000") B "\n", "0 a|4000 b|6000", NULL, 0 },
	{ HEAD("000000") A "\n" HEAD("006000") B "\n", "0 a|2000 -|6000 b|8000", NULL, 0 },
	/* the interval of most samples is that of all */
	{ "node 7 1.000000:  10 cpu-clock:ppp: \n" A "\n" HEAD("002000") B "\n" HEAD("004000") A
	  "\n",
	  "0 a|2000 b|4000 a|6000", NULL, 0 },
	{ HEAD("000000") A "\n" HEAD("002000") B "\n"
						 "node 7 1.004000:  10 cpu-clock:ppp: \n" A "\n",
	  "0 a|2000 b|4000 a|6000", NULL, 0 },
	/* without a frame the stack is unknown */
	{ HEAD("000000") "\n", "0 [unknown]|2000", NULL, 0 },
	/* comments, and lines that are no frames */
	{ "# x\n" HEAD("000000") A "odd\n\n" HEAD("002000") A "\n", "0 a|2000 a|4000", "odd-line",
	  1 },
	/* samples out of order; equal times are not */
	{ HEAD("002000") A "\n" HEAD("000000") B "\n", "0 b|2000 a|4000", "unsorted", 1 },
	{ HEAD("000000") A "\n" HEAD("000000") B "\n", "0 a|0 b|2000", NULL, 0 },
	/* names with blanks, processes, processors */
	{ "my prog 7/8 [003] 1.000000: 2000000 cpu-clock: \n" A
	  "\nmy prog 7/8 [001] 1.002000: 2000000 cpu-clock: \n" B "\n",
	  "0 a|2000 b|4000", NULL, 0 },
	{ ":-1 -1/-1 [003] 1.000000: 2000000 cpu-clock: \n" A
	  "\n:-1 -1 1.002000: 2000000 cpu-clock: \n" B "\n",
	  "0 a|2000 b|4000", NULL, 0 },
	{ "a 1.5: 7 1.000000000: 2000000 cpu-clock: \n" A "\n", "0 a|2000", NULL, 0 },
	/* frames in the line of the head, whose thread has the name of a number */
	{ "  add 7 1.000000: 2000000 cpu-clock: 1a a+0x4 (/bin/x)\n"
	  "  add 7 1.001000: 2000000 cpu-clock: 1b b+0x4 (/bin/x)\n",
	  "0 a|1000 b|3000", NULL, 0 },
	/* events that do not count time: the lower quartile of all distances */
	{ "x 7 1.000000: 9 cycles: 1a a (x)\nx 7 1.001000: 9 cycles: 1a b (x)\n"
	  "x 7 1.002000: 9 cycles: 1a a (x)\nx 7 1.003000: 9 cycles: 1a b (x)\n"
	  "x 7 1.010000: 9 cycles: 1a a (x)\n",
	  "0 a|1000 b|2000 a|3000 b|4000 -|10000 a|11000", NULL, 0 },
	/* without event, module, or both */
	{ "x 7 1.000000: \n\t 1a a+0x4\n\t 1b b\n\n", "0 b>a|1000", NULL, 0 },
	{ "x 7 1.000000:  1a a+0x4 (/bin/x)\n", "0 a|1000", NULL, 0 },
	/* names with blanks and parentheses, modules with them, modules that were deleted */
	{ HEAD("000000") "\t 1 operator() (x)+0x1 (/a (deleted))\n\n" HEAD(
		  "002000") "\t 1 [unknown] (/opt/x (1)/y)\n\n" HEAD("004000") "\t 1 f (/a (b)\n\n",
	  "0 operator() (x)|2000 [unknown]|4000 f (/a|6000", NULL, 0 },
	/* functions of JavaScript; however they were compiled, they are one */
	{ HEAD("000000") "\t 1 JS:~f /a b.js:3:5+0x1 (/tmp/perf-7.map)\n\n" HEAD(
		  "002000") "\t 1 LazyCompile:*f /a b.js:3:5+0x9 (/tmp/perf-7.map)\n\n",
	  "0 f|2000 f|4000", NULL, 0 },
	/* the idle task, where it waits, and where it does not */
	{ "swapper 0 [000] 1.000000: 2000000 cpu-clock: \n\tffffffff81 pv_native_safe_halt+0x1 "
	  "([kernel.kallsyms])\n" K "\nswapper 0 [000] 1.002000: 2000000 cpu-clock: \n" K "\n",
	  "0 (idle)|2000 fault|4000", NULL, 0 },
	/* lines of the source, branch stacks and records */
	{ HEAD("000000") "\t 1a a+0x4\n  a.c:3 (inlined)\n\t 1a b+0x4 (/bin/x)\n  b.c:4\n\t 1 c "
			 "(libc.so.6)\n  libc.so.6[27249]\n\n",
	  "0 c>b>a|2000", NULL, 0 },
	{ HEAD("000000") A " 0x1/0x2/P/-/-/0  0x3/0x4/M/-/-/2 \n" HEAD("002000") A
	  "  main+0x1/f+0x2/P/-/-/0 \n",
	  "0 a|2000 a|4000", NULL, 0 },
	{ "swapper 0 0.000000: PERF_RECORD_MMAP -1/0: [0x1(0x2) @ 0]: x [kernel]\n"
	  "x 7 0.000000: PERF_RECORD_MMAP2 7/7: [0x1(0x2) @ 0]: x y\n" HEAD("000000") A
	  "x 7 1.001000: PERF_RECORD_LOST lost 27\n\n",
	  "0 a|2000", NULL, 0 },
	/* cut off inside a line, at its end inside a sample, and at the end of a sample */
	{ HEAD("000000") A "\n" HEAD("002000") A "\t 1b b+0", "0 a|2000 a|4000", "cut-off", 1 },
	{ HEAD("000000") A "\n" HEAD("002000") A, "0 a|2000 a|4000", "cut-off", 1 },
	{ HEAD("000000") A "\nnode 7 1.0020", "0 a|2000", "cut-off", 1 },
};

START_TEST(lines)
{
	story_check(goods[_i].text, goods[_i].story, goods[_i].kind, goods[_i].count);
}
END_TEST

/* Load a text, which may have quotes, with the samples of this event. */
static struct profile *try(const char *text, const char *event, struct error *err)
{
	struct builder_options options = { .sample_type = event };
	char *copy = xstrdup(text);
	struct profile *p = load_text_with(builder_new(&options), copy, strlen(text), SIZE_MAX,
					   NULL, err);

	free(copy);
	return p;
}

static struct profile *load(const char *text, const char *event)
{
	struct error err = ERROR_INIT;
	struct profile *p = try(text, event, &err);

	ck_assert_msg(p != NULL, "not loaded: %s", err.text);
	return p;
}

static bool has_note(const struct profile *p, const char *part)
{
	for (size_t i = 0; i < p->inputs[0].n_notes; i++)
		if (strstr(profile_text(p, p->inputs[0].notes[i].text), part))
			return true;
	return false;
}

/* ---- frames ---- */

static const struct place {
	const char *line, *name, *url;
	int line_number, column;
	enum category category;
} places[] = {
	{ "JS:*fib /srv/a.js:3:13+0x4 (/tmp/perf-7.map)", "fib", "/srv/a.js", 3, 13, CATEGORY_APP },
	{ "JS:~get total /srv/a b/c.js:4:24 (/tmp/perf-7.map)", "get total", "/srv/a b/c.js", 4, 24,
	  CATEGORY_APP },
	{ "JS:^/users /srv/a.js:6:28 (/tmp/perf-7.map)", "/users", "/srv/a.js", 6, 28,
	  CATEGORY_APP },
	{ "JS:+ file:///srv/a.mjs:6:82 (/tmp/perf-7.map)", "(anonymous)", "file:///srv/a.mjs", 6,
	  82, CATEGORY_APP },
	{ "JS:*'fib /srv/node_modules/b/c.js:3:13 (/tmp/perf-7.map)", "fib",
	  "/srv/node_modules/b/c.js", 3, 13, CATEGORY_DEPENDENCY },
	{ "JS:o+f node:zlib:5:6 (/tmp/perf-7.map)", "f", "node:zlib", 5, 6, CATEGORY_NODE },
	{ "JS:o*vmf evalmachine.<anonymous>:1:14 (/tmp/perf-7.map)", "vmf",
	  "evalmachine.<anonymous>", 1, 14, CATEGORY_EVAL },
	{ "JS:*q :1:11+0x1 (/tmp/perf-7.map)", "q", "", 1, 11, CATEGORY_EVAL },
	/* Node.js 18: no column */
	{ "Function:^compile node:internal/realm:375+0x2 (/tmp/perf-7.map)", "compile",
	  "node:internal/realm", 375, 0, CATEGORY_NODE },
	{ "LazyCompile:* /srv/a.js:6+0x1 (/tmp/perf-7.map)", "(anonymous)", "/srv/a.js", 6, 0,
	  CATEGORY_APP },
	{ "Script:~ a.js:1:1 (/tmp/perf-7.map)", "(anonymous)", "a.js", 1, 1, CATEGORY_APP },
	{ "JS:*f https://x.y/a.js:9:1 (jitted-7-12.so)", "f", "https://x.y/a.js", 9, 1,
	  CATEGORY_APP },
	{ "Builtin:ArrayMap (/tmp/perf-7.map)", "Builtin:ArrayMap", "", 0, 0, CATEGORY_NATIVE },
	{ "RegExp.< src: '(a+)' flags: 'g'+0x2 (/tmp/perf-7.map)", "RegExp: (a+)", "", 0, 0,
	  CATEGORY_REGEXP },
	{ "[unknown] (/tmp/perf-7.map)", "[unknown]", "native compiled code", 0, 0,
	  CATEGORY_NATIVE },
	{ "uv_run+0x1 (/usr/bin/node)", "uv_run", "native /usr/bin/node", 0, 0, CATEGORY_NATIVE },
	{ "[unknown] (/usr/bin/node)", "[unknown]", "native /usr/bin/node", 0, 0, CATEGORY_NATIVE },
	{ "[unknown] ([unknown])", "[unknown]", "", 0, 0, CATEGORY_NATIVE },
	{ "f ([vdso])", "f", "native [vdso]", 0, 0, CATEGORY_NATIVE },
	{ "f ([kernel.kallsyms])", "f", "native [kernel]", 0, 0, CATEGORY_NATIVE },
	{ "f ([guest.kernel.kallsyms])", "f", "native [kernel]", 0, 0, CATEGORY_NATIVE },
	{ "f ([JIT app cache])", "f", "", 0, 0, CATEGORY_NATIVE },
	{ "f (/memfd:jit-cache (deleted))", "f", "", 0, 0, CATEGORY_NATIVE },
	{ "f ([ext4])", "f", "native [kernel] ext4", 0, 0, CATEGORY_NATIVE },
	{ "f (/lib/modules/6.1/fs/ext4.ko.xz)", "f", "native [kernel] ext4", 0, 0,
	  CATEGORY_NATIVE },
};

static void check_frame(const struct profile *p, const struct place *want)
{
	const struct lane *l = &p->lanes[0];
	const struct frame *f = profile_node_frame(p, l, l->samples.leaf[0]);

	ck_assert_str_eq(profile_text(p, f->name), want->name);
	ck_assert_str_eq(profile_text(p, f->url), want->url);
	ck_assert_int_eq(f->line, want->line_number);
	ck_assert_int_eq(f->column, want->column);
	ck_assert_str_eq(category_name(f->category), category_name(want->category));
}

START_TEST(frames_have_their_place)
{
	struct buf text = { 0 };
	struct profile *p;

	buf_addf(&text, HEAD("000000") "\t     7f01 %s\n\n", places[_i].line);
	p = load(buf_text(&text), NULL);
	ck_assert_uint_eq(p->inputs[0].n_warnings, 0);
	check_frame(p, &places[_i]);
	profile_free(p);
	buf_done(&text);
}
END_TEST

/* Inlined functions get the module of the function at their address; a frame at another address
 * tells nothing. */
START_TEST(inlined_functions_have_the_module_of_their_address)
{
	static const struct place one = { NULL, "in", "native /bin/x", 0, 0, CATEGORY_NATIVE },
				  none = { NULL, "in", "", 0, 0, CATEGORY_NATIVE };
	struct profile *p;

	p = load(HEAD("000000") "\t 1a in (inlined)\n\t 1a out+0x4 (/bin/x)\n\n", NULL);
	check_frame(p, &one);
	profile_free(p);
	p = load(HEAD("000000") "\t 1a in (inlined)\n\t 1b out+0x4 (/bin/x)\n\n", NULL);
	check_frame(p, &none);
	profile_free(p);
}
END_TEST

START_TEST(an_unknown_frame_of_the_kernel_is_the_kernels)
{
	static const struct place want = { NULL, "[unknown]", "native [kernel]",
					   0,    0,           CATEGORY_NATIVE };
	struct profile *p = load(HEAD("000000") "\tffffffff8158e80c [unknown] ([unknown])\n\n",
				 NULL);

	check_frame(p, &want);
	ck_assert(has_note(p, "1 samples in the kernel"));
	profile_free(p);
}
END_TEST

START_TEST(compilers_of_functions_are_counted)
{
	struct profile *p = load(HEAD("000000") "\t 1 JS:*'f a.js:1:1 (m)\n\t 1 JS:~g a.js:2:1 "
						"(m)\n\n" HEAD("002000") "\t 1 JS:o+f a.js:1:1 "
									 "(m)\n\n",
				 NULL);

	ck_assert(has_note(p, "interpreted 0, baseline 0, Maglev 1, TurboFan 1"));
	profile_free(p);
}
END_TEST

/* ---- threads ---- */

START_TEST(threads_have_lanes_and_their_last_name)
{
	struct profile *p = load("sh 5/5 1.000000: 2000000 cpu-clock: 1 a (x)\n"
				 "libuv-worker 5/6 1.001000: 2000000 cpu-clock: 1 b (x)\n"
				 "node 5/5 1.002000: 2000000 cpu-clock: 1 c (x)\n",
				 NULL);

	ck_assert_uint_eq(p->n_lanes, 2);
	ck_assert_str_eq(profile_text(p, p->lanes[0].title), "node");
	ck_assert_int_eq(p->lanes[0].tid, 5);
	ck_assert_int_eq(p->lanes[0].pid, 5);
	story_of(p, 0, "0 a|2000 c|4000");
	ck_assert_str_eq(profile_text(p, p->lanes[1].title), "libuv-worker");
	story_of(p, 1, "1000 b|3000");
	profile_free(p);
}
END_TEST

START_TEST(the_idle_task_has_a_lane_for_each_processor)
{
	struct profile *p = load("swapper 0 [000] 1.000000: 2000000 cpu-clock: 1 a (x)\n"
				 "swapper 0 [001] 1.000000: 2000000 cpu-clock: 1 b (x)\n"
				 "swapper 0 [000] 1.002000: 2000000 cpu-clock: 1 c (x)\n"
				 "node 9 [000] 1.002000: 2000000 cpu-clock: 1 c (x)\n"
				 "node 9 [001] 1.004000: 2000000 cpu-clock: 1 c (x)\n",
				 NULL);

	ck_assert_uint_eq(p->n_lanes, 3);
	ck_assert_str_eq(profile_text(p, p->lanes[0].title), "swapper of processor 0");
	ck_assert_str_eq(profile_text(p, p->lanes[1].title), "swapper of processor 1");
	ck_assert_uint_eq(p->lanes[0].n_samples, 2);
	ck_assert_uint_eq(p->lanes[2].n_samples, 2);
	profile_free(p);
}
END_TEST

/* Stretches that were not sampled are no samples. */
START_TEST(gaps_are_not_counted_as_samples)
{
	struct profile *p = load(HEAD("000000") A "\n" HEAD("050000") A "\n", NULL);

	ck_assert_uint_eq(p->lanes[0].n_samples, 2);
	ck_assert_uint_eq(p->lanes[0].samples.n, 3);
	ck_assert_int_eq(p->lanes[0].interval_ns, 2000000);
	profile_free(p);
}
END_TEST

START_TEST(gaps_are_idle_time_if_that_is_wanted)
{
	struct builder_options options = { .has_idle_gaps = true };
	static const char text[] = HEAD("000000") A "\n" HEAD("050000") A "\n";
	struct error err = ERROR_INIT;
	struct profile *p = load_text_with(builder_new(&options), text, strlen(text), SIZE_MAX,
					   NULL, &err);

	ck_assert(p != NULL);
	story_of(p, 0, "0 a|2000 (idle)|50000 a|52000");
	profile_free(p);
}
END_TEST

/* The distances of a thread that waits do not count for one that is busy. */
START_TEST(threads_have_one_interval)
{
	struct profile *p = load(
		"x 7 1.000000: 9 cycles: 1 a (x)\nx 7 1.001000: 9 cycles: 1 a (x)\n"
		"x 7 1.002000: 9 cycles: 1 a (x)\ny 8 1.000000: 9 cycles: 1 b (x)\n"
		"y 8 1.500000: 9 cycles: 1 b (x)\ny 8 2.000000: 9 cycles: 1 b (x)\n"
		"y 8 2.500000: 9 cycles: 1 b (x)\n",
		NULL);

	story_of(p, 1, "0 b|1000 -|500000 b|501000 -|1000000 b|1001000 -|1500000 b|1501000");
	profile_free(p);
}
END_TEST

/* ---- events ---- */

#define TWO                                                                                        \
	"x 7 1.000000: 2000000 cpu-clock:ppp: 1 a (x)\nx 7 1.001000: 1 page-faults: 1 b (x)\n"     \
	"x 7 1.002000: 2000000 cpu-clock:ppp: 1 a (x)\nx 7 1.003000: 1 sched:sched_switch: 1 c\n"

START_TEST(the_first_event_is_shown_and_a_note_names_others)
{
	struct profile *p = load(TWO, NULL);

	story_of(p, 0, "0 a|2000 a|4000");
	ck_assert(has_note(p, "a sample for each 2.00 ms of cpu-clock:ppp"));
	ck_assert(has_note(
		p, "for --sample-type, not shown: page-faults (1), sched:sched_switch (1)"));
	profile_free(p);
}
END_TEST

START_TEST(sample_type_chooses_the_event)
{
	struct profile *p = load(TWO, "page-faults");

	story_of(p, 0, "0 b|1");
	ck_assert(has_note(p, "samples of the event page-faults"));
	ck_assert(has_note(p, "not shown: cpu-clock:ppp (2)"));
	profile_free(p);
	/* With and without modifiers. */
	p = load(TWO, "cpu-clock");
	story_of(p, 0, "0 a|2000 a|4000");
	profile_free(p);
	p = load(TWO, "cpu-clock:ppp");
	story_of(p, 0, "0 a|2000 a|4000");
	profile_free(p);
}
END_TEST

START_TEST(an_event_that_is_missing_lists_those_there_are)
{
	static const char *const wanted[] = { "cycles", "cpu", "sched", "" };

	for (size_t i = 0; i < N(wanted); i++) {
		struct error err = ERROR_INIT;

		ck_assert(try(TWO, wanted[i], &err) == NULL);
		ck_assert_msg(strstr(err.text,
				     "it has cpu-clock:ppp (2), page-faults (1), "
				     "sched:sched_switch (1)"),
			      "%s: %s", wanted[i], err.text);
	}
}
END_TEST

START_TEST(an_event_of_both_kinds_of_cores_is_one)
{
	struct profile *p = load("x 7 1.000000: 9 cpu_core/cycles/P: 1 a (x)\n"
				 "x 7 1.001000: 9 cpu_atom/cycles/P: 1 b (x)\n"
				 "x 7 1.002000: 9 cpu_core/instructions/: 1 c (x)\n",
				 "cycles");

	story_of(p, 0, "0 a|1000 b|2000");
	ck_assert(has_note(p, "samples of the event cycles/P"));
	profile_free(p);
}
END_TEST

START_TEST(without_samples_it_is_an_error)
{
	struct error err = ERROR_INIT;

	ck_assert(story_try("# nothing\n", 10, "perf-script", SIZE_MAX, &err) == NULL);
	ck_assert_str_eq(err.text, "the text has no samples of perf");
}
END_TEST

/* ---- notes ---- */

START_TEST(what_is_not_shown_is_counted)
{
	struct profile *p = load("# cmdline : perf record -g ./x\n" HEAD("000000") A
				 "  a.c:3\n 0x1/0x2/P/-/-/0  0x3/0x4/M/-/-/2 \n"
				 "x 7 1.001000: PERF_RECORD_LOST lost 27\n" HEAD(
					 "002000") "\t 7f01 "
						   "[unknown] (/tmp/perf-7.map)\n\n",
				 NULL);

	ck_assert(has_note(p, "recorded by: perf record -g ./x"));
	ck_assert(has_note(p, "1 lines of the source are not shown"));
	ck_assert(has_note(p, "2 entries of branch stacks are not shown"));
	ck_assert(has_note(p, "27 samples or records were lost"));
	ck_assert(has_note(p, "1 frames of compiled code have no name"));
	profile_free(p);
}
END_TEST

START_TEST(a_line_that_is_odd_is_told_with_its_byte)
{
	static const char text[] = HEAD("000000") A "\nodd\n" HEAD("002000") A "odd\n\n";
	struct profile *p = load(text, NULL);

	ck_assert_uint_eq(p->inputs[0].n_warnings, 1);
	ck_assert_int_eq(p->inputs[0].warnings[0].kind, WARN_ODD_LINE);
	ck_assert_uint_eq(p->inputs[0].warnings[0].count, 2);
	ck_assert_int_eq(p->inputs[0].warnings[0].offset, strstr(text, "odd") - text);
	profile_free(p);
}
END_TEST

/* ---- the clock ---- */

#define CPU_PROFILE                                                                                \
	"{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\",\"url\":\"\","           \
	"\"lineNumber\":-1,\"columnNumber\":-1},\"children\":[2]},{\"id\":2,\"callFrame\":{"       \
	"\"functionName\":\"f\",\"url\":\"\",\"lineNumber\":-1,\"columnNumber\":-1}}],"            \
	"\"startTime\":1000000,\"endTime\":1010000,\"samples\":[2],\"timeDeltas\":[10000]}"

/* When the lane of perf begins in the set of a CPU profile from 1.000 s on and a text of perf from
 * 1.003 s on. */
static int64_t begin_beside_profile(const char *comment)
{
	struct builder_options options = { .is_raw = false };
	struct builder *b = builder_new(&options);
	struct error err = ERROR_INIT;
	struct buf text = { 0 };
	struct profile *p;
	int64_t t0 = -1;

	buf_addf(&text, "%s" HEAD("003000") A "\n", comment);
	ck_assert(pass_text(b, CPU_PROFILE, strlen(CPU_PROFILE), SIZE_MAX, NULL, &err));
	ck_assert(pass_text(b, buf_text(&text), text.len, SIZE_MAX, NULL, &err));
	buf_done(&text);
	p = builder_finish(b, &err);
	ck_assert(p != NULL);
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].input == 1)
			t0 = p->lanes[i].t0;
	profile_free(p);
	return t0;
}

/* perf has a clock of its own, unless it was recorded with -k mono, the clock of V8. */
START_TEST(only_the_monotonic_clock_is_that_of_cpu_profiles)
{
	ck_assert_int_eq(begin_beside_profile(""), 0);
	ck_assert_int_eq(begin_beside_profile("# clockid: monotonic_raw (4)\n"), 0);
	ck_assert_int_eq(begin_beside_profile("# clockid: monotonic (1)\n"), 3000000);
}
END_TEST

START_TEST(broken_anywhere)
{
	story_broken("# c\n" HEAD("000000") A B
		     "\n" HEAD("009000") "\t 1 JS:*f /a.js:1:2+0x1 (m)\n\n",
		     "perf-script");
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", 300);

	tcase_add_loop_test(t, lines, 0, N(goods));
	tcase_add_loop_test(t, frames_have_their_place, 0, N(places));
	tcase_add_test(t, inlined_functions_have_the_module_of_their_address);
	tcase_add_test(t, an_unknown_frame_of_the_kernel_is_the_kernels);
	tcase_add_test(t, compilers_of_functions_are_counted);
	tcase_add_test(t, threads_have_lanes_and_their_last_name);
	tcase_add_test(t, the_idle_task_has_a_lane_for_each_processor);
	tcase_add_test(t, gaps_are_not_counted_as_samples);
	tcase_add_test(t, gaps_are_idle_time_if_that_is_wanted);
	tcase_add_test(t, threads_have_one_interval);
	tcase_add_test(t, the_first_event_is_shown_and_a_note_names_others);
	tcase_add_test(t, sample_type_chooses_the_event);
	tcase_add_test(t, an_event_that_is_missing_lists_those_there_are);
	tcase_add_test(t, an_event_of_both_kinds_of_cores_is_one);
	tcase_add_test(t, without_samples_it_is_an_error);
	tcase_add_test(t, what_is_not_shown_is_counted);
	tcase_add_test(t, a_line_that_is_odd_is_told_with_its_byte);
	tcase_add_test(t, only_the_monotonic_clock_is_that_of_cpu_profiles);
	tcase_add_test(t, broken_anywhere);
}

int main(void)
{
	return suite_run("perf_script", add_tests);
}
