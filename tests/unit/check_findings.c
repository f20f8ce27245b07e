/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules of findings on small profiles: what each of them claims, and what it must not claim. */
#include "config.h"

#include "suite.h"

#include "analyse/view/scoped.h"
#include "base/text.h"
#include "findings/findings.h"
#include "findings/verdict.h"
#include "read/load/load.h"

#include "runs.h"

/* Append the items, with blanks between them. */
static void verdict_line(const struct verdict *v, struct buf *out)
{
	int col = 0;

	for (int i = 0; i < v->n; i++) {
		for (; col < v->items[i].col; col++)
			buf_addc(out, ' ');
		buf_adds(out, v->items[i].text);
		col += v->items[i].cells;
	}
}

static struct profile *profile;
static struct findings findings;

static void open_lane(const struct lane *lane)
{
	findings_init(&findings, profile, lane);
	findings_begin(&findings, 0, profile->t1);
	while (!findings_work(&findings, a_step()))
		;
}

static void open_runs(const char *runs)
{
	profile = runs_load(runs);
	open_lane(&profile->lanes[0]);
}

static void close_runs(void)
{
	findings_done(&findings);
	profile_free(profile);
}

/* All texts, one a line, with the kind before and the notes after ` // `. */
static void list_texts(struct buf *out)
{
	for (uint32_t i = 0; i < findings.result.n; i++) {
		const struct finding *f = &findings.result.list[i];

		buf_addf(out, "%s: %s", findings_kind_name(f->kind), f->text);
		for (uint32_t k = 0; k < f->n_notes; k++)
			buf_addf(out, " // %s", f->notes[k]);
		buf_addc(out, '\n');
	}
}

/* The runs have the finding; an empty text is in none of them. */
static void says(const char *runs, const char *expect)
{
	struct buf all = { 0 };

	open_runs(runs);
	list_texts(&all);
	ck_assert_msg(strstr(buf_text(&all), expect) != NULL, "no \"%s\" in\n%s", expect,
		      buf_text(&all));
	buf_done(&all);
	close_runs();
}

static void says_not(const char *runs, const char *not_this)
{
	struct buf all = { 0 };

	open_runs(runs);
	list_texts(&all);
	ck_assert_msg(strstr(buf_text(&all), not_this) == NULL, "\"%s\" in\n%s", not_this,
		      buf_text(&all));
	buf_done(&all);
	close_runs();
}

/* The verdict line in `room` cells. */
static void line(const char *runs, int room, const char *expect)
{
	struct verdict v;
	struct buf text = { 0 };

	open_runs(runs);
	verdict_compose(&findings.result, room, &v);
	verdict_line(&v, &text);
	ck_assert_str_eq(buf_text(&text), expect);
	ck_assert_int_eq(text_cells(text.data, text.len), v.cells);
	buf_done(&text);
	close_runs();
}

#define A "a@/app/a.js:3"
#define B "b@/app/b.js:5"
/* A frame of Node.js, so that the lane is not that of a page, whose tasks count. */
#define NODE "|1 emit@node:events:1"
#define LIB "deep@/app/node_modules/lib/index.js:7"
#define OTHER "other@/app/node_modules/other/index.js:9"

/* ---- owners ---- */

/* Time of packages, of Node.js and of native code below a function is charged to it. */
START_TEST(owner_has_what_it_calls)
{
	says("50 " A "|25 " A ">" LIB "|25 " B, "owner: a a.js:3 75 %");
	says("50 " A "|25 " A ">readFileSync@node:fs:1>read|25 " B, "owner: a a.js:3 75 %");
	says("50 " A "|50 " A ">" B, "owner: b b.js:5 50 %");
	says("40 " A "|60 " A ">" LIB, "; in package lib 60 %");
	says_not("71 " A "|29 " A ">" LIB, "; in package");
}
END_TEST

START_TEST(few_samples_are_no_finding)
{
	says("91 " A "|10 " B, "owner: b");
	says_not("91 " A "|9 " B, "owner: b");
	says_not("590 " A "|11 " B, "owner: b");
}
END_TEST

/* ---- packages ---- */

START_TEST(package_and_who_calls_it)
{
	says("30 " A ">" LIB "|30 " B ">" LIB "|40 " A, "pkg: package lib 60 %");
	says("50 " A ">" LIB "|10 " B ">" LIB "|90 " A,
	     "package lib 40 %: 83 % of it under a a.js:3");
	says_not("50 " A ">" LIB "|50 " B ">" LIB "|90 " A, "under");
}
END_TEST

/* Columns tell functions with one label apart, others need none. */
START_TEST(functions_on_one_line)
{
	says("60 -@/app/a.js:3:5|40 -@/app/a.js:3:30|40 " B, "owner: a.js:3:5 43 %");
	says("60 -@/app/a.js:3:5|40 c@/app/a.js:3:30|40 " B, "owner: a.js:3 43 %");
	says("60 -@/app/a.js:3:5|40 -@/app/a.js:4:30|40 " B, "owner: a.js:3 43 %");
	says("60 c@/app/a.js:3:5|40 c@/app/a.js:3:30|40 " B, "owner: c a.js:3:5 43 %");
}
END_TEST

/* A router calls the next package; below an owner, the package that it calls is the one. */
START_TEST(package_passes_through)
{
	says("80 " LIB ">" OTHER "|20 " LIB "|60 " A,
	     "package other 63 %: 100 % of it through lib");
	says("40 " LIB ">" OTHER "|60 " OTHER "|60 " A,
	     "package other 63 %: 40 % of it through lib");
	says_not("30 " LIB ">" OTHER "|70 " OTHER "|60 " A, "through");
	says("60 " LIB ">" OTHER "|40 " LIB "|60 " A, "package lib 63 %");
	says("80 " A ">" LIB ">" OTHER "|20 " A ">" LIB "|60 " B ">" LIB, "package lib");
}
END_TEST

/* In a tool, nearly all time is that of packages: their functions are the owners. */
START_TEST(tool)
{
	says("9 " A ">" LIB "|91 " LIB, "owner: deep index.js:7 100 %");
	says_not("12 " A ">" LIB "|88 " LIB, "owner: deep");
}
END_TEST

/* ---- programs that are packages ---- */

#define TRANSFORM "transform@/app/node_modules/core/index.js:1"
#define TRAVERSE                                                                                   \
	"traverse@/app/node_modules/core/file.js:9>traverse@/app/node_modules/walk/index.js:2"
#define GENERATE "generate@/app/node_modules/core/print.js:4"
#define VISIT(n) "visit" #n "@/app/node_modules/walk/visit.js:" #n

/* A compiler is named for what it does: each share is that of the first function that has less than
 * half, and of a wrapper, that of the other package which it enters. */
START_TEST(spent)
{
	static const char compiler[] = "24 " TRANSFORM ">" TRAVERSE
				       ">" VISIT(1) "|22 " TRANSFORM ">" TRAVERSE
						    ">" VISIT(2) "|12 " TRANSFORM ">" GENERATE
								 "|9 " TRANSFORM ">" GENERATE
								 ">" VISIT(3) "|15 " TRANSFORM
									      "|18 (program)" NODE;
	static const char called[] = "50 (anonymous)@/app/build.js:1>" TRANSFORM ">" TRAVERSE
				     "|60 (anonymous)@/app/build.js:1>" TRANSFORM ">" GENERATE;

	says(compiler, "spent: traverse index.js:2 46 % with all it calls // package walk 54 %");
	says(compiler, "spent: generate print.js:4 21 % with all it calls\n");
	says_not(compiler, "half");
	line(compiler, 80,
	     "traverse index.js:2 46 %   generate print.js:4 21 %   few samples: shares \302\26110 %");
	/* Own code that only calls it is no answer, either. */
	says(called, "spent: traverse index.js:2 45 %");
	/* A package that has less than nearly all is one. */
	line("70 " A ">" LIB "|130 " B ">" OTHER NODE, 60,
	     "b b.js:5 in other 65 %    a a.js:3 in lib 35 %");
	says_not("80 " A ">" LIB "|20 " A, "spent");
}
END_TEST

/* ---- garbage collection ---- */

START_TEST(gc)
{
	says("60 " A "|40 (garbage collector)", "gc: GC 40 %: 100 % of it under a a.js:3");
	says("60 " A "|40 (garbage collector)", "owner: a a.js:3 100 %; its GC 40 %");
	says_not("99 " A "|9 (garbage collector)", "gc:");
}
END_TEST

/* ---- mechanisms ---- */

#define READ "readFileSync@node:fs:1"
#define LOADER "_load@node:internal/modules/cjs/loader:1"

START_TEST(synchronous_calls)
{
	says("30 " A ">" READ "|30 " B ">" READ "|40 " A,
	     "sync: synchronous node:fs 60 %: readFileSync by a a.js:3");
	/* Nearly all of the owner's time: a note. */
	says("60 " A ">" READ "|40 " B,
	     "owner: a a.js:3 60 %; in readFileSync (synchronous) 60 % // "
	     "synchronous node:fs 60 %: readFileSync by a a.js:3");
	says_not("60 " A ">readFile@node:fs:1|40 " B, "synchronous");
	says_not("60 " A ">" LOADER ">" READ "|40 " B, "synchronous");
}
END_TEST

START_TEST(loading)
{
	says("30 " A ">" LOADER "|30 " B ">" LOADER "|40 " A,
	     "load: module loading 60 % by a a.js:3");
	says("30 " A ">" LOADER ">" LIB "|30 " B ">" LOADER "|40 " A,
	     "load: module loading 60 %: package lib");
	says_not("60 " LOADER ">" A "|40 " B, "loading");
	/* The top level that only loads is not a second one. */
	says_not("21 -@/app/a.js:1>" LOADER "|20 " LOADER "|59 " B, "owner: a.js");
}
END_TEST

START_TEST(regular_expressions)
{
	says("30 " A ">RegExp: x+y|30 " B ">RegExp: x+y|40 " A,
	     "regexp: RegExp: x+y 60 % by a a.js:3");
	says("60 " A ">RegExp: x+y|40 " A "|100 " B "|60 " B ">RegExp: x+y",
	     "for 60 ms without a pause: backtracks?");
	says_not("30 " A ">RegExp: x+y|1 " A "|30 " A ">RegExp: x+y", "backtracks");
}
END_TEST

/* ---- files, and what calls many ---- */

#define A2 "a2@/app/a.js:13"
#define A3 "a3@/app/a.js:23"

START_TEST(files)
{
	says("30 " A "|30 " A2 "|40 " B, "file: file a.js 60 %");
	/* One of its functions has most of it. */
	says_not("50 " A "|10 " A2 "|40 " B, "file a.js");
	/* There is only one. */
	says_not("30 " A "|30 " A2, "file a.js");
}
END_TEST

START_TEST(half)
{
	says("30 " A ">" A2 "|30 " A ">" B "|40 " A3,
	     "half: a a.js:3 60 % with all it calls: a2 30 %, b 30 %");
	says_not("60 " A ">" A2 "|40 " A3, "with all it calls");
	says_not("25 " A ">" A2 "|24 " A ">" B "|51 " A3, "with all it calls");
	/* Most of it is its own. */
	says_not("32 " A "|15 " A ">" A2 "|15 " A ">" B "|38 " A3, "with all it calls");
}
END_TEST

/* A function that calls the whole program says little. */
START_TEST(half_of_all_comes_late)
{
#define MAIN "main@/app/main.js:2"
	says("500 " MAIN ">" A "|400 " MAIN ">" B "|50 " MAIN,
	     "owner: main main.js:2 5 %\nhalf: main main.js:2 100 % with all it calls: a 53 %, b 42 %");
	says("500 " MAIN ">" A "|250 " MAIN ">" B "|130 " MAIN "|120 " A2 NODE,
	     "owner: b b.js:5 25 %\nhalf: main main.js:2 88 %");
}
END_TEST

START_TEST(inside)
{
	says("60 " A ">" LIB "|20 " A ">" LIB ">" OTHER "|20 " B, "inside: deep index.js:7 60 %");
	says("60 " A ">" LIB "|20 " A ">" LIB ">" OTHER "|20 " B, "inside: package other 20 %");
	says_not("50 " A ">" LIB "|50 " B, "inside");
}
END_TEST

/* ---- time ---- */

#define REQUEST(n) #n " parserOnHeadersComplete@node:_http_common:1>" A "|3 (idle)|"
#define SERVER REQUEST(4) REQUEST(4) REQUEST(4) REQUEST(4) REQUEST(4)

START_TEST(tasks)
{
	says(SERVER "49 onread@node:net:1>" A "|" REQUEST(50),
	     "blocked at most 50 ms at 0.08 s: 1 task of 50 ms or more, 42 % of the busy time; 100 % "
	     "of that in a a.js:3");
	says_not(SERVER REQUEST(49), "50 ms or more");
	/* Without an event loop nothing waits. */
	says_not(REQUEST(4) REQUEST(90), "50 ms or more");
	/* Loading at the start is no task. */
	says_not("60 run@node:internal/main/run:1>" A "|3 (idle)|" SERVER "4 " A, "50 ms or more");
	says_not("60 " LOADER ">" A "|3 (idle)|" SERVER "4 " A, "50 ms or more");
}
END_TEST

#define TICKS "processTicksAndRejections@node:internal/process/task_queues:1>"
#define TICK(n) #n " " TICKS "endReadableNT@node:internal/streams/readable:1>" A "|"
#define JOBS(n) #n " " TICKS "runMicrotasks>" B "|"
#define SERVED "1 parserOnHeadersComplete@node:_http_common:1>parserOnIncoming@node:_http_server:1|"

/* Requests that follow each other are told apart by the promise jobs between them. One callback of
 * process.nextTick() after another is one task, with its jobs. */
START_TEST(rounds_of_ticks_are_tasks)
{
	says(SERVER TICK(60) JOBS(4) TICK(70) JOBS(4) TICK(30),
	     "blocked at most 74 ms at 0.10 s: 2 tasks of 50 ms or more");
	says(SERVER TICK(60) "3 " TICKS A "|" JOBS(4) TICK(70) JOBS(40) JOBS(9) TICK(30),
	     "blocked at most 119 ms at 0.10 s: 2 tasks of 50 ms or more");
	says(SERVER TICK(60) TICK(50) "9 (idle)", "blocked at most 110 ms at 0.04 s: 1 task of");
}
END_TEST

/* One request is enough to see that it is a server. */
START_TEST(a_server_has_tasks)
{
	says(SERVED TICK(60), "blocked at most 60 ms at 1.00 ms: 1 task of 50 ms or more");
	says_not("1 onread@node:net:1>" A "|" TICK(60), "50 ms or more");
	/* Loading its module serves no request. */
	says_not("1 " LOADER ">-@node:_http_server:1|" TICK(60), "50 ms or more");
}
END_TEST

/* What a function blocks is where its finding leads to. */
START_TEST(place_of_a_block)
{
	open_runs(SERVER "200 " A "|3 (idle)|" REQUEST(60) REQUEST(300) REQUEST(60));
	ck_assert_str_eq(findings.result.list[0].name, "a");
	ck_assert_int_eq(findings.result.list[0].n_notes, 1);
	ck_assert_int_eq(findings.result.list[0].t0, 301 * NS_PER_MS);
	ck_assert_int_eq(findings.result.list[0].t1, 601 * NS_PER_MS);
	ck_assert(findings.result.list[0].has_span);
	ck_assert_int_eq(findings.result.list[0].span.t0, 301 * NS_PER_MS);
	close_runs();
}
END_TEST

/* Nor is it one where transforms have left only own code. */
START_TEST(loading_is_no_task_of_own_code)
{
	struct transform merge = { .kind = TRANSFORM_MERGE, .by = BY_OTHERS };
	const struct scope scope = { .transforms = &merge, .n_transforms = 1 };
	struct profile *file = runs_load("60 " LOADER ">-@/app/m.js:1|3 (idle)|" REQUEST(55));
	struct error err = ERROR_INIT;
	struct scoped scoped;
	struct buf all = { 0 };

	ck_assert(scoped_init(&scoped, file, &scope, &err));
	profile = (struct profile *)scoped.profile;
	open_lane(&profile->lanes[0]);
	list_texts(&all);
	ck_assert_msg(strstr(buf_text(&all), "55 ms at 0.06 s: 1 task of 50 ms or more") != NULL,
		      "%s", buf_text(&all));
	buf_done(&all);
	findings_done(&findings);
	scoped_done(&scoped);
	profile_free(file);
}
END_TEST

/* Many requests without idle time are no blocked loop. */
START_TEST(stretches)
{
#define SHORT(n) #n " parserOnHeadersComplete@node:_http_common:1>" A "|20 onread@node:net:1>" B "|"
	says(SERVER SHORT(20) SHORT(20) SHORT(20) "9 (idle)",
	     "stretch: busy without a pause for 120 ms at 0.04 s: a 50 %; longest task in it at most "
	     "20 ms");
	/* One idle sample, up to one and a half intervals, is no pause; two are. */
	says(SERVER SHORT(20) "1 (idle)|" SHORT(20) SHORT(20) "9 (idle)",
	     "busy stretch of 121 ms at 0.04 s (1.00 ms idle in it): a 50 %");
	says(SERVER SHORT(20) "2 (idle)|" SHORT(20) SHORT(20) "9 (idle)",
	     "busy without a pause for 80 ms at 0.08 s: a 50 %");
	says_not(SERVER SHORT(20) SHORT(20) SHORT(20) "9 (idle)", "50 ms or more");
	says_not(SERVER SHORT(20) "9 (idle)", "busy without a pause");
}
END_TEST

#define BEAT "5 listOnTimeout@node:internal/timers:1>" A "|25 (idle)|"
#define LATE "5 listOnTimeout@node:internal/timers:1>" A "|7 (idle)|"

#define LONG(n) #n " listOnTimeout@node:internal/timers:1>" A "|60 (idle)|"

START_TEST(periods)
{
	says(BEAT BEAT BEAT BEAT BEAT BEAT BEAT BEAT "9 " A,
	     "every 30 ms: a a.js:3, seen 8 times, 5.0 ms on average, 82 % of the busy time");
	says_not(BEAT BEAT BEAT BEAT BEAT BEAT BEAT "9 " A, "every 30 ms");
	says_not(BEAT LATE LATE BEAT LATE LATE LATE BEAT BEAT LATE "9 " A, "every 30 ms");
	/* Four are enough of long calls that samples cannot miss. */
	says(LONG(20) LONG(22) LONG(18) LONG(20) "9 " A,
	     "every 80 ms: a a.js:3, seen 4 times, 20.0 ms on average, 90 % of the busy time");
	says_not(LONG(20) LONG(20) LONG(20) "9 " A, "every");
	says_not(LONG(20) LONG(20) LONG(20) LONG(19) "9 " A, "every");
	/* Requests are not polling. */
	says_not(REQUEST(5) REQUEST(5) REQUEST(5) REQUEST(5) REQUEST(5) REQUEST(5) REQUEST(5)
			 REQUEST(5) REQUEST(5) "9 " A,
		 "every");
}
END_TEST

#define SWEEP "listOnTimeout@node:internal/timers:1>sweep@/app/sweep.js:1"
#define SWEEPS(a, b)                                                                               \
#a " " SWEEP ">" A "|" #b " (idle)|" #a " " SWEEP ">" B "|" #b " (idle)|" #a " " SWEEP     \
	   "|" #b " (idle)|"

/* Calls of a timer that samples hit now and then, none of which has much: one culprit. */
START_TEST(timers)
{
	static const char sweep[] = SWEEPS(1, 30) SWEEPS(2, 47) SWEEPS(1, 9) SWEEPS(4, 90)
		SWEEPS(3, 9);

	says(sweep, "every: timer: sweep sweep.js:1, seen 15 times, 100 % of the busy time");
	line(sweep, 130,
	     "idle 94 % of 588 ms: not CPU-bound; of 33.0 ms busy: timer: sweep sweep.js:1 100 %   of it sweep sweep.js:1 33 %   "
	     "shares \302\26117 %");
	/* Less than 8 calls are none. */
	says_not(SWEEPS(3, 30) SWEEPS(7, 47), "timer");
}
END_TEST

/* What a timer calls goes before input and output that has a little more. */
START_TEST(timers_and_io)
{
#define REPLY                                                                                      \
	"processTicksAndRejections@node:internal/process/task_queues:1>reply@/app/b.js:9>end@node:_http_outgoing:1"
	line("20 listOnTimeout@node:internal/timers:1>" A "|70 " REPLY "|110 emit@node:events:1",
	     80, "a a.js:3 10 %    reply b.js:9 35 %, mostly I/O");
}
END_TEST

/* The larger share comes first; what has the other one as a part says so. */
START_TEST(verdict_is_sorted)
{
	line("100 " A "|102 " LIB NODE, 72, "lib 50 %    a a.js:3 49 %");
	line("80 " A "|30 " A2 "|30 " A3 "|20 " B "|20 " LIB "|20 " OTHER NODE, 72,
	     "a a.js:3 40 %    a.js 70 % in all");
}
END_TEST

/* ---- what is not own code ---- */

START_TEST(no_own_code)
{
	says("60 (program)|40 " A, "program: (program) 60 %: native work outside JavaScript");
	says("60 emit@node:events:1|40 " A, "node: node:events 60 %, not called from own code");
	says("60 run@node:internal/main/run:1|40 " A, "node: start of Node.js 60 %");
	says("60 writev|40 " A, "node: native code 60 %");
	says_not("60 " A ">emit@node:events:1|40 " A, "node: node");
}
END_TEST

/* Writing for others counts less: it does not come first. */
START_TEST(io_counts_less)
{
	open_runs("60 " A ">write@node:net:1|40 " B);
	ck_assert_str_eq(findings.result.list[0].name, "b");
	ck_assert_int_eq(findings.result.list[1].ns, 60 * 1000000);
	close_runs();
	open_runs("60 " A ">write@node:buffer:1|40 " B);
	ck_assert_str_eq(findings.result.list[0].name, "a");
	close_runs();
}
END_TEST

/* ---- names and notes ---- */

START_TEST(functions_without_a_name)
{
	says("60 " A ">-@/app/a.js:9|40 " B, "owner: a.js:9 in a 60 %");
	says("60 x@/app/x.js:2>-@/app/a.js:9|40 " B, "owner: a.js:9 60 %");
	says("60 -@/app/a.js:1|40 " B, "owner: a.js 60 %");
	says("60 -@data:text/javascript,x:2|40 " B, "owner: data::2 60 %");
}
END_TEST

/* The columns are those of minified code: a short name says nothing. */
START_TEST(minified)
{
	says("60 parse@/app/a.js:1:900>e@/app/a.js:1:950|40 " B,
	     "owner: e a.js:1:950 in parse 60 %");
	/* Other functions of the file tell. */
	says("60 parse@/app/a.js:1:900>e@/app/a.js:1:150|40 " B,
	     "owner: e a.js:1:150 in parse 60 %");
	says("60 parse@/app/c.js:1:900>e@/app/a.js:1:150|40 " B, "owner: e a.js:1 60 %");
	says("60 parse@/app/a.js:1:900>-@/app/a.js:1:950|40 " B, "owner: a.js:1:950 in parse 60 %");
	says("60 parse@/app/a.js:1:900|40 " B, "owner: parse a.js:1:900 60 %");
	/* The file says so. */
	says("60 e@/app/a.min.js:2:40|40 " B, "owner: e a.min.js:2:40 60 %");
	says("60 parse@/app/a.min.js:20:4|40 " B, "owner: parse a.min.js:20 60 %");
	says_not("60 a@/app/a.js:2:950 #2=30,3=2|40 " B, "(line 2");
}
END_TEST

/* Wherever in the file a name stands. */
START_TEST(controls_in_names_are_visible)
{
	static const char esc[] = "60 run@node:\\u001b]52;\\n\\u202ex:1|40 " A;

	says(esc, "node: node:^[]52;^J<202E>x 60 %");
	open_runs(esc);
	for (uint32_t i = 0; i < findings.result.n; i++) {
		ck_assert_ptr_null(strchr(findings.result.list[i].name, '\033'));
		ck_assert_ptr_null(strchr(findings.result.list[i].label, '\033'));
	}
	close_runs();
	says("60 a\\u001b@/app/\\u009b.js:3|40 " B, "owner: a^[ <9B>.js:3 60 %");
}
END_TEST

START_TEST(blobs)
{
	says("60 f@blob:http://x/a390b8a2-3c5f-4d52:3|40 " B, "owner: f blob:a390b8a2:3 60 %");
}
END_TEST

START_TEST(hot_lines)
{
	says("60 " A " #7=20,8=3|40 " B, "a a.js:3 60 % (line 7: 87 % of its self time)");
	says_not("60 " A " #7=18,8=1|40 " B, "(line");
	says_not("60 " A " #7=23|40 " B, "(line");
	says_not("60 " A " #7=10,8=10,9=10|40 " B, "(line");
	/* The name has the line where the function begins. */
	says("60 " A " #3=94,8=6|40 " B, "a a.js:3 60 % (line 3: 94 % of its self time)");
	says_not("60 " A " #3=95,8=5|40 " B, "(line");
	/* The line at which another function begins is that of one that was inlined. */
	says("60 " A " #13=20,8=3|40 " A2, "(line 13, inlined a2: 87 % of its self time)");
	/* One that is nearly as hot is named, too. */
	says("60 " A " #7=12,8=10|40 " B, "(line 7: 55 %; line 8: 45 % of its self time)");
	says("60 " A " #7=13,8=8|40 " B, "(line 7: 62 % of its self time)");
}
END_TEST

/* The ticks are those of the whole recording. */
START_TEST(hot_lines_of_the_whole)
{
	open_runs("60 " A " #7=20,8=3|40 " B);
	findings_begin(&findings, 0, profile->t1 - 10 * 1000000);
	while (!findings_work(&findings, a_step()))
		;
	ck_assert_str_eq(findings.result.list[0].text, "a a.js:3 67 %");
	close_runs();
}
END_TEST

static void deep(struct buf *out, int n)
{
	buf_adds(out, "20 " A);
	while (n-- > 1)
		buf_adds(out, ">" A);
}

START_TEST(recursion)
{
	struct buf runs = { 0 };

	deep(&runs, 44);
	says(buf_text(&runs), "// recursion, 44 deep\n");
	buf_clear(&runs);
	deep(&runs, 9);
	says_not(buf_text(&runs), "recursion");
	buf_clear(&runs);
	deep(&runs, 250);
	says(buf_text(&runs), "recursion, 250 deep or more");
	buf_done(&runs);
}
END_TEST

/* ---- places ---- */

START_TEST(place_is_the_densest_stretch)
{
	const struct finding *f = &findings.result.list[0];

	open_runs("600 " B "|1 " A "|100 " B "|50 " A "|1 " B "|1000 " A2 "|3 " A ">" A3);
	while (f->function == FRAME_NONE || strcmp(f->name, "a") != 0)
		f++;
	ck_assert_int_eq(f->t1 - f->t0, profile->t1 / 20);
	ck_assert_int_le(f->t0, 701 * 1000000);
	ck_assert_int_ge(f->t1, 751 * 1000000);
	ck_assert(f->has_span);
	ck_assert_int_eq(f->span.t0, 701 * 1000000);
	ck_assert_int_eq(f->span.t1, 751 * 1000000);
	close_runs();
}
END_TEST

static int64_t place_of(enum finding_kind kind)
{
	const struct finding *f = &findings.result.list[0];

	while (f->kind != kind)
		f++;
	return f->t0;
}

/* A package that is dense while it is loaded, and is then called again and again. */
START_TEST(place_is_not_where_modules_are_loaded)
{
	open_runs("60 " LOADER ">" LIB "|500 " B "|40 " A ">" LIB "|20 " B "|40 " A ">" LIB
		  "|300 " B);
	ck_assert_int_ge(place_of(FINDING_PACKAGE), 500 * 1000000);
	ck_assert_int_lt(place_of(FINDING_LOAD), 60 * 1000000);
	close_runs();
	open_runs("60 " LOADER ">" LIB "|500 " B "|20 " A ">" LIB "|20 " B "|20 " A ">" LIB
		  "|300 " B);
	ck_assert_int_lt(place_of(FINDING_PACKAGE), 60 * 1000000);
	close_runs();
}
END_TEST

/* A longer call that only called others is not what to look at. */
START_TEST(place_has_the_time_of_the_finding)
{
	const struct finding *f = &findings.result.list[0];

	open_runs("500 " B "|20 " A "|1 " B "|28 " A ">" A2 "|300 " B);
	while (f->function == FRAME_NONE || strcmp(f->name, "a") != 0)
		f++;
	ck_assert_int_le(f->t0, 500 * 1000000);
	ck_assert_int_ge(f->t1, 549 * 1000000);
	ck_assert(f->has_span);
	ck_assert_int_eq(f->span.t0, 500 * 1000000);
	ck_assert_int_eq(f->span.t1, 520 * 1000000);
	close_runs();
}
END_TEST

/* ---- no culprit ---- */

#define MANY(n)                                                                                    \
	n " " A "|24 " B "|22 " A2 "|20 " A3 "|18 c@/app/c.js:2|16 d@/app/c.js:5|80 (program)"

START_TEST(even)
{
	says(MANY("26"), "even: no function stands out: 6 have 8 to 13 %\n");
	says_not(MANY("34"), "no function stands out");
	/* Four are not many. */
	says_not("26 " A "|24 " B "|22 " A2 "|20 " A3 "|10 c@/app/c.js:2|99 (program)",
		 "no function stands out");
	/* The package that they call is one. */
	says_not("26 " A ">" LIB "|24 " B ">" LIB "|22 " A2 ">" LIB "|20 " A3 ">" LIB
		 "|18 c@/app/c.js:2>" LIB "|90 (program)",
		 "no function stands out");
	line(MANY("26") NODE, 72, "no function stands out: 6 have 8 to 13 %");
	line(MANY("26") NODE, 30, "no function above 13 %");
}
END_TEST

/* ---- idle time ---- */

START_TEST(idle)
{
	says("10 " A "|90 (idle)", "idle: idle 90 % of 100 ms");
	says_not("11 " A "|90 (idle)", "idle:");
}
END_TEST

/* ---- the verdict line ---- */

START_TEST(verdict)
{
	line("60 " A "|140 " B NODE, 72, "b b.js:5 70 %    a a.js:3 30 %");
	line("60 " A "|140 " B NODE, 22, "b b.js:5 70 %   a 30 %");
	line("60 " A "|140 " B NODE, 15, "b 70 %   a 30 %");
	line("60 " A "|140 " B NODE, 14, "b 70 %");
	line("190 " A "|21 (garbage collector)" NODE, 72, "a a.js:3 100 %    incl. GC 10 %");
	line("60 " A "|40 " B NODE, 72,
	     "a a.js:3 59 %    b b.js:5 40 %    few samples: shares \302\26110 %");
}
END_TEST

/* Shares behind idle time are of the busy time, which the line says. */
START_TEST(verdict_of_idle_time)
{
	line("20 " A "|980 (idle)", 72,
	     "idle 98 % of 1.00 s: not CPU-bound; of 20.0 ms busy: a a.js:3 100 %");
	line("20 " A "|980 (idle)", 90,
	     "idle 98 % of 1.00 s: not CPU-bound; of 20.0 ms busy: a a.js:3 100 %   shares \302\26122 %");
	line("980 (idle)", 72, "idle 100 % of 980 ms: not CPU-bound");
}
END_TEST

/* What a recording knows that the process waits for, as much of it as there is room for; the row
 * below goes on. */
START_TEST(verdict_of_what_an_idle_process_waits_for)
{
	static const char waits[] = "3 timers, 2 connections to 10.0.0.7:5432, listens on :8080";
	static const struct {
		int room;
		const char *line, *more;
	} rooms[] = {
		{ 160,
		  "idle 98 % of 1.00 s: waits for 3 timers, 2 connections to 10.0.0.7:5432, listens on :8080; of 20.0 ms busy: a 100 %   shares \302\261"
		  "22 %",
		  "idle: record with --requests to see which request waits" },
		{ 100,
		  "idle 98 % of 1.00 s: waits for 3 timers; of 20.0 ms busy: a 100 %   shares \302\261"
		  "22 %",
		  "idle: 2 connections to 10.0.0.7:5432, listens on :8080" },
		{ 72, "idle 98 % of 1.00 s: waits for 3 timers; of 20.0 ms busy: a 100 %",
		  "idle: 2 connections to 10.0.0.7:5432, listens on :8080" },
		{ 36, "idle 98 %; of 20.0 ms busy: a 100 %",
		  "idle: waits for 3 timers, 2 connections to 10.0.0.7:5432" },
	};

	profile = runs_load("20 " A "|980 (idle)");
	profile->lanes[0].waits = intern_add(&profile->strings, waits, strlen(waits));
	open_lane(&profile->lanes[0]);
	for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
		struct verdict v;
		struct buf text = { 0 };

		verdict_compose(&findings.result, rooms[i].room, &v);
		verdict_line(&v, &text);
		ck_assert_str_eq(buf_text(&text), rooms[i].line);
		buf_clear(&text);
		verdict_more(&findings.result, &v, 72, &text);
		ck_assert_str_eq(buf_text(&text), rooms[i].more);
		buf_done(&text);
	}
	close_runs();
}
END_TEST

/* Calls of one function that follow each other look like one task. */
START_TEST(verdict_of_tasks)
{
	line("60 " A "|140 " B, 72,
	     "b b.js:5 70 %    a a.js:3 30 %    blocked at most 140 ms at 0.06 s");
	line("60 " A "|140 " B, 50, "b b.js:5 70 %   a 30 %   blocked at most 140 ms");
}
END_TEST

/* No function has much of its own, and one has much with what it calls. */
START_TEST(verdict_of_a_sum)
{
	line("5 " A ">" B "|4 " A ">" A2 "|4 " A ">" A3 "|4 " B, 72,
	     "a a.js:3 76 % with all it calls: b 29 %, a2 24 %    shares \302\26124 %");
	line("5 " A ">" B "|4 " A ">" A2 "|4 " A ">" A3 "|4 " B, 40,
	     "a 76 % with all it calls   shares \302\26124 %");
	line("4 " A ">" B "|3 " A ">" A2 "|3 " A ">" A3 "|10 (program)", 72,
	     "no JavaScript of note: (program) 50 %");
}
END_TEST

START_TEST(verdict_without_javascript)
{
	line("100 (program)", 72, "no JavaScript of note: (program) 100 %");
	line("10 -", 72, "no work was sampled here");
}
END_TEST

/* From half of the busy time on; in the order of the findings. */
START_TEST(verdict_of_program)
{
	line("49 (program)|51 " A "|100 " B NODE "|101 (program)", 72,
	     "b b.js:5 33 %    a a.js:3 17 %");
	line("51 " A "|149 (program)" NODE, 72, "a a.js:3 25 %    (program) 74 %");
	line("21 " A "|179 (program)" NODE, 72, "(program) 89 %    a a.js:3 10 %");
}
END_TEST

/* A short name of minified code has its place. */
START_TEST(verdict_of_minified_code)
{
	line("60 parse@/app/a.js:1:900>e@/app/a.js:1:150|140 " B NODE, 72,
	     "b b.js:5 70 %    e a.js:1:150 in parse 30 %");
	line("60 parse@/app/a.js:1:900>e@/app/a.js:1:150|140 " B NODE, 40,
	     "b b.js:5 70 %   e a.js:1:150 30 %");
}
END_TEST

/* Half of the function's time is garbage collection: its share is not. */
START_TEST(verdict_of_garbage_collection)
{
	line("60 " A "|90 (garbage collector)|50 " B NODE, 72,
	     "a a.js:3 75 %    b b.js:5 25 %    incl. GC 45 %");
	line("60 " A "|90 (garbage collector)|50 " B NODE, 40,
	     "a a.js:3 75 %   b 25 %   incl. GC 45 %");
	line("60 " A "|90 (garbage collector)|50 " B NODE, 27, "a 75 %   b 25 %   GC 45 %");
	line("100 " A "|20 (garbage collector)|80 (program)" NODE, 72, "a a.js:3 60 %    GC 10 %");
}
END_TEST

/* A function that sleeps in Atomics.wait() is not to blame. */
#define SLEEPER "atomicsWaitLoop@/app/node_modules/piscina/dist/worker.js:105"
START_TEST(verdict_of_waiting)
{
	line("150 " A ">" SLEEPER "|50 " B NODE, 72, "waits in Atomics.wait 75 %    b b.js:5 25 %");
	line("150 " A ">" SLEEPER "|50 " B NODE, 30, "waits 75 %   b 25 %");
	line("70 " A ">" SLEEPER "|130 " B NODE, 72, "b b.js:5 65 %");
}
END_TEST

START_TEST(waiting)
{
	static const char asleep[] = "150 " A ">" SLEEPER "|30 " A ">" SLEEPER ">" B "|20 " A;

	says(asleep,
	     "wait: waits in Atomics.wait 75 %: no work, in atomicsWaitLoop worker.js:105\n");
	/* What it calls is work, and its owner has only its own. */
	says(asleep, "owner: b b.js:5 15 %");
	says(asleep, "owner: a a.js:3 10 %");
	says_not(asleep, "pkg");
	says_not(asleep, "half");
	says_not(asleep, "at most 1");
	says("60 wait|40 " A, "wait: waits in Atomics.wait 60 %: no work, in wait");
	says("60 makeSyncRequest@node:internal/modules/esm/hooks:500|40 " A, "wait: ");
	/* The names of other packages mean something else. */
	says("60 " A ">sleep@/app/node_modules/atomic-sleep/index.js:9|40 " B, "wait: ");
	says_not("60 " A ">sleep@/app/node_modules/other/index.js:9|40 " B, "wait: ");
	says_not("60 sleep@/app/atomic-sleep.js:9|40 " B, "wait: ");
}
END_TEST

/* ---- few samples ---- */

START_TEST(few)
{
	says("4 " A "|5 " B, "few: only 9 samples: b b.js:5 56 %\n");
	says("1 " A, "few: only 1 sample: a a.js:3 100 %\n");
	says("3 " A "|3 " B "|3 " A2, "few: only 9 samples: no function above 33 %\n");
	says("3 read|2 " A, "few: only 5 samples: read 60 %\n");
	says_not("10 " A "|4 " B, "few:");
	says_not("9 " A "|300 (program)", "few:");
	says_not("3 " A "|97 (idle)", "few:");
	line("4 " A "|5 " B NODE, 72, "only 10 samples: b b.js:5 50 %    shares \302\26132 %");
	line("4 " A "|5 " B NODE, 24, "10 samples: b 50 %");
}
END_TEST

/* The result of the last window stays until the next one is complete. */
START_TEST(old_result_stays)
{
	open_runs("60 " A "|140 " B);
	findings_begin(&findings, 0, 10 * 1000000);
	ck_assert(!findings.is_ready);
	ck_assert_str_eq(findings.result.list[0].name, "b");
	while (!findings_work(&findings, a_step()))
		;
	ck_assert(findings.is_ready);
	ck_assert_str_eq(findings.result.list[0].name, "a");
	ck_assert_int_eq(findings.result.busy, 10 * 1000000);
	close_runs();
}
END_TEST

/* The first window takes the times that charging has added, the second one adds them itself. */
START_TEST(second_time_is_the_same)
{
	struct buf first = { 0 }, second = { 0 };

	open_runs("60 " A "|10 (garbage collector)|40 (idle)|130 " B "|20 (program)|30 " A NODE);
	list_texts(&first);
	findings_begin(&findings, 0, profile->t1);
	while (!findings_work(&findings, a_step()))
		;
	list_texts(&second);
	ck_assert_str_eq(buf_text(&first), buf_text(&second));
	ck_assert_int_eq(findings.result.busy, INT64_C(251) * 1000000);
	ck_assert_int_eq(findings.result.gc, INT64_C(10) * 1000000);
	ck_assert_uint_eq(findings.result.n_busy, 251);
	buf_done(&first);
	buf_done(&second);
	close_runs();
}
END_TEST

/* The sums stop after any key, group and node, and the findings are the same. */
START_TEST(sums_stop_between_keys)
{
	struct buf runs = { 0 }, all = { 0 }, steps = { 0 };
	uint32_t calls = 1;

	deep(&runs, 60);
	buf_adds(&runs, "|10 (garbage collector)|30 " B);
	open_runs(buf_text(&runs));
	findings_begin(&findings, 0, profile->t1);
	ck_assert(findings_work(&findings, BUDGET_UNLIMITED));
	list_texts(&all);
	findings_begin(&findings, 0, profile->t1);
	for (struct budget one = budget_steps(1, 1); !findings_work(&findings, &one);
	     one = budget_steps(1, 1))
		calls++;
	list_texts(&steps);
	ck_assert_str_eq(buf_text(&all), buf_text(&steps));
	ck_assert_uint_ge(calls, 5 * findings.charge.stacks.n + findings.charge.n_groups);
	buf_done(&runs);
	buf_done(&all);
	buf_done(&steps);
	close_runs();
}
END_TEST

/* ---- slices of the same thread ---- */

/* A trace of a page: its samples are in row 0, one each millisecond: `n` of a() and `n_program` of
 * (program), then idle. slices: events. */
static void open_trace(int n, int n_program, const char *slices)
{
	struct buf text = { 0 };

	buf_adds(
		&text,
		"[{'ph':'P','name':'Profile','id':'0x1','pid':1,'tid':7,'ts':0,'args':{'data':{"
		"'startTime':0}}},{'ph':'P','name':'ProfileChunk','id':'0x1','pid':1,'tid':9,'ts':1,"
		"'args':{'data':{'cpuProfile':{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'}},"
		"{'id':2,'parent':1,'callFrame':{'functionName':'a','url':'http://x/a.js',"
		"'lineNumber':2,'columnNumber':4}},"
		"{'id':3,'parent':1,'callFrame':{'functionName':'(program)'}},"
		"{'id':4,'parent':1,'callFrame':{'functionName':'(idle)'}}],'samples':[");
	for (int i = 0; i < n + n_program + 10; i++)
		buf_addf(&text, "%s%d", i ? "," : "", i < n ? 2 : i < n + n_program ? 3 : 4);
	buf_adds(&text, "]},'timeDeltas':[");
	for (int i = 0; i < n + n_program + 10; i++)
		buf_adds(&text, i ? ",1000" : "0");
	buf_addf(&text, "]}}},%s]", slices);
	profile = story_load(buf_text(&text));
	buf_done(&text);
	for (uint32_t i = 0; i < profile->n_lanes; i++)
		if (findings_is_for(&profile->lanes[i]))
			open_lane(&profile->lanes[i]);
}

/* Times in ms. */
#define SLICE(name, from, length)                                                                  \
	"{'ph':'X','pid':1,'tid':7,'cat':'devtools.timeline','name':'" name "','ts':" #from        \
	"e3,'dur':" #length "e3}"

static void trace_says(int n, int n_program, const char *slices, const char *expect, bool is_said)
{
	struct buf all = { 0 };

	open_trace(n, n_program, slices);
	list_texts(&all);
	ck_assert_msg((strstr(buf_text(&all), expect) != NULL) == is_said, "\"%s\" %s in\n%s",
		      expect, is_said ? "not" : "is", buf_text(&all));
	buf_done(&all);
	close_runs();
}

/* Where the trace has tasks, their lengths are those of the slices. */
START_TEST(slices_tell_tasks)
{
	trace_says(120, 0, SLICE("RunTask", 0, 45) "," SLICE("RunTask", 45, 45), "50 ms or more",
		   false);
	trace_says(120, 0, SLICE("RunTask", 0, 45) "," SLICE("RunTask", 46, 60),
		   "blocked 60 ms at 0.05 s: 1 task of 50 ms or more, 50 % of the busy time; "
		   "100 % of that in a a.js:3",
		   true);
	/* Other slices are no tasks. */
	trace_says(120, 0, SLICE("Other", 0, 45), "at most 120 ms", true);
}
END_TEST

START_TEST(slices_tell_forced_layout)
{
#define CALL SLICE("RunTask", 0, 40) "," SLICE("FunctionCall", 1, 38)
	trace_says(100, 0, CALL "," SLICE("Layout", 5, 20) "," SLICE("UpdateLayoutTree", 25, 10),
		   "owner: a a.js:3 100 %; forced layout 30 %", true);
	trace_says(100, 0, CALL "," SLICE("Layout", 5, 20),
		   "// forced layout 20 %: 100 % of it under a a.js:3", true);
	/* The sentence of the function says it: not twice. */
	trace_says(100, 0, CALL "," SLICE("Layout", 5, 30), "forced layout 30 %: 100 %", false);
	/* The page lays out by itself. */
	trace_says(100, 0, CALL "," SLICE("Layout", 42, 20), "layout", false);
}
END_TEST

START_TEST(slices_tell_what_program_is)
{
	trace_says(50, 50, SLICE("RunTask", 0, 100) "," SLICE("Paint", 60, 20),
		   "native work: painting 20 %, system 30 %, in all (program) 50 %\n", true);
	/* What slices tell of less than two fifths of it is no explanation. */
	trace_says(50, 50, SLICE("RunTask", 0, 100) "," SLICE("Paint", 60, 19),
		   "(program) 50 %: native work outside JavaScript, of it painting 19 %, "
		   "system 31 %\n",
		   true);
	trace_says(50, 50, SLICE("RunTask", 0, 100) "," SLICE("Paint", 10, 20), "painting", false);
}
END_TEST

START_TEST(slices_tell_long_gc)
{
	trace_says(50, 50, SLICE("RunTask", 0, 90) "," SLICE("MajorGC", 20, 60),
		   "the longest is GC 67 %", true);
}
END_TEST

/* A thread without samples: its slices tell all. */
static void open_slices(const char *slices)
{
	struct buf text = { 0 };

	buf_addf(&text, "[%s]", slices);
	profile = story_load(buf_text(&text));
	buf_done(&text);
	ck_assert(findings_is_for(&profile->lanes[0]));
	open_lane(&profile->lanes[0]);
}

static void slices_say(const char *slices, const char *expect, const char *expect_line)
{
	struct buf all = { 0 };
	struct verdict v;

	open_slices(slices);
	list_texts(&all);
	ck_assert_str_eq(buf_text(&all), expect);
	buf_clear(&all);
	verdict_compose(&findings.result, 100, &v);
	verdict_line(&v, &all);
	ck_assert_str_eq(buf_text(&all), expect_line);
	buf_done(&all);
	close_runs();
}

START_TEST(slices_without_samples)
{
	slices_say(
		SLICE("RunTask", 0, 100) "," SLICE("FunctionCall", 10, 20) "," SLICE(
			"Layout", 40, 50) "," SLICE("RunTask", 110, 50) "," SLICE("Paint", 110, 40),
		"block: blocked 100 ms at 0: 2 tasks of 50 ms or more, 100 % of the busy time; "
		"the longest is rendering 50 %, Layout 50 %\n"
		"work: rendering 50.0 ms 33 %, painting 40.0 ms 27 %, scripting 20.0 ms 13 %, "
		"system 40.0 ms 27 %\n",
		"rendering 33 %, painting 27 %    blocked 100 ms at 0 (rendering)");
	/* Forced layout, and a task that ends in time. */
	slices_say(SLICE("RunTask", 0, 49) "," SLICE("FunctionCall", 0, 40) "," SLICE("Layout", 10,
										      20),
		   "layout: forced layout 41 %\n"
		   "work: scripting 20.0 ms 41 %, rendering 20.0 ms 41 %, system 9.00 ms 18 %\n",
		   "scripting 41 %, rendering 41 %");
	slices_say(SLICE("RunTask", 0, 40), "", "no task of 50 ms or more");
	/* A long collection: its share and the longest. */
	slices_say(SLICE("RunTask", 0, 40) "," SLICE("MinorGC", 50, 5) "," SLICE("MajorGC", 60, 15),
		   "gc: GC 33 %; longest 15 ms at 0.06 s\n", "GC 33 %");
}
END_TEST

/* The place of a finding is a slice: of a task, of forced layout. One of no length that stands
 * there, too, is none. */
START_TEST(slices_are_places)
{
	const struct finding *f;

	open_slices(SLICE("Other", 0, 0) "," SLICE("RunTask", 0, 100) "," SLICE("Other", 100, 0));
	f = findings.result.list;
	ck_assert_int_eq(f->kind, FINDING_BLOCK);
	ck_assert(f->has_span && f->span.t1 - f->span.t0 == 100 * NS_PER_MS);
	close_runs();
	open_slices(SLICE("RunTask", 0, 5) "," SLICE("RunTask", 10, 100) "," SLICE(
		"FunctionCall", 20, 50) "," SLICE("Layout", 30, 10) "," SLICE("Layout", 45, 20));
	f = findings.result.list;
	ck_assert_int_eq(f[0].kind, FINDING_BLOCK);
	ck_assert(f[0].has_span && f[0].span.t0 == 10 * NS_PER_MS &&
		  f[0].span.t1 == 110 * NS_PER_MS);
	ck_assert_int_eq(f[1].kind, FINDING_LAYOUT);
	ck_assert(f[1].has_span && f[1].span.t0 == 45 * NS_PER_MS && f[1].t1 == 65 * NS_PER_MS);
	close_runs();
}
END_TEST

/* Slices that run a function are its time; one that has a url alone is not. */
START_TEST(slices_have_owners)
{
	slices_say(
		SLICE("RunTask", 0, 40) ",{'ph':'X','pid':1,'tid':7,'name':'FunctionCall',"
					"'ts':0,'dur':20e3,'args':{'data':{'functionName':'f',"
					"'url':'http://x/a.js','lineNumber':3,'columnNumber':4}}}"
					"," SLICE("Layout", 0, 15) ",{'ph':'X','pid':1,'tid':7,"
								   "'name':'ParseHTML',"
								   "'ts':25e3,'dur':10e3,"
								   "'args':{'beginData':{'url':"
								   "'http://x/'}}}",
		"owner: f a.js:3 50 %; forced layout 38 %\n"
		"work: rendering 15.0 ms 38 %, loading 10.0 ms 25 %, scripting 5.00 ms 13 %, "
		"system 10.0 ms 25 %\n",
		"f a.js:3 in forced layout 50 %    rendering 38 %, loading 25 %");
}
END_TEST

/* What the event loop of Node.js calls. */
START_TEST(slices_of_node)
{
	slices_say(SLICE("RunTimers", 0, 60) "," SLICE("CheckImmediate", 60,
						       20) "," SLICE("MinorGC", 90, 20),
		   "gc: GC 20 %; longest 20 ms at 0.09 s\n"
		   "block: blocked 60 ms at 0: 1 task of 50 ms or more, 60 % of the busy time; the "
		   "longest is timers 100 %\n"
		   "work: timers 60.0 ms 60 %, GC 20.0 ms 20 %, immediates 20.0 ms 20 %\n",
		   "GC 20 %    timers 60 %, immediates 20 %    blocked 60 ms at 0 (timers)");
}
END_TEST

/* Samples tell more than slices: the slices of their thread have no findings. */
START_TEST(slices_beside_samples)
{
	open_trace(100, 0, SLICE("RunTask", 0, 100));
	for (uint32_t i = 0; i < profile->n_lanes; i++)
		ck_assert(findings_is_for(&profile->lanes[i]) ==
			  (profile->lanes[i].kind == LANE_SAMPLES));
	close_runs();
	profile = story_load("[" SLICE("Other", 0, 100) "]");
	ck_assert(!findings_is_for(&profile->lanes[0]));
	profile_free(profile);
}
END_TEST

/* ---- pages ---- */

/* A call of f() in the file of a host. */
#define PAGE_CALL(host, f, from, length)                                                           \
	"{'ph':'X','pid':1,'tid':7,'cat':'devtools.timeline','name':'FunctionCall','ts':" #from    \
	"e3,'dur':" #length "e3,'args':{'data':{'functionName':'" f "','url':'http://" host        \
	"/a.js','lineNumber':3,'columnNumber':4}}}"

/* The main thread of the page http://x.test/, with a click at 100 ms: its phases in ms. */
static void page_says(int delay, int processing, int rest, const char *slices, const char *expect,
		      bool is_said)
{
	struct buf text = { 0 }, all = { 0 };
	uint32_t page = 0;

	buf_addf(&text,
		 "[{'ph':'I','pid':2,'tid':2,'ts':0,'name':'TracingStartedInBrowser','cat':'t',"
		 "'args':{'data':{'frames':[{'frame':'M','url':'http://x.test/','processId':1,"
		 "'isOutermostMainFrame':true,'isInPrimaryMainFrame':true}]}}},"
		 "{'ph':'M','pid':1,'tid':7,'name':'thread_name','args':{'name':'CrRendererMain'}},"
		 "{'ph':'b','name':'EventTiming','cat':'t','id':'1','pid':1,'tid':7,'ts':100000,"
		 "'args':{'data':{'type':'click','interactionId':1,'duration':%d,'timeStamp':1000,"
		 "'processingStart':%d,'processingEnd':%d}}},"
		 "{'ph':'e','name':'EventTiming','cat':'t','id':'1','pid':1,'tid':7,'ts':%d},%s]",
		 delay + processing + rest, 1000 + delay, 1000 + delay + processing,
		 100000 + 1000 * (delay + processing + rest), slices);
	profile = story_load(buf_text(&text));
	while (page < profile->n_lanes && !profile->lanes[page].is_page_main)
		page++;
	ck_assert_uint_lt(page, profile->n_lanes);
	open_lane(&profile->lanes[page]);
	list_texts(&all);
	ck_assert_msg((strstr(buf_text(&all), expect) != NULL) == is_said, "\"%s\" %s in\n%s",
		      expect, is_said ? "not" : "is", buf_text(&all));
	buf_done(&text);
	buf_done(&all);
	close_runs();
}

START_TEST(page_tells_slow_reactions)
{
#define TASKS SLICE("RunTask", 0, 5) "," SLICE("RunTask", 700, 5)
	page_says(50, 10, 10, TASKS, "input: click waited 50 ms at 0.10 s\n", true);
	page_says(49, 10, 10, TASKS, "click", false);
	page_says(10, 180, 10, TASKS, "click", false);
	page_says(10, 181, 10, TASKS, "input: click took 201 ms at 0.10 s, processing 181 ms\n",
		  true);
	/* What is longer is told. */
	page_says(60, 130, 10, TASKS, "click waited 60 ms", true);
	page_says(60, 131, 10, TASKS, "click took 201 ms", true);
	page_says(120, 100, 10, TASKS, "click waited 120 ms", true);
	/* It ends behind the window. */
	page_says(60, 10, 800, TASKS, "click", false);
	/* What ran. */
	page_says(60, 10, 10,
		  TASKS "," SLICE("RunTask", 110, 40) "," PAGE_CALL("x.test", "f", 110, 40),
		  "waited 60 ms at 0.10 s: scripting 67 %, below f a.js:3 67 %\n", true);
	/* The longest task is about the same. */
	page_says(60, 10, 10, TASKS "," SLICE("RunTask", 90, 60),
		  "100 % of the busy time; click waited 60 ms\n", false);
	page_says(60, 10, 10, TASKS "," SLICE("RunTask", 90, 60), "; click waited 60 ms\n", true);
	page_says(60, 10, 10, TASKS "," SLICE("RunTask", 90, 60), "input: ", false);
	page_says(60, 10, 10, TASKS "," SLICE("RunTask", 300, 60), "input: click waited", true);
}
END_TEST

START_TEST(page_tells_third_parties)
{
#define OWN PAGE_CALL("x.test", "own", 0, 600) "," PAGE_CALL("cdn.x.test", "cdn", 600, 100)
	/* A function with half of it. */
	page_says(0, 10, 10, OWN "," PAGE_CALL("y", "ad", 700, 40),
		  "owner: ad a.js:3 5 %; of y, a third party\n", true);
	page_says(0, 10, 10, OWN "," PAGE_CALL("y", "ad", 700, 40), "party: ", false);
	page_says(0, 10, 10, OWN "," PAGE_CALL("y", "ad", 700, 60) "," PAGE_CALL("y", "b", 760, 30),
		  "owner: ad a.js:3 8 %; of y, a third party with 11 %\n", true);
#define ADS PAGE_CALL("y", "a", 700, 20) "," PAGE_CALL("y", "b", 720, 20) ","
	page_says(0, 10, 10, OWN "," ADS PAGE_CALL("y", "c", 740, 20), "party: third party y 8 %\n",
		  true);
	page_says(0, 10, 10, OWN "," ADS PAGE_CALL("y", "c", 740, 20), ", a third party", false);
	/* Most of it is below one function of the page. */
	page_says(0, 10, 10,
		  PAGE_CALL("x.test", "load", 600, 200) "," ADS PAGE_CALL("y", "c", 740, 20),
		  "third party y 30 %: 100 % of it under load a.js:3\n", true);
	/* Less than a twentieth. */
	page_says(0, 10, 10,
		  PAGE_CALL("x.test", "own", 0, 700) "," PAGE_CALL("y", "a", 700, 12) "," PAGE_CALL(
			  "y", "b", 712, 12) "," PAGE_CALL("y", "c", 724, 12),
		  "party: ", false);
	/* Another host of the same site. */
	page_says(0, 10, 10, OWN, "third party", false);
}
END_TEST

/* ---- other engines ---- */

/* Text that new Function or eval() made is its caller's, unless there is no other code. */
START_TEST(evaluated_text)
{
	says("60 run@-:3|40 " A, "owner: a a.js:3 40 %");
	says_not("60 run@-:3|40 " A, "owner: run");
	says("60 run@-:3|40 (program)", "owner: run 60 %");
}
END_TEST

/* `[root]` stands below all functions of Hermes: it is no task. */
START_TEST(base_of_stacks)
{
	says_not("40 [root]>" A "|40 [root]>" B "|40 [root]", "50 ms or more");
	says("60 [root]>" A "|40 [root]", "owner: a a.js:3 60 %");
	says_not("60 [root]>x|40 [root]", "owner: [root]");
}
END_TEST

/* ---- recordings ---- */

/* The first findings of the recordings in data/, by what a reader of their sources says. */
static const char *const recordings[][3] = {
	{ "http-server/CPU.20261121.114550.4990.0.001", "formatPrice" },
	{ "build-tool/CPU.20261121.114553.5011.0.001", "terser", "rollup" },
	{ "worker-threads/CPU.20261121.114554.5023.0.001", "drawPicture" },
	{ "worker-threads/CPU.20261121.114554.5023.1.004", "encodeJpeg" },
	{ "worker-threads/CPU.20261121.114554.5023.2.002", "encodeJpeg" },
	{ "worker-threads/CPU.20261121.114554.5023.3.003", "countColours" },
};

START_TEST(recordings_have_their_culprits)
{
	const char *top = getenv("srcdir");
	char path[1024], *file = path;
	struct load_options options = { .files = &file, .n_files = 1 };
	struct load_result result;

	snprintf(path, sizeof path, "%s/data/%s.cpuprofile", top ? top : ".", recordings[_i][0]);
	load_all(&options, &result);
	ck_assert_msg(result.profile != NULL, "%s is not loaded", path);
	profile = result.profile;
	open_lane(&profile->lanes[0]);
	for (uint32_t i = 0; i < 2 && recordings[_i][i + 1]; i++)
		ck_assert_str_eq(findings.result.list[i].name, recordings[_i][i + 1]);
	close_runs();
	buf_done(&result.messages);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *rules = suite_case(suite, "rules", SUITE_SECONDS);
	TCase *names = suite_case(suite, "names", SUITE_SECONDS);
	TCase *slices = suite_case(suite, "slices", SUITE_SECONDS);
	TCase *lines = suite_case(suite, "line", SUITE_SECONDS);

	tcase_add_test(rules, owner_has_what_it_calls);
	tcase_add_test(rules, few_samples_are_no_finding);
	tcase_add_test(rules, package_and_who_calls_it);
	tcase_add_test(rules, functions_on_one_line);
	tcase_add_test(rules, package_passes_through);
	tcase_add_test(rules, tool);
	tcase_add_test(rules, spent);
	tcase_add_test(rules, gc);
	tcase_add_test(rules, synchronous_calls);
	tcase_add_test(rules, loading);
	tcase_add_test(rules, regular_expressions);
	tcase_add_test(rules, files);
	tcase_add_test(rules, half);
	tcase_add_test(rules, half_of_all_comes_late);
	tcase_add_test(rules, inside);
	tcase_add_test(rules, tasks);
	tcase_add_test(rules, rounds_of_ticks_are_tasks);
	tcase_add_test(rules, a_server_has_tasks);
	tcase_add_test(rules, place_of_a_block);
	tcase_add_test(rules, loading_is_no_task_of_own_code);
	tcase_add_test(rules, stretches);
	tcase_add_test(rules, periods);
	tcase_add_test(rules, timers);
	tcase_add_test(rules, timers_and_io);
	tcase_add_test(lines, verdict_is_sorted);
	tcase_add_test(rules, no_own_code);
	tcase_add_test(rules, io_counts_less);
	tcase_add_test(rules, even);
	tcase_add_test(rules, idle);
	tcase_add_test(rules, waiting);
	tcase_add_test(rules, few);
	tcase_add_test(rules, evaluated_text);
	tcase_add_test(rules, base_of_stacks);
	tcase_add_test(slices, slices_tell_tasks);
	tcase_add_test(slices, slices_tell_forced_layout);
	tcase_add_test(slices, slices_tell_what_program_is);
	tcase_add_test(slices, slices_tell_long_gc);
	tcase_add_test(slices, slices_without_samples);
	tcase_add_test(slices, slices_are_places);
	tcase_add_test(slices, slices_have_owners);
	tcase_add_test(slices, slices_of_node);
	tcase_add_test(slices, page_tells_slow_reactions);
	tcase_add_test(slices, page_tells_third_parties);
	tcase_add_test(slices, slices_beside_samples);
	tcase_add_test(names, functions_without_a_name);
	tcase_add_test(names, minified);
	tcase_add_test(names, blobs);
	tcase_add_test(names, controls_in_names_are_visible);
	tcase_add_test(names, hot_lines);
	tcase_add_test(names, hot_lines_of_the_whole);
	tcase_add_test(names, recursion);
	tcase_add_test(names, place_is_the_densest_stretch);
	tcase_add_test(names, place_is_not_where_modules_are_loaded);
	tcase_add_test(names, place_has_the_time_of_the_finding);
	tcase_add_test(lines, verdict);
	tcase_add_test(lines, verdict_of_idle_time);
	tcase_add_test(lines, verdict_of_what_an_idle_process_waits_for);
	tcase_add_test(lines, verdict_of_tasks);
	tcase_add_test(lines, verdict_of_program);
	tcase_add_test(lines, verdict_of_waiting);
	tcase_add_test(lines, verdict_of_minified_code);
	tcase_add_test(lines, verdict_of_garbage_collection);
	tcase_add_test(lines, verdict_of_a_sum);
	tcase_add_test(lines, verdict_without_javascript);
	tcase_add_test(lines, old_result_stays);
	tcase_add_test(lines, second_time_is_the_same);
	tcase_add_test(lines, sums_stop_between_keys);
	tcase_add_loop_test(names, recordings_have_their_culprits, 0, N(recordings));
}

int main(void)
{
	return suite_run("findings", add_tests);
}
