/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Traces that are cut off, damaged, or read in pieces and on threads. */
#include "config.h"

#include "trace_story.h"

static const char whole[] =
	"{'metadata':{'source':'DevTools','modifications':{'initialBreadcrumb':{'window':{'min':1,'max':4},'child':null}}},'traceEvents':[\n" X(
		"a", 1, 9) "," B("caf\\u00e9",
				 2) "," E("caf\\u00e9",
					  5) "," EV("i", "mark", 3,
						    ",'s':'g'") "," AS("b", "req", 0,
								       1) "," AS("n", "step", 2,
										 1) "," AS("e",
											   "req", 20, 1) "," EV("s", "f", 5, ",'cat':'c','id':1") "," EV("f", "f", 6, ",'cat':'c','id':1,'bp':'e'") "," EV("C", "heap", 5, ",'args':{'used':10.5,'free':-4}") "," EV("O", "o", 2, ",'id':1,'args':{'snapshot':{'a':['x',{}]}}") "," META("thread_name",
																																									 "'name':'main'",
																																									 1,
																																									 1) "," PROFILE("0x1", 10,
																																											0,
																																											"'startTime':0,'source':'Internal'") "," CHUNK("0x1",
																																																       900,
																																																       SAMPLES("2,3,2", "10,10,-1")) "," CHUNK("0x1",
																																																					       901, "'endTime':1490") "," TIMING("b", "m", 2, ",'id2':{'local':'1'},'args':{'detail':'{}'}") "," TIMING("e",
																																																																			"m",
																																																																			5,
																																																																			",'id2':{'local':'1'}") "],\n"
																																																																						"'stackFrames':{'1':{'name':'main'},'2':{'name':'sum','parent':1}},'samples':[{'pid':1,'tid':1,'ts':10,'sf':2},{'pid':1,'tid':1,'ts':20,'sf':1}]}\n";

START_TEST(cut_at_every_byte_it_loads_or_fails_cleanly)
{
	char *text = quoted(whole);
	size_t len = strlen(text), n_loaded = 0;

	for (size_t cut = 0; cut <= len; cut++) {
		/* Of its own, so that a sanitizer sees what is read behind it. */
		char *part = malloc(cut + 1);
		struct error err = ERROR_INIT;
		struct profile *p;

		memcpy(part, text, cut);
		p = load_bytes(part, cut, &err);
		ck_assert_msg(p || err.text[0], "no reason at byte %zu", cut);
		ck_assert_msg(p || cut < (size_t)(strstr(text, "traceEvents") - text) + 20,
			      "not loaded at byte %zu: %s", cut, err.text);
		if (p && cut + 1 < len)
			ck_assert_uint_ge(count_of(p, "cut-off"), 1);
		n_loaded += p != NULL;
		profile_free(p);
		free(part);
	}
	ck_assert_uint_gt(n_loaded, len / 2);
	free(text);
}
END_TEST

START_TEST(windows_end_anywhere)
{
	struct buf text = { 0 };
	struct profile *p;
	char fill[401] = "\\\\";
	int n = 5000;

	memset(fill + 2, 'x', sizeof fill - 3);

	/* Several windows full, events of all lengths. */
	buf_addc(&text, '[');
	for (int i = 0; i < n; i++)
		buf_addf(
			&text,
			"%s{'ph':'X','name':'e%d','args':{'s':'%.*s'},'pid':1,'tid':1,'ts':%d,'dur':%d}",
			i ? "," : "", i % 7, i % 400, &fill[i % 400 == 1 ? 2 : 0], i * 10,
			i % 9 + 1);
	buf_addc(&text, ']');
	p = load(buf_text(&text));
	ck_assert_uint_eq(p->lanes[0].slices.n, (size_t)n);
	profile_free(p);
	buf_done(&text);
}
END_TEST

/* Events of all lengths up to several stretches of the stream, with texts that are needed and texts
 * that are not. */
static void add_many(struct buf *text, unsigned n)
{
	uint32_t r = 1;

	for (unsigned i = 0; i < n; i++) {
		unsigned len;

		r = r * 1664525 + 1013904223;
		len = r >> 8 & 0xFF;
		len = i % 5000 == 4999 ? 700000 : i % 900 == 899 ? 20000 + len : len;
		buf_addf(
			text,
			"%s{'ph':'%s','name':'n%u','cat':'%s','pid':%u,'tid':'t%u','ts':%u.%u,'dur':%u,'id':'0x%x','args':{'d':'",
			i ? ",\n" : "",
			i % 11 == 3           ? "I"
				: i % 17 == 4 ? "b"
				: i % 17 == 8 ? "e"
				: i % 13 == 5 ? "s"
				: i % 13 == 6 ? "f"
					      : "X",
			r >> 20 & 63, i % 7 == 1 ? "blink.user_timing" : "c", i % 3, i % 5, i * 3,
			r >> 16 & 7, r >> 12 & 15, i / 17);
		for (unsigned k = 0; k < len; k++)
			buf_addc(text, (char)('a' + (i + k) % 26));
		buf_addf(text, "'}}%s", i % 1000 == 7 ? ",7" : "");
	}
}

static void tell_all(const char *text, size_t len, size_t from, struct buf *out)
{
	struct error err = ERROR_INIT;
	struct profile *p;

	load_text_ahead = from;
	p = load_bytes(text, len, &err);
	if (!p) {
		buf_addf(out, "%s at %lld", err.text, (long long)err.offset);
		return;
	}
	for (uint32_t i = 0; i < p->n_lanes; i++)
		add_lane(out, p, &p->lanes[i]);
	for (size_t i = 0; i < p->inputs[0].n_warnings; i++)
		buf_addf(out, "%s %llu %lld\n", warning_name(p->inputs[0].warnings[i].kind),
			 (unsigned long long)p->inputs[0].warnings[i].count,
			 (long long)p->inputs[0].warnings[i].offset);
	for (size_t i = 0; i < p->n_flows; i++)
		buf_addf(out, "flow %u in %u\n", p->flows[i].flow, p->flows[i].lane);
	profile_free(p);
}

/* Whether reading on threads changes anything, from the start or from the middle of the list on. */
START_TEST(long_trace_is_the_same_on_threads)
{
	static const char *const ends[] = {
		"]", "", ",{'ph':'X','na", ",{'ph':'X' 'name':1}]",
		",{'ph':'P','name':'ProfileChunk','pid':1,'tid':1,'ts':9,'args':{'data':{'cpuProfile':{'nodes':[1,}}}},"
	};
	struct buf text = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		struct buf alone = { 0 }, ahead = { 0 }, later = { 0 };
		char *copy;

		buf_clear(&text);
		buf_addc(&text, '[');
		add_many(&text, 24000);
		buf_adds(&text, ends[i]);
		/* Behind an error others must not count. */
		if (i == 4)
			add_many(&text, 20000);
		copy = quoted(buf_text(&text));
		tell_all(copy, text.len, SIZE_MAX, &alone);
		tell_all(copy, text.len, 0, &ahead);
		tell_all(copy, text.len, text.len / 3, &later);
		ck_assert_uint_gt(alone.len, i < 3 ? 100000 : 10);
		ck_assert(strcmp(buf_text(&alone), buf_text(&ahead)) == 0);
		ck_assert(strcmp(buf_text(&alone), buf_text(&later)) == 0);
		buf_done(&alone);
		buf_done(&ahead);
		buf_done(&later);
		free(copy);
	}
	buf_done(&text);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, cut_at_every_byte_it_loads_or_fails_cleanly);
	tcase_add_test(tc, windows_end_anywhere);
}

static void add_tests(Suite *suite)
{
	TCase *both = suite_case(suite, "both", 120);

	trace_suite(suite, add_rules);
	tcase_add_test(both, long_trace_is_the_same_on_threads);
}

int main(void)
{
	return suite_run("trace_damage", add_tests);
}
