/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID and CLOCK_REALTIME as one number. */
#include "config.h"

#include "base/clock.h"

#include "base/units.h"

#include <time.h>

static int64_t now(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

int64_t clock_ns(void)
{
	return now(CLOCK_MONOTONIC);
}

int64_t clock_used_ns(void)
{
	return now(CLOCK_PROCESS_CPUTIME_ID);
}

int64_t clock_wall_ns(void)
{
	return now(CLOCK_REALTIME);
}
