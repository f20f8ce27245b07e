/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One sentence for each kind of finding; names from the file go through label_frame(). */
#include "config.h"

#include "layout/findings.h"

#include "base/text.h"
#include "base/units.h"
#include "layout/labels.h"

#include <string.h>

#define NAME_CELLS 40
#define NAME_LEAST 8
#define MOSTLY ", mostly "

static void add_part(const struct finding *f, struct buf *out)
{
	char share[UNITS_MAX], time[UNITS_MAX];

	units_percent(f->part, f->whole, share);
	units_time(f->part, time);
	buf_addf(out, "%s, %s", share, time);
}

/* Two names share the room that the numbers leave; what one does not need is the other's. */
static void add_names(const struct profile *p, const struct stretch *s, int room, struct buf *out)
{
	int half = room / 2 < NAME_LEAST ? NAME_LEAST : room / 2, rest;
	struct buf outer = { 0 };

	if (s->leaf == s->outer) {
		label_frame(p, s->outer, room < NAME_LEAST ? NAME_LEAST : room, out);
		return;
	}
	label_frame(p, s->outer, half, &outer);
	rest = room - text_cells(outer.data, outer.len);
	label_frame(p, s->leaf, rest < half ? half : rest, &outer);
	rest = room - text_cells(outer.data, outer.len);
	buf_clear(&outer);
	label_frame(p, s->outer, rest > 0 ? half + rest : half, out);
	buf_adds(out, MOSTLY);
	label_frame(p, s->leaf, room - half, &outer);
	buf_add(out, outer.data, outer.len);
	buf_done(&outer);
}

static void add_stretch(const struct profile *p, const struct stretch *s, bool has_lane, int room, struct buf *out)
{
	char length[UNITS_MAX], from[UNITS_MAX];

	units_time(s->t1 - s->t0, length);
	units_time(s->t0, from);
	buf_addf(out, "%s %s from %s on", length, s->leaf != FRAME_NONE ? "without a pause" : s->is_sampled ? "idle" : "not sampled", from);
	if (has_lane)
		buf_addf(out, " in lane %u", (unsigned)s->lane->id);
	if (s->leaf == FRAME_NONE)
		return;
	buf_adds(out, ": ");
	add_names(p, s, room - text_cells(out->data, out->len) - (int)strlen(MOSTLY), out);
}

void finding_format(const struct profile *p, const struct finding *f, bool has_lane, int room, struct buf *out)
{
	struct buf text = { 0 };

	switch (f->kind) {
	case FINDING_GC:
		buf_adds(&text, "much garbage collection: ");
		add_part(f, &text);
		break;
	case FINDING_FUNCTION:
		buf_adds(&text, "most time in one: ");
		label_frame(p, f->frame, NAME_CELLS, &text);
		buf_adds(&text, ", self ");
		add_part(f, &text);
		break;
	case FINDING_BUSY:
		buf_adds(&text, "longest work: ");
		add_stretch(p, &f->stretch, has_lane, room, &text);
		break;
	case FINDING_PAUSE:
		buf_adds(&text, "longest pause: ");
		add_stretch(p, &f->stretch, has_lane, room, &text);
		break;
	case FINDING_RECURSION:
		buf_adds(&text, "deep recursion: ");
		label_frame(p, f->frame, NAME_CELLS, &text);
		buf_addf(&text, " %u times on one stack", (unsigned)f->count);
		break;
	case FINDING_COUNT:
		break;
	}
	text_fit(out, buf_text(&text), text.len, room);
	buf_done(&text);
}

const char *finding_name(enum finding_kind kind)
{
	static const char *const name[FINDING_COUNT] = {
		[FINDING_GC] = "gc", [FINDING_FUNCTION] = "function", [FINDING_BUSY] = "busy", [FINDING_PAUSE] = "pause", [FINDING_RECURSION] = "recursion",
	};

	return name[kind];
}
