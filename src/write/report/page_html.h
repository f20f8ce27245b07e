/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text and cells of the page as HTML. Names are limited in cells and in bytes, so that the length
 * of a page follows its number of rows. */
#ifndef FLAMETTY_REPORT_PAGE_HTML_H
#define FLAMETTY_REPORT_PAGE_HTML_H

#include "write/report/page.h"

/* Append text in visible form as the inside of an element. is_path: of a long one the end stays. */
void page_html_text(struct buf *out, const char *text, size_t len, bool is_path);

#endif
