/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process that closes inspectors which this program has opened, if the program dies before it
 * can, by SIGKILL or by a fault, or gives up: an inspector may open, or its process answer, much
 * later. It is started before the first inspector is opened, sleeps, and ends when nothing is left
 * to do, which may be after the program.
 *
 * It holds the connections, too. Node.js 18 to 24 crashes where a connection ends without a word
 * while a message is sent over it: its inspector then writes to a socket that it has given up
 * (WsHandler::OnEof() of src/inspector_socket.cc). A close frame at such a moment does the same,
 * less often, also where it comes while Node.js closes the connection itself. So a connection ends
 * when all calls are answered, by a close frame, after that of a process that was told to close its
 * inspector, and is read until the process has ended it. */
#ifndef FLAMETTY_RECORD_REMOTE_GUARD_H
#define FLAMETTY_RECORD_REMOTE_GUARD_H

#include "record/remote/locate.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct guard {
	int fd;    /* its socket; -1: there is no guard */
	pid_t pid; /* of the guard */
};

/* Start the guard: a copy of this process, so start it early. False: there is none. */
bool guard_start(struct guard *guard);

/* What the guard must know. */
struct guard_place {
	struct locate_place place;
	/* Ports of the process that are other servers. */
	int32_t known[PORTS_MAX];
	int32_t n_known;
	int32_t is_asked;  /* the process has agreed to close it */
	int32_t is_moving; /* it may open again at another port */
	/* The process was told to close it, over the connection that the guard holds. */
	int32_t is_closing;
};

/* From now on the guard holds this connection, a WebSocket, with the process of the place. Once the
 * program dies, or says that it is done with the place, the guard brings the connection to its end,
 * unless the process does so: it sends a last call, waits for its answer, sends a close frame, and
 * reads until the process ends the connection. Of each process it holds one, the last. Without
 * guard_add(), the inspector is left as it is. Returns false if there is no guard. */
bool guard_hold(const struct guard *guard, const struct locate_place *place, int fd);

/* From now on the guard closes this inspector, or no longer. A place without a port is that of a
 * process: the guard looks for its inspector. A second one of the process takes the place of the
 * first. */
void guard_add(const struct guard *guard, const struct guard_place *place);
void guard_remove(const struct guard *guard, const struct locate_place *place);

/* The guard shall close it now, or as soon as it opens, and forget it then, or when its process
 * ends. */
void guard_leave(const struct guard *guard, const struct guard_place *place);

/* End the guard, unless it still has inspectors to close: then it goes on, on its own. */
void guard_stop(struct guard *guard);

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
void claim_end(struct claim *c);

#endif
