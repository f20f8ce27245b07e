/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CLOCK_MONOTONIC as one number. */
#include "config.h"

#include "base/clock.h"

#include "base/units.h"

#include <time.h>

int64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}
