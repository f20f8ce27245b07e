/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sign of a slice with flows. */
#ifndef FLAMETTY_LAYOUT_FLOW_SIGN_H
#define FLAMETTY_LAYOUT_FLOW_SIGN_H

#include "draw/chart.h"

/* Whether a flow leads on from a span of lane `lane`, or flows only end in it: one character of
 * static text. NULL: it has no flow. */
const char *flow_sign(const struct chart *chart, int lane, const struct span *span);

#endif
