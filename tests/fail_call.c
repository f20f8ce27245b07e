/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library for LD_PRELOAD that lets calls of the system fail: of files, of processes, of threads,
 * of the network and of the terminal.
 *
 *     FAIL_CALL=NAME         the call, as `write` or `pthread_create`
 *     FAIL_CALL_AT=N         its Nth call fails, counted from 0
 *     FAIL_CALL_FROM=N       its Nth call and all after it fail
 *     FAIL_CALL_KILL=1       instead, it ends the program by SIGKILL, not what it has forked
 *     FAIL_CALL_SHORT=1      each read and write moves one byte
 *     FAIL_CALL_COUNT=FILE   nothing fails; FILE gets `NAME NUMBER` for each call that was used
 *     FAIL_CALL_SECONDS=N    SIGALRM ends the program after that time; 60 if nothing is said
 *
 * FAIL_CALL_SHORT is not for send(): its messages fit into the buffer of a socket, and Node.js 18
 * to 24 crashes where a message comes in certain pieces (inspector.h).
 *
 * Programs that are started by the program run without it. What the C library calls inside of
 * itself (fprintf) does not fail; fopen, fwrite, fflush and fclose do.
 *
 * Used by no-threads.sh and faults.sh. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <termios.h>
#include <unistd.h>

struct call {
	const char *name;
	atomic_long n;
};

#define CALLS_MAX 128

static struct call calls[CALLS_MAX];
static atomic_int n_used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *wanted;
static FILE *count_file;
static long fail_at = -1, fail_from = -1;
static bool is_short, is_deadly;
static pid_t owner;

static long number(const char *name)
{
	const char *text = getenv(name);

	return text ? atol(text) : -1;
}

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("FAIL_CALL_COUNT");
	long seconds = number("FAIL_CALL_SECONDS");

	/* Later, a sandbox may forbid it. */
	count_file = path ? fopen(path, "w") : NULL;
	for (int i = 0; i < atomic_load(&n_used); i++)
		atomic_store(&calls[i].n, 0);
	wanted = getenv("FAIL_CALL");
	fail_at = number("FAIL_CALL_AT");
	fail_from = number("FAIL_CALL_FROM");
	is_short = number("FAIL_CALL_SHORT") > 0;
	is_deadly = number("FAIL_CALL_KILL") > 0;
	owner = getpid();
	unsetenv("LD_PRELOAD");
	alarm(seconds > 0 ? (unsigned)seconds : 60);
}

__attribute__((destructor)) static void tell_counts(void)
{
	if (!count_file || getpid() != owner)
		return;
	for (int i = 0; i < atomic_load(&n_used); i++)
		fprintf(count_file, "%s %ld\n", calls[i].name, atomic_load(&calls[i].n));
	fclose(count_file);
}

/* Each call has a row of the table, which it takes when it is used first. */
static struct call *row(_Atomic(struct call *) *own, const char *name)
{
	struct call *call = atomic_load(own);

	if (call)
		return call;
	pthread_mutex_lock(&lock);
	call = atomic_load(own);
	if (!call) {
		int i = atomic_load(&n_used);

		if (i == CALLS_MAX)
			abort();
		calls[i].name = name;
		call = &calls[i];
		atomic_store(own, call);
		atomic_store(&n_used, i + 1);
	}
	pthread_mutex_unlock(&lock);
	return call;
}

/* Pipes have neither bad disks nor full ones. */
static bool is_pipe(int fd)
{
	struct stat st;

	return fstatat(fd, "", &st, AT_EMPTY_PATH) == 0 && S_ISFIFO(st.st_mode);
}

/* The kernel gives the files of /proc as a whole. */
static size_t amount(int fd, size_t n)
{
	struct statfs fs;

	return is_short && n > 1 && !(fstatfs(fd, &fs) == 0 && fs.f_type == 0x9fa0) ? 1 : n;
}

static bool fails(struct call *call, int error)
{
	long n = atomic_fetch_add(&call->n, 1);

	if (!wanted || strcmp(call->name, wanted) != 0 ||
	    (n != fail_at && (fail_from < 0 || n < fail_from)))
		return false;
	if (is_deadly && getpid() == owner)
		kill(owner, SIGKILL);
	if (is_deadly)
		return false;
	errno = error;
	return true;
}

/* A function that fails with `error`, and returns `value` then. Here it has another name than for
 * the linker: headers declare some of them with arguments that are not always there. */
#define FAIL(type, name, parameters, arguments, value, error)                                      \
	type fake_##name parameters __asm__(#name);                                                \
	type fake_##name parameters                                                                \
	{                                                                                          \
		static _Atomic(struct call *) own;                                                 \
		static _Atomic(void *) found;                                                      \
		void *real = atomic_load(&found);                                                  \
		type(*call) parameters;                                                            \
                                                                                                   \
		if (fails(row(&own, #name), error))                                                \
			return value;                                                              \
		if (!real) {                                                                       \
			real = dlsym(RTLD_NEXT, #name);                                            \
			atomic_store(&found, real);                                                \
		}                                                                                  \
		*(void **)&call = real;                                                            \
		return call arguments;                                                             \
	}

/* The same for a file, where only regular files, terminals and sockets fail. */
#define FAIL_FILE(name, parameters, arguments, error)                                              \
	ssize_t fake_##name parameters __asm__(#name);                                             \
	ssize_t fake_##name parameters                                                             \
	{                                                                                          \
		static _Atomic(struct call *) own;                                                 \
		ssize_t(*call) parameters;                                                         \
                                                                                                   \
		if (!is_pipe(fd) && fails(row(&own, #name), error))                                \
			return -1;                                                                 \
		*(void **)&call = dlsym(RTLD_NEXT, #name);                                         \
		return call arguments;                                                             \
	}

FAIL_FILE(read, (int fd, void *to, size_t n), (fd, to, amount(fd, n)), EIO)
FAIL_FILE(__read_chk, (int fd, void *to, size_t n, size_t room), (fd, to, amount(fd, n), room), EIO)
FAIL_FILE(pread, (int fd, void *to, size_t n, off_t at), (fd, to, amount(fd, n), at), EIO)
FAIL_FILE(write, (int fd, const void *from, size_t n), (fd, from, amount(fd, n)), ENOSPC)
FAIL(size_t, fwrite, (const void *from, size_t size, size_t n, FILE *f), (from, size, n, f), 0,
     ENOSPC)
FAIL(int, fflush, (FILE * f), (f), EOF, ENOSPC)
FAIL(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL, EMFILE)
FAIL(FILE *, fdopen, (int fd, const char *mode), (fd, mode), NULL, ENOMEM)
FAIL(int, fsync, (int fd), (fd), -1, EIO)
FAIL(int, fstat, (int fd, struct stat *st), (fd, st), -1, EIO)
FAIL(int, stat, (const char *path, struct stat *st), (path, st), -1, EACCES)
FAIL(int, lstat, (const char *path, struct stat *st), (path, st), -1, EACCES)
FAIL(int, access, (const char *path, int mode), (path, mode), -1, EACCES)
FAIL(off_t, lseek, (int fd, off_t at, int whence), (fd, at, whence), -1, EIO)
FAIL(int, rename, (const char *from, const char *to), (from, to), -1, EACCES)
FAIL(int, link, (const char *from, const char *to), (from, to), -1, EPERM)
FAIL(int, linkat, (int fd, const char *from, int to_fd, const char *to, int flags),
     (fd, from, to_fd, to, flags), -1, EPERM)
FAIL(int, unlink, (const char *path), (path), -1, EACCES)
FAIL(int, mkdir, (const char *path, mode_t mode), (path, mode), -1, ENOSPC)
FAIL(int, mkstemp, (char *path), (path), -1, ENOSPC)
FAIL(char *, mkdtemp, (char *path), (path), NULL, ENOSPC)
FAIL(int, chdir, (const char *path), (path), -1, EACCES)
FAIL(int, chmod, (const char *path, mode_t mode), (path, mode), -1, EPERM)
FAIL(int, fchmod, (int fd, mode_t mode), (fd, mode), -1, EPERM)
FAIL(char *, realpath, (const char *path, char *to), (path, to), NULL, EACCES)
FAIL(ssize_t, readlink, (const char *path, char *to, size_t n), (path, to, n), -1, EACCES)
FAIL(DIR *, opendir, (const char *path), (path), NULL, EMFILE)
FAIL(int, dup, (int fd), (fd), -1, EMFILE)
FAIL(int, pipe, (int fds[2]), (fds), -1, EMFILE)
FAIL(int, pipe2, (int fds[2], int flags), (fds, flags), -1, EMFILE)
FAIL(int, socketpair, (int domain, int type, int protocol, int fds[2]),
     (domain, type, protocol, fds), -1, EMFILE)
FAIL(int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1, EMFILE)
FAIL(int, connect, (int fd, const struct sockaddr *to, socklen_t n), (fd, to, n), -1, ECONNREFUSED)
FAIL(int, bind, (int fd, const struct sockaddr *to, socklen_t n), (fd, to, n), -1, EADDRINUSE)
FAIL(int, listen, (int fd, int n), (fd, n), -1, EADDRINUSE)
FAIL(ssize_t, recv, (int fd, void *to, size_t n, int flags), (fd, to, amount(fd, n), flags), -1,
     ECONNRESET)
FAIL(ssize_t, send, (int fd, const void *from, size_t n, int flags), (fd, from, n, flags), -1,
     EPIPE)
FAIL(int, poll, (struct pollfd * fds, nfds_t n, int wait), (fds, n, wait), -1, EINTR)
FAIL(int, pselect,
     (int n, fd_set *in, fd_set *out, fd_set *odd, const struct timespec *wait,
      const sigset_t *mask),
     (n, in, out, odd, wait, mask), -1, EINTR)
FAIL(pid_t, fork, (void), (), -1, EAGAIN)
FAIL(int, posix_spawnp,
     (pid_t * pid, const char *file, const posix_spawn_file_actions_t *actions,
      const posix_spawnattr_t *attr, char *const argv[], char *const env[]),
     (pid, file, actions, attr, argv, env), EAGAIN, EAGAIN)
FAIL(int, pthread_create,
     (pthread_t * thread, const pthread_attr_t *attr, void *(*run)(void *), void *ctx),
     (thread, attr, run, ctx), EAGAIN, EAGAIN)
FAIL(int, sigaction, (int signal, const struct sigaction *act, struct sigaction *old),
     (signal, act, old), -1, EINVAL)
FAIL(int, tcgetattr, (int fd, struct termios *to), (fd, to), -1, ENOTTY)
FAIL(int, tcsetattr, (int fd, int when, const struct termios *from), (fd, when, from), -1, EIO)
FAIL(int, inotify_init1, (int flags), (flags), -1, EMFILE)
FAIL(int, inotify_add_watch, (int fd, const char *path, uint32_t mask), (fd, path, mask), -1,
     ENOSPC)
FAIL(ssize_t, getrandom, (void *to, size_t n, unsigned flags), (to, n, flags), -1, ENOSYS)

FAIL(int, open, (const char *path, int flags, mode_t mode), (path, flags, mode), -1, EMFILE)
FAIL(int, openat, (int fd, const char *path, int flags, mode_t mode), (fd, path, flags, mode), -1,
     EMFILE)
FAIL(int, ioctl, (int fd, unsigned long request, void *to), (fd, request, to), -1, ENOTTY)
FAIL(int, fcntl, (int fd, int command, long to), (fd, command, to), -1, EINVAL)
FAIL(long, syscall, (long n, long a, long b, long c, long d, long e, long f), (n, a, b, c, d, e, f),
     -1, ENOSYS)
