/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages of signals in a pipe that this process has to itself, as programs of libuv have. */
#include "config.h"

#include "suite.h"

#include "remote/pending.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

struct message {
	void *handle;
	int signal;
};

static int ends[2];
static uint64_t handle_a, handle_b; /* aligned, as handles are */

static void open_pipe(void)
{
	ck_assert_int_eq(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
}

static void close_pipe(void)
{
	close(ends[0]);
	close(ends[1]);
}

static void put(void *handle, int number)
{
	struct message message;

	memset(&message, 0, sizeof message);
	message.handle = handle;
	message.signal = number;
	ck_assert_int_eq(write(ends[1], &message, sizeof message), (ssize_t)sizeof message);
}

static bool look(struct pending *pending)
{
	return pending_read("/proc", getpid(), pending);
}

START_TEST(a_message_is_seen_and_stays)
{
	struct message message;
	struct pending pending;

	ck_assert(!look(&pending));
	put(&handle_a, SIGTERM);
	for (int i = 0; i < 3; i++) {
		ck_assert(look(&pending));
		ck_assert_int_eq(pending.signal, SIGTERM);
		ck_assert(pending.handle == (uint64_t)(uintptr_t)&handle_a);
		ck_assert(!pending.is_shared);
	}
	ck_assert_int_eq(read(ends[0], &message, sizeof message), (ssize_t)sizeof message);
	ck_assert_ptr_eq(message.handle, &handle_a);
	ck_assert(!look(&pending));
}
END_TEST

START_TEST(two_handles_of_a_signal_are_shared)
{
	struct pending pending;

	put(&handle_a, SIGINT);
	put(&handle_b, SIGTERM);
	ck_assert(look(&pending));
	ck_assert_int_eq(pending.signal, SIGINT);
	ck_assert(!pending.is_shared);
	put(&handle_a, SIGINT);
	ck_assert(look(&pending) && !pending.is_shared);
	put(&handle_b, SIGINT);
	ck_assert(look(&pending) && pending.is_shared);
}
END_TEST

START_TEST(other_signals_are_no_reason)
{
	struct pending pending;

	put(&handle_b, SIGCHLD);
	put(&handle_b, SIGWINCH);
	ck_assert(!look(&pending));
	put(&handle_a, SIGHUP);
	ck_assert(look(&pending));
	ck_assert_int_eq(pending.signal, SIGHUP);
}
END_TEST

START_TEST(what_is_no_message_is_left_alone)
{
	struct pending pending;
	char byte = 0;

	/* libuv has a second pipe, with one byte in it. */
	ck_assert_int_eq(write(ends[1], "x", 1), 1);
	ck_assert(!look(&pending));
	ck_assert_int_eq(read(ends[0], &byte, 1), 1);
	ck_assert_int_eq(byte, 'x');
	put(NULL, SIGTERM);
	ck_assert(!look(&pending));
}
END_TEST

START_TEST(a_pipe_with_one_end_elsewhere_is_none)
{
	struct pending pending;
	int other = dup(ends[1]);

	put(&handle_a, SIGTERM);
	close(ends[1]);
	close(other);
	ck_assert(!look(&pending));
	/* For close_pipe(). */
	ends[1] = dup(ends[0]);
}
END_TEST

START_TEST(a_process_that_is_not_there)
{
	struct pending pending;

	ck_assert(!pending_read("/nowhere", getpid(), &pending));
	ck_assert_int_eq(pending.signal, 0);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(tc, open_pipe, close_pipe);
	tcase_add_test(tc, a_message_is_seen_and_stays);
	tcase_add_test(tc, two_handles_of_a_signal_are_shared);
	tcase_add_test(tc, other_signals_are_no_reason);
	tcase_add_test(tc, what_is_no_message_is_left_alone);
	tcase_add_test(tc, a_pipe_with_one_end_elsewhere_is_none);
	tcase_add_test(tc, a_process_that_is_not_there);
}

int main(void)
{
	return suite_run("pending", add_tests);
}
