/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The content comes from the tables of commands, keys and settings; this file decides what comes
 * first. The first column has the keys of what is in focus, the second one signs, colours, the
 * mouse, and the keys of everything else. A word that the user asks for leaves only the lines that
 * contain it, and the titles of their sections. */
#include "config.h"

#include "ui/help_page.h"

#include "base/alloc.h"
#include "ui/actions.h"
#include "ui/line/setting.h"
#include "ui/state.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/* The commands that a new user needs first. */
static const enum command_id first[] = {
	CMD_NEXT_FINDING, CMD_VIEW_TIME, CMD_VIEW_MERGED, CMD_VIEW_SANDWICH, CMD_SUMMARY,
	CMD_BOTTOM_UP,    CMD_TOP_DOWN,  CMD_CALLERS,     CMD_FUNCTIONS,     CMD_DETAILS,
	CMD_EVENTS,       CMD_FOCUS,     CMD_SEARCH,      CMD_COPY,
};

static const struct {
	const char *sign, *ascii, *text;
} signs[] = {
	{ "\342\226\276 \342\226\270", "v >", "a lane that is open, or folded" },
	{ "\342\213\257", "?", "rows that only start or schedule, folded into one" },
	{ "+9 rows", "+9 rows",
	  "rows of a lane for which there is no room, with their share of its time; Space opens "
	  "them" },
	{ "46 %", "46 %", "of a folded lane: how busy it is in the window" },
	{ "\342\232\240 2", "!2", "kinds of warnings about the files; 8 lists them" },
	{ "\342\226\221", ":", "several spans share the cell: zoom in to see them" },
	{ "\342\211\210", "~", "mostly this function, in many calls" },
	{ "~", "~", "the function with most time in these cells, and its share" },
	{ "\342\226\217", "|", "a span narrower than a cell" },
	{ "\342\227\206", "* @", "a mark; the selected span, where it is narrow" },
	{ "\342\206\222 \342\206\220", "> <", "a flow leads on from this slice, or only to it" },
	{ "\342\226\222", "*", "a match of the search is among the spans of the cell" },
	{ "[ ]", "[ ]", "the window in the overview; a range on the ruler" },
	{ "\302\267", ". -", "not computed yet; in a total: counted with the outer call" },
	{ "\342\225\220", "=", "this rule above the pane: the pane has the focus" },
	{ "\302\2615 %", "~5 %", "how far a share may be off, by the number of samples" },
	/* Only of files with requests, milestones or notes: */
	{ "\342\224\204 \342\226\210", "- #",
	  "a request: until the first byte of its response, and from then on" },
	{ "\303\227 \342\227\220", "x ?", "a frame that was dropped, or shown in part" },
	{ "\342\234\216 \342\213\257", "* ...",
	  "a note of a user; calls that are hidden in DevTools" },
	{ "'L 'I 'C", "'L 'I 'C",
	  "go to LCP, INP or the largest layout shift; 'F 'D 'O: to FCP, DCL, load" },
};
#define PAGE_SIGNS 4

/* Of recordings with requests. */
static const struct {
	const char *sign, *ascii, *text;
} served_signs[] = {
	{ "\342\224\200 \342\225\220",
	  "- =", "a request that is served waits; for a free connection" },
	{ "\342\226\222 \342\226\221", "% .",
	  "it is behind other work of its thread; unknown, as a timer" },
	{ "\302\267", ":", "a request that has come, and is not read yet" },
	{ "\342\211\244 6", "<= 6", "above the ruler: the requests in flight, at most 6 at once" },
};

static const struct {
	const char *action, *text;
} mouse[] = {
	{ "click",
	  "select a span, a lane, a row or a tab; on a head: sort; in the overview: centre the window" },
	{ "double click", "zoom to the span, fold the lane, show the row in the chart" },
	{ "drag",
	  "in the overview: select a window, move it, or move its edge; on the ruler: select a "
	  "range; the rule above the pane: its height" },
	{ "wheel",
	  "zoom at the pointer; with Control or Shift: pan; in the pane: move the cursor" },
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

/* ---- lines ---- */

/* A copy of a text that lives as long as the page. */
static const char *keep(struct help_page *page, const char *text)
{
	return arena_copy(&page->texts, text, strlen(text));
}

static void push(struct help_page *page, const struct help_line *line)
{
	*ARRAY_ADD(page->lines, page->n, page->cap) = *line;
}

/* Begin a section. Its title comes with its first line. */
static void begin(struct help_page *page, const char *title)
{
	page->title = title;
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

/* Add a line if it has the word that is asked for. keys: copied; text: static; name: of the
 * command; NULL: it is none. The page is made for each picture, also while memory is short: with
 * few allocations. */
static void add(struct help_page *page, const char *keys, const char *text, const char *name,
		enum role fill)
{
	const char *kept = keep(page, keys);

	if (*page->word && !has_word(text, page->word) && !(name && has_word(name, page->word)) &&
	    strcmp(keys, page->word) != 0)
		return;
	if (page->title && page->n != page->first_of_column)
		push(page, &(struct help_line){ 0 });
	if (page->title)
		push(page, &(struct help_line){ .title = page->title });
	page->title = NULL;
	buf_clear(&page->text);
	if (*page->word && name)
		buf_addf(&page->text, "%s  :%s", text, name);
	push(page,
	     &(struct help_line){ .keys = kept,
				  .text = page->text.len ? keep(page, buf_text(&page->text)) : text,
				  .fill = fill });
}

static void add_command(struct help_page *page, enum keymap_context context, enum command_id id)
{
	const struct command *command = command_get(id);

	buf_clear(&page->text);
	if (keymap_keys(page->keymap, context, id, &page->text))
		add(page, buf_text(&page->text), command->help, command->name, ROLE_PLAIN);
}

static bool is_first(enum keymap_context context, enum command_id id)
{
	for (size_t i = 0; context == KEYMAP_ANY && i < ARRAY_LEN(first); i++)
		if (first[i] == id)
			return true;
	return false;
}

/* ---- sections ---- */

static void add_section(struct help_page *page, enum keymap_context context)
{
	begin(page, keymap_title(context));
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++)
		if (!is_first(context, id))
			add_command(page, context, id);
}

/* The context with the focus comes first. */
static void add_all(const struct app *app, struct help_page *page)
{
	const struct profile *p = app->base;
	bool is_chart = app->focus == KEYMAP_CHART,
	     has_pages = p->n_loads || p->n_requests || p->notes.n;

	if (app->range.is_on)
		add_section(page, KEYMAP_RANGE);
	if (state_focus(app) != app->focus)
		add_section(page, state_focus(app));
	add_section(page, app->focus);
	if (served_list_exists(app)) {
		begin(page, "Requests that are served");
		add_command(page, KEYMAP_ANY, CMD_ROUTES);
		add(page, ":slowest", "go to the slowest request of a route; again: the next one",
		    "slowest", ROLE_PLAIN);
		add(page, "/GET /a", "search requests by route; /status:5xx, /trace:ID, too",
		    "search", ROLE_PLAIN);
	}
	begin(page, "Views and panes");
	for (size_t i = 0; i < ARRAY_LEN(first); i++)
		add_command(page, KEYMAP_ANY, first[i]);
	add_section(page, KEYMAP_ANY);
	page->first_of_column = page->n;
	begin(page, "Signs");
	for (size_t i = 0; i < ARRAY_LEN(signs) - (has_pages ? 0 : PAGE_SIGNS); i++)
		add(page, app->s.chart.is_ascii ? signs[i].ascii : signs[i].sign, signs[i].text,
		    NULL, ROLE_PLAIN);
	for (size_t i = 0; i < ARRAY_LEN(served_signs) && served_list_exists(app); i++)
		add(page, app->s.chart.is_ascii ? served_signs[i].ascii : served_signs[i].sign,
		    served_signs[i].text, NULL, ROLE_PLAIN);
	begin(page, "Colours");
	for (size_t i = 0; i < ARRAY_LEN(colors); i++)
		add(page, colors[i].name, colors[i].text, NULL, colors[i].role);
	begin(page, "The mouse");
	for (size_t i = 0; i < ARRAY_LEN(mouse); i++)
		add(page, mouse[i].action, mouse[i].text, NULL, ROLE_PLAIN);
	add_section(page, is_chart ? KEYMAP_PANE : KEYMAP_CHART);
	if (!app->range.is_on)
		add_section(page, KEYMAP_RANGE);
	if (state_focus(app) != KEYMAP_HEAT)
		add_section(page, KEYMAP_HEAT);
	if (state_focus(app) != KEYMAP_FLEET)
		add_section(page, KEYMAP_FLEET);
	add_section(page, KEYMAP_PROMPT);
	/* Commands that take words, by their names. */
	begin(page, KEYMAP_LINE_TITLE);
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++)
		if (keymap_is_for_line(id))
			add(page, command_get(id)->name, command_get(id)->help,
			    command_get(id)->name, ROLE_PLAIN);
	add_section(page, KEYMAP_HELP);
	if (!page->n)
		push(page, &(struct help_line){ .title = "nothing has this word" });
}

void help_page_make(const struct app *app, struct help_page *page, struct help *help)
{
	page->keymap = &app->preferences->keymap;
	page->word = buf_text(&app->help.word);
	if (strcmp(page->word, HELP_SETTINGS) == 0) {
		const struct setting *s;

		page->word = "";
		begin(page, "Settings (:set NAME VALUE)");
		for (size_t i = 0; (s = setting_row(i)); i++) {
			BUF_LOCAL text = { 0 };

			buf_addf(&text, "%s %s", s->name, setting_value(app, s));
			add(page, buf_text(&text), s->help, NULL, ROLE_PLAIN);
		}
	} else {
		add_all(app, page);
	}
	*help = (struct help){ .lines = page->lines,
			       .n_lines = page->n,
			       .right = page->first_of_column ? page->first_of_column : page->n,
			       .scroll = app->help.scroll,
			       .is_filtered = app->help.word.len > 0 };
}

/* The largest useful value of app->help.scroll. */
static int max_scroll(const struct app *app)
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

/* ==== help keys ====
 *
 * Commands of the help screen. */

static void set_word(struct app *app, const char *word)
{
	app->help.scroll = 0;
	buf_clear(&app->help.word);
	buf_adds(&app->help.word, word);
}

unsigned help_keys_open(struct app *app)
{
	app->help.is_open = true;
	app->help.scroll = 0;
	buf_clear(&app->help.word);
	buf_adds(&app->help.word, buf_text(&app->line.args));
	return APP_REDRAW;
}

unsigned help_keys_scroll(struct app *app, int n)
{
	int64_t to = (int64_t)app->help.scroll + n;
	int most = max_scroll(app);

	app->help.scroll = to < 0 ? 0 : to > most ? most : (int)to;
	return APP_REDRAW;
}

unsigned help_keys_page(struct app *app, int n)
{
	return help_keys_scroll(app, n * (app->rows > 4 ? app->rows - 3 : 1));
}

unsigned help_keys_close(struct app *app)
{
	app->help.is_open = false;
	return APP_REDRAW;
}

/* A filter goes first. */
unsigned help_keys_back(struct app *app)
{
	if (!app->help.word.len)
		return help_keys_close(app);
	set_word(app, "");
	return APP_REDRAW;
}

/* ---- the filter ---- */

unsigned help_keys_filter(struct app *app)
{
	if (app->prompt.kind == PROMPT_NONE)
		prompt_open(&app->prompt, PROMPT_HELP, NULL);
	return APP_REDRAW;
}

static void word_changed(struct app *app)
{
	set_word(app, buf_text(&app->prompt.text));
}

static void accept(struct app *app)
{
	prompt_close(&app->prompt, false);
}

static void cancel(struct app *app)
{
	prompt_close(&app->prompt, false);
	set_word(app, "");
}

const struct prompt_user help_page_prompt = { word_changed, accept, cancel };
