/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The requests that recorded processes serve, what they wait for, and when a thread runs for which
 * of them (formats(5), TRACES). Times are ns since the start of the profile. Owned by the
 * profile. */
#ifndef FLAMETTY_MODEL_SERVED_H
#define FLAMETTY_MODEL_SERVED_H

#include "base/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define SERVED_NONE UINT32_MAX

struct served {
	uint32_t input;
	int64_t pid, tid; /* of the thread: see served_is_of() */
	int64_t t0, t1;   /* t1: of one that has not ended, the end of the recording */
	int64_t offset;   /* of its event in the file */
	str_id name;      /* `GET /users/:id`: its route */
	str_id path;      /* `/users/17`; 0: not known */
	str_id trace;     /* the id of the distributed trace that it is a part of; 0: not known */
	int64_t status;   /* 0: none */
	int64_t unread;   /* from t0 on: its bytes had arrived, and were not read */
	bool was_open;    /* it began before the recording */
	bool is_open;     /* it has not ended */
	bool is_aborted;
	bool is_guessed; /* the route is guessed from the path */
	bool is_sampled; /* t0 and t1 are those of its first and last sample: it lasted at least
			    that long */
};

enum served_wait_kind {
	SERVED_CALL,    /* a call of another server: http, https, fetch */
	SERVED_SOCKET,  /* a connection of another protocol */
	SERVED_DNS,     /* a name is looked up */
	SERVED_CONNECT, /* a connection is made */
	SERVED_JOB,     /* a job of the pool of threads */
	SERVED_WAIT_KINDS
};

struct served_wait {
	uint32_t input;
	uint32_t served; /* index of the request that waits; SERVED_NONE: not known */
	enum served_wait_kind kind;
	int64_t t0, t1;
	str_id name;    /* `GET 10.0.0.7:8080/stock`, `pg 10.0.0.9:5432`, `file` */
	str_id error;   /* a code, such as ECONNREFUSED; 0: none */
	int64_t status; /* of a call; 0: none */
	int64_t socket; /* SERVED_SOCKET: its number in the process; SERVED_JOB: threads of the
			   pool, 0: not known; else 0 */
	int64_t pid;
	int64_t unread; /* until t1: the answer had arrived, and was not read; 0: not known */
	int64_t offset; /* of its event in the file */
};

/* When the answer came, if that is known; otherwise when it was read. */
static inline int64_t served_wait_end(const struct served_wait *w)
{
	return w->unread > 0 && w->unread < w->t1 - w->t0 ? w->t1 - w->unread : w->t1;
}

/* The thread runs for the request, or does nothing. */
struct served_run {
	uint32_t input;
	uint32_t served;
	int64_t t0, t1;
	int64_t offset; /* of its event in the file */
};

struct served_all {
	struct served *requests; /* by begin, within an input */
	size_t n, cap;
	struct served_wait *waits;
	size_t n_waits, cap_waits;
	struct served_run *runs; /* by begin, within a thread of an input */
	size_t n_runs, cap_runs;
};

/* The event category of requests in traces is that of 0, of waits that of their kind + 1, and of
 * runs the last one. NULL: i is past it. */
static inline const char *served_category(unsigned i)
{
	static const char *const names[] = {
		"http.server", "http.client", "socket",      "dns",
		"connect",     "thread pool", "request.cpu", NULL,
	};

	return names[i];
}

/* Whether a lane of a thread is that of a request: recordings number main threads 0 or as their
 * process. */
static inline bool served_is_of(const struct served *s, int64_t pid, int64_t tid)
{
	return s->pid == pid && (s->tid == tid || (s->tid == pid && tid == 0));
}

static inline void served_done(struct served_all *all)
{
	free(all->requests);
	free(all->waits);
	free(all->runs);
	*all = (struct served_all){ 0 };
}

#endif
