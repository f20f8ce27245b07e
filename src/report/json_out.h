/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values as the JSON report writes them. */
#ifndef FLAMETTY_REPORT_JSON_OUT_H
#define FLAMETTY_REPORT_JSON_OUT_H

#include "report/report.h"

#include <stdbool.h>

/* Nanoseconds as microseconds, with a fraction where there is one. */
void json_out_us(struct buf *out, int64_t ns);

/* A string with its quotes; json_out_string(): null for none. */
void json_out_text(struct buf *out, const char *text, size_t len);
void json_out_string(struct buf *out, const struct profile *p, str_id id);

/* A whole number, or null. */
void json_out_known(struct buf *out, int64_t value, bool is_known);

/* `"name": ..., "url": ..., "script": ..., "line": ..., "column": ..., "category": ..., "package":
 * ...` */
void json_out_frame(struct buf *out, const struct profile *p, const struct frame *frame);

#endif
