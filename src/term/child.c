/* SPDX-License-Identifier: GPL-2.0-or-later */
/* While the program runs, keys that interrupt are for the program only, as system() has it. C-z
 * stops both, by the standard action of the signal.
 *
 * A program may also stop only itself. Then this process stops, too: otherwise the shell would not
 * take the terminal back. Whichever of the two is seen first, after SIGCONT the program is
 * continued once more, which does no harm.
 *
 * posix_spawn() copies no page tables: fork() takes long in a process with a large profile, and may
 * fail for want of memory. */
#include "config.h"

#include "term/child.h"

#include "base/alloc.h"
#include "term/tty.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* Not every C library declares it in unistd.h. */
extern char **environ; /* NOLINT(readability-redundant-declaration) */

/* What this process does about a signal meanwhile. */
static const struct {
	int number;
	void (*handler)(int);
} meanwhile[] = { { SIGINT, SIG_IGN }, { SIGQUIT, SIG_IGN }, { SIGTSTP, SIG_DFL } };

#define N_MEANWHILE ARRAY_LEN(meanwhile)

/* Change the actions of signals that are not ignored. Collects these in `taken`. */
static void take_signals(struct sigaction *before, sigset_t *taken)
{
	sigemptyset(taken);
	for (size_t i = 0; i < N_MEANWHILE; i++) {
		struct sigaction action = { .sa_handler = meanwhile[i].handler };

		sigaction(meanwhile[i].number, NULL, &before[i]);
		if (before[i].sa_handler == SIG_IGN)
			continue;
		sigaddset(taken, meanwhile[i].number);
		sigaction(meanwhile[i].number, &action, NULL);
	}
	tty_forget_signal(SIGCONT);
}

static void give_signals_back(const struct sigaction *before)
{
	for (size_t i = 0; i < N_MEANWHILE; i++)
		sigaction(meanwhile[i].number, &before[i], NULL);
	tty_forget_signal(SIGTSTP);
	tty_forget_signal(SIGCONT);
}

static int start(char *const *words, int in_fd, int out_fd, const sigset_t *taken, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	struct rlimit limit, none;
	bool is_limited = getrlimit(RLIMIT_DATA, &limit) == 0;
	int errnum;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in_fd, 0);
	posix_spawn_file_actions_adddup2(&files, out_fd, 1);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigdefault(&attr, taken);
	/* memory_limit() is for this program. */
	none = limit;
	none.rlim_cur = limit.rlim_max;
	if (is_limited)
		setrlimit(RLIMIT_DATA, &none);
	errnum = posix_spawnp(pid, words[0], &files, &attr, words, environ);
	if (is_limited)
		setrlimit(RLIMIT_DATA, &limit);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return errnum;
}

static bool wait_for(pid_t pid, int *status)
{
	for (;;) {
		pid_t ended = waitpid(pid, status, WUNTRACED);

		if (ended < 0 && errno == EINTR)
			continue;
		if (ended < 0 || !WIFSTOPPED(*status))
			return ended >= 0;
		if (!tty_has_signal(SIGCONT))
			raise(SIGTSTP);
		tty_forget_signal(SIGCONT);
		kill(pid, SIGCONT);
	}
}

bool child_run(char *const *words, int in_fd, int out_fd, int *status, struct error *err)
{
	struct sigaction before[N_MEANWHILE];
	sigset_t taken;
	pid_t pid;
	int errnum;

	take_signals(before, &taken);
	errnum = start(words, in_fd, out_fd, &taken, &pid);
	if (errnum)
		error_errno(err, errnum, "cannot run %s", words[0]);
	else if (!wait_for(pid, status))
		errnum = errno, error_errno(err, errno, "cannot wait for %s", words[0]);
	give_signals_back(before);
	return errnum == 0;
}
