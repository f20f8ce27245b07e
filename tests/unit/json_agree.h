/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares our scanner and cursor with json-c: all must read the same from a text. Used by a test
 * over files and by a fuzzer.
 *
 * Both must take a text or both refuse it; what is taken has the same objects, arrays, keys, texts
 * and words in the same order, the same numbers (by the rules of json_number.h) and ends at the
 * same byte. They rightly differ in this:
 * 1. A comma before a closing bracket is forgiven and counted. json-c, when strict, refuses it
 * there, and must agree on the rest once the comma is a blank.
 * 2. NaN, Infinity, numbers like `1.` and keys in single quotes are refused; json-c takes them even
 * when strict.
 * 3. A bare word is refused where it begins, a string with a bad escape at its beginning; json-c
 * names the byte within. So our offset is json-c's, or the beginning of the bare word or string
 * that it lies in. Of a key that has no colon that is said, whatever its escapes.
 * 4. A text that breaks off within a bare word or string is cut, whatever is wrong in that word or
 * string.
 * 5. Control characters in strings are taken; json-c 0.17 and later refuses them when strict.
 * 6. json-c ends at a NUL byte: texts that have one are only read by the scanner.
 * 7. Texts that are no object or array are not for the scanner, nor is UTF-16, nor a text that has
 * the document in a string (base/quoted.h): the stream takes it out before. */
#ifndef FLAMETTY_JSON_AGREE_H
#define FLAMETTY_JSON_AGREE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

enum json_outcome { JSON_TAKEN, JSON_REFUSED, JSON_TOO_DEEP, JSON_NO_DOCUMENT };

/* False when they differ: why is told in `why`. n_edges: how often the text is read again with the
 * end of one of the stream's stretches within it; that must change nothing. outcome: what both made
 * of it. */
bool json_agree(const char *text, size_t len, int n_edges, enum json_outcome *outcome,
		struct buf *why);

/* For a test of this test: one text is for us, the other, of any length, for json-c. */
bool json_agree_with(const char *ours, const char *theirs, struct buf *why);

#endif
