/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A signal for a group is sent to all its processes in one system call, or, by systemd, to one
 * after the other. So the guard has it at the same time or within SOON_MS, and writes its number to
 * a pipe. A loaded machine may let the guard wait, so it is asked, too: the kernel calls its
 * handlers before it reads the question, so the number comes before the answer. */
#include "config.h"

#include "record/run_guard.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/units.h"
#include "record/run_command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SOON_MS 50
#define LATE_MS 5000 /* for the answer */
#define KEEP 'k'     /* the profiles stay */
#define ANSWER 0x80  /* added to the number of the question, which is that of a signal */

static const int told[RUN_GUARD_SIGNALS] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };

/* ---- in the guard ---- */

static int answers; /* the pipe, for the handler */

static void tell(int number)
{
	unsigned char byte = (unsigned char)number;
	int before = errno;

	if (write(answers, &byte, 1) < 0)
		errno = before;
	errno = before;
}

static void close_others(int in, int out)
{
	long most = sysconf(_SC_OPEN_MAX);
	int null = open("/dev/null", O_RDWR);

	for (int fd = 0; fd <= STDERR_FILENO && null >= 0; fd++)
		if (fd != in && fd != out)
			dup2(null, fd);
	for (int fd = STDERR_FILENO + 1; fd < (most > 0 && most < 4096 ? most : 4096); fd++)
		if (fd != in && fd != out)
			close(fd);
}

static void watch(const char *folder, int in, int out)
{
	struct sigaction action = { .sa_handler = tell };
	bool is_kept = false;
	sigset_t none;
	ssize_t n;
	unsigned char byte;

	close_others(in, out);
	answers = out;
	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < ARRAY_LEN(told); i++)
		sigaction(told[i], &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	while ((n = read(in, &byte, 1)) != 0)
		if (n > 0 && byte == KEEP)
			is_kept = true;
		else if (n > 0)
			tell(byte | ANSWER);
		else if (errno != EINTR)
			break;
	run_folder_clear(folder, is_kept);
	_exit(0);
}

/* ---- in the program ---- */

void run_guard_start(struct run_guard *guard, const char *folder)
{
	int to[2], from[2];

	*guard = (struct run_guard){ .to = -1, .from = -1 };
	if (pipe2(to, O_CLOEXEC) != 0)
		return;
	if (pipe2(from, O_CLOEXEC | O_NONBLOCK) != 0) {
		close(to[0]);
		close(to[1]);
		return;
	}
	guard->pid = fork();
	if (guard->pid == 0) {
		close(to[1]);
		close(from[0]);
		watch(folder, to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	if (guard->pid > 0) {
		guard->to = to[1];
		guard->from = from[0];
		return;
	}
	close(to[1]);
	close(from[0]);
	guard->pid = 0;
}

/* The place in told[]; if it is not there, the length of it. */
static size_t place_of(int number)
{
	size_t i = 0;

	while (i < ARRAY_LEN(told) && told[i] != number)
		i++;
	return i;
}

/* Count a number, or take an answer. Where a question was given up before, what came before its
 * answer is about a signal of then. */
static void take_byte(struct run_guard *guard, unsigned char byte)
{
	bool is_answer = byte & ANSWER;
	size_t i = place_of(byte & ~ANSWER);

	if (i == ARRAY_LEN(told))
		return;
	if (!is_answer)
		guard->n_seen[i]++;
	else if (guard->n_open > 0 && --guard->n_open > 0)
		guard->n_seen[i] = 0;
}

/* Returns false if the guard is gone. */
static bool read_pipe(struct run_guard *guard)
{
	unsigned char bytes[64];
	ssize_t n;

	while ((n = read(guard->from, bytes, sizeof bytes)) > 0)
		for (ssize_t i = 0; i < n; i++)
			take_byte(guard, bytes[i]);
	return n != 0;
}

static void ask(struct run_guard *guard, int number)
{
	unsigned char byte = (unsigned char)number;

	if (write(guard->to, &byte, 1) == 1)
		guard->n_open++;
}

static bool is_pending(int number)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && sigismember(&pending, number) == 1;
}

bool run_guard_saw(struct run_guard *guard, int number)
{
	struct pollfd wait = { .fd = guard->from, .events = POLLIN };
	int64_t begun = clock_ns(), rest;
	size_t i = place_of(number);
	bool has_seen;

	if (guard->pid == 0 || i == ARRAY_LEN(told))
		return false;
	ask(guard, number);
	while (read_pipe(guard) && (guard->n_open > 0 || guard->n_seen[i] == 0)) {
		rest = guard->n_open > 0 ? LATE_MS : SOON_MS;
		rest -= (clock_ns() - begun) / NS_PER_MS;
		if (rest <= 0)
			break;
		poll(&wait, 1, (int)rest);
	}
	has_seen = guard->n_seen[i] > 0;
	/* Signals that came in quick succession may be one here, and several there. */
	guard->n_seen[i] = has_seen && is_pending(number) ? guard->n_seen[i] - 1 : 0;
	return has_seen;
}

void run_guard_stop(struct run_guard *guard, bool is_kept)
{
	const char byte = KEEP;

	if (guard->pid == 0)
		return;
	if (is_kept && write(guard->to, &byte, 1) < 0)
		errno = 0;
	close(guard->to);
	close(guard->from);
	while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	guard->pid = 0;
}
