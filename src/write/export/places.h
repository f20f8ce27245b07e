/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process and thread numbers that each lane gets in a trace. */
#ifndef FLAMETTY_EXPORT_PLACES_H
#define FLAMETTY_EXPORT_PLACES_H

#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

struct place {
	int64_t pid, tid;
	bool is_new; /* an invented number that no lane before it has */
};

/* The places of all lanes; the caller frees them. is_split: samples get a thread of their own if
 * their thread has slices. */
struct place *places_of(const struct profile *profile, bool is_split);

#endif
