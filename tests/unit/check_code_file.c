/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which file of this machine holds the code that a url names. */
#include "config.h"

#include "suite.h"
#include "temp_folder.h"

#include "source/source_reader.h"

#include <string.h>
#include <sys/stat.h>

static void make_files(void)
{
	static const char *const folders[] = { "app", "app/src" };
	static const char *const files[] = { "a.ts", "app/src/b.ts", "app/with space.ts" };
	char path[400];

	temp_folder_make();
	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		temp_folder_path(path, sizeof path, folders[i]);
		ck_assert_int_eq(mkdir(path, 0700), 0);
	}
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		FILE *f;

		temp_folder_path(path, sizeof path, files[i]);
		f = fopen(path, "w");
		ck_assert_ptr_nonnull(f);
		fclose(f);
	}
}

/* In all texts, @ is the folder. found: NULL: there is no file. */
static const struct {
	const char *root, *move, *url, *found, *looked;
} cases[] = {
	{ NULL, NULL, "file://@/a.ts", "@/a.ts", "" },
	{ NULL, NULL, "@/a.ts", "@/a.ts", "" },
	{ NULL, NULL, "file://@/app/with%20space.ts", "@/app/with space.ts", "" },
	{ NULL, NULL, "file://@/none.ts", NULL, "@/none.ts" },
	{ NULL, NULL, "file://@/app", NULL, "@/app" },
	{ NULL, NULL, "https://host/a.ts", NULL, "" },
	{ NULL, NULL, "node:fs", NULL, "" },
	{ NULL, "https://host=@/app", "https://host/src/b.ts", "@/app/src/b.ts", "" },
	{ "@/app", NULL, "webpack://app/src/b.ts", "@/app/src/b.ts", "" },
	{ "@/app", NULL, "/srv/build/src/b.ts", "@/app/src/b.ts", "@/app/srv/build/src/b.ts" },
	{ "@/app", NULL, "/srv/build/none.ts", NULL,
	  "@/app/srv/build/none.ts, /srv/build/none.ts" },
	{ "@/app", NULL, "file://@/a.ts", "@/a.ts", "@/app@/a.ts" },
};

static const char *fill(const char *text, struct buf *out)
{
	if (!text)
		return NULL;
	for (; *text; text++)
		if (*text == '@')
			buf_adds(out, temp_folder);
		else
			buf_addc(out, *text);
	return buf_text(out);
}

START_TEST(file_of_a_url_is_found)
{
	struct buf text[5] = { 0 }, path = { 0 }, looked = { 0 };
	const char *move = fill(cases[_i].move, &text[0]);
	struct maps_options options = { .moves = &move,
					.n_moves = move != NULL,
					.source_root = fill(cases[_i].root, &text[1]) };
	const char *found = fill(cases[_i].found, &text[2]);

	ck_assert_int_eq(code_file_find(&options, fill(cases[_i].url, &text[3]), &path, &looked),
			 found != NULL);
	ck_assert_str_eq(buf_text(&path), found ? found : "");
	ck_assert_str_eq(buf_text(&looked), fill(cases[_i].looked, &text[4]));
	for (size_t i = 0; i < ARRAY_LEN(text); i++)
		buf_done(&text[i]);
	buf_done(&path);
	buf_done(&looked);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "files", SUITE_SECONDS);

	tcase_add_checked_fixture(t, make_files, temp_folder_remove);
	tcase_add_loop_test(t, file_of_a_url_is_found, 0, N(cases));
}

int main(void)
{
	return suite_run("code_file", add_tests);
}
