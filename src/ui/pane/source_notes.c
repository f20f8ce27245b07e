/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts from the profile and the file system are made visible before they become lines. */
#include "config.h"

#include "ui/pane/source_notes.h"

#include "base/alloc.h"
#include "base/date.h"
#include "base/text.h"
#include "base/units.h"
#include "ui/pane/source_times.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

#define NOTES_HOT 50 /* lines that are listed where there is no text */

static void say(struct source_page *p, const char *text, int cols, bool is_head)
{
	lines_add(&p->notes, text, strlen(text), cols, 2, is_head);
}

static int by_time(const void *a, const void *b)
{
	const struct source_hot *x = a, *y = b;
	int64_t x_ns = x->ns + x->whole_ns, y_ns = y->ns + y->whole_ns;

	if (x_ns != y_ns)
		return x_ns < y_ns ? 1 : -1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* The hottest line first. */
static void list_hot(const struct app *app, struct source_page *p, int cols)
{
	struct source_hot *list = xmalloc((p->n_hot + 1) * sizeof *list);
	struct buf line = { 0 };
	char time[UNITS_MAX];

	if (p->n_hot) {
		say(p, "", cols, false);
		memcpy(list, p->hot, p->n_hot * sizeof *list);
		qsort(list, p->n_hot, sizeof *list, by_time);
	}
	for (size_t i = 0; i < p->n_hot && i < NOTES_HOT; i++) {
		buf_clear(&line);
		profile_value(app->base, list[i].ns + list[i].whole_ns, time);
		buf_addf(&line, "%8s  line %d", time, (int)list[i].line);
		say(p, buf_text(&line), cols, false);
	}
	free(list);
	if (p->n_hot > NOTES_HOT) {
		buf_clear(&line);
		buf_addf(&line, "\342\200\246 %zu more lines", p->n_hot - NOTES_HOT);
		say(p, buf_text(&line), cols, false);
	}
	buf_done(&line);
}

/* Why a function has no file. */
static const char *no_file(const struct app *app, const struct frame *frame)
{
	switch (frame->category) {
	case CATEGORY_GC:
	case CATEGORY_PROGRAM:
	case CATEGORY_IDLE:
		return "no function of a file: there is no source to show";
	case CATEGORY_SLICE:
	case CATEGORY_MARK:
		return "a trace states it: it has no source";
	case CATEGORY_NATIVE:
	case CATEGORY_REGEXP:
	case CATEGORY_WASM:
		return "native code: there is no source to show";
	default:
		return app->source.frame >= app->original->frames.n
			? "several functions: o b shows them one by one"
			: "the profile does not say in which file it is";
	}
}

void source_notes_make(struct app *app, int cols)
{
	struct source_page *p = &app->source;
	const struct frame *frame = profile_frame(app->s.profile, p->frame);
	const struct line_time *best;
	struct buf text = { 0 };

	lines_clear(&p->notes);
	cols = cols > 4 ? cols - 2 : 2;
	if (p->frame == FRAME_NONE) {
		say(p, "nothing is selected", cols, false);
		return;
	}
	profile_location(app->s.profile, frame, true, &text);
	if (!text.len)
		text_visible(&text, profile_text(app->s.profile, frame->name),
			     strlen(profile_text(app->s.profile, frame->name)));
	say(p, buf_text(&text), cols, true);
	if (p->is_waiting) {
		say(p, "reading the file\342\200\246", cols, false);
	} else if (!frame->url) {
		say(p, no_file(app, frame), cols, false);
	} else {
		const char *at = p->text ? buf_text(&p->text->said) : "";

		say(p, "no text of this file was found:", cols, false);
		for (size_t n; *at; at += n + (at[n] != '\0')) {
			n = strcspn(at, "\n");
			lines_add(&p->notes, at, n, cols, 2, false);
		}
		list_hot(app, p, cols);
	}
	best = source_times_hottest(app, FRAME_NONE);
	if (!p->is_waiting && best && best->url != frame->url) {
		buf_clear(&text);
		buf_adds(&text, "hottest line (. goes there): ");
		profile_location(app->original,
				 &(struct frame){ .url = best->url, .line = best->line }, true,
				 &text);
		say(p, "", cols, false);
		say(p, buf_text(&text), cols, false);
	}
	buf_done(&text);
}

void source_notes_about(struct app *app)
{
	struct source_page *p = &app->source;
	char time[UNITS_MAX], date[DATE_MAX];

	buf_clear(&p->about);
	buf_clear(&p->note);
	profile_value(app->base, p->hot_ns, time);
	if (p->n_lines)
		buf_addf(&p->about, "%s in %zu line%s, by ticks", time, p->n_lines,
			 p->n_lines == 1 ? "" : "s");
	profile_value(app->base, p->whole_ns, time);
	if (p->n_lines && p->whole_ns)
		buf_addf(&p->about, "; %s in whole functions", time);
	else if (p->n_hot && !p->n_lines)
		buf_adds(
			&p->note,
			"times of whole functions, where they begin: those of lines are not known");
	else if (!p->n_hot)
		buf_adds(&p->about, "none of its lines has time here");
	if (!p->text->is_newer)
		return;
	date_format(p->text->recorded_s, ' ', date);
	buf_adds(&p->note, p->note.len ? "; " : "");
	buf_addf(&p->note, "the file is newer than the profile (recorded %s): lines may have moved",
		 date);
}
