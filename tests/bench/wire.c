/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a key costs on the wire: the program runs on a pseudo-terminal, and everything that it
 * writes until it pauses is the response to the key. This file plays the terminal: it counts the
 * bytes and answers status requests. */
#include "config.h"

#include "subjects.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define MS INT64_C(1000000)
#define QUIET_MS 80 /* the response is complete after this pause */
/* Pause before the first picture: sums are computed first, without output. */
#define START_QUIET_MS 1500
#define FIRST_MS 1000 /* limit until the first byte; after it there is no response */
#define START_MS 60000
#define LONGEST_NS (10000 * MS)
#define END_NS (3000 * MS)
#define MAX_KEYS 16 /* most keys of one kind */

/* The keys, in this order. WIRE_COUNT: only preparation, not counted. */
static const struct {
	enum wire_id id;
	const char *key;
	int times;
} steps[] = {
	{ WIRE_ZOOM, "w", 6 },     { WIRE_PAN, "d", 4 },      { WIRE_PAN, "a", 4 },
	{ WIRE_PAN_HALF, "D", 2 }, { WIRE_PAN_HALF, "A", 2 }, { WIRE_SPAN, "j", 4 },
	{ WIRE_SPAN, "l", 4 },     { WIRE_SPAN, "h", 2 },     { WIRE_SPAN, "k", 2 },
	{ WIRE_TAB, "\t", 3 },     { WIRE_ROW, "j", 4 },      { WIRE_ROW, "k", 3 },
	{ WIRE_OPEN, "l", 1 },     { WIRE_ROW, "j", 1 },      { WIRE_OPEN, "l", 1 },
	{ WIRE_ROW, "j", 1 },      { WIRE_OPEN, "l", 1 },     { WIRE_COUNT, "\t", 1 },
	{ WIRE_COUNT, "/", 1 },    { WIRE_TYPED, "p", 1 },    { WIRE_TYPED, "a", 1 },
	{ WIRE_TYPED, "r", 1 },    { WIRE_TYPED, "s", 1 },    { WIRE_TYPED, "e", 1 },
	{ WIRE_COUNT, "\r", 1 },   { WIRE_MATCH, "n", 5 },    { WIRE_HELP, "?", 1 },
	{ WIRE_HELP_END, "q", 1 }, { WIRE_HELP, "?", 1 },     { WIRE_HELP_END, "q", 1 },
};

struct wire {
	int fd;
	pid_t pid;
	bool has_ended;
	char tail[3]; /* end of what was read, for a request that arrives in two pieces */
	size_t n_tail;
	struct wire_cost runs[WIRE_COUNT][MAX_KEYS];
	int n_runs[WIRE_COUNT];
};

static void run_program(const char *terminal, const char *program, const char *path)
{
	static const char *const unwanted[] = { "COLUMNS",   "LINES",     "NO_COLOR",
						"COLORTERM", "COLORFGBG", "ESCDELAY" };
	int fd;

	setsid();
	fd = open(terminal, O_RDWR);
	if (fd < 0)
		_exit(127);
#ifdef TIOCSCTTY
	ioctl(fd, TIOCSCTTY, 0);
#endif
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	if (fd > 2)
		close(fd);
	for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted; i++)
		unsetenv(unwanted[i]);
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	execl(program, program, path, (char *)NULL);
	_exit(127);
}

static bool open_terminal(struct wire *w, const char *program, const char *path)
{
	struct winsize size = { .ws_row = BENCH_ROWS, .ws_col = BENCH_COLS };
	const char *terminal;

	w->fd = posix_openpt(O_RDWR | O_NOCTTY);
	if (w->fd < 0)
		return false;
	terminal = grantpt(w->fd) == 0 && unlockpt(w->fd) == 0 ? ptsname(w->fd) : NULL;
	if (terminal && fcntl(w->fd, F_SETFD, FD_CLOEXEC) == 0 &&
	    ioctl(w->fd, TIOCSWINSZ, &size) == 0)
		w->pid = fork();
	else
		w->pid = -1;
	if (w->pid == 0)
		run_program(terminal, program, path);
	if (w->pid < 0)
		close(w->fd);
	return w->pid > 0;
}

/* Returns when the process has ended; kills it if it does not end by itself. */
static void close_terminal(struct wire *w)
{
	const struct timespec nap = { 0, 10 * MS };
	int64_t began = sheet_wall_ns();

	kill(w->pid, SIGTERM);
	close(w->fd);
	while (waitpid(w->pid, NULL, WNOHANG) == 0) {
		if (sheet_wall_ns() - began > END_NS) {
			kill(w->pid, SIGKILL);
			waitpid(w->pid, NULL, 0);
			return;
		}
		nanosleep(&nap, NULL);
	}
}

static bool is_readable(int fd, int wait_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, wait_ms) > 0;
}

static void send(struct wire *w, const char *text)
{
	ssize_t n = write(w->fd, text, strlen(text));

	if (n < 0 && errno != EINTR)
		w->has_ended = true;
}

/* Answers the status request, CSI 5 n, as soon as it was read. */
static void answer(struct wire *w, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (w->n_tail == 3 && memcmp(w->tail, "\033[5", 3) == 0 && text[i] == 'n')
			send(w, "\033[0n");
		if (w->n_tail == 3)
			memmove(w->tail, w->tail + 1, --w->n_tail);
		w->tail[w->n_tail++] = text[i];
	}
}

/* Reads until there was no output for quiet_ms. began: time before the key was sent, as the program
 * may have responded before the write returns. */
static struct wire_cost drain(struct wire *w, int64_t began, int first_ms, int quiet_ms)
{
	struct wire_cost cost = { 0 };
	char block[65536];

	while (!w->has_ended && sheet_wall_ns() - began < first_ms * MS + LONGEST_NS &&
	       is_readable(w->fd, cost.bytes ? quiet_ms : first_ms)) {
		ssize_t n = read(w->fd, block, sizeof block);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			w->has_ended = true;
			break;
		}
		cost.bytes += n;
		cost.last_ns = sheet_wall_ns() - began;
		answer(w, block, (size_t)n);
	}
	return cost;
}

static void add_run(struct wire *w, enum wire_id id, struct wire_cost cost)
{
	if (id != WIRE_COUNT && w->n_runs[id] < MAX_KEYS)
		w->runs[id][w->n_runs[id]++] = cost;
}

static void press_all(struct wire *w)
{
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		for (int n = 0; n < steps[i].times && !w->has_ended; n++) {
			int64_t began = sheet_wall_ns();

			send(w, steps[i].key);
			add_run(w, steps[i].id, drain(w, began, FIRST_MS, QUIET_MS));
		}
	}
}

void measure_wire(struct sheet *sheet, const char *program, const char *path)
{
	struct wire w = { .pid = -1 };
	int64_t began = sheet_wall_ns();

	if (access(program, X_OK) != 0) {
		fprintf(stderr, "bench: the wire is left out: no program %s\n", program);
		return;
	}
	fflush(NULL);
	if (!open_terminal(&w, program, path)) {
		fprintf(stderr, "bench: the wire is left out: no pseudo-terminal\n");
		return;
	}
	add_run(&w, WIRE_START, drain(&w, began, START_MS, START_QUIET_MS));
	press_all(&w);
	if (w.has_ended)
		fprintf(stderr, "bench: %s: the wire is left out: %s ended too soon\n", sheet->name,
			program);
	close_terminal(&w);
	for (int id = 0; id < WIRE_COUNT && !w.has_ended; id++)
		sheet_set_wire(sheet, (enum wire_id)id, w.runs[id], w.n_runs[id]);
}
