/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "layout/verdict_bar.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define GAP 3         /* cells between two texts */
#define ROOM_LEAST 24 /* of verdict_compose() */

/* Returns the cells that are left for the line. */
static int draw_hint(struct grid *g, struct rect r, const struct verdict_bar *bar)
{
	int key = text_cells(bar->key, strlen(bar->key)),
	    hint = text_cells(bar->hint, strlen(bar->hint)), room = r.cols - key - hint - 5;

	if (room < ROOM_LEAST)
		return r.cols - 2;
	grid_puts(g, r.row, r.col + r.cols - key - hint - 2, key, bar->key, ROLE_KEY);
	grid_puts(g, r.row, r.col + r.cols - hint - 1, hint, bar->hint, ROLE_DIM);
	return room;
}

static void draw_items(struct grid *g, struct rect r, const struct verdict_bar *bar, int room,
		       struct verdict *verdict)
{
	char lane[24] = "";
	int used;

	if (bar->lane > 0 && room > ROOM_LEAST + (int)sizeof lane)
		snprintf(lane, sizeof lane, "lane %d: ", bar->lane);
	used = grid_puts(g, r.row, r.col + 1, room, lane, ROLE_DIM);
	r.col += used;
	room -= used;
	verdict_compose(bar->result, room < ROOM_LEAST ? ROOM_LEAST : room, verdict);
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

/* A sentence that is too long loses its end: its beginning has the name and the share. */
static void draw_text(struct grid *g, int row, int col, int room, const char *text, enum role ink)
{
	bool is_cut = room > 1 && text_cells(text, strlen(text)) > room;
	struct buf fit = { 0 };

	text_fit_start(&fit, text, strlen(text), room - is_cut);
	if (is_cut)
		buf_adds(&fit, "\342\200\246");
	grid_put(g, row, col, room, buf_text(&fit), fit.len, ink);
	buf_done(&fit);
}

/* Whether an item of the line says this sentence, in full or without its first word: `lodash 21 %`
 * is `package lodash 21 %`. */
static bool is_said(const struct verdict *line, const char *text)
{
	const char *rest = strchr(text, ' ');

	for (int i = 0; i < line->n; i++)
		if (strcmp(line->items[i].text, text) == 0 ||
		    (rest && strcmp(line->items[i].text, rest + 1) == 0))
			return true;
	return false;
}

/* The first sentence of the findings that the line does not have. NULL: there is none. */
static const char *next_sentence(const struct findings_result *r, const struct verdict *line)
{
	for (uint32_t i = 0; i < r->n; i++) {
		if (!is_said(line, r->list[i].text))
			return r->list[i].text;
		if (r->list[i].n_notes)
			return r->list[i].notes[0];
	}
	return NULL;
}

/* The text, and behind it, or below it, the second one if it fits. */
static void draw_both(struct grid *g, struct rect r, int room, const struct verdict_bar *bar)
{
	int cells = text_cells(bar->text, strlen(bar->text)) + GAP,
	    more = bar->second ? text_cells(bar->second, strlen(bar->second)) : 0;

	draw_text(g, r.row, r.col + 1, room, bar->text, ROLE_PLAIN);
	if (more && cells + more <= room)
		draw_text(g, r.row, r.col + 1 + cells, more, bar->second, ROLE_DIM);
	else if (more && r.rows > 1)
		draw_text(g, r.row + 1, r.col + 1, r.cols - 2, bar->second, ROLE_DIM);
}

void verdict_bar_draw(struct grid *g, struct rect r, const struct verdict_bar *bar)
{
	struct verdict line = { .n = 0 };
	const char *second = NULL;
	int room = r.cols - 2;

	if (r.rows == 0)
		return;
	if (bar->key && bar->hint)
		room = draw_hint(g, r, bar);
	if (bar->text)
		draw_both(g, r, room, bar);
	else if (bar->result)
		draw_items(g, r, bar, room, &line);
	if (r.rows > 1 && !bar->text && bar->result)
		second = next_sentence(bar->result, &line);
	if (second)
		draw_text(g, r.row + 1, r.col + 1, r.cols - 2, second, ROLE_DIM);
}
