/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small pieces of JSON as trees. */
#include "config.h"

#include "suite.h"

#include "base/json/json_read.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Write a value as json-c would. */
static void print(const struct json_value *v, struct buf *out)
{
	static const char brackets[] = "[]{}";
	int kind = v->type == JSON_OBJECT ? 2 : 0;

	if (v->type == JSON_STRING) {
		struct json_object *o = json_object_new_string_len(v->text.p, (int)v->text.len);

		buf_adds(out, json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN));
		json_object_put(o);
		return;
	}
	if (v->type != JSON_ARRAY && v->type != JSON_OBJECT) {
		buf_adds(out, v->type == JSON_NULL ? "null" : v->text.p);
		return;
	}
	buf_addc(out, brackets[kind]);
	for (const struct json_value *at = v->first; at; at = at->next) {
		if (at != v->first)
			buf_addc(out, ',');
		if (kind) {
			struct json_value key = { .type = JSON_STRING, .text = at->key };

			print(&key, out);
			buf_addc(out, ':');
		}
		print(at, out);
	}
	buf_addc(out, brackets[kind + 1]);
}

/* The text of a value by json-c; NULL: it refuses it. */
static char *by_json_c(struct str raw)
{
	struct json_tokener *tok = json_tokener_new_ex(JSON_TEXT_DEPTH);
	const char *why;
	size_t bad_at;
	struct json_object *o = json_text_parse(tok, raw.p, raw.len, &bad_at, &why);
	char *text = why ? NULL : strdup(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN));

	json_object_put(o);
	json_tokener_free(tok);
	return text;
}

static const char *const values[] = {
	"null",
	"true",
	"false",
	"0",
	"-12",
	"1.50",
	"2e3",
	"\"\"",
	"\"plain\"",
	"\"tab\\tquote\\\"slash\\/back\\\\\\b\\f\\n\\r\"",
	"\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\"",
	"\"\\ud83d\"",
	"\"\\ud83dx\"",
	"\"\\ud83d\\n\"",
	"\"\\ud83d\\u0041\"",
	"\"\\ud83d\\ud83d\\ude00\"",
	"\"\\ude00\\ud83d\"",
	"\"a\\u0000b\"",
	"\"\xC3\xA9\x01\"",
	"[]",
	"{}",
	" [ ] ",
	"[1,2,[3,[]],{\"a\":{}}]",
	"[\"a\" , true ,null]",
	"{\"a\":1,\"b\":\"x\\ny\",\"c\":[{\"d\":null}]}",
	"{ \"k\\u0065y\" : 1 , \"\" : \"\" }",
	"{\"a\":1,}",
	"[1,]",
	"{\"functionName\":\"\",\"scriptId\":\"0\",\"url\":\"\",\"lineNumber\":-1,\"columnNumber\":-1}",
};

START_TEST(values_are_those_of_json_c)
{
	struct json_tree tree = { 0 };
	struct str raw = str_of(values[_i]);
	char *expected = by_json_c(raw);
	struct buf out = { 0 };
	const struct json_value *v;
	const char *why;
	size_t bad_at;

	ck_assert_ptr_nonnull(expected);
	v = json_tree_parse(&tree, raw, &bad_at, &why);
	ck_assert_msg(v != NULL, "%s at %zu", why, bad_at);
	print(v, &out);
	ck_assert_str_eq(buf_text(&out), expected);
	free(expected);
	buf_done(&out);
	json_tree_done(&tree);
}
END_TEST

static const struct {
	const char *text, *why;
	size_t at;
} bad[] = {
	{ "", "unexpected end of data", 0 },
	{ "[", "unexpected end of data", 1 },
	{ "[1", "unexpected end of data", 2 },
	{ "{\"a\"", "unexpected end of data", 4 },
	{ "{\"a\" 1}", "expected ':' after a key", 5 },
	{ "{\"a\":1 \"b\":2}", "expected ',' or '}' in an object", 7 },
	{ "{a:1}", "expected a key in quotes", 1 },
	{ "[1 2]", "expected ',' or ']' in an array", 3 },
	{ "[,]", NULL, 0 },
	{ "\"\\x\"", "invalid string sequence", 0 },
	{ "[\"\\u12g4\"]", "invalid string sequence", 1 },
	{ "{\"\\q\":1}", "invalid string sequence", 1 },
	{ "\"abc", "unexpected end of data", 4 },
	{ "tru", "not a JSON value", 0 },
	{ "01", "not a JSON value", 0 },
};

START_TEST(what_is_not_json_is_refused_where_it_is_wrong)
{
	struct json_tree tree = { 0 };
	struct str raw = str_of(bad[_i].text);
	char *theirs = by_json_c(raw);
	const char *why;
	size_t bad_at;

	ck_assert_ptr_null(json_tree_parse(&tree, raw, &bad_at, &why));
	ck_assert_ptr_nonnull(why);
	if (bad[_i].why) {
		ck_assert_str_eq(why, bad[_i].why);
		ck_assert_uint_eq(bad_at, bad[_i].at);
	}
	/* json-c, when it is not strict, takes a leading zero. */
	ck_assert(!theirs || strcmp(bad[_i].text, "01") == 0);
	free(theirs);
	json_tree_done(&tree);
}
END_TEST

START_TEST(nesting_ends_at_the_same_depth_as_that_of_json_c)
{
	struct json_tree tree = { 0 };
	char text[2 * JSON_TREE_DEPTH + 3];
	const char *why;
	size_t bad_at;

	for (size_t depth = JSON_TREE_DEPTH - 2; depth <= JSON_TREE_DEPTH + 1; depth++) {
		struct str raw = { text, 2 * depth };
		char *theirs;
		bool ok;

		memset(text, '[', depth);
		memset(text + depth, ']', depth);
		theirs = by_json_c(raw);
		ok = json_tree_parse(&tree, raw, &bad_at, &why) != NULL;
		ck_assert_msg(ok == (theirs != NULL), "at depth %zu", depth);
		free(theirs);
	}
	json_tree_done(&tree);
}
END_TEST

START_TEST(members_are_found_by_their_decoded_name_and_the_last_counts)
{
	static const char text[] = "{\"a\":\"x\",\"\\u0061\":12,\"s\":\"7.9\",\"d\":-1.5e1,\"big\":"
				   "99999999999999999999,\"t\":true,\"no\":\"7x\",\"o\":{\"a\":1}}";
	struct json_tree tree = { 0 };
	const struct json_value *v;
	const char *p, *why;
	size_t len, bad_at;
	int64_t n;

	v = json_tree_parse(&tree, str_of(text), &bad_at, &why);
	ck_assert_ptr_nonnull(v);
	ck_assert(json_tree_text(v, "a", &p, &len));
	ck_assert_str_eq(p, "12");
	ck_assert_uint_eq(len, 2);
	ck_assert(json_tree_integer(v, "a", &n) && n == 12);
	ck_assert(json_tree_integer(v, "s", &n) && n == 7);
	ck_assert(json_tree_integer(v, "d", &n) && n == -15);
	ck_assert(json_tree_integer(v, "big", &n) && n == INT64_MAX);
	ck_assert(!json_tree_integer(v, "t", &n));
	ck_assert(!json_tree_integer(v, "no", &n));
	ck_assert(!json_tree_integer(v, "absent", &n));
	ck_assert(!json_tree_text(v, "t", &p, &len));
	ck_assert_str_eq(p, "");
	ck_assert_uint_eq(len, 0);
	ck_assert(json_tree_integer(json_tree_member(v, "o", JSON_OBJECT), "a", &n) && n == 1);
	ck_assert_ptr_null(json_tree_member(v, "o", JSON_ARRAY));
	ck_assert_ptr_null(json_tree_find(NULL, "a"));
	json_tree_done(&tree);
}
END_TEST

/* They are texts of a page, which may hold anything. */
START_TEST(signs_in_strings_take_no_room_for_values)
{
	static const char part[] = ",[{\\\",";
	struct json_tree tree = { 0 };
	const struct json_value *v;
	struct buf text = { 0 };
	const char *why;
	size_t bad_at;

	buf_adds(&text, "{\"a\":\"");
	for (int i = 0; i < 1000; i++)
		buf_adds(&text, part);
	buf_adds(&text, "\",\"b\":[1,2]}");
	v = json_tree_parse(&tree, (struct str){ buf_text(&text), text.len }, &bad_at, &why);
	ck_assert_ptr_nonnull(v);
	ck_assert_uint_eq(json_tree_find(v, "a")->text.len, 5000);
	ck_assert_str_eq(json_tree_find(v, "b")->first->next->text.p, "2");
	ck_assert_uint_lt(tree.cap, 100);
	buf_done(&text);
	json_tree_done(&tree);
}
END_TEST

START_TEST(a_tree_is_used_for_one_text_after_the_other)
{
	struct json_tree tree = { 0 };
	const char *why;
	size_t bad_at;
	struct buf text = { 0 };

	for (int n = 1; n < 200; n++) {
		const struct json_value *v;
		int found = 0;

		buf_clear(&text);
		for (int i = 0; i < n; i++)
			buf_addf(&text, "%s\"value\\u0020%d\"", i ? "," : "[", i);
		buf_adds(&text, "]");
		v = json_tree_parse(&tree, (struct str){ buf_text(&text), text.len }, &bad_at,
				    &why);
		ck_assert_ptr_nonnull(v);
		for (v = v->first; v; v = v->next)
			ck_assert_int_eq(atoi(v->text.p + strlen("value ")), found++);
		ck_assert_int_eq(found, n);
	}
	buf_done(&text);
	json_tree_done(&tree);
}
END_TEST

START_TEST(a_string_is_appended_decoded_or_not_at_all)
{
	struct buf out = { 0 };

	ck_assert(json_tree_decode("\"\"", 2, &out));
	ck_assert_str_eq(buf_text(&out), "");
	ck_assert(json_tree_decode("\"a\\u00e9\"", 9, &out));
	ck_assert_str_eq(buf_text(&out), "a\xC3\xA9");
	ck_assert(!json_tree_decode("\"b\\y\"", 5, &out));
	ck_assert_str_eq(buf_text(&out), "a\xC3\xA9");
	ck_assert(json_tree_decode("\"\\n\"", 4, &out));
	ck_assert_str_eq(buf_text(&out), "a\xC3\xA9\n");
	ck_assert_uint_eq(out.len, 4);
	buf_done(&out);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "tree", SUITE_SECONDS);

	tcase_add_loop_test(t, values_are_those_of_json_c, 0,
			    (int)(sizeof values / sizeof *values));
	tcase_add_loop_test(t, what_is_not_json_is_refused_where_it_is_wrong, 0,
			    (int)(sizeof bad / sizeof *bad));
	tcase_add_test(t, nesting_ends_at_the_same_depth_as_that_of_json_c);
	tcase_add_test(t, members_are_found_by_their_decoded_name_and_the_last_counts);
	tcase_add_test(t, signs_in_strings_take_no_room_for_values);
	tcase_add_test(t, a_tree_is_used_for_one_text_after_the_other);
	tcase_add_test(t, a_string_is_appended_decoded_or_not_at_all);
}

int main(void)
{
	return suite_run("json_tree", add_tests);
}
