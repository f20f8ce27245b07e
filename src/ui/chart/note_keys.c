/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls with notes are looked for once in each profile; where folds draw them changes with each
 * picture. */
#include "config.h"

#include "ui/chart/note_keys.h"

#include "base/alloc.h"
#include "ui/state.h"

#include <assert.h>
#include <stdlib.h>

static void forget(struct note_keys *k)
{
	notes_found_done(&k->found);
	free(k->drawn);
	k->drawn = NULL;
}

void note_keys_init(struct app *app, const struct notes *before)
{
	notes_add_all(&app->notes.all, &app->base->notes);
	for (size_t i = 0; before && i < before->n; i++)
		if (before->list[i].is_own)
			notes_set(&app->notes.all, &before->list[i]);
}

void note_keys_done(struct note_keys *k)
{
	forget(k);
	notes_done(&k->all);
}

void note_keys_update(struct app *app)
{
	struct note_keys *k = &app->notes;
	const struct scene *s = &app->s;

	app->s.chart.n_notes = 0;
	if (app->mode != VIEW_TIME || !k->all.n)
		return;
	if (k->found.profile != s->profile) {
		forget(k);
		notes_find_all(&k->found, s->profile, &k->all);
		k->drawn = xcalloc(k->all.n + 1, sizeof *k->drawn);
	}
	assert(k->drawn);
	for (size_t i = 0; i < k->all.n; i++) {
		const struct user_note *note = &k->all.list[i];
		struct chart_note *to = &k->drawn[app->s.chart.n_notes];
		bool is_label = note->kind == NOTE_LABEL && *note->text;

		if (k->found.lanes[i] == UINT32_MAX || (!is_label && note->kind != NOTE_EXPANDABLE))
			continue;
		*to = (struct chart_note){ .lane = (int)k->found.lanes[i], .text = note->text };
		folds_close(s, to->lane, &k->found.spans[i], &to->span);
		if (!is_label)
			to->n_hidden = notes_count_hidden(&k->found, i, &to->text);
		app->s.chart.n_notes += is_label || to->n_hidden;
	}
	app->s.chart.notes = k->drawn;
}

void note_keys_windows(struct app *app)
{
	struct viewport view = app->s.view, *now = &app->s.view;
	const struct profile *p = app->base;

	if (!p->n_crumbs || now->t0 != p->window_t0 || now->t1 != p->window_t1)
		return;
	viewport_set(now, now->t_min, now->t_max);
	for (size_t i = 0; i < p->n_crumbs; i++) {
		view = *now;
		viewport_set(now, p->crumbs[i].t0, p->crumbs[i].t1);
		history_add(&app->s.history, &view, now, HISTORY_JUMP);
	}
}

unsigned note_keys_set(struct app *app)
{
	const struct scene *s = &app->s;
	struct user_note note;
	struct span span;

	if (app->mode != VIEW_TIME || !s->chart.has_selection)
		return state_say(app, true, "note is about the selected call of the time line");
	span = folds_selected_span(s);
	note = notes_label(s->profile, &s->profile->lanes[s->chart.lane], &span,
			   buf_text(&app->line.args));
	notes_set(&app->notes.all, &note);
	forget(&app->notes);
	note_keys_update(app);
	if (app->line.args.len)
		state_say(app, false,
			  "noted; ol and :export trace FILE keep it with the whole trace");
	else
		state_say(app, false, "no note here any more (:note TEXT writes one)");
	return APP_REDRAW;
}
