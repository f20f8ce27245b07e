/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one clock of the program. Nothing that is printed depends on it. */
#ifndef FLAMETTY_BASE_CLOCK_H
#define FLAMETTY_BASE_CLOCK_H

#include <stdint.h>

/* ns on a clock that never goes back. */
int64_t clock_ns(void);

#endif
