/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is compressed is the same after unpacking, and depends on its bytes only. */
#include "config.h"

#include "suite.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/stream/unpack.h"

#include <stdlib.h>
#include <string.h>

/* The text in pieces of `step` bytes. */
static struct buf packed(const char *text, size_t len, size_t step)
{
	struct buf out = { 0 };
	struct gzip gzip;

	gzip_begin(&gzip);
	for (size_t at = 0; at < len; at += step)
		gzip_add(&gzip, text + at, len - at < step ? len - at : step, &out);
	gzip_end(&gzip, &out);
	return out;
}

static void ck_unpacks_to(const struct buf *packed, const char *text, size_t len)
{
	z_stream z = { .next_in = (unsigned char *)packed->data,
		       .avail_in = (unsigned)packed->len };
	char *back = xmalloc(len + 1);

	z.next_out = (unsigned char *)back;
	z.avail_out = (unsigned)len + 1;
	ck_assert_int_eq(inflateInit2(&z, 15 + 16), Z_OK);
	ck_assert_int_eq(inflate(&z, Z_FINISH), Z_STREAM_END);
	ck_assert_uint_eq(z.avail_out, 1);
	ck_assert_uint_eq(z.avail_in, 0);
	ck_assert(len == 0 || memcmp(back, text, len) == 0);
	inflateEnd(&z);
	free(back);
}

START_TEST(text_comes_back_whatever_the_pieces)
{
	static const size_t lengths[] = { 0, 1, 16384, 16385, 200000 };
	static char text[200000];

	srandom(7);
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (char)(random() % (i < 100000 ? 4 : 256));
	for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
		struct buf once = packed(text, lengths[i], sizeof text),
			   often = packed(text, lengths[i], 777);

		ck_unpacks_to(&once, text, lengths[i]);
		ck_unpacks_to(&often, text, lengths[i]);
		buf_done(&once);
		buf_done(&often);
	}
}
END_TEST

/* Bytes 4 to 7 of the header are the time of the file. */
START_TEST(there_is_no_date)
{
	struct buf out = packed("abc", 3, 3);

	ck_assert_uint_gt(out.len, 10);
	ck_assert_int_eq(memcmp(out.data, "\x1f\x8b\x08\0\0\0\0\0", 8), 0);
	buf_done(&out);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_test(tc, text_comes_back_whatever_the_pieces);
	tcase_add_test(tc, there_is_no_date);
}

int main(void)
{
	return suite_run("gzip", add_tests);
}
