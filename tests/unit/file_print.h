/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fingerprint that loading a file leaves, for tests that read the file again; and the ways in
 * which a file changes in the meantime. */
#ifndef FLAMETTY_TESTS_FILE_PRINT_H
#define FLAMETTY_TESTS_FILE_PRINT_H

#include "base/stream/stream.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Read a whole file. fingerprint_done() by the caller. */
static inline struct fingerprint file_print(const char *path)
{
	static char block[1 << 16];
	struct error err = ERROR_INIT;
	struct stream *s = stream_open(path, NULL, &err);
	struct fingerprint print;
	ptrdiff_t n;

	ck_assert_msg(s != NULL, "%s: %s", path, err.text);
	while ((n = stream_read(s, block, sizeof block, &err)) > 0)
		;
	ck_assert_msg(n == 0, "%s: %s", path, err.text);
	stream_take_fingerprint(s, &print);
	stream_close(s);
	return print;
}

static inline void file_write(const char *path, const char *bytes, size_t len)
{
	FILE *file = fopen(path, "w");

	ck_assert(file != NULL);
	ck_assert_uint_eq(fwrite(bytes, 1, len, file), len);
	ck_assert_int_eq(fclose(file), 0);
}

/* Write bytes in place, and put the time of the last change back. */
static inline void file_overwrite(const char *path, int64_t at, const char *bytes, size_t len)
{
	struct timespec times[2];
	struct stat st;
	int fd = open(path, O_WRONLY);

	ck_assert(fd >= 0 && fstat(fd, &st) == 0);
	ck_assert_int_eq(pwrite(fd, bytes, len, (off_t)at), (ssize_t)len);
	times[0] = st.st_atim;
	times[1] = st.st_mtim;
	ck_assert_int_eq(futimens(fd, times), 0);
	close(fd);
}

/* Put another file of the same bytes and the same time in its place. */
static inline void file_replace(const char *path, const char *bytes, size_t len)
{
	struct timespec times[2];
	struct stat st;
	char other[600];

	ck_assert_int_lt(snprintf(other, sizeof other, "%s.other", path), (int)sizeof other);
	file_write(other, bytes, len);
	ck_assert_int_eq(stat(path, &st), 0);
	times[0] = st.st_atim;
	times[1] = st.st_mtim;
	ck_assert_int_eq(utimensat(AT_FDCWD, other, times, 0), 0);
	ck_assert_int_eq(rename(other, path), 0);
}

static inline void file_make_fifo(const char *path)
{
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
}

#endif
