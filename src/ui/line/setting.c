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
#include "ui/key.h"
#include "ui/line/command_line.h"
#include "ui/pane/pane.h"
#include "ui/state.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ==== preferences ====
 *
 * Lists that are searched linearly: people set a handful of things. */

void preferences_done(struct preferences *p)
{
	for (size_t i = 0; i < p->n_set; i++) {
		free(p->set[i].name);
		free(p->set[i].value);
	}
	free(p->set);
	prompt_history_done(&p->lines);
	keymap_bind_done(&p->keymap);
	buf_done(&p->warnings);
	*p = (struct preferences){ 0 };
}

bool preferences_is_about(const struct preference *p, bool is_bind, const char *name)
{
	return p->is_bind == is_bind &&
		(strcmp(p->name, name) == 0 || (is_bind && keymap_same_keys(p->name, name)));
}

static void remember(struct preferences *p, const char *name, const char *value, bool is_bind,
		     bool is_new)
{
	size_t at = 0;

	while (at < p->n_set && !preferences_is_about(&p->set[at], is_bind, name))
		at++;
	if (at == p->n_set) {
		p->set = xrealloc(p->set, p->n_set + 1, sizeof *p->set);
		p->set[p->n_set++] = (struct preference){ .name = xstrdup(name),
							  .is_bind = is_bind };
	}
	free(p->set[at].value);
	p->set[at].value = xstrdup(value);
	p->set[at].is_new |= is_new;
}

void preferences_set(struct preferences *p, const char *name, const char *value, bool is_new)
{
	remember(p, name, value, false, is_new);
}

bool preferences_bind(struct preferences *p, const char *keys, const char *command, bool is_new,
		      struct error *err)
{
	if (!keymap_bind(&p->keymap, keys, command, err))
		return false;
	remember(p, keys, command, true, is_new);
	return true;
}

const char *preferences_get(const struct preferences *p, const char *name)
{
	for (size_t i = 0; i < p->n_set; i++)
		if (!p->set[i].is_bind && strcmp(p->set[i].name, name) == 0)
			return p->set[i].value;
	return NULL;
}

/* ==== setting ==== */

static const int64_t event_lengths[] = { 0, NS_PER_MS, 15 * NS_PER_MS };

/* ---- values ---- */

static const char *color_word(unsigned i)
{
	/* The name of this one is a text of two words. */
	if (i == CHART_COLOR_HEAT)
		return "heat";
	if (i == CHART_COLOR_EVENT_CAT)
		return "cat";
	return i < CHART_COLOR_COUNT ? frame_roles_color_name((enum chart_color)i) : NULL;
}

static unsigned event_length(const struct app *app)
{
	unsigned i = ARRAY_LEN(event_lengths) - 1;

	while (i > 0 && event_lengths[i] != app->events_list.min_ns)
		i--;
	return i;
}

static bool is_followed(const struct app *app)
{
	const char *value = preferences_get(app->preferences, "follow");

	return value && strcmp(value, "on") == 0;
}

static void set_kinds(struct app *app, unsigned i)
{
	app->s.kinds = (int)i;
	lanes_show_kinds(&app->s, (enum lanes_kinds)i);
	select_shown_lane(app);
}

/* clang-format off */
#define WORDS(...) .words = (const char *const[]){ __VA_ARGS__, NULL }
#define SAYS(id, ...) .command = id, .says = (const char *const[]){ __VA_ARGS__ }
#define SWITCH WORDS("off", "on")

/* The settings, in alphabetical order. BOTH() of those that are members of the app, READ() of those
 * that the program changes, never while the file is loading, LIST() of those that their readers
 * look up, OTHER() of those that only the program knows:
 *
 *     id      of its functions
 *     name, help
 *     values  WORDS(), SWITCH, or a function; NULL: the program knows them
 *     value   the number of it that is set
 *     change  to value `i`
 *     ...     other members */
#define SETTINGS(BOTH, READ, LIST, OTHER) \
	BOTH(ABSOLUTE, "absolute", "times of the file, or of the wall clock", \
	     WORDS("off", "on", "wall"), app->s.chart.times, \
	     app->s.chart.times = (enum chart_times)i, .needs_all = false) \
	BOTH(ALL_LANES, "all-lanes", "panes show all lanes of one kind", SWITCH, \
	     app->has_all_lanes, app->has_all_lanes = i, .needs_all = false) \
	READ(CLOCK, "clock", "one time line for all, or each from 0", WORDS("shared", "own"), \
	     app->base->has_own_zero) \
	BOTH(COLOR, "color", "what colours stand for", .word = color_word, app->s.chart.color, \
	     app->s.chart.color = (enum chart_color)i; app->has_legend = true, .needs_all = false) \
	BOTH(CURSOR, "cursor", "the terminal's cursor stands on what is selected", SWITCH, \
	     app->has_cursor, app->has_cursor = i, .needs_all = false) \
	BOTH(EVENT_LENGTH, "event-length", "ms of the shortest listed event", \
	     WORDS("0", "1", "15"), event_length(app), \
	     app->events_list.min_ns = event_lengths[i], \
	     SAYS(CMD_EVENT_LENGTH, "events: spans of any length", \
		  "events: spans of at least 1 ms", "events: spans of at least 15 ms")) \
	BOTH(FOLD, "fold", "code that is not your own in one row", .word = fold_mode_word, \
	     app->folds.mode, folds_set(app, (enum fold_mode)i), .needs_all = false) \
	READ(FOLLOW, "follow", "read files again when they change", SWITCH, is_followed(app)) \
	BOTH(GC_COLUMN, "gc-column", "tables have a column GC", SWITCH, app->pane.gc.is_on, \
	     app->pane.gc.is_on = i, \
	     SAYS(CMD_GC_COLUMN, "tables: no column of garbage collection", \
		  "tables: column GC, the garbage collection in total times")) \
	BOTH(GC_PLACE, "gc-place", "garbage collection on its stack, or as recorded", \
	     WORDS("stack", "recorded"), (app->transforms.raw & AS_RECORDED_GC) != 0, \
	     transforms_set_raw(app, AS_RECORDED_GC, i), .needs_all = true) \
	BOTH(GROUP, "group", "what frames stand for", .word = view_group_word, \
	     app->transforms.group < GROUP_LABEL ? app->transforms.group : GROUP_LABEL, \
	     transforms_group(app, (enum view_group)i), .needs_all = true) \
	BOTH(HISTORY, "history", "keep command lines", SWITCH, \
	     !app->preferences->has_no_history, app->preferences->has_no_history = !i, \
	     .needs_all = false) \
	BOTH(IDLE, "idle", "idle time counts in shares", SWITCH, app->pane.has_idle, \
	     app->pane.has_idle = i, \
	     SAYS(CMD_IDLE, "shares: idle time is left out", "shares: idle time counts")) \
	BOTH(KINDS, "kinds", "lanes of threads that are shown", \
	     WORDS("both", "slices", "samples"), app->s.kinds, set_kinds(app, i), .needs_all = false) \
	LIST(LAYOUT, "layout", "keyboards whose letters are commands by their places", \
	     .word = key_layout_name) \
	OTHER(MOUSE, "mouse", "take the mouse from the terminal", SWITCH) \
	READ(NAMES, "names", "names of the sources or of the scripts", \
	     WORDS("source", "script"), !other_names_shows_source(app->base)) \
	BOTH(PER, "per", "what a comparison divides times by", .word = sides_per_word, \
	     app->diff.what.per, chart_diff_set_per(app, (enum sides_per)i), .needs_all = false) \
	BOTH(PROGRAM, "program", "lone (program) samples joined, or as recorded", \
	     WORDS("joined", "recorded"), (app->transforms.raw & AS_RECORDED_PROGRAM) != 0, \
	     transforms_set_raw(app, AS_RECORDED_PROGRAM, i), .needs_all = true) \
	BOTH(SHARE, "share", "what shares are of", WORDS("busy", "range", "whole"), \
	     pane_share_get(&app->pane), pane_share_set(&app->pane, (enum pane_share)i), \
	     SAYS(CMD_SHARE, "shares are of the busy time of the range", \
		  "shares are of the range, with idle time", \
		  "shares are of the whole profile, with idle time")) \
	READ(SPLIT, "split", "lanes for each event category, or value of a label", \
	     WORDS("none", "cat", "label:"), \
	     profile_split(app->base) < 2 ? profile_split(app->base) : 2) \
	OTHER(THEME, "theme", "the colours", .words = NULL) \
	BOTH(WIDTH, "width", "whose time boxes of a comparison show", .word = chart_diff_width_word, \
	     app->diff.what.width, chart_diff_set_width(app, (enum sides_width)i), \
	     .needs_all = false)
/* clang-format on */

#define GET_BY(id, value)                                                                          \
	static unsigned get_##id(const struct app *app)                                            \
	{                                                                                          \
		return (unsigned)(value);                                                          \
	}
#define GET(id, word, text, values, value) GET_BY(id, value)
#define GET_AND_SET(id, word, text, values, value, change, ...)                                    \
	GET_BY(id, value)                                                                          \
	static void set_##id(struct app *app, unsigned i)                                          \
	{                                                                                          \
		change;                                                                            \
	}
#define NEITHER(...)

SETTINGS(GET_AND_SET, GET, NEITHER, NEITHER)

#define ROW(id, word, text, values, value, change, ...)                                            \
	{ word, text, values, .get = get_##id, .set = set_##id, __VA_ARGS__ },
#define READ_ROW(id, word, text, values, value)                                                    \
	{ word, text, values, .get = get_##id, .needs_all = true },
#define LIST_ROW(id, word, text, values) { word, text, values, .is_list = true },
#define OTHER_ROW(id, word, text, values) { word, text, values },

static const struct setting rows[] = { SETTINGS(ROW, READ_ROW, LIST_ROW, OTHER_ROW) };

/* The i-th value; NULL: i is past the last one. The setting has words. */
static const char *nth_word(const struct setting *s, unsigned i)
{
	return s->words ? s->words[i] : s->word(i);
}

static bool has_words(const struct setting *s)
{
	return s->words || s->word;
}

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
	if (has_words(s))
		return nth_word(s, i);
	return app->host && app->host->theme_word ? app->host->theme_word(i) : NULL;
}

const char *setting_value(const struct app *app, const struct setting *s)
{
	const char *typed = preferences_get(app->preferences, s->name);
	const char *value = s->get ? nth_word(s, s->get(app)) : typed;

	if (typed && value && takes_pattern(value) && strncmp(typed, value, strlen(value)) == 0)
		return typed;
	return value ? value : s->is_list ? nth_word(s, 0) : has_words(s) ? "on" : "auto";
}

/* The number of the value, of a list that of its last word; -1: it is none. */
static int find_word(const struct setting *s, const char *value)
{
	const char *word, *comma = s->is_list ? strchr(value, ',') : NULL;

	for (unsigned i = 0; comma && (word = nth_word(s, i)) != NULL; i++)
		if (str_is((struct str){ value, (size_t)(comma - value) }, word))
			return find_word(s, comma + 1);
	for (unsigned i = 0; (word = nth_word(s, i)) != NULL; i++)
		if (strcmp(word, value) == 0 ||
		    (takes_pattern(word) && strncmp(word, value, strlen(word)) == 0))
			return (int)i;
	return -1;
}

/* Change a setting to a value, which is word `i` or begins with it. */
static bool change(struct app *app, const struct setting *s, unsigned i, const char *value,
		   struct error *err)
{
	const char *word = nth_word(s, i);
	enum view_group group;

	if (!takes_pattern(word)) {
		if (i != s->get(app))
			s->set(app, i);
		return true;
	}
	value += strlen(word);
	if (s->set != set_GROUP)
		return chart_diff_set_count(app, value, err);
	if (!view_group_find_label(app->base, value, &group, err))
		return false;
	transforms_group(app, group);
	return true;
}

static bool refuse(const struct setting *s, const char *value, struct error *err)
{
	BUF_LOCAL list = { 0 }, shown = { 0 };
	bool takes_key = s->set == set_GROUP || s->get == get_SPLIT; /* of labels */
	const char *word;

	for (unsigned i = 0; (word = nth_word(s, i)) != NULL; i++)
		buf_addf(&list, "%s%s%s", i ? nth_word(s, i + 1) ? ", " : " or " : "", word,
			 !takes_pattern(word) ? ""
				 : takes_key  ? "KEY"
					      : "RE");
	text_fit(&shown, value, strlen(value), 30);
	return error_set(err, ERR_FORMAT, -1, "%s wants %s, not '%s'", s->name, buf_text(&list),
			 buf_text(&shown));
}

bool setting_check(const struct setting *s, const char *value, struct error *err)
{
	return !has_words(s) || find_word(s, value) >= 0 || refuse(s, value, err);
}

bool setting_set(struct app *app, const struct setting *s, const char *value, struct error *err)
{
	if (!setting_check(s, value, err))
		return false;
	if (s->needs_all && app->loading.len)
		return error_set(err, ERR_FORMAT, -1, "%s: not available while loading", s->name);
	if (s->set) {
		if (!change(app, s, (unsigned)find_word(s, value), value, err))
			return false;
	} else if (s->is_list) {
		/* Its readers look at the preferences. */
	} else if (!app->host || !app->host->set) {
		return error_set(err, ERR_FORMAT, -1, "%s cannot be set here", s->name);
	} else if (!app->host->set(app->host->ctx, s->name, value, err)) {
		return false;
	}
	preferences_set(app->preferences, s->name, value, true);
	return true;
}

/* Go to the next value of the setting of a command. */
unsigned setting_next(struct app *app, int command)
{
	const struct setting *s = rows;
	unsigned next;

	while (s->command != (enum command_id)command)
		s++;
	next = nth_word(s, s->get(app) + 1) ? s->get(app) + 1 : 0;
	s->set(app, next);
	return state_say(app, false, "%s", s->says[next]);
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
