/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FLAMETTY_DRAW_FLAME_FLAME_REQUEST_H
#define FLAMETTY_DRAW_FLAME_FLAME_REQUEST_H

#include <stdbool.h>

struct buf;
struct flame;
struct flame_walk;
struct grid;

/* Draw over the boxes of a row: if its lane has requests, what they wait for, or are behind; of
 * samples, if colours are by request, for which they run. */
void flame_request_draw(const struct flame *f, const struct flame_walk *w);

/* Append what the signs mean, as far as there are cells. */
void flame_request_legend(bool is_ascii, int room, struct buf *out);

/* Put the names of routes or hosts at the left of their first rows: rows [depth, depth + rows) of
 * lane `lane`, and of those laid over it, which are drawn at row, col. */
void flame_request_names(const struct flame *f, struct grid *g, int lane, int depth, int rows,
			 int row, int col);

/* Draw all rows of such a lane from `depth` on into one row: how many are busy in a column. Their
 * names are appended: `: GET /a, GET /b`. */
void flame_request_rest(const struct flame *f, struct grid *g, int lane, int depth, int row,
			int col, struct buf *out);

#endif
