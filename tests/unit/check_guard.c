/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The guard beside another flametty that has claimed the process. The process is a child that
 * listens, and tells who connects. */
#include "config.h"

#include "suite.h"

#include "record/remote/guard.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILE_WATCH_MS 3000 /* some 40 looks of the guard */
#define COMES_MS 30000     /* what does come */

static void serve(int listener, int news)
{
	for (;;) {
		int fd = accept(listener, NULL, NULL);

		if (fd < 0 || write(news, "c", 1) != 1)
			_exit(1);
		close(fd);
	}
}

/* Start the process. Returns its number. *news: readable after each connection. */
static pid_t start_process(int *port, int *news)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t len = sizeof address;
	int ends[2], listener = socket(AF_INET, SOCK_STREAM, 0);
	pid_t pid;

	ck_assert_int_eq(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
	ck_assert_int_eq(listen(listener, 8), 0);
	ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&address, &len), 0);
	ck_assert_int_eq(pipe(ends), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		serve(listener, ends[1]);
	close(listener);
	close(ends[1]);
	*port = ntohs(address.sin_port);
	*news = ends[0];
	return pid;
}

static bool has_news(int news, int ms)
{
	struct pollfd ready = { .fd = news, .events = POLLIN };

	return poll(&ready, 1, ms) == 1;
}

/* How many have asked for the holder before: its queue is full, or nearly so. */
static const int n_before[] = { 200, 110 };

/* A process is left alone as long as another flametty records it, and closed after that. Looking
 * does not fill the queue, so that the holder can still be named. */
START_TEST(a_process_is_left_to_the_one_that_has_claimed_it)
{
	struct claim mine = CLAIM_INIT, other = CLAIM_INIT;
	struct guard_place at = { .place = { .host = "127.0.0.1", .path = "/x" } };
	struct error err = ERROR_INIT;
	struct claim_process name;
	struct process p;
	struct guard guard;
	pid_t pid, holder;
	int port, news;

	pid = start_process(&port, &news);
	at.place.pid = pid;
	at.place.port = port;
	ck_assert(guard_start(&guard));
	ck_assert(process_read("/proc", pid, &p, &err));
	name = (struct claim_process){ process_space("/proc", pid), p.inner_pid, p.start_ticks };
	ck_assert(claim_process(&mine, &name, getuid(), &holder));
	for (int i = 0; i < n_before[_i]; i++)
		ck_assert(!claim_process(&other, &name, getuid(), &holder));
	guard_leave(&guard, &at);
	ck_assert(!has_news(news, FILE_WATCH_MS));
	ck_assert(!claim_process(&other, &name, getuid(), &holder));
	ck_assert_int_eq(holder, _i == 0 ? 0 : getpid());
	claim_end(&mine);
	ck_assert(has_news(news, COMES_MS));
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	guard_stop(&guard);
	process_done(&p);
	close(news);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_loop_test(tc, a_process_is_left_to_the_one_that_has_claimed_it, 0, N(n_before));
}

int main(void)
{
	return suite_run("guard", add_tests);
}
