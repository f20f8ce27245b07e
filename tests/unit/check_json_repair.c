/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values that are written as they were read: which are valid, and what is written for the others.
 * json-c is the judge of what is JSON. */
#include "config.h"

#include "load_text.h"
#include "suite.h"

#include "base/json/json_read.h"
#include "base/json/json_repair.h"
#include "base/text.h"

/* ' stands for ". */
static const char *const valid[] = {
	"{}",
	"[]",
	"{'a':1}",
	" { 'a' : [ 1 , -2.5e+3 , true , false , null , '' ] , 'b' : {} } ",
	"'\\'\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00'",
	/* lone halves of surrogate pairs */
	"'\\ud800 \\udc00'",
	"'\303\244\342\202\254\360\237\230\200\357\277\275'",
	"'a string that is longer than one step of sixteen bytes'",
	"{'a':{'b':{'c':[[[{}]]]}}}",
	"0",
};

START_TEST(valid_values_stay_as_they_are)
{
	char *text = quoted(valid[_i]);

	ck_assert_msg(!json_repair_is_needed((struct str){ text, strlen(text) }), "%s", text);
	free(text);
}
END_TEST

static const struct {
	const char *text, *expect;
} repairs[] = {
	/* control characters, the beginning and the end of what is looked at in one step */
	{ "{'a':'\033[31m'}", "{'a':'\\u001b[31m'}" },
	{ "'\n\t\r\001'", "'\\n\\t\\u000d\\u0001'" },
	{ "'123456789012345\0331234567890123456'", "'123456789012345\\u001b1234567890123456'" },
	{ "'1234567890123456\033'", "'1234567890123456\\u001b'" },
	{ "{'\033':1}", "{'\\u001b':1}" },
	/* DEL, C1, a change of the writing direction */
	{ "'\177'", "'\\u007f'" },
	{ "'12345678901234567890\177'", "'12345678901234567890\\u007f'" },
	{ "'\302\233'", "'\\u009b'" },
	{ "'\342\200\256'", "'\\u202e'" },
	/* bytes that are not UTF-8 */
	{ "'\377'", "'\357\277\275'" },
	{ "'\303'", "'\357\277\275'" },
	{ "'\355\240\200'", "'\357\277\275\357\277\275\357\277\275'" },
	{ "{'\200':'12345678901234567\200'}", "{'\357\277\275':'12345678901234567\357\277\275'}" },
	/* escapes: those that JSON knows stay */
	{ "'\033\\u001b\\ud800'", "'\\u001b\\u001b\\ud800'" },
	{ "'\\x41'", "'\\\\x41'" },
	{ "'\\u12'", "'\\\\u12'" },
	{ "'\\u12g4\\n'", "'\\\\u12g4\\n'" },
	/* words */
	{ "[NaN,-Infinity,undefined,+1,01,.5,1.,1e,tru,nulll]",
	  "['NaN','-Infinity','undefined','+1','01','.5','1.','1e','tru','nulll']" },
	{ "{'a':nan}", "{'a':'nan'}" },
	{ "{a:1}", "{'a':1}" },
	{ "[\033]", "['\\u001b']" },
	/* what is missing or too much */
	{ "{'a':}", "{'a':null}" },
	{ "{'a'}", "{'a':null}" },
	{ "{'a','b':2}", "{'a':null,'b':2}" },
	{ "{'a' 1 'b' 2}", "{'a':1,'b':2}" },
	{ "{'a':1,}", "{'a':1}" },
	{ "{,'a'::1,,'b':2}", "{'a':1,'b':2}" },
	{ "{'a':,'b':2}", "{'a':null,'b':2}" },
	{ "{[1],2:3}", "{'':[1],'2':3}" },
	{ "[1 2,,3,]", "[1,2,3]" },
	{ "[,]", "[]" },
	{ "[:1]", "[1]" },
	{ "[{'a':[1,'b\033", "[{'a':[1,'b\\u001b']}]" },
	{ "{'a", "{'a':null}" },
	{ "{'a':", "{'a':null}" },
	{ "[1]2", "[1]" },
	{ ",]:'a'", "'a'" },
	{ "", "null" },
	{ " ", "null" },
	{ "'\\", "'\\\\'" },
	/* a value of another kind where a bracket closes */
	{ "[1}", "[1]" },
};

START_TEST(other_values_are_repaired)
{
	char *text = quoted(repairs[_i].text), *expect = quoted(repairs[_i].expect);
	struct str in = { text, strlen(text) };
	struct buf out = { 0 };

	ck_assert_msg(json_repair_is_needed(in), "%s", text);
	buf_adds(&out, "before");
	json_repair(in, &out);
	ck_assert_str_eq(buf_text(&out) + strlen("before"), expect);
	buf_done(&out);
	free(text);
	free(expect);
}
END_TEST

static void ck_depth(size_t depth, bool is_object)
{
	static const char *const opens[] = { "[", "{\"a\":" }, *const closes[] = { "]", "}" };
	struct buf text = { 0 }, out = { 0 };
	struct str in;
	size_t n = 0;

	for (size_t i = 0; i < depth; i++)
		buf_adds(&text, opens[is_object]);
	if (is_object)
		buf_adds(&text, "1");
	for (size_t i = 0; i < depth; i++)
		buf_adds(&text, closes[is_object]);
	in = (struct str){ buf_text(&text), text.len };
	ck_assert_int_eq(json_repair_is_needed(in), depth > JSON_REPAIR_DEPTH);
	json_repair(in, &out);
	for (size_t i = 0; i < out.len; i++)
		n += out.data[i] == *opens[is_object];
	ck_assert_uint_eq(n, depth < JSON_REPAIR_DEPTH ? depth : JSON_REPAIR_DEPTH);
	ck_assert(!json_repair_is_needed((struct str){ buf_text(&out), out.len }));
	buf_done(&text);
	buf_done(&out);
}

START_TEST(depth_is_bounded)
{
	static const size_t depths[] = {
		1,     63, 64, 65, JSON_REPAIR_DEPTH - 1, JSON_REPAIR_DEPTH, JSON_REPAIR_DEPTH + 1,
		100000
	};

	for (size_t i = 0; i < ARRAY_LEN(depths); i++) {
		ck_depth(depths[i], false);
		ck_depth(depths[i], true);
	}
}
END_TEST

/* ---- any bytes ---- */

static uint64_t seed;

static uint64_t dice(uint64_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (seed >> 33) % n;
}

/* A text of tokens; is_wild: in any order, with any bytes between them. */
static void make_text(struct buf *out, bool is_wild)
{
	static const char *const bits[] = {
		"{",
		"}",
		"[",
		"]",
		",",
		":",
		"\"",
		"\\",
		"\"a\"",
		"\"b\":",
		"1",
		"-2.5",
		"true",
		"null",
		"NaN",
		" ",
		"\n",
		"\\u",
		"\\ud800",
		"\\n",
		"x",
		"\033",
		"\177",
		"\377",
		"\303",
		"\"\\",
		"[1,2]",
		"{\"c\":3}",
		"\"a long text of more than sixteen bytes\"",
		"\303\244",
		"\342\200\256",
	};
	size_t n = dice(30);

	buf_clear(out);
	for (size_t i = 0; i < n; i++) {
		if (is_wild && dice(8) == 0)
			buf_addc(out, (char)dice(256));
		else
			buf_adds(out, bits[dice(ARRAY_LEN(bits))]);
	}
}

/* json-c parses it, and finds valid UTF-8. */
static bool is_json(const char *text, size_t len)
{
	struct json_tokener *tok = json_tokener_new_ex(JSON_REPAIR_DEPTH + 2);
	struct json_object *o;
	struct buf clean = { 0 };
	const char *why;
	size_t bad_at;
	bool is;

	json_tokener_set_flags(tok, JSON_TOKENER_STRICT);
	o = json_text_parse(tok, text, len, &bad_at, &why);
	is = !why && !text_repair(&clean, text, len);
	for (size_t i = 0; i < len; i++)
		is &= (unsigned char)text[i] >= 0x20 || strchr("\n\t\r", text[i]);
	json_object_put(o);
	json_tokener_free(tok);
	buf_done(&clean);
	return is;
}

START_TEST(output_is_valid_for_any_bytes)
{
	struct buf text = { 0 }, out = { 0 };
	int n_valid = 0;

	seed = (uint64_t)_i;
	for (int i = 0; i < 40000; i++) {
		struct str exact;

		make_text(&text, i % 2);
		/* With no byte after it that may be read: a sanitizer sees it. */
		exact = (struct str){ quoted_bytes(buf_text(&text), text.len), text.len };
		buf_clear(&out);
		if (json_repair_is_needed(exact)) {
			json_repair(exact, &out);
			ck_assert_msg(
				!json_repair_is_needed((struct str){ buf_text(&out), out.len }),
				"%s gives %s", buf_text(&text), buf_text(&out));
			ck_assert_msg(is_json(buf_text(&out), out.len), "%s gives %s",
				      buf_text(&text), buf_text(&out));
		} else {
			ck_assert_msg(is_json(exact.p, exact.len), "%s", buf_text(&text));
			n_valid++;
		}
		free((char *)exact.p);
	}
	ck_assert_int_gt(n_valid, 100);
	buf_done(&text);
	buf_done(&out);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", 300);

	tcase_add_loop_test(t, valid_values_stay_as_they_are, 0, N(valid));
	tcase_add_loop_test(t, other_values_are_repaired, 0, N(repairs));
	tcase_add_test(t, depth_is_bounded);
	tcase_add_loop_test(t, output_is_valid_for_any_bytes, 0, 4);
}

int main(void)
{
	return suite_run("json_repair", add_tests);
}
