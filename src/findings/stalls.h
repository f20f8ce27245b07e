/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The long tasks of a thread that is recorded in parts: each part is a profile of its own. A task
 * (finding_time.h) that goes on in the next part is one.
 *
 *	struct stalls stalls = { .least_ns = 200 * NS_PER_MS, .visit = visit };
 *
 *	stalls_add(&stalls, profile, lane, t0, t1);
 *	...
 *	stalls_end(&stalls);
 *
 * All times are ns of the clock of the files, which is that of the recorded machine. */
#ifndef FLAMETTY_FINDINGS_STALLS_H
#define FLAMETTY_FINDINGS_STALLS_H

#include "findings/findings.h"

/* A task of at least stalls.least_ns. Its length is "at most": calls of one function of Node.js
 * that follow each other without a gap look like one. */
struct stall {
	int64_t t0, t1;
	int64_t ran_ns;  /* sum of its samples, each at most stalls.sample_most_ns long */
	int64_t own_ns;  /* time in code that is not of Node.js: own code and packages */
	int64_t call_ns; /* the longest stretch of it */
	bool is_queue;   /* Node.js works off a queue: its calls are one task */
};

struct stalls {
	/* What the caller sets. */
	int64_t sample_most_ns; /* longer samples are those of a thread that does not run; 0: none
				 */
	int64_t least_ns;       /* a task as long as this is a stall; INT64_MAX: none is */
	bool counts_waiting;    /* also time asleep in Atomics.wait(), which blocks a main thread */
	bool is_started; /* start-up is over: the program was running before, or has called back */
	void (*visit)(void *ctx, const struct stall *stall);
	/* Called for each sample, in the order of time; NULL: nothing is called. */
	void (*sample)(void *ctx, int64_t t0, int64_t t1, enum charge_kind kind);
	void *ctx;
	/* The task in progress at the end of the last part. */
	bool is_open;
	struct stall open;
	struct buf entry; /* the function that it entered: name, url and place */
	int64_t call_ns;  /* the stretch of own code in progress there; 0: none */
	int64_t t1;       /* end of the last part */
	int64_t known_t0; /* its last sample with a stack of its own: see stalls_add() */
	bool is_first;    /* no task of the current part was seen before */
};

/* Add what [t0, t1) of the next part has. Calls visit() for tasks that end here and are long
 * enough.
 *
 * The profile should have more at both ends. Garbage collection belongs to the stack before it, and
 * so does (program) between samples of one stack: it should begin at stalls.known_t0, and have a
 * sample after t1. */
void stalls_add(struct stalls *stalls, const struct profile *profile, const struct lane *lane,
		int64_t t0, int64_t t1);

/* Whether the thread hardly ran in a stall: it got no processor, and what looks like one task may
 * be many, between which there happens to be no sample. */
static inline bool stalls_is_starved(const struct stalls *s, const struct stall *stall)
{
	return stall->ran_ns < s->least_ns &&
		(double)stall->ran_ns * 4 < (double)(stall->t1 - stall->t0) * 3;
}

/* Whether a stall is many short calls of own code: all of them have returned to Node.js before they
 * were as long as a stall. A server without a pause looks like that: the event loop may have turned
 * between the calls. */
bool stalls_is_series(const struct stalls *stalls, const struct stall *stall);

/* Whether a long task was in progress at the end of the last part; *stall: up to there. */
static inline bool stalls_is_open(const struct stalls *s, struct stall *stall)
{
	if (!s->is_open || s->open.t1 - s->open.t0 < s->least_ns)
		return false;
	*stall = s->open;
	return true;
}

/* There is no further part: the task in progress ends. Frees everything. */
void stalls_end(struct stalls *stalls);

/* All texts are in visible form. */
struct blame {
	struct buf text; /* the finding: `render page.js:12 93 %; in JSON.stringify 80 %`; empty:
			    nothing is known */
	struct buf name, url; /* of its function; a name of "": there is none */
	int32_t line, column; /* from 1; 0: unknown */
	double share;         /* of the busy time of the stretch, from 0 to 1 */
};

/* Blame [t0, t1) of the lane, ns of the clock of the files. The whole lane decides which code is
 * the user's own. sources: texts that the finding may quote; NULL: none. */
void blame_find(const struct profile *profile, const struct lane *lane, int64_t t0, int64_t t1,
		const struct source_host *sources, struct blame *blame);

static inline void blame_done(struct blame *blame)
{
	buf_done(&blame->text);
	buf_done(&blame->name);
	buf_done(&blame->url);
}

#endif
