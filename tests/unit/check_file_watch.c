/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When files have changed and are complete. Times are made up. */
#include "config.h"

#include "read/load/watcher.c"

#include "suite.h"
#include "temp_folder.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define LATER (FILE_WATCH_QUIET_NS + 1)

static const char whole[] = "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\","
			    "\"scriptId\":\"0\",\"url\":\"\",\"lineNumber\":-1,"
			    "\"columnNumber\":-1}}],\"startTime\":0,\"endTime\":1,\"samples\":[],"
			    "\"timeDeltas\":[]}";

static char paths[4][300];
static int64_t now;

/* The path of a file of the folder; four of them at a time. */
static char *at(const char *name)
{
	static int next;
	char *path = paths[next++ % 4];

	temp_folder_path(path, sizeof paths[0], name);
	return path;
}

/* Write a file in place. Its time is `age` seconds after 1970: files of equal sizes differ. */
static void put(const char *name, const char *text, int age)
{
	struct timespec times[2] = { { .tv_sec = age }, { .tv_sec = age } };
	FILE *f = fopen(at(name), "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
	ck_assert_int_eq(utimensat(AT_FDCWD, at(name), times, 0), 0);
}

static struct file_watch *watch(const char *file, bool is_recursive)
{
	static char path[300];
	static char *files[] = { path };

	now = 0;
	snprintf(path, sizeof path, "%s", file);
	return file_watch_new(&(struct file_watch_options){ .files = files,
							    .n_files = 1,
							    .is_recursive = is_recursive });
}

static enum file_watch_news look_after(struct file_watch *w, int64_t ns)
{
	now += ns;
	return file_watch_look(w, now);
}

/* The news after a change: it is noticed, and complete a while later. */
static void check_change(struct file_watch *w)
{
	ck_assert_int_eq(look_after(w, 1), FILE_WATCH_WAIT);
	ck_assert_int_eq(look_after(w, FILE_WATCH_QUIET_NS - 1), FILE_WATCH_WAIT);
	ck_assert_int_eq(look_after(w, 1), FILE_WATCH_READY);
	ck_assert_int_eq(look_after(w, 1), FILE_WATCH_READY);
	file_watch_take(w);
	ck_assert_int_eq(look_after(w, LATER), FILE_WATCH_SAME);
}

START_TEST(file_is_ready_when_it_has_been_quiet)
{
	struct file_watch *w;

	put("a", whole, 1);
	w = watch(at("a"), false);
	ck_assert_int_eq(look_after(w, LATER), FILE_WATCH_SAME);
	put("a", "{", 2);
	check_change(w);
	/* Each write begins the wait anew. */
	for (int i = 3; i < 6; i++) {
		put("a", "{", i);
		ck_assert_int_eq(look_after(w, FILE_WATCH_QUIET_NS - 1), FILE_WATCH_WAIT);
	}
	ck_assert_int_eq(look_after(w, FILE_WATCH_QUIET_NS), FILE_WATCH_READY);
	file_watch_free(w);
}
END_TEST

START_TEST(file_that_is_put_back_is_the_same)
{
	struct file_watch *w;

	put("a", whole, 1);
	w = watch(at("a"), false);
	ck_assert_int_eq(rename(at("a"), at("b")), 0);
	ck_assert_int_eq(look_after(w, 1), FILE_WATCH_GONE);
	ck_assert_int_eq(rename(at("b"), at("a")), 0);
	ck_assert_int_eq(look_after(w, 1), FILE_WATCH_SAME);
	file_watch_free(w);
}
END_TEST

START_TEST(file_that_is_replaced_by_rename_is_another)
{
	struct file_watch *w;

	put("a", whole, 1);
	put("b", whole, 1);
	w = watch(at("a"), false);
	ck_assert_int_eq(rename(at("b"), at("a")), 0);
	check_change(w);
	file_watch_free(w);
}
END_TEST

START_TEST(file_that_is_empty_is_not_complete_for_a_while)
{
	struct file_watch *w;

	put("a", whole, 1);
	w = watch(at("a"), false);
	put("a", "", 2);
	ck_assert_int_eq(look_after(w, LATER), FILE_WATCH_WAIT);
	ck_assert_int_eq(look_after(w, FILE_WATCH_EMPTY_NS - LATER - 1), FILE_WATCH_WAIT);
	put("a", whole, 3);
	check_change(w);
	file_watch_free(w);
}
END_TEST

START_TEST(empty_file_does_not_hold_back_the_others)
{
	struct file_watch *w;

	put("a.cpuprofile", whole, 1);
	w = watch(temp_folder, false);
	put("b.cpuprofile", "", 2);
	ck_assert_int_eq(look_after(w, LATER), FILE_WATCH_WAIT);
	ck_assert_int_eq(look_after(w, FILE_WATCH_EMPTY_NS), FILE_WATCH_READY);
	file_watch_take(w);
	ck_assert_int_eq(look_after(w, LATER), FILE_WATCH_SAME);
	put("a.cpuprofile", whole, 3);
	check_change(w);
	file_watch_free(w);
}
END_TEST

START_TEST(file_that_is_deleted_is_gone_until_it_is_there_again)
{
	struct file_watch *w;

	put("a", whole, 1);
	w = watch(at("a"), false);
	ck_assert_int_eq(remove(at("a")), 0);
	ck_assert_int_eq(look_after(w, 1), FILE_WATCH_GONE);
	ck_assert_int_eq(look_after(w, LATER), FILE_WATCH_GONE);
	ck_assert_str_eq(find_missing(w)->path, at("a"));
	put("a", whole, 2);
	check_change(w);
	file_watch_free(w);
}
END_TEST

START_TEST(link_that_leads_elsewhere_is_another_file)
{
	struct file_watch *w;

	ck_assert_int_eq(mkdir(at("d"), 0700), 0);
	put("d/a", whole, 1);
	put("b", whole, 1);
	ck_assert_int_eq(symlink(at("d/a"), at("link")), 0);
	w = watch(at("link"), false);
	/* Where the link is, and where the file is. */
	ck_assert_uint_eq(w->n_folders, 2);
	ck_assert_str_eq(w->folders[0], temp_folder);
	ck_assert_int_eq(remove(at("link")), 0);
	ck_assert_int_eq(symlink(at("b"), at("link")), 0);
	check_change(w);
	file_watch_free(w);
}
END_TEST

START_TEST(directory_gains_and_loses_profiles)
{
	struct file_watch *w;

	ck_assert_int_eq(mkdir(at("d"), 0700), 0);
	put("d/b", whole, 1);
	w = watch(at("d"), false);
	put("d/a", whole, 1);
	check_change(w);
	put("d/a", whole, 2);
	check_change(w);
	ck_assert_int_eq(remove(at("d/b")), 0);
	check_change(w);
	file_watch_free(w);
}
END_TEST

START_TEST(file_of_a_directory_that_is_no_profile_does_not_count)
{
	struct file_watch *w;

	ck_assert_int_eq(mkdir(at("d"), 0700), 0);
	put("d/a", whole, 1);
	put("d/log", "begun\n", 1);
	w = watch(at("d"), false);
	put("d/log", "begun\ngoes on\n", 2);
	ck_assert_int_eq(look_after(w, 1), FILE_WATCH_SAME);
	put("d/other", "text\n", 2);
	ck_assert_int_eq(look_after(w, 1), FILE_WATCH_SAME);
	/* Until it becomes one. */
	put("d/other", whole, 3);
	check_change(w);
	file_watch_free(w);
}
END_TEST

START_TEST(directories_below_count_if_they_are_read)
{
	for (int is_recursive = 0; is_recursive < 2; is_recursive++) {
		struct file_watch *w;

		mkdir(at("d"), 0700);
		put("d/a", whole, 1);
		w = watch(at("d"), is_recursive);
		ck_assert_int_eq(mkdir(at("d/e"), 0700), 0);
		put("d/e/b", whole, 1);
		ck_assert_int_eq(look_after(w, 1),
				 is_recursive ? FILE_WATCH_WAIT : FILE_WATCH_SAME);
		ck_assert_int_eq(remove(at("d/e/b")), 0);
		ck_assert_int_eq(remove(at("d/e")), 0);
		file_watch_free(w);
	}
}
END_TEST

START_TEST(directory_that_is_removed_is_gone)
{
	struct file_watch *w;

	ck_assert_int_eq(mkdir(at("d"), 0700), 0);
	put("d/a", whole, 1);
	w = watch(at("d"), false);
	ck_assert_int_eq(rename(at("d"), at("e")), 0);
	ck_assert_int_eq(look_after(w, 1), FILE_WATCH_GONE);
	ck_assert_int_eq(rename(at("e"), at("d")), 0);
	ck_assert_int_eq(look_after(w, 1), FILE_WATCH_SAME);
	file_watch_free(w);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "news", SUITE_SECONDS);

	tcase_add_checked_fixture(t, temp_folder_make, temp_folder_remove);
	tcase_add_test(t, file_is_ready_when_it_has_been_quiet);
	tcase_add_test(t, file_that_is_put_back_is_the_same);
	tcase_add_test(t, file_that_is_replaced_by_rename_is_another);
	tcase_add_test(t, file_that_is_empty_is_not_complete_for_a_while);
	tcase_add_test(t, empty_file_does_not_hold_back_the_others);
	tcase_add_test(t, file_that_is_deleted_is_gone_until_it_is_there_again);
	tcase_add_test(t, link_that_leads_elsewhere_is_another_file);
	tcase_add_test(t, directory_gains_and_loses_profiles);
	tcase_add_test(t, file_of_a_directory_that_is_no_profile_does_not_count);
	tcase_add_test(t, directories_below_count_if_they_are_read);
	tcase_add_test(t, directory_that_is_removed_is_gone);
}

int main(void)
{
	return suite_run("file_watch", add_tests);
}
