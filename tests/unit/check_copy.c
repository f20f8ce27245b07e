/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the keys y y, y n, y l, y s, y f, y t copy. */
#include "config.h"

#include "stage.h"
#include "story.h"

#include "base/text.h"
#include "ui/state.h"

/* Two callers of one function. Times in microseconds: work 400 by serve, 200 by poll, main 100,
 * idle 100, GC 200. */
#define FRAME(name, url, line)                                                                     \
	"'callFrame':{'functionName':'" name "','scriptId':'1','url':'" url "','lineNumber':" line \
	",'columnNumber':4}"
#define NATIVE(name) "'callFrame':{'functionName':'" name "','scriptId':'0','url':''}"
#define PROFILE(work)                                                                                                                                                               \
	"{'nodes':["                                                                                                                                                                \
	"{'id':1," NATIVE(                                                                                                                                                          \
		"(root)") ",'children':[2,7,8]},"                                                                                                                                   \
			  "{'id':2," FRAME(                                                                                                                                         \
				  "main", "file:///srv/a%20b/app.js",                                                                                                               \
				  "9") ",'children':[3,5]},"                                                                                                                        \
				       "{'id':3," FRAME(                                                                                                                            \
					       "serve", "file:///srv/a%20b/app.js",                                                                                                 \
					       "19") ",'children':[4]},"                                                                                                            \
						     "{'id':4," FRAME(                                                                                                              \
							     work, "file:///srv/lib/work.js",                                                                                       \
							     "29") ",'positionTicks':[{'line':31,'ticks':30},{'line':32,'ticks':10}]},"                                             \
								   "{'id':5," FRAME(                                                                                                \
									   "poll",                                                                                                  \
									   "file:///srv/lib/poll.js",                                                                               \
									   "39") ",'children':[6]},"                                                                                \
										 "{'id':6," FRAME(                                                                                  \
											 work,                                                                                      \
											 "file:///srv/lib/work.js",                                                                 \
											 "29") "},"                                                                                 \
											       "{'id':7," NATIVE("(idle)") "},{'id':8," NATIVE(                                     \
												       "(garbage collector)") "}],"                                                 \
															      "'startTime':0,'endTime':1000,'samples':[2,4,6,7,8]," \
															      "'timeDeltas':[0,100,400,200,100]}"

static void open_stage(const char *text)
{
	stage_open(story_load(text), &(struct app_options){ 0 }, 40, 120);
}

static void setup(void)
{
	open_stage(PROFILE("work"));
}

/* What the keys have copied. */
static const char *copied(const char *keys)
{
	size_t len;

	play(keys);
	return app_copied(app, &len);
}

static const struct {
	const char *keys, *text;
} texts[] = {
	/* The selected span: main. Its stack is its own. */
	{ "yy",
	  "test: main /srv/a b/app.js:10 - 100 \302\265s self, 11.1 % of 900 "
	  "\302\265s busy\nnot called by a function; 700 \302\265s total; 700 \302\265s at "
	  "0" },
	{ "jjyy",
	  "test: work /srv/lib/work.js:30 - 600 \302\265s self, 66.7 % of "
	  "900 \302\265s busy (line 31: 75.0 % of its ticks)\nby serve app.js:20 < main "
	  ":10; 400 \302\265s at 100 \302\265s" },
	{ "jjyn", "work" },
	{ "jjyl", "/srv/lib/work.js:30:5" },
	{ "jjys",
	  "    at work (/srv/lib/work.js:30:5)\n    at serve (/srv/a b/app.js:20:5)\n"
	  "    at main (/srv/a b/app.js:10:5)" },
	{ "jjyf", "main;serve;work 400" },
	/* Rows of tables. On the first level of the bottom-up table: the callers with most time. */
	{ "5<Home>ys",
	  "    at work (/srv/lib/work.js:30:5)\n    at serve (/srv/a b/app.js:20:5)\n"
	  "    at main (/srv/a b/app.js:10:5)" },
	{ "5<Home><Space>jjys",
	  "    at work (/srv/lib/work.js:30:5)\n"
	  "    at poll (/srv/lib/poll.js:40:5)" },
	{ "6<Space>jyf", "main;serve 400" },
	/* The row of the events pane, wherever the cursor of the chart is. */
	{ "9jyn", "serve" },
	{ "9jjyl", "/srv/lib/work.js:30:5" },
	{ "9jyy",
	  "test: serve /srv/a b/app.js:20 - 400 \302\265s total, 44.4 % of 900 \302\265s busy\n"
	  "by main app.js:10" },
	/* A function has several stacks: each has its own time, and they add up to its total. */
	{ "5<Home>yf", "main;serve;work 400\nmain;poll;work 200" },
	{ "5<Home><Space>jyf", "main;serve;work 400" },
	{ "5<Home><Space>jjyf", "main;poll;work 200" },
	{ "jj3<Home>yf", "main;serve;work 400\nmain;poll;work 200" },
	{ "jj3<Home>5<Home>yf", "main;serve;work 400\nmain;poll;work 200" },
	{ "jj3<Home>[jyf", "main;serve;work 400" },
	{ "jj3<Home>[jjyf", "main;serve;work 400" },
	{ "jj3<Home>[j5<Home>yf", "main;serve;work 400\nmain;poll;work 200" },
	/* Idle time is not in shares, but it is no time of 0. */
	{ "/idle<Enter>yy",
	  "test: (idle) - 100 \302\265s self, 10.0 % of 1.00 ms\n"
	  "not called by a function; 300 \302\265s total; 300 \302\265s at 700 \302\265s; 66.7 % of its total is GC" },
	/* View 3: the callers are those of the other lane, read upwards. */
	{ "jj3<Home>yy",
	  "test: work /srv/lib/work.js:30 - 600 \302\265s self, 100.0 % of 600 \302\265s busy\n"
	  "by serve app.js:20 < main :10" },
	{ "jj3<Home>[jyy",
	  "test: serve /srv/a b/app.js:20 - 400 \302\265s total, 66.7 % of 600 \302\265s busy\n"
	  "by main app.js:10" },
	{ "jj3<Home>[jjyy",
	  "test: main /srv/a b/app.js:10 - 600 \302\265s total, 100.0 % of 600 \302\265s busy\n"
	  "not called by a function" },
	{ "jj3<Home>[j5<Home>ys", "    at main (/srv/a b/app.js:10:5)" },
};

START_TEST(text_is_about_the_selected_span_or_row)
{
	ck_assert_str_eq(copied(texts[_i].keys), texts[_i].text);
}
END_TEST

START_TEST(window_that_is_a_part_is_named)
{
	const char *text = copied("jj<Enter>yy");

	ck_assert_msg(strstr(text, " busy from 100 \302\265s to 500 \302\265s"), "%s", text);
}
END_TEST

static const struct {
	int ticks[3];
	const char *text; /* NULL: no line is named */
} ticks_cases[] = {
	{ { 10, 10, 0 }, "(line 31: 50.0 % of its ticks)" },
	{ { 10, 9, 0 }, NULL }, /* too few */
	{ { 10, 0, 0 }, NULL },
	{ { 0, 30, 10 }, "(line 32: 75.0 % of its ticks)" },
	{ { 10, 11, 1 }, "(line 32: 50.0 % of its ticks)" },
	{ { 10, 11, 2 }, NULL }, /* less than half */
	{ { 30, 0, 0 }, NULL },  /* it has no other line */
};

START_TEST(a_line_is_named_if_it_has_half_of_many_ticks)
{
	const int *ticks = ticks_cases[_i].ticks;
	struct buf text = { 0 };
	const char *found;

	buf_adds(&text,
		 "{'nodes':[{'id':1," NATIVE("(root)") ",'children':[2]},{'id':2," FRAME(
			 "work", "file:///work.js", "29") ",'positionTicks':[");
	for (int i = 0, n = 0; i < 3; i++)
		if (ticks[i])
			buf_addf(&text, "%s{'line':%d,'ticks':%d}", n++ ? "," : "", 31 + i,
				 ticks[i]);
	buf_adds(&text, "]}],'startTime':0,'endTime':200,'samples':[2,2],'timeDeltas':[0,100]}");
	stage_close();
	open_stage(buf_text(&text));
	buf_done(&text);
	found = strstr(copied("yy"), "(line ");
	if (ticks_cases[_i].text)
		ck_assert_msg(found &&
				      strncmp(found, ticks_cases[_i].text,
					      strlen(ticks_cases[_i].text)) == 0,
			      "%s", found ? found : "none");
	else
		ck_assert_msg(!found, "%s", found);
}
END_TEST

/* Places are by the clock of the ruler: here, of the file. */
START_TEST(places_follow_the_ruler)
{
	stage_close();
	open_stage("{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2,3]},"
		   "{'id':2,'callFrame':{'functionName':'a','url':'file:///a.js'}},"
		   "{'id':3,'callFrame':{'functionName':'b','url':'file:///a.js'}}],"
		   "'startTime':5000000,'endTime':5001000,'samples':[2,3,2],"
		   "'timeDeltas':[0,200,300]}");
	ck_assert_str_eq(copied("Tj:0us,300us<Enter>yy"),
			 "test: b /a.js - 100 \302\265s self, 33.3 % of 300 \302\265s busy from "
			 "5 000 000 \302\265s to 5 000 300 \302\265s\nnot called by a function; "
			 "300 \302\265s at 5 000 200 \302\265s");
}
END_TEST

/* While a range is being selected, and when it is kept, figures are those of the range. */
START_TEST(range_that_is_selected_is_the_scope)
{
	static const char *const keys[] = { "jjvlyy", "jjvlvyy", "jjvlvkkyy" };
	static const char *const answers[] = {
		"test: work /srv/lib/work.js:30 - 600 \302\265s self, 100.0 % of 600 \302\265s busy "
		"from 100 \302\265s to 700 \302\265s (line 31: 75.0 % of its ticks)\n"
		"by poll poll.js:40 < main app.js:10; 200 \302\265s at 500 \302\265s",
		NULL,
		"test: main /srv/a b/app.js:10 - 600 \302\265s total, 100.0 % of 600 \302\265s busy "
		"from 100 \302\265s to 700 \302\265s\n"
		"not called by a function; 700 \302\265s at 0",
	};

	ck_assert_str_eq(copied(keys[_i]), answers[_i] ? answers[_i] : answers[0]);
}
END_TEST

/* Otherwise its function would have 0 of the time of the window. */
START_TEST(span_outside_of_the_window_has_figures_of_its_own_time)
{
	play("jj");
	viewport_set(&app->s.view, 700000, 900000);
	ck_assert_str_eq(
		copied("yy"),
		"test: work /srv/lib/work.js:30 - 400 \302\265s self, 100.0 % of 400 \302\265s busy "
		"from 100 \302\265s to 500 \302\265s (line 31: 75.0 % of its ticks)\n"
		"by serve app.js:20 < main :10; 400 \302\265s at 100 \302\265s");
	play("1k:0us,100us<Enter>/idle<Enter>");
	viewport_set(&app->s.view, 0, 100000);
	ck_assert_str_eq(copied("yy"),
			 "test: (idle) - 100 \302\265s self, 33.3 % of 300 \302\265s from 700 "
			 "\302\265s to 1.000 ms\n"
			 "not called by a function; 300 \302\265s total; 300 \302\265s at 700 "
			 "\302\265s; 66.7 % of its total is GC");
}
END_TEST

START_TEST(table_is_copied_as_it_is_drawn)
{
	const char *text = copied("5yt");
	int n = 0;

	ck_assert(strstr(text, "Self") && strstr(text, "work"));
	for (const char *p = text; (p = strchr(p, '\n')); p++) {
		ck_assert(p[-1] != ' ');
		n++;
	}
	ck_assert_int_ge(n, 4);
	ck_assert(text[strlen(text) - 1] != '\n');
}
END_TEST

/* The time of `work` when it is called by f0, f1, ...: in ns, and not in whole microseconds. */
#define CALLED_NS(k) (2300 + (k))

static struct profile *load_callers(int n)
{
	struct buf text = { 0 };
	struct profile *loaded;

	buf_adds(&text,
		 "{'$schema':'https://www.speedscope.app/file-format-schema.json',"
		 "'shared':{'frames':[{'name':'work'}");
	for (int k = 0; k < n; k++)
		buf_addf(&text, ",{'name':'f%d'}", k);
	buf_adds(&text,
		 "]},'profiles':[{'type':'sampled','name':'x','unit':'nanoseconds',"
		 "'startValue':0,'endValue':0,'samples':[");
	for (int k = 0; k < n; k++)
		buf_addf(&text, "%s[%d,0]", k ? "," : "", k + 1);
	buf_adds(&text, "],'weights':[");
	for (int k = 0; k < n; k++)
		buf_addf(&text, "%s%d", k ? "," : "", CALLED_NS(k));
	buf_adds(&text, "]}]}");
	loaded = story_load(buf_text(&text));
	buf_done(&text);
	return loaded;
}

/* Heaviest first; the lines add up to the time of all stacks. */
START_TEST(many_stacks_share_the_last_folded_line)
{
	static const int counts[] = { 1, 2, 100, 101, 250 };
	int n = counts[_i], lines = 0;
	long long sum = 0, ns = 0;
	char first[32], last[32];
	const char *text;

	stage_close();
	stage_open(load_callers(n), &(struct app_options){ 0 }, 40, 120);
	text = copied("/work<Enter>5<Home>yf");
	snprintf(first, sizeof first, "f%d;work ", n - 1);
	snprintf(last, sizeof last, "(%d more stacks) ", n - 99);
	ck_assert_msg(!strncmp(text, first, strlen(first)), "%.99s", text);
	ck_assert_int_eq(strstr(text, last) != NULL, n > 100);
	for (const char *p = text; p; p = strchr(p, '\n'), p += p != NULL) {
		bool is_rest = *p == '(';

		sum += strtoll(strchr(p, is_rest ? ')' : ' ') + 1, NULL, 10);
		lines++;
	}
	for (int k = 0; k < n; k++)
		ns += CALLED_NS(k);
	ck_assert_int_eq(lines, n < 100 ? n : 100);
	ck_assert_int_eq(sum, (ns + 500) / 1000);
	ck_assert(n < 2 || shows(n > 100 ? "copied the 99 heaviest of" : "stacks of"));
}
END_TEST

START_TEST(nothing_to_copy_is_said_and_the_last_text_stays)
{
	play("jjyn");
	ck_assert_str_eq(copied("5<Home>jyl"), "work"); /* a row without a location */
	ck_assert(shows("no location"));
}
END_TEST

/* Names with line breaks and escape sequences. */
START_TEST(text_has_no_control_characters)
{
	static const char *const keys[] = { "jjyy", "jjyn", "jjyl", "jjys", "jjyf", "5yt" };
	int lines[] = { 2, 1, 1, 3, 1, 0 };

	stage_close();
	open_stage(PROFILE("w\\n\\u001b]52;c;AAAA\\u0007\\u009b\\u202e"));
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		const char *p = copied(keys[i]), *end = p + strlen(p);
		int n = 1;

		while (p < end) {
			uint32_t cp = text_next(&p, end);

			n += cp == '\n';
			ck_assert_msg(cp == '\n' || !text_is_control(cp), "%s: U+%04X", keys[i],
				      (unsigned)cp);
		}
		ck_assert(!lines[i] || n == lines[i]);
		play("1kk");
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "copy", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, stage_close);
	tcase_add_loop_test(t, text_is_about_the_selected_span_or_row, 0, ARRAY_LEN(texts));
	tcase_add_test(t, window_that_is_a_part_is_named);
	tcase_add_loop_test(t, a_line_is_named_if_it_has_half_of_many_ticks, 0, N(ticks_cases));
	tcase_add_test(t, places_follow_the_ruler);
	tcase_add_loop_test(t, range_that_is_selected_is_the_scope, 0, 3);
	tcase_add_test(t, span_outside_of_the_window_has_figures_of_its_own_time);
	tcase_add_loop_test(t, many_stacks_share_the_last_folded_line, 0, 5);
	tcase_add_test(t, table_is_copied_as_it_is_drawn);
	tcase_add_test(t, nothing_to_copy_is_said_and_the_last_text_stays);
	tcase_add_test(t, text_has_no_control_characters);
}

int main(void)
{
	return suite_run("copy", add_tests);
}
