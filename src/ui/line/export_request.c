/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scope is that of the panes: the window or the pinned range, and the lanes that the panes are
 * about, with the transforms that are on. */
#include "config.h"

#include "ui/line/export_request.h"

#include "base/alloc.h"
#include "base/units.h"
#include "ui/chart/findings_walk.h"
#include "ui/line/command_parse.h"
#include "ui/pane/pane_scope.h"
#include "ui/state.h"

#include <stdlib.h>

void export_request_done(struct export_request *r)
{
	buf_done(&r->format);
	buf_done(&r->path);
}

/* Whether the host knows the format. */
static bool check_format(const struct app *app, struct str format, struct error *err)
{
	for (unsigned i = 0; app->host->export_word && app->host->export_word(i); i++)
		if (str_is(format, app->host->export_word(i)))
			return true;
	if (!app->host->export_word)
		return error_set(err, ERR_FORMAT, -1, "no formats");
	command_parse_refuse("format", format, app->host->export_word, err);
	return false;
}

bool export_request_make(struct app *app, struct str format, struct str path)
{
	struct export_request *r = &app->export;
	struct error err = ERROR_INIT;

	if (!app->host || !app->host->export) {
		state_say(app, true, "exports are not possible here");
		return false;
	}
	if (app->mode != VIEW_TIME || app->s.chart.lane < 0) {
		state_say(app, true, "exports are of the time line: 1 shows it");
		return false;
	}
	if (!check_format(app, format, &err)) {
		state_say(app, true, "%s", err.text);
		return false;
	}
	export_request_done(r);
	*r = (struct export_request){ .is_forced = app->line.is_forced };
	buf_add(&r->format, format.p, format.len);
	buf_add(&r->path, path.p, path.len);
	return true;
}

struct watch {
	struct app *app;
	bool (*look)(void *ctx);
	void *ctx;
};

static bool watch(void *ctx, int64_t bytes)
{
	const struct watch *w = ctx;
	char done[UNITS_MAX];

	if (!w->look)
		return true;
	units_bytes(bytes, done);
	state_say(w->app, false, "writing %s: %s so far; Esc or C-c cancels",
		  buf_text(&w->app->export.path), done);
	return w->look(w->ctx);
}

/* The transforms that made the profile on the screen, in the order of their application. The caller
 * frees the list. */
static struct transform *find_transforms(const struct app *app, struct app_export *request)
{
	const struct transforms *t = app->change.is_on ? &app->change.before : &app->transforms;
	struct transform *list = xcalloc(t->n + 1, sizeof *list);

	for (size_t i = 0; i < t->n; i++)
		if (t->list[i].kind != TRANSFORM_INVERT)
			list[request->n_transforms++] = t->list[i];
	request->transforms = list;
	request->group = t->group;
	return list;
}

void export_request_run(struct app *app, bool (*look)(void *ctx), void *ctx)
{
	const struct scene *s = &app->s;
	const struct lane **lanes;
	uint32_t n = pane_scope_lanes(app, &lanes);
	uint8_t *is_lane = xcalloc(s->profile->n_lanes + 1, 1);
	const struct place_clock clock = findings_walk_clock(app);
	struct app_export request = { .format = buf_text(&app->export.format),
				      .path = buf_text(&app->export.path),
				      .is_forced = app->export.is_forced,
				      .profile = s->profile,
				      .is_original = s->profile == app->base,
				      .base = app->base,
				      .has_idle = app->pane.has_idle,
				      .has_other_clock = clock.is_wall || clock.is_file,
				      .is_lane = is_lane,
				      .watch = watch,
				      .watch_ctx = &(struct watch){ app, look, ctx } };
	struct transform *transforms = find_transforms(app, &request);
	struct buf said = { 0 };
	bool ok;

	for (uint32_t i = 0; i < n; i++)
		is_lane[lanes[i] - s->profile->lanes] = 1;
	pane_scope_range(app, &request.t0, &request.t1);
	ok = app->host->export(app->host->ctx, &request, &said);
	if (ok && n < s->profile->n_lanes)
		buf_addf(&said, " (%u of %u lanes%s)", (unsigned)n, (unsigned)s->profile->n_lanes,
			 app->has_all_lanes ? "" : "; ol takes all of its kind");
	if (ok && app->cut.len)
		buf_addf(&said, "; %s was loaded", buf_text(&app->cut));
	state_say(app, !ok, "%s", buf_text(&said));
	buf_done(&said);
	free(transforms);
	free(is_lane);
	free(lanes);
}
