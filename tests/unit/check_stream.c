/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Streams: compressed and encoded input gives the same text in reads of any size; of damaged input
 * the good beginning is kept; a failure comes at its byte. All tests run with and without a thread
 * that reads ahead. */
#include "config.h"

#include "suite.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/stream/stream.h"
#include "base/stream/unpack.h"

#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#ifdef HAVE_LZ4
#include <lz4frame.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#define TEXT_LEN 300000

static char *text;

static void set_up(void)
{
	text = xmalloc(TEXT_LEN);
	for (size_t i = 0; i < TEXT_LEN; i++)
		text[i] = (char)(i == 0 ? '{' : 32 + (i * i / 7 + i) % 90);
}

static void tear_down(void)
{
	free(text);
}

/* When a text is long: never, at once, in the middle. Text of memory is then read ahead. */
static const size_t ahead_from[] = { SIZE_MAX, 0, 100000 };

/* All of a stream, in reads of `size` bytes. */
static bool drain(struct stream *s, size_t size, struct buf *out, struct error *err)
{
	char *block = xmalloc(size);
	ptrdiff_t n;

	while ((n = stream_read(s, block, size, err)) > 0)
		buf_add(out, block, (size_t)n);
	free(block);
	ck_assert((n < 0) == (err->kind != ERR_NONE));
	return n == 0;
}

static void check_is(const void *data, size_t len, const char *expect, size_t expect_len,
		     const char *damage)
{
	static const size_t size[] = { 1 << 20, 4096, 777, 4 };

	for (size_t i = 0; i < ARRAY_LEN(size) * ARRAY_LEN(ahead_from); i++) {
		struct stream *s = stream_open_memory(data, len, SIZE_MAX);
		struct error err = ERROR_INIT;
		struct buf out = { 0 };
		size_t reads = size[i / ARRAY_LEN(ahead_from)];

		stream_set_ahead(s, ahead_from[i % ARRAY_LEN(ahead_from)]);
		ck_assert_msg(drain(s, reads, &out, &err), "%s", err.text);
		ck_assert_msg(out.len == expect_len, "reads of %zu: %zu bytes, expected %zu", reads,
			      out.len, expect_len);
		ck_assert_int_eq(memcmp(buf_text(&out), expect, expect_len), 0);
		if (damage)
			ck_assert_msg(stream_facts(s).damage &&
					      strstr(stream_facts(s).damage, damage),
				      "damage: %s",
				      stream_facts(s).damage ? stream_facts(s).damage : "none");
		else
			ck_assert_ptr_null(stream_facts(s).damage);
		buf_done(&out);
		stream_close(s);
	}
}

static unsigned char *gzip(size_t *len)
{
	z_stream z = { 0 };
	unsigned char *out = xmalloc(TEXT_LEN + 1000);

	ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = (unsigned char *)text;
	z.avail_in = TEXT_LEN;
	z.next_out = out;
	z.avail_out = TEXT_LEN + 1000;
	ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	*len = z.total_out;
	deflateEnd(&z);
	return out;
}

START_TEST(plain)
{
	check_is(text, TEXT_LEN, text, TEXT_LEN, NULL);
	for (size_t len = 0; len < 12; len++)
		check_is(text, len, text, len, NULL);
}
END_TEST

START_TEST(gzip_is_unpacked)
{
	size_t len;
	unsigned char *packed = gzip(&len), *twice = xmalloc(2 * len + 600);
	char *both = xmalloc((size_t)2 * TEXT_LEN);
	struct stream *s;
	struct error err = ERROR_INIT;
	struct buf out = { 0 };

	check_is(packed, len, text, TEXT_LEN, NULL);
	memset(twice, 0, 2 * len + 600);
	memcpy(twice, packed, len);
	memcpy(twice + len, packed, len);
	memcpy(both, text, TEXT_LEN);
	memcpy(both + TEXT_LEN, text, TEXT_LEN);
	check_is(twice, 2 * len, both, (size_t)2 * TEXT_LEN, NULL);
	check_is(twice, 2 * len + 512, both, (size_t)2 * TEXT_LEN, NULL); /* padded */
	memset(twice + len, 'x', len);
	check_is(twice, 2 * len, text, TEXT_LEN, "other bytes");
	packed[len - 6] ^= 1;
	check_is(packed, len, text, TEXT_LEN, "checksum");
	packed[len - 6] ^= 1;
	s = stream_open_memory(packed, len, SIZE_MAX);
	ck_assert(drain(s, 5000, &out, &err));
	ck_assert_str_eq(stream_facts(s).compression, "gzip");
	ck_assert_int_eq(stream_facts(s).file_bytes, (int64_t)len);
	stream_close(s);
	buf_done(&out);
	free(both);
	free(twice);
	free(packed);
}
END_TEST

/* Cut anywhere: what comes out is the beginning of the text. */
static void check_cut(const unsigned char *packed, size_t len)
{
	for (size_t at = 4; at < len; at += at < 64 || at + 64 > len ? 1 : 9973) {
		struct stream *s = stream_open_memory(packed, at, SIZE_MAX);
		struct error err = ERROR_INIT;
		struct buf out = { 0 };

		stream_set_ahead(s, ahead_from[at % ARRAY_LEN(ahead_from)]);
		ck_assert(drain(s, 65536, &out, &err));
		ck_assert_uint_le(out.len, TEXT_LEN);
		ck_assert_int_eq(memcmp(buf_text(&out), text, out.len), 0);
		ck_assert_msg(stream_facts(s).damage != NULL, "cut at %zu of %zu", at, len);
		buf_done(&out);
		stream_close(s);
	}
}

START_TEST(gzip_cut_off_keeps_its_beginning)
{
	size_t len;
	unsigned char *packed = gzip(&len);

	check_cut(packed, len);
	free(packed);
}
END_TEST

#define BOMB_LEN ((size_t)4 << 20)

static const struct bomb_case {
	int64_t most;      /* bytes */
	size_t one_in;     /* distance of bytes that are no blanks: the ratio */
	const char *fails; /* NULL: it does not */
} bomb_cases[] = {
	{ 1 << 20, BOMB_LEN, "became 1." },
	{ 1 << 20, 100, NULL }, /* no bomb */
	{ BOMB_LEN, BOMB_LEN, NULL },
	{ 0, BOMB_LEN, NULL },
};

/* A small file that becomes a large text ends with an error that names both sizes. */
START_TEST(bomb_is_above_its_limit_and_ratio)
{
	const struct bomb_case *c = &bomb_cases[_i];
	char *bomb = xmalloc(BOMB_LEN);
	uLongf len = compressBound(BOMB_LEN) + 100;
	unsigned char *packed = xmalloc(len);
	z_stream z = { 0 };

	memset(bomb, ' ', BOMB_LEN);
	for (size_t i = 0; i < BOMB_LEN; i += c->one_in)
		bomb[i] = (char)('a' + i * 2654435761u % 26);
	ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = (unsigned char *)bomb;
	z.avail_in = (uInt)BOMB_LEN;
	z.next_out = packed;
	z.avail_out = (uInt)len;
	ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	for (size_t i = 0; i < ARRAY_LEN(ahead_from); i++) {
		struct stream *s = stream_open_memory(packed, z.total_out, SIZE_MAX);
		struct error err = ERROR_INIT;
		struct buf out = { 0 };

		stream_set_ahead(s, ahead_from[i]);
		stream_set_unpack_limits(s, &(struct unpack_limits){ .max_unpacked = c->most });
		ck_assert(drain(s, 5000, &out, &err) == !c->fails);
		if (c->fails) {
			ck_assert_int_eq(err.kind, ERR_LIMIT);
			ck_assert_msg(strstr(err.text, c->fails) && strstr(err.text, "kB of"), "%s",
				      err.text);
		} else {
			ck_assert_uint_eq(out.len, BOMB_LEN);
		}
		buf_done(&out);
		stream_close(s);
	}
	deflateEnd(&z);
	free(packed);
	free(bomb);
}
END_TEST

#ifdef HAVE_ZSTD
/* A frame with one raw block, whose window has 2^(10 + the first five bits of the sixth byte)
 * bytes. */
static const struct window {
	unsigned char log;
	bool has_large_windows, is_read;
} windows[] = {
	{ 17, false, true }, { 18, false, false }, { 18, true, true }, { 31, true, false }
};

START_TEST(zstd_windows_above_128_mb_are_read_if_wanted)
{
	const struct window *w = &windows[_i];
	unsigned char packed[] = { 0x28,       0xB5, 0x2F, 0xFD, 0,  (unsigned char)(w->log << 3),
				   2 << 3 | 1, 0,    0,    '{',  '}' };
	struct stream *s = stream_open_memory(packed, sizeof packed, SIZE_MAX);
	struct unpack_limits limits = { .has_large_windows = w->has_large_windows };
	struct error err = ERROR_INIT;
	struct buf out = { 0 };

	stream_set_unpack_limits(s, &limits);
	ck_assert(drain(s, 5000, &out, &err) == w->is_read);
	ck_assert_int_eq(err.kind, w->is_read ? ERR_NONE : ERR_LIMIT);
	ck_assert(w->is_read ? out.len == 2 : strstr(err.text, "window") != NULL);
	buf_done(&out);
	stream_close(s);
}
END_TEST

START_TEST(zstd_is_unpacked)
{
	size_t most = ZSTD_compressBound(TEXT_LEN), len;
	unsigned char *packed = xmalloc(most);

	len = ZSTD_compress(packed, most, text, TEXT_LEN, 3);
	ck_assert(!ZSTD_isError(len));
	check_is(packed, len, text, TEXT_LEN, NULL);
	check_cut(packed, len);
	free(packed);
}
END_TEST
#endif

#ifdef HAVE_LZ4
/* A text of TEXT_LEN bytes as a frame of lz4, which the caller frees. */
static unsigned char *lz4(const char *of, LZ4F_blockSizeID_t size, LZ4F_blockMode_t mode,
			  bool has_checksums, size_t *len)
{
	const LZ4F_preferences_t prefs = {
		.frameInfo = { .blockSizeID = size,
			       .blockMode = mode,
			       .contentChecksumFlag = has_checksums,
			       .blockChecksumFlag = has_checksums,
			       .contentSize = has_checksums ? TEXT_LEN : 0 },
	};
	size_t most = LZ4F_compressFrameBound(TEXT_LEN, &prefs);
	unsigned char *packed = xmalloc(most);

	*len = LZ4F_compressFrame(packed, most, of, TEXT_LEN, &prefs);
	ck_assert(!LZ4F_isError(*len));
	return packed;
}

static const LZ4F_blockSizeID_t lz4_sizes[] = { LZ4F_max64KB, LZ4F_max256KB, LZ4F_max4MB };

START_TEST(lz4_is_unpacked)
{
	for (int mode = 0; mode < 2; mode++) {
		size_t len;
		unsigned char *packed = lz4(text, lz4_sizes[_i], (LZ4F_blockMode_t)mode, mode == 1,
					    &len);

		check_is(packed, len, text, TEXT_LEN, NULL);
		check_cut(packed, len);
		free(packed);
	}
}
END_TEST

START_TEST(lz4_frames_in_a_row_are_one_text)
{
	size_t len, n;
	unsigned char *packed = lz4(text, LZ4F_max64KB, LZ4F_blockLinked, true, &len);
	unsigned char *all = xcalloc(2 * len + 600, 1);
	char *both = xmalloc((size_t)2 * TEXT_LEN);
	struct stream *s;
	struct error err = ERROR_INIT;
	struct buf out = { 0 };

	memcpy(both, text, TEXT_LEN);
	memcpy(both + TEXT_LEN, text, TEXT_LEN);
	memcpy(all, packed, len);
	memcpy(all + len, "\x50\x2A\x4D\x18\3\0\0\0abc", 11); /* is skipped */
	memcpy(all + len + 11, packed, len);
	n = 2 * len + 11;
	check_is(all, n, both, (size_t)2 * TEXT_LEN, NULL);
	check_is(all, n + 512, both, (size_t)2 * TEXT_LEN, NULL); /* padded */
	memset(all + len, 'x', len);
	check_is(all, n, text, TEXT_LEN, "other bytes");
	s = stream_open_memory(packed, len, SIZE_MAX);
	ck_assert(drain(s, 5000, &out, &err));
	ck_assert_str_eq(stream_facts(s).compression, "lz4");
	stream_close(s);
	buf_done(&out);
	free(both);
	free(all);
	free(packed);
}
END_TEST

START_TEST(lz4_checksums_are_checked)
{
	size_t len;
	unsigned char *packed = lz4(text, LZ4F_max64KB, LZ4F_blockIndependent, true, &len);

	packed[len - 1] ^= 1;
	check_is(packed, len, text, TEXT_LEN, "lz4 checksum");
	packed[len - 1] ^= 1;
	packed[len - 9] ^= 1; /* of the last block */
	check_is(packed, len, text, TEXT_LEN / 65536 * 65536, "lz4 checksum");
	packed[len - 9] ^= 1;
	packed[14] ^= 1; /* of the header, which ends with it */
	check_is(packed, len, "", 0, "lz4 checksum");
	free(packed);
}
END_TEST

/* Of one block, most is there when its last byte is missing. */
START_TEST(lz4_block_that_is_cut_off_keeps_its_beginning)
{
	static const LZ4F_blockMode_t modes[] = { LZ4F_blockLinked, LZ4F_blockIndependent };
	char *words = xmalloc(TEXT_LEN + 16);
	uint32_t seed = 1;

	for (size_t at = 0; at < TEXT_LEN; at += 8) {
		seed = seed * 1664525 + 1013904223;
		snprintf(words + at, 16, "%07u ", seed >> 12);
	}
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		size_t len;
		unsigned char *packed = lz4(words, lz4_sizes[_i], modes[i], false, &len);
		struct stream *s = stream_open_memory(packed, len / 2, SIZE_MAX);
		struct error err = ERROR_INIT;
		struct buf out = { 0 };

		ck_assert(drain(s, 65536, &out, &err));
		ck_assert_uint_ge(out.len, TEXT_LEN / 2 - TEXT_LEN / 50);
		ck_assert_int_eq(memcmp(buf_text(&out), words, out.len), 0);
		ck_assert_str_eq(stream_facts(s).damage, "lz4 data is cut off");
		buf_done(&out);
		stream_close(s);
		free(packed);
	}
	free(words);
}
END_TEST
#else
START_TEST(lz4_needs_the_library)
{
	struct stream *s = stream_open_memory("\x04\x22\x4D\x18\x60\x40\x82\0\0\0\0", 11, SIZE_MAX);
	struct error err = ERROR_INIT;
	char out[8];

	ck_assert_int_eq(stream_read(s, out, sizeof out, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "without liblz4"));
	stream_close(s);
}
END_TEST
#endif

static const struct encoded {
	const char *bytes;
	size_t len;
	const char *text;
} encoded[] = {
	{ "\xEF\xBB\xBF{}", 5, "{}" },
	{ "\xFF\xFE{\0}\0", 6, "{}" },
	{ "\xFE\xFF\0{\0}", 6, "{}" },
	{ "{\0\"\0\xE4\0\"\0}\0", 10, "{\"\303\244\"}" },
	{ "\0{\0\"\x20\xAC\0\"\0}", 10, "{\"\342\202\254\"}" },
	{ "\xFF\xFE{\0\x3D\xD8\0\xDE}\0", 10, "{\360\237\230\200}" },
	{ "\xFF\xFE{\0\x3D\xD8}\0", 8, "{\357\277\275}" }, /* a high surrogate alone */
	{ "\xFF\xFE{\0\0\xDE}\0", 8, "{\357\277\275}" },   /* a low one */
	{ "\xFF\xFE{\0\x3D\xD8", 6, "{\357\277\275" },
	{ "\xFF\xFE{\0}\0\x20", 7, "{}" }, /* half a character at the end */
	{ "{\xFF\xFE}", 4, "{\xFF\xFE}" },
};

START_TEST(encodings)
{
	const struct encoded *c = &encoded[_i];

	check_is(c->bytes, c->len, c->text, strlen(c->text), NULL);
}
END_TEST

START_TEST(utf32_is_refused)
{
	struct stream *s = stream_open_memory("\xFF\xFE\0\0{\0\0\0", 8, SIZE_MAX);
	struct error err = ERROR_INIT;
	char out[8];

	ck_assert_int_eq(stream_read(s, out, sizeof out, &err), -1);
	ck_assert_int_eq(err.kind, ERR_FORMAT);
	stream_close(s);
}
END_TEST

START_TEST(fails_at_its_byte)
{
	size_t len, fail_at[] = { 0, 1, 3, 4, 5, 100, 65536, 262144, 262145, TEXT_LEN - 1 };
	unsigned char *packed = gzip(&len);

	for (size_t k = 0; k < ARRAY_LEN(fail_at) * ARRAY_LEN(ahead_from); k++) {
		size_t i = k / ARRAY_LEN(ahead_from), from = ahead_from[k % ARRAY_LEN(ahead_from)];
		struct stream *s = stream_open_memory(text, TEXT_LEN, fail_at[i]);
		struct error err = ERROR_INIT;
		struct buf out = { 0 };

		stream_set_ahead(s, from);
		ck_assert(!drain(s, 1000, &out, &err));
		ck_assert_int_eq(err.kind, ERR_IO);
		ck_assert_uint_le(out.len, fail_at[i]);
		if (fail_at[i] >= 4)
			ck_assert_uint_eq(out.len, fail_at[i]);
		ck_assert_int_eq(memcmp(buf_text(&out), text, out.len), 0);
		buf_done(&out);
		stream_close(s);
		if (fail_at[i] >= len)
			continue;
		err = (struct error)ERROR_INIT;
		out = (struct buf){ 0 };
		s = stream_open_memory(packed, len, fail_at[i]);
		stream_set_ahead(s, from);
		ck_assert(!drain(s, 1000, &out, &err));
		ck_assert_int_eq(err.kind, ERR_IO);
		buf_done(&out);
		stream_close(s);
	}
	free(packed);
}
END_TEST

/* All of a stream by stream_next(), each time with up to `most` bytes of what was before. */
static void check_next(struct stream *s, size_t most)
{
	const unsigned char *kept = (const unsigned char *)"";
	struct error err = ERROR_INIT;
	unsigned char *at;
	size_t n_kept = 0, done = 0;
	char few[100];
	ptrdiff_t n;

	while ((n = stream_next(s, kept, n_kept, &at, &err)) > 0) {
		ck_assert_uint_le(done + (size_t)n, TEXT_LEN);
		ck_assert_int_eq(memcmp(at - n_kept, text + done - n_kept, n_kept + (size_t)n), 0);
		memset(at + n, 0, STREAM_PAD);
		done += (size_t)n;
		n_kept = n_kept + (size_t)n < most ? n_kept + (size_t)n : most;
		kept = at + n - n_kept;
		/* A copy elsewhere is as good, and other reads may come between. */
		n = most ? 0 : stream_read(s, few, sizeof few, &err);
		ck_assert(n >= 0 && memcmp(few, text + done, (size_t)n) == 0);
		done += (size_t)n;
	}
	ck_assert_int_eq(n, 0);
	ck_assert_int_eq(memcmp(at - n_kept, text + done - n_kept, n_kept), 0);
	ck_assert_uint_eq(done, TEXT_LEN);
}

START_TEST(next_keeps_what_is_asked)
{
	static const size_t most[] = { 0, 1, 64, STREAM_KEPT };
	size_t len;
	unsigned char *packed = gzip(&len);

	for (size_t i = 0; i < ARRAY_LEN(most) * ARRAY_LEN(ahead_from); i++) {
		for (int is_packed = 0; is_packed < 2; is_packed++) {
			struct stream *s = stream_open_memory(is_packed ? packed
									: (unsigned char *)text,
							      is_packed ? len : TEXT_LEN, SIZE_MAX);

			stream_set_ahead(s, ahead_from[i % ARRAY_LEN(ahead_from)]);
			check_next(s, most[i / ARRAY_LEN(ahead_from)]);
			stream_close(s);
		}
	}
	free(packed);
}
END_TEST

/* All blocks are in memory when the text is shorter than the blocks that are read ahead. */
START_TEST(trimmed_stream_goes_on)
{
	const unsigned char *kept = (const unsigned char *)"";
	struct stream *s = stream_open_memory(text, TEXT_LEN, SIZE_MAX);
	struct error err = ERROR_INIT;
	int64_t freed = 0;
	unsigned char *at;
	size_t n_kept = 0, done = 0;
	ptrdiff_t n;

	stream_set_ahead(s, 0);
	while ((n = stream_next(s, kept, n_kept, &at, &err)) > 0) {
		ck_assert_int_eq(memcmp(at - n_kept, text + done - n_kept, n_kept + (size_t)n), 0);
		done += (size_t)n;
		n_kept = n < 1000 ? (size_t)n : 1000;
		kept = at + n - n_kept;
		/* Until the thread has filled the last block. */
		for (int i = 0; i < 200 && freed < 100000; i++) {
			int64_t before = alloc_bytes();

			stream_trim(s);
			freed = before - alloc_bytes();
			usleep(10000);
		}
	}
	ck_assert_uint_eq(done, TEXT_LEN);
	ck_assert(alloc_bytes() < 0 || freed >= 100000);
	stream_close(s);
}
END_TEST

START_TEST(closed_early)
{
	char few[10];

	for (size_t i = 0; i < 200; i++) {
		struct stream *s = stream_open_memory(text, TEXT_LEN, SIZE_MAX);
		struct error err = ERROR_INIT;

		stream_set_ahead(s, 0);
		if (i % 3)
			ck_assert_int_gt(stream_read(s, few, sizeof few, &err), 0);
		stream_close(s);
	}
}
END_TEST

/* The progress callback: counts its calls, checks its thread, and stops at a given call. */
struct waiter {
	pthread_t thread;
	int asked, stop_at;
	int64_t done;
};

static bool ask(void *ctx, const struct progress *p)
{
	struct waiter *w = ctx;

	ck_assert(pthread_equal(w->thread, pthread_self()));
	ck_assert_int_ge(p->done, w->done);
	w->done = p->done;
	return ++w->asked < w->stop_at;
}

/* A pipe that gives some text and then nothing, while its other end stays open. */
START_TEST(quiet_pipe_is_given_up)
{
	char path[] = "/tmp/check_stream.XXXXXX", fifo[64], block[5000];

	ck_assert_ptr_nonnull(mkdtemp(path));
	snprintf(fifo, sizeof fifo, "%s/fifo", path);
	ck_assert_int_eq(mkfifo(fifo, 0600), 0);
	for (size_t i = 0; i < ARRAY_LEN(ahead_from); i++) {
		for (int reads_all = 0; reads_all < 2; reads_all++) {
			struct waiter w = { .thread = pthread_self(), .stop_at = 5 };
			struct progress progress = { .tick = ask, .ctx = &w };
			struct error err = ERROR_INIT;
			struct stream *s = stream_open(fifo, &progress, &err);
			int in = open(fifo, O_WRONLY);
			ptrdiff_t n;

			ck_assert_int_eq(write(in, text, 10000), 10000);
			stream_set_ahead(s, i == 2 ? 6000 : ahead_from[i]);
			n = stream_read(s, block, sizeof block, &err);
			ck_assert_int_gt(n, 0);
			ck_assert_int_eq(memcmp(block, text, (size_t)n), 0);
			while (reads_all && (n = stream_read(s, block, sizeof block, &err)) > 0)
				;
			ck_assert_int_eq(err.kind, ERR_NONE);
			ck_assert_int_eq(stream_facts(s).is_stopped, reads_all);
			stream_close(s);
			close(in);
		}
	}
	unlink(fifo);
	rmdir(path);
}
END_TEST

/* With no open files allowed, poll() fails at once, with EINVAL. */
START_TEST(pipe_that_cannot_be_waited_for_is_an_error)
{
	struct waiter w = { .thread = pthread_self(), .stop_at = 5 };
	struct progress progress = { .tick = ask, .ctx = &w };
	struct error err = ERROR_INIT;
	char path[] = "/tmp/check_stream.XXXXXX", fifo[64], block[10];
	struct rlimit limit, none;
	struct stream *s;

	ck_assert_ptr_nonnull(mkdtemp(path));
	snprintf(fifo, sizeof fifo, "%s/fifo", path);
	ck_assert_int_eq(mkfifo(fifo, 0600), 0);
	s = stream_open(fifo, &progress, &err);
	ck_assert_ptr_nonnull(s);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	none = limit;
	none.rlim_cur = 0;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	ck_assert_int_eq(stream_read(s, block, sizeof block, &err), -1);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	ck_assert_int_eq(err.kind, ERR_IO);
	ck_assert_int_lt(w.asked, w.stop_at);
	stream_close(s);
	unlink(fifo);
	rmdir(path);
}
END_TEST

/* Progress counts all bytes of the file; its callback runs on the thread that reads. */
START_TEST(progress_counts_the_file)
{
	char path[] = "/tmp/check_stream.XXXXXX";
	size_t len;
	unsigned char *packed = gzip(&len);
	int fd = mkstemp(path);

	ck_assert_int_eq(write(fd, packed, len), (ptrdiff_t)len);
	close(fd);
	for (size_t i = 0; i < ARRAY_LEN(ahead_from); i++) {
		struct waiter w = { .thread = pthread_self(), .stop_at = INT32_MAX };
		struct progress progress = { .tick = ask, .ctx = &w };
		struct error err = ERROR_INIT;
		struct stream *s = stream_open(path, &progress, &err);
		struct buf out = { 0 };

		stream_set_ahead(s, ahead_from[i]);
		ck_assert(drain(s, 1000, &out, &err));
		ck_assert_uint_eq(out.len, TEXT_LEN);
		ck_assert_int_eq(progress.done, (int64_t)len);
		ck_assert_int_eq(progress.total, (int64_t)len);
		ck_assert_int_eq(stream_facts(s).file_bytes, (int64_t)len);
		ck_assert_int_ge(w.asked, 1);
		buf_done(&out);
		stream_close(s);
	}
	unlink(path);
	free(packed);
}
END_TEST

START_TEST(files_that_cannot_be_opened)
{
	struct error err = ERROR_INIT;

	ck_assert_ptr_null(stream_open("/nonexistent/x.cpuprofile", NULL, &err));
	ck_assert_int_eq(err.kind, ERR_IO);
	err = (struct error)ERROR_INIT;
	ck_assert_ptr_null(stream_open("/", NULL, &err));
	ck_assert_int_eq(err.kind, ERR_IO);
}
END_TEST

/* Descriptor 0 is one like any other where standard input was closed. */
START_TEST(a_file_may_have_descriptor_0)
{
	char path[] = "/tmp/flametty-check.XXXXXX";
	struct error err = ERROR_INIT;
	struct buf out = { 0 };
	struct stream *s;
	int saved = dup(STDIN_FILENO), fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "{}", 2), 2);
	close(fd);
	close(STDIN_FILENO);
	s = stream_open(path, NULL, &err);
	unlink(path);
	ck_assert_msg(s != NULL, "%s", err.text);
	ck_assert(drain(s, 100, &out, &err));
	ck_assert_str_eq(buf_text(&out), "{}");
	stream_close(s);
	/* It was the stream's own, so it is closed now. */
	ck_assert_int_eq(fcntl(STDIN_FILENO, F_GETFD), -1);
	if (saved >= 0) {
		dup2(saved, STDIN_FILENO);
		close(saved);
	}
	buf_done(&out);
}
END_TEST

#define LONG_LEN ((size_t)3 << 20)

/* A byte of the long file: different from those 256 KiB before, so that a stretch that was used
 * again too early is noticed. */
static unsigned char long_at(size_t i)
{
	return (unsigned char)(i == 0 ? '{' : 32 + (i * 31 + (i >> 18) * 7) % 90);
}

static void is_long_at(const unsigned char *at, size_t n, size_t offset)
{
	size_t i = 0;

	/* An assertion for each byte would take most of the time of the tests. */
	while (i < n && at[i] == long_at(offset + i))
		i++;
	ck_assert_uint_eq(i, n);
}

/* A long file. It is long from 256 KiB on. */
static struct stream *open_long(struct progress *progress)
{
	char path[] = "/tmp/flametty-check.XXXXXX";
	unsigned char *all = xmalloc(LONG_LEN);
	struct error err = ERROR_INIT;
	int fd = mkstemp(path);
	struct stream *s;

	for (size_t i = 0; i < LONG_LEN; i++)
		all[i] = long_at(i);
	ck_assert_int_eq(write(fd, all, LONG_LEN), (ssize_t)LONG_LEN);
	close(fd);
	free(all);
	s = stream_open(path, progress, &err);
	unlink(path);
	ck_assert_msg(s != NULL, "%s", err.text);
	stream_set_ahead(s, 1 << 18);
	return s;
}

/* The text of a long file lies in its page as in the file's, where copying is fast (read ahead,
 * stream.c), and stretches stay as long as stream.h says. */
START_TEST(long_file_goes_round_its_blocks)
{
	const unsigned char *given[(LONG_LEN >> 18) + 1] = { NULL };
	struct error err = ERROR_INIT;
	struct stream *s = open_long(NULL);
	unsigned char *at;
	int64_t before;
	size_t n_given = 0;
	ptrdiff_t n;

	/* The first bytes, which say the encoding and where the document is, are in a whole block,
	 * too. */
	ck_assert_int_eq(stream_next(s, NULL, 0, &at, &err), 1 << 18);
	is_long_at(at, 1 << 18, 0);
	given[n_given++] = at;
	while ((n = stream_next(s, NULL, 0, &at, &err)) > 0) {
		ck_assert_int_eq(n, 1 << 18);
		ck_assert_uint_eq((uintptr_t)at % 4096, 0);
		ck_assert_int_eq(stream_facts(s).file_bytes, (int64_t)(n_given + 1) << 18);
		ck_assert_uint_lt(n_given, ARRAY_LEN(given));
		given[n_given++] = at;
		for (size_t i = n_given < STREAM_STRETCHES ? 0 : n_given - STREAM_STRETCHES;
		     i < n_given; i++)
			is_long_at(given[i], (size_t)1 << 18, i << 18);
		/* Not before the end of the file. */
		before = alloc_bytes();
		stream_trim(s);
		if (n_given < LONG_LEN >> 18)
			ck_assert_int_eq(alloc_bytes(), before);
		else
			ck_assert(before < 0 || before - alloc_bytes() >= 5 << 18);
	}
	ck_assert_int_eq(n, 0);
	ck_assert_uint_eq(n_given, LONG_LEN >> 18);
	is_long_at(given[n_given - 1], (size_t)1 << 18, LONG_LEN - (1 << 18));
	ck_assert_int_eq(stream_next(s, given[n_given - 1], 100, &at, &err), 0);
	is_long_at(at - 100, 100, LONG_LEN - (1 << 18));
	stream_close(s);
}
END_TEST

/* What was read last is not given out, and does not count. */
START_TEST(long_file_is_cancelled_at_what_was_given)
{
	struct progress progress = { 0 };
	struct stream *s = open_long(&progress);
	struct error err = ERROR_INIT;
	unsigned char *at;
	int64_t given = 0;
	ptrdiff_t n;

	while ((n = stream_next(s, NULL, 0, &at, &err)) > 0) {
		given += n;
		progress.is_stopped = given == 4 << 18;
	}
	ck_assert_int_eq(n, 0);
	ck_assert(stream_facts(s).is_stopped);
	ck_assert_int_eq(given, 4 << 18);
	ck_assert_int_eq(stream_facts(s).file_bytes, given);
	stream_close(s);
}
END_TEST

struct helper {
	struct stream *s;
	pthread_t thread;
	atomic_bool is_over;
	atomic_int n_helped;
};

static void *help_stream(void *ctx)
{
	struct helper *h = ctx;

	while (!h->is_over)
		if (stream_help(h->s))
			h->n_helped++;
		else
			usleep(10);
	return NULL;
}

static void helper_start(struct helper *h, struct stream *s)
{
	h->s = s;
	ck_assert_int_eq(pthread_create(&h->thread, NULL, help_stream, h), 0);
}

static void helper_end(struct helper *h)
{
	h->is_over = true;
	pthread_join(h->thread, NULL);
}

/* Another thread reads what comes next, while the text is taken in both ways. */
START_TEST(long_file_is_read_with_help)
{
	struct fingerprint alone = { 0 }, print = { 0 };
	struct error err = ERROR_INIT;
	int n_helped = 0;

	for (int run = 0; run < 20; run++) {
		struct progress progress = { 0 };
		struct stream *s = open_long(&progress);
		struct helper h = { .is_over = false };
		unsigned char *at, some[5000];
		size_t given = 0, last = 0;
		ptrdiff_t n = 1;

		while (n > 0) {
			size_t kept = last < 50 ? last : 50;

			/* Once it is long, which the owner finds out. */
			if (run > 0 && given > 1 << 19 && !h.s)
				helper_start(&h, s);
			if (run % 2 && given % 3 == 0) {
				n = stream_read(s, some, 1 + given % sizeof some, &err);
				at = some;
			} else {
				n = stream_next(s, last ? at + last - kept : NULL, kept, &at, &err);
				is_long_at(at - kept, kept, given - kept);
			}
			ck_assert_int_ge(n, 0);
			is_long_at(at, (size_t)n, given);
			given += (size_t)n;
			last = at == some ? 0 : (size_t)n;
			ck_assert_int_ge(stream_facts(s).file_bytes, (int64_t)given);
			stream_trim(s);
		}
		if (h.s)
			helper_end(&h);
		n_helped += h.n_helped;
		ck_assert_uint_eq(given, LONG_LEN);
		ck_assert_int_eq(progress.done, LONG_LEN);
		ck_assert_int_eq(err.kind, ERR_NONE);
		stream_take_fingerprint(s, run ? &print : &alone);
		ck_assert_int_eq(alone.n_bytes, LONG_LEN);
		if (run) {
			ck_assert_uint_eq(print.n_sums, alone.n_sums);
			ck_assert_int_eq(
				memcmp(print.sums, alone.sums, alone.n_sums * sizeof *alone.sums),
				0);
			fingerprint_done(&print);
		}
		stream_close(s);
	}
	ck_assert_int_gt(n_helped, 0);
	fingerprint_done(&alone);
}
END_TEST

/* Blocks that are ready are not given out after the user has cancelled. */
START_TEST(long_file_with_help_is_cancelled_at_what_was_given)
{
	for (int run = 0; run < 20; run++) {
		struct progress progress = { 0 };
		struct stream *s = open_long(&progress);
		struct error err = ERROR_INIT;
		struct helper h = { .is_over = false };
		unsigned char *at;
		int64_t given = 0;
		ptrdiff_t n;

		while ((n = stream_next(s, NULL, 0, &at, &err)) > 0) {
			given += n;
			if (given == 2 << 18)
				helper_start(&h, s);
			if (given == 4 << 18) {
				usleep((useconds_t)run * 50);
				progress.is_stopped = true;
				progress.is_given_up = run % 2;
			}
		}
		ck_assert_int_eq(n, run % 2 ? -1 : 0);
		ck_assert_int_eq(err.kind, run % 2 ? ERR_CANCELLED : ERR_NONE);
		helper_end(&h);
		ck_assert(stream_facts(s).is_stopped);
		ck_assert_int_eq(given, 4 << 18);
		ck_assert_int_eq(stream_facts(s).file_bytes, given);
		stream_close(s);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "stream", 120);

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, plain);
	tcase_add_test(t, gzip_is_unpacked);
	tcase_add_test(t, gzip_cut_off_keeps_its_beginning);
	tcase_add_loop_test(t, bomb_is_above_its_limit_and_ratio, 0, N(bomb_cases));
#ifdef HAVE_LZ4
	tcase_add_loop_test(t, lz4_is_unpacked, 0, (int)ARRAY_LEN(lz4_sizes));
	tcase_add_test(t, lz4_frames_in_a_row_are_one_text);
	tcase_add_test(t, lz4_checksums_are_checked);
	tcase_add_loop_test(t, lz4_block_that_is_cut_off_keeps_its_beginning, 0,
			    (int)ARRAY_LEN(lz4_sizes));
#else
	tcase_add_test(t, lz4_needs_the_library);
#endif
#ifdef HAVE_ZSTD
	tcase_add_test(t, zstd_is_unpacked);
	tcase_add_loop_test(t, zstd_windows_above_128_mb_are_read_if_wanted, 0, ARRAY_LEN(windows));
#endif
	tcase_add_loop_test(t, encodings, 0, N(encoded));
	tcase_add_test(t, utf32_is_refused);
	tcase_add_test(t, fails_at_its_byte);
	tcase_add_test(t, next_keeps_what_is_asked);
	tcase_add_test(t, trimmed_stream_goes_on);
	tcase_add_test(t, closed_early);
	tcase_add_test(t, quiet_pipe_is_given_up);
	tcase_add_test(t, pipe_that_cannot_be_waited_for_is_an_error);
	tcase_add_test(t, progress_counts_the_file);
	tcase_add_test(t, files_that_cannot_be_opened);
	tcase_add_test(t, a_file_may_have_descriptor_0);
	tcase_add_test(t, long_file_goes_round_its_blocks);
	tcase_add_test(t, long_file_is_cancelled_at_what_was_given);
	tcase_add_test(t, long_file_is_read_with_help);
	tcase_add_test(t, long_file_with_help_is_cancelled_at_what_was_given);
}

int main(void)
{
	return suite_run("stream", add_tests);
}
