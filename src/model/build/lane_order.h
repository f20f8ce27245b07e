/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of lanes. */
#ifndef FLAMETTY_MODEL_BUILD_LANE_ORDER_H
#define FLAMETTY_MODEL_BUILD_LANE_ORDER_H

#include "model/profile.h"

struct builder;

/* Sort the lanes, give them their ids, and the names of their processes and threads. */
void lane_order(struct builder *b);

/* Set `name` of all inputs, and shows_tid, shows_file and `name` of all lanes, which must be in
 * order. */
void unique_names_resolve(struct profile *profile);

#endif
