/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process that closes inspectors which this program has opened, if the program dies before it
 * can: by SIGKILL, or by a fault. It is started before the first inspector is opened, sleeps, and
 * ends with the program. */
#ifndef FLAMETTY_REMOTE_GUARD_H
#define FLAMETTY_REMOTE_GUARD_H

#include "remote/locate.h"

#include <sys/types.h>

struct guard {
	int fd;    /* its pipe; -1: there is no guard */
	pid_t pid; /* of the guard */
};

/* Start the guard: a copy of this process, so start it early. False: there is none. */
bool guard_start(struct guard *guard);

/* From now on the guard closes this inspector, or no longer. A place without a port is that of a
 * process: the guard looks for its inspector. A second one of the process takes the place of the
 * first. */
void guard_add(const struct guard *guard, const struct locate_place *place);
void guard_remove(const struct guard *guard, const struct locate_place *place);

/* End the guard, unless it still has inspectors to close: then it tries for 60 s, on its own. */
void guard_stop(struct guard *guard);

#endif
