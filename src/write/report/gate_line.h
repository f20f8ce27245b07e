/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of a gate, in words. */
#ifndef FLAMETTY_REPORT_GATE_LINE_H
#define FLAMETTY_REPORT_GATE_LINE_H

#include "analyse/gate/gate_result.h"
#include "base/buf.h"

/* Append `gc > 5%: 14.2 % (205 ms of 1.45 s busy)`. */
void gate_line_figure(const struct gate_result *result, const struct profile *profile,
		      struct buf *out);

/* Append `formatPrice catalogue.js:28:21 14.2 %`, `render ...`, `3 more functions`, with the
 * separator between them; nothing if there are none. profile: has the texts of the frames. */
void gate_line_functions(const struct gate_result *result, const struct profile *profile,
			 const char *separator, struct buf *out);

/* Append `formatPrice catalogue.js:28:21`, truncated if it is long. */
void gate_line_name(const struct frame *frame, const struct profile *profile, struct buf *out);

/* What became of a gate, for a page. */
static inline const char *gate_line_result(bool has_failed, bool is_open)
{
	return is_open ? "not decided" : has_failed ? "failed" : "passed";
}

/* Append why the gate is not decided; nothing if it is. */
void gate_line_doubt(const struct gate_result *result, struct buf *out);

#endif
