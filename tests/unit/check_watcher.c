/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that watches files, with notices of the system and without them. */
#include "config.h"

#include "suite.h"
#include "temp_folder.h"

#include "read/load/watcher.h"

#include <poll.h>

#define WAIT_MS 30000

static struct wake wake;
static struct watcher *watcher;
static char path[300], other[300];
static char *files[] = { path };

static void put(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

static void begin(void)
{
	temp_folder_make();
	temp_folder_path(path, sizeof path, "a.json");
	temp_folder_path(other, sizeof other, "b.json");
	put(path, "{}");
	ck_assert(wake_open(&wake));
}

static void end(void)
{
	watcher_stop(watcher);
	watcher = NULL;
	wake_close(&wake);
	temp_folder_remove();
}

static enum file_watch_news await_news(struct buf *missing)
{
	struct pollfd fd = { .fd = wake_fd(&wake), .events = POLLIN };

	ck_assert_int_eq(poll(&fd, 1, WAIT_MS), 1);
	ck_assert(wake_has_news(&wake));
	wake_forget(&wake);
	ck_assert(!wake_has_news(&wake));
	return watcher_take(watcher, missing);
}

/* _i: whether there are no notices. */
START_TEST(watcher_wakes_for_each_change)
{
	struct buf missing = { 0 };

	watcher = watcher_start(&(struct file_watch_options){ .files = files, .n_files = 1 }, &wake,
				_i);
	ck_assert_ptr_nonnull(watcher);
	ck_assert_int_eq(watcher_take(watcher, &missing), FILE_WATCH_SAME);
	put(path, "{ }");
	ck_assert_int_eq(await_news(&missing), FILE_WATCH_READY);
	ck_assert_int_eq(watcher_take(watcher, &missing), FILE_WATCH_SAME);
	put(other, "{  }");
	ck_assert_int_eq(rename(other, path), 0);
	ck_assert_int_eq(await_news(&missing), FILE_WATCH_READY);
	ck_assert_uint_eq(missing.len, 0);
	ck_assert_int_eq(remove(path), 0);
	ck_assert_int_eq(await_news(&missing), FILE_WATCH_GONE);
	ck_assert_str_eq(buf_text(&missing), path);
	put(path, "{   }");
	ck_assert_int_eq(await_news(&missing), FILE_WATCH_READY);
	buf_done(&missing);
}
END_TEST

START_TEST(watcher_stops_while_nothing_happens)
{
	for (int i = 0; i < 20; i++) {
		watcher = watcher_start(
			&(struct file_watch_options){ .files = files, .n_files = 1 }, &wake, i % 2);
		ck_assert_ptr_nonnull(watcher);
		watcher_stop(watcher);
	}
	watcher = NULL;
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "thread", SUITE_SECONDS);

	tcase_add_checked_fixture(t, begin, end);
	tcase_add_loop_test(t, watcher_wakes_for_each_change, 0, 2);
	tcase_add_test(t, watcher_stops_while_nothing_happens);
}

int main(void)
{
	return suite_run("watcher", add_tests);
}
