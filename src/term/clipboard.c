/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tmux runs as a child process that reads the text from a socket: unlike a pipe, that can be
 * written to without a signal when the child has ended. The child gets TMUX_MS; if it has not ended
 * with success by then, the terminal gets the text, which tmux itself may pass on. */
#include "config.h"

#include "term/clipboard.h"

#include "base/base64.h"
#include "base/clock.h"
#include "base/units.h"
#include "term/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TMUX_MS 1000
#define SCREEN_PIECE 752 /* with the frame of a piece, at most 768 bytes */

static struct buf unsure;

/* ---- OSC 52 ---- */

/* Append the control sequences for a text. is_screen: wrapped for GNU screen, which passes strings
 * of at most 768 bytes to its terminal. */
static void clipboard_encode(const char *text, size_t len, bool is_screen, struct buf *out)
{
	BUF_LOCAL plain = { 0 };

	buf_adds(&plain, "\033]52;c;");
	base64_add(&plain, text, len);
	buf_adds(&plain, "\007");
	if (!is_screen)
		buf_add(out, plain.data, plain.len);
	for (size_t at = 0; is_screen && at < plain.len; at += SCREEN_PIECE) {
		buf_adds(out, "\033P");
		buf_add(out, plain.data + at,
			plain.len - at < SCREEN_PIECE ? plain.len - at : SCREEN_PIECE);
		buf_adds(out, "\033\\");
	}
}

static bool send_to_terminal(const char *text, size_t len)
{
	BUF_LOCAL out = { 0 };
	const char *type = getenv("TERM");
	bool is_screen = getenv("STY") && type && strncmp(type, "screen", 6) == 0;

	if ((len + 2) / 3 * 4 > CLIPBOARD_BYTES_MAX)
		return false;
	clipboard_encode(text, len, is_screen, &out);
	tty_write(out.data, out.len);
	return true;
}

/* ---- tmux ---- */

/* Start `tmux load-buffer`; *fd is where it reads. Returns its process, or -1. */
static pid_t start_tmux(bool has_w, int *fd)
{
	char name[] = "tmux", command[] = "load-buffer", w[] = "-w", input[] = "-";
	char *args[] = { name, command, has_w ? w : input, has_w ? input : NULL, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	int ends[2];
	pid_t pid = -1;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return -1;
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	if (posix_spawnp(&pid, "tmux", &files, &attributes, args, environ) != 0)
		pid = -1;
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	close(ends[0]);
	if (pid < 0)
		close(ends[1]);
	*fd = ends[1];
	return pid;
}

static void feed(int fd, const char *text, size_t len, int64_t end_ns)
{
	while (len && clock_ns() < end_ns) {
		ssize_t n = send(fd, text, len, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n > 0) {
			text += n;
			len -= (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1,
			     (int)((end_ns - clock_ns()) / NS_PER_MS) + 1);
		} else if (errno != EINTR) {
			return;
		}
	}
}

/* Wait for the child until end_ns, then end it. Returns whether it ended with success. */
static bool await(pid_t pid, int64_t end_ns)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	int status = -1;
	pid_t ended;

	while ((ended = waitpid(pid, &status, WNOHANG)) == 0 && clock_ns() < end_ns)
		nanosleep(&nap, NULL);
	if (ended == 0) {
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		return false;
	}
	return ended == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* tmux before 3.2 does not know -w. */
static bool send_to_tmux(const char *text, size_t len, bool has_w)
{
	int64_t end_ns = clock_ns() + TMUX_MS * NS_PER_MS;
	int fd;
	pid_t pid = start_tmux(has_w, &fd);

	if (pid < 0)
		return false;
	feed(fd, text, len, end_ns);
	close(fd);
	return await(pid, end_ns);
}

/* ---- both ---- */

const char *clipboard_put(const char *text, size_t len, bool has_clipboard)
{
	const char *tmux = getenv("TMUX");

	buf_clear(&unsure);
	if (tmux && *tmux) {
		if (send_to_tmux(text, len, true))
			return "tmux buffer, and the clipboard if tmux may set it";
		if (send_to_tmux(text, len, false))
			return "tmux buffer";
	}
	if (!send_to_terminal(text, len)) {
		buf_add(&unsure, text, len);
		return "too long for the terminal; printed at exit";
	}
	if (has_clipboard)
		return "clipboard of the terminal";
	buf_add(&unsure, text, len);
	return "sent to the terminal (OSC 52), printed at exit";
}

void clipboard_take_unsure(struct buf *out)
{
	*out = unsure;
	unsure = (struct buf){ 0 };
}
