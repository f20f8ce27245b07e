/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A signal that ends the program calls the undo functions first, and still ends it. Each signal
 * gets a process of its own. */
#include "config.h"

#include "base/signals.h"

#include "suite.h"

#include <signal.h>
#include <stdbool.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { UNDONE = 'u', TAKEN = 't' };

static int ends[2]; /* a pipe from the process that ends */

static void say(char what)
{
	ck_assert_int_eq(write(ends[1], &what, 1), 1);
}

static void undo(void)
{
	say(UNDONE);
}

static void take(int number)
{
	(void)number;
	say(TAKEN);
}

static void set_up(void)
{
	ck_assert_int_eq(pipe(ends), 0);
}

/* Start a process in which signal `number` has its default action; it leaves no core file. */
static pid_t start(int number)
{
	struct rlimit none = { 0, 0 };
	pid_t pid = fork();

	if (pid == 0) {
		setrlimit(RLIMIT_CORE, &none);
		signal(number, SIG_DFL);
	}
	return pid;
}

/* Wait for the process. said: room for what it wrote. Returns its status as wait() gives it. */
static int end_of(pid_t pid, char *said, size_t size)
{
	ssize_t n;
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	close(ends[1]);
	n = read(ends[0], said, size - 1);
	said[n > 0 ? n : 0] = '\0';
	close(ends[0]);
	return status;
}

static void check_signalled(pid_t pid, int number, const char *expected)
{
	char said[10];

	ck_assert_int_eq(WTERMSIG(end_of(pid, said, sizeof said)), number);
	ck_assert_str_eq(said, expected);
}

static void check_exited(pid_t pid, int status, const char *expected)
{
	char said[10];

	ck_assert_int_eq(WEXITSTATUS(end_of(pid, said, sizeof said)), status);
	ck_assert_str_eq(said, expected);
}

/* The faults and the signals that users and the system send; after them the real-time signals. */
static const int numbers[] = { SIGSEGV, SIGBUS,  SIGFPE,   SIGILL,  SIGABRT,   SIGTRAP, SIGSYS,
			       SIGTERM, SIGHUP,  SIGINT,   SIGQUIT, SIGUSR1,   SIGUSR2, SIGALRM,
			       SIGPIPE, SIGXCPU, SIGXFSZ,  SIGPROF, SIGVTALRM,
#ifdef __linux__
			       SIGIO,   SIGPWR,  SIGSTKFLT
#endif
};

static void check_end(int number)
{
	pid_t pid = start(number);
	char said[10];
	int status;

	if (pid == 0) {
		signals_add(undo);
		kill(getpid(), number);
		_exit(0);
	}
	status = end_of(pid, said, sizeof said);
	ck_assert_str_eq(said, "u");
	ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == number, "signal %d: status %x",
		      number, status);
}

START_TEST(signal_ends_the_program_after_undo)
{
	check_end(numbers[_i]);
}
END_TEST

START_TEST(real_time_signal_ends_the_program_after_undo)
{
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++) {
		check_end(number);
		set_up();
	}
}
END_TEST

START_TEST(every_undo_that_was_not_removed_is_called)
{
	pid_t pid = start(SIGTERM);

	if (pid == 0) {
		signals_add(undo);
		signals_add((signals_undo *)abort); /* removed before it is called */
		signals_add(undo);
		signals_remove((signals_undo *)abort);
		raise(SIGTERM);
		_exit(0);
	}
	check_signalled(pid, SIGTERM, "uu");
}
END_TEST

START_TEST(ignored_signal_stays_ignored)
{
	pid_t pid = start(SIGHUP);

	if (pid == 0) {
		signal(SIGHUP, SIG_IGN);
		signals_add(undo);
		raise(SIGHUP);
		_exit(3);
	}
	check_exited(pid, 3, "");
}
END_TEST

START_TEST(signal_of_a_library_is_left_to_it)
{
	pid_t pid = start(SIGPROF);

	if (pid == 0) {
		signal(SIGPROF, take);
		signals_add(undo);
		raise(SIGPROF);
		_exit(3);
	}
	check_exited(pid, 3, "t");
}
END_TEST

START_TEST(fault_goes_to_the_handler_before)
{
	pid_t pid = start(SIGSEGV);

	if (pid == 0) {
		signal(SIGSEGV, take);
		signals_add(undo);
		raise(SIGSEGV);
		_exit(3);
	}
	check_exited(pid, 3, "ut");
}
END_TEST

START_TEST(blocked_signals_do_not_include_faults)
{
	pid_t pid = start(SIGSEGV);

	if (pid == 0) {
		sigset_t before;

		signals_add(undo);
		signals_block(&before);
		raise(SIGTERM);
		raise(SIGSEGV);
		_exit(0);
	}
	check_signalled(pid, SIGSEGV, "u");
}
END_TEST

START_TEST(removed_undo_is_not_called)
{
	pid_t pid = start(SIGTERM);

	if (pid == 0) {
		signals_add(undo);
		signals_remove(undo);
		raise(SIGTERM);
		_exit(0);
	}
	check_signalled(pid, SIGTERM, "");
}
END_TEST

/* The actions of all signals, one byte each. */
static void read_actions(char *out)
{
	for (int number = 1; number < 65; number++) {
		struct sigaction action = { 0 };

		sigaction(number, NULL, &action);
		out[number] = (char)(action.sa_handler == SIG_DFL           ? 'd'
					     : action.sa_handler == SIG_IGN ? 'i'
									    : 'h');
	}
	out[65] = '\0';
}

START_TEST(actions_are_given_back)
{
	char before[66] = " ", during[66] = " ", after[66] = " ";
	pid_t pid = start(SIGTERM);
	stack_t stack;

	if (pid == 0) {
		read_actions(before);
		signals_add(undo);
		read_actions(during);
		sigaltstack(NULL, &stack);
		if (during[SIGTERM] != 'h' || during[SIGSEGV] != 'h' || stack.ss_flags & SS_DISABLE)
			_exit(1);
		signals_add(undo);
		signals_remove(undo);
		read_actions(after);
		sigaltstack(NULL, &stack);
		_exit(strcmp(before, after) != 0 ? 2 : stack.ss_flags & SS_DISABLE ? 3 : 4);
	}
	check_exited(pid, 3, "");
}
END_TEST

START_TEST(blocked_signals_come_when_the_mask_is_given_back)
{
	pid_t pid = start(SIGTERM);

	if (pid == 0) {
		sigset_t before;

		signals_add(undo);
		signals_block(&before);
		raise(SIGTERM);
		say('b');
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		_exit(0);
	}
	check_signalled(pid, SIGTERM, "bu");
}
END_TEST

/* Default actions do not end the first process of a container. */
START_TEST(first_process_of_a_container_ends)
{
#ifdef CLONE_NEWPID
	pid_t pid = start(SIGTERM);
	char said[10];
	int status;

	if (pid == 0) {
		bool is_allowed = unshare(CLONE_NEWPID) == 0 ||
			unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0;

		if (!is_allowed)
			_exit(77);
		pid = fork();
		if (pid == 0) {
			signals_add(undo);
			raise(SIGTERM);
			_exit(0);
		}
		_exit(waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status)
									   : 1);
	}
	status = end_of(pid, said, sizeof said);
	if (WEXITSTATUS(status) != 77) {
		ck_assert_int_eq(WEXITSTATUS(status), 128 + SIGTERM);
		ck_assert_str_eq(said, "u");
	}
#endif
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "signals", SUITE_SECONDS);

	tcase_add_checked_fixture(t, set_up, NULL);
	tcase_add_loop_test(t, signal_ends_the_program_after_undo, 0, N(numbers));
	tcase_add_test(t, real_time_signal_ends_the_program_after_undo);
	tcase_add_test(t, every_undo_that_was_not_removed_is_called);
	tcase_add_test(t, ignored_signal_stays_ignored);
	tcase_add_test(t, signal_of_a_library_is_left_to_it);
	tcase_add_test(t, fault_goes_to_the_handler_before);
	tcase_add_test(t, blocked_signals_do_not_include_faults);
	tcase_add_test(t, removed_undo_is_not_called);
	tcase_add_test(t, actions_are_given_back);
	tcase_add_test(t, blocked_signals_come_when_the_mask_is_given_back);
	tcase_add_test(t, first_process_of_a_container_ends);
}

int main(void)
{
	return suite_run("signals", add_tests);
}
