/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The times of a window, as the rules of findings see them: by key, by group, and by subtree; and
 * findings while they are drafts; where in time these are. */
#ifndef FLAMETTY_FINDINGS_FINDING_WINDOW_H
#define FLAMETTY_FINDINGS_FINDING_WINDOW_H

#include "findings/finding_time.h"
#include "findings/findings.h"

/* Callbacks of a timer run even when the program is idle. Millionths of the score. */
#define FINDING_TIMER_BONUS 60000

/* Mechanisms without an id (finding_group.c): the tally counts these, frames, groups, modules. */
#define FINDING_MECHANISM_KINDS 3u

/* A set of keys, ascending. */
struct finding_keys {
	charge_key *list;
	uint32_t n;
	uint32_t samples; /* of a group, while it is summed: CHARGE_SAMPLES_MIN are enough */
};

/* The sums of a group of the lane (struct charge_group). */
struct finding_group {
	int64_t ns;
	struct finding_keys keys; /* list: NULL unless the time is enough for a finding */
};

/* A finding before it has texts. */
struct finding_draft {
	struct finding f;
	uint32_t group;           /* 0: none */
	struct finding_keys keys; /* all time that it is about */
	int64_t keys_ns;          /* time of these */
	uint32_t merged_into;     /* index + 1 of the draft whose note it is; 0: none */
	bool is_dropped;
	/* Owners: the largest mechanism other than the function itself, and its time. */
	uint32_t mechanism; /* an index (finding_group.c); 0: none */
	int64_t mechanism_ns;
	bool is_in_package; /* the mechanism is a package */
	int64_t io_ns;      /* time in machinery of input and output */
	uint32_t other;     /* a second function, or a group */
	int64_t other_ns;   /* its time, or that of `under` */
	uint32_t third;     /* FINDING_HALF: one more */
	int64_t third_ns;
	uint32_t count;                  /* FINDING_EVERY: runs */
	int64_t interval;                /* and their interval; 0: they are not regular */
	const struct interaction *input; /* FINDING_INPUT; of a task, what it made slow; NULL */
	uint32_t served;                 /* FINDING_REQUEST: the request */
	bool has_place;                  /* t0 and t1 are set by the rule */
	int64_t dense_ns;                /* time of the keys in the place, */
	int64_t run_ns;                  /* and in their longest run without another sample */
};

/* Whether it is a finding of its own. */
static inline bool finding_draft_stands(const struct finding_draft *d)
{
	return !d->is_dropped && !d->merged_into;
}

struct finding_window {
	const struct charge *charge;
	struct charge_times times;
	bool has_times; /* they are complete */
	struct finding_slices slices;
	struct finding_tasks tasks;
	struct finding_periods periods;
	struct finding_keys keys; /* all that have time */
	struct finding_group *groups;
	uint32_t *stamp; /* by frame, for walks that visit each function once */
	uint32_t stamps;
	int64_t *until; /* by stack: the time of all stacks before it, without time asleep */
	struct finding_tally tally;
	struct finding_draft *drafts;
	size_t n_drafts, drafts_cap;
	struct findings_result *result;
	const struct source_host *sources; /* NULL: none */
	pthread_mutex_t *texts;            /* see findings.h */
	struct served_time **served;       /* as findings.served */
	bool is_reading;                   /* a text that was wanted is still being read */
	struct arena arena;                /* has the sets of keys */
	struct finding_dense *dense;       /* the search for places; NULL: it has not begun */
	struct phases phases;              /* of the sums */
};

/* Takes the times of the charge if they are those of the window. */
void finding_window_init(struct finding_window *w, struct charge *charge, int64_t t0, int64_t t1);
void finding_window_done(struct finding_window *w);

/* Sum groups and subtrees, when the times are complete. Call it until it returns true. */
bool finding_window_sum(struct finding_window *w, struct budget *budget);

/* ns as a part of the busy time, in millionths; at most a thousand times of it, as idle time may
 * be. */
static inline int32_t finding_window_share(const struct finding_window *w, int64_t ns)
{
	double share = w->times.busy > 0 ? (double)ns * 1e6 / (double)w->times.busy : 0;

	return (int32_t)(share < 1e9 ? share : 1e9);
}

/* Whether a time is enough for a finding: 2 % of the busy time, and 10 samples, but of slices any.
 */
static inline bool finding_window_is_enough(const struct finding_window *w, int64_t ns,
					    uint64_t count)
{
	return (count >= CHARGE_SAMPLES_MIN || w->charge->lane->kind == LANE_SLICES) &&
		finding_window_share(w, ns) >= CHARGE_SHARE_MIN;
}

/* Whether there is hardly any work: 90 % of the window is idle. */
static inline bool finding_window_is_idle(const struct finding_window *w)
{
	return charge_times_has(w->times.idle, w->times.t1 - w->times.t0, 90);
}

/* Add a draft with kind, lane, ns, whole and place; the score is that of its share times `weight`,
 * in millionths. */
struct finding_draft *finding_window_add(struct finding_window *w, enum finding_kind kind,
					 int64_t ns, int32_t weight);

/* The time of a node and of all below it, without time asleep. */
static inline int64_t finding_window_total(const struct finding_window *w, node_id node)
{
	const struct charge *c = w->charge;

	return w->until[charge_stacks_before(&c->stacks, c->lane->tree.end[node])] -
		w->until[charge_stacks_before(&c->stacks, node)];
}

/* The largest sum of the keys by what `of` says of each: the smallest index of several; 0, without
 * time: it says 0 of all. */
uint32_t finding_window_most(struct finding_window *w, const struct finding_keys *keys,
			     uint32_t (*of)(const struct charge *c, charge_key key), int64_t *ns);

/* ---- places ----
 *
 * Where in time a finding is: the stretch of a fixed length that has most of its time, and in it
 * the span of its function that has most of that. For functions, packages and files, time in which
 * modules are loaded does not count, unless it is more than half of the time. */

/* Go through the samples of the window; call it until it returns true. Then the drafts that stand
 * have places. */
bool finding_place_work(struct finding_window *w, struct budget *budget);

/* Find the span in the place of a finding that has most of its time there: of its function, or, if
 * it has none there, of a call of its module, file or package; of idle time, the longest. */
void finding_place_span(const struct finding_window *w, struct finding_draft *draft);

#endif
