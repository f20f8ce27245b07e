/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as short text: times with three significant figures and a unit,
 * counts with thin groups, shares in percent. */
#ifndef FLAMETTY_BASE_UNITS_H
#define FLAMETTY_BASE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#define NS_PER_US INT64_C(1000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)

/* Room for any of the texts below. */
#define UNITS_MAX 48

/* `12.4 ms`, `830 ns`, `1.24 s`, `3 min 20 s`: three significant figures.
 * ns: any value. */
void units_time(int64_t ns, char out[UNITS_MAX]);

/* Time as a mark on a ruler whose marks lie `step` ns apart: as many digits as
 * tell two marks apart (`1.20 s`, `350 ms`). */
void units_mark(int64_t ns, int64_t step, char out[UNITS_MAX]);

/* Exact microseconds with a fraction where there is one: `12 345.678 µs`. */
void units_exact(int64_t ns, char out[UNITS_MAX]);

/* `12 044`: groups of three, parted by a blank. */
void units_count(uint64_t n, char out[UNITS_MAX]);

/* `18.3 %` of part in whole; `-` when whole is not above 0. */
void units_percent(int64_t part, int64_t whole, char out[UNITS_MAX]);

/* `3.2 MB` (powers of ten). */
void units_bytes(int64_t bytes, char out[UNITS_MAX]);

/* Parse `1.2s`, `350ms`, `1200us`, `80ns`, `40%` (of `whole` ns), or a bare number
 * of seconds, into ns. Returns false when `text` is none of these. */
bool units_parse_time(const char *text, int64_t whole, int64_t *ns);

#endif
