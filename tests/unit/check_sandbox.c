/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the sandbox forbids fails, and what it does not forbid works; without it, all works. Each
 * attempt is made in a process of its own. */
#include "config.h"

#include "base/sandbox.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/thread.h"

#include "suite.h"
#include "temp_folder.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__

#define LANDLOCK_FIRST 444
#define LANDLOCK_LAST 446

/* What the kernel has: a test takes a part away. */
static struct {
	bool landlock, seccomp;
} kernel = { true, true };

/* The code under test calls this instead of the function of the C library. It takes more arguments
 * than there are, as that one does. */
__attribute__((no_sanitize("address"))) long syscall(long number, ...)
{
	long (*own)(long, ...);
	void *found = dlsym(RTLD_NEXT, "syscall");
	long a[6];
	va_list ap;

	memcpy(&own, &found, sizeof own);
	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if ((!kernel.landlock && number >= LANDLOCK_FIRST && number <= LANDLOCK_LAST) ||
	    (!kernel.seccomp && number == SYS_seccomp)) {
		errno = ENOSYS;
		return -1;
	}
	return own(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Files: temp_folder/in/file, which is allowed where a test says so, and temp_folder/out/file. */
static char in[300], out[300], in_file[310], out_file[310], in_new[310], out_new[310];

static void write_text(const char *path)
{
	FILE *f = fopen(path, "w");

	ck_assert(f && fputs("text", f) >= 0 && fclose(f) == 0);
}

static void set_up(void)
{
	temp_folder_make();
	snprintf(in, sizeof in, "%s/in", temp_folder);
	snprintf(out, sizeof out, "%s/out", temp_folder);
	snprintf(in_file, sizeof in_file, "%s/file", in);
	snprintf(out_file, sizeof out_file, "%s/file", out);
	snprintf(in_new, sizeof in_new, "%s/new", in);
	snprintf(out_new, sizeof out_new, "%s/new", out);
	ck_assert(mkdir(in, 0700) == 0 && mkdir(out, 0700) == 0);
}

static void make_files(void)
{
	remove(in_new);
	remove(out_new);
	write_text(in_file);
	write_text(out_file);
}

/* ---- attempts: each returns 0, or an error number ---- */

static int result(long n)
{
	return n < 0 ? errno : 0;
}

static int opened(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int read_in(void)
{
	return opened(in_file, O_RDONLY);
}

static int read_out(void)
{
	return opened(out_file, O_RDONLY);
}

static int list_out(void)
{
	return opened(out, O_RDONLY | O_DIRECTORY);
}

static int write_in(void)
{
	return opened(in_file, O_WRONLY);
}

static int write_out(void)
{
	return opened(out_file, O_WRONLY);
}

static int truncate_out(void)
{
	return opened(out_file, O_WRONLY | O_TRUNC);
}

static int make_in(void)
{
	return opened(in_new, O_WRONLY | O_CREAT | O_EXCL);
}

static int make_out(void)
{
	return opened(out_new, O_WRONLY | O_CREAT | O_EXCL);
}

static int make_unnamed_in(void)
{
	return opened(in, O_WRONLY | O_TMPFILE);
}

static int make_unnamed_out(void)
{
	return opened(out, O_WRONLY | O_TMPFILE);
}

static int unlink_in(void)
{
	return result(unlink(in_file));
}

static int unlink_out(void)
{
	return result(unlink(out_file));
}

static int rename_in(void)
{
	return result(rename(in_file, in_new));
}

static int rename_out(void)
{
	return result(rename(out_file, out_new));
}

static int rename_from_out_to_in(void)
{
	return result(rename(out_file, in_new));
}

static int link_out(void)
{
	return result(link(out_file, out_new));
}

static int link_to_in(void)
{
	return result(symlink(out_file, in_new));
}

static int mkdir_in(void)
{
	return result(mkdir(in_new, 0700));
}

static int mkdir_out(void)
{
	return result(mkdir(out_new, 0700));
}

static int chmod_in(void)
{
	return result(chmod(in_file, 0666));
}

/* Names of these calls are not in older headers. */
static int chmod_by_new_call(void)
{
	return result(syscall(452L, (long)AT_FDCWD, in_file, 0666L, 0L));
}

static int get_descriptor(void)
{
	int descriptor = (int)syscall(434L, (long)getpid(), 0L);

	return result(syscall(438L, (long)descriptor, 0L, 0L));
}

static int chown_in(void)
{
	return result(chown(in_file, getuid(), getgid()));
}

static int truncate_by_name(void)
{
	return result(truncate(in_file, 0));
}

static int device_in(void)
{
	return result(mknod(in_new, S_IFIFO | 0600, 0));
}

static int socket_of(int domain)
{
	int fd = socket(domain, SOCK_STREAM, 0);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int socket_inet(void)
{
	return socket_of(AF_INET);
}

static int socket_unix(void)
{
	return socket_of(AF_UNIX);
}

/* A socket that was there before. */
static int inherited = -1;

static int connect_inherited(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };

	inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
	/* Nothing listens there: that the kernel tried is success. */
	if (connect(inherited, (struct sockaddr *)&to, sizeof to) == 0 || errno == ECONNREFUSED)
		return 0;
	return errno;
}

static int exec_true(void)
{
	execl("/bin/true", "true", (char *)NULL);
	return errno;
}

static int exec_at(void)
{
	char *const words[] = { NULL };
	int fd = open("/bin/true", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return errno;
	syscall(SYS_execveat, (long)fd, "", words, words, (long)AT_EMPTY_PATH);
	return errno;
}

static int fork_one(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return result(pid);
}

static int trace_me(void)
{
	return result(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

static int read_memory(void)
{
	/* No bytes of this process itself. */
	return result(syscall(SYS_process_vm_readv, (long)getpid(), 0L, 0L, 0L, 0L, 0L));
}

static int signal_parent(void)
{
	return result(kill(getppid(), 0));
}

static int signal_thread_of_parent(void)
{
	return result(syscall(SYS_tgkill, (long)getppid(), (long)getppid(), 0L));
}

static int queue_to_parent(void)
{
	int descriptor = (int)syscall(434L, (long)getppid(), 0L);

	return result(syscall(424L, (long)descriptor, 0L, 0L, 0L));
}

static int signal_self(void)
{
	return kill(getpid(), 0) == 0 && raise(SIGCONT) == 0 ? 0 : errno;
}

static int limit_parent(void)
{
	struct rlimit limit;

	/* What it has already. */
	return prlimit(getppid(), RLIMIT_CORE, NULL, &limit) == 0 ? 0 : errno;
}

static int limit_self(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_CORE, &limit) == 0 && setrlimit(RLIMIT_CORE, &limit) == 0 ? 0
											  : errno;
}

static int touch_in(void)
{
	return result(utimensat(AT_FDCWD, in_file, NULL, 0));
}

#ifdef SYS_utimes
static int touch_in_as_before(void)
{
	return result(syscall(SYS_utimes, in_file, 0L));
}
#else
#define touch_in_as_before touch_in
#endif

static int io_uring(void)
{
	long n = syscall(SYS_io_uring_setup, 0L, 0L);

	/* The kernel refuses these arguments. */
	return n < 0 && errno != EPERM ? 0 : result(n);
}

static int type_into_terminal(void)
{
	int n = ioctl(inherited, TIOCSTI, "x");

	return n < 0 && errno != EPERM ? 0 : result(n);
}

static int paste_into_console(void)
{
	char paste = 3;
	int n = ioctl(inherited, TIOCLINUX, &paste);

	return n < 0 && errno != EPERM ? 0 : result(n);
}

static int other_ioctl(void)
{
	int n;

	return result(ioctl(inherited, FIONREAD, &n));
}

static void *nothing(void *ctx)
{
	return ctx;
}

static int start_thread(void)
{
	pthread_t thread;

	return thread_start(&thread, nothing, NULL) ? pthread_join(thread, NULL) : EAGAIN;
}

static void *write_there(void *ctx)
{
	int (*attempt)(void);

	memcpy(&attempt, ctx, sizeof attempt);
	return (void *)(intptr_t)attempt();
}

/* Attempts of a thread. */
static int in_thread(int (*attempt)(void))
{
	pthread_t thread;
	void *failed;

	ck_assert(thread_start(&thread, write_there, &attempt));
	ck_assert_int_eq(pthread_join(thread, &failed), 0);
	return (int)(intptr_t)failed;
}

static int thread_writes(void)
{
	return in_thread(write_in);
}

static int thread_unlinks(void)
{
	return in_thread(unlink_in);
}

static int thread_reads(void)
{
	return in_thread(read_out);
}

static int thread_of_thread_writes(void)
{
	return in_thread(thread_writes);
}

/* ---- what must fail ---- */

#define REPORT (SANDBOX_READ | SANDBOX_NO_WRITE)
#define EXPORT (SANDBOX_READ | SANDBOX_WRITE)
#define SHOW SANDBOX_THREADS
#define ATTACH (SANDBOX_THREADS | SANDBOX_SOCKETS | SANDBOX_PROCESSES)

/* The parts of the sandbox. _W: but not in a build that a sanitizer watches. */
enum { LANDLOCK = 1, SECCOMP = 2, LANDLOCK_W = 4, SECCOMP_W = 8, BOTH_W = 12 };

/* For each mode, the parts that forbid it, each alone; 0: it works. */
static const struct {
	const char *name;
	int (*attempt)(void);
	int report, export, show, attach;
} trials[] = {
	{ "read an input", read_in, 0, 0, 0, 0 },
	{ "read another file", read_out, LANDLOCK, LANDLOCK, 0, 0 },
	{ "list another directory", list_out, LANDLOCK, LANDLOCK, 0, 0 },
	{ "write beside", write_in, BOTH_W, 0, 0, 0 },
	{ "write elsewhere", write_out, BOTH_W, LANDLOCK_W, 0, 0 },
	{ "truncate", truncate_out, BOTH_W, LANDLOCK_W, 0, 0 },
	{ "make a file", make_in, BOTH_W, 0, 0, 0 },
	{ "make one elsewhere", make_out, BOTH_W, LANDLOCK_W, 0, 0 },
	{ "without a name", make_unnamed_in, BOTH_W, 0, 0, 0 },
	{ "that elsewhere", make_unnamed_out, BOTH_W, LANDLOCK_W, 0, 0 },
	{ "unlink", unlink_in, BOTH_W, 0, 0, 0 },
	{ "unlink elsewhere", unlink_out, BOTH_W, LANDLOCK_W, 0, 0 },
	{ "rename", rename_in, BOTH_W, 0, 0, 0 },
	{ "rename elsewhere", rename_out, BOTH_W, LANDLOCK_W, 0, 0 },
	{ "take", rename_from_out_to_in, LANDLOCK | SECCOMP_W, LANDLOCK, 0, 0 },
	{ "link", link_out, BOTH_W, LANDLOCK_W, 0, 0 },
	{ "mkdir", mkdir_in, BOTH_W, 0, 0, 0 },
	{ "mkdir elsewhere", mkdir_out, BOTH_W, LANDLOCK_W, 0, 0 },
	{ "symlink", link_to_in, LANDLOCK_W | SECCOMP, LANDLOCK_W | SECCOMP, SECCOMP, SECCOMP },
	{ "chmod", chmod_in, SECCOMP, SECCOMP, SECCOMP, SECCOMP },
	{ "fchmodat2", chmod_by_new_call, SECCOMP, SECCOMP, SECCOMP, SECCOMP },
	{ "pidfd_getfd", get_descriptor, SECCOMP, SECCOMP, SECCOMP, SECCOMP },
	{ "chown", chown_in, SECCOMP, SECCOMP, SECCOMP, SECCOMP },
	{ "truncate by name", truncate_by_name, LANDLOCK_W | SECCOMP, SECCOMP, SECCOMP, SECCOMP },
	{ "make a pipe", device_in, LANDLOCK_W | SECCOMP, LANDLOCK_W | SECCOMP, SECCOMP, SECCOMP },
	{ "socket of a network", socket_inet, SECCOMP, SECCOMP, SECCOMP, 0 },
	{ "socket of this machine", socket_unix, SECCOMP, SECCOMP, SECCOMP, 0 },
	{ "connect", connect_inherited, LANDLOCK | SECCOMP, LANDLOCK | SECCOMP, LANDLOCK | SECCOMP,
	  0 },
	{ "execve", exec_true, LANDLOCK | SECCOMP, LANDLOCK | SECCOMP, LANDLOCK | SECCOMP,
	  LANDLOCK | SECCOMP },
	{ "execveat", exec_at, LANDLOCK | SECCOMP, LANDLOCK | SECCOMP, LANDLOCK | SECCOMP,
	  LANDLOCK | SECCOMP },
	{ "fork", fork_one, SECCOMP_W, SECCOMP_W, SECCOMP_W, SECCOMP_W },
	{ "ptrace", trace_me, SECCOMP_W, SECCOMP_W, SECCOMP_W, SECCOMP_W },
	{ "process_vm_readv", read_memory, SECCOMP, SECCOMP, SECCOMP, SECCOMP },
	{ "signal", signal_parent, LANDLOCK | SECCOMP, LANDLOCK | SECCOMP, 0, 0 },
	{ "tgkill", signal_thread_of_parent, LANDLOCK | SECCOMP, LANDLOCK | SECCOMP, 0, 0 },
	{ "pidfd_send_signal", queue_to_parent, LANDLOCK | SECCOMP, LANDLOCK | SECCOMP, 0, 0 },
	{ "signal oneself", signal_self, 0, 0, 0, 0 },
	{ "prlimit", limit_parent, SECCOMP, SECCOMP, SECCOMP, SECCOMP },
	{ "limit oneself", limit_self, 0, 0, 0, 0 },
	{ "touch", touch_in, SECCOMP_W, 0, 0, 0 },
	{ "utimes", touch_in_as_before, SECCOMP_W, 0, 0, 0 },
	{ "io_uring", io_uring, SECCOMP, SECCOMP, SECCOMP, SECCOMP },
	{ "type", type_into_terminal, SECCOMP, SECCOMP, SECCOMP, SECCOMP },
	{ "paste", paste_into_console, SECCOMP, SECCOMP, SECCOMP, SECCOMP },
	{ "another ioctl", other_ioctl, 0, 0, 0, 0 },
	{ "thread", start_thread, 0, 0, 0, 0 },
	{ "thread reads", thread_reads, LANDLOCK, LANDLOCK, 0, 0 },
	{ "thread writes", thread_writes, BOTH_W, 0, BOTH_W, BOTH_W },
	{ "thread unlinks", thread_unlinks, BOTH_W, 0, BOTH_W, BOTH_W },
	{ "thread of a thread", thread_of_thread_writes, BOTH_W, 0, BOTH_W, BOTH_W },
};

#define IMPOSSIBLE 200

static void enter(unsigned parts)
{
	struct sandbox sandbox;

	sandbox_begin(&sandbox, parts);
	sandbox_allow_read(&sandbox, in);
	sandbox_allow_read(&sandbox, NULL);
	sandbox_allow_read(&sandbox, "/not/there");
	sandbox_allow_write(&sandbox, in);
	sandbox_enter(&sandbox);
}

/* What an attempt returns in a process of its own. parts: -1: without a sandbox. */
static int try(int (*attempt)(void), int parts)
{
	int status, error;
	pid_t pid;

	make_files();
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		inherited = socket(AF_INET, SOCK_STREAM, 0);
		if (parts >= 0)
			enter((unsigned)parts);
		error = attempt();
		_exit(error < IMPOSSIBLE ? error : IMPOSSIBLE);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* Whether this kernel has one of the parts. */
static bool is_forbidden(int by)
{
#ifdef ALLOC_SANITIZED
	by &= LANDLOCK | SECCOMP;
#endif
	return (by & (LANDLOCK | LANDLOCK_W) && kernel.landlock) ||
		(by & (SECCOMP | SECCOMP_W) && kernel.seccomp);
}

static bool has_landlock(void)
{
	return syscall(LANDLOCK_FIRST, 0L, 0L, 1L) >= 6;
}

static void check_trial(int i, int by, unsigned parts)
{
	int error = try(trials[i].attempt, (int)parts);

	if (is_forbidden(by))
		ck_assert_msg(error == EPERM || error == EACCES || error == EXDEV, "%s: %d",
			      trials[i].name, error);
	else
		ck_assert_msg(error == 0, "%s: %d", trials[i].name, error);
}

static void check_all(int i)
{
	kernel.landlock = kernel.landlock && has_landlock();
	check_trial(i, trials[i].report, REPORT);
	check_trial(i, trials[i].export, EXPORT);
	check_trial(i, trials[i].show, SHOW);
	/* Other processes are looked at: without Landlock. */
	check_trial(i, trials[i].attach & ~(LANDLOCK | LANDLOCK_W), ATTACH);
}

START_TEST(attempt_works_without_a_sandbox)
{
	ck_assert_msg(try(trials[_i].attempt, -1) == 0, "%s", trials[_i].name);
}
END_TEST

START_TEST(sandbox_forbids_what_it_says)
{
	check_all(_i);
}
END_TEST

START_TEST(kernel_without_landlock_still_filters)
{
	kernel.landlock = false;
	check_all(_i);
}
END_TEST

START_TEST(kernel_without_seccomp_still_has_rules)
{
	kernel.seccomp = false;
	check_all(_i);
}
END_TEST

START_TEST(kernel_without_both_forbids_nothing)
{
	kernel.landlock = kernel.seccomp = false;
	check_all(_i);
}
END_TEST

static int explain(void)
{
	return sandbox_errno(opened(out_file, O_RDONLY), out_file, R_OK) == ERROR_SANDBOX ? 0 : 1;
}

START_TEST(error_says_that_it_is_the_sandbox)
{
	if (!has_landlock())
		return;
	ck_assert_int_eq(try(explain, REPORT), 0);
	ck_assert_int_eq(try(explain, -1), 1);
	ck_assert_int_eq(sandbox_errno(EACCES, out_file, R_OK), EACCES);
	ck_assert_int_eq(try(read_out, REPORT), EACCES);
}
END_TEST

static int count_descriptors(void)
{
	int first = open("/dev/null", O_RDONLY | O_CLOEXEC), second;

	close(first);
	enter(REPORT);
	second = dup(0);
	return second == first ? 0 : 1;
}

START_TEST(sandbox_leaves_no_descriptor)
{
	ck_assert_int_eq(try(count_descriptors, -1), 0);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "sandbox", SUITE_SECONDS);

	tcase_add_checked_fixture(t, set_up, temp_folder_remove);
	tcase_add_loop_test(t, attempt_works_without_a_sandbox, 0, N(trials));
	tcase_add_loop_test(t, sandbox_forbids_what_it_says, 0, N(trials));
	tcase_add_loop_test(t, kernel_without_landlock_still_filters, 0, N(trials));
	tcase_add_loop_test(t, kernel_without_seccomp_still_has_rules, 0, N(trials));
	tcase_add_loop_test(t, kernel_without_both_forbids_nothing, 0, N(trials));
	tcase_add_test(t, error_says_that_it_is_the_sandbox);
	tcase_add_test(t, sandbox_leaves_no_descriptor);
}
#else
static void add_tests(Suite *suite)
{
	(void)suite;
}
#endif

int main(void)
{
	return suite_run("sandbox", add_tests);
}
