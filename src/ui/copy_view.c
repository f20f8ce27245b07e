/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program's own command line, and behind it --keys with what was changed since: commands by
 * their names, so that the keys may be bound otherwise. Transforms come first, as others are about
 * what they make; then settings, the search, the window, the view, the selection, the pane.
 *
 *	flametty --keys=':set color package<Enter>:range 1793000000ns,1839000000ns<Enter>'
 *a.cpuprofile
 */
#include "config.h"

#include "ui/copy_view.h"

#include "analyse/scope.h"
#include "base/alloc.h"
#include "base/text.h"
#include "ui/actions.h"
#include "ui/line/setting.h"
#include "ui/state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is there from the start ---- */

static char *describe(const struct profile *p, const struct transform *t)
{
	BUF_LOCAL text = { 0 };

	transform_describe(p, t, &text);
	return xstrdup(buf_text(&text));
}

void copy_view_begin(struct app *app)
{
	struct copy_start *start = &app->start;

	start->n_transforms = app->transforms.n;
	start->transforms = xcalloc(start->n_transforms + 1, sizeof *start->transforms);
	for (size_t i = 0; i < start->n_transforms; i++)
		start->transforms[i] = describe(app->s.profile, &app->transforms.list[i]);
	for (size_t i = 0; setting_row(i) && i < ARRAY_LEN(start->settings); i++)
		if (setting_row(i)->get)
			start->settings[i] = setting_row(i)->get(app);
	start->shown = app->shown;
}

void copy_view_done(struct app *app)
{
	for (size_t i = 0; i < app->start.n_transforms; i++)
		free(app->start.transforms[i]);
	free(app->start.transforms);
}

/* ---- keys ---- */

/* Append a text as keys. */
static void add_text(struct buf *keys, const char *text)
{
	for (; *text; text++)
		if (*text == '<')
			buf_adds(keys, "<lt>");
		else
			buf_addc(keys, *text);
}

static void add_command(struct buf *keys, const char *command)
{
	buf_addc(keys, ':');
	add_text(keys, command);
	buf_adds(keys, "<Enter>");
}

static void add_lost(struct buf *lost, const char *what)
{
	buf_addf(lost, "%s%s", lost->len ? ", " : "", what);
}

/* ---- transforms ---- */

/* The command that makes the transform, or others of its kind of a pattern; CMD_NONE: none. */
static enum command_id command_of(const struct transform *t, bool *has_pattern)
{
	*has_pattern = t->by != BY_ALL && t->by != BY_OTHERS && t->by != BY_ANY_PACKAGE &&
		t->by != BY_CATEGORY;
	if (*has_pattern)
		return actions_find(CMD_FOCUS_FUNCTION,
				    TRANSFORMS_COMMAND((int)t->kind, BY_FUNCTION, 0));
	return actions_find(CMD_FOCUS_FUNCTION,
			    TRANSFORMS_COMMAND((int)t->kind, (int)t->by, (int)t->id));
}

/* A pattern that matches only what the transform is about; empty: there is none. */
static void add_pattern(const struct app *app, const struct transform *t, struct buf *out)
{
	const struct profile *p = app->base;
	struct error err = ERROR_INIT;
	uint32_t n = 0;
	ALLOC_LOCAL uint8_t *set = NULL;

	if (t->by == BY_SET && t->text)
		buf_adds(out, t->text);
	else if (t->by == BY_FILE || t->by == BY_PACKAGE)
		buf_addf(out, "%s^\\Q%s\\E$",
			 t->by == BY_FILE ? "file:" : "pkg:", profile_text(p, t->id));
	if (t->by != BY_FUNCTION || t->id >= p->frames.n)
		return;
	buf_addf(out, "^\\Q%s\\E$", profile_text(p, p->frames.frames[t->id].name));
	/* Other functions may have the name. */
	set = frame_set_find(p, p->frames.frames, p->frames.n, buf_text(out), &err);
	for (frame_id i = 1; set && i < p->frames.n; i++)
		n += set[i] != 0;
	if (!set || n != 1 || !set[t->id])
		buf_clear(out);
}

static void add_transform(const struct app *app, const struct transform *t, struct buf *keys,
			  struct buf *lost)
{
	bool has_pattern;
	enum command_id id = command_of(t, &has_pattern);
	BUF_LOCAL pattern = { 0 };

	if (has_pattern)
		add_pattern(app, t, &pattern);
	if (id != CMD_NONE && (pattern.len || !has_pattern)) {
		/* Only that view can be inverted. */
		buf_adds(keys, id == CMD_INVERT ? ":view-left-heavy<Enter>" : "");
		buf_addf(keys, ":%s%s", command_get(id)->name, has_pattern ? " " : "");
		add_text(keys, buf_text(&pattern));
		buf_adds(keys, "<Enter>");
	} else {
		ALLOC_LOCAL char *said = describe(app->base, t);

		add_lost(lost, said);
	}
}

static void add_transforms(const struct app *app, struct buf *keys, struct buf *lost)
{
	const struct copy_start *start = &app->start;
	const struct transforms *t = &app->transforms;
	size_t n = 0;

	for (; n < t->n && n < start->n_transforms; n++) {
		ALLOC_LOCAL char *said = describe(app->base, &t->list[n]);
		bool is_same = strcmp(said, start->transforms[n]) == 0;

		if (!is_same)
			break;
	}
	for (size_t i = n; i < start->n_transforms; i++)
		add_command(keys, "undo");
	for (; n < t->n; n++)
		add_transform(app, &t->list[n], keys, lost);
}

/* ---- the rest ---- */

static void add_search(const struct app *app, struct buf *keys, struct buf *lost)
{
	const struct finder_target *target = &app->finder.target;

	if (!finder_is_on(app))
		return;
	if (target->is_function) {
		add_lost(lost, "the search for one function");
		return;
	}
	buf_adds(keys, ":search<Enter>");
	buf_adds(keys, target->is_plain ? "<C-t>" : "");
	add_text(keys, buf_text(&target->name));
	buf_adds(keys, "<Enter>");
}

static void add_lanes(const struct scene *s, struct buf *keys)
{
	size_t from = keys->len;

	for (int kind = 0; kind < 2; kind++) {
		bool has = false;

		for (int i = 0; i < s->chart.n_lanes; i++) {
			if (!(kind ? s->lanes[i].is_unfolded : s->lanes[i].is_hidden))
				continue;
			if (!has)
				buf_adds(keys, keys->len == from ? ":lanes" : "");
			if (!has)
				buf_adds(keys, kind ? " unfolded" : " hidden");
			buf_addf(keys, " %d", i + 1);
			has = true;
		}
	}
	buf_adds(keys, keys->len > from ? "<Enter>" : "");
}

/* The view with its lanes, and in it the selected call. */
static void add_view(const struct app *app, struct buf *keys, struct buf *lost)
{
	const struct chart *c = &app->s.chart;
	struct span span;

	add_lanes(state_time_line(app), keys);
	if (app->mode == VIEW_MERGED && !transforms_is_inverted(app))
		buf_adds(keys, ":view-left-heavy<Enter>");
	if (app->mode == VIEW_MERGED)
		add_lanes(&app->s, keys);
	if (app->mode == VIEW_SANDWICH)
		add_lost(lost, "callers and callees");
	if (app->mode != VIEW_TIME && app->s.view.t1 - app->s.view.t0 < app->s.view.t_max)
		add_lost(lost, "the window of the merged view");
	if (app->mode == VIEW_SANDWICH || c->lane < 0)
		return;
	buf_addf(keys, ":select-call %d", c->lane + 1);
	if (c->has_selection) {
		span = folds_selected_span(&app->s);
		buf_addf(keys, " %" PRId64 "%s %d", span.t0 > 0 ? span.t0 : 0,
			 amount_is_time(&app->base->unit) ? "ns" : "", span.depth);
	}
	buf_adds(keys, "<Enter>");
	if (app->s.view.scroll)
		buf_addf(keys, ":top<Enter>:%d scroll-down<Enter>", app->s.view.scroll);
}

static void add_pane(const struct app *app, struct buf *keys)
{
	if (!app->is_pane_open) {
		/* It may be open from the start. */
		if (app->is_pane_chosen)
			buf_adds(keys, ":summary<Enter>:close<Enter>");
		return;
	}
	add_command(keys, command_get(app->shown->command)->name);
	if (app->filter.target.name.len) {
		buf_adds(keys, ":filter<Enter>");
		buf_adds(keys, app->filter.target.is_plain ? "<C-t>" : "");
		add_text(keys, buf_text(&app->filter.target.name));
		buf_adds(keys, "<Enter>");
	}
	if (app->focus == KEYMAP_CHART)
		add_command(keys, "focus");
	/* The heat map opens so. */
	if (app->is_pane_max != (state_focus(app) == KEYMAP_HEAT))
		add_command(keys, "maximise");
}

/* ---- the command line ---- */

/* Append the command line. What it cannot say is appended to `lost`, separated by commas. False:
 * there is none, and a message says so. */
static bool add_all(struct app *app, struct buf *out, struct buf *lost)
{
	BUF_LOCAL keys = { 0 };
	size_t from = out->len;
	const struct viewport *v = &state_time_line(app)->view;
	const char *unit = amount_is_time(&app->base->unit) ? "ns" : "";

	if (app->host && app->host->command)
		app->host->command(app->host->ctx, out);
	if (out->len == from)
		return state_refuse(app, false, "no command line shows this again: it is no file");
	if (chart_diff_shown(app) && !app->diff.what.has_files)
		add_lost(lost, "the comparison of windows");
	add_transforms(app, &keys, lost);
	for (size_t i = 0; setting_row(i) && i < ARRAY_LEN(app->start.settings); i++) {
		const struct setting *s = setting_row(i);
		BUF_LOCAL text = { 0 };

		if (!s->get || s->get(app) == app->start.settings[i])
			continue;
		buf_addf(&text, "set %s %s", s->name, setting_value(app, s));
		add_command(&keys, buf_text(&text));
	}
	add_search(app, &keys, lost);
	/* The first picture may show another window. */
	if (app->culprit.was_window && v->t0 == v->t_min && v->t1 == v->t_max)
		add_command(&keys, "whole");
	if (v->t0 > v->t_min || v->t1 < v->t_max)
		buf_addf(&keys, ":range %" PRId64 "%s,%" PRId64 "%s<Enter>", v->t0, unit, v->t1,
			 unit);
	if (app->range.is_pinned)
		add_lost(lost, "the pinned range");
	add_view(app, &keys, lost);
	add_pane(app, &keys);
	if (keys.len) {
		buf_adds(out, " --keys=");
		text_shell(out, buf_text(&keys));
	}
	return true;
}

unsigned copy_view(struct app *app)
{
	BUF_LOCAL lost = { 0 };
	struct buf text = { 0 };
	bool is = add_all(app, &text, &lost);

	if (is) {
		buf_done(&app->copied);
		app->copied = text;
		state_say(app, false, "copied the command line of this view%s%s",
			  lost.len ? ", without " : "", buf_text(&lost));
	} else {
		buf_done(&text);
	}
	return is ? APP_REDRAW | APP_COPY : APP_REDRAW;
}
