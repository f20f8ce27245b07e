/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All JavaScript that flametty evaluates in another process. The texts are constants: nothing of a
 * file, a target or the user gets into one. */
#ifndef FLAMETTY_REMOTE_EVALUATE_H
#define FLAMETTY_REMOTE_EVALUATE_H

#include "record/remote/inspector.h"

enum expression {
	EVALUATE_PID,   /* the number of the process, in its own namespace */
	EVALUATE_CLOSE, /* closes the inspector as soon as the answer is sent: 1; 0: it cannot */
	EVALUATE_CLOSE_BY_API, /* the same with the command line API */
	EVALUATE_BRIDGE,       /* begin and end the recording between two slices */
	EVALUATE_BRIDGE_END,
	EVALUATE_COMMAND /* of Node.js: its command line; a text */
};

/* Whether this is the title of the recording between two slices. */
bool evaluate_is_bridge(struct str title);

/* Send the call. session, deadline and result as for inspector_send(). Once the process leaves,
 * nothing is evaluated: err is set. */
int64_t evaluate_send(struct inspector *i, const char *session, enum expression expression,
		      int64_t deadline, struct error *err);

/* Have the inspector closed, and wait until it has closed the connection: closing ours at the same
 * time is a race within Node.js 20, which now and then ends the process. Returns false if the
 * connection is still there at the deadline: *is_asked tells whether the process has agreed, and
 * closes the inspector when it next returns to its loop. */
bool evaluate_close(struct inspector *i, int64_t deadline, bool *is_asked);

/* Send the call and wait for the number that it gives. Returns false and err as inspector_call(),
 * and if the result is no number. */
bool evaluate_number(struct inspector *i, enum expression expression, int64_t deadline,
		     int64_t *value, struct error *err);

/* The same for a text, which is appended. */
bool evaluate_text(struct inspector *i, enum expression expression, int64_t deadline,
		   struct buf *text, struct error *err);

#endif
