/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a JSON value valid whose brackets and strings were found, but not what is in them: raw
 * control bytes, bytes that are not UTF-8, words like NaN, missing values. For values that are
 * written as they were read. */
#ifndef FLAMETTY_BASE_JSON_JSON_REPAIR_H
#define FLAMETTY_BASE_JSON_JSON_REPAIR_H

#include "base/buf.h"
#include "base/str.h"

#include <stdbool.h>

/* Values that nest deeper are no values to most programs. */
#define JSON_REPAIR_DEPTH 500

/* Whether a value must be repaired before it is written: it is no valid JSON (RFC 8259), nests
 * deeper than JSON_REPAIR_DEPTH, or has raw characters that text_is_control() names. These are
 * valid JSON above 0x1F, but a terminal may obey them. */
bool json_repair_is_needed(struct str text);

/* Append the value `text`, any bytes, as one valid JSON value without blanks:
 *
 *	control characters in strings   escaped; escapes are kept, lone surrogates as well
 *	bytes that are not UTF-8        U+FFFD
 *	words that JSON does not know   the word as a string: "NaN", as Chrome writes it
 *	values that are missing         null in objects, nothing in arrays
 *	values that nest too deeply     null
 *	members, brackets, commas       completed; what follows the value is left out */
void json_repair(struct str text, struct buf *out);

#endif
