/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: what options take, what is refused and how, and that --help names each option
 * once. Words are those of this test, and the names that reports and exports give. */
#include "config.h"

#include "cli/options.c"

#include "write/export/export.h"
#include "write/report/report.h"

#include "suite.h"

#include <stdio.h>
#include <string.h>

static const char *fruit(unsigned i)
{
	static const char *const words[] = { "apple", "app", "pear" };

	return i < ARRAY_LEN(words) ? words[i] : NULL;
}

static const char *animal(unsigned i)
{
	return i == 0 ? "cat" : NULL;
}

static const struct option_words words[] = {
	{ "color", fruit }, { "format", animal }, { "format", fruit },
	{ "group", fruit }, { "sort", fruit },    { "table", fruit },
	{ "theme", fruit }, { "with", fruit },    { 0 },
};

#define MAX_ARGS 64

/* Parse `line`, which has blanks between its arguments and is changed. */
static bool parse(char *line, struct options *o, struct error *err)
{
	/* The options borrow from the arguments. */
	static char *argv[MAX_ARGS];
	char program[] = "flametty";
	int argc = 1;

	argv[0] = program;
	for (char *p = strtok(line, " "); p; p = strtok(NULL, " ")) {
		ck_assert_int_lt(argc, MAX_ARGS);
		argv[argc++] = p;
	}
	*err = (struct error)ERROR_INIT;
	return options_parse(o, words, argc, argv, err);
}

static const struct error_case {
	const char *line, *error;
} error_cases[] = {
	{ "", "no file given" },
	{ "report", "no file given" },
	{ "export --top=3", "no file given" },
	{ "--", "no file given" },
	{ "--nothing a", "no option '--nothing'" },
	{ "--forma=x a", "no option '--forma=x'" },
	{ "--formats=x a", "no option '--formats=x'" },
	{ "-x a", "no option '-x'" },
	{ "-hx a", "no option '-hx'" },
	{ "--force=yes a", "--force takes no value" },
	{ "a --from", "--from wants a value" },
	{ "a -o", "-o wants a value" },
	{ "--sort=ap a", "--sort wants apple, app or pear, not 'ap'" },
	{ "--sort= a", "--sort wants apple, app or pear, not ''" },
	{ "--sort=apple,pear a", "--sort wants apple, app or pear, not 'apple,pear'" },
	{ "--with=pear,plum a", "--with wants apple, app or pear, not 'pear,plum'" },
	{ "--with=,pear a", "--with wants apple, app or pear, not ',pear'" },
	{ "--top=0 a", "--top wants a number from 1 to 1000000, not '0'" },
	{ "--top=1000001 a", "--top wants a number from 1 to 1000000, not '1000001'" },
	{ "--top=3x a", "--top wants a number from 1 to 1000000, not '3x'" },
	{ "--top= a", "--top wants a number from 1 to 1000000, not ''" },
	{ "--render=80 a", "--render wants COLSxROWS, up to 1000x1000, not '80'" },
	{ "--render=80x24x a", "--render wants COLSxROWS, up to 1000x1000, not '80x24x'" },
	{ "--render=0x24 a", "--render wants COLSxROWS, up to 1000x1000, not '0x24'" },
	{ "--render=80x1001 a", "--render wants COLSxROWS, up to 1000x1000, not '80x1001'" },
};

START_TEST(errors)
{
	char line[256];
	struct options o;
	struct error err;

	strcpy(line, error_cases[_i].line);
	ck_assert(!parse(line, &o, &err));
	ck_assert_str_eq(err.text, error_cases[_i].error);
}
END_TEST

START_TEST(defaults)
{
	char line[] = "a";
	struct options o;
	struct error err;

	ck_assert(parse(line, &o, &err));
	ck_assert_int_eq(o.command, COMMAND_VIEW);
	ck_assert_int_eq(o.n_files, 1);
	ck_assert_str_eq(o.files[0], "a");
	ck_assert(!o.format && !o.from && !o.lane && !o.is_forced && !o.has_top);
	ck_assert_int_eq(o.top, 10);
	ck_assert(o.color == -1 && !o.theme && o.sort == -1 && o.table == -1 && o.group == -1 &&
		  o.with == 0 && o.n_steps == 0);
}
END_TEST

START_TEST(values)
{
	char line[] = "export b -fx -o y --from 1s --to=2s --top 7 --force --sort=app --group pear "
		      "--with=app,pear, --render=80x24 --drop=q --focus r - -- --top";
	struct options o;
	struct error err;

	ck_assert_msg(parse(line, &o, &err), "%s", err.text);
	ck_assert_int_eq(o.command, COMMAND_EXPORT);
	ck_assert_str_eq(o.format, "x");
	ck_assert_str_eq(o.output, "y");
	ck_assert_str_eq(o.from, "1s");
	ck_assert_str_eq(o.to, "2s");
	ck_assert(o.has_top && o.top == 7 && o.is_forced && !o.is_samples);
	ck_assert_int_eq(o.sort, 1);
	ck_assert_int_eq(o.group, 2);
	ck_assert_uint_eq(o.with, 1 << 1 | 1 << 2);
	ck_assert(o.render_cols == 80 && o.render_rows == 24);
	ck_assert_int_eq(o.n_steps, 2);
	ck_assert_int_eq(o.steps[0].kind, STEP_DROP);
	ck_assert_str_eq(o.steps[0].pattern, "q");
	ck_assert_int_eq(o.steps[1].kind, STEP_FOCUS);
	ck_assert_int_eq(o.n_files, 3);
	ck_assert_str_eq(o.files[0], "b");
	ck_assert_str_eq(o.files[1], "-");
	ck_assert_str_eq(o.files[2], "--top");
}
END_TEST

/* Whether its value is right does not matter: a file of settings may not say it again. */
START_TEST(the_option_that_is_given_is_known)
{
	const struct option_row *given, *r;

	for (size_t i = 0; (given = option_table_row(i)); i++) {
		char line[80];
		struct options o;
		struct error err;

		snprintf(line, sizeof line, "a --%s", given->name);
		parse(line, &o, &err);
		for (size_t k = 0; (r = option_table_row(k)); k++)
			ck_assert_msg(options_is_given(&o, r->name) == (k == i), "--%s: --%s",
				      given->name, r->name);
	}
}
END_TEST

START_TEST(a_command_is_the_first_argument_only)
{
	char line[] = "a report", first[] = "./report";
	struct options o;
	struct error err;

	ck_assert(parse(line, &o, &err));
	ck_assert(o.command == COMMAND_VIEW && o.n_files == 2);
	ck_assert(parse(first, &o, &err));
	ck_assert(o.command == COMMAND_VIEW && o.n_files == 1);
}
END_TEST

#ifdef HAVE_REMOTE
/* Each line, and how many of its words are the command to run. */
static const struct run_case {
	const char *line;
	int n;
} run_cases[] = {
	{ "run -o x -- npm test -- --report -o y", 6 },
	{ "run --report npm test -o y", 4 },
	{ "run -- --report", 1 },
	{ "run -- sh -- x", 3 },
	{ "run", 0 },
};

START_TEST(what_run_starts_keeps_its_options)
{
	char line[256], whole[256] = "";
	const char *command = run_cases[_i].line;
	struct options o;
	struct error err;

	strcpy(line, command);
	ck_assert(parse(line, &o, &err));
	ck_assert_int_eq(o.command, COMMAND_RUN);
	ck_assert_int_eq(o.n_files, run_cases[_i].n);
	for (int i = 0; i < o.n_files; i++)
		snprintf(whole + strlen(whole), sizeof whole - strlen(whole), " %s", o.files[i]);
	ck_assert_str_eq(whole, command + strlen(command) - strlen(whole));
	ck_assert(o.is_report == (_i == 1));
	ck_assert_str_eq(o.output ? o.output : "", _i == 0 ? "x" : "");
}
END_TEST
#endif

START_TEST(steps_are_limited)
{
	char line[1024] = "a";
	struct options o;
	struct error err;

	for (int i = 0; i < OPTION_STEPS_MAX; i++)
		strcat(line, " --hide=x");
	ck_assert_int_lt(1 + OPTION_STEPS_MAX, MAX_ARGS - 1);
	ck_assert(parse(line, &o, &err));
	ck_assert_int_eq(o.n_steps, OPTION_STEPS_MAX);
	strcpy(line, "a");
	for (int i = 0; i <= OPTION_STEPS_MAX; i++)
		strcat(line, " --hide=x");
	ck_assert(!parse(line, &o, &err));
	ck_assert_int_eq(err.kind, ERR_LIMIT);
}
END_TEST

/* Lines of --help that begin with an option name it; each is there once, and so is each letter. No
 * line is longer than a report's. */
START_TEST(help_has_each_option_once)
{
	char seen[128][32];
	size_t n = 0;
	struct buf help = { 0 };

	options_help(words, &help);
	for (char *line = strtok(help.data, "\n"); line; line = strtok(NULL, "\n")) {
		const char *name = strstr(line, "--");

		ck_assert_uint_le(strlen(line), 100);
		ck_assert_int_ne(line[strlen(line) - 1], ' ');
		if (strncmp(line, "  -", 3) != 0)
			continue;
		ck_assert_ptr_nonnull(name);
		ck_assert_uint_lt(n, ARRAY_LEN(seen));
		snprintf(seen[n], sizeof seen[n], "%.*s", (int)strcspn(name, "= "), name);
		for (size_t i = 0; i < n; i++)
			ck_assert_str_ne(seen[i], seen[n]);
		n++;
	}
	ck_assert_uint_gt(n, 30);
	buf_done(&help);
}
END_TEST

START_TEST(help_has_the_words)
{
	static const char *const parts[] = { "--sort=apple|app|pear", "--with=apple,app,pear",
					     "report: cat; export: apple, app, pear",
					     "the table for CSV: apple app pear" };
	struct buf help = { 0 };

	options_help(words, &help);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		ck_assert_msg(strstr(buf_text(&help), parts[i]) != NULL, "%s", parts[i]);
	buf_done(&help);
}
END_TEST

static const struct words_case {
	const char *(*word)(unsigned i);
	const char *all;
} words_cases[] = {
	{ report_word, "text json csv md grep" },
	{ export_word, "trace cpuprofile folded speedscope pprof svg html d3 json csv md" },
	{ report_lists_word,
	  "functions bottomup topdown packages files categories lanes gaps busy stack lines inputs cats stacks labels kinds requests origins routes waits stalls" },
	{ report_json_word, "tree bottomup spans labels" },
};

START_TEST(names_of_outputs)
{
	struct buf out = { 0 };

	option_table_join(words_cases[_i].word, " ", " ", &out);
	ck_assert_str_eq(buf_text(&out), words_cases[_i].all);
	buf_done(&out);
}
END_TEST

START_TEST(outputs_are_found_by_name)
{
	for (unsigned i = 0; report_word(i); i++)
		ck_assert_ptr_eq(report_find(report_word(i)), reports[i]);
	for (unsigned i = 0; export_word(i); i++)
		ck_assert_ptr_eq(export_find(export_word(i)), export_formats[i]);
	ck_assert_ptr_eq(report_find(NULL), &report_text);
	ck_assert_ptr_eq(export_find(NULL), &export_trace);
	ck_assert_ptr_null(report_find("trace"));
	ck_assert_ptr_null(export_find("text"));
}
END_TEST

/* How many labels stand before each file, and before the last one, on the command line. */
static const struct label_case {
	const char *line, *files, *before;
	size_t placed;
} label_cases[] = {
	{ "report a --label=x=1 --label y=2", "a", "0", 0 },
	{ "report --label=x=1 a --label=x=2 b c --label=y=2", "abc", "122", 2 },
	{ "report a --label=x=1 b", "ab", "01", 1 },
	{ "diff --label=x=1 a --label=x=2 b", "ab", "12", 2 },
	{ "diff --label=x=1 --after a b --label=x=2 --before c d --label=z=1", "cdab", "2211", 2 },
	{ "diff --after a --label=x=1 --before c --after b", "cab", "101", 1 },
	{ "diff --label=x=1 a", "aa", "11", 1 },
};

START_TEST(labels_have_places)
{
	const struct label_case *c = &label_cases[_i];
	char line[200];
	struct options o;
	struct error err;

	strcpy(line, c->line);
	ck_assert_msg(parse(line, &o, &err), "%s", err.text);
	ck_assert_int_eq(o.n_files, (int)strlen(c->files));
	ck_assert_uint_eq(o.labels_placed, c->placed);
	for (int i = 0; i < o.n_files; i++) {
		ck_assert_int_eq(o.files[i][0], c->files[i]);
		ck_assert_int_eq(o.labels_before[i], c->before[i] - '0');
	}
	options_done(&o);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "options", SUITE_SECONDS);

	tcase_add_loop_test(t, errors, 0, N(error_cases));
	tcase_add_test(t, defaults);
	tcase_add_test(t, values);
	tcase_add_test(t, the_option_that_is_given_is_known);
	tcase_add_test(t, a_command_is_the_first_argument_only);
#ifdef HAVE_REMOTE
	tcase_add_loop_test(t, what_run_starts_keeps_its_options, 0, N(run_cases));
#endif
	tcase_add_test(t, steps_are_limited);
	tcase_add_loop_test(t, labels_have_places, 0, N(label_cases));
	t = suite_case(suite, "help", SUITE_SECONDS);
	tcase_add_test(t, help_has_each_option_once);
	tcase_add_test(t, help_has_the_words);
	t = suite_case(suite, "names", SUITE_SECONDS);
	tcase_add_loop_test(t, names_of_outputs, 0, N(words_cases));
	tcase_add_test(t, outputs_are_found_by_name);
}

int main(void)
{
	return suite_run("options", add_tests);
}
