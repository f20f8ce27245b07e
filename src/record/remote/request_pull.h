/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls to the script that follows the requests of a thread (requests.cjs). It is kept by its
 * object id: nothing in the program is named. What it has seen is pulled as texts. When the process
 * leaves, nothing can be called: then the script itself sends the last text, with a binding.
 *
 * A program that is an ES module has no way to modules in Node.js 18. A function of Node.js has:
 * its scopes have the loader of its own modules. They are asked for step by step. */
#ifndef FLAMETTY_RECORD_REMOTE_REQUEST_PULL_H
#define FLAMETTY_RECORD_REMOTE_REQUEST_PULL_H

#include "record/remote/inspector.h"

/* The name of the binding. The script takes it from the global object at once. */
#define REQUEST_PULL_BINDING "__flamettyRequests"

/* Of one thread. A zeroed struct: it was not begun. */
struct request_pull {
	char *object;    /* id of the script's object, as JSON; NULL: not yet */
	char *via;       /* of what leads to a loader of modules; NULL: none is looked for */
	bool has_scopes; /* via are the scopes of a function, not the function */
	int64_t id_begin, id_pull, id_end; /* calls that have no answer yet; 0: none */
	int n_ends;                        /* calls to end it */
	bool is_ended;
};

enum request_news {
	REQUEST_OTHER,  /* the message answers another call */
	REQUEST_DONE,   /* nothing is to be done */
	REQUEST_BEGINS, /* it is not begun yet: call request_pull_begin() again */
	REQUEST_TEXT,   /* a text has come */
	REQUEST_REFUSED /* nothing is followed: the text says why */
};

/* Append the script: an expression of JavaScript. */
void request_pull_script(struct buf *out);

/* Begin. session: of a worker; NULL: the main thread. settings: a JSON object without its closing
 * brace. These functions do not wait for answers; they return false and err if the call cannot be
 * sent. Once the process leaves they send nothing. */
bool request_pull_begin(struct request_pull *p, struct inspector *i, const char *session,
			const char *settings, int64_t deadline, struct error *err) MUST_USE;

/* The same with another script, which measures the main thread and its process. Its texts are
 * `v1,AT,DELAY,RSS,HEAP,EXTERNAL,HANDLES`: us of CLOCK_MONOTONIC; us from the pull before until a
 * callback that it queued with setImmediate() ran, or, if it waits, until now; bytes; and the
 * number of what keeps the loop alive. -1: not known. It leaves nothing in the program, and needs
 * no end. */
bool request_pull_begin_metrics(struct request_pull *p, struct inspector *i, int64_t deadline,
				struct error *err) MUST_USE;

/* Ask for what it has seen, unless an answer is due. */
bool request_pull_ask(struct request_pull *p, struct inspector *i, const char *session,
		      int64_t deadline, struct error *err) MUST_USE;

/* End it: the script removes all in the next turn of the program's loop. */
bool request_pull_end(struct request_pull *p, struct inspector *i, const char *session,
		      int64_t deadline, struct error *err) MUST_USE;

/* Take a message of the thread. text: gets what has come. The last text may be due once more: then
 * is_again is set, and request_pull_end() is to be called again. */
enum request_news request_pull_take(struct request_pull *p, const struct inspector_message *m,
				    struct buf *text, bool *is_again);

/* Whether no answer is due. */
static inline bool request_pull_is_quiet(const struct request_pull *p)
{
	return !p->id_begin && !p->id_pull && !p->id_end;
}

static inline void request_pull_done(struct request_pull *p)
{
	free(p->object);
	free(p->via);
	*p = (struct request_pull){ 0 };
}

#endif
