/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pattern that somebody types: a Perl-compatible regular expression, or plain text. Case
 * matters only if the pattern has a capital letter. No pattern can hang the program: one
 * that tries too long on a text is taken not to match it. */
#ifndef FLAMETTY_ANALYSIS_PATTERN_H
#define FLAMETTY_ANALYSIS_PATTERN_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct pattern;

/* is_plain: the text is taken literally. NULL with err set: kind ERR_SYNTAX, and the offset
 * is the byte of the pattern that it was at. */
struct pattern *pattern_new(const char *text, size_t len, bool is_plain, struct error *err);
void pattern_free(struct pattern *pattern);

/* Whether `text` has a match, and where the first one is: bytes [*from, *end). Both may be
 * NULL. What is no UTF-8 counts as U+FFFD. */
bool pattern_find(struct pattern *pattern, const char *text, size_t len, size_t *from, size_t *end);

/* On how many texts it was given up. */
size_t pattern_failures(const struct pattern *pattern);

#endif
