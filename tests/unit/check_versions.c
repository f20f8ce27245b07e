/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Versions in programs that are texts, in a folder that looks like /proc. */
#include "config.h"

#include "suite.h"
#include "temp_folder.h"

#include "base/alloc.h"
#include "record/remote/versions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static void put(const char *name, const char *text, size_t len)
{
	char path[400];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", temp_folder, name);
	for (char *slash = path + strlen(temp_folder) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fwrite(text, 1, len, file);
	fclose(file);
}

static void ck_version(enum process_runtime runtime, const char *expected)
{
	struct process p = { .pid = 71, .runtime = runtime };
	struct versions v = { 0 };

	ck_assert_str_eq(versions_find(&v, temp_folder, &p), expected);
	/* The program is read once. */
	ck_assert_str_eq(versions_find(&v, temp_folder, &p), expected);
	ck_assert_uint_eq(v.n, 1);
	versions_done(&v);
}

#define TEXT(text) text, sizeof(text)

static const struct {
	enum process_runtime runtime;
	const char *text;
	size_t len;
	const char *version;
} programs[] = {
	{ RUNTIME_NODE, TEXT("x\0node.js/v20.20.2\0y"), "20.20.2" },
	{ RUNTIME_NODE, TEXT("node.js/v27.0.0-nightly20261101ab\0"), "27.0.0-nightly20261101ab" },
	/* Texts side by side, as compilers leave them. */
	{ RUNTIME_NODE, TEXT("node.js/v24.21.0Protocol-Version\0node.js/v24.21.0\0"), "24.21.0" },
	{ RUNTIME_NODE, TEXT("node.js/v24.21.0Protocol-Version\0"), "" },
	{ RUNTIME_NODE, TEXT("node.js/v24.21.\0 node.js/vX v20.20.2\0"), "" },
	{ RUNTIME_DENO, TEXT("OTLP-Exporter-Deno/0.80.0grpcDeno/2.9.6Deno/2.9.6+e518fbde518f"),
	  "2.9.6" },
	{ RUNTIME_DENO, TEXT("Deno/0.80.0grpc-timeoutDeno/2.9.6.1"), "" },
	{ RUNTIME_BUN, TEXT("Bun/1.4.5\0Bun v1.4.5 (Linux x64)"), "1.4.5" },
	{ RUNTIME_BUN, TEXT("node.js/v20.20.2\0"), "" },
	{ RUNTIME_NODE, TEXT("#!/bin/sh\nexec real-node"), "" },
	{ RUNTIME_NODE, "", 0, "" },
};

START_TEST(a_version_is_told_only_where_it_is_certain)
{
	put("71/exe", programs[_i].text, programs[_i].len);
	ck_version(programs[_i].runtime, programs[_i].version);
}
END_TEST

/* Programs are read in pieces of 1 MiB. */
START_TEST(a_version_across_two_pieces_is_found)
{
	static const char mark[] = "node.js/v18.20.8";
	size_t len = 3 << 20;
	char *text = xcalloc(len, 1);

	for (size_t back = 1; back < 120; back += 7) {
		memset(text, 'x', len);
		memcpy(text + (1 << 20) - back, mark, sizeof mark);
		put("71/exe", text, len);
		ck_version(RUNTIME_NODE, "18.20.8");
	}
	free(text);
}
END_TEST

/* The library that the map of the process names, and no other that has taken its place. */
START_TEST(the_version_of_a_library_is_found_by_its_inode)
{
	char path[400], map[600];
	struct stat st;

	put("71/exe", "small", 5);
	put("71/root/usr/lib/libnode.so.108", TEXT("\0node.js/v18.19.0\0"));
	snprintf(path, sizeof path, "%s/71/root/usr/lib/libnode.so.108", temp_folder);
	ck_assert_int_eq(stat(path, &st), 0);
	for (int is_other = 0; is_other < 2; is_other++) {
		snprintf(map, sizeof map,
			 "55d0-55d1 r--p 00000000 fe:00 12   /usr/bin/node\n"
			 "7f00-7f01 r-xp 00001000 %02x:%02x %llu   /usr/lib/libnode.so.108\n",
			 major(st.st_dev), minor(st.st_dev),
			 (unsigned long long)st.st_ino + (unsigned long long)is_other);
		put("71/maps", map, strlen(map));
		ck_version(RUNTIME_NODE, is_other ? "" : "18.19.0");
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(tc, temp_folder_make, temp_folder_remove);
	tcase_add_loop_test(tc, a_version_is_told_only_where_it_is_certain, 0, N(programs));
	tcase_add_test(tc, a_version_across_two_pieces_is_found);
	tcase_add_test(tc, the_version_of_a_library_is_found_by_its_inode);
}

int main(void)
{
	return suite_run("versions", add_tests);
}
