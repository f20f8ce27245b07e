/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Category and package of functions: one row for each test of the table. */
#include "config.h"

#include "suite.h"

#include "base/alloc.h"
#include "model/frame.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const struct category_case {
	const char *name, *url;
	bool has_script;
	const char *category, *package;
} cases[] = {
	{ "(idle)", "", false, "idle", "" },
	{ "(program)", "", false, "program", "" },
	{ "(garbage collector)", "", false, "garbage collector", "" },
	{ "(program)", "file:///srv/app.js", true, "app", "" },
	{ "(idle)", "/srv/app.js", true, "app", "" },
	{ "RegExp: (a|b)c", "", false, "regexp", "" },
	{ "x", "native V8Runtime", false, "native", "" },
	{ "readFileUtf8", "", false, "native", "" },
	{ "f", "", true, "eval", "" },
	{ "f", "evalmachine.<anonymous>", true, "eval", "" },
	{ "f", "[eval]", true, "eval", "" },
	{ "f", "[eval1]", true, "eval", "" },
	{ "f", "[worker eval]", true, "eval", "" },
	{ "f", "node:fs", true, "node", "node:fs" },
	{ "f", "node:internal/timers", true, "node", "node:internal" },
	{ "f", "internal/timers.js", true, "node", "node:internal" },
	{ "f", "internal/poll/fd_poll_runtime.go", true, "app", "" },
	{ "f", "events.js", true, "app", "" },
	{ "f", "index.js", true, "app", "" },
	{ "f", "node:a_name_of_sixty_characters_or_more_is_cut_to_58_characters_in_a_package", true,
	  "node", "node:a_name_of_sixty_characters_or_more_is_cut_to_58_characters" },
	{ "f", "ext:core/01_core.js", true, "runtime", "" },
	{ "f", "bun:main", true, "runtime", "" },
	{ "f", "[native code]", true, "runtime", "" },
	{ "f", "wasm://wasm/1234", true, "wasm", "" },
	{ "wasm-function[0]", "", true, "wasm", "" },
	{ "f", "chrome-extension://abc/x.js", true, "extension", "" },
	{ "(layout)", "", false, "rendering", "" },
	{ "(layout)", "file:///x.js", false, "app", "" },
	{ "(gc)", "", false, "garbage collector", "" },
	{ "f", "webpack/runtime/chunk", true, "bundler", "" },
	{ "f", "webpack:///webpack/bootstrap", true, "bundler", "" },
	{ "f", "webpack://shop/webpack/bootstrap", true, "bundler", "" },
	{ "f", "webpack://shop/webpack/bootstrap 3f2a", true, "bundler", "" },
	{ "f", "webpack://@scope/shop/webpack/runtime/define property getters", true, "bundler",
	  "" },
	{ "f", "webpack://shop/webpack/universalModuleDefinition", true, "bundler", "" },
	{ "f", "webpack://shop/webpack/config.js", true, "app", "" },
	{ "f", "webpack://shop/webpack/bootstrapper.js", true, "app", "" },
	{ "f", "webpack://shop/src/webpack/runtime/a.js", true, "app", "" },
	{ "f", "webpack://shop/node_modules/lodash/a.js", true, "dependency", "lodash" },
	{ "f", "file:///srv/app.js", true, "app", "" },
	{ "f", "https://shop.example/app.js", true, "app", "" },
	{ "f", "file:///srv/my_node_modules/x.js", true, "app", "" },
	{ "f", "file:///srv/node_modules/express/lib/router/index.js", true, "dependency",
	  "express" },
	{ "f", "file:///srv/node_modules/a/node_modules/@scope/b/x.js", true, "dependency",
	  "@scope/b" },
	{ "f", "file:///srv/node_modules/.pnpm/koa@2.15.0/node_modules/koa/lib/application.js",
	  true, "dependency", "koa" },
	{ "f", "/srv/node_modules/.pnpm/x.js", true, "dependency", "" },
	{ "f", "/srv/node_modules/.store/x.js", true, "dependency", "" },
	{ "f", "node:a_name_of_66_characters_is_cut_to_58_characters_in_a_package_name", true,
	  "node", "node:a_name_of_66_characters_is_cut_to_58_characters_in_a_packa" },
	{ "f", "C:\\srv\\node_modules\\pg\\lib\\client.js", true, "dependency", "pg" },
	{ "f", "C:\\srv\\node_modules\\@a\\b\\client.js", true, "dependency", "@a/b" },
	{ "f", "webpack-internal:///./node_modules/react/index.js", true, "dependency", "react" },
	{ "f", "file:///srv/.yarn/cache/got-npm-12.0.0-1a.zip/node_modules/got/dist/index.js", true,
	  "dependency", "got" },
	{ "f", "node_modules/x/y.js", true, "dependency", "x" },
	{ "f", "/srv/node_modules/%40scope/b/x.js", true, "dependency", "@scope/b" },
	{ "f", "/srv/node_modules/.cache/x.js", true, "dependency", "" },
	{ "f", "/srv/node_modules/", true, "dependency", "" },
	{ "f", "file:///cache/npm/registry.npmjs.org/chalk/5.3.0/index.js", true, "dependency",
	  "chalk" },
};

/* In a profile of a Node.js that wrote no `node:`. */
static const struct category_case old_cases[] = {
	{ "f", "internal/timers.js", true, "node", "node:internal" },
	{ "f", "events.js", true, "node", "node:events" },
	{ "f", "zlib.js", true, "node", "node:zlib" },
	{ "f", "_debug_agent.js", true, "node", "node:_debug_agent" },
	{ "f", "index.js", true, "app", "" },
	{ "f", "fs", true, "app", "" },
	{ "f", ".js", true, "app", "" },
	{ "f", "lib/events.js", true, "app", "" },
	{ "f", "file:///srv/events.js", true, "app", "" },
};

static void check_case(const struct category_case *c, bool is_old_node)
{
	const struct category_facts facts = { c->name, c->url, c->has_script, is_old_node };
	struct intern strings;
	str_id package;
	enum category is;

	intern_init(&strings);
	is = category_of(&strings, &facts, &package);
	ck_assert_msg(strcmp(category_name(is), c->category) == 0, "%s %s: %s, expected %s",
		      c->name, c->url, category_name(is), c->category);
	ck_assert_msg(strcmp(intern_text(&strings, package), c->package) == 0,
		      "%s: package \"%s\", expected \"%s\"", c->url, intern_text(&strings, package),
		      c->package);
	intern_done(&strings);
}

START_TEST(category)
{
	check_case(&cases[_i], false);
}
END_TEST

START_TEST(only_an_old_node_has_builtins_without_scheme)
{
	check_case(&old_cases[_i], true);
}
END_TEST

START_TEST(every_category_has_a_name)
{
	ck_assert_msg(category_name((enum category)_i) != NULL, "category %d", _i);
	for (int i = 0; i < _i; i++)
		ck_assert_str_ne(category_name((enum category)i), category_name((enum category)_i));
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "category", SUITE_SECONDS);

	tcase_add_loop_test(t, category, 0, N(cases));
	tcase_add_loop_test(t, only_an_old_node_has_builtins_without_scheme, 0, N(old_cases));
	tcase_add_loop_test(t, every_category_has_a_name, 0, CATEGORY_COUNT);
}

int main(void)
{
	return suite_run("category", add_tests);
}
