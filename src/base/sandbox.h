/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sandbox: what the process may not do any more from some moment on, so that a hostile file
 * that takes over a reader cannot do it either. The kernel has two parts for that:
 *
 *	Landlock    which files may be read, written, made and removed
 *	seccomp     which system calls fail: networks, programs, other processes, the system itself
 *
 * What is forbidden fails with EACCES or EPERM; it does not end the process. Where the kernel has
 * one of the two only, that one works; where it has none, or on a processor that sandbox.c does not
 * know, the process goes on without.
 *
 * A build that sanitizers or profilers watch may write files and trace itself, as their reports
 * need that. */
#ifndef FLAMETTY_BASE_SANDBOX_H
#define FLAMETTY_BASE_SANDBOX_H

#include <stdbool.h>

enum sandbox_part {
	SANDBOX_READ = 1,     /* only files that were allowed can be read */
	SANDBOX_WRITE = 2,    /* only files that were allowed can be written, made and removed */
	SANDBOX_NO_WRITE = 4, /* no file can, also where there is no Landlock */
	SANDBOX_THREADS = 8,  /* no file can by the threads that thread_start() starts */
	SANDBOX_SOCKETS = 16, /* sockets of this machine and of networks stay possible */
	/* Other processes can be looked at in /proc: without Landlock, which forbids that. */
	SANDBOX_PROCESSES = 32
};

/* A sandbox that is being made: nothing is forbidden yet. */
struct sandbox {
	unsigned parts; /* of enum sandbox_part */
	int rules;      /* a descriptor of Landlock; -1: there is none */
};

void sandbox_begin(struct sandbox *sandbox, unsigned parts);

/* Allow to read, or to write, a file or all below a directory. NULL, and what is not there, is
 * ignored. */
void sandbox_allow_read(const struct sandbox *sandbox, const char *path);
void sandbox_allow_write(const struct sandbox *sandbox, const char *path);

/* Forbid the rest. seccomp is for all threads, Landlock for the calling thread and those that it
 * starts: call this before there are others. A second sandbox can only forbid more. */
void sandbox_enter(struct sandbox *sandbox);

/* Obey SANDBOX_THREADS on the calling thread and those that it starts. is_inside: it is so already,
 * as the thread that has started this one is inside. For thread_start(). */
void sandbox_enter_thread(bool is_inside);
bool sandbox_is_inside(void);

/* What to report when a file cannot be opened: ERROR_SANDBOX instead of `errnum` if only the
 * sandbox is in the way. mode: for access(), R_OK or W_OK. */
int sandbox_errno(int errnum, const char *path, int mode);

#endif
