/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A signal for a group is sent to all its processes in one system call, or, by systemd, to one
 * after the other. So the guard has it at the same time, and says so within SOON_MS. */
#include "config.h"

#include "run_guard.h"

#include "base/alloc.h"
#include "run_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SOON_MS 50
#define KEEP 'k' /* the profiles stay */

static const int told[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };

/* ---- in the guard ---- */

static int answers; /* the pipe, for the handler */

static void tell(int number)
{
	char byte = (char)number;
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
	char byte;

	close_others(in, out);
	answers = out;
	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < ARRAY_LEN(told); i++)
		sigaction(told[i], &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	while ((n = read(in, &byte, 1)) != 0)
		if (n > 0)
			is_kept |= byte == KEEP;
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

bool run_guard_saw(struct run_guard *guard, int signal)
{
	struct pollfd wait = { .fd = guard->from, .events = POLLIN };
	bool has_seen = false;
	char byte;

	if (guard->pid == 0 || poll(&wait, 1, SOON_MS) <= 0)
		return false;
	while (read(guard->from, &byte, 1) == 1)
		has_seen |= byte == signal;
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
