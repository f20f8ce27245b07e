/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens files to be read, without waiting for the writer of a FIFO. */
#ifndef FLAMETTY_BASE_OPEN_FILE_H
#define FLAMETTY_BASE_OPEN_FILE_H

#include "base/error.h"
#include "base/fingerprint.h"

#include <stdbool.h>
#include <sys/stat.h>

/* Open a file; "-" is standard input, which the caller must not close. A FIFO without a writer is
 * opened, too. Returns the descriptor and fills *st; -1 and err on failure. */
int open_file(const char *path, struct stat *st, struct error *err);

/* Open a file that was read before: only the same regular file. Returns the descriptor and fills
 * *st; -1 and err on failure. */
int open_file_again(const char *path, const struct fingerprint *before, struct stat *st,
		    struct error *err);

/* Set ERR_IO: the file is not the one that was read. Returns false. */
bool open_file_fail_changed(struct error *err);

#endif
