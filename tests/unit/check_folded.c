/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folded stacks: one test for each rule of formats(5), FOLDED STACKS. */
#include "config.h"

#include "story.h"
#include "suite.h"

#include "base/alloc.h"

#include <sys/resource.h>

static const struct good {
	const char *text, *story, *kind;
	uint64_t count;
} goods[] = {
	/* a count is a width, in the order of the file */
	{ "a;b;c 12\na;b 3\nd 1\n", "0 a>b>c|12 a>b|15 d|16", NULL, 0 },
	/* the last line may lack its end */
	{ "a;b 1\na 2", "0 a>b|1 a|3", NULL, 0 },
	/* fractions */
	{ "a;b 1.5\na 0.25", "0 a>b|1.500 a|1.750", NULL, 0 },
	/* frames may contain blanks, and annotations are text */
	{ "node main.js;do it [jit];x::y<int, int> 4",
	  "0 node main.js>do it [jit]>x::y<int, int>|4", NULL, 0 },
	/* Windows line ends, blank lines, tabs, several blanks before the count */
	{ "\r\na;b 1\r\n\r\na;c\t  2 \r\n", "0 a>b|1 a>c|3", NULL, 0 },
	/* comments, and a private method that is none */
	{ "# made by hand\n#secret;b 2\na;b 1", "0 #secret>b|2 a>b|3", NULL, 0 },
	{ "# one\n# two\n#\n# three\na;b 1", "0 a>b|1", NULL, 0 },
	/* a count of 0 has no width */
	{ "a;b 1\nc 0\nd 1", "0 a>b|1 c|1 d|2", NULL, 0 },
	/* an empty frame is anonymous */
	{ "a;;b 1", "0 a>(anonymous)>b|1", NULL, 0 },
	/* stacks of equal text are one, and collections stay where they are */
	{ "(garbage collector) 1\na;b 1\n(garbage collector) 1\na;b 1",
	  "0 (garbage collector)|1 a>b|2 (garbage collector)|3 a>b|4", NULL, 0 },
	/* may look like JSON at first */
	{ "[unknown];main 3", "0 [unknown]>main|3", NULL, 0 },
	{ "0x1f;main 3", "0 0x1f>main|3", NULL, 0 },
	{ "true;null 3", "0 true>null|3", NULL, 0 },
	/* may look like HTML at first */
	{ "<anonymous>;main 3", "0 <anonymous>>main|3", NULL, 0 },
	{ "<9B>31m;main 3", "0 <9B>31m>main|3", NULL, 0 },
	/* what is no stack and count is left out and counted */
	{ "a;b 1\nno count\na;b -2\n 7\na;b NaN\na;b 1\na;b 1\na;b 1\na;b 1",
	  "0 a>b|1 a>b|2 a>b|3 a>b|4 a>b|5", "odd-line", 4 },
	/* two counts in all lines: before and after, and the second is shown */
	{ "a;b 10 12\na;c 3 4\na 5 5\n", "0 a>b|12 a>c|16 a|21", "two-counts", 1 },
	{ "a;b 0 12\na;c 3 0", "0 a>b|12 a>c|12", "two-counts", 1 },
	{ "a;b x 1.5\t12\na;b 3 4", "0 a>b x|12 a>b|16", "two-counts", 1 },
	/* names that end with a number in a part of the lines */
	{ "a;b 10 12\na;c 4\na 5\n", "0 a>b 10|12 a>c|16 a|21", "two-counts", 0 },
	{ "a;b 12;c 10\na;worker 3;d 2", "0 a>b 12>c|10 a>worker 3>d|12", "two-counts", 0 },
	{ "a;b -1 12\na;b v2 3", "0 a>b -1|12 a>b v2|15", "two-counts", 0 },
	{ "a;b 9e99\na 1\n", "0 a>b|2305843009213693.951 a|2305843009213693.951", "time-range", 2 },
};

START_TEST(lines)
{
	story_check(goods[_i].text, goods[_i].story, goods[_i].kind, goods[_i].count);
}
END_TEST

static const struct other {
	const char *text, *part;
} others[] = {
	{ "hello\nthis is; prose\n", "text" },
	{ "listen; it happened in 1984\nand it was bad\nvery bad\n", "text" },
	{ "{'a;b': 12", "" },
	{ "['a;b 12", "" },
	{ "main 12\nprintf 4\n", "text" },
	{ "<p>a;b</p> 12", "HTML" },
	{ "<>;b 12", "HTML" },
	{ "<a;b 12", "HTML" },
};

START_TEST(other_text_is_not_taken)
{
	story_fails(others[_i].text, others[_i].part);
}
END_TEST

START_TEST(single_frames_when_told)
{
	struct error err = ERROR_INIT;
	struct profile *p = story_try("main 12\nprintf 4\n", 17, "folded", SIZE_MAX, &err);

	ck_assert(p != NULL);
	story_of(p, 0, "0 main|12 printf|16");
	profile_free(p);
	ck_assert(story_try("nothing\n", 8, "folded", SIZE_MAX, &err) == NULL);
}
END_TEST

START_TEST(the_width_is_said)
{
	struct profile *p = story_load("a;b 1");

	ck_assert_uint_eq(p->inputs[0].n_notes, 1);
	profile_free(p);
}
END_TEST

START_TEST(long_lines)
{
	struct buf text = { 0 };
	struct profile *p;

	buf_adds(&text, "a;b 1\na");
	for (int i = 0; i < 60000; i++)
		buf_addf(&text, ";function %d", i);
	buf_adds(&text, " 5\nc;d 1\n");
	p = story_load(buf_text(&text));
	ck_assert_int_eq(p->lanes[0].max_depth, 60001);
	ck_assert_int_eq(p->t1, 7000);
	profile_free(p);
	buf_done(&text);
}
END_TEST

/* Each frame of the line is a node while the file is read, also those that are cut off at the end.
 */
START_TEST(frame_of_a_deep_stack_takes_48_bytes)
{
	const unsigned n = 1000000;
	struct buf text = { 0 };
	struct rusage usage;
	struct profile *p;
	int64_t resident;

	for (unsigned i = 0; i < n; i++)
		buf_adds(&text, i ? ";a" : "a");
	buf_adds(&text, " 5");
	resident = memory_used();
	p = story_load(buf_text(&text));
	(void)getrusage(RUSAGE_SELF, &usage);
	ck_assert_int_eq(p->lanes[0].max_depth, CALLTREE_MAX_ROWS);
#ifdef ALLOC_SANITIZED
	resident = -1; /* sanitizers take memory of their own */
#endif
	if (resident >= 0)
		ck_assert_int_lt(((int64_t)usage.ru_maxrss * 1024 - resident) / n, 48);
	profile_free(p);
	buf_done(&text);
}
END_TEST

/* One that is longer than what is looked at first, and has no end. */
START_TEST(long_first_line)
{
	struct buf text = { 0 };
	struct profile *p;

	buf_adds(&text, "a");
	for (int i = 0; i < 20000; i++)
		buf_addf(&text, ";function %d", i);
	buf_adds(&text, " 5");
	p = story_load(buf_text(&text));
	ck_assert_int_eq(p->lanes[0].max_depth, 20001);
	profile_free(p);
	buf_done(&text);
}
END_TEST

START_TEST(broken_anywhere)
{
	story_broken("# x\na;b;c 12\r\na;b [jit] 3.5\nbad line\nd;e 1\n", "folded");
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", 300);

	tcase_add_loop_test(t, lines, 0, N(goods));
	tcase_add_loop_test(t, other_text_is_not_taken, 0, N(others));
	tcase_add_test(t, single_frames_when_told);
	tcase_add_test(t, the_width_is_said);
	tcase_add_test(t, long_lines);
	tcase_add_test(t, frame_of_a_deep_stack_takes_48_bytes);
	tcase_add_test(t, long_first_line);
	tcase_add_test(t, broken_anywhere);
}

int main(void)
{
	return suite_run("folded", add_tests);
}
