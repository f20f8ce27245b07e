/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trunk of a lane: the outermost calls that last over nearly all of the window and only start
 * or schedule the program. They say nothing about the time in it, so the chart folds their rows
 * into one. */
#ifndef FLAMETTY_ANALYSIS_TRUNK_H
#define FLAMETTY_ANALYSIS_TRUNK_H

#include "model/profile.h"

/* The number of rows of the trunk in [t0, t1), from depth 0 on: each is one span over at least 95 %
 * of that range, of code of Node.js or another runtime, of the engine, of a bundler, or of a module
 * as a whole. 0: there are fewer than two such rows. The innermost call is never part of it. For
 * lanes of samples with a time line; 0 for all others. */
int trunk_rows(const struct profile *profile, const struct lane *lane, int64_t t0, int64_t t1);

/* The span of the trunk at a depth below trunk_rows(). */
void trunk_span(const struct lane *lane, int64_t t0, int64_t t1, int depth, struct span *out);

/* Whether a frame is the code of a module outside of all functions, which runs when the module is
 * loaded: it has no name and is at the start of its file. */
bool trunk_is_module(const struct profile *profile, const struct frame *frame);

#endif
