/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "draw/verdict_bar.h"

#include "base/text.h"
#include "findings/verdict.h"

#include <stdio.h>
#include <string.h>

#define GAP 3          /* cells between two texts */
#define ROOM_MIN 24    /* of verdict_compose() */
#define ROOM_BESIDE 46 /* cells that the line keeps beside the window */

void verdict_bar_keys(const char *keys, char out[VERDICT_BAR_KEYS])
{
	if (strlen(keys) == 3 && keys[1] == ' ')
		snprintf(out, VERDICT_BAR_KEYS, "%c%c", keys[0], keys[2]);
	else
		snprintf(out, VERDICT_BAR_KEYS, "%s", keys);
}

static int hint_cells(const struct verdict_hint *hint)
{
	char keys[VERDICT_BAR_KEYS];

	if (!hint->key)
		return 0;
	verdict_bar_keys(hint->key, keys);
	return GAP + text_cells(keys, strlen(keys)) + 1 +
		text_cells(hint->text, strlen(hint->text));
}

/* Draw the hints that leave room for the line, the last one at the right end. Returns the cells
 * that are left. */
static int draw_hints(struct grid *g, struct rect r, const struct verdict_bar *bar)
{
	int n = VERDICT_HINTS, cells = 0, col;

	for (int i = 0; i < n; i++)
		cells += hint_cells(&bar->hints[i]);
	while (n && (r.cols - 1 - cells < ROOM_MIN || (n > 1 && r.cols < VERDICT_BOTH_COLS)))
		cells -= hint_cells(&bar->hints[--n]);
	col = r.col + r.cols - 1 - cells;
	if (*bar->window && r.rows == 1) {
		int window = text_cells(bar->window, strlen(bar->window)) + GAP;

		if (r.cols - 1 - cells - window >= ROOM_BESIDE) {
			cells += window;
			grid_puts(g, r.row, col - window + GAP, window, bar->window, ROLE_RULE);
		}
	}
	for (int i = 0; i < n; i++) {
		const struct verdict_hint *hint = &bar->hints[i];
		int all = hint_cells(hint), key;
		char keys[VERDICT_BAR_KEYS];

		if (!hint->key)
			continue;
		verdict_bar_keys(hint->key, keys);
		key = grid_puts(g, r.row, col + GAP, all, keys, ROLE_KEY);
		grid_puts(g, r.row, col + GAP + key + 1, all, hint->text, ROLE_DIM);
		col += all;
	}
	return r.cols - 1 - cells;
}

static void draw_items(struct grid *g, struct rect r, const struct verdict_bar *bar, int room,
		       struct verdict *verdict)
{
	int used = 0;

	if (*bar->lane && room > ROOM_MIN + VERDICT_BAR_LANE_CELLS) {
		used = grid_puts(g, r.row, r.col + 1, room, bar->lane, ROLE_DIM);
		used += grid_puts(g, r.row, r.col + 1 + used, room - used, ": ", ROLE_DIM);
	}
	r.col += used;
	room -= used;
	verdict_compose(bar->result, room < ROOM_MIN ? ROOM_MIN : room, verdict);
	for (int i = 0; i < verdict->n; i++) {
		const struct verdict_item *item = &verdict->items[i];
		int left = room - item->col;

		if (left <= 0)
			break;
		grid_puts(g, r.row, r.col + 1 + item->col, left, item->text,
			  bar->is_stale ? ROLE_DIM : ROLE_PLAIN);
		if (item->kind == VERDICT_LEAD && !bar->is_stale)
			grid_flag(g, r.row, r.col + 1 + item->col, item->cells, CELL_BOLD);
	}
}

static void draw_text(struct grid *g, int row, int col, int room, const char *text, enum role ink)
{
	struct buf fit = { 0 };

	sentence_fit(&fit, text, room);
	grid_put(g, row, col, room, buf_text(&fit), fit.len, ink);
	buf_done(&fit);
}

/* The whole parts of a sentence that fit; nothing if none does. */
static void draw_parts(struct grid *g, int row, int col, int room, const char *text, enum role ink)
{
	struct buf fit = { 0 };

	sentence_fit(&fit, text, room);
	if (sentence_is_whole(buf_text(&fit)))
		grid_put(g, row, col, room, buf_text(&fit), fit.len, ink);
	buf_done(&fit);
}

/* The text, and below it, or behind it if it fits there, the second one. */
static void draw_both(struct grid *g, struct rect r, int room, const struct verdict_bar *bar)
{
	int cells = text_cells(bar->text, strlen(bar->text)) + GAP,
	    more = bar->second ? text_cells(bar->second, strlen(bar->second)) : 0;

	draw_text(g, r.row, r.col + 1, room, bar->text, ROLE_PLAIN);
	if (more && r.rows > 1)
		draw_text(g, r.row + 1, r.col + 1, r.cols - 2, bar->second, ROLE_DIM);
	else if (more && cells < room)
		draw_parts(g, r.row, r.col + 1 + cells, room - cells, bar->second, ROLE_DIM);
}

/* At the right end of the second row. Returns the cells with the gap before it. */
static int draw_window(struct grid *g, struct rect r, const struct verdict_bar *bar)
{
	int cells = text_cells(bar->window, strlen(bar->window));

	if (!cells || r.rows < 2)
		return 0;
	grid_puts(g, r.row + 1, r.col + r.cols - 1 - cells, cells, bar->window, ROLE_RULE);
	return cells + GAP;
}

void verdict_bar_draw(struct grid *g, struct rect r, const struct verdict_bar *bar)
{
	struct verdict line = { .n = 0 };
	struct buf more = { 0 };
	int room = r.cols - 2, more_room;

	if (r.rows == 0)
		return;
	if (bar->hints[0].key || bar->hints[1].key)
		room = draw_hints(g, r, bar);
	if (bar->text)
		draw_both(g, r, room, bar);
	else if (bar->result)
		draw_items(g, r, bar, room, &line);
	more_room = r.cols - 2 - draw_window(g, r, bar);
	if (r.rows > 1 && !bar->text && bar->result)
		verdict_more(bar->result, &line, more_room, &more);
	if (more.len)
		grid_put(g, r.row + 1, r.col + 1, more_room, buf_text(&more), more.len, ROLE_DIM);
	buf_done(&more);
}
