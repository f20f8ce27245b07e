/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of objects that are taken apart on one thread and kept on another. */
#include "config.h"

#include "base/json/list_walk.h"

#include "suite.h"

#include "base/buf.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Element i of a list is an object, array or number whose inside is the letter of i. */
struct keeper {
	struct scan s;
	struct error err;
	struct stream *stream;
	struct str raw[LIST_WALK_BATCHES][LIST_WALK_MAX];
	size_t n_kept, n_read, fail_at;
	pthread_t walker;
	bool is_elsewhere; /* an object was kept on another thread */
	int delay_us;
	bool is_file; /* the text comes from a file */
};

static char letter_of(size_t i)
{
	return (char)('a' + i % 26);
}

/* An assertion for each byte would take most of the time of the tests. */
static void check_element(struct keeper *k, struct str raw)
{
	char letter = letter_of(k->n_kept);

	for (size_t i = 1; i + 1 < raw.len; i++)
		if (raw.p[i] != letter && raw.p[i] != '"')
			ck_abort_msg("element %zu, byte %zu is '%c'", k->n_kept, i, raw.p[i]);
	k->n_kept++;
}

static enum list_walk_taken take(void *ctx, unsigned b, size_t i, struct cursor *c, int64_t offset)
{
	struct keeper *k = ctx;

	(void)offset;
	if (!cursor_raw(c, &k->raw[b][i]))
		return c->is_cut ? LIST_WALK_CUT : LIST_WALK_ODD;
	return LIST_WALK_TAKEN;
}

static bool keep(void *ctx, unsigned b, size_t n)
{
	struct keeper *k = ctx;

	usleep((useconds_t)k->delay_us);
	k->is_elsewhere |= !pthread_equal(pthread_self(), k->walker);
	for (size_t i = 0; i < n; i++) {
		if (k->n_kept == k->fail_at)
			return error_set(&k->err, ERR_FORMAT, 77, "cannot be kept");
		check_element(k, k->raw[b][i]);
	}
	return true;
}

static bool read_element(void *ctx)
{
	struct keeper *k = ctx;
	struct str raw;

	if (!scan_raw(&k->s, (size_t)1 << 24, &raw))
		return false;
	check_element(k, raw);
	k->n_read++;
	return true;
}

static struct stream *open_as_file(const struct buf *text)
{
	char path[] = "/tmp/flametty-check.XXXXXX";
	struct error err = ERROR_INIT;
	struct stream *s;
	int fd = mkstemp(path);

	ck_assert_int_eq(write(fd, text->data, text->len), (ssize_t)text->len);
	close(fd);
	s = stream_open(path, NULL, &err);
	unlink(path);
	ck_assert_msg(s != NULL, "%s", err.text);
	return s;
}

/* Walk over a list in `text`, which fails to be read behind `fail_at` bytes; with two threads from
 * `ahead` bytes on. */
static bool walk(struct keeper *k, const struct buf *text, size_t fail_at, size_t ahead)
{
	struct list_walk list = { .s = &k->s,
				  .take = take,
				  .keep = keep,
				  .read = read_element,
				  .ctx = k };
	bool ok;

	k->err = (struct error)ERROR_INIT;
	k->walker = pthread_self();
	k->stream = k->is_file ? open_as_file(text)
			       : stream_open_memory(text->data, text->len, fail_at);
	stream_set_ahead(k->stream, ahead);
	scan_init(&k->s, k->stream, &k->err);
	ok = scan_open(&k->s, '[') && list_walk(&list);
	scan_done(&k->s);
	stream_close(k->stream);
	return ok;
}

static void add_element(struct buf *text, size_t i, char open, size_t len)
{
	buf_adds(text, i ? "," : "[");
	buf_addc(text, open);
	buf_addc(text, '"');
	for (size_t k = 0; k < len; k++)
		buf_addc(text, letter_of(i));
	buf_addc(text, '"');
	buf_addc(text, open == '{' ? '}' : ']');
}

static const struct list_case {
	size_t n, len, odd_every;
} list_cases[] = {
	{ 0, 0, 0 },       { 1, 10, 0 },      { 30000, 30, 0 }, { 30000, 30, 100 },
	{ 3000, 1000, 7 }, { 12000, 300, 0 }, /* batches in all stretches that are kept */
};

START_TEST(elements_are_kept_once_in_order)
{
	const struct list_case *c = &list_cases[_i];
	static struct keeper k;
	struct buf text = { 0 };

	for (size_t i = 0; i < c->n; i++)
		add_element(&text, i, c->odd_every && i % c->odd_every == 3 ? '[' : '{', c->len);
	buf_adds(&text, c->n ? "]" : "[]");
	/* On one thread; with text that a third one reads; with text that the first one reads. */
	for (int mode = 0; mode < 3; mode++) {
		memset(&k, 0, sizeof k);
		k.fail_at = SIZE_MAX;
		k.delay_us = mode > 0 ? 100 : 0;
		k.is_file = mode == 2;
		ck_assert(walk(&k, &text, SIZE_MAX, mode == 0 ? SIZE_MAX : mode == 1 ? 0 : 1));
		ck_assert_uint_eq(k.n_kept, c->n);
		ck_assert(k.is_elsewhere || mode == 0 || c->n < 1000);
		if (c->odd_every)
			ck_assert_uint_ge(k.n_read, c->n / c->odd_every);
	}
	buf_done(&text);
}
END_TEST

/* Many short lists in a long text would otherwise start a thread each. */
START_TEST(short_list_in_a_long_text_starts_no_thread)
{
	static const struct {
		size_t n;
		bool is_elsewhere;
	} lists[] = { { 400, false }, { 4000, true } };
	static struct keeper k;
	struct buf text = { 0 };

	for (size_t i = 0; i < 30000; i++)
		buf_adds(&text, "                              ");
	for (size_t i = 0; i < lists[_i].n; i++)
		add_element(&text, i, '{', 30);
	buf_addc(&text, ']');
	memset(&k, 0, sizeof k);
	k.fail_at = SIZE_MAX;
	ck_assert(walk(&k, &text, SIZE_MAX, 100000));
	ck_assert_uint_eq(k.n_kept, lists[_i].n);
	ck_assert(k.is_elsewhere == lists[_i].is_elsewhere);
	buf_done(&text);
}
END_TEST

/* Objects longer than the stream keeps of a stretch are read by the scanner, after all batches were
 * kept: its own buffer would move below them. */
START_TEST(objects_longer_than_is_kept_do_not_move_batches)
{
	static struct keeper k;
	struct buf text = { 0 };

	for (size_t i = 0; i < 400; i++)
		add_element(&text, i, '{', 2 * STREAM_KEPT + i * 50);
	buf_addc(&text, ']');
	memset(&k, 0, sizeof k);
	k.fail_at = SIZE_MAX;
	k.delay_us = 2000;
	ck_assert(walk(&k, &text, SIZE_MAX, 0));
	ck_assert_uint_eq(k.n_kept, 400);
	ck_assert_uint_gt(k.n_read, 0);
	buf_done(&text);
}
END_TEST

/* The file cannot be read behind the batch that cannot be kept: what comes first in the file is
 * reported, although the scanner failed first. */
START_TEST(failure_to_keep_comes_before_a_later_failure_to_read)
{
	static struct keeper k;
	struct buf text = { 0 };

	for (size_t i = 0; i < 40000; i++)
		add_element(&text, i, '{', 30);
	buf_addc(&text, ']');
	for (int threads = 0; threads < 2; threads++) {
		memset(&k, 0, sizeof k);
		k.fail_at = 500;
		k.delay_us = 50000;
		ck_assert(!walk(&k, &text, 100000, threads ? 0 : SIZE_MAX));
		ck_assert_int_eq(k.err.kind, ERR_FORMAT);
		ck_assert_int_eq(k.err.offset, 77);
		ck_assert_uint_eq(k.n_kept, 500);
		ck_assert(!k.s.is_cut);
	}
	buf_done(&text);
}
END_TEST

START_TEST(failure_to_read_keeps_what_came_before)
{
	static struct keeper k;
	struct buf text = { 0 };

	for (size_t i = 0; i < 40000; i++)
		add_element(&text, i, '{', 30);
	for (int threads = 0; threads < 2; threads++) {
		memset(&k, 0, sizeof k);
		k.fail_at = SIZE_MAX;
		ck_assert(!walk(&k, &text, 700000, threads ? 0 : SIZE_MAX));
		ck_assert_int_eq(k.err.kind, ERR_IO);
		ck_assert_uint_ge(k.n_kept, 700000 / 36);
		ck_assert_uint_le(k.n_kept, 700000 / 34);
	}
	buf_done(&text);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "list_walk", SUITE_SECONDS);

	tcase_add_loop_test(t, elements_are_kept_once_in_order, 0, N(list_cases));
	tcase_add_loop_test(t, short_list_in_a_long_text_starts_no_thread, 0, 2);
	tcase_add_test(t, objects_longer_than_is_kept_do_not_move_batches);
	tcase_add_test(t, failure_to_keep_comes_before_a_later_failure_to_read);
	tcase_add_test(t, failure_to_read_keeps_what_came_before);
}

int main(void)
{
	return suite_run("list_walk", add_tests);
}
