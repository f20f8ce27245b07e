/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which URLs of several runs are the same file.
 *
 * Group: runs of one side that share files; its URLs are those of one program at one place. Two
 * URLs of one group are two files. A URL is the same file in all groups. The URLs that only one of
 * two groups has are the same file
 *
 * 1. if they are equal without version, hash and query, and no other URL of either group is; or
 * 2. if they are equal below two directories, to which more files of the groups point than to any
 *    other two, such as `/app/a/` and `/home/u/`. Files that could be two others stay apart. */
#ifndef FLAMETTY_ANALYSE_COMPARE_MATCH_FILE_H
#define FLAMETTY_ANALYSE_COMPARE_MATCH_FILE_H

#include "base/buf.h"
#include "base/intern.h"

#include <stdint.h>

/* A file of a group. */
struct match_url {
	str_id url;
	const char *text; /* borrowed */
};

/* Pair the files that are only in one of two groups: of[i]: the index in `b` of the file that a[i]
 * is; UINT32_MAX: none. */
void match_file_pair(const struct match_url *a, uint32_t n_a, const struct match_url *b,
		     uint32_t n_b, uint32_t *of);

#endif
