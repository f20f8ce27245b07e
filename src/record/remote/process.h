/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes of this machine as /proc tells them: which run JavaScript, whether they take the signal
 * that opens an inspector, and on which ports they listen. Linux only. */
#ifndef FLAMETTY_RECORD_REMOTE_PROCESS_H
#define FLAMETTY_RECORD_REMOTE_PROCESS_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PROCESS_PROC "/proc"

/* Where runtimes open their inspector, if they were told nothing else. */
#define PROCESS_PORT 9229

enum process_runtime {
	RUNTIME_NONE, /* no JavaScript runtime that is known */
	RUNTIME_NODE,
	RUNTIME_DENO,
	RUNTIME_BUN,
	RUNTIME_ELECTRON,
	RUNTIME_CHROMIUM
};

struct process {
	pid_t pid;
	pid_t inner_pid; /* in its own pid namespace: what process.pid says */
	pid_t parent;
	uid_t uid;
	enum process_runtime runtime;
	bool takes_signal;   /* it has a handler for SIGUSR1 */
	bool is_blocked;     /* SIGUSR1 is blocked: it would stay pending. A main thread blocks all
				signals for a moment while it starts a thread or a process */
	bool is_other_netns; /* its network namespace is not that of the caller */
	bool is_zombie;
	bool is_fork;         /* a copy of its parent, which may become another program at once */
	char state;           /* a letter of proc(5) */
	uint64_t start_ticks; /* when it started, in clock ticks since boot: with the pid, this is
				 what tells processes apart */
	double cpu_seconds;   /* user and system time so far */
	double age_seconds;
	int64_t resident_kb;
	char name[32];      /* comm */
	struct buf exe;     /* path of the program; empty: not readable */
	struct buf command; /* the arguments, separated by blanks */
	struct buf netns;   /* its network namespace, as `net:[4026531840]` */
};

/* The word for a runtime: `node`, `deno`, `bun`, `electron`, `chromium`, `-`. */
const char *process_runtime_word(enum process_runtime runtime);

/* Read what /proc has about a process. proc: "/proc", or a folder like it. Returns false with err
 * set if it is not there. The caller frees it with process_done(), also after false. */
bool process_read(const char *proc, pid_t pid, struct process *process, struct error *err);

static inline void process_done(struct process *p)
{
	buf_done(&p->exe);
	buf_done(&p->command);
	buf_done(&p->netns);
}

/* Whether the process that was read is still the one with that pid, and has not ended. */
bool process_is_same(const char *proc, const struct process *process);

/* Why SIGUSR1 must not be sent any more to a process that was read before, or NULL if it may:
 * exec() makes another program of it, without handlers. Static text. is_blocked: whether it blocks
 * the signal now. */
const char *process_change(const char *proc, const struct process *process, bool *is_blocked);

/* The number of its PID namespace; 0: it may not be read. And that number in `pid:[4026531836]`. */
uint64_t process_space(const char *proc, pid_t pid);
uint64_t process_space_number(const char *link);

/* Whether `proc` counts processes as this program does. Otherwise its numbers are those of another
 * PID namespace: signals would reach other processes. */
bool process_is_own_proc(const char *proc);

enum process_doing {
	PROCESS_ENDED,
	PROCESS_STOPPED, /* by a signal, or a debugger */
	PROCESS_RUNS,    /* or waits for something else, or /proc does not tell for what */
	PROCESS_LOCKED,  /* its main thread waits for another thread */
	PROCESS_POLLS    /* its main thread waits for events, as the loop does with nothing to do */
};

/* What the process that was read does now. */
enum process_doing process_doing(const char *proc, const struct process *process);

/* Its memory, in bytes of addresses, and its threads: both get less while it ends. */
struct process_size {
	uint64_t bytes;
	uint64_t n_threads;
};

struct process_size process_size(const char *proc, const struct process *process);

/* Whether no more threads of the machine run than it has processors, this one among them. */
bool process_has_room(const char *proc);

/* Whether SIGUSR1 was sent to it and has not arrived. */
bool process_has_signal(const char *proc, const struct process *process);

/* Whether its main thread has started a process that has not ended. */
bool process_has_children(const char *proc, const struct process *process);

/* Whether it was started as a worker of a cluster. */
bool process_is_worker(const char *proc, pid_t pid);

/* The children that are workers of its cluster. When the inspector of the main thread opens,
 * Node.js sends SIGUSR1 to all of them. The caller frees *pids. */
size_t process_cluster(const char *proc, const struct process *process, pid_t **pids);

/* Where it would open its inspector, by its arguments and NODE_OPTIONS. A program that sets
 * process.debugPort, or process.title over its arguments, does it elsewhere. */
struct process_inspector {
	int port;        /* 0: any that is free */
	bool opens;      /* before the program begins; else when a signal comes */
	char host[64];   /* "": 127.0.0.1 */
	bool waits;      /* for a debugger, before the program begins (--inspect-brk) */
	bool is_watcher; /* it only starts the program again when files change (--watch) */
	bool is_runner;  /* it only runs a command of package.json (--run) */
};

void process_inspector_find(const char *proc, const struct process *process,
			    struct process_inspector *place);

/* Whether no other machine can reach it there. */
bool process_inspector_is_local(const struct process_inspector *place);

/* The pids in `proc`, ascending. The caller frees *pids. */
size_t process_list(const char *proc, pid_t **pids);

/* Why SIGUSR1 must not be sent, or NULL if it may. Runtimes without a handler die of it. static
 * text. */
const char *process_refusal(const char *proc, const struct process *process);

#define PROC_FILE_PATH 512

/* The path `proc/pid/name`. */
void proc_file_path(char out[PROC_FILE_PATH], const char *proc, pid_t pid, const char *name);

/* Append the file: about `most` bytes at most. Returns false if it cannot be read. */
bool proc_file_read(const char *proc, pid_t pid, const char *name, size_t most, struct buf *out);

/* Append what a link names. Returns false if it is none, or may not be read. */
bool proc_file_link(const char *proc, pid_t pid, const char *name, struct buf *out);

#endif
