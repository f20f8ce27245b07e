/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The content comes from the tables of commands and keys; this file only decides what comes first.
 */
#include "config.h"

#include "ui/help_page.h"

#include "base/alloc.h"
#include "ui/state.h"

#include <stdlib.h>

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

void help_page_make(const struct app *app, struct help_page *page, struct help *help)
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
