/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which signals went to the whole group. Each test is a group of its own. */
#include "config.h"

#include "suite.h"

#include "record/run_command.c"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static sigset_t set;
static struct run_guard guard;

static void begin(void)
{
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGQUIT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	ck_assert(getpgrp() == getpid() || setpgid(0, 0) == 0);
	run_guard_start(&guard, "/nowhere");
	ck_assert_int_gt(guard.pid, 0);
}

static void end(void)
{
	run_guard_stop(&guard, false);
}

/* Take the next signal, which is this one. */
static bool saw(int number)
{
	const struct timespec most = { .tv_sec = 10 };

	ck_assert_int_eq(sigtimedwait(&set, NULL, &most), number);
	return run_guard_saw(&guard, number);
}

static void send_to_group(int number)
{
	ck_assert_int_eq(kill(0, number), 0);
}

static void send_to_self(int number)
{
	ck_assert_int_eq(kill(getpid(), number), 0);
}

static const int numbers[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };

START_TEST(group_or_this_process)
{
	for (int i = 0; i < 3; i++) {
		send_to_group(numbers[_i]);
		ck_assert(saw(numbers[_i]));
		send_to_self(numbers[_i]);
		ck_assert(!saw(numbers[_i]));
	}
}
END_TEST

/* The lowest number is taken first. */
START_TEST(two_signals_at_once)
{
	send_to_group(SIGTERM);
	send_to_group(SIGHUP);
	ck_assert(saw(SIGHUP));
	ck_assert(saw(SIGTERM));
	send_to_group(SIGTERM);
	send_to_self(SIGINT);
	ck_assert(!saw(SIGINT));
	ck_assert(saw(SIGTERM));
}
END_TEST

/* It may come twice to the guard, but is taken once here. */
START_TEST(a_signal_that_comes_twice)
{
	for (int i = 0; i < 20; i++)
		send_to_group(SIGINT);
	ck_assert(saw(SIGINT));
	send_to_self(SIGINT);
	ck_assert(!saw(SIGINT));
}
END_TEST

static void stop_guard(void)
{
	ck_assert_int_eq(kill(guard.pid, SIGSTOP), 0);
	ck_assert_int_eq(waitpid(guard.pid, NULL, WUNTRACED), guard.pid);
}

/* As on a loaded machine. */
START_TEST(a_guard_that_is_slow)
{
	const struct timespec some = { .tv_nsec = 300000000 };
	pid_t child;

	stop_guard();
	child = fork();
	if (child == 0) {
		nanosleep(&some, NULL);
		kill(guard.pid, SIGCONT);
		_exit(0);
	}
	send_to_group(SIGTERM);
	ck_assert(saw(SIGTERM));
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	send_to_self(SIGTERM);
	ck_assert(!saw(SIGTERM));
}
END_TEST

/* What it says later is not about the next signal. */
START_TEST(a_guard_that_is_stopped)
{
	stop_guard();
	send_to_group(SIGINT);
	ck_assert(!saw(SIGINT));
	ck_assert_int_eq(kill(guard.pid, SIGCONT), 0);
	send_to_self(SIGINT);
	ck_assert(!saw(SIGINT));
	send_to_group(SIGINT);
	ck_assert(saw(SIGINT));
}
END_TEST

START_TEST(a_guard_that_is_gone)
{
	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(kill(guard.pid, SIGKILL), 0);
	send_to_group(SIGINT);
	ck_assert(!saw(SIGINT));
	send_to_self(SIGTERM);
	ck_assert(!saw(SIGTERM));
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "signals", SUITE_SECONDS);

	tcase_add_checked_fixture(tc, begin, end);
	tcase_add_loop_test(tc, group_or_this_process, 0, N(numbers));
	tcase_add_test(tc, two_signals_at_once);
	tcase_add_test(tc, a_signal_that_comes_twice);
	tcase_add_test(tc, a_guard_that_is_slow);
	tcase_add_test(tc, a_guard_that_is_stopped);
	tcase_add_test(tc, a_guard_that_is_gone);
}

int main(void)
{
	return suite_run("run_guard", add_tests);
}
