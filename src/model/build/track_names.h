/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and sort order of processes and threads, as a trace states them. */
#ifndef FLAMETTY_BUILD_TRACK_NAMES_H
#define FLAMETTY_BUILD_TRACK_NAMES_H

#include "base/hash_table.h"
#include "base/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A thread, or a process (tid LANE_NO_ID), that was named or sorted. */
struct track_name {
	int64_t pid, tid;
	uint32_t of;  /* the input; after track_names_group() the group of lanes */
	str_id name;  /* 0: none */
	str_id title; /* of a thread with a page: stands for its name in the names of lanes; 0: none
		       */
	str_id page;
	int64_t sort; /* sort index; lower first */
	int rank;     /* among equal sort indices; 0: main thread; has_sort: both are stated */
	bool has_sort, has_lane;
};

struct track_names {
	struct track_name *list;
	size_t n, cap;
	struct hash_table index; /* by pid, tid and `of` */
};

void track_names_done(struct track_names *names);

/* The entry of a process or thread, or NULL. Valid until the next one is added. */
const struct track_name *track_names_find(const struct track_names *names, uint32_t of, int64_t pid,
					  int64_t tid);

/* The same for a lane, of which the entry keeps note. */
const struct track_name *track_names_use(struct track_names *names, uint32_t of, int64_t pid,
					 int64_t tid);

/* The same, added if there is none. */
struct track_name *track_names_get(struct track_names *names, uint32_t of, int64_t pid,
				   int64_t tid);

/* Join the names that inputs of one group state; what a later input states counts. group: by input.
 */
void track_names_group(struct track_names *names, const uint32_t *group);

#endif
