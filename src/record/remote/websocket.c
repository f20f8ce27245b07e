/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes are read in pieces; each piece may have any number of frames. What follows the head of the
 * handshake's answer is the first piece. */
#include "config.h"

#include "record/remote/websocket.h"

#include "base/base64.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/sha1.h"
#include "base/str.h"
#include "record/remote/connection.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>

/* ==== frames ====
 *
 * The head of a frame is collected first: its second byte tells how long it is. */

#define FIN 0x80
#define RESERVED 0x70
#define OPCODE 0x0f
#define MASKED 0x80
#define LENGTH_16 126
#define LENGTH_64 127

/* ---- writing ---- */

void frames_add(struct buf *out, enum frames_opcode opcode, const char *payload, size_t len,
		const unsigned char mask[4])
{
	int n_length = len < LENGTH_16 ? 0 : len <= UINT16_MAX ? 2 : 8;

	buf_addc(out, (char)(FIN | (unsigned)opcode));
	buf_addc(out,
		 (char)(MASKED |
			(n_length == 0           ? (unsigned)len
				 : n_length == 2 ? LENGTH_16
						 : LENGTH_64)));
	for (int i = n_length - 1; i >= 0; i--)
		buf_addc(out, (char)((uint64_t)len >> 8 * i & 0xff));
	buf_add(out, (const char *)mask, 4);
	for (size_t i = 0; i < len; i++)
		buf_addc(out, (char)((unsigned char)payload[i] ^ mask[i % 4]));
}

/* ---- reading ---- */

static bool is_control(const struct frames *f)
{
	return f->head[0] & 0x08;
}

static unsigned head_size(const struct frames *f)
{
	unsigned length = f->head[1] & 0x7fu;

	return f->n_head < 2 ? 2 : length == LENGTH_16 ? 4 : length == LENGTH_64 ? 10 : 2;
}

static bool check_head(struct frames *f, struct error *err)
{
	unsigned opcode = f->head[0] & OPCODE;
	const char *why = NULL;

	if (f->head[0] & RESERVED)
		why = "reserved bits are set";
	else if (f->head[1] & MASKED)
		why = "it is masked";
	else if (is_control(f) &&
		 (opcode > FRAMES_PONG || !(f->head[0] & FIN) || f->left > FRAMES_CONTROL_MAX))
		why = "a control frame that is too long, split or unknown";
	else if (!is_control(f) && opcode > FRAMES_BINARY)
		why = "its kind is unknown";
	else if (!is_control(f) && (opcode == FRAMES_CONTINUATION) != f->is_begun)
		why = f->is_begun ? "a message begins within another one"
				  : "it continues no message";
	else if (f->left >> 63)
		why = "its length is above 2^63";
	return !why || error_set(err, ERR_FORMAT, -1, "a WebSocket frame is broken: %s", why);
}

/* Take bytes of the head. Returns their number; the head may be incomplete then. */
static size_t take_head(struct frames *f, const char *bytes, size_t len)
{
	size_t n = 0;

	while (n < len && f->n_head < head_size(f))
		f->head[f->n_head++] = (unsigned char)bytes[n++];
	if (f->n_head < head_size(f))
		return n;
	f->is_inside = true;
	f->left = f->head[1] & 0x7fu;
	if (f->n_head > 2)
		f->left = 0;
	for (unsigned i = 2; i < f->n_head; i++)
		f->left = f->left << 8 | f->head[i];
	f->n_control = 0;
	return n;
}

static void take_payload(struct frames *f, const char *bytes, size_t len, struct frames_part *part)
{
	f->left -= len;
	if (is_control(f)) {
		memcpy(f->control + f->n_control, bytes, len);
		f->n_control += (unsigned)len;
		if (f->left > 0)
			return;
		*part = (struct frames_part){ .kind = FRAMES_CONTROL,
					      .opcode = (enum frames_opcode)(f->head[0] & OPCODE),
					      .bytes = (const char *)f->control,
					      .len = f->n_control };
	} else {
		*part = (struct frames_part){ .kind = FRAMES_PAYLOAD,
					      .bytes = bytes,
					      .len = len,
					      .is_last = f->left == 0 && f->head[0] & FIN };
	}
	if (f->left == 0) {
		/* The frame is complete. */
		if (!is_control(f))
			f->is_begun = !(f->head[0] & FIN);
		f->is_inside = false;
		f->n_head = 0;
	}
}

bool frames_read(struct frames *f, const char *bytes, size_t len, size_t *used,
		 struct frames_part *part, struct error *err)
{
	*part = (struct frames_part){ .kind = FRAMES_NOTHING };
	*used = 0;
	while (part->kind == FRAMES_NOTHING) {
		size_t rest = len - *used;

		if (!f->is_inside) {
			if (rest == 0)
				return true;
			*used += take_head(f, bytes + *used, rest);
			if (!f->is_inside)
				return true;
			if (!check_head(f, err))
				return false;
			rest = len - *used;
		}
		if (rest == 0 && f->left > 0)
			return true;
		if (rest > f->left)
			rest = (size_t)f->left;
		take_payload(f, bytes + *used, rest, part);
		*used += rest;
	}
	return true;
}

/* ==== websocket ==== */

/* The most bytes of a message. V8 cannot make a string of more than 512 MB. */
#define WEBSOCKET_MESSAGE_MAX ((size_t)512 << 20)
#define PIECE (64 << 10)
#define PAD 16         /* bytes after a message that can be read: CURSOR_PAD */
#define KEEP (1 << 20) /* memory of a longer message is given back */
#define GOODBYE_MS 100

/* ---- opening ---- */

/* Numbers that others cannot guess; they only keep proxies from mistaking frames for requests. */
static void random_bytes(unsigned char *out, size_t len)
{
	if (getrandom(out, len, GRND_NONBLOCK) != (ssize_t)len)
		memset(out, 0x5a, len);
}

/* What the server must answer to a key (RFC 6455, 4.2.2). */
static bool is_accepted(const struct http_answer *answer, const char *key)
{
	static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
	struct str accept = http_header(answer, "sec-websocket-accept");
	unsigned char hash[SHA1_BYTES];
	BUF_LOCAL text = { 0 }, expected = { 0 };

	buf_adds(&text, key);
	buf_adds(&text, guid);
	sha1(text.data, text.len, hash);
	base64_add(&expected, hash, sizeof hash);
	return str_is(accept, buf_text(&expected));
}

static bool shake_hands(struct websocket *w, const char *host, int port, const char *path,
			int64_t deadline, struct error *err)
{
	struct http_answer answer;
	BUF_LOCAL key = { 0 }, headers = { 0 };
	unsigned char random[16];
	bool is_done;

	random_bytes(random, sizeof random);
	base64_add(&key, random, sizeof random);
	buf_addf(&headers,
		 "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
		 "Sec-WebSocket-Key: %s\r\n",
		 buf_text(&key));
	is_done = http_get(&w->connection, host, port, path, buf_text(&headers), deadline, &answer,
			   err);
	if (is_done && answer.status != 101)
		is_done = error_set(err, ERR_FORMAT, -1,
				    "the inspector refuses the connection (status %d)",
				    answer.status);
	else if (is_done && !is_accepted(&answer, buf_text(&key)))
		is_done = error_set(err, ERR_FORMAT, -1, "the answer is not that of an inspector");
	if (is_done)
		buf_add(&w->input, answer.bytes.data + answer.head_len,
			answer.bytes.len - answer.head_len);
	http_done(&answer);
	return is_done;
}

bool websocket_open(struct websocket *w, const char *host, int port, const char *path,
		    const char *netns, int cancel_fd, int64_t deadline, struct error *err)
{
	*w = (struct websocket){ .connection = { .fd = -1, .cancel_fd = cancel_fd } };
	if (!connection_open(&w->connection, host, port, netns, deadline, err))
		return false;
	if (shake_hands(w, host, port, path, deadline, err))
		return true;
	connection_close(&w->connection);
	websocket_close(w);
	return false;
}

/* ---- messages ---- */

static bool send_frame(struct websocket *w, enum frames_opcode opcode, const char *payload,
		       size_t len, int64_t deadline, struct error *err)
{
	BUF_LOCAL out = { 0 };
	unsigned char mask[4];

	random_bytes(mask, sizeof mask);
	frames_add(&out, opcode, payload, len, mask);
	return connection_write(&w->connection, out.data, out.len, deadline, err);
}

bool websocket_send(struct websocket *w, const char *text, size_t len, int64_t deadline,
		    struct error *err)
{
	return send_frame(w, FRAMES_TEXT, text, len, deadline, err);
}

/* The head of a frame tells its length: a frame that is too long is refused before its bytes come.
 */
static bool is_too_long(const struct websocket *w)
{
	uint64_t left = is_control(&w->frames) ? 0 : w->frames.left;

	return w->message.len + left > WEBSOCKET_MESSAGE_MAX;
}

/* Take one part of what was read. */
static enum websocket_news take_part(struct websocket *w, const struct frames_part *part,
				     struct error *err)
{
	if (part->kind == FRAMES_CONTROL && part->opcode == FRAMES_CLOSE)
		return WEBSOCKET_CLOSED;
	if (part->kind == FRAMES_CONTROL && part->opcode == FRAMES_PING) {
		w->owes_pong = true;
		w->ping_len = part->len;
		memcpy(w->ping, part->bytes, part->len);
	}
	if (part->kind == FRAMES_PAYLOAD)
		buf_add(&w->message, part->bytes, part->len);
	if (is_too_long(w)) {
		error_set(err, ERR_LIMIT, -1, "a message has more than 512 MB");
		return WEBSOCKET_FAILED;
	}
	return part->kind == FRAMES_PAYLOAD && part->is_last ? WEBSOCKET_MESSAGE : WEBSOCKET_LATE;
}

/* Take what was read, up to the end of a message. WEBSOCKET_LATE: more must be read. */
static enum websocket_news take_input(struct websocket *w, int64_t deadline, struct error *err)
{
	enum websocket_news news = WEBSOCKET_LATE;
	struct frames_part part;

	while (news == WEBSOCKET_LATE) {
		size_t n;

		if (!frames_read(&w->frames, buf_text(&w->input) + w->used, w->input.len - w->used,
				 &n, &part, err))
			return WEBSOCKET_FAILED;
		w->used += n;
		news = take_part(w, &part, err);
		if (part.kind == FRAMES_NOTHING)
			break;
	}
	if (w->owes_pong && news != WEBSOCKET_FAILED && news != WEBSOCKET_CLOSED &&
	    !send_frame(w, FRAMES_PONG, w->ping, w->ping_len, deadline, err))
		return WEBSOCKET_FAILED;
	w->owes_pong = false;
	return news;
}

enum websocket_news websocket_next(struct websocket *w, int64_t deadline, struct str *message,
				   struct error *err)
{
	static const char pad[PAD];
	enum websocket_news news;
	bool has_read = false;

	if (w->has_message) {
		w->has_message = false;
		if (w->message.cap > KEEP)
			buf_done(&w->message);
		else
			buf_clear(&w->message);
	}
	while ((news = take_input(w, deadline, err)) == WEBSOCKET_LATE) {
		char piece[PIECE];
		ptrdiff_t n;

		/* What is there is taken also after the deadline, but not without end. */
		if (has_read && clock_ns() >= deadline)
			return WEBSOCKET_LATE;
		n = connection_read(&w->connection, piece, sizeof piece, deadline, err);
		has_read = true;
		if (n == CONNECTION_LATE)
			return WEBSOCKET_LATE;
		if (n <= 0)
			return n == 0 ? WEBSOCKET_CLOSED : WEBSOCKET_FAILED;
		buf_clear(&w->input);
		w->used = 0;
		buf_add(&w->input, piece, (size_t)n);
	}
	if (news != WEBSOCKET_MESSAGE)
		return news;
	w->has_message = true;
	*message = (struct str){ w->message.data, w->message.len };
	buf_add(&w->message, pad, sizeof pad);
	message->p = w->message.data;
	return news;
}

void websocket_close(struct websocket *w)
{
	static const char normal[2] = { 0x03, (char)0xe8 }; /* status 1000 */

	if (w->connection.fd >= 0) {
		send_frame(w, FRAMES_CLOSE, normal, sizeof normal, connection_deadline(GOODBYE_MS),
			   &(struct error)ERROR_INIT);
		connection_close(&w->connection);
	}
	buf_done(&w->input);
	buf_done(&w->message);
	*w = (struct websocket)WEBSOCKET_INIT;
}
