/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A setting has a few words as values. Most are members of the app; the terminal's belong to the
 * program, which is told, and the preferences know their value. */
#include "config.h"

#include "ui/line/setting.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "model/profile.h"
#include "ui/chart/lanes.h"
#include "ui/chart/select.h"
#include "ui/line/command_line.h"
#include "ui/pane/panes.h"

#include <limits.h>
#include <string.h>

static const int64_t event_lengths[] = { 0, NS_PER_MS, 15 * NS_PER_MS };

/* ---- words ---- */

static const char *nth(const char *const *list, unsigned n, unsigned i)
{
	return i < n ? list[i] : NULL;
}

static const char *switch_word(unsigned i)
{
	static const char *const list[] = { "off", "on" };

	return nth(list, ARRAY_LEN(list), i);
}

static const char *color_word(unsigned i)
{
	/* The name of this one is a text of two words. */
	if (i == CHART_COLOR_HEAT)
		return "heat";
	if (i == CHART_COLOR_EVENT_CAT)
		return "cat";
	return i < CHART_COLOR_COUNT ? frame_roles_color_name((enum chart_color)i) : NULL;
}

static const char *length_word(unsigned i)
{
	static const char *const list[] = { "0", "1", "15" };

	return nth(list, ARRAY_LEN(list), i);
}

static const char *kinds_word(unsigned i)
{
	static const char *const list[] = { "both", "slices", "samples" };

	return nth(list, ARRAY_LEN(list), i);
}

static const char *absolute_word(unsigned i)
{
	static const char *const list[] = { "off", "on", "wall" };

	return nth(list, ARRAY_LEN(list), i);
}

static const char *clock_word(unsigned i)
{
	static const char *const list[] = { "shared", "own" };

	return nth(list, ARRAY_LEN(list), i);
}

/* ---- values ---- */

static unsigned get_clock(const struct app *app)
{
	return app->base->has_own_zero;
}

static const char *names_word(unsigned i)
{
	static const char *const list[] = { "source", "script" };

	return nth(list, ARRAY_LEN(list), i);
}

static unsigned get_names(const struct app *app)
{
	return !other_names_shows_source(app->base);
}

static const char *split_word(unsigned i)
{
	static const char *const list[] = { "none", "cat", "label:" };

	return nth(list, ARRAY_LEN(list), i);
}

static unsigned get_split(const struct app *app)
{
	unsigned split = profile_split(app->base);

	return split < 2 ? split : 2;
}

static unsigned get_absolute(const struct app *app)
{
	return (unsigned)app->s.chart.times;
}

static void set_absolute(struct app *app, unsigned i)
{
	app->s.chart.times = (enum chart_times)i;
}

static unsigned get_all_lanes(const struct app *app)
{
	return app->has_all_lanes;
}

static void set_all_lanes(struct app *app, unsigned i)
{
	app->has_all_lanes = i;
}

static unsigned get_color(const struct app *app)
{
	return app->s.chart.color;
}

static void set_color(struct app *app, unsigned i)
{
	app->s.chart.color = (enum chart_color)i;
	app->has_legend = true;
}

static unsigned get_event_length(const struct app *app)
{
	unsigned i = ARRAY_LEN(event_lengths) - 1;

	while (i > 0 && event_lengths[i] != app->events_list.min_ns)
		i--;
	return i;
}

static void set_event_length(struct app *app, unsigned i)
{
	app->events_list.min_ns = event_lengths[i];
}

static unsigned get_follow(const struct app *app)
{
	const char *value = preferences_get(app->preferences, "follow");

	return value && strcmp(value, "on") == 0;
}

static unsigned get_gc_column(const struct app *app)
{
	return app->pane.gc.is_on;
}

static void set_gc_column(struct app *app, unsigned i)
{
	app->pane.gc.is_on = i;
}

static const char *gc_place_word(unsigned i)
{
	static const char *const list[] = { "stack", "recorded" };

	return nth(list, ARRAY_LEN(list), i);
}

static unsigned get_gc_place(const struct app *app)
{
	return (app->transforms.raw & AS_RECORDED_GC) != 0;
}

static void set_gc_place(struct app *app, unsigned i)
{
	transforms_set_raw(app, AS_RECORDED_GC, i);
}

static unsigned get_group(const struct app *app)
{
	return app->transforms.group < GROUP_LABEL ? app->transforms.group : GROUP_LABEL;
}

/* Group by the label with this key. */
static bool set_group_label(struct app *app, const char *key, struct error *err)
{
	enum view_group group;

	if (!view_group_find_label(app->base, key, &group, err))
		return false;
	transforms_group(app, group);
	return true;
}

static void set_group(struct app *app, unsigned i)
{
	transforms_group(app, (enum view_group)i);
}

static unsigned get_history(const struct app *app)
{
	return !app->preferences->has_no_history;
}

static void set_history(struct app *app, unsigned i)
{
	app->preferences->has_no_history = !i;
}

static unsigned get_idle(const struct app *app)
{
	return app->pane.has_idle;
}

static void set_idle(struct app *app, unsigned i)
{
	app->pane.has_idle = i;
}

static unsigned get_kinds(const struct app *app)
{
	return (unsigned)app->s.kinds;
}

static void set_kinds(struct app *app, unsigned i)
{
	app->s.kinds = (int)i;
	lanes_show_kinds(&app->s, (enum lanes_kinds)i);
	select_shown_lane(app);
}

static const char *program_word(unsigned i)
{
	static const char *const list[] = { "joined", "recorded" };

	return nth(list, ARRAY_LEN(list), i);
}

static unsigned get_program(const struct app *app)
{
	return (app->transforms.raw & AS_RECORDED_PROGRAM) != 0;
}

static void set_program(struct app *app, unsigned i)
{
	transforms_set_raw(app, AS_RECORDED_PROGRAM, i);
}

static const char *share_word(unsigned i)
{
	static const char *const word[PANE_SHARE_COUNT] = { "busy", "range", "whole" };

	return i < PANE_SHARE_COUNT ? word[i] : NULL;
}

static unsigned get_share(const struct app *app)
{
	return pane_share_get(&app->pane);
}

static void set_share(struct app *app, unsigned i)
{
	pane_share_set(&app->pane, (enum pane_share)i);
}

static unsigned get_fold(const struct app *app)
{
	return app->folds.mode;
}

static void set_fold(struct app *app, unsigned i)
{
	folds_set(app, (enum fold_mode)i);
}

static unsigned get_per(const struct app *app)
{
	return app->diff.what.per;
}

static void set_per(struct app *app, unsigned i)
{
	chart_diff_set_per(app, (enum sides_per)i);
}

static unsigned get_width(const struct app *app)
{
	return app->diff.what.width;
}

static void set_width(struct app *app, unsigned i)
{
	chart_diff_set_width(app, (enum sides_width)i);
}

static const struct setting rows[] = {
	{ "absolute", "times of the file, or of the wall clock", absolute_word, get_absolute,
	  set_absolute, false },
	{ "all-lanes", "panes show all lanes of one kind", switch_word, get_all_lanes,
	  set_all_lanes, false },
	{ "clock", "one time line for all, or each from 0", clock_word, get_clock, NULL, true },
	{ "color", "what colours stand for", color_word, get_color, set_color, false },
	{ "event-length", "ms of the shortest listed event", length_word, get_event_length,
	  set_event_length, false },
	{ "fold", "code that is not your own in one row", fold_mode_word, get_fold, set_fold,
	  false },
	{ "follow", "read files again when they change", switch_word, get_follow, NULL, true },
	{ "gc-column", "tables have a column GC", switch_word, get_gc_column, set_gc_column,
	  false },
	{ "gc-place", "garbage collection on its stack, or as recorded", gc_place_word,
	  get_gc_place, set_gc_place, true },
	{ "group", "what frames stand for", view_group_word, get_group, set_group, true },
	{ "history", "keep command lines", switch_word, get_history, set_history, false },
	{ "idle", "idle time counts in shares", switch_word, get_idle, set_idle, false },
	{ "kinds", "lanes of threads that are shown", kinds_word, get_kinds, set_kinds, false },
	{ "mouse", "take the mouse from the terminal", switch_word, NULL, NULL, false },
	{ "names", "names of the sources or of the scripts", names_word, get_names, NULL, true },
	{ "per", "what a comparison divides times by", sides_per_word, get_per, set_per, false },
	{ "program", "lone (program) samples joined, or as recorded", program_word, get_program,
	  set_program, true },
	{ "share", "what shares are of", share_word, get_share, set_share, false },
	{ "split", "lanes for each event category, or value of a label", split_word, get_split,
	  NULL, true },
	{ "theme", "the colours", NULL, NULL, NULL, false },
	{ "width", "whose time boxes of a comparison show", chart_diff_width_word, get_width,
	  set_width, false },
};

const struct setting *setting_row(size_t i)
{
	return i < ARRAY_LEN(rows) ? &rows[i] : NULL;
}

static const char *nth_name(unsigned i)
{
	return i < ARRAY_LEN(rows) ? rows[i].name : NULL;
}

const struct setting *setting_find(struct str name, struct error *err)
{
	if (str_is(name, "colour"))
		name = (struct str){ "color", 5 };
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (str_is(name, rows[i].name))
			return &rows[i];
	command_parse_refuse("setting", name, nth_name, err);
	return NULL;
}

/* A word such as `count:` is followed by a pattern. */
static bool takes_pattern(const char *word)
{
	return *word && word[strlen(word) - 1] == ':';
}

const char *setting_word(const struct app *app, const struct setting *s, unsigned i)
{
	if (s->word)
		return s->word(i);
	return app->host && app->host->theme_word ? app->host->theme_word(i) : NULL;
}

const char *setting_value(const struct app *app, const struct setting *s)
{
	const char *set = preferences_get(app->preferences, s->name);
	const char *value = s->get ? s->word(s->get(app)) : set;

	if (s->get && set && value && takes_pattern(value) &&
	    strncmp(set, value, strlen(value)) == 0)
		return set;

	return value ? value : s->word ? "on" : "auto";
}

/* The number of the value; -1: it is none. */
static int find_word(const struct setting *s, const char *value)
{
	const char *word;

	for (unsigned i = 0; (word = s->word(i)) != NULL; i++)
		if (strcmp(word, value) == 0 ||
		    (takes_pattern(word) && strncmp(word, value, strlen(word)) == 0))
			return (int)i;
	return -1;
}

/* Change a setting to a value, which is word `i` or begins with it. */
static bool change(struct app *app, const struct setting *s, unsigned i, const char *value,
		   struct error *err)
{
	const char *word = s->word(i);

	if (word && takes_pattern(word))
		return s->set == set_group ? set_group_label(app, value + strlen(word), err)
					   : chart_diff_set_count(app, value + strlen(word), err);
	if (i != s->get(app))
		s->set(app, i);
	return true;
}

/* What follows such a word is a key of labels. */
static bool takes_key(const struct setting *s)
{
	return s->set == set_group || s->get == get_split;
}

static bool refuse(const struct setting *s, const char *value, struct error *err)
{
	struct buf list = { 0 }, shown = { 0 };

	for (unsigned i = 0; s->word(i); i++)
		buf_addf(&list, "%s%s%s", i ? s->word(i + 1) ? ", " : " or " : "", s->word(i),
			 !takes_pattern(s->word(i)) ? ""
				 : takes_key(s)     ? "KEY"
						    : "RE");
	text_fit(&shown, value, strlen(value), 30);
	error_set(err, ERR_FORMAT, -1, "%s wants %s, not '%s'", s->name, buf_text(&list),
		  buf_text(&shown));
	buf_done(&list);
	buf_done(&shown);
	return false;
}

bool setting_check(const struct setting *s, const char *value, struct error *err)
{
	return !s->word || find_word(s, value) >= 0 || refuse(s, value, err);
}

bool setting_set(struct app *app, const struct setting *s, const char *value, struct error *err)
{
	int i;

	if (!setting_check(s, value, err))
		return false;
	if (s->needs_all && app->loading.len)
		return error_set(err, ERR_FORMAT, -1, "%s: not available while loading", s->name);
	if (s->set) {
		i = find_word(s, value);
		if (!change(app, s, (unsigned)i, value, err))
			return false;
	} else if (!app->host || !app->host->set) {
		return error_set(err, ERR_FORMAT, -1, "%s cannot be set here", s->name);
	} else if (!app->host->set(app->host->ctx, s->name, value, err)) {
		return false;
	}
	preferences_set(app->preferences, s->name, value, true);
	return true;
}

void setting_apply(struct app *app)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *value = preferences_get(app->preferences, rows[i].name);
		int at = value && rows[i].set ? find_word(&rows[i], value) : -1;

		/* Transforms of the start know the group and the samples already. */
		if (at >= 0 && !rows[i].needs_all)
			change(app, &rows[i], (unsigned)at, value, &(struct error)ERROR_INIT);
	}
	app->has_legend = false;
}

void setting_say_warnings(struct app *app)
{
	const char *text = buf_text(&app->preferences->warnings);
	size_t n = strcspn(text, "\n");

	if (*text && !app->is_touched)
		state_say(app, true, "%.*s%s", n < INT_MAX ? (int)n : INT_MAX, text,
			  text[n] && text[n + 1] ? " (8 lists more)" : "");
}
