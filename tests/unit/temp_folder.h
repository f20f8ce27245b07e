/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An empty folder of its own for each test that needs files; the two functions are a checked
 * fixture. */
#ifndef FLAMETTY_TESTS_TEMP_FOLDER_H
#define FLAMETTY_TESTS_TEMP_FOLDER_H

#include <check.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder's path, while a test runs. */
static char temp_folder[200];

static inline void temp_folder_make(void)
{
	const char *where = getenv("TMPDIR");

	snprintf(temp_folder, sizeof temp_folder, "%s/flametty-check.XXXXXX",
		 where && strlen(where) < 100 ? where : "/tmp");
	ck_assert(mkdtemp(temp_folder) != NULL);
}

static int temp_folder_before = -1; /* the current directory before temp_folder_enter() */

/* The same, and make it the current directory, as sources are read below that. */
static inline void temp_folder_enter(void)
{
	temp_folder_make();
	temp_folder_before = open(".", O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(chdir(temp_folder), 0);
}

static inline int temp_folder_unlink(const char *path, const struct stat *info, int kind,
				     struct FTW *at)
{
	(void)info;
	(void)kind;
	(void)at;
	return remove(path);
}

/* Removes the folder with all that is in it. */
static inline void temp_folder_remove(void)
{
	if (temp_folder_before >= 0) {
		ck_assert_int_eq(fchdir(temp_folder_before), 0);
		close(temp_folder_before);
		temp_folder_before = -1;
	}
	ck_assert_int_eq(nftw(temp_folder, temp_folder_unlink, 8, FTW_DEPTH | FTW_PHYS), 0);
}

/* The path of a file in the folder: `path` has room for `size` bytes. */
static inline void temp_folder_path(char *path, size_t size, const char *name)
{
	ck_assert_int_lt(snprintf(path, size, "%s/%s", temp_folder, name), (int)size);
}

#endif
