/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text from a profile is data: this module decodes it, measures it in cells,
 * makes every character that could steer a terminal visible, and cuts it. */
#ifndef FLAMETTY_BASE_TEXT_H
#define FLAMETTY_BASE_TEXT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEXT_REPLACEMENT 0xFFFDu

/* Decode the code point at *p, not beyond `end`, and move *p behind it. Bytes
 * that are no UTF-8 (overlong forms, surrogates, cut sequences) give U+FFFD, one
 * for each maximal bad part, as Unicode 3.9 recommends. *p must be < end. */
uint32_t text_next(const char **p, const char *end);

/* Cells that a printable code point takes: 0 (combining), 1 or 2. */
int text_width(uint32_t cp);

/* Whether a code point must never reach a terminal: C0, DEL, C1, bidirectional
 * controls, line separators, and other invisible format controls. */
bool text_is_control(uint32_t cp);

/* The visible form of a control: `^[`, `<9B>`, `<202E>`. */
void text_control(uint32_t cp, char out[12]);

/* Append `len` bytes of text with controls in their visible form and bad bytes
 * as U+FFFD. */
void text_visible(struct buf *out, const char *text, size_t len);

/* Cells that `len` bytes of text take, controls in their visible form. */
int text_cells(const char *text, size_t len);

/* Append text cut to at most `width` cells, in the middle and marked by U+2026
 * (`pars…sult`) if it is too long; the visible form. Returns the cells used. */
int text_fit(struct buf *out, const char *text, size_t len, int width);

/* The same, cut at its start: for paths, whose end says most. */
int text_fit_end(struct buf *out, const char *text, size_t len, int width);

/* Append text as the inside of a JSON string: valid UTF-8, controls escaped. */
void text_json(struct buf *out, const char *text, size_t len);

/* The value of the two hexadecimal digits at `p`, as in %2F; -1 where they are none. `p` must be
 * NUL-terminated. */
int text_hex_pair(const char *p);

/* Replace what is no UTF-8 by U+FFFD. Returns false when `text` was all right and
 * nothing was added to `out`. */
bool text_repair(struct buf *out, const char *text, size_t len);

#endif
