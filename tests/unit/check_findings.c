/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules of findings on small profiles: what each of them claims, and what it must not claim. */
#include "config.h"

#include "suite.h"

#include "analysis/findings.h"
#include "base/text.h"
#include "layout/verdict.h"

#include "runs.h"

static struct profile *profile;
static struct findings findings;

static void open_runs(const char *runs)
{
	profile = runs_load(runs);
	findings_init(&findings, profile, &profile->lanes[0]);
	findings_begin(&findings, 0, profile->t1);
	while (!findings_work(&findings, a_step()))
		;
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

/* A router calls the next package; below an owner, the package that it calls is the one. */
START_TEST(package_passes_through)
{
	says("80 " LIB ">" OTHER "|20 " LIB "|60 " A, "package other 63 %");
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

/* ---- garbage collection ---- */

START_TEST(gc)
{
	says("60 " A "|40 (garbage collector)", "gc: GC 40 %: 100 % of it under a a.js:3");
	says("60 " A "|40 (garbage collector)", "owner: a a.js:3 100 %; GC 40 %");
	says_not("99 " A "|9 (garbage collector)", "gc:");
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
	line("190 " A "|21 (garbage collector)" NODE, 72, "a a.js:3 100 %    GC 10 %");
	line("60 " A "|40 " B NODE, 72, "a a.js:3 59 %    b b.js:5 40 %    \302\26110 %");
	line("20 " A "|980 (idle)", 72,
	     "idle 98 % of 1.00 s: not CPU-bound    a a.js:3 100 %    \302\26122 %");
}
END_TEST

START_TEST(verdict_without_javascript)
{
	line("100 (program)", 72, "no JavaScript of note: (program) 100 %");
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

static void add_tests(Suite *suite)
{
	TCase *rules = suite_case(suite, "rules", SUITE_SECONDS);
	TCase *lines = suite_case(suite, "line", SUITE_SECONDS);

	tcase_add_test(rules, owner_has_what_it_calls);
	tcase_add_test(rules, few_samples_are_no_finding);
	tcase_add_test(rules, package_and_who_calls_it);
	tcase_add_test(rules, package_passes_through);
	tcase_add_test(rules, tool);
	tcase_add_test(rules, gc);
	tcase_add_test(rules, idle);
	tcase_add_test(lines, verdict);
	tcase_add_test(lines, verdict_without_javascript);
	tcase_add_test(lines, old_result_stays);
}

int main(void)
{
	return suite_run("findings", add_tests);
}
