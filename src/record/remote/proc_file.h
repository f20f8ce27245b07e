/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of one process in /proc, or in a folder like it. */
#ifndef FLAMETTY_REMOTE_PROC_FILE_H
#define FLAMETTY_REMOTE_PROC_FILE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define PROC_FILE_PATH 512

/* The path `proc/pid/name`. */
void proc_file_path(char out[PROC_FILE_PATH], const char *proc, pid_t pid, const char *name);

/* Append the file: about `most` bytes at most. Returns false if it cannot be read. */
bool proc_file_read(const char *proc, pid_t pid, const char *name, size_t most, struct buf *out);

/* Append what a link names. Returns false if it is none, or may not be read. */
bool proc_file_link(const char *proc, pid_t pid, const char *name, struct buf *out);

#endif
