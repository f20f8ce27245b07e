/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The head of a frame is collected first: its second byte tells how long it is. */
#include "config.h"

#include "record/remote/frames.h"

#include <string.h>

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
		 (opcode > FRAMES_PONG || !(f->head[0] & FIN) || f->left > FRAMES_CONTROL_MOST))
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

/* The frame is complete. */
static void end_frame(struct frames *f)
{
	if (!is_control(f))
		f->is_begun = !(f->head[0] & FIN);
	f->is_inside = false;
	f->n_head = 0;
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
	if (f->left == 0)
		end_frame(f);
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
