/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the time of requests was spent on (model/served.h). At each instant the first of these
 * counts, so the parts of a request add up to its length:
 *
 *   1. own: its thread runs for it, as the recording states, and its profile is not idle there;
 *   2. waits: for an answer, a connection, a name or a job that the recording states as its own,
 *      until the answer arrived, if the recording states that. If not, a wait whose end other work
 *      of the thread covers ended before that work, at an unknown time: that work counts as 3;
 *   3. behind: its thread runs for another request, or for none;
 *   4. free: it waits for a free connection: all of an address are busy, and its own wait for this
 *      address comes later;
 *   5. unread: its bytes had arrived, and its thread had not read them;
 *   6. unknown: timers, and waits that the recording does not know. */
#ifndef FLAMETTY_FINDINGS_SERVED_TIME_H
#define FLAMETTY_FINDINGS_SERVED_TIME_H

#include "base/buf.h"
#include "base/hash.h"
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

/* What the segments of one part and name say together. */
struct served_sum {
	struct served_segment first;
	int64_t ns;
};

struct served_sums {
	struct served_sum *all;
	size_t n, cap;
	struct hash_table index; /* while they are added up; empty at the end */
};

#define SERVED_NO_TIME INT64_MIN /* a time that is not known */

/* Requests of one route. */
struct served_route {
	str_id name;
	uint64_t n;         /* that begin in the range */
	uint64_t n_errors;  /* status 500 and more, or aborted */
	uint64_t n_partial; /* began before the recording or go on after it: not in the times below
			     */
	bool is_guessed;
	bool has_owners;             /* see served_time_has_owners() */
	bool is_sampled;             /* some are: struct served */
	int64_t p50, p99, longest;   /* ns; of the n - n_partial others; or SERVED_NO_TIME */
	int64_t total;               /* their sum */
	int64_t part[SERVED_PARTS];  /* the same by part */
	str_id waits_for, is_behind; /* what most of these parts are for; 0: no single one */
	int64_t waits_ns, behind_ns;
	uint32_t slowest; /* index of a request; SERVED_NONE: all are partial */
};

/* A time of a part, or SERVED_NO_TIME: without owners, nothing tells what a request was about. */
static inline int64_t served_known(bool has_owners, int64_t ns)
{
	return has_owners || ns ? ns : SERVED_NO_TIME;
}

/* The mean of a sum, such as of one part, for each request in the times, or SERVED_NO_TIME. */
static inline int64_t served_route_mean(const struct served_route *r, int64_t sum)
{
	uint64_t n = r->n - r->n_partial;

	return n ? served_known(r->has_owners, sum / (int64_t)n) : SERVED_NO_TIME;
}

struct served_time;

/* Prepare a profile, which is borrowed and must not change. NULL: it has no requests. O(samples of
 * their threads). */
struct served_time *served_time_new(const struct profile *profile);
void served_time_free(struct served_time *st);

/* The profile that it is of. */
const struct profile *served_time_profile(const struct served_time *st);

/* Time in which a thread is not idle. */
struct served_busy {
	int64_t t0, t1;
	uint32_t served; /* the request that it runs for; SERVED_NONE: none, or not recorded */
};

/* A thread that serves requests. */
struct served_thread {
	uint32_t input; /* of its requests */
	int64_t pid, tid;
	const struct lane *lane; /* of its samples, perhaps of another input; NULL: there is none */
	struct served_busy *busy; /* in order; none overlap */
	size_t n, cap;
	bool has_owners; /* the recording states for which requests it runs */
};

/* All threads that serve requests. Borrowed. */
const struct served_thread *served_time_threads(const struct served_time *st, size_t *n);

/* The one whose samples or slices a lane has; the lane may be a copy. NULL: it serves nothing. */
const struct served_thread *served_time_thread(const struct served_time *st,
					       const struct lane *lane);

/* The first of its busy times that ends after `at`. O(log n). */
size_t served_time_after(const struct served_thread *thread, int64_t at);

/* Whether the recording states for which requests the thread of a request runs. */
bool served_time_has_owners(const struct served_time *st, uint32_t served);

/* The samples of the thread of a request; NULL: there are none. */
const struct lane *served_time_lane(const struct served_time *st, uint32_t served);

/* Set `out`, which is reused, to the segments of a request, in order and without gaps. */
void served_time_cut(struct served_time *st, uint32_t served, struct served_segments *out);

/* Takes a part of the time of a request: a segment of it, the first that `ns` is of. */
typedef void served_time_add(void *ctx, const struct served_segment *first, int64_t ns);

/* Call `add` for all segments of a request, in no order: for some alone, and for many with one part
 * and name at once. O(its runs and waits, times the names of requests and the logarithm of the busy
 * times of its thread), so also for a request that is open while thousands of others are served;
 * but where it waits for connections of a pool, O(busy times). */
void served_time_each(struct served_time *st, uint32_t served, served_time_add *add, void *ctx);

/* Set `out`, which is reused, to the sums of segments, most time first; of equal ones, the one that
 * begins first. */
void served_time_sum(const struct served_segments *segments, struct served_sums *out);

/* The waits of a request, as indices, by begin. Borrowed. */
const uint32_t *served_time_waits_of(const struct served_time *st, uint32_t served, size_t *n);

/* The request that a slice of a lane is; SERVED_NONE: none. O(log n). */
uint32_t served_time_find(const struct served_time *st, const struct lane *lane,
			  const struct span *span);

/* Append what the time of a request was spent on, most first: `own CPU 6.0 ms, behind GET /report
 * 234 ms, waits for pg 9 ms`. */
void served_time_tell(struct served_time *st, uint32_t served, struct buf *out);

/* The routes of the requests that begin in [t0, t1), those with most time first. The caller frees
 * the list. */
struct served_route *served_time_routes(struct served_time *st, int64_t t0, int64_t t1, size_t *n);

/* The same of the requests for which is_wanted() is true. */
struct served_route *served_time_routes_if(struct served_time *st,
					   bool (*is_wanted)(const void *ctx,
							     const struct served *s),
					   const void *ctx, size_t *n);

/* A request with the parts of its time. */
struct served_parts {
	uint32_t served;
	bool has_owners; /* see served_time_has_owners() */
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
	uint64_t n, n_errors;   /* an error, or status 500 and more */
	uint64_t n_owned;       /* whose request is known */
	int64_t total, longest; /* until the answer arrived, if that is known, or was read */
};

/* `call`, `socket`, ...: static text. */
const char *served_time_wait_kind(enum served_wait_kind kind);

/* Those that begin in [t0, t1), most time first. The caller frees the list. */
struct served_waits *served_time_waits(const struct profile *profile, int64_t t0, int64_t t1,
				       size_t *n);

/* Append how many connections and threads of the process of a lane were busy at most, of those that
 * are known: ` · busy at most: 2 of 2 pg 10.0.0.9:5432, 1 of 4 threads`. What does not fit into
 * `room` cells is left out; the first name is truncated. Those of which all were busy come first.
 * at_most: a sign that stands for the words: ` · <= 2 of 2 pg 10.0.0.9:5432`; or NULL. */
void served_time_tell_pools(const struct served_time *st, const struct lane *lane, int room,
			    const char *at_most, struct buf *out);

/* Set most[c], c < n, to the most requests that are in flight at once in [t[c], t[c + 1]), where t
 * ascends. Returns the most of all. O(requests log requests). */
uint32_t served_time_in_flight(const struct served_time *st, const int64_t *t, size_t n,
			       uint32_t *most);

/* ---- columns ----
 *
 * The columns of routes, requests, waits and recorded stalls, in panes, on pages, in CSV and in
 * JSON. A column is a row here, and nowhere else.
 *
 * A row, PANE() if the pane has it, else ELSE():
 *
 *     kind      VALUE: a value of the profile, as a time; KNOWN: the same, or SERVED_NO_TIME, and
 *               panes leave out 0; COUNT, negative: not known; BOOL; ID; NAME: a text of the
 *               profile; WORDS: another text
 *     where     DATA: CSV and JSON; PAGE; ALL
 *     key       in CSV and JSON; a value gets its unit: own_us
 *     heading   in panes and on pages
 *     width     pages of text: its cells, with those in front of it; 0: the rest of the line
 *     cells     panes: the same; of the first column: at most
 *     cols      the narrowest pane that has it
 *     value     .n, .string, or .text and .len
 *
 * Panes sort by numbers from the largest to the smallest, and by texts from a to z. */

/* clang-format off */

/* Of `r`, a struct served_route. Times from `own` on are means of a request. */
#define SERVED_ROUTE_COLUMNS(PANE, ELSE, X)                                                        \
	PANE(X, NAME,  DATA, "route",         "Route",   0,  48, 0,   .string = r->name)           \
	ELSE(X, BOOL,  DATA, "is_guessed",    "",        0,  0,  0,   .n = r->is_guessed)          \
	PANE(X, COUNT, ALL,  "count",         "Count",   7,  8,  0,   .n = (int64_t)r->n)          \
	PANE(X, COUNT, ALL,  "errors",        "Errors",  7,  8,  0,   .n = (int64_t)r->n_errors)   \
	ELSE(X, COUNT, DATA, "partial",       "",        0,  0,  0,   .n = (int64_t)r->n_partial)  \
	PANE(X, KNOWN, ALL,  "p50",           "p50",     9,  10, 90,  .n = r->p50)                 \
	PANE(X, KNOWN, ALL,  "p99",           "p99",     9,  10, 0,   .n = r->p99)                 \
	PANE(X, KNOWN, ALL,  "max",           "Max",     9,  10, 100, .n = r->longest)             \
	PANE(X, KNOWN, ALL,  "own",           "Own CPU", 9,  10, 70,                               \
	     .n = served_route_mean(r, r->part[SERVED_OWN]))                                       \
	PANE(X, KNOWN, ALL,  "waits",         "Waits",   9,  10, 80,                               \
	     .n = r->is_sampled ? SERVED_NO_TIME                                                   \
				: served_route_mean(r, served_part_waits(r->part)))                \
	PANE(X, NAME,  DATA, "waits_for",     "for",     0,  24, 150, .string = r->waits_for)      \
	ELSE(X, KNOWN, DATA, "waits_for_mean", "",       0,  0,  0,                                \
	     .n = served_route_mean(r, r->waits_ns))                                               \
	PANE(X, KNOWN, ALL,  "behind",        "Behind",  9,  10, 80,                               \
	     .n = served_route_mean(r, r->part[SERVED_BEHIND]))                                    \
	PANE(X, NAME,  DATA, "behind_route",  "others",  0,  24, 150, .string = r->is_behind)      \
	ELSE(X, KNOWN, DATA, "behind_route_mean", "",    0,  0,  0,                                \
	     .n = served_route_mean(r, r->behind_ns))                                              \
	PANE(X, KNOWN, ALL,  "unknown",       "Other",   9,  10, 110,                              \
	     .n = served_route_mean(r, served_part_other(r->part)))                                \
	ELSE(X, KNOWN, DATA, "unread",        "",        0,  0,  0,                                \
	     .n = served_route_mean(r, r->part[SERVED_UNREAD]))                                    \
	ELSE(X, NAME,  PAGE, "",              "Route",   0,  0,  0,   .string = r->name)

/* Of `s`, a struct served, and `x`, its struct served_parts. */
#define SERVED_REQUEST_COLUMNS(PANE, ELSE, X)                                                      \
	PANE(X, NAME,  DATA, "route",         "Request", 0,  48, 0,   .string = s->name)           \
	ELSE(X, NAME,  DATA, "path",          "",        0,  0,  0,   .string = s->path)           \
	PANE(X, COUNT, ALL,  "status",        "Status",  6,  8,  0,                                \
	     .n = s->status ? s->status : -1)                                                      \
	ELSE(X, BOOL,  DATA, "is_aborted",    "",        0,  0,  0,   .n = s->is_aborted)          \
	ELSE(X, BOOL,  DATA, "was_open",      "",        0,  0,  0,   .n = s->was_open)            \
	ELSE(X, BOOL,  DATA, "is_open",       "",        0,  0,  0,   .n = s->is_open)             \
	ELSE(X, BOOL,  DATA, "is_sampled",    "",        0,  0,  0,   .n = s->is_sampled)          \
	ELSE(X, ID,    DATA, "pid",           "",        0,  0,  0,   .n = s->pid)                 \
	PANE(X, VALUE, ALL,  "start",         "Start",   9,  11, 60,  .n = s->t0)                  \
	PANE(X, KNOWN, ALL,  "total",         "Total",   9,  10, 0,   .n = s->t1 - s->t0)          \
	PANE(X, KNOWN, ALL,  "own",           "Own CPU", 9,  10, 70,                               \
	     .n = served_known(x->has_owners, x->part[SERVED_OWN]))                               \
	PANE(X, KNOWN, ALL,  "waits",         "Waits",   9,  10, 80,                               \
	     .n = s->is_sampled ? SERVED_NO_TIME                                                   \
				: served_known(x->has_owners, served_part_waits(x->part)))         \
	PANE(X, NAME,  DATA, "waits_for",     "for",     0,  24, 130, .string = x->waits_for)      \
	PANE(X, KNOWN, ALL,  "behind",        "Behind",  9,  10, 80,                               \
	     .n = served_known(x->has_owners, x->part[SERVED_BEHIND]))                            \
	PANE(X, NAME,  DATA, "behind_route",  "others",  0,  24, 130, .string = x->is_behind)      \
	PANE(X, KNOWN, ALL,  "unknown",       "Other",   9,  10, 100,                              \
	     .n = served_part_other(x->part))                                                      \
	ELSE(X, KNOWN, DATA, "unread",        "",        0,  0,  0,   .n = x->part[SERVED_UNREAD]) \
	ELSE(X, NAME,  PAGE, "",              "Request", 0,  0,  0,   .string = s->name)

/* Of `w`, a struct served_waits. */
#define SERVED_WAIT_COLUMNS(PANE, ELSE, X)                                                         \
	PANE(X, NAME,  DATA, "name",        "Waits for",   0,  60, 0,  .string = w->name)          \
	PANE(X, WORDS, ALL,  "kind",        "Kind",        11, 13, 60,                             \
	     .text = served_time_wait_kind(w->kind), .len = strlen(served_time_wait_kind(w->kind)))\
	PANE(X, COUNT, ALL,  "count",       "Count",       7,  8,  0,  .n = (int64_t)w->n)         \
	PANE(X, COUNT, ALL,  "errors",      "Errors",      7,  8,  0,  .n = (int64_t)w->n_errors)  \
	ELSE(X, COUNT, ALL,  "of_requests", "Of requests", 12, 0,  0,  .n = (int64_t)w->n_owned)   \
	PANE(X, KNOWN, ALL,  "total",       "Total",       9,  10, 0,  .n = w->total)              \
	PANE(X, KNOWN, ALL,  "mean",        "Mean",        9,  10, 70, .n = w->total / (int64_t)w->n) \
	PANE(X, KNOWN, ALL,  "max",         "Max",         9,  10, 80, .n = w->longest)            \
	ELSE(X, NAME,  PAGE, "",            "Waits for",   0,  0,  0,  .string = w->name)

/* Of `e`, a struct stall_entry. */
#define STALL_COLUMNS(PANE, ELSE, X)                                                               \
	PANE(X, NAME,  ALL,  "time",     "Time",      19, 19,  0,   .string = e->time)             \
	PANE(X, VALUE, ALL,  "duration", "Length",    10, 10,  0,   .n = e->t1 - e->t0)            \
	PANE(X, NAME,  ALL,  "event",    "Event",     9,  9,   60,  .string = e->event)            \
	PANE(X, NAME,  ALL,  "process",  "Process",   22, 20,  0,   .string = e->process)          \
	PANE(X, NAME,  DATA, "file",     "Recording", 0,  44,  150, .string = e->file)             \
	PANE(X, NAME,  DATA, "blame",    "Blame",     0,  120, 0,   .string = e->blame)            \
	ELSE(X, NAME,  PAGE, "",         "Blame",     0,  0,   0,   .string = e->blame)

/* clang-format on */

#endif
