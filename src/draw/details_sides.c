/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "draw/details_sides.h"

#include "base/text.h"
#include "draw/change.h"

#include <stdio.h>
#include <string.h>

#define WIDE_HEADER 100 /* cells of a header that says what the figures are */

#define ABOUT_GAP " \302\267 " /* between items of chart->about */

static int least_of(int a, int b)
{
	return a < b ? a : b;
}

/* Both sides, and what their figures are. */
void details_sides_header(struct details_line *line, const struct chart *chart, int cols)
{
	const char *what = sides_per_name(chart->sides->unit.per);
	bool has_about = chart->about && *chart->about;
	int room = cols - 4 -
		(has_about ? least_of(text_cells(chart->about, strlen(chart->about)) + 2, cols / 3)
			   : 0);

	if (cols >= WIDE_HEADER) {
		details_line_add(line, 1, ROLE_HEADER, what);
		room -= text_cells(what, strlen(what)) + 2;
	}
	change_header(chart->sides, room, &line->name);
}

/* Both sides of a node. */
static void add_times(struct details_line *line, int rank, const char *what,
		      const struct sides *sides, int64_t *const of[SIDES], node_id node)
{
	const int64_t ns[SIDES] = { of[SIDE_BEFORE][node], of[SIDE_AFTER][node] };
	struct buf text = { 0 };

	buf_addf(&text, "%s ", what);
	change_text(&sides->unit, ns, &text);
	details_line_add(line, rank, ROLE_STATUS, buf_text(&text));
	buf_done(&text);
}

void details_sides_of_node(struct details_line *line, const struct sides *sides, node_id node)
{
	add_times(line, 0, "self", sides, sides->self, node);
	add_times(line, 1, "total", sides, sides->total, node);
}

/* Both sides of a row; that of a call from the outermost on has only totals. */
void details_sides_of_row(struct details_line *line, const struct rows_change *of,
			  const struct row *row)
{
	struct rows_change change = *of;
	struct buf text = { 0 };
	int64_t ns[SIDES];

	for (int of_total = change.is_of_calls; of_total < 2; of_total++) {
		change.is_of_total = of_total;
		rows_change_sides_of_row(&change, row, ns);
		buf_clear(&text);
		buf_adds(&text, of_total ? "total " : "self ");
		change_text(&change.unit, ns, &text);
		details_line_add(line, of_total && !change.is_of_calls, ROLE_STATUS,
				 buf_text(&text));
	}
	buf_done(&text);
}

static size_t item_len(const char *items)
{
	const char *end = strstr(items, ABOUT_GAP);

	return end ? (size_t)(end - items) : strlen(items);
}

/* The list of transforms is never left out. If it does not fit, the first items are replaced by
 * their number: `u` undoes the last ones. A single item that is too long is truncated. */
void details_sides_about(struct details_line *line, const char *about, int cols)
{
	int room = least_of(cols - DETAILS_LINE_NAME - 12, 120), n_left = 0;
	struct buf text = { 0 };
	char count[16] = "";

	room = room > 10 ? room : 10;
	while (text_cells(about, strlen(about)) + (int)strlen(count) > room &&
	       about[item_len(about)]) {
		about += item_len(about) + strlen(ABOUT_GAP);
		snprintf(count, sizeof(count), "+%d ", ++n_left);
	}
	buf_adds(&text, count);
	text_fit(&text, about, strlen(about), room - (int)strlen(count));
	details_line_add(line, 0, ROLE_WARN, buf_text(&text));
	buf_done(&text);
}
