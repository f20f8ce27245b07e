/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The variables are set after fork(): what this program itself starts later does not record. That
 * it cannot be executed comes back through a pipe, which execvp() closes. */
#include "config.h"

#include "record/run_spawn.h"

#include "base/alloc.h"
#include "record/run_hook.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Deno ---- */

static bool is_deno(char **arguments, int n)
{
	const char *slash = n > 0 ? strrchr(arguments[0], '/') : NULL;
	const char *name = n > 0 ? (slash ? slash + 1 : arguments[0]) : "";

	return n > 1 && strcmp(name, "deno") == 0 &&
		(strcmp(arguments[1], "run") == 0 || strcmp(arguments[1], "eval") == 0 ||
		 strcmp(arguments[1], "serve") == 0);
}

char **run_spawn_arguments(char **arguments, int n, const char *profiles, int64_t interval_us,
			   char *texts[2])
{
	static const char cpu_prof[] = "--cpu-prof";
	char **list = xcalloc((size_t)n + 4, sizeof *list);
	struct buf folder = { 0 }, interval = { 0 };
	size_t at = 0;

	texts[0] = texts[1] = NULL;
	for (int i = 0; i < n; i++) {
		list[at++] = arguments[i];
		if (i != 1 || interval_us == 0 || !is_deno(arguments, n))
			continue;
		buf_addf(&folder, "--cpu-prof-dir=%s", profiles);
		buf_addf(&interval, "--cpu-prof-interval=%" PRId64, interval_us);
		list[at++] = (char *)(uintptr_t)cpu_prof;
		list[at++] = texts[0] = folder.data;
		list[at++] = texts[1] = interval.data;
	}
	return list;
}

/* ---- the command ---- */

static void set(const char *name, struct buf *value)
{
	setenv(name, buf_text(value), 1);
	buf_done(value);
}

static void set_variables(const struct run_spawn *spawn)
{
	struct buf value = { 0 };

	if (spawn->preload) {
		run_hook_node_options(spawn->preload, getenv("NODE_OPTIONS"), &value);
		set("NODE_OPTIONS", &value);
		setenv("FLAMETTY_RUN", spawn->folder, 1);
	}
	if (spawn->interval_us == 0)
		return;
	run_hook_bun_options(spawn->bun_folder, spawn->interval_us, getenv("BUN_OPTIONS"), &value);
	set("BUN_OPTIONS", &value);
}

static void become(const struct run_spawn *spawn, int result)
{
	int errnum;

	set_variables(spawn);
	signal(SIGCHLD, spawn->sigchld);
	signal(SIGPIPE, spawn->sigpipe);
	signal(SIGXFSZ, spawn->sigxfsz);
	sigprocmask(SIG_SETMASK, spawn->signals, NULL);
	execvp(spawn->arguments[0], spawn->arguments);
	errnum = errno;
	if (write(result, &errnum, sizeof errnum) < 0)
		_exit(126);
	_exit(127);
}

pid_t run_spawn(const struct run_spawn *spawn, int *status, struct error *err)
{
	int ends[2], errnum = 0;
	ssize_t n;
	pid_t pid;

	*status = 126;
	if (pipe2(ends, O_CLOEXEC) != 0) {
		error_errno(err, errno, "starting %s", spawn->arguments[0]);
		return -1;
	}
	pid = fork();
	if (pid == 0)
		become(spawn, ends[1]);
	errnum = pid < 0 ? errno : 0;
	close(ends[1]);
	do
		n = read(ends[0], &errnum, sizeof errnum);
	while (n < 0 && errno == EINTR);
	close(ends[0]);
	if (errnum == 0)
		return pid;
	if (pid > 0)
		waitpid(pid, NULL, 0);
	*status = errnum == ENOENT ? 127 : 126;
	error_errno(err, errnum, "starting %s", spawn->arguments[0]);
	return -1;
}
