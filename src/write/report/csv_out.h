/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields and rows of a table as comma-separated values. */
#ifndef FLAMETTY_WRITE_REPORT_CSV_OUT_H
#define FLAMETTY_WRITE_REPORT_CSV_OUT_H

#include "base/buf.h"
#include "write/report/report.h"

#include <stdbool.h>
#include <stddef.h>

#define CSV_FRAME_HEADINGS "name,url,script,line,column,category,package"
#define CSV_FRAME_FIELDS 7

struct csv {
	const struct gathered *g;
	struct sink *sink;
	struct buf *out; /* of the sink */
	bool has_field;  /* the current row has one */
};

/* Append a field: text in visible form ("csv cell" in csv_out.c), a string of the profile, a
 * number, a value of the profile (a time in microseconds), a number that is unknown if it is
 * negative, or the id of a process or thread. */
void csv_out_text(struct csv *c, const char *text, size_t len);
void csv_out_string(struct csv *c, str_id id);
void csv_out_count(struct csv *c, uint64_t n);
void csv_out_value(struct csv *c, int64_t ns);
void csv_out_known(struct csv *c, int64_t number);
void csv_out_id(struct csv *c, int64_t id);

/* Append the fields of CSV_FRAME_HEADINGS. */
void csv_out_frame(struct csv *c, const struct frame *f);

/* End a row. Returns whether the output takes more. */
bool csv_out_end(struct csv *c);

/* Whether row n is beyond --top. Without that option all rows are written. */
bool csv_out_is_beyond(const struct csv *c, size_t n);

/* Append `len` bytes of text as a cell of RFC 4180: in visible form (text_visible), and quoted
 * where necessary. Spreadsheets compute cells that begin with = + - or @: such a text gets an
 * apostrophe in front, except for names of scoped packages (`@scope/name`). A text that begins with
 * apostrophes and one of these characters gets one more, so that the text can be found again.
 * is_raw: no apostrophe is added. */
void csv_cell_text(struct buf *out, const char *text, size_t len, bool is_raw);

#endif
