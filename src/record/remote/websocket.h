/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A WebSocket connection as a client (RFC 6455): the handshake, and whole text messages. Pings are
 * answered on the way. */
#ifndef FLAMETTY_REMOTE_WEBSOCKET_H
#define FLAMETTY_REMOTE_WEBSOCKET_H

#include "base/buf.h"
#include "base/str.h"
#include "record/remote/connection.h"
#include "record/remote/frames.h"

/* The most bytes of a message. V8 cannot make a string of more than 512 MB. */
#define WEBSOCKET_MESSAGE_MOST ((size_t)512 << 20)

struct websocket {
	struct connection connection;
	struct frames frames;
	struct buf input;   /* bytes that were read */
	size_t used;        /* of input: those that are taken */
	struct buf message; /* the message, as far as it has come */
	bool has_message;   /* it is complete, and was handed out */
};

#define WEBSOCKET_INIT                                                                             \
	{                                                                                          \
		.connection = CONNECTION_INIT                                                      \
	}

/* Connect and shake hands. cancel_fd: as in struct connection. netns: as for connection_open(). On
 * failure nothing is open. */
bool websocket_open(struct websocket *w, const char *host, int port, const char *path,
		    const char *netns, int cancel_fd, int64_t deadline, struct error *err);

/* Send a text. */
bool websocket_send(struct websocket *w, const char *text, size_t len, int64_t deadline,
		    struct error *err);

enum websocket_news { WEBSOCKET_MESSAGE, WEBSOCKET_LATE, WEBSOCKET_CLOSED, WEBSOCKET_FAILED };

/* Wait for a message. message: borrowed until the next call; the 16 bytes after it can be read.
 * WEBSOCKET_LATE: it is not complete at the deadline; call again. */
enum websocket_news websocket_next(struct websocket *w, int64_t deadline, struct str *message,
				   struct error *err);

/* Say goodbye, without waiting for an answer, and free everything. One that was not opened,
 * or could not be, is left alone. */
void websocket_close(struct websocket *w);

#endif
