/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminal belongs to the command, which is in the process group of this program: the terminal
 * sends SIGINT to both. While the command runs, signals are blocked here and taken one by one with
 * sigtimedwait(), so no handler is needed:
 *
 *   SIGINT, SIGQUIT  nothing; the command has its own. A second SIGINT within AGAIN_NS gives the
 *                    command PATIENCE_NS to end; then all of it is killed.
 *   SIGTERM, SIGHUP  are passed on. What was recorded is kept, because there is no user to look at
 *                    it.
 */
#include "config.h"

#include "run_command.h"

#include "base/alloc.h"
#include "base/amount.h"
#include "base/clock.h"
#include "base/message.h"
#include "base/sink.h"
#include "base/sort.h"
#include "base/units.h"
#include "run_folder.h"
#include "run_hook.h"
#include "run_place.h"
#include "run_spawn.h"
#include "run_watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define HEAP_BYTES 32768
#define HEAP_LEAST 1000
#define HEAP_MOST 1000000000
#define LOOK_NS (500 * NS_PER_MS)     /* between two looks at the processes */
#define LATE_NS (2 * NS_PER_S)        /* for processes that write after the command has ended */
#define LATE_PASSED_NS (4 * NS_PER_S) /* the same if they got a signal */
#define LATE_LOOK_NS (20 * NS_PER_MS)
#define AGAIN_NS (2 * NS_PER_S)
#define PATIENCE_NS (2 * NS_PER_S)

/* The run while the command lasts. */
struct course {
	struct run_command *command;
	pid_t child;
	struct run_watch watch;
	int64_t interrupted_ns; /* the last SIGINT; 0: none */
	int64_t kill_ns;        /* when all is killed; 0: never */
	int passed;             /* the signal that was passed on; 0: none */
};

/* ---- options ---- */

/* --heap: --interval is a number of bytes. */
static bool find_heap_bytes(struct run *run, int64_t *bytes)
{
	static const struct amount_unit unit = { AMOUNT_BYTES, 1 };
	const char *text = run->options.interval;

	*bytes = HEAP_BYTES;
	if (!text ||
	    (amount_parse(&unit, text, 0, bytes) && *bytes >= HEAP_LEAST && *bytes <= HEAP_MOST))
		return true;
	run_complain_usage(run, "--interval wants a size from 1kB to 1GB with --heap, not '", text,
			   "'");
	return false;
}

static bool find_interval(struct run *run, struct run_hook *hook)
{
	const char *text = run->options.interval;
	int64_t ns = OPTIONS_INTERVAL_US * NS_PER_US;

	if (run->options.is_heap)
		return find_heap_bytes(run, &hook->heap_bytes);
	if (text &&
	    (!units_parse_time(text, 0, &ns) || ns < OPTIONS_INTERVAL_LEAST_US * NS_PER_US ||
	     ns > NS_PER_S)) {
		run_complain_usage(run, "--interval wants a time from 10us to 1s, not '", text,
				   "'");
		return false;
	}
	hook->interval_us = ns / NS_PER_US;
	return true;
}

/* ---- the script ---- */

static bool write_hook(struct run *run, const char *path, const struct run_hook *hook)
{
	struct error err = ERROR_INIT;
	struct sink *sink = sink_open(path, false, &err);

	if (sink) {
		run_hook_write(hook, sink_buf(sink));
		sink_close(sink, &err);
	}
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
	struct buf text = { 0 };
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
	buf_done(&text);
	return is_good;
}

/* ---- files ---- */

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool has_name(char **names, int n, const char *name)
{
	return n > 0 && bsearch(&name, names, (size_t)n, sizeof *names, compare_names);
}

/* Append the names of profiles in the folder that are not among `before`, sorted. */
static int list_profiles(const char *path, char **before, int n_before, char ***names)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	size_t n = 0, cap = 0;

	*names = NULL;
	while (folder && (entry = readdir(folder))) {
		const char *end = strrchr(entry->d_name, '.');

		if (run_tally_pid_of(entry->d_name) == 0 ||
		    (strcmp(end, ".cpuprofile") != 0 && strcmp(end, ".heapprofile") != 0) ||
		    has_name(before, n_before, entry->d_name))
			continue;
		*names = xgrow(*names, &cap, n + 1, sizeof **names);
		(*names)[n++] = xstrdup(entry->d_name);
	}
	if (folder)
		closedir(folder);
	if (n > 0)
		qsort(*names, n, sizeof **names, compare_names);
	return (int)n;
}

static void free_names(char **names, int n)
{
	for (int i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

/* Make paths of the names, and count them for their processes. */
static void take_files(struct run_command *command, struct run_tally *tally, char **before,
		       int n_before)
{
	command->n_files = list_profiles(command->profiles, before, n_before, &command->files);
	for (int i = 0; i < command->n_files; i++) {
		struct buf path = { 0 };

		run_tally_process(tally, run_tally_pid_of(command->files[i]))->n_files++;
		buf_addf(&path, "%s/%s", command->profiles, command->files[i]);
		free(command->files[i]);
		command->files[i] = path.data;
	}
}

/* ---- while it runs ---- */

static const int signals[] = { SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP };

static void take_signal(struct course *c, int number)
{
	int64_t now = clock_ns();

	switch (number) {
	case SIGINT:
		if (c->interrupted_ns && now - c->interrupted_ns < AGAIN_NS && c->kill_ns == 0)
			c->kill_ns = now + PATIENCE_NS;
		c->interrupted_ns = now;
		break;
	case SIGTERM:
	case SIGHUP:
		c->passed = number;
		if (c->child > 0)
			kill(c->child, number);
		break;
	default:
		break;
	}
}

/* Wait for a signal at most `ns`, and take it. */
static void wait_for_signal(struct course *c, const sigset_t *set, int64_t ns)
{
	struct timespec most = { .tv_sec = (time_t)(ns / NS_PER_S),
				 .tv_nsec = (long)(ns % NS_PER_S) };
	int number = sigtimedwait(set, NULL, &most);

	if (number > 0)
		take_signal(c, number);
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

static void wait_for_command(struct course *c, const sigset_t *set)
{
	int64_t looked = clock_ns();

	while (!has_ended(c)) {
		int64_t now = clock_ns(), rest = looked + LOOK_NS - now;

		if (c->kill_ns && now >= c->kill_ns) {
			run_watch_kill(&c->watch);
			c->kill_ns = 0;
		}
		if (rest <= 0) {
			run_watch_look(&c->watch);
			looked = clock_ns();
		} else {
			wait_for_signal(c, set, rest);
		}
	}
}

/* A command may end before those that it has started, which write yet. npm and shells do not pass
 * on SIGTERM to all of them. */
static void wait_for_late(struct course *c, const sigset_t *set)
{
	int64_t end = clock_ns() + (c->passed ? LATE_PASSED_NS : LATE_NS), looked = clock_ns();

	run_tally_read(c->watch.tally, c->watch.notes);
	if (c->passed)
		run_watch_signal(&c->watch, c->passed);
	while (run_watch_has_living(&c->watch) && clock_ns() < end) {
		wait_for_signal(c, set, LATE_LOOK_NS);
		if (clock_ns() - looked >= LOOK_NS) {
			run_watch_look(&c->watch);
			looked = clock_ns();
		}
	}
	run_tally_read(c->watch.tally, c->watch.notes);
}

/* Signals that came meanwhile must not end this program now. */
static void unblock(struct course *c, const sigset_t *set, const sigset_t *before)
{
	const struct timespec none = { 0 };
	int number;

	while ((number = sigtimedwait(set, NULL, &none)) > 0)
		take_signal(c, number);
	sigprocmask(SIG_SETMASK, before, NULL);
}

/* Start the command and wait for it. */
static bool follow(struct run *run, struct course *c, const struct run_spawn *wanted)
{
	struct run_spawn spawn = *wanted;
	struct sigaction chld = { .sa_handler = SIG_DFL }, old_chld;
	struct error err = ERROR_INIT;
	sigset_t set, before;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, &before);
	/* If it is ignored, the status of the command is lost. */
	sigaction(SIGCHLD, &chld, &old_chld);
	spawn.signals = &before;
	spawn.sigchld = old_chld.sa_handler == SIG_IGN ? SIG_IGN : SIG_DFL;
	c->child = run_spawn(&spawn, &c->command->status, &err);
	if (c->child > 0) {
		c->watch.child = c->child;
		wait_for_command(c, &set);
		wait_for_late(c, &set);
	}
	unblock(c, &set, &before);
	sigaction(SIGCHLD, &old_chld, NULL);
	if (err.kind != ERR_NONE)
		run_complain(run, err.text);
	return err.kind == ERR_NONE;
}

/* ---- the whole ---- */

static void tell(const struct run_command *command, const struct run_tally *tally)
{
	struct buf summary = { 0 }, warnings = { 0 };
	bool is_named = command->n_files > 0 && (!command->is_own || command->is_kept);

	run_tally_tell(tally, "/proc", &summary, &warnings);
	message_print("%s%s%s", buf_text(&summary), is_named ? " in " : "",
		      is_named ? command->profiles : "");
	for (const char *line = buf_text(&warnings), *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		run_warn("%.*s", (int)(end - line), line);
	}
	buf_done(&summary);
	buf_done(&warnings);
}

/* A path of the folder without blanks, for Bun: that of a descriptor of this process. */
static void name_for_bun(const struct run_command *command, struct buf *out, int *fd)
{
	*fd = -1;
	if (strpbrk(command->profiles, " \t\n"))
		*fd = open(command->profiles, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*fd >= 0)
		buf_addf(out, "/proc/%d/fd/%d", (int)getpid(), *fd);
	else
		buf_adds(out, command->profiles);
}

static bool record(struct run *run, struct run_command *command, struct run_hook *settings)
{
	struct options *o = &run->options;
	struct buf preload = { 0 }, hook = { 0 }, notes = { 0 }, bun = { 0 };
	struct run_tally tally = { 0 };
	struct course c = { .command = command };
	char *texts[2], **before;
	int fd, n_before = list_profiles(command->profiles, NULL, 0, &before);
	struct run_spawn spawn = { .interval_us = settings->interval_us };
	bool is_good;

	buf_addf(&hook, "%s/hook.cjs", command->folder);
	buf_addf(&notes, "%s/notes", command->folder);
	name_for_bun(command, &bun, &fd);
	settings->notes = notes.data;
	settings->profiles = command->profiles;
	spawn.folder = command->folder;
	spawn.bun_folder = bun.data;
	spawn.arguments = run_spawn_arguments(o->files, o->n_files, command->profiles,
					      settings->interval_us, texts);
	run_watch_begin(&c.watch, 0, notes.data, &tally);
	is_good = find_preload(run, &preload) && write_hook(run, hook.data, settings);
	spawn.preload = preload.data;
	is_good = is_good && follow(run, &c, &spawn);
	if (is_good) {
		take_files(command, &tally, before, n_before);
		command->is_kept = c.passed != 0;
		tell(command, &tally);
	}
	if (fd >= 0)
		close(fd);
	run_watch_done(&c.watch);
	run_tally_done(&tally);
	free_names(before, n_before);
	free(spawn.arguments);
	free(texts[0]);
	free(texts[1]);
	buf_done(&preload);
	buf_done(&hook);
	buf_done(&notes);
	buf_done(&bun);
	return is_good && command->n_files > 0 && !(command->is_kept && run->is_interactive);
}

bool run_command_record(struct run *run, struct run_command *command)
{
	struct options *o = &run->options;
	struct termios terminal;
	bool has_terminal, is_good;
	struct run_hook settings = { 0 };

	*command = (struct run_command){ 0 };
	if (o->n_files == 0) {
		run_complain_usage(run, "run wants a command, as in: flametty run -- npm start", "",
				   "");
		return false;
	}
	if (!find_interval(run, &settings))
		return false;
	has_terminal = run->is_interactive && tcgetattr(STDIN_FILENO, &terminal) == 0;
	is_good = run_folder_make(run, command) && record(run, command, &settings);
	if (has_terminal)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal);
	o->files = command->files;
	o->n_files = command->n_files;
	return is_good && (!o->output || o->is_report || o->render_cols);
}

/* ---- the end ---- */

static void die_of(int number)
{
	const struct rlimit none = { 0 };

	setrlimit(RLIMIT_CORE, &none);
	signal(number, SIG_DFL);
	raise(number);
}

void run_command_done(struct run *run, struct run_command *command)
{
	run_folder_remove(command);
	free_names(command->files, command->n_files);
	free(command->folder);
	free(command->profiles);
	if (run->status == EXIT_OK || command->status != 0)
		run->status = command->status ? command->status : run->status;
	if (command->signal)
		die_of(command->signal);
}
