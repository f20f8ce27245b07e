/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text from a profile is untrusted data. This module decodes it, measures it in terminal cells,
 * makes all characters visible that could control a terminal, and truncates it. */
#ifndef FLAMETTY_BASE_TEXT_H
#define FLAMETTY_BASE_TEXT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEXT_REPLACEMENT 0xFFFDu

/* Decode the code point at *p, before `end`, and move *p past it. Bytes that are not UTF-8
 * (overlong forms, surrogates, truncated sequences) give U+FFFD, one for each maximal ill-formed
 * part, as Unicode 3.9 recommends. *p must be < end. */
uint32_t text_next(const char **p, const char *end);

/* Whether the code point that text_next() gave for the bytes [from, to) replaces ill-formed ones. A
 * U+FFFD that is in the text has three bytes and is valid. */
static inline bool text_is_ill_formed(uint32_t cp, const char *from, const char *to)
{
	return cp == TEXT_REPLACEMENT && !(to - from == 3 && (unsigned char)*from == 0xEF);
}

/* Number of cells of a printable code point: 0 (combining), 1 or 2. */
int text_width(uint32_t cp);

/* Whether a code point must never reach a terminal: C0, DEL, C1, bidirectional controls, line
 * separators, and other invisible format controls. */
bool text_is_control(uint32_t cp);

/* Write the visible form of a control: `^[`, `<9B>`, `<202E>`. */
void text_control(uint32_t cp, char out[12]);

/* Append `len` bytes of text, with controls in their visible form and ill-formed bytes as
 * U+FFFD. */
void text_visible(struct buf *out, const char *text, size_t len);

/* More cells than any screen has: what a text needs beyond them does not matter. */
#define TEXT_CELLS_MAX 4096

/* Number of cells of `len` bytes of text, with controls in their visible form. The result
 * is TEXT_CELLS_MAX or somewhat more for texts that have more cells than that, and for texts of
 * more than 16 bytes for each of these cells. */
int text_cells(const char *text, size_t len);

/* Append the text as it is, but of a very long one only the two ends: text_fit() and
 * text_fit_end() make the same of them as of the whole text, for any width below
 * TEXT_CELLS_MAX. */
void text_add_ends(struct buf *out, const char *text, size_t len);

/* Append the visible form of the text, truncated to at most `width` cells. A text that is too long
 * loses its middle, which U+2026 marks (`pars…sult`). Returns the number of cells used. */
int text_fit(struct buf *out, const char *text, size_t len, int width);

/* The same, but the end is lost and nothing marks that: for a few cells, where a mark would take
 * the room of a letter. */
int text_fit_start(struct buf *out, const char *text, size_t len, int width);

/* The same, but the beginning is lost, which U+2026 marks: for paths, whose end says most. */
int text_fit_end(struct buf *out, const char *text, size_t len, int width);

/* Append text as the inside of a JSON string: valid UTF-8, controls escaped. */
void text_json(struct buf *out, const char *text, size_t len);

/* The value of the two hexadecimal digits at `p`, as in %2F; -1 when they are not hexadecimal
 * digits. `p` must be NUL-terminated. */
int text_hex_pair(const char *p);

/* Append the text with U+FFFD for ill-formed bytes. Returns false, and appends nothing, when the
 * text was valid. */
bool text_repair(struct buf *out, const char *text, size_t len);

/* Whether a text is one of n. */
bool text_is_any(const char *text, const char *const *list, size_t n);

/* Append a word for a POSIX shell: in quotes if it needs them. */
void text_shell(struct buf *out, const char *word);

/* Append the path of a request without what differs from request to request, which is a guess at
 * its route: `/users/:n`. */
void text_add_route(struct buf *out, const char *path, size_t len);

struct near_word {
	const char *word; /* the misspelt one; borrowed, not NUL-terminated */
	size_t len;
	const char *best; /* borrowed; NULL: no candidate is near */
	int distance;     /* of the best */
};

void near_word_begin(struct near_word *near, const char *word, size_t len);

/* Consider a candidate. Of equally near ones, the first stays the best. */
void near_word_try(struct near_word *near, const char *candidate);

#endif
