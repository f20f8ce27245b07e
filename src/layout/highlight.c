/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "layout/highlight.h"

#include "base/text.h"

bool highlight_is_match(const struct search *search, frame_id frame)
{
	return search && search->matches && frame < search->profile->frames.n &&
		search->matches[frame];
}

bool highlight_name(struct grid *g, int row, int col, int cells, const struct search *search,
		    frame_id frame)
{
	const struct intern *strings;
	size_t from = 0, end = 0, len;
	const char *name;
	bool is_name;
	str_id id;

	if (!highlight_is_match(search, frame))
		return false;
	strings = &search->profile->strings;
	id = profile_frame(search->profile, frame)->name;
	name = intern_text(strings, id);
	len = intern_len(strings, id);
	is_name = !search->pattern || pattern_find(search->pattern, name, len, &from, &end);
	if (end > from && text_cells(name, len) == cells) {
		col += text_cells(name, from);
		cells = text_cells(name + from, end - from);
	}
	grid_flag(g, row, col, cells, CELL_MATCH);
	return is_name;
}
