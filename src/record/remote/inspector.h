/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls to the inspector of a JavaScript runtime and its events: the Chrome DevTools Protocol, as
 * JSON over a WebSocket.
 *
 * A target is what a call is for: the main thread, a worker of Node.js, or a worker of Chromium.
 * Workers of Node.js are spoken to by messages within messages (NodeWorker), those of Chromium by a
 * session id. Both look the same here: each message has the session it is from. */
#ifndef FLAMETTY_RECORD_REMOTE_INSPECTOR_H
#define FLAMETTY_RECORD_REMOTE_INSPECTOR_H

#include "base/buf.h"
#include "base/str.h"
#include "record/remote/websocket.h"

/* Raw JSON; borrowed until the next call of a function here that has `struct inspector *`. */
struct inspector_message {
	int64_t id;         /* of the call that this answers; 0: an event */
	struct str method;  /* of an event */
	struct str session; /* of the worker; empty: the main thread */
	struct str value;   /* `result` of an answer, `params` of an event; empty: none */
	struct str error;   /* the text of an error that answers a call; empty: none */
};

struct inspector {
	struct websocket socket;
	bool has_sessions; /* session ids are those of Chromium */
	/* The program has ended, and its process waits until the connection is closed. Then nothing
	 * may be evaluated, and nothing is left to close. */
	bool is_leaving;
	bool is_held;    /* the guard holds the connection, too */
	bool is_closing; /* the process was told to close the inspector, and may do so yet */
	int64_t last_id;
	/* The last call that was sent, and the last that was answered: answers keep the order. */
	int64_t sent_id, answered_id;
	/* Bytes of messages that were sent, and those of them that the process has surely read. */
	uint64_t n_sent, n_read;
	/* The answer to this message shows that mark_sent bytes were read; 0: there is none. */
	int64_t mark_id;
	uint64_t mark_sent;
	struct buf kept; /* messages that came while inspector_send() waited: length, bytes, pad */
	size_t kept_at;  /* the next one */
	struct buf worker;  /* the message that a worker sent, decoded */
	struct buf session; /* its session */
	/* Gets the events, and late answers, that arrive while inspector_call() waits; NULL: they
	 * are dropped. It may send calls, not wait for answers. */
	void (*on_message)(void *ctx, const struct inspector_message *message);
	void *on_message_ctx;
};

#define INSPECTOR_INIT                                                                             \
	{                                                                                          \
		.socket = WEBSOCKET_INIT                                                           \
	}

/* The most bytes that are sent before an answer shows that the process reads. The inspector of
 * Node.js 18 to 24 reads 64 kB at a time, and a message that ends 1 to 4 bytes behind them ends the
 * process by SIGSEGV. */
#define INSPECTOR_UNREAD_MAX 60000

/* Send a call. Waits, until the deadline, while more than INSPECTOR_UNREAD_MAX bytes are unread; a
 * longer message is refused. session: of a worker, as events tell it; NULL: for the main thread.
 * params: JSON; it must not contain what a target or a file gave, except through text_json().
 * Returns the id of the answer; 0 on failure. */
int64_t inspector_send(struct inspector *i, const char *session, const char *method,
		       const char *params, int64_t deadline, struct error *err) MUST_USE;

/* Have the process tell when it leaves: is_leaving. Only Node.js knows that. Before anything is
 * evaluated; does not wait for the answer. */
bool inspector_watch_end(struct inspector *i, int64_t deadline, struct error *err) MUST_USE;

/* Wait for a message. WEBSOCKET_LATE: none came before the deadline. Messages that are not JSON
 * objects are WEBSOCKET_FAILED. */
enum websocket_news inspector_next(struct inspector *i, int64_t deadline,
				   struct inspector_message *message, struct error *err) MUST_USE;

/* Send a call and wait for its answer. Returns false and err if there is none in time, or if it is
 * an error: then err has `METHOD: text`, and answer->error is set. */
bool inspector_call(struct inspector *i, const char *session, const char *method,
		    const char *params, int64_t deadline, struct inspector_message *answer,
		    struct error *err);

/* The value of a member of raw JSON that is a string, decoded and NUL-terminated, appended to
 * `out`. Returns false when it is none. */
bool inspector_string(struct str object, const char *name, struct buf *out);

/* Close the connection and free everything. Node.js 18 to 24 crashes where it sends an answer, or
 * closes the connection itself, just when a close frame comes: as long as it may do that, one that
 * the guard holds is left to it, without a close frame. */
void inspector_close(struct inspector *i);

enum expression {
	EVALUATE_PID,   /* the number of the process, in its own namespace */
	EVALUATE_CLOSE, /* closes the inspector as soon as the answer is sent: 1; 0: it cannot */
	EVALUATE_CLOSE_BY_API, /* the same with the command line API */
	EVALUATE_MOVE,   /* of Node.js: opens the inspector again at a port of its own, as soon as
			    the answer is sent: 1; 0: it cannot */
	EVALUATE_BRIDGE, /* begin and end the recording between two chunks */
	EVALUATE_BRIDGE_END,
	EVALUATE_COMMAND,  /* of Node.js: its command line; a text */
	EVALUATE_RESOURCES /* of Node.js: what its loop is alive for, words with commas between */
};

/* Whether this is the title of the recording between two chunks. */
bool evaluate_is_bridge(struct str title);

/* Send the call. session, deadline and result as for inspector_send(). Once the process leaves,
 * nothing is evaluated: err is set. */
int64_t evaluate_send(struct inspector *i, const char *session, enum expression expression,
		      int64_t deadline, struct error *err) MUST_USE;

/* Have the inspector closed, and wait until it has closed the connection: closing ours at the same
 * time is a race within Node.js 20, which now and then ends the process. Returns false if the
 * connection is still there at the deadline: *is_asked tells whether the process has agreed, and
 * closes the inspector when it next returns to its loop. */
bool evaluate_close(struct inspector *i, int64_t deadline, bool *is_asked);

/* Have the inspector closed and opened again at a port that is free, and wait until it has closed
 * the connection. process.debugPort stays as it is. Returns false if that did not happen by the
 * deadline: *is_asked: it may yet. */
bool evaluate_move(struct inspector *i, int64_t deadline, bool *is_asked);

/* Send the call and wait for the number that it gives. Returns false and err as inspector_call(),
 * and if the result is no number. */
bool evaluate_number(struct inspector *i, enum expression expression, int64_t deadline,
		     int64_t *value, struct error *err);

/* The same for a text, which is appended. */
bool evaluate_text(struct inspector *i, enum expression expression, int64_t deadline,
		   struct buf *text, struct error *err);

#endif
