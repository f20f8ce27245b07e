/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "draw/highlight.h"

#include "base/text.h"

#define NAME_MOST 65536 /* bytes of a text in which the match is looked for */

bool highlight_is_match(const struct search *search, frame_id frame)
{
	return search && search->matches && frame < search->profile->frames.n &&
		search->matches[frame];
}

static bool matches(const struct search *search, str_id text)
{
	const struct intern *strings = &search->profile->strings;

	return intern_len(strings, text) <= NAME_MOST &&
		pattern_find(search->pattern, intern_text(strings, text), intern_len(strings, text),
			     NULL, NULL);
}

/* Whether the match is in a name that is too long to be searched for each picture: it is unless it
 * is elsewhere. */
static bool is_in_long_name(const struct search *search, const struct frame *frame)
{
	return !matches(search, frame->url) && !matches(search, frame->package);
}

bool highlight_name(struct grid *g, int row, int col, int cells, const struct search *search,
		    frame_id frame)
{
	const struct intern *strings;
	size_t from = 0, end = 0, len;
	const char *name;
	bool is_name;
	const struct frame *of;

	if (!highlight_is_match(search, frame))
		return false;
	strings = &search->profile->strings;
	of = profile_frame(search->profile, frame);
	name = intern_text(strings, of->name);
	len = intern_len(strings, of->name);
	if (!search->pattern || search->subject == PATTERN_CAT || search->labels)
		is_name = true;
	else if (search->subject != PATTERN_ANY)
		is_name = false;
	else if (len > NAME_MOST)
		is_name = is_in_long_name(search, of);
	else
		is_name = pattern_find(search->pattern, name, len, &from, &end);
	if (end > from && text_cells(name, len) == cells) {
		col += text_cells(name, from);
		cells = text_cells(name + from, end - from);
	}
	grid_flag(g, row, col, cells, CELL_MATCH);
	return is_name;
}

void highlight_row(struct grid *g, int row, int col, int cells, bool is_ascii)
{
	grid_fill(g, row, col, cells, ROLE_ROW);
	grid_puts(g, row, col, cells, is_ascii ? ">" : "\342\226\214", ROLE_ROW_MARK);
}
