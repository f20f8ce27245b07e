/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Members that do not apply are null. Shares and scores have six decimals. */
#include "config.h"

#include "write/report/json_findings.h"

#include "write/report/json_out.h"

#include <inttypes.h>
#include <string.h>

static void add_text(struct buf *out, const char *text)
{
	if (text)
		json_out_text(out, text, strlen(text));
	else
		buf_adds(out, "null");
}

static void add_function(struct buf *out, const struct profile *p, const char *name, frame_id frame)
{
	buf_addf(out, ",\n   \"%s\": ", name);
	if (frame == FRAME_NONE) {
		buf_adds(out, "null");
		return;
	}
	buf_addc(out, '{');
	json_out_frame(out, p, &p->frames.frames[frame]);
	buf_addc(out, '}');
}

static void add_finding(struct buf *out, const struct profile *p, const struct finding *f)
{
	double share = f->whole > 0 ? (double)f->ns / (double)f->whole : 0;

	buf_addf(out, "{\"kind\": \"%s\", \"lane\": %u", findings_kind_name(f->kind),
		 (unsigned)f->lane->id);
	json_out_member(out, p, ", \"start", f->t0);
	json_out_member(out, p, ", \"duration", f->t1 - f->t0);
	json_out_member(out, p, ", \"time", f->ns);
	buf_addf(out, ", \"share\": %.6f, \"score\": %.6f,\n   \"text\": ", share, f->score / 1e6);
	add_text(out, f->text);
	add_function(out, p, "function", f->function);
	add_function(out, p, "under", f->under);
	buf_adds(out, ",\n   \"mechanism\": ");
	add_text(out, f->mechanism);
	buf_adds(out, ", \"notes\": [");
	for (uint32_t i = 0; i < f->n_notes; i++) {
		buf_adds(out, i ? ", " : "");
		add_text(out, f->notes[i]);
	}
	buf_adds(out, "]}");
}

void json_findings(struct buf *out, const struct gathered *g)
{
	const struct findings_all *all = &g->findings;

	buf_adds(out, " \"findings\": [");
	for (uint32_t i = 0; i < all->n; i++) {
		buf_adds(out, i ? ",\n  " : "\n  ");
		add_finding(out, g->profile, all->list[i]);
	}
	buf_adds(out, "],\n");
	if (all->n_left)
		buf_addf(out, " \"findings_lanes_left_out\": %" PRIu32 ",\n", all->n_left);
}
