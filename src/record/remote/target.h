/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A JavaScript process and its open inspector. What was closed before is closed again afterwards;
 * what was open stays so. */
#ifndef FLAMETTY_RECORD_REMOTE_TARGET_H
#define FLAMETTY_RECORD_REMOTE_TARGET_H

#include "record/remote/guard.h"
#include "record/remote/inspector.h"
#include "record/remote/process.h"

struct target_options {
	const char *proc;    /* where processes are: "/proc" */
	int cancel_fd;       /* readable once the user cancels; -1: none */
	struct guard *guard; /* closes the inspector if this program dies; NULL: none */
	/* Processes whose inspectors are opened at the same time, all at the same port: each is
	 * moved to a port of its own. 0 and 1: it stays. */
	uint32_t n_processes;
	/* NULL: it may always. Called before SIGUSR1 is sent: whether it may be; else err is set.
	 */
	bool (*may_open)(void *ctx, const struct process *process, struct error *err);
	void *ctx;
};

struct target {
	const struct target_options *options;
	struct process process; /* zeroed: it was named by address, and is not on this machine */
	struct inspector inspector;
	struct locate_place place; /* where the inspector is */
	struct buf title;          /* as the inspector tells it, such as `server.js` */
	bool is_opened;            /* by us: target_close() closes it again */
	bool is_closing;           /* the process was told to close it, and may do so yet */
	int known[PORTS_MAX];      /* ports that are other servers */
	int n_known;
	struct claim claim; /* no other flametty records the process */
};

/* Find the inspector of a process, or open it with SIGUSR1 if process_refusal() has nothing against
 * it, and connect. The process tells its own number before anything else happens: ports may belong
 * to another one. Returns false and err with the reason; then everything is as before. The options
 * must outlive the target. */
bool target_open(struct target *t, pid_t pid, const struct target_options *options,
		 struct error *err) MUST_USE;

/* Connect to an inspector by address: a loopback address, numeric or `localhost`. The process that
 * listens there is known if the inspector tells the same number: another one may pass the
 * connection on to another machine. */
bool target_open_at(struct target *t, const char *host, int port,
		    const struct target_options *options, struct error *err) MUST_USE;

/* Close the connection, and the inspector if it was opened here. Waits up to a second for that.
 * Returns false if it is still open: the process closes it when it returns to its loop, and the
 * guard looks after that. */
bool target_close(struct target *t);

/* Whether the process that was opened is still there. */
static inline bool target_is_alive(const struct target *t)
{
	return t->process.pid == 0 || process_is_same(t->options->proc, &t->process);
}

#endif
