/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names on shared cells. A run is a row of shared cells in which one function has most time in
 * each; a stretch is a row of shared cells of one colour without such runs. Private to flame.c. */
#ifndef FLAMETTY_LAYOUT_FLAME_MIX_H
#define FLAMETTY_LAYOUT_FLAME_MIX_H

#include "draw/flame/flame_cell.h"

/* A shared cell, in which `node` has most time: it continues run and stretch, or begins them. Only
 * dense cells, with calls in at least half of their time, make runs. */
void flame_mix_note(struct flame_walk *w, node_id node, bool is_dense);

/* Column `end` is of another kind, or the row has ended: name the run, or the stretch. */
void flame_mix_close(struct flame_walk *w, int end);

/* The role of a shared cell in which `node` has most time: that of one of its first spans there. */
uint8_t flame_mix_role(const struct flame_walk *w, node_id node);

#endif
