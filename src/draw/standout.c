/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One sentence per kind. Names from the file go through label_frame(). */
#include "config.h"

#include "draw/standout.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/flame/label.h"
#include "draw/ruler.h"
#include "model/profile.h"

#include <string.h>

#define NAME_CELLS 40
#define NAME_MIN 8
#define FROM "; from "

static void add_part(const struct profile *p, const struct standout *f, struct buf *out)
{
	buf_addf(out, "%s, %s", units_percent(f->part, f->whole, UNITS_ROOM),
		 profile_value(p, f->part, UNITS_ROOM));
}

static int name_cells(const struct profile *p, frame_id frame, int room)
{
	BUF_LOCAL name = { 0 };

	label_frame(p, frame, room, &name);
	return text_cells(buf_text(&name), name.len);
}

/* What fills it most, with its share, and where it began, share the room next to the numbers; room
 * that one does not need goes to the other. */
static void add_names(const struct profile *p, const struct stretch *s, int room, struct buf *out)
{
	int outer, most, half;
	const char *share = units_share(s->most_ns, s->t1 - s->t0, UNITS_ROOM);

	if (s->most == FRAME_NONE) {
		label_frame(p, s->outer, room < NAME_MIN ? NAME_MIN : room, out);
		return;
	}
	room -= (int)strlen(FROM) + 1 + text_cells(share, strlen(share));
	room = room < 2 * NAME_MIN ? 2 * NAME_MIN : room;
	half = room / 2;
	most = name_cells(p, s->most, room);
	outer = s->most == s->outer ? 0 : name_cells(p, s->outer, room);
	label_frame(p, s->most, outer < half ? room - outer : half, out);
	buf_addf(out, " %s", share);
	if (!outer)
		return;
	buf_adds(out, FROM);
	label_frame(p, s->outer, most < half ? room - most : half, out);
}

static void add_stretch(const struct profile *p, const struct stretch *s, bool has_lane, int room,
			const struct place_clock *clock, struct buf *out)
{
	buf_addf(out, "%s at %s", profile_value(p, s->t1 - s->t0, UNITS_ROOM),
		 time_label_place(p, clock, s->t0, UNITS_ROOM));
	if (has_lane) {
		buf_adds(out, " in ");
		lane_name_brief(p, s->lane, out);
	}
	buf_adds(out, " (");
	if (s->leaf == FRAME_NONE)
		buf_adds(out, s->is_sampled ? "idle" : "not sampled");
	else
		add_names(p, s, room - text_cells(out->data, out->len) - 1, out);
	buf_addc(out, ')');
}

void standout_format(const struct profile *profile, const struct standout *standout, bool has_lane,
		     int room, const struct place_clock *clock, struct buf *out)
{
	BUF_LOCAL text = { 0 };

	switch (standout->kind) {
	case STANDOUT_GC:
		buf_adds(&text, "much garbage collection: ");
		add_part(profile, standout, &text);
		break;
	case STANDOUT_FUNCTION:
		buf_adds(&text, "hottest: ");
		label_frame(profile, standout->frame, NAME_CELLS, &text);
		buf_adds(&text, ", self ");
		add_part(profile, standout, &text);
		if (standout->line)
			buf_addf(&text, "; of it line %d \342\211\210 %s", (int)standout->line,
				 profile_value(profile, standout->line_ns, UNITS_ROOM));
		break;
	case STANDOUT_BUSY:
		buf_adds(&text, "longest busy stretch ");
		add_stretch(profile, &standout->stretch, has_lane, room, clock, &text);
		break;
	case STANDOUT_PAUSE:
		buf_adds(&text, "longest pause ");
		add_stretch(profile, &standout->stretch, has_lane, room, clock, &text);
		break;
	case STANDOUT_RECURSION:
		buf_adds(&text, "deep recursion: ");
		label_frame(profile, standout->frame, NAME_CELLS, &text);
		buf_addf(&text, " %u times on one stack", (unsigned)standout->count);
		break;
	case STANDOUT_COUNT:
		break;
	}
	text_fit(out, buf_text(&text), text.len, room);
}

/* ---- pages ---- */

#define URL_CELLS 60
#define PAGES_MAX 4

static void add_page(const struct profile *p, const struct page_load *load,
		     const struct place_clock *clock, struct buf *out)
{
	static const enum milestone_kind kinds[] = { MILESTONE_FP, MILESTONE_FCP, MILESTONE_LCP,
						     MILESTONE_DCL, MILESTONE_LOAD };
	const struct interaction *x = &load->worst;
	const char *before = "  after navigation: ";

	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		if (load->after[kinds[k]] < 0)
			continue;
		buf_addf(out, "%s%s %s", before, milestone_name(kinds[k]),
			 units_time(load->after[kinds[k]], UNITS_ROOM));
		before = " \302\267 ";
	}
	if (load->first_byte >= 0) {
		buf_addf(out, "\n  LCP at %s: ",
			 time_label_place(p, clock, load->t + load->after[MILESTONE_LCP],
					  UNITS_ROOM));
		vital_phases_format(load, VITAL_LCP, out);
	}
	if (x->type) {
		buf_adds(out, "\n  INP: ");
		text_fit(out, profile_text(p, x->type), intern_len(&p->strings, x->type),
			 URL_CELLS);
		buf_addf(out, " at %s: ", time_label_place(p, clock, x->t, UNITS_ROOM));
		vital_phases_format(load, VITAL_INP, out);
	}
	if (load->shifts > 0) {
		buf_addf(out, "\n  CLS: session window from %s on, largest shift %.4f",
			 time_label_place(p, clock, load->shifts_t0, UNITS_ROOM),
			 load->largest_shift);
		buf_addf(out, " at %s",
			 time_label_place(p, clock, load->t + load->after[MILESTONE_SHIFT],
					  UNITS_ROOM));
	}
	buf_addc(out, '\n');
}

void standout_pages(const struct profile *p, const struct place_clock *clock, bool is_brief,
		    struct buf *out)
{
	for (size_t i = 0; i < p->n_loads && i < PAGES_MAX; i++) {
		if (p->n_loads > 1 && p->loads[i].url) {
			text_fit_end(out, profile_text(p, p->loads[i].url),
				     intern_len(&p->strings, p->loads[i].url), URL_CELLS);
			buf_adds(out, ": ");
		}
		vital_format(&p->loads[i], out);
		buf_addc(out, '\n');
		if (!is_brief)
			add_page(p, &p->loads[i], clock, out);
	}
	if (p->n_loads > PAGES_MAX)
		buf_addf(out, "%zu more pages\n", p->n_loads - PAGES_MAX);
}

const char *standout_name(enum standout_kind kind)
{
	static const char *const name[STANDOUT_COUNT] = {
		[STANDOUT_GC] = "gc",
		[STANDOUT_FUNCTION] = "function",
		[STANDOUT_BUSY] = "busy",
		[STANDOUT_PAUSE] = "pause",
		[STANDOUT_RECURSION] = "recursion",
	};

	return name[kind];
}
