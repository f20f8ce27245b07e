/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chunks of threads become profiles; no file of others is replaced. */
#include "config.h"

#include "suite.h"
#include "temp_folder.h"

#include "cli/user_file.h"
#include "record/run_tally.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define FRAME(name, url)                                                                           \
	"{\"functionName\":\"" name "\",\"scriptId\":\"1\",\"url\":\"" url                         \
	"\",\"lineNumber\":0,\"columnNumber\":0}"
/* (root) > main > (hook, a). */
#define NODES                                                                                              \
	"{\"nodes\":[{\"id\":1,\"callFrame\":" FRAME(                                                      \
		"(root)",                                                                                  \
		"") ",\"children\":[2]},"                                                                  \
		    "{\"id\":2,\"callFrame\":" FRAME(                                                      \
			    "main",                                                                        \
			    "m.js") ",\"children\":[3,4]},"                                                \
				    "{\"id\":3,\"callFrame\":" FRAME(                                      \
					    "hook",                                                        \
					    "file:///x/FOLDER/hook.cjs") "},"                              \
									 "{\"id\":4,\"callFrame\":" FRAME( \
										 "a",                      \
										 "a.js") "}],"

static char profiles[300], folder_name[100];
static struct run_chunks chunks;

static void put(const char *name, const char *text)
{
	char path[300];
	FILE *file;

	temp_folder_path(path, sizeof path, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	for (const char *at = text; *at; at++)
		if (strncmp(at, "FOLDER", 6) == 0) {
			fputs(folder_name, file);
			at += 5;
		} else {
			fputc(*at, file);
		}
	fclose(file);
}

static void begin(void)
{
	static const char *const parts[] = { "chunks", "others", "profiles" };

	setenv("TZ", "UTC", 1);
	temp_folder_make();
	for (size_t i = 0; i < N(parts); i++) {
		temp_folder_path(profiles, sizeof profiles, parts[i]);
		ck_assert_int_eq(mkdir(profiles, 0700), 0);
	}
	snprintf(folder_name, sizeof folder_name, "%s", strrchr(temp_folder, '/') + 1);
	chunks = (struct run_chunks){ .folder = temp_folder, .profiles = profiles };
}

static void end(void)
{
	for (int i = 0; i < chunks.n_files; i++) {
		unlink(chunks.files[i]);
		free(chunks.files[i]);
	}
	free(chunks.files);
	temp_folder_remove();
}

static void read_text(const char *path, struct buf *text)
{
	struct error err = ERROR_INIT;

	ck_assert_int_eq(user_file_read(path, 1 << 20, false, text, &err), USER_FILE_READ);
}

START_TEST(chunks_of_a_thread_are_one_profile)
{
	struct run_tally tally = { 0 };
	struct error err = ERROR_INIT;
	struct buf text = { 0 };
	const char *name;

	/* The samples at the beginning and at the end are of the script, and one between. */
	put("chunks/71.0.86400000.10",
	    NODES "\"startTime\":3000,\"endTime\":6000,\"samples\":[4,3],\"timeDeltas\":[0,1000]}");
	put("chunks/71.0.86400000.9",
	    NODES
	    "\"startTime\":0,\"endTime\":3000,\"samples\":[3,4,3],\"timeDeltas\":[10,990,1000]}");
	put("chunks/71.0.86400000.11", "{\"nodes\":");
	put("chunks/71.0.86400000.12.part", "{}");
	ck_assert(run_chunks_write(&chunks, &tally, &err));
	ck_assert_int_eq(chunks.n_files, 1);
	ck_assert_uint_eq(chunks.n_cut, 1);
	ck_assert_uint_eq(chunks.n_damaged, 1);
	ck_assert_uint_eq(run_tally_process(&tally, 71)->n_files, 1);
	name = strrchr(chunks.files[0], '/') + 1;
	ck_assert_str_eq(name, "CPU.19700102.000000.71.0.001.cpuprofile");
	read_text(chunks.files[0], &text);
	ck_assert_ptr_null(strstr(buf_text(&text), "hook.cjs"));
	ck_assert_ptr_nonnull(strstr(buf_text(&text), "\"(flametty)\""));
	/* It begins with the first sample of the program, and ends with the last one of the script.
	 */
	ck_assert_ptr_nonnull(strstr(buf_text(&text), "\"startTime\":1000,\"endTime\":4000"));
	ck_assert_ptr_nonnull(strstr(buf_text(&text), "\"timeDeltas\":[0,1000,1000]"));
	buf_done(&text);
	run_tally_done(&tally);
}
END_TEST

START_TEST(a_file_or_link_of_others_stays)
{
	struct run_tally tally = { 0 };
	struct error err = ERROR_INIT;
	struct buf text = { 0 };
	char link[400], other[300];

	put("chunks/71.0.86400000.0",
	    NODES "\"startTime\":0,\"endTime\":2000,\"samples\":[4],\"timeDeltas\":[1000]}");
	put("chunks/72.3.86400000.0",
	    NODES "\"startTime\":0,\"endTime\":2000,\"samples\":[4],\"timeDeltas\":[1000]}");
	put("mine", "mine");
	temp_folder_path(other, sizeof other, "mine");
	snprintf(link, sizeof link, "%s/CPU.19700102.000000.71.0.001.cpuprofile", profiles);
	ck_assert_int_eq(symlink(other, link), 0);
	ck_assert(!run_chunks_write(&chunks, &tally, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "71.0.001.cpuprofile"));
	read_text(other, &text);
	ck_assert_str_eq(buf_text(&text), "mine");
	/* The other thread has its profile. */
	ck_assert_int_eq(chunks.n_files, 1);
	ck_assert_ptr_nonnull(strstr(chunks.files[0], ".72.3.004.cpuprofile"));
	unlink(link);
	buf_done(&text);
	run_tally_done(&tally);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(tc, begin, end);
	tcase_add_test(tc, chunks_of_a_thread_are_one_profile);
	tcase_add_test(tc, a_file_or_link_of_others_stays);
}

int main(void)
{
	return suite_run("run_chunks", add_tests);
}
