/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folder into which `flametty watch` writes profiles: their names, and how many there may be.
 *
 * Files are called as Node.js calls them, CPU.DATE.TIME.PID.TID.SEQ.cpuprofile, so that they show
 * their process, thread and date when they are opened. */
#ifndef FLAMETTY_WATCH_FILES_H
#define FLAMETTY_WATCH_FILES_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct watch_files {
	const char *folder; /* NULL: no files are written. Borrowed */
	uint32_t most;      /* files in the folder; then no more are written */
	uint32_t n;         /* in the folder, with those to be written */
	uint32_t number;    /* of the last file, from 1 on */
};

/* Make the folder if it is missing, and count the profiles that it has: the program may have been
 * started again. Returns false and err if nothing can be written there. */
bool watch_files_open(struct watch_files *files, const char *folder, uint32_t most,
		      struct error *err);

/* Append the path of a new file, for a recording that begins at wall_ns. pid: of the process, or
 * the port of its inspector. Returns false if there is no folder, or enough files. */
bool watch_files_name(struct watch_files *files, int64_t wall_ns, int pid, int tid,
		      struct buf *path);

/* Write a file whose name was taken: it is there when it is complete. Returns false and err on
 * failure; then it does not count. */
bool watch_files_write(struct watch_files *files, const char *path, const struct buf *text,
		       struct error *err);

/* A name that was taken is not used. */
void watch_files_drop(struct watch_files *files);

#endif
