/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which process and thread of a trace each lane is written to. */
#ifndef FLAMETTY_EXPORT_PLACES_H
#define FLAMETTY_EXPORT_PLACES_H

#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

struct place {
	int64_t pid, tid;
	bool is_new; /* made up: no lane before has it */
};

/* By lane; to be freed. is_split: samples get a thread of their own where slices stand on theirs.
 */
struct place *places_of(const struct profile *profile, bool is_split);

#endif
