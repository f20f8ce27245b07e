/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of lanes. */
#ifndef FLAMETTY_MODEL_BUILD_LANE_ORDER_H
#define FLAMETTY_MODEL_BUILD_LANE_ORDER_H

#include "model/profile.h"

struct builder;
struct thread_names;

/* The entry of a process or thread (pid, tid) that input `of` names; added if there is none. Valid
 * until the next one is added. */
struct track_name *thread_names_get(struct thread_names *names, uint32_t of, int64_t pid,
				    int64_t tid);

/* Sort the lanes, give them their ids, and the names of their processes and threads; list those
 * that have a name and no lane. */
void lane_order(struct builder *b);

/* Set `name` of all inputs, and shows_tid, shows_file and `name` of all lanes, which must be in
 * order. */
void unique_names_resolve(struct profile *profile);

#endif
