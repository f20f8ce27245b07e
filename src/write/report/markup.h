/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text inside an element of XML or HTML. */
#ifndef FLAMETTY_REPORT_MARKUP_H
#define FLAMETTY_REPORT_MARKUP_H

#include "base/buf.h"

#include <stddef.h>

/* Append text as the inside of an element, not of an attribute. Characters that XML does not permit
 * become U+FFFD. */
void markup_text(struct buf *out, const char *text, size_t len);

#endif
