/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processes of a run wrote profiles, by notes in a folder. */
#include "config.h"

#include "suite.h"
#include "temp_folder.h"

#include "run_tally.h"

#include <stdio.h>

static void put(const char *name, const char *text)
{
	char path[300];
	FILE *file;

	temp_folder_path(path, sizeof path, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static const struct name_case {
	const char *name;
	pid_t pid;
} name_cases[] = {
	{ "CPU.20261123.025121.23351.0.000.cpuprofile", 23351 },
	{ "CPU.20261123.025121.4.12.001.cpuprofile", 4 },
	{ "CPU.1795402326359.17244.cpuprofile", 17244 },
	{ "CPU.20261123.025121.23351.0.000.cpuprofile.part", 23351 },
	{ "Heap.20261123.025121.77.0.000.heapprofile", 77 },
	{ "CPU.cpuprofile", 0 },
	{ "CPU.1.2.3.cpuprofile", 0 },
	{ "app.20261123.025121.23351.0.000.cpuprofile", 0 },
	{ "hook.cjs", 0 },
};

START_TEST(names_of_files_tell_the_process)
{
	ck_assert_int_eq(run_tally_pid_of(name_cases[_i].name), name_cases[_i].pid);
}
END_TEST

/* The messages about the folder, which has `n_files` files of process 71. */
static void tell(uint32_t n_files, struct buf *summary, struct buf *warnings)
{
	struct run_tally tally = { 0 };

	run_tally_read(&tally, temp_folder);
	/* What is read twice counts once. */
	run_tally_read(&tally, temp_folder);
	run_tally_process(&tally, 71)->n_files += n_files;
	run_tally_tell(&tally, "/nowhere", summary, warnings);
	run_tally_done(&tally);
}

START_TEST(all_that_write_are_counted)
{
	struct buf summary = { 0 }, warnings = { 0 };

	put("wrote.71.0", "node a.js");
	put("wrote.71.3", "node a.js");
	tell(2, &summary, &warnings);
	ck_assert_str_eq(buf_text(&summary), "1 process wrote 2 profiles");
	ck_assert_str_eq(buf_text(&warnings), "");
	buf_done(&summary);
	buf_done(&warnings);
}
END_TEST

START_TEST(those_that_do_not_write_are_named)
{
	struct buf summary = { 0 }, warnings = { 0 };

	put("wrote.71.0", "node a.js");
	put("started.71.1", "node a.js");
	put("started.71.2", "node a.js");
	put("started.72.0", "node \033[31mb.js");
	put("started.73", "");
	put("started.x.0", "");
	tell(1, &summary, &warnings);
	ck_assert_str_eq(buf_text(&summary), "1 of 2 processes wrote 1 profile");
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings),
				     "process 71 (node a.js): 2 of its workers wrote no profile"));
	ck_assert_ptr_nonnull(
		strstr(buf_text(&warnings),
		       "process 72 (node ^[[31mb.js) wrote no profile: it was killed, "
		       "or has aborted\n"));
	buf_done(&summary);
	buf_done(&warnings);
}
END_TEST

START_TEST(each_reason_is_said)
{
	struct run_tally tally = { 0 };
	struct buf summary = { 0 }, warnings = { 0 };
	struct run_process *p = run_tally_process(&tally, 71);

	p->runtime = RUNTIME_NODE;
	p = run_tally_process(&tally, 72);
	p->runtime = RUNTIME_BUN;
	p = run_tally_process(&tally, 73);
	p->runtime = RUNTIME_DENO;
	p = run_tally_process(&tally, 74);
	p->has_note = p->is_lost = true;
	p = run_tally_process(&tally, getpid());
	p->has_note = true;
	run_tally_tell(&tally, "/proc", &summary, &warnings);
	ck_assert_str_eq(buf_text(&summary), "no process wrote a profile");
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), "71 wrote no profile: it was not rec"));
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), "72 wrote no profile: Bun"));
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), "73 wrote no profile: Deno"));
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), "74 wrote no profile: it did not ans"));
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), " wrote no profile: it still runs\n"));
	buf_done(&summary);
	buf_done(&warnings);
	run_tally_done(&tally);
}
END_TEST

START_TEST(many_are_not_told_one_by_one)
{
	struct buf summary = { 0 }, warnings = { 0 };
	int n = 0;

	for (int i = 0; i < 30; i++) {
		char name[40];

		snprintf(name, sizeof name, "started.%d.0", 1000 + i);
		put(name, "node");
	}
	tell(1, &summary, &warnings);
	for (const char *at = buf_text(&warnings); *at; at++)
		n += *at == '\n';
	ck_assert_int_eq(n, 11);
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), "20 more processes wrote no profile\n"));
	buf_done(&summary);
	buf_done(&warnings);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(tc, temp_folder_make, temp_folder_remove);
	tcase_add_loop_test(tc, names_of_files_tell_the_process, 0, N(name_cases));
	tcase_add_test(tc, all_that_write_are_counted);
	tcase_add_test(tc, those_that_do_not_write_are_named);
	tcase_add_test(tc, each_reason_is_said);
	tcase_add_test(tc, many_are_not_told_one_by_one);
}

int main(void)
{
	return suite_run("run_tally", add_tests);
}
