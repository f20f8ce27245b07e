/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a file is still the one that was read: checksums of its bytes, and how streams that read
 * it again use them. */
#include "config.h"

#include "file_print.h"
#include "suite.h"
#include "temp_folder.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <errno.h>
#include <zlib.h>

#define BLOCK ((int64_t)FINGERPRINT_BLOCK)
#define LEN (2 * BLOCK + 70000)

static char path[300];
static char *text; /* LEN bytes that a compressor cannot shorten by much */

static void make(void)
{
	uint64_t x = 88172645463325252u;

	temp_folder_make();
	temp_folder_path(path, sizeof path, "input");
	text = xcalloc((size_t)LEN + 64, 1);
	for (int64_t i = 0; i < LEN; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		text[i] = (char)(' ' + x % 90);
	}
	file_write(path, text, (size_t)LEN);
}

static void done(void)
{
	free(text);
	temp_folder_remove();
}

static struct fingerprint begun(void)
{
	struct fingerprint f = { 0 };

	fingerprint_begin(&f, &(struct stat){ .st_mode = S_IFREG });
	return f;
}

/* ---- checksums ---- */

/* However the bytes are divided between calls, and wherever the reading before ended. */
START_TEST(checksum_is_of_the_bytes_alone)
{
	static const size_t steps[] = { 1, 7, 63, 64, 65, 4096, FINGERPRINT_BLOCK + 1 };
	static const int64_t lens[] = { 0,         1,     63,        64,        65, 1000,
					BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, LEN };

	for (size_t l = 0; l < ARRAY_LEN(lens); l++) {
		struct fingerprint before = begun();

		ck_assert(fingerprint_add(&before, NULL, text, (size_t)lens[l]));
		fingerprint_end(&before);
		/* Small steps are for small files, or a sanitizer takes minutes. */
		for (size_t i = lens[l] > 1000 ? 5 : 0; i < ARRAY_LEN(steps); i++) {
			struct fingerprint now = begun();
			size_t all = (size_t)lens[l] + 100 < (size_t)LEN ? (size_t)lens[l] + 100
									 : (size_t)LEN;

			for (size_t at = 0; at < all; at += steps[i]) {
				size_t n = all - at;

				ck_assert(fingerprint_add(&now, &before, text + at,
							  n < steps[i] ? n : steps[i]));
			}
			ck_assert(fingerprint_is_compared(&now, &before));
			ck_assert_int_eq(now.n_bytes, (int64_t)all);
			fingerprint_done(&now);
		}
		fingerprint_done(&before);
	}
}
END_TEST

static bool finds_change(const struct fingerprint *before, int64_t at, int bit)
{
	struct fingerprint now = begun();
	bool is_same;

	text[at] = (char)(text[at] ^ 1 << bit);
	is_same = fingerprint_add(&now, before, text, (size_t)before->n_bytes + 64);
	text[at] = (char)(text[at] ^ 1 << bit);
	fingerprint_done(&now);
	return !is_same;
}

START_TEST(every_changed_bit_is_found)
{
	static const int64_t ends[] = { 1, 8, 63, 64, 200, BLOCK, BLOCK + 100, LEN };

	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		struct fingerprint before = begun();

		fingerprint_add(&before, NULL, text, (size_t)ends[i]);
		fingerprint_end(&before);
		for (int64_t back = 1; back <= 66 && back <= ends[i]; back++)
			ck_assert(finds_change(&before, ends[i] - back, (int)back % 8));
		ck_assert(finds_change(&before, 0, 7));
		/* What was not read at first is not known to have changed. */
		if (ends[i] < LEN)
			ck_assert(!finds_change(&before, ends[i], 0));
		fingerprint_done(&before);
	}
}
END_TEST

/* Equal changes at two places do not cancel each other, nor do words that change places. */
START_TEST(changes_at_two_places_are_found)
{
	struct fingerprint before = begun();

	fingerprint_add(&before, NULL, text, 10000);
	fingerprint_end(&before);
	for (size_t apart = 8; apart <= 4096; apart += 8) {
		struct fingerprint now = begun();
		char *a = text + 1000, *b = a + apart, word[8];

		memcpy(word, a, 8);
		memcpy(a, b, 8);
		memcpy(b, word, 8);
		ck_assert(!fingerprint_add(&now, &before, text, 10000));
		memcpy(b, a, 8);
		memcpy(a, word, 8);
		fingerprint_done(&now);
	}
	fingerprint_done(&before);
}
END_TEST

START_TEST(identity_is_device_inode_size_and_time)
{
	struct stat st = { .st_mode = S_IFREG, .st_dev = 1, .st_ino = 2, .st_size = 3 }, other;
	struct fingerprint f = { 0 }, none = { 0 };

	fingerprint_begin(&f, &st);
	ck_assert(fingerprint_is_of(&f, &st));
	ck_assert(!fingerprint_is_of(&none, &st));
	other = st, other.st_dev++;
	ck_assert(!fingerprint_is_of(&f, &other));
	other = st, other.st_ino++;
	ck_assert(!fingerprint_is_of(&f, &other));
	other = st, other.st_size++;
	ck_assert(!fingerprint_is_of(&f, &other));
	other = st, other.st_mtim.tv_sec++;
	ck_assert(!fingerprint_is_of(&f, &other));
	other = st, other.st_mtim.tv_nsec++;
	ck_assert(!fingerprint_is_of(&f, &other));
	other = st, other.st_mode = S_IFIFO;
	ck_assert(!fingerprint_is_of(&f, &other));
	fingerprint_begin(&none, &other);
	ck_assert(!none.is_known);
}
END_TEST

/* ---- streams ---- */

/* Read `most` bytes of the file again. Returns the error; NULL: there was none. */
static const char *read_again(const struct fingerprint *before, int64_t most, size_t ahead)
{
	static struct error err;
	static char block[5000];
	struct stream *s;
	ptrdiff_t n = 1;

	err = (struct error)ERROR_INIT;
	s = stream_open_again(path, before, NULL, &err);
	if (!s)
		return err.text;
	stream_set_ahead(s, ahead);
	for (; n > 0 && most > 0; most -= n)
		n = stream_read(s, block, most < 5000 ? (size_t)most : sizeof block, &err);
	ck_assert_int_eq(n < 0, err.kind != ERR_NONE);
	ck_assert(stream_compare(s, &err) || err.kind != ERR_NONE);
	stream_close(s);
	return err.kind == ERR_NONE ? NULL : err.text;
}

static void ck_again(const struct fingerprint *before, int64_t most, const char *expect)
{
	/* A short text, one that is read ahead, one that the caller reads. */
	static const size_t ahead[] = { SIZE_MAX, 0, 1 };

	for (size_t i = 0; i < ARRAY_LEN(ahead); i++) {
		const char *why = read_again(before, most, ahead[i]);

		ck_assert_msg(expect ? why && strstr(why, expect) : !why, "%lld bytes: %s",
			      (long long)most, why ? why : "no error");
	}
}

START_TEST(unchanged_file_is_read_again)
{
	struct fingerprint print = file_print(path);

	ck_assert(print.is_known);
	ck_assert_int_eq(print.n_bytes, LEN);
	for (int64_t most = 100; most <= LEN + 5000; most += LEN / 5)
		ck_again(&print, most, NULL);
	fingerprint_done(&print);
}
END_TEST

#define CHANGED "has changed since it was read"

START_TEST(file_that_is_gone_is_not_read_again)
{
	struct fingerprint print = file_print(path);

	unlink(path);
	ck_again(&print, LEN, "No such file");
	ck_assert_int_eq(mkdir(path, 0700), 0);
	ck_again(&print, LEN, CHANGED);
	fingerprint_done(&print);
}
END_TEST

START_TEST(file_that_is_cut_off_is_not_read_again)
{
	struct fingerprint print = file_print(path);

	ck_assert_int_eq(truncate(path, (off_t)BLOCK), 0);
	ck_again(&print, 100, CHANGED);
	fingerprint_done(&print);
}
END_TEST

/* The file becomes shorter after it was opened again. */
START_TEST(file_that_is_cut_off_meanwhile_is_an_error)
{
	struct fingerprint print = file_print(path);
	struct error err = ERROR_INIT;
	struct stream *s = stream_open_again(path, &print, NULL, &err);
	static char block[1 << 16];
	ptrdiff_t n;

	ck_assert(s != NULL);
	ck_assert_int_eq(truncate(path, (off_t)BLOCK), 0);
	while ((n = stream_read(s, block, sizeof block, &err)) > 0)
		;
	ck_assert_int_eq(n, -1);
	ck_assert_str_eq(err.text, "the file " CHANGED);
	stream_close(s);
	fingerprint_done(&print);
}
END_TEST

START_TEST(file_that_another_replaced_is_not_read_again)
{
	struct fingerprint print = file_print(path);

	file_replace(path, text, (size_t)LEN);
	ck_again(&print, 100, CHANGED);
	fingerprint_done(&print);
}
END_TEST

/* Wherever the change is in the blocks that are read; elsewhere it does not matter. */
START_TEST(bytes_written_in_place_are_found_though_the_time_is_put_back)
{
	static const int64_t places[] = { 0, 99, BLOCK - 1, BLOCK, 2 * BLOCK + 5, LEN - 1 };

	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		struct fingerprint print = file_print(path);
		int64_t at = places[i];
		char was = text[at];

		file_overwrite(path, at, was == 'x' ? "y" : "x", 1);
		ck_again(&print, LEN, CHANGED);
		ck_again(&print, at + 1, CHANGED);
		if (at < BLOCK)
			ck_again(&print, 50, CHANGED);
		else if (at > 2 * BLOCK)
			ck_again(&print, 50, NULL);
		file_overwrite(path, at, &was, 1);
		ck_again(&print, LEN, NULL);
		fingerprint_done(&print);
	}
}
END_TEST

START_TEST(compressed_file_is_compared_as_it_is_stored)
{
	gzFile file = gzopen(path, "w1");
	struct fingerprint print;
	struct stat st;

	ck_assert_int_eq(gzwrite(file, text, (unsigned)LEN), (int)LEN);
	ck_assert_int_eq(gzclose(file), Z_OK);
	print = file_print(path);
	ck_again(&print, LEN, NULL);
	/* The time in the header, which no decompressor looks at. */
	file_overwrite(path, 4, "\1", 1);
	ck_again(&print, 1000, CHANGED);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(print.n_bytes, st.st_size);
	fingerprint_done(&print);
}
END_TEST

/* Opening a FIFO would wait for a writer. A hang ends this test. */
START_TEST(fifo_in_place_of_the_file_does_not_block)
{
	struct fingerprint print = file_print(path);

	file_make_fifo(path);
	ck_again(&print, 100, CHANGED);
	fingerprint_done(&print);
}
END_TEST

START_TEST(pipe_and_standard_input_are_not_read_again)
{
	struct fingerprint print = { 0 };

	ck_again(&print, 100, "a second time");
}
END_TEST

/* Address 0 of the program cannot be read. */
START_TEST(failing_read_is_an_error)
{
	struct fingerprint print = { 0 };
	struct stat st;

	ck_assert_int_lt(snprintf(path, sizeof path, "/proc/self/mem"), (int)sizeof path);
	if (stat(path, &st) != 0)
		return;
	fingerprint_begin(&print, &st);
	ck_again(&print, 100, strerror(EIO));
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "fingerprint", 120);

	tcase_add_checked_fixture(t, make, done);
	tcase_add_test(t, checksum_is_of_the_bytes_alone);
	tcase_add_test(t, every_changed_bit_is_found);
	tcase_add_test(t, changes_at_two_places_are_found);
	tcase_add_test(t, identity_is_device_inode_size_and_time);
	tcase_add_test(t, unchanged_file_is_read_again);
	tcase_add_test(t, file_that_is_gone_is_not_read_again);
	tcase_add_test(t, file_that_is_cut_off_is_not_read_again);
	tcase_add_test(t, file_that_is_cut_off_meanwhile_is_an_error);
	tcase_add_test(t, file_that_another_replaced_is_not_read_again);
	tcase_add_test(t, bytes_written_in_place_are_found_though_the_time_is_put_back);
	tcase_add_test(t, compressed_file_is_compared_as_it_is_stored);
	tcase_add_test(t, fifo_in_place_of_the_file_does_not_block);
	tcase_add_test(t, pipe_and_standard_input_are_not_read_again);
	tcase_add_test(t, failing_read_is_an_error);
}

int main(void)
{
	return suite_run("fingerprint", add_tests);
}
