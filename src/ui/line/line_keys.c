/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands that take words of the command line. Times count from the
 * start of the profile, as those of --from and --to, or, with a minus, back from its end. */
#include "config.h"

#include "ui/line/line_keys.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/units.h"
#include "model/slices.h"
#include "ui/actions.h"
#include "ui/chart/chart_diff.h"
#include "ui/chart/findings_walk.h"
#include "ui/chart/select.h"
#include "ui/chart/views.h"
#include "ui/line/command_line.h"
#include "ui/line/setting.h"
#include "ui/pane/fleet_pane.h"
#include "ui/pane/pane.h"
#include "ui/state.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ==== export request ====
 *
 * The scope is that of the panes: the window or the pinned range, and the lanes that the panes are
 * about, with the transforms that are on. */

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

/* Ask for an export of what is in scope. False, with a message: it is not possible. */
static bool export_request_make(struct app *app, struct str format, struct str path)
{
	struct export_request *r = &app->export;
	struct error err = ERROR_INIT;
	bool is_fleet = fleet_pane_is_alone(app);

	if (!app->host || !app->host->export)
		return state_refuse(app, true, "exports are not possible here");
	if (!is_fleet && (app->mode != VIEW_TIME || app->s.chart.lane < 0))
		return state_refuse(app, true, "exports are of the time line: 1 shows it");
	if (!check_format(app, format, &err))
		return state_refuse(app, true, "%s", err.text);
	export_request_done(r);
	*r = (struct export_request){ .is_forced = app->line.is_forced, .is_fleet = is_fleet };
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

	if (!w->look)
		return true;
	state_say(w->app, false, "writing %s: %s so far; Esc or C-c cancels",
		  buf_text(&w->app->export.path), units_bytes(bytes, UNITS_ROOM));
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
	request->group = t->group;
	return list;
}

static void export_fleet(struct app *app)
{
	struct app_export request = { .format = buf_text(&app->export.format),
				      .path = buf_text(&app->export.path),
				      .is_forced = app->export.is_forced,
				      .is_fleet = true };
	BUF_LOCAL said = { 0 };
	bool ok = app->host->export(app->host->ctx, &request, &said);

	state_say(app, !ok, "%s", buf_text(&said));
}

static void export_scope(struct app *app, bool (*look)(void *ctx), void *ctx)
{
	const struct scene *s = &app->s;
	ALLOC_LOCAL const struct lane **lanes = NULL;
	uint32_t n = pane_scope_lanes(app, &lanes);
	ALLOC_LOCAL uint8_t *is_lane = xcalloc(s->profile->n_lanes + 1, 1);
	const struct place_clock clock = findings_walk_clock(app);
	struct app_export request = { .format = buf_text(&app->export.format),
				      .path = buf_text(&app->export.path),
				      .is_forced = app->export.is_forced,
				      .profile = s->profile,
				      .is_original = s->profile == app->base,
				      .base = app->base,
				      .has_idle = app->pane.has_idle,
				      .has_other_clock = clock.is_wall || clock.is_file,
				      .notes = &app->notes.all,
				      .is_lane = is_lane,
				      .watch = watch,
				      .watch_ctx = &(struct watch){ app, look, ctx } };
	ALLOC_LOCAL struct transform *transforms = find_transforms(app, &request);
	BUF_LOCAL said = { 0 };
	bool ok;

	for (uint32_t i = 0; i < n; i++)
		is_lane[lanes[i] - s->profile->lanes] = 1;
	/* A trace has lanes of all kinds. */
	if (app->has_all_lanes && strcmp(request.format, "trace") == 0)
		memset(is_lane, 1, n = s->profile->n_lanes);
	request.transforms = transforms;
	pane_scope_range(app, &request.t0, &request.t1);
	ok = app->host->export(app->host->ctx, &request, &said);
	if (ok && n < s->profile->n_lanes)
		buf_addf(&said, " (%u of %u lanes%s)", (unsigned)n, (unsigned)s->profile->n_lanes,
			 app->has_all_lanes ? "" : "; ol takes all of its kind");
	if (ok && app->cut.len)
		buf_addf(&said, "; %s was loaded", buf_text(&app->cut));
	state_say(app, !ok, "%s", buf_text(&said));
}

void export_request_run(struct app *app, bool (*look)(void *ctx), void *ctx)
{
	if (app->export.is_fleet)
		export_fleet(app);
	else
		export_scope(app, look, ctx);
}

/* ==== line keys ==== */

#define NUMBER_MAX 100000

static struct str args_of(const struct app *app)
{
	return (struct str){ buf_text(&app->line.args), app->line.args.len };
}

/* ---- times ---- */

/* Read a time of the profile, which is not merged. A message says what is wrong. */
static bool read_time(struct app *app, struct str word, int64_t *t)
{
	bool is_back = word.len && word.p[0] == '-', ok = false;
	ALLOC_LOCAL char *text = xstrndup(word.p + is_back, word.len - is_back);

	if (!profile_has_timeline(app->base))
		state_say(app, true, "the input has no time line");
	else if ((ok = amount_parse(&app->base->unit, text, app->base->t1, t)))
		*t = is_back ? app->base->t1 - *t : *t;
	else
		state_say(app, true, "not a %s: '%.40s' (%s, 40%%)",
			  amount_is_time(&app->base->unit) ? "time" : "value", text,
			  amount_examples(&app->base->unit));
	return ok;
}

unsigned line_keys_goto(struct app *app)
{
	struct str args = args_of(app), word = command_parse_time(&args);
	struct viewport to;
	int64_t t;

	if (!word.len || args.len)
		return state_say(app, true, "goto wants a time: goto 1.5s");
	if (!read_time(app, word, &t))
		return APP_REDRAW;
	if (t < 0 || t > app->base->t1)
		return state_say(app, true, "the profile ends at %s",
				 profile_value(app->base, app->base->t1, UNITS_ROOM));
	views_show(app, VIEW_TIME, FRAME_NONE);
	to = app->s.view;
	viewport_pan(&to, t - (to.t0 + (to.t1 - to.t0) / 2));
	select_inside_at(app, t);
	to.scroll = app->s.view.scroll;
	app->s.view = to;
	return state_say(app, false, "at %s", profile_value(app->base, t, UNITS_ROOM));
}

/* Split `2s,3s`, `2s 3s`, `2s,` and `,3s`, or `-10s`, the last ten seconds: what is missing is
 * empty. False: it is none of these. */
static bool split_range(struct str text, struct str *from, struct str *to)
{
	bool has_comma;

	*from = *to = (struct str){ text.p, 0 };
	if (text.len && text.p[0] != ',')
		*from = command_parse_time(&text);
	has_comma = text.len && text.p[0] == ',';
	if (has_comma) {
		text.p++;
		text.len--;
	}
	*to = command_parse_time(&text);
	if (text.len || (!from->len && !to->len))
		return false;
	return to->len || has_comma || from->p[0] == '-';
}

unsigned line_keys_range(struct app *app)
{
	int64_t t0 = 0, t1 = app->base->t1;
	struct str from, to;

	if (!split_range(args_of(app), &from, &to))
		return state_say(app, true, "range wants two times: range 2s 3s");
	if ((from.len && !read_time(app, from, &t0)) || (to.len && !read_time(app, to, &t1)))
		return APP_REDRAW;
	if (t0 >= t1 || t0 >= app->base->t1 || t1 <= 0)
		return state_say(app, true, "the range is empty");
	views_show(app, VIEW_TIME, FRAME_NONE);
	viewport_set(&app->s.view, t0 < 0 ? 0 : t0, t1 > app->base->t1 ? app->base->t1 : t1);
	select_inside(app);
	return APP_REDRAW;
}

/* A whole number from 0 on; -1: it is none. */
static int read_number(struct str word)
{
	int n = 0;

	for (size_t i = 0; i < word.len; i++) {
		if (word.p[i] < '0' || word.p[i] > '9' || n > NUMBER_MAX)
			return -1;
		n = n * 10 + word.p[i] - '0';
	}
	return word.len ? n : -1;
}

static bool find_call(const struct lane *lane, int depth, int64_t t, struct span *out)
{
	return span_at(&lane->samples, &lane->tree, depth, t, out) ||
		slice_time_span_at(lane, depth, t, out);
}

/* The call at a time and in a row of a lane that is shown; without these, the lane alone. In a
 * merged view, times are those of its axis. */
unsigned line_keys_select_call(struct app *app)
{
	struct str args = args_of(app), lane = command_parse_word(&args),
		   time = command_parse_word(&args), row = command_parse_word(&args);
	int at = read_number(lane), depth = read_number(row);
	ALLOC_LOCAL char *text = xstrndup(time.p, time.len);
	struct span span;
	int64_t t = 0;

	if (at < 1 || at > app->s.chart.n_lanes || (time.len > 0) != (depth >= 0)) {
		state_say(app, true, "select-call wants a lane, a time and a row: 2 1.5s 7");
	} else if (!time.len) {
		select_lane(app, at - 1);
		app->s.chart.has_selection = false;
	} else if (!amount_parse(&app->base->unit, text, app->s.view.t_max, &t)) {
		state_say(app, true, "not a time: '%.40s'", text);
	} else if (!find_call(&app->s.profile->lanes[at - 1], depth, t, &span)) {
		state_say(app, false, "there is no call");
	} else {
		struct viewport window = app->s.view;

		app->s.lanes[at - 1].is_hidden = false;
		select_call(app, at - 1, &span);
		/* A part of it is enough. */
		if (span.t0 < window.t1 && span.t1 > window.t0)
			viewport_set(&app->s.view, window.t0, window.t1);
	}
	return APP_REDRAW;
}

/* Hide lanes, and show all calls of others; what they are otherwise stays. */
unsigned line_keys_lanes(struct app *app)
{
	struct str args = args_of(app), word;
	bool is_hidden = false, is_unfolded = false;

	while ((word = command_parse_word(&args)).len) {
		int at = read_number(word);

		if (str_is(word, "hidden") || str_is(word, "unfolded")) {
			is_hidden = word.p[0] == 'h';
			is_unfolded = !is_hidden;
		} else if (at >= 1 && at <= app->s.chart.n_lanes && (is_hidden || is_unfolded)) {
			struct chart_lane *cl = &app->s.lanes[at - 1];

			cl->is_hidden |= is_hidden;
			cl->is_unfolded |= is_unfolded;
			cl->is_trunk_open |= is_unfolded;
		} else {
			state_say(app, true, "lanes wants words as in: hidden 2 3 unfolded 1");
			break;
		}
	}
	folds_follow(app);
	select_shown_lane(app);
	return APP_REDRAW;
}

/* ---- comparisons ---- */

/* Take two times with a comma between them. False: they are not there, or a message says what is
 * wrong with them. */
static bool take_window(struct app *app, struct str *text, int64_t *t0, int64_t *t1)
{
	struct str from = command_parse_time(text), to;

	if (!from.len || !text->len || text->p[0] != ',')
		return false;
	text->p++;
	text->len--;
	to = command_parse_time(text);
	return to.len && read_time(app, from, t0) && read_time(app, to, t1);
}

/* Whether the window has any time of the profile. Says so. */
static bool check_window(struct app *app, const char *which, int64_t *t0, int64_t *t1)
{
	*t0 = *t0 < 0 ? 0 : *t0;
	*t1 = *t1 > app->base->t1 ? app->base->t1 : *t1;
	if (*t0 >= *t1)
		state_say(app, true, "the %s window is empty", which);
	return *t0 < *t1;
}

/* Whether a text begins with a time and a comma, as a window does. */
static bool is_window(const struct app *app, struct str text)
{
	struct str word = command_parse_time(&text);
	ALLOC_LOCAL char *time = xstrndup(word.p, word.len);
	int64_t t;

	return text.len && text.p[0] == ',' && units_parse_time(time, app->base->t1, &t);
}

/* Compare the rest of the profile with [from, to). */
static void compare_rest_with(struct app *app, int64_t from, int64_t to)
{
	const struct viewport *v = &state_time_line(app)->view;
	const int64_t t0[SIDES] = { v->t_min, from }, t1[SIDES] = { v->t_max, to };

	if (from > v->t_min || to < v->t_max)
		chart_diff_windows(app, t0, t1, true);
	else
		state_say(app, true,
			  "the window is the whole: zoom in (w), or name one: diff 1s,2s");
}

/* Compare the rest of the profile with the window or range. */
static void compare_rest(struct app *app)
{
	const struct viewport *v = &state_time_line(app)->view;

	compare_rest_with(app, app->range.is_pinned ? app->range.t0 : v->t0,
			  app->range.is_pinned ? app->range.t1 : v->t1);
}

/* Compare the windows that the words name: two, or one with the rest. */
static void compare_windows(struct app *app, struct str words)
{
	int64_t t0[SIDES], t1[SIDES];
	bool is_first = take_window(app, &words, &t0[SIDE_BEFORE], &t1[SIDE_BEFORE]),
	     is_one = is_first && !words.len;

	if (!is_first || (!is_one && !take_window(app, &words, &t0[SIDE_AFTER], &t1[SIDE_AFTER])) ||
	    words.len) {
		if (!app->message.len)
			state_say(app, true,
				  "diff wants a window or two (diff 1s,2s 3s,4s), rest, files "
				  "(diff FILE), or off");
		return;
	}
	if (!check_window(app, is_one ? "named" : "first", &t0[SIDE_BEFORE], &t1[SIDE_BEFORE]))
		return;
	if (is_one)
		compare_rest_with(app, t0[SIDE_BEFORE], t1[SIDE_BEFORE]);
	else if (check_window(app, "second", &t0[SIDE_AFTER], &t1[SIDE_AFTER]))
		chart_diff_windows(app, t0, t1, false);
}

unsigned line_keys_compare(struct app *app)
{
	if (!chart_diff_files(app)) {
		/* Compare the window or range with the rest, or the second half of the whole with
		 * the first. */
		const struct viewport *v = &state_time_line(app)->view;
		int64_t middle = v->t_min + (v->t_max - v->t_min) / 2;
		const int64_t t0[SIDES] = { v->t_min, middle }, t1[SIDES] = { middle, v->t_max };

		if (app->range.is_pinned || v->t0 > v->t_min || v->t1 < v->t_max)
			compare_rest(app);
		else
			chart_diff_windows(app, t0, t1, false);
	}
	return APP_REDRAW;
}

unsigned line_keys_diff(struct app *app)
{
	struct str rest = args_of(app);

	if (str_is(rest, "off"))
		chart_diff_off(app);
	else if (str_is(rest, "rest"))
		compare_rest(app);
	else if (rest.len && is_window(app, rest))
		compare_windows(app, rest);
	else if (rest.len)
		chart_diff_open_begin(app, rest.p);
	else
		return line_keys_compare(app);
	return APP_REDRAW;
}

/* ---- settings ---- */

unsigned line_keys_set(struct app *app)
{
	struct str value = args_of(app), name = command_parse_word(&value);
	const char *equal = name.len ? memchr(name.p, '=', name.len) : NULL;
	struct error err = ERROR_INIT;
	const struct setting *s;

	if (equal) {
		value.len = (size_t)(value.p + value.len - equal) - 1;
		value.p = equal + 1;
		name.len = (size_t)(equal - name.p);
	}
	if (!name.len) {
		app->help.is_open = true;
		app->help.scroll = 0;
		buf_clear(&app->help.word);
		buf_adds(&app->help.word, HELP_SETTINGS);
		return APP_REDRAW;
	}
	s = setting_find(name, &err);
	/* The value ends the text, so it is NUL-terminated. */
	if (s && value.len && !setting_set(app, s, value.p, &err))
		s = NULL;
	if (!s)
		state_say(app, true, "%s", err.text);
	else if (!app->message.len)
		state_say(app, false, "%s %s", s->name, setting_value(app, s));
	return APP_REDRAW;
}

unsigned line_keys_bind(struct app *app)
{
	struct str command = args_of(app), word = command_parse_word(&command);
	struct error err = ERROR_INIT;
	ALLOC_LOCAL char *keys = NULL;

	if (!command.len)
		return state_say(app, true, "bind wants keys and a command: bind F2 summary");
	keys = xstrndup(word.p, word.len);
	if (preferences_bind(app->preferences, keys, command.p, true, &err))
		state_say(app, false, "%s: %s", keys, command.p);
	else
		state_say(app, true, "%s", err.text);
	return APP_REDRAW;
}

unsigned line_keys_write_config(struct app *app)
{
	BUF_LOCAL said = { 0 };
	bool ok = false;

	if (app->host && app->host->write_config)
		ok = app->host->write_config(app->host->ctx, &said);
	else
		buf_adds(&said, "settings cannot be kept here");
	return state_say(app, !ok, "%s", buf_text(&said));
}

/* ---- export ---- */

unsigned line_keys_export(struct app *app)
{
	struct str path = args_of(app), format = command_parse_word(&path);

	if (!path.len)
		return state_say(app, true,
				 "export wants a format and a file: export folded out.folded");
	return export_request_make(app, format, path) ? APP_REDRAW | APP_EXPORT : APP_REDRAW;
}
