/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that a program has received and not yet looked at: SIGHUP, SIGINT, SIGTERM or SIGUSR2.
 *
 * Node.js, as every program of libuv, has a pipe to itself: the handler of a signal writes a
 * message into it, and the loop reads it when it turns. A message that stays there is a loop that
 * does not turn. Linux only. */
#ifndef FLAMETTY_REMOTE_PENDING_H
#define FLAMETTY_REMOTE_PENDING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct pending {
	int signal;      /* the first one */
	uint64_t handle; /* that the message is for: an address in the program */
	bool is_shared;  /* the program has several handles for this signal */
};

/* Look into the pipe, and leave it as it is. proc: "/proc". Returns false if no message is there,
 * or if the descriptors of the process may not be read. */
bool pending_read(const char *proc, pid_t pid, struct pending *pending);

#endif
