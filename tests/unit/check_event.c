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
	ck_assert(event_copy(path, 2 + (int64_t)strlen(X("a", 1, 2)), 4096, &out, &err));
	ck_assert_ptr_nonnull(strstr(buf_text(&out), "\"name\": \"b\""));
	ck_assert_ptr_null(strchr(buf_text(&out), 27));
	buf_clear(&out);
	ck_assert(event_copy(path, 1, 10, &out, &err));
	ck_assert_ptr_nonnull(strstr(buf_text(&out), "more bytes"));
	buf_clear(&out);
	ck_assert(!event_copy(path, 100000, 4096, &out, &err));
	ck_assert_uint_eq(out.len, 0);
	buf_done(&out);
	unlink(path);
	free(text);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, event_is_shown_on_demand);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("event", add_tests);
}
