/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arguments and the variables that a command gets. */
#include "config.h"

#include "suite.h"

#include "record/run_command.c"

#include <string.h>
#include <sys/wait.h>

#define ARGUMENTS_MAX 8

static const struct deno_case {
	const char *given[ARGUMENTS_MAX], *wanted[ARGUMENTS_MAX + 4];
} deno_cases[] = {
	{ { "deno", "run", "a.ts" },
	  { "deno", "run", "--cpu-prof", "--cpu-prof-dir=/p q", "--cpu-prof-interval=500",
	    "a.ts" } },
	{ { "/x/deno", "eval", "1" },
	  { "/x/deno", "eval", "--cpu-prof", "--cpu-prof-dir=/p q", "--cpu-prof-interval=500",
	    "1" } },
	{ { "deno", "serve" },
	  { "deno", "serve", "--cpu-prof", "--cpu-prof-dir=/p q", "--cpu-prof-interval=500" } },
	{ { "deno", "task", "run" }, { "deno", "task", "run" } },
	{ { "deno" }, { "deno" } },
	{ { "node", "run", "run" }, { "node", "run", "run" } },
	{ { "denort", "run" }, { "denort", "run" } },
};

START_TEST(deno_gets_options_of_its_own)
{
	const struct deno_case *c = &deno_cases[_i];
	char *texts[2], *given[ARGUMENTS_MAX], **list;
	int n = 0;

	for (; c->given[n]; n++)
		given[n] = strdup(c->given[n]);
	list = run_spawn_arguments(given, n, "/p q", 500, texts);
	for (int i = 0; i == 0 || c->wanted[i - 1]; i++) {
		ck_assert(!list[i] == !c->wanted[i]);
		if (list[i])
			ck_assert_str_eq(list[i], c->wanted[i]);
	}
	for (int i = 0; i < n; i++)
		free(given[i]);
	free(texts[0]);
	free(texts[1]);
	free(list);
}
END_TEST

/* The exit status of a shell command. */
static int status_of(const char *script, int *status, struct error *err)
{
	char *arguments[] = { strdup("sh"), strdup("-c"), strdup(script), NULL };
	sigset_t signals;
	const struct run_spawn spawn = { .arguments = arguments,
					 .preload = "/h h",
					 .folder = "/r",
					 .bun_folder = "/b",
					 .interval_us = 1000,
					 .signals = &signals,
					 .sigchld = SIG_DFL };
	int ended = -1;
	pid_t pid;

	sigemptyset(&signals);
	pid = run_spawn(&spawn, status, err);
	if (pid > 0)
		waitpid(pid, &ended, 0);
	for (int i = 0; i < 3; i++)
		free(arguments[i]);
	return ended;
}

START_TEST(only_the_command_has_the_variables)
{
	struct error err = ERROR_INIT;
	int status;

	unsetenv("BUN_OPTIONS");
	setenv("NODE_OPTIONS", "--x", 1);
	ck_assert_int_eq(status_of("test \"$NODE_OPTIONS\" = '--require \"/h h\" --x' && "
				   "test \"$FLAMETTY_RUN ${BUN_OPTIONS#*dir=}\" = '/r /b'",
				   &status, &err),
			 0);
	ck_assert_str_eq(getenv("NODE_OPTIONS"), "--x");
	ck_assert_ptr_null(getenv("BUN_OPTIONS"));
}
END_TEST

START_TEST(what_cannot_be_started_has_a_status_of_shells)
{
	char *nothing[] = { strdup("/no/such/command"), NULL }, *folder[] = { strdup("/"), NULL };
	sigset_t signals;
	struct run_spawn spawn = { .arguments = nothing,
				   .preload = "/h",
				   .folder = "/r",
				   .bun_folder = "/b",
				   .signals = &signals,
				   .sigchld = SIG_DFL };
	struct error err = ERROR_INIT;
	int status;

	sigemptyset(&signals);
	ck_assert_int_eq(run_spawn(&spawn, &status, &err), -1);
	ck_assert_int_eq(status, 127);
	ck_assert_str_eq(err.text, "starting /no/such/command: No such file or directory");
	spawn.arguments = folder;
	err = (struct error)ERROR_INIT;
	ck_assert_int_eq(run_spawn(&spawn, &status, &err), -1);
	ck_assert_int_eq(status, 126);
	free(nothing[0]);
	free(folder[0]);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_loop_test(tc, deno_gets_options_of_its_own, 0, N(deno_cases));
	tcase_add_test(tc, only_the_command_has_the_variables);
	tcase_add_test(tc, what_cannot_be_started_has_a_status_of_shells);
}

int main(void)
{
	return suite_run("run_spawn", add_tests);
}
