/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings: the sentences that a lane of samples, or of slices without any, supports by itself, for
 *a window, heaviest first. Each has a place in time, a function, a share of the busy time, and
 *texts.
 *
 *	struct findings f;
 *
 *	findings_init(&f, profile, lane);
 *	findings_begin(&f, t0, t1);
 *	while (!findings_work(&f, &budget))
 *		...
 *	f.result.list[0].text ...
 *	findings_done(&f);
 *
 * All shares are of the busy time: sampled time without idle time and empty stacks. Only that of
 * FINDING_IDLE is of the length of the window. What a rule is tells finding_rule.h. */
#ifndef FLAMETTY_FINDINGS_FINDINGS_H
#define FLAMETTY_FINDINGS_FINDINGS_H

#include "findings/charge.h"
#include "model/source_text.h"

#include <pthread.h>

enum finding_kind {
	FINDING_OWNER,   /* a function of own code, with all that is charged to it */
	FINDING_PACKAGE, /* a package, where own code calls it */
	FINDING_SYNC,    /* synchronous calls of one module of Node.js */
	FINDING_LOAD,    /* loading modules */
	FINDING_GC,      /* garbage collection */
	FINDING_REGEXP,  /* one regular expression */
	FINDING_FILE,    /* a file of own code */
	FINDING_SPENT,   /* a function of a program that is a package, with all it calls */
	FINDING_HALF,    /* the innermost function that has half of the time below it */
	FINDING_INSIDE,  /* a function or package inside the package that has most of the time */
	FINDING_BLOCK,   /* tasks of an event loop of 50 ms or more */
	FINDING_STRETCH, /* longest time of an event loop without idle time */
	FINDING_EVERY,   /* a function that a timer calls again and again */
	FINDING_LAYOUT,  /* layout of a page that calls of JavaScript force */
	FINDING_INPUT,   /* the reaction of a page to a key or a click */
	FINDING_PARTY,   /* code of another site than the page */
	FINDING_PROGRAM, /* (program) */
	FINDING_WORK,    /* slices without samples: kinds of work */
	FINDING_NODE,    /* a module of Node.js that no own code calls; its start */
	FINDING_WAITING, /* functions that sleep until another thread wakes them */
	FINDING_FEW,     /* too few samples for a finding: the function that has most */
	FINDING_EVEN,    /* many functions have about as much: no culprit */
	FINDING_IDLE,    /* hardly any work */
	FINDING_REQUEST, /* the slowest request of a route that the thread serves */
	FINDING_COUNT
};

struct finding {
	enum finding_kind kind;
	const struct lane *lane;
	bool has_place; /* false: a statement about the whole window, such as that of idle time */
	/* The place: a stretch of the window. The function is what to select in it: FRAME_NONE if
	 * the finding names none. If has_span, `span` is the span of the function that has most of
	 * the finding's time there, or of what else the finding names: a module, idle time. */
	int64_t t0, t1;
	frame_id function;
	bool has_span;
	struct span span;
	frame_id under;    /* own function below which most of it is; FRAME_NONE */
	int64_t ns, whole; /* the share is ns / whole */
	int32_t score;     /* what the order is by, in millionths */
	uint16_t parts;    /* bit i: at least 80 % of finding i of the list is in this one, too */
	int64_t gc;        /* garbage collection in ns */
	bool is_io;        /* FINDING_OWNER: at least half is machinery of input and output */
	bool is_culprit;   /* FINDING_EVERY: no function that it calls has half of it */
	bool is_program;   /* a package that has nearly all; FINDING_SPENT says more */
	bool is_explained; /* FINDING_PROGRAM: the label has the kinds of work */
	/* Texts are in visible form: without controls, valid UTF-8. NULL: there is none. */
	const char *name;      /* short: `formatPrice`, `lodash`, `GC` */
	const char *label;     /* with its location: `formatPrice catalogue.js:28` */
	const char *mechanism; /* what it spends at least half of its time in: `pbkdf2Sync` */
	const char *text;      /* the sentence */
	const char *range;     /* of one of many lanes: `(24 to 38 %) in 28 of 30 lanes` */
	const char **notes; /* further sentences: findings about the same, recursion, precision */
	uint32_t n_notes;
};

/* A line is named from this many ticks on, if it has half of those of its function. */
#define FINDINGS_TICKS_MIN 20

#define FINDINGS_MAX 10
#define FINDINGS_MANY 50 /* lanes */

struct findings_result {
	int64_t t0, t1; /* the window, clipped to what was sampled */
	struct finding list[FINDINGS_MAX];
	uint32_t n;
	int64_t length, busy, idle;   /* ns */
	int64_t gc, program, waiting; /* ns; busy includes these */
	uint64_t n_busy;              /* samples that are not idle */
	uint64_t n_gc;                /* samples of garbage collection */
	struct place_clock clock;     /* of the places in the texts */
	bool is_tool;                 /* packages count as own code */
	bool is_of_slices;            /* of a lane of slices: shares have no error */
	/* Idle: the text of FINDING_IDLE names another thread that is busy, or what it waits for.
	 */
	bool has_other_busy, has_waits;
	/* The longest task of the event loop; task_t1 <= task_t0: no event loop, or none. */
	int64_t task_t0, task_t1;
	bool is_task_exact; /* slices tell it; otherwise it may be several calls: "at most" */
	bool is_reading;    /* a source is still being read: a sentence lacks what a line calls */
	/* Of the functions that timers call at regular intervals, the one with most time, though it
	 * may be too little for a finding; interval 0: there is none. */
	struct finding_timer {
		frame_id function;
		int64_t interval, ns;
		size_t n; /* how often it was seen */
	} timer;
	struct arena arena; /* has the texts */
};

struct finding_work;
struct served_time;

struct findings {
	/* Kept from window to window. The times of [charge.t0, charge.t1) decide what kind of
	 * program the lane ran, tool or service: of the whole lane, unless the caller sets a window
	 * that stays, of which perhaps nothing else was loaded, before the first findings_begin().
	 */
	struct charge charge;
	/* What the caller sets after findings_init(); it counts from the next findings_begin() on.
	 * Sources let sentences say what the hottest line of a function calls; borrowed; NULL, as
	 * at first: no text is looked at. Texts tell places by the clock: at first they are since
	 * the start of the profile. */
	const struct source_host *sources;
	pthread_mutex_t *texts; /* is held while a text of them is used; NULL: no other thread asks
				   for one */
	struct place_clock clock;
	/* The times of the requests of the profile; NULL: not needed yet. The findings of another
	 * lane of it may take them over. */
	struct served_time *served;
	struct findings_result result; /* of the last window that is complete */
	bool is_ready;                 /* the result is that of the last findings_begin() */
	struct finding_work *work;     /* NULL: none */
	struct findings_many *many;    /* NULL: they are of the lane of the charge */
};

/* Borrows the profile and the lane, which must have calls. The result is empty. */
static inline void findings_init(struct findings *f, const struct profile *p,
				 const struct lane *lane)
{
	*f = (struct findings){ 0 };
	charge_init(&f->charge, p, lane);
}

void findings_done(struct findings *findings);

/* Begin to compute the findings of [t0, t1), ns since the start of the profile. Work on another
 * window is dropped. The result stays that of the last complete window. */
void findings_begin(struct findings *findings, int64_t t0, int64_t t1);

/* Continue. Returns true when the result is that of the window; it replaces the old one, whose
 * texts end. */
bool findings_work(struct findings *findings, struct budget *budget);

/* Whether findings can be computed for a lane. */
static inline bool findings_is_for(const struct lane *lane)
{
	return (lane->kind == LANE_SAMPLES || lane->has_work) && lane->tree.n > 1;
}

/* `owner`, `pkg`, `gc`, ...: static text. */
const char *findings_kind_name(enum finding_kind kind);

struct findings_all_work;

struct findings_all {
	struct findings_all_work *work;  /* NULL: it is complete */
	struct findings_result *results; /* of each lane that has samples and was looked at */
	uint32_t n_results;
	uint32_t n_left; /* less busy lanes that were not looked at */
	/* The best of them, borrowed from the results; the score counts for as much as the lane's
	 * part in the busy time of all. Equal sentences about several lanes are one, and leave room
	 * for others. From FINDINGS_MANY lanes on, all sentences about the same are, and the order
	 * is by the scores of all these lanes together. */
	struct findings_joined {
		const struct finding *f; /* of many lanes: of the one with the largest share */
		uint32_t n_lanes;
		double ns, whole;   /* of these lanes together; the share is ns / whole */
		double least, most; /* shares of single lanes */
		double score;       /* what the order is by */
	} joined[FINDINGS_MAX];
	uint32_t n_joined;
};

/* Append what the sentences of many lanes have in common, with the share of all these lanes and the
 * range of single ones: `formatPrice catalogue.js:28 31 % (24 to 38 %) in 28 of 30 lanes`. False:
 * they are not joined, or equal; nothing is appended. */
bool findings_add_joined(const struct findings_all *all, const struct findings_joined *joined,
			 struct buf *out);

/* Append that, or the sentence, and the lane that it is of: `…, most in server.js: 38 %; its GC 22
 * %`. profile: has the lane's name; NULL: the name is clear. */
void findings_tell_joined(const struct findings_all *all, const struct findings_joined *joined,
			  const struct profile *profile, struct buf *out);

/* What they are wanted of. All borrowed. */
struct findings_wanted {
	const struct profile *profile;
	const struct lane *const *lanes;
	uint32_t n_lanes;
	int64_t t0, t1;
	const struct source_host *sources; /* NULL: no text is looked at */
	uint32_t lanes_most;               /* 0: FINDINGS_LANES_MAX */
	struct place_clock clock;          /* of places in texts */
};

/* Compute the findings of lanes in [t0, t1). Lanes without samples are passed over. Idle time is no
 * finding if only some of the lanes are idle. */
void findings_all_init(struct findings_all *all, const struct findings_wanted *wanted);

/* The same in three parts. _work() returns when no lane is left to begin with; two threads may be
 * in it at the same time, and _end() is called when neither is. */
void findings_all_begin(struct findings_all *all, const struct findings_wanted *wanted);
void findings_all_work(struct findings_all *all);
void findings_all_end(struct findings_all *all);
void findings_all_done(struct findings_all *all);

/* Begin to compute the joined findings of at least FINDINGS_MANY lanes as one result, for
 * findings_work() and findings_done(): sums of all lanes, and sentences about them. Place, span and
 * notes of a finding are of its lane. `findings` is zeroed, or was begun like this before. */
void findings_begin_many(struct findings *findings, const struct findings_wanted *wanted);

/* For findings.c. */
bool findings_many_work(struct findings *findings, struct budget *budget);
void findings_many_done(struct findings_many *many);

#endif
