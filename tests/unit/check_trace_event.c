/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The members of one event, in any order: written without blanks, and with blanks, which takes the
 * way for any document. */
#include "config.h"

#include "read/trace/trace_event.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "suite.h"

#include <string.h>

static uint64_t calls;

static size_t below(size_t n)
{
	return hash_u64(++calls) % n;
}

/* A member, and what it means: the bits of `has` that it may change, and those that it sets. A key
 * that begins like a common one is another key. */
static const struct {
	const char *key, *value;
	unsigned mask, bits;
	int64_t number;
	const char *text;
} members[] = {
	{ "ph", "'X'", HAS_PHASE, HAS_PHASE, 'X', NULL },
	{ "ph", "'b'", HAS_PHASE, HAS_PHASE, 'b', NULL },
	{ "ph", "'long'", HAS_PHASE, HAS_PHASE, 0, NULL },
	{ "ph", "''", HAS_PHASE, HAS_PHASE, 0, NULL },
	{ "ph", "'\\\\'", HAS_PHASE, HAS_PHASE, '\\', NULL },
	{ "ph", "'\\u0042'", HAS_PHASE, HAS_PHASE, 'B', NULL },
	{ "ph", "'\\u00422'", HAS_PHASE, HAS_PHASE, 0, NULL },
	{ "\\u0070h", "'X'", HAS_PHASE, HAS_PHASE, 'X', NULL },
	{ "ts", "'\\u00312'", HAS_TS | HAS_TEXT_TIME, HAS_TS | HAS_TEXT_TIME, 12000, NULL },
	{ "ph", "null", HAS_PHASE, HAS_PHASE, 0, NULL },
	{ "ph", "7", HAS_PHASE, HAS_PHASE, 0, NULL },
	{ "ts", "12", HAS_TS, HAS_TS, 12000, NULL },
	{ "ts", "-1.25", HAS_TS, HAS_TS, -1250, NULL },
	{ "ts", "1795255182465123.4567", HAS_TS, HAS_TS, INT64_C(1795255182465123457), NULL },
	{ "ts", "null", HAS_TS, 0, 0, NULL },
	{ "dur", "0.5", HAS_DUR, HAS_DUR, 500, NULL },
	{ "dur", "3", HAS_DUR, HAS_DUR, 3000, NULL },
	{ "dur", "'x'", HAS_DUR, 0, 0, NULL },
	{ "dur", "{'a':1}", HAS_DUR, 0, 0, NULL },
	{ "pid", "7", HAS_PID | HAS_PID_TEXT, HAS_PID, 7, NULL },
	{ "pid", "-7", HAS_PID | HAS_PID_TEXT, HAS_PID, -7, NULL },
	{ "pid", "'renderer'", HAS_PID | HAS_PID_TEXT, HAS_PID_TEXT, 0, "renderer" },
	{ "pid", "1.5", HAS_PID | HAS_PID_TEXT, HAS_PID_TEXT, 0, "1.5" },
	{ "pid", "1e30", HAS_PID | HAS_PID_TEXT, HAS_PID_TEXT, 0, "1e30" },
	{ "pid", "null", HAS_PID | HAS_PID_TEXT, 0, 0, NULL },
	{ "tid", "12345", HAS_TID | HAS_TID_TEXT, HAS_TID, 12345, NULL },
	{ "tid", "'main'", HAS_TID | HAS_TID_TEXT, HAS_TID_TEXT, 0, "main" },
	{ "tid", "false", HAS_TID | HAS_TID_TEXT, 0, 0, NULL },
	{ "name", "'a name'", 0, 0, 0, "a name" },
	{ "name", "'a\\tb'", 0, 0, 1, "a\\tb" },
	{ "name", "12.5", 0, 0, 0, "12.5" },
	{ "name", "null", 0, 0, 0, "" },
	{ "cat", "'v8,devtools'", 0, 0, 0, "v8,devtools" },
	{ "cat", "7", 0, 0, 0, "" },
	{ "args", "{'data':{'x':[1,2]}}", 0, 0, 0, "{'data':{'x':[1,2]}}" },
	{ "args", "'text'", 0, 0, 0, "'text'" },
	{ "s", "'t'", 0, 0, 't', NULL },
	{ "s", "'tt'", 0, 0, 0, NULL },
	{ "bp", "'e'", 0, 0, 'e', NULL },
	{ "cname", "'good'", HAS_COLOR, HAS_COLOR, 0, "good" },
	{ "cname", "''", HAS_COLOR, 0, 0, "" },
	{ "cname", "7", 0, 0, 0, NULL },
	{ "flow_in", "true", FLOWS_IN, FLOWS_IN, 0, NULL },
	{ "flow_out", "true", FLOWS_OUT, FLOWS_OUT, 0, NULL },
	{ "flow_in", "false", 0, 0, 0, NULL },
	{ "id", "'0x1'", 0, 0, ID_PLAIN, "0x1" },
	{ "id", "17", 0, 0, ID_PLAIN, "17" },
	{ "tts", "5", 0, 0, 5000, NULL },
	{ "tts", "'6.25'", 0, 0, 6250, NULL },
	{ "tts", "0", 0, 0, 0, NULL },
	{ "tts", "-1", 0, 0, -1, NULL },
	{ "tts", "null", 0, 0, -1, NULL },
	{ "tts", "1e300", 0, 0, -1, NULL },
	{ "tdur", "5", HAS_CPU, HAS_CPU, 5000, NULL },
	{ "tdur", "'5'", HAS_CPU, HAS_CPU, 5000, NULL },
	{ "tdur", "'text'", HAS_CPU, 0, 0, NULL },
	{ "phx", "'B'", 0, 0, 0, NULL },
	{ "tsx", "99", 0, 0, 0, NULL },
	{ "p", "99", 0, 0, 0, NULL },
	{ "pidx", "99", 0, 0, 0, NULL },
	{ "tids", "99", 0, 0, 0, NULL },
	{ "dura", "99", 0, 0, 0, NULL },
	{ "cats", "'x'", 0, 0, 0, NULL },
	{ "ttsx", "99", 0, 0, 0, NULL },
	{ "tdurx", "99", 0, 0, 0, NULL },
	{ "names", "'x'", 0, 0, 0, NULL },
	{ "argsx", "'x'", 0, 0, 0, NULL },
	{ "argv", "'x'", 0, 0, 0, NULL },
	{ "", "'x'", 0, 0, 0, NULL },
};

/* What an event with the chosen members has; *tts: what trace_event_tts() gives. The last of equal
 * keys counts. */
static void expect_member(struct trace_event *e, size_t at, int64_t *tts)
{
	const char *key = members[at].key;
	struct str text = { members[at].text, members[at].text ? strlen(members[at].text) : 0 };
	int64_t n = members[at].number;

	e->has = (e->has & ~members[at].mask) | members[at].bits;
	if (strcmp(key, "ph") == 0 || key[0] == '\\')
		e->ph = (char)n;
	else if (strcmp(key, "s") == 0)
		e->s = (char)n;
	else if (strcmp(key, "bp") == 0)
		e->bp = (char)n;
	else if (strcmp(key, "ts") == 0)
		e->ts = n;
	else if (strcmp(key, "dur") == 0)
		e->dur = n;
	else if (strcmp(key, "tdur") == 0)
		e->cpu = n;
	else if (strcmp(key, "tts") == 0)
		*tts = n;
	else if (strcmp(key, "pid") == 0)
		e->pid = n, e->pid_text = text;
	else if (strcmp(key, "tid") == 0)
		e->tid = n, e->tid_text = text;
	else if (strcmp(key, "name") == 0)
		e->name_text = text, e->is_name_escaped = n != 0;
	else if (strcmp(key, "cat") == 0)
		e->cat_text = text;
	else if (strcmp(key, "args") == 0)
		e->args = text;
	else if (strcmp(key, "cname") == 0)
		e->cname = text.p ? text : e->cname;
	else if (strcmp(key, "id") == 0)
		e->id_text = text, e->id_kind = (uint8_t)n;
}

static bool is_text(struct str text, struct str expect)
{
	return text.len == expect.len && (!text.len || memcmp(text.p, expect.p, text.len) == 0);
}

enum form { PLAIN, BLANKS, LINES, FORMS };

static void add_member(struct buf *out, size_t at, bool is_first, enum form form)
{
	const char *key = members[at].key,
		   *blank = form == BLANKS ? " "
		: form == LINES            ? "\r\n\t"
					   : "";

	buf_addf(out, "%s%s%s'", blank, is_first ? "" : ",", blank);
	buf_adds(out, key);
	buf_addf(out, "'%s:%s%s", blank, blank, members[at].value);
}

static char *with_quotes(const char *text)
{
	char *copy = xstrdup(text);

	for (char *p = copy; *p; p++)
		if (*p == '\'')
			*p = '"';
	return copy;
}

static void check_event(const struct trace_event *e, const struct trace_event *expect,
			const char *text)
{
	ck_assert_msg(e->has == expect->has, "%s: has %x", text, e->has);
	ck_assert_msg(e->ph == expect->ph && e->s == expect->s && e->bp == expect->bp, "%s", text);
	ck_assert_msg(!(e->has & HAS_TS) || e->ts == expect->ts, "%s", text);
	ck_assert_msg(!(e->has & HAS_DUR) || e->dur == expect->dur, "%s", text);
	ck_assert_msg(!(e->has & HAS_CPU) || e->cpu == expect->cpu, "%s", text);
	ck_assert_msg(!(e->has & HAS_PID) || e->pid == expect->pid, "%s", text);
	ck_assert_msg(!(e->has & HAS_TID) || e->tid == expect->tid, "%s", text);
	ck_assert_msg(!(e->has & HAS_PID_TEXT) || is_text(e->pid_text, expect->pid_text), "%s",
		      text);
	ck_assert_msg(!(e->has & HAS_TID_TEXT) || is_text(e->tid_text, expect->tid_text), "%s",
		      text);
	ck_assert_msg(is_text(e->name_text, expect->name_text), "%s", text);
	ck_assert_msg(e->is_name_escaped == expect->is_name_escaped, "%s", text);
	ck_assert_msg(is_text(e->cat_text, expect->cat_text), "%s", text);
	ck_assert_msg(!(e->has & HAS_COLOR) || is_text(e->cname, expect->cname), "%s", text);
	ck_assert_msg(is_text(e->id_text, expect->id_text), "%s", text);
	ck_assert_msg(e->id_kind == expect->id_kind && !e->id == !expect->id_text.len, "%s", text);
	ck_assert_msg(e->args.len == expect->args.len, "%s", text);
}

START_TEST(an_event_has_its_members_in_any_order_and_form)
{
	for (int i = 0; i < 6000; i++) {
		size_t chosen[10], n = below(ARRAY_LEN(chosen) + 1);

		for (size_t k = 0; k < n; k++)
			chosen[k] = below(ARRAY_LEN(members));
		for (enum form form = PLAIN; form < FORMS; form++) {
			struct trace_event e, expect = { 0 };
			struct buf text = { 0 };
			int64_t tts = -1;
			char *document;
			struct cursor c;

			memset(&e, 0x55, sizeof e);
			buf_adds(&text, "{");
			for (size_t k = 0; k < n; k++) {
				add_member(&text, chosen[k], k == 0, form);
				expect_member(&expect, chosen[k], &tts);
			}
			/* What follows is not looked at, but there must be room to look. */
			buf_adds(&text, "},'ph':'Q'                ");
			document = with_quotes(buf_text(&text));
			c = cursor_of((struct str){ document, text.len - 16 });
			ck_assert_msg(trace_event_parse(&c, &e) == PARSED, "%s", document);
			ck_assert_msg(strncmp((const char *)c.p, ",\"ph\"", 5) == 0, "%s",
				      document);
			ck_assert_ptr_eq(e.start, document);
			check_event(&e, &expect, document);
			e.offset = 0;
			e.end = (const char *)c.p - document;
			ck_assert_msg((e.tts ? trace_event_tts(&e) : -1) == tts, "%s", document);
			free(document);
			buf_done(&text);
		}
	}
}
END_TEST

/* The same event cut off at each byte is cut; it is never taken for a whole one. */
START_TEST(an_event_that_is_cut_off_is_cut)
{
	char *document = with_quotes("{'ph':'X','ts':12.5,'dur':3,'pid':'a','tid':7,'name':'b c',"
				     "'cat':'d','args':{'e':[1]},'id2':{'local':'0x1'},'s':'t',"
				     "'bind_id':'0x2','flow_in':true,'tts':1}                ");
	size_t len = strlen(document) - 16;

	for (size_t n = 1; n <= len; n++) {
		/* A copy, so that a sanitizer finds a read beyond the bytes that may be read. */
		char *copy = xmalloc(n + CURSOR_PAD);
		struct trace_event e;
		struct cursor c;

		memcpy(copy, document, n);
		memset(copy + n, '"', CURSOR_PAD);
		c = cursor_of((struct str){ copy, n });
		ck_assert_int_eq(trace_event_parse(&c, &e), n < len ? PARSED_CUT : PARSED);
		free(copy);
	}
	free(document);
}
END_TEST

static const char *const bad[] = {
	"{'ph':}",           "{'ph' 'X'}",   "{ph:'X'}",      "{'ph':'X' 'ts':1}",
	"{'ph':'X',,}",      "{,'ph':'X'}",  "{'ts':01}",     "{'ts':1.}",
	"{'pid':+1}",        "{'name':tru}", "{'args':[}}",   "{'id2':{'local' 1}}",
	"{'flow_in':truex}", "{'tts';1}",    "{'name':'a'];",
};

START_TEST(a_bad_event_has_a_reason)
{
	struct buf text = { 0 };
	char *document;
	struct trace_event e;
	struct cursor c;

	buf_addf(&text, "%s,{'ph':'X'}                    ", bad[_i]);
	document = with_quotes(buf_text(&text));
	c = cursor_of((struct str){ document, text.len - 16 });
	ck_assert_msg(trace_event_parse(&c, &e) == PARSED_BAD, "%s", bad[_i]);
	ck_assert_ptr_nonnull(c.why);
	ck_assert(c.p <= (const unsigned char *)document + strlen(bad[_i]));
	free(document);
	buf_done(&text);
}
END_TEST

static const struct {
	const char *value;
	unsigned has;
} times[] = {
	{ "'12'", HAS_TS | HAS_TEXT_TIME },
	{ "'x'", 0 },
	{ "1e99", HAS_ODD_TIME },
	{ "-1e99", HAS_ODD_TIME },
	/* PROFILE_TIME_MAX and the next number, in microseconds. */
	{ "2305843009213693.951", HAS_TS },
	{ "2305843009213693.952", HAS_ODD_TIME },
	{ "-2305843009213693.951", HAS_TS },
	{ "-2305843009213693.952", HAS_ODD_TIME },
};

START_TEST(a_time_is_within_the_limits_of_a_profile)
{
	struct buf text = { 0 };
	char *document;
	struct trace_event e;
	struct cursor c;

	buf_addf(&text, "{'ts':%s}                    ", times[_i].value);
	document = with_quotes(buf_text(&text));
	c = cursor_of((struct str){ document, text.len - 16 });
	ck_assert_int_eq(trace_event_parse(&c, &e), PARSED);
	ck_assert_uint_eq(e.has, times[_i].has);
	free(document);
	buf_done(&text);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "trace_event", SUITE_SECONDS);

	tcase_add_test(t, an_event_has_its_members_in_any_order_and_form);
	tcase_add_test(t, an_event_that_is_cut_off_is_cut);
	tcase_add_loop_test(t, a_bad_event_has_a_reason, 0, N(bad));
	tcase_add_loop_test(t, a_time_is_within_the_limits_of_a_profile, 0, N(times));
}

int main(void)
{
	return suite_run("trace_event", add_tests);
}
