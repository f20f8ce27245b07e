/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FLAMETTY_DRAW_FLAME_FLAME_REQUEST_H
#define FLAMETTY_DRAW_FLAME_FLAME_REQUEST_H

struct flame;
struct flame_walk;

/* Draw over the boxes of a row: if its lane has requests, what they wait for, or are behind; of
 * samples, if colours are by request, for which they run. */
void flame_request_draw(const struct flame *f, const struct flame_walk *w);

#endif
