/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames of WebSocket connections: the examples of RFC 6455, all ways to cut them, and what must
 * not be sent. */
#include "config.h"

#include "suite.h"

#include "base/alloc.h"
#include "base/base64.h"
#include "base/sha1.h"
#include "record/remote/websocket.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All parts of a stream as text: payloads as they are, `|` after a message, `<9:text>` for control
 * frames; `!` and the error at the end of a broken one. The stream comes in pieces of `step`. */
static void add_parts(struct buf *out, const char *bytes, size_t len, size_t step)
{
	struct frames f = { 0 };
	struct frames_part part;
	struct error err = ERROR_INIT;

	for (size_t at = 0, n; at < len; at += n) {
		size_t piece = len - at < step ? len - at : step;

		if (!frames_read(&f, bytes + at, piece, &n, &part, &err)) {
			buf_addf(out, "!%s", err.text);
			return;
		}
		if (part.kind == FRAMES_PAYLOAD)
			buf_add(out, part.bytes, part.len);
		if (part.kind == FRAMES_PAYLOAD && part.is_last)
			buf_addc(out, '|');
		if (part.kind == FRAMES_CONTROL)
			buf_addf(out, "<%d:%.*s>", (int)part.opcode, (int)part.len, part.bytes);
		ck_assert(n > 0 || part.kind != FRAMES_NOTHING);
	}
}

static void ck_parts(const char *bytes, size_t len, const char *expected)
{
	for (size_t step = 1; step <= len; step++) {
		struct buf out = { 0 };

		add_parts(&out, bytes, len, step);
		ck_assert_str_eq(buf_text(&out), expected);
		buf_done(&out);
	}
}

#define CK_PARTS(bytes, expected) ck_parts(bytes, sizeof(bytes) - 1, expected)

/* RFC 6455, section 5.7, without masks: servers send none. */
START_TEST(examples_of_the_standard_are_read)
{
	CK_PARTS("\x81\x05Hello", "Hello|");
	CK_PARTS("\x01\x03Hel\x80\x02lo", "Hello|");
	CK_PARTS("\x89\x05Hello", "<9:Hello>");
	CK_PARTS("\x81\x00", "|");
}
END_TEST

START_TEST(control_frames_come_within_messages)
{
	CK_PARTS("\x01\x03Hel\x89\x02hi\x80\x02lo\x88\x00", "Hel<9:hi>lo|<8:>");
}
END_TEST

START_TEST(lengths_of_16_and_64_bits_are_read)
{
	static char bytes[70000 + 14];
	struct buf out = { 0 };

	memcpy(bytes, "\x81\x7e\x01\x00", 4);
	memset(bytes + 4, 'x', 256);
	add_parts(&out, bytes, 260, 100);
	ck_assert_uint_eq(out.len, 257);
	buf_clear(&out);
	memcpy(bytes, "\x81\x7f\0\0\0\0\0\x01\x11\x70", 10);
	memset(bytes + 10, 'y', 70000);
	add_parts(&out, bytes, 70010, 9999);
	ck_assert_uint_eq(out.len, 70001);
	buf_done(&out);
}
END_TEST

START_TEST(what_servers_must_not_send_is_refused)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *why;
	} bad[] = {
		{ "\xc1\x00", 2, "reserved bits are set" },
		{ "\x81\x81\1\2\3\4x", 7, "it is masked" },
		{ "\x89\x7e\x00\x7e", 4, "too long" },
		{ "\x09\x00", 2, "too long, split" },
		{ "\x83\x00", 2, "its kind is unknown" },
		{ "\x8b\x00", 2, "unknown" },
		{ "\x80\x00", 2, "it continues no message" },
		{ "\x01\x00\x81\x00", 4, "a message begins within another one" },
		{ "\x81\x7f\x80\0\0\0\0\0\0\0", 10, "its length is above 2^63" },
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct buf out = { 0 };

		add_parts(&out, bad[i].bytes, bad[i].len, 1);
		ck_assert_msg(strstr(buf_text(&out), bad[i].why), "%s: %s", bad[i].why,
			      buf_text(&out));
		buf_done(&out);
	}
}
END_TEST

/* Unmask what a client writes, and read it as if a server had sent it. */
START_TEST(what_is_written_is_read)
{
	static const size_t lengths[] = { 0, 1, 125, 126, 65535, 65536 };
	static char text[65536];
	static const unsigned char mask[4] = { 0x37, 0xfa, 0x21, 0x3d };

	memset(text, 'z', sizeof text);
	for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
		struct buf frame = { 0 }, out = { 0 };
		size_t head = lengths[i] < 126 ? 2 : lengths[i] < 65536 ? 4 : 10;

		frames_add(&frame, FRAMES_TEXT, text, lengths[i], mask);
		ck_assert_uint_eq(frame.len, head + 4 + lengths[i]);
		ck_assert(frame.data[1] & 0x80);
		for (size_t k = 0; k < lengths[i]; k++)
			ck_assert((unsigned char)frame.data[head + 4 + k] == ('z' ^ mask[k % 4]));
		frame.data[1] = (char)(frame.data[1] & 0x7f);
		memmove(frame.data + head, frame.data + head + 4, lengths[i]);
		add_parts(&out, frame.data, frame.len - 4, 1000);
		ck_assert_uint_eq(out.len, lengths[i] + 1);
		buf_done(&frame);
		buf_done(&out);
	}
}
END_TEST

/* RFC 6455, section 1.3: the key of its example, and what the server answers. */
START_TEST(the_answer_to_a_key_is_that_of_the_standard)
{
	static const char text[] = "dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
	unsigned char hash[SHA1_BYTES];
	struct buf out = { 0 };

	sha1(text, strlen(text), hash);
	base64_add(&out, hash, sizeof hash);
	ck_assert_str_eq(buf_text(&out), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
	buf_done(&out);
}
END_TEST

/* FIPS 180-2, appendix A; and the lengths around the end of a block, as coreutils' sha1sum has
 * them. */
START_TEST(hashes_are_those_of_the_standard)
{
	static const struct {
		size_t len;
		const char *hex;
	} runs[] = {
		{ 0, "da39a3ee5e6b4b0d3255bfef95601890afd80709" },
		{ 55, "c1c8bbdc22796e28c0e15163d20899b65621d65a" },
		{ 56, "c2db330f6083854c99d4b5bfb6e8f29f201be699" },
		{ 64, "0098ba824b5c16427bd7a1122a5a442a25ec644d" },
		{ 119, "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56" },
		{ 1000000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f" },
	};
	char *text = xmalloc(1000000), hex[2 * SHA1_BYTES + 1];
	unsigned char hash[SHA1_BYTES];

	memset(text, 'a', 1000000);
	for (size_t i = 0; i < ARRAY_LEN(runs); i++) {
		sha1(text, runs[i].len, hash);
		for (size_t k = 0; k < SHA1_BYTES; k++)
			snprintf(hex + 2 * k, 3, "%02x", hash[k]);
		ck_assert_str_eq(hex, runs[i].hex);
	}
	free(text);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_test(tc, examples_of_the_standard_are_read);
	tcase_add_test(tc, control_frames_come_within_messages);
	tcase_add_test(tc, lengths_of_16_and_64_bits_are_read);
	tcase_add_test(tc, what_servers_must_not_send_is_refused);
	tcase_add_test(tc, what_is_written_is_read);
	tcase_add_test(tc, the_answer_to_a_key_is_that_of_the_standard);
	tcase_add_test(tc, hashes_are_those_of_the_standard);
}

int main(void)
{
	return suite_run("frames", add_tests);
}
