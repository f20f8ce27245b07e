/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only clocks of the program. Nothing that is printed about a file depends on them. */
#ifndef FLAMETTY_BASE_CLOCK_H
#define FLAMETTY_BASE_CLOCK_H

#include <stdint.h>

/* Nanoseconds on a clock that never runs backwards. */
int64_t clock_ns(void);

/* Nanoseconds of a processor that this process has used. */
int64_t clock_used_ns(void);

/* Nanoseconds since 1970, by the wall clock, which can be set. */
int64_t clock_wall_ns(void);

#endif
