/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings of the summary as sentences. */
#ifndef FLAMETTY_LAYOUT_FINDINGS_H
#define FLAMETTY_LAYOUT_FINDINGS_H

#include "analysis/summary.h"
#include "base/buf.h"

/* Append a line of at most `room` cells, without a line end. has_lane: name the lane of a stretch.
 */
void findings_format(const struct profile *profile, const struct finding *finding, bool has_lane,
		     int room, struct buf *out);

/* The name of a kind for machine-readable output: `gc`, `function`, `busy`, `pause`, `recursion`.
 */
const char *findings_name(enum finding_kind kind);

#endif
