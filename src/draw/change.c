/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A call is new or gone by its total time; its figure is the change of its self time, so that the
 * function that changed is marked, and not all its callers. */
#include "config.h"

#include "draw/change.h"

#include "base/text.h"
#include "draw/flame/label.h"

#include <string.h>

#define NAME_MIN 6 /* cells of a name before its figure is left out */
#define HEADER_NAME_MIN 8
#define WHOLE_NAME_MAX 200 /* cells of a name that is shown whole */

const char change_legend[] = "+ more  - less  * new  \342\200\240 gone (self time)";

static enum sides_kind kind_of(const struct sides *s, node_id node)
{
	enum sides_kind of_total = sides_kind_of(&s->unit, s->total[SIDE_BEFORE][node],
						 s->total[SIDE_AFTER][node]);
	int64_t before = s->self[SIDE_BEFORE][node], after = s->self[SIDE_AFTER][node];

	if (of_total == SIDES_NEW || of_total == SIDES_GONE)
		return of_total;
	return !sides_level(&s->unit, after - before) ? SIDES_SAME
		: after > before                      ? SIDES_MORE
						      : SIDES_LESS;
}

enum role change_role_of(const struct sides_unit *unit, const int64_t ns[SIDES])
{
	static const enum role more[] = { ROLE_SAME, ROLE_MORE_1, ROLE_MORE_2 };
	static const enum role less[] = { ROLE_SAME, ROLE_LESS_1, ROLE_LESS_2 };
	int64_t change = ns[SIDE_AFTER] - ns[SIDE_BEFORE];
	int level = sides_level(unit, change);

	return change > 0 ? more[level] : less[level];
}

enum role change_role(const struct sides *s, node_id node)
{
	const int64_t ns[SIDES] = { s->self[SIDE_BEFORE][node], s->self[SIDE_AFTER][node] };

	return change_role_of(&s->unit, ns);
}

/* Append ` +12.3 pt`, and if the function changed elsewhere, too, so that its row in a table has
 * another figure, ` +12.3 of +12.6 pt`. */
static void add_figure(const struct sides *s, frame_id frame, int64_t change, struct buf *out)
{
	int64_t all = s->frame_self[SIDE_AFTER][frame] - s->frame_self[SIDE_BEFORE][frame];
	char own[UNITS_MAX], whole[UNITS_MAX];

	sides_format_change(&s->unit, change, own);
	sides_format_change(&s->unit, all, whole);
	if (strcmp(own, whole) != 0) {
		own[strcspn(own, " ")] = '\0';
		buf_addf(out, "%s of ", own);
	}
	buf_adds(out, whole);
}

const char *change_sign(enum sides_kind kind)
{
	return kind == SIDES_NEW || kind == SIDES_GONE ? sides_sign(kind) : "";
}

/* What a label without figure begins with. */
static const char *short_sign(enum sides_kind kind)
{
	return kind == SIDES_MORE ? "+" : kind == SIDES_LESS ? "-" : change_sign(kind);
}

/* Append the label of a box in `room` cells, at least 1: `render -12.4 pt`; where there is no room
 * for the figure, `-render`. */
static void change_label(const struct profile *profile, const struct lane *lane,
			 const struct sides *s, node_id node, int room, struct buf *out)
{
	enum sides_kind kind = kind_of(s, node);
	frame_id frame = lane->tree.frame[node];
	const char *sign = change_sign(kind);
	int sign_cells = *sign ? 1 : 0, figure_cells, name_cells;
	int64_t change = s->self[SIDE_AFTER][node] - s->self[SIDE_BEFORE][node];
	struct buf name = { 0 }, figure = { 0 };

	add_figure(s, frame, change, &figure);
	figure_cells = 1 + text_cells(buf_text(&figure), figure.len);
	label_box(profile, frame, WHOLE_NAME_MAX, &name);
	name_cells = text_cells(buf_text(&name), name.len);
	/* No figure says that nothing changed. */
	if (sides_level(&s->unit, change) &&
	    (room >= sign_cells + name_cells + figure_cells ||
	     room >= sign_cells + NAME_MIN + figure_cells)) {
		buf_adds(out, sign);
		label_box(profile, frame, room - sign_cells - figure_cells, out);
		buf_addf(out, " %s", buf_text(&figure));
	} else {
		sign = short_sign(kind);
		buf_adds(out, sign);
		if (room > (*sign ? 1 : 0))
			label_box(profile, frame, room - (*sign ? 1 : 0), out);
	}
	buf_done(&name);
	buf_done(&figure);
}

void change_box(const struct profile *profile, const struct lane *lane, const struct sides *s,
		node_id node, int room, struct buf *out)
{
	if (change_is_of(s, profile, lane))
		change_label(profile, lane, s, node, room, out);
	else
		label_box(profile, lane->tree.frame[node], room, out);
}

void change_text(const struct sides_unit *unit, const int64_t ns[SIDES], struct buf *out)
{
	char before[UNITS_MAX], after[UNITS_MAX], change[UNITS_MAX];

	sides_format(unit, ns[SIDE_BEFORE], before);
	sides_format(unit, ns[SIDE_AFTER], after);
	sides_format_change(unit, ns[SIDE_AFTER] - ns[SIDE_BEFORE], change);
	/* One unit is enough. */
	if (unit->per == SIDES_PER_TOTAL)
		before[strcspn(before, " ")] = '\0';
	buf_addf(out, "%s \342\206\222 %s  %s", before, after, change);
}

/* Append the header with at most name_most cells of each name. Returns its cells. */
static int add_header(const struct sides *s, int name_most, const char *word, struct buf *out)
{
	static const char *const words[SIDES] = { "before", "after" };
	size_t from = out->len;

	for (int k = 0; k < SIDES; k++) {
		char busy[UNITS_MAX];

		amount_text(&s->unit.amount, s->busy_ns[k], busy);
		buf_addf(out, "%s%s ", k ? "  " : "", words[k]);
		text_fit(out, s->name[k], strlen(s->name[k]), name_most);
		buf_addf(out, " (%s%s)", busy, word);
	}
	return text_cells(out->data + from, out->len - from);
}

void change_header(const struct sides *s, int room, struct buf *out)
{
	struct buf text = { 0 };
	const char *word = " busy";
	int names[SIDES], spare;

	if (add_header(s, WHOLE_NAME_MAX, word, &text) > room)
		word = "";
	buf_clear(&text);
	spare = room - add_header(s, WHOLE_NAME_MAX, word, &text);
	buf_done(&text);
	for (int k = 0; k < SIDES; k++)
		names[k] = text_cells(s->name[k], strlen(s->name[k]));
	/* Both names get the same room. */
	spare = spare < 0 ? names[0] + names[1] + spare : 2 * WHOLE_NAME_MAX;
	add_header(s, spare / 2 < HEADER_NAME_MIN ? HEADER_NAME_MIN : spare / 2, word, out);
}
