/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The size of a file of /proc is not known before it is read. */
#include "config.h"

#include "record/remote/proc_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

void proc_file_path(char out[PROC_FILE_PATH], const char *proc, pid_t pid, const char *name)
{
	snprintf(out, PROC_FILE_PATH, "%s/%d/%s", proc, (int)pid, name);
}

bool proc_file_read(const char *proc, pid_t pid, const char *name, size_t most, struct buf *out)
{
	char path[PROC_FILE_PATH], piece[4096];
	ssize_t n = 0;
	int fd;

	proc_file_path(path, proc, pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	while (out->len < most && (n = read(fd, piece, sizeof piece)) > 0)
		buf_add(out, piece, (size_t)n);
	close(fd);
	return n >= 0;
}

bool proc_file_link(const char *proc, pid_t pid, const char *name, struct buf *out)
{
	char path[PROC_FILE_PATH], text[PROC_FILE_PATH];
	ssize_t n;

	proc_file_path(path, proc, pid, name);
	n = readlink(path, text, sizeof text);
	if (n > 0)
		buf_add(out, text, (size_t)n);
	return n > 0;
}
