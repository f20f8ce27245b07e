/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file of a file_set. */
#ifndef FLAMETTY_READ_LOAD_SET_FILE_H
#define FLAMETTY_READ_LOAD_SET_FILE_H

#include "base/fingerprint.h"

#include <stddef.h>
#include <stdint.h>

struct set_file {
	char *path;
	struct fingerprint print; /* of the last reading; empty before the first one */
	int64_t bytes;            /* 0: unknown */
	uint32_t argument;        /* number of the call of file_set_add() that added it, from 0 */
	size_t folder;            /* number of its directory, from 1; 0: the user named the file */
	/* How many files, from this one on, are read as one trace (file_set.c); 0: it is not the
	 * first of them. */
	size_t n_parts;
	/* Of these files, if there are several: their number, and where it is in the path. */
	int64_t number;
	size_t number_at, number_len;
};

#endif
