/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames of the WebSocket protocol (RFC 6455, section 5), as a client writes and reads them. No
 * extension is agreed upon, so nothing is compressed. Frames are read as the bytes come: a frame
 * may be 127 MB long, and a read may hold several frames or a part of a head. */
#ifndef FLAMETTY_REMOTE_FRAMES_H
#define FLAMETTY_REMOTE_FRAMES_H

#include "base/buf.h"
#include "base/error.h"

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

#define FRAMES_CONTROL_MOST 125 /* bytes of a control frame */

/* A zeroed struct is at the beginning of a frame. */
struct frames {
	unsigned char head[14];
	unsigned n_head;
	uint64_t left;  /* bytes of the payload that have not come */
	bool is_inside; /* the head is complete, the payload is not */
	bool is_begun;  /* a message has begun and has not ended */
	unsigned char control[FRAMES_CONTROL_MOST];
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
		 struct frames_part *part, struct error *err);

#endif
