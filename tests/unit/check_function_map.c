/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions that source maps state, in all forms. The texts are those that other programs write
 * for one source: sourcemap-codec (originalScopes), the tests of DevTools
 * (x_com_bloomberg_sourcesFunctionMappings), Metro (x_facebook_sources). */
#include "config.h"

#include "base/json/cursor.h"
#include "source/source_map.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

/* (function () {            0:1 (anonymous)
 *   function log(m) { ... } 1:2 to 3:3, with a block from 1:18
 *   function main() { ... } 5:2 to 8:3
 *   main();
 * })();                     11 */
static const char *const forms[] = {
	"\"scopes\":\",BAAA,BEAB,BFBCE,BAAQ,CCD,CAA,BFCCC,CDD,CDB,CAE,EAA,FAA\"",
	"\"originalScopes\":[null,\"AAIA,ACKA,CEKCE,AkBMA,EG,AG,EEKCG,GG,GC,AK\"]",
	"\"x_com_bloomberg_sourcesFunctionMappings\":[\"\",\"AAAWK,CACAJ,CCCRE,CIAKA\"]",
	/* clang-format off */
	"\"x_facebook_sources\":[null,[{\"names\":[\"<global>\",\"<anonymous>\",\"log\",\"main\"],\"mappings\":\"AAA,CC;ECC;GDE;EEE;GFG;CDG\"}]]",
	/* clang-format on */
};

static struct source_map *read_map(const char *functions, char **bytes)
{
	struct error err = ERROR_INIT;
	struct buf text = { 0 };
	struct source_map *map;

	buf_addf(&text,
		 "{\"version\":3,\"sources\":[\"no.js\",\"a.js\"],\"mappings\":\"\",%s,"
		 "\"names\":[\"<toplevel>\",\"<anonymous>\",\"log\",\"main\",\"global\","
		 "\"function\",\"block\"]}",
		 functions);
	*bytes = calloc(text.len + CURSOR_PAD, 1);
	ck_assert_ptr_nonnull(*bytes);
	memcpy(*bytes, text.data, text.len);
	map = source_map_read((struct str){ *bytes, text.len }, &err);
	ck_assert_msg(map != NULL, "%s", err.text);
	buf_done(&text);
	return map;
}

static void check_function(struct source_map *map, uint32_t source, uint32_t line, uint32_t column,
			   const char *expect)
{
	const struct source_place place = { source, line, column, MAPPING_NONE };
	struct buf name = { 0 };

	ck_assert_int_eq(source_map_function(map, &place, &name), *expect != '\0');
	ck_assert_msg(strcmp(buf_text(&name), expect) == 0, "%u:%u: %s", (unsigned)line,
		      (unsigned)column, buf_text(&name));
	buf_done(&name);
}

START_TEST(innermost_function_counts)
{
	char *bytes;
	struct source_map *map = read_map(forms[_i], &bytes);

	check_function(map, 1, 0, 0, "");
	check_function(map, 1, 0, 1, "(anonymous)");
	check_function(map, 1, 1, 1, "(anonymous)");
	check_function(map, 1, 1, 2, "log");
	check_function(map, 1, 1, 14, "log");
	check_function(map, 1, 2, 5, "log");
	check_function(map, 1, 3, 2, "log");
	check_function(map, 1, 3, 3, "(anonymous)");
	check_function(map, 1, 5, 2, "main");
	check_function(map, 1, 7, 9, "main");
	check_function(map, 1, 10, 2, "(anonymous)");
	check_function(map, 1, 11, 3, "");
	check_function(map, 1, 99, 0, "");
	/* The other source has none. */
	check_function(map, 0, 1, 2, "");
	check_function(map, 2, 1, 2, "");
	source_map_free(map);
	free(bytes);
}
END_TEST

/* Broken texts end where they are broken; names that do not exist are none. */
static const char *const broken[] = {
	"\"scopes\":\"BAAA,,,!\"",
	"\"scopes\":\"CAA,CAA,BAgggggggggC,B\"",
	"\"scopes\":[]",
	"\"originalScopes\":[1,\"AA\"]",
	"\"originalScopes\":[1,\"AAK\"]",
	"\"originalScopes\":\"AA\"",
	"\"x_com_bloomberg_sourcesFunctionMappings\":[[],\"AA\"]",
	"\"x_com_bloomberg_sourcesFunctionMappings\":[[]",
	"\"x_facebook_sources\":[[],[]]",
	"\"x_facebook_sources\":[[],[{\"names\":3,\"mappings\":\"A;;;;!\"}]]",
};

START_TEST(broken_texts_state_nothing)
{
	struct buf functions = { 0 };
	struct source_map *map;
	char *bytes;

	buf_adds(&functions, broken[_i]);
	if (_i == 7)
		buf_adds(&functions, "]");
	map = read_map(buf_text(&functions), &bytes);
	for (uint32_t source = 0; source < 3; source++)
		check_function(map, source, 5, 5, "");
	source_map_free(map);
	free(bytes);
	buf_done(&functions);
}
END_TEST

START_TEST(function_without_a_name_is_anonymous)
{
	char *bytes;
	struct source_map *map = read_map(
		"\"x_com_bloomberg_sourcesFunctionMappings\":[\"yBAAUA\"]", &bytes);

	check_function(map, 0, 5, 0, "(anonymous)");
	source_map_free(map);
	free(bytes);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "function map", SUITE_SECONDS);

	tcase_add_loop_test(t, innermost_function_counts, 0, N(forms));
	tcase_add_loop_test(t, broken_texts_state_nothing, 0, N(broken));
	tcase_add_test(t, function_without_a_name_is_anonymous);
}

int main(void)
{
	return suite_run("function_map", add_tests);
}
