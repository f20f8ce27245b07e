/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Long tasks of a thread that is recorded in parts, against a count by hand. */
#include "config.h"

#include "suite.h"

#include "findings/stalls.h"

#include "random_profile.h"
#include "story.h"

#define START_US INT64_C(5000000) /* of the clock, at sample 0 */
#define MS INT64_C(1000000)

/* What a sample can be: a letter each. */
static const struct state {
	char letter;
	int entry; /* the same number: the same function in row 0; 0: no task */
	const char *stack;
} states[] = {
	{ 'i', 0, "(idle)" },
	{ 'p', 0, "(program)" },
	{ '-', 0, "" },
	{ 'a', 1, "onread@node:net:7>a@/app/a.js:3" },
	{ 'b', 1, "onread@node:net:7>b@/app/b.js:5" },
	{ 's', 1, "onread@node:net:7>spawnSync@node:child_process:9>spawn" },
	{ 't', 2, "processTimers@node:internal/timers:2>a@/app/a.js:3" },
	{ 'u', 3, "onread@node:http2:7>a@/app/a.js:3" },
	{ 'w', 1, "onread@node:net:7>sleepHere@/app/w.js:3" },
	{ 'h', 1, "onread@node:net:7>parse@node:_http_common:9" },
	{ 'q', 2, "processTimers@node:internal/timers:2>next@node:internal/timers:8" },
	{ 'g', -1, "(garbage collector)" },
	{ 'l', 4,
	  "run_main@node:internal/modules/run_main:5>Module._load@node:internal/modules/cjs/"
	  "loader:8" },
};

static const struct state *state_of(char letter)
{
	for (size_t i = 0; i < ARRAY_LEN(states); i++)
		if (states[i].letter == letter)
			return &states[i];
	ck_abort_msg("no state %c", letter);
	return NULL;
}

/* NAME@URL:LINE or NAME */
static void add_frame(struct buf *out, const char *text, size_t len)
{
	const char *at = memchr(text, '@', len), *colon = NULL;

	for (const char *c = at; c && c < text + len; c++)
		colon = *c == ':' ? c : colon;
	buf_addf(out,
		 "'callFrame':{'functionName':'%.*s','scriptId':'9','url':'%.*s','lineNumber':%d,"
		 "'columnNumber':3}",
		 (int)(at ? at - text : (ptrdiff_t)len), text, (int)(at ? colon - at - 1 : 0),
		 at ? at + 1 : "", at ? atoi(colon + 1) : 0);
}

static void add_nodes(struct buf *out, int leaf[ARRAY_LEN(states)])
{
	int n = 1;

	buf_adds(out, "{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'}}");
	for (size_t i = 0; i < ARRAY_LEN(states); i++) {
		int above = 1;

		for (const char *at = states[i].stack; *at;) {
			size_t len = strcspn(at, ">");

			buf_addf(out, ",{'id':%d,'parent':%d,", ++n, above);
			add_frame(out, at, len);
			buf_adds(out, "}");
			above = n;
			at += len + (at[len] == '>');
		}
		leaf[i] = above;
	}
	buf_adds(out, "]");
}

/* A profile of samples [from, to) of a text with a letter for each millisecond. */
static struct profile *load_part(const char *text, int from, int to)
{
	int leaf[ARRAY_LEN(states)];
	struct profile *p;
	struct buf out = { 0 };

	add_nodes(&out, leaf);
	buf_addf(&out, ",'startTime':%lld,'endTime':%lld,'samples':[",
		 (long long)(START_US + from * 1000), (long long)(START_US + to * 1000));
	for (int i = from; i < to; i++)
		buf_addf(&out, "%s%d", i > from ? "," : "", leaf[state_of(text[i]) - states]);
	buf_adds(&out, "],'timeDeltas':[0");
	for (int i = from + 1; i < to; i++)
		buf_adds(&out, ",1000");
	buf_adds(&out, "]}");
	p = story_load(buf_text(&out));
	buf_done(&out);
	return p;
}

/* Time that the parts lack. */
static int64_t lost_ns;

static void list(void *ctx, const struct stall *stall)
{
	ck_assert_int_eq(stall->ran_ns, stall->t1 - stall->t0 - lost_ns);
	buf_addf(ctx, "%lld-%lld ", (long long)(stall->t0 / MS - START_US / 1000),
		 (long long)(stall->t1 / MS - START_US / 1000));
}

/* The same, and the length of the longest call of those that are series. */
static struct stalls *listed;

static void list_series(void *ctx, const struct stall *stall)
{
	list(ctx, stall);
	if (stalls_is_series(listed, stall))
		buf_addf(ctx, "~%lld ", (long long)(stall->call_ns / MS));
}

static int64_t clock_of(int sample)
{
	return START_US * 1000 + sample * MS;
}

/* Add samples [from, to), with what is needed around them. */
static void add_part(struct stalls *s, const char *text, int from, int to)
{
	int begin = s->known_t0 > 0 ? (int)((s->known_t0 - clock_of(0)) / MS) : from;
	struct profile *p = load_part(text, begin < from ? begin : from,
				      to < (int)strlen(text) ? to + 1 : to);

	stalls_add(s, p, &p->lanes[0], clock_of(from), clock_of(to));
	profile_free(p);
}

/* The runs of equal letters, each with its count: "3a 2i". */
static void unpack(const char *runs, struct buf *out)
{
	for (char *end; *runs; runs = end + 1 + (end[1] == ' ')) {
		for (long n = strtol(runs, &end, 10); n > 0; n--)
			buf_addc(out, *end);
	}
}

/* Stalls of at least 200 ms, with the parts ending at `cuts`, a list that 0 ends. */
static void finds(const char *runs, const int *cuts, const char *expect)
{
	struct buf text = { 0 }, found = { 0 };
	struct stalls s = { .least_ns = 200 * MS,
			    .is_started = true,
			    .visit = list_series,
			    .ctx = &found };
	int from = 0;

	listed = &s;
	unpack(runs, &text);
	for (; *cuts; from = *cuts++)
		add_part(&s, buf_text(&text), from, *cuts);
	add_part(&s, buf_text(&text), from, (int)text.len);
	stalls_end(&s);
	ck_assert_str_eq(buf_text(&found), expect);
	buf_done(&text);
	buf_done(&found);
}

static const int whole[] = { 0 };

/* ---- rules ---- */

START_TEST(exactly_the_limit_is_a_stall)
{
	finds("10i 200a 10i", whole, "10-210 ");
	finds("10i 199a 10i", whole, "");
	finds("10i 150a 50b 10i", whole, "10-210 ");
}
END_TEST

/* Sleeping is none; a native call is; and so are calls that follow each other. */
START_TEST(idle_time_ends_a_task_and_native_calls_do_not)
{
	finds("500i", whole, "");
	finds("10i 120a 2i 120a 10i", whole, "");
	finds("10i 30a 300s 10a 10i", whole, "10-350 ");
	finds("10i 120a 3p 120a 10i", whole, "");
	finds("10i 120a 1p 120a 10i", whole, "10-251 ");
	finds("10i 100a 60g 100a 10i", whole, "10-270 ");
}
END_TEST

START_TEST(another_callback_is_another_task)
{
	finds("10i 150a 150t 10i", whole, "");
	finds("10i 250a 250t 10i", whole, "10-260 260-510 ");
	/* The function has the same name in another file. */
	finds("10i 150a 150u 10i", whole, "");
}
END_TEST

/* A server without a pause. Calls that Node.js makes from a queue block the loop together, and time
 * that is mostly not of own code is no series of its calls. */
START_TEST(many_short_calls_are_a_series)
{
	static const int cuts[] = { 60, 90, 130, 0 };

	finds("10i 100a 2h 100a 2h 50b 10i", whole, "10-264 ~100 ");
	finds("10i 100a 5g 50b 2h 100a 10i", whole, "10-267 ~155 ");
	finds("10i 100a 2h 200a 10i", whole, "10-312 ");
	finds("10i 100a 2h 199a 10i", whole, "10-311 ~199 ");
	finds("10i 150t 2q 150t 10i", whole, "10-312 ");
	finds("10i 90a 110h 10i", whole, "10-210 ");
	finds("10i 100a 100h 10i", whole, "10-210 ~100 ");
	finds("10i 100a 2h 100a 2h 50b 10i", cuts, "10-264 ~100 ");
	finds("10i 30a 2h 199a 2h 10i", cuts, "10-243 ~199 ");
	finds("10i 30a 2h 200a 2h 10i", cuts, "10-244 ");
	finds("10i 50a 2h 28a 3h 190a 10i", cuts, "10-283 ~190 ");
}
END_TEST

/* ---- parts ---- */

START_TEST(one_stall_that_spans_parts_is_one)
{
	static const int cuts[] = { 50, 100, 160, 230, 0 };

	finds("40i 200a 60i", cuts, "40-240 ");
	finds("40i 120a 120t 60i", cuts, "");
	finds("40i 10a 2i 150a 98i", cuts, "");
}
END_TEST

/* A part ends where the task does. */
START_TEST(cut_at_the_end_of_a_task)
{
	static const int at_end[] = { 240, 0 }, at_change[] = { 160, 0 };

	finds("40i 200a 60i", at_end, "40-240 ");
	finds("40i 200a", at_end, "40-240 ");
	finds("40i 120a 120t 60i", at_change, "");
	finds("40i 120a 120a 60i", at_change, "40-280 ");
}
END_TEST

/* A single (program) sample at the beginning of a part is judged by what was before it. */
START_TEST(parts_are_judged_by_what_is_around_them)
{
	static const int cuts[] = { 150, 0 };

	finds("10i 140a 1p 100a 10i", cuts, "10-251 ");
	finds("10i 139a 1p 100a 10i", cuts, "10-250 ");
}
END_TEST

START_TEST(lost_time_ends_a_task)
{
	struct buf text = { 0 }, found = { 0 };
	struct stalls s = { .least_ns = 200 * MS,
			    .is_started = true,
			    .visit = list,
			    .ctx = &found };

	lost_ns = 250 * MS;
	unpack("900a", &text);
	add_part(&s, buf_text(&text), 0, 150);
	add_part(&s, buf_text(&text), 400, 500);
	ck_assert_str_eq(buf_text(&found), "");
	add_part(&s, buf_text(&text), 751, 900);
	ck_assert_str_eq(buf_text(&found), "0-500 ");
	stalls_end(&s);
	ck_assert_str_eq(buf_text(&found), "0-500 ");
	buf_done(&text);
	buf_done(&found);
}
END_TEST

START_TEST(a_stall_in_progress_is_known)
{
	struct buf text = { 0 }, found = { 0 };
	struct stalls s = { .least_ns = 200 * MS,
			    .is_started = true,
			    .visit = list,
			    .ctx = &found };
	struct stall open;

	unpack("40i 500a", &text);
	add_part(&s, buf_text(&text), 0, 239);
	ck_assert(!stalls_is_open(&s, &open));
	add_part(&s, buf_text(&text), 239, 240);
	ck_assert(stalls_is_open(&s, &open));
	ck_assert_int_eq(open.t1 - open.t0, 200 * MS);
	add_part(&s, buf_text(&text), 240, 400);
	ck_assert(stalls_is_open(&s, &open));
	ck_assert_int_eq(open.t1 - open.t0, 360 * MS);
	ck_assert_str_eq(buf_text(&found), "");
	stalls_end(&s);
	ck_assert_str_eq(buf_text(&found), "40-400 ");
	ck_assert(!stalls_is_open(&s, &open));
	buf_done(&text);
	buf_done(&found);
}
END_TEST

/* ---- start-up ---- */

START_TEST(start_up_counts_only_for_a_program_that_has_started)
{
	struct buf text = { 0 };

	unpack("10i 300l 10i 300l 10i 20a 5i 300a", &text);
	for (int started = 0; started < 2; started++) {
		struct buf found = { 0 };
		struct stalls s = { .least_ns = 200 * MS,
				    .is_started = started,
				    .visit = list,
				    .ctx = &found };

		add_part(&s, buf_text(&text), 0, 315);
		add_part(&s, buf_text(&text), 315, (int)text.len);
		stalls_end(&s);
		ck_assert_str_eq(buf_text(&found),
				 started ? "10-310 320-620 655-955 " : "655-955 ");
		buf_done(&found);
	}
	buf_done(&text);
}
END_TEST

/* ---- by hand ---- */

/* The text of all stalls of at least `least` samples. */
static void count_by_hand(const char *text, int least, struct buf *out)
{
	int entry = 0, from = 0, n = (int)strlen(text);

	for (int i = 0; i <= n; i++) {
		int now = i < n ? state_of(text[i])->entry : 0;

		now = now < 0 ? entry : now;
		if (now == entry)
			continue;
		if (entry > 0 && i - from >= least)
			buf_addf(out, "%d-%d ", from, i);
		entry = now;
		from = i;
	}
}

/* Runs of letters. (program) and the collector have rules of their own where they are alone, or
 * stand on nothing. */
static void make_random(struct buf *out)
{
	static const char letters[] = "iipp-aaabbssttuuw";
	int last = 'i';

	while (out->len < 900) {
		int letter = letters[random_below(sizeof letters - 1)];
		size_t n = 2 + random_below(random_below(4) == 0 ? 120 : 12);

		if (state_of((char)last)->entry > 0 && random_below(5) == 0)
			letter = 'g';
		for (; n > 0; n--)
			buf_addc(out, (char)letter);
		last = letter;
	}
}

START_TEST(random_parts)
{
	for (int i = 0; i < SUITE_CASES(40); i++) {
		struct buf text = { 0 }, found = { 0 }, expect = { 0 };
		int least = 1 + (int)random_below(80), from = 0;
		struct stalls s = { .least_ns = least * MS,
				    .is_started = true,
				    .visit = list,
				    .ctx = &found };

		random_seed(_i * 1000 + i);
		make_random(&text);
		while (from < (int)text.len) {
			int to = from + 1 + (int)random_below(random_below(2) ? 300 : 20);

			to = to < (int)text.len ? to : (int)text.len;
			add_part(&s, buf_text(&text), from, to);
			from = to;
		}
		stalls_end(&s);
		count_by_hand(buf_text(&text), least, &expect);
		ck_assert_msg(strcmp(buf_text(&found), buf_text(&expect)) == 0,
			      "case %d, at least %d: %s\nnot %s\nof %s", i, least, buf_text(&found),
			      buf_text(&expect), buf_text(&text));
		buf_done(&text);
		buf_done(&found);
		buf_done(&expect);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "stalls", SUITE_SECONDS);

	tcase_add_test(t, exactly_the_limit_is_a_stall);
	tcase_add_test(t, idle_time_ends_a_task_and_native_calls_do_not);
	tcase_add_test(t, another_callback_is_another_task);
	tcase_add_test(t, many_short_calls_are_a_series);
	tcase_add_test(t, one_stall_that_spans_parts_is_one);
	tcase_add_test(t, cut_at_the_end_of_a_task);
	tcase_add_test(t, parts_are_judged_by_what_is_around_them);
	tcase_add_test(t, lost_time_ends_a_task);
	tcase_add_test(t, a_stall_in_progress_is_known);
	tcase_add_test(t, start_up_counts_only_for_a_program_that_has_started);
	tcase_add_loop_test(t, random_parts, 0, 4);
}

int main(void)
{
	return suite_run("stalls", add_tests);
}
