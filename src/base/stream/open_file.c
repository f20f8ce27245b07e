/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "base/stream/open_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int open_file(const char *path, struct stat *st, struct error *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = STDIN_FILENO;

	*st = (struct stat){ 0 };
	/* Opening a FIFO must not block until there is a writer: the caller waits for it, and
	 * can be cancelled. */
	if (!is_stdin)
		fd = open(path,
			  O_RDONLY | O_CLOEXEC | O_NOCTTY |
				  (stat(path, st) == 0 && S_ISFIFO(st->st_mode) ? O_NONBLOCK : 0));
	if (fd < 0) {
		error_errno(err, errno, "cannot open");
		return -1;
	}
	if (fstat(fd, st) == 0 && S_ISDIR(st->st_mode)) {
		if (!is_stdin)
			close(fd);
		error_errno(err, EISDIR, "cannot read");
		return -1;
	}
	return fd;
}

bool open_file_fail_changed(struct error *err)
{
	return error_set(err, ERR_IO, -1, "the file has changed since it was read");
}

int open_file_again(const char *path, const struct fingerprint *before, struct stat *st,
		    struct error *err)
{
	int fd;

	if (!before->is_known) {
		error_set(err, ERR_IO, -1, "standard input or a pipe cannot be read a second time");
		return -1;
	}
	/* Devices can act on being opened, so look at the name before. */
	if (stat(path, st) != 0) {
		error_errno(err, errno, "cannot open");
		return -1;
	}
	if (!fingerprint_is_of(before, st)) {
		open_file_fail_changed(err);
		return -1;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0) {
		error_errno(err, errno, "cannot open");
		return -1;
	}
	if (fstat(fd, st) == 0 && fingerprint_is_of(before, st))
		return fd;
	close(fd);
	open_file_fail_changed(err);
	return -1;
}
