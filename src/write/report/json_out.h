/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of the JSON report. */
#ifndef FLAMETTY_REPORT_JSON_OUT_H
#define FLAMETTY_REPORT_JSON_OUT_H

#include "write/report/report.h"

#include <stdbool.h>

/* A value of the profile: of times, microseconds with a fraction of three digits unless it is 0; of
 * bytes or counts, their number. */
void json_out_value(struct buf *out, const struct profile *p, int64_t ns);

/* The name of a member for a value, whose quotation mark is open, and a colon: `, "self` becomes
 * `, "self_us": `, or `, "self": ` where values are no times. json_out_member(): with the value. */
void json_out_name(struct buf *out, const struct profile *p, const char *name);
void json_out_member(struct buf *out, const struct profile *p, const char *name, int64_t ns);

/* A string with its quotes. json_out_string(): id 0 is written as null. */
void json_out_text(struct buf *out, const char *text, size_t len);
void json_out_string(struct buf *out, const struct profile *p, str_id id);

/* A whole number, or null if it is not known. */
void json_out_known(struct buf *out, int64_t value, bool is_known);

/* The members of a function: `"name": ..., "url": ..., "script": ..., "line": ..., "column": ...,
 * "category": ..., "package": ...` */
void json_out_frame(struct buf *out, const struct profile *p, const struct frame *frame);

/* Of a function of a source, `, "in_script": {...}`: name and place in the script that ran. Nothing
 * of others. */
void json_out_in_script(struct buf *out, const struct profile *p, frame_id id);

#endif
