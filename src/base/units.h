/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as short text: times with three significant figures and a unit, counts in groups of three
 * digits, shares in percent. */
#ifndef FLAMETTY_BASE_UNITS_H
#define FLAMETTY_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NS_PER_US INT64_C(1000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)
#define NS_PER_MIN (60 * NS_PER_S)

/* Room for any of the texts. */
#define UNITS_MAX 48

/* part * num / den, rounded down, where the product may be too large for 64 bits: then the last
 * bits may differ, and a result that is too large is INT64_MAX. part: from 0 on; num, den: from 1
 * on. */
int64_t units_part(int64_t part, int64_t num, int64_t den);

/* Format a time with three significant figures: `12.4 ms`, `830 ns`, `1.24 s`, `3 min 20 s`. ns:
 * any value. */
void units_time(int64_t ns, char out[UNITS_MAX]);

/* A length of which less than a millisecond does not matter: `45 ms`, `3.91 s`. */
void units_time_whole(int64_t ns, char out[UNITS_MAX]);

/* The same as units_time() with as many more digits as tell times `step` ns apart: `20.487 s`. step
 * 0: none. */
void units_time_near(int64_t ns, int64_t step, char out[UNITS_MAX]);

/* Format the time of a mark on a ruler whose marks are `step` ns apart: with as many digits as are
 * needed to distinguish two marks (`1.20 s`, `350 ms`, `1 h 20 min`). A step of a minute or more
 * must be a number of whole minutes, hours or days. */
void units_mark(int64_t ns, int64_t step, char out[UNITS_MAX]);

/* Format exact microseconds, with a fraction if there is one: `12 345.678 µs`. */
void units_exact(int64_t ns, char out[UNITS_MAX]);

/* The same in nanoseconds: `12 345 678 ns`. */
void units_exact_ns(int64_t ns, char out[UNITS_MAX]);

/* Format a count in groups of three digits, separated by a blank: `12 044`. */
void units_count(uint64_t n, char out[UNITS_MAX]);

/* Format the share of part in whole: `18.3 %`; `-` when whole <= 0. */
void units_percent(int64_t part, int64_t whole, char out[UNITS_MAX]);

/* The same in whole percent, rounded: `18 %`; `<1 %` for a small one that is not 0. */
void units_share(int64_t part, int64_t whole, char out[UNITS_MAX]);

/* Format a size in powers of ten: `3.21 MB`. */
void units_bytes(int64_t bytes, char out[UNITS_MAX]);

/* Parse `1.2s`, `350ms`, `1200us`, `80ns`, `2min`, `40%` (of `whole` ns), or a bare number of
 * seconds, into ns. Returns false when `text` is none of these. */
bool units_parse_time(const char *text, int64_t whole, int64_t *ns);

/* What a name after a number multiplies it by. */
struct units_scale {
	const char *name;
	double by;
};

/* Parse a decimal number with the name of one of the scales, or with `%` of `whole`. Blanks may
 * stand before the name. Returns false when `text` is none of these, or the result is above
 * 9e18. */
bool units_parse(const char *text, int64_t whole, const struct units_scale *scales, size_t n,
		 int64_t *value);

#endif
