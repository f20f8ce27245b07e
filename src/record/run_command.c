/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminal belongs to the command, which is in the process group of this program: the terminal
 * sends SIGINT to both. While the command runs, signals are blocked here and taken one by one with
 * sigtimedwait(), so no handler is needed. A signal that the whole group got is the command's own;
 * one that was sent to this process alone is passed on to the command, and to no other process: as
 * if the command had been started in the place of this program. */
#include "config.h"

#include "record/run_command.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/json/json_writer.h"
#include "base/message.h"
#include "base/sink.h"
#include "base/units.h"
#include "cli/run.h"
#include "record/child_watch.h"
#include "record/recording.h"
#include "record/remote/request_pull.h"
#include "record/run_place.h"
#include "record/run_tally.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* ==== run folder ====
 *
 * Paths are absolute: processes of the command may be anywhere. */

#define PROFILES "profiles"

static const char *const parts[] = { "notes", "chunks", "requests", "others", PROFILES };

/* mkdtemp() gives it the mode 0700. */
static bool make_own(struct run *run, struct run_command *command)
{
	char absolute[PATH_MAX];
	BUF_LOCAL path = { 0 };

	if (!recording_make_folder(NULL, &path) || !realpath(path.data, absolute))
		return recording_complain(run, path.data, errno, "a folder for the recording");
	command->folder = xstrdup(absolute);
	for (size_t i = 0; i < ARRAY_LEN(parts) && run->status == EXIT_OK; i++) {
		buf_clear(&path);
		buf_addf(&path, "%s/%s", command->folder, parts[i]);
		if (mkdir(path.data, 0700) != 0)
			recording_complain(run, path.data, errno, "a folder for the recording");
	}
	return run->status == EXIT_OK;
}

static bool find_profiles(struct run *run, struct run_command *command)
{
	const char *output = run->options.output;
	char absolute[PATH_MAX] = "";
	BUF_LOCAL path = { 0 };
	struct stat st;
	bool is_good;

	command->is_own = !output;
	if (output)
		buf_adds(&path, output);
	else
		buf_addf(&path, "%s/" PROFILES, command->folder);
	is_good = mkdir(buf_text(&path), output ? 0777 : 0700) == 0 || errno == EEXIST;
	if (is_good && stat(buf_text(&path), &st) == 0 && !S_ISDIR(st.st_mode)) {
		run_complain_usage(run, "--output wants a folder, not the file ", output, "");
		is_good = false;
	} else if (!is_good || !realpath(buf_text(&path), absolute) ||
		   access(absolute, W_OK | X_OK) != 0) {
		is_good = recording_complain(run, buf_text(&path), errno, "a folder for profiles");
	} else {
		command->profiles = xstrdup(absolute);
	}
	return is_good;
}

static void remove_all(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder)
		closedir(folder);
	rmdir(path);
}

/* Remove the folder; is_kept: all but the profiles in it. */
static void run_folder_clear(const char *folder, bool is_kept)
{
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		BUF_LOCAL path = { 0 };

		buf_addf(&path, "%s/%s", folder, parts[i]);
		if (!is_kept || strcmp(parts[i], PROFILES) != 0)
			remove_all(path.data);
	}
	remove_all(folder);
}

/* ==== run guard ====
 *
 * A signal for a group is sent to all its processes in one system call, or, by systemd, to one
 * after the other. So the guard has it at the same time or within SOON_MS, and writes its number to
 * a pipe. A loaded machine may let the guard wait, so it is asked, too: the kernel calls its
 * handlers before it reads the question, so the number comes before the answer. */

#define SOON_MS 50
#define LATE_MS 5000 /* for the answer */
#define KEEP 'k'     /* the profiles stay */
#define ANSWER 0x80  /* added to the number of the question, which is that of a signal */

static const int told[RUN_GUARD_SIGNALS] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };

/* ---- in the guard ---- */

static int answers; /* the pipe, for the handler */

static void tell_guard(int number)
{
	unsigned char byte = (unsigned char)number;
	int before = errno;

	if (write(answers, &byte, 1) < 0)
		errno = before;
	errno = before;
}

static void watch(const char *folder, int in, int out)
{
	struct sigaction action = { .sa_handler = tell_guard };
	bool is_kept = false;
	sigset_t none;
	ssize_t n;
	unsigned char byte;
	long most = sysconf(_SC_OPEN_MAX);
	int null = open("/dev/null", O_RDWR);

	for (int fd = 0; fd <= STDERR_FILENO && null >= 0; fd++)
		if (fd != in && fd != out)
			dup2(null, fd);
	for (int fd = STDERR_FILENO + 1; fd < (most > 0 && most < 4096 ? most : 4096); fd++)
		if (fd != in && fd != out)
			close(fd);
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
			tell_guard(byte | ANSWER);
		else if (errno != EINTR)
			break;
	run_folder_clear(folder, is_kept);
	_exit(0);
}

/* ---- in the program ---- */

/* Start it, before there are threads. folder: that of the run. Without one, signals count as sent
 * to this process alone. */
static void run_guard_start(struct run_guard *guard, const char *folder)
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

static bool is_pending(int number)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && sigismember(&pending, number) == 1;
}

/* Whether the group got this signal when this process did. Waits a moment. Call it for each signal
 * that this process takes, so that no other one is mistaken for it; the signals are blocked. */
static bool run_guard_saw(struct run_guard *guard, int number)
{
	struct pollfd wait = { .fd = guard->from, .events = POLLIN };
	int64_t begun = clock_ns(), rest;
	size_t i = place_of(number);
	bool has_seen;
	unsigned char byte;

	if (guard->pid == 0 || i == ARRAY_LEN(told))
		return false;
	byte = (unsigned char)number;
	if (write(guard->to, &byte, 1) == 1)
		guard->n_open++;
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

/* End it. is_kept: the profiles in the folder stay. A zeroed struct is left alone. */
static void run_guard_stop(struct run_guard *guard, bool is_kept)
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

/* ==== run hook ====
 *
 * The script is a function; what is written is a call of it. Its text is run_hook.cjs, which the
 * makefile turns into lines of C. */

struct run_hook {
	const char *folder;   /* of the run: see run_command.h */
	int64_t interval_us;  /* between samples */
	int64_t heap_bytes;   /* between samples of what is allocated; 0: record time instead */
	int64_t most_bytes;   /* of the chunks that a thread keeps; 0: all */
	const char *requests; /* recording_requests(); NULL: none */
};

static const char *const lines[] = {
#include "run_hook_lines.h"
};

/* Append the script, with the settings of this run. */
static void run_hook_write(const struct run_hook *hook, struct buf *out)
{
	struct json_writer w = { .out = out };
	BUF_LOCAL script = { 0 }, follow = { 0 };

	if (hook->requests) {
		request_pull_script(&script);
		buf_addf(&follow, "%s,atOnce:1}", hook->requests);
	}
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		buf_adds(out, lines[i]);
	json_put(&w, json_begin(NULL, "({"), json_string("folder", hook->folder),
		 json_integer("interval", hook->interval_us),
		 json_integer("heap", hook->heap_bytes), json_integer("most", hook->most_bytes),
		 json_if(script.len > 0, json_copy("requests", script.data, script.len)),
		 json_if(follow.len > 0, json_copy("follow", follow.data, follow.len)),
		 json_end("});\n"));
}

/* Node.js splits the value at blanks that are not between quotes; a backslash between them takes
 * the next character as it is. */
/* Append a value of NODE_OPTIONS that loads the script at `path`. before: the value so far; NULL:
 * none. */
static void run_hook_node_options(const char *path, const char *before, struct buf *out)
{
	buf_adds(out, "--require \"");
	for (; *path; path++) {
		if (*path == '"' || *path == '\\')
			buf_addc(out, '\\');
		buf_addc(out, *path);
	}
	buf_addc(out, '"');
	if (before && *before)
		buf_addf(out, " %s", before);
}

/* Append a value of BUN_OPTIONS by which Bun records itself. `folder`: where to, without blanks,
 * because Bun knows no way to quote them. before: as above. */
static void run_hook_bun_options(const char *folder, int64_t interval_us, const char *before,
				 struct buf *out)
{
	buf_addf(out, "--cpu-prof --cpu-prof-interval=%" PRId64 " --cpu-prof-dir=%s", interval_us,
		 folder);
	if (before && *before)
		buf_addf(out, " %s", before);
}

/* ==== run spawn ====
 *
 * The variables are set after fork(): what this program itself starts later does not record. That
 * it cannot be executed comes back through a pipe, which execvp() closes. */

struct run_spawn {
	char **arguments;    /* of the command; NULL after the last */
	const char *preload; /* path of the script of run_place.h; NULL: Node.js is not recorded */
	const char *folder;  /* of the run, with the script of the run */
	const char *bun_folder;  /* of the profiles, absolute, by a path without blanks */
	int64_t interval_us;     /* between samples; 0: Bun and Deno do not record themselves */
	const sigset_t *signals; /* the mask of the command */
	/* What it does on these signals: SIG_DFL or SIG_IGN. */
	void (*sigchld)(int), (*sigpipe)(int), (*sigxfsz)(int);
};

/* ---- Deno ---- */

static bool is_deno(char **arguments, int n)
{
	const char *slash = n > 0 ? strrchr(arguments[0], '/') : NULL;
	const char *name = n > 0 ? (slash ? slash + 1 : arguments[0]) : "";

	return n > 1 && strcmp(name, "deno") == 0 &&
		(strcmp(arguments[1], "run") == 0 || strcmp(arguments[1], "eval") == 0 ||
		 strcmp(arguments[1], "serve") == 0);
}

/* The arguments with the options by which `deno run`, `deno eval` and `deno serve` record
 * themselves; other commands as they are. The caller frees the list, not the arguments; added ones
 * are in `texts`, which the caller frees, too. profiles: the folder; interval_us: as above. */
static char **run_spawn_arguments(char **arguments, int n, const char *profiles,
				  int64_t interval_us, char *texts[2])
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

static void set_spawn(const char *name, struct buf *value)
{
	setenv(name, buf_text(value), 1);
	buf_done(value);
}

static void set_variables(const struct run_spawn *spawn)
{
	struct buf value = { 0 };

	if (spawn->preload) {
		run_hook_node_options(spawn->preload, getenv("NODE_OPTIONS"), &value);
		set_spawn("NODE_OPTIONS", &value);
		setenv("FLAMETTY_RUN", spawn->folder, 1);
	}
	if (spawn->interval_us == 0)
		return;
	run_hook_bun_options(spawn->bun_folder, spawn->interval_us, getenv("BUN_OPTIONS"), &value);
	set_spawn("BUN_OPTIONS", &value);
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

/* Start it. Returns its pid; -1 and err if it cannot be started: then *status is the exit status
 * that shells have for that, 127 without such a command, and 126 otherwise. */
static pid_t run_spawn(const struct run_spawn *spawn, int *status, struct error *err)
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

/* ==== run command ==== */

#define RECORDING_MAX ((int64_t)256 << 20)
#define LATE_NS (2 * NS_PER_S) /* for processes that write after the command has ended */
#define LATE_LOOK_NS (20 * NS_PER_MS)

/* The run while the command lasts. */
struct course {
	struct run_command *command;
	pid_t child;
	struct child_watch watch;
	bool has_no_user; /* it was ended by SIGTERM or SIGHUP */
	bool had_signal;
};

/* ---- the script ---- */

/* run_preload.cjs refuses a script that other users can change: its mode is not that of the umask.
 */
static bool write_hook(struct run *run, const char *path, const struct run_hook *hook)
{
	struct error err = ERROR_INIT;
	struct buf text = { 0 };
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0 || fchmod(fd, 0600) != 0) {
		error_errno(&err, errno, "cannot write");
	} else {
		run_hook_write(hook, &text);
		sink_print(fd, &text, &err);
	}
	if (fd >= 0 && close(fd) != 0 && err.kind == ERR_NONE)
		error_errno(&err, errno, "cannot write");
	buf_done(&text);
	if (err.kind != ERR_NONE)
		run_complain_output(run, path, &err);
	return err.kind == ERR_NONE;
}

/* Whether the command is one that records itself without the script. */
static bool is_other_runtime(const char *command)
{
	const char *slash = strrchr(command, '/'), *name = slash ? slash + 1 : command;

	return strcmp(name, "deno") == 0 || strcmp(name, "bun") == 0 || strcmp(name, "bunx") == 0;
}

/* Append the path of the script that loads the other one. Without a place for it nothing of Node.js
 * is recorded; then the command is not started, unless it may record itself. */
static bool find_preload(struct run *run, struct buf *path)
{
	struct error err = ERROR_INIT;
	BUF_LOCAL text = { 0 };
	bool is_good = run_place_find(path, &err);

	if (is_good)
		return true;
	buf_clear(path);
	buf_addf(&text,
		 "Node.js cannot be recorded: %s. FLAMETTY_HOOK names a folder that stays and that "
		 "all users can read, as in: FLAMETTY_HOOK=/opt/flametty",
		 err.text);
	is_good = is_other_runtime(run->options.files[0]);
	if (is_good)
		run_warn("%s", buf_text(&text));
	else
		run_complain(run, buf_text(&text));
	return is_good;
}

/* ---- while it runs ---- */

static const int signals_command[] = { SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP };

static void take_signal(struct course *c, const siginfo_t *info)
{
	int number = info->si_signo;
	bool is_of_group;

	if (number == SIGCHLD)
		return;
	c->had_signal = true;
	if (number == SIGTERM || number == SIGHUP)
		c->has_no_user = true;
	/* The guard has seen the signals of a terminal as well. */
	is_of_group = run_guard_saw(&c->command->guard, number) || info->si_code == SI_KERNEL;
	if (!is_of_group && c->child > 0)
		kill(c->child, number);
}

/* Wait for a signal at most `ns`, and take it. */
static void wait_for_signal(struct course *c, const sigset_t *set, int64_t ns)
{
	struct timespec most = { .tv_sec = (time_t)(ns / NS_PER_S),
				 .tv_nsec = (long)(ns % NS_PER_S) };
	siginfo_t info;

	if (sigtimedwait(set, &info, &most) > 0)
		take_signal(c, &info);
}

/* Whether the command has ended. */
static bool has_ended(struct course *c)
{
	int status;

	if (waitpid(c->child, &status, WNOHANG) != c->child)
		return false;
	c->command->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	c->command->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	c->child = 0;
	return true;
}

/* Signals that came meanwhile must not end this program now. */
static void unblock(struct course *c, const sigset_t *set, const sigset_t *before)
{
	const struct timespec none = { 0 };
	siginfo_t info;

	while (sigtimedwait(set, &info, &none) > 0)
		take_signal(c, &info);
	sigprocmask(SIG_SETMASK, before, NULL);
}

/* Start the command and wait for it. */
static bool follow(struct run *run, struct course *c, const struct run_spawn *wanted)
{
	struct run_spawn spawn = *wanted;
	struct sigaction chld = { .sa_handler = SIG_DFL }, old_chld = chld;
	struct error err = ERROR_INIT;
	sigset_t set, before;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_LEN(signals_command); i++)
		sigaddset(&set, signals_command[i]);
	sigprocmask(SIG_BLOCK, &set, &before);
	run_guard_start(&c->command->guard, c->command->folder);
	/* If it is ignored, the status of the command is lost. */
	sigaction(SIGCHLD, &chld, &old_chld);
	spawn.signals = &before;
	spawn.sigpipe = c->command->sigpipe;
	spawn.sigxfsz = c->command->sigxfsz;
	spawn.sigchld = old_chld.sa_handler == SIG_IGN ? SIG_IGN : SIG_DFL;
	c->child = run_spawn(&spawn, &c->command->status, &err);
	if (c->child > 0) {
		int64_t end;

		/* The command and the guard are outside: what they write is read inside. */
		run_limit_recording(run, false);
		c->watch.child = c->child;
		while (!has_ended(c)) {
			int64_t rest = child_watch_look(&c->watch);

			wait_for_signal(c, &set, rest > 0 ? rest : 1);
		}
		/* A command may end before those that it has started, which write yet. Those that
		 * got no signal and have nothing to do are services that stay. */
		end = clock_ns() + LATE_NS;
		run_tally_read(c->watch.tally, c->watch.notes);
		while (child_watch_has_living(&c->watch) && clock_ns() < end &&
		       (c->had_signal || c->command->signal != 0 ||
			!child_watch_is_settled(&c->watch))) {
			wait_for_signal(c, &set, LATE_LOOK_NS);
			run_tally_read(c->watch.tally, c->watch.notes);
		}
	}
	unblock(c, &set, &before);
	sigaction(SIGCHLD, &old_chld, NULL);
	if (err.kind != ERR_NONE)
		run_complain(run, err.text);
	return err.kind == ERR_NONE;
}

/* ---- the whole ---- */

/* Make profiles of what was recorded. */
static void collect(struct run *run, struct run_command *command, struct run_tally *tally)
{
	struct run_chunks chunks = { .folder = command->folder, .profiles = command->profiles };
	struct error err = ERROR_INIT;
	BUF_LOCAL summary = { 0 }, warnings = { 0 };
	bool is_named;

	if (!run_chunks_write(&chunks, tally, &err))
		run_complain(run, err.text);
	if (recording_requests(&run->options))
		run_chunks_requests(&chunks, run, tally);
	if (run_tally_has_failed(tally) || tally->is_gone)
		run->status = EXIT_FAILED;
	command->files = chunks.files;
	command->n_files = chunks.n_files;
	is_named = command->n_files > 0 && (!command->is_own || command->is_kept);
	run_tally_tell(tally, PROCESS_PROC, &summary, &warnings);
	if (chunks.n_cut > 0)
		buf_addf(&warnings, "%u profile%s the newest part only (--max-recording)\n",
			 chunks.n_cut, chunks.n_cut == 1 ? " is" : "s are");
	if (chunks.n_damaged > 0)
		buf_addf(&warnings, "%u slice%s could not be read\n", chunks.n_damaged,
			 chunks.n_damaged == 1 ? "" : "s");
	message_print("%s%s%s", buf_text(&summary), is_named ? " in " : "",
		      is_named ? command->profiles : "");
	run_warn_lines("", &warnings);
}

/* A path of the folder without blanks, for Bun: that of a descriptor of this process. */
static void name_for_bun(const char *folder, struct buf *out, int *fd)
{
	*fd = -1;
	if (strpbrk(folder, " \t\n"))
		*fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*fd >= 0)
		buf_addf(out, "/proc/%d/fd/%d", (int)getpid(), *fd);
	else
		buf_adds(out, folder);
}

static bool record(struct run *run, struct run_command *command, struct run_hook *settings)
{
	struct options *o = &run->options;
	BUF_LOCAL preload = { 0 }, hook = { 0 }, others = { 0 };
	struct buf notes = { 0 }, bun = { 0 };
	struct run_tally tally = { 0 };
	struct course c = { .command = command };
	char *texts[2];
	int fd;
	struct run_spawn spawn = { .interval_us = settings->interval_us };
	bool is_good;

	buf_addf(&hook, "%s/hook.cjs", command->folder);
	buf_addf(&notes, "%s/notes", command->folder);
	buf_addf(&others, "%s/others", command->folder);
	name_for_bun(others.data, &bun, &fd);
	settings->folder = command->folder;
	spawn.folder = command->folder;
	spawn.bun_folder = bun.data;
	spawn.arguments = run_spawn_arguments(o->files, o->n_files, others.data,
					      settings->interval_us, texts);
	is_good = find_preload(run, &preload) && write_hook(run, hook.data, settings);
	spawn.preload = preload.len > 0 ? preload.data : NULL;
	c.watch = (struct child_watch){ .notes = notes.data,
					.preload = spawn.preload,
					.folder = command->folder,
					.tally = &tally };
	run_tally_begin(&tally, PROCESS_PROC);
	is_good = is_good && follow(run, &c, &spawn);
	if (is_good) {
		command->is_kept = c.has_no_user && command->is_own;
		collect(run, command, &tally);
	}
	if (fd >= 0)
		close(fd);
	child_watch_done(&c.watch);
	run_tally_done(&tally);
	free(spawn.arguments);
	free(texts[0]);
	free(texts[1]);
	buf_done(&notes);
	buf_done(&bun);
	return is_good && command->n_files > 0 && !(c.has_no_user && run->is_interactive);
}

bool run_command_record(struct run *run, struct run_command *command)
{
	struct options *o = &run->options;
	struct termios terminal;
	bool has_terminal, is_good;
	struct run_hook settings = { 0 };
	struct error err = ERROR_INIT;

	*command = (struct run_command){ 0 };
	if (o->n_files == 0)
		return run_complain_usage(
			run, "run wants a command, as in: flametty run -- npm start", "", "");
	settings.most_bytes = o->max_recording < 0 ? RECORDING_MAX : o->max_recording;
	if (!recording_find_interval(o, &settings.interval_us, &settings.heap_bytes, &err))
		return run_complain_usage(run, "", err.text, "");
	settings.requests = recording_requests(o);
	if (settings.requests && o->is_heap)
		return run_complain_usage(run, "--requests goes with CPU profiles, not with --heap",
					  "", "");
	has_terminal = run->is_interactive && tcgetattr(STDIN_FILENO, &terminal) == 0;
	/* A pipe without a reader, or a file that may not grow, is an error of output. */
	command->sigpipe = signal(SIGPIPE, SIG_IGN);
	command->sigxfsz = signal(SIGXFSZ, SIG_IGN);
	is_good = make_own(run, command) && find_profiles(run, command) &&
		record(run, command, &settings);
	if (has_terminal)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal);
	o->files = command->files;
	o->n_files = command->n_files;
	/* The user has started what names the files. */
	if (run->rules)
		run->rules->is_own = true;
	return is_good && (!o->output || o->is_report || o->render_cols);
}

/* ---- the end ---- */

void run_command_done(struct run *run, struct run_command *command)
{
	if (command->guard.pid == 0 && command->folder)
		run_folder_clear(command->folder, command->is_kept);
	run_guard_stop(&command->guard, command->is_kept);
	for (int i = 0; i < command->n_files; i++)
		free(command->files[i]);
	free(command->files);
	free(command->folder);
	free(command->profiles);
	if (run->status == EXIT_OK || command->status != 0)
		run->status = command->status ? command->status : run->status;
	if (command->signal) {
		const struct rlimit none = { 0 };

		setrlimit(RLIMIT_CORE, &none);
		signal(command->signal, SIG_DFL);
		raise(command->signal);
	}
}
