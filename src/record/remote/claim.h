/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What only one flametty may do at a time: record a process, or open an inspector at a port. The
 * kernel ends a claim together with the program. */
#ifndef FLAMETTY_REMOTE_CLAIM_H
#define FLAMETTY_REMOTE_CLAIM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct claim {
	int fd; /* -1: none */
};

#define CLAIM_INIT                                                                                 \
	{                                                                                          \
		.fd = -1                                                                           \
	}

/* Claim a name. uid: of the user whose processes it is about. Returns false if another flametty, or
 * another thread of this one, has it: *holder is its process; 0: that cannot be told, because it is
 * of another PID namespace, or too many have asked whose it is. Of other users only root and `uid`
 * can have claims; what others do is not heeded: then there is no claim, and the result is true.
 * But a name whose queue is full is held, also if another user has made it. */
bool claim_take(struct claim *c, const char *name, uid_t uid, pid_t *holder);

/* A process, named in a way that is the same in all PID namespaces. */
struct claim_process {
	uint64_t space; /* the number of its own PID namespace */
	pid_t pid;      /* its number there */
	uint64_t start_ticks;
};

/* Claim the recording of a process. */
bool claim_process(struct claim *c, const struct claim_process *process, uid_t uid, pid_t *holder);

/* Whether it is free by now, and taken; after claim_take() or claim_process() has returned false.
 * This may be called any number of times: it does not ask whose it is. */
bool claim_again(struct claim *c, const char *name);
bool claim_process_again(struct claim *c, const struct claim_process *process);

void claim_end(struct claim *c);

#endif
