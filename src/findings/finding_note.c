/* SPDX-License-Identifier: GPL-2.0-or-later */
/* V8 records the innermost 255 or so frames of a stack. From 250 on a recursion may be deeper than
 * what the profile has. */
#include "config.h"

#include "findings/finding_note.h"

#include "base/alloc.h"
#include "findings/finding_name.h"
#include "findings/finding_source.h"

#include <stdlib.h>

#define TICKS_LEAST 20
#define LINE_PERCENT 50
#define DEEP_LEAST 10
#define DEEP_SHARE 5 /* percent of the busy time from the tenth call on */
#define DEEP_CUT 250

/* ---- the hottest line ---- */

static int by_line(const void *a, const void *b)
{
	const struct line_ticks *x = a, *y = b;

	return x->line < y->line ? -1 : x->line > y->line;
}

/* Collect the ticks of a function. */
static size_t find_ticks(const struct charge *c, frame_id function, struct line_ticks **out)
{
	const struct lane *lane = c->lane;
	size_t n = 0;

	*out = xcalloc(lane->n_ticks, sizeof **out);
	for (size_t i = 0; i < lane->n_ticks; i++)
		if (lane->tree.frame[lane->ticks[i].node] == function)
			(*out)[n++] = lane->ticks[i];
	if (n)
		qsort(*out, n, sizeof **out, by_line);
	return n;
}

/* The own function that begins at a line of the file of another one; FRAME_NONE: none. */
static frame_id function_at(const struct charge *c, frame_id other, int32_t line)
{
	const struct frame *frames = c->profile->frames.frames;

	for (node_id i = 1; i < c->lane->tree.n; i++) {
		frame_id f = c->lane->tree.frame[i];

		if (f != other && frames[f].line == line && frames[f].url == frames[other].url &&
		    c->functions[f].is_own && !(c->functions[f].frame.flags & CHARGE_TOP))
			return f;
	}
	return FRAME_NONE;
}

/* The line with most ticks of a function. */
struct hottest {
	int32_t line;
	uint64_t ticks, all; /* of the line, of all lines */
	size_t n_lines;
};

static void find_hottest(const struct charge *c, frame_id function, struct hottest *out)
{
	struct line_ticks *ticks;
	size_t n = find_ticks(c, function, &ticks);
	uint64_t here = 0;

	*out = (struct hottest){ 0 };
	for (size_t i = 0; i < n; i++) {
		bool is_new = i == 0 || ticks[i].line != ticks[i - 1].line;

		out->n_lines += is_new;
		here = (is_new ? 0 : here) + ticks[i].ticks;
		out->all += ticks[i].ticks;
		if (here > out->ticks) {
			out->ticks = here;
			out->line = ticks[i].line;
		}
	}
	free(ticks);
}

void finding_note_line(struct finding_window *w, frame_id function, struct buf *out)
{
	const struct charge *c = w->charge;
	struct buf calls = { 0 };
	struct hottest hot;
	frame_id inlined;

	/* A line of minified code says nothing. */
	if (finding_name_is_on_long_line(c->profile, function) ||
	    w->times.t0 > c->lane->sampled_t0 || w->times.t1 < c->lane->sampled_t1)
		return;
	find_hottest(c, function, &hot);
	if (hot.all < TICKS_LEAST || hot.ticks * 100 < hot.all * LINE_PERCENT)
		return;
	inlined = hot.line != c->profile->frames.frames[function].line
		? function_at(c, function, hot.line)
		: FRAME_NONE;
	finding_source_calls(w, inlined != FRAME_NONE ? inlined : function, hot.line, &calls);
	/* Of a function on one line, the line is no news; what it calls is. */
	if (hot.n_lines < 2 && !calls.len)
		return;
	buf_addf(out, " (line %d:", (int)hot.line);
	if (hot.n_lines > 1)
		buf_addf(out, " %d %%", (int)((hot.ticks * 100 + hot.all / 2) / hot.all));
	if (inlined != FRAME_NONE) {
		buf_adds(out, hot.n_lines > 1 ? ", " : " ");
		finding_name_short(w, inlined, out);
	}
	if (calls.len)
		buf_addf(out, "%s %s", hot.n_lines > 1 || inlined != FRAME_NONE ? "," : "",
			 buf_text(&calls));
	buf_addc(out, ')');
	buf_done(&calls);
}

/* ---- recursion ---- */

void finding_note_recursion(struct finding_window *w, frame_id function, struct buf *out)
{
	const struct calltree *tree = &w->charge->lane->tree;
	node_id *path = xcalloc((size_t)tree->max_rows + 1, sizeof *path);
	size_t n = 0, most = 0;
	int64_t ns = 0;

	for (node_id i = 1; i < tree->n; i++) {
		int64_t total;

		if (tree->frame[i] != function)
			continue;
		total = finding_window_total(w, i);
		if (total <= 0)
			continue;
		while (n && i >= tree->end[path[n - 1]])
			n--;
		path[n++] = i;
		most = n > most ? n : most;
		ns += n == DEEP_LEAST ? total : 0;
	}
	free(path);
	if (most < DEEP_LEAST || !charge_times_has(ns, w->times.busy, DEEP_SHARE))
		return;
	buf_addf(out, "recursion, %zu deep%s", most, most >= DEEP_CUT ? " or more" : "");
}
