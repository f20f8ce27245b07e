/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sources: Documentation/userspace-api/landlock.rst and seccomp_filter.rst of Linux. The structs
 * and constants of Landlock stand here, as the headers of many systems have only the first ones.
 *
 * The filter of seccomp is a list of system calls that fail. A list of those that work would be
 * safer, but C libraries, sanitizers and valgrind each need others. Some are decided by their
 * arguments: how a file is opened, which ioctl() it is, whether clone() makes a thread, and to
 * which process a signal goes or a limit is set. clone3(), whose arguments a filter cannot see,
 * does not exist then: C libraries use the older one; nor does openat2() where Landlock does not
 * look after it, unless files of containers are read. io_uring, which does the work of other calls
 * unseen, is on the list.
 *
 * Invariants:
 * 1. Both parts only forbid: a failure of one leaves the process as it is, and the other in effect.
 * 2. Landlock knows no modes, owners and attributes of files: seccomp forbids to change them. */
#include "config.h"

#include "base/sandbox.h"

#include "base/alloc.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

/* What has been entered; written by sandbox_begin() and sandbox_enter() only. */
static struct {
	bool is_on, has_rules;
	unsigned parts;
	int thread_rules; /* of Landlock, for threads; -1: none */
} entered = { .thread_rules = -1 };

static _Thread_local bool is_inside;

#ifdef __linux__
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* What the runtimes of gcc and clang for profiles bring into a program. */
extern void __gcov_init(void *) __attribute__((weak));   /* NOLINT */
extern int __llvm_profile_runtime __attribute__((weak)); /* NOLINT */

/* Whether a sanitizer or a profiler writes files and traces this process. */
static bool is_watched(void)
{
#ifdef ALLOC_SANITIZED
	return true;
#else
	return __gcov_init || &__llvm_profile_runtime;
#endif
}

/* ==== seccomp ==== */

/* The processor, as the kernel names it for filters. Those that begin numbers with the higher bytes
 * have other names, and other places of arguments. */
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#elif defined __x86_64__ && !defined __ILP32__
#define ARCH 0xC000003Eu
#elif defined __i386__
#define ARCH 0x40000003u
#elif defined __aarch64__ && !defined __ILP32__
#define ARCH 0xC00000B7u
#elif defined __arm__ && defined __ARM_EABI__
#define ARCH 0x40000028u
#elif defined __riscv && __riscv_xlen == 64
#define ARCH 0xC00000F3u
#elif defined __powerpc64__
#define ARCH 0xC0000015u
#endif

#define CALLS_X32 0x40000000u /* numbers of calls of x86-64 programs with short pointers */

#define SET_MODE_FILTER 1u
#define ALL_THREADS 1u /* SECCOMP_FILTER_FLAG_TSYNC */
#define RESULT_ERRNO 0x00050000u
#define RESULT_ALLOW 0x7fff0000u

/* ---- calls that fail ---- */

static const int programs[] = {
	SYS_execve, SYS_execveat, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp,
#ifdef SYS_fork
	SYS_fork,   SYS_vfork,
#endif
};

static const int kernel[] = {
	SYS_bpf,          SYS_perf_event_open, SYS_userfaultfd, SYS_init_module,
	SYS_finit_module, SYS_delete_module,   SYS_kexec_load,  SYS_syslog,
	SYS_add_key,      SYS_request_key,     SYS_keyctl,
};

static const int settings[] = {
	SYS_reboot,        SYS_swapon,       SYS_swapoff,       SYS_acct,
	SYS_quotactl,      SYS_settimeofday, SYS_adjtimex,      SYS_clock_adjtime,
	SYS_clock_settime, SYS_sethostname,  SYS_setdomainname,
};

static const int file_systems[] = {
	SYS_mount,   SYS_umount2,       SYS_pivot_root,        SYS_chroot,
	SYS_unshare, SYS_fanotify_init, SYS_open_by_handle_at,
};

static const int users[] = {
	SYS_setuid,    SYS_setgid,    SYS_setreuid,  SYS_setregid,
	SYS_setresuid, SYS_setresgid, SYS_setgroups, SYS_capset,
};

/* What files are, by their names. */
static const int attributes[] = {
	SYS_mknodat,      SYS_symlinkat, SYS_fchmodat,  SYS_fchownat,    SYS_truncate,
	SYS_setxattr,     SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr,
	SYS_fremovexattr,
#ifdef SYS_mknod
	SYS_mknod,        SYS_symlink,   SYS_chmod,     SYS_chown,       SYS_lchown,
#endif
};

/* 32-bit processors have two calls for some. */
#ifdef SYS_chown32
static const int second_calls[] = {
	SYS_setuid32,        SYS_setgid32,        SYS_setreuid32, SYS_setregid32, SYS_setresuid32,
	SYS_setresgid32,     SYS_setgroups32,     SYS_chown32,    SYS_lchown32,   SYS_truncate64,
#ifdef SYS_clock_settime64
	SYS_clock_settime64, SYS_clock_adjtime64,
#endif
};
#endif

/* All processors have these numbers, older headers do not. */
static const int new_calls[] = {
	425, /* io_uring_setup */
	426, /* io_uring_enter */
	427, /* io_uring_register */
	428, /* open_tree */
	429, /* move_mount */
	430, /* fsopen */
	431, /* fsconfig */
	432, /* fsmount */
	433, /* fspick */
	438, /* pidfd_getfd */
	440, /* process_madvise */
	442, /* mount_setattr */
	452, /* fchmodat2 */
	463, /* setxattrat */
	466, /* removexattrat */
	467, /* open_tree_attr */
	469, /* file_setattr */
};

#define CALL_PIDFD_SEND_SIGNAL 424
#define CALL_CLONE3 435
#define CALL_OPENAT2 437

/* With SANDBOX_READ: ways to send a signal that a filter cannot decide. */
static const int signals[] = {
	SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, CALL_PIDFD_SEND_SIGNAL,
#ifdef __GLIBC__
	SYS_tkill, /* raise() of musl is that */
#endif
};

/* Without SANDBOX_SOCKETS. */
static const int sockets[] = {
	SYS_socket,     SYS_connect, SYS_bind, SYS_listen, SYS_accept4, SYS_setns,
#ifdef SYS_socketcall
	SYS_socketcall,
#endif
#ifdef SYS_accept
	SYS_accept,
#endif
};

/* With SANDBOX_NO_WRITE. */
static const int changes[] = {
	SYS_unlinkat,  SYS_renameat2,   SYS_mkdirat, SYS_linkat, SYS_fchmod, SYS_fchown,
	SYS_ftruncate,
#ifdef SYS_creat
	SYS_creat,     SYS_unlink,      SYS_rmdir,   SYS_rename, SYS_mkdir,  SYS_link,
#endif
#ifdef SYS_renameat
	SYS_renameat,
#endif
#ifdef SYS_fchown32
	SYS_fchown32,  SYS_ftruncate64,
#endif
};

/* The same, of the times of files. */
static const int times[] = {
#ifdef SYS_utimensat
	SYS_utimensat,
#endif
#ifdef SYS_utimensat_time64
	SYS_utimensat_time64,
#endif
#ifdef SYS_utimes
	SYS_utimes,
	SYS_futimesat,
#endif
#ifdef SYS_utime
	SYS_utime,
#endif
};

#ifdef ARCH
/* Instructions of classic BPF. */
enum { LOAD = 0x20, IF_EQUAL = 0x15, IF_FROM = 0x35, IF_BIT = 0x45, RETURN = 0x06 };

#define CODE_MAX 512

struct filter {
	unsigned short n;
	struct instruction {
		uint16_t code;
		uint8_t if_so, if_not; /* instructions to skip */
		uint32_t k;
	} * code;
};

/* Places in what the filter sees: number of the call, processor, the lower half of an argument. */
#define AT_CALL 0u
#define AT_ARCH 4u
#define AT_ARGUMENT(i) (16u + 8u * (i))

static void add(struct filter *f, uint16_t code, uint32_t k, uint8_t if_so, uint8_t if_not)
{
	f->code[f->n++] = (struct instruction){ code, if_so, if_not, k };
}

/* errnum: 0: the call is made. */
static void add_result(struct filter *f, int errnum)
{
	add(f, RETURN, errnum ? RESULT_ERRNO | (uint32_t)errnum : RESULT_ALLOW, 0, 0);
}

static void add_failing(struct filter *f, int call, int errnum)
{
	add(f, IF_EQUAL, (uint32_t)call, 0, 1);
	add_result(f, errnum);
}

static void add_list(struct filter *f, const int *calls, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_failing(f, calls[i], EPERM);
}

/* The call fails if its argument compares so with the value, or if it does not. Else what follows
 * decides. */
static void add_if(struct filter *f, int call, unsigned argument, uint16_t compare, uint32_t value,
		   bool is_so)
{
	add(f, IF_EQUAL, (uint32_t)call, 0, 4);
	add(f, LOAD, AT_ARGUMENT(argument), 0, 0);
	add(f, compare, value, is_so ? 0 : 1, is_so ? 1 : 0);
	add_result(f, EPERM);
	add(f, LOAD, AT_CALL, 0, 0);
}

static void add_writing(struct filter *f, unsigned parts)
{
	const uint32_t writes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;

	if (!entered.has_rules && !(parts & SANDBOX_PROCESSES))
		add_failing(f, CALL_OPENAT2, ENOSYS);
	add_if(f, SYS_openat, 2, IF_BIT, writes, true);
#ifdef SYS_open
	add_if(f, SYS_open, 1, IF_BIT, writes, true);
#endif
	add_list(f, changes, ARRAY_LEN(changes));
	add_list(f, times, ARRAY_LEN(times));
}

static void add_all(struct filter *f, unsigned parts)
{
	/* What types into a terminal: the second one into the console. */
	add_if(f, SYS_ioctl, 1, IF_EQUAL, TIOCSTI, true);
	add_if(f, SYS_ioctl, 1, IF_EQUAL, TIOCLINUX, true);
	add_failing(f, CALL_CLONE3, ENOSYS);
	if (!is_watched()) {
		add_if(f, SYS_clone, 0, IF_BIT, CLONE_THREAD, false);
		add_failing(f, SYS_ptrace, EPERM);
	}
	add_list(f, programs, ARRAY_LEN(programs));
	add_list(f, kernel, ARRAY_LEN(kernel));
	add_list(f, settings, ARRAY_LEN(settings));
	add_list(f, file_systems, ARRAY_LEN(file_systems));
	add_list(f, users, ARRAY_LEN(users));
	add_list(f, attributes, ARRAY_LEN(attributes));
	add_list(f, new_calls, ARRAY_LEN(new_calls));
#ifdef SYS_chown32
	add_list(f, second_calls, ARRAY_LEN(second_calls));
#endif
	if (!(parts & SANDBOX_SOCKETS))
		add_list(f, sockets, ARRAY_LEN(sockets));
	add_if(f, SYS_prlimit64, 0, IF_EQUAL, 0, false);
	/* Landlock forbids it from its version 6 on. The interface stops its process group. */
	if (parts & SANDBOX_READ) {
		add_if(f, SYS_kill, 0, IF_EQUAL, (uint32_t)getpid(), false);
		add_if(f, SYS_tgkill, 0, IF_EQUAL, (uint32_t)getpid(), false);
		add_list(f, signals, ARRAY_LEN(signals));
	}
}

/* is_thread: the calling thread only, which has the rest already. */
static void filter_calls(unsigned parts, bool is_thread)
{
	struct instruction code[CODE_MAX];
	struct filter f = { .code = code };

	add(&f, LOAD, AT_ARCH, 0, 0);
	add(&f, IF_EQUAL, ARCH, 1, 0);
	add_result(&f, EPERM);
	add(&f, LOAD, AT_CALL, 0, 0);
#ifdef __x86_64__
	add(&f, IF_FROM, CALLS_X32, 0, 1);
	add_result(&f, EPERM);
#endif
	if ((parts & SANDBOX_NO_WRITE) && !is_watched())
		add_writing(&f, parts);
	if (!is_thread)
		add_all(&f, parts);
	add_result(&f, 0);
	/* For all threads, it fails when one of them has a filter of its own. */
	if (is_thread || syscall(SYS_seccomp, SET_MODE_FILTER, ALL_THREADS, &f) != 0)
		syscall(SYS_seccomp, SET_MODE_FILTER, 0, &f);
}
#else
static void filter_calls(unsigned parts, bool is_thread)
{
	(void)parts;
	(void)is_thread;
}
#endif

/* ==== Landlock ==== */

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

#define CREATE_RULESET_VERSION 1u
#define RULE_PATH_BENEATH 1

/* What is forbidden where no rule allows it; older kernels know the first ones. */
struct ruleset {
	uint64_t files, networks, scopes;
};

struct beneath {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

/* Rights of Landlock, with the version that brought them. */
#define FILE_EXECUTE (1u << 0)
#define FILE_WRITE (1u << 1)
#define FILE_READ (1u << 2)
#define FILE_READ_DIR (1u << 3)
#define FILE_NAMES 0x1ff0u       /* make and remove, of all kinds */
#define FILE_SPECIAL 0x1e40u     /* of these, make devices, sockets, pipes and links */
#define FILE_REFER (1u << 13)    /* 2: move and link from one directory to another */
#define FILE_TRUNCATE (1u << 14) /* 3 */
#define NETWORKS 3u              /* 4: bind() and connect() of TCP */
#define SCOPES 3u                /* 6: abstract sockets, and signals, of processes outside */

#define READING (FILE_READ | FILE_READ_DIR)
#define OF_FILES (FILE_EXECUTE | FILE_WRITE | FILE_READ | FILE_TRUNCATE)

static long landlock_version(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
}

/* The rights of writing that this kernel knows. */
static uint64_t writing(long version)
{
	return is_watched() ? 0
			    : FILE_WRITE | FILE_NAMES | (version >= 2 ? FILE_REFER : 0) |
			(version >= 3 ? FILE_TRUNCATE : 0);
}

static int make_rules(const struct ruleset *set, long version)
{
	size_t size = version >= 6 ? sizeof *set
		: version >= 4     ? offsetof(struct ruleset, scopes)
				   : offsetof(struct ruleset, networks);

	return version < 1 ? -1 : (int)syscall(SYS_landlock_create_ruleset, set, size, 0);
}

static void allow(const struct sandbox *s, const char *path, uint64_t rights)
{
	struct beneath rule = { .allowed = rights };
	struct stat st;

	if (s->rules < 0 || !path)
		return;
	rule.fd = open(path, O_PATH | O_CLOEXEC);
	if (rule.fd < 0)
		return;
	if (fstat(rule.fd, &st) == 0 && !S_ISDIR(st.st_mode))
		rule.allowed &= OF_FILES;
	syscall(SYS_landlock_add_rule, s->rules, RULE_PATH_BENEATH, &rule, 0);
	close(rule.fd);
}

/* ==== sandbox ==== */

void sandbox_begin(struct sandbox *s, unsigned parts)
{
	long version = parts & SANDBOX_PROCESSES ? 0 : landlock_version();
	struct ruleset set = { .files = FILE_EXECUTE };

	if (parts & SANDBOX_READ)
		set.files |= READING;
	if (parts & (SANDBOX_WRITE | SANDBOX_NO_WRITE))
		set.files |= writing(version);
	if (version >= 2)
		set.files |= FILE_REFER; /* all rules forbid it that do not allow it */
	if (!(parts & SANDBOX_SOCKETS))
		set.networks = NETWORKS;
	if (parts & SANDBOX_READ)
		set.scopes = SCOPES;
	*s = (struct sandbox){ .parts = parts, .rules = make_rules(&set, version) };
	if (!(set.files & FILE_WRITE))
		allow(s, "/", FILE_REFER);
	if ((parts & SANDBOX_THREADS) && writing(version))
		entered.thread_rules = make_rules(&(struct ruleset){ .files = writing(version) },
						  version);
}

void sandbox_allow_read(const struct sandbox *s, const char *path)
{
	if (s->parts & SANDBOX_READ)
		allow(s, path, READING);
}

void sandbox_allow_write(const struct sandbox *s, const char *path)
{
	if (s->parts & SANDBOX_WRITE)
		allow(s, path, writing(landlock_version()) & ~(uint64_t)FILE_SPECIAL);
}

void sandbox_enter(struct sandbox *s)
{
	entered.is_on = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
	entered.has_rules = entered.is_on && s->rules >= 0 &&
		syscall(SYS_landlock_restrict_self, s->rules, 0) == 0;
	if (s->rules >= 0)
		close(s->rules);
	s->rules = -1;
	if (entered.is_on)
		filter_calls(s->parts, false);
	entered.parts = s->parts;
}

void sandbox_enter_thread(bool is_in)
{
	if (!is_in && entered.is_on && (entered.parts & SANDBOX_THREADS)) {
		if (entered.thread_rules >= 0)
			syscall(SYS_landlock_restrict_self, entered.thread_rules, 0);
		filter_calls(entered.parts | SANDBOX_NO_WRITE, true);
		is_in = true;
	}
	is_inside = is_in;
}

#else
/* Other systems have no such sandbox. */

void sandbox_begin(struct sandbox *s, unsigned parts)
{
	*s = (struct sandbox){ .parts = parts, .rules = -1 };
}

void sandbox_allow_read(const struct sandbox *s, const char *path)
{
	(void)s;
	(void)path;
}

void sandbox_allow_write(const struct sandbox *s, const char *path)
{
	(void)s;
	(void)path;
}

void sandbox_enter(struct sandbox *s)
{
	(void)s;
}

void sandbox_enter_thread(bool is_in)
{
	is_inside = is_in;
}
#endif

bool sandbox_is_inside(void)
{
	return is_inside;
}

int sandbox_errno(int errnum, const char *path, int mode)
{
	int before = errno;

	if (entered.is_on && (errnum == EACCES || errnum == EPERM) && access(path, mode) == 0)
		errnum = ERROR_SANDBOX;
	errno = before;
	return errnum;
}
