/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the scanner's own files share. Private to scan.c and scan_number.c. */
#ifndef FLAMETTY_JSON_SCAN_INNER_H
#define FLAMETTY_JSON_SCAN_INNER_H

#include "base/json/scan.h"

/* The longest number or word, and the longest string that may hold a number. */
#define SCAN_WORD_MOST ((size_t)1 << 20)

static inline bool scan_is_blank(unsigned char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Read more of the document into the window, which may move. Returns false at the end of the
 * document and on failure. */
bool scan_more(struct scan *s);

#endif
