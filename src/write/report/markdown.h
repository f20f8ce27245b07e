/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text from a profile as Markdown (CommonMark, and the tables of GitHub), which it cannot break:
 * no markup, link, mention of a user, HTML or new line comes of it, inside a table or outside. */
#ifndef FLAMETTY_REPORT_MARKDOWN_H
#define FLAMETTY_REPORT_MARKDOWN_H

#include "base/buf.h"

#include <stddef.h>

/* Append a name as code, in visible form (text_visible()); nothing if it is empty. */
void markdown_code(struct buf *out, const char *text, size_t len);

/* Append a sentence. Words that could be markup become code. Blanks between words become one. */
void markdown_words(struct buf *out, const char *text, size_t len);

#endif
