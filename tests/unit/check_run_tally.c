/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processes of a run wrote profiles, by notes in a folder. */
#include "config.h"

#include "suite.h"
#include "temp_folder.h"

#include "record/run_tally.c"

#include <stdio.h>
#include <unistd.h>

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
	if (n_files > 0)
		run_tally_process(&tally, 71)->n_files += n_files;
	run_tally_tell(&tally, "/nowhere", summary, warnings);
	run_tally_done(&tally);
}

START_TEST(all_that_write_are_counted)
{
	struct buf summary = { 0 }, warnings = { 0 };
	struct run_tally tally = { 0 };
	struct run_process *p;

	put("ended.71.0.1000", "{\"command\":\"node a.js\",\"parent\":7,\"name\":\"\"}");
	put("ended.71.3.1001", "{\"command\":\"node a.js\",\"parent\":7,\"name\":\"pool-1\"}");
	/* What is read twice counts once. */
	run_tally_read(&tally, temp_folder);
	run_tally_read(&tally, temp_folder);
	p = run_tally_process(&tally, 71);
	ck_assert_uint_eq(p->n_threads, 2);
	ck_assert_str_eq(p->command, "node a.js");
	ck_assert_int_eq(p->parent, 7);
	for (int i = 0; i < 2; i++)
		if (p->threads[i].tid == 3)
			ck_assert_str_eq(p->threads[i].name, "pool-1");
	p->n_files = 2;
	p->threads[0].has_written = p->threads[1].has_written = true;
	run_tally_tell(&tally, "/nowhere", &summary, &warnings);
	ck_assert_str_eq(buf_text(&summary), "1 process wrote 2 profiles");
	ck_assert_str_eq(buf_text(&warnings), "");
	ck_assert(!run_tally_has_failed(&tally));
	buf_done(&summary);
	buf_done(&warnings);
	run_tally_done(&tally);
}
END_TEST

/* The folder lists started.KEY, but the thread renames it before it is opened. A link is listed,
 * and cannot be opened either. */
static void put_vanished(const char *name)
{
	char path[300];

	temp_folder_path(path, sizeof path, name);
	ck_assert_int_eq(symlink("nowhere", path), 0);
}

START_TEST(a_note_that_is_renamed_is_read)
{
	struct run_tally tally = { 0 };
	struct run_process *p;

	put_vanished("started.71.3.1001");
	run_tally_read(&tally, temp_folder);
	p = run_tally_process(&tally, 71);
	ck_assert_uint_eq(p->n_threads, 1);
	ck_assert(!p->threads[0].is_read && !p->threads[0].has_ended);
	/* At once, if the new name is there by then; else when the folder is read again. */
	if (_i == 0) {
		char path[300];

		temp_folder_path(path, sizeof path, "started.71.3.1001");
		ck_assert_int_eq(unlink(path), 0);
	}
	put("ended.71.3.1001", "{\"command\":\"node a.js\",\"parent\":7,\"name\":\"pool-1\"}");
	run_tally_read(&tally, temp_folder);
	p = run_tally_process(&tally, 71);
	ck_assert_uint_eq(p->n_threads, 1);
	ck_assert(p->threads[0].is_read && p->threads[0].has_ended);
	ck_assert_str_eq(p->command, "node a.js");
	ck_assert_int_eq(p->parent, 7);
	ck_assert_str_eq(run_tally_thread_name(p, 3, 1001), "pool-1");
	run_tally_done(&tally);
}
END_TEST

static const char *const no_notes[] = {
	"started.73",      "started.x.0.1", "started.74.-1.5", "started.75.0.1.part",
	"started.76.0.1x", "wrote.77.0.1",  "failed.78.0.1",   "ended..0.1",
};

START_TEST(other_files_are_no_notes)
{
	struct run_tally tally = { 0 };

	put(no_notes[_i], "{}");
	run_tally_read(&tally, temp_folder);
	ck_assert_uint_eq(tally.n, 0);
	run_tally_done(&tally);
}
END_TEST

static const struct reason_case {
	const char *notes[3];
	const char *reason;
} reason_cases[] = {
	{ { "started.72.0.5" }, "wrote no profile: it was killed before a slice was complete" },
	{ { "ended.72.0.5" }, "wrote no profile: it has no samples" },
	{ { "ended.72.0.5", "failed.72.0.5.ENOSPC" },
	  ": its recording could not be written: no space is left in TMPDIR" },
	{ { "ended.72.0.5", "failed.72.1.6.EWHAT" },
	  ": its recording could not be written: EWHAT" },
};

START_TEST(those_that_do_not_write_are_named)
{
	const struct reason_case *c = &reason_cases[_i];
	struct buf summary = { 0 }, warnings = { 0 };

	for (int i = 0; c->notes[i]; i++)
		put(c->notes[i], "{\"command\":\"node \\u001b[31mb.js\"}");
	tell(0, &summary, &warnings);
	ck_assert_str_eq(buf_text(&summary), "no process wrote a profile");
	ck_assert_msg(strstr(buf_text(&warnings), c->reason), "%s", buf_text(&warnings));
	if (!c->notes[1])
		ck_assert_ptr_nonnull(
			strstr(buf_text(&warnings), "process 72 (node ^[[31mb.js) wrote"));
	buf_done(&summary);
	buf_done(&warnings);
}
END_TEST

START_TEST(what_a_profile_lacks_is_said)
{
	struct buf summary = { 0 }, warnings = { 0 };

	put("started.71.0.5", "{}");
	put("started.71.1.6", "{}");
	tell(1, &summary, &warnings);
	ck_assert_str_eq(buf_text(&summary), "1 process wrote 1 profile");
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), "71: 1 of its workers wrote no profile"));
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), "1 process was killed"));
	buf_done(&summary);
	buf_done(&warnings);
}
END_TEST

START_TEST(each_reason_is_said)
{
	static const enum run_omission omissions[] = { RUN_OMISSION_NONE, RUN_OMISSION_OPTIONS,
						       RUN_OMISSION_FOLDER, RUN_OMISSION_USER,
						       RUN_OMISSION_ROOT };
	struct run_tally tally = { 0 };
	struct buf summary = { 0 }, warnings = { 0 };
	struct run_process *p;

	for (int i = 0; i < (int)N(omissions); i++) {
		p = run_tally_process(&tally, 59 + i);
		p->runtime = RUNTIME_NODE;
		p->omission = omissions[i];
	}
	run_tally_process(&tally, 72)->runtime = RUNTIME_BUN;
	p = run_tally_process(&tally, 64);
	p->command = strdup("node --watch-path=. a.js");
	p = run_tally_process(&tally, 65);
	p->command = strdup("node a.js --inspect-brk");
	p = run_tally_process(&tally, 66);
	p->command = strdup("node --versions");
	run_tally_process(&tally, 73)->runtime = RUNTIME_DENO;
	/* What is below /nowhere has ended. */
	run_tally_tell(&tally, "/nowhere", &summary, &warnings);
	ck_assert_str_eq(buf_text(&summary), "no process wrote a profile");
	ck_assert_ptr_nonnull(
		strstr(buf_text(&warnings), "59 wrote no profile: it ended while it"));
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), "60 wrote no profile: its NODE_OPT"));
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), "61 wrote no profile: its variables"));
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), "62 wrote no profile: it is of another"));
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), "63 wrote no profile: it cannot see"));
	ck_assert_ptr_nonnull(
		strstr(buf_text(&warnings),
		       "64 (node --watch-path=. a.js) wrote no profile: it only starts"));
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), "brk) wrote no profile: it waited for"));
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), "ons) wrote no profile: it ended while"));
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), "72 wrote no profile: Bun"));
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), "73 wrote no profile: Deno"));
	buf_done(&summary);
	buf_done(&warnings);
	run_tally_done(&tally);
	run_tally_process(&tally, getpid())->runtime = RUNTIME_NODE;
	run_tally_process(&tally, 58)->command = strdup("node --run start");
	run_tally_tell(&tally, "/proc", &summary, &warnings);
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), " wrote no profile: it was still start"));
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), "start) wrote no profile: it only runs"));
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

		snprintf(name, sizeof name, "started.%d.0.7", 1000 + i);
		put(name, "{\"command\":\"node\"}");
	}
	tell(0, &summary, &warnings);
	for (const char *at = buf_text(&warnings); *at; at++)
		n += *at == '\n';
	ck_assert_int_eq(n, 11);
	ck_assert_ptr_nonnull(strstr(buf_text(&warnings), "20 more processes wrote no profile\n"));
	buf_done(&summary);
	buf_done(&warnings);
}
END_TEST

/* Two processes call themselves 1: one was seen as 81, in namespace 5; one, in namespace 6, was
 * not.
 */
START_TEST(a_process_has_its_number_here)
{
	struct buf summary = { 0 }, warnings = { 0 };
	struct run_tally tally = { .space = 4 };
	struct run_process *p;

	p = run_tally_process(&tally, 81);
	p->own_pid = 1;
	p->space = 5;
	p->parent = 80;
	put("ended.1.0.1000", "{\"command\":\"node a.js\",\"parent\":0,\"space\":\"pid:[5]\"}");
	put("started.1.0.1001", "{\"command\":\"node b.js\",\"parent\":7,\"space\":\"pid:[6]\"}");
	put("failed.1.0.1001.ENOSPC", "");
	run_tally_read(&tally, temp_folder);
	ck_assert_uint_eq(tally.n, 2);
	p = run_tally_of_key(&tally, 1, 0, 1000);
	ck_assert_int_eq(p->pid, 81);
	ck_assert_int_eq(p->parent, 80);
	ck_assert(!p->is_foreign);
	ck_assert_str_eq(p->command, "node a.js");
	p->n_files++;
	p = run_tally_of_key(&tally, 1, 0, 1001);
	ck_assert_int_eq(p->pid, 1);
	ck_assert_int_eq(p->parent, -1);
	ck_assert(p->is_foreign);
	ck_assert(!run_tally_is_alive(&tally, p, "/proc"));
	run_tally_tell(&tally, "/proc", &summary, &warnings);
	ck_assert_str_eq(buf_text(&summary), "1 of 2 processes wrote 1 profile");
	ck_assert_str_eq(buf_text(&warnings),
			 "process 1 in its PID namespace (node b.js): its recording could not be "
			 "written: no space is left in TMPDIR\n");
	/* Process 1 here is another one. */
	ck_assert_int_eq(run_tally_process(&tally, 1)->own_pid, 1);
	ck_assert_uint_eq(tally.n, 3);
	buf_done(&summary);
	buf_done(&warnings);
	run_tally_done(&tally);
}
END_TEST

START_TEST(a_namespace_that_may_not_be_read_is_any)
{
	struct run_tally tally = { .space = 4 };
	struct run_process *p;

	p = run_tally_process(&tally, 82);
	p->own_pid = 1;
	put("ended.1.0.1000", "{\"command\":\"node a.js\",\"space\":\"pid:[5]\"}");
	run_tally_read(&tally, temp_folder);
	ck_assert_uint_eq(tally.n, 1);
	ck_assert_uint_eq(run_tally_of_key(&tally, 1, 0, 1000)->space, 5);
	run_tally_done(&tally);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(tc, temp_folder_make, temp_folder_remove);
	tcase_add_loop_test(tc, names_of_files_tell_the_process, 0, N(name_cases));
	tcase_add_test(tc, all_that_write_are_counted);
	tcase_add_loop_test(tc, a_note_that_is_renamed_is_read, 0, 2);
	tcase_add_loop_test(tc, other_files_are_no_notes, 0, N(no_notes));
	tcase_add_loop_test(tc, those_that_do_not_write_are_named, 0, N(reason_cases));
	tcase_add_test(tc, what_a_profile_lacks_is_said);
	tcase_add_test(tc, each_reason_is_said);
	tcase_add_test(tc, many_are_not_told_one_by_one);
	tcase_add_test(tc, a_process_has_its_number_here);
	tcase_add_test(tc, a_namespace_that_may_not_be_read_is_any);
}

int main(void)
{
	return suite_run("run_tally", add_tests);
}
