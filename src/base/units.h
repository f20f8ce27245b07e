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

/* Room for any of the texts. The functions that format a number give back `out`: with UNITS_ROOM,
 * units_time(ns, UNITS_ROOM) is a text that stays until the end of the block. */
#define UNITS_MAX 48
#define UNITS_ROOM ((char[UNITS_MAX]){ 0 })

/* part * num / den, rounded down, where the product may be too large for 64 bits: then the last
 * bits may differ, and a result that is too large is INT64_MAX. part: from 0 on; num, den: from 1
 * on. */
int64_t units_part(int64_t part, int64_t num, int64_t den);

/* a + b; a sum that does not fit, as of a damaged file, is the number next to it that does. */
static inline int64_t units_sum(int64_t a, int64_t b)
{
	int64_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		return a < 0 ? INT64_MIN : INT64_MAX;
	return sum;
}

/* Format a time with three significant figures: `12.4 ms`, `830 ns`, `1.24 s`, `3 min 20 s`. ns:
 * any value. */
const char *units_time(int64_t ns, char out[UNITS_MAX]);

/* A length of which less than a millisecond does not matter: `45 ms`, `3.91 s`. */
const char *units_time_whole(int64_t ns, char out[UNITS_MAX]);

/* Format exact microseconds, with a fraction if there is one: `12 345.678 µs`. */
const char *units_exact(int64_t ns, char out[UNITS_MAX]);

/* The same in nanoseconds: `12 345 678 ns`. */
const char *units_exact_ns(int64_t ns, char out[UNITS_MAX]);

/* Format a count in groups of three digits, separated by a blank: `12 044`. */
const char *units_count(uint64_t n, char out[UNITS_MAX]);

/* Format the share of part in whole: `18.3 %`; `-` when whole <= 0. */
const char *units_percent(int64_t part, int64_t whole, char out[UNITS_MAX]);

/* The same in whole percent, rounded: `18 %`; `<1 %` for a small one that is not 0. */
const char *units_share(int64_t part, int64_t whole, char out[UNITS_MAX]);

/* Format a size in powers of ten: `3.21 MB`. */
const char *units_bytes(int64_t bytes, char out[UNITS_MAX]);

/* Parse `1.2s`, `350ms`, `1200us`, `80ns`, `2min`, `40%` (of `whole` ns), or a bare number of
 * seconds, into ns. Returns false when `text` is none of these. */
bool units_parse_time(const char *text, int64_t whole, int64_t *ns);

#define UNITS_FEW_SAMPLES 200 /* fewer leave shares so inexact that it is said */

/* The relative error of a share of 100 % of n samples, in percent: 100 / sqrt(n), rounded. n: above
 * 0. */
unsigned units_sampling_percent(uint64_t n);

/* Twice the standard error that sampling causes in a time that is `share` of the whole (0 to 1; 0:
 * of no whole): of k samples, 2 sqrt(k (1 - share) + 1) samples. sample_ns: the time for which each
 * sample stands, above 0. */
double units_sampling_error(int64_t ns, double sample_ns, double share);

enum amount_kind { AMOUNT_TIME, AMOUNT_BYTES, AMOUNT_COUNT };

/* A zeroed struct is the unit of times. */
struct amount_unit {
	enum amount_kind kind;
	int64_t ns; /* each byte or thing; 0: of times */
};

/* Whether values are times. */
static inline bool amount_is_time(const struct amount_unit *unit)
{
	return unit->kind == AMOUNT_TIME;
}

/* `time`, `bytes`, `count`: static text. */
const char *amount_name(const struct amount_unit *unit);

/* What the names of members (JSON) and columns (CSV) end with. Those of times: `_us`. */
static inline const char *amount_member_end(const struct amount_unit *unit)
{
	return amount_is_time(unit) ? "_us" : "";
}

const char *amount_column_end(const struct amount_unit *unit);

/* A value as a number of bytes or things, rounded towards 0; of a time, ns. */
static inline int64_t amount_number(const struct amount_unit *unit, int64_t ns)
{
	return unit->ns > 1 ? ns / unit->ns : ns;
}

/* Format a value with three significant figures: `12.4 ms`, `3.21 MB`, `12 044`, `1.24 M`. */
const char *amount_text(const struct amount_unit *unit, int64_t ns, char out[UNITS_MAX]);

/* The same with as many more digits as tell values `step` apart: `20.487 s`. step 0: none. */
const char *amount_near(const struct amount_unit *unit, int64_t ns, int64_t step,
			char out[UNITS_MAX]);

/* Format the mark of a ruler whose marks are `step` apart: with as many digits as are needed to
 * distinguish two marks (`1.20 s`, `350 ms`, `1 h 20 min`). A step of a minute or more must be a
 * number of whole minutes, hours or days. */
const char *amount_mark(const struct amount_unit *unit, int64_t ns, int64_t step,
			char out[UNITS_MAX]);

/* Format all digits: `12 345.678 µs`, `99 228 504 B`, `12 044`. */
const char *amount_exact(const struct amount_unit *unit, int64_t ns, char out[UNITS_MAX]);

/* Parse a value: of times as units_parse_time() does, of bytes `12`, `12B`, `3.2MB` or `40%`, of
 * things a number with or without `k`, `M` or `G`, or `40%`. Returns false when `text` is none. */
bool amount_parse(const struct amount_unit *unit, const char *text, int64_t whole, int64_t *ns);

/* Words about times as they are for the unit: of bytes and counts, a copy in `out` where `time` is
 * `bytes` or `count`: `self bytes`. Words that do not fit there, and those of times, are given back
 * as they are. */
#define AMOUNT_WORDS_MAX 96

const char *amount_words(const struct amount_unit *unit, const char *words,
			 char out[AMOUNT_WORDS_MAX]);

/* What amount_parse() takes, for error messages: `1.2s, 350ms, 1200us`. */
const char *amount_examples(const struct amount_unit *unit);

/* ---- date ----
 *
 * Dates and times of day of the Gregorian calendar. Only date_parse() knows time zones. */

/* Room for any of the texts. */
#define DATE_MAX 48

/* The days from 1970-01-01 to a date. month, day: counted from 1. */
int64_t date_days(int64_t year, int64_t month, int64_t day);

/* Read a date and time as RFC 3339 has it, to ns since 1970: `2023-11-14T22:13:20.5+01:00`. Without
 * a time zone it is UTC. */
bool date_parse(const char *text, size_t len, int64_t *ns);

/* The same to seconds, also of names of files and in part: `2026-11-28`, `2026-11-28T03`,
 * `2026-11-28_03-12-44Z`, `20261128.031244`, or the seconds themselves, of 9 or 10 digits. What
 * follows does not matter. */
bool date_parse_short(const char *text, int64_t *seconds);

/* Format seconds since 1970: `2025-05-10 13:46:25`, with `between` as the character between date
 * and time. */
void date_format(int64_t seconds, char between, char out[DATE_MAX]);

/* Format the time of day of `ns` since 1970 with up to 9 decimals, not rounded:
 * `13:46:25.123`. */
void date_clock(int64_t ns, int decimals, char out[DATE_MAX]);

#endif
