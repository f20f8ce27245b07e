/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On which ports processes of this machine listen. */
#ifndef FLAMETTY_REMOTE_PORTS_H
#define FLAMETTY_REMOTE_PORTS_H

#include "record/remote/process.h"

#define PORTS_MOST 32

/* The TCP ports on which the process listens at a loopback or any address; those of inspectors
 * (9229 to 9240) first. Returns their number, at most PORTS_MOST; -1 if its descriptors may not be
 * read. proc: as for process_read(). */
int ports_of(const char *proc, const struct process *process, int ports[PORTS_MOST]);

/* At which address the process listens on one of these ports, for a client: 127.0.0.1 for any
 * address. size: of `host`, at least 46. Returns false if it does not listen there. */
bool ports_host(const char *proc, const struct process *process, int port, char *host, size_t size);

/* The process that listens on a port of 127.0.0.1 in the network namespace of `process`; 0: none
 * does; PORTS_UNKNOWN: one whose descriptors may not be read. */
#define PORTS_UNKNOWN ((pid_t)-1)
pid_t ports_holder(const char *proc, const struct process *process, int port);

#endif
