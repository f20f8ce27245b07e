/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One event of a trace, shown on demand. */
#include "config.h"

#include "trace_story.h"

#include "reader/trace/event.h"

#include <unistd.h>

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
	ck_assert(event_copy(path, 2 + (int64_t)strlen(X("a", 1, 2)), 4096, &out, NULL, &err));
	ck_assert_ptr_nonnull(strstr(buf_text(&out), "\"name\": \"b\""));
	ck_assert_ptr_null(strchr(buf_text(&out), 27));
	buf_clear(&out);
	ck_assert(event_copy(path, 1, 10, &out, NULL, &err));
	ck_assert_ptr_nonnull(strstr(buf_text(&out), "more bytes"));
	buf_clear(&out);
	ck_assert(!event_copy(path, 100000, 4096, &out, NULL, &err));
	ck_assert_uint_eq(out.len, 0);
	buf_done(&out);
	unlink(path);
	free(text);
}
END_TEST

/* The stack frame of an event is a value of its own, however its text is indented. */
START_TEST(stack_frame_of_an_event_is_told)
{
	static const struct {
		const char *event, *id;
	} cases[] = {
		{ "{'ph':'I','sf':12}", "12" },
		{ "{'sf':'a/7','ph':'I'}", "a/7" },
		{ "{'ph':'I','args':{'sf':12}}", "" },
		{ "{'ph':'I','name':'\\n  \\'sf\\': 12'}", "" },
		{ "{'ph':'I','sf':null}", "" },
		{ "{'ph':'I'}", "" },
		{ "[12]", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char path[] = "/tmp/check_event.XXXXXX", *text = quoted(cases[i].event);
		struct buf out = { 0 }, id = { 0 };
		struct error err = ERROR_INIT;
		int fd = mkstemp(path);

		ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
		close(fd);
		ck_assert_msg(event_copy(path, 0, 4096, &out, &id, &err), "%s", err.text);
		ck_assert_str_eq(buf_text(&id), cases[i].id);
		ck_assert_uint_gt(out.len, 0);
		buf_done(&out);
		buf_done(&id);
		unlink(path);
		free(text);
	}
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, event_is_shown_on_demand);
	tcase_add_test(tc, stack_frame_of_an_event_is_told);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("event", add_tests);
}
