/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One event of a trace, shown on demand. */
#include "config.h"

#include "file_print.h"
#include "temp_folder.h"
#include "trace_story.h"

#include "model/event_stack.h"
#include "read/trace/event_reader.c"

#include <unistd.h>

/* Copy the event at `offset` of a file that was loaded. */
static bool copy_of(const char *path, int64_t offset, size_t most, struct buf *out,
		    struct buf *stacks, struct error *err)
{
	struct fingerprint print = file_print(path);
	bool ok = event_copy(&(struct event_place){ path, &print, offset }, NULL, most, out, stacks,
			     err);

	fingerprint_done(&print);
	return ok;
}

START_TEST(event_is_shown_on_demand)
{
	char path[] = "/tmp/check_trace.XXXXXX",
	     *text = quoted("[" X("a", 1, 2) "," EV("X", "b", 5,
						    ",'dur':1,'args':{'k':'\\u001b[31m'}") "]");
	struct error err = ERROR_INIT;
	struct buf out = { 0 };
	int fd = mkstemp(path);

	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	ck_assert(copy_of(path, 2 + (int64_t)strlen(X("a", 1, 2)), 4096, &out, NULL, &err));
	ck_assert_ptr_nonnull(strstr(buf_text(&out), "\"name\": \"b\""));
	ck_assert_ptr_null(strchr(buf_text(&out), 27));
	buf_clear(&out);
	ck_assert(copy_of(path, 1, 10, &out, NULL, &err));
	ck_assert_ptr_nonnull(strstr(buf_text(&out), "more bytes"));
	buf_clear(&out);
	ck_assert(!copy_of(path, 100000, 4096, &out, NULL, &err));
	ck_assert_uint_eq(out.len, 0);
	buf_done(&out);
	unlink(path);
	free(text);
}
END_TEST

/* "#12" for an id, "main,f" for names; those of the end behind a bar. */
static void format_stacks(const struct buf *stacks, struct buf *out)
{
	struct event_stack stack;

	for (size_t at = 0; event_stack_next(stacks, &at, &stack);) {
		buf_adds(out, stack.is_at_end ? "|" : "");
		buf_adds(out, stack.is_id ? "#" : "");
		for (size_t i = 0; i < stack.n; i++) {
			struct str text = event_stack_text(stacks, &stack, i);

			buf_adds(out, i ? "," : "");
			buf_add(out, text.p, text.len);
		}
	}
}

/* The stacks of an event are values of their own, however its text is indented. */
START_TEST(stacks_of_an_event_are_told)
{
	static const struct {
		const char *event, *stacks;
	} cases[] = {
		{ "{'ph':'I','sf':12}", "#12" },
		{ "{'sf':'a/7','ph':'I'}", "#a/7" },
		{ "{'ph':'I','stack':12}", "#12" },
		{ "{'ph':'X','sf':12,'esf':13}", "#12|#13" },
		{ "{'ph':'X','estack':'13'}", "|#13" },
		{ "{'ph':'X','stack':['main','','0x1f'],'estack':['main']}", "main,,0x1f|main" },
		{ "{'ph':'X','stack':[],'sf':7}", "#7" },
		{ "{'ph':'X','stack':['main',null,7,{}]}", "main,?,7,?" },
		{ "{'ph':'X','stack':[],'esf':{}}", "|#?" },
		{ "{'ph':'I','args':{'sf':12}}", "" },
		{ "{'ph':'I','name':'\\n  \\'sf\\': 12'}", "" },
		{ "{'ph':'I','sf':null}", "" },
		{ "{'ph':'I'}", "" },
		{ "[12]", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char path[] = "/tmp/check_event.XXXXXX", *text = quoted(cases[i].event);
		struct buf out = { 0 }, stacks = { 0 }, told = { 0 };
		struct error err = ERROR_INIT;
		int fd = mkstemp(path);

		ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
		close(fd);
		ck_assert_msg(copy_of(path, 0, 4096, &out, &stacks, &err), "%s", err.text);
		format_stacks(&stacks, &told);
		ck_assert_str_eq(buf_text(&told), cases[i].stacks);
		ck_assert_uint_gt(out.len, 0);
		buf_done(&out);
		buf_done(&stacks);
		buf_done(&told);
		unlink(path);
		free(text);
	}
}
END_TEST

static bool copy(const char *document, int64_t offset, size_t most, struct buf *out)
{
	char path[] = "/tmp/check_event.XXXXXX", *text = quoted(document);
	struct error err = ERROR_INIT;
	int fd = mkstemp(path);
	bool ok;

	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	buf_clear(out);
	ok = copy_of(path, offset, most, out, NULL, &err);
	unlink(path);
	free(text);
	return ok;
}

/* Text is left out beyond the limit, not before, and not within a character. */
START_TEST(long_event_is_cut_at_the_limit)
{
	static const char event[] = "{'a':'\303\244\342\202\254'}",
			  whole[] = "{\n  \"a\": \"\303\244\342\202\254\"\n}";
	struct buf out = { 0 }, expect = { 0 };

	for (size_t most = 0; most < sizeof whole + 2; most++) {
		size_t n = most < sizeof whole - 1 ? most : sizeof whole - 1;

		while (((unsigned char)whole[n] & 0xC0) == 0x80)
			n--;
		buf_clear(&expect);
		buf_add(&expect, whole, n);
		if (n == 0 || whole[n - 1] != '\n')
			buf_addc(&expect, '\n');
		n += whole[n] == '\n';
		if (whole[n])
			buf_addf(&expect, "... %zu more bytes\n", strlen(whole + n));
		ck_assert(copy(event, 0, most, &out));
		ck_assert_str_eq(buf_text(&out), buf_text(&expect));
	}
	buf_done(&out);
	buf_done(&expect);
}
END_TEST

START_TEST(event_that_is_no_json_is_shown_as_it_stands)
{
	struct buf out = { 0 };

	ck_assert(copy("{'a':nul}", 0, 100, &out));
	ck_assert_str_eq(buf_text(&out), "{\"a\":nul}\n");
	buf_done(&out);
}
END_TEST

static void ck_no_event(const char *path, int64_t offset, const char *why)
{
	struct fingerprint print = { 0 };
	struct error err = ERROR_INIT;
	struct buf out = { 0 };

	ck_assert(!event_copy(&(struct event_place){ path, &print, offset }, NULL, 100, &out, NULL,
			      &err));
	ck_assert_msg(strstr(err.text, why) != NULL, "%s: %s", path, err.text);
	ck_assert_uint_eq(out.len, 0);
	buf_done(&out);
}

START_TEST(standard_input_is_not_read_again)
{
	ck_no_event("-", 0, "a second time");
	ck_no_event("-", 5, "a second time");
	ck_no_event("/dev/null", 5, "a second time");
	ck_no_event("/dev/null", -1, "does not state");
}
END_TEST

START_TEST(event_of_memory_is_an_error_text)
{
	struct profile *p = load("[" X("a", 1, 2) "]");
	struct buf out = { 0 };

	event_read(NULL, p, 0, 1, &out, NULL);
	ck_assert_str_eq(buf_text(&out),
			 "cannot be read again: standard input or a pipe cannot be read a second "
			 "time\n");
	buf_done(&out);
	profile_free(p);
}
END_TEST

/* ---- files that change ---- */

static char file[300];
static const char trace[] = "[{\"ph\":\"X\",\"name\":\"secret\"}]";

static void make_file(void)
{
	temp_folder_make();
	temp_folder_path(file, sizeof file, "trace.json");
	file_write(file, trace, strlen(trace));
}

static void ck_changed(const struct fingerprint *print, const char *why)
{
	struct event_place at = { file, print, 1 };
	struct error err = ERROR_INIT;
	struct buf out = { 0 }, id = { 0 };

	ck_assert_int_eq(event_copy(&at, NULL, 4096, &out, &id, &err), !why);
	ck_assert_str_eq(err.text, why ? why : "");
	ck_assert_int_eq(out.len == 0, why != NULL);
	buf_done(&out);
	buf_done(&id);
}

START_TEST(event_of_a_file_that_has_changed_is_not_shown)
{
	struct fingerprint print = file_print(file);

	ck_changed(&print, NULL);
	file_overwrite(file, 20, "z", 1);
	ck_changed(&print, "the file has changed since it was read");
	file_overwrite(file, 20, trace + 20, 1);
	ck_changed(&print, NULL);
	/* No JSON any more. */
	file_overwrite(file, 1, "]", 1);
	ck_changed(&print, "the file has changed since it was read");
	file_make_fifo(file);
	ck_changed(&print, "the file has changed since it was read");
	unlink(file);
	ck_changed(&print, "cannot open: No such file or directory");
	fingerprint_done(&print);
}
END_TEST

static bool give_up(void *ctx, const struct progress *p)
{
	(void)ctx;
	(void)p;
	return false;
}

START_TEST(abandoned_event_is_not_shown)
{
	struct fingerprint print = file_print(file);
	struct event_place at = { file, &print, 1 };
	struct progress progress = { .tick = give_up, .is_given_up = true };
	struct error err = ERROR_INIT;
	struct buf out = { 0 };

	ck_assert(!event_copy(&at, &progress, 4096, &out, NULL, &err));
	ck_assert_uint_eq(out.len, 0);
	fingerprint_done(&print);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, event_is_shown_on_demand);
	tcase_add_test(tc, stacks_of_an_event_are_told);
	tcase_add_test(tc, long_event_is_cut_at_the_limit);
	tcase_add_test(tc, event_that_is_no_json_is_shown_as_it_stands);
	tcase_add_test(tc, standard_input_is_not_read_again);
	tcase_add_test(tc, event_of_memory_is_an_error_text);
}

static void add_tests(Suite *suite)
{
	TCase *changed = suite_case(suite, "changed", SUITE_SECONDS);

	trace_suite(suite, add_rules);
	tcase_add_checked_fixture(changed, make_file, temp_folder_remove);
	tcase_add_test(changed, event_of_a_file_that_has_changed_is_not_shown);
	tcase_add_test(changed, abandoned_event_is_not_shown);
}

int main(void)
{
	return suite_run("event", add_tests);
}
