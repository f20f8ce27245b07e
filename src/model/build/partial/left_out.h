/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells the user what partial loading left out. */
#ifndef FLAMETTY_BUILD_PARTIAL_LEFT_OUT_H
#define FLAMETTY_BUILD_PARTIAL_LEFT_OUT_H

struct builder;

/* Warn of each input that has samples or slices that were not kept. Lanes must be complete. */
void left_out_warn(struct builder *b);

#endif
