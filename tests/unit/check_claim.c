/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Claims of this process, of a child of it, and names that are no claims. */
#include "config.h"

#include "suite.h"

#include "record/remote/guard.c"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void make_name(char out[64], const char *what)
{
	snprintf(out, 64, "test/%s/%d", what, (int)getpid());
}

START_TEST(a_claim_is_of_one_at_a_time)
{
	struct claim a = CLAIM_INIT, b = CLAIM_INIT;
	char name[64];
	pid_t holder;

	make_name(name, "one");
	ck_assert(claim_take(&a, name, getuid(), &holder));
	ck_assert_int_ge(a.fd, 0);
	ck_assert(!claim_take(&b, name, getuid(), &holder));
	ck_assert_int_eq(holder, getpid());
	ck_assert(!claim_again(&b, name));
	claim_end(&a);
	ck_assert(claim_again(&b, name));
	ck_assert_int_ge(b.fd, 0);
	claim_end(&b);
	claim_end(&b);
}
END_TEST

START_TEST(a_claim_ends_with_its_process)
{
	struct claim a = CLAIM_INIT;
	char name[64], byte;
	pid_t holder, child;
	int ends[2], status;

	make_name(name, "child");
	ck_assert_int_eq(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		struct claim c = CLAIM_INIT;

		_exit(claim_process(&c, &(struct claim_process){ 1, 71, 12345 }, getuid(),
				    &holder) &&
				      write(ends[1], "", 1) == 1 && read(ends[0], &byte, 0) == 0 &&
				      pause() == 0
			      ? 0
			      : 1);
	}
	ck_assert_int_eq(read(ends[0], &byte, 1), 1);
	ck_assert(!claim_process(&a, &(struct claim_process){ 1, 71, 12345 }, getuid(), &holder));
	ck_assert_int_eq(holder, child);
	/* Another process that has the same number later. */
	ck_assert(claim_process(&a, &(struct claim_process){ 1, 71, 12346 }, getuid(), &holder));
	claim_end(&a);
	kill(child, SIGKILL);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(claim_process(&a, &(struct claim_process){ 1, 71, 12345 }, getuid(), &holder));
	claim_end(&a);
	close(ends[0]);
	close(ends[1]);
}
END_TEST

/* A name that is taken, and does not tell by whom, claims nothing. */
START_TEST(a_name_that_is_no_claim_stops_nothing)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct claim a = CLAIM_INIT;
	char name[64];
	pid_t holder;
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), n;

	make_name(name, "planted");
	n = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "flametty/%s", name);
	ck_assert_int_eq(bind(fd, (const struct sockaddr *)&address,
			      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n)),
			 0);
	ck_assert(claim_take(&a, name, getuid(), &holder));
	ck_assert_int_eq(a.fd, -1);
	close(fd);
}
END_TEST

/* The kernel keeps a limited number of connections that are not accepted. */
START_TEST(a_claim_is_held_however_often_others_try)
{
	struct claim a = CLAIM_INIT, b = CLAIM_INIT;
	char name[64];
	pid_t holder;

	make_name(name, "often");
	ck_assert(claim_take(&a, name, getuid(), &holder));
	for (int i = 0; i < 300; i++) {
		ck_assert(!claim_take(&b, name, getuid(), &holder));
		ck_assert(holder == getpid() || (holder == 0 && i > 100));
		ck_assert_int_eq(b.fd, -1);
	}
	claim_end(&a);
	ck_assert(claim_take(&a, name, getuid(), &holder));
	ck_assert_int_ge(a.fd, 0);
	claim_end(&a);
}
END_TEST

/* Then the process that has it can still be named to others. */
START_TEST(a_look_whether_it_is_free_leaves_no_trace)
{
	struct claim a = CLAIM_INIT, b = CLAIM_INIT;
	pid_t holder;

	ck_assert(claim_process(&a, &(struct claim_process){ 1, 72, (uint64_t)getpid() }, getuid(),
				&holder));
	for (int i = 0; i < 300; i++)
		ck_assert(!claim_process_again(
			&b, &(struct claim_process){ 1, 72, (uint64_t)getpid() }));
	ck_assert(!claim_process(&b, &(struct claim_process){ 1, 72, (uint64_t)getpid() }, getuid(),
				 &holder));
	ck_assert_int_eq(holder, getpid());
	claim_end(&a);
	ck_assert(claim_process_again(&b, &(struct claim_process){ 1, 72, (uint64_t)getpid() }));
	ck_assert_int_ge(b.fd, 0);
	claim_end(&b);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_test(tc, a_claim_is_of_one_at_a_time);
	tcase_add_test(tc, a_claim_ends_with_its_process);
	tcase_add_test(tc, a_name_that_is_no_claim_stops_nothing);
	tcase_add_test(tc, a_claim_is_held_however_often_others_try);
	tcase_add_test(tc, a_look_whether_it_is_free_leaves_no_trace);
}

int main(void)
{
	return suite_run("claim", add_tests);
}
