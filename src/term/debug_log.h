/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A log of what the interface does and when, for those who look for a delay: keys, pictures, bytes
 * sent. It is written to the file that FLAMETTY_DEBUG names; without that nothing happens. */
#ifndef FLAMETTY_TERM_DEBUG_LOG_H
#define FLAMETTY_TERM_DEBUG_LOG_H

#include "base/error.h"

#include <stdbool.h>

/* Open the file, if one is named. False: it is named, but is no regular file, is a link, or cannot
 * be opened. */
bool debug_log_open(struct error *err) MUST_USE;
void debug_log_close(void);

/* Whether there is a log; what costs time to find out need not be found otherwise. */
bool debug_log_is_open(void);

/* Add a line, with the time since debug_log_open() before it. */
void debug_log_add(const char *format, ...) ERROR_PRINTF(1, 2);

#endif
