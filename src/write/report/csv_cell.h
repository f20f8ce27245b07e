/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text as a cell of comma-separated values. */
#ifndef FLAMETTY_REPORT_CSV_CELL_H
#define FLAMETTY_REPORT_CSV_CELL_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* Append `len` bytes of text as a cell of RFC 4180: in visible form (text_visible), and quoted
 * where necessary. Spreadsheets compute cells that begin with = + - or @: such a text gets an
 * apostrophe in front, except for names of scoped packages (`@scope/name`). A text that begins with
 * apostrophes and one of these characters gets one more, so that the text can be found again.
 * is_raw: no apostrophe is added. */
void csv_cell_text(struct buf *out, const char *text, size_t len, bool is_raw);

#endif
