/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hottest lines with their text, for --table=lines. */
#ifndef FLAMETTY_REPORT_LINE_TABLE_H
#define FLAMETTY_REPORT_LINE_TABLE_H

#include "write/report/page.h"

/* Whether the user asked for it. */
bool line_table_is_wanted(const struct report_options *options);

/* Append the text of a line as one more cell of CSV, with its comma; empty: there is no text. */
void line_table_cell(const struct gathered *gathered, const struct hot_line *line, struct buf *out);

/* Append the text of a line as a member of a JSON object, if the user asked for it: `, "text":
 * "..."`, or null. */
void line_table_member(const struct gathered *gathered, const struct hot_line *line,
		       struct buf *out);

/* Append the table to a page. */
void line_table_page(struct page *page);

#endif
