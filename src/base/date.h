/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dates and times of day of the Gregorian calendar. Only date_parse() knows time zones. */
#ifndef FLAMETTY_BASE_DATE_H
#define FLAMETTY_BASE_DATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for any of the texts. */
#define DATE_MAX 48

/* The days from 1970-01-01 to a date. month, day: counted from 1. */
int64_t date_days(int64_t year, int64_t month, int64_t day);

/* Read a date and time as RFC 3339 has it, to ns since 1970: `2023-11-14T22:13:20.5+01:00`. Without
 * a time zone it is UTC. */
bool date_parse(const char *text, size_t len, int64_t *ns);

/* Format seconds since 1970: `2025-05-10 13:46:25`, with `between` as the character between date
 * and time. */
void date_format(int64_t seconds, char between, char out[DATE_MAX]);

/* Format the time of day of `ns` since 1970 with up to 9 decimals, not rounded:
 * `13:46:25.123`. */
void date_clock(int64_t ns, int decimals, char out[DATE_MAX]);

#endif
