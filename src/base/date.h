/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dates and times of day of the Gregorian calendar, without time zones. */
#ifndef FLAMETTY_BASE_DATE_H
#define FLAMETTY_BASE_DATE_H

#include <stdint.h>

/* Room for any of the texts. */
#define DATE_MAX 48

/* The days from 1970-01-01 to a date. month, day: counted from 1. */
int64_t date_days(int64_t year, int64_t month, int64_t day);

/* Format seconds since 1970: `2025-05-10 13:46:25`, with `between` as the character between date
 * and time. */
void date_format(int64_t seconds, char between, char out[DATE_MAX]);

/* Format the time of day of `ns` since 1970 with up to 9 decimals, not rounded:
 * `13:46:25.123`. */
void date_clock(int64_t ns, int decimals, char out[DATE_MAX]);

#endif
