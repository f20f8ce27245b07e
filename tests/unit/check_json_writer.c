/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "suite.h"

#include "base/json/json_writer.h"

#include <check.h>

START_TEST(nesting)
{
	struct buf out = { 0 };
	struct json_writer w = { .out = &out };
	struct json_item two = json_boolean("two", false);

	two.key_end = "_parts";
	json_put(&w, json_begin(NULL, "{"), json_begin("none", "["), json_end("]"),
		 json_begin("list", "["), json_integer(NULL, 1), json_begin(NULL, "{"),
		 json_begin("deep", "["), json_end("]}"), json_boolean(NULL, true), json_end("]"));
	json_put(&w, two, json_if(true, json_boolean("is", true)),
		 json_if(false, json_boolean("no", true)));
	json_put(&w, json_raw("last", "null"), json_end("}\n"));
	ck_assert_str_eq(buf_text(&out),
			 "{\"none\":[],\"list\":[1,{\"deep\":[]},true],"
			 "\"two_parts\":false,\"is\":true,\"last\":null}\n");
	buf_done(&out);
}
END_TEST

START_TEST(blanks_and_lines)
{
	struct buf out = { 0 };
	struct json_writer w = { .out = &out, .has_blanks = true };

	json_put(&w, json_begin(NULL, "{"), json_integer("a", 1), json_line(1),
		 json_begin("b", "["));
	for (int i = 0; i < 2; i++) {
		json_put(&w, json_line(2), json_begin(NULL, "["), json_integer(NULL, i),
			 json_integer(NULL, i), json_end("]"));
	}
	json_put(&w, json_end("\n ]"), json_integer("c", 2), json_end("}"));
	ck_assert_str_eq(buf_text(&out),
			 "{\"a\": 1,\n \"b\": [\n  [0, 0],\n  [1, 1]\n ], \"c\": 2}");
	buf_done(&out);
}
END_TEST

START_TEST(texts)
{
	static const char text[] = "a\"\\\n\t\001\377\303\251";
	struct buf out = { 0 };
	struct json_writer w = { .out = &out };

	json_put(&w, json_begin(NULL, "["), json_text(NULL, text, sizeof text - 1),
		 json_text(NULL, "abc", 2), json_string(NULL, ""), json_string(NULL, NULL),
		 json_end("]"));
	ck_assert_str_eq(buf_text(&out),
			 "[\"a\\\"\\\\\\n\\t\\u0001\357\277\275\303\251\",\"ab\",\"\",null]");
	buf_done(&out);
}
END_TEST

START_TEST(numbers)
{
	static const int64_t ns[] = { 0, 1, 999, -1, 1000, 1050, -1050, -2000, INT64_MIN };
	struct buf out = { 0 };
	struct json_writer w = { .out = &out };

	for (size_t i = 0; i < sizeof ns / sizeof *ns; i++)
		json_put(&w, json_us(NULL, ns[i]));
	ck_assert_str_eq(buf_text(&out),
			 "0,0.001,0.999,-0.001,1,1.050,-1.050,-2,"
			 "-9223372036854775.808");
	buf_clear(&out);
	json_put(&w, json_integer(NULL, INT64_MIN), json_integer(NULL, INT64_MAX),
		 json_known(NULL, -1, true), json_known(NULL, -1, false),
		 json_number(NULL, 0.1, 17), json_number(NULL, 1e12, 9),
		 json_decimals(NULL, 0.5, 6));
	ck_assert_str_eq(buf_text(&out),
			 ",-9223372036854775808,9223372036854775807,-1,null,"
			 "0.10000000000000001,1e+12,0.500000");
	buf_done(&out);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", 10);

	tcase_add_test(t, nesting);
	tcase_add_test(t, blanks_and_lines);
	tcase_add_test(t, texts);
	tcase_add_test(t, numbers);
}

int main(void)
{
	return suite_run("json_writer", add_tests);
}
