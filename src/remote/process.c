/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A port belongs to a process if one of its descriptors is a socket with the inode that the table
 * of its network namespace names. All threads share the descriptors. */
#include "config.h"

#include "remote/process.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/sort.h"
#include "base/units.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_MOST 512
#define FILE_MOST (256 << 10)
#define SIGUSR1_BIT 0x200 /* bit 9 of the masks in /proc/PID/status */
#define COMMAND_MOST 4096

/* ---- files ---- */

static void make_path(char out[PATH_MOST], const char *proc, pid_t pid, const char *name)
{
	snprintf(out, PATH_MOST, "%s/%d/%s", proc, (int)pid, name);
}

/* Append a file of /proc, whose size is not known before it is read. */
static bool read_file(const char *proc, pid_t pid, const char *name, size_t most, struct buf *out)
{
	char path[PATH_MOST], piece[4096];
	ssize_t n = 0;
	int fd;

	make_path(path, proc, pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	while (out->len < most && (n = read(fd, piece, sizeof piece)) > 0)
		buf_add(out, piece, (size_t)n);
	close(fd);
	return n >= 0;
}

static bool read_link(const char *proc, pid_t pid, const char *name, struct buf *out)
{
	char path[PATH_MOST], text[PATH_MOST];
	ssize_t n;

	make_path(path, proc, pid, name);
	n = readlink(path, text, sizeof text);
	if (n > 0)
		buf_add(out, text, (size_t)n);
	return n > 0;
}

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
	p->is_zombie = *field(status, "State") == 'Z';
	p->is_blocked = (mask(status, "SigBlk") & SIGUSR1_BIT) != 0;
	p->takes_signal = (mask(status, "SigCgt") & SIGUSR1_BIT) != 0 && !p->is_blocked;
	if (len >= sizeof p->name)
		len = sizeof p->name - 1;
	memcpy(p->name, name, len);
	p->name[len] = '\0';
	/* One number for each nested namespace, the innermost last. */
	p->inner_pid = p->pid;
	for (char *end; isdigit((unsigned char)*inner); inner = end + strspn(end, " \t"))
		p->inner_pid = (pid_t)strtol(inner, &end, 10);
}

/* Fields 14, 15 and 22 count from 1; the second one is the name in parentheses, which may contain
 * anything. */
static void take_stat(struct process *p, const char *stat)
{
	const char *at = strrchr(stat, ')');
	uint64_t value[23] = { 0 };
	long ticks = sysconf(_SC_CLK_TCK);
	double second = ticks > 0 ? (double)ticks : 100;

	for (int i = 3; at && i <= 22; i++) {
		at = strchr(at, ' ');
		if (!at)
			break;
		value[i] = strtoull(++at, NULL, 10);
	}
	p->start_ticks = value[22];
	p->cpu_seconds = (double)(value[14] + value[15]) / second;
}

static double uptime(const char *proc)
{
	char path[PATH_MOST], line[64] = "";
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
	char path[PATH_MOST];
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	make_path(path, proc, pid, "task");
	dir = opendir(path);
	while (dir && !found && (entry = readdir(dir))) {
		char file[64];
		struct buf comm = { 0 };

		if (!isdigit((unsigned char)entry->d_name[0]) || strlen(entry->d_name) > 12)
			continue;
		snprintf(file, sizeof file, "task/%.12s/comm", entry->d_name);
		if (read_file(proc, pid, file, 64, &comm))
			found = strncmp(buf_text(&comm), name, strlen(name)) == 0;
		buf_done(&comm);
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
	char exe[PATH_MOST] = "";
	const char *base;

	snprintf(exe, sizeof exe, "%s", buf_text(&p->exe));
	if (ends_with(exe, " (deleted)"))
		exe[strlen(exe) - strlen(" (deleted)")] = '\0';
	base = strrchr(exe, '/');
	base = base ? base + 1 : exe[0] ? exe : p->name;
	for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
		size_t len = strlen(programs[i].name);

		/* `node20`, `node-22` */
		if (strncmp(base, programs[i].name, len) == 0 &&
		    strspn(base + len, "-.0123456789") == strlen(base + len))
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

const char *process_refusal(const struct process *process)
{
	if (process->is_zombie)
		return "it has ended";
	if (process->runtime == RUNTIME_NONE)
		return "it is no JavaScript runtime that is known";
	if (process->runtime == RUNTIME_BUN)
		return "Bun has no inspector that a signal opens";
	if (process->runtime == RUNTIME_CHROMIUM)
		return "Chromium is reached by HOST:PORT (--remote-debugging-port)";
	if (process->is_blocked)
		return "it blocks SIGUSR1 (--disable-sigusr1)";
	if (!process->takes_signal && process->runtime == RUNTIME_DENO)
		return "it has no handler for SIGUSR1: it is older than 2.9.2, starts just now, or "
		       "its first script has not returned to the loop";
	if (!process->takes_signal)
		return "it has no handler for SIGUSR1, which would end it: it starts just now, or "
		       "was started with --disable-sigusr1";
	return NULL;
}

/* ---- a process ---- */

bool process_read(const char *proc, pid_t pid, struct process *p, struct error *err)
{
	struct buf status = { 0 }, stat = { 0 }, own = { 0 }, other = { 0 };
	bool is_there;

	*p = (struct process){ .pid = pid };
	is_there = read_file(proc, pid, "status", FILE_MOST, &status) &&
		read_file(proc, pid, "stat", FILE_MOST, &stat);
	if (is_there) {
		long ticks = sysconf(_SC_CLK_TCK);

		take_status(p, buf_text(&status));
		take_stat(p, buf_text(&stat));
		p->age_seconds = uptime(proc) -
			(double)p->start_ticks / (double)(ticks > 0 ? ticks : 100);
		read_link(proc, pid, "exe", &p->exe);
		read_file(proc, pid, "cmdline", COMMAND_MOST, &p->command);
		for (size_t i = 0; i < p->command.len; i++)
			if (p->command.data[i] == '\0')
				p->command.data[i] = ' ';
		while (p->command.len > 0 && p->command.data[p->command.len - 1] == ' ')
			p->command.data[--p->command.len] = '\0';
		p->runtime = runtime_of(proc, p);
		p->is_other_netns = read_link(proc, pid, "ns/net", &other) &&
			read_link(proc, getpid(), "ns/net", &own) &&
			strcmp(buf_text(&own), buf_text(&other)) != 0;
	} else {
		error_set(err, ERR_IO, -1, "there is no process %d", (int)pid);
	}
	buf_done(&status);
	buf_done(&stat);
	buf_done(&own);
	buf_done(&other);
	return is_there;
}

void process_done(struct process *p)
{
	buf_done(&p->exe);
	buf_done(&p->command);
}

bool process_is_same(const char *proc, const struct process *p)
{
	struct process now = { .pid = p->pid };
	struct buf stat = { 0 };
	bool is_same = read_file(proc, p->pid, "stat", FILE_MOST, &stat);

	if (is_same) {
		take_stat(&now, buf_text(&stat));
		is_same = now.start_ticks == p->start_ticks;
	}
	buf_done(&stat);
	return is_same;
}

/* ---- ports ---- */

struct inodes {
	uint64_t *inode;
	size_t n, cap;
};

static bool read_inodes(const char *proc, pid_t pid, struct inodes *list)
{
	char path[PATH_MOST];
	struct dirent *entry;
	DIR *dir;

	make_path(path, proc, pid, "fd");
	dir = opendir(path);
	if (!dir)
		return false;
	while ((entry = readdir(dir))) {
		char name[64];
		struct buf link = { 0 };
		static const char socket[] = "socket:[";

		snprintf(name, sizeof name, "fd/%.32s", entry->d_name);
		if (entry->d_name[0] != '.' && read_link(proc, pid, name, &link) &&
		    strncmp(buf_text(&link), socket, strlen(socket)) == 0) {
			list->inode = xgrow(list->inode, &list->cap, list->n + 1,
					    sizeof *list->inode);
			list->inode[list->n++] = strtoull(buf_text(&link) + strlen(socket), NULL,
							  10);
		}
		buf_done(&link);
	}
	closedir(dir);
	return true;
}

static bool has_inode(const struct inodes *list, uint64_t inode)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->inode[i] == inode)
			return true;
	return false;
}

/* Whether an address of the table, 8 or 32 hexadecimal digits, is a loopback or any address: bytes
 * are in the order of the machine within each group of four. */
static bool is_local(const char *address)
{
	static const char *const local[] = { "00000000", "00000000000000000000000000000000",
					     "00000000000000000000000001000000" };

	if (strlen(address) == 8 && strcmp(address + 6, "7F") == 0)
		return true; /* 127.x.y.z */
	for (size_t i = 0; i < ARRAY_LEN(local); i++)
		if (strcmp(address, local[i]) == 0)
			return true;
	/* ::ffff:127.x.y.z */
	return strlen(address) == 32 && strncmp(address, "0000000000000000FFFF0000", 24) == 0 &&
		strcmp(address + 30, "7F") == 0;
}

/* A row of the table: `0: 0100007F:240D 00000000:0000 0A 00000000:00000000 00:00000000 00000000
 * 1000 0 501 ...`. Returns the port of a socket that listens at a local address and is in the list;
 * 0: it is none. */
static int port_of_row(char *row, const struct inodes *inodes)
{
	char *words[10] = { NULL }, *rest = NULL, *colon;
	size_t n = 0;

	for (char *word = strtok_r(row, " ", &rest); word && n < ARRAY_LEN(words);
	     word = strtok_r(NULL, " ", &rest))
		words[n++] = word;
	colon = n == ARRAY_LEN(words) ? strchr(words[1], ':') : NULL;
	if (!colon || strcmp(words[3], "0A") != 0 ||
	    !has_inode(inodes, strtoull(words[9], NULL, 10)))
		return 0;
	*colon = '\0';
	return is_local(words[1]) ? (int)strtol(colon + 1, NULL, 16) : 0;
}

static void add_ports(const char *proc, pid_t pid, const char *table, const struct inodes *inodes,
		      int ports[PROCESS_PORTS], int *n)
{
	struct buf text = { 0 };
	char *rest = NULL;

	read_file(proc, pid, table, (size_t)16 << 20, &text);
	for (char *row = text.data ? strtok_r(text.data, "\n", &rest) : NULL; row;
	     row = strtok_r(NULL, "\n", &rest)) {
		int port = port_of_row(row, inodes);
		bool is_known = port == 0;

		for (int i = 0; i < *n; i++)
			is_known |= ports[i] == port;
		if (!is_known && *n < PROCESS_PORTS)
			ports[(*n)++] = port;
	}
	buf_done(&text);
}

/* Inspectors first, then by number. */
static int compare_ports(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	bool is_x = x >= 9229 && x <= 9240, is_y = y >= 9229 && y <= 9240;

	return is_x != is_y ? (is_x ? -1 : 1) : (x > y) - (x < y);
}

int process_ports(const char *proc, const struct process *process, int ports[PROCESS_PORTS])
{
	struct inodes inodes = { 0 };
	int n = 0;

	if (!read_inodes(proc, process->pid, &inodes))
		return -1;
	add_ports(proc, process->pid, "net/tcp", &inodes, ports, &n);
	add_ports(proc, process->pid, "net/tcp6", &inodes, ports, &n);
	qsort(ports, (size_t)n, sizeof *ports, compare_ports);
	free(inodes.inode);
	return n;
}

static int compare_pids(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

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
