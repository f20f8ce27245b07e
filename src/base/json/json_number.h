/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of JSON: their grammar, and their value as a scaled whole number. */
#ifndef FLAMETTY_BASE_JSON_JSON_NUMBER_H
#define FLAMETTY_BASE_JSON_JSON_NUMBER_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum number_kind {
	NUMBER_INTEGER, /* value is exact */
	NUMBER_ROUNDED, /* had a fraction, or more digits than fit */
	NUMBER_HUGE,    /* out of range: value is the nearest that fits */
	NUMBER_NONE     /* not a number: it was skipped */
};

/* Whether the text is a number by RFC 8259, section 6. */
bool json_number_is(const char *text, size_t len);

/* Parse a number. value: the number times 10^scale, 0 <= scale <= 9, rounded half away from zero.
 * Returns false, with NUMBER_NONE, when the text is no number. */
bool json_number_parse(const char *text, size_t len, int scale, int64_t *value,
		       enum number_kind *kind);

/* Whether a key (the bytes between its quotes) says `name`, which is letters, digits and `_`. */
bool json_key_is(struct str key, const char *name);

#endif
