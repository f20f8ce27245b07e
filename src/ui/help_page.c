/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The content comes from the tables of commands, keys and settings; this file only decides what
 * comes first. A word that the user asked for leaves only the commands that contain it. */
#include "config.h"

#include "ui/help_page.h"

#include "base/alloc.h"
#include "ui/line/setting.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The commands that a new user needs first. */
static const enum command_id first[] = {
	CMD_VIEW_TIME, CMD_VIEW_MERGED, CMD_VIEW_SANDWICH, CMD_SUMMARY, CMD_BOTTOM_UP, CMD_TOP_DOWN,
	CMD_CALLERS,   CMD_FUNCTIONS,   CMD_DETAILS,       CMD_EVENTS,  CMD_FOCUS,     CMD_SEARCH,
};

static const struct {
	const char *mark, *ascii, *text;
} marks[] = {
	{ "\342\226\221", ":", "several spans share the cell: zoom in to see them" },
	{ "\342\211\210", "~", "mostly this function, in many calls" },
	{ "~", "~", "the function with most time in these cells, and its share" },
	{ "\342\226\217", "|", "a span narrower than a cell" },
	{ "\342\227\206", "@", "the selected span, where it is narrow" },
	{ "\342\226\222", "*", "a match of the search is among the spans of the cell" },
	{ "\302\267", ". -", "not computed yet; in a total: counted with the outer call" },
	{ "\342\225\220", "=", "this rule above the pane: the pane has the focus" },
};

/* Samples of colours. */
static const struct {
	const char *name, *text;
	enum role role;
} colors[] = {
	{ " own ", "the program's own code; the hue tells the file", ROLE_FRAME },
	{ " deps ", "dependencies: the same hues, muted", ROLE_DEPENDENCY },
	{ " node ", "node: and other code of runtimes", ROLE_NODE },
	{ " native ", "native code", ROLE_NATIVE },
	{ " GC ", "garbage collection, the only red", ROLE_GC },
};

static void add_line(struct help_page *page, const char *title, const char *keys, const char *text)
{
	page->lines = xrealloc(page->lines, page->n + 1, sizeof(*page->lines));
	page->keys = xrealloc(page->keys, page->n + 1, sizeof(*page->keys));
	page->keys[page->n] = keys ? xstrdup(keys) : NULL;
	page->lines[page->n] =
		(struct help_line){ .title = title, .keys = page->keys[page->n], .text = text };
	page->n++;
}

static void add_command(struct help_page *page, enum keymap_context context, enum command_id id)
{
	struct buf keys = { 0 };

	if (keymap_keys(context, id, &keys))
		add_line(page, NULL, buf_text(&keys), command_get(id)->help);
	buf_done(&keys);
}

static bool is_first(enum keymap_context context, enum command_id id)
{
	for (size_t i = 0; context == KEYMAP_ANY && i < ARRAY_LEN(first); i++)
		if (first[i] == id)
			return true;
	return false;
}

static void add_section(struct help_page *page, enum keymap_context context)
{
	add_line(page, NULL, NULL, NULL);
	add_line(page, keymap_title(context), NULL, NULL);
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++)
		if (!is_first(context, id))
			add_command(page, context, id);
}

/* Commands that take words, by their names. */
static void add_line_section(struct help_page *page)
{
	add_line(page, NULL, NULL, NULL);
	add_line(page, KEYMAP_LINE_TITLE, NULL, NULL);
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++)
		if (keymap_is_for_line(id))
			add_line(page, NULL, command_get(id)->name, command_get(id)->help);
}

static void add_settings(const struct app *app, struct help_page *page)
{
	const struct setting *s;

	add_line(page, "Settings (:set NAME VALUE)", NULL, NULL);
	for (size_t i = 0; (s = setting_row(i)); i++) {
		struct buf text = { 0 };

		buf_addf(&text, "%s %s", s->name, setting_value(app, s));
		add_line(page, NULL, buf_text(&text), s->help);
		buf_done(&text);
	}
}

/* Whether a text contains the word, whatever the case of its letters in ASCII. */
static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (; strlen(text) >= n; text++)
		if (strncasecmp(text, word, n) == 0)
			return true;
	return false;
}

/* The commands whose name, text or keys contain the word, each with its keys and its name. */
static void add_matches(struct help_page *page, const char *word)
{
	add_line(page, "Commands that match", NULL, NULL);
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++) {
		const struct command *c = command_get(id);
		struct buf keys = { 0 }, own = { 0 };

		for (int context = 0; context < KEYMAP_CONTEXTS; context++) {
			buf_clear(&own);
			if (!keymap_keys((enum keymap_context)context, id, &own) ||
			    (keys.len && strstr(buf_text(&keys), buf_text(&own))))
				continue;
			buf_adds(&keys, keys.len ? " " : "");
			buf_adds(&keys, buf_text(&own));
		}
		if (has_word(c->name, word) || has_word(c->help, word) ||
		    strcmp(buf_text(&keys), word) == 0) {
			buf_addf(&keys, "%s:%s", keys.len ? "  " : "", c->name);
			add_line(page, NULL, buf_text(&keys), c->help);
		}
		buf_done(&keys);
		buf_done(&own);
	}
	if (page->n == 1)
		add_line(page, NULL, "-", "none");
}

static void add_all(const struct app *app, struct help_page *page)
{
	bool is_chart = app->focus == KEYMAP_CHART, is_ascii = app->s.chart.is_ascii;

	add_line(page, "Views and panes", NULL, NULL);
	for (size_t i = 0; i < ARRAY_LEN(first); i++)
		add_command(page, KEYMAP_ANY, first[i]);
	add_line(page, NULL, NULL, NULL);
	add_line(page, "Marks", NULL, NULL);
	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		add_line(page, NULL, is_ascii ? marks[i].ascii : marks[i].mark, marks[i].text);
	add_line(page, NULL, NULL, NULL);
	add_line(page, "Colours", NULL, NULL);
	for (size_t i = 0; i < ARRAY_LEN(colors); i++) {
		add_line(page, NULL, colors[i].name, colors[i].text);
		page->lines[page->n - 1].fill = colors[i].role;
	}
	add_section(page, app->focus);
	add_section(page, KEYMAP_ANY);
	add_section(page, is_chart ? KEYMAP_PANE : KEYMAP_CHART);
	add_section(page, KEYMAP_PROMPT);
	add_section(page, KEYMAP_HELP);
	add_line_section(page);
}

void help_page_make(const struct app *app, struct help_page *page, struct help *help)
{
	const char *word = buf_text(&app->help_word);

	if (strcmp(word, HELP_SETTINGS) == 0)
		add_settings(app, page);
	else if (*word)
		add_matches(page, word);
	else
		add_all(app, page);
	*help = (struct help){ .lines = page->lines,
			       .n_lines = page->n,
			       .scroll = app->help_scroll };
}

void help_page_done(struct help_page *page)
{
	for (size_t i = 0; i < page->n; i++)
		free(page->keys[i]);
	free(page->keys);
	free(page->lines);
	*page = (struct help_page){ 0 };
}

int help_page_scroll(const struct app *app)
{
	struct rect all = { 0, 0, app->rows, app->cols };
	struct help_page page = { 0 };
	struct help help;
	int most;

	help_page_make(app, &page, &help);
	most = help_max_scroll(all, &help);
	help_page_done(&page);
	return most;
}
