/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What findings say of the hottest line by its text: only calls, only those that have no frame, and
 * only of a text that is as it was when the program ran. */
#include "config.h"

#include "base/alloc.h"
#include "runs.h"
#include "stage.h"

#include "findings/finding_name.c"

static void line_has(const char *text, const char *expect)
{
	struct buf out = { 0 };

	ck_assert(finding_source_line((struct str){ text, strlen(text) },
				      &(struct finding_source_part){ 0 }, &out) == (*expect != 0));
	ck_assert_msg(strcmp(buf_text(&out), expect) == 0, "%s: \"%s\"", text, buf_text(&out));
	buf_done(&out);
}

START_TEST(calls_of_a_line)
{
	line_has("\treturn JSON.parse(text);", "JSON.parse");
	line_has("const copy = JSON.parse(JSON.stringify(state));", "JSON.parse, JSON.stringify");
	line_has("x = structuredClone(y)", "structuredClone");
	line_has("x = new RegExp (a + b, 'g')", "new RegExp");
	line_has("rows.sort((a, b) => a.n - b.n)", "sort");
	line_has("rows?.sort?.(by)", "sort");
	line_has("return rows", "");
	line_has("  .toSorted(by)", "toSorted");
	line_has("d.toLocaleDateString('en')", "toLocaleDateString");
	line_has("new Intl.NumberFormat(l).format(n)", "new Intl.NumberFormat");
	line_has("`${JSON.stringify(a)}`", "JSON.stringify");
	/* Two are enough. */
	line_has("JSON.parse(a); b.sort(); c.toSorted()", "JSON.parse, sort");
	line_has("JSON.parse(a); JSON.parse(b)", "JSON.parse");
}
END_TEST

/* The part of a function, which begins at `^`; functions in the line begin at `@`. */
static void part_has(const char *marked, const char *expect)
{
	struct finding_source_part part = { 0 };
	struct buf text = { 0 }, out = { 0 };
	int32_t others[4], column = 1;

	for (const char *at = marked; *at; at++) {
		if (*at == '^')
			part.column = column;
		else if (*at == '@')
			others[part.n_others++] = column;
		else
			buf_addc(&text, *at);
		/* Of UTF-8, four bytes are two units. */
		if (*at != '^' && *at != '@' && ((unsigned char)*at & 0xC0) != 0x80)
			column += ((unsigned char)*at & 0xF8) == 0xF0 ? 2 : 1;
	}
	/* The last one first, as the frames of a line are sorted. */
	for (size_t i = 0; i < part.n_others / 2; i++) {
		int32_t other = others[i];

		others[i] = others[part.n_others - 1 - i];
		others[part.n_others - 1 - i] = other;
	}
	part.others = others;
	finding_source_line((struct str){ buf_text(&text), text.len }, &part, &out);
	ck_assert_msg(strcmp(buf_text(&out), expect) == 0, "%s: \"%s\"", marked, buf_text(&out));
	buf_done(&text);
	buf_done(&out);
}

/* A line may hold several functions: only what one of them calls is said of it. */
START_TEST(part_of_a_line)
{
	part_has("rows.map(^r => JSON.parse(r)).sort(by)", "JSON.parse");
	part_has("rows.map(@r => JSON.parse(r)).sort(by)", "sort");
	part_has("rows.map(^(r) => { return structuredClone(r); }).sort(by)", "structuredClone");
	part_has("rows.map(^function (r) { return r }).sort(by)", "");
	part_has("function a^(x) { return x.sort(); } function b@(y) { JSON.parse(y); }", "sort");
	part_has("function a@(x) { return x.sort(); } function b^(y) { JSON.parse(y); }",
		 "JSON.parse");
	part_has("call(^a => a.toSorted(@b => JSON.stringify(b)), c.sort())", "toSorted");
	part_has("call(@a => a.toSorted(@b => JSON.stringify(b)), c.sort())", "sort");
	part_has("f(^a => [a.x, a.y].sort(), b => JSON.parse(b))", "sort");
	part_has("x = [^() => { rows.sort(by)", "sort");
	part_has("'\360\237\230\200\303\244' + rows.map(^r => r.toSorted()).sort(by)", "toSorted");
	part_has("rows.sort(by)^", "");
}
END_TEST

START_TEST(what_is_no_call)
{
	line_has("", "");
	line_has("const parse = JSON.parse;", "");
	line_has("// JSON.parse(text)", "");
	line_has("say('JSON.parse(text)')", "");
	line_has("x = /.sort(a)/.test(y)", "");
	line_has("myJSON.parse(text)", "");
	line_has("my.JSON.parse(text)", "");
	line_has("JSON.parseAll(text)", "");
	line_has("sort(rows)", "");
	line_has("rows.sorted(by)", "");
	line_has("new Intl.(x)", "");
}
END_TEST

/* A long line, as in minified code, says nothing about the call that is meant. */
START_TEST(long_lines_say_nothing)
{
	char text[402];

	memset(text, 'x', sizeof text - 1);
	memcpy(text, "JSON.parse(a);", 14);
	text[400] = '\0';
	line_has(text, "JSON.parse");
	text[400] = 'x';
	text[401] = '\0';
	line_has(text, "");
}
END_TEST

/* ---- sentences ---- */

static struct {
	struct source_text text;
	bool is_late;
	int n_asked;
} files;

static const struct source_text *read_text(void *ctx, const struct source_wanted *wanted)
{
	(void)ctx;
	files.n_asked++;
	ck_assert_str_eq(wanted->url, "/app/a.js");
	return files.is_late ? NULL : &files.text;
}

static void setup(void)
{
	static const char text[] = "\n\nconst a = (x) =>\n\tJSON.parse(x);\nlast(x)\n";

	memset(&files, 0, sizeof files);
	buf_add(&files.text.bytes, text, sizeof text - 1);
	source_text_index(&files.text, false);
	files.text.is_found = true;
}

static void teardown(void)
{
	source_text_done(&files.text);
}

#define A "a@/app/a.js:3"
#define REST "|40 b@/app/b.js:5"

static void says(const char *runs, const char *expect)
{
	const struct source_host host = { read_text, NULL, NULL };
	struct profile *p = runs_load(runs);
	struct findings f;

	findings_init(&f, p, &p->lanes[0]);
	f.sources = &host;
	findings_begin(&f, 0, p->t1);
	ck_assert(findings_work(&f, BUDGET_UNLIMITED));
	ck_assert_str_eq(f.result.list[0].text, expect);
	ck_assert(f.result.is_reading == files.is_late);
	findings_done(&f);
	profile_free(p);
}

START_TEST(hot_line_names_its_calls)
{
	says("60 " A " #4=20,5=3" REST,
	     "a a.js:3 60 % (line 4, JSON.parse: 87 % of its self time)");
	says("60 " A " #5=20,4=3" REST, "a a.js:3 60 % (line 5: 87 % of its self time)");
	/* The only line is no news, except for what it calls. */
	says("60 " A " #4=23" REST, "a a.js:3 60 % (line 4: JSON.parse)");
	says("60 " A " #5=23" REST, "a a.js:3 60 %");
	says("60 " A " #4=19" REST, "a a.js:3 60 %");
	says("60 " A " #99=23" REST, "a a.js:3 60 %");
	/* A function begins there that was inlined. */
	says("60 " A " #4=20,5=3|40 a2@/app/a.js:4:2",
	     "a a.js:3 60 % (line 4, inlined a2, JSON.parse: 87 % of its self time)");
	says("60 " A " #4=23|40 a2@/app/a.js:4:2",
	     "a a.js:3 60 % (line 4: inlined a2, JSON.parse)");
}
END_TEST

START_TEST(no_text_no_claim)
{
	files.text.is_newer = true;
	says("60 " A " #4=20,5=3" REST, "a a.js:3 60 % (line 4: 87 % of its self time)");
	files.text.is_newer = files.text.is_found = false;
	says("60 " A " #4=20,5=3" REST, "a a.js:3 60 % (line 4: 87 % of its self time)");
	says("60 " A " #4=23" REST, "a a.js:3 60 %");
	files.is_late = true;
	says("60 " A " #4=20,5=3" REST, "a a.js:3 60 % (line 4: 87 % of its self time)");
}
END_TEST

/* Nothing waits for a text; the sentence gets what it says when it is there. A file that never
 * comes is given up. */
START_TEST(sentence_changes_when_the_text_arrives)
{
	struct app_options options = { .sources = { read_text, NULL, NULL } };
	int asked;

	files.is_late = true;
	stage_open(runs_load("60 " A " #4=20,5=3" REST), &options, 44, 100);
	draw();
	ck_assert(shows("a line 4: 87 % of its self time"));
	ck_assert(!shows("JSON.parse"));
	ck_assert_int_gt(app_wait_ms(app), 0);
	files.is_late = false;
	ck_assert_uint_ne(app_timeout(app), 0);
	draw();
	ck_assert(shows("a line 4, JSON.parse: 87 % of its self time"));
	asked = files.n_asked;
	for (int i = 0; i < 20 && app_wait_ms(app) >= 0; i++) {
		app_timeout(app);
		draw();
	}
	ck_assert_int_eq(files.n_asked, asked);
	stage_close();

	files.is_late = true;
	stage_open(runs_load("60 " A " #4=20,5=3" REST), &options, 44, 100);
	draw();
	for (int i = 0; i < 20 && app_wait_ms(app) >= 0; i++) {
		app_timeout(app);
		draw();
	}
	ck_assert_int_lt(app_wait_ms(app), 0);
	stage_close();
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *lines = tcase_create("lines"), *t = tcase_create("sentences");

	suite_add_tcase(suite, lines);
	suite_add_tcase(suite, t);
	tcase_add_test(lines, calls_of_a_line);
	tcase_add_test(lines, part_of_a_line);
	tcase_add_test(lines, what_is_no_call);
	tcase_add_test(lines, long_lines_say_nothing);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, hot_line_names_its_calls);
	tcase_add_test(t, no_text_no_claim);
	tcase_add_test(t, sentence_changes_when_the_text_arrives);
}

int main(void)
{
	return suite_run("finding_source", add_tests);
}
