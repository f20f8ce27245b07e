/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Byte order marks and UTF-16, compared with a conversion of the whole at once. */
#include "config.h"

#include "base/stream/unpack.h"

#include "base/buf.h"
#include "base/hash.h"
#include "suite.h"

#include <string.h>

static uint64_t calls;

static size_t below(size_t n)
{
	return hash_u64(++calls) % n;
}

/* A source that gives a few bytes at a time, and fails where it is told to. */
static struct {
	const unsigned char *bytes;
	size_t len, at, fail_at;
} source;

static ptrdiff_t read_source(void *ctx, void *out, size_t size, struct error *err)
{
	size_t n = source.len - source.at, few = 1 + below(9);

	(void)ctx;
	if (source.at >= source.fail_at) {
		error_set(err, ERR_IO, -1, "told to fail");
		return -1;
	}
	n = n < few ? n : few;
	n = n < size ? n : size;
	memcpy(out, source.bytes + source.at, n);
	source.at += n;
	return (ptrdiff_t)n;
}

/* Reads all in pieces of random sizes. Returns whether it ended without an error. */
static bool decoded(const void *bytes, size_t len, size_t fail_at, struct buf *out,
		    enum decode_encoding *encoding, struct error *err)
{
	struct decode d;
	ptrdiff_t n;

	source.bytes = bytes;
	source.len = len;
	source.at = 0;
	source.fail_at = fail_at;
	decode_init(&d, (struct byte_source){ read_source, NULL });
	do {
		char piece[40];
		size_t size = 4 + below(sizeof piece - 4);

		n = decode_read(&d, piece, size, err);
		ck_assert_int_le(n, (ptrdiff_t)size);
		if (n > 0)
			buf_add(out, piece, (size_t)n);
	} while (n > 0);
	*encoding = d.encoding;
	decode_done(&d);
	return n == 0;
}

/* The units that decide: both ends of the surrogates, and of what is 1, 2 or 3 bytes long. */
static uint16_t random_unit(void)
{
	static const uint16_t units[] = { 'a',    0x7F,   0x80,   0x7FF,  0x800,  0xD7FF, 0xD800,
					  0xD801, 0xDBFF, 0xDC00, 0xDC01, 0xDFFF, 0xE000, 0xFFFF };

	return below(4) ? units[below(ARRAY_LEN(units))] : (uint16_t)below(65536);
}

static void expect_utf16(const uint16_t *units, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t cp = units[i];

		if (cp >> 10 == 0xD800 >> 10 && i + 1 < n && units[i + 1] >> 10 == 0xDC00 >> 10)
			cp = 0x10000 + (cp & 0x3FF) * 0x400 + (units[++i] & 0x3FF);
		buf_add_utf8(out, cp >> 11 == 0xD800 >> 11 ? 0xFFFD : cp);
	}
}

/* As bytes; without a mark it begins with a bracket, by which it is recognised. */
static void add_utf16(const uint16_t *units, size_t n, bool is_big, struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		buf_addc(out, (char)(is_big ? units[i] >> 8 : units[i] & 0xFF));
		buf_addc(out, (char)(is_big ? units[i] & 0xFF : units[i] >> 8));
	}
}

START_TEST(utf16_becomes_utf8)
{
	for (int i = 0; i < 3000; i++) {
		struct buf bytes = { 0 }, out = { 0 }, expect = { 0 };
		bool is_big = i & 1, has_mark = i & 2, has_half = below(8) == 0;
		struct error err = ERROR_INIT;
		enum decode_encoding encoding;
		uint16_t units[40];
		size_t n = 2 + below(38);

		for (size_t k = 0; k < n; k++)
			units[k] = random_unit();
		units[0] = has_mark ? 0xFEFF : i & 4 ? '{' : '[';
		if (has_mark && units[1] == 0)
			units[1] = 1; /* FF FE 00 00 is UTF-32 */
		add_utf16(units, n, is_big, &bytes);
		/* Half of a unit at the end is left out. */
		if (has_half)
			buf_addc(&bytes, 'x');
		expect_utf16(units + has_mark, n - has_mark, &expect);
		ck_assert(decoded(bytes.data, bytes.len, SIZE_MAX, &out, &encoding, &err));
		ck_assert_int_eq(encoding, is_big ? DECODE_UTF16_BE : DECODE_UTF16_LE);
		ck_assert_uint_eq(out.len, expect.len);
		ck_assert_mem_eq(out.data, expect.data, expect.len);
		ck_assert(decode_is_needed(bytes.data, bytes.len));
		buf_done(&bytes);
		buf_done(&out);
		buf_done(&expect);
	}
}
END_TEST

static const struct {
	const char *bytes;
	size_t len, mark;
} plain[] = {
	{ "", 0, 0 },
	{ "{", 1, 0 },
	{ "[]", 2, 0 },
	{ "{\"a\":1}", 7, 0 },
	{ "\xEF\xBB\xBF", 3, 3 },
	{ "\xEF\xBB\xBF{}", 5, 3 },
	{ "\xEF\xBB", 2, 0 },
	{ "\xEF\xBBx{}", 5, 0 },
	{ "\xFF", 1, 0 },
	{ "\xFE", 1, 0 },
	{ "\xFFxy", 3, 0 },
	{ "\xFExy", 3, 0 },
	{ "\0x[]", 4, 0 },
	{ "x\0[]", 4, 0 },
	{ "\0", 1, 0 },
	{ "\0\0\xFE\xFE", 4, 0 },
	{ "\0\0\xFF\xFF", 4, 0 },
	{ "\0\x01\xFE\xFF", 4, 0 },
	{ "\x01\0\xFE\xFF", 4, 0 },
	{ "ends in a bad byte \x80", 20, 0 },
};

/* All other bytes pass through, except a mark at the beginning. */
START_TEST(utf8_passes_through)
{
	struct buf out = { 0 };
	struct error err = ERROR_INIT;
	enum decode_encoding encoding;

	ck_assert(decoded(plain[_i].bytes, plain[_i].len, SIZE_MAX, &out, &encoding, &err));
	ck_assert_int_eq(encoding, DECODE_UTF8);
	ck_assert_uint_eq(out.len, plain[_i].len - plain[_i].mark);
	ck_assert_int_eq(memcmp(buf_text(&out), plain[_i].bytes + plain[_i].mark, out.len), 0);
	ck_assert_int_eq(decode_is_needed(plain[_i].bytes, plain[_i].len), plain[_i].mark > 0);
	buf_done(&out);
}
END_TEST

static const char utf32[][5] = { "\xFF\xFE\0\0", "\0\0\xFE\xFF" };

START_TEST(utf32_is_named)
{
	struct buf out = { 0 };
	struct error err = ERROR_INIT;
	enum decode_encoding encoding;

	ck_assert(decode_is_needed(utf32[_i], 4));
	ck_assert(!decoded(utf32[_i], 4, SIZE_MAX, &out, &encoding, &err));
	ck_assert_int_eq(err.kind, ERR_FORMAT);
	ck_assert_int_eq(err.offset, 0);
	/* Of the first three bytes of a mark, it is UTF-16. */
	err = (struct error)ERROR_INIT;
	ck_assert(decoded(utf32[_i], 3, SIZE_MAX, &out, &encoding, &err));
	buf_done(&out);
}
END_TEST

/* What came before an error of the source is not lost, and the error is passed on. */
START_TEST(errors_of_the_source_are_passed_on)
{
	static const char *const texts[] = { "{\"a\":1,\"b\":2}", "{\0\"\0a\0\"\0:\0001\0}\0",
					     "\xFE\xFF\0{\0a\0b\0c\0}" };
	static const size_t lens[] = { 13, 14, 12 };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		for (size_t at = 0; at <= lens[i]; at++) {
			struct buf out = { 0 };
			struct error err = ERROR_INIT;
			enum decode_encoding encoding;

			ck_assert(!decoded(texts[i], lens[i], at, &out, &encoding, &err));
			ck_assert_int_eq(err.kind, ERR_IO);
			ck_assert_str_eq(err.text, "told to fail");
			buf_done(&out);
		}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "decode", SUITE_SECONDS);

	tcase_add_test(t, utf16_becomes_utf8);
	tcase_add_loop_test(t, utf8_passes_through, 0, N(plain));
	tcase_add_loop_test(t, utf32_is_named, 0, N(utf32));
	tcase_add_test(t, errors_of_the_source_are_passed_on);
}

int main(void)
{
	return suite_run("decode", add_tests);
}
