/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that change between the two readings of partial loading. */
#include "config.h"

#include "file_print.h"
#include "suite.h"
#include "temp_folder.h"

#include "read/load/load.h"

static char path[256];

static void setup(void)
{
	temp_folder_make();
	temp_folder_path(path, sizeof path, "trace.json");
}

/* A trace of n slices. */
static void put_trace(const char *name, int n)
{
	FILE *f = fopen(name, "w");

	ck_assert_ptr_nonnull(f);
	fputs("[", f);
	for (int i = 0; i < n; i++)
		fprintf(f,
			"%s{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":8,\"name\":\"f%d\"}",
			i ? ",\n" : "", 1000 + i * 10, i % 7);
	fputs("]\n", f);
	ck_assert_int_eq(fclose(f), 0);
}

static void overwrite(void)
{
	file_overwrite(path, 100, "7", 1);
}

static void cut_off(void)
{
	ck_assert_int_eq(truncate(path, 2000), 0);
}

static void delete (void)
{
	ck_assert_int_eq(unlink(path), 0);
}

static void make_fifo(void)
{
	file_make_fifo(path);
}

static const struct {
	void (*happens)(void);
	const char *expect;
} changes[] = {
	{ NULL, "" },
	{ overwrite, "the file has changed since it was read" },
	{ cut_off, "the file has changed since it was read" },
	{ delete, "No such file" },
	{ make_fifo, "the file has changed since it was read" },
};

/* Called between the survey and the second reading. */
static bool change_and_choose(void *ctx, const struct profile *survey, struct load_choice *choice,
			      struct error *err)
{
	void (*happens)(void) = changes[*(const int *)ctx].happens;

	(void)err;
	choice->t1 = survey->t1 / 2;
	if (happens)
		happens();
	return true;
}

/* Neither of the two readings fits the other: there is no profile, although another file is as it
 * was. */
START_TEST(file_that_changes_between_two_readings_is_an_error)
{
	char other[256], *names[2] = { other, path };
	struct load_options lo = { .files = names,
				   .n_files = 2,
				   .choose = change_and_choose,
				   .choose_ctx = &_i,
				   .is_subset = true };
	struct load_result result;

	temp_folder_path(other, sizeof other, "other.json");
	put_trace(other, 3000);
	put_trace(path, 2000);
	load_all(&lo, &result);
	ck_assert_msg(strstr(buf_text(&result.messages), changes[_i].expect) != NULL, "%s",
		      buf_text(&result.messages));
	ck_assert_int_eq(result.profile == NULL, *changes[_i].expect != 0);
	ck_assert_int_eq(result.messages.len == 0, *changes[_i].expect == 0);
	profile_free(result.profile);
	buf_done(&result.messages);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, temp_folder_remove);
	tcase_add_loop_test(t, file_that_changes_between_two_readings_is_an_error, 0, N(changes));
}

int main(void)
{
	return suite_run("load_again", add_tests);
}
