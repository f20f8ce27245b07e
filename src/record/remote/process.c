/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program is known by its name; one that bundles Node.js by the thread that waits for SIGUSR1. */
#include "config.h"

#include "record/remote/process.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/str.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* ==== proc file ====
 *
 * The size of a file of /proc is not known before it is read. */

void proc_file_path(char out[PROC_FILE_PATH], const char *proc, pid_t pid, const char *name)
{
	snprintf(out, PROC_FILE_PATH, "%s/%d/%s", proc, (int)pid, name);
}

bool proc_file_read(const char *proc, pid_t pid, const char *name, size_t most, struct buf *out)
{
	char path[PROC_FILE_PATH];
	int fd, errnum;
	bool ok;

	proc_file_path(path, proc, pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ok = buf_add_file(out, fd, most);
	errnum = errno;
	close(fd);
	errno = errnum;
	return ok;
}

bool proc_file_link(const char *proc, pid_t pid, const char *name, struct buf *out)
{
	char path[PROC_FILE_PATH], text[PROC_FILE_PATH];
	ssize_t n;

	proc_file_path(path, proc, pid, name);
	n = readlink(path, text, sizeof text);
	if (n > 0)
		buf_add(out, text, (size_t)n);
	return n > 0;
}

/* ==== process ==== */

#define FILE_MAX (256 << 10)
#define SIGUSR1_BIT 0x200 /* bit 9 of the masks in /proc/PID/status */
#define COMMAND_MAX 4096
#define FORKED 0x40 /* PF_FORKNOEXEC of the kernel, in the flags of /proc/PID/stat */

/* ---- status and stat ---- */

/* The text after `name:` and blanks in /proc/PID/status; "" if there is none. */
static const char *field(const char *status, const char *name)
{
	size_t len = strlen(name);

	for (const char *line = status; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, name, len) == 0 && line[len] == ':')
			return line + len + 1 + strspn(line + len + 1, " \t");
	}
	return "";
}

static uint64_t mask(const char *status, const char *name)
{
	return strtoull(field(status, name), NULL, 16);
}

static void take_status(struct process *p, const char *status)
{
	const char *inner = field(status, "NSpid");
	const char *name = field(status, "Name");
	size_t len = strcspn(name, "\n");

	p->uid = (uid_t)strtoul(field(status, "Uid"), NULL, 10);
	p->parent = (pid_t)strtol(field(status, "PPid"), NULL, 10);
	p->resident_kb = strtoll(field(status, "VmRSS"), NULL, 10);
	p->is_blocked = (mask(status, "SigBlk") & SIGUSR1_BIT) != 0;
	p->takes_signal = (mask(status, "SigCgt") & SIGUSR1_BIT) != 0;
	if (len >= sizeof p->name)
		len = sizeof p->name - 1;
	memcpy(p->name, name, len);
	p->name[len] = '\0';
	/* One number for each nested namespace, the innermost last. */
	p->inner_pid = p->pid;
	for (char *end; isdigit((unsigned char)*inner); inner = end + strspn(end, " \t"))
		p->inner_pid = (pid_t)strtol(inner, &end, 10);
}

#define FIELDS 24

/* Fields from the fourth on, which count from 1; the second one is the name in parentheses, which
 * may contain anything. Returns where the third is, or NULL. */
static const char *take_fields(const char *stat, uint64_t value[FIELDS])
{
	const char *name_end = strrchr(stat, ')'), *at = name_end;

	for (int i = 3; at && i < FIELDS; i++) {
		at = strchr(at, ' ');
		if (!at)
			break;
		value[i] = strtoull(++at, NULL, 10);
	}
	return name_end && name_end[1] == ' ' ? name_end + 2 : NULL;
}

static void take_stat(struct process *p, const char *stat)
{
	uint64_t value[FIELDS] = { 0 };
	const char *state = take_fields(stat, value);
	long ticks = sysconf(_SC_CLK_TCK);
	double second = ticks > 0 ? (double)ticks : 100;

	p->state = state ? *state : '?';
	p->is_zombie = p->state == 'Z' || p->state == 'X';
	p->is_fork = (value[9] & FORKED) != 0;
	p->start_ticks = value[22];
	p->cpu_seconds = (double)(value[14] + value[15]) / second;
}

static double uptime(const char *proc)
{
	char path[PROC_FILE_PATH], line[64] = "";
	int fd;
	ssize_t n = 0;

	snprintf(path, sizeof path, "%s/uptime", proc);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, line, sizeof line - 1);
		close(fd);
	}
	return n > 0 ? strtod(line, NULL) : 0;
}

/* ---- runtimes ---- */

static bool has_thread(const char *proc, pid_t pid, const char *name)
{
	char path[PROC_FILE_PATH];
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	proc_file_path(path, proc, pid, "task");
	dir = opendir(path);
	while (dir && !found && (entry = readdir(dir))) {
		char file[64];
		BUF_LOCAL comm = { 0 };

		if (!isdigit((unsigned char)entry->d_name[0]) || strlen(entry->d_name) > 12)
			continue;
		snprintf(file, sizeof file, "task/%.12s/comm", entry->d_name);
		if (proc_file_read(proc, pid, file, 64, &comm))
			found = str_begins((struct str){ comm.data, comm.len }, name);
	}
	if (dir)
		closedir(dir);
	return found;
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

/* By the name of the program; `node (deleted)` is a Node.js that was updated while it ran. */
static enum process_runtime runtime_of(const char *proc, const struct process *p)
{
	static const struct {
		const char *name;
		enum process_runtime runtime;
	} programs[] = {
		{ "node", RUNTIME_NODE },         { "nodejs", RUNTIME_NODE },
		{ "deno", RUNTIME_DENO },         { "bun", RUNTIME_BUN },
		{ "electron", RUNTIME_ELECTRON }, { "chrome", RUNTIME_CHROMIUM },
		{ "chromium", RUNTIME_CHROMIUM }, { "headless_shell", RUNTIME_CHROMIUM },
	};
	char exe[PROC_FILE_PATH] = "";
	const char *base;

	snprintf(exe, sizeof exe, "%s", buf_text(&p->exe));
	if (ends_with(exe, " (deleted)"))
		exe[strlen(exe) - strlen(" (deleted)")] = '\0';
	base = strrchr(exe, '/');
	base = base ? base + 1 : exe[0] ? exe : p->name;
	for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
		size_t len = strlen(programs[i].name);
		const char *rest;

		/* `node20`, `node-22`; `bun.exe`, as npm installs it on all systems */
		if (strncmp(base, programs[i].name, len) != 0)
			continue;
		rest = base + len;
		rest += strspn(rest, "-.0123456789");
		if (*rest == '\0' || strcmp(base + len, ".exe") == 0)
			return programs[i].runtime;
	}
	return has_thread(proc, p->pid, "SignalInspector") ? RUNTIME_NODE : RUNTIME_NONE;
}

const char *process_runtime_word(enum process_runtime runtime)
{
	static const char *const words[] = {
		[RUNTIME_NONE] = "-",
		[RUNTIME_NODE] = "node",
		[RUNTIME_DENO] = "deno",
		[RUNTIME_BUN] = "bun",
		[RUNTIME_ELECTRON] = "electron",
		[RUNTIME_CHROMIUM] = "chromium",
	};

	return words[runtime];
}

/* ---- a process ---- */

bool process_read(const char *proc, pid_t pid, struct process *p, struct error *err)
{
	BUF_LOCAL own = { 0 }, status = { 0 }, stat = { 0 };
	bool is_there;

	*p = (struct process){ .pid = pid };
	is_there = proc_file_read(proc, pid, "status", FILE_MAX, &status) &&
		proc_file_read(proc, pid, "stat", FILE_MAX, &stat);
	if (is_there) {
		long ticks = sysconf(_SC_CLK_TCK);

		take_status(p, buf_text(&status));
		take_stat(p, buf_text(&stat));
		p->age_seconds = uptime(proc) -
			(double)p->start_ticks / (double)(ticks > 0 ? ticks : 100);
		proc_file_link(proc, pid, "exe", &p->exe);
		proc_file_read(proc, pid, "cmdline", COMMAND_MAX, &p->command);
		for (size_t i = 0; i < p->command.len; i++)
			if (p->command.data[i] == '\0')
				p->command.data[i] = ' ';
		while (p->command.len > 0 && p->command.data[p->command.len - 1] == ' ')
			p->command.data[--p->command.len] = '\0';
		p->runtime = runtime_of(proc, p);
		p->is_other_netns = proc_file_link(proc, pid, "ns/net", &p->netns) &&
			proc_file_link(proc, getpid(), "ns/net", &own) &&
			strcmp(buf_text(&own), buf_text(&p->netns)) != 0;
	} else {
		error_set(err, ERR_IO, -1, "there is no process %d", (int)pid);
	}
	return is_there;
}

/* Whether a process cannot be told to have ended: its files are there, or may be, as when this
 * program has no descriptor left. For after proc_file_read() has failed. */
static bool may_be_there(void)
{
	return errno != ENOENT && errno != ESRCH && errno != ENOTDIR;
}

bool process_is_same(const char *proc, const struct process *p)
{
	struct process now = { .pid = p->pid };
	BUF_LOCAL stat = { 0 };

	if (!proc_file_read(proc, p->pid, "stat", FILE_MAX, &stat))
		return may_be_there();
	take_stat(&now, buf_text(&stat));
	return now.start_ticks == p->start_ticks && !now.is_zombie;
}

const char *process_change(const char *proc, const struct process *p, bool *is_blocked)
{
	struct process now = { .pid = p->pid };
	BUF_LOCAL status = { 0 }, exe = { 0 };
	const char *why = NULL;

	if (!process_is_same(proc, p) || !proc_file_read(proc, p->pid, "status", FILE_MAX, &status))
		why = "it has ended";
	else
		take_status(&now, buf_text(&status));
	/* A process that ends has lost its program before anything else tells of it. */
	if (!proc_file_link(proc, p->pid, "exe", &exe) && p->exe.len > 0)
		why = "it has ended";
	if (!why && strcmp(buf_text(&exe), buf_text(&p->exe)) != 0)
		why = "it is another program now, as after exec(): nothing was sent";
	else if (!why && !now.takes_signal)
		why = "it has no handler for SIGUSR1 any more: nothing was sent";
	*is_blocked = now.is_blocked;
	return why;
}

/* ---- PID namespaces ---- */

uint64_t process_space_number(const char *link)
{
	static const char begin[] = "pid:[";

	return strncmp(link, begin, strlen(begin)) == 0 ? strtoull(link + strlen(begin), NULL, 10)
							: 0;
}

uint64_t process_space(const char *proc, pid_t pid)
{
	BUF_LOCAL link = { 0 };
	uint64_t number = 0;

	if (proc_file_link(proc, pid, "ns/pid", &link))
		number = process_space_number(buf_text(&link));
	return number;
}

bool process_is_own_proc(const char *proc)
{
	char path[PROC_FILE_PATH], text[32];
	ssize_t n;

	snprintf(path, sizeof path, "%s/self", proc);
	n = readlink(path, text, sizeof text - 1);
	if (n < 0)
		return true;
	text[n] = '\0';
	return strtol(text, NULL, 10) == (long)getpid();
}

/* ---- what it does ---- */

/* The kernel names the function in which the thread sleeps, or says 0. */
static enum process_doing sleeps_in(const char *proc, pid_t pid)
{
	BUF_LOCAL wait = { 0 };
	const char *name;
	enum process_doing doing;

	proc_file_read(proc, pid, "wchan", FILE_MAX, &wait);
	name = buf_text(&wait);
	doing = strstr(name, "epoll") || strstr(name, "ep_poll") ? PROCESS_POLLS
		: strstr(name, "futex")                          ? PROCESS_LOCKED
								 : PROCESS_RUNS;
	return doing;
}

enum process_doing process_doing(const char *proc, const struct process *p)
{
	struct process now = { .pid = p->pid };
	BUF_LOCAL stat = { 0 };
	enum process_doing doing = PROCESS_RUNS;

	if (proc_file_read(proc, p->pid, "stat", FILE_MAX, &stat))
		take_stat(&now, buf_text(&stat));
	else if (may_be_there())
		return PROCESS_RUNS;
	if (stat.len == 0 || now.is_zombie || now.start_ticks != p->start_ticks)
		doing = PROCESS_ENDED;
	else if (now.state == 'T' || now.state == 't')
		doing = PROCESS_STOPPED;
	else if (now.state == 'S')
		doing = sleeps_in(proc, p->pid);
	return doing;
}

struct process_size process_size(const char *proc, const struct process *p)
{
	uint64_t value[FIELDS] = { 0 };
	BUF_LOCAL stat = { 0 };

	if (proc_file_read(proc, p->pid, "stat", FILE_MAX, &stat))
		take_fields(buf_text(&stat), value);
	return (struct process_size){ value[23], value[20] };
}

bool process_has_room(const char *proc)
{
	char path[PROC_FILE_PATH], text[64] = "";
	long n_processors = sysconf(_SC_NPROCESSORS_ONLN);
	const char *at = text;
	int fd;

	snprintf(path, sizeof path, "%s/loadavg", proc);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		if (read(fd, text, sizeof text - 1) < 0)
			text[0] = '\0';
		close(fd);
	}
	/* Three averages stand before the number of those that run. */
	for (int i = 0; i < 3 && at; i++)
		at = strchr(at + (i > 0), ' ');
	return !at || strtol(at, NULL, 10) <= n_processors;
}

bool process_has_signal(const char *proc, const struct process *p)
{
	BUF_LOCAL status = { 0 };

	return proc_file_read(proc, p->pid, "status", FILE_MAX, &status) &&
		((mask(buf_text(&status), "ShdPnd") | mask(buf_text(&status), "SigPnd")) &
		 SIGUSR1_BIT) != 0;
}

static bool read_children(const char *proc, const struct process *p, struct buf *list)
{
	char name[64];

	snprintf(name, sizeof name, "task/%d/children", (int)p->pid);
	return proc_file_read(proc, p->pid, name, FILE_MAX, list) && list->len > 0;
}

bool process_has_children(const char *proc, const struct process *p)
{
	BUF_LOCAL list = { 0 };

	return read_children(proc, p, &list);
}

static bool read_environment(const char *proc, pid_t pid, struct buf *environment)
{
	if (!proc_file_read(proc, pid, "environ", FILE_MAX, environment))
		return false;
	buf_addc(environment, '\0');
	return true;
}

/* The value of the next variable with a name, `NAME=`, from `at` on; NULL: there is none. */
static const char *next_variable(const struct buf *environment, const char *at, const char *name)
{
	for (const char *end = environment->data + environment->len; at < end; at += strlen(at) + 1)
		if (strncmp(at, name, strlen(name)) == 0)
			return at + strlen(name);
	return NULL;
}

bool process_is_worker(const char *proc, pid_t pid)
{
	BUF_LOCAL environment = { 0 };

	/* child_process.fork() of cluster.fork() sets it. */
	return read_environment(proc, pid, &environment) &&
		next_variable(&environment, environment.data, "NODE_UNIQUE_ID=");
}

size_t process_cluster(const char *proc, const struct process *p, pid_t **pids)
{
	BUF_LOCAL list = { 0 };
	size_t n = 0, cap = 0;
	char *at, *end;

	*pids = NULL;
	if (!read_children(proc, p, &list))
		return 0;
	buf_addc(&list, '\0');
	for (at = list.data;; at = end) {
		long pid = strtol(at, &end, 10);

		if (end == at)
			return n;
		if (process_is_worker(proc, (pid_t)pid))
			*ARRAY_ADD(*pids, n, cap) = (pid_t)pid;
	}
}

/* ---- where its inspector would be ---- */

/* Whether a word is the option `name`, in which Node.js takes `_` for `-`. */
static bool is_option(const char *word, size_t len, const char *name)
{
	if (len != strlen(name))
		return false;
	for (size_t i = 0; i < len; i++)
		if (word[i] != name[i] && !(i > 1 && word[i] == '_' && name[i] == '-'))
			return false;
	return true;
}

static bool is_among(const char *word, size_t len, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_option(word, len, names[i]))
			return true;
	return false;
}

/* Whether the next word is the value of this one. */
static bool takes_next(const char *word)
{
	static const char *const names[] = {
		"-r",
		"--require",
		"--import",
		"-e",
		"--eval",
		"-p",
		"-pe",
		"--print",
		"-C",
		"--conditions",
		"--loader",
		"--experimental-loader",
		"--inspect-port",
		"--debug-port",
		"--env-file",
		"--env-file-if-exists",
		"--input-type",
		"--title",
		"--icu-data-dir",
		"--openssl-config",
		"--dns-result-order",
		"--unhandled-rejections",
		"--redirect-warnings",
		"--diagnostic-dir",
		"--disable-proto",
		"--max-http-header-size",
		"--watch-path",
		"--experimental-default-type",
	};

	return is_among(word, strlen(word), names, ARRAY_LEN(names));
}

/* Take `9230`, `127.0.0.1:9230`, `[::1]:9230` or `127.0.0.1`. */
static void take_place(struct process_inspector *place, const char *value)
{
	const char *colon = strrchr(value, ':'), *digits = colon ? colon + 1 : value;
	size_t len = colon ? (size_t)(colon - value) : 0;

	if (*digits == '\0' || digits[strspn(digits, "0123456789")] != '\0')
		len = strlen(value);
	else
		place->port = (int)strtol(digits, NULL, 10);
	if (len > 1 && value[0] == '[' && value[len - 1] == ']') {
		value++;
		len -= 2;
	}
	if (len > 0)
		snprintf(place->host, sizeof place->host, "%.*s", (int)len, value);
}

/* One word of the options; `next`: the one after it, or "". */
static void take_option(struct process_inspector *place, const char *word, const char *next)
{
	static const char *const ports[] = { "--inspect-port", "--debug-port" };
	static const char *const opens[] = { "--inspect", "--inspect-brk", "--inspect-wait",
					     "--remote-debugging-port" };
	static const char *const waits[] = { "--inspect-brk", "--inspect-wait" };
	size_t len = strcspn(word, "=");

	place->opens |= is_among(word, len, opens, ARRAY_LEN(opens));
	if (word[len] == '=' &&
	    (is_among(word, len, ports, ARRAY_LEN(ports)) ||
	     is_among(word, len, opens, ARRAY_LEN(opens))))
		take_place(place, word + len + 1);
	else if (word[len] == '\0' && is_among(word, len, ports, ARRAY_LEN(ports)))
		take_place(place, next);
	place->waits |= is_among(word, len, waits, ARRAY_LEN(waits));
	place->is_runner |= is_option(word, len, "--run");
	place->is_watcher |= is_option(word, len, "--watch") ||
		is_option(word, len, "--watch-path");
}

/* Words that end with a NUL each; of an option that is given twice the last one counts.
 * is_command: the first word is the program, and those from the script on are not for it. */
static void take_words(struct process_inspector *place, const struct buf *words, bool is_command)
{
	const char *at = buf_text(words), *end = at + words->len;

	if (is_command)
		at += strlen(at) + 1;
	while (at < end) {
		const char *next = at + strlen(at) + 1;
		bool has_value = takes_next(at) && next < end;

		if (is_command && (*at != '-' || strcmp(at, "--") == 0))
			break;
		take_option(place, at, next < end ? next : "");
		at = has_value ? next + strlen(next) + 1 : next;
	}
}

/* The words of NODE_OPTIONS: blanks are between them, except in double quotes. */
static void split_words(const char *text, struct buf *words)
{
	bool is_quoted = false;

	for (; *text; text++) {
		if (*text == '"')
			is_quoted = !is_quoted;
		else if (*text == '\\' && is_quoted && text[1])
			buf_addc(words, *++text);
		else if (*text == ' ' && !is_quoted)
			buf_addc(words, '\0');
		else
			buf_addc(words, *text);
	}
	buf_addc(words, '\0');
}

void process_inspector_find(const char *proc, const struct process *p,
			    struct process_inspector *place)
{
	BUF_LOCAL command = { 0 }, words = { 0 }, environment = { 0 };

	*place = (struct process_inspector){ .port = PROCESS_PORT };
	if (read_environment(proc, p->pid, &environment)) {
		for (const char *at = environment.data;
		     (at = next_variable(&environment, at, "NODE_OPTIONS=")) != NULL;
		     at += strlen(at) + 1)
			split_words(at, &words);
		take_words(place, &words, false);
	}
	if (proc_file_read(proc, p->pid, "cmdline", FILE_MAX, &command)) {
		buf_addc(&command, '\0');
		take_words(place, &command, true);
	}
}

bool process_inspector_is_local(const struct process_inspector *place)
{
	return place->host[0] == '\0' || strcmp(place->host, "localhost") == 0 ||
		strncmp(place->host, "127.", 4) == 0 || strcmp(place->host, "::1") == 0;
}

/* ---- what must not be signalled ---- */

const char *process_refusal(const char *proc, const struct process *process)
{
	struct process_inspector place;

	if (process->is_zombie)
		return "it has ended";
	if (process->runtime == RUNTIME_NONE)
		return "it is no JavaScript runtime that is known";
	if (process->runtime == RUNTIME_BUN)
		return "Bun has no inspector that a signal opens";
	if (process->runtime == RUNTIME_CHROMIUM)
		return "Chromium is reached by HOST:PORT (--remote-debugging-port)";
	process_inspector_find(proc, process, &place);
	if (process->runtime == RUNTIME_NODE && place.is_watcher)
		return "it only starts the program again when files change (--watch): its child is "
		       "the program";
	if (process->runtime == RUNTIME_NODE && place.is_runner)
		return "it only runs a command of package.json (--run), which starts the program";
	if (process->is_blocked)
		return "it blocks SIGUSR1: it starts just now, or was started with "
		       "--disable-sigusr1";
	if (!process->takes_signal && process->runtime == RUNTIME_DENO)
		return "it has no handler for SIGUSR1: it is older than 2.9.2, starts just now, or "
		       "its first script has not returned to the loop";
	if (!process->takes_signal)
		return "it has no handler for SIGUSR1, which would end it: it starts just now, or "
		       "was started with --disable-sigusr1";
	return NULL;
}

/* ---- all of them ---- */

SORT_ORDER(compare_pids, pid_t, SORT_BY_1(*x, *y))

size_t process_list(const char *proc, pid_t **pids)
{
	size_t n = 0, cap = 0;
	struct dirent *entry;
	DIR *dir = opendir(proc);

	*pids = NULL;
	while (dir && (entry = readdir(dir))) {
		char *end;
		long pid = strtol(entry->d_name, &end, 10);

		if (*end != '\0' || pid <= 0 || pid > INT32_MAX)
			continue;
		*pids = xgrow(*pids, &cap, n + 1, sizeof **pids);
		(*pids)[n++] = (pid_t)pid;
	}
	if (dir)
		closedir(dir);
	if (n > 0)
		qsort(*pids, n, sizeof **pids, compare_pids);
	return n;
}
