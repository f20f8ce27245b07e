/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only clock of the program. Nothing that is printed depends on it. */
#ifndef FLAMETTY_BASE_CLOCK_H
#define FLAMETTY_BASE_CLOCK_H

#include <stdint.h>

/* Nanoseconds on a clock that never runs backwards. */
int64_t clock_ns(void);

#endif
