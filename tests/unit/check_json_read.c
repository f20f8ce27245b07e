/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of documents: what is usable, what is passed over, what ends the reading. */
#include "config.h"

#include "base/json/json_read.h"

#include "suite.h"

#include <string.h>

struct document {
	struct scan s;
	struct error err;
	struct intern texts;
};

static void open_document(struct document *d, const char *text)
{
	memset(d, 0, sizeof *d);
	d->err = (struct error)ERROR_INIT;
	intern_init(&d->texts);
	scan_over(&d->s, text, strlen(text), 0, &d->err);
}

/* All of the document was passed, without an error. */
static void close_document(struct document *d)
{
	ck_assert_int_eq(scan_peek(&d->s), ';');
	ck_assert_int_eq(d->err.kind, ERR_NONE);
	scan_done(&d->s);
	intern_done(&d->texts);
}

static const struct text_case {
	const char *json, *text;
} text_cases[] = {
	{ "\"plain\";", "plain" },
	{ "\"a\\u0041\\n\\\"b\";", "aA\n\"b" },
	{ "\"\";", "" },
	{ "\"bad \\q escape\";", "" },
	{ "12 ;", "" },
	{ "null ;", "" },
	{ "{ \"a\": [ \"b\" ] };", "" },
};

START_TEST(text_of_strings_only)
{
	const struct text_case *c = &text_cases[_i];
	struct document d;
	str_id id = 99;

	open_document(&d, c->json);
	ck_assert(json_read_text(&d.s, &d.texts, &id));
	ck_assert_str_eq(intern_text(&d.texts, id), c->text);
	close_document(&d);
}
END_TEST

static const struct number_case {
	const char *json;
	int64_t index, position, limited; /* limited: times 10, at most 1000; -1: not usable */
} number_cases[] = {
	{ "0 ;", 0, 0, 0 },
	{ "7 ;", 7, 7, 70 },
	{ "\"7\";", 7, 7, 70 },
	{ "100 ;", 100, 100, 1000 },
	{ "101 ;", 101, 101, -1 },
	{ "7.5 ;", JSON_INDEX_BAD, 8, 75 },
	{ "-3 ;", JSON_INDEX_BAD, 0, -30 },
	{ "-101 ;", JSON_INDEX_BAD, 0, -1 },
	{ "1e99 ;", JSON_INDEX_BAD, 0, -1 },
	{ "null ;", JSON_INDEX_BAD, 0, -1 },
	{ "\"x\";", JSON_INDEX_BAD, 0, -1 },
	{ "[1, 2];", JSON_INDEX_BAD, 0, -1 },
};

START_TEST(numbers_within_their_range)
{
	const struct number_case *c = &number_cases[_i];
	struct json_read_number number;
	struct document d;
	int64_t value;

	open_document(&d, c->json);
	ck_assert(json_read_index(&d.s, &value));
	ck_assert_int_eq(value, c->index);
	close_document(&d);
	open_document(&d, c->json);
	ck_assert(json_read_position(&d.s, &value));
	ck_assert_int_eq(value, c->position);
	close_document(&d);
	open_document(&d, c->json);
	ck_assert(json_read_number(&d.s, 1, 1000, &number));
	ck_assert_int_eq(number.is_usable, c->limited != -1);
	ck_assert_int_eq(number.value, number.is_usable ? c->limited : 0);
	ck_assert_int_eq(number.is_text, strcmp(c->json, "\"7\";") == 0);
	close_document(&d);
}
END_TEST

struct visits {
	struct scan *s;
	size_t n, stop_at;
	char keys[64];
};

static bool visit_element(void *ctx)
{
	struct visits *v = ctx;

	if (v->n == v->stop_at)
		return error_set(v->s->err, ERR_SYNTAX, scan_offset(v->s), "no more");
	v->n++;
	return scan_skip(v->s);
}

static bool visit_member(void *ctx, struct str key)
{
	struct visits *v = ctx;

	strncat(v->keys, key.p, key.len);
	return visit_element(ctx);
}

START_TEST(each_member_and_element_once)
{
	struct document d;
	struct visits v = { &d.s, 0, 99, "" };

	open_document(&d, "[1, {}, [2, 3], \"4\",];");
	ck_assert(json_read_list(&d.s, visit_element, &v));
	ck_assert_uint_eq(v.n, 4);
	close_document(&d);
	open_document(&d, "{ \"a\": 1, \"\\u0062\": { \"x\": 2 }, \"a\": [] };");
	v.n = 0;
	ck_assert(json_read_object(&d.s, visit_member, &v));
	ck_assert_uint_eq(v.n, 3);
	ck_assert_str_eq(v.keys, "aba");
	close_document(&d);
}
END_TEST

START_TEST(other_values_are_skipped)
{
	static const char *const values[] = { "{\"a\": 1};", "[1];", "3 ;", "null ;", "\"x\";" };
	struct document d;
	struct visits v = { &d.s, 0, 99, "" };

	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		open_document(&d, values[i]);
		if (i != 0)
			ck_assert(json_read_object(&d.s, visit_member, &v));
		else
			ck_assert(json_read_list(&d.s, visit_element, &v));
		close_document(&d);
	}
	ck_assert_uint_eq(v.n, 0);
}
END_TEST

START_TEST(failure_of_a_callback_ends_the_reading)
{
	struct document d;
	struct visits v = { &d.s, 0, 2, "" };

	open_document(&d, "[1, 2, 3, 4];");
	ck_assert(!json_read_list(&d.s, visit_element, &v));
	ck_assert_uint_eq(v.n, 2);
	ck_assert_int_eq(d.err.kind, ERR_SYNTAX);
	scan_done(&d.s);
	intern_done(&d.texts);
	v.n = 0;
	open_document(&d, "{\"a\": 1, \"b\": 2, \"c\": 3};");
	ck_assert(!json_read_object(&d.s, visit_member, &v));
	ck_assert_uint_eq(v.n, 2);
	scan_done(&d.s);
	intern_done(&d.texts);
}
END_TEST

struct function {
	int64_t before;
	str_id name;
	int64_t parent, line;
	int64_t behind;
};

static const struct json_field function_fields[] = {
	{ "name", JSON_FIELD_TEXT, offsetof(struct function, name) },
	{ "parentId", JSON_FIELD_INDEX, offsetof(struct function, parent) },
	{ "line", JSON_FIELD_POSITION, offsetof(struct function, line) },
};

static const struct fields_case {
	const char *json, *name;
	int64_t parent, line;
} fields_cases[] = {
	{ "{\"name\":\"f\",\"parentId\":3,\"line\":5};", "f", 3, 5 },
	{ "{ \"line\": 5, \"other\": { \"name\": \"no\" }, \"name\": \"f\" };", "f",
	  JSON_INDEX_ABSENT, 5 },
	{ "{\"name\":\"f\",\"name\":\"g\",\"parentId\":-1};", "g", JSON_INDEX_BAD, 0 },
	{ "{\"nam\":\"f\",\"names\":\"g\",\"parentid\":1};", "", JSON_INDEX_ABSENT, 0 },
	{ "{};", "", JSON_INDEX_ABSENT, 0 },
	{ "[{\"name\":\"f\"}];", "", JSON_INDEX_ABSENT, 0 },
};

START_TEST(members_go_where_the_table_says)
{
	const struct fields_case *c = &fields_cases[_i];
	struct function f = { .before = 11, .parent = JSON_INDEX_ABSENT, .behind = 22 };
	struct document d;

	open_document(&d, c->json);
	ck_assert(
		json_read_fields(&d.s, function_fields, ARRAY_LEN(function_fields), &d.texts, &f));
	ck_assert_str_eq(intern_text(&d.texts, f.name), c->name);
	ck_assert_int_eq(f.parent, c->parent);
	ck_assert_int_eq(f.line, c->line);
	ck_assert_int_eq(f.before, 11);
	ck_assert_int_eq(f.behind, 22);
	close_document(&d);
}
END_TEST

START_TEST(cut_documents_fail_at_every_byte)
{
	static const char json[] = "{\"name\":\"f\\n\",\"x\":[1,{}],\"parentId\":3,\"line\":5}";
	struct function f;

	for (size_t len = 0; len + 1 < sizeof json; len++) {
		struct document d;

		memset(&d, 0, sizeof d);
		d.err = (struct error)ERROR_INIT;
		intern_init(&d.texts);
		scan_over(&d.s, json, len, 0, &d.err);
		ck_assert(!json_read_fields(&d.s, function_fields, ARRAY_LEN(function_fields),
					    &d.texts, &f));
		ck_assert_int_eq(d.err.kind, ERR_SYNTAX);
		ck_assert(d.s.is_cut);
		scan_done(&d.s);
		intern_done(&d.texts);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "values", SUITE_SECONDS);

	tcase_add_loop_test(t, text_of_strings_only, 0, N(text_cases));
	tcase_add_loop_test(t, numbers_within_their_range, 0, N(number_cases));
	tcase_add_test(t, each_member_and_element_once);
	tcase_add_test(t, other_values_are_skipped);
	tcase_add_test(t, failure_of_a_callback_ends_the_reading);
	tcase_add_loop_test(t, members_go_where_the_table_says, 0, N(fields_cases));
	tcase_add_test(t, cut_documents_fail_at_every_byte);
}

int main(void)
{
	return suite_run("json_read", add_tests);
}
