/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line consists of a name, a location and parts. Each part has a rank. While name and location
 * would get less room than needed to recognise them, the part with the highest rank is removed. The
 * rest of the room is theirs: the name is truncated in its middle, the location at its start. */
#include "config.h"

#include "draw/details_line.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define MIN_LOCATION 14
#define FILE_MOST 22 /* cells: a location keeps the name of its file if that is no longer */
#define GAP 2

void details_line_done(struct details_line *line)
{
	buf_done(&line->name);
	buf_done(&line->location);
}

void details_line_add(struct details_line *line, int rank, enum role ink, const char *text)
{
	struct details_part *part;

	if (line->n_parts == DETAILS_LINE_PARTS || !*text)
		return;
	part = &line->parts[line->n_parts++];
	snprintf(part->text, sizeof(part->text), "%s", text);
	part->rank = rank;
	part->ink = ink;
}

void details_line_brief(struct details_line *line, int rank, const char *text)
{
	struct details_part *part = &line->parts[line->n_parts - 1];

	snprintf(part->brief, sizeof(part->brief), "%s", text);
	part->brief_rank = rank;
}

static void shorten(struct details_part *part)
{
	if (!*part->brief) {
		part->rank = -1;
		return;
	}
	snprintf(part->text, sizeof(part->text), "%s", part->brief);
	part->brief[0] = '\0';
	part->rank = part->brief_rank;
}

static int at_most(int a, int b)
{
	return a < b ? a : b;
}

static int part_cells(const struct details_part *part)
{
	return part->rank < 0 ? 0 : GAP + text_cells(part->text, strlen(part->text));
}

static int parts_cells(const struct details_line *line)
{
	int cells = 0;

	for (int i = 0; i < line->n_parts; i++)
		cells += part_cells(&line->parts[i]);
	return cells;
}

static struct details_part *least_important(struct details_line *line)
{
	struct details_part *least = NULL;

	for (int i = 0; i < line->n_parts; i++)
		if (line->parts[i].rank >= 0 && (!least || line->parts[i].rank >= least->rank))
			least = &line->parts[i];
	return least;
}

/* The cells of a location in which it can be recognised. */
static int least_location(const struct buf *location)
{
	const char *text = buf_text(location), *slash = strrchr(text, '/');
	int all = text_cells(text, location->len),
	    file = slash ? 1 + text_cells(slash + 1, strlen(slash + 1)) : all;

	return at_most(all, file > MIN_LOCATION && file <= FILE_MOST ? file : MIN_LOCATION);
}

/* Put the name into `room` cells; returns the number of cells used. */
static int put_name(struct grid *g, int row, int col, int room, const struct details_line *line,
		    enum role ink)
{
	const char *name = buf_text(&line->name);
	size_t len = line->name.len;
	struct buf fit = { 0 };
	int used;

	if (line->stem && text_cells(name, len) > room)
		len = line->stem;
	if (line->differs_at_end)
		text_fit_end(&fit, name, len, room);
	else
		text_fit(&fit, name, len, room);
	used = grid_put(g, row, col, room, buf_text(&fit), fit.len, ink);
	buf_done(&fit);
	return used;
}

void details_line_draw(struct grid *g, struct rect r, struct details_line *line, enum role ink)
{
	int name = text_cells(buf_text(&line->name), line->name.len);
	int location = text_cells(buf_text(&line->location), line->location.len), col = r.col + 1,
	    room, least, least_place = least_location(&line->location);
	struct buf fit = { 0 };
	struct details_part *part;

	least = at_most(name, DETAILS_LINE_NAME) + (location ? GAP + least_place : 0);
	while (parts_cells(line) + least > r.cols - 2 && (part = least_important(line)))
		shorten(part);
	room = r.cols - 2 - parts_cells(line);
	if (location && room < GAP + at_most(least_place, MIN_LOCATION))
		location = 0;
	name = at_most(name, room - (location ? GAP + least_place : 0));
	location = location ? at_most(location, room - name - GAP) : 0;
	if (name > 0)
		col += put_name(g, r.row, col, name, line, ink);
	if (location > 0) {
		buf_clear(&fit);
		text_fit_end(&fit, buf_text(&line->location), line->location.len, location);
		col += GAP;
		col += grid_put(g, r.row, col, location, buf_text(&fit), fit.len, ROLE_DIM);
	}
	for (int i = 0; i < line->n_parts; i++)
		if (line->parts[i].rank >= 0)
			col += GAP +
				grid_puts(g, r.row, col + GAP, r.col + r.cols - col - GAP,
					  line->parts[i].text, line->parts[i].ink);
	buf_done(&fit);
}
