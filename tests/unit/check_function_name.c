/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of functions from the texts of their sources. */
#include "config.h"

#include "source/function_name.h"
#include "suite.h"

#include <string.h>

/* @ is the position to which a source map leads. */
static const struct {
	const char *source, *name; /* NULL: no function; "": a function without a name */
} cases[] = {
	/* declarations */
	{ "function @foo(a) {}", "foo" },
	{ "@function foo(a) {}", "foo" },
	{ "function foo@(a) {}", "foo" },
	{ "export default @async function main(argv: string[]) {}", "main" },
	{ "@export default async function main() {}", "main" },
	{ "export function*@ walk<T extends object>(t: T) {}", "walk" },
	{ "function /* why */ fo@o(a) {}", "foo" },
	/* values */
	{ "const f = @function (a) {};", "f" },
	{ "const f = @function named(a) {};", "named" },
	{ "api.list = @function (req) {};", "api.list" },
	{ "this.a['b' + c] = @function () {};", "this.a.<computed>" },
	{ "const f = @(a, b) => a;", "f" },
	{ "const f = (@a) => a;", "f" },
	{ "const f = @a => a;", "f" },
	{ "const f = @async (a) => a;", "f" },
	{ "const f: (a: A) => B = @(a) => b;", "f" },
	{ "x = (@function () {});", "x" },
	{ "x ||= @() => 1;", "x" },
	{ "const uid = (@function () { return 1; }());", "" },
	{ "const uid = (@() => { return 1; })();", "" },
	{ "call(@function () {});", "" },
	{ "list.map(@(row) => row.id)", "" },
	{ "if (a == @function () {}) b;", "" },
	{ "// const f =\n@() => 1", "" },
	{ "const f = // why\n  @() => 1;", "f" },
	{ "const url = 'http://x', f = @() => 1;", "f" },
	/* properties and members */
	{ "x = { onClick: @(e) => e }", "onClick" },
	{ "x = { 'odd name': @function () {} }", "odd name" },
	{ "x = { on@Key(e) {} }", "onKey" },
	{ "x = a ? b : @() => 1", "" },
	{ "class A {\n  get @size(): number {} }", "get size" },
	{ "class A {\n  @get size() {} }", "get size" },
	{ "class A {\n  private async search@(text: string): Promise<Row[]> {} }", "search" },
	{ "class A {\n  static @of(n) {} }", "of" },
	{ "class A {\n  #p@(n) {} }", "#p" },
	{ "class A {\n  compare = @(a: Row, b: Row) => a.id - b.id;\n}", "compare" },
	{ "class Catalog extends B {\n  x = 1;\n  @constructor(a) {}\n}", "Catalog" },
	{ "const C = class {\n  constructor@(a) {}\n}", "C" },
	{ "export class @Catalog {}", "Catalog" },
	{ "@class Im { x = 1 }", "Im" },
	/* no function */
	{ "@import a from 'a';", NULL },
	{ "if @(a) {}", NULL },
	{ "@", NULL },
};

START_TEST(names_are_read)
{
	const char *at = strchr(cases[_i].source, '@');
	struct buf text = { 0 }, name = { 0 };
	enum function_name found;

	buf_add(&text, cases[_i].source, (size_t)(at - cases[_i].source));
	buf_adds(&text, at + 1);
	found = function_name_at((struct str){ buf_text(&text), text.len },
				 (size_t)(at - cases[_i].source), &name);
	if (!cases[_i].name)
		ck_assert_int_eq(found, FUNCTION_UNKNOWN);
	else
		ck_assert_msg(found == (*cases[_i].name ? FUNCTION_NAMED : FUNCTION_ANONYMOUS),
			      "%s: %d '%s'", cases[_i].source, found, buf_text(&name));
	if (cases[_i].name)
		ck_assert_str_eq(buf_text(&name), cases[_i].name);
	buf_done(&text);
	buf_done(&name);
}
END_TEST

/* Any bytes, at any place: the functions end, within the text. The text is in memory of its own
 * size, so that a sanitizer sees reads beyond it. */
START_TEST(any_text_is_read_within_its_ends)
{
	static const char bytes[] =
		"()[]{}<>=:;,.*/'\"`\\\n @#$?|ab functionclass async get=>//*constructor";
	uint32_t seed = (uint32_t)_i;

	for (int i = 0; i < 2000; i++) {
		size_t n = (size_t)(seed >> 8) % 200;
		char *text = xmalloc(n ? n : 1);
		struct buf name = { 0 };

		for (size_t k = 0; k < n; k++) {
			seed = seed * 1103515245u + 12345u;
			text[k] = bytes[(seed >> 8) % (sizeof(bytes) - 1)];
		}
		seed = seed * 1103515245u + 12345u;
		for (size_t at = 0; at <= n; at += 1 + (seed >> 8) % 7) {
			buf_clear(&name);
			function_name_at((struct str){ text, n }, at, &name);
			ck_assert_uint_le(name.len, n + 20);
		}
		buf_done(&name);
		free(text);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "names", SUITE_SECONDS);

	tcase_add_loop_test(t, names_are_read, 0, N(cases));
	tcase_add_loop_test(t, any_text_is_read_within_its_ends, 0, 10);
}

int main(void)
{
	return suite_run("function_name", add_tests);
}
