/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the time of requests was spent on (model/served.h). At each instant the first of these
 * counts, so the parts of a request add up to its length:
 *
 *   1. own: its thread runs for it, as the recording states, and its profile is not idle there;
 *   2. waits: for an answer, a connection, a name or a job that the recording states as its own. A
 *      wait whose end other work of the thread covers ended before that work, at an unknown time:
 *      that work counts as 3;
 *   3. behind: its thread runs for another request, or for none;
 *   4. free: it waits for a free connection: all of an address are busy, and its own wait for this
 *      address comes later;
 *   5. unread: its bytes had arrived, and its thread had not read them;
 *   6. unknown: timers, and waits that the recording does not know. */
#ifndef FLAMETTY_FINDINGS_SERVED_TIME_H
#define FLAMETTY_FINDINGS_SERVED_TIME_H

#include "base/buf.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

enum served_part {
	SERVED_OWN,
	SERVED_WAITS,
	SERVED_BEHIND,
	SERVED_FREE,
	SERVED_UNREAD,
	SERVED_UNKNOWN,
	SERVED_PARTS
};

/* What a column of waits and a column of other time show, of times by part. */
static inline int64_t served_part_waits(const int64_t part[SERVED_PARTS])
{
	return part[SERVED_WAITS] + part[SERVED_FREE];
}

static inline int64_t served_part_other(const int64_t part[SERVED_PARTS])
{
	return part[SERVED_UNREAD] + part[SERVED_UNKNOWN];
}

struct served_segment {
	int64_t t0, t1;
	enum served_part part;
	str_id name;    /* WAITS, FREE: for what; BEHIND: the other one's route, 0: no request's */
	uint32_t other; /* BEHIND: index of the other request, SERVED_NONE: none; WAITS for the pool
			   of threads: one whose job keeps it busy */
	uint32_t n_all; /* FREE: connections, all of which are busy; WAITS for the pool of threads:
			   its threads, if all are busy with other jobs; else 0 */
	enum served_wait_kind kind; /* WAITS; else 0 */
};

struct served_segments {
	struct served_segment *all;
	size_t n, cap;
};

/* Requests of one route, as means of its requests; -1 in times: unknown. */
struct served_route {
	str_id name;
	uint64_t n;         /* that begin in the range */
	uint64_t n_errors;  /* status 500 and more, or aborted */
	uint64_t n_partial; /* began before the recording or go on after it: not in the times below
			     */
	bool is_guessed;
	int64_t p50, p99, longest;   /* ns; of the n - n_partial others */
	int64_t total;               /* their sum */
	int64_t part[SERVED_PARTS];  /* the same by part */
	str_id waits_for, is_behind; /* what most of these parts are for; 0: no single one */
	int64_t waits_ns, behind_ns;
	uint32_t slowest; /* index of a request; SERVED_NONE: all are partial */
};

/* The mean of a sum, such as of one part, for each request in the times; -1: there is none. */
static inline int64_t served_route_mean(const struct served_route *r, int64_t sum)
{
	uint64_t n = r->n - r->n_partial;

	return n ? sum / (int64_t)n : -1;
}

struct served_time;

/* Prepare a profile, which is borrowed and must not change. NULL: it has no requests. O(samples of
 * their threads). */
struct served_time *served_time_new(const struct profile *profile);
void served_time_free(struct served_time *st);

/* The samples of the thread of a request; NULL: there are none. */
const struct lane *served_time_lane(const struct served_time *st, uint32_t served);

/* Set `out`, which is reused, to the segments of a request, in order and without gaps. */
void served_time_cut(struct served_time *st, uint32_t served, struct served_segments *out);

/* The request that a slice of a lane is; SERVED_NONE: none. O(log n). */
uint32_t served_time_find(const struct served_time *st, const struct lane *lane,
			  const struct span *span);

/* Append what the time of a request was spent on, most first: `own CPU 6.0 ms, behind GET /report
 * 234 ms, waits for pg 9 ms`. */
void served_time_tell(struct served_time *st, uint32_t served, struct buf *out);

/* The routes of the requests that begin in [t0, t1), those with most time first. The caller frees
 * the list. */
struct served_route *served_time_routes(struct served_time *st, int64_t t0, int64_t t1, size_t *n);

/* A request with the parts of its time. */
struct served_parts {
	uint32_t served;
	int64_t part[SERVED_PARTS];
	str_id waits_for, is_behind; /* what most of these parts are for; 0: no single one */
};

/* Those of the requests that begin in [t0, t1), the slowest first. The caller frees the list. */
struct served_parts *served_time_requests(struct served_time *st, int64_t t0, int64_t t1,
					  size_t *n);

/* Waits of one kind and name. */
struct served_waits {
	str_id name;
	enum served_wait_kind kind;
	uint64_t n, n_errors; /* an error, or status 500 and more */
	uint64_t n_owned;     /* whose request is known */
	int64_t total, longest;
};

/* `call`, `socket`, ...: static text. */
const char *served_time_wait_kind(enum served_wait_kind kind);

/* Those that begin in [t0, t1), most time first. The caller frees the list. */
struct served_waits *served_time_waits(const struct profile *profile, int64_t t0, int64_t t1,
				       size_t *n);

/* The function in which the thread was most of the time in these segments of a part and name (OWN:
 * 0): of the program's own code, if there is any. FRAME_NONE: the thread has no profile. */
frame_id served_time_function(struct served_time *st, uint32_t served,
			      const struct served_segments *segments, enum served_part part,
			      str_id name);

#endif
