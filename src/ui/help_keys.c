/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of the help screen. */
#include "config.h"

#include "ui/help_keys.h"

#include "ui/actions.h"
#include "ui/help_page.h"
#include "ui/state.h"

static void set_word(struct app *app, const char *word)
{
	app->help_scroll = 0;
	buf_clear(&app->help_word);
	buf_adds(&app->help_word, word);
}

unsigned help_keys_open(struct app *app, int count)
{
	(void)count;
	app->is_help = true;
	app->help_scroll = 0;
	buf_clear(&app->help_word);
	buf_adds(&app->help_word, buf_text(&app->line.args));
	return APP_REDRAW;
}

static unsigned scroll_help(struct app *app, int64_t lines)
{
	int64_t to = app->help_scroll + lines;
	int most = help_page_scroll(app);

	app->help_scroll = to < 0 ? 0 : to > most ? most : (int)to;
	return APP_REDRAW;
}

unsigned help_keys_down(struct app *app, int count)
{
	return scroll_help(app, count);
}

unsigned help_keys_up(struct app *app, int count)
{
	return scroll_help(app, -count);
}

unsigned help_keys_page_down(struct app *app, int count)
{
	return scroll_help(app, (int64_t)count * (app->rows > 4 ? app->rows - 3 : 1));
}

unsigned help_keys_page_up(struct app *app, int count)
{
	return scroll_help(app, -(int64_t)count * (app->rows > 4 ? app->rows - 3 : 1));
}

unsigned help_keys_first(struct app *app, int count)
{
	(void)count;
	return scroll_help(app, -INT32_MAX);
}

unsigned help_keys_last(struct app *app, int count)
{
	(void)count;
	return scroll_help(app, INT32_MAX);
}

unsigned help_keys_close(struct app *app, int count)
{
	(void)count;
	app->is_help = false;
	return APP_REDRAW;
}

/* A filter goes first. */
unsigned help_keys_back(struct app *app, int count)
{
	if (!app->help_word.len)
		return help_keys_close(app, count);
	set_word(app, "");
	return APP_REDRAW;
}

/* ---- the filter ---- */

unsigned help_keys_filter(struct app *app, int count)
{
	(void)count;
	if (app->prompt.kind == PROMPT_NONE)
		prompt_open(&app->prompt, PROMPT_HELP, NULL);
	return APP_REDRAW;
}

void help_keys_changed(struct app *app)
{
	set_word(app, buf_text(&app->prompt.text));
}

void help_keys_accept(struct app *app)
{
	prompt_close(&app->prompt, false);
}

void help_keys_cancel(struct app *app)
{
	prompt_close(&app->prompt, false);
	set_word(app, "");
}
