/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When previews are read, and who owns them. The test stands for the loader: it reports how far
 * that is. */
#include "config.h"

#include "read/load/load.c"

#include "suite.h"
#include "temp_folder.h"

#include <sys/stat.h>
#include <time.h>

/* Streams read by the block, so steps must be larger than those. */
#define STEP INT64_C(1100000)
#define FILE_BYTES (8 * 5 * STEP)
#define EVENT_BYTES 64 /* at most */

static char path[300];
static atomic_bool has_begun;
static struct preview *preview;
static struct fingerprint file; /* the identity of the file */

static void make_file(void)
{
	FILE *out;
	struct stat st;

	temp_folder_make();
	temp_folder_path(path, sizeof path, "trace.json");
	out = fopen(path, "w");
	ck_assert(out != NULL);
	fputc('[', out);
	for (int i = 0; ftell(out) < FILE_BYTES; i++)
		fprintf(out,
			"%s{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":1}",
			i ? "," : "", i * 2);
	fputc(']', out);
	ck_assert_int_eq(fclose(out), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	fingerprint_begin(&file, &st);
}

static void start(void)
{
	atomic_store(&has_begun, false);
	preview = preview_new(&(
		struct preview_options){ .path = path, .first_ns = 1000, .has_begun = &has_begun });
	ck_assert(preview != NULL);
}

static void stop(void)
{
	preview_free(preview);
}

static void report(int64_t done, int64_t elapsed_ns)
{
	preview_progress(
		preview,
		&(struct progress){ .done = done, .total = FILE_BYTES, .elapsed_ns = elapsed_ns },
		&file);
}

/* The next preview, within that number of hundredths of a second; NULL: none came. */
static struct profile *wait_for(int n)
{
	struct profile *p = NULL;

	for (int i = 0; i < n && !p; i++) {
		p = preview_take(preview);
		if (!p)
			nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	}
	return p;
}

START_TEST(no_preview_before_a_sample_and_the_first_time)
{
	struct profile *p;

	report(STEP, 5000);
	ck_assert_ptr_null(wait_for(10));
	atomic_store(&has_begun, true);
	report(STEP, 999);
	ck_assert_ptr_null(wait_for(10));
	report(STEP, 1000);
	p = wait_for(1000);
	ck_assert(p != NULL);
	preview_give_back(preview, p);
}
END_TEST

/* A preview holds about what the loader has read, and the next one is four times as large. */
START_TEST(previews_are_read_when_four_times_as_much_is_loaded)
{
	struct profile *first, *second;

	atomic_store(&has_begun, true);
	report(STEP, 5000);
	first = wait_for(1000);
	ck_assert(first != NULL);
	report(4 * STEP - 1, 5000);
	ck_assert_ptr_null(wait_for(10));
	report(4 * STEP, 5000);
	second = wait_for(1000);
	ck_assert(second != NULL);
	ck_assert_uint_ge(first->lanes[0].slices.n, STEP / EVENT_BYTES);
	ck_assert_uint_ge(second->lanes[0].slices.n, 4 * STEP / EVENT_BYTES);
	preview_give_back(preview, first);
	preview_give_back(preview, second);
}
END_TEST

START_TEST(no_preview_behind_an_eighth_of_the_file)
{
	atomic_store(&has_begun, true);
	report(FILE_BYTES / 8 + 1, 5000);
	ck_assert_ptr_null(wait_for(10));
}
END_TEST

START_TEST(no_preview_after_the_end)
{
	atomic_store(&has_begun, true);
	preview_end(preview);
	report(STEP, 5000);
	ck_assert_ptr_null(wait_for(10));
}
END_TEST

/* What was not taken, or was given back, is freed (a sanitizer sees it). */
START_TEST(profiles_are_freed_wherever_they_are)
{
	atomic_store(&has_begun, true);
	report(STEP, 5000);
	preview_give_back(preview, wait_for(1000));
	report(4 * STEP, 5000);
	preview_give_back(preview, wait_for(1));
}
END_TEST

/* The file that the loader reads has another one, or a FIFO, in its place. */
START_TEST(no_preview_of_another_file)
{
	struct fingerprint was = file;

	file.inode++;
	atomic_store(&has_begun, true);
	report(STEP, 5000);
	ck_assert_ptr_null(wait_for(10));
	file = (struct fingerprint){ 0 };
	report(4 * STEP, 5000);
	ck_assert_ptr_null(wait_for(10));
	file = was;
}
END_TEST

START_TEST(nothing_is_a_preview)
{
	preview_progress(NULL, &(struct progress){ .done = 1 }, &file);
	preview_end(NULL);
	ck_assert_ptr_null(preview_take(NULL));
	preview_give_back(NULL, NULL);
	preview_free(NULL);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_unchecked_fixture(t, make_file, temp_folder_remove);
	tcase_add_checked_fixture(t, start, stop);
	tcase_add_test(t, no_preview_before_a_sample_and_the_first_time);
	tcase_add_test(t, previews_are_read_when_four_times_as_much_is_loaded);
	tcase_add_test(t, no_preview_behind_an_eighth_of_the_file);
	tcase_add_test(t, no_preview_after_the_end);
	tcase_add_test(t, profiles_are_freed_wherever_they_are);
	tcase_add_test(t, no_preview_of_another_file);
	tcase_add_test(t, nothing_is_a_preview);
}

int main(void)
{
	return suite_run("preview", add_tests);
}
