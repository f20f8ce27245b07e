/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files an export writes. */
#include "config.h"

#include "cli/export_files.h"

#include "exported.h"
#include "story.h"
#include "suite.h"

#include <dirent.h>
#include <unistd.h>

#define FRAME(id, name, more) "{'id':" #id ",'callFrame':{'functionName':'" name "'" more "}"

#define THREAD(pid, t)                                                                             \
	"{'ph':'P','name':'ProfileChunk','id':1,'pid':" #pid ",'tid':1,'ts':" #t                   \
	",'args':{'data':{'cpuProfile':{'nodes':[" FRAME(1, "(root)", "") "}," FRAME(              \
		2, "a",                                                                            \
		"") ",'parent':1}],'samples':[2,2,2]},'timeDeltas':[0,10,10],'endTime':60}}}"

static struct profile *load_three(void)
{
	return story_load("[" THREAD(1, 1) "," THREAD(2, 11) "," THREAD(3, 31) "]");
}

static bool write_files(const struct profile *p, const char *path, const char *format, int64_t t1,
			struct export_files *files, struct error *err)
{
	struct export_options options = { 0 };
	struct export_target target = { .path = path };

	scope_all(&options.scope, p);
	if (t1)
		options.scope.t1 = t1;
	return export_files_write(export_find(format), p, &options, &target, files, err);
}

static int count_entries(const char *path)
{
	DIR *folder = opendir(path);
	int n = 0;

	ck_assert_ptr_nonnull(folder);
	while (readdir(folder))
		n++;
	closedir(folder);
	return n - 2;
}

START_TEST(several_lanes_are_several_files_with_names_of_node)
{
	static const char *const names[] = { "CPU.1.1.001.cpuprofile", "CPU.2.1.002.cpuprofile",
					     "CPU.3.1.003.cpuprofile" };
	char folder[] = "/tmp/flametty-XXXXXX", path[100];
	struct error err = ERROR_INIT;
	struct profile *p = load_three();
	struct export_files files;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	/* The directory is made. */
	snprintf(path, sizeof path, "%s/new/", folder);
	ck_assert_msg(write_files(p, path, "cpuprofile", 0, &files, &err), "%s", err.text);
	ck_assert_uint_eq(files.n, 3);
	ck_assert_int_eq(count_entries(path), 3);
	buf_done(&files.path);
	/* The last lane begins later than this. */
	ck_assert(write_files(p, folder, "cpuprofile", 20 * NS_PER_US, &files, &err));
	ck_assert_uint_eq(files.n, 2);
	buf_done(&files.path);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		snprintf(path, sizeof path, "%s/new/%s", folder, names[i]);
		ck_assert_int_eq(unlink(path), 0);
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		ck_assert_int_eq(unlink(path), i < 2 ? 0 : -1);
	}
	snprintf(path, sizeof path, "%s/new", folder);
	ck_assert_int_eq(rmdir(path), 0);
	ck_assert_int_eq(rmdir(folder), 0);
	profile_free(p);
}
END_TEST

START_TEST(one_file_for_several_lanes_is_refused)
{
	struct error err = ERROR_INIT;
	struct profile *p = load_three();
	struct export_files files;

	ck_assert(!write_files(p, "/tmp/flametty-none", "cpuprofile", 0, &files, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "3 lanes have samples"));
	ck_assert_str_eq(buf_text(&files.path), "/tmp/flametty-none");
	buf_done(&files.path);
	err = (struct error)ERROR_INIT;
	ck_assert(!write_files(p, "/tmp", "folded", 0, &files, &err));
	ck_assert_str_eq(err.text, "is a directory; folded is one file");
	buf_done(&files.path);
	ck_assert_int_ne(access("/tmp/flametty-none", F_OK), 0);
	profile_free(p);
}
END_TEST

START_TEST(slices_are_no_cpuprofile)
{
	struct error err = ERROR_INIT;
	struct profile *p = story_load("[{'ph':'X','name':'a','pid':1,'tid':1,'ts':1,'dur':5}]");
	struct export_files files;

	ck_assert(!write_files(p, "/tmp/flametty-none", "cpuprofile", 0, &files, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "no lane has samples there"));
	buf_done(&files.path);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_test(tc, several_lanes_are_several_files_with_names_of_node);
	tcase_add_test(tc, one_file_for_several_lanes_is_refused);
	tcase_add_test(tc, slices_are_no_cpuprofile);
}

int main(void)
{
	return suite_run("export_files", add_tests);
}
