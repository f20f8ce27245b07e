/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells of text: quoted where RFC 4180 wants it, without controls, and never a formula. */
#include "config.h"

#include "base/str.h"
#include "write/report/report.h"
#include "write/report/report_table.h"

#include "suite.h"

#include <string.h>

#define CELLS(X) X(WORDS, REPORT_CSV, "cell", "", 0, 0, .text = row->p, .len = row->len)

REPORT_TABLE(cell_table, CELLS, struct str, .title = NULL)

/* The only cell of a row, without the end of the line. */
static char *cell_of(const char *text, size_t len, bool is_raw)
{
	const struct report_options options = { .is_raw_csv = is_raw };
	struct buf csv = { 0 };
	struct report_out out = { .options = &options, .csv = &csv, .rows_max = 1 };
	char *cell;

	report_table_use(&out, &cell_table);
	ck_assert(report_table_row(&out, &(struct str){ text, len }));
	ck_assert_str_eq(buf_text(&csv) + csv.len - 2, "\r\n");
	cell = xstrndup(buf_text(&csv), csv.len - 2);
	buf_done(&csv);
	return cell;
}

static const struct cell_case {
	const char *text, *expect;
} cells[] = {
	{ "", "" },
	{ "plain text; 'quoted'", "plain text; 'quoted'" },
	{ "a,b", "\"a,b\"" },
	{ "\"", "\"\"\"\"" },
	{ "a \"b\" \"c", "\"a \"\"b\"\" \"\"c\"" },
	{ "two\r\nlines\t\033[31m\177", "two^M^Jlines^I^[[31m^?" },
	{ "\302\233\342\200\256x\377", "<9B><202E>x\357\277\275" },
};

START_TEST(cells_are_quoted_and_visible)
{
	const struct cell_case *c = &cells[_i];
	char *raw = cell_of(c->text, strlen(c->text), true),
	     *guarded = cell_of(c->text, strlen(c->text), false);

	ck_assert_str_eq(raw, c->expect);
	ck_assert_str_eq(guarded, c->expect);
	free(raw);
	free(guarded);
}
END_TEST

static const struct cell_case formulas[] = {
	{ "=1+1", "'=1+1" },
	{ "+1", "'+1" },
	{ "-1", "'-1" },
	{ "-", "'-" },
	{ "@", "'@" },
	{ "@SUM(A1)", "'@SUM(A1)" },
	{ "=\"a\",1", "\"'=\"\"a\"\",1\"" },
	/* A tabulator or a carriage return is visible, and the cell begins with ^. */
	{ "\t=1", "^I=1" },
	{ "\r=1", "^M=1" },
	/* An apostrophe of the text stays distinct from the one that is added. */
	{ "'=1", "''=1" },
	{ "''@a/b", "'''@a/b" },
	{ "'a", "'a" },
	{ "'", "'" },
	{ "1=1", "1=1" },
	{ " =1", " =1" },
};

START_TEST(formulas_get_an_apostrophe_unless_raw)
{
	const struct cell_case *c = &formulas[_i];
	char *raw = cell_of(c->text, strlen(c->text), true),
	     *guarded = cell_of(c->text, strlen(c->text), false);

	ck_assert_str_eq(guarded, c->expect);
	ck_assert(raw[0] == '"' || raw[0] == '^' || strcmp(raw, c->text) == 0);
	free(raw);
	free(guarded);
}
END_TEST

static const struct package_case {
	const char *text;
	bool is_package;
} packages[] = {
	{ "@scope/name", true },
	{ "@s/n", true },
	{ "@my-org.x_y/a-1.b_c", true },
	{ "@-/-", true },
	{ "@1/2", true },
	{ "@scope", false },
	{ "@scope/", false },
	{ "@/name", false },
	{ "@/", false },
	{ "@scope/name/file.js", false },
	{ "@scope//name", false },
	{ "@Scope/name", false },
	{ "@scope/Name", false },
	{ "@scope/.name", false },
	{ "@_scope/name", false },
	{ "@scope/name+1", false },
	{ "@scope/name(1)", false },
	{ "@scope/name ", false },
	{ "@scope/=name", false },
	{ "=scope/name", false },
};

START_TEST(names_of_packages_stay_as_they_are)
{
	const struct package_case *c = &packages[_i];
	char *cell = cell_of(c->text, strlen(c->text), false);

	ck_assert_str_eq(cell + !c->is_package, c->text);
	ck_assert_int_eq(cell[0] == '\'', !c->is_package);
	free(cell);
}
END_TEST

START_TEST(names_of_packages_have_214_characters_at_most)
{
	char name[216];
	char *cell;

	memset(name, 'a', sizeof name);
	memcpy(name, "@a/", 3);
	cell = cell_of(name, 214, false);
	ck_assert_uint_eq(strlen(cell), 214);
	free(cell);
	cell = cell_of(name, 215, false);
	ck_assert_uint_eq(strlen(cell), 216);
	free(cell);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "cells", SUITE_SECONDS);

	tcase_add_loop_test(t, cells_are_quoted_and_visible, 0, N(cells));
	tcase_add_loop_test(t, formulas_get_an_apostrophe_unless_raw, 0, N(formulas));
	tcase_add_loop_test(t, names_of_packages_stay_as_they_are, 0, N(packages));
	tcase_add_test(t, names_of_packages_have_214_characters_at_most);
}

int main(void)
{
	return suite_run("csv_cell", add_tests);
}
