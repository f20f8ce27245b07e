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
#include <string.h>
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

enum ending { ENDING_DIES, ENDING_CLOSES, ENDING_GIVES_UP, ENDING_TOLD_TO_CLOSE };

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
	if (ending == ENDING_TOLD_TO_CLOSE) {
		at.is_closing = 1;
		guard_add(&guard, &at);
	}
	kill(getpid(), SIGKILL);
}

/* What a connection has to read within some time; -1: nothing, 0: its end. */
static ssize_t read_some(int fd, char *bytes, size_t len, int ms)
{
	return has_news(fd, ms) ? recv(fd, bytes, len, 0) : -1;
}

/* Accept the connection of a program that ends in some way. */
static int start_program(enum ending ending)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t size = sizeof address;
	int fd, listener = socket(AF_INET, SOCK_STREAM, 0);
	pid_t pid;

	ck_assert_int_eq(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
	ck_assert_int_eq(listen(listener, 1), 0);
	ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&address, &size), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		run_program(&address, ending);
	fd = accept(listener, NULL, NULL);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	close(listener);
	return fd;
}

/* What the process sends after it has got the last call. */
static const struct {
	const char *name, *pieces[3];
	size_t n; /* bytes of each piece; 0: of the text */
	bool is_no_answer;
} answers[] = {
	{ .name = "an answer", .pieces = { "\x81\x1d{\"id\":1999999999,\"result\":{}}" } },
	{ .name = "in pieces", .pieces = { "\x81\x1d{\"id\":19999", "99999", ",\"result\":{}}" } },
	{ .name = "a close frame", .pieces = { "\x88\0" }, .n = 2 },
	{ .name = "others",
	  .pieces = { "\x81\x1d{\"id\":1999999997,\"result\":{}}",
		      "\x81\x14{\"id\":6,\"result\":{}}" },
	  .is_no_answer = true },
};

static const char goodbye[] = { (char)0x88, (char)0x82, 0, 0, 0, 0, 3, (char)0xe8 };

/* The last call comes. */
static void await_last_call(int fd)
{
	char bytes[256];
	ssize_t n = read_some(fd, bytes, sizeof bytes, COMES_MS);

	ck_assert_int_gt(n, 0);
	ck_assert_ptr_nonnull(memmem(bytes, (size_t)n, "1999999999", 10));
	ck_assert_int_eq(read_some(fd, bytes, sizeof bytes, STAYS_MS), -1);
}

static void answer_it(int fd, size_t i)
{
	for (size_t k = 0; k < N(answers[i].pieces) && answers[i].pieces[k]; k++) {
		const char *piece = answers[i].pieces[k];
		size_t len = answers[i].n ? answers[i].n : strlen(piece);

		ck_assert_int_eq(send(fd, piece, len, 0), (ssize_t)len);
		poll(NULL, 0, STAYS_MS / 5);
	}
}

static void await_goodbye(int fd, const char *name)
{
	char bytes[16];

	ck_assert_msg(read_some(fd, bytes, sizeof bytes, COMES_MS) == sizeof goodbye, "%s", name);
	ck_assert_mem_eq(bytes, goodbye, sizeof goodbye);
	ck_assert_int_eq(read_some(fd, bytes, sizeof bytes, STAYS_MS), -1);
}

/* A process may send as long as it has calls to answer: the close frame waits for that. */
START_TEST(a_connection_ends_when_all_is_answered)
{
	size_t i = (size_t)_i % N(answers);
	int fd = start_program((enum ending)((size_t)_i / N(answers)));
	char bytes[16];

	await_last_call(fd);
	answer_it(fd, i);
	if (answers[i].is_no_answer)
		ck_assert_int_eq(read_some(fd, bytes, sizeof bytes, STAYS_MS), -1);
	else
		await_goodbye(fd, answers[i].name);
	/* It does not wait for ever. */
	if (i == 0)
		ck_assert_int_eq(read_some(fd, bytes, sizeof bytes, COMES_MS), 0);
	close(fd);
}
END_TEST

START_TEST(a_process_that_closes_its_inspector_does_so_first)
{
	int fd = start_program(ENDING_TOLD_TO_CLOSE);
	char bytes[16];

	await_last_call(fd);
	answer_it(fd, 0);
	ck_assert_int_eq(read_some(fd, bytes, sizeof bytes, STAYS_MS), -1);
	answer_it(fd, 2);
	await_goodbye(fd, "closes");
	close(fd);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_loop_test(tc, a_connection_ends_when_all_is_answered, 0,
			    (ENDING_GIVES_UP + 1) * (int)N(answers));
	tcase_add_test(tc, a_process_that_closes_its_inspector_does_so_first);
	tcase_add_loop_test(tc, a_process_is_left_to_the_one_that_has_claimed_it, 0, N(n_before));
}

int main(void)
{
	return suite_run("guard", add_tests);
}
