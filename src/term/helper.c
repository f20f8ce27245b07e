/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests and replies are structs of a fixed size on a pair of sockets; descriptors come with the
 * requests. The helper is in the process group of its parent, but ignores all that stops it or ends
 * it from outside: the end of the socket is its end.
 *
 * While an editor runs, keys that interrupt are for the editor only, as system() has it. C-z stops
 * the editor and this process, by the standard action of the signal. An editor may also stop only
 * itself. Then this process stops, too: otherwise the shell would not take the terminal back.
 * Whichever of the two is seen first, after SIGCONT the editor is continued once more, which does
 * no harm. */
#include "config.h"

#include "term/helper.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/units.h"
#include "term/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum wish { EDIT, COPY, COPY_AND_PASS_ON };

struct request {
	int wish, line, column;
	char path[HELPER_PATH_MAX];
};

enum news { STARTED, STOPPED, ENDED, FAILED };

struct reply {
	int news;
	int value; /* STARTED: the process; ENDED: its status; FAILED: an error number */
};

#define FDS_MAX 2

/* Room for the descriptors of a request, aligned. */
union rights {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(FDS_MAX * sizeof(int))];
};

static struct {
	int fd;    /* of the pair; -1: there is no helper */
	pid_t pid; /* of the helper */
	pid_t program;
} helper = { .fd = -1 };

/* Not every C library declares it in unistd.h. */
extern char **environ; /* NOLINT(readability-redundant-declaration) */

/* ---- in the helper ---- */

static const int ignored[] = { SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGHUP, SIGTERM };

static void tell(int fd, enum news news, int value)
{
	const struct reply reply = { (int)news, value };

	/* Without its parent it ends at the next request. */
	if (send(fd, &reply, sizeof reply, MSG_NOSIGNAL) < 0)
		return;
}

/* Take a request and its descriptors. False: there will be no more. */
static bool take_request(int fd, struct request *request, int fds[FDS_MAX])
{
	struct iovec part = { request, sizeof *request };
	union rights rights = { .bytes = { 0 } };
	struct msghdr message = { .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = &rights,
				  .msg_controllen = sizeof rights };
	struct cmsghdr *head;
	ssize_t n;

	do
		n = recvmsg(fd, &message, MSG_WAITALL);
	while (n < 0 && errno == EINTR);
	fds[0] = fds[1] = -1;
	head = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS)
		memcpy(fds, CMSG_DATA(head),
		       head->cmsg_len - CMSG_LEN(0) < FDS_MAX * sizeof *fds
			       ? head->cmsg_len - CMSG_LEN(0)
			       : FDS_MAX * sizeof *fds);
	for (size_t i = 0; i < FDS_MAX; i++)
		if (fds[i] >= 0)
			fcntl(fds[i], F_SETFD, FD_CLOEXEC);
	request->path[HELPER_PATH_MAX - 1] = '\0';
	return n == (ssize_t)sizeof *request;
}

/* taken: the signals that the program shall not ignore, although the helper does. */
static int spawn(char *const *words, const int fds[FDS_MAX], const sigset_t *taken, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int errnum;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, fds[0], STDIN_FILENO);
	if (fds[1] >= 0) {
		posix_spawn_file_actions_adddup2(&files, fds[1], STDOUT_FILENO);
	} else {
		posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
		posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	}
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigdefault(&attr, taken);
	errnum = posix_spawnp(pid, words[0], &files, &attr, words, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return errnum;
}

/* Run a program and tell what becomes of it. */
static void run(int fd, char *const *words, const int fds[FDS_MAX], const sigset_t *taken)
{
	int errnum, status = 0;
	pid_t pid, ended;

	errnum = words && words[0] ? spawn(words, fds, taken, &pid) : ENOENT;
	/* What the program has must not stay open here. */
	for (size_t i = 0; i < FDS_MAX; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	if (errnum) {
		tell(fd, FAILED, errnum);
		return;
	}
	tell(fd, STARTED, (int)pid);
	for (;;) {
		ended = waitpid(pid, &status, WUNTRACED);
		if (ended < 0 && errno == EINTR)
			continue;
		if (ended < 0 || !WIFSTOPPED(status))
			break;
		tell(fd, STOPPED, 0);
	}
	if (ended < 0)
		tell(fd, FAILED, errno);
	else
		tell(fd, ENDED, status);
}

static void serve(int fd, char **(*words_of)(const struct editor_place *place))
{
	static char tmux[] = "tmux", command[] = "load-buffer", w[] = "-w", input[] = "-";
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), fds[FDS_MAX];
	struct request request = { .wish = EDIT };
	sigset_t taken;

	/* A writer of a pipe must see that this program reads no more. */
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	/* Otherwise the system forgets how programs end. */
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&taken);
	for (size_t i = 0; i < ARRAY_LEN(ignored); i++)
		if (signal(ignored[i], SIG_IGN) != SIG_IGN)
			sigaddset(&taken, ignored[i]);
	while (take_request(fd, &request, fds)) {
		const struct editor_place place = { request.path, request.line, request.column,
						    "" };
		bool has_w = request.wish == COPY_AND_PASS_ON;
		char *copy[] = { tmux, command, has_w ? w : input, has_w ? input : NULL, NULL };
		/* What comes from a pipe would be commands of the editor, not typed by the user. */
		bool is_typed = isatty(fds[0]) && isatty(fds[1]);

		if (request.wish == EDIT)
			run(fd, is_typed ? words_of(&place) : NULL, fds, &taken);
		else
			run(fd, copy, fds, &taken);
	}
	_exit(0);
}

/* ---- in the program ---- */

void helper_start(char **(*words_of)(const struct editor_place *place))
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return;
	helper.pid = fork();
	if (helper.pid == 0) {
		close(ends[0]);
		serve(ends[1], words_of);
	}
	close(ends[1]);
	helper.fd = ends[0];
	if (helper.pid < 0)
		helper_stop();
}

void helper_stop(void)
{
	if (helper.fd >= 0)
		close(helper.fd);
	if (helper.fd >= 0 && helper.pid > 0)
		waitpid(helper.pid, NULL, 0);
	helper.fd = -1;
}

static bool ask(const struct request *request, const int *fds, size_t n_fds)
{
	struct iovec part = { (void *)(uintptr_t)request, sizeof *request };
	union rights rights = { .bytes = { 0 } };
	struct msghdr message = { .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = &rights,
				  .msg_controllen = CMSG_SPACE(n_fds * sizeof *fds) };
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(n_fds * sizeof *fds);
	memcpy(CMSG_DATA(head), fds, n_fds * sizeof *fds);
	return helper.fd >= 0 &&
		sendmsg(helper.fd, &message, MSG_NOSIGNAL) == (ssize_t)sizeof *request;
}

/* Wait for a reply. If the helper is gone, it is that the request has failed. */
static struct reply take_reply(void)
{
	struct reply reply;
	ssize_t n;

	do
		n = recv(helper.fd, &reply, sizeof reply, MSG_WAITALL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof reply ? reply : (struct reply){ FAILED, EPIPE };
}

/* Ask for a program, and wait until it runs. */
static bool begin(const struct request *request, const int *fds, size_t n_fds, int *errnum)
{
	struct reply reply = { FAILED, EPIPE };

	if (ask(request, fds, n_fds))
		reply = take_reply();
	helper.program = reply.news == STARTED ? (pid_t)reply.value : -1;
	*errnum = reply.value;
	return reply.news == STARTED;
}

/* Wait until the editor ends. */
static struct reply await(void)
{
	struct reply reply;

	for (;;) {
		reply = take_reply();
		if (reply.news != STOPPED)
			return reply;
		if (!tty_take_signal(SIGCONT))
			raise(SIGTSTP);
		tty_take_signal(SIGCONT);
		kill(helper.program, SIGCONT);
	}
}

/* What this process does about a signal meanwhile. */
static const struct {
	int number;
	void (*handler)(int);
} meanwhile[] = { { SIGINT, SIG_IGN }, { SIGQUIT, SIG_IGN }, { SIGTSTP, SIG_DFL } };

bool helper_edit(const struct editor_place *place, int in_fd, int out_fd, int *status,
		 struct error *err)
{
	const int fds[] = { in_fd, out_fd };
	struct request request = { .wish = EDIT, .line = place->line, .column = place->column };
	struct sigaction before[ARRAY_LEN(meanwhile)];
	struct reply reply;
	int errnum;

	if (strlen(place->path) >= sizeof request.path)
		return error_errno(err, ENAMETOOLONG, "cannot edit");
	memcpy(request.path, place->path, strlen(place->path));
	for (size_t i = 0; i < ARRAY_LEN(meanwhile); i++) {
		struct sigaction action = { .sa_handler = meanwhile[i].handler };

		sigaction(meanwhile[i].number, NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(meanwhile[i].number, &action, NULL);
	}
	tty_take_signal(SIGCONT);
	if (begin(&request, fds, ARRAY_LEN(fds), &errnum)) {
		reply = await();
		*status = reply.value;
		if (reply.news != ENDED)
			error_errno(err, reply.value, "cannot wait for %s", place->editor);
	} else {
		error_errno(err, errnum, "cannot run %s", place->editor);
	}
	for (size_t i = 0; i < ARRAY_LEN(meanwhile); i++)
		sigaction(meanwhile[i].number, &before[i], NULL);
	tty_take_signal(SIGTSTP);
	tty_take_signal(SIGCONT);
	return err->kind == ERR_NONE;
}

bool helper_copy(bool has_w, int in_fd)
{
	const struct request request = { .wish = has_w ? COPY_AND_PASS_ON : COPY };
	int errnum;

	return begin(&request, &in_fd, 1, &errnum);
}

bool helper_copied(int64_t end_ns)
{
	struct reply reply = { STOPPED, 0 };
	bool is_late = false;

	while (reply.news == STOPPED) {
		int64_t left = end_ns - clock_ns();
		struct pollfd answer = { .fd = helper.fd, .events = POLLIN };
		int n = is_late ? 1 : poll(&answer, 1, left > 0 ? (int)(left / NS_PER_MS) + 1 : 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0) {
			kill(helper.program, SIGKILL);
			is_late = true;
		}
		reply = take_reply();
	}
	return !is_late && reply.news == ENDED && WIFEXITED(reply.value) &&
		WEXITSTATUS(reply.value) == 0;
}
