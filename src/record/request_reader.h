/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the texts that tell what a thread serves and waits for: those of requests.cjs, which
 * describes them, and of record/remote/socket_watch.h. Two tables: what began and has an id (struct
 * item), and what comes as a whole (struct request_wait); and the changes of the request that the
 * thread runs for. All times are microseconds of CLOCK_MONOTONIC. */
#ifndef FLAMETTY_RECORD_REQUEST_READER_H
#define FLAMETTY_RECORD_REQUEST_READER_H

#include "base/hash.h"
#include "base/intern.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* A stretch of time [t0, t1), us of CLOCK_MONOTONIC. */
struct request_range {
	int64_t t0, t1;
};

#define REQUEST_RANGE_ALL ((struct request_range){ INT64_MIN, INT64_MAX })

struct request_counts {
	uint64_t n_served, n_calls, n_waits;
	uint64_t n_lost;   /* events for which the script had no room, in the range, */
	uint64_t n_errors; /* that failed inside it, */
	uint64_t n_unseen; /* streams of HTTP/2 that Node.js 18 and 20 do not tell of, */
	uint64_t n_broken; /* and texts that are none */
};

enum request_kind { REQUEST_SERVED, REQUEST_CALL, REQUEST_CONNECTION };

/* A request, a call or a connection; times in us. */
struct request_item {
	int64_t id, owner;
	int64_t t0, t1;        /* t1: INT64_MIN: it has not ended */
	int64_t sent, headers; /* INT64_MIN: not told */
	int64_t arrived;       /* served: when its bytes came; t0: not before they were read */
	int64_t status;        /* 0: none */
	int64_t remote, local; /* ports; of a call: of its connection, 0: not known */
	int64_t unread;        /* call: for so long before its end the answer lay unread */
	str_id method, host, path, route, error;
	uint32_t trace[4]; /* served: the 128 bits of its id; 0: not known */
	enum request_kind kind;
	bool was_open, is_aborted, is_reused, is_left; /* is_left: not followed to its end */
	bool has_run; /* while what is old is forgotten: the thread ran for it later */
};

struct request_wait {
	char letter; /* of its record: Q, D, I, T */
	int64_t t0, us, owner, socket, writes, bytes;
	int64_t remote, local, unread; /* Q: as of an item */
	str_id name;
};

struct request_change {
	int64_t t, owner;
};

/* A name that a connection waited for; owner 0: of no request. */
struct request_lookup {
	int64_t t0, t1, owner;
	str_id name;
};

/* The request that went on after an answer. */
struct request_answer {
	int64_t t, socket, owner;
};

/* At `seen` bytes of a connection lie unread; arrived: the last of them; 0: none do
 * (record/remote/socket_watch.h). */
struct request_arrival {
	int64_t remote, local, seen, arrived;
};

/* What the texts of a thread have told so far. It belongs to one thread of this program at a time.
 */
struct request_reader {
	struct intern strings;
	struct request_item *items;
	size_t n_items, cap_items;
	struct hash_table index; /* of items, by id */
	struct request_wait *waits;
	size_t n_waits, cap_waits;
	struct request_change *runs;
	size_t n_runs, cap_runs;
	struct request_answer *answers;
	size_t n_answers, cap_answers;
	struct request_arrival *arrivals;
	size_t n_arrivals, cap_arrivals;
	struct request_lookup *lookups;
	size_t n_lookups, cap_lookups;
	int64_t last;  /* of the last text */
	int64_t pool;  /* threads of the pool; 0: not known */
	size_t n_kept; /* texts that strings had when it was tidied last */
};

void request_reader_init(struct request_reader *t);
void request_reader_done(struct request_reader *t);

/* Take texts, each with a newline after it. Texts of any bytes are allowed: what is broken is
 * counted and passed. range: of n_lost. */
void request_reader_take(struct request_reader *t, struct str texts, struct request_range range,
			 struct request_counts *counts);

/* Forget what ended before a time, and what is open for minutes. */
void request_reader_forget(struct request_reader *t, int64_t us);

/* The item of an id; NULL: there is none. */
struct request_item *request_reader_find(const struct request_reader *t, int64_t id);

/* Add what the script says of a text that it lacks: n_lost; and set n_errors and n_unseen, which it
 * counts since it began. The text of anything else is passed. */
void request_reader_count(struct str text, struct request_counts *counts);

#endif
