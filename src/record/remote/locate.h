/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the inspector of a process listens, if it is open. */
#ifndef FLAMETTY_RECORD_REMOTE_LOCATE_H
#define FLAMETTY_RECORD_REMOTE_LOCATE_H

#include "base/buf.h"
#include "record/remote/process.h"

struct error;

/* Where an inspector is. */
struct locate_place {
	char host[64];  /* numeric */
	char netns[64]; /* path of its network namespace; "": that of this program */
	char path[128]; /* of its WebSocket; "": not known yet */
	int32_t port;   /* 0: not known yet */
	int32_t pid;    /* 0: the inspector was named by its address */
};

/* Ask the port of the place for its list of targets (/json/list), and take the first one that is no
 * worker: the path, and what the inspector says the title is. cancel_fd: as in struct connection.
 * Returns false and err if no inspector answers. */
bool locate_at(struct locate_place *place, int cancel_fd, struct buf *title,
	       struct error *err) MUST_USE;

/* The place of a process on this machine, without a port. */
struct locate_place locate_begin(const char *proc, const struct process *process);

struct locate_search {
	const char *proc; /* as for process_read() */
	const struct process *process;
	const int *known; /* ports that are not asked: a server of the program may not expect it */
	int n_known;
	int cancel_fd; /* as in struct connection */
};

/* Ask all ports on which the process listens. Returns false if none is an inspector; err is set
 * only if the user has cancelled, or if its network namespace cannot be entered. */
bool locate_process(const struct locate_search *search, struct locate_place *place,
		    struct buf *title, struct error *err) MUST_USE;

/* The sockets among the descriptors of a process. */
struct inodes {
	struct inode {
		uint64_t inode;
		int fd;
	} * list; /* the owner frees it */
	size_t n, cap;
};

/* Append those of a process. Returns false if its descriptors may not be read. */
bool ports_inodes(const char *proc, pid_t pid, struct inodes *list);

/* The descriptor of a socket; -1: it is not among them. */
int ports_find_inode(const struct inodes *list, uint64_t inode);

#define PORTS_MAX 32

/* The TCP ports on which the process listens at a loopback or any address; those of inspectors
 * (9229 to 9240) first. Returns their number, at most PORTS_MAX; -1 if its descriptors may not be
 * read. proc: as for process_read(). */
int ports_of(const char *proc, const struct process *process, int ports[PORTS_MAX]);

/* The same at any address, but only those of servers of the program, as far as its arguments tell:
 * not those of inspectors, nor the one that it names for its inspector, nor, if it leaves that to
 * the system, the local one with the lowest descriptor: the inspector opens before the program
 * begins. */
int ports_of_program(const char *proc, const struct process *process, int ports[PORTS_MAX]);

/* At which address the process listens on one of these ports, for a client: 127.0.0.1 for any
 * address. size: of `host`, at least 46. Returns false if it does not listen there. */
bool ports_host(const char *proc, const struct process *process, int port, char *host, size_t size);

/* Append the connections of the process and where it listens, but for its inspector, each with a
 * comma before it: `, 2 connections to 10.0.0.7:5432, 9 connections of clients, listens on :8080`.
 * Nothing is appended if its descriptors may not be read. */
void ports_tell(const char *proc, const struct process *process, struct buf *out);

/* The process that listens on a port of 127.0.0.1 in the network namespace of `process`; 0: none
 * does; PORTS_UNKNOWN: one whose descriptors may not be read. */
#define PORTS_UNKNOWN ((pid_t)-1)

pid_t ports_holder(const char *proc, const struct process *process, int port);

#endif
