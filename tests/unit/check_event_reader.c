/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events that are read on threads: when they come, and that nothing waits for a file that does not
 * answer. Such a file is a hole of many gigabytes: reading up to an event at its end takes long. */
#include "config.h"

#include "file_print.h"
#include "base/thread.h"
#include "temp_folder.h"
#include "trace_story.h"

#include "base/clock.h"
#include "base/units.h"
#include "read/trace/event_reader.h"

#include <time.h>

#define HOLE (INT64_C(1) << 40)
#define SOON_NS (2 * NS_PER_S) /* generous: a thread that is abandoned stops within 20 ms */

static char path[300];
static struct profile *profile;
static struct jobs *reader;

/* A profile whose input is the file. */
/* Of a trace: otherwise the hole is looked through for one. */
#define BEGIN "[{\"ph\":\"i\"},"

static void setup(void)
{
	temp_folder_make();
	temp_folder_path(path, sizeof path, "trace.json");
	profile = load("[" X("a", 1, 8) "," X("b", 2, 5) "]");
	profile->inputs[0].path = intern_adds(&profile->strings, path);
	reader = event_reader_new();
}

static void teardown(void)
{
	jobs_free(reader);
	profile_free(profile);
	temp_folder_remove();
}

static void put_file(const char *text)
{
	file_write(path, text, strlen(text));
	fingerprint_done(&profile->inputs[0].print);
	profile->inputs[0].print = file_print(path);
}

/* Returns false if no file can be so large here. */
static bool put_hole(void)
{
	struct stat st;

	file_write(path, BEGIN, strlen(BEGIN));
	if (truncate(path, (off_t)HOLE) != 0 || stat(path, &st) != 0)
		return false;
	fingerprint_done(&profile->inputs[0].print);
	fingerprint_begin(&profile->inputs[0].print, &st);
	return true;
}

static bool ask(int64_t offset, struct buf *out, struct buf *stacks)
{
	return event_reader_read(reader, profile, 0, offset, out, stacks);
}

static void pause_ms(int ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000L }, NULL);
}

/* Ask until the text is there. */
static void wait_for(int64_t offset, struct buf *out, struct buf *stacks)
{
	int64_t from = clock_ns();

	while (!ask(offset, out, stacks)) {
		ck_assert_uint_eq(out->len, 0);
		ck_assert_int_lt(clock_ns() - from, 20 * NS_PER_S);
		pause_ms(1);
	}
}

static void wait_until_idle(void)
{
	int64_t from = clock_ns();

	while (jobs_are_busy(reader)) {
		ck_assert_int_lt(clock_ns() - from, SOON_NS);
		pause_ms(1);
	}
}

START_TEST(text_comes_and_stays_until_it_is_forgotten)
{
	struct buf out = { 0 }, id = { 0 }, expect = { 0 }, again = { 0 };

	put_file("[{\"a\":1,\"sf\":7},{\"b\":2}]");
	event_read(NULL, profile, 0, 1, &expect, NULL);
	wait_for(1, &out, &id);
	ck_assert_str_eq(buf_text(&out), buf_text(&expect));
	ck_assert_uint_gt(id.len, 0);
	ck_assert_ptr_nonnull(memmem(id.data, id.len, "=7", 2));
	buf_clear(&out);
	wait_for(16, &out, NULL);
	ck_assert_ptr_nonnull(strstr(buf_text(&out), "\"b\": 2"));
	unlink(path);
	ck_assert(ask(1, &again, NULL));
	ck_assert_str_eq(buf_text(&again), buf_text(&expect));
	jobs_forget(reader);
	buf_clear(&out);
	wait_for(1, &out, NULL);
	ck_assert_ptr_nonnull(strstr(buf_text(&out), "cannot be read again: cannot open"));
	wait_until_idle();
	buf_done(&out);
	buf_done(&id);
	buf_done(&again);
	buf_done(&expect);
}
END_TEST

START_TEST(fifo_in_place_of_the_file_is_an_error_text)
{
	struct buf out = { 0 };

	put_file("[{\"a\":1}]");
	file_make_fifo(path);
	wait_for(1, &out, NULL);
	ck_assert_str_eq(buf_text(&out),
			 "cannot be read again: the file has changed since it was read\n");
	buf_done(&out);
}
END_TEST

START_TEST(asking_does_not_wait_for_the_file)
{
	struct buf out = { 0 };
	int64_t from;

	if (!put_hole())
		return;
	from = clock_ns();
	for (int i = 0; i < 20; i++)
		ck_assert(!ask(HOLE - 10 + i % 8, &out, NULL));
	ck_assert_int_lt(clock_ns() - from, SOON_NS);
	ck_assert(jobs_are_busy(reader));
	ck_assert_uint_eq(out.len, 0);
	jobs_forget(reader);
	wait_until_idle();
}
END_TEST

/* As many as may run are busy with events that were asked for before. */
START_TEST(event_is_read_when_others_were_abandoned)
{
	struct buf out = { 0 };

	if (!put_hole())
		return;
	for (int i = 0; i < 10; i++) {
		ck_assert(!ask(HOLE - 10, &out, NULL));
		jobs_forget(reader);
	}
	put_file("[{\"a\":1}]");
	wait_for(1, &out, NULL);
	ck_assert_ptr_nonnull(strstr(buf_text(&out), "\"a\": 1"));
	buf_done(&out);
}
END_TEST

/* Threads outlive the reader and the profile. */
START_TEST(freeing_does_not_wait_for_the_file)
{
	struct buf out = { 0 };
	int64_t from;

	if (!put_hole())
		return;
	ck_assert(!ask(HOLE - 10, &out, NULL));
	from = clock_ns();
	jobs_free(reader);
	profile_free(profile);
	ck_assert_int_lt(clock_ns() - from, SOON_NS);
	reader = NULL;
	profile = NULL;
	/* So that a sanitizer finds nothing that is still in use. */
	pause_ms(300);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, text_comes_and_stays_until_it_is_forgotten);
	tcase_add_test(t, fifo_in_place_of_the_file_is_an_error_text);
	tcase_add_test(t, asking_does_not_wait_for_the_file);
	tcase_add_test(t, event_is_read_when_others_were_abandoned);
	tcase_add_test(t, freeing_does_not_wait_for_the_file);
}

int main(void)
{
	return suite_run("event_reader", add_tests);
}
