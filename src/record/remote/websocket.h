/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A WebSocket connection as a client (RFC 6455): the handshake, and whole text messages. Pings are
 * answered on the way: the last one of those that were read together (5.5.3). */
#ifndef FLAMETTY_RECORD_REMOTE_WEBSOCKET_H
#define FLAMETTY_RECORD_REMOTE_WEBSOCKET_H

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"
#include "record/remote/connection.h"

#include <stdbool.h>
#include <stdint.h>

enum frames_opcode {
	FRAMES_CONTINUATION = 0,
	FRAMES_TEXT = 1,
	FRAMES_BINARY = 2,
	FRAMES_CLOSE = 8,
	FRAMES_PING = 9,
	FRAMES_PONG = 10
};

#define FRAMES_CONTROL_MAX 125 /* bytes of a control frame */

/* A zeroed struct is at the beginning of a frame. */
struct frames {
	unsigned char head[14];
	unsigned n_head;
	uint64_t left;  /* bytes of the payload that have not come */
	bool is_inside; /* the head is complete, the payload is not */
	bool is_begun;  /* a message has begun and has not ended */
	unsigned char control[FRAMES_CONTROL_MAX];
	unsigned n_control;
};

struct frames_part {
	enum {
		FRAMES_NOTHING, /* all bytes are used */
		FRAMES_PAYLOAD, /* bytes of a message; is_last: it is complete */
		FRAMES_CONTROL  /* a close, ping or pong; the bytes lie in struct frames */
	} kind;
	enum frames_opcode opcode; /* of a control frame */
	const char *bytes;
	size_t len;
	bool is_last;
};

/* Append a final frame with the payload masked by `mask`, as those of clients must be. */
void frames_add(struct buf *out, enum frames_opcode opcode, const char *payload, size_t len,
		const unsigned char mask[4]);

/* Read from `bytes` up to the next part. used: number of bytes taken; call again with the rest.
 * Returns false and err for what a server must not send: reserved bits, masked frames, long or
 * fragmented control frames, a continuation of nothing, a message within a message, lengths above
 * 2^63. */
bool frames_read(struct frames *f, const char *bytes, size_t len, size_t *used,
		 struct frames_part *part, struct error *err) MUST_USE;

struct websocket {
	struct connection connection;
	struct frames frames;
	struct buf input;   /* bytes that were read */
	size_t used;        /* of input: those that are taken */
	struct buf message; /* the message, as far as it has come */
	bool has_message;   /* it is complete, and was handed out */
	bool owes_pong;     /* a ping has come, with this payload */
	char ping[FRAMES_CONTROL_MAX];
	size_t ping_len;
};

#define WEBSOCKET_INIT                                                                             \
	{                                                                                          \
		.connection = CONNECTION_INIT                                                      \
	}

/* Connect and shake hands. cancel_fd: as in struct connection. netns: as for connection_open(). On
 * failure nothing is open. */
bool websocket_open(struct websocket *w, const char *host, int port, const char *path,
		    const char *netns, int cancel_fd, int64_t deadline, struct error *err) MUST_USE;

#define WEBSOCKET_HEAD_MAX 14 /* bytes of a frame before its payload */

/* Send a text. */
bool websocket_send(struct websocket *w, const char *text, size_t len, int64_t deadline,
		    struct error *err) MUST_USE;

enum websocket_news { WEBSOCKET_MESSAGE, WEBSOCKET_LATE, WEBSOCKET_CLOSED, WEBSOCKET_FAILED };

/* Wait for a message. message: borrowed until the next call; the 16 bytes after it can be read.
 * WEBSOCKET_LATE: it is not complete at the deadline; call again. */
enum websocket_news websocket_next(struct websocket *w, int64_t deadline, struct str *message,
				   struct error *err) MUST_USE;

/* Say goodbye, without waiting for an answer, and free everything. One that was not opened,
 * or could not be, is left alone. */
void websocket_close(struct websocket *w);

#endif
