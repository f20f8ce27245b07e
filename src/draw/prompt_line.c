/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text around the cursor has priority over the answer: the longest answer that leaves room for
 * it is shown. An error has priority over the rest of a long text. */
#include "config.h"

#include "draw/prompt_line.h"

#include "base/text.h"

#include <string.h>

#define GAP 2         /* blanks between text and answer, including the cell of the cursor */
#define TEXT_LEAST 20 /* cells that an error leaves for the text */

static int cells_of(const char *text)
{
	return text_cells(text, strlen(text));
}

/* The longest answer of at most `room` cells. */
static const char *answer_for(const struct prompt_line *line, int room)
{
	for (int i = 0; i < 3; i++)
		if (line->answers[i] && cells_of(line->answers[i]) <= room)
			return line->answers[i];
	return NULL;
}

/* The first visible byte of the text, such that the cursor is within `room` cells. */
static size_t first_shown(const struct prompt_line *line, int room)
{
	size_t from = 0;

	while (from < line->cursor && text_cells(line->text + from, line->cursor - from) >= room) {
		from++;
		while (from < line->cursor && ((unsigned char)line->text[from] & 0xC0) == 0x80)
			from++;
	}
	return from;
}

void prompt_line_draw(struct grid *g, struct rect r, const struct prompt_line *line)
{
	int label = cells_of(line->label), room = r.cols - 2 - label, text = cells_of(line->text),
	    used;
	const char *answer = answer_for(
		line, room - GAP - (line->is_error && text > TEXT_LEAST ? TEXT_LEAST : text));
	size_t from;

	grid_puts(g, r.row, r.col + 1, label, line->label, ROLE_KEY);
	if (answer) {
		used = cells_of(answer);
		grid_puts(g, r.row, r.col + r.cols - 1 - used, used, answer,
			  line->is_error ? ROLE_WARN : ROLE_DIM);
		room -= used + GAP - 1;
	}
	from = first_shown(line, room);
	grid_puts(g, r.row, r.col + 1 + label, room, line->text + from, ROLE_PROMPT);
	g->cursor_row = r.row;
	g->cursor_col = r.col + 1 + label + text_cells(line->text + from, line->cursor - from);
	if (line->is_error && line->error_at >= (int64_t)from) {
		int at = text_cells(line->text + from, (size_t)line->error_at - from);

		grid_flag(g, r.row, r.col + 1 + label + at, at < room ? 1 : 0, CELL_UNDERLINE);
	}
}
