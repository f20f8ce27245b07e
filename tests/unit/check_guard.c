/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The guard beside another flametty that has claimed the process, which is a child that listens and
 * tells who connects; and the ends of connections. */
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
#define STAYS_MS 500       /* a connection */

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

enum ending { ENDING_DIES, ENDING_CLOSES, ENDING_GIVES_UP };

/* A program that holds a connection, and ends in some way. */
static void run_program(const struct sockaddr_in *address, enum ending ending)
{
	struct guard_place at = { .place = { .host = "127.0.0.1", .path = "/x" } };
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	struct guard guard;

	at.place.pid = getppid();
	if (connect(fd, (const struct sockaddr *)address, sizeof *address) != 0 ||
	    !guard_start(&guard))
		_exit(1);
	guard_hold(&guard, &at.place, fd);
	if (ending == ENDING_CLOSES)
		guard_remove(&guard, &at.place);
	if (ending == ENDING_GIVES_UP)
		guard_leave(&guard, &at);
	kill(getpid(), SIGKILL);
}

/* What a connection has to read within some time; -1: nothing, 0: its end. */
static ssize_t read_some(int fd, char *bytes, size_t len, int ms)
{
	return has_news(fd, ms) ? recv(fd, bytes, len, 0) : -1;
}

/* Only a program that dies without a word has not sent a close frame. */
START_TEST(a_connection_stays_until_the_process_ends_it)
{
	static const char goodbye[] = { (char)0x88, (char)0x82, 0, 0, 0, 0, 3, (char)0xe8 };
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t size = sizeof address;
	int fd, listener = socket(AF_INET, SOCK_STREAM, 0);
	char bytes[16];
	pid_t pid;

	ck_assert_int_eq(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
	ck_assert_int_eq(listen(listener, 1), 0);
	ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&address, &size), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		run_program(&address, (enum ending)_i);
	fd = accept(listener, NULL, NULL);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	if (_i == ENDING_DIES) {
		ck_assert_int_eq(read_some(fd, bytes, sizeof bytes, COMES_MS), sizeof goodbye);
		ck_assert_mem_eq(bytes, goodbye, sizeof goodbye);
	}
	ck_assert_int_eq(read_some(fd, bytes, sizeof bytes, STAYS_MS), -1);
	/* It does not wait for ever. */
	ck_assert_int_eq(read_some(fd, bytes, sizeof bytes, COMES_MS), 0);
	close(fd);
	close(listener);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_loop_test(tc, a_connection_stays_until_the_process_ends_it, ENDING_DIES,
			    ENDING_GIVES_UP + 1);
	tcase_add_loop_test(tc, a_process_is_left_to_the_one_that_has_claimed_it, 0, N(n_before));
}

int main(void)
{
	return suite_run("guard", add_tests);
}
