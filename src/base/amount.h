/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of profiles as text. A profile measures time, bytes, or a number of things; this is its
 * unit. All values are stored as int64_t, in ns. A value that is no time is stored as the length
 * that it is drawn with: `ns` for each byte or thing. */
#ifndef FLAMETTY_BASE_AMOUNT_H
#define FLAMETTY_BASE_AMOUNT_H

#include "base/units.h"

#include <stdbool.h>
#include <stdint.h>

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
const char *amount_member_end(const struct amount_unit *unit);
const char *amount_column_end(const struct amount_unit *unit);

/* A value as a number of bytes or things, rounded towards 0; of a time, ns. */
int64_t amount_number(const struct amount_unit *unit, int64_t ns);

/* Format a value with three significant figures: `12.4 ms`, `3.21 MB`, `12 044`, `1.24 M`. */
void amount_text(const struct amount_unit *unit, int64_t ns, char out[UNITS_MAX]);

/* The same with as many more digits as tell values `step` apart. step 0: none. */
void amount_near(const struct amount_unit *unit, int64_t ns, int64_t step, char out[UNITS_MAX]);

/* Format the mark of a ruler whose marks are `step` apart, as units_mark() does. */
void amount_mark(const struct amount_unit *unit, int64_t ns, int64_t step, char out[UNITS_MAX]);

/* Format all digits: `12 345.678 µs`, `99 228 504 B`, `12 044`. */
void amount_exact(const struct amount_unit *unit, int64_t ns, char out[UNITS_MAX]);

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

#endif
